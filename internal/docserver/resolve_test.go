package docserver

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/store"
)

// everyLanguage returns all languages, with a cache of their own unless online is true.
func everyLanguage(t *testing.T, online bool) ecosystem.Languages {
	o := ecosystem.Options{Offline: !online}
	if !online {
		o.Cache = cachedir.New(t.TempDir(), cachedir.Options{})
	}
	return ecosystem.Languages{golang.New(o), npm.New(o), python.New(o), rust.New(o), swift.New(o)}
}

// fixtures are the files of a project with dependencies in each language.
var fixtures = map[string]string{
	"go.mod":    "module example.com/kiln\n\ngo 1.24\n",
	"kiln.go":   "// Package kiln fires clay.\npackage kiln\n\n// Kiln is an oven.\ntype Kiln struct{ Heat int }\n\n// Fire heats it.\nfunc (k *Kiln) Fire() error { return nil }\n\nfunc (k *Kiln) fire() {}\n\n// New returns a kiln.\nfunc New(size int) *Kiln { return nil }\n\nconst (\n\tLow = 1\n\tHigh = 2\n)\n",
	"clay/a.go": "// Package clay has clays.\npackage clay\n\n// Stoneware is one.\nvar Stoneware int\n",

	"package.json":                                `{"name": "shop", "dependencies": {"oven": "1.0.0", "rack": "1.0.0"}}`,
	"node_modules/oven/package.json":              `{"name": "oven", "version": "1.0.0", "types": "index.d.ts", "exports": {".": {"types": "./index.d.ts"}, "./steam": {"types": "./steam.d.ts"}}}`,
	"node_modules/oven/index.d.ts":                "/** Bakes. */\nexport declare function bake(time: number): Promise<Loaf>;\nexport interface Loaf { crust: string; slice(n: number): Loaf[] }\nexport declare class Oven { constructor(heat: number); open(): void; static of(x: number): Oven }\nexport declare const standard: Oven;\n",
	"node_modules/oven/steam.d.ts":                "export declare function steam(water: number): void;\nexport declare class Boiler { boil(): void }\n",
	"node_modules/rack/package.json":              `{"name": "rack", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/rack/index.d.ts":                "export declare function stackOfPlates(): void;\n",
	"requirements.txt":                            "glaze==1.0\nvat==1.0\n",
	".venv/pyvenv.cfg":                            "version = 3.12.1\n",
	sitePackages + "glaze/__init__.py":            "\"\"\"Glazes.\"\"\"\nfrom .mix import Recipe\n__all__ = ['Glaze', 'dip', 'Recipe']\nclass Glaze:\n    \"\"\"A glaze.\"\"\"\n    colour: str\n    def pour(self, n: int) -> None: ...\n    @classmethod\n    def of(cls): ...\ndef dip(pot: str, *, twice: bool = False) -> Glaze: ...\n",
	sitePackages + "glaze/mix.py":                 "class Recipe:\n    def stir(self): ...\ndef weigh(x: int) -> int: ...\n",
	sitePackages + "vat/__init__.py":              "def drain_completely(): ...\n",
	sitePackages + "glaze-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: glaze\nVersion: 1.0\n",
	sitePackages + "glaze-1.0.dist-info/RECORD":   "glaze/__init__.py,,\nglaze/mix.py,,\n",
	sitePackages + "vat-1.0.dist-info/METADATA":   "Metadata-Version: 2.1\nName: vat\nVersion: 1.0\n",
	sitePackages + "vat-1.0.dist-info/RECORD":     "vat/__init__.py,,\n",

	"Cargo.toml":       "[package]\nname = \"wheel\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nspoke = { path = \"spoke\" }\n",
	"src/lib.rs":       "//! A potter's wheel.\npub mod belt;\n/// Turns.\npub struct Wheel { pub speed: u32 }\nimpl Wheel {\n    /// Spins it.\n    pub fn spin(&mut self, turns: u32) -> bool { true }\n    pub fn new() -> Self { todo!() }\n}\npub enum Side { Left, Right }\npub fn stop(w: &Wheel) {}\n",
	"src/belt.rs":      "pub struct Belt;\nimpl Belt { pub fn tighten(&self) {} }\npub fn replace(b: Belt) -> Belt { b }\n",
	"spoke/Cargo.toml": "[package]\nname = \"spoke\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
	"spoke/src/lib.rs": "pub fn bend_all_of_them() {}\n",

	"Package.swift":             "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: \"Shelf\", products: [.library(name: \"Shelf\", targets: [\"Shelf\"]), .library(name: \"Hook\", targets: [\"Hook\"])], targets: [.target(name: \"Shelf\"), .target(name: \"Hook\")])\n",
	"Sources/Shelf/Shelf.swift": "/// A shelf.\npublic struct Shelf {\n    public var width: Int\n    public init(width: Int) {}\n    /// Puts.\n    public func put(_ pot: String, at place: Int) throws -> Bool { true }\n    public enum Side { case left, right }\n}\npublic func level(_ shelf: Shelf) {}\n",
	"Sources/Hook/Hook.swift":   "public func hangFromTheCeiling() {}\n",
}

const sitePackages = ".venv/lib/python3.12/site-packages/"

// title matches the heading of an answer about one symbol.
var title = regexp.MustCompile(`(?m)^# (.+) \((.+)\) in ([^@\s]+)`)

// asking is one way to put a question. It returns the title of the symbols of the answer,
// or the text of an error.
type asking func(pkg, symbol string) (string, error)

func heading(a *answer.Answer, err error) (string, error) {
	if err != nil {
		return "", err
	}
	m := title.FindStringSubmatch(a.Text)
	if m == nil {
		return a.Text, nil
	}
	return m[1] + " in " + m[3], nil
}

// TestResolve_EveryFormFindsTheSame looks up each symbol of packages of each language in every form
// that a query may have.
func TestResolve_EveryFormFindsTheSame(t *testing.T) {
	dir := filetest.Dir(t, fixtures)
	for _, tt := range []struct {
		language, pkg, other, separator, project string
	}{
		{"go", "encoding/json", "html", ".", ""},
		{"go", "example.com/kiln", "example.com/kiln/clay", ".", dir},
		{"go", "./clay", "html", "", dir},
		{"npm", "oven", "rack", ".", dir},
		{"npm", "oven/steam", "rack", ".", dir},
		{"python", "glaze", "vat", ".", dir},
		{"python", "glaze.mix", "vat", ".", dir},
		{"rust", "wheel", "spoke", "::", dir},
		{"rust", "wheel::belt", "spoke", "::", dir},
		{"swift", "Shelf", "Hook", "", dir},
	} {
		t.Run(tt.language+" "+tt.pkg, func(t *testing.T) {
			sameInEveryForm(t, everyLanguage(t, false), tt.language, tt.pkg, tt.other, tt.separator, tt.project, 0)
		})
	}
}

// TestResolve_Live does the same with packages of registries, 150 symbols of each.
func TestResolve_Live(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test reads packages from registries; to run it, set DOCENT_LIVE=1")
	}
	for _, tt := range [][4]string{
		{"go", "go.uber.org/zap", "html", "."}, {"go", "github.com/spf13/cobra", "html", "."},
		{"npm", "zod", "is-odd", "."}, {"npm", "hono", "is-odd", "."}, {"npm", "drizzle-orm/pg-core", "is-odd", "."},
		{"python", "pydantic", "iniconfig", "."}, {"python", "sqlalchemy.orm", "iniconfig", "."},
		{"rust", "tokio", "itoa", "::"}, {"rust", "serde_json", "itoa", "::"},
	} {
		t.Run(tt[0]+" "+tt[1], func(t *testing.T) {
			sameInEveryForm(t, everyLanguage(t, true), tt[0], tt[1], tt[2], tt[3], "", 150)
		})
	}
}

// sameInEveryForm looks up the symbols of a package, or at most limit of them unless limit is 0.
// other is a package without symbols with these names. separator, if not empty, separates the name
// of a package from the name of a symbol.
func sameInEveryForm(t *testing.T, languages ecosystem.Languages, language, pkg, other, separator, project string, limit int) {
	t.Helper()
	cache := store.New(languages, store.Options{})
	l := lookup.New(cache)
	s := &server{lookup: l, store: cache, dir: "/"}
	ctx := context.Background()
	question := func(pkg, symbol string) lookup.Description {
		return lookup.Description{Package: lookup.Package{Language: language, Name: pkg, Project: project}, Symbols: symbol}
	}
	selected := func(pkg, symbol string) (string, error) {
		found, _, err := l.Select(ctx, question(pkg, symbol))
		if err != nil {
			return "", err
		}
		if found[0].Symbol == nil {
			return found[0].Name, nil
		}
		return found[0].Symbol.Path + " in " + found[0].Name, nil
	}
	text := func(pkg, symbol string) (string, error) { return heading(l.Describe(ctx, question(pkg, symbol))) }
	forms := map[string]asking{
		"text":                   text,
		"data":                   selected,
		"text, a second package": func(pkg, symbol string) (string, error) { return text(pkg+", "+other, symbol) },
		"data, a second package": func(pkg, symbol string) (string, error) { return selected(pkg+", "+other, symbol) },
		"data, the second one":   func(pkg, symbol string) (string, error) { return selected(other+" "+pkg, symbol) },
		"text without examples": func(pkg, symbol string) (string, error) {
			d := question(pkg, symbol)
			d.WithoutExamples = true
			return heading(l.Describe(ctx, d))
		},
		"tool": func(pkg, symbol string) (string, error) {
			return heading(s.describe(languages.Find(language).Info())(ctx, nil, describeInput{Package: pkg, Symbol: symbol, ProjectPath: project}))
		},
	}
	if separator != "" {
		forms["behind the package"] = func(pkg, symbol string) (string, error) { return text(pkg+separator+symbol, "") }
		forms["behind the package, as data"] = func(pkg, symbol string) (string, error) { return selected(pkg+separator+symbol, "") }
	}
	all, _, err := l.Select(ctx, question(pkg, ""))
	if err != nil {
		t.Fatal(err)
	}
	p := all[0].Package
	var symbols []*apidoc.Symbol
	n := 0
	for range p.All {
		n++
	}
	i := 0
	for s := range p.All {
		if i++; limit == 0 || i%(n/limit+1) == 0 {
			symbols = append(symbols, s)
		}
	}
	if len(symbols) == 0 {
		t.Fatal("the package has no symbols")
	}
	for _, symbol := range symbols {
		path := symbol.Path
		if strings.ContainsAny(path, " ,") || naming.Called(p, path) != path {
			continue // written in another way
		}
		want, err := selected(pkg, path)
		if err != nil || !strings.HasPrefix(want, path+" in ") {
			t.Errorf("%s: %s, %v", path, want, err)
			continue
		}
		for form, ask := range forms {
			if strings.HasPrefix(form, "behind") && path[0] != '_' && !isLetter(path[0]) {
				continue // an operator or a call signature
			}
			got, err := ask(pkg, path)
			if err != nil || got != want && !strings.Contains(got, "## "+path) && !strings.Contains(got, path) {
				t.Errorf("%s, %s: %s, %v, want %s", path, form, got, err, want)
			}
		}
	}
	for _, invented := range inventedFrom(symbols) {
		if naming.Exact(p, invented) != nil || naming.Named(p, invented) != nil {
			continue
		}
		_, err := selected(pkg, invented)
		if err == nil {
			continue // another entry point has it
		}
		suggestions := suggestionsOf(err)
		for form, ask := range forms {
			got, err := ask(pkg, invented)
			if err == nil {
				t.Errorf("%s, %s: %s, want an error with %s", invented, form, got, suggestions)
			} else if !strings.Contains(err.Error(), suggestions) {
				t.Errorf("%s, %s: %v, want %s", invented, form, err, suggestions)
			}
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// suggestionsOf returns the end of an error, which contains the suggested names.
func suggestionsOf(err error) string {
	_, suggestions, _ := strings.Cut(err.Error(), "; ")
	return strings.TrimSuffix(suggestions, "?")
}

// inventedFrom returns names that resemble those of symbols: names with an additional letter, and
// names in another case.
func inventedFrom(symbols []*apidoc.Symbol) (names []string) {
	for _, s := range symbols[:min(len(symbols), 60)] {
		path, _ := apidoc.CutLabels(s.Path)
		if strings.ContainsAny(path, "[( ") || !isLetter(path[0]) {
			continue
		}
		upper := strings.ToUpper(path[:1]) + path[1:] + "Zx"
		if names = append(names, upper); s.ParentPath() == "" {
			names = append(names, strings.ToUpper(path))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestResolve_CaseIsNotCorrected looks up a name in another case.
func TestResolve_CaseIsNotCorrected(t *testing.T) {
	dir := filetest.Dir(t, fixtures)
	languages := everyLanguage(t, false)
	cache := store.New(languages, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: "/"}
	for _, tt := range [][4]string{
		{"go", "example.com/kiln", "new", "did you mean New?"},
		{"go", "example.com/kiln", "stoneware", "did you mean Stoneware of example.com/kiln/clay?"},
		{"npm", "oven", "BAKE", "did you mean bake?"},
		{"npm", "oven", "boiler", "did you mean Boiler of oven/steam?"},
		{"python", "glaze", "GLAZE", "did you mean Glaze?"},
		{"python", "glaze", "Weigh", "did you mean weigh of glaze.mix?"},
		{"rust", "wheel", "wheel", "did you mean Wheel?"},
		{"swift", "Shelf", "LEVEL", "did you mean level(_:)?"},
	} {
		_, err := s.describe(languages.Find(tt[0]).Info())(t.Context(), nil, describeInput{Package: tt[1], Symbol: tt[2], ProjectPath: dir})
		if err == nil || !strings.Contains(err.Error(), tt[3]) {
			t.Errorf("%v: %v", tt, err)
		}
	}
}

// TestResolve_OtherModulesAreNamed looks up symbols that another module or entry point exports.
func TestResolve_OtherModulesAreNamed(t *testing.T) {
	dir := filetest.Dir(t, fixtures)
	filetest.Write(t, dir, map[string]string{
		sitePackages + "glaze/__init__.py":           "from .mix import Recipe\n__all__ = ['Recipe']\n_moved = {'weigh': 'glaze.mix'}\ndef __getattr__(name):\n    return load(_moved[name], name)\n",
		sitePackages + "slip/__init__.py":            "from .mix import Recipe\n__all__ = ['Recipe']\ndef __getattr__(name):\n    raise ImportError('slip.mix has it')\n",
		sitePackages + "slip/mix.py":                 "class Recipe: pass\ndef weigh(x): pass\n",
		sitePackages + "slip-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: slip\nVersion: 1.0\n",
		sitePackages + "slip-1.0.dist-info/RECORD":   "slip/__init__.py,,\nslip/mix.py,,\n",
	})
	languages := everyLanguage(t, false)
	cache := store.New(languages, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: "/"}
	for _, tt := range []struct{ language, pkg, symbol, first string }{
		{"go", "example.com/kiln", "Stoneware", "**example.com/kiln does not export Stoneware. example.com/kiln/clay does: `import \"example.com/kiln/clay\"`.**\n"},
		{"npm", "oven", "steam", "**oven does not export steam. oven/steam does: `import { steam } from \"oven/steam\"`.**\n"},
		{"python", "vat", "drain_completely", "# drain_completely (function) in vat@1.0\n"},
		{"python", "glaze", "weigh", "**glaze.mix has weigh: `from glaze.mix import weigh`. Docent cannot determine whether you can also import it from glaze: the function __getattr__ of glaze provides or refuses names when they are imported.**\n"},
		{"python", "slip", "weigh", "**slip does not export weigh. slip.mix does: `from slip.mix import weigh`.**\n"},
		{"rust", "wheel", "Belt", "**wheel does not export Belt. wheel::belt does: `use wheel::belt::Belt;`.**\n"},
		{"rust", "wheel", "belt::Belt", "# Belt (struct) in wheel::belt"},
	} {
		a, err := s.describe(languages.Find(tt.language).Info())(t.Context(), nil, describeInput{Package: tt.pkg, Symbol: tt.symbol, ProjectPath: dir})
		if err != nil || !strings.HasPrefix(a.Text, tt.first) {
			t.Errorf("%s %s: %v, %.300v", tt.pkg, tt.symbol, err, a)
		}
	}
}

// TestResolve_PatternsAreLookedUpInOtherModules looks up patterns that match only symbols of other modules,
// packages or entry points.
func TestResolve_PatternsAreLookedUpInOtherModules(t *testing.T) {
	dir := filetest.Dir(t, fixtures)
	languages := everyLanguage(t, false)
	cache := store.New(languages, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: "/"}
	for _, tt := range []struct{ language, pkg, pattern, want string }{
		{"go", "example.com/kiln", "Stone*", "**No symbol of example.com/kiln matches Stone*. These are in example.com/kiln/clay.**"},
		{"npm", "oven", "stea*", "**No symbol of oven matches stea*. These are in oven/steam.**"},
		{"npm", "oven", "Boil*.b*", "boil(): void"},
		{"npm", "oven/steam", "ba*", "**No symbol of oven/steam matches ba*. These are in oven.**"},
		{"python", "glaze", "wei*", "**No symbol of glaze matches wei*. These are in glaze.mix.**"},
		{"rust", "wheel", "Bel*::tight*", "**No symbol of wheel matches Bel*::tight*. These are in wheel::belt.**"},
	} {
		a, err := s.describe(languages.Find(tt.language).Info())(t.Context(), nil, describeInput{Package: tt.pkg, Symbol: tt.pattern, ProjectPath: dir})
		if err != nil || !strings.Contains(a.Text, tt.want) {
			t.Errorf("%s %s: %v, %.400v", tt.pkg, tt.pattern, err, a)
		}
	}
	_, err := s.describe(languages.Find("npm").Info())(t.Context(), nil, describeInput{Package: "oven", Symbol: "Zink*", ProjectPath: dir})
	if err == nil || !strings.Contains(err.Error(), "no symbol of oven matches Zink*") {
		t.Errorf("a pattern that nothing matches: %v", err)
	}
}

// TestDescribe_DeprecationIsInTheHead has a README that begins with a notice, the field of
// package.json, and that of a lock file.
func TestDescribe_DeprecationIsInTheHead(t *testing.T) {
	dir := filetest.Dir(t, fixtures)
	filetest.Write(t, dir, map[string]string{
		"node_modules/oven/README.md":               "# Deprecated!\n\nUse stove.\n\n# oven\n\nBakes.\n",
		"node_modules/rack/package.json":            `{"name": "rack", "version": "1.0.0", "types": "index.d.ts", "deprecated": "use shelf"}`,
		"node_modules/pan/package.json":             `{"name": "pan", "version": "2.0.0", "types": "index.d.ts"}`,
		"node_modules/pan/index.d.ts":               "export declare function fry(): void;\n",
		"package-lock.json":                         `{"lockfileVersion": 3, "packages": {"": {"dependencies": {"oven": "1.0.0", "rack": "1.0.0", "pan": "2.0.0"}}, "node_modules/oven": {"version": "1.0.0"}, "node_modules/rack": {"version": "1.0.0"}, "node_modules/pan": {"version": "2.0.0", "deprecated": "use a wok"}}}`,
		sitePackages + "vat-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: vat\nVersion: 1.0\nDescription-Content-Type: text/markdown\n\n# vat\n\n**This package is no longer maintained.**\n",
	})
	languages := everyLanguage(t, false)
	cache := store.New(languages, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: "/"}
	for _, tt := range [][3]string{
		{"npm", "oven", "\n> Deprecated: Deprecated. Use stove.\n"}, {"npm", "rack", "\n> Deprecated: use shelf\n"}, {"npm", "pan", "\n> Deprecated: use a wok\n"},
		{"python", "vat", "\n> Deprecated: This package is no longer maintained.\n"},
	} {
		a, err := s.describe(languages.Find(tt[0]).Info())(t.Context(), nil, describeInput{Package: tt[1], ProjectPath: dir})
		if err != nil || !strings.Contains(a.Text, tt[2]) {
			t.Errorf("%s: %v, %.600v", tt[1], err, a)
		}
	}
}
