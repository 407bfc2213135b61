package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// maxInternal bounds the types that are documented because signatures name them.
const maxInternal = 300

// pending is a name in a signature that may need a Ref.
type pending struct {
	path, name, full string
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
		if !e.known() || e.path == "" || !d.related(e.mod, d.main) || e.isDef() {
			continue
		}
		full := e.full()
		d.refs = append(d.refs, pending{s.Path, name, full})
		if d.wanted[full] == nil {
			d.wanted[full] = e
			d.order = append(d.order, full)
		}
	}
}

// dottedNames yields the dotted names in a declaration that may be types. It
// skips the names of parameters and of the function.
func dottedNames(signature string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(signature); {
			c := signature[i]
			if !identStart(c) {
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
	for i := 0; i < len(d.order) && len(d.out.Internal) < maxInternal && d.check(); i++ {
		full := d.order[i]
		if d.places[full] != "" {
			continue
		}
		e := d.wanted[full]
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
	refs := map[string][]apidoc.Ref{}
	for _, p := range d.refs {
		if place := d.places[p.full]; place != "" && place != p.name {
			refs[p.path] = append(refs[p.path], apidoc.Ref{Name: p.name, Path: place})
			if last := lastOf(p.name); last != p.name && last != place {
				refs[p.path] = append(refs[p.path], apidoc.Ref{Name: last, Path: place})
			}
		}
	}
	for s := range d.out.All {
		s.Refs = refs[s.Path]
	}
	for i := range d.out.Internal {
		s := &d.out.Internal[i]
		s.Refs = refs[s.Path]
		for k := range s.Members {
			s.Members[k].Refs = refs[s.Members[k].Path]
		}
	}
}

// tells reports whether a variable is a type alias rather than a type variable or
// the like.
func (d *documenter) tells(b *binding) bool {
	open := strings.IndexByte(b.value, '(')
	if open > 0 {
		switch name := b.value[:open]; name[strings.LastIndexByte(name, '.')+1:] {
		case "TypeVar", "ParamSpec", "TypeVarTuple", "NewType":
			return false
		}
	}
	return b.stmt.TypeAlias || d.isTypeAlias(b, b) || d.isMadeClass(b)
}
