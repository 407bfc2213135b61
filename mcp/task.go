package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// TaskSupport says whether a call of a tool can be a task: something that
// goes on after the call has been answered, for the client to ask about later
// (specification 2025-11-25: Tasks; the extension io.modelcontextprotocol/tasks
// of 2026-07-28). Clients of other revisions wait for the result.
type TaskSupport string

// The kinds of support.
const (
	TaskForbidden TaskSupport = ""         // calls are answered with the result
	TaskOptional  TaskSupport = "optional" // calls are tasks for clients that can take one
	TaskRequired  TaskSupport = "required" // calls of clients that cannot are refused
)

const (
	tasksExtension  = "io.modelcontextprotocol/tasks"
	metaRelatedTask = "io.modelcontextprotocol/related-task"
)

// taskRun is a call that is, or may become, a task, while its handler runs.
type taskRun struct {
	s     *Server
	r     *Request      // the handler's
	begun chan struct{} // closed when the call has become a task

	mu      sync.Mutex
	rec     TaskRecord
	asked   map[string]bool       // keys of all questions so far
	open    map[string]*taskInput // questions not answered yet
	changed chan struct{}         // closed and replaced at every change
	sink    sink                  // of a request that waits for the result
	late    *time.Timer           // ends the task when its time is over
}

// taskInput is a question that a task waits for.
type taskInput struct {
	q        Question
	request  []byte // method and params
	answered chan struct{}
}

// BecomeTask makes the call a task from here on, if the tool has
// Tool.TaskByHandler and the client can take one; else it does nothing. What
// the handler asked the client before, it asked as part of the call.
func (r *Request) BecomeTask() error {
	if r.run == nil || r.run.hasBegun() {
		return nil
	}
	return r.run.begin()
}

// TaskStatus tells the client in words how far a task is. Outside of a task
// it does nothing.
func (r *Request) TaskStatus(message string) {
	if r.run != nil && r.run.hasBegun() {
		r.run.update(func(rec *TaskRecord) { rec.StatusMessage = message })
	}
}

func (t *taskRun) hasBegun() bool {
	select {
	case <-t.begun:
		return true
	default:
		return false
	}
}

// takesTask decides whether the call r of t can be a task. The error refuses
// the call.
func (r *Request) takesTask(t *tool) (bool, error) {
	switch {
	case r.rev.Modern():
		if t.Task == TaskForbidden {
			return false, nil
		}
		declared := r.declaresTasks()
		if !declared && t.Task == TaskRequired {
			return false, errTasksUndeclared()
		}
		return declared, nil
	case r.rev.HasCoreTasks() && r.server.hasTasks.Load():
		asked := r.params.task != nil
		switch {
		case asked && t.Task == TaskForbidden:
			return false, errorf(CodeMethodNotFound, "Tool %q cannot be called as a task", t.Name)
		case !asked && t.Task == TaskRequired:
			return false, errorf(CodeMethodNotFound, "Tool %q can only be called as a task", t.Name)
		case asked && r.params.task[0] != '{':
			return false, errorf(CodeInvalidParams, "Invalid params: task must be an object")
		}
		return asked, nil
	}
	return false, nil
}

// declaresTasks reports whether a client of 2026-07-28 knows the extension.
func (r *Request) declaresTasks() bool {
	_, ok := r.ClientCapabilities().Extensions[tasksExtension]
	return ok
}

func errTasksUndeclared() *Error {
	return &Error{
		Code:    CodeMissingCapability,
		Message: "Missing required client capability",
		Data:    []byte(`{"requiredCapabilities":{"extensions":{"` + tasksExtension + `":{}}}}`),
	}
}

// callAsTask calls the handler of t on a goroutine of its own and answers
// when it returns, or when the call has become a task.
func (s *Server) callAsTask(ctx context.Context, r *Request, t *tool, args []byte) (Result, error) {
	run := &taskRun{
		s:       s,
		begun:   make(chan struct{}),
		changed: make(chan struct{}),
		asked:   map[string]bool{},
		open:    map[string]*taskInput{},
	}
	own := &Request{
		server: s, out: r.out, session: r.session, rev: r.rev, method: r.method, id: r.id,
		params: r.params, meta: r.meta, tool: t, run: run,
	}
	own.inputs.answers = r.inputs.answers
	own.ctx.parent, own.ctx.req = context.WithoutCancel(r.ctx.parent), own
	run.r = own
	if !t.TaskByHandler {
		if err := run.begin(); err != nil {
			return nil, err
		}
	}
	type outcome struct {
		res *CallToolResult
		err error
	}
	done := make(chan outcome, 1)
	s.workers.run(func() {
		res, err := (*CallToolResult)(nil), error(errGoexit)
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("panic in a handler", "method", r.method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res, err = nil, errors.New("panic")
			}
			if run.hasBegun() {
				run.finish(res, err)
			} else {
				s.finish(own)
			}
			done <- outcome{res, err}
		}()
		res, err = t.call(&own.ctx, own, args)
	})
	r.out.handOver()
	for {
		select {
		case <-run.begun:
			return run.created(), nil
		case out := <-done:
			if run.hasBegun() {
				return run.created(), nil
			}
			r.inputs.asking, r.inputs.keys = own.inputs.asking, own.inputs.keys
			if out.res == nil {
				return nil, out.err
			}
			return out.res, out.err
		case <-ctx.Done():
			if !run.hasBegun() {
				own.cancelByPeer()
				return nil, context.Canceled
			}
		}
	}
}

// begin makes the call a task.
func (t *taskRun) begin() error {
	ttl := t.s.opts.TaskTTL
	if r := t.r; r.rev.HasCoreTasks() && r.params.task != nil {
		var asked struct {
			TTL *float64 `json:"ttl"`
		}
		if err := decode(r.params.task, &asked); err != nil {
			return errorf(CodeInvalidParams, "Invalid params: task.ttl must be a number of milliseconds")
		}
		if asked.TTL != nil && *asked.TTL >= 0 && *asked.TTL < float64(ttl.Milliseconds()) {
			ttl = time.Duration(*asked.TTL) * time.Millisecond
		}
	}
	now := time.Now()
	t.mu.Lock()
	t.rec = TaskRecord{ID: rand.Text(), Owner: t.r.owner(), Status: TaskWorking, Created: now, Updated: now, TTL: ttl}
	rec := t.rec
	t.mu.Unlock()

	s := t.s
	s.mu.Lock()
	if len(s.runs) >= s.opts.MaxTasks {
		s.mu.Unlock()
		return errorf(CodeInternalError, "Too many tasks are running; try again later")
	}
	s.runs[rec.ID] = t
	s.mu.Unlock()
	if err := s.opts.TaskStore.Put(context.WithoutCancel(&t.r.ctx), &rec); err != nil {
		s.dropRun(rec.ID)
		return fmt.Errorf("keeping a task: %w", err)
	}
	t.mu.Lock()
	t.late = time.AfterFunc(ttl, func() {
		t.r.ctx.cancel(context.DeadlineExceeded)
		t.finish(nil, errorf(CodeInternalError, "The task took longer than it may be kept"))
	})
	t.mu.Unlock()
	close(t.begun)
	return nil
}

func (s *Server) dropRun(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.runs, id)
}

// owner is whose the tasks are that r creates: the principal's, or, in a
// session without one, the session's. Without either, who knows a task's id
// may ask for it.
func (r *Request) owner() string {
	if principal := r.Principal(); principal != "" {
		return "principal " + principal
	}
	if r.session != nil {
		return "session " + r.session.token()
	}
	return ""
}

// token names the session among all there ever are.
func (s *session) token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.name == "" {
		s.name = rand.Text()
	}
	return s.name
}

// update changes the record, unless the task has ended, and tells all who
// wait for that.
func (t *taskRun) update(change func(*TaskRecord)) {
	t.mu.Lock()
	if t.rec.Status.Terminal() {
		t.mu.Unlock()
		return
	}
	change(&t.rec)
	t.rec.Updated = time.Now()
	t.rec.Inputs = t.inputs()
	rec := t.rec
	close(t.changed)
	t.changed = make(chan struct{})
	// Under the lock, so that records are put in the order of changes.
	err := t.s.opts.TaskStore.Put(context.WithoutCancel(&t.r.ctx), &rec)
	t.mu.Unlock()
	if err != nil {
		t.s.log.Error("a task's change could not be kept", "status", rec.Status, "error", err)
	}
	t.s.taskChanged(&rec, t.r)
}

// inputs are the open questions as a JSON object. The caller holds mu.
func (t *taskRun) inputs() []byte {
	if len(t.open) == 0 {
		return nil
	}
	b := []byte{'{'}
	for _, key := range slices.Sorted(maps.Keys(t.open)) {
		b = append(wire.String(wire.Comma(b), key), ':')
		b = append(b, t.open[key].request...)
	}
	return append(b, '}')
}

// finish ends the task with what its handler returned.
func (t *taskRun) finish(res *CallToolResult, err error) {
	r := t.r
	r.sendPending() // nothing follows the end of a task
	t.update(func(rec *TaskRecord) {
		clear(t.open)
		switch {
		case err != nil:
			e := asError(err)
			rec.Status, rec.StatusMessage = TaskFailed, e.Message
			rec.Error = e.append(nil)
		default:
			rec.Status = TaskCompleted
			if res.IsError && r.rev.HasCoreTasks() {
				rec.Status, rec.StatusMessage = TaskFailed, "The tool reported an error"
			}
			b := res.appendMembers([]byte{'{'}, r.rev)
			if r.rev.HasResultType() {
				b = wire.Field(b, "resultType", "complete")
			}
			rec.Result = append(appendMeta(b, res.Meta), '}')
		}
	})
	t.s.finish(r)
	t.drop()
}

// drop lets go of the run: the record says all from here on.
func (t *taskRun) drop() {
	t.mu.Lock()
	t.late.Stop()
	id := t.rec.ID
	t.mu.Unlock()
	t.s.dropRun(id)
}

// cancel ends the task at its client's wish.
func (t *taskRun) cancel() {
	t.update(func(rec *TaskRecord) {
		clear(t.open)
		rec.Status, rec.StatusMessage = TaskCancelled, "The task was cancelled by the client"
	})
	t.r.cancelByPeer()
	t.drop()
}

// ask puts questions to the client of a task and waits for the answers.
func (t *taskRun) ask(ctx context.Context, questions []Question) error {
	if !t.r.rev.Modern() {
		return t.askByRequest(ctx, questions)
	}
	var inputs []*taskInput
	for _, q := range questions {
		b := append(wire.Field(open(), "method", q.method()), `,"params":{`...)
		b, err := q.appendParams(b, t.r.rev)
		if err != nil {
			return err
		}
		inputs = append(inputs, &taskInput{q, append(b, '}', '}'), make(chan struct{})})
	}
	t.update(func(rec *TaskRecord) {
		rec.Status = TaskInputRequired
		for _, input := range inputs {
			key := input.q.key()
			// A key names one question for as long as the task lives.
			for n := len(t.asked) + 1; key == "" || t.asked[key]; n++ {
				key = "input-" + strconv.Itoa(n)
			}
			t.asked[key] = true
			t.open[key] = input
		}
	})
	for _, input := range inputs {
		select {
		case <-input.answered:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// answer takes answers to open questions; others are ignored. An answer that
// is no good leaves its question open.
func (t *taskRun) answer(answers map[string]jsonValue) *Error {
	var failed *Error
	t.update(func(rec *TaskRecord) {
		for _, key := range sortedKeys(answers) {
			input := t.open[key]
			if input == nil {
				continue
			}
			if err := input.q.answered(answers[key]); err != nil {
				failed = errorf(CodeInvalidParams, "Invalid params: inputResponses[%q]: %v", clip(key, 64), err)
				continue
			}
			delete(t.open, key)
			close(input.answered)
		}
		if len(t.open) == 0 {
			rec.Status = TaskWorking
		}
	})
	return failed
}

// askByRequest asks by requests of 2025-11-25, on the stream of a request
// that waits for the task's result if the connection has no other for it.
func (t *taskRun) askByRequest(ctx context.Context, questions []Question) error {
	t.update(func(rec *TaskRecord) { rec.Status = TaskInputRequired })
	out, err := t.waitForSink(ctx)
	if err == nil {
		err = t.r.askByRequest(ctx, out, questions)
	}
	t.update(func(rec *TaskRecord) { rec.Status = TaskWorking })
	return err
}

// waitForSink finds where requests to the client can be sent.
func (t *taskRun) waitForSink(ctx context.Context) (sink, error) {
	if c, ok := t.r.out.(*stream); ok {
		return c, nil
	}
	for {
		t.mu.Lock()
		out, changed := t.sink, t.changed
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

// created is the answer to the call that has become the task.
func (t *taskRun) created() Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	rec := t.rec
	if t.r.rev.Modern() {
		return taskCreated{rec.append(open(), revision.V20260728, t.s.opts.TaskPoll)[1:]}
	}
	b := append(wire.Name(open(), "task"), '{')
	b = append(rec.append(b, t.r.rev, t.s.opts.TaskPoll), '}')
	return encodedResult(b[1:])
}

// taskCreated is the members of a result that has resultType "task".
type taskCreated struct{ members []byte }

func (taskCreated) resultMeta() Meta { return nil }
func (t taskCreated) appendMembers(b []byte, _ revision.Revision) []byte {
	return append(b, t.members...)
}

// append appends the members of a task, without result, error and questions.
func (t *TaskRecord) append(b []byte, rev revision.Revision, poll time.Duration) []byte {
	b = wire.Field(b, "taskId", t.ID)
	b = wire.Field(b, "status", string(t.Status))
	b = wire.Optional(b, "statusMessage", t.StatusMessage)
	b = wire.Field(b, "createdAt", t.Created.UTC().Format(time.RFC3339Nano))
	b = wire.Field(b, "lastUpdatedAt", t.Updated.UTC().Format(time.RFC3339Nano))
	ttl, interval := "ttl", "pollInterval"
	if rev.Modern() {
		ttl, interval = "ttlMs", "pollIntervalMs"
	}
	b = wire.Int(b, ttl, t.TTL.Milliseconds())
	return wire.Int(b, interval, poll.Milliseconds())
}

// appendDetails appends what a task of the extension has beside that.
func (t *TaskRecord) appendDetails(b []byte) []byte {
	switch t.Status {
	case TaskInputRequired:
		inputs := t.Inputs
		if inputs == nil {
			inputs = json.RawMessage("{}")
		}
		return wire.Raw(b, "inputRequests", inputs)
	case TaskCompleted:
		return wire.Raw(b, "result", t.Result)
	case TaskFailed:
		return wire.Raw(b, "error", t.Error)
	}
	return b
}

// appendRelated appends the _meta that ties a message to the task that r is.
func (r *Request) appendRelated(b []byte) []byte {
	if r.run == nil || !r.run.hasBegun() {
		return b
	}
	b = append(wire.Name(b, "_meta"), '{')
	b = append(wire.Name(b, metaRelatedTask), `{"taskId":`...)
	return append(wire.String(b, r.run.rec.ID), '}', '}')
}

// taskMethod answers the methods of tasks.
func (s *Server) taskMethod(ctx context.Context, r *Request) (Result, error) {
	if !s.hasTasks.Load() {
		return nil, errMethodNotFound(r.method)
	}
	if r.rev.Modern() && !r.declaresTasks() {
		return nil, errTasksUndeclared()
	}
	if r.method == "tasks/list" {
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
	switch r.method {
	case "tasks/get":
		b := rec.append(open(), r.rev, s.opts.TaskPoll)
		if r.rev.Modern() {
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
	if run != nil {
		run.cancel()
		run.mu.Lock()
		rec = &TaskRecord{}
		*rec = run.rec
		run.mu.Unlock()
	}
	if r.rev.Modern() {
		return emptyResult{}, nil
	}
	if run == nil {
		return nil, errorf(CodeInvalidParams, "The task has ended already: %s", rec.Status)
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
		run.mu.Lock()
		rec = new(TaskRecord)
		*rec = run.rec
		run.mu.Unlock()
		if rec.Status.Terminal() {
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
				close(run.changed)
				run.changed = make(chan struct{})
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
	return nil, errorf(CodeInternalError, "The task runs in another process")
}

// relatedResult is a task's result, tied to the task.
type relatedResult struct{ rec *TaskRecord }

func (r relatedResult) resultMeta() Meta {
	meta := Meta{}
	var own map[string]jsonValue
	if decodeOptional(member(r.rec.Result, "_meta"), &own) == nil {
		for key, value := range own {
			meta[key] = value
		}
	}
	meta[metaRelatedTask] = map[string]string{"taskId": r.rec.ID}
	return meta
}

func (r relatedResult) appendMembers(b []byte, _ revision.Revision) []byte {
	o := jsonrpc.ReadObject(r.rec.Result)
	for o.Next() {
		if string(o.Name) != "_meta" {
			b = wire.Raw(b, string(o.Name), o.Value)
		}
	}
	return b
}

// listTasks answers tasks/list of 2025-11-25: the client's own.
func (s *Server) listTasks(ctx context.Context, r *Request) (Result, error) {
	after := ""
	if r.params.cursor != nil {
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
		b := l.appendTag([]byte(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{`))
		b = rec.appendDetails(rec.append(b, r.rev, s.opts.TaskPoll))
		return append(b, '}', '}')
	})
}
