package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// objectOf returns the name of the class that a decorator makes an object of from a
// function, such as Condition for @Condition. It returns "" for other functions, and if the
// object is called as the function would be.
func (r *Reader) objectOf(b *binding) string {
	if b.stmt == nil || b.stmt.Kind != source.Def || len(b.stmt.Decorators) == 0 || len(b.overloads) > 0 {
		return ""
	}
	name := b.stmt.Decorators[0] // the last one to be applied
	if !isDotted(name) || builtins[name] {
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

// passesOn reports whether a method takes nothing but *args and **kwargs besides the object.
func passesOn(stmt *source.Stmt) bool {
	params := source.Params(stmt.Params)
	return len(params) > 1 && takesAnything(params[1:])
}

// takesAnything reports whether there are only *args and **kwargs among parameters, so that
// what may be given is not known.
func takesAnything(params []source.Param) bool {
	return len(params) > 0 && !slices.ContainsFunc(params, func(p source.Param) bool { return p.Kind != source.VarPositional && p.Kind != source.VarKeyword })
}

// unwrapped returns f for staticmethod(f) and classmethod(f), with the decorator. It returns other
// values unchanged.
func unwrapped(value string) (name, wrapper string) {
	for _, wrapper := range [...]string{"staticmethod", "classmethod"} {
		if inner, ok := strings.CutPrefix(value, wrapper+"("); ok && strings.HasSuffix(inner, ")") && len(value) < maxAliasText {
			return strings.TrimSpace(inner[:len(inner)-1]), wrapper
		}
	}
	return value, ""
}

// decorated returns the declaration of a function with one more decorator,
// unless it is there already.
func (b *binding) decorated(by string) *binding {
	if b == nil || by == "" || b.stmt == nil || b.stmt.Kind != source.Def || slices.Contains(b.stmt.Decorators, by) {
		return b
	}
	c, stmt := *b, *b.stmt
	stmt.Decorators = append([]string{by}, stmt.Decorators...)
	c.stmt = &stmt
	return &c
}
