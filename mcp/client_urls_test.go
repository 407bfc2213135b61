package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// TestServersOfHTTPWithSSEAreFound responds to POST with every status, and to GET with an event
// stream, as servers of revision 2024-11-05 do.
func TestServersOfHTTPWithSSEAreFound(t *testing.T) {
	bodies := map[string]string{
		"empty": "", "a page": "<html>", "an error": `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`, "no method": `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}}`,
		"modern -32020": `{"jsonrpc":"2.0","id":ID,"error":{"code":-32020,"message":"x"}}`, "modern -32021": `{"jsonrpc":"2.0","id":ID,"error":{"code":-32021,"message":"x"}}`,
		"modern -32022": `{"jsonrpc":"2.0","id":ID,"error":{"code":-32022,"message":"x","data":{"supported":["3000-01-01"]}}}`,
	}
	for _, newest := range revisions[1:] {
		t.Run(newest, func(t *testing.T) {
			row := "http.fallback.any-4xx"
			switch newest {
			case "2025-11-25":
				row = "http.fallback.400-404-405"
			case "2026-07-28":
				row = "http.fallback.modern"
			}
			proves(t, row)
			for _, status := range []int{400, 403, 404, 405, 406, 410, 415, 422, 500, 501} {
				for name, body := range bodies {
					sse := echoServer(t, nil).SSEHandler(nil)
					s := scripted(t, func(w http.ResponseWriter, p *posted) {
						if p.Request.Method == http.MethodPost && p.URL.RawQuery == "" {
							if body != "" {
								w.Header().Set("Content-Type", "application/json")
							}
							w.WriteHeader(status)
							io.WriteString(w, strings.Replace(body, "ID", string(p.ID), 1))
							return
						}
						p.Body = io.NopCloser(strings.NewReader(p.body))
						sse.ServeHTTP(w, p.Request)
					})
					ran(t, newest, "http")
					c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL + "/sse"}, &mcp.ClientOptions{Revisions: []string{"2024-11-05", newest}, Logger: slog.New(slog.DiscardHandler)})
					modern := strings.HasPrefix(name, "modern")
					if want := status < 500 && !modern; want != (err == nil) {
						t.Errorf("status %d, %s: %v", status, name, err)
					}
					all := s.requests("")
					gets := len(s.requests(http.MethodGet))
					if all[0].Request.Method != http.MethodPost || (gets > 0) != (err == nil) {
						t.Errorf("status %d, %s: %d requests, %d of them GET", status, name, len(all), gets)
					}
					if c != nil {
						if text, err := mcp.CallTool[string](t.Context(), c, "echo", echoInput{"hi"}, nil); err != nil || text != "hi" || c.Server().Revision != "2024-11-05" && c.Server().Revision != newest {
							t.Errorf("status %d, %s: %q, %v", status, name, text, err)
						}
						must(t, c.Close())
					}
					sse.Shutdown(t.Context())
				}
			}
		})
	}
}

// TestTheSessionIDIsToldNobody makes a server redirect requests and fail in every possible way.
func TestTheSessionIDIsToldNobody(t *testing.T) {
	const secret = "session-of-ada-7f3"
	revisionsOf(t, "session.id.client-secure", func(t *testing.T, revision string) {
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			t.Errorf("another origin gets %s %v", r.Method, r.Header)
		}))
		defer other.Close()
		var log strings.Builder
		answers := map[string]func(w http.ResponseWriter, p *posted){
			"refuses": func(w http.ResponseWriter, _ *posted) { w.WriteHeader(http.StatusBadRequest) },
			"fails":   func(w http.ResponseWriter, _ *posted) { http.Error(w, "failed", http.StatusInternalServerError) },
			"redirects": func(w http.ResponseWriter, p *posted) {
				http.Redirect(w, p.Request, other.URL, http.StatusTemporaryRedirect)
			},
			"redirects to another scheme": func(w http.ResponseWriter, p *posted) {
				http.Redirect(w, p.Request, "https://"+p.Host, http.StatusPermanentRedirect)
			},
			"is gone":   func(w http.ResponseWriter, _ *posted) { w.WriteHeader(http.StatusNotFound) },
			"lies":      func(w http.ResponseWriter, _ *posted) { io.WriteString(w, "{") },
			"hangs up":  func(http.ResponseWriter, *posted) { panic(http.ErrAbortHandler) },
			"is silent": func(w http.ResponseWriter, _ *posted) { w.Header().Set("Content-Type", "text/event-stream") },
		}
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if f := answers[p.Header.Get("X-Answer")]; f != nil && p.Method == "tools/call" {
				f(w, p)
			} else if !p.session(w, revision, secret) {
				p.reply(w, emptyContent)
			}
		})
		for i, name := range slices.Repeat(slices.Collect(maps.Keys(answers)), 2) {
			var client *http.Client // nil selects the transport's own client
			if i >= len(answers) {
				client = new(http.Client)
			}
			c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL, Header: http.Header{"X-Answer": {name}}, HTTPClient: client},
				&mcp.ClientOptions{Revisions: []string{revision}, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
			must(t, err)
			ran(t, revision, "http")
			if _, err := c.CallTool(t.Context(), "x", nil, nil); err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
				t.Errorf("%s: the error is %v", name, err)
			} else if strings.HasPrefix(name, "redirects") && !strings.Contains(err.Error(), "redirects to another origin") {
				t.Errorf("%s: %v", name, err)
			}
			must(t, c.Close())
			if got := s.requests("tools/call"); got[len(got)-1].Header.Get("Mcp-Session-Id") != secret {
				t.Errorf("%s: %v", name, got[len(got)-1].Header)
			}
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log reads %s", &log)
		}
		// An ID that could inject text into a header is refused.
		for _, id := range []string{"a b", "é", "a\tb", strings.Repeat("x", 5000)} {
			bad := scripted(t, func(w http.ResponseWriter, p *posted) { p.session(w, revision, id) })
			if c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: bad.URL, NoSSE: true}, &mcp.ClientOptions{Revisions: []string{revision}}); err == nil {
				c.Close()
				t.Errorf("the id %.20q is taken", id)
			} else if strings.Contains(err.Error(), id) {
				t.Errorf("the error quotes the id %.20q", id)
			}
		}
	})
}

// TestWhatServersNameIsNotFetched makes a server send URLs in every place where it can.
func TestWhatServersNameIsNotFetched(t *testing.T) {
	proves(t, "elicit.url.no-prefetch", "elicit.url.no-open-without-consent", "icons.scheme.allow", "icons.scheme.reject", "elicit.url.id-opaque")
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the client asks for %s", r.URL) }))
	defer web.Close()
	var icons []string
	for _, scheme := range []string{"https://example.com/", "data:image/png;base64,", "HTTPS://example.com/", "http://example.com/", "javascript:", "file:///", "ftp://example.com/", "ws://example.com/", "vbscript:", "app:", "/", "//example.com/", "", " https://example.com/", "httpss://", "blob:", "JavaScript:", "FILE:///", "Ftp://example.com/", "x-app:", "web+app://", "http+unix://", "data2:", "javascript:https:", "\tdata:", "DATA:image/png;base64,", "data:,", "wss://example.com/", "ftps://example.com/", "mailto:", "smb://example.com/"} {
		icons = append(icons, fmt.Sprintf(`{"src":%q}`, scheme+"i"), fmt.Sprintf(`{"src":%q,"mimeType":"image/png","sizes":["1x1"]}`, scheme+"j"))
	}
	list := `"icons":[` + strings.Join(icons, ",") + `]`
	const want = "https://example.com/i https://example.com/j data:image/png;base64,i data:image/png;base64,j HTTPS://example.com/i HTTPS://example.com/j DATA:image/png;base64,i DATA:image/png;base64,j data:,i data:,j"
	for _, on := range []string{"2025-11-25/pipe", "2025-11-25/http", "2026-07-28/pipe", "2026-07-28/http"} {
		revision, transport, _ := strings.Cut(on, "/")
		t.Run(on, func(t *testing.T) {
			address := strings.Replace(web.URL, "127.0.0.1", "localhost", 1) + "/page?a=%20b&c=d#e%C3%A9"
			ids := []string{"1", " x ", "é\n", `{"a":1}`, strings.Repeat("x", 300), "0", "null", "1", "0", "1", "null"}
			var shown []mcp.Elicitation
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{
				ElicitURL: func(_ context.Context, e *mcp.Elicitation) (mcp.Action, error) {
					shown = append(shown, *e)
					return mcp.Action(e.Message), nil
				},
				ElicitationComplete: func(string) {},
			})
			got := make(chan string)
			sources := func(icons []mcp.Icon) string {
				var all []string
				for _, icon := range icons {
					all = append(all, icon.Source)
				}
				return strings.Join(all, " ")
			}
			go func() {
				got <- namesIn(c.Tools(t.Context()), func(e *mcp.Tool) string { return sources(e.Icons) })
				got <- namesIn(c.Prompts(t.Context()), func(e *mcp.Prompt) string { return sources(e.Icons) })
				got <- namesIn(c.Resources(t.Context()), func(e *mcp.Resource) string { return sources(e.Icons) })
				got <- namesIn(c.ResourceTemplates(t.Context()), func(e *mcp.ResourceTemplate) string { return sources(e.Icons) })
			}()
			for _, reply := range [][2]string{
				{"tools/list", `{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"},` + list + `}]}`},
				{"prompts/list", `{"resultType":"complete","prompts":[{"name":"a",` + list + `}]}`},
				{"resources/list", `{"resultType":"complete","resources":[{"name":"a","uri":"` + web.URL + `/resource",` + list + `}]}`},
				{"resources/templates/list", `{"resultType":"complete","resourceTemplates":[{"name":"a","uriTemplate":"` + web.URL + `/{x}",` + list + `}]}`},
			} {
				p.Reply(p.Expect(reply[0]), reply[1])
				if text := <-got; text != want {
					t.Errorf("%s: the icons are %s, want %s", reply[0], text, want)
				}
			}
			links := make(chan string, 1)
			go func() {
				res, err := c.CallTool(t.Context(), "tool", nil, nil)
				must(t, err)
				links <- sources(res.Content[0].(*mcp.ResourceLink).Icons)
				prompt, err := c.GetPrompt(t.Context(), "p", nil, nil)
				must(t, err)
				links <- sources(prompt.Messages[0].Content.(*mcp.ResourceLink).Icons)
			}()
			link := `{"type":"resource_link","name":"a","uri":"` + web.URL + `/link",` + list + `}`
			for _, reply := range [][2]string{{"tools/call", `"content":[` + link + `]`}, {"prompts/get", `"messages":[{"role":"user","content":` + link + `}]`}} {
				p.Reply(p.Expect(reply[0]), `{"resultType":"complete",`+reply[1]+`}`)
				if text := <-links; text != want {
					t.Errorf("%s: the icons of a link are %s, want %s", reply[0], text, want)
				}
			}
			for _, id := range ids {
				quoted, err := json.Marshal(id)
				must(t, err)
				action := []string{"accept", "decline", "cancel"}[len(shown)%3]
				params := `{"mode":"url","message":"` + action + `","url":"` + address + `","elicitationId":` + string(quoted) + `}`
				if revision == "2025-11-25" {
					if m := p.Ask("elicitation/create", params); string(m.Result) != `{"action":"`+action+`"}` {
						t.Errorf("answered %s", m.Line)
					}
					continue
				}
				failed := calling(t, c, nil)
				p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+params+`}}}`)
				p.Reply(p.Expect("tools/call"), `{"resultType":"complete","content":[{"type":"resource_link","name":"a","uri":"`+web.URL+`/link",`+list+`}]}`)
				must(t, <-failed)
			}
			if len(shown) != len(ids) {
				t.Fatalf("%d pages are shown", len(shown))
			}
			for i, e := range shown {
				if e.URL != address || e.ID != ids[i] {
					t.Errorf("shown is %q with the id %q, want %q with %q", e.URL, e.ID, address, ids[i])
				}
			}
		})
	}
}
