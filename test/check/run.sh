#!/bin/sh
# Measures docent check on programs from the registries: Go modules, source distributions of Python with
# their dependencies installed, npm packages that contain their TypeScript sources, and crates with
# their dependencies. Needs Go, Python 3 with pip, Node.js with npm, and cargo; what is missing is
# skipped by name. Installs below DOCENT_CHECK, by default .check at the root of the repository.
#
#	test/check/run.sh            the first 8 programs of each language in packages.txt
#	COUNT=60 test/check/run.sh   the first 60
#	ONLY=rust test/check/run.sh  those of one language: go, python, npm or rust
#	test/check/run.sh DIR...     others, with their dependencies installed
#	JUDGE=1 test/check/run.sh    mistakes in Python count only if pyright or mypy reports them, those in Rust if cargo does
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
go=${GO:-go}
flags=${CHECK:-}
dir=${DOCENT_CHECK:-$root/.check}

# say prints what the script does.
say() { echo "$*" >&2; }

if [ -n "${JUDGE:-}" ]; then
	mkdir -p "$dir/judge"
	say "installing the judges in $dir/judge"
	[ -x "$dir/judge/bin/mypy" ] || { python3 -m venv "$dir/judge" && "$dir/judge/bin/pip" install -q mypy; }
	[ -x "$dir/judge/node_modules/.bin/pyright" ] || npm install --silent --no-fund --no-audit --prefix "$dir/judge" pyright
	flags="-judge $dir/judge/node_modules/.bin/pyright,$dir/judge/bin/mypy $flags"
	if command -v cargo >/dev/null; then
		flags="-cargo cargo -target $dir/judge/target $flags"
	else
		echo "the judge of Rust: skipped, cargo is not installed"
	fi
fi

npm=$dir/npm/node_modules
if command -v npm >/dev/null; then
	install="npm install --prefix $dir/npm --ignore-scripts --legacy-peer-deps --no-audit --no-fund --silent"
	mkdir -p "$dir/npm"
	[ -d "$npm/typescript" ] || say "installing typescript"
	[ -d "$npm/typescript" ] || $install typescript@5 @types/node @types/node-fetch @types/react react || echo "typescript: skipped, it cannot be downloaded"
	[ ! -d "$npm/typescript" ] || flags="-typescript $npm/typescript $flags"
fi

if [ $# -gt 0 ]; then
	say "compiling the measurement"
	# shellcheck disable=SC2086
	exec "$go" -C "$root" run ./test/check $flags "$@"
fi

mkdir -p "$dir/go" "$dir/python" "$dir/rust"
projects=

# list prints the programs in a language.
list() {
	case ${ONLY:-$1} in
	"$1") sed -n "s/^$1 //p" "$here/packages.txt" | head -n "${COUNT:-8}" ;;
	esac
}

for name in $(list go); do
	project=$dir/go/$(echo "$name" | tr / -)
	if [ ! -d "$project" ]; then
		say "downloading $name"
		from=$("$go" mod download -json "$name" 2>/dev/null | sed -n 's/^.*"Dir": "\(.*\)".*$/\1/p')
		if [ -z "$from" ] || ! cp -r "$from" "$project" || ! chmod -R u+w "$project" || ! "$go" -C "$project" mod download; then
			echo "$name: skipped, it cannot be downloaded"
			rm -rf "$project"
			continue
		fi
	fi
	projects="$projects $project"
done

if ! command -v python3 >/dev/null; then
	echo "python: skipped, python3 is not installed"
elif [ -n "$(list python)" ]; then
	cd "$dir/python"
	[ -d venv ] || python3 -m venv venv
	for name in $(list python); do
		project=$(echo "$name" | sed 's/==/-/')
		if [ ! -d "$project" ]; then
			say "installing $name"
			if ! venv/bin/pip download -q --no-deps --no-binary :all: -d sdist "$name" >/dev/null 2>&1 || ! venv/bin/pip install -q "$name" >/dev/null 2>&1; then
				echo "$name: skipped, it cannot be downloaded"
				continue
			fi
			tar xzf "sdist/$project.tar.gz"
			ln -s ../venv "$project/.venv"
		fi
		projects="$projects $dir/python/$project"
	done
	venv/bin/pip install -q pytest anyio >/dev/null 2>&1 || echo "pytest: skipped, it cannot be downloaded"
fi

if command -v npm >/dev/null; then
	for name in $(list npm); do
		project=$npm/${name%@*}
		if [ ! -d "$project" ]; then
			say "installing $name"
			if ! $install "$name"; then
				echo "$name: skipped, it cannot be downloaded"
				continue
			fi
		fi
		projects="$projects $project"
	done
else
	echo "npm: skipped, npm is not installed"
fi

if command -v cargo >/dev/null; then
	cd "$dir/rust"
	for name in $(list rust); do
		project=$(echo "$name" | sed 's/@/-/')
		if [ ! -d "$project" ]; then
			say "downloading $name"
			rm -rf fetch && mkdir -p fetch/src && : > fetch/src/lib.rs
			printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n%s = "=%s"\n' "${name%@*}" "${name#*@}" > fetch/Cargo.toml
			from=
			if (cd fetch && cargo fetch -q) >/dev/null 2>&1; then
				for each in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$project"; do
					[ -d "$each" ] && from=$each
				done
			fi
			if [ -z "$from" ]; then
				echo "$name: skipped, it cannot be downloaded"
				continue
			fi
			cp -r "$from" "$project"
		fi
		(cd "$project" && cargo fetch -q) >/dev/null 2>&1 || echo "$name: some of its dependencies cannot be downloaded"
		projects="$projects $dir/rust/$project"
	done
else
	echo "rust: skipped, cargo is not installed"
fi

# Swift packages with their dependencies in .build/checkouts, such as SwiftPM leaves them
if [ -n "${SWIFT_PROJECTS:-}" ]; then
	for project in "$SWIFT_PROJECTS"/*/; do
		[ -f "$project/Package.swift" ] && projects="$projects $project"
	done
else
	echo "swift: skipped, SWIFT_PROJECTS names no directory with packages"
fi

[ -n "$projects" ] || exit 0
say "compiling the measurement"
# shellcheck disable=SC2086
exec "$go" -C "$root" run ./test/check $flags $projects
