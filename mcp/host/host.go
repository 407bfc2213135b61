// Package host connects an application to several MCP servers at once. Chat clients, agents and
// gateways use it to find the server that provides a tool.
//
//	servers, err := host.ParseConfig(data) // {"mcpServers": {…}}
//	…
//	h := host.New(&host.Options{ClientOptions: func(server string) *mcp.ClientOptions {
//		return &mcp.ClientOptions{ElicitForm: askUser(server)}
//	}})
//	defer h.Close()
//	for _, config := range servers {
//		if err := h.AddConfig(config, os.LookupEnv); err != nil { … }
//	}
//	h.Ready(ctx)
//	for _, tool := range h.Tools() { … tool.Name, tool.Def.Description … }
//	res, err := h.CallTool(ctx, "files__read", args, nil)
//
// Each server has its own client and does not affect the others. The Host reconnects to a server
// that cannot be reached, stalls or exits, with increasing delays, while the others continue.
// Host.Servers reports the state of each.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// Options configure a Host. The zero value is suitable for servers that do not ask questions.
type Options struct {
	// ClientOptions returns the options for a server's client. Its functions
	// answer the questions of that server. Nil means the zero value for all
	// servers.
	ClientOptions func(server string) *mcp.ClientOptions
	// Changed is called after the lists or the state of a server have changed. Calls are not
	// concurrent.
	Changed func(server string)
	// ConnectTimeout is the maximum time of an attempt to connect; default 1 minute. ListTimeout is
	// the maximum time for reading one list; default 30 seconds.
	ConnectTimeout time.Duration
	ListTimeout    time.Duration
	// MaxBackoff is the maximum time between attempts to connect; default 1 minute.
	MaxBackoff time.Duration
	// RefreshInterval is the minimum time between two reads of the lists of a
	// server that reports changes; default 100 milliseconds.
	RefreshInterval time.Duration
	// Logger receives messages for the operator. Nil means slog.Default().
	Logger *slog.Logger
}

// A State is the state of a server's connection.
type State string

// The possible states.
const (
	StateConnecting State = "connecting" // the first attempt to connect has not ended
	StateConnected  State = "connected"
	// StateReconnecting is the state of a server whose connection was lost; its
	// client tries to reconnect. Its tools are still listed.
	StateReconnecting State = "reconnecting"
	StateFailed       State = "failed" // the connection failed or was lost; the host tries again
	StateBroken       State = "broken" // the configuration is invalid; the host does not try again
)

// A ServerStatus describes a server of the Host and its state.
type ServerStatus struct {
	Name  string
	State State
	// Err is the reason for StateReconnecting, StateFailed or StateBroken, or the error from
	// reading one of the lists.
	Err error
	// Info is the server's description of itself; nil unless State is
	// StateConnected or StateReconnecting.
	Info *mcp.ServerInfo
}

// An Item is a tool, prompt, resource or resource template of a server.
type Item[T any] struct {
	Server string // name of the server
	// Name of a tool or prompt is unique in the host: the server's name, "__", and its own name.
	// Characters that model APIs do not accept are replaced, and names of more than 64 bytes are
	// shortened; a hash then keeps them distinct. The Name of a resource is its URI. The Name of a
	// resource template is the template itself.
	Name string
	// Def is the server's definition of the item. It must not be modified.
	Def *T
}

// A Host connects to several servers. Its methods are safe for concurrent use.
type Host struct {
	opts   Options
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	servers map[string]*server
	tools   index[mcp.Tool]
	prompts index[mcp.Prompt]
	closed  bool

	changes struct {
		mu      sync.Mutex
		waiting []string
		running bool
	}
}

// index maps names in the host to items.
type index[T any] map[string]Item[T]

// ErrClosed is returned by the methods of a Host after Close.
var ErrClosed = errors.New("the host is closed")

// New returns a Host without servers. A nil opts means the zero value.
func New(opts *Options) *Host {
	h := &Host{servers: map[string]*server{}}
	if opts != nil {
		h.opts = *opts
	}
	h.opts.ConnectTimeout = cmp.Or(h.opts.ConnectTimeout, time.Minute)
	h.opts.ListTimeout = cmp.Or(h.opts.ListTimeout, 30*time.Second)
	h.opts.MaxBackoff = cmp.Or(h.opts.MaxBackoff, time.Minute)
	h.opts.RefreshInterval = cmp.Or(h.opts.RefreshInterval, 100*time.Millisecond)
	if h.log = h.opts.Logger; h.log == nil {
		h.log = slog.Default()
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// Add adds a server and starts to connect to it. It returns an error if the name is already in use.
// Do not set CommandTransport.Restart, because the host restarts a command that exits.
func (h *Host) Add(name string, t mcp.Transport) error {
	return h.add(name, t, nil)
}

// AddConfig adds a configured server, unless it is disabled. If the configuration is not usable,
// for example because a variable is not set, the server becomes StateBroken and the others are not
// affected. AddConfig returns an error if the name is already in use.
func (h *Host) AddConfig(c ServerConfig, lookup func(name string) (string, bool)) error {
	if c.Disabled {
		return nil
	}
	expanded, err := c.Expand(lookup)
	var t mcp.Transport
	if err == nil {
		t, err = expanded.Transport()
	}
	return h.add(c.Name, t, err)
}

func (h *Host) add(name string, t mcp.Transport, broken error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return ErrClosed
	case h.servers[name] != nil:
		return fmt.Errorf("host: there is already a server %q", name)
	}
	s := &server{host: h, name: name, transport: t, settled: make(chan struct{}), done: make(chan struct{})}
	s.status = ServerStatus{Name: name, State: StateConnecting}
	s.ctx, s.cancel = context.WithCancel(h.ctx)
	h.servers[name] = s
	if broken != nil {
		s.status.State, s.status.Err = StateBroken, broken
		close(s.settled)
		close(s.done)
		return nil
	}
	go s.run()
	return nil
}

// Remove disconnects from a server and removes it. It reports whether the server existed.
func (h *Host) Remove(name string) bool {
	h.mu.Lock()
	s := h.servers[name]
	delete(h.servers, name)
	h.mu.Unlock()
	if s == nil {
		return false
	}
	s.cancel()
	<-s.done
	h.reindex()
	h.changed(name)
	return true
}

// Close disconnects from all servers. It waits for that within the time limits of mcp.Client.Close.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	servers := slices.Collect(maps.Values(h.servers))
	h.mu.Unlock()
	h.cancel()
	for _, s := range servers {
		<-s.done
	}
	return nil
}

// Ready waits until each server is connected and its lists have been read, or its first attempt to
// connect has failed. If ctx is done first, Ready returns the error of ctx.
func (h *Host) Ready(ctx context.Context) error {
	h.mu.Lock()
	servers := slices.Collect(maps.Values(h.servers))
	h.mu.Unlock()
	for _, s := range servers {
		select {
		case <-s.settled:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// Servers returns the servers, sorted by name.
func (h *Host) Servers() []ServerStatus {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []ServerStatus
	for _, s := range h.sorted() {
		all = append(all, s.status)
	}
	return all
}

// Client returns the client for a server, for requests for which Host has no method. It returns an
// error while the server is not connected. After a reconnection, the server has a different client.
func (h *Host) Client(server string) (*mcp.Client, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.servers[server]
	switch {
	case h.closed:
		return nil, ErrClosed
	case s == nil:
		return nil, fmt.Errorf("host: there is no server %q", server)
	case s.client == nil:
		return nil, fmt.Errorf("host: server %q is not connected: %w", server, cmp.Or(s.status.Err, errNotYet))
	}
	return s.client, nil
}

var errNotYet = errors.New("it has not responded yet")

// sorted returns the servers sorted by name. The caller must hold mu.
func (h *Host) sorted() []*server {
	return slices.SortedFunc(maps.Values(h.servers), func(a, b *server) int { return strings.Compare(a.name, b.name) })
}

// Tools returns the tools of all connected servers, sorted by server.
func (h *Host) Tools() []Item[mcp.Tool] {
	return collect(h, func(s *server) []Item[mcp.Tool] { return s.tools })
}

// Prompts returns the prompts of all connected servers, sorted by server.
func (h *Host) Prompts() []Item[mcp.Prompt] {
	return collect(h, func(s *server) []Item[mcp.Prompt] { return s.prompts })
}

// Resources returns the resources of all connected servers. Several servers can
// have a resource with the same URI.
func (h *Host) Resources() []Item[mcp.Resource] {
	return collect(h, func(s *server) []Item[mcp.Resource] { return s.resources })
}

// ResourceTemplates returns the resource templates of all connected servers.
func (h *Host) ResourceTemplates() []Item[mcp.ResourceTemplate] {
	return collect(h, func(s *server) []Item[mcp.ResourceTemplate] { return s.templates })
}

func collect[T any](h *Host, list func(*server) []Item[T]) []Item[T] {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Item[T]
	for _, s := range h.sorted() {
		all = append(all, list(s)...)
	}
	return all
}

// Tool returns the tool with the given name in the host, and whether it exists.
func (h *Host) Tool(name string) (Item[mcp.Tool], bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	item, ok := h.tools[name]
	return item, ok
}

// CallTool calls a tool by its name in the host; see mcp.Client.CallTool.
func (h *Host) CallTool(ctx context.Context, name string, args any, opts *mcp.CallOptions) (*mcp.CallToolResult, error) {
	item, ok := h.Tool(name)
	if !ok {
		return nil, h.unknown("tool", name)
	}
	return ask(h, item.Server, func(c *mcp.Client) (*mcp.CallToolResult, error) { return c.CallTool(ctx, item.Def.Name, args, opts) })
}

// GetPrompt returns a prompt by its name in the host; see mcp.Client.GetPrompt.
func (h *Host) GetPrompt(ctx context.Context, name string, args map[string]string, opts *mcp.CallOptions) (*mcp.PromptResult, error) {
	h.mu.Lock()
	item, ok := h.prompts[name]
	h.mu.Unlock()
	if !ok {
		return nil, h.unknown("prompt", name)
	}
	return ask(h, item.Server, func(c *mcp.Client) (*mcp.PromptResult, error) { return c.GetPrompt(ctx, item.Def.Name, args, opts) })
}

// unknown returns the error for a tool or prompt that does not exist. The reason can be that its
// server has failed.
func (h *Host) unknown(what, name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrClosed
	}
	for _, s := range h.sorted() {
		if prefix := strings.TrimSuffix(qualify(s.name, "x"), "x"); strings.HasPrefix(name, prefix) && s.client == nil {
			return fmt.Errorf("host: %s %q: server %q is not connected: %w", what, name, s.name, cmp.Or(s.status.Err, errNotYet))
		}
	}
	return fmt.Errorf("host: no server has a %s %q", what, name)
}

// ReadResource reads a resource from a server; see mcp.Client.ReadResource. If server is "", it
// reads from the server that lists the URI, or otherwise from the server with a matching template.
// If several servers match, it returns an error.
func (h *Host) ReadResource(ctx context.Context, server, uri string, opts *mcp.CallOptions) (*mcp.ResourceResult, error) {
	if server == "" {
		var err error
		if server, err = h.serverOf(uri); err != nil {
			return nil, err
		}
	}
	return ask(h, server, func(c *mcp.Client) (*mcp.ResourceResult, error) { return c.ReadResource(ctx, uri, opts) })
}

// ask sends a request to a server and returns its result. It records whether
// the server could be reached.
func ask[R any](h *Host, server string, send func(*mcp.Client) (R, error)) (R, error) {
	c, err := h.Client(server)
	if err != nil {
		var none R
		return none, err
	}
	result, err := send(c)
	return result, h.ended(server, c, err)
}

func (h *Host) serverOf(uri string) (string, error) {
	var listed, matching []string
	for _, r := range h.Resources() {
		if r.Name == uri {
			listed = append(listed, r.Server)
		}
	}
	if len(listed) == 0 {
		for _, t := range h.ResourceTemplates() {
			if _, ok := t.Def.Match(uri); ok {
				matching = append(matching, t.Server)
			}
		}
	}
	found := slices.Compact(append(listed, matching...))
	switch len(found) {
	case 0:
		return "", fmt.Errorf("host: no server lists the resource %q or a template for it; name the server", uri)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("host: several servers have the resource %q; name one of them: %s", uri, strings.Join(found, ", "))
}

// ended records whether a request reached the server, and returns its error with the server's name.
func (h *Host) ended(server string, c *mcp.Client, err error) error {
	h.mu.Lock()
	s := h.servers[server]
	h.mu.Unlock()
	if s != nil {
		s.answered(c, err)
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("host: server %q: %w", server, err)
}

// changed calls Options.Changed on another goroutine, so that the function may call any method of
// the host.
func (h *Host) changed(name string) {
	if h.opts.Changed == nil {
		return
	}
	q := &h.changes
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.waiting, name) {
		q.waiting = append(q.waiting, name)
	}
	if !q.running {
		q.running = true
		go h.report()
	}
}

func (h *Host) report() {
	q := &h.changes
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 || h.ctx.Err() != nil {
			q.waiting, q.running = nil, false
			q.mu.Unlock()
			return
		}
		name := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		h.opts.Changed(name)
	}
}

// reindex rebuilds the indexes of tools and prompts by their names in the host.
func (h *Host) reindex() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tools, h.prompts = index[mcp.Tool]{}, index[mcp.Prompt]{}
	for _, s := range h.servers {
		for _, t := range s.tools {
			h.tools[t.Name] = t
		}
		for _, p := range s.prompts {
			h.prompts[p.Name] = p
		}
	}
}
