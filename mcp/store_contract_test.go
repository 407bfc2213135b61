package mcp_test

import (
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestTaskStore_Memory(t *testing.T) {
	mcptest.TestTaskStore(t, func(*testing.T) mcp.TaskStore { return mcp.NewMemoryTasks() })
}

func TestSessionStore_Memory(t *testing.T) {
	mcptest.TestSessionStore(t, func(*testing.T) mcp.SessionStore { return mcptest.NewSessionStore() })
}
