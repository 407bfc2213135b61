package modules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// This file decides whether all attributes of a class are known. It ignores attributes that methods
// assign to objects; callers that need these search the code for assignments.

// A class with one of these names in its body has attributes that no statement declares, or creates
// objects of another class.
var openingNames = [...]string{"__getattr__", "__getattribute__", "__new__", "__class__"}

// plainMetaclasses add no attributes to their classes.
var plainMetaclasses = set("abc.ABCMeta", "ABCMeta", "type", "enum.EnumMeta", "enum.EnumType")

// plainBases contains classes of the standard library without public attributes other than those of
// every exception.
var plainBases = set("object", "typing.Generic", "typing_extensions.Generic", "abc.ABC", "ABC", "enum.Enum",
	"Exception", "BaseException", "Warning", "ArithmeticError", "AssertionError", "BufferError", "DeprecationWarning", "EOFError", "FutureWarning", "IndexError", "KeyError",
	"LookupError", "MemoryError", "NotImplementedError", "OverflowError", "RecursionError", "ReferenceError", "RuntimeError", "RuntimeWarning", "TypeError", "UserWarning",
	"ValueError", "ZeroDivisionError")

// plainClasses are classes whose files assign computed attributes, but only to objects of other classes.
var plainClasses = set("argparse.ArgumentParser", "argparse._AttributeHolder", "argparse._ActionsContainer", "logging.Filterer", "logging.Logger", "_pytest.monkeypatch.MonkeyPatch")

// plainDecorators are decorators of classes that add no public attributes.
var plainDecorators = set("dataclass", "final", "runtime_checkable", "total_ordering", "unique", "deprecated", "dataclass_transform", "s", "attrs", "define", "frozen", "mutable", "set_module")

// isClosed reports whether a class has no public attributes other than those that members returns
// and those that code assigns to its objects.
func (d *documenter) isClosed(e *entity, members []*member) bool {
	switch d.styleOf(e) {
	case plainClass, dataClass, attrsClass:
	case enumeration:
		// the attributes of objects are those of the class
	default:
		return false
	}
	if len(members) > maxMembers {
		return false
	}
	for _, c := range d.mro(e) {
		name := c.full()
		if c.external != "" {
			name = strings.TrimPrefix(c.external, "builtins.")
		}
		if plainBases[name] || d.Program && compiled()[c.external] != nil {
			continue
		}
		if c.external != "" || !d.tellsAll(c) {
			return false
		}
	}
	return true
}

// tellsAll reports whether a class statement declares all attributes that the class has in addition
// to those of its bases.
func (r *Reader) tellsAll(e *entity) bool {
	if e.code == nil || e.code.alt != nil || e.code.imported || e.code.stmt == nil || e.code.stmt.Kind != source.Class || !strings.HasSuffix(e.code.scope.file.name, ".py") {
		return false
	}
	about := r.about(e)
	if about.tells == 0 {
		about.tells = 1
		if r.findTells(e) {
			about.tells = 2
		}
	}
	return about.tells == 2
}

func (r *Reader) findTells(e *entity) bool {
	b := e.code
	for _, d := range b.stmt.Decorators {
		if !plainDecorators[decorator(d)] {
			return false
		}
	}
	for _, a := range source.Parse("f(" + b.stmt.Params + "\n)").Args {
		switch a.Kind {
		case source.Name, source.Attribute, source.Subscript:
		case source.Keyword:
			if a.Name == "metaclass" && !r.is(b.scope, a.X.Dotted(), plainMetaclasses) && !plainMetaclasses[a.X.Dotted()] {
				return false
			}
		default:
			return false
		}
	}
	names := r.inner(b).names
	for _, name := range openingNames {
		if names[name] != nil {
			return false
		}
	}
	for _, x := range r.inner(b).order {
		if x.typing && (x.stmt == nil || x.stmt.Kind != source.Def) || x.name == "__metaclass__" {
			return false // a name that only type checkers see is created in some other way at run time
		}
	}
	if init := names["__init_subclass__"]; init != nil {
		for _, stmt := range r.body(init) { // The function may call another function that adds attributes.
			if stmt.Kind != source.Assign && (stmt.Kind != source.Expr || !strings.HasPrefix(stmt.Value.Text(), "super()")) {
				return false
			}
		}
	}
	for i := range b.stmt.Body { // Statements that run may bind computed names.
		if kind := b.stmt.Body[i].Kind; kind == source.Block || kind == source.Del {
			return false
		}
	}
	return plainClasses[e.full()] || !r.isDynamic(b.scope.file, b)
}

// dynamicCode matches code that may add attributes whose names are computed: to the object that a
// group of the expression matches, if any. An object whose class becomes cls gets declared attributes.
var dynamicCode = lazyregexp.New(`\bsetattr\(\s*(?:([\w.]+)\s*,\s*[^"'\s]|([^\w\s])|[\w.]+\s*([^\w.,\s]))|` +
	`\b(self|cls)\.__dict__\b|\b([\w.]+)\.__dict__(?:\[[^\]\n]*\]\s*=[^=]|\.update\b|\.setdefault\b|\s*=[^=])|=\s*([\w.]+)\.__dict__\s*\n|` +
	`\bvars\(\s*(\w+)|(?m:^|[^\w.])(?:locals|exec|eval)\(|\b([\w.]+)\.__class__\s*=\s*(?:[^=\sc]|c[^l])|\.__setattr__\(\s*(?:(\w+)\s*,\s*[^"'\s])?`)

// dynamicMarks are strings of which each match of dynamicCode contains one.
var dynamicMarks = [...]string{"setattr", "__dict__", "vars(", "locals(", "exec(", "eval(", "__class__"}

// declaresFunction matches the line that begins a function.
var declaresFunction = lazyregexp.New(`^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)`)

// copying contains methods that only handle the attributes that an object has.
var copying = set("__copy__", "__deepcopy__", "__delattr__", "__dir__", "__eq__", "__getstate__", "__hash__", "__ne__", "__reduce__", "__reduce_ex__", "__repr__", "__setstate__", "__str__")

// maxDynamic is the maximum size, in bytes, of a file that is searched for such code.
const maxDynamic = 8 << 20

// isDynamic reports whether a file may add attributes with computed names to the objects of a class.
func (r *Reader) isDynamic(f *file, class *binding) bool {
	if f.dynamic == nil {
		f.dynamic = []int{}
		data, err := readFile(f.mod.dist.Root, f.name)
		if err != nil || len(data) > maxDynamic {
			f.dynamic = append(f.dynamic, 0)
		}
		f.findDynamic(data[:min(len(data), maxDynamic)])
	}
	if slices.Contains(f.dynamic, 0) {
		return true
	}
	end := maxLine // end is the position at which the next class begins.
	top := class
	for top.scope.class != nil {
		top = top.scope.class
	}
	for _, x := range f.scope.order {
		if x.stmt != nil && x.stmt.Kind == source.Class && x.stmt.Line > top.stmt.Line {
			end = min(end, x.stmt.Line)
		}
	}
	return slices.ContainsFunc(f.dynamic, func(line int) bool { return line >= top.stmt.Line && line < end })
}

// findDynamic finds the lines of such code in a file.
func (f *file) findDynamic(data []byte) {
	line, at, function := 1, 0, ""
	for start, code := range around(data, dynamicMarks[:]...) {
		for _, m := range dynamicCode().FindAllSubmatchIndex(code, -1) {
			first := start + m[0]
			if inExample(data, first) {
				continue
			}
			before := data[at:first]
			at = first
			line += bytes.Count(before, []byte("\n"))
			if name := lastFunction(before); name != "" {
				function = name
			}
			object := ""
			for k := 2; k < len(m); k += 2 {
				if m[k] >= 0 {
					object = string(code[m[k]:m[k+1]])
				}
			}
			if x := f.scope.names[object]; x != nil && x.imported && x.attr == "" {
				continue // a module
			}
			if copying[function] {
				continue
			}
			if object == "self" || object == "cls" || object == "" {
				f.dynamic = append(f.dynamic, line)
			} else {
				f.dynamic = append(f.dynamic, 0) // The object may have any class.
			}
		}
	}
}

// inExample reports whether the line at an offset is an example in a docstring.
func inExample(data []byte, offset int) bool {
	line := bytes.TrimLeft(data[bytes.LastIndexByte(data[:offset], '\n')+1:], " \t")
	return bytes.HasPrefix(line, []byte(">>> ")) || bytes.HasPrefix(line, []byte("... "))
}

// lastFunction returns the name of the last function that begins in code, or "" if there is none.
func lastFunction(code []byte) string {
	for {
		i := bytes.LastIndex(code, []byte("def"))
		if i < 0 {
			return ""
		}
		start := bytes.LastIndexByte(code[:i], '\n') + 1
		if m := declaresFunction().FindSubmatch(code[start:]); m != nil {
			return string(m[1])
		}
		code = code[:i]
	}
}
