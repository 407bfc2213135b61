package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

const relatedTask = "io.modelcontextprotocol/related-task"

// works is a server with tools whose calls can be tasks.
type works struct{ stage }

// newWorks returns a server with the tools "work", which waits until it is released or its context
// is done; tools that end immediately, each in a different way; and "must", whose calls are always
// tasks.
func newWorks(t testing.TB, opts *mcp.ServerOptions) *works {
	t.Helper()
	if opts == nil {
		opts = &mcp.ServerOptions{}
	}
	opts.Capabilities.Logging = true
	g := &works{stage{Server: newServer(opts), began: make(chan *mcp.Request, 1000), release: make(chan string), ended: make(chan error, 1000)}}
	add := func(name string, support mcp.TaskSupport, f func(context.Context, *mcp.Request, struct{}) (string, error)) {
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: name, TaskSupport: support}, f))
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
	// call sends a request and returns the response. said returns the messages that arrive before
	// it.
	call(method, members string) *message
	revision() string
	said() []*message
}

// taskMembers returns the members of params for a request in the given
// revision.
func taskMembers(revision, members, capabilities string) string {
	if revision != latest {
		return members
	}
	if members != "" {
		members += ","
	}
	return members + metaWith(capabilities)
}

// pipeTasks is a taskClient over a pipe.
type pipeTasks struct {
	*peer
	rev, caps string
	last      int
	heard     []*message
}

func (c *pipeTasks) revision() string { return c.rev }
func (c *pipeTasks) said() []*message { return c.heard }

// begin sends a request and returns its ID.
func (c *pipeTasks) begin(method, members string) string {
	c.t.Helper()
	c.last++
	id := strconv.Itoa(1000 + c.last)
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, method, taskMembers(c.rev, members, c.caps)))
	return id
}

// answer reads messages until the response to the request with the given ID.
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

// tasksOn connects a client of the given revision to s.
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

// eachTaskClient runs f in fake time for clients with both kinds of tasks, over a pipe and over
// HTTP. The test fails if a goroutine is still running afterwards.
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

// createTask calls a tool as a task and returns the task. more contains additional members of task
// in revision 2025-11-25.
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

// taskID returns the member taskId of params.
func taskID(task map[string]any) string { return fmt.Sprintf(`"taskId":%q`, task["taskId"]) }

func getTask(t *testing.T, c taskClient, task map[string]any) map[string]any {
	t.Helper()
	m := c.call("tasks/get", taskID(task))
	if m.Error != nil || m.Result["taskId"] != task["taskId"] {
		t.Fatalf("tasks/get: %s", m.line)
	}
	return m.Result
}

// wantCode checks that the response is an error with the given code and a message.
func wantCode(t *testing.T, m *message, code int) {
	t.Helper()
	if m.Error == nil || m.Error.Code != code || m.Error.Message == "" {
		t.Errorf("want error %d, got %s", code, m.line)
	}
}

// keys returns the sorted names of an object's members without the given ones.
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
