package main

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestThinking(t *testing.T) {
	c := mcptest.Connect(t, newServer(), &mcp.ClientOptions{Revisions: []string{"2025-11-25"}})
	other := mcptest.Connect(t, newServer(), nil)
	think := func(c *mcp.Client, in thought) state {
		t.Helper()
		in.Thought = "…"
		got, err := mcp.CallTool[state](t.Context(), c, "sequentialthinking", in, nil)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	think(c, thought{Number: 1, Total: 2, Next: true})
	got := think(c, thought{Number: 3, Total: 2, Next: true})
	if got.Total != 3 || got.Length != 2 || !got.Next || len(got.Branches) != 0 {
		t.Errorf("got %+v", got)
	}
	got = think(c, thought{Number: 4, Total: 4, From: 1, Branch: "b"})
	if !slices.Equal(got.Branches, []string{"b"}) || got.Length != 3 {
		t.Errorf("got %+v", got)
	}
	if got := think(other, thought{Number: 1, Total: 1}); got.Length != 1 || len(got.Branches) != 0 {
		t.Errorf("another client: %+v", got)
	}
	if got := think(c, thought{Number: 1, Total: 1}); got.Length != 1 {
		t.Errorf("anew: %+v", got)
	}
	for range maxThoughts - 1 {
		think(c, thought{Number: 2, Total: 2})
	}
	if _, err := mcp.CallTool[state](t.Context(), c, "sequentialthinking", thought{Thought: "x", Number: 2, Total: 2}, nil); err == nil {
		t.Error("thoughts are not bounded")
	}
}
