package main

import (
	"context"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestEachUserSeesTheirTools(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	for user, want := range map[string][]string{"ada": {"delete_report", "read_report"}, "bob": {"read_report"}, "": nil} {
		c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s, Context: mcp.WithPrincipal(context.Background(), user)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for tool, err := range c.Tools(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, tool.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q sees %q", user, names)
		}
		if _, err := mcp.CallTool[string](t.Context(), c, "delete_report", report{ID: 1}, nil); (err == nil) != (user == "ada") {
			t.Errorf("%q deletes a report: %v", user, err)
		}
		c.Close()
	}
}
