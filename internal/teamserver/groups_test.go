package teamserver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/store"
)

// private is a language with the package "secret", which exists only if the variable TOKEN is set.
type private struct {
	tape
	token string
}

func (l private) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if q.Package == "secret" && l.token == "" {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no tape " + q.Package}
	}
	return l.tape.Find(ctx, q)
}

func TestGroups_PrivatePackagesAreForTheGroupAlone(t *testing.T) {
	t.Setenv("TOKEN", "the server's own")
	file, add := newKeys(t)
	alice, bob := add("alice", time.Hour, "payments"), add("bob", time.Hour, "search")
	home := t.TempDir()
	var seen []string
	r := start(t, private{}, Options{
		Keys: file, Groups: map[string]Group{"payments": {Home: home, Environment: []string{"TOKEN=hush"}}, "search": {Home: t.TempDir()}},
		NewStore: func(_ string, env []string) *store.Store {
			e := environ.Parse(env)
			seen = append(seen, e.Get("HOME")+" "+e.Get("DOCENT_CACHE"))
			return store.New(ecosystem.Languages{private{token: e.Get("TOKEN")}}, store.Options{})
		},
	})
	if !slices.Contains(seen, home+" "+filepath.Join(home, ".cache", "docent")) {
		t.Errorf("the environments: %v", seen)
	}
	secret := map[string]any{"package": "secret"}
	_, before := r.call(t, bob, secret)
	if _, text := r.call(t, alice, secret); !strings.Contains(text, "Asked for") {
		t.Errorf("the group: %s", text)
	}
	_, after := r.call(t, bob, secret)
	if strings.Contains(after, "Asked for") || before != after {
		t.Errorf("another group: %s, and before: %s", after, before)
	}
	_, text := r.tool(t, http.DefaultClient, bob, "search_package_docs", map[string]any{"package": "secret", "query": "asked"})
	if strings.Contains(text, "Asked for") {
		t.Errorf("another group by search: %s", text)
	}
}

// authority issues certificates.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	a.cert, a.key = a.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue returns a certificate for a template. If the authority has no key, the certificate is
// self-signed.
func (a *authority) issue(t *testing.T, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.NotBefore, template.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if signer == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// write writes a certificate and its key as PEM files.
func write(t *testing.T, dir string, cert *x509.Certificate, key *ecdsa.PrivateKey) (certFile, keyFile string) {
	t.Helper()
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: cert.Raw}, keyFile: {Type: "EC PRIVATE KEY", Bytes: der}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

func TestAttack_ClientCertificates(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	serverTemplate := func() *x509.Certificate {
		return &x509.Certificate{Subject: pkix.Name{CommonName: "docs"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	}
	dir := t.TempDir()
	cert, key := ours.issue(t, serverTemplate())
	certFile, keyFile := write(t, dir, cert, key)
	caFile, _ := write(t, t.TempDir(), ours.cert, ours.key)
	project := t.TempDir()
	r := start(t, tape{}, Options{TLSCert: certFile, TLSKey: keyFile, ClientCA: caFile, Groups: map[string]Group{"payments": {Projects: []string{project}}}})
	r.url = strings.Replace(r.url, "http://", "https://", 1)
	roots := x509.NewCertPool()
	roots.AddCert(ours.cert)
	client := func(a *authority, usage x509.ExtKeyUsage) *http.Client {
		config := &tls.Config{RootCAs: roots}
		if a != nil {
			cert, key := a.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "alice", OrganizationalUnit: []string{"payments"}}, ExtKeyUsage: []x509.ExtKeyUsage{usage}})
			pair := tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
			config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		}
		return &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
	}
	arguments := map[string]any{"package": "turtle", "projectPath": project}
	if status, text := r.tool(t, client(ours, x509.ExtKeyUsageClientAuth), "", "describe_tape_package", arguments); status != 200 || !strings.Contains(text, "["+project+"]") {
		t.Errorf("a client's certificate: %d %s\n%s", status, text, r.log)
	}
	if status, text := r.tool(t, client(nil, 0), "", "describe_tape_package", arguments); status != http.StatusUnauthorized || !strings.Contains(text, "certificate") {
		t.Errorf("no certificate: %d %s", status, text)
	}
	for name, c := range map[string]*http.Client{"another authority": client(theirs, x509.ExtKeyUsageClientAuth), "a certificate of a server": client(ours, x509.ExtKeyUsageServerAuth)} {
		if res, err := c.Get(r.url + "/livez"); err == nil {
			res.Body.Close()
			t.Errorf("%s is accepted: %s", name, res.Status)
		}
	}

	renewed, key := ours.issue(t, serverTemplate())
	write(t, dir, renewed, key)
	r.Reload()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(r.url, "https://"), &tls.Config{RootCAs: roots})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if conn.ConnectionState().PeerCertificates[0].SerialNumber.Cmp(renewed.SerialNumber) != 0 {
		t.Error("the server has the old certificate after a reload")
	}
}
