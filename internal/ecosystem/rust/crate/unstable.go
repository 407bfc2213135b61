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
		enables, condition := unstableIn(u.Text, a)
		return enables && !(stable && condition != "")
	})
}

// unstableIn reports whether an inner attribute enables unstable features, and its condition, if any.
func unstableIn(text string, a source.Attr) (enables bool, condition string) {
	if a.Kind != source.Punct {
		return false, ""
	}
	m := source.ParseMeta(a.Body.Text(text))
	attributes := []source.Meta{m}
	if m.Path == "cfg_attr" {
		parts := source.Split(m.Args)
		if len(parts) == 0 {
			return false, ""
		}
		condition, attributes = parts[0], nil
		for _, part := range parts[1:] {
			attributes = append(attributes, source.ParseMeta(part))
		}
	}
	return slices.ContainsFunc(attributes, func(m source.Meta) bool {
		return m.Path == "feature" && slices.ContainsFunc(source.Split(m.Args), func(name string) bool {
			name = strings.TrimSpace(name)
			return name != "" && !strings.HasPrefix(name, "doc") && !strings.HasPrefix(name, "rustdoc")
		})
	}), condition
}

// UnstableFeatures returns the features of a package that cannot be on with a stable compiler, because an attribute in the root
// file of the crate enables unstable features whenever they are on.
func UnstableFeatures(src *Source) (features []string) {
	text, _, err := readText(src.FS, src.Lib, nil, nil)
	if err != nil || !strings.Contains(text, "cfg_attr") { // most files
		return nil
	}
	for _, a := range source.Parse(text).Inner {
		if enables, condition := unstableIn(text, a); enables {
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
