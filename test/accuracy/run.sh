#!/bin/sh
# Compares what Docent reads from the packages of package.json with what
# TypeScript's own compiler says of them. Needs Node.js and npm; installs below
# DOCENT_ACCURACY, by default .accuracy at the root of the repository.
#
#	test/accuracy/run.sh            the packages of package.json
#	test/accuracy/run.sh a b@1 …    others, the newest or at that version
#
# The compiler gets PATIENCE seconds of the processor for one package, by default 300: the
# entry points that are left then are named and not compared, and a package of which it
# prints nothing in twice that time fails. Its answers are kept, so that a second run goes
# on where the first one stopped. LIST=list shows each difference.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}
go=${GO:-go}
export PATIENCE=${PATIENCE:-300}

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
	remote=$names
else
	mkdir -p "$dir"
	cp "$here"/*.mjs "$dir"
	cd "$dir"
	if ! cmp -s "$here/package-lock.json" package-lock.json || [ ! -f node_modules/.package-lock.json ]; then
		cp "$here/package.json" "$here/package-lock.json" .
		npm_ ci
	fi
	names=$(node -p "Object.keys(require('./package.json').dependencies).filter((n) => !n.startsWith('@types/')).join(' ')")
	remote='chalk axios express lodash zod react react-dom hono dayjs ajv commander koa fastify winston uuid semver pino yargs immer joi'
fi
answers=$dir/answers/$(cat oracle.mjs signature.mjs package-lock.json | cksum | cut -d ' ' -f 1)
mkdir -p "$answers"
failed=0
: > oracle.jsonl
for name in $names; do
	answer=$answers/$(echo "$name" | tr / +).jsonl
	if [ ! -s "$answer" ]; then
		(ulimit -t $((2 * PATIENCE)); exec node --max-old-space-size=8000 oracle.mjs . "$name" > "$answer.part") && mv "$answer.part" "$answer" || {
			echo "$name: the compiler gave no answer" >&2
			failed=1
			continue
		}
	fi
	cat "$answer" >> oracle.jsonl
done
cd "$root"
"$go" run ./test/accuracy compare "$dir/oracle.jsonl" "$dir" ${LIST:-} || failed=1
(cd "$dir" && exec node --max-old-space-size=8000 declarations.mjs . $remote) > "$dir/declarations.jsonl" || failed=1
"$go" run ./test/accuracy declarations "$dir/declarations.jsonl" "$dir" ${LIST:-} || failed=1
if [ $# -gt 0 ]; then
	"$go" run ./test/accuracy props "$dir" $remote > "$dir/props.jsonl" || failed=1
	(cd "$dir" && ANSWERS=$PWD/props.jsonl exec node --max-old-space-size=8000 components.mjs . $remote) > "$dir/components.jsonl" || failed=1
	"$go" run ./test/accuracy components "$dir/components.jsonl" "$dir" ${LIST:-} || failed=1
else
	"$here/components.sh" || failed=1
fi
"$go" run ./test/accuracy registry "$dir" $remote || failed=1
exit $failed
