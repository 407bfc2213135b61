package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

const relatedTask = "io.modelcontextprotocol/related-task"

// works is a server with tools whose calls can be tasks.
type works struct{ stage }

// newWorks offers "work", which waits for a release or the end of its context;
// tools that end at once, each in its way; and "must", a task always.
func newWorks(t testing.TB, opts *mcp.ServerOptions) *works {
	t.Helper()
	if opts == nil {
		opts = &mcp.ServerOptions{}
	}
	opts.Capabilities.Logging = true
	g := &works{stage{Server: newServer(opts), began: make(chan *mcp.Request, 1000), release: make(chan string), ended: make(chan error, 1000)}}
	add := func(name string, support mcp.TaskSupport, f func(context.Context, *mcp.Request, struct{}) (string, error)) {
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: name, Task: support}, f))
	}
	add("work", mcp.TaskSupportOptional, g.work)
	add("plain", mcp.TaskSupportForbidden, says1("plain"))
	add("quick", mcp.TaskSupportOptional, says1("quick"))
	add("must", mcp.TaskSupportRequired, says1("must"))
	add("fail", mcp.TaskSupportOptional, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", errors.New("disk is full") })
	add("refuse", mcp.TaskSupportOptional, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", &mcp.Error{Code: -1, Message: "not today", Data: json.RawMessage(`{"retry":true}`)}
	})
	add("panic", mcp.TaskSupportOptional, func(context.Context, *mcp.Request, struct{}) (string, error) { panic("secret detail") })
	add("exit", mcp.TaskSupportOptional, exitTool)
	return g
}

func says1(text string) func(context.Context, *mcp.Request, struct{}) (string, error) {
	return func(context.Context, *mcp.Request, struct{}) (string, error) { return text, nil }
}

const (
	core   = "2025-11-25"
	latest = "2026-07-28"

	takesTasks = `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
)

// taskClient is a client of a server with tasks, over a pipe or over HTTP.
type taskClient interface {
	// call sends a request and returns its answer; what comes before that is
	// in said.
	call(method, members string) *message
	revision() string
	said() []*message
}

// taskMembers are the inside of params of a request of that revision.
func taskMembers(revision, members, capabilities string) string {
	if revision != latest {
		return members
	}
	if members != "" {
		members += ","
	}
	return members + metaWith(capabilities)
}

// pipeTasks is a taskClient at the end of a pipe.
type pipeTasks struct {
	*peer
	rev, caps string
	last      int
	heard     []*message
}

func (c *pipeTasks) revision() string { return c.rev }
func (c *pipeTasks) said() []*message { return c.heard }

// begin sends a request and returns its id.
func (c *pipeTasks) begin(method, members string) string {
	c.t.Helper()
	c.last++
	id := strconv.Itoa(1000 + c.last)
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, method, taskMembers(c.rev, members, c.caps)))
	return id
}

// answer reads until the answer to the request of that id.
func (c *pipeTasks) answer(id string) *message {
	c.t.Helper()
	for {
		m := c.receive()
		if m.Method == "" && string(m.ID) == id {
			return m
		}
		c.heard = append(c.heard, m)
	}
}

func (c *pipeTasks) call(method, members string) *message {
	c.t.Helper()
	return c.answer(c.begin(method, members))
}

// tasksOn connects a client of that revision to s.
func tasksOn(t testing.TB, s *mcp.Server, revision string) *pipeTasks {
	t.Helper()
	return tasksFor(context.Background(), t, s, revision, takesTasks)
}

func tasksFor(ctx context.Context, t testing.TB, s *mcp.Server, revision, capabilities string) *pipeTasks {
	t.Helper()
	c := &pipeTasks{peer: connectWith(ctx, t, s), rev: revision, caps: capabilities}
	if revision != latest {
		c.openWith(revision, capabilities)
	}
	return c
}

// webTasks is a taskClient over HTTP.
type webTasks struct {
	*web
	rev, caps string
	last      int
	heard     []*message
}

func (c *webTasks) revision() string { return c.rev }
func (c *webTasks) said() []*message { return c.heard }

// start posts a request with the headers that belong to it.
func (c *webTasks) start(method, members string) *answer {
	c.t.Helper()
	c.last++
	w := c.web
	if c.rev == latest {
		var p struct{ Name, TaskID string }
		json.Unmarshal([]byte("{"+members+"}"), &p)
		w = w.with("Mcp-Method: "+method, "Mcp-Name: "+p.Name+p.TaskID)
	}
	return w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, c.last, method, taskMembers(c.rev, members, c.caps)))
}

func (c *webTasks) call(method, members string) *message {
	c.t.Helper()
	a := c.start(method, members)
	for {
		if !a.events {
			return a.message()
		}
		m := a.receive()
		if m.Method == "" {
			return m
		}
		c.heard = append(c.heard, m)
	}
}

func tasksAt(endpoint *site, revision string, headers ...string) *webTasks {
	endpoint.t.Helper()
	w := endpoint.web()
	w = w.with(headers...)
	if revision == latest {
		w.session = revision
		w.head.Set("Mcp-Protocol-Version", revision)
	} else {
		w.initialize(revision, takesTasks)
	}
	return &webTasks{web: w, rev: revision, caps: takesTasks}
}

// eachTaskClient runs f on fake time for clients of both kinds of tasks, over
// a pipe and over HTTP. It fails if a goroutine is left.
func eachTaskClient(t *testing.T, opts func() *mcp.ServerOptions, f func(t *testing.T, g *works, c taskClient)) {
	for _, revision := range []string{core, latest} {
		for _, over := range []string{"a pipe", "HTTP", "a pipe as ada", "HTTP as ada"} {
			t.Run(revision+" over "+over, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					var o *mcp.ServerOptions
					if opts != nil {
						o = opts()
					}
					g := newWorks(t, o)
					switch over {
					case "a pipe":
						f(t, g, tasksOn(t, g.Server, revision))
					case "a pipe as ada":
						f(t, g, tasksAs(t, g.Server, revision, "ada"))
					case "HTTP":
						f(t, g, tasksAt(host(t, g.Server, nil), revision))
					default:
						f(t, g, tasksAt(host(t, g.Server, nil), revision, "Test-Principal: ada"))
					}
				})
			})
		}
	}
}

// createTask calls a tool as a task and returns the task. More are members of
// the task of 2025-11-25.
func createTask(t *testing.T, c taskClient, tool, more string) map[string]any {
	t.Helper()
	m := c.call("tools/call", callAsTask(c, tool, more))
	task := m.Result
	if c.revision() == core {
		task = object(m.Result["task"])
	}
	if id, _ := task["taskId"].(string); id == "" {
		t.Fatalf("no task: %s", m.line)
	}
	return task
}

func callAsTask(c taskClient, tool, more string) string {
	members := callParams(tool, "{}")
	if c.revision() == core {
		members += `,"task":{` + more + `}`
	}
	return members
}

// taskID is the member taskId of params.
func taskID(task map[string]any) string { return fmt.Sprintf(`"taskId":%q`, task["taskId"]) }

func getTask(t *testing.T, c taskClient, task map[string]any) map[string]any {
	t.Helper()
	m := c.call("tasks/get", taskID(task))
	if m.Error != nil || m.Result["taskId"] != task["taskId"] {
		t.Fatalf("tasks/get: %s", m.line)
	}
	return m.Result
}

// wantCode asserts that the answer is an error of that code and says more than
// nothing.
func wantCode(t *testing.T, m *message, code int) {
	t.Helper()
	if m.Error == nil || m.Error.Code != code || m.Error.Message == "" {
		t.Errorf("want error %d, got %s", code, m.line)
	}
}

// keys are the names of an object's members but the named ones, in order.
func keys(o map[string]any, but ...string) string {
	var names []string
	for name := range o {
		if !slices.Contains(but, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestACallBecomesATaskAndTheTaskHasItsResult(t *testing.T) {
	proves(t, "tasks.create.request", "tasks.create.result", "tasks.create.soon", "tasks.id.string", "tasks.id.receiver", "tasks.status.initial", "tasks.status.transitions",
		"tasks.time.created", "tasks.time.updated", "tasks.ttl.reported", "tasks.http-rules", "tasks.get.no-sse", "tasks.result.related", "tasks.related.not-in-results",
		"xtasks.server-decides", "xtasks.result-type.task", "xtasks.result-type.only-create", "xtasks.result-type.others-complete", "xtasks.create.flat",
		"xtasks.get.working", "xtasks.get.completed")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		m := c.call("tools/call", callAsTask(c, "work", `"ttl":60000,"taskId":"of the client","id":"of the client"`))
		task, ttl, poll, lasts := m.Result, "ttlMs", "pollIntervalMs", 3600000.0
		if c.revision() == core {
			task, ttl, poll, lasts = object(m.Result["task"]), "ttl", "pollInterval", 60000.0
			if keys(m.Result) != "task" {
				t.Errorf("created: %s", m.line)
			}
		} else if m.Result["resultType"] != "task" || m.Result["task"] != nil {
			t.Errorf("created: %s", m.line)
		}
		check := func(what string, task map[string]any, status string, more ...string) {
			t.Helper()
			want := []string{"createdAt", "lastUpdatedAt", poll, "status", "taskId", ttl}
			want = append(want, more...)
			slices.Sort(want)
			if got := keys(task, "resultType", "_meta"); got != strings.Join(want, " ") {
				t.Errorf("%s: members %s", what, got)
			}
			if task["status"] != status || task[ttl] != lasts || task[poll] != 1000.0 {
				t.Errorf("%s: %v", what, task)
			}
			for _, member := range []string{"createdAt", "lastUpdatedAt"} {
				if _, err := time.Parse(time.RFC3339, fmt.Sprint(task[member])); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			if kind := task["resultType"]; what != "created" && c.revision() == latest && kind != "complete" {
				t.Errorf("%s: resultType %v", what, kind)
			}
			if object(task["_meta"])[relatedTask] != nil {
				t.Errorf("%s: %v", what, task)
			}
		}
		check("created", task, "working")
		if id, _ := task["taskId"].(string); id == "" || id == "of the client" {
			t.Errorf("the task's id is %q", id)
		}
		check("got", getTask(t, c, task), "working")
		time.Sleep(time.Second)
		g.release <- "42"
		settle()
		if c.revision() == latest {
			got := getTask(t, c, task)
			check("got", got, "completed", "result")
			sameJSON(t, "result", got["result"], `{"content":[{"type":"text","text":"42"}],"resultType":"complete"}`)
			if got["lastUpdatedAt"] == got["createdAt"] {
				t.Errorf("never updated: %v", got)
			}
			return
		}
		check("got", getTask(t, c, task), "completed")
		m = c.call("tasks/result", taskID(task))
		sameJSON(t, "result", m.Result, fmt.Sprintf(`{"content":[{"type":"text","text":"42"}],"_meta":{%q:{%s}}}`, relatedTask, taskID(task)))
	})
}

func TestEachStateOfATaskHasItsTimes(t *testing.T) {
	proves(t, "tasks.time.created", "tasks.time.updated", "xtasks.create.flat", "xtasks.get.input-required")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		next := make(chan struct{})
		addTask(t, g.Server, "steps", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			<-next
			setStatus(r, "one step")
			<-next
			err := r.Ask(ctx, nameQuestion(t, ""))
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
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "stubborn", Task: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
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
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "becomes", Task: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
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

func TestATaskFailsAsItsCallWould(t *testing.T) {
	proves(t, "tasks.result.exact", "tasks.status.is-error-failed", "tasks.status.message", "tasks.error.informative",
		"xtasks.get.completed", "xtasks.get.failed", "xtasks.failed.only-jsonrpc", "xtasks.failed.message",
		"base.error.retired", "base.error.reserved-range.no-undefined")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		tagged := func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("tagged")}, Meta: mcp.Meta{"example.com/k": 1}}, nil
		}
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "tagged", Task: mcp.TaskSupportOptional}, tagged))
		failed := func(content ...mcp.Content) func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: content, IsError: true}, nil
			}
		}
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "silent", Task: mcp.TaskSupportOptional}, failed()),
			mcp.AddTool(g.Server, mcp.Tool{Name: "wordless", Task: mcp.TaskSupportOptional}, failed(mcp.Text(""), &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"})))
		for name, code := range map[string]int{"absent": -32002, "reserved": -32050, "own": 7} {
			must(t, mcp.AddTool(g.Server, mcp.Tool{Name: name, Task: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
				return "", &mcp.Error{Code: code, Message: "not today"}
			}))
		}
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "visit", Task: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("sign in", &mcp.Elicitation{Message: "?", URL: "https://example.com/", ID: "1"})
		}))
		for _, name := range []string{"quick", "tagged", "fail", "silent", "wordless", "absent", "reserved", "own", "visit", "refuse", "panic", "exit"} {
			// What the call is answered with when it is no task.
			plain := tasksFor(context.Background(), t, g.Server, c.revision(), `{}`)
			want := plain.call("tools/call", callParams(name, "{}"))
			task := createTask(t, c, name, "")
			settle()
			got := getTask(t, c, task)
			status := "completed"
			if want.Error != nil || c.revision() == core && want.Result["isError"] == true {
				status = "failed"
			}
			if got["status"] != status || (status == "failed") != (got["statusMessage"] != nil) {
				t.Errorf("%s: %v after %s", name, got, want.line)
			}
			if name == "fail" && c.revision() == core && got["statusMessage"] != "disk is full" {
				t.Errorf("%s: %v", name, got)
			}
			result, failure := object(got["result"]), got["error"]
			if c.revision() == core {
				m := c.call("tasks/result", taskID(task))
				result = m.Result
				if m.Error != nil {
					failure = map[string]any{"code": float64(m.Error.Code), "message": m.Error.Message}
					if m.Error.Data != nil {
						object(failure)["data"] = m.Error.Data
					}
				}
			}
			switch {
			case want.Error != nil:
				text, _ := json.Marshal(failure)
				if !strings.Contains(want.line, `"message":"`+want.Error.Message+`"`) || object(failure)["code"] != float64(want.Error.Code) ||
					object(failure)["message"] != want.Error.Message || fmt.Sprint(object(failure)["data"]) != fmt.Sprint(want.Error.Data) && want.Error.Data != nil || result != nil {
					t.Errorf("%s: error %s of %v, want that of %s", name, text, got, want.line)
				}
			default:
				if got, want := object(result["_meta"])["example.com/k"], object(want.Result["_meta"])["example.com/k"]; got != want {
					t.Errorf("%s: _meta of the result has %v, not %v", name, got, want)
				}
				delete(result, "_meta")
				delete(want.Result, "_meta")
				text, _ := json.Marshal(want.Result)
				sameJSON(t, name, any(result), string(text))
			}
			if strings.Contains(fmt.Sprint(got), "secret") {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}

func TestTheIDsOfTasksCannotBeGuessed(t *testing.T) {
	proves(t, "tasks.id.unique", "tasks.access.entropy", "xtasks.id.unguessable", "sec.handle.random")
	eachTaskClient(t, nil, func(t *testing.T, _ *works, c taskClient) {
		seen := map[string]bool{}
		same := [64]int{}
		const n = 200
		var first string
		for range n {
			id := createTask(t, c, "quick", "")["taskId"].(string)
			if seen[id] || len(id) < 26 {
				t.Fatalf("id %q", id)
			}
			if seen[id] = true; first == "" {
				first = id
			}
			for i := range min(len(id), len(first)) {
				if id[i] == first[i] {
					same[i]++
				}
			}
		}
		for i := range len(first) {
			if same[i] > n/4 {
				t.Errorf("%d of %d ids have %q at %d", same[i], n, first[i], i)
			}
		}
	})
}

func TestAToolIsATaskOnlyForAClientThatCanTakeOne(t *testing.T) {
	proves(t, "tasks.tool.forbidden-error", "tasks.tool.required-error", "tasks.can-require", "tools.execution.task-support",
		"xtasks.not-undeclared", "xtasks.undeclared-error", "xtasks.compat.not-under-2025-11", "xtasks.compat.legacy-capability", "xtasks.compat.task-param-ignored",
		"tasks.undeclared-ignored", "ext.mismatch", "ext.check-client")
	const asTask = `,"task":{"ttl":1000}`
	tests := []struct {
		revision, capabilities, tool, more string
		want                               string // text, task or the code of an error
	}{
		{core, `{}`, "plain", ``, "plain"},
		{core, `{}`, "quick", ``, "quick"},
		{core, `{}`, "must", ``, "-32601"},
		{core, `{}`, "plain", asTask, "-32601"},
		{core, `{}`, "quick", asTask, "task"},
		{core, `{}`, "must", asTask, "task"},
		{core, takesTasks, "quick", ``, "quick"},
		{core, takesTasks, "must", ``, "-32601"},
		{core, `{}`, "quick", `,"task":7`, "-32602"},
		{core, `{}`, "quick", `,"task":{"ttl":"long"}`, "-32602"},
		{latest, `{}`, "plain", ``, "plain"},
		{latest, `{}`, "quick", ``, "quick"},
		{latest, `{}`, "must", ``, "-32021"},
		{core, `{}`, "later", ``, "-32601"},
		{core, `{}`, "later", asTask, "later"},
		{latest, `{}`, "later", ``, "-32021"},
		{latest, takesTasks, "later", ``, "later"},
		{latest, takesTasks, "plain", ``, "plain"},
		{latest, takesTasks, "quick", ``, "task"},
		{latest, takesTasks, "must", ``, "task"},
		{latest, takesTasks, "plain", asTask, "plain"},
		{latest, `{"extensions":{"com.example/maps":{}}}`, "quick", ``, "quick"},
		{latest, `{"extensions":{"com.example/maps":{}}}`, "must", ``, "-32021"},
		{latest, `{"extensions":{"io.modelcontextprotocol/task":{},"io.modelcontextprotocol/tasks2":{}}}`, "quick", ``, "quick"},
		{latest, `{}`, "quick", asTask, "quick"},
		{latest, `{}`, "quick", `,"task":7`, "quick"},
		{latest, `{"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}`, "quick", asTask, "quick"},
		{latest, `{"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}`, "must", asTask, "-32021"},
		{"2025-06-18", takesTasks, "plain", asTask, "plain"},
		{"2025-06-18", takesTasks, "quick", asTask, "quick"},
		{"2025-06-18", takesTasks, "must", asTask, "must"},
		{"2024-11-05", `{}`, "must", ``, "must"},
	}
	for _, principal := range []string{"", "ada"} {
		ctx := context.Background()
		if principal != "" {
			ctx = mcp.WithPrincipal(ctx, principal)
		}
		bubble(t, func(t *testing.T) {
			g := newWorks(t, nil)
			must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "later", Task: mcp.TaskSupportRequired, TaskByHandler: true}, says1("later")))
			for _, test := range tests {
				c := tasksFor(ctx, t, g.Server, test.revision, test.capabilities)
				if test.revision == latest { // what another request declared does not count
					c.caps = takesTasks
					c.call("tools/call", callParams("quick", "{}"))
					c.caps = test.capabilities
				}
				m := c.call("tools/call", callParams(test.tool, "{}")+test.more)
				got := m.text()
				switch {
				case m.Error != nil:
					got = strconv.Itoa(m.Error.Code)
				case m.Result["task"] != nil || m.Result["resultType"] == "task":
					got = "task"
				}
				if got != test.want {
					t.Errorf("%+v: %s", test, m.line)
				}
				if got == "-32021" {
					sameJSON(t, m.line, any(m.Error.Data), `{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
				}
			}
			// Where no tool can be one, asking for a task means nothing.
			c := tasksOn(t, echoServer(t, nil), core)
			if m := c.call("tools/call", callParams("echo", `{"message":"x"}`)+asTask); m.text() != "x" {
				t.Error(m.line)
			}
		})
	}
}

func TestTasksAreDeclaredAsTheOptionsSay(t *testing.T) {
	proves(t, "tasks.capability", "xtasks.identifier")
	s := newServer(&mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Tasks: true}})
	eachTask := map[string]string{core: `{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`, latest: `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`}
	for _, revision := range revisions {
		for _, transport := range transportsOf(revision) {
			p, want := connectOver(t, s, revision, transport), eachTask[revision]
			var m *message
			if revision == latest {
				m = p.ask("1", "server/discover", "{"+metaWith("{}")+"}")
			} else {
				m = p.initialize(revision)
			}
			if want == "" {
				want = `{}`
			}
			if transport == "stateless" { // has no list of a client's tasks
				want = strings.Replace(want, `"list":{},`, ``, 1)
			}
			sameJSON(t, revision+" over "+transport, m.Result["capabilities"], want)
		}
	}
}

func TestTasksAreDeclaredWhereThereAreAny(t *testing.T) {
	proves(t, "tasks.capability", "tasks.no-capability-no-tasks", "xtasks.identifier", "xtasks.compat.legacy-not-advertised", "xtasks.compat.result-removed", "ext.off-by-default", "ext.capability-field")
	for _, has := range []bool{true, false} {
		s := echoServer(t, nil)
		must(t, s.AddExtension("com.example/maps", nil))
		if has {
			must(t, mcp.AddTool(s, mcp.Tool{Name: "task", Task: mcp.TaskSupportOptional}, says1("")))
		}
		for _, revision := range revisions {
			p := connect(t, s)
			var m *message
			if revision == latest {
				m = p.ask("0", "server/discover", "{"+metaWith("{}")+"}")
				if again := p.ask("0", "server/discover", "{"+metaWith(takesTasks)+"}"); again.line != m.line {
					t.Errorf("what a client declares changes %s into %s", m.line, again.line)
				}
				alone := newServer(&mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Tasks: has}})
				extensions := object(connect(t, alone).ask("0", "server/discover", "{"+metaWith("{}")+"}").Result["capabilities"])["extensions"]
				if (object(extensions)["io.modelcontextprotocol/tasks"] != nil) != has {
					t.Errorf("without other extensions: %v", extensions)
				}
			} else {
				m = p.initialize(revision)
			}
			caps := object(m.Result["capabilities"])
			wantCore, wantExtension := "null", "null"
			if revision >= "2025-06-18" {
				wantExtension = `{"com.example/maps":{}}`
			}
			if has && revision == core {
				wantCore = `{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`
			}
			if has && revision == latest {
				wantExtension = `{"com.example/maps":{},"io.modelcontextprotocol/tasks":{}}`
			}
			sameJSON(t, revision+" core", caps["tasks"], wantCore)
			sameJSON(t, revision+" extension", caps["extensions"], wantExtension)
			for _, method := range []string{"tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"} {
				params := `{"taskId":"x","inputResponses":{}}`
				if revision == latest {
					params = `{"taskId":"x","inputResponses":{},` + metaWith(takesTasks) + `}`
				}
				served := has && (revision == core && method != "tasks/update" || revision == latest && method != "tasks/result" && method != "tasks/list")
				if m := p.ask("1", method, params); (m.Error != nil && m.Error.Code == mcp.CodeMethodNotFound) == served {
					t.Errorf("%s has %s: %s", revision, method, m.line)
				}
			}
			// What a tool says of tasks.
			members := "{}"
			if revision == latest {
				members = "{" + metaWith(takesTasks) + "}"
			}
			if execution := tool(p.ask("2", "tools/list", members), "task")["execution"]; (execution != nil) != (has && revision == core) {
				t.Errorf("%s: execution %v", revision, execution)
			}
		}
	}
}

func TestTheTimeOfATask(t *testing.T) {
	proves(t, "tasks.ttl.override", "tasks.ttl.reported", "tasks.ttl.delete", "xtasks.ttl.server", "tasks.limits")
	tests := []struct {
		asked string
		want  time.Duration
	}{
		{``, time.Minute}, {`"ttl":1500`, 1500 * time.Millisecond}, {`"ttl":null`, time.Minute}, {`"ttl":1.5e3`, 1500 * time.Millisecond},
		{`"ttl":1`, time.Millisecond}, {`"ttl":59999`, 59999 * time.Millisecond}, {`"ttl":60001`, time.Minute}, {`"ttl":999999999999999999999`, time.Minute}, {`"ttl":-1`, time.Minute},
	}
	eachTaskClient(t, func() *mcp.ServerOptions {
		return &mcp.ServerOptions{Tasks: mcp.TaskOptions{TTL: time.Minute, PollInterval: time.Hour}}
	}, func(t *testing.T, g *works, c taskClient) {
		for _, test := range tests {
			task, member := createTask(t, c, "work", test.asked), "ttl"
			if c.revision() == latest {
				member, test.want = "ttlMs", time.Minute
			}
			if got := getTask(t, c, task)[member]; got != float64(test.want.Milliseconds()) {
				t.Errorf("%s: %v", test.asked, got)
			}
			<-g.began
			time.Sleep(test.want - time.Millisecond)
			if got := getTask(t, c, task)["status"]; got != "working" {
				t.Errorf("%s: %v before its time is over", test.asked, got)
			}
			time.Sleep(10 * time.Millisecond)
			if err := <-g.ended; err == nil {
				t.Errorf("%s: the handler goes on", test.asked)
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
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "stubborn", Task: mcp.TaskSupportOptional}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			<-ctx.Done()
			r.Progress(1, 2, "still here")
			r.Log(mcp.LevelError, "", "still here")
			setStatus(r, "still here")
			if err := r.Ask(ctx, &mcp.Elicitation{Message: "?", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}); err == nil {
				t.Error("a cancelled task could ask")
			}
			return <-stubborn, nil
		}))
		for _, name := range []string{"work", "stubborn"} {
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
				stubborn <- "done after all"
			}
			settle()
			got := getTask(t, c, task)
			if got["status"] != "cancelled" || got["statusMessage"] == nil || got["result"] != nil || strings.Contains(fmt.Sprint(got), "still") {
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

func TestTheResultOfATaskIsWaitedFor(t *testing.T) {
	proves(t, "tasks.result.blocks", "tasks.related.param-wins", "tasks.http-rules")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		c := tasksOn(t, g.Server, core)
		task, other := createTask(t, c, "work", ""), createTask(t, c, "quick", "")
		related := fmt.Sprintf(`,"_meta":{%q:{%s}}`, relatedTask, taskID(other))
		first, second := c.begin("tasks/result", taskID(task)+related), c.begin("tasks/result", taskID(task))
		settle()
		// Meanwhile everything else goes on.
		if m := c.call("tasks/get", taskID(task)+related); m.Result["status"] != "working" || m.Result["taskId"] != task["taskId"] {
			t.Error(m.line)
		}
		gone := c.begin("tasks/result", taskID(task))
		c.send(cancelLine(`{"requestId":` + gone + `}`))
		g.release <- "at last"
		for _, id := range []string{first, second} {
			m := c.answer(id)
			if m.text() != "at last" || object(object(m.Result["_meta"])[relatedTask])["taskId"] != task["taskId"] {
				t.Error(m.line)
			}
			// The second one may have come first.
			if id == first && slices.ContainsFunc(c.heard, func(m *message) bool { return string(m.ID) == second }) {
				break
			}
		}
		if m := c.call("tasks/cancel", taskID(other)+`,"_meta":{"`+relatedTask+`":{`+taskID(task)+`}}`); m.Error == nil {
			t.Error(m.line)
		}
		c.end()
	})
	bubble(t, func(t *testing.T) { // over HTTP: one answer, as JSON or on a stream that ends with it
		g := newWorks(t, nil)
		c := tasksAt(host(t, g.Server, nil), core)
		task := createTask(t, c, "work", "")
		go func() {
			time.Sleep(time.Minute)
			g.release <- "at last"
		}()
		a := c.start("tasks/result", taskID(task)).want(http.StatusOK)
		if m, before := a.response(); m.text() != "at last" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
	})
}

func TestTheIDsOfTasksAreDrawnFromASecureSource(t *testing.T) {
	proves(t, "tasks.access.entropy", "xtasks.id.unguessable", "sec.handle.random")
	for _, revision := range []string{core, latest} {
		t.Run(revision, func(t *testing.T) {
			// The same source makes the same ids, another one makes others.
			first, second := idsFrom(t, revision, 1), idsFrom(t, revision, 2)
			if again := idsFrom(t, revision, 1); !slices.Equal(first, again) {
				t.Errorf("ids that crypto/rand does not make: %q, then %q", first, again)
			}
			for i := range first {
				if first[i] == second[i] {
					t.Errorf("an id that crypto/rand does not make: %q", first[i])
				}
			}
		})
	}
}

// idsFrom makes tasks while crypto/rand draws from seed, and returns their ids.
func idsFrom(t *testing.T, revision string, seed uint64) (ids []string) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, seed)
		c := tasksOn(t, newWorks(t, nil).Server, revision)
		for range 3 {
			ids = append(ids, createTask(t, c, "quick", "")["taskId"].(string))
		}
	})
	return ids
}

func TestOnlyTasksCancelCancelsATask(t *testing.T) {
	proves(t, "cancel.not-for-tasks", "cancel.tasks-use-tasks-cancel")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		task := createTask(t, c, "work", "")
		// The call that made it has been answered: its id names nothing any more.
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
