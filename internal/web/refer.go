package web

import (
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// href returns the address of the page that a reference in a declaration leads to.
func (v *packageView) href(ref apidoc.Ref) string {
	to := v.address.at(ref.Path)
	if ref.Package != "" && ref.Package != v.Name {
		to.Package = ref.Package
		if !v.sameRelease(ref.Package) {
			to.Version = "" // the project's
		}
	}
	return to.String()
}

// sameRelease reports whether another package is part of the same release, judging by the names.
func (v *packageView) sameRelease(name string) bool {
	return v.Module != "" && (name == v.Module || apidoc.IsBelow(name, v.Module)) || apidoc.IsBelow(name, v.Name) || apidoc.IsBelow(v.Name, name)
}

// maxName is the maximum length, in bytes, of code in prose that may be the name of a symbol.
const maxName = 120

// named returns the address of the symbol that code in prose refers to, or "" if there is none.
// about is the symbol that the prose documents, or nil for the package.
func (v *packageView) named(about *apidoc.Symbol, name string) string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if name == "" || len(name) > maxName || strings.ContainsAny(name, " \t\n\"'`$={},;") {
		return ""
	}
	if about == nil {
		about = &apidoc.Symbol{}
	}
	if about.Name() == name {
		return ""
	}
	ref, ok := v.resolver.Mention(about, name)
	if !ok || ref.Path == "" || ref.Path == about.Path {
		return ""
	}
	return v.href(ref)
}

// prose returns a renderer for texts about a symbol, or about the package if about is nil.
func (v *packageView) prose(about *apidoc.Symbol, level int) *prose {
	return &prose{level: level, lexis: v.lexis, symbol: func(name string) string { return v.named(about, name) }, file: func(name string) string { return v.document(name, "") }}
}

// document returns the address of a part of the package's prose, or "" if there is none. name is
// the ID of a section, as in the links that readers of packages write, or the name of a file
// relative to dir.
func (v *packageView) document(name, dir string) string {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	file := strings.TrimPrefix(path.Join("/", dir, name), "/")
	for i := range v.Sections {
		s := &v.Sections[i]
		switch {
		case fileOf(s) == name, fileOf(s) == file:
			return v.address.document(fileOf(s)).String()
		case s.ID == name && s.Level > 1:
			return v.address.document(fileOf(s)).String() + "#" + idPrefix + slug(s.Title)
		case s.ID == name:
			return v.address.document(fileOf(s)).String()
		}
	}
	return ""
}
