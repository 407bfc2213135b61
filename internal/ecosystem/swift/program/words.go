package program

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/spelling"
)

// words are the words and the declared names in the modules of a program. A word that is in no other file than the one
// in which it is used, and that only differs from a declared name as a typing error does, is misspelled, even if the
// type of the value before it is unknown: otherwise it would be a name of a system that occurs only there.
type words struct {
	modules map[string]bool
	// files contains the file that contains a word, or "" if several do.
	files map[string]string
	// The names of declarations by what they name.
	members, labels, globals map[string]bool
	updates                  int               // number of files that were replaced
	notImported              map[string]string // the result of Program.notImported, or nil before it is needed
}

// maxUpdates is the maximum number of files that are replaced before the words of all files are collected again, because
// those that the replaced files contained remain.
const maxUpdates = 200

// wordsOf returns the words of all modules that have been loaded.
func (p *Program) wordsOf() *words {
	w := p.words
	known := w.modules != nil
	for name, m := range p.modules {
		known = known && (!m.loaded || w.modules[name])
	}
	if known {
		return w
	}
	*w = words{modules: map[string]bool{}, files: map[string]string{}, members: map[string]bool{}, labels: map[string]bool{}, globals: map[string]bool{}}
	for name, m := range p.modules {
		if !m.loaded {
			continue
		}
		w.modules[name] = true
		files, _ := m.Read()
		for _, f := range files {
			w.addFile(f)
		}
	}
	return w
}

// addFile adds the words of a file and the names that it declares.
func (w *words) addFile(f *source.File) {
	for _, d := range f.Decls {
		w.declare(d, false)
	}
	for word := range wordsIn(f.Text) {
		if other, ok := w.files[word]; !ok {
			w.files[word] = f.Name
		} else if other != f.Name {
			w.files[word] = ""
		}
	}
}

// wordsIn returns the words in a text that may be names.
func wordsIn(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80)
	})
}

// declare adds the names of a declaration and of its members.
func (w *words) declare(d *source.Decl, member bool) {
	for i := range d.Params {
		w.labels[d.Params[i].Label] = true
	}
	if d.Kind != source.Extension {
		if member {
			w.members[d.Name] = true
		} else {
			w.globals[d.Name] = true
		}
		if member && isType(d) {
			w.globals[d.Name] = true
		}
	}
	if d.Kind == source.Struct && !slices.ContainsFunc(d.Members, func(m *source.Decl) bool { return m.Kind == source.Init }) {
		for _, m := range d.Members {
			if m.Kind == source.Var {
				w.labels[m.Name] = true
			}
		}
	}
	for _, m := range d.Members {
		w.declare(m, true)
	}
}

// misspelled reports names in the file that no declaration has but that resemble declared ones.
func (w *walker) misspelled() {
	for _, name := range w.file.imports {
		if w.program.modules[name] == nil && !module.IsSystem(name) {
			return // the module may declare any name
		}
	}
	known := w.program.wordsOf()
	declared := map[string]bool{} // for each name, whether the file may declare it
	condition := 0                // the end of the #if around a token
	for i := range w.tokens {
		if w.kind(i) == source.Pound && w.at(i) == "#if" {
			condition = max(condition, w.closing[i])
		}
		if !w.isName(i) {
			continue
		}
		declared[w.at(i)] = declared[w.at(i)] || i < condition || w.namesIn(known, i) == nil
	}
	wrong := map[int]bool{}
	for i := range w.uses {
		wrong[w.uses[i].Start] = w.uses[i].Fault != ecosystem.NoFault
	}
	unknown := 0
	for i := range w.tokens {
		name := w.at(i)
		if !w.isName(i) || declared[name] || wrong[w.tokens[i].Start] {
			continue
		}
		if file, ok := known.files[name]; ok && file != w.file.Name || contains(systemNames, name) || strings.ToUpper(name) == name {
			continue
		}
		if unknown++; unknown > maxUnknown {
			return
		}
		if near := spelling.Misspelled(maps.Keys(w.namesIn(known, i)), name); len(near) > 0 {
			w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: "neither the project nor a package that it uses declares " + name, Near: near}, i, i)
		}
	}
}

// maxUnknown is the maximum number of uses in a file that are compared with declared names.
const maxUnknown = 500

// namesIn returns the declared names among which that of a token should be, or nil if the token may declare the name.
func (w *walker) namesIn(known *words, i int) map[string]bool {
	name := w.at(i)
	switch before := w.at(i - 1); {
	case before == ".":
		return known.members
	case w.labels[i]:
		return known.labels
	case isDeclarationKeyword(before) || w.kind(i+1) == source.Punct && w.at(i+1) == ":":
		return nil
	case name[0] >= 'A' && name[0] <= 'Z' || w.at(i+1) == "(" && w.tight(i+1):
		return known.globals
	}
	return nil
}
