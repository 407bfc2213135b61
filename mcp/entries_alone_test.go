package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// part is one optional member of an entry: its JSON, the first revision that has it, and a function
// that sets it.
type part[E any] struct {
	member, since string
	set           func(e *E)
}

// combined calls f with an entry for each combination of parts, and with the members that the entry
// has in each revision.
func combined[E any](parts []part[E], f func(n int, e E, members func(revision string) []string)) {
	for n := range 1 << len(parts) {
		var e E
		var chosen []part[E]
		for i, p := range parts {
			if n>>i&1 == 1 {
				p.set(&e)
				chosen = append(chosen, p)
			}
		}
		f(n, e, func(revision string) []string {
			var members []string
			for _, p := range chosen {
				if revision >= p.since {
					members = append(members, p.member)
				}
			}
			return members
		})
	}
}

// TestEveryPartOfAnEntryStandsAlone lists entries with every combination of parts.
func TestEveryPartOfAnEntryStandsAlone(t *testing.T) {
	proves(t, "prompts.list.fields", "resources.list.fields", "resources.templates.fields", "tools.list.fields")
	icons := []mcp.Icon{{Source: "https://example.com/i.png"}}
	s := mcp.NewServer(mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{PageSize: 1000})
	want := map[string]func(revision string) []string{} // members other than the name, by the name of the entry
	combined([]part[mcp.PromptArgument]{
		{"title", "2025-06-18", func(a *mcp.PromptArgument) { a.Title = "T" }},
		{"description", "", func(a *mcp.PromptArgument) { a.Description = "D" }},
		{"required", "", func(a *mcp.PromptArgument) { a.Required = true }},
	}, func(n int, a mcp.PromptArgument, members func(string) []string) {
		a.Name = fmt.Sprintf("argument-%d", n)
		want[a.Name] = members
		must(t, s.AddPrompt(mcp.Prompt{Name: fmt.Sprintf("argued-%d", n), Arguments: []mcp.PromptArgument{a}}, says()))
	})
	combined([]part[mcp.Prompt]{
		{"title", "2025-06-18", func(p *mcp.Prompt) { p.Title = "T" }},
		{"description", "", func(p *mcp.Prompt) { p.Description = "D" }},
		{"arguments", "", func(p *mcp.Prompt) { p.Arguments = []mcp.PromptArgument{{Name: "argument-0"}} }},
		{"icons", "2025-11-25", func(p *mcp.Prompt) { p.Icons = icons }},
		{"_meta", "2025-06-18", func(p *mcp.Prompt) { p.Meta = mcp.Meta{"a": 1} }},
	}, func(n int, p mcp.Prompt, members func(string) []string) {
		p.Name = fmt.Sprintf("prompt-%d", n)
		want[p.Name] = members
		must(t, s.AddPrompt(p, says()))
	})
	combined([]part[mcp.Resource]{
		{"title", "2025-06-18", func(r *mcp.Resource) { r.Title = "T" }},
		{"description", "", func(r *mcp.Resource) { r.Description = "D" }},
		{"mimeType", "", func(r *mcp.Resource) { r.MIMEType = "text/plain" }},
		{"size", "", func(r *mcp.Resource) { r.Size = 1 }},
		{"annotations", "", func(r *mcp.Resource) { r.Annotations = &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}} }},
		{"icons", "2025-11-25", func(r *mcp.Resource) { r.Icons = icons }},
		{"_meta", "2025-06-18", func(r *mcp.Resource) { r.Meta = mcp.Meta{"a": 1} }},
	}, func(n int, r mcp.Resource, members func(string) []string) {
		r.Name, r.URI = fmt.Sprintf("resource-%d", n), fmt.Sprintf("x:%d", n)
		want[r.Name] = func(revision string) []string { return append(members(revision), "uri") }
		must(t, s.AddResource(r, holds()))
	})
	combined([]part[mcp.ResourceTemplate]{
		{"title", "2025-06-18", func(r *mcp.ResourceTemplate) { r.Title = "T" }},
		{"description", "", func(r *mcp.ResourceTemplate) { r.Description = "D" }},
		{"mimeType", "", func(r *mcp.ResourceTemplate) { r.MIMEType = "text/plain" }},
		{"annotations", "", func(r *mcp.ResourceTemplate) {
			r.Annotations = &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}}
		}},
		{"icons", "2025-11-25", func(r *mcp.ResourceTemplate) { r.Icons = icons }},
		{"_meta", "2025-06-18", func(r *mcp.ResourceTemplate) { r.Meta = mcp.Meta{"a": 1} }},
	}, func(n int, r mcp.ResourceTemplate, members func(string) []string) {
		r.Name, r.URITemplate = fmt.Sprintf("template-%d", n), fmt.Sprintf("t%d:{a}", n)
		want[r.Name] = func(revision string) []string { return append(members(revision), "uriTemplate") }
		must(t, s.AddResourceTemplate(r, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return nil, nil
		}))
	})
	yes := true
	combined([]part[mcp.Tool]{
		{"title", "2025-06-18", func(u *mcp.Tool) { u.Title = "T" }},
		{"description", "", func(u *mcp.Tool) { u.Description = "D" }},
		{"outputSchema", "2025-06-18", func(u *mcp.Tool) { u.OutputSchema = json.RawMessage(`{"type":"object"}`) }},
		{"annotations", "2025-03-26", func(u *mcp.Tool) { u.Annotations = &mcp.ToolAnnotations{OpenWorld: &yes} }},
		{"icons", "2025-11-25", func(u *mcp.Tool) { u.Icons = icons }},
		{"_meta", "2025-06-18", func(u *mcp.Tool) { u.Meta = mcp.Meta{"a": 1} }},
	}, func(n int, u mcp.Tool, members func(string) []string) {
		u.Name = fmt.Sprintf("tool-%d", n)
		want[u.Name] = func(revision string) []string { return append(members(revision), "inputSchema") }
		must(t, mcp.AddTool(s, u, func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) { return nil, nil }))
	})
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		seen := 0
		var look func(v any)
		look = func(v any) {
			entry := object(v)
			name, _ := entry["name"].(string)
			members := want[name]
			if members == nil && !strings.HasPrefix(name, "argued-") {
				t.Errorf("an entry %v", v)
				return
			}
			seen++
			if members != nil {
				if got, want := slices.Sorted(maps.Keys(entry)), slices.Sorted(slices.Values(append(members(revision), "name"))); !slices.Equal(got, want) {
					t.Errorf("%s has %v, want %v", name, got, want)
				}
			}
			for _, a := range list(entry["arguments"]) {
				look(a)
			}
		}
		for method, field := range map[string]string{"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"} {
			for _, entry := range list(p.ask("1", method, params("")).Result[field]) {
				look(entry)
			}
		}
		if seen < len(want) {
			t.Errorf("%d entries, want %d", seen, len(want))
		}
	})
}
