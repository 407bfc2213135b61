package crate

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// clause returns the where clause of a definition.
func (d *def) clause() string {
	return signature.Where(d.writer(false).where(d.item, d.unit.Text))
}

// fieldWriter returns a writer for the types of fields. In a variant, the
// parameters of the enum are in scope.
func (d *def) fieldWriter() *writer {
	if d.kind == source.Variant && d.parent != nil {
		return d.parent.writer(false)
	}
	return d.writer(false)
}

// structure writes a struct or union.
func (w *documenter) structure(s *apidoc.Symbol, d *def, word string) {
	var clause string
	head := w.noting(s.Path, false, func() string {
		clause = d.clause()
		return d.head(word)
	})
	switch d.item.Shape {
	case source.Unit:
		s.Signature = head + signature.End(clause)
		return
	case source.Tuple:
		shown, fields := w.tuple(d, s.Path, true)
		s.Signature, s.Members = head+"("+shown+")"+signature.End(clause), fields
		return
	}
	fields, rest := w.fields(d, s.Path, true)
	var lines []signature.Field
	for i := range fields {
		if !strings.HasSuffix(fields[i].Constraint, offMark) {
			lines = append(lines, signature.Field{Text: fields[i].Signature, Doc: fields[i].Doc})
		}
	}
	if rest {
		s.Signature = signature.Fields(head, clause, lines, signature.PrivateFields)
	} else {
		s.Signature = signature.Fields(head, clause, lines, "")
	}
	s.Members = fields
}

// fields documents the fields of a struct or variant. rest is true if some of them are
// not public. If checked is true, fields that are not public are omitted.
func (w *documenter) fields(d *def, path string, checked bool) (all []apidoc.Symbol, rest bool) {
	types := d.fieldWriter()
	for _, f := range d.item.Items {
		cfg, off, never := d.krate.conditions(f, d.unit)
		if never {
			continue
		}
		fd := &def{kind: source.Field, name: f.Name, item: f, unit: d.unit, krate: d.krate, mod: d.mod, cfg: cfg}
		if checked && f.Vis != source.Public || fd.hidden() {
			rest = rest || !off
			continue
		}
		m := w.base(fd, path+"::"+f.Name)
		m.Kind, m.Signature = apidoc.Field, f.Name+": "+w.fieldType(m.Path, types, fd)
		if checked {
			m.Signature = "pub " + m.Signature
		}
		w.note(&m, cfg, off)
		all = append(all, m)
	}
	return all, rest
}

// fieldType returns the type of the field at the given path.
func (w *documenter) fieldType(path string, types *writer, d *def) string {
	return w.noting(path, false, func() string { return types.format(d.item.Type.Text(d.unit.Text)) })
}

// note sets the constraint of a member. off is true if the member does not exist
// for target and features.
func (w *documenter) note(s *apidoc.Symbol, cfg []*predicate, off bool) {
	switch s.Constraint = w.k.platform.constraint(cfg); {
	case s.Constraint != "" && off:
		s.Constraint += offMark
	case off:
		s.Constraint = "another target" + offMark
	case strings.Contains(s.Constraint, "feature"):
		s.Constraint += w.k.platform.met(cfg)
	}
}

// tuple documents the fields of a tuple struct or variant. If checked is true, fields
// that are not public are omitted. shown is the list of types for the declaration.
func (w *documenter) tuple(d *def, path string, checked bool) (shown string, all []apidoc.Symbol) {
	var parts []string
	private := 0
	n := 0
	types := d.fieldWriter()
	for _, f := range d.item.Items {
		cfg, off, never := d.krate.conditions(f, d.unit)
		if never || off {
			continue
		}
		name := strconv.Itoa(n)
		n++
		fd := &def{kind: source.Field, name: name, item: f, unit: d.unit, krate: d.krate, mod: d.mod, cfg: cfg}
		if checked && f.Vis != source.Public || fd.hidden() {
			parts = append(parts, "_")
			private++
			continue
		}
		m := w.base(fd, path+"::"+name)
		m.Kind, m.Signature = apidoc.Field, w.fieldType(m.Path, types, fd)
		if checked {
			m.Signature = "pub " + m.Signature
		}
		parts = append(parts, m.Signature)
		m.Signature = strings.TrimPrefix(m.Signature, "pub ")
		m.Signature = name + ": " + m.Signature
		if checked {
			m.Signature = "pub " + m.Signature
		}
		w.note(&m, cfg, off)
		all = append(all, m)
	}
	if private > 0 && private == len(parts) {
		return signature.PrivateFields, all
	}
	return strings.Join(parts, ", "), all
}

func (w *documenter) enum(s *apidoc.Symbol, d *def) {
	var clause string
	head := w.noting(s.Path, false, func() string {
		clause = d.clause()
		return d.head("enum")
	})
	var lines []signature.Field
	rest := ""
	listed := map[*def]bool{}
	for _, e := range d.sub.order {
		v := e.def
		if listed[v] {
			continue
		}
		listed[v] = true
		if v.hidden() {
			if !v.off {
				rest = signature.OmittedVariants
			}
			continue
		}
		m := w.variant(v, s.Path+"::"+v.name)
		if !v.off {
			doc := m.Doc
			lines = append(lines, signature.Field{Text: m.Signature, Doc: doc})
		}
		w.note(&m, v.cfg, v.off)
		s.Members = append(s.Members, m)
	}
	s.Signature = signature.Fields(head, clause, lines, rest)
}

// variant documents a variant of an enum.
func (w *documenter) variant(d *def, path string) apidoc.Symbol {
	s := w.base(d, path)
	s.Kind = apidoc.Variant
	switch d.item.Shape {
	case source.Unit:
		s.Signature = d.name
	case source.Tuple:
		shown, fields := w.tuple(d, path, false)
		s.Signature, s.Members = d.name+"("+shown+")", fields
	default:
		fields, _ := w.fields(d, path, false)
		var lines []signature.Field
		for i := range fields {
			lines = append(lines, signature.Field{Text: fields[i].Signature, Doc: fields[i].Doc})
		}
		s.Signature, s.Members = signature.Fields(d.name, "", lines, ""), fields
	}
	if v := source.Squeeze(d.item.Value.Text(d.unit.Text)); v != "" && len(v) <= maxValue {
		s.Signature += " = " + v
	}
	return s
}
