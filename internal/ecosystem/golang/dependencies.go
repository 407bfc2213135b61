package golang

import (
	"cmp"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

const (
	// maxImporting is the maximum number of a project's files that are read for their imports, and
	// maxImports is the maximum number of bytes read from each file.
	maxImporting = 5000
	maxImports   = 64 << 10
)

// Dependencies implements ecosystem.Lister. It lists the packages that the
// project's own files import, with packages of the standard library last. The root packages of the
// modules that the project requires directly follow, then those of all other modules.
func (g *Golang) Dependencies(projectDir string) ([]ecosystem.Dependency, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	f, err := g.newFinder(question{project: dir, dir: dir})
	if err != nil {
		return nil, err
	}
	return f.dependencies(), nil
}

func (f *finder) dependencies() []ecosystem.Dependency {
	modules := f.project.Dependencies()
	slices.SortStableFunc(modules, func(a, b project.Dependency) int {
		return cmp.Compare(rankOf(a), rankOf(b))
	})
	tool := f.toolchain()
	var imported, standard, roots []ecosystem.Dependency
	listed := map[string]bool{}
	for _, path := range f.ownImports() {
		d := ecosystem.Dependency{Package: path, Direct: true, Imported: true}
		if tool.inStd(path) {
			d.Standard, d.Version, d.Installed = true, tool.version, true
			standard = append(standard, d)
			continue
		}
		m := moduleHolding(modules, path)
		if m == nil || slices.Contains(strings.Split(path, "/"), "internal") {
			continue
		}
		d.Version, d.Installed = m.Version, f.atHand(m, path)
		if path != m.Name {
			d.Module = m.Name
		}
		imported = append(imported, d)
		listed[path] = true
	}
	for i := range modules {
		m := &modules[i]
		if installed := f.atHand(m, m.Name); !listed[m.Name] && (!installed || f.hasRoot(m)) {
			roots = append(roots, ecosystem.Dependency{Package: m.Name, Version: m.Version, Direct: m.Direct, Installed: installed})
		}
	}
	direct := slices.IndexFunc(roots, func(d ecosystem.Dependency) bool { return !d.Direct })
	if direct < 0 {
		direct = len(roots)
	}
	return slices.Concat(imported, roots[:direct], standard, roots[direct:])
}

func rankOf(d project.Dependency) int {
	if d.Direct {
		return 0
	}
	return 1
}

// moduleHolding returns the module with the longest path that is a prefix of
// importPath.
func moduleHolding(modules []project.Dependency, importPath string) *project.Dependency {
	var found *project.Dependency
	for i := range modules {
		m := &modules[i]
		if rest, ok := strings.CutPrefix(importPath, m.Name); ok && (rest == "" || rest[0] == '/') && (found == nil || len(m.Name) > len(found.Name)) {
			found = m
		}
	}
	return found
}

// atHand reports whether a dependency's package is on this machine.
func (f *finder) atHand(d *project.Dependency, importPath string) bool {
	if _, ok := f.project.Vendored(importPath); ok || d.Dir != "" {
		return true
	}
	path, version := escaped(module.Version{Path: cmp.Or(d.Alias, d.Name), Version: d.Version})
	if path == "" || f.st.modCache == "" {
		return false
	}
	return project.IsDir(filepath.Join(f.st.modCache, filepath.FromSlash(path)+"@"+version)) ||
		project.IsFile(filepath.Join(f.st.modCache, "cache", "download", filepath.FromSlash(path), "@v", version+".zip"))
}

// hasRoot reports whether an installed module has a package at its root. It returns true if that
// cannot be determined without unpacking the module.
func (f *finder) hasRoot(d *project.Dependency) bool {
	dir := d.Dir
	if dir == "" {
		path, version := escaped(module.Version{Path: cmp.Or(d.Alias, d.Name), Version: d.Version})
		dir = filepath.Join(f.st.modCache, filepath.FromSlash(path)+"@"+version)
	}
	return !project.IsDir(dir) || hasGoFiles(rootfs.New(dir), ".")
}

// ownImports lists the packages that the project's files import. The most
// imported packages come first, and packages imported only by tests come last.
func (f *finder) ownImports() []string {
	used, tested := map[string]int{}, map[string]int{}
	files := 0
	for _, m := range f.project.Mains {
		source := ownSource(m.Path, m.Dir, ".")
		_ = fs.WalkDir(source.FS, ".", func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir
			case e.IsDir():
				if name != "." && skipOwn(e.Name()) {
					return fs.SkipDir
				}
				return nil
			case !strings.HasSuffix(name, ".go") || !e.Type().IsRegular():
				return nil
			}
			if files++; files > maxImporting {
				return fs.SkipAll
			}
			count := used
			if strings.HasSuffix(name, "_test.go") {
				count = tested
			}
			for _, path := range importsOf(source.FS, name) {
				count[path]++
			}
			return nil
		})
	}
	byUse := func(count map[string]int) []string {
		var paths []string
		for path := range count {
			if _, _, inProject := f.project.Owner(path); !inProject {
				paths = append(paths, path)
			}
		}
		slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
		return paths
	}
	paths := byUse(used)
	for _, path := range byUse(tested) {
		if used[path] == 0 {
			paths = append(paths, path)
		}
	}
	return paths
}

// importsOf lists the imports of a Go file. It returns none if the file cannot
// be read.
func importsOf(files fs.FS, name string) []string {
	file, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxImports))
	if err != nil {
		return nil
	}
	parsed, _ := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly|parser.SkipObjectResolution)
	if parsed == nil {
		return nil
	}
	var paths []string
	for _, spec := range parsed.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path != "C" && checkPath(path) == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
