package lookup

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/naming"
)

// maxCandidates is the maximum number of packages that are tried for a reference.
const maxCandidates = 8

// referrer returns a function that finds the symbols of other packages to which comments of p
// refer. It returns nil for languages in which the name of a symbol is not preceded by the name of
// its package.
func (l *Lookup) referrer(ctx context.Context, q Package, p *catalog.Item) answer.Referrer {
	if !p.Style.Imports {
		return nil
	}
	return func(name string) *apidoc.Symbol {
		slash := strings.LastIndexByte(name, '/') + 1
		qualifier, path, ok := strings.Cut(name[slash:], ".")
		if !ok || path == "" {
			return nil
		}
		candidates := []string{name[:slash] + qualifier}
		if slash == 0 {
			candidates = l.nearby(ctx, q, p, qualifier)
		}
		for _, candidate := range candidates[:min(len(candidates), maxCandidates)] {
			other := q
			other.Name, other.Version = candidate, q.RequestedVersion()
			if other.Version == "" && q.Project == "" {
				other.Version = p.Version
			}
			found, err := l.store.Describe(ctx, other.Language, other.Query())
			if err != nil || found.Name == p.Name {
				continue
			}
			if s := naming.Exact(found, path); s != nil {
				return s
			}
		}
		return nil
	}
}

// nearby returns the packages to which a comment of p may refer by the last part of their paths.
// These are the packages of its module. If the module has no path, as in the standard library, they
// are the siblings and parents of p.
func (l *Lookup) nearby(ctx context.Context, q Package, p *catalog.Item, last string) []string {
	var found []string
	for _, name := range l.catalog.Relatives(ctx, q, p) {
		if strings.HasSuffix(name, "/"+last) {
			found = append(found, name)
		}
	}
	if p.Module == "" || p.Name == p.Module || strings.HasPrefix(p.Name, p.Module+"/") {
		return found
	}
	for path := p.Name; path != ""; {
		found = append(found, path+"/"+last)
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return append(found, last)
}
