package main

import (
	"errors"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestForecastInEachRevision(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	mcptest.EachRevision(t, s, nil, func(t *testing.T, _ string, c *mcp.Client) {
		got, err := mcp.CallTool[forecast](t.Context(), c, "get_forecast", place{City: "Denver", Days: 2}, nil)
		if err != nil || len(got.Days) != 2 || got.Days[0].Sky != "sunny" {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := mcp.CallTool[string](t.Context(), c, "get_alerts", region{State: "NY"}, nil); err != nil || got != "No alerts for NY." {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestACityWithoutForecastIsRefused(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	c := mcptest.Connect(t, s, nil)
	_, err = mcp.CallTool[forecast](t.Context(), c, "get_forecast", place{City: "Atlantis"}, nil)
	if _, ok := errors.AsType[*mcp.ToolError](err); !ok {
		t.Errorf("got %v", err)
	}
}
