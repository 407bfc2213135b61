package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The compiler prints resolved declarations, docent prints them as written. normal converts both to
// a common spelling.

// token is a name, a number, a string, an operator or a bracket.
type token string

func (t token) isName() bool {
	r, _ := utf8.DecodeRuneInString(string(t))
	return r == '_' || r == '$' || r == '#' || unicode.IsLetter(r)
}

// tokens splits a declaration; white space and back-quotes are dropped.
func tokens(text string) []token {
	var all []token
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		start := i
		switch {
		case unicode.IsSpace(r) || r == '`':
			i += n
			continue
		case r == '"':
			i = endOfString(text, i)
		case inName(r) || r == '#':
			i += n
			for i < len(text) {
				r, n := utf8.DecodeRuneInString(text[i:])
				if !inName(r) {
					break
				}
				i += n
			}
		case strings.HasPrefix(text[i:], "->"), strings.HasPrefix(text[i:], "=="):
			i += 2
		case strings.HasPrefix(text[i:], "..."):
			i += 3
		default:
			i += n
		}
		all = append(all, token(text[start:i]))
	}
	return all
}

func inName(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// endOfString returns the index after a string literal.
func endOfString(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// dropped are words that are not part of the common spelling.
var dropped = []token{"any", "__owned", "_const", "public", "open", "prefix", "postfix"}

// normal returns a declaration of a kind in the common spelling. The enclosing type is named Self.
func normal(text, kind, enclosing string) string {
	all := withoutAttributes(tokens(text))
	all = slices.DeleteFunc(all, func(t token) bool { return slices.Contains(dropped, t) })
	for i := range all[:max(0, len(all)-1)] {
		if all[i] == "consuming" && all[i+1] == "sending" {
			all[i], all[i+1] = all[i+1], all[i]
		}
	}
	all = lastNames(all)
	all = self(all, enclosing)
	all = withoutParentheses(all)
	all = compositions(all)
	all = withoutInnerNames(all, kind)
	if kind == "protocol" || kind == "associatedtype" {
		all = withoutInherited(all)
	}
	head, constraints := withoutConstraints(all)
	var b strings.Builder
	for i, t := range head {
		if i > 0 && t.isName() && head[i-1].isName() {
			b.WriteByte(' ')
		}
		b.WriteString(string(t))
	}
	slices.Sort(constraints)
	constraints = slices.Compact(constraints)
	if len(constraints) > 0 {
		b.WriteString(" where " + strings.Join(constraints, ", "))
	}
	return b.String()
}

// closing returns the index after the bracket that closes the one at i.
func closing(all []token, i int) int {
	depth := 0
	for ; i < len(all); i++ {
		switch all[i] {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(all)
}

// withoutAttributes drops attributes and their arguments.
func withoutAttributes(all []token) []token {
	var out []token
	for i := 0; i < len(all); i++ {
		if all[i] != "@" || i+1 >= len(all) {
			out = append(out, all[i])
			continue
		}
		i++
		for i+2 < len(all) && all[i+1] == "." {
			i += 2
		}
		// The parentheses of a function type are not arguments.
		if i+1 < len(all) && all[i+1] == "(" {
			end := closing(all, i+1)
			if end >= len(all) || all[end] != "->" && all[end] != "async" && all[end] != "throws" && all[end] != "rethrows" {
				i = end - 1
			}
		}
	}
	return out
}

// lastNames keeps only the last name of a nested type's path.
func lastNames(all []token) []token {
	var out []token
	for i, t := range all {
		if t == "." && i+1 < len(all) && all[i+1].isName() && len(out) > 0 {
			last := out[len(out)-1]
			switch {
			case all[i+1] == "Type" || all[i+1] == "Protocol":
			case last.isName():
				out = out[:len(out)-1]
				continue
			case last == ">":
				// Outer<A>.Inner
				depth := 0
				k := len(out) - 1
				for ; k >= 0; k-- {
					if out[k] == ">" {
						depth++
					} else if out[k] == "<" {
						if depth--; depth == 0 {
							break
						}
					}
				}
				if k > 0 && out[k-1].isName() {
					out = out[:k-1]
					continue
				}
			}
		}
		out = append(out, t)
	}
	return out
}

// self writes the enclosing type and its generic arguments as Self.
func self(all []token, enclosing string) []token {
	around := strings.Split(enclosing, ".")
	name := token(around[len(around)-1])
	if name == "" {
		return all
	}
	var out []token
	for i := 0; i < len(all); i++ {
		t := all[i]
		if (t == name || t == "Self") && !(i > 0 && all[i-1] == ".") && !(i+1 < len(all) && all[i+1] == ":") {
			t = "Self"
			if i+1 < len(all) && all[i+1] == "<" {
				out = append(out, t)
				i = closing(all, i+1) - 1
				continue
			}
		}
		out = append(out, t)
		// Enclosing types may be written without their arguments.
		if slices.Contains(around, string(t)) && i+1 < len(all) && all[i+1] == "<" && i > 0 && all[i-1] != "func" {
			i = closing(all, i+1) - 1
		}
	}
	return out
}

// withoutParentheses drops parentheses around one type.
func withoutParentheses(all []token) []token {
	for i := 0; i < len(all); i++ {
		if all[i] != "(" || i == 0 || !slices.Contains([]token{":", "->", ",", "(", "<", "[", "=", "&", "some", "inout", "isolated", "sending"}, all[i-1]) {
			continue
		}
		end := closing(all, i)
		inner := all[i+1 : end-1]
		if len(inner) == 0 || len(split(inner, ",")) > 1 || slices.Contains(inner, ":") || slices.Contains(inner, "->") {
			continue
		}
		if end < len(all) && (all[end] == "->" || all[end] == "async" || all[end] == "throws" || all[end] == "rethrows") {
			continue
		}
		all = slices.Concat(all[:i], inner, all[end:])
		i--
	}
	return all
}

// compositions sorts the parts of A & B, and drops Any.
func compositions(all []token) []token {
	var out []token
	for i := 0; i < len(all); {
		end := part(all, i)
		if end == i || end >= len(all) || all[end] != "&" {
			out = append(out, all[i])
			i++
			continue
		}
		var parts []string
		for {
			var b strings.Builder
			for _, t := range all[i:end] {
				b.WriteString(string(t))
			}
			if b.String() != "Any" {
				parts = append(parts, b.String())
			}
			if i = end; i >= len(all) || all[i] != "&" || part(all, i+1) == i+1 {
				break
			}
			i++
			end = part(all, i)
		}
		slices.Sort(parts)
		for n, p := range parts {
			if n > 0 {
				out = append(out, "&")
			}
			out = append(out, tokens(p)...)
		}
	}
	return out
}

// part returns the index after the name at i and its generic arguments, or i if there is
// no name.
func part(all []token, i int) int {
	if i >= len(all) || !all[i].isName() && all[i] != "~" {
		return i
	}
	if all[i] == "~" {
		i++
	}
	i++
	if i < len(all) && all[i] == "<" {
		return closing(all, i)
	}
	return i
}

// withoutInnerNames drops names of parameters that callers cannot write: names in function types
// and in cases.
func withoutInnerNames(all []token, kind string) []token {
	var out []token
	depth := 0
	minimum := 2
	switch kind {
	case "enum.case", "typealias", "property", "type.property", "var":
		minimum = 1
	}
	for i := 0; i < len(all); i++ {
		switch all[i] {
		case "(":
			depth++
		case ")":
			depth--
		case "_":
			if i+1 < len(all) && all[i+1] == ":" && depth >= minimum {
				i++
				continue
			}
			if i+2 < len(all) && i > 0 && (all[i-1] == "(" || all[i-1] == ",") && all[i+1].isName() && all[i+2] == ":" {
				if depth >= minimum {
					i += 2
					continue
				}
				if strings.HasSuffix(kind, "subscript") {
					continue
				}
			}
		}
		out = append(out, all[i])
	}
	return out
}

// withoutInherited converts the inheritance clause of a protocol or associated type to a set of
// constraints.
func withoutInherited(all []token) []token {
	i := slices.Index(all, ":")
	if w := slices.Index(all, "where"); i < 0 || w >= 0 && w < i {
		return all
	}
	end := i + 1
	for end < len(all) && all[end] != "where" && all[end] != "=" {
		end++
	}
	var parts []token
	for _, t := range split(all[i+1:end], ",", "&") {
		if len(parts) > 0 {
			parts = append(parts, ",")
		}
		parts = append(append(parts, "Self", ":"), t...)
	}
	rest := all[end:]
	out := append([]token{}, all[:i]...)
	if eq := slices.Index(rest, "="); eq >= 0 {
		stop := slices.Index(rest, "where")
		if stop < eq {
			stop = len(rest)
		}
		out = append(out, rest[eq:stop]...)
		rest = slices.Concat(rest[:eq], rest[stop:])
	}
	out = append(out, "where")
	out = append(out, parts...)
	if len(rest) > 0 && rest[0] == "where" {
		out = append(append(out, ","), rest[1:]...)
	}
	return out
}

// split splits tokens at separators outside of brackets.
func split(all []token, separators ...token) [][]token {
	var parts [][]token
	depth, start := 0, 0
	for i, t := range all {
		switch t {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			depth--
		default:
			if depth == 0 && slices.Contains(separators, t) {
				parts = append(parts, all[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, all[start:])
}

// withoutConstraints removes the constraints of generic parameters and the where clause from a
// declaration.
func withoutConstraints(all []token) (head []token, constraints []string) {
	add := func(c []token) {
		if text := constraint(c); text != "" {
			constraints = append(constraints, text)
		}
	}
	depth := 0
	seenGenerics := false
	for i := 0; i < len(all); i++ {
		t := all[i]
		switch {
		case t == "<" && !seenGenerics && depth == 0 && i > 0 && all[i-1].isName() && !slices.Contains(head, ":") && !slices.Contains(head, "="):
			seenGenerics = true
			end := closing(all, i)
			head = append(head, "<")
			for n, param := range split(all[i+1:end-1], ",") {
				if n > 0 {
					head = append(head, ",")
				}
				name, rest := param, []token(nil)
				if k := slices.Index(param, ":"); k >= 0 {
					name, rest = param[:k], param[k+1:]
				}
				head = append(head, name...)
				for _, bound := range split(rest, "&") {
					if len(bound) > 0 {
						add(slices.Concat(name, []token{":"}, bound))
					}
				}
			}
			head = append(head, ">")
			i = end - 1
			continue
		case t == "(" || t == "[":
			depth++
			seenGenerics = true
		case t == ")" || t == "]":
			depth--
		case t == "where" && depth == 0:
			end := len(all)
			for k := i; k < len(all); k++ {
				if all[k] == "{" {
					end = k
					break
				}
			}
			for _, c := range split(all[i+1:end], ",") {
				if k := slices.Index(c, ":"); k >= 0 {
					for _, bound := range split(c[k+1:], "&") {
						add(slices.Concat(c[:k], []token{":"}, bound))
					}
				} else {
					add(c)
				}
			}
			i = end - 1
			continue
		}
		head = append(head, t)
	}
	return head, constraints
}

// constraint returns a constraint in the common spelling, or "" if it has no meaning.
func constraint(c []token) string {
	var b strings.Builder
	for i, t := range c {
		switch {
		case t == "each" || t == "repeat", t == "Self" && i+1 < len(c) && c[i+1] == ".":
			continue
		case t == "." && i > 0 && c[i-1] == "Self":
			continue
		}
		b.WriteString(string(t))
	}
	text := b.String()
	if strings.HasSuffix(text, ":Any") || strings.HasSuffix(text, ":Copyable") || strings.HasSuffix(text, ":Escapable") {
		return ""
	}
	if a, z, ok := strings.Cut(text, "=="); ok && a > z {
		text = z + "==" + a
	}
	return text
}
