package rust

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// acceptsDeprecated matches an attribute of an item in which the compiler accepts deprecated names, perhaps only with some
// configuration.
var acceptsDeprecated = lazyregexp.New(`^\s*(?:deprecated\b|(?:allow|expect|cfg_attr)\s*\((?s:.*)\b(?:deprecated|warnings)\b)`)

// AcceptsDeprecated implements ecosystem.DeprecationReader for items with attributes such as #[deprecated] and
// #[allow(deprecated)].
func (*Rust) AcceptsDeprecated(f *ecosystem.SourceFile) func(line int) bool {
	file := source.Parse(string(f.Text))
	lines := ecosystem.NewLines(file.Text)
	accepting := map[int]bool{}
	accepts := func(attrs []source.Attr) bool {
		for _, a := range attrs {
			if a.Kind == source.Punct && acceptsDeprecated().MatchString(file.Text[a.Body.Start:a.Body.End]) {
				return true
			}
		}
		return false
	}
	var add func(items []*source.Item)
	add = func(items []*source.Item) {
		for _, it := range items {
			if !accepts(it.Attrs) && !accepts(it.Inner) {
				add(it.Items)
				continue
			}
			for line := lines.Position(int(it.Start)).Line; line <= lines.Position(int(it.End)).Line; line++ {
				accepting[line] = true
			}
		}
	}
	add(file.Items)
	all := accepts(file.Inner)
	return func(line int) bool { return all || accepting[line] }
}
