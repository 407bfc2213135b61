package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestEachStateOfATaskHasItsTimes(t *testing.T) {
	proves(t, "tasks.time.created", "tasks.time.updated", "xtasks.create.flat", "xtasks.get.input-required")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		next := make(chan struct{})
		addTask(t, g.Server, "steps", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			<-next
			setStatus(r, "one step")
			<-next
			err := askOnly(ctx, r, nameQuestion(t, ""))
			return "asked", err
		})
		task := createTask(t, c, "steps", "")
		began, err := time.Parse(time.RFC3339, fmt.Sprint(task["createdAt"]))
		must(t, err)
		for i, status := range []string{"working", "working", "input_required", "cancelled"} {
			got := getTask(t, c, task)
			updated, err := time.Parse(time.RFC3339, fmt.Sprint(got["lastUpdatedAt"]))
			if got["status"] != status || got["createdAt"] != task["createdAt"] || err != nil || updated.Truncate(time.Second).Sub(began.Truncate(time.Second)) != time.Duration(i)*time.Second {
				t.Errorf("state %d: %v", i, got)
			}
			time.Sleep(time.Second)
			switch i {
			case 0, 1:
				next <- struct{}{}
			case 2:
				c.call("tasks/cancel", taskID(task))
			}
			settle()
		}
	})
}

func TestATaskThatTookTooLongStaysFailed(t *testing.T) {
	proves(t, "tasks.status.terminal")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{TTL: time.Second}})
		release := make(chan struct{})
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "stubborn", TaskSupport: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			<-release
			return "done after all", nil
		}))
		c := tasksOn(t, g.Server, core)
		createTask(t, c, "stubborn", "")
		time.Sleep(2 * time.Second)
		close(release)
		settle()
		c.call("ping", "")
		var statuses []string
		for _, m := range c.said() {
			statuses = append(statuses, fmt.Sprint(m.Params["status"]))
		}
		if fmt.Sprint(statuses) != "[failed]" {
			t.Errorf("the client heard of %v", statuses)
		}
	})
}

func TestATaskThatEndsAtOnceBeganAsWorking(t *testing.T) {
	proves(t, "tasks.status.initial")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "becomes", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			_, err := r.BecomeTask()
			return "", err
		}))
		for range 50 {
			for _, tool := range []string{"quick", "becomes"} {
				if task := createTask(t, c, tool, ""); task["status"] != "working" {
					t.Fatalf("created as %v", task)
				}
			}
		}
	})
}

func TestTheTimeOfATask(t *testing.T) {
	proves(t, "tasks.ttl.override", "tasks.ttl.reported", "tasks.ttl.delete", "xtasks.ttl.server", "tasks.limits")
	tests := []struct {
		request string
		want    time.Duration
	}{
		{``, time.Minute}, {`"ttl":1500`, 1500 * time.Millisecond}, {`"ttl":null`, time.Minute}, {`"ttl":1.5e3`, 1500 * time.Millisecond},
		{`"ttl":1`, time.Millisecond}, {`"ttl":59999`, 59999 * time.Millisecond}, {`"ttl":60001`, time.Minute}, {`"ttl":999999999999999999999`, time.Minute}, {`"ttl":-1`, time.Minute},
	}
	eachTaskClient(t, func() *mcp.ServerOptions {
		return &mcp.ServerOptions{Tasks: mcp.TaskOptions{TTL: time.Minute, PollInterval: time.Hour}}
	}, func(t *testing.T, g *works, c taskClient) {
		for _, test := range tests {
			task, member := createTask(t, c, "work", test.request), "ttl"
			if c.revision() == latest {
				member, test.want = "ttlMs", time.Minute
			}
			if got := getTask(t, c, task)[member]; got != float64(test.want.Milliseconds()) {
				t.Errorf("%s: %v", test.request, got)
			}
			<-g.began
			time.Sleep(test.want - time.Millisecond)
			if got := getTask(t, c, task)["status"]; got != "working" {
				t.Errorf("%s: %v before its time is over", test.request, got)
			}
			time.Sleep(10 * time.Millisecond)
			if err := <-g.ended; err == nil {
				t.Errorf("%s: the handler goes on", test.request)
			}
			settle()
			wantCode(t, c.call("tasks/get", taskID(task)), mcp.CodeInvalidParams)
		}
	})
}

func TestWhoWaitsForATaskIsReportedThatItsTimeIsOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		c := tasksOn(t, g.Server, core)
		task := createTask(t, c, "work", `"ttl":5000`)
		start := time.Now()
		m := c.call("tasks/result", taskID(task))
		wantCode(t, m, mcp.CodeInternalError)
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("after %v", took)
		}
	})
}

func TestACancelledTaskStaysCancelled(t *testing.T) {
	proves(t, "tasks.cancel.terminal", "tasks.cancel.stop", "tasks.cancel.status-first", "tasks.cancel.sticks", "tasks.status.terminal", "tasks.status.transitions",
		"xtasks.cancel.ack", "xtasks.get.working", "xtasks.result-type.others-complete", "xtasks.result-type.only-create", "progress.task.stop-terminal")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		stubborn := make(chan string)
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "stubborn", TaskSupport: mcp.TaskSupportOptional}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			<-ctx.Done()
			r.Progress(1, 2, "still here")
			r.Log(mcp.LevelError, "", "still here")
			setStatus(r, "still here")
			if err := askOnly(ctx, r, &mcp.Elicitation{Message: "?", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}); err == nil {
				t.Error("a cancelled task could ask")
			}
			if end := <-stubborn; end != "broken after all" {
				return end, nil
			}
			return "", &mcp.Error{Code: -1, Message: "broken after all"}
		}))
		for _, name := range []string{"work", "stubborn", "broken"} {
			end := "done after all"
			if name == "broken" {
				name, end = "stubborn", "broken after all"
			}
			task := createTask(t, c, name, "")
			m := c.call("tasks/cancel", taskID(task))
			if c.revision() == core {
				if m.Result["status"] != "cancelled" || m.Result["taskId"] != task["taskId"] || object(m.Result["_meta"])[relatedTask] != nil {
					t.Error(m.line)
				}
			} else if keys(m.Result) != "_meta resultType" || m.Result["resultType"] != "complete" {
				t.Error(m.line)
			}
			if m := c.call("tasks/get", taskID(task)); m.Result["status"] != "cancelled" {
				t.Errorf("right after its cancellation: %s", m.line)
			}
			if name == "work" {
				if err := <-g.ended; err == nil {
					t.Error("the handler was not stopped")
				}
			} else {
				settle()
				stubborn <- end
			}
			settle()
			got := getTask(t, c, task)
			if got["status"] != "cancelled" || got["statusMessage"] == nil || got["result"] != nil || got["error"] != nil || strings.Contains(fmt.Sprint(got), "still") {
				t.Errorf("%s: %v", name, got)
			}
			m = c.call("tasks/cancel", taskID(task))
			if c.revision() == core {
				wantCode(t, m, mcp.CodeInvalidParams)
				if m := c.call("tasks/result", taskID(task)); m.Error == nil {
					t.Error(m.line)
				}
			} else if m.Error != nil {
				t.Error(m.line)
			}
		}
		for name, want := range map[string]string{"quick": "completed", "refuse": "failed", "panic": "failed"} {
			done := createTask(t, c, name, "")
			settle()
			before := getTask(t, c, done)
			m := c.call("tasks/cancel", taskID(done))
			if c.revision() == core {
				wantCode(t, m, mcp.CodeInvalidParams)
				if !strings.Contains(m.Error.Message, want) {
					t.Errorf("%s: %s", name, m.line)
				}
			} else if keys(m.Result) != "_meta resultType" || m.Result["resultType"] != "complete" {
				t.Errorf("%s: %s", name, m.line)
			}
			if got := getTask(t, c, done); got["status"] != want || fmt.Sprint(got) != fmt.Sprint(before) {
				t.Errorf("%s: %v, before %v", name, got, before)
			}
		}
		for _, m := range c.said() {
			if strings.Contains(m.line, "still here") {
				t.Errorf("after the end: %s", m.line)
			}
		}
	})
}

func TestOnlyTasksCancelCancelsATask(t *testing.T) {
	proves(t, "cancel.not-for-tasks", "cancel.tasks-use-tasks-cancel")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		task := createTask(t, c, "work", "")
		// The call that created the task has been answered, so its ID no longer identifies a
		// request.
		cancel := func(id int) string { return cancelLine(fmt.Sprintf(`{"requestId":%d}`, id)) }
		switch c := c.(type) {
		case *pipeTasks:
			c.send(cancel(1000 + c.last))
			c.send(cancelLine(`{` + taskID(task) + `}`))
			c.send(cancelLine(fmt.Sprintf(`{"requestId":%q}`, task["taskId"])))
		case *webTasks:
			w := c.with("Mcp-Method: notifications/cancelled")
			w.post(cancel(c.last)).want(http.StatusAccepted)
			w.post(cancelLine(fmt.Sprintf(`{"requestId":%q}`, task["taskId"]))).want(http.StatusAccepted)
		}
		settle()
		if got := getTask(t, c, task); got["status"] != "working" || len(g.ended) > 0 {
			t.Errorf("after notifications/cancelled: %v", got)
		}
		if m := c.call("tasks/cancel", taskID(task)); m.Error != nil {
			t.Error(m.line)
		}
		settle()
		if got := getTask(t, c, task); got["status"] != "cancelled" || len(g.ended) != 1 {
			t.Errorf("after tasks/cancel: %v", got)
		}
		for _, m := range c.said() {
			if m.Method == "notifications/cancelled" || m.Params["task"] != nil {
				t.Errorf("the server makes no tasks of the client's, and cancels none: %s", m.line)
			}
		}
	})
}
