package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// questioner returns a server with the tool "ask", which asks the client for its roots as many
// times as the argument "times" specifies.
func questioner(t testing.TB, opts *mcp.ServerOptions) *mcp.Server {
	s := echoServer(t, opts)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, in struct {
		Times int `json:"times"`
	}) (string, error) {
		for range in.Times {
			if err := askOnly(ctx, r, &mcp.RootsQuestion{}); err != nil {
				return "", err
			}
		}
		return "asked", nil
	}))
	return s
}

func TestEachRequestOfTheServerHasAnIDOfItsOwn(t *testing.T) {
	proves(t, "base.id.unique-in-session", "base.id.required", "lifecycle.init.server-waits")
	for _, revision := range revisions[:4] {
		p := connect(t, questioner(t, nil))
		p.openWith(revision, `{"roots":{}}`)
		seen := map[string]bool{}
		for call := range 3 {
			p.send(callLine(call, "ask", `{"times":4}`))
			for range 4 {
				m := p.receive()
				if m.Method != "roots/list" || seen[string(m.ID)] || len(m.ID) == 0 || string(m.ID) == "null" {
					t.Fatalf("after %v: %s", seen, m.line)
				}
				seen[string(m.ID)] = true
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, m.ID))
			}
			if m := p.receive(); m.text() != "asked" {
				t.Error(m.line)
			}
		}
	}
}

func TestTheServerCancelsAQuestionThatNobodyWaitsForAnyMore(t *testing.T) {
	proves(t, "cancel.same-direction", "cancel.in-progress", "cancel.request-id.required", "cancel.request-id.required-non-task",
		"cancel.sender.ignore-late", "timeout.all-requests", "timeout.cancel-on-expiry.legacy")
	for _, revision := range revisions[:4] {
		for _, why := range []string{"the call is cancelled", "the client takes too long"} {
			t.Run(revision+" "+why, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					p := connect(t, questioner(t, &mcp.ServerOptions{Limits: mcp.Limits{AskTimeout: time.Minute}}))
					p.openWith(revision, `{"roots":{}}`)
					// The question has the same ID as the call, because the IDs of the two
					// directions are independent.
					p.send(callLine(1, "ask", `{"times":1}`))
					question := p.receive()
					if string(question.ID) != "1" {
						t.Fatalf("this test wants the id 1: %s", question.line)
					}
					if why == "the call is cancelled" {
						p.send(cancelLine(`{"requestId":1}`))
					}
					m := p.receive()
					if m.Method != "notifications/cancelled" || m.Params["requestId"] != 1.0 || m.ID != nil {
						t.Errorf("not cancelled: %s", m.line)
					}
					if why != "the call is cancelled" {
						if m := p.receive(); string(m.ID) != "1" || m.Result["isError"] != true {
							t.Errorf("the call: %s", m.line)
						}
					}
					p.send(`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`) // this answer arrives too late
					if m := p.ask("2", "tools/call", `{`+callParams("echo", `{"message":"x"}`)+`}`); m.text() != "x" {
						t.Error(m.line)
					}
					p.end()
				})
			})
		}
	}
}

func TestAnErrorOfTheClientIsAnErrorWhateverItsCode(t *testing.T) {
	proves(t, "base.error.legacy-range.no-meaning", "base.error.code-integer")
	for _, revision := range revisions[:4] {
		p := connect(t, questioner(t, nil))
		p.openWith(revision, `{"roots":{}}`)
		var first string
		for i, code := range []int{-32601, -32000, -32001, -32002, -32019, -32042, -1, 0, 7, 1 << 40, -1 << 40} {
			p.send(callLine(i, "ask", `{"times":1}`))
			m := p.receive()
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no roots"}}`, m.ID, code))
			m = p.receive()
			got := strings.Replace(m.text(), fmt.Sprint("error ", code), "error N", 1)
			if first == "" {
				first = got
			}
			if m.Result["isError"] != true || !strings.Contains(got, "no roots") || got != first {
				t.Errorf("code %d: %s", code, m.line)
			}
		}
	}
	// A client of revision 2026-07-28 can answer only with results. An error that it sends is
	// ignored, whatever its code is.
	p := connect(t, questioner(t, nil))
	params := p.open("2026-07-28")
	for _, code := range []int{-32000, -32002, -32019} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"no"}}`, code))
		if m := p.ask("1", "tools/call", params(callParams("echo", `{"message":"x"}`))); m.text() != "x" {
			t.Errorf("after an error of code %d: %s", code, m.line)
		}
	}
	p.end()
}

func TestAnswersThatNobodyWaitsForAreDropped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := questioner(t, nil)
		p, q := connect(t, s), connect(t, s)
		p.openWith("2025-11-25", `{"roots":{}}`)
		q.openWith("2025-11-25", `{"roots":{}}`)
		p.send(callLine(1, "ask", `{"times":1}`))
		question := p.receive()
		// Answers from another connection are ignored, as are answers with a similar ID.
		q.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, question.ID))
		for _, id := range []string{`99`, `"1"`, `null`, `-1`, `1000000000000000000000`} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, id))
		}
		p.send(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}`)
		settle()
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, question.ID))
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, question.ID)) // the second answer is ignored
		if m := p.receive(); m.text() != "asked" {
			t.Error(m.line)
		}
		p.end()
		q.end()
	})
}

func TestAQuestionEndsWithTheInputThatCouldAnswerIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := questioner(t, nil)
		p := dial(s)
		must(t, p.send(strings.Replace(initializeLine, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1)))
		r := bufio.NewReader(p.out)
		began := time.Now()
		must(t, p.send(callLine(1, "ask", `{"times":1}`)))
		settle()
		p.in.Close()
		all, err := io.ReadAll(r)
		must(t, err, <-p.served)
		if !strings.Contains(string(all), `"id":1,"result":{"content":[{"type":"text","text":"roots/list: the client has disconnected`) {
			t.Errorf("the server sent %s", all)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("Serve waited %v for an answer that could not come", took)
		}
	})
}

func TestAQuestionCanBeAnsweredWhileServeWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := dial(questioner(t, nil))
		must(t, p.send(strings.Replace(initializeLine, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1)))
		r := bufio.NewReader(p.out)
		must(t, p.send(callLine(1, "ask", `{"times":1}`)))
		for range 2 { // the response to initialize, and the question
			if _, err := r.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		p.cancel(errStop)
		settle()
		must(t, p.send(`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`))
		line, err := r.ReadString('\n')
		if err != nil || !strings.Contains(line, `"asked"`) {
			t.Errorf("%s %v", line, err)
		}
		if err := <-p.served; !errors.Is(err, errStop) {
			t.Error(err)
		}
	})
}

func TestOfQuestionsNoneIsPutIfOneIsMistaken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "", askOnly(ctx, r, &mcp.RootsQuestion{}, &mcp.Sampling{}) // the sampling question has no MaxTokens
		}))
		p := connect(t, s)
		p.openWith("2025-11-25", `{"roots":{},"sampling":{}}`)
		if m := p.ask("1", "tools/call", `{"name":"ask"}`); m.Result["isError"] != true || !strings.Contains(m.text(), "maxTokens") {
			t.Error(m.line)
		}
		p.end()
	})
}

// content returns the form that the user has filled in.
func content(answer mcp.Answer) string { return string(answer.(*mcp.ElicitationResult).Content) }

// askOnly asks questions and ignores the answers.
func askOnly(ctx context.Context, r interface {
	Ask(ctx context.Context, questions ...mcp.Question) ([]mcp.Answer, error)
}, questions ...mcp.Question) error {
	_, err := r.Ask(ctx, questions...)
	return err
}
