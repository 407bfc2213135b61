// Package gosdk contains a server and a client that use the official Go SDK. They are the code
// before the migration in docs/migrating-from-go-sdk.md. Each part in the guide is between the
// comments "guide" and "end".
package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewServer returns the server. Its middleware calls note for each message that it observes.
func NewServer(note func(string)) *mcp.Server {
	// guide server
	s := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "1.0.0"}, &mcp.ServerOptions{
		Instructions: "Ask the desk.",
		Capabilities: &mcp.ServerCapabilities{Logging: &mcp.LoggingCapabilities{}},
		// Without these two, clients cannot subscribe to resources.
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		CompletionHandler:  complete,
	})
	// end
	// guide middleware
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			note(method)
			return next(ctx, method, req)
		}
	})
	// end
	addTools(s)
	addQuestions(s)
	addOffers(s)
	return s
}

// guide completion
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	result := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if ref := req.Params.Ref; ref.Type == "ref/prompt" && ref.Name == "review" && req.Params.Argument.Name == "language" {
		for _, language := range []string{"go", "python", "rust"} {
			if strings.HasPrefix(language, req.Params.Argument.Value) {
				result.Completion.Values = append(result.Completion.Values, language)
			}
		}
	}
	return result, nil
}

// end

// guide stdio
func serveStdio(ctx context.Context, s *mcp.Server) error {
	return s.Run(ctx, &mcp.StdioTransport{})
}

// end

// Handler serves s over HTTP.
func Handler(s *mcp.Server) http.Handler {
	// guide http
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	// end
	return mux
}

func addTools(s *mcp.Server) {
	// guide tool
	type greeting struct {
		Name  string `json:"name" jsonschema:"who to greet"`
		Times int    `json:"times,omitempty" jsonschema:"how often"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "greet", Description: "Greets somebody."},
		func(ctx context.Context, req *mcp.CallToolRequest, in greeting) (*mcp.CallToolResult, any, error) {
			text := strings.Repeat("Hello, "+in.Name+"! ", max(in.Times, 1))
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimSpace(text)}}}, nil, nil
		})
	// end
	// guide structured
	type terms struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type sum struct {
		Sum int `json:"sum"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "add", Description: "Adds two numbers."},
		func(ctx context.Context, req *mcp.CallToolRequest, in terms) (*mcp.CallToolResult, sum, error) {
			return nil, sum{in.A + in.B}, nil
		})
	// end
	// guide failure
	mcp.AddTool(s, &mcp.Tool{Name: "fail", Description: "Fails."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New("the printer is on fire")
		})
	// end
	// guide schema
	s.AddTool(&mcp.Tool{
		Name: "raw", Description: "Takes what its schema says.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}`),
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}}}, nil
	})
	// end
	// guide progress
	mcp.AddTool(s, &mcp.Tool{Name: "work", Description: "Takes its time."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			if token := req.Params.GetProgressToken(); token != nil {
				err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2, Message: "half"})
				if err != nil {
					return nil, nil, err
				}
			}
			err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: "work", Data: "working"})
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, err
		})
	// end
}

func addQuestions(s *mcp.Server) {
	// guide elicitation
	mcp.AddTool(s, &mcp.Tool{Name: "ask", Description: "Asks the user."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{
				Message:         "What is your name?",
				RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
			})
			if err != nil {
				return nil, nil, err
			}
			text := "nobody"
			if answer.Action == "accept" {
				text, _ = answer.Content["name"].(string)
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	// end
	// guide sampling
	mcp.AddTool(s, &mcp.Tool{Name: "think", Description: "Asks the model."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			answer, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
				MaxTokens: 100,
				Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Think."}}},
			})
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{answer.Content}}, nil, nil
		})
	// end
	// guide roots
	mcp.AddTool(s, &mcp.Tool{Name: "where", Description: "Lists the folders."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			roots, err := req.Session.ListRoots(ctx, nil)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(roots.Roots[0].URI)}}}, nil, nil
		})
	// end
}

func addOffers(s *mcp.Server) {
	// guide prompt
	s.AddPrompt(&mcp.Prompt{
		Name: "review", Description: "Reviews code.",
		Arguments: []*mcp.PromptArgument{{Name: "language", Required: true}},
	}, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: "Review this " + req.Params.Arguments["language"] + " code."}},
		}}, nil
	})
	// end
	// guide resource
	s.AddResource(&mcp.Resource{URI: "config://app", Name: "config", MIMEType: "text/plain"},
		func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: "debug=false"}}}, nil
		})
	// end
	// guide template
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "users://{id}", Name: "user"},
		func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimPrefix(req.Params.URI, "users://")
			if id == "0" {
				return nil, mcp.ResourceNotFoundError(req.Params.URI)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "user " + id}}}, nil
		})
	// end
	// guide update
	mcp.AddTool(s, &mcp.Tool{Name: "touch", Description: "Changes the configuration."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "config://app"})
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "touched"}}}, nil, err
		})
	// end
}

// UseClient uses a server over HTTP and returns what it has received.
func UseClient(ctx context.Context, address string) (seen []string, err error) {
	// guide client
	c := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		CreateMessageHandler: func(ctx context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: "thought"}}, nil
		},
	})
	c.AddRoots(&mcp.Root{URI: "file:///src"})
	session, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: address},
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		return nil, err
	}
	defer session.Close()
	// end
	// guide calls
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		seen = append(seen, tool.Name)
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "add", Arguments: map[string]any{"a": 1, "b": 2}})
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return nil, err
	}
	var sum struct{ Sum int }
	if err := json.Unmarshal(encoded, &sum); err != nil {
		return nil, err
	}
	seen = append(seen, fmt.Sprint(sum.Sum))
	// end
	for _, name := range []string{"ask", "think", "where"} {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
		if err != nil {
			return nil, err
		}
		seen = append(seen, result.Content[0].(*mcp.TextContent).Text)
	}
	// guide reads
	read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "config://app"})
	if err != nil {
		return nil, err
	}
	prompt, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "review", Arguments: map[string]string{"language": "go"}})
	if err != nil {
		return nil, err
	}
	seen = append(seen, read.Contents[0].Text, prompt.Messages[0].Content.(*mcp.TextContent).Text)
	// end
	return seen, nil
}

// Test connects a client to a server in memory.
func Test(ctx context.Context, s *mcp.Server) (string, error) {
	// guide test
	clientSide, serverSide := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, serverSide, nil); err != nil {
		return "", err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		return "", err
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "greet", Arguments: map[string]any{"name": "Ada"}})
	// end
	if err != nil {
		return "", err
	}
	return result.Content[0].(*mcp.TextContent).Text, nil
}

var _ = serveStdio
