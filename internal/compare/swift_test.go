package compare_test

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/compare"
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
