package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/spelling"
)

// words are the words and the declared names in the modules of a program. A word that is in no other file than the one
// in which it is used, and that only differs from a declared name as a typing error does, is misspelled, even if the
// type of the value before it is unknown: otherwise it would be a name of a system that occurs only there.
type words struct {
	modules     map[string]int // the numbers of modules in occurrences
	names       []string       // the modules by number
	occurrences map[string][]occurrence
	// The names of declarations by what they name.
	members, labels, globals map[string]bool
	arguments                map[string]map[string]bool // the argument labels of functions, initializers and enum cases, by name
	undeclared               map[string]bool            // names of members that have no declaration: labels of tuples, and what macros add
	generated                map[string]bool            // those that macros add
	declarations             map[string][]declared      // members and functions by name, and initializers by argument label
	updates                  int                        // number of files that were replaced
}

// sharedWords are the words of several programs, and safe for concurrent use. The words do not change while a program uses them.
type sharedWords struct {
	mu          sync.Mutex
	words       *words      // nil before they are needed
	notImported *unimported // the result of Program.notImported, or nil before it is needed
}

// occurrence is a module that contains a word, and the file, or "" if several of its files do.
type occurrence struct {
	module int
	file   string
}

// declared is a declaration and its place.
type declared struct {
	decl *source.Decl
	occurrence
}

// maxUpdates is the maximum number of files that are replaced before the words of all files are collected again, because
// those that the replaced files contained remain.
const maxUpdates = 200

// wordsOf returns the words of all modules that have been loaded.
func (p *Program) wordsOf() *words {
	p.words.mu.Lock()
	defer p.words.mu.Unlock()
	w := p.words.words
	known := w != nil
	for name, m := range p.modules {
		if known && m.loaded {
			_, known = w.modules[name]
		}
	}
	if known {
		return w
	}
	w = newWords()
	p.words.words, p.words.notImported = w, nil
	for name, m := range p.modules {
		if !m.loaded {
			continue
		}
		w.modules[name] = len(w.modules)
		w.names = append(w.names, name)
		files, _ := m.Read()
		for _, f := range files {
			w.addFile(name, f)
		}
	}
	return w
}

func newWords() *words {
	return &words{modules: map[string]int{}, occurrences: map[string][]occurrence{}, members: map[string]bool{}, labels: map[string]bool{}, globals: map[string]bool{}, arguments: map[string]map[string]bool{}, undeclared: map[string]bool{}, generated: map[string]bool{}, declarations: map[string][]declared{}}
}

// addFile adds the words of a file and the names that it declares.
func (w *words) addFile(module string, f *source.File) {
	place := occurrence{w.modules[module], f.Name}
	for _, d := range f.Decls {
		w.declare(d, false, place)
	}
	w.addWords(f.Text, place)
}

// addWords adds the words of a file.
func (w *words) addWords(text string, place occurrence) {
	for word := range source.Words(text) {
		all := w.occurrences[word]
		if i := slices.IndexFunc(all, func(o occurrence) bool { return o.module == place.module }); i < 0 {
			w.occurrences[word] = append(all, place)
		} else if all[i].file != place.file {
			all[i].file = ""
		}
	}
}

// isElsewhere reports whether a word is in another file than the given one of a module. If modules is not nil, only the
// files of these modules count.
func (w *words) isElsewhere(word, module, file string, modules map[string]bool) bool {
	return slices.ContainsFunc(w.occurrences[word], func(o occurrence) bool {
		if o.module == w.modules[module] {
			return o.file != file
		}
		return modules == nil || modules[w.names[o.module]]
	})
}

// updateWords adds the words of a file that replaces another one, and its declarations unless they are the same. The words
// and names that the file no longer contains remain.
func (p *Program) updateWords(module string, f *source.File, same bool) {
	w := p.words.words
	if w == nil {
		return
	}
	if number, ok := w.modules[module]; ok {
		place := occurrence{number, f.Name}
		if same {
			w.addWords(f.Text, place)
		} else {
			w.remove(place)
			w.addFile(module, f)
		}
	}
	if w.updates++; w.updates > maxUpdates {
		p.words = &sharedWords{}
	}
}

// remove removes the declarations of a file.
func (w *words) remove(place occurrence) {
	for name, all := range w.declarations {
		w.declarations[name] = slices.DeleteFunc(all, func(d declared) bool { return d.occurrence == place })
	}
}

// declare adds the names of a declaration at a place, and of its members.
func (w *words) declare(d *source.Decl, member bool, place occurrence) {
	for _, text := range []string{d.Type, d.Result, d.Value} {
		w.addElements(text)
	}
	if d.Kind == source.Macro {
		w.addGenerated(d)
	}
	for i := range d.Params {
		w.addElements(d.Params[i].Type)
		w.labels[d.Params[i].Label] = true
		w.accept(d.Name, d.Params[i].Label)
	}
	if d.Kind != source.Extension {
		w.index(d, place)
		if member {
			w.members[d.Name] = true
		} else {
			w.globals[d.Name] = true
		}
		if member && isType(d) {
			w.globals[d.Name] = true
		}
	}
	if created := memberwiseOf(d); created != nil {
		w.index(created, place)
		for i := range created.Params {
			w.labels[created.Params[i].Label] = true
			w.accept("init", created.Params[i].Label)
		}
	}
	for _, m := range d.Members {
		w.declare(m, true, place)
	}
}

// addElements adds the labels of the tuples in a type or expression.
func (w *words) addElements(text string) {
	if !strings.Contains(text, "(") || !strings.Contains(text, ":") {
		return
	}
	var tuples []bool // for each group around a token, whether it may be a tuple
	var before source.Token
	s := source.NewScanner(text)
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		switch word := s.TokenText(t); word {
		case "(", "[", "{":
			called := before.Kind == source.Ident && !t.Space && !t.Newline
			tuples = append(tuples, word == "(" && !called)
		case ")", "]", "}":
			tuples = tuples[:max(0, len(tuples)-1)]
		case ":":
			if n := len(tuples); n > 0 && tuples[n-1] && before.Kind == source.Ident {
				w.undeclared[unquoted(s.TokenText(before))] = true
			}
		}
		before = t
	}
}

// addGenerated adds the names that a macro declares.
func (w *words) addGenerated(macro *source.Decl) {
	for i := range macro.Attributes {
		for _, after := range strings.Split(macro.Attributes[i].Args, "named(")[1:] {
			name, _, _ := strings.Cut(after, ")")
			w.undeclared[unquoted(strings.TrimSpace(name))], w.generated[unquoted(strings.TrimSpace(name))] = true, true
		}
	}
}

// index adds a declaration to those with its name, or an initializer to those with each of its labels.
func (w *words) index(d *source.Decl, place occurrence) {
	if d.Kind != source.Init {
		w.declarations[d.Name] = append(w.declarations[d.Name], declared{d, place})
		return
	}
	for i := range d.Params {
		key := initializerWith(d.Params[i].Label)
		w.declarations[key] = append(w.declarations[key], declared{d, place})
	}
}

// initializerWith returns the key of the initializers that have an argument label.
func initializerWith(label string) string { return "init " + label }

// accept adds an argument label of a function.
func (w *words) accept(name, label string) {
	if w.arguments[name] == nil {
		w.arguments[name] = map[string]bool{}
	}
	w.arguments[name][label] = true
}

// misspelled reports names in the file that no declaration has but that resemble declared ones.
func (w *walker) misspelled() {
	for _, name := range w.file.imports {
		if w.program.modules[name] == nil && !module.IsSystem(name) {
			return // the module may declare any name
		}
	}
	known := w.program.wordsOf()
	local := newWords()
	for _, d := range w.file.Decls {
		local.declare(d, false, occurrence{file: w.file.Name})
	}
	declared := map[string]bool{} // for each name, whether the file may declare it
	condition := 0                // the end of the #if around a token
	for i := range w.tokens {
		if w.kind(i) == source.Pound && w.at(i) == "#if" {
			condition = max(condition, w.closing[i])
		}
		if !w.isName(i) {
			continue
		}
		name := unquoted(w.at(i))
		declared[name] = declared[name] || i < condition || w.isFurther(i) || w.namesIn(known, i) == nil
		w.declaredLabels(local, i)
	}
	wrong := map[int]bool{}
	for i := range w.uses {
		wrong[w.uses[i].Start] = w.uses[i].Fault != ecosystem.NoFault
	}
	shapes := w.newShapes(known, local, declared)
	unknown := 0
	for i := range w.tokens {
		name := unquoted(w.at(i))
		if !w.isName(i) || wrong[w.tokens[i].Start] || w.labels[i] && !w.generated && w.wrongLabel(i, known, local, wrong) {
			continue
		}
		if declared[name] {
			if name == "init" {
				shapes.check(i, wrong)
			}
			continue
		}
		if !w.generated && w.isUnreachable(i, known) {
			w.report(Use{
				Path: name, Fault: ecosystem.AbsentFault,
				Message: fmt.Sprintf("no module that %s imports, directly or indirectly, declares a member %s", w.file.module.Name, name),
			}, i, i)
			continue
		}
		if shapes.check(i, wrong) {
			continue
		}
		if known.isElsewhere(name, w.file.module.Name, w.file.Name, nil) || contains(systemNames, name) || strings.ToUpper(name) == name {
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
