package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// progress shows on a terminal how far a command is. It shows nothing in the first half
// second, and never writes to a pipe. It is safe for concurrent use.
type progress struct {
	what  string
	begun time.Time

	mu  sync.Mutex
	bar *progressBar // nil to show nothing
}

func newProgress(s streams, what string) *progress {
	p := &progress{what: what, begun: time.Now()}
	if s.errTerminal {
		p.bar = &progressBar{w: s.err}
	}
	return p
}

// update shows that done of all steps are complete.
func (p *progress) update(done, all int) {
	if p.bar == nil || time.Since(p.begun) < time.Second/2 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.report(mcp.Progress{Progress: float64(done), Total: float64(all), Message: fmt.Sprintf("%s: %d of %d", p.what, done, all)})
}

// done removes what is shown.
func (p *progress) done() {
	if p.bar == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.clear()
}
