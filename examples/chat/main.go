// Command chat is a chatbot that uses the tools of MCP servers. The model is reached over the
// Anthropic Messages API: ANTHROPIC_API_KEY contains the key, ANTHROPIC_MODEL the model, and
// ANTHROPIC_BASE_URL the endpoint if it is not the default.
//
//	chat servers.json           servers as hosts configure them: {"mcpServers": …}
//	chat -- weather --verbose   one server, started as a command
//
// It asks before each tool call, and ends on "quit".
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "chat:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	model := &messagesAPI{
		endpoint: strings.TrimSuffix(cmp.Or(os.Getenv("ANTHROPIC_BASE_URL"), "https://api.anthropic.com"), "/") + "/v1/messages",
		key:      os.Getenv("ANTHROPIC_API_KEY"),
		model:    cmp.Or(os.Getenv("ANTHROPIC_MODEL"), "claude-sonnet-4-5"),
	}
	if model.key == "" {
		return errors.New("set ANTHROPIC_API_KEY to the key of the Messages API")
	}
	servers, err := configured(args)
	if err != nil {
		return err
	}
	user := newTerminal(ctx, in, out)
	h := host.New(&host.Options{
		Logger: slog.New(slog.DiscardHandler),
		ClientOptions: func(server string) *mcp.ClientOptions {
			return &mcp.ClientOptions{Sample: model.sampleFor(server, user)}
		},
	})
	defer h.Close()
	for _, server := range servers {
		if err := h.AddConfig(server, os.LookupEnv); err != nil {
			return err
		}
	}
	if err := h.Ready(ctx); err != nil {
		return nil // interrupted
	}
	for _, server := range h.Servers() {
		user.printf("%s: %s", server.Name, server.State)
		if server.Err != nil {
			user.printf(" (%v)", server.Err)
		}
		user.printf("\n")
	}
	for _, tool := range h.Tools() {
		user.printf("  %s\n", tool.Name)
	}
	return (&chat{model: model, host: h, user: user}).loop(ctx)
}

// configured returns the servers on the command line.
func configured(args []string) ([]host.ServerConfig, error) {
	switch {
	case len(args) > 1 && args[0] == "--":
		return []host.ServerConfig{{Name: "server", Command: args[1], Args: args[2:]}}, nil
	case len(args) == 1 && args[0] != "--":
		data, err := os.ReadFile(args[0]) //nolint:gosec // the user names it
		if err != nil {
			return nil, err
		}
		return host.ParseConfig(data)
	}
	return nil, errors.New("usage: chat FILE | chat -- COMMAND [ARGUMENT...]")
}

// terminal reads from and writes to the user's terminal. Servers can ask questions while the user
// is typing, so only one question is shown at a time.
type terminal struct {
	ctx   context.Context
	lines chan string // It is closed at the end of input.
	err   error       // why the input ended early; set before lines is closed
	out   io.Writer
	turn  sync.Mutex
}

// maxLine is the maximum length of a line that the user can type or paste.
const maxLine = 1 << 20

// newTerminal reads lines until ctx is done. A line being read at that time is lost.
func newTerminal(ctx context.Context, in io.Reader, out io.Writer) *terminal {
	t := &terminal{ctx: ctx, lines: make(chan string), out: out}
	go func() {
		defer close(t.lines)
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxLine)

		for lines.Scan() {
			select {
			case t.lines <- lines.Text():
			case <-ctx.Done():
				return
			}
		}
		t.err = lines.Err()
	}()
	return t
}

func (t *terminal) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// ask prints a question and returns the answer; ok is false at the end of input.
func (t *terminal) ask(question string) (answer string, ok bool) {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.printf("%s", question)
	select {
	case answer, ok = <-t.lines:
		if !ok && t.err != nil {
			t.printf("reading the input: %v\n", t.err)
		}
		return strings.TrimSpace(answer), ok
	case <-t.ctx.Done():
		return "", false
	}
}

// agrees asks a question and reports whether the user answers y or yes.
func (t *terminal) agrees(format string, args ...any) bool {
	answer, ok := t.ask(fmt.Sprintf(format, args...) + " [y/n] ")
	return ok && (strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"))
}
