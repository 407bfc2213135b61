package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
	"github.com/docent-mcp/docent/mcp/auth"
)

var fileAttacks = []attack{
	{"cache: a directory that becomes a link while it is used", cacheRace, 64},
	{"cache: links, pipes and directories in the place of files", cachePlanted, 64},
	{"tokens: a directory that becomes a link while it is used", tokenRace, 64},
	{"projects: files that become links while they are read", projectRace, 256},
}

// flip repeatedly replaces a file or directory with a link to target and restores it, until it is
// stopped. It returns the number of times.
func flip(path, target string) (stop func() int64) {
	var count atomic.Int64
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		spare := path + ".spare"
		for !over.Load() {
			if os.Rename(path, spare) != nil {
				continue
			}
			if os.Symlink(target, path) == nil {
				count.Add(1)
			}
			for os.Rename(spare, path) != nil {
				_ = os.RemoveAll(path) // the link, or what was created instead of it
			}
		}
	}()
	return func() int64 {
		over.Store(true)
		<-done
		return count.Load()
	}
}

// untouched returns an error if a directory does not have exactly the file
// "precious", with its content.
func untouched(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "precious"))
	if err != nil || string(data) != secret {
		return fmt.Errorf("the file outside has %q: %w", data, err)
	}
	all, err := os.ReadDir(dir)
	if len(all) != 1 {
		return fmt.Errorf("%d files are outside: %w", len(all), err)
	}
	return nil
}

const secret = "the secret of another directory"

// outside makes a directory with a secret.
func outside(t *trial) (dir string, err error) {
	dir = filepath.Join(t.dir, "outside")
	return dir, errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "precious"), []byte(secret), 0o600))
}

func cacheRace(t *trial) error {
	dir, err := outside(t)
	if err != nil {
		return err
	}
	c := cachedir.New(filepath.Join(t.dir, "cache"), cachedir.Options{Max: 64 << 10})
	write := func(f *os.File) error { _, err := f.WriteString(strings.Repeat("x", 8<<10)); return err }
	if err := c.Write("npm/a/first", write); err != nil {
		return err
	}
	stop := flip(c.Path("npm/a"), dir)
	written := 0
	for i := range 1000 * t.scale {
		t.input(8 << 10)
		name := fmt.Sprintf("npm/a/%d", i%50)
		if c.Write(name, write) == nil {
			written++
		}
		if data, err := c.Read("npm/a/precious", 1<<20); err == nil {
			stop()
			return fmt.Errorf("it read %q", data)
		}
		if f, err := c.Fetch(context.Background(), name, write); err == nil {
			f.Close()
		}
		c.Drop("npm/a/precious")
		c.List("npm/a")
	}
	flips := stop()
	t.outcome = fmt.Sprintf("nothing left the cache; %d exchanges, %d of %d written", flips, written, t.tried)
	return untouched(dir)
}

func cachePlanted(t *trial) error {
	dir, err := outside(t)
	if err != nil {
		return err
	}
	precious := filepath.Join(dir, "precious")
	plants := map[string]func(path string) error{
		"a link to a file":         func(path string) error { return os.Symlink(precious, path) },
		"a link to a directory":    func(path string) error { return os.Symlink(dir, path) },
		"a link to nothing":        func(path string) error { return os.Symlink(filepath.Join(dir, "new"), path) },
		"a relative link":          func(path string) error { return os.Symlink("../../../../outside/precious", path) },
		"a link to itself":         func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"another name of a file":   func(path string) error { return os.Link(precious, path) },
		"a directory with content": func(path string) error { return os.MkdirAll(filepath.Join(path, "x", "y"), 0o700) },
		"a file without a trailer": func(path string) error { return os.WriteFile(path, []byte("text"), 0o600) },
	}
	for what, plant := range plants {
		for _, place := range []string{"npm", "npm/a", "npm/a/file", "locks", "pruned"} {
			t.input(0)
			root := filepath.Join(t.dir, "planted")
			if err := os.RemoveAll(root); err != nil {
				return err
			}
			c := cachedir.New(root, cachedir.Options{Max: 1})
			path := c.Path(place)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), plant(path)); err != nil {
				return fmt.Errorf("%s as %s: %w", what, place, err)
			}
			write := func(f *os.File) error { _, err := f.WriteString("text"); return err }
			for range 2 {
				_ = c.Write("npm/a/file", write)
				f, err := c.Fetch(context.Background(), "npm/a/file", write)
				if err != nil {
					return fmt.Errorf("%s as %s: %w", what, place, err)
				}
				text := make([]byte, f.Size())
				_, _ = f.ReadAt(text, 0)
				f.Close()
				if string(text) != "text" {
					return fmt.Errorf("%s as %s: %q was read", what, place, text)
				}
				_, _ = c.Describe()
				c.List("npm/a")
				c.Drop("npm/a/file")
			}
			if err := untouched(dir); err != nil {
				return fmt.Errorf("%s as %s: %w", what, place, err)
			}
		}
	}
	t.outcome = "nothing left the cache, each question was answered"
	return nil
}

func tokenRace(t *trial) error {
	dir, err := outside(t)
	if err != nil {
		return err
	}
	store := auth.FileStore{Dir: filepath.Join(t.dir, "tokens")}
	ctx := context.Background()
	if err := store.Save(ctx, "session", []byte("token")); err != nil {
		return err
	}
	stop := flip(store.Dir, dir)
	saved, seen := 0, 0
	for range 500 * t.scale {
		t.input(5)
		if store.Save(ctx, "session", []byte("token")) == nil {
			saved++
		}
		if value, err := store.Load(ctx, "session"); err == nil && len(value) > 0 {
			seen++
			if string(value) != "token" {
				stop()
				return fmt.Errorf("it read %q", value)
			}
		}
		if unlock, err := store.Lock(ctx, "session"); err == nil {
			unlock()
		}
	}
	flips := stop()
	t.outcome = fmt.Sprintf("no token left the directory; %d exchanges, %d saved, %d read", flips, saved, seen)
	return untouched(dir)
}

// projectRace repeatedly replaces files of a project with links to a secret while packages of the
// project are read.
func projectRace(t *trial) error {
	dir, err := outside(t)
	if err != nil {
		return err
	}
	home := filepath.Join(t.dir, "home")
	app := filepath.Join(home, "app")
	files := map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.26\n", "lib/lib.go": "// Package lib is here.\npackage lib\n\n// F does.\nfunc F() {}\n", "lib/README.md": "# Lib\n\nText.\n",
		"package.json": `{"name":"app","dependencies":{"kite":"1.0.0"}}`, "node_modules/kite/package.json": `{"name":"kite","version":"1.0.0","types":"index.d.ts"}`,
		"node_modules/kite/index.d.ts": "/** F. */\nexport declare function f(): void;\n", "node_modules/kite/README.md": "# Kite\n\nText.\n",
		"pyproject.toml": "[project]\nname = 'app'\nrequires-python = '>=3.9'\n", "app/__init__.py": "'''App.'''\ndef f(): 'F.'\n",
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2021\"\n", "src/lib.rs": "//! App.\n/// F.\npub fn f() {}\n", "README.md": "# App\n\nText.\n",
		"Package.swift": "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: \"App\", targets: [.target(name: \"App\")])\n", "Sources/App/App.swift": "/// A.\npublic struct A {}\n",
	}
	for name, text := range files {
		path := filepath.Join(app, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	options := ecosystem.Options{Env: []string{"HOME=" + home, "PATH=", "GOFLAGS=-mod=mod", "GOPROXY=off"}, Offline: true}
	languages := []struct {
		language ecosystem.Language
		name     string
		swapped  []string
	}{
		{golang.New(options), "example.com/app/lib", []string{"lib/README.md", "lib/lib.go", "lib", "go.mod"}},
		{npm.New(options), "kite", []string{"node_modules/kite/README.md", "node_modules/kite/index.d.ts", "node_modules/kite", "node_modules/kite/package.json"}},
		{python.New(options), "app", []string{"app/__init__.py", "README.md", "pyproject.toml"}},
		{rust.New(options), "app", []string{"src/lib.rs", "README.md", "Cargo.toml"}},
		{swift.New(options), "App", []string{"Sources/App/App.swift", "README.md", "Package.swift"}},
	}
	flips, read := int64(0), 0
	for _, l := range languages {
		for _, name := range l.swapped {
			path := filepath.Join(app, filepath.FromSlash(name))
			target := filepath.Join(dir, "precious")
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				target = dir
			}
			stop := flip(path, target)
			for range 20 * t.scale {
				t.input(0)
				p, err := ecosystem.Describe(context.Background(), l.language, ecosystem.Query{Package: l.name, ProjectDir: app}, nil)
				if err == nil {
					read++
				}
				data, _ := json.Marshal(p)
				if text := fmt.Sprintf("%s %v", data, err); strings.Contains(text, secret) {
					stop()
					return fmt.Errorf("%s: the answer has the secret in the place of %s", l.language.Info().ID, name)
				}
			}
			flips += stop()
		}
	}
	t.outcome = fmt.Sprintf("no answer has the secret; %d exchanges, %d of %d read", flips, read, t.tried)
	return untouched(dir)
}
