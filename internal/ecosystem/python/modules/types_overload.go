package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// This file finds the overloads of a function that apply to the arguments of a call.

// accepts reports whether an overload has parameters for the arguments.
func (t *Types) accepts(def *callable, stmt *source.Stmt, self *typ, args []argument) bool {
	params := parameters(def, stmt, self)
	positional, passed := 0, 0
	names := map[string]bool{}
	spread, variadic, keywords := false, false, false
	for _, a := range args {
		switch {
		case a.spread:
			spread = true
		case a.name != "":
			names[a.name] = true
		default:
			passed++
		}
	}
	for _, p := range params {
		switch p.Kind {
		case source.VarPositional:
			variadic = true
		case source.VarKeyword:
			keywords = true
		case source.KeywordOnly:
			if p.Default == "" && !names[p.Name] && !spread {
				return false
			}
			delete(names, p.Name)
		default:
			positional++
			if positional > passed && !names[p.Name] && p.Default == "" && !spread {
				return false
			}
			if positional > passed {
				delete(names, p.Name)
			}
		}
	}
	return (passed <= positional || variadic) && (len(names) == 0 || keywords)
}

// rejects reports whether an overload surely does not accept the type of an argument.
func (t *Types) rejects(def *callable, stmt *source.Stmt, self *typ, args []argument) bool {
	rejected := false
	t.eachArgument(def, stmt, self, args, func(p *source.Param, a *argument) {
		if p == nil || p.Annotation == "" || a.t == nil {
			return
		}
		tree := source.Parse(p.Annotation)
		if value := literalValue(a.tree); value != "" {
			if values, others := t.literals(def.b.scope, tree, stmt, maxTypeDepth); len(values) > 0 {
				rejected = rejected || !slices.Contains(values, value) && !slices.ContainsFunc(others, func(d *typ) bool {
					return d == nil || slices.ContainsFunc(d.variants(), func(d *typ) bool { return t.mayFit(a.t, d) })
				})
				return
			}
		}
		declared := t.annotation(def.b.scope, tree, stmt, maxTypeDepth)
		if declared == nil {
			return
		}
		rejected = rejected || !slices.ContainsFunc(a.t.variants(), func(v *typ) bool {
			return slices.ContainsFunc(declared.variants(), func(d *typ) bool { return t.mayFit(v, d) })
		})
	})
	return rejected
}

// mayFit reports whether a value may have a declared type.
func (t *Types) mayFit(v, d *typ) bool {
	switch {
	case v == nil || d == nil || d.kind == variableType || d.kind == functionType || d.kind == classObject || v.kind == classObject || v.kind == functionType || v.kind == moduleObject:
		return true
	case v.kind == noneType || d.kind == noneType:
		return v.kind == d.kind || isBuiltin(d, "object")
	case v.class == nil || d.class == nil || !v.class.whole || slices.Contains(v.class.mro, d.class):
		return true
	case isNumber(v) && isNumber(d), isBuiltin(d, "bytes") && (isBuiltin(v, "bytearray") || isBuiltin(v, "memoryview")):
		return true
	case v.class.e.mod.dist == t.stubs && containers[v.class.name] && t.isNumeric(d.class):
		return false
	case d.class.e.mod.name == "_collections_abc" || t.r.styleOf(d.class.e) == protocol || !d.class.whole:
		return true
	}
	return false
}

// containers are builtin classes whose objects are no numbers.
var containers = set("str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset")

// isNumeric reports whether a protocol declares a method that converts numbers, as typing.SupportsIndex does.
func (t *Types) isNumeric(c *classType) bool {
	return t.r.styleOf(c.e) == protocol && slices.ContainsFunc([]string{"__index__", "__int__", "__float__", "__complex__"}, func(name string) bool {
		b, _ := t.find(c, name)
		return b != nil
	})
}

// matches reports whether the types of the arguments surely fit an overload, so that later ones do not apply.
func (t *Types) matches(def *callable, stmt *source.Stmt, self *typ, args []argument) bool {
	return len(t.unfit(def, stmt, self, args)) == 0
}

// unfit returns the arguments that may not fit an overload, with the annotations of their parameters.
func (t *Types) unfit(def *callable, stmt *source.Stmt, self *typ, args []argument) map[*argument]string {
	unfit := map[*argument]string{}
	t.eachArgument(def, stmt, self, args, func(p *source.Param, a *argument) {
		switch {
		case p == nil:
			unfit[a] = ""
			return
		case p.Annotation == "":
			return
		}
		tree := source.Parse(p.Annotation)
		if value := literalValue(a.tree); value != "" {
			if values, _ := t.literals(def.b.scope, tree, stmt, maxTypeDepth); slices.Contains(values, value) {
				return
			}
		}
		if !t.fits(a.t, t.annotation(def.b.scope, tree, stmt, maxTypeDepth), p.Annotation) {
			unfit[a] = p.Annotation
		}
	})
	return unfit
}

// shadows reports whether an overload applies only if an earlier one does: whether it declares the same types for the
// arguments that may not fit the earlier one.
func (t *Types) shadows(unfit map[*argument]string, def *callable, stmt *source.Stmt, self *typ, args []argument) bool {
	shadows := true
	t.eachArgument(def, stmt, self, args, func(p *source.Param, a *argument) {
		if annotation, ok := unfit[a]; ok && (annotation == "" || p == nil || p.Annotation != annotation) {
			shadows = false
		}
	})
	return shadows
}

// fits reports whether a value surely has a declared type.
func (t *Types) fits(x, declared *typ, annotation string) bool {
	if declared == nil {
		return lastOf("."+annotation) == "Any" || lastOf("."+annotation) == "object"
	}
	if declared.kind == variableType {
		return !declared.limited
	}
	if x == nil {
		return false
	}
	if declared.kind == instanceType && isBuiltin(declared, "object") {
		return true
	}
	for _, v := range x.variants() {
		if v == nil || !slices.ContainsFunc(declared.variants(), func(d *typ) bool {
			switch {
			case d == nil:
				return false
			case d.kind == variableType:
				return !d.limited
			case d.kind != v.kind:
				return false
			case d.kind == noneType:
				return true
			case d.kind == functionType:
				return true
			case d.class == nil || v.class == nil:
				return false
			}
			return slices.Contains(v.class.mro, d.class) && (len(d.args) == 0 || same(&typ{args: d.args}, &typ{args: v.args}, maxTypeDepth) || d.open)
		}) {
			return false
		}
	}
	return !strings.Contains(annotation, "Literal")
}

// eachArgument calls f for each argument with its parameter, which is nil if it is not known.
func (t *Types) eachArgument(def *callable, stmt *source.Stmt, self *typ, args []argument, f func(*source.Param, *argument)) {
	params := parameters(def, stmt, self)
	n := 0
	for i := range args {
		a := &args[i]
		switch {
		case a.spread:
			n = len(params)
			f(nil, a)
		case a.name != "":
			k := slices.IndexFunc(params, func(p source.Param) bool {
				return p.Name == a.name && p.Kind != source.PositionalOnly && p.Kind != source.VarPositional && p.Kind != source.VarKeyword
			})
			if k >= 0 {
				f(&params[k], a)
			} else {
				f(nil, a)
			}
		case n < len(params) && params[n].Kind == source.VarPositional:
			f(&params[n], a)
		case n < len(params) && params[n].Kind <= source.Positional:
			f(&params[n], a)
			n++
		default:
			f(nil, a)
		}
	}
}
