package modules

import (
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// Syntax parses the declarations that a Reader writes.
type Syntax struct{}

// maxDeclaration is the maximum size in bytes of the declarations of one symbol that are
// parsed.
const maxDeclaration = 1 << 20

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part {
	if len(s.Signature) > maxDeclaration || !utf8.ValidString(s.Signature) {
		return nil
	}
	w := partWriter{text: s.Signature, tokens: source.Tokens(s.Signature), alias: s.Kind == apidoc.TypeAlias}
	w.method = s.Kind == apidoc.Method || s.Kind == apidoc.Constructor || s.Kind == apidoc.Property
	for w.i < len(w.tokens) {
		if before := w.i; !w.declaration() || w.i == before {
			return nil
		}
	}
	return w.List(len(s.Signature))
}

// partWriter collects the parts of the declarations in text. Each declaration begins on a new line.
type partWriter struct {
	apidoc.Parts
	text   string
	tokens []source.Token
	i      int
	// static is true if the current declaration has no receiver, and bound if it always has one. The
	// decorators of the first overload hold for all of them.
	static, bound bool
	made          bool            // whether the declared type may not be that of the value or result
	outer         map[int]bool    // offsets of the names of the types whose members the value has
	method        bool            // whether the first parameter of a function is the receiver
	alias         bool            // whether the value is a type
	typed         bool            // whether the default value is a type
	local         map[string]bool // type parameters in scope
}

// peek returns the text of the token at the given offset from the current one, or "" after the last
// token.
func (w *partWriter) peek(offset int) string {
	if i := w.i + offset; i < len(w.tokens) {
		return w.tokens[i].Text
	}
	return ""
}

// pos returns the start of the current token, and end returns the end of the token before
// it.
func (w *partWriter) pos() int {
	if w.i < len(w.tokens) {
		return w.tokens[w.i].Pos
	}
	return len(w.text)
}

func (w *partWriter) end() int {
	if w.i == 0 || len(w.tokens) == 0 {
		return 0
	}
	t := w.tokens[min(w.i, len(w.tokens))-1]
	return t.Pos + len(t.Text)
}

// accept skips the current token if it has the given text.
func (w *partWriter) accept(text string) bool {
	if w.peek(0) == text {
		w.i++
		return true
	}
	return false
}

func (w *partWriter) leaf(role apidoc.PartRole) {
	w.Leaf(role, w.pos(), w.pos()+len(w.peek(0)))
	w.i++
}

// endsLine reports whether the current token is on a different line than the previous
// token.
func (w *partWriter) endsLine() bool {
	return w.i >= len(w.tokens) || w.i > 0 && strings.IndexByte(w.text[w.end():w.pos()], '\n') >= 0
}

// declaration reads one declaration with the decorators above it.
func (w *partWriter) declaration() bool {
	w.local, w.made = nil, false
	w.Open(apidoc.DeclarationPart, w.pos())
	if w.peek(0) == "@" {
		w.static, w.bound = false, false
	}
	for w.peek(0) == "@" {
		start := w.pos()
		w.static = w.static || w.peek(1) == "staticmethod"
		w.bound = w.bound || w.peek(1) == "classmethod"
		for w.i++; !w.endsLine(); w.i++ {
		}
		w.Leaf(apidoc.AttributePart, start, w.end())
		w.made = w.made || !keepsResult[lastOf(source.Parse(w.text[start+1:w.end()]).Function())]
	}
	if w.peek(0) == "async" && w.peek(1) == "def" {
		w.leaf(apidoc.EffectPart)
	}
	ok := true
	switch word := w.peek(0); {
	case word == "def" && w.isName(1):
		w.i++
		ok = w.function()
	case word == "class" && w.isName(1):
		w.i++
		ok = w.class()
	case word == "type" && w.isName(1):
		w.i++
		w.leaf(apidoc.NamePart)
		w.typeParams()
		if w.accept("=") {
			w.expression(apidoc.TypePart, "")
		}
	case (word == "import" || word == "from") && w.isName(1):
		w.i++
		w.imported(word == "from")
	case w.isName(0):
		w.leaf(apidoc.NamePart)
		w.value()
	default:
		ok = false
	}
	flags := apidoc.PartFlags(0)
	if w.static || w.bound {
		flags = apidoc.OnType
	}
	w.Close(w.end(), flags)
	return ok && w.endsLine()
}

// keepsResult contains the decorators that do not change what a function returns.
var keepsResult = set("property", "cached_property", "classmethod", "staticmethod", "abstractmethod", "abstractproperty", "final", "override", "lru_cache", "cache")

// imported reads the rest of a statement that imports a name.
func (w *partWriter) imported(from bool) {
	if from {
		w.dotted(len(w.tokens))
		if w.accept("import") && w.isName(0) {
			w.leaf(apidoc.NamePart)
		}
		return
	}
	w.Open(apidoc.NamePart, w.pos())
	w.dotted(len(w.tokens))
	w.Close(w.end())
}

// value reads the annotation and the value of a variable. The value of an alias is its
// type.
func (w *partWriter) value() {
	if w.accept(":") {
		role := apidoc.TypePart
		if w.alias {
			role = apidoc.ModifierPart // TypeAlias
		}
		w.expression(role, "=")
	}
	if w.accept("=") {
		role := apidoc.ValuePart
		if w.alias {
			role = apidoc.TypePart
		}
		w.expression(role, "")
	}
}

func (w *partWriter) isName(offset int) bool {
	i := w.i + offset
	return i < len(w.tokens) && w.tokens[i].Kind == source.NameToken
}

// typeParams reads the type parameters in brackets, if there are any.
func (w *partWriter) typeParams() {
	if !w.accept("[") {
		return
	}
	for i, depth := w.i, 0; i < len(w.tokens) && depth >= 0; i++ { // Constraints can refer to type parameters that are declared later.
		switch t := w.tokens[i]; t.Text {
		case "[", "(", "{":
			depth++
		case "]", ")", "}":
			depth--
		default:
			if before := w.tokens[i-1].Text; depth == 0 && t.Kind == source.NameToken && (before == "[" || before == "," || before == "*" || before == "**") {
				if w.local == nil {
					w.local = map[string]bool{}
				}
				w.local[t.Text] = true
			}
		}
	}
	for w.i < len(w.tokens) && !w.accept("]") {
		if text := w.peek(0); !w.isName(0) && text != "*" && text != "**" {
			w.i++
			continue
		}
		w.Open(apidoc.TypeParamPart, w.pos())
		if !w.accept("*") {
			w.accept("**")
		}
		if w.isName(0) {
			w.leaf(apidoc.NamePart)
		}
		if w.accept(":") {
			w.expression(apidoc.ConstraintPart, "=")
		}
		flags := apidoc.PartFlags(0)
		if w.accept("=") {
			w.typed = true
			w.expression(apidoc.DefaultPart, "")
			w.typed, flags = false, apidoc.Optional
		}
		w.Close(w.end(), flags)
		if !w.accept(",") && w.peek(0) != "]" {
			w.i++
		}
	}
}

// function reads the declaration of a function.
func (w *partWriter) function() bool {
	w.leaf(apidoc.NamePart)
	w.typeParams()
	if !w.accept("(") {
		return false
	}
	positionalOnly := w.slash()
	flags := apidoc.PartFlags(0)
	for n := 0; w.i < len(w.tokens) && w.peek(0) != ")"; n++ {
		if text := w.peek(0); (text == "*" || text == "/") && (w.peek(1) == "," || w.peek(1) == ")") {
			if text == "*" {
				flags = apidoc.KeywordOnly
			}
			w.i++
			w.accept(",")
			n--
			continue
		}
		first := w.i
		w.Open(apidoc.ParamPart, w.pos(), flags)
		own := apidoc.PartFlags(0)
		switch {
		case w.accept("*"):
			own, flags = apidoc.Variadic, apidoc.KeywordOnly
		case w.accept("**"):
			own = apidoc.Variadic | apidoc.KeywordOnly
		case w.accept("..."):
			own = apidoc.Unknown
		case n == 0 && !w.static && ((w.method || w.bound) && w.isName(0) || w.peek(0) == "self"):
			own = apidoc.Self
		}
		if own&apidoc.Variadic == 0 && w.pos() < positionalOnly {
			own |= apidoc.PositionalOnly
		}
		switch {
		case w.isName(0):
			w.leaf(apidoc.NamePart)
		case w.peek(0) == "(": // The parameter is a tuple of parameters, as in Python 2.
			start := w.pos()
			w.skip("=")
			w.Leaf(apidoc.NamePart, start, w.end(), apidoc.Pattern)
		}
		if w.accept(":") {
			made := w.made
			w.made = true // Only the types of values and results are followed.
			w.expression(apidoc.TypePart, "=")
			w.made = made
		}
		if w.accept("=") {
			w.expression(apidoc.DefaultPart, "")
			own |= apidoc.Optional
		}
		if w.i == first {
			return false // there is nothing between two commas
		}
		w.Close(w.end(), own)
		if !w.accept(",") && w.peek(0) != ")" {
			return false
		}
	}
	if !w.accept(")") {
		return false
	}
	if w.accept("->") && w.i < len(w.tokens) {
		w.Open(apidoc.ResultPart, w.pos())
		w.expression(apidoc.TypePart, "")
		w.Close(w.end())
	}
	return true
}

// slash returns the index of the mark "/" in the parameters that begin at the current token, or 0
// if there is none.
func (w *partWriter) slash() int {
	depth := 0
	for i := w.i; i < len(w.tokens) && depth >= 0; i++ {
		switch w.tokens[i].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "/":
			if depth == 0 && (w.tokens[i-1].Text == "," && i+1 < len(w.tokens) && (w.tokens[i+1].Text == "," || w.tokens[i+1].Text == ")")) {
				return w.tokens[i].Pos
			}
		}
	}
	return 0
}

func (w *partWriter) class() bool {
	w.leaf(apidoc.NamePart)
	w.typeParams()
	if !w.accept("(") {
		return true
	}
	for w.i < len(w.tokens) && w.peek(0) != ")" {
		if w.isName(0) && w.peek(1) == "=" { // The argument is passed to the metaclass.
			start := w.pos()
			w.i += 2
			w.skip("")
			w.Leaf(apidoc.ModifierPart, start, w.end())
		} else {
			w.expression(apidoc.BasePart, "")
		}
		if !w.accept(",") && w.peek(0) != ")" {
			return false
		}
	}
	return w.accept(")")
}
