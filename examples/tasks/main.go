// Command tasks is an MCP server with a tool whose calls are tasks, on standard input and output. A
// client that supports tasks gets a task immediately and polls for the result; other clients wait
// for the result. The handler is the same for both.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

type order struct {
	Dish string `json:"dish" jsonschema:"what to cook,minLength=1"`
}

type meal struct {
	Dish  string   `json:"dish"`
	Steps []string `json:"steps" jsonschema:"the steps taken to cook the dish"`
}

const stepTakes = 50 * time.Millisecond

// cook takes a while. It stops early if the task is cancelled.
func cook(ctx context.Context, req *mcp.Request, in order) (meal, error) {
	m := meal{Dish: in.Dish}
	steps := []string{"chop", "fry", "season"}
	for i, step := range steps {
		req.SetStatusMessage(fmt.Sprintf("%s the %s", step, in.Dish))
		req.Progress(float64(i), float64(len(steps)), step)
		select {
		case <-time.After(stepTakes):
		case <-ctx.Done():
			return meal{}, ctx.Err()
		}
		m.Steps = append(m.Steps, step)
	}
	return m, nil
}

func newServer() (*mcp.Server, error) {
	s := mcp.NewServer(mcp.Implementation{Name: "tasks", Version: "1.0.0"}, &mcp.ServerOptions{
		Tasks: mcp.TaskOptions{TTL: 10 * time.Minute, PollInterval: stepTakes},
	})
	err := mcp.AddTool(s, mcp.Tool{
		Name:        "cook",
		Description: "Cooks a dish.",
		TaskSupport: mcp.TaskSupportOptional,
	}, cook)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func main() {
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	if err := s.ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}
