package teamserver

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ParsePrefixes parses addresses and networks, such as "10.0.0.1" and "10.0.0.0/8".
func ParsePrefixes(texts []string) (list []netip.Prefix, err error) {
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			address, err := netip.ParseAddr(text)
			if err != nil {
				return nil, errorf("%.100q is neither an address nor a network; write 10.0.0.1 or 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		list = append(list, prefix.Masked())
	}
	return list, nil
}

// maxForwarded is the maximum number of addresses in a request's X-Forwarded-For header that are
// examined.
const maxForwarded = 20

// clientAddress returns the address of the client of a request. If a trusted proxy has sent the
// request, it is the last address in X-Forwarded-For that does not belong to a trusted proxy.
// Otherwise, headers are ignored.
func clientAddress(r *http.Request, trusted []netip.Prefix) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // the client is connected by a Unix socket
	}
	client := peer.Addr().Unmap()
	isTrusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	if !isTrusted(client) {
		return client.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i, hop := range slices.Backward(hops) {
		if len(hops)-i > maxForwarded {
			break
		}
		hop = strings.TrimSpace(hop)
		if host, _, err := net.SplitHostPort(hop); err == nil {
			hop = host
		}
		address, err := netip.ParseAddr(strings.Trim(hop, "[]"))
		if err != nil {
			break
		}
		if client = address.Unmap(); !isTrusted(client) {
			break
		}
	}
	return client.String()
}
