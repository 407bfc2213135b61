package swift

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// world is a git host and a registry on loopback, and a machine with its own home directory and
// project.
type world struct {
	t             *testing.T
	home, project string
	server        *httptest.Server
	cache         *cachedir.Cache
	env           []string

	mu       sync.Mutex
	refs     map[string]string // lists of branches and tags, by path of the repository
	files    map[string][]byte // other content to serve, by path
	types    map[string]string // required Accept header, by path
	links    map[string]string // Link headers, by path
	login    string            // required Authorization header
	signing  string            // metadata of published releases, as JSON
	requests []string
	override http.HandlerFunc
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, home: t.TempDir(), project: t.TempDir(), cache: cachedir.New(t.TempDir(), cachedir.Options{}),
		refs: map[string]string{}, files: map[string][]byte{}, types: map[string]string{}, links: map[string]string{},
	}
	w.server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.server.Close)
	w.env = []string{"HOME=" + w.home, "DOCENT_STALL_TIMEOUT=1"}
	return w
}

func (w *world) swift() *Swift {
	sw := New(ecosystem.Options{Env: w.env, Cache: w.cache})
	sw.root = w.t.TempDir()
	return sw
}

func (w *world) serve(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	mark := ""
	if r.Header.Get("Authorization") != "" {
		mark = " with a login"
	}
	w.requests = append(w.requests, r.URL.RequestURI()+mark)
	if w.override != nil {
		w.override(out, r)
		return
	}
	if w.login != "" && r.Header.Get("Authorization") != w.login {
		http.Error(out, "log in first", http.StatusUnauthorized)
		return
	}
	if refs, ok := w.refs[strings.TrimSuffix(r.URL.Path, ".git/info/refs")]; ok && r.URL.Query().Get("service") == "git-upload-pack" {
		out.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		fmt.Fprint(out, refs)
		return
	}
	data, ok := w.files[r.URL.RequestURI()]
	if want := w.types[r.URL.Path]; !ok || want != "" && r.Header.Get("Accept") != want {
		out.Header().Set("Content-Type", "application/problem+json")
		out.WriteHeader(http.StatusNotFound)
		fmt.Fprint(out, `{"detail": "release not found"}`)
		return
	}
	if link := w.links[r.URL.RequestURI()]; link != "" {
		out.Header().Set("Link", link)
	}
	_, _ = out.Write(data)
}

// library returns the files of a package with a library and a module for each
// name.
func library(name string, modules ...string) map[string]string {
	var products, targets []string
	files := map[string]string{"README.md": "# " + name + "\n\n## Use\n\nUse it with care.\n"}
	for _, m := range modules {
		products = append(products, fmt.Sprintf(".library(name: %q, targets: [%q])", m, m))
		targets = append(targets, fmt.Sprintf(".target(name: %q)", m))
		files["Sources/"+m+"/"+m+".swift"] = "/// Is of " + m + ".\npublic struct " + m + "Thing {\n    /// Moves it.\n    public func move(by distance: Int) {}\n}\n"
	}
	files["Package.swift"] = fmt.Sprintf("// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: %q, products: [%s], targets: [%s])\n", name, strings.Join(products, ", "), strings.Join(targets, ", "))
	return files
}

const (
	commitA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	commitB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// pin returns an entry of a Package.resolved.
func pin(identity, location, version, revision string) string {
	return fmt.Sprintf(`{"identity": %q, "kind": "remoteSourceControl", "location": %q, "state": {"revision": %q, "version": %q}}`, identity, location, revision, version)
}

func resolved(pins ...string) string {
	return `{"originHash": "00", "pins": [` + strings.Join(pins, ",\n") + `], "version": 3}`
}

// fetched returns an entry of a workspace-state.json.
func fetched(identity, location, version, revision string) string {
	return fmt.Sprintf(`{"basedOn": null, "packageRef": {"identity": %q, "kind": "remoteSourceControl", "location": %q, "name": %q},
		"state": {"checkoutState": {"revision": %q, "version": %q}, "name": "sourceControlCheckout"}, "subpath": %q}`, identity, location, identity, revision, version, identity)
}

func state(dependencies ...string) string {
	return `{"object": {"artifacts": [], "dependencies": [` + strings.Join(dependencies, ",\n") + `], "prebuilts": []}, "version": 7}`
}

const app = "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: \"App\", dependencies: [%s], targets: [.executableTarget(name: \"App\", dependencies: [%s])])\n"

// list returns a git host's response that lists the tags and branches of a repository, each given
// as "name commit".
func list(refs ...string) string {
	packet := func(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }
	body := packet("# service=git-upload-pack\n") + "0000"
	for i, ref := range refs {
		name, commit, _ := strings.Cut(ref, " ")
		line := commit + " " + name
		if i == 0 {
			line += "\x00symref=HEAD:refs/heads/main agent=git/2"
		}
		body += packet(line + "\n")
	}
	return body + "0000"
}

// tarball packs files below a single directory, as git hosts do.
func tarball(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": commitA}}); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: "repository-" + commitA + "/" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// publish adds a release of the package hash to the registry. Its checksum is the archive's
// unless another one is given.
func (w *world) publish(version, checksum string, files map[string]string) string {
	w.t.Helper()
	data := filetest.Zip(w.t, "Package/", files)
	sum := sha256.Sum256(data)
	if checksum == "" {
		checksum = hex.EncodeToString(sum[:])
	}
	path := "/" + strings.Replace(hash, ".", "/", 1) + "/" + version
	w.files[path+".zip"], w.types[path+".zip"] = data, registryZip
	w.files[path] = fmt.Appendf(nil, `{"id": %q, "version": %q, "resources": [{"name": "source-archive", "type": "application/zip", "checksum": %q%s}], "metadata": {}}`, hash, version, checksum, w.signing)
	w.types[path] = registryJSON
	return checksum
}

// useRegistry makes the world's server the registry of a scope.
func (w *world) useRegistry(scope, authentication string) {
	filetest.Write(w.t, w.home, map[string]string{".swiftpm/configuration/registries.json": fmt.Sprintf(`{"registries": {%q: {"url": %q}}, "authentication": {%s}, "version": 1}`, scope, w.server.URL, authentication)})
}

func (w *world) describe(name, version string) (*apidoc.Package, error) {
	return ecosystem.Describe(w.t.Context(), w.swift(), ecosystem.Query{Package: name, Version: version, ProjectDir: w.project, Platform: "linux/amd64"}, nil)
}

// failure describes a package and returns the resulting error.
func (w *world) failure(name, version string) *ecosystem.Error {
	w.t.Helper()
	p, err := w.describe(name, version)
	failed, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		w.t.Fatalf("%s: got %+v, %v; want an error for users", name, p, err)
	}
	return failed
}

// has checks that a package contains the symbols of a module.
func has(t *testing.T, p *apidoc.Package, err error, module string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if p.LocalName != module || !slices.ContainsFunc(p.Symbols, func(s apidoc.Symbol) bool { return s.Path == module+"Thing" }) {
		t.Errorf("got %s with %d symbols, want %s", p.Name, len(p.Symbols), module)
	}
}

// advised reports whether the advice or a warning contains a text.
func advised(p *apidoc.Package, text string) bool {
	return slices.ContainsFunc(slices.Concat(p.Advice, p.Warnings, p.Options), func(s string) bool { return strings.Contains(s, text) })
}

// bare creates a bare repository with two releases of the same files, 1.0.0 and 1.1.0, and
// returns their commits.
func bare(t testing.TB, dir, origin string, files map[string]string) (first, second string) {
	t.Helper()
	object := func(kind, data string) string {
		whole := fmt.Sprintf("%s %d\x00%s", kind, len(data), data)
		sum := sha1.Sum([]byte(whole))
		name := hex.EncodeToString(sum[:])
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write([]byte(whole)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, dir, map[string]string{"objects/" + name[:2] + "/" + name[2:]: b.String()})
		return name
	}
	raw := func(name string) string {
		sum, err := hex.DecodeString(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(sum)
	}
	var tree func(prefix string) string
	tree = func(prefix string) string {
		entries := map[string]string{}
		for name, text := range files {
			rest, ok := strings.CutPrefix(name, prefix)
			if !ok {
				continue
			}
			if top, _, nested := strings.Cut(rest, "/"); nested {
				if entries[top] == "" {
					entries[top] = "40000 " + top + "\x00" + raw(tree(prefix+top+"/"))
				}
			} else {
				entries[rest] = "100644 " + rest + "\x00" + raw(object("blob", text))
			}
		}
		var all string
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			all += entries[name]
		}
		return object("tree", all)
	}
	root := tree("")
	first, second = object("commit", "tree "+root+"\n\nOne\n"), object("commit", "tree "+root+"\n\nTwo\n")
	filetest.Write(t, dir, map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = true\n[remote \"origin\"]\n\turl = " + origin + "\n",
		"packed-refs": "# pack-refs with: peeled fully-peeled sorted\n" + second + " refs/heads/main\n" + first + " refs/tags/1.0.0\n" + second + " refs/tags/v1.1.0\n",
	})
	return first, second
}
