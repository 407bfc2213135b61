package store

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/naming"
)

// counted counts how often a language reads.
type counted struct {
	ecosystem.Language
	reads int
}

func (c *counted) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	found, err := c.Language.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	read := found.Read
	found.Read = func(ctx context.Context) (*apidoc.Package, error) {
		c.reads++
		return read(ctx)
	}
	return found, nil
}

// world is a machine with a project on it.
type world struct {
	*testing.T
	root string
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, root}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// write writes a file at a time that the file system can distinguish from the time of the previous
// write.
func (w *world) write(name, text string) {
	w.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o750); err != nil {
		w.Fatal(err)
	}
	before, _ := os.Stat(w.path(name))
	for {
		if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
			w.Fatal(err)
		}
		if after, err := os.Stat(w.path(name)); err != nil || before == nil || after.ModTime().After(before.ModTime()) {
			return
		}
	}
}

func (w *world) cache() *cachedir.Cache { return cachedir.New(w.path("cache"), cachedir.Options{}) }

// ask queries a new store, like a new process, and reports whether the store read the package.
func (w *world) ask(language, pkg string) (p *apidoc.Package, read bool) {
	w.Helper()
	env := []string{
		"HOME=" + w.path("home"), "GOMODCACHE=" + w.path("modcache"), "GOPROXY=off", "GOFLAGS=-mod=mod", "PATH=" + os.Getenv("PATH"),
	}
	lang := &counted{Language: npm.New(ecosystem.Options{Env: env, Offline: true, Cache: w.cache()})}
	if language == "go" {
		lang.Language = golang.New(ecosystem.Options{Env: env, Offline: true})
	}
	s := New(ecosystem.Languages{lang}, Options{Cache: w.cache()})
	s.disk.now = func() time.Time { return time.Now().Add(time.Minute) } // The files are not new.
	p, err := s.Describe(w.Context(), language, ecosystem.Query{Package: pkg, ProjectDir: w.path("app")})
	if err != nil {
		w.Fatal(err)
	}
	return p, lang.reads > 0
}

// change is something that happens between two questions, and whether the
// package must be read again.
type change struct {
	name  string
	make  func(w *world)
	reads bool
	want  string // a symbol of the answer
}

func (w *world) check(language, pkg string, c change) {
	w.Helper()
	if _, read := w.ask(language, pkg); !read {
		w.Error("it was kept before it was read")
	}
	if _, read := w.ask(language, pkg); read {
		w.Error("it was read again although nothing had changed")
	}
	c.make(w)
	p, read := w.ask(language, pkg)
	if read != c.reads {
		w.Errorf("read again: %v, want %v", read, c.reads)
	}
	if _, err := naming.Find(p, c.want); err != nil {
		w.Error(err)
	}
}

func TestInstalledPackagesAreReadAgainWhen(t *testing.T) {
	const till = `export * from "coins"; export declare function sum(): number;`
	files := map[string]string{
		"app/package.json":                      `{"name": "app", "dependencies": {"till": "1.0.0"}}`,
		"app/package-lock.json":                 `{"lockfileVersion": 3, "packages": {"node_modules/till": {"version": "1.0.0"}}}`,
		"app/node_modules/till/package.json":    `{"name": "till", "version": "1.0.0", "types": "index.d.ts", "dependencies": {"coins": "1"}}`,
		"app/node_modules/till/index.d.ts":      till,
		"app/node_modules/till/other.d.ts":      `export declare const other: 1;`,
		"app/node_modules/coins/package.json":   `{"name": "coins", "version": "1.0.0", "types": "index.d.ts"}`,
		"app/node_modules/coins/index.d.ts":     `export declare const penny: 1;`,
		"elsewhere/coins/package.json":          `{"name": "coins", "version": "2.0.0", "types": "index.d.ts"}`,
		"elsewhere/coins/index.d.ts":            `export declare const pound: 1;`,
		"app/node_modules/unrelated/index.d.ts": ``,
	}
	tests := []change{
		{"never, if nothing changes", func(*world) {}, false, "penny"},
		{"a file that it does not lead to changes", func(w *world) { w.write("app/node_modules/till/other.d.ts", "export {}") }, false, "penny"},
		{"the lock file changes, but not for it", func(w *world) {
			w.write("app/package-lock.json", `{"lockfileVersion": 3, "packages": {"node_modules/till": {"version": "1.0.0"}, "node_modules/x": {"version": "1.0.0"}}}`)
		}, false, "penny"},
		{"its declarations change", func(w *world) {
			w.write("app/node_modules/till/index.d.ts", till+" export declare const added: 1;")
		}, true, "added"},
		{"they change and have the same length", func(w *world) {
			w.write("app/node_modules/till/index.d.ts", `export * from "coins"; export declare function mus(): number;`)
		}, true, "mus"},
		{"a file comes before the one that was read", func(w *world) {
			w.write("app/node_modules/till/index.d.mts", "")
			w.write("app/node_modules/till/package.json", `{"name": "till", "version": "1.0.0", "types": "other.d.ts"}`)
		}, true, "other"},
		{"what it re-exports changes", func(w *world) {
			w.write("app/node_modules/coins/index.d.ts", "export declare const dollar: 1;")
		}, true, "dollar"},
		{"what it re-exports is installed nearer", func(w *world) {
			w.write("app/node_modules/till/node_modules/coins/package.json", `{"name": "coins", "version": "3.0.0", "types": "index.d.ts"}`)
			w.write("app/node_modules/till/node_modules/coins/index.d.ts", "export declare const euro: 1;")
		}, true, "euro"},
		{"what it re-exports becomes a link", func(w *world) {
			if err := os.RemoveAll(w.path("app/node_modules/coins")); err != nil {
				w.Fatal(err)
			}
			if err := os.Symlink(w.path("elsewhere/coins"), w.path("app/node_modules/coins")); err != nil {
				w.Skipf("this system does not let the user make symbolic links: %v", err)
			}
		}, true, "pound"},
		{"another version is installed", func(w *world) {
			w.write("app/package-lock.json", `{"lockfileVersion": 3, "packages": {"node_modules/till": {"version": "2.0.0"}}}`)
			w.write("app/node_modules/till/package.json", `{"name": "till", "version": "2.0.0", "types": "other.d.ts"}`)
		}, true, "other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { newWorld(t, files).check("npm", "till", tt) })
	}
}

func TestAnAnswerThatWasKeptIsTheSame(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/package.json":                   `{"name": "app", "dependencies": {"till": "1.0.0"}}`,
		"app/package-lock.json":              `{"lockfileVersion": 3, "packages": {"node_modules/till": {"version": "1.0.1"}}}`,
		"app/node_modules/till/package.json": `{"name": "till", "version": "1.0.0", "description": "Adds up.", "deprecated": "use sums", "types": "index.d.ts"}`,
		"app/node_modules/till/index.d.ts":   `export declare function sum(): number;`,
		"app/node_modules/till/README.md":    "# till\n\n## Usage\n\nCall it.",
	})
	w.write("app/package-lock.json", `{"lockfileVersion": 3, "packages": {"node_modules/till": {"version": "1.0.0"}}}`)
	first, _ := w.ask("npm", "till")
	second, read := w.ask("npm", "till")
	if read || !equal(first, second) || second.Provenance.ChosenBy == "" || second.Deprecated != "use sums" || len(second.Sections) == 0 {
		t.Errorf("read again: %v\n%+v\n%+v", read, first, second)
	}
}

func TestWhatWasReadOfATarballIsKnownByItsHash(t *testing.T) {
	tgz := filetest.TarGz(t, "package/", map[string]string{
		"package.json": `{"name": "till", "version": "1.0.0", "types": "index.d.ts"}`,
		"index.d.ts":   `export declare function sum(): number;`,
	})
	sum := sha512.Sum512(tgz)
	tarball := "npm/tarballs/sha512-" + hex.EncodeToString(sum[:]) + ".tgz"
	lock := `{"lockfileVersion": 3, "packages": {"node_modules/till": {"version": "1.0.0", "integrity": "sha512-` +
		base64.StdEncoding.EncodeToString(sum[:]) + `"}}}`
	w := newWorld(t, map[string]string{
		"app/package.json":      `{"name": "app", "dependencies": {"till": "1.0.0"}}`,
		"app/package-lock.json": lock,
	})
	err := w.cache().Write(tarball, func(f *os.File) error {
		_, err := f.Write(tgz)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, read := w.ask("npm", "till"); !read {
		t.Error("it was kept before it was read")
	}
	if err := os.Remove(w.cache().Path(tarball)); err != nil {
		t.Fatal(err)
	}
	w.write("app/package-lock.json", lock+" ")
	p, read := w.ask("npm", "till")
	if read || p.Version != "1.0.0" || p.Provenance.Source != "registry" || p.Provenance.Integrity != "sha512 of package-lock.json" {
		t.Errorf("read %v: %+v", read, p)
	}
}

func TestPackagesOfTheWorkspaceAreAlwaysRead(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/package.json": `{"name": "app", "version": "1.0.0", "types": "index.d.ts"}`,
		"app/index.d.ts":   `export declare const a: 1;`,
		"app/go.mod":       "module example.com/app\n\ngo 1.26\n",
		"app/db/db.go":     "package db\n\n// Open opens.\nfunc Open() {}\n",
	})
	for range 2 {
		for language, pkg := range map[string]string{"npm": "app", "go": "example.com/app/db"} {
			if p, read := w.ask(language, pkg); !read || p.Version != "" {
				t.Errorf("%s: read %v, version %q", pkg, read, p.Version)
			}
		}
	}
	if files, _ := filepath.Glob(w.cache().Path("packages/*")); len(files) > 0 {
		t.Errorf("kept: %v", files)
	}
}

func TestGoPackagesAreReadAgainWhen(t *testing.T) {
	files := map[string]string{
		"app/go.mod":                                                "module example.com/app\n\ngo 1.26\n\nrequire (\n\texample.com/lib v1.0.0\n\texample.com/base v1.0.0\n)\n",
		"modcache/example.com/lib@v1.0.0/go.mod":                    "module example.com/lib\n\nrequire example.com/base v1.0.0\n",
		"modcache/example.com/lib@v1.0.0/lib.go":                    "package lib\n\nimport \"example.com/base\"\n\n// T is.\ntype T struct{ base.B }\n",
		"modcache/example.com/base@v1.0.0/go.mod":                   "module example.com/base\n",
		"modcache/example.com/base@v1.0.0/base.go":                  "package base\n\n// B is.\ntype B struct{}\n\n// Old is.\nfunc (B) Old() {}\n",
		"modcache/example.com/base@v1.1.0/go.mod":                   "module example.com/base\n",
		"modcache/example.com/base@v1.1.0/base.go":                  "package base\n\n// B is.\ntype B struct{}\n\n// New is.\nfunc (B) New() {}\n",
		"modcache/cache/download/example.com/lib/@v/v1.0.0.mod":     "module example.com/lib\n\nrequire example.com/base v1.0.0\n",
		"modcache/cache/download/example.com/base/@v/v1.0.0.mod":    "module example.com/base\n",
		"modcache/cache/download/example.com/base/@v/v1.1.0.mod":    "module example.com/base\n",
		"modcache/cache/download/example.com/lib/@v/v1.0.0.ziphash": "h1:x=",
	}
	tests := []change{
		{"never, if nothing changes", func(*world) {}, false, "T.Old"},
		{"go.mod chooses another version of what it promotes", func(w *world) {
			w.write("app/go.mod", "module example.com/app\n\ngo 1.26\n\nrequire (\n\texample.com/lib v1.0.0\n\texample.com/base v1.1.0\n)\n")
		}, true, "T.New"},
		{"a file of it changes", func(w *world) {
			w.write("modcache/example.com/lib@v1.0.0/lib.go", "package lib\n\n// Changed is.\nfunc Changed() {}\n")
		}, true, "Changed"},
		{"a file of what it promotes changes", func(w *world) {
			w.write("modcache/example.com/base@v1.0.0/base.go", "package base\n\n// B is.\ntype B struct{}\n\n// Newer is.\nfunc (B) Newer() {}\n")
		}, true, "T.Newer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { newWorld(t, files).check("go", "example.com/lib", tt) })
	}
}

func equal(a, b *apidoc.Package) bool {
	x, errX := apicodec.Encode(a)
	y, errY := apicodec.Encode(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}
