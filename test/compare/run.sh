#!/bin/sh
# Judges docent diff by the tools of Go, Python, npm and Rust, and docent diff --used by compilers and
# tests after upgrades. Needs go, python3, node, npm and cargo, and a network; keeps what it
# installs, and what the judges said, below DOCENT_ACCURACY, by default .accuracy at the root of
# the repository.
#
#	test/compare/run.sh             packages.txt and the upgrades
#	test/compare/run.sh --list ...  with flags of test/compare
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}/compare
go=${GO:-go}
mkdir -p "$dir/bin" "$dir/typescript"
[ -x "$dir/bin/apidiff" ] || GOBIN=$dir/bin $go install golang.org/x/exp/cmd/apidiff@latest
[ -x "$dir/venv/bin/griffe" ] || { python3 -m venv "$dir/venv" && "$dir/venv/bin/python" -m pip install -q griffe; }
[ -d "$dir/typescript/node_modules/typescript" ] || npm install --prefix "$dir/typescript" --silent --no-audit --no-fund typescript@5 @types/node
cd "$root"
$go build -o "$dir/compare" ./test/compare
judge() {
	"$dir/compare" --dir "$dir/versions" --apidiff "$dir/bin/apidiff" --python "$dir/venv/bin/python" --typescript "$dir/typescript" "$@"
}
for language in go python npm rust; do
	echo "== $language"
	judge --language $language "$@"
done
echo "== upgrades"
judge --upgrades "$@"
