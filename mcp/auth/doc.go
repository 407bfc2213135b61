// Package auth implements the authorization of MCP over HTTP, for both sides:
// OAuth 2.1 tokens that an authorization server issues (specification:
// Authorization).
//
// An OAuthClient signs in to a server that requires a token. It is the Authorizer of an
// mcp.HTTPTransport; its zero value opens the user's browser.
//
// A Guard wraps the server's handler. It verifies the token of each request, publishes which server
// issues tokens (RFC 9728), and answers requests that it refuses with the challenge that clients
// expect:
//
//	keys, err := auth.NewJWT("https://login.example.com", nil)
//	...
//	guard, err := auth.NewGuard(auth.GuardOptions{
//		Resource:             "https://mcp.example.com/mcp",
//		AuthorizationServers: []string{"https://login.example.com"},
//		Verifier:             keys,
//		ToolScopes:           map[string][]string{"delete_report": {"reports:write"}},
//	})
//	...
//	server := mcp.NewServer(implementation, &mcp.ServerOptions{
//		Middleware: []mcp.Middleware{guard.Middleware}, // for ToolScopes
//	})
//	guard.Mount(mux, server.HTTPHandler(nil))
//
// For a fixed set of clients that each have a key, APIKeys can take the place of a Guard.
//
// Handlers read the token with TokenFrom. They must not pass it on; an upstream
// API needs a separate token.
package auth
