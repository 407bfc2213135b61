package modules

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/spelling"
)

// ImportUse is an import or re-export in a file of the project that an installed package does not offer.
type ImportUse struct {
	Offset int
	// Specifier is the specifier of the module.
	Specifier string
	// Name is the name of the export, or "" if the package does not have the module.
	Name string
	// Package is the installed package to which the specifier refers, or the one that declares the modules of Node.js.
	Package *Package
	// Types are the types that may have the name as a member if other files extend them.
	Types []TypeName
	// Exports contains the names of the exports that the module has, or the specifiers of the package's entry points.
	Exports []string
}

// AbsentImports returns the imports in a file of the project that the installed packages do not offer. Like the compiler, it
// reads the declarations of the packages, which may lack names that JavaScript exports.
func (c *Code) AbsentImports(name string) (absent []ImportUse) {
	m := c.r.load(c.r.main, name)
	if m == nil || m.file == nil || c.lacksAugmentations(m) {
		return nil
	}
	c.checked = m
	c.loadReferences(m)
	for n := range m.file.Root.Children() {
		spec := importSpecifier(n)
		if !c.r.check() {
			return absent
		}
		if spec == "" || isNear(spec) {
			continue
		}
		of := c.r.moduleOf(m, spec)
		switch {
		case of == nil:
			if use, ok := c.absentModule(m, spec, int(n.Pos)); ok {
				absent = append(absent, use)
			}
		case of.pkg == c.r.main:
		case n.Kind == dts.Import || n.Kind == dts.Export:
			absent = append(absent, c.absentExports(m, of, n)...)
		}
	}
	return append(absent, c.absentTypes(m)...)
}

// absentTypes returns the names in types such as express.Request that are not exports of the module to which an import binds
// the first name.
func (c *Code) absentTypes(m *module) (absent []ImportUse) {
	if m.file.Language != dts.TypeScript {
		return nil
	}
	f := c.file(m)
	if f == nil {
		return nil
	}
	var refs []*dts.Node
	inner := map[string]bool{} // names of enums, namespaces and aliases in functions and namespaces, which may hide an import
	var visit func(n *dts.Node)
	visit = func(n *dts.Node) {
		switch n.Kind {
		case dts.Ref:
			refs = append(refs, n)
		case dts.Enum, dts.Namespace:
			name, _, _ := strings.Cut(n.Text, ".")
			inner[name] = true
		}
		for child := range n.Children() {
			if child.Kind == dts.ImportEquals {
				inner[child.Text] = true
			}
			visit(child)
		}
	}
	for list := slices.Clone(f.list); len(list) > 0; {
		x := list[len(list)-1]
		list = list[:len(list)-1]
		if x == nil {
			continue
		}
		list = append(list, x.List...)
		if x.Type != nil {
			visit(x.Type)
		}
		for _, arg := range x.Args {
			visit(arg)
		}
	}
	for _, n := range refs {
		if outer, _, _ := strings.Cut(n.Text, "."); inner[outer] {
			continue
		}
		if use, ok := c.absentType(m, n); ok {
			absent = append(absent, use)
		}
	}
	return absent
}

// absentType returns the use of the second name in a dotted type, if the first one is bound to a module or namespace without
// such an export.
func (c *Code) absentType(m *module, n *dts.Node) (use ImportUse, ok bool) {
	outer, name, ok := strings.Cut(n.Text, ".")
	sym := m.scope.locals.get(outer)
	if !ok || sym == nil || sym.alias == nil || len(sym.decls) > 0 || !strings.HasPrefix(m.file.Source[n.Pos:], n.Text) {
		return use, false
	}
	a := sym.alias
	if a.spec == "" || a.spec == selfSpec || isNear(a.spec) {
		return use, false
	}
	of := c.r.moduleOf(m, a.spec)
	if of == nil || of.pkg == c.r.main {
		return use, false
	}
	name, _, _ = strings.Cut(name, ".")
	offset := int(n.Pos) + len(outer) + len(".")
	if a.name == "*" || a.name == "default" && of.equals != nil {
		return c.absentExport(m, of, a.spec, name, offset)
	}
	target := c.r.target(sym)
	if target == nil || !isNamespace(target) || target.exports.get(name) != nil {
		return use, false
	}
	use = ImportUse{Offset: offset, Specifier: a.spec, Name: a.name + "." + name, Package: c.packageOf(m, of, a.spec), Types: []TypeName{c.r.typeName(target)}}
	for _, exported := range target.exports.order {
		use.Exports = append(use.Exports, a.name+"."+exported.name)
	}
	return use, true
}

// isNamespace reports whether a symbol is a namespace, and perhaps a type, whose exports are known.
func isNamespace(sym *symbol) bool {
	if sym.exports == nil || sym.namespaceOf != nil {
		return false
	}
	found := false
	for _, d := range sym.decls {
		switch d.node.Kind {
		case dts.Namespace:
			found = true
		case dts.TypeAlias, dts.Interface:
		default:
			return false
		}
		if mod := d.scope.mod; mod == nil || mod.file == nil || mod.file.Language == dts.JavaScript || len(mod.file.Warnings) > 0 {
			return false
		}
	}
	return found
}

// importSpecifier returns the specifier of the module that a statement imports, or "".
func importSpecifier(n *dts.Node) string {
	switch n.Kind {
	case dts.Import, dts.Export, dts.ExportStar:
		return n.Text
	case dts.Variable, dts.ImportEquals:
		if v := n.Value(); v.Is(dts.Require) {
			return v.Text
		}
	}
	return ""
}

// absentExports returns the names in an import or re-export of a module that the module does not export.
func (c *Code) absentExports(m, of *module, n *dts.Node) (absent []ImportUse) {
	for s := range n.Children() {
		if m.file.Language == dts.JavaScript && (n.Flags|s.Flags)&dts.FlagTypeOnly != 0 {
			continue // a type of Flow, which other declarations describe
		}
		name, pos := s.Text, s.Pos
		switch from := s.Child(dts.Name); {
		case s.Kind == dts.ImportDefault:
			name = "default"
		case s.Kind != dts.Specifier:
			continue
		case from != nil:
			name, pos = from.Text, from.Pos
		}
		if use, ok := c.absentExport(m, of, n.Text, name, int(pos)); ok {
			absent = append(absent, use)
		}
	}
	return absent
}

// absentExport returns the use, at an offset, of a name that a module does not export. ok is false if it may export the name.
func (c *Code) absentExport(m, of *module, spec, name string, offset int) (use ImportUse, ok bool) {
	if !c.lacksExport(m, of, spec, name) || c.hasVariant(of, spec, name) {
		return use, false
	}
	return ImportUse{Offset: offset, Specifier: spec, Name: name, Package: c.packageOf(m, of, spec), Types: c.extendable(of), Exports: c.exportNames(of)}, true
}

// packageOf returns the package to which a specifier refers, which another package may describe.
func (c *Code) packageOf(from, of *module, spec string) *Package {
	name, _ := splitSpecifier(spec)
	if p := c.r.dep(from.pkg, name); p != nil && !Builtin(spec) {
		return p.Package
	}
	return of.pkg.Package
}

// lacksExport reports whether it is certain that a module has no export with the given name.
func (c *Code) lacksExport(from, of *module, spec, name string) bool {
	if name == "default" {
		// Only in code that is not compiled to CommonJS is the default export of each module what it declares.
		if !from.isESM() || !of.isESM() || of.equals != nil || of.ambient || of.scope.exports.get(name) != nil {
			return false
		}
		return c.isComplete(of) && c.whole(of, 0)
	}
	return c.r.follow(&alias{scope: from.scope, spec: spec, name: name}) == nil && c.lacks(of, name)
}

// lacks reports whether it is certain that a module, in which no export with the given name was found, has none.
func (c *Code) lacks(of *module, name string) bool {
	for range maxNesting {
		switch {
		case of.equals == nil:
			return c.isComplete(of) && c.whole(of, 0)
		case of.file == nil || of.file.Language == dts.JavaScript || len(of.file.Warnings) > 0:
			return false
		}
		value := c.r.target(of.equals)
		if value == nil {
			return false
		}
		if value.namespaceOf == nil {
			_, how := c.member(c.symbolType(value), name)
			return how == missing
		}
		of = value.namespaceOf
	}
	return false
}

// hasVariant reports whether a specifier may refer to a file other than that of a module, under other conditions of exports or
// an older mode of resolution, that may have an export with the given name.
func (c *Code) hasVariant(of *module, spec, name string) bool {
	pkg, sub := splitSpecifier(spec)
	if of.ambient || of.pkg.Name != pkg && of.pkg.Name != typesName(pkg) {
		return false
	}
	for _, file := range of.pkg.variants(sub) {
		m := c.r.load(of.pkg, file)
		if m == of || m == nil || name == "default" && !m.isESM() {
			continue
		}
		c.r.combine(m)
		if c.r.export(m, name) != nil || !c.lacks(m, name) {
			return true
		}
	}
	return false
}

// namespaceHasVariant reports the same as hasVariant for the namespace of a module, which any specifier may have imported.
func (c *Code) namespaceHasVariant(of *module, name string) bool {
	if of.pkg.manifest.exports == nil {
		return false
	}
	return slices.ContainsFunc(append(of.pkg.siblings("."), of.pkg.Name), func(spec string) bool {
		_, sub := splitSpecifier(spec)
		t, _ := c.r.entryOf(of.pkg, sub)
		return t == (target{pkg: of.pkg, path: of.path}) && c.hasVariant(of, spec, name)
	})
}

// HasVariant reports whether a specifier may refer to a file, under other conditions of exports or an older mode of
// resolution than the usual ones, that may have an export with the given name.
func (c *Code) HasVariant(spec, name string) bool {
	of := c.r.moduleOf(&module{pkg: c.r.main, path: "package.json"}, spec)
	return of != nil && c.hasVariant(of, spec, name)
}

// isComplete reports whether a module exports anything. A module without exports stands for any module, or declares globals.
func (c *Code) isComplete(m *module) bool {
	return !m.script && (len(m.scope.exports.order) > 0 || len(m.stars) > 0)
}

// isESM reports whether Node.js runs a module as an ECMAScript module.
func (m *module) isESM() bool {
	switch path.Ext(m.path) {
	case ".mts", ".mjs":
		return true
	case ".cts", ".cjs":
		return false
	}
	return m.pkg.manifest.esm
}

// extendable returns the names of the types to which other files may add what a module exports.
func (c *Code) extendable(m *module) []TypeName {
	types := []TypeName{{Package: m.pkg.Name}}
	if m.equals == nil {
		return types
	}
	if value := c.r.target(m.equals); value != nil && len(value.decls) > 0 {
		_, named := c.memberNames(c.symbolType(value))
		types = append(append(types, c.r.typeName(value)), named...)
	}
	return types
}

// exportNames returns the names of the exports of a module.
func (c *Code) exportNames(m *module) (names []string) {
	for _, s := range c.r.exportsOf(m) {
		names = append(names, s.name)
	}
	return names
}

// absentModule returns the use, after an offset in the file, of a module that an installed package does not have. A module may exist in a form that the
// package does not declare, so ok is false if the package has any file with its path.
func (c *Code) absentModule(from *module, spec string, pos int) (use ImportUse, ok bool) {
	if c.isMapped(from, spec) {
		return use, false
	}
	if strings.HasPrefix(spec, "node:") {
		p, known := c.misspeltBuiltin(spec)
		if p == nil {
			return use, false
		}
		return importAfter(from, pos, ImportUse{Specifier: spec, Package: p, Exports: known})
	}
	name, sub := splitSpecifier(spec)
	if sub == "." || name == c.r.main.Name || Builtin(spec) || !isModulePath(sub) {
		return use, false
	}
	p := c.r.dep(from.pkg, name)
	if p == nil || p == c.r.main || p.mayHave(sub) {
		return use, false
	}
	if types := c.r.typesOf(p); types != nil && types.mayHave(sub) {
		return use, false
	}
	return importAfter(from, pos, ImportUse{Specifier: spec, Package: p.Package, Exports: p.siblings(sub)})
}

// importAfter sets the offset of a use to that of the specifier after an offset in a file. It returns false if there is none.
func importAfter(m *module, pos int, use ImportUse) (ImportUse, bool) {
	for _, quote := range [...]string{`"`, `'`} {
		if i := strings.Index(m.file.Source[pos:], quote+use.Specifier+quote); i >= 0 {
			use.Offset = pos + i
			return use, true
		}
	}
	return use, false
}

// minMisspelt is the minimum length of the name of a module of Node.js that seems to be misspelt.
const minMisspelt = 4

// misspeltBuiltin returns the package that declares the modules of Node.js, and their specifiers, if a specifier differs from
// one of them in one letter. Other modules may be those of a newer version of Node.js. The package is nil if there is none.
func (c *Code) misspeltBuiltin(spec string) (p *Package, known []string) {
	if len(strings.TrimPrefix(spec, "node:")) < minMisspelt {
		return nil, nil
	}
	var d spelling.Distance
	for name, m := range sorted(c.r.ambient) {
		if m.pkg.Name != "@types/node" || !strings.HasPrefix(name, "node:") {
			continue
		}
		known = append(known, name)
		if d.Between(name, spec, 1) == 1 {
			p = m.pkg.Package
		}
	}
	return p, known
}

// isModulePath reports whether a path within a package can only be that of a module with code.
func isModulePath(sub string) bool {
	if strings.ContainsAny(sub, "?!#*") {
		return false
	}
	switch ext := path.Ext(sub); ext {
	case "", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts":
		return true
	}
	return false
}

// isMapped reports whether the configuration of a file gives a specifier another meaning.
func (c *Code) isMapped(m *module, spec string) bool {
	return slices.ContainsFunc(c.r.optionsOf(m.path).Paths, func(p PathMapping) bool {
		_, ok := p.match(spec)
		return ok && p.Pattern != "*"
	})
}

// mayHave reports whether a package may contain a module: if its exports name the module, or if it has a file or directory
// with the module's path.
func (p *pkg) mayHave(sub string) bool {
	if e := p.manifest.exports; e != nil && isSubpaths(e) {
		to, star := matchKey(e, sub)
		exported := func(target string) bool {
			before, _, _ := strings.Cut(target, "*")
			return star == "" || !p.isDir(path.Dir(path.Clean(before+"x"))) || p.hasFile(path.Clean(strings.ReplaceAll(target, "*", star)))
		}
		if to != nil && anyText(to, exported) {
			return true
		}
	}
	return p.hasFile(path.Clean(sub))
}

// hasFile reports whether a package has a directory with the given path, or a file with that path and any extension.
func (p *pkg) hasFile(name string) bool {
	if p.exists(name) || p.isDir(name) {
		return true
	}
	entries, _ := fs.ReadDir(p.FS, path.Dir(name))
	stem := moduleStem(path.Base(name))
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == stem || strings.HasPrefix(e.Name(), stem+".") })
}

// moduleStem returns the name of a file without the extensions of code.
func moduleStem(name string) string {
	if _, ok := dts.LanguageOf(name); ok {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return strings.TrimSuffix(name, ".d")
}

// siblings returns the specifiers of the entry points of a package or, if it does not list them, of the modules in the
// same directory as a path.
func (p *pkg) siblings(sub string) (specifiers []string) {
	if e := p.manifest.exports; e != nil {
		for _, f := range e.fields {
			if strings.HasPrefix(f.name, "./") && !strings.Contains(f.name, "*") {
				specifiers = append(specifiers, p.Name+f.name[1:])
			}
		}
		return specifiers
	}
	dir := path.Dir(path.Clean(sub))
	entries, _ := fs.ReadDir(p.FS, dir)
	for _, e := range entries {
		if _, ok := dts.LanguageOf(e.Name()); ok || e.IsDir() {
			specifiers = append(specifiers, path.Join(p.Name, dir, moduleStem(e.Name()))+path.Ext(sub))
		}
	}
	return specifiers
}
