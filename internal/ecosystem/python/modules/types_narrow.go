package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// narrow changes the types of variables to those that they have if a condition is true or false.
func (f *frame) narrow(x *source.Tree, is bool) {
	if f.steps--; x == nil || f.env == nil || f.locals == nil || f.steps < 0 {
		return
	}
	switch x.Kind {
	case source.Not:
		f.narrow(x.X, !is)
	case source.Logical:
		f.narrowLogical(x, is)
	case source.Name, source.Attribute, source.Walrus:
		f.refine(x, func(t *typ) *typ {
			if is {
				return f.truthyOnly(t)
			}
			return t
		})
	case source.Compare:
		f.narrowCompare(x, is)
	case source.Call:
		f.narrowCall(x, is)
	case source.Constant:
		if x.Name == "True" && !is || (x.Name == "False" || x.Name == "None") && is {
			f.env.dead = true
		}
	}
}

// narrowLogical narrows the types for an and or or expression.
func (f *frame) narrowLogical(x *source.Tree, is bool) {
	if is == (x.Name == "and") { // both sides have the value is
		f.narrow(x.X, is)
		f.narrow(x.Args[0], is)
		return
	}
	before := f.env
	f.env = before.clone()
	f.narrow(x.X, is)
	first := f.env
	f.env = before.clone()
	f.narrow(x.X, !is)
	f.narrow(x.Args[0], is)
	f.env = f.mergeStates(first, f.env)
}

// refine replaces the type of a variable or an attribute.
func (f *frame) refine(x *source.Tree, change func(*typ) *typ) {
	key := reference(x)
	if key == "" {
		return
	}
	var old *typ
	f.muted(func() {
		if x.Kind == source.Walrus {
			old = f.name(key)
		} else {
			report := f.report
			f.report = nil
			old = f.value(x)
			f.report = report
		}
	})
	now := change(old)
	if now == old || now != nil && same(now, old, maxTypeDepth) {
		return
	}
	i := f.slotOf(key)
	f.env.slots[i] = &slot{now}
}

func (f *frame) truthyOnly(x *typ) *typ {
	if x == nil || x.kind == noneType {
		return x
	}
	return x.without(isNone)
}

func isNoneTree(x *source.Tree) bool { return x.Kind == source.Constant && x.Name == "None" }

// narrowCompare narrows the types for a comparison.
func (f *frame) narrowCompare(x *source.Tree, is bool) {
	subject, operand := x.X, x.Args[0]
	if x.Name == "is not" || x.Name == "!=" {
		is = !is
	} else if x.Name != "is" && x.Name != "==" {
		if x.Name == "in" && is {
			f.refine(subject, f.truthyMember(operand))
		}
		return
	}
	switch {
	case isNoneTree(operand):
		f.refine(subject, func(t *typ) *typ {
			if is {
				return none
			}
			return f.truthyOnly(t)
		})
	case subject.Kind == source.Call && subject.X.Kind == source.Name && subject.X.Name == "type" && len(subject.Args) == 1:
		f.refine(subject.Args[0], func(*typ) *typ { return nil })
	case is:
		// Other values: the variable may be of another type that is equal, so only None is excluded.
		if operand.Kind == source.String || operand.Kind == source.Number {
			f.refine(subject, f.truthyOnly)
		} else {
			f.refine(subject, withoutUnion)
		}
	}
	// A test of an attribute may decide between the types of its object.
	if subject.Kind == source.Attribute || subject.Kind == source.Subscript {
		f.refine(subject.X, withoutUnion)
	}
}

// withoutUnion returns a type, or the unknown type if it is a union.
func withoutUnion(t *typ) *typ {
	if t != nil && t.kind == unionType {
		return nil
	}
	return t
}

// truthyMember returns the change of the type of a value that is an element of a container.
func (f *frame) truthyMember(container *source.Tree) func(*typ) *typ {
	return func(t *typ) *typ {
		if t != nil && t.kind == unionType {
			if container.Kind == source.Tuple || container.Kind == source.List || container.Kind == source.Set {
				if !slices.ContainsFunc(container.Args, isNoneTree) {
					return t.without(isNone)
				}
			}
		}
		return t
	}
}

// narrowCall narrows the types for calls that test the types of values.
func (f *frame) narrowCall(x *source.Tree, is bool) {
	name := x.X.Dotted()
	if len(x.Args) == 0 {
		return
	}
	switch {
	case name == "isinstance" && len(x.Args) == 2 && f.isBuiltinName(name):
		classes, ok := f.classes(x.Args[1])
		f.refine(x.Args[0], func(t *typ) *typ { return f.instances(t, classes, ok, is) })
	case name == "issubclass" || name == "callable":
		f.refine(x.Args[0], func(*typ) *typ { return nil })
	case name == "hasattr" || name == "bool" || name == "len":
		if name == "hasattr" {
			f.unknown(reference(x.Args[0]))
		}
		if name == "bool" {
			f.narrow(x.Args[0], is)
		}
	default:
		if last := strings.ToLower(lastOf("." + name)); strings.HasPrefix(last, "is") || strings.HasPrefix(last, "has") || strings.HasPrefix(last, "_is") {
			for _, a := range x.Args { // the function may be a type guard
				f.unknown(reference(a))
			}
		}
	}
}

// classes returns the classes in the second argument of isinstance. ok is false if some are unknown.
func (f *frame) classes(x *source.Tree) (found []*typ, ok bool) {
	var v *typ
	f.muted(func() {
		report := f.report
		f.report = nil
		v = f.value(x)
		f.report = report
	})
	if x.Kind == source.Binary && x.Name == "|" {
		a, first := f.classes(x.X)
		b, second := f.classes(x.Args[0])
		return append(a, b...), first && second
	}
	return classList(v)
}

func classList(v *typ) (found []*typ, ok bool) {
	switch {
	case v == nil:
		return nil, false
	case v.kind == classObject && v.class != nil:
		return []*typ{v}, true
	case v.kind == instanceType && v.fixed:
		ok = true
		for _, a := range v.args {
			more, known := classList(a)
			found, ok = append(found, more...), ok && known
		}
		return found, ok
	}
	return nil, false
}

// instances returns the type of a value that is, or is not, an object of one of the classes.
func (f *frame) instances(t *typ, classes []*typ, ok, is bool) *typ {
	if !ok {
		return nil
	}
	if !is {
		if t == nil {
			return nil
		}
		return t.without(func(v *typ) bool {
			return v.kind == instanceType && slices.ContainsFunc(classes, func(c *typ) bool { return slices.Contains(v.class.mro, c.class) })
		})
	}
	var all []*typ
	for _, c := range classes {
		o := f.instance(c.class)
		if t == nil {
			all = append(all, o)
			continue
		}
		found := false
		for _, v := range t.variants() {
			switch {
			case v.kind == instanceType && slices.Contains(v.class.mro, c.class): // the type was more special before
				all, found = append(all, v), true
			case v.kind == instanceType && v.class != nil && !v.exact && slices.Contains(c.class.mro, v.class):
				all, found = append(all, o), true
			}
		}
		if !found {
			if t.kind != noneType && (t.kind != unionType || !c.class.whole) || slices.ContainsFunc(t.variants(), func(v *typ) bool { return v.kind == instanceType && !v.class.whole }) {
				return nil // an object of another class that inherits from both
			}
			if slices.ContainsFunc(t.variants(), func(v *typ) bool { return v.kind == instanceType && v.class.e.mod.name != "builtins" }) {
				return nil
			}
		}
	}
	return joinAll(all)
}

// A condition or decorator may be false where the members in its branch are absent. These values are added to frame.quiet.
const (
	// guarded means that the code tests whether an object has a member.
	guarded = 1
	// conditional means that the code runs only with some versions, on some platforms or with some settings.
	conditional = 1 << 16
	// guards is the mask for the number of guards in frame.quiet.
	guards = conditional - 1
)

// doubts returns guarded and conditional, or 0, for a condition.
func (f *frame) doubts(x *source.Tree) int { return f.doubtsIn(x, 0) }

func (f *frame) doubtsIn(x *source.Tree, depth int) (doubts int) {
	if x == nil || depth > maxExpression {
		return 0
	}
	switch x.Kind {
	case source.Name, source.Attribute:
		name := x.Name
		switch {
		case namesEnvironment(name), name == "environ", name == "TYPE_CHECKING", x.Kind == source.Name && name == "sys":
			return conditional
		case x.Kind == source.Attribute && name == "name" && x.X.Kind == source.Name && x.X.Name == "os", x.Kind == source.Name && len(name) > 1 && upper(name):
			return conditional
		case x.Kind == source.Name:
			return 0
		}
		return f.doubtsIn(x.X, depth+1)
	case source.Compare:
		if other := x.Args[0]; other.Kind == source.Name && upper(other.Name) && !namesEnvironment(other.Name) { // not a flag
			return f.doubtsIn(x.X, depth+1)
		}
	case source.Call:
		switch name := x.X.Dotted(); lastOf("." + name) {
		case "hasattr", "getattr", "find_spec", "is_dataclass", "callable":
			return guarded
		}
	}
	doubts = f.doubtsIn(x.X, depth+1)
	for _, a := range x.Args {
		doubts |= f.doubtsIn(a, depth+1)
	}
	return doubts
}

// isEverywhere reports whether a class has the same members in all versions and on all platforms: whether it and its bases belong to
// the program, and isElsewhere is false.
func (f *frame) isEverywhere(c *classType, name string) bool {
	return !slices.ContainsFunc(c.mro, func(k *classType) bool {
		if k.e.mod.dist == f.stubs {
			return k.name != "object"
		}
		return k.e.code == nil || !f.isOwn(k.e.mod.dist)
	}) && !f.isElsewhere(c, name)
}

// isElsewhere reports whether code of the program declares a class or one of its bases, or a member with a name of these, only in some
// versions or on some platforms. Code that uses the member may test for these in ways that doubts does not know.
func (f *frame) isElsewhere(c *classType, name string) bool {
	return slices.ContainsFunc(c.mro, func(k *classType) bool {
		b := k.e.code
		return b != nil && f.isOwn(k.e.mod.dist) && (slices.Contains(b.scope.elsewhere, k.name) || slices.Contains(f.r.inner(b).elsewhere, name))
	})
}

// namesEnvironment reports whether a name may be that of a version, a platform or the presence of a feature.
func namesEnvironment(name string) bool {
	lower := strings.ToLower(name)
	isPython := strings.HasPrefix(lower, "py") && len(lower) > 2 && (lower[2] == '_' || lower[2] >= '0' && lower[2] <= '9')
	return isPython || strings.Contains(lower, "version") || strings.Contains(lower, "platform") || strings.HasPrefix(lower, "has_") || strings.HasPrefix(lower, "_has_") || strings.HasPrefix(lower, "is_py")
}

// observe makes the types of variables unknown whose attributes a call may change.
func (f *frame) observe(x *source.Tree) {
	switch name := lastOf("." + x.X.Dotted()); name {
	case "setattr", "delattr", "vars", "__setattr__":
		for _, a := range x.Args[:min(1, len(x.Args))] {
			f.unknown(reference(a))
		}
	default:
		if strings.HasPrefix(strings.ToLower(name), "assert") { // the function may narrow the type of its argument
			for _, a := range x.Args {
				if a.Kind == source.Name || a.Kind == source.Attribute {
					f.refine(a, func(t *typ) *typ {
						if t != nil && t.kind == unionType {
							return nil
						}
						return t
					})
				}
			}
		}
	}
}
