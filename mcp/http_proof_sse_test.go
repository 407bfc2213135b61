package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestWhatComesWhenTheStreamOfTheOldTransportHasEndedIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		p := endpoint.pair("2024-11-05", `{}`)
		line := callLine(1, "echo", `{"message":"x"}`)
		c := endpoint.raw(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", p.endpoint, len(line), line[:10]))
		settle()
		p.close()
		settle()
		go io.WriteString(c, line[10:])
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		must(t, err)
		body := readAll(t, resp.Body)
		if resp.StatusCode != http.StatusNotFound || !strings.Contains(body, fmt.Sprintf(`"code":%d`, mcp.CodeInvalidRequest)) || !strings.Contains(body, "open another one with GET") {
			t.Errorf("%s: %s", resp.Status, body)
		}
	})
}

// TestWhatIsPostedWhileTheServerDoesNotRead uses a client that does not read its stream, so the
// server stops reading. The messages of its POST requests then wait.
func TestWhatIsPostedWhileTheServerDoesNotReadHasABound(t *testing.T) {
	const limit, size = 10_000, 2000
	for name, opts := range map[string]mcp.Limits{"": {MaxQueuedBytes: limit}, "with larger messages": {MaxQueuedBytes: size / 2}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, echoServer(t, &mcp.ServerOptions{Limits: opts}), nil)
				c := endpoint.raw("GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
				stream := bufio.NewReaderSize(c, 16)
				readUntil(t, stream, "data: ")
				path, err := stream.ReadString('\n')
				must(t, err)
				w := endpoint.web()
				ping := fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"ping"}`, strings.Repeat("x", 200))
				ping += strings.Repeat(" ", size-len(ping))
				const all = 200
				statuses := make(chan int, all)
				post := func() {
					a, err := w.try(http.MethodPost, strings.TrimSpace(path), strings.NewReader(ping))
					if err != nil {
						t.Error(err)
						statuses <- 0
						return
					}
					statuses <- a.status
				}
				for range all {
					go post()
					settle()
				}
				took := map[int]int{}
				for len(statuses) > 0 {
					took[<-statuses]++
				}
				waiting := all - took[http.StatusAccepted] - took[http.StatusTooManyRequests]
				if maximum := max(1, opts.MaxQueuedBytes/size); waiting != maximum || took[http.StatusAccepted] < 3 || took[http.StatusTooManyRequests] < 50 {
					t.Errorf("%d messages wait, not %d; the others were answered with %v", waiting, maximum, took)
				}
				go io.Copy(io.Discard, stream) // the server now reads the waiting messages and further ones
				settle()
				for range waiting {
					if status := <-statuses; status != http.StatusAccepted {
						t.Errorf("status %d", status)
					}
				}
				post()
				if status := <-statuses; status != http.StatusAccepted {
					t.Errorf("status %d later", status)
				}
				c.Close()
			})
		})
	}
}
