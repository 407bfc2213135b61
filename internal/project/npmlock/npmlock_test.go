package npmlock

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

// The package managers themselves generated the lock files in testdata from these
// files.
const (
	rootManifest = `{"name":"till","version":"1.0.0","private":true,"workspaces":["packages/*"],
 "dependencies":{"is-odd":"^3.0.1","seven":"npm:is-number@^7.0.0","@types/ms":"^0.7.0","ms":"2.1.2"}}`
	appManifest = `{"name":"@till/app","version":"0.1.0","dependencies":{"is-odd":"^2.0.0","ms":"~2.0.0"}}`
)

// workspaceWith returns a directory that contains the two packages and a lock file from
// testdata.
func workspaceWith(t *testing.T, lock string) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"package.json": rootManifest, "packages/app/package.json": appManifest})
	data := filetest.Read(t, filepath.Join("testdata", lock))
	filetest.Write(t, dir, map[string]string{filepath.Base(lock): string(data)})
	return dir
}

func find(t *testing.T, dir string) *Project {
	t.Helper()
	var l Loader
	p, err := l.Find(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if p.Problem != "" {
		t.Fatal(p.Problem)
	}
	return p
}

func TestLockFilesMadeByTheToolsAreReadAlike(t *testing.T) {
	for _, lock := range []string{
		"npm1/package-lock.json", "npm2/package-lock.json", "npm3/package-lock.json",
		"pnpm5single/pnpm-lock.yaml", "pnpm7/pnpm-lock.yaml", "pnpm8/pnpm-lock.yaml", "pnpm9/pnpm-lock.yaml", "pnpm10/pnpm-lock.yaml",
		"yarn1/yarn.lock", "berry-pnp/yarn.lock", "bun1/bun.lock",
	} {
		t.Run(lock, func(t *testing.T) {
			dir := workspaceWith(t, lock)
			single := filepath.Dir(lock) == "npm1" || filepath.Dir(lock) == "pnpm5single"
			root := find(t, dir)
			for _, want := range []struct{ name, version, alias string }{
				{"ms", "2.1.2", ""}, {"is-odd", "3.0.1", ""}, {"seven", "7.0.0", "is-number"}, {"@types/ms", "0.7.34", ""},
			} {
				d, ok := root.Locked(want.name)
				if !ok || d.Version != want.version || d.Alias != want.alias || !d.Direct || d.Foreign != "" || d.Dir != "" {
					t.Errorf("%s is %+v, %v", want.name, d, ok)
				}
				if d.By != filepath.Base(lock) {
					t.Errorf("%s was chosen by %q", want.name, d.By)
				}
				if d.Integrity == "" && filepath.Dir(lock) != "berry-pnp" {
					t.Errorf("%s has no integrity", want.name)
				}
			}
			if d, ok := root.Locked("is-number"); !ok || d.Version != "6.0.0" && d.Note == "" || d.Direct {
				t.Errorf("what only others use is %+v, %v", d, ok)
			}
			if d, ok := root.Locked("left-pad"); ok {
				t.Errorf("what nobody uses is %+v", d)
			}
			if single {
				return
			}
			app := find(t, filepath.Join(dir, "packages", "app"))
			if app.Root != dir {
				t.Fatalf("the root of the member is %s, not %s", app.Root, dir)
			}
			for name, version := range map[string]string{"ms": "2.0.0", "is-odd": "2.0.0", "seven": "7.0.0"} {
				if d, ok := app.Locked(name); !ok || d.Version != version {
					t.Errorf("the member's %s is %+v, %v", name, d, ok)
				}
			}
			if got := root.Members()["@till/app"]; got != filepath.Join(dir, "packages", "app") {
				t.Errorf("the member's directory is %q", got)
			}
		})
	}
}

func TestWhatComesFromNoRegistry(t *testing.T) {
	tests := []struct {
		name, file, lock, manifest string
		version, dir, foreign      string
	}{
		{
			"a link in package-lock.json", "package-lock.json",
			`{"lockfileVersion":3,"packages":{"":{},"node_modules/x":{"resolved":"../x","link":true}}}`, `{"dependencies":{"x":"file:../x"}}`,
			"", "../x", "",
		},
		{
			"git in package-lock.json", "package-lock.json",
			`{"lockfileVersion":3,"packages":{"":{},"node_modules/x":{"version":"1.0.0","resolved":"git+ssh://git@host.example/x.git#abc"}}}`, `{}`,
			"1.0.0", "", "git+ssh://git@host.example/x.git#abc",
		},
		{
			"a file in version 1", "package-lock.json",
			`{"lockfileVersion":1,"dependencies":{"x":{"version":"file:../x"}}}`, `{}`, "", "../x", "",
		},
		{
			"git in version 1", "package-lock.json",
			`{"lockfileVersion":1,"dependencies":{"x":{"version":"github:me/x#abc"}}}`, `{}`, "", "", "github:me/x#abc",
		},
		{
			"a link of pnpm", "pnpm-lock.yaml",
			"lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      x:\n        specifier: link:../x\n        version: link:../x\n", `{}`,
			"", "../x", "",
		},
		{
			"a directory of pnpm", "pnpm-lock.yaml",
			"lockfileVersion: '6.0'\ndependencies:\n  x:\n    specifier: file:../x\n    version: file:../x(react@18.0.0)\n", `{}`,
			"", "../x", "",
		},
		{
			"git of pnpm", "pnpm-lock.yaml",
			"lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      x:\n        specifier: me/x\n        version: https://host.example/x/tar.gz/abc\npackages:\n  x@https://host.example/x/tar.gz/abc:\n    resolution: {tarball: https://host.example/x/tar.gz/abc}\n    version: 1.2.0\n", `{}`,
			"1.2.0", "", "https://host.example/x/tar.gz/abc",
		},
		{
			"a workspace of berry", "yarn.lock",
			"__metadata:\n  version: 8\n\n\"x@workspace:*, x@workspace:packages/x\":\n  version: 0.0.0-use.local\n  resolution: \"x@workspace:packages/x\"\n", `{"dependencies":{"x":"workspace:*"}}`,
			"", "packages/x", "",
		},
		{
			"git of yarn 1", "yarn.lock",
			"\"x@git+https://host.example/x.git\":\n  version \"1.0.0\"\n  resolved \"git+https://host.example/x.git#abc\"\n", `{"dependencies":{"x":"git+https://host.example/x.git"}}`,
			"1.0.0", "", "git+https://host.example/x.git",
		},
		{
			"a patch of berry", "yarn.lock",
			"__metadata:\n  version: 8\n\n\"x@patch:x@npm%3A1.2.3#~/.yarn/patches/x.patch\":\n  version: 1.2.3\n  resolution: \"x@patch:x@npm%3A1.2.3#~/.yarn/patches/x.patch::version=1.2.3&hash=abc\"\n", `{"dependencies":{"x":"patch:x@npm%3A1.2.3#~/.yarn/patches/x.patch"}}`,
			"1.2.3", "", "",
		},
		{
			"a workspace of bun", "bun.lock",
			`{"lockfileVersion":1,"workspaces":{"":{"name":"a"}},"packages":{"x":["x@workspace:packages/x"],}}`, `{}`,
			"", "packages/x", "",
		},
		{
			"peers of pnpm before version 6", "pnpm-lock.yaml",
			"lockfileVersion: 5.3\ndependencies:\n  x: 1.0.0_react@18.0.0+y@2.0.0\npackages:\n  /x/1.0.0_react@18.0.0+y@2.0.0:\n    resolution: {integrity: sha512-AAAA}\n", `{}`,
			"1.0.0", "", "",
		},
		{
			"peers of pnpm 9", "pnpm-lock.yaml",
			"lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      x:\n        specifier: ^1\n        version: 1.0.0(@types/react@18.0.0)(react@18.0.0)\npackages:\n  x@1.0.0:\n    resolution: {integrity: sha512-AAAA}\n", `{}`,
			"1.0.0", "", "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, map[string]string{"package.json": test.manifest, test.file: test.lock})
			d, ok := find(t, dir).Locked("x")
			if !ok || d.Version != test.version || d.Foreign != test.foreign {
				t.Fatalf("got %+v, %v", d, ok)
			}
			if test.dir != "" && d.Dir != filepath.Join(dir, test.dir) || test.dir == "" && d.Dir != "" {
				t.Errorf("the directory is %q", d.Dir)
			}
		})
	}
}

// catalogued is a workspace with catalogs: for bun in package.json, for pnpm in
// pnpm-workspace.yaml, and for yarn in .yarnrc.yml. The lock files in testdata were
// made from it.
var catalogued = map[string]string{
	"package.json": `{"name":"f","version":"1.0.0","private":true,"workspaces":{"packages":["libs/*"],
 "catalog":{"zod":"^3.22.0","ms":"2.1.2"},"catalogs":{"old":{"ms":"2.0.0","zod":"3.20.0"}}},
 "dependencies":{"@priv/thing":"^1.0.0","is-odd":"3.0.1","zod":"catalog:"}}`,
	"libs/x/package.json": `{"name":"@f/x","version":"1.0.0","dependencies":{"zod":"catalog:old","ms":"catalog:","is-odd":"^3.0.0","@f/y":"workspace:^"}}`,
	"libs/y/package.json": `{"name":"@f/y","version":"1.0.0","dependencies":{"zod":"catalog:","ms":"catalog:old","@priv/thing":"1.4.0","px":"npm:@priv/thing@^1"}}`,
}

const catalogsYAML = "packages: ['libs/*']\ncatalog:\n  zod: '^3.22.0'\n  ms: '2.1.2'\ncatalogs:\n  old:\n    ms: '2.0.0'\n    zod: '3.20.0'\n"

func TestCatalogsAndLinksOfAWorkspace(t *testing.T) {
	bare := `{"name":"f","version":"1.0.0","private":true,"workspaces":["libs/*"],"dependencies":{"@priv/thing":"^1.0.0","is-odd":"3.0.1","zod":"catalog:"}}`
	for _, test := range []struct {
		lock string
		more map[string]string
	}{
		{"bun2/bun.lock", nil},
		{"pnpm12/pnpm-lock.yaml", map[string]string{"package.json": bare, "pnpm-workspace.yaml": catalogsYAML}},
		{"berry-catalog/yarn.lock", map[string]string{"package.json": bare, ".yarnrc.yml": catalogsYAML}},
	} {
		t.Run(test.lock, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, catalogued)
			filetest.Write(t, dir, test.more)
			data := filetest.Read(t, filepath.Join("testdata", test.lock))
			filetest.Write(t, dir, map[string]string{filepath.Base(test.lock): string(data)})
			for _, want := range []struct{ in, name, version, alias, dir string }{
				{".", "zod", "3.25.76", "", ""}, {".", "is-odd", "3.0.1", "", ""}, {".", "@priv/thing", "1.4.0", "", ""},
				{"libs/x", "zod", "3.20.0", "", ""}, {"libs/x", "ms", "2.1.2", "", ""}, {"libs/x", "@f/y", "", "", "libs/y"},
				{"libs/y", "zod", "3.25.76", "", ""}, {"libs/y", "ms", "2.0.0", "", ""}, {"libs/y", "px", "1.4.0", "@priv/thing", ""},
			} {
				d, ok := find(t, filepath.Join(dir, want.in)).Locked(want.name)
				if want.dir != "" {
					want.dir = filepath.Join(dir, want.dir)
				}
				if !ok || d.Version != want.version || d.Alias != want.alias || d.Dir != want.dir {
					t.Errorf("%s of %s is %+v, %v", want.name, want.in, d, ok)
				}
			}
			p := find(t, filepath.Join(dir, "libs", "x"))
			if spec, _ := p.Wants("zod"); spec != "3.20.0" {
				t.Errorf("zod is asked for as %q", spec)
			}
			if spec, _ := p.Wants("@f/y"); spec != "workspace:^" {
				t.Errorf("@f/y is asked for as %q", spec)
			}
		})
	}
}

func TestBunTellsAPackageFromAMemberOfTheSameName(t *testing.T) {
	dir := t.TempDir()
	data := filetest.Read(t, "testdata/bun2-clash/bun.lock")
	filetest.Write(t, dir, map[string]string{
		"bun.lock": string(data), "package.json": `{"name":"c-root","workspaces":["libs/*"],"devDependencies":{"glob":"^7"}}`,
		"libs/a/package.json": `{"name":"@c/glob","version":"2.0.0","dependencies":{"glob":"^8","minimatch":"^3","rimraf":"^3"}}`,
		"libs/b/package.json": `{"name":"glob","version":"99.0.0","dependencies":{"minimatch":"^5","rimraf":"^5","brace-expansion":"^1"}}`,
	})
	for _, want := range []struct{ in, name, version string }{
		{".", "glob", "7.2.3"}, {"libs/a", "glob", "8.1.0"}, {"libs/a", "rimraf", "3.0.2"},
		{"libs/b", "minimatch", "5.1.9"}, {"libs/b", "rimraf", "5.0.10"}, {"libs/b", "brace-expansion", "1.1.22"},
	} {
		if d, ok := find(t, filepath.Join(dir, want.in)).Locked(want.name); !ok || d.Version != want.version {
			t.Errorf("%s of %s is %+v, %v", want.name, want.in, d, ok)
		}
	}
}

func TestDirectoriesOfYarnAreSeenFromTheMember(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"package.json":     `{"workspaces":["p/*"],"dependencies":{"x":"link:./x"}}`,
		"p/a/package.json": `{"name":"a","dependencies":{"x":"link:./x"}}`,
		"yarn.lock": "__metadata:\n  version: 8\n\n\"x@link:./x::locator=a%40workspace%3Ap%2Fa\":\n  version: 0.0.0-use.local\n  resolution: \"x@link:./x::locator=a%40workspace%3Ap%2Fa\"\n\n" +
			"\"x@link:./x::locator=till%40workspace%3A.\":\n  version: 0.0.0-use.local\n  resolution: \"x@link:./x::locator=till%40workspace%3A.\"\n",
	})
	for in, want := range map[string]string{".": "x", "p/a": "p/a/x"} {
		if d, ok := find(t, filepath.Join(dir, in)).Locked("x"); !ok || d.Dir != filepath.Join(dir, want) {
			t.Errorf("x of %s is %+v, %v", in, d, ok)
		}
	}
}

func TestOldLockFileOfBunSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"package.json": `{"name":"p","dependencies":{"x":"1"}}`, "bun.lockb": "#!/usr/bin/env bun\nbun-lockfile-format-v0\n"})
	var l Loader
	p, err := l.Find(context.Background(), dir)
	if err != nil || !strings.Contains(p.Problem, "bun install --save-text-lockfile --lockfile-only") {
		t.Fatalf("got %+v, %v", p, err)
	}
	filetest.Write(t, dir, map[string]string{"bun.lock": `{"lockfileVersion":1,"workspaces":{"":{}},"packages":{"x":["x@1.2.3","",{},"sha512-AAAA"]}}`})
	if d, ok := find(t, dir).Locked("x"); !ok || d.Version != "1.2.3" {
		t.Errorf("beside the new one: %+v, %v", d, ok)
	}
}

func TestLockFileThatIsNotTheProjectsOwnIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"package.json":        `{"name":"above"}`,
		"package-lock.json":   `{"lockfileVersion":3,"packages":{"":{},"node_modules/x":{"version":"1.0.0"}}}`,
		"inside/package.json": `{"name":"inside"}`,
	})
	p := find(t, filepath.Join(dir, "inside"))
	if p.LockFile != "" || p.Root != p.Dir {
		t.Errorf("took %s", p.LockFile)
	}
}

func TestManagerDecidesBetweenLockFiles(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"package.json":      `{"packageManager":"pnpm@9.0.0"}`,
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{}}}`,
		"pnpm-lock.yaml":    "lockfileVersion: '9.0'\nimporters:\n  .: {}\n",
	})
	if p := find(t, dir); filepath.Base(p.LockFile) != "pnpm-lock.yaml" {
		t.Errorf("took %s", p.LockFile)
	}
}

func TestDamagedLockFileIsAProblemOfTheProject(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"package.json": `{"name":"p"}`, "package-lock.json": "{"})
	var l Loader
	p, err := l.Find(context.Background(), dir)
	if err != nil || p.Problem == "" {
		t.Fatalf("got %+v, %v", p, err)
	}
	if _, ok := p.Locked("x"); ok {
		t.Error("it chose something")
	}
}

func TestDirectoryOfNoProject(t *testing.T) {
	var l Loader
	if _, err := l.Find(context.Background(), t.TempDir()); !errors.Is(err, project.ErrNone) {
		t.Errorf("got %v", err)
	}
}

func TestValidNames(t *testing.T) {
	for _, name := range []string{"a", "axios", "@tanstack/react-query", "JSONStream", "lodash.get", "@types/node", "3d-view"} {
		if !ValidName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", "@a", "@a/", "@/b", "a/../b", "@a/..", "/a", "a b", "a\\b", "a:b", "@a/b/c", ".hidden", "a%2fb", "node_modules", "@a/.b", "\x00"} {
		if ValidName(name) {
			t.Errorf("%q is accepted", name)
		}
	}
}
