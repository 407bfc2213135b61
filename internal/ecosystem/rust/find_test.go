package rust

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/naming"
)

const lockedSource = "registry+https://github.com/rust-lang/an-index"

// lockOf returns a Cargo.lock that contains app and its dependencies, each given as "name version".
func lockOf(deps ...string) string {
	var b strings.Builder
	b.WriteString("version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [")
	for _, d := range deps {
		b.WriteString("\"" + d + "\", ")
	}
	b.WriteString("]\n")
	for _, d := range deps {
		name, version, _ := strings.Cut(d, " ")
		b.WriteString("[[package]]\nname = \"" + name + "\"\nversion = \"" + version + "\"\nsource = \"" + lockedSource + "\"\n")
	}
	return b.String()
}

func TestTheVersionAndFeaturesOfAProject(t *testing.T) {
	w := newWorld(t)
	w.vendor("my-crate", "1.1.0", "[features]\ndefault = [\"std\"]\nstd = []\nextra = []\n", map[string]string{
		"src/lib.rs": "//! Version one.\n/// Is extra.\n#[cfg(feature = \"extra\")]\npub fn extra() {}\n/// Is std.\n#[cfg(feature = \"std\")]\npub fn std() {}\n", "README.md": "# my-crate\n\n## Use\n\nUse it with care.\n",
	})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nrenamed = { package = \"my-crate\", version = \"1\", default-features = false, features = [\"extra\"] }\n",
		"Cargo.lock": lockOf("my-crate 1.1.0"), "src/lib.rs": "//! The app.\npub mod inner { pub struct Of; }\n",
	})
	rs := w.rust()
	for _, name := range []string{"my-crate", "my_crate", "renamed"} {
		p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: name, ProjectDir: w.project}, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p.Version != "1.1.0" || p.Provenance.Source != "vendor" || p.Provenance.ChosenBy != "Cargo.lock of app" {
			t.Errorf("%s: %s, %+v", name, p.Version, p.Provenance)
		}
		if !slices.Contains(p.Options, "Enabled features (by the project): extra. Disabled: std.") {
			t.Errorf("%s: advice %q", name, p.Options)
		}
		if len(p.Symbols) != 2 && (len(p.Symbols) != 1 || p.Symbols[0].Path != "extra") {
			t.Errorf("%s: symbols %+v", name, p.Symbols)
		}
		if len(p.Sections) == 0 {
			t.Errorf("%s: no README", name)
		}
	}
	for request, want := range map[string]string{
		"std": "extra std|Enabled features (by the project and by request): extra, std.",
		"all": "extra std|Enabled features (by the project and by request): default, extra, std.",
	} {
		p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "my-crate", ProjectDir: w.project, Features: request}, nil)
		if err != nil {
			t.Fatalf("with %s: %v", request, err)
		}
		got := ""
		for _, s := range p.Symbols {
			got += " " + s.Path
		}
		if extra, std := naming.Exact(p, "extra").Constraint, naming.Exact(p, "std").Constraint; extra != `feature = "extra" (on)` || std != `feature = "std" (requested)` {
			t.Errorf("with %s: the conditions are %s and %s", request, extra, std)
		}
		const off = "You requested the feature std of my-crate, but it is disabled in app: to use it, enable it in Cargo.toml."
		if slices.Contains(p.Advice, off) != (request == "std") {
			t.Errorf("with %s: advice %q", request, p.Advice)
		}
		if got = strings.TrimSpace(got) + "|" + strings.Join(p.Options, " "); got != want {
			t.Errorf("with %s: got %q, want %q", request, got, want)
		}
	}
	_, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "my-crate", ProjectDir: w.project, Features: "std,gone"}, nil)
	if err == nil || !strings.Contains(err.Error(), `my-crate 1.1.0 has no feature "gone"; its features are default, extra, std`) {
		t.Errorf("a feature that there is not: %v", err)
	}
	p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "app::inner", ProjectDir: w.project}, nil)
	if err != nil || p.Name != "app::inner" || p.Version != "" || len(p.Symbols) != 1 {
		t.Errorf("the project itself: %+v, %v", p, err)
	}
	if _, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "app::absent", ProjectDir: w.project}, nil); err == nil || !strings.Contains(err.Error(), "no public module absent") {
		t.Errorf("a module that is not there: %v", err)
	}
	if names := rs.Names(w.project, "my", 10); !slices.Equal(names, []string{"my-crate"}) {
		t.Errorf("names %q", names)
	}
	deps, err := rs.Dependencies(w.project)
	if err != nil || len(deps) != 1 || deps[0] != (ecosystem.Dependency{Package: "my_crate", Version: "1.1.0", Direct: true, Imported: true, Installed: true}) {
		t.Errorf("dependencies %+v, %v", deps, err)
	}
	if len(w.requests) > 0 {
		t.Errorf("the registry was asked: %q", w.requests)
	}
}

func TestSeveralVersionsOfACrate(t *testing.T) {
	w := newWorld(t)
	w.publish("a", "1.0.0", "", nil)
	w.publish("a", "2.0.0", "", nil)
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\na = \"1\"\n",
		"Cargo.lock": "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"a 1.0.0\"]\n" +
			"[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\nsource = \"" + lockedSource + "\"\n",
		"src/lib.rs": "",
	})
	p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "a", ProjectDir: w.project}, nil)
	if err != nil || p.Version != "1.0.0" || !slices.ContainsFunc(p.Advice, func(s string) bool { return strings.Contains(s, "The others are: 2.0.0") }) {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestLockFile_SourcesAreNamed(t *testing.T) {
	w := newWorld(t)
	for source, want := range map[string]string{
		"registry+":                        `line 8: the source "registry+" of a is malformed`,
		"registry+https://h.example/index": "the index of the registry https://h.example/index is a git repository",
	} {
		filetest.Write(t, w.project, map[string]string{
			"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\na = \"1\"\n",
			"Cargo.lock": "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"a\"]\n[[package]]\nname = \"a\"\nsource = \"" + source + "\"\nversion = \"1.0.0\"\n",
			"src/lib.rs": "",
		})
		_, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "a", ProjectDir: w.project}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Cargo.lock") && source == "registry+" {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
}

func TestTheVersionForTheTarget(t *testing.T) {
	w := newWorld(t)
	w.publish("a", "1.0.0", "", nil)
	w.publish("a", "2.0.0", "", nil)
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[target.'cfg(windows)'.dependencies]\na = \"2\"\n[target.'cfg(unix)'.dependencies]\na = \"1\"\n",
		"Cargo.lock": "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"a 1.0.0\", \"a 2.0.0\"]\n" +
			"[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\nsource = \"" + lockedSource + "\"\n",
		"src/lib.rs": "",
	})
	for target, want := range map[string]string{"x86_64-unknown-linux-gnu": "1.0.0", "x86_64-pc-windows-msvc": "2.0.0"} {
		p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "a", ProjectDir: w.project, Platform: target}, nil)
		if err != nil || p.Version != want {
			t.Errorf("on %s: got %+v, %v, want %s", target, p, err, want)
		}
	}
}

func TestAPatchInTheConfiguration(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		".cargo/config.toml": "[patch.crates-io]\na = { path = \"forks/a\" }\n",
		"Cargo.toml":         "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\na = \"1\"\n",
		"Cargo.lock":         "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"a\"]\n[[package]]\nname = \"a\"\nversion = \"1.2.0\"\n",
		"src/lib.rs":         "", "forks/a/Cargo.toml": "[package]\nname = \"a\"\nversion = \"1.2.0\"\nedition = \"2021\"\n", "forks/a/src/lib.rs": "/// Is mine.\npub fn mine() {}\n",
	})
	p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "a", ProjectDir: w.project}, nil)
	if err != nil || len(p.Symbols) != 1 || p.Symbols[0].Path != "mine" || p.Provenance.Source != "path dependency" {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestStandardLibrary(t *testing.T) {
	w := newWorld(t)
	rustup := t.TempDir()
	w.env = append(w.env, "RUSTUP_HOME="+rustup)
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n", "src/lib.rs": "", "rust-toolchain.toml": "[toolchain]\nchannel = \"1.90.0\"\n"})
	toolchain := "toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/"
	filetest.Write(t, rustup, map[string]string{toolchain + "multirust-channel-manifest.toml": "[pkg.cargo]\nversion = \"0.1\"\n[pkg.rust]\nversion = \"1.90.0 (abc 2026-01-01)\"\n"})
	ask := ecosystem.Query{Package: "std::thing", ProjectDir: w.project}
	if e := w.failure(ask); e.Reason != ecosystem.NotFound || !strings.Contains(e.Next, "rustup component add rust-src --toolchain 1.90.0") {
		t.Errorf("without rust-src: %v", e)
	}
	for _, name := range []string{"std", "core", "alloc"} {
		filetest.Write(t, rustup, map[string]string{
			toolchain + "src/rust/library/" + name + "/Cargo.toml": "[package]\nname = \"" + name + "\"\nversion = \"0.0.0\"\nedition = \"2024\"\n",
			toolchain + "src/rust/library/" + name + "/src/lib.rs": "//! The crate " + name + ".\npub mod thing { /// Does it.\npub fn act() {} }\n",
		})
	}
	filetest.Write(t, rustup, map[string]string{
		toolchain + "src/rust/library/core/src/lib.rs":   "#[path = \"../../simd/src/mod.rs\"]\npub mod simd;\n#[path = \"../../../outside.rs\"]\npub mod outside;\n",
		toolchain + "src/rust/library/simd/src/mod.rs":   "pub mod lanes;\n",
		toolchain + "src/rust/library/simd/src/lanes.rs": "pub struct Lane;\n",
		toolchain + "src/rust/outside.rs":                "pub struct Outside;\n",
	})
	p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "core::simd::lanes", ProjectDir: w.project}, nil)
	if err != nil || len(p.Symbols) != 1 || p.Symbols[0].Path != "Lane" {
		t.Errorf("a module in a directory beside core: %+v, %v", p, err)
	}
	if p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "core::outside", ProjectDir: w.project}, nil); err == nil && len(p.Symbols) > 0 {
		t.Errorf("a module outside of the library is read: %+v", p.Symbols)
	}
	p, err = ecosystem.Describe(t.Context(), w.rust(), ask, nil)
	if err != nil || p.Version != "1.90.0" || p.Name != "std::thing" || p.Module != "std" || len(p.Symbols) != 1 || p.Provenance.Source != "rust-src" {
		t.Errorf("got %+v, %v", p, err)
	}
}

// TestFeaturesOfAnotherVersion reads a version that the project does not use. Of the features that
// the project enables, those that the version has must be on.
func TestFeaturesOfAnotherVersion(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nkiln = { version = \"1\", default-features = false, features = [\"extra\", \"old\"] }\n",
		"Cargo.lock": lockOf("kiln 1.0.0"), "src/lib.rs": "",
	})
	for version, features := range map[string]string{"1.0.0": "extra = []\nold = []", "2.0.0": "extra = []\nnew = []"} {
		w.publish("kiln", version, "", map[string]string{
			"Cargo.toml": "[package]\nname = \"kiln\"\nversion = \"" + version + "\"\nedition = \"2021\"\n[features]\ndefault = [\"std\"]\nstd = []\n" + features + "\n",
			"src/lib.rs": "#[cfg(feature = \"extra\")]\npub fn extra() {}\n#[cfg(feature = \"std\")]\npub fn std() {}\n#[cfg(feature = \"new\")]\npub fn new() {}\n",
		})
	}
	p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "kiln", Version: "2.0.0", ProjectDir: w.project}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Symbols) != 1 || p.Symbols[0].Path != "extra" || !slices.Contains(p.Options, "Enabled features (as in version 1.0.0, which the project uses): extra. Disabled: new, std.") {
		t.Errorf("symbols %+v, options %q", p.Symbols, p.Options)
	}
}

// TestACrateThatTheProjectDoesNotUse checks that a crate's dependencies are followed in the
// registry, except optional ones that are off.
func TestACrateThatTheProjectDoesNotUse(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n", "Cargo.lock": lockOf(), "src/lib.rs": ""})
	w.publish("inner", "1.0.0", "", nil)
	w.publish("spare", "1.0.0", "", nil)
	w.publish("outer", "1.0.0", "", map[string]string{
		"Cargo.toml": "[package]\nname = \"outer\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[features]\nmore = [\"dep:spare\"]\n[dependencies]\ninner = \"1\"\nspare = { version = \"1\", optional = true }\n",
		"src/lib.rs": "pub use inner::one;\n#[cfg(feature = \"more\")]\npub use spare::one as other;\n",
	})
	for features, want := range map[string]string{"": "one from inner", "more": "one from inner other from spare"} {
		w.requests = nil
		p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "outer", ProjectDir: w.project, Features: features}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range p.Symbols {
			got = append(got, s.Path+" from "+s.From)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("with %q: got %q, want %s", features, got, want)
		}
		if requested := slices.ContainsFunc(w.requests, func(path string) bool { return strings.Contains(path, "spare") }); requested != (features != "") {
			t.Errorf("with %q the registry was asked %q", features, w.requests)
		}
		if p.Provenance.ChosenBy != "newest release; app does not use it" || !p.Provenance.Unused || len(p.Advice) > 0 {
			t.Errorf("with %q it is chosen by %q; advice %q", features, p.Provenance.ChosenBy, p.Advice)
		}
	}
}
