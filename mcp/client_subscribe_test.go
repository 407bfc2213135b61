package mcp_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestEveryFilterIsSentAsItIs subscribes with every combination of the filter's fields.
func TestEveryFilterIsSentAsItIs(t *testing.T) {
	eachPlayed(t, "subs.request.filter", func(t *testing.T, revision, transport string) {
		proves(t, "subs.end.client-cancel")
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
		for set := range 1 << 3 {
			for _, uris := range [][]string{nil, {}, {"x:a"}, {"x:b", "x:a", "x:c/é"}} {
				f := mcp.Filter{Tools: set&1 != 0, Prompts: set&2 != 0, Resources: set&4 != 0, URIs: uris}
				var members []string
				for name, want := range map[string]bool{`"toolsListChanged":true`: f.Tools, `"promptsListChanged":true`: f.Prompts, `"resourcesListChanged":true`: f.Resources} {
					if want {
						members = append(members, name)
					}
				}
				slices.Sort(members)
				slices.Reverse(members) // order of the members: tools, resources, prompts
				if f.Prompts && f.Resources {
					n := len(members)
					members[n-1], members[n-2] = members[n-2], members[n-1]
				}
				if len(uris) > 0 {
					members = append(members, `"resourceSubscriptions":["`+strings.Join(uris, `","`)+`"]`)
				}
				subscribed := make(chan *mcp.Subscription, 1)
				go func() {
					s, err := c.Subscribe(t.Context(), f)
					must(t, err)
					subscribed <- s
				}()
				m := p.Expect("subscriptions/listen")
				if want := `"params":{"notifications":{` + strings.Join(members, ",") + `},"_meta":`; !strings.Contains(m.Line, want) {
					t.Errorf("sent %s, want %s", m.Line, want)
				}
				p.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+string(m.ID)+`},"notifications":{}}`)
				go (<-subscribed).Close()
				if got := p.Expect("notifications/cancelled"); !strings.Contains(strings.ReplaceAll(got.Line, "}", ","), `"requestId":`+string(m.ID)+`,`) {
					t.Errorf("the subscription %s is ended by %s", m.ID, got.Line)
				}
			}
		}
	})
}

// TestEverySubscriptionIsMadeAgain breaks a connection that several subscriptions share.
func TestEverySubscriptionIsMadeAgain(t *testing.T) {
	eachPlayed(t, "stdio.restart.resubscribe", func(t *testing.T, revision, transport string) {
		proves(t, "stdio.subscription-correlation", "http.post.metadata-headers", "http.header.mcp-method", "subs.request.filter", "meta.request.protocol-version")
		synctest.Test(t, func(t *testing.T) {
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
			filters := []mcp.Filter{{Tools: true}, {Prompts: true, Lost: true}, {Resources: true}, {Lost: true, URIs: []string{"x:a"}}}
			kinds := []mcp.Change{{Kind: mcp.ChangeTools}, {Kind: mcp.ChangePrompts}, {Kind: mcp.ChangeResources}, {Kind: mcp.ChangeResource, URI: "x:a"}}
			names := []string{"toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"}
			methods := []string{"tools/list_changed", "prompts/list_changed", "resources/list_changed", "resources/updated"}
			tags := make([]string, len(filters))
			accept := func() {
				for range filters {
					m := p.Expect("subscriptions/listen")
					i := slices.IndexFunc(names, func(name string) bool { return strings.Contains(m.Line, name) })
					if tags[i] != "" {
						t.Errorf("a second subscription of %s", names[i])
					}
					tags[i] = fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/subscriptionId":%s}`, m.ID)
					p.Notify("notifications/subscriptions/acknowledged", `{`+tags[i]+`,"notifications":{}}`)
				}
			}
			subs, done := make([]*mcp.Subscription, len(filters)), make(chan error, len(filters))
			for i, f := range filters {
				go func() {
					var err error
					subs[i], err = c.Subscribe(t.Context(), f)
					done <- err
				}()
			}
			accept()
			for range filters {
				must(t, <-done)
			}
			for range 3 {
				for i := range filters {
					for _, method := range methods { // each subscription receives all changes and selects its own
						p.Notify("notifications/"+method, `{`+tags[i]+`,"uri":"x:a"}`)
					}
				}
				synctest.Wait()
				for i, s := range subs {
					if got, err := s.Next(t.Context()); err != nil || got != kinds[i] {
						t.Errorf("subscription %d has %+v, %v", i, got, err)
					}
				}
				clear(tags)
				p.Close()
				p.Accept()
				if transport == "pipe" {
					p.Handshake(revision)
				}
				accept()
				for i, s := range subs {
					if got, err := s.Next(t.Context()); err != nil || got.Kind != mcp.ChangeAny {
						t.Errorf("subscription %d is made again: %+v, %v", i, got, err)
					}
				}
			}
			must(t, c.Close())
		})
	})
}

// TestPagesOfListsAreCachedApart reads two lists whose pages have the same cursors.
func TestPagesOfListsAreCachedApart(t *testing.T) {
	eachPlayed(t, "cache.key.exact", func(t *testing.T, revision, transport string) {
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
		lists := []struct {
			method, page string
			list         func() error
		}{
			{"tools/list", `"tools":[]`, func() error { return lastOf(c.Tools(t.Context())) }},
			{"prompts/list", `"prompts":[]`, func() error { return lastOf(c.Prompts(t.Context())) }},
			{"resources/list", `"resources":[]`, func() error { return lastOf(c.Resources(t.Context())) }},
			{"resources/templates/list", `"resourceTemplates":[]`, func() error { return lastOf(c.ResourceTemplates(t.Context())) }},
		}
		failed := make(chan error, 1)
		for _, l := range lists {
			go func() { failed <- l.list() }()
			for _, next := range []string{`,"nextCursor":"a"`, `,"nextCursor":"b"`, ``} {
				p.Reply(p.Expect(l.method), `{"resultType":"complete","ttlMs":60000,`+l.page+next+`}`)
			}
			must(t, <-failed)
		}
		for _, l := range lists {
			must(t, l.list()) // each page is cached
		}
	})
}

// TestSubscriptionsAreToldApart uses two subscriptions on one connection.
func TestSubscriptionsAreToldApart(t *testing.T) {
	eachPlayed(t, "stdio.subscription-correlation", func(t *testing.T, revision, transport string) {
		proves(t, "cancel.own-request", "subs.end.client-cancel")
		synctest.Test(t, func(t *testing.T) { subscribeTwice(t, transport, revision) })
	})
}

func subscribeTwice(t *testing.T, transport, revision string) {
	p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
	tags := map[string]string{}
	var subs []*mcp.Subscription
	for _, name := range []string{"one", "two"} {
		began := make(chan *mcp.Subscription)
		go func() {
			s, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true, Prompts: true, URIs: []string{"x:a"}})
			must(t, err)
			began <- s
		}()
		m := p.Expect("subscriptions/listen")
		tags[name] = string(m.ID)
		p.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":99},"notifications":{}}`)
		p.Notify("notifications/subscriptions/acknowledged", `{"notifications":{"promptsListChanged":true}}`)
		synctest.Wait()
		p.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+tags[name]+`},"notifications":{"toolsListChanged":true}}`)
		s := <-began
		if got := s.Accepted(); !got.Tools || got.Prompts || got.URIs != nil {
			t.Errorf("%s: accepted %+v", name, got)
		}
		subs = append(subs, s)
	}
	tags["no number"], tags["text"], tags["other"], tags["none"] = `{}`, `"`+tags["one"]+`"`, "99", ""
	next := func(s *mcp.Subscription) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		change, err := s.Next(ctx)
		if err != nil {
			return ""
		}
		return string(change.Kind)
	}
	for name, tag := range tags {
		for method, kind := range map[string]string{"notifications/tools/list_changed": "tools", "notifications/prompts/list_changed": "prompts", "notifications/resources/updated": "resource"} {
			params := `{"uri":"x:a","_meta":{"io.modelcontextprotocol/subscriptionId":` + tag + `}}`
			if tag == "" {
				params = `{"uri":"x:a"}`
			}
			p.Notify(method, params)
			synctest.Wait()
			for i, want := range []string{"one", "two"} {
				if got := next(subs[i]); (got == kind) != (name == want) || got != "" && got != kind {
					t.Errorf("%s of %s: subscription %s gets %q", method, name, want, got)
				}
			}
		}
	}
	go subs[0].Close()
	if m := p.Expect("notifications/cancelled"); !strings.Contains(m.Line, `"requestId":`+tags["one"]+`}`) && !strings.Contains(m.Line, `"requestId":`+tags["one"]+`,`) {
		t.Errorf("sent %s", m.Line)
	}
	p.Notify("notifications/tools/list_changed", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+tags["two"]+`}}`)
	if got := next(subs[1]); got != "tools" {
		t.Errorf("after the end of the first the second gets %q", got)
	}
}
