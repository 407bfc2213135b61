package golang

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/filetest"
)

// goName is the file name of the go command.
var goName = map[bool]string{false: "go", true: "go.exe"}[runtime.GOOS == "windows"]

// world is a machine made for a test: a Go installation, a module cache, a
// home directory and projects, all below one temporary directory.
type world struct {
	t    *testing.T
	dir  string
	vars map[string]string
	opts ecosystem.Options
}

// newWorld returns a world with a small GOROOT of go1.26.3, no go command and
// no module proxy.
func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), vars: map[string]string{}}
	w.write(map[string]string{
		"goroot/VERSION":                               "go1.26.3\ntime 2026-05-05T00:00:00Z\n",
		"goroot/go.env":                                "# comment\nGOSUMDB=off\nGOTOOLCHAIN=auto\n",
		"goroot/src/runtime/r.go":                      "package runtime\n",
		"goroot/src/fmt/print.go":                      "// Package fmt prints.\npackage fmt\n",
		"goroot/src/encoding/json/json.go":             "package json\n",
		"goroot/src/net/http/internal/chunk.go":        "package internal\n",
		"goroot/src/vendor/golang.org/x/net/idna/i.go": "package idna\n",
		"goroot/src/cmd/gofmt/main.go":                 "// Gofmt formats.\npackage main\n",
		"goroot/src/cmd/go.mod":                        "module cmd\n",
	})
	w.write(files)
	w.vars["HOME"], w.vars["USERPROFILE"] = w.path("home"), w.path("home")
	w.vars["GOROOT"], w.vars["GOMODCACHE"] = w.path("goroot"), w.path("modcache")
	w.vars["XDG_CACHE_HOME"], w.vars["LocalAppData"] = w.path("home/cache"), w.path("home/cache")
	w.opts.Cache = cachedir.New(w.path("own"), cachedir.Options{})
	return w
}

// in returns the same world for use in a subtest.
func (w *world) in(t *testing.T) *world {
	t.Helper()
	sub := *w
	sub.t = t
	return &sub
}

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(files map[string]string) { filetest.Write(w.t, w.dir, files) }

// withGo makes the real go command available to tests that download with it.
func (w *world) withGo() *world {
	w.t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		w.t.Skip("the go command is not in PATH, with which this test downloads; to run it, install Go")
	}
	// A telemetry process that outlives the command would write to the test's directory
	// while the directory is being removed.
	w.write(map[string]string{"home/.config/go/telemetry/mode": "off 2020-01-01\n"})
	w.vars["XDG_CONFIG_HOME"] = w.path("home/.config")
	delete(w.vars, "GOROOT")
	w.vars["PATH"] = filepath.Dir(path)
	w.vars["GOSUMDB"] = "off"
	w.vars["GOCACHE"] = w.path("gocache")
	w.vars["GOFLAGS"] = "-mod=vendor -modcacherw"
	return w
}

func (w *world) golang() *Golang {
	o := w.opts
	o.Env = []string{}
	for name, value := range w.vars {
		o.Env = append(o.Env, name+"="+value)
	}
	return New(o)
}

// locate locates a package in a project, given as its directory in the world.
func (w *world) locate(project, pkg string) (*godoc.Source, error) {
	w.t.Helper()
	if project != "" {
		project = w.path(project)
	}
	src, err := w.golang().Locate(w.t.Context(), ecosystem.Query{Package: pkg, ProjectDir: project})
	if err == nil {
		w.t.Cleanup(func() { src.Close() })
	}
	return src, err
}

// want fails the test unless a package is found, with a result of the form "module
// version source".
func (w *world) want(project, pkg, want, chosenBy string) *godoc.Source {
	w.t.Helper()
	src, err := w.locate(project, pkg)
	if err != nil {
		w.t.Errorf("%s: %v", pkg, err)
		return nil
	}
	if got := src.Module + " " + src.Version + " " + src.Provenance.Source; got != want {
		w.t.Errorf("%s: got %q, want %q", pkg, got, want)
	}
	if !strings.Contains(src.Provenance.ChosenBy, chosenBy) {
		w.t.Errorf("%s: chosen by %q, want %q", pkg, src.Provenance.ChosenBy, chosenBy)
	}
	if _, err := fs.ReadDir(src.FS, src.Dir); err != nil {
		w.t.Errorf("%s: %v", pkg, err)
	}
	return src
}

// wantError fails unless locating the package fails with the given reason and a
// one-sentence error that contains the given words.
func (w *world) wantError(project, pkg string, reason ecosystem.Reason, words ...string) {
	w.t.Helper()
	_, err := w.locate(project, pkg)
	var e *ecosystem.Error
	if !errors.As(err, &e) {
		w.t.Errorf("%s: got %v, want an ecosystem.Error", pkg, err)
		return
	}
	if e.Reason != reason {
		w.t.Errorf("%s: reason %q, want %q: %v", pkg, e.Reason, reason, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			w.t.Errorf("%s: %v does not say %q", pkg, err, word)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\x1b") || strings.Contains(err.Error(), "s3cret") {
		w.t.Errorf("%s: not one clean sentence: %q", pkg, err)
	}
}

// wantClean fails if docent's download cache contains anything other than complete zip
// files, their hashes and go.mod files.
func (w *world) wantClean(zips int) {
	w.t.Helper()
	got := 0
	_ = filepath.WalkDir(w.path("own"), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipAll // nothing was downloaded
		case e.IsDir(), e.Name() == "pruned", filepath.Base(filepath.Dir(path)) == "locks":
		case strings.HasSuffix(path, ".zip"):
			got++
		case !strings.HasSuffix(path, ".ziphash") && !strings.HasSuffix(path, ".mod"):
			w.t.Errorf("%s is left behind", path)
		}
		return nil
	})
	if got != zips {
		w.t.Errorf("%d zip files are kept, want %d", got, zips)
	}
}

// modules maps names of files to contents, by "path@version", then by name.
type modules map[string]map[string]string

// sumOf returns the go.sum hash of a module version.
func sumOf(tb testing.TB, mod string, files map[string]string) string {
	tb.Helper()
	names := []string{}
	for name := range files {
		names = append(names, mod+"/"+name)
	}
	sum, err := dirhash.Hash1(names, func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(files[strings.TrimPrefix(name, mod+"/")])), nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return sum
}

// proxyFiles returns the files of a module proxy that serves the given modules.
func proxyFiles(tb testing.TB, mods modules) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	for mod, files := range mods {
		path, version, _ := strings.Cut(mod, "@")
		escaped, err := module.EscapePath(path)
		if err != nil {
			tb.Fatal(err)
		}
		base := escaped + "/@v/"
		gomod, ok := files["go.mod"]
		if !ok {
			gomod = "module " + path + "\n"
		}
		out[base+version+".info"] = []byte(`{"Version":"` + version + `","Time":"2026-01-02T03:04:05Z"}`)
		out[base+version+".mod"] = []byte(gomod)
		out[base+version+".zip"] = filetest.Zip(tb, mod+"/", files)
		if !module.IsPseudoVersion(version) {
			out[base+"list"] = append(out[base+"list"], version+"\n"...)
		} else {
			out[base+"list"] = append(out[base+"list"], ""...)
		}
		if old := string(out[escaped+"/@latest"]); old == "" || semver.Compare(version, strings.Split(old, `"`)[3]) > 0 {
			out[escaped+"/@latest"] = out[base+version+".info"]
		}
	}
	return out
}

// proxy is a module proxy on this machine.
type proxy struct {
	*httptest.Server
	mu  sync.Mutex
	log []string
	// odd contains special handlers, by path.
	odd map[string]http.HandlerFunc
}

func newProxy(tb testing.TB, mods modules) *proxy {
	tb.Helper()
	p := &proxy{odd: map[string]http.HandlerFunc{}}
	files := proxyFiles(tb, mods)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		p.mu.Lock()
		p.log = append(p.log, name)
		odd := p.odd[name]
		p.mu.Unlock()
		if odd != nil {
			odd(w, r)
			return
		}
		if data, ok := files[name]; ok {
			w.Write(data)
			return
		}
		http.Error(w, "not found: no such module", http.StatusNotFound)
	}))
	tb.Cleanup(p.Close)
	return p
}

// answer sets the handler of one path; nil restores the usual one.
func (p *proxy) answer(name string, h http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.odd[name] = h
}

func (p *proxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// sample is the content of a proxy with modules of every kind.
var sample = modules{
	"example.com/lib@v1.0.0":                                  {"go.mod": "module example.com/lib\n", "lib.go": "package lib\n", "sub/s.go": "package sub\n"},
	"example.com/lib@v1.2.0":                                  {"go.mod": "module example.com/lib\n", "lib.go": "package lib\n", "sub/s.go": "package sub\n", "internal/i.go": "package internal\n"},
	"example.com/lib@v1.10.0":                                 {"go.mod": "module example.com/lib\n", "lib.go": "package lib\n", "sub/s.go": "package sub\n"},
	"example.com/lib@v1.11.0":                                 {"go.mod": "module example.com/lib\nretract v1.11.0 // broke\x1b everything\n", "lib.go": "package lib\n"},
	"example.com/lib@v1.12.0-rc.1":                            {"go.mod": "module example.com/lib\n", "lib.go": "package lib\n"},
	"example.com/lib/v2@v2.0.1":                               {"go.mod": "module example.com/lib/v2\n", "lib.go": "package lib\n"},
	"example.com/lib/sub/nested@v0.3.0":                       {"go.mod": "module example.com/lib/sub/nested\n", "n.go": "package nested\n"},
	"github.com/Upper/Case@v0.1.0":                            {"go.mod": "module github.com/Upper/Case\n", "c.go": "package Case\n"},
	"example.com/pre@v0.1.0-beta.2":                           {"p.go": "package pre\n"},
	"example.com/untagged@v0.0.0-20260101000000-abcdefabcdef": {"u.go": "package untagged\n"},
	"example.com/old@v1.0.0":                                  {"o.go": "package old\n"},
	"example.com/old@v2.0.0+incompatible":                     {"o.go": "package old\n"},
	"example.com/moved@v1.0.0":                                {"go.mod": "module example.com/moved\n\ngo 1.20\n", "o.go": "package old\n"},
	"example.com/moved@v2.0.0+incompatible":                   {"o.go": "package old\n"},
	"example.com/future@v1.0.0":                               {"go.mod": "module example.com/future\n\ngo 1.99\n", "f.go": "package future\n"},
}
