package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// tasksAs returns a client of the given revision that connects over a pipe on behalf of a
// principal.
func tasksAs(t testing.TB, s *mcp.Server, revision, principal string) *pipeTasks {
	return tasksFor(mcp.WithPrincipal(context.Background(), principal), t, s, revision, takesTasks)
}

func TestATaskIsItsOwnersAlone(t *testing.T) {
	proves(t, "sec.handle.bind-user", "tasks.access.bind", "tasks.access.reject-others", "tasks.access.list-own", "tasks.error.unknown-id", "tasks.list.complete",
		"xtasks.auth.each-request", "sec.handle.not-authentication", "xtasks.error.unknown-get", "xtasks.error.unknown-update", "xtasks.error.informative")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, &mcp.ServerOptions{PageSize: 3})
		endpoint := host(t, g.Server, nil)
		type party struct {
			name, owner string
			taskClient
		}
		var parties []party
		for _, revision := range []string{core, latest} {
			parties = append(parties,
				party{revision + " ann", "ann", tasksAs(t, g.Server, revision, "ann")},
				party{revision + " ann at another place", "ann", tasksAt(endpoint, revision, "Test-Principal: ann")},
				party{revision + " an", "an", tasksAs(t, g.Server, revision, "an")},
				party{revision + " Ann", "Ann", tasksAs(t, g.Server, revision, "Ann")},
				party{revision + " an at another place", "an", tasksAt(endpoint, revision, "Test-Principal: an")})
		}
		for i := range 2 {
			parties = append(parties,
				party{fmt.Sprint("session ", i), fmt.Sprint("session ", i), tasksOn(t, g.Server, core)},
				party{fmt.Sprint("HTTP session ", i), fmt.Sprint("HTTP session ", i), tasksAt(endpoint, core)},
				party{fmt.Sprint("nobody ", i), "nobody", tasksOn(t, g.Server, latest)})
		}
		tasks := map[string]map[string]bool{} // tasks by owner
		for _, creator := range parties {
			task, ended := createTask(t, creator, "work", ""), createTask(t, creator, "quick", "")
			settle()
			if tasks[creator.owner] == nil {
				tasks[creator.owner] = map[string]bool{}
			}
			tasks[creator.owner][fmt.Sprint(task["taskId"])] = true
			tasks[creator.owner][fmt.Sprint(ended["taskId"])] = true
			for _, other := range parties {
				if other.owner == creator.owner {
					getTask(t, other, task)
					getTask(t, other, ended)
					continue
				}
				methods := []string{"tasks/get", "tasks/cancel", "tasks/result"}
				if other.revision() == latest {
					methods = []string{"tasks/get", "tasks/cancel", "tasks/update"}
				}
				for _, method := range methods {
					for _, theirs := range []map[string]any{task, ended} {
						m := other.call(method, taskID(theirs)+`,"inputResponses":{}`)
						if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.Contains(m.Error.Message, "Unknown task") {
							t.Errorf("%s of %s by %s: %s", method, creator.name, other.name, m.line)
						}
					}
				}
			}
			if got := getTask(t, creator, task); got["status"] != "working" {
				t.Errorf("%s: %v", creator.name, got)
			}
		}
		for _, one := range parties {
			if one.revision() == core {
				listed := map[string]bool{}
				for more, cursor := true, ""; more; {
					m := one.call("tasks/list", cursor)
					for _, task := range list(m.Result["tasks"]) {
						listed[fmt.Sprint(object(task)["taskId"])] = true
					}
					var next string
					if next, more = m.Result["nextCursor"].(string); more {
						cursor = fmt.Sprintf(`"cursor":%q`, next)
					}
				}
				if !maps.Equal(listed, tasks[one.owner]) {
					t.Errorf("list of %s: %v, want %v", one.name, listed, tasks[one.owner])
				}
			}
			if _, pipe := one.taskClient.(*pipeTasks); !pipe {
				continue // over HTTP, such an ID must also be in a header
			}
			for _, id := range []string{`""`, `"nobody"`, `7`, `null`, `{}`} {
				wantCode(t, one.call("tasks/get", `"taskId":`+id), mcp.CodeInvalidParams)
				wantCode(t, one.call("tasks/cancel", `"taskId":`+id), mcp.CodeInvalidParams)
			}
			wantCode(t, one.call("tasks/get", ``), mcp.CodeInvalidParams)
		}
		for range parties {
			g.release <- ""
		}
	})
}

func TestTasksAreOnlyForClientsThatDeclareThem(t *testing.T) {
	proves(t, "xtasks.error.undeclared", "xtasks.compat.legacy-capability")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		c := tasksOn(t, g.Server, latest)
		task := createTask(t, c, "quick", "")
		for _, caps := range []string{`{}`, `{"tasks":{"list":{},"cancel":{}}}`, `{"extensions":{"com.example/tasks":{}}}`} {
			c.caps = caps
			for _, method := range []string{"tasks/get", "tasks/cancel", "tasks/update"} {
				m := c.call(method, taskID(task)+`,"inputResponses":{}`)
				wantCode(t, m, mcp.CodeMissingCapability)
				sameJSON(t, m.line, any(m.Error.Data), `{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
			}
		}
	})
}

func TestTasksOfASessionEndWithIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		endpoint := host(t, g.Server, nil)
		w, c := tasksAt(endpoint, core), tasksOn(t, g.Server, core)
		createTask(t, w, "work", "")
		createTask(t, c, "work", "")
		ann := tasksAs(t, g.Server, core, "ann")
		task := createTask(t, ann, "work", "")
		settle()
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		if err := <-g.ended; err == nil {
			t.Error("the task of an HTTP session goes on")
		}
		c.close()
		if err := <-g.ended; err == nil {
			t.Error("the task of a session goes on")
		}
		// A client that reconnects finds the task unchanged.
		ann.close()
		if got := getTask(t, tasksAs(t, g.Server, core, "ann"), task); got["status"] != "working" {
			t.Error(got)
		}
		g.release <- ""
	})
}

func TestWithoutSessionsTheIDIsWhatATaskIsKnownBy(t *testing.T) {
	proves(t, "tasks.access.no-list", "tasks.access.entropy")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		endpoint := host(t, g.Server, &mcp.HTTPOptions{Stateless: true})
		w := endpoint.web()
		a := w.initialize(core, `{}`)
		sameJSON(t, "capability", object(a.message().Result["capabilities"])["tasks"], `{"cancel":{},"requests":{"tools":{"call":{}}}}`)
		c := &webTasks{web: w, rev: core}
		task := createTask(t, c, "quick", "")
		settle()
		if got := getTask(t, c, task); got["status"] != "completed" {
			t.Error(got)
		}
		if m := c.call("tasks/result", taskID(task)); m.text() != "quick" {
			t.Error(m.line)
		}
		wantCode(t, c.call("tasks/list", ""), mcp.CodeMethodNotFound)
		// Clients can nevertheless be distinguished by their principal.
		ann := &webTasks{web: w.with("Test-Principal: ann"), rev: core}
		createTask(t, ann, "quick", "")
		if m := ann.call("tasks/list", ""); len(list(m.Result["tasks"])) != 1 {
			t.Error(m.line)
		}
	})
}

func TestTheListOfTasksComesInPages(t *testing.T) {
	proves(t, "tasks.list.paginated", "tasks.list.next-cursor", "tasks.list.opaque", "tasks.list.complete", "tasks.list.bad-cursor", "tasks.related.not-in-results")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, &mcp.ServerOptions{PageSize: 2})
		c, other := tasksOn(t, g.Server, core), tasksOn(t, g.Server, core)
		want := map[any]bool{}
		for range 5 {
			want[createTask(t, c, "quick", "")["taskId"]] = true
			createTask(t, other, "quick", "")
		}
		var cursor, first string
		for page := 0; ; page++ {
			m := c.call("tasks/list", cursor)
			tasks := list(m.Result["tasks"])
			if n := []int{2, 2, 1}[page]; len(tasks) != n || m.Result["_meta"] != nil {
				t.Fatalf("page %d: %s", page, m.line)
			}
			for _, one := range tasks {
				if !want[object(one)["taskId"]] {
					t.Errorf("twice or not there: %v", one)
				}
				delete(want, object(one)["taskId"])
			}
			next, more := m.Result["nextCursor"].(string)
			if more != (page < 2) {
				t.Errorf("page %d: %s", page, m.line)
			}
			if !more {
				break
			}
			for _, one := range tasks {
				if strings.Contains(next, fmt.Sprint(object(one)["taskId"])) {
					t.Errorf("the cursor tells an id: %s", m.line)
				}
			}
			if cursor = fmt.Sprintf(`"cursor":%q`, next); first == "" {
				first = next
			}
		}
		if len(want) > 0 {
			t.Errorf("not listed: %v", want)
		}
		// The list contains tasks of every status.
		for _, tool := range []string{"quick", "fail", "refuse", "work"} {
			owner := tasksOn(t, g.Server, core)
			task := createTask(t, owner, tool, "")
			settle()
			for _, status := range []string{"as it is", "cancelled"} {
				if status == "cancelled" {
					owner.call("tasks/cancel", taskID(task))
				}
				if m := owner.call("tasks/list", ""); len(list(m.Result["tasks"])) != 1 {
					t.Errorf("%s, %s: %s", tool, status, m.line)
				}
			}
		}
		tools, _ := c.call("tools/list", "").Result["nextCursor"].(string)
		for _, bad := range []string{`"x"`, `7`, fmt.Sprintf("%q", tools), fmt.Sprintf("%q", first+"x"), fmt.Sprintf("%q", first[1:])} {
			wantCode(t, c.call("tasks/list", `"cursor":`+bad), mcp.CodeInvalidParams)
		}
	})
}

func TestPagesOfTasksHaveAHundredAtMost(t *testing.T) {
	proves(t, "tasks.list.paginated", "tasks.list.next-cursor", "tasks.list.complete")
	for _, size := range []int{0, 1000} {
		bubble(t, func(t *testing.T) {
			g := newWorks(t, &mcp.ServerOptions{PageSize: size, Tasks: mcp.TaskOptions{MaxPerClient: 201}})
			c := tasksOn(t, g.Server, core)
			for range 201 {
				createTask(t, c, "quick", "")
				settle()
			}
			cursor := ""
			for page, n := range []int{100, 100, 1} {
				m := c.call("tasks/list", cursor)
				next, more := m.Result["nextCursor"].(string)
				if got := len(list(m.Result["tasks"])); got != n || more != (page < 2) {
					t.Fatalf("PageSize %d, page %d: %d tasks, a cursor: %t", size, page, got, more)
				}
				cursor = fmt.Sprintf(`"cursor":%q`, next)
			}
		})
	}
}

func TestOnlySoManyTasksRunAtATime(t *testing.T) {
	proves(t, "tasks.limits")
	eachTaskClient(t, func() *mcp.ServerOptions { return &mcp.ServerOptions{Tasks: mcp.TaskOptions{MaxRunning: 2}} }, func(t *testing.T, g *works, c taskClient) {
		stubborn := make(chan struct{})
		addTask(t, g.Server, "stubborn", false, func(context.Context, *mcp.Request) (string, error) { <-stubborn; return "", nil })
		tooMany := func() {
			t.Helper()
			m := c.call("tools/call", callAsTask(c, "quick", ""))
			if m.Error == nil || m.Error.Code != mcp.CodeInternalError || !strings.Contains(m.Error.Message, "Too many tasks") {
				t.Error(m.line)
			}
		}
		createTask(t, c, "work", "")
		task := createTask(t, c, "stubborn", "")
		tooMany()
		c.call("tasks/cancel", taskID(task)) // the handler is still running
		settle()
		tooMany()
		close(stubborn)
		settle()
		createTask(t, c, "quick", "")
		settle()
		createTask(t, c, "quick", "")
		g.release <- ""
	})
}

// moody is a TaskStore whose methods can fail and block.
type moody struct {
	mu    sync.Mutex
	tasks map[string]mcp.TaskRecord
	fails bool
	slow  time.Duration
}

func (m *moody) mood() error {
	time.Sleep(m.slow)
	if m.fails {
		return errors.New("password of the database is 1234")
	}
	return nil
}

func (m *moody) Put(_ context.Context, task *mcp.TaskRecord) error {
	if err := m.mood(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks == nil {
		m.tasks = map[string]mcp.TaskRecord{}
	}
	m.tasks[task.ID] = *task
	return nil
}

func (m *moody) Get(_ context.Context, id string) (*mcp.TaskRecord, error) {
	if err := m.mood(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if task, ok := m.tasks[id]; ok {
		return &task, nil
	}
	return nil, fmt.Errorf("in the database: %w", mcp.ErrTaskNotFound)
}

func (m *moody) List(context.Context, string, string, int) ([]*mcp.TaskRecord, error) {
	return nil, m.mood()
}

func TestAStoreThatFails(t *testing.T) {
	proves(t, "tasks.error.internal", "xtasks.error.internal", "xtasks.create.durable", "xtasks.get.working", "xtasks.error.unknown-get", "tasks.error.unknown-id")
	var store *moody
	var log *strings.Builder
	eachTaskClient(t, func() *mcp.ServerOptions {
		store, log = new(moody), new(strings.Builder)
		return &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: store, TTL: 10 * time.Minute}, Logger: textLogger(log)}
	}, func(t *testing.T, g *works, c taskClient) {
		failed := func(m *message) {
			t.Helper()
			wantCode(t, m, mcp.CodeInternalError)
			if strings.Contains(m.line, "1234") {
				t.Error(m.line)
			}
		}
		done, task := createTask(t, c, "quick", ""), createTask(t, c, "work", "")
		settle()
		wantCode(t, c.call("tasks/get", `"taskId":"nobody"`), mcp.CodeInvalidParams)
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "becomes", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			if is, err := r.BecomeTask(); is || err == nil {
				t.Errorf("%t, %v: it is a task that was not kept", is, err)
			}
			return "no task", nil
		}), mcp.AddTool(g.Server, mcp.Tool{Name: "returns", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			_, err := r.BecomeTask()
			return "", err
		}))
		store.fails = true
		failed(c.call("tools/call", callAsTask(c, "quick", "")))
		if m := c.call("tools/call", callAsTask(c, "becomes", "")); m.text() != "no task" {
			t.Error(m.line)
		}
		failed(c.call("tools/call", callAsTask(c, "returns", "")))
		if n := strings.Count(log.String(), "a task could not be stored"); n != 3 || !strings.Contains(log.String(), "1234") {
			t.Errorf("the failure is logged %d times of 3: %s", n, log.String())
		}
		failed(c.call("tasks/get", taskID(done)))
		failed(c.call("tasks/cancel", taskID(done)))
		if c.revision() == core {
			failed(c.call("tasks/list", ""))
			failed(c.call("tasks/result", taskID(done)))
		} else {
			failed(c.call("tasks/update", taskID(done)+`,"inputResponses":{}`))
		}
		// A record that the store refused must remain available until its TTL has passed.
		g.release <- "42"
		settle()
		store.fails = false
		if got := getTask(t, c, task); got["status"] != "completed" {
			t.Error(got)
		}
		time.Sleep(11 * time.Minute)
		if got := getTask(t, c, task); got["status"] != "working" { // the state in the store
			t.Error(got)
		}
		// No process runs the task, which is reported immediately.
		for _, method := range []string{"tasks/result", "tasks/update", "tasks/cancel"} {
			m := c.call(method, taskID(task)+`,"inputResponses":{}`)
			if (m.Error == nil || m.Error.Code != mcp.CodeInternalError) && m.Error.Code != mcp.CodeMethodNotFound {
				t.Errorf("%s: %s", method, m.line)
			}
		}
	})
}

func TestATaskIsKeptBeforeTheClientKnowsIt(t *testing.T) {
	proves(t, "xtasks.create.durable")
	var store *moody
	eachTaskClient(t, func() *mcp.ServerOptions {
		store = &moody{slow: time.Second}
		return &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: store}}
	}, func(t *testing.T, g *works, c taskClient) {
		start := time.Now()
		task := createTask(t, c, "work", "")
		if took := time.Since(start); took < time.Second {
			t.Errorf("answered after %v", took)
		}
		store.mu.Lock()
		_, stored := store.tasks[fmt.Sprint(task["taskId"])]
		store.mu.Unlock()
		if !stored {
			t.Error("answered before the task was kept")
		}
		getTask(t, c, task)
		<-g.began
		store.slow = 0
		g.release <- ""
	})
}

func TestALegacyClientGetsItsTasksNextToNewOnes(t *testing.T) {
	proves(t, "xtasks.compat.old-tasks", "xtasks.failed.only-jsonrpc")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		old, young := tasksAs(t, g.Server, core, "ann"), tasksAs(t, g.Server, latest, "ann")
		task, failed := createTask(t, old, "work", ""), createTask(t, old, "fail", "")
		createTask(t, young, "quick", "")
		settle()
		if got := getTask(t, young, failed); got["status"] != "completed" || object(got["result"])["isError"] != true {
			t.Error(got)
		}
		if got := getTask(t, old, failed); got["status"] != "failed" {
			t.Error(got)
		}
		if m := old.call("tasks/cancel", taskID(task)); m.Result["status"] != "cancelled" {
			t.Error(m.line)
		}
	})
}

func TestOneClientCannotHaveAllTasks(t *testing.T) {
	proves(t, "tasks.limits")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{MaxRunning: 7, MaxPerClient: 2}})
		endpoint := host(t, g.Server, nil)
		clients := []taskClient{
			tasksAs(t, g.Server, core, "ann"), tasksAt(endpoint, latest, "Test-Principal: bob"),
			tasksOn(t, g.Server, core), tasksAt(endpoint, core), tasksOn(t, g.Server, latest),
		}
		refused := func(c taskClient) {
			t.Helper()
			if m := c.call("tools/call", callAsTask(c, "work", "")); m.Error == nil || m.Error.Code != mcp.CodeInternalError || !strings.Contains(m.Error.Message, "Too many tasks") {
				t.Error(m.line)
			}
		}
		for _, c := range clients[:3] {
			createTask(t, c, "work", "")
			createTask(t, c, "work", "")
			refused(c)
		}
		refused(tasksAs(t, g.Server, latest, "ann")) // the principal has the same limit on every connection
		createTask(t, clients[3], "work", "")
		refused(clients[4]) // seven tasks are running
		g.release <- ""
		settle()
		createTask(t, clients[4], "work", "")
		for range 7 {
			g.release <- ""
		}
		settle()
		for _, c := range clients {
			createTask(t, c, "work", "")
			g.release <- ""
			settle()
		}
	})
}

func TestRequestsAboutTasksAreLimited(t *testing.T) {
	proves(t, "tasks.access.rate-limit", "xtasks.poll.rate-limit")
	eachTaskClient(t, func() *mcp.ServerOptions { return &mcp.ServerOptions{Tasks: mcp.TaskOptions{MaxRequestRate: 5}} }, func(t *testing.T, g *works, c taskClient) {
		task := createTask(t, c, "quick", "")
		settle()
		time.Sleep(time.Second)
		limited := func(method string) bool {
			t.Helper()
			m := c.call(method, taskID(task)+`,"inputResponses":{}`)
			return m.Error != nil && m.Error.Code == mcp.CodeInternalError && strings.Contains(m.Error.Message, "wait a second")
		}
		methods := []string{"tasks/get", "tasks/cancel", "tasks/list", "tasks/result"}
		if c.revision() == latest {
			methods = []string{"tasks/get", "tasks/cancel", "tasks/update"}
		}
		for i := range 5 {
			if limited(methods[i%len(methods)]) {
				t.Errorf("request %d is one too many", i)
			}
		}
		for _, method := range methods {
			if !limited(method) {
				t.Errorf("%s is not limited", method)
			}
		}
		// The requests of another client are counted separately.
		other := tasksAs(t, g.Server, c.revision(), "somebody else")
		if m := other.call("tasks/get", taskID(task)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Error(m.line)
		}
		time.Sleep(time.Second)
		if limited("tasks/get") {
			t.Error("it is limited after a second of quiet")
		}
	})
}
