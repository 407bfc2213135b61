package python

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestHostileIndexesEndInOneSentence uses an index that misbehaves when a page or a
// wheel is requested.
func TestHostileIndexesEndInOneSentence(t *testing.T) {
	status := func(code int, header ...string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			http.Error(w, "in trouble", code)
		}
	}
	body := func(text string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
	}
	for _, tt := range []struct {
		name       string
		answer     http.HandlerFunc
		page, file string // words in the error
	}{
		{"it drips", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(1<<20))
			for range 1 << 20 { // Send one byte at a time, until the client gives up.
				if _, err := w.Write([]byte{' '}); err != nil || r.Context().Err() != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
			}
		}, "did not finish within", "did not finish within"},
		{"it says nothing", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "did not finish within", "did not finish within"},
		{"it redirects to itself", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, "more than 5 redirects", "more than 5 redirects"},
		{"it redirects in a circle of two", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"?"+strconv.FormatBool(r.URL.RawQuery != "true"), http.StatusTemporaryRedirect)
		}, "more than 5 redirects", "more than 5 redirects"},
		{"it redirects ever further", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"/x", http.StatusMovedPermanently)
		}, "more than 5 redirects", "more than 5 redirects"},
		{"it redirects to a file", status(http.StatusFound, "Location", "file:///etc/passwd"), "redirect", "redirect"},
		{"it sends HTML in place of JSON", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
			_, _ = w.Write([]byte("<!DOCTYPE html><title>Log in</title><form></form>"))
		}, "lists no readable files of till", "does not match the sha256 that the index gives"},
		{"it sends JSON of something else", body(`[1, 2]`), "is not a page of a package index", "does not match the sha256 that the index gives"},
		{"it sends deeply nested JSON", body(`{"files":` + strings.Repeat("[", 100_000)), "is not a page of a package index", "does not match the sha256 that the index gives"},
		{"it sends nothing", body(""), "is not a page of a package index", "does not match the sha256 that the index gives"},
		{"404", status(http.StatusNotFound), "has no till", "the index lists till-2.0-py3-none-any.whl, but"},
		{"410", status(http.StatusGone), "has no till", "the index lists till-2.0-py3-none-any.whl, but"},
		{"429", status(http.StatusTooManyRequests, "Retry-After", "3600"), "429", "429"},
		{"500", status(http.StatusInternalServerError), "500", "500"},
		{"503", status(http.StatusServiceUnavailable, "Retry-After", "3600"), "503", "503"},
		{"it is cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write([]byte(`{"files":[`))
			panic(http.ErrAbortHandler)
		}, "the download of till failed", "the download of till-2.0-py3-none-any.whl failed"},
		{"it hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the download of till failed", "the download of till-2.0-py3-none-any.whl failed"},
	} {
		for _, stage := range []struct{ prefix, want string }{{"/simple/", tt.page}, {"/files/", tt.file}} {
			s := shop(t)
			s.answer = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, stage.prefix) {
					return false
				}
				tt.answer(w, r)
				return true
			}
			w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
			if tt.page == "did not finish within" { // These responses never end.
				w.options.Timeout = 500 * time.Millisecond
			}
			err := w.refused(w.query("till"))
			text := err.Error()
			if !strings.Contains(text, stage.want) || strings.Contains(text, "\n") {
				t.Errorf("%s, %s: %s", tt.name, stage.prefix, text)
			}
			if rest := w.options.Cache.List("python/files"); len(rest) > 0 {
				t.Errorf("%s: %q is kept", tt.name, rest)
			}
		}
	}
}
