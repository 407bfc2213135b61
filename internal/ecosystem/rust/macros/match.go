package macros

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// pattern is one element of the matcher of an arm.
type pattern struct {
	token    *tree     // the token to match, or a group whose children are in inner
	name     string    // name of a fragment: $name:kind
	fragment string    // kind of a fragment
	inner    []pattern // patterns in a group or a repetition
	repeat   byte      // operator of a repetition: '*', '+' or '?'
	sep      *tree
	names    []string // names of the fragments within a repetition
}

func parsePattern(trees []tree, depth int) ([]pattern, error) {
	if depth > maxNested {
		return nil, errRules
	}
	var all []pattern
	for i := 0; i < len(trees); i++ {
		t := &trees[i]
		switch {
		case t.delim != 0:
			inner, err := parsePattern(t.children(), depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, pattern{token: t, inner: inner})
		case t.text == "$" && i+1 < len(trees) && trees[i+1].delim == '(':
			inner, err := parsePattern(trees[i+1].children(), depth+1)
			if err != nil {
				return nil, err
			}
			p := pattern{inner: inner}
			p.sep, p.repeat, i = repetition(trees, i+2)
			if p.repeat == 0 {
				return nil, errRules
			}
			p.names = names(inner, nil)
			all = append(all, p)
		case t.text == "$" && i+3 < len(trees) && trees[i+1].kind == source.Ident && trees[i+2].text == ":":
			all = append(all, pattern{name: trees[i+1].text, fragment: trees[i+3].text})
			i += 3
		default:
			all = append(all, pattern{token: t})
		}
	}
	return all, nil
}

// repetition reads the separator and the operator after $(…), and returns the
// index of the operator.
func repetition(trees []tree, i int) (sep *tree, op byte, last int) {
	if i < len(trees) && isOperator(&trees[i]) {
		return nil, trees[i].text[0], i
	}
	if i+1 < len(trees) && isOperator(&trees[i+1]) {
		return &trees[i], trees[i+1].text[0], i + 1
	}
	return nil, 0, i
}

func isOperator(t *tree) bool {
	return t.kind == source.Punct && (t.text == "*" || t.text == "+" || t.text == "?")
}

func names(all []pattern, into []string) []string {
	for i := range all {
		if all[i].name != "" {
			into = append(into, all[i].name)
		}
		into = names(all[i].inner, into)
	}
	return into
}

// binding is the match of a fragment: trees, or one binding for each iteration
// of a repetition.
type binding struct {
	name  string
	trees []tree
	turns []binding
	each  []tree // one tree for each iteration, if each iteration matched a single tree
	list  bool
}

// bindings is a list, which is faster than a map because it has few elements.
type bindings []binding

// find returns the newest binding of a name, or nil if there is none.
func (all bindings) find(name string) *binding {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

type matcher struct {
	budget *Budget
}

// seq matches patterns against the trees from the given position on, and returns the position after
// them. ok is false if they do not match or the budget is used up.
func (m *matcher) seq(all []pattern, in []tree, pos int, binds *bindings) (end int, ok bool) {
	for i := range all {
		p := &all[i]
		if !m.budget.step(1) {
			return 0, false
		}
		switch {
		case p.repeat != 0:
			if pos, ok = m.repeat(p, in, pos, binds); !ok {
				return 0, false
			}
		case p.name != "":
			end, ok := m.fragment(p.fragment, in, pos)
			if !ok {
				return 0, false
			}
			*binds = append(*binds, binding{name: p.name, trees: in[pos:end]})
			pos = end
		case p.token.delim != 0:
			if pos >= len(in) || in[pos].delim != p.token.delim {
				return 0, false
			}
			if end, ok := m.seq(p.inner, in[pos].children(), 0, binds); !ok || end != len(in[pos].children()) {
				return 0, false
			}
		default:
			if pos >= len(in) || !same(&in[pos], p.token) {
				return 0, false
			}
		}
		if p.token != nil {
			pos++
		}
	}
	return pos, true
}

func same(a, b *tree) bool {
	return a.delim == 0 && a.kind == b.kind && strings.TrimPrefix(a.text, "r#") == strings.TrimPrefix(b.text, "r#")
}

// repeat matches a repetition as many times as possible. It returns the position
// after the repetition. It returns false if there are too few iterations.
func (m *matcher) repeat(p *pattern, in []tree, pos int, binds *bindings) (int, bool) {
	if f := p.inner; len(f) == 1 && f[0].fragment == "tt" && p.sep == nil && p.repeat != '?' {
		*binds = append(*binds, binding{name: f[0].name, each: in[pos:], list: true})
		m.budget.step((len(in) - pos) / 8)
		return len(in), p.repeat == '*' || pos < len(in)
	}
	first := len(*binds)
	for _, name := range p.names {
		*binds = append(*binds, binding{name: name, list: true})
	}
	lists := (*binds)[first:]
	turn := make(bindings, 0, len(p.names))
	n := 0
	for {
		start := pos
		if n > 0 && p.sep != nil {
			next, ok := separator(p.sep, in, start)
			if !ok {
				break
			}
			start = next
		}
		turn = turn[:0]
		end, ok := m.seq(p.inner, in, start, &turn)
		m.budget.step(len(lists) * len(turn) / 16)
		if m.budget.Steps < 0 {
			return 0, false
		}
		if !ok || end == start && p.sep == nil {
			break
		}
		for i := range lists {
			if b := turn.find(lists[i].name); b != nil {
				lists[i].turns = append(lists[i].turns, *b)
			} else {
				lists[i].turns = append(lists[i].turns, binding{})
			}
		}
		pos = end
		if n++; p.repeat == '?' {
			break
		}
	}
	return pos, n > 0 || p.repeat != '+'
}

func separator(sep *tree, in []tree, pos int) (int, bool) {
	if pos < len(in) && same(&in[pos], sep) {
		return pos + 1, true
	}
	return 0, false
}

// fragment matches one fragment and returns the position after it. ok is false if
// it does not match.
func (m *matcher) fragment(kind string, in []tree, pos int) (int, bool) {
	f := fragments{in, m.budget}
	if kind == "vis" {
		return f.visibility(pos), true
	}
	if pos >= len(in) {
		return 0, false
	}
	t := &in[pos]
	switch kind {
	case "tt":
		return pos + 1, true
	case "ident":
		return pos + 1, t.kind == source.Ident && t.text != "_"
	case "lifetime":
		return pos + 1, t.kind == source.Lifetime
	case "literal":
		if t.delim == source.FragmentStart {
			in = t.children()
			return pos + 1, literal(in, 0) == len(in)
		}
		end := literal(in, pos)
		return end, end > pos
	case "block":
		return pos + 1, t.delim == '{'
	}
	end := pos
	switch kind {
	case "ty":
		end = f.typ(pos)
	case "path":
		end = f.path(pos)
	case "meta":
		end = f.meta(pos)
	case "item":
		end = f.item(pos)
	case "expr", "expr_2021":
		if notExpressions[f.text(pos)] {
			return pos, false
		}
		end = f.expr(pos)
	case "stmt":
		end = f.expr(pos)
	case "pat", "pat_param":
		end = f.pat(pos, kind == "pat")
	}
	return end, end > pos
}

// notExpressions are the words with which no expression begins.
var notExpressions = map[string]bool{
	"pub": true, "fn": true, "struct": true, "enum": true, "trait": true, "impl": true, "mod": true, "use": true, "type": true, "let": true, "where": true, "in": true, "as": true, "else": true, "extern": true, "ref": true, "mut": true,
}

// literal returns the position after a literal, or pos if there is no literal.
func literal(in []tree, pos int) int {
	start := pos
	if pos < len(in) && in[pos].text == "-" {
		pos++
	}
	if pos < len(in) && (in[pos].kind == source.Literal || in[pos].text == "true" || in[pos].text == "false") {
		return pos + 1
	}
	return start
}
