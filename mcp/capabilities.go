package mcp

import (
	"encoding/json"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Implementation is the name and version with which a client or server identifies its
// software.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Title is shown to people. It is sent to peers of revision 2025-06-18 and later.
	Title string `json:"title,omitempty"`
	// Description, WebsiteURL and Icons are sent to peers of revision 2025-11-25 and later.
	Description string `json:"description,omitempty"`
	WebsiteURL  string `json:"websiteUrl,omitempty"`
	Icons       []Icon `json:"icons,omitempty"`
}

func (i *Implementation) append(b []byte, rev revision.Revision) []byte {
	b = append(b, '{')
	b = wire.Field(b, "name", i.Name)
	b = wire.Field(b, "version", i.Version)
	if rev.HasTitle() {
		b = wire.Optional(b, "title", i.Title)
	}
	if rev.HasIcons() {
		b = wire.Optional(b, "description", i.Description)
		b = wire.Optional(b, "websiteUrl", i.WebsiteURL)
		b = appendIcons(b, i.Icons, rev)
	}
	return append(b, '}')
}

// read decodes data into i. It returns false if data is not an object with name
// and version.
func (i *Implementation) read(data []byte) bool {
	var required struct {
		Name    *string `json:"name"`
		Version *string `json:"version"`
	}
	return len(data) > 0 && decode(data, &required) == nil && required.Name != nil && required.Version != nil && decode(data, i) == nil
}

// ClientCapabilities are the optional features that a client supports. A nil
// member means that the client does not support the feature.
type ClientCapabilities struct {
	Roots        *RootsCapability           `json:"roots,omitempty"`
	Sampling     *SamplingCapability        `json:"sampling,omitempty"`
	Elicitation  *ElicitationCapability     `json:"elicitation,omitempty"`
	Experimental map[string]json.RawMessage `json:"experimental,omitempty"`
	// Extensions maps an extension's identifier to its settings.
	Extensions map[string]json.RawMessage `json:"extensions,omitempty"`
}

// RootsCapability means that the client can list its roots.
type RootsCapability struct {
	ListChanged bool `json:"listChanged,omitempty"`
}

// SamplingCapability means that the client can generate a message with a model.
type SamplingCapability struct {
	Context json.RawMessage `json:"context,omitempty"` // not nil if includeContext is supported
	Tools   json.RawMessage `json:"tools,omitempty"`   // not nil if tools may be offered to the model
}

// ElicitationCapability means that the client can ask its user. If both members are nil, the client
// can show forms.
type ElicitationCapability struct {
	Form json.RawMessage `json:"form,omitempty"`
	URL  json.RawMessage `json:"url,omitempty"`
}
