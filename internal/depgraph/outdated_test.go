package depgraph

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// withReleases is the project of shop after registries were asked.
func withReleases(now time.Time) []Language {
	all := shop()
	all[0].Releases = make([]*ecosystem.Releases, len(all[0].Graph.Packages))
	all[0].Releases[1] = &ecosystem.Releases{Newest: "2.0.0", Allowed: "1.4.0", Published: now.Add(-400 * 24 * time.Hour), Deprecated: "use\nb, which has a reason that does not fit into one column"}
	all[0].Releases[2] = &ecosystem.Releases{Newest: "2.0.0-beta.1", Yanked: "broken"}
	all[0].Releases[3] = &ecosystem.Releases{Newest: "1.1.0"}
	all[0].Releases[4] = &ecosystem.Releases{Newest: "1.0.0", Allowed: "1.0.0"}
	all[0].Releases[5] = &ecosystem.Releases{Err: errors.New("the registry is down")}
	return all
}

func TestOutdated(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	var b strings.Builder
	if err := Outdated(&b, withReleases(now), now); err != nil {
		t.Fatal(err)
	}
	const want = `npm: looked up 5 packages of /src/shop

direct (2)
  package  used          allowed  newest        age
  a        1.0.0         1.4.0    2.0.0         13 months  deprecated: use b, which has a reason that does not fit into one column
  b        2.0.0-beta.1           2.0.0-beta.1             yanked: broken

indirect (1)
  package  used   allowed  newest  age
  c_d      2.0.0                        unknown: the registry is down

1 more indirect package has a newer version; --json lists it

note: A file cannot be read.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	data, err := json.Marshal(JSON(withReleases(now)))
	if err != nil || !strings.Contains(string(data), `"registry":{"newest":"2.0.0","allowed":"1.4.0","published":"2025-09-27T00:00:00Z","deprecated":"use`) ||
		!strings.Contains(string(data), `"registry":{"error":"the registry is down"}`) || strings.Count(string(data), `"registry"`) != 5 {
		t.Errorf("%s, %v", data, err)
	}
}
