package dts

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/work"
)

// token is one lexical token of the source.
type token struct {
	pos, end uint32
	// match is the index of the matching bracket. For an unclosed bracket, it is
	// the last token inside it.
	match int32
	// doc is 1 + the index of the last doc comment directly before the token.
	doc int32
	// kind is 0 for a closing bracket without a partner, and for an unclosed
	// string.
	kind kind
	// nl is true if there is a line break before this token.
	nl bool
}

// comment is a doc comment: "/** … */".
type comment struct {
	pos, end uint32
	// file is true if the comment describes the whole file.
	file bool
}

func (c comment) text(src string) string { return src[c.pos:c.end] }

// lexer holds buffers that are reused for the next file.
type lexer struct {
	src   string
	toks  []token
	opens []int32
	full  bool // whether the source has more than maxTokens tokens
	meter *work.Meter
}

// stepTokens is the number of tokens and white space characters after which the steps are
// counted.
const stepTokens = 256

var lexers = sync.Pool{New: func() any { return new(lexer) }}

// release returns the lexer to the pool, unless its buffers are as large as a huge
// file requires.
func (l *lexer) release() {
	l.src, l.meter = "", nil
	if cap(l.toks) <= 1<<20 {
		lexers.Put(l)
	}
}

// These are the classes of bytes.
const (
	cOther = iota
	cSpace
	cLine
	cIdent
	cDigit
	cHigh
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == '\n':
			t[c] = cLine
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			t[c] = cSpace
		case c == '_' || c == '$' || c == '\\' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			t[c] = cIdent
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c >= utf8.RuneSelf:
			t[c] = cHigh
		}
	}
	return t
}()

// lex fills l.toks with the tokens of the file and a final one of kind eof.
func (l *lexer) lex(f *File) {
	src := f.Source
	l.src, l.toks, l.opens, l.full = src, l.toks[:0], l.opens[:0], false
	if want := min(len(src)/8, maxTokens); cap(l.toks) < want {
		l.toks = make([]token, 0, want)
	}
	i := 0
	if strings.HasPrefix(src, "\uFEFF") {
		i = 3
	}
	if strings.HasPrefix(src[i:], "#!") {
		i = lineEnd(src, i)
	}
	nl, doc, noRegex := true, int32(0), 0
	for step := 1; i < len(src); step++ {
		if step%stepTokens == 0 {
			l.meter.Step(stepTokens)
		}
		if l.full = len(l.toks) >= maxTokens; l.full {
			break
		}
		c := src[i]
		pos := i
		k := kind(c)
		switch class[c] {
		case cSpace:
			i++
			continue
		case cLine:
			i++
			nl = true
			continue
		case cIdent:
			i = identEnd(src, i+1)
			k = ident
			if c >= 'a' && i-pos <= 10 {
				k = keyword(src[pos:i])
			}
		case cDigit:
			i = numberEnd(src, i)
			k = number
		case cHigh:
			r, n := utf8.DecodeRuneInString(src[i:])
			if unicode.IsSpace(r) || r == 0xFEFF || r == 0x2028 || r == 0x2029 {
				i += n
				nl = nl || r == 0x2028 || r == 0x2029
				continue
			}
			i = identEnd(src, i+n)
			k = ident
		default:
			next := byte(0)
			if i+1 < len(src) {
				next = src[i+1]
			}
			switch c {
			case '/':
				if next == '/' {
					end := lineEnd(src, i)
					if len(l.toks) == 0 {
						f.reference(src[i:end])
					}
					i = end
					continue
				}
				if next == '*' {
					end := len(src)
					if n := strings.Index(src[i+2:], "*/"); n >= 0 {
						end = i + 2 + n + 2
					}
					nl = nl || strings.IndexByte(src[i:end], '\n') >= 0
					if end-i > 4 && src[i+2] == '*' {
						c := comment{pos: uint32(i), end: uint32(end)}
						c.file = describesFile(src[i:end])
						f.docs = append(f.docs, c)
						if !c.file {
							doc = int32(len(f.docs))
						}
					}
					i = end
					continue
				}
				i++
				if i >= noRegex && l.regexCanStart(pos, next) {
					if end := regexEnd(src, i); end > 0 {
						i, k = end, regex
					} else {
						// Do not search the rest of this line again, because it has no
						// closing slash.
						noRegex = lineEnd(src, i)
					}
				}
			case '"', '\'':
				i = stringEnd(src, i)
				k = str
				if src[i-1] != c || i-pos < 2 {
					k = 0 // the string is not closed
				}
			case '`':
				i = templateEnd(src, i)
				k = template
				if src[i-1] != c || i-pos < 2 {
					k = 0
				}
			case '#':
				i = identEnd(src, i+1)
				k = private
			case '=':
				i++
				if next == '>' {
					i++
					k = arrow
				}
			case '.':
				i++
				if next == '.' && strings.HasPrefix(src[i:], "..") {
					i += 2
					k = ellipsis
				} else if class[next] == cDigit {
					i = numberEnd(src, i)
					k = number
				}
			default:
				i++
			}
		}
		t := token{pos: uint32(pos), end: uint32(i), doc: doc, kind: k, nl: nl}
		switch k {
		case '(', '[', '{':
			l.opens = append(l.opens, int32(len(l.toks)))
		case ')', ']', '}':
			l.close(&t)
		}
		l.toks = append(l.toks, t)
		nl, doc = false, 0
	}
	last := int32(len(l.toks))
	for _, o := range l.opens {
		l.toks[o].match = last // The bracket is open until the end of the file.
	}
	n := uint32(len(src))
	l.toks = append(l.toks, token{pos: n, end: n, kind: eof, nl: true, doc: doc, match: last})
}

// close pairs a closing bracket with its opening one. Unclosed brackets in
// between end before it; a closing bracket without an opening one is an
// ordinary token.
func (l *lexer) close(t *token) {
	open := kind('(')
	switch t.kind {
	case ']':
		open = '['
	case '}':
		open = '{'
	}
	// Search a few levels only, so that a source full of unmatched brackets
	// takes linear time.
	for n := len(l.opens) - 1; n >= 0 && n >= len(l.opens)-8; n-- {
		o := l.opens[n]
		if l.toks[o].kind != open {
			continue
		}
		for _, u := range l.opens[n+1:] {
			l.toks[u].match = int32(len(l.toks) - 1)
		}
		l.toks[o].match, t.match = int32(len(l.toks)), o
		l.opens = l.opens[:n]
		return
	}
	t.kind = 0
}

// regexCanStart reports whether a slash at an offset, after the last token, begins a regular
// expression rather than a division.
func (l *lexer) regexCanStart(at int, next byte) bool {
	if len(l.toks) == 0 {
		return true
	}
	t := &l.toks[len(l.toks)-1]
	switch t.kind {
	case ident, kwThis, kwAs, kwFrom, kwGet, kwSet, kwType, kwOut, kwIs, kwGlobal, kwModule, private, number, str, template, regex, ']':
		return false
	case '<':
		return int(t.end) != at // the end of an element, such as </x>
	case ')':
		if t.match == 0 {
			return false
		}
		before := l.toks[t.match-1].kind
		return before == kwIf || before == kwWhile || before == kwFor
	case '}':
		return next != '>' // the element <x {...props} /> ends
	}
	return true
}

func lineEnd(src string, i int) int {
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

func identEnd(src string, i int) int {
	for i < len(src) {
		switch class[src[i]] {
		case cIdent, cDigit:
			i++
			continue
		case cHigh:
			r, n := utf8.DecodeRuneInString(src[i:])
			if unicode.IsSpace(r) || r == 0xFEFF || r == 0x2028 || r == 0x2029 {
				return i
			}
			i += n
			continue
		case cOther:
			// In a name, \u{61} represents one character.
			if src[i] == '{' && strings.HasSuffix(src[:i], `\u`) {
				if n := strings.IndexByte(src[i:], '}'); n > 0 && n < 9 {
					i += n + 1
					continue
				}
			}
		}
		return i
	}
	return i
}

func numberEnd(src string, i int) int {
	hex := strings.HasPrefix(src[i:], "0x") || strings.HasPrefix(src[i:], "0X")
	for i < len(src) {
		c := src[i]
		if class[c] != cDigit && class[c] != cIdent && c != '.' || c == '\\' {
			break
		}
		i++
		if (c == 'e' || c == 'E') && !hex && i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
	}
	return i
}

// stringEnd returns the end of the string that starts at i. An unclosed string
// ends with its line.
func stringEnd(src string, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			i++
			if i+1 < len(src) && src[i] == '\r' && src[i+1] == '\n' {
				i++
			}
		case '\n':
			return i
		}
	}
	return len(src)
}

// templateEnd returns the end of the template that starts at i, with the
// templates and strings nested in its substitutions.
func templateEnd(src string, i int) int {
	// Each level is -1 for the text of a template, or the number of open braces
	// in a substitution.
	levels := []int{-1}
	noRegex := 0
	for i++; i < len(src); i++ {
		top := &levels[len(levels)-1]
		c := src[i]
		if *top < 0 {
			switch c {
			case '\\':
				i++
			case '`':
				levels = levels[:len(levels)-1]
				if len(levels) == 0 {
					return i + 1
				}
			case '$':
				if i+1 < len(src) && src[i+1] == '{' {
					i++
					levels = append(levels, 0)
				}
			}
			continue
		}
		switch c {
		case '`':
			levels = append(levels, -1)
		case '{':
			*top++
		case '}':
			if *top == 0 {
				levels = levels[:len(levels)-1]
			} else {
				*top--
			}
		case '"', '\'':
			i = stringEnd(src, i) - 1
		case '/':
			if strings.HasPrefix(src[i:], "/*") {
				n := strings.Index(src[i+2:], "*/")
				if n < 0 {
					return len(src)
				}
				i += n + 3
			} else if i >= noRegex && strings.IndexByte("(,=:[!&|?{;+-*%<>", lastByte(src[:i])) >= 0 {
				if end := regexEnd(src, i+1); end > 0 {
					i = end - 1
				} else {
					noRegex = lineEnd(src, i)
				}
			}
		}
	}
	return len(src)
}

// lastByte returns the last byte of s that is not a space. It returns 0 if there is
// none near the end.
func lastByte(s string) byte {
	for i := len(s) - 1; i >= 0 && i >= len(s)-100; i-- {
		if s[i] != ' ' {
			return s[i]
		}
	}
	return 0
}

// regexEnd returns the end of the regular expression whose first character is
// at i, or 0 if there is none on this line.
func regexEnd(src string, i int) int {
	set := false
	for ; i < len(src); i++ {
		switch src[i] {
		case '\n':
			return 0
		case '\\':
			i++
		case '[':
			set = true
		case ']':
			set = false
		case '/':
			if !set {
				return identEnd(src, i+1)
			}
		}
	}
	return 0
}

// describesFile reports whether a doc comment belongs to the file and not to the
// declaration after it.
func describesFile(doc string) bool {
	for i := 0; ; {
		n := strings.IndexByte(doc[i:], '@')
		if n < 0 {
			return false
		}
		i += n + 1
		word := doc[i:identEnd(doc, i)]
		switch word {
		case "packageDocumentation", "fileoverview", "fileOverview", "overview":
			return true
		case "module", "file":
			return doc[i-2] == ' ' || doc[i-2] == '*'
		}
	}
}

// reference records a line comment that is a triple-slash directive.
func (f *File) reference(line string) {
	rest, ok := strings.CutPrefix(line, "///")
	if !ok {
		return
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), "<reference")
	if !ok {
		return
	}
	rest = strings.ReplaceAll(rest, "\t", " ")
	for _, k := range [...]string{" path", " types", " lib"} { // Ignore references of other kinds, such as no-default-lib.
		_, after, ok := strings.Cut(rest, k)
		if !ok {
			continue
		}
		after = strings.TrimLeft(after, " \t")
		after, ok = strings.CutPrefix(after, "=")
		after = strings.TrimLeft(after, " \t")
		if !ok || after == "" || after[0] != '"' && after[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(after[1:], after[0]); end > 0 {
			f.References = append(f.References, Reference{Kind: k[1:], Target: after[1 : 1+end]})
			return
		}
	}
}
