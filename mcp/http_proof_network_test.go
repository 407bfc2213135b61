package mcp_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// network is a kind of network, together with a client for it.
type network struct {
	name  string
	unix  bool
	tls   bool
	http2 bool
}

var networks = []network{
	{name: "TCP"},
	{name: "a Unix socket", unix: true},
	{name: "HTTP/2 without TLS", http2: true},
	{name: "HTTP/2 without TLS on a Unix socket", http2: true, unix: true},
	{name: "TLS", tls: true},
	{name: "HTTP/2", tls: true, http2: true},
}

// tlsConfig contains the TLS configurations of both ends.
type tlsConfig struct{ server, client *tls.Config }

// lentTLS returns a configuration with the certificate of net/http/httptest that negotiates the
// given protocol.
func lentTLS(protocol string) tlsConfig {
	lender := httptest.NewTLSServer(nil)
	lender.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(lender.Certificate())
	return tlsConfig{
		&tls.Config{Certificates: lender.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12},
		&tls.Config{RootCAs: trusted, ServerName: "example.com", NextProtos: []string{protocol}, MinVersion: tls.VersionTLS12},
	}
}

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

func (c tlsConfig) dial(plain dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := plain(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		secure := tls.Client(conn, c.client)
		return secure, secure.HandshakeContext(ctx)
	}
}

// host serves s on the network until the test ends.
func (n network) host(t *testing.T, s *mcp.Server) *site {
	t.Helper()
	kind, addr := "tcp", "127.0.0.1:0"
	if n.unix {
		kind, addr = "unix", socketPath(t)
	}
	l, err := net.Listen(kind, addr)
	must(t, err)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, kind, l.Addr().String())
	}
	served := l
	if n.tls {
		protocol := "http/1.1"
		if n.http2 {
			protocol = "h2"
		}
		config := lentTLS(protocol)
		served, dial = tls.NewListener(l, config.server), config.dial(dial)
	}
	endpoint := hostOn(t, s, nil, served, dial)
	if n.http2 {
		protocols := new(http.Protocols)
		protocols.SetUnencryptedHTTP2(true) // the client assumes that the server supports HTTP/2
		endpoint.client.Transport.(*http.Transport).Protocols = protocols
	}
	resp, err := endpoint.client.Get("http://localhost/mcp")
	must(t, err)
	resp.Body.Close()
	if (resp.ProtoMajor == 2) != n.http2 {
		t.Errorf("spoken: %s", resp.Proto)
	}
	return endpoint
}

func TestClientsComeBackToClosedStreamsOverEveryNetwork(t *testing.T) {
	proves(t, "http.sse.poll.close-connection", "http.sse.poll.retry-sent", "http.resume.replay")
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) {
			g := newStage(t, nil)
			endpoint := n.host(t, g.Server)
			w := endpoint.open("2025-11-25")
			for i := range 3 {
				a := w.call("poll", `{}`).want(200)
				first, second := a.next(), a.next()
				if first.id == "" || second.retry != "3000" {
					t.Errorf("events %+v, %+v", first, second)
				}
				a.ends()
				<-g.began
				b := w.resume(second.id).want(200)
				g.release <- fmt.Sprint("answer ", i)
				if m, before := b.response(); m.text() != fmt.Sprint("answer ", i) || before != 0 {
					t.Errorf("%d before %s", before, m.line)
				}
			}
		})
	}
}

func TestEveryNetworkIsShutDownInOrder(t *testing.T) {
	proves(t, "subs.end.graceful-result", "http.get.close-any-time")
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) {
			for _, revision := range overHTTP {
				t.Run(revision, func(t *testing.T) {
					g := newStage(t, nil)
					endpoint := n.host(t, g.Server)
					w := endpoint.open(revision)
					w.say(strings.Repeat("x", 300_000))
					var listening *answer
					if modern(revision) {
						listening = w.begin(99, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`).want(200)
						listening.receive()
					} else {
						listening = w.resume("").want(200)
						if revision == "2025-11-25" {
							listening.next()
						}
					}
					g.AddDummyTool(t)
					listening.listChanged()
					call := w.talk(1, `1`, `{"times":2,"wait":true}`).want(200)
					<-g.began
					stopped := make(chan error, 1)
					go func() { stopped <- endpoint.stop() }()
					if modern(revision) {
						if m := listening.receive(); string(m.ID) != "99" || m.Result["resultType"] != "complete" {
							t.Error(m.line)
						}
					}
					listening.ends()
					select {
					case err := <-stopped:
						t.Fatalf("Serve returned %v before the call was answered", err)
					default:
					}
					g.release <- "done"
					if m, before := call.response(); m.text() != "done" || before != 4 {
						t.Errorf("%d before %s", before, m.line)
					}
					if err := <-stopped; err != nil {
						t.Errorf("Serve returned %v", err)
					}
				})
			}
		})
	}
}

func TestEveryNetworkTellsWhenAClientHasGone(t *testing.T) {
	proves(t, "http.sse.disconnect-is-cancel", "http.sse.disconnect-is-not-cancel")
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) {
			g := newStage(t, nil)
			endpoint := n.host(t, g.Server)
			legacy, today := endpoint.open("2025-06-18"), endpoint.open("2026-07-28")
			// One response has started, and the other has not.
			begun := today.talk(1, `1`, `{"times":1,"wait":true}`).want(200)
			<-g.began
			begun.close()
			if err := <-g.ended; err == nil {
				t.Error("the call went on")
			}
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(today.request(7, "tools/call", callParams("wait", `{}`))))
			must(t, err)
			req.Header = today.with("Mcp-Method: tools/call", "Mcp-Name: wait").head
			go func() {
				<-g.began
				cancel()
			}()
			if resp, err := endpoint.client.Do(req); err == nil {
				resp.Body.Close()
				// With TLS, a client that disconnects announces this before it closes the
				// connection. In between, it can still read what the server writes.
				if !n.tls || resp.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("it was answered with %s", resp.Status)
				}
			}
			if err := <-g.ended; err == nil {
				t.Error("the call went on")
			}
			a := legacy.talk(1, `1`, `{"times":1,"wait":true}`).want(200)
			id := a.lastID(2)
			<-g.began
			a.close()
			b := legacy.resume(id).want(200)
			g.release <- "done"
			if m, before := b.response(); m.text() != "done" || before != 0 {
				t.Errorf("%d before %s", before, m.line)
			}
			c := today.begin(8, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`).want(200)
			c.receive()
			c.close()
			today.say("still served")
		})
	}
}

func TestAnAnswerThatNobodyReadsIsGivenUpOverHTTP2(t *testing.T) {
	// In HTTP/2, the client limits how much it receives at a time, and can still send requests.
	eachOverHTTP(t, func(t *testing.T, revision string) {
		s := echoServer(t, nil)
		endpoint := host(t, s, nil)
		transport := endpoint.client.Transport.(*http.Transport)
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetUnencryptedHTTP2(true)
		transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10}
		w := endpoint.open(revision)
		long := strings.Repeat("x", 1<<20)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(w.request(1, "tools/call", callParams("echo", `{"message":"`+long+`"}`))))
		must(t, err)
		req.Header = w.with("Mcp-Method: tools/call", "Mcp-Name: echo").head
		resp, err := endpoint.client.Do(req)
		must(t, err)
		defer resp.Body.Close()
		time.Sleep(20 * time.Second)
		w.say("meanwhile others are served")
		time.Sleep(20 * time.Second)
		if data, err := io.ReadAll(resp.Body); err == nil {
			t.Errorf("all %d bytes came after all", len(data))
		}
		w.say("and the connection serves others")
	})
}

func TestAnAnswerThatNobodyReadsIsGivenUpOverTLS(t *testing.T) {
	config := lentTLS("http/1.1")
	config.client.MaxVersion = tls.VersionTLS12 // with TLS 1.2, the server sends nothing after the handshake that the client would have to read
	bubble(t, func(t *testing.T) {
		l := newMemory()
		dials := 0
		endpoint := hostOn(t, echoServer(t, nil), nil, tls.NewListener(l, config.server), func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials++
			return config.dial(l.dial)(ctx, network, addr)
		})
		w := endpoint.open("2026-07-28")
		line := w.request(1, "tools/call", callParams("echo", `{"message":"`+strings.Repeat("x", 1<<20)+`"}`))
		c := endpoint.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: %d\r\n\r\n%s", len(line), line))
		time.Sleep(40 * time.Second)
		if data, err := io.ReadAll(c); len(data) > 200_000 {
			t.Errorf("%d bytes came after all, error %v", len(data), err)
		}
		// The deadline of one request does not apply to the next request.
		dials = 0
		for range 5 {
			w.say(strings.Repeat("x", 100_000))
			settle()
			time.Sleep(50 * time.Second)
			w.post(`{"jsonrpc":"2.0","method":"notifications/a"}`).want(http.StatusAccepted)
			settle()
		}
		if dials > 1 {
			t.Errorf("%d connections", dials)
		}
	})
}

func TestAConnectionThatNobodyReadsIsClosedOverHTTP2(t *testing.T) {
	config := lentTLS("h2")
	config.client.MaxVersion = tls.VersionTLS12 // for the same reason as above
	bubble(t, func(t *testing.T) {
		l := newMemory()
		endpoint := hostOn(t, echoServer(t, nil), nil, tls.NewListener(l, config.server), config.dial(l.dial))
		// The client sends its settings, but reads nothing.
		c := endpoint.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		time.Sleep(40 * time.Second)
		if _, err := c.Write([]byte("x")); err == nil {
			t.Error("the connection is still open")
		}
	})
}
