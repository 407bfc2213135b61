package mcp

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryForgetsTasksWhenTheirTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(memoryTasks)
		for i := range 10 {
			m.Put(t.Context(), &TaskRecord{ID: fmt.Sprint(i), Status: TaskStatusCompleted, Created: time.Now(), TTL: time.Duration(i) * time.Minute, Result: []byte(`{}`)})
		}
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
		m.mu.Lock()
		if len(m.tasks) > 5 || m.bytes != 2*len(m.tasks) {
			t.Errorf("%d tasks with %d bytes are kept", len(m.tasks), m.bytes)
		}
		m.mu.Unlock()
		time.Sleep(time.Hour)
		synctest.Wait()
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.tasks) != 0 || m.bytes != 0 || m.sweeper != nil {
			t.Errorf("%d tasks with %d bytes are kept", len(m.tasks), m.bytes)
		}
	})
}

func TestMemoryForgetsTheTasksThatEndedFirstWhenItIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(memoryTasks)
		put := func(id string, status TaskStatus, result []byte) {
			time.Sleep(time.Millisecond)
			m.Put(t.Context(), &TaskRecord{ID: id, Status: status, Created: time.Now(), Updated: time.Now(), TTL: time.Hour, Result: result})
		}
		has := func(id string) bool {
			_, err := m.Get(t.Context(), id)
			return err == nil
		}
		put("runs", TaskStatusWorking, nil)
		for i := range maxStoredTasks - 1 {
			put(fmt.Sprint(i), TaskStatusCompleted, nil)
		}
		put("0", TaskStatusCompleted, nil) // this task already exists
		if len(m.tasks) != maxStoredTasks || !has("1") {
			t.Error("replacing a task forgets another")
		}
		put("more", TaskStatusCompleted, nil)
		if len(m.tasks) < maxStoredTasks/16*15 || len(m.tasks) >= maxStoredTasks || !has("runs") || has("1") || !has("0") || !has("9998") {
			t.Error("not those that ended first")
		}
		large := make([]byte, maxStoredBytes/2) // all tasks share this memory
		for i := range 3 {
			put(fmt.Sprint("large ", i), TaskStatusCompleted, large)
		}
		if m.bytes > maxStoredBytes || !has("runs") || !has("large 2") || has("large 0") {
			t.Errorf("%d bytes are kept", m.bytes)
		}
	})
}

// NewMemoryTasks returns the default store of servers for external tests.
func NewMemoryTasks() TaskStore { return new(memoryTasks) }
