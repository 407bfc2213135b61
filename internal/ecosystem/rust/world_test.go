package rust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// world is a registry on loopback and a machine with its own home directory.
type world struct {
	t       *testing.T
	home    string // CARGO_HOME
	project string
	server  *httptest.Server
	env     []string
	token   string // required from clients, unless empty
	moved   string // where downloads are redirected

	mu       sync.Mutex
	index    map[string]string // lines, by name
	crates   map[string][]byte // by "name/version"
	requests []string          // requests, with a mark if they had the token
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, home: t.TempDir(), project: t.TempDir(), index: map[string]string{}, crates: map[string][]byte{}}
	w.server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.server.Close)
	w.env = []string{"CARGO_HOME=" + w.home, "HOME=" + t.TempDir()}
	w.config("[source.crates-io]\nreplace-with = \"mirror\"\n[source.mirror]\nregistry = \"sparse+" + w.server.URL + "/\"\n")
	return w
}

// config writes the user's configuration.
func (w *world) config(text string) {
	filetest.Write(w.t, w.home, map[string]string{"config.toml": text})
}

func (w *world) rust() *Rust {
	return New(ecosystem.Options{Env: w.env, Cache: cachedir.New(w.t.TempDir(), cachedir.Options{})})
}

func (w *world) serve(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	mark := ""
	if r.Header.Get("Authorization") != "" {
		mark = " with a token"
	}
	w.requests = append(w.requests, r.URL.Path+mark)
	if w.token != "" && r.Header.Get("Authorization") != w.token {
		http.Error(out, "log in first", http.StatusUnauthorized)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	switch rest, download := strings.CutPrefix(name, "dl/"); {
	case name == "config.json":
		fmt.Fprintf(out, `{"dl": "%s/dl", "api": "%s", "auth-required": %v}`, w.server.URL, w.server.URL, w.token != "")
	case download && w.moved != "":
		http.Redirect(out, r, w.moved+r.URL.Path, http.StatusFound)
	case download && w.crates[strings.TrimSuffix(rest, "/download")] != nil:
		_, _ = out.Write(w.crates[strings.TrimSuffix(rest, "/download")])
	case !download && w.index[name[strings.LastIndexByte(name, '/')+1:]] != "" && name == indexPath(name[strings.LastIndexByte(name, '/')+1:]):
		fmt.Fprint(out, w.index[name[strings.LastIndexByte(name, '/')+1:]])
	default:
		http.NotFound(out, r)
	}
}

// publish adds a release with a library; fields are added to its line in the
// index.
func (w *world) publish(name, version, fields string, files map[string]string) {
	w.t.Helper()
	all := map[string]string{
		"Cargo.toml": fmt.Sprintf("[package]\nname = %q\nversion = %q\nedition = \"2021\"\n", name, version),
		"src/lib.rs": "//! The crate " + name + ".\n\n/// Returns one.\npub fn one() -> u8 { 1 }\n",
	}
	maps.Copy(all, files)
	data := filetest.TarGz(w.t, name+"-"+version+"/", all)
	sum := sha256.Sum256(data)
	w.crates[name+"/"+version] = data
	w.index[name] += fmt.Sprintf(`{"name": %q, "vers": %q, "deps": [], "cksum": %q, "features": {}, "yanked": false%s}`+"\n", name, version, hex.EncodeToString(sum[:]), fields)
}

// unpacked puts a crate that calls an unknown macro into the directory in which cargo
// keeps crates of the default registry.
func (w *world) unpacked(name, version string) {
	w.t.Helper()
	filetest.Write(w.t, filepath.Join(w.home, "registry", "src", "index.test-1949cf8c6b5b557f", name+"-"+version), map[string]string{
		"Cargo.toml": fmt.Sprintf("[package]\nname = %q\nversion = %q\nedition = \"2021\"\n", name, version), ".cargo-ok": "{}",
		"src/lib.rs": "pub fn plain() {}\nunknown::declare! { declared }\n",
	})
}

// vendor makes the project use a vendor directory, and puts a crate there.
func (w *world) vendor(name, version, manifest string, files map[string]string) {
	w.t.Helper()
	dir := filepath.Join(w.project, "vendor", name)
	filetest.Write(w.t, w.project, map[string]string{
		".cargo/config.toml": "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
	})
	filetest.Write(w.t, dir, map[string]string{"Cargo.toml": fmt.Sprintf("[package]\nname = %q\nversion = %q\nedition = \"2021\"\n", name, version) + manifest, "src/lib.rs": ""})
	filetest.Write(w.t, dir, files)
}
