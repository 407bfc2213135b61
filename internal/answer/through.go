package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// maxThrough is the maximum number of values in a path.
const maxThrough = 8

// Through returns the symbol at a path that contains values, in the form that programs write. For
// example, Series.str.contains is the method contains of the type of Series.str. Through returns
// nil if none of the declared types of a value has such a member, or if several of them do.
func (r *Renderer) Through(path string) *apidoc.Symbol { return r.through(path, maxThrough) }

func (r *Renderer) through(path string, depth int) *apidoc.Symbol {
	separator := r.pkg.Separator()
	i := strings.LastIndex(path, separator)
	if i <= 0 || depth == 0 {
		return nil
	}
	value := naming.Named(r.pkg, path[:i])
	if value == nil {
		value = r.through(path[:i], depth-1)
	}
	if value == nil || value.IsType() || value.IsCallable() {
		return nil
	}
	var found *apidoc.Symbol
	for t := range r.typesIn(r.parse(value), -1, value) {
		switch m := r.pkg.At(t.Path + path[i:]); {
		case m == nil || m == found:
		case found != nil:
			return nil
		default:
			found = m
		}
	}
	return found
}

// MemberMade returns the member called name of the type that a symbol provides. That type is the
// symbol itself if it is a type, or otherwise a type that the function returns, or the type that
// declares the symbol as a member. MemberMade returns nil if no such type has the member.
func (r *Renderer) MemberMade(s *apidoc.Symbol, name string) *apidoc.Symbol {
	types := []*apidoc.Symbol{s}
	if !s.IsType() {
		_, types = r.callTypes(s)
		types = append(types, naming.TypesOf(r.pkg, s)...)
		if parent := r.pkg.At(s.ParentPath()); parent != nil {
			types = append(types, parent)
		}
	}
	for _, t := range types {
		members := t.AllMembers()
		for i := range members {
			if last, _ := apidoc.CutLabels(members[i].Name()); last == name {
				return &members[i]
			}
		}
	}
	return nil
}
