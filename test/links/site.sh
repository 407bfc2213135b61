#!/bin/sh
# Writes a static site of 30 packages, six of each of five languages, with docent web --export, and
# follows all of its links. Needs a network, and npm, Python 3, pip and cargo; installs below
# DOCENT_ACCURACY, by default .accuracy at the root of the repository.
#
#	test/links/site.sh           prints the number of packages, pages, links and broken links
#	LINKS='-v 20' …              options of the program: see main.go
#
# The Swift packages are copied from SWIFT_CHECKOUTS. Without it, the site has 24 packages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}/site
go=${GO:-go}
modules='github.com/google/uuid github.com/microcosm-cc/bluemonday github.com/spf13/cobra github.com/yuin/goldmark golang.org/x/mod golang.org/x/sync'
npm_packages='axios express koa immer pino winston'
python_packages='attrs click flask httpx jinja2 requests'
crates='anyhow base64 bytes either semver uuid'
swift_packages='swift-argument-parser swift-collections swift-http-types swift-log swift-numerics Yams'
mkdir -p "$dir/src"
cd "$dir"

cat > main.go <<'EOT'
// Command site requires packages.
package main

import (
	_ "github.com/google/uuid"
	_ "github.com/microcosm-cc/bluemonday"
	_ "github.com/spf13/cobra"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/mod/modfile"
	_ "golang.org/x/sync/errgroup"
)

func main() {}
EOT
[ -f go.mod ] || { printf 'module example.com/site\n\ngo 1.26\n' > go.mod; "$go" mod tidy; }

[ -d node_modules ] || {
	echo '{"name": "site", "private": true}' > package.json
	npm install --ignore-scripts --no-audit --no-fund --loglevel=error $npm_packages
}

[ -f pyproject.toml ] || {
	"${PYTHON:-python3}" -m venv .venv
	.venv/bin/python -m pip install -q --disable-pip-version-check $python_packages
	printf '[project]\nname = "site"\nversion = "0"\ndependencies = [\n' > pyproject.toml
	for name in $python_packages; do echo "  \"$name\"," >> pyproject.toml; done
	echo ']' >> pyproject.toml
}

[ -f Cargo.lock ] || {
	: > src/lib.rs
	printf '[package]\nname = "site"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n' > Cargo.toml
	for name in $crates; do echo "$name = \"*\"" >> Cargo.toml; done
	cargo fetch -q
}

if [ -n "${SWIFT_CHECKOUTS:-}" ]; then
	mkdir -p checkouts Sources/Site
	echo 'public struct Site {}' > Sources/Site/Site.swift
	{
		printf '// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(\n  name: "Site",\n  products: [.library(name: "Site", targets: ["Site"])],\n  dependencies: [\n'
		for name in $swift_packages; do
			[ -d "checkouts/$name" ] || cp -RL "$SWIFT_CHECKOUTS/$name" checkouts/
			printf '    .package(path: "checkouts/%s"),\n' "$name"
		done
		printf '  ],\n  targets: [.target(name: "Site")]\n)\n'
	} > Package.swift
else
	echo 'swift: skipped; SWIFT_CHECKOUTS names no folder'
	swift_packages=
fi

{
	for name in $modules; do echo "go $name"; done
	for name in $npm_packages; do echo "npm $name"; done
	for name in $python_packages; do echo "python $name"; done
	for name in $crates; do echo "rust $name"; done
	for name in $swift_packages; do echo "swift $name"; done | sed 's/swift-argument-parser/ArgumentParser/' # the page of its only library
} > packages.txt

cd "$root"
exec "$go" run ./test/links -site ${LINKS:-} "$dir"
