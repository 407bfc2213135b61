package modules

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// madeClass returns the class that an assignment such as Point = namedtuple("Point", "x y") creates, or nil if the
// assignment is another one or computes the names of the fields.
func (t *Types) madeClass(b *binding) *classType {
	if !t.r.isMadeClass(b) || b.alt != nil || b.instance || !slices.Equal(b.stmt.Targets, []string{b.name}) {
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
