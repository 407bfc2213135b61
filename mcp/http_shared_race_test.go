package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// Messages between processes must arrive even if the client disconnects or the store fails for some
// time.
func TestSharedSessions_MessagesArrive(t *testing.T) {
	wantCancelled := func(t *testing.T, c *cluster) {
		t.Helper()
		select {
		case err := <-c.stage[0].ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the call ended with %v", err)
			}
		case <-time.After(time.Hour): // fake
			t.Fatal("the call is not cancelled")
		}
	}
	// begin starts a call in process 0 and connects its client to process 1.
	begin := func(c *cluster, revision string) (there *web) {
		w := c.site[0].open(revision)
		go func() {
			_, _ = w.try(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait"}}`))
		}()
		<-c.stage[0].began
		return c.at(1, w)
	}
	const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	t.Run("although the client leaves", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			there := begin(c, revision)
			resume := c.store.pause()
			ctx, cancel := context.WithCancel(t.Context())
			there.ctx = ctx
			left := make(chan error)
			go func() {
				_, err := there.try(http.MethodPost, "/mcp", strings.NewReader(cancelled))
				left <- err
			}()
			settle()
			cancel()
			<-left
			settle()
			resume()
			wantCancelled(t, c)
		})
	})
	t.Run("when the store works again", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			there := begin(c, revision)
			c.store.failPublish(errors.New("away"))
			there.post(cancelled).want(http.StatusAccepted)
			time.Sleep(20 * time.Second) // fake
			c.store.failPublish(nil)
			wantCancelled(t, c)
		})
	})
}

// An answer to the question of another process is refused if it cannot be forwarded, so that the
// client sends it again.
func TestSharedSessions_AnswerThatCannotBePassedOn(t *testing.T) {
	eachInBubble(t, overHTTP[1:3], func(t *testing.T, revision string) {
		c := newCluster(t, nil)
		w := c.site[0].openWith(revision, `{"elicitation":{}}`)
		there := c.at(1, w)
		a := w.call("ask", "{}").want(http.StatusOK)
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, a.receive().ID)
		c.store.failPublish(errors.New("away"))
		refused := there.post(answer)
		refused.wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
		if refused.head.Get("Retry-After") == "" {
			t.Error("the answer does not say when to try again")
		}
		c.store.failPublish(nil)
		there.post(answer).want(http.StatusAccepted)
		if m, _ := a.response(); m.text() != "Hello, Ada" {
			t.Error(m.line)
		}
	})
	t.Run("in a batch", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			c := newCluster(t, nil)
			w := c.site[0].open("2025-03-26")
			c.store.failPublish(errors.New("away"))
			c.at(1, w).post(`[{"jsonrpc":"2.0","id":99,"result":{}}]`).wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
			c.store.failPublish(nil)
			c.at(1, w).post(`[{"jsonrpc":"2.0","id":99,"result":{}}]`).want(http.StatusAccepted)
		})
	})
}

// If several connections for the standalone stream are opened at the same time, exactly one of them
// receives the messages.
func TestSharedSessions_OneConnectionCarriesMessages(t *testing.T) {
	for _, processes := range [][2]int{{0, 0}, {0, 1}} {
		t.Run(fmt.Sprintf("at processes %d and %d", processes[0], processes[1]), func(t *testing.T) {
			eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
				w := c.site[0].open(revision)
				c.at(1, w).post(sharedPing)
				settle()
				before := c.store.pause()
				opened := make(chan *answer)
				for _, i := range processes {
					go func() { opened <- c.at(i, w).resume("") }()
				}
				settle()
				after := c.store.pause()
				before()
				settle() // both connections have published their messages
				after()
				var open []*answer
				for range processes {
					open = append(open, (<-opened).want(http.StatusOK))
				}
				settle()
				must(t, c.stage[0].Notify("x/news", nil))
				settle()
				carried := 0
				for _, a := range open {
					for len(a.lines) > 0 {
						if line := <-a.lines; strings.Contains(line, "x/news") {
							carried++
						}
					}
					a.close()
				}
				if carried != 1 {
					t.Errorf("%d connections carry the message", carried)
				}
			})
		})
	}
}

// Messages that do not belong to a request must reach the client exactly once, regardless of what
// else the session does.
func TestSharedSessions_NoMessageOfNoRequestIsLost(t *testing.T) {
	collect := func(t *testing.T, get *answer, n int) {
		t.Helper()
		for i := range n {
			if m := get.receive(); m.Method != fmt.Sprintf("x/%d", i) {
				t.Fatalf("message %d is %s", i, m.line)
			}
		}
	}
	opts := &mcp.HTTPOptions{MaxReplayBytes: 10_000}
	t.Run("in a burst that is larger than MaxReplayBytes", func(t *testing.T) {
		eachCluster(t, opts, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			get := c.at(1, w).resume("").want(http.StatusOK)
			settle()
			text := strings.Repeat("x", 1000)
			for i := range 100 {
				must(t, c.stage[0].Notify(fmt.Sprintf("x/%d", i), map[string]string{"text": text}))
			}
			collect(t, get, 100)
			get.close()
		})
	})
	t.Run("before large results", func(t *testing.T) {
		eachCluster(t, opts, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			must(t, c.stage[0].Notify("x/0", nil))
			settle()
			for range 5 {
				w.talk(2, `"t"`, `{"times":100}`).want(http.StatusOK).response()
			}
			settle()
			get := c.at(1, w).resume("").want(http.StatusOK)
			collect(t, get, 1)
			get.close()
		})
	})
	t.Run("when the store has them, but its answer is lost", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w := c.site[0].open(revision)
			get := c.at(1, w).resume("").want(http.StatusOK)
			settle()
			c.store.mu.Lock()
			c.store.lost = 3
			c.store.mu.Unlock()
			must(t, c.stage[0].Notify("x/0", nil), c.stage[0].Notify("x/1", nil))
			time.Sleep(10 * time.Second) // fake
			must(t, c.stage[0].Notify("x/2", nil))
			collect(t, get, 3)
			get.close()
		})
	})
}

// When a client resumes a stream of another process, the stream's events are read only once to find
// the client's position.
func TestSharedSessions_ResumeReadsEventsOnce(t *testing.T) {
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w := c.site[0].open(revision)
		a := w.talk(2, `"mine"`, `{"times":2,"wait":true}`).want(http.StatusOK)
		primed := 0
		if revision == core {
			primed = 1
		}
		id := a.lastID(primed + 3)
		c.stage[0].release <- "done"
		a.response()
		settle()
		if m, before := c.at(1, w).resume(id).want(http.StatusOK).response(); m.text() != "done" || before != 1 {
			t.Errorf("%d before %s", before, m.line)
		}
		if !slices.Equal(c.store.reads, []int64{0}) {
			t.Errorf("events are read after %d", c.store.reads)
		}
	})
}

// A session that is refused must not remain in the store.
func TestSharedSessions_RefusedSessionIsNotStored(t *testing.T) {
	eachCluster(t, &mcp.HTTPOptions{MaxSessions: 1}, func(t *testing.T, c *cluster, revision string) {
		resume := c.store.pause()
		statuses := make(chan int)
		for range 2 {
			w := c.site[0].web()
			w.session = revision
			go func() {
				statuses <- w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, revision)).status
			}()
		}
		settle()
		resume()
		if one, two := <-statuses, <-statuses; one+two != http.StatusOK+http.StatusServiceUnavailable {
			t.Errorf("statuses are %d and %d", one, two)
		}
		if c.store.open != 1 {
			t.Errorf("the store has %d sessions", c.store.open)
		}
	})
}
