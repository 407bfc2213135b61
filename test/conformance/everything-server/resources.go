package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// text returns the handler of a text resource.
func text(content string) func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
	return func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{Text: content}}, nil
	}
}

const watched = "test://watched-resource"

func addResources(s *mcp.Server) error {
	return errors.Join(
		s.AddResource(mcp.Resource{URI: "test://static-text", Name: "static-text", Description: "A text", MIMEType: "text/plain"},
			text("This is the content of the static text resource.")),
		s.AddResource(mcp.Resource{URI: "test://static-binary", Name: "static-binary", Description: "A picture", MIMEType: "image/png"},
			func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Blob: square()}}, nil
			}),
		s.AddResource(mcp.Resource{URI: watched, Name: "watched-resource", Description: "Changes every three seconds", MIMEType: "text/plain"},
			func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: time.Now().UTC().Format(time.RFC3339)}}, nil
			}),
		s.AddResourceTemplate(mcp.ResourceTemplate{
			URITemplate: "test://template/{id}/data",
			Name:        "template",
			Description: "Data with an id",
			MIMEType:    "application/json",
			Complete:    map[string]mcp.Completer{"id": mcp.OneOf("123", "124", "456")},
		}, func(_ context.Context, _ *mcp.Request, uri string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{URI: uri, Text: fmt.Sprintf(`{"id":%q,"templateTest":true}`, vars["id"])}}, nil
		}),
	)
}

// watch updates the watched resource until ctx is done.
func watch(ctx context.Context, s *mcp.Server) {
	for pause(ctx, 3*time.Second) == nil {
		s.ResourceUpdated(watched)
	}
}

func addPrompts(s *mcp.Server) error {
	message := func(c mcp.Content) mcp.PromptMessage { return mcp.PromptMessage{Role: mcp.RoleUser, Content: c} }
	result := func(contents ...mcp.Content) *mcp.PromptResult {
		res := new(mcp.PromptResult)
		for _, c := range contents {
			res.Messages = append(res.Messages, message(c))
		}
		return res
	}
	return errors.Join(
		s.AddPrompt(mcp.Prompt{Name: "test_simple_prompt", Description: "Has no arguments"},
			func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
				return result(mcp.Text("This is a simple prompt for testing.")), nil
			}),
		s.AddPrompt(mcp.Prompt{Name: "test_prompt_with_arguments", Description: "Has two arguments", Arguments: []mcp.PromptArgument{
			{Name: "arg1", Description: "the first", Required: true, Complete: mcp.OneOf("paris", "park", "party")},
			{Name: "arg2", Description: "the second", Required: true},
		}}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
			return result(mcp.Textf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"])), nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "Contains a resource", Arguments: []mcp.PromptArgument{
			{Name: "resourceUri", Description: "which", Required: true},
		}}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
			return result(&mcp.EmbeddedResource{Resource: mcp.ResourceContents{
				URI: args["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
			}}, mcp.Text("Please process the embedded resource above.")), nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "test_prompt_with_image", Description: "Contains an image"},
			func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
				return result(&mcp.ImageContent{Data: square(), MIMEType: "image/png"}, mcp.Text("Please analyze the image above.")), nil
			}),
		s.AddPrompt(mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks before it answers"},
			func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
				answer, err := r.AskUser(ctx, question("user_name", "What is your name?"))
				if err != nil {
					return nil, err
				}
				return result(mcp.Text("Write a poem for " + name(answer) + ".")), nil
			}),
	)
}
