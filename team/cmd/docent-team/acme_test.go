package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// acmeServer is Pebble, an ACME server for tests. It resolves every name to a loopback address.
type acmeServer struct {
	directory, management string
	ca                    string // path of the certificate authority's file
	client                *http.Client
}

// startACME starts Pebble, which validates names at the given port. It skips the test if Pebble is
// not installed.
func startACME(t *testing.T, tlsPort int) *acmeServer {
	t.Helper()
	for _, name := range []string{"pebble", "pebble-challtestsrv"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%v; make team-test installs it", err)
		}
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	listen, management, dns := freeAddress(t), freeAddress(t), freeAddress(t)
	s := &acmeServer{directory: "https://" + listen + "/dir", management: "https://" + management}
	s.ca = write("ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": management, "tlsPort": tlsPort, "httpPort": 1,
		"certificate": s.ca, "privateKey": write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []*exec.Cmd{
		exec.CommandContext(t.Context(), "pebble-challtestsrv", "-dnsserver", dns, "-management", freeAddress(t), "-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "", "-defaultIPv6", ""),
		exec.CommandContext(t.Context(), "pebble", "-config", write("pebble.json", config), "-dnsserver", dns),
	} {
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PEBBLE_VA_NOSLEEP=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Wait() }) // the error is ignored, because the process was stopped
	}
	for t.Context().Err() == nil {
		if response, err := s.client.Get(s.directory); err == nil {
			response.Body.Close()
			return s
		}
		pause(t.Context(), 20*time.Millisecond)
	}
	return s
}

// roots returns a pool with the certificate authority of the server.
func (s *acmeServer) roots(t *testing.T) *x509.CertPool {
	t.Helper()
	response, err := s.client.Get(s.management + "/roots/0")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatalf("the authority: %s, %v", text, err)
	}
	return roots
}

func TestACME_ObtainsACertificate(t *testing.T) {
	address := freeAddress(t)
	tcp, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	ca := startACME(t, tcp.Port)
	cache := t.TempDir()
	roots := ca.roots(t)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "docent.example.com"}, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}}
	args := []string{
		"--http", address, "--stateless", "--acme-domain", "docent.example.com", "--acme-accept-terms", "--acme-email", "ops@example.com",
		"--acme-directory", ca.directory, "--acme-ca", ca.ca, "--acme-cache", cache,
	}
	// serial starts a server and returns the serial number of its certificate. The server ends with
	// t.
	serial := func(t *testing.T) string {
		t.Helper()
		response, err := client.Get(serve(t, program(t, args...)) + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK || response.ProtoMajor != 2 {
			t.Errorf("/readyz: %s", response.Status)
		}
		return response.TLS.PeerCertificates[0].SerialNumber.String()
	}
	var first string
	t.Run("from the ACME server", func(t *testing.T) {
		first = serial(t)
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "other.example.com"}}}
		if _, err := client.Get("https://" + address + "/readyz"); err == nil { //nolint:bodyclose // there is none
			t.Error("the server has a certificate for a name that is not its own")
		}
	})
	if second := serial(t); first != second {
		t.Errorf("after a restart the certificate is %s, want the stored one, %s", second, first)
	}
}

func TestConfig_CheckACME(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docent.toml")
	const domain = "acme_domain = [\"docent.example.com\"]\n"
	const accept = "acme_accept_terms = true\n"
	for text, want := range map[string]string{
		domain + accept: "is valid",
		domain:          "--acme-accept-terms",
		accept:          "--acme-domain",
		"acme_domain = [\"*.example.com\"]\n" + accept:                     "wildcards",
		"acme_domain = [\"localhost\"]\n" + accept:                         "not the name of a server",
		"acme_domain = [\"192.0.2.1\"]\n" + accept:                         "not the name of a server",
		domain + accept + "acme_directory = \"http://ca.example.com/dir\"": "not an https URL",
		domain + accept + "acme_email = \"ops\"":                           "not an email address",
		domain + accept + "acme_ca = \"missing.pem\"":                      "missing.pem",
		domain + accept + "tls_cert = \"a\"\ntls_key = \"b\"":              "one source of certificates",
	} {
		if err := os.WriteFile(file, []byte("http = \"127.0.0.1:0\"\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := program(t, "config", "check", file).CombinedOutput()
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: %s, want %q", text, out, want)
		}
	}
}
