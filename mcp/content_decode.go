package mcp

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// contentWire contains the members of all types of content blocks.
type contentWire struct {
	Type        string           `json:"type"`
	Text        *string          `json:"text"`
	Data        *string          `json:"data"`
	MIMEType    string           `json:"mimeType"`
	URI         string           `json:"uri"`
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Size        int64            `json:"size"`
	Icons       []Icon           `json:"icons"`
	Resource    *resourceWire    `json:"resource"`
	ID          string           `json:"id"`
	Input       json.RawMessage  `json:"input"`
	ToolUseID   string           `json:"toolUseId"`
	Content     jsonValue        `json:"content"`
	Structured  json.RawMessage  `json:"structuredContent"`
	IsError     bool             `json:"isError"`
	Annotations *annotationsWire `json:"annotations"`
	Meta        map[string]any   `json:"_meta"`
}

type resourceWire struct {
	URI      string         `json:"uri"`
	MIMEType string         `json:"mimeType"`
	Text     *string        `json:"text"`
	Blob     *string        `json:"blob"`
	Meta     map[string]any `json:"_meta"`
}

// annotationsWire holds lastModified as text, because peers write more forms of ISO 8601 than
// time.Time can decode.
type annotationsWire struct {
	Audience     []Role   `json:"audience"`
	Priority     *float64 `json:"priority"`
	LastModified string   `json:"lastModified"`
}

func (a *annotationsWire) annotations() *Annotations {
	if a == nil {
		return nil
	}
	modified, _ := time.Parse(time.RFC3339, a.LastModified)
	return &Annotations{Audience: a.Audience, Priority: a.Priority, LastModified: modified}
}

// decodeContents returns the blocks in data, which is one content block or an
// array of them.
func decodeContents(data []byte) ([]Content, error) {
	blocks := []jsonValue{data}
	if jsonrpc.IsBatch(data) {
		blocks = nil
		if err := decode(data, &blocks); err != nil {
			return nil, errors.New("content is malformed")
		}
	}
	var contents []Content
	for _, block := range blocks {
		c, err := decodeContent(block)
		if err != nil {
			return nil, err
		}
		contents = append(contents, c)
	}
	return contents, nil
}

func decodeContent(data []byte) (Content, error) {
	var w contentWire
	if err := decode(data, &w); err != nil {
		return nil, errors.New("a content block is malformed")
	}
	a, meta := w.Annotations.annotations(), Meta(w.Meta)
	switch w.Type {
	case "text":
		if w.Text == nil {
			return nil, errors.New("a text block has no text")
		}
		return &TextContent{Text: *w.Text, Annotations: a, Meta: meta}, nil
	case "image", "audio":
		if w.Data == nil || w.MIMEType == "" {
			return nil, fmt.Errorf("an %s block needs data and mimeType", w.Type)
		}
		data, err := base64.StdEncoding.DecodeString(*w.Data)
		if err != nil {
			return nil, fmt.Errorf("the data of an %s block is not base64", w.Type)
		}
		if w.Type == "image" {
			return &ImageContent{Data: data, MIMEType: w.MIMEType, Annotations: a, Meta: meta}, nil
		}
		return &AudioContent{Data: data, MIMEType: w.MIMEType, Annotations: a, Meta: meta}, nil
	case "resource_link":
		return &ResourceLink{URI: w.URI, Name: w.Name, Title: w.Title, Description: w.Description,
			MIMEType: w.MIMEType, Size: w.Size, Icons: safeIcons(w.Icons), Annotations: a, Meta: meta}, nil
	case "resource":
		if w.Resource == nil {
			return nil, errors.New("a resource block has no resource")
		}
		contents, err := w.Resource.contents()
		if err != nil {
			return nil, err
		}
		return &EmbeddedResource{Resource: contents, Annotations: a, Meta: meta}, nil
	case "tool_use":
		if w.ID == "" || w.Name == "" {
			return nil, errors.New("a tool_use block needs id and name")
		}
		return &ToolUseContent{ID: w.ID, Name: w.Name, Input: w.Input, Meta: meta}, nil
	case "tool_result":
		inner, err := decodeContents(w.Content)
		if len(w.Content) == 0 {
			inner, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
		return &ToolResultContent{ToolUseID: w.ToolUseID, Content: inner, Structured: w.Structured, IsError: w.IsError, Meta: meta}, nil
	}
	return nil, fmt.Errorf("content of type %q is not known", clip(w.Type, 32))
}

func (w *resourceWire) contents() (ResourceContents, error) {
	r := ResourceContents{URI: w.URI, MIMEType: w.MIMEType, Meta: w.Meta}
	switch {
	case w.Blob != nil:
		data, err := base64.StdEncoding.DecodeString(*w.Blob)
		if err != nil {
			return r, errors.New("the blob of a resource is not base64")
		}
		if r.Blob = data; data == nil {
			r.Blob = []byte{}
		}
	case w.Text != nil:
		r.Text = *w.Text
	default:
		return r, errors.New("a resource has neither text nor blob")
	}
	return r, nil
}

// decodeToolResult reads a tools/call result from another server.
func decodeToolResult(raw []byte) (*CallToolResult, error) {
	var w struct {
		Content    jsonValue      `json:"content"`
		Structured jsonValue      `json:"structuredContent"`
		IsError    bool           `json:"isError"`
		ResultType string         `json:"resultType"`
		Meta       map[string]any `json:"_meta"`
	}
	if err := decode(raw, &w); err != nil {
		return nil, errors.New("the raw result is malformed")
	}
	if w.ResultType != "" && w.ResultType != "complete" {
		return nil, fmt.Errorf("the raw result is not complete: its resultType is %q", clip(w.ResultType, 32))
	}
	res := &CallToolResult{IsError: w.IsError, Meta: w.Meta}
	if len(w.Structured) > 0 {
		res.Structured = json.RawMessage(w.Structured)
	}
	if len(w.Content) > 0 {
		var err error
		if res.Content, err = decodeContents(w.Content); err != nil {
			return nil, fmt.Errorf("the raw result: %w", err)
		}
	}
	return res, nil
}
