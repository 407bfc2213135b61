package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// attributeOf returns the value of an attribute: __all__ of a module, or __name__ or __module__ of
// a declaration.
func (e *evaluation) attributeOf(t *source.Tree) value {
	if t.Name == "__dict__" && e.attempt != nil && t.X.Kind == source.Subscript && t.X.X.Dotted() == "sys.modules" && e.value(t.X.Args[0]) == e.attempt.mod.name {
		return &table{} // __getattr__ is called for names that are not there
	}
	if t.Dotted() == "__spec__.parent" {
		return e.file.mod.parent()
	}
	if name := t.Dotted(); name != "" && e.locals[topOf(name)] == nil {
		if found := e.resolve(e.file.scope, parentOf(name)); found.known() && found.path == "" {
			if t.Name == "__all__" {
				return e.exported(found.mod)
			}
			if found = e.attribute(found, t.Name); found.known() {
				return e.object(found, nil)
			}
			return e.fail()
		}
	}
	o, ok := e.value(t.X).(*object)
	if !ok {
		return e.fail()
	}
	found := e.meaning(o)
	switch {
	case !found.known() || found.path == "":
	case t.Name == "__name__":
		return lastOf(found.path)
	case t.Name == "__module__" && (found.isClass() || found.isDef()):
		return found.mod.name
	}
	return e.fail()
}

// call calls a builtin function, a method of a value, or a function of a module.
func (e *evaluation) call(t *source.Tree) value {
	if t.X.Kind == source.Name {
		if c := e.closure(t.X.Name); c != nil {
			return e.invoke(c, c.stmt.Body, t.Args)
		}
	}
	name := t.X.Dotted()
	if found := e.calledFunction(name); found != nil {
		return e.function(found, t.Args)
	}
	if e.attempt != nil && lastOf(name) == "import_module" {
		return e.importModule(t)
	}
	if slices.ContainsFunc(t.Args, func(a *source.Tree) bool { return a.Kind == source.Keyword }) {
		return e.fail()
	}
	if name != "" && e.locals[topOf(name)] == nil {
		switch {
		case (name == "isinstance" || name == "issubclass") && len(t.Args) == 2:
			o, ok := e.determined(t.Args[0]).(*object)
			return ok && e.instance(o, t.Args[1], name == "issubclass")
		case isCheck(lastOf(name)) && len(t.Args) == 1 && (name == "callable" || topOf(name) == "inspect" || !strings.Contains(name, ".")):
			o, ok := e.determined(t.Args[0]).(*object)
			return ok && e.check(lastOf(name), o)
		case e.file.scope.names[topOf(name)] == nil:
			if v, ok := e.builtin(name, e.sequence(t.Args).items); ok {
				return v
			}
		}
	}
	if t.X.Kind == source.Attribute {
		return e.method(e.value(t.X.X), t.X.Name, e.sequence(t.Args).items)
	}
	return e.fail()
}

// determined returns the value of an expression, and fails if it is unknown.
func (e *evaluation) determined(t *source.Tree) value {
	v := e.value(t)
	if _, ok := v.(unknownValue); ok {
		e.fail()
	}
	return v
}

// calledFunction returns the function of a module that a call refers to, or nil. An attempt does not
// follow functions of other packages.
func (e *evaluation) calledFunction(name string) *entity {
	if name == "" || e.locals[topOf(name)] != nil || e.file.scope.names[topOf(name)] == nil || isCheck(lastOf(name)) {
		return nil
	}
	if found := e.resolve(e.file.scope, name); found.known() && found.isDef() && (e.attempt == nil || topOf(found.mod.name) == topOf(e.attempt.mod.name)) {
		return found
	}
	return nil
}

// builtin calls a builtin function. ok is false if the function is not supported.
func (e *evaluation) builtin(name string, args []value) (v value, ok bool) {
	switch {
	case (name == "globals" || name == "vars" || name == "locals") && len(args) == 0:
		return e.snapshot(), true
	case name == "dir" && len(args) == 0:
		names := &list{}
		names.items = e.items(e.snapshot())
		return names, true
	case (name == "list" || name == "tuple" || name == "set" || name == "frozenset") && len(args) == 0:
		return &list{}, true
	case name == "dict" && len(args) == 1:
		return args[0], true
	case (name == "list" || name == "tuple" || name == "set" || name == "frozenset" || name == "sorted") && len(args) == 1:
		return &list{slices.Clone(e.items(args[0]))}, true
	case name == "str" && len(args) == 1:
		return e.text(args[0]), true
	case name == "len" && len(args) == 1:
		return len(e.items(args[0])), true
	case name == "range":
		return e.numbers(args), true
	}
	return nil, false
}

// numbers evaluates range(…) with one or two arguments.
func (e *evaluation) numbers(args []value) value {
	from, to := 0, 0
	ok := len(args) == 1 || len(args) == 2
	if ok {
		to, ok = args[len(args)-1].(int)
	}
	if ok && len(args) == 2 {
		from, ok = args[0].(int)
	}
	if !ok || to-from > maxList || !e.spend(max(0, to-from)) {
		return e.fail()
	}
	result := &list{}
	for ; from < to; from++ {
		result.items = append(result.items, from)
	}
	return result
}

// method calls a method of a list, a table or a string.
func (e *evaluation) method(on value, name string, args []value) value {
	switch on := on.(type) {
	case *list:
		switch {
		case (name == "append" || name == "add") && len(args) == 1:
			on.items = append(on.items, args[0])
		case (name == "extend" || name == "update") && len(args) == 1:
			on.items = append(on.items, e.items(args[0])...)
		case (name == "remove" || name == "discard") && len(args) == 1:
			on.items = slices.DeleteFunc(on.items, func(v value) bool { return v == args[0] })
		case name == "copy":
			return &list{slices.Clone(on.items)}
		case name == "sort":
		default:
			return e.fail()
		}
		return nil
	case *table:
		switch name {
		case "get":
			if len(args) == 0 || len(args) > 2 {
				return e.fail()
			}
			v, ok := e.lookupKey(on, args[0])
			if !ok && len(args) == 2 {
				return args[1]
			}
			return v
		case "copy":
			return on
		case "keys":
			return &list{e.items(on)}
		case "values":
			return &list{slices.Clone(on.values)}
		case "items":
			result := &list{}
			for i, k := range on.keys {
				result.items = append(result.items, &list{[]value{k, on.values[i]}})
			}
			return result
		}
	case string:
		return e.textMethod(on, name, args)
	}
	return e.fail()
}

// textMethod calls a method of a string.
func (e *evaluation) textMethod(s, name string, args []value) value {
	if isAny(s) || slices.ContainsFunc(args, isAny) {
		return e.fail()
	}
	var texts []string
	for _, a := range args {
		if l, ok := a.(*list); ok && len(args) == 1 {
			for _, x := range e.items(l) {
				texts = append(texts, e.text(x))
			}
			continue
		}
		texts = append(texts, e.text(a))
	}
	has := func(f func(s, part string) bool) bool {
		return slices.ContainsFunc(texts, func(part string) bool { return f(s, part) })
	}
	switch {
	case name == "startswith" && len(args) == 1:
		return has(strings.HasPrefix)
	case name == "endswith" && len(args) == 1:
		return has(strings.HasSuffix)
	case name == "join" && len(args) == 1:
		size := 0
		for _, part := range texts {
			if size += len(part) + len(s); size > maxText+len(s) {
				return e.fail()
			}
		}
		return strings.Join(texts, s)
	case name == "replace" && len(texts) == 2 && len(s) < maxAliasText && len(texts[1]) < maxAliasText:
		return e.bounded(strings.ReplaceAll(s, texts[0], texts[1]))
	case name == "removeprefix" && len(texts) == 1:
		return strings.TrimPrefix(s, texts[0])
	case name == "removesuffix" && len(texts) == 1:
		return strings.TrimSuffix(s, texts[0])
	case name == "split" && len(texts) <= 1:
		parts := strings.Fields(s)
		if len(texts) == 1 {
			parts = strings.Split(s, texts[0])
		}
		result := &list{}
		for _, p := range parts {
			result.items = append(result.items, p)
		}
		return result
	case len(texts) > 0:
	case name == "lower":
		return strings.ToLower(s)
	case name == "upper":
		return strings.ToUpper(s)
	case name == "strip":
		return strings.TrimSpace(s)
	case name == "isupper":
		return upper(s)
	case name == "islower":
		return strings.ToLower(s) == s && strings.ToUpper(s) != s
	}
	return e.fail()
}

// isCheck reports whether a function tests the kind of an object, as isclass
// does.
func isCheck(name string) bool {
	return name == "callable" || name == "isclass" || name == "isfunction" || name == "ismodule" || name == "isroutine"
}

// check reports whether an object has the kind that a function such as isclass tests for.
func (e *evaluation) check(kind string, o *object) bool {
	found := e.meaning(o)
	switch kind {
	case "isclass":
		return found.known() && found.isClass()
	case "isfunction", "isroutine":
		return found.known() && found.isDef()
	case "ismodule":
		return found != nil && (found.known() && found.path == "" || o.found != nil && o.found.imported && o.found.attr == "")
	}
	return found.known() && (found.isClass() || found.isDef())
}

// instance reports whether an object is an instance of a class or its subclasses. If this
// is unknown, it returns false.
func (e *evaluation) instance(o *object, classes *source.Tree, below bool) bool {
	if classes.Kind == source.Tuple {
		return slices.ContainsFunc(classes.Args, func(c *source.Tree) bool { return e.instance(o, c, below) })
	}
	found := e.meaning(o)
	switch name := lastOf("." + classes.Dotted()); {
	case below:
	case name == "type":
		return e.check("isclass", o)
	case name == "ModuleType":
		return e.check("ismodule", o)
	case name == "FunctionType":
		return e.check("isfunction", o)
	case !found.known() || found.isClass() || found.isDef() || found.code == nil || found.code.stmt == nil:
		return false
	default: // the name is an instance of a class C, as in x = C(…)
		made := found.code.value.Tree()
		if made.Kind != source.Call {
			return false
		}
		found = e.resolve(found.code.scope, made.X.Dotted())
	}
	failed := e.failed
	class, ok := e.value(classes).(*object)
	e.failed = failed
	if !ok || !found.known() || !found.isClass() {
		return false
	}
	base := e.meaning(class)
	return base.known() && base.isClass() && e.inherits(found, map[string]bool{base.full(): true})
}
