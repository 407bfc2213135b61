package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// madeClass returns the class that an assignment such as Point = namedtuple("Point", "x y") creates, or nil if the
// assignment is another one or computes the names of the fields.
func (t *Types) madeClass(b *binding) *classType {
	if !t.r.isMadeClass(b) || setsDefaults(b) || b.alt != nil || b.instance || !slices.Equal(b.stmt.Targets, []string{b.name}) {
		return nil
	}
	value := b.value.Tree()
	if !t.r.is(b.scope, value.Function(), namedNames) || len(value.Args) < 2 || !namesFields(value.Args[1]) || slices.ContainsFunc(value.Args, func(a *source.Tree) bool { return a.Kind == source.Starred }) {
		return nil
	}
	if c, ok := t.made[b]; ok {
		return c
	}
	// The class is read as if a class statement declared it.
	stmt := &source.Stmt{Kind: source.Class, Name: b.name, Line: b.stmt.Line}
	for _, f := range t.r.madeFields(b) {
		field := source.Stmt{Kind: source.Assign, Targets: []string{f.name}, Line: b.stmt.Line, Annotation: source.Annotation(cmp.Or(f.annotation, "Any"))}
		if f.value != "" {
			field.Value = *source.Annotation(f.value)
		}
		stmt.Body = append(stmt.Body, field)
	}
	class := &binding{name: b.name, scope: b.scope, stmt: stmt}
	e := t.r.declared(class)
	about := t.r.about(e)
	about.styled, about.style = true, namedTuple
	t.made[b] = t.classOf(e)
	return t.made[b]
}

// setsDefaults reports whether a file sets the defaults of the fields of a class by Point.__new__.__defaults__ = (0, 0).
func setsDefaults(b *binding) bool {
	text := b.scope.file.source
	return strings.Contains(text, b.name+".__new__.") || strings.Contains(text, b.name+".__new__,")
}

// madeClassOf returns the type of a class that an assignment in a module, class or function creates, or nil.
func (f *frame) madeClassOf(s *source.Code) *typ {
	if s.Value == nil || s.Value.Kind != source.Call {
		return nil
	}
	name := s.Targets[0].Name
	b := f.scope.names[name]
	if f.def != nil {
		if f.hidesAny(s.Value.X) || slices.ContainsFunc(s.Value.Args, func(a *source.Tree) bool { return a.Kind != source.String && f.hidesAny(a) }) {
			return nil
		}
		var ok bool
		if b, ok = f.file.classes[s.Value.Pos]; !ok { // the binding is the same whenever the function is evaluated
			value := source.NewExpression(s.Value)
			b = &binding{name: name, scope: f.file.scope, value: value, stmt: &source.Stmt{Kind: source.Assign, Targets: []string{name}, Value: *value, Line: f.file.lineOf(s.Value.Pos)}}
			if f.file.classes == nil {
				f.file.classes = map[int]*binding{}
			}
			f.file.classes[s.Value.Pos] = b
		}
	}
	if b == nil || b.value.Text() != s.Value.Text {
		return nil
	}
	if c := f.madeClass(b); c != nil {
		return &typ{kind: classObject, class: c, exact: true}
	}
	return nil
}

// namesFields reports whether an argument of namedtuple or NamedTuple contains the names of all fields.
func namesFields(x *source.Tree) bool {
	switch x.Kind {
	case source.String:
		return true
	case source.List, source.Tuple:
		return !slices.ContainsFunc(x.Args, func(a *source.Tree) bool {
			isPair := (a.Kind == source.Tuple || a.Kind == source.List) && len(a.Args) == 2 && a.Args[0].Kind == source.String
			return a.Kind != source.String && !isPair
		})
	}
	return false
}

// isNamedTuple reports whether the objects of a class are named tuples.
func (t *Types) isNamedTuple(c *classType) bool {
	return t.r.styleOf(c.e) == namedTuple || slices.ContainsFunc(t.r.mro(c.e), func(e *entity) bool {
		b := e.code
		return b != nil && t.r.isMadeClass(b) && t.r.is(b.scope, b.value.Tree().Function(), namedNames)
	})
}

// isEmpty reports whether a value is an object of a class of the program without bases that declares nothing. Programs use
// such objects for attributes that functions give them.
func (t *Types) isEmpty(x *typ) bool {
	if x == nil || x.kind != instanceType || !x.exact || x.class.e.code == nil || !t.isOwn(x.class.e.mod.dist) {
		return false
	}
	for _, c := range x.class.mro {
		if c != x.class && c.name != "object" {
			return false
		}
	}
	return len(t.r.inner(x.class.e.code).order) == 0
}

// replacesAny reports whether the code of a class may give its objects any attributes, as self.__dict__.update does.
func (t *Types) replacesAny(c *classType) bool {
	b := c.e.code
	if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
		return false
	}
	_, _, opens, dynamic := t.r.isDynamic(b.scope.file, b)
	return opens || dynamic
}
