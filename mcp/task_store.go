package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
)

// A TaskStatus is where a task stands. Only Working and InputRequired can
// change.
type TaskStatus string

// The statuses.
const (
	TaskWorking       TaskStatus = "working"
	TaskInputRequired TaskStatus = "input_required"
	TaskCompleted     TaskStatus = "completed"
	TaskFailed        TaskStatus = "failed"
	TaskCancelled     TaskStatus = "cancelled"
)

// Terminal reports whether the status never changes again.
func (s TaskStatus) Terminal() bool {
	return s == TaskCompleted || s == TaskFailed || s == TaskCancelled
}

// A TaskRecord is all that is known of a task, for a TaskStore to keep.
type TaskRecord struct {
	// ID is 128 random bits or more; who knows it may ask for the task, if
	// Owner allows.
	ID string
	// Owner is whose the task is: a principal or a session. Empty means whoever
	// knows the ID.
	Owner         string
	Status        TaskStatus
	StatusMessage string
	Created       time.Time
	Updated       time.Time
	// TTL is how long after Created the task may be deleted.
	TTL time.Duration
	// Result is the result of a task that has one, Error the JSON-RPC error of
	// one that failed, as JSON objects. Inputs holds the questions that an
	// InputRequired task asks, as a JSON object by key.
	Result json.RawMessage
	Error  json.RawMessage
	Inputs json.RawMessage
}

// A TaskStore keeps tasks. Implementations must be safe for concurrent use.
type TaskStore interface {
	// Put adds the task or replaces the one with its ID. When it has returned,
	// Get finds it.
	Put(ctx context.Context, task *TaskRecord) error
	// Get returns the task with that ID, or ErrTaskNotFound.
	Get(ctx context.Context, id string) (*TaskRecord, error)
	// List returns at most n tasks of an owner, in the order of their IDs,
	// beginning behind the ID after.
	List(ctx context.Context, owner, after string, n int) ([]*TaskRecord, error)
}

// ErrTaskNotFound is what a TaskStore's Get returns for a task that it does
// not have, or not any more.
var ErrTaskNotFound = errors.New("task not found")

// memoryTasks keeps tasks in memory, until their time is over.
type memoryTasks struct {
	mu    sync.Mutex
	tasks map[string]TaskRecord
	swept time.Time
}

func (m *memoryTasks) Put(_ context.Context, task *TaskRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks == nil {
		m.tasks = map[string]TaskRecord{}
	}
	now := time.Now()
	if now.Sub(m.swept) > time.Minute {
		m.swept = now
		for id, t := range m.tasks {
			if t.expired(now) {
				delete(m.tasks, id)
			}
		}
	}
	if len(m.tasks) >= maxKeptTasks {
		m.evict()
	}
	m.tasks[task.ID] = *task
	return nil
}

// maxKeptTasks bounds the tasks in memory. At the bound the one that ended
// first is forgotten.
const maxKeptTasks = 10_000

func (m *memoryTasks) evict() {
	oldest := ""
	for id, t := range m.tasks {
		if t.Status.Terminal() && (oldest == "" || t.Updated.Before(m.tasks[oldest].Updated)) {
			oldest = id
		}
	}
	delete(m.tasks, oldest)
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
