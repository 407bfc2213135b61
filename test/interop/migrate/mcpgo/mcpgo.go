// Package mcpgo contains a server and a client that use mcp-go. They are the code before the
// migration in docs/migrating-from-mcp-go.md. Each part in the guide is between the comments
// "guide" and "end".
package mcpgo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// NewServer returns the server. Its hooks call note for each message that they observe.
func NewServer(note func(string)) *server.MCPServer {
	// guide middleware
	hooks := &server.Hooks{}
	hooks.AddBeforeAny(func(ctx context.Context, id any, method mcp.MCPMethod, message any) {
		note(string(method))
	})
	// end
	// guide server
	s := server.NewMCPServer("desk", "1.0.0",
		server.WithInstructions("Ask the desk."),
		server.WithToolCapabilities(true), server.WithPromptCapabilities(true), server.WithResourceCapabilities(true, true),
		server.WithLogging(), server.WithElicitation(), server.WithRoots(),
		server.WithCompletions(), server.WithPromptCompletionProvider(languages{}),
		server.WithInputSchemaValidation(),
		server.WithHooks(hooks))
	s.EnableSampling()
	// end
	addTools(s)
	addQuestions(s)
	addOffers(s)
	return s
}

// guide completion
type languages struct{}

func (languages) CompletePromptArgument(_ context.Context, prompt string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	found := &mcp.Completion{Values: []string{}}
	if prompt == "review" && argument.Name == "language" {
		for _, language := range []string{"go", "python", "rust"} {
			if strings.HasPrefix(language, argument.Value) {
				found.Values = append(found.Values, language)
			}
		}
	}
	return found, nil
}

// end

// guide stdio
func serveStdio(s *server.MCPServer) error {
	return server.ServeStdio(s)
}

// end

// Handler serves s over HTTP.
func Handler(s *server.MCPServer) http.Handler {
	// guide http
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.NewStreamableHTTPServer(s, server.WithStateful(true)))
	// end
	return mux
}

func addTools(s *server.MCPServer) {
	// guide tool
	s.AddTool(mcp.NewTool("greet",
		mcp.WithDescription("Greets somebody."),
		mcp.WithString("name", mcp.Required(), mcp.Description("who to greet")),
		mcp.WithNumber("times", mcp.Description("how often")),
	), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name, err := req.RequireString("name")
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		text := strings.Repeat("Hello, "+name+"! ", max(req.GetInt("times", 1), 1))
		return mcp.NewToolResultText(strings.TrimSpace(text)), nil
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
	s.AddTool(mcp.NewTool("add", mcp.WithDescription("Adds two numbers."), mcp.WithInputSchema[terms](), mcp.WithOutputSchema[sum]()),
		mcp.NewStructuredToolHandler(func(ctx context.Context, req mcp.CallToolRequest, in terms) (sum, error) {
			return sum{in.A + in.B}, nil
		}))
	// end
	// guide failure
	s.AddTool(mcp.NewTool("fail", mcp.WithDescription("Fails.")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultError("the printer is on fire"), nil
		})
	// end
	// guide schema
	s.AddTool(mcp.NewToolWithRawSchema("raw", "Takes what its schema says.",
		json.RawMessage(`{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}`)),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			arguments, err := json.Marshal(req.GetArguments())
			return mcp.NewToolResultText(string(arguments)), err
		})
	// end
	// guide progress
	s.AddTool(mcp.NewTool("work", mcp.WithDescription("Takes its time.")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Params.Meta != nil && req.Params.Meta.ProgressToken != nil {
				err := s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
					"progressToken": req.Params.Meta.ProgressToken, "progress": 1, "total": 2, "message": "half",
				})
				if err != nil {
					return nil, err
				}
			}
			err := s.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification("info", "work", "working"))
			return mcp.NewToolResultText("done"), err
		})
	// end
}

func addQuestions(s *server.MCPServer) {
	// guide elicitation
	s.AddTool(mcp.NewTool("ask", mcp.WithDescription("Asks the user.")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
				Message: "What is your name?",
				RequestedSchema: map[string]any{
					"type":       "object",
					"properties": map[string]any{"name": map[string]any{"type": "string"}},
					"required":   []string{"name"},
				},
			}})
			if err != nil {
				return nil, err
			}
			text := "nobody"
			if content, ok := answer.Content.(map[string]any); ok && answer.Action == mcp.ElicitationResponseActionAccept {
				text, _ = content["name"].(string)
			}
			return mcp.NewToolResultText(text), nil
		})
	// end
	// guide sampling
	s.AddTool(mcp.NewTool("think", mcp.WithDescription("Asks the model.")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := s.RequestSampling(ctx, mcp.CreateMessageRequest{CreateMessageParams: mcp.CreateMessageParams{
				MaxTokens: 100,
				Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent("Think.")}},
			}})
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(mcp.GetTextFromContent(answer.Content)), nil
		})
	// end
	// guide roots
	s.AddTool(mcp.NewTool("where", mcp.WithDescription("Lists the folders.")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			roots, err := s.RequestRoots(ctx, mcp.ListRootsRequest{})
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(roots.Roots[0].URI), nil
		})
	// end
}

func addOffers(s *server.MCPServer) {
	// guide prompt
	s.AddPrompt(mcp.NewPrompt("review",
		mcp.WithPromptDescription("Reviews code."),
		mcp.WithArgument("language", mcp.RequiredArgument()),
	), func(ctx context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return mcp.NewGetPromptResult("", []mcp.PromptMessage{
			mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("Review this "+req.Params.Arguments["language"]+" code.")),
		}), nil
	})
	// end
	// guide resource
	s.AddResource(mcp.NewResource("config://app", "config", mcp.WithMIMEType("text/plain")),
		func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "debug=false"}}, nil
		})
	// end
	// guide template
	s.AddResourceTemplate(mcp.NewResourceTemplate("users://{id}", "user"),
		func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimPrefix(req.Params.URI, "users://")
			if id == "0" {
				return nil, server.ErrResourceNotFound
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, Text: "user " + id}}, nil
		})
	// end
	// guide update
	s.AddTool(mcp.NewTool("touch", mcp.WithDescription("Changes the configuration.")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.SendNotificationToAllClients("notifications/resources/updated", map[string]any{"uri": "config://app"})
			return mcp.NewToolResultText("touched"), nil
		})
	// end
}

// guide handlers
type answers struct{}

func (answers) Elicit(ctx context.Context, req mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{"name": "Ada"},
	}}, nil
}

func (answers) CreateMessage(ctx context.Context, req mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	return &mcp.CreateMessageResult{
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent("thought")}, Model: "m",
	}, nil
}

func (answers) ListRoots(ctx context.Context, req mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file:///src"}}}, nil
}

// end

// UseClient uses a server over HTTP and returns what it has received.
func UseClient(ctx context.Context, address string) (seen []string, err error) {
	// guide client
	way, err := transport.NewStreamableHTTP(address, transport.WithContinuousListening())
	if err != nil {
		return nil, err
	}
	c := client.NewClient(way, client.WithProtocolVersion("2025-11-25"),
		client.WithElicitationHandler(answers{}), client.WithSamplingHandler(answers{}), client.WithRootsHandler(answers{}))
	defer c.Close()
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "visitor", Version: "1.0.0"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, err
	}
	// end
	// guide calls
	tools, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	for _, tool := range tools.Tools {
		seen = append(seen, tool.Name)
	}
	var call mcp.CallToolRequest
	call.Params.Name, call.Params.Arguments = "add", map[string]any{"a": 1, "b": 2}
	result, err := c.CallTool(ctx, call)
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
		var call mcp.CallToolRequest
		call.Params.Name, call.Params.Arguments = name, map[string]any{}
		result, err := c.CallTool(ctx, call)
		if err != nil {
			return nil, err
		}
		seen = append(seen, mcp.GetTextFromContent(result.Content[0]))
	}
	// guide reads
	var read mcp.ReadResourceRequest
	read.Params.URI = "config://app"
	contents, err := c.ReadResource(ctx, read)
	if err != nil {
		return nil, err
	}
	var get mcp.GetPromptRequest
	get.Params.Name, get.Params.Arguments = "review", map[string]string{"language": "go"}
	prompt, err := c.GetPrompt(ctx, get)
	if err != nil {
		return nil, err
	}
	seen = append(seen, contents.Contents[0].(mcp.TextResourceContents).Text, mcp.GetTextFromContent(prompt.Messages[0].Content))
	// end
	return seen, nil
}

// Test connects a client to a server in memory.
func Test(ctx context.Context, s *server.MCPServer) (string, error) {
	// guide test
	c, err := client.NewInProcessClient(s)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.Start(ctx); err != nil {
		return "", err
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return "", err
	}
	var call mcp.CallToolRequest
	call.Params.Name, call.Params.Arguments = "greet", map[string]any{"name": "Ada"}
	result, err := c.CallTool(ctx, call)
	// end
	if err != nil {
		return "", err
	}
	return mcp.GetTextFromContent(result.Content[0]), nil
}

var _ = serveStdio
