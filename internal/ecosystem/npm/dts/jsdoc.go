package dts

func readJSDoc(f *File) {}

// jsdocType reads the forms that only doc comments know: *, ?T, !T.
func (p *parser) jsdocType() *Node {
	k := p.kind()
	n := p.node(Keyword)
	n.Text = "any"
	p.next()
	switch k {
	case '?':
		if !p.typeFollows(0) {
			return n
		}
		return p.nullable(p.postfixType())
	case '!':
		return p.postfixType()
	}
	return n
}

// jsdocFunction reads function(string, this: X): boolean.
func (p *parser) jsdocFunction() *Node {
	return nil
}
