package python

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/skill"
)

// Find implements ecosystem.Language. q.Package may be a module ("requests",
// "requests.sessions"), a distribution ("PyYAML"), either with a version or
// specifier ("requests>=2.31"), or a directory of the project ("./libs/core").
func (py *Python) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	ask, err := parseQuestion(q)
	if err != nil {
		return nil, err
	}
	f, err := py.newFinder(ctx, ask)
	if err != nil {
		return nil, err
	}
	find := func(ctx context.Context) (*located, error) {
		l, err := f.find(ctx)
		return l, f.unsure(err)
	}
	read := func(ctx context.Context, l *located) (*apidoc.Package, error) {
		p, err := f.read(ctx, l)
		return p, f.unsure(err)
	}
	s := ecosystem.Steps[*located]{Find: find, Key: f.key, Read: read, Skills: f.skills, File: f.file, License: f.license, Finish: f.finish, Close: f.close, Fingerprint: f.seen, Missing: f.projectRelease}
	return s.Found(ctx)
}

// unsure records whether the module of a "not found" error may nevertheless exist. A module's name
// can differ from its distribution's, so only the project's installed or locked packages can show
// that no distribution contains it. Distributions of any name can contain modules of a namespace.
func (f *finder) unsure(err error) error {
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NotFound && !f.absent {
		top, _, _ := strings.Cut(f.ask.name, ".")
		failed.Unsure = failed.Unsure || f.project == nil || !f.knowsAll() || slices.Contains(namespaces, top) || f.isRequired(top)
	}
	return err
}

// isRequired reports whether a package that the project requires, but that is not installed, may contain a module, to judge by its
// name: PyHamcrest contains hamcrest.
func (f *finder) isRequired(module string) bool {
	short := strings.NewReplacer("-", "", "_", "", ".", "")
	module = short.Replace(strings.ToLower(module))
	for _, name := range slices.Concat(f.project.Manifest.Names(), f.project.RootManifest.Names()) {
		letters := short.Replace(name)
		if len(module) < 3 || letters == module || !strings.Contains(letters, module) && !strings.Contains(module, letters) {
			continue
		}
		if f.env == nil || !slices.ContainsFunc(f.env.site, func(dir string) bool { _, ok := f.py.site(dir).byName[name]; return ok }) {
			return true
		}
	}
	return false
}

// key identifies everything that the documentation depends on, apart from files. It returns "" if
// the documentation must not be cached.
func (f *finder) key(l *located) string {
	if l.inProject {
		return "" // Users edit their own code between queries, so it is not cached.
	}
	parts := []string{l.provenance.Source, l.dist, l.version, l.module, l.key, f.target.python, f.target.platform}
	if l.key == "" {
		parts = append(parts, l.provenance.Location)
	}
	if f.env != nil {
		parts = append(parts, f.env.prefix) // dependencies are looked up in the environment
	}
	if f.ask.index {
		parts = append(parts, "index")
	}
	return strings.Join(parts, "\x00")
}

// read reads a module that was found.
func (f *finder) read(ctx context.Context, l *located) (*apidoc.Package, error) {
	if err := f.opened(ctx, l); err != nil {
		return nil, err
	}
	if f.ask.index {
		out, err := modules.Index(ctx, l.source)
		if err != nil {
			return nil, err
		}
		out.Version = l.version // Documentation without a version is not cached.
		return out, nil
	}
	if err := f.compiled(l); err != nil {
		return nil, err
	}
	out, err := modules.Read(ctx, l.source, f.importer(ctx, l))
	sections, notes := f.prose(ctx, l)
	if failed, ok := err.(*ecosystem.Error); ok && failed.Reason == ecosystem.NoneExported && len(sections) > 0 { //nolint:errorlint // made there
		out, err = &apidoc.Package{Symbols: []apidoc.Symbol{}, Warnings: []string{failed.What}}, nil // A program without modules is described by its prose.
	}
	if err != nil {
		return nil, ecosystem.AsError(err)
	}
	out.Name, out.Version, out.Platform = l.module, l.version, f.target.platform
	out.LocalName = cmp.Or(out.LocalName, l.module[strings.LastIndexByte(l.module, '.')+1:])
	out.Module = cmp.Or(l.dist, l.module)
	if l.stdlib {
		out.Module = "standard library"
	}
	if out.Synopsis == "" || !strings.Contains(l.module, ".") && l.meta.Summary != "" {
		out.Synopsis = cmp.Or(l.meta.Summary, out.Synopsis)
	}
	out.Doc = cmp.Or(out.Doc, out.Synopsis)
	out.Above = outermost(l.source.Root, l.module)
	out.Sections, out.Omissions = append(out.Sections, sections...), append(out.Omissions, notes...)
	return out, nil
}

// skills returns the skills that a package ships. Packages within other packages have none.
func (f *finder) skills(ctx context.Context, l *located) ([]skill.Skill, error) {
	if l.stdlib || strings.Contains(l.module, ".") {
		return nil, nil
	}
	if err := f.opened(ctx, l); err != nil {
		return nil, err
	}
	return skill.Find(ctx, l.source.Root, l.module), nil
}

// file returns the text of a file of a module's distribution or its stubs.
func (f *finder) file(ctx context.Context, l *located, name string) ([]byte, error) {
	if err := f.opened(ctx, l); err != nil {
		return nil, err
	}
	data, err := project.ReadFS(l.source.Root, name, ecosystem.MaxSourceFile)
	if l.source.Stubs != nil && errors.Is(err, fs.ErrNotExist) {
		return project.ReadFS(l.source.Stubs, name, ecosystem.MaxSourceFile)
	}
	return data, err
}

// outermost returns the outermost regular package that contains a module. It
// returns "" if all packages above the module are namespaces.
func outermost(files fs.FS, module string) string {
	for i := range module {
		if module[i] != '.' {
			continue
		}
		dir := strings.ReplaceAll(module[:i], ".", "/")
		for _, name := range []string{"__init__.py", "__init__.pyi"} {
			if _, err := fs.Stat(files, dir+"/"+name); err == nil {
				return module[:i]
			}
		}
	}
	return ""
}

// finish sets the fields that depend on the query.
func (f *finder) finish(p *apidoc.Package, l *located) {
	p.Provenance = l.provenance
	p.Advice = slices.Clone(f.warnings)
	if l.deprecated != "" {
		p.Deprecated = oneLine(l.deprecated)
	}
	if l.inProject {
		p.Version = ""
	}
	for name := range adopted {
		if parentModule(name) == p.Name && !slices.ContainsFunc(p.Subpackages, func(sub apidoc.Subpackage) bool { return sub.Name == name }) {
			p.Subpackages = append(slices.Clone(p.Subpackages), apidoc.Subpackage{Name: name})
		}
	}
}

// newestAge is the time for which the choice of the newest release remains valid.
const newestAge = 24 * time.Hour
