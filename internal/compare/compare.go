// Package compare finds the changes to packages between two versions, and the effect of each change
// on the programs that use them. What breaks programs in a language is data; see [apidoc.Rules].
package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// Kind is the kind of a change.
type Kind string

// These are the kinds of changes, in the order in which reports list them.
const (
	// Removed is a symbol that is not in the new version.
	Removed Kind = "removed"
	// Moved is a symbol that has another path or is in another package in the new version.
	Moved Kind = "moved"
	// Changed is a symbol whose declaration has changed.
	Changed Kind = "changed"
	// Deprecated is a symbol that only the new version marks as deprecated.
	Deprecated Kind = "deprecated"
	// Undeprecated is a symbol that only the old version marks as deprecated.
	Undeprecated Kind = "no longer deprecated"
	// Added is a symbol that is not in the old version.
	Added Kind = "added"
)

var kinds = []Kind{Removed, Moved, Changed, Deprecated, Undeprecated, Added}

// Change is one change of a package.
type Change struct {
	Kind     Kind            `json:"kind"`
	Severity apidoc.Severity `json:"severity"`
	// Package and Path identify the symbol in the old version, or in the new version if it was
	// added. Path is empty if the change concerns the whole package.
	Package string      `json:"package"`
	Path    string      `json:"path"`
	Symbol  apidoc.Kind `json:"symbol"`
	// NewPackage and NewPath identify a moved symbol in the new version.
	NewPackage string `json:"newPackage,omitempty"`
	NewPath    string `json:"newPath,omitempty"`
	// Evidence explains, as the end of a sentence, why the symbol is considered to have moved.
	Evidence string `json:"evidence,omitempty"`
	// Details are the differences between the declarations of a changed or moved symbol.
	Details []Detail `json:"details,omitempty"`
	// Notice is the deprecation notice.
	Notice string `json:"notice,omitempty"`
	// Old and New are the declarations.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Also contains additional names of the same declaration, in the form PACKAGE: PATH.
	Also []string `json:"also,omitempty"`
	// Sections are parts of the documentation of the new version that mention the symbol.
	Sections []Section `json:"sections,omitempty"`
	// Places are the places in the project's code that the change affects.
	Places []Place `json:"places,omitempty"`

	old, new *ref
}

// Section is a part of the prose documentation of a package.
type Section struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Place is a place in the project's code.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// ByName is true if only the name of a member was found in a file that uses the package. It may
	// then be a member of another type.
	ByName bool `json:"byName,omitempty"`

	call     *arguments // nil if the place is not a call
	selects  bool       // whether a member of it follows
	offered  bool       // whether the new version also has a symbol there
	imports  bool       // whether the place is an import
	assigned bool       // whether a value is assigned to it
	matches  bool       // whether the line matches values against cases
	line     string     // the text of the line
}

// Packages compares the packages of two versions. The first package of each list is the requested
// one, and the others are its subpackages or siblings. They correspond if the rest of their names
// after the name of the first is the same. Breaking changes come first.
func Packages(old, new []*apidoc.Package) []Change {
	if len(old) == 0 || len(new) == 0 {
		return nil
	}
	rules := &new[0].Style.Rules
	c := &comparison{old: newSide(old, new), new: newSide(new, old), rules: rules}
	c.shared()
	removed := c.missing(c.old, c.new, Removed)
	added := c.missing(c.new, c.old, Added)
	removed, added = c.moves(removed, added)
	c.changes = append(append(c.changes, c.wholePackages(removed, Removed, c.old, c.new)...), c.wholePackages(added, Added, c.new, c.old)...)
	c.merge()
	c.mention()
	sortChanges(c.changes)
	return c.changes
}

// Hidden returns a removal for each name that programs can reach in the old packages although it is
// not part of their API, and that the new packages lack. It concerns only code that uses the name.
func Hidden(old, new []*apidoc.Package) (changes []Change) {
	if len(old) == 0 || len(new) == 0 {
		return nil
	}
	before, after := newSide(old, new), newSide(new, old)
	hidden := map[string][]string{}
	for _, p := range new {
		hidden[after.relative(p.Name)] = append(slices.Clip(p.Hidden), "*")
	}
	for _, p := range old {
		for _, name := range p.Hidden {
			k := key{before.relative(p.Name), name}
			if known := hidden[k.pkg]; known == nil || slices.Contains(known, name) || after.symbols[k] != nil {
				continue
			}
			r := &ref{Symbol: &apidoc.Symbol{Path: name}, key: k, in: p}
			change := Change{Kind: Removed, Severity: apidoc.Breaking, Package: p.Name, Path: name, Symbol: "name", old: r}
			if after.hides(k) {
				change.Severity = apidoc.Risky
			}
			changes = append(changes, change)
		}
	}
	return changes
}

// sortChanges sorts changes by severity and kind.
func sortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)))
	})
}

// comparison is one comparison of two versions.
type comparison struct {
	old, new *side
	rules    *apidoc.Rules
	changes  []Change
	imports  map[string][]string // see sameNames
	history  []passage           // see passages
}

// side is one of the two versions.
type side struct {
	packages []*apidoc.Package
	root     string // the name of the first package
	order    []key  // keys in the order of the documentation
	symbols  map[key][]*ref
	whole    string // the path of the default export of the package being added, if both versions have a single one
}

// key identifies a symbol by its package and path.
type key struct {
	pkg  string // the rest of the package's name after the name of the first package
	path string
}

// ref is a symbol together with its package.
type ref struct {
	*apidoc.Symbol
	key
	in       *apidoc.Package
	resolver *naming.Resolver
	owner    *ref // the symbol of which this one is a member
	// bases are the bases of a type that are declared separately.
	bases []*ref
}

// newSide returns the side with the given packages. others are the packages of the other side.
func newSide(packages, others []*apidoc.Package) *side {
	s := &side{packages: packages, root: packages[0].Name, symbols: map[key][]*ref{}}
	for _, p := range packages {
		r := naming.NewResolver(p)
		s.whole = ""
		if defaults := p.Defaults(); len(defaults) == 1 && slices.ContainsFunc(others, func(o *apidoc.Package) bool {
			return strings.TrimPrefix(o.Name, others[0].Name) == strings.TrimPrefix(p.Name, s.root) && len(o.Defaults()) == 1
		}) {
			s.whole = defaults[0].Path
		}
		s.add(p, r, p.Symbols, nil)
		s.add(p, r, p.Elsewhere, nil)
	}
	return s
}

func (s *side) add(p *apidoc.Package, r *naming.Resolver, symbols []apidoc.Symbol, owner *ref) {
	for i := range symbols {
		sym := &symbols[i]
		one := &ref{Symbol: sym, key: s.key(p, sym.Path), in: p, resolver: r, owner: owner}
		if owner != nil && sym.Role() == apidoc.ModuleRole && owner.Role() == apidoc.TypeRole {
			owner.bases = append(owner.bases, one) // s is an implementation or an extension.
			continue
		}
		if s.symbols[one.key] == nil {
			s.order = append(s.order, one.key)
		}
		s.symbols[one.key] = append(s.symbols[one.key], one)
		s.add(p, r, sym.AllMembers(), one)
	}
}

// key returns the key of the symbol at a path in p. If both versions have a single default export, the
// key does not depend on its name.
func (s *side) key(p *apidoc.Package, path string) key {
	if rest, ok := strings.CutPrefix(path, s.whole); ok && s.whole != "" && (rest == "" || strings.HasPrefix(rest, p.Separator())) {
		path = "*" + rest
	}
	return key{s.relative(p.Name), path}
}

// relative returns the rest of a package's name after the name of the first package.
func (s *side) relative(name string) string {
	if rest, ok := strings.CutPrefix(name, s.root); ok && (rest == "" || strings.ContainsRune("/.:", rune(rest[0]))) {
		return rest
	}
	return name
}

// ownerKey returns the key of the symbol that contains a member.
func (r *ref) ownerKey() (key, bool) {
	if r.owner == nil {
		return key{}, false
	}
	return r.owner.key, true
}

// hides reports whether programs can still reach a name although it is not part of the API.
func (s *side) hides(k key) bool {
	for _, p := range s.packages {
		if s.relative(p.Name) == k.pkg && (p.Dynamic != "" || slices.Contains(p.Hidden, k.path) || slices.Contains(p.Hidden, "*")) {
			return true
		}
	}
	return false
}

// missing returns a change for each symbol of one side that the other side lacks. It omits members
// of a missing type, and members that are missing because a base lacks them.
func (c *comparison) missing(from, other *side, kind Kind) (changes []Change) {
	for _, k := range from.order {
		if other.symbols[k] != nil {
			continue
		}
		first := from.symbols[k][0]
		if ok, has := first.ownerKey(); has {
			owners := other.symbols[ok]
			role := func(r *ref) apidoc.Role { return r.Role() }
			// A class can become a value with an interface that has the same name and the same
			// members.
			same := func(o *ref) bool { return role(o) == role(first.owner) || len(o.AllMembers()) > 0 }
			if !slices.ContainsFunc(owners, same) || c.covered(first, other) || c.unresolved(first, owners) || c.forwards(other, owners) {
				continue // the change of the owner includes it
			}
		}
		change := Change{Kind: kind, Package: first.in.Name, Path: first.Path, Symbol: first.Kind}
		if kind == Added {
			change.New, change.new, change.Severity = first.Signature, first, c.severityOfAdded(first)
		} else {
			change.Old, change.old, change.Severity = first.Signature, first, apidoc.Breaking
			if other.hides(k) {
				change.Severity = apidoc.Risky
			}
			change.Notice = first.Deprecated
		}
		changes = append(changes, change)
	}
	return changes
}

// forwards reports whether all owners have no members of their own and are declared by the name of a
// type. Their members are those of that type, which may be unknown on this side.
func (c *comparison) forwards(s *side, owners []*ref) bool {
	for _, o := range owners {
		if len(o.AllMembers()) > 0 || !c.hasNamedType(s, o) {
			return false
		}
	}
	return len(owners) > 0
}

// isName reports whether a type is declared by the name of another type.
func (c *comparison) isName(s *side, r *ref) bool {
	return r.Role() == apidoc.TypeRole && c.hasNamedType(s, r)
}

// hasNamedType reports whether the name of a type begins the type in the declaration of a symbol.
func (c *comparison) hasNamedType(s *side, r *ref) bool {
	declarations := s.declarations(r, c.rules)
	for _, d := range declarations {
		part := d.Child(d.part, apidoc.TypePart)
		if part < 0 || d.hasMembers(part) {
			return false
		}
		begins := false
		for r := range d.References(part) {
			begins = begins || d.Parts[r].Start == d.Parts[part].Start
		}
		if !begins {
			return false
		}
	}
	return len(declarations) > 0
}

// covered reports whether another change already implies that an inherited member is missing on the
// other side, because the base lacks it or the owner lacks the base.
func (c *comparison) covered(r *ref, other *side) bool {
	if r.From == "" {
		return false
	}
	sep := r.in.Separator()
	if other.symbols[key{r.pkg, r.From + sep + r.Name()}] == nil && (c.old.symbols[key{r.pkg, r.From}] != nil || c.new.symbols[key{r.pkg, r.From}] != nil) {
		return true
	}
	base := lastName(r.From, sep)
	has := func(owners []*ref) bool {
		return slices.ContainsFunc(owners, func(o *ref) bool {
			return slices.ContainsFunc(o.baseNames(), func(name string) bool { return name == base })
		})
	}
	ok, _ := r.ownerKey()
	return has(c.old.symbols[ok]) != has(c.new.symbols[ok])
}

// unresolved reports whether a member is inherited from a class of another package that is still a
// base of the owner on the other side, where none of the members of that class are known.
func (c *comparison) unresolved(r *ref, owners []*ref) bool {
	k := key{r.pkg, r.From}
	if r.From == "" || c.old.symbols[k] != nil || c.new.symbols[k] != nil {
		return false
	}
	bases := r.owner.baseNames()
	return len(bases) > 0 && slices.ContainsFunc(owners, func(o *ref) bool {
		return slices.Equal(o.baseNames(), bases) &&
			!slices.ContainsFunc(o.AllMembers(), func(m apidoc.Symbol) bool { return m.From == r.From })
	})
}

// baseNames returns the last names of the bases of a type.
func (r *ref) baseNames() (names []string) {
	for _, one := range append([]*ref{r}, r.bases...) {
		d := one.in.Decl(one.Symbol)
		for i := range d.Within(-1, apidoc.DeclarationPart) {
			for b := range d.Within(i, apidoc.BasePart) {
				names = append(names, lastName(d.ChildText(b, apidoc.ReferencePart), one.in.Separator()))
			}
		}
	}
	return names
}

// lastName returns the last name of a path.
func lastName(path, sep string) string {
	if i := strings.LastIndex(path, sep); i >= 0 {
		return path[i+len(sep):]
	}
	return path
}

// severityOfAdded returns the severity of an additional symbol.
func (c *comparison) severityOfAdded(r *ref) apidoc.Severity {
	if r.owner == nil {
		return apidoc.Compatible
	}
	before := c.old.symbols[r.owner.key]
	if len(before) == 0 || before[0].in.Flags(before[0].Symbol)&apidoc.Closed != 0 {
		return apidoc.Compatible
	}
	implemented := r.owner.in.Flags(r.owner.Symbol)&apidoc.Implemented != 0
	switch role := r.Role(); {
	case role == apidoc.EnumValueRole:
		return c.rules.EnumValue
	case implemented && r.From == "" && isRequired(r.in, r.Symbol):
		return c.rules.Requirement
	case role == apidoc.FieldRole && !implemented:
		return c.rules.Field
	}
	return apidoc.Compatible
}

// isRequired reports whether those who implement a type must provide the given member.
func isRequired(p *apidoc.Package, member *apidoc.Symbol) bool {
	d := p.Decl(member)
	i := d.Child(-1, apidoc.DeclarationPart)
	return member.Role() != apidoc.TypeRole && i >= 0 && d.Parts[i].Flags&(apidoc.Optional|apidoc.Provided) == 0 && d.Child(i, apidoc.ReceiverPart) < 0
}

// If the other side lacks a package entirely, wholePackages replaces all changes of that package
// with a single change that has no path. Changes of symbols that were moved stay separate.
func (c *comparison) wholePackages(changes []Change, kind Kind, side, other *side) (all []Change) {
	severity := apidoc.Compatible
	if kind == Removed {
		severity = apidoc.Breaking
	}
	has := map[string]bool{}
	for _, p := range other.packages {
		has[other.relative(p.Name)] = true
	}
	listed := map[string]bool{}
	for _, p := range side.packages { // Include packages without symbols.
		if name := side.relative(p.Name); len(p.Symbols) == 0 && !has[name] && !p.Command {
			all = append(all, Change{Kind: kind, Severity: severity, Package: p.Name, Symbol: "package"})
		}
	}
	for _, change := range changes {
		r := cmp.Or(change.old, change.new)
		if has[r.pkg] || change.Kind == Moved {
			all = append(all, change)
			continue
		}
		if !listed[r.pkg] {
			listed[r.pkg] = true
			all = append(all, Change{Kind: change.Kind, Severity: change.Severity, Package: change.Package, Symbol: "package", old: change.old, new: change.new})
		}
	}
	return all
}

// merge joins the changes of a declaration that a package exports under several paths.
func (c *comparison) merge() {
	type same struct {
		kind                 Kind
		file                 string
		line                 int
		old, new, difference string
	}
	first := map[same]int{}
	changes := c.changes[:0]
	for _, change := range c.changes {
		r := cmp.Or(change.old, change.new)
		if change.Path != "" && r.File != "" {
			s := same{change.Kind, r.File, r.Line, change.Old, change.New, describe(change.Details)}
			if i, ok := first[s]; ok && lastName(changes[i].Path, r.in.Separator()) == lastName(change.Path, r.in.Separator()) {
				if len(change.Path) < len(changes[i].Path) && change.Package == changes[i].Package { // Show the shorter name.
					change.Also = append(slices.Clone(changes[i].Also), changes[i].Package+": "+changes[i].Path)
					changes[i] = change
				} else {
					changes[i].Also = append(changes[i].Also, change.Package+": "+change.Path)
				}
				continue
			}
			first[s] = len(changes)
		}
		changes = append(changes, change)
	}
	c.changes = changes
}
