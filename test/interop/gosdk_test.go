package interop

import (
	"context"
	"fmt"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestGoSDK tests our server with the client from the official Go SDK.
func TestGoSDK(t *testing.T) {
	transports := map[string]func(t *testing.T) mcp.Transport{
		"stdio": func(*testing.T) mcp.Transport { return &mcp.CommandTransport{Command: exec.Command(server, "-stdio")} },
		"Streamable HTTP": func(t *testing.T) mcp.Transport {
			return &mcp.StreamableClientTransport{Endpoint: serveHTTP(t) + "/mcp"}
		},
		"HTTP+SSE": func(t *testing.T) mcp.Transport { return &mcp.SSEClientTransport{Endpoint: serveHTTP(t) + "/sse"} },
	}
	for transport, connect := range transports {
		for _, revision := range revisions {
			t.Run(transport+" "+revision, func(t *testing.T) {
				t.Parallel()
				c := newGoSDK(t, connect(t), revision)
				exercise(t, c, c.received, revision, nil)
			})
		}
	}
}

func TestGoSDKChoosesTheNewestRevision(t *testing.T) {
	c := newGoSDK(t, &mcp.CommandTransport{Command: exec.Command(server, "-stdio")}, "")
	equal(t, "the revision", c.revision(), c.close(), "2026-07-28")
}

type goSDK struct {
	*mcp.ClientSession
	received events
}

func newGoSDK(t *testing.T, transport mcp.Transport, revision string) *goSDK {
	received := newEvents()
	c := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1.8.0"}, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: model, Content: r.Params.Messages[0].Content}, nil
		},
		Capabilities: &mcp.ClientCapabilities{
			RootsV2: &mcp.RootCapabilities{ListChanged: true},
			Elicitation: &mcp.ElicitationCapabilities{
				Form: &mcp.FormElicitationCapabilities{},
				URL:  &mcp.URLElicitationCapabilities{},
			},
		},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if r.Params.URL != "" {
				received.addf("sent to %s", r.Params.URL)
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name(r.Params.Message)}}, nil
		},
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { received.addf("changed tools") },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { received.addf("changed prompts") },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { received.addf("changed resources") },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			received.addf("updated %s", r.Params.URI)
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			received.addf("log %s %s: %v", r.Params.Level, r.Params.Logger, r.Params.Data)
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			received.addf("progress %v/%v %s", r.Params.Progress, r.Params.Total, r.Params.Message)
		},
	})
	c.AddRoots(&mcp.Root{URI: rootURI, Name: rootName})
	session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	return &goSDK{session, received}
}

func (c *goSDK) close() error     { return c.Close() }
func (c *goSDK) revision() string { return c.InitializeResult().ProtocolVersion }

func (c *goSDK) tools(ctx context.Context) ([]string, error) {
	return collect(c.Tools(ctx, nil), func(e *mcp.Tool) string { return e.Name })
}

func (c *goSDK) prompts(ctx context.Context) ([]string, error) {
	return collect(c.Prompts(ctx, nil), func(e *mcp.Prompt) string { return e.Name })
}

func (c *goSDK) resources(ctx context.Context) ([]string, error) {
	return collect(c.Resources(ctx, nil), func(e *mcp.Resource) string { return e.URI })
}

func (c *goSDK) templates(ctx context.Context) ([]string, error) {
	return collect(c.ResourceTemplates(ctx, nil), func(e *mcp.ResourceTemplate) string { return e.URITemplate })
}

func (c *goSDK) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	params := &mcp.CallToolParams{Name: tool, Meta: mcp.Meta{"progressToken": tool}}
	if args != nil { // a nil map would be sent as null, which the schema does not allow
		params.Arguments = args
	}
	if c.revision() >= "2026-07-28" {
		params.Meta[mcp.MetaKeyLogLevel] = "info"
	}
	res, err := c.CallTool(ctx, params)
	if err != nil {
		return result{}, err
	}
	r := result{failed: res.IsError}
	for _, content := range res.Content {
		r.text += content.(*mcp.TextContent).Text
	}
	return r.with(res.StructuredContent)
}

func (c *goSDK) read(ctx context.Context, uri string) (string, []byte, error) {
	res, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", nil, err
	}
	if len(res.Contents) != 1 || res.Contents[0].URI != uri {
		return "", nil, fmt.Errorf("got %d contents", len(res.Contents))
	}
	return res.Contents[0].Text, res.Contents[0].Blob, nil
}

func (c *goSDK) prompt(ctx context.Context, name string, args map[string]string) (messages []string, err error) {
	res, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return nil, err
	}
	for _, m := range res.Messages {
		switch content := m.Content.(type) {
		case *mcp.TextContent:
			messages = append(messages, fmt.Sprintf("%s: %s", m.Role, content.Text))
		case *mcp.EmbeddedResource:
			messages = append(messages, fmt.Sprintf("%s: resource %s: %s", m.Role, content.Resource.URI, content.Resource.Text))
		}
	}
	return messages, nil
}

func (c *goSDK) complete(ctx context.Context, kind, ref, argument, typed string, chosen map[string]string) ([]string, error) {
	params := &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: kind},
		Argument: mcp.CompleteParamsArgument{Name: argument, Value: typed},
	}
	if kind == "ref/prompt" {
		params.Ref.Name = ref
	} else {
		params.Ref.URI = ref
	}
	if chosen != nil {
		params.Context = &mcp.CompleteContext{Arguments: chosen}
	}
	res, err := c.Complete(ctx, params)
	if err != nil {
		return nil, err
	}
	return res.Completion.Values, nil
}

func (c *goSDK) logs(ctx context.Context) error {
	if c.revision() >= "2026-07-28" {
		return nil
	}
	return c.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "info"})
}

func (c *goSDK) subscribe(ctx context.Context) error {
	return c.Subscribe(ctx, &mcp.SubscribeParams{URI: "note://today"})
}

func (c *goSDK) unsubscribe(ctx context.Context) error {
	return c.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: "note://today"})
}
