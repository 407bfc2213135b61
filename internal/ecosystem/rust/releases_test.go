package rust

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// allVersions are the versions in TestReleases.
const allVersions = "3.0.0-rc.1, 2.0.0+build, 1.5.0 (no reason is given), 1.4.0, 1.0.0"

func TestReleases(t *testing.T) {
	w := newWorld(t)
	w.publish("till", "1.0.0", `, "pubtime": "2021-02-03T04:05:06Z"`, nil)
	w.publish("till", "1.4.0", "", nil)
	w.publish("till", "1.5.0", `, "yanked": true`, nil)
	w.publish("till", "2.0.0+build", "", nil)
	w.publish("till", "3.0.0-rc.1", "", nil)
	w.index["till"] = strings.ReplaceAll(w.index["till"], `"yanked": false, "yanked": true`, `"yanked": true`)
	for _, tt := range []struct {
		name string
		used ecosystem.Used
		want ecosystem.Releases
	}{
		{"a requirement", ecosystem.Used{Version: "1.0.0", Wants: []string{"1"}}, ecosystem.Releases{Newest: "2.0.0", Allowed: "1.4.0"}},
		{"two requirements", ecosystem.Used{Version: "1.0.0", Wants: []string{"1", "<1.4"}}, ecosystem.Releases{Newest: "2.0.0", Allowed: "1.0.0"}},
		{"a yanked version", ecosystem.Used{Version: "1.5.0"}, ecosystem.Releases{Newest: "2.0.0", Yanked: ecosystem.NoReason}},
		{"a prerelease", ecosystem.Used{Version: "3.0.0-rc.1"}, ecosystem.Releases{Newest: "3.0.0-rc.1"}},
		{"a removed version", ecosystem.Used{Version: "0.1.0"}, ecosystem.Releases{Newest: "2.0.0", Yanked: "the registry no longer has this version"}},
	} {
		tt.used.Name = "till"
		got, err := w.rust().Releases(t.Context(), w.project, &tt.used)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		published := got.Published
		versions := modeltest.Versions(got)
		if got.Published, got.Versions = (time.Time{}), nil; fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, *got, tt.want)
		}
		if versions != allVersions {
			t.Errorf("%s: versions %s, want %s", tt.name, versions, allVersions)
		}
		if tt.used.Version == "1.0.0" && published.Format(time.DateOnly) != "2021-02-03" {
			t.Errorf("published %v", published)
		}
	}
}
