package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

func (cc *clientConn) notified(m *jsonrpc.Message) {
	c := cc.c
	switch m.Method {
	case "notifications/progress":
		cc.progressed(m.Params)
	case "notifications/tasks/status":
		cc.taskChanged(m.Params)
		c.unknown(m)
	case "notifications/cancelled":
		cc.withdraw(m)
	case "notifications/message":
		c.logged(m.Params)
	case "notifications/tools/list_changed":
		cc.changed(m, Change{Kind: ChangeTools})
	case "notifications/prompts/list_changed":
		cc.changed(m, Change{Kind: ChangePrompts})
	case "notifications/resources/list_changed":
		cc.changed(m, Change{Kind: ChangeResources})
	case "notifications/resources/updated":
		if uri, ok := jsonrpc.String(member(m.Params, "uri")); ok && len(uri) <= maxURI {
			cc.changed(m, Change{Kind: ChangeResource, URI: uri})
		}
	case "notifications/subscriptions/acknowledged":
		cc.acknowledged(m.Params)
	case "notifications/elicitation/complete":
		id, ok := jsonrpc.String(member(m.Params, "elicitationId"))
		if complete := c.opts.ElicitationComplete; ok && complete != nil && c.visits.end(id) {
			params := bytes.Clone(m.Params)
			c.events.add(func() { c.hear("notifications/elicitation/complete", params, func() { complete(id) }) })
		}
	default:
		c.unknown(m)
	}
}

// unknown passes a notification to ClientOptions.Notification.
func (c *Client) unknown(m *jsonrpc.Message) {
	if notify := c.opts.Notification; notify != nil {
		method, params := m.Method, json.RawMessage(bytes.Clone(m.Params))
		c.events.add(func() { c.hear(method, params, func() { notify(method, params) }) })
	}
}

// taskChanged ends the progress reports of a task if it has ended.
func (cc *clientConn) taskChanged(params []byte) {
	cc.mu.Lock()
	none := len(cc.tasks) == 0
	cc.mu.Unlock()
	if none {
		return
	}
	if state, err := readTask(params); err == nil && state.Status.Terminal() {
		cc.endTask(state.ID)
	}
}

// progressed passes a progress report to the call or task that its token identifies. Reports that
// do not increase, and reports that belong to no call in flight and no running task, violate the
// protocol.
func (cc *clientConn) progressed(params []byte) {
	token, ok := requestID(member(params, "progressToken"))
	if !ok {
		return
	}
	cc.mu.Lock()
	k := cc.pending[token]
	hasReceiver := k != nil && k.wants || cc.tasks[token] != nil
	cc.mu.Unlock()
	if !hasReceiver {
		return
	}
	var p struct {
		Progress *float64 `json:"progress"`
		Total    float64  `json:"total"`
		Message  string   `json:"message"`
	}
	if decode(params, &p) != nil || p.Progress == nil {
		return
	}
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if task := cc.tasks[token]; task != nil {
		task.add(Progress{*p.Progress, p.Total, p.Message})
		return
	}
	if k == nil || cc.pending[token] != k || k.begun && !(*p.Progress > k.latest) {
		return
	}
	k.begun, k.latest = true, *p.Progress
	if len(k.reports) >= cc.c.opts.Limits.MaxReports {
		k.reports = append(k.reports[:0], k.reports[1:]...)
	}
	k.reports = append(k.reports, Progress{*p.Progress, p.Total, p.Message})
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// logged passes a log message to ClientOptions.Log.
func (c *Client) logged(params []byte) {
	if c.opts.Log == nil {
		return
	}
	var p struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}
	if decode(params, &p) != nil {
		return
	}
	message := LogMessage{parseLevel(p.Level), p.Logger, bytes.Clone(p.Data)}
	if message.Level != 0 && message.Level >= c.requestedLevel() {
		params := bytes.Clone(params)
		c.events.add(func() { c.hear("notifications/message", params, func() { c.opts.Log(message) }) })
	}
}

// eventQueue calls functions in ClientOptions one at a time, in order. Its
// goroutine runs only while there are calls.
type eventQueue struct {
	limit int

	mu      sync.Mutex
	waiting []func()
	running bool
	closed  bool
}

// add queues f. It drops f if too many functions are waiting or if the queue is closed.
func (q *eventQueue) add(f func()) { q.addWithin(f, q.limit) }

// addWithin queues f if fewer than limit functions are waiting. It returns false and drops f if
// more are waiting or the queue is closed.
func (q *eventQueue) addWithin(f func(), limit int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.waiting) >= limit {
		return false
	}
	q.waiting = append(q.waiting, f)
	if !q.running {
		q.running = true
		go q.run()
	}
	return true
}

func (q *eventQueue) run() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.running, q.waiting = false, nil
			q.mu.Unlock()
			return
		}
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		next()
	}
}

// Flush waits until the functions in ClientOptions have been called for the log messages and
// notifications received so far. It returns ErrClientClosed if the client is closed in the
// meantime, and the cause of ctx if ctx is done first. If the client is already closed, Flush
// returns nil immediately.
func (c *Client) Flush(ctx context.Context) error {
	done := make(chan struct{})
	if !c.events.addWithin(func() { close(done) }, math.MaxInt) { // Flush must wait even if the queue is full
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.ctx.Done():
		return ErrClientClosed
	}
}

// close drops the waiting functions, and makes add refuse additional ones.
func (q *eventQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.waiting = true, nil
}
