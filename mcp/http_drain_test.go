package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestShutdown_AnswersRequestsThatHaveBegun stops a server while requests are arriving. The server
// has not yet read the complete header of any of them.
func TestShutdown_AnswersRequestsThatHaveBegun(t *testing.T) {
	proves(t, "http.post.reject-status")
	ran(t, "2025-06-18", "http")
	const body = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	request := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for name, tt := range map[string]struct {
		used  bool // whether the connection has already served a request
		begun int  // number of bytes that are sent before the shutdown
		cut   int  // index at which the rest of the request is split
	}{
		"one byte":                           {false, 1, 2},
		"half a header":                      {false, 40, 60},
		"a header without its last byte":     {false, strings.Index(request, "\r\n\r\n") + 3, len(request) - 1},
		"one byte after another request":     {true, 1, 2},
		"half a header after another":        {true, 40, 60},
		"nothing, but at once":               {false, 0, 40},
		"nothing after another, but at once": {true, 0, 40},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, echoServer(t, nil), nil)
				c := endpoint.raw("")
				in := bufio.NewReader(c)
				answered := func() {
					t.Helper()
					res, err := http.ReadResponse(in, nil)
					if err != nil {
						t.Fatalf("the connection was closed without an answer: %v", err)
					}
					if _, err := io.ReadAll(res.Body); err != nil {
						t.Fatal(err)
					}
				}
				if tt.used {
					fmt.Fprint(c, request)
					answered()
				}
				settle()
				fmt.Fprint(c, request[:tt.begun])
				settle()
				stopped := endpoint.stopping()
				fmt.Fprint(c, request[tt.begun:tt.cut])
				if tt.begun > 0 {
					time.Sleep(time.Second)
				}
				fmt.Fprint(c, request[tt.cut:])
				answered()
				if _, err := in.ReadByte(); err != io.EOF {
					t.Errorf("the connection was not closed after its answer: %v", err)
				}
				if err := <-stopped; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestShutdown_DoesNotWaitForeverForARequest starts a request that never ends.
func TestShutdown_DoesNotWaitForeverForARequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		c := endpoint.raw("POST /mcp HTTP/1.1\r\nHost:")
		settle()
		began := time.Now()
		must(t, endpoint.stop())
		if took := time.Since(began); took > 6*time.Second { // DrainTimeout is 5 seconds
			t.Errorf("it took %v", took)
		}
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("the connection is open")
		}
	})
}
