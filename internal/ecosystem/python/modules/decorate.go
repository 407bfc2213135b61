package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// objectOf returns the name of the class of the object that a decorator creates from a function,
// such as Condition for @Condition. It returns "" for other functions, and if the object is
// called in the same way as the function.
func (r *Reader) objectOf(b *binding) string {
	if b.stmt == nil || b.stmt.Kind != source.Def || len(b.stmt.Decorators) == 0 || len(b.overloads) > 0 {
		return ""
	}
	name := b.stmt.Decorators[0].Tree().Dotted() // This is the decorator that is applied last.
	if name == "" || builtins[name] {
		return ""
	}
	class := r.resolve(b.scope, name)
	if !class.known() || !class.isClass() {
		return ""
	}
	for _, m := range r.members(class) {
		call := m.main()
		if m.name == "__call__" && call.stmt != nil && call.stmt.Kind == source.Def && passesOn(call.stmt) && !raises(r.body(call)) {
			return ""
		}
	}
	return name
}

// passesOn reports whether a method has only the parameters *args and **kwargs after the
// receiver.
func passesOn(stmt *source.Stmt) bool {
	params := source.Params(stmt.Params)
	return len(params) > 1 && takesAnything(params[1:])
}

// takesAnything reports whether the only parameters are *args and **kwargs, in which case the
// actual parameters are unknown.
func takesAnything(params []source.Param) bool {
	return len(params) > 0 && !slices.ContainsFunc(params, func(p source.Param) bool { return p.Kind != source.VarPositional && p.Kind != source.VarKeyword })
}

// unwrapped returns the dotted name f and the decorator for the values staticmethod(f) and
// classmethod(f), and the name alone for a value that consists of it. It returns "" for others.
func unwrapped(value *source.Expression) (name, wrapper string) {
	if len(value.Text()) >= maxAliasText {
		return "", ""
	}
	t := value.Tree()
	if f := t.Function(); t.Kind == source.Call && len(t.Args) == 1 && (f == "staticmethod" || f == "classmethod") {
		return t.Args[0].Dotted(), f
	}
	return t.Dotted(), ""
}

// decorated returns the declaration of a function with an additional decorator, unless it already
// has that decorator.
func (b *binding) decorated(by string) *binding {
	if b == nil || by == "" || b.stmt == nil || b.stmt.Kind != source.Def || slices.ContainsFunc(b.stmt.Decorators, func(d *source.Expression) bool { return d.Text() == by }) {
		return b
	}
	c, stmt := *b, *b.stmt
	stmt.Decorators = append([]*source.Expression{source.NewExpression(source.Parse(by))}, stmt.Decorators...)
	c.stmt = &stmt
	return &c
}
