// Package modeltest writes the documentation of packages as text, with the parts of every
// declaration, and compares it with golden files. It also contains tests that all languages share. The
// tests of languages use it.
package modeltest

import (
	"bufio"
	"cmp"
	"errors"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/naming"
)

// Golden describes a package and compares its text with a golden file. In the text, PROJECT
// replaces the project's directory. Golden also checks the parts of all declarations, and that the
// package is the same after it was stored.
func Golden(t *testing.T, l ecosystem.Language, q ecosystem.Query, file string) {
	t.Helper()
	p, err := ecosystem.Describe(t.Context(), l, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]apidoc.Symbol{p.Symbols, p.Internal, p.Elsewhere} {
		checkParts(t, p, list)
	}
	text := Text(p)
	if stored := storedText(t, p); stored != text {
		t.Errorf("%s is different after it was stored:\n%s", p.Name, stored)
	}
	dir, err := q.Project()
	if err != nil {
		t.Fatal(err)
	}
	if dir != "" {
		text = strings.ReplaceAll(text, dir, "PROJECT")
	}
	filetest.Golden(t, file, text)
}

// checkParts checks the parts of symbols and of their members.
func checkParts(t *testing.T, p *apidoc.Package, symbols []apidoc.Symbol) {
	t.Helper()
	for i := range symbols {
		d := p.Decl(&symbols[i])
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", symbols[i].Path, err)
		}
		checkParts(t, p, symbols[i].AllMembers())
	}
}

// storedText returns the text of a package that was encoded and decoded.
func storedText(t *testing.T, p *apidoc.Package) string {
	t.Helper()
	e, err := apicodec.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	out := bufio.NewWriter(&b)
	if err := errors.Join(e.Write(out), out.Flush()); err != nil {
		t.Fatal(err)
	}
	stored, err := apicodec.Decode(b.String())
	if err != nil {
		t.Fatal(err)
	}
	stored.Ecosystem, stored.Style = p.Ecosystem, p.Style
	return Text(stored)
}

// Text returns everything that is known of a package, except its Style: a line for each field that
// is not empty, and for each symbol its kind, path and position, its declaration after bars, the
// parts of the declaration, and its other fields. In the lines of parts, an arrow points to the
// target of a reference, or to a question mark if the target is unknown.
func Text(p *apidoc.Package) string {
	w := writer{resolver: naming.NewResolver(p)}
	w.fields(reflect.ValueOf(p).Elem())
	return w.b.String()
}

type writer struct {
	b        strings.Builder
	indent   string
	resolver *naming.Resolver
}

func (w *writer) line(parts ...string) {
	if text := strings.TrimRight(strings.Join(parts, ""), " "); text != "" {
		w.b.WriteString(w.indent + text)
	}
	w.b.WriteByte('\n')
}

// nested calls write with a greater indentation.
func (w *writer) nested(write func()) {
	before := w.indent
	w.indent += "  "
	write()
	w.indent = before
}

// fields writes the fields of a struct, except those in omit.
func (w *writer) fields(v reflect.Value, omit ...string) {
next:
	for i := range v.NumField() {
		f := v.Type().Field(i)
		for _, name := range omit {
			if f.Name == name {
				continue next
			}
		}
		if f.IsExported() && !v.Field(i).IsZero() && f.Name != "Style" {
			w.field(label(f.Name), v.Field(i))
		}
	}
}

// label returns the name of a field as words.
func label(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (w *writer) field(name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.text(name, v.String())
	case reflect.Bool:
		w.line(name)
	case reflect.Int:
		w.line(name, ": ", strconv.FormatInt(v.Int(), 10))
	case reflect.Struct:
		w.line(name, ":")
		w.nested(func() { w.fields(v) })
	case reflect.Slice:
		w.list(name, v)
	default:
		panic("modeltest: cannot write the field " + name)
	}
}

// text writes text on the line of its name, or on the following lines if it has several lines.
func (w *writer) text(name, text string) {
	if !strings.Contains(text, "\n") {
		w.line(name, ": ", text)
		return
	}
	w.line(name, ":")
	w.nested(func() {
		for line := range strings.SplitSeq(text, "\n") {
			w.line(line)
		}
	})
}

func (w *writer) list(name string, v reflect.Value) {
	if _, ok := reflect.TypeAssert[[]apidoc.Symbol](v); !ok {
		w.line(name, ":")
		defer func(before string) { w.indent = before }(w.indent)
		w.indent += "  "
	} else if name != "symbols" {
		w.line(name, ":")
	}
	for i := range v.Len() {
		switch e := v.Index(i).Interface().(type) {
		case string:
			w.line(e)
		case apidoc.Ref:
			w.line(e.Name, " → ", target(&e))
		case apidoc.Symbol:
			w.symbol(&e)
		default:
			w.line("-")
			w.nested(func() { w.fields(v.Index(i)) })
		}
	}
}

func (w *writer) symbol(s *apidoc.Symbol) {
	w.line()
	position := s.File
	if s.Line > 0 {
		position += ":" + strconv.Itoa(s.Line)
	}
	w.line(string(s.Kind), " ", s.Path, "  ", position)
	w.nested(func() {
		for line := range strings.SplitSeq(s.Signature, "\n") {
			w.line("| ", line)
		}
		w.parts(w.resolver.Decl(s))
		w.fields(reflect.ValueOf(s).Elem(), "Kind", "Path", "File", "Line", "Signature", "Members")
		for _, m := range s.AllMembers() {
			w.symbol(&m)
		}
	})
}

// parts writes the parts of declarations. The line of a declaration is omitted if there is only one.
func (w *writer) parts(d apidoc.Decl) {
	declarations := 0
	for range d.Within(-1, apidoc.DeclarationPart) {
		declarations++
	}
	if declarations == 0 && d.Text != "" {
		w.line("· no parts")
	}
	depth := make([]int, len(d.Parts))
	for i, p := range d.Parts {
		if p.Parent >= 0 {
			depth[i] = depth[p.Parent] + 1
		} else if declarations == 1 {
			depth[i] = -1
			continue
		}
		w.line("· ", strings.Repeat("  ", depth[i]), partText(&d, i))
	}
}

func partText(d *apidoc.Decl, i int) string {
	p := &d.Parts[i]
	text := p.Role.String() + " " + strings.ReplaceAll(d.PartText(i), "\n", "⏎")
	if p.Flags != 0 {
		text += " [" + p.Flags.String() + "]"
	}
	switch {
	case p.Target != nil:
		text += " → " + target(p.Target)
	case p.Role == apidoc.ReferencePart && p.Flags&(apidoc.Local|apidoc.Builtin) == 0:
		text += " → ?"
	}
	return text
}

// target returns the package and the path of a name's target.
func target(r *apidoc.Ref) string {
	switch {
	case r.Package == "" && r.Path == "":
		return "?"
	case r.Package == "":
		return r.Path
	case r.Path == "":
		return "package " + r.Package
	}
	return r.Path + " of " + r.Package
}

// File returns the name of the golden file of a package below dir.
func File(dir, pkg string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '.'
	}, strings.TrimPrefix(pkg, "./"))
	name = cmp.Or(strings.Trim(name, "."), "root")
	return filepath.Join(dir, name+".txt")
}
