package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// messagesAPI generates messages with a model.
type messagesAPI struct {
	endpoint, key, model string
}

// request is a request to the Messages API.
type request struct {
	Model     string    `json:"model"`
	MaxTokens int64     `json:"max_tokens"`
	System    string    `json:"system,omitempty"`
	Messages  []message `json:"messages"`
	Tools     []tool    `json:"tools,omitempty"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is a block of content, of any type that chat uses.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   []block         `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Source    *source         `json:"source,omitempty"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// reply is the model's message.
type reply struct {
	Content    []block `json:"content"`
	Model      string  `json:"model"`
	StopReason string  `json:"stop_reason"`
}

// maxTokens is the maximum length of an answer from the model.
const maxTokens = 4096

// maxReply is the maximum size of a response from the API, in bytes.
const maxReply = 16 << 20

// create lets the model write the next message.
func (a *messagesAPI) create(ctx context.Context, r *request) (*reply, error) {
	r.Model = a.model
	r.MaxTokens = cmp.Or(r.MaxTokens, maxTokens)
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", a.key)
	req.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking the model: %w", err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return nil, fmt.Errorf("asking the model: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		var failed struct {
			Error struct{ Type, Message string } `json:"error"`
		}
		_ = json.Unmarshal(data, &failed) // if this fails, the status must be enough
		status := strings.TrimSpace(fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode)))
		if failed.Error.Type != "" {
			status += ": " + failed.Error.Type + " " + failed.Error.Message
		}
		if wait := resp.Header.Get("Retry-After"); wait != "" {
			status += "; try again in " + wait + " seconds"
		}
		return nil, fmt.Errorf("the model's API responded with status %s", status)
	}
	var got reply
	if err := json.Unmarshal(data, &got); err != nil {
		return nil, fmt.Errorf("the model's response is malformed: %w", err)
	}
	return &got, nil
}

// sampleFor returns a function that answers a server's requests for messages from the model.
func (a *messagesAPI) sampleFor(server string, user *terminal) func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
	return func(ctx context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
		r := &request{System: s.SystemPrompt, MaxTokens: s.MaxTokens}
		for _, m := range s.Messages {
			r.Messages = append(r.Messages, message{Role: string(m.Role), Content: blocks(m.Content)})
		}
		messages, err := json.Marshal(r.Messages)
		if err != nil {
			return nil, err
		}
		if !user.agrees("Let the server %s ask the model %s?", server, messages) {
			return nil, mcp.ErrDeclined
		}
		got, err := a.create(ctx, r)
		if err != nil {
			return nil, err
		}
		res := &mcp.SamplingResult{Model: got.Model, StopReason: map[string]string{"end_turn": "endTurn", "max_tokens": "maxTokens", "stop_sequence": "stopSequence"}[got.StopReason]}
		var text strings.Builder
		for _, part := range got.Content {
			text.WriteString(part.Text)
		}
		res.Content = []mcp.Content{mcp.Text(text.String())}
		return res, nil
	}
}
