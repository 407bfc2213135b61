package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestMemory_OfUnreadAnswers makes five calls over each of 32 pipes to a tool that answers
// 1 MB. The clients read 100 kB per second. The collector lets the heap grow to about
// twice the memory in use, so a heap of 128 MiB is enough.
func TestMemory_OfUnreadAnswers(t *testing.T) {
	if raceDetector {
		t.Skip("memory cannot be measured with the race detector, which allocates memory itself; run without -race")
	}
	const (
		clients = 32
		calls   = 5
		maximum = 68 << 20 // the budget, one answer that is being encoded, and the connections
	)
	text := strings.Repeat("x", 1_000_000)
	for name, took := range map[string]time.Duration{"immediately": 0, "after 1.5 s": 1500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			before := held()
			bubble(t, func(t *testing.T) {
				s := echoServer(t, nil)
				must(t, mcp.AddTool(s, mcp.Tool{Name: "text"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
					time.Sleep(took) // fake time
					return strings.Clone(text), nil
				}))
				var all []*pipes
				var readers sync.WaitGroup
				answers := make([]int, clients)
				for i := range clients {
					p := dial(s)
					all = append(all, p)
					r := p.openSession(t, "2025-11-25")
					for n := range calls {
						must(t, p.send(callLine(n+1, "text", `{}`)))
					}
					readers.Go(func() { answers[i] = readSlowly(r, calls) })
				}
				done := make(chan struct{})
				go func() {
					readers.Wait()
					close(done)
				}()
				live := 0
				for reading := true; reading; {
					select {
					case <-done:
						reading = false
					case <-time.After(2 * time.Second):
					}
					runtime.GC()
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					live = max(live, int(m.HeapAlloc+m.StackInuse)-before)
				}
				t.Logf("at most %d MiB are in use", live>>20)
				if live > maximum {
					t.Errorf("that is more than %d MiB", maximum>>20)
				}
				got := 0
				for _, n := range answers {
					got += n
				}
				if got < clients*calls/2 {
					t.Errorf("the clients got %d answers", got)
				}
				for _, p := range all {
					p.in.Close()
					p.out.Close()
					<-p.served
				}
			})
		})
	}
}

// readSlowly reads n answers with 100 kB per second. It returns how many arrived before the server
// closed the connection.
func readSlowly(r *bufio.Reader, n int) (answers int) {
	b := make([]byte, 10_000)
	for answers < n {
		got, err := r.Read(b)
		if err != nil {
			break
		}
		answers += bytes.Count(b[:got], []byte{'\n'})
		time.Sleep(time.Duration(got) * 10 * time.Microsecond) // fake time
	}
	return answers
}
