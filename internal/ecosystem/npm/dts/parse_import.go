package dts

import "strings"

// exportForm parses an export that declares nothing: export {…}, export *,
// export = or export as namespace. It returns false if there is none, and the
// current token is then still "export".
func (p *parser) exportForm(out *list, doc int32) bool {
	k := p.peek(1)
	typeOnly := false
	first := 1
	if k == kwType && (p.peek(2) == '{' || p.peek(2) == '*') {
		typeOnly, first = true, 2
		k = p.peek(2)
	}
	var n *Node
	switch {
	case k == '=':
		p.i += 2
		n = p.node(ExportEquals)
		n.first = p.exported()
	case k == kwAs && p.peek(2) == kwNamespace:
		p.i += 3
		n = p.named(ExportNamespace)
	case k == '*':
		n = p.node(ExportStar)
		p.i += first + 1
		if p.take(kwAs) {
			n.first = p.moduleName()
		}
		if !p.expect(kwFrom, "from") {
			return true
		}
		n.Text = p.specifier()
	case k == '{':
		n = p.node(Export)
		p.i += first
		n.first = p.specifiers()
		if p.take(kwFrom) {
			n.Text = p.specifier()
			if n.Text == "" {
				return true
			}
		}
	default:
		return false
	}
	p.attributes()
	p.endStatement()
	if typeOnly {
		n.Flags |= FlagTypeOnly
	}
	if !p.failed {
		n.doc = doc
		out.add(n)
	}
	return true
}

// importForm parses an import declaration. It returns nil after a syntax error.
func (p *parser) importForm() *Node {
	n := p.node(Import)
	p.next()
	if p.kind() == str {
		n.Text = p.specifier()
		p.attributes()
		p.endStatement()
		return n
	}
	// In import type from "x", type is the imported name rather than a modifier.
	// The same holds for defer. Flow has typeof, too.
	if k := p.kind(); (k == kwType || k == kwTypeof || k == kwDefer) && p.peek(1) != '=' && p.peek(1) != ',' && (p.peek(1) != kwFrom || p.peek(2) == kwFrom || p.peek(2) == '=') {
		if k != kwDefer {
			n.Flags |= FlagTypeOnly
		}
		p.next()
	}
	var out list
	if isName(p.kind()) {
		d := p.named(ImportDefault)
		if p.take('=') {
			d.Kind = ImportEquals
			d.Flags |= n.Flags
			d.first = p.importTarget()
			p.endStatement()
			return d
		}
		out.add(d)
		p.take(',')
	}
	switch p.kind() {
	case '*':
		p.next()
		if !p.expect(kwAs, "as") {
			return nil
		}
		out.add(p.named(ImportStar))
	case '{':
		for s := p.specifiers(); s != nil; {
			next := s.next
			s.next = nil
			out.add(s)
			s = next
		}
	}
	if !p.expect(kwFrom, "from") {
		return nil
	}
	n.Text = p.specifier()
	n.first = out.first
	p.attributes()
	p.endStatement()
	return n
}

// importTarget parses the part after import x =.
func (p *parser) importTarget() *Node {
	if p.kind() == ident && p.peek(1) == '(' && p.word() == "require" {
		p.i += 2
		n := p.node(Require)
		n.Text = p.specifier()
		p.expect(')', ")")
		return n
	}
	return p.reference(Ref)
}

// specifier parses the quoted name of a module. It returns "" after a syntax
// error.
func (p *parser) specifier() string {
	if p.kind() != str {
		p.fail("the name of a module was expected")
		return ""
	}
	s := unquote(p.word())
	p.next()
	return s
}

// moduleName parses a name in an export or import clause, which may be quoted.
func (p *parser) moduleName() *Node {
	n := p.node(Name)
	switch {
	case p.kind() == str:
		n.Text = unquote(p.word())
	case isName(p.kind()):
		n.Text = p.word()
	default:
		p.fail("a name was expected")
		return n
	}
	p.next()
	return n
}

// specifiers parses { a, b as c, type d, default as e }. It returns nil after a
// syntax error.
func (p *parser) specifiers() *Node {
	open, end := p.i, p.inside()
	p.next()
	var out list
	for p.i < end && !p.failed {
		if p.take(',') {
			continue
		}
		var flags Flags
		// "type" is a modifier in {type x} and {type as as x}, a name in
		// {type}, {type as x} and, with itself renamed, {type as as}. So is Flow's "typeof".
		if k := p.kind(); k == kwType || k == kwTypeof {
			k1, k2, k3 := p.peek(1), p.peek(2), p.peek(3)
			switch {
			case k1 == kwAs && (k2 == ',' || k2 == '}'), k1 == kwAs && k2 == kwAs && isName(k3):
				flags = FlagTypeOnly
			case k1 != kwAs && (isName(k1) || k1 == str):
				flags = FlagTypeOnly
			}
			if flags != 0 {
				p.next()
			}
		}
		from := p.moduleName()
		from.Kind = Specifier
		from.Flags = flags
		if p.take(kwAs) {
			to := p.moduleName()
			to.Kind, to.Flags = Specifier, flags
			from.Kind, from.Flags = Name, 0
			to.first = from
			from = to
		}
		out.add(from)
		if p.i < end && p.kind() != ',' {
			p.fail("a comma was expected")
		}
	}
	if p.failed {
		return nil
	}
	p.i = p.after(open)
	return out.first
}

// attributes steps over with {…} or assert {…} after the name of a module.
func (p *parser) attributes() {
	if p.peek(1) != '{' || p.toks[p.i].nl && p.kind() != ident {
		return
	}
	if w := p.word(); w == "with" || w == "assert" {
		p.next()
		p.skipGroup()
	}
}

// dotted joins names with dots and removes white space between them.
func dotted(s string) string {
	if strings.ContainsAny(s, " \t\r\n/") {
		s = strings.Join(strings.Fields(s), "")
	}
	return s
}
