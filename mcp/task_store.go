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
	mu      sync.Mutex
	tasks   map[string]TaskRecord
	bytes   int         // of results and questions
	sweeper *time.Timer // runs while there are tasks
}

func (m *memoryTasks) Put(_ context.Context, task *TaskRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks == nil {
		m.tasks = map[string]TaskRecord{}
	}
	m.delete(task.ID)
	if len(m.tasks) >= maxKeptTasks || m.bytes+task.size() > maxKeptBytes {
		m.evict(task.size())
	}
	m.tasks[task.ID] = *task
	m.bytes += task.size()
	if m.sweeper == nil {
		m.sweeper = time.AfterFunc(sweepTasks, m.sweep)
	}
	return nil
}

// maxKeptTasks and maxKeptBytes bound the tasks in memory and what they hold.
// At a bound those that ended first are forgotten, a sixteenth at a time.
const (
	maxKeptTasks = 10_000
	maxKeptBytes = 256 << 20
)

// evict makes room for a task of that size.
func (m *memoryTasks) evict(size int) {
	var ended []*TaskRecord
	for _, t := range m.tasks {
		if t.Status.Terminal() {
			ended = append(ended, &t)
		}
	}
	slices.SortFunc(ended, func(a, b *TaskRecord) int { return a.Updated.Compare(b.Updated) })
	for _, t := range ended {
		if len(m.tasks) < maxKeptTasks/16*15 && m.bytes+size <= maxKeptBytes/16*15 {
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

// size is how many bytes the task holds beside what every task does.
func (t *TaskRecord) size() int {
	return len(t.StatusMessage) + len(t.Result) + len(t.Error) + len(t.Inputs)
}

// sweepTasks is how long a task is kept in memory at most after its time is
// over.
const sweepTasks = time.Minute

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
		m.sweeper = time.AfterFunc(sweepTasks, m.sweep)
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
