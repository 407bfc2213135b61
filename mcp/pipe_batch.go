package mcp

import (
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// batch gathers the responses to one JSON-RPC batch, which only revision
// 2025-03-26 has.
type batch struct {
	mu        sync.Mutex
	open      int // requests not answered yet, and one while the batch is read
	responses []byte
	rest      [][]byte // not read yet; used by the reading goroutine alone
}

// maxBatch is how many messages a batch may hold.
const maxBatch = 1000

// receiveBatch takes a line that is an array. It reports whether the goroutine
// is still the one that reads.
func (c *pipe) receiveBatch(line []byte) bool {
	if !c.revision().HasBatch() {
		var m jsonrpc.Message
		return c.refuse(jsonrpc.Parse(line, &m))
	}
	elements, err := jsonrpc.Batch(line, maxBatch)
	if err != nil {
		return c.refuse(err)
	}
	return c.receiveRest(&batch{open: 1, rest: elements})
}

// receiveRest takes what has not been read of a batch.
func (c *pipe) receiveRest(b *batch) bool {
	for len(b.rest) > 0 {
		element := b.rest[0]
		b.rest = b.rest[1:]
		var m jsonrpc.Message
		if err := jsonrpc.Parse(element, &m); err != nil {
			if e := parseError(err); !c.unanswered(e) {
				b.append(appendError(nil, e.ID, revision.WithBatches, &Error{Code: e.Code, Message: e.Message}))
			}
			continue
		}
		if m.Kind == jsonrpc.Request {
			if m.Method == "initialize" {
				b.append(appendError(nil, m.ID, revision.WithBatches, errorf(CodeInvalidRequest, "Invalid request: initialize cannot be part of a batch")))
				continue
			}
			b.mu.Lock()
			b.open++
			b.mu.Unlock()
		}
		c.message(&m, b, nil)
	}
	c.pause() // the answer to the whole batch may follow
	return c.guard(func() { b.add(c, nil, nil) })
}

func (b *batch) append(response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.responses = append(append(b.responses, ','), response...)
}

// gather appends the answer to r, of a batch, to those of others. All together
// have the bound of what waits to be written.
func (o *ServerOptions) gather(answers []byte, r *Request, response []byte) []byte {
	if limit := o.Limits.MaxQueuedBytes; len(answers)+len(response) > limit {
		response = appendError(nil, r.id, r.rev, errorf(CodeInternalError, "The answers to this batch have more than %d bytes; send this request again, in another", limit))
	}
	return append(append(answers, ','), response...)
}

// add takes the answer to r, nil if there is none. The last one sends all.
func (b *batch) add(c *pipe, r *Request, response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if response != nil {
		b.responses = c.s.opts.gather(b.responses, r, response)
	}
	if b.open--; b.open == 0 && len(b.responses) > 0 {
		b.responses[0] = '['
		c.out.add(append(b.responses, ']'))
		c.out.flush()
	}
}
