package inspector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// settings are the user's choices for a connection.
type settings struct {
	// Server is the index of the server in Options.Servers.
	Server int
	// Revision is the only protocol revision to use. If it is empty, the newest one that both sides
	// support is used.
	Revision string
	// Level is the minimum level of log messages.
	Level string
	// Transport is the only transport over HTTP to use, streamable or sse. If it is empty, the
	// client detects the transport that the server supports.
	Transport string
	// The capabilities that the client declares.
	Roots, Sampling, Elicitation, Tasks bool
}

// Transports over HTTP.
const (
	streamable = "streamable" // Streamable HTTP
	sse        = "sse"        // HTTP with SSE, of 2024-11-05
)

// Statuses of a connection.
const (
	connecting   = "connecting"
	connected    = "connected"
	failed       = "failed"       // connecting has failed
	disconnected = "disconnected" // disconnected by the user, or connection lost
)

// connection is one connection to a server, from the attempt to its end.
type connection struct {
	i        *Inspector
	settings settings
	ctx      context.Context
	cancel   context.CancelFunc
	ready    chan struct{} // closed when connecting has succeeded or failed
	ended    chan struct{} // closed when the connection has been shut down

	mu            sync.Mutex
	status        string
	client        *mcp.Client
	err           error
	trouble       string // why the connection is interrupted; empty if it is not
	lists         [5]list
	subscriptions map[string]*mcp.Subscription // subscriptions to resources, by URI; nil while one is being opened
	updates       map[string]int               // how often a resource has changed
}

// connection returns the current connection, or nil.
func (i *Inspector) connection() *connection {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.current
}

// connect ends the current connection and starts a new one. It does not wait until that is
// established.
func (i *Inspector) connect(s settings) error {
	if s.Server < 0 || s.Server >= len(i.options.Servers) {
		return errors.New("this server does not exist")
	}
	c := &connection{i: i, settings: s, status: connecting, ready: make(chan struct{}), ended: make(chan struct{}), subscriptions: map[string]*mcp.Subscription{}, updates: map[string]int{}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	i.mu.Lock()
	if i.closed {
		i.mu.Unlock()
		c.cancel()
		return errors.New("docent is shutting down")
	}
	old := i.current
	i.current, i.last = c, s
	i.mu.Unlock()
	if old != nil {
		old.cancel()
	}
	go c.run(old)
	i.changes.publish("state", "tools", "prompts", "resources")
	return nil
}

// run connects, loads the lists and waits for the end of the connection. old is the previous
// connection, or nil.
func (c *connection) run(old *connection) {
	defer close(c.ended)
	if old != nil {
		old.close()
	}
	client, err := c.dial()
	c.mu.Lock()
	c.client, c.err, c.status = client, err, connected
	if err != nil {
		c.status = failed
	}
	c.mu.Unlock()
	close(c.ready)
	if err == nil {
		go c.watch()
		c.changed("state")
		select {
		case <-client.Done():
		case <-c.ctx.Done():
		}
		c.mu.Lock()
		c.status, c.trouble, c.err = disconnected, "", client.Err()
		c.mu.Unlock()
		c.changed("state") // Closing a server can take seconds.
		_ = client.Close() // the connection is of no use in either case
	}
	c.cancel()
	c.changed("state", "tools", "prompts", "resources")
}

// changed publishes that parts are stale if c is still the current connection.
func (c *connection) changed(parts ...string) {
	if c.i.connection() == c {
		c.i.changes.publish(parts...)
	}
}

// close ends the connection and returns when that is done.
func (c *connection) close() {
	c.cancel()
	<-c.ended
}

// dial connects to the server.
func (c *connection) dial() (*mcp.Client, error) {
	server := c.i.options.Servers[c.settings.Server]
	ctx, cancel := context.WithTimeoutCause(c.ctx, c.i.options.ConnectTimeout, fmt.Errorf("the server did not respond within %v", c.i.options.ConnectTimeout))
	defer cancel()
	t, err := server.Transport(func(page string) { c.i.questions.signIn(c.ctx, server.Name, page, c.i.options.ConnectTimeout) })
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case *mcp.CommandTransport:
		t.StderrLine = func(line string) {
			c.i.log.line(stderr, line)
			if c.i.options.StderrLine != nil {
				c.i.options.StderrLine(line)
			}
		}
	case *mcp.HTTPTransport:
		t.NoSSE, t.OnlySSE = c.settings.Transport == streamable, c.settings.Transport == sse
	}
	return mcp.Connect(ctx, t, c.clientOptions())
}

// clientOptions returns the options of the client for the connection's settings.
func (c *connection) clientOptions() *mcp.ClientOptions {
	o := &mcp.ClientOptions{
		Info:       mcp.Implementation{Name: "docent", Version: c.i.options.Version, Title: "Docent"},
		Timeout:    c.i.options.Timeout,
		Log:        func(mcp.LogMessage) {}, // the page shows them in its log, but the server sends them only if this is set
		LogLevel:   levels[c.settings.Level],
		Tasks:      c.settings.Tasks,
		Limits:     mcp.ClientLimits{MaxCacheBytes: -1}, // the pages show the server's current answers
		Logger:     slog.New(remarks{log: &c.i.log}),
		Middleware: []mcp.ClientMiddleware{capture},
		Trace: func(sent bool, message json.RawMessage) {
			c.i.log.message(sent, message)
			if !sent {
				c.i.questions.signedIn() // The server has answered, so the sign-in is complete.
			}
			if c.i.options.Trace != nil {
				c.i.options.Trace(sent, message)
			}
		},
	}
	if c.settings.Revision != "" {
		o.Revisions = []string{c.settings.Revision}
	}
	if c.settings.Roots {
		o.Roots = c.i.answerRoots
	}
	if c.settings.Sampling {
		o.Sample, o.SampleTools, o.SampleContext = c.i.questions.sample, true, true
	}
	if c.settings.Elicitation {
		o.ElicitForm, o.ElicitURL = c.i.questions.form, c.i.questions.visit
		o.ElicitationComplete = func(string) {}
	}
	return o
}

// levels maps names to levels of log messages. levelNames are the names, beginning with the least
// severe level.
var levels, levelNames = func() (map[string]mcp.Level, []string) {
	byName, names := map[string]mcp.Level{}, []string(nil)
	for l := mcp.LevelDebug; l <= mcp.LevelEmergency; l++ {
		byName[l.String()] = l
		names = append(names, l.String())
	}
	return byName, names
}()

// remarks is a slog.Handler that logs the messages of docent's client about the server.
type remarks struct {
	log   *messageLog
	attrs string
}

func (h remarks) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

func (h remarks) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf("; %s: %v", a.Key, a.Value)
		return true
	})
	h.log.line(client, text+h.attrs)
	return nil
}

func (h remarks) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		h.attrs += fmt.Sprintf("; %s: %v", a.Key, a.Value)
	}
	return h
}

func (h remarks) WithGroup(string) slog.Handler { return h }

// loadAll loads all lists.
func (c *connection) loadAll() {
	for kind := range c.lists {
		c.load(listKind(kind))
	}
}

// watch subscribes to changes of the lists, loads all lists, and then reloads those that have
// changed. If the server is slow to accept the subscription, the lists are loaded before it does,
// and again afterwards, since they may have changed.
func (c *connection) watch() {
	early := time.AfterFunc(patience, c.loadAll)
	sub, err := c.client.Subscribe(c.ctx, mcp.Filter{Tools: true, Prompts: true, Resources: true, Lost: true})
	early.Stop()
	c.loadAll()
	if err != nil {
		if c.ctx.Err() == nil {
			c.i.log.line(client, "the server does not report changes: "+err.Error())
		}
		return
	}
	defer sub.Close()
	for {
		change, err := sub.Next(c.ctx)
		if err != nil {
			return
		}
		trouble := ""
		if lost := sub.Lost(); change.Kind == mcp.ChangeLost && lost != nil {
			trouble = lost.Error()
		}
		c.mu.Lock()
		c.trouble = trouble
		c.mu.Unlock()
		for kind := range c.lists {
			if change.Kind == mcp.ChangeAny || change.Kind == listKind(kind).change() {
				c.load(listKind(kind))
			}
		}
		c.changed("state")
	}
}

// listKind is a kind of list of a server.
type listKind int

const (
	tools listKind = iota
	prompts
	resources
	templates
	tasks
)

// change returns the kind of change that makes the list stale; empty if there is none.
func (k listKind) change() mcp.ChangeKind {
	return []mcp.ChangeKind{mcp.ChangeTools, mcp.ChangePrompts, mcp.ChangeResources, mcp.ChangeResources, ""}[k]
}

// part returns the name of the part of a page that shows the list.
func (k listKind) part() string {
	return []string{"tools", "prompts", "resources", "resources", "tasks"}[k]
}

// list is a list of the server.
type list struct {
	items   []item
	err     error
	loading chan struct{} // closed when it is loaded; nil if it is not being loaded
	stale   bool          // it changed while it was being loaded
}

// count returns the number of entries.
func (l list) count() int { return len(l.items) }

// list returns a copy of a list. The lists of a nil connection are empty.
func (c *connection) list(kind listKind) list {
	if c == nil {
		return list{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lists[kind]
}

// load loads a list in the background.
func (c *connection) load(kind listKind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &c.lists[kind]
	if l.loading != nil {
		l.stale = true
		return
	}
	if c.client == nil || c.ctx.Err() != nil {
		return
	}
	l.loading, l.stale = make(chan struct{}), false
	go func() {
		items, err := c.read(kind)
		c.mu.Lock()
		l.items, l.err = items, err
		close(l.loading)
		l.loading = nil
		again := l.stale
		c.mu.Unlock()
		if again && c.ctx.Err() == nil {
			c.load(kind)
		}
		c.changed(kind.part(), "state")
	}()
}

// read lists the entries of a kind as the server sends them, including those that docent's client
// omits.
func (c *connection) read(kind listKind) ([]item, error) {
	pages := &captured{}
	ctx := context.WithValue(c.ctx, capturedKey{}, pages)
	var usable map[string]bool
	var err error
	switch kind {
	case tools:
		usable, err = keys(c.client.Tools(ctx), func(t *mcp.Tool) string { return t.Name })
	case prompts:
		usable, err = keys(c.client.Prompts(ctx), func(p *mcp.Prompt) string { return p.Name })
	case resources:
		usable, err = keys(c.client.Resources(ctx), func(r *mcp.Resource) string { return r.URI })
	case templates:
		usable, err = keys(c.client.ResourceTemplates(ctx), func(t *mcp.ResourceTemplate) string { return t.URITemplate })
	case tasks:
		if list, _ := c.taskMethods(); !list {
			return nil, nil
		}
		usable, err = keys(c.client.Tasks(ctx), func(t mcp.TaskState) string { return t.ID })
	}
	field := []string{"tools", "prompts", "resources", "resourceTemplates", "tasks"}[kind]
	var items []item
	for _, page := range pages.all {
		var members map[string]json.RawMessage
		var entries []json.RawMessage
		if json.Unmarshal(page, &members) != nil || json.Unmarshal(members[field], &entries) != nil {
			continue // err says so
		}
		for _, raw := range entries {
			it := readItem(raw)
			it.Unusable = !usable[it.Key(kind)]
			items = append(items, it)
		}
	}
	return items, err
}

// keys returns the keys of the entries of a list, and the last error.
func keys[T any](all iter.Seq2[T, error], key func(T) string) (found map[string]bool, err error) {
	found = map[string]bool{}
	for entry, failed := range all {
		if err = failed; failed == nil {
			found[key(entry)] = true
		}
	}
	return found, err
}

// item is an entry of a list.
type item struct {
	Name         string           `json:"name"`
	Title        string           `json:"title"`
	Description  string           `json:"description"`
	URI          string           `json:"uri"`
	URITemplate  string           `json:"uriTemplate"`
	MIMEType     string           `json:"mimeType"`
	InputSchema  json.RawMessage  `json:"inputSchema"`
	OutputSchema json.RawMessage  `json:"outputSchema"`
	Arguments    []promptArgument `json:"arguments"`
	TaskID       string           `json:"taskId"`
	Status       string           `json:"status"`
	Message      string           `json:"statusMessage"`
	Created      string           `json:"createdAt"`
	Annotations  annotations      `json:"annotations"`
	Execution    struct {
		TaskSupport string `json:"taskSupport"`
	} `json:"execution"`

	// Raw is the entry as the server sent it. Unusable is true if docent's client omits the entry.
	Raw      json.RawMessage `json:"-"`
	Unusable bool            `json:"-"`
}

// promptArgument is an argument of a prompt.
type promptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// annotations are the hints about the effects of a tool.
type annotations struct {
	Title       string `json:"title"`
	ReadOnly    *bool  `json:"readOnlyHint"`
	Destructive *bool  `json:"destructiveHint"`
	Idempotent  *bool  `json:"idempotentHint"`
	OpenWorld   *bool  `json:"openWorldHint"`
}

// readItem reads the well-formed parts of an entry.
func readItem(raw json.RawMessage) item {
	it := item{}
	_ = json.Unmarshal(raw, &it) // malformed parts are missing, but Raw shows them
	it.Raw = raw
	return it
}

// Key returns the name or URI that identifies an entry in its list.
func (it *item) Key(kind listKind) string {
	switch kind {
	case resources:
		return it.URI
	case templates:
		return it.URITemplate
	case tasks:
		return it.TaskID
	}
	return it.Name
}

// Heading returns the name that is shown to the user.
func (it *item) Heading() string {
	for _, name := range []string{it.Title, it.Annotations.Title, it.Name, it.URI, it.URITemplate} {
		if name != "" {
			return name
		}
	}
	return "(without a name)"
}

// Hints describes the hints about the effects of a tool for the user.
func (it *item) Hints() []string {
	var hints []string
	for _, hint := range []struct {
		value   *bool
		yes, no string
	}{
		{it.Annotations.ReadOnly, "read only", "not read only"}, {it.Annotations.Destructive, "destructive", "not destructive"},
		{it.Annotations.Idempotent, "idempotent", "not idempotent"}, {it.Annotations.OpenWorld, "open world", "closed world"},
	} {
		switch {
		case hint.value == nil:
		case *hint.value:
			hints = append(hints, hint.yes)
		default:
			hints = append(hints, hint.no)
		}
	}
	if support := it.Execution.TaskSupport; support != "" {
		hints = append(hints, "task "+support)
	}
	return hints
}

// find returns the entry of a list with a key, or nil. It waits for a moment if the list is being
// loaded.
func (c *connection) find(ctx context.Context, kind listKind, key string) *item {
	waitForLists(ctx, c, kind)
	l := c.list(kind)
	for n := range l.items {
		if l.items[n].Key(kind) == key {
			return &l.items[n]
		}
	}
	return nil
}

// captured collects the results of the requests that are made with a context.
type captured struct {
	mu  sync.Mutex
	all []json.RawMessage
	// If heard is not nil, it is called with each method and result, and nothing is collected.
	heard func(method string, result json.RawMessage)
}

type capturedKey struct{}

// capture is the middleware that fills captured.
func capture(next mcp.ClientHandler) mcp.ClientHandler {
	return func(ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error) {
		result, err := next(ctx, m)
		c, ok := ctx.Value(capturedKey{}).(*captured)
		if !ok || m.Incoming || m.Notification || err != nil {
			return result, err
		}
		if c.heard != nil {
			c.heard(m.Method, bytes.Clone(result))
			return result, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all = append(c.all, bytes.Clone(result))
		return result, err
	}
}

// usable returns the client of the connection, or an error for the user if there is none.
func (c *connection) usable() (*mcp.Client, error) {
	if c == nil {
		return nil, errors.New("no server is connected; connect on the Server page")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.status != connected {
		return nil, errors.New("the server is not connected; connect on the Server page")
	}
	return c.client, nil
}

// stateView is the state of the connection, for a page.
type stateView struct {
	Server  Server
	Status  string // status of the connection, or "" if there is none yet
	Problem string
	Info    *mcp.ServerInfo // nil if no server is connected
	Offers  []string
}

// state returns the state of the connection.
func (i *Inspector) state() stateView {
	i.mu.Lock()
	c, last := i.current, i.last
	i.mu.Unlock()
	v := stateView{Server: i.options.Servers[last.Server]}
	if c == nil {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	v.Status, v.Problem = c.status, c.trouble
	if c.err != nil {
		v.Problem = strings.TrimPrefix(c.err.Error(), "mcp: ")
	}
	if c.client != nil {
		v.Info = c.client.Server()
		v.Offers = offers(v.Info.Declared)
	}
	return v
}

// offers describes the capabilities that a server declares for the user.
func offers(declared json.RawMessage) []string {
	var all map[string]map[string]json.RawMessage
	_ = json.Unmarshal(declared, &all) // malformed parts are shown as JSON
	var found []string
	for name, details := range all {
		var parts []string
		for detail, value := range details {
			if string(value) != "false" {
				parts = append(parts, detail)
			}
		}
		slices.Sort(parts)
		if len(parts) > 0 {
			name += " (" + strings.Join(parts, ", ") + ")"
		}
		found = append(found, name)
	}
	slices.Sort(found)
	return found
}

// serverPage is the body of the page about the server.
type serverPage struct {
	Settings  settings
	Servers   []Server
	Revisions []string
	Levels    []string
}

// serveServer shows the server and the settings of the connection.
func (i *Inspector) serveServer(w http.ResponseWriter, r *http.Request) {
	if c := i.connection(); c != nil {
		wait(r.Context(), c.ready)
	}
	i.mu.Lock()
	s := i.last
	i.mu.Unlock()
	revisions := mcp.Revisions()
	slices.Reverse(revisions)
	i.render(w, http.StatusOK, "server.html", &page{Title: "Server", Section: "/", Body: serverPage{
		Settings: s, Servers: i.options.Servers, Revisions: revisions, Levels: levelNames,
	}})
}

// AnyHTTP reports whether one of the servers is at a URL.
func (p serverPage) AnyHTTP() bool {
	return slices.ContainsFunc(p.Servers, func(s Server) bool { return s.HTTP })
}

// postConnect connects with the settings of the form.
func (i *Inspector) postConnect(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	server, err := strconv.Atoi(r.PostForm.Get("server"))
	s := settings{Server: server, Revision: r.PostForm.Get("revision"), Level: r.PostForm.Get("level"), Transport: r.PostForm.Get("transport")}
	for name, flag := range map[string]*bool{"roots": &s.Roots, "sampling": &s.Sampling, "elicitation": &s.Elicitation, "tasks": &s.Tasks} {
		*flag = r.PostForm.Get(name) != ""
	}
	if err != nil || s.Revision != "" && !slices.Contains(mcp.Revisions(), s.Revision) || levels[s.Level] == 0 || !slices.Contains([]string{"", streamable, sse}, s.Transport) {
		i.fail(w, http.StatusBadRequest, "These connection settings are not available.")
		return
	}
	if err := i.connect(s); err != nil {
		i.fail(w, http.StatusBadRequest, "Could not connect to the server: "+err.Error()+".")
		return
	}
	i.redirect(w, r, "/")
}

// postDisconnect ends the connection.
func (i *Inspector) postDisconnect(w http.ResponseWriter, r *http.Request) {
	if c := i.connection(); c != nil {
		c.cancel()
		wait(r.Context(), c.ended)
	}
	i.redirect(w, r, "/")
}

// postPing sends a ping to the server.
func (i *Inspector) postPing(w http.ResponseWriter, r *http.Request) {
	i.start(w, r, &request{Kind: "ping", Name: "ping"})
}

// postLevel changes the minimum level of log messages.
func (i *Inspector) postLevel(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	level, ok := levels[r.PostForm.Get("level")]
	c := i.connection()
	client, err := c.usable()
	if err == nil && !ok {
		err = errors.New("this log level does not exist")
	}
	if err == nil {
		err = client.SetLogLevel(r.Context(), level)
	}
	if err != nil {
		i.fail(w, http.StatusBadGateway, "The log level cannot be changed: "+err.Error()+".")
		return
	}
	i.mu.Lock()
	i.last.Level = level.String()
	i.mu.Unlock()
	i.redirect(w, r, "/log")
}

// postRefresh loads a list again.
func (i *Inspector) postRefresh(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	kinds, ok := map[string][]listKind{"/tools": {tools}, "/prompts": {prompts}, "/resources": {resources, templates}, "/tasks": {tasks}}[r.PostForm.Get("list")]
	if !ok {
		i.fail(w, http.StatusBadRequest, "This list does not exist.")
		return
	}
	if c := i.connection(); c != nil {
		for _, kind := range kinds {
			c.load(kind)
			if loading := c.list(kind).loading; loading != nil {
				wait(r.Context(), loading)
			}
		}
	}
	i.redirect(w, r, r.PostForm.Get("list"))
}
