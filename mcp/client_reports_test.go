package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestTheProgressOfATaskIsDelivered uses a tool whose calls are tasks. It reports progress while
// its caller waits, for each way to make the call.
func TestTheProgressOfATaskIsDelivered(t *testing.T) {
	proves(t, "progress.task.token-lives", "progress.track-tokens")
	for _, method := range []string{"CallTool", "CallToolTask"} {
		for _, transport := range []string{"pipe", "http"} {
			t.Run(method+" "+transport, func(t *testing.T) {
				s, step := newServer(nil), make(chan bool)
				must(t, mcp.AddTool(s, mcp.Tool{Name: "tool", TaskSupport: mcp.TaskSupportRequired}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
					for i := range 3 {
						<-step
						r.Progress(float64(i+1), 3, fmt.Sprint("step ", i+1))
					}
					<-step
					return "done", nil
				}))
				var c *mcp.Client
				if transport == "http" {
					c = reachHTTP(t, s, core, mcp.ClientOptions{})
				} else {
					c = reach(t, s, core, mcp.ClientOptions{}).Client
				}
				must(t, lastOf(c.Tools(t.Context())))
				got, failed := make(chan mcp.Progress, 3), make(chan error, 1)
				opts := &mcp.CallOptions{Progress: func(p mcp.Progress) { got <- p }}
				go func() {
					var res *mcp.CallToolResult
					var err error
					if method == "CallTool" {
						res, err = c.CallTool(t.Context(), "tool", nil, opts)
					} else {
						var task *mcp.Task
						if task, err = c.CallToolTask(t.Context(), "tool", nil, time.Minute, opts); err == nil {
							res, err = task.Wait(t.Context())
						}
					}
					if err == nil && textOf(res) != "done" {
						err = errors.New(textOf(res))
					}
					failed <- err
				}()
				for i := range 3 {
					step <- true
					if p, want := <-got, (mcp.Progress{Progress: float64(i + 1), Total: 3, Message: fmt.Sprint("step ", i+1)}); p != want {
						t.Errorf("got %v, want %v", p, want)
					}
				}
				step <- true
				must(t, <-failed)
			})
		}
	}
}

// taskOf returns the state of a task as a server of revision 2025-11-25 sends
// it.
func taskOf(id int, status string) string {
	return fmt.Sprintf(`"taskId":"t%d","status":%q,"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000,"pollInterval":1000`, id, status)
}

// A reportedTask is a task on a simulated server, together with the reports that its Progress
// function has received.
type reportedTask struct {
	*mcp.Task
	id    int
	token string
	p     *mcptest.Peer
	got   []float64
}

// startReported calls a tool as a task. The server reports progress at the same moment as it
// answers.
func startReported(t *testing.T, p *mcptest.Peer, c *mcp.Client, id int) *reportedTask {
	t.Helper()
	r := &reportedTask{id: id, p: p}
	failed := make(chan error)
	go func() {
		var err error
		r.Task, err = c.CallToolTask(t.Context(), "tool", nil, time.Minute, &mcp.CallOptions{Progress: func(p mcp.Progress) { r.got = append(r.got, p.Progress) }})
		failed <- err
	}()
	m := p.Expect("tools/call")
	r.token = string(m.ID)
	r.report(1)
	p.Reply(m, `{"task":{`+taskOf(id, "working")+`}}`)
	r.report(2)
	must(t, <-failed)
	synctest.Wait()
	if !slices.Equal(r.got, []float64{1, 2}) {
		t.Errorf("task %d: got %v at the beginning", id, r.got)
	}
	r.got = nil
	return r
}

func (r *reportedTask) report(progress float64) {
	r.p.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":%v,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t%d"}}}`, r.token, progress, r.id))
}

// hears reports whether the Progress function is still called.
func (r *reportedTask) hears(progress float64) bool {
	before := len(r.got)
	r.report(progress)
	synctest.Wait()
	return len(r.got) > before
}

// TestTheProgressOfATaskEndsWithIt checks that reports are passed on until the client learns that
// the task has ended.
func TestTheProgressOfATaskEndsWithIt(t *testing.T) {
	proves(t, "progress.task.stop-terminal", "progress.monotonic")
	reply := func(r *reportedTask, method, result string) {
		r.p.Reply(r.p.Expect(method), result)
	}
	for name, end := range map[string]func(t *testing.T, c *mcp.Client, r *reportedTask){
		"State": func(t *testing.T, _ *mcp.Client, r *reportedTask) {
			go reply(r, "tasks/get", `{`+taskOf(1, "failed")+`}`)
			_, err := r.State(t.Context())
			must(t, err)
		},
		"State of another handle": func(t *testing.T, c *mcp.Client, r *reportedTask) {
			go reply(r, "tasks/get", `{`+taskOf(1, "completed")+`}`)
			_, err := c.Task(r.ID()).State(t.Context())
			must(t, err)
		},
		"Cancel": func(t *testing.T, _ *mcp.Client, r *reportedTask) {
			go reply(r, "tasks/cancel", `{`+taskOf(1, "cancelled")+`}`)
			must(t, r.Cancel(t.Context()))
		},
		"Wait": func(t *testing.T, _ *mcp.Client, r *reportedTask) {
			go func() {
				reply(r, "tasks/get", `{`+taskOf(1, "completed")+`}`)
				reply(r, "tasks/result", `{"content":[]}`)
			}()
			_, err := r.Wait(t.Context())
			must(t, err)
		},
		"Wait for a question": func(t *testing.T, _ *mcp.Client, r *reportedTask) {
			go func() {
				reply(r, "tasks/get", `{`+taskOf(1, "input_required")+`}`)
				reply(r, "tasks/result", `{"content":[]}`)
			}()
			_, err := r.Wait(t.Context())
			must(t, err)
		},
		"notification": func(_ *testing.T, _ *mcp.Client, r *reportedTask) {
			r.p.Notify("notifications/tasks/status", `{`+taskOf(1, "completed")+`}`)
			synctest.Wait()
		},
		"Close": func(t *testing.T, c *mcp.Client, r *reportedTask) {
			r.p.Close()
			must(t, c.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, c := played(t, core, mcp.ClientOptions{})
				r := startReported(t, p, c, 1)
				p.Notify("notifications/tasks/status", `{`+taskOf(1, "working")+`}`)
				if !r.hears(3) || r.hears(3) || r.hears(2.5) || !r.hears(4) {
					t.Errorf("got %v before the end", r.got)
				}
				go func() { // a task that continues after this test
					p.Reply(p.Expect("tasks/get"), `{`+taskOf(1, "working")+`}`)
				}()
				_, err := r.State(t.Context())
				must(t, err)
				if !r.hears(5) {
					t.Error("a look at the state ended the reports")
				}
				end(t, c, r)
				if r.hears(6) {
					t.Error("heard of progress after the end")
				}
			})
		})
	}
}

// Wait returns after all reports that arrived before the end have been passed on, one at a time and
// in order.
func TestWaitReturnsAfterTheProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, core, mcp.ClientOptions{Limits: mcp.ClientLimits{MaxReports: 2}})
		release, got := make(chan bool), []float64{}
		failed := make(chan error, 1)
		go func() {
			_, err := callAndWait(t.Context(), c, func(p mcp.Progress) {
				<-release
				got = append(got, p.Progress)
			})
			failed <- err
		}()
		m := p.Expect("tools/call")
		p.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":0}`, m.ID))
		synctest.Wait()
		p.Reply(m, `{"task":{`+taskOf(1, "working")+`}}`)
		for i := range 5 { // the report from before the task is being passed on, and two reports wait
			p.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":%d}`, m.ID, i+1))
			synctest.Wait()
		}
		release <- true
		p.Reply(p.Expect("tasks/get"), `{`+taskOf(1, "completed")+`}`)
		p.Reply(p.Expect("tasks/result"), `{"content":[]}`)
		for range 2 {
			synctest.Wait()
			if len(failed) > 0 {
				t.Fatal("Wait has returned too early")
			}
			release <- true
		}
		must(t, <-failed)
		if !slices.Equal(got, []float64{0, 4, 5}) {
			t.Errorf("got %v", got)
		}
	})
}

func callAndWait(ctx context.Context, c *mcp.Client, progress func(mcp.Progress)) (*mcp.CallToolResult, error) {
	task, err := c.CallToolTask(ctx, "tool", nil, time.Minute, &mcp.CallOptions{Progress: progress})
	if err != nil {
		return nil, err
	}
	return task.Wait(ctx)
}

// Tasks that the caller no longer uses must not accumulate.
func TestTheOldestTasksReportNoMoreProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, core, mcp.ClientOptions{Limits: mcp.ClientLimits{MaxEvents: 3}})
		var tasks []*reportedTask
		for i := range 8 {
			tasks = append(tasks, startReported(t, p, c, i))
		}
		for i, r := range tasks {
			if heard := r.hears(3); heard != (i >= 5) {
				t.Errorf("task %d: heard %t", i, heard)
			}
		}
	})
}

// In revision 2026-07-28, tasks send no progress. The message of a report becomes the status
// message, unless the handler sets one.
func TestTheProgressOfATaskBecomesItsStatus(t *testing.T) {
	proves(t, "xtasks.notify.no-progress")
	for _, rate := range []int{-1, 2} {
		bubble(t, func(t *testing.T) {
			s, step := newServer(&mcp.ServerOptions{Limits: mcp.Limits{MaxNotificationRate: rate}}), make(chan func(*mcp.Request))
			must(t, mcp.AddTool(s, mcp.Tool{Name: "tool", TaskSupport: mcp.TaskSupportOptional}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
				for f := range step {
					f(r)
				}
				return "done", nil
			}))
			c := reach(t, s, latest, mcp.ClientOptions{Tasks: true}).Client
			begin := func() (*mcp.Task, func(want string, f func(r *mcp.Request))) {
				step = make(chan func(*mcp.Request))
				task, err := c.CallToolTask(t.Context(), "tool", nil, 0, &mcp.CallOptions{Progress: func(p mcp.Progress) { t.Errorf("progress %v", p) }})
				must(t, err)
				return task, func(want string, f func(r *mcp.Request)) {
					t.Helper()
					if f != nil {
						step <- f
					} else {
						close(step)
					}
					settle()
					state, err := task.State(t.Context())
					must(t, err)
					if state.StatusMessage != want {
						t.Errorf("rate %d: got status %q, want %q", rate, state.StatusMessage, want)
					}
				}
			}
			task, then := begin()
			then("one", func(r *mcp.Request) { r.Progress(1, 9, "one") })
			then("one", func(r *mcp.Request) { r.Progress(1, 9, "as before") })
			then("one", func(r *mcp.Request) { r.Progress(math.NaN(), 9, "NaN") })
			many := "9"
			if rate > 0 {
				many = "2" // the other reports are not sent yet
			}
			then(many, func(r *mcp.Request) {
				for i := 2; i < 10; i++ {
					r.Progress(float64(i), 9, fmt.Sprint(i))
				}
			})
			then("9", nil)
			res, err := task.Wait(t.Context())
			if must(t, err); textOf(res) != "done" {
				t.Error(textOf(res))
			}
			time.Sleep(time.Second) // fake time
			_, then = begin()
			then("one", func(r *mcp.Request) { r.Progress(1, 9, "one") })
			then("mine", func(r *mcp.Request) { r.SetStatusMessage("mine") })
			then("mine", func(r *mcp.Request) {
				for i := 2; i < 10; i++ {
					r.Progress(float64(i), 9, fmt.Sprint(i))
				}
			})
			then("mine", nil)
		})
	}
}

// TestErrorsNameTheOptionForTasks checks that a client without ClientOptions.Tasks gets an error
// that mentions this option.
func TestErrorsNameTheOptionForTasks(t *testing.T) {
	s := newServer(nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "must", TaskSupport: mcp.TaskSupportRequired}, says1("done")))
	c := reach(t, s, latest, mcp.ClientOptions{}).Client
	_, err := c.CallTool(t.Context(), "must", nil, nil)
	if e, ok := errors.AsType[*mcp.Error](err); !ok || e.Code != mcp.CodeMissingCapability || !strings.Contains(err.Error(), "ClientOptions.Tasks") {
		t.Errorf("CallTool: %v", err)
	}
	if _, err = c.CallToolTask(t.Context(), "must", nil, 0, nil); err == nil || !strings.Contains(err.Error(), "ClientOptions.Tasks") {
		t.Errorf("CallToolTask: %v", err)
	}
	p, c := played(t, latest, mcp.ClientOptions{})
	failed := calling(t, c, nil)
	m := p.Expect("tools/call")
	p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32021,"message":"x","data":{"requiredCapabilities":{"extensions":{"com.example/maps":{}}}}}}`, m.ID))
	if err := <-failed; err == nil || strings.Contains(err.Error(), "ClientOptions.Tasks") {
		t.Errorf("another extension: %v", err)
	}
}

func textOf(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}
