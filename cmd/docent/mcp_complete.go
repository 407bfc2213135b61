package main

import (
	"context"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/schemaform"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
)

// completionTime is the time limit for a server while a shell waits for completions.
const completionTime = 5 * time.Second

// completeWith returns a function that completes the arguments after the server with the values
// that find returns. It connects only to servers with a URL or from --config, because a shell does
// not pass on the words after the one that is being completed. It never asks the user questions.
func (m *mcpCommand) completeWith(find func(ctx context.Context, c *mcp.Client, args []string, begun string) iter.Seq2[string, string]) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if dash := cmd.ArgsLenAtDash(); dash >= 0 && dash < len(args) {
			return nil, cobra.ShellCompDirectiveDefault // the shell completes the words of the server's command
		}
		m.noInput = true
		t, rest, err := m.named(cmd, args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer m.close()
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
		defer cancel()
		const done = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		c, err := m.connect(ctx, t, nil)
		if err != nil {
			return nil, done
		}
		defer c.Close()
		var found []cobra.Completion
		noSpace := false
		for word, about := range find(ctx, c, rest, begun) {
			if word != markup.Clean(word) || strings.ContainsAny(word, " \t\r\n") || !strings.HasPrefix(word, begun) {
				continue
			}
			noSpace = noSpace || strings.HasSuffix(word, "=")
			if found = append(found, cobra.CompletionWithDesc(word, m.printer().line(firstLine(about)))); len(found) == maxCompletions {
				break
			}
		}
		if noSpace {
			return found, done
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeNone completes no arguments after the server.
func completeNone(context.Context, *mcp.Client, []string, string) iter.Seq2[string, string] {
	return func(func(string, string) bool) {}
}

// completeTools returns the names of tools for the only argument.
func completeTools(ctx context.Context, c *mcp.Client, args []string, _ string) iter.Seq2[string, string] {
	return first(args, c.Tools(ctx), func(t *mcp.Tool) (string, string) { return t.Name, firstOf(t.Title, t.Description) })
}

// first calls entry for the entries of a list and returns the results, if there are no arguments
// yet.
func first[T any](args []string, list iter.Seq2[T, error], entry func(T) (name, about string)) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if len(args) > 0 {
			return
		}
		for e, err := range list {
			if err != nil || !yield(entry(e)) {
				return
			}
		}
	}
}

// completeCall returns the names of tools, and then the arguments of the chosen tool.
func completeCall(ctx context.Context, c *mcp.Client, args []string, begun string) iter.Seq2[string, string] {
	if len(args) == 0 {
		return completeTools(ctx, c, args, begun)
	}
	return func(yield func(string, string) bool) {
		t, err := findTool(ctx, c, args[0])
		if err != nil {
			return
		}
		key, _, valued := strings.Cut(begun, "=")
		for _, p := range schemaform.Properties(t.InputSchema) {
			switch {
			case !valued:
				if !yield(p.Name+"=", firstOf(p.Description, p.Title)) {
					return
				}
			case p.Name == key:
				for _, option := range p.Options() {
					if !yield(key+"="+schemaform.PlainValue(option.Const), option.Title) {
						return
					}
				}
			}
		}
	}
}

// completePrompts returns the names of prompts for the only argument.
func completePrompts(ctx context.Context, c *mcp.Client, args []string, _ string) iter.Seq2[string, string] {
	return first(args, c.Prompts(ctx), func(p *mcp.Prompt) (string, string) { return p.Name, firstOf(p.Title, p.Description) })
}

// completePrompt returns the names of prompts, and then the arguments of the chosen prompt with the
// values that the server completes.
func completePrompt(ctx context.Context, c *mcp.Client, args []string, begun string) iter.Seq2[string, string] {
	if len(args) == 0 {
		return completePrompts(ctx, c, args, begun)
	}
	return func(yield func(string, string) bool) {
		if key, typed, valued := strings.Cut(begun, "="); valued {
			got, err := c.CompletePrompt(ctx, args[0], key, typed, nil)
			if err != nil {
				return
			}
			for _, value := range got.Values {
				if !yield(key+"="+value, "") {
					return
				}
			}
			return
		}
		for p, err := range c.Prompts(ctx) {
			if err != nil {
				return
			}
			for _, a := range p.Arguments {
				if p.Name == args[0] && !yield(a.Name+"=", a.Description) {
					return
				}
			}
		}
	}
}

// completeResources returns the URIs of resources for the only argument.
func completeResources(ctx context.Context, c *mcp.Client, args []string, _ string) iter.Seq2[string, string] {
	return first(args, c.Resources(ctx), func(r *mcp.Resource) (string, string) { return r.URI, firstOf(r.Title, r.Name) })
}

// completeServers completes the names of the servers in the file of --config.
func (m *mcpCommand) completeServers(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const done = cobra.ShellCompDirectiveNoFileComp
	data, err := os.ReadFile(m.config)
	if err != nil {
		return nil, done
	}
	servers, err := host.ParseConfig(data)
	if err != nil {
		return nil, done
	}
	var names []cobra.Completion
	for i := range servers {
		if name := servers[i].Name; name == m.printer().line(name) {
			names = append(names, name)
		}
	}
	return names, done
}
