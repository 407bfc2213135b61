package swift

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

const (
	kite = "https://host.example/mona/swift-kite.git"
	tree = "https://host.example/mona/tree"
)

// withCheckouts creates a project for which two packages have been fetched.
func withCheckouts(t *testing.T) *world {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":               fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite")`),
		"Package.resolved":            resolved(pin("swift-kite", kite, "1.4.2", commitA), pin("tree", tree, "2.0.0", commitB)),
		".build/workspace-state.json": state(fetched("swift-kite", kite, "1.4.2", commitA), fetched("tree", tree, "2.0.0", commitB)),
		"Sources/App/main.swift":      "print(1)\n",
	})
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), library("swift-kite", "KiteCore", "KiteTail"))
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/tree"), library("Tree", "Tree"))
	return w
}

func TestCheckouts_WithoutPinsAreRead(t *testing.T) {
	for _, manifest := range []string{fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite")`), fmt.Sprintf(app, "", "")} {
		w := newWorld(t)
		filetest.Write(t, w.project, map[string]string{"Package.swift": manifest, "Sources/App/main.swift": "print(1)\n"})
		filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), library("swift-kite", "KiteCore", "KiteTail"))
		for name, module := range map[string]string{
			"swift-kite": "KiteCore", "KiteCore": "KiteCore", "KiteTail": "KiteTail", "mona/swift-kite": "KiteCore", kite: "KiteCore", "swift-kite/KiteTail": "KiteTail",
		} {
			p, err := w.describe(name, "")
			has(t, p, err, module)
			if p.Provenance.Source != "checkout" || !advised(p, "swift-kite is not pinned") || !advised(p, ".build/checkouts/swift-kite") {
				t.Errorf("%s: %+v, %q", name, p.Provenance, p.Advice)
			}
		}
		all, err := w.swift().Dependencies(w.project)
		if err != nil || !slices.ContainsFunc(all, func(d ecosystem.Dependency) bool { return strings.HasPrefix(d.Package, "swift-kite") && d.Installed }) {
			t.Errorf("dependencies %+v, %v", all, err)
		}
		if len(w.requests) > 0 {
			t.Errorf("the network was asked: %q", w.requests)
		}
	}
}

func TestAPackageOfTheProject(t *testing.T) {
	w := withCheckouts(t)
	for name, module := range map[string]string{
		"swift-kite": "KiteCore", "Swift-Kite": "KiteCore", "mona/swift-kite": "KiteCore", "https://host.example/mona/swift-kite": "KiteCore", "git@host.example:mona/swift-kite.git": "KiteCore",
		"host.example/mona/swift-kite": "KiteCore", "KiteCore": "KiteCore", "KiteTail": "KiteTail", "swift-kite/KiteTail": "KiteTail", "mona/swift-kite/KiteTail": "KiteTail", "Tree": "Tree", "tree": "Tree",
		"swift-kite@1.4.2": "KiteCore", "swift-kite@1": "KiteCore",
	} {
		p, err := w.describe(name, "")
		has(t, p, err, module)
		want := "1.4.2"
		if module == "Tree" {
			want = "2.0.0"
		}
		if p.Version != want || p.Provenance.Source != "checkout" || p.Provenance.ChosenBy != "Package.resolved of "+filepath.Base(w.project) {
			t.Errorf("%s: %s, %+v", name, p.Version, p.Provenance)
		}
		if direct := !advised(p, "depends on tree only through other packages"); direct != (module != "Tree") {
			t.Errorf("%s: advice %q", name, p.Advice)
		}
	}
	p, err := w.describe("Tree", "")
	if has(t, p, err, "Tree"); p.Name != "Tree" {
		t.Errorf("the only module of a package is called %s", p.Name)
	}
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), map[string]string{"Snippets/Flying.swift": "//! Flies a kite.\n"})
	p, err = w.describe("swift-kite", "")
	has(t, p, err, "KiteCore")
	if !slices.ContainsFunc(p.Sections, func(s apidoc.Section) bool { return s.File == "Snippets/Flying.swift" }) {
		t.Error("the snippets of a package are not among its examples")
	}
	if p.Name != "swift-kite/KiteCore" || len(p.Subpackages) != 1 || p.Subpackages[0].Name != "swift-kite/KiteTail" || len(p.Sections) == 0 || p.Module != "swift-kite" || p.Above != p.Name {
		t.Errorf("modules %+v, %d sections, of %s, above it %s", p.Subpackages, len(p.Sections), p.Module, p.Above)
	}
	if e := w.failure("swift-kite/KiteTial", ""); e.Reason != ecosystem.NotFound || !slices.Contains(e.Near, "KiteTail") {
		t.Errorf("a module that is not there: %v", e)
	}
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), map[string]string{
		"Package@swift-5.9.swift": "import PackageDescription\nfunc cocoa() -> [Target] { targetsDarwin() ? [.target(name: \"KiteCocoa\")] : [] }\n",
	})
	if e := w.failure("swift-kite/KiteCocoa", ""); e.Reason != ecosystem.Unreadable {
		t.Errorf("a module that only code declares: %v", e)
	}
	if len(w.requests) > 0 {
		t.Errorf("the network was asked: %q", w.requests)
	}
}

// TestTheIndexOfAPackage checks that the modules of a package are listed under the
// names by which they can be requested.
func TestTheIndexOfAPackage(t *testing.T) {
	w := withCheckouts(t)
	repository := filepath.Join(w.home, ".cache/org.swift.swiftpm/repositories/swift-kite-0badcafe")
	_, newer := bare(t, repository, "https://github.com/mona/swift-kite.git", library("swift-kite", "KiteCore", "KiteTail"))
	sw := w.swift()
	for _, project := range []string{w.project, ""} {
		for _, name := range []string{"swift-kite", "KiteTail", "mona/swift-kite/KiteTail"} {
			p, err := ecosystem.Describe(t.Context(), sw, ecosystem.Query{Package: name, ProjectDir: project}, nil)
			if err != nil {
				t.Fatal(err)
			}
			index, err := ecosystem.Describe(t.Context(), sw, ecosystem.Query{Package: p.Module, ProjectDir: project, Index: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for s := range index.All {
				got = append(got, s.Path+": "+s.Doc)
			}
			prefix := "swift-kite"
			if project == "" {
				prefix = "mona/swift-kite"
			}
			want := []string{
				prefix + "/KiteCore: ", "KiteCoreThing: Is of KiteCore.", "KiteCoreThing.move(by:): Moves it.",
				prefix + "/KiteTail: ", "KiteTailThing: Is of KiteTail.", "KiteTailThing.move(by:): Moves it.",
			}
			if p.Module != prefix || !slices.Equal(got, want) {
				t.Errorf("%s: the index of %s has %q, want %q", name, p.Module, got, want)
			}
			for _, s := range index.Symbols {
				p, err := ecosystem.Describe(t.Context(), sw, ecosystem.Query{Package: s.Path, ProjectDir: project}, nil)
				if err != nil || p.Name != s.Path {
					t.Errorf("%s: %+v, %v", s.Path, p, err)
				}
			}
		}
	}
	other := t.TempDir() // The other project has the same files from the same repository.
	filetest.Write(t, other, map[string]string{"Package.swift": fmt.Sprintf(app, "", ""), "Package.resolved": resolved(pin("swift-kite", "https://github.com/mona/swift-kite.git", "1.1.0", newer))})
	keys := map[string]bool{}
	for _, q := range []ecosystem.Query{{Package: "mona/swift-kite"}, {Package: "mona/swift-kite", Index: true}, {Package: "mona/swift-kite", ProjectDir: other, Index: true}} {
		found, err := sw.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		keys[found.Key] = true
		found.Close()
	}
	if len(keys) != 3 {
		t.Errorf("a package and its indexes are cached by the keys %v", keys)
	}
	if p, err := ecosystem.Describe(t.Context(), sw, ecosystem.Query{Package: "tree", ProjectDir: w.project, Index: true}, nil); err != nil || len(p.Symbols) > 0 {
		t.Errorf("the index of a package with one module: %+v, %v", p, err)
	}
}

func TestNamesAndDependencies(t *testing.T) {
	w := withCheckouts(t)
	sw := w.swift()
	if got := sw.Names(w.project, "k", 10); !slices.Equal(got, []string{"KiteCore", "KiteTail"}) {
		t.Errorf("names %q", got)
	}
	if got := sw.Names(w.project, "", 2); len(got) != 2 {
		t.Errorf("two names are %q", got)
	}
	deps, err := sw.Dependencies(w.project)
	want := []ecosystem.Dependency{
		{Package: "swift-kite/KiteCore", Version: "1.4.2", Direct: true, Imported: true, Installed: true},
		{Package: "swift-kite/KiteTail", Version: "1.4.2", Direct: true, Installed: true},
		{Package: "tree/Tree", Version: "2.0.0", Installed: true},
	}
	if err != nil || !slices.Equal(deps, want) {
		t.Errorf("%+v, %v", deps, err)
	}
	for _, d := range deps {
		p, err := w.describe(d.Package, "")
		has(t, p, err, d.Package[strings.IndexByte(d.Package, '/')+1:])
	}
	if _, err := sw.Dependencies(t.TempDir()); err == nil {
		t.Error("an empty directory has dependencies")
	}
	if !sw.HasProject(filepath.Join(w.project, "Sources")) || sw.HasProject(t.TempDir()) {
		t.Error("HasProject")
	}
}

func TestTheUsersOwnPackages(t *testing.T) {
	w := withCheckouts(t)
	filetest.Write(t, w.project, map[string]string{"Package.swift": fmt.Sprintf(app, `.package(path: "Packages/Near")`, `"Near"`)})
	files := library("Near", "Near")
	files["Sources/Near/own.swift"] = "package func shared() {}\nfunc hidden() {}\n"
	filetest.Write(t, filepath.Join(w.project, "Packages/Near"), files)
	for _, name := range []string{"Near", "near", "./Packages/Near", filepath.Join(w.project, "Packages/Near/Sources")} {
		p, err := w.describe(name, "")
		has(t, p, err, "Near")
		var paths []string
		for _, s := range p.Symbols {
			paths = append(paths, s.Path)
		}
		// The query contains the directory of the package, as for a user who works on it.
		if p.Version != "" || p.Provenance.Source != "workspace" || slices.Contains(paths, "shared()") != strings.Contains(name, "Packages/Near") || slices.Contains(paths, "hidden()") {
			t.Errorf("%s: version %q, %+v, %q", name, p.Version, p.Provenance, paths)
		}
	}
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":                        fmt.Sprintf(app, `.package(path: "Packages/Near", traits: ["Far"])`, `"Near"`),
		"Packages/Near/Package.swift":          strings.Replace(files["Package.swift"], "targets: [.target", "traits: [\"Far\", .default(enabledTraits: [])], targets: [.target", 1),
		"Packages/Near/Sources/Near/far.swift": "#if Far\npublic func far() {}\n#endif\n",
	})
	if p, err := w.describe("Near", ""); err != nil || p.At("far()") == nil || !slices.Equal(p.Options, []string{"Enabled traits (by the project): Far."}) {
		t.Errorf("traits of a package at a path: %+v, %v", p, err)
	}
	p, err := w.describe("App", "")
	if err != nil || p.Provenance.ChosenBy != "the project itself" {
		t.Errorf("%+v, %v", p, err)
	}
	if e := w.failure(t.TempDir(), ""); e.Reason != ecosystem.NotFound {
		t.Errorf("a directory without a package: %v", e)
	}
}

func TestAModuleThatExportsOneOfAnotherPackage(t *testing.T) {
	w := withCheckouts(t)
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/tree"), map[string]string{"Sources/Tree/export.swift": "@_exported import KiteTail\n"})
	p, err := w.describe("Tree", "")
	has(t, p, err, "Tree")
	if !slices.ContainsFunc(p.Symbols, func(s apidoc.Symbol) bool { return s.Path == "KiteTailThing" }) {
		t.Errorf("symbols %+v", p.Symbols)
	}
}

func TestSeveralPackagesWithAModule(t *testing.T) {
	w := withCheckouts(t)
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/tree"), library("Tree", "Tree", "KiteTail"))
	filetest.Write(t, w.project, map[string]string{"Package.swift": fmt.Sprintf(app, "", "")})
	if e := w.failure("KiteTail", ""); !strings.Contains(e.What, "refers to several packages") || len(e.Near) != 2 {
		t.Errorf("got %v", e)
	}
	p, err := w.describe("tree/KiteTail", "")
	has(t, p, err, "KiteTail")
	if p.Version != "2.0.0" {
		t.Errorf("version %s", p.Version)
	}
}

func TestACheckoutOfAnotherCommitIsNotRead(t *testing.T) {
	w := withCheckouts(t)
	filetest.Write(t, w.project, map[string]string{"Package.resolved": resolved(pin("swift-kite", kite, "1.5.0", commitB))})
	w.env = append(w.env, "DOCENT_OFFLINE=1")
	if e := w.failure("swift-kite", ""); e.Reason != ecosystem.Unreachable || !strings.Contains(e.Error(), "network access is disabled") {
		t.Errorf("got %s: %v", e.Reason, e)
	}
}

func TestWithoutPackageResolvedTheStateOfTheBuildCounts(t *testing.T) {
	w := withCheckouts(t)
	if err := os.Remove(filepath.Join(w.project, "Package.resolved")); err != nil {
		t.Fatal(err)
	}
	p, err := w.describe("KiteCore", "")
	has(t, p, err, "KiteCore")
	if p.Version != "1.4.2" || p.Provenance.ChosenBy != "workspace-state.json of "+filepath.Base(w.project) {
		t.Errorf("%s, %+v", p.Version, p.Provenance)
	}
}

func TestWithoutAProject(t *testing.T) {
	w := newWorld(t)
	e := w.failure("KiteCore", "")
	if e.Reason != ecosystem.NotFound || !strings.Contains(e.Next, "use owner/repository") {
		t.Errorf("got %v", e)
	}
	w.project = t.TempDir()
	if e := w.failure("KiteApp", ""); e.Reason != ecosystem.NotFound || !e.Foreign || !strings.Contains(e.Next, "no Swift project") {
		t.Errorf("a module in a directory without a project: %v", e)
	}
	for _, name := range []string{"", "a b", "../x/..\x00", "a//b", "-x", "a/../b", "a/b/c/d", "x;y", "@radix-ui/react-dialog", "a/@b"} {
		if _, err := w.describe(name, ""); err == nil {
			t.Errorf("%q is a package", name)
		}
	}
	for _, version := range []string{"1..2 ", "a b", "--x", "1.0.0..<0.5.0 x"} {
		if e := w.failure("mona/kite", version); e.Reason != ecosystem.Invalid {
			t.Errorf("%q is a version: %v", version, e)
		}
	}
}

func TestStandardLibrary(t *testing.T) {
	w := newWorld(t)
	if e := w.failure("Foundation", ""); e.Reason != ecosystem.NotFound || !strings.Contains(e.What, "part of a Swift toolchain") {
		t.Errorf("got %v", e)
	}
	toolchain := filepath.Join(w.home, ".local/share/swiftly/toolchains/6.3.1/usr/lib/swift/linux/Swift.swiftmodule")
	filetest.Write(t, toolchain, map[string]string{
		"x86_64-unknown-linux-gnu.swiftinterface":         "// swift-interface-format-version: 1.0\n// swift-compiler-version: Swift version 6.3.1 (swift-6.3.1-RELEASE)\n/// Is a number.\n@frozen public struct SwiftThing {\n  public func move(by distance: Swift.Int)\n}\n",
		"x86_64-unknown-linux-gnu.private.swiftinterface": "",
		"aarch64-unknown-linux-gnu.swiftinterface":        "",
	})
	p, err := w.describe("Swift", "")
	has(t, p, err, "Swift")
	if p.Version != "6.3.1" || p.Provenance.Source != "toolchain" {
		t.Errorf("%s, %+v", p.Version, p.Provenance)
	}
}

func TestPods(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"Podfile.lock":                        "PODS:\n  - Kite (5.8.0):\n    - Tail\n  - Tail (1.0.0)\n  - Near (0.1.0)\n\nDEPENDENCIES:\n  - Kite\n\nEXTERNAL SOURCES:\n  Near:\n    :path: \"../Near\"\n\nCOCOAPODS: 1.15.2\n",
		"Pods/Kite/Source/Kite.swift":         "/// Flies.\npublic struct KiteThing {}\n",
		"Pods/Kite/Tests/KiteTests.swift":     "public struct KiteTest {}\n",
		"App.xcodeproj/project.pbxproj":       "",
		"Pods/Kite/Source/Deep/Package.swift": "public let package = 1\n",
	})
	p, err := w.describe("Kite", "")
	has(t, p, err, "Kite")
	if p.Version != "5.8.0" || p.Provenance.Source != "Pods" || len(p.Symbols) != 1 {
		t.Errorf("%s, %+v, %+v", p.Version, p.Provenance, p.Symbols)
	}
	if e := w.failure("Tail", ""); !strings.Contains(e.Next, "pod install") {
		t.Errorf("got %v", e)
	}
}

func TestRepositoriesInCaches(t *testing.T) {
	w := withCheckouts(t)
	repository := filepath.Join(w.home, ".cache/org.swift.swiftpm/repositories/swift-kite-0badcafe")
	old, newer := bare(t, repository, kite, library("swift-kite", "KiteCore", "KiteTail"))
	w.env = append(w.env, "DOCENT_OFFLINE=1")
	filetest.Write(t, w.project, map[string]string{"Package.resolved": resolved(pin("swift-kite", kite, "1.0.0", old))})
	p, err := w.describe("swift-kite/KiteTail", "")
	has(t, p, err, "KiteTail")
	if p.Version != "1.0.0" || p.Provenance.Source != "repository cache" || p.Provenance.Location != repository {
		t.Errorf("%s, %+v", p.Version, p.Provenance)
	}
	w.project = t.TempDir()
	for _, name := range []string{"swift-kite", "KiteCore", "swift-kite/KiteCore", kite, "host.example/mona/swift-kite"} {
		p, err := w.describe(name, "")
		has(t, p, err, "KiteCore")
		if p.Version != "1.1.0" || !strings.HasPrefix(p.Provenance.ChosenBy, "newest on this machine") {
			t.Errorf("%s: %s, %+v", name, p.Version, p.Provenance)
		}
	}
	if p, err := w.describe(kite, newer); err != nil || p.Version != newer[:7] {
		t.Errorf("a commit: %+v, %v", p, err)
	}
	if got := w.swift().Names("", "swift", 5); !slices.Equal(got, []string{"swift-kite"}) {
		t.Errorf("names %q", got)
	}
	if e := w.failure("swift-kyte", ""); !slices.Contains(e.Near, "swift-kite") {
		t.Errorf("close by: %v", e)
	}
}

// TestTraitsAreNotAdvice checks that answers about a symbol do not include traits.
func TestTraitsAreNotAdvice(t *testing.T) {
	w := withCheckouts(t)
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/tree"), map[string]string{"Package.swift": `// swift-tools-version: 6.1
import PackageDescription
let package = Package(name: "Tree", products: [.library(name: "Tree", targets: ["Tree"])], traits: [.trait(name: "Leaves"), .default(enabledTraits: [])], targets: [.target(name: "Tree")])
`, "Sources/Tree/Grow.swift": "#if Leaves\npublic func grow(_ n: Int) {}\n#endif\n"})
	p, err := w.describe("Tree", "")
	has(t, p, err, "Tree")
	grows := func(p *apidoc.Package) bool {
		return slices.ContainsFunc(p.Symbols, func(s apidoc.Symbol) bool { return s.Path == "grow(_:)" })
	}
	if grows(p) {
		t.Error("a declaration under a trait that is off is shown")
	}
	for _, request := range []string{"Leaves", "all"} {
		p, err := ecosystem.Describe(t.Context(), w.swift(), ecosystem.Query{Package: "Tree", ProjectDir: w.project, Platform: "linux/amd64", Features: request}, nil)
		if err != nil || !slices.Equal(p.Options, []string{"Enabled traits (by default and by request): Leaves."}) || !grows(p) {
			t.Errorf("%s: %+v, %v", request, p, err)
		}
	}
	if _, err := ecosystem.Describe(t.Context(), w.swift(), ecosystem.Query{Package: "Tree", ProjectDir: w.project, Features: "Gone"}, nil); err == nil || !strings.Contains(err.Error(), "has no trait \"Gone\"") || !strings.Contains(err.Error(), "Leaves") {
		t.Errorf("a trait that does not exist: %v", err)
	}
	if !slices.Equal(p.Options, []string{"Enabled traits (by default): none. Disabled: Leaves."}) || slices.ContainsFunc(p.Advice, func(s string) bool { return strings.Contains(s, "Traits") }) {
		t.Errorf("warnings %q, advice %q", p.Options, p.Advice)
	}
}

// TestACopiedCheckout checks that the pin is trusted if a checkout lacks its
// repository, but not if the repository is at another commit.
func TestACopiedCheckout(t *testing.T) {
	w := withCheckouts(t)
	if err := os.Remove(filepath.Join(w.project, ".build/workspace-state.json")); err != nil {
		t.Fatal(err)
	}
	p, err := w.describe("KiteCore", "")
	has(t, p, err, "KiteCore")
	if p.Version != "1.4.2" || p.Provenance.Source != "checkout" || p.Provenance.Integrity != "not verified: the commit of the checkout is unknown" {
		t.Errorf("%s: %+v", p.Version, p.Provenance)
	}
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), map[string]string{".git/HEAD": commitB + "\n"})
	if p, err := w.describe("KiteCore", ""); err == nil && p.Provenance.Source == "checkout" {
		t.Errorf("another commit: %+v", p.Provenance)
	}
}

func TestACheckoutAtATagHasItsVersion(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, "work", "swift-kite")
	files := library("swift-kite", "KiteCore")
	filetest.Write(t, dir, files)
	first, second := bare(t, filepath.Join(dir, ".git"), "https://github.com/mona/swift-kite.git", files)
	for _, tt := range []struct{ head, want string }{
		{"ref: refs/heads/main\n", "1.1.0"}, {first + "\n", "1.0.0"}, {second + "\n", "1.1.0"}, {strings.Repeat("ab", 20) + "\n", ""}, {"ref: refs/heads/none\n", ""},
	} {
		filetest.Write(t, dir, map[string]string{".git/HEAD": tt.head})
		p, err := w.describe(dir, "")
		has(t, p, err, "KiteCore")
		if p.Version != tt.want || strings.Contains(p.Provenance.ChosenBy, "tag "+tt.want+", which is checked out") != (tt.want != "") {
			t.Errorf("HEAD %q: version %q from %q, want %q", tt.head, p.Version, p.Provenance.ChosenBy, tt.want)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if p, err := w.describe(dir, ""); err != nil || p.Version != "" {
		t.Errorf("a directory without repository: %v %v", p, err)
	}
}
