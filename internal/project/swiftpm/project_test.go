package swiftpm

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

func find(t *testing.T, dir string, o Options) *Project {
	t.Helper()
	p, err := Find(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhereAProjectHasItsVersions(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		dir   string // asked for
		root  string
		file  string // that counts most
	}{
		"a package": {map[string]string{"Package.swift": "", "Package.resolved": resolved2, "Sources/App/main.swift": ""}, "Sources/App", ".", "Package.resolved"},
		"a package that Xcode has opened": {
			map[string]string{"Package.swift": "", ".swiftpm/xcode/package.xcworkspace/xcshareddata/swiftpm/Package.resolved": resolved2},
			".", ".", ".swiftpm/xcode/package.xcworkspace/xcshareddata/swiftpm/Package.resolved",
		},
		"an Xcode project": {
			map[string]string{"App.xcodeproj/project.pbxproj": pbxproj, "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved": resolved3, "App/main.swift": ""},
			"App", ".", "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved",
		},
		"a workspace beside a project": {
			map[string]string{"App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved": resolved2, "All.xcworkspace/xcshareddata/swiftpm/Package.resolved": resolved3},
			".", ".", "All.xcworkspace/xcshareddata/swiftpm/Package.resolved",
		},
		"a package within a project": {
			map[string]string{"App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved": resolved3, "Packages/Near/Package.swift": "", "Packages/Near/Sources/Near/a.swift": ""},
			"Packages/Near/Sources", "Packages/Near", "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved",
		},
		"pods alone": {map[string]string{"Podfile.lock": podfileLock, "App/main.swift": ""}, "App", ".", ""},
	} {
		dir := t.TempDir()
		filetest.Write(t, dir, tt.files)
		p := find(t, filepath.Join(dir, filepath.FromSlash(tt.dir)), Options{})
		if p.Root != filepath.Join(dir, filepath.FromSlash(tt.root)) {
			t.Errorf("%s: root %s", name, p.Root)
		}
		switch {
		case tt.file == "" && (len(p.Resolved) > 0 || len(p.Pods) != 3 || p.PodsRoot != dir):
			t.Errorf("%s: %+v", name, p)
		case tt.file != "" && (len(p.Resolved) == 0 || p.Resolved[0].File != filepath.Join(dir, filepath.FromSlash(tt.file))):
			t.Errorf("%s: %+v", name, p.Resolved)
		}
		if len(p.Problems) > 0 || !p.Current() || !Has(filepath.Join(dir, filepath.FromSlash(tt.dir))) {
			t.Errorf("%s: problems %q, current %v", name, p.Problems, p.Current())
		}
		for file := range tt.files {
			if strings.HasSuffix(file, "Package.resolved") {
				filetest.Write(t, dir, map[string]string{file: tt.files[file] + "\n"})
				if p.Current() {
					t.Errorf("%s: %s has changed, and the project is current", name, file)
				}
			}
		}
	}
	if _, err := Find(t.Context(), t.TempDir(), Options{}); !errors.Is(err, project.ErrNone) || Has(t.TempDir()) {
		t.Errorf("an empty directory: %v", err)
	}
}

func TestMirrorsOfTheProjectReplaceThoseOfTheUser(t *testing.T) {
	user := t.TempDir()
	mirrors := func(to string) string {
		return `{"version": 1, "object": [{"original": "https://host.example/a", "mirror": "` + to + `"}]}`
	}
	filetest.Write(t, user, map[string]string{"mirrors.json": mirrors("user")})
	o := Options{UserMirrors: []string{filepath.Join(user, "mirrors.json")}}
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"Package.swift": ""})
	if p := find(t, dir, o); p.Effective("https://host.example/a") != "user" || p.Effective("https://host.example/b") != "https://host.example/b" {
		t.Errorf("%v", p.Mirrors)
	}
	filetest.Write(t, dir, map[string]string{".swiftpm/configuration/mirrors.json": mirrors("project")})
	if p := find(t, dir, o); p.Effective("https://host.example/a") != "project" {
		t.Errorf("%v", p.Mirrors)
	}
	filetest.Write(t, dir, map[string]string{".swiftpm/configuration/mirrors.json": "{"})
	if p := find(t, dir, o); len(p.Problems) != 1 || p.Effective("https://host.example/a") != "user" {
		t.Errorf("%v, %q", p.Mirrors, p.Problems)
	}
}

func TestBuildDirectories(t *testing.T) {
	derived, dir, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	plist := func(path string) string {
		return "<plist><dict><key>WorkspacePath</key>\n<string>" + path + "</string></dict></plist>"
	}
	filetest.Write(t, dir, map[string]string{"My App.xcodeproj/project.pbxproj": "", ".build/workspace-state.json": state4})
	filetest.Write(t, derived, map[string]string{
		"My_App-aaaa/SourcePackages/workspace-state.json": state7, "My_App-aaaa/info.plist": plist(filepath.Join(dir, "My App.xcodeproj")),
		"My_App-bbbb/SourcePackages/workspace-state.json": state7, "My_App-bbbb/info.plist": plist(filepath.Join(elsewhere, "My App.xcodeproj")),
		"Other-cccc/SourcePackages/workspace-state.json": state7,
		"My_App-dddd/SourcePackages/checkouts/a/x":       "",
	})
	p := find(t, dir, Options{DerivedData: derived})
	var dirs []string
	for _, b := range p.Builds {
		dirs = append(dirs, b.Dir)
	}
	want := []string{filepath.Join(dir, ".build"), filepath.Join(derived, "My_App-aaaa", "SourcePackages"), filepath.Join(derived, "My_App-dddd", "SourcePackages")}
	if !slices.Equal(dirs, want) || len(p.Builds[0].Packages) != 2 || len(p.Builds[1].Packages) != 5 {
		t.Errorf("%+v", p.Builds)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"Package.swift": "", "Package.resolved": "<<<<<<<", ".build/workspace-state.json": "{", "Podfile.lock": "x"})
	if p := find(t, dir, Options{}); len(p.Problems) != 3 {
		t.Errorf("%q", p.Problems)
	}
}
