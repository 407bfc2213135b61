package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

func TestAddress_RoundTrip(t *testing.T) {
	for _, tt := range []struct {
		address address
		want    string
	}{
		{address{Language: "go", Package: "net/http", Version: "go1.26.8", Symbol: "Client.Do"}, "/go/net/http@go1.26.8/Client.Do"},
		{address{Language: "go", Package: "example.com/a"}, "/go/example.com/a@project/"},
		{address{Language: "npm", Package: "@scope/name", Version: "1.2.3-rc.1+x", Symbol: "[Symbol.iterator]"}, "/npm/@scope/name@1.2.3-rc.1+x/%5BSymbol.iterator%5D"},
		{address{Language: "rust", Package: "tokio::sync", Version: "1.0.0", Symbol: "Mutex::lock"}, "/rust/tokio::sync@1.0.0/Mutex::lock"},
		{address{Language: "swift", Package: "a@b", Version: "feature/x", Symbol: "Point./(_:_:)"}, "/swift/a%40b@feature%2Fx/Point.%2F%28_:_:%29"},
		{address{Language: "python", Package: "p", Version: "1", Symbol: "?a=#b%"}, "/python/p@1/%3Fa=%23b%25"},
		{address{Language: "npm", Package: "p", Version: "1", View: docView, Name: "docs/a b.md"}, "/npm/p@1/-/doc/docs/a%20b.md"},
	} {
		if got := tt.address.String(); got != tt.want {
			t.Errorf("%+v is at %s, want %s", tt.address, got, tt.want)
		}
		if back, ok := parseAddress(tt.want); !ok || back != tt.address {
			t.Errorf("%s is %+v, %v; want %+v", tt.want, back, ok, tt.address)
		}
	}
	for _, path := range []string{"/", "/go", "/go/", "//", "/go/@", "/go/a%zz@1/", "/go/a@%zz/", "/go/a@1/%zz", "/go/a@1/-/doc", "/go/a@1/-/doc/"} {
		if a, ok := parseAddress(path); ok && (a.Package == "" || a.View != "" && a.Name == "") {
			t.Errorf("%s is %+v", path, a)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, path := range []string{"/go/net/http@go1.26.8/Client.Do", "/npm/@scope/name", "/a/b@c/-/doc/d", "/x/%2e%2e/..@/."} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		a, ok := parseAddress(path)
		if !ok {
			return
		}
		back, ok := parseAddress(a.String())
		if !ok || back != a {
			t.Errorf("%q is %+v, which is at %q, which is %+v", path, a, a.String(), back)
		}
	})
}

// emptySite is the site of a directory without a project.
func emptySite(t *testing.T) *Site {
	t.Helper()
	s, err := New(Options{Lookup: lookup.New(store.New(nil, store.Options{})), Project: t.TempDir(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSite_RefusesOtherSites(t *testing.T) {
	s := emptySite(t)
	for _, tt := range []struct {
		name, method, host string
		header             map[string]string
		status             int
	}{
		{"by address", "GET", "127.0.0.1:8420", nil, http.StatusOK},
		{"by name", "HEAD", "localhost:8420", nil, http.StatusOK},
		{"by address of version 6", "GET", "[::1]:8420", nil, http.StatusOK},
		{"by a name that somebody made to point here", "GET", "docs.example:8420", nil, http.StatusForbidden},
		{"without a host", "GET", "", nil, http.StatusForbidden},
		{"by an address of the network", "GET", "192.0.2.1:8420", nil, http.StatusForbidden},
		{"from a page of its own", "GET", "localhost:8420", map[string]string{"Origin": "http://localhost:8420", "Sec-Fetch-Site": "same-origin"}, http.StatusOK},
		{"from another site", "GET", "localhost:8420", map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		{"from another port", "GET", "localhost:8420", map[string]string{"Origin": "http://localhost:9000"}, http.StatusForbidden},
		{"from a sandbox", "GET", "localhost:8420", map[string]string{"Origin": "null"}, http.StatusForbidden},
		{"as an image of another site", "GET", "localhost:8420", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, http.StatusForbidden},
		{"in a frame of another site", "GET", "localhost:8420", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, http.StatusForbidden},
		{"by a link of another site", "GET", "localhost:8420", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, http.StatusOK},
		{"to change something", "POST", "localhost:8420", nil, http.StatusMethodNotAllowed},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, "/", nil)
		r.Host = tt.host
		for name, value := range tt.header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != tt.status {
			t.Errorf("%s: %d, want %d", tt.name, w.Code, tt.status)
		}
	}
}

func TestSite_PolicyAllowsNothingFromElsewhere(t *testing.T) {
	s := emptySite(t)
	for _, path := range []string{"/", "/nothing", "/-/search?q=x", "/-/assets/web.js", "/-/assets/none", "/go/net/http"} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		directives := map[string]string{}
		for d := range strings.SplitSeq(w.Header().Get("Content-Security-Policy"), ";") {
			name, sources, _ := strings.Cut(strings.TrimSpace(d), " ")
			directives[name] = sources
		}
		for name, want := range map[string]string{
			"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'", "connect-src": "'self'",
			"base-uri": "'none'", "form-action": "'self'", "frame-ancestors": "'none'", "require-trusted-types-for": "'script'", "trusted-types": "'none'",
		} {
			if directives[name] != want {
				t.Errorf("%s: %s is %q, want %q", path, name, directives[name], want)
			}
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if body := w.Body.String(); strings.Contains(w.Header().Get("Content-Type"), "html") && (strings.Contains(body, "<style") || strings.Contains(body, " style=") || strings.Contains(body, "<script>")) {
			t.Errorf("%s has styles or scripts within the page", path)
		}
	}
}

func TestSentence_IsPlainText(t *testing.T) {
	for md, want := range map[string]string{
		"Makes **one** `New`. And more.": "Makes one New.",
		"Sting is \\<b\\> of a\\_b.":     "Sting is <b> of a_b.",
		"Matches `\\.` and \\*.":         "Matches \\. and *.",
		"":                               "",
	} {
		if got := sentence(md); got != want {
			t.Errorf("%q is %q, want %q", md, got, want)
		}
	}
}
