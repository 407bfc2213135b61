package npm

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

func TestGraph(t *testing.T) {
	system, cpu, _ := hostPlatform()
	dir := filetest.Dir(t, map[string]string{
		"package.json":     `{"name":"root","workspaces":["app"],"devDependencies":{"tool":"^3.0.0"}}`,
		"app/package.json": `{"name":"app","dependencies":{"used":"^1.0.0","other":"npm:used@^2.0.0"}}`,
		"package-lock.json": fmt.Sprintf(`{"lockfileVersion":3,"packages":{"":{"workspaces":["app"]},"app":{},"node_modules/app":{"resolved":"app","link":true},
			"node_modules/used":{"version":"1.4.0","dependencies":{"deep":"1"},"optionalDependencies":{"native-a":"1","native-b":"1"}},
			"node_modules/other":{"name":"used","version":"2.0.0"},
			"node_modules/deep":{"version":"1.0.0"},"node_modules/tool":{"version":"3.1.0","dependencies":{"deep":"2"}},
			"node_modules/tool/node_modules/deep":{"version":"2.0.0"},
			"node_modules/native-a":{"version":"1.0.0","os":[%q],"cpu":[%q]},
			"node_modules/native-b":{"version":"1.0.0","os":["plan9"],"dependencies":{"only-b":"1"}},"node_modules/only-b":{"version":"1.0.0"}}}`, system, cpu),
		"node_modules/used/package.json":                   `{"name":"used","version":"1.4.0"}`,
		"node_modules/deep/package.json":                   `{"name":"deep","version":"1.0.1"}`,
		"node_modules/tool/node_modules/deep/package.json": `{"name":"deep","version":"2.0.0"}`,
	})
	g, err := New(ecosystem.Options{Env: []string{"HOME=" + dir}, Offline: true}).Graph(context.Background(), dir+"/app")
	if err != nil {
		t.Fatal(err)
	}
	const want = `app app (app/package.json) > used used
root . (package.json) > tool
!deep 1.0.0 (package-lock.json)
deep 2.0.0 (package-lock.json)
!native-a 1.0.0 (package-lock.json)
~!native-b 1.0.0 (package-lock.json) > only-b
~!only-b 1.0.0 (package-lock.json)
!tool 3.1.0 (package-lock.json) > deep wanted as ^3.0.0
used 1.4.0 (package-lock.json) > deep native-a native-b wanted as ^1.0.0
!used 2.0.0 (package-lock.json) wanted as npm:used@^2.0.0
`
	if got := g.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if aliases := g.Packages[len(g.Packages)-1].Aliases; fmt.Sprint(aliases) != "[other]" {
		t.Errorf("aliases %q", aliases)
	}
	if _, err := New(ecosystem.Options{Env: []string{}}).Graph(context.Background(), t.TempDir()); !errors.Is(err, project.ErrNone) {
		t.Errorf("a directory without a project: %v", err)
	}
}

func TestGraph_FindsWhatManagersKeepElsewhere(t *testing.T) {
	yarn := "# yarn lockfile v1\n\n\nused@^1.0.0:\n  version \"1.4.0\"\n  dependencies:\n    \"@a/deep\" \"2\"\n  optionalDependencies:\n    native \"1\"\n\n\"@a/deep@2\":\n  version \"2.0.0\"\n\nnative@1:\n  version \"1.0.0\"\n"
	pnpm := "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      used:\n        specifier: ^1.0.0\n        version: 1.4.0\npackages:\n  '@a/deep@2.0.0':\n    resolution: {integrity: sha512-x}\n  used@1.4.0:\n    resolution: {integrity: sha512-x}\nsnapshots:\n  used@1.4.0:\n    dependencies:\n      '@a/deep': 2.0.0(peer@1.0.0)\n"
	for name, files := range map[string]map[string]string{
		"in the node_modules of another": {"yarn.lock": yarn, "node_modules/used/node_modules/@a/deep/package.json": `{"name":"@a/deep","version":"2.0.0"}`},
		"in pnpm's store":                {"pnpm-lock.yaml": pnpm, "node_modules/.pnpm/@a+deep@2.0.0_peer@1.0.0/x": ""},
	} {
		files["package.json"] = `{"name":"app","dependencies":{"used":"^1.0.0"}}`
		files["node_modules/used/package.json"] = `{"name":"used","version":"1.4.0"}`
		dir := filetest.Dir(t, files)
		g, err := New(ecosystem.Options{Env: []string{"HOME=" + dir}, Offline: true}).Graph(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range g.Packages {
			if p := &g.Packages[i]; p.Installed == (p.Name == "native") || p.Inactive != (p.Name == "native") {
				t.Errorf("%s:\n%s", name, g)
			}
		}
	}
}
