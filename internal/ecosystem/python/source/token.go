package source

// TokenKind is the kind of a Token.
type TokenKind uint8

// These are the kinds of tokens.
const (
	NameToken TokenKind = iota + 1
	NumberToken
	StringToken
	OperatorToken
)

// Token is a Python token. Text is the part of the source at the offset Pos.
type Token struct {
	Kind TokenKind
	Text string
	Pos  int
}

// Tokens returns the tokens of a program or of a part of one, without comments, line ends
// and indentation.
func Tokens(text string) []Token {
	c := scanner{s: text}
	tokens := make([]Token, 0, len(text)/6)
	for i := 0; ; {
		t, end := c.next(i)
		if t.kind == tokenEnd || end <= i {
			return tokens
		}
		kind := OperatorToken
		switch t.kind {
		case tokenName:
			kind = NameToken
		case tokenNumber:
			kind = NumberToken
		case tokenString:
			kind = StringToken
		}
		tokens = append(tokens, Token{kind, t.text, t.pos})
		i = end
	}
}
