#!/bin/sh
# Installs Debian's packages of servers with apt-get, for tests of docent-team, which are skipped
# without them: those of the arguments, or PostgreSQL. Does nothing for those that are installed.
missing() {
	case $1 in
	postgresql) ! command -v initdb && ! ls /usr/lib/postgresql/*/bin/initdb ;;
	*) ! command -v "$1" ;;
	esac >/dev/null 2>&1
}
packages=
for name in "${@:-postgresql}"; do
	if missing "$name"; then packages="$packages $name"; fi
done
if [ -z "$packages" ]; then
	exit
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
	echo "team: not installed:$packages; only root can install them with apt-get, so tests are skipped"
	exit
fi
# Without a policy, Debian's packages start servers of their own on the default ports.
if [ ! -e /usr/sbin/policy-rc.d ]; then
	printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
	chmod +x /usr/sbin/policy-rc.d
	trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
# shellcheck disable=SC2086 # a list of names
apt-get install -y -q --no-install-recommends $packages >/dev/null 2>&1 ||
	{ apt-get update -q >/dev/null 2>&1 && apt-get install -y -q --no-install-recommends $packages >/dev/null 2>&1; } ||
	echo "team: cannot be installed:$packages; tests are skipped"
