package npm

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestVerdaccio uses a real private registry, verdaccio, which npm installs in a
// separate directory. Its packages require a login.
func TestVerdaccio(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test installs and starts a registry; to run it, set DOCENT_LIVE=1")
	}
	v := startVerdaccio(t)
	host := strings.TrimPrefix(v.base, "http://")
	fill := strings.NewReplacer(
		"BASE", v.base, "AT", "//"+host+"/", "HOST", host, "TOKEN", v.token, "PAIR", b64("clerk:s3cret-word"), "PASSWORD", b64("s3cret-word"),
		"EXPIRED", v.sign(t, time.Now().Add(-time.Hour)), "VALID", v.sign(t, time.Now().Add(time.Hour)),
		"FORGED", jwt(time.Now().Add(time.Hour)), "WRONG", v.token[:len(v.token)-4]+"AAAA", "BADPAIR", b64("clerk:wrong-word"),
	)
	const scope = "@till:registry=BASE\n"
	type files = map[string]string
	tests := []struct {
		name          string
		env           []string
		home, project files
		refused       string // words in the error; empty if the package is shown
	}{
		{"a token", nil, files{".npmrc": scope + "AT:_authToken=TOKEN"}, nil, ""},
		{"a token that is signed here", nil, files{".npmrc": scope + "AT:_authToken=VALID"}, nil, ""},
		{"_auth", nil, files{".npmrc": scope + "AT:_auth=PAIR"}, nil, ""},
		{"a user and a password", nil, files{".npmrc": scope + "AT:username=clerk\nAT:_password=PASSWORD\nAT:email=clerk@till.example\nAT:always-auth=true"}, nil, ""},
		{"in the address", nil, files{".npmrc": "@till:registry=http://clerk:s3cret-word@HOST/"}, nil, ""},
		{"without a host", nil, files{".npmrc": "registry=BASE\n_authToken=TOKEN"}, nil, ""},
		{"_auth without a host", nil, files{".npmrc": "registry=BASE\n_auth=PAIR"}, nil, ""},
		{"the environment", []string{"npm_config_AT:_authToken=TOKEN", "NPM_CONFIG_@TILL:REGISTRY=BASE"}, nil, nil, ""},
		{"a variable in a project's file", []string{"TILL=TOKEN"}, nil, files{".npmrc": scope + "AT:_authToken=${TILL}"}, ""},
		{"npmAuthToken of yarn", nil, nil, files{"yarn.lock": "__metadata:\n  version: 8\n", ".yarnrc.yml": "npmRegistryServer: BASE\nnpmAuthToken: ${NONE:-TOKEN}"}, ""},
		{"npmAuthIdent of yarn's scope", nil, files{".yarnrc.yml": "npmScopes: {till: {npmRegistryServer: BASE, npmAuthIdent: 'clerk:s3cret-word'}}"}, nil, ""},
		{"npmRegistries of yarn", nil, files{".yarnrc.yml": "npmRegistries: {\"AT\": {npmAuthIdent: PAIR}}"}, files{"yarn.lock": "__metadata:\n  version: 8\n", ".yarnrc.yml": "npmRegistryServer: BASE"}, ""},
		{"bunfig.toml", nil, nil, files{"bun.lock": "{}", "bunfig.toml": "[install.scopes]\ntill = { url = 'BASE', token = 'TOKEN' }"}, ""},
		{"nothing", nil, files{".npmrc": scope}, nil, "no credential for it is configured"},
		{"a wrong token", nil, files{".npmrc": scope + "AT:_authToken=WRONG"}, nil, "AT:_authToken in "},
		{"a token that another has signed", nil, files{".npmrc": scope + "AT:_authToken=FORGED"}, nil, "wrong or has expired"},
		{"an expired token", nil, files{".npmrc": scope + "AT:_authToken=EXPIRED"}, nil, "expired on "},
		{"a wrong password", nil, files{".npmrc": scope + "AT:_auth=BADPAIR"}, nil, "AT:_auth in "},
		{"a variable that is not set", nil, nil, files{".npmrc": scope + "AT:_authToken=${TILL}"}, "TILL, which is not set"},
		{"a credential of the user's without host, for a project's registry", nil, files{".npmrc": "registry=https://other.example\n_authToken=TOKEN"}, files{".npmrc": "registry=BASE"}, "is not sent there"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			for _, e := range test.env {
				w.env = append(w.env, fill.Replace(e))
			}
			filetest.Write(t, w.project, files{"package.json": "{}"})
			for dir, all := range map[string]files{w.home: test.home, w.project: test.project} {
				for name, text := range all {
					filetest.Write(t, dir, files{name: fill.Replace(text)})
				}
			}
			p, err := ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "@till/coins", ProjectDir: w.project}, nil)
			if test.refused == "" {
				if err != nil || symbols(p) != "coins" || p.Version != "1.0.0" || p.Provenance.Integrity != "sha512 of the registry" {
					t.Fatalf("got %+v, %v", p, err)
				}
				return
			}
			problem, ok := err.(*ecosystem.Error) //nolint:errorlint // what leaves Describe is not wrapped
			if !ok || problem.Reason != ecosystem.Refused || !strings.Contains(err.Error(), fill.Replace(test.refused)) {
				t.Fatalf("got %+v, %v", p, err)
			}
			for _, secret := range []string{"TOKEN", "WRONG", "EXPIRED", "FORGED", "PAIR", "BADPAIR"} {
				if strings.Contains(fmt.Sprintf("%+v %v", problem, problem.Err), fill.Replace(secret)) {
					t.Errorf("a credential is told: %v", err)
				}
			}
			t.Log(err)
		})
	}
	t.Run("a redirect to another host carries no credential", func(t *testing.T) {
		front := newStub(t)
		front.intercept = func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, v.base+r.URL.EscapedPath(), http.StatusFound)
			return true
		}
		key := "//" + strings.TrimPrefix(front.URL, "http://") + "/:"
		w := newWorld(t)
		filetest.Write(t, w.home, files{".npmrc": "registry=" + front.URL + "\n" + key + "_authToken=" + v.token})
		e := failure(t, w.npm(), "@till/coins", "")
		if log := front.requests(); e.Reason != ecosystem.Refused || len(log) != 1 || !strings.HasSuffix(log[0], "Bearer "+v.token) {
			t.Errorf("asked %q, said %v", log, e)
		}
		// Public packages on the other host are read.
		if p := describe(t, w.npm(), "open-coins", "", ""); symbols(p) != "coins" {
			t.Errorf("read %s", symbols(p))
		}
	})
}

// verdaccio is a running registry.
type verdaccio struct{ base, token, secret string }

// sign returns a token of the same user with the given expiry.
func (v *verdaccio) sign(t *testing.T, expires time.Time) string {
	t.Helper()
	parts := strings.Split(v.token, ".")
	if len(parts) != 3 {
		t.Fatal("verdaccio's tokens are no JWT")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	claims := map[string]any{}
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		t.Fatalf("a token without claims, %v", err)
	}
	claims["iat"], claims["nbf"], claims["exp"] = expires.Add(-2*time.Hour).Unix(), expires.Add(-2*time.Hour).Unix(), expires.Unix()
	if payload, err = json.Marshal(claims); err != nil {
		t.Fatal(err)
	}
	text := parts[0] + "." + base64.RawURLEncoding.EncodeToString(payload)
	mac := hmac.New(sha256.New, []byte(v.secret))
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// startVerdaccio starts a registry that contains a private package and a public one.
func startVerdaccio(t *testing.T) *verdaccio {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed, which installs the registry of this test; to run it, install Node.js")
	}
	dir := os.Getenv("DOCENT_VERDACCIO") // DOCENT_VERDACCIO is the directory in which Verdaccio is installed.
	if dir == "" {
		dir = t.TempDir()
		// One of its dependencies requires a tag that some mirrors lack.
		filetest.Write(t, dir, map[string]string{"package.json": `{"dependencies":{"verdaccio":"6"},"overrides":{"node-fetch":"2.7.0"}}`})
		install := exec.CommandContext(t.Context(), npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts")
		if out, err := install.CombinedOutput(); err != nil {
			t.Skipf("verdaccio, the registry of this test, cannot be installed; to run it, install verdaccio and set DOCENT_VERDACCIO to its directory: %v: %.500s", err, out)
		}
	}
	home := t.TempDir()
	filetest.Write(t, home, map[string]string{"config.yaml": `
storage: ./storage
auth: {htpasswd: {file: ./htpasswd, max_users: 10}}
packages: {"open-*": {access: $all, publish: $authenticated}, "**": {access: $authenticated, publish: $authenticated}}
security: {api: {legacy: false, jwt: {sign: {expiresIn: 1h}}}}
log: {type: stdout, format: json, level: error}
`})
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	ctx, stop := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, filepath.Join(dir, "node_modules", ".bin", "verdaccio"), "--config", filepath.Join(home, "config.yaml"), "--listen", address)
	server.Dir = home
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = server.Wait() })
	base := "http://" + address
	up := time.NewTicker(200 * time.Millisecond)
	defer up.Stop()
	for tries := 0; ; tries++ {
		if status, _ := call(t, http.MethodGet, base+"/-/ping", "", nil); status == http.StatusOK {
			break
		}
		if tries > 300 {
			t.Fatal("verdaccio does not answer")
		}
		<-up.C
	}
	status, body := call(t, http.MethodPut, base+"/-/user/org.couchdb.user:clerk", "", map[string]any{"name": "clerk", "password": "s3cret-word"})
	var login struct{ Token string }
	if json.Unmarshal(body, &login) != nil || login.Token == "" {
		t.Fatalf("no user was made: %d %s", status, body)
	}
	for _, name := range []string{"@till/coins", "open-coins"} {
		file := path.Base(name) + "-1.0.0.tgz"
		data := packed(t, name, "1.0.0", "coins")
		status, body = call(t, http.MethodPut, base+"/"+strings.Replace(name, "/", "%2f", 1), "Bearer "+login.Token, map[string]any{
			"_id": name, "name": name, "dist-tags": map[string]any{"latest": "1.0.0"},
			"versions": map[string]any{"1.0.0": map[string]any{
				"name": name, "version": "1.0.0",
				"dist": map[string]any{"integrity": integrityOf(data), "tarball": base + "/" + name + "/-/" + file},
			}},
			"_attachments": map[string]any{file: map[string]any{
				"content_type": "application/octet-stream", "data": base64.StdEncoding.EncodeToString(data), "length": len(data),
			}},
		})
		if status != http.StatusCreated {
			t.Fatalf("not published: %d %s", status, body)
		}
	}
	// Its signing secret is stored next to its packages.
	var database struct{ Secret string }
	contents, err := os.ReadFile(filepath.Join(home, "storage", ".verdaccio-db.json"))
	if err != nil || json.Unmarshal(contents, &database) != nil || database.Secret == "" {
		t.Fatalf("the secret of verdaccio is not where it was: %v", err)
	}
	return &verdaccio{base, login.Token, database.Secret}
}

func call(t *testing.T, method, url, authorization string, body any) (int, []byte) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Append(nil, err)
	}
	defer resp.Body.Close()
	out, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, out
}
