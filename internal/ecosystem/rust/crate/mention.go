package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// maxInternal bounds the types of other modules that are documented with a
// module.
const maxInternal = 100

// mention is a type that the signature of a function or alias names.
type mention struct {
	path string // path of the function or alias
	name string // name in the source, unless it is renamed
	def  *def   // nil for a type parameter
}

// mention records a name in the signature that is being written.
func (w *writer) mention(name string, d *def) {
	if world := w.k.w; world.mentions != nil && (d == nil || d.kind != primitive) {
		*world.mentions = append(*world.mentions, mention{name: name, def: d})
	}
}

// function writes the signature of a function and records the types that it
// names. public and body are as for def.function.
func (w *documenter) function(path string, d *def, public bool, body string) string {
	return w.noting(path, func() string { return d.function(public, body) })
}

// alias writes the type that a type alias stands for, and records the types
// that it names.
func (w *documenter) alias(path string, d *def) string {
	return w.noting(path, func() string { return d.writer(false).format(d.item.Type.Of(d.unit.Text)) })
}

// noting writes the signature of the symbol at a path, and records the types that it
// names.
func (w *documenter) noting(path string, write func() string) string {
	if !w.mentioning {
		return write()
	}
	from := len(w.mentions)
	w.k.w.mentions = &w.mentions
	text := write()
	w.k.w.mentions = nil
	for i := range w.mentions[from:] {
		w.mentions[from+i].path = path
	}
	return text
}

// refer documents the types of other modules that functions take and return, and
// the types that aliases among them stand for. It records the meaning of the
// names in their signatures.
func (w *documenter) refer(out *apidoc.Package, exports []export) {
	places := map[*def]string{}
	names := map[string]bool{} // last parts of paths in use
	place := func(d *def, path string) {
		places[d] = path
		names[path[strings.LastIndexByte(path, ':')+1:]] = true
	}
	for i := range exports {
		if x := &exports[i]; x.ns == types && !x.off && places[x.def] == "" {
			place(x.def, x.name)
		}
	}
	w.brief = true
	follow := slices.Clone(w.mentions)
	for len(follow) > 0 {
		m := follow[0]
		follow = follow[1:]
		if m.def == nil || places[m.def] != "" || len(out.Internal) >= maxInternal {
			continue
		}
		switch m.def.kind {
		case source.Struct, source.Enum, source.Union, source.Trait, source.TypeAlias:
		default:
			continue
		}
		path := w.publicPath(m.def)
		if !strings.HasPrefix(path, w.k.src.Name+"::") || m.def.hidden() {
			continue
		}
		place(m.def, path)
		s := w.base(m.def, path)
		from := len(w.mentions)
		w.declare(&s, m.def)
		if m.def.kind == source.TypeAlias {
			follow = append(follow, w.mentions[from:]...)
		}
		w.lift(&s)
		s.Doc = strings.TrimSuffix("`"+path+"`: "+s.Doc, ": ") // the comment begins with the path from which users import the type
		out.Internal = append(out.Internal, s)
	}
	refs := map[string][]apidoc.Ref{}
	for _, m := range w.mentions {
		path := "" // the type is not documented here
		if m.def != nil {
			path = places[m.def]
		}
		last := m.name[strings.LastIndexByte(m.name, ':')+1:]
		if path == "" && !names[last] {
			continue
		}
		for _, name := range []string{m.name, last} { // signatures may use either name
			if ref := (apidoc.Ref{Name: name, Path: path}); name != path && !slices.Contains(refs[m.path], ref) {
				refs[m.path] = append(refs[m.path], ref)
			}
		}
	}
	setRefs(out.Symbols, refs)
	setRefs(out.Internal, refs)
}

func setRefs(symbols []apidoc.Symbol, refs map[string][]apidoc.Ref) {
	for i := range symbols {
		symbols[i].Refs = refs[symbols[i].Path]
		setRefs(symbols[i].Members, refs)
	}
}
