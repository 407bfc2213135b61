package modules

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// maxInternal bounds the internal types of one entry point.
const maxInternal = 3000

// internals are the types that exported signatures refer to although no module
// exports them.
type internals struct {
	order []*symbol
	paths map[*symbol]string
	taken map[string]bool // paths
	// packages are those that declare exported symbols. What other packages
	// declare is asked for there.
	packages map[*pkg]bool
	names    map[string]bool // of packages
	found    map[*scope]map[string]*symbol
	// last are those found in the scope that was asked for last.
	scope *scope
	last  map[string]*symbol
}

func newInternals() internals {
	return internals{paths: map[*symbol]string{}, taken: map[string]bool{}, packages: map[*pkg]bool{}, names: map[string]bool{}, found: map[*scope]map[string]*symbol{}}
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

// refs finds the types of the package that declarations refer to, and notes
// those that are internal. It returns those that are called otherwise than their
// paths end.
func (w *documenter) refs(decls []decl) []apidoc.Ref {
	if w.own == nil {
		return nil
	}
	var out []apidoc.Ref
	for _, d := range decls {
		if !w.own.packages[d.scope.mod.pkg] {
			continue
		}
		switch d.node.Kind {
		case dts.Enum, dts.Namespace:
		case dts.Class, dts.Interface:
			for c := d.node.First; c != nil; c = c.Next {
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

func (w *documenter) refsIn(n *dts.Node, s *scope, out *[]apidoc.Ref) {
	for c := n.First; c != nil; c = c.Next {
		switch c.Kind {
		case dts.Ref:
			w.ref(w.referred(s, c.Text), c.Text, n.Kind, out)
		case dts.ImportType:
			if !c.Has(dts.FlagTypeof) && w.near(c.First.Name()) {
				e := evaluator{r: w.r}
				w.ref(e.importSymbol(typeRef{node: c, scope: s}), c.Text, n.Kind, out)
			}
		}
		if c.First != nil {
			w.refsIn(c, s, out)
		}
	}
}

// ref notes that a signature calls a symbol by a name.
func (w *documenter) ref(t *symbol, name string, in dts.Kind, out *[]apidoc.Ref) {
	if t == nil || t.of != nil || len(t.decls) == 0 {
		return
	}
	path := w.own.paths[t]
	if path == "" {
		// What a class or interface inherits is told as its own.
		if in == dts.Extends || in == dts.Implements || !w.own.packages[t.decls[0].scope.mod.pkg] || t.meaning()&typeMeaning == 0 {
			return
		}
		if path = w.own.internal(t); path == "" {
			return
		}
	}
	last := lastOf(name)
	if lastOf(path) == last && (path == name || !w.own.taken[name]) {
		return
	}
	for i := range *out {
		if (*out)[i].Name == name {
			return
		}
	}
	*out = append(*out, apidoc.Ref{Name: name, Path: path})
}

// internal is the path of an internal type, empty if there are too many.
func (o *own) internal(t *symbol) string {
	if path := o.internals.paths[t]; path != "" {
		return path
	}
	if len(o.order) >= maxInternal {
		return ""
	}
	name := t.name
	if name == "default" {
		name = t.decls[0].node.Name()
	}
	if name == "" {
		return ""
	}
	path := name
	for n := 2; o.taken[path]; n++ {
		path = name + "_" + strconv.Itoa(n)
	}
	o.taken[path] = true
	o.internals.paths[t] = path
	o.order = append(o.order, t)
	return path
}

// near reports whether a specifier leads to one of the packages whose symbols are
// exported.
func (w *documenter) near(spec string) bool {
	if spec == "" || spec[0] == '.' || spec[0] == '#' {
		return true
	}
	name, _ := splitSpecifier(spec)
	return w.own.names[name]
}

// referred is the symbol that a dotted name of a type means, nil if it is none of
// the packages whose symbols are exported.
func (w *documenter) referred(s *scope, name string) *symbol {
	o := w.own
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
		// A global name that one of the packages declares: Electron.App.
		sym = w.r.globals.get(first)
		if sym == nil || len(sym.decls) == 0 || !w.own.packages[sym.decls[0].scope.mod.pkg] {
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
