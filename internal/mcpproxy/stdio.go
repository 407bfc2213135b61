package mcpproxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/docent-mcp/docent/mcp"
)

// ServeConn serves one client on a connection that carries newline-delimited messages. It returns
// nil at the end of input, and an error if the server cannot be reached, the connection to it is
// lost or ctx is done. In case of an error, a pending read of conn continues until conn ends.
func (p *Proxy) ServeConn(ctx context.Context, conn io.ReadWriter) error {
	input := bufio.NewReaderSize(conn, 64<<10)
	var first []byte
	read := make(chan error, 1)
	go func() {
		var err error
		first, err = firstLine(input, p.opts.MaxMessageBytes)
		read <- err
	}()
	select {
	case err := <-read:
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	in := introduce(first)
	b, err := p.open(ctx, in.client, false)
	if err != nil {
		err = fmt.Errorf("the server cannot be reached: %w", err)
		if in.id != nil {
			_, _ = conn.Write(append(errorResponse(in.id, err), '\n')) // The error is also returned.
		}
		return err
	}
	defer b.close()
	serving, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-b.done():
			cancel(fmt.Errorf("the connection to the server was lost: %w", b.upstream.Err()))
		case <-serving.Done():
		}
	}()
	return b.server.ServeConn(serving, struct {
		io.Reader
		io.Writer
	}{io.MultiReader(bytes.NewReader(first), input), conn})
}

// firstLine reads the first line that is not blank.
func firstLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return nil, fmt.Errorf("the client's first message is larger than the limit of %d bytes", limit)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(bytes.TrimSpace(line)) == 0:
			return nil, err
		case err == nil && len(bytes.TrimSpace(line)) == 0:
			line = line[:0]
			continue
		}
		return line, nil // The server handles an unfinished line at the end of input.
	}
}

// introduction holds the facts about a client that its first message contains.
type introduction struct {
	client
	id         json.RawMessage // nil if the message is not a request
	initialize bool
}

// introduce parses the first message of a client. It omits parts that it cannot read, since the
// front's server will answer the message.
func introduce(message []byte) introduction {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Capabilities json.RawMessage            `json:"capabilities"`
			Info         json.RawMessage            `json:"clientInfo"`
			Meta         map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil {
		return introduction{}
	}
	in := introduction{id: m.ID, initialize: m.Method == "initialize"}
	in.sessionless = !in.initialize
	info, caps := m.Params.Info, m.Params.Capabilities
	if !in.initialize {
		info, caps = m.Params.Meta["io.modelcontextprotocol/clientInfo"], m.Params.Meta["io.modelcontextprotocol/clientCapabilities"]
	}
	if info != nil && json.Unmarshal(info, &in.info) != nil {
		in.info = mcp.Implementation{}
	}
	if caps != nil && json.Unmarshal(caps, &in.caps) != nil {
		in.caps = mcp.ClientCapabilities{}
	}
	return in
}

// errorResponse returns the response to a request that cannot be forwarded.
func errorResponse(id json.RawMessage, err error) []byte {
	response, failed := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": mcp.CodeInternalError, "message": "The proxy: " + err.Error()},
	})
	if failed != nil {
		return nil
	}
	return response
}
