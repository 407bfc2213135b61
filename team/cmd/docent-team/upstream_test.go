package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate writes a certificate and its key to one PEM file and returns the file's name. If the
// authority has no certificate, the certificate is self-signed.
func certificate(t *testing.T, name string, usage x509.ExtKeyUsage, ca *x509.Certificate, signer *ecdsa.PrivateKey) (file string, cert *x509.Certificate, key *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), Subject: pkix.Name{CommonName: name},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}
	if ca == nil {
		template.IsCA, template.BasicConstraintsValid, template.KeyUsage, template.ExtKeyUsage = true, true, x509.KeyUsageCertSign, nil
		ca, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	if cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), name+".pem")
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, cert, key
}

// TestUpstream_MutualTLS connects a server to another one with mutual TLS, which is configured by
// flags, variables or the configuration file.
func TestUpstream_MutualTLS(t *testing.T) {
	caFile, ca, caKey := certificate(t, "authority", 0, nil, nil)
	serverFile, _, _ := certificate(t, "docs", x509.ExtKeyUsageServerAuth, ca, caKey)
	clientFile, _, _ := certificate(t, "alice", x509.ExtKeyUsageClientAuth, ca, caKey)
	modules := t.TempDir()
	dir := filepath.Join(modules, "example.com", "pen@v1.0.0")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/pen\n\ngo 1.26\n", "pen.go": "// Package pen draws.\npackage pen\n\n// Plot draws a line.\nfunc Plot() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	server := program(t, "--http", "127.0.0.1:0", "--stateless", "--tls-cert", serverFile, "--tls-key", serverFile, "--client-ca", caFile, "--audit-log", audit)
	server.Env = append(server.Env, "GOMODCACHE="+modules)
	url := serve(t, server)
	config := filepath.Join(t.TempDir(), "docent.toml")
	if err := os.WriteFile(config, []byte("http = \"127.0.0.1:0\"\nstateless = true\nupstream = \""+url+"\"\nupstream_cert = \""+filepath.ToSlash(clientFile)+"\"\nupstream_ca = \""+filepath.ToSlash(caFile)+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(env []string, args ...string) string {
		t.Helper()
		cmd := program(t, args...)
		cmd.Env = append(append(cmd.Env, "DOCENT_OFFLINE=", "GOPROXY=off", "GOMODCACHE="+t.TempDir()), env...)
		return call(t, serve(t, cmd), "describe_go_package", map[string]any{"package": "example.com/pen@v1.0.0", "symbol": "Plot"})
	}
	flags := []string{"--http", "127.0.0.1:0", "--stateless", "--upstream", url}
	for how, answer := range map[string]string{
		"flags":     ask(nil, append(flags, "--upstream-cert", clientFile, "--upstream-cert-key", clientFile, "--upstream-ca", caFile)...),
		"variables": ask([]string{"DOCENT_UPSTREAM=" + url, "DOCENT_UPSTREAM_CERT=" + clientFile, "DOCENT_UPSTREAM_CA=" + caFile}, flags[:3]...),
		"file":      ask(nil, "--config", config),
	} {
		if !strings.Contains(answer, "Plot draws a line.") {
			t.Errorf("%s: %s", how, answer)
		}
	}
	if answer := ask(nil, append(flags, "--upstream-ca", caFile)...); !strings.Contains(answer, "needs a key, a token or a client certificate") {
		t.Errorf("without a certificate: %s", answer)
	}
	log, err := os.ReadFile(audit)
	if err != nil || strings.Count(string(log), `"name":"alice"`) != 3 || !strings.Contains(string(log), `"package":"example.com/pen@v1.0.0"`) {
		t.Errorf("the audit log (%v): %s", err, log)
	}
	if err := os.WriteFile(config, []byte("http = \"127.0.0.1:0\"\nupstream = \"http://127.0.0.1:1\"\nupstream_cert = \""+filepath.ToSlash(clientFile)+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check := program(t, "config", "check", config)
	check.Env = append(check.Env, "DOCENT_OFFLINE=")
	if out, err := check.CombinedOutput(); err == nil || !strings.Contains(string(out), "use https") {
		t.Errorf("a certificate over http: %s", out)
	}
}
