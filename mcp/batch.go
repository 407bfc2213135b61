package mcp

import (
	"errors"
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
}

// maxBatch is how many messages a batch may hold.
const maxBatch = 1000

// receiveBatch takes a line that is an array. It reports whether the goroutine
// is still the one that reads.
func (c *stream) receiveBatch(line []byte) bool {
	if !c.revision().HasBatch() {
		var m jsonrpc.Message
		return c.refuse(jsonrpc.Parse(line, &m))
	}
	elements, err := jsonrpc.Batch(line, maxBatch)
	if err != nil {
		return c.refuse(err)
	}
	b := &batch{open: 1}
	for _, element := range elements {
		var m jsonrpc.Message
		if err := jsonrpc.Parse(element, &m); err != nil {
			e, _ := errors.AsType[*jsonrpc.ParseError](err)
			if len(e.ID) > 0 || !isNotification(e.Method) {
				b.append(appendError(nil, e.ID, revision.V20250326, &Error{Code: e.Code, Message: e.Message}))
			}
			continue
		}
		if m.Kind == jsonrpc.Request {
			if m.Method == "initialize" {
				b.append(appendError(nil, m.ID, revision.V20250326, errorf(CodeInvalidRequest, "Invalid request: initialize cannot be part of a batch")))
				continue
			}
			b.mu.Lock()
			b.open++
			b.mu.Unlock()
		}
		c.message(&m, b, nil)
	}
	return c.guard(func() { b.add(c, nil, nil) })
}

func (b *batch) append(response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.responses = append(append(b.responses, ','), response...)
}

// add takes the answer to r, nil if there is none. The last one sends all, and
// all together have the bound of what waits to be written.
func (b *batch) add(c *stream, r *Request, response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if limit := c.s.opts.MaxQueuedBytes; response != nil && len(b.responses)+len(response) > limit {
		response = appendError(nil, r.id, r.rev, errorf(CodeInternalError, "The answers to this batch have more than %d bytes; send this request again, in another", limit))
	}
	if response != nil {
		b.responses = append(append(b.responses, ','), response...)
	}
	if b.open--; b.open == 0 && len(b.responses) > 0 {
		b.responses[0] = '['
		c.out.add(append(b.responses, ']'))
		c.out.flush()
	}
}
