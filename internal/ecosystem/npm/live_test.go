package npm

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// TestPrivateRegistry asks a real registry, verdaccio, which npm installs into
// a directory of its own. Its packages are for users who are logged in.
func TestPrivateRegistry(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("installs and starts a registry; set DOCENT_LIVE=1")
	}
	base, token := startVerdaccio(t)
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	at := "//" + strings.TrimPrefix(base, "http://") + "/:"
	tests := []struct {
		name, npmrc string
		reason      ecosystem.Reason // empty if the package is shown
	}{
		{"a token", at + "_authToken=" + token, ""},
		{"_auth", at + "_auth=" + b64("clerk:s3cret-word"), ""},
		{"a user and a password", at + "username=clerk\n" + at + "_password=" + b64("s3cret-word"), ""},
		{"nothing", "", ecosystem.Refused},
		{"a wrong token", at + "_authToken=" + token[:len(token)-4] + "AAAA", ecosystem.Refused},
		{"a wrong password", at + "_auth=" + b64("clerk:wrong-word"), ecosystem.Refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			write(t, w.home, map[string]string{".npmrc": "@till:registry=" + base + "\n" + test.npmrc})
			p, err := w.npm().Describe(t.Context(), ecosystem.Query{Package: "@till/coins"})
			if test.reason == "" {
				if err != nil || symbols(p) != "coins" || p.Version != "1.0.0" || p.Provenance.Integrity != "sha512 of the registry" {
					t.Fatalf("got %+v, %v", p, err)
				}
				return
			}
			told, ok := err.(*ecosystem.Error) //nolint:errorlint // what leaves Describe is not wrapped
			if !ok || told.Reason != test.reason || strings.Contains(err.Error(), token) {
				t.Fatalf("got %+v, %v", p, err)
			}
			t.Log(err)
		})
	}
}

// startVerdaccio returns the registry's address and a user's token.
func startVerdaccio(t *testing.T) (base, token string) {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	dir := os.Getenv("DOCENT_VERDACCIO") // a directory that it is installed in
	if dir == "" {
		dir = t.TempDir()
		// One of its dependencies asks for a tag that mirrors do not always have.
		write(t, dir, map[string]string{"package.json": `{"dependencies":{"verdaccio":"6"},"overrides":{"node-fetch":"2.7.0"}}`})
		install := exec.CommandContext(t.Context(), npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts")
		if out, err := install.CombinedOutput(); err != nil {
			t.Skipf("verdaccio cannot be installed: %v: %.500s", err, out)
		}
	}
	home := t.TempDir()
	write(t, home, map[string]string{"config.yaml": `
storage: ./storage
auth: {htpasswd: {file: ./htpasswd, max_users: 10}}
packages: {"**": {access: $authenticated, publish: $authenticated}}
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
	base = "http://" + address
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
	data := packed(t, "@till/coins", "1.0.0", "coins")
	status, body = call(t, http.MethodPut, base+"/@till%2fcoins", "Bearer "+login.Token, map[string]any{
		"_id": "@till/coins", "name": "@till/coins", "dist-tags": map[string]any{"latest": "1.0.0"},
		"versions": map[string]any{"1.0.0": map[string]any{
			"name": "@till/coins", "version": "1.0.0",
			"dist": map[string]any{"integrity": integrityOf(data), "tarball": base + "/@till/coins/-/coins-1.0.0.tgz"},
		}},
		"_attachments": map[string]any{"coins-1.0.0.tgz": map[string]any{
			"content_type": "application/octet-stream", "data": base64.StdEncoding.EncodeToString(data), "length": len(data),
		}},
	})
	if status != http.StatusCreated {
		t.Fatalf("not published: %d %s", status, body)
	}
	return base, login.Token
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
