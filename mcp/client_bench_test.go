package mcp_test

import (
	"fmt"
	"net"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// benchmarkClient calls a tool repeatedly, with inFlight calls in flight at a time.
func benchmarkClient(b *testing.B, t mcp.Transport, inFlight int) {
	c, err := mcp.Connect(b.Context(), t, nil)
	must(b, err)
	defer c.Close()
	call := func() {
		if got, err := mcp.CallTool[sumOutput](b.Context(), c, "sum", sumInput{17, 25}, nil); err != nil || got.Sum != 42 {
			b.Errorf("%+v, %v", got, err)
		}
	}
	call()
	b.ReportAllocs()
	b.ResetTimer()
	var calls sync.WaitGroup
	for n := range inFlight {
		calls.Go(func() {
			for i := n; i < b.N; i += inFlight {
				call()
			}
		})
	}
	calls.Wait()
}

// BenchmarkClient measures a client and a server in one process.
func BenchmarkClient(b *testing.B) {
	for _, inFlight := range []int{1, 64} {
		b.Run(fmt.Sprintf("memory/%d-in-flight", inFlight), func(b *testing.B) {
			benchmarkClient(b, &mcp.ServerTransport{Server: sumServer(b)}, inFlight)
		})
		b.Run(fmt.Sprintf("pipe/%d-in-flight", inFlight), func(b *testing.B) {
			near, far := net.Pipe()
			go sumServer(b).ServeConn(b.Context(), far)
			benchmarkClient(b, &mcp.ConnTransport{Conn: near}, inFlight)
		})
		b.Run(fmt.Sprintf("http/%d-in-flight", inFlight), func(b *testing.B) {
			web := httptest.NewServer(sumServer(b).HTTPHandler(nil))
			defer web.Close()
			benchmarkClient(b, &mcp.HTTPTransport{URL: web.URL}, inFlight)
		})
	}
}
