package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/retry"
)

// follow reads the event stream with the response to the request. If the stream breaks, follow
// resumes it in revisions that support that.
func (x *httpCall) follow(ctx context.Context, resp *http.Response) {
	l := x.l
	position := position{}
	for attempts := 0; ; {
		_, read, err := l.readEvents(resp, x.id, &position)
		switch {
		case err == nil:
			return // the request has been answered
		case ctx.Err() != nil:
			x.fail(context.Cause(ctx))
			return
		case errors.Is(err, errEventTooLong):
			x.fail(errors.New("mcp: an event of the server's response is larger than ClientLimits.MaxMessageBytes"))
			return
		case x.a.rev.Stateless():
			x.fail(fmt.Errorf("%w: %w", errStreamLost, err))
			return
		case !l.cc.inFlight(x.id):
			return // the response arrived on another stream
		case position.id == "":
			x.fail(fmt.Errorf("mcp: the server's stream ended before the response: %w", err))
			return
		}
		if read {
			attempts = 0
		}
		for resp = nil; resp == nil; {
			if attempts++; attempts > l.cc.c.opts.Limits.MaxReconnects {
				x.fail(fmt.Errorf("mcp: the response stream could not be resumed: %w", err))
				return
			}
			if !retry.Sleep(ctx, position.wait(attempts, l.cc.c.opts.Limits.MaxBackoff)) {
				x.fail(context.Cause(ctx))
				return
			}
			resp, err = l.get(ctx, position.id) //nolint:bodyclose // readEvents closes it
			if status, refused := errors.AsType[*HTTPError](err); refused && status.StatusCode/100 == 4 && !status.refused() {
				x.fail(fmt.Errorf("mcp: the response stream could not be resumed: %w", err))
				return
			}
		}
	}
}

// position specifies how far a stream has been read.
type position struct {
	id    string // ID of the last event with an ID
	retry time.Duration
	timed bool // whether the server has sent a retry time
}

// minPause is the minimum time before a stream is resumed.
const minPause = 10 * time.Millisecond

// wait returns the pause before the given attempt to resume the stream. Before
// the first attempt, it is the time that the server has set, if any. It grows
// with each attempt.
func (p *position) wait(attempts int, maximum time.Duration) time.Duration {
	if p.timed && attempts == 1 {
		return max(p.retry, minPause)
	}
	return max(retry.Backoff(attempts, firstBackoff, maximum), p.retry)
}

// readEvents reads events until the response to the request with the given ID has arrived. If the
// stream ends first, the error is not nil. readEvents returns the number of messages, and whether
// there were any events.
func (l *httpLink) readEvents(resp *http.Response, id int64, pos *position) (messages int, read bool, err error) {
	defer resp.Body.Close()
	events := newEventReader(resp.Body, l.cc.c.opts.Limits.MaxMessageBytes)
	for {
		e, err := events.next()
		if err != nil {
			return messages, read, err
		}
		read = true
		if e.id != "" {
			pos.id = e.id
		}
		if e.timed {
			pos.retry, pos.timed = e.retry, true
		}
		if len(e.data) == 0 || e.name != "message" {
			continue
		}
		messages++
		if l.cc.receive(e.data, id) && id != anyRequest {
			return messages, true, nil
		}
	}
}

// get opens an event stream, or resumes one after the event lastID.
func (l *httpLink) get(ctx context.Context, lastID string) (*http.Response, error) {
	head := l.headers(nil, "text/event-stream")
	if lastID != "" {
		head["Last-Event-Id"] = []string{lastID}
	}
	resp, err := l.send(ctx, http.MethodGet, l.url, head, nil)
	if err != nil {
		return nil, err
	}
	if !isEventStream(resp) {
		resp.Body.Close()
		return nil, &HTTPError{StatusCode: http.StatusMethodNotAllowed, Header: resp.Header}
	}
	return resp, nil
}

// anyRequest can be passed instead of the ID of a request to accept the responses to all requests.
const anyRequest = 0

// listen reads the messages in a session that belong to no request, for as long as the server keeps
// the stream open. It calls opened when the server has responded for the first time. Some servers
// send responses on this stream, too.
//
// If a stream that was open cannot be opened again, listen retires the connection, so that its
// subscriptions move to another session.
func (l *httpLink) listen(opened func()) {
	defer opened()
	pos := position{}
	hadOne := false
	for attempts := 0; ; {
		resp, err := l.get(l.ctx, pos.id)
		opened()
		wasOpen := err == nil
		if wasOpen {
			hadOne = true
			l.cc.c.subscriptions.interrupt(nil)
			var messages int
			if messages, _, err = l.readEvents(resp, anyRequest, &pos); messages > 0 {
				attempts = 0
			}
		}
		if l.ctx.Err() != nil {
			return
		}
		if status, refused := errors.AsType[*HTTPError](err); refused && status.StatusCode/100 == 4 {
			if pos.id != "" && status.StatusCode == http.StatusBadRequest {
				pos.id = "" // the server no longer has this event
			} else {
				if hadOne && status.StatusCode == http.StatusNotFound {
					l.cc.retire() // the server has ended the session
				}
				return
			}
		} else if hadOne && !wasOpen {
			l.cc.c.subscriptions.interrupt(err)
		}
		if attempts++; attempts > l.cc.c.opts.Limits.MaxReconnects && !wasOpen {
			l.cc.c.log.Warn("gave up on the server's stream of notifications", "error", err)
			if hadOne {
				l.cc.retire()
			}
			return
		}
		if !retry.Sleep(l.ctx, pos.wait(attempts, l.cc.c.opts.Limits.MaxBackoff)) {
			return
		}
	}
}
