package swift

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestReleases(t *testing.T) {
	w := newWorld(t)
	w.refs["/acme/till"] = list("HEAD "+commitA, "refs/heads/main "+commitA, "refs/tags/1.0.0 "+commitA, "refs/tags/v1.4.0 "+commitA, "refs/tags/2.0.0 "+commitB, "refs/tags/3.0.0-beta.1 "+commitB, "refs/tags/nightly "+commitB)
	address := w.server.URL + "/acme/till"
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":    "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"app\", dependencies: [.package(url: \"" + address + "\", from: \"1.0.0\")], targets: [.target(name: \"App\")])\n",
		"Package.resolved": resolved(pin("till", address, "1.0.0", commitA)),
	})
	got, err := w.swift().Releases(t.Context(), w.project, &ecosystem.Used{Name: "till", Version: "1.0.0"})
	if want := (ecosystem.Releases{Newest: "2.0.0", Allowed: "1.4.0"}); err != nil || *got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if got, err := w.swift().Releases(t.Context(), w.project, &ecosystem.Used{Name: "other", Version: "1.0.0"}); err == nil {
		t.Errorf("a package that the project does not have: %+v", got)
	}
}
