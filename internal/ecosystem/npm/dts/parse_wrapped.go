package dts

// A module for several module systems is wrapped in a function. The exports of its
// body, or of a function passed to it, are the exports of the file.

// wrapped adds an export for each exports.x = … between two tokens, which are the
// body of a function that wraps a module for several module systems.
func (p *parser) wrapped(out *list, from, end int) {
	if body := p.exportingBody(from, end); body > 0 {
		was := p.i
		p.parameters(out, body)
		p.i = body
		p.splice(out)
		p.i = was
		return
	}
	if body := p.factoryBody(from, end); body > 0 {
		was := p.i
		p.i = body
		p.splice(out)
		out.add(p.returned(body))
		p.i = was
		return
	}
	seen := map[string]bool{}
	for i := from; i+4 < end && len(seen) < 10_000; i++ {
		t := &p.toks[i]
		if t.kind != ident || t.end-t.pos != uint32(len("exports")) || p.src[t.pos:t.end] != "exports" ||
			p.toks[i+1].kind != '.' || !isName(p.toks[i+2].kind) || p.toks[i+3].kind != '=' || p.toks[i+4].kind == '=' {
			continue
		}
		back := p.i
		p.i = i + 2
		if name := p.word(); !seen[name] {
			seen[name] = true
			n := p.named(ExportAssign)
			n.doc = t.doc
			p.i = i + 4
			n.first = p.node(Expression)
			out.add(n)
		}
		p.i = back
	}
}

// splice adds the statements of the block at the current token.
func (p *parser) splice(out *list) {
	for n := p.block(); n != nil; {
		next := n.next
		n.next = nil
		out.add(n)
		n = next
	}
}

// exportingBody returns the index of the brace that opens the only function
// between two tokens that assigns to exports. It returns 0 if there is no such
// function, or if there are several, as in a bundle.
func (p *parser) exportingBody(from, end int) int {
	var open []int // open contains the indices of the braces that open functions.
	found := 0
	for i := from; i+4 < end; i++ {
		for len(open) > 0 && i > int(p.toks[open[len(open)-1]].match) {
			open = open[:len(open)-1]
		}
		t := &p.toks[i]
		if t.kind == '{' && p.closed(i) && p.functionBody(i) {
			open = append(open, i)
			continue
		}
		if len(open) == 0 || !isName(t.kind) || !p.exportsAt(i) {
			continue
		}
		body := open[len(open)-1]
		if found != 0 && found != body {
			return 0
		}
		found = body
	}
	return found
}

// parameters adds the parameters of the function whose body begins at the given
// brace. A loader passes modules to them, as in define(['./a'], function (a) {
// exports.a = a }).
func (p *parser) parameters(out *list, body int) {
	closing := body - 1
	if p.toks[closing].kind != ')' {
		return
	}
	back := p.i
	for i := int(p.toks[closing].match) + 1; i < closing; i++ {
		if k := p.toks[i+1].kind; !isName(p.toks[i].kind) || k != ',' && k != ')' {
			continue
		}
		p.i = i
		switch p.word() {
		case "exports", "module", "require", "factory", "global", "root":
		default:
			out.add(p.named(Variable))
		}
	}
	p.i = back
}

// factoryBody returns the index of the brace that opens the function whose result
// is exported, or 0 if there is none:
//
//	(function (global, factory) { … module.exports = factory() … })(this, function () { … })
func (p *parser) factoryBody(from, end int) int {
	word := func(i int) string { return p.src[p.toks[i].pos:p.toks[i].end] }
	name := ""
	for i := from; i+6 < end && name == ""; i++ {
		if isName(p.toks[i].kind) && word(i) == "module" && p.toks[i+1].kind == '.' && word(i+2) == "exports" &&
			p.toks[i+3].kind == '=' && isName(p.toks[i+4].kind) && p.toks[i+5].kind == '(' {
			name = word(i + 4)
		}
	}
	// The wrapper is the first function; name is the parameter that it calls.
	i := from
	for i < end && p.toks[i].kind != kwFunction {
		i++
	}
	for i < end && p.toks[i].kind != '(' {
		i++
	}
	if name == "" || name == "require" || i >= end || !p.closed(i) {
		return 0
	}
	closing, number, found := int(p.toks[i].match), 0, -1
	for j := i + 1; j < closing; j++ {
		switch {
		case p.toks[j].kind == ',':
			number++
		case isName(p.toks[j].kind) && word(j) == name:
			found = number
		}
	}
	if i = closing + 1; found < 0 || i >= end || p.toks[i].kind != '{' || !p.closed(i) {
		return 0
	}
	if i = p.after(i); p.toks[i].kind == ')' {
		i++
	}
	if i >= end || p.toks[i].kind != '(' || !p.closed(i) {
		return 0
	}
	// number is the number of arguments up to the one that is passed for the parameter.
	closing, number = int(p.toks[i].match), 0
	for j := i + 1; j < closing; j++ {
		switch k := p.toks[j].kind; {
		case k == ',':
			number++
		case number == found && k == '{' && p.functionBody(j) && p.closed(j):
			return j
		case k == '{' || k == '[' || k == '(' && p.toks[j+1].kind != kwFunction:
			if p.closed(j) {
				j = int(p.toks[j].match)
			}
		}
	}
	return 0
}

// returned returns the value of the return statement that ends the function whose
// body begins at the given brace, as the export of the module. It returns nil if
// the function does not end with such a statement.
func (p *parser) returned(body int) *Node {
	last := 0
	for i := body + 1; i < int(p.toks[body].match); i++ {
		switch p.toks[i].kind {
		case '{', '(', '[':
			if p.closed(i) {
				i = int(p.toks[i].match)
			}
		case kwReturn:
			last = i
		}
	}
	if last == 0 {
		return nil
	}
	p.i = last
	n := p.node(ExportEquals)
	p.i++
	n.first = p.exported()
	if p.failed {
		p.failed, p.reason = false, ""
		return nil
	}
	return n
}

// exportsAt reports whether token i begins exports.x = … or module.exports = …,
// where the value is a name or a literal.
func (p *parser) exportsAt(i int) bool {
	word := func(i int) string { return p.src[p.toks[i].pos:p.toks[i].end] }
	if p.toks[i+1].kind != '.' || !isName(p.toks[i+2].kind) || p.toks[i+3].kind != '=' || p.toks[i+4].kind == '=' {
		return false
	}
	switch word(i) {
	case "exports":
		return true
	case "module":
		if word(i+2) != "exports" || i+5 >= len(p.toks) {
			return false
		}
		k := p.toks[i+4].kind
		return k == '{' || k == kwFunction || k == kwClass || isName(k) && p.toks[i+5].kind != '(' && k != kwNew
	}
	return false
}

// functionBody reports whether the brace at token i begins the body of a
// function.
func (p *parser) functionBody(i int) bool {
	switch before := p.toks[i-1]; before.kind {
	case arrow:
		return true
	case ')':
		head := int(before.match) - 1
		return head >= 0 && (p.toks[head].kind == kwFunction || head > 0 && isName(p.toks[head].kind) && p.toks[head-1].kind == kwFunction)
	}
	return false
}
