package modules

import (
	"cmp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// skip skips tokens up to the end of the line, or up to a comma, a closing bracket or the token
// until that is not within brackets.
func (w *partWriter) skip(until string) {
	depth, lambdas := 0, 0 // lambdas counts the lambdas whose parameters have not ended.
	for first := true; w.i < len(w.tokens); w.i, first = w.i+1, false {
		switch text := w.peek(0); {
		case depth == 0 && !first && w.endsLine(), depth == 0 && lambdas == 0 && (text == "," || text == until && until != ""):
			return
		case depth == 0 && text == "lambda":
			lambdas++
		case depth == 0 && text == ":":
			lambdas = max(lambdas-1, 0)
		case text == "(" || text == "[" || text == "{":
			depth++
		case text == ")" || text == "]" || text == "}":
			if depth--; depth < 0 {
				return
			}
		}
	}
}

// expression reads an expression as a part, with references if it is a type expression.
func (w *partWriter) expression(role apidoc.PartRole, until string) {
	start := w.i
	w.skip(until)
	end := w.i
	if end == start {
		return
	}
	w.Open(role, w.tokens[start].Pos)
	flags := apidoc.PartFlags(0)
	if w.outer = nil; role == apidoc.TypePart && w.members(start, end) && !w.made {
		flags = apidoc.Named
	} else {
		w.outer = nil
	}
	call := role == apidoc.ValuePart && w.tokens[start].Kind == source.NameToken && w.tokens[end-1].Text == ")"
	if role == apidoc.TypePart || role == apidoc.ConstraintPart || role == apidoc.BasePart || role == apidoc.DefaultPart && w.typed || call {
		w.i = start
		w.types(end, typeContext{quoted: role != apidoc.BasePart && !call, union: role != apidoc.BasePart && !call})
	} else {
		for _, t := range w.tokens[start:end] {
			w.quotes(t)
		}
		if end == start+1 && w.tokens[start].Text == "..." {
			flags |= apidoc.Unknown
		}
	}
	w.i = end
	w.Close(w.end(), flags)
}

// quotes writes the quotation marks of a string.
func (w *partWriter) quotes(t source.Token) {
	if t.Kind != source.StringToken {
		return
	}
	body := strings.Trim(t.Text, `"'`)
	if first := strings.IndexAny(t.Text, `"'`); first >= 0 && first+len(body) < len(t.Text) {
		prefix := len(t.Text) - len(strings.TrimLeft(t.Text[first:], `"'`))
		w.Leaf(apidoc.TriviaPart, t.Pos+first, t.Pos+prefix)
		if suffix := len(strings.TrimRight(t.Text, `"'`)); suffix >= prefix {
			w.Leaf(apidoc.TriviaPart, t.Pos+suffix, t.Pos+len(t.Text))
		}
	}
}

// maxUnions is the maximum nesting of Optional and Union in a type.
const maxUnions = 8

// members reports whether the tokens of a type are the name of a class, or a union of such names and
// None. It records the offsets of the names in w.outer.
func (w *partWriter) members(start, end int) bool {
	if w.outer == nil {
		w.outer = map[int]bool{}
	}
	return w.union(w.tokens[start:end], "|", 0, maxUnions)
}

// union reads alternatives between separators. shift is added to the offsets of the tokens.
func (w *partWriter) union(tokens []source.Token, separator string, shift, depth int) bool {
	if depth == 0 {
		return false
	}
	for i := 0; i < len(tokens); {
		t := tokens[i]
		next := i + 1
		switch {
		case t.Text == "None":
		case t.Kind == source.StringToken && shift == 0:
			body := strings.Trim(t.Text, `"'`)
			at := t.Pos + strings.IndexAny(t.Text, `"'`) + 1
			if len(body)+2 != len(t.Text) || strings.ContainsAny(body, "\\\n") || !w.union(source.Tokens(body), "|", at, depth-1) {
				return false
			}
		case t.Kind == source.NameToken && !keywords[t.Text]:
			last := t.Text
			for next+1 < len(tokens) && tokens[next].Text == "." && tokens[next+1].Kind == source.NameToken {
				last = tokens[next+1].Text
				next += 2
			}
			first := next + 1
			if next < len(tokens) && tokens[next].Text == "[" {
				if next = closing(tokens, next); next == 0 {
					return false
				}
			}
			switch {
			case (last == "Optional" || last == "Union") && next > first:
				if !w.union(tokens[first:next-1], map[string]string{"Optional": "|", "Union": ","}[last], shift, depth-1) {
					return false
				}
			case specialForms[last]:
				return false
			default:
				w.outer[t.Pos+shift] = true
			}
		default:
			return false
		}
		if i = next; i < len(tokens) {
			if tokens[i].Text != separator && tokens[i].Text != "|" {
				return false
			}
			i++
		}
	}
	return true
}

// closing returns the index after the bracket that closes the one at i, or 0 if there is none.
func closing(tokens []source.Token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i].Text {
		case "[", "(", "{":
			depth++
		case "]", ")", "}":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// specialForms are names for other types, or for types whose members depend on their arguments.
var specialForms = set("Any", "Annotated", "Callable", "ClassVar", "Concatenate", "Final", "Generator", "Literal", "LiteralString", "Never", "NoReturn", "NotRequired",
	"ReadOnly", "Required", "Tuple", "Type", "TypeGuard", "TypeIs", "Unpack", "object", "tuple", "type")

// keywords are the keywords that expressions can contain.
var keywords = set("None", "True", "False", "and", "or", "not", "if", "else", "in", "is", "lambda", "for", "async", "await", "yield")

// maxTypeNesting is the maximum nesting of brackets in which names are read.
const maxTypeNesting = 50

// typeContext describes where a type expression is.
type typeContext struct {
	quoted    bool // whether strings are names that are declared later
	union     bool // whether | separates alternatives
	inside    bool // whether the expression is in brackets
	annotated bool // whether only the first element is a type, as in Annotated
	depth     int
}

// types reads type expressions between commas, up to the token with index end.
func (w *partWriter) types(end int, c typeContext) {
	for w.i < end {
		w.alternatives(w.until(end, ","), c)
		if w.i < end {
			w.i++
			c.quoted = c.quoted && !c.annotated
		}
	}
}

// until returns the index of the next token with the given text outside brackets, or end.
func (w *partWriter) until(end int, text string) int {
	depth := 0
	for i := w.i; i < end; i++ {
		switch t := w.tokens[i].Text; t {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case text:
			if depth == 0 {
				return i
			}
		}
	}
	return end
}

// alternatives reads a type, or a union of types that | separates.
func (w *partWriter) alternatives(end int, c typeContext) {
	if !c.union || w.until(end, "|") == end {
		w.operand(end, c)
		return
	}
	w.Open(apidoc.UnionPart, w.pos())
	for w.i < end {
		w.alternative(w.until(end, "|"), end, w.operand, c)
	}
	w.Close(w.end())
}

// alternative writes an alternative, which read reads, and steps over the separator with index stop.
func (w *partWriter) alternative(stop, end int, read func(end int, c typeContext), c typeContext) {
	if w.i < stop {
		w.Open(apidoc.TypePart, w.pos())
		read(stop, c)
		w.i = stop
		w.Close(w.end())
	}
	w.i = min(stop+1, end)
}

// operand reads the names in a type. Strings are names that are declared later, except in the
// arguments of calls, Literal and the metadata of Annotated.
func (w *partWriter) operand(end int, c typeContext) {
	generic := "" // the last name before the current token, if nothing is between them
	for w.i < end {
		t := w.tokens[w.i]
		before := generic
		generic = ""
		switch {
		case t.Kind == source.NameToken && !keywords[t.Text] && !w.isAttribute() && (w.i+1 >= end || w.peek(1) != "="):
			if !c.union || !w.genericUnion(end, c) {
				generic = w.dotted(end)
			}
			continue
		case t.Kind == source.StringToken && c.quoted && w.forward(t, c):
		case t.Kind == source.StringToken:
			w.quotes(t)
		case t.Text == "(" || t.Text == "[" || t.Text == "{":
			inner := typeContext{quoted: c.quoted, union: c.union, inside: true, depth: c.depth + 1}
			switch call := t.Text == "(" && w.i > 0 && w.endsOperand(w.i-1); {
			case call || before == "Literal":
				inner.quoted, inner.union = false, false
			case t.Text == "[":
				inner.quoted = !c.inside || c.quoted || before != ""
				inner.annotated = before == "Annotated"
			}
			w.group(end, inner)
			continue
		}
		w.i++
	}
}

// group reads the elements in the brackets at the current token.
func (w *partWriter) group(end int, c typeContext) {
	last := min(cmp.Or(closing(w.tokens, w.i), end), end) - 1
	w.i++
	if c.depth <= maxTypeNesting {
		w.types(last, c)
	}
	w.i = last + 1
}

// genericUnion reads Optional[X] or Union[X, Y], if the current token begins one.
func (w *partWriter) genericUnion(end int, c typeContext) bool {
	bracket := w.i + 1
	for bracket+1 < end && w.tokens[bracket].Text == "." {
		bracket += 2
	}
	name := w.tokens[bracket-1].Text
	if name != "Optional" && name != "Union" || bracket >= end || w.tokens[bracket].Text != "[" || c.depth >= maxTypeNesting {
		return false
	}
	last := closing(w.tokens, bracket) - 1
	if last < 0 || last >= end {
		return false
	}
	flags := apidoc.PartFlags(0)
	if name == "Optional" {
		flags = apidoc.Optional
	}
	w.Open(apidoc.UnionPart, w.pos(), flags)
	w.dotted(bracket)
	inner := typeContext{quoted: true, union: true, inside: true, depth: c.depth + 1}
	for w.i = bracket + 1; w.i < last; {
		w.alternative(w.until(last, ","), last, w.alternatives, inner)
	}
	w.i = last + 1
	w.Close(w.end())
	return true
}

// isAttribute reports whether the current token is the name of an attribute of a value,
// such as a result.
func (w *partWriter) isAttribute() bool { return w.i > 0 && w.tokens[w.i-1].Text == "." }

// endsOperand reports whether a bracket after the given token begins a call.
func (w *partWriter) endsOperand(i int) bool {
	t := w.tokens[i]
	return t.Kind == source.NameToken && !keywords[t.Text] || t.Text == ")" || t.Text == "]"
}

// dotted reads the dotted name at the current token as a reference, and returns its last
// part.
func (w *partWriter) dotted(end int) string {
	first := w.tokens[w.i]
	w.i++
	for w.i+1 < end && w.peek(0) == "." && w.isName(1) {
		w.i += 2
	}
	w.refer(first.Text, first.Pos, w.end())
	return w.tokens[w.i-1].Text
}

// refer writes a reference. first is its first name.
func (w *partWriter) refer(first string, start, end int) {
	var flags apidoc.PartFlags
	switch {
	case w.local[first]:
		flags = apidoc.Local
	case builtins[first]:
		flags = apidoc.Builtin
	}
	if w.outer[start] {
		flags |= apidoc.Outer
		if name := w.text[start:end]; name[strings.LastIndexByte(name, '.')+1:] == "Self" {
			flags |= apidoc.Self
		}
	}
	w.Leaf(apidoc.ReferencePart, start, end, flags)
}

// forward writes the references in a string that is a type. It reports whether the string can be one.
func (w *partWriter) forward(t source.Token, c typeContext) bool {
	body := strings.Trim(t.Text, `"'`)
	start := t.Pos + strings.IndexAny(t.Text, `"'`) + 1
	if len(body)+2 != len(t.Text) || strings.ContainsAny(body, "\\\n") {
		return false
	}
	w.Leaf(apidoc.TriviaPart, t.Pos, start)
	inner := partWriter{Parts: w.Parts, text: w.text, tokens: source.Tokens(body), local: w.local, outer: w.outer}
	for i := range inner.tokens {
		inner.tokens[i].Pos += start
	}
	inner.types(len(inner.tokens), typeContext{union: c.union, depth: c.depth + 1})
	w.Parts = inner.Parts
	w.Leaf(apidoc.TriviaPart, start+len(body), t.Pos+len(t.Text))
	return true
}
