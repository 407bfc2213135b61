// Package modules follows the modules of a Python distribution to find the names that a
// user can import, with their members. It begins at the module that users import and
// follows imports and re-exports, into other distributions if necessary.
//
// It reads declarations with package source and opens files only when they are needed. It does not
// run code, so names that a module creates at run time are missing, and a warning says so.
//
//	import name -> files                    find.go
//	statements -> names of a scope          bind.go, conditions.go
//	module -> public names                  export.go, stars.go, lazy.go
//	lists of names that a program makes     evaluate.go, builtin.go
//	name -> declaration, across modules     resolve.go
//	class -> bases, members, fields         class.go, fields.go, model.go
//	declaration -> apidoc.Symbol            document.go, decorate.go, signature.go, docs.go
//	signature -> types that it names        refer.go
//	compiled module -> names                native.go, uses.go
//	distribution -> names of all modules    index.go
package modules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
	"github.com/docent-mcp/docent/internal/spelling"
	"github.com/docent-mcp/docent/internal/work"
)

// Source gives the location of the modules of one distribution, or of the
// standard library.
type Source struct {
	// Module is the requested import name, such as "requests", "requests.sessions" or
	// "google.cloud.storage".
	Module string
	// Root is the directory that contains the top-level modules: site-packages,
	// the root of a wheel, or src of an sdist.
	Root fs.FS
	// Dir is the path of Root on disk, or "" for an archive.
	Dir string
	// Stubs contains stub-only files in the layout of Root (foo-stubs already mapped to
	// foo), or is nil if there are none.
	Stubs fs.FS
	// Modules are the top-level modules of the distribution (from RECORD or top_level.txt), or nil
	// if they are unknown.
	Modules []string
	// Installed is true if all modules that the distribution can import are available. A module
	// that is not found is then known not to be installed, so the outcome of a guarded import is
	// also known.
	Installed bool
	// Python is the version for which sys.version_info conditions are decided, such as "3.11".
	Python string
	// Platform is "GOOS/GOARCH".
	Platform string
	// Own is true for modules of the program whose types are inferred.
	Own bool
}

// Importer returns the source of a module of another distribution, or
// fs.ErrNotExist if there is none.
type Importer func(module string) (*Source, error)

// These constants limit what one Reader reads.
const (
	maxFiles     = 20_000
	maxBytes     = 512 << 20
	maxSymbols   = 400_000
	maxEntries   = 20_000 // maximum number of entries in a directory
	maxDepth     = 32     // maximum nesting of modules, and of evaluated expressions
	maxFollowed  = 400    // maximum length of a chain of imports
	maxIncludes  = 8      // maximum nesting of included Cython files
	maxBases     = 100
	maxMRO       = 200
	maxMembers   = 20_000 // maximum number of members of a class
	maxOverloads = 200
	maxWarnings  = 50
	maxAliasText = 200 // maximum size in bytes of an assignment that may rename something
)

var errTooMuch = errors.New("the distribution is too large")

// Reader reads modules of one distribution. It parses each file at most once.
// It is not safe for concurrent use.
type Reader struct {
	// Raw returns docstrings as they are in the files, and shows the declaration in the code
	// along with the declaration in a stub.
	Raw bool
	// Program is true if the modules belong to the user's program. Read then returns all names that a module
	// declares, without documentation, and refers to the types in other modules.
	Program bool

	ctx      context.Context
	meter    *work.Meter
	importer Importer
	main     *dist
	dists    []*dist
	others   map[otherKey]*dist // keyed by the name of the requested module
	tops     map[otherKey]*dist

	reaches    map[*module]*reach // modules that the star imports of a package lead to
	lazyTables map[*file]map[string]lazyTarget
	newdocs    map[*dist]map[string]string
	natives    map[string]*native // keyed by module name
	forwarders map[forwarderKey]forwardKind
	// unsettled are the lookups that did not find anything while an enclosing lookup, on which they
	// depend, was not finished. reach is lookupState.reach of the current lookup.
	unsettled []lookupKey
	reach     int
	missing   map[string]bool // top-level modules; the value is true for those that are not installed
	roots     map[string]string
	depth     int
	// collected contains what the current collection of names of star imports has visited. blocked
	// counts the modules that were skipped because an enclosing collection has not finished them.
	collected map[any]bool
	blocked   int

	doc    *documenter
	parsed map[string]*docstring.Doc

	files, bytes, symbols int
	warnings              []string
	err                   error // why reading has ended: the context's error, or errTooMuch
}

// Open returns a reader of a distribution.
func Open(ctx context.Context, src *Source, imp Importer) *Reader {
	r := &Reader{
		ctx: ctx, meter: work.FromContext(ctx), importer: imp,
		others: map[otherKey]*dist{}, tops: map[otherKey]*dist{},
		reaches: map[*module]*reach{}, lazyTables: map[*file]map[string]lazyTarget{},
		newdocs: map[*dist]map[string]string{}, natives: map[string]*native{}, missing: map[string]bool{}, roots: map[string]string{}, reach: noReach, parsed: map[string]*docstring.Doc{},
	}
	r.main = r.distOf(src)
	return r
}

// Select makes src the distribution to which the modules belong that are read next. Modules of the other ones remain
// known.
func (r *Reader) Select(src *Source) { r.main = r.distOf(src) }

// Read reads the module that src selects. An error that the user can act on is an *ecosystem.Error.
func Read(ctx context.Context, src *Source, imp Importer) (*apidoc.Package, error) {
	return Open(ctx, src, imp).Read(src.Module)
}

// Tells reports whether anything is known about the module that src selects. That is the case if it
// has code, a stub, or docstrings with declarations.
func Tells(src *Source) bool {
	r := Open(context.Background(), src, nil)
	m := r.moduleIn(r.main, src.Module)
	return m != nil && (m.code != nil || m.stub != nil || m.pkg)
}

// check counts a step and reports whether reading may continue. If reading has ended with an error,
// check records the error in err.
func (r *Reader) check() bool {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.err == nil && r.meter.Step(1)
}

func (r *Reader) warn(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if len(r.warnings) < maxWarnings && !slices.Contains(r.warnings, s) {
		r.warnings = append(r.warnings, s)
	}
}

// Read reads one module of the distribution and lists the modules below it.
func (r *Reader) Read(name string) (*apidoc.Package, error) {
	r.symbols, r.warnings = 0, nil
	m := r.moduleIn(r.main, name)
	if m == nil {
		if r.err != nil {
			return nil, r.failure(name)
		}
		return nil, r.noModule(name)
	}
	out := &apidoc.Package{
		Name: name, LocalName: name[strings.LastIndexByte(name, '.')+1:],
		Platform: r.main.Platform, Symbols: []apidoc.Symbol{},
	}
	d := &documenter{Reader: r, main: m, out: out, places: map[string]string{}, requests: map[string]*entity{}}
	r.doc = d
	d.module()
	for _, f := range m.files() {
		if !f.stub && !r.provided(f).all && f.scope.names["__getattr__"] != nil {
			out.Hidden = append(out.Hidden, mentioned(f.lazy, nil)...)
			if m.declaresAll() {
				continue
			}
			out.Dynamic = "the function __getattr__ of " + name + " provides or refuses names when they are imported"
		}
	}
	for _, f := range m.files() {
		for _, g := range f.gaps {
			r.warn("%s:%d: %s", f.name, g.Line, g.Text)
		}
	}
	switch {
	case m.guessed && !m.stub.made:
		r.warn("%s is compiled and has no stubs; these are the functions and classes that %s declares, and others are unknown", name, m.stub.name)
	case m.guessed && r.nativeOf(m.dist, name).listed():
		r.warn("%s is compiled and has no stubs; these are the functions and classes that the tables of the compiled module list, with the parameters that docstrings declare; anything created on import, such as the values of constants, is unknown", name)
	case m.guessed:
		r.warn("%s is compiled and has no stubs; these are the functions and classes that its docstrings declare, and others are unknown", name)
	case m.native && m.stub == nil:
		r.warn("%s is compiled and has no stubs, so its names and their documentation are unknown", name)
	case m.dynamic:
		r.warn("__all__ of %s is computed at run time, so it may export names other than these", name)
	}
	out.AllNames = out.AllNames || m.dynamic && len(r.warnings) == 1 && !m.native && !m.guessed && out.Dynamic == "" && !slices.Contains(out.Hidden, "*")
	out.Warnings = r.warnings
	if r.err != nil {
		return nil, r.failure(name)
	}
	return out, nil
}

func (r *Reader) failure(name string) error {
	if !errors.Is(r.err, errTooMuch) {
		return r.err
	}
	return &ecosystem.Error{
		Reason: ecosystem.Unreadable,
		What:   fmt.Sprintf("reading %s exceeds the limits (%d files, %d MiB and %d symbols)", name, maxFiles, maxBytes>>20, maxSymbols),
		Next:   "request one of its modules",
		Err:    r.err,
	}
}

// maxNear is the maximum number of modules that are suggested for a missing one.
const maxNear = 10

func (r *Reader) noModule(name string) error {
	e := ecosystem.Fail(ecosystem.NotFound, "there is no module %s", name)
	parent := name
	for {
		i := strings.LastIndexByte(parent, '.')
		if i < 0 {
			break
		}
		parent = parent[:i]
		m := r.moduleIn(r.main, parent)
		if m == nil {
			continue
		}
		var near []string
		for _, n := range r.main.below(m) {
			near = append(near, parent+"."+n)
		}
		var d spelling.Distance
		slices.SortStableFunc(near, func(a, b string) int {
			return d.Between(a, name, spelling.MaxCompared) - d.Between(b, name, spelling.MaxCompared)
		})
		return e.WithNear(near[:min(len(near), maxNear)]...).WithNext("request one of the modules of %s", parent)
	}
	return e.WithNear(r.main.Modules[:min(len(r.main.Modules), maxNear)]...).WithNext("check the name under which the package is imported")
}
