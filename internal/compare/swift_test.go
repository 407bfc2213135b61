package compare_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
)

// swiftDeclarations are declarations from which TestPackages_Swift makes pairs of versions.
var swiftDeclarations = []string{
	"method: Box.put(_:at:) = func put(_ item: Item, at index: Int) -> Bool",
	"method: Box.load(from:options:) = func load(from url: URL, options: [String] = []) async throws -> Data",
	"method: Box.map(_:) = func map<T: Hashable>(_ transform: (Item) -> T) -> [T]",
	"initializer: Box.init(name:size:) = init(name: String, size: Int)",
	"static method: Box.make(count:) = static func make(count: Int) -> Box",
}

// TestPackages_Swift changes one declaration after the other by rules, and checks that each change
// is found, alone and with the right severity.
func TestPackages_Swift(t *testing.T) {
	label := strings.NewReplacer("at:", "to:", "at index", "to index", "from:", "of:", "from url", "of url", "name:", "title:", "count:", "number:")
	withParam := func(declaration, param string) string {
		declaration = strings.Replace(declaration, ":) =", ":extra:) =", 1)
		i := strings.LastIndex(declaration, ")"+rest(declaration))
		return declaration[:i] + ", " + param + declaration[i:]
	}
	rules := []struct {
		name   string
		edit   func(declaration string) string // returns the new declaration, "" if it is removed, or the same if the rule does not apply
		want   string                          // the severity and kind of the change
		detail string                          // a part of the details
	}{
		{"removed", func(string) string { return "" }, "breaking removed", ""},
		{"renamed", strings.NewReplacer("put(", "insert(", "load(", "fetch(", "map(", "transform(", "map<", "transform<", "make(", "create(").Replace, "breaking removed", ""},
		{"required parameter", func(d string) string { return withParam(d, "extra: Int") }, "breaking moved", "the same name with other labels"},
		{"optional parameter", func(d string) string { return withParam(d, "extra: Int = 0") }, "risky moved", "parameter added extra (optional)"},
		{"label", label.Replace, "breaking moved", "the same name with other labels"},
		{"type of a parameter", strings.NewReplacer("Int", "UInt8", "url: URL", "url: String").Replace, "breaking changed", "parameter type"},
		{"result", strings.NewReplacer("-> Bool", "-> Int", "-> Data", "-> String", "-> [T]", "-> Set<T>", "-> Box", "-> Box?").Replace, "breaking changed", "result"},
		{"throws", strings.NewReplacer(") -> Bool", ") throws -> Bool", ") -> [", ") throws -> [", ") -> Box", ") throws -> Box").Replace, "breaking changed", "effect added: throws"},
		{"async", strings.NewReplacer(") -> Bool", ") async -> Bool", ") -> [", ") async -> [", ") -> Box", ") async -> Box").Replace, "breaking changed", "effect added: async"},
		{"no longer async", strings.NewReplacer(" async throws", " throws").Replace, "risky changed", "effect removed: async"},
		{"constraint", strings.NewReplacer("T: Hashable", "T: Codable").Replace, "breaking changed", "constraint T"},
		{"default removed", strings.NewReplacer(" = []", "").Replace, "breaking changed", "parameter became required options"},
		{"default added", strings.NewReplacer("index: Int", "index: Int = 0", "size: Int", "size: Int = 0").Replace, "risky changed", "parameter became optional"},
		{"no longer static", strings.NewReplacer("static func", "func").Replace, "breaking changed", "static"},
	}
	pairs := 0
	for _, rule := range rules {
		for i, declaration := range swiftDeclarations {
			changed := rule.edit(declaration)
			if changed == declaration {
				continue
			}
			pairs++
			version := func(declaration string) string {
				all := append([]string{"struct: Box = struct Box"}, swiftDeclarations...)
				all[i+1] = declaration
				return strings.Join(all, "\n")
			}
			old, new := pkg("swift", "Boxes", "1.0.0", version(declaration)), pkg("swift", "Boxes", "2.0.0", version(changed))
			var got []string
			for line := range strings.SplitSeq(strings.TrimSpace(outline(compare.Packages(one(old), one(new)))), "\n") {
				if !strings.HasPrefix(line, "compatible added ") {
					got = append(got, line)
				}
			}
			if len(got) != 1 || !strings.HasPrefix(got[0], rule.want+" Box.") || !strings.Contains(got[0], rule.detail) {
				t.Errorf("%s: %s\ngot %q\nwant %s … %s", rule.name, declaration, got, rule.want, rule.detail)
			}
		}
	}
	if pairs < 25 {
		t.Errorf("only %d pairs", pairs)
	}
}

// rest returns what follows the parameters of a declaration.
func rest(declaration string) string {
	for _, end := range []string{" -> Bool", " async throws -> Data", " -> [T]", " -> Box"} {
		if strings.HasSuffix(declaration, end) {
			return end
		}
	}
	return ""
}

// TestPackages_SwiftSources compares pairs of sources: access, availability, accessors and requirements.
func TestPackages_SwiftSources(t *testing.T) {
	for _, pair := range []struct{ old, new, want string }{
		{"public func f() {}", "func f() {}", "breaking removed f()"},
		{"public func f() {}", "package func f() {}", "breaking removed f()"},
		{"public struct A { public func f() {} }", "struct A { public func f() {} }", "breaking removed A"},
		{"public struct A { public func f() {} }", "public struct A { func f() {} }", "breaking removed A.f()"},
		{"public struct A {}\npublic extension A { func f() {} }", "public struct A {}\nextension A { func f() {} }", "breaking removed A.f()"},
		{"func f() {}", "public func f() {}", "compatible added f()"},
		{"open class A {}", "public class A {}", "breaking changed A; modifier removed: open"},
		{"open class A { open func f() {} }", "open class A { public func f() {} }", "breaking changed A.f(); modifier removed: open"},
		{"public class A {}", "open class A {}", "compatible changed A; modifier added: open"},
		{"public class A {}", "public final class A {}", "breaking changed A; modifier added: final"},
		{"open class A { public init() {} }", "open class A { public required init() {} }", "breaking changed A.init(); modifier added: required"},
		{"public struct A { public var a: Int }", "public struct A { public private(set) var a: Int }", "breaking changed A.a; modifier added: get"},
		{"public struct A { public internal(set) var a: Int }", "public struct A { public var a: Int }", "compatible changed A.a; modifier removed: get"},
		{"public struct A { public var a: Int { get { 1 } set {} } }", "public struct A { public var a: Int { 1 } }", "breaking changed A.a; modifier added: get"},
		{"public struct A { public var a: Int { get { 1 } set {} } }", "public struct A { public var a: Int }", ""},
		{"public struct A { public var a: Int }", "public struct A { public var a: Int { get { 1 } set {} } }", ""},
		{"public struct A { public let a: Int }", "public struct A { public var a: Int { 1 } }", ""},
		{"public struct A { public var a: Int }", "public struct A { public let a: Int }", "breaking changed A.a; modifier added: let"},
		{"public struct A { public subscript(i: Int) -> Int { get { 1 } set {} } }", "public struct A { public subscript(i: Int) -> Int { 1 } }", "breaking changed A.subscript(_:); modifier added: get"},
		{"public struct A { public init(a: Int) {} }", "public struct A { public init?(a: Int) {} }", "breaking changed A.init(a:); modifier added: ?"},
		{"public struct A { public init?(a: Int) {} }", "public struct A { public init(a: Int) {} }", "risky changed A.init(a:); modifier removed: ?"},
		{"public func f() {}", "@available(*, unavailable, renamed: \"g()\") public func f() {}", "breaking removed f()"},
		{"public func f() {}", "@available(swift, obsoleted: 5.0) public func f() {}", "breaking removed f()"},
		{"public func f() {}", "@available(*, deprecated, renamed: \"g()\") public func f() {}", "risky deprecated f()"},
		{"@available(*, deprecated) public func f() {}", "public func f() {}", "compatible no longer deprecated f()"},
		{"public func f() {}", "@available(macOS, unavailable) public func f() {}", "risky changed f(); modifier added: @available(macOS, unavailable)"},
		{"@available(macOS, unavailable) public func f() {}", "public func f() {}", "compatible changed f(); modifier removed: @available(macOS, unavailable)"},
		{"public struct A { public func f() {} }", "@available(iOS, unavailable) public struct A { public func f() {} }", "risky changed A; modifier added: @available(iOS, unavailable)"},
		{"public func f() {}", "@available(iOS, deprecated: 15) public func f() {}", "risky changed f(); modifier added: @available(iOS, deprecated: 15)"},
		{"public func f() {}", "@available(macOS, obsoleted: 12) public func f() {}", "risky changed f(); modifier added: @available(macOS, obsoleted: 12)"},
		{"public func f() {}", "@available(*, noasync) public func f() {}", "risky changed f(); modifier added: @available(*, noasync)"},
		{"public protocol A {}", "public protocol A { func f() }", "breaking added A.f()"},
		{"public protocol A {}", "public protocol A { func f() }\nextension A { public func f() {} }", "compatible added A.f()"},
		{"public protocol A { func f() }\nextension A { public func f() {} }", "public protocol A { func f() }", ""},
	} {
		version := func(number, text string) []*apidoc.Package {
			p := module.Package{
				Name: "A", Root: fstest.MapFS{"M/a.swift": {Data: []byte(text)}}, Platform: "linux/amd64", Module: "M",
				Targets: []module.Target{{Name: "M", Dir: "M", Files: []string{"M/a.swift"}, Products: []string{"M"}}},
			}
			out, err := module.Read(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			out.Version, out.Style = number, styles["swift"]
			return one(out)
		}
		if got := strings.TrimSpace(outline(compare.Packages(version("1.0.0", pair.old), version("2.0.0", pair.new)))); got != pair.want {
			t.Errorf("%s\n→ %s\ngot  %s\nwant %s", pair.old, pair.new, got, pair.want)
		}
	}
}
