package host

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/internal/retry"
)

// server is one server of a Host.
type server struct {
	host      *Host
	name      string
	transport mcp.Transport
	ctx       context.Context
	cancel    context.CancelFunc
	settled   chan struct{} // closed after the first attempt to connect
	done      chan struct{} // closed when run has returned

	// These fields are guarded by host.mu.
	status    ServerStatus
	client    *mcp.Client // nil if not connected
	tools     []Item[mcp.Tool]
	prompts   []Item[mcp.Prompt]
	resources []Item[mcp.Resource]
	templates []Item[mcp.ResourceTemplate]
}

// run connects to the server, and reconnects whenever the connection fails, until the server is
// removed.
func (s *server) run() {
	defer close(s.done)
	for failed := 1; ; failed++ {
		lived, err := s.connect()
		if s.ctx.Err() != nil {
			s.set(func() { s.status.State, s.status.Err = StateFailed, ErrClosed })
			s.settle()
			return
		}
		if lived > s.host.opts.MaxBackoff {
			failed = 1
		}
		s.host.log.Warn("server failed", "server", s.name, "error", err)
		s.set(func() { s.status.State, s.status.Err = StateFailed, err })
		s.settle()
		if !retry.Sleep(s.ctx, retry.Backoff(failed, time.Second, s.host.opts.MaxBackoff)) {
			return
		}
	}
}

func (s *server) settle() {
	select {
	case <-s.settled:
	default:
		close(s.settled)
	}
}

// set changes the status under the lock, removes the client, and reports the
// change.
func (s *server) set(change func()) {
	s.host.mu.Lock()
	s.client, s.status.Info = nil, nil
	s.tools, s.prompts, s.resources, s.templates = nil, nil, nil, nil
	change()
	s.host.mu.Unlock()
	s.host.reindex()
	s.host.changed(s.name)
}

// connect connects to the server and watches for changes until the connection is lost. It returns
// how long the server was connected.
func (s *server) connect() (lived time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(s.ctx, s.host.opts.ConnectTimeout, fmt.Errorf("it did not respond within %v", s.host.opts.ConnectTimeout))
	defer cancel()
	var opts *mcp.ClientOptions
	if s.host.opts.ClientOptions != nil {
		opts = s.host.opts.ClientOptions(s.name)
	}
	c, err := mcp.Connect(ctx, s.transport, opts)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	// Subscribe first, so that no change is missed between reading the lists and subscribing.
	sub, err := c.Subscribe(ctx, mcp.Filter{Tools: true, Prompts: true, Resources: true, Lost: true})
	if err != nil {
		s.host.log.Info("server does not report changes", "server", s.name, "error", err)
		sub = nil
	}
	began := time.Now()
	s.set(func() {
		s.client, s.status.State, s.status.Info, s.status.Err = c, StateConnected, c.Server(), nil
	})
	s.refresh(c, mcp.ChangeAny)
	s.settle()
	err = s.follow(c, sub)
	return time.Since(began), err
}

// follow refreshes the lists when the server reports changes, until the
// connection is lost or the server is removed.
func (s *server) follow(c *mcp.Client, sub *mcp.Subscription) error {
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-c.Done():
			cancel(c.Err())
		case <-ctx.Done():
		}
	}()
	if sub == nil {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	defer sub.Close()
	for {
		change, err := sub.Next(ctx)
		if err != nil {
			return err
		}
		if change.Kind == mcp.ChangeLost {
			if err := sub.Lost(); err != nil { // if the error is nil, ChangeAny follows
				s.interrupt(c, err)
			}
			continue
		}
		s.refresh(c, change.Kind)
		if !retry.Sleep(ctx, s.host.opts.RefreshInterval) {
			return context.Cause(ctx)
		}
	}
}

// interrupt records that the client's connection was lost and is being restored or, if err is nil,
// that it has been restored.
func (s *server) interrupt(c *mcp.Client, err error) {
	state := StateConnected
	if err != nil {
		state = StateReconnecting
	}
	s.host.mu.Lock()
	changes := s.client == c && s.status.State != state
	if changes {
		s.status.State, s.status.Err = state, err
	}
	s.host.mu.Unlock()
	if changes {
		s.host.changed(s.name)
	}
}

// answered records whether the server could be reached for a request.
func (s *server) answered(c *mcp.Client, err error) {
	status, _ := errors.AsType[*mcp.HTTPError](err)
	_, network := errors.AsType[net.Error](err)
	switch {
	case err == nil:
		s.interrupt(c, nil)
	case network && !errors.Is(err, context.DeadlineExceeded), // the timeout of a slow tool does not mean that the connection is lost
		status != nil && status.StatusCode >= http.StatusBadGateway && status.StatusCode <= http.StatusGatewayTimeout:
		s.interrupt(c, err)
	}
}

// refresh reads the lists that a change affects. If a list cannot be read, it keeps the old
// entries.
func (s *server) refresh(c *mcp.Client, kind mcp.ChangeKind) {
	concerns := func(k mcp.ChangeKind) bool { return kind == k || kind == mcp.ChangeAny }
	caps := c.Server().Capabilities
	var problems []error
	if concerns(mcp.ChangeTools) && caps.Tools {
		problems = append(problems, read(s, &s.tools, "tools", c.Tools, func(t *mcp.Tool) string { return qualify(s.name, t.Name) }))
	}
	if concerns(mcp.ChangePrompts) && caps.Prompts {
		problems = append(problems, read(s, &s.prompts, "prompts", c.Prompts, func(p *mcp.Prompt) string { return qualify(s.name, p.Name) }))
	}
	if concerns(mcp.ChangeResources) && caps.Resources {
		problems = append(
			problems,
			read(s, &s.resources, "resources", c.Resources, func(r *mcp.Resource) string { return r.URI }),
			read(s, &s.templates, "resource templates", c.ResourceTemplates, func(t *mcp.ResourceTemplate) string { return t.URITemplate }),
		)
	}
	err := errors.Join(problems...)
	if s.ctx.Err() != nil {
		return
	}
	s.host.mu.Lock()
	s.status.State, s.status.Err, s.status.Info = StateConnected, err, c.Server()
	s.host.mu.Unlock()
	s.host.reindex()
	s.host.changed(s.name)
}

// read replaces list with the items of a list from the server. If several items have the same name,
// it keeps only the first. If the list cannot be read, it returns an error and does not change
// list.
func read[T any](s *server, list *[]Item[T], what string, entries func(context.Context) iter.Seq2[*T, error], name func(*T) string) error {
	ctx, cancel := context.WithTimeoutCause(s.ctx, s.host.opts.ListTimeout, fmt.Errorf("the server did not respond within %v", s.host.opts.ListTimeout))
	defer cancel()
	var items []Item[T]
	seen := map[string]bool{}
	for entry, err := range entries(ctx) {
		if err != nil {
			s.host.log.Warn("a list of a server cannot be read", "server", s.name, "list", what, "error", err)
			return fmt.Errorf("reading the list of %s: %w", what, err)
		}
		n := name(entry)
		if seen[n] {
			s.host.log.Warn("the server lists a name twice; the first entry is used", "server", s.name, "list", what, "name", n)
			continue
		}
		seen[n] = true
		items = append(items, Item[T]{Server: s.name, Name: n, Def: entry})
	}
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	*list = items
	return nil
}
