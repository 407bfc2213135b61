package golang

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

// finder answers one query. It searches the nearest places first and records
// which places it has searched.
type finder struct {
	g       *Golang
	st      *settings
	ask     question
	project *gomod.Project // nil if there is no project
	tried   []string
	// local restricts the finder to this machine and allows internal packages. It
	// is set to find the imports of another package.
	local bool
	noGo  bool // whether there is no Go installation
	// asRelated is set while kin looks for a package under another path.
	asRelated bool
	// advice contains sentences about packages that the project uses instead of the requested one.
	advice []string
	// lacking is an opened module that does not contain the package. The error
	// lists the packages that it contains.
	lacking *godoc.Source
}

func (g *Golang) newFinder(ask question) (*finder, error) {
	f := &finder{g: g, st: g.settings.load(g.env), ask: ask}
	dir := ask.project
	if ask.dir != "" {
		dir = ask.dir // a directory belongs to the module that contains it
	}
	if dir == "" {
		return f, nil
	}
	p, err := g.projects.Load(dir, projectOptions(f.st))
	switch {
	case err == nil:
		f.project = p
	case errors.Is(err, project.ErrNone):
		if ask.dir == "" && f.toolchain().inStd(ask.path) {
			return f, nil // The standard library needs no project.
		}
		return nil, invalid("%s does not belong to a Go project", dir).WithErr(err).
			WithTried("go.mod and go.work in that directory and every directory above it").
			WithNext("specify a directory below a go.mod, or omit the project")
	case errors.Is(err, fs.ErrNotExist) && !project.IsDir(dir):
		next := "specify a directory below a go.mod, or omit the project"
		if ask.dir != "" {
			next = "specify the directory of a package, or its import path"
		}
		return nil, invalid("there is no directory %s", dir).WithErr(err).WithNext("%s", next)
	default:
		return nil, invalid("%s", err).WithErr(err).WithNext("correct the file, or omit the project")
	}
	return f, nil
}

// find searches one place after another until it finds the package.
func (f *finder) find(ctx context.Context) (*godoc.Source, error) {
	if f.ask.dir != "" {
		return f.directory()
	}
	places := []func(context.Context) (*godoc.Source, error){
		f.inStd, f.ownPackage, f.dependency, f.cached, f.remote,
	}
	for _, place := range places {
		src, err := place(ctx)
		if src != nil && f.project == nil && f.ask.version == "" && src.Module != "std" && src.Module != "cmd" {
			f.advise("%s", ecosystem.Unchosen)
		}
		if src != nil && len(f.advice) > 0 {
			src.Warnings = slices.Concat(f.advice, src.Warnings)
		}
		if src != nil || err != nil {
			return src, f.advised(err)
		}
	}
	return nil, f.advised(f.notFound(ctx))
}

// advised adds the advice to an error.
func (f *finder) advised(err error) error {
	if e, ok := errors.AsType[*ecosystem.Error](err); ok && len(f.advice) > 0 {
		e.Next = strings.Trim(strings.TrimSuffix(strings.Join(f.advice, " "), ".")+"; "+e.Next, "; ")
	}
	return err
}

// inStd finds packages of the standard library and the commands that come with
// Go.
func (f *finder) inStd(context.Context) (*godoc.Source, error) {
	if first, _, _ := strings.Cut(f.ask.path, "/"); strings.Contains(first, ".") {
		return nil, nil
	}
	tool, err := f.requestedToolchain()
	if err != nil {
		return nil, err
	}
	if !isGoroot(tool.root) {
		f.noGo = true
		f.tried = append(f.tried, "a Go installation in GOROOT or PATH")
		return nil, nil
	}
	if !tool.inStd(f.ask.path) {
		place := "standard library of " + tool.version
		if strings.Contains(tool.why, ";") {
			place += ", " + tool.why
		}
		f.tried = append(f.tried, place)
		return nil, nil
	}
	return tool.std(f.ask.path, f.local)
}

// dependency finds the package at the version that the project uses. Modules
// required in its go.mod files come before those known only from the module graph
// or go.sum.
func (f *finder) dependency(ctx context.Context) (*godoc.Source, error) {
	if f.project == nil || f.ask.version != "" {
		return nil, nil
	}
	if src := f.vendored(); src != nil {
		return src, f.refuseInternal(src)
	}
	if s, ok := f.project.ReplacedByDir(f.ask.path); ok {
		if src, err := f.inDirectory(s); src != nil || err != nil {
			return src, err
		}
	}
	related := f.local || f.asRelated
	for s := range f.project.Candidates(f.ask.path) {
		if !s.Listed && !related {
			related = true
			if src, err := f.kin(ctx); src != nil || err != nil {
				return src, err
			}
		}
		if src, err := f.candidate(ctx, s); src != nil || err != nil {
			if src != nil && !s.Direct && !f.local && !f.asRelated {
				f.adviseDirect()
			}
			if src != nil && !s.Listed && !f.local {
				f.adviseRequire(src, s)
			}
			return src, err
		}
	}
	if !related {
		return f.kin(ctx)
	}
	return nil, nil
}

// candidate opens the package in a module that may contain it.
func (f *finder) candidate(ctx context.Context, s gomod.Selection) (*godoc.Source, error) {
	if s.Dir() != "" {
		return f.inDirectory(s)
	}
	src, err := f.selected(ctx, s)
	if src != nil {
		f.adviseFork(s.Path, s.Actual, s.By)
	}
	return src, err
}

// selected opens the version of a module that the project uses. It downloads
// the module if necessary.
func (f *finder) selected(ctx context.Context, s gomod.Selection) (*godoc.Source, error) {
	m, err := f.openLocal(s.Actual)
	if err == nil && m == nil {
		f.tried = append(f.tried, "module cache: no "+s.Actual.String())
		if f.local || f.isPrivate(s.Path) {
			return nil, nil
		}
		m, err = f.download(ctx, s.Actual)
		if failed, ok := errors.AsType[*ecosystem.Error](err); ok {
			failed.Missing = &ecosystem.MissingRelease{Package: s.Actual.Path + strings.TrimPrefix(f.ask.path, s.Path), Version: s.Actual.Version, ChosenBy: s.By}
		}
	}
	if err != nil {
		return nil, err
	}
	return f.packageOf(m, s.Path, s.By)
}

// packageOf returns the package in an open module. modulePath is the module's
// path in imports, which differs from the path in its go.mod if the module
// replaces another. It returns nil if the module does not contain the package.
func (f *finder) packageOf(m *openModule, modulePath, chosenBy string) (*godoc.Source, error) {
	src := m.source(modulePath, f.ask.path)
	src.Provenance.ChosenBy = chosenBy
	if !hasGoFiles(src.FS, src.Dir) {
		f.lack(src)
		return nil, nil
	}
	if err := f.refuseInternal(src); err != nil {
		src.Close()
		return nil, err
	}
	src.Warnings = f.moduleWarnings(m.version)
	return src, nil
}

// lack records src for the error if the path of its module is the longest so far,
// because then the package most likely belongs to it.
func (f *finder) lack(src *godoc.Source) {
	place := strings.TrimSuffix(src.Module+"@"+src.Version, "@") + " in the " + src.Provenance.Source
	if !slices.Contains(f.tried, place) {
		f.tried = append(f.tried, place)
	}
	if f.lacking != nil {
		src.Close()
		return
	}
	f.lacking = src
}

// lacksRequired reports whether the go command would not find the package before the project
// requires another module: all modules that the project uses and that may contain it are on this
// machine, or dependency would have failed, and they lack it.
func (f *finder) lacksRequired() bool {
	if f.lacking == nil || f.project == nil || f.ask.version != "" || f.local || f.st.goflag("mod") == "mod" {
		return false
	}
	modulePath := f.lacking.Module
	if _, required := f.project.Required(modulePath); !required || !strings.HasPrefix(f.ask.path, modulePath+"/") {
		return false
	}
	if f.project.Root.WorkFile == "" && f.project.ListsAll() {
		return true
	}
	_, missing := f.project.Modules()
	return missing == 0
}

// refuseInternal returns an error for a package that only its own module can
// import.
func (f *finder) refuseInternal(src *godoc.Source) error {
	if src.Own || f.local || !slices.Contains(strings.Split(src.ImportPath, "/"), "internal") {
		return nil
	}
	return ecosystem.Fail(ecosystem.Refused, "%s is internal to %s and cannot be imported from outside", src.ImportPath, src.Module).
		WithNext("request a public package of the module")
}

// isPrivate reports whether a path must not be sent over the network because it
// belongs to the project itself or is replaced by a directory.
func (f *finder) isPrivate(path string) bool {
	if f.project == nil {
		return false
	}
	if _, _, ok := f.project.Owner(path); ok {
		return true
	}
	_, ok := f.project.ReplacedByDir(path)
	return ok
}

// notFound returns the error for a package that was not found.
func (f *finder) notFound(ctx context.Context) error {
	if f.lacking != nil {
		defer f.lacking.Close()
		return f.notInModule(ctx, f.lacking)
	}
	if f.ask.version != "" && f.isPrivate(f.ask.path) {
		return ecosystem.Fail(ecosystem.Refused, "%s belongs to the project itself, so docent does not look up version %s in a registry", f.ask.path, f.ask.version).
			WithTried(f.tried...).
			WithNext("omit the version to see the package as it is in the project")
	}
	e := ecosystem.Fail(ecosystem.NotFound, "there is no package %s", f.ask.path).WithTried(f.tried...)
	e.Near = nearest(f.ask.path, f.known())
	if f.noGo {
		e.Next = "if it belongs to the standard library, install Go or set GOROOT"
	} else if len(e.Near) > 0 {
		e.Next = "check the spelling of the import path"
	} else {
		e.Next = "specify the full import path, as in an import declaration"
	}
	return e
}

// notInModule returns the error for a package that is missing from its module.
func (f *finder) notInModule(ctx context.Context, src *godoc.Source) error {
	what := src.Module
	if src.Version != "" {
		what += "@" + src.Version
	}
	root := *src
	root.ImportPath, root.Dir = src.Module, "."
	all := packagesBelow(&root, 2000)
	if f.ask.path == src.Module {
		slices.SortStableFunc(all, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
		failed := ecosystem.Fail(ecosystem.NotFound, "%s has no package in its root directory", what).
			WithTried(src.Provenance.Source + " " + src.Provenance.Location).
			WithNear(all[:min(len(all), 2*maxNear)]...).
			WithNext("specify one of its packages")
		failed.Packages = godoc.Subpackages(ctx, &root)
		return failed
	}
	next := "request a package that the module contains, or another version"
	if f.networkOff(ctx) && f.lacksRequired() {
		what += " or another module that " + f.project.Name() + " requires"
		next += "; if another module contains it, go get adds it to go.mod"
	}
	return ecosystem.Fail(ecosystem.NotFound, "no package %s in %s", f.ask.path, what).
		WithTried(f.tried...).
		WithNear(nearestIn(src.Module, f.ask.path, all)...).
		WithNext("%s", next)
}

// known lists import paths that the user may have intended.
func (f *finder) known() []string {
	var names []string
	if first, _, _ := strings.Cut(f.ask.path, "/"); !strings.Contains(first, ".") {
		if tool := f.toolchain(); tool.root != "" {
			std := tool.open(".")
			std.ImportPath = ""
			names = packagesBelow(std, 2000)
		}
	}
	if f.project == nil {
		return names
	}
	for _, d := range f.project.Dependencies() {
		names = append(names, d.Name)
	}
	for _, m := range f.project.Mains {
		names = append(names, m.Path)
		if _, _, ok := f.project.Owner(f.ask.path); ok {
			names = append(names, packagesBelow(ownSource(m.Path, m.Dir, "."), 500)...)
		}
	}
	return names
}

// prefixes lists the module paths that may contain a package, longest first. If
// there is a version, the list contains only paths that fit its major version,
// with or without a go.mod file.
func prefixes(importPath, version string) []string {
	var paths []string
	for path := importPath; path != "."; path = parent(path) {
		if module.CheckPath(path) != nil {
			continue
		}
		if version != "" {
			_, major, ok := module.SplitPathVersion(path)
			if !ok || module.CheckPathMajor(version, major) != nil && module.CheckPathMajor(version+incompatible, major) != nil {
				continue
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// incompatible is the suffix of the versions v2 and higher of modules without a
// go.mod file.
const incompatible = "+incompatible"

func parent(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return "."
}
