#!/bin/sh
# Compares the links in declarations, on the pages of docent web, with what the tools of each
# language say. Needs a network, and for each language its own tools: Node.js and npm, Python 3 and pip, cargo and rustdoc. Installs below DOCENT_ACCURACY,
# by default .accuracy at the root of the repository. Languages whose tools are missing are named
# and skipped.
#
#	test/links/run.sh            all languages
#	LINKS='-v 20 -only npm' …    options of the program: see main.go
#
# Swift packages are those in SWIFT_CHECKOUTS of which SWIFT_TRUTH has what the compiler says.
# For links to Rust's standard library, the toolchain needs its sources (rust-src).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}/links
go=${GO:-go}
npm_packages='express axios fastify zod hono koa winston pino immer rxjs @tanstack/query-core'
python_packages='httpx flask werkzeug click requests rich pydantic attr jinja2 aiohttp starlette fastapi'
crates='anyhow base64 bytes clap either http indexmap log regex semver serde_json smallvec url uuid'
swift_packages='constructs swift-log swift-argument-parser swift-collections Yams'
mkdir -p "$dir"
cd "$dir"
: > judge.part
has() { command -v "$1" > /dev/null; }

cat > main.go <<'EOT'
// Command links requires packages.
package main

import (
	_ "github.com/microcosm-cc/bluemonday"
	_ "github.com/spf13/cobra"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/mod/modfile"
	_ "golang.org/x/net/html"
)

func main() {}
EOT
[ -f go.mod ] || { printf 'module example.com/links\n\ngo 1.26\n' > go.mod; "$go" mod tidy; }

if has npm; then
	[ -d node_modules/typescript ] || {
		echo '{"name": "links", "private": true}' > package.json
		npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error typescript@5 @types/node @types/express @types/koa $npm_packages
	}
	node "$here/npm.mjs" . $npm_packages >> judge.part
else
	echo 'npm: skipped, there is no npm'
fi

if has "${PYTHON:-python3}"; then
	[ -x .venv/bin/python ] || {
		"${PYTHON:-python3}" -m venv .venv
		.venv/bin/python -m pip install -q --disable-pip-version-check griffe typing_extensions $(echo "$python_packages" | sed 's/\battr\b/attrs/')
	}
	.venv/bin/python "$here/python.py" "$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" $python_packages >> judge.part
else
	echo 'python: skipped, there is no Python'
fi
mv judge.part judge.jsonl

if has cargo && has rustdoc; then
	mkdir -p src rustdoc
	: > src/lib.rs
	[ -f Cargo.lock ] || {
		printf '[package]\nname = "links"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n' > Cargo.toml
		for name in $crates; do echo "$name = \"*\"" >> Cargo.toml; done
		cargo generate-lockfile
	}
	# Build scripts must not see RUSTC_BOOTSTRAP: some probe for a nightly compiler.
	printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' > rustdoc.sh
	chmod +x rustdoc.sh
	for name in $crates clap_builder; do
		[ -s "rustdoc/$name.json" ] && continue
		if CARGO_TARGET_DIR=$dir/target RUSTDOC=$dir/rustdoc.sh nice cargo rustdoc -j1 -q -p "$name" --lib -- -Z unstable-options --output-format json --cap-lints allow; then
			mv "target/doc/$name.json" rustdoc/
		else
			echo "$name: rustdoc fails"
		fi
	done
else
	echo 'rust: skipped, there is no cargo'
fi

if [ -n "${SWIFT_TRUTH:-}" ] && [ -n "${SWIFT_CHECKOUTS:-}" ]; then
	mkdir -p checkouts Sources/Links
	echo 'public struct Links {}' > Sources/Links/Links.swift
	{
		printf '// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(\n  name: "Links",\n  products: [.library(name: "Links", targets: ["Links"])],\n  dependencies: [\n'
		for name in $swift_packages; do
			from=$SWIFT_CHECKOUTS/$name
			[ -d "$from" ] || from=$SWIFT_TRUTH/$name
			[ -d "$from" ] || continue
			[ -d "checkouts/$name" ] || cp -R "$from" checkouts/
			printf '    .package(path: "checkouts/%s"),\n' "$name"
		done
		printf '  ],\n  targets: [.target(name: "Links")]\n)\n'
	} > Package.swift
else
	echo 'swift: skipped; SWIFT_TRUTH and SWIFT_CHECKOUTS name no folders'
fi

cd "$root"
exec "$go" run ./test/links ${LINKS:-} "$dir"
