package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestAClientReadsPromptsAndResources(t *testing.T) {
	proves(t, "page.size-not-assumed", "page.opaque", "page.both-flows")
	s := mcp.NewServer(mcp.Implementation{Name: "library", Version: "1"}, &mcp.ServerOptions{PageSize: 2, Instructions: "Read."})
	must(t,
		s.AddPrompt(mcp.Prompt{Name: "greet", Title: "Greeting", Arguments: []mcp.PromptArgument{{Name: "who", Required: true, Complete: mcp.OneOf("Ada", "Alan", "Grace")}}},
			func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
				return &mcp.PromptResult{Description: "greets", Messages: []mcp.PromptMessage{
					{Role: mcp.RoleUser, Content: mcp.Text("Hello, " + args["who"])},
					{Role: mcp.RoleAssistant, Content: &mcp.ImageContent{Data: []byte{1, 2}, MIMEType: "image/png"}},
				}}, nil
			}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "book://{title}", Name: "book", Complete: map[string]mcp.Completer{"title": mcp.OneOf("Emma", "Ulysses")}},
			func(_ context.Context, _ *mcp.Request, uri string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
				if vars.Get("title") == "none" {
					return nil, nil
				}
				return []mcp.ResourceContents{{Text: vars.Get("title")}, {URI: uri + "/cover", Blob: []byte{7}, MIMEType: "image/png"}}, nil
			}),
	)
	for i := range 5 {
		must(t, s.AddResource(mcp.Resource{URI: fmt.Sprintf("file:///%d", i), Name: fmt.Sprint(i), Size: 10}, holds()))
	}
	eachClient(t, s, nil, func(t *testing.T, revision string, c *mcp.Client) {
		ctx := t.Context()
		if c.Server().Instructions != "Read." {
			t.Errorf("instructions: %q", c.Server().Instructions)
		}
		for p, err := range c.Prompts(ctx) {
			if err != nil || p.Name != "greet" || len(p.Arguments) != 1 || !p.Arguments[0].Required || revision >= "2025-06-18" && p.Title != "Greeting" {
				t.Errorf("prompt: %+v, %v", p, err)
			}
		}
		got, err := c.GetPrompt(ctx, "greet", map[string]string{"who": "Ada"}, nil)
		if err != nil || got.Description != "greets" || len(got.Messages) != 2 || got.Messages[0].Content.(*mcp.TextContent).Text != "Hello, Ada" ||
			got.Messages[1].Role != mcp.RoleAssistant || string(got.Messages[1].Content.(*mcp.ImageContent).Data) != "\x01\x02" {
			t.Errorf("prompt: %+v, %v", got, err)
		}
		var refused *mcp.Error
		if _, err := c.GetPrompt(ctx, "greet", nil, nil); !errors.As(err, &refused) || refused.Code != mcp.CodeInvalidParams {
			t.Errorf("a missing argument: %v", err)
		}
		var uris []string
		for r, err := range c.Resources(ctx) {
			must(t, err)
			uris = append(uris, r.URI)
		}
		if len(uris) != 5 || uris[4] != "file:///4" {
			t.Errorf("resources: %v", uris)
		}
		for d, err := range c.ResourceTemplates(ctx) {
			must(t, err)
			uri, err := d.Expand(map[string]any{"title": "Emma"})
			must(t, err)
			book, err := c.ReadResource(ctx, uri, nil)
			if err != nil || len(book.Contents) != 2 || book.Contents[0].Text != "Emma" || string(book.Contents[1].Blob) != "\x07" {
				t.Errorf("book: %+v, %v", book, err)
			}
		}
		if _, err := c.ReadResource(ctx, "book://none", nil); !errors.Is(err, mcp.ErrResourceNotFound) || !errors.As(err, &refused) {
			t.Errorf("a resource that is not there: %v", err)
		}
		for _, complete := range []func() (mcp.Completion, error){
			func() (mcp.Completion, error) {
				return c.CompletePrompt(ctx, "greet", "who", "a", map[string]string{"x": "y"})
			},
			func() (mcp.Completion, error) { return c.CompleteTemplate(ctx, "book://{title}", "title", "", nil) },
		} {
			if got, err := complete(); err != nil || len(got.Values) != 2 && len(got.Values) != 3 {
				t.Errorf("completion: %+v, %v", got, err)
			}
		}
	})
}

func TestProgressIsReportedInOrderBeforeTheResult(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "work"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		for i := range 5 {
			r.Progress(float64(i+1), 5, fmt.Sprintf("step %d", i+1))
		}
		return "done", nil
	}))
	eachClient(t, s, nil, func(t *testing.T, revision string, c *mcp.Client) {
		var got []mcp.Progress
		text, err := mcp.CallTool[string](t.Context(), c, "work", nil, &mcp.CallOptions{Progress: func(p mcp.Progress) { got = append(got, p) }})
		if err != nil || text != "done" {
			t.Fatalf("%q, %v", text, err)
		}
		if len(got) != 5 || got[0].Progress != 1 || got[4].Progress != 5 || got[4].Total != 5 || revision > "2024-11-05" && got[4].Message != "step 5" {
			t.Errorf("progress: %+v", got)
		}
	})
}

func TestACancelledContextCancelsTheRequest(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, nil)
	started, cancelled := make(chan struct{}), make(chan struct{})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		cancelled <- struct{}{}
		return "", nil
	}))
	eachClient(t, s, nil, func(t *testing.T, _ string, c *mcp.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := c.CallTool(ctx, "wait", nil, nil)
			failed <- err
		}()
		<-started
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
		<-cancelled
		if err := c.Ping(t.Context()); err != nil {
			t.Errorf("after it: %v", err)
		}
	})
}

func TestLogMessagesReachTheClientAtItsLevel(t *testing.T) {
	proves(t, "log.set-level")
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "talk"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		r.Log(mcp.LevelInfo, "main", "quiet")
		r.Log(mcp.LevelError, "main", map[string]any{"loud": true})
		return "", nil
	}))
	messages := make(chan mcp.LogMessage, 10)
	eachClient(t, s, func() mcp.ClientOptions {
		return mcp.ClientOptions{LogLevel: mcp.LevelWarning, Log: func(m mcp.LogMessage) { messages <- m }}
	}, func(t *testing.T, _ string, c *mcp.Client) {
		if _, err := c.CallTool(t.Context(), "talk", nil, nil); err != nil {
			t.Fatal(err)
		}
		if m := <-messages; m.Level != mcp.LevelError || m.Logger != "main" || string(m.Data) != `{"loud":true}` {
			t.Errorf("message: %+v", m)
		}
		must(t, c.SetLogLevel(t.Context(), mcp.LevelInfo))
		if _, err := c.CallTool(t.Context(), "talk", nil, nil); err != nil {
			t.Fatal(err)
		}
		if m := <-messages; m.Level != mcp.LevelInfo {
			t.Errorf("message: %+v", m)
		}
		<-messages
	})
}

// answering returns the options of a client that answers every kind of question.
func answering() mcp.ClientOptions {
	return mcp.ClientOptions{
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///src", Name: "src"}}, nil },
		Sample: func(_ context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
			if len(s.Messages) != 1 || s.MaxTokens != 100 {
				return nil, fmt.Errorf("unexpected %+v", s)
			}
			return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{mcp.Text("sampled " + s.Messages[0].Content[0].(*mcp.TextContent).Text)}, StopReason: "endTurn"}, nil
		},
		ElicitForm: func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			if strings.Contains(e.Message, "refuse") {
				return mcp.ElicitationResult{Action: mcp.ActionDecline}, nil
			}
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"name":"Ada"}`)}, nil
		},
		ElicitURL: func(_ context.Context, e *mcp.Elicitation) (mcp.Action, error) {
			if e.URL != "https://example.com/login" {
				return "", errors.New("unexpected " + e.URL)
			}
			return mcp.ActionAccept, nil
		},
	}
}

func TestOneSetOfFunctionsAnswersTheServerInEveryRevision(t *testing.T) {
	proves(t, "roots.list.result", "sampling.result.fields", "elicit.result.action", "elicit.result.content")
	type form struct {
		Name string `json:"name"`
		Age  int    `json:"age,omitempty" default:"36"`
	}
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "roots"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			roots, err := r.Roots(ctx)
			return fmt.Sprint(roots), err
		}),
		mcp.AddTool(s, mcp.Tool{Name: "sample"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			res, err := r.Sample(ctx, &mcp.Sampling{MaxTokens: 100, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text("hi")}}}})
			if err != nil {
				return "", err
			}
			return res.Text() + " " + res.Model + " " + string(res.Role) + " " + res.StopReason, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "form"}, func(ctx context.Context, r *mcp.Request, in struct {
			Message string `json:"message"`
		}) (string, error) {
			got, action, err := mcp.Elicit[form](ctx, r, in.Message)
			return fmt.Sprintf("%s %+v", action, got), err
		}),
		mcp.AddTool(s, mcp.Tool{Name: "url"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			answer, err := r.AskUser(ctx, &mcp.Elicitation{Message: "sign in", URL: "https://example.com/login", ID: "1"})
			if err != nil {
				return "", err
			}
			return string(answer.Action), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "rounds"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			first, err := r.Roots(ctx)
			if err != nil {
				return "", err
			}
			second, err := r.Roots(ctx)
			return fmt.Sprint(len(first), len(second)), err
		}),
	)
	eachClient(t, s, answering, func(t *testing.T, revision string, c *mcp.Client) {
		tests := []struct{ tool, args, want string }{
			{"roots", `{}`, "[{file:///src src}]"},
			{"sample", `{}`, "sampled hi m assistant endTurn"},
			{"rounds", `{}`, "1 1"},
		}
		if revision >= "2025-06-18" {
			tests = append(tests,
				struct{ tool, args, want string }{"form", `{"message":"who"}`, "accept {Name:Ada Age:36}"},
				struct{ tool, args, want string }{"form", `{"message":"refuse"}`, "decline {Name: Age:0}"})
		}
		if revision >= "2025-11-25" {
			tests = append(tests, struct{ tool, args, want string }{"url", `{}`, "accept"})
		}
		for _, test := range tests {
			got, err := mcp.CallTool[string](t.Context(), c, test.tool, json.RawMessage(test.args), nil)
			if err != nil || got != test.want {
				t.Errorf("%s: %q, %v, want %q", test.tool, got, err, test.want)
			}
		}
	})
}

func TestTasksAreWaitedForAndFoundAgain(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for _, transport := range []string{"pipe", "http"} {
			t.Run(revision+"/"+transport, func(t *testing.T) {
				s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Tasks: mcp.TaskOptions{PollInterval: 20 * time.Millisecond}})
				release := make(chan struct{}, 3)
				must(t,
					mcp.AddTool(s, mcp.Tool{Name: "slow", TaskSupport: mcp.TaskSupportOptional}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
						select {
						case <-release:
							return "done", nil
						case <-ctx.Done():
							return "", ctx.Err()
						}
					}),
					mcp.AddTool(s, mcp.Tool{Name: "asks", TaskSupport: mcp.TaskSupportRequired}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
						roots, err := r.Roots(ctx)
						if err != nil {
							return "", err
						}
						more, err := r.Roots(ctx)
						return fmt.Sprint(len(roots) + len(more)), err
					}))
				opts := answering()
				opts.Tasks = true
				var c *mcp.Client
				if transport == "pipe" {
					c = reach(t, s, revision, opts).Client
				} else {
					c = reachHTTP(t, s, revision, opts)
				}
				ctx := t.Context()
				for _, err := range c.Tools(ctx) {
					must(t, err)
				}
				// CallTool returns the same result for a task as for a normal call.
				if got, err := mcp.CallTool[string](ctx, c, "asks", nil, nil); err != nil || got != "2" {
					t.Fatalf("asks: %q, %v", got, err)
				}
				task, err := c.CallToolTask(ctx, "slow", nil, time.Minute, nil)
				if err != nil || task.ID() == "" {
					t.Fatalf("%+v, %v", task, err)
				}
				state, err := c.Task(task.ID()).State(ctx)
				if err != nil || state.Status != mcp.TaskStatusWorking || state.Created.IsZero() || state.TTL == 0 || state.PollInterval != 20*time.Millisecond {
					t.Errorf("state: %+v, %v", state, err)
				}
				release <- struct{}{}
				res, err := c.Task(task.ID()).Wait(ctx)
				if err != nil || res.Content[0].(*mcp.TextContent).Text != "done" {
					t.Errorf("result: %+v, %v", res, err)
				}
				if revision == "2025-11-25" {
					n := 0
					for _, err := range c.Tasks(ctx) {
						must(t, err)
						n++
					}
					if n != 2 {
						t.Errorf("%d tasks are listed", n)
					}
				}
				if task, err = c.CallToolTask(ctx, "slow", nil, 0, nil); err != nil {
					t.Fatal(err)
				}
				must(t, task.Cancel(ctx))
				if res, err := task.Wait(ctx); err == nil {
					t.Errorf("a cancelled task has the result %+v", res)
				}
			})
		}
	}
}

func TestSubscriptionsTellOfChanges(t *testing.T) {
	for _, revision := range revisions {
		for _, transport := range []string{"pipe", "http"} {
			t.Run(revision+"/"+transport, func(t *testing.T) {
				s := echoServer(t, nil)
				must(t, s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()))
				var c *mcp.Client
				if transport == "pipe" {
					c = reach(t, s, revision, mcp.ClientOptions{}).Client
				} else {
					c = reachHTTP(t, s, revision, mcp.ClientOptions{})
				}
				ctx := t.Context()
				sub, err := c.Subscribe(ctx, mcp.Filter{Tools: true, Prompts: true, URIs: []string{"x:a"}})
				must(t, err)
				if got := sub.Accepted(); !got.Tools || got.Prompts || got.Resources || !slices.Equal(got.URIs, []string{"x:a"}) {
					t.Errorf("accepted: %+v", got)
				}
				other, err := c.Subscribe(ctx, mcp.Filter{URIs: []string{"x:a"}})
				must(t, err)
				s.RemoveTools("panic")
				if got, err := sub.Next(ctx); err != nil || got != (mcp.Change{Kind: mcp.ChangeTools}) {
					t.Fatalf("%+v, %v", got, err)
				}
				s.ResourceUpdated("x:a")
				if got, err := sub.Next(ctx); err != nil || got != (mcp.Change{Kind: mcp.ChangeResource, URI: "x:a"}) {
					t.Fatalf("%+v, %v", got, err)
				}
				sub.Close()
				if _, err := sub.Next(ctx); !errors.Is(err, mcp.ErrClientClosed) {
					t.Errorf("after Close: %v", err)
				}
				if got, err := other.Next(ctx); err != nil || got.URI != "x:a" {
					t.Errorf("%+v, %v", got, err)
				}
				s.ResourceUpdated("x:a")
				if got, err := other.Next(ctx); err != nil || got.URI != "x:a" {
					t.Errorf("after another was closed: %+v, %v", got, err)
				}
			})
		}
	}
}

func TestACancellationNamesTheRequestAndItsReason(t *testing.T) {
	proves(t, "cancel.own-request", "cancel.request-id.required", "cancel.request-id.required-non-task", "stdio.cancel.notification", "cancel.client-signals", "cancel.in-progress")
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, nil)
	started := make(chan struct{})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		return "", nil
	}))
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			r := reach(t, s, revision, mcp.ClientOptions{})
			for range 260 { // so that the ID has several digits and does not fit into a byte
				must(t, r.Ping(t.Context()))
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			changed := errors.New("changed my mind")
			go func() {
				<-started
				cancel(changed)
			}()
			if _, err := r.CallTool(ctx, "wait", nil, nil); !errors.Is(err, changed) {
				t.Errorf("the error is %v", err)
			}
			must(t, r.Ping(t.Context())) // the ping is written after the cancellation
			var call struct{ ID json.Number }
			must(t, json.Unmarshal([]byte(r.tap.lines("tools/call")[0]), &call))
			want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"changed my mind"}}`, call.ID)
			if got := r.tap.lines("notifications/cancelled"); !slices.Equal(got, []string{want}) {
				t.Errorf("sent %q, want %q", got, want)
			}
		})
	}
}
