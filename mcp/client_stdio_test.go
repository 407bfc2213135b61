package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// beServer runs the server that tests start as a command. The command is the test binary itself.
func beServer(play string) int {
	fmt.Fprintln(os.Stderr, "started", play)
	if play == "knows only initialize" || play == "answers on standard error" {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(lines.Bytes(), &m) == nil && m.Method == "initialize" {
				if play == "answers on standard error" {
					fmt.Fprintf(os.Stderr, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"error","version":"1"}}}`+"\n", m.ID)
				}
				fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"child\",\"version\":\"1\"}}}\n", m.ID)
			}
		}
		return 0
	}
	s := mcp.NewServer(mcp.Implementation{Name: "child", Version: "1"}, nil)
	err := errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "env"}, func(_ context.Context, _ *mcp.Request, in struct {
			Name string `json:"name"`
		}) (string, error) {
			return os.Getenv(in.Name), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "args"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return fmt.Sprintf("%q", os.Args[1:]), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "dir"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return os.Getwd() }),
		mcp.AddTool(s, mcp.Tool{Name: "die"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			fmt.Fprintln(os.Stderr, "I die")
			os.Exit(7)
			return "", nil
		}))
	if err != nil {
		return 1
	}
	if play == "stays" || play == "ignores SIGTERM" {
		terminated := make(chan os.Signal, 1)
		signal.Notify(terminated, syscall.SIGTERM)
		go func() {
			<-terminated
			fmt.Fprintln(os.Stderr, "got SIGTERM")
			if play == "stays" {
				os.Exit(0)
			}
		}()
	}
	_ = s.ServeStdio(context.Background())
	fmt.Fprintln(os.Stderr, "end of input")
	if play == "stays" || play == "ignores SIGTERM" {
		select {}
	}
	return 0
}

// child starts the test binary as a server.
func child(t *testing.T, play string, opts *mcp.ClientOptions, change func(*mcp.CommandTransport)) (*mcp.Client, *lineLog) {
	t.Helper()
	log := new(lineLog)
	transport := &mcp.CommandTransport{Command: os.Args[0], Env: []string{"MCP_TEST_SERVER=" + play, "GIVEN=yes"},
		ExitTimeout: time.Minute, TermTimeout: time.Minute, Stderr: log, StderrLine: log.line}
	if change != nil {
		change(transport)
	}
	c, err := mcp.Connect(t.Context(), transport, opts)
	must(t, err)
	ran(t, c.Server().Revision, "pipe")
	t.Cleanup(func() { c.Close() })
	return c, log
}

// lineLog records what a server writes to standard error, as it arrives and line by line.
type lineLog struct {
	mu    sync.Mutex
	text  bytes.Buffer
	lines []string
}

func (l *lineLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lineLog) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, text)
}

func (l *lineLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "; ") + " / " + strings.ReplaceAll(strings.TrimSpace(l.text.String()), "\n", "; ")
}

func TestAServerIsStartedAndEndsWithItsInput(t *testing.T) {
	proves(t, "stdio.subprocess", "stdio.client-support", "stdio.shutdown.close-stdin", "stdio.stderr.not-failure", "stdio.stderr.client", "stdio.newline-delimited")
	t.Setenv("SECRET_OF_THE_HOST", "hidden")
	for _, revision := range revisions {
		args, dir := []string{"one", "two words", "", `"$HOME" \\ *`, "-five"}, t.TempDir()
		c, log := child(t, "quietly", &mcp.ClientOptions{Revisions: []string{revision}}, func(c *mcp.CommandTransport) { c.Args, c.Dir, c.Restart = args, dir, true })
		if revision == latest {
			proves(t, "stdio.restart.resubscribe")
		}
		sub, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true})
		must(t, err)
		for range 2 {
			if got, err := mcp.CallTool[string](t.Context(), c, "args", nil, nil); err != nil || got != fmt.Sprintf("%q", args) {
				t.Errorf("the arguments are %s, %v", got, err)
			}
			if got, err := mcp.CallTool[string](t.Context(), c, "dir", nil, nil); err != nil || filepath.Base(got) != filepath.Base(dir) {
				t.Errorf("the directory is %s, %v", got, err)
			}
			for name, want := range map[string]string{"GIVEN": "yes", "SECRET_OF_THE_HOST": "", "PATH": os.Getenv("PATH")} {
				if got, err := mcp.CallTool[string](t.Context(), c, "env", map[string]string{"name": name}, nil); err != nil || got != want {
					t.Errorf("%s is %q, %v", name, got, err)
				}
			}
			if !strings.Contains(log.String(), "I die") {
				_, err := c.CallTool(t.Context(), "die", nil, nil) // the second process must be started in the same way
				if err == nil {
					t.Error("a process that has exited answers")
				}
				if change, err := sub.Next(t.Context()); err != nil || change.Kind != mcp.ChangeAny {
					t.Errorf("after a second start: %+v, %v", change, err)
				}
			}
		}
		must(t, c.Close())
		const once = "started quietly; I die; started quietly; end of input"
		if got := log.String(); got != once+" / "+once {
			t.Errorf("%s: the log is %s", revision, got)
		}
	}
}

func TestMessagesOnStandardErrorAreNotRead(t *testing.T) {
	proves(t, "stdio.subprocess", "stdio.stderr.not-failure")
	for _, without := range []string{"", "Stderr", "StderrLine", "both"} {
		c, _ := child(t, "answers on standard error", &mcp.ClientOptions{Revisions: []string{"2025-06-18"}}, func(c *mcp.CommandTransport) {
			if without == "Stderr" || without == "both" {
				c.Stderr = nil
			}
			if without == "StderrLine" || without == "both" {
				c.StderrLine = nil
			}
		})
		if name := c.Server().Name; name != "child" {
			t.Errorf("without %q, the server is %q", without, name)
		}
		must(t, c.Close())
	}
}

func TestAServerThatStaysIsTerminatedAndAtLastKilled(t *testing.T) { //nolint:tparallel // other tests are measured alone
	proves(t, "stdio.shutdown.sigterm", "stdio.shutdown.sigkill", "stdio.shutdown.force-os")
	for _, revision := range revisions {
		for _, play := range []string{"stays", "ignores SIGTERM"} {
			t.Run(revision+"/"+play, func(t *testing.T) {
				t.Parallel() // run in parallel, because the test waits for timeouts
				c, log := child(t, play, &mcp.ClientOptions{Revisions: []string{revision}}, func(c *mcp.CommandTransport) {
					c.ExitTimeout = 50 * time.Millisecond
					if play != "stays" {
						c.TermTimeout = 2 * time.Second
					}
				})
				must(t, c.Close())
				if got := log.String(); !strings.Contains(got, "got SIGTERM") {
					t.Errorf("the log is %s", got)
				}
			})
		}
	}
}

func TestAServerThatDiesSaysWhyAndIsStartedAgain(t *testing.T) {
	proves(t, "stdio.restart")
	c, _ := child(t, "quietly", &mcp.ClientOptions{Revisions: []string{"2026-07-28"}}, func(c *mcp.CommandTransport) { c.Restart = true })
	for range 2 {
		if _, err := c.CallTool(t.Context(), "die", nil, nil); err == nil || !strings.Contains(err.Error(), "exit status 7; it wrote last: I die") {
			t.Errorf("the error is %v", err)
		}
		if got, err := mcp.CallTool[string](t.Context(), c, "env", map[string]string{"name": "GIVEN"}, nil); err != nil || got != "yes" {
			t.Errorf("after it: %q, %v", got, err)
		}
	}
	must(t, c.Close())
	final, _ := child(t, "quietly", nil, nil)
	if _, err := final.CallTool(t.Context(), "die", nil, nil); err == nil {
		t.Error("the call did not fail")
	}
	<-final.Done()
	if _, err := final.CallTool(t.Context(), "env", nil, nil); err == nil || !strings.Contains(err.Error(), "I die") {
		t.Errorf("without Restart: %v", err)
	}
	if _, err := mcp.Connect(t.Context(), &mcp.CommandTransport{Command: "/no/such/program"}, nil); err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("a program that is not there: %v", err)
	}
}
