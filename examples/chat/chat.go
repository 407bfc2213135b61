package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
)

// maxSteps is the maximum number of times that the model may call tools before it
// answers.
const maxSteps = 20

type chat struct {
	model    *messagesAPI
	host     *host.Host
	user     *terminal
	messages []message
}

// loop answers the user's queries until "quit" or the end of input.
func (c *chat) loop(ctx context.Context) error {
	for ctx.Err() == nil {
		query, ok := c.user.ask("> ")
		if !ok || strings.EqualFold(query, "quit") {
			return nil
		}
		if query == "" {
			continue
		}
		before := len(c.messages)
		if err := c.answer(ctx, query); err != nil && ctx.Err() == nil { // The error is not the result of an interruption.
			c.user.printf("error: %v\n", err)
			c.messages = c.messages[:before] // The API rejects a tool call without a result.
		}
	}
	return nil
}

// answer lets the model answer a query, with as many tool calls as it needs.
func (c *chat) answer(ctx context.Context, query string) error {
	c.messages = append(c.messages, message{Role: "user", Content: []block{{Type: "text", Text: query}}})
	for range maxSteps {
		reply, err := c.model.create(ctx, &request{Messages: c.messages, Tools: c.tools()})
		if err != nil {
			return err
		}
		cut := reply.StopReason == "max_tokens"
		reply.Content = slices.DeleteFunc(reply.Content, func(part block) bool {
			// The arguments of a call may be truncated, too. The API rejects empty strings.
			return part.Type == "tool_use" && cut || part.Type == "text" && part.Text == ""
		})
		if len(reply.Content) > 0 { // The API rejects messages without content.
			c.messages = append(c.messages, message{Role: "assistant", Content: reply.Content})
		}
		var results []block
		for _, part := range reply.Content {
			switch part.Type {
			case "text":
				c.user.printf("%s\n", part.Text)
			case "tool_use":
				results = append(results, c.call(ctx, part))
			}
		}
		if cut {
			c.user.printf("(the answer is cut off at %d tokens)\n", maxTokens)
		}
		if len(results) == 0 {
			return nil
		}
		c.messages = append(c.messages, message{Role: "user", Content: results})
	}
	return fmt.Errorf("the model has called tools %d times without an answer", maxSteps)
}

// tools returns the tools of all servers, which may change at any time.
func (c *chat) tools() []tool {
	var all []tool
	for _, item := range c.host.Tools() {
		all = append(all, tool{Name: item.Name, Description: item.Def.Description, InputSchema: item.Def.InputSchema})
	}
	return all
}

// call calls a tool if the user agrees.
func (c *chat) call(ctx context.Context, use block) block {
	result := block{Type: "tool_result", ToolUseID: use.ID, IsError: true}
	if !c.user.agrees("Call %s with %s?", use.Name, use.Input) {
		result.Content = []block{{Type: "text", Text: "The user does not allow this call."}}
		return result
	}
	res, err := c.host.CallTool(ctx, use.Name, use.Input, nil)
	if err != nil {
		result.Content = []block{{Type: "text", Text: err.Error()}}
		return result
	}
	result.Content, result.IsError = blocks(res.Content), res.IsError
	if len(result.Content) == 0 && res.Structured != nil {
		if data, err := json.Marshal(res.Structured); err == nil {
			result.Content = []block{{Type: "text", Text: string(data)}}
		}
	}
	return result
}

// blocks converts the content of a result for the model.
func blocks(contents []mcp.Content) []block {
	var all []block
	for _, content := range contents {
		switch content := content.(type) {
		case *mcp.TextContent:
			if content.Text == "" {
				continue // the API rejects empty strings
			}
			all = append(all, block{Type: "text", Text: content.Text})
		case *mcp.ImageContent:
			all = append(all, block{Type: "image", Source: &source{Type: "base64", MediaType: content.MIMEType, Data: content.Data}})
		case *mcp.EmbeddedResource:
			all = append(all, block{Type: "text", Text: content.Resource.URI + "\n" + content.Resource.Text})
		case *mcp.ResourceLink:
			all = append(all, block{Type: "text", Text: "resource " + content.URI + " " + content.Description})
		default:
			all = append(all, block{Type: "text", Text: fmt.Sprintf("[%T]", content)})
		}
	}
	return all
}
