package python

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// allVersions are the versions in TestReleases.
const allVersions = "3.0a1, 2.5, 2.0, 1.2, 1.1 (it loses coins), 1.0"

func TestReleases(t *testing.T) {
	s := newServer(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		_, _ = w.Write([]byte(`{"meta":{"api-version":"1.4"},"name":"till","project-status":{"status":"archived"},"versions":["1.0"],"files":[
			{"filename":"till-1.0-py3-none-any.whl","url":"a.whl","hashes":{},"size":1,"upload-time":"2021-02-03T04:05:06.789012Z"},
			{"filename":"till-1.0.tar.gz","url":"a.tar.gz","hashes":{},"size":1,"upload-time":"2021-02-04T04:05:06.789012Z"},
			{"filename":"till-1.1-py3-none-any.whl","url":"b.whl","hashes":{},"yanked":"it loses coins"},
			{"filename":"till-1.1.tar.gz","url":"b.tar.gz","hashes":{},"yanked":true},
			{"filename":"till-1.2-py3-none-any.whl","url":"c.whl","hashes":{},"yanked":false},
			{"filename":"till-2.0-py3-none-any.whl","url":"d.whl","hashes":{}},
			{"filename":"till-2.5-py3-none-any.whl","url":"e.whl","hashes":{},"requires-python":">=3.12"},
			{"filename":"till-3.0a1-py3-none-any.whl","url":"f.whl","hashes":{}}]}`))
		return true
	}
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.venv(w.project+"/.venv", nil)
	py := w.python()
	for _, tt := range []struct {
		name string
		used ecosystem.Used
		want ecosystem.Releases
	}{
		{"specifiers of two manifests", ecosystem.Used{Version: "1.0", Wants: []string{">=1", "<2"}}, ecosystem.Releases{Newest: "2.0", Allowed: "1.2", Archived: true}},
		{"a yanked version", ecosystem.Used{Version: "1.1"}, ecosystem.Releases{Newest: "2.0", Yanked: "it loses coins", Archived: true}},
		{"a prerelease", ecosystem.Used{Version: "3.0a1"}, ecosystem.Releases{Newest: "3.0a1", Archived: true}},
		{"a removed version", ecosystem.Used{Version: "0.9"}, ecosystem.Releases{Newest: "2.0", Yanked: "the index no longer has this version", Archived: true}},
	} {
		tt.used.Name = "Till"
		got, err := py.Releases(t.Context(), w.project, &tt.used)
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
		if want := "2021-02-03"; tt.used.Version == "1.0" && published.Format(time.DateOnly) != want {
			t.Errorf("published %v, want %s", published, want)
		}
	}
}
