package dts

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// maxTypeParamLists is the maximum nesting depth of lists of type parameters. Each
	// list is read twice, because its members can refer to later ones.
	maxTypeParamLists = 20
	// maxTemplates is the maximum nesting depth of template literal types. Each one is
	// tokenized once for every template around it.
	maxTemplates = 8
)

// typeParams parses <T extends X = Y, …>, if there are any. They stay in scope.
func (p *syntaxParser) typeParams() {
	if p.kind() != '<' {
		return
	}
	if p.typeParamLists++; p.typeParamLists > maxTypeParamLists {
		p.fail("nested too deeply")
		return
	}
	p.declareTypeParams()
	for p.next(); p.kind() != '>' && !p.failed; {
		p.operand(p.typeParam)
		if !p.comma('>') {
			break
		}
	}
	p.expect('>', ">")
	p.typeParamLists--
}

// declareTypeParams declares the type parameters of the list at the current token.
func (p *syntaxParser) declareTypeParams() {
	depth := 0
	for i := p.i; i < len(p.toks); i++ {
		switch k := p.toks[i].kind; k {
		case '(', '[', '{':
			i = p.after(i) - 1
		case '>':
			if depth--; depth == 0 {
				return
			}
		case '<', ',':
			if k == '<' {
				depth++
			}
			if depth == 1 && i+1 < len(p.toks) {
				for p.isVariance(i + 1) {
					i++
				}
				t := &p.toks[i+1]
				p.declare(p.types, p.src[t.pos:t.end])
			}
		}
	}
}

// isVariance reports whether the token at i is a word before the name of a type
// parameter.
func (p *syntaxParser) isVariance(i int) bool {
	if i+1 >= len(p.toks) {
		return false
	}
	k, next := p.toks[i].kind, p.toks[i+1].kind
	return (k == kwConst || k == kwIn || k == kwOut) && isName(next) && next != kwExtends
}

func (p *syntaxParser) typeParam() {
	var flags apidoc.PartFlags
	p.Open(apidoc.TypeParamPart, p.pos())
	for p.isVariance(p.i) {
		p.leaf(apidoc.ModifierPart)
	}
	if !isName(p.kind()) {
		p.fail("a type parameter was expected")
		return
	}
	p.leaf(apidoc.NamePart)
	if p.take(kwExtends) {
		p.within(apidoc.ConstraintPart, p.typ)
	}
	if p.take('=') {
		flags = apidoc.Optional
		p.within(apidoc.DefaultPart, p.typ)
	}
	p.Close(p.end(), flags)
}

// typ parses a type and writes the names, parameters and members in it.
func (p *syntaxParser) typ() {
	if !p.enter() {
		return
	}
	outside, noConditional := len(p.scope), p.noConditional
	for !p.failed {
		first := p.Len()
		if p.startsFunctionType() {
			p.functionType()
			break
		}
		p.union()
		if p.noConditional || p.kind() != kwExtends || p.toks[p.i].nl {
			break
		}
		p.next()
		p.inner(true)
		p.unnamed++
		p.Unflag(first, apidoc.Outer) // These types are only compared.
		p.branches(outside)
		p.noConditional = false
	}
	p.noConditional = noConditional
	p.leave()
}

// branches parses the first branch of a conditional type, in which inferred types are in
// scope, up to the start of the second branch.
func (p *syntaxParser) branches(outside int) {
	if p.expect('?', "?") {
		p.conditional = true
		p.inner(false)
		p.expect(':', ":")
	}
	p.leaveScope(outside)
}

// inner parses a type with the given value of noConditional.
func (p *syntaxParser) inner(noConditional bool) {
	outside := p.noConditional
	p.noConditional = noConditional
	p.typ()
	p.noConditional = outside
}

// operand calls parse for something other than the type of the declared value.
func (p *syntaxParser) operand(parse func()) {
	p.operands++
	parse()
	p.operands--
}

// union parses a type or several alternatives, each of which is a part.
func (p *syntaxParser) union() {
	first, start := p.Len(), p.pos()
	if p.kind() == '|' {
		p.leaf(apidoc.TriviaPart)
	}
	n, second := p.Len(), p.pos()
	p.intersection()
	if p.kind() != '|' {
		return
	}
	p.Wrap(n, apidoc.TypePart, second)
	p.Close(p.end())
	p.Wrap(first, apidoc.UnionPart, start)
	for p.take('|') {
		p.Open(apidoc.TypePart, p.pos())
		p.intersection()
		p.Close(p.end())
	}
	p.Close(p.end())
	p.Flag(first, apidoc.BodyPart, apidoc.Alternative)
}

func (p *syntaxParser) intersection() {
	if p.kind() == '&' {
		p.leaf(apidoc.TriviaPart)
	}
	for p.operator(); p.take('&'); {
		p.operator()
	}
}

// comma steps over a comma between elements of a list, if there is one. A comma before the end of
// the list has no meaning.
func (p *syntaxParser) comma(end kind) bool {
	if p.kind() == ',' && p.peek(1) == end {
		p.leaf(apidoc.TriviaPart)
		return true
	}
	return p.take(',')
}

// quotes writes the quotation marks of the string at the current token.
func (p *syntaxParser) quotes() {
	start, end := p.pos(), p.base+int(p.toks[p.i].end)
	p.Leaf(apidoc.TriviaPart, start, min(start+1, end))
	if end-start > 1 {
		p.Leaf(apidoc.TriviaPart, end-1, end)
	}
}

func (p *syntaxParser) functionType() {
	p.notNamed()
	if p.kind() == kwAbstract {
		p.leaf(apidoc.ModifierPart)
	}
	p.take(kwNew)
	p.signature(apidoc.ResultPart, arrow)
}

// returnType parses a type or a predicate, such as x is T and asserts x.
func (p *syntaxParser) returnType() {
	if k := p.peekSame(); p.kind() == kwAsserts && isName(k) && k != kwExtends && k != kwIs {
		p.notNamed()
		p.next()
		if p.next(); p.kind() != kwIs {
			return
		}
	} else if isName(p.kind()) && k == kwIs {
		p.notNamed()
		p.next()
	} else {
		p.typ()
		return
	}
	p.next()
	p.operand(p.typ)
}

// operator parses a type and the operators before it.
func (p *syntaxParser) operator() {
	first, keys := p.Len(), false
	for (p.kind() == kwKeyof || p.kind() == kwUnique || p.kind() == kwReadonly) && p.typeFollows(1) {
		keys = keys || p.kind() == kwKeyof
		p.next()
	}
	if keys {
		p.notNamed()
		defer func() { p.Unflag(first, apidoc.Outer) }()
	}
	switch {
	case p.kind() == kwInfer && isName(p.peek(1)):
		p.notNamed()
		p.infer()
	case p.startsFunctionType():
		p.functionType()
	default:
		noConditional := p.noConditional
		p.noConditional = false
		p.postfixType()
		p.noConditional = noConditional
	}
}

// infer parses infer T, which declares a type parameter.
func (p *syntaxParser) infer() {
	p.next()
	p.declare(p.types, p.word())
	outside := len(p.scope)
	p.scope[outside-1].inferred = true
	p.Open(apidoc.TypeParamPart, p.pos())
	p.leaf(apidoc.NamePart)
	constrained := p.take(kwExtends)
	if constrained {
		p.within(apidoc.ConstraintPart, func() { p.inner(true) })
	}
	p.Close(p.end())
	if constrained && !p.noConditional && p.kind() == '?' {
		p.branches(outside)
		p.inner(false)
	}
}

// postfixType parses a type and its suffixes, such as [] and ["x"].
func (p *syntaxParser) postfixType() {
	first := p.Len()
	p.primaryType()
	for p.kind() == '[' && !p.toks[p.i].nl {
		end := p.closing()
		if p.next(); p.i < end {
			p.inner(false)
		}
		p.expect(']', "]")
		p.notNamed()
		p.Unflag(first, apidoc.Outer)
	}
}

func (p *syntaxParser) primaryType() {
	switch k := p.kind(); k {
	case str, number, template, '-', '[', '{', kwTypeof:
		p.notNamed()
	}
	switch k := p.kind(); k {
	case str:
		p.quotes()
		p.next()
	case number:
		p.next()
	case template:
		p.template()
	case '-':
		p.next()
		p.expect(number, "a number")
	case '(':
		p.next()
		p.inner(false)
		p.expect(')', ")")
	case '[':
		p.operand(p.tuple)
	case '{':
		p.within(apidoc.BodyPart, func() { p.operand(p.members) })
	case kwTypeof:
		if p.next(); p.kind() == kwImport {
			p.importType()
		} else {
			p.reference(p.values)
			p.typeArgs()
		}
	case kwImport:
		p.importType()
	default:
		if !isName(k) {
			p.fail("a type was expected")
			return
		}
		p.reference(p.types)
		p.typeArgs()
	}
}

// reference writes a dotted name, which is looked up among the local names in scope.
func (p *syntaxParser) reference(scope map[string]int) {
	if !isName(p.kind()) {
		p.fail("a name was expected")
		return
	}
	first, start, single := p.word(), p.pos(), true
	for p.next(); p.kind() == '.' && p.peek(1) >= private; single = false {
		p.next()
		p.next()
	}
	var flags apidoc.PartFlags
	switch {
	case single && (first == "true" || first == "false"):
		p.notNamed()
		return
	case first == "this":
		flags = apidoc.Local
		if single {
			flags |= apidoc.Self
		}
	case scope[first] > 0:
		flags = apidoc.Local
	case single && (isTypeKeyword(first) || first == "null"), globals()[first]:
		flags = apidoc.Builtin
	}
	p.Leaf(apidoc.ReferencePart, start, p.end(), flags|p.outer())
}

// notNamed records that the type of the declared value is not a name.
func (p *syntaxParser) notNamed() {
	if p.operands == 0 {
		p.unnamed++
	}
}

// typeArgs parses <A, B>, if there are any.
func (p *syntaxParser) typeArgs() {
	if p.kind() != '<' || p.toks[p.i].nl {
		return
	}
	p.operands++
	for more := true; more && !p.failed; more = p.kind() == ',' {
		p.next()
		p.inner(false)
	}
	p.operands--
	p.expect('>', ">")
}

// importType parses import("module").A.B<C>.
func (p *syntaxParser) importType() {
	start := p.pos()
	if p.next(); p.kind() != '(' || p.peek(1) != str {
		p.fail("the name of a module was expected")
		return
	}
	p.closing()
	p.skipGroup()
	for p.kind() == '.' && isName(p.peek(1)) {
		p.next()
		p.next()
	}
	p.Leaf(apidoc.ReferencePart, start, p.end(), p.outer())
	p.typeArgs()
}

// outer returns the flag Outer, unless the current token is in an operand.
func (p *syntaxParser) outer() apidoc.PartFlags {
	if p.operands > 0 {
		return 0
	}
	return apidoc.Outer
}

func (p *syntaxParser) tuple() {
	end := p.closing()
	for p.next(); p.i < end; {
		p.tupleMember()
		if !p.comma(']') {
			break
		}
	}
	p.expect(']', "]")
}

func (p *syntaxParser) tupleMember() {
	n := 0
	if p.kind() == ellipsis {
		n = 1
	}
	if !isName(p.peek(n)) || p.peek(n+1) != ':' && (p.peek(n+1) != '?' || p.peek(n+2) != ':') {
		p.take(ellipsis)
		p.inner(false)
		p.take('?')
		return
	}
	var flags apidoc.PartFlags
	p.Open(apidoc.MemberPart, p.pos())
	if p.take(ellipsis) {
		flags = apidoc.Variadic
	}
	p.leaf(apidoc.NamePart)
	if p.take('?') {
		flags |= apidoc.Optional
	}
	p.next()
	p.within(apidoc.TypePart, func() { p.inner(false) })
	p.Close(p.end(), flags)
}

// members parses the members of a type literal, or a mapped type.
func (p *syntaxParser) members() {
	if !p.enter() {
		return
	}
	noConditional := p.noConditional
	p.noConditional = false
	end, mapped := p.closing(), p.startsMapped()
	for p.next(); p.i < end; {
		p.Open(apidoc.MemberPart, p.pos())
		var flags apidoc.PartFlags
		if mapped {
			flags = p.mapped()
		} else {
			flags = p.member()
		}
		p.Close(p.end(), flags)
		if k := p.kind(); k == ';' || k == ',' {
			p.leaf(apidoc.TriviaPart)
		} else if p.i < end && !p.toks[p.i].nl {
			p.fail("the end of the member was expected")
		}
	}
	p.expect('}', "}")
	p.noConditional = noConditional
	p.leave()
}

// mapped parses [K in T as N]?: U with its modifiers, and returns the flags of the
// members that it represents.
func (p *syntaxParser) mapped() (flags apidoc.PartFlags) {
	outside := len(p.scope)
	if p.kind() != '[' {
		start := p.pos()
		_ = p.take('+') || p.take('-')
		p.next()
		p.Leaf(apidoc.ModifierPart, start, p.end())
	}
	if !p.expect('[', "[") {
		return 0
	}
	p.declare(p.types, p.word())
	p.Open(apidoc.TypeParamPart, p.pos())
	p.leaf(apidoc.NamePart)
	p.next() // Skip the keyword "in".
	p.within(apidoc.ConstraintPart, p.typ)
	p.Close(p.end())
	if p.take(kwAs) {
		p.typ()
	}
	p.expect(']', "]")
	sign := p.kind()
	_ = p.take('+') || p.take('-')
	if p.take('?') && sign != '-' {
		flags = apidoc.Optional
	}
	if p.take(':') {
		p.within(apidoc.TypePart, p.typ)
	}
	p.leaveInner(outside)
	return flags
}

// template writes the names in the substitutions of the template at the current token.
func (p *syntaxParser) template() {
	s := p.word()
	token := &p.toks[p.i]
	for i := 1; i < len(s)-1 && !p.failed; i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '$' && s[i+1] == '{':
			end := substitutionEnd(s, i+2)
			p.substitution(s[i+2:end], p.base+int(token.pos)+i+2)
			i = end
		}
	}
	p.next()
}

// substitution parses the type of a substitution. base is the offset of src in the whole text.
func (p *syntaxParser) substitution(src string, base int) {
	if p.templates >= maxTemplates {
		p.fail("nested too deeply")
		return
	}
	lx := lexers.Get().(*lexer)
	defer lx.release()
	lx.lex(&File{Source: src})
	outer, outerBase := p.parser, p.base
	p.src, p.toks, p.i, p.base = src, lx.toks, 0, base
	p.templates++
	p.operand(func() { p.inner(false) })
	p.templates--
	failed := p.failed || p.kind() != eof
	p.parser, p.base = outer, outerBase
	if failed {
		p.fail("a type was expected")
	}
}

//go:embed globals.txt
var globalNames string

// globals returns the names that TypeScript's library declares.
var globals = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(globalNames) {
		names[name] = true
	}
	return names
})
