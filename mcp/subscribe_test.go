package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// changing returns a server whose lists and resources can change.
func changing(t testing.TB, opts *mcp.ServerOptions) *mcp.Server {
	t.Helper()
	s := echoServer(t, opts)
	must(t, s.AddPrompt(mcp.Prompt{Name: "a"}, says()), s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()))
	return s
}

// change changes one of the following, depending on n: the lists of tools, prompts and resources,
// and the resources x:a and x:b.
func change(t testing.TB, s *mcp.Server, n int) {
	t.Helper()
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: fmt.Sprint("tool-", n)}, exitTool),
		s.AddPrompt(mcp.Prompt{Name: fmt.Sprint("prompt-", n)}, says()),
		s.AddResource(mcp.Resource{URI: fmt.Sprint("x:", n), Name: "r"}, holds()))
	s.ResourceUpdated("x:a")
	s.ResourceUpdated("x:b")
}

// heard returns a short form of a notification.
func heard(m *message) string {
	return strings.TrimSpace(strings.TrimPrefix(m.Method, "notifications/") + " " + fmt.Sprint(m.Params["uri"]))
}

const listenAll = `"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["x:a"]}`

func subscriptionID(m *message) any {
	return object(m.Params["_meta"])["io.modelcontextprotocol/subscriptionId"]
}

func TestASubscriptionHearsWhatItAskedFor(t *testing.T) {
	proves(t, "subs.opt-in-only", "subs.ack.first", "subs.ack.nothing-before", "subs.ack.subset", "subs.id-is-request-id", "meta.notification.subscription-id",
		"resources.updated.modern", "tools.list-changed.modern", "prompts.list-changed.modern", "resources.list-changed.modern", "base.components.modern-core")
	all := []string{"tools/list_changed <nil>", "prompts/list_changed <nil>", "resources/list_changed <nil>", "resources/updated x:a", "resources/updated x:b"}
	tests := []struct {
		filter string
		agreed string // members of notifications in the acknowledgment
		hears  []string
	}{
		{`{}`, `map[]`, nil},
		{`{"toolsListChanged":true}`, `map[toolsListChanged:true]`, all[:1]},
		{`{"toolsListChanged":false,"promptsListChanged":true}`, `map[promptsListChanged:true]`, all[1:2]},
		{`{"resourcesListChanged":true}`, `map[resourcesListChanged:true]`, all[2:3]},
		{`{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}`, `map[promptsListChanged:true resourcesListChanged:true toolsListChanged:true]`, all[:3]},
		{`{"resourceSubscriptions":["x:b","x:c"]}`, `map[resourceSubscriptions:[x:b x:c]]`, all[4:]},
		{`{"resourceSubscriptions":["x:"]}`, `map[resourceSubscriptions:[x:]]`, nil}, // a prefix does not match
		{`{"resourceSubscriptions":[]}`, `map[]`, nil},
		{`{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["x:a","x:b"],"unheardOf":true}`,
			`map[promptsListChanged:true resourceSubscriptions:[x:a x:b] resourcesListChanged:true toolsListChanged:true]`, all},
	}
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		w := host(t, s, nil).open("2026-07-28")
		p := connect(t, s)
		p.open("2026-07-28")
		for i, test := range tests {
			id, tag := fmt.Sprint(i), any(float64(i))
			if i%2 == 1 {
				id, tag = fmt.Sprintf(`"s%d"`, i), fmt.Sprintf("s%d", i)
			}
			check := func(how string, next func() *message) {
				if m := next(); m.Method != "notifications/subscriptions/acknowledged" || fmt.Sprint(m.Params["notifications"]) != test.agreed || subscriptionID(m) != tag {
					t.Errorf("%s: %s: %s", how, test.filter, m.line)
				}
				if how == "HTTP" {
					change(t, s, 2*i)
				} else {
					change(t, s, 2*i+1)
				}
				for _, want := range test.hears {
					if m := next(); heard(m) != want || subscriptionID(m) != tag {
						t.Errorf("%s: %s: want %q, got %s", how, test.filter, want, m.line)
					}
				}
			}
			a := w.begin(id, "subscriptions/listen", `"notifications":`+test.filter).want(200)
			check("HTTP", a.receive)
			settle()
			a.close()
			if e, err := a.read(); err == nil {
				t.Errorf("%s: more: %+v", test.filter, e)
			}
			settle()
			p.send(w.request(id, "subscriptions/listen", `"notifications":`+test.filter))
			check("stdio", p.receive)
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
			if m := p.ask("99", "tools/call", "{"+callParams("echo", `{"message":"x"}`)+","+modernMeta("")+"}"); m.text() != "x" {
				t.Errorf("%s: more: %s", test.filter, m.line)
			}
		}
		change(t, s, 100) // no client is subscribed any longer
		p.end()
	})
}

// TestNothingComesBeforeAnAcknowledgmentThatIsHeldUp changes lists while middleware delays the
// acknowledgment of a subscription.
func TestNothingComesBeforeAnAcknowledgmentThatIsHeldUp(t *testing.T) {
	proves(t, "subs.ack.first", "subs.ack.nothing-before")
	for _, over := range []string{"pipe", "http"} {
		t.Run(over, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				held, release := make(chan bool), make(chan bool)
				hold := func(next mcp.MessageHandler) mcp.MessageHandler {
					return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
						if r.Outgoing() && r.Method() == "notifications/subscriptions/acknowledged" {
							held <- true
							<-release
						}
						return next(ctx, r)
					}
				}
				s := changing(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{hold}})
				var receive func() *message
				if over == "pipe" {
					p := connect(t, s)
					p.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + listenAll + `,` + modernMeta("") + `}}`)
					receive = p.receive
				} else {
					began := make(chan *answer, 1)
					w := host(t, s, nil).open(latest)
					go func() { began <- w.begin(1, "subscriptions/listen", listenAll) }()
					var a *answer
					receive = func() *message {
						if a == nil {
							a = <-began
						}
						return a.receive()
					}
				}
				<-held
				change(t, s, 1)
				settle()
				release <- true
				if m := receive(); m.Method != "notifications/subscriptions/acknowledged" {
					t.Errorf("before the acknowledgment: %s", m.line)
				}
				change(t, s, 2)
				if m := receive(); m.Method != "notifications/tools/list_changed" {
					t.Error(m.line)
				}
			})
		})
	}
}

func TestAnUpdateIsOfExactlyThatURI(t *testing.T) {
	proves(t, "resources.updated.modern", "arch.subscription-needs-capability", "subs.opt-in-only")
	s := newServer(nil)
	must(t, s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()))
	for _, revision := range revisions {
		for _, uri := range []string{"x://h/a", "x://h/a/"} {
			p := connect(t, s)
			params := p.open(revision)
			if revision == latest {
				p.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":` + params(fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q]}`, uri)) + "}")
				p.receive()
			} else {
				p.ask("1", "resources/subscribe", params(fmt.Sprintf(`"uri":%q`, uri)))
			}
			for _, near := range []string{"x://h/a", "x://h/a/", "x://h/a//", "X://h/a", "x://H/a", "x://h/A", "x://h/%61", "x://h/a?", "x://h/a#", "x://h/a/b", "x://h/", "x://h/a ", ""} {
				if near != uri {
					s.ResourceUpdated(near)
				}
			}
			s.ResourceUpdated(uri)
			if m := p.receive(); m.Method != "notifications/resources/updated" || m.Params["uri"] != uri {
				t.Errorf("%s: want an update of %s, got %s", revision, uri, m.line)
			}
			p.close()
		}
	}
}

func TestWhatTheServerDoesNotHaveIsNotAgreedTo(t *testing.T) {
	proves(t, "subs.ack.subset")
	bubble(t, func(t *testing.T) {
		w := host(t, echoServer(t, nil), nil).open("2026-07-28")
		m := w.begin(1, "subscriptions/listen", listenAll).receive()
		if fmt.Sprint(m.Params["notifications"]) != "map[toolsListChanged:true]" {
			t.Error(m.line)
		}
	})
}

func TestSubscriptionsShareAPipe(t *testing.T) {
	proves(t, "subs.ack.interleave", "stdio.cancel.server-silent", "stdio.cancel.server-stops", "subs.id-is-request-id")
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		p := connect(t, s)
		p.open("2026-07-28")
		listen := func(id, filter string) {
			t.Helper()
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":%s,%s}}`, id, filter, modernMeta("")))
			if m := p.receive(); m.Method != "notifications/subscriptions/acknowledged" || fmt.Sprintf("%#v", subscriptionID(m)) != map[string]string{"1": "1", `"1"`: `"1"`, "2": "2"}[id] {
				t.Fatal(m.line)
			}
		}
		listen("1", `{"toolsListChanged":true}`)
		listen(`"1"`, `{"toolsListChanged":true,"resourceSubscriptions":["x:b"]}`)
		listen("2", `{"resourceSubscriptions":["x:a"]}`)
		hear := func(want ...string) {
			t.Helper()
			got := map[string]bool{}
			for range want {
				m := p.receive()
				got[fmt.Sprintf("%#v ", subscriptionID(m))+heard(m)] = true
			}
			for _, one := range want {
				if !got[one] {
					t.Errorf("want %q among %v", one, got)
				}
			}
		}
		change(t, s, 1)
		hear(`1 tools/list_changed <nil>`, `"1" tools/list_changed <nil>`, `2 resources/updated x:a`, `"1" resources/updated x:b`)
		// Ending one subscription does not end another one with a similar ID.
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
		p.ask("3", "tools/list", "{"+modernMeta("")+"}")
		change(t, s, 2)
		hear(`"1" tools/list_changed <nil>`, `2 resources/updated x:a`, `"1" resources/updated x:b`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		p.ask("4", "tools/list", "{"+modernMeta("")+"}")
		change(t, s, 3)
		p.end()
	})
}

func TestTheServerEndsSubscriptionsInOrder(t *testing.T) {
	proves(t, "base.result.type.required", "subs.end.graceful-result", "subs.end.result-meta", "cancel.server.listen-teardown", "cancel.server.only-listen",
		"cancel.request-id.required")
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		p := connect(t, s)
		p.open("2026-07-28")
		for _, id := range []string{"1", `"two"`} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{%s,%s}}`, id, listenAll, modernMeta("")))
			p.receive()
		}
		other := connect(t, s) // the subscription of this connection continues
		other.open("2026-07-28")
		other.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{%s,%s}}`, listenAll, modernMeta("")))
		other.receive()
		p.in.Close()
		got := map[string]string{}
		for range 4 {
			m := p.receive()
			switch {
			case m.Method == "notifications/cancelled":
				got[fmt.Sprint(m.Params["requestId"])] += " then cancelled"
			case m.Result["resultType"] == "complete":
				id := fmt.Sprint(object(m.Result["_meta"])["io.modelcontextprotocol/subscriptionId"])
				got[id] += "result"
			default:
				t.Error(m.line)
			}
		}
		if len(got) != 2 || got["1"] != "result then cancelled" || got["two"] != "result then cancelled" {
			t.Errorf("the ends: %v", got)
		}
		p.end()
		change(t, s, 1) // the subscribed clients have disconnected
		if m := other.receive(); m.Method != "notifications/tools/list_changed" {
			t.Errorf("the subscription of another gets %s", m.line)
		}
	})
}

func TestTheIDOfASubscriptionComesBackExactlyAsSent(t *testing.T) {
	proves(t, "subs.id-is-request-id", "meta.notification.subscription-id", "subs.end.result-meta", "base.result.type.value-set")
	ids := []string{`9007199254740993`, `-9007199254740993`, `123456789012345678901234567890`, `"9007199254740993"`, `""`, `"a\u0000b"`, `0`}
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		tagged := func(m *message, id string) {
			t.Helper()
			if !strings.Contains(m.line, `"io.modelcontextprotocol/subscriptionId":`+id) {
				t.Errorf("subscription %s: %s", id, m.line)
			}
		}
		listen := func(id string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`, id, modernMeta(""))
		}
		for i, id := range ids {
			p := connect(t, s)
			p.open("2026-07-28")
			p.send(listen(id))
			tagged(p.receive(), id)
			endpoint := host(t, s, nil)
			a := endpoint.open("2026-07-28").with("Mcp-Method: subscriptions/listen").post(listen(id)).want(http.StatusOK)
			tagged(a.receive(), id)
			addNamed(t, s, fmt.Sprint("tool-", i))
			tagged(p.receive(), id)
			tagged(a.receive(), id)
			p.in.Close()
			m := p.receive()
			if tagged(m, id); string(m.ID) != id || m.Result["resultType"] != "complete" {
				t.Errorf("the end of %s: %s", id, m.line)
			}
			if m := p.receive(); !strings.Contains(m.line, `"requestId":`+id) {
				t.Errorf("the cancellation of %s: %s", id, m.line)
			}
			go endpoint.stop()
			m = a.receive()
			if tagged(m, id); string(m.ID) != id || m.Result["resultType"] != "complete" {
				t.Errorf("the end of %s: %s", id, m.line)
			}
		}
	})
}

func TestOnlyWhatWasAskedForComesOnASubscription(t *testing.T) {
	proves(t, "http.sse.listen-scope", "log.request-scoped", "http.sse.x-accel-buffering")
	bubble(t, func(t *testing.T) {
		talkative := func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				r.Log(mcp.LevelError, "", "a request has come")
				r.Progress(1, 2, "")
				return next(ctx, r)
			}
		}
		s := changing(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}, Middleware: []mcp.Middleware{talkative}})
		w := host(t, s, nil).open("2026-07-28").with("Mcp-Method: subscriptions/listen")
		a := w.post(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta(`,"progressToken":1,"io.modelcontextprotocol/logLevel":"debug"`) + `}}`)
		if m := a.receive(); m.Method != "notifications/subscriptions/acknowledged" || a.head.Get("X-Accel-Buffering") != "no" {
			t.Error(a.head, m.line)
		}
		w.talk(2, `2`, `{}`)
		change(t, s, 1)
		if m := a.receive(); m.Method != "notifications/tools/list_changed" {
			t.Error(m.line)
		}
	})
}

func TestSubscriptionsAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := changing(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxSubscriptions: 2}})
		endpoint := host(t, s, nil)
		w := endpoint.open("2026-07-28")
		a := w.begin(1, "subscriptions/listen", listenAll)
		a.receive()
		w.begin(2, "subscriptions/listen", listenAll).receive()
		w.begin(3, "subscriptions/listen", listenAll).wantError(200, mcp.CodeInternalError)
		a.close()
		settle()
		w.begin(3, "subscriptions/listen", listenAll).receive()
		for _, params := range []string{``, `"notifications":null`, `"notifications":[]`, `"notifications":{"toolsListChanged":"yes"}`, `"notifications":{"resourceSubscriptions":"x:a"}`,
			`"notifications":{"resourceSubscriptions":[1]}`, `"notifications":{"resourceSubscriptions":[""]}`,
			`"notifications":{"resourceSubscriptions":["x:` + strings.Repeat("a", 10_000) + `"]}`,
			`"notifications":{"resourceSubscriptions":["x:a"` + strings.Repeat(`,"x:a"`, 1000) + `]}`} {
			w.begin(4, "subscriptions/listen", params).wantError(200, mcp.CodeInvalidParams)
		}
		// A client that does not accept event streams cannot subscribe.
		w.with("Accept: application/json").begin(5, "subscriptions/listen", listenAll).wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
	})
}

func TestListenersThatDoNotReadHoldUpNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		endpoint := host(t, s, nil)
		w := endpoint.open("2026-07-28")
		line := w.request(1, "subscriptions/listen", listenAll)
		endpoint.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: %d\r\n\r\n%s", len(line), line))
		p := dial(s)
		must(t, p.send(line))
		defer func() {
			p.in.Close()
			p.out.Close()
			<-p.served
		}()
		a := w.begin(1, "subscriptions/listen", listenAll)
		a.receive()
		began := time.Now()
		for i := range 100 {
			change(t, s, i)
			for range 4 {
				a.receive()
			}
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestSessionsSubscribeToResources(t *testing.T) {
	proves(t, "resources.subscribe", "resources.updated.only-subscribed", "arch.subscription-needs-capability", "resources.capability.options")
	eachInBubble(t, revisions[:4], func(t *testing.T, revision string) {
		s := changing(t, nil)
		p, other := connect(t, s), connect(t, s)
		m := p.initialize(revision)
		if object(object(m.Result["capabilities"])["resources"])["subscribe"] != true {
			t.Error(m.line)
		}
		other.initialize(revision)
		ask := func(method, uri string) *message {
			t.Helper()
			return p.ask("1", "resources/"+method, fmt.Sprintf(`{"uri":%q}`, uri))
		}
		for _, uri := range []string{"x:a", "x:b", "x:a"} {
			if m := ask("subscribe", uri); m.Error != nil {
				t.Error(m.line)
			}
		}
		if m := other.ask("1", "resources/unsubscribe", `{"uri":"x:a"}`); m.Error != nil {
			t.Error(m.line)
		}
		s.ResourceUpdated("x:a")
		s.ResourceUpdated("x:b")
		s.ResourceUpdated("x:c")
		for _, want := range []string{"x:a", "x:b"} {
			if m := p.receive(); heard(m) != "resources/updated "+want {
				t.Error(m.line)
			}
		}
		if m := ask("unsubscribe", "x:a"); m.Error != nil {
			t.Error(m.line)
		}
		s.ResourceUpdated("x:a")
		s.ResourceUpdated("x:b")
		if m := p.receive(); heard(m) != "resources/updated x:b" {
			t.Error(m.line)
		}
		for _, params := range []string{`{}`, `{"uri":7}`, `{"uri":""}`, `{"uri":"x:` + strings.Repeat("a", 10_000) + `"}`} {
			if m := p.ask("2", "resources/subscribe", params); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Error(m.line)
			}
		}
		for i := range 1000 {
			m = ask("subscribe", fmt.Sprint("x:", i))
		}
		if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("the 1001st subscription: %s", m.line)
		}
		p.end()
		other.end()
		s.ResourceUpdated("x:b")
	})
	// If the server has no resources when the session starts, the session has no subscriptions.
	for _, revision := range revisions[:4] {
		s := echoServer(t, nil)
		p, w := connect(t, s), host(t, s, nil).open(revision)
		p.initialize(revision)
		refused := func() {
			m, _ := w.begin(1, "resources/subscribe", `"uri":"x:a"`).response()
			for _, m := range []*message{m, p.ask("1", "resources/subscribe", `{"uri":"x:a"}`)} {
				if m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
					t.Errorf("%s: %s", revision, m.line)
				}
			}
		}
		refused()
		must(t, s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()))
		refused()
	}
}

func TestUpdatesReachTheSessionThatSubscribedOverHTTP(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		endpoint := host(t, s, nil)
		w, other := endpoint.open("2025-11-25"), endpoint.open("2025-11-25")
		a, b := w.resume(""), other.resume("")
		w.begin(1, "resources/subscribe", `"uri":"x:a"`).want(200)
		s.ResourceUpdated("x:b")
		s.ResourceUpdated("x:a")
		if m := a.receive(); heard(m) != "resources/updated x:a" {
			t.Error(m.line)
		}
		change(t, s, 1)
		if m := b.receive(); heard(m) != "tools/list_changed <nil>" {
			t.Errorf("another session: %s", m.line)
		}
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		s.ResourceUpdated("x:a")
	})
}
