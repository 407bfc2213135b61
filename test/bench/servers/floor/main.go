// Command floor answers every request with the same bytes. It shows the cost of only the pipe or
// net/http.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/docent-mcp/docent/test/bench/side"
)

var canned = []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hello, world"}]}}`)

func main() {
	if o := side.Parse(); o.HTTP != "" {
		o.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(canned)))
			w.Write(canned)
		}))
	}
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	var out []byte
	for {
		line, err := in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err != nil {
			return
		}
		if bytes.Contains(line, []byte(`"id"`)) {
			out = append(append(out, canned...), '\n')
		}
		if rest, _ := in.Peek(in.Buffered()); bytes.IndexByte(rest, '\n') < 0 || len(out) > 64<<10 {
			os.Stdout.Write(out)
			out = out[:0]
		}
	}
}
