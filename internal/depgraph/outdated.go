package depgraph

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// release returns a registry's information about a package, or nil if none was queried.
func (l *Language) release(i int) *ecosystem.Releases {
	if i >= len(l.Releases) {
		return nil
	}
	return l.Releases[i]
}

// newer reports whether there is a newer version than the one in use.
func (l *Language) newer(i int) bool {
	r, version := l.release(i), l.Graph.Packages[i].Version
	return r != nil && r.Err == nil && (r.Newest != "" && r.Newest != version || r.Allowed != "" && r.Allowed != version)
}

// flagged reports whether a registry advises against the version in use, or could not be queried.
func (l *Language) flagged(i int) bool {
	r := l.release(i)
	return r != nil && (r.Err != nil || r.Yanked != "" || r.Deprecated != "" || r.Archived)
}

// Outdated writes the packages of a project for which registries have newer versions, and those
// whose version is deprecated, yanked or unknown. For packages that the project does not require
// itself, it only counts those with newer versions.
func Outdated(w io.Writer, all []Language, now time.Time) error {
	var b strings.Builder
	for i := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		all[i].outdated(&b, now)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l *Language) outdated(b *strings.Builder, now time.Time) {
	direct := l.Graph.Direct()
	header := []string{"package", "used", "allowed", "newest", "age", ""}
	groups := []struct {
		title string
		rows  [][]string
	}{{title: "direct"}, {title: "indirect"}}
	requests, indirect := 0, 0
	for i := range l.Graph.Packages {
		r, p := l.release(i), &l.Graph.Packages[i]
		if r == nil {
			continue
		}
		requests++
		group := 1
		if direct[i] {
			group = 0
		}
		switch {
		case l.flagged(i), group == 0 && l.newer(i):
			age := ""
			if !r.Published.IsZero() {
				age = since(r.Published, now)
			}
			groups[group].rows = append(groups[group].rows, []string{line(p.Name), line(p.Version), line(r.Allowed), line(r.Newest), age, strings.Join(advice(r), "; ")})
		case l.newer(i):
			indirect++
		}
	}
	fmt.Fprintf(b, "%s: looked up %s of %s\n", l.Name, count(requests, "package"), line(l.Graph.Root))
	if len(groups[0].rows)+len(groups[1].rows) == 0 {
		b.WriteString("\nall direct dependencies are up to date\n")
	}
	for _, group := range groups {
		if len(group.rows) > 0 {
			fmt.Fprintf(b, "\n%s (%d)\n", group.title, len(group.rows))
			table(b, append([][]string{header}, group.rows...))
		}
	}
	switch {
	case indirect == 1:
		b.WriteString("\n1 more indirect package has a newer version; --json lists it\n")
	case indirect > 1:
		fmt.Fprintf(b, "\n%d more indirect packages have newer versions; --json lists them\n", indirect)
	}
	for _, problem := range l.Graph.Problems {
		fmt.Fprintf(b, "\nnote: %s\n", line(problem))
	}
}

// advice returns the reasons against the version in use.
func advice(r *ecosystem.Releases) []string {
	var all []string
	if r.Yanked != "" {
		all = append(all, "yanked: "+line(r.Yanked))
	}
	if r.Deprecated != "" {
		all = append(all, "deprecated: "+line(r.Deprecated))
	}
	if r.Archived {
		all = append(all, "archived")
	}
	if r.Err != nil {
		all = append(all, "unknown: "+line(r.Err.Error()))
	}
	return all
}

// since returns the time since a date in the largest suitable unit.
func since(date, now time.Time) string {
	days := int(now.Sub(date).Hours() / 24)
	switch {
	case days >= 2*365:
		return count(days/365, "year")
	case days >= 60:
		return count(days/30, "month")
	}
	return count(max(days, 0), "day")
}

// ReleaseData is the JSON of a registry's information about a package.
type ReleaseData struct {
	Newest     string     `json:"newest,omitempty"`
	Allowed    string     `json:"allowed,omitempty"`
	Published  *time.Time `json:"published,omitempty"` // when the version in use was published
	Deprecated string     `json:"deprecated,omitempty"`
	Yanked     string     `json:"yanked,omitempty"`
	Archived   bool       `json:"archived,omitempty"`
	Error      string     `json:"error,omitempty"`
}

func (l *Language) releaseData(i int) *ReleaseData {
	r := l.release(i)
	if r == nil {
		return nil
	}
	d := &ReleaseData{Newest: r.Newest, Allowed: r.Allowed, Deprecated: r.Deprecated, Yanked: r.Yanked, Archived: r.Archived}
	if !r.Published.IsZero() {
		d.Published = &r.Published
	}
	if r.Err != nil {
		d.Error = r.Err.Error()
	}
	return d
}
