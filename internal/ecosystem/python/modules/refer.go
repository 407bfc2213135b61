package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

const (
	// maxInternal is the maximum number of types that are documented because signatures name
	// them.
	maxInternal = 300
	// maxDirect is the maximum number of such types that the signatures of exported symbols name,
	// such as the inputs of a client's operations.
	maxDirect = 2000
)

// maxTypeVars is the maximum number of type variables of one module.
const maxTypeVars = 1000

// pending is a name in a signature that may need a Ref. full is its full name if the
// distribution contains its declaration, and other its reference if another package does.
type pending struct {
	path, name, full string
	other            apidoc.Ref
}

// mentions records the types that the annotations of a symbol name.
func (d *documenter) mentions(s *apidoc.Symbol, b *binding) {
	if d.Raw || b == nil || b.stmt == nil {
		return
	}
	seen := map[string]bool{}
	for name := range dottedNames(s.Signature) {
		if seen[name] || len(seen) > 200 {
			continue
		}
		seen[name] = true
		e := d.resolve(b.scope, name)
		if !e.known() || !d.related(e.mod, d.main) {
			if ref, ok := d.outside(b.scope, name, e); ok {
				d.refs = append(d.refs, pending{path: s.Path, name: name, other: ref})
			}
			continue
		}
		if b := e.main(); b != nil && isTypeVar(b) {
			if !slices.Contains(d.out.TypeVars, name) && len(d.out.TypeVars) < maxTypeVars {
				d.out.TypeVars = append(d.out.TypeVars, name)
			}
			continue
		}
		if e.path == "" || e.isDef() {
			continue
		}
		full := e.full()
		d.refs = append(d.refs, pending{path: s.Path, name: name, full: full})
		if d.requests[full] == nil {
			d.requests[full] = e
			d.order = append(d.order, full)
		}
	}
}

// outside returns the reference for a name from another distribution: the module from which the
// distribution imports the name, and its path there.
func (d *documenter) outside(s *scope, name string, e *entity) (apidoc.Ref, bool) {
	full := d.imported(s, name, 0)
	end := strings.LastIndexByte(full, '.')
	if end <= 0 {
		return apidoc.Ref{}, false
	}
	// The module is the longest prefix that is a module. If its distribution is not available, the
	// module is assumed to be everything except the last element.
	if e.known() {
		for end > 0 && d.Reader.module(s.file.mod.dist, full[:end]) == nil {
			end = strings.LastIndexByte(full[:end], '.')
		}
		if end <= 0 {
			return apidoc.Ref{}, false
		}
	}
	return apidoc.Ref{Name: name, Package: full[:end], Path: full[end+1:]}, true
}

// imported returns the full name by which the distribution imports a name from another
// one, or "" if it does not import it. It follows re-exports within the distribution.
func (d *documenter) imported(s *scope, dotted string, depth int) string {
	first, rest, more := strings.Cut(dotted, ".")
	b := s.names[first]
	for s.class != nil && b == nil {
		s = s.class.scope
		b = s.names[first]
	}
	if b == nil || !b.imported || depth > maxDepth {
		return ""
	}
	full := b.from
	if b.attr != "" {
		if m := d.Reader.module(s.file.mod.dist, b.from); m != nil && d.related(m, d.main) {
			if m.code == nil && m.stub == nil {
				return ""
			}
			if more {
				rest = "." + rest
			}
			return d.imported(cmp.Or(m.code, m.stub).scope, b.attr+rest, depth+1)
		}
		full += "." + b.attr
	}
	if more {
		full += "." + rest
	}
	return full
}

// dottedNames yields the dotted names in a declaration that may be types. It
// skips the names of parameters and of the function.
func dottedNames(signature string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(signature); {
			if c := signature[i]; !identStart(c) {
				i++
				continue
			}
			start := i
			for i < len(signature) && (identStart(signature[i]) || signature[i] >= '0' && signature[i] <= '9' || signature[i] == '.') {
				i++
			}
			name := strings.Trim(signature[start:i], ".")
			rest := strings.TrimLeft(signature[i:], " ")
			if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "(") || name == "def" || name == "class" || name == "self" {
				continue
			}
			if !yield(name) {
				return
			}
		}
	}
}

func identStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// refer documents the types that signatures name and that the module does not
// export. It records the path of each type whose path differs from the name in
// a signature.
func (d *documenter) refer() {
	direct := min(len(d.order), maxDirect) // documenting these types adds the types that their members name
	for i := 0; i < len(d.order) && (i < direct || len(d.out.Internal) < maxInternal) && d.check(); i++ {
		full := d.order[i]
		if d.places[full] != "" {
			continue
		}
		e := d.requests[full]
		if b := e.main(); b == nil || b.stmt == nil || b.stmt.Kind == source.Assign && !d.tells(b) {
			continue
		}
		path := e.path
		if d.out.At(path) != nil {
			path = full
		}
		if d.out.At(path) != nil {
			continue
		}
		d.places[full] = path
		d.out.Internal = append(d.out.Internal, d.entity(e, path))
	}
	refs, imports := map[string][]apidoc.Ref{}, map[string]apidoc.Ref{}
	declared := map[string]bool{} // declared contains names of other distributions that the module also declares.
	for _, p := range d.refs {
		if p.other.Package != "" {
			known, ok := imports[p.name]
			if _, seen := declared[p.name]; !seen {
				declared[p.name] = d.out.At(p.name) != nil
			}
			switch {
			case declared[p.name], ok && known != p.other:
				refs[p.path] = append(refs[p.path], p.other)
			case !ok:
				imports[p.name] = p.other
				d.out.Imports = append(d.out.Imports, p.other)
			}
			continue
		}
		if place := d.places[p.full]; place != "" && place != p.name {
			refs[p.path] = append(refs[p.path], apidoc.Ref{Name: p.name, Path: place})
			if last := lastOf(p.name); last != p.name && last != place {
				refs[p.path] = append(refs[p.path], apidoc.Ref{Name: last, Path: place})
			}
		}
	}
	for s := range d.out.All {
		if !s.IsNamespace() { // modules refer to themselves
			s.Refs = refs[s.Path]
		}
	}
	for i := range d.out.Internal {
		s := &d.out.Internal[i]
		s.Refs = refs[s.Path]
		for k := range s.Members {
			s.Members[k].Refs = refs[s.Members[k].Path]
		}
	}
}

// tells reports whether a variable is a type alias rather than, for example, a type variable.
func (d *documenter) tells(b *binding) bool {
	return !isTypeVar(b) && calledName(b) != "NewType" && (b.stmt.TypeAlias || d.isTypeAlias(b, b) || d.isMadeClass(b))
}

// isTypeVar reports whether a variable represents any type, as in T = TypeVar("T").
func isTypeVar(b *binding) bool {
	switch calledName(b) {
	case "TypeVar", "ParamSpec", "TypeVarTuple":
		return true
	}
	return false
}

// calledName returns the last part of the name of the function whose result is the value of a
// variable. It returns "" if the variable has another value.
func calledName(b *binding) string {
	if open := strings.IndexByte(b.value.Text(), '('); open > 0 {
		return lastOf(b.value.Text()[:open])
	}
	return ""
}
