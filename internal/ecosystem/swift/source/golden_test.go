package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// dump formats everything that was read from a file, with one declaration per line.
func dump(f *File) string {
	var b strings.Builder
	for _, m := range f.Imports {
		fmt.Fprintf(&b, "%d import %s %s%s%s\n", m.Line, m.Path, accessName(m.Access), attributeText(m.Attributes), conditionText(m.Conditions))
	}
	dumpDecls(&b, f.Decls, "")
	for _, s := range f.Skipped {
		fmt.Fprintf(&b, "skipped %d %s\n", s.Line, s.Reason)
	}
	return b.String()
}

func dumpDecls(b *strings.Builder, decls []*Decl, indent string) {
	for _, d := range decls {
		fmt.Fprintf(b, "%s%d %s%s | %s", indent, d.Line, accessName(d.Access), d.Title(), d.Declaration(Inferred{}))
		if d.SetAccess != Unspecified {
			b.WriteString(" | set " + accessName(d.SetAccess))
		}
		if len(d.Inherits) > 0 && d.Kind != Protocol && d.Kind != AssociatedType && d.Kind != Extension {
			b.WriteString(" | inherits " + strings.Join(d.Inherits, ", "))
		}
		b.WriteString(attributeText(d.Attributes))
		if d.Pattern != "" {
			b.WriteString(" | pattern " + d.Pattern)
		}
		if d.Value != "" {
			fmt.Fprintf(b, " | value %q", d.Value)
		}
		if doc := d.Doc(); doc != "" {
			fmt.Fprintf(b, " | doc %q", doc)
		}
		b.WriteString(conditionText(d.Conditions))
		b.WriteByte('\n')
		dumpDecls(b, d.Members, indent+"  ")
	}
}

func accessName(a Access) string {
	return [...]string{"", "private ", "fileprivate ", "internal ", "package ", "public ", "open "}[a]
}

func attributeText(all []Attribute) string {
	var b strings.Builder
	for _, a := range all {
		b.WriteString(" | @" + a.Name)
		if a.HasArgs {
			fmt.Fprintf(&b, "(%s)", a.Args)
		}
		b.WriteString(conditionText(a.Conditions))
	}
	return b.String()
}

func conditionText(all []*Condition) string {
	var b strings.Builder
	for _, c := range all {
		b.WriteString(" | if ")
		for ; c != nil; c = c.Before {
			if c.Expr != nil {
				b.WriteString(exprText(c.Expr))
			} else {
				b.WriteString("else")
			}
			if c.Before != nil {
				b.WriteString(" after ")
			}
		}
	}
	return b.String()
}

func exprText(e *ConditionExpr) string {
	switch e.Op {
	case Flag:
		return e.Name
	case Test:
		return e.Name + "(" + e.Arg + ")"
	case Not:
		return "!" + exprText(e.Left)
	case And:
		return "(" + exprText(e.Left) + " && " + exprText(e.Right) + ")"
	case Or:
		return "(" + exprText(e.Left) + " || " + exprText(e.Right) + ")"
	}
	return "?"
}

// inputs returns the files of the golden tests: the ones that package module reads as a
// whole, and one for each group of constructs.
func inputs(tb testing.TB) []string {
	var all []string
	for _, pattern := range []string{"testdata/syntax/*.swift", "../module/testdata/constructs/Sources/Constructs/*.swift", "../module/testdata/constructs/Sources/Constructs/Nested/*.swift"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			tb.Fatal("no files ", pattern, err)
		}
		all = append(all, files...)
	}
	return all
}

func TestGolden(t *testing.T) {
	for _, name := range inputs(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := dump(Parse(name, text))
		filetest.Golden(t, filepath.Join("testdata", "golden", strings.TrimSuffix(filepath.Base(name), ".swift")+".txt"), got)
	}
}
