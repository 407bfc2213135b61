package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// shaking connects a client to a server simulated by the test, which answers the handshake.
func shaking(t *testing.T, opts *mcp.ClientOptions, shake func(p *mcptest.Peer)) (*mcp.Client, error) {
	t.Helper()
	p := mcptest.NewPeer(t)
	type outcome struct {
		c   *mcp.Client
		err error
	}
	connected := make(chan outcome, 1)
	go func() {
		c, err := mcp.Connect(t.Context(), p.Transport(), opts)
		connected <- outcome{c, err}
	}()
	p.Accept()
	shake(p)
	got := <-connected
	if got.err == nil {
		t.Cleanup(func() { got.c.Close() })
		ran(t, got.c.Server().Revision, "pipe")
	}
	return got.c, got.err
}

// initialized answers the client's initialize with a revision. The client must
// offer the newest revision with sessions, or the given one.
func initialized(t *testing.T, p *mcptest.Peer, revision string, offered ...string) {
	t.Helper()
	m := p.Expect("initialize")
	offer := "2025-11-25"
	if len(offered) > 0 {
		offer = offered[0]
	}
	for _, want := range []string{`"protocolVersion":"` + offer + `"`, `"capabilities":{`, `"clientInfo":{"name":"`} {
		if !strings.Contains(m.Line, want) {
			t.Errorf("initialize lacks %s: %s", want, m.Line)
		}
	}
	if p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"old","version":"1"}}`, revision)); strings.HasPrefix(revision, "20") {
		p.Expect("notifications/initialized")
	}
}

func TestAClientFindsOutTheServersRevision(t *testing.T) {
	proves(t, "stdio.probe.first", "stdio.probe.discover-result", "stdio.probe.fallback", "stdio.probe.no-single-code", "versioning.fallback.on-anything-else",
		"versioning.fallback.not-on-modern-error", "lifecycle.init.request", "lifecycle.init.initialized", "lifecycle.init.first", "lifecycle.version.client-supported",
		"lifecycle.version.client-latest", "lifecycle.version.client-disconnect", "versioning.single-per-session", "versioning.unsupported.client-retry",
		"discover.no-params", "discover.client-picks-listed", "lifecycle.init.client-waits", "versioning.modern-only.stdio-probe", "base.result.type.unknown-invalid",
		"base.result.type.absent-is-complete", "stdio.client-no-responses", "base.patterns.no-client-responses")
	for _, code := range []int{-32601, -32600, -32602, -32603, -32700, -32000, -32001, -32002, -32004, -32019, -32023, -32042, -32099, -32100, -1, 0, 1, 404, 32601} {
		for _, revision := range revisions[:4] {
			c, err := shaking(t, nil, func(p *mcptest.Peer) {
				p.Refuse(p.Expect("server/discover"), code, "what?")
				initialized(t, p, revision)
			})
			if err != nil || c.Server().Revision != revision {
				t.Errorf("code %d, %s: %v", code, revision, err)
			}
		}
	}
	discovered := func(versions string) string {
		return `{"resultType":"complete","supportedVersions":` + versions + `,"capabilities":{},"ttlMs":0,"cacheScope":"public"}`
	}
	tests := []struct {
		name  string
		opts  *mcp.ClientOptions
		shake func(p *mcptest.Peer)
		want  string // expected revision, or part of the expected error
	}{
		{"a server without sessions", nil, func(p *mcptest.Peer) {
			m := p.Expect("server/discover")
			if !strings.Contains(m.Line, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{`) ||
				!strings.Contains(m.Line, `"io.modelcontextprotocol/clientCapabilities":{}`) || strings.Count(string(m.Params), "{") != 4 {
				t.Errorf("the probe is %s", m.Line)
			}
			p.Reply(m, discovered(`["2026-07-28","2025-11-25"]`))
		}, "2026-07-28"},
		{"a server that lists revisions to come", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), discovered(`["3000-01-01","2025-11-25","2026-07-28","draft"]`))
		}, "2026-07-28"},
		{"a server that lists later and older revisions", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), discovered(`["3000-01-01","draft","2024-11-05","2025-03-26"]`))
			initialized(t, p, "2025-03-26", "2025-03-26")
		}, "2025-03-26"},
		{"a result of another type", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), strings.Replace(discovered(`["2026-07-28"]`), "complete", "surprise", 1))
			initialized(t, p, "2025-06-18")
		}, "2025-06-18"},
		{"a result that asks for input", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), `{"resultType":"input_required","supportedVersions":["2026-07-28"],"capabilities":{},"inputRequests":{}}`)
			initialized(t, p, "2025-06-18")
		}, "2025-06-18"},
		{"a result without a type", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), strings.Replace(discovered(`["2026-07-28"]`), `"resultType":"complete",`, "", 1))
		}, "2026-07-28"},
		{"a result that is empty", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), `{}`)
			initialized(t, p, "2025-06-18")
		}, "2025-06-18"},
		{"a result that is a text", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), `"what?"`)
			initialized(t, p, "2025-06-18")
		}, "2025-06-18"},
		{"an error that is a text", nil, func(p *mcptest.Peer) {
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":"what?"}`, p.Expect("server/discover").ID))
			initialized(t, p, "2025-06-18")
		}, "2025-06-18"},
		{"a response that is none", nil, func(p *mcptest.Peer) {
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{},"error":{"code":0,"message":""}}`, p.Expect("server/discover").ID))
			initialized(t, p, "2025-06-18")
		}, "2025-06-18"},
		{"a server that lists older revisions only", nil, func(p *mcptest.Peer) {
			p.Reply(p.Expect("server/discover"), discovered(`["2025-06-18","3000-01-01"]`))
			initialized(t, p, "2025-06-18", "2025-06-18")
		}, "2025-06-18"},
		{"a server that refuses the revision and names older ones", nil, func(p *mcptest.Peer) {
			m := p.Expect("server/discover")
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2025-03-26"],"requested":"2026-07-28"}}}`, m.ID))
			initialized(t, p, "2025-03-26", "2025-03-26")
		}, "2025-03-26"},
		{"a server that refuses the revision and names it", nil, func(p *mcptest.Peer) {
			m := p.Expect("server/discover")
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}`, m.ID))
			p.Reply(p.Expect("server/discover"), discovered(`["2026-07-28"]`))
		}, "2026-07-28"},
		{"a server with no common revision", nil, func(p *mcptest.Peer) {
			m := p.Expect("server/discover")
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["3000-01-01"],"requested":"2026-07-28"}}}`, m.ID))
		}, "no common revision"},
		{"a server that misses a header", nil, func(p *mcptest.Peer) { p.Refuse(p.Expect("server/discover"), -32020, "header") }, "header"},
		{"a server that wants a capability", nil, func(p *mcptest.Peer) { p.Refuse(p.Expect("server/discover"), -32021, "capability") }, "capability"},
		{"a server that offers an unknown revision", nil, func(p *mcptest.Peer) {
			p.Refuse(p.Expect("server/discover"), -32601, "what?")
			initialized(t, p, "unknown")
		}, `wants to use revision "unknown"`},
		{"a server that initialize fails at", nil, func(p *mcptest.Peer) {
			p.Refuse(p.Expect("server/discover"), -32601, "what?")
			m := p.Expect("initialize")
			if !strings.Contains(m.Line, `"protocolVersion":"2025-11-25"`) {
				t.Errorf("the client offers %s", m.Line)
			}
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}`, m.ID))
			initialized(t, p, "2024-11-05", "2024-11-05")
		}, "2024-11-05"},
		{"a client of old revisions", &mcp.ClientOptions{Revisions: []string{"2025-03-26", "2024-11-05"}}, func(p *mcptest.Peer) { initialized(t, p, "2024-11-05", "2025-03-26") }, "2024-11-05"},
		{"a client of the newest revision", &mcp.ClientOptions{Revisions: []string{"2026-07-28"}}, func(p *mcptest.Peer) { p.Refuse(p.Expect("server/discover"), -32601, "what?") }, "no common revision of the protocol: server/discover: what? (code -32601)"},
		{"a client of the newest revision that is asked at once", &mcp.ClientOptions{Revisions: []string{"2026-07-28"}}, func(p *mcptest.Peer) {
			m := p.Expect("server/discover")
			p.Send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
			p.Send(`{"jsonrpc":"2.0","id":8,"method":"roots/list"}`)
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}`, m.ID))
			p.Reply(p.Expect("server/discover"), discovered(`["2026-07-28"]`)) // the server sends this before any response
		}, "2026-07-28"},
		{"a client of an older revision than the server", &mcp.ClientOptions{Revisions: []string{"2024-11-05"}}, func(p *mcptest.Peer) {
			m := p.Expect("initialize")
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2024-11-05"}}}`, m.ID))
		}, "no common revision of the protocol: initialize: no"},
		{"a revision that a client must not speak", &mcp.ClientOptions{Revisions: []string{"2025-11-25"}}, func(p *mcptest.Peer) { initialized(t, p, "2025-06-18") }, `wants to use revision "2025-06-18"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "a revision that a client must not speak" {
				// The server closes the connection during the handshake.
				test.shake = func(p *mcptest.Peer) {
					p.Reply(p.Expect("initialize"), `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"old","version":"1"}}`)
				}
			}
			// In fake time, a client that waits for a response that never arrives fails without
			// delay.
			synctest.Test(t, func(t *testing.T) {
				c, err := shaking(t, test.opts, test.shake)
				switch {
				case strings.HasPrefix(test.want, "20"):
					if err != nil || c.Server().Revision != test.want {
						t.Errorf("want %s: %v", test.want, err)
					}
				case err == nil || !strings.Contains(err.Error(), test.want):
					t.Errorf("want %q, got %v", test.want, err)
				}
			})
		})
	}
}

func TestASilentServerIsInitializedAndASlowOneWaitedFor(t *testing.T) {
	proves(t, "stdio.probe.fallback")
	synctest.Test(t, func(t *testing.T) {
		c, err := shaking(t, nil, func(p *mcptest.Peer) {
			p.Expect("server/discover")
			start := time.Now()
			initialized(t, p, "2025-11-25")
			if time.Since(start) != 3*time.Second {
				t.Errorf("initialize came after %v", time.Since(start))
			}
		})
		if err != nil || c.Server().Revision != "2025-11-25" {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c, err := shaking(t, nil, func(p *mcptest.Peer) {
			discover, initialize := p.Expect("server/discover"), p.Expect("initialize")
			time.Sleep(10 * time.Second) // the server is a program that takes long to start
			p.Refuse(initialize, -32601, "initialize is of older revisions")
			p.Reply(discover, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}`)
		})
		if err != nil || c.Server().Revision != "2026-07-28" {
			t.Error(err)
		}
	})
}

func TestAnUnansweredDiscoverIsCancelledBehindTheHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cancelled atomic.Bool
		trace := func(sent bool, message json.RawMessage) {
			if sent && bytes.Contains(message, []byte("notifications/cancelled")) {
				cancelled.Store(true)
			}
		}
		_, err := shaking(t, &mcp.ClientOptions{Log: func(mcp.LogMessage) {}, Trace: trace}, func(p *mcptest.Peer) {
			p.Expect("server/discover")
			p.Reply(p.Expect("initialize"), `{"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"old","version":"1"}}`)
			p.Expect("notifications/initialized")
			level := p.Expect("logging/setLevel")
			synctest.Wait()
			if cancelled.Load() {
				t.Error("server/discover is cancelled before the handshake has ended")
			}
			p.Reply(level, "{}")
			p.Expect("notifications/cancelled")
		})
		must(t, err)
	})
}

func TestALostConnectionIsMadeAgain(t *testing.T) {
	proves(t, "stdio.restart.resubscribe", "subs.request.filter", "discover.no-params", "subs.end.client-cancel", "stdio.subscription-correlation")
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, c := played(t, revision, mcp.ClientOptions{})
				subscribed := make(chan *mcp.Subscription)
				go func() {
					s, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true, Prompts: true, Resources: true, URIs: []string{"x:a", "x:b", "x:c"}})
					if err != nil {
						t.Error(err)
					}
					subscribed <- s
				}()
				var tag string
				accept := func() {
					if revision != "2026-07-28" {
						for _, uri := range []string{"x:a", "x:b", "x:c"} {
							m := p.Expect("resources/subscribe")
							if !strings.Contains(m.Line, `"params":{"uri":"`+uri+`"}`) {
								t.Errorf("sent %s, want %s", m.Line, uri)
							}
							p.Reply(m, "{}")
						}
						return
					}
					m := p.Expect("subscriptions/listen")
					if !strings.Contains(m.Line, `"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["x:a","x:b","x:c"]}`) {
						t.Errorf("the filter is %s", m.Line)
					}
					tag = `"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(m.ID) + `}`
					p.Notify("notifications/subscriptions/acknowledged", `{`+tag+`,"notifications":{"toolsListChanged":true}}`)
				}
				accept()
				s := <-subscribed
				p.Notify("notifications/tools/list_changed", `{`+tag+`}`)
				if got, err := s.Next(t.Context()); err != nil || got.Kind != mcp.ChangeTools {
					t.Errorf("%+v, %v", got, err)
				}
				for range 12 { // more often than a server may fail consecutively
					p.Close()
					p.Accept()
					if revision != "2026-07-28" {
						p.Handshake(revision)
					} else {
						m := p.Expect("server/discover")
						if !strings.HasPrefix(string(m.Params), `{"_meta":{`) || !strings.HasSuffix(string(m.Params), `"io.modelcontextprotocol/clientCapabilities":{}}}`) {
							t.Errorf("the params of server/discover are %s", m.Params)
						}
						p.Reply(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":`+mcptest.Capabilities+`}`)
					}
					accept()
					if got, err := s.Next(t.Context()); err != nil || got.Kind != mcp.ChangeAny {
						t.Errorf("%+v, %v", got, err)
					}
				}
				failed := calling(t, c, nil)
				p.Reply(p.Expect("tools/call"), emptyContent)
				must(t, <-failed)
				go s.Close()
				if revision == "2026-07-28" {
					p.Expect("notifications/cancelled")
				} else {
					for range 3 {
						p.Reply(p.Expect("resources/unsubscribe"), "{}")
					}
				}
			})
		})
	}
}

func TestResultsAreCachedAsTheServerAllows(t *testing.T) {
	proves(t, "cache.key.exact", "cache.ttl.fresh", "cache.ttl.zero", "cache.ttl.absent", "cache.ttl.negative", "cache.stale-refetch", "cache.notification-invalidates",
		"cache.page-independent", "cache.no-poll", "page.empty-string-cursor", "page.opaque", "page.missing-ends", "page.size-not-assumed", "page.both-flows")
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, "2026-07-28", mcp.ClientOptions{})
		listed := make(chan int)
		list := func() {
			n := 0
			for _, err := range c.Tools(t.Context()) {
				if err != nil {
					t.Error(err)
				}
				n++
			}
			listed <- n
		}
		page := func(cursor, ttl, next string) {
			t.Helper()
			m := p.Expect("tools/list")
			if got := `"params":{"cursor":` + cursor; cursor != "" && !strings.Contains(m.Line, got) || cursor == "" && strings.Contains(m.Line, "cursor") {
				t.Errorf("the request is %s", m.Line)
			}
			p.Reply(m, `{"resultType":"complete","tools":[{"name":"x","inputSchema":{"type":"object"}}]`+ttl+next+`}`)
		}
		go list()
		page("", `,"ttlMs":1000`, `,"nextCursor":""`)
		page(`""`, `,"ttlMs":5000`, ``)
		if n := <-listed; n != 2 {
			t.Errorf("%d tools", n)
		}
		go list()
		if n := <-listed; n != 2 {
			t.Errorf("%d tools from the cache", n)
		}
		time.Sleep(time.Second)
		go list() // the first page is stale, and the second page is fresh
		page("", `,"ttlMs":0`, `,"nextCursor":""`)
		<-listed
		go list()
		page("", `,"ttlMs":-5`, `,"nextCursor":""`)
		<-listed
		go list()
		page("", ``, `,"nextCursor":""`)
		<-listed
		p.Notify("notifications/tools/list_changed", `{}`)
		go list()
		page("", ``, `,"nextCursor":""`)
		page(`""`, `,"ttlMs":5000`, ``)
		<-listed
		read := make(chan string)
		for i, uri := range []string{"x:a", "x:b", "x:a"} {
			go func() {
				res, err := c.ReadResource(t.Context(), uri, nil)
				if err != nil {
					t.Error(err)
				}
				read <- res.Contents[0].Text
			}()
			if i < 2 {
				p.Reply(p.Expect("resources/read"), `{"resultType":"complete","ttlMs":9000,"cacheScope":"private","contents":[{"uri":"`+uri+`","text":"`+uri+`"}]}`)
			}
			if got := <-read; got != uri {
				t.Errorf("%s is %s", uri, got)
			}
		}
	})
}

// TestTheIconsOfAServerAreSafe makes a server send icons that clients must not use.
func TestTheIconsOfAServerAreSafe(t *testing.T) {
	revisionsOf(t, "icons.scheme.reject", func(t *testing.T, revision string) {
		proves(t, "icons.scheme.allow")
		const info = `{"name":"s","version":"1","icons":[{"src":"javascript:a"},{"src":"https://example.com/b"},{"src":"http://example.com/c"},{"src":"file:///d"},{"src":"data:image/png;base64,AA=="}]}`
		c, err := shaking(t, &mcp.ClientOptions{Revisions: []string{revision}}, func(p *mcptest.Peer) {
			m := p.Receive()
			if m.Method == "initialize" {
				p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"serverInfo":%s}`, revision, info))
				p.Expect("notifications/initialized")
				return
			}
			p.Reply(m, fmt.Sprintf(`{"resultType":"complete","supportedVersions":[%q],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":%s}}`, revision, info))
		})
		must(t, err)
		var sources []string
		for _, icon := range c.Server().Icons {
			sources = append(sources, icon.Source)
		}
		if got := strings.Join(sources, " "); c.Server().Name != "s" || got != "https://example.com/b data:image/png;base64,AA==" {
			t.Errorf("the icons are %s", got)
		}
	})
}

func TestAHandshakeThatTimesOutIsNamedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := shaking(t, &mcp.ClientOptions{Revisions: []string{"2025-11-25"}, Timeout: time.Second}, func(p *mcptest.Peer) { p.Expect("initialize") })
		const want = "mcp: connecting: initialize: the server has not answered or reported progress for 1s (Timeout): context deadline exceeded"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
