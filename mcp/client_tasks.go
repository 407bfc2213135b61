package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/retry"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// ErrTaskCancelled is the error of Task.Wait for a task that was cancelled.
var ErrTaskCancelled = errors.New("the task was cancelled")

// A Task is a tool call that continues on the server after the request has been answered.
// CallToolTask starts one. Client.Task returns one for an ID, even in another process.
type Task struct {
	c  *Client
	id string

	reports *taskReports // progress reports of the call, or nil

	mu       sync.Mutex
	answered map[string]bool // keys of the questions that have been answered
	result   *CallToolResult // the result, if the call was answered immediately
}

// TaskState is the state of a task.
type TaskState struct {
	ID            string
	Status        TaskStatus
	StatusMessage string
	Created       time.Time
	Updated       time.Time
	// TTL is the time for which the server keeps the task, from Created; 0 means no limit.
	TTL time.Duration
	// PollInterval is how long the server asks the client to wait between two requests for the
	// state; 0 if it does not specify that.
	PollInterval time.Duration
}

// CallToolTask calls a tool as a task. With a server of revision 2026-07-28, it fails unless
// ClientOptions.Tasks is set; the server then decides whether to answer with a task, and how long
// it keeps the result. A server of revision 2025-11-25 keeps the result for ttl, if ttl is positive
// and the server agrees. Servers of both revisions may also answer immediately. In that case, the
// Task has no ID, and Wait returns the result. It is an error if the server does not support tasks,
// or if the client has listed the tool as one that cannot be a task.
func (c *Client) CallToolTask(ctx context.Context, name string, args any, ttl time.Duration, opts *CallOptions) (*Task, error) {
	cc, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	var task []byte
	if cc.agreement().rev.HasCoreTasks() {
		if tool := c.tools.get(name); tool != nil && tool.task == TaskSupportForbidden {
			return nil, fmt.Errorf("mcp: tool %q cannot be called as a task", name)
		}
		task = open()
		if ttl > 0 {
			task = wire.Int(task, "ttl", ttl.Milliseconds())
		}
		task = append(task, '}')
	}
	if !c.canTask() {
		if !c.opts.Tasks && cc.agreement().rev.TasksAreExtension() {
			return nil, fmt.Errorf("mcp: tool %q: ClientOptions.Tasks is not set; the server's revision needs it for tasks", name)
		}
		return nil, fmt.Errorf("mcp: tool %q: the server does not support tasks for tool calls", name)
	}
	k := c.newCall("tools/call")
	defer k.release()
	if cc, err = c.sendTool(ctx, k, name, args, task, opts); err != nil {
		k.later.end()
		return nil, err
	}
	t := &Task{c: c}
	if isTask(cc, k) {
		state, err := readTask(k.result)
		t.id = state.ID
		t.reports = k.later
		if t.observe(cc, state); err != nil {
			t.reports.end()
		}
		t.reports.open()
		return t, err
	}
	k.later.end()
	if t.result, err = readToolResult(k.result); err != nil {
		return nil, fmt.Errorf("mcp: tool %q: %w", name, err)
	}
	return t, nil
}

// Task returns the task with the given ID, without contacting the server. If the server has no such
// task, the methods of Task fail with an *Error whose code is CodeInvalidParams.
//
// Another process can find the task if it signs in as the same principal. In revision 2025-11-25,
// servers that do not know the principals of their clients may restrict a task to the session that
// started it, as the Server in this package does.
func (c *Client) Task(id string) *Task { return &Task{c: c, id: id} }

// canTask reports whether tool calls can be tasks.
func (c *Client) canTask() bool {
	cc := c.conn.Load()
	a := cc.agreement()
	if a.rev.TasksAreExtension() {
		return c.opts.Tasks && a.server.Capabilities.Tasks
	}
	requests := member(member(a.server.Declared, "tasks"), "requests")
	return a.rev.HasCoreTasks() && member(member(requests, "tools"), "call") != nil
}

// isTask reports whether the answer to a tool call is a task.
func isTask(cc *clientConn, k *call) bool {
	rev := cc.agreement().rev
	switch {
	case rev.TasksAreExtension():
		return resultKind(k.result) == "task"
	case rev.HasCoreTasks():
		return member(k.result, "task") != nil && member(k.result, "content") == nil
	}
	return false
}

// readTask reads the state of a task from raw, or from the member task of raw.
func readTask(raw []byte) (TaskState, error) {
	if inner := member(raw, "task"); inner != nil {
		raw = inner
	}
	var w struct {
		ID      string     `json:"taskId"`
		Status  TaskStatus `json:"status"`
		Message string     `json:"statusMessage"`
		Created string     `json:"createdAt"`
		Updated string     `json:"lastUpdatedAt"`
		TTL     *float64   `json:"ttl"`
		TTLms   *float64   `json:"ttlMs"`
		Poll    float64    `json:"pollInterval"`
		Pollms  float64    `json:"pollIntervalMs"`
	}
	if err := decode(raw, &w); err != nil || w.ID == "" {
		return TaskState{}, errors.New("mcp: the server's task is malformed")
	}
	s := TaskState{ID: w.ID, Status: w.Status, StatusMessage: w.Message, PollInterval: milliseconds(max(w.Poll, w.Pollms))}
	s.Created, _ = time.Parse(time.RFC3339, w.Created)
	s.Updated, _ = time.Parse(time.RFC3339, w.Updated)
	for _, ttl := range []*float64{w.TTL, w.TTLms} {
		if ttl != nil {
			s.TTL = milliseconds(*ttl)
		}
	}
	switch s.Status {
	case TaskStatusWorking, TaskStatusInputRequired, TaskStatusCompleted, TaskStatusFailed, TaskStatusCancelled:
		return s, nil
	}
	return s, fmt.Errorf("mcp: the server's task has the unknown status %q", clip(string(s.Status), 32))
}

func milliseconds(n float64) time.Duration {
	if !(n > 0) {
		return 0
	}
	return time.Duration(min(n, float64(1000*maxTTL.Milliseconds()))) * time.Millisecond
}

// ID returns the server's identifier for the task. Store it to find the task again later. It is
// empty if the call was answered immediately.
func (t *Task) ID() string { return t.id }

// State requests the state of the task from the server.
func (t *Task) State(ctx context.Context) (TaskState, error) {
	if t.id == "" {
		return TaskState{Status: TaskStatusCompleted}, nil
	}
	k, cc, err := t.request(ctx, "tasks/get", nil, nil)
	if err != nil {
		return TaskState{}, err
	}
	defer k.release()
	state, err := readTask(k.result)
	t.observe(cc, state)
	return state, err
}

// observe ends the progress reports of the task if it has ended. cc is the connection on which the
// state arrived.
func (t *Task) observe(cc *clientConn, state TaskState) {
	if state.Status.Terminal() {
		t.reports.end()
		cc.endTask(t.id)
	}
}

// request sends a request that concerns the task, and returns the call and its connection. The
// caller must release the call.
func (t *Task) request(ctx context.Context, method string, more []byte, opts *CallOptions) (*call, *clientConn, error) {
	k := t.c.newCall(method)
	k.name = t.id
	k.params = append(wire.Field(k.open(), "taskId", t.id), more...)
	cc, err := t.c.do(ctx, k, opts)
	if err != nil {
		k.release()
		return nil, nil, err
	}
	return k, cc, nil
}

// Cancel asks the server to stop the task. The server may finish it
// nevertheless.
func (t *Task) Cancel(ctx context.Context) error {
	if t.id == "" {
		return nil
	}
	k, cc, err := t.request(ctx, "tasks/cancel", nil, nil)
	if err != nil {
		return err
	}
	k.release()
	t.reports.end()
	cc.endTask(t.id)
	return nil
}

// Wait waits until the task has ended. It answers the server's questions and reconnects if the
// connection is lost. If ctx is done first, the task continues; see Cancel.
func (t *Task) Wait(ctx context.Context) (*CallToolResult, error) {
	if t.id == "" {
		return t.result, nil
	}
	k, err := t.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer k.release()
	res, err := readToolResult(k.result)
	if err != nil {
		return nil, fmt.Errorf("mcp: task %q: %w", clip(t.id, 64), err)
	}
	return res, nil
}

// These constants limit the time between two requests for the state of a task. defaultPoll is used
// if the server does not specify an interval.
const (
	defaultPoll = time.Second
	minPoll     = 20 * time.Millisecond
	maxPoll     = time.Minute
)

// wait waits until the task has ended, and returns a call with its result,
// which the caller must release.
func (t *Task) wait(ctx context.Context) (*call, error) {
	defer t.reports.flush(ctx)
	failed := 0
	for {
		k, cc, err := t.request(ctx, "tasks/get", nil, nil)
		if err != nil {
			if _, answered := errors.AsType[*Error](err); answered || ctx.Err() != nil || !t.c.transport.redials() ||
				failed >= t.c.opts.Limits.MaxReconnects || errors.Is(err, ErrClientClosed) {
				return nil, err
			}
			failed++
			if !t.c.pause(ctx, failed) {
				return nil, context.Cause(ctx)
			}
			continue
		}
		failed = 0
		state, err := readTask(k.result)
		t.observe(cc, state)
		over := err != nil
		if err == nil {
			over, err = t.advance(ctx, cc, k, state)
		}
		switch {
		case err != nil:
			k.release()
			return nil, err
		case over:
			return k, nil
		}
		k.release()
		poll := cmp.Or(state.PollInterval, defaultPoll)
		poll = min(max(poll, minPoll), maxPoll)
		if !retry.Sleep(ctx, poll+rand.N(poll/10+1)) { //nolint:gosec // jitter
			return nil, context.Cause(ctx)
		}
	}
}

func (t *Task) cancelledError() error {
	return fmt.Errorf("mcp: task %q: %w", clip(t.id, 64), ErrTaskCancelled)
}

// advance acts on the state of the task: it fetches the result or answers the server's questions.
// If it returns true, the task has ended, and k.result is its result. It returns an error if the
// task has failed or was cancelled.
func (t *Task) advance(ctx context.Context, cc *clientConn, k *call, state TaskState) (over bool, err error) {
	rev := cc.agreement().rev
	if state.Status == TaskStatusCancelled {
		return false, t.cancelledError()
	}
	if rev.HasCoreTasks() {
		if !state.Status.Terminal() && state.Status != TaskStatusInputRequired {
			return false, nil
		}
		// The request waits until the task has ended. During this time, the server may ask
		// questions.
		result, _, err := t.request(ctx, "tasks/result", nil, &CallOptions{Timeout: -1, MaxTimeout: -1})
		if err != nil {
			// The task may have been cancelled in the meantime.
			if _, answered := errors.AsType[*Error](err); answered {
				if now, failed := t.State(ctx); failed == nil && now.Status == TaskStatusCancelled {
					err = t.cancelledError()
				}
			}
			return false, err
		}
		k.result = append(k.result[:0], result.result...)
		result.release()
		t.reports.end()
		cc.endTask(t.id)
		return true, nil
	}
	switch state.Status {
	case TaskStatusCompleted:
		result := member(k.result, "result")
		if len(result) == 0 || result[0] != '{' {
			return false, errors.New("mcp: the server's task is completed but has no result")
		}
		k.result = append(k.result[:0], result...)
		return true, nil
	case TaskStatusFailed:
		if failure := member(k.result, "error"); len(failure) > 0 {
			return false, serverError(failure)
		}
		return false, errors.New("mcp: the server's task has failed without an error")
	case TaskStatusInputRequired:
		return false, t.answerInputs(ctx, cc, member(k.result, "inputRequests"))
	}
	return false, nil
}

// answerInputs answers the task's questions that have not been answered.
func (t *Task) answerInputs(ctx context.Context, cc *clientConn, requests []byte) error {
	t.mu.Lock()
	if t.answered == nil {
		t.answered = map[string]bool{}
	}
	skip := make(map[string]bool, len(t.answered))
	for key := range t.answered {
		skip[key] = true
	}
	t.mu.Unlock()
	if len(requests) == 0 || requests[0] != '{' {
		return errors.New("mcp: the server's task asks for input but sends no question")
	}
	answers, err := t.c.answerAll(ctx, cc.agreement().rev, requests, skip)
	if err != nil {
		return fmt.Errorf("mcp: task %q: %w", clip(t.id, 64), err)
	}
	if len(answers) == 2 {
		return nil
	}
	t.mu.Lock()
	o := jsonrpc.ReadObject(answers)
	for o.Next() {
		t.answered[string(o.Name)] = true
	}
	tooMany := len(t.answered) > t.c.opts.Limits.MaxRounds*t.c.opts.Limits.MaxQuestions
	t.mu.Unlock()
	if tooMany {
		return fmt.Errorf("mcp: task %q: the server keeps asking questions", clip(t.id, 64))
	}
	k, _, err := t.request(ctx, "tasks/update", append([]byte(`,"inputResponses":`), answers...), nil)
	if err != nil {
		return err
	}
	k.release()
	return nil
}

// waitForTask waits for the task in the response to k and stores its result in k. If ctx is done
// first, it cancels the task.
func (c *Client) waitForTask(ctx context.Context, k *call, opts *CallOptions) error {
	state, err := readTask(k.result)
	if err != nil {
		return err
	}
	opts = cmp.Or(opts, &noOptions)
	waiting, stop := ctx, context.CancelFunc(func() {})
	if w := c.waiting(opts); w.max > 0 {
		waiting, stop = context.WithTimeout(ctx, w.max)
	}
	defer stop()
	t := &Task{c: c, id: state.ID, reports: k.later}
	t.reports.open()
	got, err := t.wait(waiting)
	if err != nil {
		if waiting.Err() != nil {
			// The caller has no other access to the task, so cancel it.
			last, stop := context.WithTimeout(context.WithoutCancel(ctx), c.opts.Limits.CloseTimeout)
			go func() {
				defer stop()
				_ = t.Cancel(last)
			}()
		}
		return err
	}
	k.result = append(k.result[:0], got.result...)
	got.release()
	return nil
}

// Tasks lists the tasks that the server keeps for this client. It returns an error if the server's
// revision is not 2025-11-25, the only one with such a list.
func (c *Client) Tasks(ctx context.Context) iter.Seq2[TaskState, error] {
	return func(yield func(TaskState, error) bool) {
		for raw, err := range c.list(ctx, tasksList, nil) {
			var state TaskState
			if err == nil {
				state, err = readTask(raw)
			}
			if !yield(state, err) || err != nil {
				return
			}
		}
	}
}
