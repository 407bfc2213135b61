package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/macros"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Attribute and derive macros may declare items beside the item to which they are applied, as derives of builders do. The code of
// the macro tells whether it does.

// MayGenerate reports whether the first name of a path that does not exist may be that of an item that a procedural macro declares.
func (s *Scope) MayGenerate(names []string) bool {
	k := s.m.krate
	for n := 1; n < len(names); n++ {
		d := k.resolve(s.m, names[:n], types)
		if d == nil || d.kind != source.Module || d.sub == nil {
			return false
		}
		if k.resolve(s.m, names[:n+1], types) == nil {
			return d.sub.mayGenerate(names[n])
		}
	}
	return false
}

// mayGenerate reports whether a procedural macro may add an item with a name to a module.
func (m *module) mayGenerate(name string) bool { return m.mayGenerateFor(m, name, map[*module]bool{}) }

func (m *module) mayGenerateFor(from *module, name string, seen map[*module]bool) bool {
	if seen[m] {
		return false
	}
	seen[m] = true
	m.ensure()
	m.krate.link() // finds the derives
	return len(seen) > maxGlobs || m.generates || !m.krate.src.ProcMacro && slices.ContainsFunc(m.order, func(e *entry) bool {
		if e.use != nil {
			if !e.use.Glob || m != from && !from.sees(e.public, e.vis) {
				return false
			}
			d := e.imported(types)
			return d != nil && d.sub != nil && d.sub.mayGenerateFor(from, name, seen)
		}
		return e.def != nil && e.def.mayGenerate(name)
	})
}

// mayGenerate reports whether a macro that is applied to an item may declare an item with a name.
func (d *def) mayGenerate(name string) bool {
	switch d.kind {
	case source.Const, source.Static, external:
		return false
	}
	if d.item == nil || d.krate == nil {
		return false
	}
	if slices.ContainsFunc(d.krate.attributes(d.item, d.unit), func(a attr) bool {
		if a.plain() || d.kind == source.Func && !a.mayRewrite(0) || d.helper(a.meta.Path) {
			return false
		}
		return hasWord(a.meta.Args, name) || d.mod.mayDeclare(a.meta.Path, attributeMacro)
	}) {
		return true
	}
	return slices.ContainsFunc(d.impls, func(im *impl) bool {
		if im.self != d || im.derived == "" {
			return false
		}
		segs, ok := source.PathOf(im.derived)
		if !ok {
			return true
		}
		derive := segs[len(segs)-1]
		if derivedTraits[derive] || plainDerives[derive] || traitDerives[derive] && (name >= "a" || !typeDerives[derive]) {
			return false
		}
		return d.mod.mayDeclare(im.derived, deriveMacro)
	})
}

// mayDeclare reports whether a macro with a path, which is applied to an item of the module, may declare other items.
func (m *module) mayDeclare(path string, kind source.ItemKind) bool {
	segs, ok := source.PathOf(path)
	if !ok {
		return true
	}
	d := m.krate.resolve(m, segs, macroNames)
	if d == nil || d.kind != kind || d.krate == nil {
		return true
	}
	return !d.krate.standard() && d.declaresItems()
}

// quotedItems reports whether the code that a text quotes may declare items with names, or apply macros that do. quotes is false if
// the text contains no such code, so that the macro adds code that it receives or composes in other ways.
func quotedItems(text string) (declares, quotes bool) {
	tokens, at := tokensOf(text)
	depth, quoted := 0, 0 // the depth of brackets outside a quote, plus 1
	braces := 0           // the depth of braces in the quote
	for i := range tokens {
		switch word := at(i); {
		case tokens[i].Kind == source.Literal:
			declares = declares || literalDeclares(word)
		case word == "(" || word == "[" || word == "{":
			depth++
			if word == "{" && quoted > 0 && depth > quoted {
				braces++
			}
		case word == ")" || word == "]" || word == "}":
			if word == "}" && quoted > 0 && depth > quoted {
				braces--
			}
			if depth--; depth < quoted {
				quoted = 0
			}
		case quoted == 0 && macros.IsQuote(word) && at(i+1) == "!":
			quoted, braces, quotes = depth+1, 0, true
		case quoted == 0:
			declares = declares || word == "ident" && at(i-1) == "." && at(i+1) == "=" && at(i+2) != "=" // an item gets another name
		case braces == 0:
			declares = declares || declaresAt(at, i)
		}
	}
	return declares, quotes
}

// declaresAt reports whether quoted code declares an item outside braces at a token.
func declaresAt(at func(int) string, i int) bool {
	switch word := at(i); word {
	case "struct", "enum", "union", "mod", "trait", "static", "macro_rules":
		return true
	case "type", "use", "const":
		return (at(i-1) == "pub" || at(i-1) == "vis" || at(i-1) == ")") && at(i+1) != "fn" // not an item of an implementation of a trait
	case "fn":
		return !takesSelf(at, i+1)
	case "derive":
		if at(i+1) != "(" {
			return false
		}
		for i += 2; at(i) != ")" && at(i) != ""; i++ {
			if word := at(i); word != "," && word != ":" && !derivedTraits[word] && !plainDerives[word] && at(i+1) != ":" {
				return true
			}
		}
		return false
	default:
		return at(i+1) == "!" && mayAddItems(at, i)
	}
}

// takesSelf reports whether the signature of a function that begins at a token mentions the type of an implementation.
func takesSelf(at func(int) string, i int) bool {
	for end := i + maxQuoted; i < end; i++ {
		switch at(i) {
		case "self", "Self":
			return true
		case "", "{", ";":
			return false
		}
	}
	return false
}

// literalDeclares reports whether a string may be the code of an item, and not a message about one.
func literalDeclares(literal string) bool {
	for _, word := range []string{"struct ", "enum ", "union ", "mod ", "trait ", "static ", "fn "} {
		if strings.Contains(literal, word) && strings.ContainsAny(literal, "{;") {
			return true
		}
	}
	return false
}

// mayImplementFor reports whether a macro that is applied to an alias of a type may implement traits for the type.
func (k *krate) mayImplementFor(t *def) bool {
	if len(k.macroAliases) > 0 && k.macroTypes == nil {
		k.macroTypes = map[*def]bool{}
		for _, d := range k.macroAliases {
			k.macroTypes[d.aliased()] = true
		}
	}
	return k.macroTypes[t]
}

// aliased returns the type to which an alias refers, or nil if it is unknown.
func (d *def) aliased() *def {
	for range maxTypeDepth {
		if d == nil || d.kind != source.TypeAlias || d.item == nil {
			return d
		}
		text := strings.TrimSpace(d.item.Type.Text(d.unit.Text))
		segs, ok := source.PathOf(text)
		if !ok {
			return d.krate.w.primitiveOf(text)
		}
		next := d.krate.resolve(d.mod, segs, types)
		if (next == nil || next.kind == source.Module) && len(segs) == 1 && primitives[segs[0]] {
			next = d.krate.w.primitives[segs[0]]
		}
		d = next
	}
	return nil
}
