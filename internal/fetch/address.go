package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
)

// policy determines the addresses to which a request may connect.
type policy int

const (
	publicOnly   policy = iota // only public addresses, for a host that is not configured by the user
	localNetwork               // also private addresses, for redirects from a private registry
	anyAddress                 // all except metadata addresses, for a host that is configured by the user
)

var policies = [...]policy{publicOnly, localNetwork, anyAddress}

// check returns an error for an address that the policy forbids.
func (p policy) check(ip netip.Addr) error {
	ip = ip.Unmap()
	switch {
	case isMetadata(ip):
		return &addressError{"the address " + ip.String(), "which is link-local or a cloud's metadata service"}
	case p == anyAddress, !isSpecial(ip):
		return nil
	case p == localNetwork && (ip.IsPrivate() || ip.IsLoopback()):
		return nil
	}
	return &addressError{"the address " + ip.String(), "which is not public"}
}

// checkHost returns an error for a host that the policy forbids and whose name a proxy would
// resolve. It recognizes only the names of metadata services, and unusual forms of addresses such
// as 0x7f.1.
func (p policy) checkHost(host string) error {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return p.check(ip)
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || slices.Contains(metadataNames, host) {
		return &addressError{"the host " + quote.Line(host, 100), "which is another spelling of an address, or names a cloud's metadata service"}
	}
	return nil
}

// addressError is the reason for refusing to connect.
type addressError struct{ target, reason string }

func (e *addressError) Error() string { return e.target + ", " + e.reason }

// metadataNames are names of metadata services that clouds resolve.
var metadataNames = []string{
	"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal", "metadata.tencentyun.com", "metadata.platformequinix.com",
}

// metadata lists addresses of metadata services that are not link-local, of AWS, Google Cloud,
// Alibaba Cloud, Oracle Cloud and Azure.
var metadata = []netip.Addr{
	netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"), netip.MustParseAddr("100.100.100.200"),
	netip.MustParseAddr("192.0.0.192"), netip.MustParseAddr("168.63.129.16"),
}

// isMetadata reports whether an address is link-local, as most metadata services are, or one of the
// others. These services provide the machine's credentials and are never registries, so no
// configuration allows them.
func isMetadata(ip netip.Addr) bool {
	ip = embedded(ip)
	return ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast() || slices.Contains(metadata, ip)
}

// special lists address blocks that are not on the public Internet, or that map to such addresses,
// in addition to those that package netip recognizes.
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

// These blocks map IPv4 addresses into IPv6: NAT64, its local form, IPv4-compatible
// addresses and 6to4.
var (
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48")
	compatible = netip.MustParsePrefix("::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

// embedded returns the IPv4 address to which an IPv6 address leads, or else ip, in
// both cases without a zone.
func embedded(ip netip.Addr) netip.Addr {
	ip = ip.Unmap().WithZone("")
	if !ip.Is6() {
		return ip
	}
	b := ip.As16()
	switch {
	case nat64.Contains(ip), localNAT64.Contains(ip), compatible.Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:]))
	case sixToFour.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return ip
}

func isSpecial(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if nat64.Contains(ip) {
		ip = embedded(ip)
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return true
	}
	return slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// newDialer returns a dialer that checks each resolved address.
func newDialer(timeout time.Duration, p policy) *net.Dialer {
	return &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		addr, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return p.check(addr.Addr())
	}}
}

// newTransport returns a transport that checks each resolved address before it
// connects. Each policy has its own connection pool, so a connection that one
// policy allows is not reused under another.
func newTransport(o Options, p policy) *http.Transport {
	return &http.Transport{
		Proxy:                  o.Proxy,
		DialContext:            newDialer(o.Stall, p).DialContext,
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
