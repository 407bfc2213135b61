package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestAHandlerAsksFirstAndThenBecomesATask(t *testing.T) {
	proves(t, "xtasks.create.mrtr-first", "xtasks.server-decides")
	for _, revision := range []string{core, latest} {
		for _, named := range []bool{true, false} {
			bubble(t, func(t *testing.T) {
				g := newWorks(t, nil)
				addTask(t, g.Server, "late", true, func(ctx context.Context, r *mcp.Request) (string, error) {
					if answer, err := r.AskUser(ctx, nameQuestion(t, "name")); err != nil || answer.Action != mcp.ActionAccept {
						return "no task", err
					}
					errs := make(chan error, 8)
					for range cap(errs) {
						go func() {
							ok, err := r.BecomeTask()
							if err == nil && !ok {
								err = errors.New("it is no task")
							}
							errs <- err
						}()
					}
					for range cap(errs) {
						if err := <-errs; err != nil {
							t.Errorf("BecomeTask: %v", err)
						}
					}
					setStatus(r, "begun")
					return g.work(ctx, r, struct{}{})
				})
				c := tasksOn(t, g.Server, revision)
				response := accepts("Ada")
				if !named {
					response = `{"action":"decline"}`
				}
				var m *message
				if revision == core {
					id := c.begin("tools/call", callAsTask(c, "late", ""))
					q := c.receive()
					if q.Method != "elicitation/create" || q.Params["_meta"] != nil { // the task does not exist yet
						t.Error(q.line)
					}
					c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, response))
					m = c.answer(id)
				} else {
					m = c.call("tools/call", callParams("late", "{}"))
					if m.Result["resultType"] != "input_required" {
						t.Fatal(m.line)
					}
					m = c.call("tools/call", fmt.Sprintf(`%s,"requestState":%q,"inputResponses":{"name":%s}`, callParams("late", "{}"), m.Result["requestState"], response))
				}
				if !named {
					if m.text() != "no task" {
						t.Error(m.line)
					}
					return
				}
				task := m.Result
				if revision == core {
					task = object(m.Result["task"])
				}
				settle()
				if got := getTask(t, c, task); got["status"] != "working" || got["statusMessage"] != "begun" {
					t.Error(got)
				}
				r := <-g.began
				g.release <- "done"
				settle()
				if got := getTask(t, c, task); got["status"] != "completed" {
					t.Error(got)
				}
				if _, err := r.BecomeTask(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestACallThatHasEndedBecomesNoTask(t *testing.T) {
	for _, revision := range []string{core, latest} {
		bubble(t, func(t *testing.T) {
			g := newWorks(t, nil)
			var request *mcp.Request
			addTask(t, g.Server, "late", true, func(ctx context.Context, r *mcp.Request) (string, error) {
				if request = r; r.Meta()["wait"] != nil {
					return g.work(ctx, r, struct{}{})
				}
				return "no task", nil
			})
			c := tasksOn(t, g.Server, revision)
			if m := c.call("tools/call", callAsTask(c, "late", "")); m.text() != "no task" {
				t.Fatal(m.line)
			}
			if _, err := request.BecomeTask(); err == nil {
				t.Error("a call became a task after it had been answered")
			}
			if revision == core {
				id := c.begin("tools/call", callAsTask(c, "late", "")+`,"_meta":{"wait":true}`)
				<-g.began
				c.send(cancelLine(`{"requestId":` + id + `}`))
				<-g.ended
				if _, err := request.BecomeTask(); err == nil {
					t.Error("a cancelled call became a task")
				}
				if m := c.call("tasks/list", ""); len(list(m.Result["tasks"])) != 0 {
					t.Error(m.line)
				}
			}
		})
	}
}

func TestProgressAndLogOfATask(t *testing.T) {
	proves(t, "log.request-scoped", "progress.task.token-lives", "progress.task.same-token", "progress.task.stop-terminal", "tasks.related.all", "xtasks.notify.no-progress", "tasks.notify")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		var request *mcp.Request
		addTask(t, g.Server, "talk", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			request = r
			g.work(ctx, r, struct{}{})
			r.Progress(1, 2, "half")
			r.Log(mcp.LevelError, "talk", "hm")
			setStatus(r, "halfway")
			return g.work(ctx, r, struct{}{})
		})
		// All notifications are sent to alone, which is the pipe, a stream of the session, or the
		// stream of a subscription.
		messages := func() []*message { return nil }
		members := callAsTask(c, "talk", "")
		var created *message
		if c.revision() == core {
			created = c.call("tools/call", members+`,"_meta":{"progressToken":"tok"}`)
		} else {
			meta := strings.Replace(metaWith(takesTasks), `"_meta":{`, `"_meta":{"progressToken":"tok","io.modelcontextprotocol/logLevel":"debug",`, 1)
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,%s}}`, members, meta)
			switch c := c.(type) {
			case *pipeTasks:
				c.send(line)
				created = c.answer("1")
			case *webTasks:
				created = c.with("Mcp-Method: tools/call", "Mcp-Name: talk").post(line).message()
			}
		}
		task := created.Result
		if c.revision() == core {
			task = object(task["task"])
		}
		switch client := c.(type) {
		case *pipeTasks:
			if c.revision() == latest {
				client.begin("subscriptions/listen", `"notifications":{"taskIds":[`+fmt.Sprintf("%q", task["taskId"])+`]}`)
			}
			messages = func() []*message { client.call("tasks/get", taskID(task)); return client.heard }
		case *webTasks:
			var a *answer
			if c.revision() == latest {
				a = client.start("subscriptions/listen", `"notifications":{"taskIds":[`+fmt.Sprintf("%q", task["taskId"])+`]}`)
			} else {
				a = client.do("GET", nil)
			}
			messages = func() []*message {
				for len(a.lines) > 0 {
					client.heard = append(client.heard, a.receive())
					settle()
				}
				return client.heard
			}
		}
		<-g.began
		settle()
		g.release <- ""
		<-g.began
		settle()
		g.release <- "done"
		settle()
		request.Progress(2, 2, "too late")
		request.Log(mcp.LevelError, "talk", "too late")
		setStatus(request, "too late")
		settle()
		var got []string
		for _, m := range messages() {
			if m.Method == "notifications/tools/list_changed" {
				continue
			}
			got = append(got, strings.TrimPrefix(m.Method, "notifications/"))
			switch m.Method {
			case "notifications/progress":
				if m.Params["progressToken"] != "tok" || object(object(m.Params["_meta"])[relatedTask])["taskId"] != task["taskId"] {
					t.Error(m.line)
				}
			case "notifications/message":
				if object(object(m.Params["_meta"])[relatedTask])["taskId"] != task["taskId"] {
					t.Error(m.line)
				}
			case "notifications/tasks/status", "notifications/tasks":
				got[len(got)-1] += fmt.Sprint(" ", m.Params["status"], " ", m.Params["statusMessage"])
			}
			if strings.Contains(m.line, "too late") {
				t.Error(m.line)
			}
		}
		want := "progress, message, tasks/status working halfway, tasks/status completed halfway"
		if c.revision() == latest {
			want = "subscriptions/acknowledged, tasks working half, tasks working halfway, tasks completed halfway"
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
		}
	})
}

func TestASubscriptionHearsOfTasks(t *testing.T) {
	proves(t, "subs.ack.first", "subs.ack.nothing-before", "subs.ack.subset", "xtasks.notify", "xtasks.error.undeclared", "xtasks.auth.each-request", "meta.notification.subscription-id", "ext.mismatch")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		c := tasksOn(t, g.Server, latest)
		done, task := createTask(t, c, "quick", ""), createTask(t, c, "work", "")
		theirs := createTask(t, tasksFor(mcp.WithPrincipal(context.Background(), "bob"), t, g.Server, latest, takesTasks), "quick", "")
		settle()
		ids := fmt.Sprintf(`"notifications":{"taskIds":[%q,%q,%q,"nobody"]}`, done["taskId"], task["taskId"], theirs["taskId"])
		c.caps = `{}`
		for _, one := range []any{done["taskId"], theirs["taskId"], "nobody"} {
			wantCode(t, c.call("subscriptions/listen", fmt.Sprintf(`"notifications":{"toolsListChanged":true,"taskIds":[%q]}`, one)), mcp.CodeMissingCapability)
		}
		m := c.call("subscriptions/listen", ids)
		wantCode(t, m, mcp.CodeMissingCapability)
		sameJSON(t, m.line, any(m.Error.Data), `{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
		c.caps = takesTasks
		id := c.begin("subscriptions/listen", ids)
		m = c.receive()
		if m.Method != "notifications/subscriptions/acknowledged" || fmt.Sprint(object(m.Params["notifications"])["taskIds"]) != fmt.Sprint([]any{done["taskId"], task["taskId"]}) {
			t.Error(m.line)
		}
		// If a task has ended before the subscription, its state is sent immediately.
		ended := c.receive()
		same := func(m *message, want map[string]any) {
			t.Helper()
			delete(want, "_meta")
			delete(want, "resultType")
			if m.Method != "notifications/tasks" || fmt.Sprint(subscriptionID(m)) != id {
				t.Error(m.line)
			}
			delete(m.Params, "_meta")
			text, _ := json.Marshal(want)
			sameJSON(t, m.line, any(m.Params), string(text))
		}
		same(ended, getTask(t, c, done))
		g.release <- "42"
		m = c.receive()
		same(m, getTask(t, c, task))
		if m.Params["status"] != "completed" {
			t.Error(m.line)
		}
	})
}

// The error of a tool is a result, and the task is completed. After any other error, the task has
// failed.
func TestASubscriptionHearsHowTasksEnd(t *testing.T) {
	proves(t, "xtasks.failed.only-jsonrpc", "xtasks.notify")
	tests := []struct {
		name, status string
		end          func() (string, error)
	}{
		{"a text", "completed", func() (string, error) { return "done", nil }},
		{"an error of the tool", "completed", func() (string, error) { return "", errors.New("disk is full") }},
		{"an error of the protocol", "failed", func() (string, error) { return "", &mcp.Error{Code: -1, Message: "not today"} }},
		{"a panic", "failed", func() (string, error) { panic("secret detail") }},
	}
	for _, when := range []string{"before the subscription", "during it"} {
		for _, test := range tests {
			t.Run(test.name+" "+when, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newWorks(t, &mcp.ServerOptions{Logger: slog.New(slog.DiscardHandler)})
					release := make(chan bool)
					addTask(t, g.Server, "ends", false, func(context.Context, *mcp.Request) (string, error) {
						<-release
						return test.end()
					})
					c := tasksOn(t, g.Server, latest)
					task := createTask(t, c, "ends", "")
					if when == "before the subscription" {
						release <- true
						settle()
					}
					c.begin("subscriptions/listen", fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, task["taskId"]))
					if m := c.receive(); m.Method != "notifications/subscriptions/acknowledged" {
						t.Error(m.line)
					}
					if when == "during it" {
						release <- true
					}
					m := c.receive()
					_, result := m.Params["result"]
					_, failed := m.Params["error"]
					if m.Method != "notifications/tasks" || m.Params["status"] != test.status || result != (test.status == "completed") || failed == result {
						t.Error(m.line)
					}
				})
			})
		}
	}
}

// setStatus sets the status message if r is a task.
func setStatus(r *mcp.Request, message string) {
	r.SetStatusMessage(message)
}
