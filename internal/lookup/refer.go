package lookup

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxCandidates is how many packages are tried for one reference.
const maxCandidates = 8

// referrer finds what comments of p refer to in other packages. It serves
// languages whose names of packages stand before those of symbols.
func (l *Lookup) referrer(ctx context.Context, q Package, p *prepared) answer.Referrer {
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
			other.Name, other.Version = candidate, versionOf(q)
			if other.Version == "" && q.Project == "" {
				other.Version = p.Version
			}
			found, err := l.store.Describe(ctx, other.Language, other.query())
			if err != nil || found.Name == p.Name {
				continue
			}
			if s := found.Exact(path); s != nil {
				return s
			}
		}
		return nil
	}
}

// nearby returns the packages that a comment of p may mean by the last part of
// a path: those of its module and, in a module without a path of its own such
// as the standard library, those beside and above p.
func (l *Lookup) nearby(ctx context.Context, q Package, p *prepared, last string) []string {
	var found []string
	for _, name := range l.relatives(ctx, q, p) {
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
