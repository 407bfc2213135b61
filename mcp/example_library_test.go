package mcp_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// build simulates slow work.
func build(ctx context.Context, _ string) error { return ctx.Err() }

// The parts between "guide" and "end" are shown in docs/library.md.

func newBuilder() *mcp.Server {
	// guide slowserver
	s := mcp.NewServer(mcp.Implementation{Name: "builder", Version: "1.0.0"}, nil)
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "build", Description: "Builds the program.", TaskSupport: mcp.TaskSupportOptional},
		func(ctx context.Context, req *mcp.Request, _ struct{}) (string, error) {
			steps := []string{"compile", "link", "test"}
			for i, step := range steps {
				req.Progress(float64(i), float64(len(steps)), step)
				if err := build(ctx, step); err != nil { // ctx ends when the task is cancelled
					return "", err
				}
			}
			return "It works.", nil
		}))
	// end
	return s
}

func useBuilder(ctx context.Context, transport mcp.Transport) error {
	// guide slowclient
	c, err := mcp.Connect(ctx, transport, &mcp.ClientOptions{Tasks: true}) // revision 2026-07-28 needs Tasks
	if err != nil {
		return err
	}
	defer c.Close()
	task, err := c.CallToolTask(ctx, "build", nil, time.Hour, nil)
	if err != nil {
		return err
	}
	// Keep task.ID(): c.Task(id) finds the task again, also in another process.
	state, err := task.State(ctx)
	if err != nil {
		return err
	}
	log.Println(state.Status, state.StatusMessage) // working compile
	res, err := task.Wait(ctx)                     // and answers the server's questions; task.Cancel(ctx) stops the task
	// end
	if err != nil {
		return err
	}
	fmt.Println(textOf(res))
	return nil
}

func Example_slowTool() {
	log.SetOutput(new(strings.Builder))
	defer log.SetOutput(os.Stderr)
	if err := useBuilder(context.Background(), &mcp.ServerTransport{Server: newBuilder()}); err != nil {
		fmt.Println(err)
	}
	// Output: It works.
}

// TestTheLibraryPageShowsTheExamples compares the code in docs/library.md with the code
// compiled here and in package auth.
func TestTheLibraryPageShowsTheExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/library.md")
	must(t, err)
	parts := 0
	for _, file := range []string{"example_library_test.go", "auth/example_library_test.go"} {
		source, err := os.ReadFile(file)
		must(t, err)
		for _, m := range regexp.MustCompile(`(?s)\n(\t*)// guide ([a-z]+)\n(.*?)\n\t*// end\n`).FindAllStringSubmatch(string(source), -1) {
			code := strings.TrimPrefix(strings.ReplaceAll("\n"+m[3], "\n"+m[1], "\n"), "\n")
			if want := "<!-- " + m[2] + " -->\n```go\n" + code + "\n```\n"; !strings.Contains(string(page), want) {
				t.Errorf("docs/library.md does not show the part %s of %s:\n%s", m[2], file, want)
			}
			parts++
		}
	}
	if parts != 4 {
		t.Errorf("%d parts", parts)
	}
}
