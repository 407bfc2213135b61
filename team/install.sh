#!/bin/sh
# Installs PostgreSQL with apt-get, for tests of docent-team, which are skipped without it. Does
# nothing where it is installed.
if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
	exit
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
	echo "team: PostgreSQL is not here, and only root can install it with apt-get, so tests are skipped"
	exit
fi
# Without a policy, Debian's package starts a server of its own on the default port.
if [ ! -e /usr/sbin/policy-rc.d ]; then
	printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
	chmod +x /usr/sbin/policy-rc.d
	trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
apt-get install -y -q --no-install-recommends postgresql >/dev/null 2>&1 ||
	{ apt-get update -q >/dev/null 2>&1 && apt-get install -y -q --no-install-recommends postgresql >/dev/null 2>&1; } ||
	echo "team: PostgreSQL cannot be installed, so tests are skipped"
