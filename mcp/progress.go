package mcp

import (
	"math"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Progress reports to the client how far the request has progressed: progress out of total, which
// is 0 if it is unknown. It does nothing if the client has not requested progress, if progress is
// NaN, infinite or not greater than in the last call, or if the request has ended (specification:
// Progress). If there are more reports than Limits.MaxNotificationRate, some are dropped, but never
// the last one.
//
// In revision 2026-07-28, a task sends no progress. Instead, message becomes the task's status
// message, even if the client has not requested progress, unless the handler has called
// SetStatusMessage. Clients can read it in TaskState.StatusMessage.
func (r *Request) Progress(progress, total float64, message string) {
	if math.IsNaN(progress) || math.IsInf(progress, 0) {
		return
	}
	if t := r.task(); t != nil && r.rev.TasksAreExtension() {
		t.progressed(progress, message)
		return
	}
	if r.meta.progressToken == nil {
		return
	}
	r.mu.Lock()
	reports := r.reporting()
	if !r.mayNotify() || !(progress > reports.latest) {
		r.mu.Unlock()
		return
	}
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/progress","params":{`...)
	b = wire.Raw(b, "progressToken", r.meta.progressToken)
	b = wire.Float(wire.Name(b, "progress"), progress)
	if total > 0 && !math.IsInf(total, 0) {
		b = wire.Float(wire.Name(b, "total"), total)
	}
	if r.rev.HasProgressMessage() {
		b = wire.Optional(b, "message", message)
	}
	b = append(r.appendRelated(b), '}', '}')
	reports.latest, reports.pending = progress, nil
	send := r.mayReport(&reports.progress)
	if !send {
		reports.pending = b
	}
	r.mu.Unlock()
	if send {
		r.sendProgress(progress, b)
	}
}

// progressed makes the message of a progress report the status message of the task, unless the
// handler has called SetStatusMessage. It is used in revisions in which tasks send no progress. The
// limit on progress reports applies.
func (t *taskRun) progressed(progress float64, message string) {
	r := t.r
	r.mu.Lock()
	reports := r.reporting()
	if message == "" || !r.mayNotify() || !(progress > reports.latest) {
		r.mu.Unlock()
		return
	}
	reports.latest = progress
	send := r.mayReport(&reports.progress)
	r.mu.Unlock()
	newest := func() bool { // the caller must hold t.mu
		r.mu.Lock()
		defer r.mu.Unlock()
		return reports.latest == progress
	}
	if send {
		t.update(func(rec *TaskRecord) bool { return newest() && t.say(rec, message) })
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if newest() {
		t.heldBack = message
	}
}

// say sets the status message for a progress report. It returns false if the message is already
// set. The caller must hold mu.
func (t *taskRun) say(rec *TaskRecord, message string) bool {
	t.heldBack = ""
	if t.ownMessage || message == "" || rec.StatusMessage == message {
		return false
	}
	rec.StatusMessage = message
	return true
}
