package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// sharedTasks is a TaskStore that several processes share.
type sharedTasks struct {
	mcp.TaskStore
	mcp.Bus
}

// silentTasks is a TaskStore that several processes share without sending messages to each other.
type silentTasks struct{ mcp.TaskStore }

// worksOf starts two processes that share tasks and sessions, and returns a client for each.
func worksOf(t *testing.T, revision string, bus bool) (works [2]*works, clients [2]*webTasks) {
	t.Helper()
	sessions := mcptest.NewSessionStore()
	if !bus {
		return worksWith(t, revision, sessions, silentTasks{mcp.NewMemoryTasks()})
	}
	return worksWith(t, revision, sessions, sharedTasks{mcp.NewMemoryTasks(), sessions})
}

// mortalWorks is like worksOf, but with messages between the processes. The first process can be
// disconnected from the bus for tasks.
func mortalWorks(t *testing.T, revision string) (works [2]*works, clients [2]*webTasks, bus *mortalBus) {
	t.Helper()
	sessions := mcptest.NewSessionStore()
	bus = &mortalBus{Bus: sessions}
	works, clients = worksWith(t, revision, sessions, sharedTasks{mcp.NewMemoryTasks(), bus})
	return works, clients, bus
}

func worksWith(t *testing.T, revision string, sessions mcp.SessionStore, tasks mcp.TaskStore) (works [2]*works, clients [2]*webTasks) {
	t.Helper()
	for i := range works {
		works[i] = newWorks(t, &mcp.ServerOptions{SealKey: []byte("0123456789abcdef0123456789abcdef"), Tasks: mcp.TaskOptions{Store: tasks}})
		must(t, mcp.AddTool(works[i].Server, mcp.Tool{Name: "ask", TaskSupport: mcp.TaskSupportOptional}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			works[i].began <- r
			form, action, err := mcp.Elicit[nameForm](ctx, r, "Who are you?")
			if err != nil || action != mcp.ActionAccept {
				return string(action), err
			}
			return "Hello, " + form.Name, nil
		}))
	}
	clients[0] = tasksAt(host(t, works[0].Server, &mcp.HTTPOptions{Sessions: sessions}), revision)
	there := *clients[0]
	there.web = there.with()
	there.site = host(t, works[1].Server, &mcp.HTTPOptions{Sessions: sessions})
	clients[1] = &there
	return works, clients
}

func eachTaskRevision(t *testing.T, f func(t *testing.T, revision string)) {
	t.Helper()
	eachInBubble(t, []string{core, latest}, f)
}

func TestTasksElsewhere_StateAndResult(t *testing.T) {
	eachTaskRevision(t, func(t *testing.T, revision string) {
		works, clients := worksOf(t, revision, true)
		task := createTask(t, clients[0], "work", "")
		r := <-works[0].began
		if state := getTask(t, clients[1], task); state["status"] != "working" {
			t.Errorf("state: %v", state)
		}
		r.SetStatusMessage("half done")
		if state := getTask(t, clients[1], task); state["statusMessage"] != "half done" {
			t.Errorf("state: %v", state)
		}
		if revision == core {
			result := make(chan *message)
			go func() { result <- clients[1].call("tasks/result", taskID(task)) }()
			settle()
			works[0].release <- "done"
			if m := <-result; m.text() != "done" {
				t.Errorf("tasks/result: %s", m.line)
			}
		} else {
			works[0].release <- "done"
			settle()
		}
		if state := getTask(t, clients[1], task); state["status"] != "completed" {
			t.Errorf("state: %v", state)
		}
	})
}

func TestTasksElsewhere_Cancel(t *testing.T) {
	eachTaskRevision(t, func(t *testing.T, revision string) {
		works, clients := worksOf(t, revision, true)
		task := createTask(t, clients[0], "work", "")
		<-works[0].began
		if m := clients[1].call("tasks/cancel", taskID(task)); m.Error != nil || revision == core && m.Result["status"] != "cancelled" {
			t.Errorf("tasks/cancel: %s", m.line)
		}
		if err := <-works[0].ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the handler ended with %v", err)
		}
		if state := getTask(t, clients[1], task); state["status"] != "cancelled" {
			t.Errorf("state: %v", state)
		}
		if m := clients[1].call("tasks/cancel", taskID(task)); revision == core && m.Error == nil {
			t.Errorf("tasks/cancel of a task that has ended: %s", m.line)
		}
	})
}

func TestTasksElsewhere_Questions(t *testing.T) {
	t.Run("2026-07-28", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			works, clients := worksOf(t, latest, true)
			task := createTask(t, clients[0], "ask", "")
			<-works[0].began
			settle()
			state := getTask(t, clients[1], task)
			var key string
			for key = range object(state["inputRequests"]) {
			}
			if state["status"] != "input_required" || key == "" {
				t.Fatalf("state: %v", state)
			}
			update := func(answer string) *message {
				return clients[1].call("tasks/update", fmt.Sprintf(`%s,"inputResponses":{%q:%s}`, taskID(task), key, answer))
			}
			wantCode(t, update(`{"action":"accept","content":{"name":7}}`), mcp.CodeInvalidParams)
			if m := update(`{"action":"accept","content":{"name":"Ada"}}`); m.Error != nil {
				t.Error(m.line)
			}
			settle()
			if state := getTask(t, clients[1], task); state["status"] != "completed" || !strings.Contains(fmt.Sprint(state["result"]), "Hello, Ada") {
				t.Errorf("state: %v", state)
			}
		})
	})
	t.Run("2025-11-25", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			works, clients := worksOf(t, core, true)
			task := createTask(t, clients[0], "ask", "")
			<-works[0].began
			// When a request that waits in another process has ended, it can no longer send
			// questions.
			left := clients[1].start("tasks/result", taskID(task)).want(http.StatusOK)
			if m := left.receive(); m.Method != "elicitation/create" {
				t.Fatal(m.line)
			} else if answer := clients[1].post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, m.ID)); answer.status != http.StatusAccepted {
				t.Error(answer.body)
			}
			if m, _ := left.response(); m.text() != "Hello, Ada" {
				t.Error(m.line)
			}
		})
	})
	t.Run("2025-11-25, a request that is cancelled", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			works, clients := worksOf(t, core, true)
			task := createTask(t, clients[0], "work", "")
			<-works[0].began
			waits := clients[1].start("tasks/result", taskID(task)).want(http.StatusOK)
			clients[1].post(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, clients[1].last)).want(http.StatusAccepted)
			if waits.events {
				for {
					if _, err := waits.read(); err != nil {
						break
					}
				}
			}
			works[0].release <- "done"
			settle()
			if state := getTask(t, clients[1], task); state["status"] != "completed" {
				t.Errorf("state: %v", state)
			}
		})
	})
}

func TestTasksElsewhere_Subscription(t *testing.T) {
	bubble(t, func(t *testing.T) {
		works, clients := worksOf(t, latest, true)
		task := createTask(t, clients[0], "work", "")
		<-works[0].began
		c := clients[1]
		a := c.start("subscriptions/listen", fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, task["taskId"])).want(http.StatusOK)
		if m := a.receive(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Fatal(m.line)
		}
		works[0].release <- "done"
		if m := a.receive(); m.Method != "notifications/tasks" || m.Params["status"] != "completed" {
			t.Error(m.line)
		}
		a.close()
	})
}

func TestTasksElsewhere_WithoutMessages(t *testing.T) {
	eachTaskRevision(t, func(t *testing.T, revision string) {
		works, clients := worksOf(t, revision, false)
		task := createTask(t, clients[0], "work", "")
		<-works[0].began
		wantCode(t, clients[1].call("tasks/cancel", taskID(task)), mcp.CodeInternalError)
		if revision == core {
			wantCode(t, clients[1].call("tasks/result", taskID(task)), mcp.CodeInternalError)
		} else {
			wantCode(t, clients[1].call("tasks/update", taskID(task)+`,"inputResponses":{}`), mcp.CodeInternalError)
		}
		works[0].release <- "done"
		settle()
		if state := getTask(t, clients[1], task); state["status"] != "completed" {
			t.Errorf("state: %v", state)
		}
	})
}

// TestTasksElsewhere_ProcessIsGone uses tasks of a process that has died.
func TestTasksElsewhere_ProcessIsGone(t *testing.T) {
	eachTaskRevision(t, func(t *testing.T, revision string) {
		tasks := mcp.NewMemoryTasks()
		g := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: sharedTasks{tasks, mcptest.NewSessionStore()}}})
		c := tasksAt(host(t, g.Server, nil), revision, "Test-Principal: ada")
		must(t, tasks.Put(t.Context(), &mcp.TaskRecord{ID: "lost", Owner: "principal ada", Status: mcp.TaskStatusWorking, Created: time.Now(), Updated: time.Now(), TTL: time.Hour}))
		began := time.Now()
		wantCode(t, c.call("tasks/cancel", `"taskId":"lost"`), mcp.CodeInternalError)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("the answer took %v", took)
		}
		if revision != core {
			return
		}
		wantCode(t, c.call("tasks/result", `"taskId":"lost"`), mcp.CodeInternalError)
	})
}

// slowTasks is a TaskStore whose next Get blocks until the test releases it.
type slowTasks struct {
	mcp.TaskStore
	mcp.Bus
	mu   sync.Mutex
	hold chan struct{}
}

func (s *slowTasks) Get(ctx context.Context, id string) (*mcp.TaskRecord, error) {
	rec, err := s.TaskStore.Get(ctx, id)
	s.mu.Lock()
	hold := s.hold
	s.hold = nil
	s.mu.Unlock()
	if hold != nil {
		<-hold
	}
	return rec, err
}

// Subscriptions in other processes must receive the states of a task in order.
func TestTasksElsewhere_StatesInOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		sessions := mcptest.NewSessionStore()
		shared := mcp.NewMemoryTasks()
		slow := &slowTasks{TaskStore: shared, Bus: sessions}
		runs := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: sharedTasks{shared, sessions}}})
		listens := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: slow}})
		client := tasksAt(host(t, runs.Server, nil), latest)
		task := createTask(t, client, "work", "")
		r := <-runs.began
		there := *client
		there.web = there.with()
		there.site = host(t, listens.Server, nil)
		a := there.start("subscriptions/listen", fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, task["taskId"])).want(http.StatusOK)
		if m := a.receive(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Fatal(m.line)
		}
		hold := make(chan struct{})
		slow.mu.Lock()
		slow.hold = hold
		slow.mu.Unlock()
		r.SetStatusMessage("first")
		settle()
		r.SetStatusMessage("second")
		settle()
		close(hold)
		settle()
		runs.release <- "done"
		var states []string
		for len(states) == 0 || states[len(states)-1] != "completed" {
			m := a.receive()
			if states = append(states, fmt.Sprint(m.Params["status"])); m.Params["statusMessage"] != nil && states[len(states)-1] != "completed" {
				states[len(states)-1] = fmt.Sprint(m.Params["statusMessage"])
			}
		}
		if !slices.Equal(states, []string{"first", "second", "completed"}) {
			t.Errorf("states are %q", states)
		}
		a.close()
	})
}

// Messages that a task sends on the stream of another process must arrive in order.
func TestTasksElsewhere_MessagesInOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		bus := mcptest.NewSessionStore()
		calls := make(chan map[string]any, 100)
		bus.Subscribe(func(m []byte) {
			var fields map[string]any
			if json.Unmarshal(m, &fields) == nil && fields["op"] == "wait for task" {
				calls <- fields
			}
		})
		tasks := mcp.NewMemoryTasks()
		g := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{Store: sharedTasks{tasks, bus}}})
		c := tasksAt(host(t, g.Server, &mcp.HTTPOptions{Sessions: bus}), core, "Test-Principal: ada")
		must(t, tasks.Put(t.Context(), &mcp.TaskRecord{ID: "there", Owner: "principal ada", Status: mcp.TaskStatusWorking, Created: time.Now(), Updated: time.Now(), TTL: time.Hour}))
		a := c.start("tasks/result", `"taskId":"there"`).want(http.StatusOK)
		call := <-calls
		const n = 200
		for i := range n {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, i+1)
			data, err := json.Marshal(map[string]any{"from": "other", "op": "message of task", "task": "there", "call": call["call"], "line": json.RawMessage(line)})
			must(t, err, bus.Publish(t.Context(), data))
		}
		for i := range n {
			if m := a.receive(); string(m.ID) != fmt.Sprint(i+1) {
				t.Fatalf("message %d is %s", i+1, m.line)
			}
		}
		a.close()
	})
}
