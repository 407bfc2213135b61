package header

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// parser converts tokens to symbols.
type parser struct {
	file    string
	macros  macros
	cpp     bool
	symbols []apidoc.Symbol // symbols of the current scope
	count   int
	before  facts // attributes before @interface or @protocol
}

// scope is where a declaration is located.
type scope struct {
	path  string // path of the enclosing types and namespaces, followed by "."
	class string // the type whose members the declarations are, or ""
	depth int
	// private is true where the members of a class are not public.
	private bool
}

var (
	keywords = set(`struct union enum class typedef static extern const volatile unsigned signed int char short long float double void bool _Bool
		return sizeof if else for while do switch case auto typename template namespace using public private protected virtual friend
		operator new delete throw noexcept override final explicit mutable restrict __restrict id instancetype`)
	// enumMacros lists macros that declare an enumeration, as in NS_ENUM(type, name).
	enumMacros = set(`NS_ENUM NS_OPTIONS NS_CLOSED_ENUM NS_ERROR_ENUM CF_ENUM CF_OPTIONS CF_CLOSED_ENUM SWIFT_ENUM`)
	typeWords  = set("struct union enum class")
	// storage lists keywords that callers do not need.
	storage = set("extern static inline")
)

// decls reads declarations.
func (p *parser) decls(tokens []token, s scope) {
	if s.depth++; s.depth > maxNested {
		return
	}
	for i := 0; i < len(tokens) && p.count < maxSymbols; {
		switch t := tokens[i].text; {
		case t == ";" || t == "}" || t == "@end" || t == "@optional" || t == "@required":
			i++
		case t == "@class" || t == "@import" || t == "@compatibility_alias" || t == "friend" || t == "static_assert" || t == "_Static_assert":
			i = find(tokens, i, ";") + 1
		case t == "@interface" || t == "@protocol":
			i = p.objc(tokens, i)
		case t == "extern" && i+1 < len(tokens) && tokens[i+1].kind == quoted:
			if i += 2; i < len(tokens) && tokens[i].text == "{" {
				end := group(tokens, i)
				p.decls(tokens[i+1:max(end, i+1)], s)
				i = end + 1
			}
		case t == "namespace" || t == "inline" && next(tokens, i) == "namespace":
			i = p.namespace(tokens, i, s)
		case (t == "public" || t == "private" || t == "protected") && next(tokens, i) == ":":
			s.private = t != "public"
			i += 2
		default:
			i = p.declaration(tokens, i, s)
		}
	}
}

// namespace reads a C++ namespace. Namespaces without a name are not public. It
// returns the index after the namespace.
func (p *parser) namespace(tokens []token, i int, s scope) int {
	var names []string
	for i++; i < len(tokens) && tokens[i].text != "{"; i++ {
		if tokens[i].text == ";" || tokens[i].text == "=" {
			return find(tokens, i, ";") + 1
		}
		if tokens[i].kind == word && tokens[i].text != "namespace" && !isMacro(tokens[i].text) {
			names = append(names, tokens[i].text)
		}
	}
	if i >= len(tokens) {
		return i
	}
	end := group(tokens, i)
	if len(names) > 0 && len(s.path) < maxSignature {
		s.path += strings.Join(names, ".") + "."
		p.decls(tokens[i+1:max(end, i+1)], s)
	}
	return end + 1
}

// group returns the index of the token that closes the bracket at i, or the
// last index if there is none.
func group(tokens []token, i int) int {
	open := tokens[i].text
	end := map[string]string{"(": ")", "[": "]", "{": "}"}[open]
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i].text {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens) - 1
}

// declaration reads the declaration that begins at i, and returns the index of
// the next one.
func (p *parser) declaration(tokens []token, i int, s scope) int {
	start, body, bodyEnd := i, -1, -1
	value := false
	j := i
	for ; j < len(tokens); j++ {
		switch t := tokens[j].text; t {
		case "(", "[":
			j = group(tokens, j)
			continue
		case "=":
			value = true
			continue
		case "{":
			end := group(tokens, j)
			if value {
				j = end
				continue
			}
			if body < 0 && p.isType(tokens[start:j]) {
				body, bodyEnd = j, end
				j = end
				continue
			}
			if body < 0 && !s.private {
				p.plain(tokens[start:j], s, true)
			}
			return end + 1
		case "typedef", "@interface", "@protocol", "@end":
			if j > start { // Attributes, or a macro that needs no semicolon, precede the declaration.
				if t == "@interface" || t == "@protocol" {
					_, p.before = p.clean(tokens[start:j])
				}
				if tokens[j].doc == "" {
					tokens[j].doc, _, _ = about(tokens[start:j])
				}
				return j
			}
			continue
		case "template":
			if next(tokens, j) == "<" {
				j = angle(tokens, j+1)
			}
			continue
		case ";", "}":
		default:
			continue
		}
		break
	}
	after := ""
	if j < len(tokens) {
		after = tokens[j].after
	}
	switch {
	case s.private:
	case body >= 0:
		p.typed(tokens[start:body], tokens[min(body+1, bodyEnd):bodyEnd], tokens[min(bodyEnd+1, j):j], s)
	default:
		if j > start && tokens[j-1].after != "" && after == "" {
			after = tokens[j-1].after
		}
		p.behind(tokens[start:j], s, after)
	}
	return j + 1
}

// behind reads a declaration without a body and the comment after it.
func (p *parser) behind(tokens []token, s scope, after string) {
	first := len(p.symbols)
	p.plain(tokens, s, false)
	if after == "" {
		return
	}
	for i := first; i < len(p.symbols); i++ {
		if p.symbols[i].Doc == "" {
			p.symbols[i].Doc, _ = convert(after)
		}
	}
}

// isType reports whether the tokens before a brace declare a type.
func (p *parser) isType(head []token) bool {
	head, _ = p.clean(head)
	for i, t := range head {
		switch {
		case typeWords[t.text]:
			return !slices.ContainsFunc(head[i+1:], func(after token) bool { return after.text == "(" })
		case enumMacros[t.text]:
			return true
		case t.text == "template" || t.text == "typedef" || t.text == "static" || t.text == "const" || t.text == "extern":
			continue
		case t.text == "(":
			return false
		}
	}
	return false
}

// typed reads the declaration of a type with its body, and the names that are
// declared after the body.
func (p *parser) typed(head, body, tail []token, s scope) {
	doc, line, constraint := about(head)
	head, f := p.clean(head)
	tail, g := p.clean(tail)
	if f.hidden || g.hidden {
		return
	}
	isTypedef := false
	keyword := -1
	for i, t := range head {
		if t.text == "typedef" {
			isTypedef = true
		}
		if keyword < 0 && (typeWords[t.text] || enumMacros[t.text]) {
			keyword = i
		}
	}
	if keyword < 0 {
		return
	}
	what, tag, rest := head[keyword].text, "", head[keyword+1:]
	var underlying string
	if enumMacros[what] {
		end := group(head, min(keyword+1, len(head)-1))
		inner := head[min(keyword+2, end):end]
		if comma := find(inner, 0, ","); len(inner) > 0 && inner[comma].text == "," {
			underlying = join(inner[:comma])
			tag = join(inner[comma+1:])
			if what == "NS_ERROR_ENUM" {
				underlying = "NSInteger" // The first argument is the domain.
			}
		} else {
			underlying = join(inner)
		}
		what = "enum"
	} else {
		if len(rest) > 0 && what == "enum" && (rest[0].text == "class" || rest[0].text == "struct") {
			what, rest = "enum "+rest[0].text, rest[1:]
		}
		if len(rest) > 0 && rest[0].kind == word {
			tag, rest = rest[0].text, rest[1:]
		}
		if len(rest) > 0 && rest[0].text == "final" {
			rest = rest[1:]
		}
		underlying = join(rest)
		underlying = strings.TrimSpace(strings.TrimPrefix(underlying, ":"))
	}
	// Names may follow the body, as in typedef struct { … } Name, *NamePointer;.
	var plain, others [][]token
	for _, d := range split(tail) {
		if len(d) == 1 && d[0].kind == word {
			plain = append(plain, d)
		} else if len(d) > 0 {
			others = append(others, d)
		}
	}
	name := tag
	if isTypedef && len(plain) > 0 {
		name = plain[0][0].text
	}
	inner := scope{path: s.path + name + ".", class: name, depth: s.depth, private: what == "class"}
	if name == "" {
		inner = s // enumerators of an enumeration without a name belong to the enclosing scope
	}
	outside := p.symbols
	p.symbols = nil
	if strings.HasPrefix(what, "enum") {
		p.enumerators(body, inner)
	} else {
		inner.class = cmp.Or(inner.class, "-")
		p.decls(body, inner)
	}
	members := p.symbols
	p.symbols = outside
	switch {
	case name == "" && len(plain)+len(others) > 0: // The field, or the pointer that typedef names, has a type without a name.
		kind, before := fieldOrVar(s), ""
		if isTypedef {
			kind, before = apidoc.Type, "typedef "
		}
		for _, d := range append(plain, others...) {
			if n := declaratorName(d); n != "" {
				p.add(apidoc.Symbol{Path: s.path + n, Kind: kind, Signature: before + what + " { … } " + join(d), Doc: doc, Line: line, Constraint: constraint, Members: prefixed(members, s.path, n)}, f)
			}
		}
		return
	case name == "":
		for i := range members {
			p.add(members[i], facts{})
		}
		return
	}
	signature := what + " " + name
	if template := head[:keyword]; len(template) > 0 && template[0].text == "template" {
		signature = join(template) + " " + signature
	}
	switch {
	case isTypedef && tag != "" && tag != name:
		signature = "typedef " + what + " " + tag + " " + name
	case underlying != "" && (strings.HasPrefix(what, "enum") || what == "class" || what == "struct"):
		signature += " : " + underlying
	}
	f.swiftName = cmp.Or(f.swiftName, g.swiftName)
	f.deprecated = cmp.Or(f.deprecated, g.deprecated)
	kind := apidoc.Kind(what)
	if strings.HasPrefix(what, "enum") {
		kind = apidoc.Enum
	}
	p.add(apidoc.Symbol{Path: s.path + name, Kind: kind, Signature: signature, Doc: doc, Line: line, Constraint: constraint, Members: members}, f)
	if isTypedef {
		for i, d := range append(plain, others...) {
			if n := declaratorName(d); n != "" && (i > 0 || len(plain) == 0) {
				p.add(apidoc.Symbol{Path: s.path + n, Kind: apidoc.Type, Signature: "typedef " + what + " " + name + " " + join(d), Line: line, Constraint: constraint}, facts{})
			}
		}
		return
	}
	for _, d := range append(plain, others...) {
		if n := declaratorName(d); n != "" {
			p.add(apidoc.Symbol{Path: s.path + n, Kind: fieldOrVar(s), Signature: what + " " + name + " " + join(d), Line: line, Constraint: constraint}, facts{})
		}
	}
}

// prefixed moves the fields of an unnamed type below the field that has this
// type.
func prefixed(members []apidoc.Symbol, path, name string) []apidoc.Symbol {
	for i := range members {
		members[i].Path = path + name + "." + strings.TrimPrefix(members[i].Path, path)
		prefixed(members[i].Members, path, name)
	}
	return members
}

func fieldOrVar(s scope) apidoc.Kind {
	if s.class != "" {
		return apidoc.Field
	}
	return apidoc.Var
}

// enumerators reads the values of an enumeration.
func (p *parser) enumerators(body []token, s scope) {
	kind := apidoc.EnumValue
	if s.class == "" {
		kind = apidoc.Const
	}
	start := 0
	for i := 0; i <= len(body); i++ {
		if i < len(body) {
			if t := body[i].text; t == "(" || t == "{" || t == "[" {
				i = group(body, i)
				continue
			} else if t != "," {
				continue
			}
		}
		one := body[start:i]
		after := ""
		if len(one) > 0 {
			after = one[len(one)-1].after
		}
		if i < len(body) && body[i].after != "" {
			after = body[i].after
		}
		start = i + 1
		if len(one) == 0 {
			continue
		}
		doc, line, constraint := about(one)
		one, f := p.clean(one)
		if len(one) == 0 || one[0].kind != word || f.hidden {
			continue
		}
		doc = cmp.Or(doc, after)
		p.add(apidoc.Symbol{Path: s.path + one[0].text, Kind: kind, Signature: join(one), Doc: doc, Line: line, Constraint: constraint}, f)
	}
}

// plain reads a declaration without the body of a type.
func (p *parser) plain(tokens []token, s scope, body bool) {
	doc, line, constraint := about(tokens)
	tokens, f := p.clean(tokens)
	if len(tokens) == 0 || f.hidden {
		return
	}
	symbol := apidoc.Symbol{Doc: doc, Line: line, Constraint: constraint}
	switch first := tokens[0].text; {
	case first == "typedef":
		p.typedef(tokens[1:], s, symbol, f)
		return
	case first == "using":
		if len(tokens) > 3 && tokens[2].text == "=" && tokens[1].kind == word {
			symbol.Path, symbol.Kind, symbol.Signature = s.path+tokens[1].text, apidoc.Type, join(tokens)
			p.add(symbol, f)
		}
		return
	case typeWords[first] && len(tokens) <= 2, first == "enum":
		return // this is a forward declaration
	case first == "goto" || first == "return" || first == "#":
		return
	}
	if n := len(tokens); n > 2 && tokens[n-2].text == "=" && tokens[n-1].text == "delete" {
		return
	}
	if name, ok := functionName(tokens, p.cpp || s.class != ""); ok {
		if strings.HasPrefix(name, "~") || strings.HasPrefix(name, "__") || keywords[name] && !strings.HasPrefix(name, "operator") {
			return
		}
		if s.class == "" && tokens[0].text == name {
			return // the name is an unknown macro
		}
		symbol.Path, symbol.Kind = s.path+name, apidoc.Func
		if s.class != "" {
			symbol.Kind = apidoc.Method
		}
		if body {
			tokens = withoutInitialisers(tokens)
		}
		symbol.Signature = join(withoutStorage(tokens, s.class == ""))
		p.add(symbol, f)
		return
	}
	if body {
		return
	}
	p.variables(tokens, s, symbol, f)
}

// variables reads variables, or the fields of a type.
func (p *parser) variables(tokens []token, s scope, symbol apidoc.Symbol, f facts) {
	constant := false
	for _, t := range tokens {
		if t.text == "const" || t.text == "constexpr" {
			constant = true
		}
		if t.text == "*" {
			constant = false
		}
	}
	signature := join(withoutStorage(tokens, s.class == ""))
	for i, d := range split(tokens) {
		name := declaratorName(d)
		if name == "" || keywords[name] || i == 0 && len(d) < 2 || strings.HasPrefix(name, "__") || strings.HasPrefix(name, "@") {
			continue
		}
		one := symbol
		one.Path, one.Kind = s.path+name, fieldOrVar(s)
		if constant && one.Kind == apidoc.Var {
			one.Kind = apidoc.Const
		}
		one.Signature = signature
		p.add(one, f)
	}
}

// typedef reads "typedef type name".
func (p *parser) typedef(tokens []token, s scope, symbol apidoc.Symbol, f facts) {
	for _, d := range split(tokens) {
		name := declaratorName(d)
		if function, ok := functionName(d, false); ok {
			name = function
		}
		if name == "" || keywords[name] {
			continue
		}
		one := symbol
		one.Path, one.Kind, one.Signature = s.path+name, apidoc.Type, "typedef "+join(tokens)
		p.add(one, f)
	}
}

// swiftNameMark precedes the name of a declaration in Swift.
const swiftNameMark = "**In Swift:**"

// add adds a symbol whose comment has not been converted yet.
func (p *parser) add(s apidoc.Symbol, f facts) {
	if p.count++; p.count > maxSymbols {
		return
	}
	s.File = p.file
	if len(s.Signature) > maxSignature {
		s.Signature = strings.ToValidUTF8(s.Signature[:maxSignature], "") + " …"
	}
	if s.Doc = strings.TrimLeft(s.Doc, "\n"); strings.HasPrefix(s.Doc, "/") {
		s.Doc, s.Deprecated = convert(s.Doc)
	}
	if f.deprecated != "" {
		s.Deprecated = f.deprecated
	}
	if f.swiftName != "" {
		s.Doc = strings.TrimSpace(s.Doc + "\n\n" + swiftNameMark + " `" + strings.ReplaceAll(f.swiftName, "`", "") + "`")
	}
	p.symbols = append(p.symbols, s)
}

// about returns the comment, the line and the constraint of a declaration.
func about(tokens []token) (doc string, line int, constraint string) {
	if len(tokens) == 0 {
		return "", 0, ""
	}
	for _, t := range tokens[:min(len(tokens), 12)] {
		if t.doc != "" {
			doc = t.doc
			break
		}
		if t.text == "(" {
			break
		}
	}
	return doc, tokens[0].line, tokens[0].constraint
}
