package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// actor is the server in a scene. Its tool "act" executes the commands in the scene.
type actor struct {
	*mcp.Server
	mu    sync.Mutex
	calls map[int]chan string
	notes []string
}

func newActor(t *testing.T, opts *mcp.ServerOptions, server string) *actor {
	opts.Capabilities.Logging = true
	opts.Logger = slog.New(slog.DiscardHandler)
	opts.Limits.AskTimeout = time.Minute
	if server != "" {
		return &actor{Server: transcriptServers[server](t, opts), calls: map[int]chan string{}}
	}
	g := &actor{Server: changing(t, opts), calls: map[int]chan string{}}
	for name, tool := range map[string]mcp.Tool{
		"act": {}, "task": {TaskSupport: mcp.TaskSupportOptional}, "choose": {TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true},
	} {
		tool.Name = name
		must(t, mcp.AddTool(g.Server, tool, func(ctx context.Context, r *mcp.Request, in struct {
			N int `json:"n"`
		}) (string, error) {
			return g.act(ctx, r, in.N)
		}))
	}
	must(t, g.AddPrompt(mcp.Prompt{Name: "act"}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
		text, err := g.act(ctx, r, 100)
		return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(text)}}}, err
	}), g.AddResource(mcp.Resource{URI: "x:act", Name: "act"}, func(ctx context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
		text, err := g.act(ctx, r, 101)
		return []mcp.ResourceContents{{Text: text}}, err
	}), g.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "act:{x}", Name: "act"}, func(ctx context.Context, r *mcp.Request, _ string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
		text, err := g.act(ctx, r, 102)
		return []mcp.ResourceContents{{Text: text}}, err
	}), g.AddPrompt(mcp.Prompt{Name: "complete", Arguments: []mcp.PromptArgument{{Name: "x", Complete: func(ctx context.Context, r *mcp.Request, _ string, _ map[string]string) (mcp.Completion, error) {
		text, err := g.act(ctx, r, 103)
		return mcp.Completion{Values: []string{text}}, err
	}}}}, says()), g.Handle("example/act", func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
		text, err := g.act(ctx, r, 104)
		return mcp.RawResult(fmt.Sprintf(`{"text":%q}`, text)), err
	}))
	return g
}

func (g *actor) note(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.notes = append(g.notes, "# "+fmt.Sprintf(format, args...))
}

func (g *actor) call(n int) chan string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls[n] == nil {
		g.calls[n] = make(chan string, 100)
	}
	return g.calls[n]
}

// act is the handler of call n.
func (g *actor) act(ctx context.Context, r *mcp.Request, n int) (string, error) {
	commands := g.call(n)
	for command := range commands {
		verb, rest, _ := strings.Cut(command, " ")
		switch verb {
		case "return":
			return rest, nil
		case "fail":
			return "", errors.New(rest)
		case "refuse":
			return "", &mcp.Error{Code: -7, Message: rest}
		case "panic":
			panic(rest)
		case "exit":
			runtime.Goexit()
		case "leave": // the call ends, and the commands until "stop" are executed afterwards
			go func() {
				for command := range commands {
					if command == "stop" {
						return
					}
					g.do(ctx, r, n, command)
				}
			}()
			return rest, nil
		case "ask": // ask a question and then return
			err := g.ask(ctx, r, n, rest)
			return "asked", err
		default:
			g.do(ctx, r, n, command)
		}
	}
	return "the scene has ended", nil
}

func (g *actor) do(ctx context.Context, r *mcp.Request, n int, command string) {
	verb, rest, _ := strings.Cut(command, " ")
	switch verb {
	case "progress":
		progress, err := strconv.ParseFloat(rest, 64)
		if err == nil {
			r.Progress(progress, 10, "so far")
		}
	case "log":
		r.Log(mcp.LevelError, "scene", rest)
	case "asks": // ask a question in the background
		go func() { g.note("call %d was answered: %v", n, g.ask(ctx, r, n, rest)) }()
	case "context":
		g.note("context of call %d: %v", n, ctx.Err())
	case "become":
		task, err := r.BecomeTask()
		g.note("call %d is a task: %v %v", n, task, err)
	case "status":
		r.SetStatusMessage(rest)
	case "complete":
		g.note("call %d told of %s: %v", n, rest, r.Session().ElicitationComplete(rest))
	case "close":
		g.note("call %d closed its stream: %v", n, r.Session().CloseStream(time.Second))
	case "who":
		g.note("call %d is of %q, %q", n, r.Principal(), r.Client().Name)
	}
}

func (g *actor) ask(ctx context.Context, r *mcp.Request, n int, what string) error {
	var q mcp.Question
	switch what {
	case "form":
		q = &mcp.Elicitation{Message: "Who?", Schema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)}
	case "page":
		q = &mcp.Elicitation{Message: "Pay.", URL: "https://example.com/pay", ID: strings.Repeat("page ", 20)}
	case "model":
		q = &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hi."))}}
	default:
		q = &mcp.RootsQuestion{}
	}
	answers, err := r.Ask(ctx, q)
	if err == nil {
		answer, _ := json.Marshal(answers[0])
		g.note("call %d has %s", n, answer)
	}
	return err
}
