#!/bin/sh
# Compares the props of the components of the libraries in components.txt with ComponentProps<typeof X>, as
# TypeScript's checker evaluates it. Needs Node.js and npm; installs below DOCENT_ACCURACY, by default .accuracy at
# the root of the repository.
#
#	test/accuracy/components.sh                 all libraries
#	test/accuracy/components.sh vuetify cmdk    some of them
#
# LIST=list shows each difference.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
base=${DOCENT_ACCURACY:-$root/.accuracy}/components
go=${GO:-go}
compiler=$(node -p "require('$here/package.json').dependencies.typescript")
selected=" $* "

mkdir -p "$base"
(cd "$root" && "$go" build -o "$base/accuracy" ./test/accuracy)
failed=0
for group in $(grep -v '^#' "$here/components.txt" | cut -d ' ' -f 1 | uniq); do
	dir=$base/$group
	entries= packages="typescript@$compiler"
	while read -r place package rest; do
		[ "$place" = "$group" ] || continue
		if [ "$package" = + ]; then
			packages="$packages $rest"
			continue
		fi
		name=${package%@*}
		case $selected in "  " | *" $name "*) ;; *) continue ;; esac
		packages="$packages $package"
		entries="$entries ${rest:-$name}"
	done < "$here/components.txt"
	[ -n "$entries" ] || continue
	mkdir -p "$dir"
	cd "$dir"
	[ -f package.json ] || echo '{"name": "components", "private": true}' > package.json
	if [ "$(cat installed 2> /dev/null)" != "$packages" ]; then
		# shellcheck disable=SC2086
		npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error $packages
		echo "$packages" > installed
	fi
	cp "$here/components.mjs" .
	: > components.jsonl
	for entry in $entries; do
		"$base/accuracy" props . "$entry" > props.jsonl &&
			ANSWERS=$dir/props.jsonl node --max-old-space-size=8000 components.mjs . "$entry" > answer.jsonl && [ -s answer.jsonl ] || {
			echo "$entry: the compiler gave no answer" >&2
			failed=1
			continue
		}
		cat answer.jsonl >> components.jsonl
	done
	"$base/accuracy" components components.jsonl . ${LIST:-} || failed=1
done
exit $failed
