// Package inspector shows MCP servers in a browser: what a server offers, forms that call its
// tools, read its resources and fill in its prompts, the questions that it asks the user, and every
// message on the wire.
//
// The program chooses the servers, and the pages can only connect to these. The pages are for the
// user of this machine: every address begins with a random token, the host of a request must be a
// loopback address or localhost, and requests from other sites are refused. Text from a server is
// not trusted. It is escaped, its hidden characters are shown, and its images and sounds are served
// from the page's own address. Nothing is requested from another host.
package inspector

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/web"
	"github.com/docent-mcp/docent/mcp"
)

//go:embed assets templates
var files embed.FS

// Options configure an Inspector.
type Options struct {
	// Servers are the servers that can be inspected. There must be at least one.
	Servers []Server
	// Version is docent's own version.
	Version string
	// Revision is the only protocol revision to use for the first connection. If it is empty, the
	// newest one that both sides support is used. The page can change it.
	Revision string
	// Timeout is how long a server may take to respond or report progress. ConnectTimeout is how
	// long connecting may take, including a sign-in.
	Timeout, ConnectTimeout time.Duration
	// Trace and StderrLine, which can be nil, are called for the messages and for the lines of the
	// server's standard error that the page shows.
	Trace      func(sent bool, message json.RawMessage)
	StderrLine func(line string)
}

// A Server is a server that can be inspected.
type Server struct {
	// Name and Target, a URL or a command line, are shown to the user.
	Name, Target string
	// HTTP means that Target is a URL.
	HTTP bool
	// Transport returns a new transport to the server. signIn shows the address of a page on
	// which the user has to sign in.
	Transport func(signIn func(page string)) (mcp.Transport, error)
}

// An Inspector serves the pages. It is an http.Handler and is safe for concurrent use.
type Inspector struct {
	options   Options
	token     string
	templates *template.Template
	mux       *http.ServeMux
	changes   changes
	log       messageLog
	requests  history
	questions questions
	roots     roots

	mu      sync.Mutex
	invite  string // the code in the path that OncePath returned last; empty if it has been used
	current *connection
	last    settings // settings of the current connection, or of the next one
	closed  bool
}

// New returns an Inspector for the servers. It does not connect to them yet.
func New(o Options) (*Inspector, error) {
	if len(o.Servers) == 0 {
		return nil, errors.New("there is no server to inspect")
	}
	i := &Inspector{options: o, token: rand.Text(), mux: http.NewServeMux()}
	all, err := template.New("").Funcs(template.FuncMap{
		"show": show, "pretty": pretty, "size": size, "clock": clock, "took": took, "first": firstLine, "count": count,
	}).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse the templates of the pages: %w", err)
	}
	i.templates = all
	i.last = settings{Revision: o.Revision, Level: "info", Roots: true, Sampling: true, Elicitation: true, Tasks: true}
	i.log.changed = func() { i.changes.publish("log") }
	i.requests.changed = func(id int) { i.changes.publish("requests", fmt.Sprintf("request-%d", id)) }
	i.questions.changed = func() { i.changes.publish("questions", "state") }
	i.route()
	return i, nil
}

// Path returns the path of the start page. It contains the token, which is all that a browser needs
// to use the pages.
func (i *Inspector) Path() string { return "/" + i.token + "/" }

// OncePath returns a path that redirects to the start page only once. Other users of the machine
// can see the arguments of a program that opens a browser; they cannot use this path after the
// browser has followed it.
func (i *Inspector) OncePath() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.invite = rand.Text()
	return "/once/" + i.invite
}

// Connect starts connecting to Options.Servers[server].
func (i *Inspector) Connect(server int) error {
	i.mu.Lock()
	s := i.last
	i.mu.Unlock()
	s.Server = server
	return i.connect(s)
}

// Close ends the connection to the server and waits until that is done.
func (i *Inspector) Close() {
	i.mu.Lock()
	i.closed = true
	c := i.current
	i.mu.Unlock()
	if c != nil {
		c.close()
	}
	i.changes.close()
}

// route registers the functions that answer requests.
func (i *Inspector) route() {
	for pattern, serve := range map[string]http.HandlerFunc{
		"GET /{$}":                       i.serveServer,
		"POST /connect":                  i.postConnect,
		"POST /disconnect":               i.postDisconnect,
		"POST /ping":                     i.postPing,
		"POST /level":                    i.postLevel,
		"GET /tools":                     i.serveTools,
		"POST /tools":                    i.postTool,
		"GET /prompts":                   i.servePrompts,
		"POST /prompts":                  i.postPrompt,
		"GET /resources":                 i.serveResources,
		"POST /resources":                i.postResource,
		"POST /refresh":                  i.postRefresh,
		"GET /complete":                  i.serveCompletion,
		"GET /requests":                  i.serveRequests,
		"POST /requests":                 i.postMethod,
		"GET /requests/{id}":             i.serveRequest,
		"POST /requests/{id}":            i.postRequest,
		"GET /requests/{id}/content/{n}": i.serveContent,
		"GET /tasks":                     i.serveTasks,
		"POST /tasks":                    i.postTask,
		"GET /questions":                 i.serveQuestions,
		"GET /questions/{id}":            i.serveQuestion,
		"POST /questions/{id}":           i.postQuestion,
		"GET /roots":                     i.serveRoots,
		"POST /roots":                    i.postRoots,
		"GET /log":                       i.serveLog,
		"GET /log/{n}":                   i.serveEntry,
		"GET /log.txt":                   i.serveLogText,
		"GET /events":                    i.serveEvents,
		"GET /assets/{name}":             serveAsset,
	} {
		i.mux.HandleFunc(pattern, serve)
	}
}

// policy is the Content-Security-Policy of every page. It allows only the pages' own files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// maxForm is the maximum size of a form that a page sends, in bytes.
const maxForm = 32 << 20

// ServeHTTP answers requests for pages. It refuses requests that do not contain the token, come
// from other sites or are for a host other than this machine.
func (i *Inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // With no-referrer, browsers send "Origin: null" with forms.
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if why := refused(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case subtle.ConstantTimeCompare([]byte(first), []byte(i.token)) == 1:
	case first == "once" && r.Method == http.MethodGet && i.takeInvite(rest):
		http.Redirect(w, r, i.Path(), http.StatusSeeOther)
		return
	default:
		http.Error(w, "Forbidden: open the address that docent printed. Either this address does not contain the token, or it has already been used.", http.StatusForbidden)
		return
	}
	if strings.Count(r.URL.Path, "/") < 2 {
		http.Redirect(w, r, i.Path(), http.StatusSeeOther)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	http.StripPrefix("/"+i.token, i.mux).ServeHTTP(&response{w, i.changes.version()}, r)
}

// response is an http.ResponseWriter with the version of the data that the page shows.
type response struct {
	http.ResponseWriter
	version int
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// refused returns the reason to refuse a request, or "" if it is allowed. Other sites may link to a
// page, but a request that changes something must come from a page of the inspector.
func refused(r *http.Request) string {
	if why := web.Refused(r); why != "" {
		return why
	}
	if site := r.Header.Get("Sec-Fetch-Site"); r.Method != http.MethodGet && site != "" && site != "same-origin" {
		return "Forbidden origin: pages on other sites cannot use this site."
	}
	return ""
}

// takeInvite reports whether code is the one in the path from OncePath. If so, it makes the code
// invalid.
func (i *Inspector) takeInvite(code string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	ok := i.invite != "" && subtle.ConstantTimeCompare([]byte(code), []byte(i.invite)) == 1
	if ok {
		i.invite = ""
	}
	return ok
}

// serveAsset serves one of the pages' own files, or a file that they share with docent web.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	from := web.Assets()
	if _, err := fs.Stat(files, "assets/"+name); err == nil {
		from = files
	}
	web.ServeAsset(w, r, from, name)
}

// page is the data of a page.
type page struct {
	// Title is shown in the browser's tab.
	Title string
	// Section is the path of the current entry of the navigation.
	Section string
	// Problem is shown at the top.
	Problem string
	// Body is passed to the template of the page.
	Body any

	// The rest is filled in by render.
	Base, Version string
	// Changes is the version of the data that the page shows: the number of changes before the
	// request arrived.
	Changes   int
	State     stateView
	Nav       []section
	Questions []questionView
}

// section is an entry of the navigation.
type section struct {
	Title, Path string
	Count       int
	Current     bool
}

// render writes a page with a template.
func (i *Inspector) render(w http.ResponseWriter, status int, name string, p *page) {
	p.Base, p.Version = "/"+i.token, i.options.Version
	if r, ok := w.(*response); ok {
		p.Changes = r.version
	}
	p.State = i.state()
	p.Questions = i.questions.views()
	c := i.connection()
	p.Nav = []section{
		{Title: "Server", Path: "/"},
		{Title: "Tools", Path: "/tools", Count: c.list(tools).count()},
		{Title: "Resources", Path: "/resources", Count: c.list(resources).count() + c.list(templates).count()},
		{Title: "Prompts", Path: "/prompts", Count: c.list(prompts).count()},
		{Title: "Requests", Path: "/requests", Count: i.requests.count()},
		{Title: "Tasks", Path: "/tasks", Count: len(i.taskRows())},
		{Title: "Questions", Path: "/questions", Count: len(p.Questions)},
		{Title: "Roots", Path: "/roots"},
		{Title: "Messages", Path: "/log"},
	}
	for n := range p.Nav {
		p.Nav[n].Current = p.Nav[n].Path == p.Section
	}
	var b strings.Builder
	if err := i.templates.ExecuteTemplate(&b, name, p); err != nil {
		http.Error(w, "The page cannot be written: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(b.String()))
}

// fail writes a page about an error.
func (i *Inspector) fail(w http.ResponseWriter, status int, text string) {
	i.render(w, status, "error.html", &page{Title: http.StatusText(status), Problem: text})
}

// redirect redirects the browser to a page of the inspector.
func (i *Inspector) redirect(w http.ResponseWriter, r *http.Request, path string) {
	http.Redirect(w, r, "/"+i.token+path, http.StatusSeeOther) //nolint:gosec // the token keeps it on this site
}

// form reads the form of a request. If that fails, it writes a page about it and returns
// false.
func (i *Inspector) form(w http.ResponseWriter, r *http.Request) bool {
	if err := r.ParseForm(); err != nil {
		i.fail(w, http.StatusBadRequest, fmt.Sprintf("The form cannot be read: %v. The maximum size of a form is %s.", err, size(maxForm)))
		return false
	}
	return true
}

// changes notifies the open pages about stale parts.
type changes struct {
	mu        sync.Mutex
	published int
	listeners map[*listener]bool
	closed    bool
}

// listener is an open page.
type listener struct {
	parts map[string]bool // guarded by changes.mu
	wake  chan struct{}   // receives a value when parts is not empty; closed at the end
}

// publish notifies the open pages that some of their parts are stale.
func (c *changes) publish(parts ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.published++
	for l := range c.listeners {
		for _, part := range parts {
			l.parts[part] = true
		}
		select {
		case l.wake <- struct{}{}:
		default: // a value is already waiting
		}
	}
}

// version returns the number of changes that have been published.
func (c *changes) version() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.published
}

// maxListeners is the maximum number of pages that are kept up to date at the same time.
const maxListeners = 100

func (c *changes) listen() (*listener, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || len(c.listeners) >= maxListeners {
		return nil, fmt.Errorf("%d pages are already open", len(c.listeners))
	}
	l := &listener{parts: map[string]bool{}, wake: make(chan struct{}, 1)}
	if c.listeners == nil {
		c.listeners = map[*listener]bool{}
	}
	c.listeners[l] = true
	return l, nil
}

func (c *changes) leave(l *listener) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.listeners, l)
}

// take returns the stale parts in order, and forgets them.
func (c *changes) take(l *listener) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	parts := slices.Sorted(maps.Keys(l.parts))
	clear(l.parts)
	return parts
}

func (c *changes) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for l := range c.listeners {
		close(l.wake)
		delete(c.listeners, l)
	}
}

// heartbeat is the interval at which a comment is sent on an idle event stream to find out whether
// the page is still open.
const heartbeat = 30 * time.Second

// serveEvents sends the names of stale parts as server-sent events, until the page is closed.
func (i *Inspector) serveEvents(w http.ResponseWriter, r *http.Request) {
	l, err := i.changes.listen()
	if err != nil {
		http.Error(w, "Pages cannot update themselves: "+err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer i.changes.leave(l)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	fmt.Fprintf(w, "event: ready\ndata: %d\n\n", i.changes.version())
	idle := time.NewTicker(heartbeat)
	defer idle.Stop()
	for control.Flush() == nil {
		select {
		case <-r.Context().Done():
			return
		case _, open := <-l.wake:
			if !open {
				return
			}
			fmt.Fprintf(w, "event: stale\ndata: %s\n\n", strings.Join(i.changes.take(l), " "))
		case <-idle.C:
			fmt.Fprint(w, ":\n\n")
		}
	}
}

// patience is how long the response to a request may be delayed so that the page is complete.
const patience = time.Second

// wait waits until done is closed, but not longer than patience.
func wait(ctx context.Context, done <-chan struct{}) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-ctx.Done():
	case <-timer.C:
	}
}
