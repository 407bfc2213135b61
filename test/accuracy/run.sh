#!/bin/sh
# Compares what Docent reads from the packages of package.json with what
# TypeScript's own compiler says of them. Needs Node.js and npm; installs below
# DOCENT_ACCURACY, by default .accuracy at the root of the repository.
#
#	test/accuracy/run.sh            the packages of package.json
#	test/accuracy/run.sh a b@1 …    others, the newest or at that version
#
# The compiler gets PATIENCE seconds of the processor for one package, by default 300.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}
go=${GO:-go}

npm_() { npm "$@" --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error; }

if [ $# -gt 0 ]; then
	dir=$dir/others
	mkdir -p "$dir"
	cp "$here"/*.mjs "$dir"
	cd "$dir"
	[ -f package.json ] || echo '{"name": "others", "private": true}' > package.json
	compiler=$(node -p "require('$here/package.json').dependencies.typescript")
	npm_ install "typescript@$compiler" @types/node "$@"
	names=$(for p in "$@"; do case $p in @types/*) ;; ?*@*) echo "${p%@*}" ;; *) echo "$p" ;; esac; done)
else
	mkdir -p "$dir"
	cp "$here"/*.mjs "$here"/package.json "$here"/package-lock.json "$dir"
	cd "$dir"
	npm_ ci
	names=
fi
node --max-old-space-size=8000 oracle.mjs . $names > oracle.jsonl
cd "$root"
failed=0
"$go" run ./test/accuracy compare "$dir/oracle.jsonl" "$dir" || failed=1
"$go" run ./test/accuracy registry "$dir" ${names:-chalk axios express lodash zod react react-dom hono dayjs ajv commander koa fastify winston uuid semver pino yargs immer joi} || failed=1
exit $failed
