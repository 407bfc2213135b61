package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/docent-mcp/docent/mcp"
)

// TestEveryMessageOfABatchOfTheServerIsRead sends batches of responses, a notification and a
// request, in different orders.
func TestEveryMessageOfABatchOfTheServerIsRead(t *testing.T) {
	revisionsOf(t, "stdio.batch-line", func(t *testing.T, revision string) {
		proves(t, "base.batch.receive")
		for first := range 5 {
			synctest.Test(t, func(t *testing.T) {
				got := make(chan string, 4)
				p, c := played(t, revision, mcp.ClientOptions{
					Notification: func(method string, _ json.RawMessage) { got <- method },
					Roots:        func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///src"}}, nil },
				})
				batch := []string{`{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","id":"roots","method":"roots/list"}`}
				want := []string{"notifications/x"}
				for i := range 3 {
					go func() {
						text, err := mcp.CallTool[string](t.Context(), c, "tool", nil, nil)
						got <- fmt.Sprint(text, err)
					}()
					batch = append(batch, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"text %d "}]}}`, p.Expect("tools/call").ID, i))
					want = append(want, fmt.Sprintf("text %d <nil>", i))
				}
				p.Send("[" + strings.Join(append(batch[first:], batch[:first]...), ",") + "]")
				if m := p.Receive(); string(m.ID) != `"roots"` || !strings.Contains(m.Line, "file:///src") {
					t.Errorf("the answer to roots/list is %s", m.Line)
				}
				var all []string
				for range want {
					all = append(all, <-got)
				}
				slices.Sort(all)
				if !slices.Equal(all, want) {
					t.Errorf("with message %d first: %q, want %q", first, all, want)
				}
			})
		}
	})
}

// TestABatchIsNoAnswerOfAServer makes servers respond with a batch of one message.
func TestABatchIsNoAnswerOfAServer(t *testing.T) {
	const lie, real = `{"content":[{"type":"text","text":"of the batch"}]}`, `{"content":[{"type":"text","text":"alone"}]}`
	revisionsOf(t, "base.batch.unsupported", func(t *testing.T, revision string) {
		t.Run("pipe", func(t *testing.T) {
			p, c := played(t, revision, mcp.ClientOptions{})
			got := make(chan string)
			go func() {
				text, err := mcp.CallTool[string](t.Context(), c, "tool", nil, nil)
				got <- fmt.Sprint(text, err)
			}()
			m := p.Expect("tools/call")
			p.Send(fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"result":%s}]`, m.ID, lie))
			p.Reply(m, real)
			if text := <-got; text != "alone<nil>" {
				t.Errorf("the answer is %s", text)
			}
		})
		t.Run("http", func(t *testing.T) {
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				switch {
				case p.Method == "server/discover":
					p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
				case revision == "2026-07-28" || !p.session(w, revision, "one"):
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `[{"jsonrpc":"2.0","id":%s,"result":%s}]`, p.ID, lie)
				}
			})
			if res, err := s.dialed(t, revision, &mcp.HTTPTransport{}).CallTool(t.Context(), "x", nil, nil); err == nil {
				t.Errorf("the answer is %+v", res)
			}
		})
	})
}
