package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A TaskStatus is the state of a task. Only TaskStatusWorking and
// TaskStatusInputRequired can change.
type TaskStatus string

// The values of TaskStatus.
const (
	TaskStatusWorking       TaskStatus = "working"
	TaskStatusInputRequired TaskStatus = "input_required"
	TaskStatusCompleted     TaskStatus = "completed"
	TaskStatusFailed        TaskStatus = "failed"
	TaskStatusCancelled     TaskStatus = "cancelled"
)

// Terminal reports whether the task has ended.
func (s TaskStatus) Terminal() bool {
	return s == TaskStatusCompleted || s == TaskStatusFailed || s == TaskStatusCancelled
}

// A TaskRecord is a task in the form in which a TaskStore stores it.
type TaskRecord struct {
	// ID is random and has at least 128 bits.
	ID string
	// Owner identifies the principal or session that can access the task. If it is empty, every
	// client that knows the ID can access the task.
	Owner         string
	Status        TaskStatus
	StatusMessage string
	Created       time.Time
	Updated       time.Time
	// TTL is the time from Created until the store may delete the task.
	TTL time.Duration
	// Result and Error are the task's result or JSON-RPC error as JSON objects, or nil. Inputs is a
	// JSON object that contains the questions to the client by key.
	Result json.RawMessage
	Error  json.RawMessage
	Inputs json.RawMessage
}

// A TaskStore stores tasks. Implementations must be safe for concurrent use.
//
// The processes of a server can share a store. Each process can then report the state and result of
// the tasks of other processes. If the store is also a Bus, it can also cancel these tasks, pass
// answers to them, wait for their results, and notify clients about them.
type TaskStore interface {
	// Put adds the task, or replaces the task with the same ID. Get must then return it. If Put
	// returns an error for a new task, the call fails. An error for a later change is logged, and
	// the task continues.
	Put(ctx context.Context, task *TaskRecord) error
	// Get returns the task with the given ID, or ErrTaskNotFound.
	Get(ctx context.Context, id string) (*TaskRecord, error)
	// List returns at most n tasks of an owner with IDs greater than after, in
	// the order of their IDs.
	List(ctx context.Context, owner, after string, n int) ([]*TaskRecord, error)
}

// ErrTaskNotFound is the error of TaskStore.Get for an unknown or expired task. Clients do not
// receive it. For them, the methods of Task return an *Error with CodeInvalidParams, which servers
// also send for other reasons, for example when a client cancels a task that has ended.
var ErrTaskNotFound = errors.New("task not found")

// memoryTasks stores tasks in memory until they expire.
type memoryTasks struct {
	mu      sync.Mutex
	tasks   map[string]TaskRecord
	bytes   int         // total size of the tasks in bytes
	sweeper *time.Timer // runs while there are tasks
}

func (m *memoryTasks) Put(_ context.Context, task *TaskRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks == nil {
		m.tasks = map[string]TaskRecord{}
	}
	m.delete(task.ID)
	if len(m.tasks) >= maxStoredTasks || m.bytes+task.size() > maxStoredBytes {
		m.evict(task.size())
	}
	m.tasks[task.ID] = *task
	m.bytes += task.size()
	if m.sweeper == nil {
		m.sweeper = time.AfterFunc(sweepInterval, m.sweep)
	}
	return nil
}

// maxStoredTasks is the maximum number of tasks in memory, and maxStoredBytes is the maximum of
// their total size in bytes. When a limit is reached, the tasks that ended first are deleted until
// a sixteenth of the limit is free.
const (
	maxStoredTasks = 10_000
	maxStoredBytes = 256 << 20
)

// evict deletes ended tasks to make room for a task of the given size.
func (m *memoryTasks) evict(size int) {
	var ended []*TaskRecord
	for _, t := range m.tasks {
		if t.Status.Terminal() {
			ended = append(ended, &t)
		}
	}
	slices.SortFunc(ended, func(a, b *TaskRecord) int { return a.Updated.Compare(b.Updated) })
	for _, t := range ended {
		if len(m.tasks) < maxStoredTasks/16*15 && m.bytes+size <= maxStoredBytes/16*15 {
			return
		}
		m.delete(t.ID)
	}
}

func (m *memoryTasks) delete(id string) {
	if t, ok := m.tasks[id]; ok {
		m.bytes -= t.size()
		delete(m.tasks, id)
	}
}

// size returns the total length in bytes of the fields without separate limits.
func (t *TaskRecord) size() int {
	return len(t.StatusMessage) + len(t.Result) + len(t.Error) + len(t.Inputs)
}

// sweepInterval is the maximum time that an expired task remains in memory.
const sweepInterval = time.Minute

func (m *memoryTasks) sweep() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for id, t := range m.tasks {
		if t.expired(now) {
			m.delete(id)
		}
	}
	if m.sweeper = nil; len(m.tasks) > 0 {
		m.sweeper = time.AfterFunc(sweepInterval, m.sweep)
	}
}

func (t *TaskRecord) expired(now time.Time) bool { return now.Sub(t.Created) > t.TTL }

func (m *memoryTasks) Get(_ context.Context, id string) (*TaskRecord, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tasks[id]
	if !ok || t.expired(time.Now()) {
		return nil, ErrTaskNotFound
	}
	return &t, nil
}

func (m *memoryTasks) List(_ context.Context, owner, after string, n int) ([]*TaskRecord, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	var found []*TaskRecord
	for _, t := range m.tasks {
		if t.Owner == owner && t.ID > after && !t.expired(now) {
			found = append(found, &t)
		}
	}
	slices.SortFunc(found, func(a, b *TaskRecord) int { return strings.Compare(a.ID, b.ID) })
	return found[:min(n, len(found))], nil
}

// appendState appends the members of a task that both implementations of taskProtocol send.
func (t *TaskRecord) appendState(b []byte, status TaskStatus) []byte {
	b = wire.Field(b, "taskId", t.ID)
	b = wire.Field(b, "status", string(status))
	b = wire.Optional(b, "statusMessage", t.StatusMessage)
	b = wire.Field(b, "createdAt", t.Created.UTC().Format(time.RFC3339Nano))
	return wire.Field(b, "lastUpdatedAt", t.Updated.UTC().Format(time.RFC3339Nano))
}
