package lookup

import (
	"context"
	"slices"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Web reads sections about a package that are not its own; notes say what could
// not be read, a sentence each.
type Web interface {
	Read(ctx context.Context, p *apidoc.Package) (sections []apidoc.Section, notes []string)
}

// webRetry is how long what could not be read from the web is not asked for
// again.
const webRetry = 5 * time.Minute

// webDocs is a package with the documentation that the web has of it.
type webDocs struct {
	turn   chan struct{} // holds one element while the fields below are used
	whole  *prepared
	failed time.Time // when something could not be read; zero if all was
}

// withWeb returns p with the sections that l.Web reads, p itself without them.
func (l *Lookup) withWeb(ctx context.Context, p *prepared) *prepared {
	if l.Web == nil {
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
	sections, notes := l.Web.Read(ctx, p.Package)
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
		web.whole = l.newPrepared(&whole)
	}
	return web.whole
}
