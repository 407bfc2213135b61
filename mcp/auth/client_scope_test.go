package auth_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

func TestScopes(t *testing.T) {
	proves(t, "auth.scope.no-set-relation", "auth.scope.challenge-authoritative", "auth.scope.least-privilege", "auth.scope.selection-order", "auth.refresh.offline-access")
	anyRevision(t)
	for _, tt := range []struct {
		name                      string
		challenge                 string // the scope parameter of the challenge
		resource, server, further []string
		want                      string
	}{
		{"of the challenge", "a b", []string{"c", "d"}, nil, nil, "a b"},
		{"of the challenge, beside those of the metadata", "a", []string{"a", "c"}, nil, nil, "a"},
		{"of the metadata", "", []string{"c", "d"}, nil, nil, "c d"},
		{"of nobody", "", nil, nil, nil, ""},
		{"of the client", "a", nil, nil, []string{"x", "a"}, "a x"},
		{"for refreshing", "a", nil, []string{"a", "offline_access"}, nil, "a offline_access"},
		{"of the challenge, not those of the authorization server", "a b", nil, []string{"a", "offline_access"}, nil, "a b offline_access"},
		{"of the challenge, none of the authorization server's", "a b", nil, []string{"x"}, nil, "a b"},
		{"of the client, beside those of the metadata", "", []string{"c", "d"}, nil, []string{"x"}, "c d x"},
		{"of the client, beside the challenge", "a", []string{"c", "d"}, []string{"c"}, []string{"x"}, "a x"},
		{"of a challenge for bound tokens", "a DPoP", []string{"c", "d"}, nil, nil, "a DPoP"},
		{"for refreshing alone", "", nil, []string{"offline_access"}, nil, ""},
		{"twice the same, and one that is none", `a a b\"c`, nil, nil, nil, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAuthority(t)
			scheme := "Bearer"
			if strings.Contains(tt.challenge, "DPoP") {
				binding(t, a, "")
				scheme = "DPoP"
			}
			a.edit = func(m map[string]any) {
				m["scopes_supported"], m["dpop_signing_alg_values_supported"] = tt.server, []string{"ES256"}
			}
			s := newSite(t, a, nil)
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/mcp" {
					if tt.challenge != "" {
						w.Header().Set("WWW-Authenticate", scheme+` scope="`+tt.challenge+`"`)
					}
					w.WriteHeader(http.StatusUnauthorized)
					return true
				}
				m := map[string]any{"resource": s.endpoint(), "authorization_servers": []string{a.issuer()}}
				if tt.resource != nil {
					m["scopes_supported"] = tt.resource
				}
				reply(w, 200, m)
				return true
			})
			must(t, signIn(t, s, &auth.OAuthClient{Scopes: tt.further}))
			page := a.only(t, "/authorize").form
			if page.Get("scope") != tt.want || page.Has("scope") != (tt.want != "") {
				t.Errorf("asked for %q, want %q", page["scope"], tt.want)
			}
		})
	}
}

func TestStepUp(t *testing.T) {
	proves(t, "auth.scope.challenge-authoritative", "auth.stepup.respond", "auth.stepup.user", "auth.iss.record", "auth.sec.pkce", "auth.sec.state")
	everyRevision(t, func(t *testing.T, revision string) {
		a := newAuthority(t)
		s := newSite(t, a, nil)
		c := mustConnect(t, s, new(auth.OAuthClient), revision)
		for _, tool := range []string{"read", "erase", "read", "erase"} {
			must(t, use(t, c, tool))
		}
		pages := a.requests("/authorize")
		if len(pages) != 2 || pages[0].form.Get("scope") != "mcp" || pages[1].form.Get("scope") != "mcp reports:write" {
			t.Errorf("%d pages: %v", len(pages), pages)
		}
		for _, page := range pages {
			isNew(t, "state", page.form.Get("state"))
			isNew(t, "code_challenge", page.form.Get("code_challenge"))
		}
		for _, r := range a.requests("/token") {
			isNew(t, "code_verifier", r.form.Get("code_verifier"))
		}
		a.only(t, "/register")
	})
}

// TestScopesAddUp uses a server whose challenge contains only the scope for the current call. The
// client must also request the scopes that it requested or was granted before, even after the
// program has been restarted.
func TestScopesAddUp(t *testing.T) {
	proves(t, "auth.stepup.union", "auth.scope.keep-granted")
	everyRevision(t, func(t *testing.T, revision string) {
		for name, tt := range map[string]struct {
			first, granted string // scopes in the first challenge, and scopes of the first token
			further        []string
			want           []string // scopes of each authorization request, in order
		}{
			"challenged":           {"one two", "", nil, []string{"one two", "one two three", "one two three four"}},
			"of the client":        {"", "", []string{"one"}, []string{"one", "one three", "one three four"}},
			"both":                 {"two", "", []string{"one"}, []string{"two one", "two one three", "two one three four"}},
			"granted unasked":      {"", "zero", nil, []string{"", "zero three", "zero three four"}},
			"granted beside":       {"one", "one zero", nil, []string{"one", "one zero three", "one zero three four"}},
			"granted only a part":  {"one two", "two", nil, []string{"one two", "one two three", "one two three four"}},
			"granted another part": {"one two", "one", nil, []string{"one two", "one two three", "one two three four"}},
		} {
			t.Run(name, func(t *testing.T) {
				a := newAuthority(t)
				s, store := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes = nil; o.ToolScopes = nil }), new(auth.MemoryStore)
				var mu sync.Mutex
				need := "" // scope that the next call needs
				s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path != "/mcp" {
						return false
					}
					token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
					got, err := a.verify(r.Context(), token)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err != nil && tt.first != "":
						w.Header().Set("WWW-Authenticate", `Bearer scope="`+tt.first+`"`)
						w.WriteHeader(http.StatusUnauthorized)
					case err == nil && need != "" && !slices.Contains(got.Scopes, need):
						w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+need+`"`)
						w.WriteHeader(http.StatusForbidden)
					default:
						return false
					}
					return true
				})
				if tt.granted != "" {
					a.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
						form := a.log[len(a.log)-1].form
						if r.URL.Path != "/token" || a.codes[form.Get("code")] == nil || a.codes[form.Get("code")].scope != tt.want[0] {
							return false
						}
						a.codes[form.Get("code")].scope = tt.granted
						return false
					}
				}
				client := func() *mcp.Client {
					return mustConnect(t, s, &auth.OAuthClient{Scopes: tt.further, Store: store}, revision)
				}
				c := client()
				for n, scope := range []string{"", "three", "four"} {
					mu.Lock()
					need = scope
					mu.Unlock()
					if n == 2 {
						c = client()
					}
					must(t, use(t, c, "read"))
				}
				var scopes []string
				for _, page := range a.requests("/authorize") {
					scopes = append(scopes, page.form.Get("scope"))
				}
				if !slices.Equal(scopes, tt.want) {
					t.Errorf("asked for %q, want %q", scopes, tt.want)
				}
			})
		}
	})
}

func TestAServerThatAlwaysWantsMoreIsGivenUp(t *testing.T) {
	proves(t, "auth.stepup.retry-limit", "auth.stepup.track")
	everyRevision(t, serversThatAlwaysWantMore)
}

func serversThatAlwaysWantMore(t *testing.T, revision string) {
	for name, scope := range map[string]string{"the same scope": "more", "another scope each time": "more%d", "no scope": ""} {
		t.Run(name, func(t *testing.T) {
			a := newAuthority(t)
			s := newSite(t, a, nil)
			var refused atomic.Int32
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/mcp" || r.Header.Get("Authorization") == "" {
					return false
				}
				challenge := `Bearer error="insufficient_scope"`
				if scope != "" {
					challenge += `, scope="` + strings.ReplaceAll(scope, "%d", fmt.Sprint(refused.Add(1))) + `"`
				}
				w.Header().Set("WWW-Authenticate", challenge)
				w.WriteHeader(http.StatusForbidden)
				return true
			})
			if _, err := connect(t, s, new(auth.OAuthClient), revision); err == nil {
				t.Fatal("connected")
			}
			if n := len(a.requests("/authorize")); n < 1 || n > 3 {
				t.Errorf("the user was asked %d times", n)
			}
		})
	}
}

func TestATokenThatIsNeverAcceptedIsGivenUp(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/mcp" {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
		return r.URL.Path == "/mcp"
	})
	_, err := connect(t, s, new(auth.OAuthClient), "")
	if err == nil || !strings.Contains(err.Error(), "issued just now") {
		t.Errorf("%v", err)
	}
	a.only(t, "/authorize")
	if n := len(a.requests("/token")); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

// TestARefusalThatNamesMoreScopes refuses a token that could be refreshed, because it lacks a
// scope.
func TestARefusalThatNamesMoreScopes(t *testing.T) {
	proves(t, "auth.scope.challenge-authoritative", "auth.scope.no-set-relation", "auth.www-authenticate.parse")
	everyRevision(t, func(t *testing.T, revision string) {
		for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
			a := newAuthority(t)
			a.lifetime = 7200
			// The resource's metadata lists this scope along with others.
			s, store := newSite(t, a, func(o *auth.GuardOptions) { o.ToolScopes = map[string][]string{"erase": {"more", "reports:write"}} }), new(auth.MemoryStore)
			must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
			if !auth.Age(store) {
				t.Fatal("nothing is kept")
			}
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				got, err := a.verify(r.Context(), strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
				if r.URL.Path != "/mcp" || err == nil && slices.Contains(got.Scopes, "more") {
					return false
				}
				w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="more"`)
				w.WriteHeader(status)
				return true
			})
			if err := use(t, mustConnect(t, s, &auth.OAuthClient{Store: store}, revision), "read"); err != nil {
				t.Error(err)
			}
			if pages := a.requests("/authorize"); len(pages) != 2 || pages[1].form.Get("scope") != "mcp more" || renewed(a) != 0 {
				t.Errorf("%d: %d pages and %d refreshes", status, len(pages), renewed(a))
			}
		}
	})
}
