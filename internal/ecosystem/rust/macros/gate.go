package macros

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// gate describes a macro that only adds attributes to items.
type gate struct {
	ok         bool
	attributes string
}

// Gate returns the attributes, if any, that the macro adds to each item of a call. ok is false if
// the macro does anything other than adding attributes, as in $($i:item)* => { $(#[cfg(feature =
// "rt")] $i)* }. A call to such a macro does not have to be expanded as text.
func (r *Rules) Gate() (attributes string, ok bool) { return r.gate.attributes, r.gate.ok }

// gateOf checks whether the first arm, which is tried before all others, only
// adds attributes to items.
func gateOf(a *arm) gate {
	if len(a.pattern) != 1 || len(a.body) != 3 {
		return gate{}
	}
	p := &a.pattern[0]
	if p.repeat != '*' || p.sep != nil || len(p.inner) != 1 || p.inner[0].fragment != "item" {
		return gate{}
	}
	if a.body[0].text != "$" || a.body[1].delim != '(' || !isOperator(&a.body[2]) {
		return gate{}
	}
	body := a.body[1].children()
	n := len(body)
	if n < 2 || body[n-2].text != "$" || body[n-1].text != p.inner[0].name {
		return gate{}
	}
	var w writer
	for i := 0; i < n-2; i += 2 {
		if body[i].text != "#" || body[i+1].delim != '[' || substitutes(body[i+1].children()) {
			return gate{}
		}
		w.tree(&body[i])
		w.tree(&body[i+1])
	}
	return gate{true, string(w.b)}
}

// substitutes reports whether trees contain a $.
func substitutes(trees []tree) bool {
	return slices.ContainsFunc(trees, func(t tree) bool {
		return t.delim == 0 && t.kind == source.Punct && t.text == "$" || t.delim != 0 && substitutes(t.children())
	})
}

// Spend subtracts the work for a call that is not expanded textually. It returns ErrBudget if the
// budget is exceeded.
func (b *Budget) Spend(bytes int) error {
	b.Bytes -= bytes
	if !b.step(bytes/8) || b.Bytes < 0 {
		return ErrBudget
	}
	return nil
}
