package golang

import (
	"context"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/fingerprint"
)

// imports implements godoc.Importer. It opens imported packages from the
// importing package's own module, or else at the version that the project uses
// or that the module's go.mod requires. It uses only what is on this machine.
type imports struct {
	src       *godoc.Source
	finder    *finder
	requested bool // the query names the version, so the project's go.mod does not apply
	seen      *fingerprint.Fingerprint

	requires func() map[string]string // versions by module path, from the go.mod of the source's own module

	mu     sync.Mutex
	opened []*godoc.Source
}

func (g *Golang) newImports(src *godoc.Source, q ecosystem.Query, seen *fingerprint.Fingerprint) *imports {
	i := &imports{src: src, seen: seen}
	i.requires = sync.OnceValue(i.readRequires)
	ask, err := parseQuestion(q)
	if err != nil {
		return i
	}
	i.requested = ask.version != ""
	if i.finder, err = g.newFinder(ask); err != nil {
		i.finder = &finder{g: g, st: g.settings.load(g.env)}
	}
	i.finder.local = true
	return i
}

func (i *imports) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.opened {
		s.Close()
	}
	i.opened = nil
}

// open implements Importer. The Sources that it returns are closed when i is
// closed.
func (i *imports) open(importPath string) (*godoc.Source, error) {
	if s := i.sameModule(importPath); s != nil {
		return s, nil
	}
	if i.finder == nil || checkPath(importPath) != nil {
		return nil, fs.ErrNotExist
	}
	f := *i.finder
	f.ask = question{path: importPath, project: i.finder.ask.project}
	f.tried, f.lacking = nil, nil
	places := []func(context.Context) (*godoc.Source, error){f.inStd, f.ownPackage, f.dependency, i.required(&f), f.cached}
	if i.requested {
		places = []func(context.Context) (*godoc.Source, error){f.inStd, i.required(&f), f.dependency, f.cached}
	}
	newest := len(places) - 1 // This is the index of f.cached, which accepts any version on this machine.
	for n, place := range places {
		s, err := place(context.Background())
		if f.lacking != nil {
			f.lacking.Close()
			f.lacking = nil
		}
		if s == nil && err == nil {
			continue
		}
		if err != nil {
			i.seen.Invalidate()
			return nil, ecosystem.AsError(err)
		}
		if n == newest {
			i.seen.Invalidate()
		}
		watch(s, i.seen)
		i.mu.Lock()
		i.opened = append(i.opened, s)
		i.mu.Unlock()
		return s, nil
	}
	i.seen.Invalidate() // The package may be downloaded later.
	return nil, fs.ErrNotExist
}

// sameModule opens a package of the source's own module. The standard library
// imports golang.org/x packages from its vendor directory. It returns nil if the
// module has no such package.
func (i *imports) sameModule(importPath string) *godoc.Source {
	s := *i.src
	s.ImportPath, s.Closer, s.Warnings = importPath, nil, nil
	first, _, _ := strings.Cut(importPath, "/")
	switch {
	case s.Module == "std" && strings.Contains(first, "."):
		s.Dir = "vendor/" + importPath
	case s.Module == "std":
		s.Dir = importPath
	case importPath == s.Module || strings.HasPrefix(importPath, s.Module+"/"):
		s.Dir = relativeTo(s.Module, importPath)
	default:
		return nil
	}
	if !hasGoFiles(s.FS, s.Dir) {
		return nil
	}
	return &s
}

// required looks for the versions that the source's own go.mod file requires.
func (i *imports) required(f *finder) func(context.Context) (*godoc.Source, error) {
	return func(context.Context) (*godoc.Source, error) {
		versions := i.requires()
		for _, path := range prefixes(f.ask.path, "") {
			version, ok := versions[path]
			if !ok {
				continue
			}
			m, err := f.openLocal(module.Version{Path: path, Version: version})
			if m == nil || err != nil {
				continue
			}
			if src, err := f.packageOf(m, path, "go.mod of "+i.src.Module); src != nil || err != nil {
				return src, err
			}
		}
		return nil, nil
	}
}

func (i *imports) readRequires() map[string]string {
	data, err := fs.ReadFile(i.src.FS, "go.mod")
	if err != nil || len(data) > 16<<20 {
		return nil
	}
	mod, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil {
		return nil
	}
	versions := make(map[string]string, len(mod.Require))
	for _, r := range mod.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	return versions
}
