package npm

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// allVersions are the versions in TestReleases.
const allVersions = "3.0.0-beta.1, 2.0.0, 1.3.0 (broken), 1.2.0, 1.0.0 (use 2)"

func TestReleases(t *testing.T) {
	s := newStub(t)
	for _, version := range []string{"1.0.0", "1.2.0", "1.3.0", "2.0.0", "3.0.0-beta.1"} {
		s.publish("till", version, nil)
	}
	p := s.packuments["till"]
	p["dist-tags"] = map[string]any{"latest": "2.0.0", "old": "1.0.0"}
	p["time"] = map[string]any{"created": "2020-01-01T00:00:00.000Z", "1.0.0": "2021-02-03T04:05:06.789Z", "unpublished": map[string]any{"name": "x"}}
	p["versions"].(map[string]any)["1.0.0"].(map[string]any)["deprecated"] = "use  2"
	p["versions"].(map[string]any)["1.3.0"].(map[string]any)["deprecated"] = "broken"
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{"package.json": `{"name":"app"}`, ".npmrc": "registry=" + s.URL + "\n"})
	n := w.npm()
	for _, tt := range []struct {
		name string
		used ecosystem.Used
		want ecosystem.Releases
	}{
		{"a range", ecosystem.Used{Version: "1.2.0", Wants: []string{"^1.0.0"}}, ecosystem.Releases{Newest: "2.0.0", Allowed: "1.2.0"}},
		{"a deprecated version", ecosystem.Used{Version: "1.0.0", Wants: []string{"^1.0.0", "<1.2"}}, ecosystem.Releases{Newest: "2.0.0", Allowed: "1.0.0", Deprecated: "use 2"}},
		{"a tag", ecosystem.Used{Version: "1.2.0", Wants: []string{"old"}}, ecosystem.Releases{Newest: "2.0.0", Allowed: "1.0.0"}},
		{"an alias of any version", ecosystem.Used{Version: "2.0.0", Wants: []string{"npm:till@*"}}, ecosystem.Releases{Newest: "2.0.0", Allowed: "2.0.0"}},
		{"an indirect package", ecosystem.Used{Version: "1.2.0"}, ecosystem.Releases{Newest: "2.0.0"}},
		{"a newer prerelease", ecosystem.Used{Version: "3.0.0-beta.1"}, ecosystem.Releases{Newest: "3.0.0-beta.1"}},
		{"an unpublished version", ecosystem.Used{Version: "1.1.0"}, ecosystem.Releases{Newest: "2.0.0", Yanked: "the registry no longer has this version"}},
	} {
		tt.used.Name = "till"
		got, err := n.Releases(t.Context(), w.project, &tt.used)
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
		if dated := tt.used.Version == "1.0.0"; dated == published.IsZero() {
			t.Errorf("%s: published %v", tt.name, published)
		}
	}
}

func TestReleases_Offline(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", nil, "latest")
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{"package.json": `{"name":"app"}`, ".npmrc": "registry=" + s.URL + "\n"})
	offline := fetch.WithoutNetwork(t.Context())
	used := &ecosystem.Used{Name: "till", Version: "1.0.0"}
	if _, err := w.npm().Releases(offline, w.project, used); err == nil {
		t.Error("an answer that is not cached was found offline")
	}
	if _, err := w.npm().Releases(t.Context(), w.project, used); err != nil {
		t.Fatal(err)
	}
	s.requests()
	if got, err := w.npm().Releases(offline, w.project, used); err != nil || got.Newest != "1.0.0" || len(s.requests()) > 0 {
		t.Errorf("offline: %+v, %v", got, err)
	}
}

func TestReleases_OfflineRunsNoProgram(t *testing.T) {
	w := newWorld(t, "PATH="+tool(t, "npm", "echo asked >> \"$HOME/log\"; echo http://127.0.0.1:1/"))
	if _, err := w.npm().Releases(fetch.WithoutNetwork(t.Context()), w.project, &ecosystem.Used{Name: "till", Version: "1.0.0"}); err == nil {
		t.Error("an unknown registry answered")
	}
	if _, err := os.Stat(filepath.Join(w.home, "log")); err == nil {
		t.Error("npm was run")
	}
}
