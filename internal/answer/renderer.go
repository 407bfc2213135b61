package answer

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// Renderer writes answers about one package. It computes values that several answers need when they
// are first needed, and caches the most recent overviews. It is safe for concurrent use. The
// package must not change while it is in use.
type Renderer struct {
	pkg *apidoc.Package
	// inOrder returns the results of readDecls.
	inOrder func() []decl
	// decls returns the declarations in the order in which they are shown.
	decls func() []decl
	types func() *typeIndex
	// symbols returns the symbols of the package that are not inherited.
	symbols func() []*apidoc.Symbol
	// uses returns the declarations that mention each type.
	uses func() map[*apidoc.Symbol][]*apidoc.Symbol
	// namedFor returns the operations that are named after a type, by the type's name in lower
	// case.
	namedFor func() operationsByName
	// boilerplate returns the paragraphs that many comments of the package repeat.
	boilerplate func() map[string]bool
	// resolver finds the symbols that the names in declarations refer to.
	resolver *naming.Resolver
	// condition returns the condition of all symbols.
	condition func() string

	byPath     memo[string, *apidoc.Symbol]           // symbols by path
	referrals  memo[string, *apidoc.Symbol]           // symbols that names in comments refer to
	shapes     memo[*apidoc.Symbol, shape]            // shapes of symbols, for finding siblings
	with       memo[*apidoc.Symbol, []decl]           // results of goesWith
	compacts   memo[compactKey, compacted]            // types that calls need
	listings   memo[compactKey, compacted]            // results of listingOf
	calls      memo[*apidoc.Symbol, calledTypes]      // results of callTypes
	short      memo[declKey, *apidoc.Decl]            // results of concise
	parsed     memo[declKey, *apidoc.Decl]            // results of parse
	common     memo[*apidoc.Symbol, bool]             // results of isCommon
	named      memo[*apidoc.Symbol, []*apidoc.Symbol] // results of candidates
	references memo[string, []referenceTo]            // references in comments
	comments   memo[string, string]                   // results of cleanComment

	mu        sync.Mutex
	overviews []cachedOverview // the most recent overviews
}

// cachedOverview is an overview together with the options for which it was created.
type cachedOverview struct {
	options Options
	below   int // number of packages below that the caller had read
	answer  func() *Answer
}

// maxOverviews is the number of overviews that a Renderer caches.
const maxOverviews = 4

// NewRenderer returns a Renderer for p.
func NewRenderer(p *apidoc.Package) *Renderer {
	r := &Renderer{pkg: p, resolver: naming.NewResolver(p)}
	r.inOrder = sync.OnceValue(r.readDecls)
	r.decls = sync.OnceValue(func() []decl {
		if p.Style.KindOrder != nil {
			return r.inOrder()
		}
		return r.optionsBesideTypes(r.inOrder())
	})
	r.symbols = sync.OnceValue(func() []*apidoc.Symbol { return ownSymbols(p) })
	r.uses = sync.OnceValue(r.readUses)
	r.namedFor = sync.OnceValue(r.readNamedFor)
	r.boilerplate = sync.OnceValue(func() map[string]bool {
		if len(p.Symbols) < minSymbols {
			return nil
		}
		return findBoilerplate(r.symbols())
	})
	r.condition = sync.OnceValue(func() string { return packageCondition(p) })
	r.types = sync.OnceValue(func() *typeIndex { return indexTypes(p) })
	return r
}

// Package returns the package that r writes about.
func (r *Renderer) Package() *apidoc.Package { return r.pkg }

// decl is one declaration: a symbol, or a group of several.
type decl struct {
	symbols []apidoc.Symbol
	group   *apidoc.Group // nil for a single symbol
	also    []string      // other paths of the same symbol, which are not listed
}

func (d *decl) first() *apidoc.Symbol { return &d.symbols[0] }

func (d *decl) doc() string {
	if d.group != nil {
		return d.group.Doc
	}
	return d.first().Doc
}

// readDecls returns the declarations of the package in the order of the language's own documentation
// tool, or in the order of the kinds. Functions that create or configure a type follow the type.
func (r *Renderer) readDecls() []decl {
	p := r.pkg
	all := make([]decl, 0, len(p.Symbols))
	for i := 0; i < len(p.Symbols); {
		n := 1
		var group *apidoc.Group
		if g := p.Symbols[i].Group; g > 0 && g <= len(p.Groups) {
			group = &p.Groups[g-1]
			for i+n < len(p.Symbols) && p.Symbols[i+n].Group == g {
				n++
			}
		}
		all = append(all, decl{symbols: p.Symbols[i : i+n], group: group})
		i += n
	}
	all = r.withoutAliases(all)
	if r.pkg.Style.KindOrder != nil {
		slices.SortStableFunc(all, func(a, b decl) int { return cmp.Compare(r.rank(a.first()), r.rank(b.first())) })
	}
	return all
}

// withoutAliases lists each symbol that is exported several times only once. It uses the path with
// the most members, and prefers the name to the default export.
func (r *Renderer) withoutAliases(all []decl) []decl {
	type place struct {
		file, signature, deprecated, constraint string
		line                                    int
	}
	better := func(a, b *apidoc.Symbol) bool {
		if len(a.Members) != len(b.Members) {
			return len(a.Members) > len(b.Members)
		}
		return r.pkg.IsDefault(b.Path)
	}
	first := map[place]int{}
	out := all[:0]
	for _, d := range all {
		s := d.first()
		key := place{s.File, s.Signature, s.Deprecated, s.Constraint, s.Line}
		i, again := first[key]
		if d.group != nil || s.File == "" || s.Line == 0 || !again {
			first[key] = len(out)
			out = append(out, d)
			continue
		}
		if before := &out[i]; better(s, before.first()) {
			before.also = append(before.also, before.first().Path)
			d.also = before.also
			*before = d
		} else {
			before.also = append(before.also, s.Path)
		}
	}
	return out
}

// optionsBesideTypes moves each type that only the functions of one other type mention after that
// other type, together with the functions that return it. For example, the type Option of NewClient
// is moved after Client.
func (r *Renderer) optionsBesideTypes(all []decl) []decl {
	var clusters [][]decl // a type with the functions that follow it
	index := map[string]int{}
	for _, d := range all {
		if first, ok := index[d.first().Of]; ok {
			clusters[first] = append(clusters[first], d)
			continue
		}
		if d.first().IsType() {
			index[d.first().Path] = len(clusters)
		}
		clusters = append(clusters, []decl{d})
	}
	const several = -1
	owner := map[int]int{} // the only other cluster that mentions a type of each cluster
	for i, c := range clusters {
		for k := range c {
			for t := range r.typesOfDecl(&c[k]) {
				j, ok := index[t.Path]
				if !ok || j == i {
					continue
				}
				if before, seen := owner[j]; seen && before != i || c[k].first().Of == "" && !seen {
					owner[j] = several
				} else {
					owner[j] = i
				}
			}
		}
	}
	behind := map[int][]int{}
	for i := range clusters {
		if owned, ok := owner[i]; ok && owned != several {
			if above, ok := owner[owned]; !ok || above == several {
				behind[owned] = append(behind[owned], i)
			}
		}
	}
	moved := map[int]bool{}
	for _, options := range behind {
		for _, i := range options {
			moved[i] = true
		}
	}
	out := make([]decl, 0, len(all))
	for i, c := range clusters {
		if moved[i] {
			continue
		}
		out = append(out, c...)
		for _, option := range behind[i] {
			out = append(out, clusters[option]...)
		}
	}
	return out
}

// ownSymbols returns the symbols of a package that are not inherited.
func ownSymbols(p *apidoc.Package) []*apidoc.Symbol {
	var declared []*apidoc.Symbol
	for s := range p.Declared {
		if s.From == "" {
			declared = append(declared, s)
		}
	}
	return declared
}

// isCommon reports whether more than commonUses declarations mention a type.
func (r *Renderer) isCommon(t *apidoc.Symbol) bool {
	return r.common.get(t, func() bool { return r.hasUses(t, commonUses+1) })
}

// hasUses reports whether at least n declarations mention a type. It parses as few declarations as
// possible.
func (r *Renderer) hasUses(t *apidoc.Symbol, n int) bool {
	candidates := r.candidates(t)
	for i, s := range candidates {
		if n <= 0 || n > len(candidates)-i {
			break
		}
		d := r.pkg.Decl(s) // resolving all references would take several times as long
		if r.isUse(s, &d, t) {
			n--
		}
	}
	return n <= 0
}

// isUse reports whether the declarations of a symbol mention a type.
func (r *Renderer) isUse(s *apidoc.Symbol, d *apidoc.Decl, t *apidoc.Symbol) bool {
	for found := range r.typesIn(d, -1, s) {
		if found == t {
			return true
		}
	}
	return false
}

// candidates returns the declarations that contain a name of a type. All declarations that mention
// the type are among them. It parses none of them.
func (r *Renderer) candidates(t *apidoc.Symbol) []*apidoc.Symbol {
	return r.named.get(t, func() (found []*apidoc.Symbol) {
		var names, paths []string
		add := func(s *apidoc.Symbol) {
			names = appendNew(names, s.Name(), s.Path[lastPart(s.Path):])
			paths = append(paths, s.Path)
			if r.pkg.IsDefault(s.Path) {
				names = appendNew(names, r.pkg.DeclaredName(s))
			}
		}
		add(t)
		for other, first := range r.types().first {
			if first == t {
				add(other)
			}
		}
		for _, s := range r.symbols() {
			if s != t && (slices.ContainsFunc(s.Refs, func(ref apidoc.Ref) bool { return ref.Package == "" && slices.Contains(paths, ref.Path) }) ||
				slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.Contains(s.Signature, name) })) {
				found = append(found, s)
			}
		}
		return found
	})
}

// readUses returns the declarations that mention each type.
func (r *Renderer) readUses() map[*apidoc.Symbol][]*apidoc.Symbol {
	uses := map[*apidoc.Symbol][]*apidoc.Symbol{}
	for _, s := range r.symbols() {
		if !r.mayMention(s) {
			continue
		}
		d := r.pkg.Decl(s) // resolving all references would take several times as long
		for t := range r.typesIn(&d, -1, s) {
			if by := uses[t]; t != s && (len(by) == 0 || by[len(by)-1] != s) {
				uses[t] = append(by, s)
			}
		}
	}
	return uses
}

// commonUses is the largest number of declarations that mention a type that is not common. A common
// type, such as the options of every call, does not help to distinguish declarations.
const commonUses = 40

// typeIndex finds the types of a package by the names in signatures.
type typeIndex struct {
	byPath map[string]*apidoc.Symbol
	byName map[string]*apidoc.Symbol // types by the last part of their paths; nil if several types share it
	// begins contains the lengths of all type names by their first byte, with one bit for each
	// length. The last bit is for all greater lengths. It quickly excludes most words of a
	// signature, which are not types.
	begins [256]uint64
	// first maps each path of a type that has several paths to the symbol of its least nested path.
	first map[*apidoc.Symbol]*apidoc.Symbol
}

// position is the location of a symbol's declaration in the source code, together with the symbol's
// signature.
type position struct {
	file, signature string
	line            int
}

func positionOf(s *apidoc.Symbol) position { return position{s.File, s.Signature, s.Line} }

func indexTypes(p *apidoc.Package) *typeIndex {
	x := &typeIndex{byPath: map[string]*apidoc.Symbol{}, byName: map[string]*apidoc.Symbol{}, first: map[*apidoc.Symbol]*apidoc.Symbol{}}
	least := map[position]*apidoc.Symbol{}
	var types []*apidoc.Symbol
	for s := range p.Declared {
		if !s.IsType() {
			continue
		}
		types = append(types, s)
		if first := least[positionOf(s)]; s.File != "" && (first == nil || distanceOf(p, s.Path) < distanceOf(p, first.Path)) {
			least[positionOf(s)] = s
		}
		if x.byPath[s.Path] == nil {
			x.byPath[s.Path] = s
		}
		name := s.Name()
		switch before, ok := x.byName[name]; {
		case !ok:
			x.byName[name] = s
		case before != nil && len(s.Path) < len(before.Path):
			x.byName[name] = s
		}
	}
	internal := apidoc.Package{Symbols: p.Internal}
	for s := range internal.Declared {
		if s.IsType() {
			types = append(types, s)
		}
		if s.IsType() && x.byPath[s.Path] == nil {
			x.byPath[s.Path] = s
			if name := s.Name(); x.byName[name] == nil {
				x.byName[name] = s
			}
		}
	}
	for _, s := range types {
		if first := least[positionOf(s)]; s.File != "" && first != nil && first != s {
			x.first[s] = first
		}
	}
	for _, d := range p.Style.Defaults {
		if s := x.byPath[d.Path]; s != nil {
			if name := p.DeclaredName(s); name != "" && x.byName[name] == nil {
				x.byName[name] = s
			}
		}
	}
	for _, names := range []map[string]*apidoc.Symbol{x.byName, x.byPath} {
		for name := range names {
			if last := lastPart(name); last < len(name) {
				x.begins[name[last]] |= lengthBit(len(name) - last)
			}
		}
	}
	return x
}

// distanceOf returns a rank that orders the paths of one type. The least nested path has the lowest
// rank, and the default export ranks between named paths with one part and with two parts.
func distanceOf(p *apidoc.Package, path string) int {
	if p.IsDefault(path) {
		return 1
	}
	return 2 * strings.Count(path, ".")
}

// mayName quickly reports, based on the first letter and the length of a name, whether it can be
// the name of a type. It may return true for other names. It does not consider the names in
// Symbol.Refs.
func (x *typeIndex) mayName(name string) bool {
	last := lastPart(name)
	return last < len(name) && x.begins[name[last]]&lengthBit(len(name)-last) != 0
}

func lengthBit(n int) uint64 { return 1 << min(n, 63) }

// lastPart returns the index of the last part of a qualified name.
func lastPart(name string) int {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' || name[i] == ':' {
			return i + 1
		}
	}
	return 0
}

// typeNamed returns the type of the package to which a name in the signature of s refers. It
// returns nil if the name is not a type or belongs to another package.
func (r *Renderer) typeNamed(name string, s *apidoc.Symbol) *apidoc.Symbol {
	t := r.findType(name, s)
	switch {
	case t == nil || t.File == "":
		return t
	case positionOf(t) == positionOf(s) && s.NumMembers() >= t.NumMembers():
		return s // another path of the same declaration
	}
	if first := r.types().first[t]; first != nil {
		return first
	}
	return t
}

// findType returns the type with a path to which a name refers, or nil if there is none.
func (r *Renderer) findType(name string, s *apidoc.Symbol) *apidoc.Symbol {
	x := r.types()
	for i := range s.Refs {
		if s.Refs[i].Name == name {
			if s.Refs[i].Package != "" {
				return nil
			}
			return x.byPath[s.Refs[i].Path]
		}
	}
	if !x.mayName(name) {
		return nil
	}
	last := lastPart(name)
	named, ok := x.byName[name[last:]]
	if !ok {
		return x.byPath[name] // no other path ends with the name
	}
	if t := x.byPath[name]; t != nil {
		return t
	}
	if last > 0 && r.pkg.Style.Imports {
		return nil
	}
	// A type within the namespace of s is preferred to other types.
	for path := s.Path; ; {
		index := strings.LastIndexByte(path, '.')
		if index < 0 {
			break
		}
		path = path[:index]
		if t := x.byPath[path+"."+name]; t != nil {
			return t
		}
	}
	if last == 0 && named != nil && named.IsAssociatedType() {
		return nil // outside of its protocol, the name alone is a type parameter
	}
	return named
}
