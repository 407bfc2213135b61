package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestEachAnswerStandsUnderItsKey makes the functions of a client return in a different order from
// the one in which they were called.
func TestEachAnswerStandsUnderItsKey(t *testing.T) {
	eachPlayed(t, "mrtr.client.same-keys", func(t *testing.T, revision, transport string) {
		proves(t, "xtasks.update.keys")
		for _, reversed := range []bool{false, true} {
			sampled := make(chan bool)
			opts := answering()
			opts.Tasks = true
			opts.Roots = func(context.Context) ([]mcp.Root, error) {
				<-sampled
				return nil, nil
			}
			opts.Sample = func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
				defer close(sampled)
				return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{mcp.Text("x")}}, nil
			}
			questions := []string{`"a":{"method":"roots/list"}`, `"b":{"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[]}}`}
			if reversed {
				questions[0], questions[1] = questions[1], questions[0]
			}
			p, c := playedOver(t, transport, revision, opts)
			failed := calling(t, c, nil)
			p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","inputRequests":{`+strings.Join(questions, ",")+`}}`)
			m := p.Expect("tools/call")
			for _, want := range []string{`"a":{"roots":[]}`, `"b":{"role":"assistant",`} {
				if !strings.Contains(m.Line, want) {
					t.Errorf("sent %s, want %s", m.Line, want)
				}
			}
			p.Reply(m, emptyContent)
			must(t, <-failed)
		}
		// A task asks new questions while earlier ones are still listed.
		opts := answering()
		opts.Tasks = true
		p, c := playedOver(t, transport, revision, opts)
		const task = `"taskId":"t","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":1`
		failed := make(chan error, 1)
		go func() {
			_, err := c.Task("t").Wait(t.Context())
			failed <- err
		}()
		named := ""
		for i, key := range []string{"a", "b", "", "d"} {
			if i > 0 {
				named += ","
			}
			named += `"` + key + `":{"method":"roots/list"}`
			p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"input_required",`+task+`,"inputRequests":{`+named+`}}`)
			m := p.Expect("tasks/update")
			if want := `"params":{"taskId":"t","inputResponses":{"` + key + `":{"roots":[{"uri":"file:///src","name":"src"}]}},"_meta":`; !strings.Contains(m.Line, want) {
				t.Errorf("sent %s, want %s", m.Line, want)
			}
			p.Reply(m, `{"resultType":"complete"}`)
			p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"input_required",`+task+`,"inputRequests":{`+named+`}}`)
		}
		p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"completed",`+task+`,"result":{"content":[]}}`)
		must(t, <-failed)
	})
}

// TestQuestionsOfTasksAreCheckedToo makes a task ask questions that a server must not ask.
func TestQuestionsOfTasksAreCheckedToo(t *testing.T) {
	eachPlayed(t, "xtasks.input.same-trust", func(t *testing.T, revision, transport string) {
		opts := answering()
		opts.Tasks, opts.Logger, opts.Limits.MaxQuestions = true, slog.New(slog.DiscardHandler), 3
		opts.Roots = func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a/../b"}}, nil }
		p, c := playedOver(t, transport, revision, opts)
		waiting := func(p *mcptest.Peer, c *mcp.Client, requests string) error {
			failed := make(chan error)
			go func() {
				_, err := c.Task("t").Wait(t.Context())
				failed <- err
			}()
			p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","taskId":"t","status":"input_required","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000`+requests+`}`)
			return <-failed
		}
		const sample = `{"method":"sampling/createMessage","params":{"maxTokens":100,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}`
		for questions, want := range map[string]string{
			`"r":{"method":"roots/list"}`: "Internal error",
			`"n":{"method":"no/such"}`:    "Method not found",
			`"t":{"method":"sampling/createMessage","params":{"maxTokens":1,"tools":[{"name":"x","inputSchema":{"type":"object"}}],"messages":[]}}`: "sampling.tools",
			`"u":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"javascript:x"}}`:                                        "https",
			`"f":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"string"}}}`:                                      "requestedSchema",
			`"a":` + sample + `,"b":` + sample + `,"c":` + sample + `,"d":` + sample:                                                                "more than 3",
		} {
			if err := waiting(p, c, `,"inputRequests":{`+questions+`}`); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", questions, err)
			}
		}
		for _, requests := range []string{``, `,"inputRequests":null`, `,"inputRequests":[]`, `,"inputRequests":"roots"`} {
			proves(t, "xtasks.input.client-reads")
			if err := waiting(p, c, requests); err == nil || !strings.Contains(err.Error(), "no question") {
				t.Errorf("%s: %v", requests, err)
			}
		}
		// ClientFrom returns the client whose server asks. A client without functions answers no
		// questions.
		var requester *mcp.Client
		opts.Roots = func(ctx context.Context) ([]mcp.Root, error) {
			requester = mcp.ClientFrom(ctx)
			return nil, errors.New("enough")
		}
		p, c = playedOver(t, transport, revision, opts)
		if err := waiting(p, c, `,"inputRequests":{"r":{"method":"roots/list"}}`); err == nil || requester != c {
			t.Errorf("the function is told that %p asks, not %p: %v", requester, c, err)
		}
		p, c = playedOver(t, transport, revision, mcp.ClientOptions{Tasks: true})
		for _, method := range []string{"roots/list", "sampling/createMessage", "elicitation/create"} {
			if err := waiting(p, c, `,"inputRequests":{"r":{"method":"`+method+`"}}`); err == nil || !strings.Contains(err.Error(), "Method not found") {
				t.Errorf("%s of a client without functions: %v", method, err)
			}
		}
	})
}

// TestAnElicitationWithoutModeIsAForm asks a client that supports forms and pages.
func TestAnElicitationWithoutModeIsAForm(t *testing.T) {
	const form = `"message":"m","requestedSchema":{"type":"object","properties":{}},"url":"https://example.com/x","elicitationId":"1"`
	eachPlayed(t, "elicit.mode.default-form", func(t *testing.T, revision, transport string) {
		var shown []string
		opts := answering()
		opts.ElicitForm = func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
			shown = append(shown, "form")
			return mcp.ElicitationResult{Action: mcp.ActionDecline}, nil
		}
		opts.ElicitURL = func(context.Context, *mcp.Elicitation) (mcp.Action, error) {
			shown = append(shown, "page")
			return mcp.ActionDecline, nil
		}
		p, c := playedOver(t, transport, revision, opts)
		for _, mode := range []string{``, `"mode":"",`, `"mode":"form",`, `"mode":"url",`} {
			params := "{" + mode + form + "}"
			if revision != latest {
				p.Ask("elicitation/create", params)
				continue
			}
			failed := calling(t, c, nil)
			p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+params+`}}}`)
			p.Reply(p.Expect("tools/call"), emptyContent)
			must(t, <-failed)
		}
		if got := fmt.Sprint(shown); got != "[form form form page]" {
			t.Errorf("shown are %s", got)
		}
	})
}
