package mcp

import (
	"math"
	"time"
)

// reports is what is kept of the progress and the log of a request, from the
// first on.
type reports struct {
	latest  float64 // progress reported
	sent    float64 // progress sent
	pending []byte  // the report of latest, if there were too many to send it

	progress, logs bucket
}

// reports are r's, made if there are none. The caller holds mu.
func (r *Request) reporting() *reports {
	if r.reports == nil {
		r.reports = &reports{latest: math.Inf(-1), sent: math.Inf(-1)}
	}
	return r.reports
}

// mayReport takes one from what b allows.
func (r *Request) mayReport(b *bucket) bool {
	most := r.server.opts.Limits.MaxNotifications
	return most < 0 || b.take(most, time.Now())
}

// sendProgress sends a report of progress, unless a later one has overtaken
// it.
func (r *Request) sendProgress(progress float64, line []byte) {
	send := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.mayNotify() && progress > r.reports.sent {
			r.reports.sent = progress
			r.out.notify(line)
		}
	}
	r.server.tell(&r.ctx, r.session, r.rev, line, send)
}

// sendPending sends the last report of progress, if there were too many before
// it. It is called when the handler has returned.
func (r *Request) sendPending() {
	r.mu.Lock()
	if r.reports == nil || r.reports.pending == nil {
		r.mu.Unlock()
		return
	}
	progress, line := r.reports.latest, r.reports.pending
	r.reports.pending = nil
	r.mu.Unlock()
	r.sendProgress(progress, line)
}

// notify sends a notification for r, unless r has ended.
func (r *Request) notify(line []byte) {
	r.server.tell(&r.ctx, r.session, r.rev, line, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.mayNotify() {
			r.out.notify(line)
		}
	})
}
