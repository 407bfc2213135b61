package web

import (
	"context"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/depgraph"
)

// graphAge is how long the list of the project's packages is used before its files are read
// again.
const graphAge = 5 * time.Second

// graphCache holds the packages of the project.
type graphCache struct {
	mu   sync.Mutex
	read time.Time
	all  []depgraph.Language
	err  error
}

// graphs returns the packages of the project.
func (s *Site) graphs(ctx context.Context) ([]depgraph.Language, error) {
	c := &s.graph
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read.IsZero() || time.Since(c.read) > graphAge {
		all, err := s.lookup.Graphs(ctx, s.project, "")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.all, c.err, c.read = all, err, time.Now()
	}
	return c.all, c.err
}
