package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
)

// Trust says which servers are trusted and what they are shown, as PEM.
type Trust struct {
	// Insecure accepts every certificate.
	Insecure bool
	// Roots are trusted instead of the system's certificates.
	Roots []byte
	// Certificate and Key are shown to servers that ask for a certificate.
	Certificate, Key []byte
}

// ErrNoRoots says that Trust.Roots holds no certificate.
var ErrNoRoots = errors.New("it holds no certificate")

// Config is the configuration for Options.TLS, nil if nothing is set. An error
// is ErrNoRoots or about Certificate and Key.
func (t Trust) Config() (*tls.Config, error) {
	if !t.Insecure && t.Roots == nil && t.Certificate == nil {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.Insecure {
		c.InsecureSkipVerify = true // the user's own choice
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
