package header

import (
	"cmp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// objc reads the interface, category or protocol that begins at i. It returns the
// index after it.
func (p *parser) objc(tokens []token, i int) int {
	start, before := i, p.before
	p.before = facts{}
	if i+1 >= len(tokens) || tokens[i+1].kind != word {
		return i + 1
	}
	if tokens[i].text == "@protocol" && (i+2 >= len(tokens) || tokens[i+2].text == ";" || tokens[i+2].text == ",") {
		return find(tokens, i, ";") + 1 // This is a forward declaration.
	}
	end := find(tokens, i, "@end")
	doc, line, constraint := about(tokens[start:end])
	if start > 0 && doc == "" {
		doc = tokens[start].doc
	}
	s := apidoc.Symbol{Path: tokens[i+1].text, Kind: apidoc.Class, Doc: doc, Line: line, Constraint: constraint}
	if tokens[i].text == "@protocol" {
		s.Kind = "protocol"
	}
	i += 2
	for i < end {
		switch tokens[i].text {
		case "<":
			i = angle(tokens, i) + 1
			continue
		case "(":
			s.Kind = apidoc.Category
			i = group(tokens, i) + 1
			continue
		case ":":
			i += 2 // Skip the superclass.
			continue
		}
		break
	}
	i = min(i, end)
	s.Signature = join(tokens[start:i])
	if i < end && tokens[i].text == "{" {
		i = group(tokens, i) + 1
	}
	outside := p.symbols
	p.symbols = nil
	p.objcMembers(tokens[min(i, end):end], s.Path)
	s.Members = p.symbols
	p.symbols = outside
	if !before.hidden {
		p.add(s, before)
	}
	return end + 1
}

// objcMembers reads methods and properties.
func (p *parser) objcMembers(tokens []token, class string) {
	for i := 0; i < len(tokens) && p.count < maxSymbols; {
		switch tokens[i].text {
		case "-", "+":
			end := memberEnd(tokens, i)
			p.method(tokens[i:end], class)
			i = end + 1
		case "@property":
			end := memberEnd(tokens, i)
			p.property(tokens[i:end], class)
			i = end + 1
		case "@optional", "@required", ";", "}":
			i++
		default:
			// Types may be declared in an interface.
			before := i
			if i = p.declaration(tokens, i, scope{depth: maxNested - 1}); i <= before {
				i = before + 1
			}
		}
	}
}

// memberEnd returns the end of the method or property that begins at i.
func memberEnd(tokens []token, i int) int {
	for ; i < len(tokens); i++ {
		switch tokens[i].text {
		case "(", "[":
			i = group(tokens, i)
		case ";":
			return i
		}
	}
	return len(tokens)
}

// method reads "- (type)name:(type)argument …".
func (p *parser) method(tokens []token, class string) {
	doc, line, constraint := about(tokens)
	tokens, f := p.clean(tokens)
	if f.hidden {
		return
	}
	selector := ""
	i := 1
	if i < len(tokens) && tokens[i].text == "(" {
		i = group(tokens, i) + 1
	}
	for i < len(tokens) {
		part := ""
		if tokens[i].kind == word {
			part = tokens[i].text
			i++
		}
		if i >= len(tokens) || tokens[i].text != ":" {
			selector = cmp.Or(selector, part)
			break
		}
		selector += part + ":"
		if i++; i < len(tokens) && tokens[i].text == "(" {
			i = group(tokens, i) + 1
		}
		for i < len(tokens) && tokens[i].kind == word && next(tokens, i) != ":" { // Skip the name of the argument.
			i++
			if i < len(tokens) && tokens[i].kind == word && next(tokens, i) == ":" {
				break
			}
		}
		if len(selector) > maxSignature || i < len(tokens) && tokens[i].kind != word && tokens[i].text != ":" {
			break
		}
	}
	if selector == "" {
		return
	}
	s := apidoc.Symbol{Path: class + "." + selector, Kind: apidoc.Method, Signature: join(tokens), Doc: doc, Line: line, Constraint: constraint}
	if tokens[0].text == "+" {
		s.Kind = apidoc.ClassMethod
	}
	p.add(s, f)
}

// property reads "@property (attributes) type name".
func (p *parser) property(tokens []token, class string) {
	doc, line, constraint := about(tokens)
	after := tokens[len(tokens)-1].after
	tokens, f := p.clean(tokens)
	if f.hidden || len(tokens) < 2 {
		return
	}
	rest := tokens[1:]
	if rest[0].text == "(" {
		rest = rest[min(group(rest, 0)+1, len(rest)):]
	}
	if doc == "" {
		doc = strings.TrimSpace(after)
	}
	for _, d := range split(rest) {
		name := declaratorName(d)
		if name == "" || keywords[name] {
			continue
		}
		p.add(apidoc.Symbol{Path: class + "." + name, Kind: apidoc.Property, Signature: join(tokens), Doc: doc, Line: line, Constraint: constraint}, f)
	}
}
