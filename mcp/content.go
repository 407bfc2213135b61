package mcp

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Content is one block of a tool's result or a prompt's message:
// *TextContent, *ImageContent, *AudioContent, *ResourceLink or
// *EmbeddedResource. Messages for sampling cannot contain resources, but can contain
// *ToolUseContent and *ToolResultContent.
type Content interface {
	// appendContent appends the block as JSON for rev, converted if rev does not support the type.
	appendContent(b []byte, rev revision.Revision) []byte
}

// Meta contains additional properties under "_meta". Keys follow the rules of the specification
// (Base Protocol, _meta): an optional reverse-DNS prefix ended by a slash, then a name. Prefixes in
// which "mcp" or "modelcontextprotocol" is the second label, such as "io.modelcontextprotocol/",
// are reserved for the protocol and its official extensions. Revision 2025-06-18 also reserves
// prefixes in which either is the second-to-last label. Values must be encodable as JSON.
type Meta map[string]any

// A Role is the author of a message, or the audience of content.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

func isRole(r Role) bool { return r == RoleUser || r == RoleAssistant }

// Annotations are hints to a client about how to use content or a resource.
type Annotations struct {
	// Audience lists the roles that should see the content; empty means that the server does not say.
	Audience []Role `json:"audience,omitempty"`
	// Priority is between 0 (optional) and 1 (required); nil if not specified.
	Priority *float64 `json:"priority,omitempty"`
	// LastModified is sent to peers of revision 2025-06-18 and later.
	LastModified time.Time `json:"lastModified,omitzero"`
}

// TextContent is a content block of text.
type TextContent struct {
	Text        string
	Annotations *Annotations
	Meta        Meta
}

// Text returns a TextContent without annotations.
func Text(text string) *TextContent { return &TextContent{Text: text} }

// Textf returns a TextContent formatted by fmt.Sprintf.
func Textf(format string, args ...any) *TextContent {
	return &TextContent{Text: fmt.Sprintf(format, args...)}
}

// ImageContent is a content block with an image.
type ImageContent struct {
	Data        []byte // bytes of the image file; encoded as base64 in messages
	MIMEType    string // such as "image/png"
	Annotations *Annotations
	Meta        Meta
}

// AudioContent is a content block with sound. Peers of revision 2024-11-05 receive a text block
// instead, which mentions the audio.
type AudioContent struct {
	Data        []byte // bytes of the audio file; encoded as base64 in messages
	MIMEType    string // such as "audio/wav"
	Annotations *Annotations
	Meta        Meta
}

// ResourceLink refers to a resource that the client can read. Peers of revisions before 2025-06-18
// receive a text block with the name and URI instead.
type ResourceLink struct {
	URI         string
	Name        string
	Title       string
	Description string
	MIMEType    string
	Size        int64 // in bytes; 0 means unknown
	Icons       []Icon
	Annotations *Annotations
	Meta        Meta
}

// EmbeddedResource contains the contents of a resource within a result.
type EmbeddedResource struct {
	Resource    ResourceContents
	Annotations *Annotations
	Meta        Meta
}

// ResourceContents contains the contents of a resource. These are Blob if it is not nil, and
// otherwise Text. Text that is not UTF-8 is sent as a blob.
type ResourceContents struct {
	URI      string
	MIMEType string
	Text     string
	Blob     []byte
	Meta     Meta
}

// An Icon is an image that a client can show next to a name. Icons are sent to peers of revision
// 2025-11-25 and later.
type Icon struct {
	// Source is an http, https or data URI.
	Source   string `json:"src"`
	MIMEType string `json:"mimeType,omitempty"`
	// Sizes are the sizes of the image, such as "48x48", or "any" for a scalable format.
	Sizes []string `json:"sizes,omitempty"`
	// Theme is "light" or "dark". It specifies the background for which the icon is designed.
	Theme string `json:"theme,omitempty"`
}

func (c *TextContent) appendContent(b []byte, rev revision.Revision) []byte {
	b = append(b, `{"type":"text","text":`...)
	b = wire.String(b, c.Text)
	return appendContentEnd(b, c.Annotations, c.Meta, rev)
}

func (c *ImageContent) appendContent(b []byte, rev revision.Revision) []byte {
	return appendMedia(b, "image", c.Data, c.MIMEType, c.Annotations, c.Meta, rev)
}

func (c *AudioContent) appendContent(b []byte, rev revision.Revision) []byte {
	if !rev.HasAudio() {
		t := Textf("[audio, %s, %d bytes: this client's protocol revision cannot receive it]", c.MIMEType, len(c.Data))
		t.Annotations = c.Annotations
		return t.appendContent(b, rev)
	}
	return appendMedia(b, "audio", c.Data, c.MIMEType, c.Annotations, c.Meta, rev)
}

func appendMedia(b []byte, kind string, data []byte, mime string, a *Annotations, meta Meta, rev revision.Revision) []byte {
	b = append(b, `{"type":"`...)
	b = append(b, kind...)
	b = append(b, `","data":`...)
	b = wire.Base64(b, data)
	b = wire.Field(b, "mimeType", mime)
	return appendContentEnd(b, a, meta, rev)
}

func (c *ResourceLink) appendContent(b []byte, rev revision.Revision) []byte {
	if !rev.HasResourceLink() {
		text := c.Name + ": " + c.URI
		if c.Description != "" {
			text += "\n" + c.Description
		}
		t := TextContent{Text: text, Annotations: c.Annotations}
		return t.appendContent(b, rev)
	}
	b = append(b, `{"type":"resource_link","uri":`...)
	b = wire.String(b, c.URI)
	b = wire.Field(b, "name", c.Name)
	b = wire.Optional(b, "title", c.Title)
	b = wire.Optional(b, "description", c.Description)
	b = wire.Optional(b, "mimeType", c.MIMEType)
	if c.Size > 0 {
		b = wire.Int(b, "size", c.Size)
	}
	b = appendIcons(b, c.Icons, rev)
	return appendContentEnd(b, c.Annotations, c.Meta, rev)
}

func (c *EmbeddedResource) appendContent(b []byte, rev revision.Revision) []byte {
	b = append(b, `{"type":"resource","resource":`...)
	b = c.Resource.append(b, rev)
	return appendContentEnd(b, c.Annotations, c.Meta, rev)
}

func (r *ResourceContents) append(b []byte, rev revision.Revision) []byte {
	b = append(b, `{"uri":`...)
	b = wire.String(b, r.URI)
	b = wire.Optional(b, "mimeType", r.MIMEType)
	switch {
	case r.Blob != nil:
		b = wire.Base64(wire.Name(b, "blob"), r.Blob)
	case !utf8.ValidString(r.Text):
		b = wire.Base64(wire.Name(b, "blob"), []byte(r.Text))
	default:
		b = wire.Field(b, "text", r.Text)
	}
	if rev.HasContentMeta() {
		b = appendMeta(b, r.Meta)
	}
	return append(b, '}')
}

// appendContentEnd appends the members that all types of blocks have in common, and closes the
// object.
func appendContentEnd(b []byte, a *Annotations, meta Meta, rev revision.Revision) []byte {
	b = appendAnnotations(b, a, rev)
	if rev.HasContentMeta() {
		b = appendMeta(b, meta)
	}
	return append(b, '}')
}

func appendAnnotations(b []byte, a *Annotations, rev revision.Revision) []byte {
	if a == nil {
		return b
	}
	b = append(wire.Name(b, "annotations"), '{')
	if slices.ContainsFunc(a.Audience, isRole) {
		b = append(wire.Name(b, "audience"), '[')
		for _, r := range a.Audience {
			if isRole(r) {
				b = wire.String(wire.Comma(b), string(r))
			}
		}
		b = append(b, ']')
	}
	if a.Priority != nil {
		b = wire.Float(wire.Name(b, "priority"), min(max(*a.Priority, 0), 1))
	}
	if !a.LastModified.IsZero() && rev.HasLastModified() {
		b = wire.Field(b, "lastModified", a.LastModified.UTC().Format(time.RFC3339))
	}
	return append(b, '}')
}

// checkIcons returns an error for an icon that clients must refuse
// (specification 2025-11-25: Base Protocol, Icons).
func checkIcons(icons []Icon) error {
	for _, icon := range icons {
		scheme, _, _ := strings.Cut(icon.Source, ":")
		switch strings.ToLower(scheme) {
		case "http", "https", "data":
		default:
			return fmt.Errorf("the source of an icon must be an http, https or data URI, not %q", clip(icon.Source, 128))
		}
		if err := checkURISyntax(icon.Source); err != nil {
			return fmt.Errorf("the source of an icon: %w", err)
		}
		if icon.Theme != "" && icon.Theme != "light" && icon.Theme != "dark" {
			return fmt.Errorf("the theme of an icon must be light or dark, not %q", clip(icon.Theme, 32))
		}
	}
	return nil
}

func appendIcons(b []byte, icons []Icon, rev revision.Revision) []byte {
	if len(icons) == 0 || !rev.HasIcons() {
		return b
	}
	b = append(wire.Name(b, "icons"), '[')
	for _, icon := range icons {
		b = append(wire.Comma(b), `{"src":`...)
		b = wire.String(b, icon.Source)
		b = wire.Optional(b, "mimeType", icon.MIMEType)
		if len(icon.Sizes) > 0 {
			b = append(wire.Name(b, "sizes"), '[')
			for _, size := range icon.Sizes {
				b = wire.String(wire.Comma(b), size)
			}
			b = append(b, ']')
		}
		b = wire.Optional(b, "theme", icon.Theme)
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendMeta appends "_meta" unless it is empty. It omits values that cannot be encoded. The Meta
// of an entry is checked when the entry is added, and a result should not fail because of its Meta.
func appendMeta(b []byte, meta Meta) []byte {
	if len(meta) == 0 {
		return b
	}
	return append(appendMetaMembers(append(wire.Name(b, "_meta"), '{'), meta), '}')
}

func appendMetaMembers(b []byte, meta Meta) []byte {
	for _, key := range sortedKeys(meta) {
		value, err := encode(meta[key])
		if err != nil {
			continue
		}
		b = wire.String(wire.Comma(b), key)
		b = append(b, ':')
		b = append(b, value...)
	}
	return b
}
