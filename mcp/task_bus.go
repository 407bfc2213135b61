package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// taskBus exchanges messages about tasks between the processes of a server, if the TaskStore is
// also a Bus. A task runs in one process. Other processes read the task's record, and ask that
// process to cancel the task or to pass answers to it.
type taskBus struct {
	s    *Server
	bus  Bus
	name string // random name that identifies the messages of this process

	// The following fields are guarded by Server.mu.
	calls    map[string]chan *taskMessage // open calls of the method call, by ID
	waiting  map[string]*taskWaiter       // requests that wait for tasks in other processes, by ID
	helping  map[string]func()            // functions that end the waits that opTaskWait has started for other processes, by ID
	watches  map[string]watch             // tasks in other processes for which check is running
	changing map[string]bool              // tasks for which notify is running; true if they have changed again
}

// taskMessage is a message about a task between processes.
type taskMessage struct {
	From    string               `json:"from"` // taskBus.name
	Op      string               `json:"op"`
	Task    string               `json:"task"`
	Call    string               `json:"call,omitempty"`    // random ID of the call, which all its messages contain
	Session string               `json:"session,omitempty"` // key of the waiting session
	Line    jsonValue            `json:"line,omitempty"`    // a message to the client
	Answers map[string]jsonValue `json:"answers,omitempty"`
	Done    bool                 `json:"done,omitempty"` // whether the call has changed the task
	Code    int                  `json:"code,omitempty"` // error code of a reply
	Error   string               `json:"error,omitempty"`
}

// The operations of a taskMessage.
const (
	opTaskChanged = "task changed"
	opTaskCancel  = "cancel task"
	opTaskAnswer  = "answer task"
	opTaskReply   = "reply about task"
	opTaskWait    = "wait for task"   // a request from Session is waiting, and can send the task's questions
	opTaskMessage = "message of task" // Line is a message for the request that waits
	opTaskLeave   = "wait no more"
	opTaskAsked   = "who runs task"
	opTaskServed  = "task runs" // the task runs in the process that sends this message
)

// taskReplyTimeout is how long a process waits for a reply from the process that runs a task.
const taskReplyTimeout = 5 * time.Second

// taskPoll is the interval at which a process reads the record of a task in another process while a
// client waits for it. This is necessary because a message may be lost.
const taskPoll = 5 * time.Second

var errTaskElsewhere = errorf(CodeInternalError, "The task is running in another process of the server, and only that process can handle this request")

// taskWaiter is a request that waits for the result of a task in another process.
type taskWaiter struct {
	task    string
	out     sink
	lines   inOrder       // functions that send messages to out
	changed chan struct{} // receives a value when the task has changed
}

// inOrder runs functions one after another on a worker.
type inOrder struct {
	mu      sync.Mutex
	waiting []func()
	running bool
}

func (q *inOrder) run(w *workers, f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, f)
	if !q.running {
		q.running = true
		w.run(q.work)
	}
}

func (q *inOrder) work() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.waiting, q.running = nil, false
			q.mu.Unlock()
			return
		}
		f := q.waiting[0]
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		f()
	}
}

// joinTasks starts receiving messages about tasks in other processes, if the store is a Bus.
func (s *Server) joinTasks() {
	bus, ok := s.opts.Tasks.Store.(Bus)
	if !ok {
		return
	}
	s.taskBus = &taskBus{s: s, bus: bus, name: rand.Text(), calls: map[string]chan *taskMessage{}, waiting: map[string]*taskWaiter{}, helping: map[string]func(){}, watches: map[string]watch{}, changing: map[string]bool{}}
	bus.Subscribe(s.taskBus.hear)
}

// publish sends a message to the other processes.
func (b *taskBus) publish(ctx context.Context, m *taskMessage) error {
	m.From = b.name
	data, err := encode(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return b.bus.Publish(ctx, data)
}

// hear handles a message from another process. It does not block.
func (b *taskBus) hear(data []byte) {
	var m taskMessage
	if decode(data, &m) != nil || m.From == b.name && m.Op != opTaskAsked || m.Task == "" {
		return
	}
	s := b.s
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.Op {
	case opTaskChanged:
		b.changed(m.Task)
	case opTaskAsked:
		if m.From == b.name {
			notify(b.watches[m.Task].requested)
		} else if s.runs[m.Task] != nil {
			s.workers.run(func() { b.tell(&taskMessage{Op: opTaskServed, Task: m.Task}) })
		}
	case opTaskServed:
		notify(b.watches[m.Task].served)
	case opTaskCancel, opTaskAnswer:
		if run := s.runs[m.Task]; run != nil && run.hasBegun() {
			s.workers.run(func() { b.serve(run, &m) })
		}
	case opTaskWait:
		if run := s.runs[m.Task]; run != nil && run.hasBegun() && m.Session != "" && run.r.session.sharedKey() == m.Session {
			b.help(run, &m)
		}
	case opTaskLeave:
		if end := b.helping[m.Call]; end != nil {
			end()
		}
	case opTaskMessage:
		if w := b.waiting[m.Call]; w != nil {
			w.lines.run(s.workers, func() { w.out.send(context.Background(), m.Line) })
		}
	case opTaskReply:
		if waits := b.calls[m.Call]; waits != nil {
			delete(b.calls, m.Call)
			waits <- &m
		}
	}
}

// changed notifies requests that wait for a task in another process, and subscriptions to the task,
// of a change. The caller must hold Server.mu.
func (b *taskBus) changed(id string) {
	for _, w := range b.waiting {
		if w.task != id {
			continue
		}
		notify(w.changed)
	}
	if b.s.listensTo(id) {
		_, notifying := b.changing[id]
		if b.changing[id] = notifying; !notifying {
			b.s.workers.run(func() { b.notifyAll(id) })
		}
	}
}

// help allows a task to ask its client on the stream of a request that waits in another process.
// The caller must hold Server.mu.
func (b *taskBus) help(run *taskRun, m *taskMessage) {
	ctx, cancel := context.WithCancel(context.Background())
	b.helping[m.Call] = cancel
	b.s.workers.run(func() {
		defer func() {
			cancel()
			b.s.mu.Lock()
			defer b.s.mu.Unlock()
			delete(b.helping, m.Call)
		}()
		_, _ = run.wait(ctx, &remoteSink{b: b, m: m}) // the other process will read the result from the store
	})
}

// remoteSink sends messages on the stream of a request that waits in another process.
type remoteSink struct {
	b     *taskBus
	m     *taskMessage // the opTaskWait message
	lines inOrder      // functions that publish messages
}

func (k *remoteSink) send(ctx context.Context, line []byte) bool {
	sent := make(chan bool, 1)
	k.lines.run(k.b.s.workers, func() { sent <- k.publish(ctx, line) })
	return <-sent
}

func (k *remoteSink) publish(ctx context.Context, line []byte) bool {
	err := k.b.publish(ctx, &taskMessage{Op: opTaskMessage, Task: k.m.Task, Call: k.m.Call, Line: line})
	if err != nil {
		k.b.s.log.Error("a question of a task could not be sent to another process", "error", err)
	}
	return err == nil
}

func (k *remoteSink) notify(line []byte) {
	line = slices.Clone(line)
	k.lines.run(k.b.s.workers, func() { k.publish(context.Background(), line) })
}

func (k *remoteSink) push(line []byte)               { k.notify(line) }
func (k *remoteSink) beginSession(*session) *session { return nil }
func (k *remoteSink) handOver()                      {}
func (k *remoteSink) connection() any                { return nil }
func (k *remoteSink) unread() int                    { return 0 }
func (k *remoteSink) ending() bool                   { return false }

// sharedKey returns the key of a session that several processes share, and otherwise "".
func (s *session) sharedKey() string {
	if s == nil || s.share == nil {
		return ""
	}
	return s.share.shared.key
}

// listensTo reports whether there is a subscription to the task. The caller must hold mu.
func (s *Server) listensTo(id string) bool {
	for l := range s.listeners {
		if slices.Contains(l.tasks, id) {
			return true
		}
	}
	return false
}

// notifyAll calls notify until the task has not changed during the call.
func (b *taskBus) notifyAll(id string) {
	for again := true; again; {
		b.notify(id)
		b.s.mu.Lock()
		if again = b.changing[id]; again {
			b.changing[id] = false
		} else {
			delete(b.changing, id)
		}
		b.s.mu.Unlock()
	}
}

// notify sends the state of a task in another process to its subscriptions.
func (b *taskBus) notify(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	rec, err := b.s.opts.Tasks.Store.Get(ctx, id)
	if err != nil {
		if !errors.Is(err, ErrTaskNotFound) {
			b.s.log.Error("a task could not be read", "error", err)
		}
		return
	}
	extensionTasks{}.notify(b.s, rec, nil)
}

// serve handles a request from another process that concerns a task in this process.
func (b *taskBus) serve(run *taskRun, m *taskMessage) {
	reply := &taskMessage{Op: opTaskReply, Task: m.Task, Call: m.Call}
	if m.Op == opTaskCancel {
		reply.Done = run.cancel(cancelledByClient)
	} else if e := run.answer(m.Answers); e != nil {
		reply.Code, reply.Error = e.Code, e.Message
	}
	b.tell(reply)
}

// tell publishes a message. It logs an error.
func (b *taskBus) tell(m *taskMessage) {
	if err := b.publish(context.Background(), m); err != nil {
		b.s.log.Error("a message about a task could not be sent to other processes", "error", err)
	}
}

// call sends a request to the process that runs a task, and returns its reply.
func (b *taskBus) call(ctx context.Context, m *taskMessage) (*taskMessage, error) {
	m.Call = rand.Text()
	reply := make(chan *taskMessage, 1)
	b.s.mu.Lock()
	b.calls[m.Call] = reply
	b.s.mu.Unlock()
	defer func() {
		b.s.mu.Lock()
		defer b.s.mu.Unlock()
		delete(b.calls, m.Call)
	}()
	if err := b.publish(ctx, m); err != nil {
		return nil, fmt.Errorf("asking the process that runs a task: %w", err)
	}
	late := time.NewTimer(taskReplyTimeout)
	defer late.Stop()
	select {
	case got := <-reply:
		if got.Error != "" {
			return nil, &Error{Code: got.Code, Message: got.Error}
		}
		return got, nil
	case <-late.C:
		return nil, errorf(CodeInternalError, "The task runs in another process of the server, which does not respond; try again later")
	case <-ctx.Done():
		return nil, context.Canceled
	}
}

// cancelElsewhere cancels a task in another process. It returns the task's record, and false if the
// task had already ended.
func (s *Server) cancelElsewhere(ctx context.Context, id string) (rec *TaskRecord, cancelled bool, err error) {
	if s.taskBus == nil {
		return nil, false, errTaskElsewhere
	}
	reply, err := s.taskBus.call(ctx, &taskMessage{Op: opTaskCancel, Task: id})
	if err != nil {
		return nil, false, err
	}
	rec, err = s.readTask(ctx, id)
	return rec, reply.Done, err
}

// answerElsewhere passes answers to a task in another process.
func (s *Server) answerElsewhere(ctx context.Context, id string, answers map[string]jsonValue) error {
	if s.taskBus == nil {
		return errTaskElsewhere
	}
	_, err := s.taskBus.call(ctx, &taskMessage{Op: opTaskAnswer, Task: id, Answers: answers})
	return err
}

// waitElsewhere waits until a task in another process has ended, and returns its
// record.
func (s *Server) waitElsewhere(ctx context.Context, r *Request, id string) (*TaskRecord, error) {
	b := s.taskBus
	if b == nil {
		return nil, errTaskElsewhere
	}
	call, w := rand.Text(), &taskWaiter{task: id, out: r.out, changed: make(chan struct{}, 1)}
	s.mu.Lock()
	b.waiting[call] = w
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(b.waiting, call)
		s.mu.Unlock()
	}()
	r.out.handOver()
	if key := r.session.sharedKey(); key != "" {
		b.tell(&taskMessage{Op: opTaskWait, Task: id, Call: call, Session: key})
		defer b.tell(&taskMessage{Op: opTaskLeave, Task: id, Call: call})
	}
	poll := time.NewTicker(taskPoll)
	defer poll.Stop()
	for {
		rec, err := s.readTask(ctx, id)
		if err != nil || rec.Status.Terminal() {
			return rec, err
		}
		b.watchOver(rec)
		select {
		case <-w.changed:
		case <-poll.C:
		case <-ctx.Done():
			return nil, context.Canceled
		}
	}
}

// readTask returns the record of a task that a client has requested.
func (s *Server) readTask(ctx context.Context, id string) (*TaskRecord, error) {
	rec, err := s.opts.Tasks.Store.Get(ctx, id)
	switch {
	case errors.Is(err, ErrTaskNotFound):
		return nil, errUnknownTask(id)
	case err != nil:
		return nil, fmt.Errorf("reading a task: %w", err)
	}
	return rec, nil
}

// tellChanged informs the other processes that the task has changed.
func (t *taskRun) tellChanged() {
	if b := t.s.taskBus; b != nil {
		b.tell(&taskMessage{Op: opTaskChanged, Task: t.rec.ID})
	}
}
