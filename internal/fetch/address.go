package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// policy determines the addresses to which a request may connect.
type policy int

const (
	publicOnly   policy = iota // public addresses, for a host that is not configured by the user
	localNetwork               // also private addresses, for redirects of a private registry
	anyAddress                 // all addresses, for a host that is configured by the user
)

var policies = [...]policy{publicOnly, localNetwork, anyAddress}

// check returns an error for an address that the policy forbids.
func (p policy) check(ip netip.Addr) error {
	ip = ip.Unmap()
	switch {
	case p == anyAddress, !isSpecial(ip):
		return nil
	case p == localNetwork && (ip.IsPrivate() || ip.IsLoopback()):
		return nil
	}
	return &addressError{ip}
}

type addressError struct{ ip netip.Addr }

func (e *addressError) Error() string {
	return fmt.Sprintf("the address %s, which is no public one", e.ip)
}

// special lists address blocks, besides those known to package netip, that are
// not on the public Internet or lead to such addresses.
var special = func() []netip.Prefix {
	var list []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(s))
	}
	return list
}()

// nat64 blocks map IPv4 addresses into IPv6.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

func isSpecial(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if nat64.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return true
	}
	for _, p := range special {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

// newTransport returns a transport that checks each resolved address before it
// connects. Each policy has its own connection pool, so a connection that one
// policy allows is not reused under another.
func newTransport(o Options, p policy) *http.Transport {
	dialer := &net.Dialer{Timeout: o.Stall, KeepAlive: 30 * time.Second}
	if p != anyAddress {
		dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
			addr, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			return p.check(addr.Addr())
		}
	}
	return &http.Transport{
		Proxy:                  o.Proxy,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        o.TLS.Clone(),
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    o.Stall,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    8,
		MaxConnsPerHost:        16,
		IdleConnTimeout:        60 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

func isCertificate(err error) bool {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	return errors.As(err, &verify) || errors.As(err, &unknown) || errors.As(err, &name)
}
