package depgraph

import (
	"fmt"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// release returns what a registry says of a package, nil if none was asked.
func (l *Language) release(i int) *ecosystem.Releases {
	if i >= len(l.Releases) {
		return nil
	}
	return l.Releases[i]
}

// releaseNotes are what a line says of a package after registries were asked.
func (l *Language) releaseNotes(i int) []string {
	r := l.release(i)
	if r == nil {
		return nil
	}
	var notes []string
	version := l.Graph.Packages[i].Version
	if r.Allowed != "" && r.Allowed != version {
		notes = append(notes, "newest allowed "+line(r.Allowed))
	}
	if r.Newest != "" && r.Newest != version && r.Newest != r.Allowed {
		notes = append(notes, "newest "+line(r.Newest))
	}
	if !r.Published.IsZero() {
		notes = append(notes, age(time.Since(r.Published))+" old")
	}
	if r.Yanked != "" {
		notes = append(notes, "yanked: "+line(r.Yanked))
	}
	if r.Deprecated != "" {
		notes = append(notes, "deprecated: "+line(r.Deprecated))
	}
	if r.Err != nil {
		notes = append(notes, "not known: "+line(r.Err.Error()))
	}
	return notes
}

// age writes a duration in the largest fitting unit.
func age(d time.Duration) string {
	days := int(d.Hours() / 24)
	switch {
	case days >= 2*365:
		return count(days/365, "year")
	case days >= 60:
		return count(days/30, "month")
	}
	return count(max(days, 0), "day")
}

// Outdated reports whether a registry has something to say of a package: a newer version,
// or that its own was deprecated or yanked.
func (l *Language) Outdated(i int) bool {
	r, p := l.release(i), &l.Graph.Packages[i]
	return r != nil && (r.Err != nil || r.Yanked != "" || r.Deprecated != "" || r.Newest != "" && r.Newest != p.Version || r.Allowed != "" && r.Allowed != p.Version)
}

func (l *Language) releaseData(i int) *ReleaseData {
	r := l.release(i)
	if r == nil {
		return nil
	}
	d := &ReleaseData{Newest: r.Newest, Allowed: r.Allowed, Deprecated: r.Deprecated, Yanked: r.Yanked}
	if !r.Published.IsZero() {
		d.Published = &r.Published
	}
	if r.Err != nil {
		d.Error = fmt.Sprint(r.Err)
	}
	return d
}
