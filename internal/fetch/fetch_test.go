package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/memory"
)

// client is one for tests: no environment proxy, and waits are noted instead of slept.
func client(o Options) (*Client, *[]time.Duration) {
	if o.Proxy == nil {
		o.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	}
	c := New(o)
	var waits []time.Duration
	c.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	return c, &waits
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// status returns a handler that responds with the given status codes in turn, and then with 200.
func status(codes ...int) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if len(codes) > 0 {
			http.Error(w, "not: found\x1b[31m", codes[0])
			codes = codes[1:]
			return
		}
		io.WriteString(w, "body")
	}
}

func kindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

func TestAnAnswerIsReadWithItsValidators(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "docent/1.2" || r.Header.Get("Accept") != "text/x" {
			t.Errorf("headers: %v", r.Header)
		}
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Cache-Control", "public, max-age=60")
		if r.Header.Get("If-None-Match") == `"a"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, "body")
		z.Close()
	})
	c, _ := client(Options{Version: "1.2"})
	r, err := c.Get(t.Context(), Request{URL: s.URL, Configured: true, Accept: "text/x"})
	if err != nil || string(r.Body) != "body" || r.ETag != `"a"` || r.MaxAge != time.Minute {
		t.Fatalf("got %+v, %v", r, err)
	}
	r, err = c.Get(t.Context(), Request{URL: s.URL, Configured: true, Accept: "text/x", ETag: r.ETag})
	if err != nil || !r.NotModified {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestFailuresAreSortedAndRetriedWhereThatCanHelp(t *testing.T) {
	tests := []struct {
		name  string
		codes []int
		kind  Kind
		waits int
	}{
		{"a missing thing is not asked for again", []int{404}, NotFound, 0},
		{"nor one that is gone", []int{410}, Gone, 0},
		{"nor a forbidden one", []int{403}, Denied, 0},
		{"a busy server is", []int{429, 200}, "", 1},
		{"a broken one is, until the attempts are used up", []int{500, 502, 503}, Failed, 2},
		{"what a server does not implement stays so", []int{501}, Failed, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, waits := client(Options{})
			_, err := c.Get(t.Context(), Request{URL: serve(t, status(tt.codes...)).URL, Configured: true})
			if kindOf(err) != tt.kind || len(*waits) != tt.waits {
				t.Errorf("got %v after %d waits", err, len(*waits))
			}
			if err != nil && (strings.ContainsAny(err.Error(), "\n\x1b") || !strings.Contains(err.Error(), fmt.Sprint(tt.codes[len(tt.codes)-1]))) {
				t.Errorf("not one clean sentence: %q", err)
			}
		})
	}
}

func TestAServerSaysHowLongToWait(t *testing.T) {
	for header, want := range map[string]struct {
		waits int
		kind  Kind
	}{"2": {1, ""}, "3600": {0, Busy}, "soon": {1, ""}} {
		requests := 0
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if requests++; requests == 1 {
				w.Header().Set("Retry-After", header)
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		c, waits := client(Options{})
		_, err := c.Get(t.Context(), Request{URL: s.URL, Configured: true})
		if kindOf(err) != want.kind || len(*waits) != want.waits {
			t.Errorf("Retry-After: %s gave %v and waits %v", header, err, *waits)
		}
		if header == "2" && (*waits)[0] != 2*time.Second {
			t.Errorf("waited %v", *waits)
		}
	}
}

func TestAServerThatHangsIsLeft(t *testing.T) {
	release := make(chan struct{})
	var requests atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/body" {
			io.WriteString(w, "begin")
			w.(http.Flusher).Flush()
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	c, waits := client(Options{Stall: 50 * time.Millisecond})
	for _, path := range []string{"/header", "/body"} {
		requests.Store(0)
		_, err := c.Get(t.Context(), Request{URL: s.URL + path, Configured: true})
		if kindOf(err) != Timeout || !strings.Contains(err.Error(), "the host sent no data for 50ms (set DOCENT_STALL_TIMEOUT to wait longer)") {
			t.Errorf("%s: got %v", path, err)
		}
		if requests.Load() != 1 || len(*waits) > 0 {
			t.Errorf("%s: asked %d times", path, requests.Load())
		}
	}
	c, _ = client(Options{Stall: time.Minute})
	until := WithNetworkUntil(t.Context(), time.Now().Add(50*time.Millisecond))
	requests.Store(0)
	if _, err := c.Get(until, Request{URL: s.URL + "/body", Configured: true}); kindOf(err) != Timeout || !strings.Contains(err.Error(), "the host sent no data in time") {
		t.Errorf("with limited time: got %v", err)
	}
	if _, err := c.Get(until, Request{URL: s.URL + "/body", Configured: true}); kindOf(err) != Offline || requests.Load() != 1 {
		t.Errorf("after that time: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, Request{URL: s.URL, Configured: true}); kindOf(err) != Stopped || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheStallTimeoutIsADurationOrSeconds(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": 0, "20": 20 * time.Second, "1m30s": 90 * time.Second, "100ms": 100 * time.Millisecond, "-1": 0, "-5s": 0, "soon": 0, "1e9": 0, "99999999999": 0,
	} {
		if got := ParseStall(value); got != want {
			t.Errorf("%q is %s, want %s", value, got, want)
		}
	}
}

func TestABodyIsBoundedAfterDecompression(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/length" {
			w.Header().Set("Content-Length", "1001")
			w.Write(make([]byte, 1001))
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write(make([]byte, 1<<20))
		z.Close()
	})
	c, _ := client(Options{})
	for _, path := range []string{"/length", "/bomb"} {
		if _, err := c.Get(t.Context(), Request{URL: s.URL + path, Configured: true, Limit: 1000}); kindOf(err) != TooLarge || !strings.Contains(err.Error(), "1000 bytes") {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestACredentialStaysWithItsOrigin(t *testing.T) {
	var got []string
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, "other "+r.Header.Get("Authorization"))
	})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, "own "+r.Header.Get("Authorization"))
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/here":
			http.Redirect(w, r, "/there", http.StatusFound)
		}
	})
	c, _ := client(Options{})
	for _, path := range []string{"/away", "/here"} {
		if _, err := c.Get(t.Context(), Request{URL: s.URL + path, Configured: true, Authorization: "Bearer s3cret"}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"own Bearer s3cret", "other ", "own Bearer s3cret", "own Bearer s3cret"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err := c.Get(t.Context(), Request{URL: strings.Replace(serve(t, status(404)).URL, "://", "://u:s3cret@", 1) + "/x?token=s3cret", Configured: true})
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("an error shows a secret: %v", err)
	}
}

func TestRedirectsThatLeadAstrayAreRefused(t *testing.T) {
	target := ""
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
	}
	plain := serve(t, h)
	secure := httptest.NewTLSServer(http.HandlerFunc(h))
	defer secure.Close()
	c, _ := client(Options{TLS: secure.Client().Transport.(*http.Transport).TLSClientConfig, Attempts: 1})
	tests := []struct{ name, from, to, want string }{
		{"to itself without end", plain.URL, plain.URL, "more than 5 redirects"},
		{"to a file", plain.URL, "file:///etc/passwd", "not http or https"},
		{"from https to http", secure.URL, plain.URL, "https to http"},
		{"to the metadata service of a cloud", plain.URL, "http://169.254.169.254/latest", "link-local"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target = tt.to
			if _, err := c.Get(t.Context(), Request{URL: tt.from, Configured: true}); kindOf(err) != Refused || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := c.Get(t.Context(), Request{URL: plain.URL}); kindOf(err) != Refused {
		t.Errorf("a private address that nobody configured: %v", err)
	}
}

func TestSpecialAddressesAreKnownInEveryDisguise(t *testing.T) {
	for _, s := range []string{
		"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
		"255.255.255.255", "198.18.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
		"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001::1", "2001:db8::1", "::7f00:1", "fe80::1%eth0",
	} {
		if !isSpecial(netip.MustParseAddr(s)) {
			t.Errorf("%s passes for public", s)
		}
	}
	for _, s := range []string{"1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101", "::ffff:8.8.8.8"} {
		if isSpecial(netip.MustParseAddr(s)) {
			t.Errorf("%s does not pass for public", s)
		}
	}
	if localNetwork.check(netip.MustParseAddr("10.0.0.1")) != nil || localNetwork.check(netip.MustParseAddr("169.254.169.254")) == nil {
		t.Error("the local network is not what it should be")
	}
}

func TestAProxyOfTheEnvironmentDoesNotOpenPrivateAddresses(t *testing.T) {
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "proxied "+r.Host) })
	u, _ := url.Parse(proxy.URL)
	c, _ := client(Options{Proxy: func(*http.Request) (*url.URL, error) { return u, nil }})
	if r, err := c.Get(t.Context(), Request{URL: "http://registry.example/x"}); err != nil || string(r.Body) != "proxied registry.example" {
		t.Errorf("got %v, %v", r, err)
	}
	if _, err := c.Get(t.Context(), Request{URL: "http://169.254.169.254/x"}); kindOf(err) != Refused {
		t.Errorf("got %v", err)
	}
}

func TestOfflineAsksNobody(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("asked") })
	c, _ := client(Options{Offline: true})
	if _, err := c.Get(t.Context(), Request{URL: s.URL, Configured: true}); kindOf(err) != Offline {
		t.Errorf("got %v", err)
	}
	if _, err := c.Get(t.Context(), Request{URL: "ftp://x/y"}); kindOf(err) != BadURL {
		t.Errorf("got %v", err)
	}
}

func TestASavedFileIsCompleteAndChecked(t *testing.T) {
	data := bytes.Repeat([]byte("data"), 1000)
	sum := sha512.Sum512(data)
	good, err := ParseIntegrity("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk= sha512-" + base64.StdEncoding.EncodeToString(sum[:]))
	if err != nil || len(good) != 1 {
		t.Fatal(good, err)
	}
	tries := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		switch r.URL.Path {
		case "/cut":
			w.Header().Set("Content-Length", "5000")
			w.Write(data)
		case "/cut-once":
			if tries == 1 {
				w.Header().Set("Content-Length", "5000")
			}
			w.Write(data)
		case "/encoded":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(data)
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
		default:
			w.Write(data)
		}
	})
	refuse := func(*os.File, int64) error { return errors.New("not what it claims to be") }
	tests := []struct {
		name, path string
		check      Check
		limit      int64
		kind       Kind
	}{
		{"the right bytes", "/", Check{AnyOf: good}, 0, ""},
		{"the right bytes the second time", "/cut-once", Check{AnyOf: good}, 0, ""},
		{"wrong bytes", "/", Check{AnyOf: []Digest{{"sha512", make([]byte, 64)}}}, 0, Mismatch},
		{"bytes that fail the caller's check", "/", Check{File: refuse}, 0, Mismatch},
		{"too many bytes", "/", Check{}, 100, TooLarge},
		{"a broken connection", "/cut", Check{}, 0, Unreachable},
		{"an encoding that was not asked for", "/encoded", Check{}, 0, Failed},
		{"nothing", "/missing", Check{}, 0, NotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tries = 0
			f, err := os.Create(filepath.Join(t.TempDir(), "file"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			c, _ := client(Options{})
			err = c.Save(t.Context(), Request{URL: s.URL + tt.path, Configured: true, Limit: tt.limit}, f, tt.check)
			if kindOf(err) != tt.kind {
				t.Fatalf("got %v", err)
			}
			if tt.kind == Mismatch && tries != 1 {
				t.Errorf("tried %d times", tries)
			}
			if err == nil {
				if got, _ := os.ReadFile(f.Name()); !bytes.Equal(got, data) {
					t.Errorf("got %d bytes", len(got))
				}
			} else if !strings.Contains(err.Error(), s.URL) {
				t.Errorf("the error does not say where: %v", err)
			}
		})
	}
}

func TestIntegrityStrings(t *testing.T) {
	for _, s := range []string{"", "md5-xxxx", "sha512-short", "sha512"} {
		if _, err := ParseIntegrity(s); err == nil {
			t.Errorf("%q was read", s)
		}
	}
	if _, err := ParseHex("sha1", strings.Repeat("0a", 20)); err != nil {
		t.Error(err)
	}
	if _, err := ParseHex("sha1", "zz"); err == nil {
		t.Error("zz was read")
	}
}

func TestNetrc(t *testing.T) {
	logins := ParseNetrc([]byte("# comment\nmachine a.example login me\n password p#w\nmacdef init\nmachine evil login x\n\nmachine b.example login macdef password machine\ndefault login any password thing\n"))
	want := []Login{{"a.example", "me", "p#w"}, {"b.example", "macdef", "machine"}, {"", "any", "thing"}}
	if !slices.Equal(logins, want) {
		t.Errorf("got %+v", logins)
	}
	if l, ok := LoginFor(logins, "B.example"); !ok || l.User != "macdef" {
		t.Errorf("got %+v", l)
	}
	if l, ok := LoginFor(logins[:2], "evil"); ok {
		t.Errorf("got %+v", l)
	}
}

func FuzzNetrc(f *testing.F) {
	f.Add([]byte("machine a login b password c\nmacdef x\ny\n\ndefault login d"))
	f.Add([]byte("machine\nlogin\npassword default macdef"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, l := range ParseNetrc(data) {
			if strings.ContainsAny(l.Machine+l.User+l.Password, " \n\t") {
				t.Errorf("%+v", l)
			}
		}
	})
}

func FuzzIntegrity(f *testing.F) {
	f.Add("sha512-AAAA sha256-BBBB?opt")
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseIntegrity(s); err == nil && len(d) == 0 {
			t.Error("no digest and no error")
		}
	})
}

// TestRequestsGiveMemoryToOthers checks that another task runs while one waits for a response.
func TestRequestsGiveMemoryToOthers(t *testing.T) {
	request, answer := make(chan bool, 1), make(chan bool, 1)
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		request <- true
		<-answer
		_, _ = io.WriteString(w, "body")
	})
	c, _ := client(Options{})
	budget := memory.New(1) // The budget has room for one task.
	done := make(chan error, 1)
	go func() {
		done <- budget.Do(t.Context(), func(ctx context.Context) error {
			_, err := c.Get(ctx, Request{URL: s.URL, Configured: true})
			return err
		})
	}()
	select {
	case <-request:
	case err := <-done:
		t.Fatal(err)
	}
	if err := budget.Do(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
	answer <- true
	if err := <-done; err != nil {
		t.Error(err)
	}
}
