package modules

import (
	"slices"
	"strconv"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// unpacked returns the type of an element of a value that is assigned to several targets.
func (f *frame) unpacked(v *typ, i int, targets []*source.Tree) *typ {
	var all []*typ
	starred := slices.IndexFunc(targets, func(a *source.Tree) bool { return a.Kind == source.Starred })
	for _, x := range v.variants() {
		switch {
		case i == starred:
			all = append(all, f.element(x))
		case f.elements(x) != nil:
			elements := f.elements(x)
			k := i
			if starred >= 0 && i > starred {
				k = len(elements) - (len(targets) - i)
			}
			if k < 0 || k >= len(elements) || starred < 0 && len(targets) != len(elements) {
				return nil
			}
			all = append(all, elements[k])
		default:
			all = append(all, f.element(x))
		}
	}
	return joinAll(all)
}

// elements returns the types of the elements of a tuple with a fixed length or of a named tuple, or nil.
func (t *Types) elements(x *typ) (all []*typ) {
	switch {
	case x.kind != instanceType || x.class == nil:
		return nil
	case x.fixed:
		return x.args
	case !x.class.whole || !t.isNamedTuple(x.class):
		return nil
	}
	for _, method := range [...]string{"__iter__", "__getitem__"} {
		if b, _ := t.find(x.class, method); b != nil && b.scope.file.mod.dist != t.stubs {
			return nil
		}
	}
	for _, field := range t.r.fields(x.class.e) {
		m, _ := t.member(x, field.name)
		all = append(all, m)
	}
	return all
}

// element returns the type of the elements over which a loop iterates.
func (f *frame) element(v *typ) *typ {
	if v == nil {
		return nil
	}
	if v.kind == unionType {
		var all []*typ
		for _, x := range v.args {
			if x.kind != noneType {
				all = append(all, f.element(x))
			}
		}
		return joinAll(all)
	}
	return f.elementOf(v).depending(v.unless)
}

func (f *frame) elementOf(v *typ) *typ {
	if v.kind == classObject && v.class != nil && f.r.styleOf(v.class.e) == enumeration {
		return f.instance(v.class)
	}
	if v.kind != instanceType || v.class == nil {
		return nil
	}
	if v.fixed {
		return joinAll(v.args)
	}
	return f.iterated(v, "__iter__", "__next__")
}

func (f *frame) asyncElement(v *typ) *typ {
	if v == nil || v.kind != instanceType {
		return nil
	}
	return f.await(f.iterated(v, "__aiter__", "__anext__"))
}

// iterated calls the methods of an iterable and of its iterator.
func (f *frame) iterated(v *typ, iter, next string) *typ {
	m, _ := f.member(v, iter)
	if m == nil || m.kind != functionType {
		return nil
	}
	iterator := f.call(m, nil)
	if iterator == nil || iterator.kind != instanceType {
		return nil
	}
	m, _ = f.member(iterator, next)
	if m == nil || m.kind != functionType {
		return nil
	}
	return f.call(m, nil)
}

// await returns the result of an awaitable.
func (f *frame) await(v *typ) *typ {
	if v == nil {
		return nil
	}
	if v.kind == unionType {
		var all []*typ
		for _, x := range v.args {
			all = append(all, f.await(x))
		}
		return joinAll(all)
	}
	if v.kind != instanceType || v.class == nil {
		return nil
	}
	switch v.class.name {
	case "Coroutine", "CoroutineType":
		if len(v.args) == 3 {
			return v.args[2]
		}
	case "Awaitable", "Future", "Task":
		if len(v.args) == 1 {
			return v.args[0]
		}
	}
	m, _ := f.member(v, "__await__")
	if m == nil || m.kind != functionType {
		return nil
	}
	if g := f.call(m, nil); g != nil && g.kind == instanceType && g.class != nil && g.class.name == "Generator" && len(g.args) == 3 {
		return g.args[2]
	}
	return nil
}

// subscript returns the type of an element.
func (f *frame) subscript(x *source.Tree) *typ {
	v := f.value(x.X)
	var keys []*typ
	for _, a := range x.Args {
		keys = append(keys, f.value(a))
	}
	if v == nil || len(x.Args) != 1 || x.Args[0] == nil {
		if v != nil && v.kind == classObject {
			return f.genericClass(v, x)
		}
		return nil
	}
	var all []*typ
	for _, u := range v.variants() {
		if u.kind == noneType {
			continue
		}
		all = append(all, f.item(u, x, keys))
	}
	return joinAll(all)
}

// genericClass returns a class with type arguments.
func (f *frame) genericClass(v *typ, x *source.Tree) *typ {
	if o := f.annotation(f.scope, x, nil, maxTypeDepth); o != nil && o.kind == instanceType && o.class == v.class {
		c := *o
		c.kind = classObject
		return &c
	}
	return v
}

func (f *frame) item(u *typ, x *source.Tree, keys []*typ) *typ {
	index := x.Args[0]
	switch {
	case u.kind == classObject:
		if u.class != nil && f.r.styleOf(u.class.e) == enumeration {
			return f.instance(u.class)
		}
		return f.genericClass(u, x)
	case u.kind != instanceType || u.class == nil:
		return nil
	case f.elements(u) != nil:
		elements := f.elements(u)
		if index.Kind == source.Slice {
			return f.instance(f.builtin("tuple"), joinAll(elements))
		}
		n, err := strconv.Atoi(index.Text)
		if err != nil || index.Kind != source.Number && index.Kind != source.Unary {
			return joinAll(elements)
		}
		if n < 0 {
			n += len(elements)
		}
		if n < 0 || n >= len(elements) {
			return nil
		}
		return elements[n]
	case index.Kind == source.String && f.r.styleOf(u.class.e) == typedDict:
		m, _ := f.member(u, index.Name)
		return m
	case index.Kind == source.Slice:
		if isBuiltin(u, "list") || isBuiltin(u, "str") || isBuiltin(u, "bytes") || isBuiltin(u, "tuple") || isBuiltin(u, "bytearray") {
			return u
		}
	case isBuiltin(u, "list") || isBuiltin(u, "tuple"):
		if len(u.args) == 1 {
			return u.args[0]
		}
		return nil
	case isBuiltin(u, "bytes") || isBuiltin(u, "bytearray"):
		return f.instance(f.builtin("int"))
	}
	m, _ := f.member(u, "__getitem__")
	if m == nil || m.kind != functionType {
		return nil
	}
	return f.call(m, []argument{{t: keys[0]}})
}
