package swift

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
	"github.com/docent-mcp/docent/internal/prose"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
	"github.com/docent-mcp/docent/internal/skill"
)

// finder answers one query.
type finder struct {
	sw       *Swift
	ask      question
	project  *swiftpm.Project   // nil if there is none
	manifest *manifest.Manifest // the project's manifest, or nil if it does not have one
	seen     *fingerprint.Fingerprint
	closers  []io.Closer
	warnings []string
	tried    []string
	choice   *ecosystem.MissingRelease // the release that the project chose

	listed     bool
	candidates []*candidate
	checkouts  []*candidate // those that are checked out and whose names may be missing
}

// Find implements ecosystem.Language. q.Package is a package ("swift-nio",
// "apple/swift-nio", a URL, "mona.List"), a module ("NIOCore",
// "swift-nio/NIOCore") or a directory.
func (sw *Swift) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	ask, err := parseQuestion(q)
	if err != nil {
		return nil, err
	}
	f, err := sw.newFinder(ctx, ask)
	if err != nil {
		return nil, err
	}
	s := ecosystem.Steps[*located]{Find: f.find, Key: f.key, Read: f.read, Skills: f.skills, File: f.file, Finish: f.finish, Close: f.close, Fingerprint: f.seen, Missing: f.projectRelease}
	return s.Found(ctx)
}

func (sw *Swift) newFinder(ctx context.Context, ask question) (*finder, error) {
	f := &finder{sw: sw, ask: ask, seen: &fingerprint.Fingerprint{}}
	if ask.project == "" {
		return f, nil
	}
	p, err := sw.project(ctx, ask.project)
	if errors.Is(err, project.ErrNone) {
		return f, nil
	}
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the Swift project in %s cannot be read: %v", ask.project, quote.Error(err)).WithErr(err).
			WithNext("correct it, or omit the project")
	}
	f.project = p
	for file := range p.Files.Paths() {
		f.seen.Add(file)
	}
	f.warnings = append(f.warnings, p.Problems...)
	if p.Package {
		m, file, err := sw.manifestIn(p.Root, ask.manifestHost())
		if err != nil {
			f.warnings = append(f.warnings, fmt.Sprintf("The %s of %s cannot be read: %v.", cmp.Or(file, "Package.swift"), p.Name(), quote.Error(err)))
		}
		f.manifest = m
	}
	return f, nil
}

func (f *finder) close() {
	for _, c := range slices.Backward(f.closers) {
		c.Close()
	}
	f.closers = nil
}

// find locates the package.
func (f *finder) find(ctx context.Context) (*located, error) {
	if f.ask.dir != "" {
		return f.directory()
	}
	if f.project != nil {
		if l, err := f.inProject(ctx); l != nil || err != nil {
			return l, err
		}
	}
	if l, err := f.standard(); l != nil || err != nil {
		return l, err
	}
	return f.released(ctx)
}

// directory locates the package in the requested directory.
func (f *finder) directory() (*located, error) {
	dir := f.ask.dir
	f.seen.Add(dir)
	for _, above := range project.Upwards(dir) {
		if len(manifest.Names(rootfs.New(above))) == 0 {
			continue
		}
		l := &located{identity: swiftpm.Identity(above), dir: above, inProject: true}
		l.provenance = apidoc.Provenance{Source: "workspace", Location: above, ChosenBy: "the requested directory", Integrity: "not verified: the files are your own"}
		if l.tag = f.tagOf(above); l.tag != "" {
			l.provenance.ChosenBy = "tag " + l.tag + ", which is checked out in the requested directory"
		}
		return l, nil
	}
	return nil, ecosystem.Fail(ecosystem.NotFound, "%s does not contain a Swift package", dir).WithNext("specify the directory of a package, which contains a Package.swift")
}

// key returns the key under which the documentation is cached. It identifies everything that the
// documentation depends on, except for files. The key is "" if the documentation must not be
// cached.
func (f *finder) key(l *located) string {
	if l.inProject {
		return "" // Users edit their own code between queries, so it is not cached.
	}
	parts := []string{
		l.provenance.Source, l.identity, l.version, cmp.Or(l.key, l.provenance.Location), l.module, f.ask.platform, f.ask.arch, strings.Join(l.traits, ","), fmt.Sprint(l.traits == nil), strings.Join(f.ask.traits, ","),
	}
	if f.ask.index {
		parts = append(parts, "index", f.prefix(l))
	}
	return strings.Join(parts, "\x00")
}

// layout lists the places where packages keep their documentation.
var layout = prose.Layout{
	Code: map[string]string{".swift": "swift", ".sh": "sh"}, Examples: []string{"Snippets"}, Imported: []string{"Sources", "Source", "Tests"},
}

// read reads a package that was found.
func (f *finder) read(ctx context.Context, l *located) (*apidoc.Package, error) {
	if err := f.open(ctx, l); err != nil {
		return nil, ecosystem.AsError(err)
	}
	if err := f.addTraits(l); err != nil {
		return nil, err
	}
	p := f.source(l)
	targets := p.Targets
	if f.ask.index {
		return f.index(ctx, l, p)
	}
	if err := f.checkModule(l, p.Module, targets); err != nil {
		return nil, err
	}
	p.Import = func(name string) *module.Package { return f.imported(ctx, name) }
	var out *apidoc.Package
	if len(offeredModules(targets)) == 0 {
		out = f.withoutModules(l)
	} else {
		var err error
		if out, err = module.Read(ctx, p); err != nil {
			return nil, ecosystem.AsError(err)
		}
	}
	f.describe(l, out)
	if l.module == "" {
		sections, notes := prose.Read(ctx, l.files, layout)
		out.Sections, out.Omissions = append(sections, out.Sections...), append(out.Omissions, notes...)
	}
	return out, nil
}

// skills returns the skills that a package ships.
func (f *finder) skills(ctx context.Context, l *located) ([]skill.Skill, error) {
	if err := f.open(ctx, l); err != nil {
		return nil, ecosystem.AsError(err)
	}
	return skill.Find(ctx, l.files, "."), nil
}

// file returns the text of a file of a located package.
func (f *finder) file(ctx context.Context, l *located, name string) ([]byte, error) {
	if err := f.open(ctx, l); err != nil {
		return nil, ecosystem.AsError(err)
	}
	return project.ReadFS(l.files, name, ecosystem.MaxSourceFile)
}

// index returns the names of all modules of a package. Each module has the name
// that nameModules assigns to it.
func (f *finder) index(ctx context.Context, l *located, p module.Package) (*apidoc.Package, error) {
	if len(offeredModules(p.Targets)) < 2 {
		return &apidoc.Package{Name: l.identity, Version: l.version, Symbols: []apidoc.Symbol{}}, nil // If there is one module, its documentation contains all names.
	}
	out, err := module.Index(ctx, p)
	if err != nil {
		return nil, ecosystem.AsError(err)
	}
	for i := range out.Symbols {
		out.Symbols[i].Path = f.prefix(l) + "/" + out.Symbols[i].Path
	}
	return out, nil
}

// source returns the input of the module reader for an open package.
func (f *finder) source(l *located) module.Package {
	targets := f.targetsOf(l)
	return module.Package{
		Root: l.files, Name: l.identity, Version: l.version, Module: f.moduleNamed(l, targets), Targets: targets,
		Platform: f.ask.platform + "/" + f.ask.arch, Traits: l.enabledTraits(), Own: l.inProject && !l.byPath,
	}
}

// imported returns the package of the project that offers a module, or nil if
// its sources are not in a directory on this machine.
func (f *finder) imported(ctx context.Context, name string) *module.Package {
	for _, c := range f.list() {
		if !offers(f.manifestOf(c), name, true) {
			continue
		}
		l, err := f.locate(ctx, c)
		if err != nil || l.dir == "" || f.open(ctx, l) != nil {
			return nil
		}
		l.module = name
		p := f.source(l)
		return &p
	}
	return nil
}

// describe sets the fields that the module reader does not know.
func (f *finder) describe(l *located, out *apidoc.Package) {
	out.Name = cmp.Or(out.Name, l.identity)
	out.Module, out.Version = l.identity, l.version
	out.Platform = f.ask.platform + "/" + f.ask.arch
	out.LocalName = cmp.Or(out.LocalName, out.Name)
	if strings.HasPrefix(l.location, "https://") {
		out.Repository = l.location
	}
	out.Synopsis = cmp.Or(out.Synopsis, markup.Synopsis(out.Doc))
	if l.manifest != nil {
		out.Warnings = append(out.Warnings, l.manifest.Warnings...)
		if len(l.manifest.Traits) > 0 {
			out.Options = append(out.Options, traitsOf(l))
		}
	}
}

// enabledTraits returns the traits that are enabled.
func (l *located) enabledTraits() []string {
	if l.manifest == nil {
		return nil
	}
	return l.manifest.EnabledTraits(l.traits)
}

// allTraits represents all traits of a package in a query.
const allTraits = "all"

// addTraits enables the additional traits in the query.
func (f *finder) addTraits(l *located) error {
	if len(f.ask.traits) == 0 {
		return nil
	}
	var names []string
	if l.manifest != nil {
		for _, t := range l.manifest.Traits {
			names = append(names, t.Name)
		}
	}
	requests := f.ask.traits
	if slices.Contains(requests, allTraits) && !slices.Contains(names, allTraits) {
		requests = names
	}
	for _, name := range requests {
		if !slices.Contains(names, name) {
			return ecosystem.Fail(ecosystem.Invalid, "%s %s has no trait %.100q", l.identity, l.version, name).WithNext("it has the traits %s", quote.List(names, maxNamed))
		}
	}
	l.traitsBy = "by default and by request"
	if l.traits != nil {
		l.traitsBy = "by the project and by request"
	}
	l.traits = slices.Concat(l.enabledTraits(), requests)
	return nil
}

// maxNamed is the maximum number of names that advice lists.
const maxNamed = 12

// traitsOf returns advice that lists the enabled traits.
func traitsOf(l *located) string {
	var on, off []string
	enabled := l.enabledTraits()
	for _, t := range l.manifest.Traits {
		if slices.Contains(enabled, t.Name) {
			on = append(on, t.Name)
		} else {
			off = append(off, t.Name)
		}
	}
	by := "by default"
	switch {
	case l.traitsBy != "":
		by = l.traitsBy
	case l.traits != nil:
		by = "by the project"
	}
	text := "Enabled traits (" + by + "): " + quote.List(on, maxNamed) + "."
	if len(off) > 0 {
		text += " Disabled: " + quote.List(off, maxNamed) + "."
	}
	return text
}

// targetsOf returns the modules of a package.
func (f *finder) targetsOf(l *located) []module.Target {
	if l.interfaceFile != "" {
		return []module.Target{{Name: l.identity, Dir: ".", Files: []string{l.interfaceFile}, Products: []string{l.identity}}}
	}
	if l.pod {
		return podTargets(l)
	}
	return f.modulesOf(l)
}

// offeredModules returns the names of the modules that are part of a product.
func offeredModules(targets []module.Target) []string {
	var names []string
	for _, t := range targets {
		if len(t.Products) > 0 {
			names = append(names, cmp.Or(t.C99Name, t.Name))
		}
	}
	return names
}

// moduleNamed returns the name of the requested module, which may be given as
// the name of a module, a target or a product. "" means the main module.
func (f *finder) moduleNamed(l *located, targets []module.Target) string {
	if l.module == "" {
		return ""
	}
	for _, fits := range []func(t *module.Target) bool{
		func(t *module.Target) bool { return t.Name == l.module || t.C99Name == l.module },
		func(t *module.Target) bool { return slices.Contains(t.Products, l.module) },
		func(t *module.Target) bool { return strings.EqualFold(t.Name, l.module) },
	} {
		for i := range targets {
			if fits(&targets[i]) {
				return targets[i].Name
			}
		}
	}
	return l.module
}

// checkModule returns an error if the package does not have the requested module.
func (f *finder) checkModule(l *located, name string, targets []module.Target) error {
	if name == "" || slices.ContainsFunc(targets, func(t module.Target) bool { return t.Name == name }) {
		return nil
	}
	if l.files != nil && mayDeclare(l.files, l.module) {
		return ecosystem.Fail(ecosystem.Unreadable, "whether %s has the module %s depends on the code of its Package.swift, which docent does not run", l.where(), l.module).
			WithNext("describe %s to see its other modules", l.identity)
	}
	return ecosystem.Fail(ecosystem.NotFound, "%s has no module %s", l.where(), l.module).WithNear(offeredModules(targets)...).
		WithNext("describe %s to see its modules", l.identity)
}

// withoutModules returns the documentation of a package that does not offer a
// module with sources.
func (f *finder) withoutModules(l *located) *apidoc.Package {
	out := &apidoc.Package{Symbols: []apidoc.Symbol{}}
	var programs, binaries, plugins []string
	for _, p := range l.manifest.Products {
		switch p.Kind {
		case "executable":
			programs = append(programs, p.Name)
		case "plugin":
			plugins = append(plugins, p.Name)
		}
	}
	for _, t := range l.manifest.Targets {
		switch t.Kind {
		case "binaryTarget":
			binaries = append(binaries, t.Name)
		case "executableTarget":
			if !slices.Contains(programs, t.Name) {
				programs = append(programs, t.Name)
			}
		}
	}
	lines := []string{"The package does not contain a library with sources."}
	for _, list := range []struct {
		what  string
		names []string
	}{{"Programs", programs}, {"Plugins", plugins}, {"Libraries without sources", binaries}} {
		if len(list.names) > 0 {
			lines = append(lines, list.what+": "+quote.List(list.names, maxNamed)+".")
		}
	}
	out.Command = len(binaries) == 0
	out.Warnings = append(out.Warnings, strings.Join(lines, " "))
	return out
}

// finish sets the fields that depend on the query.
func (f *finder) finish(p *apidoc.Package, l *located) {
	p.Provenance = l.provenance
	p.Advice = append(slices.Clone(p.Advice), f.warnings...)
	if l.inProject {
		p.Version = l.tag
	}
	if len(p.Subpackages) > 0 {
		f.nameModules(p, l)
	}
}

// nameModules gives each module of a package with several modules a name that
// can be used in a query, such as "swift-nio/NIOCore".
func (f *finder) nameModules(p *apidoc.Package, l *located) {
	prefix := f.prefix(l)
	named := func(name string) string { return prefix + "/" + name[strings.LastIndexByte(name, '/')+1:] }
	p.Name, p.Module = named(p.Name), prefix
	if p.Above != "" {
		p.Above = named(p.Above)
	}
	p.Subpackages = slices.Clone(p.Subpackages)
	for i := range p.Subpackages {
		p.Subpackages[i].Name = named(p.Subpackages[i].Name)
	}
}

// prefix returns the beginning of a query for a module of the package.
func (f *finder) prefix(l *located) string {
	switch {
	case f.project != nil && f.known(l.identity):
		return l.identity
	case l.location != "":
		if owner, repository, ok := ownerOf(l.location); ok {
			return owner + "/" + repository
		}
		return strings.TrimSuffix(strings.TrimPrefix(l.location, "https://"), ".git")
	case f.ask.dir != "":
		return l.identity
	}
	return l.identity
}

// isPackage reports whether a directory contains a Package.swift.
func isPackage(files fs.FS) bool {
	if _, err := fs.Stat(files, "Package.swift"); err == nil {
		return true // usually, so the directory need not be listed
	}
	return len(manifest.Names(files)) > 0
}
