package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// This file documents classes: their own and inherited members, and how they are called.

// shownSpecial contains the special methods that show how objects are used. They are shown only for
// classes of the distribution.
var shownSpecial = set("__call__", "__getitem__", "__setitem__", "__contains__", "__len__", "__iter__", "__enter__", "__aenter__", "__aiter__", "__await__")

// takesOptions reports whether a method is __init_subclass__ and has parameters, which are the
// keywords in the statements of subclasses, as in class A(Base, frozen=True).
func takesOptions(m *member) bool {
	x := m.typed()
	if m.name != "__init_subclass__" || x.stmt == nil || x.stmt.Kind != source.Def {
		return false
	}
	params := source.Params(x.stmt.Params)
	return slices.ContainsFunc(params[min(len(params), 1):], func(p source.Param) bool {
		return p.Kind == source.Positional || p.Kind == source.KeywordOnly || p.Kind == source.VarKeyword && strings.Contains(p.Annotation, "Unpack[")
	})
}

// forwards reports whether a constructor __new__ has only the parameters *args and **kwargs, in
// which case __init__ shows which arguments callers can pass.
func (m *member) forwards() bool {
	x := m.typed()
	return x.stmt != nil && x.stmt.Kind == source.Def && len(x.overloads) == 0 && passesOn(x.stmt)
}

// inheritedSteps is the cost of an inherited member. Each class in a chain documents the
// members of all its bases again, so a few bytes of source can produce many.
const inheritedSteps = 100

// class documents a class with its members.
func (d *documenter) class(e *entity, path string) apidoc.Symbol {
	d.count()
	main := e.main()
	typed := e.typed()
	if typed.stmt == nil || typed.stmt.Kind != source.Class {
		typed = main
	}
	s := apidoc.Symbol{Path: path, Kind: apidoc.Class, Signature: d.classSignature(typed, lastOf(e.path)), Deprecated: deprecated(main.stmt)}
	if typed.stmt != nil && d.mayWrap(typed) {
		d.out.Wrapped = append(d.out.Wrapped, path)
	}
	style := d.styleOf(e)
	switch style {
	case enumeration:
		s.Kind = apidoc.Enum
	case protocol:
		s.Kind = apidoc.Protocol
	}
	position(&s, main)
	d.describe(&s, e.code, e.stub)
	d.mentions(&s, typed)
	if e.known() && d.places[e.full()] == "" {
		d.places[e.full()] = path
	}
	var fields map[string]*field
	if style != plainClass && style != protocol && style != enumeration {
		fields = map[string]*field{}
		for _, f := range d.fields(e) {
			fields[f.name] = f
		}
	}
	members := d.members(e)
	constructor, another := d.constructorOf(e, members)
	if another {
		d.out.Wrapped = append(d.out.Wrapped, path)
	}
	whole := true // whole is true if all public members are shown.
	for i, m := range members {
		switch {
		case m.name == "__init__" || m.name == "__new__" || m.name == "__cinit__":
			continue
		case strings.HasPrefix(m.name, "_"):
			if !shownSpecial[m.name] && !takesOptions(m) || !d.related(m.owner.mod, d.main) || m.owner != e {
				continue
			}
		}
		if m.owner.isBuiltin() {
			whole = whole && strings.HasPrefix(m.name, "_")
			continue
		}
		if m.owner != e && (d.meter.Spent() || !d.meter.Step(inheritedSteps)) {
			whole = false
			continue
		}
		var x apidoc.Symbol
		var ok bool
		if f := cmp.Or(fields[m.name], m.field); m.owner != e && f == nil {
			x, ok = d.inherited(e, m, path, style)
		} else {
			x, ok = d.member(e, m, path, style, f)
		}
		if !ok {
			whole = whole && strings.HasPrefix(m.name, "_")
			continue
		}
		if m.owner != e && m.owner.full() != e.full() { // A base that a call creates, as in class A(namedtuple("A", "x")), is not another class to the reader.
			x.From = d.placeOf(m.owner)
			s.Members = slices.Grow(s.Members, len(members)-i) // All remaining members are also inherited.
		}
		s.Members = append(s.Members, x)
	}
	if d.Program {
		for _, c := range d.mro(e) {
			s.Members = append(s.Members, namesOnly(path, compiled()[c.external])...)
		}
	}
	if c, ok := d.call(e, constructor, path); ok {
		s.Members = slices.Insert(s.Members, 0, c)
	}
	s.Closed = whole && d.isClosed(e, members)
	return s
}

// constructorOf returns the member that shows how a class is called, or nil. another is true if a call may return an
// object of another class.
func (*documenter) constructorOf(e *entity, members []*member) (constructor *member, another bool) {
	for _, m := range members {
		if m.name != "__init__" && m.name != "__new__" && (m.name != "__cinit__" || constructor != nil) {
			continue
		}
		if constructor != nil && constructor.name == "__new__" && m.name == "__init__" && !constructor.owner.isBuiltin() {
			another = true
		}
		if constructor == nil || m.name == "__init__" && constructor.name == "__new__" && (constructor.owner != e || constructor.forwards() && !m.owner.isBuiltin()) || m.name == "__init__" && constructor.name == "__cinit__" {
			constructor = m
		}
	}
	return constructor, another
}

// copied identifies the documentation of a member that several classes inherit.
type copied struct {
	codeStub
	enum bool
}

// copy is the documentation of an inherited member, and the names in its signature.
type copy struct {
	symbol apidoc.Symbol
	refs   []pending
}

// inherited documents a member that a class inherits. Classes that inherit it share the parts that
// are the same for all of them.
func (d *documenter) inherited(e *entity, m *member, path string, style classStyle) (apidoc.Symbol, bool) {
	if b := m.main(); b.imported || b.stmt == nil || b.stmt.Kind == source.Class {
		return d.member(e, m, path, style, nil)
	}
	key := copied{m.codeStub, style == enumeration}
	if c, ok := d.copies[key]; ok {
		d.count()
		s := c.symbol
		s.Path = path + "." + m.name
		for _, p := range c.refs {
			p.path = s.Path
			d.refs = append(d.refs, p)
		}
		return s, true
	}
	first := len(d.refs)
	s, ok := d.member(e, m, path, style, nil)
	if ok && s.Members == nil {
		if d.copies == nil {
			d.copies = map[copied]copy{}
		}
		d.copies[key] = copy{s, slices.Clone(d.refs[first:])}
	}
	return s, ok
}

// placeOf returns the name under which inherited members show a class as their origin.
func (d *documenter) placeOf(e *entity) string {
	if p := d.places[e.full()]; p != "" {
		return p
	}
	if d.related(e.mod, d.main) {
		return e.path
	}
	return e.full()
}

// call documents the constructor of a class. The class itself declares it, its fields define it, or
// a base provides it. It returns false if there is no constructor to show.
func (d *documenter) call(e *entity, m *member, path string) (apidoc.Symbol, bool) {
	if m == nil || m.owner != e {
		if params, ok := d.constructor(e); ok {
			if m != nil && d.styleOf(e) == pydanticModel && !pydanticNames[m.owner.full()] {
				params = throughInit(m.main(), params)
			}
			var w strings.Builder
			name := "__init__"
			if d.styleOf(e) == namedTuple {
				name = "__new__"
				params = append([]source.Param{{Kind: source.Positional, Name: "cls"}}, params...)
			} else {
				params = append([]source.Param{{Kind: source.Positional, Name: "self"}}, params...)
			}
			w.WriteString("def " + name + "(")
			d.writeParams(&w, params)
			w.WriteByte(')')
			if name == "__init__" {
				w.WriteString(" -> None")
			}
			d.count()
			s := apidoc.Symbol{Path: path + "." + name, Kind: apidoc.Constructor, Signature: w.String()}
			position(&s, e.main())
			d.mentions(&s, e.main())
			return s, true
		}
	}
	if style := d.styleOf(e); style == enumeration || style == typedDict {
		return apidoc.Symbol{}, false
	}
	if s, ok := d.metaclassCall(e, path); ok {
		return s, true
	}
	if m == nil || m.main().stmt == nil || d.metaclass(e).replacesConstructors() {
		return apidoc.Symbol{}, false
	}
	s := d.declaration(m.code, m.stub, path+"."+strings.Replace(m.name, "__cinit__", "__init__", 1), e)
	if m.owner != e {
		s.From = d.placeOf(m.owner)
	}
	return s, true
}

// throughInit returns the parameters of a pydantic model that inherits an __init__
// method: the method's parameters and, if it accepts any keywords, the fields.
func throughInit(init *binding, fields []source.Param) []source.Param {
	if init.stmt == nil || init.stmt.Kind != source.Def {
		return fields
	}
	params := source.Params(init.stmt.Params)
	if len(params) == 0 {
		return fields
	}
	params = params[1:]
	n := len(params)
	if n == 0 || params[n-1].Kind != source.VarKeyword {
		return params
	}
	rest := params[n-1]
	all := slices.Clone(params[:n-1])
	extra := false
	for _, f := range fields {
		if f.Kind == source.VarKeyword {
			extra = true
			continue
		}
		if !slices.ContainsFunc(params[:n-1], func(p source.Param) bool { return p.Name == f.Name }) {
			f.Kind = source.KeywordOnly
			all = append(all, f)
		}
	}
	if extra {
		all = append(all, rest)
	}
	return all
}

// metaclassCall documents calls to a class whose metaclass defines __call__
// with named parameters. A method __call__ that takes only *args and **kwargs
// passes them on to the class, whose own parameters are then documented. It
// returns false for other classes.
func (d *documenter) metaclassCall(e *entity, path string) (apidoc.Symbol, bool) {
	meta := d.metaclass(e)
	if !meta.known() || !meta.isClass() {
		return apidoc.Symbol{}, false
	}
	for _, m := range d.members(meta) {
		x := m.main()
		if m.name != "__call__" || x.stmt == nil || x.stmt.Kind != source.Def {
			continue
		}
		params := source.Params(x.stmt.Params)
		if len(params) == 0 || !slices.ContainsFunc(params[1:], func(p source.Param) bool { return p.Kind != source.VarPositional && p.Kind != source.VarKeyword }) {
			return apidoc.Symbol{}, false
		}
		s := d.declaration(m.code, m.stub, path+".__init__", e)
		params[0].Name, params[0].Annotation = "self", ""
		var w strings.Builder
		w.WriteString("def __init__(")
		d.writeParams(&w, params)
		w.WriteString(") -> None")
		s.Kind, s.Signature, s.From = apidoc.Constructor, w.String(), d.placeOf(m.owner)
		return s, true
	}
	return apidoc.Symbol{}, false
}

// assignsConstructor matches code that replaces the constructor of a class.
var assignsConstructor = lazyregexp.New(`\.__(?:new|init|call)__[ \t]*=[^=]`)

// replacesConstructors reports whether a metaclass may replace the constructors of its classes.
func (e *entity) replacesConstructors() bool {
	return e.known() && e.code != nil && assignsConstructor().MatchString(e.code.scope.file.source)
}

// metaclass returns the metaclass that a class or one of its bases specifies, or nil if there is
// none.
func (r *Reader) metaclass(e *entity) *entity {
	for _, c := range r.mro(e) {
		b := c.main()
		if b == nil || b.stmt == nil || b.stmt.Kind != source.Class || !strings.Contains(b.stmt.Params, "metaclass") {
			continue
		}
		for _, a := range b.stmt.Call().Args {
			if a.Kind == source.Keyword && a.Name == "metaclass" {
				return r.resolve(b.scope, a.X.Dotted())
			}
		}
	}
	return nil
}

// member documents a member of a class. It returns false if the member is not
// shown.
func (d *documenter) member(e *entity, m *member, path string, style classStyle, f *field) (apidoc.Symbol, bool) {
	b := m.main()
	path += "." + m.name
	if b.imported {
		target := d.follow(b)
		if !target.known() || target.path == "" {
			return apidoc.Symbol{}, false
		}
		return d.entity(target, path), true
	}
	if b.stmt == nil {
		return apidoc.Symbol{}, false
	}
	if b.stmt.Kind == source.Class {
		inner := d.declared(b)
		if m.owner != e || strings.Count(path, ".") > maxNested {
			d.count()
			s := apidoc.Symbol{Path: path, Kind: apidoc.Class, Signature: d.classSignature(b, m.name)}
			position(&s, b)
			d.describe(&s, m.code, m.stub)
			return s, true
		}
		return d.class(inner, path), true
	}
	code, stub := m.code, m.stub
	if value, wrapper := unwrapped(b.value); b.stmt.Kind == source.Assign && b.annotation == nil && value != "" && !b.used && !b.instance && style != enumeration {
		// an assignment such as get_x = x
		b.used = true
		target := d.resolve(b.scope, value)
		b.used = false
		if target.known() && (target.isDef() || target.isClass()) {
			t := target
			if t.isClass() {
				s := apidoc.Symbol{Path: path, Kind: apidoc.Class, Signature: d.classSignature(t.main(), lastOf(t.path))}
				position(&s, t.main())
				d.describe(&s, t.code, t.stub)
				d.count()
				return s, true
			}
			if code != nil {
				code = t.code.decorated(wrapper)
			}
			if stub == nil || stub.stmt.Kind != source.Def {
				stub = t.stub.decorated(wrapper)
			}
		}
	}
	if code == nil && stub == nil {
		return apidoc.Symbol{}, false
	}
	s := d.declaration(code, stub, path, e)
	if s.Kind == apidoc.Attribute {
		switch {
		case style == enumeration && !b.instance && b.stmt.Kind == source.Assign && (b.value.Text() != "" || b.scope.file.stub):
			s.Kind = apidoc.EnumValue
		case f != nil:
			s.Kind = apidoc.Field
			if s.Doc == "" && f.doc != "" {
				s.Doc = d.documentation(f.doc).Text
			}
		}
	}
	return s, true
}

// maxNested is the maximum nesting depth of classes.
const maxNested = 8
