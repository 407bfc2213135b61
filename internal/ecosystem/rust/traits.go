package rust

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// trait is a trait that a package declares.
type trait struct {
	Name  string
	Items hashes // names
	// Blankets are its implementations for type parameters: the traits that each requires of the parameter.
	Blankets [][]string
}

// implement adds a blanket implementation.
func (t *trait) implement(bounds []string) { t.Blankets = append(t.Blankets, bounds) }

// traitReader collects the traits of the files of one package.
type traitReader struct {
	traits map[string]*trait // by name; traits with the same name count as one
	open   wordSet           // names that traits in macros may declare
	macros map[string]bool   // macros that the package defines, and whether they may declare traits
	calls  [][2]string       // names of macros and the text of their calls
	// blankets are the blanket implementations: the name of the trait, and the bounds.
	blankets [][]string
}

func newTraitReader() *traitReader {
	return &traitReader{traits: map[string]*trait{}, open: wordSet{}, macros: map[string]bool{}}
}

// file reads the text of a file.
func (r *traitReader) file(text string) {
	if !strings.Contains(text, "trait") && !strings.Contains(text, "!") && !strings.Contains(text, "impl") {
		return
	}
	f := source.Parse(text)
	if f.Lost > 0 {
		addWords(text, r.open)
	}
	r.items(text, f.Items)
}

func (r *traitReader) items(text string, all []*source.Item) {
	for _, it := range all {
		switch body := it.Body.Of(text); it.Kind {
		case source.Trait:
			t := r.trait(it.Name)
			names := wordSet{}
			for _, m := range it.Items {
				if m.Kind == source.MacroCall {
					addWords(m.Body.Of(text), r.open)
				} else {
					names.add(m.Name)
				}
			}
			t.Items = slices.Concat(t.Items, names.hashes())
			if slices.ContainsFunc(it.Attrs, func(a source.Attr) bool {
				name, _, _ := strings.Cut(a.Body.Of(text), "(")
				return a.Kind == source.Punct && strings.Contains(name, "auto_impl")
			}) {
				t.implement(nil)
			}
		case source.Impl:
			if it.Trait.Empty() && len(it.Attrs) > 0 { // an attribute may declare a trait with the items
				for _, m := range it.Items {
					r.open.add(m.Name)
				}
			}
			if bounds, ok := blanketBounds(text, it); ok {
				segs, _ := source.PathOf(it.Trait.Of(text))
				r.blankets = append(r.blankets, append([]string{segs[len(segs)-1]}, bounds...))
			}
		case source.MacroRules, source.MacroDecl:
			r.macros[it.Name] = strings.Contains(body, "trait")
			if r.macros[it.Name] {
				addWords(body, r.open)
			}
		case source.MacroCall:
			r.calls = append(r.calls, [2]string{it.Name, body})
		case source.Module, source.ConstBlock:
			r.items(text, it.Items)
		}
	}
}

func (r *traitReader) trait(name string) *trait {
	t := r.traits[name]
	if t == nil {
		t = &trait{Name: strings.Clone(name)}
		r.traits[name] = t
	}
	return t
}

// finish returns the traits of the package, and the names that its macros may declare in traits.
func (r *traitReader) finish() (traits []*trait, open hashes) {
	for _, call := range r.calls {
		if declares, known := r.macros[call[0]]; declares || !known || strings.Contains(call[1], "trait") {
			addWords(call[1], r.open)
		}
	}
	for _, t := range r.traits {
		traits = append(traits, t)
	}
	for _, b := range r.blankets {
		if t := r.traits[b[0]]; t != nil {
			t.implement(b[1:])
			continue
		}
		for _, t := range traits { // the implementation renames one of them
			t.implement(b[1:])
		}
	}
	for _, t := range traits {
		slices.Sort(t.Items)
	}
	slices.SortFunc(traits, func(a, b *trait) int { return strings.Compare(a.Name, b.Name) })
	return traits, r.open.hashes()
}

// blanketBounds returns the traits that an implementation of a trait requires of a type parameter for which it is, or for
// references or pointers to which it is. ok is false if it is for other types.
func blanketBounds(text string, it *source.Item) (bounds []string, ok bool) {
	if segs, ok := source.PathOf(it.Trait.Of(text)); !ok || len(segs) == 0 {
		return nil, false
	}
	self := crate.Pointee(it.Type.Of(text))
	params := source.Split(it.Generics.Of(text))
	for _, p := range slices.Concat(params, source.Split(strings.TrimPrefix(it.Where.Of(text), "where"))) {
		name, list, _ := source.Cut(p, ':')
		if strings.TrimSpace(name) != self {
			continue
		}
		for list != "" {
			var one string
			one, list, _ = source.Cut(list, '+')
			if segs, ok := source.PathOf(strings.TrimSpace(one)); ok {
				bounds = append(bounds, strings.Clone(segs[len(segs)-1]))
			}
		}
	}
	for _, p := range params {
		name, _, _ := source.Cut(p, ':')
		name, _, _ = strings.Cut(name, "=")
		ok = ok || strings.TrimSpace(name) == self
	}
	return bounds, ok
}

// mayHave reports whether a trait may give a method with a name to a type.
func (l *library) mayHave(name string, t crate.Implementor) bool {
	member := l.any(func(w *words) bool { return w.member && w.dirs[0] == t.Dir })
	return l.any(func(w *words) bool {
		if w.partial || w.open.has(name) || w.macro && w.has(name) {
			return true
		}
		// A package may implement its traits for the types of those that it uses.
		implements := !w.standard && w.dirs[0] != t.Dir && (!member || w.member)
		for _, d := range w.traits {
			if d.Items.has(name) && (implements || l.isImplemented(d.Name, t, 0)) {
				return true
			}
		}
		return false
	}) || l.isFormed(name)
}

// autoTraits are traits that most types have.
var autoTraits = []string{"Sized", "Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe", "Freeze", "Any"}

// maxBounds is the maximum number of bounds that are followed from a trait to others.
const maxBounds = 4

// isImplemented reports whether a type may implement a trait. Traits that no package declares, such as those of macros,
// count as implemented.
func (l *library) isImplemented(name string, t crate.Implementor, depth int) bool {
	if depth > maxBounds || slices.Contains(autoTraits, name) || slices.Contains(t.Traits, name) {
		return true
	}
	declared := false
	return l.any(func(w *words) bool {
		i, ok := slices.BinarySearchFunc(w.traits, name, func(d *trait, name string) int { return strings.Compare(d.Name, name) })
		declared = declared || ok
		return ok && slices.ContainsFunc(w.traits[i].Blankets, func(bounds []string) bool {
			return !slices.Contains(bounds, name) && !slices.ContainsFunc(bounds, func(b string) bool { return !l.isImplemented(b, t, depth+1) })
		})
	}) || !declared
}
