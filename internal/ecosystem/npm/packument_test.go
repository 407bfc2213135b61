package npm

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// bigPackument returns the response from a registry that does not support the short
// form: 2,000 versions with complete package.json files, and a README.
func bigPackument(tb testing.TB, url string) []byte {
	tb.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"name":"big","dist-tags":{"latest":"1.0.1999"},"readme":%q,"versions":{`, strings.Repeat("# Big\n", 20_000))
	many := strings.Repeat(`"some-dependency-of-it":"^1.2.3",`, 150)
	for i := range 2000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"1.0.%d":{"name":"big","version":"1.0.%d","dependencies":{%s"last":"1"},"dist":{"shasum":"%040d","integrity":"sha512-%s==","tarball":"%s/big/-/big-1.0.%d.tgz","signatures":[{"keyid":"x","sig":"y"}]}}`,
			i, i, many, i, strings.Repeat("A", 86), url, i)
	}
	b.WriteString("}}")
	return b.Bytes()
}

func TestALargePackumentIsNeverInMemoryAsAWhole(t *testing.T) {
	var body []byte
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	defer s.Close()
	body = bigPackument(t, s.URL)
	if len(body) < 10<<20 {
		t.Fatalf("the packument has %d bytes only", len(body))
	}
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	f, err := w.npm().newFinder(context.Background(), question{name: "big"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.registryOf(t.Context(), "big")
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := f.packument(t.Context(), r, "big", false, func(*packument) bool { return false })
	runtime.ReadMemStats(&after)
	if err != nil || len(p.Versions) != 2000 {
		t.Fatalf("got %+v, %v", p, err)
	}
	// This counts all allocations, including those of the server, which runs in this
	// process.
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(body))/2 {
		t.Errorf("%d bytes were allocated for one of %d", used, len(body))
	} else {
		t.Logf("%d KiB were allocated for one of %d KiB", used>>10, len(body)>>10)
	}
}

// TestVersionsAreChosenAsNpmChooses compares docent's choices with those of npm's own
// code for random packuments.
func TestVersionsAreChosenAsNpmChooses(t *testing.T) {
	data, err := os.ReadFile("testdata/picked.tsv")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 5 {
			continue
		}
		p := &packument{Tags: map[string]string{}, Versions: map[string]release{}}
		for i, tag := range []string{"latest", "next"} {
			if v := f[2+i]; v != "" {
				p.Tags[tag] = v
			}
		}
		for v := range strings.FieldsSeq(f[4]) {
			v, deprecated := strings.CutSuffix(v, "!")
			p.Versions[v] = release{Deprecated: map[bool]string{true: "x"}[deprecated]}
		}
		got, ok := p.pick(f[0])
		if !ok {
			got = ""
		}
		if compared++; got != f[1] {
			t.Errorf("%q of %s is %q, and npm takes %q", f[0], f[4], got, f[1])
		}
	}
	if compared < 300 {
		t.Errorf("%d were compared", compared)
	}
}

func BenchmarkPackument(b *testing.B) {
	body := bigPackument(b, "https://r.example")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parsePackument(bytes.NewReader(body)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAnswersAreAskedForInShortAndOnlyIfTheyChanged(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	modified, accepts := "Sat, 01 Nov 2025 10:00:00 GMT", ""
	s.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/till" {
			return false
		}
		accepts = r.Header.Get("Accept")
		w.Header().Set("Last-Modified", modified)
		if r.Header.Get("If-Modified-Since") == modified {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
		return false
	}
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	describe(t, w.npm(), "till", "", "")
	if !strings.HasPrefix(accepts, "application/vnd.npm.install-v1+json") || !strings.Contains(accepts, "application/json") {
		t.Errorf("accepted is %q", accepts)
	}
	s.requests()
	makeOld(t, w.newCache())
	describe(t, w.npm(), "till", "", "")
	if log := s.requests(); len(log) != 1 || !strings.HasPrefix(log[0], "/till 0") { // The interceptor recorded the request.
		t.Errorf("asked %q", log)
	}
	// A changed packument is used.
	makeOld(t, w.newCache())
	modified = "Sun, 02 Nov 2025 10:00:00 GMT"
	s.publish("till", "1.1.0", packed(t, "till", "1.1.0", "coins"), "latest")
	if p := describe(t, w.npm(), "till", "", ""); p.Version != "1.1.0" {
		t.Errorf("the newest is %s", p.Version)
	}
}

func TestWhatIsNoPackumentIsReportedInOneSentence(t *testing.T) {
	for _, body := range []string{"", "<html>", `{"versions":[]}`, `{"versions":{"1.0.0":`, `[]`} {
		s := newStub(t)
		s.intercept = func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(body))
			return true
		}
		e := failure(t, newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL).npm(), "till", "")
		if e.Reason != ecosystem.Unreadable || !strings.Contains(e.What, "not a valid registry document") || len(s.requests()) != 1 {
			t.Errorf("%q: said %v", body, e)
		}
	}
}

func TestADeprecatedNewestGivesWay(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "old"))
	s.publish("till", "1.1.0", packed(t, "till", "1.1.0", "coins"))
	s.publish("till", "2.0.0", packed(t, "till", "2.0.0", "broken"), "latest")
	s.packuments["till"]["versions"].(map[string]any)["2.0.0"].(map[string]any)["deprecated"] = "broken, use 1.1.0"
	n := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL).npm()
	if p := describe(t, n, "till", "", ""); p.Version != "1.1.0" || p.Deprecated != "" {
		t.Errorf("the newest is %s, %q", p.Version, p.Deprecated)
	}
	if p := describe(t, n, "till", "latest", ""); p.Version != "2.0.0" || p.Deprecated != "broken, use 1.1.0" {
		t.Errorf("latest is %s, %q", p.Version, p.Deprecated)
	}
}
