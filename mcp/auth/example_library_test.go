package auth_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// The parts between "guide" and "end" are shown in docs/library.md.

func serveReports(s *mcp.Server) error {
	// guide oauthserver
	tokens, err := auth.NewJWT("https://login.example.com", nil) // or auth.NewIntrospection
	if err != nil {
		return err
	}
	guard, err := auth.NewGuard(auth.GuardOptions{
		Resource:             "https://mcp.example.com/mcp", // the address that clients use
		AuthorizationServers: []string{"https://login.example.com"},
		Verifier:             tokens,
		Scopes:               []string{"reports:read"},
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	guard.Mount(mux, s.HTTPHandler(nil)) // and the metadata where clients look for it
	err = http.ListenAndServe("localhost:8080", mux)
	// end
	return err
}

func readReports(ctx context.Context, address, dir string, browse func(ctx context.Context, url string) error) error {
	// guide oauthclient
	c, err := mcp.Connect(ctx, &mcp.HTTPTransport{
		URL: address,
		Authorizer: &auth.OAuthClient{
			Name:    "Report reader",
			Store:   auth.FileStore{Dir: filepath.Join(dir, "report-reader")}, // keeps the tokens; dir is that of os.UserConfigDir
			Browser: browse,                                                   // without it, the user's browser
		},
	}, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	text, err := mcp.CallTool[string](ctx, c, "read", nil, nil)
	// end
	fmt.Println(text)
	return err
}

func Example_library() {
	_ = serveReports
	address, _, stop := demo()
	defer stop()
	dir, err := os.MkdirTemp("", "config")
	if err != nil {
		log.Print(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := readReports(context.Background(), address, dir, browse); err != nil {
		fmt.Println(err)
	}
	// Output: done
}
