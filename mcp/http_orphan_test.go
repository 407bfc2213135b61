package mcp_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// orphan starts a call in process 0, and disconnects the client from its stream. It returns the ID
// of the last event that the client received.
func orphan(c *cluster, revision string) (w *web, id string) {
	w = c.site[0].open(revision)
	a := w.talk(2, `"mine"`, `{"times":1,"wait":true}`).want(http.StatusOK)
	events := 2
	if revision == core { // this revision has priming events
		events++
	}
	id = a.lastID(events)
	a.close()
	settle()
	return w, id
}

func TestSharedSessions_ProcessOfAStreamDies(t *testing.T) {
	const ended = "The server process that served the request has ended"
	eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
		w, id := orphan(c, revision)
		defer func() { c.stage[0].release <- "late" }()
		c.store.kill(0)
		there, began := c.at(1, w), time.Now()
		b, other := there.resume(id).want(http.StatusOK), there.resume(id).want(http.StatusOK)
		m, _ := b.response()
		if took := time.Since(began); !strings.Contains(m.line, ended) || string(m.ID) != "2" || took > 4*time.Second {
			t.Errorf("after %v: %s", took, m.line)
		}
		for _, x := range []*answer{other, there.resume(id).want(http.StatusOK)} { // the streams that end after the first one have the same result
			if m, _ := x.response(); !strings.Contains(m.line, ended) {
				t.Error(m.line)
			}
		}
	})
	t.Run("or lives", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w, id := orphan(c, revision)
			b := c.at(1, w).resume(id).want(http.StatusOK)
			time.Sleep(time.Minute) // fake time
			c.stage[0].release <- "done"
			if m, _ := b.response(); m.text() != "done" {
				t.Error(m.line)
			}
		})
	})
	t.Run("while the store fails", func(t *testing.T) {
		eachCluster(t, nil, func(t *testing.T, c *cluster, revision string) {
			w, id := orphan(c, revision)
			b := c.at(1, w).resume(id).want(http.StatusOK)
			c.store.failPublish(errors.New("down"))
			time.Sleep(time.Minute) // fake time
			c.store.failPublish(nil)
			c.stage[0].release <- "done"
			if m, _ := b.response(); m.text() != "done" {
				t.Error(m.line)
			}
		})
	})
	t.Run("and the id of the request is unknown", func(t *testing.T) {
		eachCluster(t, nil, func(_ *testing.T, c *cluster, revision string) {
			c.store.old = true
			w, id := orphan(c, revision)
			defer func() { c.stage[0].release <- "late" }()
			c.store.kill(0)
			b := c.at(1, w).resume(id).want(http.StatusOK)
			if revision == core {
				b.next()
			}
			b.ends()
			c.at(1, w).resume(id).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		})
	})
}
