package npm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestProxiesOfNpmrcAreUsed(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	for _, tarballs := range s.packuments["till"]["versions"].(map[string]any) {
		tarballs.(map[string]any)["dist"].(map[string]any)["tarball"] = "http://registry.example/till/-/1.0.0.tgz"
	}
	w := newWorld(t, "NPM_CONFIG_REGISTRY=http://registry.example/")
	filetest.Write(t, w.home, map[string]string{".npmrc": "proxy=" + s.URL + "\nnoproxy=other.example"})
	if p := describe(t, w.npm(), "till", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
}

func TestCertificatesOfNpmrcAreTrusted(t *testing.T) {
	s := newStub(t)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
	secure.StartTLS()
	defer secure.Close()
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")["tarball"] = secure.URL + "/till/-/1.0.0.tgz"
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	key, err := x509.MarshalPKCS8PrivateKey(secure.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	private := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	inline := func(b []byte) string { return `"` + strings.ReplaceAll(string(b), "\n", `\n`) + `"` }
	setting := "//" + strings.TrimPrefix(secure.URL, "https://") + "/:"
	for _, test := range []struct {
		name, npmrc   string
		shown, client bool
	}{
		{"the machine's own trust", "", false, false},
		{"cafile", "cafile=ca.pem", true, false},
		{"ca", "ca=" + inline(cert), true, false},
		{"strict-ssl=false", "strict-ssl=false", true, false},
		{"a client certificate", "cafile=ca.pem\n" + setting + "certfile=ca.pem\n" + setting + "keyfile=key.pem", true, true},
		{"a client certificate in the file itself", "cafile=ca.pem\n" + setting + "cert=" + inline(cert) + "\n" + setting + "key=" + inline(private), true, true},
		{"a client certificate for the user's registries", "cafile=ca.pem\ncert=" + inline(cert) + "\nkey=" + inline(private), true, true},
		{"a certificate without its key", "cafile=ca.pem\n" + setting + "certfile=ca.pem", true, false},
		{"a key of another certificate", "cafile=ca.pem\n" + setting + "certfile=ca.pem\n" + setting + "keyfile=ca.pem", false, false},
		{"cafile for this host", setting + "cafile=ca.pem", true, false},
		{"cafile for another host", "//other.example/:cafile=ca.pem", false, false},
		{"a file that is not there", "cafile=none.pem", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := false
			s.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
				client = len(r.TLS.PeerCertificates) > 0
				return false
			}
			w := newWorld(t)
			filetest.Write(t, w.home, map[string]string{
				".npmrc": "registry=" + secure.URL + "\n" + test.npmrc, "ca.pem": string(cert),
				"key.pem": string(private),
			})
			p, err := ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "till"}, nil)
			if (err == nil) != test.shown || client != test.client {
				t.Errorf("got %v, %v, with a client certificate %v", p != nil, err, client)
			}
		})
	}
}

func TestACredentialIsNotSentWithoutEncryption(t *testing.T) {
	const token = "\n//r.example/:_authToken=s3cret"
	tests := []struct {
		name, user, proj string
		sent             bool
	}{
		{"a project's registry and credential", "", "registry=http://r.example" + token, false},
		{"a project's registry, the user's credential", token, "registry=http://r.example", false},
		{"the user's registry at https", "registry=https://r.example" + token, "registry=http://r.example", false},
		{"the user's own", "registry=http://r.example" + token, "", true},
		{"the user's own for a scope", "@till:registry=http://r.example" + token, "registry=http://r.example", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStub(t) // The server acts as the proxy, and receives the requests for r.example.
			s.publish("coins", "1.0.0", packed(t, "coins", "1.0.0", "coins"), "latest")["tarball"] = "http://r.example/coins/-/1.0.0.tgz"
			w := newWorld(t, "http_proxy="+s.URL)
			filetest.Write(t, w.home, map[string]string{".npmrc": test.user})
			filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": test.proj})
			p, err := ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "coins", ProjectDir: w.project}, nil)
			log := strings.Join(s.requests(), "\n")
			if sent := strings.Contains(log, "Bearer s3cret"); sent != test.sent || (p != nil) != test.sent {
				t.Errorf("asked %q, got %v, %v", log, p != nil, err)
			}
			if !test.sent && (err == nil || !strings.Contains(err.Error(), "does not send the credential for r.example") || !strings.Contains(err.Error(), "registry in "+filepath.Join(w.project, ".npmrc")) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("said %v", err)
			}
		})
	}
}

// secureStub returns a registry with a certificate that no client trusts.
func secureStub(t *testing.T) (s *stub, setting string, cert []byte) {
	t.Helper()
	s = newStub(t)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	s.publish("coins", "1.0.0", packed(t, "coins", "1.0.0", "coins"), "latest")["tarball"] = secure.URL + "/coins/-/1.0.0.tgz"
	return s, secure.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
}

func TestAProjectWeakensOnlyConnectionsToItsOwnRegistries(t *testing.T) {
	s, setting, cert := secureStub(t)
	host := strings.TrimPrefix(setting, "https://")
	token := "\n//" + host + "/:_authToken=s3cret"
	tests := []struct {
		name, user, proj string
		shown            bool
	}{
		{"a host that it names", "", "registry=URL\nstrict-ssl=false", true},
		{"by cafile", "", "registry=URL\ncafile=ca.pem", true},
		{"for that host alone", "", "registry=URL\n//HOST/:cafile=ca.pem", true},
		{"with a credential of its own", "", "registry=URL\ncafile=ca.pem" + token, true},
		{"a host that the user names", "registry=URL", "strict-ssl=false", false},
		{"with a credential of the user's", token, "registry=URL\nstrict-ssl=false", false},
		{"the same with cafile", token, "registry=URL\ncafile=ca.pem", false},
		{"the same with a proxy", token, "registry=URL\nstrict-ssl=false\nhttps-proxy=http://127.0.0.1:9", false},
		{"the user's own trust", "registry=URL\ncafile=ca.pem" + token, "", true},
		{"of the user's before it", "strict-ssl=false" + token, "registry=URL\nstrict-ssl=true", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.requests()
			w := newWorld(t)
			fill := strings.NewReplacer("URL", setting, "HOST", host)
			filetest.Write(t, w.home, map[string]string{".npmrc": fill.Replace(test.user), "ca.pem": string(cert)})
			filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": fill.Replace(test.proj), "ca.pem": string(cert)})
			p, err := ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "coins", ProjectDir: w.project}, nil)
			if (p != nil) != test.shown || !test.shown && len(s.requests()) != 0 {
				t.Errorf("got %v, %v", p != nil, err)
			}
			if !test.shown && strings.Contains(test.user, "s3cret") && (!strings.Contains(err.Error(), "docent ignores the ") || !strings.Contains(err.Error(), " for requests with your own credential")) {
				t.Errorf("said %v", err)
			}
		})
	}
}

func TestWhatAProjectsConnectionBroughtIsCachedApart(t *testing.T) {
	s, setting, _ := secureStub(t)
	w := newWorld(t)
	filetest.Write(t, w.home, map[string]string{".npmrc": "registry=" + setting})
	filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "strict-ssl=false\nregistry=" + setting})
	n := w.npm()
	describe(t, n, "coins", "", w.project)
	if len(s.requests()) == 0 {
		t.Fatal("the project asked nobody")
	}
	// A failed TLS check must not be reported as an answer from the registry.
	if p, err := ecosystem.Describe(context.Background(), n, ecosystem.Query{Package: "coins", Version: "1.0.0"}, nil); err == nil {
		t.Errorf("outside of the project there is %s", p.Version)
	}
}
