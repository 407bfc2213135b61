package source

import (
	"strings"

	"github.com/docent-mcp/docent/internal/work"
)

// Parse reads the declarations of a file. It never fails. It omits declarations
// that it cannot read, and counts them in File.Lost. It does not read text beyond
// MaxText.
func Parse[T string | []byte](name string, text T) *File {
	return ParseMetered(nil, name, string(text))
}

// ParseMetered is like [Parse]. It counts its steps with m, and does not read the
// rest of a file when the limit of m is reached.
func ParseMetered(m *work.Meter, name, text string) *File {
	text = text[:min(len(text), MaxText)]
	f := &File{Name: name, Text: text}
	p := parser{Scanner: *NewScanner(text), file: f, lineNo: 1, meter: m}
	p.next()
	for {
		p.members(nil, 0)
		if p.tok.Kind == EOF {
			break
		}
		p.lose("stray }")
		p.next()
	}
	f.Decls = p.collect(0, &p.pointers)
	f.Imports = p.imports
	return f
}

// parser reads declarations. It looks one token ahead.
type parser struct {
	Scanner
	file *File
	tok  Token
	// tokens is the number of tokens that are not yet counted by meter.
	tokens int
	meter  *work.Meter
	last   int // end of the previous token
	// conds are the #if clauses around the current position within the parent
	// declaration, with the outermost first. The slice is copied when it changes.
	conds []*Condition
	// deepConds is the number of open #if clauses beyond maxDepth. condNodes is
	// the number of nodes of the condition that is being read.
	deepConds, condNodes int
	// stack contains the declarations of the bodies that are being read.
	stack   []*Decl
	imports []Import
	// attrs and mods are the attributes and modifiers of the declaration that is
	// being read.
	attrs []Attribute
	mods  []Modifier
	// keyword is true if the declaration that is being read has attributes or a
	// keyword, which means that it is not a statement.
	keyword bool
	// rescues is the number of groups that are not closed. spent is the memory used by
	// declarations, in bytes.
	rescues, spent int
	// lineNo is the line of linePos.
	lineNo, linePos int
	// noAngles is the offset before which < does not begin generic arguments.
	noAngles int

	decls        []Decl
	pointers     []*Decl
	attrRoom     []Attribute
	modRoom      []Modifier
	paramRoom    []Param
	genericRoom  []GenericParam
	whereRoom    []Requirement
	inheritRoom  []string
	accessorRoom []Accessor
}

// These are memory costs in bytes. A file that needs more memory than allowed is
// not read to its end.
const (
	maxSpent  = 128 << 20
	declSize  = 400
	valueSize = 100
)

func (p *parser) next() {
	p.last = p.tok.End
	if p.spent > maxSpent {
		p.stop()
	}
	if p.tokens++; p.tokens == stepTokens {
		p.tokens = 0
		if !p.meter.Step(stepTokens) {
			p.Pos = len(p.Text)
		}
	}
	p.tok = p.Next()
}

// stepTokens is the number of tokens after which the steps are counted.
const stepTokens = 256

// stop moves to the end of a file that contains too many declarations.
func (p *parser) stop() {
	p.Pos = len(p.Text)
	if p.file.Lost++; len(p.file.Skipped) < MaxSkipped {
		p.file.Skipped = append(p.file.Skipped, Skip{p.line(p.tok.Start), "the rest of the file: too many declarations"})
	}
	p.spent = 0
}

// jump continues at the given offset.
func (p *parser) jump(pos int) {
	p.Pos = pos
	p.tok.End = pos
	p.next()
}

func (p *parser) is(c byte) bool { return p.tok.Kind == Punct && p.tok.Byte == c }

// oper reports whether the token is an operator.
func (p *parser) oper(op string) bool {
	return p.tok.Kind == Oper && p.Text[p.tok.Start:p.tok.End] == op
}

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

// peek returns the token after the current one.
func (p *parser) peek() Token {
	s := p.Scanner
	return s.Next()
}

// maxRescues is the maximum number of times that the parser searches a file for
// the missing end of a group.
const maxRescues = 16

// group skips the group that begins at the current token and returns its
// contents. If parentheses or square brackets have no end, it skips only the
// opening one, so that the text after it is not lost.
func (p *parser) group() string {
	start := p.tok.Start
	p.Pos = start
	end, closed := p.Scanner.group()
	if !closed && end == len(p.Text) && p.Text[start] != '{' && p.rescues < maxRescues {
		p.rescues++
		p.jump(start + 1)
		return ""
	}
	p.jump(end)
	if closed {
		end--
	}
	return p.Text[start+1 : end]
}

func (p *parser) opens() bool {
	return p.tok.Kind == Punct && (p.tok.Byte == '{' || p.tok.Byte == '(' || p.tok.Byte == '[')
}

// line returns the line of an offset.
func (p *parser) line(pos int) int {
	if pos >= p.linePos {
		p.lineNo += strings.Count(p.Text[p.linePos:pos], "\n")
	} else {
		p.lineNo -= strings.Count(p.Text[pos:p.linePos], "\n")
	}
	p.linePos = pos
	return p.lineNo
}

// lose counts a declaration that cannot be read.
func (p *parser) lose(reason string) {
	if p.file.Lost++; len(p.file.Skipped) < MaxSkipped {
		p.file.Skipped = append(p.file.Skipped, Skip{p.line(p.tok.Start), reason})
	}
}

// name reads a name or keyword and reports whether it was in back-quotes. The
// name is empty if the current token is not a name.
func (p *parser) name() (name string, quoted bool) {
	name = p.word()
	if name == "" {
		return "", false
	}
	p.next()
	if name[0] == '`' {
		return name[1 : len(name)-1], true
	}
	return name, false
}

// dotted reads names separated by dots and returns their text. It returns "" if
// the current token is not a name.
func (p *parser) dotted() string {
	start := p.tok.Start
	if p.tok.Kind != Ident {
		return ""
	}
	p.next()
	for p.is('.') && !p.tok.Newline {
		if t := p.peek(); t.Kind != Ident || t.Newline {
			break
		}
		p.next()
		p.next()
	}
	return p.Text[start:p.last]
}

// These are the sizes of the slices that declarations share, in number of values. Each
// slice is twice as large as the previous one, because most files are small.
const (
	minRoom = 4
	maxRoom = 32
)

// keep copies values into a slice that many declarations share.
func keep[T any](room *[]T, values []T) []T {
	if len(values) == 0 {
		return nil
	}
	if cap(*room)-len(*room) < len(values) {
		*room = make([]T, 0, max(min(2*cap(*room), maxRoom), minRoom, len(values)))
	}
	start := len(*room)
	*room = append(*room, values...)
	return (*room)[start:len(*room):len(*room)]
}

// collect removes the declarations above the given height from the stack and returns
// them.
func (p *parser) collect(height int, room *[]*Decl) []*Decl {
	all := keep(room, p.stack[height:])
	clear(p.stack[height:])
	p.stack = p.stack[:height]
	return all
}

// members reads declarations up to a closing brace or the end, and leaves them on
// the stack. If parent is nil, they are at file level, where statements are also
// allowed.
func (p *parser) members(parent *Decl, depth int) {
	outer := p.conds
	for p.tok.Kind != EOF && !p.is('}') {
		if p.tok.Kind == Pound && p.directive() {
			continue
		}
		before := p.tok.Start
		comment := p.comment()
		p.attrs, p.mods = p.attrs[:0], p.mods[:0]
		if !p.attributes() {
			p.lose("attribute")
		}
		height := len(p.stack)
		if p.decl(parent, depth, comment, before) {
			continue
		}
		clear(p.stack[height:])
		p.stack = p.stack[:height]
		if parent != nil && !p.is(';') || p.keyword {
			p.lose("declaration")
		}
		switch {
		case p.tok.Start > before: // Tokens were skipped.
		case p.opens():
			p.group()
		case !p.is('}'):
			p.next()
		}
	}
	p.conds = outer
}

// comment returns the documentation comment before the current token, including
// the white space before its first line. It returns "" if there is none.
func (p *parser) comment() string {
	start := p.docStart
	if start < 0 {
		return ""
	}
	line := start
	for line > 0 && (p.Text[line-1] == ' ' || p.Text[line-1] == '\t') {
		line--
	}
	if line == 0 || p.Text[line-1] == '\n' {
		start = line
	}
	return p.Text[start:p.docEnd]
}

// decl reads one declaration after its attributes. It leaves the declaration, or
// several declarations on one line, on the stack. It returns false if there is
// none.
func (p *parser) decl(parent *Decl, depth int, comment string, start int) bool {
	d := p.new()
	d.Comment, d.Start, d.Conditions, d.Parent = comment, start, p.conds, parent
	p.modifiers(d)
	p.keyword = len(p.attrs) > 0
	if p.tok.Kind != Ident {
		return p.free(d)
	}
	d.Attributes = keep(&p.attrRoom, p.attrs)
	d.Modifiers = keep(&p.modRoom, p.mods)
	ok := false
	p.keyword = true
	switch p.Text[p.tok.Start:p.tok.End] {
	case "func":
		ok = p.function(d)
	case "var":
		return p.variables(d) || p.free(d)
	case "let":
		d.Let = true
		return p.variables(d) || p.free(d)
	case "case":
		if parent == nil { // "if case" begins a statement
			p.keyword = false
			return p.free(d)
		}
		return p.cases(d) || p.free(d)
	case "init":
		ok = p.initializer(d)
	case "subscript":
		ok = p.subscript(d)
	case "struct":
		ok = p.nominal(d, Struct, depth)
	case "class":
		ok = p.nominal(d, Class, depth)
	case "enum":
		ok = p.nominal(d, Enum, depth)
	case "actor":
		ok = p.nominal(d, Actor, depth)
	case "protocol":
		ok = p.nominal(d, Protocol, depth)
	case "extension":
		ok = p.extension(d, depth)
	case "typealias":
		ok = p.alias(d, TypeAlias)
	case "associatedtype":
		ok = p.alias(d, AssociatedType)
	case "import":
		return p.importDecl(d) || p.free(d)
	case "macro":
		ok = p.macro(d)
	case "operator":
		ok = p.operator(d)
	case "precedencegroup":
		ok = p.precedenceGroup(d)
	case "deinit":
		d.Kind, d.Name = Deinit, "deinit"
		d.Line = p.line(p.tok.Start)
		p.next()
		p.effects(&d.Effects)
		if d.Body = p.is('{'); d.Body {
			p.group()
		}
		ok = true
	default:
		p.keyword = len(p.attrs) > 0
	}
	if !ok {
		return p.free(d)
	}
	d.End = p.last
	p.stack = append(p.stack, d)
	return true
}

func (p *parser) new() *Decl {
	p.spent += declSize
	if len(p.decls) == cap(p.decls) {
		p.decls = make([]Decl, 0, max(min(2*cap(p.decls), maxRoom), minRoom))
	}
	p.decls = p.decls[:len(p.decls)+1]
	return &p.decls[len(p.decls)-1]
}

// free reuses the memory of a declaration that could not be read. It always
// returns false, so that decl can return its result.
func (p *parser) free(d *Decl) bool {
	*d = Decl{}
	if n := len(p.decls) - 1; n >= 0 && d == &p.decls[n] {
		p.decls = p.decls[:n]
	}
	return false
}

// modifiers reads the keywords before a declaration.
func (p *parser) modifiers(d *Decl) {
	for p.tok.Kind == Ident || p.is('@') || p.tok.Kind == Pound {
		if p.tok.Kind != Ident {
			// Attributes may follow modifiers.
			if n := len(p.attrs); !p.attributes() || len(p.attrs) == n {
				return
			}
			continue
		}
		word := p.Text[p.tok.Start:p.tok.End]
		var access Access
		switch word {
		case "public":
			access = Public
		case "open":
			access = Open
		case "internal":
			access = Internal
		case "package":
			access = Package
		case "private":
			access = Private
		case "fileprivate":
			access = FilePrivate
		case "class":
			if t := p.peek(); t.Kind != Ident || t.Newline || !memberWord(p.TokenText(t)) {
				return
			}
			p.spent += valueSize
			p.mods = append(p.mods, Modifier{Name: word})
			p.next()
			continue
		case "static", "mutating", "nonmutating", "override", "final", "lazy", "weak", "convenience", "required", "dynamic", "optional", "prefix", "postfix",
			"infix", "indirect", "nonisolated", "unowned", "consuming", "borrowing", "__consuming", "isolated", "distributed", "_const", "async", "sending",
			"_local", "yielding", "unsafe":
			m := Modifier{Name: word}
			p.next()
			if p.is('(') && !p.tok.Newline {
				m.Arg = strings.TrimSpace(p.group())
			}
			p.spent += valueSize
			p.mods = append(p.mods, m)
			continue
		default:
			return
		}
		if !p.beforeWord() {
			s := p.Scanner
			if t := s.Next(); t.Kind == Punct && t.Byte == '(' && !t.Newline {
				if s.TokenText(s.Next()) != "set" { // The word begins a statement, as in open("file").
					return
				}
				p.next()
				p.group()
				d.SetAccess = access
				continue
			}
		}
		p.next()
		d.Access = access
	}
}

// beforeWord reports whether the token is followed by one blank and a word.
func (p *parser) beforeWord() bool {
	return p.Pos+1 < len(p.Text) && p.Text[p.Pos] == ' ' && class[p.Text[p.Pos+1]]&isIdent != 0
}

// memberWord reports whether "class" before a word is a modifier.
func memberWord(word string) bool {
	switch word {
	case "func", "var", "let", "subscript", "override", "final", "private", "public", "open", "internal", "fileprivate", "package", "dynamic", "mutating",
		"nonisolated", "prefix", "postfix", "infix", "lazy", "weak", "unowned", "required", "convenience", "distributed", "class", "consuming", "borrowing":
		return true
	}
	return false
}

// attributes reads attributes, including an #if that contains only attributes. It
// returns false if an attribute cannot be read.
func (p *parser) attributes() bool {
	for {
		switch {
		case p.is('@'):
			if !p.attribute(nil) {
				return false
			}
		case p.tok.Kind == Pound && p.TokenText(p.tok) == "#if" && p.onlyAttributes():
			if !p.conditionalAttributes(nil) {
				return false
			}
		default:
			return true
		}
	}
}

// attribute reads one attribute. It returns false after a syntax error.
func (p *parser) attribute(conds []*Condition) bool {
	p.next()
	a := Attribute{Name: p.dotted(), Conditions: conds}
	if a.Name == "" {
		return false
	}
	if p.tok.Kind == Oper && p.tok.Byte == '<' && !p.tok.Space {
		start := p.tok.Start + 1
		if !p.angles() {
			return false
		}
		a.Generics = p.Text[start : p.last-1]
	}
	if p.is('(') && !p.tok.Newline {
		a.HasArgs = true
		a.Args = p.group()
	}
	p.spent += valueSize
	p.attrs = append(p.attrs, a)
	return true
}

// attributesOf reads and returns attributes, such as those of a parameter.
func (p *parser) attributesOf() []Attribute {
	n := len(p.attrs)
	for p.is('@') && p.attribute(nil) {
		continue
	}
	all := keep(&p.attrRoom, p.attrs[n:])
	p.attrs = p.attrs[:n]
	return all
}
