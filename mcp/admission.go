package mcp

import (
	"iter"
	"log/slog"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// admission decides which requests of one connection or session are served, which wait and which
// are refused, within Limits. The mutex of that connection or session guards its fields.
type admission struct {
	opts         *ServerOptions
	out          *writer // writes the responses; nil if their size does not matter for admission
	serving      ticketList
	waiting      ticketList // requests in order of arrival
	servingBytes int        // total size of the params of the requests being served, except idle ones, in bytes
	waitingBytes int        // total size of the params of the waiting requests, in bytes
	idle         int        // number of requests in serving that only wait for events
	answerBytes  int        // estimated size of an answer in bytes, based on the larger recent answers
	batchBytes   int        // total size in bytes of the collected answers to batches with unanswered requests
}

// A ticket is a request or a notification that is being served or waits.
type ticket struct {
	r     *Request // nil for a notification
	size  int      // size in bytes of params
	start func()   // serves the request on a worker; only called if the ticket had to wait
	idle  bool     // whether admission.idle counts it

	answerBytes int // size in bytes of the answer

	prev, next *ticket
}

// verdict is the decision on a new request.
type verdict uint8

const (
	refused verdict = iota
	waits
	served
)

// admit serves t if there is room, and otherwise queues it. It refuses t if the
// queue is full.
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

// admitAll admits all of tickets or none; ok is false if it admits none. The
// first n are served; the others wait.
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

// room reports whether t may be served now. A request may have params of any
// size while no other is being served.
func (a *admission) room(t *ticket) bool {
	return a.serving.n-a.idle < a.opts.Limits.MaxConcurrent &&
		(a.servingBytes == 0 || a.servingBytes+t.size <= a.opts.Limits.MaxQueuedBytes) &&
		a.hasRoomForAnswers(1)
}

// hasRoomForAnswers reports whether out has room for the answers to the requests being served and
// to n more, assuming that those answers are as large as recent ones.
func (a *admission) hasRoomForAnswers(n int) bool {
	return a.out == nil || a.out.hasRoom((a.serving.n-a.idle+n)*a.answerBytes)
}

// postpone puts t back in the queue if its handler has not started and there is no longer room for
// its answer. It reports whether it did so.
func (a *admission) postpone(t *ticket) bool {
	if a.hasRoomForAnswers(0) {
		return false
	}
	a.serving.remove(t)
	a.servingBytes -= t.size
	a.waiting.addFirst(t)
	a.waitingBytes += t.size
	return true
}

// gather appends the response to r to the answers of an open batch. The answers of all open batches
// together may take up MaxQueuedBytes; a response that exceeds this becomes an error.
func (a *admission) gather(answers []byte, r *Request, response []byte) []byte {
	if limit := a.opts.Limits.MaxQueuedBytes; a.batchBytes+len(response) > limit {
		response = appendError(nil, r.id, r.rev, errorf(CodeInternalError, "The responses to this and other incomplete batches together exceed %d bytes; send this request again in another batch", limit))
	}
	return a.appendAnswer(answers, response)
}

func (a *admission) appendAnswer(answers, response []byte) []byte {
	a.batchBytes += len(response) + 1
	return append(append(answers, ','), response...)
}

// mayOpenBatch reports whether there is room for the answers to another batch.
func (a *admission) mayOpenBatch() bool { return a.batchBytes < a.opts.Limits.MaxQueuedBytes }

func (a *admission) serve(t *ticket) {
	a.serving.add(t)
	a.servingBytes += t.size
}

// release removes t from the requests being served.
func (a *admission) release(t *ticket) {
	a.serving.remove(t)
	if t.idle {
		a.idle--
	} else {
		a.servingBytes -= t.size
		if t.answerBytes > 0 {
			a.answerBytes = max(t.answerBytes, a.answerBytes-a.answerBytes/16)
		}
	}
}

// next moves the first waiting request to those being served and returns it. It
// returns nil if no request is waiting or there is no room.
func (a *admission) next() *ticket {
	t := a.waiting.first
	if t == nil || !a.room(t) {
		return nil
	}
	a.withdraw(t)
	a.serve(t)
	return t
}

// cancel cancels the requests with the given id (specification: Cancellation) and reports whether
// there are any. It returns those that were waiting. They count as being served from then on, even
// if there is no room, because they end immediately.
func (a *admission) cancel(id jsonrpc.ID, log *slog.Logger, reason string) (found bool, waited []*ticket) {
	cancel := func(t *ticket) bool {
		if t.r == nil || !t.r.id.Equal(id) || t.r.method == "initialize" {
			return false
		}
		log.Debug("request cancelled by the client", "method", t.r.method, "reason", reason)
		t.r.cancelByPeer()
		found = true
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
	return found, waited
}

// withdraw removes t from the waiting requests.
func (a *admission) withdraw(t *ticket) {
	a.waiting.remove(t)
	a.waitingBytes -= t.size
}

// markIdle marks t, which is being served, as idle, so that it no longer counts
// against MaxConcurrent and MaxQueuedBytes. It returns false if MaxWaiting
// requests are idle already.
func (a *admission) markIdle(t *ticket) bool {
	if a.idle >= a.opts.Limits.MaxWaiting {
		return false
	}
	t.idle = true
	a.idle++
	a.servingBytes -= t.size
	return true
}

func (a *admission) count() int { return a.serving.n + a.waiting.n }

// all returns the requests being served, then those waiting.
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

// ticketList is a doubly linked list. The links are fields of the tickets, so that adding one needs
// no allocation.
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

func (l *ticketList) addFirst(t *ticket) {
	if t.next = l.first; t.next != nil {
		t.next.prev = t
	} else {
		l.last = t
	}
	l.first = t
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
