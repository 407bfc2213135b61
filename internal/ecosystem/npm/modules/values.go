package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/markup"
)

// exportSet contains the exported symbols of a module and the internal types that they
// use.
type exportSet struct {
	// paths contains the paths of the exported symbols.
	paths map[*symbol]string
	// standsIn contains the internal types that have the path of an exported type, because that
	// type only renames them.
	standsIn map[*symbol]bool
	// declared contains the exported symbols that have a path under their declared
	// name.
	declared map[*symbol]bool
	// several contains the symbols that are exported under more than one name.
	several map[*symbol]bool
	// shown contains the internal types whose members are shown with a value.
	shown map[*symbol]bool
	internals
	imports imports
}

// ownTypes collects the symbols that a module exports, including those in namespaces.
func (w *documenter) ownTypes(m *module, exports []*symbol) {
	o := &exportSet{map[*symbol]string{}, map[*symbol]bool{}, map[*symbol]bool{}, map[*symbol]bool{}, map[*symbol]bool{}, newInternals(), newImports()}
	w.exports = o
	if e := w.r.target(m.equals); e != nil && e.namespaceOf == nil {
		o.export(e, "export=")
	}
	const maxDepth = 3
	var mark func(all []*symbol, prefix string, depth int)
	mark = func(all []*symbol, prefix string, depth int) {
		for _, last := range [...]bool{false, true} {
			for _, s := range all {
				if t := w.r.target(s); t != nil && (s.name == "default") == last {
					o.export(t, prefix+s.name)
				}
			}
		}
		if depth == maxDepth {
			return
		}
		for _, s := range all {
			t := w.r.target(s)
			if t == nil || o.paths[t] != prefix+s.name {
				continue
			}
			if t.exports != nil {
				mark(t.exports.order, prefix+s.name+".", depth+1)
			}
			if t.namespaceOf != nil {
				mark(w.r.exportsOf(t.namespaceOf), prefix+s.name+".", depth+1)
			}
		}
	}
	mark(exports, "", 0)
	for _, s := range exports {
		if t := w.r.target(s); t != nil && o.paths[t] == s.name {
			if base := w.standsFor(t); base != nil && o.paths[base] == "" {
				o.paths[base], o.standsIn[base] = s.name, true
			}
		}
	}
}

// export records the path of an exported symbol, or the first path if it has several.
func (o *exportSet) export(t *symbol, path string) {
	if o.paths[t] == "" {
		o.paths[t] = path
		o.addPackage(t)
	} else if path != "default" && !strings.Contains(path, ".") {
		o.several[t] = true
	}
	o.inUse[path] = true
	if len(t.decls) > 0 && lastOf(path) == declaredName(t) && (path == o.paths[t] || !strings.Contains(path, ".")) {
		o.declared[t] = true
	}
}

// standsFor returns the internal type that an exported type renames, as in type App = Electron.App
// or class App extends Electron.App {}. It returns nil for other symbols.
func (w *documenter) standsFor(t *symbol) *symbol {
	if len(t.decls) == 0 {
		return nil
	}
	d := t.decls[0]
	var to *dts.Node
	switch d.node.Kind {
	case dts.TypeAlias:
		to = d.node.Type()
	case dts.Class, dts.Interface:
		parts := slices.Collect(d.node.Children())
		if len(parts) != 1 || parts[0].Kind != dts.Extends {
			return nil
		}
		to = parts[0].Base()
	default:
		return nil
	}
	if to == nil || to.Kind != dts.Ref || to.HasArgs() {
		return nil
	}
	base := w.referred(d.scope, to.Text)
	if base == nil || base == t || base.namespaceOf != nil || len(base.decls) == 0 || !w.exports.packages[base.decls[0].scope.mod.pkg] {
		return nil
	}
	return base
}

// valueMembers adds the members of an exported value's type, if the package
// declares the type.
func (w *documenter) valueMembers(out *apidoc.Symbol, s, t *symbol) {
	if w.exports == nil || out.Path != s.name && out.Path != "export=" {
		return
	}
	switch out.Kind {
	case apidoc.Const, apidoc.Var, apidoc.Let:
	default:
		return
	}
	value, ok := valueType(t)
	if !ok {
		return
	}
	if w.functionOf(out, value, t) {
		return
	}
	e := evaluator{r: w.r}
	if w.constructor(&e, out, value, t) || len(out.Members) > 0 {
		return
	}
	w.ownMembers(&e, out, value, t, 0)
}

// functionOf documents an exported value with the type of an internal function, as in const
// computed: typeof computed$1. It adds the function's signatures and reports whether value has such
// a type.
func (w *documenter) functionOf(out *apidoc.Symbol, value typeRef, t *symbol) bool {
	if value.node.Kind != dts.TypeQuery {
		return false
	}
	f := w.r.target(w.r.entity(value.scope, value.node.Text, valueMeaning))
	if f == nil || f == t || w.exports.paths[f] != "" {
		return false
	}
	decls := visible(f.decls)
	p := callsOf(decls)
	if p == nil {
		return false
	}
	own := out.Doc != ""
	if !own {
		current, _ := w.split(decls)
		w.doc(out, current)
	}
	first := len(out.Members)
	w.add(out, p, out.Path+".", t)
	if !own && first < len(out.Members) { // The signature above already shows this call.
		call := &out.Members[first]
		call.Doc, call.Deprecated, call.Examples = "", "", nil
	}
	return true
}

// callsOf returns a member with the call signatures of a function, or nil if there are none.
func callsOf(decls []decl) *prop {
	p := &prop{name: "()"}
	for _, d := range decls {
		if d.node.Kind == dts.Function {
			n := d.node.Alone()
			n.Kind = dts.CallSig
			p.decls = append(p.decls, decl{n, d.scope})
		}
	}
	if len(p.decls) == 0 {
		return nil
	}
	return p
}

// functionMember adds the call signatures and the comment of an internal function to a
// member that has its type, as in search: typeof searchApi.
func (w *documenter) functionMember(out *apidoc.Symbol, decls []decl) {
	if w.exports == nil || len(decls) != 1 {
		return
	}
	n := decls[0].node.Type()
	if n == nil || n.Kind != dts.TypeQuery || n.HasArgs() {
		return
	}
	f := w.r.target(w.r.entity(decls[0].scope, n.Text, valueMeaning))
	if f == nil || len(f.decls) == 0 || w.exports.paths[f] != "" || !w.exports.packages[f.decls[0].scope.mod.pkg] {
		return
	}
	all := visible(f.decls)
	p := callsOf(all)
	if p == nil {
		return
	}
	if out.Doc == "" {
		w.doc(out, all)
	}
	w.r.symbols++
	call := apidoc.Symbol{Path: "()"}
	w.tell(&call, p)
	call.Doc, call.Deprecated, call.Examples = "", "", nil
	out.Members = append(out.Members, call)
}

// constructor documents a value with construct signatures, unless an exported type
// documents them. It adds the constructors, the members of the instances, and the
// members of the value. It reports whether there are construct signatures.
func (w *documenter) constructor(e *evaluator, out *apidoc.Symbol, value typeRef, t *symbol) bool {
	operand := e.shape(value)
	if operand.sym != nil && (w.exports.paths[operand.sym] != "" || len(operand.sym.decls) == 0 || !w.exports.packages[operand.sym.decls[0].scope.mod.pkg]) {
		return false
	}
	parts := e.constructed(value, typeRef{node: &dts.Node{Kind: dts.Ref}, scope: value.scope})
	if len(parts) == 0 {
		return false
	}
	known := out.Members
	out.Members = nil
	shown := slices.ContainsFunc(known, func(m apidoc.Symbol) bool { return m.Kind == apidoc.ConstructSignature })
	if decls := e.constructors(value, 0); len(decls) > 0 && !shown {
		p := &prop{name: "constructor"}
		for _, d := range decls {
			p.decls = append(p.decls, decl{asConstructor(d.node), d.scope})
		}
		w.add(out, p, out.Path+".", t)
	}
	out.Members = append(out.Members, known...)
	have := map[string]bool{}
	for i := range known {
		have[known[i].Path] = true
	}
	list := func(set props) {
		for _, p := range set.order[:min(len(set.order), maxAliased)] {
			if path := out.Path + "." + p.name; p.name != "prototype" && !have[path] && !w.r.isLib(p.decls[0].scope.mod) {
				have[path] = true
				w.add(out, p, out.Path+".", t)
			}
		}
	}
	if instance := e.shape(parts[0]); len(parts) > 1 || instance.sym == nil || w.exports.paths[instance.sym] == "" {
		set, _ := e.props(allOf(parts))
		list(set)
	}
	set, _ := e.props(value)
	list(set)
	return true
}

// maxNesting is the maximum nesting of intersections that are searched.
const maxNesting = 5

// ownMembers adds those members of a type, or of the parts of an intersection, that
// the package declares.
func (w *documenter) ownMembers(e *evaluator, out *apidoc.Symbol, value typeRef, t *symbol, depth int) {
	operand := e.shape(value)
	if operand.sym == nil {
		if operand.node != nil && operand.node.Kind == dts.Intersection && depth < maxNesting {
			for part := range operand.node.Children() {
				w.ownMembers(e, out, operand.at(part), t, depth+1)
			}
		}
		return
	}
	if w.exports.paths[operand.sym] != "" || w.exports.shown[operand.sym] || len(operand.sym.decls) == 0 || !w.exports.packages[operand.sym.decls[0].scope.mod.pkg] {
		return
	}
	w.exports.shown[operand.sym] = true
	w.listMembers(out, e.members(operand.sym), t)
}

// listMembers adds the members of an instance.
func (w *documenter) listMembers(out *apidoc.Symbol, l *memberList, t *symbol) {
	for _, group := range [...][]*prop{l.unnamed, l.props.order} {
		for _, p := range group {
			w.add(out, p, out.Path+".", t)
		}
	}
}

// maxAliased is the maximum number of members shown with an alias.
const maxAliased = 1000

// aliasMembers adds the members of an alias of a type that has no path itself or must
// be evaluated, such as Partial<Options> or Config["server"].
func (w *documenter) aliasMembers(out *apidoc.Symbol, d decl, t *symbol) {
	n := d.node.Type()
	for n != nil && (n.Kind == dts.Paren || n.Kind == dts.Operator && n.Text == "readonly") {
		n = n.Inner()
	}
	if w.exports == nil || n == nil || !w.exports.packages[d.scope.mod.pkg] || w.listedElsewhere(n, d.scope, out.Path) {
		return
	}
	a := w.r.aliased(n, d)
	if a.value.sym != nil {
		// Config["server"] does not show which type it refers to.
		if path := w.exports.paths[a.value.sym]; len(a.value.sym.decls) > 0 && (path == "" || path == out.Path || n.Kind == dts.Indexed) && w.exports.packages[a.value.sym.decls[0].scope.mod.pkg] {
			e := evaluator{r: w.r}
			w.listMembers(out, e.instance(a.value), t)
		}
		return
	}
	for _, p := range a.props {
		w.add(out, p, out.Path+".", t)
	}
}

// aliased is the result of evaluating an alias: a class or interface, or a type with members.
type aliased struct {
	value typeRef
	props []*prop
	whole bool
}

// aliased evaluates an alias of type n. It caches the result, because the types of a package are
// listed again for each entry point from which they can be reached.
func (r *Reader) aliased(n *dts.Node, d decl) *aliased {
	if known := r.memo.aliased[n]; known != nil {
		return known
	}
	e := evaluator{r: r}
	if n.Kind == dts.Union || n.Kind == dts.Conditional || d.node.Child(dts.TypeParam) != nil {
		e = r.short(maxAliasStep)
	}
	a := &aliased{value: e.shape(typeRef{node: n, scope: d.scope, env: opaque(d)})}
	if a.value.sym == nil {
		var set props
		if e.isObject(a.value, 0) {
			set, _ = e.props(a.value)
		}
		if byDefault := r.propsByDefault(n, d); len(byDefault.order) > len(set.order) {
			set = byDefault
		}
		for _, p := range set.order[:min(len(set.order), maxAliased)] {
			if slices.ContainsFunc(p.decls, func(d decl) bool { return !r.isLib(d.scope.mod) }) {
				a.props = append(a.props, p)
			}
		}
	}
	r.keep(n, a)
	return a
}

// propsByDefault evaluates the members of a generic alias that is written without
// arguments. It returns no members if the alias requires arguments.
func (r *Reader) propsByDefault(n *dts.Node, d decl) props {
	// All type parameters after one with a default have a default.
	first := d.node.Child(dts.TypeParam)
	if first == nil || !slices.ContainsFunc(slices.Collect(first.Children()), func(c *dts.Node) bool { return c.Has(dts.FlagDefault) }) {
		return props{}
	}
	e := r.short(maxAliasStep)
	t := e.shape(typeRef{node: n, scope: d.scope, env: e.bind(d, nil, typeRef{})})
	if t.sym != nil || !e.isObject(t, 0) {
		return props{}
	}
	set, _ := e.props(t)
	return set
}

// literalProps evaluates the members of a type literal or an intersection, and caches
// them as aliased does. whole is true if the type has no other members.
func (r *Reader) literalProps(n *dts.Node, d decl) (members []*prop, whole bool) {
	if known := r.memo.aliased[n]; known != nil {
		return known.props, known.whole
	}
	e := evaluator{r: r}
	set, known := e.props(typeRef{node: n, scope: d.scope, env: opaque(d)})
	a := &aliased{props: set.order, whole: n.Kind == dts.TypeLiteral && known && !set.open && e.cut == 0}
	r.keep(n, a)
	return a.props, a.whole
}

// keep caches the result of evaluating a type, unless the evaluation was incomplete.
func (r *Reader) keep(n *dts.Node, a *aliased) {
	if r.steps <= maxAllSteps && r.check() {
		r.memo.aliased[n] = a
	}
}

// listedElsewhere reports whether a type is exported under another path, or is a union
// of types that are exported by name. Each of these has its own documentation.
func (w *documenter) listedElsewhere(n *dts.Node, s *scope, path string) bool {
	switch n.Kind {
	case dts.Paren:
		return w.listedElsewhere(n.Inner(), s, path)
	case dts.Ref:
		sym := w.referred(s, n.Text)
		other := w.exports.paths[sym]
		return other != "" && other != path && !(n.HasArgs() && makesAnother(sym))
	case dts.Union:
		for c := range n.Children() {
			if !w.listedElsewhere(c, s, path) || c.Kind == dts.Ref && w.exports.standsIn[w.referred(s, c.Text)] {
				return false // users cannot refer to each part by name
			}
		}
		return true
	}
	return false
}

// makesAnother reports whether a generic alias, such as Prettify<T>, computes a type from another
// one, in which case the alias does not describe the result.
func makesAnother(sym *symbol) bool {
	for _, d := range sym.decls {
		if t := d.node.Type(); d.node.Kind == dts.TypeAlias && t != nil {
			for t.Kind == dts.Paren || t.Kind == dts.Intersection {
				t = slices.Collect(t.Children())[0]
			}
			return t.Kind == dts.Mapped || t.Kind == dts.Conditional || t.Kind == dts.Indexed
		}
	}
	return false
}

// isObject reports whether the values of a type are objects with members, and not
// lists, functions or primitive values.
func (e *evaluator) isObject(t typeRef, depth int) bool {
	parts, _ := e.parts(t)
	if depth > maxNesting {
		return false
	}
	for _, p := range parts {
		switch {
		case p.sym != nil:
			calls, _ := e.callable(p)
			if calls || isList(p) {
				return false
			}
		case p.compound != nil:
			for _, c := range p.compound.parts {
				if !e.isObject(c, depth+1) {
					return false
				}
			}
		case p.node == nil:
			return false
		default:
			switch p.node.Kind {
			case dts.Ref:
			case dts.Mapped:
				if e.mapsList(p) {
					return false
				}
			case dts.TypeLiteral:
				if p.node.Child(dts.CallSig) != nil && p.node.Child(dts.Property) == nil {
					return false
				}
			case dts.Intersection:
				for c := range p.node.Children() {
					if s := e.shape(p.at(c)); primitive(s) && (s.node == nil || s.node.Text != "unknown") {
						return false
					}
				}
			default:
				return false
			}
		}
	}
	return len(parts) > 0
}

// mapsList reports whether { [K in keyof T]: U } is a list because T is a list.
func (e *evaluator) mapsList(t typeRef) bool {
	over := t.node.Mapping().Keys
	if !over.Is(dts.Operator) || over.Text != "keyof" {
		return false
	}
	x, ok := t.at(over.Inner()).param()
	if !ok {
		return false
	}
	parts, _ := e.parts(x.val)
	return slices.ContainsFunc(parts, isList)
}

// isList reports whether a type is an array or a tuple.
func isList(t typeRef) bool {
	if t.sym != nil {
		return t.sym.name == "Array" || t.sym.name == "ReadonlyArray"
	}
	return t.node != nil && (t.node.Kind == dts.Array || t.node.Kind == dts.Tuple)
}

// destructured documents a name bound by a pattern, such as const { add }: Instance,
// as the property that it is bound to. It reports whether there is nothing else to
// document.
func (w *documenter) destructured(out *apidoc.Symbol, t *symbol) bool {
	if len(t.decls) == 1 {
		return w.bound(out, t.decls[0], t)
	}
	// The symbol also declares a type.
	i := slices.IndexFunc(t.decls, func(d decl) bool { return d.node.Kind == dts.Variable })
	value := apidoc.Symbol{Path: out.Path}
	if i < 0 || !w.bound(&value, t.decls[i], t) {
		return false
	}
	types := slices.Concat(t.decls[:i], t.decls[i+1:])
	out.Signature = value.Signature + "\n" + w.signature(types)
	return false
}

// bound documents a variable that a destructuring pattern binds to a property. It
// reports whether that property was found.
func (w *documenter) bound(out *apidoc.Symbol, d decl, t *symbol) bool {
	n := d.node.Type()
	if n == nil || n.Kind != dts.Indexed || !n.Has(dts.FlagInferred) {
		return false
	}
	e := evaluator{r: w.r}
	access := n.Access()
	value := typeRef{node: access.Object, scope: d.scope}
	set, _ := e.props(value)
	name := access.Key.Name()
	p := set.get(name)
	if p == nil {
		if v, ok := e.property(value, name); ok && v.node != nil {
			out.Signature = "const " + d.node.Text + ": " + markup.Clean(v.node.String())
			return true
		}
		return false
	}
	w.tell(out, p)
	out.Kind = kindOf([]decl{d})
	var lines []string
	for line := range strings.SplitSeq(out.Signature, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(line, "readonly "), p.decls[0].node.Text)
		switch {
		case !ok:
		case strings.HasPrefix(rest, "?"):
			line = declaredWith(out.Kind) + d.node.Text + rest[1:]
		case strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "<"):
			line = "function " + d.node.Text + rest
		default:
			line = declaredWith(out.Kind) + d.node.Text + rest
		}
		lines = append(lines, line)
	}
	out.Signature = strings.Join(lines, "\n")
	if v, ok := e.propType(value, p); ok && v.node != nil && v.node.Kind == dts.Ref && w.referred(v.scope, v.node.Text) != nil {
		w.ownMembers(&e, out, v, t, 0)
	}
	return true
}

// declaredWith returns the keyword before the name of a variable.
func declaredWith(k apidoc.Kind) string { return string(k) + " " }
