package auth

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
)

// fetch requests a URL with the given Host header, and returns the status and
// the body.
func fetch(t *testing.T, method, address, host string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff"} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s: the header %s is %q, want %q", address, name, got, want)
		}
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestTheListener(t *testing.T) {
	proves(t, "auth.sec.best-practices", "auth.sec.redirect-scheme", "auth.iss.error-response")
	c := new(OAuthClient)
	r, err := c.openRedirect()
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if host, port, err := net.SplitHostPort(r.listener.Addr().String()); err != nil || host != "127.0.0.1" || port == "0" || r.address() != "http://127.0.0.1:"+port+"/callback" {
		t.Errorf("%s at %s", r.address(), r.listener.Addr())
	}
	if port := r.listener.Addr().(*net.TCPAddr).Port; port < firstPort || port > lastPort {
		t.Errorf("port %d may soon be that of an outgoing connection", port)
	}
	c.Browser = func(context.Context, string) error {
		for _, tt := range []struct {
			method, path, host string
			status             int
		}{
			{"GET", "/favicon.ico", "", 404},
			{"GET", "/?state=good&code=bad", "", 404},
			{"POST", "/callback?state=good&code=bad", "", 404},
			{"GET", "/callback?state=good&code=bad", "evil.example.com", 404},
			{"GET", "/callback?state=good&code=bad", "localhost:" + r.url.Port(), 404},
			{"GET", "/callback?state=good&code=bad", "127.0.0.1", 404},
			{"GET", "/callback?code=bad", "", 400},
			{"GET", "/callback?state=other&code=bad", "", 400},
			{"GET", "/callback?state=goo&code=bad", "", 400},
			{"GET", "/callback?state=good&code=right&x=<script>alert(1)</script>", "", 200},
			{"GET", "/callback?state=good&code=late", "", 410},
		} {
			status, body := fetch(t, tt.method, "http://"+r.url.Host+tt.path, tt.host)
			if status != tt.status || strings.Contains(body, "script") || strings.Contains(body, "right") {
				t.Errorf("%s %s: %d %s", tt.method, tt.path, status, body)
			}
		}
		return nil
	}
	answer, err := r.receive(t.Context(), "https://as.example.com/authorize", "good")
	if err != nil || answer.Get("code") != "right" {
		t.Errorf("%v, %v", answer, err)
	}
	refused, err := c.openRedirect()
	if err != nil {
		t.Fatal(err)
	}
	defer refused.close()
	c.Browser = func(context.Context, string) error {
		const answer = "/callback?state=good&error=denied&error_description=call+this+number&error_uri=https://evil.example.com&iss=https://evil.example.com"
		if status, body := fetch(t, "GET", "http://"+refused.url.Host+answer, ""); status != 200 || strings.Contains(body, "denied") || strings.Contains(body, "call") || strings.Contains(body, "evil") {
			t.Errorf("the browser shows %d %s", status, body)
		}
		return nil
	}
	if _, err := refused.receive(t.Context(), "https://as.example.com/authorize", "good"); err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", r.url.Host); err == nil {
		conn.Close()
		t.Error("the port is open still")
	}
}

func TestTheListenerTakesThePortOfAnEarlierRegistration(t *testing.T) {
	proves(t, "auth.sec.best-practices", "auth.sec.redirect-scheme", "auth.sec.redirect-registered")
	c := new(OAuthClient)
	first, err := c.openRedirect()
	if err != nil {
		t.Fatal(err)
	}
	registered := first.address()
	second, err := c.openRedirect()
	if err != nil {
		t.Fatal(err)
	}
	defer second.close()
	address := second.address()
	if second.adopt(registered) || second.address() != address {
		t.Errorf("a port in use is taken: %s", second.address())
	}
	first.close()
	if !second.adopt(registered) || second.address() != registered || "http://"+second.listener.Addr().String()+"/callback" != registered {
		t.Errorf("%s is not taken", registered)
	}
	for _, other := range []string{"http://127.0.0.1:1/else", "https://127.0.0.1:1/callback", "http://mcp.example.com/callback", "\x00"} {
		if second.adopt(other) {
			t.Errorf("%s is taken", other)
		}
	}
	pasted, err := (&OAuthClient{Receive: func(context.Context, string) (string, error) { return "", nil }}).openRedirect()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"http://mcp.example.com/callback", "https://127.0.0.1/callback", "http://127.0.0.1/else", "http://0.0.0.0/callback"} {
		if pasted.adopt(other) || pasted.address() != "http://127.0.0.1/callback" {
			t.Errorf("%s is taken without a listener", other)
		}
	}
	fixed, err := (&OAuthClient{RedirectURL: "http://localhost:0/callback"}).openRedirect()
	if err != nil {
		t.Fatal(err)
	}
	defer fixed.close()
	if fixed.adopt(registered) || !strings.HasPrefix(fixed.listener.Addr().String(), "127.0.0.1:") {
		t.Errorf("%s at %s", fixed.address(), fixed.listener.Addr())
	}
}

func TestAUserWhoDoesNotComeBack(t *testing.T) {
	for name, c := range map[string]*OAuthClient{
		"never":      {Browser: func(context.Context, string) error { return nil }},
		"no browser": {Browser: func(context.Context, string) error { return errors.New("there is no browser") }},
	} {
		r, err := c.openRedirect()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("too late"))
		_, err = r.receive(ctx, "https://as.example.com/", "x")
		if err == nil || !strings.Contains(err.Error(), map[string]string{"never": "too late", "no browser": "there is no browser"}[name]) {
			t.Errorf("%s: %v", name, err)
		}
		r.close()
	}
	synctest.Test(t, func(t *testing.T) {
		c := &OAuthClient{RedirectURL: "http://127.0.0.1/callback", Receive: func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			return "", context.Cause(ctx)
		}}
		if err := c.prepare(&url.URL{Scheme: "https", Host: "mcp.example.com", Path: "/mcp"}); err != nil {
			t.Fatal(err)
		}
		t1 := &target{issuer: "https://as.example.com", meta: &ServerMetadata{AuthorizationEndpoint: "https://as.example.com/a", RegistrationEndpoint: ""}}
		c.Registrations = []Registration{{Issuer: t1.issuer, ClientID: "x"}}
		_, _, err := c.authorize(t.Context(), t1, nil, nil)
		if err == nil || !strings.Contains(err.Error(), "did not sign in in time") {
			t.Errorf("%v", err)
		}
	})
}

func TestPaste(t *testing.T) {
	proves(t, "auth.sec.best-practices")
	for in, want := range map[string]string{
		"http://127.0.0.1/callback?code=x&state=y\n": "x",
		"  ?code=x&state=y#fragment":                 "x",
		"code=x&state=y\r\n":                         "x",
		"x\n":                                        "",
		"":                                           "",
		"\n":                                         "",
		strings.Repeat("a", 20<<10) + "?code=x&state=y\n": "",
	} {
		var out bytes.Buffer
		text, err := Paste(strings.NewReader(in), &out)(t.Context(), "https://as.example.com/authorize?x=y")
		var answer url.Values
		if err == nil {
			answer, err = answerIn(text)
		}
		if (err == nil) != (want != "") || answer.Get("code") != want {
			t.Errorf("%.60q: %v, %v", in, answer, err)
		}
		if !strings.Contains(out.String(), "https://as.example.com/authorize?x=y") {
			t.Errorf("the user is shown %s", &out)
		}
	}
	if answer, err := answerIn(strings.Repeat("a", maxPasted) + "?code=x&state=y"); err == nil {
		t.Errorf("a long answer: %v", answer)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reader, writer := io.Pipe()
	defer writer.Close()
	if _, err := Paste(reader, io.Discard)(ctx, "https://as.example.com/"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
