package mcp

import "context"

// taskReports passes the progress reports of one task to CallOptions.Progress. In revision
// 2025-11-25, the progress token of a call that was answered with a task stays valid until the task
// has ended (specification 2025-11-25: Progress). The goroutine of taskReports runs only while
// there are reports. All fields except progress are guarded by clientConn.mu; cc is set before the
// call is settled.
type taskReports struct {
	progress func(Progress)

	cc      *clientConn // the connection of the call; nil until the call is answered with a task
	task    string      // ID of the task
	begun   bool        // whether a report has arrived
	latest  float64     // progress in the last report
	waiting []Progress
	opened  bool          // whether all reports that arrived before the task were passed on
	running chan struct{} // closed when the goroutine ends; nil if it does not run
}

// keep keeps the progress token of k valid if the response to k is a task. The caller must hold mu.
func (cc *clientConn) keep(k *call) {
	if cc.err != nil || !cc.agreement().rev.HasCoreTasks() || !isTask(cc, k) {
		return
	}
	for len(cc.tasks) >= cc.c.opts.Limits.MaxEvents {
		oldest := k.id
		for token := range cc.tasks {
			oldest = min(oldest, token)
		}
		delete(cc.tasks, oldest)
	}
	if cc.tasks == nil {
		cc.tasks = map[int64]*taskReports{}
	}
	r := k.later
	state, _ := readTask(k.result) // a malformed task has no ID
	r.cc, r.task, r.begun, r.latest = cc, state.ID, k.begun, k.latest
	cc.tasks[k.id] = r
}

// add queues a report. The caller must hold mu.
func (r *taskReports) add(p Progress) {
	if r.begun && !(p.Progress > r.latest) {
		return
	}
	r.begun, r.latest = true, p.Progress
	if len(r.waiting) >= r.cc.c.opts.Limits.MaxReports {
		r.waiting = append(r.waiting[:0], r.waiting[1:]...)
	}
	r.waiting = append(r.waiting, p)
	r.start()
}

// start starts the goroutine if there are reports to pass on. The caller must hold mu.
func (r *taskReports) start() {
	if r.opened && r.running == nil && len(r.waiting) > 0 {
		r.running = make(chan struct{})
		go r.run()
	}
}

// run calls progress with the waiting reports, until there are none or the client is closed.
func (r *taskReports) run() {
	over := false
	next := func() (p Progress) {
		r.cc.mu.Lock()
		defer r.cc.mu.Unlock()
		if over = over || len(r.waiting) == 0 || r.cc.c.ctx.Err() != nil; over {
			close(r.running)
			r.running, r.waiting = nil, nil
			return p
		}
		p = r.waiting[0]
		r.waiting = r.waiting[1:]
		return p
	}
	defer func() {
		if !over { // progress has called runtime.Goexit
			over = true
			next()
		}
	}()
	for p := next(); !over; p = next() {
		r.progress(p)
	}
}

// open starts to pass on the reports.
func (r *taskReports) open() {
	if r == nil || r.cc == nil {
		return
	}
	r.cc.mu.Lock()
	defer r.cc.mu.Unlock()
	r.opened = true
	r.start()
}

// end forgets the progress token, so that later reports are ignored.
func (r *taskReports) end() {
	if r == nil || r.cc == nil {
		return
	}
	r.cc.mu.Lock()
	defer r.cc.mu.Unlock()
	for token, other := range r.cc.tasks {
		if other == r {
			delete(r.cc.tasks, token)
		}
	}
}

// flush waits until all reports that have arrived were passed on, or ctx is done.
func (r *taskReports) flush(ctx context.Context) {
	if r == nil || r.cc == nil {
		return
	}
	r.cc.mu.Lock()
	running := r.running
	r.cc.mu.Unlock()
	if running == nil {
		return
	}
	select {
	case <-running:
	case <-ctx.Done():
	case <-r.cc.c.ctx.Done():
	}
}

// endTask forgets the progress token of the task with the given ID.
func (cc *clientConn) endTask(id string) {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	for token, r := range cc.tasks {
		if r.task == id {
			delete(cc.tasks, token)
		}
	}
}
