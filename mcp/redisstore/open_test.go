package redisstore_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/redisstore"
)

func TestOpen_Errors(t *testing.T) {
	for _, c := range []struct{ name, url, want string }{
		{"no URL", "", "has no scheme"},
		{"a host alone", "localhost", "has no scheme"},
		{"another scheme", "https://:hunter2@localhost", "unknown scheme"},
		{"a slash in the password", "redis://user:hun/ter2@localhost", "malformed"},
		{"a slash after digits in the password", "redis://user:12/hunter2@localhost", "database or an option"},
		{"an escape in the password", "redis://user:hunter2%zz@localhost", "malformed"},
		{"an unknown option", "redis://:hunter2@localhost?hunter2=1", "database or an option"},
		{"nobody there", "redis://user:hunter2@127.0.0.1:1/0?max_retries=-1", "connecting: dial"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := redisstore.Open(t.Context(), c.url, &redisstore.Options{Timeout: 2 * time.Second})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "hun") {
				t.Errorf("the error has the password: %v", err)
			}
		})
	}
	if _, err := redisstore.New(nil, &redisstore.Options{Prefix: "{a}"}); err == nil {
		t.Error("a prefix with braces is accepted")
	}
}

func TestOpen_Password(t *testing.T) {
	s := ownServer(t, "--requirepass", "hunter2 /:@")
	if _, err := redisstore.Open(t.Context(), "redis://:wrong-word@"+s.addr, nil); err == nil || !strings.Contains(err.Error(), "WRONGPASS") || strings.Contains(err.Error(), "wrong-word") {
		t.Errorf("with a wrong password: %v", err)
	}
	if _, err := redisstore.Open(t.Context(), "redis://"+s.addr, nil); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
		t.Errorf("without a password: %v", err)
	}
	store := openAt(t, "redis://:hunter2%20%2F%3A%40@"+s.addr, nil)
	task := &mcp.TaskRecord{ID: "one", Created: time.Now(), TTL: time.Hour}
	if err := store.Put(t.Context(), task); err != nil {
		t.Error(err)
	}
}

func TestTasks_RedisRestarts(t *testing.T) {
	s := ownServer(t, "--appendonly", "yes")
	store := openAt(t, "redis://"+s.addr, &redisstore.Options{Timeout: 2 * time.Second})
	task := &mcp.TaskRecord{ID: "one", Created: time.Now(), TTL: time.Hour}
	if err := store.Put(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	s.stop()
	began := time.Now()
	if _, err := store.Get(t.Context(), "one"); err == nil || !strings.Contains(err.Error(), "reading a task: dial tcp") {
		t.Errorf("Get without Redis: %v", err)
	}
	if err := store.Put(t.Context(), task); err == nil || !strings.Contains(err.Error(), "storing a task: dial tcp") {
		t.Errorf("Put without Redis: %v", err)
	}
	if took := time.Since(began); took > 6*time.Second {
		t.Errorf("the calls took %v, longer than their timeout", took)
	}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; {
		_, err := store.Get(t.Context(), "one")
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after the restart: %v", err)
		}
	}
}

func TestOpen_TLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyBytes, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	for name, data := range map[string][]byte{"cert": certPEM, "key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyBytes})} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := ownServerTLS(t, "--tls-cert-file", filepath.Join(dir, "cert"), "--tls-key-file", filepath.Join(dir, "key"), "--tls-auth-clients", "no")
	if _, err := redisstore.Open(t.Context(), "rediss://"+s.addr, nil); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with a certificate that nobody vouches for: %v", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certPEM)
	o, err := redis.ParseURL("rediss://" + s.addr)
	if err != nil {
		t.Fatal(err)
	}
	o.TLSConfig.RootCAs = roots
	client := redis.NewClient(o)
	defer client.Close()
	store, err := redisstore.New(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), &mcp.TaskRecord{ID: "one", Created: time.Now(), TTL: time.Hour}); err != nil {
		t.Error(err)
	}
}
