package source

import (
	"cmp"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/work"
)

// Read reads the declarations in the text of a file.
func Read(text string) *File { return read(nil, text) }

// read reads a text and counts its steps with m.
func read(m *work.Meter, text string) *File {
	lists := scratch.Get().(*[][]Stmt)
	r := reader{scanner: scanner{s: text, meter: m}, file: &File{Text: text}, free: *lists}
	if len(text) > MaxSize {
		r.s = text[:MaxSize]
		r.gap(0, "it is longer than 64 MiB, and the rest is not read")
	}
	r.read()
	*lists = r.free
	scratch.Put(lists)
	return r.file
}

// ReadBody reads the body of the function that is declared at the given line of a file.
func ReadBody(data []byte, line int) []Stmt {
	text, _ := Decode(data[:min(len(data), MaxSize)])
	r := reader{scanner: scanner{s: text}, file: &File{}, bodies: true}
	for n := 1; n < line; n++ {
		end := strings.IndexByte(text[r.pos:], '\n')
		if end < 0 {
			return nil
		}
		r.pos += end + 1
	}
	if s := r.only(Def); s != nil {
		return s.Body
	}
	return nil
}

// ReadClass reads the class that is declared in the line that begins at an offset of a text, which is that of [Decode].
// It returns nil if there is none.
func ReadClass(text string, offset int) *Stmt {
	text = text[:min(len(text), MaxSize)]
	if offset < 0 || offset > len(text) {
		return nil
	}
	r := reader{scanner: scanner{s: text}, file: &File{}}
	r.pos = offset
	return r.only(Class)
}

// only reads the statement at the current position. It returns nil if the statement is of another kind.
func (r *reader) only(kind Kind) *Stmt {
	indent := r.indentation()
	if indent < 0 {
		return nil
	}
	var out []Stmt
	r.statement(&out, indent, 0, function)
	if len(out) != 1 || out[0].Kind != kind {
		return nil
	}
	return &out[0]
}

// scratch contains lists of statements that are reused for the next file.
var scratch = sync.Pool{New: func() any { return new([][]Stmt) }}

// maxScratch is the maximum length of lists that are reused.
const maxScratch = 4096

// ReadBytes decodes a file and reads it.
func ReadBytes(data []byte) *File { return ReadMetered(nil, data) }

// ReadMetered is like [ReadBytes] and counts its steps with m.
func ReadMetered(m *work.Meter, data []byte) *File {
	return readDecoded(m, data, func(text string) string { return text })
}

// readDecoded decodes a file, converts its text to Python and reads it.
func readDecoded(m *work.Meter, data []byte, convert func(string) string) *File {
	text, gap := Decode(data[:min(len(data), MaxSize+1)])
	f := read(m, convert(text))
	if gap.Line > 0 {
		f.Body = f.withoutUndecoded(f.Body, 0)
		f.Gaps = append([]Gap{gap}, f.Gaps[:min(len(f.Gaps), maxGaps-1)]...)
	}
	return f
}

// withoutUndecoded omits the functions and classes whose declarations contain characters
// that could not be decoded. It keeps such characters in docstrings and values.
func (f *File) withoutUndecoded(body []Stmt, depth int) []Stmt {
	decoded := body[:0]
	for i := range body {
		s := &body[i]
		if strings.Contains(s.Name+s.Params+s.Returns, "\uFFFD") && s.Kind != Assign {
			if len(f.Gaps) < maxGaps {
				f.Gaps = append(f.Gaps, Gap{s.Line, "it contains bytes that could not be decoded" + lost})
			}
			continue
		}
		if depth < maxNesting {
			s.Body, s.Else = f.withoutUndecoded(s.Body, depth+1), f.withoutUndecoded(s.Else, depth+1)
		}
		decoded = append(decoded, *s)
	}
	return decoded
}

// lost is the end of the text of a gap that contains a declaration.
const lost = ", so the declaration is not read"

// reader reads the statements of one file.
type reader struct {
	scanner
	file *File
	pos  int
	// lines is the number of lines before the offset counted.
	counted, lines int
	statements     int
	bodies         bool // whether the bodies of functions are read
	// free are empty lists of statements for reuse.
	free [][]Stmt
	// strings and aliased are arrays from which short lists are sliced.
	strings []string
	aliased []Alias
	// decorators and comment belong to the statement that is read next.
	decorators []*Expression
	comment    string
	// joined is the beginning of the lines that backslashes join before the statement at joinedEnd.
	joined, joinedEnd int
}

func (r *reader) gap(pos int, text string) {
	if len(r.file.Gaps) < maxGaps {
		r.file.Gaps = append(r.file.Gaps, Gap{r.line(pos), text})
	}
}

// line returns the number of the line at the given position.
func (r *reader) line(pos int) int {
	if pos < r.counted {
		r.lines -= strings.Count(r.s[pos:r.counted], "\n")
	} else {
		r.lines += strings.Count(r.s[r.counted:pos], "\n")
	}
	r.counted = pos
	return r.lines + 1
}

func (r *reader) read() {
	r.file.Doc = r.docstring(-1)
	r.block(&r.file.Body, -1, 0, module)
}

// place is the kind of code that a block belongs to.
type place uint8

const (
	module place = iota
	class
	function // a function whose body is read for its imports and results
)

// indentation moves to the next line that contains a statement. It returns the
// indentation of that line, or -1 at the end of the file. It records "#:" comments in
// between.
func (r *reader) indentation() int {
	s := r.s
	joined, first := -1, 0 // the beginning of lines that backslashes join, and the first indentation in them
	for r.pos < len(s) {
		indent, j := leadingSpace(s, r.pos)
		if j == len(s) {
			break
		}
		if s[j] == '\\' && strings.HasPrefix(strings.TrimPrefix(s[j+1:], "\r"), "\n") {
			if joined < 0 {
				joined = r.pos
			}
			first = cmp.Or(first, indent)
			r.pos = j + strings.IndexByte(s[j:], '\n') + 1
			continue
		}
		switch s[j] {
		case '\n':
			r.pos = j + 1
			r.comment = ""
			joined, first = -1, 0
		case '#':
			end := strings.IndexByte(s[j:], '\n')
			if end < 0 {
				end = len(s) - j
			}
			if text, ok := strings.CutPrefix(s[j:j+end], "#:"); ok {
				if r.comment != "" {
					r.comment += "\n"
				}
				r.comment += strings.TrimSpace(text)
			} else {
				r.comment = ""
			}
			r.pos = min(j+end+1, len(s))
		case '\\':
			r.pos = r.skip(j)
		default:
			r.pos = j
			if joined >= 0 {
				r.joined, r.joinedEnd = joined, j
			}
			return cmp.Or(first, indent)
		}
	}
	r.pos = len(s)
	return -1
}

// lineStart returns the beginning of the line that contains r.pos, or of the lines that backslashes
// join to its indentation.
func (r *reader) lineStart() int {
	if r.pos == r.joinedEnd {
		return r.joined
	}
	return strings.LastIndexByte(r.s[:r.pos], '\n') + 1
}

// block reads the statements that are indented by more than parent.
func (r *reader) block(out *[]Stmt, parent, depth int, in place) {
	var list []Stmt
	if n := len(r.free); n > 0 {
		list, r.free = r.free[n-1], r.free[:n-1]
	}
	r.statementsBelow(&list, parent, depth, in)
	*out = append(*out, list...)
	if cap(list) <= maxScratch {
		clear(list)
		r.free = append(r.free, list[:0])
	}
}

func (r *reader) statementsBelow(out *[]Stmt, parent, depth int, in place) {
	start := r.pos
	for {
		indent := r.indentation()
		if indent <= parent {
			if indent >= 0 {
				r.pos = max(r.lineStart(), start) // Never return to text that was already read.
			}
			r.decorators = nil
			return
		}
		if depth > maxNesting || r.statements >= maxStatements {
			if depth > maxNesting {
				r.gap(r.pos, "blocks are nested too deeply, and the inner ones are not read")
			} else {
				r.gap(r.pos, "it has too many statements, and the rest is not read")
			}
			r.pos = r.skip(r.pos)
			r.skipBlock(parent)
			return
		}
		r.statement(out, indent, depth, in)
	}
}

// leadingSpace returns the width of the white space at start, where a tab extends to the
// next multiple of 8, and the offset after it.
func leadingSpace(s string, start int) (width, end int) {
	for end = start; end+4 <= len(s) && s[end:end+4] == "    "; {
		end += 4
	}
	for end < len(s) && s[end] == ' ' {
		end++
	}
	for width = end - start; end < len(s); end++ {
		switch s[end] {
		case ' ':
			width++
		case '\t':
			width = (width/8 + 1) * 8
		case '\f':
			width = 0
		case '\r':
		default:
			return width, end
		}
	}
	return width, end
}

// skipBlock skips the lines that are indented by more than parent.
func (r *reader) skipBlock(parent int) {
	s := r.s
	if end := r.plainBlock(parent); end >= 0 {
		r.step(r.pos, end)
		r.pos = end
		return
	}
	for r.pos < len(s) {
		indent, j := leadingSpace(s, r.pos)
		switch {
		case j == len(s):
			r.pos = j
			return
		case s[j] == '\n':
			r.pos = j + 1
		case s[j] == '#':
			end := strings.IndexByte(s[j:], '\n')
			if end < 0 {
				r.pos = len(s)
				return
			}
			r.pos = j + end + 1
		case indent <= parent:
			return
		default:
			r.pos = r.skip(j)
		}
	}
}

// plainBlock returns the end of the lines that are indented more than parent, judged only by their
// indentation. It returns -1 if a string or a bracket may span lines.
func (r *reader) plainBlock(parent int) int {
	s, pos := r.s, r.pos
	for pos < len(s) {
		indent, j := leadingSpace(s, pos)
		if j == len(s) {
			pos = j
			break
		}
		if indent <= parent && s[j] != '\n' && s[j] != '#' {
			if !isIdent(s[j]) && s[j] != '@' {
				return -1
			}
			break
		}
		k := strings.IndexByte(s[j:], '\n')
		if k < 0 {
			pos = len(s)
			break
		}
		pos = j + k + 1
	}
	text := s[r.pos:pos]
	if strings.HasSuffix(text, "\\\n") || strings.HasSuffix(text, "\\\r\n") || strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
		return -1
	}
	for _, pair := range [...]string{"()", "[]", "{}"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
			return -1
		}
	}
	return pos
}

// docstring reads the string at the beginning of the block below parent. It
// returns "" if there is none.
func (r *reader) docstring(parent int) string {
	start, comment := r.pos, r.comment
	indent := r.indentation()
	pos := r.pos
	r.pos, r.comment = start, comment // The comments belong to the statement that is read next.
	if indent <= parent || indent < 0 {
		return ""
	}
	if quote := stringPrefix(r.s[pos:]); quote < 0 {
		return ""
	}
	l := r.scanner.statement(pos)
	if text := r.s[pos:l.end]; onlyStrings(text) {
		if l.semi < 0 {
			r.pos = l.next
		}
		return text
	}
	return ""
}

// stringPrefix returns the index of the quote if s begins with a string literal that can
// be a docstring, or else -1.
func stringPrefix(s string) int {
	for i := 0; i < 3 && i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			return i
		case 'r', 'R', 'u', 'U':
		default:
			return -1
		}
	}
	return -1
}

// onlyStrings reports whether s consists of one or more string literals.
func onlyStrings(s string) bool {
	c := scanner{s: s}
	found := false
	for i := 0; i < len(s); {
		switch {
		case isSpace(s[i]), s[i] == '\n', s[i] == '\\':
			i++
		case s[i] == '(' || s[i] == ')':
			return false
		default:
			q := stringPrefix(s[i:])
			if q < 0 {
				return false
			}
			end, closed := c.plainEnd(i + q)
			if !closed {
				return false
			}
			i = end
			found = true
		}
	}
	return found
}

// ReadDoc returns the docstring at the beginning of a module, as a literal. head is the beginning
// of the file, which is sufficient.
func ReadDoc(head []byte) string {
	text, _ := Decode(head)
	r := reader{scanner: scanner{s: text}, file: &File{}}
	return r.docstring(-1)
}
