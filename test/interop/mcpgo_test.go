package interop

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// TestMCPGo tests our server with the client from mcp-go.
func TestMCPGo(t *testing.T) {
	transports := map[string]func(t *testing.T, revision string) transport.Interface{
		"stdio": func(*testing.T, string) transport.Interface { return transport.NewStdio(server, nil, "-stdio") },
		"Streamable HTTP": func(t *testing.T, revision string) transport.Interface {
			var opts []transport.StreamableHTTPCOption
			if revision < "2026-07-28" {
				opts = append(opts, transport.WithContinuousListening())
			}
			return must(transport.NewStreamableHTTP(serveHTTP(t)+"/mcp", opts...))(t)
		},
		"HTTP+SSE": func(t *testing.T, _ string) transport.Interface {
			return must(transport.NewSSE(serveHTTP(t) + "/sse"))(t)
		},
	}
	for name, connect := range transports {
		for _, revision := range revisions {
			t.Run(name+" "+revision, func(t *testing.T) {
				t.Parallel()
				c := newMCPGo(t, connect(t, revision), revision)
				exercise(t, c, c.received, revision, c.lacks(name))
			})
		}
	}
}

func TestMCPGoChoosesTheNewestRevision(t *testing.T) {
	c := newMCPGo(t, transport.NewStdio(server, nil, "-stdio"), "")
	equal(t, "the revision", c.revision(), c.close(), "2026-07-28")
}

func (c *mcpGo) lacks(transport string) lacks {
	l := lacks{}
	if transport == "HTTP+SSE" || transport != "stdio" && !c.modern() {
		l["cancels a call"] = "mcp-go does not tell the server of it over this transport"
	}
	if transport == "HTTP+SSE" && !c.modern() {
		for _, step := range []string{"answers sampling", "answers elicitation", "is sent to a page", "tells its roots"} {
			l[step] = "mcp-go does not answer requests over HTTP+SSE"
		}
	}
	return l
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

type mcpGo struct {
	*client.Client
	received events
	stop     func() // ends the subscription in revision 2026-07-28
}

// asked answers the server's requests.
type asked struct{ received events }

func (asked) CreateMessage(_ context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	return &mcp.CreateMessageResult{
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: r.Messages[0].Content},
		Model:           model,
	}, nil
}

func (a asked) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if r.Params.URL != "" {
		a.received.addf("sent to %s", r.Params.URL)
		return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept}}, nil
	}
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action:  mcp.ElicitationResponseActionAccept,
		Content: map[string]any{"name": name(r.Params.Message)},
	}}, nil
}

func (asked) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: rootURI, Name: rootName}}}, nil
}

func newMCPGo(t *testing.T, tr transport.Interface, revision string) *mcpGo {
	received := newEvents()
	c := client.NewClient(tr, client.WithProtocolVersion(revision),
		client.WithSamplingHandler(asked{}), client.WithElicitationHandler(asked{received}), client.WithRootsHandler(asked{}),
		client.WithClientCapabilities(mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapability{Form: new(struct{}), URL: new(struct{})},
		}))
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		p := n.Params.AdditionalFields
		switch n.Method {
		case "notifications/progress":
			message, _ := p["message"].(string)
			received.addf("progress %v/%v %s", p["progress"], p["total"], message)
		case "notifications/message":
			received.addf("log %v %v: %v", p["level"], p["logger"], p["data"])
		case "notifications/resources/updated":
			received.addf("updated %v", p["uri"])
		case "notifications/tools/list_changed":
			received.addf("changed tools")
		case "notifications/prompts/list_changed":
			received.addf("changed prompts")
		case "notifications/resources/list_changed":
			received.addf("changed resources")
		default:
			received.addf("%s", n.Method)
		}
	})
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var r mcp.InitializeRequest
	r.Params.ClientInfo = mcp.Implementation{Name: "mcp-go", Version: "1.2.1"}
	if _, err := c.Initialize(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return &mcpGo{Client: c, received: received}
}

func (c *mcpGo) close() error {
	if c.stop != nil {
		c.stop()
	}
	return c.Close()
}

func (c *mcpGo) revision() string { return c.ProtocolVersion() }
func (c *mcpGo) modern() bool     { return c.revision() >= "2026-07-28" }

func keys[T any](list []T, key func(T) string) (keys []string) {
	for _, entry := range list {
		keys = append(keys, key(entry))
	}
	return keys
}

func (c *mcpGo) tools(ctx context.Context) ([]string, error) {
	res, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	return keys(res.Tools, func(e mcp.Tool) string { return e.Name }), nil
}

func (c *mcpGo) prompts(ctx context.Context) ([]string, error) {
	res, err := c.ListPrompts(ctx, mcp.ListPromptsRequest{})
	if err != nil {
		return nil, err
	}
	return keys(res.Prompts, func(e mcp.Prompt) string { return e.Name }), nil
}

func (c *mcpGo) resources(ctx context.Context) ([]string, error) {
	res, err := c.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil {
		return nil, err
	}
	return keys(res.Resources, func(e mcp.Resource) string { return e.URI }), nil
}

func (c *mcpGo) templates(ctx context.Context) ([]string, error) {
	res, err := c.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil {
		return nil, err
	}
	return keys(res.ResourceTemplates, func(e mcp.ResourceTemplate) string { return e.URITemplate.Raw() }), nil
}

func (c *mcpGo) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	var r mcp.CallToolRequest
	r.Params.Name = tool
	if args != nil { // a nil map would be sent as null, which the schema does not allow
		r.Params.Arguments = args
	}
	r.Params.Meta = &mcp.Meta{ProgressToken: tool}
	res, err := c.CallTool(ctx, r)
	if err != nil {
		return result{}, err
	}
	out := result{failed: res.IsError}
	for _, content := range res.Content {
		out.text += content.(mcp.TextContent).Text
	}
	return out.with(res.StructuredContent)
}

func (c *mcpGo) read(ctx context.Context, uri string) (string, []byte, error) {
	var r mcp.ReadResourceRequest
	r.Params.URI = uri
	res, err := c.ReadResource(ctx, r)
	if err != nil {
		return "", nil, err
	}
	if len(res.Contents) != 1 {
		return "", nil, fmt.Errorf("got %d contents", len(res.Contents))
	}
	switch content := res.Contents[0].(type) {
	case mcp.TextResourceContents:
		return content.Text, nil, nil
	case mcp.BlobResourceContents:
		blob, err := base64.StdEncoding.DecodeString(content.Blob)
		return "", blob, err
	}
	return "", nil, errors.New("the contents are neither text nor blob")
}

func (c *mcpGo) prompt(ctx context.Context, name string, args map[string]string) (messages []string, err error) {
	var r mcp.GetPromptRequest
	r.Params.Name, r.Params.Arguments = name, args
	res, err := c.GetPrompt(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, m := range res.Messages {
		switch content := m.Content.(type) {
		case mcp.TextContent:
			messages = append(messages, fmt.Sprintf("%s: %s", m.Role, content.Text))
		case mcp.EmbeddedResource:
			resource := content.Resource.(mcp.TextResourceContents)
			messages = append(messages, fmt.Sprintf("%s: resource %s: %s", m.Role, resource.URI, resource.Text))
		}
	}
	return messages, nil
}

func (c *mcpGo) complete(ctx context.Context, kind, ref, argument, typed string, chosen map[string]string) ([]string, error) {
	var r mcp.CompleteRequest
	r.Params.Ref = mcp.ResourceReference{Type: kind, URI: ref}
	if kind == "ref/prompt" {
		r.Params.Ref = mcp.PromptReference{Type: kind, Name: ref}
	}
	r.Params.Argument = mcp.CompleteArgument{Name: argument, Value: typed}
	r.Params.Context.Arguments = chosen
	res, err := c.Complete(ctx, r)
	if err != nil {
		return nil, err
	}
	return res.Completion.Values, nil
}

func (c *mcpGo) logs(ctx context.Context) error {
	var r mcp.SetLevelRequest
	r.Params.Level = mcp.LoggingLevelInfo
	return c.SetLevel(ctx, r)
}

// subscribe also subscribes to list changes, because the client does not do that itself in revision
// 2026-07-28.
func (c *mcpGo) subscribe(ctx context.Context) error {
	if c.modern() {
		stop, err := c.ListenAsync(ctx, mcp.SubscriptionFilter{
			ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true,
			ResourceSubscriptions: []string{"note://today"},
		}, func(err error) { c.received.addf("subscription failed: %v", err) })
		c.stop = stop
		if err == nil {
			err = c.received.find(ctx, "notifications/subscriptions/acknowledged")
		}
		return err
	}
	var r mcp.SubscribeRequest
	r.Params.URI = "note://today"
	return c.Subscribe(ctx, r)
}

func (c *mcpGo) unsubscribe(ctx context.Context) error {
	if c.modern() {
		return nil // the client is closing
	}
	var r mcp.UnsubscribeRequest
	r.Params.URI = "note://today"
	return c.Unsubscribe(ctx, r)
}
