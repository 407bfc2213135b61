package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/mcp"
)

// Limits of the requests that are kept.
const (
	// maxRequests is the maximum number of requests that are kept, and maxResultBytes the maximum
	// total size of their results. The oldest are dropped first.
	maxRequests    = 200
	maxResultBytes = 128 << 20
	// maxRunning is the maximum number of requests that can run at the same time.
	maxRunning = 50
)

// request is a request of the user: a call to a tool, a request for a prompt or a resource, a ping,
// or any request or notification that the user writes.
type request struct {
	ID   int
	Kind string // "tool", "prompt", "resource", "ping", "method" or "notification"
	Name string
	// Arguments is a JSON object or nil.
	Arguments json.RawMessage
	// Meta is sent as _meta. AsTask makes a tool call a task.
	Meta   json.RawMessage
	AsTask bool
	Begun  time.Time

	connection *connection // over which it is sent
	cancel     context.CancelFunc
	done       chan struct{} // closed at the end

	mu       sync.Mutex // guards the fields below
	progress []mcp.Progress
	task     mcp.TaskState
	result   json.RawMessage
	isError  bool // the tool has reported an error
	forgot   bool // the result was dropped
	err      error
	took     time.Duration // 0 while the request runs
}

// history keeps the latest requests.
type history struct {
	changed func(id int)

	mu   sync.Mutex
	all  []*request // oldest first
	next int
}

func (h *history) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.all)
}

// find returns the request with an ID, or nil.
func (h *history) find(id string) *request {
	n, err := strconv.Atoi(id)
	if err != nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.all {
		if r.ID == n {
			return r
		}
	}
	return nil
}

// add adds a request and drops old ones.
func (h *history) add(r *request) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	running, bytes := 0, 0
	for _, old := range slices.Backward(h.all) {
		old.mu.Lock()
		if old.took == 0 {
			running++
		}
		if bytes += len(old.result); bytes > maxResultBytes && old.result != nil {
			old.result, old.forgot = nil, true
		}
		old.mu.Unlock()
	}
	if running >= maxRunning {
		return fmt.Errorf("%d requests are running; wait for one to end, or cancel one", running)
	}
	h.next++
	r.ID = h.next
	h.all = append(h.all, r)
	if len(h.all) > maxRequests {
		oldest := slices.IndexFunc(h.all, func(old *request) bool {
			old.mu.Lock()
			defer old.mu.Unlock()
			return old.took > 0
		})
		h.all = slices.Delete(h.all, oldest, oldest+1)
	}
	return nil
}

// start sends a request and redirects the browser to the page about it.
func (i *Inspector) start(w http.ResponseWriter, hr *http.Request, r *request) {
	c := i.connection()
	client, err := c.usable()
	l, full := i.changes.listen()
	if full == nil {
		defer i.changes.leave(l)
	}
	if err == nil {
		r.connection, r.Begun, r.done = c, time.Now(), make(chan struct{})
		var ctx context.Context
		ctx, r.cancel = context.WithCancel(c.ctx)
		if err = i.requests.add(r); err == nil {
			go i.run(ctx, client, r)
		} else {
			r.cancel()
		}
	}
	if err != nil {
		i.fail(w, http.StatusConflict, "The request cannot be sent: "+err.Error()+".")
		return
	}
	i.settle(hr.Context(), r, l)
	i.requests.changed(r.ID)
	i.redirect(w, hr, fmt.Sprintf("/requests/%d", r.ID))
}

// settle waits, but not for long, until there is something to show about a request: its result or a
// question of the server. Most requests end so quickly that a page showing them as running would be
// useless.
func (i *Inspector) settle(ctx context.Context, r *request, l *listener) {
	if l == nil {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-r.done:
			return
		case _, open := <-l.wake:
			if !open || slices.Contains(i.changes.take(l), "questions") {
				return
			}
		case <-ctx.Done():
			return
		case <-timer.C:
			return
		}
	}
}

// run sends a request and waits until it ends.
func (i *Inspector) run(ctx context.Context, client *mcp.Client, r *request) {
	defer close(r.done)
	defer r.cancel()
	ctx = context.WithValue(ctx, capturedKey{}, &captured{heard: func(method string, result json.RawMessage) { i.heard(r, method, result) }})
	opts := &mcp.CallOptions{Fresh: true, Progress: func(p mcp.Progress) {
		r.mu.Lock()
		if len(r.progress) == maxReports {
			r.progress = slices.Delete(r.progress, 0, 1)
		}
		r.progress = append(r.progress, p)
		r.mu.Unlock()
		i.requests.changed(r.ID)
	}}
	_ = json.Unmarshal(r.Meta, &opts.Meta) // checked when the form was read
	err := send(ctx, client, r, opts)
	if ctx.Err() != nil && err != nil {
		err = errors.New("the request was cancelled")
	}
	r.mu.Lock()
	r.err, r.took = err, max(1, time.Since(r.Begun))
	r.mu.Unlock()
	i.requests.changed(r.ID)
}

// maxReports is the maximum number of progress reports of a request that are kept.
const maxReports = 100

// send sends a request and waits until it ends. capture gets the result as the server sent it, even
// if the client treats it as an error.
func send(ctx context.Context, client *mcp.Client, r *request, opts *mcp.CallOptions) error {
	switch r.Kind {
	case "tool":
		if !r.AsTask {
			_, err := client.CallTool(ctx, r.Name, r.Arguments, opts)
			return err
		}
		task, err := client.CallToolTask(ctx, r.Name, r.Arguments, 0, opts)
		if err != nil {
			return err
		}
		_, err = task.Wait(ctx)
		if ctx.Err() != nil {
			last, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
			defer stop()
			_ = task.Cancel(last) // the error of ctx says that it was cancelled
		}
		return err
	case "prompt":
		var args map[string]string
		if err := json.Unmarshal(r.Arguments, &args); err != nil {
			return fmt.Errorf("the arguments of a prompt must be strings: %w", quote.Error(err))
		}
		_, err := client.GetPrompt(ctx, r.Name, args, opts)
		return err
	case "resource":
		_, err := client.ReadResource(ctx, r.Name, opts)
		return err
	case "method":
		_, err := client.Call(ctx, r.Name, params(r.Arguments), opts)
		return err
	case "notification":
		return client.Notify(ctx, r.Name, params(r.Arguments))
	}
	return client.Ping(ctx)
}

// params returns object as the params of a request, or nil if it is nil.
func params(object json.RawMessage) any {
	if object == nil {
		return nil
	}
	return object
}

// cancelTime is how long a server may take to cancel a task.
const cancelTime = 3 * time.Second

// keep keeps the result of the request. It requires mu.
func (r *request) keep(result json.RawMessage) {
	r.result, r.isError = result, false
	if r.Kind == "tool" {
		var outcome struct {
			IsError bool `json:"isError"`
		}
		_ = json.Unmarshal(result, &outcome) // malformed results are shown as JSON
		r.isError = outcome.IsError
	}
}

// heard keeps a result of a request: the last one, and the state of its task.
func (i *Inspector) heard(r *request, method string, result json.RawMessage) {
	if r.receive(method, result) {
		i.requests.changed(r.ID)
		r.connection.tasksChanged()
	}
}

// receive keeps a result of the request, and reports whether the state of its task has changed.
func (r *request) receive(method string, result json.RawMessage) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Kind == "method" { // The user sent this request, even if it is for the state of a task.
		r.keep(result)
		return false
	}
	var state struct {
		ID      string          `json:"taskId"`
		Status  mcp.TaskStatus  `json:"status"`
		Message string          `json:"statusMessage"`
		Task    json.RawMessage `json:"task"`
		Result  json.RawMessage `json:"result"`
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(result, &state) // it may be anything
	if state.Task != nil && state.Content == nil {
		_ = json.Unmarshal(state.Task, &state)
	}
	if state.ID == "" || state.Status == "" || state.Content != nil {
		r.keep(result)
		return false
	}
	old := r.task
	r.task = mcp.TaskState{ID: state.ID, Status: state.Status, StatusMessage: state.Message}
	if method == "tasks/get" && state.Result != nil {
		r.keep(state.Result) // In revision 2026-07-28, the state of a task includes its result.
	}
	return r.task != old
}

// requestView is a request on a page.
type requestView struct {
	ID        int
	Kind      string
	Name      string
	Arguments string
	Meta      string
	AsTask    bool
	Begun     time.Time
	Running   bool
	Failed    bool
	Took      time.Duration
	Progress  []mcp.Progress
	Latest    *mcp.Progress
	Task      mcp.TaskState
	Problem   string
	Code      int    // data of the server's error, or 0 if there is none
	Data      string // of the server's error
	Visits    []visit
	Forgot    bool
	Result    *resultView
	Again     string // the address of the form with the same arguments
}

// view returns the request in the form that a page shows, including the result if whole is true.
func (r *request) view(whole bool) requestView {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := requestView{
		ID: r.ID, Kind: r.Kind, Name: r.Name, AsTask: r.AsTask, Begun: r.Begun, Running: r.took == 0, Took: r.took,
		Progress: slices.Clone(r.progress), Task: r.task, Forgot: r.forgot, Failed: r.err != nil || r.isError,
	}
	if len(v.Progress) > 0 {
		v.Latest = &v.Progress[len(v.Progress)-1]
	}
	switch r.Kind {
	case "ping":
	case "method", "notification":
		v.Again = "/requests?again=" + strconv.Itoa(r.ID)
	default:
		v.Again = "/" + r.Kind + "s?again=" + strconv.Itoa(r.ID)
	}
	if failed, ok := errors.AsType[*mcp.Error](r.err); ok {
		v.Problem, v.Code, v.Data = failed.Message, failed.Code, pretty(failed.Data)
		v.Visits = readVisits(failed)
	} else if r.err != nil {
		v.Problem = strings.TrimPrefix(r.err.Error(), "mcp: ")
	}
	if !whole {
		return v
	}
	v.Arguments, _ = cut(pretty(r.Arguments), maxShown)
	v.Meta = pretty(r.Meta)
	if r.result != nil && !v.Running {
		v.Result = readResult(r.result)
		v.Result.IsError = r.isError
	}
	return v
}

// visit is a page that the user has to visit before the request can succeed.
type visit struct{ Message, Page, Host string }

// codeVisit is the code of an error whose data name pages that the user has to visit
// (specification 2025-11-25: Elicitation, URL mode).
const codeVisit = -32042

// readVisits returns the pages that an error asks the user to visit. Addresses that a browser
// does not open as web pages are left out.
func readVisits(failed *mcp.Error) []visit {
	var data struct {
		Elicitations []struct {
			Message string `json:"message"`
			URL     string `json:"url"`
		} `json:"elicitations"`
	}
	if failed.Code != codeVisit || json.Unmarshal(failed.Data, &data) != nil {
		return nil
	}
	var visits []visit
	for _, e := range data.Elicitations {
		u, err := url.Parse(e.URL)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(visits) == maxVisits {
			continue
		}
		visits = append(visits, visit{Message: e.Message, Page: e.URL, Host: u.Host})
	}
	return visits
}

// maxVisits is the maximum number of pages to visit that are shown for an error.
const maxVisits = 20

// requestsPage is the body of the page that lists the requests, newest first, with a form for
// any request.
type requestsPage struct {
	Requests               []requestView
	Method, Params, Meta   string
	Problem                string
	ParamsError, MetaError string
	Notify                 bool
}

// serveRequests lists the requests.
func (i *Inspector) serveRequests(w http.ResponseWriter, r *http.Request) {
	var p requestsPage
	if again := i.requests.find(r.URL.Query().Get("again")); again != nil {
		p.Method, p.Params, p.Meta, p.Notify = again.Name, pretty(again.Arguments), string(again.Meta), again.Kind == "notification"
	}
	i.renderRequests(w, http.StatusOK, &p)
}

// postMethod sends a request or a notification that the user has written.
func (i *Inspector) postMethod(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	p := requestsPage{Method: strings.TrimSpace(r.PostForm.Get("method")), Params: r.PostForm.Get("params"), Meta: r.PostForm.Get("meta"), Notify: r.PostForm.Get("do") == "notify"}
	object, paramsError := readMeta(p.Params)
	meta, metaError := readMeta(p.Meta)
	p.ParamsError, p.MetaError = paramsError, metaError
	switch {
	case p.Method == "":
		p.Problem = "Nothing was sent. Enter a method."
	case paramsError != "" || metaError != "":
		p.Problem = "Nothing was sent because the form has an error."
	default:
		kind := "method"
		if p.Notify {
			kind = "notification"
		}
		i.start(w, r, &request{Kind: kind, Name: p.Method, Arguments: object, Meta: meta})
		return
	}
	i.renderRequests(w, http.StatusUnprocessableEntity, &p)
}

func (i *Inspector) renderRequests(w http.ResponseWriter, status int, p *requestsPage) {
	i.requests.mu.Lock()
	all := slices.Clone(i.requests.all)
	i.requests.mu.Unlock()
	for _, r := range slices.Backward(all) {
		p.Requests = append(p.Requests, r.view(false))
	}
	i.render(w, status, "requests.html", &page{Title: "Requests", Section: "/requests", Problem: p.Problem, Body: p})
}

// serveRequest shows a request and its result.
func (i *Inspector) serveRequest(w http.ResponseWriter, r *http.Request) {
	found := i.requests.find(r.PathValue("id"))
	if found == nil {
		i.fail(w, http.StatusNotFound, "This request is no longer available.")
		return
	}
	v := found.view(true)
	i.render(w, http.StatusOK, "request.html", &page{Title: v.Name, Section: "/requests", Body: v})
}

// postRequest cancels a request.
func (i *Inspector) postRequest(w http.ResponseWriter, r *http.Request) {
	found := i.requests.find(r.PathValue("id"))
	if found == nil {
		i.fail(w, http.StatusNotFound, "This request is no longer available.")
		return
	}
	found.cancel()
	wait(r.Context(), found.done)
	i.redirect(w, r, fmt.Sprintf("/requests/%d", found.ID))
}
