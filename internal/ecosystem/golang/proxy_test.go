package golang

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// online returns a world with a module proxy and no go command.
func online(t *testing.T, mods modules) (*world, *proxy) {
	t.Helper()
	w, p := newWorld(t, anApp), newProxy(t, mods)
	w.vars["GOPROXY"] = p.URL
	w.vars["GOMODCACHE"] = w.path("empty")
	w.vars["NETRC"] = w.path("home/.netrc")
	return w, p
}

// retracted is the advice for the sample's retracted version.
var retracted = []string{"example.com/lib@v1.11.0 is retracted by its author: broke everything"}

func TestAModuleProxyAnswersWithoutTheGoCommand(t *testing.T) {
	w, _ := online(t, sample)
	tests := []struct{ name, pkg, want, by string }{
		{"the newest release, retracted ones and prereleases left out", "example.com/lib/sub", "example.com/lib v1.10.0", "newest release, no project given"},
		{"latest", "example.com/lib@latest", "example.com/lib v1.10.0", "newest release, requested as latest"},
		{"an exact version", "example.com/lib@v1.2.0", "example.com/lib v1.2.0", "requested"},
		{"a retracted version that is asked for", "example.com/lib@v1.11.0", "example.com/lib v1.11.0", "requested"},
		{"the beginning of a version", "example.com/lib@v1.2", "example.com/lib v1.2.0", "requested as v1.2"},
		{"a range", "example.com/lib@<v1.10.0", "example.com/lib v1.2.0", "requested as <v1.10.0"},
		{"the lowest of an open range", "example.com/lib@>=v1.1.0", "example.com/lib v1.2.0", "requested as"},
		{"a major version in the path", "example.com/lib/v2", "example.com/lib/v2 v2.0.1", "newest release"},
		{"a nested module", "example.com/lib/sub/nested", "example.com/lib/sub/nested v0.3.0", "newest release"},
		{"upper case", "github.com/Upper/Case", "github.com/Upper/Case v0.1.0", "newest release"},
		{"a module without a release", "example.com/pre", "example.com/pre v0.1.0-beta.2", "newest prerelease, because there is no release"},
		{"a module without a tag", "example.com/untagged", "example.com/untagged v0.0.0-20260101000000-abcdefabcdef", "newest commit"},
		{"a module that never had a go.mod", "example.com/old", "example.com/old v2.0.0+incompatible", "newest release"},
		{"a version from 2 on without a go.mod", "example.com/old@v2.0.0", "example.com/old v2.0.0+incompatible", "requested as v2.0.0"},
		{"a module that has one by now", "example.com/moved", "example.com/moved v1.0.0", "newest release"},
		{"a module for a Go to come", "example.com/future", "example.com/future v1.0.0", "newest release"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := w.in(t)
			os.RemoveAll(w.path("own")) // Remove the cache, so that each iteration queries the proxy.
			src := w.want("", tt.pkg, tt.want+" proxy", tt.by)
			if strings.HasSuffix(tt.want, "v1.11.0") && !slices.Equal(src.Warnings, retracted) {
				t.Errorf("warnings: %q", src.Warnings)
			}
		})
	}
	w.opts.Offline = true
	w.want("", "example.com/future", "example.com/future v1.0.0 docent's downloads", "newest in docent's downloads, no project given")
	w.wantError("", "example.com/lib@latest", ecosystem.Unreachable, "network access is disabled")
}

func TestAProjectsVersionIsDownloadedAndCheckedAgainstGoSum(t *testing.T) {
	w, p := online(t, sample)
	const mod = "example.com/lib@v1.2.0"
	sum := sumOf(t, mod, sample[mod])
	w.write(map[string]string{"ws/app/go.sum": "example.com/lib v1.2.0 " + sum + "\nexample.com/lib v1.2.0/go.mod h1:x=\n"})
	src := w.want("ws/app", "example.com/lib/sub", "example.com/lib v1.2.0 proxy", "go.mod of corp.example/app")
	if src.Provenance.Integrity != "as recorded in go.sum of corp.example/app" {
		t.Errorf("integrity: %q", src.Provenance.Integrity)
	}
	if paths := p.requests(); !slices.Equal(paths, []string{"example.com/lib/@v/v1.2.0.zip"}) {
		t.Errorf("asked for %q", paths)
	}
	w.wantClean(1)
	src = w.want("", "example.com/lib@v1.10.0", "example.com/lib v1.10.0 proxy", "requested")
	if src.Provenance.Integrity != nobody {
		t.Errorf("integrity: %q", src.Provenance.Integrity)
	}

	w.write(map[string]string{"own/files-v1/go/download/example.com/lib/@v/v1.10.0.zip": "damaged"})
	w.want("", "example.com/lib@v1.10.0", "example.com/lib v1.10.0 proxy", "requested")

	os.RemoveAll(w.path("own"))
	w.write(map[string]string{"ws/app/go.sum": "example.com/lib v1.2.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"})
	w.wantError("ws/app", "example.com/lib", ecosystem.Unreadable, "does not match go.sum")
	w.wantClean(0)
}

func TestWhatAProxyDoesNotHaveIsExplained(t *testing.T) {
	w, p := online(t, sample)
	w.wantError("", "example.com/nothing/here", ecosystem.NotFound, "there is no module that contains the package", "example.com/nothing/here", "404 Not Found")
	w.wantError("", "example.com/lib@v1.3.0", ecosystem.NotFound, "there is no version v1.3.0 of example.com/lib", "v1.2.0, v1.10.0", "the newest version is v1.10.0")
	w.wantError("", "example.com/lib@v9.9.9", ecosystem.NotFound, "there is no version v9.9.9 of example.com/lib", "the newest version is v1.10.0")
	w.wantError("", "example.com/lib@v3", ecosystem.NotFound, "there is no version v3 of example.com/lib")
	w.wantError("", "example.com/lib/sup", ecosystem.NotFound, "no package example.com/lib/sup in example.com/lib@v1.10.0", "close by: example.com/lib/sub")
	os.RemoveAll(w.path("own")) // Remove the module that was downloaded to list its packages.
	p.answer("example.com/gone/@v/list", status(http.StatusGone, "gone"))
	w.wantError("", "example.com/gone", ecosystem.NotFound, "410 Gone")
	p.answer("example.com/lib/@v/list", status(http.StatusForbidden, "no"))
	w.wantError("", "example.com/lib", ecosystem.NotFound, "403 Forbidden")
	p.answer("example.com/lib/@v/list", status(http.StatusUnauthorized, "no"))
	w.wantError("", "example.com/lib/sub", ecosystem.NotFound, "401 Unauthorized")
	p.answer("example.com/lib/@v/v1.2.0.info", status(200, `{"Version":"../../x"}`))
	w.wantError("", "example.com/lib@v1.2.0", ecosystem.NotFound, "example.com/lib")
	w.wantClean(0)
}

// hang does not respond until the client disconnects.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestABadDownloadLeavesOneSentenceAndNoFile(t *testing.T) {
	const mod, zipPath = "example.com/lib@v1.2.0", "example.com/lib/@v/v1.2.0.zip"
	good := filetest.Zip(t, mod+"/", sample[mod])
	lying := filetest.Zip(t, mod+"/", map[string]string{"lib.go": strings.Repeat("package lib\n", 1000)})
	binary.LittleEndian.PutUint32(lying[bytes.LastIndex(lying, []byte("PK\x01\x02"))+24:], 5)
	send := func(data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		reason ecosystem.Reason
		words  string
	}{
		{"404", status(404, "x"), ecosystem.NotFound, "404"},
		{"a server that fails", status(501, "x"), ecosystem.Unreachable, "501"},
		{"a server that hangs", hang, ecosystem.Unreachable, "stopped"},
		{"a page instead of a zip", send([]byte("<html>")), ecosystem.Unreadable, "is damaged"},
		{"half a zip", send(good[:len(good)/2]), ecosystem.Unreadable, "is damaged"},
		{"a connection that breaks", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(good)))
			w.Write(good[:len(good)-5])
		}, ecosystem.Unreachable, "the connection to "},
		{"a zip that lies about a size", send(lying), ecosystem.Unreadable, "longer than its header says"},
		{"a path that climbs out", send(filetest.Zip(t, mod+"/", map[string]string{"../../evil.go": "package evil\n"})), ecosystem.Unreadable, "outside the archive"},
		{"the zip of another module", send(filetest.Zip(t, "example.com/other@v1.0.0/", map[string]string{"x.go": "package x\n"})), ecosystem.Unreadable, "not below example.com/lib@v1.2.0"},
		{"a bomb", send(filetest.Zip(t, mod+"/", map[string]string{"x.go": strings.Repeat("\n", 40<<20)})), ecosystem.Unreadable, "times as much"},
		{"a module that is too large", send(make([]byte, 2<<20)), ecosystem.Refused, "the limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, p := online(t, sample)
			w.opts.MaxDownload = 1 << 20
			if tt.name == "a server that hangs" {
				w.opts.Timeout = 200 * time.Millisecond
			}
			p.answer(zipPath, tt.answer)
			w.wantError("", mod, tt.reason, tt.words, "example.com/lib")
			w.wantClean(0)
			// The failure is not cached.
			p.answer(zipPath, nil)
			w.want("", mod, "example.com/lib v1.2.0 proxy", "requested")
			w.wantClean(1)
		})
	}
}

func TestTheGOPROXYListIsFollowed(t *testing.T) {
	w, p := online(t, sample)
	empty := newProxy(t, nil)
	broken := httptest.NewServer(status(http.StatusNotImplemented, "no"))
	defer broken.Close()
	files := w.path("proxy")
	for name, data := range proxyFiles(t, sample) {
		w.write(map[string]string{"proxy/" + name: string(data)})
	}
	fileURL := "file://" + files
	if runtime.GOOS == "windows" {
		fileURL = "file:///" + filepath.ToSlash(files)
	}
	const mod = "example.com/lib@v1.2.0"
	found := []struct{ name, list string }{
		{"after one that has nothing", empty.URL + "," + p.URL},
		{"after one that is broken, with a bar", broken.URL + "|" + p.URL},
		{"empty elements are passed over", ", ," + p.URL + "/,direct"},
		{"from a directory", fileURL},
	}
	for _, tt := range found {
		t.Run(tt.name, func(t *testing.T) {
			w := w.in(t)
			os.RemoveAll(w.path("own"))
			w.vars["GOPROXY"] = tt.list
			w.want("", mod, "example.com/lib v1.2.0 proxy", "requested")
			w.want("", "example.com/pre", "example.com/pre v0.1.0-beta.2 proxy", "newest prerelease")
			w.wantClean(2)
		})
	}
	os.RemoveAll(w.path("own"))
	refused := []struct {
		name, list string
		reason     ecosystem.Reason
		words      string
	}{
		{"not after one that is broken, with a comma", broken.URL + "," + p.URL, ecosystem.Unreachable, "501"},
		{"off", "off", ecosystem.Refused, "GOPROXY=off"},
		{"direct", "direct", ecosystem.Refused, "install Go, or set GOPROXY"},
		{"direct after one that has nothing", empty.URL + ",direct", ecosystem.NotFound, "(direct), which only the go command supports"},
		{"off after one that has nothing", empty.URL + ",off", ecosystem.NotFound, "404"},
		{"not set", "", ecosystem.Invalid, "GOPROXY is not set"},
		{"nonsense", "ftp://x", ecosystem.Invalid, "not a URL, "},
		{"nobody listens", "http://127.0.0.1:1", ecosystem.Unreachable, "the connection to "},
	}
	for _, tt := range refused {
		t.Run(tt.name, func(t *testing.T) {
			w := w.in(t)
			w.vars["GOPROXY"] = tt.list
			w.wantError("", mod, tt.reason, tt.words)
			w.wantClean(0)
		})
	}
}

func TestACredentialGoesToItsProxyOnly(t *testing.T) {
	w, p := online(t, sample)
	var mu sync.Mutex
	seen := map[string]string{}
	note := func(where string, next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			mu.Lock()
			seen[where] = user + ":" + password
			mu.Unlock()
			next(w, r)
		}
	}
	storage := httptest.NewServer(note("storage", func(w http.ResponseWriter, _ *http.Request) {
		w.Write(filetest.Zip(t, "example.com/lib@v1.2.0/", sample["example.com/lib@v1.2.0"]))
	}))
	defer storage.Close()
	p.answer("example.com/lib/@v/v1.2.0.info", note("proxy", status(200, `{"Version":"v1.2.0"}`)))
	p.answer("example.com/lib/@v/v1.2.0.zip", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, storage.URL+"/signed?token=s3cret", http.StatusFound)
	})
	u, _ := url.Parse(p.URL)
	for _, tt := range []struct{ name, netrc, proxy, want string }{
		{"netrc", "machine " + u.Hostname() + " login me password s3cret\n", p.URL, "me:s3cret"},
		{"the URL of the proxy", "", strings.Replace(p.URL, "://", "://you:s3cret@", 1), "you:s3cret"},
		{"another host's netrc entry", "machine other.example login me password s3cret\ndefault login any password s3cret\n", p.URL, ":"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := w.in(t)
			os.RemoveAll(w.path("own"))
			clear(seen)
			w.write(map[string]string{"home/.netrc": tt.netrc})
			w.vars["GOPROXY"] = tt.proxy
			w.want("", "example.com/lib@v1.2.0", "example.com/lib v1.2.0 proxy", "requested")
			if seen["proxy"] != tt.want || seen["storage"] != ":" {
				t.Errorf("got %v", seen)
			}
			w.wantError("", "example.com/none", ecosystem.NotFound)
		})
	}
}

func TestManyWhoWantTheSameModuleDownloadItOnce(t *testing.T) {
	w, p := online(t, sample)
	g := w.golang()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			src, err := g.Locate(t.Context(), ecosystem.Query{Package: "example.com/lib/sub", Version: "v1.2.0"})
			if err != nil {
				t.Error(err)
				return
			}
			defer src.Close()
			f, err := src.FS.Open("sub/s.go")
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if data, err := io.ReadAll(f); err != nil || string(data) != "package sub\n" {
				t.Errorf("got %q, %v", data, err)
			}
		})
	}
	wg.Wait()
	zips := 0
	for _, name := range p.requests() {
		if strings.HasSuffix(name, "v1.2.0.zip") {
			zips++
		}
	}
	if zips != 1 {
		t.Errorf("downloaded %d times", zips)
	}
	w.wantClean(1)
}

func TestVersionsAreChosenAsTheGoCommandDoes(t *testing.T) {
	all := []string{"v0.9.0", "v1.0.0", "v1.2.0", "v1.2.3-rc.1", "v1.10.0", "v2.0.0-beta.1", "v0.0.0-20260101000000-abcdefabcdef"}
	tests := []struct{ query, want string }{
		{"", "v1.10.0"}, {"latest", "v1.10.0"}, {"v1", "v1.10.0"}, {"v1.2", "v1.2.0"}, {"1.2", "v1.2.0"}, {"v2", "v2.0.0-beta.1"},
		{"<v1.2.0", "v1.0.0"}, {"<=v1.2.0", "v1.2.0"}, {">v1.0.0", "v1.2.0"}, {">=1.3", "v1.10.0"}, {"v3", ""}, {"master", ""}, {"=v1.0.0", ""},
	}
	for _, tt := range tests {
		if got, _ := pickVersion(all, tt.query); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.query, got, tt.want)
		}
	}
	for v, want := range map[string]string{"v1.2.3": "v1.2.3", "1.2.3": "v1.2.3", "v1.2": "", "latest": "", "1234567": "", "v2.0.0+incompatible": "v2.0.0+incompatible", "v1.0.0+meta": "", "deadbeef": ""} {
		if got := exactVersion(v); got != want {
			t.Errorf("%q: got %q, want %q", v, got, want)
		}
	}
}

func FuzzProxyList(f *testing.F) {
	for _, s := range []string{"https://a.example,direct", "a.example|b.example/x, off", "file:///x,,", "http://u:p@h/%2f", "off", "|,|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, list string) {
		entries, err := parseProxies(list)
		if (err == nil) != (len(entries) > 0) {
			t.Errorf("%d elements and error %v", len(entries), err)
		}
		for _, e := range entries {
			if e.url != nil && (e.url.User != nil || strings.Contains(e.String(), "@") && !strings.Contains(e.url.Path+e.url.Host, "@")) {
				t.Errorf("%q shows a credential", e)
			}
		}
	})
}

func FuzzEnvFile(f *testing.F) {
	f.Add([]byte("# comment\nGOPROXY=off\nGOFLAGS=-mod=mod\r\n=x\nlower=1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		vars := map[string]string{"GOPROXY": "kept"}
		parseEnvFile(data, vars)
		if vars["GOPROXY"] != "kept" {
			t.Error("a setting was overridden")
		}
		for name, value := range vars {
			if name == "" || strings.Contains(name+value, "\n") {
				t.Errorf("%q=%q", name, value)
			}
		}
	})
}

func FuzzQuestion(f *testing.F) {
	for _, s := range []string{"encoding/json", "a.b/c@v1.0.0", "./x", "a.b/c@v1.0.0/d", "@", "a@-x", "../../x", "A.B/c d"} {
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, pkg, version string) {
		ask, err := parseQuestion(ecosystem.Query{Package: pkg, Version: version, ProjectDir: "/project"})
		if err != nil {
			if strings.ContainsAny(ecosystem.AsError(err).Error(), "\n\x1b\x00") {
				t.Errorf("not one clean line: %q", err)
			}
			return
		}
		if (ask.path == "") == (ask.dir == "") {
			t.Errorf("%q is neither or both", pkg)
		}
		if ask.path != "" && module.CheckImportPath(ask.path) != nil || strings.HasPrefix(ask.version, "-") {
			t.Errorf("%q became %q at %q", pkg, ask.path, ask.version)
		}
	})
}
