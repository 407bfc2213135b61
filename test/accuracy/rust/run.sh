#!/bin/sh
# Compares what Docent reads from the sources of the crates of crates.txt with
# what rustdoc says of them. Needs cargo and a network; keeps what rustdoc wrote
# below DOCENT_ACCURACY, by default .accuracy at the root of the repository.
#
#	test/accuracy/rust/run.sh            the crates of crates.txt
#	test/accuracy/rust/run.sh a b …      others, with their default features
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
dir=${DOCENT_ACCURACY:-$root/.accuracy}/rust
go=${GO:-go}
mkdir -p "$dir/docs"

# Build scripts must not see RUSTC_BOOTSTRAP: some probe for a nightly compiler.
cat > "$dir/rustdoc" <<'EOT'
#!/bin/sh
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
EOT
chmod +x "$dir/rustdoc"

# Crates that re-export from hidden modules: rustdoc's pages show these items, its JSON does not.
pages="itertools prost"

document() {
	name=$1 features=$2
	[ -s "$dir/docs/$name.json" ] && return
	mkdir -p "$dir/projects/$name/src"
	: > "$dir/projects/$name/src/lib.rs"
	list=$(printf %s "$features" | sed 's/[^,]*/"&"/g')
	cat > "$dir/projects/$name/Cargo.toml" <<EOT
[package]
name = "judge-$name"
version = "0.0.0"
edition = "2021"
[dependencies]
$name = { version = "*", features = [$list] }
[workspace]
EOT
	cd "$dir/projects/$name"
	target=$(rustc -vV | sed -n 's/^host: //p')
	cargo metadata --format-version 1 --filter-platform "$target" > "$dir/docs/$name.meta.json" 2> log || { echo "$name: cargo metadata fails, see $PWD/log"; return; }
	CARGO_TARGET_DIR=$dir/target RUSTDOC=$dir/rustdoc nice cargo rustdoc -j1 -q -p "$name" --lib -- \
		-Z unstable-options --output-format json --cap-lints allow >> log 2>&1 || { echo "$name: rustdoc fails, see $PWD/log"; return; }
	mv "$dir"/target/doc/*.json "$dir/docs/$name.json"
	case " $pages " in *" $name "*)
		CARGO_TARGET_DIR=$dir/target nice cargo rustdoc -j1 -q -p "$name" --lib -- --cap-lints allow >> log 2>&1
		(cd "$dir/target/doc" && find "$(echo "$name" | tr - _)" -name '*.html') > "$dir/docs/$name.pages"
	esac
}

only=
if [ $# -gt 0 ]; then
	for name in "$@"; do document "$name" "" < /dev/null; done
	only=$(echo "$*" | tr ' ' ,)
else
	grep -v '^#' "$here/crates.txt" | while read -r name features; do document "$name" "$features" < /dev/null; done
fi
cd "$root"
exec "$go" run ./test/accuracy/rust ${only:+-only "$only"} "$dir/docs"
