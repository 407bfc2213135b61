package auth_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// A server whose tokens are JWTs from one authorization server. Calls to the
// tool delete_report need an additional scope.
func Example() {
	tokens, err := auth.NewJWT("https://login.example.com", nil)
	if err != nil {
		log.Fatal(err)
	}
	guard, err := auth.NewGuard(auth.GuardOptions{
		Resource:             "https://mcp.example.com/mcp",
		AuthorizationServers: []string{"https://login.example.com"},
		Verifier:             tokens,
		Scopes:               []string{"reports:read"},
		ToolScopes:           map[string][]string{"delete_report": {"reports:write"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(mcp.Implementation{Name: "reports", Version: "1.0.0"}, &mcp.ServerOptions{
		Middleware: []mcp.Middleware{guard.Middleware},
	})
	type report struct {
		ID int `json:"id"`
	}
	err = mcp.AddTool(server, mcp.Tool{Name: "delete_report", Description: "Deletes a report."},
		func(ctx context.Context, _ *mcp.Request, in report) (string, error) {
			return fmt.Sprintf("%s deleted report %d.", auth.TokenFrom(ctx).Subject, in.ID), nil
		})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	guard.Mount(mux, server.HTTPHandler(nil))
	fmt.Println(guard.MetadataPath())
	// Output: /.well-known/oauth-protected-resource/mcp
}
