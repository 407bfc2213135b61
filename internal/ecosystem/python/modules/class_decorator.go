package modules

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// This file decides whether the decorators of a class return the class without more public attributes.

// plainDecorators are decorators of classes that add no public attributes.
var plainDecorators = set("dataclass", "final", "runtime_checkable", "total_ordering", "unique", "deprecated", "dataclass_transform", "type_check_only", "s", "attrs", "define", "frozen", "mutable", "set_module",
	"implementer", "provider")

// classReaders are functions that only read a class, and collectors methods of containers and registries.
var (
	classReaders = set("callable", "getattr", "hasattr", "id", "inspect.isclass", "inspect.signature", "isinstance", "issubclass", "repr", "str", "type")
	collectors   = set("add", "append", "insert", "register", "setdefault")
)

// maxDecorators is the maximum nesting of functions that are examined for one decorator.
const maxDecorators = 4

// isPlainDecorator reports whether a decorator of a class in a scope returns the class and adds no public attributes to it.
func (r *Reader) isPlainDecorator(s *scope, d *source.Expression) bool {
	x := d.Tree()
	name := x.Function()
	if plainDecorators[lastOf(name)] || strings.HasPrefix(name, "pytest.mark.") {
		return true
	}
	if base, ok := strings.CutSuffix(name, ".register"); ok && x.Kind == source.Attribute { // such as Mapping.register
		class := r.resolve(s, base)
		if !class.known() || !class.isClass() {
			return false
		}
		if meta := r.metaclass(class); meta != nil {
			return lastOf("."+meta.full()) == "ABCMeta"
		}
		return slices.ContainsFunc(r.mro(class), func(e *entity) bool { return lastOf("."+e.external) == "ABC" || e.full() == "abc.ABC" })
	}
	f := &decoration{Reader: r, depth: maxDecorators}
	isFactory := x.Kind == source.Call
	code := f.function(s, name, isFactory)
	return code != nil && f.returnsClass(code, !isFactory)
}

// decoration examines a function that gets a class.
type decoration struct {
	*Reader
	scope *scope // of the function
	inner map[string]*source.Code
	depth int
}

// function returns the code of a function of a module or, if methods is true, also that of a class or static method. It returns nil
// if there is none.
func (f *decoration) function(s *scope, name string, methods bool) *source.Code {
	if name == "" || f.depth == 0 {
		return nil
	}
	e := f.resolve(s, name)
	if !e.known() || e.code == nil || e.code.alt != nil || e.code.stmt == nil || e.code.stmt.Kind != source.Def || e.code.scope.class != nil && !methods {
		return nil
	}
	if slices.ContainsFunc(e.code.stmt.Decorators, func(d *source.Expression) bool {
		return e.code.scope.class == nil || d.Text() != "classmethod" && d.Text() != "staticmethod"
	}) {
		return nil
	}
	file := e.code.scope.file
	code := source.ParseFunction(file.source, file.offsetOf(e.code.stmt.Line))
	if code == nil || code.Kind != source.DefCode || code.Name != e.code.stmt.Name {
		return nil
	}
	f.scope = e.code.scope
	return code
}

// nested returns an examination of a function that the current one contains or calls.
func (f *decoration) nested(inner map[string]*source.Code) *decoration {
	return &decoration{Reader: f.Reader, scope: f.scope, inner: inner, depth: f.depth - 1}
}

// returnsClass reports whether a function returns its first argument, or a function that does so. If takes is true, that
// argument is a class, to which the function adds no public attributes.
func (f *decoration) returnsClass(code *source.Code, takes bool) bool {
	if f.depth == 0 {
		return false
	}
	inner := map[string]*source.Code{}
	maps.Copy(inner, f.inner)
	eachStatement(code.Body, func(s *source.Code) {
		if s.Kind == source.DefCode {
			inner[s.Name] = s
		}
	})
	class := ""
	if params := source.Params(code.Params); takes && len(params) > 0 && params[0].Kind <= source.Positional {
		class = params[0].Name
	}
	g := &decoration{Reader: f.Reader, scope: f.scope, inner: inner, depth: f.depth}
	plain, returns := takes == (class != ""), 0
	eachStatement(code.Body, func(s *source.Code) {
		plain = plain && (class == "" || g.isPlain(s, class))
		if s.Kind == source.ReturnCode {
			returns++
			plain = plain && g.isClass(s.Value, class)
		}
	})
	return plain && returns > 0
}

// isClass reports whether a value is the class, a function that returns it, or the result of one.
func (f *decoration) isClass(x *source.Tree, class string) bool {
	switch {
	case x == nil:
		return false
	case x.Kind == source.Name:
		return x.Name == class || f.inner[x.Name] != nil && f.nested(f.inner).returnsClass(f.inner[x.Name], true)
	case x.Kind == source.Call && lastOf("."+x.Function()) == "partial" && len(x.Args) > 0:
		return f.isClass(x.Args[0], "")
	case x.Kind == source.Call && len(x.Args) > 0 && x.Args[0].Kind == source.Name && x.Args[0].Name == class:
		return f.keeps(x.Function())
	}
	return false
}

// keeps reports whether a function returns the class that is its first argument.
func (f *decoration) keeps(name string) bool {
	if code := f.inner[name]; code != nil {
		return f.nested(f.inner).returnsClass(code, true)
	}
	g := f.nested(nil)
	code := g.function(f.scope, name, false)
	return code != nil && g.returnsClass(code, true)
}

// isPlain reports whether a statement adds no public attributes to a class, the first argument of the function.
func (f *decoration) isPlain(s *source.Code, class string) bool {
	isClass := func(x *source.Tree) bool {
		return x != nil && (x.Kind == source.Name && x.Name == class || x.Kind == source.Keyword && x.X != nil && x.X.Kind == source.Name && x.X.Name == class)
	}
	// Other variables that contain the class are not followed.
	plain := !isClass(s.Value) || !slices.ContainsFunc(s.Targets, func(x *source.Tree) bool { return x.Kind != source.Subscript })
	for _, target := range s.Targets {
		plain = plain && !rebinds(target, class)
	}
	check := func(x *source.Tree) {
		if x.Kind == source.Walrus && isClass(x.X) {
			plain = false
		}
		if x.Kind != source.Call {
			return
		}
		name := x.Function()
		switch {
		case x.X.Kind == source.Attribute && isClass(x.X.X) && !strings.HasPrefix(x.X.Name, "__"): // a method of the class
			plain = false
		case !slices.ContainsFunc(x.Args, isClass) || classReaders[name] || x.X.Kind == source.Attribute && collectors[x.X.Name]:
		case name == "setattr":
			plain = plain && len(x.Args) == 3 && isPrivateText(x.Args[1].Text) && !slices.Contains(openingNames[:], strings.Trim(x.Args[1].Text, `"'`))
		default:
			plain = plain && f.keeps(name)
		}
	}
	eachTree(s.Value, check)
	for _, item := range s.Items {
		eachTree(item.Value, check)
		plain = plain && (item.Target == nil || !rebinds(item.Target, class))
	}
	if s.Kind == source.DefCode || s.Kind == source.ClassCode { // Functions in the function may use its variables.
		if !slices.ContainsFunc(source.Params(s.Params), func(p source.Param) bool { return p.Name == class }) {
			eachStatement(s.Body, func(s *source.Code) { plain = plain && f.isPlain(s, class) })
		}
	}
	return plain && s.Kind != source.GlobalCode
}

// rebinds reports whether a target is a variable that contains a class, or an attribute of the class that is public or adds others.
func rebinds(target *source.Tree, class string) bool {
	switch target.Kind {
	case source.Name:
		return target.Name == class
	case source.Attribute:
		return target.X.Kind == source.Name && target.X.Name == class && (!strings.HasPrefix(target.Name, "_") || slices.Contains(openingNames[:], target.Name))
	case source.Tuple, source.List:
		return slices.ContainsFunc(target.Args, func(a *source.Tree) bool { return rebinds(a, class) })
	case source.Starred:
		return rebinds(target.X, class)
	}
	return false
}
