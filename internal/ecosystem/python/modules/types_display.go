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
			v = nil
		} else {
			k = f.value(x.Keys[i])
		}
		if i == 0 {
			key, value = k, v
		} else {
			key, value = join(key, k), join(value, v)
		}
	}
	if !slices.ContainsFunc(value.variants(), func(v *typ) bool {
		return v.kind != instanceType || !scalars[v.class.name] || v.class.e.mod.dist != f.stubs
	}) {
		value = nil // other code may add values of other types to settings
	}
	return f.made("dict", widen(key), widen(value))
}

// scalars are the builtin classes of simple values.
var scalars = set("str", "bytes", "int", "float", "bool", "NoneType")
