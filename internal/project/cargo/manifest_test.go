package cargo

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

func TestDependenciesOfAManifest(t *testing.T) {
	m, err := ParseManifest([]byte(`[package]
name = "my-app"
version = "1.2.3"
edition = "2021"
[lib]
name = "core"
crate-type = ["proc-macro"]
path = 'src\main_lib.rs'
[features]
full = ["dep:log", "serde?/rc"]
[dependencies]
log = { version = "0.4", optional = true }
serde = { version = "1", optional = true, default-features = false }
old = { package = "rand", version = "0.7" }
here = { path = "../here" }
[target.'cfg(unix)'.dev-dependencies]
libc = "0.2"
[build_dependencies]
cc = "1"
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Lib.Name != "core" || !m.Lib.ProcMacro || m.Lib.Path != "src/main_lib.rs" {
		t.Errorf("library %+v", m.Lib)
	}
	if got := m.FeatureNames(); !slices.Equal(got, []string{"full", "serde"}) {
		t.Errorf("features %q: an optional dependency is one unless dep: names it", got)
	}
	var got []string
	for _, d := range m.Dependencies {
		got = append(got, d.Name+"="+d.Package+" "+d.Target+" "+string('0'+rune(d.Kind)))
	}
	want := []string{"here=here  0", "log=log  0", "old=rand  0", "serde=serde  0", "cc=cc  2", "libc=libc cfg(unix) 1"}
	if !slices.Equal(got, want) {
		t.Errorf("dependencies %q, want %q", got, want)
	}
	if on := m.Enabled([]string{"full", "serde/derive", "unknown"}, true); !slices.Equal(on, []string{"full", "serde"}) {
		t.Errorf("enabled %q", on)
	}
}

// TestOptionalDependencies checks which features make a dependency part of a package.
func TestOptionalDependencies(t *testing.T) {
	m, err := ParseManifest([]byte(`
[package]
name = "a"
version = "1.0.0"
[features]
plain = ["dep:one"]
nested = ["two/std"]
weak = ["two?/std", "three?/one"]
[dependencies]
always = "1"
one = { version = "1", optional = true }
two = { version = "1", optional = true }
three = { package = "third", version = "1", optional = true }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for features, want := range map[string]string{
		"": "always", "plain": "always one", "nested": "always two", "weak": "always", "three": "always three", "gone": "always", "plain nested": "always one two",
	} {
		var got []string
		for i := range m.Dependencies {
			if d := &m.Dependencies[i]; m.Uses(d, strings.Fields(features)) {
				got = append(got, d.Name)
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("with %q: got %q, want %s", features, got, want)
		}
	}
}

func TestFaultyManifests(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[dependencies]\na = 1\n", "neither a version nor a table"},
		{"[dependencies]\na.workspace = true\n", "inherited, but the workspace has no dependency of that name"},
		{"= 1", "not valid TOML"},
	} {
		if _, err := ParseManifest([]byte(tt.text), nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestMembersOfAWorkspace(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"Cargo.toml":                  "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/out\"]\n[workspace.package]\nversion = \"0.3.0\"\nedition = \"2021\"\n[workspace.dependencies]\nlog = { version = \"0.4\", default-features = false, features = [\"std\"] }\nshared = { path = \"shared\" }\n",
		"crates/one/Cargo.toml":       "[package]\nname = \"one\"\nversion.workspace = true\nedition.workspace = true\n[dependencies]\nlog = { workspace = true, features = [\"kv\"] }\nshared.workspace = true\n",
		"crates/one/src/lib.rs":       "",
		"crates/out/Cargo.toml":       "[package]\nname = \"out\"\nversion = \"1.0.0\"\n",
		"shared/Cargo.toml":           "[package]\nname = \"shared\"\nversion = \"0.1.0\"\n",
		"crates/not-a-crate/file.txt": "",
	})
	p, err := Find(filepath.Join(dir, "crates", "one", "src"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Root != dir || p.Member == nil || p.Member.Manifest.Name != "one" || p.Member.Manifest.Version != "0.3.0" || p.Member.Manifest.Edition != "2021" {
		t.Fatalf("root %s, member %+v", p.Root, p.Member)
	}
	var names []string
	for _, m := range p.Members {
		names = append(names, m.Manifest.Name)
	}
	if !slices.Equal(names, []string{"one", "shared"}) {
		t.Errorf("members %q", names)
	}
	log := p.Member.Manifest.Dependencies[0]
	if !log.Inherited || log.Default || !slices.Equal(log.Features, []string{"std", "kv"}) || log.Requirement != "0.4" {
		t.Errorf("inherited dependency %+v", log)
	}
	if got := p.PathOf(p.Member, &p.Member.Manifest.Dependencies[1]); got != filepath.Join(dir, "shared") {
		t.Errorf("the inherited path leads to %s", got)
	}
	if p.Resolver() != 1 {
		t.Errorf("resolver %d of a workspace without a package", p.Resolver())
	}
	if !p.Current() {
		t.Error("the project has changed without a change")
	}
	filetest.Write(t, dir, map[string]string{"Cargo.lock": "version = 4\n"})
	if p.Current() {
		t.Error("a new Cargo.lock changes nothing")
	}
	out, err := Find(filepath.Join(dir, "crates", "out"))
	if err != nil || out.Root != filepath.Join(dir, "crates", "out") {
		t.Errorf("the root of an excluded package is %v, %v", out, err)
	}
	if _, err := Find(string(filepath.Separator)); err != project.ErrNone { //nolint:errorlint // it is returned as it is
		t.Errorf("got %v, want no project", err)
	}
}

func TestMembersThatAreLeftOut(t *testing.T) {
	pkg := func(name, more string) string { return "[package]\nname = \"" + name + "\"\n" + more }
	dir := filetest.Dir(t, map[string]string{
		"root/Cargo.toml":           "[workspace]\nmembers = [\"a\"]\nexclude = [\"a/below\", \"b\"]\n",
		"root/a/Cargo.toml":         pkg("a", "[dependencies]\nbelow = { path = \"below\" }\nb = { path = \"../b\" }\noutside = { path = \"../../outside\" }\nother = { path = \"../../other\" }\n"),
		"root/a/below/Cargo.toml":   pkg("below", ""),
		"root/b/Cargo.toml":         pkg("b", ""),
		"root/a/unnamed/Cargo.toml": pkg("unnamed", ""),
		"outside/Cargo.toml":        pkg("outside", "workspace = \"../root\"\n"),
		"other/Cargo.toml":          pkg("other", ""),
	})
	p, err := Find(filepath.Join(dir, "root", "a"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range p.Members {
		names = append(names, m.Manifest.Name)
	}
	// As with cargo, a package below a listed member is included even if it is in the list of
	// exclusions.
	if want := []string{"outside", "a", "below"}; !slices.Equal(names, want) {
		t.Errorf("members %q, want %q", names, want)
	}
}

func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		triple, cfg string
		want        bool
	}{
		{"x86_64-unknown-linux-gnu", "cfg(unix)", true},
		{"x86_64-unknown-linux-gnu", "cfg(windows)", false},
		{"x86_64-pc-windows-msvc", `cfg(all(windows, target_env = "msvc"))`, true},
		{"aarch64-apple-darwin", `cfg(any(target_os = "macos", target_os = "ios"))`, true},
		{"aarch64-apple-darwin", `cfg(target_vendor = "apple")`, true},
		{"wasm32-unknown-unknown", `cfg(target_family = "wasm")`, true},
		{"wasm32-unknown-unknown", `cfg(not(target_arch = "wasm32"))`, false},
		{"i686-pc-windows-gnu", `cfg(target_pointer_width = "32")`, true},
		{"x86_64-unknown-linux-musl", `cfg(target_env = "gnu")`, false},
		{"x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu", true},
		{"x86_64-unknown-linux-gnu", "cfg(", false},
		{"x86_64-unknown-linux-gnu", "cfg(all())", true},
		{"x86_64-unknown-linux-gnu", `cfg(not(any()))`, true},
		{"x86_64-unknown-linux-gnu", "cfg(" + strings.Repeat("not(", 100) + "unix" + strings.Repeat(")", 101), false},
	} {
		if got := NewTarget(tt.triple).Matches(tt.cfg); got != tt.want {
			t.Errorf("%s on %s: %v", tt.cfg, tt.triple, got)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte("[package]\nname = \"a\"\n[dependencies]\nb = { workspace = true }\n[workspace.dependencies]\nb = \"1\"\n"))
	f.Add([]byte("[features]\ndefault = [\"a/b\", \"dep:c\", \"d?/e\"]\n[target.'cfg(unix)'.dependencies]\nc = { version = \"1\", optional = true }\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		m, err := ParseManifest(data, nil)
		if err != nil {
			return
		}
		m.Enabled([]string{"default"}, true)
		for _, d := range m.Dependencies {
			NewTarget("x86_64-unknown-linux-gnu").Matches(d.Target)
		}
	})
}

func TestDependencyNames(t *testing.T) {
	got, err := DependencyNames([]byte("[dependencies]\na-b = \"1\"\nrenamed = { package = \"c\", version = \"1\" }\nd.workspace = true\n[dev-dependencies]\ne = { path = \"../e\" }\n[target.'cfg(unix)'.build-dependencies]\nf = \"1\"\n[workspace.dependencies]\ng = \"1\"\n"))
	if want := []string{"a_b", "d", "e", "f", "g"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if _, err := DependencyNames([]byte("[")); err == nil {
		t.Error("text that is no TOML passes")
	}
}
