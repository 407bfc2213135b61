package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// addSleeper adds the tool "sleep", which returns the message after the given number of
// microseconds.
func addSleeper(t testing.TB, s *mcp.Server) {
	t.Helper()
	must(t, mcp.AddTool(s, mcp.Tool{Name: "sleep"}, func(_ context.Context, _ *mcp.Request, in struct {
		Microseconds int    `json:"us"`
		Message      string `json:"message"`
	}) (string, error) {
		if in.Microseconds > 0 {
			time.Sleep(time.Duration(in.Microseconds) * time.Microsecond)
		}
		return in.Message, nil
	}))
}

// largeCall is a call whose params have 1027 bytes.
var largeCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","_":"` + strings.Repeat("x", 1006) + `"}}`

func TestASlowCallHoldsUpNoOther(t *testing.T) {
	proves(t, "ping.respond", "base.stateless.mixed-contexts")
	eachInBubble(t, revisions, func(t *testing.T, revision string) {
		s := echoServer(t, nil)
		w := addWaiter(t, s)
		p := connect(t, s)
		params := p.open(revision)
		for i := range 50 {
			p.send(waitCall(strconv.Itoa(i), params))
		}
		for range 50 {
			<-w.entered // all calls are running at the same time
		}
		for i := range 20 {
			if m := p.ask(strconv.Itoa(100+i), "tools/call", params(callParams("echo", `{"message":"quick"}`))); m.text() != "quick" {
				t.Error(m.line)
			}
		}
		if revision != "2026-07-28" {
			p.ask(`"ping"`, "ping", "")
		}
		close(w.release)
		for range 50 {
			if m := p.receive(); m.text() != "waited" {
				t.Error(m.line)
			}
		}
		p.end()
	})
}

func TestAPingWaitsForNoCall(t *testing.T) {
	proves(t, "ping.respond")
	for _, revision := range requirements()["ping.respond"].revisions {
		for _, transport := range transportsOf(revision) {
			t.Run(revision+" "+transport, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 1, MaxWaiting: 1}})
					w := addWaiter(t, s)
					p := connectOver(t, s, revision, transport)
					params := p.open(revision)
					go p.send(waitCall("1", params))
					<-w.entered
					go p.send(waitCall("2", params))
					settle()
					began := time.Now()
					if m := p.ask(`"p"`, "ping", ""); m.line != `{"jsonrpc":"2.0","id":"p","result":{}}` || time.Since(began) > 0 {
						t.Errorf("after %v: %s", time.Since(began), m.line)
					}
					close(w.release)
					settle()
				})
			})
		}
	}
}

// answers reads lines until the end and returns the text of each answer by id.
func answers(t *testing.T, r io.Reader) map[int]string {
	t.Helper()
	all, err := io.ReadAll(r)
	must(t, err)
	got := map[int]string{}
	for line := range strings.Lines(string(all)) {
		m := message{}
		if err := json.Unmarshal([]byte(line), &m); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("not one message on a line: %.200s: %v", line, err)
		}
		id, err := strconv.Atoi(string(m.ID))
		if err != nil {
			continue // the response to initialize
		}
		if _, twice := got[id]; twice {
			t.Fatalf("two answers to %d", id)
		}
		got[id] = m.text()
	}
	return got
}

func TestEveryCallIsAnsweredOnceThoughTheInputEnds(t *testing.T) {
	proves(t, "stdio.shutdown.server-eof", "stdio.newline-delimited", "stdio.no-embedded-newline", "base.jsonrpc.conform")
	const n = 5000
	for name, sleep := range map[string]func(i int) int{
		"quick calls":             func(int) int { return 0 },
		"slow calls":              func(int) int { return 500 },
		"a slow one now and then": func(i int) int { return max(0, i%100-97) * 1000 },
		"at random":               func(int) int { return max(0, rand.IntN(1200)-1000) },
	} {
		for _, inBatches := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", in batches: ", inBatches), func(t *testing.T) {
				s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxWaiting: n}})
				addSleeper(t, s)
				p := dial(s)
				go func() {
					defer p.in.Close()
					var b strings.Builder
					b.WriteString(strings.Replace(initializeLine, "2025-11-25", "2025-03-26", 1) + "\n")
					for i := range n {
						call := callLine(i, "sleep", fmt.Sprintf(`{"us":%d,"message":"%d\n"}`, sleep(i), i))
						switch {
						case !inBatches:
							b.WriteString(call + "\n")
						case i%10 == 0:
							b.WriteString("[" + call)
						case i%10 == 9:
							b.WriteString("," + call + "]\n")
						default:
							b.WriteString("," + call)
						}
					}
					rest := b.String()
					for len(rest) > 0 {
						size := min(len(rest), 1+rand.IntN(10_000))
						io.WriteString(p.in, rest[:size])
						rest = rest[size:]
					}
				}()
				var got map[int]string
				if inBatches {
					got = batchAnswers(t, p.out)
				} else {
					got = answers(t, p.out)
				}
				must(t, <-p.served)
				for i := range n {
					if got[i] != fmt.Sprintf("%d\n", i) {
						t.Fatalf("call %d of %d was answered with %q; %d answers", i, n, got[i], len(got))
					}
				}
			})
		}
	}
}

func batchAnswers(t *testing.T, r io.Reader) map[int]string {
	t.Helper()
	pr, pw := io.Pipe()
	go func() {
		defer pw.Close()
		dec := json.NewDecoder(r)
		for {
			var line json.RawMessage
			if dec.Decode(&line) != nil {
				return
			}
			var batch []json.RawMessage
			if json.Unmarshal(line, &batch) != nil {
				batch = []json.RawMessage{line}
			}
			for _, one := range batch {
				fmt.Fprintf(pw, "%s\n", one)
			}
		}
	}()
	return answers(t, pr)
}

func TestAClientThatNeverReadsCostsABoundedAmountAndServeEndsWithIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const size, limit = 10_000, 100_000
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: limit, MaxConcurrent: 4, MaxWaiting: 8}})
		var called, began atomic.Int64
		must(t, mcp.AddTool(s, mcp.Tool{Name: "big"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			began.Add(1)
			for i := range 100 {
				r.Progress(float64(i), 0, strings.Repeat("m", 1000))
			}
			return strings.Repeat("x", size), nil
		}))
		p := dial(s)
		p.openSession(t, "2025-11-25")
		stop := make(chan struct{})
		go func() {
			defer close(stop)
			for i := 0; ; i++ {
				if p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"big","_meta":{"progressToken":1}}}`, i)) != nil {
					return
				}
				called.Add(1)
			}
		}()
		settle()
		// Responses fill half of the queue and the blocked write. Additional calls wait or are
		// refused; each takes more than 100 bytes.
		if n := began.Load(); n > limit/2/size+4+1 {
			t.Errorf("%d calls began", n)
		}
		if n := called.Load(); n > limit/100 {
			t.Errorf("the server took %d calls from a client that never reads", n)
		}
		p.in.Close()
		p.out.Close()
		<-stop
		<-p.served // the error is not relevant
	})
}

func TestServeWaitsForAHandlerOnlySoLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{DrainTimeout: 3 * time.Second}})
		deaf := make(chan struct{})
		contexts := make(chan context.Context, 1)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "deaf"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
			contexts <- ctx
			<-deaf
			return "", nil
		}))
		w := addWaiter(t, s)
		p := connect(t, s)
		p.open("2025-11-25")
		p.send(callLine(1, "deaf", `{}`))
		p.send(callLine(2, "wait", `{}`))
		ctx := <-contexts
		<-w.entered
		began := time.Now()
		go func() {
			if err := <-w.ends; err == nil || time.Since(began).Round(time.Second) != 3*time.Second {
				t.Errorf("a handler that listens left after %v, with %v", time.Since(began), err)
			}
		}()
		p.in.Close()
		settle()
		if ctx.Err() != nil {
			t.Error("the handler was given no time")
		}
		if rest, _ := io.ReadAll(p.lines); len(rest) > 0 {
			t.Errorf("the server sent %s", rest)
		}
		must(t, <-p.served)
		p.closed = true
		if took := time.Since(began); took < 3*time.Second || took > 5*time.Second {
			t.Errorf("Serve waited %v", took)
		}
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Error("the handler was never told")
		}
		close(deaf) // the server discards the result
	})
}

func TestAHandlerThatTakesNoticeMayStillAnswerWhileServeWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		w := addWaiter(t, s)
		p := dial(s)
		r := p.openSession(t, "2025-11-25")
		must(t, p.send(callLine(1, "wait", `{}`)))
		ctx := <-w.entered
		began := time.Now()
		p.cancel(errStop)
		settle()
		if ctx.Err() != nil {
			t.Error("the call was given no time")
		}
		// The server accepts no other request until then.
		must(t, p.send(callLine(2, "echo", `{"message":"x"}`)))
		line, err := r.ReadString('\n')
		if err != nil || !strings.Contains(line, `"id":2,"error":{"code":-32603`) {
			t.Errorf("another call: %s %v", line, err)
		}
		close(w.release)
		if line, err = r.ReadString('\n'); err != nil || !strings.Contains(line, `"waited"`) {
			t.Errorf("the call: %s %v", line, err)
		}
		if err := <-p.served; !errors.Is(err, errStop) {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("Serve waited %v for nothing", took)
		}
		if p.send("x") == nil {
			t.Error("the connection is still open")
		}
	})
}

// faulty is a value whose methods fail in the ways in which user code can fail.
type faulty struct{ how string }

func (f faulty) MarshalJSON() ([]byte, error) {
	switch f.how {
	case "panic":
		panic("secret in MarshalJSON")
	case "exit":
		runtime.Goexit()
	}
	return nil, errors.New("secret error")
}

// nothing returns nil, which can be the value of a panic.
func nothing() any { return nil }

func TestWhateverAHandlerDoesItIsOneFailedRequest(t *testing.T) {
	proves(t, "base.error.internal", "base.response.error.fields")
	misdeeds := map[string]func() (any, error){
		"panics":                    func() (any, error) { panic("secret") },
		"panics with an error":      func() (any, error) { panic(errors.New("secret")) },
		"panics with nil":           func() (any, error) { panic(nothing()) },
		"divides by zero":           func() (any, error) { zero := 0; return 1 / zero, nil },
		"ends its goroutine":        func() (any, error) { runtime.Goexit(); return nil, nil },
		"result panics":             func() (any, error) { return faulty{"panic"}, nil },
		"result ends the goroutine": func() (any, error) { return faulty{"exit"}, nil },
		"result is an error":        func() (any, error) { return faulty{"error"}, nil },
		"content is nil":            func() (any, error) { return []mcp.Content{nil}, nil },
		"content is a nil pointer":  func() (any, error) { return (*mcp.ImageContent)(nil), nil },
		"error is a nil *Error":     func() (any, error) { return nil, (*mcp.Error)(nil) },
		"error panics":              func() (any, error) { return nil, &mcp.Error{Code: 1, Message: "m", Data: json.RawMessage("\x00")} },
	}
	for name, misdeed := range misdeeds {
		for _, where := range []string{"tool", "slow tool", "middleware"} {
			t.Run(where+" "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					var log strings.Builder
					opts := &mcp.ServerOptions{Logger: textLogger(&log)}
					if where == "middleware" {
						opts.Middleware = []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
							return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
								if r.Name() == "bad" {
									res, err := misdeed()
									if err != nil || res == nil {
										return nil, err
									}
									if blocks, ok := res.([]mcp.Content); ok {
										return &mcp.CallToolResult{Content: blocks}, nil
									}
									if block, ok := res.(mcp.Content); ok {
										return &mcp.CallToolResult{Content: []mcp.Content{block}}, nil
									}
									return &mcp.CallToolResult{Structured: res}, nil
								}
								return next(ctx, r)
							}
						}}
					}
					s := echoServer(t, opts)
					must(t, mcp.AddTool(s, mcp.Tool{Name: "bad"}, func(context.Context, *mcp.Request, struct{}) (any, error) {
						if where == "slow tool" {
							time.Sleep(time.Second)
						}
						return misdeed()
					}))
					p := connect(t, s)
					params := p.open("2025-11-25")
					for i := range 5 {
						m := p.ask(strconv.Itoa(i), "tools/call", params(callParams("bad", `{}`)))
						if name == "error panics" {
							if m.Error == nil || m.Error.Code != 1 {
								t.Error(m.line)
							}
						} else if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") {
							t.Error(m.line)
						}
						if m := p.ask("99", "tools/call", params(callParams("echo", `{"message":"alive"}`))); m.text() != "alive" {
							t.Error(m.line)
						}
					}
					p.end()
				})
			})
		}
	}
}

func TestManyConnectionsAtATime(t *testing.T) {
	s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{DrainTimeout: time.Hour}}) // the limits are high, because a busy machine may need a long time
	addSleeper(t, s)
	var all sync.WaitGroup
	for c := range 50 {
		all.Go(func() {
			p := dial(s)
			go func() {
				defer p.in.Close()
				for i := range 100 {
					if p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"sleep","arguments":{"us":%d,"message":"%d.%d"},%s}}`,
						i, (i+c)%7*100, c, i, modernMeta(""))) != nil {
						return
					}
					if i%10 == c%10 {
						name := fmt.Sprintf("c%d.%d", c, i)
						if mcp.AddTool(s, mcp.Tool{Name: name}, taking[struct{}]) == nil {
							s.RemoveTools(name)
						}
					}
				}
			}()
			got := answers(t, p.out)
			if err := <-p.served; err != nil {
				t.Error(err)
			}
			for i := range 100 {
				if got[i] != fmt.Sprintf("%d.%d", c, i) {
					t.Errorf("connection %d, call %d: %q", c, i, got[i])
				}
			}
		})
	}
	all.Wait()
}

func TestServeReturnsTheErrorOfTheConnection(t *testing.T) {
	for _, end := range []string{"reading", "writing"} {
		t.Run(end, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, nil)
				w := addWaiter(t, s)
				p := dial(s)
				p.openSession(t, "2025-11-25")
				must(t, p.send(callLine(1, "wait", `{}`)))
				ctx := <-w.entered
				broken := errors.New("cable cut")
				if end == "reading" {
					p.in.CloseWithError(broken)
				} else {
					p.out.CloseWithError(broken)
					must(t, p.send(callLine(2, "echo", `{"message":"x"}`)))
				}
				began := time.Now()
				if err := <-p.served; !errors.Is(err, broken) {
					t.Errorf("Serve returned %v", err)
				}
				if took := time.Since(began); end == "writing" && took > time.Second {
					t.Errorf("Serve waited %v for answers that nobody can get", took)
				}
				if ctx.Err() == nil {
					t.Error("the call goes on")
				}
				<-w.ends
			})
		})
	}
}

func TestTheLastLineNeedsNoNewlineAndLinesMayEndInACarriageReturn(t *testing.T) {
	proves(t, "stdio.newline-delimited")
	p := dial(echoServer(t, nil))
	go func() {
		io.WriteString(p.in, initializeLine+"\r\n\r\n \t\n"+callLine(1, "echo", `{"message":"a"}`)+"\r\n"+callLine(2, "echo", `{"message":"b"}`))
		p.in.Close()
	}()
	if got := answers(t, p.out); got[1] != "a" || got[2] != "b" || len(got) != 2 {
		t.Errorf("answers: %v", got)
	}
	must(t, <-p.served)
}

func TestTheAnswersToABatchHaveABoundTogether(t *testing.T) {
	s := sendContent(t, mcp.Text(strings.Repeat("x", 3000)))
	limited := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: 10_000}})
	gives(t, limited, "send", strings.Repeat("x", 3000))
	for server, want := range map[*mcp.Server]int{s: 0, limited: 7} {
		p := connect(t, server)
		params := p.open("2025-03-26")
		var batch []string
		for i := range 10 {
			batch = append(batch, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, i, params(callParams("send", `{}`))))
		}
		p.send("[" + strings.Join(batch, ",") + "]")
		line := p.receiveLine()
		var all []message
		must(t, json.Unmarshal([]byte(line), &all))
		refused := 0
		for _, m := range all {
			if m.Error != nil && m.Error.Code == mcp.CodeInternalError {
				refused++
			}
		}
		if len(all) != 10 || refused != want {
			t.Errorf("%d answers, %d of them errors", len(all), refused)
		}
	}
}
