package teamserver

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/docent-mcp/docent/mcp"
)

// A queue allows a limited number of calls to run at a time, and a smaller number for each
// principal. When a call ends, the waiting principals take turns, regardless of how many calls each
// of them has sent.
type queue struct {
	perPrincipal int
	waitingEach  int // maximum number of waiting calls of a principal

	mu      sync.Mutex
	free    int
	running int
	lanes   map[string]*lane
	turns   []*lane // lanes with waiting calls, in the order of their turns
}

// lane contains the calls of one principal.
type lane struct {
	running int
	waiting []chan struct{} // closed when the call may run
}

// errQueueFull is the error for a call that is refused because too many calls are waiting.
var errQueueFull = errors.New("too many calls are waiting")

func newQueue(places, perPrincipal, waitingEach int) *queue {
	return &queue{perPrincipal: perPrincipal, waitingEach: waitingEach, free: places, lanes: map[string]*lane{}}
}

// enter waits until a call of a principal may run. If the error is nil, the caller must call leave
// afterwards.
func (q *queue) enter(ctx context.Context, principal string) error {
	q.mu.Lock()
	l := q.lanes[principal]
	if l == nil {
		l = &lane{}
		q.lanes[principal] = l
	}
	if len(l.waiting) >= q.waitingEach && (q.free == 0 || l.running >= q.perPrincipal) {
		q.mu.Unlock()
		return errQueueFull
	}
	turn := make(chan struct{})
	l.waiting = append(l.waiting, turn)
	if len(l.waiting) == 1 {
		q.turns = append(q.turns, l)
	}
	q.dispatch()
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(l.waiting, turn)
	if i < 0 { // the call may run now
		q.leaveLocked(principal)
		return ctx.Err()
	}
	l.waiting = slices.Delete(l.waiting, i, i+1)
	if len(l.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(other *lane) bool { return other == l })
	}
	q.forget(principal, l)
	return ctx.Err()
}

// leave ends a call.
func (q *queue) leave(principal string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.leaveLocked(principal)
}

// leaveLocked ends a call. The caller must hold mu.
func (q *queue) leaveLocked(principal string) {
	l := q.lanes[principal]
	l.running--
	q.running--
	q.free++
	q.dispatch()
	q.forget(principal, l)
}

// forget removes an empty lane. The caller must hold mu.
func (q *queue) forget(principal string, l *lane) {
	if l.running == 0 && len(l.waiting) == 0 {
		delete(q.lanes, principal)
	}
}

// dispatch starts waiting calls as long as the limits allow it. The caller must hold mu.
func (q *queue) dispatch() {
	for q.free > 0 {
		i := slices.IndexFunc(q.turns, func(l *lane) bool { return l.running < q.perPrincipal })
		if i < 0 {
			return
		}
		l := q.turns[i]
		q.turns = slices.Delete(q.turns, i, i+1)
		close(l.waiting[0])
		if l.waiting = l.waiting[1:]; len(l.waiting) > 0 {
			q.turns = append(q.turns, l) // the lane's next turn comes after the others
		}
		l.running++
		q.running++
		q.free--
	}
}

// load returns the number of running and waiting calls.
func (q *queue) load() (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.turns {
		waiting += len(l.waiting)
	}
	return q.running, waiting
}

// middleware makes tool calls wait for their turn.
func (q *queue) middleware(next mcp.MessageHandler) mcp.MessageHandler {
	return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
		if r.Method() != "tools/call" || r.Outgoing() || r.Notification() {
			return next(ctx, r)
		}
		principal := r.Caller()
		switch err := q.enter(ctx, principal); {
		case errors.Is(err, errQueueFull):
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.Text("Too many of your calls are waiting; this one has not run. Call again after some of them have finished.")}}, nil
		case err != nil:
			return nil, err
		}
		defer q.leave(principal)
		return next(ctx, r)
	}
}
