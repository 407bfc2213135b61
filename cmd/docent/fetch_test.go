package main

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/filetest"
)

// depot is a registry on loopback together with a project that locks packages from it.
type depot struct {
	t       *testing.T
	project string
	server  *httptest.Server

	mu       sync.Mutex
	tarballs map[string][]byte
	down     map[string]bool // tarballs that the registry cannot send
	sent     int

	// If slow is not nil, the registry sends half of remote, reports that on request, and sends the
	// rest when slow is closed. Both channels are guarded by mu.
	slow, requested chan struct{}
}

// newDepot locks installed@1.0.0, which requires deep@2.0.0; remote@1.0.0, which requires
// deep@1.0.0; and a package for another platform.
func newDepot(t *testing.T) *depot {
	t.Helper()
	d := &depot{t: t, tarballs: map[string][]byte{}, down: map[string]bool{}}
	d.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.slow != nil && r.URL.Path == "/remote-1.0.0.tgz" {
			data, slow, requested := d.tarballs[r.URL.Path], d.slow, d.requested
			d.mu.Unlock()
			sendSlowly(w, r, data, slow, requested)
			d.mu.Lock()
			return
		}
		data := d.tarballs[r.URL.Path]
		switch {
		case d.down[r.URL.Path]:
			http.Error(w, "down", http.StatusServiceUnavailable)
		case data == nil:
			http.NotFound(w, r)
		default:
			d.sent++
			_, _ = w.Write(data)
		}
	}))
	t.Cleanup(d.server.Close)
	locked := func(name, version, more string) string {
		path := "/" + name + "-" + version + ".tgz"
		d.tarballs[path] = filetest.TarGz(t, "package/", map[string]string{
			"package.json": fmt.Sprintf(`{"name":%q,"version":%q,"types":"index.d.ts"}`, name, version),
			"index.d.ts":   "/** Opens the " + name + ". */\nexport declare function " + name + "Open(): void;\n",
		})
		sum := sha512.Sum512(d.tarballs[path])
		return fmt.Sprintf(`{"version":%q,"resolved":"%s%s","integrity":"sha512-%s"%s}`, version, d.server.URL, path, base64.StdEncoding.EncodeToString(sum[:]), more)
	}
	d.project = filetest.Dir(t, map[string]string{
		".npmrc":       "registry=" + d.server.URL + "\n",
		"package.json": `{"name":"shop","dependencies":{"installed":"^1.0.0","remote":"^1.0.0"}}`,
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{},
			"node_modules/installed":` + locked("installed", "1.0.0", `,"dependencies":{"deep":"^2.0.0"}`) + `,
			"node_modules/remote":` + locked("remote", "1.0.0", `,"dependencies":{"deep":"^1.0.0"},"optionalDependencies":{"other":"*"}`) + `,
			"node_modules/deep":` + locked("deep", "1.0.0", "") + `,
			"node_modules/installed/node_modules/deep":` + locked("deep", "2.0.0", "") + `,
			"node_modules/other":` + locked("other", "1.0.0", `,"os":["plan9"]`) + `}}`,
		"node_modules/installed/package.json": `{"name":"installed","version":"1.0.0","types":"index.d.ts"}`,
		"node_modules/installed/index.d.ts":   "/** Opens what is installed. */\nexport declare function installedOpen(): void;\n",
	})
	t.Setenv("DOCENT_CACHE", t.TempDir())
	return d
}

// sendSlowly sends half of data, reports that on request, and sends the rest when slow is closed.
func sendSlowly(w http.ResponseWriter, r *http.Request, data []byte, slow <-chan struct{}, request chan<- struct{}) {
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data[:len(data)/2])
	_ = http.NewResponseController(w).Flush()
	request <- struct{}{}
	select {
	case <-slow:
	case <-r.Context().Done():
	}
	_, _ = w.Write(data[len(data)/2:])
}

// docent executes a command line in the project.
func (d *depot) docent(args ...string) outcome {
	var out, err bytes.Buffer
	d.t.Chdir(d.project)
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &err}, func(offline bool) ecosystem.Languages {
		return ecosystem.Languages{npm.New(ecosystem.Options{
			Env: []string{"HOME=" + d.t.TempDir()}, Offline: offline, Cache: cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{}),
		})}
	})
	return outcome{code, out.String(), err.String()}
}

func (d *depot) want(code int, text string, args ...string) {
	d.t.Helper()
	if got := d.docent(args...); got.code != code || got.out != text || got.err != "" {
		d.t.Errorf("docent %s: code %d, want %d: got\n%s%s\nwant\n%s", strings.Join(args, " "), got.code, code, got.out, got.err, text)
	}
}

func TestFetch_ThenEverythingIsAnsweredOffline(t *testing.T) {
	d := newDepot(t)
	d.want(exitFailure, "1 of 4 packages can be read without a network.\n\nMissing:\n  npm remote 1.0.0\n  npm deep 1.0.0\n  npm deep 2.0.0\n", "fetch", "--list")
	if d.sent > 0 {
		t.Errorf("--list downloaded %d tarballs", d.sent)
	}
	d.want(exitOK, "Read 4 of 4 packages.\n", "fetch")
	d.want(exitOK, "4 of 4 packages can be read without a network.\n", "fetch", "--list")
	sent := d.sent
	d.want(exitOK, "Read 4 of 4 packages.\n", "fetch", "npm")
	if d.sent != sent || sent != 3 {
		t.Errorf("the registry sent %d tarballs, then %d", sent, d.sent)
	}
	d.server.Close()
	for _, name := range []string{"installed", "remote", "deep", "deep@2.0.0"} {
		base, _, _ := strings.Cut(name, "@")
		if got := d.docent("describe", "npm", name, "--offline"); got.code != exitOK || !strings.Contains(got.out, base+"Open(): void") {
			t.Errorf("%s offline: code %d\n%s%s", name, got.code, got.out, got.err)
		}
	}
	got := d.docent("search", "npm", "--all", "--offline", "deepOpen; remoteOpen")
	if got.code != exitOK || !strings.Contains(got.out, "Searched 3 packages") || strings.Contains(got.out, "Not installed") || !strings.Contains(got.out, "**deepOpen** in deep@1.0.0") {
		t.Errorf("search: code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestFetch_GoesOnAfterFailures(t *testing.T) {
	d := newDepot(t)
	d.down["/remote-1.0.0.tgz"] = true
	d.tarballs["/deep-2.0.0.tgz"] = []byte("another file")
	got := d.docent("fetch")
	if got.code != exitFailure || !strings.HasPrefix(got.out, "Read 2 of 4 packages.\n\nNot read:\n  npm remote 1.0.0: ") || !strings.Contains(got.out, "\n  npm deep 2.0.0: the tarball of deep@2.0.0 does not have the sha512 ") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	delete(d.tarballs, "/deep-2.0.0.tgz")
	d.want(exitFailure, "2 of 4 packages can be read without a network.\n\nMissing:\n  npm remote 1.0.0\n  npm deep 2.0.0\n", "fetch", "--list")
	if got := d.docent("fetch", "--list", "--json"); got.code != exitFailure || !strings.Contains(got.out, "\"schemaVersion\": 1,\n  \"packages\": 4,\n  \"failed\": [\n    {\n      \"language\": \"npm\",\n      \"package\": \"remote\",\n      \"version\": \"1.0.0\",\n      \"error\": ") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	d = newDepot(t)
	d.server.Close()
	if got := d.docent("fetch"); got.code != exitUnreachable || !strings.HasPrefix(got.out, "Read 1 of 4 packages.\n") {
		t.Errorf("without a registry: code %d\n%s%s", got.code, got.out, got.err)
	}
	if got := d.docent("fetch", "--project", filepath.Join(d.project, "node_modules", "absent")); got.code != exitFailure || !strings.Contains(got.err, "is not a directory") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	if got := d.docent("fetch", "--project", t.TempDir()); got.code != exitUsage || !strings.Contains(got.err, "there is no project in") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	if got := d.docent("fetch", "cobol"); got.code != exitUsage || !strings.Contains(got.err, "does not support the language") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestFetch_SaysThatTheCacheIsFull(t *testing.T) {
	c := cachedir.New(t.TempDir(), cachedir.Options{Max: 64 << 10})
	for _, test := range []struct {
		size int
		want string
	}{
		{10 << 10, ""},
		{58 << 10, "\nThe cache is full ("},
	} {
		if err := c.Write("packages/a", func(f *os.File) error { _, err := f.Write(make([]byte, test.size)); return err }); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := writeFull(&b, c); err != nil || !strings.HasPrefix(b.String(), test.want) || (b.String() == "") != (test.want == "") {
			t.Errorf("%d bytes: %q, %v", test.size, b.String(), err)
		}
	}
}
