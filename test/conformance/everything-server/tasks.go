package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

type greeting struct {
	Name string `json:"name" jsonschema:"who to greet"`
}

type computation struct {
	Seconds float64 `json:"seconds" jsonschema:"how long to run,minimum=0,maximum=3600"`
	Label   string  `json:"label,omitempty" jsonschema:"name of the computation"`
}

type deletion struct {
	Filename string `json:"filename" jsonschema:"the file to delete"`
}

func addTaskTools(s *mcp.Server) error {
	task := func(name, description string, support mcp.TaskSupport) mcp.Tool {
		return mcp.Tool{Name: name, Description: description, TaskSupport: support}
	}
	byHandler := task("test_tool_with_task", "Asks for a name, then continues as a task", mcp.TaskSupportOptional)
	byHandler.TaskByHandler = true
	return errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "greet", Description: "Greets immediately"},
			func(_ context.Context, _ *mcp.Request, in greeting) (string, error) {
				return "Hello, " + in.Name + "!", nil
			}),
		mcp.AddTool(s, task("slow_compute", "Runs for a number of seconds", mcp.TaskSupportOptional),
			func(ctx context.Context, _ *mcp.Request, in computation) (string, error) {
				if err := pause(ctx, time.Duration(in.Seconds*float64(time.Second))); err != nil {
					return "", err
				}
				return fmt.Sprintf("%s took %g seconds", in.Label, in.Seconds), nil
			}),
		mcp.AddTool(s, task("failing_job", "Fails after a second", mcp.TaskSupportRequired),
			func(ctx context.Context, _ *mcp.Request, _ none) (string, error) {
				if err := pause(ctx, time.Second); err != nil {
					return "", err
				}
				return "", errors.New("the job failed")
			}),
		mcp.AddTool(s, task("protocol_error_job", "Fails with a protocol error", mcp.TaskSupportRequired),
			func(ctx context.Context, _ *mcp.Request, _ none) (string, error) {
				if err := pause(ctx, 100*time.Millisecond); err != nil {
					return "", err
				}
				return "", &mcp.Error{Code: mcp.CodeInternalError, Message: "the job broke"}
			}),
		mcp.AddTool(s, task("confirm_delete", "Asks before it deletes", mcp.TaskSupportRequired),
			func(ctx context.Context, r *mcp.Request, in deletion) (string, error) {
				confirmed, action, err := mcp.Elicit[struct {
					Confirm bool `json:"confirm" jsonschema:"delete the file"`
				}](ctx, r, "Delete "+in.Filename+"?")
				switch {
				case err != nil:
					return "", err
				case action == mcp.ActionAccept && confirmed.Confirm:
					return "Deleted " + in.Filename, nil
				}
				return "Kept " + in.Filename, nil
			}),
		mcp.AddTool(s, task("multi_input", "Asks two questions together", mcp.TaskSupportRequired),
			func(ctx context.Context, r *mcp.Request, _ none) (string, error) {
				answers, err := r.Ask(ctx, question("first", "Who is first?"), question("second", "Who is second?"))
				if err != nil {
					return "", err
				}
				return name(answers[0]) + " and " + name(answers[1]), nil
			}),
		mcp.AddTool(s, byHandler,
			func(ctx context.Context, r *mcp.Request, _ none) (string, error) {
				answer, err := r.AskUser(ctx, question("user_name", "What is your name?"))
				if err != nil {
					return "", err
				}
				if _, err := r.BecomeTask(); err != nil {
					return "", err
				}
				if err := pause(ctx, 200*time.Millisecond); err != nil {
					return "", err
				}
				return "Hello, " + name(answer) + "!", nil
			}),
	)
}
