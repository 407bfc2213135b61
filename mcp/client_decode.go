package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// readToolResult reads the result of tools/call. The result does not share
// memory with raw.
func readToolResult(raw []byte) (*CallToolResult, error) {
	var content, structured, isError, meta []byte
	o := jsonrpc.ReadObject(raw)
	for o.Next() {
		switch string(o.Name) {
		case "content":
			content = o.Value
		case "structuredContent":
			structured = o.Value
		case "isError":
			isError = o.Value
		case "_meta":
			meta = o.Value
		}
	}
	var res *CallToolResult
	if text, ok := onlyText(content); ok {
		res = textResult(text)
	} else {
		res = new(CallToolResult)
		if content != nil {
			blocks, err := readContents(content)
			if err != nil {
				return nil, fmt.Errorf("the result: %w", err)
			}
			res.Content = blocks
		}
	}
	res.IsError = string(isError) == "true"
	if structured != nil {
		res.Structured = json.RawMessage(bytes.Clone(structured))
	}
	if meta != nil {
		if err := readMeta(meta, &res.Meta); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// readMeta reads _meta without the members that the protocol defines.
func readMeta(raw []byte, meta *Meta) error {
	if o := jsonrpc.ReadObject(raw); o.Next() && string(o.Name) == metaServerInfo && !o.Next() {
		return nil
	}
	var members map[string]any
	if decode(raw, &members) != nil {
		return errors.New("the result's _meta is not an object")
	}
	delete(members, metaServerInfo)
	if len(members) > 0 {
		*meta = members
	}
	return nil
}

// onlyText returns the text of content if content is a list of one text block
// without additional members. Otherwise it returns false.
func onlyText(content []byte) (string, bool) {
	const begin, end = `[{"type":"text","text":"`, `"}]`
	if len(content) < len(begin)+len(end) || string(content[:len(begin)]) != begin || string(content[len(content)-len(end):]) != end {
		return "", false
	}
	inner := content[len(begin) : len(content)-len(end)]
	if bytes.ContainsAny(inner, `"\`) {
		// The text may contain a quote, which must be escaped.
		block := content[1 : len(content)-1]
		text := ""
		o := jsonrpc.ReadObject(block)
		for n := 0; o.Next(); n++ {
			switch {
			case n == 1 && string(o.Name) == "text":
				text, _ = jsonrpc.String(o.Value)
			case n > 0:
				return "", false
			}
		}
		return text, o.Err == nil
	}
	return string(inner), true
}

// readContents is like decodeContents, for contents from a server: a block of an unknown
// type becomes a text block that states the type.
func readContents(data []byte) ([]Content, error) {
	var contents []Content
	list := elements(data)
	for raw := range list.all {
		c, err := readContent(raw)
		if err != nil {
			return nil, err
		}
		contents = append(contents, c)
	}
	if list.err != nil {
		return nil, errors.New("content is not a list")
	}
	return contents, nil
}

func readContent(raw []byte) (Content, error) {
	kind, ok := jsonrpc.String(member(raw, "type"))
	if !ok {
		return nil, errors.New("a content block has no type")
	}
	switch kind {
	case "text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result":
		return decodeContent(raw)
	}
	return Textf("[content of type %q, which this client does not know]", clip(kind, 32)), nil
}

// entryWire contains the members that entries of all lists have in common.
type entryWire struct {
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	MIMEType    string           `json:"mimeType"`
	Icons       []Icon           `json:"icons"`
	Annotations *annotationsWire `json:"annotations"`
	Meta        map[string]any   `json:"_meta"`
}

// readTool reads an entry of tools/list.
func readTool(raw []byte) (*Tool, error) {
	var w struct {
		Name         string    `json:"name"`
		Title        string    `json:"title"`
		Description  string    `json:"description"`
		InputSchema  jsonValue `json:"inputSchema"`
		OutputSchema jsonValue `json:"outputSchema"`
		Annotations  *struct {
			Title       string `json:"title"`
			ReadOnly    bool   `json:"readOnlyHint"`
			Destructive *bool  `json:"destructiveHint"`
			Idempotent  bool   `json:"idempotentHint"`
			OpenWorld   *bool  `json:"openWorldHint"`
		} `json:"annotations"`
		Icons     []Icon `json:"icons"`
		Execution struct {
			Task string `json:"taskSupport"`
		} `json:"execution"`
		Meta map[string]any `json:"_meta"`
	}
	switch err := decode(raw, &w); {
	case err != nil:
		return nil, errors.New("it does not have the form of a tool")
	case w.Name == "":
		return nil, errors.New("it has no name")
	case len(w.InputSchema) == 0 || w.InputSchema[0] != '{':
		return nil, errors.New("its inputSchema is not an object")
	}
	t := &Tool{
		Name: w.Name, Title: w.Title, Description: w.Description, Meta: w.Meta, Icons: safeIcons(w.Icons),
		InputSchema: json.RawMessage(w.InputSchema), OutputSchema: json.RawMessage(w.OutputSchema),
	}
	if a := w.Annotations; a != nil {
		t.Annotations = &ToolAnnotations{ReadOnly: a.ReadOnly, Destructive: a.Destructive, Idempotent: a.Idempotent, OpenWorld: a.OpenWorld}
		t.Title = cmp.Or(t.Title, a.Title)
	}
	switch support := TaskSupport(w.Execution.Task); support {
	case TaskSupportOptional, TaskSupportRequired:
		t.TaskSupport = support
	}
	return t, nil
}

// safeIcons returns the icons with a URI that a client may use (specification
// 2025-11-25: Base Protocol, Icons).
func safeIcons(icons []Icon) []Icon {
	var safe []Icon
	for _, icon := range icons {
		scheme, _, _ := strings.Cut(icon.Source, ":")
		if scheme = strings.ToLower(scheme); scheme == "https" || scheme == "data" {
			safe = append(safe, icon)
		}
	}
	return safe
}

func readPrompt(raw []byte) (*Prompt, error) {
	var w struct {
		entryWire
		Arguments []struct {
			Name        string `json:"name"`
			Title       string `json:"title"`
			Description string `json:"description"`
			Required    bool   `json:"required"`
		} `json:"arguments"`
	}
	if err := decode(raw, &w); err != nil || w.Name == "" {
		return nil, errors.New("it does not have the form of a prompt")
	}
	p := &Prompt{Name: w.Name, Title: w.Title, Description: w.Description, Icons: safeIcons(w.Icons), Meta: w.Meta}
	for _, a := range w.Arguments {
		p.Arguments = append(p.Arguments, PromptArgument{Name: a.Name, Title: a.Title, Description: a.Description, Required: a.Required})
	}
	return p, nil
}

func readResource(raw []byte) (*Resource, error) {
	var w struct {
		entryWire
		URI  string  `json:"uri"`
		Size float64 `json:"size"`
	}
	if err := decode(raw, &w); err != nil || w.URI == "" {
		return nil, errors.New("it does not have the form of a resource")
	}
	return &Resource{URI: w.URI, Name: w.Name, Title: w.Title, Description: w.Description, MIMEType: w.MIMEType, Size: int64(w.Size),
		Annotations: w.Annotations.annotations(), Icons: safeIcons(w.Icons), Meta: w.Meta}, nil
}

func readTemplate(raw []byte) (*ResourceTemplate, error) {
	var w struct {
		entryWire
		URITemplate string `json:"uriTemplate"`
	}
	if err := decode(raw, &w); err != nil || w.URITemplate == "" {
		return nil, errors.New("it does not have the form of a resource template")
	}
	return &ResourceTemplate{URITemplate: w.URITemplate, Name: w.Name, Title: w.Title, Description: w.Description, MIMEType: w.MIMEType,
		Annotations: w.Annotations.annotations(), Icons: safeIcons(w.Icons), Meta: w.Meta}, nil
}

func readPromptResult(raw []byte) (*PromptResult, error) {
	var w struct {
		Description string `json:"description"`
		Messages    []struct {
			Role    Role      `json:"role"`
			Content jsonValue `json:"content"`
		} `json:"messages"`
		Meta jsonValue `json:"_meta"`
	}
	if err := decode(raw, &w); err != nil || member(raw, "messages") == nil {
		return nil, errors.New("the result has no list of messages")
	}
	res := &PromptResult{Description: w.Description}
	for i, m := range w.Messages {
		if !isRole(m.Role) || len(m.Content) == 0 {
			return nil, fmt.Errorf("message %d must have a role (user or assistant) and content", i)
		}
		content, err := readContent(m.Content)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		res.Messages = append(res.Messages, PromptMessage{Role: m.Role, Content: content})
	}
	if len(w.Meta) > 0 {
		return res, readMeta(w.Meta, &res.Meta)
	}
	return res, nil
}

func readResourceResult(raw []byte) (*ResourceResult, error) {
	var w struct {
		Contents []resourceWire `json:"contents"`
		Meta     jsonValue      `json:"_meta"`
	}
	if err := decode(raw, &w); err != nil || member(raw, "contents") == nil {
		return nil, errors.New("the result has no list of contents")
	}
	res := &ResourceResult{Contents: []ResourceContents{}, Caching: readCaching(raw)}
	for _, one := range w.Contents {
		contents, err := one.contents()
		if err != nil {
			return nil, err
		}
		res.Contents = append(res.Contents, contents)
	}
	if len(w.Meta) > 0 {
		return res, readMeta(w.Meta, &res.Meta)
	}
	return res, nil
}

// maxTTL is the maximum time that a result is cached, even if the server allows more.
const maxTTL = 24 * time.Hour

// readCaching reads the caching hints of a result. It returns a TTL of 0 if the TTL is missing or
// negative.
func readCaching(raw []byte) Caching {
	var w struct {
		TTL   float64 `json:"ttlMs"`
		Scope string  `json:"cacheScope"`
	}
	if decode(raw, &w) != nil || !(w.TTL > 0) {
		return Caching{Public: w.Scope == "public"}
	}
	return Caching{TTL: time.Duration(min(w.TTL, float64(maxTTL.Milliseconds()))) * time.Millisecond, Public: w.Scope == "public"}
}

// isResourceNotFound reports whether the error of resources/read means that
// there is no such resource.
func (e *Error) isResourceNotFound() bool {
	if revision.IsResourceNotFound(e.Code) {
		return true
	}
	return e.Code == CodeInvalidParams && member(e.Data, "uri") != nil
}
