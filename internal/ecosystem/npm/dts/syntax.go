package dts

import (
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxSyntax is the maximum size, in bytes, of the text of declarations that Parts parses.
const maxSyntax = 1 << 20

// Parts returns the parts of declarations and members as printed by [Node.Signature],
// each of which must begin on a new line. It returns nil for a text that it cannot
// parse.
func Parts(text string) []apidoc.Part {
	if len(text) > maxSyntax || !utf8.ValidString(text) {
		return nil
	}
	lx := lexers.Get().(*lexer)
	defer lx.release()
	lx.lex(&File{Source: text})
	p := syntaxParser{parser: parser{src: text, toks: lx.toks}, types: map[string]int{}, values: map[string]int{}}
	for p.kind() != eof && !p.failed {
		start := p.i
		p.Open(apidoc.DeclarationPart, p.pos())
		flags := p.declaration()
		p.Close(p.end(), flags)
		p.take(';')
		if p.i == start || !p.toks[p.i].nl {
			return nil
		}
		p.leaveScope(0)
	}
	if p.failed {
		return nil
	}
	return p.List(len(text))
}

// syntaxParser writes the parts of declarations instead of building nodes.
type syntaxParser struct {
	parser
	apidoc.Parts
	// base is the offset of src in the whole text. It is not 0 for a part within a template.
	base int
	// templates and typeParamLists are the numbers of templates and type parameter lists around the
	// current token.
	templates, typeParamLists int
	// operands is the number of enclosing constructs that make the current token something other
	// than the type of the declared value: parameters, type arguments, elements and members.
	operands int
	// unnamed is the number of types of declared values that are not names, so far.
	unnamed int
	// scope lists the type parameters and parameters that are in scope, with the
	// innermost last. types and values contain their number by name.
	scope []local
	// conditional is true if the declaration contains a conditional type.
	conditional   bool
	types, values map[string]int
}

// local is a type parameter or a parameter.
type local struct {
	in   map[string]int
	name string
	// inferred is true for infer T, which is in scope in the conditional type.
	inferred bool
}

func (p *syntaxParser) declare(in map[string]int, name string) {
	in[name]++
	p.scope = append(p.scope, local{in: in, name: name})
}

// leaveScope ends the scope of all names except the first n.
func (p *syntaxParser) leaveScope(n int) {
	for _, l := range p.scope[n:] {
		l.in[l.name]--
	}
	p.scope = p.scope[:n]
}

// leaveInner ends the scope of all names except the first n and inferred ones.
func (p *syntaxParser) leaveInner(n int) {
	inner := p.scope[n:]
	p.scope = p.scope[:n]
	for _, l := range inner {
		if l.inferred {
			p.scope = append(p.scope, l)
		} else {
			l.in[l.name]--
		}
	}
}

// pos returns where the current token begins.
func (p *syntaxParser) pos() int { return p.base + int(p.toks[p.i].pos) }

// end returns where the token before the current one ends.
func (p *syntaxParser) end() int {
	if p.failed || p.i == 0 {
		return p.pos()
	}
	return p.base + int(p.toks[p.i-1].end)
}

// leaf writes the current token as a part and steps over it.
func (p *syntaxParser) leaf(role apidoc.PartRole) {
	start := p.pos()
	p.next()
	p.Leaf(role, start, p.end())
}

// within calls f and writes the tokens that it parses as a part with the given role.
func (p *syntaxParser) within(role apidoc.PartRole, f func()) {
	start, unnamed := p.i, p.unnamed
	p.Open(role, p.pos())
	if f(); p.i == start {
		p.fail("more was expected")
	}
	if role == apidoc.TypePart && p.operands == 0 && p.unnamed == unnamed {
		p.Close(p.end(), apidoc.Named)
		return
	}
	p.Close(p.end())
}

// declaration parses a declaration or a member. It returns its flags.
func (p *syntaxParser) declaration() (flags apidoc.PartFlags) {
	start := p.i
	if p.kind() == kwAbstract && p.peekSame() == kwClass || p.kind() == kwConst && p.peekSame() == kwEnum {
		p.leaf(apidoc.ModifierPart)
	}
	k, next := p.kind(), p.peekSame()
	named := isName(next) || next == str
	switch {
	case k == kwFunction && (isName(next) || (next == '(' || next == '<') && p.toks[p.i].end < p.toks[p.i+1].pos):
		p.next()
		p.declared()
		p.signature(apidoc.ResultPart, ':')
	case k == kwClass && (isName(next) || p.i > start || next == eof || next == '<'), k == kwInterface && isName(next):
		if k == kwInterface {
			flags = apidoc.Implemented
		}
		p.next()
		if p.kind() != kwExtends || p.peekSame() == kwExtends {
			p.declared()
		}
		p.typeParams()
		p.bases()
	case k == kwType && isName(next):
		p.next()
		p.declared()
		p.typeParams()
		if p.expect('=', "=") {
			p.alias()
		}
	case k == kwEnum && isName(next), (k == kwNamespace || k == kwModule) && named:
		p.next()
		p.declared()
	case (k == kwConst || k == kwLet || k == kwVar || k == kwUsing) && (named || next == '[' || next == '{'):
		p.next()
		p.declared()
		p.typeOrValue(apidoc.ValuePart)
	case k == kwExport && next == '{':
		p.exported()
	case k == kwExport && next == kwImport:
		p.required()
	default:
		return p.member()
	}
	return flags
}

// alias parses the type that an alias is declared as.
func (p *syntaxParser) alias() {
	var flags apidoc.PartFlags
	start, unnamed := p.i, p.unnamed
	p.Open(apidoc.TypePart, p.pos())
	if p.typ(); p.i == start {
		p.fail("a type was expected")
	}
	switch {
	case p.conditional:
		flags = apidoc.Computed
	case p.unnamed == unnamed:
		flags = apidoc.Named
	}
	p.Close(p.end(), flags)
}

// declared writes the name of a declaration, if it has one.
func (p *syntaxParser) declared() {
	start := p.pos()
	switch k := p.kind(); {
	case p.toks[p.i].nl:
		return
	case isName(k):
		for p.next(); p.kind() == '.' && p.peek(1) >= private && !p.toks[p.i].nl; {
			p.next()
			p.next()
		}
		p.Leaf(apidoc.NamePart, start, p.end())
	case k == str:
		p.stringName()
	case k == '[' || k == '{':
		p.pattern()
	}
}

// stringName writes a name in quotation marks.
func (p *syntaxParser) stringName() {
	p.Open(apidoc.NamePart, p.pos())
	p.quotes()
	p.next()
	p.Close(p.end())
}

// pattern writes the name of a parameter that destructures its argument.
func (p *syntaxParser) pattern() {
	start := p.pos()
	if p.closing(); p.failed {
		return
	}
	first := p.i
	p.skipGroup()
	flags := apidoc.Pattern
	for _, t := range p.toks[first:p.i] {
		if t.kind == '=' {
			flags |= apidoc.Optional // A name in the pattern has a default.
		}
	}
	p.Leaf(apidoc.NamePart, start, p.end(), flags)
}

// exported parses an export whose declaration is unknown, such as export { a as b } from "m".
func (p *syntaxParser) exported() {
	p.next()
	end := p.closing()
	p.next()
	if p.peek(1) == kwAs && p.i+1 < end {
		p.leaf(apidoc.ReferencePart)
		p.next()
	}
	if p.i < end {
		p.leaf(apidoc.NamePart)
	}
	if p.i != end {
		p.fail("} was expected")
		return
	}
	p.next()
	if p.take(kwFrom) {
		p.expect(str, "the name of a module")
	}
}

// required parses export import a = require("m").
func (p *syntaxParser) required() {
	p.next()
	p.next()
	p.leaf(apidoc.NamePart)
	if p.expect('=', "=") {
		p.next()
		_ = p.expect('(', "(") && p.expect(str, "the name of a module") && p.expect(')', ")")
	}
}

// bases parses extends and implements clauses.
func (p *syntaxParser) bases() {
	for p.kind() == kwExtends || p.kind() == kwImplements {
		for more := true; more && !p.failed; more = p.kind() == ',' {
			p.next()
			p.within(apidoc.BasePart, func() { p.operand(p.baseType) })
		}
	}
}

// baseType parses a base type, or the expression that makes a base class.
func (p *syntaxParser) baseType() {
	p.take(kwNew)
	if k := p.kind(); isName(k) && k != kwClass && k != kwFunction {
		p.postfixType()
	}
	for k := p.kind(); k != eof && k != ',' && k != kwImplements && !p.toks[p.i].nl; k = p.kind() {
		if k == '(' || k == '[' || k == '{' {
			p.expression(p.closing())
		} else {
			p.next()
		}
	}
}

// expression writes the names between the bracket at the current token and its closing bracket, at
// index end, as references.
func (p *syntaxParser) expression(end int) {
	for p.next(); p.i < end; {
		if p.kind() == ident && p.peek(1) != ':' && p.toks[p.i-1].kind != '.' {
			p.reference(p.values)
		} else {
			p.next()
		}
	}
	p.next()
}

// typeOrValue parses ": T" and "= x" after a name.
func (p *syntaxParser) typeOrValue(value apidoc.PartRole) {
	if p.take(':') {
		p.within(apidoc.TypePart, p.typ)
	}
	if p.take('=') {
		p.within(value, p.skipValue)
	}
}

// skipValue steps over an expression up to a comma, a closing bracket or the end of a
// declaration.
func (p *syntaxParser) skipValue() {
	for first := true; first || !p.toks[p.i].nl; first = false {
		switch k := p.kind(); k {
		case '(', '[', '{':
			for end := p.closing(); p.i < end; p.next() {
				if p.kind() == str {
					p.quotes()
				}
			}
			p.next()
		case str:
			p.quotes()
			p.next()
		case ',', ')', ']', '}', ';', eof:
			return
		default:
			p.next()
		}
	}
}

// member parses a member of a class, interface, type literal or enumeration, and returns
// its flags.
func (p *syntaxParser) member() (flags apidoc.PartFlags) {
	for modifier(p.kind()) != 0 && p.nameFollows() && !p.toks[p.i+1].nl {
		if p.kind() == kwStatic {
			flags = apidoc.OnType
		}
		p.leaf(apidoc.ModifierPart)
	}
	result := apidoc.ResultPart
	switch k := p.kind(); {
	case k == '(' || k == '<':
		p.signature(result, ':')
		return flags
	case k == kwNew && (p.peek(1) == '(' || p.peek(1) == '<'):
		p.next()
		p.signature(result, ':')
		return flags
	case k == '[' && isName(p.peek(1)) && (p.peek(2) == ':' || p.peek(2) == ','):
		p.paramGroup()
		p.typeOrValue(apidoc.ValuePart)
		return flags
	case (k == kwGet || k == kwSet) && p.nameFollows() && !p.toks[p.i+1].nl:
		result = apidoc.TypePart
		p.leaf(apidoc.ModifierPart)
	}
	switch k := p.kind(); {
	case k == str:
		p.stringName()
	case isName(k) || k == number || k == private:
		p.leaf(apidoc.NamePart)
	case k == '[':
		start := p.pos()
		if p.closing(); p.failed {
			return 0
		}
		p.skipGroup()
		p.Leaf(apidoc.NamePart, start, p.end())
	default:
		p.fail("a member was expected")
		return 0
	}
	if p.toks[p.i].nl {
		return 0
	}
	if p.take('?') {
		flags |= apidoc.Optional
	}
	if k := p.kind(); k == '(' || k == '<' {
		p.signature(result, ':')
	} else {
		p.typeOrValue(apidoc.ValuePart)
	}
	return flags
}

// signature parses type parameters, parameters, and the result after a mark.
func (p *syntaxParser) signature(result apidoc.PartRole, mark kind) {
	outside, noConditional := len(p.scope), p.noConditional
	p.noConditional = false
	p.typeParams()
	if p.kind() != '(' {
		p.fail("( was expected")
		return
	}
	p.paramGroup()
	if p.kind() == mark && !(mark == ':' && p.toks[p.i].nl) {
		p.next()
		if result == apidoc.ResultPart {
			p.Open(result, p.pos())
			p.within(apidoc.TypePart, p.returnType)
			p.Close(p.end())
		} else {
			p.within(result, p.returnType)
		}
	} else if mark == arrow {
		p.fail("=> was expected")
	}
	p.noConditional = noConditional
	p.leaveInner(outside)
}

// paramGroup parses the parameters in the bracket at the current token.
func (p *syntaxParser) paramGroup() {
	end := p.closing()
	for p.next(); p.i < end; {
		p.operand(p.param)
		if p.i < end && !p.comma(p.toks[end].kind) {
			p.fail("a comma was expected")
			return
		}
	}
	if !p.failed {
		p.next()
	}
}

func (p *syntaxParser) param() {
	var flags apidoc.PartFlags
	p.Open(apidoc.ParamPart, p.pos())
	for modifier(p.kind()) != 0 && (isName(p.peek(1)) || p.peek(1) == '{' || p.peek(1) == '[') {
		p.leaf(apidoc.ModifierPart)
	}
	if p.take(ellipsis) {
		flags |= apidoc.Variadic
	}
	switch k := p.kind(); {
	case k == '[' || k == '{':
		p.pattern()
	case isName(k):
		if k == kwThis {
			flags |= apidoc.Self
		}
		p.declare(p.values, p.word())
		p.leaf(apidoc.NamePart)
	default:
		p.fail("a parameter was expected")
		return
	}
	if p.take('?') || p.kind() == '=' {
		flags |= apidoc.Optional
	}
	p.typeOrValue(apidoc.DefaultPart)
	if p.failed {
		return
	}
	p.Close(p.end(), flags)
}
