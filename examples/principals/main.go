// Command principals is an MCP server over HTTP that shows each principal its
// own tools. A handler in front of it authenticates the principal; Visible
// decides which tools it can list and call.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/docent-mcp/docent/mcp"
)

// users maps each token to its principal, in place of an identity provider.
var users = map[string]string{"token-of-ada": "ada", "token-of-bob": "bob"}

// rights maps each user to the tools that the user may call.
var rights = map[string][]string{
	"ada": {"read_report", "delete_report"},
	"bob": {"read_report"},
}

type report struct {
	ID int `json:"id" jsonschema:"minimum=1"`
}

func readReport(_ context.Context, r *mcp.Request, in report) (string, error) {
	return fmt.Sprintf("Report %d, shown to %s.", in.ID, r.Principal()), nil
}

func deleteReport(_ context.Context, _ *mcp.Request, in report) (string, error) {
	return fmt.Sprintf("Report %d is gone.", in.ID), nil
}

// authenticate refuses requests without a valid token, and passes the principal
// to next.
func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		user, ok := users[token]
		if !ok {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "Who are you?", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(mcp.WithPrincipal(r.Context(), user)))
	})
}

func newServer() (*mcp.Server, error) {
	s := mcp.NewServer(mcp.Implementation{Name: "principals", Version: "1.0.0"}, &mcp.ServerOptions{
		Visible: func(r *mcp.Request, e mcp.Entry) bool {
			t, ok := e.(*mcp.Tool)
			return ok && slices.Contains(rights[r.Principal()], t.Name)
		},
	})
	if err := mcp.AddTool(s, mcp.Tool{Name: "read_report", Description: "Reads a report."}, readReport); err != nil {
		return nil, err
	}
	if err := mcp.AddTool(s, mcp.Tool{Name: "delete_report", Description: "Deletes a report."}, deleteReport); err != nil {
		return nil, err
	}
	return s, nil
}

func main() {
	addr := flag.String("http", "localhost:8080", "address to listen on")
	flag.Parse()
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("serving http://%s/mcp", l.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	h := s.HTTPHandler(nil)
	mux := http.NewServeMux()
	mux.Handle("/mcp", authenticate(h))
	if err := h.Serve(ctx, l, mux); err != nil {
		log.Print(err)
	}
}
