package answer

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Lean returns a copy of a package. If types is false, the copy does not contain types that only
// the compiler needs. If examples is false, it does not contain the examples and the sections that
// are files of examples.
func Lean(p *apidoc.Package, types, examples bool) *apidoc.Package {
	out := *p
	if !types {
		out.Symbols = withoutTypes(out.Symbols)
	}
	if !examples {
		out.Examples, out.Symbols = nil, withoutExamples(out.Symbols)
		out.Sections = slices.DeleteFunc(slices.Clone(out.Sections), isExample)
	}
	return &out
}

// withoutTypes omits interfaces, type aliases, and namespaces that contain nothing else. It keeps a
// name that is both a type and a value.
func withoutTypes(symbols []apidoc.Symbol) []apidoc.Symbol {
	var out []apidoc.Symbol
	for _, s := range symbols {
		switch {
		case s.Role() == apidoc.TypeRole && s.Form() != apidoc.ClassForm && s.Form() != apidoc.EnumForm:
			continue
		case s.Role() == apidoc.ModuleRole:
			if s.NumMembers() > 0 {
				if s.SetMembers(withoutTypes(s.AllMembers())); len(s.Members) == 0 {
					continue
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// isExample reports whether a section is a file of example code.
func isExample(s apidoc.Section) bool { return s.File != "" && s.Title == s.File }

// withoutExamples returns a copy of symbols without their examples and the examples of their
// members.
func withoutExamples(symbols []apidoc.Symbol) []apidoc.Symbol {
	out := slices.Clone(symbols)
	for i := range out {
		out[i].Examples = nil
		out[i].SetMembers(withoutExamples(out[i].AllMembers()))
	}
	return out
}
