package mcp

import (
	"iter"
	"log/slog"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// admission decides which requests of one connection or session are served,
// which wait for their turn and which are refused. Its bounds are those of
// ServerOptions. Its owner guards it by a mutex.
type admission struct {
	opts         *ServerOptions
	serving      ticketList
	waiting      ticketList // in the order of their coming
	servingBytes int        // of params, without those of idle requests
	waitingBytes int
	idle         int // requests in serving that only wait for events
}

// A ticket is a request's place in an admission.
type ticket struct {
	r     *Request // nil for a notification
	size  int      // bytes of params
	start func()   // serves the request on a goroutine of its own; used if it waits
	idle  bool     // counts as idle

	prev, next *ticket
}

// verdict is what becomes of a request that has come.
type verdict uint8

const (
	refused verdict = iota
	waits
	served
)

// admit gives t a place, unless it is refused.
func (a *admission) admit(t *ticket) verdict {
	switch {
	case a.waiting.n == 0 && a.room(t):
		a.serve(t)
		return served
	case a.waiting.n >= a.opts.Limits.MaxWaiting, a.waiting.n > 0 && a.waitingBytes+t.size > a.opts.Limits.MaxQueuedBytes:
		return refused
	}
	a.waiting.add(t)
	a.waitingBytes += t.size
	return waits
}

// admitAll gives all of tickets a place, or none. It returns how many are
// served; those behind them wait.
func (a *admission) admitAll(tickets []*ticket) (n int, ok bool) {
	for i, t := range tickets {
		switch a.admit(t) {
		case served:
			n++
		case refused:
			for _, t := range tickets[:n] {
				a.release(t)
			}
			for _, t := range tickets[n:i] {
				a.withdraw(t)
			}
			return 0, false
		}
	}
	return n, true
}

// room reports whether t may be served now. One alone may be as large as any
// message.
func (a *admission) room(t *ticket) bool {
	return a.serving.n-a.idle < a.opts.Limits.MaxConcurrent && (a.servingBytes == 0 || a.servingBytes+t.size <= a.opts.Limits.MaxQueuedBytes)
}

func (a *admission) serve(t *ticket) {
	a.serving.add(t)
	a.servingBytes += t.size
}

// release takes back the place of t, which is being served.
func (a *admission) release(t *ticket) {
	a.serving.remove(t)
	if t.idle {
		a.idle--
	} else {
		a.servingBytes -= t.size
	}
}

// next gives the place of one being served to the first that waits. It returns
// nil if none waits or there is no room.
func (a *admission) next() *ticket {
	t := a.waiting.first
	if t == nil || !a.room(t) {
		return nil
	}
	a.withdraw(t)
	a.serve(t)
	return t
}

// cancel ends the requests of that id: their client wants no answer any more
// (specification: Cancellation). It returns those that have waited. They are
// being served from here on, whatever room there is, since they end at once.
func (a *admission) cancel(id jsonrpc.ID, log *slog.Logger, reason string) (waited []*ticket) {
	cancel := func(t *ticket) bool {
		if t.r == nil || !t.r.id.Equal(id) || t.r.method == "initialize" {
			return false
		}
		log.Debug("request cancelled by the client", "method", t.r.method, "reason", reason)
		t.r.cancelByPeer()
		return true
	}
	for t := a.serving.first; t != nil; t = t.next {
		cancel(t)
	}
	for t := a.waiting.first; t != nil; {
		next := t.next
		if cancel(t) {
			a.withdraw(t)
			a.serve(t)
			waited = append(waited, t)
		}
		t = next
	}
	return waited
}

// withdraw takes back the place of t, which waits.
func (a *admission) withdraw(t *ticket) {
	a.waiting.remove(t)
	a.waitingBytes -= t.size
}

// rest makes t, which is being served, idle: it keeps no other from being
// served. It reports false if as many are idle as may be.
func (a *admission) rest(t *ticket) bool {
	if a.idle >= a.opts.Limits.MaxWaiting {
		return false
	}
	t.idle = true
	a.idle++
	a.servingBytes -= t.size
	return true
}

// count is how many requests have a place.
func (a *admission) count() int { return a.serving.n + a.waiting.n }

// all are the tickets that have a place, those being served first.
func (a *admission) all() iter.Seq[*ticket] {
	return func(yield func(*ticket) bool) {
		for _, first := range []*ticket{a.serving.first, a.waiting.first} {
			for t := first; t != nil; t = t.next {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// ticketList is a list of tickets, linked by themselves so that a call costs no
// further allocation.
type ticketList struct {
	first, last *ticket
	n           int
}

func (l *ticketList) add(t *ticket) {
	if t.prev = l.last; t.prev != nil {
		t.prev.next = t
	} else {
		l.first = t
	}
	l.last = t
	l.n++
}

func (l *ticketList) remove(t *ticket) {
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		l.first = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	} else {
		l.last = t.prev
	}
	t.prev, t.next = nil, nil
	l.n--
}
