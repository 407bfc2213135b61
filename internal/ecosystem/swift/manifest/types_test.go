package manifest

import (
	"strings"
	"testing"
)

func TestType_ShortForm(t *testing.T) {
	for text, want := range map[string]typ{
		"Target":                                named("Target"),
		"Target.Dependency?":                    named("Target.Dependency"),
		"PackageDescription.Target.Dependency!": named("Target.Dependency"),
		"any Sendable":                          named("Sendable"),
		"@escaping @Sendable (Int) -> Target":   {},
		"(String, Int)":                         {},
		"[Target]":                              arrayOf("Target"),
		"[[Target?]]":                           {"Target", 2},
		"Array<Set<Optional<Target.Dependency>>>?":   {"Target.Dependency", 2},
		"Optional<Target>":                           named("Target"),
		"[String: [Target]]":                         named("Dictionary"),
		"Dictionary<String, Target>":                 named("Dictionary"),
		"Result<Target, Never>.Failure":              named("Result.Failure"),
		"":                                           {},
		strings.Repeat("[", 1000) + "Target":         {"", maxDepth + 1},
		strings.Repeat("Array<", 1000) + "Target>":   {"", maxDepth + 1},
		strings.Repeat("Optional<", 1000) + "Target": {},
	} {
		p := &parser{text: text}
		p.scan(func(string) bool { return true })
		if got := p.typeRef(); got != want || !p.end() {
			t.Errorf("%.60s: %.60q at depth %d, want %v; the parser stands at token %d of %d", text, got.name, got.depth, want, p.pos, len(p.toks))
		}
	}
}
