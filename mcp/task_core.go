package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// coreTasks implements tasks as a part of the protocol (specification 2025-11-25: Tasks). The
// client requests a task in the params of a call.
type coreTasks struct{}

const metaRelatedTask = "io.modelcontextprotocol/related-task"

func (coreTasks) accept(r *Request, t *tool) (bool, time.Duration, error) {
	params := r.params.task
	if !r.server.serves(r, "tasks") {
		params = nil // the client could not know that the server supports tasks
	}
	switch {
	case params == nil && t.TaskSupport == TaskSupportRequired:
		return false, 0, errorf(CodeMethodNotFound, "Tool %q can only be called as a task", t.Name)
	case params == nil:
		return false, 0, nil
	case t.TaskSupport == TaskSupportForbidden:
		return false, 0, errorf(CodeMethodNotFound, "Tool %q cannot be called as a task", t.Name)
	case params[0] != '{':
		return false, 0, errorf(CodeInvalidParams, "Invalid params: task must be an object")
	}
	var request struct {
		TTL *float64 `json:"ttl"`
	}
	if err := decode(params, &request); err != nil {
		return false, 0, errorf(CodeInvalidParams, "Invalid params: task.ttl must be a number of milliseconds")
	}
	ttl := r.server.opts.Tasks.TTL
	if request.TTL != nil && *request.TTL >= 0 && *request.TTL < float64(ttl.Milliseconds()) {
		ttl = time.Duration(*request.TTL) * time.Millisecond
	}
	return true, ttl, nil
}

func (p coreTasks) created(rec *TaskRecord, poll time.Duration) Result {
	b := append(wire.Name(open(), "task"), '{')
	b = append(p.append(b, rec, poll), '}')
	return encodedResult(b[1:])
}

func (coreTasks) append(b []byte, rec *TaskRecord, poll time.Duration) []byte {
	b = rec.appendState(b, rec.Status)
	b = wire.Int(b, "ttl", rec.TTL.Milliseconds())
	return wire.Int(b, "pollInterval", poll.Milliseconds())
}

// ended returns the status "failed" and the error's text if the result is an error, and otherwise
// the status "completed".
func (coreTasks) ended(res *CallToolResult) (TaskStatus, string) {
	if !res.IsError {
		return TaskStatusCompleted, ""
	}
	for _, c := range res.Content {
		if text, ok := c.(*TextContent); ok && text.Text != "" {
			return TaskStatusFailed, clip(text.Text, 512)
		}
	}
	return TaskStatusFailed, "The tool reported an error"
}

// notify sends the state to the session.
func (p coreTasks) notify(s *Server, rec *TaskRecord, r *Request) {
	b := append([]byte(`{"jsonrpc":"2.0","method":"notifications/tasks/status"`), `,"params":{`...)
	s.push(r.session, append(p.append(b, rec, s.opts.Tasks.PollInterval), '}', '}'))
}

func (p coreTasks) serve(ctx context.Context, s *Server, r *Request) (Result, error) {
	if r.method == "tasks/list" {
		return p.list(ctx, s, r)
	}
	run, rec, err := s.requestedTask(ctx, r)
	if err != nil {
		return nil, err
	}
	switch r.method {
	case "tasks/result":
		return p.result(ctx, s, r, run, rec)
	case "tasks/cancel":
		cancelled := false
		switch {
		case run != nil:
			cancelled = run.cancel(cancelledByClient)
			rec = run.record()
		case !rec.Status.Terminal():
			if rec, cancelled, err = s.cancelElsewhere(ctx, rec.ID); err != nil {
				return nil, err
			}
		}
		if !cancelled {
			return nil, errorf(CodeInvalidParams, "The task has already ended: it is %s", rec.Status)
		}
	}
	return encodedResult(p.append(open(), rec, s.opts.Tasks.PollInterval)[1:]), nil
}

// cancelledByClient is the status message after tasks/cancel.
const cancelledByClient = "The task was cancelled by the client"

// result answers tasks/result with the result of the call. It waits until the task has ended.
func (coreTasks) result(ctx context.Context, s *Server, r *Request, run *taskRun, rec *TaskRecord) (Result, error) {
	var err error
	switch {
	case run != nil:
		rec, err = run.wait(ctx, r.out)
	case !rec.Status.Terminal():
		rec, err = s.waitElsewhere(ctx, r, rec.ID)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case rec.Result != nil:
		return relatedResult{rec}, nil
	case rec.Error != nil:
		e := new(Error)
		if err := e.decode(rec.Error); err != nil {
			return nil, err
		}
		return nil, e
	case rec.Status == TaskStatusCancelled:
		return nil, errorf(CodeInvalidRequest, "The task was cancelled")
	}
	return nil, errors.New("a task has ended without a result")
}

// wait waits until the task has ended and returns its record. Until then, out can send the task's
// requests to the client.
func (t *taskRun) wait(ctx context.Context, out sink) (*TaskRecord, error) {
	out.handOver()
	for {
		t.mu.Lock()
		rec := t.rec
		if !rec.Status.Terminal() && t.resultSink == nil {
			t.resultSink = out
			t.signal()
		}
		changed := t.changed
		t.mu.Unlock()
		if rec.Status.Terminal() {
			return &rec, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.mu.Lock()
			if t.resultSink == out {
				t.resultSink = nil
				t.signal() // another waiting request can now provide its sink
			}
			t.mu.Unlock()
			return nil, context.Canceled
		}
	}
}

// relatedResult is the result of a task with the task's ID in _meta.
type relatedResult struct{ rec *TaskRecord }

func (r relatedResult) resultMeta() Meta {
	meta := RawResult(r.rec.Result).resultMeta()
	if meta == nil {
		meta = Meta{}
	}
	meta[metaRelatedTask] = map[string]string{"taskId": r.rec.ID}
	return meta
}

func (r relatedResult) appendMembers(b []byte, rev revision.Revision) []byte {
	return RawResult(r.rec.Result).appendMembers(b, rev)
}

// appendRelated appends the _meta that relates a message to the task of r, if r
// is a task.
func (r *Request) appendRelated(b []byte) []byte {
	t := r.task()
	if t == nil {
		return b
	}
	b = append(wire.Name(b, "_meta"), '{')
	b = append(wire.Name(b, metaRelatedTask), `{"taskId":`...)
	return append(wire.String(b, t.rec.ID), '}', '}')
}

// list answers tasks/list with the tasks of the client. Clients without an owner cannot list tasks,
// because they would all see the same tasks.
func (p coreTasks) list(ctx context.Context, s *Server, r *Request) (Result, error) {
	switch {
	case !s.mayAskTasks(r):
		return nil, errTaskRequests
	case !r.hasOwner():
		return nil, errMethodNotFound(r.method)
	}
	after := ""
	if r.params.hasCursor() {
		cursor, _ := jsonrpc.String(r.params.cursor)
		var ok bool
		if after, ok = s.openCursor("tasks", cursor); !ok {
			return nil, errorf(CodeInvalidParams, "Invalid cursor")
		}
	}
	size := min(s.opts.PageSize, 100)
	records, err := s.opts.Tasks.Store.List(ctx, r.owner(), after, size+1)
	if err != nil {
		return nil, fmt.Errorf("listing tasks: %w", err)
	}
	more := len(records) > size
	records = records[:min(size, len(records))]
	b := append(wire.Name(open(), "tasks"), '[')
	for _, rec := range records {
		b = append(p.append(append(wire.Comma(b), '{'), rec, s.opts.Tasks.PollInterval), '}')
	}
	b = append(b, ']')
	if more {
		b = wire.Field(b, "nextCursor", s.sealCursor("tasks", records[size-1].ID))
	}
	return encodedResult(b[1:]), nil
}

// ask sends the questions as requests on the connection of the call, or on the
// stream of a request that waits for the task's result.
func (coreTasks) ask(ctx context.Context, t *taskRun, questions []Question) ([]Answer, error) {
	requested := t.update(func(rec *TaskRecord) bool {
		rec.Status = TaskStatusInputRequired
		t.asking++
		return true
	})
	if !requested {
		return nil, errTaskEnded
	}
	// ctx belongs to the handler, which may return after the task has ended.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(&t.r.ctx, cancel)()
	var answers []Answer
	out, err := t.waitForSink(ctx)
	if err == nil {
		answers, err = t.r.askByRequest(ctx, out, questions)
	}
	t.update(func(rec *TaskRecord) bool {
		t.asking--
		t.resume(rec)
		return true
	})
	return answers, err
}

// waitForSink returns a sink that can send requests to the client. It is the sink of the call, or
// otherwise that of a request that waits for the task's result. It returns an error if ctx is done
// first.
func (t *taskRun) waitForSink(ctx context.Context) (sink, error) {
	if t.out.connection() != nil {
		return t.out, nil
	}
	for {
		t.mu.Lock()
		out, changed := t.resultSink, t.changed
		t.mu.Unlock()
		if out != nil {
			return out, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
