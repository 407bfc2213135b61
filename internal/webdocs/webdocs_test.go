package webdocs

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/filetest"
)

// site plays a homepage and a git host on loopback.
type site struct {
	*httptest.Server
	pages    map[string]http.HandlerFunc
	requests atomic.Int32
	sent     atomic.Int64 // bytes of large answers
}

func newSite(t *testing.T) *site {
	s := &site{pages: map[string]http.HandlerFunc{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if page := s.pages[r.URL.Path]; page != nil {
			page(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// reader returns a Reader that may send requests to the site.
func (s *site) reader(t *testing.T, cache *cachedir.Cache) *Reader {
	if cache == nil {
		cache = cachedir.New(t.TempDir(), cachedir.Options{})
	}
	host := strings.TrimPrefix(s.URL, "http://")
	return New(Options{Cache: cache, loopback: s.URL, hosts: []gitHost{{host, s.URL + "/{path}/{tag}.tar.gz"}}})
}

// till returns a package whose homepage and repository are the site.
func (s *site) till() *apidoc.Package {
	return &apidoc.Package{Name: "till", Version: "1.2.0", Homepage: s.URL + "/till/", Repository: "git+" + s.URL + "/shop/till.git"}
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

// huge sends 200 MB and counts what is taken.
func (s *site) huge(w http.ResponseWriter, _ *http.Request) {
	block := bytes.Repeat([]byte("coins "), 10_000)
	for range 200_000_000 / len(block) {
		n, err := w.Write(block)
		s.sent.Add(int64(n))
		if err != nil {
			return
		}
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

// tgz packs files into the archive of a tag.
func tgz(t *testing.T, files map[string]string) http.HandlerFunc {
	data := filetest.TarGz(t, "till-1.2.0/", files)
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }
}

func ids(sections []apidoc.Section) string {
	var all []string
	for _, s := range sections {
		all = append(all, s.ID)
	}
	return strings.Join(all, " ")
}

func TestWhatTheWebSaysIsReadWithItsOrigin(t *testing.T) {
	s := newSite(t)
	s.pages["/till/llms-full.txt"] = text("# Till\n\nVersion: 1.2.0\n\n## Counting\n\nSee [rounding](#rounding).\n\n## Rounding\n\nDown.\n")
	s.pages["/shop/till/v1.2.0.tar.gz"] = tgz(t, map[string]string{
		"docs/guide.md": "# Guide\n\nRead [more](more.md).\n", "docs/more.md": "# More\n\nMore.\n", "src/secret.md": "# No\n",
	})
	r := s.reader(t, nil)
	sections, notes := r.Read(t.Context(), s.till())
	if len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
	if got, want := ids(sections), "web/llms-full web/llms-full/counting web/llms-full/rounding repository/docs/guide repository/docs/more"; got != want {
		t.Fatalf("sections %s, want %s", got, want)
	}
	if want := "the website's " + s.URL + "/till/llms-full.txt, which states version 1.2.0"; sections[0].Origin != want {
		t.Errorf("origin %q, want %q", sections[0].Origin, want)
	}
	if !strings.Contains(sections[1].Body, "(web/llms-full/rounding)") || !strings.Contains(sections[3].Body, "(repository/docs/more)") {
		t.Errorf("links are not resolved: %q, %q", sections[1].Body, sections[3].Body)
	}
	if want := "/shop/till at the tag v1.2.0"; !strings.HasSuffix(sections[3].Origin, want) {
		t.Errorf("origin %q", sections[3].Origin)
	}
	before := s.requests.Load()
	if again, _ := r.Read(t.Context(), s.till()); ids(again) != ids(sections) || s.requests.Load() != before {
		t.Errorf("%d requests for what is cached", s.requests.Load()-before)
	}
	r.options.now = func() time.Time { return time.Now().Add(2 * pageAge) }
	if _, _ = r.Read(t.Context(), s.till()); s.requests.Load() != before+1 {
		t.Errorf("%d requests after two days, want 1 for the page and none for the tag", s.requests.Load()-before)
	}
}

func TestEachFaultOfTheWebIsSurvived(t *testing.T) {
	elsewhere := newSite(t) // No test allows this address of this machine.
	elsewhere.pages["/llms-full.txt"] = text("# Secret\n\nOf this machine.\n")
	html := text("<!DOCTYPE html>\n<html><body># Not found</body></html>")
	for name, tt := range map[string]struct {
		pages    map[string]http.HandlerFunc
		version  string
		sections string
		origin   string // of the first section, its end
		notes    []string
	}{
		"404 for everything":                  {notes: []string{"the repository has no tag for version 1.2.0"}},
		"404 for the folder, not the site":    {pages: map[string]http.HandlerFunc{"/llms-full.txt": text("# Shop\n\nAll.\n")}, sections: "web/llms-full", origin: "which does not state a version", notes: []string{"no tag"}},
		"no llms-full.txt but a llms.txt":     {pages: map[string]http.HandlerFunc{"/till/llms.txt": text("# Till\n\n> Counts.\n")}, sections: "web/llms", notes: []string{"no tag"}},
		"a web page in place of text":         {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": html, "/llms-full.txt": html, "/till/llms.txt": text("\uFEFF\n <html>"), "/llms.txt": html}, notes: []string{"no tag"}},
		"200 MB of text, then a short one":    {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": elsewhere.huge, "/till/llms.txt": text("# Till\n\nShort.\n")}, sections: "web/llms", notes: []string{"no tag"}},
		"200 MB of text alone":                {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": elsewhere.huge}, notes: []string{"could not read the documentation at ", "no tag"}},
		"200 MB of archive":                   {pages: map[string]http.HandlerFunc{"/shop/till/v1.2.0.tar.gz": elsewhere.huge}, notes: []string{"could not read docs/ in "}},
		"a redirect to a private range":       {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": redirect("http://10.1.2.3/llms-full.txt")}, notes: []string{"10.1.2.3", "no tag"}},
		"a redirect to link-local metadata":   {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": redirect("http://169.254.169.254/latest/")}, notes: []string{"169.254.169.254", "no tag"}},
		"a redirect to this machine":          {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": redirect(elsewhere.URL + "/llms-full.txt")}, notes: []string{"127.0.0.1", "no tag"}},
		"an archive that redirects there":     {pages: map[string]http.HandlerFunc{"/shop/till/v1.2.0.tar.gz": redirect("http://192.168.1.1/x")}, notes: []string{"192.168.1.1"}},
		"a version that does not match":       {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": text("# Till v3.0.1\n\nNew.\n"), "/shop/till/v3.0.1.tar.gz": tgz(t, map[string]string{"docs/a.md": "# A\n\nNew.\n"})}, sections: "web/llms-full", origin: "which states version 3.0.1, not the 1.2.0 in use", notes: []string{"no tag for version 1.2.0"}},
		"an archive that is none":             {pages: map[string]http.HandlerFunc{"/shop/till/v1.2.0.tar.gz": html}, notes: []string{"not an archive"}},
		"an archive that leads out of itself": {pages: map[string]http.HandlerFunc{"/shop/till/v1.2.0.tar.gz": tgz(t, map[string]string{"../../docs/x.md": "# X\n"})}, notes: []string{"could not read docs/ in "}},
		"bytes that are no text":              {pages: map[string]http.HandlerFunc{"/till/llms-full.txt": text("PK\x00\xff")}, notes: []string{"it is not text", "no tag"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			maps.Copy(s.pages, tt.pages)
			sections, notes := s.reader(t, nil).Read(t.Context(), s.till())
			if got := ids(sections); got != tt.sections {
				t.Errorf("sections %q, want %q", got, tt.sections)
			}
			if len(sections) > 0 && !strings.HasSuffix(sections[0].Origin, tt.origin) {
				t.Errorf("origin %q, want it to end %q", sections[0].Origin, tt.origin)
			}
			if len(notes) != len(tt.notes) {
				t.Fatalf("notes %q, want %q", notes, tt.notes)
			}
			for i, want := range tt.notes {
				if !strings.Contains(notes[i], want) {
					t.Errorf("note %q, want %q in it", notes[i], want)
				}
			}
		})
	}
	if n := elsewhere.requests.Load(); n > 0 {
		t.Errorf("%d requests reached an address that is not allowed", n)
	}
	// Sockets buffer some of the data that is never read.
	if n := elsewhere.sent.Load(); n > 2*maxPage+maxArchive+3*(16<<20) {
		t.Errorf("%d bytes were taken of answers that are too large", n)
	}
}

func TestThisMachineIsNotAskedWithoutTheException(t *testing.T) {
	s := newSite(t)
	s.pages["/till/llms-full.txt"] = text("# Till\n\nText.\n")
	p := s.till()
	p.Homepage = strings.Replace(p.Homepage, "http://", "https://", 1)
	p.Repository = ""
	r := New(Options{Cache: cachedir.New(t.TempDir(), cachedir.Options{})})
	sections, notes := r.Read(t.Context(), p)
	if len(sections) > 0 || s.requests.Load() > 0 || len(notes) != 1 || !strings.Contains(notes[0], "127.0.0.1, which is not public") {
		t.Errorf("sections %q, notes %q, %d requests", ids(sections), notes, s.requests.Load())
	}
}

func TestRepositoriesAreKnownInEveryForm(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/o/r.git":             "github.com o/r",
		"git+https://github.com/o/r.git":         "github.com o/r",
		"git+ssh://git@github.com/o/r.git":       "github.com o/r",
		"git://github.com/o/r":                   "github.com o/r",
		"git@github.com:o/r.git":                 "github.com o/r",
		"github:o/r":                             "github.com o/r",
		"gitlab:o/r":                             "gitlab.com o/r",
		"bitbucket:o/r":                          "bitbucket.org o/r",
		"o/r":                                    "github.com o/r",
		"https://www.github.com/o/r#readme":      "github.com o/r",
		"https://github.com/o/r/tree/main/pkg/x": "github.com o/r",
		"https://gitlab.com/g/h/r":               "gitlab.com g/h/r",
		"https://github.com/o":                   "",
		"https://github.com/../..":               "",
		"https://example.com/o/r":                "",
		"":                                       "",
		"::":                                     "",
	} {
		got := ""
		if r, ok := repositoryOf(address, gitHosts); ok {
			got = r.host.name + " " + r.path
		}
		if got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}

func TestTagsOfAPackageInARepositoryOfMany(t *testing.T) {
	p := &apidoc.Package{Name: "@shop/till", Version: "1.2.0", Repository: "o/r", RepositoryDir: "packages/till"}
	if got, want := strings.Join(tags(p), " "), "packages/till/v1.2.0 @shop/till@1.2.0 till@1.2.0 v1.2.0 1.2.0"; got != want {
		t.Errorf("tags %s, want %s", got, want)
	}
	r, _ := repositoryOf("o/r", gitHosts)
	if got, want := r.archive("@shop/till@1.2.0?"), "https://github.com/o/r/archive/refs/tags/@shop/till@1.2.0%3F.tar.gz"; got != want {
		t.Errorf("archive %s, want %s", got, want)
	}
}

// FuzzRepository reads hostile metadata: a repository that is known has a path
// of its own host and no more.
func FuzzRepository(f *testing.F) {
	for _, s := range []string{"git+https://github.com/o/r.git", "git@github.com:o/r", "github:o/r", "https://github.com/o/r/../../x", "o/%2e%2e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		r, ok := repositoryOf(address, gitHosts)
		if !ok {
			return
		}
		link := r.archive("v1")
		if !strings.HasPrefix(link, "https://"+r.host.name+"/") || strings.Contains(link, "/../") || strings.ContainsAny(link, "?# ") {
			t.Errorf("%q leads to %s", address, link)
		}
	})
}
