package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestRefreshed_UsesTheOldValueUntilThereIsANewOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c refreshed[int]
		takes := time.Second
		n := 0
		get := func() (int, time.Duration) {
			began, takes := time.Now(), takes
			value, err := c.get(t.Context(), func(context.Context) (int, error) {
				time.Sleep(takes) //nolint:forbidigo // fake time
				n++
				return n, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return value, time.Since(began)
		}
		for _, tt := range []struct {
			name        string
			wait, takes time.Duration
			value       int
			waited      time.Duration
		}{
			{"the first value is waited for", 0, time.Second, 1, time.Second},
			{"a value is used again", graphAge, time.Second, 1, 0},
			{"an old one is used while a new one takes long", time.Millisecond, time.Second, 1, graphPatience},
			{"by each page that wants it", 0, time.Second, 1, graphPatience},
			{"until the new one is there", time.Second, time.Second, 2, 0},
			{"and a quick one is waited for", graphAge, time.Millisecond, 3, time.Millisecond},
		} {
			time.Sleep(tt.wait) //nolint:forbidigo // fake time
			takes = tt.takes
			if value, waited := get(); value != tt.value || waited != tt.waited {
				t.Errorf("%s: %d after %v, want %d after %v", tt.name, value, waited, tt.value, tt.waited)
			}
		}
	})
}

func TestRefreshed_Failures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c refreshed[int]
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.get(ctx, func(ctx context.Context) (int, error) {
			time.Sleep(time.Second) //nolint:forbidigo // fake time
			return 7, ctx.Err()
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("a page that nobody waits for: %v", err)
		}
		fail := func(context.Context) (int, error) { panic("a reader's mistake") }
		if value, err := c.get(t.Context(), fail); value != 7 || err != nil {
			t.Errorf("a canceled page stopped the computation: %d, %v", value, err)
		}
		time.Sleep(graphAge + time.Second) //nolint:forbidigo // fake time
		if _, err := c.get(t.Context(), fail); err == nil {
			t.Error("a panic is not reported")
		}
	})
}
