package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// shape writes a manifest as lines: products, targets with their dependencies and settings, and dependencies.
func shape(m *Manifest) string {
	var b strings.Builder
	condition := func(c *Condition) string {
		if c == nil {
			return ""
		}
		return " if " + strings.Join(append(append(c.Platforms, c.Configuration), c.Traits...), " ")
	}
	for _, p := range m.Products {
		fmt.Fprintf(&b, "%s %s: %s\n", p.Kind, p.Name, strings.Join(p.Targets, " "))
	}
	for _, t := range m.Targets {
		fmt.Fprintf(&b, "%s %s", t.Kind, t.Name)
		if t.Path != "" {
			fmt.Fprintf(&b, " at %s", t.Path)
		}
		if len(t.Exclude) > 0 {
			fmt.Fprintf(&b, " without %s", strings.Join(t.Exclude, " "))
		}
		b.WriteByte('\n')
		for _, d := range t.Dependencies {
			fmt.Fprintln(&b, "  needs", strings.TrimPrefix(d.Package+"/", "/")+d.Name+strings.TrimRight(condition(d.Condition), " "))
		}
		for _, s := range append(append(t.Swift, t.C...), t.CXX...) {
			fmt.Fprintln(&b, "  "+strings.TrimRight(s.Kind+" "+s.Name+" "+s.Value, " ")+strings.TrimRight(condition(s.Condition), " "))
		}
	}
	for _, d := range m.Dependencies {
		fmt.Fprintln(&b, "package", strings.TrimSpace(d.URL+d.Path+d.ID+" "+fmt.Sprint(d.Requirement)))
	}
	return strings.TrimRight(b.String(), "\n")
}

func TestManifest_Shapes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"targets by functions with default values", `
func module(_ name: String, needs dependencies: [Target.Dependency] = [], tested: Bool = true) -> [Target] {
    var all: [Target] = [.target(name: name, dependencies: dependencies, path: "Code/\(name)")]
    if tested {
        all.append(.testTarget(name: "\(name)Tests", dependencies: [.target(name: name)]))
    }
    return all
}
let package = Package(name: "K", targets: module("A") + module("B", needs: ["A"], tested: false))
`, `target A at Code/A
testTarget ATests
  needs A
target B at Code/B
  needs A`},
		{"settings that a loop adds to every target", `
let package = Package(name: "K", targets: [.target(name: "A"), .executableTarget(name: "E"), .plugin(name: "P", capability: .buildTool())])
for target in package.targets where target.type != .plugin {
    var settings = target.swiftSettings ?? []
    settings.append(.enableUpcomingFeature("ExistentialAny"))
    settings += [.define("TRACE", .when(configuration: .debug))]
    target.swiftSettings = settings
}
`, `target A
  enableUpcomingFeature ExistentialAny
  define TRACE if debug
executableTarget E
  enableUpcomingFeature ExistentialAny
  define TRACE if debug
plugin P`},
		{"constants in an extension of the type", `
extension Target.Dependency {
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static var core: Self { "Core" }
    static func kit(_ name: String) -> Self { .product(name: name + "Kit", package: "kits") }
}
extension SwiftSetting { static let strict: Self = .enableExperimentalFeature("StrictConcurrency") }
extension [SwiftSetting] { static let all: [SwiftSetting] = [.strict, .swiftLanguageMode(.v5)] }
let package = Package(name: "K", targets: [.target(name: "A", dependencies: [.logging, .core, .kit("Map")], swiftSettings: .all)])
`, `target A
  needs swift-log/Logging
  needs Core
  needs kits/MapKit
  enableExperimentalFeature StrictConcurrency
  swiftLanguageMode`},
		{"modules as an enumeration", `
enum Module: String, CaseIterable {
    case core = "Core", ui = "UI", data
    var name: String { "Kite" + rawValue.capitalized }
    var needs: [Module] {
        switch self {
        case .core: return []
        case .ui, .data: return [.core]
        }
    }
    var target: Target { .target(name: name, dependencies: needs.map { .target(name: $0.name) }) }
}
let package = Package(
    name: "K",
    products: [.library(name: "All", targets: Module.allCases.map(\.name))],
    targets: Module.allCases.map(\.target)
)
`, `library All: KiteCore KiteUi KiteData
target KiteCore
target KiteUi
  needs KiteCore
target KiteData
  needs KiteCore`},
		{"dependencies by the environment", `
import Foundation
let isLocal = ProcessInfo.processInfo.environment["LOCAL"] != nil
let package = Package(name: "K", targets: [.target(name: "A", dependencies: [.product(name: "Log", package: "log")])])
if isLocal {
    package.dependencies += [.package(path: "../log")]
} else {
    package.dependencies += [.package(url: "https://host.example/log", from: "1.2.0")]
}
`, `target A
  needs log/Log
package https://host.example/log from 1.2.0`},
		{"platforms", `
#if os(macOS)
let extra: [Target] = [.target(name: "Mac")]
#else
let extra: [Target] = [.target(name: "Other", exclude: ["Mac.swift", "docs"])]
#endif
let apple: [Platform] = [.iOS, .macOS]
let package = Package(name: "K", targets: extra + [
    .target(name: "A", dependencies: [.target(name: "Other", condition: .when(platforms: apple)), .byName(name: "X", condition: .when(platforms: [.linux] + [.windows]))])
])
`, `target Other without Mac.swift docs
target A
  needs Other if iOS macOS
  needs X if linux windows`},
		{"dictionaries and sorted keys", `
let modules: [String: [String]] = ["B": ["A"], "A": []]
let package = Package(
    name: "K",
    products: modules.keys.sorted().map { .library(name: $0, targets: [$0]) },
    targets: modules.sorted { $0.key < $1.key }.map { .target(name: $0.key, dependencies: $0.value.map { .init(stringLiteral: $0) }) }
)
`, `library A: A
library B: B
target A
target B
  needs A`},
		{"merged and mapped dictionaries", `
let base = ["A": "1", "B": "2"]
let merged = base.merging(["B": "3", "C": "4"]) { old, new in old + new }.mapValues { "V" + $0 }
let package = Package(name: "K", targets: merged.keys.sorted().map { .target(name: $0, path: merged[$0]) })
`, `target A at V1
target B at V23
target C at V4`},
		{"sets", `
let a: Set<String> = ["x", "y"], b: Set = ["y", "z"]
let names = a.intersection(b).map { "both" + $0 } + a.subtracting(b).map { "only" + $0 } + [a.union(b).sorted().joined()]
let package = Package(name: "K", targets: names.map { .target(name: $0) })
`, `target bothy
target onlyx
target xyz`},
		{"C settings", `
let package = Package(name: "K", targets: [
    .target(name: "C", publicHeadersPath: "api", cSettings: [.headerSearchPath("in"), .define("N", to: "1", .when(platforms: [.linux]))],
        cxxSettings: [.define("CXX")], linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
], cLanguageStandard: .c11, cxxLanguageStandard: .cxx17)
`, `target C
  headerSearchPath in
  define N 1 if linux
  define CXX`},
		{"requirements of dependencies", `
let package = Package(name: "K", dependencies: [
    .package(url: "https://host.example/a", .upToNextMinor(from: "1.2.3")),
    .package(url: "https://host.example/b", exact: "1.0.0"),
    .package(url: "https://host.example/c", "1.0.0"..<"1.1.0"),
    .package(url: "https://host.example/d", "1.0.0"..."1.1.0"),
    .package(url: "https://host.example/e", .branch("dev")),
    .package(url: "https://host.example/f", revision: "abc"),
    .package(id: "mona.Kite", .upToNextMajor(from: "2.0.0")),
    .package(name: "G", path: "../g"),
], targets: [])
`, `package https://host.example/a 1.2.3..<1.3.0
package https://host.example/b exactly 1.0.0
package https://host.example/c 1.0.0..<1.1.0
package https://host.example/d 1.0.0..<1.1.1
package https://host.example/e branch dev
package https://host.example/f revision abc
package mona.Kite from 2.0.0
package ../g any version`},
		{"compilers", `
#if swift(>=5.9) && !swift(>=99) && compiler(>=5)
let modern = true
#else
let modern = false
#endif
let package = Package(name: "K", targets: modern ? [.target(name: "New")] : [.target(name: "Old")])
`, `target New`},
		{"a builder with a trailing closure", `
func targets(_ make: () -> [Target]) -> [Target] { make() }
func when(_ yes: Bool, _ make: @autoclosure () -> Target) -> [Target] { yes ? [make()] : [] }
let package = Package(name: "K", targets: targets { [.target(name: "A")] } + when(true, .target(name: "B")) + when(false, .target(name: "C")))
`, `target A
target B`},
		{"the package is changed in a function", `
let package = Package(name: "K", products: [], targets: [])
func add(_ name: String, to package: Package) {
    package.targets.append(.target(name: name))
    package.products.append(.library(name: name, targets: [name]))
}
["A", "B"].forEach { add($0, to: package) }
`, `library A: A
library B: B
target A
target B`},
		{"structures and closures", `
struct Part {
    let name: String
    var needs: [String] = []
    func target(_ path: (String) -> String) -> Target { .target(name: name, dependencies: needs.map { .byName(name: $0) }, path: path(name)) }
}
let parts = [Part(name: "Core"), Part(name: "Extra", needs: ["Core"])]
let package = Package(name: "K", targets: parts.map { $0.target { "Code/" + $0 } })
`, `target Core at Code/Core
target Extra at Code/Extra
  needs Core`},
	} {
		m := parsed(t, tt.text)
		if got := shape(m); got != tt.want || len(m.Warnings) > 0 {
			t.Errorf("%s: got\n%s\nwant\n%s\nwarnings %q", tt.name, got, tt.want, m.Warnings)
		}
	}
}

// TestManifest_Warnings reads manifests with parts that are wrong or that only the compiler or the machine knows.
func TestManifest_Warnings(t *testing.T) {
	for _, tt := range []struct{ name, text, want, warning string }{
		{"a target of unknown kind", `let package = Package(name: "K", targets: [.target(name: "A"), .mystery(name: "B")])`, "target A", "a target could not be interpreted"},
		{"a dependency of unknown kind", `let package = Package(name: "K", dependencies: [.package(url: "https://host.example/a", .mystery)], targets: [])`, "package https://host.example/a any version", "the versions of a dependency could not be interpreted"},
		{"a list that a function of the system returns", `
let files = FileManager.default.contentsOfDirectory(atPath: ".")
let package = Package(name: "K", targets: files.map { .target(name: $0) } + [.target(name: "A")])`, "", "the targets could not be interpreted"},
		{"a loop over what only the compiler knows", `
let package = Package(name: "K", targets: [.target(name: "A")])
for file in unknownFunction() { package.targets.append(.target(name: file)) }`, "target A", "a loop iterates over something that only the compiler knows, and is skipped"},
		{"a switch over what only the compiler knows", `
let mode = unknownFunction()
let extra: [Target]
switch mode { case "a": extra = [.target(name: "A")] default: extra = [.target(name: "D")] }
let package = Package(name: "K", targets: extra)`, "target D", "a switch depends on something that only the compiler knows, so its default is used"},
		{"an endless recursion", `
func f(_ n: Int) -> [Target] { f(n + 1) }
let package = Package(name: "K", targets: f(0) + [.target(name: "A")])`, "", "the targets could not be interpreted"},
		{"an operator of the package", `
infix operator <+>
let package = Package(name: "K", targets: [.target(name: "A")] <+> [.target(name: "B")])`, "", "the targets could not be interpreted"},
		{"a division by zero", `let package = Package(name: "K", targets: [.target(name: "A\(1 / 0)")])`, "", "interpreted"},
		{"a part that is cut off", `let package = Package(name: "K", targets: [.target(name: "A"), .target(name: "B", dependencies: [`, "target A\ntarget B", ""},
		{"an element that cannot be parsed", `let package = Package(name: "K", targets: [.target(name: "A"), ) ( , .target(name: "B")])`, "target A", ""},
	} {
		m, err := Parse(head+tt.text, "linux")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		warnings := strings.Join(m.Warnings, "\n")
		if got := shape(m); got != tt.want || !strings.Contains(warnings, tt.warning) || tt.warning == "" && warnings == "" {
			t.Errorf("%s: got\n%s\nwant\n%s\nwarnings %q", tt.name, got, tt.want, m.Warnings)
		}
	}
}

// TestManifest_Errors reads manifests from which nothing can be taken.
func TestManifest_Errors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no package", "let x = 1", "it does not create a Package that can be read"},
		{"an endless loop before it", "var n = 0\nwhile true { n += 1 }\nlet package = Package(name: \"K\")", "it does not create a Package that can be read"},
		{"an empty file", "", "it does not create a Package that can be read"},
		{"only the beginning", "let package = Pack", "it does not create a Package that can be read"},
	} {
		if m, err := Parse(head+tt.text, "linux"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v", tt.name, m, err)
		}
	}
}
