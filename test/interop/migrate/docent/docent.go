// Package docent contains the server and the client of the migration guides, after the migration to
// this library. Each part shown in the guides is between the comments "guide" and "end".
package docent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// NewServer returns the server. Its middleware calls note for each message that it observes.
func NewServer(note func(string)) *mcp.Server {
	// guide middleware
	noting := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, m mcp.Message) (mcp.Result, error) {
			if !m.Outgoing() { // middleware also observes the messages that the server sends
				note(m.Method())
			}
			return next(ctx, m)
		}
	}
	// end
	// guide server
	s := mcp.NewServer(mcp.Implementation{Name: "desk", Version: "1.0.0"}, &mcp.ServerOptions{
		Instructions: "Ask the desk.",
		Capabilities: mcp.ServerCapabilities{Logging: true},
		Middleware:   []mcp.Middleware{noting},
	})
	// end
	addTools(s)
	addQuestions(s)
	addOffers(s)
	return s
}

// guide stdio
func serveStdio(ctx context.Context, s *mcp.Server) error {
	return s.ServeStdio(ctx)
}

// end

// Handler serves s over HTTP.
func Handler(s *mcp.Server) http.Handler {
	// guide http
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.HTTPHandler(nil)) // or s.ListenAndServe(ctx, "localhost:8080", nil)
	// end
	return mux
}

func addTools(s *mcp.Server) {
	// guide tool
	type greeting struct {
		Name  string `json:"name" jsonschema:"who to greet"`
		Times int    `json:"times,omitempty" jsonschema:"how often"`
	}
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "greet", Description: "Greets somebody."},
		func(ctx context.Context, in greeting) (string, error) {
			return strings.TrimSpace(strings.Repeat("Hello, "+in.Name+"! ", max(in.Times, 1))), nil
		}))
	// end
	// guide structured
	type terms struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type sum struct {
		Sum int `json:"sum"`
	}
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "add", Description: "Adds two numbers."},
		func(ctx context.Context, in terms) (sum, error) { return sum{in.A + in.B}, nil }))
	// end
	// guide failure
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "fail", Description: "Fails."},
		func(ctx context.Context, in struct{}) (string, error) {
			return "", errors.New("the printer is on fire")
		}))
	// end
	// guide schema
	mcp.Must(mcp.AddFunc(s, mcp.Tool{
		Name: "raw", Description: "Takes what its schema says.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}`),
	}, func(ctx context.Context, arguments json.RawMessage) (string, error) {
		return string(arguments), nil
	}))
	// end
	// guide progress
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "work", Description: "Takes its time."},
		func(ctx context.Context, req *mcp.Request, in struct{}) (string, error) {
			req.Progress(1, 2, "half")
			req.Log(mcp.LevelInfo, "work", "working")
			return "done", nil
		}))
	// end
}

func addQuestions(s *mcp.Server) {
	// guide elicitation
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "ask", Description: "Asks the user."},
		func(ctx context.Context, req *mcp.Request, in struct{}) (string, error) {
			form, action, err := mcp.Elicit[struct {
				Name string `json:"name"`
			}](ctx, req, "What is your name?")
			switch {
			case err != nil:
				return "", err
			case action != mcp.ActionAccept:
				return "nobody", nil
			}
			return form.Name, nil
		}))
	// end
	// guide sampling
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "think", Description: "Asks the model."},
		func(ctx context.Context, req *mcp.Request, in struct{}) (string, error) {
			answer, err := req.Sample(ctx, &mcp.Sampling{
				MaxTokens: 100,
				Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text("Think.")}}},
			})
			if err != nil {
				return "", err
			}
			return answer.Text(), nil
		}))
	// end
	// guide roots
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "where", Description: "Lists the folders."},
		func(ctx context.Context, req *mcp.Request, in struct{}) (string, error) {
			roots, err := req.Roots(ctx)
			if err != nil {
				return "", err
			}
			return roots[0].URI, nil
		}))
	// end
}

func addOffers(s *mcp.Server) {
	// guide prompt
	mcp.Must(s.AddPrompt(mcp.Prompt{
		Name: "review", Description: "Reviews code.",
		Arguments: []mcp.PromptArgument{{Name: "language", Required: true, Complete: completeLanguage}},
	}, func(ctx context.Context, req *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
		return &mcp.PromptResult{Messages: []mcp.PromptMessage{
			{Role: mcp.RoleUser, Content: mcp.Text("Review this " + args["language"] + " code.")},
		}}, nil
	}))
	// end
	// guide resource
	mcp.Must(s.AddResource(mcp.Resource{URI: "config://app", Name: "config", MIMEType: "text/plain"},
		func(ctx context.Context, req *mcp.Request, uri string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: "debug=false"}}, nil
		}))
	// end
	// guide template
	mcp.Must(s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "users://{id}", Name: "user"},
		func(ctx context.Context, req *mcp.Request, uri string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
			if vars.Get("id") == "0" {
				return nil, mcp.ErrResourceNotFound
			}
			return []mcp.ResourceContents{{URI: uri, Text: "user " + vars.Get("id")}}, nil
		}))
	// end
	// guide update
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "touch", Description: "Changes the configuration."},
		func(ctx context.Context, in struct{}) (string, error) {
			s.ResourceUpdated("config://app") // clients can subscribe without further settings
			return "touched", nil
		}))
	// end
}

// guide completion
func completeLanguage(ctx context.Context, req *mcp.Request, typed string, chosen map[string]string) (mcp.Completion, error) {
	return mcp.Suggest(typed, []string{"go", "python", "rust"}), nil
}

// end

// UseClient uses a server over HTTP and returns what it has received.
func UseClient(ctx context.Context, address string) (seen []string, err error) {
	// guide client
	c, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: address}, &mcp.ClientOptions{
		Info: mcp.Implementation{Name: "visitor", Version: "1.0.0"},
		ElicitForm: func(ctx context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"name":"Ada"}`)}, nil
		},
		Sample: func(ctx context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
			return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{mcp.Text("thought")}}, nil
		},
		Roots:     func(ctx context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///src"}}, nil },
		Revisions: []string{"2025-11-25"}, // usually omitted; the default is the newest that both sides support
	})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// end
	// guide calls
	for tool, err := range c.Tools(ctx) {
		if err != nil {
			return nil, err
		}
		seen = append(seen, tool.Name)
	}
	sum, err := mcp.CallTool[struct{ Sum int }](ctx, c, "add", map[string]any{"a": 1, "b": 2}, nil)
	if err != nil {
		return nil, err
	}
	seen = append(seen, fmt.Sprint(sum.Sum))
	// end
	for _, name := range []string{"ask", "think", "where"} {
		text, err := mcp.CallTool[string](ctx, c, name, nil, nil)
		if err != nil {
			return nil, err
		}
		seen = append(seen, text)
	}
	// guide reads
	read, err := c.ReadResource(ctx, "config://app", nil)
	if err != nil {
		return nil, err
	}
	prompt, err := c.GetPrompt(ctx, "review", map[string]string{"language": "go"}, nil)
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
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: s}, nil) // or mcptest.Connect(t, s, nil)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return mcp.CallTool[string](ctx, c, "greet", map[string]any{"name": "Ada"}, nil)
	// end
}

var _ = serveStdio
