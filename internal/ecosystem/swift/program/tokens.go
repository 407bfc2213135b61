package program

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Tokens are the tokens of a text.
type Tokens struct {
	text    string
	tokens  []source.Token
	closing []int // for each opening bracket, and each #if, the token that closes it
	parent  []int // the innermost bracket around each token, or -1; for a closing bracket, the one that opens it
	paired  bool  // the result of pair
}

// Tokenize returns the tokens of the text of a file. It needs no program, so that it can run concurrently with Uses.
func Tokenize(text string) *Tokens {
	t := &Tokens{text: text}
	if len(text) > maxText {
		return t
	}
	const bytesOfToken = 4 // less than in most files
	t.tokens = make([]source.Token, 0, len(text)/bytesOfToken+1)
	s := source.NewScanner(text)
	for token := s.Next(); token.Kind != source.EOF; token = s.Next() {
		if operator := text[token.Start:token.End]; operator == "?<" || operator == "!<" { // init?<T>
			failable := token
			failable.End--
			t.tokens = append(t.tokens, failable)
			token.Byte, token.Newline, token.Space, token.Start = '<', false, false, token.Start+1
		}
		t.tokens = append(t.tokens, token)
	}
	t.paired = t.pair()
	return t
}

// Text returns the text.
func (t *Tokens) Text() string { return t.text }

func (t *Tokens) at(i int) string {
	if i >= 0 && i < len(t.tokens) {
		return t.text[t.tokens[i].Start:t.tokens[i].End]
	}
	return ""
}

func (t *Tokens) kind(i int) source.TokenKind {
	if i >= 0 && i < len(t.tokens) {
		return t.tokens[i].Kind
	}
	return source.EOF
}

func (t *Tokens) isName(i int) bool { return t.kind(i) == source.Ident }

// begins reports whether a token is the first one of a line, or does not exist.
func (t *Tokens) begins(i int) bool { return i >= len(t.tokens) || t.tokens[i].Newline }

// tight reports whether a token directly follows the one before it.
func (t *Tokens) tight(i int) bool {
	return i > 0 && i < len(t.tokens) && !t.tokens[i].Space && !t.tokens[i].Newline
}

func unquoted(name string) string { return strings.Trim(name, "`") }

// pair finds the ends of brackets and conditions. It returns false if they do not match.
func (t *Tokens) pair() bool {
	t.closing, t.parent = make([]int, len(t.tokens)), make([]int, len(t.tokens))
	var open, conditions []int
	var depths []int
	for i := range t.tokens {
		t.parent[i] = -1
		if n := len(open); n > 0 {
			t.parent[i] = open[n-1]
		}
		switch text := t.at(i); t.tokens[i].Kind {
		case source.Pound:
			switch text {
			case "#if":
				conditions, depths = append(conditions, i), append(depths, len(open))
			case "#elseif", "#else", "#endif":
				n := len(conditions) - 1
				if n < 0 || depths[n] != len(open) {
					return false
				}
				if text == "#endif" {
					t.closing[conditions[n]] = i
					conditions, depths = conditions[:n], depths[:n]
				}
			}
		case source.Punct:
			switch text {
			case "(", "[", "{":
				open = append(open, i)
			case ")", "]", "}":
				n := len(open) - 1
				if n < 0 || pairs[t.at(open[n])] != text {
					return false
				}
				t.closing[open[n]] = i
				open = open[:n]
			}
		}
	}
	return len(open)+len(conditions) == 0
}

var pairs = map[string]string{"(": ")", "[": "]", "{": "}"}

// typeEnd returns the token after the type that begins at a token.
func (w *walker) typeEnd(i int) int {
	for range maxParameters {
		for w.at(i) == "@" || w.isName(i) && isTypeKeyword(w.at(i)) || w.at(i) == "repeat" || w.at(i) == "each" || w.at(i) == "~" {
			if w.at(i) == "@" {
				i++
				if w.at(i+1) == "(" && w.tight(i+1) {
					i = w.closing[i+1]
				}
			}
			i++
		}
		switch {
		case w.at(i) == "(" || w.at(i) == "[":
			i = w.closing[i] + 1
			for w.at(i) == "." && contains(" Type Protocol ", w.at(i+1)) {
				i += 2
			}
		case w.isName(i):
			i++
			for {
				if w.at(i) != "" && w.at(i)[0] == '<' && w.kind(i) == source.Oper && w.tight(i) {
					if c := w.angle(i); c > 0 {
						i = c
					}
				}
				if w.at(i) == "." && w.isName(i+1) {
					i += 2
					continue
				}
				break
			}
		default:
			return i
		}
		for w.kind(i) == source.Oper && w.tight(i) && strings.Trim(w.at(i), "?!") == "" {
			i++
		}
		for w.at(i) == "async" || w.at(i) == "throws" || w.at(i) == "rethrows" {
			i++
			if w.at(i) == "(" && w.at(i-1) == "throws" {
				i = w.closing[i] + 1
			}
		}
		if w.at(i) == "->" || w.at(i) == "&" {
			i++
			continue
		}
		return i
	}
	return i
}

// angle returns the token after the one that closes the generic arguments at a token, or 0 if they are none.
func (w *walker) angle(i int) int {
	depth := 0
	for n := 0; i < len(w.tokens) && n < maxParameters; n++ {
		switch text := w.at(i); w.kind(i) {
		case source.Oper:
			switch {
			case strings.Trim(text, "<") == "":
				depth += len(text)
			case strings.Trim(text, ">?!") == "" && strings.Contains(text, ">"):
				if depth -= strings.Count(text, ">"); depth == 0 {
					return i + 1
				} else if depth < 0 {
					return 0
				}
			case text != "->" && text != "&" && text != "?" && text != "!" && text != "~" && text != "...":
				return 0
			}
		case source.Punct:
			switch text {
			case "(", "[":
				i = w.closing[i]
			case ",", ".", ":", "@":
			default:
				return 0
			}
		case source.Ident, source.Integer:
		default:
			return 0
		}
		i++
	}
	return 0
}

// written returns the value of a type that is written between two tokens.
func (w *walker) written(i, end int) value {
	if i >= end {
		return value{}
	}
	return w.typed(w.between(i, end))
}

// typed returns the value of a type that is written in the current scope.
func (w *walker) typed(text string) value {
	return w.program.typed(text, w.context())
}
