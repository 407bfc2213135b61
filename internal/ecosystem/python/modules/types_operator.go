package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// isNumber reports whether a value is an object of a builtin class of numbers.
func isNumber(v *typ) bool {
	return isBuiltin(v, "int") || isBuiltin(v, "float") || isBuiltin(v, "bool") || isBuiltin(v, "complex")
}

// isBuiltin reports whether a value is an object of a builtin class.
func isBuiltin(v *typ, name string) bool {
	return v != nil && v.kind == instanceType && v.class != nil && v.class.name == name && v.class.e.mod.name == "builtins"
}

// binary returns the type of an arithmetic expression.
func (f *frame) binary(x *source.Tree) *typ {
	a, b := f.value(x.X), f.value(x.Args[0])
	if x.Name == "**" && isBuiltin(a, "int") && x.Args[0].Kind == source.Number && isBuiltin(b, "int") { // a negative power is a float
		return f.instance(f.builtin("int"))
	}
	return f.operate(a, b, x.Name)
}

func (f *frame) operate(a, b *typ, op string) *typ {
	switch {
	case a == nil || a.kind == unionType || b != nil && b.kind == unionType || f.isReflected(b, op):
		return nil
	case op == "%" && (isBuiltin(a, "str") || isBuiltin(a, "bytes")):
		return &typ{kind: instanceType, class: a.class, exact: a.exact}
	case op == "*" && (isBuiltin(a, "str") || isBuiltin(a, "bytes") || isBuiltin(a, "list")) && isBuiltin(b, "int"):
		return a
	case op == "+" && b != nil && a.class != nil && a.class == b.class && (isBuiltin(a, "str") || isBuiltin(a, "bytes")):
		return f.instance(a.class)
	case op == "+" && isBuiltin(a, "list") && isBuiltin(b, "list"):
		if len(a.args) == 1 && len(b.args) == 1 {
			return f.made("list", join(a.args[0], b.args[0]))
		}
		return f.made("list")
	case isNumber(a) && isNumber(b):
		switch {
		case isBuiltin(a, "complex") || isBuiltin(b, "complex"):
			return f.instance(f.builtin("complex"))
		case op == "/" || isBuiltin(a, "float") || isBuiltin(b, "float"):
			if op == "**" {
				return nil
			}
			return f.instance(f.builtin("float"))
		case op == "**":
			return nil
		}
		return f.instance(f.builtin("int"))
	}
	method := operators[op]
	if a.kind != instanceType || method == "" || b == nil {
		return nil
	}
	if m, _ := f.member(a, method); m != nil && m.kind == functionType {
		return f.call(m, []argument{{t: b}})
	}
	return nil
}

// isReflected reports whether the class of the right operand, which is not a builtin one, may compute the result.
func (f *frame) isReflected(b *typ, op string) bool {
	if b == nil || b.kind != instanceType || b.class == nil || operators[op] == "" {
		return false
	}
	m, owner := f.find(b.class, "__r"+strings.TrimPrefix(operators[op], "__"))
	return m != nil && owner.e.mod.dist != f.stubs && owner.stub == nil
}

func (f *frame) compare(x *source.Tree) *typ {
	a, b := f.value(x.X), f.value(x.Args[0])
	if x.Name == "is" || x.Name == "is not" || x.Name == "in" || x.Name == "not in" {
		return f.instance(f.builtin("bool"))
	}
	if a != nil && b != nil && a.kind == instanceType && a.class.e.mod.dist == f.stubs && (b.kind == noneType || b.kind == instanceType && b.class.e.mod.dist == f.stubs) {
		return f.instance(f.builtin("bool"))
	}
	return nil
}

// operators are the methods of operators.
var operators = map[string]string{"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__", "|": "__or__", "&": "__and__", "^": "__xor__", "@": "__matmul__", "<<": "__lshift__", ">>": "__rshift__", "**": "__pow__"}
