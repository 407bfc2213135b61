package npm

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestDependenciesOfAProject(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                          `{"name":"root","workspaces":["app"],"dependencies":{"shared":"^1.0.0"}}`,
		"app/package.json":                      `{"name":"app","dependencies":{"used":"^1.0.0","@scope/used":"^2.0.0","absent":"^1.0.0"},"devDependencies":{"tool":"^3.0.0","@types/used":"^1.0.0"}}`,
		"package-lock.json":                     `{"lockfileVersion":3,"packages":{"":{"workspaces":["app"]},"app":{"dependencies":{"used":"^1.0.0"}},"node_modules/used":{"version":"1.4.0"}}}`,
		"node_modules/used/package.json":        `{"name":"used","version":"1.4.0"}`,
		"node_modules/.bin/package.json":        `{}`,
		"node_modules/nested/package.json":      `{"name":"nested","version":"1.0.0"}`,
		"node_modules/@types/n/package.json":    `{}`,
		"app/node_modules/tool/package.json":    `{"name":"tool"}`,
		"node_modules/shared/package.json":      `{"name":"shared"}`,
		"node_modules/@scope/used/package.json": `{"name":"@scope/used"}`,
		"node_modules/empty/readme.md":          "nothing",
	})
	got, err := New(ecosystem.Options{Env: []string{}, Offline: true}).Dependencies(filepath.Join(dir, "app"))
	if err != nil {
		t.Fatal(err)
	}
	want := []ecosystem.Dependency{
		{Package: "@scope/used", Direct: true, Installed: true},
		{Package: "absent", Direct: true},
		{Package: "used", Version: "1.4.0", Direct: true, Installed: true},
		{Package: "tool", Direct: true, Installed: true},
		{Package: "shared", Direct: true, Installed: true},
		{Package: "nested", Installed: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if _, err := New(ecosystem.Options{Env: []string{}}).Dependencies(t.TempDir()); err == nil {
		t.Error("a directory without a project has dependencies")
	}
}
