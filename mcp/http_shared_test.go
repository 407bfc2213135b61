package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// cluster is a server that runs in two processes with shared sessions.
type cluster struct {
	store *flakyStore
	stage [2]*stage
	site  [2]*site
	logs  *lockedText
}

// flakyStore is a store that can fail, or that contains records from another version of the
// program.
type flakyStore struct {
	mcp.SessionStore
	mu             sync.Mutex
	fails, updates error           // errors that all methods return, and that Update returns
	publishing     error           // error that Publish returns
	data           json.RawMessage // data of all records; nil for the real data
	lost           int             // number of calls of Append that succeed but return an error
	reads          []int64         // argument after of each call of Events
	open           int             // number of sessions that were created and not deleted
	processes      int             // number of processes that have called Subscribe
	dead           map[int]bool    // indexes of processes that receive no messages
	old            bool            // whether the first event of a stream has no data, as in older versions
	hold           chan struct{}   // if not nil, Create waits for it, and Publish waits before and after it publishes
}

// fail makes Update return err. If all is true, it makes all other methods with an error result
// return err, too.
func (f *flakyStore) fail(err error, all bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails, f.updates = nil, err
	if all {
		f.fails = err
	}
}

// wait blocks while hold is set.
func (f *flakyStore) wait() {
	f.mu.Lock()
	hold := f.hold
	f.mu.Unlock()
	if hold != nil {
		<-hold
	}
}

// setHold sets hold to next if hold is equal to old or next is not nil.
func (f *flakyStore) setHold(old, next chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if next != nil || f.hold == old {
		f.hold = next
	}
}

// pause makes Create and Publish wait until the returned function is called.
func (f *flakyStore) pause() (resume func()) {
	hold := make(chan struct{})
	f.setHold(nil, hold)
	return func() {
		f.setHold(hold, nil)
		close(hold)
	}
}

// failPublish makes Publish return err.
func (f *flakyStore) failPublish(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.publishing = err
}

func (f *flakyStore) Publish(ctx context.Context, message []byte) error {
	f.wait()
	f.mu.Lock()
	err := f.publishing
	f.mu.Unlock()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	err = f.SessionStore.Publish(ctx, message)
	f.wait()
	return err
}

func (f *flakyStore) Subscribe(receive func([]byte)) (stop func()) {
	f.mu.Lock()
	process := f.processes
	f.processes++
	f.mu.Unlock()
	return f.SessionStore.Subscribe(func(message []byte) {
		f.mu.Lock()
		dead := f.dead[process]
		f.mu.Unlock()
		if !dead {
			receive(message)
		}
	})
}

// kill makes a process receive no more messages.
func (f *flakyStore) kill(process int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dead = map[int]bool{process: true}
}

func (f *flakyStore) rewrite(data string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data = json.RawMessage(data)
}

func (f *flakyStore) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fails
}

func (f *flakyStore) Create(ctx context.Context, s *mcp.SessionRecord, ttl time.Duration) error {
	f.wait()
	if err := f.err(); err != nil {
		return err
	}
	f.mu.Lock()
	f.open++
	f.mu.Unlock()
	return f.SessionStore.Create(ctx, s, ttl)
}

func (f *flakyStore) Load(ctx context.Context, id string, ttl time.Duration) (*mcp.SessionRecord, error) {
	if err := f.err(); err != nil {
		return nil, err
	}
	rec, err := f.SessionStore.Load(ctx, id, ttl)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && f.data != nil {
		rec.Data = f.data
	}
	return rec, err
}

func (f *flakyStore) Update(ctx context.Context, s *mcp.SessionRecord) error {
	f.mu.Lock()
	err := f.updates
	f.mu.Unlock()
	if err != nil {
		return err
	}
	return f.SessionStore.Update(ctx, s)
}

func (f *flakyStore) Delete(ctx context.Context, id string) error {
	if err := f.err(); err != nil {
		return err
	}
	f.mu.Lock()
	f.open--
	f.mu.Unlock()
	return f.SessionStore.Delete(ctx, id)
}

func (f *flakyStore) Append(ctx context.Context, id string, events []mcp.SessionEvent, maxBytes int) error {
	if err := f.err(); err != nil {
		return err
	}
	if f.old {
		for i := range events {
			if events[i].Number == 0 {
				events[i].Data = nil
			}
		}
	}
	if err := f.SessionStore.Append(ctx, id, events, maxBytes); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost > 0 {
		f.lost--
		return context.DeadlineExceeded
	}
	return nil
}

func (f *flakyStore) Events(ctx context.Context, id string, after int64) ([]mcp.SessionEvent, error) {
	if err := f.err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.reads = append(f.reads, after)
	f.mu.Unlock()
	return f.SessionStore.Events(ctx, id, after)
}

// lockedText is a writer whose text can be read concurrently.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newCluster(t *testing.T, opts *mcp.HTTPOptions) *cluster {
	t.Helper()
	c := &cluster{store: &flakyStore{SessionStore: mcptest.NewSessionStore()}, logs: new(lockedText)}
	copied := mcp.HTTPOptions{}
	if opts != nil {
		copied = *opts
	}
	copied.Sessions = c.store
	for i := range c.stage {
		c.stage[i] = newStage(t, &mcp.ServerOptions{
			SealKey: []byte("0123456789abcdef0123456789abcdef"),
			Logger:  slog.New(slog.NewTextHandler(c.logs, nil)),
		})
		must(t,
			c.stage[i].AddResource(mcp.Resource{URI: "file:///a", Name: "a"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return nil, nil }),
			mcp.AddTool(c.stage[i].Server, mcp.Tool{Name: "process"}, says1(fmt.Sprint(i))))
		c.site[i] = host(t, c.stage[i].Server, &copied)
	}
	return c
}

// at returns a copy of the client w that is connected to process i.
func (c *cluster) at(i int, w *web) *web {
	other := w.with()
	other.site = c.site[i]
	return other
}

// eachCluster runs f in fake time for each revision with sessions.
func eachCluster(t *testing.T, opts *mcp.HTTPOptions, f func(t *testing.T, c *cluster, revision string)) {
	t.Helper()
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) { f(t, newCluster(t, opts), revision) })
}

const sharedPing = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`

func TestSharedSessions_AnyProcessServesARequest(t *testing.T) {
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w := c.site[0].open(revision)
		for i := range 4 {
			if m, _ := c.at(i%2, w).call("process", "{}").want(http.StatusOK).response(); m.text() != fmt.Sprint(i%2) {
				t.Errorf("process %d: %s", i%2, m.line)
			}
		}
	})
}

func TestSharedSessions_End(t *testing.T) {
	t.Run("DELETE ends the session in all processes", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			get := w.resume("").want(http.StatusOK)
			call := make(chan *answer)
			go func() { call <- c.at(0, w).call("wait", "{}") }()
			<-c.stage[0].began
			c.at(1, w).do(http.MethodDelete, nil).want(http.StatusNoContent)
			if err := <-c.stage[0].ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the call at the other process ended with %v", err)
			}
			<-call
			for {
				if _, err := get.read(); err != nil {
					break
				}
			}
			for i := range 2 {
				c.at(i, w).post(sharedPing).want(http.StatusNotFound)
			}
		})
	})
	t.Run("a session that is idle in all processes ends", func(t *testing.T) {
		eachCluster(t, &mcp.HTTPOptions{SessionTimeout: time.Hour}, func(_ *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			for range 5 { // the session is used in one process and stays alive in both
				time.Sleep(50 * time.Minute) // fake
				c.at(1, w).post(sharedPing).want(http.StatusOK)
			}
			c.at(0, w).post(sharedPing).want(http.StatusOK)
			time.Sleep(59 * time.Minute) // fake
			c.at(0, w).post(sharedPing).want(http.StatusOK)
			time.Sleep(62 * time.Minute) // fake
			for i := range 2 {
				c.at(i, w).post(sharedPing).want(http.StatusNotFound)
			}
		})
	})
	t.Run("a session with an open stream lasts", func(t *testing.T) {
		eachCluster(t, &mcp.HTTPOptions{SessionTimeout: time.Hour}, func(_ *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			get := w.resume("").want(http.StatusOK)
			time.Sleep(10 * time.Hour) // fake
			c.at(1, w).post(sharedPing).want(http.StatusOK)
			get.close()
		})
	})
}

func TestSharedSessions_State(t *testing.T) {
	t.Run("the log level", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			logs := func(i int) int {
				_, before := c.at(i, w).talk(1, `"t"`, `{"times":2}`).want(http.StatusOK).response()
				return before - 2 // without the progress notifications
			}
			if logs(0) != 2 || logs(1) != 2 {
				t.Fatal("want log messages before the change")
			}
			if m := c.at(1, w).begin(1, "logging/setLevel", `"level":"emergency"`).message(); m.Error != nil {
				t.Fatal(m.line)
			}
			synctest.Wait() // until the other process knows
			if n0, n1 := logs(0), logs(1); n0 != 0 || n1 != 0 {
				t.Errorf("%d and %d log messages below the level", n0, n1)
			}
		})
	})
	t.Run("subscriptions", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			c.at(0, w).begin(1, "resources/subscribe", `"uri":"file:///a"`).message()
			c.at(1, w).begin(1, "resources/subscribe", `"uri":"file:///b"`).message()
			settle()
			get := c.at(1, w).resume("").want(http.StatusOK)
			for _, uri := range []string{"file:///a", "file:///b"} {
				for i := range 2 {
					c.stage[i].ResourceUpdated(uri)
					if m := get.receive(); m.Method != "notifications/resources/updated" || m.Params["uri"] != uri {
						t.Errorf("process %d, %s: %s", i, uri, m.line)
					}
				}
			}
			c.at(1, w).begin(1, "resources/unsubscribe", `"uri":"file:///a"`).message()
			settle()
			c.stage[0].ResourceUpdated("file:///a")
			c.stage[0].ResourceUpdated("file:///b")
			if m := get.receive(); m.Params["uri"] != "file:///b" {
				t.Errorf("after unsubscribing: %s", m.line)
			}
			get.close()
		})
	})
	t.Run("changes at the same time", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			c.at(1, w).post(sharedPing)
			var wg sync.WaitGroup
			for i := range 2 {
				for n := range 20 {
					one := c.at(i, w)
					wg.Go(func() {
						if m := one.begin(1, "resources/subscribe", fmt.Sprintf(`"uri":"file:///%d/%d"`, i, n)).message(); m.Error != nil {
							t.Error(m.line)
						}
					})
				}
			}
			wg.Wait()
			settle()
			get := c.at(0, w).resume("").want(http.StatusOK)
			for i := range 2 {
				for n := range 20 {
					c.stage[1].ResourceUpdated(fmt.Sprintf("file:///%d/%d", i, n))
					get.receive()
				}
			}
			get.close()
		})
	})
	t.Run("the client and its principal", func(t *testing.T) {
		eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
			store := mcptest.NewSessionStore()
			var sites []*site
			about := make(chan string, 10)
			for range 2 {
				s := newServer(nil)
				must(t, mcp.AddTool(s, mcp.Tool{Name: "about"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
					about <- fmt.Sprint(r.Client(), r.Session().Client(), r.ClientCapabilities().Sampling != nil, r.Principal(), r.Session().Principal(), r.Revision(), r.Session().ID())
					return "", nil
				}))
				sites = append(sites, host(t, s, &mcp.HTTPOptions{Sessions: store}))
			}
			w := sites[0].web().with("Test-Principal: ada \xff")
			w.initialize(revision, `{"sampling":{}}`)
			w.call("about", "{}")
			there := w.with()
			there.site = sites[1]
			there.call("about", "{}")
			if one, two := <-about, <-about; one != two || !strings.Contains(one, "test") {
				t.Errorf("the processes see %q and %q", one, two)
			}
			there.with("Test-Principal: eve").post(sharedPing).want(http.StatusNotFound)
			there.with("Test-Principal:").post(sharedPing).want(http.StatusNotFound)
		})
	})
}

func TestSharedSessions_ResumeAtAnotherProcess(t *testing.T) {
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w := c.site[0].open(revision)
		a := w.talk(2, `"mine"`, `{"times":2,"wait":true}`).want(http.StatusOK)
		primed := 0
		if revision == core {
			primed = 1
		}
		id := a.lastID(primed + 3)
		a.close()
		settle()
		there := c.at(1, w)
		b := there.resume(id).want(http.StatusOK)
		if m := b.receive(); m.Method != "notifications/message" || m.Params["data"] != "said 2" {
			t.Errorf("what follows %s: %s", id, m.line)
		}
		b.close()
		b = there.resume(id).want(http.StatusOK)
		b.receive()
		c.stage[0].release <- "done"
		if m, before := b.response(); m.text() != "done" || string(m.ID) != "2" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
		for i := range 2 { // the client can also resume later, several times
			if m, before := c.at(i, w).resume(id).want(http.StatusOK).response(); m.text() != "done" || before != 1 {
				t.Errorf("process %d: %d before %s", i, before, m.line)
			}
		}
		for _, id := range []string{"x", "1", "-", "1-", "99-1", "2--1", "2-9223372036854775808", "2-1-1-1"} {
			there.resume(id).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		}
		c.site[1].open(revision).resume(id).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
	})
	t.Run("before the first event", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			c := newCluster(t, nil)
			w := c.site[0].open(core)
			a := w.call("wait", "{}").want(http.StatusOK)
			id := a.lastID(1) // ID of the priming event
			a.close()
			b := c.at(1, w).resume(id).want(http.StatusOK)
			settle()
			c.stage[0].release <- "done"
			if m, _ := b.response(); m.text() != "done" {
				t.Error(m.line)
			}
		})
	})
	t.Run("a request that was cancelled", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			a := w.talk(7, `"mine"`, `{"times":1,"wait":true}`).want(http.StatusOK)
			primed := 0
			if revision == core {
				primed = 1
			}
			id := a.lastID(primed + 2)
			a.close()
			there := c.at(1, w)
			b := there.resume(id).want(http.StatusOK)
			there.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"enough"}}`).want(http.StatusAccepted)
			if err := <-c.stage[0].ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the call ended with %v", err)
			}
			if primed == 1 {
				b.next()
			}
			b.ends()
		})
	})
}

func TestSharedSessions_MessagesOfNoRequest(t *testing.T) {
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w := c.site[0].open(revision)
		c.at(1, w).post(sharedPing)
		get := c.at(1, w).resume("").want(http.StatusOK)
		c.stage[0].AddDummyTool(t)
		get.listChanged()
		c.stage[1].AddDummyTool(t)
		id := get.listChanged().id
		get.close()
		settle()
		// Messages are stored until the next connection, to any process.
		must(t, c.stage[0].Notify("x/one", nil), c.stage[1].Notify("x/one", nil), c.stage[1].Notify("x/two", nil))
		settle()
		for range 2 {
			get = c.at(0, w).resume(id).want(http.StatusOK)
			for _, method := range []string{"x/one", "x/two"} {
				if m := get.receive(); m.Method != method {
					t.Errorf("want %s, once: %s", method, m.line)
				}
			}
			get.close()
			settle()
		}
		get = c.at(1, w).resume("").want(http.StatusOK)
		must(t, c.stage[0].Notify("x/three", nil))
		if m := get.receive(); m.Method != "x/three" {
			t.Errorf("want what the client does not have: %s", m.line)
		}
		// Only one connection receives them at a time.
		newer := c.at(0, w).resume("").want(http.StatusOK)
		for {
			if _, err := get.read(); err != nil {
				break
			}
		}
		must(t, c.stage[1].Notify("x/four", nil))
		for {
			if m := newer.receive(); m.Method == "x/four" {
				break
			}
		}
		newer.close()
	})
}

func TestSharedSessions_AnswerToAQuestionOfAnotherProcess(t *testing.T) {
	eachInBubble(t, overHTTP[1:3], func(t *testing.T, revision string) {
		c := newCluster(t, nil)
		w := c.site[0].openWith(revision, `{"elicitation":{}}`)
		there := c.at(1, w)
		for i, answer := range []string{
			`"result":{"action":"accept","content":{"name":"Ada"}}`,
			`"error":{"code":-1,"message":"no time"}`,
			`"result":7`,
			`"result":{},"error":{}`, // a response must not contain both
		} {
			a := w.call("ask", "{}").want(http.StatusOK)
			q := a.receive()
			if q.Method != "elicitation/create" {
				t.Fatal(q.line)
			}
			there.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, q.ID, answer))
			m, _ := a.response()
			if i == 0 && m.text() != "Hello, Ada" || i > 0 && m.Result["isError"] != true {
				t.Errorf("%s: %s", answer, m.line)
			}
		}
	})
}

func TestSharedSessions_StoreFails(t *testing.T) {
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w := c.site[0].open(revision)
		a := w.talk(2, `"mine"`, `{"times":1,"wait":true}`).want(http.StatusOK)
		primed := 0
		if revision == core {
			primed = 1
		}
		id := a.lastID(primed + 2)
		settle()
		c.store.fail(errors.New("no route to the store"), true)
		for i := range 2 {
			one := c.at(i, w)
			for _, refused := range []*answer{one.post(sharedPing), one.resume(""), one.do(http.MethodDelete, nil)} {
				refused.wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
				if refused.head.Get("Retry-After") == "" || strings.Contains(refused.body, "route") {
					t.Errorf("answer is %s with %v", refused.body, refused.head)
				}
			}
			other := c.site[i].web()
			other.session = revision
			other.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, revision)).
				wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
		}
		if logs := c.logs.String(); !strings.Contains(logs, "no route to the store") || strings.Contains(logs, w.head.Get("Mcp-Session-Id")) {
			t.Errorf("logs are %s", logs)
		}
		// A call in progress continues, and its events are stored later.
		c.stage[0].release <- "done"
		if m, _ := a.response(); m.text() != "done" {
			t.Error(m.line)
		}
		time.Sleep(time.Minute) // fake
		c.store.fail(nil, true)
		time.Sleep(2 * time.Second) // fake
		if m, _ := c.at(1, w).resume(id).want(http.StatusOK).response(); m.text() != "done" {
			t.Error(m.line)
		}
	})
	t.Run("a state that cannot be stored", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			c.store.fail(errors.New("away"), false)
			if m := w.begin(1, "logging/setLevel", `"level":"error"`).message(); m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "away") {
				t.Error(m.line)
			}
			c.store.fail(nil, false)
			if m := w.begin(1, "logging/setLevel", `"level":"error"`).message(); m.Error != nil {
				t.Error(m.line)
			}
		})
	})
	t.Run("a record of another version", func(t *testing.T) {
		eachCluster(t, nil, func(_ *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			for _, data := range []string{`{}`, `7`, `{"revision":"2026-07-28"}`, fmt.Sprintf(`{"revision":%q,"params":{}}`, revision)} {
				c.store.rewrite(data)
				c.at(1, w).post(sharedPing).wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
			}
		})
	})
}

func TestSharedSessions_Shutdown(t *testing.T) {
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w := c.site[0].open(revision)
		get := w.resume("").want(http.StatusOK)
		a := w.talk(2, `"mine"`, `{"times":1,"wait":true}`).want(http.StatusOK)
		primed := 0
		if revision == core {
			primed = 1
		}
		id := a.lastID(primed + 2)
		a.close()
		stopped := make(chan error)
		go func() { stopped <- c.site[0].stop() }()
		settle()
		for {
			if _, err := get.read(); err != nil {
				break
			}
		}
		c.stage[0].release <- "done"
		if err := <-stopped; err != nil {
			t.Errorf("Serve returned %v", err)
		}
		// The other process continues the session and sends the response.
		if m, _ := c.at(1, w).resume(id).want(http.StatusOK).response(); m.text() != "done" {
			t.Error(m.line)
		}
		c.at(1, w).post(sharedPing).want(http.StatusOK)
	})
}

func TestSharedSessions_Bounds(t *testing.T) {
	eachCluster(t, &mcp.HTTPOptions{MaxSessions: 1}, func(_ *testing.T, c *cluster, revision string) {
		one := c.site[0].open(revision)
		two := c.site[1].open(revision)
		c.at(1, one).post(sharedPing).wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
		c.at(1, two).do(http.MethodDelete, nil).want(http.StatusNoContent)
		c.at(1, one).post(sharedPing).want(http.StatusOK)
	})
}
