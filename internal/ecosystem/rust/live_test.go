package rust

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/project/cargo"
)

// liveProjects are projects by their files; cargo says what they use.
var liveProjects = map[string]map[string]string{
	"a program": {
		"Cargo.toml": `[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = "1"
tokio = { version = "1", features = ["rt-multi-thread", "macros", "sync"] }
clap = { version = "4", features = ["derive"] }
`, "src/main.rs": "fn main() {}\n",
	},
	"resolver 1 with build and development dependencies": {
		"Cargo.toml": `[package]
name = "old"
version = "0.1.0"
edition = "2018"
[features]
default = ["extra"]
extra = ["dep:log", "serde?/rc"]
[dependencies]
log = { version = "0.4", optional = true }
serde = { version = "1", optional = true }
rand = { version = "0.8", default-features = false }
[target.'cfg(windows)'.dependencies]
libc = { version = "0.2", default-features = false, features = ["extra_traits"] }
[target.'cfg(unix)'.dependencies]
libc = { version = "0.2" }
[build-dependencies]
rand = { version = "0.8", features = ["small_rng"] }
[dev-dependencies]
serde = { version = "1", features = ["derive"] }
`, "src/lib.rs": "", "build.rs": "fn main() {}\n",
	},
	"a workspace whose members differ": {
		"Cargo.toml": `[workspace]
resolver = "2"
members = ["crates/*"]
exclude = ["crates/skipped"]
[workspace.package]
version = "0.3.0"
edition = "2021"
[workspace.dependencies]
serde = { version = "1", default-features = false }
tokio = { version = "1", features = ["sync"] }
`,
		"crates/one/Cargo.toml": `[package]
name = "one"
version.workspace = true
edition.workspace = true
[dependencies]
serde = { workspace = true, features = ["alloc"] }
two = { path = "../two", package = "two-lib" }
rand = "0.8"
`, "crates/one/src/lib.rs": "",
		"crates/two/Cargo.toml": `[package]
name = "two-lib"
version = { workspace = true }
edition = { workspace = true }
[features]
default = ["net"]
net = ["tokio/net"]
[dependencies]
tokio.workspace = true
rand = "0.9"
[build-dependencies]
serde = { version = "1", features = ["derive"] }
`, "crates/two/src/lib.rs": "", "crates/two/build.rs": "fn main() {}\n",
		"crates/skipped/Cargo.toml": "[package]\nname = \"skipped\"\nversion = \"1.0.0\"\n[workspace]\n",
	},
	"a procedural macro and its user": {
		"Cargo.toml": `[package]
name = "user"
version = "0.1.0"
edition = "2024"
[workspace]
members = ["derive"]
[dependencies]
derive = { path = "derive", features = ["more"] }
syn = { version = "2", default-features = false, features = ["parsing"] }
`, "src/lib.rs": "",
		"derive/Cargo.toml": `[package]
name = "derive"
version = "0.1.0"
edition = "2024"
[lib]
proc-macro = true
[features]
more = ["syn/full"]
[dependencies]
syn = "2"
quote = "1"
`, "derive/src/lib.rs": "",
	},
	"renamed packages and several versions": {
		"Cargo.toml": `[package]
name = "several"
version = "0.1.0"
edition = "2021"
[dependencies]
rand_old = { package = "rand", version = "0.7" }
rand = { version = "0.8", features = ["small_rng"] }
bitflags1 = { package = "bitflags", version = "1" }
bitflags = "2"
regex = { version = "1", default-features = false, features = ["std", "unicode-perl"] }
`, "src/lib.rs": "",
	},
}

func TestCargoAgreesOnVersionsAndFeatures(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("wants cargo and a registry: run make test-live")
	}
	program, err := exec.LookPath("cargo")
	if err != nil {
		t.Skip("cargo is not installed, which judges the result")
	}
	for name, files := range liveProjects {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, files)
			tree := exec.CommandContext(t.Context(), program, "tree", "--workspace", "-e", "normal,build,dev", "--prefix", "none", "--no-dedupe", "-f", "{p}|{f}")
			tree.Dir = dir
			out, err := tree.Output()
			if err != nil {
				t.Fatalf("cargo tree: %v", err)
			}
			want := map[string]map[string]bool{}
			for line := range strings.Lines(string(out)) {
				left, features, ok := strings.Cut(strings.TrimSpace(line), "|")
				if !ok {
					continue
				}
				words := strings.Fields(left)
				key := words[0] + " " + strings.TrimPrefix(words[1], "v")
				list := slices.Sorted(slices.Values(strings.FieldsFunc(features, func(r rune) bool { return r == ',' })))
				if want[key] == nil {
					want[key] = map[string]bool{}
				}
				want[key][strings.Join(list, ",")] = true
			}
			f, err := New(Options{}).newFinder(question{project: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer f.close()
			features := f.resolve()
			got := map[string]map[string]bool{}
			for i, p := range f.project.Lock.Packages {
				for _, host := range []bool{false, true} {
					if m := f.manifestOf(i); m != nil && m.Lib.ProcMacro && !host && f.project.Resolver() > 1 {
						continue // compiled for the host alone
					}
					if on, ok := features.Of(cargo.Unit{Package: i, Host: host}); ok {
						key := p.Name + " " + p.Version
						if got[key] == nil {
							got[key] = map[string]bool{}
						}
						got[key][strings.Join(on, ",")] = true
					}
				}
			}
			for key := range want {
				if !maps.Equal(got[key], want[key]) {
					t.Errorf("%s: features %q, cargo says %q", key, slices.Sorted(maps.Keys(got[key])), slices.Sorted(maps.Keys(want[key])))
				}
			}
			for key := range got {
				// With resolver 1 cargo counts what other targets use, and does not show it.
				if want[key] == nil && f.project.Resolver() > 1 {
					t.Errorf("%s is used, cargo says that it is not", key)
				}
			}
			if len(features.Unknown) > 0 {
				t.Errorf("the manifests of %d packages are unknown", len(features.Unknown))
			}
			t.Logf("%d packages", len(want))
		})
	}
}

// write makes the files of a project.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
