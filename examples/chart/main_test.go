package main

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/apps"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestChart(t *testing.T) {
	mcptest.EachRevision(t, newServer(), nil, func(t *testing.T, revision string, c *mcp.Client) {
		result, err := c.CallTool(t.Context(), "show_chart", data{"Apples", []bar{{"May", 2}, {"June", 3.5}}}, nil)
		if err != nil || result.Content[0].(*mcp.TextContent).Text != "Apples\nMay: 2\nJune: 3.5" {
			t.Errorf("got %+v, %v", result, err)
		}
		if result, err := c.CallTool(t.Context(), "show_chart", data{"Apples", nil}, nil); err == nil && !result.IsError {
			t.Error("a chart without bars was drawn")
		}
		view, err := apps.Read(t.Context(), c, viewURI)
		if err != nil || !strings.Contains(view.HTML, "mcpApp") {
			t.Errorf("view: %v", err)
		}
		for tool, err := range c.Tools(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			link := apps.LinkOf(tool)
			if hasMeta := revision >= "2025-06-18"; hasMeta && (link.URI != viewURI || link.Model != (tool.Name == "show_chart") || !link.View) {
				t.Errorf("%s: %+v", tool.Name, link)
			}
		}
	})
}
