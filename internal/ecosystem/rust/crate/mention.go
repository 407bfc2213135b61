package crate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// likePrimitives returns the names of exported functions and other values that are also names of
// primitive types, such as nom::number::complete::u8.
func likePrimitives(exports []export) map[string]bool {
	var names map[string]bool
	for i := range exports {
		if x := &exports[i]; x.ns == values && primitives[x.name] {
			if names == nil {
				names = map[string]bool{}
			}
			names[x.name] = true
		}
	}
	return names
}

// maxInternal is the maximum number of types of other modules that are documented with a
// module.
const maxInternal = 100

// mention is a type that a signature refers to.
type mention struct {
	path string // path of the symbol
	name string // name in the source, unless it is renamed
	def  *def   // the definition of the type, or nil for a type parameter
	// needed is true in the signature of a function or alias, whose types are documented
	// with it.
	needed bool
}

// mention records a name in the signature that is being written. It omits primitive types, unless
// the module exports a function with the name of one.
func (w *writer) mention(name string, d *def) {
	if world := w.k.w; world.mentions != nil && (d == nil || d.kind != primitive || world.likePrimitives[name]) {
		*world.mentions = append(*world.mentions, mention{name: name, def: d})
	}
}

// function returns the signature of a function and records the types that it refers to. public and
// body have the same meaning as in def.function.
func (w *documenter) function(path string, d *def, public bool, body string) string {
	return w.noting(path, true, func() string { return d.function(public, body) })
}

// alias returns the type that a type alias refers to, and records the types in its text.
func (w *documenter) alias(path string, d *def) string {
	return w.noting(path, true, func() string { return d.writer(false).format(d.item.Type.Text(d.unit.Text)) })
}

// noting returns the signature of the symbol at the given path, or a part of it, and records the
// types that it refers to. needed has the same meaning as in mention.
func (w *documenter) noting(path string, needed bool, write func() string) string {
	if !w.mentioning {
		return write()
	}
	outer := w.k.w.mentions
	from := len(w.mentions)
	w.k.w.mentions = &w.mentions
	text := write()
	w.k.w.mentions = outer
	for i := range w.mentions[from:] {
		if m := &w.mentions[from+i]; m.path == "" {
			m.path, m.needed = path, needed
		}
	}
	return text
}

// elsewhere returns the module that contains the type that a name refers to, in this
// crate or another, and the type's name there.
func (w *documenter) elsewhere(d *def) (module, name string) {
	if d.kind == source.Module {
		return "", ""
	}
	path := userPath(w.publicPath(d))
	i := strings.LastIndex(path, "::")
	if i < 0 {
		return "", ""
	}
	return path[:i], path[i+2:]
}

// refer documents the types of other modules that are parameters and results of functions, and the
// types that aliases among them refer to. It records the targets of the names in their signatures.
func (w *documenter) refer(out *apidoc.Package, exports []export) {
	places := map[*def]string{}
	names := map[string]bool{} // names contains the last parts of paths in use.
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
		if m.def == nil || !m.needed || places[m.def] != "" || len(out.Internal) >= maxInternal {
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
		s.Doc = strings.TrimSuffix("`"+path+"`: "+s.Doc, ": ") // The comment begins with the path under which users import the type.
		out.Internal = append(out.Internal, s)
	}
	refs, imports := map[string][]apidoc.Ref{}, map[string]apidoc.Ref{}
	add := func(path string, ref apidoc.Ref) {
		if !slices.Contains(refs[path], ref) {
			refs[path] = append(refs[path], ref)
		}
	}
	for _, m := range w.mentions {
		path := "" // The type is not documented here.
		if m.def != nil {
			path = places[m.def]
		}
		last := m.name[strings.LastIndexByte(m.name, ':')+1:]
		module, name := "", ""
		if path == "" && m.def != nil {
			module, name = w.elsewhere(m.def)
		}
		if path == "" && module == "" && !names[last] && !w.k.w.likePrimitives[last] {
			continue
		}
		for _, written := range []string{m.name, last} { // Signatures may use either name.
			switch ref := (apidoc.Ref{Name: written, Package: module, Path: cmp.Or(path, name)}); {
			case written == path:
			case module == "" || names[written]:
				add(m.path, ref)
			default:
				known, ok := imports[written]
				if !ok {
					imports[written] = ref
					out.Imports = append(out.Imports, ref)
				} else if known != ref {
					add(m.path, ref)
				}
			}
		}
	}
	for _, ref := range w.veiledRefs() {
		if _, ok := imports[ref.Name]; !ok {
			imports[ref.Name] = ref
			out.Imports = append(out.Imports, ref)
		}
	}
	out.TypeVars = w.typeVars(names, refs, imports)
	setRefs(out.Symbols, refs)
	setRefs(out.Internal, refs)
}

// veiledRefs returns the declarations that the module re-exports although documentation omits the
// re-exports, as it does in preludes.
func (w *documenter) veiledRefs() (refs []apidoc.Ref) {
	for _, x := range w.veiled {
		d := x.def
		if x.off || d.kind == source.Module || d.hidden() {
			continue
		}
		path := d.path
		if d.kind != external && d.krate != nil {
			path, _ = d.krate.pathOf(d)
			path = d.krate.src.Name + "::" + path
		}
		path = userPath(path)
		if i := strings.LastIndex(path, "::"); i > 0 && path[i+2:] != "" {
			refs = append(refs, apidoc.Ref{Name: x.name, Package: path[:i], Path: path[i+2:]})
		}
	}
	return refs
}

// veiledNames returns the names for which Package.Imports contains the results of veiledRefs.
func (w *documenter) veiledNames(out *apidoc.Package) (names []string) {
	for _, x := range w.veiled {
		if !slices.Contains(names, x.name) && slices.ContainsFunc(out.Imports, func(ref apidoc.Ref) bool { return ref.Name == x.name && ref.Path != "" }) {
			names = append(names, x.name)
		}
	}
	return names
}

// typeVars returns the type parameters in signatures, because no declaration that is shown lists
// those of implementations. It omits names that have another meaning in another signature.
func (w *documenter) typeVars(names map[string]bool, refs map[string][]apidoc.Ref, imports map[string]apidoc.Ref) []string {
	taken := map[string]bool{"Self": true}
	for _, list := range refs {
		for _, ref := range list {
			taken[ref.Name] = true
		}
	}
	var vars []string
	for _, m := range w.mentions {
		if _, imported := imports[m.name]; m.def == nil && !imported && !names[m.name] && !taken[m.name] && !strings.Contains(m.name, ":") {
			taken[m.name] = true
			vars = append(vars, m.name)
		}
	}
	return vars
}

func setRefs(symbols []apidoc.Symbol, refs map[string][]apidoc.Ref) {
	for i := range symbols {
		symbols[i].Refs = refs[symbols[i].Path]
		setRefs(symbols[i].Members, refs)
	}
}
