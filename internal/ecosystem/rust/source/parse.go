package source

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/work"
)

// Parse reads the items of a file. It does not read text beyond MaxText bytes.
func Parse(text string) *File { return ParseMetered(nil, text) }

// ParseMetered is like [Parse]. It counts its steps with m, and does not read the rest of the file
// once the steps are used up.
func ParseMetered(m *work.Meter, text string) *File {
	return parse(text, parser{meter: m})
}

// ParseOutline is like [ParseMetered], but does not read the items of implementations, which are
// most of the items of large crates, and does not keep the text of bodies if it is most of the text.
// [File.ReadImpl] reads the items.
func ParseOutline(m *work.Meter, text string) *File {
	return parse(text, parser{meter: m, outline: true})
}

// ReadImpl reads the items of an implementation in a file that [ParseOutline] returned. whole is
// the file itself or, if it is [File.Shortened], a file with the original text, to which the spans
// of the items refer. ReadImpl returns the number of the items, or 0 if they have already been read.
func (f *File) ReadImpl(m *work.Meter, it *Item, whole *File) int {
	if it.Kind != Impl || it.Body.Empty() {
		return 0
	}
	removed, _ := f.removed(it.Body.Start)
	p := parser{Scanner: Scanner{Text: whole.Text, Pos: int(it.Body.Start) + removed}, file: whole, meter: m, members: 1}
	it.Body = Span{}
	p.next()
	it.Items = p.items(1, false)
	return p.count
}

func parse(text string, p parser) *File {
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	f := &File{Text: text}
	p.Text, p.file = text, f
	p.start()
	f.Inner = p.inner()
	f.Items = p.items(0, false)
	for p.tok.Kind != EOF { // A closing bracket without an opening one has ended the items.
		f.Lost++
		p.next()
		f.Items = append(f.Items, p.items(0, false)...)
	}
	f.Count = p.count
	if short := f.shorten(p.bodies); short != "" {
		outline := parse(short, parser{meter: p.meter, outline: true})
		outline.cuts, outline.Count, outline.Lost = f.cuts, f.Count, f.Lost
		return outline
	}
	return f
}

// AddAttributes adds outer attributes to each item, before the item's own. It appends
// their text to the text of the file.
func (f *File) AddAttributes(text string) {
	if text == "" {
		return
	}
	p := parser{Scanner: Scanner{Text: f.Text + "\n" + text, Pos: len(f.Text)}, file: f}
	f.Text = p.Text
	p.next()
	added := p.attrs()
	for _, it := range f.Items {
		it.Attrs = slices.Concat(added, it.Attrs)
	}
}

type parser struct {
	Scanner
	file   *File
	tok    Token
	last   int // end of the previous token
	nested int // nesting of braces in a use
	room   []Item
	parts  []Parts
	chunk  int // number of items to allocate at once
	count  int // number of items
	spare  *Item
	open   []*Item // items of the enclosing blocks, whose lists are not complete
	lists  []*Item // memory for lists of items
	tokens int     // number of tokens that meter has not counted yet
	meter  *work.Meter
	// outline is true if the items of implementations are skipped.
	outline bool
	bodies  []Span  // the bodies of implementations and functions that were skipped
	listed  []Attr  // attributes; the attributes being read are at the end
	members int     // nesting depth of implementations and traits
	local   []*Item // blocks with the items in bodies that were read, until they are added to the items of the module
}

// start skips a byte order mark and a shebang, and reads the first token.
func (p *parser) start() {
	rest := strings.TrimPrefix(p.Text, "\uFEFF")
	p.Pos = len(p.Text) - len(rest)
	if line, ok := strings.CutPrefix(rest, "#!"); ok && !strings.HasPrefix(strings.TrimLeft(line, " \t\r\n"), "[") {
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		p.Pos += end
	}
	p.next()
}

func (p *parser) next() {
	p.last = p.tok.End
	if p.tokens++; p.tokens == stepTokens {
		p.tokens = 0
		if !p.meter.Step(stepTokens) {
			p.Pos = len(p.Text)
		}
	}
	p.tok = p.Next()
}

// stepTokens is the number of tokens that are counted at once.
const stepTokens = 256

// jump continues at the given position.
func (p *parser) jump(pos int) {
	p.Pos = pos
	p.tok.End = pos
	p.next()
}

func (p *parser) is(c byte) bool { return p.tok.Kind == Punct && p.tok.Byte == c }

func (p *parser) word() string {
	if p.tok.Kind == Ident {
		return p.Text[p.tok.Start:p.tok.End]
	}
	return ""
}

func (p *parser) eat(c byte) bool {
	if p.is(c) {
		p.next()
		return true
	}
	return false
}

func (p *parser) eatWord(w string) bool {
	if p.tok.Kind == Ident && p.Text[p.tok.Start:p.tok.End] == w {
		p.next()
		return true
	}
	return false
}

// name reads an identifier.
func (p *parser) name() string {
	n := strings.TrimPrefix(p.word(), "r#")
	if n != "" {
		p.next()
	}
	return n
}

// group skips the group that begins at the current token and returns its
// contents.
func (p *parser) group() Span {
	start := p.tok.Start
	end := skip(p.Text, start)
	p.jump(end)
	inner := span(start+1, end-1)
	if end == len(p.Text) && (end < 1 || !strings.ContainsRune(")]}", rune(p.Text[end-1]))) {
		inner.End = int32(end)
	}
	return inner
}

func (p *parser) opens() bool { return p.is('{') || p.is('(') || p.is('[') }

// inner reads inner attributes and comments.
func (p *parser) inner() []Attr {
	n := 0
	for {
		switch {
		case p.tok.Kind == DocInner:
			n = p.addAttr(n, Attr{DocInner, true, span(p.tok.Start, p.tok.End)})
			p.next()
		case p.is('#') && p.bang():
			p.next()
			p.next()
			n = p.addAttr(n, Attr{Punct, true, p.group()})
		default:
			return p.attrList(n)
		}
	}
}

// bang reports whether "![" follows the current token.
func (p *parser) bang() bool {
	s := Scanner{Text: p.Text, Pos: p.Pos}
	if t := s.Next(); t.Kind != Punct || t.Byte != '!' {
		return false
	}
	t := s.Next()
	return t.Kind == Punct && t.Byte == '['
}

// attrs reads outer attributes and doc comments. It skips misplaced inner ones.
func (p *parser) attrs() []Attr {
	n := 0
	for {
		switch {
		case p.tok.Kind == DocOuter:
			n = p.addAttr(n, Attr{DocOuter, false, span(p.tok.Start, p.tok.End)})
			p.next()
		case p.tok.Kind == DocInner:
			p.next()
		case p.is('#'):
			p.next()
			inner := p.eat('!')
			if !p.is('[') {
				continue
			}
			if body := p.group(); !inner {
				n = p.addAttr(n, Attr{Punct, false, body})
			}
		default:
			return p.attrList(n)
		}
	}
}

// items reads items up to the closing brace of their block. If lenient is true, the block
// may also contain statements.
func (p *parser) items(depth int, lenient bool) []*Item {
	mark := len(p.open)
	for {
		attrs := p.attrs()
		if p.tok.Kind == EOF || p.is('}') {
			return p.list(mark)
		}
		before := p.tok.Start
		if it := p.item(depth, attrs); it != nil {
			p.open = append(p.open, it)
			if p.members == 0 {
				p.open = append(p.open, p.local...)
				p.local = nil
			}
			continue
		}
		if !lenient && !p.is(';') {
			p.file.Lost++
		}
		switch {
		case p.tok.Kind == EOF:
			return p.list(mark)
		case p.tok.Start > before: // Tokens were skipped.
		case p.opens():
			if body := p.group(); lenient {
				p.readLocal(body, nil, depth)
			}
		default:
			p.next()
		}
	}
}

func (p *parser) new(kind ItemKind) *Item {
	if it := p.spare; it != nil {
		p.spare = nil
		it.Kind = kind
		return it
	}
	if p.count++; p.count > MaxItems { // The limit is exceeded, so stop reading.
		p.Text = p.Text[:p.Pos]
		p.file.Lost++
	}
	if len(p.room) == 0 {
		p.chunk = min(2*p.chunk+1, maxChunk)
		p.room = make([]Item, p.chunk)
	}
	it := &p.room[0]
	p.room = p.room[1:]
	it.Kind, it.Parts = kind, &noParts
	return it
}

// partsOf returns the parts of an item for writing.
func (p *parser) partsOf(it *Item) *Parts {
	if it.Parts == &noParts {
		if len(p.parts) == 0 {
			p.parts = make([]Parts, max(p.chunk/partsShare, 1))
		}
		it.Parts = &p.parts[0]
		p.parts = p.parts[1:]
	}
	return it.Parts
}

const (
	// maxChunk is the maximum number of items that are allocated at once.
	maxChunk = 63
	// partsShare is the number of items that are allocated for each item with
	// parts.
	partsShare = 3
)

// list removes the open items from index mark on, and returns them as the contents of a block.
func (p *parser) list(mark int) []*Item {
	n := len(p.open) - mark
	if n == 0 {
		return nil
	}
	if n > len(p.lists) {
		p.lists = make([]*Item, max(n, p.chunk))
	}
	list := p.lists[:n:n]
	p.lists = p.lists[n:]
	copy(list, p.open[mark:])
	p.open = p.open[:mark]
	return list
}

// addAttr appends an attribute to the last n attributes of p.listed, which are being read. It
// returns n + 1.
func (p *parser) addAttr(n int, a Attr) int {
	if len(p.listed) == cap(p.listed) {
		room := make([]Attr, n, max(2*n, p.chunk, 2))
		copy(room, p.listed[len(p.listed)-n:])
		p.listed = room
	}
	p.listed = append(p.listed, a)
	return n + 1
}

// attrList returns the last n attributes.
func (p *parser) attrList(n int) []Attr {
	if n == 0 {
		return nil
	}
	return p.listed[len(p.listed)-n : len(p.listed) : len(p.listed)]
}

// visibility reads pub and its restriction.
func (p *parser) visibility(it *Item) {
	switch p.word() {
	case "pub":
		p.next()
		it.Vis = Public
		if p.is('(') {
			// The text pub (A, B) declares a tuple field of type (A, B).
			s := Scanner{Text: p.Text, Pos: p.Pos}
			first := s.Next()
			word := ""
			if first.Kind == Ident {
				word = p.Text[first.Start:first.End]
			}
			second := s.Next()
			closes := second.Kind == Punct && second.Byte == ')'
			if word == "in" || closes && (word == "crate" || word == "self" || word == "super") {
				it.Vis = Restricted
				path := p.group()
				if word == "in" {
					path.Start = int32(first.End)
				}
				p.partsOf(it).VisPath = path
			}
		}
	case "crate":
		// Old compilers use the form crate struct X.
		s := Scanner{Text: p.Text, Pos: p.Pos}
		if t := s.Next(); t.Kind == Ident {
			start := p.tok
			p.next()
			it.Vis = Restricted
			p.partsOf(it).VisPath = span(start.Start, start.End)
		}
	}
}

// item reads one item. It returns nil if there is none.
func (p *parser) item(depth int, attrs []Attr) *Item {
	it := p.new(0)
	room := len(p.room)
	it.Attrs = attrs
	it.Start = int32(p.tok.Start)
	p.visibility(it)
	p.flags(it)
	ok := false
	switch word := p.word(); word {
	case "fn":
		ok = p.function(it, depth)
	case "struct":
		ok = p.structure(it, Struct)
	case "enum":
		ok = p.enum(it)
	case "trait":
		ok = p.trait(it, depth)
	case "impl":
		ok = p.impl(it, depth)
	case "mod":
		ok = p.module(it, depth)
	case "type":
		ok = p.alias(it)
	case "const", "static":
		ok = p.constant(it, depth)
	case "use":
		ok = p.use(it)
	case "extern":
		ok = p.extern(it, depth)
	case "":
		if p.is(':') || p.is('$') {
			ok = p.call(it)
		}
	case "union", "macro", "macro_rules", "auto":
		ok = p.contextual(it, word)
	default:
		ok = p.call(it)
	}
	if !ok {
		if len(p.room) == room { // No item was stored, so reuse the memory.
			*it = Item{Parts: &noParts}
			p.spare = it
		}
		return nil
	}
	it.End = int32(p.last)
	return it
}

// flags reads the keywords before fn, impl, trait and others.
func (p *parser) flags(it *Item) {
	for {
		word := p.word()
		switch word {
		case "const", "async", "unsafe", "default", "safe", "gen", "extern":
		default:
			return
		}
		if next := p.Pos + 1; next < len(p.Text) && p.Text[next] >= 'A' && p.Text[next] <= 'Z' {
			return // the word is the name of a constant
		}
		s := Scanner{Text: p.Text, Pos: p.Pos}
		t := s.Next()
		follows := ""
		if t.Kind == Ident {
			follows = p.Text[t.Start:t.End]
		}
		abi := Span{}
		if word == "extern" && t.Kind == Literal {
			abi = span(t.Start, t.End)
			if t = s.Next(); t.Kind == Ident {
				follows = p.Text[t.Start:t.End]
			} else {
				follows = ""
			}
		}
		switch follows {
		case "fn", "unsafe", "async", "const", "extern", "safe", "gen":
		case "impl", "trait", "auto":
			if word == "extern" || word == "async" {
				return
			}
		case "type", "static":
			if word != "default" && word != "safe" && word != "unsafe" {
				return
			}
		case "mod":
			if word != "unsafe" {
				return
			}
		default:
			return
		}
		switch word {
		case "const":
			if follows == "const" {
				return
			}
			it.Flags |= IsConst
		case "async":
			it.Flags |= IsAsync
		case "unsafe":
			it.Flags |= IsUnsafe
			if follows == "extern" && !p.externFn() {
				p.next()
				return
			}
		case "default":
			it.Flags |= IsDefault
		case "safe":
			it.Flags |= IsSafe
		case "gen":
			it.Flags |= IsGen
		case "extern":
			if follows == "static" || follows == "type" {
				return
			}
			it.Flags |= IsExtern
			if !abi.Empty() {
				p.partsOf(it).ABI = abi
			}
		}
		p.next()
		if word == "extern" && !abi.Empty() {
			p.next()
		}
	}
}

// externFn reports whether the extern after the current token belongs to a
// function rather than to a block.
func (p *parser) externFn() bool {
	s := Scanner{Text: p.Text, Pos: p.Pos}
	s.Next()
	t := s.Next()
	if t.Kind == Literal {
		t = s.Next()
	}
	return t.Kind == Ident
}
