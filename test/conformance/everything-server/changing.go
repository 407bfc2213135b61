package main

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/mcp"
)

func addChangingThings(s *mcp.Server) error {
	return errors.Join(
		simple(s, "test_trigger_tool_change", "Adds a tool and removes it", func(context.Context, *mcp.Request) (string, error) {
			err := simple(s, "test_temporary", "Is here for a moment", func(context.Context, *mcp.Request) (string, error) { return "", nil })
			s.RemoveTools("test_temporary")
			return "The list of tools has changed, and changed back.", err
		}),
		simple(s, "test_trigger_prompt_change", "Adds a prompt and removes it", func(context.Context, *mcp.Request) (string, error) {
			err := s.AddPrompt(mcp.Prompt{Name: "test_temporary", Description: "Is here for a moment"},
				func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
					return new(mcp.PromptResult), nil
				})
			s.RemovePrompts("test_temporary")
			return "The list of prompts has changed, and changed back.", err
		}),
	)
}
