package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Prompt describes a prompt, which consists of messages with which a user can start a conversation.
type Prompt struct {
	// Name has 1 to 256 bytes without control characters.
	Name string
	// Title and Description are shown to people.
	Title       string
	Description string
	// Arguments are listed in the order in which a client should ask for them.
	Arguments []PromptArgument
	Icons     []Icon
	Meta      Meta
}

// A PromptHandler creates a prompt's messages. args contains only arguments of the Prompt, and all
// required ones. The values come from a user, so do not trust them.
//
// An *Error that the handler returns becomes the response's error. For any other error, and for a
// panic, the client gets an internal error without details. For invalid values, return an *Error
// with CodeInvalidParams.
type PromptHandler func(ctx context.Context, req *Request, args map[string]string) (*PromptResult, error)

// PromptArgument is a value that a user fills in.
type PromptArgument struct {
	Name        string
	Title       string // sent to peers of revision 2025-06-18 and later
	Description string
	// Required is true if a request without this argument must be refused.
	Required bool
	// Complete suggests values. Nil means that there are no suggestions.
	Complete Completer
}

// PromptResult is a prompt with its arguments filled in.
type PromptResult struct {
	// Description describes the purpose of the messages.
	Description string
	Messages    []PromptMessage
	Meta        Meta
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role Role // RoleUser if empty
	// Content is converted if the client's revision does not support its type; see the types of
	// content. An embedded resource without a MIME type is sent as text/plain or
	// application/octet-stream.
	Content Content
}

// prompt is a registered prompt.
type prompt struct {
	Prompt
	get       PromptHandler
	offReader atomic.Int32
	answers   answerSize
}

func promptName(p *prompt) string { return p.Name }

// AddPrompt adds a prompt to the server. It returns an error if p is not valid, or if the name is
// already in use and options do not include Replace. Prompts can be added while the server is
// running.
func (s *Server) AddPrompt(p Prompt, handler PromptHandler, options ...AddOption) error {
	err := p.check()
	if err == nil && handler == nil {
		err = errors.New("the handler is nil")
	}
	if err != nil {
		return fmt.Errorf("prompt %q: %w", p.Name, err)
	}
	if err := s.prompts.add(&prompt{Prompt: p, get: handler}, "name", options); err != nil {
		return fmt.Errorf("prompt %q: %w", p.Name, err)
	}
	for _, a := range p.Arguments {
		if a.Complete != nil {
			s.hasCompleters.Store(true)
		}
	}
	s.listChanged("prompts")
	return nil
}

// RemovePrompts removes prompts. It ignores unknown names. Requests in flight continue.
func (s *Server) RemovePrompts(names ...string) {
	if s.prompts.remove(names) {
		s.listChanged("prompts")
	}
}

func (p *Prompt) check() error {
	if err := checkName(p.Name); err != nil {
		return err
	}
	for i, a := range p.Arguments {
		if err := checkName(a.Name); err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
		for _, earlier := range p.Arguments[:i] {
			if a.Name == earlier.Name {
				return fmt.Errorf("argument %q occurs twice", a.Name)
			}
		}
	}
	if err := checkIcons(p.Icons); err != nil {
		return err
	}
	return checkMeta(p.Meta)
}

// getPrompt answers prompts/get (specification: Prompts, Getting a Prompt).
func (s *Server) getPrompt(ctx context.Context, r *Request) (Result, error) {
	p, ok := r.target.(*prompt)
	if !ok {
		name, ok := jsonrpc.String(r.params.name)
		if !ok {
			return nil, errorf(CodeInvalidParams, "Invalid params of prompts/get: name must be a string")
		}
		return nil, errorf(CodeInvalidParams, "Unknown prompt: %s", clip(name, 128))
	}
	args, e := p.arguments(r.params.arguments)
	if e != nil {
		return nil, e
	}
	res, err := p.get(ctx, r, args)
	if err != nil {
		return nil, err
	}
	if res == nil {
		return nil, fmt.Errorf("prompt %q: the handler returned neither a result nor an error", p.Name)
	}
	for i, m := range res.Messages {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("prompt %q: message %d: %w", p.Name, i, err)
		}
	}
	return res, nil
}

// arguments decodes the arguments of a request. It returns an error if a required argument is
// missing or an argument is unknown.
func (p *prompt) arguments(data []byte) (map[string]string, *Error) {
	args, ok := stringMap(data)
	if !ok {
		return nil, errorf(CodeInvalidParams, "Invalid params of prompts/get: arguments must be an object whose values are strings")
	}
	for _, a := range p.Arguments {
		if _, set := args[a.Name]; a.Required && !set {
			return nil, errorf(CodeInvalidParams, "Prompt %s needs the argument %s", clip(p.Name, 128), a.Name)
		}
	}
	for _, name := range sortedKeys(args) {
		if p.argument(name) == nil {
			return nil, errorf(CodeInvalidParams, "Prompt %s has no argument %s", clip(p.Name, 128), clip(name, 128))
		}
	}
	return args, nil
}

// argument returns the argument with the given name, or nil.
func (p *prompt) argument(name string) *PromptArgument {
	for i := range p.Arguments {
		if p.Arguments[i].Name == name {
			return &p.Arguments[i]
		}
	}
	return nil
}

// stringMap decodes a JSON object whose values are strings. It returns an empty map for nil data,
// and false for any other JSON.
func stringMap(data []byte) (map[string]string, bool) {
	m := map[string]string{}
	if data == nil {
		return m, true
	}
	o := jsonrpc.ReadObject(data)
	for o.Next() {
		value, ok := jsonrpc.String(o.Value)
		if _, twice := m[string(o.Name)]; twice || !ok {
			return nil, false
		}
		m[string(o.Name)] = value
	}
	return m, o.Err == nil
}

// check returns an error if a message that a handler returned is not valid.
func (m *PromptMessage) check() error {
	if m.Role != "" && !isRole(m.Role) {
		return fmt.Errorf("the role must be user or assistant, not %q", m.Role)
	}
	return checkContent(m.Content)
}

func (p *PromptResult) resultMeta() Meta { return p.Meta }

func (p *PromptResult) appendMembers(b []byte, rev revision.Revision) []byte {
	b = wire.Optional(b, "description", p.Description)
	b = append(wire.Name(b, "messages"), '[')
	for _, m := range p.Messages {
		role := cmp.Or(m.Role, RoleUser)
		b = append(wire.Comma(b), '{')
		b = wire.Field(b, "role", string(role))
		content := m.Content
		if e, ok := content.(*EmbeddedResource); ok && e.Resource.MIMEType == "" {
			content = e.withMIMEType()
		}
		b = content.appendContent(wire.Name(b, "content"), rev)
		b = append(b, '}')
	}
	return append(b, ']')
}

// withMIMEType returns a copy of c with a MIME type, which prompts require
// (specification: Prompts, Embedded Resources).
func (c *EmbeddedResource) withMIMEType() *EmbeddedResource {
	typed := *c
	typed.Resource.MIMEType = "text/plain"
	if c.Resource.Blob != nil || !utf8.ValidString(c.Resource.Text) {
		typed.Resource.MIMEType = "application/octet-stream"
	}
	return &typed
}

func (p *prompt) append(b []byte, rev revision.Revision) []byte {
	b = append(b, '{')
	b = wire.Field(b, "name", p.Name)
	if rev.HasTitle() {
		b = wire.Optional(b, "title", p.Title)
	}
	b = wire.Optional(b, "description", p.Description)
	if len(p.Arguments) > 0 {
		b = append(wire.Name(b, "arguments"), '[')
		for _, a := range p.Arguments {
			b = append(wire.Comma(b), '{')
			b = wire.Field(b, "name", a.Name)
			if rev.HasTitle() {
				b = wire.Optional(b, "title", a.Title)
			}
			b = wire.Optional(b, "description", a.Description)
			if a.Required {
				b = wire.Bool(b, "required", true)
			}
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	b = appendIcons(b, p.Icons, rev)
	if rev.HasTitle() {
		b = appendMeta(b, p.Meta)
	}
	return append(b, '}')
}
