package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// pinger returns a minimal server.
func pinger() *mcp.Server {
	return mcp.NewServer(mcp.Implementation{Name: "pinger", Version: "1.0.0"}, &mcp.ServerOptions{Instructions: "Just ping."})
}

const pingLine = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"

// A server and its client in one process use the two ends of a pipe, for example in a test.
func ExampleServer_ServeConn() {
	client, server := net.Pipe()
	served := make(chan error)
	go func() { served <- pinger().ServeConn(context.Background(), server) }()

	fmt.Fprint(client, pingLine)
	answer, _ := bufio.NewReader(client).ReadString('\n')
	fmt.Print(answer)
	client.Close()
	fmt.Println(<-served)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{}}
	// <nil>
}

// Each connection to a Unix socket is one client.
func ExampleServer_ServeConn_unixSocket() {
	dir, err := os.MkdirTemp("", "mcp")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := pinger()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.ServeConn(context.Background(), conn)
		}
	}()

	client, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprint(client, pingLine)
	answer, _ := bufio.NewReader(client).ReadString('\n')
	fmt.Print(answer)
	client.Close()
	l.Close()
	// Output: {"jsonrpc":"2.0","id":1,"result":{}}
}

// This HTTP server is for local clients. When interrupted, it responds to the requests in flight
// before it exits.
func ExampleServer_ListenAndServe() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := pinger().ListenAndServe(ctx, ":8080", nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// The handler can be part of another http.Server. Shutdown then has two steps: HTTPHandler.Shutdown
// ends streams and sessions, and Server.Shutdown ends connections.
func ExampleHTTPHandler_Shutdown() {
	handler := pinger().HTTPHandler(nil)
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- server.Serve(l) }()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	fmt.Println(handler.Shutdown(ctx), server.Shutdown(ctx), <-served)
	// Output: <nil> <nil> http: Server closed
}

// Clients that support only the transport of revision 2024-11-05 use another
// path.
func ExampleServer_SSEHandler() {
	s := pinger()
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.HTTPHandler(nil))
	mux.Handle("/sse", s.SSEHandler(nil))
	site := httptest.NewServer(mux)
	defer site.Close()

	resp, err := http.Get(site.URL + "/sse")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	event, _ := bufio.NewReader(resp.Body).ReadString('\n')
	fmt.Println(resp.Header.Get("Content-Type"), event)
	// Output: text/event-stream event: endpoint
}

// Web pages from one foreign origin may use the server, but pages from other origins may not.
func ExampleHTTPOptions() {
	handler := pinger().HTTPHandler(&mcp.HTTPOptions{
		AllowedHosts:   []string{"mcp.example.com"},
		AllowedOrigins: []string{"https://app.example.com"},
		CORS:           true,
	})
	for _, origin := range []string{"https://app.example.com", "https://evil.example.net"} {
		req := httptest.NewRequest(http.MethodOptions, "https://mcp.example.com/mcp", nil)
		req.Header.Set("Origin", origin)
		req.Header.Set("Access-Control-Request-Method", http.MethodPost)
		resp := httptest.NewRecorder()
		handler.ServeHTTP(resp, req)
		fmt.Println(resp.Code, resp.Header().Get("Access-Control-Allow-Origin"))
	}
	// Output:
	// 204 https://app.example.com
	// 403
}

// Several replicas behind a load balancer can serve all clients without shared state if they have
// the same key and no sessions.
func ExampleHTTPOptions_stateless() {
	key := []byte(strings.Repeat("k", 32)) // use 32 random bytes
	replica := func() http.Handler {
		s := mcp.NewServer(mcp.Implementation{Name: "replica", Version: "1.0.0"}, &mcp.ServerOptions{SealKey: key})
		return s.HTTPHandler(&mcp.HTTPOptions{Stateless: true})
	}
	for _, h := range []http.Handler{replica(), replica()} {
		req := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(pingLine))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		resp := httptest.NewRecorder()
		h.ServeHTTP(resp, req)
		fmt.Println(resp.Body)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{}}
	// {"jsonrpc":"2.0","id":1,"result":{}}
}
