package fetch

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"testing"
)

func TestABodyIsHandedOverWhileItComes(t *testing.T) {
	broken := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/breaks" {
			if broken++; broken == 1 {
				w.Header().Set("Content-Length", "10")
				io.WriteString(w, "half")
				return
			}
		}
		w.Header().Set("ETag", `"e"`)
		io.WriteString(w, "whole body")
	})
	c, waits := client(Options{})
	got := ""
	take := func(body io.Reader) error {
		b, err := io.ReadAll(body)
		got = string(b)
		return err
	}
	if r, err := c.Read(t.Context(), Request{URL: s.URL, Configured: true}, take); err != nil || got != "whole body" || r.ETag != `"e"` || r.Body != nil {
		t.Errorf("got %q, %+v, %v", got, r, err)
	}
	if _, err := c.Read(t.Context(), Request{URL: s.URL + "/breaks", Configured: true}, take); err != nil || got != "whole body" || len(*waits) != 1 {
		t.Errorf("after a broken connection: %q, %v, %d waits", got, err, len(*waits))
	}
	wrong := errors.New("not what it should be")
	_, err := c.Read(t.Context(), Request{URL: s.URL, Configured: true}, func(body io.Reader) error {
		_, _ = io.ReadAll(body)
		return wrong
	})
	if kindOf(err) != Mismatch || !errors.Is(err, wrong) || len(*waits) != 1 {
		t.Errorf("wrong bytes gave %v, %d waits", err, len(*waits))
	}
	_, err = c.Read(t.Context(), Request{URL: s.URL, Configured: true, Limit: 4}, take)
	if kindOf(err) != TooLarge {
		t.Errorf("a body over the limit gave %v", err)
	}
}

func TestWhatAServerSaysOfARefusalIsKept(t *testing.T) {
	tests := []struct{ name, kind, page, want string }{
		{"plain text", "text/plain; charset=utf-8", "no such\nthing", "no such thing"},
		{"a JSON error", "application/json; charset=utf-8", `{"error":"authorization required"}`, "authorization required"},
		{"a JSON message", "application/problem+json", `{"status":401,"message":"expired"}`, "expired"},
		{"an error that is no sentence", "application/json", `{"error":{"code":1}}`, ""},
		{"damaged JSON", "application/json", `{"error":`, ""},
		{"a page", "text/html", "<p>no", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				w.Header().Add("WWW-Authenticate", "Basic, OTP")
				w.WriteHeader(http.StatusUnauthorized)
				io.WriteString(w, tt.page)
			})
			c, _ := client(Options{})
			_, err := c.Get(t.Context(), Request{URL: s.URL, Configured: true})
			var e *Error
			if !errors.As(err, &e) || e.Kind != Denied || e.Detail != tt.want || e.Challenge != "Basic, OTP" {
				t.Errorf("got %+v", e)
			}
		})
	}
}

func TestACredentialIsSentWithoutEncryptionOnlyIfTheUserSaysSo(t *testing.T) {
	var got []string
	proxy := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.Host+" "+r.Header.Get("Authorization"))
	})
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := client(Options{Proxy: http.ProxyURL(u)})
	for _, plain := range []bool{false, true} {
		if _, err := c.Get(t.Context(), Request{URL: "http://registry.example/x", Configured: true, Authorization: "Bearer s3cret", Plain: plain}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"registry.example ", "registry.example Bearer s3cret"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for host, want := range map[string]bool{"localhost": true, "127.0.0.2": true, "::1": true, "::ffff:127.0.0.1": true, "127.0.0.1.example": false, "10.0.0.1": false} {
		if Loopback(host) != want {
			t.Errorf("Loopback(%q) is %v", host, !want)
		}
	}
}

func TestWhatAPrivateHostNamesMayBePrivateToo(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "body") })
	c, _ := client(Options{})
	r, err := c.Get(t.Context(), Request{URL: s.URL, Configured: true})
	if err != nil || !r.Local {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := c.Get(t.Context(), Request{URL: s.URL, Local: r.Local}); err != nil {
		t.Errorf("a private host's neighbour: %v", err)
	}
	if _, err := c.Get(t.Context(), Request{URL: s.URL}); kindOf(err) != Refused {
		t.Errorf("a private host that a public one names: %v", err)
	}
	if _, err := c.Get(t.Context(), Request{URL: "http://169.254.169.254/", Local: true}); kindOf(err) != Refused {
		t.Errorf("an address that no registry has: %v", err)
	}
}
