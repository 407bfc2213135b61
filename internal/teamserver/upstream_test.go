package teamserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/upstream"
)

// library is a language of a server. It has the package "pen" and, if the variable TOKEN is set,
// the package "secret".
type library struct {
	shelf
	token string
}

func (l library) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if q.Package == "secret" && l.token == "" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "there is no package secret").WithNear("pen").WithNext("check the name")
	}
	name := q.Package
	q.Package = strings.Replace(strings.Replace(name, "pen", "turtle", 1), "secret", "turtle", 1)
	found, err := l.shelf.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	read := found.Read
	found.Read = func(ctx context.Context) (*apidoc.Package, error) {
		p, err := read(ctx)
		p.Name = name
		p.Provenance = apidoc.Provenance{Source: "registry", Location: "/srv/cache", ChosenBy: "newest release, no project given"}
		p.Advice = []string{ecosystem.Unchosen}
		return p, err
	}
	found.File = func(_ context.Context, file string) ([]byte, error) {
		switch file {
		case "turtle.tape", ".env":
			return []byte("one\ntwo\nplot(x) // the source\n"), nil
		}
		return nil, fs.ErrNotExist
	}
	return found, nil
}

// laptop is a language of a client. It has the package "local" and another version of the package
// "old". Its project uses version 1 of "pinned".
type laptop struct{ tape }

func (l laptop) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	name, _, _ := strings.Cut(q.Package, "@")
	switch {
	case name == "local" || name == "old" && !fetch.HasUpstream(ctx):
		return l.tape.Find(ctx, q)
	case name == "unknown":
		return nil, ecosystem.Fail(ecosystem.NotFound, "there is no package %s", q.Package)
	case !fetch.NetworkOff(ctx):
		panic("the network is on")
	}
	failed := ecosystem.Fail(ecosystem.Unreachable, "%s is not on this machine, and network access is disabled", q.Package)
	if name == "pinned" && q.Version == "" {
		failed.Missing = &ecosystem.MissingRelease{Package: "pen", Version: "1", ChosenBy: "tape.lock of shop"}
	}
	return nil, failed
}

// client returns a lookup on a machine with an upstream server that has the given URL and key.
func client(t *testing.T, url, key string) *lookup.Lookup {
	t.Helper()
	return clientWith(t, upstream.Settings{Server: url}, key)
}

func clientWith(t *testing.T, o upstream.Settings, key string) *lookup.Lookup {
	t.Helper()
	up := upstream.New(o, "1", func(name string) string { return map[string]string{upstream.KeyVariable: key}[name] })
	cache := cachedir.New(t.TempDir(), cachedir.Options{})
	return lookup.New(store.New(ecosystem.Languages{laptop{}}, store.Options{Upstream: up, Cache: cache}))
}

func TestUpstream(t *testing.T) {
	keys, add := newKeys(t)
	access := filepath.Join(t.TempDir(), "access.jsonl")
	key, project := add("alice", time.Hour), t.TempDir()
	r := start(t, library{}, Options{Keys: keys, Rate: 1000, AccessLog: access})
	l := client(t, r.url+"/mcp", key)
	for _, tt := range []struct {
		q                lookup.Package
		version, by, doc string
		advice           bool // whether the answer contains the advice that no project chose the version
	}{
		{lookup.Package{Name: "pen"}, "2", "newest release, no project given", "Draws.", true},
		{lookup.Package{Name: "pen", Project: project}, "2", "newest release, the project does not use it", "Draws.", false},
		{lookup.Package{Name: "pinned", Project: project}, "1", "tape.lock of shop", "Draws.", false},
		{lookup.Package{Name: "pen@1"}, "1", "newest release, no project given", "Draws.", true},
		{lookup.Package{Name: "local", Project: project}, "2", "test", "Asked for [" + project + "].", false},
	} {
		tt.q.Language = "tape"
		p, err := l.Read(t.Context(), tt.q)
		if err != nil {
			t.Errorf("%+v: %v", tt.q, err)
			continue
		}
		if p.Version != tt.version || p.Provenance.ChosenBy != tt.by || !strings.HasPrefix(p.Doc, tt.doc) || (len(p.Advice) > 0) != tt.advice || p.Style.Separator != "." {
			t.Errorf("%+v: got %+v %+v %q", tt.q, p, p.Provenance, p.Advice)
		}
		if tt.q.Name != "local" && (!strings.HasPrefix(p.Provenance.Source, "docent server 127.0.0.1:") || strings.Contains(p.Provenance.Location, "/srv")) {
			t.Errorf("%+v: %+v", tt.q, p.Provenance)
		}
	}

	q := lookup.Package{Language: "tape", Name: "pinned", Project: project}
	if a, err := l.Describe(t.Context(), lookup.Description{Package: q, Symbols: "Pen.up"}); err != nil || !strings.Contains(a.Text, "Lifts the pen.") {
		t.Errorf("describe: %v, %v", a, err)
	}
	if a, found, err := l.Search(t.Context(), lookup.Search{Package: q, Query: "draws line", Limit: 5}); err != nil || !found || !strings.Contains(a.Text, "plot") {
		t.Errorf("search: %v, %v", a, err)
	}
	old := lookup.Package{Language: "tape", Name: "pen", Version: "1"}
	if report, err := l.Compare(t.Context(), lookup.Comparison{Old: old, New: lookup.Package{Language: "tape", Version: "2"}}); err != nil || len(report.Changes) != 1 {
		t.Errorf("compare: %+v, %v", report, err)
	}
	sources, _, err := l.Sources(t.Context(), lookup.Description{Package: q, Symbols: "plot"})
	if err != nil || len(sources) != 1 || sources[0].Lines[2] != "plot(x) // the source" {
		t.Errorf("source: %+v, %v", sources, err)
	}
	_, err = l.Read(t.Context(), lookup.Package{Language: "tape", Name: "unknown"})
	if err == nil || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("a package that does not exist for the client: %v", err)
	}
	_, err = l.Read(t.Context(), lookup.Package{Language: "tape", Name: "secret"})
	if failed, ok := errors.AsType[*ecosystem.Error](err); !ok || failed.Reason != ecosystem.NotFound || len(failed.Near) != 1 || !strings.Contains(err.Error(), "there is no package secret, according to 127.0.0.1:") {
		t.Errorf("a package that the server does not have: %v", err)
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	// The test checks which requests were sent, and which packages need no server.
	log := filetest.Read(t, access)
	if strings.Contains(string(log), project) || strings.Contains(string(log), "shop") || strings.Contains(string(log), "unknown") || strings.Contains(string(log), "local/") {
		t.Errorf("the server has seen something of the project: %s", log)
	}
	if p, err := l.Read(t.Context(), q); err != nil || p.Version != "1" {
		t.Errorf("the cache: %v, %v", p, err)
	}
	_, err = l.Read(t.Context(), lookup.Package{Language: "tape", Name: "other"})
	if err == nil || !strings.Contains(err.Error(), "other is not on this machine and cannot be requested from 127.0.0.1:") {
		t.Errorf("without the server: %v", err)
	}
	p, err := l.Read(t.Context(), lookup.Package{Language: "tape", Name: "old"})
	if err != nil || len(p.Advice) != 1 || !strings.HasPrefix(p.Advice[0], "This documentation comes from this machine, because old is not on this machine and cannot be requested from 127.0.0.1:") {
		t.Errorf("another version on this machine: %+v, %v", p, err)
	}
}

func TestUpstream_Offline(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ }))
	t.Cleanup(server.Close)
	up := upstream.New(upstream.Settings{Server: server.URL}, "1", func(string) string { return "" })
	s := store.New(ecosystem.Languages{laptop{}}, store.Options{Upstream: up})
	_, err := s.Describe(t.Context(), "tape", ecosystem.Query{Package: "pen", Offline: true})
	if err == nil || requests != 0 || !strings.Contains(err.Error(), "network access is disabled") {
		t.Errorf("%v, %d requests", err, requests)
	}
}

// TestAttack_Upstream requests packages of other groups, sends wrong keys, and requests files and
// projects of the server.
func TestAttack_Upstream(t *testing.T) {
	keys, add := newKeys(t)
	alice, bob, expired := add("alice", time.Hour, "payments"), add("bob", time.Hour, "search"), add("eve", -time.Hour)
	dir := t.TempDir()
	r := start(t, library{}, Options{
		Keys: keys, Rate: 1000, Groups: map[string]Group{"payments": {Home: t.TempDir(), Environment: []string{"TOKEN=hush"}, Projects: []string{dir}}, "search": {Home: t.TempDir()}},
		NewStore: func(_ string, env []string) *store.Store {
			return store.New(ecosystem.Languages{library{token: environ.Parse(env).Get("TOKEN")}}, store.Options{})
		},
	})
	secret := lookup.Package{Language: "tape", Name: "secret"}
	if p, err := client(t, r.url, alice).Read(t.Context(), secret); err != nil || p.Name != "secret" {
		t.Errorf("the group: %v", err)
	}
	l := client(t, r.url, bob)
	if _, err := l.Read(t.Context(), secret); err == nil || !strings.Contains(err.Error(), "there is no package secret") {
		t.Errorf("another group: %v", err)
	}
	for name, key := range map[string]string{"no key": "", "an expired key": expired, "a key with a line feed": bob + "\nX: y", "a wrong key": "dct_" + strings.Repeat("A", 43)} {
		_, err := client(t, r.url, key).Read(t.Context(), lookup.Package{Language: "tape", Name: "pen"})
		if err == nil || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for path, want := range map[string]int{
		"/v1/encoded/tape/secret": 404, "/v1/files/tape/secret?file=turtle.tape": 404, // requests as bob
		"/v1/files/tape/pen?file=.env": 404, "/v1/files/tape/pen?file=..%2F..%2Fetc%2Fpasswd": 404, "/v1/files/tape/pen?file=%2Fetc%2Fpasswd": 404, "/v1/files/tape/pen": 400,
		"/v1/files/tape/%2Fetc?file=passwd": 403, "/v1/encoded/tape/.%2Fx": 403, "/v1/encoded/tape/pen?version=" + strings.Repeat("1", 3000): 400, "/v1/encoded/disc/pen": 400, "/v1/encoded/tape/pen?index=true": 400,
	} {
		if status, text := r.get(t, bob, path); status != want {
			t.Errorf("%s: status %d, want %d: %.200q", path, status, want, text)
		}
	}
	// The server ignores the project of a request, so that it never sends files of projects.
	if status, text := r.bytes(t, alice, "/v1/encoded/tape/pen?project="+dir); status != 200 || strings.Contains(text, dir) {
		t.Errorf("with a project: %d %q", status, text)
	}
	if status, text := r.bytes(t, alice, "/v1/files/tape/pen?file=turtle.tape"); status != 200 || !strings.Contains(text, "the source") {
		t.Errorf("a file: %d %q", status, text)
	}
	if log := r.log.String(); strings.Contains(log, alice) || strings.Contains(log, bob) {
		t.Errorf("the log has a key:\n%s", log)
	}
}

// bytes is like get, for a response of any type.
func (r *running) bytes(t *testing.T, key, path string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

// TestAttack_HostileUpstream uses upstream servers that do not behave like docent servers.
func TestAttack_HostileUpstream(t *testing.T) {
	encode := func(change func(*apidoc.Package)) string {
		p := &apidoc.Package{Name: "pen", Version: "2", Symbols: []apidoc.Symbol{{Path: "plot", Kind: apidoc.Function, Signature: "plot()"}}}
		change(p)
		data, err := upstream.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	good := encode(func(*apidoc.Package) {})
	header, _, _ := strings.Cut(good, "\n")
	answer := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	ok := func(body string) http.HandlerFunc { return answer(200, upstream.MediaType, body) }
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the client followed a redirect with %q", r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		want    string // part of the expected error; empty if there is none
	}{
		"a good answer":             {ok(good), ""},
		"another program":           {answer(200, "text/html", "<html>"), `its type is "text/html"`},
		"nothing":                   {ok(""), "not an encoded package"},
		"text":                      {ok("docent package\n"), "not an encoded package"},
		"a newer format":            {ok(strings.Replace(good, header, "docent package 99", 1)), "format 99"},
		"no checksum":               {ok(header + "\n"), "incomplete"},
		"a bit that has changed":    {ok(good[:len(good)-1] + string(good[len(good)-1]^1)), "checksum"},
		"half of it":                {ok(good[:len(good)-5]), "checksum"},
		"a group that is missing":   {ok(encode(func(p *apidoc.Package) { p.Symbols[0].Group = 3 })), "invalid line or group"},
		"no name":                   {ok(encode(func(p *apidoc.Package) { p.Name = "" })), "no name"},
		"a redirect":                {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, "redirect"},
		"not found":                 {answer(404, "text/plain", "404 page not found"), "its version is too old"},
		"an error without a reason": {answer(500, "application/json", `{"error":"out of\u001b[2J order"}`), "out of[2J order (status 500)"},
		"an error that is too long": {answer(404, "application/json", `{"error":"x","failure":{"reason":"not found","what":"`+strings.Repeat("y", 1<<19)+`"}}`), "y…"},
		"an unknown reason":         {answer(404, "application/json", `{"failure":{"reason":"sudo","what":"run this"}}`), "run this, according to"},
		"a broken error":            {answer(400, "application/json", `{`), "status 400"},
		"an end in the middle": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", upstream.MediaType)
			w.Header().Set("Content-Length", fmt.Sprint(len(good)))
			_, _ = io.WriteString(w, good[:20])
			panic(http.ErrAbortHandler)
		}, "cannot be requested from"},
		"too many requests": {func() http.HandlerFunc {
			n := 0
			return func(w http.ResponseWriter, r *http.Request) {
				if n++; n == 1 {
					w.Header().Set("Retry-After", "0")
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				ok(good)(w, r)
			}
		}(), ""},
		"more than a package": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", upstream.MediaType)
			_, _ = io.CopyN(w, zeros{}, 65<<20)
		}, "larger than 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(tt.handler)
			t.Cleanup(server.Close)
			p, err := client(t, server.URL, "hush").Read(t.Context(), lookup.Package{Language: "tape", Name: "pen"})
			if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || len(err.Error()) > 4000 || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "\x1b")) {
				t.Errorf("got %v, %v", p, err)
			}
		})
	}
	wrong := httptest.NewServer(ok(good))
	t.Cleanup(wrong.Close)
	if _, err := client(t, wrong.URL, "").Read(t.Context(), lookup.Package{Language: "tape", Name: "pinned"}); err == nil || !strings.Contains(err.Error(), `sent version "2" of pen instead of 1`) {
		t.Errorf("another version: %v", err)
	}
	chatty := httptest.NewServer(ok(encode(func(p *apidoc.Package) {
		for i := range 1000 {
			p.Advice = append(p.Advice, fmt.Sprint("Run \x1b[31m", i, strings.Repeat("x", 5000)))
		}
		p.Provenance.ChosenBy, p.Provenance.Location = "\x1b[2Jme", "file:///etc"
	})))
	t.Cleanup(chatty.Close)
	p, err := client(t, chatty.URL, "").Read(t.Context(), lookup.Package{Language: "tape", Name: "pen"})
	if err != nil || len(p.Advice) > 20 || len(p.Advice[0]) > 1000 || strings.Contains(p.Advice[0]+p.Provenance.ChosenBy, "\x1b") || p.Provenance.Location != "" {
		t.Errorf("sentences of the server: %v", err)
	}
}

// A server's alert can be lost when the connection is reset. The next connection shows it.
func TestUpstream_ClientCertificateAndReset(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	serverCert, serverKey := ours.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "docs"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	ca, _ := write(t, t.TempDir(), ours.cert, ours.key)
	cert, key := theirs.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "alice"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	c := upstream.Certificates{CA: ca}
	c.Cert, c.Key = write(t, t.TempDir(), cert, key)
	config := &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{serverCert.Raw}, PrivateKey: serverKey}}, ClientCAs: x509.NewCertPool()}
	config.ClientCAs.AddCert(ours.cert)
	for name, tt := range map[string]struct {
		next tls.ClientAuthType
		want string
	}{
		"a certificate of another authority": {tls.RequireAndVerifyClientCert, "does not accept the client certificate"},
		"an accepted certificate":            {tls.RequireAnyClientCert, "cannot be requested from"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var served sync.WaitGroup
			served.Go(func() {
				for first := true; ; first = false {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					config := config.Clone()
					if config.ClientAuth = tt.next; first {
						config.ClientAuth = tls.NoClientCert
					}
					secure := tls.Server(conn, config)
					if secure.Handshake() == nil && first {
						_ = conn.(*net.TCPConn).SetLinger(0) // closing resets the connection
					}
					conn.Close()
				}
			})
			t.Cleanup(served.Wait)
			t.Cleanup(func() { l.Close() })
			_, err = clientWith(t, upstream.Settings{Server: "https://" + l.Addr().String(), Certificates: c}, "").Read(t.Context(), lookup.Package{Language: "tape", Name: "pen"})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUpstream_ClientCertificates(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	cert, key := ours.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "docs"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	serverCert, serverKey := write(t, t.TempDir(), cert, key)
	ca, _ := write(t, t.TempDir(), ours.cert, ours.key)
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	r := start(t, library{}, Options{
		TLSCert: serverCert, TLSKey: serverKey, ClientCA: ca, Rate: 1000, AuditLog: audit,
		Groups: map[string]Group{"payments": {Home: t.TempDir(), Environment: []string{"TOKEN=hush"}}},
		NewStore: func(_ string, env []string) *store.Store {
			return store.New(ecosystem.Languages{library{token: environ.Parse(env).Get("TOKEN")}}, store.Options{})
		},
	})
	url := strings.Replace(r.url, "http://", "https://", 1) + "/mcp"
	dir := t.TempDir()
	issue := func(a *authority, name, group string) (certFile, keyFile string) {
		cert, key := a.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: name, OrganizationalUnit: []string{group}}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
		return write(t, dir, cert, key)
	}
	read := func(c upstream.Certificates, name string) error {
		_, err := clientWith(t, upstream.Settings{Server: url, Certificates: c}, "").Read(t.Context(), lookup.Package{Language: "tape", Name: name})
		return err
	}
	want := func(what string, err error, text string) {
		t.Helper()
		if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v, want %q", what, err, text)
		}
	}
	var c upstream.Certificates
	c.CA = ca
	want("no certificate", read(c, "pen"), "needs a key, a token or a client certificate")
	c.Cert, c.Key = issue(ours, "alice", "payments")
	want("a certificate", read(c, "pen"), "")
	want("a package of the group", read(c, "secret"), "")
	want("no authority", read(upstream.Certificates{Cert: c.Cert, Key: c.Key}, "pen"), "unknown authority")

	// A running client uses the renewed certificate, and responses for the old certificate are not
	// cached for another client.
	l := clientWith(t, upstream.Settings{Server: url, Certificates: c}, "")
	if _, err := l.Read(t.Context(), lookup.Package{Language: "tape", Name: "secret"}); err != nil {
		t.Error(err)
	}
	up := upstream.New(upstream.Settings{Server: url, Certificates: c}, "1", func(string) string { return "" })
	before := up.ID()
	issue(ours, "alice", "payments")
	if up.ID() != before {
		t.Error("a renewed certificate of the same client makes the cache useless")
	}
	issue(ours, "bob", "search")
	if up.ID() == before {
		t.Error("two clients have one cache")
	}
	want("another client", read(c, "secret"), "there is no package secret")
	both := filepath.Join(dir, "both.pem")
	var text []byte
	for _, file := range []string{c.Cert, c.Key} {
		data := filetest.Read(t, file)
		text = append(text, data...)
	}
	if err := os.WriteFile(both, text, 0o600); err != nil {
		t.Fatal(err)
	}
	want("one file", read(upstream.Certificates{Cert: both, CA: ca}, "pen"), "")
	issue(theirs, "alice", "payments")
	want("another authority", read(c, "pen"), "does not accept the client certificate")
	log, err := os.ReadFile(audit)
	if err != nil || !strings.Contains(string(log), `"name":"alice"`) || !strings.Contains(string(log), `"name":"bob"`) {
		t.Errorf("the audit log (%v): %s", err, log)
	}

	for what, tt := range map[string]struct {
		server string
		c      upstream.Certificates
		want   string
	}{
		"http":                     {"http://127.0.0.1:1", c, "use https"},
		"a key alone":              {url, upstream.Certificates{Key: c.Key}, "but no certificate"},
		"a missing file":           {url, upstream.Certificates{Cert: "none.pem"}, "cannot be read"},
		"no key":                   {url, upstream.Certificates{Cert: c.Cert}, "cannot be used with the key in the same file"},
		"the key of another one":   {url, upstream.Certificates{Cert: c.Cert, Key: serverKey}, "cannot be used with the key"},
		"no authorities":           {url, upstream.Certificates{CA: c.Key}, "contains no PEM certificate"},
		"an endless file":          {url, upstream.Certificates{Cert: "/dev/zero"}, "is larger than"},
		"the certificate of today": {url, c, ""},
	} {
		if _, err := os.Stat(tt.c.Cert); tt.c.Cert == "/dev/zero" && err != nil {
			continue
		}
		err := upstream.New(upstream.Settings{Server: tt.server, Certificates: tt.c}, "", func(string) string { return "" }).Check()
		want(what, err, tt.want)
		if err != nil && strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("%s: the error quotes a key: %v", what, err)
		}
	}
}

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestUpstream_Settings(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	for _, tt := range []struct{ server, keyFile, key, want string }{
		{"https://docs.example.com/mcp", "", "", ""},
		{"https://docs.example.com/docs/", file("key", "dct_x\n"), "", ""},
		{"http://localhost:1", "", "k", ""},
		{"http://docs.example.com", "", "", ""},
		{"http://docs.example.com", "", "k", "unencrypted"},
		{"http://docs.example.com", file("key2", "k"), "", "unencrypted"},
		{"https://a:b@docs.example.com", "", "", "without a user name or password"},
		{"docs.example.com", "", "", "must be an http or https URL"},
		{"https://docs.example.com", dir + "/none", "", "cannot be read"},
		{"https://docs.example.com", file("empty", " \n"), "", "does not contain a key"},
		{"https://docs.example.com", file("lines", "a\nb"), "", "does not contain a key"},
	} {
		up := upstream.New(upstream.Settings{Server: tt.server, KeyFile: tt.keyFile}, "", func(name string) string { return map[string]string{upstream.KeyVariable: tt.key}[name] })
		if err := up.Check(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v", tt, err)
		}
	}
	if upstream.New(upstream.Settings{}, "", func(string) string { return "" }) != nil {
		t.Error("there is a client without a server")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	l := client(t, "http://"+listener.Addr().String(), "")
	for range 2 {
		if _, err := l.Read(t.Context(), lookup.Package{Language: "tape", Name: "pen"}); err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("a server that is down: %v", err)
		}
	}
}
