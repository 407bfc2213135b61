package mcp

import (
	"errors"
	"net/http"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// batch serves a request whose body is an array. Only revision 2025-03-26 supports batches.
func (h *HTTPHandler) batch(x *exchange, data []byte) {
	owner, ok := h.findSession(x)
	if !ok {
		return
	}
	var one *session
	if owner != nil {
		one = &owner.session
	} else {
		one = passing(x.req.Header)
	}
	if !one.rev.HasBatch() {
		var m jsonrpc.Message
		refuseBody(x.w, jsonrpc.Parse(data, &m))
		return
	}
	elements, err := jsonrpc.Batch(data, maxBatch)
	if err != nil {
		refuseBody(x.w, err)
		return
	}
	requests, err := h.batchRequests(x, elements, owner, one)
	switch {
	case err != nil:
		h.storeUnavailable(x.w, nil, err)
	case len(requests) > 0 && h.closed.Load():
		shuttingDown(x.w, nil)
	case len(requests) > 0 && owner != nil:
		x.open = len(requests)
		owner.serve(x, requests...)
	default:
		for _, r := range requests {
			if response := h.s.handleApart(r, true); !r.cancelled() {
				x.gather(r, response)
			} else {
				h.s.unread.correct(&r.answer, 0)
			}
		}
		if len(x.answers) == 0 {
			x.w.WriteHeader(http.StatusAccepted)
			return
		}
		x.answer(http.StatusOK, x.gathered(), &x.batch)
	}
}

// batchRequests handles the notifications and responses in a batch and returns its requests. It
// answers requests that fail before they are served. The error is that of take.
func (h *HTTPHandler) batchRequests(x *exchange, elements [][]byte, owner *httpSession, one *session) (requests []*Request, failed error) {
	for _, element := range elements {
		var m jsonrpc.Message
		if err := jsonrpc.Parse(element, &m); err != nil {
			e := parseError(err)
			switch {
			case e.Response:
				failed = errors.Join(failed, one.answerMalformed(e))
			case len(e.ID) > 0 || !isNotification(e.Method):
				refused := &Request{id: e.ID, rev: revision.WithBatches}
				x.gather(refused, appendError(nil, e.ID, refused.rev, &Error{Code: e.Code, Message: e.Message}))
			}
			continue
		}
		if m.Kind != jsonrpc.Request {
			if owner != nil {
				h.s.apart(h.s.wrapped, func() { failed = errors.Join(failed, owner.take(x.req.Context(), &m)) })
			} else {
				h.ignore(x, &m, one)
			}
			continue
		}
		r := h.request(x, &m)
		var e *Error
		if !h.s.apart(h.s.opts.Visible != nil, func() { e = h.s.prepare(r, m.Params, one) }) {
			e = asError(errGoexit)
		}
		if m.Method == "initialize" {
			e = errorf(CodeInvalidRequest, "Invalid request: initialize cannot be part of a batch")
		}
		if e != nil {
			x.gather(r, appendError(nil, r.id, r.rev, e))
			continue
		}
		requests = append(requests, r)
	}
	return requests, failed
}

// gather adds the response to r to the responses to a batch. It is used for batches without a
// session, and before the session counts its responses.
func (x *exchange) gather(r *Request, response []byte) {
	alone := admission{opts: &x.h.s.opts, batchBytes: len(x.answers)}
	x.answers = alone.gather(x.answers, r, response)
	x.moveToBatch(r)
}

// moveToBatch counts the size of the response to r together with the other responses to its batch.
func (x *exchange) moveToBatch(r *Request) {
	x.h.s.unread.correct(&x.batch, len(x.answers))
	x.h.s.unread.correct(&r.answer, 0)
}

// gathered returns the responses to a batch, or nil if there are none.
func (x *exchange) gathered() []byte {
	if len(x.answers) == 0 {
		return nil
	}
	x.answers[0] = '['
	return append(x.answers, ']')
}
