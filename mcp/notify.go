package mcp

import (
	"math"
	"time"
)

// reports is the state of a request's progress reports and log messages.
type reports struct {
	latest  float64 // progress in the last report
	sent    float64 // progress in the last report that was sent
	pending []byte  // the last report, if the rate limit delayed it

	progress, logs bucket
}

// reporting returns r.reports, which it creates if necessary. The caller must
// hold mu.
func (r *Request) reporting() *reports {
	if r.reports == nil {
		r.reports = &reports{latest: math.Inf(-1), sent: math.Inf(-1)}
	}
	return r.reports
}

// mayReport takes a token from b and reports whether there was one. If there is no limit, it
// returns true.
func (r *Request) mayReport(b *bucket) bool {
	maximum := r.server.opts.Limits.MaxNotificationRate
	return maximum < 0 || b.take(maximum, time.Now())
}

// sendProgress sends a progress report, unless a later one has been sent.
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

// sendPending sends the last progress report if the rate limit delayed it. It is called after the
// handler has returned.
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
