package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

const (
	// maxValue is the maximum size in bytes of a value that is shown, and maxAlias is the maximum
	// size of a type alias.
	maxValue = 120
	maxAlias = 1000
)

// unknownParams is shown in place of the parameters of a compiled function if they are unknown.
const unknownParams = "..."

// short returns a value on one line, or "..." if it is long.
func short(value string) string {
	if len(value) > 4*maxValue {
		return "..."
	}
	if value = source.Flat(value); len(value) > maxValue {
		return "..."
	}
	return value
}

// shownDecorators are the decorators that show how to call a function or what kind of
// function it is.
var shownDecorators = set("property", "cached_property", "classmethod", "staticmethod", "contextmanager", "asynccontextmanager", "abstractmethod",
	"abstractproperty", "final", "singledispatch", "singledispatchmethod", "dataclass", "dataclass_transform", "runtime_checkable", "total_ordering", "unique",
	"hybrid_property", "hybrid_method", "classproperty", "lru_cache", "cache", "override", "fixture", "define", "frozen", "mutable", "coroutine",
	"async_contextmanager", "deprecated")

// mayWrap reports whether a decorator may change the arguments of the function or class that it
// decorates.
func (r *Reader) mayWrap(b *binding) bool {
	return slices.ContainsFunc(b.stmt.Decorators, func(d *source.Expression) bool {
		switch name := decorator(d); name {
		case "overload", "no_type_check":
			return false
		case "setter", "deleter", "getter":
			return d.Tree().Kind != source.Attribute
		default:
			return !shownDecorators[name] && !r.returnsSame(b.scope, d.Tree()) && (b.stmt.Kind != source.Def || r.forwards(b.scope, d.Tree()) == forwardsNothing)
		}
	})
}

// returnsSame reports whether a decorator is declared to return a function of the same type as the one that it gets.
func (r *Reader) returnsSame(s *scope, t *source.Tree) bool {
	e := r.resolve(s, t.Function())
	if !e.known() || !e.isDef() {
		return false
	}
	b := e.typed()
	if b.stmt == nil || b.stmt.Kind != source.Def || len(b.overloads) > 0 || len(b.stmt.Decorators) > 0 {
		return false
	}
	params := source.Params(b.stmt.Params)
	result := source.Parse(r.annotation(b.stmt.Returns))
	taken := ""
	switch {
	case t.Kind == source.Call && result.Kind == source.Subscript && lastOf("."+result.X.Dotted()) == "Callable" && len(result.Args) == 2 && result.Args[0].Kind == source.List && len(result.Args[0].Args) == 1:
		taken, result = result.Args[0].Args[0].Text, result.Args[1]
	case t.Kind != source.Call && len(params) > 0:
		taken = r.annotation(params[0].Annotation)
	}
	if taken == "" || taken != result.Text {
		return false
	}
	if result.Kind == source.Subscript { // Callable[P, T]
		return len(result.Args) == 2 && r.isVariable(b.scope, result.Args[0]) && r.isVariable(b.scope, result.Args[1])
	}
	return r.isVariable(b.scope, result)
}

// isVariable reports whether a type is a type variable.
func (r *Reader) isVariable(s *scope, t *source.Tree) bool {
	if t.Dotted() == "" {
		return false
	}
	e := r.resolve(s, t.Dotted())
	return e.known() && e.main() != nil && isTypeVar(e.main())
}

// otherNames returns the names in the strings that the decorators of a function get. They may be former names of
// parameters, which callers can still pass.
func otherNames(all []*source.Expression) (names []string) {
	for _, d := range all {
		if !shownDecorators[decorator(d)] {
			for _, a := range d.Tree().Args {
				if a.Kind == source.String && isName(a.Name) {
					names = append(names, a.Name)
				}
			}
		}
	}
	return names
}

// decorator returns the last name of a decorator.
func decorator(d *source.Expression) string { return lastOf(d.Tree().Function()) }

// writeDecorators writes the decorators that are shown, one per line.
func writeDecorators(b *strings.Builder, all []*source.Expression) {
	for _, d := range all {
		if name := decorator(d); !shownDecorators[name] || name == "deprecated" { // the field Deprecated has the message
			continue
		}
		text := source.Flat(d.Text())
		if len(text) > maxValue {
			text = d.Tree().Function()
		}
		b.WriteString("@" + text + "\n")
	}
}

// signature returns the declaration of a function, or of each of its overloads.
func (r *Reader) signature(b *binding, name string) string {
	var w strings.Builder
	all := b.overloads
	if len(all) == 0 {
		all = []*source.Stmt{b.stmt}
	}
	writeDecorators(&w, all[0].Decorators)
	for i, stmt := range all[:min(len(all), maxOverloads)] {
		if i > 0 {
			w.WriteByte('\n')
		}
		w.WriteString(r.head(stmt, name))
	}
	return w.String()
}

// head returns the declaration of a function without its decorators.
func (r *Reader) head(stmt *source.Stmt, name string) string {
	var w strings.Builder
	if stmt.Async {
		w.WriteString("async ")
	}
	w.WriteString("def " + name)
	if stmt.TypeParams != "" {
		w.WriteString("[" + source.Flat(stmt.TypeParams) + "]")
	}
	w.WriteByte('(')
	r.writeParams(&w, source.Params(stmt.Params))
	switch {
	case stmt.Params == unknownParams:
		w.WriteString(unknownParams)
	case strings.HasSuffix(stmt.Params, ", "+unknownParams):
		w.WriteString(", " + unknownParams)
	}
	w.WriteByte(')')
	if stmt.Returns != "" {
		w.WriteString(" -> " + r.annotation(stmt.Returns))
	}
	return w.String()
}

func (r *Reader) writeParams(w *strings.Builder, params []source.Param) {
	star := false
	for i, p := range params {
		if i > 0 {
			w.WriteString(", ")
		}
		switch p.Kind {
		case source.VarPositional:
			star = true
			w.WriteByte('*')
		case source.KeywordOnly:
			if !star {
				w.WriteString("*, ")
				star = true
			}
		case source.VarKeyword:
			w.WriteString("**")
		}
		w.WriteString(p.Name)
		if p.Annotation != "" {
			w.WriteString(": " + r.annotation(p.Annotation))
		}
		if p.Default != "" {
			value := p.Default
			if len(value) > maxValue || strings.IndexByte(value, '\n') >= 0 {
				value = "..."
			}
			if p.Annotation != "" {
				w.WriteString(" = " + value)
			} else {
				w.WriteString("=" + value)
			}
		}
		if p.Kind == source.PositionalOnly && (i+1 == len(params) || params[i+1].Kind != source.PositionalOnly) {
			w.WriteString(", /")
		}
	}
}

// annotation returns an annotation as it is shown: without the quotes of
// forward references and without documentation in Annotated.
func (r *Reader) annotation(text string) string {
	text = source.Flat(text)
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if value, ok := source.Unquote(text); ok && !strings.ContainsAny(value, "\n") {
			text = value
		}
	}
	if strings.Contains(text, "Doc(") {
		text, _ = withoutDoc(text)
	}
	if strings.IndexByte(text, '\n') >= 0 {
		text = strings.Join(strings.Fields(text), " ")
	}
	return text
}

// withoutDoc removes Doc("…") from Annotated and returns its text.
func withoutDoc(text string) (plain, doc string) {
	t := source.Parse(text)
	if t.Kind != source.Subscript || !strings.HasSuffix(t.X.Dotted(), "Annotated") || len(t.Args) < 2 {
		return text, ""
	}
	args := []string{t.Args[0].Text}
	for _, a := range t.Args[1:] {
		if a.Kind == source.Call && strings.HasSuffix("."+a.X.Dotted(), ".Doc") {
			if len(a.Args) == 1 && a.Args[0].Kind == source.String {
				doc = a.Args[0].Name
			}
			continue
		}
		args = append(args, a.Text)
	}
	if len(args) == 1 {
		return args[0], doc
	}
	return t.X.Text + "[" + strings.Join(args, ", ") + "]", doc
}

// classSignature returns the declaration of a class.
func (r *Reader) classSignature(b *binding, name string) string {
	var w strings.Builder
	writeDecorators(&w, b.stmt.Decorators)
	w.WriteString("class " + name)
	if b.stmt.TypeParams != "" {
		w.WriteString("[" + source.Flat(b.stmt.TypeParams) + "]")
	}
	var bases []string
	for _, a := range b.stmt.Call().Args {
		if a.Kind == source.Keyword && a.Name == "metaclass" || a.Text == "object" {
			continue
		}
		bases = append(bases, source.Flat(a.Text))
	}
	if len(bases) > 0 {
		w.WriteString("(" + strings.Join(bases, ", ") + ")")
	}
	return w.String()
}

// valueSignature returns the declaration of a variable or attribute. The value
// of an alias may be longer than other values.
func (r *Reader) valueSignature(b, typed *binding, name string, isAlias bool) string {
	var annotation string
	if typed != nil && typed.annotation != nil {
		annotation = r.annotation(typed.annotation.Text())
	} else if b.annotation != nil {
		annotation = r.annotation(b.annotation.Text())
	}
	value := b.value.Text()
	if value == "" && typed != nil {
		value = typed.value.Text()
	}
	maximum := maxValue
	if isAlias {
		maximum = maxAlias
	}
	if len(value) > 4*maximum {
		value = "..."
	} else if value = source.Flat(value); len(value) > maximum {
		value = "..."
	}
	if b.stmt != nil && b.stmt.TypeAlias {
		params := ""
		if b.stmt.TypeParams != "" {
			params = "[" + source.Flat(b.stmt.TypeParams) + "]"
		}
		return "type " + name + params + " = " + value
	}
	if b.instance && (annotation != "" || !tells(value)) {
		value = "" // the value depends on the parameters of __init__
	}
	switch {
	case annotation != "" && value != "":
		return name + ": " + annotation + " = " + value
	case annotation != "":
		return name + ": " + annotation
	case value != "":
		return name + " = " + value
	}
	return name
}

// tells reports whether the value that a method assigns to an attribute determines the attribute's
// type, because it is a literal, an empty container, or a call to a class.
func tells(value string) bool {
	switch t := source.Parse(value); t.Kind {
	case source.String, source.Number, source.Constant, source.Unary:
		return t.Name != "..." && t.Text != "..."
	case source.List, source.Dict, source.Tuple, source.Set:
		return len(t.Args) == 0
	case source.Call:
		name := lastOf(t.X.Dotted())
		return name != "" && (name[0] >= 'A' && name[0] <= 'Z' || builtinTypes[name] && len(t.Args) == 0)
	}
	return false
}

// builtinTypes are Python's types whose constructors create containers.
var builtinTypes = set("dict", "list", "set", "tuple", "frozenset", "bytes", "bytearray", "deque", "defaultdict")
