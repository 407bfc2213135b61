package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// screen refuses requests whose host or origin is not allowed, and answers preflight requests of
// allowed origins. It reports whether it has answered the request.
func (o *HTTPOptions) screen(w http.ResponseWriter, req *http.Request) bool {
	if why := o.refuses(req); why != "" {
		writeError(w, http.StatusForbidden, nil, errorf(CodeInvalidRequest, "%s", why))
		return true
	}
	return o.CORS && o.allowOrigin(w, req)
}

// Screen returns a handler that refuses the same hosts and origins as an HTTPHandler with these
// options and answers preflight requests. It passes all other requests to next. Use it for a
// handler that wraps an HTTPHandler and processes requests itself.
func (o *HTTPOptions) Screen(next http.Handler) http.Handler {
	opts := *o
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !opts.screen(w, req) {
			next.ServeHTTP(w, req)
		}
	})
}

// doubts returns a message for each entry in the options that no request can match. The message
// describes the correct form.
func (o *HTTPOptions) doubts() []string {
	var doubts []string
	for _, host := range o.AllowedHosts {
		if strings.ContainsAny(host, "/*") || hostname(host) != host {
			doubts = append(doubts, "AllowedHosts contains "+strconv.Quote(host)+", which is not a host name; write a name without scheme and port, such as app.example.com")
		}
	}
	for _, origin := range o.AllowedOrigins {
		u, err := url.Parse(origin)
		if origin != "*" && (err != nil || u.Host == "" || origin != u.Scheme+"://"+u.Host) {
			doubts = append(doubts, "AllowedOrigins contains "+strconv.Quote(origin)+", which is not an origin; write a scheme and a host without a path, such as https://app.example.com")
		}
	}
	return doubts
}

// refuses returns the reason why the Host or Origin of a request is refused, or "".
func (o *HTTPOptions) refuses(req *http.Request) string {
	host := hostname(req.Host)
	listed := slices.ContainsFunc(o.AllowedHosts, func(allowed string) bool { return strings.EqualFold(allowed, host) })
	switch {
	case len(o.AllowedHosts) > 0 && !listed:
		return "Forbidden host; the server's AllowedHosts do not list it"
	case !listed && !isLoopback(host) && onLoopback(req):
		return "Forbidden host: a server on a loopback address answers to localhost; list other names in its AllowedHosts"
	}
	if len(req.Header["Origin"]) > 1 {
		return "Forbidden origin: the request has more than one Origin header; send one"
	}
	origin := header(req.Header, "Origin")
	if origin == "" || o.allowsOrigin(origin) {
		return ""
	}
	// A page of the server's own origin is allowed. However, any domain name can resolve to this
	// machine, so the host must be an address or an allowed name.
	_, notAnAddress := netip.ParseAddr(host)
	if u, err := url.Parse(origin); err == nil && strings.EqualFold(u.Host, req.Host) && (listed || isLoopback(host) || notAnAddress == nil) {
		return ""
	}
	return "Forbidden origin; the server's AllowedOrigins do not list it"
}

func (o *HTTPOptions) allowsOrigin(origin string) bool {
	return slices.Contains(o.AllowedOrigins, origin) || slices.Contains(o.AllowedOrigins, "*")
}

// allowOrigin sets CORS headers. It reports whether it has answered the request because it was a
// preflight request.
func (o *HTTPOptions) allowOrigin(w http.ResponseWriter, req *http.Request) bool {
	origin := header(req.Header, "Origin")
	if origin == "" || !o.allowsOrigin(origin) {
		return false
	}
	head := w.Header()
	head.Set("Access-Control-Allow-Origin", origin)
	head.Add("Vary", "Origin")
	head.Set("Access-Control-Expose-Headers", headerSession)
	if req.Method != http.MethodOptions || req.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	head.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
	// "*" covers the headers that repeat arguments of tools, but not
	// Authorization.
	head.Set("Access-Control-Allow-Headers", "Authorization, *")
	head.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

func hostname(hostport string) string {
	if i := strings.IndexByte(hostport, ':'); i > 0 && hostport[0] != '[' && strings.IndexByte(hostport[i+1:], ':') < 0 {
		return hostport[:i] // does what SplitHostPort does, without an allocation
	}
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	if host == "127.0.0.1" || strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// onLoopback reports whether the request arrived on a loopback address. It returns false for a Unix
// socket, because web pages cannot reach it.
func onLoopback(req *http.Request) bool {
	addr, _ := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.IP.IsLoopback()
	}
	return false
}
