package rust

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// valueReader finds the members of values with evident types in the functions of one file. The type of a
// variable is evident if a let statement or parameter with a plain name binds it.
type valueReader struct {
	*usesReader
	// found is called with the token of the name of a member that was looked up, and whether it is used as a field.
	found func(i int, m crate.Member, field bool)

	scope    *crate.Scope // of the current function
	vars     []variable
	depth    int
	patterns map[string]bool // names that patterns of the function, or macros, may bind to other values
}

// variable is a variable in a function. It is in scope from the token from, in blocks of the given depth and
// deeper ones.
type variable struct {
	name        string
	value       *crate.Type
	from, depth int
}

// maxNesting is the maximum nesting depth of items.
const maxNesting = 64

// items reads the items in a range of tokens.
func (v *valueReader) items(first, end int, s *crate.Scope, depth int) {
	if depth > maxNesting {
		return
	}
	for i := first; i < end; i++ {
		switch text := v.at(i); {
		case text == "#" && (v.at(i+1) == "[" || v.at(i+1) == "!" && v.at(i+2) == "["):
			i = v.attribute(i)
		case text == "mod" && v.isName(i+1) && v.at(i+2) == "{":
			close := v.group(i + 2)
			if inner := s.Module(v.at(i + 1)); inner != nil {
				v.items(i+3, close, inner, depth+1)
			}
			i = close
		case text == "trait" && v.isName(i+1), text == "impl":
			open := v.until(i+1, end, "{")
			if open == end {
				return
			}
			header := i + 1
			generics := ""
			if v.at(header) == "<" {
				header = v.angle(header)
				generics = v.between(i+2, header)
				header++
			}
			inner := s.Generic(generics)
			if text == "impl" {
				self, where := header, open
				for k := header; k < open; k++ {
					switch {
					case v.at(k) == "for" && v.at(k+1) != "<":
						self = k + 1
					case v.at(k) == "where":
						where = min(where, k)
					}
				}
				inner = inner.Impl(v.between(self, where))
			} else if v.at(i+2) == "<" {
				inner = s.Generic(v.between(i+3, v.angle(i+2)))
			}
			close := v.group(open)
			v.items(open+1, close, inner, depth+1)
			i = close
		case text == "fn" && v.isName(i+1):
			i = v.function(i, end, s, depth)
		case text == "{" || text == "(" || text == "[":
			i = v.group(i)
		}
	}
}

// attribute returns the last token of an attribute, or, if the attribute may remove an item, of that item.
func (v *valueReader) attribute(i int) int {
	open := i + 1
	inner := v.at(open) == "!"
	if inner {
		open++
	}
	end := v.group(open)
	if v.conditional(open, end) {
		if inner {
			return len(v.tokens)
		}
		return v.item(end + 1)
	}
	return end
}

// until returns the index of the next token with a text outside of brackets, or end.
func (v *valueReader) until(i, end int, texts ...string) int {
	for ; i < end; i++ {
		text := v.at(i)
		if slices.Contains(texts, text) {
			return i
		}
		switch text {
		case "(", "[", "{":
			i = v.group(i)
		case ")", "]", "}":
			return end
		}
	}
	return end
}

// angle returns the index of the token that closes the angle bracket at the given token.
func (v *valueReader) angle(open int) int {
	depth := 0
	for i := open; i < len(v.tokens); i++ {
		switch v.at(i) {
		case "<":
			depth++
		case ">":
			if v.at(i-1) == "-" || v.at(i-1) == "=" {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		case ";":
			return len(v.tokens)
		case "(", "[", "{":
			i = v.group(i)
		}
	}
	return len(v.tokens)
}

// between returns the text of the tokens from first up to end.
func (v *valueReader) between(first, end int) string {
	if first >= end || first < 0 || end > len(v.tokens) {
		return ""
	}
	return v.text[v.tokens[first].Start:v.tokens[end-1].End]
}

// function reads a function and returns its last token.
func (v *valueReader) function(i, end int, s *crate.Scope, depth int) int {
	open := i + 2
	generics := ""
	if v.at(open) == "<" {
		close := v.angle(open)
		generics = v.between(open+1, close)
		open = close + 1
	}
	if v.at(open) != "(" {
		return i + 1
	}
	close := v.group(open)
	body := v.until(close+1, end, "{", ";")
	if v.at(body) != "{" {
		return body
	}
	last := min(v.group(body), end)
	inner := &valueReader{usesReader: v.usesReader, found: v.found, patterns: map[string]bool{}}
	inner.scope = s.Generic(generics)
	for _, p := range source.Split(v.between(open+1, close)) {
		pattern, typ, _ := source.Cut(p, ':')
		pattern = strings.TrimPrefix(strings.TrimSpace(pattern), "mut ")
		switch {
		case typ == "" && strings.HasSuffix(pattern, "self"):
			inner.bind("self", inner.scope.Type("Self"), open)
		case isPlain(pattern):
			inner.bind(pattern, inner.scope.Type(typ), open)
		default:
			words := source.Scanner{Text: pattern}
			for t := words.Next(); t.Kind != source.EOF; t = words.Next() {
				if t.Kind == source.Ident {
					inner.patterns[pattern[t.Start:t.End]] = true
				}
			}
		}
	}
	if items := inner.local(body+1, last); items != "" {
		inner.scope = inner.scope.Block(items)
	}
	inner.bindings(body+1, last)
	inner.body(body+1, last, depth+1)
	return last
}

func (v *valueReader) bind(name string, t *crate.Type, from int) {
	v.vars = append(v.vars, variable{name, t, from, v.depth})
}

// isPlain reports whether a pattern is only the name of a variable.
func isPlain(pattern string) bool {
	if pattern == "" || pattern == "_" {
		return false
	}
	for i := range len(pattern) {
		if !isWordByte(pattern[i]) {
			return false
		}
	}
	return pattern[0] == '_' || pattern[0] >= 'a' && pattern[0] <= 'z'
}

// isItem reports whether an item begins at a token in the body of a function.
func (v *valueReader) isItem(i int) bool {
	switch before := v.at(i - 1); before {
	case "{", "}", ";", "]", "pub", ")", "unsafe", "async":
	default:
		return false
	}
	switch v.at(i) {
	case "use", "struct", "enum", "union", "type", "trait", "static", "fn", "mod", "impl":
		return v.isName(i+1) || v.at(i) == "impl" || v.at(i) == "use"
	case "const":
		return v.isName(i+1) && v.at(i+2) == ":"
	}
	return false
}

// itemEnd returns the last token of an item in the body of a function.
func (v *valueReader) itemEnd(i, end int) int {
	switch v.at(i) {
	case "use", "type", "static", "const":
		return v.until(i, end, ";")
	}
	return v.item(i)
}

// local returns the text of the items that a function declares.
func (v *valueReader) local(first, end int) string {
	var b strings.Builder
	for i := first; i < end; i++ {
		if v.isItem(i) {
			last := min(v.itemEnd(i, end), end-1)
			b.WriteString(v.between(i, last+1))
			b.WriteString("\n")
			i = last
		}
	}
	return b.String()
}

// messages are macros of common crates that bind no names.
var messages = map[string]bool{"trace": true, "debug": true, "info": true, "warn": true, "error": true, "bail": true, "ensure": true, "anyhow": true}

// bindings records the names that patterns in a function bind.
func (v *valueReader) bindings(first, end int) {
	names := func(from, to int) {
		for i := from; i < to; i++ {
			if v.isName(i) {
				v.patterns[v.at(i)] = true
			}
		}
	}
	for i := first; i < end; i++ {
		switch text := v.at(i); {
		case text == "let" && !v.isLet(i):
			names(i+1, v.until(i+1, end, "=", ";"))
		case text == "for" && v.at(i+1) != "<":
			names(i+1, v.until(i+1, end, "in", "{"))
		case text == "|" && v.beginsClosure(i):
			close := i + 1
			for close < end && v.at(close) != "|" {
				close++
			}
			names(i+1, close)
			i = close
		case text == "=" && v.at(i+1) == ">" && v.tokens[i].End == v.tokens[i+1].Start:
			names(v.arm(i, first), i)
		case v.isName(i) && v.at(i+1) == "!" && v.at(i+2) != "=" && !expressions[text] && !messages[text]:
			if open := v.at(i + 2); open == "(" || open == "[" || open == "{" {
				close := min(v.group(i+2), end)
				names(i+3, close)
				i = close
			}
		}
	}
}

// beginsClosure reports whether the parameters of a closure begin at a token.
func (v *valueReader) beginsClosure(i int) bool {
	switch v.at(i - 1) {
	case "(", ",", "=", "{", ";", "}", "move", ">", "return", "[", "&", ":", "else", "?":
		return true
	}
	return false
}

// arm returns the first token of the pattern that ends before the arrow at the given token.
func (v *valueReader) arm(arrow, first int) int {
	depth := 0
	i := arrow - 1
	for ; i >= first; i-- {
		switch v.at(i) {
		case ")", "]":
			depth++
		case "}":
			if depth == 0 && i < arrow-1 && v.at(i+1) != "if" && v.at(i+1) != "|" {
				return i + 1
			}
			depth++
		case "(", "[", "{":
			if depth == 0 {
				return i + 1
			}
			depth--
		case ",":
			if depth == 0 {
				return i + 1
			}
		}
	}
	return i + 1
}

// isLet reports whether a let statement binds a plain name.
func (v *valueReader) isLet(i int) bool {
	name := v.letName(i)
	after := v.at(name + 1)
	return v.isName(name) && isPlain(v.at(name)) && (after == "=" || after == ";" || after == ":" && v.at(name+2) != ":")
}

func (v *valueReader) letName(i int) int {
	if v.at(i+1) == "mut" {
		return i + 2
	}
	return i + 1
}

// body reads the statements of a function.
func (v *valueReader) body(first, end, depth int) {
	for i := first; i < end; i++ {
		switch text := v.at(i); {
		case text == "#" && v.at(i+1) == "[":
			i = v.attribute(i)
		case text == "{":
			v.depth++
		case text == "}":
			v.depth--
			v.vars = slices.DeleteFunc(v.vars, func(x variable) bool { return x.depth > v.depth })
		case v.isItem(i) && text == "fn":
			i = v.function(i, end, v.scope, depth)
		case v.isItem(i):
			i = min(v.itemEnd(i, end), end)
		case text == "let" && v.isLet(i):
			v.let(i, end)
			i = v.letName(i)
		case v.isName(i) && v.at(i+1) == "!" && v.at(i+2) != "=":
			if open := v.at(i + 2); !expressions[text] && (open == "(" || open == "[" || open == "{") {
				i = min(v.group(i+2), end)
			}
		case v.isName(i) && !keywords[text] && v.at(i-1) != "." && !v.separates(i-2) && v.at(i-1) != "'":
			v.chain(i, end, true)
		}
	}
}

// let binds the variable of a let statement after the statement.
func (v *valueReader) let(i, end int) {
	name := v.letName(i)
	at := name + 1
	var t *crate.Type
	stop := v.until(at, end, ";")
	if v.at(at) == ":" {
		at++
		equals := at
		for equals < stop && (v.at(equals) != "=" || v.at(equals-1) == "<") {
			equals++
		}
		t = v.scope.Type(v.between(at, equals))
	} else if v.at(at) == "=" {
		var after int
		if t, after = v.chain(at+1, stop, false); after != stop {
			t = nil
		}
	}
	v.bind(v.at(name), t, stop)
}

var keywords = map[string]bool{
	"as": true, "async": true, "await": true, "break": true, "const": true, "continue": true, "crate": false, "dyn": true, "else": true, "enum": true, "extern": true, "false": true, "fn": true, "for": true,
	"if": true, "impl": true, "in": true, "let": true, "loop": true, "match": true, "mod": true, "move": true, "mut": true, "pub": true, "ref": true, "return": true, "static": true, "struct": true,
	"trait": true, "true": true, "type": true, "unsafe": true, "use": true, "where": true, "while": true,
}

// variable returns the type of a variable. ok is false if no variable has the name.
func (v *valueReader) variable(name string, at int) (t *crate.Type, ok bool) {
	if v.patterns[name] {
		return nil, true
	}
	for i := len(v.vars) - 1; i >= 0; i-- {
		if x := &v.vars[i]; x.name == name && x.from < at {
			return x.value, true
		}
	}
	return nil, false
}

// chain reads an expression such as a::b(c)?.d, and returns its type, or nil if that is unknown, and the
// token after it. It reports members only if report is true.
func (v *valueReader) chain(i, end int, report bool) (t *crate.Type, after int) {
	if !v.isName(i) || keywords[v.at(i)] {
		return nil, i
	}
	look := func(i int, m crate.Member, field bool) *crate.Type {
		if report && (m.Absent || m.Private) {
			v.found(i, m, field)
		}
		return m.Type
	}
	segs := []string{strings.TrimPrefix(v.at(i), "r#")}
	name, j := i, i+1
	for v.separates(j) && j < end {
		switch {
		case v.isName(j + 2):
			name = j + 2
			segs = append(segs, strings.TrimPrefix(v.at(name), "r#"))
			j += 3
			continue
		case v.at(j+2) == "<":
			j = v.angle(j+2) + 1
			continue
		}
		return nil, j
	}
	called := v.at(j) == "("
	local := false
	if len(segs) == 1 {
		t, local = v.variable(segs[0], i)
	}
	switch {
	case v.at(j) == "!" && v.at(j+1) != "=":
		return nil, j
	case local && called:
		t = nil
	case local:
	case v.at(j) == "{" && !report && segs[len(segs)-1][0] >= 'A' && segs[len(segs)-1][0] <= 'Z':
		t = v.scope.Struct(segs)
		j = v.group(j) + 1
	case called:
		t = look(name, v.scope.Call(segs, true), false)
	case segs[0] != "self":
		t = v.scope.Call(segs, false).Type
	}
	if called {
		j = v.group(j) + 1
	}
	for j < end {
		switch {
		case v.at(j) == "?":
			t = t.Try()
			j++
		case v.at(j) == "." && v.at(j+1) == "await":
			t = t.Await()
			j += 2
		case v.at(j) == "." && v.isName(j+1):
			name, k := j+1, j+2
			if v.separates(k) && v.at(k+2) == "<" {
				k = v.angle(k+2) + 1
			}
			member := strings.TrimPrefix(v.at(name), "r#")
			if v.at(k) == "(" {
				if t != nil {
					t = look(name, t.Method(v.scope, member), false)
				}
				k = v.group(k) + 1
			} else if t != nil {
				t = look(name, t.Field(v.scope, member), true)
			}
			j = k
		case v.at(j) == "." && j+1 < len(v.tokens) && v.tokens[j+1].Kind == source.Literal:
			t = nil
			j += 2
		case v.at(j) == "[" || v.at(j) == "(":
			t = nil
			j = v.group(j) + 1
		default:
			return t, j
		}
	}
	return t, j
}
