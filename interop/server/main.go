// Command server is the server that clients are tested against. It has a little
// of everything, with known answers. Tools change the lists and resources when
// the client is ready, and report what became of earlier calls.
//
//	server -http 127.0.0.1:0    MCP at /mcp, HTTP with SSE at /sse; prints its URL
//	server -stdio
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/docent-mcp/docent/mcp"
)

func main() {
	addr := flag.String("http", "", "serve HTTP on this address")
	stdio := flag.Bool("stdio", false, "serve standard input and output")
	flag.Parse()
	if err := run(*addr, *stdio); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(addr string, stdio bool) error {
	s, err := newServer()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case stdio:
		return s.ServeStdio(ctx)
	case addr != "":
		return serveHTTP(ctx, s, addr)
	}
	return errors.New("say -http ADDR or -stdio")
}

func serveHTTP(ctx context.Context, s *mcp.Server, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	h, old := s.HTTPHandler(nil), s.SSEHandler(nil)
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.Handle("/sse", old)
	fmt.Println("http://" + l.Addr().String())
	context.AfterFunc(ctx, func() { old.Shutdown(context.Background()) })
	return h.Serve(ctx, l, mux)
}

// newServer returns the server with all its entries. Lists have several pages,
// so that clients have to follow cursors.
func newServer() (*mcp.Server, error) {
	s := mcp.NewServer(mcp.Implementation{Name: "interop", Version: "1.0.0"}, &mcp.ServerOptions{
		Instructions: "Say hello.",
		Capabilities: mcp.ServerCapabilities{Logging: true},
		PageSize:     4,
	})
	return s, errors.Join(addTools(s), addQuestions(s), addCalls(s), addOffers(s), addChanges(s))
}
