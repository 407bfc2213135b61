package golang

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

// typeChecker checks the types of packages of a project. Packages that they import are
// read from source, without the bodies of functions, at the project's versions.
type typeChecker struct {
	ctx      context.Context
	finder   *finder
	platform string
	sizes    types.Sizes
	fset     *token.FileSet

	modules sync.Map // from the directory of a module to its *godoc.Source, whose directories are listed once for all packages

	mu       sync.Mutex // held while packages are imported, one after the other
	imported map[string]*importedPackage
	size     int                         // number of declarations in imported
	earlier  map[string]*importedPackage // packages of earlier checks that this one has not used; some may have changed
}

// importedPackage is a package that others import.
type importedPackage struct {
	types  *types.Package  // nil if it could not be read
	whole  bool            // whether all of its declarations are known
	own    bool            // whether it belongs to the project
	tagged map[string]bool // names that it may declare with other build tags
	// deprecated contains the names of declarations and members that may be deprecated.
	deprecated map[string]bool
	decls      int
	stamps     []fingerprint.Stamp // of what was read; nil if later checks must read the package again
}

const (
	// maxImported is the maximum number of packages that the packages of one project import,
	// directly or indirectly, and maxImportedDecls is the maximum number of declarations in them.
	maxImported      = 5000
	maxImportedDecls = 2 << 20
)

var errNotImported = errors.New("the package is not on this machine")

// Types implements ecosystem.TypeChecker. It considers only those files of the project
// that are built on the host's platform.
func (g *Golang) Types(ctx context.Context, dir string) (ecosystem.Types, error) {
	f, err := g.newFinder(question{path: "unsafe", project: dir})
	if err != nil { // go.mod or go.work is damaged or too large, which the packages of the standard library do not report
		return nil, errors.New(err.Error())
	}
	f.local = true
	c := &typeChecker{ctx: ctx, finder: f, platform: g.Platform(), fset: token.NewFileSet(), imported: map[string]*importedPackage{}}
	_, arch, _ := strings.Cut(c.platform, "/")
	if c.sizes = types.SizesFor("gc", arch); c.sizes == nil {
		return nil, fmt.Errorf("the sizes of types on %s are not known", c.platform)
	}
	g.types.add(c)
	return c, nil
}

// config returns the settings for type-checking one package.
func (c *typeChecker) config(importer types.Importer, report func(error)) *types.Config {
	return &types.Config{Importer: importer, Sizes: c.sizes, FakeImportC: true, DisableUnusedImportCheck: true, Error: report}
}

// importerFor imports packages for a package of src's module.
type importerFor struct {
	c   *typeChecker
	src *godoc.Source
	// tested is the package that external tests import, including the declarations in its internal
	// tests, or nil if there is none.
	tested *types.Package
}

// Import implements types.Importer.
func (i importerFor) Import(importPath string) (*types.Package, error) {
	if i.tested != nil && importPath == i.tested.Path() {
		return i.tested, nil
	}
	i.c.mu.Lock()
	defer i.c.mu.Unlock()
	return i.locked(importPath)
}

// locked is like Import, for callers that already hold the lock.
func (i importerFor) locked(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	p := i.c.load(i.src, importPath)
	if p.types == nil {
		return nil, errNotImported
	}
	return p.types, nil
}

// lockedImporter is an importerFor for the imports of imported packages. The lock is already held.
type lockedImporter struct{ importerFor }

func (i lockedImporter) Import(importPath string) (*types.Package, error) {
	return i.locked(importPath)
}

// byTypes returns an imported package, or nil if it was not imported.
func (c *typeChecker) byTypes(p *types.Package) *importedPackage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.imported[p.Path()]; found != nil && found.types == p {
		return found
	}
	return nil
}

// load reads a package that a package of from's module imports.
func (c *typeChecker) load(from *godoc.Source, importPath string) *importedPackage {
	key := importPath
	if from.Module == "std" && !isStandard(importPath) {
		key = "vendor/" + importPath // path of a package that is vendored in the standard library
	}
	if p := c.imported[key]; p != nil {
		return p // it has no types if it imports itself
	}
	if p := c.reuse(key); p != nil {
		return p
	}
	p := &importedPackage{}
	c.imported[key] = p
	if len(c.imported) > maxImported || c.size > maxImportedDecls || c.ctx.Err() != nil {
		return p
	}
	src := c.open(from, importPath)
	if src == nil {
		return p
	}
	defer src.Close()
	stamps := stampsOf(src, c.finder.g.types.now)
	syntax, err := godoc.Trees(c.ctx, src, c.platform, c.fset)
	if err != nil || len(syntax.Trees) == 0 {
		return p
	}
	for _, t := range syntax.Trees {
		p.decls += len(t.Decls)
	}
	c.finder.g.types.grow(c, p.decls)
	conf := c.config(lockedImporter{importerFor{c: c, src: src}}, func(err error) {
		if src.Own && isUndefined(err) {
			syntax.Whole = false // a generated file may be missing
		}
	})
	conf.IgnoreFuncBodies = true
	if checked := check(conf, key, c.fset, syntax.Trees, nil); checked != nil {
		p.types, p.whole, p.own, p.stamps = checked, syntax.Whole, src.Own, stamps
		p.tagged, p.deprecated = syntax.Tagged, syntax.Deprecated
	}
	return p
}

// isUndefined reports whether err says that an unqualified name is undefined.
func isUndefined(err error) bool {
	e, ok := errors.AsType[types.Error](err)
	name, undefined := strings.CutPrefix(e.Msg, "undefined: ")
	return ok && undefined && !strings.Contains(name, ".")
}

// check type-checks a package. It returns nil if go/types fails on it.
func check(conf *types.Config, importPath string, fset *token.FileSet, files []*ast.File, info *types.Info) (p *types.Package) {
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	p, _ = conf.Check(importPath, fset, files, info)
	return p
}

// open finds an imported package on this machine, at the version that the project uses. It
// returns nil if there is none.
func (c *typeChecker) open(from *godoc.Source, importPath string) *godoc.Source {
	i := &imports{src: from, finder: c.finder, seen: &fingerprint.Fingerprint{}}
	if s := i.sameModule(importPath); s != nil {
		return s
	}
	if checkPath(importPath) != nil {
		return nil
	}
	f := *c.finder
	f.ask = question{path: importPath, project: c.finder.ask.project}
	f.tried, f.lacking = nil, nil
	defer func() {
		f.lacking.Close()
	}()
	for _, place := range []func(context.Context) (*godoc.Source, error){f.inStd, f.ownPackage, f.dependency} {
		if s, err := place(c.ctx); s != nil && err == nil {
			return s
		}
	}
	return nil
}

// Uses implements ecosystem.Types.
func (c *typeChecker) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	found := make(chan map[*ecosystem.SourceFile][]ecosystem.TypedUse, 1)
	go func() { found <- c.directory(files) }() // go/types does not support contexts, so run it on another goroutine.
	select {
	case uses := <-found:
		return uses
	case <-c.ctx.Done():
		return nil
	}
}

// ownSource returns the package in a directory of a module of the project.
func (c *typeChecker) ownSource(m gomod.Main, rel string) *godoc.Source {
	module, _ := c.modules.LoadOrStore(m.Dir, ownSource(m.Path, m.Dir, "."))
	src := *module.(*godoc.Source)
	src.ImportPath, src.Dir = path.Join(m.Path, rel), rel
	return &src
}

// directory checks files of one directory.
func (c *typeChecker) directory(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	texts, tagged := map[string][]byte{}, map[string]bool{}
	overlay := map[string]*ecosystem.SourceFile{}
	src := &godoc.Source{ImportPath: "snippet", Module: "snippet"}
	if path.Base(files[0].Name) != (*Golang)(nil).SnippetName() {
		if c.finder.project == nil {
			return nil // the directory belongs to no module
		}
		m, rel, ok := c.finder.project.OwnerOfDir(filepath.Dir(filepath.Join(files[0].Dir, filepath.FromSlash(files[0].Name))))
		if !ok {
			return nil
		}
		src = c.ownSource(m, rel)
		current := make(map[string][]byte, len(files))
		for _, f := range files {
			current[path.Join(src.Dir, path.Base(f.Name))] = f.Text
		}
		var err error
		if texts, tagged, err = godoc.Texts(c.ctx, src, c.platform, current); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if texts == nil {
			texts = map[string][]byte{} // a new directory
		}
	}
	for _, f := range files {
		name := path.Join(src.Dir, path.Base(f.Name))
		if _, ok := texts[name]; !ok && src.FS != nil {
			if _, err := fs.Stat(src.FS, name); err == nil {
				continue // the file is for another platform
			}
		}
		texts[name], overlay[name] = f.Text, f
	}
	packages := map[string][]*ast.File{} // packages contains the files by the name of their package.
	names := map[*ast.File]string{}
	shifts := map[*ast.File]int{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		tree, shift, err := parseSource(c.fset, name, texts[name], parser.SkipObjectResolution)
		if tree == nil || err != nil && overlay[name] == nil || tree.Name.Name == "_" {
			continue
		}
		packages[tree.Name.Name] = append(packages[tree.Name.Name], tree)
		names[tree], shifts[tree] = name, shift
	}
	uses := map[*ecosystem.SourceFile][]ecosystem.TypedUse{}
	var tested *types.Package
	for _, name := range slices.SortedFunc(maps.Keys(packages), func(a, b string) int { return len(a) - len(b) }) { // External tests come last.
		importer := importerFor{c: c, src: src}
		importPath := src.ImportPath
		if base, ok := strings.CutSuffix(name, "_test"); ok && packages[base] != nil {
			importer.tested, importPath = tested, importPath+"_test"
		}
		r := newTypedReader(c)
		r.tested, r.tagged = importer.tested, tagged
		r.members = slices.ContainsFunc(files, func(f *ecosystem.SourceFile) bool { return f.Members })
		p := check(c.config(importer, r.report), importPath, c.fset, packages[name], r.info)
		if p == nil {
			continue
		}
		if importer.tested == nil {
			tested = p
		}
		tinyGo := slices.ContainsFunc(packages[name], importsTinyGo)
		for _, tree := range packages[name] {
			f := overlay[names[tree]]
			if f == nil {
				continue
			}
			uses[f] = r.read(p, tree, shifts[tree])
			if tinyGo { // Its standard library has additional declarations.
				uses[f] = slices.DeleteFunc(uses[f], func(u ecosystem.TypedUse) bool { return u.Package != "" && isStandard(u.Package) })
			}
		}
		r.release()
	}
	return uses
}
