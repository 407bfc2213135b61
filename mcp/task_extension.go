package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// extensionTasks implements tasks as an extension of revision 2026-07-28. The
// client declares the extension, and the server decides which calls are tasks.
type extensionTasks struct{}

const tasksExtension = "io.modelcontextprotocol/tasks"

func errTasksUndeclared() *Error { return MissingExtension(tasksExtension) }

// declaresTasks reports whether the client declares the extension.
func (r *Request) declaresTasks() bool {
	_, ok := r.ClientCapabilities().Extensions[tasksExtension]
	return ok
}

func (extensionTasks) accept(r *Request, t *tool) (bool, time.Duration, error) {
	switch {
	case t.TaskSupport == TaskSupportForbidden:
		return false, 0, nil
	case r.declaresTasks():
		return true, r.server.opts.Tasks.TTL, nil
	case t.TaskSupport == TaskSupportRequired:
		return false, 0, errTasksUndeclared()
	}
	return false, 0, nil
}

func (p extensionTasks) created(rec *TaskRecord, poll time.Duration) Result {
	return taskCreated{p.append(open(), rec, poll)[1:]}
}

// taskCreated is a result with resultType "task".
type taskCreated struct{ members []byte }

func (taskCreated) resultMeta() Meta { return nil }
func (t taskCreated) appendMembers(b []byte, _ revision.Revision) []byte {
	return append(b, t.members...)
}

func (extensionTasks) append(b []byte, rec *TaskRecord, poll time.Duration) []byte {
	status := rec.Status
	if status == TaskStatusFailed && rec.Result != nil {
		status = TaskStatusCompleted // in contrast to coreTasks, a task whose result is an error is completed
	}
	b = rec.appendState(b, status)
	b = wire.Int(b, "ttlMs", rec.TTL.Milliseconds())
	b = wire.Int(b, "pollIntervalMs", poll.Milliseconds())
	switch status {
	case TaskStatusInputRequired:
		inputs := rec.Inputs
		if inputs == nil {
			inputs = json.RawMessage("{}")
		}
		return wire.Raw(b, "inputRequests", inputs)
	case TaskStatusCompleted:
		return wire.Raw(b, "result", rec.Result)
	case TaskStatusFailed:
		return wire.Raw(b, "error", rec.Error)
	}
	return b
}

// ended returns the status "completed" even if the result is an error.
func (extensionTasks) ended(*CallToolResult) (TaskStatus, string) { return TaskStatusCompleted, "" }

// notify sends the state to the subscriptions to the task.
func (extensionTasks) notify(s *Server, rec *TaskRecord, _ *Request) {
	s.broadcast(func(*session) []byte { return nil }, func(l *listener) []byte {
		if !slices.Contains(l.tasks, rec.ID) {
			return nil
		}
		return l.taskNotification(rec)
	})
}

// taskNotification returns the notification of a task's state.
func (l *listener) taskNotification(rec *TaskRecord) []byte {
	b := l.appendTag([]byte(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{`))
	return append(extensionTasks{}.append(b, rec, l.r.server.opts.Tasks.PollInterval), '}', '}')
}

// sendTasks sends the state of each task of a new subscription, unless the task has not changed
// since it started.
func (s *Server) sendTasks(ctx context.Context, l *listener) {
	for _, id := range l.tasks {
		run, rec, err := s.findTask(ctx, l.r, id)
		switch {
		case err != nil || rec.Status == TaskStatusWorking:
		case run != nil:
			run.mu.Lock()
			current := run.rec
			run.unsent = &current
			run.mu.Unlock()
			run.notifyClient()
		default:
			line := l.taskNotification(rec)
			s.tell(ctx, nil, l.r.rev, line, func() { l.push(line) })
		}
	}
}

func (p extensionTasks) serve(ctx context.Context, s *Server, r *Request) (Result, error) {
	if !r.declaresTasks() {
		return nil, errTasksUndeclared()
	}
	run, rec, err := s.requestedTask(ctx, r)
	if err != nil {
		return nil, err
	}
	switch r.method {
	case "tasks/get":
		return encodedResult(p.append(open(), rec, s.opts.Tasks.PollInterval)[1:]), nil
	case "tasks/cancel":
		switch {
		case run != nil:
			run.cancel(cancelledByClient)
		case !rec.Status.Terminal():
			if _, _, err := s.cancelElsewhere(ctx, rec.ID); err != nil {
				return nil, err
			}
		}
	case "tasks/update":
		var answers map[string]jsonValue
		if len(r.params.inputResponses) == 0 || r.params.inputResponses[0] != '{' || decode(r.params.inputResponses, &answers) != nil {
			return nil, errorf(CodeInvalidParams, "Invalid params of tasks/update: inputResponses must be an object")
		}
		switch {
		case run != nil:
			if e := run.answer(answers); e != nil {
				return nil, e
			}
		case !rec.Status.Terminal():
			if err := s.answerElsewhere(ctx, rec.ID, answers); err != nil {
				return nil, err
			}
		}
	}
	return emptyResult{}, nil
}

// taskInput is a question that a tasks/update request will answer.
type taskInput struct {
	q        Question
	request  []byte // method and params of the question
	answer   Answer // set before answered is closed
	answered chan struct{}
}

// ask adds the questions to the inputs of the task, which the client fetches with tasks/get.
func (extensionTasks) ask(ctx context.Context, t *taskRun, questions []Question) ([]Answer, error) {
	caps := t.r.ClientCapabilities()
	var inputs []*taskInput
	for _, q := range questions {
		request, err := appendQuestion(nil, q, t.r.rev, &caps)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, &taskInput{q: q, request: request, answered: make(chan struct{})})
	}
	requested := t.update(func(rec *TaskRecord) bool {
		rec.Status = TaskStatusInputRequired
		for _, input := range inputs {
			key := wireKey(input.q)
			// A key is used only once during the lifetime of a task.
			for n := len(t.keys) + 1; key == "" || t.keys[key]; n++ {
				key = keyPrefix + strconv.Itoa(n)
			}
			t.keys[key] = true
			t.inputs[key] = input
		}
		return true
	})
	if !requested {
		return nil, errTaskEnded
	}
	var answers []Answer
	for _, input := range inputs {
		select {
		case <-input.answered:
			answers = append(answers, input.answer)
			continue
		case <-ctx.Done():
		case <-t.r.ctx.Done():
		}
		t.withdraw(inputs)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, t.r.ctx.Err()
	}
	return answers, nil
}

// withdraw removes inputs for which the handler no longer waits.
func (t *taskRun) withdraw(inputs []*taskInput) {
	t.update(func(rec *TaskRecord) bool {
		before := len(t.inputs)
		maps.DeleteFunc(t.inputs, func(_ string, input *taskInput) bool { return slices.Contains(inputs, input) })
		if len(t.inputs) == before {
			return false
		}
		t.resume(rec)
		return true
	})
}

// answer passes each answer to the input with its key, and ignores unknown keys. If an answer is
// invalid, answer returns an error, and the input remains unanswered.
func (t *taskRun) answer(answers map[string]jsonValue) *Error {
	var failed *Error
	t.update(func(rec *TaskRecord) bool {
		before := len(t.inputs)
		for _, key := range sortedKeys(answers) {
			input := t.inputs[key]
			if input == nil {
				continue
			}
			got, err := input.q.answer(answers[key])
			if err != nil {
				failed = errorf(CodeInvalidParams, "Invalid params: inputResponses[%q]: %v", clip(key, 64), err)
				continue
			}
			delete(t.inputs, key)
			input.answer = got
			close(input.answered)
		}
		if len(t.inputs) == before {
			return false
		}
		t.resume(rec)
		return true
	})
	return failed
}

// appendInputs appends the inputs as a JSON object. If there are none, it appends nothing. The
// caller must hold mu.
func (t *taskRun) appendInputs(b []byte) []byte {
	if len(t.inputs) == 0 {
		return b
	}
	b = append(b, '{')
	for _, key := range sortedKeys(t.inputs) {
		b = append(wire.String(wire.Comma(b), key), ':')
		b = append(b, t.inputs[key].request...)
	}
	return append(b, '}')
}
