package macros

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// transcribe writes the body of an arm with its fragments substituted. turns contains the index of
// the current iteration of each enclosing repetition.
func (w *writer) transcribe(body []tree, binds bindings, turns []int) {
	for i := 0; i < len(body) && !w.failed; i++ {
		t := &body[i]
		switch {
		case t.delim != 0:
			w.begin(t.delim)
			w.transcribe(t.children(), binds, turns)
			w.end(t.delim)
		case t.text != "$" || i+1 >= len(body):
			w.token(t)
		case body[i+1].text == "crate":
			w.token(&tree{kind: source.Ident, text: w.krate})
			i++
		case body[i+1].delim == '(':
			sep, op, last := repetition(body, i+2)
			if op == 0 {
				w.token(t)
				continue
			}
			w.repeat(body[i+1].children(), sep, binds, turns)
			i = last
		case body[i+1].kind == source.Ident:
			if b := w.find(binds, body[i+1].text); b != nil {
				w.substitute(b.element(turns))
				i++
				continue
			}
			w.token(t)
		default:
			w.token(t)
		}
	}
}

func (w *writer) find(binds bindings, name string) *binding {
	w.budget.step(len(binds) / 16)
	return binds.find(name)
}

// element returns the match in the given iterations. A fragment of an outer repetition is the same in
// all iterations of an inner repetition.
func (b *binding) element(turns []int) *binding {
	for _, i := range turns {
		if !b.list {
			break
		}
		if i < len(b.each) {
			return &binding{trees: b.each[i : i+1]}
		}
		if i >= len(b.turns) {
			return &binding{}
		}
		b = &b.turns[i]
	}
	return b
}

func (w *writer) substitute(b *binding) {
	if b.list {
		return
	}
	wrap := len(b.trees) > 1
	if wrap {
		w.begin(source.FragmentStart)
	}
	for i := range b.trees {
		w.tree(&b.trees[i])
	}
	if wrap {
		w.end(source.FragmentStart)
	}
}

// repeat writes a repetition once for each iteration of its fragments.
func (w *writer) repeat(body []tree, sep *tree, binds bindings, turns []int) {
	if len(body) == 2 && body[0].text == "$" && sep == nil { // The repetition is $($tt)*.
		if b := w.find(binds, body[1].text); b != nil {
			if b = b.element(turns); b.list && b.each != nil {
				for i := range b.each {
					w.tree(&b.each[i])
				}
				return
			}
		}
	}
	n := -1
	var count func(trees []tree)
	count = func(trees []tree) {
		for i := range trees {
			t := &trees[i]
			if t.delim != 0 {
				count(t.children())
				continue
			}
			if t.text == "$" && i+1 < len(trees) && trees[i+1].kind == source.Ident {
				if b := w.find(binds, trees[i+1].text); b != nil {
					if b = b.element(turns); b.list {
						n = max(n, len(b.turns), len(b.each))
					}
				}
			}
		}
	}
	count(body)
	for i := range max(n, 0) {
		if w.failed {
			return
		}
		if i > 0 && sep != nil {
			w.token(sep)
		}
		w.transcribe(body, binds, append(slices.Clip(turns), i))
	}
}
