package module

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/docc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/doctext"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/header"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/work"
)

// Read returns the documentation of a module of a package. The other modules that are
// part of products are its Subpackages.
func Read(ctx context.Context, p Package) (*apidoc.Package, error) {
	if t := p.cTarget(); t != nil {
		return readHeaders(ctx, p, t), nil
	}
	r, err := open(ctx, p)
	if err != nil {
		return nil, err
	}
	return newDocumenter(r).document()
}

// cTarget returns the target of the requested module if its language is C, C++
// or Objective-C, or nil. If no module is requested, that is the target with the name of the
// package, or else the first one, in a package without a product in Swift.
func (p *Package) cTarget() *Target {
	if p.Module == "" {
		var first *Target
		for i := range p.Targets {
			switch t := &p.Targets[i]; {
			case len(t.Products) == 0 || t.Macro:
			case !t.C:
				return nil
			case first == nil || alike(t.Name, p.Name) && !alike(first.Name, p.Name):
				first = t
			}
		}
		return first
	}
	for i := range p.Targets {
		if t := &p.Targets[i]; t.C && (t.Name == p.Module || t.module() == p.Module) {
			return t
		}
	}
	return nil
}

// readHeaders documents a C, C++ or Objective-C module.
func readHeaders(ctx context.Context, p Package, t *Target) *apidoc.Package {
	out := &apidoc.Package{Name: t.module(), Module: p.Name, Version: p.Version, LocalName: t.module(), Platform: p.Platform, Symbols: []apidoc.Symbol{}}
	symbols, warnings := header.ReadModule(work.FromContext(ctx), p.Root, t.Files)
	out.Symbols = append(out.Symbols, symbols...)
	out.Warnings = warnings
	out.Advice = append(out.Advice, header.Note)
	out.Subpackages = p.subpackages(out.Name)
	return out
}

// subpackages returns the modules that are part of products, except one.
func (p *Package) subpackages(but string) []apidoc.Subpackage {
	var all []apidoc.Subpackage
	for i := range p.Targets {
		if t := &p.Targets[i]; len(t.Products) > 0 && t.module() != but && !t.Macro {
			all = append(all, apidoc.Subpackage{Name: t.module()})
		}
	}
	return all
}

// documenter documents the module of a reading.
type documenter struct {
	*reading
	catalogue *docc.Catalogue
	paths     map[string]bool   // paths of the symbols that are shown
	unlabeled map[string]string // full paths by paths without argument labels
	byName    map[string]bool   // last names of types that are shown
	texts     map[docKey]*doctext.Text
	// handedDown caches the documentation of members that other types inherit, without
	// their paths.
	handedDown map[*entity]*apidoc.Symbol
	// references caches the targets of names. imported contains the symbol of another package that
	// a name refers to in the first signature that uses it. importNames contains these names in the
	// order in which they were found.
	references  map[nameUse]apidoc.Ref
	imported    map[string]apidoc.Ref
	importNames []string
	fileImports map[*file]*fileImports
	typeNames   map[string]bool // first components of the names of all types that were read
	// aliased is the type whose members are documented below an alias, or nil.
	aliased *entity
}

// docKey identifies a comment and the scope in which its links are resolved.
type docKey struct{ comment, scope string }

func newDocumenter(r *reading) *documenter {
	d := &documenter{reading: r, paths: map[string]bool{}, unlabeled: map[string]string{}, byName: map[string]bool{}, texts: map[docKey]*doctext.Text{}, handedDown: map[*entity]*apidoc.Symbol{}, references: map[nameUse]apidoc.Ref{}, imported: map[string]apidoc.Ref{},
		fileImports: map[*file]*fileImports{}, typeNames: r.typeNames()}
	var files []string
	for _, u := range r.shown {
		files = append(files, u.target.Files...)
	}
	d.catalogue = docc.Read(r.w.p.Root, files, r.unit.name)
	for e := range r.all {
		d.note(e)
		if t := d.renamed(e); t != nil {
			d.noteMembers(t)
		}
	}
	return d
}

// note records the path and the name of an entity that is shown.
func (d *documenter) note(e *entity) {
	d.paths[e.path] = true
	if plain := withoutLabels(e.path); plain != e.path {
		if _, ok := d.unlabeled[plain]; !ok {
			d.unlabeled[plain] = e.path
		}
	}
	if e.isNamed() && !e.is(source.AssociatedType) {
		d.byName[e.name] = true
	}
}

// noteMembers records the members of a type that are available through an alias.
func (d *documenter) noteMembers(t *entity) {
	for _, m := range t.members {
		if m.isVisible() {
			d.note(m)
			d.noteMembers(m)
		}
	}
}

// withoutLabels removes the argument labels from a path.
func withoutLabels(path string) string {
	if i := strings.IndexByte(path, '('); i > 0 && strings.HasSuffix(path, ")") {
		return path[:i]
	}
	return path
}

func (d *documenter) document() (*apidoc.Package, error) {
	p := &d.w.p
	out := &apidoc.Package{Name: d.unit.name, Module: p.Name, Version: p.Version, LocalName: d.unit.name, Platform: p.Platform, Symbols: []apidoc.Symbol{}}
	for _, u := range d.shown {
		for _, e := range u.top {
			if s, ok := d.topLevel(e); ok {
				out.Symbols = append(out.Symbols, s)
			}
		}
	}
	for _, e := range d.picked {
		out.Symbols = append(out.Symbols, d.symbol(e))
	}
	for _, t := range d.extended() {
		if s, ok := d.extension(t); ok && !d.isPicked(t) {
			out.Symbols = append(out.Symbols, s)
		}
	}
	out.Symbols = merged(out.Symbols)
	for _, name := range d.importNames {
		out.Imports = append(out.Imports, d.imported[name])
	}
	if e := d.catalogue.Extension(""); e != nil {
		out.Doc = e.Text
		d.arrange(out.Symbols, e.Topics)
	}
	out.Synopsis = markup.Synopsis(out.Doc)
	out.Sections = d.catalogue.Sections(d.resolver(""))
	out.Elsewhere = d.elsewhere()
	for _, t := range d.exportedC() {
		symbols, warnings := header.ReadModule(d.w.meter, p.Root, t.Files)
		out.Symbols = append(out.Symbols, symbols...)
		out.Warnings = append(out.Warnings, warnings...)
	}
	if out.Subpackages = p.subpackages(d.unit.name); len(out.Subpackages) > 0 {
		out.Above = d.w.mainUnit().name
	}
	d.warn(out)
	if err := d.w.ctx.Err(); err != nil {
		return nil, fmt.Errorf("read the Swift module %s: %w", d.unit.name, err)
	}
	return out, nil
}

// exportedC returns the C targets that the module re-exports.
func (d *documenter) exportedC() []*Target {
	var all []*Target
	for _, u := range d.shown {
		for i := range u.p.Targets {
			if t := &u.p.Targets[i]; t.C && u.p == &d.w.p && slices.Contains(u.exported, t.module()) {
				all = append(all, t)
			}
		}
	}
	return all
}

// warn adds a warning for each part that could not be read.
func (d *documenter) warn(out *apidoc.Package) {
	if names := d.w.missing; len(names) > 0 {
		slices.Sort(names)
		out.Warnings = append(out.Warnings, "These files could not be read: "+quote.List(names, 5)+".")
	}
	lost := 0
	var where []string
	for _, u := range d.shown {
		for _, f := range u.files {
			lost += f.Lost
			for _, s := range f.Skipped {
				where = append(where, fmt.Sprintf("%s:%d (%s)", f.Name, s.Line, s.Reason))
			}
		}
	}
	if lost > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s could not be read: %s.", quote.Count(lost, "declaration"), quote.List(where, 5)))
	}
	out.Warnings = append(out.Warnings, d.catalogue.Warnings...)
}

// topLevel documents a declaration outside types. It returns false if the declaration
// is not shown.
func (d *documenter) topLevel(e *entity) (apidoc.Symbol, bool) {
	switch e.decl.Kind {
	case source.Operator, source.PrecedenceGroup:
		if strings.HasPrefix(e.name, "_") {
			return apidoc.Symbol{}, false
		}
		s := apidoc.Symbol{Path: e.name, Kind: apidoc.Operator, Signature: e.decl.Declaration(source.Inferred{}), File: e.file.Name, Line: e.decl.Line}
		if e.decl.Kind == source.PrecedenceGroup {
			s.Kind = apidoc.PrecedenceGroup
			s.Signature = cmp.Or(strings.TrimSpace(e.file.Text[e.decl.Start:e.decl.End]), s.Signature)
			if i := strings.Index(s.Signature, "precedencegroup"); i > 0 {
				s.Signature = s.Signature[i:]
			}
		}
		d.comment(&s, e)
		return s, true
	}
	if !e.isVisible() {
		return apidoc.Symbol{}, false
	}
	return d.symbol(e), true
}

// symbol documents an entity with its members.
func (d *documenter) symbol(e *entity) apidoc.Symbol {
	s := apidoc.Symbol{Path: e.path, Kind: symbolKind(e), File: e.file.Name, Line: e.decl.Line}
	s.Signature = d.signature(e, false)
	s.Refs = d.refs(s.Signature, e)
	d.comment(&s, e)
	s.Deprecated = cmp.Or(d.deprecation(e), s.Deprecated)
	if e.isType() {
		s.Members = d.members(e, d.catalogue.Extension(e.path))
	}
	if t := d.renamed(e); t != nil {
		if s.Doc == "" {
			d.comment(&s, t)
		}
		d.aliased = t
		s.Members = d.members(t, nil)
		d.aliased = nil
		s.Doc = strings.TrimSpace(s.Doc + "\n\n**Stands for:** `" + strings.Join(strings.Fields(strings.ReplaceAll(d.signature(t, false), "`", "")), " ") + "`")
	}
	return s
}

// renamed returns the type in another module of the package for which an alias
// provides a name. It returns nil for other aliases.
func (d *documenter) renamed(e *entity) *entity {
	if !e.is(source.TypeAlias) || e.parent != nil {
		return nil
	}
	t := e.underlying()
	if t == e || t.decl == nil || !t.isType() || t.path != e.path || d.shows(t.unit) || !t.isVisible() {
		return nil
	}
	return t
}

// lists reports whether a member is documented. That is the case if it belongs to a
// module that is shown, or to a type of another module that this module makes
// available.
func (d *documenter) lists(m *entity) bool {
	if d.shows(m.unit) || d.isPicked(m) {
		return true
	}
	for ; d.aliased != nil && m != nil; m = m.parent {
		if m == d.aliased {
			return true
		}
	}
	return false
}

// comment converts the documentation comment of an entity.
func (d *documenter) comment(s *apidoc.Symbol, e *entity) {
	scope := e.path
	text := ""
	if e.decl.Comment != "" {
		key := docKey{e.decl.Comment, ""}
		if strings.Contains(e.decl.Comment, "``") {
			key.scope = scope
		}
		t := d.texts[key]
		if t == nil {
			converted := doctext.Convert(e.decl.Doc(), d.catalogue.Options(d.resolver(scope)))
			t = &converted
			d.texts[key] = t
		}
		text, s.Examples, s.Deprecated = t.Body, t.Examples, t.Deprecated
	}
	s.Doc = d.catalogue.Extension(e.path).Comment(text)
}

// resolver returns a function that finds the symbols to which links in a
// comment refer.
func (d *documenter) resolver(scope string) doctext.Resolver {
	return func(link string) (string, bool) {
		link = strings.TrimPrefix(link, d.unit.name+".")
		for s := scope; ; {
			path := join(s, link)
			if d.paths[path] {
				return path, true
			}
			if full := d.unlabeled[path]; full != "" {
				return full, true
			}
			if s == "" {
				return "", false
			}
			s = s[:max(0, strings.LastIndexByte(withoutLabels(s), '.'))]
		}
	}
}

// arrange orders symbols by the topics of a page. Symbols that are not in any
// topic follow.
func (d *documenter) arrange(all []apidoc.Symbol, topics []doctext.Topic) {
	place := map[string]int{}
	for _, t := range topics {
		for _, link := range t.Links {
			link = strings.TrimPrefix(link, d.unit.name+".")
			if _, ok := place[link]; !ok {
				place[link] = len(place)
			}
		}
	}
	if len(place) == 0 {
		return
	}
	order := func(s *apidoc.Symbol) int {
		for _, name := range []string{s.Path, s.Name(), withoutLabels(s.Path), withoutLabels(s.Name())} {
			if i, ok := place[name]; ok {
				return i
			}
		}
		return len(place)
	}
	slices.SortStableFunc(all, func(a, b apidoc.Symbol) int { return cmp.Compare(order(&a), order(&b)) })
}
