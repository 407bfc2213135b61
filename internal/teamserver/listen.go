package teamserver

import (
	"context"
	"net"
	"net/netip"
	"strings"
)

// listen listens on an address in the same way as mcp.Server.ListenAndServe.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
	} else if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	return new(net.ListenConfig).Listen(ctx, network, addr)
}

// localAddress reports whether only this machine can reach an address.
func localAddress(addr string) bool {
	if strings.HasPrefix(addr, "unix:") {
		return true
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" || strings.EqualFold(host, "localhost") {
		return true // without a host, listen uses loopback; if the address is invalid, listen returns an error
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
