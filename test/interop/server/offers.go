package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp"
)

const noteURI = "note://today"

func text(content string) []mcp.ResourceContents {
	return []mcp.ResourceContents{{Text: content}}
}

func addOffers(s *mcp.Server) error {
	return errors.Join(
		s.AddResource(mcp.Resource{URI: "pic://dot", Name: "dot", MIMEType: "application/octet-stream"},
			func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Blob: []byte{0, 1, 254, 255}}}, nil
			}),
		s.AddResourceTemplate(mcp.ResourceTemplate{
			URITemplate: "greet://{name}",
			Name:        "greeting",
			MIMEType:    "text/plain",
			Complete:    map[string]mcp.Completer{"name": mcp.OneOf("Ada", "Alan", "Grace")},
		}, func(_ context.Context, _ *mcp.Request, _ string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
			return text(fmt.Sprintf("Hello, %s!", vars.Get("name"))), nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "compose", Description: "Asks for a text", Arguments: []mcp.PromptArgument{
			{Name: "kind", Required: true, Complete: mcp.OneOf("poem", "post", "song")},
			{Name: "about", Complete: about},
		}}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Description: "a text", Messages: []mcp.PromptMessage{
				{Role: mcp.RoleUser, Content: mcp.Textf("Write a %s about %s.", args["kind"], args["about"])},
				{Role: mcp.RoleAssistant, Content: &mcp.EmbeddedResource{Resource: mcp.ResourceContents{
					URI: noteURI, MIMEType: "text/plain", Text: "See the note.",
				}}},
			}}, nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "plain", Description: "Has no arguments"},
			func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
				return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text("Hello.")}}}, nil
			}),
	)
}

// about completes an argument depending on the kind of text that the user has chosen.
func about(_ context.Context, _ *mcp.Request, typed string, chosen map[string]string) (mcp.Completion, error) {
	if chosen["kind"] == "song" {
		return mcp.Suggest(typed, []string{"love"}), nil
	}
	return mcp.Suggest(typed, []string{"winter", "summer"}), nil
}

// addChanges adds a note that changes and a tool that changes every list.
func addChanges(s *mcp.Server) error {
	var note atomic.Value
	note.Store("nothing to do")
	return errors.Join(
		s.AddResource(mcp.Resource{URI: noteURI, Name: "today", MIMEType: "text/plain"},
			func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
				return text(note.Load().(string)), nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "write-note", Description: "Changes the note"},
			func(_ context.Context, _ *mcp.Request, in struct {
				Text string `json:"text"`
			}) (string, error) {
				note.Store(in.Text)
				s.ResourceUpdated(noteURI)
				return "written", nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "grow", Description: "Adds a tool, a prompt and a resource"},
			func(_ context.Context, _ *mcp.Request, in struct {
				Name string `json:"name"`
			}) (string, error) {
				return "grown", errors.Join(
					mcp.AddTool(s, mcp.Tool{Name: in.Name, Description: "Is new"},
						func(context.Context, *mcp.Request, none) (string, error) { return "new", nil }),
					s.AddPrompt(mcp.Prompt{Name: in.Name},
						func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
							return new(mcp.PromptResult), nil
						}),
					s.AddResource(mcp.Resource{URI: "new://" + in.Name, Name: in.Name},
						func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return text("new"), nil }),
				)
			}),
	)
}
