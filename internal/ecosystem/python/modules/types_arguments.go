package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/spelling"
)

// WrongCall is a call whose arguments no declaration of the callee accepts.
type WrongCall struct {
	Offset int // of the last name of the callee, or of the argument that has no parameter
	Text   string
	Callee Owner  // the function or class
	Name   string // of the function
	// Unless contains the function, if a type that is derived from that of the callee may override it, and the methods
	// that returned the callee.
	Unless      []Override
	Problem     string
	Near        []string
	Declaration string
}

// signature is the parameters with which one declaration can be called.
type signature struct {
	params []source.Param
	text   func() string // returns the declaration
}

// Replaced returns the names of the attributes that code assigns, and the last names in its short strings, which are
// those that tests replace.
func Replaced(tokens []source.Token) map[string]bool {
	const maxText = 80
	replaced := map[string]bool{}
	for i, t := range tokens {
		switch {
		case t.Kind == source.StringToken && len(t.Text) < maxText:
			name := strings.Trim(t.Text, `"'`)
			if namesItself(tokens[:i], name) {
				continue
			}
			replaced[name[strings.LastIndexByte(name, '.')+1:]] = true
		case t.Kind == source.NameToken && i > 0 && tokens[i-1].Text == "." && i+1 < len(tokens) && tokens[i+1].Text == "=":
			replaced[t.Text] = true
		}
	}
	return replaced
}

// namesItself reports whether a string after tokens is the name of a variable to which the result of a call with it is
// assigned, as in Point = namedtuple("Point", "x y").
func namesItself(tokens []source.Token, name string) bool {
	i := len(tokens) - 1
	if i < 0 || tokens[i].Text != "(" {
		return false
	}
	for i--; i >= 0 && (tokens[i].Kind == source.NameToken || tokens[i].Text == "."); i-- {
	}
	return i > 0 && tokens[i].Text == "=" && tokens[i-1].Text == name
}

// checkCall compares the arguments of a call with the declarations of the callee.
func (f *frame) checkCall(x *source.Tree, callee *typ) {
	if f.report == nil || f.quiet > 0 || f.failing > 0 || f.limit != 0 || callee == nil {
		return
	}
	isApplied := isPartial(callee) && len(x.Args) > 0
	if isApplied {
		if x = partialCall(x); x.X.Kind == source.Name || x.X.Kind == source.Attribute {
			callee = f.silently(x.X)
		}
	}
	if callee == nil || x.X.Kind != source.Name && x.X.Kind != source.Attribute || !isApplied && f.isImportedName(x.X) && !f.isLenient(x, callee) {
		return
	}
	all, owner, derived := f.signatures(callee)
	if len(all) == 0 {
		return
	}
	args, ok := argumentsOf(x)
	if !ok {
		return
	}
	wrong := WrongCall{Offset: x.X.Pos + len(x.X.Text) - len(x.X.Name), Text: x.X.Text, Callee: owner, Name: x.X.Name, Unless: f.exported(callee.overrides())}
	if derived {
		class := owner
		class.Path = parentOf(owner.Path)
		wrong.Unless = append(wrong.Unless, Override{class, x.X.Name})
	}
	for _, s := range all {
		problem, unknown := args.Mismatch(parametersOf(s.params))
		if problem == "" {
			return
		}
		if wrong.Problem == "" {
			wrong.Problem, wrong.Declaration = problem, s.text()
		}
		if unknown != nil && len(all) == 1 {
			wrong.Offset = unknown.Column
			wrong.Near = spelling.Near(keywordsOf(s.params), unknown.Name)
		}
	}
	if len(all) > 1 {
		if owner.Own {
			return // the code accepts more than its overloads declare
		}
		wrong.Problem = "has several declarations, and none of them accepts these arguments; the first " + wrong.Problem
	}
	if f.report.replaced == nil {
		f.report.replaced = Replaced(source.Tokens(f.file.source))
	}
	isClass := callee.kind == classObject
	if f.report.replaced[x.X.Name] || isClass && f.report.replaced["__init__"] || f.report.seen[wrong.Offset] {
		return
	}
	f.report.seen[wrong.Offset] = true
	f.report.wrong = append(f.report.wrong, wrong)
}

// isPartial reports whether a callee is functools.partial.
func isPartial(callee *typ) bool {
	return callee.kind == functionType && callee.def != nil && callee.def.b != nil && callee.def.b.name == "partial" && callee.def.b.scope.file.mod.name == "_functools"
}

// partialCall returns the call of the function that is the first argument of a call of functools.partial, with the other
// arguments and any number of unknown ones.
func partialCall(x *source.Tree) *source.Tree {
	call := *x
	call.X = x.Args[0]
	call.Args = append(slices.Clone(x.Args[1:]), &source.Tree{Kind: source.Starred, Name: "*"}, &source.Tree{Kind: source.Starred, Name: "**"})
	return &call
}

// isLenient reports whether the overloads of a function accept the arguments of a call, and parameters of its code decide
// whether it does, as if the overloads have **kwargs: Unpack[Options].
func (f *frame) isLenient(x *source.Tree, callee *typ) bool {
	if callee.kind != functionType || callee.def == nil || callee.def.b == nil || callee.def.owner != nil || len(callee.def.b.overloads) == 0 || callee.def.b.implementation() == nil {
		return false
	}
	args, ok := argumentsOf(x)
	return ok && slices.ContainsFunc(callee.def.b.overloads, func(stmt *source.Stmt) bool {
		problem, _ := args.Mismatch(parametersOf(source.Params(stmt.Params)))
		return problem == ""
	})
}

// isImportedName reports whether an expression is the name of an import, or a name in an imported module.
func (f *frame) isImportedName(x *source.Tree) bool {
	if x.Dotted() == "" {
		return false // without evaluating each call of a chain of calls again
	}
	for x.Kind == source.Attribute {
		if v := f.silently(x.X); v == nil || v.kind != moduleObject && v.kind != classObject {
			return false
		}
		x = x.X
	}
	for o := f; o != nil; o = o.outer {
		if _, ok := o.locals[x.Name]; ok && o.def != nil {
			return o.imports[x.Name]
		}
	}
	b := f.file.scope.names[x.Name]
	return b != nil && b.imported
}

// silently returns the type of an expression without reporting anything.
func (f *frame) silently(x *source.Tree) (v *typ) {
	report := f.report
	f.report = nil
	f.muted(func() { v = f.value(x) })
	f.report = report
	return v
}

// argumentsOf returns the arguments of a call. The column of a named argument is its offset. It returns false if the
// call leaves out arguments, as examples do.
func argumentsOf(x *source.Tree) (args ecosystem.Args, ok bool) {
	for _, a := range x.Args {
		switch {
		case a.Kind == source.Constant && a.Name == "...":
			return args, false
		case a.Kind == source.Keyword:
			args.Named = append(args.Named, ecosystem.Field{Name: a.Name, Position: ecosystem.Position{Column: a.Pos}})
		case a.Kind == source.Starred && a.Name == "**":
			args.NamedSpread = true
		case a.Kind == source.Starred:
			args.Spread = true
		default:
			args.Positional++
		}
	}
	return args, true
}

// parametersOf converts parameters to those of any language.
func parametersOf(params []source.Param) []ecosystem.Param {
	all := make([]ecosystem.Param, len(params))
	for i, p := range params {
		all[i].Name = p.Name
		if p.Default != "" {
			all[i].Flags |= apidoc.Optional
		}
		switch p.Kind {
		case source.PositionalOnly:
			all[i].Flags |= apidoc.PositionalOnly
		case source.VarPositional:
			all[i].Flags |= apidoc.Variadic
		case source.KeywordOnly:
			all[i].Flags |= apidoc.KeywordOnly
		case source.VarKeyword:
			all[i].Flags |= apidoc.Variadic | apidoc.KeywordOnly
		}
	}
	return all
}

// keywordsOf yields the names of the parameters that callers can pass by name.
func keywordsOf(params []source.Param) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, p := range params {
			if (p.Kind == source.Positional || p.Kind == source.KeywordOnly) && !yield(p.Name) {
				return
			}
		}
	}
}

// signatures returns the declarations of what a call calls, or none if they are not known. derived is true if a derived
// type may override them.
func (f *frame) signatures(callee *typ) (all []signature, owner Owner, derived bool) {
	switch {
	case callee.kind == classObject && callee.class != nil && callee.exact:
		all = f.constructors(callee.class)
		e := callee.class.e
		return all, Owner{Module: e.mod.name, Path: e.path, Own: f.isOwn(e.mod.dist)}, false
	case callee.kind != functionType || callee.def == nil || callee.def.opaque && !callee.def.forwarded || callee.def.code != nil && callee.def.code.opaque && !callee.def.code.forwarded:
		return nil, owner, false
	case callee.def.local != nil:
		code := callee.def.local.code
		if code == nil || len(code.Decorators) > 0 {
			return nil, owner, false
		}
		return []signature{{source.Params(code.Params), func() string { return "def " + code.Name + "(" + source.Flat(code.Params) + ")" }}}, Owner{Module: f.file.mod.name, Path: code.Name, Own: true}, false
	}
	def := callee.def
	if def.code != nil {
		def = def.code
	}
	b := def.b
	if b == nil || b.stmt == nil || b.stmt.Kind != source.Def || b.scope.file.made || b.scope.file.mod.dist == f.stubs || b.typing || b.alt != nil || f.r.mayWrap(b) {
		return nil, owner, false
	}
	if b.scope.class != nil && !def.static && (def.owner == nil || callee.self == nil && !def.class) {
		return nil, owner, false // the first argument may be the object
	}
	if params := source.Params(b.stmt.Params); def.owner != nil && !def.static && !def.owner.whole && (len(params) == 0 || params[0].Kind <= source.Positional && !receivers[params[0].Name]) {
		return nil, owner, false // the base may be an interface, whose methods are declared without self
	}
	if def.owner != nil && b.scope.file.stub && f.isComputed(def.owner, b.stmt.Name) {
		return nil, owner, false
	}
	e := f.r.declared(b)
	owner = Owner{Module: e.mod.name, Path: e.path, Own: f.isOwn(e.mod.dist)}
	stmts := def.stmts
	if code := b.implementation(); code != nil {
		stmts = []*source.Stmt{code}
	}
	for _, stmt := range stmts {
		params := parameters(def, stmt, callee.self)
		if takesAnything(source.Params(stmt.Params)) {
			return nil, owner, false
		}
		all = append(all, signature{params, func() string { return f.doc.head(stmt, stmt.Name) }})
	}
	return all, owner, def.owner != nil && callee.self != nil && !callee.self.exact
}

// implementation returns the declaration of a function whose parameters decide which arguments it accepts: its only one,
// or the one after its overloads. It returns nil if only the overloads name the parameters.
func (b *binding) implementation() *source.Stmt {
	if len(b.overloads) == 0 {
		return b.stmt
	}
	params := source.Params(b.stmt.Params)
	if b.scope.file.stub || isOverload(b.stmt) || takesAnything(params) || len(params) > 1 && takesAnything(params[1:]) {
		return nil
	}
	return b.stmt
}

// isComputed reports whether the code of a class with a stub computes a method by __getattr__, so that the method may have
// more parameters than the stub declares.
func (t *Types) isComputed(c *classType, name string) bool {
	code := c.e.code
	if code == nil || code.stmt == nil || code.stmt.Kind != source.Class {
		return false
	}
	names := t.r.inner(code).names
	return names[name] == nil && names["__getattr__"] != nil
}

// mayHaveDefault reports whether the annotation of a field may contain its default, in Annotated or in an alias of it.
func (t *Types) mayHaveDefault(s *scope, annotation string) bool {
	if strings.Contains(annotation, "Annotated") {
		return true
	}
	x := source.Parse(annotation)
	if x.Kind == source.Subscript {
		x = x.X
	}
	name := x.Dotted()
	if name == "" || (builtins[name] || name == "Any") && s.names[name] == nil {
		return false
	}
	e := t.r.resolve(s, name)
	return e == nil || e.known() && e.path != "" && !e.isClass() // a name of a function may be an alias, too
}

// constructors returns the declarations of how a class is called, or none if they are not known.
func (t *Types) constructors(c *classType) []signature {
	if !c.constructed {
		c.constructed = true
		c.calls = t.findConstructors(c)
	}
	return c.calls
}

// passes matches code before an argument of a call, and inspecting contains functions that only inspect a class.
var (
	passes     = lazyregexp.New(`(class[ \t]+)?\b(\w+)\([^()\n]*$`)
	inspecting = set("isinstance", "issubclass", "super", "cast", "raises", "assertRaises")
)

const (
	// maxOccurrences is the maximum number of occurrences of the name of a class that are examined.
	maxOccurrences = 1000
	// maxCallText is the maximum length, in bytes, of the text before an argument that is examined.
	maxCallText = 200
)

// isPassed reports whether code may pass a class to a function that gives it a constructor, as mappers of databases do.
func isPassed(class, code string) bool {
	at := 0
	for range maxOccurrences {
		n := strings.Index(code[at:], class)
		if n < 0 {
			return false
		}
		before := code[max(at+n-maxCallText, 0) : at+n]
		at += n + len(class)
		after := strings.TrimLeft(code[at:min(at+maxCallText, len(code))], " \t\r\n")
		if !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, ")") || before != "" && isName(before[len(before)-1:]) {
			continue
		}
		if m := passes().FindStringSubmatch(before); m != nil && m[1] == "" && !inspecting[m[2]] {
			return true
		}
	}
	return true
}

func (t *Types) findConstructors(c *classType) []signature {
	main := c.e.main()
	if !c.whole || c.e.mod.dist == t.stubs || main.stmt == nil || main.stmt.Kind != source.Class || main.alt != nil {
		return nil
	}
	if t.r.mayWrap(main) && slices.ContainsFunc(main.stmt.Decorators, func(d *source.Expression) bool { return !plainDecorators[decorator(d)] }) {
		return nil
	}
	if meta := t.r.metaclass(c.e); meta != nil && !plainMetaclasses[meta.full()] {
		if !meta.known() || !meta.isClass() {
			return nil
		}
		if b, _ := t.find(t.classOf(meta), "__call__"); b != nil {
			return nil
		}
	}
	generated := func(params []source.Param) []signature {
		text := func() string {
			var w strings.Builder
			w.WriteString("class " + c.name + "(")
			t.doc.writeParams(&w, params)
			w.WriteByte(')')
			return w.String()
		}
		accepted := params
		if t.r.ignoresExtra(c.e) {
			accepted = append(slices.Clip(params), source.Param{Kind: source.VarKeyword, Name: "extra_data"})
		}
		return []signature{{accepted, text}}
	}
	style := t.r.styleOf(c.e)
	switch style {
	case enumeration, protocol:
		return nil
	case typedDict:
		if strings.Contains(main.stmt.Params, "=") { // such as extra_items
			return nil
		}
		params := []source.Param{{Kind: source.PositionalOnly, Name: "fields", Default: "..."}}
		for _, f := range t.r.fields(c.e) {
			params = append(params, source.Param{Kind: source.KeywordOnly, Name: f.name, Annotation: f.annotation, Default: "..."})
		}
		return generated(params)
	}
	if t.r.convertsFields(c.e) {
		return nil
	}
	m, wrapped := t.doc.constructorOf(c.e, t.r.members(c.e))
	if wrapped || t.r.computesAliases(c.e) || t.r.fillsFields(c.e) {
		return nil
	}
	if m == nil || m.owner != c.e {
		if params, ok := t.r.constructor(c.e); ok {
			inherits := m != nil && style == pydanticModel && !pydanticNames[m.owner.full()]
			for i := range params {
				if inherits || t.mayHaveDefault(main.scope, params[i].Annotation) { // an inherited __init__ may fill fields
					params[i].Default = cmp.Or(params[i].Default, "...")
				}
			}
			if inherits {
				params = throughInit(m.main(), params)
			}
			return generated(params)
		}
	}
	if m == nil {
		if slices.ContainsFunc(t.r.mro(c.e), func(e *entity) bool {
			return e.external != "" && !emptyBases[strings.TrimPrefix(e.external, "builtins.")]
		}) {
			return nil // a compiled class, whose constructor is not known
		}
		if style != plainClass || slices.ContainsFunc(c.mro, func(k *classType) bool {
			if k.e.mod.dist == t.stubs {
				return k.name != "object"
			}
			return t.r.styleOf(k.e) != plainClass || !t.r.tellsAll(k.e)
		}) || isPassed(c.name, main.scope.file.source) {
			return nil
		}
		return generated(nil)
	}
	for _, k := range c.mro {
		if k.e == m.owner {
			break
		}
		if t.r.styleOf(k.e) != plainClass { // A decorator or base gives the class another constructor.
			return nil
		}
	}
	b := m.typed()
	if b.stmt == nil || b.stmt.Kind != source.Def || b.scope.file.made || b.typing || b.alt != nil || t.r.mayWrap(b) {
		return nil
	}
	stmts := b.overloads
	if code := b.implementation(); code != nil {
		stmts = []*source.Stmt{code}
	}
	var all []signature
	for _, stmt := range stmts {
		params := source.Params(stmt.Params)
		if len(params) == 0 || params[0].Kind > source.Positional {
			return nil
		}
		all = append(all, signature{params[1:], func() string { return t.doc.head(stmt, stmt.Name) }})
	}
	return all
}
