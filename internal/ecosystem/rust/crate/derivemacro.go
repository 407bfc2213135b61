package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/macros"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// A derive macro may add any member to a type. Most macros, however, only implement traits. The code that a macro adds is in
// calls of quote! in its source, so that its implementations can be told apart.

// compilerCrates are crates that represent code. They add none of their own.
var compilerCrates = map[string]bool{"proc_macro": true, "proc_macro2": true, "quote": true, "syn": true, "unicode_ident": true, "std": true, "core": true, "alloc": true}

// maxQuoted is the maximum number of tokens in the header of an implementation or in a call of a macro in a quote.
const maxQuoted = 1000

// derives reports whether a derive is one that adds no members to a type except those of traits.
func (im *impl) derives() bool {
	segs, _ := source.PathOf(im.derived)
	if len(segs) == 0 {
		return false
	}
	name := segs[len(segs)-1]
	if derivedTraits[name] || plainDerives[name] || traitDerives[name] {
		return true
	}
	d := im.mod.krate.resolve(im.mod, segs, macroNames)
	if d == nil || d.kind != deriveMacro || d.krate == nil {
		return false
	}
	return d.addsTraits()
}

// helper reports whether an attribute belongs to one of the derives of a type.
func (d *def) helper(name string) bool {
	return slices.ContainsFunc(d.impls, func(im *impl) bool {
		if im.self != d || im.derived == "" {
			return false
		}
		segs, _ := source.PathOf(im.derived)
		macro := im.mod.krate.resolve(im.mod, segs, macroNames)
		return macro != nil && macro.kind == deriveMacro && slices.Contains(macro.helpers, name)
	})
}

// mayAddItems reports whether a call of a macro that begins at a token may declare items: one with braces, or one that is a statement.
func mayAddItems(at func(int) string, i int) bool {
	switch open := at(i + 2); {
	case open == "{":
		return true
	case open != "(" && open != "[", builtin(at(i)) && at(i) != "include":
		return false
	}
	depth := 0
	for end := i + maxQuoted; i < end; i++ {
		switch at(i + 2) {
		case "":
			return true
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return at(i+3) == ";"
			}
		}
	}
	return true
}

// tokensOf returns the tokens of a text without comments, and a function that returns the text of a token, or "" outside of the text.
func tokensOf(text string) (tokens []source.Token, at func(i int) string) {
	s := source.Scanner{Text: text}
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind != source.DocOuter && t.Kind != source.DocInner {
			tokens = append(tokens, t)
		}
	}
	return tokens, func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return text[tokens[i].Start:tokens[i].End]
	}
}

// quotedTraits returns the number of implementations of traits in the code that a text quotes. ok is false if the text may add other
// implementations, traits that it declares, or implementations for types that dereference.
func quotedTraits(text string) (traits int, ok bool) {
	tokens, at := tokensOf(text)
	depth, quoted := 0, 0 // the depth of brackets outside a quote, plus 1
	for i := range tokens {
		switch word := at(i); {
		case tokens[i].Kind == source.Literal:
			if strings.Contains(word, "impl ") || strings.Contains(word, "impl<") || word == `"impl"` {
				return 0, false
			}
		case word == "(" || word == "[" || word == "{":
			depth++
		case word == ")" || word == "]" || word == "}":
			if depth--; depth < quoted {
				quoted = 0
			}
		case quoted == 0 && macros.IsQuote(word) && at(i+1) == "!":
			quoted = depth + 1
		case word == "ItemImpl" || word == "impl" && at(i-1) == "[" && at(i-2) == "!":
			return 0, false
		case quoted == 0:
		case word == "Deref" || word == "DerefMut" || word == "trait" || tokens[i].Kind == source.Ident && at(i+1) == "!" && mayAddItems(at, i):
			return 0, false
		case word == "impl" && (!slices.Contains([]string{":", ">", "(", "&", "=", ",", "+"}, at(i-1)) || at(i-1) == ">" && at(i-2) == "=" || at(i-1) == "(" && (at(i-2) == "#" || macros.IsQuote(at(i-3)))):
			if !namesTrait(at, i+1) {
				return 0, false
			}
			traits++
		}
	}
	return traits, true
}

// namesTrait reports whether the header of an implementation that begins at a token is that of a trait.
func namesTrait(at func(int) string, i int) bool {
	end := i + maxQuoted
	for depth := 0; depth >= 0 && i < end; i++ {
		switch at(i) {
		case "", ";", "{":
			return false
		case "(", "[":
			depth++
		case ")", "]", "}":
			depth--
		case "for":
			if at(i+1) != "<" {
				return true
			}
		}
	}
	return false
}
