// Package crate reads the documentation of Rust crates from their sources:
// modules, names and imports across the crate and its dependencies,
// implementations, and macros that expand to items. It never runs or builds
// anything.
package crate

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

// Source describes where the files of one crate are and how the crate is compiled.
type Source struct {
	Name      string // name of the library in paths, such as "serde_json"
	Package   string // package name: "serde-json"
	FS        fs.FS  // the package's root directory
	Dir       string // path of FS on disk, or "" for an archive
	Lib       string // root file of the library in FS, such as "src/lib.rs"
	Build     string // path of the build script, or "" for build.rs
	Edition   string // "2015" … "2024"
	ProcMacro bool   // whether the library exports only procedural macros
	// Documentation is the URL of the documentation or homepage that the manifest names.
	Documentation string
	Features      []string // enabled features, including those that others enable
	Requested     []string // the features in Features that are enabled only because the question requests them
	Declared      []string // all features that the manifest declares
	Test          bool     // whether tests are compiled, too
	Target        string   // target triple for which cfg conditions are decided, such as "x86_64-unknown-linux-gnu"
	// Module is the path of the module whose symbols Read returns, such as
	// "sync::mpsc"; "" means the root of the crate.
	Module string
	// Parsed are the files that a Program does not have to read again, or nil.
	Parsed *ParsedFiles
	// Scans is not nil if the files in Dir do not change.
	Scans *Scans
	// Deps maps the name of a dependency in paths to a key for the Importer.
	Deps map[string]string
}

// Importer returns the crate that a name at the beginning of a path refers to in crate
// from, including "std", "core" and "alloc". It returns fs.ErrNotExist if the sources of
// the crate are not available.
type Importer func(from *Source, name string) (*Source, error)

// Read returns the documentation of the module src.Module of a crate.
func Read(ctx context.Context, src *Source, imp Importer) (*apidoc.Package, error) {
	r, err := NewReader(ctx, src, imp)
	if err != nil {
		return nil, err
	}
	return r.Read(ctx, src.Module)
}

// Reader reads modules of one crate and parses each file of the crate only
// once. It is not safe for concurrent use.
type Reader struct {
	k *krate
}

// NewReader opens a crate.
func NewReader(ctx context.Context, src *Source, imp Importer) (*Reader, error) {
	k, err := newWorld(ctx, imp).open(src)
	if err != nil {
		return nil, err
	}
	return &Reader{k}, nil
}

// Read returns the documentation of a module. module is "" for the root of the crate. After an
// error other than fs.ErrNotExist, the Reader must not be used again.
func (r *Reader) Read(ctx context.Context, module string) (*apidoc.Package, error) {
	r.k.w.resume(ctx)
	m, cfg, err := r.k.publicModule(module)
	if err != nil {
		return nil, err
	}
	return r.k.document(m, module, cfg)
}

// All returns the documentation of each public module of a crate, the root
// first.
func All(ctx context.Context, src *Source, imp Importer) ([]*apidoc.Package, error) {
	w := newWorld(ctx, imp)
	k, err := w.open(src)
	if err != nil {
		return nil, err
	}
	root, err := k.document(k.root, "", "")
	if err != nil {
		return nil, err
	}
	all := []*apidoc.Package{root}
	for _, sub := range root.Subpackages {
		name := strings.TrimPrefix(sub.Name, src.Name+"::")
		m, cfg, err := k.publicModule(name)
		if err != nil {
			return nil, err
		}
		p, err := k.document(m, name, cfg)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// document documents a module. constraint is the module's own condition.
func (k *krate) document(m *module, name, constraint string) (*apidoc.Package, error) {
	k.link()
	doc := &documenter{k: k, mod: m, mentioning: true}
	k.w.symbols = 0
	out := &apidoc.Package{Name: k.src.Name, LocalName: k.src.Name, Symbols: []apidoc.Symbol{}}
	if name != "" {
		out.Name, out.Module = k.src.Name+"::"+name, k.src.Name
		out.LocalName = name[strings.LastIndexByte(name, ':')+1:]
	}
	var s apidoc.Symbol
	doc.comment(&s, m.def)
	out.Doc, out.Deprecated = s.Doc, s.Deprecated
	out.Synopsis = markup.Synopsis(out.Doc)
	exports := m.exportsOf()
	k.w.likePrimitives = likePrimitives(exports)
	if name == "" {
		doc.sections = doc.guides()
		out.Sections = doc.sections
	}
	out.Symbols, out.Elsewhere = doc.symbols(exports)
	out.Hidden, out.Wrapped = doc.hiddenNames(out), doc.wrapped
	doc.refer(out, exports)
	if names := doc.veiledNames(out); len(names) > 0 {
		out.Options = append(out.Options, "The module also re-exports "+quote.Count(len(names), "name")+" that its documentation does not list: "+quote.List(names, maxVeiled)+". Each can be described.")
	}
	if c, off := strings.CutSuffix(constraint, offMark); off {
		out.Advice = append(out.Advice, "The module requires "+c+", which is disabled; docent shows the module's members on request.")
	}
	doc.subpackages(out)
	k.warn(out)
	if k.w.err != nil {
		return nil, fmt.Errorf("read the crate %s: %w", k.src.Name, k.w.err)
	}
	return out, nil
}

// maxVeiled is the maximum number of re-exports that documentation omits and docent lists.
const maxVeiled = 40

// publicModule finds a module by its public path. constraint is the condition
// under which it exists.
func (k *krate) publicModule(name string) (m *module, constraint string, err error) {
	m = k.root
	if name == "" {
		return m, "", nil
	}
	doc := &documenter{k: k, mod: m}
	for part := range strings.SplitSeq(name, "::") {
		var found *export
		for _, x := range m.exportsOf() {
			if x.name == part && x.def.kind == source.Module && x.def.sub != nil && (found == nil || found.off) {
				found = &x
			}
		}
		if found == nil {
			return nil, "", fmt.Errorf("the crate %s does not have a public module %s: %w", k.src.Name, name, fs.ErrNotExist)
		}
		doc.mod = m
		constraint = doc.constraint(found)
		m = found.def.sub
		m.ensure()
	}
	return m, constraint, nil
}

// maxSubpackages is the maximum number of modules that are listed.
const maxSubpackages = 20_000

// subpackages lists the public modules below the documented module.
func (w *documenter) subpackages(out *apidoc.Package) {
	seen := map[*module]bool{w.mod: true}
	var list func(m *module, path string)
	list = func(m *module, path string) {
		var here []export
		for _, x := range m.modulesFirst() {
			if x.def.kind == source.Module && x.def.krate == m.krate && x.def.sub != nil && !x.off && !w.hidden(&x) && !seen[x.def.sub] && len(out.Subpackages) < maxSubpackages {
				seen[x.def.sub] = true
				here = append(here, x)
			}
		}
		slices.SortFunc(here, func(a, b export) int { return strings.Compare(a.name, b.name) })
		for _, x := range here {
			var s apidoc.Symbol
			w.comment(&s, x.def)
			out.Subpackages = append(out.Subpackages, apidoc.Subpackage{Name: path + "::" + x.name, Synopsis: markup.Synopsis(s.Doc)})
			list(x.def.sub, path+"::"+x.name)
		}
	}
	list(w.mod, out.Name)
}

// warn adds a warning for each part that could not be read.
func (k *krate) warn(out *apidoc.Package) {
	if len(k.missing) > 0 {
		slices.Sort(k.missing)
		out.Warnings = append(out.Warnings, "The files of these modules are missing: "+quote.List(slices.Compact(k.missing), 10)+".")
	}
	if names := slices.Sorted(maps.Keys(k.unread)); len(names) > 0 {
		out.Warnings = append(out.Warnings, "Docent cannot list re-exports from these crates, because their sources are not available: "+quote.List(names, 10)+".")
	}
	if len(k.lost) > 0 {
		n := 0
		var names []string
		for name, count := range k.lost {
			n += count
			names = append(names, name)
		}
		slices.Sort(names)
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s (%d): %s.", notExpanded, n, quote.List(names, 10)))
	}
}

const notExpanded = "Docent did not expand macros that may declare items"

// HasGaps reports whether declarations may be missing because macros were not expanded.
func HasGaps(p *apidoc.Package) bool {
	return slices.ContainsFunc(p.Warnings, func(w string) bool { return strings.Contains(w, notExpanded) })
}
