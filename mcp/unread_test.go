package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// unread is a server with a client that does not read responses. Its tools count how many of their
// handlers have started:
//
//   - big answers with the given number of bytes, immediately or after a wait
//   - slow does the same when release is closed
//   - ask asks the client for its roots when release is closed
type unread struct {
	*pipes
	r           *bufio.Reader
	began, done atomic.Int64
	release     chan struct{}
}

const (
	unreadLimit = 1_000_000
	unreadSize  = 50_000
)

func newUnread(t *testing.T, opts mcp.ServerOptions) *unread {
	t.Helper()
	u := &unread{release: make(chan struct{})}
	opts.Limits.MaxQueuedBytes = unreadLimit
	s := echoServer(t, &opts)
	type size struct {
		Bytes int `json:"bytes"`
		Wait  int `json:"wait,omitempty"` // in milliseconds of fake time
	}
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "big"}, func(_ context.Context, _ *mcp.Request, in size) (string, error) {
			u.began.Add(1)
			time.Sleep(time.Duration(in.Wait) * time.Millisecond) // fake time
			return strings.Repeat("x", in.Bytes), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "slow"}, func(_ context.Context, r *mcp.Request, in size) (string, error) {
			u.began.Add(1)
			<-u.release
			r.Progress(1, 1, "released")
			u.done.Add(1)
			return strings.Repeat("x", in.Bytes), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			u.began.Add(1)
			<-u.release
			err := askOnly(ctx, r, &mcp.RootsQuestion{})
			u.done.Add(1)
			return "asked", err
		}),
	)
	u.pipes = dial(s)
	must(t, u.send(strings.Replace(initializeLine, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1)))
	u.r = bufio.NewReader(u.out)
	u.read(t)
	return u
}

// calls sends n calls of a tool with IDs starting with first.
func (u *unread) calls(t *testing.T, first, n int, tool string) {
	t.Helper()
	for i := range n {
		must(t, u.send(callLine(first+i, tool, fmt.Sprintf(`{"bytes":%d}`, unreadSize))))
	}
	settle()
}

func (u *unread) read(t *testing.T) *message {
	t.Helper()
	line, err := u.r.ReadString('\n')
	must(t, err)
	m := &message{line: line}
	must(t, json.Unmarshal([]byte(line), m))
	return m
}

// readAll ends the input, reads the remaining messages, and returns the text of each response.
func (u *unread) readAll(t *testing.T) map[int]string {
	t.Helper()
	u.in.Close()
	got := answers(t, u.r)
	must(t, <-u.served)
	return got
}

func TestNoCallBeginsWhoseAnswerWouldNotFitInWhatTheClientLeavesUnread(t *testing.T) {
	bubble(t, func(t *testing.T) {
		u := newUnread(t, mcp.ServerOptions{})
		const all = 100
		u.calls(t, 0, all, "big")
		// Half of the limit is filled, and one more response is being written.
		if n := u.began.Load(); n < 5 || n > unreadLimit/2/unreadSize+2 {
			t.Errorf("%d calls began", n)
		}
		for i := range 20 { // each response that is read allows another call to start
			before := u.began.Load()
			u.read(t)
			settle()
			if n := u.began.Load() - before; n > 2 {
				t.Errorf("after answer %d %d calls began", i, n)
			}
		}
		if n := u.began.Load(); n < 20 {
			t.Errorf("%d calls began for 20 answers", n)
		}
		if got := u.readAll(t); len(got) != all-20 {
			t.Errorf("%d further answers", len(got))
		}
	})
}

func TestCallsThatEndTogetherAreFollowedOnlyByThoseThatFit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		u := newUnread(t, mcp.ServerOptions{})
		close(u.release) // after the first responses, their size is known, so many calls may start together
		u.calls(t, 1000, 1, "slow")
		u.read(t)
		u.began.Store(0)
		u.release = make(chan struct{})
		u.calls(t, 0, 60, "slow")
		if n := u.began.Load(); n != 60 {
			t.Errorf("%d calls began before there was an answer", n)
		}
		close(u.release)
		settle()
		u.calls(t, 60, 60, "slow") // 3 MB of responses are waiting
		for i := range 50 {
			if n := u.began.Load(); n != 60 {
				t.Fatalf("%d calls began when %d answers were read", n, i)
			}
			u.read(t)
			settle()
		}
		for range 5 {
			u.read(t)
			settle()
		}
		if n := u.began.Load(); n < 62 || n > 62+5 {
			t.Errorf("%d calls began when 55 answers were read", n)
		}
		for range 65 {
			u.read(t)
		}
		settle()
		// The client has read everything, so calls start together again.
		u.release = make(chan struct{})
		u.calls(t, 120, 60, "slow")
		if n := u.began.Load(); n != 180 {
			t.Errorf("%d calls began", n)
		}
		close(u.release)
		if got := u.readAll(t); len(got) != 60 {
			t.Errorf("%d further answers", len(got))
		}
	})
}

// With one processor, the reading goroutine admits all calls before the first one starts.
func TestCallsAdmittedTogetherBeginOnlyIfTheirAnswersFit(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	bubble(t, func(t *testing.T) {
		u := newUnread(t, mcp.ServerOptions{})
		must(t, u.send(callLine(0, "big", `{"bytes":1,"wait":1}`))) // a slow handler does not run on the reading goroutine
		u.read(t)
		settle()
		var lines []string
		for i := range 100 {
			lines = append(lines, callLine(1+i, "big", fmt.Sprintf(`{"bytes":%d}`, unreadSize)))
		}
		must(t, u.send(strings.Join(lines, "\n")))
		settle()
		if n := u.began.Load(); n < 6 || n > 1+unreadLimit/2/unreadSize+2 {
			t.Errorf("%d calls began", n)
		}
		if got := u.readAll(t); len(got) != 100 {
			t.Errorf("%d answers", len(got))
		}
	})
}

func TestWhatCannotWaitPassesCallsThatTheClientLeavesUnread(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const progress = `,"_meta":{"progressToken":1}}}`
		u := newUnread(t, mcp.ServerOptions{})
		must(t, u.send(callLine(0, "ask", `{}`)), u.send(strings.TrimSuffix(callLine(1, "slow", `{"bytes":1}`), "}}")+progress))
		u.calls(t, 2, 30, "big")
		began := u.began.Load()
		// A waiting call is cancelled before it starts.
		must(t, u.send(cancelLine(`{"requestId":31}`)), u.send(`{"jsonrpc":"2.0","id":100,"method":"ping"}`))
		close(u.release) // one handler asks a question, and another reports its progress
		settle()
		if n := u.began.Load(); n > began+2 || u.done.Load() != 1 { // two of the calls that started before need no more room
			t.Errorf("%d calls began, then %d; %d handlers have ended", began, n, u.done.Load())
		}
		seen := map[string]int{}
		for range 2 + 1 + 1 + 30 { // progress and a question, a ping, slow, and all calls of big and ask except one
			m := u.read(t)
			switch {
			case m.Method == "roots/list":
				must(t, u.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, m.ID)))
				settle()
				if n := u.done.Load(); n != 2 {
					t.Errorf("%d handlers have ended when the question was answered", n)
				}
			case m.Method == "" && m.Error != nil:
				t.Error(m.line)
			}
			seen[m.Method]++
			if m.Method == "" {
				seen[string(m.ID)]++
			}
		}
		if seen["notifications/progress"] != 1 || seen["roots/list"] != 1 || seen["100"] != 1 || seen["0"] != 1 || seen["1"] != 1 || seen["30"] != 1 || seen["31"] != 0 {
			t.Errorf("the client read %v", seen)
		}
		if got := u.readAll(t); len(got) != 0 {
			t.Errorf("%d further answers", len(got))
		}
	})
}

func TestAClientThatReadsSlowlyGetsEveryAnswer(t *testing.T) {
	for _, tool := range []string{"big", "slow"} {
		t.Run(tool, func(t *testing.T) {
			const all = 400
			u := newUnread(t, mcp.ServerOptions{Limits: mcp.Limits{MaxWaiting: all, DrainTimeout: time.Hour}})
			close(u.release)
			go func() {
				for i := range all {
					if u.send(callLine(i, tool, fmt.Sprintf(`{"bytes":%d}`, rand.IntN(2*unreadSize)))) != nil {
						return
					}
				}
				u.in.Close()
			}()
			if got := answers(t, u.r); len(got) != all {
				t.Errorf("%d answers", len(got))
			}
			must(t, <-u.served)
		})
	}
}

// TestAnswersOfUnknownSizeComeFewAtATime calls a slow tool while the server does not know the size
// of its responses.
func TestAnswersOfUnknownSizeComeFewAtATime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		var began atomic.Int64
		must(t, mcp.AddTool(s, mcp.Tool{Name: "slow"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			began.Add(1)
			time.Sleep(30 * time.Second) // fake time
			return "done", nil
		}))
		var all []*pipes
		for range 2 {
			p := dial(s)
			go func() { _, _ = io.Copy(io.Discard, p.out) }()
			must(t, p.send(initializeLine))
			all = append(all, p)
		}
		for i, p := range all {
			for n := range 30 {
				must(t, p.send(callLine(100*i+n+1, "slow", `{}`)))
			}
		}
		for _, at := range []struct {
			after   time.Duration // time since the previous step
			minimum int64
			maximum int64
		}{
			{500 * time.Millisecond, 4, 4},
			{time.Second, 12, 12},      // four more calls on each connection
			{4 * time.Second, 12, 12},  // 5.5 s
			{5 * time.Second, 16, 24},  // 10.5 s
			{20 * time.Second, 60, 60}, // 30.5 s, when the size is known
		} {
			time.Sleep(at.after) // fake time
			settle()
			if n := began.Load(); n < at.minimum || n > at.maximum {
				t.Errorf("%v later %d calls have begun, want %d to %d", at.after, n, at.minimum, at.maximum)
			}
		}
		for _, p := range all {
			p.in.Close()
			p.out.Close()
			<-p.served
		}
	})
}

// TestAnswersOfUnknownSizeWaitBeforeTheyAreEncoded calls a slow tool whose responses have an
// unknown size, over many pipes that are not read.
func TestAnswersOfUnknownSizeWaitBeforeTheyAreEncoded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxUnreadBytes: 8 << 20}})
		var began, returned atomic.Int64
		must(t, mcp.AddTool(s, mcp.Tool{Name: "slow"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			began.Add(1)
			time.Sleep(3 * time.Second / 2)
			returned.Add(1)
			return strings.Repeat("x", 200_000), nil
		}))
		var all []*pipes
		for i := range 32 {
			p := dial(s)
			p.openSession(t, "2025-11-25")
			for n := range 20 {
				must(t, p.send(callLine(100*i+n+1, "slow", `{}`)))
			}
			all = append(all, p)
		}
		time.Sleep(1400 * time.Millisecond) // fake time
		settle()
		if n := began.Load(); n < 32 || n > 48 {
			t.Errorf("%d calls have begun before an answer is known, want at least one of each connection and at most 48", n)
		}
		time.Sleep(2 * time.Second) // fake time
		settle()
		if n := s.UnreadBytes(); n > 13<<19 { // the parts for responses of this size and for larger ones, and one response
			t.Errorf("%d bytes of answers are unread", n)
		}
		if n := returned.Load(); n < 32 {
			t.Errorf("%d calls have returned", n)
		}
		for _, p := range all {
			p.in.Close()
			p.out.Close()
			<-p.served
		}
	})
}
