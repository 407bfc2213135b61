package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/retry"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Errors that make Client.repeat send a request again.
var (
	errSessionEnded = errors.New("mcp: the server has ended the session")
	errStreamLost   = errors.New("mcp: the connection was lost before the response")
)

// dialing is an attempt to connect. Several requests can wait for it.
type dialing struct {
	done chan struct{}
	conn *clientConn
	err  error
}

// current returns the connection to use. If the connection was lost and the transport allows it,
// current creates another one.
func (c *Client) current(ctx context.Context) (*clientConn, error) {
	if cc := c.conn.Load(); cc != nil && !cc.retired.Load() {
		return cc, nil
	}
	return c.connect(ctx)
}

// connect is like current, without the fast path. Only one attempt is made at a time.
func (c *Client) connect(ctx context.Context) (*clientConn, error) {
	c.mu.Lock()
	switch cc := c.conn.Load(); {
	case c.closed:
		c.mu.Unlock()
		return nil, ErrClientClosed
	case c.err != nil:
		defer c.mu.Unlock()
		return nil, c.err
	case cc != nil && !cc.retired.Load():
		c.mu.Unlock()
		return cc, nil
	}
	d := c.dial
	if d == nil {
		d = &dialing{done: make(chan struct{})}
		c.dial = d
		go c.redial(d, c.failed)
	}
	c.mu.Unlock()
	select {
	case <-d.done:
		return d.conn, d.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// redial connects for the attempt d, after a pause if previous attempts have failed.
func (c *Client) redial(d *dialing, failed int) {
	if failed == 0 || c.pause(c.ctx, failed) {
		d.conn, d.err = c.dialOnce(c.ctx)
	} else {
		d.err = ErrClientClosed
	}
	c.mu.Lock()
	c.dial = nil
	late := c.closed && d.err == nil
	switch {
	case late:
		d.err = ErrClientClosed
	case d.err == nil:
		c.failed = 0
		c.conn.Store(d.conn)
	default:
		c.failed++
	}
	c.mu.Unlock()
	if late {
		d.conn.close(ErrClientClosed)
	}
	close(d.done)
}

// pause waits before attempt n. The wait grows with n and has jitter. It returns false if ctx is
// done first.
func (c *Client) pause(ctx context.Context, n int) bool {
	return retry.Sleep(ctx, retry.Backoff(n, firstBackoff, c.opts.Limits.MaxBackoff))
}

// firstBackoff is the approximate time to wait before the second attempt.
const firstBackoff = 100 * time.Millisecond

// end runs f, which ends a connection, on another goroutine. Close waits for all functions that
// were passed to end before it.
func (c *Client) end(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		go f()
	} else {
		c.ending.Go(f)
	}
}

// lost is called when a connection has ended. If the transport cannot make
// another connection, it finishes the client with err.
func (c *Client) lost(cc *clientConn, err error) {
	c.end(func() { _ = cc.link.close() }) // when the client closes the connection itself, Close returns this error
	c.mu.Lock()
	current, closed := c.conn.Load() == cc, c.closed
	c.mu.Unlock()
	if !current || closed || errors.Is(err, errRetired) {
		return
	}
	c.cache.clear()
	if !c.transport.redials() {
		c.finish(err)
		return
	}
	c.log.Info("connection to the server lost", "error", err)
}

// agree stores the agreement of the connection, notifies the server of the end of the handshake,
// and sends the log level.
func (cc *clientConn) agree(ctx context.Context, a *agreement) error {
	cc.agreedOn.Store(a)
	if err := cc.link.agreed(ctx, a); err != nil {
		return err
	}
	if cc.c.opts.Log == nil || a.rev.Stateless() || !a.server.Capabilities.Logging {
		return nil
	}
	params := wire.Field(open(), "level", cc.c.requestedLevel().String())
	if _, err := cc.bare(ctx, a, "logging/setLevel", params, cc.c.opts.Timeout); err != nil {
		cc.c.log.Info("the server rejected the log level", "error", err)
	}
	return nil
}

// bare sends a request of the handshake. params lacks its closing brace. The caller owns the
// result.
func (cc *clientConn) bare(ctx context.Context, a *agreement, method string, params []byte, timeout time.Duration) ([]byte, error) {
	k := cc.c.newCall(method)
	defer k.release()
	if err := cc.register(k); err != nil {
		return nil, err
	}
	k.params = append(k.params, params...)
	k.line = cc.c.appendRequest(k.line[:0], a, k, &noOptions)
	if err := cc.roundTrip(ctx, a, k, waiting{timeout, cc.c.opts.MaxTimeout}, nil); err != nil {
		return nil, err
	}
	return slices.Clone(k.result), nil
}

// handshake negotiates the newest revision that both sides support. A server of a revision without
// sessions answers server/discover; any other answer, or no answer, means that the server expects
// initialize. If server/discover has no answer when probing is done, it is cancelled.
func (cc *clientConn) handshake(ctx, probing context.Context) (*agreement, error) {
	c := cc.c
	modern := slices.IndexFunc(c.revisions, revision.Revision.Stateless)
	legacy := slices.IndexFunc(c.revisions, revision.Revision.HasSessions)
	if l, ok := cc.link.(*sseLink); ok {
		if legacy < 0 {
			return nil, fmt.Errorf("%w: %s supports only HTTP with SSE, which is for revisions with sessions, up to 2025-11-25", ErrNoRevision, withoutSecrets(l.url))
		}
		modern = -1
	}
	switch {
	case cc.known.HasSessions():
		return cc.initialize(ctx, cc.known)
	case modern < 0:
		return cc.initialize(ctx, c.revisions[legacy])
	case legacy < 0:
		a, err := cc.discover(ctx, c.revisions[modern], c.opts.Timeout)
		return a, noRevision(err)
	}
	type outcome struct {
		a   *agreement
		err error
	}
	discovered := make(chan outcome, 1)
	go func() {
		a, err := cc.discover(probing, c.revisions[modern], c.opts.Timeout)
		discovered <- outcome{a, err}
	}()
	var late <-chan time.Time
	if _, ok := cc.link.(*pipeLink); ok { // over HTTP, the server always sends a response
		timer := time.NewTimer(c.opts.ProbeTimeout)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case got := <-discovered:
		if got.err == nil {
			return got.a, nil
		}
		older, err := cc.fallBack(got.err)
		if err != nil {
			if late != nil && cc.ended() {
				err = probeEnded{err}
			}
			return nil, err
		}
		return cc.initialize(ctx, older)
	case <-late:
	}
	// the server is slow to start or ignores server/discover
	initialized := make(chan outcome, 1)
	go func() {
		a, err := cc.initialize(ctx, c.revisions[legacy])
		initialized <- outcome{a, err}
	}()
	for tries := 0; ; tries++ {
		select {
		case got := <-discovered:
			if got.err == nil {
				return got.a, nil
			}
			discovered = nil
		case got := <-initialized:
			if got.err != nil && discovered != nil && tries == 0 && ctx.Err() == nil {
				initialized = nil // the response to server/discover may still arrive
				continue
			}
			return got.a, got.err
		}
		if initialized == nil {
			return nil, errors.New("the server refused initialize as well as server/discover")
		}
	}
}

// fallBack returns the revision to use in initialize after server/discover has failed with err.
func (cc *clientConn) fallBack(err error) (revision.Revision, error) {
	best := func(allowed func(revision.Revision) bool) revision.Revision {
		for _, rev := range cc.c.revisions {
			if rev.HasSessions() && allowed(rev) {
				return rev
			}
		}
		return revision.None
	}
	if e, ok := errors.AsType[*Error](err); ok {
		switch {
		case e.isStateless() && e.Code != CodeUnsupportedVersion:
			return revision.None, err
		case e.isStateless():
			supported := versions(member(e.Data, "supported"))
			rev := best(func(rev revision.Revision) bool { return slices.Contains(supported, rev) })
			if rev == revision.None {
				return rev, noRevision(err)
			}
			return rev, nil
		}
		return best(revision.Revision.HasSessions), nil
	}
	if _, ok := errors.AsType[noResponseError](err); ok || errors.Is(err, errNoDiscovery) {
		return best(revision.Revision.HasSessions), nil
	}
	if status, ok := errors.AsType[*HTTPError](err); ok && !status.refused() {
		return best(revision.Revision.HasSessions), nil
	}
	return revision.None, err
}

// noRevision wraps err, the error of server/discover, in ErrNoRevision if the server has answered
// and does not support the revision. It returns any other err unchanged.
func noRevision(err error) error {
	e, answered := errors.AsType[*Error](err)
	if answered && (e.Code == CodeUnsupportedVersion || !e.isStateless()) || errors.Is(err, errNoDiscovery) {
		return fmt.Errorf("%w: server/discover: %w", ErrNoRevision, inner{err})
	}
	return err
}

// isStateless reports whether the error can only come from a server of a
// revision without sessions.
func (e *Error) isStateless() bool {
	return e.Code == CodeHeaderMismatch || e.Code == CodeMissingCapability || e.Code == CodeUnsupportedVersion
}

// versions reads a JSON array of names of revisions. It omits unknown names.
func versions(list []byte) []revision.Revision {
	var names []string
	if len(list) == 0 || decode(list, &names) != nil {
		return nil
	}
	var revisions []revision.Revision
	for _, name := range names {
		if rev := revision.Parse(name); rev != revision.None {
			revisions = append(revisions, rev)
		}
	}
	return revisions
}

// errNoDiscovery is the error for an invalid result of server/discover.
var errNoDiscovery = errors.New("the result of server/discover lacks supportedVersions")

// discover performs the handshake with server/discover and returns the
// agreement on rev.
func (cc *clientConn) discover(ctx context.Context, rev revision.Revision, timeout time.Duration) (*agreement, error) {
	for tries := 0; ; tries++ {
		a := &agreement{rev: rev, server: new(ServerInfo), meta: cc.c.requestMeta(rev)}
		result, err := cc.bare(ctx, a, "server/discover", nil, timeout)
		if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeUnsupportedVersion && tries == 0 &&
			slices.Contains(versions(member(e.Data, "supported")), rev) {
			continue // the error lists a revision that the client supports
		}
		if err != nil {
			return nil, err
		}
		var r struct {
			Versions     jsonValue       `json:"supportedVersions"`
			Capabilities jsonValue       `json:"capabilities"`
			Instructions string          `json:"instructions"`
			ResultType   string          `json:"resultType"`
			Meta         json.RawMessage `json:"_meta"`
		}
		if decode(result, &r) != nil || r.ResultType != "" && r.ResultType != "complete" || len(r.Versions) == 0 || r.Versions[0] != '[' || len(r.Capabilities) == 0 {
			return nil, errNoDiscovery
		}
		if listed := versions(r.Versions); !slices.Contains(listed, rev) {
			return nil, &Error{Code: CodeUnsupportedVersion, Message: "the server does not list " + rev.String() + " among its revisions",
				Data: append(append([]byte(`{"supported":`), r.Versions...), '}')}
		}
		a.server.read(rev, r.Capabilities, member(r.Meta, metaServerInfo), r.Instructions)
		return a, nil
	}
}

// initialize performs the handshake with initialize, which opens a session. rev is the
// revision that it offers; the agreement contains the revision that the server has chosen.
func (cc *clientConn) initialize(ctx context.Context, rev revision.Revision) (*agreement, error) {
	c := cc.c
	for tries := 0; ; tries++ {
		params := wire.Field(open(), "protocolVersion", rev.String())
		params = c.appendCapabilities(wire.Name(params, "capabilities"), rev)
		params = c.opts.Info.append(wire.Name(params, "clientInfo"), rev)
		result, err := cc.bare(ctx, &agreement{server: new(ServerInfo)}, "initialize", params, c.opts.Timeout)
		if e, ok := errors.AsType[*Error](err); ok {
			supported := versions(member(e.Data, "supported"))
			i := slices.IndexFunc(c.revisions, func(rev revision.Revision) bool {
				return rev.HasSessions() && slices.Contains(supported, rev)
			})
			if i >= 0 && c.revisions[i] != rev && tries == 0 {
				rev = c.revisions[i]
				continue
			}
			if len(supported) > 0 && i < 0 {
				return nil, fmt.Errorf("%w: initialize: %w", ErrNoRevision, inner{err})
			}
		}
		if err != nil {
			err = inner{err}
			if !strings.HasPrefix(err.Error(), "initialize: ") { // the text of a timeout already contains the method
				err = fmt.Errorf("initialize: %w", err)
			}
			return nil, err
		}
		version, _ := jsonrpc.String(member(result, "protocolVersion"))
		agreed := revision.Parse(version)
		if !agreed.HasSessions() || !slices.Contains(c.revisions, agreed) {
			return nil, fmt.Errorf("%w: the server wants to use revision %q", ErrNoRevision, clip(version, 32))
		}
		a := &agreement{rev: agreed, server: new(ServerInfo)}
		instructions, _ := jsonrpc.String(member(result, "instructions"))
		a.server.read(agreed, member(result, "capabilities"), member(result, "serverInfo"), instructions)
		return a, nil
	}
}

// read sets the fields of i from the given parts of a response.
func (i *ServerInfo) read(rev revision.Revision, capabilities, info []byte, instructions string) {
	i.Revision, i.Instructions = rev.String(), instructions
	if len(info) > 0 {
		_ = decode(info, &i.Implementation) // ignore invalid members
		i.Icons = safeIcons(i.Icons)
	}
	has := func(name string) bool { return len(member(capabilities, name)) > 0 }
	i.Declared = slices.Clone(capabilities)
	i.Capabilities = ServerCapabilities{
		Tools: has("tools"), Prompts: has("prompts"), Resources: has("resources"),
		// Older servers may support completion without declaring it.
		Completions: has("completions") || !rev.HasCompletions(),
		Logging:     has("logging"),
		Tasks:       rev.HasCoreTasks() && has("tasks"),
	}
	if rev.TasksAreExtension() {
		_, i.Capabilities.Tasks = i.Extension(tasksExtension)
	}
	i.Subscriptions = string(member(member(capabilities, "resources"), "subscribe")) == "true"
}

// requestMeta returns the members of _meta for every request in a revision
// without sessions.
func (c *Client) requestMeta(rev revision.Revision) []byte {
	b := wire.Field(open(), metaProtocolVersion, rev.String())
	b = c.opts.Info.append(wire.Name(b, metaClientInfo), rev)
	return c.appendCapabilities(wire.Name(b, metaClientCapabilities), rev)[1:]
}

// appendCapabilities appends the client's capabilities, which follow from the
// functions in its options.
func (c *Client) appendCapabilities(b []byte, rev revision.Revision) []byte {
	o := &c.opts
	b = append(b, '{')
	if o.Roots != nil {
		b = append(wire.Name(b, "roots"), '{')
		if rev.HasSessions() {
			b = wire.Bool(b, "listChanged", true)
		}
		b = append(b, '}')
	}
	if o.Sample != nil {
		b = append(wire.Name(b, "sampling"), '{')
		if rev.HasSamplingArrays() && o.SampleContext {
			b = append(wire.Name(b, "context"), "{}"...)
		}
		if rev.HasSamplingArrays() && o.SampleTools {
			b = append(wire.Name(b, "tools"), "{}"...)
		}
		b = append(b, '}')
	}
	if rev.HasElicitation() && (o.ElicitForm != nil || o.ElicitURL != nil && rev.HasURLElicitation()) {
		b = append(wire.Name(b, "elicitation"), '{')
		if rev.HasURLElicitation() && o.ElicitForm != nil {
			b = append(wire.Name(b, "form"), "{}"...)
		}
		if rev.HasURLElicitation() && o.ElicitURL != nil {
			b = append(wire.Name(b, "url"), "{}"...)
		}
		b = append(b, '}')
	}
	if tasks := o.Tasks && rev.TasksAreExtension(); rev.HasTitle() && (len(o.Extensions) > 0 || tasks) {
		b = append(wire.Name(b, "extensions"), '{')
		for _, id := range sortedKeys(o.Extensions) {
			settings, _ := encode(o.Extensions[id]) // Connect has already checked the settings
			b = append(wire.String(wire.Comma(b), id), ':')
			b = append(b, compact(settings)...)
		}
		if _, declared := o.Extensions[tasksExtension]; tasks && !declared {
			b = append(wire.Name(b, tasksExtension), "{}"...)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}
