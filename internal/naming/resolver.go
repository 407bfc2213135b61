package naming

import (
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Resolver finds the symbols that names in the signatures of a package refer to. It is safe for
// concurrent use.
type Resolver struct {
	pkg *apidoc.Package
	// byPath returns the index of the declared symbols, which is built by the first look-up.
	byPath func() map[string]*apidoc.Symbol

	mu         sync.Mutex
	typeParams map[*apidoc.Symbol][]string    // the type parameters of symbols that were looked up
	refs       map[*apidoc.Ref]map[string]int // the positions of names in long lists of references, by the first reference
}

// NewResolver returns a resolver for a package. It indexes the package's symbols when the first
// name is looked up.
func NewResolver(p *apidoc.Package) *Resolver {
	r := &Resolver{pkg: p, typeParams: map[*apidoc.Symbol][]string{}, refs: map[*apidoc.Ref]map[string]int{}}
	r.byPath = sync.OnceValue(r.index)
	return r
}

func (r *Resolver) index() map[string]*apidoc.Symbol {
	byPath := make(map[string]*apidoc.Symbol, len(r.pkg.Symbols))
	for _, list := range [][]apidoc.Symbol{r.pkg.Symbols, r.pkg.Internal, r.pkg.Elsewhere} {
		apidoc.WalkDeclared(list, func(s *apidoc.Symbol) bool {
			if byPath[s.Path] == nil && !r.extends(s) {
				byPath[s.Path] = s
			}
			return true
		})
	}
	return byPath
}

// extends reports whether a symbol represents extensions of a type that the package does not
// declare, because the name in its declaration refers to that type.
func (r *Resolver) extends(s *apidoc.Symbol) bool {
	if s.Role() != apidoc.ModuleRole {
		return false
	}
	d := r.pkg.Decl(s)
	name := d.Child(d.Child(-1, apidoc.DeclarationPart), apidoc.NamePart)
	return name >= 0 && d.Child(name, apidoc.ReferencePart) >= 0
}

// Decl returns the declarations of a symbol of the package with the targets of their references.
// References to type parameters of types that contain the symbol are marked as Local.
func (r *Resolver) Decl(s *apidoc.Symbol) apidoc.Decl {
	d := r.pkg.Decl(s)
	for i := range d.Parts {
		p := &d.Parts[i]
		if p.Role != apidoc.ReferencePart || p.Flags&apidoc.Local != 0 {
			continue
		}
		if name := d.PartText(i); r.IsTypeParam(s, name) {
			p.Flags = p.Flags&^apidoc.Builtin | apidoc.Local
		} else if ref, ok := r.Refer(s, name); ok {
			p.Flags &^= apidoc.Builtin
			p.Target = &ref
		}
	}
	return d
}

// IsTypeParam reports whether a name in the declarations of s is a type parameter of a type that
// contains s, or a part of one, such as Base.Element.
func (r *Resolver) IsTypeParam(s *apidoc.Symbol, name string) bool {
	name, _, _ = strings.Cut(name, r.pkg.Separator())
	if slices.Contains(r.pkg.TypeVars, name) {
		return true
	}
	for path := s.ParentPath(); path != ""; {
		parent := r.byPath()[path]
		if parent == nil {
			break
		}
		if slices.Contains(r.typeParamsOf(parent), name) {
			return true
		}
		path = parent.ParentPath()
	}
	// An inherited member is written with the type parameters of the type that declares it.
	base := r.byPath()[s.From]
	return base != nil && slices.Contains(r.typeParamsOf(base), name)
}

func (r *Resolver) typeParamsOf(s *apidoc.Symbol) []string {
	r.mu.Lock()
	names, ok := r.typeParams[s]
	r.mu.Unlock()
	if ok {
		return names
	}
	d := r.pkg.Decl(s)
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		for k := range d.Within(i, apidoc.TypeParamPart) {
			names = append(names, d.ChildText(k, apidoc.NamePart))
		}
	}
	r.mu.Lock()
	r.typeParams[s] = names
	r.mu.Unlock()
	return names
}

// Refer returns the symbol that a name in the signature of s refers to. The second result is false
// if the symbol is unknown.
func (r *Resolver) Refer(s *apidoc.Symbol, name string) (apidoc.Ref, bool) {
	sep := r.pkg.Separator()
	if ref, found, ok := r.among(s.Refs, name, sep); found {
		return ref, ok
	}
	for scope := s.Path; ; {
		if t := r.byPath()[scope+sep+name]; t != nil && r.inScope(t) {
			return apidoc.Ref{Name: name, Path: t.Path}, true
		}
		i := strings.LastIndex(scope, sep)
		if i < 0 {
			break
		}
		scope = scope[:i]
	}
	if t := r.byPath()[name]; t != nil {
		return apidoc.Ref{Name: name, Path: t.Path}, true
	}
	ref, _, ok := r.among(r.pkg.Imports, name, sep)
	return ref, ok
}

// Mention returns the symbol that a name in text about s refers to. The name may be as in a
// signature, or be preceded by the name of the package. ok is false if the symbol is unknown. s
// without a path represents the package.
func (r *Resolver) Mention(s *apidoc.Symbol, name string) (apidoc.Ref, bool) {
	ref, ok := r.Refer(s, name)
	if !ok {
		ref = apidoc.Ref{Name: name, Path: Unqualified(r.pkg, name)}
		ok = ref.Path != name
	}
	if ok && ref.Package == "" {
		ok = r.byPath()[ref.Path] != nil || r.pkg.At(ref.Path) != nil
	}
	return ref, ok
}

// inScope reports whether declarations in the same scope can refer to a symbol by its bare name:
// fields, methods and constructors are used through values.
func (r *Resolver) inScope(s *apidoc.Symbol) bool {
	switch s.Role() {
	case apidoc.FieldRole, apidoc.EnumValueRole, apidoc.ConstructorRole:
		return false
	case apidoc.CallableRole:
		parent := r.byPath()[s.ParentPath()]
		return s.ParentPath() == "" || parent != nil && parent.IsNamespace()
	}
	return true
}

// among looks for a name, or for its longest prefix, in a list. found is false if the list does not
// contain an entry for it. ok is false if the target of the entry is unknown.
func among(refs []apidoc.Ref, name, sep string) (ref apidoc.Ref, found, ok bool) {
	return amongNames(func(name string) int {
		return slices.IndexFunc(refs, func(ref apidoc.Ref) bool { return ref.Name == name })
	}, refs, name, sep)
}

// maxScanned is the maximum length of a list of references that is searched without an index.
const maxScanned = 32

// among is like the function among. It indexes long lists.
func (r *Resolver) among(refs []apidoc.Ref, name, sep string) (ref apidoc.Ref, found, ok bool) {
	if len(refs) <= maxScanned {
		return among(refs, name, sep)
	}
	r.mu.Lock()
	positions := r.refs[&refs[0]]
	if positions == nil {
		positions = make(map[string]int, len(refs))
		for i := range slices.Backward(refs) {
			positions[refs[i].Name] = i
		}
		r.refs[&refs[0]] = positions
	}
	r.mu.Unlock()
	return amongNames(func(name string) int {
		if i, ok := positions[name]; ok {
			return i
		}
		return -1
	}, refs, name, sep)
}

// amongNames implements among. position returns the position of a name in refs, or -1.
func amongNames(position func(name string) int, refs []apidoc.Ref, name, sep string) (ref apidoc.Ref, found, ok bool) {
	for end := len(name); end > 0; end = strings.LastIndex(name[:end], sep) {
		i := position(name[:end])
		if i < 0 {
			continue
		}
		ref, rest := refs[i], strings.TrimPrefix(name[end:], sep)
		if ref.Path == "" && ref.Package == "" {
			return apidoc.Ref{}, true, false
		}
		if rest != "" && ref.Path != "" {
			rest = ref.Path + sep + rest
		} else if rest == "" {
			rest = ref.Path
		}
		return apidoc.Ref{Name: name, Package: ref.Package, Path: rest}, true, true
	}
	return apidoc.Ref{}, false, false
}
