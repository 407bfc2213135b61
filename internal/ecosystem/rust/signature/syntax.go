package signature

import (
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Syntax understands declarations of Rust as rustdoc prints them.
type Syntax struct{}

// Role implements apidoc.Syntax.
func (Syntax) Role(s *apidoc.Symbol) apidoc.Role {
	switch s.Kind {
	case KindStruct, KindUnion, KindTrait, KindTraitAlias, KindTypeAlias, KindAssocType, KindPrimitive, KindForeign, apidoc.Enum:
		return apidoc.TypeRole
	case KindFunction, apidoc.Method:
		return apidoc.CallableRole
	case apidoc.Field:
		return apidoc.FieldRole
	case KindVariant:
		return apidoc.EnumValueRole
	case KindModule, KindImpl:
		return apidoc.ModuleRole
	case KindMacro, KindDerive, KindAttribute:
		return apidoc.MacroRole
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
	w := partWriter{text: s.Signature, local: map[string]bool{}, member: s.Kind == apidoc.Field || s.Kind == KindVariant}
	scan := source.Scanner{Text: s.Signature}
	for t := scan.Next(); t.Kind != source.EOF; t = scan.Next() {
		w.tokens = append(w.tokens, t)
	}
	if len(w.tokens) == 0 {
		return nil
	}
	w.Open(apidoc.DeclarationPart, w.pos())
	if !w.declaration() || w.failed {
		return nil
	}
	return w.List(len(s.Signature))
}

// partWriter collects the parts of one declaration.
type partWriter struct {
	apidoc.Parts
	text   string
	tokens []source.Token
	i      int
	local  map[string]bool // type parameters in scope
	member bool            // whether the declaration is that of a field or variant
	failed bool            // whether a part without tokens was begun
}

func (w *partWriter) at(i int) string {
	if i >= 0 && i < len(w.tokens) {
		return w.text[w.tokens[i].Start:w.tokens[i].End]
	}
	return ""
}

func (w *partWriter) peek() string { return w.at(w.i) }

func (w *partWriter) more() bool { return w.i < len(w.tokens) }

func (w *partWriter) pos() int {
	if w.more() {
		return w.tokens[w.i].Start
	}
	return len(w.text)
}

func (w *partWriter) end() int {
	if w.i == 0 {
		return 0
	}
	return w.tokens[min(w.i, len(w.tokens))-1].End
}

func (w *partWriter) accept(text string) bool {
	if w.more() && w.peek() == text {
		w.i++
		return true
	}
	return false
}

func (w *partWriter) isName(i int) bool {
	return i >= 0 && i < len(w.tokens) && w.tokens[i].Kind == source.Ident
}

func (w *partWriter) leaf(role apidoc.PartRole) {
	if w.more() {
		w.Leaf(role, w.pos(), w.tokens[w.i].End)
		w.i++
	}
}

// close ends the part that began at a token. A part without tokens is a fault.
func (w *partWriter) close(start int, flags ...apidoc.PartFlags) {
	w.failed = w.failed || w.i <= start
	w.Close(w.end(), flags...)
}

// joined reports whether two tokens stand together: "::", "->", "=>".
func (w *partWriter) joined(i int, a, b string) bool {
	return w.at(i) == a && w.at(i+1) == b && w.tokens[i].End == w.tokens[i+1].Start
}

// skipGroup skips a bracket with what is in it.
func (w *partWriter) skipGroup() {
	depth := 0
	for w.more() {
		switch w.peek() {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if w.i++; depth <= 0 {
			return
		}
	}
}

// attributes writes the attributes before a declaration or member.
func (w *partWriter) attributes() {
	for w.peek() == "#" && w.at(w.i+1) == "[" {
		start := w.pos()
		w.i++
		w.skipGroup()
		w.Leaf(apidoc.AttributePart, start, w.end())
	}
}

// modifiers writes the words before the keyword of a declaration.
func (w *partWriter) modifiers() {
	for w.more() {
		switch word := w.peek(); {
		case word == "pub":
			start := w.pos()
			if w.i++; w.peek() == "(" && (w.at(w.i+1) == "crate" || w.at(w.i+1) == "super" || w.at(w.i+1) == "in" || w.at(w.i+1) == "self") {
				w.skipGroup()
			}
			w.Leaf(apidoc.ModifierPart, start, w.end())
		case word == "unsafe" || word == "async":
			w.leaf(apidoc.EffectPart)
		case word == "default" || word == "auto" || word == "safe",
			word == "const" && (w.at(w.i+1) == "fn" || w.at(w.i+1) == "unsafe" || w.at(w.i+1) == "async" || w.at(w.i+1) == "extern"):
			w.leaf(apidoc.ModifierPart)
		case word == "extern":
			start := w.pos()
			if w.i++; w.more() && w.tokens[w.i].Kind == source.Literal {
				w.i++
			}
			w.Leaf(apidoc.ModifierPart, start, w.end())
		default:
			return
		}
	}
}

// declaration reads one declaration of any kind.
func (w *partWriter) declaration() bool {
	w.attributes()
	if !w.more() {
		return true // the name of an attribute macro
	}
	w.modifiers()
	ok := true
	switch word := w.peek(); {
	case w.member:
		ok = w.named()
	case word == "fn":
		w.i++
		ok = w.function()
	case word == "struct" || word == "enum" || word == "union" && w.isName(w.i+1):
		w.i++
		ok = w.structure(word == "enum")
	case word == "trait":
		w.i++
		w.leaf(apidoc.NamePart)
		w.generics()
		if w.accept(":") || w.accept("=") {
			w.bounds(apidoc.BasePart)
		}
	case word == "impl":
		w.i++
		w.implementation()
	case word == "type":
		w.i++
		w.leaf(apidoc.NamePart)
		w.generics()
		if w.accept(":") {
			w.bounds(apidoc.ConstraintPart)
		}
		w.where()
		if w.accept("=") {
			w.typ(apidoc.TypePart)
		}
	case word == "const" || word == "static":
		w.i++
		if w.peek() == "mut" {
			w.leaf(apidoc.ModifierPart)
		}
		ok = w.named()
	case word == "mod":
		w.i++
		w.leaf(apidoc.NamePart)
	case word == "use":
		w.i++
		w.typ(apidoc.TypePart)
		w.i = len(w.tokens)
	case word == "macro_rules" || word == "macro":
		w.i++
		w.accept("!")
		w.leaf(apidoc.NamePart)
		w.i = len(w.tokens)
	default:
		ok = w.named()
	}
	w.where()
	if w.peek() == "{" { // a body, which is left out
		w.skipGroup()
	}
	w.accept(";")
	return ok && !w.more()
}

// named reads a name with a type or a value, or with the fields of a variant.
func (w *partWriter) named() bool {
	if !w.more() {
		return false
	}
	w.leaf(apidoc.NamePart)
	switch {
	case w.joined(w.i, ":", ":"):
		return false
	case w.accept(":"):
		w.typ(apidoc.TypePart)
	case w.peek() == "(":
		w.tuple()
	case w.peek() == "{":
		w.fields(false)
	}
	if w.accept("=") {
		start := w.i
		for w.more() && w.peek() != ";" {
			if text := w.peek(); text == "(" || text == "[" || text == "{" {
				w.skipGroup()
				continue
			}
			w.i++
		}
		if w.i > start {
			w.Leaf(apidoc.ValuePart, w.tokens[start].Start, w.end())
		}
	}
	return true
}

func (w *partWriter) function() bool {
	w.leaf(apidoc.NamePart)
	w.generics()
	if !w.accept("(") {
		return false
	}
	for w.more() && w.peek() != ")" {
		w.param()
		if !w.accept(",") && w.peek() != ")" || w.failed {
			return false
		}
	}
	if !w.accept(")") {
		return false
	}
	if w.joined(w.i, "-", ">") {
		w.i += 2
		if !w.more() {
			return false
		}
		start := w.i
		w.Open(apidoc.ResultPart, w.pos())
		w.typ(apidoc.TypePart)
		w.close(start)
	}
	return true
}

// param reads one parameter: self in any form, a pattern with a type, or "...".
func (w *partWriter) param() {
	w.attributes()
	w.Open(apidoc.ParamPart, w.pos())
	var flags apidoc.PartFlags
	start := w.i
	k := w.i
	for w.at(k) == "&" || w.at(k) == "mut" || k < len(w.tokens) && w.tokens[k].Kind == source.Lifetime {
		k++
	}
	switch {
	case w.at(k) == "self":
		flags |= apidoc.Self
		w.i = k
		w.leaf(apidoc.NamePart)
	case w.peek() == ".":
		flags |= apidoc.Variadic
		for w.peek() == "." {
			w.i++
		}
	default:
		for w.more() && w.peek() != ":" && w.peek() != "," && w.peek() != ")" {
			if text := w.peek(); text == "(" || text == "[" || text == "{" {
				w.skipGroup()
				continue
			}
			if w.joined(w.i+1, ":", ":") {
				w.i += 2
			}
			w.i++
		}
		if w.i > start {
			name := apidoc.PartFlags(0)
			if w.i > start+1 {
				name = apidoc.Pattern
			}
			w.Leaf(apidoc.NamePart, w.tokens[start].Start, w.end(), name)
		}
	}
	if w.accept(":") {
		if w.peek() == "." {
			flags |= apidoc.Variadic
			for w.peek() == "." {
				w.i++
			}
		} else {
			w.typ(apidoc.TypePart)
		}
	}
	w.close(start, flags)
}

// structure reads a struct, a union or an enum.
func (w *partWriter) structure(isEnum bool) bool {
	w.leaf(apidoc.NamePart)
	w.generics()
	w.where()
	switch w.peek() {
	case "(":
		w.tuple()
	case "{":
		w.fields(isEnum)
	}
	return true
}

// tuple reads the types of the fields in parentheses.
func (w *partWriter) tuple() {
	w.i++
	for w.more() && w.peek() != ")" {
		before := w.i
		w.Open(apidoc.MemberPart, w.pos())
		w.attributes()
		w.modifiers()
		w.typ(apidoc.TypePart)
		w.close(before)
		if !w.accept(",") && w.peek() != ")" || w.failed {
			break
		}
	}
	w.accept(")")
}

// fields reads the fields, or the variants, in braces.
func (w *partWriter) fields(variants bool) {
	w.i++
	for w.more() && w.peek() != "}" {
		before := w.i
		w.Open(apidoc.MemberPart, w.pos())
		w.attributes()
		w.modifiers()
		w.leaf(apidoc.NamePart)
		switch {
		case w.accept(":"):
			w.typ(apidoc.TypePart)
		case variants && w.peek() == "(":
			w.tuple()
		case variants && w.peek() == "{":
			w.fields(false)
		}
		if w.accept("=") {
			start := w.i
			for w.more() && w.peek() != "," && w.peek() != "}" {
				w.i++
			}
			if w.i > start {
				w.Leaf(apidoc.ValuePart, w.tokens[start].Start, w.end())
			}
		}
		w.close(before)
		if !w.accept(",") && w.peek() != "}" || w.failed {
			break
		}
	}
	w.accept("}")
}

// implementation reads the traits, if any, and the type of an impl. Several impls for one type
// are shown as one.
func (w *partWriter) implementation() {
	w.generics()
	start := w.i
	for w.skipType(true); w.accept(","); {
		w.skipType(true)
	}
	traits := w.peek() == "for"
	w.i = start
	if traits {
		for w.typ(apidoc.BasePart); w.accept(","); {
			w.typ(apidoc.BasePart)
		}
		w.accept("for")
	}
	w.typ(apidoc.TypePart)
}

// generics reads the parameters in angle brackets, if there are any.
func (w *partWriter) generics() {
	if !w.accept("<") {
		return
	}
	for w.more() && w.peek() != ">" {
		before := w.i
		w.Open(apidoc.TypeParamPart, w.pos())
		w.attributes()
		if w.peek() == "const" {
			w.leaf(apidoc.ModifierPart)
		}
		if w.isName(w.i) {
			w.local[w.peek()] = true
		}
		w.leaf(apidoc.NamePart)
		if w.accept(":") {
			w.bounds(apidoc.ConstraintPart)
		}
		var flags apidoc.PartFlags
		if w.accept("=") {
			flags = apidoc.Optional
			w.typ(apidoc.DefaultPart)
		}
		w.close(before, flags)
		if !w.accept(",") && w.peek() != ">" || w.failed {
			break
		}
	}
	w.accept(">")
}

// where reads a where clause: each of its predicates is a constraint.
func (w *partWriter) where() {
	if !w.accept("where") {
		return
	}
	for w.more() && w.peek() != "{" && w.peek() != ";" && w.peek() != "=" && w.peek() != "(" {
		start := w.i
		w.skipPredicate()
		if w.i == start {
			return
		}
		end := w.i
		w.Open(apidoc.ConstraintPart, w.tokens[start].Start)
		w.references(start, end)
		w.i = end
		w.Close(w.end())
		if !w.accept(",") {
			return
		}
	}
}

// skipPredicate skips to the comma behind a predicate, or to what follows the clause.
func (w *partWriter) skipPredicate() {
	depth := 0
	for start := w.i; w.more(); w.i++ {
		switch text := w.peek(); text {
		case "(", "[", "<":
			if text == "(" && depth == 0 && w.i == start && w.at(w.i-1) == "," {
				return
			}
			depth++
		case ")", "]":
			depth--
		case ">":
			if !w.joined(w.i-1, "-", ">") && !w.joined(w.i-1, "=", ">") {
				depth--
			}
		case ",", "{", ";":
			if depth <= 0 {
				return
			}
		}
	}
}

// bounds reads bounds with plus signs between them, each as a part.
func (w *partWriter) bounds(role apidoc.PartRole) {
	for {
		w.typ(role)
		if !w.accept("+") {
			return
		}
	}
}

// skipType skips a type. If it is a bound, a plus sign ends it.
func (w *partWriter) skipType(bound bool) {
	depth := 0
	for ; w.more(); w.i++ {
		switch text := w.peek(); text {
		case "(", "[", "<", "{":
			if text == "{" && depth == 0 {
				return
			}
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return
			}
		case ">":
			if w.joined(w.i-1, "-", ">") {
				continue
			}
			if depth--; depth < 0 {
				return
			}
		case ",", ";", "=", "where":
			if depth == 0 {
				return
			}
		case "+":
			if depth == 0 && bound {
				return
			}
		case "for":
			if depth == 0 && w.at(w.i+1) != "<" {
				return
			}
		}
	}
}

// typ reads a type as a part, with the references in it.
func (w *partWriter) typ(role apidoc.PartRole) {
	start := w.i
	w.skipType(role == apidoc.BasePart || role == apidoc.ConstraintPart)
	end := w.i
	if end == start {
		return
	}
	w.Open(role, w.tokens[start].Start)
	w.references(start, end)
	w.i = end
	w.Close(w.end())
}

// references writes the references among some tokens of a type.
func (w *partWriter) references(start, end int) {
	for k := start; k < end; {
		if !w.isName(k) || typeWords[w.at(k)] {
			k++
			continue
		}
		if w.at(k+1) == "=" && !w.joined(k+1, "=", ">") && k+1 < end { // an associated type
			k++
			continue
		}
		if w.at(k+1) == ":" && !w.joined(k+1, ":", ":") && (w.at(k-1) == "(" || w.at(k-1) == ",") && w.at(start) != w.at(k) { // a parameter of a function pointer
			k++
			continue
		}
		last := k
		for last+3 < end && w.joined(last+1, ":", ":") && w.isName(last+3) {
			last += 3
		}
		var flags apidoc.PartFlags
		switch name := w.at(k); {
		case k >= 2 && w.joined(k-2, ":", ":"): // behind <T as Trait>
			k = last + 1
			continue
		case w.local[name] || name == "Self":
			flags = apidoc.Local
		case last == k && builtinTypes[name]:
			flags = apidoc.Builtin
		}
		w.Leaf(apidoc.ReferencePart, w.tokens[k].Start, w.tokens[last].End, flags)
		k = last + 1
	}
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// typeWords are the words in types that name nothing, and builtinTypes the primitive types and
// what every program has without an import.
var (
	typeWords    = wordSet("dyn impl mut const fn unsafe extern for as in crate self super where _ use ref")
	builtinTypes = wordSet(`bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128
		Option Result Vec String Box Send Sync Sized Copy Clone Drop Unpin Fn FnMut FnOnce AsyncFn AsyncFnMut AsyncFnOnce Iterator IntoIterator FromIterator Extend
		DoubleEndedIterator ExactSizeIterator Default Eq Ord PartialEq PartialOrd AsRef AsMut Into From TryInto TryFrom ToString ToOwned`)
)
