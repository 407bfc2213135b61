package mcp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// malformedResponses returns responses to the question with the given ID that violate the rules for
// the envelope.
func malformedResponses(id string) map[string]string {
	return map[string]string{
		"result and error":           fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]},"error":{"code":1,"message":"m"}}`, id),
		"a null error alone":         fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":null}`, id),
		"another version":            fmt.Sprintf(`{"jsonrpc":"1.0","id":%s,"result":{"roots":[]}}`, id),
		"no version":                 fmt.Sprintf(`{"id":%s,"result":{"roots":[]}}`, id),
		"the result given twice":     fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]},"result":{"roots":[]}}`, id),
		"a null result":              fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null}`, id),
		"a result that is an array":  fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[]}`, id),
		"an error that is no object": fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":"no"}`, id),
	}
}

// failedAtOnce reports whether m is the response to the call. It must arrive before AskTimeout, and
// its error must explain what was wrong with the client's response.
func failedAtOnce(t *testing.T, m *message, began time.Time) {
	t.Helper()
	if m.Result["isError"] != true || !strings.Contains(m.text(), "malformed") || time.Since(began) > time.Second {
		t.Errorf("after %v: %s", time.Since(began), m.line)
	}
}

func TestAMalformedResponseIsNotAnsweredAndItsQuestionFailsAtOnce(t *testing.T) {
	for _, revision := range revisions[:4] {
		for name := range malformedResponses("0") {
			t.Run(revision+" "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					p := connect(t, questioner(t, nil))
					p.openWith(revision, `{"roots":{}}`)
					began := time.Now()
					p.send(callLine(7, "ask", `{"times":1}`))
					p.send(malformedResponses(string(p.receive().ID))[name])
					m := p.receive()
					if string(m.ID) != "7" {
						t.Fatalf("the response was answered: %s", m.line)
					}
					failedAtOnce(t, m, began)
					p.end()
				})
			})
		}
	}
}

func TestAMalformedResponseInABatchIsNotAnsweredEither(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := connect(t, questioner(t, nil))
		p.openWith("2025-03-26", `{"roots":{}}`)
		began := time.Now()
		p.send(callLine(7, "ask", `{"times":1}`))
		question := p.receive()
		p.send("[" + malformedResponses(string(question.ID))["result and error"] + "]")
		m := p.receive()
		if string(m.ID) != "7" {
			t.Fatalf("the batch was answered: %s", m.line)
		}
		failedAtOnce(t, m, began)
		p.end()
	})
}

func TestAMalformedResponseThatNamesNoQuestionIsDropped(t *testing.T) {
	eachRevision(t, echoServer(t, nil), func(_ *testing.T, _ string, p *peer, _ func(string) string) {
		for _, line := range malformedResponses("99") {
			p.send(line)
		}
		p.send(`{"jsonrpc":"2.0","result":{}}`)
		p.send(`{"jsonrpc":"2.0","id":true,"result":{}}`)
		p.send(`{"jsonrpc":"2.0","id":1,"result":{},"id":2}`)
		p.end()
	}, "pipe")
}

func TestAMalformedResponseOverHTTPIsRefusedWithoutItsID(t *testing.T) {
	for _, revision := range overHTTP[:3] {
		for name := range malformedResponses("0") {
			t.Run(revision+" "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					endpoint := host(t, questioner(t, nil), nil)
					w := endpoint.openWith(revision, `{"roots":{}}`)
					began := time.Now()
					call := w.call("ask", `{"times":1}`)
					question := call.receive()
					line := malformedResponses(string(question.ID))[name]
					other := endpoint.openWith(revision, `{"roots":{}}`)
					other.post(line) // this session was not asked a question
					w.with("Test-Principal: somebody else").post(line)
					settle()
					a := w.post(line)
					if a.status != http.StatusAccepted { // responses with a valid envelope
						if m := a.wantError(http.StatusBadRequest, mcp.CodeInvalidRequest); len(m.ID) > 0 && string(m.ID) != "null" {
							t.Errorf("the error has an id: %s", m.line)
						}
					}
					m, _ := call.response()
					failedAtOnce(t, m, began)
				})
			})
		}
	}
}

func TestAMalformedResponseInABatchOverHTTPIsNotAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := host(t, questioner(t, nil), nil).openWith("2025-03-26", `{"roots":{}}`)
		began := time.Now()
		call := w.call("ask", `{"times":1}`)
		question := call.receive()
		w.post("[" + malformedResponses(string(question.ID))["result and error"] + "]").want(http.StatusAccepted)
		m, _ := call.response()
		failedAtOnce(t, m, began)
	})
}

func TestAMalformedResponseOnTheOldTransport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := host(t, questioner(t, nil), nil).pair("2024-11-05", `{"roots":{}}`)
		began := time.Now()
		p.send(callLine(7, "ask", `{"times":1}`)).want(http.StatusAccepted)
		question := p.receive()
		a := p.send(malformedResponses(string(question.ID))["result and error"]).want(http.StatusBadRequest)
		if strings.Contains(a.body, `"id":`+string(question.ID)) {
			t.Errorf("the error has the id of the response: %s", a.body)
		}
		m := p.receive()
		if string(m.ID) != "7" {
			t.Fatalf("the response was answered: %s", m.line)
		}
		failedAtOnce(t, m, began)
	})
}

func TestNullsBesideAResultOrAnErrorCountAsLeftOut(t *testing.T) {
	for _, revision := range revisions[:4] {
		p := connect(t, questioner(t, nil))
		p.openWith(revision, `{"roots":{}}`)
		for response, want := range map[string]string{
			`"result":{"roots":[]},"error":null`:                               "asked",
			`"method":null,"params":null,"result":{"roots":[]},"error":null`:   "asked",
			`"result":null,"error":{"code":-1,"message":"there are none"}`:     "there are none",
			`"method":null,"result":null,"error":{"code":-1,"message":"none"}`: "none",
		} {
			p.send(callLine(7, "ask", `{"times":1}`))
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, p.receive().ID, response))
			if m := p.receive(); !strings.Contains(m.text(), want) {
				t.Errorf("%s: %s: %s", revision, response, m.line)
			}
		}
		p.end()
	}
}
