package web

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/depgraph"
)

const (
	// graphAge is how long the list of the project's packages is used before its files are read
	// again.
	graphAge = 5 * time.Second
	// graphPatience is the maximum time that a page waits for a newer list if there is an older
	// one.
	graphPatience = 25 * time.Millisecond
)

// refreshed holds a value that is computed from the files of the project. A value that is older than
// graphAge is computed again in the background. It is used until the new one is there, so that pages
// need not wait for large projects to be read again.
type refreshed[T any] struct {
	mu    sync.Mutex
	value T
	err   error
	read  time.Time
	// running is closed when the computation that runs has ended. It is nil if none runs.
	running chan struct{}
}

// get returns the value. compute must not depend on the cancellation of ctx.
func (c *refreshed[T]) get(ctx context.Context, compute func(context.Context) (T, error)) (T, error) {
	c.mu.Lock()
	first := c.read.IsZero()
	if c.running == nil && (first || time.Since(c.read) > graphAge) {
		c.running = make(chan struct{})
		go c.refresh(context.WithoutCancel(ctx), c.running, compute)
	}
	running := c.running
	c.mu.Unlock()
	if running != nil {
		var late <-chan time.Time
		if !first {
			late = time.After(graphPatience)
		}
		select {
		case <-running:
		case <-late:
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value, c.err
}

// refresh computes the value, and closes done.
func (c *refreshed[T]) refresh(ctx context.Context, done chan struct{}, compute func(context.Context) (T, error)) {
	var value T
	var err error
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the project's packages cannot be listed: %v", r)
		}
		c.mu.Lock()
		c.value, c.err, c.read, c.running = value, err, time.Now(), nil
		c.mu.Unlock()
		close(done)
	}()
	value, err = compute(ctx)
}

// graphs returns the packages of the project, if the site has one.
func (s *Site) graphs(ctx context.Context) ([]depgraph.Language, error) {
	if s.project == "" {
		return nil, nil
	}
	return s.graph.get(ctx, func(ctx context.Context) ([]depgraph.Language, error) {
		return s.lookup.Graphs(ctx, s.project, "")
	})
}

// ownPackages returns the project's own packages in each language.
func (s *Site) ownPackages(ctx context.Context) (map[string][]packageRow, error) {
	return s.own.get(ctx, func(ctx context.Context) (map[string][]packageRow, error) {
		graphs, err := s.graphs(ctx)
		all := map[string][]packageRow{}
		for i := range graphs {
			g := &graphs[i]
			for k := range g.Graph.Packages {
				if p := &g.Graph.Packages[k]; p.Member {
					all[g.ID] = append(all[g.ID], s.memberRows(ctx, g, p)...)
				}
			}
		}
		return all, err
	})
}
