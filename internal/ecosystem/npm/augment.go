package npm

import (
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// augmenting matches a statement that can add members to types of other files.
var augmenting = lazyregexp.New(`(?m)declare\s+(?:global\b|module\s+['"])`)

// globalInterface matches the declaration of an interface that is global in a script.
var globalInterface = lazyregexp.New(`(?m)^(?:declare[ \t]+)?(?:interface|namespace)\s`)

// moduleStatement matches a statement that makes a file a module.
var moduleStatement = lazyregexp.New(`(?m)^(?:import|export)\b`)

// configText matches a text in a configuration that may name a package.
var configText = lazyregexp.New(`"(@?[a-zA-Z0-9][^"\s:*]*)"`)

const (
	// maxConfigTexts is the maximum number of names in one configuration.
	maxConfigTexts = 1000
	// maxTypeFiles is the maximum number of files that are searched for declarations of modules.
	maxTypeFiles = 200_000
	// maxTypeFile is the maximum size, in bytes, of such a file. The rest of a file is not searched.
	maxTypeFile = 4 << 20
)

// augmentations are the members that the files of a program add to types of other files, as in declare global { … } and
// declare module "fastify" { … }.
type augmentations struct {
	ctx     context.Context
	program *modules.Program // nil if the project has no package.json
	// members contains the types that files add a member to, by the name of the member.
	members map[string][]modules.TypeName
	// interfaces contains the types that files add anything to, by their names.
	interfaces map[string][]modules.TypeName
	// bases contains the bases that files add to interfaces, by the name of the interface.
	bases map[string][]addedBase
	// packages contains the names of the packages that declare the interfaces.
	packages map[string]bool
	// modules contains the names and patterns of the modules that the project declares.
	modules map[string]bool
	// local contains the names of the files of the project that add anything.
	local map[string]bool
	// configs contains the paths of the configurations in the project.
	configs []string
	files   int
}

// source is a file that adds members to types of others.
type source struct {
	root  *dts.Node
	local bool // whether the file belongs to the project
}

// plainInterface returns the interface of a file to which a base refers, if it has neither bases nor other declarations.
func (s source) plainInterface(base *dts.Node) (found *dts.Node) {
	if s.root == nil || base.Kind != dts.Ref || base.HasArgs() {
		return nil
	}
	for n := range s.root.Children() {
		switch {
		case n.Name() != base.Text:
		case found != nil || n.Kind != dts.Interface || n.Child(dts.Extends) != nil:
			return nil
		default:
			found = n
		}
	}
	return found
}

// addedBase is a base that a file adds to an interface.
type addedBase struct {
	to    modules.TypeName
	name  string
	local bool // whether the file belongs to the project
}

// augmentationsOf searches the project in dir, and the files that it imports from installed packages, directly or through
// others. It returns nil if there are too many files.
func (n *NPM) augmentationsOf(ctx context.Context, dir string) *augmentations {
	a := &augmentations{ctx: ctx, members: map[string][]modules.TypeName{}, interfaces: map[string][]modules.TypeName{}, bases: map[string][]addedBase{}, packages: map[string]bool{}, modules: map[string]bool{}, local: map[string]bool{}}
	if dir == "" {
		return a
	}
	f, err := n.newFinder(ctx, question{project: dir})
	if err != nil {
		return nil
	}
	f.maxOpen = maxProgramPackages
	if l := f.openDir(dir, ""); l != nil {
		reader, err := modules.Open(ctx, l.pkg, f.open)
		if err != nil {
			return nil
		}
		a.program = reader.NewProgram(func(p *modules.Package, name, text string) bool {
			if a.files++; a.files >= maxTypeFiles {
				return false
			}
			if p.Name != "@types/node" { // The reader loads these declarations.
				a.search(p, name, text)
			}
			return true
		})
	}
	a.walk(rootfs.New(dir), ".", nil)
	a.outside(dir)
	a.implicit(dir)
	if a.files >= maxTypeFiles || ctx.Err() != nil {
		return nil
	}
	return a
}

// Extends implements ecosystem.Extender. It searches the program of the project.
func (n *NPM) Extends(ctx context.Context, dir string) func(f *ecosystem.SourceFile, pkg, member string) bool {
	a := n.augmentationsOf(ctx, dir)
	var searched *ecosystem.SourceFile
	return func(f *ecosystem.SourceFile, pkg, member string) bool {
		if a == nil {
			return true
		}
		if f != searched {
			searched = f
			a.search(nil, f.Name, string(f.Text))
		}
		return a.packages[pkg] || slices.ContainsFunc(a.members[member], func(t modules.TypeName) bool { return t.Global })
	}
}

// implicit adds the files that belong to each program: those of installed packages of types, and those that a
// configuration names, as types, as the configuration that it extends, or as the source of JSX. Any text in a
// configuration may be such a name.
func (a *augmentations) implicit(dir string) {
	if a.program == nil {
		return
	}
	for {
		types := filepath.Join(dir, "node_modules", "@types")
		for _, name := range project.DirNames(types) {
			a.program.Import("@types/" + name)
		}
		for _, name := range project.DirNames(dir) {
			if !isConfig(name) {
				continue
			}
			for _, m := range configText().FindAllStringSubmatch(readConfig(dir, name), maxConfigTexts) {
				a.program.Import(m[1])
				a.program.Import(m[1] + "/jsx-runtime")
			}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return
		}
		dir = above
	}
}

// walk searches a directory of the project. pkg is the package to which it belongs if it is in a directory node_modules
// of a part of the project.
func (a *augmentations) walk(fsys fs.FS, dir string, pkg *modules.Package) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil || a.ctx.Err() != nil {
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case a.files >= maxTypeFiles:
			return
		case e.IsDir():
			owner := pkg
			switch {
			case name == "node_modules" || e.Name() == ".git":
				continue
			case strings.Contains(name, "node_modules/"):
				owner = &modules.Package{Name: installedName(name)}
			}
			a.walk(fsys, name, owner)
		case e.Type().IsRegular() && isTypeScript(e.Name(), pkg != nil):
			a.files++
			if text, ok := readText(fsys, name); ok {
				a.search(pkg, name, text)
			}
		case e.Type().IsRegular() && pkg == nil && a.program != nil && isScript(e.Name()):
			if text, ok := readText(fsys, name); ok {
				a.program.Add(name, text)
			}
		case pkg == nil && isConfig(e.Name()):
			a.configs = append(a.configs, name)
		}
	}
}

// readText returns the beginning of a file.
func readText(fsys fs.FS, name string) (string, bool) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxTypeFile))
	return string(text), err == nil
}

// installedName returns the name of the package to which a path below node_modules belongs.
func installedName(name string) string {
	return packageOf(name[strings.LastIndex(name, "node_modules/")+len("node_modules/"):])
}

// isTypeScript reports whether a file may add members to types.
func isTypeScript(name string, installed bool) bool {
	switch path.Ext(name) {
	case ".ts", ".mts", ".cts":
		return !installed || strings.Contains(name, ".d.")
	case ".tsx", ".vue", ".svelte":
		return !installed
	}
	return false
}

// isScript reports whether a file may contain JavaScript.
func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

// search records the members that a file of a package adds to interfaces. pkg is nil for a file of the project. The interfaces
// of a script are global.
func (a *augmentations) search(pkg *modules.Package, name, text string) {
	if pkg == nil && a.program != nil {
		a.program.Add(name, text)
	}
	script := strings.Contains(name, ".d.") && !moduleStatement().MatchString(text) && globalInterface().MatchString(text)
	if !script && (!strings.Contains(text, "declare") || !augmenting().MatchString(text)) {
		return
	}
	language, ok := dts.LanguageOf(name)
	if !ok {
		text, language = scripts(text), dts.TypeScript
	}
	file, err := dts.Parse(text, language)
	if err != nil {
		return
	}
	in := source{root: file.Root, local: pkg == nil}
	if in.local {
		a.local[name] = true
	}
	for n := range file.Root.Children() {
		switch {
		case n.Kind == dts.Global:
			a.body(in, n, modules.TypeName{Global: true})
		case n.Kind == dts.Namespace && strings.ContainsAny(n.Text[:1], `'"`):
			if pkg == nil && !file.Module { // Within a module, the block extends an existing module.
				a.modules[n.Name()] = true
			}
			target := a.target(pkg, name, n.Name())
			if pkg == nil || pkg.Name != target || strings.HasPrefix(n.Name(), ".") {
				for _, extended := range [...]string{packageOf(n.Name()), target} {
					if extended != "" && !strings.HasPrefix(extended, ".") {
						a.packages[extended] = true
					}
				}
				a.body(in, n, modules.TypeName{Package: target})
			}
			for m := range n.Children() {
				a.add(m.Name(), modules.TypeName{Package: target})
			}
		case !file.Module && script:
			a.statement(in, n, modules.TypeName{Global: true})
		}
	}
}

// target returns the name of the package that declares a module, or "" if it is unknown.
func (a *augmentations) target(pkg *modules.Package, name, spec string) string {
	if a.program != nil && pkg != nil && pkg.FS != nil {
		return a.program.Target(pkg, name, spec)
	}
	return ""
}

// body records the members of interfaces in a block of a file that adds to the declarations of a package. space describes the
// types in the block.
func (a *augmentations) body(in source, block *dts.Node, space modules.TypeName) {
	for n := range block.Children() {
		a.statement(in, n, space)
	}
}

func (a *augmentations) statement(in source, n *dts.Node, space modules.TypeName) {
	t := space
	t.Name = lastName(n.Name())
	switch n.Kind {
	case dts.Namespace:
		space.Nested = true
		a.body(in, n, space)
		for m := range n.Children() { // A namespace adds static members to a class of the same name.
			if m.Kind != dts.Export {
				a.add(m.Name(), t)
			}
			for exported := range m.All(dts.Specifier) {
				a.add(exported.Name(), t)
			}
		}
	case dts.Interface:
		if !slices.Contains(a.interfaces[t.Name], t) {
			a.interfaces[t.Name] = append(a.interfaces[t.Name], t)
		}
		for m := range n.Children() {
			if m.Kind == dts.Extends {
				for b := range m.Children() {
					if base := in.plainInterface(b); base != nil {
						for inherited := range base.Children() {
							a.member(inherited, t)
						}
					} else {
						a.bases[t.Name] = append(a.bases[t.Name], addedBase{to: t, name: lastName(b.Text), local: in.local})
					}
				}
			} else {
				a.member(m, t)
			}
		}
	}
}

// member records a member that a file adds to a type, and those of its own type if that is a literal: a mapped type may
// have these as its members.
func (a *augmentations) member(m *dts.Node, t modules.TypeName) {
	if !m.IsMember() {
		return
	}
	a.add(m.Name(), t)
	if literal := m.Type(); literal != nil && literal.Kind == dts.TypeLiteral {
		for inner := range literal.Children() {
			a.member(inner, t)
		}
	}
}

// add records a member that a file adds to a type. Without a name, the package's module gets the member.
func (a *augmentations) add(member string, t modules.TypeName) {
	if !slices.Contains(a.members[member], t) {
		a.members[member] = append(a.members[member], t)
	}
}

// lastName returns the last part of a dotted name.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// mayAdd reports whether a file adds a member to one of the types, which include their bases.
func (a *augmentations) mayAdd(member string, types []modules.TypeName) bool {
	for _, added := range a.members[member] {
		if len(types) == 0 || added.Package == "" && (added.Name == "Object" || added.Name == "Function") {
			return true
		}
		if slices.ContainsFunc(types, func(t modules.TypeName) bool { return a.extends(added, t) }) {
			return true
		}
	}
	for _, t := range types {
		for _, base := range a.bases[lastName(t.Name)] {
			inherits := slices.ContainsFunc(types, func(other modules.TypeName) bool { return lastName(other.Name) == base.name })
			// The members of a type may have been read before a file of the project was merged.
			if (!inherits || base.local) && a.extends(base.to, t) {
				return true
			}
		}
	}
	return false
}

// mayExtend reports whether a file adds anything to an interface.
func (a *augmentations) mayExtend(t modules.TypeName) bool {
	return slices.ContainsFunc(a.interfaces[t.Name], func(added modules.TypeName) bool { return a.extends(added, t) })
}

// declares reports whether the project declares a module, in place of a package or in addition to it.
func (a *augmentations) declares(spec string) bool {
	if a.modules[spec] {
		return true
	}
	for pattern := range a.modules {
		if before, after, ok := strings.Cut(pattern, "*"); ok && len(spec) >= len(before)+len(after) && strings.HasPrefix(spec, before) && strings.HasSuffix(spec, after) {
			return true
		}
	}
	return false
}

// extends reports whether declarations that are added to a type may be added to the type t. A package may export the types
// of others that it imports.
func (a *augmentations) extends(added, t modules.TypeName) bool {
	if t == modules.AnyType {
		return true
	}
	return added.Name == lastName(t.Name) && (t.Nested || !added.Nested) && (t.Global || !added.Global || added.Nested) &&
		(added.Package == "" || t.Package == "" || added.Package == t.Package || a.program != nil && a.program.Reaches(added.Package, t.Package))
}
