package docserver

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/mcp"
)

// TestRoots_ChooseTheProject calls a tool without a project in each revision of the protocol. The
// client's roots determine the project. If the server can distinguish the client from others, it
// requests the roots only once.
func TestRoots_ChooseTheProject(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		for _, overHTTP := range []bool{false, true} {
			if revision == "2024-11-05" && overHTTP {
				continue // that revision has another transport, over which sessions are the same
			}
			name := revision + " on a pipe"
			if overHTTP {
				name = revision + " over HTTP"
			}
			t.Run(name, func(t *testing.T) {
				project := t.TempDir()
				library := &library{project: project}
				m, err := New(Options{Store: store.New(ecosystem.Languages{library}, store.Options{}), SingleClient: !overHTTP, WorkingDir: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				var transport mcp.Transport = &mcp.ServerTransport{Server: m}
				if overHTTP {
					server := httptest.NewServer(m.HTTPHandler(nil))
					defer server.Close()
					transport = &mcp.HTTPTransport{URL: server.URL}
				}
				requests := 0
				c, err := mcp.Connect(t.Context(), transport, &mcp.ClientOptions{
					Revisions: []string{revision},
					Roots: func(context.Context) ([]mcp.Root, error) {
						requests++
						return []mcp.Root{{URI: "file:///no/such/place"}, {URI: "file://" + project}}, nil
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				for range 3 {
					result, err := c.CallTool(t.Context(), "describe_go_package", map[string]any{"package": "example.com/web"}, nil)
					if err != nil || result.IsError {
						data, _ := json.Marshal(result)
						t.Fatalf("%s, %v", data, err)
					}
				}
				for _, q := range library.requests {
					if q.ProjectDir != project {
						t.Errorf("the package was asked for in project %q, want %q", q.ProjectDir, project)
					}
				}
				want := 1
				if revision == "2026-07-28" && overHTTP {
					want = 3 // nothing tells one client from another
				}
				if len(library.requests) == 0 || requests != want {
					t.Errorf("the client was asked for its roots %d times, want %d", requests, want)
				}
			})
		}
	}
}

func TestRoots_AreNotAskedOfClientsWithoutThem(t *testing.T) {
	library := &library{}
	m, err := New(Options{Store: store.New(ecosystem.Languages{library}, store.Options{}), SingleClient: true, WorkingDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: m}, &mcp.ClientOptions{Revisions: []string{"2026-07-28"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.CallTool(t.Context(), "describe_go_package", map[string]any{"package": "example.com/web"}, nil); err != nil || len(library.requests) != 1 {
		t.Errorf("%d questions, %v", len(library.requests), err) // A client without roots could not answer the request.
	}
}
