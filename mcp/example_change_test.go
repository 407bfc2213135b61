package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// A server's tools may change while it is running. Clients are notified of the change.
func ExampleAddTool_replace() {
	say := func(text string) func(context.Context, *mcp.Request, struct{}) (string, error) {
		return func(context.Context, *mcp.Request, struct{}) (string, error) { return text, nil }
	}
	s := mcp.NewServer(mcp.Implementation{Name: "news", Version: "1.0.0"}, nil)
	if err := mcp.AddTool(s, mcp.Tool{Name: "headline"}, say("Rain expected.")); err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	fmt.Println(c.call("tools/call", `{"name":"headline"}`))
	go func() {
		if err := mcp.AddTool(s, mcp.Tool{Name: "headline"}, say("It rains."), mcp.Replace); err != nil {
			log.Fatal(err)
		}
	}()
	fmt.Println(c.next().Method)
	fmt.Println(c.call("tools/call", `{"name":"headline"}`))
	go s.RemoveTools("headline")
	fmt.Println(c.next().Method)
	fmt.Println(c.call("tools/list", `{}`))
	// Output:
	// {"content":[{"type":"text","text":"Rain expected."}]}
	// notifications/tools/list_changed
	// {"content":[{"type":"text","text":"It rains."}]}
	// notifications/tools/list_changed
	// {"tools":[]}
}

// A server whose tools are added later, for example by a plug-in, declares to connecting clients
// that it will have tools.
func ExampleServerOptions_tools() {
	s := mcp.NewServer(mcp.Implementation{Name: "plugins", Version: "1.0.0"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Tools: true}})
	fmt.Println(ask(s, "server/discover", `"x":0`))
	fmt.Println(ask(s, "tools/list", `"x":0`))
	// Output:
	// {"cacheScope":"public","capabilities":{"tools":{"listChanged":true}},"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"ttlMs":0}
	// {"cacheScope":"public","tools":[],"ttlMs":0}
}

// A client subscribes to notifications. In revision 2026-07-28, it does so with
// a request that stays open.
func ExampleServer_ResourceUpdated_listen() {
	s := mcp.NewServer(mcp.Implementation{Name: "clock", Version: "1.0.0"}, nil)
	err := s.AddResource(mcp.Resource{URI: "clock://now", Name: "now"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: "noon"}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c := newDemoClient(s, ``)
	c.send(`"id":7,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["clock://now"]},` + modernMeta("") + `}`)
	fmt.Println(c.next().Method)
	go s.ResourceUpdated("clock://now")
	m := c.next()
	fmt.Println(m.Method, string(m.Params))
	// Output:
	// notifications/subscriptions/acknowledged
	// notifications/resources/updated {"_meta":{"io.modelcontextprotocol/subscriptionId":7},"uri":"clock://now"}
}

// Middleware adds an argument that the client has omitted.
func ExampleMessage_SetParams() {
	defaults := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			if r.Method() == "tools/call" && r.Name() == "search" {
				var p struct {
					Name      string         `json:"name"`
					Arguments map[string]any `json:"arguments"`
				}
				if err := json.Unmarshal(r.Params(), &p); err == nil && p.Arguments["tenant"] == nil {
					p.Arguments["tenant"] = "acme" // a real server uses the principal
					params, err := json.Marshal(p)
					if err != nil {
						return nil, err
					}
					if err := r.SetParams(params); err != nil {
						return nil, err
					}
				}
			}
			return next(ctx, r)
		}
	}
	s := mcp.NewServer(mcp.Implementation{Name: "search", Version: "1.0.0"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{defaults}})
	err := mcp.AddTool(s, mcp.Tool{Name: "search"}, func(_ context.Context, _ *mcp.Request, in struct {
		Tenant string `json:"tenant"`
		Query  string `json:"query"`
	}) (string, error) {
		return "nothing about " + in.Query + " at " + in.Tenant, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "tools/call", `"name":"search","arguments":{"query":"cats"}`))
	// Output: {"content":[{"text":"nothing about cats at acme","type":"text"}]}
}

// Middleware changes results of any type.
func ExampleMessage_ResultJSON() {
	shout := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			res, err := next(ctx, r)
			if err != nil || r.Method() != "prompts/list" {
				return res, err
			}
			data, err := r.ResultJSON(res)
			if err != nil {
				return nil, err
			}
			return mcp.RawResult(strings.ReplaceAll(string(data), "Reviews", "REVIEWS")), nil
		}
	}
	s := mcp.NewServer(mcp.Implementation{Name: "reviewer", Version: "1.0.0"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{shout}})
	err := s.AddPrompt(mcp.Prompt{Name: "review", Description: "Reviews a file."}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
		return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text("Review.")}}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ask(s, "prompts/list", `"x":0`))
	// Output: {"cacheScope":"public","prompts":[{"description":"REVIEWS a file.","name":"review"}],"ttlMs":0}
}

// Code that receives only a context can get the request from it.
func ExampleRequestFrom() {
	audit := func(ctx context.Context, what string) {
		r := mcp.RequestFrom(ctx)
		fmt.Printf("%s: %s of %s\n", what, r.Method(), r.Client().Name)
	}
	s := mcp.NewServer(mcp.Implementation{Name: "files", Version: "1.0.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "delete"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		audit(ctx, "deleted a file")
		return "gone", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	ask(s, "tools/call", `"name":"delete"`)
	// Output: deleted a file: tools/call of test
}
