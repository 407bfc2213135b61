#!/bin/sh
# Compares the parts of declarations that Docent reads from Go packages with what go/types says
# of them. Needs the go command and a network for the packages of packages.txt; keeps a module
# that requires them below DOCENT_ACCURACY, by default .accuracy at the root of the repository.
#
#	test/accuracy/golang/run.sh            the packages of packages.txt, and of the standard library
#	test/accuracy/golang/run.sh a b …      others, which the module in .accuracy/go requires
#	LIST=list test/accuracy/golang/run.sh  with each difference
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}/go
go=${GO:-go}
mkdir -p "$dir"
cd "$dir"
if [ $# -eq 0 ]; then
	if ! cmp -s "$here/packages.txt" packages.txt; then
		rm -f go.mod go.sum
		"$go" mod init accuracy.example > log 2>&1
		"$go" get $(sed -n 's/^[^#].*/&@latest/p' "$here/packages.txt") >> log 2>&1 || { cat log; exit 1; }
		cp "$here/packages.txt" packages.txt
	fi
	set -- $(grep -v '^#' "$here/packages.txt") \
		bufio bytes context crypto/tls database/sql encoding/json encoding/xml errors flag fmt go/ast go/types html/template io io/fs iter log/slog \
		maps net net/http net/http/httptest net/url os reflect regexp slices sort strings sync sync/atomic syscall testing text/template time unique
fi
cd "$root"
exec "$go" run ./test/accuracy/golang ${LIST:+-list} "$dir" "$@"
