package rust

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
)

// imports reports the names in a use declaration, which begins at a token, that do not exist.
func (v *valueReader) imports(i int, s *crate.Scope) {
	if v.separates(i) {
		i += 2
	}
	v.importTree(i, s, nil, 0)
}

// localImports reports such names in the body of a function, which begins at a token, and returns the last token of the body. It omits
// use declarations in calls of macros and in other items of the body.
func (v *valueReader) localImports(open int, s *crate.Scope) int {
	end := v.group(open)
	var inner *crate.Scope
	for i := open + 1; i < end; i++ {
		switch {
		case v.at(i) == "#" && (v.at(i+1) == "[" || v.at(i+1) == "!" && v.at(i+2) == "["):
			i = v.attribute(i)
		case v.at(i) == "use" && v.isItem(i):
			if inner == nil {
				inner = v.blockScope(s, open+1, end)
			}
			v.imports(i+1, inner)
		case v.at(i) == "fn" && v.isName(i+1) || v.isItem(i):
			i = v.itemEnd(i, end)
		case v.isName(i) && v.at(i+1) == "!":
			if i += 2; v.isName(i) { // macro_rules! name
				i++
			}
			if text := v.at(i); text == "(" || text == "[" || text == "{" {
				i = v.group(i)
			}
		}
	}
	return end
}

// importTree reads a tree of a use declaration, and returns the token after it. path contains the tokens of the names before the tree.
func (v *valueReader) importTree(i int, s *crate.Scope, path []int, depth int) int {
	path = slices.Clip(path)
	for v.isName(i) && v.separates(i+1) {
		path = append(path, i)
		i += 3
	}
	switch {
	case v.at(i) == "{" && depth < maxTree:
		for i++; i < len(v.tokens) && v.at(i) != "}"; {
			before := i
			if i = v.importTree(i, s, path, depth+1); v.at(i) == "," {
				i++
			}
			if i == before {
				return i
			}
		}
		return i + 1
	case v.at(i) == "self", v.at(i) == "*":
	case v.isName(i):
		path = append(path, i)
	default:
		return i
	}
	v.imported(path, s)
	if i++; v.at(i) == "as" {
		i += 2
	}
	return i
}

// imported reports the first name of an imported path that does not exist.
func (v *valueReader) imported(path []int, s *crate.Scope) {
	var names []string
	for _, i := range path {
		names = append(names, strings.TrimPrefix(v.at(i), "r#"))
	}
	if len(names) == 0 || slices.Contains([]string{"crate", "self", "super", "Self"}, names[0]) {
		return
	}
	if !v.isRequired(names[0]) && v.separates(path[0]+1) && s.IsAbsent(names[0]) { // a name alone may be that of a macro in scope
		v.crate(path[0])
		return
	}
	if m, n := s.AbsentItem(names); m.Absent {
		v.member(path[n], m)
	}
}
