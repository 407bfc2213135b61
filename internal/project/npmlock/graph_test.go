package npmlock

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// described lists entries as "name@version > what it requires", sorted.
func described(t *testing.T, p *Project) []string {
	t.Helper()
	entries, err := p.Entries(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	label := func(e *Entry) string {
		if e.Member {
			return e.Name
		}
		return e.Published() + "@" + e.Version
	}
	var all []string
	for i := range entries {
		e := &entries[i]
		var requires []string
		for _, to := range e.Requires {
			requires = append(requires, label(&entries[to]))
		}
		slices.Sort(requires)
		text := label(e) + " > " + strings.Join(slices.Compact(requires), " ")
		if e.Direct {
			text = "direct " + text
		}
		all = append(all, strings.TrimSuffix(text, " > "))
	}
	slices.Sort(all)
	return all
}

func TestEntries_OfLockFilesMadeByTheTools(t *testing.T) {
	workspace := []string{
		"@till/app > is-odd@2.0.0 ms@2.0.0",
		"direct @types/ms@0.7.34", "direct is-number@7.0.0", "direct is-odd@2.0.0 > is-number@4.0.0", "direct is-odd@3.0.1 > is-number@6.0.0",
		"direct ms@2.0.0", "direct ms@2.1.2",
		"is-number@4.0.0", "is-number@6.0.0",
		"till > @types/ms@0.7.34 is-number@7.0.0 is-odd@3.0.1 ms@2.1.2",
	}
	single := []string{
		"direct @types/ms@0.7.34", "direct is-number@7.0.0", "direct is-odd@3.0.1 > is-number@6.0.0", "direct ms@2.1.2", "is-number@6.0.0",
		"till > @types/ms@0.7.34 is-number@7.0.0 is-odd@3.0.1 ms@2.1.2",
	}
	for _, lock := range []string{
		"npm2/package-lock.json", "npm3/package-lock.json",
		"pnpm7/pnpm-lock.yaml", "pnpm8/pnpm-lock.yaml", "pnpm9/pnpm-lock.yaml", "pnpm10/pnpm-lock.yaml",
		"yarn1/yarn.lock", "berry-pnp/yarn.lock", "bun1/bun.lock",
		"npm1/package-lock.json", "pnpm5single/pnpm-lock.yaml",
	} {
		t.Run(lock, func(t *testing.T) {
			dir := workspaceWith(t, lock)
			want := workspace
			if name := filepath.Dir(lock); name == "npm1" || name == "pnpm5single" {
				filetest.Write(t, dir, map[string]string{"package.json": strings.Replace(rootManifest, `"workspaces":["packages/*"],`, "", 1)})
				want = single
			}
			if got := described(t, find(t, dir)); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestEntries_WithoutALockFile(t *testing.T) {
	files := map[string]string{
		"package.json":                           `{"name":"app","workspaces":["lib"],"dependencies":{"a":"^1.0.0","lib":"*","alias":"npm:real@^2.0.0","git":"github:corp/git"},"peerDependencies":{"host":"1"}}`,
		"lib/package.json":                       `{"name":"lib","dependencies":{"a":"^1.0.0"}}`,
		"node_modules/a/package.json":            `{"name":"a","version":"1.2.3"}`,
		"node_modules/.package-lock.json":        `not JSON`,
		"node_modules/other/package.json":        `{"name":"other","version":"1.0.0"}`,
		"lib/node_modules/unneeded/package.json": `{}`,
	}
	want := []string{"app > a@1.2.3 git@ lib real@", "direct a@1.2.3", "direct git@", "direct lib > a@1.2.3", "direct real@"}
	if got := described(t, find(t, filetest.Dir(t, files))); !slices.Equal(got, want) {
		t.Errorf("manifests alone give %q", got)
	}
	files["node_modules/.package-lock.json"] = `{"lockfileVersion":3,"packages":{
		"lib":{"dependencies":{"a":"^1.0.0"}},"node_modules/lib":{"resolved":"lib","link":true},
		"node_modules/a":{"version":"1.2.3","dependencies":{"b":"*","absent":"*"},"optionalDependencies":{"c":"*"}},
		"node_modules/b":{"version":"2.0.0"},"node_modules/a/node_modules/c":{"version":"3.0.0","peerDependencies":{"b":"*"}}}}`
	want = []string{
		"app > a@1.2.3 git@ lib real@", "b@2.0.0", "c@3.0.0 > b@2.0.0", "direct a@1.2.3 > b@2.0.0 c@3.0.0", "direct git@", "direct lib > a@1.2.3", "direct real@",
	}
	if got := described(t, find(t, filetest.Dir(t, files))); !slices.Equal(got, want) {
		t.Errorf("the record of node_modules gives %q", got)
	}
}

func TestPlatforms(t *testing.T) {
	for _, test := range []struct {
		list Platforms
		want bool
	}{
		{Platforms{}, true},
		{Platforms{OS: []string{"linux", "darwin"}}, true},
		{Platforms{OS: []string{"darwin"}}, false},
		{Platforms{OS: []string{"!darwin"}}, true},
		{Platforms{OS: []string{"!linux"}}, false},
		{Platforms{OS: []string{"linux"}, CPU: []string{"arm64"}}, false},
		{Platforms{CPU: []string{"x64"}, Libc: []string{"musl"}}, false},
		{Platforms{CPU: []string{"x64"}, Libc: []string{"glibc"}}, true},
		{Platforms{OS: []string{"any"}, CPU: []string{"none"}}, false},
	} {
		if got := test.list.Include("linux", "x64", "glibc"); got != test.want {
			t.Errorf("%+v: %v", test.list, got)
		}
	}
	for lock, text := range map[string]string{
		"package-lock.json": `{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","os":["darwin"],"cpu":["x64","arm64"],"libc":["glibc"]}}}`,
		"pnpm-lock.yaml":    "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n    os: [darwin]\n    cpu: [x64, arm64]\n    libc: [glibc]\n",
		"yarn.lock":         "__metadata:\n  version: 8\n\"a@npm:1.0.0\":\n  version: 1.0.0\n  resolution: \"a@npm:1.0.0\"\n  conditions: os=darwin & (cpu=x64 | cpu=arm64) & libc=glibc\n",
		"bun.lock":          `{"lockfileVersion":1,"packages":{"a":["a@1.0.0","",{"os":"darwin","cpu":["x64","arm64"],"libc":"glibc"},"sha512-x"]}}`,
	} {
		p := find(t, filetest.Dir(t, map[string]string{"package.json": `{"name":"app"}`, lock: text}))
		entries, err := p.Entries(context.Background())
		if err != nil || len(entries) != 2 || fmt.Sprint(entries[1].Platforms) != "{[darwin] [x64 arm64] [glibc]}" {
			t.Errorf("%s: %+v, %v", lock, entries, err)
		}
	}
}
