package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp"
)

// Settings are the settings with which a client declares that it shows views:
//
//	&mcp.ClientOptions{Extensions: map[string]any{apps.ID: apps.Settings()}}
func Settings() any { return map[string]any{"mimeTypes": []string{MIMEType}} }

// A ToolLink is the link of a tool to a view.
type ToolLink struct {
	// URI is the URI of the view, or "" if the tool has none.
	URI string
	// Model says that the model can call the tool, and View that views of the same server can.
	// A host must not show a tool to the model without Model.
	Model, View bool
}

// LinkOf returns the link of a tool that a client has listed. A tool without one has no view, and all can call it. A link
// that is malformed counts as none, except that nobody can call a tool whose visibility is malformed.
func LinkOf(t *mcp.Tool) ToolLink {
	link := ToolLink{Model: true, View: true}
	var meta struct {
		UI struct {
			URI        *string          `json:"resourceUri"`
			Visibility *json.RawMessage `json:"visibility"`
		} `json:"ui"`
		Old string `json:"ui/resourceUri"`
	}
	encoded, err := json.Marshal(t.Meta)
	if err != nil {
		return link
	}
	_ = json.Unmarshal(encoded, &meta) // fields that are malformed stay empty
	link.URI = meta.Old
	if meta.UI.URI != nil {
		link.URI = *meta.UI.URI
	}
	if !strings.HasPrefix(link.URI, scheme) {
		link.URI = ""
	}
	if meta.UI.Visibility != nil {
		var list []Visibility
		_ = json.Unmarshal(*meta.UI.Visibility, &list)
		link.Model, link.View = slices.Contains(list, ForModel), slices.Contains(list, ForView)
	}
	return link
}

// Read reads a view of the server. It is an error if the page has another MIME type, or if the view asks for a host
// that a policy cannot name.
func Read(ctx context.Context, c *mcp.Client, uri string) (*View, error) {
	if !strings.HasPrefix(uri, scheme) {
		return nil, fmt.Errorf("view %q: the URI must begin with %s", clip(uri), scheme)
	}
	result, err := c.ReadResource(ctx, uri, nil)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(result.Contents, func(c mcp.ResourceContents) bool { return c.URI == uri })
	if i < 0 {
		return nil, fmt.Errorf("view %q: the server has sent the contents of another resource", clip(uri))
	}
	contents := result.Contents[i]
	if mime := strings.ReplaceAll(strings.ToLower(contents.MIMEType), " ", ""); mime != MIMEType {
		return nil, fmt.Errorf("view %q: the MIME type is %q instead of %s", clip(uri), clip(contents.MIMEType), MIMEType)
	}
	v := &View{URI: uri, HTML: contents.Text, Caching: result.Caching}
	if contents.Blob != nil {
		if !utf8.Valid(contents.Blob) {
			return nil, fmt.Errorf("view %q: the page is not UTF-8", clip(uri))
		}
		v.HTML = string(contents.Blob)
	}
	if value, ok := contents.Meta[metaKey]; ok {
		encoded, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(encoded, &v.Metadata)
		}
		if err != nil {
			return nil, fmt.Errorf("view %q: _meta.ui is malformed", clip(uri))
		}
	}
	if err := v.check(); err != nil {
		return nil, fmt.Errorf("view %q: %w", clip(uri), err)
	}
	return v, nil
}
