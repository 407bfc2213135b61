package dts

import "strings"

// Template literal types that exceed these limits, in bytes and in
// substitutions (including nested ones), are not parsed.
const (
	maxTemplate      = 8 << 10
	maxSubstitutions = 64
)

// Template splits a template literal type into the strings around its
// substitutions and the types of the substitutions. There is one more text than
// types. types is nil if the node is not a template literal type, or if a
// substitution cannot be parsed.
func (n *Node) Template() (texts []string, types []*Node) {
	if n.Kind != Literal || len(n.Text) < 2 || n.Text[0] != '`' {
		return nil, nil
	}
	s := n.Text[1 : len(n.Text)-1]
	if len(s) > maxTemplate || strings.Count(s, "${") > maxSubstitutions {
		return []string{s}, nil
	}
	start := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '$' && i+1 < len(s) && s[i+1] == '{':
			end := substitutionEnd(s, i+2)
			t := parseType(s[i+2:end], false)
			if t == nil || end == len(s) {
				return []string{s}, nil
			}
			texts, types = append(texts, s[start:i]), append(types, t)
			i, start = end, end+1
		}
	}
	return append(texts, s[start:]), types
}

// substitutionEnd returns the index of the brace that closes the substitution
// starting at i, or the length of s.
func substitutionEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		case '"', '\'':
			i = stringEnd(s, i) - 1
		case '`':
			i = templateEnd(s, i) - 1
		}
	}
	return len(s)
}

// template prints a template literal type, including the types of its
// substitutions.
func (w *printer) template(n *Node) {
	texts, types := n.Template()
	if types == nil {
		w.s(n.Text)
		return
	}
	w.s("`")
	for i, t := range types {
		w.s(texts[i])
		w.s("${")
		w.node(t)
		w.s("}")
	}
	w.s(texts[len(types)])
	w.s("`")
}
