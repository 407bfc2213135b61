// Command bare is a server for measuring clients. To use as little time as possible, it answers
// every request with the same bytes except for the ID.
package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/docent-mcp/docent/test/bench/side"
)

const (
	called      = `{"content":[{"type":"text","text":"hello, world"}]}`
	initialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bare","version":"1.0"}}`
)

// answer appends the response to a request, or nothing to a notification.
func answer(out, request []byte) []byte {
	_, rest, ok := bytes.Cut(request, []byte(`"id":`))
	if !ok {
		return out
	}
	id := rest[:bytes.IndexAny(rest, ",}")]
	result := called
	if bytes.Contains(request, []byte(`"method":"initialize"`)) {
		result = initialized
	}
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(out, `,"result":`...), result...), '}')
}

func main() {
	if o := side.Parse(); o.HTTP != "" {
		o.Serve(http.HandlerFunc(serve))
	}
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	var out []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		before := len(out)
		if out = answer(out, line); len(out) > before {
			out = append(out, '\n')
		}
		if rest, _ := in.Peek(in.Buffered()); bytes.IndexByte(rest, '\n') < 0 || len(out) > 64<<10 {
			if _, err := os.Stdout.Write(out); err != nil {
				return
			}
			out = out[:0]
		}
	}
}

func serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "send POST", http.StatusMethodNotAllowed)
		return
	}
	out := answer(nil, body)
	if len(out) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(out)))
	w.Write(out)
}
