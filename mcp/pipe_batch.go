package mcp

import (
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// batch collects the responses to a JSON-RPC batch. Only revision 2025-03-26 has batches.
type batch struct {
	mu        sync.Mutex // may be locked before the pipe's mu, but not after it
	open      int        // number of unanswered requests, plus one while the batch is being read
	responses []byte
	held      claim    // the responses' claim on the budget
	unread    [][]byte // messages that have not been read; used only by the reading goroutine
}

// maxBatch is the maximum number of messages in a batch.
const maxBatch = 1000

// receiveBatch handles a line that is an array. It reports whether the caller
// is still the reading goroutine.
func (c *pipe) receiveBatch(line []byte) bool {
	if !c.revision().HasBatch() {
		var m jsonrpc.Message
		return c.refuse(jsonrpc.Parse(line, &m))
	}
	elements, err := jsonrpc.Batch(line, maxBatch)
	if err != nil {
		return c.refuse(err)
	}
	return c.receiveRest(&batch{open: 1, unread: elements})
}

// receiveRest handles the messages of b that have not been read yet. It reports
// whether the caller is still the reading goroutine.
func (c *pipe) receiveRest(b *batch) bool {
	for len(b.unread) > 0 {
		element := b.unread[0]
		b.unread = b.unread[1:]
		var m jsonrpc.Message
		if err := jsonrpc.Parse(element, &m); err != nil {
			if e := parseError(err); !c.unanswered(e) {
				b.append(c, appendError(nil, e.ID, revision.WithBatches, &Error{Code: e.Code, Message: e.Message}))
			}
			continue
		}
		if m.Kind == jsonrpc.Request {
			if m.Method == "initialize" {
				b.append(c, appendError(nil, m.ID, revision.WithBatches, errorf(CodeInvalidRequest, "Invalid request: initialize cannot be part of a batch")))
				continue
			}
			b.mu.Lock()
			b.open++
			b.mu.Unlock()
		}
		c.message(&m, b, nil)
	}
	c.pause() // pause for the client to read, because add may send the responses to the whole batch
	return c.guard(func() { b.add(c, nil, nil) })
}

func (b *batch) append(c *pipe, response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	b.responses = c.calls.appendAnswer(b.responses, response)
}

// add adds the response to r, unless it is nil. The last call sends the responses to the whole
// batch.
func (b *batch) add(c *pipe, r *Request, response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if response != nil {
		c.mu.Lock()
		b.responses = c.calls.gather(b.responses, r, response)
		c.mu.Unlock()
		c.s.unread.correct(&b.held, len(b.responses))
	}
	if r != nil {
		c.s.unread.correct(&r.answer, 0)
	}
	if b.open--; b.open == 0 && len(b.responses) > 0 {
		b.responses[0] = '['
		c.out.add(append(b.responses, ']'))
		c.s.unread.correct(&b.held, 0)
		c.mu.Lock()
		c.calls.batchBytes -= len(b.responses)
		c.mu.Unlock()
		c.out.flush()
	}
}
