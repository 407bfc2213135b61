// Command gosdk is a server with the official Go SDK, for testing our client.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/docent-mcp/docent/test/interop/servers/calls"
)

const noteURI = "note://today"

var form = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)

func main() {
	s := newServer()
	calls.Main(func(ctx context.Context) error { return s.Run(ctx, &mcp.StdioTransport{}) }, func() http.Handler {
		get := func(*http.Request) *mcp.Server { return s }
		// Only a stateless handler supports 2026-07-28.
		sessions := mcp.NewStreamableHTTPHandler(get, nil)
		stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
		mux := http.NewServeMux()
		mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
				stateless.ServeHTTP(w, r)
				return
			}
			sessions.ServeHTTP(w, r)
		})
		mux.Handle("/sse", mcp.NewSSEHandler(get, nil))
		return mux
	})
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

type none struct{}

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.8.0"}, &mcp.ServerOptions{
		PageSize:           4,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(s)
	addQuestions(s)
	addOffers(s)
	return s
}

func addTools(s *mcp.Server) {
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Message string `json:"message"`
	}) (*mcp.CallToolResult, any, error) {
		return text("%s", in.Message), nil, nil
	})
	type sum struct {
		Sum int `json:"sum"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		A int `json:"a"`
		B int `json:"b"`
	}) (*mcp.CallToolResult, sum, error) {
		return nil, sum{in.A + in.B}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no such luck")
	})
	mcp.AddTool(s, &mcp.Tool{Name: "steps"}, func(ctx context.Context, r *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		for i := 1; i <= 3; i++ {
			err := errors.Join(
				r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: 3, Message: fmt.Sprint("step ", i),
				}),
				r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: "steps", Data: fmt.Sprint("took step ", i)}))
			if err != nil {
				return nil, nil, err
			}
		}
		return text("there"), nil, nil
	})
	log := calls.New()
	type id struct {
		ID string `json:"id"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, in id) (*mcp.CallToolResult, any, error) {
		return nil, nil, log.Wait(ctx, in.ID)
	})
	mcp.AddTool(s, &mcp.Tool{Name: "state"}, func(ctx context.Context, _ *mcp.CallToolRequest, in struct {
		id
		State string `json:"state"`
	}) (*mcp.CallToolResult, any, error) {
		return text("%s", in.State), nil, log.Reach(ctx, in.ID, in.State)
	})
}

// ask returns a result with the questions of the first round.
func ask(questions mcp.InputRequestMap) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{InputRequests: questions}, nil, nil
}

func addQuestions(s *mcp.Server) {
	mcp.AddTool(s, &mcp.Tool{Name: "ask-user"}, func(_ context.Context, r *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		first, _ := r.Params.InputResponses["first"].(*mcp.ElicitResult)
		second, _ := r.Params.InputResponses["second"].(*mcp.ElicitResult)
		if first == nil || second == nil {
			return ask(mcp.InputRequestMap{
				"first":  &mcp.ElicitParams{Mode: "form", Message: "What is your name?", RequestedSchema: form},
				"second": &mcp.ElicitParams{Mode: "form", Message: "And your friend's?", RequestedSchema: form},
			})
		}
		return text("%s: %s and %s", second.Action, first.Content["name"], second.Content["name"]), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask-model"}, func(_ context.Context, r *mcp.CallToolRequest, in struct {
		Question string `json:"question"`
	}) (*mcp.CallToolResult, any, error) {
		answer, _ := r.Params.InputResponses["answer"].(*mcp.CreateMessageWithToolsResult)
		if answer == nil {
			return ask(mcp.InputRequestMap{"answer": &mcp.CreateMessageParams{
				MaxTokens: 10,
				Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: in.Question}}},
			}})
		}
		return text("%s says %s", answer.Model, answer.Content[0].(*mcp.TextContent).Text), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask-roots"}, func(_ context.Context, r *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		roots, _ := r.Params.InputResponses["roots"].(*mcp.ListRootsResult)
		if roots == nil {
			return ask(mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}})
		}
		return text("%s=%s", roots.Roots[0].Name, roots.Roots[0].URI), nil, nil
	})
}

func addOffers(s *mcp.Server) {
	var note atomic.Value
	note.Store("nothing to do")
	s.AddResource(&mcp.Resource{URI: noteURI, Name: "today"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: noteURI, Text: note.Load().(string)}}}, nil
	})
	s.AddResource(&mcp.Resource{URI: "pic://dot", Name: "dot"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "pic://dot", Blob: []byte{0, 1, 254, 255}}}}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "write-note"}, func(ctx context.Context, _ *mcp.CallToolRequest, in struct {
		Text string `json:"text"`
	}) (*mcp.CallToolResult, any, error) {
		note.Store(in.Text)
		return text("written"), nil, s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: noteURI})
	})
	s.AddPrompt(&mcp.Prompt{Name: "compose", Arguments: []*mcp.PromptArgument{{Name: "kind", Required: true}, {Name: "about"}}},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			args := r.Params.Arguments
			if args["kind"] == "" {
				return nil, errors.New("kind is missing")
			}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf("Write a %s about %s.", args["kind"], args["about"])}},
			}}, nil
		})
}
