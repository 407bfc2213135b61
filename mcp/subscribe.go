package mcp

import (
	"context"
	"slices"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// changes contains the lists with a list_changed notification.
var changes = []string{"tools", "prompts", "resources"}

// listChanged sends a notification to sessions and to subscriptions of revision 2026-07-28 that the
// list of the given kind has changed.
func (s *Server) listChanged(kind string) {
	method := "notifications/" + kind + "/list_changed"
	line := append(wire.Field([]byte(`{"jsonrpc":"2.0"`), "method", method), '}')
	s.broadcast(func(to *session) []byte {
		if to.initialized.Load() && to.promised(kind) {
			return line
		}
		return nil
	}, func(l *listener) []byte {
		if slices.Contains(l.kinds, kind) {
			return l.line(method, "")
		}
		return nil
	})
}

// ResourceUpdated notifies clients that have subscribed to the resource that
// its contents have changed.
func (s *Server) ResourceUpdated(uri string) {
	const method = "notifications/resources/updated"
	line := wire.String([]byte(`{"jsonrpc":"2.0","method":"`+method+`","params":{"uri":`), uri)
	line = append(line, '}', '}')
	s.broadcast(func(to *session) []byte {
		if to.subscribes(uri) {
			return line
		}
		return nil
	}, func(l *listener) []byte {
		if slices.Contains(l.uris, uri) {
			return l.line(method, uri)
		}
		return nil
	})
}

// maxSubscribed is the maximum number of resources that a session or listener can subscribe to.
// maxURI is the maximum length of a URI in bytes. maxSubscribedBytes is the maximum size in bytes
// of the data that the server stores for a session or listener. The data consists of URIs, the
// params of initialize, and the params of subscriptions/listen.
const (
	maxSubscribed      = 1000
	maxURI             = 8 << 10
	maxSubscribedBytes = 256 << 10
)

// subscribe answers resources/subscribe and resources/unsubscribe in the revisions with sessions.
func (s *Server) subscribe(r *Request) (Result, error) {
	uri := r.Name()
	if err := checkURI(uri); err != nil {
		return nil, errorf(CodeInvalidParams, "Invalid params of %s: uri: %v", r.method, err)
	}
	if s.hides(r, uri) {
		return nil, errResourceNotFound(r.rev, uri)
	}
	err := r.session.changed(&r.ctx, func() error {
		if r.method == "resources/unsubscribe" {
			r.session.unsubscribe(uri)
			return nil
		}
		return r.session.subscribe(uri)
	})
	if err != nil {
		return nil, err
	}
	return emptyResult{}, nil
}

func (s *session) subscribe(uri string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.subscribed[uri]; there {
		return nil
	}
	if len(s.subscribed) >= maxSubscribed || s.subscribedBytes+len(uri) > maxSubscribedBytes {
		return errorf(CodeInvalidParams, "A session can subscribe to at most %d resources, with %d bytes of URIs; unsubscribe from one first", maxSubscribed, maxSubscribedBytes)
	}
	if s.subscribed == nil {
		s.subscribed = map[string]struct{}{}
	}
	s.subscribed[uri] = struct{}{}
	s.subscribedBytes += len(uri)
	return nil
}

func (s *session) unsubscribe(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.subscribed[uri]; there {
		delete(s.subscribed, uri)
		s.subscribedBytes -= len(uri)
	}
}

// promised reports whether the result of initialize has declared notifications for the given kind
// of list. For resources, it must also have declared subscriptions.
func (s *session) promised(kind string) bool {
	return !s.sessionless && slices.Contains(s.declared, kind)
}

func (s *session) subscribes(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.subscribed[uri]
	return ok
}

// listener is a subscriptions/listen request (specification 2026-07-28: Subscriptions).
type listener struct {
	r     *Request
	kinds []string      // kinds of lists
	uris  []string      // URIs of resources
	tasks []string      // ids of tasks
	stop  chan struct{} // closed to end the subscription
}

// endListeners ends the subscriptions for whose sink match returns true.
func (s *Server) endListeners(match func(sink) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners {
		if match(l.r.out) {
			delete(s.listeners, l)
			close(l.stop)
		}
	}
}

// line returns a notification with the given method, the subscription's ID and, unless it is empty,
// the URI.
func (l *listener) line(method, uri string) []byte {
	b := wire.Field([]byte(`{"jsonrpc":"2.0"`), "method", method)
	b = append(wire.Name(b, "params"), '{')
	b = l.appendTag(b)
	b = wire.Optional(b, "uri", uri)
	return append(b, '}', '}')
}

func (l *listener) push(line []byte) {
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	if !l.r.finished && !l.r.silent {
		l.r.out.push(line)
	}
}

func (l *listener) appendTag(b []byte) []byte {
	return append(wire.Raw(append(wire.Name(b, "_meta"), '{'), metaSubscriptionID, l.r.id), '}')
}

// mayNotify reports whether notifications may still be sent for r. It returns false for the request
// of a subscription. The caller must hold mu.
func (r *Request) mayNotify() bool {
	return !r.finished && !r.silent && r.ctx.Err() == nil && r.method != "subscriptions/listen"
}

// listen answers subscriptions/listen. It first sends a notification with the changes that the
// server accepted, and then notifications of these changes. It returns the result if the server
// ends the subscription. A client ends the subscription by cancelling the request.
func (s *Server) listen(ctx context.Context, r *Request) (Result, error) {
	if call, ok := r.out.(*pipeCall); ok && !call.markIdle() {
		return nil, errTooManyListeners
	}
	l, err := s.openListener(ctx, r)
	if err != nil {
		return nil, err
	}
	defer s.closeListener(l)
	r.out.handOver()
	s.sendTasks(ctx, l)
	select {
	case <-ctx.Done():
		if r.cancelled() {
			return nil, context.Canceled
		}
	case <-l.stop:
		s.sayFarewell(ctx, r)
	}
	return listenResult{l}, nil
}

var errTooManyListeners = errorf(CodeInternalError, "Too many subscriptions are open; close one and try again")

// sayFarewell notifies the client that the server has ended a subscription, on transports on which
// the result is not sufficient for that.
func (s *Server) sayFarewell(ctx context.Context, r *Request) {
	if call, ok := r.out.(*pipeCall); ok {
		line := append(wire.Raw([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{`), "requestId", r.id), '}', '}')
		s.tell(ctx, nil, r.rev, line, func() { call.farewell = line })
	}
}

// openListener starts the subscription for r, acknowledges it, and returns its listener. It is a
// separate function, so that listen uses little stack while it waits.
func (s *Server) openListener(ctx context.Context, r *Request) (*listener, error) {
	var p struct {
		Notifications *struct {
			Tools     bool     `json:"toolsListChanged"`
			Prompts   bool     `json:"promptsListChanged"`
			Resources bool     `json:"resourcesListChanged"`
			URIs      []string `json:"resourceSubscriptions"`
			Tasks     []string `json:"taskIds"`
		} `json:"notifications"`
	}
	if len(r.params.all) > maxSubscribedBytes {
		return nil, errorf(CodeInvalidParams, "Invalid params of subscriptions/listen: they are larger than the limit of %d bytes", maxSubscribedBytes)
	}
	if err := decodeOptional(r.params.all, &p); err != nil || p.Notifications == nil {
		return nil, errorf(CodeInvalidParams, "Invalid params of subscriptions/listen: notifications must be an object with the notifications to listen for")
	}
	if len(p.Notifications.URIs) > maxSubscribed || len(p.Notifications.Tasks) > maxSubscribed {
		return nil, errorf(CodeInvalidParams, "A subscription can name at most %d resources and as many tasks", maxSubscribed)
	}
	for _, uri := range p.Notifications.URIs {
		if err := checkURI(uri); err != nil {
			return nil, errorf(CodeInvalidParams, "Invalid params of subscriptions/listen: resourceSubscriptions: %v", err)
		}
	}
	if len(p.Notifications.Tasks) > 0 && s.hasTasks.Load() && !r.declaresTasks() {
		return nil, errTasksUndeclared()
	}
	l := &listener{r: r, stop: make(chan struct{})}
	ack := append(wire.Name([]byte(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{`), "notifications"), '{')
	for i, enabled := range []bool{p.Notifications.Tools, p.Notifications.Prompts, p.Notifications.Resources} {
		if enabled && s.offers(changes[i]) {
			l.kinds = append(l.kinds, changes[i])
			ack = wire.Bool(ack, changes[i]+"ListChanged", true)
		}
	}
	uris := slices.DeleteFunc(p.Notifications.URIs, func(uri string) bool { return s.hides(r, uri) })
	if len(uris) > 0 && s.offers("resources") {
		l.uris = uris
		ack = append(wire.Name(ack, "resourceSubscriptions"), '[')
		for _, uri := range l.uris {
			ack = wire.String(wire.Comma(ack), uri)
		}
		ack = append(ack, ']')
	}
	for _, id := range p.Notifications.Tasks {
		if !s.hasTasks.Load() {
			break
		}
		if _, _, err := s.findTask(ctx, r, id); err == nil {
			l.tasks = append(l.tasks, id)
		}
	}
	if len(l.tasks) > 0 {
		ack = append(wire.Name(ack, "taskIds"), '[')
		for _, id := range l.tasks {
			ack = wire.String(wire.Comma(ack), id)
		}
		ack = append(ack, ']')
	}
	ack = l.appendTag(append(ack, '}'))

	ack = append(ack, '}', '}')
	failed := errorf(CodeInternalError, "The server did not allow the subscription to begin")
	s.tell(ctx, nil, r.rev, ack, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.listeners) >= s.opts.Limits.MaxSubscriptions {
			failed = errTooManyListeners
			return
		}
		failed = nil
		// The acknowledgment is sent while the lock is held, so that it is sent before all
		// notifications.
		l.push(ack)
		s.listeners[l] = struct{}{}
		if r.out.ending() { // endListeners has already run
			delete(s.listeners, l)
			close(l.stop)
		}
	})
	if failed != nil {
		return nil, failed
	}
	return l, nil
}

func (s *Server) closeListener(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
}

// cancelled reports whether the client has cancelled r.
func (r *Request) cancelled() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.silent
}

// listenResult is the result of a subscription that the server ends.
type listenResult struct{ l *listener }

func (r listenResult) resultMeta() Meta {
	return Meta{metaSubscriptionID: jsonValue(r.l.r.id)}
}
func (listenResult) appendMembers(b []byte, _ revision.Revision) []byte { return b }

// features contains the capabilities that a server declares when it has had an entry of the kind.
var features = []string{"tools", "prompts", "resources", "completions", "tasks"}

// offers reports whether the server has ever had an entry of the feature or declares the
// capability.
func (s *Server) offers(feature string) bool {
	switch feature {
	case "tools":
		return s.tools.used()
	case "prompts":
		return s.prompts.used()
	case "resources":
		return s.resources.used() || s.templates.used()
	case "completions":
		return s.hasCompleters.Load()
	case "tasks":
		return s.hasTasks.Load()
	}
	return false
}

// serves reports whether the client of r can use the feature. A session has the features that
// initialize declared. Features that the server gets later are only available in new sessions
// (specification up to 2025-11-25: Lifecycle, Operation).
func (s *Server) serves(r *Request, feature string) bool {
	if r.session == nil || r.session.sessionless {
		return s.offers(feature)
	}
	return slices.Contains(r.session.declared, feature)
}
