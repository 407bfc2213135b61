package source

import "strings"

// Parse reads the items of a file. The text is at most MaxText bytes; what is
// behind them is not read.
func Parse(text string) *File {
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	f := &File{Text: text}
	p := parser{Scanner: Scanner{Text: text}, file: f}
	p.start()
	f.Inner = p.inner()
	f.Items = p.items(0, topLevel)
	for p.tok.Kind != EOF { // a stray closing bracket
		f.Lost++
		p.next()
		f.Items = append(f.Items, p.items(0, topLevel)...)
	}
	return f
}

// ItemEnd returns the end of the item at a position of a text, and whether there
// is one.
func ItemEnd(text string, pos int) (end int, ok bool) {
	p := parser{Scanner: Scanner{Text: text, Pos: pos}, file: &File{Text: text}}
	p.next()
	it := p.item(0, topLevel, p.attrs())
	if it == nil {
		return 0, false
	}
	return it.End, true
}

// place is where items stand, which decides what may be there.
type place uint8

const (
	topLevel place = iota
	inTrait
	inImpl
	inForeign
	inBlock
)

type parser struct {
	Scanner
	file   *File
	tok    Token
	last   int // end of the token before
	nested int // braces of a use
	room   []Item
	spare  *Item
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
	p.tok = p.Next()
}

// jump continues at a position.
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

// group skips the group that opens here and returns what it holds.
func (p *parser) group() Span {
	start := p.tok.Start
	end := skip(p.Text, start)
	p.jump(end)
	inner := Span{start + 1, end - 1}
	if end == len(p.Text) && (end < 1 || !strings.ContainsRune(")]}", rune(p.Text[end-1]))) {
		inner.End = end
	}
	return inner
}

func (p *parser) opens() bool { return p.is('{') || p.is('(') || p.is('[') }

// inner reads inner attributes and comments.
func (p *parser) inner() []Attr {
	var all []Attr
	for {
		switch {
		case p.tok.Kind == DocInner:
			all = append(all, Attr{DocInner, true, Span{p.tok.Start, p.tok.End}})
			p.next()
		case p.is('#') && p.bang():
			p.next()
			p.next()
			all = append(all, Attr{Punct, true, p.group()})
		default:
			return all
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

// attrs reads outer attributes and doc comments. Stray inner ones are skipped.
func (p *parser) attrs() []Attr {
	var all []Attr
	for {
		switch {
		case p.tok.Kind == DocOuter:
			all = append(all, Attr{DocOuter, false, Span{p.tok.Start, p.tok.End}})
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
				all = append(all, Attr{Punct, false, body})
			}
		default:
			return all
		}
	}
}

// items reads items up to the closing brace of their block.
func (p *parser) items(depth int, where place) []*Item {
	var all []*Item
	for {
		attrs := p.attrs()
		if p.tok.Kind == EOF || p.is('}') {
			return all
		}
		before := p.tok.Start
		if it := p.item(depth, where, attrs); it != nil {
			all = append(all, it)
			continue
		}
		if where != inBlock && !p.is(';') {
			p.file.Lost++
		}
		switch {
		case p.tok.Kind == EOF:
			return all
		case p.tok.Start > before: // something was skipped
		case p.opens():
			p.group()
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
	if len(p.room) == 0 {
		p.room = make([]Item, 32)
	}
	it := &p.room[0]
	p.room = p.room[1:]
	it.Kind = kind
	return it
}

// visibility reads pub and what restricts it.
func (p *parser) visibility(it *Item) {
	switch p.word() {
	case "pub":
		p.next()
		it.Vis = Public
		if p.is('(') {
			// pub (A, B) is a tuple field of type (A, B).
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
				it.VisPath = p.group()
				if word == "in" {
					it.VisPath.Start = first.End
				}
			}
		}
	case "crate":
		// crate struct X, of old compilers.
		s := Scanner{Text: p.Text, Pos: p.Pos}
		if t := s.Next(); t.Kind == Ident {
			start := p.tok
			p.next()
			it.Vis = Restricted
			it.VisPath = Span{start.Start, start.End}
		}
	}
}

// item reads one item, nil if there is none.
func (p *parser) item(depth int, where place, attrs []Attr) *Item {
	it := p.new(0)
	room := len(p.room)
	it.Attrs = attrs
	it.Start = p.tok.Start
	p.visibility(it)
	p.flags(it)
	ok := false
	switch word := p.word(); word {
	case "fn":
		ok = p.function(it)
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
		if len(p.room) == room { // use it again
			*it = Item{}
			p.spare = it
		}
		return nil
	}
	it.End = p.last
	return it
}

// flags reads the words before fn, impl, trait and others.
func (p *parser) flags(it *Item) {
	for {
		word := p.word()
		switch word {
		case "const", "async", "unsafe", "default", "safe", "gen", "extern":
		default:
			return
		}
		s := Scanner{Text: p.Text, Pos: p.Pos}
		t := s.Next()
		follows := ""
		if t.Kind == Ident {
			follows = p.Text[t.Start:t.End]
		}
		abi := Span{}
		if word == "extern" && t.Kind == Literal {
			abi = Span{t.Start, t.End}
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
			it.ABI = abi
		}
		p.next()
		if word == "extern" && !abi.Empty() {
			p.next()
		}
	}
}

// externFn reports whether the extern after the current token is that of a
// function rather than of a block.
func (p *parser) externFn() bool {
	s := Scanner{Text: p.Text, Pos: p.Pos}
	s.Next()
	t := s.Next()
	if t.Kind == Literal {
		t = s.Next()
	}
	return t.Kind == Ident
}

func (p *parser) function(it *Item) bool {
	it.Kind = Func
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	it.Generics = p.generics()
	if !p.is('(') {
		return false
	}
	it.Params = p.group()
	if p.is('-') {
		p.next()
		p.eat('>')
		it.Output = p.typeSpan("{;")
	}
	it.Where = p.where("{;")
	if p.is('{') {
		it.Flags |= HasBody
		p.group()
		return true
	}
	return p.eat(';') || p.tok.Kind == EOF || p.is('}')
}

// generics reads <…> and returns what is within.
func (p *parser) generics() Span {
	if !p.is('<') {
		return Span{}
	}
	start := p.tok.End
	p.next()
	end := p.angles(start)
	return end
}

// angles reads to the bracket that closes an angle bracket which was read.
func (p *parser) angles(start int) Span {
	depth := 1
	var before Token
	for p.tok.Kind != EOF {
		switch {
		case p.opens():
			before = Token{}
			p.group()
			continue
		case p.is('<'):
			depth++
		case p.is('>') && !arrow(before, p.tok):
			if depth--; depth == 0 {
				end := p.tok.Start
				p.next()
				return Span{start, end}
			}
		case p.is(';') || p.is('}') || p.is(')') || p.is(']'):
			return Span{start, p.tok.Start}
		}
		before = p.tok
		p.next()
	}
	return Span{start, p.tok.Start}
}

// arrow reports whether > ends the arrow of a function type, or =>.
func arrow(before, t Token) bool {
	return before.Kind == Punct && (before.Byte == '-' || before.Byte == '=') && before.End == t.Start
}

// typeSpan reads a type, bounds or the like: up to one of the bytes of stop
// outside of brackets, or the word where.
func (p *parser) typeSpan(stop string) Span {
	span := Span{p.tok.Start, p.tok.Start}
	depth := 0
	var before Token
	for p.tok.Kind != EOF {
		if p.tok.Kind == Punct {
			switch c := p.tok.Byte; {
			case depth == 0 && strings.IndexByte(stop, c) >= 0:
				return span
			case c == '{' || c == '(' || c == '[':
				before = Token{}
				p.group()
				span.End = p.last
				continue
			case c == '<':
				depth++
			case c == '>' && !arrow(before, p.tok):
				depth--
			case c == ';' || c == '}' || c == ')' || c == ']':
				return span
			}
		} else if p.tok.Kind == Ident && depth == 0 && p.word() == "where" {
			return span
		}
		if depth < 0 {
			return span
		}
		if p.tok.Kind != DocOuter && p.tok.Kind != DocInner {
			span.End = p.tok.End
		}
		before = p.tok
		p.next()
	}
	return span
}

// where reads a where clause, without the word.
func (p *parser) where(stop string) Span {
	if !p.eatWord("where") {
		return Span{}
	}
	return p.typeSpan(stop)
}

// value reads an expression up to a semicolon or one of the bytes of stop
// outside of brackets.
func (p *parser) value(stop string) Span {
	span := Span{p.tok.Start, p.tok.Start}
	for p.tok.Kind != EOF {
		switch {
		case p.tok.Kind == Punct && strings.IndexByte(stop, p.tok.Byte) >= 0, p.is('}') || p.is(')') || p.is(']'):
			return span
		case p.opens():
			p.group()
			span.End = p.last
			continue
		}
		span.End = p.tok.End
		p.next()
	}
	return span
}

func (p *parser) structure(it *Item, kind ItemKind) bool {
	it.Kind = kind
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	it.Generics = p.generics()
	it.Where = p.where("{;")
	p.fields(it)
	if it.Shape != Braced {
		if w := p.where(";"); !w.Empty() {
			it.Where = w
		}
		p.eat(';')
	}
	return true
}

// fields reads those of a struct or a variant.
func (p *parser) fields(it *Item) {
	switch {
	case p.is('{'):
		it.Shape = Braced
	case p.is('('):
		it.Shape = Tuple
	default:
		return
	}
	closer := byte('}')
	if it.Shape == Tuple {
		closer = ')'
	}
	p.next()
	for n := 0; p.tok.Kind != EOF && !p.is(closer); n++ {
		attrs := p.attrs()
		if p.is(closer) {
			break
		}
		before := p.tok.Start
		f := p.new(Field)
		f.Attrs, f.Start = attrs, p.tok.Start
		p.visibility(f)
		p.eatWord("unsafe")
		if it.Shape == Braced {
			f.Name = p.name()
			if f.Name == "" || !p.eat(':') {
				f.Name = ""
			}
		} else {
			f.Name = number(n)
		}
		f.Type = p.typeSpan(",=")
		if p.eat('=') { // a default value
			p.value(",")
		}
		f.End = p.last
		if f.Name != "" && !f.Type.Empty() {
			it.Items = append(it.Items, f)
		} else {
			p.file.Lost++
		}
		if !p.eat(',') && !p.is(closer) && p.tok.Start == before {
			p.next()
		}
	}
	p.eat(closer)
}

func number(n int) string {
	if n < 10 {
		return "0123456789"[n : n+1]
	}
	return number(n/10) + number(n%10)
}

func (p *parser) enum(it *Item) bool {
	it.Kind = Enum
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	it.Generics = p.generics()
	it.Where = p.where("{;")
	if !p.eat('{') {
		return p.eat(';')
	}
	for p.tok.Kind != EOF && !p.is('}') {
		attrs := p.attrs()
		if p.is('}') {
			break
		}
		before := p.tok.Start
		v := p.new(Variant)
		v.Attrs, v.Start = attrs, p.tok.Start
		p.visibility(v)
		if v.Name = p.name(); v.Name != "" {
			p.fields(v)
			if p.eat('=') {
				v.Value = p.value(",")
			}
			v.End = p.last
			it.Items = append(it.Items, v)
		} else {
			p.file.Lost++
		}
		if !p.eat(',') && !p.is('}') && (p.tok.Start == before || !p.opens()) {
			p.next()
		}
	}
	p.eat('}')
	return true
}

func (p *parser) trait(it *Item, depth int) bool {
	it.Kind = Trait
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	it.Generics = p.generics()
	if p.eat(':') {
		it.Bounds = p.typeSpan("{;=")
	}
	if p.eat('=') {
		it.Kind = TraitAlias
		it.Bounds = p.typeSpan("{;")
	}
	it.Where = p.where("{;")
	if p.is('{') {
		p.block(it, depth, inTrait)
		return true
	}
	return p.eat(';')
}

// block reads the items within braces.
func (p *parser) block(it *Item, depth int, where place) {
	if depth >= maxDepth {
		p.file.Lost++
		p.group()
		return
	}
	p.next()
	it.Inner = p.inner()
	it.Items = p.items(depth+1, where)
	p.eat('}')
}

func (p *parser) impl(it *Item, depth int) bool {
	it.Kind = Impl
	p.next()
	if p.is('<') {
		it.Generics = p.generics()
	}
	if p.word() == "const" {
		p.next()
		it.Flags |= IsConst
	}
	if p.is('!') {
		p.next()
		it.Flags |= IsNegative
	}
	it.Type = p.implType()
	if p.eatWord("for") {
		it.Trait = it.Type
		it.Type = p.typeSpan("{;")
	}
	it.Where = p.where("{;")
	if p.is('{') {
		p.block(it, depth, inImpl)
		return true
	}
	return p.eat(';')
}

// implType reads the type behind impl, up to for.
func (p *parser) implType() Span {
	span := Span{p.tok.Start, p.tok.Start}
	depth := 0
	var before Token
	for p.tok.Kind != EOF {
		switch {
		case p.is('{') && depth == 0 || p.is(';') || p.is('}') || p.is(')') || p.is(']'):
			return span
		case p.opens():
			p.group()
			span.End = p.last
			before = Token{Kind: Punct, Byte: ')'}
			continue
		case p.is('<'):
			depth++
		case p.is('>') && !arrow(before, p.tok):
			depth--
		case p.tok.Kind == Ident && depth == 0:
			word := p.word()
			if word == "where" {
				return span
			}
			if word == "for" && typeEnds(p.Text, before) {
				return span
			}
		}
		span.End = p.tok.End
		before = p.tok
		p.next()
	}
	return span
}

// typeEnds reports whether a type may end with a token, so that a following for
// does not begin for<'a>.
func typeEnds(text string, t Token) bool {
	if t.Kind == Ident {
		word := text[t.Start:t.End]
		return word != "dyn" && word != "impl"
	}
	return t.Kind == Punct && (t.Byte == '>' || t.Byte == ')' || t.Byte == ']' || t.Byte == '!')
}

func (p *parser) module(it *Item, depth int) bool {
	it.Kind = Module
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	if p.is('{') {
		p.block(it, depth, topLevel)
		return true
	}
	it.Flags |= Semicolon
	return p.eat(';')
}

func (p *parser) alias(it *Item) bool {
	it.Kind = TypeAlias
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	it.Generics = p.generics()
	if p.eat(':') {
		it.Bounds = p.typeSpan(";=")
	}
	it.Where = p.where(";=")
	if p.eat('=') {
		it.Flags |= HasBody
		it.Type = p.typeSpan(";")
	}
	if w := p.where(";"); !w.Empty() {
		it.Where = w
	}
	return p.eat(';') || p.is('}')
}

func (p *parser) constant(it *Item, depth int) bool {
	it.Kind = Const
	if p.word() == "static" {
		it.Kind = Static
	}
	p.next()
	if p.eatWord("mut") {
		it.Flags |= IsMut
	}
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	it.Generics = p.generics()
	if p.eat(':') {
		it.Type = p.typeSpan(";=")
	}
	it.Where = p.where(";=")
	if p.eat('=') {
		it.Flags |= HasBody
		if it.Name == "_" && p.is('{') && depth < maxDepth {
			it.Kind = ConstBlock
			p.block(it, depth, inBlock)
		} else {
			it.Value = p.value(";")
		}
	}
	return p.eat(';') || p.is('}')
}

func (p *parser) extern(it *Item, depth int) bool {
	p.next()
	if p.tok.Kind == Literal {
		it.ABI = Span{p.tok.Start, p.tok.End}
		p.next()
	}
	if p.is('{') {
		it.Kind = ForeignMod
		p.block(it, depth, inForeign)
		return true
	}
	if !p.eatWord("crate") {
		return false
	}
	it.Kind = ExternCrate
	name := p.name()
	if name == "" {
		return false
	}
	it.Uses = []UsePath{{Path: []string{name}, As: name}}
	if p.eatWord("as") {
		it.Uses[0].As = p.name()
	}
	it.Name = it.Uses[0].As
	return p.eat(';')
}

func (p *parser) contextual(it *Item, word string) bool {
	s := Scanner{Text: p.Text, Pos: p.Pos}
	t := s.Next()
	switch {
	case word == "macro_rules" && t.Kind == Punct && t.Byte == '!':
		after := s.Next()
		if after.Kind != Ident {
			break
		}
		it.Kind = MacroRules
		p.next()
		p.next()
		it.Name = p.name()
		if !p.opens() {
			return false
		}
		it.Body = p.delimited()
		p.eat(';')
		return true
	case t.Kind != Ident:
	case word == "union":
		return p.structure(it, Union)
	case word == "auto" && p.Text[t.Start:t.End] == "trait":
		p.next()
		it.Flags |= IsAuto
		return p.trait(it, 0)
	case word == "macro":
		it.Kind = MacroDecl
		p.next()
		it.Name = p.name()
		if p.is('(') {
			it.Params = p.group()
		}
		if !p.is('{') {
			return false
		}
		it.Body = p.delimited()
		return true
	}
	return p.call(it)
}

// delimited skips a group and returns it with its brackets.
func (p *parser) delimited() Span {
	start := p.tok.Start
	p.group()
	return Span{start, p.last}
}

// call reads the call of a macro.
func (p *parser) call(it *Item) bool {
	it.Kind = MacroCall
	start := p.tok.Start
	end := start
	for {
		if p.is('$') {
			p.next()
		}
		if p.tok.Kind == Ident {
			end = p.tok.End
			p.next()
		}
		if !p.is(':') {
			break
		}
		p.next()
		if !p.eat(':') {
			return false
		}
	}
	if end == start || !p.is('!') {
		return false
	}
	it.Name = strings.Join(strings.Fields(p.Text[start:end]), "")
	p.next()
	if p.tok.Kind == Ident { // of macros that define something
		p.next()
	}
	if !p.opens() {
		return false
	}
	braces := p.is('{')
	it.Body = p.delimited()
	if !p.eat(';') && !braces && !p.is('}') && p.tok.Kind != EOF {
		return p.rest()
	}
	return true
}

// rest skips what follows a call that was an expression, as in a block.
func (p *parser) rest() bool {
	p.value(";")
	p.eat(';')
	return true
}

// use reads a use declaration.
func (p *parser) use(it *Item) bool {
	it.Kind = Use
	p.next()
	p.tree(it, nil)
	if !p.eat(';') {
		p.value(";")
		p.eat(';')
	}
	return true
}

// tree reads one branch of a use.
func (p *parser) tree(it *Item, prefix []string) {
	path := prefix[:len(prefix):len(prefix)]
	if p.is(':') {
		p.next()
		p.eat(':')
		if len(path) == 0 {
			path = append(path, "")
		}
	}
	for {
		switch {
		case p.is('*'):
			p.next()
			it.Uses = append(it.Uses, UsePath{Path: path, Glob: true})
			return
		case p.is('{'):
			if len(path) > maxUse || p.nested > maxDepth {
				p.file.Lost++
				p.group()
				return
			}
			p.next()
			p.nested++
			for p.tok.Kind != EOF && !p.is('}') && !p.is(';') {
				before := p.tok.Start
				p.tree(it, path)
				if !p.eat(',') && p.tok.Start == before {
					p.next()
				}
			}
			p.nested--
			p.eat('}')
			return
		case p.is('$'):
			p.next()
			continue
		}
		name := p.name()
		if name == "" {
			return
		}
		if len(path) > maxUse {
			p.file.Lost++
			p.value(";,")
			return
		}
		if name == "self" && len(path) > 0 && len(prefix) == len(path) {
			// {self} is the module itself.
		} else {
			path = append(path[:len(path):len(path)], name)
		}
		if p.is(':') {
			p.next()
			p.eat(':')
			continue
		}
		as := path[len(path)-1]
		if p.eatWord("as") {
			as = p.name()
		}
		it.Uses = append(it.Uses, UsePath{Path: path, As: as, Self: name == "self" && len(prefix) == len(path)})
		return
	}
}
