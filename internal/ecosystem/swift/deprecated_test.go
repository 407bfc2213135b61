package swift

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAcceptsDeprecated(t *testing.T) {
	const text = `@available(*, deprecated, message: "Use g.")
func f() {
    old() // accepted
}

func g() { old() }

struct S {
    @available(iOS, deprecated: 15)
    var x: Int { old() } // accepted
    @available(iOS 15, *)
    var y: Int { old() }
}

@available(*, unavailable)
extension S {
    func z() { old() } // accepted
}
`
	accepts := new(Swift).AcceptsDeprecated(&ecosystem.SourceFile{Name: "a.swift", Text: []byte(text)})
	for i, line := range slices.Collect(strings.Lines(text)) {
		if strings.Contains(line, "old()") && accepts(i+1) != strings.Contains(line, "// accepted") {
			t.Errorf("line %d: the use is accepted: %v: %s", i+1, accepts(i+1), line)
		}
	}
}
