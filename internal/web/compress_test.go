package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask requests a page of a site.
func ask(t testing.TB, h http.Handler, path string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Host = "localhost"
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestSite_Compression(t *testing.T) {
	s := emptySite(t)
	for _, path := range []string{"/", "/nothing", "/-/assets/style.css", "/-/assets/icon.svg"} {
		plain := ask(t, s, path, nil)
		if coding := plain.Header().Get("Content-Encoding"); coding != "" || plain.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: the coding is %q without a request for one", path, coding)
		}
		for accepted, want := range map[string]string{"gzip": "gzip", "br, gzip;q=0.8": "gzip", "br": "", "gzip;q=0": "", "gzip; q=0.0": ""} {
			w := ask(t, s, path, map[string]string{"Accept-Encoding": accepted})
			if coding := w.Header().Get("Content-Encoding"); coding != want || w.Code != plain.Code {
				t.Errorf("%s: status %d, and the coding is %q for %q", path, w.Code, coding, accepted)
			}
			if want == "" {
				continue
			}
			body, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(body); err != nil || string(text) != plain.Body.String() {
				t.Errorf("%s: %v, and the text differs from the one that is not compressed", path, err)
			}
		}
	}
	w := httptest.NewRecorder()
	c := &compressed{ResponseWriter: w}
	c.Header().Set("Content-Type", "image/png")
	_, _ = c.Write([]byte(strings.Repeat("x", 5000)))
	c.end()
	if w.Header().Get("Content-Encoding") != "" || w.Body.Len() != 5000 {
		t.Error("an image is compressed again")
	}
}

func TestSite_AssetsAreKept(t *testing.T) {
	s := emptySite(t)
	page := ask(t, s, "/", nil).Body.String()
	_, rest, _ := strings.Cut(page, `rel="stylesheet" href="`)
	href, _, _ := strings.Cut(rest, `"`)
	for path, cached := range map[string]bool{href: true, href + "0": false, "/-/assets/style.css": false} {
		w := ask(t, s, path, nil)
		if got := strings.Contains(w.Header().Get("Cache-Control"), "immutable"); got != cached || w.Code != http.StatusOK {
			t.Errorf("%s: status %d, kept: %v", path, w.Code, got)
		}
	}
}

// flushes records what had been written when a response was flushed for the first time.
type flushes struct {
	*httptest.ResponseRecorder
	first string
}

func (f *flushes) Flush() {
	if f.first == "" {
		f.first = f.Body.String()
	}
}

func TestHome_HeadIsSentFirst(t *testing.T) {
	for _, path := range []string{"/", "/-/search?q=open"} {
		w := &flushes{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Host = "localhost"
		newSite(t, &manual{}, t.TempDir()).ServeHTTP(w, r)
		page := w.Body.String()
		if !strings.Contains(w.first, `id="q"`) || strings.Contains(w.first, "<main") || strings.Count(page, "<!doctype") != 1 || !strings.Contains(page, "</html>") {
			t.Errorf("%s is flushed after %q", path, w.first)
		}
	}
}
