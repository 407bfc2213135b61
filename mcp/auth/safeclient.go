package auth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// endpoint parses the URL of a server. It returns an error unless the URL uses
// https, or http on a loopback host, and has no user or fragment.
func endpoint(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "":
		return nil, fmt.Errorf("%.200q is not an absolute URL", s)
	case u.User != nil || u.Fragment != "":
		return nil, fmt.Errorf("%.200q contains a user or a fragment", u.Redacted())
	case u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()):
		return u, nil
	}
	return nil, fmt.Errorf("%.200q must use https", s)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// SafeClient returns an HTTP client for URLs that come from other servers. It connects only to
// public addresses, or to a loopback address if the URL has a loopback host and the request was not
// redirected. It requires https except on loopback, follows at most three redirects within an
// origin, and times out after 10 seconds. It uses no proxy, since addresses behind a proxy cannot
// be checked.
func SafeClient() *http.Client { return addresses{loopback: true}.client() }

// addresses describes the non-public addresses to which a client may connect.
type addresses struct {
	loopback bool // loopback addresses, if the host of the URL is one
	private  bool // addresses of private networks
}

func (a addresses) client() *http.Client {
	return &http.Client{
		Timeout: 10 * time.Second,
		Transport: safeTransport{a, &http.Transport{
			DialContext:           a.dial,
			ForceAttemptHTTP2:     true,
			TLSHandshakeTimeout:   5 * time.Second,
			ResponseHeaderTimeout: 5 * time.Second,
			MaxIdleConnsPerHost:   2,
			IdleConnTimeout:       30 * time.Second,
			// This is enough for any server; the default is 10 MiB.
			MaxResponseHeaderBytes: 64 << 10,
		}},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			switch first := via[0].URL; {
			case len(via) > 3:
				return errors.New("more than 3 redirects")
			case req.URL.Scheme != first.Scheme || req.URL.Host != first.Host:
				return fmt.Errorf("a redirect to another origin, %s://%s", req.URL.Scheme, req.URL.Host)
			}
			return nil
		},
	}
}

// check returns an error if no request may be sent to the URL s.
func (a addresses) check(s string) error {
	u, err := endpoint(s)
	if err == nil && !a.loopback && isLoopback(u.Hostname()) {
		return fmt.Errorf("%.200q is on this machine, which a server elsewhere must not name", s)
	}
	return err
}

// safeTransport refuses requests to URLs for which addresses.check returns an error.
type safeTransport struct {
	allowed addresses
	next    *http.Transport
}

func (t safeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.allowed.check(req.URL.String()); err != nil {
		return nil, err
	}
	return t.next.RoundTrip(req)
}

// CloseIdleConnections is called by http.Client.CloseIdleConnections.
func (t safeTransport) CloseIdleConnections() { t.next.CloseIdleConnections() }

func (a addresses) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: 5 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		ip := ap.Addr().Unmap()
		switch {
		case isPublic(ip), a.loopback && ip.IsLoopback() && isLoopback(host), a.private && isPrivate(ip):
			return nil
		}
		return fmt.Errorf("%s has the address %s, which is not public", host, ip)
	}}
	return d.DialContext(ctx, network, address)
}

// isPublic reports whether an address is on the public Internet, according to the registries of
// special-purpose addresses (RFC 6890).
func isPublic(ip netip.Addr) bool {
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// isPrivate reports whether an address belongs to a private network (RFC 1918,
// RFC 4193) or to a provider's network (RFC 6598).
func isPrivate(ip netip.Addr) bool { return ip.IsPrivate() || sharedNetwork.Contains(ip) }

var sharedNetwork = netip.MustParsePrefix("100.64.0.0/10")

var special = func() []netip.Prefix {
	var list []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32",
		"2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(s))
	}
	return list
}()
