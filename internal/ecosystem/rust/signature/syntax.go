package signature

import (
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Syntax parses Rust declarations in the form in which rustdoc prints them.
type Syntax struct{}

// maxDeclaration is the maximum size in bytes of the declarations of one symbol that are
// parsed.
const maxDeclaration = 1 << 20

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part {
	if len(s.Signature) > maxDeclaration || !utf8.ValidString(s.Signature) {
		return nil
	}
	w := partWriter{text: s.Signature, local: map[string]bool{}, member: s.Kind == apidoc.Field || s.Kind == apidoc.Variant}
	scan := source.Scanner{Text: s.Signature}
	for t := scan.Next(); t.Kind != source.EOF; t = scan.Next() {
		w.tokens = append(w.tokens, t)
	}
	if len(w.tokens) == 0 {
		return nil
	}
	w.Open(apidoc.DeclarationPart, w.pos())
	if !w.declaration() || w.failed {
		return nil
	}
	if s.Kind == apidoc.Method && !w.receiver {
		w.flags |= apidoc.OnType
	}
	w.Close(len(s.Signature), w.flags)
	return w.List(len(s.Signature))
}

// partWriter collects the parts of one declaration.
type partWriter struct {
	apidoc.Parts
	text   string
	tokens []source.Token
	i      int
	local  map[string]bool // type parameters in scope
	member bool            // whether the declaration is a field or variant
	// receiver is true if the declaration has a parameter for the value on which it is called.
	receiver bool
	flags    apidoc.PartFlags // the flags of the declaration
	failed   bool             // whether a part without tokens was begun
}

func (w *partWriter) at(i int) string {
	if i >= 0 && i < len(w.tokens) {
		return w.text[w.tokens[i].Start:w.tokens[i].End]
	}
	return ""
}

func (w *partWriter) peek() string { return w.at(w.i) }

func (w *partWriter) more() bool { return w.i < len(w.tokens) }

func (w *partWriter) pos() int {
	if w.more() {
		return w.tokens[w.i].Start
	}
	return len(w.text)
}

func (w *partWriter) end() int {
	if w.i == 0 {
		return 0
	}
	return w.tokens[min(w.i, len(w.tokens))-1].End
}

func (w *partWriter) accept(text string) bool {
	if w.more() && w.peek() == text {
		w.i++
		return true
	}
	return false
}

func (w *partWriter) isName(i int) bool {
	return i >= 0 && i < len(w.tokens) && w.tokens[i].Kind == source.Ident
}

func (w *partWriter) leaf(role apidoc.PartRole) {
	if w.more() {
		w.Leaf(role, w.pos(), w.tokens[w.i].End)
		w.i++
	}
}

// comments writes the comments on lines of their own before the next token.
func (w *partWriter) comments() {
	for start, end := w.end(), w.pos(); start < end; {
		line, _, _ := strings.Cut(w.text[start:end], "\n")
		if text := strings.TrimSpace(line); text != "" && start > w.end() {
			from := start + strings.Index(line, text)
			w.Leaf(apidoc.CommentPart, from, from+len(text))
		}
		start += len(line) + 1
	}
}

// close ends the part that began at a token. A part without tokens is an error.
func (w *partWriter) close(start int, flags ...apidoc.PartFlags) {
	w.failed = w.failed || w.i <= start
	w.Close(w.end(), flags...)
}

// joined reports whether tokens i and i+1 are adjacent and have these texts, as in "::", "->" and
// "=>".
func (w *partWriter) joined(i int, a, b string) bool {
	return w.at(i) == a && w.at(i+1) == b && w.tokens[i].End == w.tokens[i+1].Start
}

// skipGroup skips a bracket and its contents.
func (w *partWriter) skipGroup() {
	depth := 0
	for w.more() {
		switch w.peek() {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if w.i++; depth <= 0 {
			return
		}
	}
}
