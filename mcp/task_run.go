package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// taskRun is a call that is a task or can become one, while its handler is running.
//
// It is the sink of the handler's request. Before the task starts, it sends messages to the sink of
// the call. After that, it sends notifications to the session, or drops them if there is no
// session.
type taskRun struct {
	s        *Server
	r        *Request // the handler's request
	out      sink     // sink of the call
	protocol taskProtocol
	ttl      time.Duration
	begun    chan struct{} // closed when the call becomes a task

	client any // see Request.client; guarded by Server.mu

	mu         sync.Mutex // may be locked before Server.mu and Request.mu, but not after them
	rec        TaskRecord
	closed     bool                  // whether the call has ended, as a task or not
	unsaved    bool                  // whether the store failed to save the final record
	keys       map[string]bool       // keys of all inputs so far
	inputs     map[string]*taskInput // inputs that have not been answered
	asking     int                   // number of running calls of coreTasks.ask
	changed    chan struct{}         // closed and replaced on every change
	resultSink sink                  // sink of a waiting tasks/result request
	expiry     *time.Timer           // ends the task after its TTL
	ownMessage bool                  // whether the handler has set the status message
	heldBack   string                // message of the last progress report, if the rate limit delayed it
	unsent     *TaskRecord           // the newest state, until the client has been notified of it
	notifying  bool                  // whether a goroutine is running notifyClient
}

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
func (t *taskRun) beginSession(*session) *session             { return nil }
func (t *taskRun) handOver()                                  { t.out.handOver() }
func (t *taskRun) connection() any                            { return t.out.connection() }
func (t *taskRun) unread() int                                { return t.out.unread() }
func (t *taskRun) ending() bool                               { return t.out.ending() }

func (t *taskRun) hasBegun() bool {
	select {
	case <-t.begun:
		return true
	default:
		return false
	}
}

// callAsTask calls the handler of t on a worker. It returns when the handler has returned or the
// call has become a task.
func (s *Server) callAsTask(ctx context.Context, r *Request, t *tool, args []byte, ttl time.Duration) (Result, error) {
	run := &taskRun{
		s:        s,
		out:      r.out,
		protocol: tasksIn(r.rev),
		ttl:      ttl,
		begun:    make(chan struct{}),
		changed:  make(chan struct{}),
		keys:     map[string]bool{},
		inputs:   map[string]*taskInput{},
	}
	background := &Request{
		server: s, out: run, session: r.session, rev: r.rev, method: r.method, id: r.id,
		params: r.params, meta: r.meta, tool: t,
	}
	background.inputs = &inputs{answers: r.input().answers}
	background.ctx.parent, background.ctx.req = context.WithoutCancel(r.ctx.parent), background
	run.r = background
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
				s.finish(background)
			}
			done <- outcome{res, err}
		}()
		res, err = t.call(&background.ctx, background, args)
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
			in.asking, in.keys = background.asking()
			r.missing.Store(len(in.asking) > 0)
			if out.res == nil {
				return nil, out.err
			}
			return out.res, out.err
		case <-ctx.Done():
			if !run.close() {
				background.cancelByPeer()
				return nil, context.Canceled
			}
		}
	}
}

// begin turns the call into a task, unless it is one already. It returns an error if the call has
// ended, if too many tasks are running, or if the task cannot be stored.
func (t *taskRun) begin() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.hasBegun():
		return nil
	case t.closed:
		return errors.New("the call has ended; it is too late to make it a task")
	}
	s, now := t.s, time.Now()
	t.rec = TaskRecord{ID: rand.Text(), Owner: t.r.owner(), Status: TaskStatusWorking, Created: now, Updated: now, TTL: t.ttl}
	if !s.addRun(t) {
		return errorf(CodeInternalError, "Too many tasks are running; try again later")
	}
	rec := t.rec
	if err := t.save(&rec); err != nil {
		s.dropRun(rec.ID)
		s.log.Error("a task could not be stored", "tool", t.r.about(), "error", err)
		return errorf(CodeInternalError, "The task could not be stored; try again later")
	}
	t.expiry = time.AfterFunc(t.ttl, t.expire)
	close(t.begun)
	return nil
}

// close marks the call as ended, so that it can no longer become a task. It
// reports whether the call is a task.
func (t *taskRun) close() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return t.hasBegun()
}

// created returns the result of the call, which contains the state in which the task started.
func (t *taskRun) created() Result {
	t.mu.Lock()
	rec := TaskRecord{ID: t.rec.ID, Status: TaskStatusWorking, Created: t.rec.Created, Updated: t.rec.Created, TTL: t.rec.TTL}
	t.mu.Unlock()
	return t.protocol.created(&rec, t.s.opts.Tasks.PollInterval)
}

// record returns a copy of the task's record.
func (t *taskRun) record() *TaskRecord {
	t.mu.Lock()
	defer t.mu.Unlock()
	rec := t.rec
	return &rec
}

// update calls change with the record, unless the task has ended. If change returns true, update
// stores the record, notifies the client, and returns true.
func (t *taskRun) update(change func(*TaskRecord) bool) bool {
	t.mu.Lock()
	if t.rec.Status.Terminal() || !change(&t.rec) {
		t.mu.Unlock()
		return false
	}
	t.rec.Updated = time.Now()
	ended := t.rec.Status.Terminal()
	if ended {
		clear(t.inputs)
		t.expiry.Stop()
		t.r.mu.Lock()
		t.r.finished = true // no messages are sent for a task that has ended
		t.r.mu.Unlock()
	}
	t.rec.Inputs = t.appendInputs(nil)
	rec, unsent := t.rec, t.rec
	// mu is held, so that records are stored in the order of the changes.
	err := t.save(&rec)
	t.unsaved = ended && err != nil
	t.unsent = &unsent
	t.signal()
	t.mu.Unlock()
	if err != nil {
		t.s.log.Error("a task's change could not be stored", "status", unsent.Status, "error", err)
	}
	t.notifyClient()
	return true
}

// save stores the record. Because mu is held, it calls the store on another goroutine. A panic or
// runtime.Goexit in the store becomes an error.
func (t *taskRun) save(rec *TaskRecord) (err error) {
	ctx, store := context.WithoutCancel(&t.r.ctx), t.s.opts.Tasks.Store
	if memory, ok := store.(*memoryTasks); ok {
		return memory.Put(ctx, rec)
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

// signal wakes the goroutines that wait for a change. The caller must hold mu.
func (t *taskRun) signal() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// notifyClient sends the unsent states. Only one goroutine at a time sends, so that the client
// receives the states in order. It does not hold mu, because sending runs middleware.
func (t *taskRun) notifyClient() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notifying {
		return
	}
	t.notifying = true
	for t.unsent != nil {
		rec := t.unsent
		t.unsent = nil
		t.mu.Unlock()
		t.protocol.notify(t.s, rec, t.r)
		t.tellChanged()
		t.mu.Lock()
	}
	t.notifying = false
}

// ask asks the client for input and waits for the answers.
func (t *taskRun) ask(ctx context.Context, questions []Question) ([]Answer, error) {
	return t.protocol.ask(ctx, t, questions)
}

var errTaskEnded = errors.New("the task has ended, so the server can no longer ask its client anything")

// resume sets the status to working if no input is required. The caller must hold mu.
func (t *taskRun) resume(rec *TaskRecord) {
	if len(t.inputs) == 0 && t.asking == 0 {
		rec.Status = TaskStatusWorking
	}
}

// finish ends the task with the result or error of its handler, unless it has
// already ended.
func (t *taskRun) finish(res *CallToolResult, err error) {
	r := t.r
	if err != nil {
		if _, ok := errors.AsType[*Error](err); !ok {
			t.s.log.Error("task failed", "method", r.method, "error", err)
		}
	}
	r.sendPending() // send the last progress report before the end of the task
	t.update(func(rec *TaskRecord) bool {
		if err != nil {
			rec.fail(r.asError(err))
			return true
		}
		t.say(rec, t.heldBack)
		status, message := t.protocol.ended(res)
		if rec.Status = status; message != "" {
			rec.StatusMessage = message
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

// fail sets the state of the task to failed, with a protocol error.
func (t *TaskRecord) fail(e *Error) {
	t.Status, t.StatusMessage, t.Error = TaskStatusFailed, e.Message, e.append(nil)
}

// drop removes the run from the server, because the store has its final record. If the store has
// failed, the run remains until the record would expire.
func (t *taskRun) drop() {
	t.mu.Lock()
	id, unsaved, remaining := t.rec.ID, t.unsaved, time.Until(t.rec.Created.Add(t.rec.TTL))
	t.mu.Unlock()
	if unsaved {
		time.AfterFunc(remaining, func() { t.s.dropRun(id) })
		return
	}
	t.s.dropRun(id)
}

// cancel ends the task and the handler's context. It returns false if the task
// has already ended.
func (t *taskRun) cancel(message string) bool {
	done := t.update(func(rec *TaskRecord) bool {
		rec.Status, rec.StatusMessage = TaskStatusCancelled, message
		return true
	})
	t.r.cancelByPeer()
	return done
}

// expire ends the task after its TTL.
func (t *taskRun) expire() {
	t.update(func(rec *TaskRecord) bool {
		rec.fail(errorf(CodeInternalError, "The task took longer than its time to live"))
		return true
	})
	t.r.ctx.cancel(context.DeadlineExceeded)
}
