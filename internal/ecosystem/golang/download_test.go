package golang

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/program"
	"github.com/docent-mcp/docent/internal/project"
)

// withProxy returns a world with the real go command and a module proxy.
func withProxy(t *testing.T) (*world, *proxy) {
	t.Helper()
	w, p := newWorld(t, anApp).withGo(), newProxy(t, sample)
	w.vars["GOPROXY"] = p.URL
	w.vars["GOMODCACHE"] = w.path("gomodcache")
	return w, p
}

func TestTheGoCommandDownloadsWhereItIsInstalled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // Use a directory that no other program writes to.
	w, p := withProxy(t)
	tests := []struct{ name, pkg, want, by string }{
		{"the newest release", "example.com/lib/sub", "example.com/lib v1.10.0", "newest release, no project given"},
		{"the beginning of a version", "example.com/lib@v1.2", "example.com/lib v1.2.0", "requested as v1.2"},
		{"an exact version", "example.com/lib@v1.0.0", "example.com/lib v1.0.0", "requested"},
		{"a nested module", "example.com/lib/sub/nested", "example.com/lib/sub/nested v0.3.0", "newest release"},
		{"a major version in the path", "example.com/lib/v2", "example.com/lib/v2 v2.0.1", "newest release"},
		{"upper case", "github.com/Upper/Case", "github.com/Upper/Case v0.1.0", "newest release"},
		{"a version from 2 on without a go.mod", "example.com/old@v2.0.0", "example.com/old v2.0.0+incompatible", "requested as v2.0.0"},
		{"a module that has a go.mod by now", "example.com/moved", "example.com/moved v1.0.0", "newest release"},
		{"a module for a Go to come", "example.com/future@v1.0.0", "example.com/future v1.0.0", "requested"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := w.in(t).want("", tt.pkg, tt.want+" proxy", tt.by)
			if src != nil && !strings.Contains(src.Provenance.Integrity, "GOSUMDB is off") {
				t.Errorf("integrity: %q", src.Provenance.Integrity)
			}
		})
	}
	if src := w.want("", "example.com/lib@v1.11.0", "example.com/lib v1.11.0 proxy", "requested"); src != nil && !slices.Equal(src.Warnings, retracted) {
		t.Errorf("warnings: %q", src.Warnings)
	}
	w.wantError("", "example.com/lib@v1.3.0", ecosystem.NotFound, "there is no version v1.3.0 of example.com/lib", "v1.2.0, v1.10.0")
	p.answer("example.com/pre/@v/list", status(http.StatusForbidden, "no"))
	w.want("", "example.com/pre@v0.1.0-beta.2", "example.com/pre v0.1.0-beta.2 proxy", "requested")
	w.wantError("", "example.com/lib@v9.9.9", ecosystem.NotFound, "there is no version v9.9.9 of example.com/lib", "the newest version is v1.10.0")
	w.want("", "example.com/old@v2.0.0", "example.com/old v2.0.0+incompatible module cache", "requested")
	w.wantError("", "example.com/nothing/here", ecosystem.NotFound, "there is no module that contains the package", "404 Not Found")
	w.wantClean(0)
	if rest, _ := filepath.Glob(filepath.Join(os.TempDir(), "docent-go-*")); len(rest) > 0 {
		t.Errorf("left behind: %q", rest)
	}
}

func TestTheGoCommandChecksGoSumAndLeavesTheProjectAlone(t *testing.T) {
	w, _ := withProxy(t)
	const mod = "example.com/lib@v1.2.0"
	before := w.snapshot("ws")
	src := w.want("ws/app", "example.com/lib/sub", "example.com/lib v1.2.0 proxy", "go.mod of corp.example/app")
	if src == nil || !strings.Contains(src.Provenance.Integrity, "not verified") {
		t.Errorf("got %+v", src)
	}
	if after := w.snapshot("ws"); !maps.Equal(before, after) {
		t.Errorf("the project was changed: %v", after)
	}

	w.vars["GOMODCACHE"] = w.path("second")
	w.write(map[string]string{"ws/app/go.sum": "example.com/lib v1.2.0 " + sumOf(t, mod, sample[mod]) + "\n"})
	if src := w.want("ws/app", "example.com/lib", "example.com/lib v1.2.0 proxy", "go.mod of corp.example/app"); src != nil && src.Provenance.Integrity != "as recorded in go.sum of the project" {
		t.Errorf("integrity: %q", src.Provenance.Integrity)
	}

	w.vars["GOMODCACHE"] = w.path("third")
	w.write(map[string]string{"ws/app/go.sum": "example.com/lib v1.2.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"})
	w.wantError("ws/app", "example.com/lib", ecosystem.Unreadable, "checksum mismatch", "example.com/lib@v1.2.0")
}

// snapshot returns the content of all files below a directory.
func (w *world) snapshot(dir string) map[string]string {
	files := map[string]string{}
	filepath.WalkDir(w.path(dir), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, _ := os.ReadFile(path)
			files[path] = string(data)
		}
		return nil
	})
	return files
}

func TestFailuresOfTheGoCommandAreReportedInOneSentence(t *testing.T) {
	w, p := withProxy(t)
	p.answer("example.com/lib/@v/v1.2.0.zip", status(500, "broken"))
	w.wantError("", "example.com/lib@v1.2.0", ecosystem.Unreachable, "500 Internal Server Error")
	p.answer("example.com/lib/@v/v1.2.0.zip", status(200, "<html>"))
	w.wantError("", "example.com/lib@v1.2.0", ecosystem.Unreadable, "zip")
	w.vars["GOPROXY"] = strings.Replace(p.URL, "://", "://me:s3cret@", 1)
	w.wantError("", "example.com/lib@v1.2.0", ecosystem.Refused, "refusing to pass credentials to insecure URL")
	w.vars["GOPROXY"] = "off"
	w.wantError("", "example.com/lib@v1.2.0", ecosystem.Refused, "GOPROXY=off")
	w.vars["GOPROXY"] = "http://127.0.0.1:1"
	w.wantError("", "example.com/lib", ecosystem.Unreachable, "connection refused")
}

func TestAGoCommandThatHangsIsEndedWithAllThatItStarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the one that stands in for the go command in this test; to run it, use another system")
	}
	w := newWorld(t, map[string]string{"bin/go": "#!/bin/sh\necho started >\"$HOME/started\"\nsleep 600 &\nwait\n", "home/x": ""})
	if err := os.Chmod(w.path("bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.vars["PATH"] = w.path("bin") + string(filepath.ListSeparator) + "/usr/bin" + string(filepath.ListSeparator) + "/bin"
	w.opts.Timeout = 300 * time.Millisecond
	w.wantError("", "example.com/lib", ecosystem.Unreachable, "the go command took longer than 300ms for example.com@latest")

	w.opts.Timeout = time.Hour
	os.Remove(w.path("home/started"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !project.IsFile(w.path("home/started")) { // The script creates this file when it starts.
			runtime.Gosched()
		}
		cancel()
	}()
	_, err := w.golang().Locate(ctx, ecosystem.Query{Package: "example.com/lib"})
	var e *ecosystem.Error
	if !errors.As(err, &e) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsAtHandStartsNoProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the one that stands in for the go command in this test; to run it, use another system")
	}
	w := newWorld(t, anApp)
	w.write(map[string]string{"bin/go": "#!/bin/sh\necho started >\"$HOME/started\"\n", "home/x": ""})
	if err := os.Chmod(w.path("bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.vars["PATH"] = w.path("bin") + string(filepath.ListSeparator) + "/usr/bin" + string(filepath.ListSeparator) + "/bin"
	for _, pkg := range []string{"fmt", "cmd/gofmt", "corp.example/app", "./internal/db", "example.com/lib/sub", "example.com/lib@v1.9.0", "example.com/local", "nothing", "corp.example/app/nothing", "example.com/lib/sub/nested"} {
		_, _ = w.locate("ws/app", pkg)
	}
	w.golang().Doctor(w.path("ws/app"))
	if project.IsFile(w.path("home/started")) {
		t.Error("the go command was run")
	}
	if _, err := w.locate("", "example.com/unknown"); err == nil || !project.IsFile(w.path("home/started")) {
		t.Errorf("the stand-in does not stand in: %v", err)
	}
}

func TestTheGoCommandNeverSeesTheProjectsFlags(t *testing.T) {
	w := newWorld(t, nil)
	w.vars["GOFLAGS"], w.vars["GOWORK"], w.vars["GOTOOLCHAIN"] = "-mod=vendor -modcacherw --modfile=x.mod -toolexec=evil", w.path("go.work"), "auto"
	g := w.golang()
	env := environ.Parse((&goTool{g, g.settings.load(g.env)}).environment("/dir"))
	for name, want := range map[string]string{"GOFLAGS": "-modcacherw", "GOWORK": "off", "GOTOOLCHAIN": "local", "GIT_TERMINAL_PROMPT": "0", "HOME": w.path("home")} {
		if got := env.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestWhatTheGoCommandSaysIsCleaned(t *testing.T) {
	f := goFailure("go: downloading x v1\ngo: module x: reading https://me:s3cret@proxy.example/x/@v/list: 404 Not Found\n\tserver response: not found\x1b[0m\n")
	if want := "module x: reading https://proxy.example/x/@v/list: 404 Not Found: server response: not found [0m"; f.What != want {
		t.Errorf("got %q", f.What)
	}
	if f := goFailure(""); f.What == "" {
		t.Error("silence is not explained")
	}
}

func FuzzGoModules(f *testing.F) {
	f.Add([]byte(`{"Path":"a","Version":"v1","Error":{"Err":"x"}}{"Path":"b","Error":"y"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := decodeModules(strings.NewReader(string(data)))
		if err == nil && len(list) > len(data) {
			t.Error("more modules than bytes")
		}
	})
}

// The live tests query the module proxy that `go env GOPROXY` prints.
func TestLiveModules(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") != "1" {
		t.Skip("DOCENT_LIVE is not set, and this test downloads modules; to run it, set DOCENT_LIVE=1")
	}
	for _, name := range []string{"go command", "own client"} {
		t.Run(name, func(t *testing.T) {
			o := ecosystem.Options{Cache: cachedir.New(t.TempDir(), cachedir.Options{}), Env: os.Environ()}
			o.Env = append(o.Env, "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw")
			if name == "own client" {
				base := loadSettings(environ.Parse(nil), &program.Wrapper{})
				o.Env = append(o.Env, "PATH=", "GOROOT="+t.TempDir(), "GOPROXY="+base.get("GOPROXY"))
			}
			g := New(o)
			found := []struct{ pkg, module, version string }{
				{"golang.org/x/time/rate", "golang.org/x/time", ""},
				{"github.com/spf13/cobra@v1.8.0", "github.com/spf13/cobra", "v1.8.0"},
				{"github.com/spf13/cobra@v1.7", "github.com/spf13/cobra", "v1.7.0"},
				{"github.com/pelletier/go-toml/v2@v2.4.3", "github.com/pelletier/go-toml/v2", "v2.4.3"},
				{"github.com/BurntSushi/toml", "github.com/BurntSushi/toml", ""},
				{"github.com/BurntSushi/toml@v1.3.1", "github.com/BurntSushi/toml", "v1.3.1"}, // This version is retracted.
				{"golang.org/x/tools/gopls/doc@latest", "", ""},
			}
			for _, tt := range found {
				src, err := g.Locate(t.Context(), ecosystem.Query{Package: tt.pkg})
				if tt.module == "" {
					t.Logf("%s: %v", tt.pkg, err)
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", tt.pkg, err)
					continue
				}
				t.Logf("%s: %s %s, %+v %q", tt.pkg, src.Module, src.Version, src.Provenance, src.Warnings)
				if src.Module != tt.module || tt.version != "" && src.Version != tt.version {
					t.Errorf("%s: got %s %s", tt.pkg, src.Module, src.Version)
				}
				src.Close()
			}
			for _, pkg := range []string{"github.com/spf13/cobra@v1.99.0", "github.com/docent-mcp/there/is/none"} {
				_, err := g.Locate(t.Context(), ecosystem.Query{Package: pkg})
				var e *ecosystem.Error
				if !errors.As(err, &e) || !slices.Contains([]ecosystem.Reason{ecosystem.NotFound, ecosystem.Refused}, e.Reason) {
					t.Errorf("%s: %v", pkg, err)
				}
				t.Logf("%s: %v", pkg, err)
			}
		})
	}
}
