package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/spelling"
)

// surface is the public API of a package.
type surface struct {
	*apidoc.Package
	symbols  map[string][]*apidoc.Symbol // public symbols by path, including overloads and symbols with the same name
	internal map[string]bool             // paths of symbols that programs cannot use
	hidden   map[string]bool             // names that programs can use although they are not part of the API
	wrapped  map[string]bool             // paths of symbols that may be called with arguments other than the declared ones
	below    map[string]bool             // names of packages below this one
	// resolver resolves the references in the package's declarations. unexported contains the
	// symbols that programs cannot import, by path.
	resolver   func() *naming.Resolver
	unexported func() map[string][]*apidoc.Symbol
	decls      sync.Map // the apidoc.Decl of each *apidoc.Symbol that is called
	// file is a file of the program to which the package belongs, or nil.
	file *ecosystem.SourceFile
}

// Decl returns the parts of the declaration of a symbol, which it parses only once.
func (s *surface) Decl(sym *apidoc.Symbol) apidoc.Decl {
	d, ok := s.decls.Load(sym)
	if !ok {
		d, _ = s.decls.LoadOrStore(sym, s.Package.Decl(sym))
	}
	return d.(apidoc.Decl)
}

func newSurface(p *apidoc.Package) *surface {
	s := &surface{Package: p, symbols: make(map[string][]*apidoc.Symbol, len(p.Symbols)), internal: map[string]bool{}, hidden: map[string]bool{}, wrapped: map[string]bool{}, below: map[string]bool{}}
	for sym := range p.All {
		s.symbols[sym.Path] = append(s.symbols[sym.Path], sym)
	}
	for i := range p.Elsewhere {
		sym := &p.Elsewhere[i]
		s.symbols[sym.Path] = append(s.symbols[sym.Path], sym)
	}
	for i := range p.Internal {
		s.internal[p.Internal[i].Path] = true
	}
	for _, name := range p.Hidden {
		s.hidden[name] = true
	}
	for _, path := range p.Wrapped {
		s.wrapped[path] = true
	}
	for i := range p.Subpackages {
		s.below[p.Subpackages[i].Name] = true
	}
	s.resolver = sync.OnceValue(func() *naming.Resolver { return naming.NewResolver(p) })
	s.unexported = sync.OnceValue(func() map[string][]*apidoc.Symbol {
		byPath := map[string][]*apidoc.Symbol{}
		for i := range p.Internal {
			byPath[p.Internal[i].Path] = append(byPath[p.Internal[i].Path], &p.Internal[i])
		}
		return byPath
	})
	return s
}

// named returns the symbols at the given path. Programs may or may not be able to import them.
func (s *surface) named(path string) []*apidoc.Symbol {
	if found := s.symbols[path]; found != nil {
		return found
	}
	return s.unexported()[path]
}

// whole reports whether the package is known to have no other symbols than those that were read.
func (s *surface) whole() bool {
	return s.AllNames || s.Dynamic == "" && len(s.Warnings) == 0 && !s.hidden["*"]
}

// check compares a use with the package. decided is false if the use may be correct or incorrect.
func (s *surface) check(u *ecosystem.Use) (findings []Finding, decided bool) {
	if u.Path == "" {
		if s.Deprecated != "" && u.Import {
			findings = append(findings, s.finding(u, Deprecated, fmt.Sprintf("%s is deprecated: %s", s.Name, oneLine(s.Deprecated))))
		}
		return findings, true
	}
	found, state := s.find(u.Path)
	switch state {
	case absent:
		return []Finding{s.absent(u)}, true
	case notPublic:
		return []Finding{s.unexportedName(u)}, true
	case undecidable:
		return nil, false
	}
	if len(found) == 0 {
		return nil, true // the path is that of a package below this one, or a name without documentation
	}
	if !slices.ContainsFunc(found, func(o *apidoc.Symbol) bool { return o.Deprecated == "" }) { // otherwise, the use may be of another overload
		findings = append(findings, s.finding(u, Deprecated, fmt.Sprintf("%s is deprecated: %s", u.Path, oneLine(found[0].Deprecated))))
	}
	decided = true
	if u.Args != nil {
		f, ok := s.checkCall(u, found, false)
		findings, decided = append(findings, f...), ok
	}
	if len(u.Fields) > 0 {
		f, ok := s.checkFields(u, found)
		findings, decided = append(findings, f...), decided && ok
	}
	return findings, decided
}

// existence describes whether a package has a symbol that programs can use.
type existence int

const (
	public existence = iota
	notPublic
	absent
	undecidable
)

// find returns the symbols at the given path. Each name in the path must be a member of the
// symbol before it. That symbol must be a type or a module, because the members of values are not
// known.
func (s *surface) find(path string) ([]*apidoc.Symbol, existence) {
	if found := s.symbols[path]; found != nil {
		return found, public
	}
	if s.isBelow(path) || s.hidden[path] {
		return nil, public
	}
	if s.internal[path] {
		return nil, notPublic
	}
	sep := s.Separator()
	i := strings.LastIndex(path, sep)
	if i <= 0 {
		if s.whole() {
			return nil, absent
		}
		return nil, undecidable
	}
	owners, state := s.find(path[:i])
	if state != public {
		return nil, state
	}
	if len(owners) == 0 || !s.whole() {
		return nil, undecidable // the symbol is a member of a subpackage that was not read
	}
	for _, owner := range owners {
		if owner.Role() != apidoc.ModuleRole || owner.NumMembers() == 0 {
			return nil, undecidable
		}
	}
	return nil, absent
}

// absentPart returns the shortest beginning of an absent path that is absent.
func (s *surface) absentPart(path string) string {
	for i := range path {
		if i > 0 && strings.HasPrefix(path[i:], s.Separator()) {
			if _, state := s.find(path[:i]); state == absent {
				return path[:i]
			}
		}
	}
	return path
}

// parts yields the names of the packages directly below this one.
func (s *surface) parts(yield func(string) bool) {
	for name := range s.below {
		if part, ok := strings.CutPrefix(name, s.Name+s.Separator()); ok && !strings.Contains(part, s.Separator()) && !yield(part) {
			return
		}
	}
}

// undocumented yields the names that programs can use although they are not symbols: those of packages directly below this one,
// and hidden ones.
func (s *surface) undocumented(yield func(string) bool) {
	for _, name := range s.Hidden {
		if !yield(name) {
			return
		}
	}
	s.parts(yield)
}

// isBelow reports whether a path is the name of a package below this one.
func (s *surface) isBelow(path string) bool {
	for _, sep := range []string{s.Separator(), "/", "."} {
		if s.below[s.Name+sep+path] || s.below[s.Name+sep+strings.ReplaceAll(path, s.Separator(), sep)] {
			return true
		}
	}
	return false
}

// absent returns the finding for a name that the package does not have.
func (s *surface) absent(u *ecosystem.Use) Finding {
	f := s.finding(u, Name, fmt.Sprintf("%s has no %s", s.title(), u.Path))
	if _, err := naming.Find(s.Package, u.Path); err != nil {
		if missing, ok := errors.AsType[*naming.NoSymbolError](err); ok {
			depth := strings.Count(u.Path, s.Separator())
			f.Near = slices.DeleteFunc(missing.Near, func(path string) bool {
				// Code in this place cannot use symbols at another depth or of the package's own code.
				return strings.Count(path, s.Separator()) != depth || s.internal[path]
			})
			f.alone = len(f.Near) == 0
			f.Near = slices.DeleteFunc(f.Near, func(path string) bool { return !spelling.IsNear(path, u.Path) })
			if len(f.Near) > 0 {
				if near := s.symbols[f.Near[0]]; near != nil {
					f.Declaration = s.declaration(near[0])
				}
			}
		}
	}
	return f
}

// unexportedName returns the finding for a name that the package does not export.
func (s *surface) unexportedName(u *ecosystem.Use) Finding {
	return s.finding(u, NotPublic, fmt.Sprintf("%s has %s but does not export it", s.title(), u.Path))
}

// title returns the name and version of the package.
func (s *surface) title() string {
	if s.Version == "" {
		return s.Name
	}
	return s.Name + "@" + s.Version
}

func (s *surface) finding(u *ecosystem.Use, kind Kind, message string) Finding {
	f := Finding{Position: u.Position, Kind: kind, Use: u.Text, Message: message, Package: s.Name, Version: s.Version, symbol: u.Path, imports: u.Import}
	if source := strings.TrimSpace(s.Provenance.Source + " " + s.Provenance.Location); source != "" {
		f.Source = source + ", chosen by " + s.Provenance.ChosenBy
	}
	return f
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
