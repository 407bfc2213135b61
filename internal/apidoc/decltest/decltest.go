// Package decltest writes the parts of declarations as text, for the tests of those who
// read declarations.
package decltest

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Outline returns the parts of a declaration, one per line, indented below their enclosing parts:
// the role, the text, the flags in brackets, and after an arrow the symbol to which a reference
// refers.
func Outline(d apidoc.Decl) string {
	var b strings.Builder
	depth := make([]int, len(d.Parts))
	for i, p := range d.Parts {
		if p.Parent >= 0 {
			depth[i] = depth[p.Parent] + 1
		}
		b.WriteString(strings.Repeat("  ", depth[i]) + p.Role.String() + " " + strings.ReplaceAll(d.PartText(i), "\n", "⏎"))
		if p.Flags != 0 {
			b.WriteString(" [" + p.Flags.String() + "]")
		}
		if p.Target != nil {
			b.WriteString(" → " + strings.TrimSpace(p.Target.Package+" "+p.Target.Path))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Expect reports an error if the outline of a signature differs from want, which contains the lines
// within its only declaration, separated by line breaks. If want is empty, the signature must have
// no outline.
func Expect(t *testing.T, syntax apidoc.Syntax, kind apidoc.Kind, signature, want string) {
	t.Helper()
	d := apidoc.Decl{Text: signature, Parts: syntax.Parts(&apidoc.Symbol{Kind: kind, Signature: signature})}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	head, got, _ := strings.Cut(Outline(d), "\n")
	got = strings.TrimSuffix(strings.ReplaceAll("\n"+got, "\n  ", "\n")[1:], "\n")
	if want == "" && head != "" || want != got {
		t.Errorf("the parts of %s %q are\n%s\nwant\n%s", kind, signature, got, want)
	}
}
