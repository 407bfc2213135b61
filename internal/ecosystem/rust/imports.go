package rust

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/spelling"
)

// imports reports the names in a use declaration, which begins at a token, that do not exist.
func (v *valueReader) imports(i int, s *crate.Scope) {
	if v.separates(i) {
		i += 2
	}
	v.tree(i, nil, 0, func(path []int, leaf int) {
		if v.at(leaf) != "self" && v.at(leaf) != "*" {
			path = append(path, leaf)
		}
		alias := ""
		if v.at(leaf+1) == "as" {
			alias = v.at(leaf + 2)
		}
		v.absent(path, alias, s)
	})
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

// isMisspelled reports whether a path that does not exist begins with the misspelled name of a crate that has the rest of it. A macro
// that was not expanded may declare any other name.
func (v *valueReader) isMisspelled(names []string, s *crate.Scope) bool {
	return !s.Has(names[:1]) && slices.ContainsFunc(spelling.Misspelled(maps.Keys(v.crates), names[0]), func(name string) bool {
		return s.Has(append([]string{name}, names[1:]...))
	})
}

// absent reports the first name of an imported path that does not exist. alias is the name that the import declares after "as".
func (v *valueReader) absent(path []int, alias string, s *crate.Scope) {
	var names []string
	for _, i := range path {
		names = append(names, strings.TrimPrefix(v.at(i), "r#"))
	}
	if len(names) == 0 || slices.Contains([]string{"crate", "self", "super", "Self"}, names[0]) {
		return
	}
	alone := !v.separates(path[0] + 1) // it may be that of a macro
	if !v.isRequired(names[0]) && (!alone && !v.missing && s.IsAbsent(names[0]) || !(alone && s.HasRules(names[0])) && v.isMisspelled(names, s)) {
		v.crate(path[0])
		return
	}
	if alias == names[0] { // the name of a crate, because that of the import is not declared yet
		names, path = slices.Insert(names, 0, ""), slices.Insert(path, 0, path[0])
	}
	if m, n := s.AbsentItem(names); m.Absent {
		v.member(path[n], m)
	} else if m := s.AbsentVariant(names); m.Absent {
		v.member(path[len(path)-1], m)
	}
}
