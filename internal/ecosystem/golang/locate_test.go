package golang

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/program"
)

func TestTheStandardLibraryIsThatOfTheInstalledGo(t *testing.T) {
	w := newWorld(t, nil)
	w.want("", "encoding/json", "std go1.26.3 GOROOT", "the installed Go")
	w.want("", "encoding/json@go1.26.3", "std go1.26.3 GOROOT", "requested")
	w.want("", "encoding/json@1.26", "std go1.26.3 GOROOT", "requested")
	w.want("", "encoding/json@latest", "std go1.26.3 GOROOT", "the installed Go; docent does not look for newer releases of Go")
	if src := w.want("", "cmd/gofmt", "cmd go1.26.3 GOROOT", "the installed Go"); src.Dir != "gofmt" {
		t.Errorf("got directory %s", src.Dir)
	}
	w.wantError("", "net/http/internal", ecosystem.Refused, "internal to the standard library")
	w.wantError("", "vendor/golang.org/x/net/idna", ecosystem.Refused, "own import path")
	w.wantError("", "encoding", ecosystem.NotFound, "not contain any Go files", "encoding/json")
	w.wantError("", "encoding/jsom", ecosystem.NotFound, "close by: encoding/json")
	w.wantError("", "json", ecosystem.NotFound, "close by: encoding/json")
	w.wantError("", "fmt@go1.20.1", ecosystem.NotFound, "go1.20.1 is not on this machine", "go1.26.3")
	w.wantError("", "fmt@master", ecosystem.Invalid, "not a version of Go")
}

func TestWithoutAGoInstallationTheStandardLibraryIsMissed(t *testing.T) {
	w := newWorld(t, nil)
	w.vars["GOROOT"] = w.path("home")
	w.wantError("", "fmt", ecosystem.NotFound, "a Go installation in GOROOT or PATH", "install Go or set GOROOT")
	w.wantError("", "fmt@go1.20.0", ecosystem.NotFound, "install Go or set GOROOT")
}

func TestANewerToolchainThatTheProjectUsesIsReadInstead(t *testing.T) {
	name := fmt.Sprintf("modcache/golang.org/toolchain@v0.0.1-go1.27.1.%s-%s", runtime.GOOS, runtime.GOARCH)
	w := newWorld(t, map[string]string{
		name + "/VERSION":                    "go1.27.1\n",
		name + "/src/runtime/r.go":           "package runtime\n",
		name + "/src/fmt/f.go":               "package fmt\n",
		name + "/src/uuid/uuid.go":           "package uuid\n",
		"home/sdk/go1.25.1/src/runtime/r.go": "package runtime\n",
		"home/sdk/go1.25.1/src/fmt/r.go":     "package fmt\n",
		"new/go.mod":                         "module example.com/new\ngo 1.27.0\ntoolchain go1.27.1\n",
		"newer/go.mod":                       "module example.com/newer\ngo 1.28.0\n",
		"old/go.mod":                         "module example.com/old\ngo 1.20\n",
	})
	w.want("new", "fmt", "std go1.27.1 GOROOT", "go.mod of example.com/new")
	w.want("newer", "fmt", "std go1.26.3 GOROOT", "go.mod of example.com/newer requires go1.28.0, which is not on this machine")
	w.want("old", "fmt", "std go1.26.3 GOROOT", "the installed Go")
	w.want("", "fmt@go1.27.1", "std go1.27.1 GOROOT", "requested")
	w.want("", "fmt@go1.25.1", "std go1.25.1 GOROOT", "requested")
	w.wantError("", "fmt@go1.24.0", ecosystem.NotFound, "close by: go1.25.1, go1.26.3, go1.27.1")
	w.vars["GOTOOLCHAIN"] = "local"
	w.want("new", "fmt", "std go1.26.3 GOROOT", "the installed Go; go.mod of example.com/new requires go1.27.1, which GOTOOLCHAIN=local does not allow")
	w.wantError("new", "uuid", ecosystem.NotFound, "standard library of go1.26.3, the installed Go; go.mod of example.com/new requires go1.27.1, which GOTOOLCHAIN=local does not allow")
	delete(w.vars, "GOTOOLCHAIN")
	w.write(map[string]string{"goroot/go.env": "GOTOOLCHAIN=local\n"})
	w.want("new", "fmt", "std go1.27.1 GOROOT", "go.mod of example.com/new")
	w.want("new", "uuid", "std go1.27.1 GOROOT", "go.mod of example.com/new")
	w.vars["GOTOOLCHAIN"] = "go1.25.1+auto"
	w.want("old", "fmt", "std go1.26.3 GOROOT", "the installed Go")
}

func TestTheGoInstallationIsFoundWithoutRunningIt(t *testing.T) {
	w := newWorld(t, map[string]string{"goroot/bin/go": "#!/bin/sh\nexit 1\n", "goroot/bin/go.exe": "x"})
	if err := os.Chmod(w.path("goroot/bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	delete(w.vars, "GOROOT")
	t.Run("by a link in PATH", func(t *testing.T) {
		bin := w.path("bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(w.path("goroot/bin/"+goName), filepath.Join(bin, goName)); err != nil {
			t.Skip("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode):", err)
		}
		w.vars["PATH"] = "relative" + string(filepath.ListSeparator) + bin
		st := loadSettings(w.golang().env, &program.Wrapper{})
		root, _ := filepath.EvalSymlinks(w.path("goroot"))
		if st.goroot != root || st.goCommand != filepath.Join(bin, goName) {
			t.Errorf("got %q and %q", st.goroot, st.goCommand)
		}
	})
	t.Run("by the settings file", func(t *testing.T) {
		w.write(map[string]string{"env": "GOROOT=" + w.path("goroot") + "\nGOPRIVATE=corp.example\n# x=y\nbroken\n"})
		w.vars["PATH"], w.vars["GOENV"] = "", w.path("env")
		st := loadSettings(w.golang().env, &program.Wrapper{})
		if st.goroot != w.path("goroot") || st.get("GOPRIVATE") != "corp.example" || st.get("GOSUMDB") != "off" {
			t.Errorf("got %+v", st)
		}
		w.vars["GOPRIVATE"] = "other.example"
		if st := loadSettings(w.golang().env, &program.Wrapper{}); st.get("GOPRIVATE") != "other.example" {
			t.Error("the settings file wins over the environment")
		}
	})
	t.Run("and a change of the settings file is seen", func(t *testing.T) {
		g := w.golang()
		before := g.settings.load(g.env)
		if again := g.settings.load(g.env); again != before {
			t.Error("the settings are read each time")
		}
		w.write(map[string]string{"env": "GOPRIVATE=a.much.longer.example\n"})
		if g.settings.load(g.env) == before {
			t.Error("the change is not seen")
		}
	})
}

// anApp is an application that has dependencies of every kind.
var anApp = map[string]string{
	"ws/app/go.mod": "module corp.example/app\ngo 1.26.0\nrequire example.com/lib v1.2.0\nrequire example.com/lib/sub/nested v0.3.0\n" +
		"require example.com/local v1.0.0\nrequire example.com/fork v1.0.0\n" +
		"replace example.com/local => ../local\nreplace example.com/fork => example.com/lib v1.0.0\n",
	"ws/app/app.go":                                   "// Package app is ours.\npackage app\n",
	"ws/app/internal/db/db.go":                        "package db\n",
	"ws/app/nested/go.mod":                            "module corp.example/app/nested\n",
	"ws/app/nested/n.go":                              "package nested\n",
	"ws/app/docs/readme.md":                           "no Go here",
	"ws/local/go.mod":                                 "module example.com/local\n",
	"ws/local/l.go":                                   "package local\n",
	"ws/local/internal/x/x.go":                        "package x\n",
	"modcache/example.com/lib@v1.2.0/go.mod":          "module example.com/lib\n",
	"modcache/example.com/lib@v1.2.0/lib.go":          "package lib\n",
	"modcache/example.com/lib@v1.2.0/sub/s.go":        "package sub\n",
	"modcache/example.com/lib@v1.2.0/internal/i.go":   "package internal\n",
	"modcache/example.com/lib@v1.9.0/lib.go":          "package lib\n",
	"modcache/example.com/lib@v1.0.0/lib.go":          "package lib\n",
	"modcache/example.com/lib/sub/nested@v0.3.0/n.go": "package nested\n",
}

func TestAProjectAnswersWithItsOwnPackagesAndVersions(t *testing.T) {
	w := newWorld(t, anApp)
	source := w.want("ws/app", "corp.example/app", "corp.example/app  workspace", "the project itself, go.mod of corp.example/app")
	if !source.Own {
		t.Error("not marked as the user's own")
	}
	if names := packagesBelow(source, 10); slices.Contains(names, "corp.example/app/nested") {
		t.Errorf("a nested module counts as part of the outer one: %q", names)
	}
	for _, pkg := range []string{"corp.example/app/internal/db", "./internal/db", w.path("ws/app/internal/db"), w.path("ws/app/internal/db/db.go")} {
		if src := w.want("ws/app", pkg, "corp.example/app  workspace", "the project itself"); src != nil && src.ImportPath != "corp.example/app/internal/db" {
			t.Errorf("%s is %s", pkg, src.ImportPath)
		}
	}
	w.want("ws/app/internal", "./db", "corp.example/app  workspace", "the project itself")
	w.want("ws/app", "./nested", "corp.example/app/nested  workspace", "go.mod of corp.example/app/nested")
	w.want("ws/app", "example.com/lib/sub", "example.com/lib v1.2.0 module cache", "go.mod of corp.example/app")
	w.want("ws/app", "example.com/lib/sub/nested", "example.com/lib/sub/nested v0.3.0 module cache", "go.mod of corp.example/app")
	w.want("ws/app", "example.com/fork", "example.com/fork v1.0.0 module cache", "replace in go.mod of corp.example/app")
	w.want("ws/app", "example.com/lib@v1.9.0", "example.com/lib v1.9.0 module cache", "requested")
	if src := w.want("ws/app", "example.com/local/internal/x", "example.com/local  workspace", "replace in go.mod"); src != nil && !src.Own {
		t.Error("what a directory stands in for is not marked as the user's own")
	}

	w.write(map[string]string{"ws/apart/go.mod": "module corp.example/apart\nrequire corp.example/apart/trace v1.0.0\nreplace corp.example/apart/trace => ./trace\n"})
	w.wantError("ws/apart", "corp.example/apart/trace", ecosystem.Unreadable, "trace, which replaces corp.example/apart/trace: replace in go.mod of corp.example/apart")
	w.wantError("ws/app", "example.com/lib/internal", ecosystem.Refused, "internal to example.com/lib")
	w.wantError("ws/app", "example.com/lib/sup", ecosystem.NotFound, "no package example.com/lib/sup in example.com/lib@v1.2.0", "close by: example.com/lib/sub")
	w.wantError("ws/app", "corp.example/app/internal/dbb", ecosystem.NotFound, "no package corp.example/app/internal/dbb in corp.example/app")
	w.wantError("ws/app", "corp.example/app@v1.0.0", ecosystem.Refused, "belongs to the project itself")
	w.wantError("ws/app", "./docs", ecosystem.NotFound, "does not contain any Go files")
	w.wantError("ws/app", "./missing", ecosystem.Invalid, "there is no directory")
	w.wantError("ws", "example.com/lib", ecosystem.Invalid, "does not belong to a Go project")
	w.wantError("nowhere", "fmt", ecosystem.Invalid, "is not a directory")
	w.want("ws", "fmt", "std go1.26.3 GOROOT", "the installed Go")
	w.wantError("ws/app", "./internal/db@v1.0.0", ecosystem.Invalid, "there is no directory")
}

func TestNothingPrivateIsAskedOfTheNetwork(t *testing.T) {
	w := newWorld(t, anApp)
	p := newProxy(t, nil)
	w.vars["GOPROXY"], w.vars["GOPRIVATE"] = p.URL, "*.corp.example,corp.example/secret"
	for _, pkg := range []string{"corp.example/app/missing", "corp.example/app@latest", "corp.example/app/x@v1.2.3", "example.com/local/missing", "example.com/local@latest"} {
		if _, err := w.locate("ws/app", pkg); err == nil {
			t.Errorf("%s was found", pkg)
		}
	}
	w.wantError("", "git.corp.example/team/lib", ecosystem.Refused, "GOPRIVATE")
	w.wantError("", "corp.example/secret@v1.0.0", ecosystem.Refused, "GOPRIVATE")
	w.wantError("", "dotless/path", ecosystem.NotFound, "no package dotless/path")
	if paths := p.requests(); len(paths) > 0 {
		t.Errorf("the proxy was asked for %q", paths)
	}
}

func TestVendorIsReadBeforeTheModuleCache(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod":                                 "module corp.example/app\ngo 1.26.0\nrequire example.com/lib v1.2.0\nrequire example.com/new v1.1.0\n",
		"app/vendor/modules.txt":                     "# example.com/lib v1.2.0\n## explicit\nexample.com/lib\n# example.com/lib/sub v0.1.0\nexample.com/lib/sub\n# example.com/new v1.0.0\nexample.com/new\nexample.com/new/gone\n",
		"app/vendor/example.com/lib/lib.go":          "package lib // patched\n",
		"app/vendor/example.com/lib/sub/s.go":        "package sub\n",
		"app/vendor/example.com/new/n.go":            "package new\n",
		"modcache/example.com/lib@v1.2.0/lib.go":     "package lib\n",
		"modcache/example.com/lib@v1.2.0/other/o.go": "package other\n",
	})
	src := w.want("app", "example.com/lib", "example.com/lib v1.2.0 vendor", "vendor/modules.txt of corp.example/app")
	if names := packagesBelow(src, 10); len(names) != 0 {
		t.Errorf("another module counts as part: %q", names)
	}
	w.want("app", "example.com/lib/sub", "example.com/lib/sub v0.1.0 vendor", "vendor/modules.txt")
	w.want("app", "example.com/lib/other", "example.com/lib v1.2.0 module cache", "go.mod of corp.example/app")
	if src := w.want("app", "example.com/new", "example.com/new v1.0.0 vendor", ""); len(src.Warnings) != 1 || !strings.Contains(src.Warnings[0], "requires v1.1.0") {
		t.Errorf("no warning of a stale vendor directory: %q", src.Warnings)
	}
	w.vars["GOFLAGS"] = "-mod=mod"
	w.want("app", "example.com/lib", "example.com/lib v1.2.0 module cache", "go.mod of corp.example/app")
}

func TestTheModuleCacheAnswersWithoutAProject(t *testing.T) {
	zip110 := string(filetest.Zip(t, "example.com/lib@v1.10.0/", sample["example.com/lib@v1.10.0"]))
	w := newWorld(t, map[string]string{
		"modcache/example.com/lib@v1.2.0/lib.go":                            "package lib\n",
		"modcache/example.com/lib@v1.12.0-rc.1/lib.go":                      "package lib\n",
		"modcache/example.com/lib@v1.10.0/half.txt":                         "being unpacked",
		"modcache/cache/download/example.com/lib/@v/v1.10.0.partial":        "",
		"modcache/cache/download/example.com/lib/@v/v1.10.0.zip":            zip110,
		"modcache/cache/download/example.com/lib/@v/v1.10.0.ziphash":        "h1:recorded=",
		"modcache/cache/download/example.com/lib/@v/v1.11.0.zip":            "broken",
		"modcache/cache/download/example.com/lib/@v/v1.11.0.mod":            sample["example.com/lib@v1.11.0"]["go.mod"],
		"modcache/cache/download/example.com/lib/@v/list":                   "v1.99.0\n",
		"modcache/github.com/!upper/!case@v0.1.0/c.go":                      "package Case\n",
		"modcache/example.com/lib/v2@v2.0.1/lib.go":                         "package lib\n",
		"modcache/example.com/only@v0.0.0-20260101000000-abcdefabcdef/o.go": "package only\n",
		"app/go.mod": "module corp.example/app\ngo 1.26.0\nrequire example.com/lib v1.10.0\n",
		"app/go.sum": "example.com/lib v1.10.0 h1:other=\n",
		"ok/go.mod":  "module corp.example/ok\ngo 1.26.0\nrequire example.com/lib v1.10.0\n",
		"ok/go.sum":  "example.com/lib v1.10.0 h1:recorded=\n",
	})
	w.opts.Offline = true
	src := w.want("", "example.com/lib/sub", "example.com/lib v1.10.0 module cache", "newest in the module cache, no project given; use @latest")
	if data, err := fs.ReadFile(src.FS, "sub/s.go"); err != nil || string(data) != "package sub\n" {
		t.Errorf("got %q, %v", data, err)
	}
	w.want("", "example.com/lib@v1.2.0", "example.com/lib v1.2.0 module cache", "requested")
	w.want("", "example.com/lib@1.2.0", "example.com/lib v1.2.0 module cache", "requested")
	w.want("", "example.com/lib@v1.12.0-rc.1", "example.com/lib v1.12.0-rc.1 module cache", "requested")
	w.want("", "example.com/lib@<v1.10", "example.com/lib v1.2.0 module cache", "network access is disabled")
	w.want("", "example.com/lib/v2", "example.com/lib/v2 v2.0.1 module cache", "newest in the module cache")
	w.want("", "example.com/lib@v2.0.1/v2", "example.com/lib/v2 v2.0.1 module cache", "requested")
	w.want("", "github.com/Upper/Case", "github.com/Upper/Case v0.1.0 module cache", "newest in the module cache")
	w.want("", "example.com/only", "example.com/only v0.0.0-20260101000000-abcdefabcdef module cache", "an untagged commit")
	w.wantError("", "example.com/lib@v1.11.0", ecosystem.Unreadable, "zip file of example.com/lib@v1.11.0 is damaged")
	w.wantError("", "example.com/lib@v1.3.0", ecosystem.Unreachable, "network access is disabled")
	w.wantError("app", "example.com/lib", ecosystem.Unreadable, "differs from the one in go.sum of corp.example/app")
	if src := w.want("ok", "example.com/lib", "example.com/lib v1.10.0 module cache", "go.mod of corp.example/ok"); src != nil && src.Provenance.Integrity != "as recorded in go.sum of corp.example/ok" {
		t.Errorf("integrity: %q", src.Provenance.Integrity)
	}
}

func TestARetractedVersionIsShownWithItsAuthorsWords(t *testing.T) {
	w := newWorld(t, map[string]string{
		"modcache/example.com/lib@v1.11.0/lib.go":                "package lib\n",
		"modcache/cache/download/example.com/lib/@v/v1.11.0.mod": "// Deprecated: use example.com/lib/v2.\n" + sample["example.com/lib@v1.11.0"]["go.mod"],
	})
	src := w.want("", "example.com/lib@v1.11.0", "example.com/lib v1.11.0 module cache", "requested")
	want := []string{"example.com/lib@v1.11.0 is retracted by its author: broke everything", "The module example.com/lib is deprecated by its author: use example.com/lib/v2."}
	if !slices.Equal(src.Warnings, want) {
		t.Errorf("got %q", src.Warnings)
	}
}

func TestImportsAreFoundOnThisMachine(t *testing.T) {
	w := newWorld(t, anApp)
	w.write(map[string]string{
		"modcache/example.com/user@v1.0.0/go.mod":        "module example.com/user\nrequire example.com/lib v1.9.0\n",
		"modcache/example.com/user@v1.0.0/u.go":          "package user\n",
		"modcache/example.com/user@v1.0.0/internal/u.go": "package internal\n",
	})
	g := w.golang()
	open := func(pkg, dir, imported string) string {
		t.Helper()
		q := ecosystem.Query{Package: pkg, ProjectDir: dir}
		src, err := g.Locate(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		i := g.newImports(src, q, nil)
		defer i.close()
		s, err := i.open(imported)
		if err != nil {
			return err.Error()
		}
		return s.Module + "@" + s.Version + ":" + s.Dir
	}
	for _, tt := range []struct{ name, pkg, dir, imported, want string }{
		{"the standard library from a dependency", "example.com/user", "", "fmt", "std@go1.26.3:fmt"},
		{"what the standard library has vendored", "fmt", "", "golang.org/x/net/idna", "std@go1.26.3:vendor/golang.org/x/net/idna"},
		{"an internal package of the same module", "example.com/user", "", "example.com/user/internal", "example.com/user@v1.0.0:internal"},
		{"an internal package of the standard library", "fmt", "", "net/http/internal", "std@go1.26.3:net/http/internal"},
		{"what the module's own go.mod asks for", "example.com/user@v1.0.0", "", "example.com/lib", "example.com/lib@v1.9.0:."},
		{"what the project asks for", "corp.example/app", w.path("ws/app"), "example.com/lib/sub", "example.com/lib@v1.2.0:sub"},
		{"what is nowhere", "example.com/user", "", "example.com/nowhere", "file does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := open(tt.pkg, tt.dir, tt.imported); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestDoctorShowsNoSecret(t *testing.T) {
	w := newWorld(t, anApp)
	w.write(map[string]string{"home/.netrc": "machine corp.example login me password s3cret\n"})
	w.vars["GOPROXY"] = "https://me:s3cret@proxy.corp.example/x|https://other.example,direct"
	w.vars["GOAUTH"] = "netrc; /opt/helper s3cret"
	w.vars["NETRC"] = w.path("home/.netrc")
	text := fmt.Sprint(w.golang().Doctor(w.path("ws/app")))
	if strings.Contains(text, "s3cret") {
		t.Error(text)
	}
	for _, want := range []string{"go1.26.3", "https://proxy.corp.example/x (with credentials), after any error then https://other.example, then direct", "netrc file present", "netrc, helper", "go.mod of corp.example/app"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	delete(w.vars, "GOPROXY")
	if text := fmt.Sprint(w.golang().Doctor(w.path("nowhere"))); !strings.Contains(text, "GOPROXY is not set") || !strings.Contains(text, "there is no directory") {
		t.Error(text)
	}
}

func BenchmarkLocate(b *testing.B) {
	g := New(ecosystem.Options{Offline: true})
	dir, _ := os.Getwd()
	for _, q := range []ecosystem.Query{
		{Package: "encoding/json"},
		{Package: "encoding/json", ProjectDir: dir},
		{Package: "golang.org/x/mod/modfile", ProjectDir: dir},
		{Package: "./", ProjectDir: dir},
	} {
		b.Run(strings.ReplaceAll(q.Package, "/", "_")+map[bool]string{true: "_in_project"}[q.ProjectDir != ""], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				src, err := g.Locate(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				src.Close()
			}
		})
	}
}
