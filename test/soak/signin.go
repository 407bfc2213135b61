package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// An attack is a behavior of a server, or of its authorization server, toward a client that signs
// in. One round connects with a new auth.OAuthClient until that fails.
type attack struct {
	name string
	want string // part of the client's error; "" for a sign-in that succeeds
	// Each of these changes the servers' responses, or is nil.
	resource  func(base string, metadata map[string]any)
	issuer    func(base string, metadata map[string]any)
	answer    func(base string, answer url.Values)
	intercept func(s *scene, w http.ResponseWriter, req *http.Request) bool // answers a request itself
	public    bool                                                          // the servers are not on this machine
	twice     bool                                                          // the browser sends the answer twice
	stalls    bool                                                          // the client gives up after callTime
}

// sends makes metadata contain an address in one of its members.
func sends(member, address, want string, public bool) attack {
	a := attack{name: "names " + address + " as " + member, want: want, public: public}
	change := func(_ string, metadata map[string]any) { metadata[member] = address }
	switch member {
	case "authorization_servers":
		a.resource = func(_ string, metadata map[string]any) { metadata[member] = []string{address} }
	case "resource_metadata":
		a.intercept = func(_ *scene, w http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path != "/mcp" {
				return false
			}
			w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer resource_metadata=%q", address))
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
	default:
		a.issuer = change
	}
	return a
}

// redirects makes requests for a path redirect to another origin.
func redirects(path, want string) attack {
	return attack{name: "redirects " + path, want: want, intercept: func(s *scene, w http.ResponseWriter, req *http.Request) bool {
		if req.URL.Path != path {
			return false
		}
		http.Redirect(w, req, s.thief.URL+path, http.StatusTemporaryRedirect)
		return true
	}}
}

const (
	metadataService = "https://169.254.169.254/latest/meta-data"
	anotherIssuer   = "https://evil.example.com"
)

var attacks = func() []attack {
	all := []attack{
		{name: "is honest", want: ""},
		{name: "replays an answer", want: "", twice: true},
		{name: "wants a token for another audience", want: "another resource", resource: func(_ string, m map[string]any) { m["resource"] = "https://other.example.com/mcp" }},
		{name: "contains metadata of another issuer", want: "another issuer", issuer: func(_ string, m map[string]any) { m["issuer"] = anotherIssuer }},
		{name: "mixes up iss", want: "iss differs", answer: func(_ string, q url.Values) { q.Set("iss", anotherIssuer) }},
		{name: "leaves out iss", want: "no iss", answer: func(_ string, q url.Values) { q.Del("iss") }},
		{name: "gives a code that is used", want: "invalid_grant", answer: func(_ string, q url.Values) { q.Set("code", "used") }},
		{name: "downgrades PKCE", want: "S256", issuer: func(_ string, m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain"} }},
		{name: "hides PKCE", want: "S256", issuer: func(_ string, m map[string]any) { delete(m, "code_challenge_methods_supported") }},
		redirects("/mcp", "another origin"),
		redirects("/metadata", "another origin"),
		redirects("/.well-known/oauth-authorization-server", "another origin"),
		redirects("/register", "status 307"),
		redirects("/token", "status 307"),
		{name: "refuses every token", want: "issued just now", intercept: func(s *scene, w http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path == "/mcp" {
				s.challenge(w, http.StatusUnauthorized, "")
			}
			return req.URL.Path == "/mcp"
		}},
		{name: "wants further scopes for ever", want: "status 403", intercept: func(s *scene, w http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path != "/mcp" || req.Header.Get("Authorization") == "" {
				return false
			}
			s.challenge(w, http.StatusForbidden, fmt.Sprintf(`, error="insufficient_scope", scope="s%d"`, s.number.Add(1)))
			return true
		}},
		{name: "sends metadata without end", want: "larger than 1048576 bytes", intercept: func(_ *scene, w http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path == "/metadata" {
				_ = pour(w, "x") // it ends with the connection
			}
			return req.URL.Path == "/metadata"
		}},
		{name: "stalls in metadata", want: context.DeadlineExceeded.Error(), stalls: true, intercept: func(_ *scene, _ http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path == "/metadata" {
				<-req.Context().Done()
			}
			return req.URL.Path == "/metadata"
		}},
		{name: "stalls at the token", want: context.DeadlineExceeded.Error(), stalls: true, intercept: func(_ *scene, _ http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path == "/token" {
				_, _ = io.Copy(io.Discard, req.Body) // Reading detects the end of the connection.
				<-req.Context().Done()
			}
			return req.URL.Path == "/token"
		}},
	}
	for _, member := range []string{"resource_metadata", "authorization_servers", "authorization_endpoint", "token_endpoint", "registration_endpoint"} {
		want := "not public" // The address is checked when the client connects.
		if member == "authorization_endpoint" {
			continue // only the browser opens it
		}
		all = append(all, sends(member, metadataService, want, false), sends(member, "https://[::1]/x", "on this machine", true))
	}
	return append(all, sends("authorization_endpoint", "https://[::1]/x", "on this machine", true), sends("token_endpoint", "http://as.example.com/x", "must use https", true))
}()

// A scene contains the servers of an attack.
type scene struct {
	*attack
	base   string
	web    *httptest.Server // nil if they are public
	thief  *httptest.Server
	stolen atomic.Int64 // requests that the thief has received
	number atomic.Int64
}

func (a *attack) start() *scene {
	s := &scene{attack: a, base: "https://mcp.example.com"}
	s.thief = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { s.stolen.Add(1) }))
	if !a.public {
		s.web = httptest.NewServer(s)
		s.base = s.web.URL
	}
	return s
}

func (s *scene) close() {
	s.thief.Close()
	if s.web != nil {
		s.web.CloseClientConnections()
		s.web.Close()
	}
}

func (s *scene) challenge(w http.ResponseWriter, status int, more string) {
	w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer resource_metadata=%q%s", s.base+"/metadata", more))
	w.WriteHeader(status)
}

func (s *scene) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if s.intercept != nil && s.intercept(s, w, req) {
		return
	}
	say := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v) // the client may have disconnected
	}
	switch req.URL.Path {
	case "/mcp":
		if req.Header.Get("Authorization") != "Bearer good" {
			s.challenge(w, http.StatusUnauthorized, "")
			return
		}
		new(hostile).ServeHTTP(w, req)
	case "/metadata":
		m := map[string]any{"resource": s.base + "/mcp", "authorization_servers": []string{s.base}}
		if s.resource != nil {
			s.resource(s.base, m)
		}
		say(http.StatusOK, m)
	case "/.well-known/oauth-authorization-server":
		m := map[string]any{
			"issuer": s.base, "authorization_endpoint": s.base + "/authorize", "token_endpoint": s.base + "/token", "registration_endpoint": s.base + "/register",
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"}, "authorization_response_iss_parameter_supported": true,
		}
		if s.issuer != nil {
			s.issuer(s.base, m)
		}
		say(http.StatusOK, m)
	case "/register":
		say(http.StatusCreated, map[string]any{"client_id": "client", "token_endpoint_auth_method": "none"})
	case "/authorize":
		q := req.URL.Query()
		answer := url.Values{"state": {q.Get("state")}, "iss": {s.base}, "code": {"fresh"}}
		if s.answer != nil {
			s.answer(s.base, answer)
		}
		w.Header().Set("Location", q.Get("redirect_uri")+"?"+answer.Encode())
		w.WriteHeader(http.StatusFound)
	case "/token":
		if req.ParseForm() != nil || req.PostForm.Get("code") != "fresh" {
			say(http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
			return
		}
		say(http.StatusOK, map[string]any{"access_token": "good", "token_type": "Bearer", "expires_in": 3600})
	default:
		http.NotFound(w, req)
	}
}

// RoundTrip simulates a network in which the servers have public addresses.
func (s *scene) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "https" || req.URL.Host != "mcp.example.com" {
		s.stolen.Add(1)
		return nil, fmt.Errorf("asked %s", req.URL)
	}
	w := httptest.NewRecorder()
	got := req.Clone(req.Context())
	if got.Body == nil {
		got.Body = http.NoBody
	}
	s.ServeHTTP(w, got)
	res := w.Result()
	res.Request = req
	return res, nil
}

// browser acts as the user's browser: it opens the page and follows the redirect back.
func (s *scene) browser(ctx context.Context, page string) error {
	web := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	visit := func(address string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		req.Close = true
		if s.public && req.URL.Host == "mcp.example.com" {
			return s.RoundTrip(req)
		}
		return web.Do(req)
	}
	res, err := visit(page)
	if err != nil {
		return err
	}
	res.Body.Close()
	back := res.Header.Get("Location")
	if res, err = visit(back); err != nil {
		return err
	}
	res.Body.Close()
	if s.twice {
		if again, err := visit(back); err == nil {
			again.Body.Close()
			if again.StatusCode/100 == 2 {
				return errors.New("an answer is taken twice")
			}
		}
	}
	return nil
}

func (a *attack) run(rounds int) error {
	s := a.start()
	defer s.close()
	return measure("signing in: "+a.name, rounds, s.round)
}

// round returns how long the caller waited for its error, and for Close.
func (s *scene) round() (waited, closed time.Duration, err error) {
	limit := roundTime
	if s.stalls {
		limit = callTime
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	authorizer := &auth.OAuthClient{Browser: s.browser}
	transport := &mcp.HTTPTransport{URL: s.base + "/mcp", NoSSE: true, Authorizer: authorizer}
	if s.public {
		authorizer.HTTPClient = &http.Client{Transport: s}
		transport.HTTPClient = authorizer.HTTPClient
	}
	opts := impatient
	began := time.Now()
	c, failed := mcp.Connect(ctx, transport, &opts)
	waited = time.Since(began)
	if c != nil {
		began = time.Now()
		_ = c.Close() // errors about the server do not matter
		closed = time.Since(began)
	}
	switch {
	case s.stolen.Load() > 0:
		err = fmt.Errorf("the thief was asked; the client says: %w", failed)
	case s.want == "" && failed != nil:
		err = failed
	case s.want != "" && (failed == nil || !strings.Contains(failed.Error(), s.want)):
		err = fmt.Errorf("the client says %w, want %q", failed, s.want)
	case !s.stalls && ctx.Err() != nil:
		err = fmt.Errorf("the caller waited %v: %w", waited, failed)
	}
	return waited, closed, err
}

// signingKey is the key of an authorization server.
type signingKey struct {
	id       string
	private  ed25519.PrivateKey
	document []byte // with the public key
}

func newSigningKey() (*signingKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	k := &signingKey{id: "one", private: private}
	k.document, err = json.Marshal(map[string]any{"keys": []map[string]string{
		{"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": k.id, "x": base64.RawURLEncoding.EncodeToString(public)},
	}})
	return k, err
}

// sign creates a JWT, with the algorithm "none" if it is forged.
func (k *signingKey) sign(claims map[string]any, forged bool) (string, error) {
	header := map[string]string{"alg": "EdDSA", "typ": "at+jwt", "kid": k.id}
	if forged {
		header["alg"] = "none"
	}
	var parts []string
	for _, part := range []any{header, claims} {
		text, err := json.Marshal(part)
		if err != nil {
			return "", err
		}
		parts = append(parts, base64.RawURLEncoding.EncodeToString(text))
	}
	signed := strings.Join(parts, ".")
	if forged {
		return signed + ".", nil
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(k.private, []byte(signed))), nil
}

// A theft is a token that a server with an auth.Guard must refuse.
type theft struct {
	name   string
	claims map[string]any // changes the claims of a valid token
	forged bool           // without a signature
}

var thefts = []theft{
	{name: "brings a token for another audience", claims: map[string]any{"aud": "https://other.example.com/mcp"}},
	{name: "brings a token of another issuer", claims: map[string]any{"iss": anotherIssuer}},
	{name: "brings a token that has expired", claims: map[string]any{"exp": 1}},
	{name: "brings a token without signature", forged: true},
}

// run tries a guard with the token for many rounds. The client is the thief.
func (t *theft) run(rounds int) error {
	key, err := newSigningKey()
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	defer web.Close()
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, web.URL, web.URL+"/keys") // The client may have disconnected.
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(key.document)
	})
	verifier, err := auth.NewJWT(web.URL, nil)
	if err != nil {
		return err
	}
	guard, err := auth.NewGuard(auth.GuardOptions{
		Resource: web.URL + "/mcp", AuthorizationServers: []string{web.URL}, Verifier: verifier, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	server := mcp.NewServer(mcp.Implementation{Name: "guarded", Version: "1"}, nil)
	guard.Mount(mux, server.HTTPHandler(nil))
	good := map[string]any{"iss": web.URL, "aud": web.URL + "/mcp", "sub": "user", "client_id": "client", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
	connect := func(token string) error {
		ctx, cancel := context.WithTimeout(context.Background(), roundTime)
		defer cancel()
		opts := impatient
		c, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: web.URL + "/mcp", NoSSE: true, Header: http.Header{"Authorization": {"Bearer " + token}}}, &opts)
		if err == nil {
			_ = c.Close() // the session does not matter
		}
		return err
	}
	token, err := key.sign(good, false)
	if err != nil {
		return err
	}
	if err := connect(token); err != nil {
		return fmt.Errorf("a good token: %w", err)
	}
	maps.Copy(good, t.claims)
	if token, err = key.sign(good, t.forged); err != nil {
		return err
	}
	return measure("a client "+t.name, rounds, func() (waited, closed time.Duration, err error) {
		began := time.Now()
		err = connect(token)
		waited = time.Since(began)
		if status, ok := errors.AsType[*mcp.HTTPError](err); ok && status.StatusCode == http.StatusUnauthorized {
			return waited, 0, nil
		}
		return waited, 0, fmt.Errorf("the guard answers %w", err)
	})
}
