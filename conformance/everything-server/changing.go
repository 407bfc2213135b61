package main

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/mcp"
)

func addChangingThings(s *mcp.Server) error {
	return errors.Join(
		simple(s, "test_trigger_tool_change", "Adds a tool and takes it away", func(context.Context, *mcp.Request) (string, error) {
			err := simple(s, "test_temporary", "Is here for a moment", func(context.Context, *mcp.Request) (string, error) { return "", nil })
			s.RemoveTools("test_temporary")
			return "The list of tools has changed, and changed back.", err
		}),
	)
}
