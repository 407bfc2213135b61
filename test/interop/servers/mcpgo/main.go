// Command mcpgo is a server with mcp-go, for testing our client.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/docent-mcp/docent/test/interop/servers/calls"
)

const noteURI = "note://today"

var form = map[string]any{
	"type":       "object",
	"properties": map[string]any{"name": map[string]any{"type": "string"}},
	"required":   []string{"name"},
}

func main() {
	s := newServer()
	calls.Main(func(ctx context.Context) error { return server.NewStdioServer(s).Listen(ctx, os.Stdin, os.Stdout) }, func() http.Handler {
		sse := server.NewSSEServer(s)
		mux := http.NewServeMux()
		mux.Handle("/mcp", server.NewStreamableHTTPServer(s, server.WithStateful(true)))
		mux.Handle("/sse", sse.SSEHandler())
		mux.Handle("/message", sse.MessageHandler())
		return mux
	})
}

func newServer() *server.MCPServer {
	s := server.NewMCPServer("mcpgo", "1.2.1",
		server.WithToolCapabilities(true), server.WithPromptCapabilities(true), server.WithResourceCapabilities(true, true),
		server.WithLogging(), server.WithElicitation(), server.WithRoots(), server.WithPaginationLimit(4))
	s.EnableSampling()
	addTools(s)
	addQuestions(s)
	addOffers(s)
	return s
}

func addTools(s *server.MCPServer) {
	s.AddTool(mcp.NewTool("echo", mcp.WithString("message")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(r.GetString("message", "")), nil
	})
	type sum struct {
		Sum int `json:"sum"`
	}
	type terms struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	s.AddTool(mcp.NewTool("add", mcp.WithInputSchema[terms](), mcp.WithOutputSchema[sum]()),
		mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in terms) (sum, error) {
			return sum{in.A + in.B}, nil
		}))
	s.AddTool(mcp.NewTool("fail"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("no such luck"), nil
	})
	s.AddTool(mcp.NewTool("steps"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := 1; i <= 3; i++ {
			var err error
			if r.Params.Meta != nil && r.Params.Meta.ProgressToken != nil {
				err = s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
					"progressToken": r.Params.Meta.ProgressToken, "progress": i, "total": 3, "message": fmt.Sprint("step ", i),
				})
			}
			err = errors.Join(err, s.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification("info", "steps", fmt.Sprint("took step ", i))))
			if err != nil {
				return nil, err
			}
			// Another goroutine sends the notifications, and the result does not wait for them.
			time.Sleep(100 * time.Millisecond)
		}
		return mcp.NewToolResultText("there"), nil
	})
	log := calls.New()
	s.AddTool(mcp.NewTool("wait", mcp.WithString("id")), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, log.Wait(ctx, r.GetString("id", ""))
	})
	s.AddTool(mcp.NewTool("state", mcp.WithString("id"), mcp.WithString("state")), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		state := r.GetString("state", "")
		return mcp.NewToolResultText(state), log.Reach(ctx, r.GetString("id", ""), state)
	})
}

func addQuestions(s *server.MCPServer) {
	s.AddTool(mcp.NewTool("ask-user"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		first, second := server.ElicitationResponse(r.Params.InputResponses, "first"), server.ElicitationResponse(r.Params.InputResponses, "second")
		if first == nil || second == nil {
			return server.NewInputRequestBuilder("").
				Elicit("first", mcp.ElicitationParams{Mode: "form", Message: "What is your name?", RequestedSchema: form}).
				Elicit("second", mcp.ElicitationParams{Mode: "form", Message: "And your friend's?", RequestedSchema: form}).
				ToolResult(), nil
		}
		name := func(answer *mcp.ElicitationResult) any { return answer.Content.(map[string]any)["name"] }
		return mcp.NewToolResultText(fmt.Sprintf("%s: %s and %s", second.Action, name(first), name(second))), nil
	})
	s.AddTool(mcp.NewTool("ask-model", mcp.WithString("question")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer := server.SamplingResponse(r.Params.InputResponses, "answer")
		if answer == nil {
			return server.NewInputRequestBuilder("").Sample("answer", mcp.CreateMessageParams{
				MaxTokens: 10,
				Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(r.GetString("question", ""))}},
			}).ToolResult(), nil
		}
		return mcp.NewToolResultText(answer.Model + " says " + mcp.GetTextFromContent(answer.Content)), nil
	})
	s.AddTool(mcp.NewTool("ask-roots"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		roots := server.RootsResponse(r.Params.InputResponses, "roots")
		if roots == nil {
			return server.NewInputRequestBuilder("").Roots("roots").ToolResult(), nil
		}
		return mcp.NewToolResultText(roots.Roots[0].Name + "=" + roots.Roots[0].URI), nil
	})
}

func addOffers(s *server.MCPServer) {
	var note atomic.Value
	note.Store("nothing to do")
	s.AddResource(mcp.NewResource(noteURI, "today"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: noteURI, Text: note.Load().(string)}}, nil
	})
	s.AddResource(mcp.NewResource("pic://dot", "dot"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.BlobResourceContents{URI: "pic://dot", Blob: "AAH+/w=="}}, nil
	})
	s.AddTool(mcp.NewTool("write-note", mcp.WithString("text")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		note.Store(r.GetString("text", ""))
		s.SendNotificationToAllClients("notifications/resources/updated", map[string]any{"uri": noteURI})
		return mcp.NewToolResultText("written"), nil
	})
	s.AddPrompt(mcp.NewPrompt("compose", mcp.WithArgument("kind", mcp.RequiredArgument()), mcp.WithArgument("about")),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			args := r.Params.Arguments
			if args["kind"] == "" {
				return nil, errors.New("kind is missing")
			}
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(fmt.Sprintf("Write a %s about %s.", args["kind"], args["about"]))),
			}), nil
		})
}
