package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/test/interop/servers/calls"
)

// none is the input of a tool without parameters.
type none struct{}

func addTools(s *mcp.Server) error {
	return errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "echo", Description: "Says it again"},
			func(_ context.Context, _ *mcp.Request, in struct {
				Message string `json:"message"`
			}) (string, error) {
				return in.Message, nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "add", Description: "Adds two numbers"},
			func(_ context.Context, _ *mcp.Request, in struct {
				A int `json:"a"`
				B int `json:"b"`
			}) (sum struct {
				Sum int `json:"sum"`
			}, err error) {
				sum.Sum = in.A + in.B
				return sum, nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "fail", Description: "Fails"},
			func(context.Context, *mcp.Request, none) (string, error) {
				return "", errors.New("no such luck")
			}),
		mcp.AddTool(s, mcp.Tool{Name: "steps", Description: "Takes three steps, and reports and logs each"},
			func(_ context.Context, r *mcp.Request, _ none) (string, error) {
				for step := range 3 {
					r.Progress(float64(step+1), 3, fmt.Sprint("step ", step+1))
					r.Log(mcp.LevelInfo, "steps", fmt.Sprint("took step ", step+1))
					// The TypeScript clients drop progress that arrives together
					// with the result.
					time.Sleep(100 * time.Millisecond)
				}
				return "there", nil
			}),
	)
}

func addQuestions(s *mcp.Server) error {
	type form struct {
		Name string `json:"name" jsonschema:"your name"`
	}
	return errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "ask-user", Description: "Asks the user for two names, one after the other"},
			func(ctx context.Context, r *mcp.Request, _ none) (string, error) {
				first, action, err := mcp.Elicit[form](ctx, r, "What is your name?")
				if err != nil || action != mcp.ActionAccept {
					return string(action), err
				}
				second, action, err := mcp.Elicit[form](ctx, r, "And your friend's?")
				return fmt.Sprintf("%s: %s and %s", action, first.Name, second.Name), err
			}),
		mcp.AddTool(s, mcp.Tool{Name: "ask-visit", Description: "Asks the user to visit a page"},
			func(ctx context.Context, r *mcp.Request, _ none) (string, error) {
				answer, err := r.AskUser(ctx, &mcp.Elicitation{Message: "Sign in, please", URL: "https://example.com/sign-in", ID: "sign-in"})
				if err != nil {
					return "", err
				}
				return string(answer.Action), nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "ask-model", Description: "Asks the client's model"},
			func(ctx context.Context, r *mcp.Request, in struct {
				Question string `json:"question"`
			}) (string, error) {
				answer, err := r.Sample(ctx, &mcp.Sampling{
					Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text(in.Question)}}},
					MaxTokens: 10,
				})
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%s says %s", answer.Model, answer.Text()), nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "ask-roots", Description: "Asks the client for its roots"},
			func(ctx context.Context, r *mcp.Request, _ none) (string, error) {
				roots, err := r.Roots(ctx)
				var text strings.Builder
				for _, root := range roots {
					text.WriteString(root.Name + "=" + root.URI)
				}
				return text.String(), err
			}),
	)
}

func addCalls(s *mcp.Server) error {
	all := calls.New()
	return errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "poll", Description: "Closes its stream and answers later"},
			func(_ context.Context, r *mcp.Request, _ none) (string, error) {
				r.Session().CloseStream(50 * time.Millisecond)
				time.Sleep(200 * time.Millisecond)
				return "here all along", nil
			}),
		mcp.AddTool(s, mcp.Tool{Name: "job", Description: "Can be a task", TaskSupport: mcp.TaskSupportOptional},
			func(_ context.Context, _ *mcp.Request, in struct {
				Text string `json:"text"`
			}) (string, error) {
				time.Sleep(50 * time.Millisecond)
				return in.Text, nil
			}),
		mcp.AddTool(s, mcp.Tool{
			Name:        "route",
			Description: "Has arguments that clients of 2026-07-28 also send in headers",
			InputSchema: json.RawMessage(`{"type":"object","properties":{
				"region":{"type":"string","x-mcp-header":"Region"},
				"dry":{"type":"boolean","x-mcp-header":"Dry-Run"},
				"where":{"type":"object","properties":{"shelf":{"type":"integer","x-mcp-header":"Shelf"}}}}}`),
		}, func(_ context.Context, _ *mcp.Request, in struct {
			Region string `json:"region"`
			Dry    bool   `json:"dry"`
			Where  struct {
				Shelf int `json:"shelf"`
			} `json:"where"`
		}) (string, error) {
			return fmt.Sprintf("%s, shelf %d, dry %v", in.Region, in.Where.Shelf, in.Dry), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "wait", Description: "Waits until it is cancelled"},
			func(ctx context.Context, _ *mcp.Request, in struct {
				ID string `json:"id"`
			}) (string, error) {
				return "", all.Wait(ctx, in.ID)
			}),
		mcp.AddTool(s, mcp.Tool{Name: "state", Description: "Answers when a call to wait has reached a state; fails after five seconds"},
			func(ctx context.Context, _ *mcp.Request, in struct {
				ID    string `json:"id"`
				State string `json:"state"`
			}) (string, error) {
				return in.State, all.Reach(ctx, in.ID, in.State)
			}),
	)
}
