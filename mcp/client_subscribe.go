package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Filter selects the changes that a Subscription receives.
type Filter struct {
	// Tools, Prompts and Resources select changes to these lists. Resources
	// includes the list of resource templates.
	Tools, Prompts, Resources bool
	// URIs select changes to the contents of these resources.
	URIs []string
	// Lost makes the subscription also report, as ChangeLost, that the connection is lost and
	// cannot be restored immediately.
	Lost bool
}

// A Change is a change that the server reports.
type Change struct {
	Kind ChangeKind
	URI  string // set if Kind is ChangeResource
}

// A ChangeKind is a kind of Change.
type ChangeKind string

// The kinds of change.
const (
	ChangeTools     ChangeKind = "tools"     // the list of tools
	ChangePrompts   ChangeKind = "prompts"   // the list of prompts
	ChangeResources ChangeKind = "resources" // the list of resources or of templates
	ChangeResource  ChangeKind = "resource"  // the contents of a resource
	// ChangeAny means that anything may have changed, because the connection was lost and restored,
	// or because there were more changes than can be queued.
	ChangeAny ChangeKind = "any"
	// ChangeLost means that the connection was lost; Subscription.Lost returns the reason. The
	// client tries to connect again, and reports ChangeAny when it succeeds.
	ChangeLost ChangeKind = "lost"
)

// A Subscription receives the changes that a server reports. If the connection is lost, the
// subscription continues on the next one. Client.Subscribe creates one.
type Subscription struct {
	c      *Client
	filter Filter
	ctx    context.Context
	cancel context.CancelFunc
	wake   chan struct{} // receives a value when changes is no longer empty or err is set
	ended  chan struct{} // closed when run has returned

	mu       sync.Mutex
	ready    chan struct{} // closed when the subscription has started; nil afterwards
	accepted Filter
	changes  []Change
	err      error
	lost     error // the error while the subscription is interrupted, or nil
}

// subscriptions contains the subscriptions of a client.
type subscriptions struct {
	mu  sync.Mutex // also guards clientConn.uris
	all map[*Subscription]bool
}

// Subscribe asks the server to report changes. It returns when the server has
// agreed; Subscription.Accepted returns the changes that the server will
// report. The subscription lasts until Close.
func (c *Client) Subscribe(ctx context.Context, f Filter) (*Subscription, error) {
	s := &Subscription{c: c, wake: make(chan struct{}, 1), ended: make(chan struct{}), ready: make(chan struct{})}
	s.filter = f
	s.filter.URIs = slices.Clone(f.URIs)
	s.ctx, s.cancel = context.WithCancel(c.ctx)
	ready := s.ready
	c.subscriptions.add(s)
	go s.run()
	var failed error
	select {
	case <-ready:
		return s, nil
	case <-s.ended:
		s.mu.Lock()
		failed = s.err
		s.mu.Unlock()
	case <-ctx.Done():
		failed = context.Cause(ctx)
	}
	s.Close()
	return nil, fmt.Errorf("mcp: subscribing: %w", inner{failed})
}

// Accepted returns the part of the filter that the server accepted.
func (s *Subscription) Accepted() Filter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// Lost returns why the subscription is interrupted, or nil if it is not.
func (s *Subscription) Lost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// Next waits for the next change. Equal changes that are waiting are merged. After Close, the error
// is ErrClientClosed. If the server can no longer be reached, the error is the reason.
func (s *Subscription) Next(ctx context.Context) (Change, error) {
	for {
		s.mu.Lock()
		if len(s.changes) > 0 {
			next := s.changes[0]
			s.changes = slices.Delete(s.changes, 0, 1)
			s.mu.Unlock()
			return next, nil
		}
		err := s.err
		s.mu.Unlock()
		if err != nil {
			return Change{}, err
		}
		select {
		case <-s.wake:
		case <-s.ended:
			s.mu.Lock()
			if len(s.changes) == 0 && s.err == nil {
				s.err = ErrClientClosed
			}
			s.mu.Unlock()
		case <-ctx.Done():
			return Change{}, context.Cause(ctx)
		}
	}
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.cancel()
	<-s.ended
}

// run maintains the subscription on the current connection and on each later one until the
// subscription ends.
func (s *Subscription) run() {
	defer close(s.ended)
	defer s.c.subscriptions.remove(s)
	for failed := 0; ; {
		began := false
		cc, err := s.c.current(s.ctx)
		if err == nil {
			if cc.agreement().rev.Stateless() {
				began, err = s.listen(cc)
			} else {
				began, err = s.hold(cc)
			}
		}
		switch {
		case s.ctx.Err() != nil:
			err = ErrClientClosed
		case began:
			failed = 1
		default:
			failed++
			s.interrupt(err)
		}
		_, refused := errors.AsType[*Error](err)
		over := !s.c.transport.redials() && errors.Is(err, s.c.Err())
		if s.ctx.Err() != nil || refused && !began || over || failed > s.c.opts.Limits.MaxReconnects || !s.c.pause(s.ctx, failed) {
			s.mu.Lock()
			s.err = err
			s.mu.Unlock()
			return
		}
	}
}

// begin records that the server has accepted the given part of the filter.
func (s *Subscription) begin(accepted Filter) {
	s.mu.Lock()
	s.accepted, s.lost = accepted, nil
	s.accepted.Lost = s.filter.Lost
	ready := s.ready
	s.ready = nil
	s.mu.Unlock()
	if ready != nil {
		close(ready)
		return
	}
	s.c.cache.clear()
	s.push(Change{Kind: ChangeAny})
}

// interrupt records that the connection was lost and could not be restored immediately. It does
// nothing before the subscription has started.
func (s *Subscription) interrupt(err error) {
	s.mu.Lock()
	tell := s.ready == nil && s.lost == nil && s.filter.Lost
	if s.ready == nil {
		s.lost = err
	}
	s.mu.Unlock()
	if tell {
		s.push(Change{Kind: ChangeLost})
	}
}

// push queues a change, unless an equal change is waiting. If too many changes are waiting, it
// replaces them all with a ChangeAny.
func (s *Subscription) push(change Change) {
	s.mu.Lock()
	switch {
	case slices.Contains(s.changes, change):
	case len(s.changes) >= s.c.opts.Limits.MaxEvents:
		s.changes = append(s.changes[:0], Change{Kind: ChangeAny})
	default:
		s.changes = append(s.changes, change)
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// feed is the part of a subscription that belongs to one connection.
type feed struct {
	s     *Subscription
	began bool // guarded by s.mu
}

// listen keeps the subscription open with subscriptions/listen until the server or the connection
// ends it. began reports whether the server accepted the subscription.
func (s *Subscription) listen(cc *clientConn) (began bool, err error) {
	f := &feed{s: s}
	k := s.c.newCall("subscriptions/listen")
	defer k.release()
	k.feed = f
	b := append(k.open(), `"notifications":{`...)
	for _, list := range []struct {
		name string
		set  bool
	}{{"toolsListChanged", s.filter.Tools}, {"promptsListChanged", s.filter.Prompts}, {"resourcesListChanged", s.filter.Resources}} {
		if list.set {
			b = wire.Bool(b, list.name, true)
		}
	}
	if len(s.filter.URIs) > 0 {
		b = append(wire.Name(b, "resourceSubscriptions"), '[')
		for _, uri := range s.filter.URIs {
			b = wire.String(wire.Comma(b), uri)
		}
		b = append(b, ']')
	}
	b = append(b, '}')
	k.params = b
	a := cc.agreement()
	if err := cc.register(k); err != nil {
		return false, err
	}
	k.line = s.c.appendRequest(k.line[:0], a, k, &noOptions)
	err = cc.roundTrip(s.ctx, a, k, waiting{-1, -1}, nil)
	if err == nil {
		err = errors.New("mcp: the server has ended the subscription")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return f.began, err
}

// endFeed handles a notification with which the server cancels a subscription.
func (cc *clientConn) endFeed(id int64) {
	cc.mu.Lock()
	k := cc.pending[id]
	isFeed := k != nil && k.feed != nil
	cc.mu.Unlock()
	if isFeed {
		cc.settle(id, nil, errors.New("mcp: the server has ended the subscription"))
	}
}

// feedOf returns the open subscription that a notification belongs to, or nil if there is none.
func (cc *clientConn) feedOf(params []byte) *feed {
	id, ok := requestID(member(member(params, "_meta"), metaSubscriptionID))
	if !ok {
		return nil
	}
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if k := cc.pending[id]; k != nil {
		return k.feed
	}
	return nil
}

func (cc *clientConn) acknowledged(params []byte) {
	f := cc.feedOf(params)
	if f == nil {
		return
	}
	var p struct {
		Notifications struct {
			Tools     bool     `json:"toolsListChanged"`
			Prompts   bool     `json:"promptsListChanged"`
			Resources bool     `json:"resourcesListChanged"`
			URIs      []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	}
	if decode(params, &p) != nil {
		return
	}
	f.s.mu.Lock()
	again := f.began
	f.began = true
	f.s.mu.Unlock()
	if n := p.Notifications; !again {
		f.s.begin(Filter{Tools: n.Tools, Prompts: n.Prompts, Resources: n.Resources, URIs: n.URIs})
	}
}

// changed handles a notification of a change. It invalidates cached results and notifies
// subscriptions.
func (cc *clientConn) changed(m *jsonrpc.Message, change Change) {
	cc.c.cache.invalidate(change)
	if cc.agreement().rev.Stateless() {
		if f := cc.feedOf(m.Params); f != nil && f.s.wants(change) {
			f.s.push(change)
		}
		return
	}
	cc.c.subscriptions.push(change)
}

// wants reports whether the filter matches a change. A server with sessions may report a change of
// a part of a subscribed resource.
func (s *Subscription) wants(change Change) bool {
	switch change.Kind {
	case ChangeTools:
		return s.filter.Tools
	case ChangePrompts:
		return s.filter.Prompts
	case ChangeResources:
		return s.filter.Resources
	}
	return slices.ContainsFunc(s.filter.URIs, func(uri string) bool {
		rest, ok := strings.CutPrefix(change.URI, uri)
		return ok && (rest == "" || strings.HasSuffix(uri, "/") || strings.ContainsRune("/?#", rune(rest[0])))
	})
}

// hold registers the subscription in a session until one of the two ends. It sends no request for
// changes of lists, because a session always receives those. began reports whether the subscription
// has started.
func (s *Subscription) hold(cc *clientConn) (began bool, err error) {
	a := cc.agreement()
	declared := func(kind, what string) bool {
		return string(member(member(a.server.Declared, kind), what)) == "true"
	}
	accepted := Filter{
		Tools:     s.filter.Tools && declared("tools", "listChanged"),
		Prompts:   s.filter.Prompts && declared("prompts", "listChanged"),
		Resources: s.filter.Resources && declared("resources", "listChanged"),
	}
	var held []string
	defer func() {
		for _, uri := range held {
			s.c.subscriptions.drop(cc, uri)
		}
	}()
	if a.server.Subscriptions {
		for _, uri := range s.filter.URIs {
			if err := s.c.subscriptions.take(s.ctx, cc, uri); err != nil {
				return false, err
			}
			held = append(held, uri)
		}
		accepted.URIs = held
	}
	s.begin(accepted)
	select {
	case <-cc.gone:
		held = nil
		cc.mu.Lock()
		defer cc.mu.Unlock()
		return true, cc.err
	case <-s.ctx.Done():
		return true, context.Cause(s.ctx)
	}
}

func (all *subscriptions) add(s *Subscription) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.all == nil {
		all.all = map[*Subscription]bool{}
	}
	all.all[s] = true
}

func (all *subscriptions) remove(s *Subscription) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.all, s)
}

// push sends a change to the subscriptions whose filter matches it.
func (all *subscriptions) push(change Change) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for s := range all.all {
		if s.wants(change) {
			s.push(change)
		}
	}
}

// interrupt tells the subscriptions in a session that its stream was lost. If err is nil, it tells
// them that there is a stream again.
func (all *subscriptions) interrupt(err error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for s := range all.all {
		switch {
		case err != nil:
			s.interrupt(err)
		case s.Lost() != nil:
			s.begin(s.Accepted())
		}
	}
}

// take subscribes to a resource in a session, unless another subscription has already done so.
func (all *subscriptions) take(ctx context.Context, cc *clientConn, uri string) error {
	all.mu.Lock()
	if cc.uris == nil {
		cc.uris = map[string]int{}
	}
	cc.uris[uri]++
	first := cc.uris[uri] == 1
	all.mu.Unlock()
	if !first {
		return nil
	}
	_, err := cc.bare(ctx, cc.agreement(), "resources/subscribe", wire.Field(open(), "uri", uri), cc.c.opts.Timeout)
	if err != nil {
		all.mu.Lock()
		cc.uris[uri]--
		all.mu.Unlock()
	}
	return err
}

// drop undoes take. It unsubscribes from the resource, unless another subscription needs it.
func (all *subscriptions) drop(cc *clientConn, uri string) {
	all.mu.Lock()
	cc.uris[uri]--
	last := cc.uris[uri] == 0
	all.mu.Unlock()
	if last && cc.ctx.Err() == nil {
		// The response is not needed.
		_, _ = cc.bare(cc.ctx, cc.agreement(), "resources/unsubscribe", wire.Field(open(), "uri", uri), cc.c.opts.Limits.CloseTimeout)
	}
}
