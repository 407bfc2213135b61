package swift

import (
	"slices"
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
	if err != nil || got.Newest != "2.0.0" || got.Allowed != "1.4.0" {
		t.Errorf("got %+v, %v", got, err)
	}
	var versions []string
	for _, v := range got.Versions() {
		versions = append(versions, v.Version)
	}
	if want := []string{"3.0.0-beta.1", "2.0.0", "1.4.0", "1.0.0"}; !slices.Equal(versions, want) {
		t.Errorf("versions %q, want %q", versions, want)
	}
	if got, err := w.swift().Releases(t.Context(), w.project, &ecosystem.Used{Name: "elsewhere", Location: address}); err != nil || got.Newest != "2.0.0" {
		t.Errorf("a repository that the project does not use: %+v, %v", got, err)
	}
	if got, err := w.swift().Releases(t.Context(), w.project, &ecosystem.Used{Name: "other", Version: "1.0.0"}); err == nil {
		t.Errorf("a package that the project does not have: %+v", got)
	}
}
