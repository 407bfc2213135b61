package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A ConnTransport uses a connection that carries one JSON message per line, such as a Unix socket,
// one end of net.Pipe, or the pipes of a process.
type ConnTransport struct {
	// Conn is the connection. The client closes it. Its Close method must interrupt a Read or Write
	// in progress.
	Conn io.ReadWriteCloser
	// Dial creates the connection if Conn is nil, and a new one when the connection is lost.
	Dial func(ctx context.Context) (io.ReadWriteCloser, error)

	memory memory
}

func (t *ConnTransport) redials() bool       { return t.Conn == nil }
func (t *ConnTransport) remembered() *memory { return &t.memory }

func (t *ConnTransport) dials() []dialer {
	return []dialer{func(ctx context.Context, cc *clientConn) (link, error) {
		conn := t.Conn
		if conn == nil {
			if t.Dial == nil {
				return nil, errors.New("a ConnTransport needs Conn or Dial")
			}
			var err error
			if conn, err = t.Dial(ctx); err != nil {
				return nil, err
			}
		}
		return newPipeLink(cc, conn, conn, conn.Close), nil
	}}
}

// A ServerTransport connects the client to a Server in the same process, in memory. Each client has
// its own connection.
type ServerTransport struct {
	Server *Server
	// Context is the context of the connection; context.Background() if nil. It
	// can carry a principal; see WithPrincipal.
	Context context.Context

	memory memory
}

func (t *ServerTransport) redials() bool       { return false }
func (t *ServerTransport) remembered() *memory { return &t.memory }

func (t *ServerTransport) dials() []dialer {
	return []dialer{func(_ context.Context, cc *clientConn) (link, error) {
		if t.Server == nil {
			return nil, errors.New("a ServerTransport needs a Server")
		}
		ctx := t.Context
		if ctx == nil {
			ctx = context.Background()
		}
		near, far := memoryPipe(cc.c.opts.Limits.MaxQueuedBytes)
		served := make(chan struct{})
		go func() {
			defer close(served)
			_ = t.Server.ServeConn(ctx, far) // ignored, because the client notices the end of the connection
		}()
		l := newPipeLink(cc, near, near, func() error {
			err := near.Close()
			waitFor(served, cc.c.opts.Limits.CloseTimeout)
			return err
		})
		l.direct = true
		return l, nil
	}}
}

// waitFor waits until done is closed. It returns false if that takes longer
// than d.
func waitFor(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// pipeLink is a link over a connection with one message per line (specification: Transports,
// stdio). It has one goroutine for reading and one for writing.
type pipeLink struct {
	cc      *clientConn
	lines   *jsonrpc.Lines
	out     *writer
	direct  bool          // whether writing never blocks; callers can then write directly
	kick    chan struct{} // tells the writing goroutine to flush
	stop    chan struct{} // closed to end the writing goroutine
	stopped sync.WaitGroup
	// ended returns the error to report when reading or writing has ended with err. If ended is
	// nil, err is reported.
	ended func(err error) error
	end   func() error
}

// newPipeLink returns a link that reads from in and writes to out. hangUp closes both.
func newPipeLink(cc *clientConn, in io.Reader, out io.Writer, hangUp func() error) *pipeLink {
	limits := &cc.c.opts.Limits
	l := &pipeLink{cc: cc, lines: jsonrpc.NewLines(in, limits.MaxMessageBytes), kick: make(chan struct{}, 1), stop: make(chan struct{})}
	l.out = newWriter(out, limits.MaxQueuedBytes, func(err error) {
		err = fmt.Errorf("mcp: writing to the server: %w", err)
		if l.ended != nil {
			err = l.ended(err)
		}
		cc.fail(err)
	})
	l.end = sync.OnceValue(func() error {
		close(l.stop)
		l.out.close()
		err := hangUp()
		gone := make(chan struct{})
		go func() {
			l.stopped.Wait()
			close(gone)
		}()
		if !waitFor(gone, limits.CloseTimeout) && err == nil {
			err = errors.New("mcp: closing the connection to the server: a read or write is still in progress")
		}
		return err
	})
	return l
}

func (l *pipeLink) begin() {
	l.stopped.Go(l.read)
	if !l.direct {
		l.stopped.Go(l.write)
	}
}

func (l *pipeLink) close() error { return l.end() }

func (l *pipeLink) agreed(_ context.Context, a *agreement) error {
	if a.rev.HasSessions() {
		l.tell(initialized)
	}
	return nil
}

// initialized is the notification that ends the handshake of a session.
var initialized = []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)

func (l *pipeLink) read() {
	for {
		line, err := l.lines.Next()
		switch {
		case errors.Is(err, jsonrpc.ErrTooLong):
			l.tooLong()
			continue
		case err == nil:
			l.cc.receive(line, 0)
			continue
		case l.ended != nil:
			err = l.ended(err)
		case errors.Is(err, io.EOF):
			err = errors.New("mcp: the server has closed the connection")
		default:
			err = fmt.Errorf("mcp: reading from the server: %w", err)
		}
		l.cc.fail(err)
		return
	}
}

// tooLong fails the request whose response is larger than the limit. If the ID of the response
// cannot be found, it fails all requests.
func (l *pipeLink) tooLong() {
	err := fmt.Errorf("mcp: the server's message is larger than the limit of %d bytes (ClientLimits.MaxMessageBytes)", l.cc.c.opts.Limits.MaxMessageBytes)
	head := l.lines.Head()
	if bytes.Contains(head, []byte(`"method"`)) {
		l.cc.complain(err.Error(), head)
		return
	}
	if _, rest, ok := bytes.Cut(head, []byte(`"id"`)); ok {
		rest = bytes.TrimLeft(rest, ": \t")
		end := bytes.IndexAny(rest, ", }\t")
		if id, ok := requestID(rest[:max(end, 0)]); ok && l.cc.settle(id, nil, err) {
			return
		}
	}
	l.cc.settleAll(err)
}

// write flushes the queue when it contains data, so that callers do not block.
func (l *pipeLink) write() {
	for {
		select {
		case <-l.kick:
			l.out.flush()
		case <-l.stop:
			return
		}
	}
}

func (l *pipeLink) flush() {
	if l.direct {
		l.out.flush()
		return
	}
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

func (l *pipeLink) start(ctx context.Context, _ *agreement, k *call) error {
	if !l.out.addUntil(ctx, k.line) {
		return context.Cause(ctx)
	}
	l.flush()
	return nil
}

func (l *pipeLink) tell(line []byte) {
	l.cc.trace(true, line)
	if added, _ := l.out.offer(line); added {
		l.flush()
	}
}

func (l *pipeLink) respond(ctx context.Context, line []byte) {
	l.cc.trace(true, line)
	if l.out.addUntil(ctx, line) {
		l.flush()
	}
}

func (l *pipeLink) abandon(_ *agreement, id int64, reason string) {
	l.tell(cancellation(id, reason))
}

// cancellation returns the notification that cancels a request.
func cancellation(id int64, reason string) []byte {
	b := strconv.AppendInt([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`), id, 10)
	return append(wire.Optional(b, "reason", clip(reason, 256)), '}', '}')
}

// memoryPipe returns the two ends of a connection in memory. Writing to near fails if far has limit
// unread bytes. Writing to far blocks while near has limit unread bytes, or 256 KiB if that is
// less.
func memoryPipe(limit int) (near, far *memoryConn) {
	there, back := newByteQueue(limit, false), newByteQueue(min(limit, 256<<10), true)
	return &memoryConn{in: back, out: there}, &memoryConn{in: there, out: back}
}

type memoryConn struct{ in, out *byteQueue }

func (c *memoryConn) Read(b []byte) (int, error)  { return c.in.read(b) }
func (c *memoryConn) Write(b []byte) (int, error) { return c.out.write(b) }

// Close closes both directions. Data that has been written can still be read.
func (c *memoryConn) Close() error {
	c.in.close()
	c.out.close()
	return nil
}

// byteQueue carries bytes from a writer to a reader.
type byteQueue struct {
	mu      sync.Mutex
	changed sync.Cond
	buf     []byte
	start   int  // buf[start:] contains the unread bytes
	limit   int  // maximum number of unread bytes
	blocks  bool // whether writing blocks at the limit instead of failing
	closed  bool
}

func newByteQueue(limit int, blocks bool) *byteQueue {
	q := &byteQueue{limit: limit, blocks: blocks}
	q.changed.L = &q.mu
	return q
}

func (q *byteQueue) read(b []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.buf) == q.start && !q.closed {
		q.changed.Wait()
	}
	if len(q.buf) == q.start {
		return 0, io.EOF
	}
	full := len(q.buf)-q.start > q.limit
	n := copy(b, q.buf[q.start:])
	if q.start += n; q.start == len(q.buf) {
		q.buf, q.start = q.buf[:0], 0
		if cap(q.buf) > keepBuffer {
			q.buf = nil
		}
	}
	if full {
		q.changed.Broadcast()
	}
	return n, nil
}

func (q *byteQueue) write(b []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.blocks && len(q.buf)-q.start > q.limit && !q.closed {
		q.changed.Wait()
	}
	switch {
	case q.closed:
		return 0, io.ErrClosedPipe
	case len(q.buf)-q.start > q.limit:
		return 0, fmt.Errorf("the other end has not read %d bytes", len(q.buf)-q.start)
	}
	if q.start > len(q.buf)/2 {
		q.buf = q.buf[:copy(q.buf, q.buf[q.start:])]
		q.start = 0
	}
	q.buf = append(q.buf, b...)
	q.changed.Signal()
	return len(b), nil
}

func (q *byteQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
