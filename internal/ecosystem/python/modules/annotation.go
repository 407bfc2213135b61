package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// skip skips tokens up to the end of the line, or up to a comma, a closing bracket or the token
// until that is not within brackets.
func (w *partWriter) skip(until string) {
	depth, lambdas := 0, 0 // lambdas counts the lambdas whose parameters have not ended
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
	call := role == apidoc.ValuePart && w.tokens[start].Kind == source.NameToken && w.tokens[end-1].Text == ")"
	if role == apidoc.TypePart || role == apidoc.ConstraintPart || role == apidoc.BasePart || role == apidoc.DefaultPart && w.peek(0) == "]" || call {
		w.i = start
		w.references(end, role != apidoc.BasePart && !call)
	}
	w.i = end
	w.Close(w.end())
}

// keywords are the keywords that expressions can contain.
var keywords = set("None", "True", "False", "and", "or", "not", "if", "else", "in", "is", "lambda", "for", "async", "await", "yield")

// references reads the names in a type expression up to a token. Strings are names that are
// declared later, except in the arguments of calls, Literal and the metadata of Annotated.
// quoted is true if strings that are not within brackets are names.
func (w *partWriter) references(end int, quoted bool) {
	var around []bool // for each open bracket, whether strings are names outside it
	generic := ""     // the last name before the current token, if nothing is between them
	annotated := -1   // depth within the brackets of Annotated
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

// endsOperand reports whether a bracket after a token begins a call.
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
	w.Leaf(apidoc.ReferencePart, start, end, flags)
}

// forward writes the references in a string that is a type.
func (w *partWriter) forward(t source.Token) {
	body := strings.Trim(t.Text, `"'`)
	start := t.Pos + strings.IndexAny(t.Text, `"'`) + 1
	if len(body)+2 != len(t.Text) || strings.ContainsAny(body, "\\\n") {
		return
	}
	inner := partWriter{Parts: w.Parts, text: w.text, tokens: source.Tokens(body), local: w.local}
	for i := range inner.tokens {
		inner.tokens[i].Pos += start
	}
	inner.references(len(inner.tokens), false)
	w.Parts = inner.Parts
}
