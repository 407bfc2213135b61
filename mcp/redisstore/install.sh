#!/bin/sh
# Installs redis-server with apt-get, for the tests of mcp/redisstore, which are skipped
# without it. Does nothing where it is installed.
if command -v redis-server >/dev/null; then
	exit
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
	echo "redisstore: redis-server is not here, and only root can install it with apt-get, so most tests are skipped"
	exit
fi
# Without a policy, Debian's package starts a server of its own on the default port.
if [ ! -e /usr/sbin/policy-rc.d ]; then
	printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
	chmod +x /usr/sbin/policy-rc.d
	trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
apt-get install -y -q --no-install-recommends redis-server >/dev/null 2>&1 ||
	{ apt-get update -q >/dev/null 2>&1 && apt-get install -y -q --no-install-recommends redis-server >/dev/null 2>&1; } ||
	echo "redisstore: redis-server cannot be installed, so most tests are skipped"
