package rust

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// hosting is a world whose registry is the default one, with a docs host.
type hosting struct {
	*world
	cache    *cachedir.Cache
	rs       *Rust
	start    func(offline bool) // start creates rs again, with the same cache.
	answer   func(http.ResponseWriter)
	requests []string
}

func newHosting(t *testing.T) *hosting {
	t.Helper()
	h := &hosting{world: newWorld(t), cache: cachedir.New(t.TempDir(), cachedir.Options{}), answer: func(out http.ResponseWriter) { http.Error(out, "none", http.StatusNotFound) }}
	host := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		h.requests = append(h.requests, r.URL.Path)
		h.answer(out)
	}))
	t.Cleanup(host.Close)
	h.config("")
	h.start = func(offline bool) {
		h.rs = New(ecosystem.Options{Env: h.env, Offline: offline, Cache: h.cache})
		h.rs.standard = &defaultIndex{index: h.server.URL + "/"}
		h.rs.docs = docsHost{address: host.URL + "/{crate}/{version}.gz", anywhere: true, maxText: 1 << 16}
	}
	h.start(false)
	h.publish("gaps", "1.0.0", "", map[string]string{"src/lib.rs": "/// Of the source.\npub fn plain() {}\n#[cfg(feature = \"x\")] pub fn off() {}\nunknown::declare! { declared }\n", "Cargo.toml": "[package]\nname = \"gaps\"\nversion = \"1.0.0\"\n[features]\nx = []\n"})
	h.publish("whole", "1.0.0", "", nil)
	return h
}

// ask returns the names of the symbols of a crate, and the warnings.
func (h *hosting) ask(name string) string {
	h.t.Helper()
	p, err := ecosystem.Describe(h.t.Context(), h.rs, ecosystem.Query{Package: name, Version: "1.0.0"}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	text := ""
	for _, s := range p.Symbols {
		text += s.Path + " "
	}
	return text + strings.Join(p.Warnings, " ")
}

func TestTheDocsHostFillsGaps(t *testing.T) {
	h := newHosting(t)
	item := func(name, id string) string {
		return strings.ReplaceAll(strings.ReplaceAll(`, "ID": {"id": "ID", "crate_id": 0, "name": "NAME", "visibility": "public", "docs": "Of the host.", "inner": {"function": {"sig": {"inputs": [], "output": null, "is_c_variadic": false}, "generics": {"params": [], "where_predicates": []}, "header": {"is_const": false, "is_unsafe": false, "is_async": false, "abi": "Rust"}, "has_body": true}}}`, "ID", id), "NAME", name)
	}
	text := strings.Replace(strings.Replace(documented, `["0:1"]`, `["0:1", "0:2", "0:3"]`, 1), "\n}, \"paths\"", item("plain", "0:2")+item("off", "0:3")+"\n}, \"paths\"", 1)
	h.answer = func(out http.ResponseWriter) { _, _ = out.Write(filetest.Gzip(t, text)) }
	p, err := ecosystem.Describe(t.Context(), h.rs, ecosystem.Query{Package: "gaps", Version: "1.0.0"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Symbols {
		got = append(got, s.Path+": "+s.Doc)
	}
	if want := "declared: Is declared.; plain: Of the source."; strings.Join(got, "; ") != want || len(p.Elsewhere) != 1 {
		t.Errorf("got %s and %d that are off, want %s", strings.Join(got, "; "), len(p.Elsewhere), want)
	}
	if warnings := strings.Join(p.Warnings, " "); !strings.Contains(warnings, "includes 1 additional declaration from rustdoc on the docs host") {
		t.Errorf("the warnings are %s", warnings)
	}
	h.ask("gaps")
	h.ask("whole")
	if strings.Join(h.requests, " ") != "/gaps/1.0.0.gz" {
		t.Errorf("the host was asked for %q", h.requests)
	}
}

func TestFaultsOfTheDocsHost(t *testing.T) {
	good := filetest.Gzip(t, documented)
	for _, tc := range []struct {
		name   string
		answer func(http.ResponseWriter)
		want   string
	}{
		{"no file", func(out http.ResponseWriter) { http.Error(out, "", http.StatusNotFound) }, "did not use the rustdoc JSON of gaps 1.0.0 from the docs host: there is none."},
		{"refused", func(out http.ResponseWriter) { http.Error(out, "", http.StatusForbidden) }, "did not use the rustdoc JSON of gaps 1.0.0 from the docs host: "},
		{"a web page", func(out http.ResponseWriter) { _, _ = out.Write([]byte("<html>")) }, "it is not compressed with gzip"},
		{"cut off", func(out http.ResponseWriter) { _, _ = out.Write(good[:len(good)-20]) }, "unexpected EOF"},
		{"of another version", func(out http.ResponseWriter) {
			_, _ = out.Write(filetest.Gzip(t, strings.ReplaceAll(documented, "1.0.0", "2.0.0")))
		}, "it is for version 2.0.0, not 1.0.0"},
		{"of an unknown format", func(out http.ResponseWriter) {
			_, _ = out.Write(filetest.Gzip(t, strings.Replace(documented, "39", "9999", 1)))
		}, "format version 9999 is not supported"},
		{"too large", func(out http.ResponseWriter) {
			_, _ = out.Write(filetest.Gzip(t, strings.Repeat(" ", 1<<16)+documented))
		}, "it is larger than 65536 bytes"},
		{"no JSON", func(out http.ResponseWriter) { _, _ = out.Write(filetest.Gzip(t, "[]")) }, "did not use the rustdoc JSON of gaps 1.0.0 from the docs host: "},
	} {
		h := newHosting(t)
		h.answer = tc.answer
		if got := h.ask("gaps"); !strings.HasPrefix(got, "plain ") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %s", tc.name, got)
		}
		h.answer = func(out http.ResponseWriter) { _, _ = out.Write(good) }
		if got := h.ask("gaps"); !strings.HasPrefix(got, "declared plain ") {
			t.Errorf("%s: once the host is well, got %s", tc.name, got)
		}
	}
}

// TestWhenTheDocsHostIsAsked checks that the docs host is not queried about crates on
// this machine or from another registry.
func TestWhenTheDocsHostIsAsked(t *testing.T) {
	for _, tc := range []struct {
		name      string
		prepare   func(*hosting)
		requested bool
	}{
		{"a release of the default registry", func(*hosting) {}, true},
		{"a registry that replaces the default one", func(h *hosting) {
			h.config("[source.crates-io]\nreplace-with = \"mirror\"\n[source.mirror]\nregistry = \"sparse+" + h.server.URL + "/\"\n")
		}, false},
		{"a crate on this machine", func(h *hosting) { h.unpacked("gaps", "1.0.0") }, false},
	} {
		h := newHosting(t)
		tc.prepare(h)
		h.ask("gaps")
		if requested := len(h.requests) > 0; requested != tc.requested {
			t.Errorf("%s: the docs host was asked: %v", tc.name, requested)
		}
	}
}

func TestTheDocsHostWithoutANetwork(t *testing.T) {
	h := newHosting(t)
	h.ask("gaps") // This is a version that the docs host does not have.
	h.start(true)
	if got := h.ask("gaps"); !strings.HasPrefix(got, "plain ") || strings.Contains(got, "docs host") {
		t.Errorf("nothing is cached: got %s", got)
	}
	h.answer = func(out http.ResponseWriter) { _, _ = out.Write(filetest.Gzip(t, documented)) }
	h.start(false)
	h.ask("gaps")
	h.start(true)
	if got := h.ask("gaps"); !strings.HasPrefix(got, "declared plain ") {
		t.Errorf("the file is cached: got %s", got)
	}
}
