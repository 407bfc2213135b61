package catalog

import (
	"context"
	"slices"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Web reads sections about a package that are not part of it. notes contains sentences about
// sections that could not be read.
type Web interface {
	Read(ctx context.Context, p *apidoc.Package) (sections []apidoc.Section, notes []string)
}

// webRetry is the time until pages that could not be read from the web are requested again.
const webRetry = 5 * time.Minute

// webDocs is a package with its documentation from the web.
type webDocs struct {
	turn   chan struct{} // contains one element while the fields below are in use
	whole  *Item
	failed time.Time // time of a failed attempt, or zero if all sections were read
}

// WithWeb returns p with the sections that Settings.Web reads, or p itself if there are none.
func (c *Catalog) WithWeb(ctx context.Context, p *Item) *Item {
	if c.settings.Web == nil {
		return p
	}
	web := &p.web
	select {
	case web.turn <- struct{}{}:
	case <-ctx.Done():
		return p
	}
	defer func() { <-web.turn }()
	if web.whole != nil && (web.failed.IsZero() || time.Since(web.failed) < webRetry) {
		return web.whole
	}
	sections, notes := c.settings.Web.Read(ctx, p.Package)
	if ctx.Err() != nil {
		return p
	}
	web.whole, web.failed = p, time.Time{}
	if len(notes) > 0 {
		web.failed = time.Now()
	}
	if len(sections)+len(notes) > 0 {
		whole := *p.Package
		whole.Sections = slices.Concat(p.Sections, sections)
		whole.Advice = slices.Concat(p.Advice, notes)
		web.whole = c.NewItem(&whole)
	}
	return web.whole
}
