package auth_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/docent-mcp/docent/mcp/auth"
)

// authorized returns the Authorization header that a client sets on a request.
func authorized(ctx context.Context, c *auth.OAuthClient, address string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, nil)
	if err != nil {
		return "", err
	}
	err = c.Authorize(ctx, req)
	return req.Header.Get("Authorization"), err
}

// expired signs in to a server and returns a store with a token that has expired.
func expired(t *testing.T, a *authority, s *site, store auth.Store) {
	t.Helper()
	a.set(func() { a.lifetime = -1 })
	must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
	a.set(func() { a.lifetime = 3600 })
}

// renewed returns the number of requests with a refresh token.
func renewed(a *authority) (n int) {
	for _, r := range a.requests("/token") {
		if r.form.Get("grant_type") == "refresh_token" {
			n++
		}
	}
	return n
}

func TestATokenIsRefreshedOnce(t *testing.T) {
	proves(t, "auth.refresh.confidential", "auth.resource.both-requests", "auth.token.client-only-as")
	anyRevision(t)
	a := newAuthority(t)
	s, store := newSite(t, a, nil), new(auth.MemoryStore)
	expired(t, a, s, store)
	var all sync.WaitGroup
	for range 4 {
		c := &auth.OAuthClient{Store: store, Browser: browse}
		for range 8 {
			all.Go(func() {
				if got, err := authorized(t.Context(), c, s.endpoint()); err != nil || !strings.HasPrefix(got, "Bearer access-") {
					t.Errorf("%q, %v", got, err)
				}
			})
		}
	}
	all.Wait()
	if n := renewed(a); n != 1 {
		t.Errorf("refreshed %d times, want once", n)
	}
	for _, r := range a.requests("/token") {
		if r.form.Get("resource") != s.endpoint() {
			t.Errorf("%s without the resource", r.form.Get("grant_type"))
		}
	}
	for _, r := range s.seen {
		if strings.Contains(fmt.Sprint(r), "refresh-") {
			t.Error("the MCP server has seen a refresh token")
		}
	}
	// The response to the first refresh contained a new refresh token, which the next refresh must
	// use.
	a.revoke()
	expire(t, a, store)
	c := mustConnect(t, s, &auth.OAuthClient{Store: store}, "")
	must(t, use(t, c, "read"))
	a.only(t, "/authorize")
}

// expire makes a stored token appear old enough to be refreshed.
func expire(t *testing.T, _ *authority, store *auth.MemoryStore) {
	t.Helper()
	if !auth.Age(store) {
		t.Fatal("nothing is kept")
	}
}

func TestARevokedTokenIsRefreshedAndARefusedRefreshSignsIn(t *testing.T) {
	proves(t, "auth.refresh.not-assumed", "auth.token.oauth-s5")
	everyRevision(t, func(t *testing.T, revision string) {
		for name, tt := range map[string]struct {
			prepare         func(a *authority)
			pages, renewals int
		}{
			"revoked":                        {func(a *authority) { clear(a.access) }, 1, 1},
			"revoked with its refresh token": {func(a *authority) { clear(a.access); clear(a.renewals) }, 2, 1},
			"forgotten with its client":      {func(a *authority) { clear(a.access); clear(a.clients) }, 2, 1},
		} {
			t.Run(name, func(t *testing.T) {
				a := newAuthority(t)
				s, store := newSite(t, a, nil), new(auth.MemoryStore)
				must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
				expire(t, a, store)
				a.set(func() { tt.prepare(a) })
				must(t, use(t, mustConnect(t, s, &auth.OAuthClient{Store: store}, revision), "read"))
				if pages, n := len(a.requests("/authorize")), renewed(a); pages != tt.pages || n != tt.renewals {
					t.Errorf("%d pages and %d refreshes, want %d and %d", pages, n, tt.pages, tt.renewals)
				}
			})
		}
		t.Run("no refresh token", func(t *testing.T) {
			a := newAuthority(t)
			a.noRefresh = true
			a.edit = func(m map[string]any) { m["scopes_supported"] = []string{"mcp", "offline_access"} }
			s, store := newSite(t, a, nil), new(auth.MemoryStore)
			expired(t, a, s, store)
			if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, s.endpoint()); err != nil || got != "" {
				t.Errorf("an expired token is used: %q, %v", got, err)
			}
			must(t, use(t, mustConnect(t, s, &auth.OAuthClient{Store: store}, revision), "read"))
			if pages := len(a.requests("/authorize")); pages != 2 || renewed(a) != 0 {
				t.Errorf("%d pages and %d refreshes", pages, renewed(a))
			}
		})
	})
}

// TestARefreshTokenThatStays refreshes several times at a server that issues only one refresh
// token.
func TestARefreshTokenThatStays(t *testing.T) {
	proves(t, "auth.refresh.not-assumed", "auth.token.oauth-s5")
	anyRevision(t)
	a := newAuthority(t)
	a.steady = true
	s, store := newSite(t, a, nil), new(auth.MemoryStore)
	must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
	for n := range 3 {
		expire(t, a, store)
		if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, s.endpoint()); err != nil || !strings.HasPrefix(got, "Bearer access-") || renewed(a) != n+1 {
			t.Errorf("%q, %v after %d refreshes", got, err, renewed(a))
		}
	}
}

func TestARefreshThatFailsIsAnError(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s, store := newSite(t, a, nil), new(auth.MemoryStore)
	expired(t, a, s, store)
	a.set(func() {
		a.intercept = func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, "secret-of-the-server")
			return true
		}
	})
	c := &auth.OAuthClient{Store: store}
	_, err := authorized(t.Context(), c, s.endpoint())
	if err == nil || !strings.Contains(err.Error(), "refresh the token") || !strings.Contains(err.Error(), a.issuer()) || strings.Contains(err.Error(), "secret-of") {
		t.Errorf("%v", err)
	}
	a.set(func() { a.intercept = nil })
	if got, err := authorized(t.Context(), c, s.endpoint()); err != nil || got == "" {
		t.Errorf("%q, %v: the refresh token was lost", got, err)
	}
}

// refresher is called by the package's TestMain in other processes.
func refresher(dir, address string, in io.Reader, out io.Writer) error {
	fmt.Fprintln(out, "ready")
	if _, err := bufio.NewReader(in).ReadString('\n'); err != nil {
		return err
	}
	c := &auth.OAuthClient{Store: auth.FileStore{Dir: dir}, Browser: func(context.Context, string) error { return errors.New("the user is asked") }}
	got, err := authorized(context.Background(), c, address)
	fmt.Fprintln(out, got)
	return err
}

func TestTwoProcessesRefreshOnce(t *testing.T) {
	proves(t, "auth.sec.storage.client", "auth.sec.storage", "auth.refresh.confidential")
	anyRevision(t)
	a := newAuthority(t)
	s, dir := newSite(t, a, nil), t.TempDir()+"/tokens"
	expired(t, a, s, auth.FileStore{Dir: dir})
	type process struct {
		cmd *exec.Cmd
		in  io.WriteCloser
		out *bufio.Reader
	}
	var all []process
	for range 4 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "TEST_REFRESH="+dir, "TEST_SERVER="+s.endpoint(), "MCP_TRACE=")
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		must(t, err)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		p := process{cmd, in, bufio.NewReader(out)}
		if line, err := p.out.ReadString('\n'); line != "ready\n" {
			t.Fatalf("%q, %v", line, err)
		}
		all = append(all, p)
	}
	for _, p := range all { // no process starts before all are ready
		if _, err := io.WriteString(p.in, "\n"); err != nil {
			t.Fatal(err)
		}
	}
	tokens := map[string]bool{}
	for _, p := range all {
		line, err := p.out.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "Bearer access-") {
			t.Errorf("%q, %v", line, err)
		}
		tokens[line] = true
		if err := p.cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if n := renewed(a); n != 1 || len(tokens) != 1 {
		t.Errorf("refreshed %d times for %d tokens, want one", n, len(tokens))
	}
	onlyTheirOwners(t, s, dir)
}

// onlyTheirOwners checks that files with tokens are accessible only to their owner, and that files
// with other permissions are not used.
func onlyTheirOwners(t *testing.T, s *site, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return // Windows has access control lists instead of permissions
	}
	stored := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = fs.ModeDir | 0o700
		} else if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "refresh-") {
			stored++
			defer os.Chmod(path, 0o640)
		}
		if info.Mode() != want {
			t.Errorf("%s is %s, want %s", path, info.Mode(), want)
		}
		return nil
	})
	if err != nil || stored != 1 {
		t.Fatalf("%d files with tokens, %v", stored, err)
	}
	if got, err := authorized(t.Context(), &auth.OAuthClient{Store: auth.FileStore{Dir: dir}}, s.endpoint()); err == nil || !strings.Contains(err.Error(), "other users") {
		t.Errorf("a token that other users can read is used: %q, %v", got, err)
	}
}

func TestASecondRequestWaitsForTheSignInOfTheFirst(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	opened, goOn := make(chan struct{}), make(chan struct{})
	c := &auth.OAuthClient{Browser: func(ctx context.Context, page string) error {
		close(opened) // opening a second page would panic here
		<-goOn
		return browse(ctx, page)
	}}
	var all sync.WaitGroup
	challenged := func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint(), nil)
		if err != nil {
			return err
		}
		return c.Challenged(ctx, &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Request: req})
	}
	all.Go(func() {
		if err := challenged(t.Context()); err != nil {
			t.Error(err)
		}
	})
	<-opened
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := challenged(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("one that does not wait: %v", err)
	}
	for range 8 {
		all.Go(func() {
			if err := challenged(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	close(goOn)
	all.Wait()
	a.only(t, "/authorize")
}

func TestASignInThatNobodyWaitsForEnds(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	opened := make(chan struct{})
	c := &auth.OAuthClient{Browser: func(context.Context, string) error { close(opened); return nil }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.SignIn(ctx, s.endpoint()) }()
	<-opened
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// The next sign-in is a new attempt, which opens a new page.
	c.Browser = browse
	if err := c.SignIn(t.Context(), s.endpoint()); err != nil {
		t.Error(err)
	}
}

func TestSignOut(t *testing.T) {
	proves(t, "auth.sec.storage", "auth.sec.storage.client", "auth.refresh.confidential")
	anyRevision(t)
	a := newAuthority(t)
	s, store := newSite(t, a, nil), auth.FileStore{Dir: t.TempDir() + "/tokens"}
	c := &auth.OAuthClient{Store: store}
	must(t, signIn(t, s, c))
	if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, s.endpoint()); err != nil || got == "" {
		t.Errorf("%q, %v", got, err)
	}
	must(t, c.SignOut(t.Context(), s.endpoint()))
	files, err := filepath.Glob(store.Dir + "/*")
	must(t, err)
	for _, file := range files {
		if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "access-") || strings.Contains(string(text), "refresh-") || strings.Contains(string(text), "client-") {
			t.Errorf("%s is left: %s, %v", file, text, err)
		}
	}
	for _, one := range []*auth.OAuthClient{c, {Store: store}} {
		if got, err := authorized(t.Context(), one, s.endpoint()); err != nil || got != "" {
			t.Errorf("%q, %v", got, err)
		}
	}
	must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
	if n := len(a.requests("/register")); n != 2 {
		t.Errorf("registered %d times", n)
	}
}

func TestSignOutRevokesTheTokens(t *testing.T) {
	proves(t, "auth.asmeta.client-rfc8414", "auth.sec.best-practices")
	anyRevision(t)
	for _, method := range []string{"none", "client_secret_basic", "client_secret_post"} {
		t.Run(method, func(t *testing.T) {
			a := newAuthority(t)
			a.edit = func(m map[string]any) {
				m["revocation_endpoint"] = a.URL + "/revoke" + mark
				m["token_endpoint_auth_methods_supported"] = []string{method}
			}
			s, c := newSite(t, a, nil), new(auth.OAuthClient)
			must(t, signIn(t, s, c))
			if len(a.access) != 1 || len(a.renewals) != 1 {
				t.Fatalf("there are %d access tokens and %d refresh tokens", len(a.access), len(a.renewals))
			}
			must(t, c.SignOut(t.Context(), s.endpoint()))
			if len(a.access) != 0 || len(a.renewals) != 0 {
				t.Errorf("%d access tokens and %d refresh tokens are left", len(a.access), len(a.renewals))
			}
			if sent := a.requests("/revoke"); len(sent) != 2 || sent[0].form.Get("token_type_hint") != "refresh_token" {
				t.Errorf("%+v", sent)
			}
		})
	}
}

func TestTokensAreNotRevokedAtAnUnsafeURL(t *testing.T) {
	proves(t, "auth.refresh.confidential", "auth.sec.comm")
	anyRevision(t)
	for _, endpoint := range []string{"http://as.example.com/revoke", "http://10.0.0.1/revoke", "https://user@as.example.com/revoke", "/revoke"} {
		a := newAuthority(t)
		a.edit = func(m map[string]any) { m["revocation_endpoint"] = endpoint }
		network := &public{hosts: map[string]http.Handler{"as.example.com": a, "10.0.0.1": a}}
		s, store := newSite(t, a, nil), new(auth.MemoryStore)
		must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
		c := &auth.OAuthClient{Store: store, HTTPClient: &http.Client{Transport: network}}
		if err := c.SignOut(t.Context(), s.endpoint()); err == nil || !strings.Contains(err.Error(), "revoke the token") || len(network.addresses) != 0 {
			t.Errorf("%s: %v, asked %s", endpoint, err, network.addresses)
		}
		if auth.Age(store) {
			t.Errorf("%s: the token is kept", endpoint)
		}
	}
}

// A sign-out forgets a token that it cannot revoke, and returns an error.
func TestASignOutThatTheServerRefuses(t *testing.T) {
	proves(t, "auth.sec.best-practices")
	anyRevision(t)
	for name, endpoint := range map[string]string{"refused": "/token", "redirected": "/moved", "private": "http://169.254.169.254/revoke"} {
		t.Run(name, func(t *testing.T) {
			a := newAuthority(t)
			address := endpoint
			if strings.HasPrefix(endpoint, "/") {
				address = a.URL + endpoint
			}
			a.edit = func(m map[string]any) { m["revocation_endpoint"] = address }
			a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/moved" {
					http.Redirect(w, r, a.URL+"/stolen", http.StatusTemporaryRedirect)
				}
				return r.URL.Path == "/moved"
			}
			s, c := newSite(t, a, nil), new(auth.OAuthClient)
			must(t, signIn(t, s, c))
			err := c.SignOut(t.Context(), s.endpoint())
			if failed, ok := errors.AsType[*auth.SignInError](err); !ok || !strings.Contains(failed.Step, "revoke") {
				t.Errorf("error %v", err)
			}
			if got, err := authorized(t.Context(), c, s.endpoint()); err != nil || got != "" {
				t.Errorf("the token is still used: %q, %v", got, err)
			}
			if len(a.requests("/stolen")) != 0 {
				t.Error("the token was sent elsewhere")
			}
		})
	}
}

// TestOneRefusalIsEnough makes several requests wait for a user who refuses.
func TestOneRefusalIsEnough(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	synctest.Test(t, func(t *testing.T) {
		network := &public{hosts: map[string]http.Handler{a.Listener.Addr().String(): a, s.Listener.Addr().String(): s}}
		pages, decided := 0, make(chan struct{})
		c := &auth.OAuthClient{HTTPClient: &http.Client{Transport: network}, RedirectURL: "http://127.0.0.1/callback"}
		c.Receive = func(context.Context, string) (string, error) {
			pages++
			<-decided
			return "", errors.New("the user says no")
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.endpoint(), nil)
				if err != nil {
					t.Error(err)
					return
				}
				err = c.Challenged(t.Context(), &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Request: req})
				if err == nil || !strings.Contains(err.Error(), "says no") {
					t.Errorf("%v", err)
				}
			})
		}
		synctest.Wait()
		close(decided)
		all.Wait()
		if pages != 1 {
			t.Errorf("the user was asked %d times", pages)
		}
	})
}
