package npmlock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/project"
)

// The lock files of testdata were made by the tools themselves, from these.
const (
	rootManifest = `{"name":"till","version":"1.0.0","private":true,"workspaces":["packages/*"],
 "dependencies":{"is-odd":"^3.0.1","seven":"npm:is-number@^7.0.0","@types/ms":"^0.7.0","ms":"2.1.2"}}`
	appManifest = `{"name":"@till/app","version":"0.1.0","dependencies":{"is-odd":"^2.0.0","ms":"~2.0.0"}}`
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// workspaceWith is a directory with the two packages and a lock file of testdata.
func workspaceWith(t *testing.T, lock string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"package.json": rootManifest, "packages/app/package.json": appManifest})
	data, err := os.ReadFile(filepath.Join("testdata", lock))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{filepath.Base(lock): string(data)})
	return dir
}

func find(t *testing.T, dir string) *Project {
	t.Helper()
	var l Loader
	p, err := l.Find(dir)
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
			write(t, dir, map[string]string{"package.json": test.manifest, test.file: test.lock})
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

func TestLockFileThatIsNotTheProjectsOwnIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
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
	write(t, dir, map[string]string{
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
	write(t, dir, map[string]string{"package.json": `{"name":"p"}`, "package-lock.json": "{"})
	var l Loader
	p, err := l.Find(dir)
	if err != nil || p.Problem == "" {
		t.Fatalf("got %+v, %v", p, err)
	}
	if _, ok := p.Locked("x"); ok {
		t.Error("it chose something")
	}
}

func TestDirectoryOfNoProject(t *testing.T) {
	var l Loader
	if _, err := l.Find(t.TempDir()); !errors.Is(err, project.ErrNone) {
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
