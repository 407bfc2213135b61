package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// Middleware handles the requests of both sides.
func ExampleMiddleware() {
	audit := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			res, err := next(ctx, r)
			direction := "client:"
			if r.Outgoing() {
				direction = "server:"
			}
			fmt.Println(strings.TrimSpace(direction + " " + r.Method() + " " + r.Name()))
			return res, err
		}
	}
	readOnly := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			if r.Method() == "tools/call" && r.Name() == "delete" {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.Text("This server is read-only.")}}, nil
			}
			return next(ctx, r)
		}
	}
	s := mcp.NewServer(mcp.Implementation{Name: "files", Version: "1.0.0"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{audit, readOnly}})
	err := mcp.AddTool(s, mcp.Tool{Name: "delete"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "gone", nil })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"delete"`))
	// Output:
	// client: tools/call delete
	// {"content":[{"text":"This server is read-only.","type":"text"}],"isError":true}
}

// Users other than root can list and call only tools that change nothing.
func ExampleServerOptions_visible() {
	s := mcp.NewServer(mcp.Implementation{Name: "admin", Version: "1.0.0"}, &mcp.ServerOptions{
		Visible: func(r *mcp.Request, e mcp.Entry) bool {
			t, ok := e.(*mcp.Tool)
			return !ok || t.Annotations != nil && t.Annotations.ReadOnly || r.Principal() == "root"
		},
	})
	for _, t := range []mcp.Tool{{Name: "status", Annotations: &mcp.ToolAnnotations{ReadOnly: true}}, {Name: "shutdown"}} {
		err := mcp.AddTool(s, t, func(context.Context, *mcp.Request, struct{}) (string, error) { return "done", nil })
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(ask(s, "tools/call", `"name":"status"`))
	fmt.Println(ask(s, "tools/call", `"name":"shutdown"`))
	// Output:
	// {"content":[{"text":"done","type":"text"}]}
	// {"code":-32602,"message":"Unknown tool: shutdown"}
}

// The server is an ordinary http.Handler. A handler in front of it
// authenticates requests.
func ExampleServer_HTTPHandler() {
	s := mcp.NewServer(mcp.Implementation{Name: "who", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "whoami"}, func(_ context.Context, req *mcp.Request, _ struct{}) (string, error) {
		return "You are " + req.Principal() + ".", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	handler := s.HTTPHandler(nil)
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		if !ok || password != "wonderland" { // a real server checks the password in a database, for example
			http.Error(w, "Log in first.", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r.WithContext(mcp.WithPrincipal(r.Context(), user)))
	})

	// This is a request from a client of revision 2026-07-28.
	req := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami",`+modernMeta("")+`}}`))
	req.SetBasicAuth("alice", "wonderland")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", "whoami")
	resp := httptest.NewRecorder()
	mux.ServeHTTP(resp, req)
	var m struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(resp.Body.Bytes(), &m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.Code, m.Result.Content[0].Text)
	// Output: 200 You are alice.
}

// In every revision, subscribers to a resource are notified of its changes.
func ExampleServer_ResourceUpdated() {
	s := mcp.NewServer(mcp.Implementation{Name: "clock", Version: "1.0.0"}, nil)
	err := s.AddResource(mcp.Resource{URI: "clock://now", Name: "now"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: "noon"}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	c.call("resources/subscribe", `{"uri":"clock://now"}`)
	go s.ResourceUpdated("clock://now")
	m := c.next()
	fmt.Println(m.Method, string(m.Params))
	// Output: notifications/resources/updated {"uri":"clock://now"}
}

// A server declares an extension and provides its methods.
func ExampleServer_AddExtension() {
	const maps = "com.example/maps"
	s := mcp.NewServer(mcp.Implementation{Name: "maps", Version: "1.0.0"}, nil)
	if err := s.AddExtension(maps, map[string]any{"zoom": 18}); err != nil {
		log.Fatal(err)
	}
	err := s.Handle("com.example/locate", func(_ context.Context, r *mcp.Request) (mcp.Result, error) {
		var in struct{ Place string }
		if err := json.Unmarshal(r.Params(), &in); err != nil || in.Place == "" {
			return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params: place is missing"}
		}
		if _, declared := r.ClientExtension(maps); !declared {
			return nil, mcp.MissingExtension(maps)
		}
		return mcp.RawResult(`{"latitude":52.01,"longitude":4.36}`), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "com.example/locate", `"place":"Delft"`))
	fmt.Println(newDemoClient(s, `"extensions":{"com.example/maps":{}}`).call("com.example/locate", `{"place":"Delft"}`))
	// Output:
	// {"code":-32021,"data":{"requiredCapabilities":{"extensions":{"com.example/maps":{}}}},"message":"Missing required client capability"}
	// {"latitude":52.01,"longitude":4.36}
}
