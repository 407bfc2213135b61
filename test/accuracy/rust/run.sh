#!/bin/sh
# Compares what Docent reads from the sources of the crates of crates.txt with
# what rustdoc says of them. Needs cargo and a network; keeps what rustdoc wrote
# below DOCENT_ACCURACY, by default .accuracy at the root of the repository.
#
#	test/accuracy/rust/run.sh            the crates of crates.txt, and the standard library
#	test/accuracy/rust/run.sh a b …      others, with their default features
#
# The standard library is judged by the rustdoc of its own release. RUST_SYSROOT is the
# directory of a toolchain with rust-src, by default that of rustc; where that has no
# sources, Debian's packages of one release are unpacked below DOCENT_ACCURACY.
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

# debian unpacks a toolchain and its sources without installing them.
debian() {
	command -v apt-get > /dev/null && command -v dpkg > /dev/null || return 0
	mkdir -p "$dir/debian"
	cd "$dir/debian"
	[ -x usr/bin/rustdoc ] || {
		std=$(apt-cache depends --no-recommends libstd-rust-web-dev 2> log | sed -n 's/.*Depends: \(libstd-rust-web-[0-9.]*\)$/\1/p' | head -1)
		[ -n "$std" ] || return 0
		llvm=$(apt-cache depends "$std" | sed -n 's/.*Depends: \(libllvm[0-9]*\)$/\1/p' | head -1)
		apt-get download rustc-web rust-web-src libstd-rust-web-dev "$std" "$llvm" > log 2>&1 || return 0
		for package in *.deb; do dpkg -x "$package" .; rm "$package"; done
	}
	echo "$dir/debian/usr"
}

# standard documents the crates of rust-src.
standard() {
	rm -f "$dir"/docs/*.library
	sysroot=${RUST_SYSROOT:-$(rustc --print sysroot)}
	[ -d "$sysroot/lib/rustlib/src/rust/library" ] || sysroot=$(debian)
	library=$sysroot/lib/rustlib/src/rust/library
	[ -n "$sysroot" ] && [ -d "$library" ] || { echo "std, core, alloc, proc_macro, test: skipped, there is no toolchain with rust-src"; return; }
	for name in core alloc std proc_macro test; do
		set --
		case $name in
		std) set -- --extern alloc --extern core --extern hashbrown --extern std_detect --extern unwind --extern panic_unwind --extern panic_abort --extern cfg_if \
			--extern libc --extern rustc_demangle --extern miniz_oxide --extern addr2line --extern object --cfg backtrace_in_libstd ;;
		proc_macro) set -- --extern rustc_literal_escaper ;;
		test) set -- --extern getopts --extern libc ;;
		esac
		cd "$library/$name"
		[ -s "$dir/docs/$name.json" ] || STD_ENV_ARCH=$(uname -m) RUSTC_BOOTSTRAP=1 LD_LIBRARY_PATH=$(echo "$sysroot"/lib/*-linux-gnu)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
			nice "$sysroot/bin/rustdoc" --crate-name "$name" src/lib.rs --edition 2024 -Z force-unstable-if-unmarked -Z unstable-options --output-format json \
			--cap-lints allow --out-dir "$dir/docs" "$@" > "$dir/$name.log" 2>&1 || { echo "$name: rustdoc fails, see $dir/$name.log"; continue; }
		echo "$library" > "$dir/docs/$name.library"
	done
}

only=
if [ $# -gt 0 ]; then
	for name in "$@"; do document "$name" "" < /dev/null; done
	only=$(echo "$*" | tr ' ' ,)
else
	grep -v '^#' "$here/crates.txt" | while read -r name features; do document "$name" "$features" < /dev/null; done
	standard
fi
cd "$root"
exec "$go" run ./test/accuracy/rust ${only:+-only "$only"} "$dir/docs"
