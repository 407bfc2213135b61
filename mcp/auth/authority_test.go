package auth_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
	"github.com/docent-mcp/docent/mcp/internal/proof"
)

// authority is an authorization server whose users always consent. It refuses requests that break a
// rule, and misbehaves in the ways that a test configures.
type authority struct {
	*httptest.Server

	mu        sync.Mutex
	path      string                                            // path of the issuer
	metadata  []string                                          // paths of the metadata document; by default the path of RFC 8414
	edit      func(m map[string]any)                            // changes the metadata
	answer    func(q url.Values)                                // changes an authorization response
	intercept func(w http.ResponseWriter, r *http.Request) bool // handles a request in place of the authority, if it returns true
	lifetime  int                                               // lifetime of access tokens in seconds; 0 omits it
	noRefresh bool                                              // issues no refresh tokens
	steady    bool                                              // refresh tokens do not change, and responses to a refresh contain none
	expiry    int                                               // expiry of client secrets

	log      []sent
	clients  map[string]*app
	codes    map[string]*consent
	access   map[string]*consent // by access token
	renewals map[string]*consent // by refresh token
	number   int
	marked   map[string]bool // endpoints by path whose URLs in the metadata end with "?from=metadata"
}

type sent struct {
	method, path string
	form         url.Values
	header       http.Header
	body         string
}

type app struct {
	secret, method string
	redirects      []string
}

// consent is what a user has agreed to.
type consent struct {
	client, redirect, challenge, resource, scope string
	used                                         bool
}

func newAuthority(t *testing.T) *authority {
	a := startAuthority()
	t.Cleanup(a.Close)
	return a
}

func startAuthority() *authority {
	a := &authority{lifetime: 3600, clients: map[string]*app{}, codes: map[string]*consent{}, access: map[string]*consent{}, renewals: map[string]*consent{}, marked: map[string]bool{}}
	a.Server = httptest.NewServer(a)
	return a
}

func (a *authority) issuer() string { return a.URL + a.path }

// requests returns the requests for a path, or all requests with their paths.
func (a *authority) requests(path string) []sent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(a.log), func(s sent) bool { return s.path != path })
}

func (a *authority) paths() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []string
	for _, s := range a.log {
		all = append(all, s.path)
	}
	return strings.Join(all, " ")
}

func (a *authority) only(t *testing.T, path string) sent {
	t.Helper()
	all := a.requests(path)
	if len(all) != 1 {
		t.Fatalf("%d requests of %s, want 1", len(all), path)
	}
	return all[0]
}

func (a *authority) next(kind string) string {
	a.number++
	return fmt.Sprintf("%s-%d-%s", kind, a.number, rand.Text())
}

// mark is a suffix of the endpoints' URLs in the metadata. A client that constructs a URL by itself
// gets no response.
const mark = "?from=metadata"

func (a *authority) document() map[string]any {
	m := map[string]any{
		"issuer": a.issuer(), "authorization_endpoint": a.URL + "/authorize" + mark, "token_endpoint": a.URL + "/token" + mark,
		"registration_endpoint": a.URL + "/register" + mark, "code_challenge_methods_supported": []string{"S256"},
		"token_endpoint_auth_methods_supported": []string{"none"}, "authorization_response_iss_parameter_supported": true,
	}
	if a.edit != nil {
		a.edit(m)
	}
	maps.DeleteFunc(m, func(_ string, v any) bool { return v == nil })
	for _, name := range []string{"authorization", "token", "registration", "revocation"} {
		if address, ok := m[name+"_endpoint"].(string); ok {
			if u, err := url.Parse(address); err == nil {
				a.marked[u.Path] = strings.HasSuffix(address, mark)
			}
		}
	}
	return m
}

func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form := r.URL.Query()
	if posted, err := url.ParseQuery(string(body)); err == nil && r.Method == http.MethodPost {
		form = posted
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.log = append(a.log, sent{r.Method, r.URL.Path, form, r.Header.Clone(), string(body)})
	if a.marked[r.URL.Path] && r.URL.Query().Get("from") != "metadata" {
		http.NotFound(w, r)
		return
	}
	if a.intercept != nil && a.intercept(w, r) {
		return
	}
	places := a.metadata
	if places == nil {
		places = []string{"/.well-known/oauth-authorization-server" + a.path}
	}
	switch {
	case slices.Contains(places, r.URL.Path):
		reply(w, 200, a.document())
	case r.URL.Path == "/register" && r.Method == http.MethodPost:
		a.register(w, body)
	case r.URL.Path == "/authorize" && r.Method == http.MethodGet:
		a.authorize(w, r, form)
	case r.URL.Path == "/token" && r.Method == http.MethodPost:
		a.token(w, r, form)
	case r.URL.Path == "/revoke" && r.Method == http.MethodPost:
		if a.client(r, form) == "" {
			reply(w, 401, map[string]string{"error": "invalid_client"})
			return
		}
		delete(a.access, form.Get("token"))
		delete(a.renewals, form.Get("token"))
	default:
		http.NotFound(w, r)
	}
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, code, why string) {
	reply(w, 400, map[string]string{"error": code, "error_description": why})
}

func (a *authority) register(w http.ResponseWriter, body []byte) {
	var m auth.ClientMetadata
	if err := json.Unmarshal(body, &m); err != nil || len(m.RedirectURIs) == 0 {
		refuse(w, "invalid_client_metadata", "no redirect_uris")
		return
	}
	id := a.next("client")
	c := &app{method: m.TokenAuthMethod, redirects: m.RedirectURIs}
	answer := map[string]any{"client_id": id, "token_endpoint_auth_method": c.method}
	if c.method != "none" {
		c.secret = a.next("secret")
		answer["client_secret"] = c.secret
	}
	answer["client_secret_expires_at"] = a.expiry
	a.clients[id] = c
	reply(w, 201, answer)
}

func (a *authority) authorize(w http.ResponseWriter, r *http.Request, q url.Values) {
	c := a.clients[q.Get("client_id")]
	switch {
	case c == nil:
		http.Error(w, "unknown client", http.StatusBadRequest)
		return
	case !slices.Contains(c.redirects, q.Get("redirect_uri")):
		http.Error(w, "unknown redirect_uri", http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {q.Get("state")}, "iss": {a.issuer()}}
	if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("resource") == "" {
		answer.Set("error", "invalid_request")
	} else {
		code := a.next("code")
		a.codes[code] = &consent{q.Get("client_id"), q.Get("redirect_uri"), q.Get("code_challenge"), q.Get("resource"), q.Get("scope"), false}
		answer.Set("code", code)
	}
	if a.answer != nil {
		a.answer(answer)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+answer.Encode(), http.StatusFound)
}

// client checks the client authentication of a token request.
func (a *authority) client(r *http.Request, form url.Values) string {
	id, secret, basic := r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	c := a.clients[id]
	if c == nil || c.secret != secret || basic != (c.method == "client_secret_basic") {
		return ""
	}
	return id
}

func (a *authority) token(w http.ResponseWriter, r *http.Request, form url.Values) {
	id := a.client(r, form)
	if id == "" {
		reply(w, 401, map[string]string{"error": "invalid_client"})
		return
	}
	var c *consent
	switch form.Get("grant_type") {
	case "authorization_code":
		c = a.codes[form.Get("code")]
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if c == nil || c.used || c.client != id || c.redirect != form.Get("redirect_uri") || c.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse(w, "invalid_grant", "the code is not good")
			return
		}
		c.used = true
	case "refresh_token":
		c = a.renewals[form.Get("refresh_token")]
		if c == nil || c.client != id {
			refuse(w, "invalid_grant", "the refresh token is not good")
			return
		}
		if a.steady {
			answer := a.issue(c)
			delete(a.renewals, answer["refresh_token"].(string))
			delete(answer, "refresh_token")
			reply(w, 200, answer)
			return
		}
		delete(a.renewals, form.Get("refresh_token")) // refresh tokens are used once
	case "client_credentials":
		c = &consent{client: id, resource: form.Get("resource"), scope: form.Get("scope")}
	default:
		refuse(w, "unsupported_grant_type", "")
		return
	}
	if form.Get("resource") != c.resource {
		refuse(w, "invalid_target", "another resource")
		return
	}
	reply(w, 200, a.issue(c))
}

// issue returns the response of the token endpoint. The caller must hold mu.
func (a *authority) issue(c *consent) map[string]any {
	token := a.next("access")
	a.access[token] = c
	answer := map[string]any{"access_token": token, "token_type": "Bearer", "scope": c.scope}
	if c.scope == "" {
		delete(answer, "scope")
	}
	if a.lifetime != 0 {
		answer["expires_in"] = a.lifetime
	}
	if !a.noRefresh {
		renewal := a.next("refresh")
		a.renewals[renewal] = c
		answer["refresh_token"] = renewal
	}
	return answer
}

func (a *authority) revoke() { a.set(func() { clear(a.access) }) }

func (a *authority) set(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}

// verify is the Verifier for the servers that trust the authority.
func (a *authority) verify(_ context.Context, token string) (*auth.Token, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.access[token]
	if c == nil {
		return nil, auth.ErrInvalidToken
	}
	return &auth.Token{Issuer: a.issuer(), Subject: "ada", Audience: []string{c.resource}, Scopes: strings.Fields(c.scope), Expiry: time.Now().Add(time.Hour)}, nil
}

// site is an MCP server behind a guard.
type site struct {
	*httptest.Server

	mu    sync.Mutex
	front func(w http.ResponseWriter, r *http.Request) bool // handles a request in place of the server, if it returns true
	seen  []sent
	main  http.Handler
}

func (s *site) endpoint() string { return s.URL + "/mcp" }

func newSite(t *testing.T, a *authority, change func(*auth.GuardOptions)) *site {
	t.Helper()
	s := startSite()
	t.Cleanup(s.Close)
	s.trust(t, a, change)
	return s
}

func startSite() *site {
	s := new(site)
	s.Server = httptest.NewServer(s)
	return s
}

// trust replaces the current server with a new one that trusts the given authority.
func (s *site) trust(t *testing.T, a *authority, change func(*auth.GuardOptions)) {
	t.Helper()
	must(t, s.serve(a, change))
}

func (s *site) serve(a *authority, change func(*auth.GuardOptions)) error {
	o := auth.GuardOptions{
		Resource: s.endpoint(), AuthorizationServers: []string{a.issuer()}, Verifier: auth.VerifierFunc(a.verify), Scopes: []string{"mcp"},
		ToolScopes: map[string][]string{"erase": {"reports:write"}}, Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&o)
	}
	guard, err := auth.NewGuard(o)
	if err != nil {
		return err
	}
	server := mcp.NewServer(mcp.Implementation{Name: "reports", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{guard.Middleware}})
	for _, name := range []string{"read", "erase"} {
		err := mcp.AddTool(server, mcp.Tool{Name: name, Description: "Does it."}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "done", nil })
		if err != nil {
			return err
		}
	}
	err = mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Asks for the roots."}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		_, err := r.Roots(ctx)
		return "done", err
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	guard.Mount(mux, server.HTTPHandler(nil))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.main = mux
	return nil
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	front, main := s.front, s.main
	s.seen = append(s.seen, sent{method: r.Method, path: r.URL.Path, form: r.URL.Query(), header: r.Header.Clone()})
	s.mu.Unlock()
	if front == nil || !front(w, r) {
		main.ServeHTTP(w, r)
	}
}

func (s *site) intercept(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.front = f
}

func (s *site) requests(path string) []sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.seen), func(one sent) bool { return one.path != path })
}

// browse acts as a user's browser: it requests the page and follows redirects.
func browse(ctx context.Context, page string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		return fmt.Errorf("the browser shows %s: %s", res.Status, text)
	}
	return nil
}

// connect connects an MCP client that signs in with c, in the given revision or in the newest one.
func connect(t *testing.T, s *site, c *auth.OAuthClient, revision string) (*mcp.Client, error) {
	t.Helper()
	o := &mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)}
	if revision != "" {
		o.Revisions = []string{revision}
	}
	if c.Browser == nil && c.Receive == nil {
		c.Browser = browse
	}
	client, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.endpoint(), Authorizer: c}, o)
	if err == nil {
		t.Cleanup(func() { client.Close() })
	}
	return client, err
}

func mustConnect(t *testing.T, s *site, c *auth.OAuthClient, revision string) *mcp.Client {
	t.Helper()
	client, err := connect(t, s, c, revision)
	must(t, err)
	return client
}

func use(t *testing.T, c *mcp.Client, tool string) error {
	t.Helper()
	_, err := c.CallTool(t.Context(), tool, struct{}{}, nil)
	return err
}

// anyRevision declares that a test does not depend on the protocol revision.
func anyRevision(t *testing.T) { proof.Ran(t, "any", "any") }

// wantFailure checks that a sign-in failed with an error that contains the
// given words, and that no code or token has reached a token endpoint.
func wantFailure(t *testing.T, a *authority, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("signed in")
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error lacks %q: %v", word, err)
		}
	}
	if n := len(a.requests("/token")); n != 0 {
		t.Errorf("%d token requests", n)
	}
}

func signIn(t *testing.T, s *site, c *auth.OAuthClient) error {
	t.Helper()
	if c.Browser == nil && c.Receive == nil {
		c.Browser = browse
	}
	return c.SignIn(t.Context(), s.endpoint())
}

func (s *sent) basicAuth() (id, secret string, ok bool) {
	return (&http.Request{Header: s.header}).BasicAuth()
}

// location is an OAuthClient.Receive that requests the page and returns the URL
// that it redirects to.
func location(ctx context.Context, page string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusFound {
		text, _ := io.ReadAll(res.Body)
		return "", fmt.Errorf("the browser shows %s: %s", res.Status, text)
	}
	return res.Header.Get("Location"), nil
}

// bodyOf returns the body of a request and leaves it readable.
func bodyOf(r *http.Request) string {
	text, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(text)))
	return string(text)
}

// given contains the random values that sign-ins have generated.
var tokens sync.Map

// isNew fails the test if an earlier sign-in used the same value.
func isNew(t *testing.T, name, value string) {
	t.Helper()
	if _, again := tokens.LoadOrStore(name+" "+value, true); again || value == "" {
		t.Errorf("the %s %q is used again", name, value)
	}
}
