package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

// entry is a regular file, or an entry of an unusual type, in a tarball.
type entry struct {
	name, text string
	kind       byte // tar.TypeReg if zero
}

func tarball(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text)), Typeflag: e.kind}
		switch e.kind {
		case 0:
			h.Typeflag = tar.TypeReg
		case tar.TypeReg:
		default:
			h.Linkname, h.Size = e.text, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte(e.text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// packed returns a tarball of a package whose only export is a constant.
func packed(t *testing.T, name, version, constant string) []byte {
	t.Helper()
	return tarball(t,
		entry{name: "package/package.json", text: fmt.Sprintf(`{"name":%q,"version":%q,"types":"index.d.ts"}`, name, version)},
		entry{name: "package/index.d.ts", text: "/** The one. */\nexport declare const " + constant + ": string;\n"},
	)
}

func integrityOf(data []byte) string {
	s := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(s[:])
}

// stub is a registry.
type stub struct {
	*httptest.Server
	mu         sync.Mutex
	packuments map[string]map[string]any
	tarballs   map[string][]byte
	etags      bool
	want       string                                                       // required Authorization
	intercept  func(w http.ResponseWriter, r *http.Request) (answered bool) // called before a request is handled
	log        []string                                                     // "METHOD path authorization status"
}

func newStub(t *testing.T) *stub {
	t.Helper()
	s := &stub{packuments: map[string]map[string]any{}, tarballs: map[string][]byte{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	note := func(status int) {
		s.log = append(s.log, fmt.Sprintf("%s %d %s", r.URL.Path, status, r.Header.Get("Authorization")))
	}
	if s.intercept != nil && s.intercept(w, r) {
		note(0)
		return
	}
	if s.want != "" && r.Header.Get("Authorization") != s.want {
		note(401)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if data, ok := s.tarballs[r.URL.Path]; ok {
		note(200)
		_, _ = w.Write(data)
		return
	}
	p, ok := s.packuments[strings.TrimPrefix(r.URL.Path, "/")]
	if !ok {
		note(404)
		w.WriteHeader(http.StatusNotFound)
		return
	}
	body, _ := json.Marshal(p, json.Deterministic(true))
	etag := fmt.Sprintf(`"%x"`, sha512.Sum512(body))
	w.Header().Set("Cache-Control", "max-age=0")
	if s.etags {
		if w.Header().Set("ETag", etag); r.Header.Get("If-None-Match") == etag {
			note(304)
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	note(200)
	_, _ = w.Write(body)
}

// refuse makes every request fail.
func (s *stub) refuse(status int, challenge, body string) {
	s.intercept = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		if challenge != "" {
			w.Header().Set("WWW-Authenticate", challenge)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
		return true
	}
}

// publish adds a version; tags may include latest.
func (s *stub) publish(name, version string, data []byte, tags ...string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.packuments[name]
	if p == nil {
		p = map[string]any{"name": name, "dist-tags": map[string]any{}, "versions": map[string]any{}}
		s.packuments[name] = p
	}
	file := "/" + name + "/-/" + version + ".tgz"
	s.tarballs[file] = data
	dist := map[string]any{"tarball": s.URL + file, "integrity": integrityOf(data)}
	p["versions"].(map[string]any)[version] = map[string]any{"dist": dist}
	for _, tag := range tags {
		p["dist-tags"].(map[string]any)[tag] = version
	}
	return dist
}

func (s *stub) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// world is a home directory, a cache and a project.
type world struct {
	home, cache, project string
	env                  []string
}

func newWorld(t *testing.T, env ...string) *world {
	t.Helper()
	w := &world{home: t.TempDir(), cache: t.TempDir(), project: t.TempDir()}
	w.env = append([]string{"HOME=" + w.home}, env...)
	return w
}

func (w *world) npm() *NPM { return New(ecosystem.Options{Env: w.env, Cache: w.newCache()}) }

// kept returns the path of the download cache.
func (w *world) newCache() *cachedir.Cache { return cachedir.New(w.cache, cachedir.Options{}) }

func describe(t *testing.T, n *NPM, name, version, project string) *apidoc.Package {
	t.Helper()
	p, err := ecosystem.Describe(t.Context(), n, ecosystem.Query{Package: name, Version: version, ProjectDir: project}, nil)
	if err != nil {
		t.Fatalf("%s@%s: %v", name, version, err)
	}
	return p
}

func failure(t *testing.T, n *NPM, name, project string) *ecosystem.Error {
	t.Helper()
	p, err := ecosystem.Describe(t.Context(), n, ecosystem.Query{Package: name, ProjectDir: project}, nil)
	e, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		t.Fatalf("%s gave %v and %v", name, p, err)
	}
	return e
}

func symbols(p *apidoc.Package) string {
	var names []string
	for _, s := range p.Symbols {
		names = append(names, s.Path)
	}
	return strings.Join(names, " ")
}

func TestNewestReleaseOfTheRegistryWithoutAProject(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "old"))
	s.publish("till", "1.2.0", packed(t, "till", "1.2.0", "coins"), "latest")
	s.publish("till", "2.0.0-rc.1", packed(t, "till", "2.0.0-rc.1", "rc"), "next")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	n := w.npm()
	p := describe(t, n, "till", "", "")
	if p.Version != "1.2.0" || symbols(p) != "coins" || p.Symbols[0].Doc != "The one." {
		t.Errorf("got %s with %s", p.Version, symbols(p))
	}
	want := apidoc.Provenance{
		Source: "registry", Location: s.URL + "/till/-/1.2.0.tgz",
		ChosenBy: "newest release, no project given", Integrity: "sha512 of the registry",
	}
	if p.Provenance != want {
		t.Errorf("provenance is %+v", p.Provenance)
	}
	if p := describe(t, n, "till@next", "", ""); p.Version != "2.0.0-rc.1" {
		t.Errorf("next is %s", p.Version)
	}
	if p := describe(t, n, "till", "~1.0", ""); p.Version != "1.0.0" || p.Provenance.ChosenBy != "requested as ~1.0" {
		t.Errorf("~1.0 is %s, %s", p.Version, p.Provenance.ChosenBy)
	}
	empty := t.TempDir()
	if by := describe(t, n, "till", "", empty).Provenance.ChosenBy; by != "newest release; no package.json in "+empty+" or above" {
		t.Errorf("beside no project it is the %s", by)
	}
	unlocked := filetest.Dir(t, map[string]string{"package.json": `{"name":"app","dependencies":{"other":"1"}}`})
	locked := filetest.Dir(t, map[string]string{"package.json": `{"name":"app"}`, "package-lock.json": `{"lockfileVersion":3,"packages":{"":{}}}`})
	if describe(t, n, "till", "", unlocked).Provenance.Unused || !describe(t, n, "till", "", locked).Provenance.Unused {
		t.Error("without a lock file it is said that the project does not use it, or with one it is not said")
	}
	e := failure(t, n, "till@3", "")
	if e.Reason != ecosystem.NotFound || !strings.Contains(e.Error(), "1.2.0") {
		t.Errorf("a version that there is not: %v", e)
	}
	if e := failure(t, n, "Till", ""); !strings.HasSuffix(e.Next, ": till") {
		t.Errorf("of capital letters it said: %v", e)
	}
	if e := failure(t, n, "nothing", ""); e.Reason != ecosystem.NotFound {
		t.Errorf("a package that there is not: %v", e)
	}
}

func TestWhatWasDownloadedIsReadFromDisk(t *testing.T) {
	s := newStub(t)
	s.etags = true
	s.publish("@till/coins", "1.0.0", packed(t, "@till/coins", "1.0.0", "coins"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	describe(t, w.npm(), "@till/coins", "", "")
	s.requests()
	describe(t, w.npm(), "@till/coins", "1.0.0", "")
	if log := s.requests(); len(log) != 0 {
		t.Errorf("an exact version was asked for again: %q", log)
	}
	makeOld(t, w.newCache())
	describe(t, w.npm(), "@till/coins", "latest", "")
	if log := s.requests(); len(log) != 1 || !strings.Contains(log[0], " 304 ") {
		t.Errorf("the tag was asked for by %q", log)
	}
	makeOld(t, w.newCache())
	s.Close()
	offline := New(ecosystem.Options{Env: w.env, Cache: w.newCache(), Offline: true})
	if p := describe(t, offline, "@till/coins", "", ""); p.Version != "1.0.0" || len(p.Advice) != 2 {
		t.Errorf("offline gave %s with %q", p.Version, p.Advice)
	}
	e := failure(t, offline, "other", "")
	if e.Reason != ecosystem.Unreachable || !strings.Contains(e.What, "network access is disabled") {
		t.Errorf("offline, and not on disk: %v", e)
	}
}

// makeOld makes all cached packuments stale.
func makeOld(t *testing.T, cache *cachedir.Cache) {
	t.Helper()
	old := 0
	for _, dir := range cache.List("npm/versions") {
		for _, name := range cache.List("npm/versions/" + dir) {
			file, p := "npm/versions/"+dir+"/"+name, &packument{}
			data, err := cache.Read(file, maxPackument)
			if err == nil {
				err = json.Unmarshal(data, p)
			}
			p.Requested = p.Requested.Add(-packumentTime * 2)
			if err == nil {
				err = cache.Write(file, func(f *os.File) error { return json.MarshalWrite(f, p) })
			}
			if err != nil {
				t.Fatal(err)
			}
			old++
		}
	}
	if old == 0 {
		t.Fatal("nothing is kept")
	}
}

func TestHostileTarballsLeaveNothingBehind(t *testing.T) {
	manifest := entry{name: "package/package.json", text: `{"name":"till","version":"1.0.0"}`}
	many := make([]entry, 0, 100_000)
	for i := range 100_000 {
		many = append(many, entry{name: fmt.Sprintf("package/%d.d.ts", i)})
	}
	tests := []struct {
		name string
		data []byte
		says string
	}{
		{"a name that climbs out", tarball(t, manifest, entry{name: "package/../../x", text: "x"}), "is outside"},
		{"an absolute name", tarball(t, manifest, entry{name: "/etc/x", text: "x"}), "not relative"},
		{"a symbolic link", tarball(t, manifest, entry{name: "package/x", text: "/etc/passwd", kind: tar.TypeSymlink}), "is a link"},
		{"a hard link", tarball(t, manifest, entry{name: "package/x", text: "package/package.json", kind: tar.TypeLink}), "is a link"},
		{"a device", tarball(t, manifest, entry{name: "package/x", kind: tar.TypeChar}), "not an ordinary file"},
		{"names that differ by case", tarball(t, manifest, entry{name: "package/a.ts"}, entry{name: "package/A.ts"}), "letter case"},
		{"a name with a drive letter", tarball(t, manifest, entry{name: "C:x", text: "x"}), "not relative"},
		{"a name with backslashes", tarball(t, manifest, entry{name: `package\..\..\x`, text: "x"}), "not relative"},
		{"a name that terminals obey", tarball(t, manifest, entry{name: "package/\x1b[31m", text: "x"}), "the invalid file name"},
		{"a name that is very deep", tarball(t, manifest, entry{name: "package/" + strings.Repeat("d/", 70) + "x", text: "x"}), "directories deep"},
		{"a manifest that is a link", tarball(t, entry{name: "package/package.json", text: "/etc/passwd", kind: tar.TypeSymlink}), "is a link"},
		{"a block device", tarball(t, manifest, entry{name: "package/x", kind: tar.TypeBlock}), "not an ordinary file"},
		{"a pipe", tarball(t, manifest, entry{name: "package/x", kind: tar.TypeFifo}), "not an ordinary file"},
		{"a file twice", tarball(t, manifest, manifest), "twice"},
		{"a file that is a directory, too", tarball(t, manifest, entry{name: "package/a", text: "x"}, entry{name: "package/a/b", text: "x"}), "both as a file"},
		{"100,000 files", tarball(t, many...), "limit of 50000"},
		{"a file that is too large", tarball(t, manifest, entry{name: "package/x.ts", text: noise(65 << 20)}), "limit for one file is 64 MiB"},
		{"a file that is larger than it says", cut(t, tarball(t, manifest, entry{name: "package/x.ts", text: noise(1 << 20)})), "is damaged"},
		{"a bomb", tarball(t, manifest, entry{name: "package/x.ts", text: strings.Repeat(" ", 60<<20)}), "times as much"},
		{"no archive at all", []byte("<html>"), "is damaged"},
		{"half of an archive", packed(t, "till", "1.0.0", "x")[:100], "is damaged"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStub(t)
			s.publish("till", "1.0.0", test.data, "latest")
			w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
			e := failure(t, w.npm(), "till", "")
			if e.Reason != ecosystem.Unreadable || !strings.Contains(e.What, test.says) || !strings.Contains(e.What, "till@1.0.0") {
				t.Errorf("said %v", e)
			}
			nothingKept(t, w)
		})
	}
}

// noise returns text that compresses poorly.
func noise(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return string(b)
}

// cut truncates a tarball's content, and compresses it again.
func cut(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := gzip.NewWriter(&b)
	_, err = out.Write(all[:len(all)/2])
	if err := errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestATarballThatIsRefusedLeavesNothingInTemporaryDirectories(t *testing.T) {
	s := newStub(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	s.publish("bad", "1.0.0", tarball(t, entry{name: "/etc/x", text: "x"}), "latest")
	s.publish("good", "1.0.0", packed(t, "good", "1.0.0", "coins"), "latest")
	n := New(ecosystem.Options{Env: []string{"NPM_CONFIG_REGISTRY=" + s.URL}}) // There is no home directory, and therefore no cache.
	failure(t, n, "bad", "")
	describe(t, n, "good", "", "")
	if rest, err := os.ReadDir(dir); err != nil || len(rest) > 0 {
		t.Errorf("%v is left, %v", rest, err)
	}
}

func nothingKept(t *testing.T, w *world) {
	t.Helper()
	_ = filepath.WalkDir(w.cache, func(path string, d fs.DirEntry, _ error) error {
		if strings.Contains(path, "tarballs") && !d.IsDir() {
			t.Errorf("%s was left", path)
		}
		return nil
	})
}

func TestTarballMustHaveTheHashThatWasPromised(t *testing.T) {
	s := newStub(t)
	data := packed(t, "till", "1.0.0", "coins")
	other := packed(t, "till", "1.0.0", "forged")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)

	s.publish("till", "1.0.0", data, "latest")["integrity"] = integrityOf(other)
	if e := failure(t, w.npm(), "till", ""); e.Reason != ecosystem.Unreadable || !strings.Contains(e.What, "sha512 hash given by the registry") {
		t.Errorf("said %v", e)
	}
	nothingKept(t, w)

	dist := s.publish("old", "1.0.0", data, "latest")
	sum := sha1.Sum(data)
	dist["integrity"], dist["shasum"] = "", hex.EncodeToString(sum[:])
	if p := describe(t, w.npm(), "old", "", ""); p.Provenance.Integrity != "sha1 of the registry" {
		t.Errorf("got %+v", p.Provenance)
	}
	dist = s.publish("older", "1.0.0", data, "latest")
	dist["integrity"] = ""
	if e := failure(t, w.npm(), "older", ""); !strings.Contains(e.What, "not provide a hash") {
		t.Errorf("said %v", e)
	}

	// Cached tarballs are checked again.
	files := w.newCache().List("npm/tarballs")
	if len(files) != 1 {
		t.Fatal(files)
	}
	err := w.newCache().Write("npm/tarballs/"+files[0], func(f *os.File) error {
		_, err := f.Write(other)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if p := describe(t, w.npm(), "old", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
}

func TestLockFileChoosesVersionAndHash(t *testing.T) {
	s := newStub(t)
	data := packed(t, "till", "1.0.0", "locked")
	s.publish("till", "1.0.0", data)
	s.publish("till", "1.5.0", packed(t, "till", "1.5.0", "newest"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	lock := func(integrity, resolved string) {
		filetest.Write(t, w.project, map[string]string{
			"package.json":      `{"name":"shop","dependencies":{"till":"^1.0.0"}}`,
			"package-lock.json": fmt.Sprintf(`{"lockfileVersion":3,"packages":{"":{},"node_modules/till":{"version":"1.0.0","resolved":%q,"integrity":%q}}}`, resolved, integrity),
		})
	}
	lock(integrityOf(data), s.URL+"/till/-/1.0.0.tgz")
	p := describe(t, w.npm(), "till", "", w.project)
	if symbols(p) != "locked" || p.Provenance.ChosenBy != "package-lock.json of shop" || p.Provenance.Integrity != "sha512 of package-lock.json" {
		t.Errorf("got %s by %+v", symbols(p), p.Provenance)
	}
	if log := s.requests(); len(log) != 1 {
		t.Errorf("asked %q", log)
	}
	lock(integrityOf([]byte("other")), "")
	if e := failure(t, w.npm(), "till", w.project); !strings.Contains(e.What, "hash given by package-lock.json") {
		t.Errorf("said %v", e)
	}
	// A range that includes the project's version resolves to that version.
	lock(integrityOf(data), "")
	if p := describe(t, w.npm(), "till", "1", w.project); p.Version != "1.0.0" || p.Provenance.ChosenBy != "requested as 1; selected by package-lock.json" {
		t.Errorf("got %s by %s", p.Version, p.Provenance.ChosenBy)
	}
	if p := describe(t, w.npm(), "till", ">1.1", w.project); p.Version != "1.5.0" {
		t.Errorf("got %s", p.Version)
	}
	// Without a lock file, the range in package.json applies.
	if err := os.Remove(filepath.Join(w.project, "package-lock.json")); err != nil {
		t.Fatal(err)
	}
	if p := describe(t, w.npm(), "till", "", w.project); p.Version != "1.5.0" || p.Provenance.ChosenBy != "package.json of shop (^1.0.0)" {
		t.Errorf("got %s by %s", p.Version, p.Provenance.ChosenBy)
	}
}

func TestEachFormOfCredentialIsSentToItsRegistry(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	tests := []struct{ name, npmrc, want string }{
		{"a token", "//HOST/:_authToken=s3cret", "Bearer s3cret"},
		{"a token of the environment", "//HOST/:_authToken=${TILL_TOKEN}", "Bearer s3cret"},
		{"a token in quotes", "//HOST/:_authToken=\"s3cret\"", "Bearer s3cret"},
		{"_auth", "//HOST/:_auth=" + b64([]byte("me:s3cret")), "Basic " + b64([]byte("me:s3cret"))},
		{"a user and a password", "//HOST/:username=me\n//HOST/:_password=" + b64([]byte("s3cret")), "Basic " + b64([]byte("me:s3cret"))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStub(t)
			s.want = test.want
			s.publish("@till/coins", "1.0.0", packed(t, "@till/coins", "1.0.0", "coins"), "latest")
			w := newWorld(t, "TILL_TOKEN=s3cret")
			host := strings.TrimPrefix(s.URL, "http://")
			filetest.Write(t, w.home, map[string]string{".npmrc": "@till:registry=" + s.URL + "\n" + strings.ReplaceAll(test.npmrc, "HOST", host)})
			if p := describe(t, w.npm(), "@till/coins", "", ""); symbols(p) != "coins" {
				t.Errorf("read %s", symbols(p))
			}
		})
	}
}

func TestRefusedCredentialIsNeverShown(t *testing.T) {
	s := newStub(t)
	s.want = "Bearer right"
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, npmrc := range []string{
		"registry=" + s.URL,
		"registry=" + s.URL + "\n//" + u.Host + "/:_authToken=wr0ng",
		"registry=http://me:wr0ng@" + u.Host + "/?key=wr0ng",
	} {
		w := newWorld(t)
		filetest.Write(t, w.home, map[string]string{".npmrc": npmrc})
		e := failure(t, w.npm(), "till", "")
		if e.Reason != ecosystem.Refused || strings.Contains(fmt.Sprintf("%+v %v", e, e.Err), "wr0ng") {
			t.Errorf("said %+v", e)
		}
	}
}

func TestCredentialStaysWithItsOwnRegistry(t *testing.T) {
	other := newStub(t)
	other.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	s := newStub(t)
	s.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusFound)
		return true
	}
	w := newWorld(t)
	filetest.Write(t, w.home, map[string]string{".npmrc": "registry=" + s.URL + "\n//" + strings.TrimPrefix(s.URL, "http://") + "/:_authToken=s3cret"})
	_, _ = ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "till"}, nil)
	sent := false
	for _, l := range s.requests() {
		sent = sent || strings.HasSuffix(l, "Bearer s3cret")
	}
	if !sent {
		t.Error("the registry did not get its credential")
	}
	log := other.requests()
	if len(log) == 0 {
		t.Error("the redirect was not followed")
	}
	for _, l := range log {
		if strings.Contains(l, "s3cret") {
			t.Errorf("another host got %q", l)
		}
	}

	// A tarball on another host is also refused.
	s.intercept = nil
	dist := s.publish("elsewhere", "1.0.0", packed(t, "elsewhere", "1.0.0", "x"), "latest")
	dist["tarball"] = other.URL + "/elsewhere.tgz"
	_, _ = ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "elsewhere"}, nil)
	for _, l := range other.requests() {
		if strings.Contains(l, "s3cret") {
			t.Errorf("another host got %q", l)
		}
	}
}

func TestProjectsNpmrcIsForThatProjectOnly(t *testing.T) {
	public, private := newStub(t), newStub(t)
	public.publish("till", "1.0.0", packed(t, "till", "1.0.0", "public"), "latest")
	private.publish("till", "9.0.0", packed(t, "till", "9.0.0", "private"), "latest")
	private.want = "Bearer s3cret"
	w := newWorld(t, "npm_config_registry=", "TOKEN=s3cret")
	filetest.Write(t, w.home, map[string]string{".npmrc": "registry = " + public.URL})
	filetest.Write(t, w.project, map[string]string{
		"package.json": `{"name":"shop"}`,
		".npmrc":       "registry=" + private.URL + "/\n//" + strings.TrimPrefix(private.URL, "http://") + "/:_authToken=${TOKEN}\n",
	})
	n := w.npm()
	for range 2 {
		if p := describe(t, n, "till", "", w.project); symbols(p) != "private" {
			t.Errorf("in the project it is %s", symbols(p))
		}
		if p := describe(t, n, "till", "", ""); symbols(p) != "public" {
			t.Errorf("elsewhere it is %s", symbols(p))
		}
	}
}

func TestWithoutARegistryOneSentenceSaysWhatToDo(t *testing.T) {
	e := failure(t, newWorld(t).npm(), "till", "")
	if e.Reason != ecosystem.Unreachable || !strings.Contains(e.Next, "NPM_CONFIG_REGISTRY") {
		t.Errorf("said %v", e)
	}
}

func TestDependenciesOfAPackageFromTheRegistryAreFollowed(t *testing.T) {
	s := newStub(t)
	s.publish("shop", "1.0.0", tarball(t,
		entry{name: "package/package.json", text: `{"name":"shop","version":"1.0.0","types":"i.d.ts","dependencies":{"till":"^1.0.0"}}`},
		entry{name: "package/i.d.ts", text: `export * from "till"; export { missing } from "unknown";`}), "latest")
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"))
	s.publish("till", "2.0.0", packed(t, "till", "2.0.0", "notes"), "latest")
	s.publish("plain", "3.1.0", tarball(t,
		entry{name: "package/package.json", text: `{"name":"plain","version":"3.1.0","main":"i.js"}`},
		entry{name: "package/i.js", text: "module.exports = {}"}), "latest")
	s.publish("@types/plain", "3.0.5", packed(t, "@types/plain", "3.0.5", "typed"))
	s.publish("@types/plain", "4.0.0", packed(t, "@types/plain", "4.0.0", "tomorrow"), "latest")
	n := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL).npm()
	if p := describe(t, n, "shop", "", ""); !strings.Contains(symbols(p), "coins") || strings.Contains(symbols(p), "notes") {
		t.Errorf("read %s", symbols(p))
	}
	if p := describe(t, n, "plain", "", ""); symbols(p) != "typed" {
		t.Errorf("declared is %s", symbols(p))
	}
}

// TestDependencies_ManyPackages checks that packages of which each requires the same other one count only once.
func TestDependencies_ManyPackages(t *testing.T) {
	const packages = maxRemote * 2 / 3
	s := newStub(t)
	s.publish("base", "1.0.0", tarball(t,
		entry{name: "package/package.json", text: `{"name":"base","version":"1.0.0","types":"i.d.ts"}`},
		entry{name: "package/i.d.ts", text: `export interface Base { id: string }`}), "latest")
	var imports strings.Builder
	dependencies := map[string]string{}
	for i := range packages {
		name := fmt.Sprintf("part%d", i)
		dependencies[name] = "^1.0.0"
		fmt.Fprintf(&imports, "export * from %q;\n", name)
		s.publish(name, "1.0.0", tarball(t,
			entry{name: "package/package.json", text: fmt.Sprintf(`{"name":%q,"version":"1.0.0","types":"i.d.ts","dependencies":{"base":"^1.0.0"}}`, name)},
			entry{name: "package/i.d.ts", text: fmt.Sprintf(`import { Base } from "base"; export interface Part%d extends Base {}`, i)}), "latest")
	}
	manifest, err := json.Marshal(map[string]any{"name": "suite", "version": "1.0.0", "types": "i.d.ts", "dependencies": dependencies})
	if err != nil {
		t.Fatal(err)
	}
	s.publish("suite", "1.0.0", tarball(t, entry{name: "package/package.json", text: string(manifest)}, entry{name: "package/i.d.ts", text: imports.String()}), "latest")
	p := describe(t, newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL).npm(), "suite", "", "")
	if len(p.Symbols) != packages {
		t.Fatalf("it declares %d symbols", len(p.Symbols))
	}
	for _, symbol := range p.Symbols {
		if p.At(symbol.Path+".id") == nil {
			t.Fatalf("the base of %s is not found", symbol.Path)
		}
	}
}

func TestDeclarations_OtherVersion(t *testing.T) {
	s := newStub(t)
	s.publish("plain", "4.0.0", tarball(t,
		entry{name: "package/package.json", text: `{"name":"plain","version":"4.0.0","main":"i.js"}`},
		entry{name: "package/i.js", text: "exports.code = 1"}), "latest")
	s.publish("@types/plain", "4.0.0", tarball(t,
		entry{name: "package/package.json", text: `{"name":"@types/plain","version":"4.0.0","types":"i.d.ts","dependencies":{"@types/core":"^4.0.0"}}`},
		entry{name: "package/i.d.ts", text: `export * from "core";`}), "latest")
	s.publish("@types/core", "4.0.0", packed(t, "@types/core", "4.0.0", "four"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	filetest.Write(t, w.project, map[string]string{
		"package.json":                    `{"name":"shop","dependencies":{"plain":"^3.0.0"}}`,
		"node_modules/plain/package.json": `{"name":"plain","version":"3.0.0","main":"i.js"}`,
		"node_modules/plain/i.js":         "exports.code = 1",
	})
	if p := describe(t, w.npm(), "plain", "4.0.0", w.project); symbols(p) != "code" {
		t.Errorf("in a project without declarations it declares %s", symbols(p))
	}
	filetest.Write(t, w.project, installedPackage("node_modules/@types/plain", "@types/plain", "3.0.1", "three"))
	filetest.Write(t, w.project, installedPackage("node_modules/@types/core", "@types/core", "3.0.1", "three"))
	if p := describe(t, w.npm(), "plain", "4.0.0", w.project); symbols(p) != "four" {
		t.Errorf("in a project with declarations of another version it declares %s", symbols(p))
	}
	filetest.Write(t, w.project, installedPackage("node_modules/@types/plain", "@types/plain", "4.0.1", "installed"))
	if p := describe(t, w.npm(), "plain", "4.0.0", w.project); symbols(p) != "installed" {
		t.Errorf("in a project with declarations of this version it declares %s", symbols(p))
	}
}

func TestTheCacheOfDownloadsStaysBounded(t *testing.T) {
	s := newStub(t)
	s.publish("coins", "1.0.0", packed(t, "coins", "1.0.0", "coins"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	n := New(ecosystem.Options{Env: w.env, Cache: cachedir.New(w.cache, cachedir.Options{Max: 50_000})})
	long := []string{"npm/versions/0123456789abcdef/of-long-ago.json", "npm/tarballs/sha512-00.tgz"}
	longAgo := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, name := range long {
		file := n.options.Cache.Path(name)
		filetest.Write(t, filepath.Dir(file), map[string]string{filepath.Base(file): strings.Repeat("x", 60_000)})
		if err := os.Chtimes(file, longAgo, longAgo); err != nil {
			t.Fatal(err)
		}
	}
	describe(t, n, "coins", "", "")
	for _, name := range long {
		if project.IsFile(n.options.Cache.Path(name)) {
			t.Errorf("%s was used long ago and is still there", name)
		}
	}
	s.requests()
	describe(t, n, "coins", "", "")
	if log := s.requests(); len(log) != 0 {
		t.Errorf("what was just downloaded was asked for again: %q", log)
	}
}
