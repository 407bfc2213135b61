package signature

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

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
	if strings.Contains(w.text[:w.end()], "#[non_exhaustive]") {
		w.flags |= apidoc.Closed
	}
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
		if strings.Contains(w.text, PrivateFields) || strings.Contains(w.text, OmittedVariants) {
			w.flags |= apidoc.Closed
		}
	case word == "trait":
		w.flags |= apidoc.Implemented
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
	if w.peek() == "{" { // The declaration has a body, which is skipped.
		w.flags |= apidoc.Provided
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
		w.receiver = true
		for ; w.i < k; w.i++ {
			if w.isElidable(w.i) {
				w.leaf(apidoc.TriviaPart)
				w.i--
			}
		}
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
	for w.comments(); w.more() && w.peek() != "}"; w.comments() {
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

// implementation reads the traits, if any, and the type of an impl. Several
// implementations for one type are shown as one.
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
