package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// nested returns a result with the given number of levels.
func nested(levels int) string {
	return `{"content":[],"structuredContent":` + strings.Repeat(`{"a":`, levels) + `1` + strings.Repeat("}", levels) + `}`
}

// wantMalformed waits for the outcome of a call whose response was malformed. If the call is still
// waiting after the client has read a later message, stop cancels its context, and the call fails
// with the error of the context.
func wantMalformed(t *testing.T, name string, failed chan error, stop context.CancelFunc, why string) {
	t.Helper()
	stop()
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "the server's response is malformed: "+why) {
		t.Errorf("%s: %v", name, err)
	}
}

// TestMalformedResponse_FailsTheCall answers calls with text that is not a valid message. The call
// must fail, and the next one must succeed.
func TestMalformedResponse_FailsTheCall(t *testing.T) {
	for _, revision := range revisions {
		for _, transport := range clientTransports(revision) {
			t.Run(revision+" "+transport, func(t *testing.T) {
				proves(t, "base.response.result.id-echo")
				p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
				for name, tt := range map[string]struct {
					why  string
					line func(m mcptest.Message) string
				}{
					"a result nested too deep": {"JSON nested too deeply", func(m mcptest.Message) string {
						return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, nested(600))
					}},
					"the id behind the result": {"JSON nested too deeply", func(m mcptest.Message) string {
						return fmt.Sprintf(`{"jsonrpc":"2.0","result":%s,"id":%s}`, nested(5000), m.ID)
					}},
					"an error nested too deep": {"JSON nested too deeply", func(m mcptest.Message) string {
						return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"x","data":%s}}`, m.ID, nested(600))
					}},
					"invalid UTF-8": {"invalid UTF-8", func(m mcptest.Message) string {
						return fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}}", m.ID)
					}},
					"a result cut short": {"unexpected end of JSON", func(m mcptest.Message) string {
						return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[`, m.ID)
					}},
				} {
					if transport == "http" && name == "a result cut short" {
						continue // the relay cannot find the request for this response
					}
					ctx, stop := context.WithCancel(t.Context())
					failed := make(chan error, 1)
					go func() {
						_, err := c.CallTool(ctx, "tool", nil, nil)
						failed <- err
					}()
					p.Send(tt.line(p.Expect("tools/call")))
					if transport != "http" { // over HTTP, requests do not wait for each other
						next := calling(t, c, nil)
						p.Reply(p.Expect("tools/call"), emptyContent)
						must(t, <-next)
					} else {
						defer stop()
						stop = func() {}
					}
					wantMalformed(t, name, failed, stop, tt.why)
				}
			})
		}
	}
}

// TestMalformedResponse_InABatch answers two calls with a batch that contains a response that is
// too deeply nested.
func TestMalformedResponse_InABatch(t *testing.T) {
	proves(t, "base.response.result.id-echo")
	p, c := played(t, "2025-03-26", mcp.ClientOptions{})
	ctx, stop := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, "tool", nil, nil)
		failed <- err
	}()
	first := p.Expect("tools/call")
	next := calling(t, c, nil)
	second := p.Expect("tools/call")
	p.Send(fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"result":%s},{"jsonrpc":"2.0","id":%s,"result":%s}]`, first.ID, nested(600), second.ID, emptyContent))
	must(t, <-next)
	wantMalformed(t, "the first", failed, stop, "JSON nested too deeply")
}

// TestMalformedResponse_InAnEventStream answers a call with an event that contains a malformed
// response.
func TestMalformedResponse_InAnEventStream(t *testing.T) {
	for _, revision := range revisions {
		if revision == "2024-11-05" {
			continue // this revision has another HTTP transport
		}
		t.Run(revision, func(t *testing.T) {
			proves(t, "base.response.result.id-echo")
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				if p.session(w, revision, "s") {
					return
				}
				if p.Method != "tools/call" {
					p.reply(w, `{"resultType":"complete","supportedVersions":["`+revision+`"],"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", p.ID, nested(600))
			})
			c := s.dialed(t, revision, &mcp.HTTPTransport{})
			wantMalformed(t, "an event", calling(t, c, nil), func() {}, "JSON nested too deeply")
		})
	}
}
