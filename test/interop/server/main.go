// Command server is the server that clients are tested against. It has tools, prompts and resources
// with known answers. Some tools change the lists and resources when they are called, and report
// the state of earlier calls.
//
//	server -http 127.0.0.1:0    MCP at /mcp, HTTP with SSE at /sse; prints its URL
//	server -stdio
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/test/interop/servers/calls"
)

func main() {
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	calls.Serve(s.ServeStdio, func(ctx context.Context, l net.Listener) error {
		h, old := s.HTTPHandler(nil), s.SSEHandler(nil)
		mux := http.NewServeMux()
		mux.Handle("/mcp", h)
		mux.Handle("/sse", old)
		context.AfterFunc(ctx, func() { old.Shutdown(context.Background()) })
		return h.Serve(ctx, l, mux)
	})
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
