package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// refs returns the types in a signature whose names in it differ from their paths.
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
		if (c < 'A' || c > 'Z' && c < 0x80) && !isTypeAt(signature[:start], name) || i < len(signature) && signature[i] == ':' || name == "Self" || start > 0 && signature[start-1] == '.' {
			continue
		}
		isBase := name == e.name && e.isType() && strings.Contains(signature[:start], " : ")
		if name == e.name && e.decl != nil && !isBase || slices.ContainsFunc(all, func(r apidoc.Ref) bool { return r.Name == name }) {
			continue
		}
		var ref apidoc.Ref
		if isBase && e.decl != nil {
			ref = d.sameName(name, e, f)
		} else {
			ref = d.refer(name, u, e, scope, f)
		}
		if ref != (apidoc.Ref{}) && !d.imports(ref) {
			all = append(all, ref)
		}
	}
	return all
}

// sameName returns an inherited type with the same name as e, such as Error in enum
// Error : Error.
func (d *documenter) sameName(name string, e *entity, f *file) apidoc.Ref {
	switch module := d.importsOf(f).declaring(name); {
	case d.paths[name] && e.path != name:
		return apidoc.Ref{Name: name, Path: name}
	case isBuiltin(name):
		return apidoc.Ref{Name: name, Package: "Swift", Path: name}
	case module != "":
		return apidoc.Ref{Name: name, Package: module, Path: name}
	}
	return apidoc.Ref{Name: name}
}

// isTypeAt reports whether a lower-case name after text is the name of a type, such as a C type.
func isTypeAt(before, name string) bool {
	opens := func(text string) bool { return strings.HasSuffix(before, text) }
	if name[0] < 'a' || name[0] > 'z' || !slices.ContainsFunc([]string{"<", "[", ": ", "-> "}, opens) {
		return false
	}
	switch name {
	case "inout", "some", "any", "each", "repeat", "borrowing", "consuming", "sending", "isolated", "nonisolated":
		return false
	}
	return true
}

// refer returns the target of a name in the signature of e, or the zero Ref if readers of the
// signature can find it themselves.
func (d *documenter) refer(name string, u *unit, e, scope *entity, f *file) apidoc.Ref {
	if last := name[strings.LastIndexByte(name, '.')+1:]; !d.byName[last] {
		if head, _, _ := strings.Cut(name, "."); isBuiltin(name) || generic(e, head) {
			return apidoc.Ref{}
		}
		return d.reference(name, u, scope, f)
	}
	path := strings.Split(name, ".")
	t := u.first(path, scope, f)
	switch {
	case len(path) == 1 && generic(e, name):
		// This generic parameter has the same name as a type.
		if parameter := join(scopePath(scope), name); !d.paths[parameter] {
			return apidoc.Ref{Name: name, Path: parameter}
		}
	case t != nil && d.paths[t.path] && t.path != name:
		return apidoc.Ref{Name: name, Path: t.path}
	case t == nil && !d.paths[name] && !generic(e, path[0]):
		// This type from another package has the same name as a type in this package.
		if isBuiltin(path[0]) {
			return apidoc.Ref{Name: name, Package: "Swift", Path: name}
		}
		if ref := d.reference(name, u, scope, f); ref.Package != "" {
			return ref
		}
		if e.decl != nil && (e.parent == nil || e.parent.decl != nil) {
			return apidoc.Ref{Name: name}
		}
	}
	return apidoc.Ref{}
}

// imports records that a name refers to a symbol of another package. It reports whether the name
// refers to the same symbol as in the first signature that uses it.
func (d *documenter) imports(ref apidoc.Ref) bool {
	if ref.Package == "" || d.byName[ref.Name] || associatedTypes[ref.Name] != "" {
		return false
	}
	first, ok := d.imported[ref.Name]
	if !ok {
		first = ref
		d.imported[ref.Name] = ref
		d.importNames = append(d.importNames, ref.Name)
	}
	return first == ref
}

// typeNames returns the names of all types that were read.
func (r *reading) typeNames() map[string]bool {
	names, noted := map[string]bool{}, map[*entity]bool{}
	var note func(e *entity)
	note = func(e *entity) {
		if noted[e] {
			return
		}
		noted[e] = true
		for name, t := range e.nested {
			names[name] = true
			note(t)
		}
	}
	for _, u := range r.sees {
		for name, e := range u.types {
			names[name] = true
			note(e)
		}
		for _, x := range u.extensions {
			if x.target != nil && x.target.decl == nil {
				note(x.target)
			}
		}
	}
	return names
}

// scopePath returns the path of a type, or "" outside types.
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
