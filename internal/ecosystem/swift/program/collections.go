package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// arrayOf returns an array with the given elements.
func arrayOf(element value) value { return value{system: "Array", args: []value{element}} }

// optional returns an optional with the given value.
func optional(v value) value {
	v.optional, v.forced = v.optional+1, false
	return v
}

// element returns the value of the elements of a sequence.
func (p *Program) element(v value) value {
	switch {
	case v.optional > 0 || v.meta:
	case (v.system == "Array" || v.system == "Set") && len(v.args) == 1:
		return v.args[0]
	case contains(" Range ClosedRange ArraySlice ContiguousArray AsyncStream AsyncThrowingStream ", v.system) && len(v.args) > 0:
		return v.args[0]
	case v.system == "String" || v.system == "Substring":
		return value{system: "Character"}
	case v.system == "Data":
		return value{system: "UInt8"}
	case v.system == "Dictionary" && len(v.args) == 2:
		return pair("key", v.args[0], "value", v.args[1])
	case v.t != nil && !v.t.isAlias():
		_, systems, _ := p.closure(v.t)
		if !slices.Contains(systems, "Sequence") && !slices.Contains(systems, "AsyncSequence") {
			return value{}
		}
		if n, _ := p.nestedIn(v.t, "Element", 0); n != nil && n.kind() == source.TypeAlias {
			if e := p.underlying(n, 0); !e.isGeneric() {
				return e
			}
			return value{}
		}
		for _, name := range []string{"makeIterator", "makeAsyncIterator"} {
			if iterator := p.resultOf(v, name); iterator.t != nil {
				if e := p.resultOf(iterator, "next"); e.optional > 0 {
					e.optional--
					return e
				}
			}
		}
	}
	return value{}
}

// resultOf returns the result of the only method of a type that has a name and no parameters.
func (p *Program) resultOf(v value, name string) value {
	found, _ := p.find(v.t, name)
	found = slices.DeleteFunc(found, func(m *member) bool {
		return m.decl.Kind != source.Func || len(m.decl.Params) > 0 || m.owner.kind() == source.Protocol
	})
	if len(found) != 1 || len(found[0].decl.Generics) > 0 {
		return value{}
	}
	m := found[0]
	c := context{file: m.file, scope: m.owner, bound: map[string]value{}}
	generics := m.owner.decls[0].decl.Generics
	for i := range generics {
		if m.owner == v.t && i < len(v.args) {
			c.bound[generics[i].Name] = v.args[i]
		}
	}
	if r := p.typed(m.decl.Result, c); !r.isGeneric() {
		return r
	}
	return value{}
}

// systemProperty returns the value of a property of a type in systemMembers. e is the value of its elements.
func systemProperty(v, e value, name string) value {
	switch name {
	case "first", "last":
		if e.isKnown() {
			return optional(e)
		}
	case "keys", "values":
		if v.system == "Dictionary" && len(v.args) == 2 {
			if name == "keys" {
				return arrayOf(v.args[0])
			}
			return arrayOf(v.args[1])
		}
	case "count":
		return value{system: "Int"}
	case "isEmpty":
		return value{system: "Bool"}
	case "indices":
		if v.system == "Array" {
			return value{system: "Range", args: []value{{system: "Int"}}}
		}
	}
	return value{}
}

// systemCall returns the result of a method of a type in systemMembers, and sets the types of the parameters of a closure
// among its arguments. e is the value of the elements of the type.
func (w *walker) systemCall(v, e value, name string, a *arguments) value {
	closure := -1
	if n := len(a.starts) - 1; n >= 0 && w.isMapped(a.starts[n]) {
		closure = a.starts[n]
	}
	switch {
	case strings.HasPrefix(v.system, "Keyed"):
		return w.containerCall(v, name, a)
	case contains(" hasPrefix hasSuffix isMultiple allSatisfy ", name) || name == "contains" && closure < 0:
		if closure >= 0 && e.isKnown() {
			w.closures[closure] = []value{e}
			w.keyPath(closure)
		}
		return value{system: "Bool"}
	case v.system == "String" && !contains(sequenceFunctions, name):
		return value{}
	case v.system == "Dictionary" && len(v.args) == 2 && contains(" mapValues compactMapValues updateValue removeValue merging ", name):
		return w.dictionaryCall(v, name, closure)
	case !e.isKnown():
		return value{}
	}
	initial := value{}
	switch {
	case closure < 0:
	case name == "reduce" && len(a.starts) == 2:
		if literals[w.kind(a.starts[0])] == "" {
			if r := w.initializer(a.starts[0]); w.at(r.end) == "," || w.at(r.end) == ")" {
				initial = r.value
			}
		}
		w.closures[closure] = []value{initial, e}
		return initial
	case contains(" sort sorted min max ", name):
		w.closures[closure] = []value{e, e}
	case contains(" map flatMap compactMap filter forEach first last contains firstIndex lastIndex removeAll drop prefix partition count indices ", name):
		w.closures[closure] = []value{e}
		w.keyPath(closure)
	}
	switch {
	case contains(" map compactMap flatMap ", name) && closure >= 0:
		r := w.closureResult(closure)
		switch name {
		case "compactMap":
			r.optional = max(0, r.optional-1)
		case "flatMap":
			r = w.program.element(r)
		}
		if r.forced = false; r.isKnown() {
			return arrayOf(r)
		}
	case name == "enumerated":
		return arrayOf(pair("offset", value{system: "Int"}, "element", e))
	case name == "joined" && (e.system == "String" || e.system == "Substring") && e.optional == 0:
		return value{system: "String"}
	case name == "joined" && len(a.labels) == 0:
		if inner := w.program.element(e); inner.isKnown() {
			return arrayOf(inner)
		}
	case name == "filter" || v.system == "Set" && contains(" union intersection subtracting symmetricDifference ", name):
		return v
	case contains(" sorted reversed shuffled prefix suffix dropFirst dropLast drop ", name):
		return arrayOf(e)
	case contains(" first last popFirst popLast randomElement min max ", name):
		return optional(e)
	case contains(" firstIndex lastIndex ", name) && v.system == "Array":
		return value{system: "Int", optional: 1}
	case v.system == "Array" && contains(" remove removeLast removeFirst ", name) && !slices.Equal(a.labels, []string{"_"}):
		return e
	case v.system == "Dictionary" && name == "remove":
		return e
	case v.system == "Set" && name == "insert":
		return pair("inserted", value{system: "Bool"}, "memberAfterInsert", e)
	}
	return value{}
}

// dictionaryCall returns the result of a method that only dictionaries have.
func (w *walker) dictionaryCall(v value, name string, closure int) value {
	switch name {
	case "updateValue", "removeValue":
		return optional(v.args[1])
	case "merging":
		if closure >= 0 {
			w.closures[closure] = []value{v.args[1], v.args[1]}
		}
		return v
	}
	if closure < 0 {
		return value{}
	}
	w.closures[closure] = v.args[1:]
	r := w.closureResult(closure)
	if name == "compactMapValues" {
		r.optional = max(0, r.optional-1)
	}
	return value{system: "Dictionary", args: []value{v.args[0], r}}
}

// collection returns the value of the call of an initializer of Array, Set or String that is evident from its arguments, and that is
// no optional.
func (w *walker) collection(system string, a *arguments) value {
	switch {
	case len(a.closures) > 0 || len(a.labels) == 0 || w.program.extendsSystem(system, "init"):
	case contains(" Array Set ", system) && slices.Equal(a.labels, []string{"_"}):
		if r := w.initializer(a.starts[0]); w.at(r.end) == ")" {
			if e := w.program.element(r.value); e.isKnown() {
				return value{system: system, args: []value{e}}
			}
		}
	case system == "String" && contains(" describing reflecting decoding format repeating cString ", a.labels[0]):
		return value{system: system}
	}
	return value{}
}

// zip returns the value of a call of zip, or an unknown value if an argument may be no sequence of the standard library.
func (w *walker) zip(a *arguments) value {
	var elements [2]value
	for i, start := range a.starts {
		if r := w.initializer(start); contains(" , ) ", w.at(r.end)) {
			elements[i] = w.program.element(r.value)
		}
		if !elements[i].isKnown() {
			return value{}
		}
	}
	return arrayOf(pair("", elements[0], "", elements[1]))
}
