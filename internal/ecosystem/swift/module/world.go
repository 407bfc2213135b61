package module

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/docc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/work"
)

const (
	// maxFiles is the maximum number of files of all modules that are read.
	maxFiles = 50_000
	// maxBytes is the maximum total size of these files.
	maxBytes = 1 << 30
	// maxWorkers is the maximum number of files that are parsed concurrently.
	maxWorkers = 4
)

// world is a package that is being read.
type world struct {
	ctx       context.Context
	meter     *work.Meter
	p         Package
	platform  platform
	units     map[string]*unit // keyed by the name of the module
	externals map[string]*entity
	headers   map[*Target]map[string]string // types of declarations in C modules
	packages  int                           // number of packages that are dependencies
	entities  int
	bytes     int64
	files     int
	missing   []string // files that could not be read
	// epoch is incremented when declarations may have been added that cached
	// lookups of nested types do not contain. resolving is the number of nested
	// computations of such lookups, and cyclic is true if one of them depends
	// on itself.
	epoch, resolving int
	cyclic           bool
}

// unit is one module.
type unit struct {
	w      *world
	p      *Package // the package that the module belongs to
	target *Target
	name   string
	conditions

	files      []*file
	top        []*entity // declarations outside types, in order
	types      map[string]*entity
	extensions []*extension
	inactive   []inactive
	imports    []string    // modules that any file imports
	exported   []string    // modules that are re-exported
	picked     [][2]string // modules and declarations that are re-exported individually
	loaded     bool
	collected  bool
	named      map[string][]*entity             // functions and variables outside types, by name
	macros     map[string][]source.Availability // availability macros by name and version
}

// file is one source file.
type file struct {
	*source.File
	unit    *unit
	imports []string
}

// inactive is a declaration that is excluded by a condition.
type inactive struct {
	decl       *source.Decl
	file       *file
	parent     string // path of the enclosing type
	access     source.Access
	conditions []*source.Condition
}

func newWorld(ctx context.Context, p Package) *world {
	w := &world{ctx: ctx, meter: work.FromContext(ctx), p: p, units: map[string]*unit{}, externals: map[string]*entity{}, headers: map[*Target]map[string]string{}}
	w.platform = newPlatform(&p)
	w.add(&w.p)
	return w
}

// add creates modules for the targets of a package.
func (w *world) add(p *Package) {
	platform := w.platform
	platform.traits = p.Traits
	for i := range p.Targets {
		t := &p.Targets[i]
		if t.C || t.Macro || w.units[t.module()] != nil {
			continue
		}
		u := &unit{w: w, p: p, target: t, name: t.module(), types: map[string]*entity{}}
		u.conditions = conditions{platform: &platform, defines: t.Defines, features: t.Features, known: map[*source.Condition]bool{}}
		u.canImport = u.sees
		w.units[u.name] = u
	}
}

// module returns the name by which the target is imported.
func (t *Target) module() string {
	if t.C99Name != "" {
		return t.C99Name
	}
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == ' ' {
			return '_'
		}
		return r
	}, t.Name)
}

// sees reports whether the target depends on a module of the package or of a
// dependency.
func (u *unit) sees(name string) bool {
	seen := map[string]bool{}
	var in func(t *Target) bool
	in = func(t *Target) bool {
		if seen[t.Name] {
			return false
		}
		seen[t.Name] = true
		for _, d := range t.Dependencies {
			if d == name {
				return true
			}
			for i := range u.p.Targets {
				if o := &u.p.Targets[i]; o.Name == d && (o.module() == name || in(o)) {
					return true
				}
			}
		}
		return false
	}
	return in(u.target)
}

// load reads the files of modules, and of the modules of the package that they
// import.
func (w *world) load(names ...string) error {
	for len(names) > 0 {
		var batch []*unit
		for _, name := range names {
			if u := w.units[name]; u != nil && !u.loaded {
				u.loaded = true
				batch = append(batch, u)
			}
		}
		if err := w.parse(batch); err != nil {
			return err
		}
		names = nil
		for _, u := range batch {
			u.readImports()
			names = append(names, u.imports...)
			for _, name := range u.exported {
				w.importPackage(u, name)
			}
			for _, pick := range u.picked {
				w.importPackage(u, pick[0])
			}
		}
	}
	return nil
}

// maxPackages is the maximum number of dependencies that are read.
const maxPackages = 20

// importPackage adds the dependency that provides a module.
func (w *world) importPackage(u *unit, name string) {
	if w.units[name] != nil || u.p.Import == nil || w.platform.has(name) || w.packages >= maxPackages {
		return
	}
	if p := u.p.Import(name); p != nil {
		w.packages++
		w.add(p)
	}
}

// parse reads and parses the files of modules, several concurrently.
func (w *world) parse(units []*unit) error {
	type job struct {
		u    *unit
		name string
		file **file
	}
	var jobs []job
	for _, u := range units {
		var names []string
		for _, name := range u.target.Files {
			if (strings.HasSuffix(name, ".swift") || strings.HasSuffix(name, ".swiftinterface")) && !docc.InCatalogue(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if w.files += len(names); w.files > maxFiles {
			return fmt.Errorf("the package %s has more than %d source files", w.p.Name, maxFiles)
		}
		u.files = make([]*file, len(names))
		for i, name := range names {
			jobs = append(jobs, job{u, name, &u.files[i]})
		}
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		first error
		next  int
	)
	for range min(runtime.GOMAXPROCS(0), maxWorkers, len(jobs)) {
		wg.Go(func() {
			defer w.meter.Catch()
			buffer := make([]byte, 32<<10)
			for {
				mu.Lock()
				i := next
				next++
				stop := first != nil
				mu.Unlock()
				if stop || i >= len(jobs) {
					return
				}
				j := jobs[i]
				text, err := j.u.readFile(j.name, buffer)
				mu.Lock()
				if err == nil {
					err = w.ctx.Err()
				} else {
					w.missing = append(w.missing, j.name)
					err = nil
				}
				if w.bytes += int64(len(text)); w.bytes > maxBytes && err == nil {
					err = fmt.Errorf("the sources of the package %s are larger than %d bytes", w.p.Name, maxBytes)
				}
				if err != nil && first == nil {
					first = err
				}
				mu.Unlock()
				if err != nil {
					return
				}
				*j.file = &file{File: source.ParseMetered(w.meter, j.name, text), unit: j.u}
			}
		})
	}
	wg.Wait()
	w.meter.Check()
	return first
}

// readFile uses a buffer to read the part of a file that the parser needs.
func (u *unit) readFile(name string, buffer []byte) (string, error) {
	f, err := u.p.Root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if info, err := f.Stat(); err == nil {
		text.Grow(int(min(info.Size(), source.MaxText)))
	}
	if _, err := io.CopyBuffer(&text, io.LimitReader(f, source.MaxText+1), buffer); err != nil {
		return "", err
	}
	u.w.meter.Grant(int64(text.Len()))
	return text.String(), nil
}

// readImports determines which imports in the files are compiled, and records
// the imported modules.
func (u *unit) readImports() {
	for _, f := range u.files {
		if f == nil {
			continue
		}
		for i := range f.Imports {
			m := &f.Imports[i]
			if !u.hold(m.Conditions) {
				continue
			}
			f.imports = append(f.imports, m.Module)
			if !slices.Contains(u.imports, m.Module) {
				u.imports = append(u.imports, m.Module)
			}
			if !m.Exported() || m.Module == u.name {
				continue
			}
			if _, name, ok := strings.Cut(m.Path, "."); m.Kind != "" && ok {
				u.picked = append(u.picked, [2]string{m.Module, name})
			} else if !slices.Contains(u.exported, m.Module) {
				u.exported = append(u.exported, m.Module)
			}
		}
	}
	u.files = slices.DeleteFunc(u.files, func(f *file) bool { return f == nil })
}

// shown returns the modules whose symbols a module lists: itself and the
// modules that it re-exports.
func (u *unit) shown() []*unit { return u.closure(func(x *unit) []string { return x.exported }) }

// reachable returns the modules of the package whose names a module can use,
// beginning with the module itself.
func (u *unit) reachable() []*unit { return u.closure(func(x *unit) []string { return x.imports }) }

// closure returns u and the modules that can be reached from u by following
// names.
func (u *unit) closure(names func(*unit) []string) []*unit {
	all := []*unit{u}
	for i := 0; i < len(all); i++ {
		for _, name := range names(all[i]) {
			if x := u.w.units[name]; x != nil && x.loaded && !slices.Contains(all, x) {
				all = append(all, x)
			}
		}
	}
	return all
}
