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

// A ToolLink is a tool's link to a view.
type ToolLink struct {
	// URI is the URI of the view, or "" if the tool has none.
	URI string
	// Model is true if the model can call the tool, and View is true if views from the same
	// server can. A host must not show a tool to the model if Model is false.
	Model, View bool
}

// LinkOf returns the link of a tool that a client has listed. A tool without a link has no view,
// and can be called by the model and by views. A malformed link is ignored, but a tool whose
// visibility is malformed cannot be called at all.
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
	_ = json.Unmarshal(encoded, &meta) // malformed fields are left empty
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

// Read reads a view from the server. It returns an error if the page has a different MIME type, or
// if its CSP contains a host that is not valid in a Content-Security-Policy.
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
