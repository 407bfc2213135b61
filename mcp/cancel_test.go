package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// waiter provides the tool "wait", which runs until its context is done or it is released.
type waiter struct {
	entered chan context.Context // receives the context of each call
	release chan struct{}
	ends    chan error // receives the error of each call's context when the call ends, or nil
}

func addWaiter(t testing.TB, s *mcp.Server) *waiter {
	t.Helper()
	w := &waiter{entered: make(chan context.Context, 100), release: make(chan struct{}), ends: make(chan error, 100)}
	must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		w.entered <- ctx
		select {
		case <-ctx.Done():
			// Nothing that the handler sends after cancellation may reach the
			// client.
			r.Progress(1, 2, "too late")
			r.Log(mcp.LevelEmergency, "", "too late")
		case <-w.release:
		}
		w.ends <- ctx.Err()
		return "waited", nil
	}))
	return w
}

func waitCall(id string, params func(string) string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}`, id, params(callParams("wait", `{}`)))
}

func cancelLine(params string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`
}

func TestACancelledCallEndsItsContextAndSendsNothingMore(t *testing.T) {
	proves(t, "cancel.receiver.stop", "cancel.receiver.no-response", "stdio.cancel.server-stops", "stdio.cancel.server-silent",
		"base.notification.no-response", "progress.in-progress-only")
	eachInBubble(t, revisions, func(t *testing.T, revision string) {
		s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
		w := addWaiter(t, s)
		p := connect(t, s)
		params := p.open(revision)
		p.send(strings.Replace(waitCall("1", params), `"_meta":{`, `"_meta":{"progressToken":7,"io.modelcontextprotocol/logLevel":"debug",`, 1))
		<-w.entered
		p.send(cancelLine(`{"requestId":1,"reason":"no longer needed"}`))
		if err := <-w.ends; !errors.Is(err, context.Canceled) {
			t.Errorf("the handler's context ended with %v", err)
		}
		if m := p.ask("2", "tools/call", params(callParams("echo", `{"message":"next"}`))); m.text() != "next" {
			t.Errorf("the next call: %s", m.line)
		}
		p.end()
	})
}

func TestTheEndOfACancelledRequestIsNoError(t *testing.T) {
	for method, params := range map[string]string{
		"subscriptions/listen": `"notifications":{"toolsListChanged":true}`,
		"prompts/get":          `"name":"wait"`,
	} {
		t.Run(method, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var log strings.Builder
				s := echoServer(t, &mcp.ServerOptions{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
				must(t, s.AddPrompt(mcp.Prompt{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
					<-ctx.Done()
					return nil, fmt.Errorf("waiting: %w", ctx.Err())
				}))
				p := connect(t, s)
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,%s}}`, method, params, modernMeta("")))
				if method == "subscriptions/listen" {
					p.receive()
				}
				p.send(cancelLine(`{"requestId":1}`))
				p.end()
				synctest.Wait()
				if log.String() != "" {
					t.Errorf("logged: %s", log.String())
				}
			})
		})
	}
}

func TestWhatIsMadeOfACancelledContextEndsToo(t *testing.T) {
	type key struct{}
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		w := addWaiter(t, s)
		p := connect(t, s)
		params := p.open("2025-11-25")
		p.send(waitCall("1", params))
		ctx := <-w.entered
		child, stopChild := context.WithCancel(ctx)
		defer stopChild()
		timed, stopTimed := context.WithTimeout(child, time.Hour)
		defer stopTimed()
		caused, stopCaused := context.WithCancelCause(context.WithValue(ctx, key{}, "v"))
		defer stopCaused(nil)
		without := context.WithoutCancel(ctx)
		ran, stopped := make(chan struct{}), false
		context.AfterFunc(ctx, func() { close(ran) })
		stop := context.AfterFunc(ctx, func() { stopped = true })
		switch {
		case ctx.Err() != nil, child.Err() != nil, context.Cause(ctx) != nil:
			t.Error("a context has ended before its call was cancelled")
		case !stop() || stop():
			t.Error("a function could not be taken back, or twice")
		case mcp.RequestFrom(timed) == nil || mcp.RequestFrom(timed).Name() != "wait" || caused.Value(key{}) != "v":
			t.Error("a derived context has lost a value")
		}
		p.send(cancelLine(`{"requestId":1}`))
		for _, c := range []context.Context{ctx, child, timed, caused} {
			<-c.Done()
			if !errors.Is(c.Err(), context.Canceled) || !errors.Is(context.Cause(c), context.Canceled) {
				t.Errorf("a context ended with %v, because of %v", c.Err(), context.Cause(c))
			}
		}
		<-ran
		if without.Err() != nil {
			t.Error("WithoutCancel was cancelled")
		}
		// A context derived after the cancellation is done immediately.
		late, stopLate := context.WithTimeout(ctx, time.Hour)
		defer stopLate()
		again := make(chan struct{})
		context.AfterFunc(ctx, func() { close(again) })
		<-again
		if late.Err() == nil || stopped {
			t.Error("a context made after the end is alive, or a function ran that was taken back")
		}
		<-w.ends
	})
}

func TestTheContextOfACallEndsWhenItsHandlerHasReturned(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		w := addWaiter(t, s)
		p := connect(t, s)
		p.send(waitCall("1", p.open("2025-11-25")))
		ctx := <-w.entered
		settle()
		if ctx.Err() != nil {
			t.Error("the context has ended before the handler")
		}
		close(w.release)
		if m := p.receive(); m.text() != "waited" {
			t.Error(m.line)
		}
		<-ctx.Done()
		if err := <-w.ends; err != nil {
			t.Errorf("while the handler ran its context had ended with %v", err)
		}
	})
}

func TestARequestThatWaitsIsCancelledWithoutEverBeingServed(t *testing.T) {
	proves(t, "cancel.receiver.free")
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 1, MaxWaiting: 2}})
		w := addWaiter(t, s)
		p := connect(t, s)
		params := p.open("2025-11-25")
		for i := range 3 {
			p.send(waitCall(fmt.Sprint(i), params))
		}
		settle()
		p.send(cancelLine(`{"requestId":1}`))
		p.send(waitCall("3", params)) // another request can be served
		settle()
		p.send(cancelLine(`{"requestId":3}`))
		p.send(cancelLine(`{"requestId":0}`))
		<-w.ends
		settle()
		close(w.release)
		if m := p.receive(); string(m.ID) != "2" {
			t.Errorf("not the one that was not cancelled: %s", m.line)
		}
		if served := len(w.entered); served != 2 {
			t.Errorf("%d calls were served", served)
		}
		p.end()
	})
}

func TestACancellationMeansTheRequestWithTheVerySameID(t *testing.T) {
	proves(t, "cancel.receiver.may-ignore", "cancel.invalid-ignored", "cancel.request-id.required", "cancel.race", "base.notification.no-response")
	tests := []struct {
		id, params string
		ends       bool
	}{
		{`"a"`, `{"requestId":"a"}`, true},
		{`"a"`, `{"requestId":"\u0061"}`, true},
		{`"\u0061"`, `{"requestId":"a"}`, true},
		{`"😀"`, `{"requestId":"\ud83d\ude00"}`, true},
		{`9007199254740993`, `{"requestId":9007199254740993}`, true},
		{`1`, `{"requestId":1,"reason":7,"more":{}}`, true},
		{`1`, `{"requestId":"1"}`, false},
		{`"1"`, `{"requestId":1}`, false},
		{`1`, `{"requestId":1.0}`, false},
		{`1`, `{"requestId":2}`, false},
		{`1`, `{"requestId":null}`, false},
		{`1`, `{"requestId":[1]}`, false},
		{`1`, `{"requestId":{"requestId":1}}`, false},
		{`1`, `{"id":1}`, false},
		{`1`, `{}`, false},
		{`1`, `{"requestId":1,"requestId":2}`, false},
		{`9007199254740993`, `{"requestId":9007199254740992}`, false},
	}
	for _, revision := range revisions {
		for _, test := range tests {
			t.Run(revision+" "+test.id+" "+test.params, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					s := echoServer(t, nil)
					w := addWaiter(t, s)
					p := connect(t, s)
					params := p.open(revision)
					p.send(waitCall(test.id, params))
					ctx := <-w.entered
					p.send(cancelLine(test.params))
					settle()
					if ended := ctx.Err() != nil; ended != test.ends {
						t.Errorf("the call has ended: %v", ended)
					}
					close(w.release)
					if !test.ends {
						if m := p.receive(); m.text() != "waited" || string(m.ID) != test.id {
							t.Error(m.line)
						}
					}
					p.send(cancelLine(fmt.Sprintf(`{"requestId":%s}`, test.id))) // wait until the request has been answered
					p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
					if m := p.ask(test.id, "tools/list", params("")); m.Error != nil { // the id may be used again
						t.Errorf("afterwards: %s", m.line)
					}
					p.end()
				})
			})
		}
	}
}

func TestNobodyCancelsTheRequestOfAnotherConnection(t *testing.T) {
	proves(t, "cancel.receiver.may-ignore")
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		w := addWaiter(t, s)
		victim, attacker := connect(t, s), connect(t, s)
		victim.send(waitCall("1", victim.open("2026-07-28")))
		ctx := <-w.entered
		params := attacker.open("2026-07-28")
		attacker.send(cancelLine(params(`"requestId":1`)))
		attacker.ask("1", "tools/list", params(""))
		settle()
		if ctx.Err() != nil {
			t.Error("a call was cancelled from another connection")
		}
		close(w.release)
		if m := victim.receive(); m.text() != "waited" {
			t.Error(m.line)
		}
	})
}

func TestInitializeIsNotCancelled(t *testing.T) {
	proves(t, "cancel.receiver.may-ignore")
	bubble(t, func(t *testing.T) {
		slow := func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				time.Sleep(time.Second)
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				return next(ctx, r)
			}
		}
		p := connect(t, echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{slow}}))
		p.session = "2025-11-25"
		p.note([]byte(initializeLine))
		p.send(initializeLine + "\n" + cancelLine(`{"requestId":"init"}`))
		if m := p.receive(); m.Result["protocolVersion"] != "2025-11-25" {
			t.Error(m.line)
		}
	})
}

func TestARequestOfABatchIsCancelledAndTheOthersAnswered(t *testing.T) {
	proves(t, "base.batch.receive", "cancel.receiver.no-response")
	for _, concurrent := range []int{0, 1} {
		for cancelled, want := range map[string]string{"a": `"b" "c"`, "a b": `"c"`, "b": `"a" "c"`, "b c": `"a"`, "a b c": ``} {
			t.Run(fmt.Sprint(cancelled, " with MaxConcurrent ", concurrent), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: concurrent}})
					w := addWaiter(t, s)
					p := connect(t, s)
					params := p.open("2025-03-26")
					p.send("[" + waitCall(`"a"`, params) + "," + waitCall(`"b"`, params) + "," + waitCall(`"c"`, params) + "]")
					settle()
					for id := range strings.FieldsSeq(cancelled) {
						p.send(cancelLine(fmt.Sprintf(`{"requestId":%q}`, id)))
					}
					settle()
					close(w.release)
					if want != "" {
						var answers []message
						must(t, json.Unmarshal([]byte(p.receiveLine()), &answers))
						got := map[string]bool{}
						for _, m := range answers {
							got[string(m.ID)] = m.text() == "waited"
						}
						for id := range strings.FieldsSeq(want) {
							if !got[id] {
								t.Errorf("no answer to %s", id)
							}
						}
						if len(answers) != len(strings.Fields(want)) {
							t.Errorf("answers: %v", got)
						}
					}
					p.end()
				})
			})
		}
	}
}

func TestTheReasonOfACancellationIsLogged(t *testing.T) {
	proves(t, "cancel.log-reason")
	for _, revision := range revisions {
		for _, transport := range transportsOf(revision) {
			if transport == "stateless" || revision == latest && transport == "http" {
				continue // the cancellation of this request is not sent as a notification
			}
			for _, waits := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %s, waits: %t", revision, transport, waits), func(t *testing.T) {
					bubble(t, func(t *testing.T) {
						var log strings.Builder
						s := echoServer(t, &mcp.ServerOptions{Logger: textLogger(&log), Limits: mcp.Limits{MaxConcurrent: 1}})
						w := addWaiter(t, s)
						p := connectOver(t, s, revision, transport)
						params := p.open(revision)
						go p.send(waitCall("1", params))
						<-w.entered
						id := 1
						if waits {
							id = 2
							go p.send(waitCall("2", params))
							settle()
						}
						p.send(cancelLine(fmt.Sprintf(`{"requestId":%d,"reason":"user pressed stop %s"}`, id, strings.Repeat("x", 10_000))))
						settle()
						close(w.release)
						settle()
						if !strings.Contains(log.String(), "user pressed stop") || len(log.String()) > 1000 {
							t.Errorf("the log has %d bytes: %.500s", log.Len(), log.String())
						}
					})
				})
			}
		}
	}
}
