package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// maxFamily is the maximum number of packages of a module that are read in addition to the
	// requested one.
	maxFamily = 80
	// familyTime is the default value of Settings.FamilyTime.
	familyTime = 3 * time.Second
)

// Family reads the other packages of a package's module, or its other entry points, as far as the
// time limit allows. unread contains the names of those that were not read.
func (c *Catalog) Family(ctx context.Context, q Question, p *Item) (others []*Item, unread []string) {
	names := c.Relatives(ctx, q, p)
	if len(names) > maxFamily {
		names, unread = names[:maxFamily], names[maxFamily:]
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.settings.FamilyTime, familyTime))
	defer cancel()
	version := q.RequestedVersion()
	for i, name := range names {
		each := q
		each.Name, each.Version = name, version
		other, err := c.Read(ctx, each)
		if ctx.Err() != nil {
			return others, slices.Concat(names[i:], unread)
		}
		if err == nil {
			others = append(others, other)
		}
	}
	return others, unread
}

// Relatives returns the names of the other packages of a package's module.
func (c *Catalog) Relatives(ctx context.Context, q Question, p *Item) []string {
	var names []string
	add := func(from *apidoc.Package) {
		for i := range from.Subpackages {
			if s := &from.Subpackages[i]; !s.Command && s.Name != p.Name && !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	add(p.Package)
	if root := p.Module; root != "" && root != p.Name && strings.HasPrefix(p.Name, root+"/") {
		q.Name = root
		if p.Version != "" && q.Version == "" && q.Project == "" {
			q.Version = p.Version
		}
		if main, err := c.Read(ctx, q); err == nil {
			if !slices.Contains(names, main.Name) && len(main.Symbols) > 0 {
				names = append(names, main.Name)
			}
			add(main.Package)
		}
	}
	return names
}
