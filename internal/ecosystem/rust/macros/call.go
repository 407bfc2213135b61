package macros

import (
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Call is a macro call, split into tokens.
type Call struct {
	Path  string // path of the macro, such as "a::b"; empty for a result of ParseCall
	delim byte
	input []tree
}

// ParseCall splits the contents of a call's brackets into tokens.
func ParseCall(input string) (*Call, error) {
	in, ok := read(input)
	if !ok {
		return nil, ErrNoMatch
	}
	return &Call{delim: '{', input: in}, nil
}

// Text returns the text of the call.
func (c *Call) Text(b *Budget) (string, error) {
	w := newWriter(b, "")
	defer w.release()
	w.b = append(w.b, c.Path+" !"...)
	w.begin(c.delim)
	for i := range c.input {
		w.tree(&c.input[i])
	}
	w.end(c.delim)
	if c.delim != '{' {
		w.word(";")
	}
	return string(w.b), w.spend()
}

// ExpandCall returns the text to which a call expands. If the expansion is a single call, as is
// common for macros that process their input token by token, it returns that call instead.
func (r *Rules) ExpandCall(c *Call, krate string, b *Budget) (text string, tail *Call, err error) {
	a, binds, err := r.match(c, b)
	if err != nil {
		return "", nil, err
	}
	w := newWriter(b, source.CrateMark+krate)
	defer w.release()
	if a.tail == 0 {
		w.transcribe(a.body, binds, nil)
		return string(w.b), nil, w.spend()
	}
	held := &a.body[a.tail]
	w.split = true
	w.transcribe(held.children(), binds, nil)
	return "", &Call{Path: w.path(a.body[:a.tail-1]), delim: held.delim, input: slices.Clone(w.open)}, w.spend()
}

// tailOf returns the index of the brackets in the body of an arm that consists
// of a single call. It returns 0 for other bodies.
func tailOf(body []tree) int {
	n := len(body)
	if n > 0 && body[n-1].text == ";" {
		n--
	}
	if n < 3 || body[n-1].delim == 0 || body[n-1].delim == source.FragmentStart || body[n-2].text != "!" {
		return 0
	}
	for i := range n - 2 {
		t := &body[i]
		name := t.delim == 0 && t.kind == source.Ident
		if !name && t.text != "::" && (t.text != "$" || body[i+1].text != "crate") {
			return 0
		}
	}
	return n - 1
}

// path writes the path of a macro.
func (w *writer) path(trees []tree) string {
	var b strings.Builder
	for i := range trees {
		switch text := trees[i].text; {
		case text == "$":
		case i > 0 && trees[i-1].text == "$":
			b.WriteString(w.krate)
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

// writer writes trees as text, or collects them.
type writer struct {
	b      []byte
	budget *Budget
	krate  string
	failed bool

	split bool   // whether it collects trees
	open  []tree // trees of the enclosing groups, which are not complete
	marks []int  // the indices at which these groups begin
	size  int    // size in bytes of the collected trees
}

// spareWriters are writers for reuse.
var spareWriters = sync.Pool{New: func() any { return new(writer) }}

// newWriter returns a writer. The caller must release it.
func newWriter(b *Budget, krate string) *writer {
	w := spareWriters.Get().(*writer)
	*w = writer{b: w.b[:0], budget: b, krate: krate, open: w.open[:0], marks: w.marks[:0]}
	return w
}

func (w *writer) release() {
	if cap(w.b) > treeBytes*maxSpare || cap(w.open) > maxSpare {
		return
	}
	spareWriters.Put(w)
}

// treeBytes is the number of bytes that are subtracted from a budget for a tree.
const treeBytes = 16

// spend subtracts the written bytes from the budget. It returns ErrBudget if the
// writer failed.
func (w *writer) spend() error {
	if w.failed {
		return ErrBudget
	}
	w.budget.Bytes -= len(w.b) + w.size
	if !w.budget.step(6*len(w.b) + w.size) {
		return ErrBudget
	}
	return nil
}

// step counts one tree and reports whether the budget allows it.
func (w *writer) step() bool {
	if w.budget != nil {
		w.budget.step(1)
		if n := len(w.b) + w.size; w.budget.Steps < 0 || n > w.budget.Bytes || n > maxExpansion {
			w.failed = true
			return false
		}
	}
	return true
}

func (w *writer) word(text string) {
	if !w.step() {
		return
	}
	if len(w.b) > 0 {
		w.b = append(w.b, ' ')
	}
	w.b = append(w.b, text...)
}

// token writes a token.
func (w *writer) token(t *tree) {
	if !w.split {
		w.word(t.text)
		return
	}
	if w.step() {
		w.size += treeBytes
		w.open = append(w.open, *t)
	}
}

// begin and end write the brackets of a group.
func (w *writer) begin(delim byte) {
	switch {
	case w.split:
		w.marks = append(w.marks, len(w.open))
	case delim == source.FragmentStart:
		w.b = append(w.b, delim)
	default:
		w.word(string(delim))
	}
}

func (w *writer) end(delim byte) {
	switch {
	case w.split:
		last := len(w.marks) - 1
		start := w.marks[last]
		w.marks = w.marks[:last]
		kids := slices.Clone(w.open[start:])
		w.open = append(w.open[:start], tree{delim: delim, group: &group{kids: kids}})
	case delim == source.FragmentStart:
		w.b = append(w.b, source.FragmentEnd)
	default:
		w.word(string(closerOf(delim)))
	}
}

func (w *writer) tree(t *tree) {
	if w.failed {
		return
	}
	if t.delim == 0 || w.split {
		w.token(t)
		return
	}
	w.begin(t.delim)
	g := t.group
	if g.lazy {
		if w.budget != nil {
			w.budget.step(len(g.raw) / 8)
		}
		w.word(g.raw)
	}
	for i := range g.kids {
		w.tree(&g.kids[i])
	}
	w.end(t.delim)
}
