package fetch

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
)

// Guard is a proxy on loopback for a program that makes its own requests, such as the go command
// and the git processes that it starts. It applies the rules of a Client to these requests: before
// each connection, including those for redirects, it checks the addresses that names resolve to.
type Guard struct {
	client *Client
	rules  GuardRules
	server *http.Server
	ctx    context.Context // ends the tunnels
	cancel context.CancelFunc
	url    url.URL // includes the password that the program must send
	auth   string

	mu      sync.Mutex
	refused error
}

// GuardRules are the rules of a Guard. Link-local and metadata addresses are always refused.
type GuardRules struct {
	// Configured reports whether the user's configuration contains a server, which may then have
	// any address.
	Configured func(host, port string) bool
	// Local allows other hosts to have private addresses, because only configured hosts can name
	// them. Otherwise their addresses must be public.
	Local bool
}

// StartGuard starts a Guard, which uses the HTTP proxy of the client's options, if there is one. A
// SOCKS proxy makes all connections itself, so with one the Guard is nil and does nothing. The
// caller must close the Guard.
func (c *Client) StartGuard(rules GuardRules) (*Guard, error) {
	if proxy, err := c.options.Proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: "host.invalid"}}); err == nil && proxy != nil && !isHTTP(proxy) {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &Guard{client: c, rules: rules}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	g.url = url.URL{Scheme: "http", Host: listener.Addr().String(), User: url.UserPassword("docent", rand.Text())}
	password, _ := g.url.User.Password()
	g.auth = Basic("docent", password)
	quiet := log.New(io.Discard, "", 0)
	g.server = &http.Server{Handler: g, ReadHeaderTimeout: c.options.Stall, ErrorLog: quiet}
	go func() { _ = g.server.Serve(listener) }()
	return g, nil
}

// Close ends the guard and its connections.
func (g *Guard) Close() {
	if g == nil {
		return
	}
	g.cancel()
	_ = g.server.Close()
}

// Environment returns the variables that make a program use the guard.
func (g *Guard) Environment() []string {
	if g == nil {
		return nil
	}
	address := g.url.String()
	var list []string
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		list = append(list, name+"="+address)
	}
	return append(list, "NO_PROXY=", "no_proxy=")
}

// Refused returns the error of the first connection that the rules forbid, or nil if there was
// none.
func (g *Guard) Refused() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused
}

func (g *Guard) policy(host, port string) policy {
	switch {
	case g.rules.Configured != nil && g.rules.Configured(host, port):
		return anyAddress
	case g.rules.Local:
		return localNetwork
	}
	return publicOnly
}

// ServeHTTP answers a request of the program.
func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), []byte(g.auth)) != 1 {
		w.Header().Set("Proxy-Authenticate", `Basic realm="docent"`)
		http.Error(w, "the password of this proxy is missing", http.StatusProxyAuthRequired)
		return
	}
	if r.Method != http.MethodConnect {
		g.forward(w, r)
		return
	}
	server, err := g.dial(r.Context(), r.Host)
	if err != nil {
		g.refuse(w, r.Host, err)
		return
	}
	defer server.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	stop := context.AfterFunc(g.ctx, func() { client.Close(); server.Close() })
	defer stop()
	if _, err := io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(server, buffered)
		server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// refuse responds with the error in the status line, which programs show.
func (g *Guard) refuse(w http.ResponseWriter, host string, err error) {
	status, text := http.StatusBadGateway, fmt.Sprintf("cannot connect to %s: %v", quote.Line(host, 200), quote.Error(err))
	if a, ok := errors.AsType[*addressError](err); ok {
		status, text = http.StatusForbidden, fmt.Sprintf("%s leads to %v", quote.Line(host, 200), a)
		g.mu.Lock()
		if g.refused == nil {
			g.refused = errors.New(text)
		}
		g.mu.Unlock()
	}
	conn, _, failed := http.NewResponseController(w).Hijack()
	if failed != nil {
		return
	}
	defer conn.Close()
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, text)
}

// forward makes a request without encryption for the program.
func (g *Guard) forward(w http.ResponseWriter, r *http.Request) {
	if r.URL.Scheme != "http" || r.URL.Host == "" {
		http.Error(w, "this is a proxy", http.StatusBadRequest)
		return
	}
	p := g.policy(r.URL.Hostname(), port(r.URL))
	transport := g.client.transports[p]
	if proxy, err := g.client.options.Proxy(r); err == nil && proxy != nil {
		if err := p.checkHost(r.URL.Hostname()); err != nil {
			g.refuse(w, r.URL.Host, err)
			return
		}
		transport = g.client.transports[anyAddress]
	}
	(&httputil.ReverseProxy{
		Rewrite:      func(*httputil.ProxyRequest) {},
		Transport:    transport,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) { g.refuse(w, r.URL.Host, err) },
		ErrorLog:     g.server.ErrorLog,
	}).ServeHTTP(w, r)
}

// dial connects to a host and port, through the user's proxy if there is one.
func (g *Guard) dial(ctx context.Context, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	p := g.policy(host, port)
	proxy, err := g.client.options.Proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: address}})
	if err != nil || proxy == nil {
		return newDialer(g.client.options.Stall, p).DialContext(ctx, "tcp", address)
	}
	if err := p.checkHost(host); err != nil {
		return nil, err
	}
	return dialThrough(ctx, proxy, address, g.client.options.Stall)
}

// dialThrough connects to an address through an HTTP proxy.
func dialThrough(ctx context.Context, proxy *url.URL, address string, timeout time.Duration) (net.Conn, error) {
	if !isHTTP(proxy) {
		return nil, fmt.Errorf("the proxy %s is not an HTTP proxy", Redact(proxy.String()))
	}
	conn, err := newDialer(timeout, anyAddress).DialContext(ctx, "tcp", net.JoinHostPort(proxy.Hostname(), port(proxy)))
	if err != nil {
		return nil, err
	}
	if proxy.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: proxy.Hostname(), MinVersion: tls.VersionTLS12})
	}
	tunnel, err := connect(conn, proxy.User, address, timeout)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return tunnel, nil
}

func isHTTP(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

// connect requests a tunnel from the HTTP proxy at the other end of conn.
func connect(conn net.Conn, user *url.Userinfo, address string, timeout time.Duration) (net.Conn, error) {
	_ = conn.SetDeadline(time.Now().Add(timeout))
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if user != nil {
		password, _ := user.Password()
		ask.Header.Set("Proxy-Authorization", Basic(user.Username(), password))
	}
	if err := ask.Write(conn); err != nil {
		return nil, err
	}
	reader := bufio.NewReader(conn)
	resp, err := http.ReadResponse(reader, ask) //nolint:bodyclose // the body of the answer is the connection itself
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the proxy responded with %s", quote.Line(resp.Status, 200))
	}
	_ = conn.SetDeadline(time.Time{})
	return &bufferedConn{conn, reader}, nil
}

// bufferedConn is a connection of which a part is already in a buffer.
type bufferedConn struct {
	net.Conn
	reader *bufio.Reader
}

func (c *bufferedConn) Read(p []byte) (int, error) { return c.reader.Read(p) }
