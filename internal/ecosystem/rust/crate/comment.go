package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/doctext"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxDoc is the maximum size in bytes of the documentation of one item.
const maxDoc = 1 << 20

// comment sets the documentation and deprecation of an item.
func (w *documenter) comment(s *apidoc.Symbol, d *def) {
	attrs := d.krate.attributes(d.item, d.unit)
	if len(attrs) == 0 {
		return
	}
	s.Doc = w.docText(d, attrs)
	s.Deprecated = deprecation(attrs)
}

// viaDoc returns the documentation on the imports that lead to an export.
func (w *documenter) viaDoc(x *export) string {
	var parts []string
	for _, e := range x.via {
		if e.item == nil || e.use != nil && e.use.Glob {
			continue
		}
		d := &def{kind: source.Use, item: e.item, unit: e.unit, krate: e.mod.krate, mod: e.mod}
		if doc := w.docText(d, e.mod.krate.attributes(e.item, e.unit)); doc != "" {
			parts = append(parts, doc)
		}
	}
	return strings.Join(parts, "\n\n")
}

// docText returns the documentation of an item as Markdown.
func (w *documenter) docText(d *def, attrs []attr) string {
	text := d.krate.rawDoc(attrs)
	if text == "" {
		return ""
	}
	scope := d.mod
	if d.kind == source.Module && d.sub != nil {
		scope = d.sub
	}
	return strings.Trim(markup.Clean(doctext.Links(doctext.Examples(text), func(target string) string { return w.path(target, d, scope) })), "\n")
}

// fragment is a doc comment or attribute.
type fragment struct {
	text  string
	sugar bool
}

// rawDoc joins doc comments and attributes without their common indent, as
// rustdoc does.
func (k *krate) rawDoc(attrs []attr) string {
	var all []fragment
	size := 0
	for i := range attrs {
		a := &attrs[i]
		var text string
		sugar := true
		switch {
		case a.comment != "":
			text = source.CommentText(a.comment)
		case a.meta.Path == "doc" && a.meta.Value != "":
			sugar = false
			text = k.docValue(a.meta.Value, a.unit, 0)
		default:
			continue
		}
		if size += len(text); size > maxDoc {
			break
		}
		all = append(all, fragment{text, sugar})
	}
	if len(all) == 0 {
		return ""
	}
	add := 0
	for i := 1; i < len(all); i++ {
		if all[i].sugar != all[i-1].sugar {
			add = 1
		}
	}
	minimum := -1
	for _, f := range all {
		for line := range strings.SplitSeq(f.text, "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			n := len(line) - len(strings.TrimLeft(line, " \t"))
			if !f.sugar {
				n += add
			}
			if minimum < 0 || n < minimum {
				minimum = n
			}
		}
	}
	var b strings.Builder
	for i, f := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		indent := max(minimum, 0)
		if !f.sugar && indent > 0 {
			indent -= add
		}
		n := 0
		for line := range strings.SplitSeq(f.text, "\n") {
			if n++; n > 1 {
				b.WriteByte('\n')
			}
			blank := len(line) - len(strings.TrimLeft(line, " \t"))
			b.WriteString(strings.TrimRight(line[min(indent, blank):], " \t\r"))
		}
	}
	return strings.TrimRight(b.String(), "\n ")
}

// docValue evaluates #[doc = …], whose value may be a string, include_str!, concat! or stringify!.
// It returns "" if the value cannot be determined.
func (k *krate) docValue(text string, u *unit, depth int) string {
	text = strings.Trim(strings.TrimSpace(text), "\x01\x02 \t\r\n,")
	if s, ok := source.Unquote(text); ok {
		return s
	}
	name, rest, ok := strings.Cut(text, "!")
	rest = strings.TrimSpace(rest)
	if !ok || len(rest) < 2 || depth > maxConditional {
		return ""
	}
	args := strings.TrimSpace(rest[1 : len(rest)-1])
	name = strings.TrimSpace(name)
	switch strings.TrimSpace(name[strings.LastIndexByte(name, ':')+1:]) {
	case "include_str":
		if file, ok := k.pathExpr(args, 0); ok {
			if text, err := k.read(relative(file, u)); err == nil {
				return strings.TrimPrefix(text, "\uFEFF")
			}
		}
	case "concat":
		var b strings.Builder
		for _, part := range source.Split(args) {
			if s := k.docValue(part, u, depth+1); s != "" {
				b.WriteString(s)
			} else if part = strings.Trim(part, "\x01\x02 "); part != "" && !strings.ContainsAny(part, `"!`) {
				b.WriteString(part) // The part is a number.
			}
		}
		return b.String()
	case "stringify":
		return source.Format(args)
	case "env":
		if s, _ := source.Unquote(args); s == "CARGO_PKG_NAME" {
			return k.src.Package
		}
	}
	return ""
}

// deprecation returns the notice of #[deprecated]. It returns "" if there is
// none.
func deprecation(attrs []attr) string {
	for _, a := range attrs {
		if a.comment != "" || a.meta.Path != "deprecated" {
			continue
		}
		if s, ok := source.Unquote(a.meta.Value); ok {
			return markup.Clean(s)
		}
		since, note := "", ""
		for _, part := range source.Split(a.meta.Args) {
			m := source.ParseMeta(part)
			value, _ := source.Unquote(m.Value)
			switch m.Path {
			case "since":
				since = value
			case "note":
				note = value
			}
		}
		if since == "TBD" { // in the standard library: it will be deprecated in a future version
			return ""
		}
		text := "deprecated"
		if since != "" {
			text += " since " + since
		}
		if note != "" {
			text += ": " + strings.TrimSpace(note)
		}
		return markup.Clean(text)
	}
	return ""
}
