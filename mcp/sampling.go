package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Sampling is a question that asks the client to generate a message with its model
// (specification: Sampling).
type Sampling struct {
	// Key identifies the question within the request; see Request.Ask.
	Key string

	Messages     []SamplingMessage
	SystemPrompt string
	// MaxTokens is the maximum number of tokens that the model may generate. It is required.
	MaxTokens int64
	// Temperature is nil if the client should choose it.
	Temperature   *float64
	StopSequences []string
	Preferences   *ModelPreferences
	// IncludeContext is "none", "thisServer" or "allServers"; if it is empty, the client chooses.
	// Since revision 2025-11-25, "thisServer" and "allServers" need the capability
	// sampling.context, and are not sent to a client without it.
	IncludeContext string
	// Tools are tools that the model may call. ToolChoice is "auto", "required" or "none". Both
	// need the capability sampling.tools.
	Tools      []Tool
	ToolChoice string
	// Metadata is passed unchanged to the provider of the model.
	Metadata Meta
}

// A SamplingMessage is one message of a conversation. Its blocks have the types TextContent,
// ImageContent, AudioContent, ToolUseContent and ToolResultContent. Before revision 2025-11-25, it
// has a single block of one of the first three types.
type SamplingMessage struct {
	Role    Role
	Content []Content
}

// SamplingResult is the message that the model has generated. Its blocks have the same types as
// those of a SamplingMessage.
type SamplingResult struct {
	Role    Role
	Content []Content
	Model   string
	// StopReason is "endTurn", "stopSequence", "maxTokens", "toolUse" or another word that the
	// client chooses. It may be empty.
	StopReason string
}

// Text returns the result's first text block, or "".
func (s *SamplingResult) Text() string {
	for _, c := range s.Content {
		if text, ok := c.(*TextContent); ok {
			return text.Text
		}
	}
	return ""
}

// ModelPreferences are criteria for the choice of a model. Priorities are between 0 and 1. A
// priority of 0 is not sent.
type ModelPreferences struct {
	Hints                []string // parts of model names, best first
	CostPriority         float64
	SpeedPriority        float64
	IntelligencePriority float64
}

// ToolUseContent is a model's call of a tool. It occurs in a SamplingResult, and in a later
// SamplingMessage that repeats it.
type ToolUseContent struct {
	ID    string
	Name  string
	Input json.RawMessage // a JSON object
	Meta  Meta
}

// ToolResultContent is the result of a tool, in a SamplingMessage.
type ToolResultContent struct {
	ToolUseID  string
	Content    []Content
	Structured json.RawMessage // a JSON object, or nil
	IsError    bool
	Meta       Meta
}

// Sample asks the client to generate a message with its model. The rules of Request.Ask apply.
func (r *Request) Sample(ctx context.Context, s *Sampling) (*SamplingResult, error) {
	answers, err := r.Ask(ctx, s)
	if err != nil {
		return nil, err
	}
	return answers[0].(*SamplingResult), nil
}

func (s *Sampling) method() string { return "sampling/createMessage" }
func (s *Sampling) key() string    { return s.Key }

func (s *Sampling) needs(caps *ClientCapabilities) string {
	if caps.Sampling == nil {
		if s.usesTools() {
			return `"sampling":{"tools":{}}`
		}
		return `"sampling":{}`
	}
	if s.usesTools() && caps.Sampling.Tools == nil {
		return `"sampling":{"tools":{}}`
	}
	return ""
}

func (s *Sampling) usesTools() bool { return len(s.Tools) > 0 || s.ToolChoice != "" }

// check returns an error if the conversation is not valid (specification:
// Sampling, Message Content Constraints).
func (s *Sampling) check() error {
	if s.MaxTokens <= 0 {
		return errors.New("sampling: maxTokens must be positive")
	}
	open := map[string]bool{} // tool calls whose results the next message must contain
	for i, m := range s.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant {
			return fmt.Errorf("sampling: message %d: role must be user or assistant, not %q", i, m.Role)
		}
		if len(m.Content) == 0 {
			return fmt.Errorf("sampling: message %d has no content", i)
		}
		var uses, results int
		answered := map[string]bool{}
		next := map[string]bool{}
		for _, c := range m.Content {
			switch c := c.(type) {
			case *ToolUseContent:
				uses++
				next[c.ID] = true
			case *ToolResultContent:
				results++
				answered[c.ToolUseID] = true
			default:
				if err := checkBlock(c, revision.Latest); err != nil {
					return fmt.Errorf("sampling: message %d: %w", i, err)
				}
			}
		}
		switch {
		case uses > 0 && m.Role != RoleAssistant, results > 0 && m.Role != RoleUser:
			return fmt.Errorf("sampling: message %d: tool uses belong in assistant messages, tool results in user messages", i)
		case results > 0 && results != len(m.Content):
			return fmt.Errorf("sampling: message %d: a message with tool results must not contain anything else", i)
		case results != len(open):
			return fmt.Errorf("sampling: message %d must contain a result for each tool use of the previous message, and nothing else", i)
		}
		for id := range open {
			if !answered[id] {
				return fmt.Errorf("sampling: message %d does not answer the tool use %q", i, id)
			}
		}
		open = next
	}
	if len(open) > 0 {
		return errors.New("sampling: the last message's tool uses are not answered")
	}
	return nil
}

// checkBlock returns an error for a block that a message to or from a model cannot contain in a
// revision (schema: SamplingMessage).
func checkBlock(c Content, rev revision.Revision) error {
	switch c.(type) {
	case *TextContent, *ImageContent, *AudioContent:
		return nil
	case *ToolUseContent, *ToolResultContent:
		if rev.HasSamplingArrays() {
			return nil
		}
		return fmt.Errorf("the peer's protocol revision does not support %T", c)
	}
	return fmt.Errorf("%T cannot be part of a sampling message", c)
}

func (s *Sampling) appendParams(b []byte, rev revision.Revision, caps *ClientCapabilities) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	b = append(wire.Name(b, "messages"), '[')
	for i, m := range s.Messages {
		for _, c := range m.Content {
			if err := checkBlock(c, rev); err != nil {
				return nil, fmt.Errorf("sampling: message %d: %w", i, err)
			}
		}
		b = append(wire.Comma(b), `{"role":`...)
		b = wire.String(b, string(m.Role))
		b = wire.Name(b, "content")
		if len(m.Content) == 1 {
			b = m.Content[0].appendContent(b, rev)
		} else {
			if !rev.HasSamplingArrays() {
				return nil, fmt.Errorf("sampling: message %d has several blocks, which this client's protocol revision does not allow", i)
			}
			b = append(b, '[')
			for _, c := range m.Content {
				b = c.appendContent(wire.Comma(b), rev)
			}
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	b = append(b, ']')
	b = wire.Optional(b, "systemPrompt", s.SystemPrompt)
	b = wire.Int(b, "maxTokens", s.MaxTokens)
	if s.Temperature != nil {
		b = wire.Float(wire.Name(b, "temperature"), *s.Temperature)
	}
	if len(s.StopSequences) > 0 {
		b = append(wire.Name(b, "stopSequences"), '[')
		for _, stop := range s.StopSequences {
			b = wire.String(wire.Comma(b), stop)
		}
		b = append(b, ']')
	}
	if p := s.Preferences; p != nil {
		b = p.append(append(wire.Name(b, "modelPreferences"), '{'))
	}
	if s.IncludeContext == "none" || caps.Sampling != nil && caps.Sampling.Context != nil {
		b = wire.Optional(b, "includeContext", s.IncludeContext)
	}
	if len(s.Tools) > 0 {
		b = append(wire.Name(b, "tools"), '[')
		for _, t := range s.Tools {
			t.InputSchema, t.OutputSchema = compact(t.InputSchema), compact(t.OutputSchema)
			if err := errors.Join(checkToolName(t.Name), checkMeta(t.Meta)); err != nil || !isObjectSchema(t.InputSchema) {
				return nil, fmt.Errorf("sampling: tool %q needs a valid name and an input schema with \"type\": \"object\"", t.Name)
			}
			b = (&tool{Tool: t}).append(wire.Comma(b), rev)
		}
		b = append(b, ']')
	}
	if s.ToolChoice != "" {
		b = append(wire.Name(b, "toolChoice"), `{"mode":`...)
		b = append(wire.String(b, s.ToolChoice), '}')
	}
	if len(s.Metadata) > 0 {
		b = append(appendMetaMembers(append(wire.Name(b, "metadata"), '{'), s.Metadata), '}')
	}
	return b, nil
}

func (p *ModelPreferences) append(b []byte) []byte {
	if len(p.Hints) > 0 {
		b = append(wire.Name(b, "hints"), '[')
		for _, hint := range p.Hints {
			b = append(wire.String(append(wire.Comma(b), `{"name":`...), hint), '}')
		}
		b = append(b, ']')
	}
	for _, priority := range [...]struct {
		name  string
		value float64
	}{{"costPriority", p.CostPriority}, {"speedPriority", p.SpeedPriority}, {"intelligencePriority", p.IntelligencePriority}} {
		if priority.value > 0 {
			b = wire.Float(wire.Name(b, priority.name), min(priority.value, 1))
		}
	}
	return append(b, '}')
}

func (s *Sampling) answer(result []byte) (Answer, error) {
	var got struct {
		Role       Role      `json:"role"`
		Content    jsonValue `json:"content"`
		Model      string    `json:"model"`
		StopReason string    `json:"stopReason"`
	}
	if err := decode(result, &got); err != nil || len(got.Content) == 0 {
		return nil, errors.New("the answer to sampling/createMessage must be an object with role, content and model")
	}
	if got.Role != RoleUser && got.Role != RoleAssistant {
		return nil, fmt.Errorf("role must be user or assistant, not %q", clip(string(got.Role), 32))
	}
	content, err := decodeContents(got.Content)
	if err != nil {
		return nil, err
	}
	return &SamplingResult{Role: got.Role, Content: content, Model: got.Model, StopReason: got.StopReason}, nil
}

func (c *ToolUseContent) appendContent(b []byte, _ revision.Revision) []byte {
	b = append(b, `{"type":"tool_use"`...)
	b = wire.Field(b, "id", c.ID)
	b = wire.Field(b, "name", c.Name)
	input := compact(c.Input)
	if len(input) == 0 || input[0] != '{' {
		input = []byte("{}")
	}
	b = wire.Raw(b, "input", input)
	return append(appendMeta(b, c.Meta), '}')
}

func (c *ToolResultContent) appendContent(b []byte, rev revision.Revision) []byte {
	b = append(b, `{"type":"tool_result"`...)
	b = wire.Field(b, "toolUseId", c.ToolUseID)
	b = append(wire.Name(b, "content"), '[')
	for _, block := range c.Content {
		b = block.appendContent(wire.Comma(b), rev)
	}
	b = append(b, ']')
	b = wire.Raw(b, "structuredContent", compact(c.Structured))
	if c.IsError {
		b = wire.Bool(b, "isError", true)
	}
	return append(appendMeta(b, c.Meta), '}')
}
