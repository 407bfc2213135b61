package auth

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// show writes challenges as "scheme name=value name=value; scheme".
func show(all []challenge) string {
	var parts []string
	for _, c := range all {
		names := []string{}
		for name, value := range c.params {
			names = append(names, fmt.Sprintf("%s=%q", name, value))
		}
		slices.Sort(names)
		parts = append(parts, strings.TrimSpace(c.scheme+" "+strings.Join(names, " ")))
	}
	return strings.Join(parts, "; ")
}

func TestChallenges(t *testing.T) {
	proves(t, "auth.www-authenticate.parse")
	for header, want := range map[string]string{
		"":       "",
		"Bearer": "Bearer",
		`Bearer resource_metadata="https://a/b", scope="x y"`:        `Bearer resource_metadata="https://a/b" scope="x y"`,
		`bearer error=insufficient_scope,scope="x"`:                  `bearer error="insufficient_scope" scope="x"`,
		`Bearer  realm = "a , b\"c\\" , Scope="x"`:                   `Bearer realm="a , b\"c\\" scope="x"`,
		`Basic realm="x", Bearer scope="y", DPoP algs="ES256 RS256"`: `Basic realm="x"; Bearer scope="y"; DPoP algs="ES256 RS256"`,
		`Negotiate, Bearer scope="y"`:                                `Negotiate; Bearer scope="y"`,
		`Negotiate abc/+==, Bearer scope="y"`:                        `Negotiate; Bearer scope="y"`,
		`Bearer scope="one", scope="two"`:                            `Bearer scope="one"`,
		`Bearer resource_metadata=https://a/b?c=d, scope="x"`:        `Bearer resource_metadata="https://a/b?c=d" scope="x"`,
		`Bearer scope="x`:                    `Bearer`,
		`Bearer scope="x\`:                   `Bearer`,
		`Bearer scope=, error="y"`:           `Bearer error="y"`,
		`scope="x"`:                          ``,
		`"Bearer"`:                           ``,
		", ,Bearer ,, scope=x, ":             `Bearer scope="x"`,
		"Bearer scope=\"a\"\x00 error=\"b\"": `Bearer scope="a"`,
	} {
		if got := show(parseChallenges(http.Header{"Www-Authenticate": {header}})); got != want {
			t.Errorf("%s\n got %s\nwant %s", header, got, want)
		}
	}
	several := http.Header{"Www-Authenticate": {`Basic realm="x"`, `Bearer scope="y"`}}
	if got := show(parseChallenges(several)); got != `Basic realm="x"; Bearer scope="y"` {
		t.Error(got)
	}
	if got := parseChallenges(http.Header{"Www-Authenticate": slices.Repeat([]string{strings.Repeat("Bearer, ", 1000)}, 100)}); len(got) > maxChallenge {
		t.Errorf("%d challenges", len(got))
	}
}

func FuzzChallenges(f *testing.F) {
	f.Add(`Bearer resource_metadata="https://a/b", scope="x y", error=insufficient_scope`)
	f.Add(`Negotiate abc==, Basic realm="a\"b", DPoP algs="ES256"`)
	f.Add(`Bearer a=b=c,,"`)
	f.Fuzz(func(t *testing.T, s string) {
		all := parseChallenges(http.Header{"Www-Authenticate": {s}})
		for _, c := range all {
			if c.scheme == "" || c.params == nil || len(c.scheme) > len(s) {
				t.Errorf("%q: %+v", s, c)
			}
			for name, value := range c.params {
				if name == "" || name != strings.ToLower(name) || len(value) > len(s) {
					t.Errorf("%q: %q=%q", s, name, value)
				}
			}
		}
		// The parsed challenges can be formatted and parsed again.
		var b strings.Builder
		for i, c := range all {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(c.scheme)
			sep := " "
			for name, value := range c.params {
				fmt.Fprintf(&b, `%s%s="%s"`, sep, name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
				sep = ", "
			}
		}
		if b.Len() > maxChallenge {
			return
		}
		if again := parseChallenges(http.Header{"Www-Authenticate": {b.String()}}); show(again) != show(all) {
			t.Errorf("%q: %s, read again %s", s, show(all), show(again))
		}
	})
}

func FuzzAnswer(f *testing.F) {
	f.Add("http://127.0.0.1:1234/callback?code=x&state=y&iss=https%3A%2F%2Fas.example.com")
	f.Add("code=x&state=y")
	f.Add("?state=%zz")
	f.Fuzz(func(t *testing.T, s string) {
		answer, err := answerIn(s)
		if err == nil && !answer.Has("state") {
			t.Errorf("%q: %v", s, answer)
		}
		r := &request{issuer: "https://as.example.com", state: "expected", issuerExpected: true}
		if err == nil && r.check(answer) == nil && (answer.Get("state") != "expected" || answer.Get("iss") != "https://as.example.com" || answer.Get("code") == "") {
			t.Errorf("%q is accepted", s)
		}
	})
}

func FuzzSession(f *testing.F) {
	f.Add([]byte(`{"server":"https://a/mcp","issuer":"https://b","access_token":"x","token_endpoint":"https://b/token"}`))
	f.Add([]byte(`{"server":"https://a/mcp","access_token":"x","dpop":true,"key":"AAAA"}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		c := &OAuthClient{Server: "https://a/mcp"}
		if err := c.memory.Save(t.Context(), "session https://a/mcp", value); err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://a/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.prepare(req.URL); err != nil {
			t.Fatal(err)
		}
		s, err := c.load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.present(req, s); err != nil {
			t.Fatal(err)
		}
		if h := req.Header.Get("Authorization"); strings.ContainsAny(h, "\r\n\x00") || s == nil && h != "" {
			t.Errorf("%q", h)
		}
	})
}
