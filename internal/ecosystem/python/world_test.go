package python

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// files maps names of files to contents.
type files map[string]string

// wheel packs a wheel with its files, its metadata and RECORD.
func wheel(t *testing.T, name, version string, content files) []byte {
	t.Helper()
	info := strings.ReplaceAll(name, "-", "_") + "-" + version + ".dist-info/"
	all := files{info + "METADATA": metadataOf(name, version), info + "WHEEL": "Wheel-Version: 1.0\n"}
	record := ""
	for file, text := range content {
		all[file] = text
		record += file + ",,\n"
	}
	if _, ok := all[info+"RECORD"]; !ok {
		all[info+"RECORD"] = record
	}
	return filetest.Zip(t, "", all)
}

func metadataOf(name, version string) string {
	return fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: About %s\n\n# %s\n\nThe readme.\n", name, version, name, name)
}

// absent is the content of a file to be omitted.
const absent = "\x00absent"

// sdist packs a source distribution.
func sdist(t *testing.T, name, version string, content files) []byte {
	t.Helper()
	all := files{"PKG-INFO": metadataOf(name, version)}
	maps.Copy(all, content)
	maps.DeleteFunc(all, func(_, text string) bool { return text == absent })
	return filetest.TarGz(t, name+"-"+version+"/", all)
}

// server is an index on this machine. Its fields must be set before the first request.
type server struct {
	*httptest.Server
	mu        sync.Mutex
	files     map[string][]byte            // by name
	fields    map[string]map[string]string // attributes of the files' anchors, by name
	html      bool                         // answers in HTML
	login     string                       // "user:password" that requests must carry
	noRanges  bool
	answer    func(http.ResponseWriter, *http.Request) bool // responds instead of the index if it returns true
	log       []string                                      // "path" or "path range", in order
	logins    []string                                      // Authorization of each request
	elsewhere string                                        // origin that serves the files; empty for this server
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{files: map[string][]byte{}, fields: map[string]map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) add(name string, data []byte) { s.files[name] = data }

func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.log = append(s.log, strings.TrimSpace(r.URL.Path+" "+r.Header.Get("Range")))
	s.logins = append(s.logins, r.Header.Get("Authorization"))
	s.mu.Unlock()
	if s.answer != nil && s.answer(w, r) {
		return
	}
	if user, password, _ := r.BasicAuth(); s.login != "" && user+":"+password != s.login {
		w.Header().Set("WWW-Authenticate", `Basic realm="index"`)
		http.Error(w, "log in first", http.StatusUnauthorized)
		return
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/files/"); ok {
		data, ok := s.files[name]
		switch {
		case !ok:
			http.NotFound(w, r)
		case s.noRanges:
			_, _ = w.Write(data)
		default:
			http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
		}
		return
	}
	project, ok := strings.CutPrefix(r.URL.Path, "/simple/")
	project = strings.TrimSuffix(project, "/")
	var names []string
	for name := range s.files {
		if f, ok := parseFileName(name); ok && f.Name == project {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if !ok || len(names) == 0 {
		http.NotFound(w, r)
		return
	}
	s.page(w, names)
}

func (s *server) page(w http.ResponseWriter, names []string) {
	address := func(name string) string {
		if s.elsewhere != "" {
			return s.elsewhere + "/files/" + name
		}
		return "../../files/" + name
	}
	if s.html {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!DOCTYPE html><html><head><title>Links</title></head><body>\n")
		for _, name := range names {
			fmt.Fprintf(w, `<a href="%s#sha256=%s"`, address(name), s.sum(name))
			for _, key := range []string{"requires-python", "yanked", "core-metadata"} {
				if v, ok := s.fields[name][key]; ok {
					fmt.Fprintf(w, ` data-%s="%s"`, key, strings.ReplaceAll(v, ">", "&gt;"))
				}
			}
			fmt.Fprintf(w, ">%s</a><br/>\n", name)
		}
		return
	}
	w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
	var parts []string
	for _, name := range names {
		part := fmt.Sprintf(`{"filename":%q,"url":%q,"hashes":{"sha256":%q}`, name, address(name), s.sum(name))
		if s.fields[name]["no size"] == "" {
			part += fmt.Sprintf(`,"size":%d`, len(s.files[name]))
		}
		for _, key := range []string{"requires-python", "yanked"} {
			if v, ok := s.fields[name][key]; ok {
				part += fmt.Sprintf(`,%q:%q`, key, v)
			}
		}
		if sum, ok := s.fields[name]["core-metadata"]; ok {
			part += fmt.Sprintf(`,"core-metadata":{%q:%q}`, "sha256", strings.TrimPrefix(sum, "sha256="))
		}
		parts = append(parts, part+"}")
	}
	fmt.Fprintf(w, `{"meta":{"api-version":"1.1"},"files":[%s]}`, strings.Join(parts, ","))
}

func (s *server) sum(name string) string {
	if sum := s.fields[name]["sha256"]; sum != "" {
		return sum
	}
	sum := sha256.Sum256(s.files[name])
	return hex.EncodeToString(sum[:])
}

// world is a home directory, a project and an index, isolated from the rest of this
// machine.
type world struct {
	t             *testing.T
	home, project string
	env           []string
	options       ecosystem.Options
}

func newWorld(t *testing.T, env ...string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "home", "app")}
	w.options.Cache = cachedir.New(filepath.Join(dir, "cache"), cachedir.Options{})
	w.env = append([]string{"HOME=" + w.home, "USERPROFILE=" + w.home, "PATH=" + filepath.Join(dir, "bin"), "XDG_CONFIG_DIRS=" + filepath.Join(dir, "xdg")}, env...)
	w.write(w.project, files{"pyproject.toml": "[project]\nname = 'app'\nrequires-python = '>=3.9'\n"})
	return w
}

func (w *world) write(dir string, content files) { filetest.Write(w.t, dir, content) }

// venv creates a virtual environment of a fictitious Python 3.11.7.
func (w *world) venv(dir string, content files) {
	w.t.Helper()
	base := filepath.Join(w.home, "python", "cpython-3.11.7-linux")
	w.write(base, files{"lib/python3.11/os.py": "", "lib/python3.11/json/__init__.py": "def loads(s): 'Load.'\n", "bin/python3.11": ""})
	w.write(dir, files{"pyvenv.cfg": "home = " + filepath.Join(base, "bin") + "\nversion = 3.11.7\nbase-prefix = " + base + "\n"})
	all := files{"pip.txt": ""}
	maps.Copy(all, content)
	w.write(filepath.Join(dir, "lib", "python3.11", "site-packages"), all)
}

// installed returns the files of an installed distribution.
func installed(name, version string, content files) files {
	info := strings.ReplaceAll(name, "-", "_") + "-" + version + ".dist-info/"
	all := files{info + "METADATA": metadataOf(name, version)}
	record := info + "METADATA,,\n"
	for file, text := range content {
		if !strings.HasPrefix(file, info) {
			record += file + ",sha256=x,1\n"
		}
		all[file] = text
	}
	all[info+"RECORD"] = record
	return all
}

func (w *world) python() *Python {
	o := w.options
	o.Env = w.env
	py := New(o)
	py.root = filepath.Join(w.home, "no system")
	return py
}

func (w *world) query(name string) ecosystem.Query {
	return ecosystem.Query{Package: name, ProjectDir: w.project, Platform: "linux/amd64"}
}

// describe finds and reads a package.
func (w *world) describe(q ecosystem.Query) (*apidoc.Package, error) {
	return ecosystem.Describe(context.Background(), w.python(), q, nil)
}

// must is like describe, but the package must be found.
func (w *world) must(q ecosystem.Query) *apidoc.Package {
	w.t.Helper()
	p, err := w.describe(q)
	if err != nil {
		w.t.Fatalf("%s: %v", q.Package, err)
	}
	return p
}

// refused returns the error for a package that must not be found.
func (w *world) refused(q ecosystem.Query) *ecosystem.Error {
	w.t.Helper()
	p, err := w.describe(q)
	failed, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		w.t.Fatalf("%s: %v, %v", q.Package, p, err)
	}
	return failed
}

// advises reports whether the advice contains the given words.
func advises(p *apidoc.Package, words string) bool {
	return slices.ContainsFunc(p.Advice, func(s string) bool { return strings.Contains(s, words) })
}

func place(p *apidoc.Package) string {
	return cmp.Or(p.Name) + "@" + p.Version + " from " + p.Provenance.Source + " by " + p.Provenance.ChosenBy
}

// refusedOr returns the version of a package, or the error.
func (w *world) refusedOr(q ecosystem.Query) string {
	p, err := w.describe(q)
	if err != nil {
		return err.Error()
	}
	return p.Version
}

// storedZip repacks a zip file without compression.
func storedZip(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		w, err := out.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(w, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
