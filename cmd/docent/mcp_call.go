package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/mcp"
)

func (m *mcpCommand) newCall() *cobra.Command {
	var argumentsText string
	cmd := m.sub(&cobra.Command{
		Use:   "call [URL] TOOL [key=value | key:=json | -]... | call TOOL ... -- COMMAND...",
		Short: "Call a tool",
		Long: `Call calls a tool and prints the result. Write an argument as
key=value, with the type in the tool's input schema, or as key:=json. Repeat a key to
make a list. With "-", call reads a JSON object with arguments from standard input;
with --args, you can pass the object on the command line. You can combine this object
with single arguments.`,
		Example: `  docent mcp call describe_go_package package=encoding/json symbol=Marshal -- docent serve
  docent mcp call https://mcp.example.com/mcp add a=1 b=2
  echo '{"a": 1, "b": 2}' | docent mcp call https://mcp.example.com/mcp add -`,
	}, 1, -1, func(ctx context.Context, c *mcp.Client, args []string) error {
		name, words := args[0], args[1:]
		t, err := findTool(ctx, c, name)
		if err != nil {
			return err
		}
		base := []byte(argumentsText)
		if i := slices.Index(words, "-"); i >= 0 {
			if argumentsText != "" {
				return &mcpError{exitUsage, errors.New("pass the arguments with --args or on standard input, not both")}
			}
			if base, err = readArguments(m.streams.in); err != nil {
				return err
			}
			words = slices.Delete(slices.Clone(words), i, i+1)
		}
		arguments, err := toolArguments(base, words, t.InputSchema)
		if err != nil {
			return &mcpError{exitUsage, err}
		}
		if lacking := missing(arguments, t.InputSchema); len(lacking) > 0 {
			return &mcpError{exitUsage, fmt.Errorf("the tool %q needs %s", name, strings.Join(lacking, ", "))}
		}
		var opts mcp.CallOptions
		m.waiting.Set(0, 0, "Calling "+name)
		opts.Progress = func(p mcp.Progress) { m.waiting.Set(p.Progress, p.Total, p.Message) } // if there is a progress function, each report extends the timeout
		res, err := c.CallTool(ctx, name, arguments, &opts)
		if err != nil {
			return err
		}
		return m.printResult(res)
	})
	cmd.Flags().StringVar(&argumentsText, "args", "", "a JSON object with arguments")
	return cmd
}

// findTool returns the tool with the given name.
func findTool(ctx context.Context, c *mcp.Client, name string) (*mcp.Tool, error) {
	var names []string
	for t, err := range c.Tools(ctx) {
		if err != nil {
			return nil, err
		}
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return nil, notThere("tool", name, names)
}

// printResult prints the result of a tool. If the tool has failed, printResult
// returns a silentError.
func (m *mcpCommand) printResult(res *mcp.CallToolResult) error {
	if m.json {
		if err := encode(m.streams.out, res); err != nil {
			return err
		}
	} else {
		p := m.printer()
		for _, c := range res.Content {
			printContent(p, c)
		}
		if len(res.Content) == 0 && res.Structured != nil {
			data, err := json.MarshalIndent(res.Structured, "", "  ")
			if err != nil {
				return err
			}
			p.printf("%s\n", p.text(string(data)))
		}
		if p.err != nil {
			return p.err
		}
	}
	if res.IsError {
		return &silentError{exitToolError}
	}
	return nil
}

// printContent prints a block of content. For content other than text, it prints a description.
func printContent(p *printer, c mcp.Content) {
	switch c := c.(type) {
	case *mcp.TextContent:
		p.printf("%s", p.text(c.Text))
		if !strings.HasSuffix(c.Text, "\n") {
			p.printf("\n")
		}
	case *mcp.ImageContent:
		p.printf("[image %s, %d bytes]\n", p.line(c.MIMEType), len(c.Data))
	case *mcp.AudioContent:
		p.printf("[audio %s, %d bytes]\n", p.line(c.MIMEType), len(c.Data))
	case *mcp.ResourceLink:
		p.printf("[resource %s %s]\n", p.line(c.URI), p.line(firstOf(c.Title, c.Name)))
	case *mcp.EmbeddedResource:
		p.printf("[resource %s]\n", p.line(c.Resource.URI))
		if c.Resource.Blob != nil {
			p.printf("[%s, %d bytes]\n", p.line(c.Resource.MIMEType), len(c.Resource.Blob))
			return
		}
		p.printf("%s\n", p.text(c.Resource.Text))
	default:
		p.printf("[%T]\n", c)
	}
}

func (m *mcpCommand) newPrompt() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:     "prompt [URL] NAME [key=value]... | prompt NAME ... -- COMMAND...",
		Short:   "Print a prompt with its arguments filled in",
		Example: "  docent mcp prompt https://mcp.example.com/mcp review file=main.go",
	}, 1, -1, func(ctx context.Context, c *mcp.Client, args []string) error {
		arguments, err := stringArguments(args[1:])
		if err != nil {
			return &mcpError{exitUsage, err}
		}
		var names []string
		for prompt, err := range c.Prompts(ctx) {
			if err != nil {
				return err
			}
			names = append(names, prompt.Name)
		}
		if !slices.Contains(names, args[0]) {
			return notThere("prompt", args[0], names)
		}
		res, err := c.GetPrompt(ctx, args[0], arguments, nil)
		if err != nil {
			return err
		}
		if m.json {
			return encode(m.streams.out, res)
		}
		p := m.printer()
		for _, message := range res.Messages {
			p.printf("%s:\n", message.Role)
			printContent(p, message.Content)
		}
		return p.err
	})
}

func (m *mcpCommand) newRead() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:   "read [URL] RESOURCE | read RESOURCE -- COMMAND...",
		Short: "Print a resource",
		Long: `Read prints the contents of a resource. It prints binary contents
unchanged. On a terminal, it prints only their type and size.`,
		Example: "  docent mcp read https://mcp.example.com/mcp file:///logo.png > logo.png",
	}, 1, 1, func(ctx context.Context, c *mcp.Client, args []string) error {
		res, err := c.ReadResource(ctx, args[0], nil)
		if err != nil {
			return err
		}
		if m.json {
			return encode(m.streams.out, res)
		}
		p := m.printer()
		for i := range res.Contents {
			piece := &res.Contents[i]
			if len(res.Contents) > 1 && m.streams.outTerminal {
				p.printf("--- %s\n", p.line(piece.URI))
			}
			switch {
			case piece.Blob == nil:
				p.printf("%s", p.text(piece.Text))
				if m.streams.outTerminal && !strings.HasSuffix(piece.Text, "\n") {
					p.printf("\n")
				}
			case m.streams.outTerminal:
				p.printf("[%s, %d bytes; redirect the output to save them]\n", p.line(piece.MIMEType), len(piece.Blob))
			default:
				p.printf("%s", piece.Blob)
			}
		}
		return p.err
	})
}

func (m *mcpCommand) newComplete() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:   "complete [URL] prompt|resource NAME ARGUMENT [TYPED] [key=value]... | complete ... -- COMMAND...",
		Short: "Print completions for a prompt's argument or a template's variable",
		Example: `  docent mcp complete https://mcp.example.com/mcp prompt review language py
  docent mcp complete resource 'docs://{language}/{name}' name re language=go -- docs-server`,
	}, 3, -1, func(ctx context.Context, c *mcp.Client, args []string) error {
		typed, words := "", args[3:]
		if len(words) > 0 {
			typed, words = words[0], words[1:]
		}
		chosen, err := stringArguments(words)
		if err != nil {
			return &mcpError{exitUsage, err}
		}
		var found mcp.Completion
		switch args[0] {
		case "prompt":
			found, err = c.CompletePrompt(ctx, args[1], args[2], typed, chosen)
		case "resource":
			found, err = c.CompleteTemplate(ctx, args[1], args[2], typed, chosen)
		default:
			return &mcpError{exitUsage, fmt.Errorf("specify prompt or resource, not %q", args[0])}
		}
		if err != nil {
			return err
		}
		if m.json {
			return encode(m.streams.out, struct {
				Values []string `json:"values"`
				Total  int      `json:"total,omitempty"`
				More   bool     `json:"hasMore,omitempty"`
			}{append([]string{}, found.Values...), found.Total, found.More})
		}
		p := m.printer()
		for _, value := range found.Values {
			p.printf("%s\n", p.line(value))
		}
		return p.err
	})
}

func (m *mcpCommand) newPing() *cobra.Command {
	return m.sub(&cobra.Command{
		Use:     "ping URL | ping -- COMMAND...",
		Short:   "Check that a server responds",
		Example: "  docent mcp ping https://mcp.example.com/mcp",
	}, 0, 0, func(ctx context.Context, c *mcp.Client, _ []string) error {
		begun := time.Now()
		if err := c.Ping(ctx); err != nil {
			return err
		}
		took := time.Since(begun)
		if m.json {
			return encode(m.streams.out, map[string]any{"server": c.Server().Name, "revision": c.Server().Revision, "milliseconds": float64(took.Microseconds()) / 1000})
		}
		p := m.printer()
		p.printf("%s responded in %v (revision %s)\n", p.line(c.Server().Name), took.Round(time.Microsecond), c.Server().Revision)
		return p.err
	})
}
