package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// taskMethod answers the methods of tasks.
func (s *Server) taskMethod(ctx context.Context, r *Request) (Result, error) {
	if !s.hasTasks.Load() {
		return nil, errMethodNotFound(r.method)
	}
	if r.rev.TasksAreExtension() && !r.declaresTasks() {
		return nil, errTasksUndeclared()
	}
	if !s.mayAskTasks(r) {
		return nil, errorf(CodeInternalError, "Too many requests about tasks; wait a second")
	}
	if r.method == "tasks/list" {
		if !r.toldApart() {
			return nil, errMethodNotFound(r.method) // it would be a list of everybody's
		}
		return s.listTasks(ctx, r)
	}
	id, ok := jsonrpc.String(r.params.taskID)
	if !ok {
		return nil, errorf(CodeInvalidParams, "Invalid params of %s: taskId must be a string", r.method)
	}
	run, rec, err := s.findTask(ctx, r, id)
	if err != nil {
		return nil, err
	}
	if run == nil && !rec.Status.Terminal() && r.method != "tasks/get" {
		return nil, errorf(CodeInternalError, "The task runs in another process of the server; only that can do this")
	}
	switch r.method {
	case "tasks/get":
		b := rec.append(open(), r.rev, s.opts.TaskPoll)
		if r.rev.TasksAreExtension() {
			b = rec.appendDetails(b)
		}
		return encodedResult(b[1:]), nil
	case "tasks/result":
		return s.taskResult(ctx, r, run, rec)
	case "tasks/update":
		var answers map[string]jsonValue
		if len(r.params.inputResponses) == 0 || r.params.inputResponses[0] != '{' || decode(r.params.inputResponses, &answers) != nil {
			return nil, errorf(CodeInvalidParams, "Invalid params of tasks/update: inputResponses must be an object")
		}
		if run != nil {
			if e := run.answer(answers); e != nil {
				return nil, e
			}
		}
		return emptyResult{}, nil
	}
	// tasks/cancel
	done := run != nil && run.cancel("The task was cancelled by the client")
	if r.rev.TasksAreExtension() {
		return emptyResult{}, nil
	}
	if run != nil {
		rec = run.record()
	}
	if !done {
		return nil, errorf(CodeInvalidParams, "The task has ended already: it is %s", rec.Status)
	}
	return encodedResult(rec.append(open(), r.rev, s.opts.TaskPoll)[1:]), nil
}

// findTask finds a task that r may see; run is nil if it has ended, or runs
// in another process.
func (s *Server) findTask(ctx context.Context, r *Request, id string) (*taskRun, *TaskRecord, error) {
	s.mu.Lock()
	run := s.runs[id]
	s.mu.Unlock()
	var rec *TaskRecord
	if run != nil {
		rec = run.record()
		switch {
		case !run.hasBegun(): // and the store has refused it
			rec = nil
		case rec.Status.Terminal():
			run = nil
		}
	} else {
		var err error
		if rec, err = s.opts.TaskStore.Get(ctx, id); err != nil && !errors.Is(err, ErrTaskNotFound) {
			return nil, nil, fmt.Errorf("reading a task: %w", err)
		}
	}
	if rec == nil || rec.Owner != r.owner() {
		return nil, nil, errorf(CodeInvalidParams, "Unknown task: %s", clip(id, 64))
	}
	return run, rec, nil
}

// record is how the task stands.
func (t *taskRun) record() *TaskRecord {
	t.mu.Lock()
	defer t.mu.Unlock()
	rec := t.rec
	return &rec
}

// taskResult answers tasks/result: with what the call would have been
// answered with, once that is there.
func (s *Server) taskResult(ctx context.Context, r *Request, run *taskRun, rec *TaskRecord) (Result, error) {
	if run != nil {
		r.out.handOver()
		for {
			run.mu.Lock()
			*rec = run.rec
			changed := run.changed
			if !rec.Status.Terminal() && run.sink == nil {
				run.sink = r.out
				run.signal()
				changed = run.changed
			}
			run.mu.Unlock()
			if rec.Status.Terminal() {
				break
			}
			select {
			case <-changed:
			case <-ctx.Done():
				run.mu.Lock()
				if run.sink == r.out {
					run.sink = nil
					run.signal() // another one may take its place
				}
				run.mu.Unlock()
				return nil, context.Canceled
			}
		}
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
	case rec.Status == TaskCancelled:
		return nil, errorf(CodeInvalidRequest, "The task was cancelled")
	}
	return nil, errors.New("a task has ended without a result")
}

// relatedResult is a task's result, tied to the task.
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

// listTasks answers tasks/list of 2025-11-25: the client's own.
func (s *Server) listTasks(ctx context.Context, r *Request) (Result, error) {
	after := ""
	if r.params.hasCursor() {
		cursor, _ := jsonrpc.String(r.params.cursor)
		var ok bool
		if after, ok = s.openCursor("tasks", cursor); !ok {
			return nil, errorf(CodeInvalidParams, "Invalid cursor")
		}
	}
	size := min(s.opts.PageSize, 100)
	records, err := s.opts.TaskStore.List(ctx, r.owner(), after, size+1)
	if err != nil {
		return nil, fmt.Errorf("listing tasks: %w", err)
	}
	more := len(records) > size
	records = records[:min(size, len(records))]
	b := append(wire.Name(open(), "tasks"), '[')
	for _, rec := range records {
		b = append(rec.append(append(wire.Comma(b), '{'), r.rev, s.opts.TaskPoll), '}')
	}
	b = append(b, ']')
	if more {
		b = wire.Field(b, "nextCursor", s.sealCursor("tasks", records[size-1].ID))
	}
	return encodedResult(b[1:]), nil
}

// tellNow tells a new listener how its tasks stand that have got anywhere: what
// happened before it listened it would not hear of.
func (s *Server) tellNow(ctx context.Context, l *listener) {
	for _, id := range l.tasks {
		run, rec, err := s.findTask(ctx, l.r, id)
		switch {
		case err != nil || rec.Status == TaskWorking:
		case run != nil:
			run.mu.Lock()
			told := run.rec
			run.untold = &told
			run.mu.Unlock()
			run.tell()
		default:
			line := l.taskLine(rec)
			s.tell(ctx, nil, l.r.rev, line, func() { l.push(line) })
		}
	}
}

// taskLine is the notification of a task's state.
func (l *listener) taskLine(rec *TaskRecord) []byte {
	b := l.appendTag([]byte(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{`))
	b = rec.appendDetails(rec.append(b, l.r.rev, l.r.server.opts.TaskPoll))
	return append(b, '}', '}')
}

// taskChanged tells the client of a change: that of a session without being
// asked, one of 2026-07-28 if it listens.
func (s *Server) taskChanged(rec *TaskRecord, r *Request) {
	if r.session != nil {
		b := append([]byte(`{"jsonrpc":"2.0","method":"notifications/tasks/status"`), `,"params":{`...)
		s.push(r.session, append(rec.append(b, r.rev, s.opts.TaskPoll), '}', '}'))
		return
	}
	s.broadcast(func(*session) []byte { return nil }, func(l *listener) []byte {
		if !slices.Contains(l.tasks, rec.ID) {
			return nil
		}
		return l.taskLine(rec)
	})
}
