package auth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// demo starts an authorization server and an MCP server that trusts it.
func demo() (address string, a *authority, stop func()) {
	a = startAuthority()
	s := startSite()
	if err := s.serve(a, nil); err != nil {
		log.Fatal(err)
	}
	return s.endpoint(), a, func() { s.Close(); a.Close() }
}

// A program at a terminal signs in as its user. The user signs in once, because tokens and
// registrations are stored in files.
func ExampleOAuthClient() {
	address, _, stop := demo()
	defer stop()
	dir, err := os.MkdirTemp("", "config") // a real program uses os.UserConfigDir
	if err != nil {
		log.Print(err)
		return
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	client, err := mcp.Connect(ctx, &mcp.HTTPTransport{
		URL: address,
		Authorizer: &auth.OAuthClient{
			Name:    "Report reader",
			Store:   auth.FileStore{Dir: filepath.Join(dir, "report-reader")},
			Browser: browse, // the default opens the user's browser
		},
	}, nil)
	if err != nil {
		log.Print(err)
		return
	}
	defer client.Close()
	text, err := mcp.CallTool[string](ctx, client, "read", map[string]any{}, nil)
	fmt.Println(text, err)
	// Output: done <nil>
}

// A service without a user signs in as a client that was registered with the authorization server
// (extension io.modelcontextprotocol/oauth-client-credentials).
func ExampleClientCredentials() {
	address, a, stop := demo()
	defer stop()
	a.clients["nightly"] = &app{secret: "s3cret", method: "client_secret_basic"}
	a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"} }

	ctx := context.Background()
	client, err := mcp.Connect(ctx, &mcp.HTTPTransport{
		URL: address,
		Authorizer: &auth.OAuthClient{
			Grant:         auth.ClientCredentials,
			Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "nightly", ClientSecret: "s3cret"}},
		},
	}, nil)
	if err != nil {
		log.Print(err)
		return
	}
	defer client.Close()
	text, err := mcp.CallTool[string](ctx, client, "read", map[string]any{}, nil)
	fmt.Println(text, err)
	// Output: done <nil>
}

// The metadata document of a client is published at the URL that is its client ID.
func ExampleOAuthClient_Document() {
	c := &auth.OAuthClient{Name: "Report reader", MetadataDocument: "https://reader.example.com/oauth/client.json"}
	document, err := c.Document()
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.MarshalIndent(document, "", "  ")
	fmt.Println(string(text), err)
	// Output:
	// {
	//   "client_id": "https://reader.example.com/oauth/client.json",
	//   "client_name": "Report reader",
	//   "redirect_uris": [
	//     "http://127.0.0.1/callback",
	//     "http://localhost/callback"
	//   ],
	//   "grant_types": [
	//     "authorization_code",
	//     "refresh_token"
	//   ],
	//   "response_types": [
	//     "code"
	//   ],
	//   "token_endpoint_auth_method": "none",
	//   "application_type": "native"
	// } <nil>
}
