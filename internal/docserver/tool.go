package docserver

import (
	"context"
	"encoding/json"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/mcp"
)

// readOnly annotates tools that change nothing. Without a hint, a tool is assumed to interact with
// the outside world, such as registries.
var readOnly = &mcp.ToolAnnotations{ReadOnly: true}

// tool is a tool with its arguments.
type tool struct {
	name, description string
	arguments         []argument
}

// structured is an answer for hosts that show structured content to models
// instead of text.
type structured struct {
	Packages []answer.About `json:"packages" jsonschema:"the packages that the answer is about, with what determined their versions"`
	Text     string         `json:"text" jsonschema:"the answer as Markdown"`
}

// ToolContent implements mcp.ContentProvider.
func (s structured) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(s.Text)} }

// addTool adds a tool that answers with text, and with structured content if the server's options
// request it.
func addTool[In question](s *server, m *mcp.Server, t tool, handle func(context.Context, *mcp.Request, In) (*answer.Answer, error)) error {
	described := mcp.Tool{
		Name: t.name, Description: t.description, Annotations: readOnly, InputSchema: schemaOf(t.arguments...),
		Repair: func(args json.RawMessage) json.RawMessage { return repair(args, t.arguments) },
	}
	handle = log(s, t.name, handle)
	if s.structured {
		return mcp.AddTool(m, described, func(ctx context.Context, req *mcp.Request, in In) (structured, error) {
			a, err := handle(ctx, req, in)
			if err != nil {
				return structured{}, err
			}
			return structured{a.Packages, a.Text}, nil
		})
	}
	return mcp.AddTool(m, described, func(ctx context.Context, req *mcp.Request, in In) (string, error) {
		a, err := handle(ctx, req, in)
		if err != nil {
			return "", err
		}
		return a.Text, nil
	})
}
