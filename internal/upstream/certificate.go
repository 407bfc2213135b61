package upstream

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
)

const (
	// CertVariable is the environment variable with the file of the client certificate.
	CertVariable = "DOCENT_UPSTREAM_CERT"
	// CertKeyVariable is the environment variable with the file of the certificate's key.
	CertKeyVariable = "DOCENT_UPSTREAM_CERT_KEY"
	// CAVariable is the environment variable with the file of the server's authorities.
	CAVariable = "DOCENT_UPSTREAM_CA"
)

// maxPEM is the maximum size of a file with certificates in bytes.
const maxPEM = 1 << 20

// alertTimeout is how long a client waits for the alert of a server that reset its connection.
const alertTimeout = 2 * time.Second

// Certificates are PEM files for TLS connections to a server. Each may be empty.
type Certificates struct {
	// Cert is the client's certificate, with intermediate certificates if the server needs them.
	Cert string
	// Key is the key of Cert. If it is empty, it is in the file Cert.
	Key string
	// CA contains the authorities that may issue the server's certificate, instead of those of the
	// system.
	CA string
}

// CertificatesOf returns certificates. Files that c does not specify are taken from the environment
// variables. Cert and Key belong together.
func CertificatesOf(c Certificates, getenv func(string) string) Certificates {
	if c.Cert == "" && c.Key == "" {
		c.Cert, c.Key = getenv(CertVariable), getenv(CertKeyVariable)
	}
	c.CA = cmp.Or(c.CA, getenv(CAVariable))
	return c
}

// Check returns an error if the files cannot be used for a server.
func (c Certificates) Check(server *url.URL) error {
	if c.Key != "" && c.Cert == "" {
		return fmt.Errorf("there is a key for a client certificate, %s, but no certificate", c.Key)
	}
	if (c.Cert != "" || c.CA != "") && server.Scheme != "https" {
		return fmt.Errorf("certificates need TLS, but %s is an http URL: use https", server.Redacted())
	}
	if c.Cert != "" {
		if _, err := c.pair(); err != nil {
			return err
		}
	}
	_, err := c.roots()
	return err
}

// pair reads the client certificate. Its errors do not quote the files.
func (c Certificates) pair() (*tls.Certificate, error) {
	cert, err := readPEM(c.Cert)
	if err != nil {
		return nil, fmt.Errorf("the client certificate cannot be read: %w", err)
	}
	key := cert
	if c.Key != "" {
		if key, err = readPEM(c.Key); err != nil {
			return nil, fmt.Errorf("the key of the client certificate cannot be read: %w", err)
		}
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("the client certificate %s cannot be used with the key in %s: %w", c.Cert, cmp.Or(c.Key, "the same file"), quote.Error(err))
	}
	return &pair, nil
}

// roots returns the authorities of the server's certificate, nil for those of the system.
func (c Certificates) roots() (*x509.CertPool, error) {
	if c.CA == "" {
		return nil, nil
	}
	data, err := readPEM(c.CA)
	if err != nil {
		return nil, fmt.Errorf("the certificate authorities for the server's certificate cannot be read: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s contains no PEM certificate", c.CA)
	}
	return roots, nil
}

func readPEM(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPEM+1))
	if err == nil && len(data) > maxPEM {
		err = fmt.Errorf("%s is larger than %d bytes", file, maxPEM)
	}
	return data, err
}

// Client returns an HTTP client that follows no redirects. It reads the client certificate for each
// connection, so that a renewed one is used.
func (c Certificates) Client() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	if c.Cert != "" || c.CA != "" {
		transport.TLSClientConfig = c.config()
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (c Certificates) config() *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	roots, err := c.roots()
	if config.RootCAs = roots; err != nil {
		config.VerifyConnection = func(tls.ConnectionState) error { return err }
	}
	if c.Cert != "" {
		config.GetClientCertificate = func(request *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			pair, err := c.pair()
			if err != nil {
				return nil, err
			}
			if err := request.SupportsCertificate(pair); err != nil {
				return nil, fmt.Errorf("the server does not accept the client certificate %s: %w", c.Cert, quote.Error(err))
			}
			return pair, nil
		}
	}
	return config
}

// identity returns a text that is equal for certificates that a server identifies with the same
// client.
func (c Certificates) identity() string {
	if c.Cert == "" {
		return ""
	}
	pair, err := c.pair()
	if err != nil {
		return "unreadable"
	}
	leaf := pair.Leaf
	if leaf == nil {
		sum := sha256.Sum256(pair.Certificate[0])
		return string(sum[:])
	}
	return fmt.Sprint(leaf.Issuer, " ", leaf.Subject, " ", leaf.URIs)
}

// refusal returns the error with which a server at host, a host and a port, ends a TLS connection
// because of the client's certificate, or nil. err is the error of a request to it. In TLS 1.3, the
// server checks the certificate while the client is already sending the request, and the connection
// reset that follows can hide the server's alert. A connection without a request shows the alert.
func (c Certificates) refusal(ctx context.Context, host string, err error) error {
	if refused(err) {
		return err
	}
	if c.Cert == "" || ctx.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, alertTimeout)
	defer cancel()
	dialer := tls.Dialer{Config: c.config()}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err == nil {
		defer conn.Close()
		deadline, _ := ctx.Deadline()
		if err = conn.SetReadDeadline(deadline); err == nil {
			_, err = conn.Read(make([]byte, 1))
		}
	}
	if refused(err) {
		return err
	}
	return nil
}

// address returns the host and the port of a server.
func address(server *url.URL) string {
	return net.JoinHostPort(server.Hostname(), cmp.Or(server.Port(), "443"))
}

// refused reports whether a server ended a TLS connection because of the client's certificate.
func refused(err error) bool {
	remote, ok := errors.AsType[*net.OpError](err)
	if !ok || remote.Op != "remote error" { // The alert itself does not have an exported type.
		return false
	}
	text := remote.Err.Error()
	return strings.Contains(text, "certificate") || strings.Contains(text, "access denied")
}
