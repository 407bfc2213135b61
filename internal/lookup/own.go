package lookup

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// CompareOwn compares the user's own package in a directory with an older state of it in another
// directory. since describes the older state. symbols contains paths and patterns. If it is empty,
// all changes are requested.
func (l *Lookup) CompareOwn(ctx context.Context, language, before, now, since, symbols string) (*compare.Report, error) {
	c := Comparison{Old: Package{Language: language, Name: ".", Project: before}, New: Package{Language: language, Name: ".", Project: now}, Symbols: symbols, Own: true}
	report, err := l.Compare(ctx, c)
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.Invalid {
		// This language does not accept directories instead of names.
		old, new := l.memberIn(ctx, language, before), l.memberIn(ctx, language, now)
		if old == "" || new == "" {
			return nil, err
		}
		c.Old.Name, c.New.Name = old, new
		report, err = l.Compare(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	report.SetBump(since, report.Old.Version, &l.Languages().Find(language).Info().Style.Rules)
	report.Old.Version, report.Old.Provenance.ChosenBy = since, "requested"
	report.New.Version = "now"
	return report, nil
}

// memberIn returns the name of the project's own package in a directory, or "".
func (l *Lookup) memberIn(ctx context.Context, language, dir string) string {
	grapher, ok := l.Languages().Find(language).(ecosystem.Grapher)
	if !ok {
		return ""
	}
	g, err := grapher.Graph(ctx, dir)
	if err != nil {
		return ""
	}
	for i := range g.Packages {
		if p := &g.Packages[i]; p.Member && p.Dir == dir {
			return p.Name
		}
	}
	return ""
}
