package mcp

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// memory contains what a transport has learned about its server, so that clients do not have to
// find it out again for each connection. The zero value is empty.
type memory struct {
	mu    sync.Mutex
	known knowledge
}

// knowledge describes the last successful connection to a server with sessions.
type knowledge struct {
	dial int               // index of the dialer that succeeded
	rev  revision.Revision // None if the revision is unknown
}

func (m *memory) load() knowledge {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known
}

func (m *memory) store(k knowledge) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = k
}

// errWrongTransport marks the response of a server that does not support the transport, so that the
// client can try another transport.
var errWrongTransport = errors.New("the server does not support this transport")

// dialOnce connects and performs the handshake: with the dialer that the transport remembers, or
// otherwise with the first that succeeds. If the server has changed, for example because it was
// upgraded, dialOnce clears the transport's memory and tries the dialers again.
func (c *Client) dialOnce(ctx context.Context) (*clientConn, error) {
	dials, memory := c.transport.dials(), c.transport.remembered()
	if known := memory.load(); slices.Contains(c.revisions, known.rev) && known.dial < len(dials) {
		cc, _, err := c.dialWith(ctx, dials[known.dial], known.rev)
		if err == nil || ctx.Err() != nil || !c.isUnexpected(err) {
			return cc, err
		}
		memory.store(knowledge{})
	}
	var failed []error
	for i, dial := range dials {
		cc, linked, err := c.dialWith(ctx, dial, revision.None)
		if err == nil {
			if rev := cc.agreement().rev; rev.HasSessions() {
				memory.store(knowledge{i, rev})
			}
			return cc, nil
		}
		if status, _ := errors.AsType[*HTTPError](err); linked && i > 0 || status.refused() {
			failed = nil // the server uses this transport, so the errors of other dialers do not matter
		}
		failed = append(failed, err)
		if !errors.Is(err, errWrongTransport) {
			break
		}
	}
	if c.endsProbes(failed[0]) && ctx.Err() == nil {
		// Some servers exit when the first request is not initialize.
		newest := c.revisions[slices.IndexFunc(c.revisions, revision.Revision.HasSessions)]
		cc, _, err := c.dialWith(ctx, dials[0], newest)
		if err == nil {
			memory.store(knowledge{0, cc.agreement().rev})
		}
		return cc, err
	}
	if t, ok := c.transport.(*HTTPTransport); ok && len(failed) == 2 {
		return nil, t.notFound(failed[0], failed[1])
	}
	return nil, failed[0]
}

// isUnexpected reports whether err can mean that the server has changed since the transport last
// connected to it. err is the error of a connection that was made with the remembered dialer and
// revision. Network failures, timeouts, refusals, overload and processes that exit do not mean
// that.
func (c *Client) isUnexpected(err error) bool {
	if status, ok := errors.AsType[*HTTPError](err); ok {
		return status.StatusCode/100 == 4 && !status.refused()
	}
	if _, answered := errors.AsType[*Error](err); answered {
		return true
	}
	_, overHTTP := c.transport.(*HTTPTransport)
	_, isNetwork := errors.AsType[net.Error](err) // context.DeadlineExceeded also implements net.Error
	return overHTTP && !isNetwork
}

// probeEnded is the error of a connection on a pipe that ended while the client
// probed for the server's revision.
type probeEnded struct{ error }

func (e probeEnded) Unwrap() error { return e.error }

// endsProbes reports whether err is a probeEnded and the server can be started or connected to once
// more.
func (c *Client) endsProbes(err error) bool {
	_, ended := errors.AsType[probeEnded](err)
	_, starts := c.transport.(*CommandTransport)
	return ended && (starts || c.transport.redials())
}

// dialWith connects and performs the handshake. known is the revision that the server used before,
// or None. linked reports whether dial succeeded.
func (c *Client) dialWith(ctx context.Context, dial dialer, known revision.Revision) (conn *clientConn, linked bool, err error) {
	cc := newClientConn(c)
	cc.known = known
	if cc.link, err = dial(ctx, cc); err != nil {
		cc.cancel()
		return nil, false, err
	}
	cc.link.begin()
	// The end of ctx ends the connection during the handshake.
	stop := context.AfterFunc(ctx, func() { cc.fail(context.Cause(ctx)) })
	defer stop()
	probing, endProbe := context.WithCancel(ctx)
	defer endProbe() // call endProbe after notifications/initialized, because servers may accept nothing before it
	a, err := cc.handshake(ctx, probing)
	if err == nil {
		err = cc.agree(ctx, a)
	}
	if err != nil {
		cc.close(err)
		return nil, true, err
	}
	return cc, true, nil
}

// inner marks an error of this package that is wrapped in another error, whose text already has the
// prefix "mcp: ".
type inner struct{ error }

func (e inner) Error() string { return strings.TrimPrefix(e.error.Error(), "mcp: ") }
func (e inner) Unwrap() error { return e.error }
