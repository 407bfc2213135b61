package modules

import (
	"slices"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Syntax understands the declarations that Node.Signature writes.
type Syntax struct{}

// Role implements apidoc.Syntax.
func (Syntax) Role(s *apidoc.Symbol) apidoc.Role {
	switch s.Kind {
	case apidoc.Class, apidoc.Interface, apidoc.Type, apidoc.Enum:
		return apidoc.TypeRole
	case KindFunction, apidoc.Method, KindCall:
		return apidoc.CallableRole
	case KindNew, KindConstruct:
		return apidoc.ConstructorRole
	case apidoc.Property, KindAccessor, KindIndex:
		return apidoc.FieldRole
	case apidoc.EnumValue:
		return apidoc.EnumValueRole
	case apidoc.Namespace, KindModule:
		return apidoc.ModuleRole
	default:
		return apidoc.ValueRole
	}
}

// maxDeclaration bounds, in bytes, the declarations of one symbol that are parsed.
const maxDeclaration = 1 << 20

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part {
	if len(s.Signature) > maxDeclaration || !utf8.ValidString(s.Signature) {
		return nil
	}
	w := partWriter{text: s.Signature, tokens: dts.Tokens(s.Signature)}
	if len(w.tokens) == 0 || slices.ContainsFunc(w.tokens, func(t dts.Token) bool { return t.Kind == dts.BrokenToken }) {
		return nil
	}
	for w.i < len(w.tokens) {
		before := w.i
		if !w.declaration() || w.i == before {
			return nil
		}
	}
	return w.List(len(s.Signature))
}

// partWriter collects the parts of the declarations in a text. Each is on a line of its own.
type partWriter struct {
	apidoc.Parts
	text   string
	tokens []dts.Token
	i      int
	local  []string // type parameters in scope
}

func (w *partWriter) peek(offset int) string {
	if i := w.i + offset; i >= 0 && i < len(w.tokens) {
		return w.tokens[i].Text
	}
	return ""
}

// more reports whether the declaration goes on: further ones begin on new lines.
func (w *partWriter) more() bool {
	return w.i < len(w.tokens) && (w.i == 0 || !w.tokens[w.i].NewLine)
}

func (w *partWriter) pos() int {
	if w.i < len(w.tokens) {
		return w.tokens[w.i].Pos
	}
	return len(w.text)
}

func (w *partWriter) end() int {
	if w.i == 0 {
		return 0
	}
	t := w.tokens[w.i-1]
	return t.Pos + len(t.Text)
}

func (w *partWriter) accept(text string) bool {
	if w.more() && w.peek(0) == text {
		w.i++
		return true
	}
	return false
}

func (w *partWriter) isWord(offset int) bool {
	i := w.i + offset
	return i < len(w.tokens) && w.tokens[i].Kind == dts.WordToken
}

func (w *partWriter) leaf(role apidoc.PartRole) {
	w.Leaf(role, w.pos(), w.pos()+len(w.peek(0)))
	w.i++
}

// modifierWords are the words before a declaration, and classWords those that begin one.
var (
	modifierWords = wordSet("public", "private", "protected", "static", "abstract", "override", "readonly", "accessor", "declare", "export", "default")
	introductions = wordSet("function", "class", "interface", "type", "enum", "namespace", "module", "const", "let", "var", "using", "get", "set", "new")
)

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// isNamed reports whether the word before the current token is the name of a member rather than
// a keyword, by what follows.
func (w *partWriter) isNamed() bool {
	switch next := w.peek(1); next {
	case "", "?", ":", "=", "(", "<", ";":
		return next != "<" && next != "(" || w.peek(0) != "new"
	}
	return w.i+1 < len(w.tokens) && w.tokens[w.i+1].NewLine
}

// declaration reads one declaration.
func (w *partWriter) declaration() bool {
	w.local = w.local[:0]
	w.tokens[w.i].NewLine = false
	w.Open(apidoc.DeclarationPart, w.pos())
	for w.more() && modifierWords[w.peek(0)] && !w.isNamed() {
		w.leaf(apidoc.ModifierPart)
	}
	ok := w.named()
	w.accept(";")
	w.Close(w.end())
	return ok && !w.more()
}

// named reads a declaration behind its modifiers.
func (w *partWriter) named() bool {
	word := w.peek(0)
	if word == "const" && w.peek(1) == "enum" {
		w.leaf(apidoc.ModifierPart)
		word = "enum"
	}
	if !introductions[word] || w.isNamed() {
		return w.member()
	}
	w.i++
	switch word {
	case "class", "interface":
		if w.isWord(0) && w.peek(0) != "extends" && w.peek(0) != "implements" {
			w.leaf(apidoc.NamePart)
		}
		w.typeParams()
		for w.accept("extends") || w.accept("implements") || w.accept(",") {
			w.typ(apidoc.BasePart, stopAtBase)
		}
		return true
	case "type":
		w.leaf(apidoc.NamePart)
		w.typeParams()
		if w.accept("=") {
			w.typ(apidoc.TypePart, nil)
		}
		return true
	case "enum", "namespace", "module":
		start := w.pos()
		for w.i++; w.more(); w.i++ {
		}
		w.Leaf(apidoc.NamePart, start, w.end())
		return true
	case "new":
		return w.signature()
	default: // a function, a variable, an accessor
		return w.member()
	}
}

// member reads a name, or none, with what follows it: a signature, a type or a value.
func (w *partWriter) member() bool {
	switch {
	case w.peek(0) == "(" || w.peek(0) == "<":
		return w.signature()
	case w.peek(0) == "[":
		start := w.pos()
		if w.isWord(1) && w.peek(2) == ":" { // an index signature
			w.i++
			w.param()
			if !w.accept("]") {
				return false
			}
			break
		}
		w.skipBrackets()
		w.Leaf(apidoc.NamePart, start, w.end())
	case w.more():
		w.leaf(apidoc.NamePart)
	}
	if w.peek(0) == "?" {
		w.leaf(apidoc.ModifierPart)
	}
	switch {
	case w.more() && (w.peek(0) == "(" || w.peek(0) == "<"):
		return w.signature()
	case w.accept(":"):
		w.typ(apidoc.TypePart, stopAtDefault)
	}
	if w.accept("=") && w.more() {
		start := w.pos()
		for w.more() {
			w.i++
		}
		w.Leaf(apidoc.ValuePart, start, w.end())
	}
	return true
}

// skipBrackets skips a bracket with what is in it.
func (w *partWriter) skipBrackets() {
	depth := 0
	for w.i < len(w.tokens) {
		switch w.peek(0) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		w.i++
		if depth <= 0 {
			return
		}
	}
}

// signature reads type parameters, parameters and the result.
func (w *partWriter) signature() bool {
	w.typeParams()
	if !w.accept("(") {
		return false
	}
	for w.more() && w.peek(0) != ")" {
		w.param()
		if !w.accept(",") && w.peek(0) != ")" {
			return false
		}
	}
	if !w.accept(")") {
		return false
	}
	if w.accept(":") && w.more() {
		before := w.i
		w.Open(apidoc.ResultPart, w.pos())
		w.typ(apidoc.TypePart, nil)
		if w.i == before {
			return false
		}
		w.Close(w.end())
	}
	return true
}

// param reads one parameter.
func (w *partWriter) param() {
	w.Open(apidoc.ParamPart, w.pos())
	var flags apidoc.PartFlags
	for w.more() && modifierWords[w.peek(0)] && w.isWord(1) {
		w.leaf(apidoc.ModifierPart)
	}
	if w.accept("...") {
		flags |= apidoc.Variadic
	}
	switch {
	case w.peek(0) == "{" || w.peek(0) == "[":
		start := w.pos()
		w.skipBrackets()
		w.Leaf(apidoc.NamePart, start, w.end(), apidoc.Pattern)
	case w.peek(0) == "this":
		flags |= apidoc.Self
		w.leaf(apidoc.NamePart)
	case w.isWord(0):
		w.leaf(apidoc.NamePart)
	}
	if w.accept("?") {
		flags |= apidoc.Optional
	}
	if w.accept(":") {
		w.typ(apidoc.TypePart, stopAtDefault)
	}
	if w.accept("=") {
		flags |= apidoc.Optional
		start := w.i
		w.skipTo(nil)
		if w.i > start {
			w.Leaf(apidoc.DefaultPart, w.tokens[start].Pos, w.end())
		}
	}
	w.Close(w.end(), flags)
}

// typeParams reads type parameters in angle brackets, if there are any.
func (w *partWriter) typeParams() {
	if !w.accept("<") {
		return
	}
	for w.more() && w.peek(0) != ">" {
		before := w.i
		w.Open(apidoc.TypeParamPart, w.pos())
		for (w.peek(0) == "const" || w.peek(0) == "in" || w.peek(0) == "out") && w.isWord(1) && w.peek(1) != "extends" {
			w.leaf(apidoc.ModifierPart)
		}
		if w.isWord(0) {
			w.local = append(w.local, w.peek(0))
			w.leaf(apidoc.NamePart)
		}
		var flags apidoc.PartFlags
		if w.accept("extends") {
			w.typ(apidoc.ConstraintPart, stopAtDefault)
		}
		if w.accept("=") {
			flags = apidoc.Optional
			w.typ(apidoc.DefaultPart, nil)
		}
		if w.i == before {
			w.i++
		}
		w.Close(w.end(), flags)
		w.accept(",")
	}
	w.accept(">")
}

var (
	stopAtDefault = wordSet("=")
	stopAtBase    = wordSet("implements", "extends", "{")
)

// skipTo skips to a comma, a semicolon, a closing bracket or a word outside of brackets, or to
// the end of the declaration.
func (w *partWriter) skipTo(stop map[string]bool) {
	depth := 0
	for first := true; w.more() || depth > 0 && w.i < len(w.tokens); w.i, first = w.i+1, false {
		text := w.peek(0)
		if depth == 0 && (text == "," || text == ";" || stop[text] && !first && w.peek(-1) != ".") {
			return
		}
		switch text {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			if depth--; depth < 0 {
				return
			}
		}
	}
}

// typ reads a type as a part, with the references in it.
func (w *partWriter) typ(role apidoc.PartRole, stop map[string]bool) {
	start := w.i
	w.skipTo(stop)
	end := w.i
	if end == start {
		return
	}
	w.Open(role, w.tokens[start].Pos)
	w.references(start, end)
	w.i = end
	w.Close(w.end())
}

// references writes the references among some tokens of a type.
func (w *partWriter) references(start, end int) {
	local := len(w.local)
	for k := start; k < end; k++ { // type parameters of function types, and names after infer and in mapped types
		if t := w.tokens[k]; t.Kind == dts.WordToken && k > start {
			before := w.tokens[k-1].Text
			next := ""
			if k+1 < end {
				next = w.tokens[k+1].Text
			}
			if before == "infer" || before == "[" && next == "in" || before == "<" && (next == "extends" || next == ">" && k+2 < end && w.tokens[k+2].Text == "(") {
				w.local = append(w.local, t.Text)
			}
		}
	}
	for k := start; k < end; {
		t := w.tokens[k]
		if t.Kind != dts.WordToken || typeWords[t.Text] || w.isLabel(k, start, end) {
			k++
			continue
		}
		last := k
		for last+2 < end && w.tokens[last+1].Text == "." && w.tokens[last+2].Kind == dts.WordToken {
			last += 2
		}
		var flags apidoc.PartFlags
		switch {
		case slices.Contains(w.local, t.Text):
			flags = apidoc.Local
		case builtinTypes[t.Text]:
			flags = apidoc.Builtin
		}
		w.Leaf(apidoc.ReferencePart, t.Pos, w.tokens[last].Pos+len(w.tokens[last].Text), flags)
		k = last + 1
	}
	w.local = w.local[:local]
}

// isLabel reports whether a word within a type is the name of a parameter, a property or an
// element of a tuple.
func (w *partWriter) isLabel(k, start, end int) bool {
	next, before := "", ""
	if k+1 < end {
		next = w.tokens[k+1].Text
	}
	if k > start {
		before = w.tokens[k-1].Text
	}
	if before == "." || before == "infer" {
		return true
	}
	if next == "?" && k+2 < end && (w.tokens[k+2].Text == ":" || w.tokens[k+2].Text == "(") {
		return true
	}
	opens := before == "{" || before == "(" || before == "," || before == ";" || before == "[" || before == "..." || before == "readonly"
	return opens && (next == ":" || next == "(" && before != "(" && before != ",") || next == "is" && k+2 < end
}

// typeWords are the words in types that name nothing, and builtinTypes the types of the language
// and of its standard library.
var (
	typeWords    = wordSet("keyof", "typeof", "unique", "readonly", "infer", "extends", "is", "asserts", "in", "as", "new", "abstract", "import", "get", "set", "void", "null", "undefined", "true", "false", "this")
	builtinTypes = wordSet("any", "unknown", "never", "string", "number", "boolean", "object", "symbol", "bigint",
		"Array", "ReadonlyArray", "Promise", "PromiseLike", "Record", "Partial", "Required", "Readonly", "Pick", "Omit", "Exclude", "Extract", "NonNullable",
		"Parameters", "ConstructorParameters", "ReturnType", "InstanceType", "ThisType", "Awaited", "NoInfer", "Map", "ReadonlyMap", "Set", "ReadonlySet", "WeakMap", "WeakSet", "WeakRef",
		"Date", "RegExp", "Error", "Function", "Object", "String", "Number", "Boolean", "Symbol", "Iterable", "Iterator", "IterableIterator", "AsyncIterable", "AsyncIterator", "Generator",
		"AsyncGenerator", "ArrayBuffer", "Uint8Array", "Uppercase", "Lowercase", "Capitalize", "Uncapitalize")
)
