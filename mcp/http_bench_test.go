package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// BenchmarkHTTP measures calls over persistent connections, 64 at a time. The baseline is a handler
// that reads the request and writes a constant response of the same size.
func BenchmarkHTTP(b *testing.B) {
	canned := strings.Repeat("x", 90)
	floor := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(canned)))
		io.WriteString(w, canned)
	})
	s := sumServer(b)
	common := "Host: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
	for _, bench := range []struct {
		name    string
		handler http.Handler
		head    string
		line    string
	}{
		{"canned", floor, "", echoCall},
		{"session", s.HTTPHandler(nil), "Mcp-Protocol-Version: 2025-11-25\r\n", echoCall},
		{"stateless", s.HTTPHandler(nil), "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: sum\r\n", modernCall},
	} {
		b.Run(bench.name, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			must(b, err)
			server := &http.Server{Handler: bench.handler}
			go server.Serve(l)
			defer server.Close()
			ask := func(c net.Conn, r *bufio.Reader, text string) *http.Response {
				io.WriteString(c, text)
				resp, err := http.ReadResponse(r, nil)
				if err != nil {
					b.Error(err)
					return nil
				}
				io.Copy(io.Discard, resp.Body)
				if resp.StatusCode != http.StatusOK {
					b.Errorf("status %d", resp.StatusCode)
				}
				return resp
			}
			request := func(head, line string) string {
				return fmt.Sprintf("POST /mcp HTTP/1.1\r\n%s%sContent-Length: %d\r\n\r\n%s", common, head, len(line), line)
			}
			b.ReportAllocs()
			b.ResetTimer()
			var wg sync.WaitGroup
			const clients = 64
			for i := range clients {
				wg.Go(func() {
					c, err := net.Dial("tcp", l.Addr().String())
					if err != nil {
						b.Error(err)
						return
					}
					defer c.Close()
					r := bufio.NewReader(c)
					head := bench.head
					if bench.name == "session" {
						head += "Mcp-Session-Id: " + ask(c, r, request("", initializeLine)).Header.Get("Mcp-Session-Id") + "\r\n"
					}
					text := request(head, bench.line)
					for n := i; n < b.N; n += clients {
						ask(c, r, text)
					}
				})
			}
			wg.Wait()
		})
	}
}
