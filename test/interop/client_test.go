package interop

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// ours is the client of package mcp.
type ours struct {
	*mcp.Client
	received     events
	subscription *mcp.Subscription
}

// newOurs connects the client. If the revision is empty, client and server negotiate one.
func newOurs(t *testing.T, transport mcp.Transport, revision string) *ours {
	t.Helper()
	received := newEvents()
	opts := &mcp.ClientOptions{
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: rootURI, Name: rootName}}, nil },
		Sample: func(_ context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
			return &mcp.SamplingResult{Role: mcp.RoleAssistant, Model: model, Content: s.Messages[0].Content}, nil
		},
		ElicitForm: func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			content, err := json.Marshal(map[string]string{"name": name(e.Message)})
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: content}, err
		},
		ElicitURL: func(_ context.Context, e *mcp.Elicitation) (mcp.Action, error) {
			received.addf("sent to %s", e.URL)
			return mcp.ActionAccept, nil
		},
		Log: func(m mcp.LogMessage) {
			var data any
			if json.Unmarshal(m.Data, &data) != nil {
				data = m.Data
			}
			received.addf("log %s %s: %v", m.Level, m.Logger, data)
		},
	}
	if revision != "" {
		opts.Revisions = []string{revision}
	}
	c, err := mcp.Connect(t.Context(), transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &ours{Client: c, received: received}
}

func (c *ours) revision() string { return c.Server().Revision }
func (c *ours) close() error     { return c.Close() }

func collect[T any](list iter.Seq2[T, error], key func(T) string) (keys []string, err error) {
	for entry, err := range list {
		if err != nil {
			return nil, err
		}
		keys = append(keys, key(entry))
	}
	return keys, nil
}

func (c *ours) tools(ctx context.Context) ([]string, error) {
	return collect(c.Tools(ctx), func(t *mcp.Tool) string { return t.Name })
}

func (c *ours) prompts(ctx context.Context) ([]string, error) {
	return collect(c.Prompts(ctx), func(p *mcp.Prompt) string { return p.Name })
}

func (c *ours) resources(ctx context.Context) ([]string, error) {
	return collect(c.Resources(ctx), func(r *mcp.Resource) string { return r.URI })
}

func (c *ours) templates(ctx context.Context) ([]string, error) {
	return collect(c.ResourceTemplates(ctx), func(t *mcp.ResourceTemplate) string { return t.URITemplate })
}

func (c *ours) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	res, err := c.CallTool(ctx, tool, args, &mcp.CallOptions{Progress: func(p mcp.Progress) {
		c.received.addf("progress %v/%v %s", p.Progress, p.Total, p.Message)
	}})
	if err != nil {
		return result{}, err
	}
	out := result{failed: res.IsError}
	for _, content := range res.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			out.text += text.Text
		}
	}
	return out.with(res.Structured)
}

func (c *ours) read(ctx context.Context, uri string) (string, []byte, error) {
	res, err := c.ReadResource(ctx, uri, nil)
	if err != nil {
		return "", nil, err
	}
	if len(res.Contents) != 1 {
		return "", nil, fmt.Errorf("got %d contents", len(res.Contents))
	}
	return res.Contents[0].Text, res.Contents[0].Blob, nil
}

func (c *ours) prompt(ctx context.Context, name string, args map[string]string) (messages []string, err error) {
	res, err := c.GetPrompt(ctx, name, args, nil)
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

func (c *ours) complete(ctx context.Context, kind, ref, argument, typed string, chosen map[string]string) ([]string, error) {
	complete := c.CompletePrompt
	if kind == "ref/resource" {
		complete = c.CompleteTemplate
	}
	res, err := complete(ctx, ref, argument, typed, chosen)
	return res.Values, err
}

// logs does nothing, because Connect has already requested logs.
func (c *ours) logs(context.Context) error { return nil }

func (c *ours) subscribe(ctx context.Context) error {
	s, err := c.Subscribe(ctx, mcp.Filter{Tools: true, Prompts: true, Resources: true, URIs: []string{"note://today"}})
	if err != nil {
		return err
	}
	c.subscription = s
	go func() {
		for {
			change, err := s.Next(context.Background())
			switch {
			case err != nil:
				return
			case change.Kind == mcp.ChangeResource:
				c.received.addf("updated %s", change.URI)
			default:
				c.received.addf("changed %s", change.Kind)
			}
		}
	}()
	return nil
}

func (c *ours) unsubscribe(context.Context) error {
	c.subscription.Close()
	return nil
}
