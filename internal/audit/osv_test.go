package audit

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/project/cargo"
)

func compareSemver(a, b string) (int, bool) {
	v, errA := cargo.ParseVersion(a)
	w, errB := cargo.ParseVersion(b)
	return v.Compare(w), errA == nil && errB == nil
}

func TestCovers(t *testing.T) {
	for _, tt := range []struct {
		name, affected string
		vulnerable     string // versions of 0.9.0 1.0.0 1.1.0 1.2.0-rc.1 1.2.0 2.0.0 3.0.0
		fixed          string // of the first of them
	}{
		{"all versions", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}]}`, "0.9.0 1.0.0 1.1.0 1.2.0-rc.1 1.2.0 2.0.0 3.0.0", ""},
		{"up to a fix", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.2.0"}]}]}`, "0.9.0 1.0.0 1.1.0 1.2.0-rc.1", "1.2.0"},
		{"events in any order", `{"ranges":[{"type":"ECOSYSTEM","events":[{"fixed":"1.2.0"},{"introduced":"1.0.0"}]}]}`, "1.0.0 1.1.0 1.2.0-rc.1", "1.2.0"},
		{"two intervals", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.0.0"},{"introduced":"1.2.0"},{"fixed":"3.0.0"}]}]}`, "0.9.0 1.2.0 2.0.0", "1.0.0"},
		{"two ranges", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"1.0.0"},{"fixed":"1.1.0"}]},{"type":"SEMVER","events":[{"introduced":"2.0.0"},{"fixed":"3.0.0"}]}]}`, "1.0.0 2.0.0", "1.1.0"},
		{"up to the last", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"1.0.0"},{"last_affected":"1.2.0"}]}]}`, "1.0.0 1.1.0 1.2.0-rc.1 1.2.0", ""},
		{"a limit", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"limit":"1.0.0"}]}]}`, "0.9.0", ""},
		{"listed versions", `{"versions":["1.0.0","2.0.0"]}`, "1.0.0 2.0.0", ""},
		{"commits", `{"ranges":[{"type":"GIT","repo":"r","events":[{"introduced":"0"}]}]}`, "", ""},
		{"no versions", `{"ranges":[{"type":"SEMVER","events":[{"introduced":"first"},{}]}]}`, "", ""},
		{"nothing", `{}`, "", ""},
	} {
		a, err := parseAdvisory([]byte(`{"id":"X","affected":[` + tt.affected + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		next := ""
		for _, version := range []string{"0.9.0", "1.0.0", "1.1.0", "1.2.0-rc.1", "1.2.0", "2.0.0", "3.0.0"} {
			vulnerable, fixed := a.Affected[0].covers(version, compareSemver)
			if vulnerable {
				if got = append(got, version); len(got) == 1 {
					next = strings.Join(fixed, " ")
				}
			}
		}
		if strings.Join(got, " ") != tt.vulnerable || next != tt.fixed {
			t.Errorf("%s: got %q, fixed in %q; want %q, %q", tt.name, got, next, tt.vulnerable, tt.fixed)
		}
	}
}

func FuzzAdvisory(f *testing.F) {
	f.Add([]byte(`{"schema_version":"1.6.0","id":"GHSA-aaaa-bbbb-cccc","aliases":["CVE-2026-1"],"summary":"It burns","severity":[{"type":"CVSS_V3","score":"CVSS:3.1/AV:N"}],"affected":[{"package":{"ecosystem":"npm","name":"till"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.2.0"}]}],"versions":["1.0.0"],"database_specific":{"severity":"HIGH"}}],"database_specific":{"severity":{"word":"x"}}}`))
	f.Add([]byte(`{"id":"X","affected":[{"ranges":[{"events":[{"introduced":"0"},{"limit":"*"},{"last_affected":"x"}]}]}]}`))
	f.Add([]byte(`{"id":"X","affected":[{"package":{"name":"\u0074ill"},"database_specific":[1],"ecosystem_specific":"x"}]}`))
	f.Add([]byte(`[{"name":"till`))
	f.Fuzz(func(t *testing.T, data []byte) {
		names{"till": true}.in(data)
		a, err := parseAdvisory(data)
		if err != nil {
			return
		}
		summary(a)
		for i := range a.Affected {
			vulnerable, fixed := a.Affected[i].covers("1.0.0", compareSemver)
			if !vulnerable && len(fixed) > 0 {
				t.Errorf("a version that is not affected is fixed in %q", fixed)
			}
			a.rating(&a.Affected[i])
		}
	})
}
