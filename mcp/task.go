package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// TaskSupport says whether a call of a tool can be a task: something that
// goes on after the call has been answered, for the client to ask about later
// (specification 2025-11-25: Tasks; the extension io.modelcontextprotocol/tasks
// of 2026-07-28). Clients of other revisions wait for the result.
//
// Only the principal that has made a task can ask for it (see WithPrincipal).
// Without one it is the session's and ends with that; and where there is no
// session either, whoever knows the task's id, which cannot be guessed, can.
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
	out   sink          // of the call
	begun chan struct{} // closed when the call has become a task

	client any // whose it is; guarded by Server.mu

	mu      sync.Mutex // locked before Server.mu and Request.mu, never after
	rec     TaskRecord
	over    bool                  // too late to become a task
	lost    bool                  // the store has not taken the end of the task
	asked   map[string]bool       // keys of all questions so far
	open    map[string]*taskInput // questions not answered yet
	asking  int                   // calls of Ask that wait for answers to requests
	changed chan struct{}         // closed and replaced at every change
	sink    sink                  // of a request that waits for the result
	late    *time.Timer           // ends the task when its time is over
	untold  *TaskRecord           // the newest that the client has not been told of
	telling bool                  // somebody tells it
}

// BecomeTask makes the call a task from here on, if the tool has
// Tool.TaskByHandler and the client can take one; else it does nothing. What
// the handler asked the client before, it asked as part of the call.
func (r *Request) BecomeTask() error {
	if t, ok := r.out.(*taskRun); ok {
		return t.begin()
	}
	return nil
}

// TaskStatus tells the client in words how far a task is. Outside of a task
// it does nothing.
func (r *Request) TaskStatus(message string) {
	if t := r.task(); t != nil {
		t.update(func(rec *TaskRecord) bool {
			rec.StatusMessage = message
			return true
		})
	}
}

// task is the task that r is; nil if r is none, or has not become one yet.
func (r *Request) task() *taskRun {
	if t, ok := r.out.(*taskRun); ok && t.hasBegun() {
		return t
	}
	return nil
}

// A taskRun is the sink of its request. Before the task has begun, what it is
// given goes to the sink of the call; then notifications go to the session
// among what belongs to no request, and without a session nowhere.
func (t *taskRun) notify(line []byte) {
	switch {
	case !t.hasBegun():
		t.out.notify(line)
	case t.r.session != nil:
		t.r.session.push(line)
	}
}

func (t *taskRun) push(line []byte)                           { t.out.push(line) }
func (t *taskRun) send(ctx context.Context, line []byte) bool { return t.out.send(ctx, line) }
func (t *taskRun) beginSession(*session) bool                 { return false }
func (t *taskRun) handOver()                                  { t.out.handOver() }
func (t *taskRun) connection() any                            { return t.out.connection() }
func (t *taskRun) ending() bool                               { return t.out.ending() }

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
	case r.rev.TasksAreExtension():
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
	return MissingExtension(tasksExtension)
}

// callAsTask calls the handler of t on a goroutine of its own and answers
// when it returns, or when the call has become a task.
func (s *Server) callAsTask(ctx context.Context, r *Request, t *tool, args []byte) (Result, error) {
	run := &taskRun{
		s:       s,
		out:     r.out,
		begun:   make(chan struct{}),
		changed: make(chan struct{}),
		asked:   map[string]bool{},
		open:    map[string]*taskInput{},
	}
	own := &Request{
		server: s, out: run, session: r.session, rev: r.rev, method: r.method, id: r.id,
		params: r.params, meta: r.meta, tool: t,
	}
	own.inputs = &inputs{answers: r.input().answers}
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
		var res *CallToolResult
		err := errGoexit
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("panic in a handler", "method", r.method, "name", r.about(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res, err = nil, asError(errors.New("panic"))
			}
			if run.close() {
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
			in := r.input()
			in.asking, in.keys = own.asking()
			r.missing.Store(len(in.asking) > 0)
			if out.res == nil {
				return nil, out.err
			}
			return out.res, out.err
		case <-ctx.Done():
			if !run.close() {
				own.cancelByPeer()
				return nil, context.Canceled
			}
		}
	}
}

// begin makes the call a task, unless it is one.
func (t *taskRun) begin() error {
	ttl, err := t.ttl()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.hasBegun():
		return nil
	case t.over:
		return errors.New("the call has ended; it is too late to make it a task")
	}
	s, now := t.s, time.Now()
	t.rec = TaskRecord{ID: rand.Text(), Owner: t.r.owner(), Status: TaskWorking, Created: now, Updated: now, TTL: ttl}
	if !s.addRun(t) {
		return errorf(CodeInternalError, "Too many tasks are running; try again later")
	}
	rec := t.rec
	if err := t.keep(&rec); err != nil {
		s.dropRun(rec.ID)
		return fmt.Errorf("keeping a task: %w", err)
	}
	t.late = time.AfterFunc(ttl, t.expire)
	close(t.begun)
	return nil
}

// ttl is how long the task is kept.
func (t *taskRun) ttl() (time.Duration, error) {
	ttl := t.s.opts.TaskTTL
	if r := t.r; r.rev.HasCoreTasks() && r.params.task != nil {
		var asked struct {
			TTL *float64 `json:"ttl"`
		}
		if err := decode(r.params.task, &asked); err != nil {
			return 0, errorf(CodeInvalidParams, "Invalid params: task.ttl must be a number of milliseconds")
		}
		if asked.TTL != nil && *asked.TTL >= 0 && *asked.TTL < float64(ttl.Milliseconds()) {
			ttl = time.Duration(*asked.TTL) * time.Millisecond
		}
	}
	return ttl, nil
}

// close makes it too late to become a task, and reports whether the call has.
func (t *taskRun) close() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	return t.hasBegun()
}

// addRun adds a task that runs, unless there are too many of them, or of its
// client's.
func (s *Server) addRun(t *taskRun) bool {
	client := t.r.client()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.client = client
	if len(s.runs) >= s.opts.MaxTasks || client != nil && s.tasksOf[client] >= s.opts.MaxTasksPerClient {
		return false
	}
	s.runs[t.rec.ID] = t
	s.tasksOf[client]++
	return true
}

func (s *Server) dropRun(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.runs[id]
	if t == nil {
		return
	}
	delete(s.runs, id)
	if s.tasksOf[t.client]--; s.tasksOf[t.client] == 0 {
		delete(s.tasksOf, t.client)
	}
}

// client is whom the request is from, as far as that can be told: the owner of
// what it creates, or the connection; nil if neither is known.
func (r *Request) client() any {
	if owner := r.owner(); owner != "" {
		return owner
	}
	if r.out == nil {
		return nil
	}
	return r.out.connection()
}

// owner is whose the tasks are that r creates: the principal's, or, in a
// session without one, the session's. Without either, who knows a task's id
// may ask for it.
func (r *Request) owner() string {
	if principal := r.Principal(); principal != "" {
		return "principal " + principal
	}
	if r.session != nil && !r.session.passing {
		return "session " + r.session.token()
	}
	return ""
}

// toldApart reports whether the server can tell the client from others.
func (r *Request) toldApart() bool {
	return r.Principal() != "" || r.session != nil && !r.session.passing
}

// endTasks ends the tasks that nobody but the session could ask for, which has
// ended.
func (s *Server) endTasks(of *session) {
	var orphans []*taskRun
	s.mu.Lock()
	for _, run := range s.runs {
		if run.r.session == of && run.r.Principal() == "" {
			orphans = append(orphans, run)
		}
	}
	s.mu.Unlock()
	for _, run := range orphans {
		run.cancel("The session has ended")
	}
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
// wait for that. Change reports whether it has changed anything, as update
// does.
func (t *taskRun) update(change func(*TaskRecord) bool) bool {
	t.mu.Lock()
	if t.rec.Status.Terminal() || !change(&t.rec) {
		t.mu.Unlock()
		return false
	}
	t.rec.Updated = time.Now()
	ended := t.rec.Status.Terminal()
	if ended {
		clear(t.open)
		t.late.Stop()
		t.r.mu.Lock()
		t.r.finished = true // nothing is sent for a task that has ended
		t.r.mu.Unlock()
	}
	t.rec.Inputs = t.inputs()
	rec, told := t.rec, t.rec
	// Under the lock, so that records are put in the order of changes.
	err := t.keep(&rec)
	t.lost = ended && err != nil
	t.untold = &told
	t.signal()
	t.mu.Unlock()
	if err != nil {
		t.s.log.Error("a task's change could not be kept", "status", told.Status, "error", err)
	}
	t.tell()
	return true
}

// keep puts the record into the store. Whatever happens there is an error:
// locks are held, and no handler's goroutine may be near.
func (t *taskRun) keep(rec *TaskRecord) (err error) {
	ctx, store := context.WithoutCancel(&t.r.ctx), t.s.opts.TaskStore
	if own, ok := store.(*memoryTasks); ok {
		return own.Put(ctx, rec)
	}
	returned := t.s.workers.apart(func() {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in TaskStore.Put: %v", p)
			}
		}()
		err = store.Put(ctx, rec)
	})
	if !returned {
		err = errGoexit
	}
	return err
}

// signal wakes all who wait for a change. The caller holds mu.
func (t *taskRun) signal() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// tell tells the client of the last change. One goroutine does at a time, so
// that the client never hears an older state after a newer one; and without a
// lock, because middleware is called.
func (t *taskRun) tell() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.telling {
		return
	}
	t.telling = true
	for t.untold != nil {
		rec := t.untold
		t.untold = nil
		t.mu.Unlock()
		t.s.taskChanged(rec, t.r)
		t.mu.Lock()
	}
	t.telling = false
}

// finish ends the task with what its handler returned, unless it has ended
// before that.
func (t *taskRun) finish(res *CallToolResult, err error) {
	r := t.r
	if err != nil {
		if _, ok := errors.AsType[*Error](err); !ok {
			t.s.log.Error("task failed", "method", r.method, "error", err)
		}
	}
	r.sendPending() // nothing follows the end of a task
	t.update(func(rec *TaskRecord) bool {
		if err != nil {
			rec.fail(asError(err))
			return true
		}
		rec.Status = TaskCompleted
		if res.IsError && r.rev.HasCoreTasks() {
			rec.Status, rec.StatusMessage = TaskFailed, res.diagnosis()
		}
		b := res.appendMembers([]byte{'{'}, r.rev)
		if r.rev.HasResultType() {
			b = wire.Field(b, "resultType", "complete")
		}
		rec.Result = append(appendMeta(b, res.Meta), '}')
		return true
	})
	t.s.finish(r)
	t.drop()
}

// diagnosis is what a result that is an error says in words.
func (r *CallToolResult) diagnosis() string {
	for _, c := range r.Content {
		if text, ok := c.(*TextContent); ok && text.Text != "" {
			return clip(text.Text, 512)
		}
	}
	return "The tool reported an error"
}

// fail ends the task with an error of the protocol.
func (t *TaskRecord) fail(e *Error) {
	t.Status, t.StatusMessage, t.Error = TaskFailed, e.Message, e.append(nil)
}

// drop lets go of the run when its handler has ended: the record says all from
// here on. If the store has not got it, the run stays as long as the record
// would.
func (t *taskRun) drop() {
	t.mu.Lock()
	id, lost, left := t.rec.ID, t.lost, time.Until(t.rec.Created.Add(t.rec.TTL))
	t.mu.Unlock()
	if lost {
		time.AfterFunc(left, func() { t.s.dropRun(id) })
		return
	}
	t.s.dropRun(id)
}

// cancel ends the task before its handler does, and reports whether that was
// not too late. The handler's context ends.
func (t *taskRun) cancel(why string) bool {
	done := t.update(func(rec *TaskRecord) bool {
		rec.Status, rec.StatusMessage = TaskCancelled, why
		return true
	})
	t.r.cancelByPeer()
	return done
}

// expire ends the task because its time is over.
func (t *taskRun) expire() {
	t.update(func(rec *TaskRecord) bool {
		rec.fail(errorf(CodeInternalError, "The task took longer than it may be kept"))
		return true
	})
	t.r.ctx.cancel(context.DeadlineExceeded)
}

// created is the answer to the call that has become the task: how it began,
// however far it has come since.
func (t *taskRun) created() Result {
	t.mu.Lock()
	rec := TaskRecord{ID: t.rec.ID, Status: TaskWorking, Created: t.rec.Created, Updated: t.rec.Created, TTL: t.rec.TTL}
	t.mu.Unlock()
	if t.r.rev.TasksAreExtension() {
		return taskCreated{rec.append(open(), revision.Latest, t.s.opts.TaskPoll)[1:]}
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
	b = wire.Field(b, "status", string(t.statusFor(rev)))
	b = wire.Optional(b, "statusMessage", t.StatusMessage)
	b = wire.Field(b, "createdAt", t.Created.UTC().Format(time.RFC3339Nano))
	b = wire.Field(b, "lastUpdatedAt", t.Updated.UTC().Format(time.RFC3339Nano))
	ttl, interval := "ttl", "pollInterval"
	if rev.TasksAreExtension() {
		ttl, interval = "ttlMs", "pollIntervalMs"
	}
	b = wire.Int(b, ttl, t.TTL.Milliseconds())
	return wire.Int(b, interval, poll.Milliseconds())
}

// statusFor is the status as a client of that revision understands it: with
// the extension, a result is complete even if it tells of an error.
func (t *TaskRecord) statusFor(rev revision.Revision) TaskStatus {
	if rev.TasksAreExtension() && t.Status == TaskFailed && t.Result != nil {
		return TaskCompleted
	}
	return t.Status
}

// appendDetails appends what a task of the extension has beside that.
func (t *TaskRecord) appendDetails(b []byte) []byte {
	switch t.statusFor(revision.Latest) {
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
	t := r.task()
	if t == nil {
		return b
	}
	b = append(wire.Name(b, "_meta"), '{')
	b = append(wire.Name(b, metaRelatedTask), `{"taskId":`...)
	return append(wire.String(b, t.rec.ID), '}', '}')
}
