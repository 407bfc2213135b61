package source

import (
	"strconv"
	"strings"
)

// maxPattern is the maximum nesting of tuple patterns.
const maxPattern = 8

// variables reads the part after let or var, which consists of names, tuple patterns,
// types, values and accessors. Each name becomes a declaration; the first one is d. It
// returns false if there is no name.
func (p *parser) variables(d *Decl) bool {
	d.Kind = Var
	head := d
	height := len(p.stack)
	p.next()
	for first := true; ; first = false {
		from := len(p.stack)
		if !first {
			d = p.another(head)
		}
		switch {
		case p.is('('):
			if !p.tuplePattern(head, "", 0) {
				p.stack = p.stack[:from]
				return from > height
			}
		default:
			if p.tok.Kind != Ident {
				return len(p.stack) > height
			}
			d.Line = p.line(p.tok.Start)
			d.Name, d.Quoted = p.name()
			p.stack = append(p.stack, d)
		}
		group := p.stack[from:]
		if len(group) > 0 {
			d = group[len(group)-1]
		}
		if p.tok.Kind == Punct && p.tok.Byte == ':' {
			p.next()
			text := p.typeText()
			for _, v := range group {
				v.Type = elementType(text, v.Pattern)
			}
		}
		if p.tok.Kind == Oper && p.tok.Byte == '=' {
			p.jump(p.tok.Start + 1)
			text := p.expression()
			for _, v := range group {
				v.Value = text
			}
		}
		if p.is('{') {
			p.accessors(d)
		}
		for _, v := range p.stack[from:] {
			v.End = p.last
		}
		if !p.eat(',') {
			break
		}
	}
	// In let a, b: Int, both names have the type.
	names := p.stack[height:]
	for i := len(names) - 2; i >= 0; i-- {
		if v := names[i]; v.Type == "" && v.Value == "" && v.Pattern == "" {
			v.Type = names[i+1].Type
		}
	}
	return true
}

// another returns a new declaration with the same attributes, modifiers and keyword as
// head.
func (p *parser) another(head *Decl) *Decl {
	d := p.new()
	d.Kind, d.Access, d.SetAccess, d.Let = head.Kind, head.Access, head.SetAccess, head.Let
	d.Attributes, d.Modifiers, d.Conditions = head.Attributes, head.Modifiers, head.Conditions
	d.Parent, d.Comment, d.Start = head.Parent, head.Comment, head.Start
	return d
}

// tuplePattern reads a tuple pattern and leaves its names on the stack. It
// returns false after a syntax error.
func (p *parser) tuplePattern(head *Decl, prefix string, depth int) bool {
	if depth > maxPattern {
		return false
	}
	p.next()
	for i := 0; !p.is(')'); i++ {
		index := prefix + strconv.Itoa(i)
		if p.tok.Kind == Ident {
			if t := p.peek(); t.Kind == Punct && t.Byte == ':' { // Skip a label.
				p.next()
				p.next()
			}
		}
		switch {
		case p.is('('):
			if !p.tuplePattern(head, index+".", depth+1) {
				return false
			}
		case p.tok.Kind == Ident:
			v := p.another(head)
			v.Pattern = index
			v.Line = p.line(p.tok.Start)
			if v.Name, v.Quoted = p.name(); v.Name != "_" {
				p.stack = append(p.stack, v)
			}
		default:
			return false
		}
		if !p.eat(',') && !p.is(')') {
			return false
		}
	}
	p.next()
	return true
}

// elementType returns the part of a tuple type that a pattern refers to, or the type
// itself for an empty pattern.
func elementType(text, pattern string) string {
	for pattern != "" {
		var first string
		first, pattern, _ = strings.Cut(pattern, ".")
		index, _ := strconv.Atoi(first)
		elements := tupleElements(text)
		if index >= len(elements) {
			return ""
		}
		text = elements[index].Type
	}
	return text
}

// tupleElements returns the elements of a tuple type, or nil if the text is another
// type.
func tupleElements(text string) []Param {
	p := parser{Scanner: Scanner{Text: text}, file: &File{Text: text}}
	p.next()
	if !p.is('(') {
		return nil
	}
	d := Decl{Kind: Case}
	p.parameters(&d)
	if p.tok.Kind != EOF || p.file.Lost > 0 {
		return nil
	}
	return d.Params
}

// cases reads the part after case in an enum. It returns false if there is no
// name.
func (p *parser) cases(d *Decl) bool {
	d.Kind = Case
	head := d
	height := len(p.stack)
	p.next()
	for first := true; ; first = false {
		if p.tok.Kind != Ident {
			return len(p.stack) > height
		}
		if !first {
			d = p.another(head)
			if c := p.comment(); c != "" {
				d.Comment = c
			}
		}
		d.Line = p.line(p.tok.Start)
		d.Name, d.Quoted = p.name()
		if p.is('(') && !p.tok.Newline {
			p.parameters(d)
		}
		if p.tok.Kind == Oper && p.tok.Byte == '=' {
			p.jump(p.tok.Start + 1)
			d.Value = p.expression()
		}
		d.End = p.last
		p.stack = append(p.stack, d)
		if !p.eat(',') {
			return true
		}
	}
}

// accessors reads the accessor block of a property or subscript.
func (p *parser) accessors(d *Decl) {
	d.Body = true
	open := p.tok
	// A getter without the keyword may be long, so it is not tokenized.
	var room [4]Accessor
	all := room[:0]
	p.next()
	conds := p.conds
	p.conds = nil
	defer func() { p.conds = conds }()
	for !p.is('}') && p.tok.Kind != EOF {
		if p.tok.Kind == Pound {
			switch p.TokenText(p.tok) {
			case "#if", "#else", "#elseif", "#endif":
				if p.directive() {
					continue
				}
			}
		}
		a, ok := p.accessor()
		if !ok {
			break
		}
		p.spent += valueSize
		all = append(all, a)
	}
	if len(all) == 0 {
		all = append(all, Accessor{Kind: Get})
		p.tok = open
		p.group()
		d.Accessors = keep(&p.accessorRoom, all)
		return
	}
	d.Accessors = keep(&p.accessorRoom, all)
	if !p.eat('}') {
		p.tok = open
		p.group()
	}
}

// accessor reads one accessor with its body. If there is none, ok is false and nothing
// is read.
func (p *parser) accessor() (a Accessor, ok bool) {
	a.Conditions = p.conds
	scanner, tok, last := p.Scanner, p.tok, p.last
	back := func() (Accessor, bool) {
		p.Scanner, p.tok, p.last = scanner, tok, last
		return Accessor{}, false
	}
	n := len(p.attrs)
	if !p.attributes() {
		return back()
	}
	p.attrs = p.attrs[:n]
	for p.tok.Kind == Ident {
		word := p.word()
		if kind := accessorKind(word); kind != 0 {
			t := p.peek()
			switch {
			case t.Kind == Punct && (t.Byte == '{' || t.Byte == '}'):
			case t.Kind == Punct && t.Byte == '(' && (kind == Set || kind == WillSet || kind == DidSet || kind == InitAccessor):
			case t.Kind == Ident || t.Kind == EOF || t.Kind == Pound || t.Kind == Punct && (t.Byte == '@' || t.Byte == ';'):
				// A protocol lists accessor keywords without bodies. If the word is part of
				// a statement, as in x = get + 1, other tokens follow it.
				if t.Kind == Ident && !effectWord(p.TokenText(t)) && accessorKind(p.TokenText(t)) == 0 && !accessorModifier(p.TokenText(t)) {
					return back()
				}
			default:
				return back()
			}
			p.next()
			a.Kind = kind
			if p.is('(') {
				p.group()
			}
			p.effects(&a.Effects)
			for kind == InitAccessor && p.tok.Kind == Ident { // The accessor has lists of names, as in init initializes(x) accesses(y).
				p.next()
				if p.is('(') {
					p.group()
				}
			}
			if p.is('{') {
				p.group()
			}
			p.eat(';')
			return a, true
		}
		switch word {
		case "mutating":
			a.Mutating = true
		case "nonmutating":
			a.NonMutating = true
		default:
			if !accessorModifier(word) {
				return back()
			}
		}
		p.next()
		if p.is('(') {
			return back()
		}
	}
	return back()
}

func accessorModifier(word string) bool {
	switch word {
	case "mutating", "nonmutating", "__consuming", "consuming", "borrowing", "yielding", "nonisolated", "private", "fileprivate", "internal", "public", "package", "final",
		"isolated", "override", "coroutine":
		return true
	}
	return false
}

func accessorKind(word string) AccessorKind {
	switch word {
	case "get":
		return Get
	case "set":
		return Set
	case "willSet":
		return WillSet
	case "didSet":
		return DidSet
	case "_read", "read", "borrow":
		return Read
	case "_modify", "modify", "mutate":
		return Modify
	case "unsafeAddress", "addressWithNativeOwner", "addressWithOwner":
		return Address
	case "unsafeMutableAddress", "mutableAddressWithNativeOwner", "mutableAddressWithOwner":
		return MutableAddress
	case "init":
		return InitAccessor
	}
	return 0
}
