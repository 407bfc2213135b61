package modules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// maxInternal is the maximum number of internal types of one entry point.
const maxInternal = 3000

// internals are types that exported signatures refer to although no module exports them.
type internals struct {
	order []*symbol
	paths map[*symbol]string
	inUse map[string]bool // the paths that are in use
	// packages contains the packages that declare the exported symbols. Types of other
	// packages are documented there.
	packages map[*pkg]bool
	names    map[string]bool // the names of these packages
	found    map[*scope]map[string]*symbol
	// scope and last cache the results for the most recent scope.
	scope *scope
	last  map[string]*symbol
}

func newInternals() internals {
	return internals{paths: map[*symbol]string{}, inUse: map[string]bool{}, packages: map[*pkg]bool{}, names: map[string]bool{}, found: map[*scope]map[string]*symbol{}}
}

func (in *internals) addPackage(t *symbol) {
	if len(t.decls) == 0 {
		return
	}
	if p := t.decls[0].scope.mod.pkg; !in.packages[p] {
		in.packages[p] = true
		in.names[p.Name] = true
	}
}

// references are the types that a signature refers to.
type references struct {
	// refs are the types whose names in the text differ from the last parts of their paths.
	refs []apidoc.Ref
	// renamed contains the types that users import under a name that differs from the one in the
	// text, each with that name.
	renamed []apidoc.Ref
	// imports are names, or first parts of names, that are not paths of symbols, together with what
	// they refer to in other packages or in namespaces.
	imports []apidoc.Ref
}

// refer adds to a symbol the types that its declarations refer to, records the internal
// types, and replaces names in the signature with the names that users import.
func (w *documenter) refer(out *apidoc.Symbol, decls []decl) {
	found := w.references(decls)
	for _, ref := range found.renamed {
		if text, ok := replaceName(out.Signature, ref.Name, ref.Path); ok {
			out.Signature = text
		} else if w.exports.inUse[ref.Path] {
			found.refs = append(found.refs, ref)
		}
	}
	out.Refs = found.refs
	if w.exports != nil {
		w.addImports(out, found.imports)
	}
}

func (w *documenter) references(decls []decl) (out references) {
	if w.exports == nil {
		return out
	}
	for _, d := range decls {
		if !w.exports.packages[d.scope.mod.pkg] {
			continue
		}
		switch d.node.Kind {
		case dts.Enum, dts.Namespace:
		case dts.Class, dts.Interface:
			for c := range d.node.Children() {
				switch c.Kind {
				case dts.TypeParam, dts.Extends, dts.Implements:
					w.refsIn(c, d.scope, &out)
				}
			}
		default:
			w.refsIn(d.node, d.scope, &out)
		}
	}
	return out
}

func (w *documenter) refsIn(n *dts.Node, s *scope, out *references) {
	for c := range n.Children() {
		switch c.Kind {
		case dts.Ref:
			w.importRef(s, c.Text, w.ref(w.referred(s, c.Text), c.Text, n.Kind, out), out)
		case dts.TypeQuery:
			w.importRef(s, c.Text, "", out)
			if isBundled(c.Text) {
				w.ref(w.r.target(w.r.lookup(s, c.Text, valueMeaning)), c.Text, n.Kind, out)
			}
		case dts.ImportType:
			w.importType(c, out)
			if !c.Has(dts.FlagTypeof) && w.near(c.Module().Name()) {
				e := evaluator{r: w.r}
				t := e.importSymbol(typeRef{node: c, scope: s})
				w.ref(t, c.Text, n.Kind, out)
				if spec := c.Module().Name(); spec != "" && spec[0] == '.' && t != nil && w.knows(t, c.Text) {
					addRef(&out.renamed, "import("+c.Module().Text+")."+c.Text, c.Text)
				}
			}
		}
		if c.HasChildren() {
			w.refsIn(c, s, out)
		}
	}
}

// ref records a symbol that a signature refers to. It returns the path of the symbol, or
// "" if the symbol does not belong to the package.
func (w *documenter) ref(t *symbol, name string, in dts.Kind, out *references) (path string) {
	if t == nil || t.namespaceOf != nil || len(t.decls) == 0 {
		return ""
	}
	o := w.exports
	path = o.paths[t]
	if path == "" {
		if !o.packages[t.decls[0].scope.mod.pkg] {
			return ""
		}
		// Members inherited from a base are shown with the class or interface itself.
		if in == dts.Extends || in == dts.Implements || t.meaning()&typeMeaning == 0 {
			if isBundled(name) {
				addRef(&out.renamed, name, w.nameOf(t))
			}
			return ""
		}
		if path = w.internal(t); path == "" {
			return ""
		}
	}
	if o.renames(t, name, path) {
		addRef(&out.renamed, name, path)
		return path
	}
	if last := lastOf(name); lastOf(path) == last && (path == name || !o.inUse[name]) {
		if path != name {
			out.imports = append(out.imports, apidoc.Ref{Name: name, Path: path})
		}
		return path
	}
	addRef(&out.refs, name, path)
	return path
}

// addRef adds a reference unless there is one for the name.
func addRef(refs *[]apidoc.Ref, name, path string) {
	if name != path && !slices.ContainsFunc(*refs, func(r apidoc.Ref) bool { return r.Name == name }) {
		*refs = append(*refs, apidoc.Ref{Name: name, Path: path})
	}
}

// internal returns the path of an internal type, or "" if there are too many internal
// types. The path is the type's name, the name under which its module exports it, or its
// name with a number, whichever is the first that is free.
func (w *documenter) internal(t *symbol) string {
	o := w.exports
	if path := o.internals.paths[t]; path != "" {
		return path
	}
	if len(o.order) >= maxInternal {
		return ""
	}
	name := declaredName(t)
	if name == "" {
		return ""
	}
	path := name
	if isBundled(name) || o.inUse[name] {
		if exported := w.r.exportedName(t); !o.inUse[exported] {
			path = exported
		}
	}
	for n := 2; o.inUse[path] || o.imports.globals[path]; n++ {
		path = name + "_" + strconv.Itoa(n)
	}
	o.inUse[path] = true
	o.internals.paths[t] = path
	o.order = append(o.order, t)
	return path
}

// near reports whether a specifier refers to a file of the package, or to another package whose
// symbols the package exports.
func (w *documenter) near(spec string) bool {
	if spec == "" || spec[0] == '.' || spec[0] == '#' {
		return true
	}
	name, _ := splitSpecifier(spec)
	return w.exports.names[name]
}

// referred returns the symbol that a dotted type name refers to. It returns nil for
// a symbol of a package that near does not report.
func (w *documenter) referred(s *scope, name string) *symbol {
	o := w.exports
	if o.scope != s || o.last == nil {
		if o.scope, o.last = s, o.found[s]; o.last == nil {
			o.last = map[string]*symbol{}
			o.found[s] = o.last
		}
	}
	in := o.last
	t, known := in[name]
	if !known {
		t = w.resolveRef(s, name)
		in[name] = t
	}
	return t
}

func (w *documenter) resolveRef(s *scope, name string) *symbol {
	first, rest, dotted := strings.Cut(name, ".")
	want := typeMeaning
	if dotted {
		want = spaceMeaning | valueMeaning
	}
	sym := w.r.lookup(s, first, want)
	if sym == nil {
		// The name may be a global one that one of the packages declares, such as Electron.App.
		sym = w.r.globals.get(first)
		if sym == nil || len(sym.decls) == 0 {
			return nil
		}
		// Names that Node.js provides for all programs, such as URL, do not belong to the package.
		if p := sym.decls[0].scope.mod.pkg; !w.exports.packages[p] || p.Name == "@types/node" && p != w.r.main {
			return nil
		}
	}
	if a := sym.alias; a != nil && a.spec != selfSpec && !w.near(a.spec) {
		return nil
	}
	t := w.r.target(sym)
	for dotted && t != nil {
		first, rest, dotted = strings.Cut(rest, ".")
		t = w.r.target(w.r.within(t, first))
	}
	return t
}
