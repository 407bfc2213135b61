// Package program finds what the code of a Swift file uses: declarations of its own project and of the packages that
// the project uses. It reads all of their sources, resolves names in bodies of functions, and follows members of values
// whose types are evident. It reports only what is certain: if anything is unknown that may declare a name, such as a
// module whose sources are not available, an attached macro or a superclass in a system, the use is undecided.
//
//	modules and their declarations                 program.go
//	types, members and supertypes                  types.go
//	names of types -> types                        resolve.go
//	what systems declare                           system.go
//	types that a file can use                      imports.go
//	values of types of systems                     values.go, collections.go, results.go, coding.go, additions.go
//	tuples, key paths                              tuples.go, keypaths.go
//	what attached macros declare                   macros.go
//	arguments of calls                             arguments.go
//	statements of a file -> variables and scopes   walk.go, declarations.go
//	expressions -> types and uses                  chain.go, expressions.go, operators.go, generics.go
//	names -> declarations and their types          lookup.go, declared.go, misuse.go
//	property wrappers -> uses                      attributes.go
package program

import (
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Module is a module of the project or of a package that it uses.
type Module struct {
	Name string
	// Package identifies the package of the module. Modules of the same package share declarations with package
	// access.
	Package string
	// Opaque is true if the declarations of the module cannot be read, because they are written in another language.
	Opaque bool
	// Contains reports whether the headers of an opaque module may contain a word. It is nil for other modules.
	Contains func(word string) bool
	// Read returns the files of the module. complete is false if some could not be read. It is called only once.
	Read func() (files []*source.File, complete bool)
}

// unit is a module with its declarations.
type unit struct {
	*Module
	loaded, complete bool
	files            []*file
	named            map[string]*file // the files by name
	types            map[string]*Type
	private          map[string]map[string]*Type // the types that only one file can use, by the file's name
	values           map[string][]*member        // functions, variables and macros outside types
	exports          []string                    // modules that the module re-exports
	peers            *generated                  // the result of Program.peers
	systems          *bool                       // the result of Program.importsKnownSystems
	reachable        map[string]bool             // the modules that it imports, directly or indirectly, or nil if one is missing
	unreachable      bool                        // whether one is missing or is one of a system with unknown declarations
	interfaces       bool                        // whether it imports one of interfaceModules under a condition, set by Program.reach
	imported         bool                        // whether it imports a module in another language, set by Program.reach
}

// file is a file of a module.
type file struct {
	*source.File
	module *unit
	// imports are the modules that the file imports, including those under a condition, and testable the ones whose
	// internal declarations it can use.
	imports, testable []string
	scope             *scope  // the result of Program.scopeOf
	visible           []*unit // the result of Program.visible, which is called after all modules are loaded
}

// Program contains the modules of a project and of the packages that it uses. It is not safe for concurrent use, but several
// goroutines may each use a copy.
type Program struct {
	sources    []*Module
	edited     map[string]*source.File // files that replace those that Read returns, or are added to them, by module
	modules    map[string]*unit
	extensions map[string][]*extension // by the last name of the extended type
	aliases    map[string][]string     // names of typealiases, by the last name of the type that they represent
	aliased    map[string]bool         // all names of typealiases
	added      map[[2]string]*added    // the results of addedTo, by its arguments
	additions  *additions              // the result of Program.addsToSystems
	// declaringMacros are the freestanding macros whose expansions are declarations, once declaringKnown is true.
	declaringMacros []*member
	declaringKnown  bool
	inferring       int          // number of values whose types are being inferred
	words           *sharedWords // of the modules without the edited files
}

// extension is an extension of a type.
type extension struct {
	decl *source.Decl
	file *file
	path []string
}

// New returns a program with the given modules. If several have the same name, the first one counts.
func New(modules []*Module) *Program {
	for _, m := range modules {
		m.Read = sync.OnceValues(m.Read)
	}
	return newProgram(modules, nil, &sharedWords{})
}

func newProgram(modules []*Module, edited map[string]*source.File, w *sharedWords) *Program {
	p := &Program{sources: modules, edited: edited, words: w, modules: map[string]*unit{}, extensions: map[string][]*extension{}, aliases: map[string][]string{}, aliased: map[string]bool{}, added: map[[2]string]*added{}}
	for _, m := range modules {
		if p.modules[m.Name] == nil {
			p.modules[m.Name] = &unit{Module: m}
		}
	}
	return p
}

// Copy returns a program with the same modules, which reads none of their files again. The program must not be updated while the
// copy is in use.
func (p *Program) Copy() *Program { return newProgram(p.sources, p.edited, p.words) }

// With returns a program in which a module contains the given file. It is p itself if the module already does, or contains
// one that declares and imports the same.
func (p *Program) With(module, name, text string) *Program {
	f := p.File(module, name, text)
	if before := p.fileNamed(module, name); before != nil && (before.File == f || f.Lost == before.Lost && sameImports(before.Imports, f.Imports) && sameDecls(before.Decls, f.Decls) && p.sameExpanded(before.File, f)) {
		return p
	}
	return newProgram(p.sources, map[string]*source.File{module: f}, p.words)
}

// File returns a file with the given name and text. It does not parse the text again if a module contains this file.
func (p *Program) File(module, name, text string) *source.File {
	if f := p.fileNamed(module, name); f != nil && f.Text == text {
		return f.File
	}
	return source.Parse(name, text)
}

// fileNamed returns a file of a module that has been loaded, or nil.
func (p *Program) fileNamed(module, name string) *file {
	if m := p.modules[module]; m != nil {
		return m.named[name]
	}
	return nil
}

// Update returns a program in which a module contains the given file instead of the one with the same name. If the file
// declares the same as before, it is p itself, which changes.
func (p *Program) Update(name string, f *source.File) *Program {
	if p.replace(name, f) {
		p.updateWords(name, f, true)
		return p
	}
	sources := slices.Clone(p.sources)
	for i, m := range sources {
		if m.Name != name {
			continue
		}
		files, complete := m.Read()
		files = slices.Clone(files)
		for k := range files {
			if files[k].Name == f.Name {
				files[k] = f
			}
		}
		updated := *m
		updated.Read = func() ([]*source.File, bool) { return files, complete }
		sources[i] = &updated
		break
	}
	p.updateWords(name, f, false)
	return newProgram(sources, nil, p.words)
}

// Load reads modules and the modules that they import.
func (p *Program) Load(names ...string) {
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		m := p.modules[name]
		if m == nil || m.loaded {
			continue
		}
		m.loaded, m.complete = true, true
		p.declaringMacros, p.declaringKnown = nil, false
		m.named = map[string]*file{}
		m.types, m.private, m.values = map[string]*Type{}, map[string]map[string]*Type{}, map[string][]*member{}
		if m.Opaque {
			continue
		}
		files, complete := m.Read()
		m.complete = complete
		edited := p.edited[m.Name]
		for _, f := range files {
			if edited == nil || f.Name != edited.Name {
				names = append(names, p.add(m, f)...)
			}
		}
		if edited != nil {
			names = append(names, p.add(m, edited)...)
		}
	}
}

// add adds a file to a module and returns the modules that it imports.
func (p *Program) add(m *unit, parsed *source.File) []string {
	f := newFile(m, parsed)
	m.complete = m.complete && f.Lost == 0
	for i := range f.Imports {
		if d := &f.Imports[i]; d.Exported() {
			m.exports = append(m.exports, d.Module)
		}
	}
	m.files = append(m.files, f)
	m.named[f.Name] = f
	for _, d := range f.Decls {
		switch d.Kind {
		case source.Struct, source.Class, source.Actor, source.Enum, source.Protocol, source.TypeAlias:
			types := m.types
			if isPrivate(d) {
				if types = m.private[f.Name]; types == nil {
					types = map[string]*Type{}
					m.private[f.Name] = types
				}
			}
			t := types[d.Name]
			if t == nil {
				t = &Type{name: d.Name, module: m}
				types[d.Name] = t
			}
			p.declare(t, d, f)
		case source.Func, source.Var, source.Macro:
			m.values[d.Name] = append(m.values[d.Name], &member{decl: d, file: f})
		case source.Extension:
			p.extend(d, f)
		}
	}
	return f.imports
}

func newFile(m *unit, parsed *source.File) *file {
	f := &file{File: parsed, module: m}
	for i := range parsed.Imports {
		d := &parsed.Imports[i]
		f.imports = append(f.imports, d.Module)
		for k := range d.Attributes {
			if name := d.Attributes[k].Name; name == "testable" || name == "_spi" || name == "_private" {
				f.testable = append(f.testable, d.Module)
			}
		}
	}
	return f
}

func (p *Program) extend(d *source.Decl, f *file) {
	t, ok := parseType(d.Name)
	if !ok {
		return
	}
	path := t.generic()
	last := path[len(path)-1]
	p.extensions[last] = append(p.extensions[last], &extension{decl: d, file: f, path: path})
}

// extends reports whether an extension of a type in a system has a member with the given name.
func (p *Program) extends(system, name string) bool {
	return slices.ContainsFunc(p.extensions[system], func(x *extension) bool {
		return slices.ContainsFunc(x.decl.Members, func(m *source.Decl) bool { return m.Name == name })
	})
}

// declare adds a declaration to a type.
func (p *Program) declare(t *Type, d *source.Decl, f *file) {
	t.decls = append(t.decls, declaration{d, f})
	if d.Kind == source.TypeAlias && !t.local {
		p.aliased[d.Name] = true
		if target, ok := parseType(d.Type); ok {
			path := target.generic()
			last := path[len(path)-1]
			p.aliases[last] = append(p.aliases[last], d.Name)
		}
	}
	for _, m := range d.Members {
		p.nest(t, m, f)
	}
}

// nest adds a member to a type if it is a type, too.
func (p *Program) nest(t *Type, d *source.Decl, f *file) {
	if !isType(d) {
		return
	}
	n := t.nested[d.Name]
	if n == nil {
		n = &Type{name: d.Name, module: f.module, parent: t, local: t.local}
		if t.nested == nil {
			t.nested = map[string]*Type{}
		}
		t.nested[d.Name] = n
	}
	p.declare(n, d, f)
}

// isPrivate reports whether only its file can use a declaration outside types.
func isPrivate(d *source.Decl) bool {
	return d.Access == source.Private || d.Access == source.FilePrivate
}

// typeNamed returns a type of a module that a file of the module can use, or nil if there is none.
func (u *unit) typeNamed(name string, from *file) *Type {
	if t := u.private[from.Name][name]; t != nil {
		return t
	}
	return u.types[name]
}

// isType reports whether a declaration is one of a type, an alias or an associated type.
func isType(d *source.Decl) bool {
	switch d.Kind {
	case source.Struct, source.Class, source.Actor, source.Enum, source.Protocol, source.TypeAlias, source.AssociatedType:
		return true
	}
	return false
}

// visible returns the modules whose declarations are visible in a file, including those that others re-export.
func (p *Program) visible(f *file) (modules []*unit) {
	if f.visible != nil {
		return f.visible
	}
	defer func() { f.visible = modules }()
	seen := map[string]bool{f.module.Name: true}
	queue := slices.Concat(f.imports, f.module.exports) // re-exports apply to all files of a module
	for i := 0; i < len(queue); i++ {
		name := queue[i]
		if seen[name] {
			continue
		}
		seen[name] = true
		m := p.modules[name]
		if m == nil || m.Opaque || !m.loaded {
			continue
		}
		modules = append(modules, m)
		queue = append(queue, m.exports...)
	}
	return modules
}

// member is a declaration with its file.
type member struct {
	decl *source.Decl
	file *file
	// extension is the extension that contains the declaration, or nil.
	extension *source.Decl
	owner     *Type // nil outside types
	// inferred is the value of a property or variable that has no written type. It is nil before it is needed.
	inferred *value
	// scope is the type around a function in a function, and locals contains the local declarations that the function can use.
	scope  *Type
	locals map[string]value
}

// access returns the access level of a declaration.
func (m *member) access() source.Access {
	d := m.decl
	if d.Access != source.Unspecified {
		return d.Access
	}
	switch {
	case m.extension != nil && m.extension.Access != source.Unspecified:
		return m.extension.Access
	case d.Parent != nil && (d.Parent.Kind == source.Protocol || d.Kind == source.Case):
		parent := &member{decl: d.Parent}
		if x := d.Parent.Parent; x != nil && x.Kind == source.Extension {
			parent.extension = x
		}
		return parent.access()
	}
	return source.Internal
}

// isVisible reports whether a file can use a declaration.
func (m *member) isVisible(from *file) bool {
	if m.file.module == from.module || m.access() >= source.Public || m.decl.Attribute("_spi") != nil || m.extension != nil && m.extension.Attribute("_spi") != nil {
		return true
	}
	if m.access() == source.Package && m.file.module.Package == from.module.Package {
		return true
	}
	return slices.Contains(from.testable, m.file.module.Name)
}

// labeled returns the name of a declaration with its argument labels.
func labeled(d *source.Decl) string {
	if len(d.Params) == 0 && (d.Kind == source.Case || !d.HasParams) {
		return d.Name
	}
	var b strings.Builder
	b.WriteString(d.Name + "(")
	for i := range d.Params {
		label := d.Params[i].Label
		if label == "" {
			label = "_"
		}
		b.WriteString(label + ":")
	}
	return b.String() + ")"
}
