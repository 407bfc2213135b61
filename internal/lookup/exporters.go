package lookup

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/resolve"
)

// maxExporters is the maximum number of entry points that are read to find out whether they export
// the types in an answer.
const maxExporters = 3

// isNamedInFile reports whether the last name of an entry point is the name of a file, or of a
// directory above the file.
func isNamedInFile(entry, file string) bool {
	last := entry[strings.LastIndexAny(entry, "./:")+1:]
	for part := range strings.SplitSeq(file, "/") {
		if name, _, _ := strings.Cut(part, "."); name == last {
			return true
		}
	}
	return false
}

// withExporters returns an answer with a line about the types in it that other entry points of the
// packages of its targets export. It reads their indexes only if the text mentions other names than
// those that the packages export.
func (l *Lookup) withExporters(ctx context.Context, a *answer.Answer, targets []Target, o answer.Options) *answer.Answer {
	var renderers []*answer.Renderer
	indexes := map[*answer.Renderer]func() *catalog.Index{}
	questions := map[*answer.Renderer]Package{}
	var read []string // entry points that were read to compare declarations
	for _, t := range targets {
		r := t.Renderer()
		if indexes[r] != nil {
			continue
		}
		q := t.Origin.Question
		q.Name, q.Version = t.Name, q.RequestedVersion()
		renderers, questions[r] = append(renderers, r), q
		indexes[r] = sync.OnceValue(func() *catalog.Index { return l.catalog.Index(ctx, q, t.Item) })
	}
	return a.WithExporters(renderers, func(r *answer.Renderer, name string, declared *apidoc.Symbol) string {
		x := indexes[r]()
		if x == nil {
			return ""
		}
		entries := x.Exporting(name, r.Package().Name)
		if declared == nil && len(entries) == 1 {
			return entries[0]
		}
		if declared == nil || len(entries) == 0 {
			return ""
		}
		// The index contains only names, so the type may be another one of the same name.
		entry := entries[0]
		if isNamedInFile(entry, declared.File) {
			return entry
		}
		if !slices.Contains(read, entry) {
			if len(read) == maxExporters {
				return ""
			}
			read = append(read, entry)
		}
		for _, other := range l.catalog.ReadAll(ctx, questions[r], []string{entry}) {
			if s := other.Exported(name); s != nil && resolve.SameDeclaration(s, declared) {
				return entry
			}
		}
		return ""
	}, o)
}
