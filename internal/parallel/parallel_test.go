package parallel_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/parallel"
)

func TestEach(t *testing.T) {
	t.Run("calls for all numbers", func(t *testing.T) {
		got := make([]int, 3)
		parallel.Each(3, func(i int) { got[i] = i + 1 })
		if !slices.Equal(got, []int{1, 2, 3}) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("panics like the call", func(t *testing.T) {
		defer func() {
			if p := recover(); p != "second" {
				t.Errorf("recovered %v", p)
			}
		}()
		parallel.Each(2, func(i int) {
			if i == 1 {
				panic("second")
			}
		})
	})
}

func TestLimit(t *testing.T) {
	t.Run("concurrent calls and progress", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var running, peak atomic.Int64
			var progress []int
			got := make([]int, 10)
			err := parallel.Limit(t.Context(), 10, 3, func(done, all int) { progress = append(progress, done, all) }, func(i int) {
				peak.Store(max(peak.Load(), running.Add(1)))
				<-time.After(time.Second) // the time of the bubble
				running.Add(-1)
				got[i]++
			})
			if err != nil || peak.Load() != 3 || slices.Contains(got, 0) || slices.Max(got) != 1 {
				t.Errorf("error %v, %d concurrent calls, calls %v", err, peak.Load(), got)
			}
			if len(progress) != 20 || !slices.IsSorted([]int{progress[0], progress[2], progress[18]}) || progress[18] != 10 || progress[19] != 10 {
				t.Errorf("progress %v", progress)
			}
		})
	})
	t.Run("stops when the context is done", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		err := parallel.Limit(ctx, 100, 1, nil, func(i int) {
			if calls++; i == 4 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || calls != 5 {
			t.Errorf("error %v after %d calls", err, calls)
		}
	})
}
