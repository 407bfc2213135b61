package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// newShop returns a server for the client examples.
func newShop() *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "shop", Version: "1.0.0"}, &mcp.ServerOptions{
		Tasks: mcp.TaskOptions{PollInterval: 10 * time.Millisecond},
	})
	for _, err := range []error{
		mcp.AddTool(s, mcp.Tool{Name: "price", Description: "Tells what an article costs."},
			func(_ context.Context, _ *mcp.Request, in struct {
				Article string `json:"article"`
			}) (price, error) {
				if in.Article != "lamp" {
					return price{}, fmt.Errorf("there is no %s", in.Article)
				}
				return price{Article: "lamp", Cents: 4200}, nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "order", Description: "Orders a lamp.", TaskSupport: mcp.TaskSupportOptional},
			func(ctx context.Context, req *mcp.Request, _ struct{}) (string, error) {
				form, action, err := mcp.Elicit[address](ctx, req, "Where shall it go?")
				if err != nil || action != mcp.ActionAccept {
					return "nothing was ordered", err
				}
				return "a lamp goes to " + form.Street, nil
			}),
	} {
		if err != nil {
			log.Fatal(err)
		}
	}
	return s
}

type (
	price struct {
		Article string `json:"article"`
		Cents   int    `json:"cents"`
	}
	address struct {
		Street string `json:"street"`
	}
)

// A transport connects a client to a server. Here the server is in the same process, but it can
// also be a command or a URL.
func ExampleConnect() {
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: newShop()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(c.Server().Name, c.Server().Revision)
	for tool, err := range c.Tools(ctx) { // requests further pages as needed
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tool.Name+":", tool.Description)
	}
	// Output:
	// shop 2026-07-28
	// order: Orders a lamp.
	// price: Tells what an article costs.
}

// The result of a tool is decoded into the type that the caller specifies.
func ExampleCallTool() {
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: newShop()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	lamp, err := mcp.CallTool[price](ctx, c, "price", map[string]string{"article": "lamp"}, nil)
	fmt.Println(lamp.Cents, err)
	_, err = mcp.CallTool[price](ctx, c, "price", map[string]string{"article": "moon"}, nil)
	fmt.Println(err)
	// Output:
	// 4200 <nil>
	// tool "price" failed: there is no moon
}

// Functions answer the server's questions, in every revision.
func ExampleClientOptions() {
	ctx := context.Background()
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: newShop()}, &mcp.ClientOptions{
			Revisions: []string{revision},
			ElicitForm: func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
				fmt.Println(e.Message)
				return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"street":"Elm Street"}`)}, nil
			},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(mcp.CallTool[string](ctx, c, "order", nil, nil))
		c.Close()
	}
	// Output:
	// Where shall it go?
	// a lamp goes to Elm Street <nil>
	// Where shall it go?
	// a lamp goes to Elm Street <nil>
}

// A task does not end with the client that started it. Another client can find it by its ID.
func ExampleClient_Task() {
	ctx := context.Background()
	server := newShop()
	opts := &mcp.ClientOptions{
		Tasks: true,
		ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"street":"Elm Street"}`)}, nil
		},
	}
	first, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: server}, opts)
	if err != nil {
		log.Fatal(err)
	}
	task, err := first.CallToolTask(ctx, "order", nil, time.Hour, nil)
	if err != nil {
		log.Fatal(err)
	}
	id := task.ID() // can be stored in a file, for example
	first.Close()

	second, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: server}, opts)
	if err != nil {
		log.Fatal(err)
	}
	defer second.Close()
	res, err := second.Task(id).Wait(ctx) // also answers the questions of the task
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output:
	// a lamp goes to Elm Street
}

// A subscription continues when the connection is lost and restored.
func ExampleClient_Subscribe() {
	ctx := context.Background()
	s := mcp.NewServer(mcp.Implementation{Name: "clock", Version: "1.0.0"}, nil)
	err := s.AddResource(mcp.Resource{URI: "clock://now", Name: "now"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: "noon"}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: s}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	sub, err := c.Subscribe(ctx, mcp.Filter{URIs: []string{"clock://now"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sub.Close()
	s.ResourceUpdated("clock://now")
	change, err := sub.Next(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	now, err := c.ReadResource(ctx, change.URI, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(change.URI, now.Contents[0].Text)
	// Output: clock://now noon
}
