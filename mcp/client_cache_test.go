package mcp_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestEachKindOfResultIsKeptForItsTime requests results of each kind that servers
// allow clients to cache, just before and after they expire and after changes.
func TestEachKindOfResultIsKeptForItsTime(t *testing.T) {
	proves(t, "cache.key.exact", "cache.ttl.fresh", "cache.ttl.zero", "cache.ttl.absent", "cache.ttl.negative", "cache.stale-refetch", "cache.notification-invalidates", "cache.no-poll")
	changes := map[string]string{
		"tools": "notifications/tools/list_changed", "prompts": "notifications/prompts/list_changed", "resources": "notifications/resources/list_changed", "a resource": "notifications/resources/updated",
	}
	for kind, tt := range map[string]struct {
		method, result string // result lacks the closing brace
		change         string // the key in the notification of a change
		ask            func(ctx context.Context, c *mcp.Client) error
	}{
		"tools":     {"tools/list", `{"resultType":"complete","tools":[]`, "tools", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Tools(ctx)) }},
		"prompts":   {"prompts/list", `{"resultType":"complete","prompts":[]`, "prompts", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Prompts(ctx)) }},
		"resources": {"resources/list", `{"resultType":"complete","resources":[]`, "resources", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Resources(ctx)) }},
		"templates": {"resources/templates/list", `{"resultType":"complete","resourceTemplates":[]`, "resources", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.ResourceTemplates(ctx)) }},
		"a resource": {"resources/read", `{"resultType":"complete","contents":[]`, "a resource", func(ctx context.Context, c *mcp.Client) error {
			_, err := c.ReadResource(ctx, "x:a", nil)
			return err
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, c := played(t, "2026-07-28", mcp.ClientOptions{})
				// asks makes the client request the result and reports whether the client sends a
				// request to the server. The server's result contains hints.
				asks := func(hints string) bool {
					t.Helper()
					failed, requested := make(chan error, 1), false
					go func() { failed <- tt.ask(t.Context(), c) }()
					synctest.Wait()
					select {
					case err := <-failed:
						must(t, err)
					default:
						requested = true
						p.Reply(p.Expect(tt.method), tt.result+hints+`,"cacheScope":"private"}`)
						must(t, <-failed)
					}
					return requested
				}
				want := func(requested bool, when, hints string) {
					t.Helper()
					if got := asks(hints); got != requested {
						t.Errorf("%s: the server is asked: %t, want %t", when, got, requested)
					}
				}
				const hints = `,"ttlMs":60000`
				want(true, "at first", hints)
				want(false, "at once", hints)
				time.Sleep(60*time.Second - 1)
				want(false, "a nanosecond before the end", hints)
				time.Sleep(time.Nanosecond)
				synctest.Wait() // the client must not send a request without a call
				want(true, "at the end", hints)
				for name, notification := range changes {
					p.Notify(notification, `{"uri":"x:a"}`)
					synctest.Wait()
					want(name == tt.change, "after a change of "+name, hints)
				}
				p.Notify(changes["a resource"], `{"uri":"x:b"}`)
				p.Notify("notifications/example", `{"uri":"x:a"}`)
				synctest.Wait()
				want(false, "after a change of another resource", hints)
				for _, none := range []string{`,"ttlMs":0`, `,"ttlMs":-1`, ``, `,"ttlMs":"60000"`, `,"ttlMs":null`, `,"ttlMs":0.4`} {
					time.Sleep(time.Minute)
					want(true, "before "+none, none)
					want(true, "after "+none, hints)
				}
				// The cached result of one method is not returned for another.
				for _, other := range []struct{ method, result string }{{"tools/list", `"tools":[]`}, {"prompts/list", `"prompts":[]`}, {"resources/list", `"resources":[]`}} {
					if other.method == tt.method {
						continue
					}
					failed := make(chan error, 1)
					go func() {
						switch other.method {
						case "tools/list":
							failed <- lastOf(c.Tools(t.Context()))
						case "prompts/list":
							failed <- lastOf(c.Prompts(t.Context()))
						default:
							failed <- lastOf(c.Resources(t.Context()))
						}
					}()
					p.Reply(p.Expect(other.method), `{"resultType":"complete",`+other.result+`,"ttlMs":0}`)
					must(t, <-failed)
				}
				want(false, "after other lists", hints)
				if kind != "a resource" {
					return
				}
				for _, uri := range []string{"X:a", "x:A", "x:a/", "x:a#", "x:a?", "x:%61", "x: a", "x:a\n", "x:", "x:a b", "x:a%20b", "x:a%2520b", "x:a?b", "x:a?b=1", "x:a?b=2", "x:a//", "x:" + strings.Repeat("a", 500), "x:" + strings.Repeat("a", 500) + "b", "x:a.", "x:á", "x:a\u0301"} {
					failed := make(chan error, 1)
					go func() {
						_, err := c.ReadResource(t.Context(), uri, nil)
						failed <- err
					}()
					synctest.Wait()
					if len(failed) > 0 {
						t.Errorf("%q is taken for x:a", uri)
						continue
					}
					p.Reply(p.Expect(tt.method), tt.result+hints+`}`)
					must(t, <-failed)
				}
			})
		})
	}
}

// TestTwoClientsKeepTheirOwnResults makes two users read the same resource of one server. Then one
// of them signs in as someone else.
func TestTwoClientsKeepTheirOwnResults(t *testing.T) {
	proves(t, "cache.private.no-sharing")
	var mu sync.Mutex
	expired := map[string]bool{}
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		mu.Lock()
		defer mu.Unlock()
		user := p.Header.Get("Authorization")
		switch {
		case expired[user]:
			w.WriteHeader(http.StatusUnauthorized)
		case p.Method == "server/discover":
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"tools":{}}}`)
		case p.Method == "tools/call":
			p.reply(w, emptyContent)
		default:
			p.reply(w, `{"resultType":"complete","ttlMs":60000,"cacheScope":"private","contents":[{"uri":"x:a","text":"`+user+`"}]}`)
		}
	})
	read := func(c *mcp.Client, want string) {
		t.Helper()
		for range 2 {
			res, err := c.ReadResource(t.Context(), "x:a", nil)
			if err != nil || len(res.Contents) != 1 || res.Contents[0].Text != want {
				t.Errorf("%+v, %v, want the one of %s", res, err, want)
			}
		}
	}
	transport := func(user string) *mcp.HTTPTransport {
		return &mcp.HTTPTransport{Header: http.Header{"Authorization": {user}}}
	}
	read(s.dialed(t, "2026-07-28", transport("ada")), "ada")
	read(s.dialed(t, "2026-07-28", transport("eve")), "eve")
	guest := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{Authorizer: new(guests)})
	read(guest, "guest 1")
	mu.Lock()
	expired["guest 1"] = true
	mu.Unlock()
	if _, err := guest.CallTool(t.Context(), "x", nil, nil); err != nil { // the challenge makes the guest sign in
		t.Fatal(err)
	}
	read(guest, "guest 2")
}

// users is an Authorizer whose user changes without a challenge from the server.
type users struct{ user atomic.Value }

func (u *users) Authorize(_ context.Context, r *http.Request) error {
	user := u.user.Load().(string)
	if user == "" {
		return errors.New("signed out")
	}
	r.Header.Set("Cookie", "user="+user)
	r.Header.Set("Dpop", rand.Text()) // each request has a different proof
	return nil
}

func (*users) Challenged(context.Context, *http.Response) error { return errors.New("refused") }

// TestAPrivateResultIsReadUnderItsOwnCredentialsAlone changes a client's token while results are
// cached, and while a result is being read.
func TestAPrivateResultIsReadUnderItsOwnCredentialsAlone(t *testing.T) {
	proves(t, "cache.private.no-sharing")
	for _, scope := range []string{"private", "public", "", "Public", "shared", "absent"} {
		t.Run("scope "+scope, func(t *testing.T) {
			var pings atomic.Int32
			who := new(users)
			who.user.Store("ada")
			var during atomic.Value // the user who signs in while a result is being read
			during.Store("")
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				user := strings.TrimPrefix(p.Header.Get("Cookie"), "user=")
				hints := `{"resultType":"complete","ttlMs":60000,"cacheScope":"` + scope + `",`
				if scope == "absent" {
					hints = `{"resultType":"complete","ttlMs":60000,`
				}
				switch p.Method {
				case "server/discover":
					p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"tools":{}}}`)
					return
				case "tools/list":
					p.reply(w, hints+`"tools":[{"name":"`+user+`","inputSchema":{"type":"object"}}]}`)
				default:
					p.reply(w, hints+`"contents":[{"uri":"x:a","text":"`+user+`"}]}`)
				}
				pings.Add(1)
				if next := during.Swap("").(string); next != "" {
					who.user.Store(next)
				}
			})
			c := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{Authorizer: who})
			read := func(user string, requests int32) {
				t.Helper()
				pings.Store(0)
				res, err := c.ReadResource(t.Context(), "x:a", nil)
				if err != nil || res.Contents[0].Text != user {
					t.Errorf("got %+v, %v, want the one of %s", res, err, user)
				}
				for tool, err := range c.Tools(t.Context()) {
					if err != nil || tool.Name != user {
						t.Errorf("got %+v, %v, want the one of %s", tool, err, user)
					}
				}
				if n := pings.Load(); n != requests {
					t.Errorf("%d requests, want %d", n, requests)
				}
			}
			read("ada", 2)
			read("ada", 0)
			who.user.Store("eve")
			if scope == "public" {
				read("ada", 0)
				return
			}
			read("eve", 2)
			read("eve", 0)
			who.user.Store("ada")
			during.Store("eve")
			if res, err := c.ReadResource(t.Context(), "x:a", nil); err != nil || res.Contents[0].Text != "ada" {
				t.Errorf("got %+v, %v", res, err)
			}
			read("eve", 0)     // eve gets the result that she read before
			who.user.Store("") // no user is signed in
			if res, err := c.ReadResource(t.Context(), "x:a", nil); err == nil {
				t.Errorf("without credentials got %+v", res)
			}
			if lastOf(c.Tools(t.Context())) == nil {
				t.Error("without credentials got a list")
			}
		})
	}
}

// guests is an Authorizer that becomes a different user after each challenge.
type guests struct {
	mu    sync.Mutex
	count int
}

func (g *guests) Authorize(_ context.Context, r *http.Request) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	r.Header.Set("Authorization", fmt.Sprint("guest ", g.count+1))
	return nil
}

func (g *guests) Challenged(context.Context, *http.Response) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count++
	return nil
}
