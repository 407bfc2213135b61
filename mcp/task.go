package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// TaskSupport specifies whether a call to a tool can be a task. Such a call is answered immediately
// and continues in the background, and the client polls for its state and result (specification
// 2025-11-25: Tasks; in revision 2026-07-28, the extension io.modelcontextprotocol/tasks). Clients
// of other revisions wait for the result.
//
// TaskSupportOptional and TaskSupportRequired allow tasks. A client starts a task with
// Client.CallToolTask; in revision 2026-07-28, it also needs ClientOptions.Tasks.
//
// Only the principal that created a task can access it (see WithPrincipal). Without a principal,
// the task belongs to the session and ends with it. If there is no session either, every client
// that knows the task's random ID can access it.
type TaskSupport string

// The values of TaskSupport.
const (
	TaskSupportForbidden TaskSupport = ""         // calls are answered with the result
	TaskSupportOptional  TaskSupport = "optional" // calls from clients that support tasks are tasks
	TaskSupportRequired  TaskSupport = "required" // calls from clients that do not support tasks fail
)

// BecomeTask turns the call into a task if the client supports tasks, and reports whether it is a
// task now. Questions that the handler asked earlier belong to the call. BecomeTask returns an
// error if the tool's TaskSupport does not include TaskByHandler or if the call has already been
// answered.
func (r *Request) BecomeTask() (bool, error) {
	if r.tool == nil || !r.tool.TaskByHandler {
		return false, errors.New("mcp: BecomeTask is for tools with TaskByHandler")
	}
	t, ok := r.out.(*taskRun)
	if !ok {
		return false, nil
	}
	if err := t.begin(); err != nil {
		return false, err
	}
	return true, nil
}

// IsTask reports whether r is a task; see TaskSupport. It returns false if the tool or the client
// does not support tasks, or if BecomeTask has not been called yet.
func (r *Request) IsTask() bool { return r.task() != nil }

// SetStatusMessage sets the message that describes what a task is doing. Clients can read it in
// TaskState.StatusMessage. SetStatusMessage does nothing if the request is not a task (see IsTask)
// or if the handler has returned. See also Progress.
func (r *Request) SetStatusMessage(message string) {
	if t := r.task(); t != nil {
		t.update(func(rec *TaskRecord) bool {
			rec.StatusMessage = message
			t.ownMessage = true
			return true
		})
	}
}

// task returns the running task of r, or nil if r is not a task.
func (r *Request) task() *taskRun {
	if t, ok := r.out.(*taskRun); ok && t.hasBegun() {
		return t
	}
	return nil
}

// taskProtocol is the form of tasks in the protocol of a revision: coreTasks or extensionTasks.
type taskProtocol interface {
	// accept reports whether r, a call of t, is or may become a task, and how long the task is
	// stored. If it returns an error, the call is refused.
	accept(r *Request, t *tool) (ok bool, ttl time.Duration, err error)
	// created returns the result of a call that has become a task.
	created(rec *TaskRecord, poll time.Duration) Result
	// serve answers a request whose method begins with "tasks/".
	serve(ctx context.Context, s *Server, r *Request) (Result, error)
	// append appends the members of a task object.
	append(b []byte, rec *TaskRecord, poll time.Duration) []byte
	// ended returns the status and the status message of a task whose handler has
	// returned res.
	ended(res *CallToolResult) (TaskStatus, string)
	// ask asks the client for input and waits for the answers.
	ask(ctx context.Context, t *taskRun, questions []Question) ([]Answer, error)
	// notify sends the state of the task that r has created.
	notify(s *Server, rec *TaskRecord, r *Request)
}

// tasksIn returns the implementation of tasks for a revision, or nil if the revision has no tasks.
func tasksIn(rev revision.Revision) taskProtocol {
	switch {
	case rev.HasCoreTasks():
		return coreTasks{}
	case rev.TasksAreExtension():
		return extensionTasks{}
	}
	return nil
}

// acceptTask calls taskProtocol.accept for the revision of r. ok is false if
// the revision has no tasks.
func (r *Request) acceptTask(t *tool) (ok bool, ttl time.Duration, err error) {
	if protocol := tasksIn(r.rev); protocol != nil {
		return protocol.accept(r, t)
	}
	return false, 0, nil
}

// taskMethod answers a request whose method begins with "tasks/".
func (s *Server) taskMethod(ctx context.Context, r *Request) (Result, error) {
	protocol := tasksIn(r.rev)
	if protocol == nil || !s.serves(r, "tasks") {
		return nil, errMethodNotFound(r.method)
	}
	return protocol.serve(ctx, s, r)
}

var errTaskRequests = errorf(CodeInternalError, "Too many requests about tasks; wait a second")

// requestedTask returns the task that r concerns. run is nil if the task does not run in this
// process. If the task has not ended, another process runs it.
func (s *Server) requestedTask(ctx context.Context, r *Request) (run *taskRun, rec *TaskRecord, err error) {
	if !s.mayAskTasks(r) {
		return nil, nil, errTaskRequests
	}
	id, ok := jsonrpc.String(r.params.taskID)
	if !ok {
		return nil, nil, errorf(CodeInvalidParams, "Invalid params of %s: taskId must be a string", r.method)
	}
	return s.findTask(ctx, r, id)
}

func errUnknownTask(id string) *Error {
	return errorf(CodeInvalidParams, "Unknown task: %s", clip(id, 64))
}

// findTask returns the task with the given ID if the client of r owns it. run is nil if the task
// does not run in this process.
func (s *Server) findTask(ctx context.Context, r *Request, id string) (run *taskRun, rec *TaskRecord, err error) {
	s.mu.Lock()
	run = s.runs[id]
	s.mu.Unlock()
	if run != nil {
		rec = run.record()
		switch {
		case !run.hasBegun(): // the store may still refuse the task
			rec = nil
		case rec.Status.Terminal():
			run = nil
		}
	} else if rec, err = s.opts.Tasks.Store.Get(ctx, id); err != nil && !errors.Is(err, ErrTaskNotFound) {
		return nil, nil, fmt.Errorf("reading a task: %w", err)
	}
	if rec == nil || rec.Owner != r.owner() {
		return nil, nil, errUnknownTask(id)
	}
	if run == nil && s.taskBus != nil {
		s.taskBus.watchOver(rec)
	}
	return run, rec, nil
}

// addRun registers a running task. It returns false if the server or the client has reached its
// limit on running tasks.
func (s *Server) addRun(t *taskRun) bool {
	client := t.r.client()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.client = client
	if len(s.runs) >= s.opts.Tasks.MaxRunning || client != nil && s.tasksOf[client] >= s.opts.Tasks.MaxPerClient {
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

// client returns what identifies the client of r for limits: the owner of its tasks, the connection
// if there is no owner, or nil if there is neither.
func (r *Request) client() any {
	if owner := r.owner(); owner != "" {
		return owner
	}
	if r.out == nil {
		return nil
	}
	return r.out.connection()
}

// owner identifies the owner of the tasks that r creates. It is the principal or, without one, the
// session. It is empty if there is neither.
func (r *Request) owner() string {
	if principal := r.Principal(); principal != "" {
		return "principal " + principal
	}
	if r.hasOwner() {
		return "session " + r.session.token()
	}
	return ""
}

// hasOwner reports whether owner is not empty.
func (r *Request) hasOwner() bool {
	return r.Principal() != "" || r.session != nil && !r.session.sessionless
}

// endTasks cancels the tasks that belong to a session that has ended.
func (s *Server) endTasks(ended *session) {
	var orphans []*taskRun
	s.mu.Lock()
	for _, run := range s.runs {
		if run.r.session == ended && run.r.Principal() == "" {
			orphans = append(orphans, run)
		}
	}
	s.mu.Unlock()
	for _, run := range orphans {
		run.cancel("The session has ended")
	}
}

// runsTasks reports whether a task of the session is running.
func (s *Server) runsTasks(one *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, run := range s.runs {
		if run.r.session == one {
			return true
		}
	}
	return false
}

// token returns the session's random name, which it generates on the first call.
func (s *session) token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.name == "" {
		s.name = rand.Text()
	}
	return s.name
}
