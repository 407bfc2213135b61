package mcp_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// mortalBus is a Bus whose first subscriber can be disconnected.
type mortalBus struct {
	mcp.Bus
	mu          sync.Mutex
	subscribers int
	dead        bool
}

func (b *mortalBus) Subscribe(receive func([]byte)) (stop func()) {
	b.mu.Lock()
	first := b.subscribers == 0
	b.subscribers++
	b.mu.Unlock()
	return b.Bus.Subscribe(func(message []byte) {
		b.mu.Lock()
		dead := b.dead && first
		b.mu.Unlock()
		if !dead {
			receive(message)
		}
	})
}

func (b *mortalBus) kill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dead = true
}

func TestTasksElsewhere_ProcessDies(t *testing.T) {
	const ended = "The server process that ran the task has ended"
	eachTaskRevision(t, func(t *testing.T, revision string) {
		works, clients, bus := mortalWorks(t, revision)
		task := createTask(t, clients[0], "work", "")
		<-works[0].began
		defer func() { works[0].release <- "late" }()
		bus.kill()
		if revision == core {
			began := time.Now()
			m := clients[1].call("tasks/result", taskID(task))
			if took := time.Since(began); m.Error == nil || !strings.Contains(m.line, ended) || took > 12*time.Second {
				t.Errorf("tasks/result after %v: %s", took, m.line)
			}
		} else {
			time.Sleep(3 * time.Second) // fake time
			getTask(t, clients[1], task)
			time.Sleep(4 * time.Second) // fake time
		}
		if state := getTask(t, clients[1], task); state["status"] != "failed" {
			t.Errorf("state: %v", state)
		}
	})
	t.Run("or lives", func(t *testing.T) {
		eachTaskRevision(t, func(t *testing.T, revision string) {
			works, clients, _ := mortalWorks(t, revision)
			task := createTask(t, clients[0], "work", "")
			<-works[0].began
			for range 10 {
				time.Sleep(3 * time.Second) // fake time
				if state := getTask(t, clients[1], task); state["status"] != "working" {
					t.Errorf("state: %v", state)
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
