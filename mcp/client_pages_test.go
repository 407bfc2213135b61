package mcp_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestCursorsEndWithTheirSession ends the session at two moments: while the caller iterates over
// the entries of a page, and when the client requests the next page.
func TestCursorsEndWithTheirSession(t *testing.T) {
	lists := map[string]func(ctx context.Context, c *mcp.Client) error{
		"tools/list":               func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Tools(ctx)) },
		"prompts/list":             func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Prompts(ctx)) },
		"resources/list":           func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Resources(ctx)) },
		"resources/templates/list": func(ctx context.Context, c *mcp.Client) error { return lastOf(c.ResourceTemplates(ctx)) },
		"tasks/list":               func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Tasks(ctx)) },
	}
	revisionsOf(t, "page.not-persisted", func(t *testing.T, revision string) {
		for _, transport := range clientTransports(revision) {
			t.Run(transport, func(t *testing.T) { cursorEnds(t, revision, transport) })
		}
		t.Run("http", func(t *testing.T) {
			for method, list := range lists {
				if method == "tasks/list" && revision < "2025-11-25" {
					continue
				}
				opened := 0
				s := scripted(t, func(w http.ResponseWriter, p *posted) {
					if p.Method == "initialize" {
						opened++
						w.Header().Set("Mcp-Session-Id", fmt.Sprint("session-", opened))
						p.reply(w, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{},"prompts":{},"resources":{},"tasks":{"list":{}}},"serverInfo":{"name":"x","version":"1"}}`, revision))
						return
					}
					switch {
					case p.session(w, revision, ""):
					case p.Header.Get("Mcp-Session-Id") == "session-1" && strings.Contains(p.body, "cursor"):
						w.WriteHeader(http.StatusNotFound)
					default:
						p.reply(w, `{"tools":[],"prompts":[],"resources":[],"resourceTemplates":[],"tasks":[],"nextCursor":"of the first session"}`)
					}
				})
				if err := list(t.Context(), s.dialed(t, revision, &mcp.HTTPTransport{})); err == nil || !strings.Contains(err.Error(), "session") {
					t.Errorf("%s: the error is %v", method, err)
				}
				if len(s.requests(method)) < 2 {
					t.Errorf("%s: %d requests", method, len(s.requests(method)))
				}
				for _, p := range s.requests(method) {
					if p.Header.Get("Mcp-Session-Id") != "session-1" && strings.Contains(p.body, "cursor") {
						t.Errorf("%s: the cursor is sent in another session: %s", method, p.body)
					}
				}
			}
		})
	})
}

// namesIn returns the names of the entries of a list, or the error that ended it.
func namesIn[T any](list iter.Seq2[T, error], name func(T) string) string {
	var all []string
	for entry, err := range list {
		if err != nil {
			return err.Error()
		}
		all = append(all, name(entry))
	}
	return strings.Join(all, " ")
}

// lastOf reads a list to its end and returns the error, if there is one.
func lastOf[T any](list iter.Seq2[T, error]) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestPagesAfterACursorThatIsNotValidAreAskedForAgain makes a server refuse the
// cursor of a cached page.
func TestPagesAfterACursorThatIsNotValidAreAskedForAgain(t *testing.T) {
	proves(t, "cache.cursor-invalid", "cache.consistent-snapshot")
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, "2026-07-28", mcp.ClientOptions{})
		failed := make(chan error, 1)
		list := func() { failed <- lastOf(c.Tools(t.Context())) }
		page := func(cursor, result string) {
			t.Helper()
			m := p.Expect("tools/list")
			if got := strings.Contains(m.Line, `"params":{"cursor":"`+cursor+`"`); got != (cursor != "") {
				t.Errorf("sent %s, want the cursor %q", m.Line, cursor)
			}
			if result == "" {
				p.Refuse(m, -32602, "no such cursor")
				return
			}
			p.Reply(m, `{"resultType":"complete","tools":[],"cacheScope":"private",`+result+`}`)
		}
		go list()
		page("", `"ttlMs":60000,"nextCursor":"one"`)
		page("one", `"ttlMs":60000,"nextCursor":"two"`)
		page("two", `"ttlMs":0`)
		must(t, <-failed)
		go list() // the client caches the first two pages
		page("two", "")
		if err := <-failed; err == nil || !strings.Contains(err.Error(), "no such cursor") {
			t.Errorf("the error is %v", err)
		}
		go list()
		page("", `"ttlMs":60000`)
		must(t, <-failed)
	})
}

// TestListsHaveAnyNumberOfPages lists entries of each kind on pages of every size with cursors of
// every form.
func TestListsHaveAnyNumberOfPages(t *testing.T) {
	cursors := []string{`"1"`, `""`, `"` + strings.Repeat("long", 500) + `"`, `"` + strings.Repeat("long", 500) + `2"`, `"2"`, `"é\n\u2028"`, `" "`, `"{\"a\":1}"`, `"null"`, `"AAAA=="`, `"0"`, `"false"`}
	for kind, tt := range map[string]struct {
		method, entry string
		list          func(ctx context.Context, c *mcp.Client) string
	}{
		"tools": {"tools/list", `{"name":"N","inputSchema":{"type":"object"}}`, func(ctx context.Context, c *mcp.Client) string {
			return namesIn(c.Tools(ctx), func(e *mcp.Tool) string { return e.Name })
		}},
		"prompts": {"prompts/list", `{"name":"N"}`, func(ctx context.Context, c *mcp.Client) string {
			return namesIn(c.Prompts(ctx), func(e *mcp.Prompt) string { return e.Name })
		}},
		"resources": {"resources/list", `{"uri":"x:N","name":"N"}`, func(ctx context.Context, c *mcp.Client) string {
			return namesIn(c.Resources(ctx), func(e *mcp.Resource) string { return e.Name })
		}},
		"tasks": {"tasks/list", `{"taskId":"N","status":"working"}`, func(ctx context.Context, c *mcp.Client) string {
			return namesIn(c.Tasks(ctx), func(e mcp.TaskState) string { return e.ID })
		}},
		"resourceTemplates": {"resources/templates/list", `{"uriTemplate":"x:{N}","name":"N"}`, func(ctx context.Context, c *mcp.Client) string {
			return namesIn(c.ResourceTemplates(ctx), func(e *mcp.ResourceTemplate) string { return e.Name })
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			eachPlayed(t, "prompts.client-paginates", func(t *testing.T, revision, transport string) {
				if kind == "tasks" && revision != "2025-11-25" {
					return // only this revision lists tasks
				}
				proves(t, "page.size-not-assumed", "page.opaque", "page.missing-ends", "page.both-flows", "page.empty-string-cursor", "cache.key.exact")
				synctest.Test(t, func(t *testing.T) {
					p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
					for _, pages := range []int{1, 2, 3, len(cursors) + 1} {
						got := make(chan string, 1)
						go func() { got <- tt.list(t.Context(), c) }()
						var want []string
						for n := range pages {
							m := p.Expect(tt.method)
							sent := ""
							if n > 0 {
								sent = `"params":{"cursor":` + cursors[n-1]
							}
							if !strings.Contains(m.Line, sent) || n == 0 && strings.Contains(m.Line, `"cursor"`) {
								t.Errorf("page %d of %d: sent %s, want %s", n+1, pages, m.Line, sent)
							}
							var entries []string
							size := (n * 3) % 5 // a page may have no entries
							if n == 2 {
								size = 300
							}
							for i := range size {
								name := fmt.Sprintf("n%d-%d", n, i)
								want, entries = append(want, name), append(entries, strings.ReplaceAll(tt.entry, "N", name))
							}
							next := ""
							if n < pages-1 {
								next = `,"nextCursor":` + cursors[n]
							} else if pages%2 == 1 {
								next = `,"nextCursor":null`
							}
							p.Reply(m, `{"resultType":"complete","ttlMs":1000,"`+kind+`":[`+strings.Join(entries, ",")+`]`+next+`}`)
						}
						if text := <-got; text != strings.Join(want, " ") {
							t.Errorf("%d pages: listed %s, want %s", pages, text, want)
						}
						if revision == "2026-07-28" { // each page is cached separately
							if text := tt.list(t.Context(), c); text != strings.Join(want, " ") {
								t.Errorf("%d pages: listed %s again, want %s", pages, text, want)
							}
						}
						time.Sleep(time.Second)
					}
				})
			})
		})
	}
}

// cursorEnds ends a session between two pages of a list.
func cursorEnds(t *testing.T, revision, transport string) {
	const first = `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"of the first session"}`
	synctest.Test(t, func(t *testing.T) {
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
		list := func(between func()) chan string {
			got := make(chan string, 1)
			go func() {
				var all []string
				for tool, err := range c.Tools(t.Context()) {
					if err != nil {
						all = append(all, err.Error())
						break
					}
					all = append(all, tool.Name)
					between()
				}
				got <- strings.Join(all, " ")
			}()
			return got
		}
		paused, goOn := make(chan bool), make(chan bool)
		got := list(func() { paused <- true; <-goOn })
		p.Reply(p.Expect("tools/list"), first)
		<-paused
		p.Close()
		synctest.Wait() // the client has noticed the end of the session
		go func() { goOn <- true }()
		p.Accept()
		p.Handshake(revision)
		if text := <-got; !strings.HasPrefix(text, "a ") || !strings.Contains(text, "session") {
			t.Errorf("listed %s", text)
		}
		got = list(func() {})
		if m := p.Expect("tools/list"); strings.Contains(m.Line, "cursor") {
			t.Errorf("sent %s", m.Line)
		} else {
			p.Reply(m, `{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}`)
		}
		if text := <-got; text != "b" {
			t.Errorf("listed %s", text)
		}
	})
}
