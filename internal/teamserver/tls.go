package teamserver

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"sync"

	"github.com/docent-mcp/docent/internal/quote"
)

// certificates contains the server's certificate and the certificate authorities for client
// certificates. They come from files that can be reloaded. If get is not nil, it provides the
// server's certificate instead.
type certificates struct {
	certFile, keyFile, clientCA string
	get                         func(*tls.ClientHelloInfo) (*tls.Certificate, error)

	mu     sync.Mutex
	config *tls.Config
}

// reload reloads the files. If that fails, the configuration does not change.
func (c *certificates) reload() error {
	config := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	if c.get != nil {
		config.GetCertificate, config.NextProtos = c.get, append(config.NextProtos, acmeProtocol)
	} else {
		pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
		if err != nil {
			return fmt.Errorf("the TLS certificate or its key cannot be read: %w", quote.Error(err))
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if c.clientCA != "" {
		pem, err := os.ReadFile(c.clientCA)
		if err != nil {
			return fmt.Errorf("the certificate authorities for client certificates cannot be read: %w", err)
		}
		config.ClientCAs = x509.NewCertPool()
		if !config.ClientCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("the certificate authorities for client certificates: %s contains no PEM certificate", c.clientCA)
		}
		config.ClientAuth = tls.VerifyClientCertIfGiven // probes and clients with keys send no certificate
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.config = config
	return nil
}

// acmeProtocol is the protocol with which an ACME server checks that the domain name of a
// certificate belongs to this server (RFC 8737).
const acmeProtocol = "acme-tls/1"

// serverConfig returns a configuration that uses the files as last loaded.
func (c *certificates) serverConfig() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.config, nil
		},
	}
}
