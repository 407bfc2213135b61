package resolve

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
)

// maxExporters is the maximum number of dependencies that are read to find the package of a
// qualified name.
const maxExporters = 8

// findByExport reads the direct dependency to which the first part of a qualified name refers in
// programs. For example, z.object refers to zod, which exports z, and React.useState refers to
// react. findByExport returns nil if there is no such dependency or more than one. symbol is the
// path of the symbol in the dependency.
func (r *Resolver) findByExport(ctx context.Context, q catalog.Question) (p *catalog.Item, symbol string) {
	language, _ := r.catalog.Languages().Find(q.Language).(ecosystem.Lister)
	head, rest, ok := strings.Cut(q.Name, ".")
	if language == nil || q.Project == "" || !ok || head == "" || rest == "" || strings.ContainsAny(q.Name, "/@") {
		return nil, ""
	}
	dependencies, err := language.Dependencies(q.Project)
	if err != nil {
		return nil, ""
	}
	var names []string
	for i := range dependencies {
		d := &dependencies[i]
		last := strings.ToLower(d.Package[strings.LastIndexByte(d.Package, '/')+1:])
		if d.Direct && d.Installed && (strings.HasPrefix(last, strings.ToLower(head)) || naming.NamedAfter(head, d.Package)) && !slices.Contains(names, d.Package) {
			names = append(names, d.Package)
		}
	}
	for _, name := range names[:min(len(names), maxExporters)] {
		each := q
		each.Name = name
		other, err := r.catalog.Read(ctx, each)
		if err != nil {
			continue
		}
		path := q.Name
		if strings.EqualFold(name, head) { // head is the name of the package
			path = rest
		}
		if naming.Exact(other.Package, path) == nil {
			if found, _ := r.elsewhere(ctx, &Package{other, each}, path); len(found) == 0 {
				continue
			}
		}
		if p != nil {
			return nil, ""
		}
		p, symbol = other, path
	}
	return p, symbol
}
