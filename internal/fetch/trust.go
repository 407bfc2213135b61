package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
)

// Trust contains the certificates for TLS connections, as PEM.
type Trust struct {
	// Insecure accepts every certificate.
	Insecure bool
	// Roots replace the system's root certificates.
	Roots []byte
	// Certificate and Key are the client certificate.
	Certificate, Key []byte
}

// ErrNoRoots means that Trust.Roots contains no certificate.
var ErrNoRoots = errors.New("it contains no certificate")

// Config returns the value for Options.TLS, or nil if no field is set. The error is ErrNoRoots or
// concerns Certificate and Key.
func (t Trust) Config() (*tls.Config, error) {
	if !t.Insecure && t.Roots == nil && t.Certificate == nil {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.Insecure {
		c.InsecureSkipVerify = true // The user has requested this.
	}
	if t.Roots != nil {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(t.Roots) {
			return nil, ErrNoRoots
		}
	}
	if t.Certificate != nil {
		pair, err := tls.X509KeyPair(t.Certificate, t.Key)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
