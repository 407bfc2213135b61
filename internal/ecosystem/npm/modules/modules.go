// Package modules follows the modules of an npm package as TypeScript does, to find the symbols
// that a user of the package can import, with their members. It begins at the entry points in
// package.json and follows imports and re-exports, including those from other packages.
//
// It parses declarations with package dts, and opens files only when they are referenced. Other
// packages are opened by a function that the caller provides. If they cannot be opened, the
// documentation is incomplete, and a warning says so.
//
//	package.json -> entry points            manifest.go, entry.go
//	"./x.js", "dep", "#x" -> file           resolve.go
//	file -> symbols of its scopes           bind.go
//	name -> symbol, across files            alias.go
//	name -> global symbol of any program    lib.go
//	type -> what it represents              shape.go, union.go, keys.go, conditions.go
//	type -> properties                      members.go, instance.go, prop.go, props.go, construct.go
//	property -> its text in that type        write.go
//	symbol -> apidoc.Symbol                 document.go, values.go
//	value -> props of a component           component.go, component_type.go, component_rest.go, component_vue.go, component_angular.go
//	signature -> types that it names        refer.go
//	package -> names of all entry points    index.go
//	expression -> type, members used        code.go and code_*.go
package modules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"deps.dev/util/semver"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/spelling"
	"github.com/docent-mcp/docent/internal/work"
)

// Package is an open package at one version.
type Package struct {
	Name, Version string
	// FS contains the files of the package, with package.json at its root.
	FS fs.FS
}

// Opener opens the package that the package from would import by the given name. It looks in from's
// own node_modules and those above it, or in the node_modules of the project if from is nil. It
// should return the same pointer for the same package. If it fails, only the declarations of that
// package are missing.
type Opener func(ctx context.Context, from *Package, name string) (*Package, error)

// These constants limit how much one Reader reads.
const (
	maxFiles   = 20_000
	maxBytes   = 512 << 20
	maxSymbols = 400_000
	// maxInherited is the number of symbols after which the inherited members of classes and interfaces
	// are only counted.
	maxInherited = 200_000
)

// errTooMuch stops the reading of a package that exceeds the limits.
var errTooMuch = errors.New("the package is too large")

// Reader reads the entry points of one package. It parses each file at most
// once. It is not safe for concurrent use.
type Reader struct {
	ctx   context.Context
	meter *work.Meter
	open  Opener
	main  *pkg

	packages map[*Package]*pkg
	files    map[fileKey]*module
	// ambient contains the declare module "x" blocks, and globals the declarations of scripts and
	// declare global.
	ambient  map[string]*module
	patterns []*module // modules declared with a pattern, as in declare module "*.css"
	globals  *table
	// imported maps the lower-case name of an imported package to one file that
	// imports it. Such packages are loaded on demand.
	imported map[string]link
	// augments contains the declare module "x" blocks of modules, which are applied after x was
	// bound.
	augments []augmentation

	// TypeScript's library and the declarations of Node.js are loaded when a
	// global name is looked up.
	libTried, nodeTried, nodeRead bool
	lib                           *pkg
	late                          []*late

	buf    []byte               // buffer for reading files
	bodies map[*dts.Node]*scope // scopes of functions' parameters

	// These fields are set if the package is read in parts; see large.go.
	inParts    bool
	part       string          // export that is being read on its own, or ""
	reexported map[string]bool // paths of the files that the entry point re-exports

	// compilerOptions reads the options for the files in a directory of the project. It is nil for a package that is not
	// checked. options caches the results.
	compilerOptions func(dir string) CompilerOptions
	options         map[string]*CompilerOptions
	// extended reports whether other files may add members to an interface without members.
	extended func(TypeName) bool

	bytes, symbols int
	memo           memo
	scripts        bool    // whether JavaScript is read instead of declarations
	exact          bool    // whether conditions are evaluated only if that needs no guess
	steps          int     // steps taken by all evaluators
	componentSteps int     // steps taken for the props of components
	componentProps int     // number of props that were listed
	aliases        int     // number of aliases being followed
	searches       int     // number of searches for a name within another name
	entries        []Entry // the result of Entries, cached
	warnings       []string
	warned         map[string]bool
	err            error // the reason why reading has ended: the context's error or errTooMuch
}

type fileKey struct {
	pkg  *pkg
	path string
}

// pkg is a package with its package.json.
type pkg struct {
	*Package
	manifest manifest
	// types is the package that declares the types of this one, such as @types/x for x. It is
	// opened on demand.
	types      *pkg
	typesTried bool
	deps       map[string]*pkg
	resolved   map[string]target // results for specifiers that are not relative
	near       map[string]target // results for paths within the package
}

// Open reads package.json.
func Open(ctx context.Context, p *Package, open Opener) (*Reader, error) {
	r := &Reader{
		ctx: ctx, meter: work.FromContext(ctx), open: open,
		packages: map[*Package]*pkg{},
		files:    map[fileKey]*module{},
		ambient:  map[string]*module{},
		globals:  newTable(),
		imported: map[string]link{},
		bodies:   map[*dts.Node]*scope{},
		warned:   map[string]bool{},
	}
	r.memo.forget()
	var err error
	if r.main, err = r.add(p); err != nil {
		return nil, &ecosystem.Error{
			Reason: ecosystem.Unreadable, What: fmt.Sprintf("package.json of %s cannot be read: %v", nameOf(p), quote.Error(err)), Err: err,
		}
	}
	return r, nil
}

func (r *Reader) add(p *Package) (*pkg, error) {
	if known := r.packages[p]; known != nil {
		return known, nil
	}
	m, err := readManifest(p.FS)
	if err != nil {
		return nil, err
	}
	k := &pkg{Package: p, manifest: m, deps: map[string]*pkg{}, resolved: map[string]target{}, near: map[string]target{}}
	r.packages[p] = k
	return k, nil
}

func nameOf(p *Package) string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + "@" + p.Version
}

// dep opens another package. It returns nil if that fails.
func (r *Reader) dep(from *pkg, name string) *pkg {
	if known, ok := from.deps[name]; ok {
		return known
	}
	var found *pkg
	if r.open != nil && r.err == nil {
		if p, err := r.open(r.ctx, from.Package, name); err == nil && p != nil {
			found, _ = r.add(p)
		}
		r.check()
	}
	from.deps[name] = found
	return found
}

// projects opens a package that the project has installed. It returns nil if that fails.
func (r *Reader) projects(name string) *pkg {
	if r.open == nil || r.err != nil {
		return nil
	}
	defer r.check()
	if p, err := r.open(r.ctx, nil, name); err == nil && p != nil {
		if found, err := r.add(p); err == nil {
			return found
		}
	}
	return nil
}

// check counts a step and reports whether reading may continue. If it must not, check records the
// reason in err.
func (r *Reader) check() bool {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.err == nil && r.meter.Step(1)
}

func (r *Reader) warn(format string, args ...any) {
	const maximum = 50
	s := fmt.Sprintf(format, args...)
	if r.warned[s] || len(r.warnings) >= maximum {
		return
	}
	r.warned[s] = true
	r.warnings = append(r.warnings, s)
}

// Load loads the modules of several entry points. If it is called before any of them is read,
// their declarations can refer to each other.
func (r *Reader) Load(subpaths ...string) {
	for _, s := range subpaths {
		if t, ok := r.entry(s); ok && t.ambient == nil {
			if m := r.load(t.pkg, t.path); m != nil {
				r.closure(m)
			}
		}
	}
}

// Read reads the entry point with a subpath, such as "." for the package itself, or "./mini" for
// the entry point that users import as "zod/mini". Its error is an *ecosystem.Error, or the
// context's.
func (r *Reader) Read(subpath string) (*apidoc.Package, error) {
	r.symbols, r.steps, r.componentSteps, r.componentProps = 0, 0, 0, 0
	entries := r.Entries()
	out := &apidoc.Package{
		Name: r.main.Name, Version: r.main.Version,
		Symbols: []apidoc.Symbol{},
	}
	if subpath != "." {
		out.Name += subpath[1:]
		out.Module = r.main.Name
	}
	t, ok := r.entry(subpath)
	if !ok && subpath != "." {
		if part := r.readPart(subpath); part != nil {
			part.Warnings = append(part.Warnings, r.warnings...)
			return part, r.err
		}
	}
	if !ok && (subpath != "." || len(entries) == 0) {
		return nil, r.noEntry(subpath, entries)
	}
	if ok {
		if err := r.document(out, t); err != nil {
			if errors.Is(err, errTooMuch) {
				err = r.tooMuch()
			}
			return nil, err
		}
	}
	if subpath == "." {
		r.below(out, entries)
	}
	if r.meter.Spent() {
		r.warn("reading %s requires more work than docent allows for one package, so declarations may be missing", nameOf(r.main.Package))
	}
	out.Warnings = append(out.Warnings, r.warnings...)
	// The only warning says that the declarations come from a package of types.
	out.AllNames = ok && len(out.Warnings) == 1 && out.Dynamic == "" && !slices.Contains(out.Hidden, "*") && t.pkg != nil && t.pkg != r.main && isAsNew(t.pkg.Version, r.main.Version)
	if errors.Is(r.err, errTooMuch) {
		return nil, r.tooMuch()
	}
	return out, r.err
}

// isAsNew reports whether a package of types describes a version of its package, or a later one with the same major
// version. Packages of types have the major and minor version of what they describe.
func isAsNew(types, described string) bool {
	order, difference, err := semver.NPM.Difference(types, described)
	return err == nil && difference != semver.DiffMajor && (difference != semver.DiffMinor || order > 0)
}

func (r *Reader) tooMuch() error {
	return &ecosystem.Error{
		Reason: ecosystem.Unreadable,
		What: fmt.Sprintf("%s declares more than docent can read (the limits are %d files, %d MiB and %d symbols; for one file: %v)",
			nameOf(r.main.Package), maxFiles, maxBytes>>20, maxSymbols, dts.ErrTooMuch),
		Next: "request one of its entry points",
		Err:  r.err,
	}
}

// maxNear is the maximum number of entry points that are suggested instead of a missing one.
const maxNear = 10

func (r *Reader) noEntry(subpath string, entries []Entry) error {
	e := &ecosystem.Error{
		Reason: ecosystem.NoneExported,
		What:   fmt.Sprintf("%s has no declarations and no source for %q", nameOf(r.main.Package), subpath),
		Next:   "request another version, or check that all its files exist",
	}
	if subpath != "." {
		e.Reason = ecosystem.NotFound
		e.What = fmt.Sprintf("%s has no entry point %q", nameOf(r.main.Package), subpath)
		e.Next = fmt.Sprintf("request one of these entry points, or %s with %s as the symbol if it is one of its exports", r.main.Name, path.Base(subpath))
	}
	var d spelling.Distance
	far := func(x Entry) int { return d.Between(x.Subpath, subpath, spelling.MaxCompared) }
	entries = slices.SortedFunc(slices.Values(entries), func(a, b Entry) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a.Subpath, b.Subpath))
	})
	for _, x := range entries[:min(len(entries), maxNear)] {
		e.Near = append(e.Near, r.main.Name+x.Subpath[1:])
	}
	return e
}
