package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// match evaluates the cases of a match statement.
func (f *frame) match(s *source.Code) {
	subject := f.value(s.Value)
	before := f.env
	end := before.clone()
	for i := range s.Body {
		if f.steps < 0 {
			break
		}
		c := &s.Body[i]
		f.env = before.clone()
		if s.Value != nil {
			f.unknown(reference(s.Value))
			for _, a := range s.Value.Args {
				f.unknown(reference(a))
			}
		}
		f.matchPattern(s.Value, subject, c.Name)
		f.run(c.Body)
		end = f.mergeStates(end, f.env)
	}
	f.env = end
}

// matchPattern assigns the variables of a pattern. If the pattern consists of classes, the value is an object of one of them.
func (f *frame) matchPattern(value *source.Tree, subject *typ, text string) {
	p := readPattern(text)
	for _, name := range p.variables {
		f.unknown(name)
	}
	classes, ok := f.patternClasses(source.Parse(p.text))
	if !ok || value == nil {
		return
	}
	narrowed := f.instances(subject, classes, true, true)
	if key := reference(value); key != "" && f.locals != nil {
		f.env.slots[f.slotOf(key)] = &slot{narrowed}
	}
	if p.name != "" {
		f.assignName(p.name, narrowed)
	}
}

// casePattern is the pattern of a case.
type casePattern struct {
	text      string // the pattern without its name and its condition
	name      string // of the whole value, as in Circle() as c, or ""
	variables []string
}

// readPattern returns the parts of a pattern with its condition.
func readPattern(text string) (p casePattern) {
	tokens := source.Tokens(text)
	end, depth, condition := len(text), 0, false
	for i, token := range tokens {
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1].Text
		}
		switch {
		case token.Kind == source.OperatorToken && slices.Contains([]string{"(", "[", "{"}, token.Text):
			depth++
		case token.Kind == source.OperatorToken && slices.Contains([]string{")", "]", "}"}, token.Text):
			depth--
		case token.Kind != source.NameToken || i > 0 && tokens[i-1].Text == ".":
		case token.Text == "as" && depth == 0 && !condition:
			end, p.name = min(end, token.Pos), next
		case token.Text == "if" && depth == 0:
			end, condition = min(end, token.Pos), true
		case keywords[token.Text] || condition && next != ":=" || next == "." || next == "(" || next == "=": // a module, a class, or the name of an attribute
		default:
			p.variables = append(p.variables, token.Text)
		}
	}
	p.text = text[:end]
	return p
}

// patternClasses returns the classes of a pattern such as Circle(radius=r) | Square(). ok is false for other patterns.
func (f *frame) patternClasses(x *source.Tree) (classes []*typ, ok bool) {
	switch {
	case x.Kind == source.Binary && x.Name == "|":
		a, first := f.patternClasses(x.X)
		b, second := f.patternClasses(x.Args[0])
		return append(a, b...), first && second
	case x.Kind == source.Call && x.X.Dotted() != "":
		return f.classes(x.X)
	}
	return nil, false
}
