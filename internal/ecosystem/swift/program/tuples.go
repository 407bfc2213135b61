package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// tuple is the type of a tuple.
type tuple struct {
	labels   []string // "" for an element without a label
	elements []value
}

// isKnown reports whether anything is known about the type of a value.
func (v value) isKnown() bool {
	return v.t != nil || v.system != "" || v.function != nil || v.tuple != nil
}

// element returns the index of the element with the given label or number, or -1.
func (t *tuple) element(name string) int {
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(t.elements) {
		return n
	}
	return slices.Index(t.labels, name)
}

// pair returns a tuple of two values.
func pair(first string, a value, second string, b value) value {
	return value{tuple: &tuple{labels: []string{first, second}, elements: []value{a, b}}}
}

// tupleTyped returns the value of an expression with the given type. ok is false if that is not the type of a tuple.
func (p *Program) tupleTyped(text string, c context, depth int) (v value, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '(' {
		return value{}, false
	}
	end := closing(text, 0)
	if end < 0 || strings.Trim(text[end:], "?!") != "" {
		return value{}, false
	}
	parts := split(text[1:end-1], ',')
	switch {
	case len(parts) > maxElements:
		return value{}, false
	case len(parts) == 1:
		if _, _, ok := functionParams(text); ok || strings.TrimSpace(parts[0]) == "" {
			return value{}, false
		}
		v = p.typedIn(parts[0], c, depth-1)
	default:
		v.tuple = &tuple{}
		for _, part := range parts {
			label := ""
			if name, rest, ok := strings.Cut(part, ":"); ok && !strings.ContainsAny(name, "<([") {
				label, part = unquoted(strings.TrimSpace(name)), rest
			}
			if strings.Contains(part, "repeat ") {
				return value{}, true
			}
			v.tuple.labels = append(v.tuple.labels, label)
			v.tuple.elements = append(v.tuple.elements, p.typedIn(part, c, depth-1))
		}
	}
	v.optional += len(text) - end
	v.forced = v.forced || strings.HasSuffix(text, "!")
	return v, true
}

// tupleLiteral evaluates the expressions in parentheses, or returns an unknown value if they are not several.
func (w *walker) tupleLiteral(open int) value {
	end := w.closing[open]
	t := &tuple{}
	for k := open + 1; k < end; k++ {
		label := ""
		if w.isName(k) && w.at(k+1) == ":" {
			label = unquoted(w.at(k))
			k += 2
		}
		v := value{}
		if r := w.initializer(k); r.end > k && (r.end == end || w.at(r.end) == ",") {
			v, k = r.value, r.end
		} else {
			k = w.argumentEnd(k, end)
		}
		if len(t.elements) == maxElements {
			return value{}
		}
		t.labels, t.elements = append(t.labels, label), append(t.elements, v)
	}
	if len(t.elements) < 2 {
		return value{}
	}
	return value{tuple: t}
}

// argumentEnd returns the comma after an expression in brackets that end at a token, or that token.
func (w *walker) argumentEnd(k, end int) int {
	for k < end && w.at(k) != "," {
		if k = max(k, w.closing[k]) + 1; w.at(k-1) != "" && w.at(k - 1)[0] == '<' && w.kind(k-1) == source.Oper && w.tight(k-1) {
			if c := w.angle(k - 1); c > 0 && c <= end {
				k = c
			}
		}
	}
	return min(k, end)
}

// tupleElement evaluates an element of a tuple. i is its label or number.
func (w *walker) tupleElement(t *tuple, first, i int) value {
	name := unquoted(w.at(i))
	n := t.element(name)
	if n < 0 {
		if w.isName(i) && name != "self" {
			w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: fmt.Sprintf("the tuple has no element %s, only %s", name, t)}, first, i)
		}
		return value{}
	}
	return t.elements[n]
}

// String returns the labels or numbers of the elements.
func (t *tuple) String() string {
	var names []string
	for i, label := range t.labels {
		if label == "" {
			label = strconv.Itoa(i)
		}
		names = append(names, label)
	}
	return strings.Join(names, ", ")
}

// bindTuple binds the names in parentheses, such as (a, (b, _)), to the elements of a tuple.
func (w *walker) bindTuple(v value, open, from, until int) {
	if v.tuple == nil || v.optional > 0 {
		v = value{}
	}
	end := w.closing[open]
	n := 0
	for k := open + 1; k < end; k++ {
		e := value{}
		if v.tuple != nil && n < len(v.tuple.elements) {
			e = v.tuple.elements[n]
		}
		if w.isName(k) && w.at(k+1) == ":" {
			if v.tuple != nil {
				if i := v.tuple.element(unquoted(w.at(k))); i >= 0 {
					e = v.tuple.elements[i]
				} else {
					e = value{}
				}
			}
			k += 2
		}
		for w.at(k) == "let" || w.at(k) == "var" {
			k++
		}
		switch next := w.at(k + 1); {
		case w.at(k) == "(":
			w.bindTuple(e, k, from, until)
		case w.isName(k) && (next == "," || k+1 == end):
			w.set(w.at(k), from, until, e)
		default:
			for i := k; i < w.argumentEnd(k, end); i++ {
				if w.isName(i) && w.at(i+1) != ":" && w.at(i-1) != "." {
					w.set(w.at(i), from, until, value{})
				}
			}
		}
		k = w.argumentEnd(k, end)
		n++
	}
}
