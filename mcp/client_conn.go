package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A link carries messages to one server. It passes received messages to its
// clientConn.
type link interface {
	// start sends k.line, the encoded request. It blocks only while the server does not read, and
	// at most until ctx is done. The link does not use k after start has returned.
	start(ctx context.Context, a *agreement, k *call) error
	// tell sends a notification, or a response that is ready immediately. The message is dropped if
	// the server does not read.
	tell(line []byte)
	// respond sends a response. It blocks while the server does not read, and at most until ctx is
	// done.
	respond(ctx context.Context, line []byte)
	// abandon cancels the request with the given id, because its caller no longer waits.
	abandon(a *agreement, id int64, reason string)
	// agreed is called at the end of the handshake. It sends the notification that some revisions
	// require then.
	agreed(ctx context.Context, a *agreement) error
	// begin starts to read messages. After begin, the clientConn owns the link.
	begin()
	// close ends the link and waits briefly until it has ended. It may be
	// called more than once.
	close() error
}

// An agreement is the outcome of a handshake.
type agreement struct {
	rev    revision.Revision
	server *ServerInfo
	// meta are the members of _meta in every request.
	meta []byte
}

// clientConn is one connection to a server, or one session over HTTP, from the handshake to its
// end.
type clientConn struct {
	c        *Client
	link     link
	agreedOn atomic.Pointer[agreement]
	known    revision.Revision // revision of an earlier connection to the server, or None

	// ctx ends with the connection. The contexts of the server's questions derive
	// from it.
	ctx    context.Context
	cancel context.CancelFunc
	gone   chan struct{} // closed when the connection has ended

	retired atomic.Bool // whether no new requests may be sent
	warned  atomic.Bool // whether an ignored request from the server has been logged

	mu        sync.Mutex
	pending   map[int64]*call
	tasks     map[int64]*taskReports             // tasks that may report progress, by progress token
	last      int64                              // ID of the last request
	err       error                              // why the connection has ended
	questions map[string]context.CancelCauseFunc // cancel functions of the server's questions that are being answered, by id
	answering int                                // the server's questions whose answers have not been sent

	uris map[string]int // number of subscriptions by URI; guarded by subscriptions.mu
}

func newClientConn(c *Client) *clientConn {
	cc := &clientConn{c: c, pending: map[int64]*call{}, gone: make(chan struct{})}
	cc.ctx, cc.cancel = context.WithCancel(context.WithValue(c.ctx, clientKey{}, c))
	return cc
}

// agreement returns the outcome of the handshake. Its revision is None before
// the end of the handshake.
func (cc *clientConn) agreement() *agreement {
	if a := cc.agreedOn.Load(); a != nil {
		return a
	}
	return &agreement{server: new(ServerInfo)}
}

// A call is one request in flight. Calls are reused.
type call struct {
	id      int64
	method  string
	name    string      // tool, prompt, URI or task that the request concerns
	args    []byte      // arguments of a tool call, some of which are repeated in HTTP headers
	tool    *knownTool  // what the client knows about the tool, or nil
	params  []byte      // members of params, except _meta and the members that a retry adds
	inputs  []byte      // inputResponses of a retry, or nil
	state   []byte      // requestState of a retry, as JSON, or nil
	line    []byte      // the encoded request
	feed    *feed       // the subscription's feed that a subscriptions/listen request serves, or nil
	session *clientConn // the session in which the params are valid, or nil if they are valid in any

	done   chan struct{} // receives one value when the call is settled
	result []byte
	err    error

	wake    chan struct{} // receives a value when there are new reports
	reports []Progress    // guarded by clientConn.mu
	wants   bool          // whether the request asks for progress reports
	begun   bool          // whether a report has arrived
	latest  float64       // progress in the last report
	later   *taskReports  // receives the reports after the call has been answered with a task, or nil

	timer *time.Timer
	pool  *sync.Pool
}

// makeCall makes a call for a pool. Each client has its own pool, because channels and timers must
// not leave their testing/synctest bubble.
func makeCall() any {
	k := &call{done: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
	k.timer = time.NewTimer(time.Hour)
	k.timer.Stop()
	return k
}

// keepCall is the size in bytes of the largest buffers that a call keeps for
// reuse.
const keepCall = 64 << 10

func (c *Client) newCall(method string) *call {
	k := c.calls.Get().(*call)
	k.pool, k.method = &c.calls, method
	return k
}

// release makes k available for reuse. The caller must not use k or slices of
// its buffers afterwards.
func (k *call) release() {
	k.timer.Stop()
	select {
	case <-k.wake:
	default:
	}
	pool := k.pool
	*k = call{done: k.done, wake: k.wake, timer: k.timer, params: k.params[:0], line: k.line[:0], result: k.result[:0], reports: k.reports[:0]}
	if cap(k.line) <= keepCall && cap(k.result) <= keepCall {
		pool.Put(k)
	}
}

// open returns the beginning of the request's params, in the buffer of k.
func (k *call) open() []byte { return append(k.params[:0], '{') }

// register gives k an id, and adds it to the calls in flight. It returns an
// error if the connection has ended.
func (cc *clientConn) register(k *call) error {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.err != nil {
		return cc.err
	}
	cc.last++
	k.id = cc.last
	cc.pending[k.id] = k
	return nil
}

// remove removes k from the calls in flight. It returns false if the call has ended or is about to.
func (cc *clientConn) remove(k *call) bool {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.pending[k.id] != k {
		return false
	}
	cc.forget(k.id)
	return true
}

// forget removes an id from pending. The caller must hold mu.
func (cc *clientConn) forget(id int64) {
	delete(cc.pending, id)
	if len(cc.pending) == 0 && cc.retired.Load() {
		cc.c.end(func() { _ = cc.close(errRetired) })
	}
}

var errRetired = errors.New("mcp: the connection was replaced by another one")

// retire makes later requests use another connection. The connection ends when its requests have
// ended.
func (cc *clientConn) retire() {
	cc.retired.Store(true)
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if len(cc.pending) == 0 {
		cc.c.end(func() { _ = cc.close(errRetired) })
	}
}

// settle ends the call with the given id, and reports whether it was in flight.
// It copies result.
func (cc *clientConn) settle(id int64, result []byte, err error) bool {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	k := cc.pending[id]
	if k == nil {
		return false
	}
	cc.forget(id)
	if err != nil {
		cc.c.visits.require(err)
	}
	k.result, k.err = append(k.result[:0], result...), err
	if k.later != nil && err == nil {
		cc.keep(k)
	}
	k.done <- struct{}{}
	return true
}

// inFlight reports whether the call with the given id is in flight.
func (cc *clientConn) inFlight(id int64) bool {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	return cc.pending[id] != nil
}

// settleAll ends all calls in flight with err.
func (cc *clientConn) settleAll(err error) {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	for id, k := range cc.pending {
		cc.forget(id)
		k.err = err
		k.done <- struct{}{}
	}
}

// waiting holds the limits on the time of a call.
type waiting struct {
	idle time.Duration // time until the response or the next progress report; negative for no limit
	max  time.Duration // total time; negative for no limit
}

// roundTrip sends the request in k.line, waits for the response, and stores the result in k.result.
// When it returns, k is no longer in flight.
func (cc *clientConn) roundTrip(ctx context.Context, a *agreement, k *call, w waiting, progress func(Progress)) error {
	var deadline time.Time
	if w.max > 0 {
		deadline = time.Now().Add(w.max)
	}
	if w.idle > 0 || w.max > 0 {
		k.timer.Reset(w.next(deadline))
		defer k.timer.Stop()
	}
	before := cc.c.questionTime()
	if err := cc.start(ctx, a, k); err != nil {
		return err
	}
	for {
		var failed error
		select {
		case <-k.done:
			cc.report(k, progress)
			return k.err
		case <-k.wake:
			cc.report(k, progress)
			if w.idle > 0 {
				k.timer.Reset(w.next(deadline))
				before = cc.c.questionTime()
			}
			continue
		case <-k.timer.C:
			if more := cc.c.questionTime() - before; more > time.Millisecond && (deadline.IsZero() || time.Now().Before(deadline)) {
				k.timer.Reset(waiting{more, w.max}.next(deadline)) // the server was waiting for an answer from this client
				before += more
				continue
			}
			failed = fmt.Errorf("mcp: %s: %s: %w", k.method, w.over(deadline), context.DeadlineExceeded)
		case <-ctx.Done():
			failed = context.Cause(ctx)
		}
		if !cc.remove(k) {
			<-k.done
			cc.report(k, progress)
			return k.err
		}
		if k.method != "initialize" {
			cc.link.abandon(a, k.id, failed.Error())
		}
		return failed
	}
}

// asks records that the user or a model is being asked. The returned function records the answer.
func (c *Client) asks() (answered func()) {
	c.askMu.Lock()
	defer c.askMu.Unlock()
	if c.asking == 0 {
		c.askStart = time.Now()
	}
	c.asking++
	return func() {
		c.askMu.Lock()
		defer c.askMu.Unlock()
		c.asking--
		if c.asking == 0 {
			c.askTime += time.Since(c.askStart)
		}
	}
}

// questionTime returns the total time that the user or a model has taken to answer questions. That
// time does not count against the timeouts of requests.
func (c *Client) questionTime() time.Duration {
	c.askMu.Lock()
	defer c.askMu.Unlock()
	if c.asking == 0 {
		return c.askTime
	}
	return c.askTime + time.Since(c.askStart)
}

// over returns an error text that tells which limit was reached.
func (w waiting) over(deadline time.Time) string {
	if !deadline.IsZero() && !time.Now().Before(deadline) {
		return fmt.Sprintf("the server has not answered within %v (MaxTimeout)", w.max)
	}
	return fmt.Sprintf("the server has not answered or reported progress for %v (Timeout)", w.idle)
}

// next returns the time after which the call fails if the server sends nothing about it.
func (w waiting) next(deadline time.Time) time.Duration {
	switch {
	case deadline.IsZero():
		return w.idle
	case w.idle <= 0:
		return time.Until(deadline)
	}
	return min(w.idle, time.Until(deadline))
}

// start sends the request of k. If it returns an error, k is no longer in
// flight.
func (cc *clientConn) start(ctx context.Context, a *agreement, k *call) error {
	cc.trace(true, k.line)
	err := cc.link.start(ctx, a, k)
	if err == nil {
		return nil
	}
	if !cc.remove(k) {
		<-k.done
		if k.err != nil {
			return k.err
		}
	}
	return err
}

// report passes the reports that have arrived to progress, which may be nil.
func (cc *clientConn) report(k *call, progress func(Progress)) {
	if progress == nil {
		return
	}
	for {
		cc.mu.Lock()
		if len(k.reports) == 0 {
			cc.mu.Unlock()
			return
		}
		next := k.reports[0]
		k.reports = append(k.reports[:0], k.reports[1:]...)
		cc.mu.Unlock()
		progress(next)
	}
}

// fail ends the connection with err, and all its calls with the same error.
func (cc *clientConn) fail(err error) {
	cc.mu.Lock()
	if cc.err != nil {
		cc.mu.Unlock()
		return
	}
	cc.err = err
	cc.retired.Store(true)
	for id, k := range cc.pending {
		delete(cc.pending, id)
		k.err = err
		k.done <- struct{}{}
	}
	cc.tasks = nil
	close(cc.gone)
	cc.mu.Unlock()
	cc.cancel()
	cc.c.lost(cc, err)
}

// ended reports whether the connection has ended.
func (cc *clientConn) ended() bool {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	return cc.err != nil
}

// close ends the connection with err and waits until its link has ended.
func (cc *clientConn) close(err error) error {
	cc.fail(err)
	return cc.link.close()
}

// receive handles a message from the server, or a batch of messages. If only is not 0, it ignores
// responses to requests with other ids. It reports whether there was a response. It does not keep
// line.
func (cc *clientConn) receive(line []byte, only int64) (answered bool) {
	cc.trace(false, line)
	return cc.read(line, only)
}

// trace passes a message to ClientOptions.Trace.
func (cc *clientConn) trace(sent bool, message []byte) {
	if trace := cc.c.opts.Trace; trace != nil {
		trace(sent, message)
	}
}

// read is receive without the trace.
func (cc *clientConn) read(line []byte, only int64) (answered bool) {
	if jsonrpc.IsBatch(line) {
		if !cc.agreement().rev.HasBatch() {
			cc.complain("a batch, which this revision does not support", line)
			return false
		}
		all, err := jsonrpc.Batch(line, maxBatch)
		if err != nil {
			cc.complain(err.Error(), line)
			return cc.readBroken(line, only)
		}
		for _, one := range all {
			if cc.read(one, only) {
				answered = true
			}
		}
		return answered
	}
	var m jsonrpc.Message
	if err := jsonrpc.Parse(line, &m); err != nil {
		e := parseError(err)
		answers := e.ID
		if !e.Response {
			answers = jsonrpc.ResponseID(line)
		}
		if id, ok := requestID(answers); ok && (only == 0 || id == only) {
			return cc.settle(id, nil, noResponseError("mcp: the server's response is malformed: "+e.Reason()))
		}
		cc.complain(err.Error(), line)
		return false
	}
	switch m.Kind {
	case jsonrpc.Response:
		return cc.answered(&m, only)
	case jsonrpc.Request:
		cc.question(&m)
	case jsonrpc.Notification:
		cc.notified(&m)
	}
	return false
}

// readBroken is read for a malformed batch, such as one that is too deeply nested. It ends the
// requests whose responses can be identified, so that they do not wait forever.
func (cc *clientConn) readBroken(batch []byte, only int64) (answered bool) {
	for one := range jsonrpc.Objects(batch) {
		if cc.read(one, only) {
			answered = true
		}
	}
	return answered
}

// answered ends the call to which m is the response, and reports whether there was one. The meaning
// of only is the same as for receive.
func (cc *clientConn) answered(m *jsonrpc.Message, only int64) bool {
	id, ok := requestID(m.ID)
	if len(m.ID) == 0 || string(m.ID) == "null" {
		id, ok = only, only != 0 // if the server could not read the request, the error has no id
	}
	switch {
	case !ok, only != 0 && id != only:
		cc.complain("a response that matches no request in flight", m.ID)
		return false
	case m.Error != nil:
		return cc.settle(id, nil, serverError(m.Error))
	case m.Result[0] != '{':
		return cc.settle(id, nil, noResponseError("mcp: the server's response is malformed: its result is not an object"))
	}
	if !cc.settle(id, m.Result, nil) {
		return false // the request was cancelled or was never sent
	}
	return true
}

// noResponseError is the error of a request whose answer is not a JSON-RPC response.
type noResponseError string

func (e noResponseError) Error() string { return string(e) }

// requestID reads the id of a response. It returns false if the id is not an integer, because this
// client sends only integers.
func requestID(id []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(id), 10, 64)
	return n, err == nil
}

// serverError returns the error in a response: an *Error, or a noResponseError
// if it is malformed.
func serverError(data []byte) error {
	e := new(Error)
	if data[0] != '{' || e.decode(data) != nil {
		return noResponseError("mcp: the server answered with a malformed error")
	}
	e.Data = bytes.Clone(e.Data)
	return e
}

// complain logs a message that violates the protocol. The message is ignored.
func (cc *clientConn) complain(why string, message []byte) {
	cc.c.log.Debug("message from the server ignored", "why", why, "message", clip(string(message[:min(len(message), 512)]), 256))
}
