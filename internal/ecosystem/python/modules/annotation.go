package modules

import (
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
	if role == apidoc.TypePart || role == apidoc.ConstraintPart || role == apidoc.BasePart || role == apidoc.DefaultPart && w.peek(0) == "]" || call {
		w.i = start
		w.references(end, role != apidoc.BasePart && !call)
	}
	w.i = end
	w.Close(w.end(), flags)
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

// references reads the names in a type expression up to the given token. Strings are names that are
// declared later, except in the arguments of calls, Literal and the metadata of Annotated. quoted
// is true if strings that are not within brackets are names.
func (w *partWriter) references(end int, quoted bool) {
	var around []bool // around contains, for each open bracket, whether strings outside it are names.
	generic := ""     // generic is the last name before the current token, if nothing is between them.
	annotated := -1   // annotated is the depth within the brackets of Annotated.
	for w.i < end {
		t := w.tokens[w.i]
		before := generic
		generic = ""
		switch {
		case t.Kind == source.NameToken && !keywords[t.Text] && !w.isAttribute() && (w.i+1 >= end || w.peek(1) != "="):
			generic = w.dotted(end)
			continue
		case t.Kind == source.StringToken && quoted:
			w.forward(t)
		case t.Text == "(" || t.Text == "[" || t.Text == "{":
			around = append(around, quoted)
			switch call := t.Text == "(" && w.i > 0 && w.endsOperand(w.i-1); {
			case call || before == "Literal":
				quoted = false
			case t.Text == "[":
				quoted = len(around) == 1 || quoted || before != ""
				if before == "Annotated" && annotated < 0 {
					annotated = len(around)
				}
			}
		case t.Text == ")" || t.Text == "]" || t.Text == "}":
			if len(around) == annotated {
				annotated = -1
			}
			if n := len(around); n > 0 {
				quoted, around = around[n-1], around[:n-1]
			}
		case t.Text == "," && len(around) == annotated:
			quoted = false
		}
		w.i++
	}
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

// forward writes the references in a string that is a type.
func (w *partWriter) forward(t source.Token) {
	body := strings.Trim(t.Text, `"'`)
	start := t.Pos + strings.IndexAny(t.Text, `"'`) + 1
	if len(body)+2 != len(t.Text) || strings.ContainsAny(body, "\\\n") {
		return
	}
	inner := partWriter{Parts: w.Parts, text: w.text, tokens: source.Tokens(body), local: w.local, outer: w.outer}
	for i := range inner.tokens {
		inner.tokens[i].Pos += start
	}
	inner.references(len(inner.tokens), false)
	w.Parts = inner.Parts
}
