package rust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/spelling"
)

var _ ecosystem.TypeChecker = (*Rust)(nil)

// typeChecker finds the members of values that do not exist.
type typeChecker struct {
	library *library
	// missing are the names, in code, of the dependencies that are not on this machine.
	missing map[string]bool
	// partial is the reason why only imports are checked, or "".
	partial string
	// unstable is true if the standard library may have members that its outline does not contain.
	unstable bool
	// noStandard is true if neither the sources of the standard library on this machine nor its outline tell which members it has.
	noStandard bool
	// outlined is true if the outline alone tells which members it has.
	outlined bool
	// stable is true if the compiler certainly rejects the features of Rust that are unstable.
	stable    bool
	toolchain sysroot

	mu      sync.Mutex // held while types are resolved
	finder  *finder
	program *crate.Program                // nil until it is needed
	roots   map[string]*crate.Source      // by the absolute path of the root file
	parsed  map[string]*crate.ParsedFiles // the files of the project's packages, by their directories
	edited  map[string]string             // the text of files that differ from those on this machine, by absolute path
	// modified are the edited files that declare something else than the files on this machine.
	modified []string
	// stale is true if program contains crates of the project that declare something else now.
	stale bool
	// declaring contains the results of rootsIn, by the absolute path of the directory.
	declaring map[string]map[string][]string
}

// Types implements ecosystem.TypeChecker. If the sources of a crate that the project uses are not on this
// machine, the types are those of imports alone.
func (rs *Rust) Types(ctx context.Context, dir string) (ecosystem.Types, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, ecosystem.AsError(err)
	}
	if c := rs.retained.take(ctx, dir); c != nil {
		return c, nil
	}
	f, err := rs.localProject(dir)
	switch {
	case errors.Is(err, project.ErrNone):
		return nil, ecosystem.AsError(err)
	case err != nil:
		return nil, err // a manifest or Cargo.lock is damaged or too large
	}
	c := &typeChecker{
		missing: map[string]bool{}, finder: f, parsed: map[string]*crate.ParsedFiles{}, edited: map[string]string{}, toolchain: rs.sysrootFor(dir),
		library: &library{ctx: ctx, cache: rs.options.Cache, names: map[string]bool{}},
	}
	if std, err := f.standard("std"); err == nil {
		w := &words{mark: standardMark(std.dir)}
		f.seen.Add(w.mark)
		for _, name := range standardCrates {
			w.dirs = append(w.dirs, filepath.Join(std.dir, name, "src"))
		}
		w.dirs = slices.DeleteFunc(w.dirs, func(dir string) bool { return !project.IsDir(dir) })
		c.library.packages = append(c.library.packages, w)
		installed, _, _ := strings.Cut(std.version, " ")
		outline, _ := cargo.ParseVersion(crate.StandardVersion())
		v, err := cargo.ParseVersion(installed)
		c.unstable = err == nil && v.Compare(outline) > 0
		c.stable = err == nil && !strings.Contains(installed, "-")
	} else if f.seen.Add(channelManifest(c.toolchain.dir)); isOutlined(c.toolchain.version()) {
		c.outlined, c.stable = true, true
		c.library.packages = append(c.library.packages, outlineWords())
	} else {
		c.unstable, c.noStandard = true, true
	}
	var group sync.WaitGroup
	group.Go(c.newProgram) // it reads the outline of the standard library
	f.addWords(c)
	group.Wait()
	if c.partial != "" {
		return c, &ecosystem.PartialError{Reason: c.partial}
	}
	return c, nil
}

// isOutlined reports whether programs for a version of the toolchain can use no member of the standard library that its outline does
// not contain. Those for nightly toolchains can.
func isOutlined(version string) bool {
	outline, _ := cargo.ParseVersion(crate.StandardVersion())
	v, err := cargo.ParseVersion(version)
	return err == nil && !strings.Contains(version, "-") && v.Compare(outline) <= 0
}

// newProgram drops what has been read of the crates.
func (c *typeChecker) newProgram() {
	importer := c.finder.importer(func() context.Context { return c.library.ctx })
	c.roots = map[string]*crate.Source{}
	c.program = crate.NewProgram(c.library.ctx, func(from *crate.Source, name string) (*crate.Source, error) {
		if isStandard(name) { // it takes long to read, and most of its types have parameters
			return nil, fs.ErrNotExist
		}
		src, err := importer(from, name)
		if c.inProject(src) {
			src.FS, src.Parsed = c.filesOf(c.finder.sources[src]), c.parsedIn(src.Dir)
			src.Features = c.features(src, c.finder.sources[src].manifest)
		}
		return src, err
	})
	c.stale = false
}

func (c *typeChecker) inProject(src *crate.Source) bool {
	l := c.finder.sources[src]
	return l != nil && l.inProject
}

// parsedIn returns the parsed files of the package in a directory.
func (c *typeChecker) parsedIn(dir string) *crate.ParsedFiles {
	if c.parsed[dir] == nil {
		c.parsed[dir] = &crate.ParsedFiles{}
	}
	return c.parsed[dir]
}

// changed drops a file of the project that declares something else now.
func (c *typeChecker) changed(file string) {
	c.stale = true
	for dir, files := range c.parsed {
		if name, err := filepath.Rel(dir, file); err == nil {
			files.Drop(filepath.ToSlash(name))
		}
	}
}

// readChanged prepares the program for a check: it drops the project's crates if one of their files has changed.
func (c *typeChecker) readChanged() {
	switch {
	case c.program == nil:
		c.newProgram()
	case c.stale:
		c.program.Drop(c.inProject)
		c.stale = false
	default:
		return
	}
	for _, src := range c.roots {
		if src != nil {
			l := c.finder.sources[src]
			src.FS = c.filesOf(l)
			src.Features = c.features(src, l.manifest) // they depend on the attributes of the root file
		}
	}
}

// filesOf returns the directory of a package of the project, with the edited files.
func (c *typeChecker) filesOf(l *located) fs.FS {
	if len(c.edited) == 0 {
		return l.files
	}
	return editedFS{l.files, l.dir, c.edited}
}

// isEdited reports whether a file differs from the one on this machine.
func isEdited(f *ecosystem.SourceFile) bool {
	data, err := project.ReadFile(pathOf(f), maxWordFile)
	return err != nil || !bytes.Equal(data, f.Text)
}

func pathOf(f *ecosystem.SourceFile) string { return filepath.Join(f.Dir, filepath.FromSlash(f.Name)) }

// edit replaces files on this machine by those that are edited. It reports whether these may declare a name.
func (c *typeChecker) edit(files []*ecosystem.SourceFile, edited []bool) (declares func(name string) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var texts []string
	for i, f := range files {
		if !edited[i] {
			continue
		}
		full, text := pathOf(f), string(f.Text)
		texts, c.edited[full], c.declaring = append(texts, text), text, nil
		if !slices.ContainsFunc(c.library.packages, func(w *words) bool { return w.sameOutline(full, text) }) {
			c.modified = append(c.modified, full)
			c.changed(full)
		}
	}
	c.readChanged()
	return func(name string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return hasWord(text, name) })
	}
}

// hasWord reports whether a file may declare a name.
func hasWord(text, word string) (found bool) {
	if strings.Contains(text, word) {
		eachDeclared(text, func(w string) { found = found || w == word })
	}
	return found
}

// editedFS is the directory of a package in which some files are edited.
type editedFS struct {
	fs.FS
	dir    string
	edited map[string]string // by absolute path
}

// ReadText returns the text of a file.
func (e editedFS) ReadText(name string) (string, error) {
	if text, ok := e.edited[filepath.Join(e.dir, filepath.FromSlash(name))]; ok {
		return text, nil
	}
	if texts, ok := e.FS.(interface {
		ReadText(name string) (string, error)
	}); ok {
		return texts.ReadText(name)
	}
	data, err := fs.ReadFile(e.FS, name)
	return string(data), err
}

// importsAlone begins the reason why only imports are checked. Any crate may declare a trait with a method.
const importsAlone = "members of values and calls are not checked, because "

// addWords adds the packages of a project: its members, their dependencies, and the dependencies
// of these.
func (f *finder) addWords(c *typeChecker) {
	lock := f.project.Lock
	if lock == nil {
		lock = cargo.LockOf(f.project.Members)
		p := *f.project
		f.project, p.Lock = &p, lock
	}
	if lock == nil {
		c.partial = importsAlone + "the project has no Cargo.lock, so the versions of its dependencies are not known; run cargo generate-lockfile"
		for _, m := range f.project.Members {
			for i := range m.Manifest.Dependencies {
				c.missing[m.Manifest.Dependencies[i].ExternName()] = true
			}
		}
		return
	}
	features := f.resolve()
	seen := map[int]bool{}
	var members, required, others []int
	for _, m := range f.project.Members {
		if i := f.lockIndex(m); i >= 0 {
			seen[i] = true
			members = append(members, i)
		}
	}
	for next := members; len(next) > 0; {
		required = append(required, next...)
		var below []int
		for _, i := range next {
			for _, to := range slices.Sorted(slices.Values(features.Requires(i))) {
				if to = lock.Replaced(to); !seen[to] {
					seen[to] = true
					below = append(below, to)
				}
			}
		}
		next = below
	}
	// A build may enable any feature.
	f.features = cargo.ResolveFeatures(lock, members, f.manifestOf, f.target, f.project.Resolver(), true)
	for i := range lock.Packages { // packages for other features and platforms, if they are on this machine
		if !seen[i] {
			others = append(others, i)
		}
	}
	var absent []string
	for n, i := range slices.Concat(required, others) {
		dir := f.sourceDir(i)
		if dir == "" {
			if n < len(required) {
				absent = append(absent, lock.Packages[i].Name)
			}
			continue
		}
		m := f.manifestOf(i)
		macro := m != nil && m.Lib.ProcMacro && !formsNoNames[lock.Packages[i].Name]
		w := &words{dirs: []string{dir}, macro: macro, mark: markOf(dir)}
		if m != nil {
			w.build = filepath.Join(dir, filepath.FromSlash(m.Build))
		}
		if w.mark == "" {
			w.seen = f.seen
		} else {
			f.seen.Add(w.mark)
		}
		c.library.packages = append(c.library.packages, w)
	}
	if len(absent) > 0 {
		c.partial = importsAlone + "these packages are not on this machine: " + quote.List(absent, 3) + "; run cargo fetch"
	}
	for _, i := range members {
		dependencies := f.manifestOf(i).Dependencies // resolve has stored the manifest
		for k := range dependencies {
			d := &dependencies[k]
			if d.Kind == cargo.Build && d.Package == "bindgen" && c.partial == "" {
				c.partial = importsAlone + "bindgen takes names from headers, which may be anywhere on this machine"
			}
			if to := lock.DependencyOf(i, d); to < 0 || f.sourceDir(to) == "" {
				c.missing[d.ExternName()] = true
			}
		}
	}
}

// sourceDir returns the directory of a locked package, or "" if it is not unpacked on this machine.
func (f *finder) sourceDir(i int) string {
	p := &f.project.Lock.Packages[i]
	if dir := f.localDir(p); dir != "" {
		return dir
	}
	if s, ok := f.config.SourceOf(p.Source); ok {
		if where, ok := f.placeOf(s, p.Name, p.Version); ok {
			return where.dir
		}
	}
	return ""
}

// formsNoNames are packages with procedural macros that do not form names of members from other
// names.
var formsNoNames = map[string]bool{
	"serde_derive": true, "thiserror-impl": true, "tokio-macros": true, "async-trait": true, "pin-project-internal": true, "tracing-attributes": true, "futures-macro": true,
	"zerocopy-derive": true, "clap_derive": true, "async-stream-impl": true, "displaydoc": true, "zerovec-derive": true, "yoke-derive": true, "zerofrom-derive": true, "rustversion": true,
}

// Uses implements ecosystem.Types.
func (c *typeChecker) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	uses := map[*ecosystem.SourceFile][]ecosystem.TypedUse{}
	readers, edited := make([]*usesReader, len(files)), make([]bool, len(files))
	if parallel.Limit(c.library.ctx, len(files), 0, nil, func(i int) {
		edited[i] = isEdited(files[i])
		readers[i] = newUsesReader(files[i], &c.finder.rs.modules, &c.finder.rs.roots)
		readers[i].locals()
		readers[i].manifests(&c.finder.rs.required)
		readers[i].read()
	}) != nil {
		return uses
	}
	declares := c.edit(files, edited)
	foreign := make([]bool, len(files)) // whether values in the file may have types of a crate that is not known
	for i, f := range files {
		r := readers[i]
		foreign[i] = slices.ContainsFunc(r.foreign, func(name string) bool { return !c.knows(f, name) }) ||
			len(c.missing) > 0 && slices.ContainsFunc(r.tokens, func(t token) bool { return c.missing[r.text[t.start:t.end]] })
	}
	for i, f := range files {
		r := readers[i]
		readers[i] = nil // no other file needs it
		vague := c.partial != "" || foreign[i] || slices.Contains(foreign, true) && slices.ContainsFunc(r.globbed, func(name string) bool { return c.mayImportFrom(r, name) })
		faults := map[int]bool{} // tokens of members with a finding
		known := len(r.foreign)
		uses[f] = c.typed(f, r, faults, vague)
		if vague || len(r.foreign) > known {
			continue
		}
		for _, i := range r.members {
			name := strings.TrimPrefix(r.at(i), "r#")
			if !faults[i] && !c.noStandard && !(c.outlined && (r.otherPlatform() || r.unstable)) && !c.library.has(name) && !declares(name) {
				uses[f] = append(uses[f], ecosystem.TypedUse{
					Use:   ecosystem.Use{Position: r.position(i), Path: name, Text: "." + name},
					Fault: ecosystem.AbsentFault, Message: "neither the project nor a crate that it uses declares a member " + name,
				})
			}
		}
	}
	return uses
}

// mayImportFrom reports whether a path in a file that begins with a name may lead to the project's own code.
func (c *typeChecker) mayImportFrom(r *usesReader, name string) bool {
	if isStdCrate(name) {
		return false
	}
	return !r.crates[name] || r.isOwn(name) || slices.ContainsFunc(c.finder.project.Members, func(m *cargo.Member) bool {
		return m.Manifest.Lib.Name == name || slices.ContainsFunc(m.Manifest.Dependencies, func(d cargo.Dependency) bool { return d.ExternName() == name && d.Path != "" })
	})
}

// knows reports whether a path in a file may begin with a name: that of the library that belongs to the file, that of a
// dependency's library, or that of a module, which a glob may import.
func (c *typeChecker) knows(f *ecosystem.SourceFile, name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	file := pathOf(f)
	if m := c.member(file); m != nil && m.Manifest.Lib.Name == name {
		return true
	}
	scope := c.scope(file)
	return scope != nil && scope.HasModule(name)
}

// typed returns the members that the types of values in a file do not have, and imported names that do not exist. It adds their
// tokens to faults. If onlyImports is true, it does not look at values.
func (c *typeChecker) typed(f *ecosystem.SourceFile, r *usesReader, faults map[int]bool, onlyImports bool) (uses []ecosystem.TypedUse) {
	c.mu.Lock()
	defer c.mu.Unlock()
	full := pathOf(f)
	scope := c.scope(full)
	if scope == nil {
		return nil
	}
	r.unstable = scope.EnablesUnstable(c.stable)
	v := &valueReader{usesReader: r, program: c.program, scope: scope, onlyImports: onlyImports, missing: len(c.missing) > 0}
	add := func(i int, u ecosystem.TypedUse) {
		if !faults[i] {
			faults[i] = true
			u.Position, u.Text = r.position(i), u.Path
			uses = append(uses, u)
		}
	}
	// clearCommand removes the name of a command, which has no documentation, from a use. It reports whether there was one.
	clearCommand := func(u *ecosystem.TypedUse) bool {
		if u.Package != commandCrate && !strings.HasPrefix(u.Package, commandCrate+"::") {
			return false
		}
		u.Package = ""
		return true
	}
	v.member = func(i int, m crate.Member) {
		name := strings.TrimPrefix(r.at(i), "r#")
		if c.exempt(r, m, name) {
			return
		}
		u := ecosystem.TypedUse{Fault: ecosystem.AbsentFault, Near: spelling.Near(slices.Values(m.Names()), name)}
		if m.Private {
			u.Fault = ecosystem.UnexportedFault
		}
		u.Package, u.Path = m.Path(name)
		if clearCommand(&u) && u.Fault == ecosystem.AbsentFault {
			owner, _ := crate.CutLast(u.Path)
			u.Message = fmt.Sprintf("%s has no %s", owner, name)
		}
		add(i, u)
	}
	present := map[int]bool{}
	v.present = func(i int, src *crate.Source) {
		if src.Name != commandCrate && !c.inProject(src) {
			present[i] = true
		}
	}
	v.crate = func(i int) {
		name := r.at(i)
		if m := c.member(full); m != nil && m.Manifest.Lib.Name == name {
			return
		}
		near := spelling.Near(maps.Keys(r.crates), name)
		add(i, ecosystem.TypedUse{Use: ecosystem.Use{Path: name}, Fault: ecosystem.AbsentFault, Near: near, Message: undeclaredName(name, near)})
		r.foreign = append(r.foreign, name) // values may have its types
	}
	v.fault = func(i int, fault ecosystem.Fault, owner item, message string) {
		u := ecosystem.TypedUse{Fault: fault, Message: message}
		u.Package, u.Path = owner.Path()
		clearCommand(&u)
		if fault == ecosystem.FieldsFault {
			u.Fields, u.Message = []ecosystem.Field{{Name: message, Position: r.position(i)}}, ""
			if l, ok := owner.(*crate.Literal); ok {
				u.Near = spelling.Near(slices.Values(l.Names()), message)
			}
		}
		add(i, u)
	}
	v.items(0, len(r.tokens), scope, 0)
	v.scope = scope
	for _, i := range r.heads { // paths in types, among others; without globs, all modules of the file see the same crates
		if name := r.at(i); !r.globs && v.isUndeclaredName(name) {
			v.crate(i)
		}
	}
	reported := map[ecosystem.Position]bool{}
	for i := range uses {
		reported[uses[i].Position] = true
	}
	counted := maps.Clone(reported)
	for i := range r.uses {
		counted[r.uses[i].Position] = true
	}
	uses = slices.Grow(uses, len(present))
	for _, i := range slices.Sorted(maps.Keys(present)) { // the names that packages declare
		if position := r.position(i); !counted[position] {
			uses = append(uses, ecosystem.TypedUse{Use: ecosystem.Use{Position: position, Text: r.at(i)}})
		}
	}
	for i := range r.uses { // paths in types, among others
		u := &r.uses[i]
		names := strings.Split(u.Package, "::")
		if u.Import || reported[u.Position] {
			continue
		}
		m, n := scope.AbsentItem(append(names, u.Path))
		if n == len(names) && !c.exempt(r, m, u.Path) {
			absent := ecosystem.TypedUse{Use: ecosystem.Use{Position: u.Position, Text: u.Path}, Fault: ecosystem.AbsentFault}
			absent.Package, absent.Path = m.Path(u.Path)
			uses = append(uses, absent)
		}
	}
	return uses
}

// exempt reports whether the standard library may have a member although its outline lacks it.
func (c *typeChecker) exempt(r *usesReader, m crate.Member, name string) bool {
	if !m.Standard() {
		return false
	}
	otherPlatform := c.outlined && r.otherPlatform()
	if m.IsItem() {
		module, _ := m.Path(name)
		otherPlatform = otherPlatform && strings.HasPrefix(module+"::", "std::os::")
	}
	return c.newer(name) || otherPlatform || r.unstable
}

// newer reports whether the installed standard library may declare a member that the outline does not contain.
func (c *typeChecker) newer(name string) bool {
	return c.unstable || !c.outlined && c.library.any(func(w *words) bool { return w == c.library.packages[0] && w.has(name) }) && !crate.IsStandard(name)
}

// member returns the member of the project to which a file belongs, or nil if there is none.
func (c *typeChecker) member(file string) (m *cargo.Member) {
	for _, other := range c.finder.project.Members {
		if rel, err := filepath.Rel(other.Dir, file); err == nil && filepath.IsLocal(rel) && (m == nil || len(other.Dir) > len(m.Dir)) {
			m = other
		}
	}
	return m
}

// scope returns the scope of the items in a file of the project, or nil if it belongs to no crate of the
// project.
func (c *typeChecker) scope(file string) *crate.Scope {
	m := c.member(file)
	if m == nil {
		return nil
	}
	rel, err := filepath.Rel(m.Dir, file)
	if err != nil {
		return nil
	}
	rel = filepath.ToSlash(rel)
	roots := []string{m.Manifest.Lib.Path, "src/main.rs"}
	parts := strings.Split(rel, "/")
	ownCrate := parts[0] == "tests" || parts[0] == "examples" || parts[0] == "benches" || len(parts) > 2 && parts[1] == "bin"
	if ownCrate {
		roots = nil
	}
	for _, root := range m.Manifest.Roots {
		if root == rel {
			roots = []string{rel}
			break
		}
		if dir := path.Dir(root); dir == "." || strings.HasPrefix(rel, dir+"/") {
			roots = append(roots, root)
		}
	}
	if ownCrate {
		if len(parts) == 2 || parts[0] == "src" && len(parts) == 3 { // other files are modules
			roots = append(roots, rel)
		}
		if len(parts) > 2 {
			roots = append(roots, path.Join(parts[0], parts[1], "main.rs"), path.Join(parts[0], parts[1], parts[2], "main.rs"))
			roots = append(roots, c.rootsIn(m, parts[0])[parts[1]]...)
		}
	}
	if rel == m.Manifest.Build {
		roots = []string{rel}
	}
	for _, root := range roots {
		if src := c.root(m, root); src != nil {
			if s := c.program.Scope(src, rel); s != nil {
				return s
			}
		}
	}
	return nil
}

// undeclaredName returns the message for the first name of a path that is declared nowhere. near are names like it.
func undeclaredName(name string, near []string) string {
	message := "neither a dependency in Cargo.toml nor an item in scope is named " + name
	if len(near) == 0 && strings.ToLower(name) == name { // not a type
		message += "; to add the crate, run cargo add " + name
	}
	return message
}

// commandCrate is the name of the crates of commands, tests and examples.
const commandCrate = "main"

// root returns the crate of a member with the given root file, or nil if there is none.
func (c *typeChecker) root(m *cargo.Member, file string) *crate.Source {
	full := filepath.Join(m.Dir, filepath.FromSlash(file))
	if src, ok := c.roots[full]; ok {
		return src
	}
	c.roots[full] = nil
	l := c.finder.member(m)
	if !project.IsFile(full) || l.locked < 0 && c.finder.project.Lock != nil || c.finder.open(c.library.ctx, l) != nil {
		return nil
	}
	src := c.finder.source(l)
	kind := cargo.Development // of the dependencies that tests have, too
	src.Test = true
	if file == m.Manifest.Build {
		kind = cargo.Build
		src.Test, src.Deps = false, map[string]string{}
	}
	src.FS, src.Parsed = c.filesOf(l), c.parsedIn(m.Dir)
	for i := range m.Manifest.Dependencies {
		switch d := &m.Manifest.Dependencies[i]; {
		case l.locked < 0: // the version is not known
			src.Deps[d.ExternName()] = dependencyOff
		case d.Kind == kind:
			if to := c.finder.project.Lock.DependencyOf(l.locked, d); to >= 0 {
				src.Deps[c.finder.externName(d, to)] = fmt.Sprintf("lock:%d", to)
			}
		}
	}
	if file != m.Manifest.Lib.Path {
		if kind != cargo.Build && l.locked >= 0 {
			src.Deps[l.library()] = fmt.Sprintf("lock:%d", l.locked)
		}
		src.Name, src.Lib = commandCrate, file
	}
	src.Features = c.features(src, l.manifest)
	c.roots[full] = src
	return src
}

// features returns the features of a package of the project that a build of one of its crates may enable.
func (c *typeChecker) features(src *crate.Source, m *cargo.Manifest) []string {
	if !c.stable {
		return src.Declared
	}
	unstable := crate.UnstableFeatures(src)
	for n := -1; n < len(unstable); { // features that enable these
		n = len(unstable)
		for name, enables := range m.Features {
			if !slices.Contains(unstable, name) && slices.ContainsFunc(enables, func(other string) bool { return slices.Contains(unstable, other) }) {
				unstable = append(unstable, name)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(src.Declared), func(name string) bool { return slices.Contains(unstable, name) })
}
