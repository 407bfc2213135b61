package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// typingNames are the modules whose names have a special meaning in annotations.
var typingNames = set("typing", "typing_extensions", "_collections_abc", "collections.abc", "builtins")

// special returns the name of a special form in typing or collections.abc that an entity refers to, or "".
func special(e *entity) string {
	if e == nil {
		return ""
	}
	full := e.full()
	i := strings.LastIndexByte(full, '.')
	if i < 0 || !typingNames[full[:i]] {
		return ""
	}
	return full[i+1:]
}

// classAliases are names of typing for classes that have another name there.
var classAliases = map[string]string{
	"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type", "Text": "str",
}

// abstractClasses are names of typing for classes of collections.abc and contextlib.
var abstractClasses = map[string]string{
	"AbstractSet": "Set", "ContextManager": "AbstractContextManager", "AsyncContextManager": "AbstractAsyncContextManager",
	"DefaultDict": "defaultdict", "OrderedDict": "OrderedDict", "Counter": "Counter", "ChainMap": "ChainMap", "Deque": "deque",
}

// annotation returns the type of the objects that an annotation describes. function is the function with the
// annotation, or nil.
func (t *Types) annotation(s *scope, x *source.Tree, function *source.Stmt, depth int) *typ {
	if x == nil || depth == 0 {
		return nil
	}
	switch x.Kind {
	case source.Constant:
		if x.Name == "None" {
			return none
		}
	case source.String:
		return t.annotation(s, source.Parse(x.Name), function, depth-1)
	case source.Name, source.Attribute:
		dotted := x.Dotted()
		if dotted == "" {
			return nil
		}
		if t.isVariable(s, dotted, function) {
			limited := function != nil && strings.Contains(function.TypeParams, ":")
			return &typ{kind: variableType, name: dotted, open: true, limited: limited}
		}
		if t.r.unreadable(s.named(topOf(dotted))) != nil || t.r.varies(s.named(dotted)) {
			return nil
		}
		if b := s.named(dotted); b != nil && !b.imported && b.stmt != nil && b.stmt.Kind == source.Assign && b.alt != nil && !b.alt.typing {
			return nil // the name has several values
		}
		return t.object(t.meaning(s, dotted), nil, depth)
	case source.Binary:
		if x.Name == "|" {
			return join(t.annotation(s, x.X, function, depth-1), t.annotation(s, x.Args[0], function, depth-1))
		}
	case source.Subscript:
		return t.parameterized(s, x, function, depth)
	}
	return nil
}

// meaning returns the entity that a dotted name refers to in a scope.
func (t *Types) meaning(s *scope, dotted string) *entity {
	e := t.r.resolve(s, dotted)
	if e == nil && s.file.mod.dist == t.stubs && classAliases[dotted] == "" {
		if specialForms[dotted] || dotted == "Any" || dotted == "Self" || dotted == "overload" {
			return &entity{external: "typing." + dotted}
		}
	}
	return e
}

// isVariable reports whether a name is a type parameter of the function or of the classes around it, or one of docent's
// stubs, which are single letters.
func (t *Types) isVariable(s *scope, name string, function *source.Stmt) bool {
	if s.file.mod.dist == t.stubs {
		return len(name) == 1
	}
	if function != nil && function.TypeParams != "" && slices.Contains(typeParams(function.TypeParams), name) {
		return true
	}
	for ; s.class != nil; s = s.class.scope {
		if s.class.stmt != nil && s.class.stmt.TypeParams != "" && slices.Contains(typeParams(s.class.stmt.TypeParams), name) {
			return true
		}
	}
	return false
}

// object returns the type of the objects of a class, with type arguments, or of what an alias stands for.
func (t *Types) object(e *entity, args []*typ, depth int) *typ {
	if e == nil || depth == 0 {
		return nil
	}
	name := special(e)
	switch name {
	case "Any", "NoReturn", "Never", "LiteralString":
		if name == "LiteralString" {
			return t.instance(t.builtin("str"))
		}
		return nil
	case "Self":
		return &typ{kind: variableType, name: "Self", open: true}
	case "Callable":
		return &typ{kind: functionType, def: &callable{static: true}}
	case "AnyStr":
		return nil
	case "NamedTuple", "TypedDict", "Generic", "Protocol":
		return nil
	}
	if alias := classAliases[name]; alias != "" && !strings.HasPrefix(e.full(), "_collections_abc.") && !strings.HasPrefix(e.full(), "builtins.") {
		name, e = alias, &entity{external: "builtins." + alias}
	}
	if builtin, ok := strings.CutPrefix(e.external, "builtins."); ok {
		if builtin == "type" {
			return nil
		}
		return t.instance(t.builtin(builtin), args...)
	}
	if (name == "Pattern" || name == "Match") && strings.HasPrefix(e.full(), "typing") {
		name, e = "", &entity{external: "re." + name}
	}
	if name != "" && !e.isClass() {
		for _, from := range [...]string{"_collections_abc", "collections", "contextlib"} {
			for _, n := range [...]string{name, abstractClasses[name]} {
				if n != "" {
					if c := t.standard(from, n); c != nil {
						return t.instance(c, args...)
					}
				}
			}
		}
	}
	if e.external != "" {
		if found := t.compiledEntity(e.external); found != nil && found.path != "" && found.isClass() {
			return t.instance(t.classOf(found), args...)
		}
	}
	if !e.known() || e.path == "" {
		return nil
	}
	if e.isClass() {
		if e.mod.dist == t.stubs && e.mod.name == "builtins" && e.path == "type" {
			return nil
		}
		return t.instance(t.classOf(e), args...)
	}
	if stub := t.stubbed(e); stub != nil && stub.stmt != nil && stub.stmt.Kind == source.Class { // a compiled class
		return t.instance(t.classOf(t.r.declared(stub)), args...)
	}
	b := e.typed()
	if b == nil || b.stmt == nil || b.stmt.Kind != source.Assign || b.used || b.alt != nil {
		return nil
	}
	if c := t.madeClass(b); c != nil {
		return t.instance(c)
	}
	value := b.value.Tree()
	switch value.Kind {
	case source.Call:
		switch fn := t.r.resolve(b.scope, value.X.Dotted()); special(fn) {
		case "TypeVar":
			if len(value.Args) > 0 && value.Args[0].Kind == source.String {
				limited := value.Argument("bound", len(value.Args)) != nil || len(value.Args) > 1 && value.Args[1].Kind != source.Keyword
				return &typ{kind: variableType, name: value.Args[0].Name, open: true, limited: limited}
			}
		case "NewType":
			if len(value.Args) == 2 {
				return t.annotation(b.scope, value.Args[1], nil, depth-1)
			}
		case "NamedTuple", "TypedDict", "ParamSpec", "TypeVarTuple":
		}
		return nil
	case source.Name, source.Attribute, source.Subscript, source.Binary, source.String:
		if value.Kind == source.String && !b.stmt.TypeAlias && (b.annotation == nil || lastOf("."+b.annotation.Text()) != "TypeAlias") {
			return nil
		}
		if b.annotation != nil && lastOf("."+b.annotation.Text()) != "TypeAlias" {
			return nil
		}
		b.used = true
		defer func() { b.used = false }()
		x := t.annotation(b.scope, value, nil, depth-1)
		if x != nil && x.open && len(args) > 0 {
			var names []string
			t.variables(b.scope, value, &names, maxTypeDepth)
			v := bindings{}
			for i, n := range names {
				if i < len(args) {
					v[n] = args[i]
				}
			}
			return v.apply(x, maxTypeDepth)
		}
		if x != nil && x.open {
			return bindings{}.apply(x, maxTypeDepth)
		}
		return x
	}
	return nil
}

// parameterized returns the type for an annotation with type arguments.
func (t *Types) parameterized(s *scope, x *source.Tree, function *source.Stmt, depth int) *typ {
	dotted := x.X.Dotted()
	if dotted == "" || len(x.Args) == 0 {
		return nil
	}
	args := x.Args
	if len(args) == 1 && args[0] != nil && args[0].Kind == source.Tuple {
		args = args[0].Args
	}
	if slices.Contains(args, nil) {
		return nil
	}
	e := t.meaning(s, dotted)
	name := special(e)
	if e != nil && strings.HasPrefix(e.external, "builtins.") {
		name = strings.TrimPrefix(e.external, "builtins.")
	}
	if e == nil && specialForms[dotted] {
		return nil
	}
	inner := func(i int) *typ { return t.annotation(s, args[i], function, depth-1) }
	switch name {
	case "Optional":
		return join(inner(0), none)
	case "Union":
		x := inner(0)
		for i := range args[1:] {
			x = join(x, inner(i+1))
		}
		return x
	case "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar":
		return inner(0)
	case "Literal":
		var all []*typ
		for _, a := range args {
			all = append(all, t.literal(a))
		}
		return joinAll(all)
	case "Type", "type":
		var all []*typ
		for _, v := range inner(0).variants() {
			switch v.kind {
			case instanceType:
				c := *v
				c.kind, c.exact = classObject, false
				all = append(all, &c)
			case variableType:
				all = append(all, &typ{kind: classObject, args: []*typ{v}, open: true})
			default:
				return nil
			}
		}
		return joinAll(all)
	case "Tuple", "tuple":
		if len(args) == 2 && args[1].Kind == source.Constant && args[1].Name == "..." {
			return t.instance(t.builtin("tuple"), inner(0))
		}
		var all []*typ
		for i, a := range args {
			if a.Kind == source.Starred || a.Kind == source.Tuple {
				return t.instance(t.builtin("tuple"))
			}
			all = append(all, inner(i))
		}
		out := t.tuple(all)
		if out != nil {
			out.exact = false
		}
		return out
	case "Callable":
		def := &callable{static: true}
		if len(args) == 2 {
			def.result = inner(1)
		}
		return &typ{kind: functionType, def: def, open: def.result != nil && def.result.open}
	case "Concatenate", "Unpack", "TypeGuard", "TypeIs":
		if name == "TypeGuard" || name == "TypeIs" {
			return t.instance(t.builtin("bool"))
		}
		return nil
	}
	var all []*typ
	for i := range args {
		all = append(all, inner(i))
	}
	return t.object(e, all, depth)
}

// literal returns the type of a literal.
func (t *Types) literal(x *source.Tree) *typ {
	name := ""
	switch x.Kind {
	case source.String:
		name = "str"
	case source.Other, source.Format:
		if strings.ContainsAny(x.Text, `"'`) {
			name = stringClass(x.Text)
		}
	case source.Number:
		name = "int"
		switch {
		case strings.HasSuffix(strings.ToLower(x.Name), "j"):
			name = "complex"
		case strings.ContainsAny(x.Name, ".eE") && !strings.HasPrefix(strings.ToLower(x.Name), "0x"):
			name = "float"
		}
	case source.Constant:
		switch x.Name {
		case "None":
			return none
		case "True", "False":
			name = "bool"
		}
	case source.Unary:
		return t.literal(x.X)
	}
	if name == "" {
		return nil
	}
	c := t.builtin(name)
	if c == nil {
		return nil
	}
	return &typ{kind: instanceType, class: c, exact: true}
}

// stringClass returns the name of the class of a string literal.
func stringClass(text string) string {
	quote := strings.IndexAny(text, `"'`)
	if quote < 0 || quote > 3 {
		return ""
	}
	switch prefix := strings.ToLower(text[:quote]); {
	case strings.Contains(prefix, "b"):
		return "bytes"
	case strings.Contains(prefix, "t"):
		return ""
	}
	return "str"
}
