package teamserver

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/teamserver/apikey"
)

var describeTurtle = map[string]any{"package": "turtle"}

// expectRefused sends a request as an attacker and checks that it is refused without an answer.
func expectRefused(t *testing.T, r *running, name, key string) {
	t.Helper()
	status, text := r.call(t, key, describeTurtle)
	if status != http.StatusUnauthorized || strings.Contains(text, "asked for") {
		t.Errorf("%s: %d %s", name, status, text)
	}
}

func TestAttack_Keys(t *testing.T) {
	file, add := newKeys(t)
	good, expired, revoked := add("alice", time.Hour), add("bob", -time.Hour), add("mallory", time.Hour)
	r := start(t, tape{}, Options{Keys: file})
	for _, key := range []string{good, revoked} {
		if status, text := r.call(t, key, describeTurtle); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
	}
	if _, err := apikey.Revoke(file, "mallory"); err != nil {
		t.Fatal(err)
	}
	r.Reload()
	for name, key := range map[string]string{
		"no key": "", "an expired key": expired, "a revoked key": revoked, "a made-up key": apikey.Prefix + strings.Repeat("A", 43),
		"the beginning of a key": good[:len(good)-1], "a key in capitals": strings.ToUpper(good), "a JWT": "eyJhbGciOiJub25lIn0.e30.", "a comma": good + "," + good,
	} {
		expectRefused(t, r, name, key)
	}
	if log := r.log.String(); strings.Contains(log, good) || strings.Contains(log, revoked) {
		t.Errorf("the log has a key:\n%s", log)
	}
}

// issuer is an authorization server that issues any token that a test requests.
type issuer struct {
	*httptest.Server
	key    ed25519.PrivateKey
	opaque map[string]map[string]any // claims of tokens that are introspected
}

func newIssuer(t *testing.T) *issuer {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key, opaque: map[string]map[string]any{}}
	mux := http.NewServeMux()
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	mux.HandleFunc("/.well-known/", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"issuer": i.URL, "jwks_uri": i.URL + "/keys", "introspection_endpoint": i.URL + "/introspect", "authorization_endpoint": i.URL + "/authorize",
			"token_endpoint": i.URL + "/token", "response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]any{
			"kty": "OKP", "crv": "Ed25519", "kid": "one", "alg": "EdDSA", "use": "sig", "x": base64.RawURLEncoding.EncodeToString(key.Public().(ed25519.PublicKey)),
		}}})
	})
	mux.HandleFunc("/introspect", func(w http.ResponseWriter, r *http.Request) {
		if id, secret, _ := r.BasicAuth(); id != "docent" || secret != "hush" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		claims := i.opaque[r.FormValue("token")]
		if claims == nil {
			claims = map[string]any{"active": false}
		}
		_ = json.NewEncoder(w).Encode(claims)
	})
	return i
}

// jwt returns a token with claims, signed by a key.
func jwt(key ed25519.PrivateKey, claims map[string]any) string {
	payload, _ := json.Marshal(claims)
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"EdDSA","typ":"at+jwt","kid":"one"}`)) + "." + base64.RawURLEncoding.EncodeToString(payload)
	return text + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(text)))
}

const endpointURL = "https://docs.example.com/mcp"

// claims returns the claims of a valid token. changes contains pairs of a name and a value.
func (i *issuer) claims(changes ...any) map[string]any {
	c := map[string]any{
		"active": true, "iss": i.URL, "sub": "alice", "aud": endpointURL, "scope": "docs:read", "groups": []string{"payments"},
		"iat": time.Now().Add(-time.Minute).Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	for n := 0; n < len(changes); n += 2 {
		c[changes[n].(string)] = changes[n+1]
	}
	return c
}

func TestAttack_Tokens(t *testing.T) {
	i := newIssuer(t)
	_, foreign, _ := ed25519.GenerateKey(nil)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	groups := map[string]Group{"payments": {Projects: []string{project}}}
	oauth := OAuth{Issuer: i.URL, Audience: endpointURL, Scopes: []string{"docs:read"}, GroupsClaim: "groups"}
	signed := start(t, tape{}, Options{OAuth: oauth, Groups: groups})
	oauth.Introspect, oauth.ClientID, oauth.ClientSecret = true, "docent", secret
	server := start(t, tape{}, Options{OAuth: oauth, Groups: groups})

	attacks := map[string]map[string]any{
		"an expired token":          i.claims("exp", time.Now().Add(-time.Hour).Unix()),
		"a token without an end":    i.claims("exp", nil),
		"a token of later":          i.claims("nbf", time.Now().Add(time.Hour).Unix()),
		"another audience":          i.claims("aud", "https://other.example.com/mcp"),
		"an audience on this host":  i.claims("aud", "https://docs.example.com/other"),
		"another issuer":            i.claims("iss", "https://login.example.net"),
		"a token without a subject": i.claims("sub", ""),
		"a token bound to a key":    i.claims("cnf", map[string]any{"jkt": "x"}),
	}
	for name, claims := range attacks {
		expectRefused(t, signed, name, jwt(i.key, claims))
		i.opaque[strings.ReplaceAll(name, " ", "-")] = claims
		expectRefused(t, server, name, strings.ReplaceAll(name, " ", "-"))
	}
	expectRefused(t, signed, "no token", "")
	expectRefused(t, server, "no token", "")
	expectRefused(t, signed, "a token signed by another key", jwt(foreign, i.claims()))
	expectRefused(t, signed, "a token without a signature", strings.TrimRight(jwt(i.key, i.claims()), "=")[:len(jwt(i.key, i.claims()))-86])
	expectRefused(t, server, "an unknown token", "unknown")
	if status, _ := signed.call(t, jwt(i.key, i.claims("scope", "mail")), describeTurtle); status != http.StatusForbidden {
		t.Errorf("a token without the scope: %d", status)
	}

	i.opaque["good"] = i.claims()
	for r, token := range map[*running]string{signed: jwt(i.key, i.claims()), server: "good"} {
		status, text := r.call(t, token, map[string]any{"package": "turtle", "projectPath": project})
		if status != 200 || !strings.Contains(text, "["+project+"]") {
			t.Errorf("a good token: %d %s\n%s", status, text, r.log)
		}
	}
	i.opaque["other"] = i.claims("groups", []string{"search"})
	for r, token := range map[*running]string{signed: jwt(i.key, i.claims("groups", []string{"search"})), server: "other"} {
		if _, text := r.call(t, token, map[string]any{"package": "turtle", "projectPath": project}); !strings.Contains(text, "is not a directory that you may use") {
			t.Errorf("a token of another group: %s", text)
		}
	}
}

func TestAttack_ProjectPath(t *testing.T) {
	file, add := newKeys(t)
	alice, bob := add("alice", time.Hour, "payments"), add("bob", time.Hour, "search")
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	allowed, secret := filepath.Join(base, "payments"), filepath.Join(base, "payments-secret")
	for _, dir := range []string{filepath.Join(allowed, "app"), secret} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(allowed, "link")
	if err := os.Symlink(secret, link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	r := start(t, tape{}, Options{Keys: file, Groups: map[string]Group{"payments": {Projects: []string{allowed}}}})

	for _, path := range []string{allowed, filepath.Join(allowed, "app"), "file://" + allowed + "/app", allowed + "/app/../app"} {
		if status, text := r.call(t, alice, map[string]any{"package": "turtle", "projectPath": path}); status != 200 || !strings.Contains(text, "Asked for ["+allowed) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	answers := map[string]bool{}
	for _, path := range []string{
		"/etc", "/", "file:///etc", "file://localhost/etc", "file://other.example.com" + allowed, "FILE:///etc", secret, secret + "/none",
		allowed + "/../payments-secret", allowed + "/none/../../payments-secret", link, link + "/.", "file://" + link, "file://" + allowed + "/%2e%2e/payments-secret",
		allowed + "-secret", ".", "..", "~", "payments", `\\host\share`, "\x00", allowed + "\x00/x", strings.Repeat("/..", 500) + "/etc",
	} {
		status, text := r.call(t, alice, map[string]any{"package": "turtle", "projectPath": path})
		if status != 200 || !strings.Contains(text, `"isError":true`) || strings.Contains(text, "Asked for") {
			t.Errorf("%q: %d %s", path, status, text)
		}
	}
	for _, path := range []string{allowed, allowed + "/app", allowed + "/none"} { // bob cannot find out which projects exist
		_, text := r.call(t, bob, map[string]any{"package": "turtle", "projectPath": path})
		if strings.Contains(text, "Asked for") {
			t.Errorf("%s: %s", path, text)
		}
		answers[strings.ReplaceAll(text, path, "PATH")] = true
	}
	if len(answers) != 1 {
		t.Errorf("the answers tell which directories exist: %v", answers)
	}
	for _, arguments := range []map[string]any{
		{"package": "/etc"}, {"package": "turtle, ../x"}, {"package": "./x"}, {"package": "turtle@file:/etc"}, {"package": "turtle", "version": "file:../x"},
		{"package": "turtle", "version": "../x"}, {"package": "../../x", "projectPath": allowed},
	} {
		if _, text := r.call(t, alice, arguments); strings.Contains(text, "Asked for") || !strings.Contains(text, "is a path on the server") {
			t.Errorf("%v: %s", arguments, text)
		}
	}
	if status, text := r.call(t, alice, describeTurtle); status != 200 || !strings.Contains(text, "Asked for []") {
		t.Errorf("without a project: %d %s", status, text)
	}
}

func TestAttack_ForwardedAddresses(t *testing.T) {
	trusted, err := ParsePrefixes([]string{"10.0.0.0/8", "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		peer, forwarded, want string
	}{
		{"192.0.2.9:5", "203.0.113.7", "192.0.2.9"}, // not one of our proxies
		{"127.0.0.1:5", "203.0.113.7", "203.0.113.7"},
		{"[::ffff:127.0.0.1]:5", "203.0.113.7", "203.0.113.7"},
		{"127.0.0.1:5", "198.51.100.1, 203.0.113.7, 10.1.2.3", "203.0.113.7"}, // the client wrote the first address itself
		{"127.0.0.1:5", "evil, 10.1.2.3", "10.1.2.3"},
		{"127.0.0.1:5", "", "127.0.0.1"},
		{"127.0.0.1:5", "[2001:db8::1]:99", "2001:db8::1"},
		{"@", "203.0.113.7", "@"},
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{"X-Forwarded-For": {tt.forwarded}}}
		if got := clientAddress(r, trusted); got != tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
	if _, err := ParsePrefixes([]string{"proxy"}); err == nil {
		t.Error("a name is accepted")
	}
}
