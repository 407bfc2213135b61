package main

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestCookingAsATaskAndWithoutOne(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				t.Cleanup(func() { time.Sleep(time.Minute) }) // fake time; idle goroutines of the server end
				s, err := newServer()
				if err != nil {
					t.Fatal(err)
				}
				c := mcptest.Connect(t, s, &mcp.ClientOptions{Revisions: []string{revision}, Tasks: true})
				var steps []string
				got, err := mcp.CallTool[meal](t.Context(), c, "cook", order{Dish: "soup"}, &mcp.CallOptions{Progress: func(p mcp.Progress) { steps = append(steps, p.Message) }})
				if err != nil || len(got.Steps) != 3 {
					t.Errorf("got %+v, %v", got, err)
				}
				task, err := c.CallToolTask(t.Context(), "cook", order{Dish: "stew"}, 0, nil)
				if revision < "2025-11-25" {
					if err == nil {
						t.Error("a revision without tasks has one")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait() // Wait until the handler sleeps.
				if state, err := task.State(t.Context()); err != nil || state.Status != mcp.TaskStatusWorking || state.StatusMessage != "chop the stew" {
					t.Errorf("state %+v, %v", state, err)
				}
				if err := task.Cancel(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := task.Wait(t.Context()); !errors.Is(err, mcp.ErrTaskCancelled) {
					t.Errorf("the cancelled task ends with %v", err)
				}
			})
		})
	}
}
