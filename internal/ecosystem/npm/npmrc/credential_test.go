package npmrc

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// sentTo returns the credential sent with a request for a package, to its
// registry or elsewhere.
func sentTo(t *testing.T, c *Config, name, elsewhere string) Credential {
	t.Helper()
	r, err := c.RegistryFor(name)
	if err != nil {
		t.Fatal(err)
	}
	u := r.URL
	if elsewhere != "" {
		if u, err = url.Parse(elsewhere); err != nil {
			t.Fatal(err)
		}
	}
	return c.CredentialFor(r, name, u)
}

func TestCredentialsAreFoundByPath(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.home, map[string]string{".npmrc": strings.Join([]string{
		"registry=https://none.example",
		"//h.example/:_authToken=host",
		"//h.example/a/b/:_authToken=path",
		"//h.example/a/c:_authToken=without slash",
		"//p.example:8080/:_authToken=port",
	}, "\n")})
	c := w.read(t, false)
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
		if got := sentTo(t, c, "x", raw).Authorization; got != want {
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
			filetest.Write(t, w.home, map[string]string{".npmrc": "registry=https://r.example\n@till:registry=https://till.example\n" + test.user})
			filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": test.proj})
			c := w.read(t, true)
			got := sentTo(t, c, "coins", "")
			if got.Authorization != test.want || got.setting != test.by {
				t.Errorf("sent is %q, by %q", got.Authorization, got.setting)
			}
			if text := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(text, "s3cret") {
				t.Errorf("a credential prints itself: %s", text)
			}
			for _, other := range []Credential{sentTo(t, c, "@till/coins", ""), sentTo(t, c, "coins", "https://other.example/coins.tgz")} {
				if other.Authorization != "" {
					t.Errorf("another registry gets %q", other.Authorization)
				}
			}
		})
	}
}

func TestACredentialWithoutHostStaysWithWhatTheUserNamed(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.home, map[string]string{".npmrc": "registry=https://r.example\n_authToken=s3cret\ncert=x\nkey=y"})
	for registry, want := range map[string]string{"https://evil.example": "", "https://r.example/": "Bearer s3cret", "http://r.example/": ""} {
		filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=" + registry})
		got := sentTo(t, w.read(t, true), "coins", "")
		if got.Authorization != want || got.cert.set() != (want != "") {
			t.Errorf("a project's registry %s gets %q, a certificate %v", registry, got.Authorization, got.cert.set())
		}
	}
	// A project's own credential is sent to the registry that the project specifies.
	filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=https://p.example\n_authToken=project's"})
	if got := sentTo(t, w.read(t, true), "coins", ""); got.Authorization != "Bearer project's" || got.userOwned {
		t.Errorf("the project's registry gets %q", got.Authorization)
	}
	// No file specifies a registry, so the registry that a tool reports is the user's default.
	filetest.Write(t, w.home, map[string]string{".npmrc": "_authToken=s3cret"})
	c := w.read(t, false)
	r, err := ParseRegistry("https://standard.example", "npm")
	if err != nil {
		t.Fatal(err)
	}
	r.Standard = true
	if got := c.CredentialFor(r, "coins", r.URL); got.Authorization != "Bearer s3cret" {
		t.Errorf("the default registry gets %q", got.Authorization)
	}
}

func TestKeysOfAProjectLieWithinIt(t *testing.T) {
	w := newWorld(t)
	outside := filepath.Join(w.home, "key.pem")
	filetest.Write(t, w.home, map[string]string{"key.pem": "x"})
	filetest.Write(t, w.project, map[string]string{"key.pem": "x", "package.json": "{}"})
	if err := os.Symlink(outside, filepath.Join(w.project, "link.pem")); err != nil {
		t.Skipf("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode): %v", err)
	}
	c := &Config{root: w.project, env: variables{w.environ()}}
	for name, want := range map[string]bool{"key.pem": true, "link.pem": false, outside: false, "../key.pem": false, "~/key.pem": false, "none.pem": false} {
		f := found{value: value{text: name}, key: "//r.example/:keyfile", layer: layer{name: "its .npmrc", dir: w.project, project: true}}
		_, err := c.pem(f)
		if (err == nil) != want || err != nil && strings.Contains(err.Error(), w.home) {
			t.Errorf("%s: %v", name, err)
		}
		f.layer.project = false
		if _, err := c.pem(f); name != "none.pem" && !strings.HasPrefix(name, "..") && err != nil {
			t.Errorf("%s of the user's own file: %v", name, err)
		}
	}
}
