package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestASessionOverHTTPHoldsABoundedAmountOfParams(t *testing.T) {
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: 4000}})
		waiter := addWaiter(t, s)
		w := host(t, s, nil).open(revision)
		var done, refused atomic.Int32
		ended := make(chan struct{})
		for i := range 10 {
			go func() {
				a := w.post(strings.Replace(largeCall, `"id":1`, fmt.Sprintf(`"id":%d`, i), 1))
				if a.status == http.StatusTooManyRequests {
					refused.Add(1)
				} else if m, _ := a.response(); m.text() == "waited" {
					done.Add(1)
				}
				ended <- struct{}{}
			}()
		}
		settle()
		// The server serves three calls, three wait, and it refuses the others.
		if n := len(waiter.entered); n != 3 || refused.Load() != 4 {
			t.Errorf("%d are served, %d refused", n, refused.Load())
		}
		close(waiter.release)
		for range 10 {
			<-ended
		}
		if done.Load() != 6 {
			t.Errorf("%d are answered", done.Load())
		}
		w.say("alive")
	})
}

func TestTheAnswersToABatchOverHTTPHaveABound(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		t.Run(fmt.Sprintf("stateless %v", stateless), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: 10_000}})
				must(t, mcp.AddTool(s, mcp.Tool{Name: "big"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
					return strings.Repeat("x", 3000), nil
				}))
				w := host(t, s, &mcp.HTTPOptions{Stateless: stateless}).open("2025-03-26")
				var calls []string
				for i := range 30 {
					calls = append(calls, callLine(i, "big", `{}`))
				}
				a := w.post("[" + strings.Join(calls, ",") + "]").want(200)
				if full, short := strings.Count(a.body, strings.Repeat("x", 3000)), strings.Count(a.body, "send this request again in another batch"); full != 3 || short != 27 {
					t.Errorf("%d answers are whole, %d say that there was no room", full, short)
				}
				if len(a.body) > 10_000+30*200 {
					t.Errorf("all together have %d bytes", len(a.body))
				}
			})
		})
	}
}

// TestTheAnswersToAllOpenBatchesHaveABound sends batches that each wait for one call while the
// server holds the responses to their other calls.
func TestTheAnswersToAllOpenBatchesHaveABoundTogether(t *testing.T) {
	const size, batches = 3000, 8
	batch := func(first int, last string) string {
		return "[" + callLine(first, "big", `{}`) + "," + callLine(first+1, "big", `{}`) + "," + callLine(first+2, last, `{}`) + "]"
	}
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: 10_000}})
				waiter := addWaiter(t, s)
				gives(t, s, "big", strings.Repeat("x", size))
				var post func(batch string)
				answers := make(chan string, batches)
				if transport == "pipe" {
					p := connect(t, s)
					p.open("2025-03-26")
					post = p.send
					go func() {
						for range batches + 2 {
							answers <- p.receiveLine()
						}
					}()
				} else {
					w := host(t, s, nil).open("2025-03-26")
					post = func(batch string) {
						go func() { answers <- w.post(batch).body }()
					}
				}
				for i := range batches {
					post(batch(10*i, "wait"))
					settle()
				}
				// Requests that arrive when there is no room are refused immediately.
				n := 0
				count := func(answer string) int { return strings.Count(answer, strings.Repeat("x", size)) }
				for len(answers) > 0 {
					n += count(<-answers)
				}
				if begun := len(waiter.entered); n > 0 || begun < 2 || begun == batches {
					t.Errorf("%d answers of batches came at once; %d batches wait", n, begun)
				}
				whole, waiting := 0, len(waiter.entered)
				close(waiter.release)
				for range waiting {
					answer := <-answers
					whole += count(answer)
					if strings.Count(answer, `"jsonrpc"`) != 3 {
						t.Errorf("a batch of three calls is answered with %.500s", answer)
					}
				}
				if whole != 3 {
					t.Errorf("%d answers are whole, of 3 that fit", whole)
				}
				settle()
				for range 2 {
					post(batch(100, "wait"))
					if n := count(<-answers); n != 2 {
						t.Errorf("%d answers are whole later", n)
					}
				}
			})
		})
	}
}

func TestAQuestionToAClientThatDoesNotReadEndsInTime(t *testing.T) {
	for _, why := range []string{"AskTimeout", "the handler's own context"} {
		t.Run(why, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				const limit = 10_000
				s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: limit, AskTimeout: time.Minute}})
				full, request := make(chan struct{}), make(chan error, 1)
				must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
					if why != "AskTimeout" {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, time.Minute)
						defer cancel()
					}
					<-full
					err := askOnly(ctx, r, &mcp.RootsQuestion{})
					request <- err
					return "", err
				}))
				must(t, mcp.AddTool(s, mcp.Tool{Name: "big"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
					return strings.Repeat("x", 2*limit), nil
				}))
				p := dial(s)
				must(t, p.send(strings.Replace(initializeLine, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1)))
				// The output exceeds the queue, and the client does not read it.
				must(t, p.send(callLine(1, "ask", `{}`)), p.send(callLine(2, "big", `{}`)), p.send(callLine(3, "big", `{}`)))
				settle()
				close(full)
				began := time.Now()
				err := <-request
				if took := time.Since(began); took < 50*time.Second || took > 70*time.Second || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("after %v: %v", took, err)
				}
				go io.Copy(io.Discard, p.out)
				p.in.Close()
				must(t, <-p.served)
			})
		})
	}
}

func TestSubscriptionsLeaveRoomForCalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := changing(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 5}})
		p := connect(t, s)
		params := p.open("2026-07-28")
		for i := range 5 {
			if m := p.ask1(fmt.Sprint(i), "subscriptions/listen", params(listenAll)); m.Method != "notifications/subscriptions/acknowledged" {
				t.Fatalf("subscription %d: %s", i, m.line)
			}
		}
		if m := p.ask("100", "tools/call", params(callParams("echo", `{"message":"x"}`))); m.text() != "x" {
			t.Error(m.line)
		}
		if m := p.ask("101", "subscriptions/listen", params(listenAll)); m.Error == nil || m.Error.Code != mcp.CodeInternalError {
			t.Errorf("one too many: %s", m.line)
		}
		// When one subscription ends, another can begin, and the open ones receive notifications.
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
		settle()
		if m := p.ask1("5", "subscriptions/listen", params(`"notifications":{"toolsListChanged":true}`)); m.Method != "notifications/subscriptions/acknowledged" {
			t.Error(m.line)
		}
		addNamed(t, s, "more")
		for range 5 {
			if m := p.receive(); m.Method != "notifications/tools/list_changed" {
				t.Error(m.line)
			}
		}
		// The end of the connection ends all subscriptions.
		p.closed = true
		p.in.Close()
		rest, _ := io.ReadAll(p.lines)
		if n := strings.Count(string(rest), `"resultType":"complete"`); n != 5 {
			t.Errorf("%d subscriptions end with a result: %s", n, rest)
		}
		must(t, <-p.served)
	})
}

// ask1 sends a request and reads the first message that it causes.
func (p *peer) ask1(id, method, params string) *message {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return p.receive()
}

func TestAnAnswerOfTheClientIsReadHoweverManyRequestsWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := questioner(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 2}})
		p := connect(t, s)
		p.openWith("2025-11-25", `{"roots":{}}`)
		var questions []*message
		for i := range 2 {
			p.send(callLine(i, "ask", `{"times":1}`))
			questions = append(questions, p.receive())
		}
		for i := range 10 { // of these requests, two may wait
			p.send(callLine(100+i, "echo", `{"message":"x"}`))
			if i < 2 {
				continue
			}
			if m := p.receive(); m.Error == nil || m.Error.Code != mcp.CodeInternalError || string(m.ID) != fmt.Sprint(100+i) {
				t.Errorf("one too many: %s", m.line)
			}
		}
		for _, q := range questions {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, q.ID))
		}
		counts := map[string]int{}
		for range 4 {
			counts[p.receive().text()]++
		}
		if counts["asked"] != 2 || counts["x"] != 2 {
			t.Errorf("the answers are %v", counts)
		}
		p.end()
	})
}

func TestWhatAClientHasTheServerKeepHasABound(t *testing.T) {
	large := `"` + strings.Repeat("x", 300<<10) + `"`
	p := connect(t, changing(t, nil))
	if m := p.ask("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"a":{"b":`+large+`}}},"clientInfo":{"name":"n","version":"1"}}`); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
		t.Errorf("initialize: %.200s", m.line)
	}
	if m := p.ask("2", "subscriptions/listen", `{"notifications":{},"x":`+large+`,`+modernMeta("")+`}`); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
		t.Errorf("subscriptions/listen: %.200s", m.line)
	}
	p.initialize("2025-11-25")
	uri := func(i int) string { return fmt.Sprintf(`{"uri":"x:%d%s"}`, i, strings.Repeat("a", 8000)) }
	accepted := 0
	for i := range 100 {
		p.ask("3", "resources/subscribe", uri(0)) // a repeated subscription counts once
		if m := p.ask("4", "resources/subscribe", uri(i)); m.Error == nil {
			accepted++
		} else if m.Error.Code != mcp.CodeInvalidParams {
			t.Error(m.line)
		}
	}
	if accepted != (256<<10)/8003 {
		t.Errorf("%d URIs were taken", accepted)
	}
	p.ask("5", "resources/unsubscribe", uri(1))
	p.ask("5", "resources/unsubscribe", uri(1))
	if m := p.ask("6", "resources/subscribe", uri(99)); m.Error != nil {
		t.Errorf("when there is room again: %s", m.line)
	}
	if m := p.ask("7", "resources/subscribe", uri(98)); m.Error == nil {
		t.Error("room was made twice")
	}
}
