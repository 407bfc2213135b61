package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// literals returns the values that an annotation lists in Literal, in the form of literalValue, and the other types that it
// allows. Overloads whose results differ often differ only in such a value, as in f(text: Literal[True]).
func (t *Types) literals(s *scope, x *source.Tree, function *source.Stmt, depth int) (values []string, others []*typ) {
	if x == nil || depth == 0 {
		return nil, []*typ{nil}
	}
	add := func(x *source.Tree) {
		v, o := t.literals(s, x, function, depth-1)
		values, others = append(values, v...), append(others, o...)
	}
	switch x.Kind {
	case source.String:
		return t.literals(s, source.Parse(x.Name), function, depth-1)
	case source.Constant:
		if x.Name == "None" {
			return []string{literalValue(x)}, nil
		}
	case source.Binary:
		if x.Name == "|" {
			add(x.X)
			add(x.Args[0])
			return values, others
		}
	case source.Subscript:
		args := x.Args
		if len(args) == 1 && args[0] != nil && args[0].Kind == source.Tuple {
			args = args[0].Args
		}
		switch special(t.meaning(s, x.X.Dotted())) {
		case "Literal":
			for _, a := range args {
				value := literalValue(a)
				if value == "" { // a member of an enumeration, or another name for such values
					others = append(others, nil)
				}
				values = append(values, value)
			}
			return values, others
		case "Optional":
			values = append(values, "None")
			fallthrough
		case "Union":
			for _, a := range args {
				add(a)
			}
			return values, others
		}
	case source.Name, source.Attribute:
		e := t.r.resolve(s, x.Dotted())
		if !e.known() || e.path == "" || e.isClass() {
			break
		}
		if b := e.typed(); b != nil && b.stmt != nil && b.stmt.Kind == source.Assign && b.alt == nil && len(b.value.Text()) < maxAliasText {
			if value := b.value.Tree(); value.Kind == source.Subscript || value.Kind == source.Binary {
				if v, o := t.literals(b.scope, value, nil, depth-1); len(v) > 0 {
					return v, o
				}
			}
		}
	}
	return nil, []*typ{t.annotation(s, x, function, depth)}
}

// literalValue returns a text that is the same for equal literals, or "" if an expression is not a literal of a kind that
// Literal can list.
func literalValue(x *source.Tree) string {
	if x == nil {
		return ""
	}
	switch x.Kind {
	case source.String:
		return stringClass(x.Text) + " " + x.Name
	case source.Number:
		return x.Name
	case source.Constant:
		if x.Name != "..." {
			return x.Name
		}
	}
	return ""
}
