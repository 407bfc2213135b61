package manifest

import (
	"slices"
	"strconv"
)

// value is a value of the interpreter: unknown, absent, bool, int64, string, *list, *dict, *tuple,
// *object, *function, environment, module, or a typ, which represents the type itself, such as
// Target in Target.target(name: "A").
type value any

type (
	unknown struct{}
	absent  struct{} // nil in Swift
	// module is the module PackageDescription, whose members are types.
	module struct{}
	// environment represents the variables and arguments of the process, all of
	// which are assumed to be absent.
	environment struct{}
)

// list is an array or a set. It is never modified once it is shared.
type list struct {
	elem  typ // type of the elements
	items []value
}

type dict struct {
	keys, values []value
}

type tuple struct {
	labels []string
	items  []value
}

// object is an instance of a struct that the manifest declares, or the result
// of an initializer or a case of PackageDescription, such as .target(name:
// "A").
type object struct {
	typ typ
	// ctor is the member that created it, such as "target"; empty for an initializer.
	ctor   string
	labels []string // labels of the fields, in order; "" for arguments without a label
	values []value
	line   int
}

// field returns a field, or nil if there is none.
func (o *object) field(name string) value {
	if i := slices.Index(o.labels, name); i >= 0 && name != "" {
		return o.values[i]
	}
	return nil
}

// first returns the first argument without a label, or nil if there is none.
func (o *object) first() value {
	if i := slices.Index(o.labels, ""); i >= 0 {
		return o.values[i]
	}
	return nil
}

func (o *object) set(name string, v value) {
	if i := slices.Index(o.labels, name); i >= 0 {
		o.values[i] = v
		return
	}
	o.labels, o.values = append(o.labels, name), append(o.values, v)
}

// function is a function, a closure, or a method with its receiver.
type function struct {
	code *code
	env  *scope
	self value // receiver, or nil if there is none
	typ  typ   // the type that Self refers to
	// native implements a built-in function.
	native func(args []evaluated) value
}

// evaluated is an argument of a call.
type evaluated struct {
	label string
	value value
}

// scope contains variables.
type scope struct {
	up   *scope
	vars map[string]value
	self value
	typ  typ // the type that Self refers to
}

func (s *scope) child() *scope { return &scope{up: s, self: s.self, typ: s.typ} }

func (s *scope) declare(name string, v value) {
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	s.vars[name] = v
}

// find returns the scope that contains a variable, or nil if there is none.
func (s *scope) find(name string) *scope {
	for ; s != nil; s = s.up {
		if _, ok := s.vars[name]; ok {
			return s
		}
	}
	return nil
}

// equal compares values. known is false if the result is unknown.
func equal(a, b value) (same, known bool) {
	switch x := a.(type) {
	case unknown:
		return false, false
	case absent, bool, int64, string, typ:
		if _, ok := b.(unknown); ok {
			return false, false
		}
		return a == b, true
	case *object:
		switch y := b.(type) {
		case unknown:
			return false, false
		case *object:
			if x.ctor != y.ctor || len(x.values) != len(y.values) || !slices.Equal(x.labels, y.labels) {
				return false, true
			}
			return equalAll(x.values, y.values)
		}
		return false, true
	case *list:
		if y, ok := b.(*list); ok {
			return equalAll(x.items, y.items)
		}
	case *tuple:
		if y, ok := b.(*tuple); ok {
			return equalAll(x.items, y.items)
		}
	}
	if _, ok := b.(absent); ok {
		return false, true
	}
	return false, false
}

func equalAll(a, b []value) (same, known bool) {
	if len(a) != len(b) {
		return false, true
	}
	for i := range a {
		if same, known := equal(a[i], b[i]); !same || !known {
			return same, known
		}
	}
	return true, true
}

// describe formats a value for interpolation. ok is false if the value is
// unknown.
func describe(v value) (text string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case bool:
		return strconv.FormatBool(v), true
	case absent:
		return "nil", true
	case typ:
		return v.String(), true
	case *object:
		if len(v.values) == 0 {
			return v.ctor, true
		}
	}
	return "", false
}

// truth returns the value of a condition. known is false if it is not a
// boolean.
func truth(v value) (yes, known bool) {
	b, ok := v.(bool)
	return b, ok
}

func text(v value) string {
	s, _ := v.(string)
	return s
}
