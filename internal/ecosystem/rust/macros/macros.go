// Package macros expands macros by example (macro_rules!) as rules on text. It matches the arms
// against the tokens of a call and substitutes the fragments. It does not run code, and does not
// model hygiene.
package macros

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/work"
)

// Rules are the arms of a macro.
type Rules struct {
	arms []arm
	gate gate
}

type arm struct {
	delim   byte
	pattern []pattern
	matcher []tree // trees of the matcher, for printing
	body    []tree
	tail    int // index of the brackets in a body that is a single call, else 0
}

// Budget limits the work and the output of expansions that share it.
type Budget struct {
	Steps int // tokens that may still be examined
	Bytes int // bytes of expanded text that may still be written
	// Meter is the meter of the reading that expands macros, or nil if there is none. Its
	// steps are also counted, several at a time.
	Meter   *work.Meter
	unknown int // steps that Meter has not counted yet
}

// step subtracts n steps and reports whether any are left.
func (b *Budget) step(n int) bool {
	b.Steps -= n
	if b.unknown += n; b.unknown >= metered {
		if !b.Meter.Step(b.unknown) {
			b.Steps = -1
		}
		b.unknown = 0
	}
	return b.Steps >= 0
}

// metered is the number of steps that are reported to Meter at once.
const metered = 256

// These are the errors that Expand returns.
var (
	ErrNoMatch = errors.New("no arm of the macro matches the call")
	ErrBudget  = errors.New("the expansion of macros exceeds its budget")
	errRules   = errors.New("the arms of the macro cannot be read")
)

const (
	// maxNested is the maximum nesting depth of brackets in a call or an arm.
	maxNested = 200
	// maxExpansion is the maximum size in bytes of the expansion of one call.
	maxExpansion = 16 << 20
)

// Parse reads the arms of a macro from its body, with or without the brackets
// around them.
func Parse(body string) (*Rules, error) {
	trees, ok := read(body)
	if !ok {
		return nil, errRules
	}
	if len(trees) == 1 && trees[0].delim != 0 {
		trees = trees[0].children()
	}
	r := &Rules{}
	for i := 0; i < len(trees); {
		if i+2 >= len(trees) || trees[i].delim == 0 || trees[i+1].text != "=>" || trees[i+2].delim == 0 {
			return nil, errRules
		}
		p, err := parsePattern(trees[i].children(), 0)
		if err != nil {
			return nil, err
		}
		body := trees[i+2].children()
		r.arms = append(r.arms, arm{trees[i].delim, p, trees[i].children(), body, tailOf(body)})
		i += 3
		if i < len(trees) && (trees[i].text == ";" || trees[i].text == ",") {
			i++
		}
	}
	if len(r.arms) == 0 {
		return nil, errRules
	}
	r.gate = gateOf(&r.arms[0])
	return r, nil
}

// ParseDecl reads a macro 2.0 whose parameters precede its body.
func ParseDecl(params, body string) (*Rules, error) {
	return Parse("(" + params + ") => " + body)
}

// Expand returns the text to which a call expands. input is the contents of the call's brackets.
// krate is the name of the crate that $crate refers to.
func (r *Rules) Expand(input, krate string, b *Budget) (string, error) {
	c, err := ParseCall(input)
	if err != nil {
		return "", err
	}
	text, tail, err := r.ExpandCall(c, krate, b)
	if tail != nil {
		text, err = tail.Text(b)
	}
	return text, err
}

// match finds the first arm that matches a call.
func (r *Rules) match(c *Call, b *Budget) (*arm, bindings, error) {
	m := matcher{budget: b}
	for i := range r.arms {
		a := &r.arms[i]
		var binds bindings
		end, ok := m.seq(a.pattern, c.input, 0, &binds)
		if b.Steps < 0 {
			return nil, nil, ErrBudget
		}
		if ok && end == len(c.input) {
			return a, binds, nil
		}
	}
	return nil, nil, ErrNoMatch
}

// Patterns returns the matchers of the arms, in the form that rustdoc prints.
func (r *Rules) Patterns() []string {
	all := make([]string, len(r.arms))
	for i, a := range r.arms {
		all[i] = printed(tree{delim: a.delim, group: &group{kids: a.matcher}})
	}
	return all
}

// tree is a token, or a group of tokens.
type tree struct {
	kind  source.Kind
	delim byte   // opening bracket of a group: '(', '[', '{' or FragmentStart
	text  string // text of a token
	group *group
}

// group is the contents of a pair of brackets.
type group struct {
	kids []tree
	// raw is the contents of braces that were not split yet. Most braces contain the bodies of
	// functions, which are never examined.
	raw  string
	lazy bool
}

// children returns the trees of a group.
func (t *tree) children() []tree {
	g := t.group
	if g == nil {
		return nil
	}
	if g.lazy {
		g.lazy = false
		kids, ok := read(g.raw)
		if !ok {
			kids = []tree{{kind: source.Ident, text: "unbalanced"}}
		}
		g.kids = kids
	}
	return g.kids
}

func closerOf(delim byte) byte {
	switch delim {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return source.FragmentEnd
}

// reader splits text into trees.
type reader struct {
	source.Scanner
	open []tree // trees of the enclosing groups, which are not complete
}

// read splits text into trees. It returns false if the brackets do not match.
func read(text string) ([]tree, bool) {
	open := spareTrees.Get().(*[]tree)
	r := reader{Scanner: source.Scanner{Text: text, Fragments: true}, open: (*open)[:0]}
	all, ok := r.group(0, 0)
	recycle(open, r.open)
	return all, ok
}

// spareTrees contains slices that are reused for the unfinished trees of readers and writers.
var spareTrees = sync.Pool{New: func() any { return new([]tree) }}

// maxSpare is the maximum length of a slice in spareTrees.
const maxSpare = 1 << 14

// recycle returns a slice to spareTrees. spare is the slice that was taken from there,
// and used is the slice that it may have grown into.
func recycle(spare *[]tree, used []tree) {
	if cap(used) > maxSpare {
		return
	}
	*spare = used
	spareTrees.Put(spare)
}

func (r *reader) group(closer byte, depth int) (all []tree, ok bool) {
	if depth > maxNested {
		return nil, false
	}
	start := len(r.open)
	for {
		t := r.Next()
		switch t.Kind {
		case source.EOF:
			return r.since(start), closer == 0
		case source.DocOuter, source.DocInner:
			r.open = append(r.open, docTrees(r.Text[t.Start:t.End], t.Kind)...)
			continue
		case source.Punct:
			switch t.Byte {
			case '{':
				end := t.Start + source.GroupEnd(r.Text[t.Start:])
				if r.Text[end-1] != '}' {
					return nil, false
				}
				r.open = append(r.open, tree{delim: '{', group: &group{raw: r.Text[t.End : end-1], lazy: true}})
				r.Pos = end
				continue
			case '(', '[', source.FragmentStart:
				kids, ok := r.group(closerOf(t.Byte), depth+1)
				if !ok {
					return nil, false
				}
				r.open = append(r.open, tree{delim: t.Byte, group: &group{kids: kids}})
				continue
			case ')', ']', '}', source.FragmentEnd:
				return r.since(start), t.Byte == closer
			}
			if op := operator(r.Text[t.Start:]); op > 1 && !angle(r.Text, t.Start) {
				r.Pos += op - 1
				t.End += op - 1
			}
		}
		r.open = append(r.open, tree{kind: t.Kind, text: r.Text[t.Start:t.End]})
	}
}

// since removes and returns the trees that were read after the first n.
func (r *reader) since(n int) []tree {
	all := slices.Clone(r.open[n:])
	r.open = r.open[:n]
	return all
}

// operators are the operators of more than one byte, the longest first.
var operators = []string{
	"<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..", "<-",
}

// angle reports whether angle brackets at the given position belong to a type, as in A<B<C>>,
// because they directly follow a name or a bracket.
func angle(text string, i int) bool {
	if i == 0 || text[i] != '>' && text[i] != '<' {
		return false
	}
	c := text[i-1]
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || strings.IndexByte("])}>", c) >= 0
}

// operator returns the length of the operator at the beginning of text.
func operator(text string) int {
	if len(text) < 2 || strings.IndexByte("=.:>&|<-", text[1]) < 0 {
		return 1
	}
	for _, op := range operators {
		if strings.HasPrefix(text, op) {
			return len(op)
		}
	}
	return 1
}

// docTrees returns a doc comment in the form of an attribute, which macros match.
func docTrees(comment string, kind source.Kind) []tree {
	text := source.CommentText(comment)
	hashes := "#"
	for strings.Contains(text, "\""+hashes) {
		hashes += "#"
	}
	attr := tree{delim: '[', group: &group{kids: []tree{
		{kind: source.Ident, text: "doc"}, {kind: source.Punct, text: "="},
		{kind: source.Literal, text: "r" + hashes + "\"" + text + "\"" + hashes},
	}}}
	if kind == source.DocInner {
		return []tree{{kind: source.Punct, text: "#"}, {kind: source.Punct, text: "!"}, attr}
	}
	return []tree{{kind: source.Punct, text: "#"}, attr}
}

// printed returns a tree as text for users.
func printed(t tree) string {
	var w writer
	w.tree(&t)
	return tidy(string(w.b))
}

// tidy removes unusual spaces from the text of a pattern.
func tidy(s string) string {
	return strings.NewReplacer(
		"$ ", "$", " : ", ":", "( ", "(", " )", ")", "[ ", "[", " ]", "]", " ,", ",", " ;", ";", "# [", "#[", " *", "*", " ?", "?", ") +", ")+",
	).Replace(s)
}
