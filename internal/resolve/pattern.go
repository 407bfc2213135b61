package resolve

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/quote"
)

// maxPatternEntries is the maximum number of entry points that are read for one pattern.
const maxPatternEntries = 24

// patternElsewhere returns the symbols that match a pattern in other entry points of a package, or in the
// other packages of its module: the members of a type that another entry point exports, as in
// "Type.*", or else all symbols that match.
func (r *Resolver) patternElsewhere(ctx context.Context, o *Package, pattern string) (found []Target, err error) {
	if found, err = r.membersElsewhere(ctx, o, pattern); len(found) > 0 || err != nil {
		return found, err
	}
	var others []*catalog.Item
	var unread []string
	if x := r.catalog.Names(ctx, o.Question, o.Item); x != nil {
		entries := x.Select(o.Name, func(name string) bool { return naming.MatchesFirst(pattern, name, o.Separator()) })
		if len(entries) > maxPatternEntries {
			entries, unread = entries[:maxPatternEntries], entries[maxPatternEntries:]
		}
		others = r.catalog.ReadAll(ctx, o.Question, entries)
	} else {
		others, unread = r.catalog.Family(ctx, o.Question, o.Item)
	}
	type declaration struct {
		file, signature string
		line            int
	}
	listed := map[declaration]bool{}
	for _, other := range others {
		symbols, _ := naming.Select(other.Package, pattern)
		notice := fmt.Sprintf("No symbol of %s matches %s. These are in %s.", o.Name, pattern, other.Name)
		for _, s := range symbols {
			d := declaration{s.File, s.Signature, s.Line}
			if s.File != "" && listed[d] {
				continue
			}
			listed[d] = true
			found = append(found, Target{Item: other, Symbol: s, Notice: notice})
			notice = "" // once for each package
		}
	}
	if len(found) == 0 && len(unread) > 0 {
		return nil, fmt.Errorf("%w; not searched: %s of %s", &naming.NoMatchError{Package: o.Name, Pattern: pattern}, quote.Count(len(unread), "more package"), o.Name)
	}
	return found, nil
}

// membersElsewhere returns the members that match a pattern such as "Type.*" if another entry point
// exports the type.
func (r *Resolver) membersElsewhere(ctx context.Context, o *Package, pattern string) (found []Target, err error) {
	separator := o.Separator()
	path := strings.ReplaceAll(pattern, ".", separator)
	i := strings.LastIndex(path, separator)
	if i < 0 || strings.Contains(path[:i], "*") {
		return nil, nil
	}
	types, err := r.elsewhere(ctx, o, path[:i])
	for _, t := range types {
		members, _ := naming.Select(t.Package, t.Symbol.Path+path[i:])
		for _, m := range members {
			found = append(found, Target{Item: t.Item, Symbol: m, Notice: t.Notice, NotIn: t.NotIn, Import: t.Import})
		}
	}
	return found, err
}
