package golang

import (
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
)

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
		if got.Published = (time.Time{}); *got != tt.want {
			t.Errorf("%s: got %#v, want %#v", tt.name, *got, tt.want)
		}
	}
	asked := len(p.requests())
	got, err := w.golang().Releases(fetch.WithoutNetwork(t.Context()), w.path(""), &ecosystem.Used{Name: "example.com/lib", Version: "v1.2.0"})
	if err != nil || got.Newest != "v1.10.0" || got.Published.IsZero() || len(p.requests()) > asked {
		t.Errorf("offline: %+v, %v, %d requests", got, err, len(p.requests())-asked)
	}
	if got, err := w.golang().Releases(fetch.WithoutNetwork(t.Context()), w.path(""), &ecosystem.Used{Name: "example.com/other", Version: "v1.2.0"}); err == nil {
		t.Errorf("offline, not cached: %+v", got)
	}
}
