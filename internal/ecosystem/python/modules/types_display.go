package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// dict evaluates a dictionary display, such as {"size": 1}.
func (f *frame) dict(x *source.Tree) *typ {
	var key, value *typ
	for i, a := range x.Args {
		v := f.value(a)
		var k *typ
		if x.Keys[i] == nil { // the entries of another dictionary
			if isBuiltin(v, "dict") && len(v.args) == 2 {
				k, v = v.args[0], v.args[1]
			} else {
				v = nil
			}
		} else {
			k = f.value(x.Keys[i])
		}
		if i == 0 {
			key, value = k, v
		} else {
			key, value = join(key, k), join(value, v)
		}
	}
	return f.made("dict", widen(key), widen(f.entry(value)))
}

// entry returns the type of the values of a dictionary that is created with some values. It is unknown if these are
// settings, to which other code may add values of other types.
func (t *Types) entry(value *typ) *typ {
	if !slices.ContainsFunc(value.variants(), func(v *typ) bool {
		return v.kind != instanceType || !scalars[v.class.name] || v.class.e.mod.dist != t.stubs
	}) {
		return nil
	}
	return value
}

// entries returns the types of the keys and values of the dictionary that dict creates from keywords, or from pairs.
func (t *Types) entries(args []argument) []*typ {
	out := []*typ{nil, nil}
	for i, a := range args {
		switch {
		case a.name != "":
			key := t.instance(t.builtin("str"))
			if i > 0 {
				key, a.t = join(out[0], key), join(out[1], a.t)
			}
			out[0], out[1] = key, a.t
		case a.spread || len(args) > 1:
			return []*typ{nil, nil}
		default:
			if pair := t.frame().element(a.t); pair != nil && pair.fixed && len(pair.args) == 2 {
				out[0], out[1] = pair.args[0], pair.args[1]
			}
		}
	}
	return []*typ{widen(out[0]), widen(t.entry(out[1]))}
}

// scalars are the builtin classes of simple values.
var scalars = set("str", "bytes", "int", "float", "bool", "NoneType")
