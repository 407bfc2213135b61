package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/schemaform"
	"github.com/docent-mcp/docent/mcp"
)

func (m *mcpCommand) newInfo() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:     "info URL | info -- COMMAND...",
		Short:   "Show a server's name, version, capabilities and instructions",
		Example: "  docent mcp info -- docent serve",
	}, 0, 0, func(_ context.Context, c *mcp.Client, _ []string) error {
		info := c.Server()
		if m.json {
			return encode(m.streams.out, struct {
				mcp.Implementation
				Revision     string          `json:"revision"`
				Capabilities json.RawMessage `json:"capabilities"`
				Instructions string          `json:"instructions,omitempty"`
			}{info.Implementation, info.Revision, info.Declared, info.Instructions})
		}
		p := m.printer()
		p.printf("%s %s\n", p.line(info.Name), p.line(info.Version))
		for _, detail := range []struct{ name, text string }{
			{"title", info.Title}, {"about", info.Description}, {"website", info.WebsiteURL}, {"revision", info.Revision},
			{"offers", offers(info)}, {"extensions", extensions(info)},
		} {
			if detail.text != "" {
				p.printf("%-12s %s\n", detail.name, p.line(detail.text))
			}
		}
		if info.Instructions != "" {
			p.printf("instructions\n")
			p.paragraph("  ", info.Instructions)
		}
		return p.err
	})
}

// offers returns a text that lists the capabilities of a server.
func offers(info *mcp.ServerInfo) string {
	var declared map[string]struct {
		ListChanged bool `json:"listChanged"`
		Subscribe   bool `json:"subscribe"`
	}
	_ = json.Unmarshal(info.Declared, &declared) // a malformed capability is not listed
	var all []string
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		if name == "extensions" {
			continue
		}
		var details []string
		if declared[name].ListChanged {
			details = append(details, "reports changes")
		}
		if declared[name].Subscribe {
			details = append(details, "subscriptions")
		}
		if len(details) > 0 {
			name += " (" + strings.Join(details, ", ") + ")"
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

func extensions(info *mcp.ServerInfo) string {
	var declared struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	_ = json.Unmarshal(info.Declared, &declared)
	return strings.Join(slices.Sorted(maps.Keys(declared.Extensions)), ", ")
}

func (m *mcpCommand) newTools() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:   "tools [URL] [NAME] | tools [NAME] -- COMMAND...",
		Short: "List a server's tools, or show one",
		Example: `  docent mcp tools -- docent serve
  docent mcp tools describe_go_package -- docent serve
  docent mcp tools https://mcp.example.com/mcp --json | jq -r '.[].Name'`,
	}, 0, 1, func(ctx context.Context, c *mcp.Client, args []string) error {
		if m.json {
			return m.printList(ctx, c, "tools/list", "tools", "name", args)
		}
		return list(m, "tool", c.Tools(ctx), func(t *mcp.Tool) string { return t.Name }, args, m.printTool)
	})
}

// list prints each entry of a list. If args contain the name of an entry, it prints only that entry
// with all details.
func list[T any](m *mcpCommand, what string, all iter.Seq2[T, error], nameOf func(T) string, args []string, show func(p *printer, entry T, whole bool)) error {
	p := m.printer()
	var names []string
	for entry, err := range all {
		if err != nil {
			return err
		}
		name := nameOf(entry)
		names = append(names, name)
		switch {
		case len(args) == 0:
			show(p, entry, false)
		case name == args[0]:
			show(p, entry, true)
			return p.err
		}
	}
	return m.listed(p, what, names, args)
}

// listed handles the end of a list. It prints a note if the list is empty, and returns an error if
// the requested entry does not exist.
func (m *mcpCommand) listed(p *printer, what string, names, args []string) error {
	switch {
	case len(args) > 0:
		return notThere(what, args[0], names)
	case len(names) == 0:
		fmt.Fprintf(m.streams.err, "the server has no %ss\n", what)
	}
	return p.err
}

func notThere(what, name string, names []string) error {
	err := fmt.Errorf("the server has no %s %q", what, name)
	if len(names) > 0 {
		err = fmt.Errorf("%w; it has %s", err, oneLine(strings.Join(names[:min(len(names), 20)], ", ")))
	}
	return &mcpError{exitNotFound, err}
}

func (m *mcpCommand) printTool(p *printer, t *mcp.Tool, whole bool) {
	p.printf("%s", p.line(t.Name))
	if t.Title != "" && t.Title != t.Name {
		p.printf("  %s", p.line(t.Title))
	}
	if hints := hintsOf(t); hints != "" {
		p.printf("  (%s)", hints)
	}
	p.printf("\n")
	if whole {
		p.paragraph("  ", t.Description)
	} else if first := firstLine(t.Description); first != "" {
		p.printf("  %s\n", p.line(first))
	}
	all := schemaform.Properties(t.InputSchema)
	for i := range all {
		m.printProperty(p, &all[i], whole)
	}
	if whole && t.OutputSchema != nil {
		p.printf("  gives\n")
		all := schemaform.Properties(t.OutputSchema)
		for i := range all {
			m.printProperty(p, &all[i], whole)
		}
	}
}

func (m *mcpCommand) printProperty(p *printer, prop *schemaform.Property, whole bool) {
	kind := prop.Kind()
	if prop.Required {
		kind += ", required"
	}
	if prop.Default != nil {
		kind += ", default " + string(prop.Default)
	}
	about := firstOf(prop.Description, prop.Title)
	if !whole {
		about = firstLine(about)
	}
	p.printf("    %s (%s)", p.line(prop.Name), p.line(kind))
	if about != "" {
		p.printf("  %s", p.line(about))
	}
	p.printf("\n")
}

// hintsOf returns the server's hints about a tool as text.
func hintsOf(t *mcp.Tool) string {
	var hints []string
	if a := t.Annotations; a != nil {
		switch {
		case a.ReadOnly:
			hints = append(hints, "read only")
		case a.Destructive != nil && *a.Destructive:
			hints = append(hints, "destructive")
		}
		if !a.ReadOnly && a.Idempotent {
			hints = append(hints, "idempotent")
		}
	}
	if t.TaskSupport != mcp.TaskSupportForbidden {
		hints = append(hints, "task "+string(t.TaskSupport))
	}
	return strings.Join(hints, ", ")
}

// firstLine returns the first line of a text, truncated to 120 characters.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 120 {
		line = string(runes[:119]) + "…"
	}
	return line
}

func (m *mcpCommand) newPrompts() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:     "prompts [URL] [NAME] | prompts [NAME] -- COMMAND...",
		Short:   "List a server's prompts, or show the arguments of one",
		Example: "  docent mcp prompts https://mcp.example.com/mcp",
	}, 0, 1, func(ctx context.Context, c *mcp.Client, args []string) error {
		if m.json {
			return m.printList(ctx, c, "prompts/list", "prompts", "name", args)
		}
		return list(m, "prompt", c.Prompts(ctx), func(p *mcp.Prompt) string { return p.Name }, args, printPrompt)
	})
}

func printPrompt(p *printer, prompt *mcp.Prompt, _ bool) {
	p.printf("%s\n", p.line(prompt.Name))
	if about := firstOf(prompt.Description, prompt.Title); about != "" {
		p.printf("  %s\n", p.line(about))
	}
	for _, a := range prompt.Arguments {
		required := ""
		if a.Required {
			required = " (required)"
		}
		p.printf("    %s%s  %s\n", p.line(a.Name), required, p.line(a.Description))
	}
}

func (m *mcpCommand) newResources() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:     "resources URL | resources -- COMMAND...",
		Short:   "List a server's resources and resource templates",
		Example: "  docent mcp resources -- files-server /srv",
	}, 0, 0, func(ctx context.Context, c *mcp.Client, _ []string) error {
		if m.json {
			resources, err := listRaw(ctx, c, "resources/list", "resources")
			if err != nil {
				return err
			}
			templates, err := listRaw(ctx, c, "resources/templates/list", "resourceTemplates")
			if err != nil {
				return err
			}
			return encode(m.streams.out, map[string][]json.RawMessage{"resources": resources, "resourceTemplates": templates})
		}
		p := m.printer()
		var names []string
		for r, err := range c.Resources(ctx) {
			if err != nil {
				return err
			}
			names = append(names, r.URI)
			m.printResource(p, r.URI, r.Name, firstOf(r.Description, r.Title), r.MIMEType, r.Size)
		}
		for t, err := range c.ResourceTemplates(ctx) {
			if err != nil {
				return err
			}
			names = append(names, t.URITemplate)
			m.printResource(p, t.URITemplate, t.Name, firstOf(t.Description, t.Title), t.MIMEType, 0)
		}
		return m.listed(p, "resource", names, nil)
	})
}

func (m *mcpCommand) printResource(p *printer, uri, name, about, mime string, size int64) {
	p.printf("%s", p.line(uri))
	if mime != "" {
		p.printf("  %s", p.line(mime))
	}
	if size > 0 {
		p.printf("  %d bytes", size)
	}
	about = cmp.Or(about, name)
	p.printf("\n  %s\n", p.line(firstLine(about)))
}

// maxPages is the maximum number of pages of a list that is read for --json.
const maxPages = 10_000

// listRaw returns all entries of a list in the form in which the server has sent them. If the
// server does not support the list, listRaw returns an empty list.
func listRaw(ctx context.Context, c *mcp.Client, method, field string) ([]json.RawMessage, error) {
	all := []json.RawMessage{}
	caps := c.Server().Capabilities
	if offered := map[string]bool{"tools": caps.Tools, "prompts": caps.Prompts, "resources": caps.Resources, "resourceTemplates": caps.Resources}[field]; !offered {
		return all, nil
	}
	params, seen := map[string]string{}, map[string]bool{}
	for range maxPages {
		data, err := c.Call(ctx, method, params, nil)
		if err != nil {
			return nil, err
		}
		var page map[string]json.RawMessage
		var entries []json.RawMessage
		var next string
		if json.Unmarshal(data, &page) != nil || json.Unmarshal(page[field], &entries) != nil {
			return nil, &mcpError{exitServerError, fmt.Errorf("%s: the result has no list of %s", method, field)}
		}
		all = append(all, entries...)
		if schemaform.TypeOf(page["nextCursor"]) != "string" {
			return all, nil
		}
		if err := json.Unmarshal(page["nextCursor"], &next); err != nil {
			return nil, err
		}
		if seen[next] {
			return nil, &mcpError{exitServerError, fmt.Errorf("%s: the server repeats the cursor %q", method, next)}
		}
		seen[next] = true
		params["cursor"] = next
	}
	return nil, &mcpError{exitServerError, fmt.Errorf("%s: the list has more than %d pages", method, maxPages)}
}

// printList prints a list, or the entry in args, as JSON.
func (m *mcpCommand) printList(ctx context.Context, c *mcp.Client, method, field, key string, args []string) error {
	all, err := listRaw(ctx, c, method, field)
	if err != nil || len(args) == 0 {
		if err == nil {
			err = encode(m.streams.out, all)
		}
		return err
	}
	var names []string
	for _, entry := range all {
		var members map[string]json.RawMessage
		var name string
		if json.Unmarshal(entry, &members) == nil && json.Unmarshal(members[key], &name) == nil {
			if names = append(names, name); name == args[0] {
				return encode(m.streams.out, entry)
			}
		}
	}
	return notThere(strings.TrimSuffix(field, "s"), args[0], names)
}
