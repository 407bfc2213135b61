package mcp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// taskInput is a question that a task waits for.
type taskInput struct {
	q        Question
	request  []byte // method and params
	answered chan struct{}
}

// ask puts questions to the client of a task and waits for the answers.
func (t *taskRun) ask(ctx context.Context, questions []Question) error {
	if !t.r.rev.TasksAreExtension() {
		return t.askByRequest(ctx, questions)
	}
	var inputs []*taskInput
	for _, q := range questions {
		request, err := appendQuestion(nil, q, t.r.rev)
		if err != nil {
			return err
		}
		inputs = append(inputs, &taskInput{q, request, make(chan struct{})})
	}
	asked := t.update(func(rec *TaskRecord) bool {
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
		return true
	})
	if !asked {
		return errTaskEnded
	}
	for _, input := range inputs {
		select {
		case <-input.answered:
			continue
		case <-ctx.Done():
		case <-t.r.ctx.Done():
		}
		t.withdraw(inputs)
		if err := ctx.Err(); err != nil {
			return err
		}
		return t.r.ctx.Err()
	}
	return nil
}

var errTaskEnded = errors.New("the task has ended; its client cannot be asked any more")

// withdraw takes back questions that nobody waits for any more.
func (t *taskRun) withdraw(inputs []*taskInput) {
	t.update(func(rec *TaskRecord) bool {
		before := len(t.open)
		maps.DeleteFunc(t.open, func(_ string, input *taskInput) bool { return slices.Contains(inputs, input) })
		return len(t.open) < before && t.resume(rec)
	})
}

// resume makes the task work again if it waits for no more answers. The
// caller holds mu.
func (t *taskRun) resume(rec *TaskRecord) bool {
	if len(t.open) == 0 && t.asking == 0 {
		rec.Status = TaskWorking
	}
	return true
}

// answer takes answers to open questions; others are ignored. An answer that
// is no good leaves its question open.
func (t *taskRun) answer(answers map[string]jsonValue) *Error {
	var failed *Error
	t.update(func(rec *TaskRecord) bool {
		before := len(t.open)
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
		return len(t.open) < before && t.resume(rec)
	})
	return failed
}

// askByRequest asks by requests of 2025-11-25, on the stream of a request
// that waits for the task's result if the connection has no other for it.
func (t *taskRun) askByRequest(ctx context.Context, questions []Question) error {
	asked := t.update(func(rec *TaskRecord) bool {
		rec.Status = TaskInputRequired
		t.asking++
		return true
	})
	if !asked {
		return errTaskEnded
	}
	// The handler's ctx may be one that does not end with the task.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(&t.r.ctx, cancel)()
	out, err := t.waitForSink(ctx)
	if err == nil {
		err = t.r.askByRequest(ctx, out, questions)
	}
	t.update(func(rec *TaskRecord) bool {
		t.asking--
		return t.resume(rec)
	})
	return err
}

// waitForSink finds where requests to the client can be sent.
func (t *taskRun) waitForSink(ctx context.Context) (sink, error) {
	if t.out.connection() != nil {
		return t.out, nil
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
