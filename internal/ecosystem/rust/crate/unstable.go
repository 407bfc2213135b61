package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// EnablesUnstable reports whether an attribute of the crate enables features of the language or its standard library that are unstable,
// except those for documentation. If stable is true, the compiler is a stable one, for which conditional attributes enable none.
func (s *Scope) EnablesUnstable(stable bool) bool {
	u := s.m.krate.unit
	return slices.ContainsFunc(u.Inner, func(a source.Attr) bool {
		return slices.ContainsFunc(unstableIn(u.Text, a), func(condition string) bool { return !stable || condition == "" })
	})
}

// unstableIn returns the conditions under which an inner attribute enables unstable features. The condition "" is always true.
func unstableIn(text string, a source.Attr) []string {
	if a.Kind != source.Punct {
		return nil
	}
	return unstableConditions(source.ParseMeta(a.Body.Text(text)), "", 0)
}

// unstableConditions returns these conditions for an attribute that has a condition itself, or "".
func unstableConditions(m source.Meta, condition string, depth int) (all []string) {
	parts := source.Split(m.Args)
	switch {
	case m.Path == "cfg_attr" && len(parts) > 0 && depth <= maxConditional:
		inner := parts[0]
		if condition != "" {
			inner = "all(" + condition + "," + inner + ")"
		}
		for _, part := range parts[1:] {
			all = append(all, unstableConditions(source.ParseMeta(part), inner, depth+1)...)
		}
	case m.Path == "feature" && slices.ContainsFunc(parts, func(name string) bool {
		name = strings.TrimSpace(name)
		return name != "" && !strings.HasPrefix(name, "doc") && !strings.HasPrefix(name, "rustdoc")
	}):
		all = []string{condition}
	}
	return all
}

// UnstableFeatures returns the features of a package that cannot be on with a stable compiler, because an attribute in the root
// file of the crate enables unstable features whenever they are on.
func UnstableFeatures(src *Source) (features []string) {
	text, _, err := readText(src.FS, src.Lib, nil, nil)
	if err != nil || !strings.Contains(text, "cfg_attr") { // most files
		return nil
	}
	for _, a := range source.Parse(text).Inner {
		for _, condition := range unstableIn(text, a) {
			features = append(features, parsePredicate(condition, 0).suffices()...)
		}
	}
	return features
}

// suffices returns the features that make a condition true whatever the rest of it is.
func (c *predicate) suffices() (features []string) {
	switch {
	case c.equal && c.name == "feature":
		return []string{c.value}
	case c.op == "any":
		for _, part := range c.parts {
			features = append(features, part.suffices()...)
		}
	case c.op == "all" && len(c.parts) > 0:
		features = c.parts[0].suffices()
		for _, part := range c.parts[1:] {
			others := part.suffices()
			features = slices.DeleteFunc(features, func(name string) bool { return !slices.Contains(others, name) })
		}
	}
	return features
}
