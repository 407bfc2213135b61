package modules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/markup"
)

// document sets the symbols of an entry point.
func (r *Reader) document(out *apidoc.Package, t target) error {
	if t.pkg != r.main && t.pkg != nil {
		r.warn("the declarations come from %s", nameOf(t.pkg.Package))
	}
	var m *module
	if t.ambient != nil {
		m = t.ambient
	} else if m = r.load(t.pkg, t.path); m == nil {
		return r.err
	}
	r.inParts = r.inParts || r.isLarge(m)
	r.closure(m)
	if m.script {
		if ambient := r.ambient[out.Name]; ambient != nil {
			m = ambient
		} else {
			r.script(out, m)
			return r.err
		}
	}
	if m.file != nil && !m.ambient {
		d := dts.ReadDoc(m.file.FileDoc())
		out.Doc = markup.Clean(d.Markdown)
		out.Deprecated = markup.Clean(d.Deprecated)
	}
	if m.global != "" {
		out.Qualifiers = append(out.Qualifiers, m.global)
	}
	w := newDocumenter(r, t.pkg)
	out.Symbols = append(out.Symbols, w.module(m)...)
	w.internals(out)
	out.Hidden = r.memberExports(m)
	if m.file != nil && m.file.Language == dts.JavaScript {
		out.Wrapped = []string{"*"} // Functions of JavaScript accept any number of arguments.
	}
	if r.exportsResult(m) {
		out.Dynamic = "its exports are computed when it runs"
	}
	r.parts(out, m)
	return r.err
}

// internals documents the types that the signatures of exported symbols name although
// users cannot import them.
func (w *documenter) internals(out *apidoc.Package) {
	for i := 0; i < len(w.exports.order) && w.r.check(); i++ { // Documenting a symbol may add to the list.
		t := w.exports.order[i]
		path := w.exports.internals.paths[t]
		out.Internal = w.withOutdated(append(out.Internal, w.symbol(t, path)), t, path)
	}
	out.Imports = w.exports.imports.list
}

// maxHidden is the maximum number of members of a value that a package lists as names.
const maxHidden = 5000

// memberExports returns the names of the members of the value that a module assigns to export =, which programs can import
// like exports, or "*" if they are not known.
func (r *Reader) memberExports(m *module) (names []string) {
	if m.equals == nil {
		return nil
	}
	sym := r.target(m.equals)
	if sym == nil || sym.namespaceOf != nil {
		return nil
	}
	e := evaluator{r: r}
	if isClass(sym) {
		l := e.members(sym)
		if l.incomplete || l.partialStatics || l.statics.open || len(l.statics.order) > maxHidden {
			return []string{"*"}
		}
		names = append(names, "prototype")
		for _, p := range l.statics.order {
			names = append(names, p.name)
		}
		return names
	}
	t, ok := valueType(sym)
	if !ok {
		return nil
	}
	set, known := e.props(t)
	if !known || set.open || len(set.order) == 0 || len(set.order) > maxHidden {
		return []string{"*"}
	}
	for _, p := range set.order {
		names = append(names, p.name)
	}
	return names
}

// script documents a file that declares globals and modules by name, such as
// the declarations of Node.js.
func (r *Reader) script(out *apidoc.Package, m *module) {
	w := newDocumenter(r, m.pkg)
	for _, s := range r.globals.order {
		if s.name != "" && len(s.decls) > 0 && s.decls[0].scope.mod.pkg == m.pkg {
			r.loadLate(s.name) // Loading a file may add symbols.
			out.Symbols = w.withOutdated(append(out.Symbols, w.symbol(s, s.name)), s, s.name)
		}
	}
	for name, a := range sorted(r.ambient) {
		if a.pkg != m.pkg || name == "" {
			continue
		}
		r.closure(a)
		sym := apidoc.Symbol{Path: name, Kind: apidoc.Module, Signature: `module "` + name + `"`}
		w.under(a, func() { sym.Members = w.listed(r.exportsOf(a), name+".") })
		if e := a.equals; e != nil {
			if x := w.equals(e, name+"."); x != nil {
				sym.Members = append(w.withOutdated([]apidoc.Symbol{*x}, e, x.Path), sym.Members...)
			}
		}
		out.Symbols = append(out.Symbols, sym)
	}
}

// documenter creates apidoc symbols.
type documenter struct {
	r   *Reader
	pkg *pkg // the package to which file paths are relative
	// inside contains the namespaces that are being written, to stop recursion.
	inside map[any]bool
	// claimed contains the path under which a namespace's members are listed. A
	// namespace that is exported several times, or by its own members, is listed
	// only once.
	claimed map[any]string
	exports *exportSet // nil if values are rendered without members
	// An inherited member is rendered for each class that inherits it, but its
	// documentation is created only once.
	docs    map[*dts.Node]*declDoc
	docPool []declDoc // allocated in blocks
	// Several components may have the same type or the same prop.
	alike      map[likeness]apidoc.Symbol
	signatures map[propKey]string
	paths      strings.Builder // recent paths, stored in one string
}

// renderedMember caches the rendering of a member for all classes that inherit it.
type renderedMember struct {
	by     *documenter
	symbol *apidoc.Symbol // without path and origin
	// last is the last overridden member whose comment was looked up, or nil if a
	// comment was found.
	last *prop
	// divided are the current and the deprecated overloads of a method that has both.
	divided *[2]prop
}

func newDocumenter(r *Reader, p *pkg) *documenter {
	return &documenter{r: r, pkg: p, docs: map[*dts.Node]*declDoc{}}
}

// module documents the exports of a module.
func (w *documenter) module(m *module) []apidoc.Symbol {
	var out []apidoc.Symbol
	exports := w.r.exportsOf(m)
	w.ownTypes(m, exports)
	if m.equals != nil {
		if s := w.equals(m.equals, ""); s != nil {
			out = w.withOutdated(append(out, *s), m.equals, s.Path)
		}
	}
	w.under(m, func() { out = append(out, w.listed(exports, "")...) })
	return out
}

// under marks the namespace key as being written while it runs f.
func (w *documenter) under(key any, f func()) {
	if w.inside == nil {
		w.inside = map[any]bool{}
	}
	w.inside[key] = true
	f()
	delete(w.inside, key)
}

// equals documents the symbol that a module assigns to export =. The members of
// its namespace are exports of the module. It returns nil if the symbol is only a
// namespace or an object of exports.
func (w *documenter) equals(e *symbol, prefix string) *apidoc.Symbol {
	t := w.r.target(e)
	if t == nil || t.namespaceOf != nil {
		return nil
	}
	whole := false
	for _, d := range t.decls {
		// The properties of an object literal are the exports.
		isObject := d.node.Kind == dts.ExportEquals && d.node.Value().Is(dts.Object)
		whole = whole || d.node.Kind != dts.Namespace && !isObject
	}
	if !whole || t.exports != nil && w.inside[t.exports] {
		return nil
	}
	var s apidoc.Symbol
	w.under(t.exports, func() { s = w.symbol(e, prefix+"export=") })
	return &s
}

func (w *documenter) listed(symbols []*symbol, prefix string) []apidoc.Symbol {
	w.claim(symbols, prefix)
	out := make([]apidoc.Symbol, 0, len(symbols))
	for _, s := range symbols {
		if w.r.symbols > maxSymbols {
			w.r.err = errTooMuch
		}
		if !w.r.check() && w.r.err != nil {
			break
		}
		// If the reading has used up its steps, the other symbols are still listed, without most of their members.
		if prefix+s.name == "" {
			continue // export { x as "" } has no name to show
		}
		out = w.withOutdated(append(out, w.symbol(s, prefix+s.name)), s, prefix+s.name)
	}
	return out
}

// claim assigns each namespace the shortest path to it; "default" is the last
// choice.
func (w *documenter) claim(symbols []*symbol, prefix string) {
	if w.claimed == nil {
		w.claimed = map[any]string{}
	}
	for _, byDefault := range [...]bool{false, true} {
		for _, s := range symbols {
			if (s.name == "default") != byDefault {
				continue
			}
			if key := spaceKey(w.r.target(s)); key != nil && w.claimed[key] == "" {
				w.claimed[key] = prefix + s.name
			}
		}
	}
}

// symbolSteps is the number of steps counted for a documented symbol or member.
const symbolSteps = 32

// maxNested is the maximum nesting of namespaces that are documented.
const maxNested = 40

// spaceKey identifies the namespace of a symbol. It is nil if the symbol has none.
func spaceKey(t *symbol) any {
	switch {
	case t == nil:
		return nil
	case t.namespaceOf != nil:
		return t.namespaceOf
	case t.exports != nil:
		return t.exports
	}
	return nil
}

// space adds the members of a namespace, or a reference to the path under which
// they are listed.
func (w *documenter) space(out *apidoc.Symbol, key any, inner func() []*symbol) {
	note := ""
	if first := w.claimed[key]; first != "" && first != out.Path {
		note = "The same as `" + first + "`."
	} else if w.inside[key] && len(w.inside) == 1 && out.Kind == apidoc.Namespace {
		note = "The whole module. Its exports are its members."
	}
	if note != "" {
		if out.Doc != "" {
			note = out.Doc + "\n\n" + note
		}
		out.Doc, out.Closed = note, false
		return
	}
	if w.inside[key] || len(w.inside) > maxNested {
		out.Closed = false
		return
	}
	w.under(key, func() { out.Members = append(out.Members, w.listed(inner(), out.Path+".")...) })
}

// symbol documents one symbol under a path.
func (w *documenter) symbol(s *symbol, path string) apidoc.Symbol {
	w.r.symbols++
	w.r.meter.Step(symbolSteps)
	out := apidoc.Symbol{Path: path, Kind: apidoc.Unresolved}
	t := w.r.target(s)
	if t == nil || t.namespaceOf == nil && len(t.decls) == 0 {
		w.unresolved(&out, s)
		return out
	}
	if t.namespaceOf != nil {
		out.Kind = apidoc.Namespace
		out.Signature = "namespace " + lastOf(path)
		if s.alias != nil && s.alias.node != nil {
			out.File, out.Line = w.place(decl{s.alias.node, s.alias.scope})
			w.doc(&out, []decl{{s.alias.node, s.alias.scope}})
		}
		if !w.r.isPart(s) {
			w.space(&out, t.namespaceOf, func() []*symbol { return w.r.exportsOf(t.namespaceOf) })
		}
		return out
	}
	decls, _ := w.split(visible(t.decls))
	out.Kind = kindOf(decls)
	role := out.Role()
	out.AlsoType = decls[0].node.Kind == dts.Interface && (role == apidoc.ValueRole || out.Kind == apidoc.Class)
	out.Signature = renameHead(named(w.signature(decls), decls, s.name), declaredName(t), w.shownName(t, path))
	out.File, out.Line = w.place(decls[0])
	w.refer(&out, decls)
	if w.exports != nil && w.destructured(&out, t) {
		return out
	}
	w.doc(&out, decls)
	if out.Doc == "" && s.alias != nil && s.alias.node != nil {
		w.doc(&out, []decl{{s.alias.node, s.alias.scope}})
	}
	w.members(&out, t, decls)
	w.valueMembers(&out, s, t)
	w.component(&out, t, decls)
	w.angular(&out, decls)
	return out
}

// named inserts the exported name into the signature of an anonymous function
// or class: exports.f = function () {}.
func named(signature string, decls []decl, name string) string {
	n := decls[0].node
	if len(decls) > 1 || n.Text != "" || name == "default" || strings.ContainsFunc(name, notInName) {
		return signature
	}
	switch n.Kind {
	case dts.Function:
		return "function " + name + strings.TrimPrefix(signature, "function ")
	case dts.Class:
		return strings.Replace(signature, "class", "class "+name, 1)
	}
	return signature
}

func notInName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$'
}

func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// unresolved documents an export that cannot be resolved.
func (w *documenter) unresolved(out *apidoc.Symbol, s *symbol) {
	a := s.alias
	if a == nil {
		return
	}
	spec := w.origin(a)
	switch {
	case a.equals && spec != "":
		out.Signature = "export import " + s.name + ` = require("` + spec + `")`
	case a.name == s.name:
		out.Signature = "export { " + a.name + " }"
	default:
		out.Signature = "export { " + a.name + " as " + s.name + " }"
	}
	if spec != "" {
		if !a.equals {
			out.Signature += ` from "` + spec + `"`
		}
		if !w.r.isPart(s) {
			w.r.warn("the source of an export from %q was not found", spec)
		}
	}
	if a.node != nil {
		out.File, out.Line = w.place(decl{a.node, a.scope})
	}
}

// origin returns the specifier of the module at the end of a chain of aliases. It
// returns "" if there is none.
func (w *documenter) origin(a *alias) string {
	for range 10 {
		if a.spec != "" && a.spec != selfSpec {
			return a.spec
		}
		s := w.r.lookup(a.scope, a.name, anything)
		if s == nil || s.alias == nil || s.alias == a {
			break
		}
		a = s.alias
	}
	return ""
}

// visible removes the implementation signature of overloads.
func visible(decls []decl) []decl {
	bodies := 0
	for _, d := range decls {
		if isFunction(d.node) && d.node.Has(dts.FlagBody) {
			bodies++
		}
	}
	if bodies == 0 || bodies == len(decls) {
		return decls
	}
	functions := 0
	for _, d := range decls {
		if isFunction(d.node) {
			functions++
		}
	}
	if functions == bodies {
		return decls
	}
	out := make([]decl, 0, len(decls)-bodies)
	for _, d := range decls {
		if !isFunction(d.node) || !d.node.Has(dts.FlagBody) {
			out = append(out, d)
		}
	}
	return out
}

func isFunction(n *dts.Node) bool {
	return n.Kind == dts.Function || n.Kind == dts.Method || n.Kind == dts.Constructor
}

// kindOf returns the kind of a symbol. If the symbol is both a type and a value, the kind of the
// value takes precedence.
func kindOf(decls []decl) apidoc.Kind {
	rank, kind := 100, apidoc.Unresolved
	for _, d := range decls {
		var k apidoc.Kind
		n := 4
		switch d.node.Kind {
		case dts.Function:
			k, n = apidoc.Function, 1
		case dts.Class:
			k, n = apidoc.Class, 2
		case dts.Enum:
			k, n = apidoc.Enum, 3
		case dts.Variable:
			switch {
			case d.node.Has(dts.FlagConst) || d.node.Has(dts.FlagUsing):
				k = apidoc.Const
			case d.node.Has(dts.FlagLet):
				k = apidoc.Let
			default:
				k = apidoc.Var
			}
		case dts.TypeAlias:
			k, n = apidoc.Type, 5
		case dts.Interface:
			k, n = apidoc.Interface, 6
		case dts.Namespace:
			k, n = apidoc.Namespace, 7
		default:
			k, n = memberKind(d.node), 8
		}
		if n < rank {
			rank, kind = n, k
		}
	}
	return kind
}

func memberKind(n *dts.Node) apidoc.Kind {
	switch n.Kind {
	case dts.Method:
		return apidoc.Method
	case dts.Property:
		return apidoc.Property
	case dts.Getter, dts.Setter:
		return apidoc.Accessor
	case dts.Constructor:
		return apidoc.Constructor
	case dts.CallSig:
		return apidoc.CallSignature
	case dts.NewSig:
		return apidoc.ConstructSignature
	case dts.IndexSig:
		return apidoc.IndexSignature
	case dts.EnumMember:
		return apidoc.EnumValue
	}
	return apidoc.Const
}

// signature prints all declarations, one per line, without repeated lines.
func (w *documenter) signature(decls []decl) string {
	if len(decls) == 1 {
		s := w.docOf(decls[0].node)
		if !s.signed {
			s.signed, s.signature = true, markup.Clean(declared(decls[0].node))
			w.r.meter.Step(len(s.signature) / 8)
		}
		return s.signature
	}
	var lines []string
	seen := map[string]bool{}
	space := true
	for _, d := range decls {
		space = space && d.node.Kind == dts.Namespace
	}
	for _, d := range decls {
		// A namespace that is merged with a function or class has no separate line; its members are
		// listed instead.
		if d.node.Kind == dts.Namespace && !space {
			continue
		}
		s := declared(d.node)
		w.r.meter.Step(len(s) / 8)
		if !seen[s] {
			seen[s] = true
			lines = append(lines, s)
		}
	}
	return markup.Clean(strings.Join(lines, "\n"))
}

// declared prints one declaration.
func declared(n *dts.Node) string {
	switch n.Kind {
	case dts.ExportDefault, dts.ExportEquals, dts.ExportAssign, dts.MemberAssign:
		v := n.Value()
		switch {
		case v == nil:
			return "const " + firstOf(n.Text, "default")
		case v.Kind == dts.Expression && v.Callee() != nil:
			return "const " + firstOf(n.Text, "default") + ": " + v.Callee().String()
		case v.Kind == dts.Initial || v.Kind == dts.Literal:
			return "const " + firstOf(n.Text, "default") + " = " + v.Text
		}
		return "const " + firstOf(n.Text, "default")
	}
	return n.Signature()
}

// place returns the file, relative to the package, and the line of a declaration.
// It returns "" and 0 for a module that is not a file.
func (w *documenter) place(d decl) (string, int) {
	m := d.scope.mod
	if m.file == nil {
		return "", 0
	}
	file := m.path
	if m.pkg != w.pkg {
		file = "node_modules/" + m.pkg.Name + "/" + file
	}
	return file, m.file.Line(d.node.Pos)
}

// members adds the members of a symbol.
func (w *documenter) members(out *apidoc.Symbol, t *symbol, decls []decl) {
	path := out.Path + "."
	typed := false
	for _, d := range decls {
		switch d.node.Kind {
		case dts.Class, dts.Interface:
			if !typed {
				typed = true
				w.typeMembers(out, t)
			}
		case dts.Enum:
			out.Closed = true
			for m := range d.node.Children() {
				w.add(out, &prop{name: m.Name(), decls: []decl{{m, d.scope}}}, path, t)
			}
		case dts.Function:
			for m := range d.node.All(dts.Property) {
				w.add(out, &prop{name: m.Name(), decls: []decl{{m, d.scope}}}, path, t)
			}
		case dts.TypeAlias, dts.Variable:
			w.literalMembers(out, d, t)
		}
	}
	for _, d := range t.methods {
		if strings.Contains(d.scope.mod.file.Doc(d.node), "@private") {
			continue
		}
		w.add(out, &prop{name: d.node.Name(), decls: []decl{d}}, path, t)
	}
	if t.exports != nil {
		w.space(out, t.exports, func() []*symbol { return t.exports.order })
	}
}

func (w *documenter) typeMembers(out *apidoc.Symbol, t *symbol) {
	l := w.r.membersOf(t)
	out.Closed = !l.incomplete && !l.props.open && !w.extendsParameter(t)
	groups := [...][]*prop{l.unnamed, l.props.order, l.statics.order}
	out.Members = slices.Grow(out.Members, len(groups[0])+len(groups[1])+len(groups[2]))
	prefix := out.Path + "."
	unlisted := 0
	for _, group := range groups {
		for _, p := range group {
			if w.r.symbols > maxInherited && p.owner != t {
				unlisted++
				continue
			}
			w.add(out, p, prefix, t)
		}
	}
	w.unlisted(out, unlisted)
}

// unlisted records the number of inherited members that are not listed.
func (w *documenter) unlisted(out *apidoc.Symbol, n int) {
	if n > 0 {
		out.Closed, out.Unlisted = false, fmt.Sprintf("%d inherited members", n)
	}
}

func (w *documenter) extendsParameter(t *symbol) bool {
	e := evaluator{r: w.r}
	return e.extendsParameter(t)
}

// add appends a member to a symbol.
func (w *documenter) add(to *apidoc.Symbol, p *prop, prefix string, owner *symbol) {
	if !w.r.meter.Step(symbolSteps) {
		return
	}
	current, outdated := w.overloads(p)
	if outdated != nil {
		to.Members = slices.Grow(to.Members, 2) // The cached parts of both keep their places in memory.
	}
	to.Members = append(to.Members, apidoc.Symbol{})
	w.member(&to.Members[len(to.Members)-1], current, prefix, owner)
	if outdated != nil {
		to.Members = append(to.Members, apidoc.Symbol{})
		n := len(to.Members)
		w.member(&to.Members[n-1], outdated, prefix, owner)
		moveDoc(&to.Members[n-2], &to.Members[n-1])
	}
}

// literalMembers adds the members of an alias or variable whose type is an
// object literal or an intersection.
func (w *documenter) literalMembers(out *apidoc.Symbol, d decl, t *symbol) {
	n := d.node.Type().Unparen()
	if n == nil || n.Kind != dts.TypeLiteral && n.Kind != dts.Intersection || d.node.Kind == dts.Variable && n.Kind != dts.TypeLiteral {
		if d.node.Kind == dts.TypeAlias {
			w.aliasMembers(out, d, t)
		}
		return
	}
	prefix := out.Path + "."
	if n.Kind == dts.TypeLiteral {
		e := evaluator{r: w.r}
		var l memberList
		for m := range n.Children() {
			e.member(&l, m, d.scope, nil)
		}
		for _, p := range l.unnamed {
			w.add(out, p, prefix, t)
		}
	}
	all, whole := w.r.literalProps(n, d)
	out.Closed = whole
	out.Members = slices.Grow(out.Members, len(all))
	unlisted := 0
	for _, p := range all {
		if w.r.symbols > maxInherited && p.owner != nil {
			unlisted++
			continue
		}
		w.add(out, p, prefix, t)
	}
	w.unlisted(out, unlisted)
}

// member documents a member of a type in place.
func (w *documenter) member(out *apidoc.Symbol, p *prop, prefix string, owner *symbol) {
	w.r.symbols++
	if known := &p.rendered; known.by == w && (known.last == nil || known.last.base == nil) {
		*out = *known.symbol
	} else {
		last := w.tell(out, p)
		w.functionMember(out, visible(p.decls))
		if p.owner != nil {
			*known = renderedMember{by: w, symbol: out, last: last}
		}
	}
	out.Path, out.From = w.path(prefix, p.name), ""
	if len(out.Members) > 0 { // The call signatures of a function have another path for each class.
		out.Members = slices.Clone(out.Members)
		out.Members[0].Path = out.Path + ".()"
	}
	if p.owner != nil && p.owner != owner {
		out.From = w.nameOf(p.owner)
	}
}

// tell sets the part of a member's documentation that all inheriting classes share. It returns the
// last overridden member if no comment was found.
func (w *documenter) tell(out *apidoc.Symbol, p *prop) *prop {
	decls := visible(p.decls)
	e := w.r.short(maxTextSteps)
	shown := visible(p.written(&e))
	out.Kind, out.Signature = kindOf(shown), w.signature(shown)
	// Members of a namespace, or of the static side of a value, are shown as
	// properties.
	switch out.Kind {
	case apidoc.Function:
		out.Kind = apidoc.Method
	case apidoc.Const, apidoc.Var, apidoc.Let, apidoc.Class, apidoc.Enum:
		out.Kind = apidoc.Property
	}
	w.refer(out, append(slices.Clip(decls), p.arguments()...))
	out.File, out.Line = w.place(decls[0])
	last := p
	tags := false
	for q, depth := p, 0; q != nil && depth < 20; q, depth = q.base, depth+1 {
		if w.inheritedDoc(out, visible(q.decls), &tags) {
			return nil
		}
		last = q
	}
	for q, depth := p, 0; q != nil && depth < 20; q, depth = q.base, depth+1 {
		for _, i := range q.implements {
			if w.inheritedDoc(out, visible(i.decls), &tags) {
				return nil
			}
		}
	}
	return last
}

// path returns prefix followed by name. Paths share one buffer, because there are
// many.
func (w *documenter) path(prefix, name string) string {
	const room = 16 << 10
	if n := len(prefix) + len(name); w.paths.Cap()-w.paths.Len() < n {
		w.paths = strings.Builder{}
		w.paths.Grow(max(n, room))
	}
	index := w.paths.Len()
	w.paths.WriteString(prefix)
	w.paths.WriteString(name)
	return w.paths.String()[index:]
}

func sorted(m map[string]*module) func(yield func(string, *module) bool) {
	return func(yield func(string, *module) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
