package swift

import (
	"context"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestManifests(t *testing.T) {
	commit := func(digit string) string { return strings.Repeat(digit, 40) }
	home := filetest.Dir(t, map[string]string{".netrc": "machine git.example.com login ci password hush\n"})
	l := New(ecosystem.Options{Env: []string{"HOME=" + home}, Offline: true})
	// The project as SwiftPM has resolved it.
	dir := filetest.Dir(t, map[string]string{
		"Package.swift": `// swift-tools-version:5.9
import PackageDescription
let package = Package(name: "shop", dependencies: [
    .package(url: "https://github.com/acme/parts.git", from: "1.0.0"), .package(url: "git@git.example.com:team/tools.git", branch: "main"), .package(id: "mona.list", from: "2.0.0"),
])
`,
		"Package.resolved": `{"version":2,"pins":[
{"identity":"parts","kind":"remoteSourceControl","location":"https://github.com/acme/parts.git","state":{"revision":"` + commit("a") + `","version":"1.4.0"}},
{"identity":"tools","kind":"remoteSourceControl","location":"git@git.example.com:team/tools.git","state":{"branch":"main","revision":"` + commit("b") + `"}},
{"identity":"mona.list","kind":"registry","location":"","state":{"version":"2.1.0"}},
{"identity":"below","kind":"remoteSourceControl","location":"https://gitlab.com/a/b/below","state":{"revision":"` + commit("c") + `","version":"0.1.0"}}]}`,
	})
	g, err := l.Graph(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range g.Packages {
		if strings.Contains(p.Location, "@") {
			t.Errorf("the location %s has a user", p.Location)
		}
	}
	bad := []ecosystem.Used{
		{Name: "metadata", Version: "1.0.0", Location: "http://169.254.169.254/latest/meta", Revision: commit("1")},
		{Name: "private", Version: "1.0.0", Location: "https://10.0.0.1/a/b", Revision: commit("1")},
		{Name: "other", Version: "1.0.0", Location: "https://evil.example.net/a/b", Revision: commit("1")},
		{Name: "port", Version: "1.0.0", Location: "https://github.com:22/a/b", Revision: commit("1")},
		{Name: "user", Version: "1.0.0", Location: "https://github.com@evil.example.net/a/b", Revision: commit("1")},
		{Name: "up", Version: "1.0.0", Location: "https://github.com/a/../../b", Revision: commit("1")},
		{Name: "quote", Version: "1.0.0", Location: "https://github.com/a/b\", path: \"/etc", Revision: commit("1")},
		{Name: "file", Version: "1.0.0", Location: "file:///etc", Revision: commit("1")},
		{Name: "path", Version: "1.0.0", Location: "/etc", Revision: commit("1")},
		{Name: "no-commit", Version: "1.0.0", Location: "https://github.com/a/b"},
		{Name: "commit", Version: "1.0.0", Location: "https://github.com/a/b", Revision: "../../x"},
		{Name: "name", Version: "1.0.0"},
		{Name: "mona.other", Version: "main"},
		{Name: "again", Version: "2.0.0", Location: "https://github.com/other/parts", Revision: commit("1")},
	}
	copied := t.TempDir()
	again := modeltest.Manifests(t, l, g, copied, bad)
	const graph = `001 . (Package.swift) > mona.list parts tools
!below 0.1.0 (Package.resolved)
!mona.list 2.1.0 (Package.resolved) wanted as exactly 2.1.0
!parts 1.4.0 (Package.resolved) wanted as exactly 1.4.0
!tools main (Package.resolved) wanted as revision bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
`
	if got := again.String(); got[strings.IndexByte(got, ' '):] != graph[strings.IndexByte(graph, ' '):] {
		t.Errorf("got\n%s\nwant\n%s", got, graph)
	}
	q := ecosystem.Query{Package: "tools", ProjectDir: copied}
	_, err = ecosystem.Describe(context.Background(), l, q, nil)
	if w, missing := ecosystem.Missing(&q, err); !missing || w.Package != "git.example.com/team/tools" || w.Version != commit("b") {
		t.Errorf("the branch: %+v, %v", w, err)
	}
}

func TestManifests_Xcode(t *testing.T) {
	l := New(ecosystem.Options{Env: []string{"HOME=" + t.TempDir()}, Offline: true})
	dir := filetest.Dir(t, map[string]string{
		"App.xcodeproj/project.pbxproj": "A = {\n\tisa = XCRemoteSwiftPackageReference;\n\trepositoryURL = \"https://github.com/acme/parts\";\n\trequirement = {\n\t\tkind = upToNextMajorVersion;\n\t\tminimumVersion = 1.0.0;\n\t};\n};\n",
		"App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved": `{"version":1,"object":{"pins":[{"package":"Parts","repositoryURL":"https://github.com/acme/parts","state":{"branch":null,"revision":"` +
			strings.Repeat("a", 40) + `","version":"1.4.0"}}]}}`,
	})
	g, err := l.Graph(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	files, skipped, err := l.Manifests(g)
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	if want := `.package(url: "https://github.com/acme/parts", exact: "1.4.0")`; !strings.Contains(string(files["Package.swift"]), want) {
		t.Errorf("no %s in %s", want, files["Package.swift"])
	}
	if want := `"version":"1.4.0"`; !strings.Contains(string(files["Package.resolved"]), want) {
		t.Errorf("no %s in %s", want, files["Package.resolved"])
	}
}
