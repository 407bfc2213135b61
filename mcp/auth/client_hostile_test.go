package auth_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp/auth"
)

// TestHostile_AnswersOfAuthorizationServers makes the registration and token endpoints send invalid
// responses. A sign-in must either fail with a one-line error or return a usable token, and must
// not send too many requests.
func TestHostile_AnswersOfAuthorizationServers(t *testing.T) {
	anyRevision(t)
	long := strings.Repeat("x", 60_000)
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	signedIn := 0
	for path, answers := range map[string][]string{
		"/register": {
			`{"client_id":""}`, `{"client_id":null}`, `{"client_id":7}`, `{"client_id":["a"]}`, `{"client_id":"a","client_id":"b"}`, `[]`, `null`, deep, `{"client_id":` + deep + `}`,
			`{"client_id":"` + long + `"}`, `{"client_id":"a\r\nX-Evil: 1"}`, `{"client_id":"a&redirect_uri=https://evil.example"}`, `{"client_id":"\u0000\u202e"}`, `{"client_id":"a:b","client_secret":"c:d"}`,
			`{"client_id":"a","client_secret":"s\r\nX-Evil: 1","token_endpoint_auth_method":"client_secret_basic"}`, `{"client_id":"a","token_endpoint_auth_method":"private_key_jwt"}`,
			`{"client_id":"a","token_endpoint_auth_method":"tls_client_auth","client_secret":"s"}`, `{"client_id":"a","client_secret":"s","client_secret_expires_at":-1}`,
			`{"client_id":"a","client_secret":"s","client_secret_expires_at":1}`, `{"client_id":"a","client_secret":"s","client_secret_expires_at":9e300}`, `{"client_id":"a","client_secret":"s","client_secret_expires_at":"soon"}`,
			`{"client_id":"a","redirect_uris":["https://evil.example/"]}`,
		},
		"/token": {
			`{}`, `[]`, `null`, ``, deep, `{"access_token":` + deep + `}`, `{"access_token":"","token_type":"Bearer"}`, `{"access_token":7,"token_type":"Bearer"}`, `{"access_token":"` + long + `","token_type":"Bearer"}`,
			`{"access_token":"a\r\nX-Evil: 1","token_type":"Bearer"}`, `{"access_token":"a b","token_type":"Bearer"}`, `{"access_token":"a\u0000","token_type":"Bearer"}`, `{"access_token":"é","token_type":"Bearer"}`,
			`{"access_token":"a","token_type":"mac"}`, `{"access_token":"a","token_type":""}`, `{"access_token":"a","token_type":"DPoP"}`, `{"access_token":"a","token_type":"Bearer","expires_in":-1}`,
			`{"access_token":"a","token_type":"Bearer","expires_in":9e300}`, `{"access_token":"a","token_type":"Bearer","expires_in":9223372036854775807}`, `{"access_token":"a","token_type":"Bearer","expires_in":"soon"}`,
			`{"access_token":"a","token_type":"Bearer","scope":"` + strings.Repeat("s ", 30_000) + `"}`, `{"access_token":"a","token_type":"Bearer","scope":"a\"b \\ \u0007"}`,
			`{"access_token":"a","token_type":"Bearer","refresh_token":"` + long + `"}`, `{"access_token":"a","token_type":"Bearer","refresh_token":"r\r\nX: 1","expires_in":1}`,
			`{"error":"\u001b[31m` + long + `"}`, `{"error":"invalid_grant","error_description":"` + long + `"}`, `{"access_token":"a","access_token":"b","token_type":"Bearer"}`,
		},
	} {
		for _, body := range answers {
			for _, status := range []int{200, 201, 400} {
				name := fmt.Sprintf("%s %d %.60s", path, status, body)
				a := newAuthority(t)
				a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path == "/token" && path != "/token" {
						w.Header().Set("Content-Type", "application/json")
						fmt.Fprint(w, `{"access_token":"a","token_type":"Bearer"}`)
						return true
					}
					if r.URL.Path == path {
						w.Header().Set("Content-Type", "application/json")
						w.WriteHeader(status)
						fmt.Fprint(w, body)
					}
					return r.URL.Path == path
				}
				s, c := newSite(t, a, nil), &auth.OAuthClient{Timeout: 10 * time.Second}
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				c.Receive = func(_ context.Context, page string) (string, error) {
					u, err := url.Parse(page)
					if err != nil {
						return "", err
					}
					q := u.Query()
					if back, err := url.Parse(q.Get("redirect_uri")); err != nil || back.Hostname() != "127.0.0.1" || len(q["client_id"]) != 1 || len(q["redirect_uri"]) != 1 {
						t.Errorf("%s: the page is %.500s", name, page)
					}
					return "?" + url.Values{"code": {"c"}, "state": {q.Get("state")}, "iss": {a.issuer()}}.Encode(), nil
				}
				err := c.SignIn(ctx, s.endpoint())
				if ctx.Err() != nil {
					t.Errorf("%s: it does not end: %v", name, err)
				}
				cancel()
				if err != nil && (strings.ContainsAny(err.Error(), "\n\r\x1b\x00") || len(err.Error()) > 3000) {
					t.Errorf("%s: the error is %.4000q", name, err)
				}
				if err == nil {
					signedIn++
				}
				if n := len(a.requests("/token")) + len(a.requests("/register")); n > 8 {
					t.Errorf("%s: %d requests", name, n)
				}
				for _, one := range a.log {
					if one.header.Get("X-Evil") != "" || one.header.Get("X") != "" {
						t.Errorf("%s: a header came from the answer", name)
					}
				}
			}
		}
	}
	if signedIn == 0 {
		t.Error("no sign-in came as far as a token")
	}
	t.Log(signedIn, "sign-ins have a token")
}
