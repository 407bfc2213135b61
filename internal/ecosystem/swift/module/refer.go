package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// refs returns the types in a signature whose names there differ from their
// paths.
func (d *documenter) refs(signature string, e *entity) []apidoc.Ref {
	scope := e
	if !e.isType() {
		scope = e.parent
	}
	return d.refsIn(signature, e.unit, e, scope, e.file)
}

// refsIn is like refs, for a signature in the scope of a type.
func (d *documenter) refsIn(signature string, u *unit, e, scope *entity, f *file) []apidoc.Ref {
	var all []apidoc.Ref
	for i := 0; i < len(signature); {
		c := signature[i]
		if !isNameByte(c) {
			i++
			continue
		}
		start := i
		for i < len(signature) && (isNameByte(signature[i]) || signature[i] == '.' && i+1 < len(signature) && isNameByte(signature[i+1])) {
			i++
		}
		name := signature[start:i]
		if c < 'A' || c > 'Z' && c < 0x80 || i < len(signature) && signature[i] == ':' || name == "Self" || start > 0 && signature[start-1] == '.' {
			continue
		}
		path := strings.Split(name, ".")
		if name == e.name || !d.byName[path[len(path)-1]] || slices.ContainsFunc(all, func(r apidoc.Ref) bool { return r.Name == name }) {
			continue
		}
		t := u.first(path, scope, f)
		switch {
		case len(path) == 1 && generic(e, name):
			// This generic parameter has the same name as a type.
			if parameter := join(scopePath(scope), name); !d.paths[parameter] {
				all = append(all, apidoc.Ref{Name: name, Path: parameter})
			}
		case t != nil && d.paths[t.path] && t.path != name:
			all = append(all, apidoc.Ref{Name: name, Path: t.path})
		case t == nil && e.decl != nil && (e.parent == nil || e.parent.decl != nil) && !d.paths[name] && !generic(e, path[0]):
			// This type of another package has the same name as one of this package.
			all = append(all, apidoc.Ref{Name: name, Path: "Swift." + name})
		}
	}
	return all
}

// scopePath returns the path of a type, "" outside of types.
func scopePath(scope *entity) string {
	if scope == nil {
		return ""
	}
	return scope.path
}

// generic reports whether a name is a generic parameter in the scope of the
// entity.
func generic(e *entity, name string) bool {
	for ; e != nil; e = e.parent {
		if e.hasParameter(name) {
			return true
		}
	}
	return false
}
