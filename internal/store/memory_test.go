package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/memory"
)

func TestMemory_BoundsReadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := memory.New(64 << 20)
		var running, peak atomic.Int64
		lang := &fake{answer: func(ctx context.Context, q ecosystem.Query) (*apidoc.Package, error) {
			n := running.Add(1)
			defer running.Add(-1)
			for old := peak.Load(); n > old && !peak.CompareAndSwap(old, n); old = peak.Load() {
			}
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if strings.HasPrefix(q.Package, "broken") {
				panic("a defect")
			}
			return &apidoc.Package{Name: q.Package, Version: "v1.0.0", Doc: strings.Repeat("x", 10<<20)}, nil
		}}
		s := storeOver(lang, Options{Memory: budget})
		var wait sync.WaitGroup
		for i := range 50 {
			for _, name := range []string{"p", "broken"} {
				wait.Go(func() {
					_, err := s.Describe(t.Context(), "go", ecosystem.Query{Package: fmt.Sprint(name, i%30)})
					if (err != nil) != (name == "broken") {
						t.Error(err)
					}
				})
			}
		}
		wait.Wait()
		if got := peak.Load(); got != readings {
			t.Errorf("%d packages were read at the same time, want %d", got, readings)
		}
		release, err := budget.Acquire(t.Context(), budget.Size()) // waits for ever if a reading kept its share
		if err != nil {
			t.Fatal(err)
		}
		release()
		if s.bytes != 0 {
			t.Errorf("%d bytes are cached although all memory was needed", s.bytes)
		}
	})
}

func TestMemory_WaitObeysContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := memory.New(64 << 20)
		lang := &fake{}
		s := storeOver(lang, Options{Memory: budget})
		release, err := budget.Acquire(t.Context(), budget.Size())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begun := time.Now()
		if _, err := s.Describe(ctx, "go", ecosystem.Query{Package: "p"}); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Minute {
			t.Errorf("err = %v after %v", err, time.Since(begun))
		}
		synctest.Wait()
		if len(s.inflight) != 0 {
			t.Error("the reading still waits")
		}
		release()
		mustDescribe(t, s, ecosystem.Query{Package: "p"})
	})
}
