package mcp_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestEveryInitializeIsWhole makes clients of the newest revision and an older one send initialize
// in every possible way, and then ends the connection or the session twice. Each initialize must
// contain the older revision and all capabilities.
func TestEveryInitializeIsWhole(t *testing.T) {
	declared := map[string][]string{
		"2024-11-05": {`"roots":{"listChanged":true}`, `"sampling":{}`},
		"2025-03-26": {`"roots":{"listChanged":true}`, `"sampling":{}`},
		"2025-06-18": {`"roots":{"listChanged":true}`, `"sampling":{}`, `"elicitation":{}`},
		"2025-11-25": {`"roots":{"listChanged":true}`, `"sampling":{}`, `"elicitation":{"form":{},"url":{}}`},
	}
	eachPlayed(t, "lifecycle.version.client-supported", func(t *testing.T, revision, transport string) {
		proves(t, "lifecycle.init.request", "lifecycle.init.initialized", "lifecycle.version.client-disconnect", "arch.sampling-needs-capability", "roots.capability",
			"sampling.capability", "elicit.capability", "elicit.capability.one-mode")
		reply := func(answer func(p *mcptest.Peer, m mcptest.Message)) func(p *mcptest.Peer) {
			return func(p *mcptest.Peer) { answer(p, p.Expect("server/discover")) }
		}
		ways := map[string]func(p *mcptest.Peer){
			"the method is unknown": reply(func(p *mcptest.Peer, m mcptest.Message) { p.Refuse(m, -32601, "what?") }),
			"the result is empty":   reply(func(p *mcptest.Peer, m mcptest.Message) { p.Reply(m, `{}`) }),
			"the result lacks capabilities": reply(func(p *mcptest.Peer, m mcptest.Message) {
				p.Reply(m, `{"resultType":"complete","supportedVersions":["2026-07-28"]}`)
			}),
			"the versions are a text": reply(func(p *mcptest.Peer, m mcptest.Message) {
				p.Reply(m, `{"resultType":"complete","supportedVersions":"2026-07-28","capabilities":{}}`)
			}),
			"the older one is listed": reply(func(p *mcptest.Peer, m mcptest.Message) {
				p.Reply(m, `{"resultType":"complete","supportedVersions":["3000-01-01",`+fmt.Sprintf("%q", revision)+`],"capabilities":{}}`)
			}),
			"the server is silent": reply(func(*mcptest.Peer, mcptest.Message) {}),
			"the server ends":      reply(func(p *mcptest.Peer, _ mcptest.Message) { p.Accept() }),
		}
		if transport != "pipe" {
			ways = map[string]func(p *mcptest.Peer){"the relay answers 404 or 405": func(*mcptest.Peer) {}}
		}
		for name, lead := range ways {
			synctest.Test(t, func(t *testing.T) {
				p := mcptest.NewPeer(t)
				link := p.Transport()
				if transport != "pipe" {
					r := &relay{t: t, revision: revision, transport: transport, dial: p.Transport().(*mcp.ConnTransport).Dial}
					link = &mcp.HTTPTransport{URL: "http://localhost/mcp", HTTPClient: &http.Client{Transport: r}}
					defer r.end()
				}
				ran(t, revision, transport)
				opts := answering()
				opts.Revisions, opts.Logger = []string{latest, revision}, slog.New(slog.DiscardHandler)
				connected := make(chan error, 1)
				var c *mcp.Client
				go func() {
					var err error
					c, err = mcp.Connect(t.Context(), link, &opts)
					connected <- err
				}()
				first := ""
				initialize := func(agreed string) {
					t.Helper()
					m := p.Expect("initialize")
					for _, want := range append(declared[revision], `"protocolVersion":"`+revision+`"`, `"clientInfo":{"name":`, `"version":`) {
						if !strings.Contains(m.Line, want) {
							t.Errorf("%s: initialize lacks %s: %s", name, want, m.Line)
						}
					}
					if first == "" {
						first = string(m.Params)
					} else if string(m.Params) != first {
						t.Errorf("%s: initialize has %s at first and %s later", name, first, m.Params)
					}
					p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`, agreed))
					if agreed == revision {
						p.Expect("notifications/initialized")
					}
				}
				p.Accept()
				lead(p)
				initialize(revision)
				must(t, <-connected)
				defer c.Close()
				for range 2 {
					p.Close()
					synctest.Wait() // the client has noticed the end of the connection
					failed := calling(t, c, nil)
					p.Accept()
					initialize(revision)
					p.Reply(p.Expect("tools/call"), emptyContent)
					must(t, <-failed)
				}
				p.Close()
				synctest.Wait()
				failed := calling(t, c, nil)
				p.Accept()
				unknown := "2024-11-05" // a revision that the client does not support
				if revision == unknown {
					unknown = "2025-03-26"
				}
				initialize(unknown)
				if transport != "pipe" {
					p.Close() // so that the client tries other ways to connect
				}
				if err := <-failed; err == nil || transport == "pipe" && !strings.Contains(err.Error(), "wants to use revision") {
					t.Errorf("%s: the error is %v", name, err)
				}
			})
		}
	})
}

// TestASecondOfferIsWhole makes servers refuse the client's revision and offer an older one.
func TestASecondOfferIsWhole(t *testing.T) {
	revisionsOf(t, "lifecycle.init.request", func(t *testing.T, revision string) {
		proves(t, "lifecycle.init.initialized", "lifecycle.version.client-supported", "arch.sampling-needs-capability", "roots.capability", "sampling.capability")
		if revision == "2025-11-25" {
			revision = "2024-11-05" // newer revisions do not have initialize
		}
		opts := answering()
		opts.Revisions = []string{"2025-11-25", revision}
		_, err := shaking(t, &opts, func(p *mcptest.Peer) {
			m := p.Expect("initialize")
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no","data":{"supported":["2024-10-07","2026-07-28",%q],"requested":"2025-11-25"}}}`, m.ID, revision))
			m = p.Expect("initialize")
			for _, want := range []string{`"protocolVersion":"` + revision + `"`, `"roots":{"listChanged":true}`, `"sampling":{}`, `"clientInfo":{"name":`} {
				if !strings.Contains(m.Line, want) {
					t.Errorf("initialize lacks %s: %s", want, m.Line)
				}
			}
			p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, revision))
			p.Expect("notifications/initialized")
		})
		must(t, err)
	})
}

// TestASilentProcessIsInitialized starts a server that does not answer
// server/discover.
func TestASilentProcessIsInitialized(t *testing.T) {
	proves(t, "stdio.probe.fallback", "lifecycle.version.client-supported")
	c, _ := child(t, "knows only initialize", &mcp.ClientOptions{ProbeTimeout: time.Millisecond}, nil)
	if got := c.Server().Revision; got != "2025-06-18" {
		t.Errorf("the revision is %s", got)
	}
}

// TestWhatAServerHasNotDeclaredIsNotAskedFor connects to servers that declare all capabilities
// except one, and to servers that declare only that one.
func TestWhatAServerHasNotDeclaredIsNotAskedFor(t *testing.T) {
	declarations := map[string]string{"tools": "{}", "prompts": "{}", "resources": "{}", "completions": "{}", "logging": "{}"}
	revisionsOf(t, "arch.capabilities-respected", func(t *testing.T, revision string) {
		proves(t, "lifecycle.operation.capabilities.must")
		for one := range declarations {
			for _, alone := range []bool{false, true} {
				has := func(name string) bool {
					return (name == one) == alone || name == "completions" && revision == "2024-11-05" // the revision does not declare these
				}
				var declared []string
				for name, value := range declarations {
					if (name == one) == alone {
						declared = append(declared, fmt.Sprintf("%q:%s", name, value))
					}
				}
				capabilities := "{" + strings.Join(declared, ",") + "}"
				p := mcptest.NewPeer(t)
				connected := make(chan error)
				var c *mcp.Client
				go func() {
					var err error
					c, err = mcp.Connect(t.Context(), p.Transport(), &mcp.ClientOptions{Revisions: []string{revision}})
					connected <- err
				}()
				p.Accept()
				if m := p.Receive(); revision == latest {
					p.Reply(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`}`)
				} else {
					p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"s","version":"1"}}`, revision, capabilities))
					p.Expect("notifications/initialized")
				}
				must(t, <-connected)
				ran(t, revision, "pipe")
				for method, call := range map[string]func() error{
					"tools/call":               func() error { _, err := c.CallTool(t.Context(), "x", nil, nil); return err },
					"prompts/get":              func() error { _, err := c.GetPrompt(t.Context(), "x", nil, nil); return err },
					"resources/read":           func() error { _, err := c.ReadResource(t.Context(), "x:a", nil); return err },
					"completion/complete":      func() error { _, err := c.CompletePrompt(t.Context(), "p", "a", "", nil); return err },
					"tools/list":               func() error { return lastOf(c.Tools(t.Context())) },
					"prompts/list":             func() error { return lastOf(c.Prompts(t.Context())) },
					"resources/list":           func() error { return lastOf(c.Resources(t.Context())) },
					"resources/templates/list": func() error { return lastOf(c.ResourceTemplates(t.Context())) },
				} {
					kind, what, _ := strings.Cut(method, "/")
					if kind == "completion" {
						kind = "completions"
					}
					failed := make(chan error, 1)
					go func() { failed <- call() }()
					if has(kind) {
						p.Refuse(p.Expect(method), 1, "asked")
						if err := <-failed; err == nil || !strings.Contains(err.Error(), "asked") {
							t.Errorf("%s of a server with %s: %v", method, capabilities, err)
						}
					} else if err := <-failed; (err == nil) != strings.HasSuffix(what, "list") || err != nil && !strings.Contains(err.Error(), "has not declared the capability "+kind) {
						t.Errorf("%s of a server with %s: %v", method, capabilities, err)
					}
				}
				p.Close()
				must(t, c.Close())
			}
		}
	})
}

// TestBothAnswersCanBeLate makes servers answer server/discover only after the client has also sent
// initialize.
func TestBothAnswersCanBeLate(t *testing.T) {
	refuse := func(p *mcptest.Peer, m mcptest.Message) { p.Refuse(m, -32601, "what?") }
	discover := func(p *mcptest.Peer, m mcptest.Message) {
		p.Reply(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`)
	}
	open := func(p *mcptest.Peer, m mcptest.Message) {
		p.Reply(m, `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
	}
	type answer struct {
		method string
		give   func(p *mcptest.Peer, m mcptest.Message)
	}
	tests := map[string]struct {
		answers []answer
		want    string
	}{
		"a refusal, a session":         {[]answer{{"server/discover", refuse}, {"initialize", open}}, "2025-06-18"},
		"an empty result, a session":   {[]answer{{"server/discover", func(p *mcptest.Peer, m mcptest.Message) { p.Reply(m, `{}`) }}, {"initialize", open}}, "2025-06-18"},
		"a session":                    {[]answer{{"initialize", open}}, "2025-06-18"},
		"a result":                     {[]answer{{"server/discover", discover}}, latest},
		"no session, a result":         {[]answer{{"initialize", refuse}, {"server/discover", discover}}, latest},
		"neither":                      {[]answer{{"initialize", refuse}, {"server/discover", refuse}}, ""},
		"neither, the other way":       {[]answer{{"server/discover", refuse}, {"initialize", refuse}}, ""},
		"a session, and a late result": {[]answer{{"initialize", open}, {"server/discover", discover}}, "2025-06-18"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			proves(t, "stdio.probe.fallback", "stdio.probe.discover-result", "versioning.fallback.on-anything-else")
			synctest.Test(t, func(t *testing.T) {
				c, err := shaking(t, nil, func(p *mcptest.Peer) {
					requests := map[string]mcptest.Message{"server/discover": p.Expect("server/discover"), "initialize": p.Expect("initialize")}
					for _, a := range test.answers {
						a.give(p, requests[a.method])
						synctest.Wait()
						if a.method == "initialize" && test.want == "2025-06-18" {
							p.Expect("notifications/initialized")
						}
					}
				})
				if (err == nil) != (test.want != "") || err == nil && c.Server().Revision != test.want {
					t.Errorf("want %q, got %v", test.want, err)
				}
			})
			ran(t, latest, "pipe")
		})
	}
}

// TestAPingIsAnsweredBeforeTheRevisionIsAgreed makes servers send pings and other requests before
// they answer initialize.
func TestAPingIsAnsweredBeforeTheRevisionIsAgreed(t *testing.T) {
	const early = `{"jsonrpc":"2.0","id":"early","method":"ping"}`
	revisionsOf(t, "ping.respond", func(t *testing.T, revision string) {
		t.Run("pipe", func(t *testing.T) {
			ran(t, revision, "pipe")
			p := mcptest.NewPeer(t)
			opts := answering()
			opts.Revisions = []string{revision}
			connected := make(chan error)
			var c *mcp.Client
			go func() {
				var err error
				c, err = mcp.Connect(t.Context(), p.Transport(), &opts)
				connected <- err
			}()
			p.Accept()
			m := p.Expect("initialize")
			p.Send(early)
			if got := p.Receive(); got.Line != `{"jsonrpc":"2.0","id":"early","result":{}}` {
				t.Errorf("the answer to ping is %s", got.Line)
			}
			if got := p.Ask("roots/list", "{}"); !strings.Contains(got.Line, `"code":-32600`) {
				t.Errorf("the answer to roots/list is %s", got.Line)
			}
			p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"x","version":"1"}}`, revision))
			p.Expect("notifications/initialized")
			must(t, <-connected)
			p.Close()
			must(t, c.Close())
		})
		if revision == "2024-11-05" {
			return
		}
		t.Run("http", func(t *testing.T) {
			answered := make(chan string, 1)
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				switch {
				case p.Method == "initialize":
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, "data: %s\n\n", early)
					http.NewResponseController(w).Flush()
					if got := <-answered; got != `{"jsonrpc":"2.0","id":"early","result":{}}` {
						t.Errorf("the answer to ping is %s", got)
					}
					fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":%q,\"capabilities\":{},\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}}}\n\n", p.ID, revision)
				case p.Request.Method == http.MethodPost && p.Method == "":
					answered <- p.body
					w.WriteHeader(http.StatusAccepted)
				default:
					p.session(w, revision, "")
				}
			})
			s.dialed(t, revision, &mcp.HTTPTransport{})
		})
	})
}

// TestCodesOfErrorsAreIntegersOfAnySize makes servers return error codes that
// need more than 32 bits.
func TestCodesOfErrorsAreIntegersOfAnySize(t *testing.T) {
	revisionsOf(t, "base.error.code-integer", func(t *testing.T, revision string) {
		p, c := played(t, revision, mcp.ClientOptions{})
		for _, code := range []int{0, 1, -1, -32000, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1, 1<<53 - 1, -1<<53 + 1} {
			failed := calling(t, c, nil)
			p.Refuse(p.Expect("tools/call"), code, "no")
			if e, ok := errors.AsType[*mcp.Error](<-failed); !ok || e.Code != code || e.Message != "no" {
				t.Errorf("code %d: %+v", code, e)
			}
		}
	})
}
