package dts

// TokenKind is the kind of a Token.
type TokenKind uint8

// These are the kinds of tokens.
const (
	WordToken TokenKind = iota + 1 // a name or keyword
	StringToken
	LiteralToken  // a number, template or regular expression
	OperatorToken // includes brackets and "=>"
	// BrokenToken is an unterminated string, or a closing bracket without an opening one.
	// The tokens after it may be wrong.
	BrokenToken
)

// Token is a TypeScript or JavaScript token. Text is a part of the source that begins at
// the offset Pos.
type Token struct {
	Kind TokenKind
	Text string
	Pos  int
	// NewLine is true for the first token of a line.
	NewLine bool
}

// Tokens returns the tokens of a source text, without comments.
func Tokens(src string) []Token {
	l := lexers.Get().(*lexer)
	defer l.release()
	l.lex(&File{Source: src})
	tokens := make([]Token, 0, len(l.toks))
	for _, t := range l.toks {
		kind := OperatorToken
		switch {
		case t.kind == eof:
			return tokens
		case t.kind == 0:
			kind = BrokenToken
		case t.kind == str:
			kind = StringToken
		case t.kind == number || t.kind == template || t.kind == regex:
			kind = LiteralToken
		case t.kind >= private:
			kind = WordToken
		}
		tokens = append(tokens, Token{kind, src[t.pos:t.end], int(t.pos), t.nl})
	}
	return tokens
}
