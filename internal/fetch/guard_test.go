package fetch

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/environ"
)

// startGuard starts a guard and returns a client that uses it according to the environment
// variables of the guard.
func startGuard(t *testing.T, o Options, rules GuardRules) (*Guard, *http.Client) {
	t.Helper()
	c, _ := client(o)
	g, err := c.StartGuard(rules)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	proxy, err := url.Parse(environ.Parse(g.Environment()).Get("HTTPS_PROXY"))
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(tr.CloseIdleConnections)
	return g, &http.Client{Transport: tr}
}

func TestGuard_Rules(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the password of the guard was passed on")
		}
		io.WriteString(w, "body")
	}))
	defer secure.Close()
	plain := serve(t, secure.Config.Handler.ServeHTTP)
	named := func(_, port string) bool {
		return strings.HasSuffix(secure.URL, ":"+port) || strings.HasSuffix(plain.URL, ":"+port) || port == "80"
	}
	for _, tt := range []struct {
		name  string
		rules GuardRules
		url   string
		want  string
	}{
		{"a private address that nobody names", GuardRules{}, secure.URL, "which is not public"},
		{"the same without encryption", GuardRules{}, plain.URL, ""}, // 403 without a body
		{"a name that leads there", GuardRules{}, strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), "which is not public"},
		{"a named server", GuardRules{Configured: named}, secure.URL, "body"},
		{"the same without encryption", GuardRules{Configured: named}, plain.URL, "body"},
		{"a neighbour of a named server", GuardRules{Local: true}, secure.URL, "body"},
		{"a named metadata service", GuardRules{Configured: named, Local: true}, "https://169.254.169.254:80/", "link-local"},
		{"the same without encryption", GuardRules{Configured: named, Local: true}, "http://169.254.169.254/", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, c := startGuard(t, Options{}, tt.rules)
			var got string
			resp, err := c.Get(tt.url)
			if err != nil {
				got = err.Error()
			} else {
				data, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				got = string(data)
			}
			if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if refused := g.Refused() != nil; refused != (tt.want != "body") {
				t.Errorf("refused: %v", g.Refused())
			}
		})
	}
}

func TestGuard_OtherProcessesCannotUseIt(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request got through") })
	c, _ := client(Options{})
	g, err := c.StartGuard(GuardRules{Local: true})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	proxy := g.url
	proxy.User = url.UserPassword("docent", "guess")
	stranger := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&proxy), DisableKeepAlives: true}}
	resp, err := stranger.Get(s.URL)
	if err == nil {
		resp.Body.Close()
	}
	if err != nil || resp.StatusCode != http.StatusProxyAuthRequired {
		t.Errorf("got %v, %v", resp, err)
	}
}

// TestGuard_UpstreamProxy uses the user's own proxy, which resolves names, behind the guard.
func TestGuard_UpstreamProxy(t *testing.T) {
	target := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "body") }))
	defer target.Close()
	var hosts []string
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host)
		if user, password, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth(); user != "me" || password != "secret" {
			http.Error(w, "no", http.StatusProxyAuthRequired)
			return
		}
		there, err := net.Dial("tcp", target.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { io.Copy(there, here); there.Close() }()
		go func() { io.Copy(here, there); here.Close() }()
	})
	u, _ := url.Parse(upstream.URL)
	u.User = url.UserPassword("me", "secret")
	o := Options{Proxy: func(*http.Request) (*url.URL, error) { return u, nil }}
	_, c := startGuard(t, o, GuardRules{})
	resp, err := c.Get("https://git.example/x")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(data) != "body" || len(hosts) != 1 || hosts[0] != "git.example:443" {
		t.Errorf("got %q by way of %q", data, hosts)
	}
	for _, host := range []string{"10.0.0.1", "127.0.0.1", "2130706433", "169.254.169.254", "metadata.google.internal"} {
		resp, err := c.Get("https://" + host + "/x")
		if err == nil {
			resp.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "leads to") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if len(hosts) != 1 {
		t.Errorf("the user's proxy was asked for %q", hosts)
	}
	u.User = nil
	c.CloseIdleConnections()
	resp, err = c.Get("https://git.example/x")
	if err == nil {
		resp.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "407") {
		t.Errorf("a proxy that refuses: %v", err)
	}
}

func TestGuard_SOCKS(t *testing.T) {
	u, _ := url.Parse("socks5://127.0.0.1:1080")
	c, _ := client(Options{Proxy: func(*http.Request) (*url.URL, error) { return u, nil }})
	g, err := c.StartGuard(GuardRules{})
	if g != nil || err != nil || g.Environment() != nil || g.Refused() != nil {
		t.Errorf("got %v, %v", g, err)
	}
	g.Close()
}

// TestGuard_Close closes a guard with a tunnel whose ends send nothing.
func TestGuard_Close(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, _ := client(Options{})
	g, err := c.StartGuard(GuardRules{Local: true})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := dialThrough(t.Context(), &g.url, l.Addr().String(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	g.Close()
	if _, err := io.ReadAll(conn); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Error(err)
	}
}

// TestGuard_Git runs git with the environment that the go command passes on.
func TestGuard_Git(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed, and this test runs it with the settings under test; to run it, install git: ", err)
	}
	var paths []string
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		http.NotFound(w, r)
	}))
	defer s.Close()
	run := func(g *Guard) string {
		cmd := exec.CommandContext(t.Context(), git, "-c", "http.sslVerify=false", "ls-remote", s.URL+"/x.git")
		cmd.Env = append(os.Environ(), g.Environment()...)
		cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("git succeeds: %s", out)
		}
		return string(out)
	}
	g, _ := startGuard(t, Options{}, GuardRules{})
	if out := run(g); len(paths) > 0 || g.Refused() == nil {
		t.Errorf("a server that nobody names was asked for %q: %s", paths, out)
	}
	g, _ = startGuard(t, Options{}, GuardRules{Local: true})
	if out := run(g); len(paths) == 0 || g.Refused() != nil {
		t.Errorf("a server that may be asked was not: %v, %s", g.Refused(), out)
	}
}
