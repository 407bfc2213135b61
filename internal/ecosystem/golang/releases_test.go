package golang

import (
	"fmt"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// allVersions are the versions in TestReleases.
const allVersions = "v1.12.0-rc.1, v1.10.0, v1.2.0, v1.0.0"

func TestReleases(t *testing.T) {
	w, p := online(t, sample)
	for _, tt := range []struct {
		name string
		used ecosystem.Used
		want ecosystem.Releases
	}{
		{"an old version", ecosystem.Used{Name: "example.com/lib", Version: "v1.2.0", Wants: []string{"v1.2.0"}}, ecosystem.Releases{Newest: "v1.10.0", Allowed: "v1.10.0"}},
		{"an indirect module", ecosystem.Used{Name: "example.com/lib", Version: "v1.2.0"}, ecosystem.Releases{Newest: "v1.10.0"}},
		{"a retracted version", ecosystem.Used{Name: "example.com/lib", Version: "v1.11.0"}, ecosystem.Releases{Newest: "v1.10.0", Yanked: "broke everything"}},
		{"a commit", ecosystem.Used{Name: "example.com/lib", Version: "v1.2.1-0.20260101000000-abcdefabcdef"}, ecosystem.Releases{}},
	} {
		got, err := w.golang().Releases(t.Context(), w.path(""), &tt.used)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got.Published.IsZero() {
			t.Errorf("%s: no date", tt.name)
		}
		versions := modeltest.Versions(got)
		if got.Published, got.Versions = (time.Time{}), nil; fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", tt.want) {
			t.Errorf("%s: got %#v, want %#v", tt.name, *got, tt.want)
		}
		if versions != allVersions {
			t.Errorf("%s: versions %s, want %s", tt.name, versions, allVersions)
		}
	}
	count := len(p.requests())
	got, err := w.golang().Releases(fetch.WithoutNetwork(t.Context()), w.path(""), &ecosystem.Used{Name: "example.com/lib", Version: "v1.2.0"})
	if err != nil || got.Newest != "v1.10.0" || got.Published.IsZero() || len(p.requests()) > count {
		t.Errorf("offline: %+v, %v, %d requests", got, err, len(p.requests())-count)
	}
	if got, err := w.golang().Releases(fetch.WithoutNetwork(t.Context()), w.path(""), &ecosystem.Used{Name: "example.com/other", Version: "v1.2.0"}); err == nil {
		t.Errorf("offline, not cached: %+v", got)
	}
}
