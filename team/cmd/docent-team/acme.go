package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"github.com/docent-mcp/docent/internal/cachedir"
)

// acmeFlags contains the flags for certificates that the server obtains and renews by ACME. The
// ACME server verifies the names by a TLS connection to port 443 (TLS-ALPN-01).
type acmeFlags struct {
	domains                     []string
	email, directory, cache, ca string
	accept                      bool
}

func (a *acmeFlags) add(f *pflag.FlagSet) {
	f.StringSliceVar(&a.domains, "acme-domain", nil, "obtain and renew a TLS certificate for this domain name with ACME; port 443 of the domain must lead to the address in --http")
	f.BoolVar(&a.accept, "acme-accept-terms", false, "accept the terms of service of the ACME server, which --acme-domain requires")
	f.StringVar(&a.email, "acme-email", "", "the address to which the ACME server sends messages about certificates")
	f.StringVar(&a.directory, "acme-directory", autocert.DefaultACMEDirectory, "the URL of the ACME server")
	f.StringVar(&a.ca, "acme-ca", "", "a PEM file with the certificate authorities of a private ACME server")
	f.StringVar(&a.cache, "acme-cache", "", "a directory for the certificates and their keys (default below docent's cache); replicas can share one")
}

// certificate returns a function that returns the server's certificates, or nil without
// --acme-domain. It does not send requests itself. Errors of the ACME server are logged.
func (a *acmeFlags) certificate(log *slog.Logger) (func(*tls.ClientHelloInfo) (*tls.Certificate, error), error) {
	if len(a.domains) == 0 {
		if a.accept || a.email != "" || a.ca != "" || a.cache != "" {
			return nil, errors.New("ACME settings have no effect without a domain name; specify --acme-domain")
		}
		return nil, nil
	}
	for _, domain := range a.domains {
		if _, err := netip.ParseAddr(domain); err == nil || !strings.Contains(strings.Trim(domain, "."), ".") || strings.ContainsAny(domain, "*/:@ ") {
			return nil, fmt.Errorf("--acme-domain %.100q is not the name of a server, such as docent.example.com; wildcards, ports and addresses are not possible", domain)
		}
	}
	if !a.accept {
		return nil, errors.New("to get certificates with ACME, you must accept the terms of service of the ACME server; read them and specify --acme-accept-terms")
	}
	if u, err := url.Parse(a.directory); err != nil || u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("--acme-directory %.200q is not an https URL", a.directory)
	}
	if a.email != "" && !strings.Contains(a.email, "@") {
		return nil, fmt.Errorf("--acme-email %.100q is not an email address", a.email)
	}
	dir := a.cache
	if dir == "" {
		cache := cachedir.Default(os.Getenv)
		if cache == "" {
			return nil, errors.New("there is no directory for ACME certificates: set HOME, or specify a directory with --acme-cache")
		}
		dir = filepath.Join(cache, "acme")
	}
	client := &acme.Client{DirectoryURL: a.directory, UserAgent: "docent-team/" + version()}
	if a.ca != "" {
		pem, err := os.ReadFile(a.ca)
		if err != nil {
			return nil, fmt.Errorf("--acme-ca: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--acme-ca: %s contains no PEM certificate", a.ca)
		}
		client.HTTPClient = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	}
	manager := &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(dir), HostPolicy: autocert.HostWhitelist(a.domains...),
		Client: client, Email: a.email,
	}
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		certificate, err := manager.GetCertificate(hello)
		if err != nil && slices.Contains(a.domains, strings.ToLower(hello.ServerName)) {
			log.Warn("there is no certificate for the server", "name", hello.ServerName, "error", err)
		}
		return certificate, err
	}, nil
}
