package modules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxIndexed is the maximum number of names in one index.
const maxIndexed = 200_000

// Index lists the entry points of the package as symbols, with their exported
// names as members. It only follows exports and does not document them.
func (r *Reader) Index() (*apidoc.Package, error) {
	out := &apidoc.Package{Name: r.main.Name, Module: r.main.Name, Version: r.main.Version, Symbols: []apidoc.Symbol{}}
	names := 0
	for _, e := range r.Entries() {
		s := apidoc.Symbol{Path: r.main.Name + e.Subpath[1:], Kind: apidoc.Module, File: e.File}
		for _, x := range r.exportedBy(e) {
			if names++; names > maxIndexed {
				r.err = errTooMuch
				return nil, r.tooMuch()
			}
			s.Members = append(s.Members, apidoc.Symbol{Path: x.name, Kind: r.kindOf(x)})
		}
		out.Symbols = append(out.Symbols, s)
	}
	return out, r.err
}

// exportedBy lists the symbols that an entry point exports by name.
func (r *Reader) exportedBy(e Entry) []*symbol {
	t, ok := r.entry(e.Subpath)
	if !ok {
		return nil
	}
	m := t.ambient
	if m == nil {
		m = r.load(t.pkg, t.path)
	}
	if m != nil && m.script {
		m = r.ambient[r.main.Name+e.Subpath[1:]]
	}
	if m == nil {
		return nil
	}
	return slices.DeleteFunc(r.exportsOf(m), func(s *symbol) bool { return s.name == "" || s.name == "default" })
}

// kindOf returns the kind of an exported symbol.
func (r *Reader) kindOf(s *symbol) apidoc.Kind {
	switch t := r.target(s); {
	case t == nil:
		return apidoc.Unresolved
	case t.namespaceOf != nil:
		return apidoc.Namespace
	case len(t.decls) == 0:
		return apidoc.Unresolved
	default:
		return kindOf(visible(t.decls))
	}
}

const (
	// maxDescribed is the maximum number of entry points that are described by their exports.
	maxDescribed = 100
	// maxSynopsis is the maximum length of such a description, in bytes.
	maxSynopsis = 120
)

// below lists the other entry points. If the package itself exports nothing,
// they are described by their exports.
func (r *Reader) below(out *apidoc.Package, entries []Entry) {
	for _, e := range entries {
		if e.Subpath == "." {
			continue
		}
		s := apidoc.Subpackage{Name: r.main.Name + e.Subpath[1:]}
		if len(out.Symbols) == 0 && len(entries) <= maxDescribed {
			s.Synopsis = r.synopsis(e)
		}
		out.Subpackages = append(out.Subpackages, s)
	}
}

// synopsis lists some exports of an entry point, functions and classes first.
// It returns "" if there are no exports.
func (r *Reader) synopsis(e Entry) string {
	exported := r.exportedBy(e)
	if len(exported) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("exports ")
	written := 0
	for _, called := range [...]bool{true, false} {
		for _, s := range exported {
			k := r.kindOf(s)
			if called != (k == apidoc.Function || k == apidoc.Class) || b.Len()+len(s.name) > maxSynopsis {
				continue
			}
			if written++; written > 1 {
				b.WriteString(", ")
			}
			b.WriteString(s.name)
		}
	}
	if remaining := len(exported) - written; remaining > 0 {
		b.WriteString(" and " + strconv.Itoa(remaining) + " more")
	}
	return b.String()
}
