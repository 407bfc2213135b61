package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// This file decides whether code that runs when a class is created adds public attributes with computed names to it: __new__ and
// __init__ of the metaclass, and __init_subclass__ of a base. Code that calls setattr or uses __dict__ is found by isDynamic.

// maxMetaclasses is the maximum number of metaclasses that are derived from each other.
const maxMetaclasses = 8

// isPlainMetaclass reports whether a metaclass adds no attributes to the objects of its classes, except for those that added
// returns.
func (r *Reader) isPlainMetaclass(s *scope, name string) bool {
	if r.is(s, name, plainMetaclasses) || plainMetaclasses[name] {
		return true
	}
	return r.isPlainMeta(r.resolve(s, name), maxMetaclasses)
}

func (r *Reader) isPlainMeta(e *entity, depth int) bool {
	if depth == 0 || !e.known() || !e.isClass() || e.code == nil || e.code.alt != nil || slices.ContainsFunc(e.code.stmt.Decorators, func(d *source.Expression) bool { return !r.isPlainDecorator(e.code.scope, d) }) {
		return false
	}
	bases := r.bases(e)
	for _, base := range bases {
		name := base.full()
		if base.external != "" {
			name = strings.TrimPrefix(base.external, "builtins.")
		}
		if !plainMetaclasses[name] && (base.external != "" || !r.isPlainMeta(base, depth-1)) {
			return false
		}
	}
	h := &hook{Reader: r, scope: e.code.scope, class: e.code, depth: maxDecorators}
	for i := range e.code.stmt.Body {
		stmt := &e.code.stmt.Body[i]
		isCreator := stmt.Name == "__new__" || stmt.Name == "__init__"
		switch {
		case stmt.Kind == source.Def && (isCreator || plainMetaMethods[stmt.Name] || !strings.HasPrefix(stmt.Name, "__") && stmt.Name != "mro"):
			code := functionAt(e.code.scope.file, stmt)
			if code == nil || isCreator && !h.creates(code) {
				return false
			}
			h.addAssigned(code)
			if !strings.HasPrefix(stmt.Name, "_") {
				h.adds = append(h.adds, stmt.Name) // a method of the class
			}
		case stmt.Kind == source.Assign && !slices.ContainsFunc(stmt.Targets, func(name string) bool { return strings.HasPrefix(name, "__") }):
			h.adds = append(h.adds, stmt.Targets...)
		case stmt.Kind != source.Expr:
			return false
		}
	}
	setters, adds, opens, dynamic := r.isDynamic(e.code.scope.file, e.code)
	r.about(e).adds = slices.Concat(h.adds, adds)
	return len(bases) > 0 && !dynamic && !opens && len(setters) == 0
}

// plainMetaMethods are special methods of a metaclass that give objects of its classes no attributes.
var plainMetaMethods = set("__call__", "__repr__", "__str__", "__instancecheck__", "__subclasscheck__", "__iter__", "__len__", "__contains__", "__getitem__", "__hash__", "__eq__", "__lt__", "__or__", "__ror__", "__bool__")

// addAssigned records the attributes that a method of a metaclass assigns to the class.
func (h *hook) addAssigned(code *source.Code) {
	params := source.Params(code.Params)
	if len(params) == 0 {
		return
	}
	eachStatement(code.Body, func(s *source.Code) {
		for _, target := range s.Targets {
			eachTree(target, func(x *source.Tree) {
				if x.Kind == source.Attribute && x.X.Kind == source.Name && (x.X.Name == params[0].Name || h.made[x.X.Name]) {
					h.adds = append(h.adds, x.Name)
				}
			})
		}
	})
}

// functionAt returns the code of a function in a file, or nil.
func functionAt(f *file, stmt *source.Stmt) *source.Code {
	code := source.ParseFunction(f.source, f.offsetOf(stmt.Line))
	if code == nil || code.Kind != source.DefCode || code.Name != stmt.Name {
		return nil
	}
	return code
}

// added returns the names of attributes that code adds when it creates a class, with * for what it computes.
func (r *Reader) added(e *entity) (names []string) {
	mro := r.mro(e)
	if meta := r.metaclass(e); meta != nil {
		mro = append(slices.Clone(mro), r.mro(meta)...)
	}
	for _, c := range mro {
		if c.external == "" {
			names = append(names, r.about(c).adds...)
		}
	}
	return names
}

// isAdded reports whether a name is one of those that added returns.
func isAdded(names []string, name string) bool {
	return slices.ContainsFunc(names, func(pattern string) bool {
		prefix, suffix, computed := strings.Cut(pattern, "*")
		return pattern == name || computed && len(name) > len(prefix)+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
	})
}

// hook examines a method that runs when a class is created.
type hook struct {
	*Reader
	scope *scope   // of the class with the method
	class *binding // that class
	depth int
	adds  []string // the names that it adds to the namespace of a class

	receiver, bases, namespace string
	made                       map[string]bool // the variables that contain the class
	inner                      map[string]*source.Code
}

// creates reports whether __new__ or __init__ of a metaclass is plain.
func (h *hook) creates(code *source.Code) bool {
	params := source.Params(code.Params)
	if len(params) < 4 || slices.ContainsFunc(params[:4], func(p source.Param) bool { return p.Kind > source.Positional }) {
		return false
	}
	h.receiver, h.bases, h.namespace, h.made = params[0].Name, params[2].Name, params[3].Name, map[string]bool{}
	isNew := code.Name == "__new__"
	if !isNew {
		h.made[h.receiver] = true
	}
	plain, returns := true, 0
	eachStatement(code.Body, func(s *source.Code) {
		if isNew && s.Kind == source.AssignCode && len(s.Targets) == 1 && s.Targets[0].Kind == source.Name && h.isNew(s.Value) {
			h.made[s.Targets[0].Name] = true
		}
		if isNew && s.Kind == source.ReturnCode {
			returns++
			plain = plain && s.Value != nil && (h.isNew(s.Value) || s.Value.Kind == source.Name)
		}
	})
	eachStatement(code.Body, func(s *source.Code) {
		if isNew && s.Kind == source.ReturnCode && s.Value != nil && s.Value.Kind == source.Name {
			plain = plain && h.made[s.Value.Name] && !h.isRebound(code.Body, s.Value.Name)
		}
	})
	return plain && (!isNew || returns > 0) && h.isPlain(code.Body)
}

// isRebound reports whether statements assign something other than the new class to a variable.
func (h *hook) isRebound(body []source.Code, name string) bool {
	found := false
	eachStatement(body, func(s *source.Code) {
		for _, target := range s.Targets {
			found = found || targets(target, source.Name, name) && !h.isNew(s.Value)
		}
		for _, item := range s.Items {
			found = found || item.Target != nil && targets(item.Target, source.Name, name)
		}
		eachTree(s.Value, func(x *source.Tree) { found = found || x.Kind == source.Walrus && x.Name == name })
	})
	return found
}

// initializes reports whether __init_subclass__ is plain.
func (h *hook) initializes(code *source.Code) bool {
	params := source.Params(code.Params)
	if len(params) == 0 || params[0].Kind > source.Positional {
		return false
	}
	h.receiver, h.made = params[0].Name, map[string]bool{params[0].Name: true}
	return h.isPlain(code.Body)
}

// isNew reports whether an expression creates the class with the namespace and the bases of the arguments, as in
// super().__new__(cls, name, bases, namespace).
func (h *hook) isNew(x *source.Tree) bool {
	return x != nil && x.Kind == source.Call && x.X.Kind == source.Attribute && x.X.Name == "__new__" && len(x.Args) >= 4 &&
		isNamed(x.Args[0], h.receiver) && isNamed(x.Args[2], h.bases) && isNamed(x.Args[3], h.namespace)
}

func isNamed(x *source.Tree, name string) bool {
	return x != nil && x.Kind == source.Name && x.Name == name && name != ""
}

// isPlain reports whether statements add no attributes with computed names to the class.
func (h *hook) isPlain(body []source.Code) bool {
	plain := true
	if h.inner == nil {
		h.inner = map[string]*source.Code{}
	}
	eachStatement(body, func(s *source.Code) {
		if s.Kind == source.DefCode {
			h.inner[s.Name] = s
		}
		if s.Kind == source.AssignCode && s.Value.Kind == source.Name && h.made[s.Value.Name] {
			for _, target := range s.Targets {
				h.made[target.Name] = h.made[target.Name] || target.Kind == source.Name
			}
		}
	})
	eachStatement(body, func(s *source.Code) {
		for _, target := range s.Targets {
			plain = plain && h.isPlainTarget(target, s)
		}
		for _, item := range s.Items {
			plain = plain && (item.Target == nil || h.isPlainTarget(item.Target, s))
			eachTree(item.Value, func(x *source.Tree) { plain = plain && h.isPlainCall(x) })
		}
		eachTree(s.Value, func(x *source.Tree) {
			plain = plain && h.isPlainCall(x) && x.Kind != source.Walrus
		})
		plain = plain && s.Kind != source.GlobalCode && s.Kind != source.ClassCode
		if s.Kind == source.DefCode { // It may use the variables of the method.
			plain = plain && h.isPlain(s.Body)
		}
	})
	return plain
}

// isPlainTarget reports whether an assignment adds no attribute with a computed name.
func (h *hook) isPlainTarget(x *source.Tree, s *source.Code) bool {
	switch x.Kind {
	case source.Name:
		return x.Name != h.bases && x.Name != h.namespace && !isNamed(s.Value, h.namespace)
	case source.Attribute:
		return !strings.HasPrefix(x.Name, "__") || x.Name == "__doc__" || x.Name == "__name__" || x.Name == "__qualname__" || x.Name == "__signature__" || x.Name == "__module__"
	case source.Subscript:
		if isNamed(x.X, h.namespace) {
			return len(x.Args) == 1 && h.adding(x.Args[0])
		}
		return true
	case source.Tuple, source.List:
		return !slices.ContainsFunc(x.Args, func(a *source.Tree) bool { return !h.isPlainTarget(a, &source.Code{}) })
	case source.Starred:
		return h.isPlainTarget(x.X, &source.Code{})
	}
	return false
}

// adding records the name that a key of the namespace is. It returns false if the key is not a string, or is the name of a special
// method, such as a constructor.
func (h *hook) adding(key *source.Tree) bool {
	name := strings.Trim(key.Text, `"'`)
	if key.Kind != source.String || !isName(name) || strings.HasPrefix(name, "__") && name != "__slots__" && name != "__doc__" {
		return false
	}
	h.adds = append(h.adds, name)
	return true
}

var (
	// namespaceReaders are methods that add nothing to a dictionary, and copiers functions that copy or read one.
	namespaceReaders = set("get", "pop", "items", "keys", "values", "copy")
	copiers          = set("dict", "list", "len", "set", "sorted", "tuple", "iter", "any", "all", "isinstance", "enumerate")
)

// isPlainCall reports whether an expression is no call that may add attributes to the class.
func (h *hook) isPlainCall(x *source.Tree) bool {
	if x.Kind != source.Call {
		return true
	}
	if x.X.Kind == source.Attribute && isNamed(x.X.X, h.namespace) && !namespaceReaders[x.X.Name] {
		return x.X.Name == "setdefault" && len(x.Args) > 0 && h.adding(x.Args[0])
	}
	for i, a := range x.Args {
		name := ""
		if a.Kind == source.Keyword || a.Kind == source.Starred {
			name = a.Name
			a = a.X
		}
		if a == nil || a.Kind != source.Name {
			if h.holds(a, maxExpression) && !classReaders[x.Function()] && !copiers[x.Function()] {
				return false
			}
			continue
		}
		switch isMade := h.made[a.Name]; {
		case !isMade && (a.Name != h.namespace || h.namespace == ""):
		case h.isNew(x) || isSuperCall(x) || classReaders[x.Function()] || isMade && isReader(x.Function()) || isMade && x.X.Kind == source.Attribute && collectors[x.X.Name]:
		case isMade && x.Function() == "setattr" && len(x.Args) == 3 && !strings.HasPrefix(strings.Trim(x.Args[1].Text, `"'`), "__"): // see isDynamic
		case !isMade && copiers[x.Function()]:
		case !h.keeps(x, i, name, isMade):
			return false
		}
	}
	return true
}

// holds reports whether the value of an expression, such as a list, may contain the class or its namespace.
func (h *hook) holds(x *source.Tree, depth int) bool {
	switch {
	case x == nil || depth == 0:
		return depth == 0
	case x.Kind == source.Name:
		return h.made[x.Name] || isNamed(x, h.namespace)
	case x.Kind == source.Attribute || x.Kind == source.Subscript || x.Kind == source.Call || x.Kind == source.Format:
		return false
	}
	holds := func(x *source.Tree) bool { return h.holds(x, depth-1) }
	return holds(x.X) || slices.ContainsFunc(x.Args, holds) || slices.ContainsFunc(x.Keys, holds)
}

// isReader reports whether a function of the standard library only reads a class.
func isReader(name string) bool {
	return name == "super" || name == "vars" || name == "type.__init__" || name == "dir" || strings.HasPrefix(name, "inspect.")
}

// isSuperCall reports whether an expression calls a method of super().
func isSuperCall(x *source.Tree) bool {
	return x.X.Kind == source.Attribute && x.X.X.Kind == source.Call && x.X.X.Function() == "super"
}

// keeps reports whether a function adds nothing to the class or namespace that is one of its arguments.
func (h *hook) keeps(x *source.Tree, index int, keyword string, isMade bool) bool {
	if h.depth == 0 {
		return false
	}
	inner := &hook{Reader: h.Reader, scope: h.scope, class: h.class, depth: h.depth - 1, made: map[string]bool{}}
	code, method := h.inner[x.Function()], false
	switch {
	case code != nil:
		inner.inner = h.inner
	case x.X.Kind == source.Attribute && isNamed(x.X.X, h.receiver): // a method of the class itself
		for i := range h.class.stmt.Body {
			if stmt := &h.class.stmt.Body[i]; stmt.Kind == source.Def && stmt.Name == x.X.Name {
				code = functionAt(h.class.scope.file, stmt)
				method = !slices.ContainsFunc(stmt.Decorators, func(d *source.Expression) bool { return d.Text() == "staticmethod" })
			}
		}
	default:
		d := &decoration{Reader: h.Reader, depth: h.depth}
		if code = d.function(h.scope, x.Function(), false); code != nil {
			if isMade && d.scope.file != h.scope.file && usesSetattr(code) {
				return false
			}
			inner.scope = d.scope
		}
	}
	if code == nil {
		return false
	}
	params := source.Params(code.Params)
	if method {
		index++
	}
	if keyword != "" {
		index = slices.IndexFunc(params, func(p source.Param) bool { return p.Name == keyword })
	}
	if index < 0 || index >= len(params) || params[index].Kind == source.VarPositional || params[index].Kind == source.VarKeyword {
		return false
	}
	if method {
		inner.receiver = params[0].Name
	}
	if isMade {
		inner.made[params[index].Name] = true
	} else {
		inner.namespace = params[index].Name
	}
	plain := inner.isPlain(code.Body)
	h.adds = append(h.adds, inner.adds...)
	return plain
}

// usesSetattr reports whether the code of a function may add attributes with computed names to an object.
func usesSetattr(code *source.Code) bool {
	found := false
	eachStatement(code.Body, func(s *source.Code) {
		eachTree(s.Value, func(x *source.Tree) {
			found = found || x.Kind == source.Call && x.Function() == "setattr" || x.Kind == source.Attribute && (x.Name == "__dict__" || x.Name == "__setattr__") || x.Kind == source.Call && x.Function() == "vars"
		})
	})
	return found
}
