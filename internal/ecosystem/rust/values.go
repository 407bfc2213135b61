package rust

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
)

// valueReader infers the types of the expressions in the functions of one file, and finds the members and arguments that
// these types do not accept.
type valueReader struct {
	*usesReader
	// member is called with the token of the name of a member that is absent or private.
	member func(i int, m crate.Member)
	// present is called with the token of a name that exists, and the crate to which it belongs.
	present func(i int, src *crate.Source)
	// fault is called with the token of a call or a field that is wrong, the function or struct, and what is wrong or the name of
	// the field.
	fault func(i int, fault ecosystem.Fault, owner item, message string)
	// crate is called with the token of the name of a crate that the project does not require.
	crate func(i int)
	// missing is true if dependencies are not on this machine, so that the names of their libraries are not certain.
	missing bool
	// onlyImports is true if nothing but use declarations is read.
	onlyImports bool

	program  *crate.Program
	scope    *crate.Scope // of the current function
	vars     []variable
	i        int    // the next token
	trait    string // the trait of the implementation around the current items, or ""
	noBraces bool   // whether a brace ends the expression, as in the condition of if
	lost     bool   // whether the expression cannot be read
	nesting  int
	closure  *crate.Type // what the next closure is passed for, or nil
}

// item is a function, struct or variant.
type item interface{ Path() (module, path string) }

// variable is a variable in a function.
type variable struct {
	name string
	t    *crate.Type
}

// maxNesting is the maximum nesting depth of items.
const maxNesting = 64

// items reads the items in a range of tokens.
func (v *valueReader) items(first, end int, s *crate.Scope, depth int) {
	if depth > maxNesting {
		return
	}
	rewritten := false // whether an attribute macro may replace the next item
	for i := first; i < end; i++ {
		switch text := v.at(i); {
		case text == "#" && (v.at(i+1) == "[" || v.at(i+1) == "!" && v.at(i+2) == "["):
			last := v.attribute(i)
			rewritten = last == v.group(i+1) && (rewritten || v.rewrites(i)) // otherwise, the item was skipped
			i = last
		case text == ";":
			rewritten = false
		case rewritten && (text == "impl" || v.isName(i+1) && (text == "fn" || text == "mod" || text == "trait" || text == "static" || text == "const")):
			rewritten = false
			if i = v.until(i+1, end, "{", ";"); v.at(i) == "{" {
				i = v.group(i)
			}
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
			var inner *crate.Scope
			trait := ""
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
				trait = v.between(header, max(header, self-1))
				inner = s.Generic(generics, v.between(where+1, open)).Impl(trait, v.between(self, where))
			} else {
				params := ""
				if v.at(i+2) == "<" {
					params = v.between(i+3, v.angle(i+2))
				}
				where := v.until(i+2, open, "where")
				inner = s.Generic(params, v.between(where+1, open)).Trait(v.at(i+1), params)
			}
			close := v.group(open)
			outer := v.trait
			v.trait = trait
			v.items(open+1, close, inner, depth+1)
			v.trait = outer
			i = close
		case text == "use" && v.at(i+1) != "<": // not the captures of impl Trait + use<'a>
			v.imports(i+1, s)
			i = v.until(i+1, end, ";")
		case text == "fn" && v.isName(i+1) && v.onlyImports:
			if i = v.until(i+1, end, "{", ";"); v.at(i) == "{" {
				i = v.localImports(i, s)
			}
		case text == "fn" && v.isName(i+1):
			if v.trait != "" {
				v.look(i+1, s.TraitItem(v.trait, strings.TrimPrefix(v.at(i+1), "r#")))
			}
			i = v.function(i, end, s)
		case (text == "const" || text == "static") && v.isName(i+1) && !v.onlyImports:
			i = v.initializer(i, end, s)
		case text == "{" || text == "(" || text == "[":
			rewritten = rewritten && text != "{"
			i = v.group(i)
		}
	}
}

// rewrites reports whether an outer attribute may be a macro that replaces an item.
func (v *valueReader) rewrites(i int) bool {
	return v.at(i+1) == "[" && crate.MayRewrite(v.between(i+2, v.group(i+1)))
}

// conditional reports whether an attribute may remove the item that it belongs to, or removes it.
func (v *valueReader) conditional(open, end int) bool {
	return v.usesReader.conditional(open, end) && !v.scope.Holds(v.between(open+3, end-1))
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
	return v.text[v.tokens[first].start:v.tokens[end-1].end]
}

// function reads a function and returns its last token.
func (v *valueReader) function(i, end int, s *crate.Scope) int {
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
	where := v.until(close+1, body, "where")
	last := min(v.group(body), end)
	inner := v.inner()
	if inner.nesting > maxNesting {
		return last
	}
	inner.scope = inner.blockScope(s.Generic(generics, v.between(where+1, body)), body+1, last)
	for inner.i = open + 1; inner.i < close && !inner.lost; {
		inner.attributes()
		if k := inner.receiver(close); k > 0 {
			t := inner.scope.Type("Self")
			if colon := inner.skipType(inner.i, k, ":"); colon < k {
				t = inner.scope.Type(inner.between(colon+1, k))
			}
			inner.bind("self", t)
			inner.i = k
		} else {
			p := inner.pattern(true)
			if inner.at(inner.i) != ":" {
				return last
			}
			inner.match(p, inner.scope.Type(inner.typeUntil(inner.i+1, close, ",")))
		}
		if inner.at(inner.i) == "," {
			inner.i++
		}
	}
	if inner.lost {
		return last
	}
	inner.i = body
	inner.block()
	return last
}

// inner returns a reader for a function or another item, without the variables around it.
func (v *valueReader) inner() *valueReader {
	return &valueReader{usesReader: v.usesReader, member: v.member, present: v.present, fault: v.fault, crate: v.crate, program: v.program, nesting: v.nesting + 1}
}

// initializer reads the value of a constant or static and returns its last token.
func (v *valueReader) initializer(i, end int, s *crate.Scope) int {
	colon := i + 2
	if v.at(i+1) == "mut" {
		colon++
	}
	if before := v.at(i - 1); v.at(colon) != ":" || before == "<" || before == "," { // const fn, or a parameter
		return i
	}
	last := v.until(colon, end, ";")
	equals := v.skipType(colon+1, last, "=")
	inner := v.inner()
	if inner.nesting > maxNesting || equals == last {
		return last
	}
	inner.scope = inner.blockScope(s, equals+1, last)
	inner.i = equals + 1
	t := s.Type(v.between(colon+1, equals))
	inner.closure = t
	v.program.Unify(t, inner.expression(0))
	return last
}

// blockScope returns the scope of the body of a function in the given scope.
func (v *valueReader) blockScope(s *crate.Scope, first, end int) *crate.Scope {
	items := v.local(first, end)
	if items == "" {
		return s
	}
	open := false
	for k := first; k < end && !open; k++ {
		open = v.unknownMacro(k) >= 0
	}
	return s.Block(items, open)
}

// receiver returns the token after a parameter such as &mut self, or 0 if there is none.
func (v *valueReader) receiver(end int) int {
	for k := v.i; k < end; k++ {
		switch {
		case v.at(k) == "self" && (v.at(k+1) == "," || k+1 == end):
			return k + 1
		case v.at(k) == "self" && v.at(k+1) == ":":
			return v.skipType(k+2, end, ",")
		case v.at(k) == "&" || v.at(k) == "mut" || strings.HasPrefix(v.at(k), "'"):
		default:
			return 0
		}
	}
	return 0
}

func (v *valueReader) bind(name string, t *crate.Type) { v.vars = append(v.vars, variable{name, t}) }

// variable returns the type of a variable. ok is false if no variable has the name.
func (v *valueReader) variable(name string) (t *crate.Type, ok bool) {
	for i := len(v.vars) - 1; i >= 0; i-- {
		if x := &v.vars[i]; x.name == name {
			return x.t, true
		}
	}
	return nil, false
}

// skipType returns the first token after a type that is one of stops, or end.
func (v *valueReader) skipType(i, end int, stops ...string) int {
	for ; i < end; i++ {
		text := v.at(i)
		if slices.Contains(stops, text) {
			return i
		}
		switch text {
		case "(", "[", "{":
			i = v.group(i)
		case "<":
			i = v.angle(i)
		}
	}
	return min(i, end)
}

// typeUntil returns the type that begins at a token and ends before one of stops, and continues there.
func (v *valueReader) typeUntil(i, end int, stops ...string) string {
	v.i = v.skipType(i, end, stops...)
	return v.between(i, v.i)
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
	start := first // where the attributes of the next item begin
	for i := first; i < end; i++ {
		switch {
		case v.isItem(i):
			last := min(v.itemEnd(i, end), end-1)
			b.WriteString(v.between(start, last+1))
			b.WriteString("\n")
			i = last
			start = i + 1
		case v.at(i) == ";" || v.at(i) == "{" || v.at(i) == "}":
			start = i + 1
		}
	}
	return b.String()
}

// messages are macros of common crates that bind no names.
var messages = map[string]bool{"trace": true, "debug": true, "info": true, "warn": true, "error": true, "bail": true, "ensure": true, "anyhow": true}

var keywords = map[string]bool{
	"as": true, "async": true, "await": true, "break": true, "const": true, "continue": true, "crate": false, "dyn": true, "else": true, "enum": true, "extern": true, "false": true, "fn": true, "for": true,
	"if": true, "impl": true, "in": true, "let": true, "loop": true, "match": true, "mod": true, "move": true, "mut": true, "pub": true, "ref": true, "return": true, "static": true, "struct": true,
	"trait": true, "true": true, "type": true, "unsafe": true, "use": true, "where": true, "while": true,
}
