package crate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/macros"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/work"
)

// These constants limit what is read into one world.
const (
	maxFiles  = 50_000
	maxBytes  = 400 << 20 // maximum size in bytes of all files
	maxCrates = 3000
	// maxModules is the maximum nesting depth of modules.
	maxModules = 64
	// maxRecursion is the maximum nesting depth of expansions of macros that expand to macro
	// calls.
	maxRecursion = 128
	maxSteps     = 60_000_000 // maximum number of tokens that all expansions together may match
	maxCalls     = 400_000
	maxCall      = 4 << 20   // maximum size in bytes of one call
	maxExpanded  = 128 << 20 // maximum number of bytes that all expansions together may write
	maxItems     = 1_000_000 // maximum number of items of all texts in memory
	maxSymbols   = 100_000   // maximum number of symbols of one module, including members
)

var errTooMuch = errors.New("the crate is too large to be read")

// world contains the crates that one reading has opened.
type world struct {
	ctx    context.Context
	meter  *work.Meter
	imp    Importer
	crates map[string]*krate // keyed by identity
	// primitives are the types of the language that the standard library documents, by name.
	primitives map[string]*def
	budget     macros.Budget
	files      int
	bytes      int
	granted    int64 // size in bytes of the files that were read, each counted once
	items      int
	symbols    int // number of symbols of the documented module
	calls      int // number of macro calls that may still be expanded
	unfinished unfinished
	mentions   *[]mention // names in the current signature, or nil if they are not recorded
	// likePrimitives are the names of the documented module's functions that are also names of
	// primitive types.
	likePrimitives map[string]bool
	err            error  // why reading has ended
	buffer         []byte // for reading files
	scanned        bytes.Buffer
	// program is true if code that uses the crates is read, and not their documentation: options of
	// the build that are unknown may be on.
	program bool
	// standard is the outline of std, in a program, and prelude2024 its prelude, which contains those of older editions.
	standard    *krate
	prelude2024 *module
}

func newWorld(ctx context.Context, imp Importer) *world {
	return &world{ctx: ctx, meter: work.FromContext(ctx), imp: imp, crates: map[string]*krate{}, primitives: map[string]*def{}, budget: macros.Budget{Meter: work.FromContext(ctx), Steps: maxSteps, Bytes: maxExpanded}, calls: maxCalls}
}

// resume assigns the world to another reading, which gets the same number of steps as if it
// had read the files itself.
func (w *world) resume(ctx context.Context) {
	w.ctx = ctx
	if m := work.FromContext(ctx); m != w.meter {
		w.meter, w.budget.Meter = m, m
		m.Grant(w.granted)
	}
}

// failed counts a step and reports whether the reading has ended early.
func (w *world) failed() bool {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err != nil || !w.meter.Step(1)
}

// krate is one crate.
type krate struct {
	w        *world
	src      *Source
	id       string
	platform *platform
	root     *module
	unit     *unit   // the root file
	units    []*unit // the files of a crate of procedural macros
	// macroCode is the code of the procedural macros of the crate, or nil if it has not been read.
	macroCode *macroCode
	ruleNames map[string]bool // names of macros by example that modules of the crate declare
	deps      map[string]*krate
	// macroUse are the crates whose macros are in scope in every module.
	macroUse []*krate
	aliases  map[string]*def // names that extern crate declarations in the root bind
	impls    []*impl
	// macroAliases are, in a program, the aliases to which macros are applied, and macroTypes the types to which they refer.
	macroAliases []*def
	macroTypes   map[*def]bool
	foreign      map[*def]bool // in a program, the types and traits of other crates with which its implementations are listed
	items        int           // number of its items in memory
	primitives   []*def        // primitive types that modules of the crate document
	pending      []*pendingCall
	lost         map[string]int    // calls to macros that were not expanded, by name
	lostCalls    []string          // the text of those calls, in a program
	offTexts     map[string]string // in a program, the texts of modules that are off because a feature is on, by file
	offModules   []offModule       // those modules
	opaque       bool              // whether such a call, in a program, may declare members of any type
	missing      []string          // names of missing files
	building     bool
	unread       map[string]bool // crates without sources whose names are re-exported
	paths        map[*def]string // shortest public paths
	veiledPaths  map[*def]string // shortest public paths that documentation omits
	exported     map[*def]bool   // the definitions that paths refer to, including hidden ones
	queue        []publicPath    // the modules whose exports paths does not contain yet
	visited      map[publicPath]bool
	derivedOf    map[*def]*def // traits that derives of procedural macros implement
	implDone     bool
	blanket      []*blanket
	blanketDone  bool
	existing     map[string]bool         // results of exists
	granted      map[string]bool         // names of the files whose size has been counted by the meter
	attrs        map[*source.Item][]attr // attributes of items, if they were computed
	moduleAttrs  map[*source.Item][]attr // attributes of modules, including those of their files
	typeNames    map[string]bool         // results of hasType
	epoch        int                     // incremented when missing names may have been added
	// deferred contains, for a dependency, the files that were examined, and whether they can be read on demand.
	deferred  map[string]bool
	generates bool      // whether macros of the crate declare macros, which may be exported
	ahead     *prefetch // set while the crate is being opened
}

// unit is a parsed text: a file, or the expansion of a macro.
type unit struct {
	*source.File
	krate *krate
	path  string
	// dir is the directory of modules that are declared in a file named by
	// include!.
	dir string
	// line is the line of the macro call. It is 0 for a file and for a part of a file.
	line   int
	before int          // number of lines of the file before the part
	lines  []int        // offsets of lines
	depth  int          // depth of nested expansions
	cfg    []*predicate // conditions of the macro call
	inner  *krate       // the crate whose macros the expansion calls, if the macro has the attribute local_inner_macros
	full   *unit        // the unit with the bodies, once they are needed
}

// whole returns the unit with the bodies that were removed from its text.
func (u *unit) whole() *unit {
	if !u.Shortened() {
		return u
	}
	if u.full == nil {
		full := *u
		text, _ := u.krate.w.text(u.krate.src.FS, u.path) // Of a file that has disappeared, the items are missing.
		full.File, full.lines = &source.File{Text: text}, nil
		u.full = &full
	}
	return u.full
}

// Line returns the line of a position, counted from 1.
func (u *unit) Line(pos int32) int {
	if u.line > 0 {
		return u.line
	}
	if u.lines == nil {
		u.lines = append(u.lines, 0)
		for i := 0; ; {
			n := strings.IndexByte(u.Text[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			u.lines = append(u.lines, i)
		}
	}
	return u.before + sort.SearchInts(u.lines, int(pos)+1) + u.RemovedLines(pos)
}

// identity returns a string that distinguishes sources.
func identity(src *Source) string {
	return src.Name + "\x00" + src.Package + "\x00" + src.Dir + "\x00" + src.Lib + "\x00" + strings.Join(src.Features, ",") + fmt.Sprintf("\x00%p", src)
}

// open reads the modules of a crate.
func (w *world) open(src *Source) (*krate, error) { return w.openCrate(src, false) }

// openCrate is like open. If dependency is true, it does not read the files that can be read on demand.
func (w *world) openCrate(src *Source, dependency bool) (*krate, error) {
	id := identity(src)
	if k := w.crates[id]; k != nil {
		return k, nil
	}
	if len(w.crates) >= maxCrates {
		return nil, errTooMuch
	}
	k := &krate{
		w: w, src: src, id: id, platform: newPlatform(src), deps: map[string]*krate{}, lost: map[string]int{},
		unread: map[string]bool{}, granted: map[string]bool{}, existing: map[string]bool{}, attrs: map[*source.Item][]attr{}, moduleAttrs: map[*source.Item][]attr{}, aliases: map[string]*def{},
	}
	w.crates[id] = k
	if dependency && !src.ProcMacro && !w.program {
		k.deferred = map[string]bool{}
	}
	k.platform.anyFlag, k.platform.flags["test"] = w.program, src.Test
	k.ahead = newPrefetch(k)
	defer func() {
		k.ahead.stop()
		k.ahead = nil
	}()
	lib := path.Clean(src.Lib)
	u, err := k.file(lib)
	if err != nil {
		delete(w.crates, id)
		return nil, fmt.Errorf("read the crate %s: %w", src.Name, err)
	}
	k.unit = u
	k.root = &module{krate: k, name: src.Name, names: map[string][]*entry{}, dir: path.Dir(lib), fileDir: path.Dir(lib), loaded: true}
	k.root.def = &def{kind: source.Module, name: src.Name, krate: k, unit: u, sub: k.root, public: true, item: source.NewItem(source.Module, src.Name, u.Inner)}
	k.buildScript()
	k.building = true
	k.collect(k.root, u.Items, u, nil)
	k.expandPending()
	k.building = false
	if len(k.offTexts) > 0 {
		for _, u := range k.allUnits() { // a module that is on has the same file, and with it the same items
			delete(k.offTexts, u.path)
		}
	}
	return k, w.err
}

// file reads and parses a file of the crate.
func (k *krate) file(name string) (*unit, error) {
	w := k.w
	u := &unit{krate: k, path: name}
	if f := k.src.Parsed.file(name); f != nil {
		u.File = f
	} else if f := k.ahead.take(name); f != nil {
		if w.failed() {
			return nil, w.err
		}
		if err := cmp.Or(w.countFile(), w.admit(f.info)); err != nil {
			return nil, err
		}
		k.granted[name] = true
		w.granted += int64(f.size)
		u.File = f.file
		k.generates = k.generates || f.generates
	} else {
		text, err := k.read(name)
		if err != nil {
			return nil, err
		}
		k.generates = k.generates || strings.Contains(text, generator)
		u.File = k.parser()(w.meter, text)
	}
	k.src.Parsed.add(name, u.File)
	k.counted(u.Count)
	if k.src.ProcMacro {
		k.units = append(k.units, u)
	}
	return u, w.err
}

// parser returns the function that parses files of the crate.
func (k *krate) parser() func(*work.Meter, string) *source.File {
	if k.src.ProcMacro || k.w.program {
		return source.ParseMetered // Attributes are documented from the bodies of functions, and a program needs most implementations.
	}
	return source.ParseOutline
}

// parse parses text and counts its items.
func (k *krate) parse(text string) *source.File {
	f := source.ParseMetered(k.w.meter, text)
	k.counted(f.Count)
	return f
}

// counted counts items that were read, or, if n is negative, are dropped. If there are too many, it sets w.err.
func (k *krate) counted(n int) {
	k.items += n
	w := k.w
	if w.items += n; w.items > maxItems && w.err == nil {
		w.err = errTooMuch
	}
}

// read reads a file of the crate. The file must be within the crate.
func (k *krate) read(name string) (string, error) {
	w := k.w
	if w.failed() {
		return "", w.err
	}
	if !fs.ValidPath(name) {
		return "", fs.ErrNotExist
	}
	if err := w.countFile(); err != nil {
		return "", err
	}
	text, err := w.text(k.src.FS, name)
	if err != nil {
		return "", err
	}
	if k.granted[name] {
		w.meter.Step(8 * len(text)) // Count steps, because a file that includes itself is read repeatedly.
	} else {
		k.granted[name] = true
		w.granted += int64(len(text))
		w.meter.Grant(int64(len(text)))
	}
	return text, nil
}

// countFile counts a file that is about to be read. It fails if there are too many.
func (w *world) countFile() error {
	if w.files++; w.files > maxFiles {
		w.err = errTooMuch
	}
	return w.err
}

// text returns the text of a file, of which there is only one copy in memory.
func (w *world) text(files fs.FS, name string) (string, error) {
	if w.buffer == nil {
		w.buffer = make([]byte, 64<<10)
	}
	text, _, err := readText(files, name, w.buffer, w.admit)
	return text, err
}

// admit counts the size of a file that is about to be read. It fails if the file, or all files
// together, are too large.
func (w *world) admit(info fs.FileInfo) error {
	if w.bytes += int(info.Size()); w.bytes > maxBytes {
		w.err = errTooMuch
	}
	if w.err != nil || !info.Mode().IsRegular() || info.Size() > source.MaxText {
		return errTooMuch
	}
	return nil
}

// dep returns the crate that a name refers to at the beginning of a path, or nil if its
// sources are not available.
func (k *krate) dep(name string) *krate {
	if d, ok := k.deps[name]; ok {
		return d
	}
	k.deps[name] = nil // This is the value while the crate is being opened.
	if k.w.imp == nil || k.w.failed() {
		return nil
	}
	src, err := k.w.imp(k.src, name)
	if err != nil || src == nil {
		return nil
	}
	if d, err := k.w.openCrate(src, true); err == nil {
		k.deps[name] = d
		return d
	}
	return nil
}

// knows reports whether a name refers to a dependency or a crate of the standard library.
func (k *krate) knows(name string) bool {
	switch name {
	case "std", "core", "alloc", "proc_macro", "test":
		return true
	}
	_, ok := k.src.Deps[name]
	return ok
}
