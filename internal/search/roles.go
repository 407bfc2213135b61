package search

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// asides contains the last words of names of types that operations take or return.
var asides = wordSet(`input output request response options option opts params param parameters props args arguments
	result results config configuration settings info data event payload return error type interface`)

var makers = wordSet(`new create make build open init from of define`)

// rankRoles finds constructors, and the input and output types of operations. These types and their
// members rank lower than the operations.
func (x *Index) rankRoles() {
	operations := map[string]bool{}
	for i := range x.entries {
		if s := x.entries[i].symbol; s != nil && s.IsCallable() {
			operations[x.name(i)] = true
		}
	}
	sides := map[string]string{} // last words of the names of input and output types, by path
	for i := range x.entries {
		e := &x.entries[i]
		s := e.symbol
		if s == nil {
			continue
		}
		name, humps := x.name(i), x.spans[i].humps
		e.operation = s.IsCallable()
		e.failure = !e.operation && isFailure(baseName(s))
		last := lastHump(name, humps)
		switch {
		case s.IsCallable():
			first := firstHump(name, humps)
			e.constructor = makers[first] && (s.Of != "" || s.ParentPath() == "") || s.Of != "" || name == "new"
		case s.Form() == apidoc.ClassForm && slices.ContainsFunc(s.AllMembers(), func(m apidoc.Symbol) bool { return m.Role() == apidoc.ConstructorRole }):
			e.constructor = true // the query may ask for the constructor of a class
		case asides[last] && len(last) < len(name) && operations[name[:len(name)-len(last)]]:
			e.aside = stem(last)
			sides[s.Path] = e.aside
		}
		if side := sides[s.ParentPath()]; side != "" && s.ParentPath() != "" {
			e.aside = side
		}
	}
}

// isPredicate reports whether a function or method returns a boolean.
func (x *Index) isPredicate(s *apidoc.Symbol) bool {
	boolean := x.pkg.Style.Boolean
	if boolean == "" || !s.IsCallable() || !strings.Contains(s.Signature, boolean) {
		return false
	}
	d := x.pkg.Decl(s)
	return d.ChildText(d.Child(d.Child(-1, apidoc.DeclarationPart), apidoc.ResultPart), apidoc.TypePart) == boolean
}

// isFailure reports whether a type or value has the name of an error.
func isFailure(name string) bool {
	return strings.HasPrefix(name, "Err") || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")
}

func lastHump(name string, humps uint64) string {
	for i := min(len(name), 64) - 1; i > 0; i-- {
		if humps&(1<<i) != 0 {
			return name[i:]
		}
	}
	return name
}

func firstHump(name string, humps uint64) string {
	for i := 1; i < len(name) && i < 64; i++ {
		if humps&(1<<i) != 0 {
			return name[:i]
		}
	}
	return name
}
