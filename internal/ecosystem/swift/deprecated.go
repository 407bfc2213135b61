package swift

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// AcceptsDeprecated implements ecosystem.DeprecationReader for declarations that are deprecated or unavailable.
func (*Swift) AcceptsDeprecated(f *ecosystem.SourceFile) func(line int) bool {
	text := string(f.Text)
	lines := ecosystem.NewLines(text)
	accepting := map[int]bool{}
	var add func(decls []*source.Decl)
	add = func(decls []*source.Decl) {
		for _, d := range decls {
			if !slices.ContainsFunc(d.Availability(), func(a source.Availability) bool { return a.IsDeprecated || a.Unavailable }) {
				add(d.Members)
				continue
			}
			for line := lines.Position(d.Start).Line; line <= lines.Position(d.End).Line; line++ {
				accepting[line] = true
			}
		}
	}
	add(source.Parse(f.Name, text).Decls)
	return func(line int) bool { return accepting[line] }
}
