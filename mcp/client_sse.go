package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// sseLink is a link over HTTP with SSE, the transport of revision 2024-11-05. All messages from the
// server arrive on one event stream. The client sends its messages in POST requests to the address
// in the first event.
type sseLink struct {
	*sender
	resp     *http.Response
	events   *eventReader
	endpoint *url.URL // address to which the client posts
	end      func() error

	mu   sync.Mutex
	open map[int64]context.CancelFunc // cancel functions of POST requests in progress
}

// dialSSE opens the stream, waits for its first event, and returns the link.
func dialSSE(ctx context.Context, t *HTTPTransport, cc *clientConn) (link, error) {
	s, err := newSender(t, cc)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, s.cancel)
	defer stop()
	limit := cc.c.opts.Timeout
	if cc.known != revision.None {
		limit = cc.c.opts.ProbeTimeout // another kind of server may keep a GET open without sending an event
	}
	if limit > 0 {
		defer time.AfterFunc(limit, s.cancel).Stop()
	}
	l := &sseLink{sender: s, open: map[int64]context.CancelFunc{}}
	if l.resp, err = s.send(s.ctx, http.MethodGet, s.url, s.with("Accept", "text/event-stream"), nil); err != nil { //nolint:bodyclose // closed by end
		s.cancel()
		return nil, err
	}
	l.end = sync.OnceValue(func() error {
		l.resp.Body.Close()
		return l.stop()
	})
	if err := l.readEndpoint(); err != nil {
		_ = l.end()
		return nil, fmt.Errorf("mcp: HTTP with SSE: %w", err)
	}
	return l, nil
}

func (l *sseLink) readEndpoint() error {
	if !isEventStream(l.resp) {
		return errors.New("the answer to GET is not an event stream")
	}
	l.events = newEventReader(l.resp.Body, l.cc.c.opts.Limits.MaxMessageBytes)
	for {
		e, err := l.events.next()
		switch {
		case err != nil:
			if l.ctx.Err() != nil { // this can look like a network failure
				err = l.ctx.Err()
			}
			return fmt.Errorf("the stream has no \"endpoint\" event: %w", err)
		case e.name != "endpoint":
			continue
		}
		u, err := l.url.Parse(string(e.data))
		if err != nil || u.Scheme != l.url.Scheme || u.Host != l.url.Host {
			return fmt.Errorf("the endpoint %q does not have the server's own origin", clip(string(e.data), 256))
		}
		l.endpoint = &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
		return nil
	}
}

func (l *sseLink) close() error { return l.end() }

func (l *sseLink) begin() {
	l.run(func() {
		for {
			e, err := l.events.next()
			if err != nil {
				l.cc.fail(fmt.Errorf("mcp: the server's stream of events has ended: %w", err))
				return
			}
			if len(e.data) > 0 && e.name == "message" {
				l.cc.receive(e.data, 0)
			}
		}
	})
}

func (l *sseLink) post(ctx context.Context, line []byte) error {
	resp, err := l.send(ctx, http.MethodPost, l.endpoint, l.with("Content-Type", "application/json"), line)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxErrorBody))
	return resp.Body.Close()
}

func (l *sseLink) start(_ context.Context, _ *agreement, k *call) error {
	id, line := k.id, bytes.Clone(k.line)
	ctx, cancel := context.WithCancel(l.ctx)
	l.mu.Lock()
	l.open[id] = cancel
	l.mu.Unlock()
	running := l.run(func() {
		defer l.cancelPost(id)
		if err := l.post(ctx, line); err != nil {
			l.cc.settle(id, nil, err)
		}
	})
	if !running {
		l.cancelPost(id)
		return ErrClientClosed
	}
	return nil
}

// cancelPost cancels the POST of a request if it is still in progress.
func (l *sseLink) cancelPost(id int64) {
	l.mu.Lock()
	cancel := l.open[id]
	delete(l.open, id)
	l.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (l *sseLink) tell(line []byte) {
	line = bytes.Clone(line)
	l.cc.trace(true, line)
	l.tellOn(func(ctx context.Context) error { return l.post(ctx, line) })
}

func (l *sseLink) respond(ctx context.Context, line []byte) {
	l.cc.trace(true, line)
	l.sendBriefly(ctx, func(ctx context.Context) error { return l.post(ctx, line) })
}

func (l *sseLink) abandon(_ *agreement, id int64, reason string) {
	l.tell(cancellation(id, reason))
	l.cancelPost(id)
}

func (l *sseLink) agreed(ctx context.Context, _ *agreement) error {
	l.cc.trace(true, initialized)
	return l.post(ctx, initialized)
}
