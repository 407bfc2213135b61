package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Refused returns why a server whose pages are only for the user of this machine must refuse a
// request, or "" if the request is allowed. Any domain name can be made to point to this machine,
// so the host of a request must be a loopback address or localhost. Pages of other sites may link
// to these pages, but must not load them or send anything to them.
func Refused(r *http.Request) string {
	if !isLoopback(r.Host) {
		return "Forbidden host: open the page at a loopback address, such as 127.0.0.1, or at localhost."
	}
	return refusedFrom(r, "http")
}

// refusedFrom is like Refused for a server that any host may reach, by one of the schemes.
func refusedFrom(r *http.Request, schemes ...string) string {
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || !slices.Contains(schemes, u.Scheme) || u.Host != r.Host {
			return "Forbidden origin: pages on other sites cannot use this site."
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return ""
	}
	if r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
		return "" // The address is that of a link.
	}
	return "Forbidden origin: pages on other sites can link to this page, but cannot load it."
}

// isLoopback reports whether a host, perhaps with a port, is this machine.
func isLoopback(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}
