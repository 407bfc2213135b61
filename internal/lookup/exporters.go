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

// maxIndexed is the maximum number of packages below a package whose index is read for the line
// about types in other entry points, if the index is made from all files of the package.
const maxIndexed = 200

// entryPoints returns a function that lists the entry points, except p itself, that may export a
// type. sure is true if the first of them exports a type with that name.
func (l *Lookup) entryPoints(ctx context.Context, q Package, p *catalog.Item) func(name string, declared *apidoc.Symbol) (entries []string, sure bool) {
	root := p
	language := l.Languages().Find(q.Language)
	readsAll := language != nil && language.Info().IndexReadsAll
	if readsAll && p.Module != "" && p.Module != p.Name {
		if all := l.catalog.ReadAll(ctx, q, []string{p.Module}); len(all) > 0 {
			root = all[0]
		}
	}
	if readsAll && len(root.Subpackages) > maxIndexed {
		return func(_ string, declared *apidoc.Symbol) ([]string, bool) { return enclosing(root, p, declared), false }
	}
	x := l.catalog.Names(ctx, q, p)
	return func(name string, _ *apidoc.Symbol) ([]string, bool) {
		if x == nil {
			return nil, false
		}
		entries := x.Exporting(name, p.Name)
		return entries[:min(len(entries), 2)], true
	}
}

// enclosing returns the entry points of a package, except p, that are named like the file of a
// declaration or a directory above it, the shortest names first.
func enclosing(root, p *catalog.Item, declared *apidoc.Symbol) (entries []string) {
	if declared == nil {
		return nil
	}
	add := func(entry string) {
		if entry != p.Name && isNamedInFile(entry, declared.File) && !slices.Contains(entries, entry) {
			entries = append(entries, entry)
		}
	}
	add(root.Name)
	for _, below := range [][]apidoc.Subpackage{root.Subpackages, p.Subpackages} {
		for i := range below {
			add(below[i].Name)
		}
	}
	slices.SortStableFunc(entries, func(a, b string) int { return len(a) - len(b) })
	return entries[:min(len(entries), maxExporters)]
}

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
	entryPoints := map[*answer.Renderer]func() func(string, *apidoc.Symbol) ([]string, bool){}
	questions := map[*answer.Renderer]Package{}
	var read []string // entry points that were read to compare declarations
	for _, t := range targets {
		r := t.Renderer()
		if entryPoints[r] != nil {
			continue
		}
		q := t.Origin.Question
		q.Name, q.Version = t.Name, q.RequestedVersion()
		renderers, questions[r] = append(renderers, r), q
		entryPoints[r] = sync.OnceValue(func() func(string, *apidoc.Symbol) ([]string, bool) { return l.entryPoints(ctx, q, t.Item) })
	}
	// readEntry reads an entry point unless too many were read for the answer.
	readEntry := func(q Package, entry string) (all []*catalog.Item) {
		if !slices.Contains(read, entry) {
			if len(read) == maxExporters {
				return nil
			}
			read = append(read, entry)
		}
		return l.catalog.ReadAll(ctx, q, []string{entry})
	}
	return a.WithExporters(renderers, func(r *answer.Renderer, name string, declared *apidoc.Symbol) (from string, exporting *answer.Renderer) {
		entries, sure := entryPoints[r]()(name, declared)
		if declared == nil && len(entries) == 1 {
			if all := readEntry(questions[r], entries[0]); len(all) > 0 {
				exporting = all[0].Renderer()
			}
			return entries[0], exporting
		}
		if declared == nil || len(entries) == 0 {
			return "", nil
		}
		if sure {
			// The index contains only names, so the type may be another one of the same name.
			if isNamedInFile(entries[0], declared.File) {
				return entries[0], nil
			}
			entries = entries[:1]
		}
		for _, entry := range entries {
			for _, other := range readEntry(questions[r], entry) {
				if s := other.Exported(name); s != nil && resolve.SameDeclaration(s, declared) {
					return entry, nil
				}
			}
		}
		return "", nil
	}, o)
}
