package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// pipe is one connection that carries newline-delimited messages both ways (specification:
// Transports, stdio).
//
// A request is served on the goroutine that has read it. When that goroutine has been in a handler
// or a write for longer than a tick, a timer starts another goroutine that continues reading. The
// first goroutine ends after its call. Therefore, fast calls need no switch between goroutines, and
// slow calls do not delay others. A slow handler no longer runs on the reading goroutine until it
// has been fast a few times.
//
// Waiting requests do not stop reading, so cancellations, pings, responses and the end of input are
// noticed immediately. A request for which there is no room is refused with an error. Reading stops
// only while the client leaves MaxQueuedBytes unread (see pause), which limits the refusals that
// wait to be written. Admission limits the responses. While the client is behind, a request does
// not start if its response would not fit.
type pipe struct {
	s      *Server
	ctx    context.Context
	cancel context.CancelCauseFunc
	log    *slog.Logger
	lines  *jsonrpc.Lines // used only by the reading goroutine
	out    *writer
	held   peerClaim // whether data is waiting in out

	session atomic.Pointer[session]

	// turn is odd while the reading goroutine does something that may block. The goroutine that
	// makes it even again continues to read.
	turn  atomic.Uint64
	armed atomic.Bool // whether the timer is running
	timer *time.Timer
	seen  uint64 // value of turn at the last tick; used only by onTick

	mu       sync.Mutex
	changed  sync.Cond     // signals that a queue has become shorter or that draining has ended
	calls    admission     // requests other than pings
	control  admission     // notifications and pings, if there is middleware
	draining bool          // whether reading has ended
	ended    chan error    // receives the reason for the end of the connection
	gone     chan struct{} // closed when the connection ends
	over     sync.Once     // guards ended and gone
	close    func()        // closes the connection
}

// ServeConn serves one client over a connection that carries one message per line, such as a pipe,
// a Unix socket, or one end of net.Pipe.
//
// When the input ends, ServeConn returns nil after all accepted requests have been answered or
// Limits.DrainTimeout has passed. When ctx is done, it accepts no more requests, gives those in
// flight the same time, and returns the cause of ctx. If a read or write fails, it returns the
// error. If conn is an io.Closer, ServeConn closes it before it returns.
func (s *Server) ServeConn(ctx context.Context, conn io.ReadWriter) error {
	return s.serve(ctx, conn, conn)
}

// ServeStdio serves a client on standard input and output until the input ends; see ServeConn.
// During this time, os.Stdout is standard error, so that an accidental fmt.Println does not corrupt
// the messages of the protocol.
func (s *Server) ServeStdio(ctx context.Context) error {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	defer func() { os.Stdout = stdout }()
	return s.serve(ctx, os.Stdin, struct{ io.Writer }{stdout})
}

func (s *Server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.workers.join()
	defer s.workers.leave()
	c := &pipe{
		s:       s,
		log:     s.log,
		lines:   jsonrpc.NewLines(in, s.opts.Limits.MaxMessageBytes),
		calls:   admission{opts: &s.opts},
		control: admission{opts: &s.opts},
		ended:   make(chan error, 1),
		gone:    make(chan struct{}),
	}
	// The contexts of requests end with the connection and not with ctx, so that accepted requests
	// have time to finish.
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer c.cancel(nil)
	c.close = sync.OnceFunc(func() {
		for _, end := range []any{in, out} {
			if closer, ok := end.(io.Closer); ok {
				closer.Close()
			}
		}
	})
	c.changed.L = &c.mu
	c.out = newWriter(pacedWriter{out, &c.held}, s.opts.Limits.MaxQueuedBytes, func(err error) {
		c.cancelAll(errDrain) // responses can no longer be sent
		c.end(err)
	})
	c.held.owner = c
	c.out.countIn(s.unread, &c.held)
	c.calls.out, c.out.onRoom = c.out, func() { c.next(&c.calls) }
	c.timer = time.AfterFunc(time.Hour, c.onTick)
	c.timer.Stop()

	defer func() {
		if session := c.session.Load(); session != nil {
			s.removeSession(session)
		}
	}()
	go c.read()

	var err error
	select {
	case err = <-c.ended:
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
			err = nil
		}
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	c.drain()
	c.close()
	return err
}

// end makes serve return. Only the first call has an effect.
func (c *pipe) end(err error) {
	c.over.Do(func() {
		c.ended <- err
		close(c.gone)
	})
}

// drain waits until all accepted requests have been answered, for at most DrainTimeout. Then it
// cancels the remaining requests.
func (c *pipe) drain() {
	c.mu.Lock()
	c.draining = true
	c.changed.Broadcast()
	c.mu.Unlock()
	c.s.endListeners(func(out sink) bool { return out.connection() == c })
	late := time.AfterFunc(c.s.opts.Limits.DrainTimeout, func() {
		c.out.close() // close it before handlers return, so that nothing is sent for cancelled calls
		c.cancelAll(errDrain)
	})
	defer late.Stop()
	// A handler that ignores the end of its context is abandoned after another second.
	var abandoned atomic.Bool
	last := time.AfterFunc(c.s.opts.Limits.DrainTimeout+time.Second, func() {
		abandoned.Store(true)
		c.mu.Lock()
		c.changed.Broadcast()
		c.mu.Unlock()
	})
	defer last.Stop()
	c.mu.Lock()
	for c.calls.count()+c.control.count() > 0 && !abandoned.Load() {
		c.changed.Wait()
	}
	c.mu.Unlock()
	if !abandoned.Load() {
		c.out.drain()
	}
	c.out.close()
	c.cancelAll(context.Canceled)
	c.timer.Stop()
}

var errDrain = errors.New("the connection has ended")

func (c *pipe) cancelAll(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range []*admission{&c.calls, &c.control} {
		for t := a.serving.first; t != nil; t = t.next {
			if t.r != nil {
				t.r.ctx.cancel(context.Canceled)
			}
		}
		for t := a.waiting.first; t != nil; t = a.waiting.first {
			a.withdraw(t)
		}
	}
	c.cancel(err)
	c.changed.Broadcast()
}

// cutOff ends the connection because the client does not read.
func (c *pipe) cutOff() {
	c.out.abort(errUnread)
	c.close() // interrupts a write
}

// pacedWriter writes in parts, to measure how fast the client reads.
type pacedWriter struct {
	w    io.Writer
	held *peerClaim
}

func (w pacedWriter) Write(b []byte) (n int, err error) {
	for {
		wrote, err := w.w.Write(b[n:min(n+writeAtOnce, len(b))])
		w.held.took.Add(int64(wrote))
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
	}
}

func (c *pipe) revision() revision.Revision {
	if s := c.session.Load(); s != nil {
		return s.rev
	}
	return revision.None
}

// push sends a notification without blocking. If the client does not read, the notification is
// dropped.
func (c *pipe) push(line []byte) {
	if _, flush := c.out.offer(line); flush {
		c.s.workers.run(c.out.flush)
	}
}
