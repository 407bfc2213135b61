package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestEveryRoundOfQuestionsIsAnswered sends requests with every method for which the server may ask
// questions. The rounds contain all kinds of questions and states, while another request waits.
func TestEveryRoundOfQuestionsIsAnswered(t *testing.T) {
	const roots, sample, form, page = `{"method":"roots/list"}`, `{"method":"sampling/createMessage","params":{"maxTokens":100,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}`,
		`{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`,
		`{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com/login"}}`
	const hasRoots, hasSample, hasForm, hasPage = `{"roots":[{"uri":"file:///src","name":"src"}]}`, `{"role":"assistant","content":{"type":"text","text":"sampled hi"},"model":"m","stopReason":"endTurn"}`,
		`{"action":"accept","content":{"name":"Ada"}}`, `{"action":"accept"}`
	long := strings.Repeat("state", 20_000)
	rounds := []struct{ asks, sends string }{
		{`"requestState":"one","inputRequests":{"a":` + roots + `}`, `"inputResponses":{"a":` + hasRoots + `},"requestState":"one"`},
		{`"inputRequests":{"b":` + sample + `,"a":` + form + `}`, `"inputResponses":{"b":` + hasSample + `,"a":` + hasForm + `}`},
		{`"requestState":""`, `"requestState":""`},
		{`"requestState":"` + long + `"`, `"requestState":"` + long + `"`},
		{`"requestState":" { "`, `"requestState":" { "`},
		{`"requestState":"eyJhbGciOiJub25lIn0.eyJleHAiOjF9."`, `"requestState":"eyJhbGciOiJub25lIn0.eyJleHAiOjF9."`},
		{`"requestState":"2000-01-01T00:00:00Z"`, `"requestState":"2000-01-01T00:00:00Z"`},
		{`"requestState":"null"`, `"requestState":"null"`},
		{`"requestState":"{\"a\": 1}\u00e9\/\n","inputRequests":{"":` + page + `}`, `"inputResponses":{"":` + hasPage + `},"requestState":"{\"a\": 1}\u00e9\/\n"`},
		{`"inputRequests":{}`, `"inputResponses":{}`},
		{`"inputRequests":{"a":` + roots + `}`, `"inputResponses":{"a":` + hasRoots + `}`},
	}
	eachPlayed(t, "mrtr.client.builds-inputs", func(t *testing.T, revision, transport string) {
		proves(t, "mrtr.client.same-keys", "mrtr.client.original-params", "mrtr.client.echo-state", "mrtr.client.opaque-state", "mrtr.client.no-invented-state", "mrtr.client.new-id",
			"mrtr.client.no-cross-use", "base.id.unique-in-flight", "cancel.own-request")
		synctest.Test(t, func(t *testing.T) {
			p, c := playedOver(t, transport, revision, answering())
			for method, request := range map[string]struct {
				params, result string
				call           func(ctx context.Context) error
			}{
				"tools/call": {`"name":"tool","arguments":{"x":[1, 2]}`, `"content":[]`, func(ctx context.Context) error {
					_, err := c.CallTool(ctx, "tool", json.RawMessage(`{"x":[1, 2]}`), nil)
					return err
				}},
				"prompts/get": {`"name":"p","arguments":{"a":"b"}`, `"messages":[]`, func(ctx context.Context) error {
					_, err := c.GetPrompt(ctx, "p", map[string]string{"a": "b"}, nil)
					return err
				}},
				"resources/read": {`"uri":"x:a"`, `"contents":[]`, func(ctx context.Context) error { _, err := c.ReadResource(ctx, "x:a", nil); return err }},
			} {
				for given := range 3 { // the round in which the caller cancels the request
					other := calling(t, c, nil)
					waiting := p.Expect("tools/call")
					ids := map[string]bool{string(waiting.ID): true}
					ctx, cancel := context.WithCancel(t.Context())
					failed := make(chan error, 1)
					go func() { failed <- request.call(ctx) }()
					m := p.Expect(method)
					sent := ""
					for i, round := range append(slices.Clone(rounds), struct{ asks, sends string }{}) {
						if want := `"params":{` + request.params + sent + `,"_meta":{`; !strings.Contains(m.Line, want) {
							t.Errorf("%s, round %d: sent %s, want %s", method, i, m.Line, want)
						}
						if ids[string(m.ID)] {
							t.Errorf("%s, round %d: the id %s is in use", method, i, m.ID)
						}
						ids[string(m.ID)] = true
						if given > 0 && i == given {
							break
						}
						if round.asks != "" {
							p.Reply(m, `{"resultType":"input_required",`+round.asks+`}`)
							sent = "," + round.sends
							m = p.Expect(method)
						} else {
							p.Reply(m, `{"resultType":"complete",`+request.result+`}`)
						}
					}
					if given > 0 {
						later := calling(t, c, nil)
						last := p.Expect("tools/call")
						cancel()
						if err := <-failed; !errors.Is(err, context.Canceled) {
							t.Errorf("%s: %v", method, err)
						}
						if got := p.Expect("notifications/cancelled"); !strings.Contains(got.Line, `"requestId":`+string(m.ID)+`,`) && !strings.Contains(got.Line, `"requestId":`+string(m.ID)+`}`) {
							t.Errorf("%s %s is cancelled by %s", method, m.ID, got.Line)
						}
						p.Reply(last, emptyContent)
						must(t, <-later)
					} else {
						must(t, <-failed)
					}
					cancel()
					p.Reply(waiting, emptyContent)
					must(t, <-other)
				}
			}
		})
	})
}

// TestHeadersFollowTheLatestListOfTools lists a tool several times with different x-mcp-header
// values, and calls it with questions in between.
func TestHeadersFollowTheLatestListOfTools(t *testing.T) {
	proves(t, "http.param.client-support", "http.param.extraction", "http.param.latest-schema", "http.param.present-include", "http.param.null-or-absent-omit",
		"http.param.all-steps", "http.param.encode", "mrtr.client.original-params")
	const arguments = `{"a":"é","b":7,"deep":{"a":true,"none":null,"er":{"still":{"a":-9007199254740991}}}}`
	schemas := []struct {
		properties string
		want       map[string]string
	}{
		{``, nil},
		{`"a":{"type":"string","x-mcp-header":"A"}`, map[string]string{"Mcp-Param-A": "=?base64?w6k=?="}},
		{`"a":{"type":"string","x-mcp-header":"Other"},"b":{"type":"integer","x-mcp-header":"A"}`, map[string]string{"Mcp-Param-Other": "=?base64?w6k=?=", "Mcp-Param-A": "7"}},
		{`"a":{"type":"string"},"deep":{"type":"object","properties":{"a":{"type":"boolean","x-mcp-header":"A"}}}`, map[string]string{"Mcp-Param-A": "true"}},
		{`"deep":{"type":"object","properties":{"none":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"B"},"er":{"type":"object","properties":{"a":{"type":"boolean","x-mcp-header":"C"}}}}}`, nil},
		{`"deep":{"type":"object","properties":{"er":{"type":"object","properties":{"still":{"type":"object","properties":{"a":{"type":"integer","x-mcp-header":"Low"}}}}}}}`, map[string]string{"Mcp-Param-Low": "-9007199254740991"}},
		{`"c":{"type":"string","x-mcp-header":"A"}`, nil},
		{`"b":{"type":"integer","x-mcp-header":"B"}`, map[string]string{"Mcp-Param-B": "7"}},
		{`"b":{"type":"integer"}`, nil},
	}
	schema := ""
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		switch {
		case p.Method == "server/discover":
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case p.Method == "tools/list":
			p.reply(w, `{"resultType":"complete","tools":[{"name":"tool","inputSchema":{"type":"object","properties":{`+schema+`}}}]}`)
		case strings.Contains(p.body, `"requestState":"two"`):
			p.reply(w, emptyContent)
		case strings.Contains(p.body, `"inputResponses"`):
			p.reply(w, `{"resultType":"input_required","requestState":"two"}`)
		default:
			p.reply(w, `{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}}`)
		}
	})
	opts := answering()
	opts.Revisions = []string{latest}
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, &opts)
	must(t, err)
	defer c.Close()
	ran(t, latest, "http")
	for _, one := range schemas {
		schema = one.properties
		must(t, lastOf(c.Tools(t.Context())))
		before := len(s.requests("tools/call"))
		_, err := c.CallTool(t.Context(), "tool", json.RawMessage(arguments), nil)
		must(t, err)
		calls := s.requests("tools/call")[before:]
		if len(calls) != 3 {
			t.Errorf("%s: %d calls", schema, len(calls))
		}
		for i, call := range calls {
			got := map[string]string{}
			for name, values := range call.Header {
				if strings.HasPrefix(name, "Mcp-Param-") {
					got[name] = strings.Join(values, " and ")
				}
			}
			if !maps.Equal(got, one.want) || call.Header.Get("Mcp-Name") != "tool" || call.Header.Get("Mcp-Method") != "tools/call" {
				t.Errorf("%s, call %d: the headers are %v, want %v", schema, i, call.Header, one.want)
			}
		}
	}
}

// TestEverySetOfFunctionsIsDeclared connects clients with every combination of functions that
// answer questions.
func TestEverySetOfFunctionsIsDeclared(t *testing.T) {
	all := answering()
	revisionsOf(t, "base.jsonrpc.conform", func(t *testing.T, revision string) {
		proves(t, "roots.capability", "roots.capability.modern", "sampling.capability", "sampling.capability.modern", "sampling.tools.capability", "elicit.capability",
			"elicit.capability.modern", "elicit.capability.one-mode", "arch.sampling-needs-capability", "xtasks.identifier", "ext.off-by-default")
		for set := range 1 << 7 {
			has := func(bit int) bool { return set&(1<<bit) != 0 }
			opts := mcp.ClientOptions{Revisions: []string{revision}, SampleTools: has(2), SampleContext: has(3), Tasks: has(6)}
			want := map[string]any{}
			if has(0) {
				opts.Roots = all.Roots
				want["roots"] = map[string]any{"listChanged": true}
				if revision == latest {
					want["roots"] = map[string]any{}
				}
			}
			if has(1) {
				opts.Sample = all.Sample
				can := map[string]any{}
				if has(2) && revision >= "2025-11-25" {
					can["tools"] = map[string]any{}
				}
				if has(3) && revision >= "2025-11-25" {
					can["context"] = map[string]any{}
				}
				want["sampling"] = can
			}
			modes := map[string]any{}
			if has(4) {
				opts.ElicitForm = all.ElicitForm
				modes["form"] = map[string]any{}
			}
			if has(5) {
				opts.ElicitURL = all.ElicitURL
				modes["url"] = map[string]any{}
			}
			switch {
			case revision >= "2025-11-25" && len(modes) > 0:
				want["elicitation"] = modes
			case revision == "2025-06-18" && has(4):
				want["elicitation"] = map[string]any{}
			}
			if has(6) && revision == latest {
				want["extensions"] = map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}}
			}
			var got any
			_, err := shaking(t, &opts, func(p *mcptest.Peer) {
				m := p.Receive()
				var params struct {
					Capabilities any
					Meta         map[string]any `json:"_meta"`
				}
				must(t, json.Unmarshal(m.Params, &params))
				if got = params.Capabilities; revision == latest {
					got = params.Meta["io.modelcontextprotocol/clientCapabilities"]
					p.Reply(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`)
					return
				}
				p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, revision))
				p.Expect("notifications/initialized")
			})
			must(t, err)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("set %b: declared %v, want %v", set, got, want)
			}
		}
	})
}

// TestAClientHangsUpOnRevisionsThatItMustNotSpeak makes servers choose revisions that the client
// does not support, and names that are not revisions.
func TestAClientHangsUpOnRevisionsThatItMustNotSpeak(t *testing.T) {
	revisionsOf(t, "lifecycle.version.client-disconnect", func(t *testing.T, revision string) {
		for _, transport := range clientTransports(revision) {
			for _, version := range append(slices.Clone(revisions), "2024-10-07", "3000-01-01", "", "2025-06-18 ", "DRAFT") {
				if version == revision {
					continue
				}
				p := mcptest.NewPeer(t)
				link := p.Transport()
				if transport != "pipe" {
					r := &relay{t: t, revision: revision, transport: transport, dial: p.Transport().(*mcp.ConnTransport).Dial}
					link = &mcp.HTTPTransport{URL: "http://localhost/mcp", HTTPClient: &http.Client{Transport: r}, NoSSE: transport != "sse"}
					defer r.end()
				}
				ran(t, revision, transport)
				failed := make(chan error, 1)
				go func() {
					c, err := mcp.Connect(t.Context(), link, &mcp.ClientOptions{Revisions: []string{revision}})
					if err == nil {
						c.Close()
					}
					failed <- err
				}()
				p.Accept()
				p.Reply(p.Expect("initialize"), fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, version))
				if err := <-failed; !errors.Is(err, mcp.ErrNoRevision) || !strings.Contains(err.Error(), "wants to use revision") {
					t.Errorf("%s, %q: %v", transport, version, err)
				}
			}
		}
	})
}

// TestTheEndpointOfSSEIsUsedAsItIs uses endpoint URLs of every form.
func TestTheEndpointOfSSEIsUsedAsItIs(t *testing.T) {
	proves(t, "sse.post-to-endpoint")
	for endpoint, want := range map[string]string{
		"/post": "/post", "/post?session=1&x=%20y": "/post?session=1&x=%20y", "post": "/a/post", "../post": "/post", "?s=1": "/a/stream?s=1", "/a%2Fb/%C3%A9?q=%2F": "/a%2Fb/%C3%A9?q=%2F",
		"URL/post/": "/post/", "/": "/", "/post#fragment": "/post",
	} {
		done := make(chan struct{})
		messages := make(chan string, 10)
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if p.Request.Method == http.MethodPost {
				if p.RequestURI == "/a/stream" {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				if p.Method == "initialize" {
					messages <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, p.ID)
				} else if p.ID != nil {
					messages <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, p.ID)
				}
				w.WriteHeader(http.StatusAccepted)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", strings.Replace(endpoint, "URL", "http://"+p.Host, 1))
			for {
				w.(http.Flusher).Flush()
				select {
				case text := <-messages:
					fmt.Fprintf(w, "data: %s\n\n", text)
				case <-done:
					return
				}
			}
		})
		ran(t, "2024-11-05", "sse")
		c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL + "/a/stream"}, &mcp.ClientOptions{Revisions: []string{"2024-11-05"}})
		must(t, err)
		_, err = c.CallTool(t.Context(), "x", nil, nil)
		must(t, err, c.Notify(t.Context(), "notifications/example", nil), c.Close())
		close(done)
		for _, p := range s.requests("") {
			if p.Request.Method == http.MethodPost && p.RequestURI != "/a/stream" && p.RequestURI != want {
				t.Errorf("%s: %s is posted to %s, want %s", endpoint, p.Method, p.RequestURI, want)
			}
		}
		if n := len(s.requests("tools/call")); n != 1 {
			t.Errorf("%s: %d calls", endpoint, n)
		}
	}
}

// TestEachRetryTimeCounts makes a server end a stream several times, each time with a different
// retry time or none.
func TestEachRetryTimeCounts(t *testing.T) {
	times := []string{"5000", "70", "", "20000", "0", "x", "300", "90000", "3000"}
	waits := []time.Duration{5 * time.Second, 70 * time.Millisecond, 70 * time.Millisecond, 20 * time.Second, 0, 0, 300 * time.Millisecond, 90 * time.Second, 3 * time.Second}
	revisionsOf(t, "http.sse.poll.retry-respected", func(t *testing.T, revision string) {
		proves(t, "http.sse.poll.reconnect", "http.resume.client-get")
		synctest.Test(t, func(t *testing.T) {
			var call string
			var broken, heard time.Time
			streams, failed, listened := 0, map[int]bool{}, 0
			network := trip(func(req *http.Request) *http.Response {
				res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: req}
				p := &posted{Request: req}
				p.read()
				text := ""
				switch {
				case p.Method == "initialize":
					res.Header.Set("Mcp-Session-Id", "one")
					text = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, p.ID, revision)
				case p.Method == "tools/call", req.Header.Get("Last-Event-Id") != "":
					if p.Method == "tools/call" {
						call = string(p.ID)
					} else if waited, want := time.Since(broken), waits[streams-1]; waited < want || waited > want+time.Second || req.Header.Get("Last-Event-Id") != fmt.Sprint(streams) {
						t.Errorf("stream %d is asked for after %v, want %v, with %v", streams, waited, want, req.Header)
					}
					if p.Method == "" && streams > 7 && !failed[streams] { // the wait before a second attempt is at least as long
						failed[streams] = true
						broken = time.Now()
						res.StatusCode = http.StatusInternalServerError
						break
					}
					res.Header.Set("Content-Type", "text/event-stream")
					if streams == len(times) {
						text = `data: {"jsonrpc":"2.0","id":` + call + `,"result":{"content":[]}}` + "\n\n"
						break
					}
					if text = fmt.Sprintf("id: %d\n", streams+1); times[streams] != "" {
						text += "retry: " + times[streams] + "\n: a comment\n"
					}
					text += []string{"data:\n\n", "\n", `data: {"jsonrpc":"2.0","method":"notifications/example"}` + "\n\n"}[streams%3]
					streams++
					broken = time.Now()
				case req.Method == http.MethodGet && listened < 3: // the events of the session stream have no IDs
					if waited := time.Since(heard); listened > 0 && (waited < 7*time.Second || waited > 8*time.Second) {
						t.Errorf("the stream of the session is asked for again after %v", waited)
					}
					listened++
					heard = time.Now()
					res.Header.Set("Content-Type", "text/event-stream")
					text = "retry: 7000\n\n"
				case req.Method == http.MethodGet:
					res.StatusCode = http.StatusMethodNotAllowed
				case req.Method == http.MethodPost:
					res.StatusCode = http.StatusAccepted
				}
				res.Body = http.NoBody
				if text != "" {
					res.Body = body{strings.NewReader(text), func() error { return nil }}
				}
				return res
			})
			c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: "http://localhost/mcp", HTTPClient: &http.Client{Transport: network}}, &mcp.ClientOptions{Revisions: []string{revision}, Timeout: -1})
			must(t, err)
			ran(t, revision, "http")
			_, err = c.CallTool(t.Context(), "x", nil, nil)
			must(t, err, c.Close())
			if streams != len(times) {
				t.Errorf("%d streams", streams)
			}
		})
	})
}

type trip func(*http.Request) *http.Response

func (f trip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req), nil }
