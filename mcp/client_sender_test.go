package mcp

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
)

// Callers may send while the client is being closed. The race detector reports a send that begins
// while stop is waiting.
func TestNothingIsSentAfterASenderWasStopped(t *testing.T) {
	opts := ClientOptions{Logger: slog.New(slog.DiscardHandler)}
	opts.setDefaults()
	newStopped := func(t *testing.T, use func(s *sender)) *sender {
		s, err := newSender(&HTTPTransport{URL: "http://localhost"}, &clientConn{c: &Client{opts: opts, log: opts.Logger}, ctx: t.Context()})
		if err != nil {
			t.Fatal(err)
		}
		use(s)
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		return s
	}
	for range 1000 {
		var user sync.WaitGroup
		newStopped(t, func(s *sender) {
			user.Go(func() {
				for range 10 {
					s.tellOn(func(context.Context) error { return nil })
				}
			})
		})
		user.Wait()
	}
	synctest.Test(t, func(t *testing.T) {
		s := newStopped(t, func(*sender) {})
		sent := 0
		for range 2 * maxTelling {
			s.tellOn(func(context.Context) error { sent++; return nil })
			synctest.Wait()
		}
		if sent > 0 || len(s.telling) > 0 {
			t.Errorf("%d messages were sent, %d are on their way", sent, len(s.telling))
		}
	})
}
