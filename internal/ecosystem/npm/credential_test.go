package npm

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func configOf(t *testing.T, w *world, inProject bool) *config {
	t.Helper()
	n := w.npm()
	if !inProject {
		return readConfig(context.Background(), n.env, nil)
	}
	p, err := n.projects.Find(context.Background(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	return readConfig(context.Background(), n.env, p)
}

// sentTo is what a request for a package carries, to its registry or elsewhere.
func sentTo(t *testing.T, c *config, name, elsewhere string) credential {
	t.Helper()
	r, err := c.registryFor(name)
	if err != nil {
		t.Fatal(err)
	}
	u := r.url
	if elsewhere != "" {
		if u, err = url.Parse(elsewhere); err != nil {
			t.Fatal(err)
		}
	}
	return c.credentialFor(r, name, u)
}

func TestCredentialsAreFoundByPath(t *testing.T) {
	w := newWorld(t)
	write(t, w.home, map[string]string{".npmrc": strings.Join([]string{
		"registry=https://none.example",
		"//h.example/:_authToken=host",
		"//h.example/a/b/:_authToken=path",
		"//h.example/a/c:_authToken=without slash",
		"//p.example:8080/:_authToken=port",
	}, "\n")})
	c := configOf(t, w, false)
	for raw, want := range map[string]string{
		"https://h.example/":                "Bearer host",
		"https://H.example/x/-/x-1.tgz":     "Bearer host",
		"https://h.example/a/b/":            "Bearer path",
		"https://h.example/a/b/x/-/x-1.tgz": "Bearer path",
		"https://h.example/a/bb/":           "Bearer host",
		"https://h.example/a/c/":            "Bearer without slash",
		"https://p.example:8080/":           "Bearer port",
		"https://p.example/":                "",
		"https://evil-h.example/":           "",
		"https://h.example.evil.example/":   "",
	} {
		if got := sentTo(t, c, "x", raw).authorization; got != want {
			t.Errorf("%s gets %q, not %q", raw, got, want)
		}
	}
}

func TestFormsOfCredentials(t *testing.T) {
	basic := "Basic " + b64("me:s3cret")
	tests := []struct {
		name       string
		env        []string
		user, proj string // .npmrc files
		want, by   string
	}{
		{"a token", nil, "//r.example/:_authToken=s3cret", "", "Bearer s3cret", "//r.example/:_authToken"},
		{"_auth", nil, "//r.example/:_auth=" + b64("me:s3cret"), "", basic, "//r.example/:_auth"},
		{"user and password", nil, "//r.example/:username=me\n//r.example/:_password=" + b64("s3cret"), "", basic, "//r.example/:_password"},
		{"a token is taken before a password", nil, "//r.example/:_auth=x\n//r.example/:_authToken=s3cret", "", "Bearer s3cret", "//r.example/:_authToken"},
		{"a user without password is none", nil, "//r.example/:username=me", "", "", ""},
		{"a password without padding", nil, "//r.example/:username=me\n//r.example/:_password=" + strings.TrimRight(b64("s3cret1"), "="), "", "Basic " + b64("me:s3cret1"), "//r.example/:_password"},
		{"in the address", nil, "registry=https://me:s3cret@r.example", "", basic, "the address of registry"},
		{"email and always-auth are passed over", nil, "email=me@r.example\nalways-auth=true\n//r.example/:always-auth=true", "", "", ""},
		{"without a host, of the default registry", nil, "_authToken=s3cret", "", "Bearer s3cret", "_authToken"},
		{"_auth without a host", nil, "_auth=" + b64("me:s3cret"), "", basic, "_auth"},
		{"user and password without a host", nil, "username=me\n_password=" + b64("s3cret"), "", basic, "_password"},
		{"with a host before one without", nil, "_authToken=other\n//r.example/:_authToken=s3cret", "", "Bearer s3cret", "//r.example/:_authToken"},
		{"a variable of the environment", []string{"npm_config_//r.example/:_authToken=s3cret"}, "", "", "Bearer s3cret", "//r.example/:_authToken"},
		{"NPM_CONFIG__AUTHTOKEN", []string{"NPM_CONFIG__AUTHTOKEN=s3cret"}, "", "", "Bearer s3cret", "_authToken"},
		{"NPM_CONFIG__AUTH", []string{"NPM_CONFIG__AUTH=" + b64("me:s3cret")}, "", "", basic, "_auth"},
		{"the environment before files", []string{"npm_config_//r.example/:_authToken=s3cret"}, "//r.example/:_authToken=other", "//r.example/:_authToken=other", "Bearer s3cret", "//r.example/:_authToken"},
		{"the project before the user", nil, "//r.example/:_authToken=other", "//r.example/:_authToken=s3cret", "Bearer s3cret", "//r.example/:_authToken"},
		{"a variable in a project's file", []string{"TOKEN=s3cret"}, "", "//r.example/:_authToken=${TOKEN}", "Bearer s3cret", "//r.example/:_authToken"},
		{"a variable that is not set", nil, "", "//r.example/:_authToken=${TOKEN}", "", "//r.example/:_authToken"},
		{"a variable that need not be set", nil, "", "//r.example/:_authToken=${TOKEN?}", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.env...)
			write(t, w.home, map[string]string{".npmrc": "registry=https://r.example\n@till:registry=https://till.example\n" + test.user})
			write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": test.proj})
			c := configOf(t, w, true)
			got := sentTo(t, c, "coins", "")
			if got.authorization != test.want || got.setting != test.by {
				t.Errorf("sent is %q, by %q", got.authorization, got.setting)
			}
			if text := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(text, "s3cret") {
				t.Errorf("a credential prints itself: %s", text)
			}
			for _, other := range []credential{sentTo(t, c, "@till/coins", ""), sentTo(t, c, "coins", "https://other.example/coins.tgz")} {
				if other.authorization != "" {
					t.Errorf("another registry gets %q", other.authorization)
				}
			}
		})
	}
}

func TestACredentialWithoutHostStaysWithWhatTheUserNamed(t *testing.T) {
	w := newWorld(t)
	write(t, w.home, map[string]string{".npmrc": "registry=https://r.example\n_authToken=s3cret\ncert=x\nkey=y"})
	for registry, want := range map[string]string{"https://evil.example": "", "https://r.example/": "Bearer s3cret", "http://r.example/": ""} {
		write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=" + registry})
		got := sentTo(t, configOf(t, w, true), "coins", "")
		if got.authorization != want || got.cert.set() != (want != "") {
			t.Errorf("a project's registry %s gets %q, a certificate %v", registry, got.authorization, got.cert.set())
		}
	}
	// A project's own goes to the registry that it names.
	write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=https://p.example\n_authToken=project's"})
	if got := sentTo(t, configOf(t, w, true), "coins", ""); got.authorization != "Bearer project's" || got.own {
		t.Errorf("the project's registry gets %q", got.authorization)
	}
	// Nothing names a registry: what a tool says is the user's default.
	write(t, w.home, map[string]string{".npmrc": "_authToken=s3cret"})
	c := configOf(t, w, false)
	r, err := parseRegistry("https://standard.example", "npm")
	if err != nil {
		t.Fatal(err)
	}
	r.standard = true
	if got := c.credentialFor(r, "coins", r.url); got.authorization != "Bearer s3cret" {
		t.Errorf("the default registry gets %q", got.authorization)
	}
}

// jwt makes a token whose claims say when it expires; nobody has signed it.
func jwt(expires time.Time) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"name":"clerk","exp":%d}`, expires.Unix())) + ".c2ln"
}

func TestOneSentenceSaysWhyARegistryRefuses(t *testing.T) {
	old := jwt(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC))
	tests := []struct {
		name, npmrc, headers, body string
		status                     int
		want                       []string
	}{
		{"no credential", "", "", "", 401, []string{"no credential", "npm login --scope=@till --registry=URL/", ":_authToken=${NPM_TOKEN}"}},
		{"a wrong token", "AT:_authToken=wr0ng", "", `{"error":"bad token wr0ng"}`, 401, []string{"HOST does not take", "AT:_authToken in HOME/.npmrc", "npm login"}},
		{"what the registry says", "AT:_authToken=wr0ng", "", `{"error":"please log in anew"}`, 401, []string{`"please log in anew"`}},
		{"a token that says when it expired", "AT:_authToken=" + old, "", "", 401, []string{"expired on 2020-01-02 03:04 UTC", "AT:_authToken in HOME/.npmrc", "npm login"}},
		{"a token that has not", "AT:_authToken=" + jwt(time.Now().Add(time.Hour)), "", "", 401, []string{"wrong or has expired"}},
		{"may not read", "AT:_authToken=wr0ng", "", "", 403, []string{"may not read it, or has expired"}},
		{"a variable that is not set", "AT:_authToken=${WR0NG}", "", "", 401, []string{"WR0NG, which is not set", "set WR0NG"}},
		{"a credential for another registry", "registry=https://other.example\n_authToken=wr0ng", "", "", 401, []string{"_authToken in HOME/.npmrc, is not sent there", "write that as AT:_authToken"}},
		{"a one-time password", "AT:_authToken=wr0ng", "OTP", "", 401, []string{"one-time password"}},
		{"an address", "AT:_authToken=wr0ng", "ipaddress", "", 401, []string{"address of this machine"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStub(t)
			s.refuse(test.status, test.headers, test.body)
			host := strings.TrimPrefix(s.URL, "http://")
			w := newWorld(t)
			fill := strings.NewReplacer("AT", "//"+host+"/", "URL", s.URL, "HOST", host, "HOME", w.home)
			write(t, w.home, map[string]string{".npmrc": "@till:registry=" + s.URL + "\n" + fill.Replace(test.npmrc)})
			e := failure(t, w.npm(), "@till/coins", "")
			text := fmt.Sprintf("%+v %v", e, e.Err)
			for _, want := range test.want {
				if !strings.Contains(e.Error(), fill.Replace(want)) {
					t.Errorf("%q is not in %q", fill.Replace(want), e)
				}
			}
			if e.Reason != ecosystem.Refused || strings.Contains(text, "wr0ng") || strings.Contains(text, old) || strings.Contains(e.Error(), "\n") {
				t.Errorf("said %s %s", e.Reason, text)
			}
		})
	}
}

func TestExpiryIsReadOfTokensThatTellIt(t *testing.T) {
	for _, token := range []string{"", "npm_abc", "a.b.c", "a.e30.c", "a." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":"x"}`)) + ".c", jwt(time.Now().Add(time.Minute))} {
		if on, ok := expiredOn(token); ok {
			t.Errorf("%q expired on %v", token, on)
		}
	}
	if on, ok := expiredOn(jwt(time.Unix(1000, 0))); !ok || on.Unix() != 1000 {
		t.Errorf("expired on %v, %v", on, ok)
	}
}

func TestKeysOfAProjectLieWithinIt(t *testing.T) {
	w := newWorld(t)
	outside := filepath.Join(w.home, "key.pem")
	write(t, w.home, map[string]string{"key.pem": "x"})
	write(t, w.project, map[string]string{"key.pem": "x", "package.json": "{}"})
	if err := os.Symlink(outside, filepath.Join(w.project, "link.pem")); err != nil {
		t.Skipf("there are no symbolic links: %v", err)
	}
	c := &config{root: w.project}
	for name, want := range map[string]bool{"key.pem": true, "link.pem": false, outside: false, "../key.pem": false, "~/key.pem": false, "none.pem": false} {
		f := found{value: value{text: name}, key: "//r.example/:keyfile", layer: layer{name: "its .npmrc", dir: w.project, project: true}}
		_, err := c.pem(w.npm().env, f)
		if (err == nil) != want || err != nil && strings.Contains(err.Error(), w.home) {
			t.Errorf("%s: %v", name, err)
		}
		f.layer.project = false
		if _, err := c.pem(w.npm().env, f); name != "none.pem" && !strings.HasPrefix(name, "..") && err != nil {
			t.Errorf("%s of the user's own file: %v", name, err)
		}
	}
}
