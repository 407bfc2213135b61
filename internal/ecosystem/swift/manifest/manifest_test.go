package manifest

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

const head = "// swift-tools-version: 6.1\nimport PackageDescription\n"

func parsed(t *testing.T, text string) *Manifest {
	t.Helper()
	m, err := Parse(head+text, "linux")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

func TestParse_PlainManifest(t *testing.T) {
	m := parsed(t, `
let package = Package(
    name: "Kite",
    platforms: [.macOS(.v13), .custom("plan9", versionString: "4")],
    products: [
        .library(name: "Kite", type: .dynamic, targets: ["Kite", "KiteC"]),
        .executable(name: "fly", targets: ["fly"]),
        .plugin(name: "Wind", targets: ["Wind"]),
    ],
    dependencies: [
        .package(url: "https://host.example/mona/a.git", from: "1.2.0"),
        .package(url: "https://host.example/mona/b", .upToNextMinor(from: "2.0.0")),
        .package(url: "https://host.example/mona/c", "1.0.0"..<"1.5.0"),
        .package(url: "https://host.example/mona/d", exact: "3.0.0-beta"),
        .package(url: "https://host.example/mona/e", branch: "main"),
        .package(name: "Old", url: "https://host.example/mona/f", .revision("0123abc")),
        .package(path: "../near"),
        .package(id: "mona.Hash", from: "1.0.0", traits: [.defaults, "More", .trait(name: "If", condition: .when(traits: ["X"]))]),
        .package(url: "https://host.example/mona/g", .upToNextMajor(from: Version(4, 1, 0))),
        .package(url: "https://host.example/mona/h", "1.0.0"..."1.5.0"),
    ],
    targets: [
        .target(
            name: "Kite",
            dependencies: [
                "KiteC", .target(name: "Tail", condition: .when(platforms: [.linux, .custom("plan9")])),
                .product(name: "A", package: "a", condition: .when(traits: ["More"])), .byName(name: "B"),
            ],
            path: "Code/Kite", exclude: ["README.md"], sources: ["One", "Two.swift"], resources: [.process("R")],
            swiftSettings: [
                .define("ALWAYS"), .define("MAC", .when(platforms: [.macOS])), .define("DBG", .when(configuration: .debug)),
                .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-x"]),
            ]),
        .target(name: "KiteC", publicHeadersPath: "api", cSettings: [.headerSearchPath("x"), .define("N", to: "1")]),
        .executableTarget(name: "fly"),
        .testTarget(name: "KiteTests", dependencies: ["Kite"]),
        .systemLibrary(name: "zlib", path: "z", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .binaryTarget(name: "Bin", url: "https://host.example/Bin.zip", checksum: "00"),
        .plugin(name: "Wind", capability: .buildTool()),
        .macro(name: "KiteMacros"),
    ],
    traits: [.trait(name: "More", description: "Adds more", enabledTraits: ["Even"]), "Even", .default(enabledTraits: ["More"])],
    swiftLanguageModes: [.v6]
)
`)
	v := func(s string) swiftpm.Version {
		v, err := swiftpm.ParseVersion(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	want := &Manifest{
		Name: "Kite", Tools: v("6.1.0"), DefaultTraits: []string{"More"},
		Products: []Product{{"Kite", "library", []string{"Kite", "KiteC"}}, {"fly", "executable", []string{"fly"}}, {"Wind", "plugin", []string{"Wind"}}},
		Dependencies: []Dependency{
			{URL: "https://host.example/mona/a.git", Requirement: swiftpm.UpToNextMajor(v("1.2.0"))},
			{URL: "https://host.example/mona/b", Requirement: swiftpm.UpToNextMinor(v("2.0.0"))},
			{URL: "https://host.example/mona/c", Requirement: swiftpm.Between(v("1.0.0"), v("1.5.0"))},
			{URL: "https://host.example/mona/d", Requirement: swiftpm.Exactly(v("3.0.0-beta"))},
			{URL: "https://host.example/mona/e", Requirement: swiftpm.Requirement{Branch: "main"}},
			{URL: "https://host.example/mona/f", Name: "Old", Requirement: swiftpm.Requirement{Revision: "0123abc"}},
			{Path: "../near"},
			{ID: "mona.Hash", Requirement: swiftpm.UpToNextMajor(v("1.0.0")), Traits: []string{"default", "More"}},
			{URL: "https://host.example/mona/g", Requirement: swiftpm.UpToNextMajor(v("4.1.0"))},
			{URL: "https://host.example/mona/h", Requirement: swiftpm.Through(v("1.0.0"), v("1.5.0"))},
		},
		Targets: []Target{
			{
				Name: "Kite", Kind: "target", Path: "Code/Kite", Sources: []string{"One", "Two.swift"}, Exclude: []string{"README.md", "R"},
				Dependencies: []TargetDependency{
					{Name: "KiteC"}, {Name: "Tail", Condition: &Condition{Platforms: []string{"linux", "plan9"}}},
					{Name: "A", Package: "a", Condition: &Condition{Traits: []string{"More"}}}, {Name: "B"},
				},
				Swift: []Setting{
					{Kind: "define", Name: "ALWAYS"}, {Kind: "define", Name: "MAC", Condition: &Condition{Platforms: []string{"macOS"}}},
					{Kind: "define", Name: "DBG", Condition: &Condition{Configuration: "debug"}}, {Kind: "enableUpcomingFeature", Name: "ExistentialAny"}, {Kind: "unsafeFlags"},
				},
			},
			{Name: "KiteC", Kind: "target", PublicHeaders: "api", C: []Setting{{Kind: "headerSearchPath", Name: "x"}, {Kind: "define", Name: "N", Value: "1"}}},
			{Name: "fly", Kind: "executableTarget"},
			{Name: "KiteTests", Kind: "testTarget", Dependencies: []TargetDependency{{Name: "Kite"}}},
			{Name: "zlib", Kind: "systemLibrary", Path: "z"},
			{Name: "Bin", Kind: "binaryTarget"},
			{Name: "Wind", Kind: "plugin"},
			{Name: "KiteMacros", Kind: "macro"},
		},
		Traits: []Trait{{Name: "More", Description: "Adds more", Enables: []string{"Even"}}, {Name: "Even"}},
	}
	if len(m.Warnings) > 0 {
		t.Errorf("warnings %q", m.Warnings)
	}
	compareManifests(t, m, want)
	if got := m.EnabledTraits(nil); !slices.Equal(got, []string{"Even", "More"}) {
		t.Errorf("traits %q", got)
	}
	if got := m.EnabledTraits([]string{}); len(got) > 0 {
		t.Errorf("without traits: %q", got)
	}
}

func compareManifests(t *testing.T, got, want *Manifest) {
	t.Helper()
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range g.NumField() {
		name := g.Type().Field(i).Name
		a, b := g.Field(i), w.Field(i)
		if a.Kind() != reflect.Slice {
			if !reflect.DeepEqual(a.Interface(), b.Interface()) {
				t.Errorf("%s: %+v, want %+v", name, a.Interface(), b.Interface())
			}
			continue
		}
		for k := range max(a.Len(), b.Len()) {
			switch {
			case k >= a.Len():
				t.Errorf("%s %d is missing: %+v", name, k, b.Index(k).Interface())
			case k >= b.Len():
				t.Errorf("%s %d is too much: %+v", name, k, a.Index(k).Interface())
			case !reflect.DeepEqual(a.Index(k).Interface(), b.Index(k).Interface()):
				t.Errorf("%s %d: %+v, want %+v", name, k, a.Index(k).Interface(), b.Index(k).Interface())
			}
		}
	}
}

// names returns the names of products, targets and dependencies on one line.
func names(m *Manifest) string {
	var all []string
	for _, p := range m.Products {
		all = append(all, "P "+p.Name+"="+strings.Join(p.Targets, "+"))
	}
	for _, target := range m.Targets {
		all = append(all, "T "+target.Name)
	}
	for _, d := range m.Dependencies {
		all = append(all, "D "+d.Identity())
	}
	return strings.Join(all, ", ")
}

func TestParse_ComputedManifests(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"variables and concatenation": {
			`let name = "Kite"; let extra: [Target] = [.target(name: name + "C")]
			let package = Package(name: name, products: [.library(name: name, targets: ["\(name)C"])], targets: [.target(name: "\(name)")] + extra)`,
			"P Kite=KiteC, T Kite, T KiteC",
		},
		"loops, append and +=": {
			`let package = Package(name: "K", products: [], targets: [])
			for (i, n) in ["A", "B"].enumerated() where n != "X" { package.targets.append(.target(name: "\(n)\(i)")) }
			for n in 1...2 { if n == 2 { break }; package.products += [.library(name: "L\(n)", targets: ["A0"])] }
			package.dependencies.append(contentsOf: [.package(path: "../x")])
			package.targets = package.targets + [.target(name: "C")]`,
			"P L1=A0, T A0, T B1, T C, D x",
		},
		"functions, map and closures": {
			`func lib(_ n: String, suffix: String = "") -> Product { return .library(name: n + suffix, targets: [n]) }
			let all = ["A", "B", "skip"]
			let package = Package(name: "K", products: all.filter { $0 != "skip" }.map { lib($0, suffix: "!") },
			  targets: all.compactMap { n in
			    guard !n.hasPrefix("s") else { return nil }
			    return .target(name: n)
			  })`,
			"P A!=A, P B!=B, T A, T B",
		},
		"conditions of the compiler": {
			`#if os(Linux) && !canImport(Darwin) && swift(>=5.9) && compiler(<99)
			let n = "Linux"
			#elseif os(macOS)
			let n = "Mac"
			#else
			let n = "Else"
			#endif
			let package = Package(name: n, targets: [.target(name: n)])
			#if DEBUG || FLAG
			package.targets += [.target(name: "Debug")]
			#endif`,
			"T Linux",
		},
		"the environment is empty": {
			`import Foundation
			let ci = ProcessInfo.processInfo.environment["CI"] != nil
			let local = Context.environment["LOCAL"] == "1"
			let package = Package(name: "K", targets: [.target(name: ci ? "CI" : "Plain")])
			if let v = Context.environment["X"], v == "1" { package.targets.append(.target(name: v)) } else if local { } else { package.targets.append(.target(name: "E")) }
			if Context.environment["DEPS", default: "no"] == "no" { package.targets.append(.target(name: "F")) }`,
			"T Plain, T E, T F",
		},
		"extensions with names": {
			`extension String { static let kite = "Kite"; var tests: String { self + "Tests" } }
			extension Target.Dependency { static let kite: Self = .target(name: .kite); static var a: Self { .product(name: "A", package: "a") } }
			extension Package.Dependency { static func own(_ n: String) -> Package.Dependency { .package(url: "https://host.example/mona/\(n)", from: "1.0.0") } }
			let package = Package(name: .kite, products: [.library(name: .kite, targets: [.kite])], dependencies: [.own("a")],
			  targets: [.target(name: .kite, dependencies: [.a]), .testTarget(name: .kite.tests, dependencies: [.kite])])`,
			"P Kite=Kite, T Kite, T KiteTests, D a",
		},
		"enumerations and structs": {
			`enum Module: String, CaseIterable { case core = "Core", ui
			  var target: Target { switch self { case .core: return .target(name: rawValue, path: "C"); case .ui: return .target(name: self.rawValue.uppercased()) } } }
			struct Lib { var name: String; var deps: [String] = []; init(_ n: String) { self.name = n }
			  func product() -> Product { .library(name: name, targets: [name]) } }
			let package = Package(name: "K", products: [Lib("Core")].map { $0.product() }, targets: Module.allCases.map(\.target))`,
			"P Core=Core, T Core, T UI",
		},
		"a closure that is called": {
			`let package = Package(name: "K", targets: {
			  var result = [Target]()
			  result.append(.target(name: "A"))
			  if false { return [] }
			  return result
			}())`,
			"T A",
		},
		"targets that are changed": {
			`let package = Package(name: "K", targets: [.target(name: "A"), .testTarget(name: "B")])
			for target in package.targets where target.type != .test { target.swiftSettings = (target.swiftSettings ?? []) + [.define("X")]; target.name += "1" }`,
			"T A1, T B",
		},
		"dictionaries and sets": {
			`let d = ["a": ["x"], "b": []]
			let package = Package(name: "K", targets: d.map { name, deps in .target(name: name, dependencies: deps.map { .init(stringLiteral: $0) }) } + Set(["c"]).map { .target(name: $0) })
			var e: [String: String] = [:]; e["k"] = "v"
			package.targets.append(.target(name: e["k"] ?? "none"))
			package.targets.append(.target(name: e["z"] ?? "none"))`,
			"T a, T b, T c, T v, T none",
		},
		"strings of several lines and raw ones": {
			"let n = \"\"\"\n  Ki\\\n  te\n  \"\"\"\nlet package = Package(name: #\"K\\(1)\"#, targets: [.target(name: n)])",
			"T Kite",
		},
	} {
		m := parsed(t, tt.text)
		if got := names(m); got != tt.want {
			t.Errorf("%s: %s, want %s; %q", name, got, tt.want, m.Warnings)
		}
	}
}

func TestParse_ReportsWhatIsNotUnderstood(t *testing.T) {
	for name, tt := range map[string]struct{ text, warning string }{
		"a file is asked for": {
			`import Foundation
			let package = Package(name: "K", targets: [.target(name: "A")])
			if FileManager.default.fileExists(atPath: "x") { package.targets += [.target(name: "B")] }`,
			"line 5: a condition depends on something that only the compiler knows",
		},
		"a target that is computed elsewhere": {`let package = Package(name: "K", targets: [.target(name: "A"), load()])`, "line 3: one of the targets could not be interpreted"},
		"a name that is not known":            {`let package = Package(name: "K", targets: [.target(name: "A", path: secret)])`, "the path of target could not be interpreted"},
		"what is no Swift":                    {"let package = Package(name: \"K\", targets: [.target(name: \"A\")])\n) ) what", "line 4: a statement could not be parsed"},
	} {
		m := parsed(t, tt.text)
		if !strings.HasPrefix(names(m), "T A") || !slices.ContainsFunc(m.Warnings, func(w string) bool { return strings.Contains(w, tt.warning) }) {
			t.Errorf("%s: %s, %q", name, names(m), m.Warnings)
		}
	}
	for _, text := range []string{"", "let x = 1", "<html>", strings.Repeat("[", 10_000), strings.Repeat("{", 10_000), "func f() { f() }\nf()", strings.Repeat("!", 10_000) + "x", strings.Repeat("if x {", 5000), "let x = " + strings.Repeat("a ? b : ", 5000)} {
		if m, err := Parse(text, "linux"); !errors.Is(err, ErrNoPackage) {
			t.Errorf("%.20q: %+v, %v", text, m, err)
		}
	}
	if _, err := Parse(strings.Repeat(" ", MaxFile+1), "linux"); err == nil {
		t.Error("a file of 2 MiB is a manifest")
	}
}

func TestParse_BoundsEvaluation(t *testing.T) {
	for name, text := range map[string]string{
		"a loop without an end":        `while true { }`,
		"a function that calls itself": `func f(_ n: Int) -> Int { f(n + 1) + f(n + 2) }; let x = f(0)`,
		"a string that doubles":        `var s = "xxxxxxxx"; for _ in 0..<100 { s = s + s }`,
		"a list that doubles":          `var l = ["x"]; for _ in 0..<100 { l = l + l }`,
		"a long range":                 `for i in 0..<9223372036854775807 { }`,
		"loops within loops":           `for a in 0..<10000 { for b in 0..<10000 { for c in 0..<10000 { } } }`,
		"a static that needs itself":   "struct S { static let a = S.b; static let b = S.a }\nlet x = S.a",
	} {
		m, err := Parse(head+"let package = Package(name: \"K\", targets: [])\n"+text, "linux")
		if err != nil || m.Name != "K" {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

func TestToolsVersion(t *testing.T) {
	for text, want := range map[string]string{
		"// swift-tools-version:5.5\n":                          "5.5.0",
		"// swift-tools-version: 5.9.1;(experimentalFeatures)":  "5.9.1",
		"//swift-tools-version:6":                               "6.0.0",
		"\n// Swift-Tools-Version:4.2\n":                        "4.2.0",
		"// A licence.\n//\n// swift-tools-version: 6.0\n":      "6.0.0",
		"import PackageDescription\n// swift-tools-version:5.5": "3.1.0",
		"": "3.1.0",
	} {
		if got := ToolsVersion(text).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestChoose_ForACompiler(t *testing.T) {
	tools := func(v string) string { return "// swift-tools-version:" + v + "\n" }
	for name, tt := range map[string]struct {
		files    map[string]string
		compiler string
		want     string
	}{
		"one alone":                          {map[string]string{"Package.swift": tools("5.5")}, "6.3.1", "Package.swift"},
		"one for this version":               {map[string]string{"Package.swift": tools("6.2"), "Package@swift-6.3.swift": tools("6.0")}, "6.3.1", "Package@swift-6.3.swift"},
		"one for an older version":           {map[string]string{"Package.swift": tools("5.5"), "Package@swift-5.9.swift": tools("5.9"), "Package@swift-6.swift": tools("6.0")}, "6.3.1", "Package@swift-6.swift"},
		"the plain one is newer":             {map[string]string{"Package.swift": tools("6.2"), "Package@swift-6.0.swift": tools("6.0")}, "6.3.1", "Package.swift"},
		"the plain one is too new":           {map[string]string{"Package.swift": tools("7.0"), "Package@swift-6.0.swift": tools("6.0")}, "6.3.1", "Package@swift-6.0.swift"},
		"the special one is too new":         {map[string]string{"Package.swift": tools("5.5"), "Package@swift-7.0.swift": tools("7.0")}, "6.3.1", "Package.swift"},
		"the special one is for an older":    {map[string]string{"Package.swift": tools("6.0"), "Package@swift-5.10.swift": tools("5.10"), "Package@swift-5.9.swift": tools("5.9")}, "5.10.0", "Package@swift-5.10.swift"},
		"without a plain one":                {map[string]string{"Package@swift-5.9.swift": tools("5.9")}, "6.3.1", "Package@swift-5.9.swift"},
		"no manifest":                        {map[string]string{"Package@swift-x.swift": "", "Packages.swift": ""}, "6.3.1", ""},
		"one for an older patch of this one": {map[string]string{"Package.swift": tools("5.5"), "Package@swift-6.3.0.swift": tools("6.3")}, "6.3.1", "Package@swift-6.3.0.swift"},
	} {
		root := fstest.MapFS{}
		for file, text := range tt.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		compiler, err := swiftpm.ParseVersion(tt.compiler)
		if err != nil {
			t.Fatal(err)
		}
		got := Choose(Names(root), compiler, func(name string) (string, error) {
			data, err := root.ReadFile(name)
			return string(data), err
		})
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestTarget_Directory(t *testing.T) {
	root := fstest.MapFS{"Sources/A/a.swift": {}, "Source/B/b.swift": {}, "Tests/ATests/a.swift": {}, "Plugins/P/p.swift": {}, "Sources/T/t.swift": {}}
	isDir := func(path string) bool {
		info, err := root.Stat(path)
		return err == nil && info.IsDir()
	}
	for name, tt := range map[string]struct {
		target Target
		want   string
	}{
		"the usual one":          {Target{Name: "A", Kind: "target"}, "Sources/A"},
		"another usual one":      {Target{Name: "B", Kind: "target"}, "Source/B"},
		"of tests":               {Target{Name: "ATests", Kind: "testTarget"}, "Tests/ATests"},
		"of tests among sources": {Target{Name: "T", Kind: "testTarget"}, "Sources/T"},
		"of a plugin":            {Target{Name: "P", Kind: "plugin"}, "Plugins/P"},
		"given":                  {Target{Name: "A", Kind: "target", Path: "./Code//A/"}, "Code/A"},
		"the package itself":     {Target{Name: "A", Kind: "target", Path: "."}, "."},
		"outside":                {Target{Name: "A", Kind: "target", Path: "../../etc"}, ""},
		"none":                   {Target{Name: "Z", Kind: "target"}, ""},
		"binary":                 {Target{Name: "A", Kind: "binaryTarget"}, ""},
	} {
		if got := tt.target.Directory(isDir); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestCondition_Holds(t *testing.T) {
	c := &Condition{Platforms: []string{"macOS", "linux"}, Configuration: "debug", Traits: []string{"A", "B"}}
	for _, tt := range []struct {
		platform string
		traits   []string
		debug    bool
		want     bool
	}{
		{"Linux", []string{"B"}, true, true}, {"windows", []string{"B"}, true, false}, {"linux", nil, true, false}, {"linux", []string{"A"}, false, false},
	} {
		if got := c.Holds(tt.platform, tt.traits, tt.debug); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
	if !(*Condition)(nil).Holds("linux", nil, false) {
		t.Error("no condition does not hold")
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(head + `let package = Package(name: "K", products: [.library(name: "K", targets: ["K"])], targets: [.target(name: "K")])`)
	f.Add(head + "#if os(Linux)\nfor i in 0..<3 { package.targets.append(.target(name: \"\\(i)\")) }\n#endif")
	f.Add("extension [Target] { static var all: Self { map { $0 } } }\nlet p = Package(name: \"\", targets: .all)")
	f.Add("enum E: String { case a, b = \"c\" }\nswitch E.a { case .a: let package = Package(name: E.b.rawValue) default: () }")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text, "linux")
		if err != nil {
			return
		}
		for i := range m.Targets {
			if dir := m.Targets[i].Directory(func(string) bool { return true }); strings.HasPrefix(dir, "/") || slices.Contains(strings.Split(dir, "/"), "..") {
				t.Fatalf("the directory %q", dir)
			}
		}
		for i := range m.Dependencies {
			_ = m.Dependencies[i].Identity()
		}
	})
}
