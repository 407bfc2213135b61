package mcpproxy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// listTimeout is the maximum time for reading the lists.
const listTimeout = time.Minute

// mirror keeps the lists of the front's server identical to those of the upstream.
type mirror struct {
	b        *bridge
	accepted mcp.Filter // changes that the upstream reports

	mu        sync.Mutex // guards the lists and changes of the server
	tools     map[string]*mcp.Tool
	prompts   map[string]*mcp.Prompt
	resources map[string]*mcp.Resource
	templates map[string]*mcp.ResourceTemplate
}

// start reads the lists, and follows changes while the bridge is open.
func (m *mirror) start(ctx context.Context) {
	sub, err := m.b.upstream.Subscribe(ctx, mcp.Filter{Tools: true, Prompts: true, Resources: true})
	if err != nil {
		m.b.p.log.Info("the server does not report changes", "error", err)
	} else {
		m.accepted = sub.Accepted()
	}
	if err := m.refresh(ctx, mcp.ChangeAny); err != nil {
		m.b.p.log.Warn("the server's lists cannot be read", "error", err)
	}
	if sub != nil {
		go m.follow(sub)
	}
}

func (m *mirror) follow(sub *mcp.Subscription) {
	defer sub.Close()
	for {
		change, err := sub.Next(m.b.ctx)
		if err != nil {
			return
		}
		if err := m.refresh(m.b.ctx, change.Kind); err != nil && m.b.ctx.Err() == nil {
			m.b.p.log.Warn("the server's lists cannot be read", "error", err)
		}
	}
}

// beforeList refreshes the list that a client is about to read, unless the upstream
// announces changes of that list.
func (m *mirror) beforeList(ctx context.Context, method string) {
	kind, subscribed := mcp.ChangeResources, m.accepted.Resources
	switch method {
	case "tools/list":
		kind, subscribed = mcp.ChangeTools, m.accepted.Tools
	case "prompts/list":
		kind, subscribed = mcp.ChangePrompts, m.accepted.Prompts
	}
	if subscribed {
		return
	}
	if err := m.refresh(ctx, kind); err != nil {
		m.b.p.log.Warn("the server's list cannot be read", "method", method, "error", err)
	}
}

func (m *mirror) taskSupport(tool string) mcp.TaskSupport {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.tools[tool]
	switch {
	case t == nil:
		return mcp.TaskSupportForbidden
	case t.TaskSupport == mcp.TaskSupportForbidden && m.b.hasTaskExtension():
		return mcp.TaskSupportOptional
	}
	return t.TaskSupport
}

// refresh reads the lists that a change affects.
func (m *mirror) refresh(ctx context.Context, kind mcp.ChangeKind) error {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	m.mu.Lock()
	defer m.mu.Unlock()
	up, server := m.b.upstream, m.b.server
	caps := up.Server().Capabilities
	concerns := func(k mcp.ChangeKind, offered bool) bool { return offered && (kind == k || kind == mcp.ChangeAny) }
	var errs []error
	if concerns(mcp.ChangeTools, caps.Tools) {
		errs = append(errs, update(ctx, m, "tool", &m.tools, up.Tools, func(t *mcp.Tool) string { return t.Name }, m.addTool, server.RemoveTools))
	}
	if concerns(mcp.ChangePrompts, caps.Prompts) {
		errs = append(errs, update(ctx, m, "prompt", &m.prompts, up.Prompts, func(p *mcp.Prompt) string { return p.Name }, m.addPrompt, server.RemovePrompts))
	}
	if concerns(mcp.ChangeResources, caps.Resources) {
		errs = append(
			errs,
			update(ctx, m, "resource", &m.resources, up.Resources, func(r *mcp.Resource) string { return r.URI }, m.addResource, server.RemoveResources),
			update(ctx, m, "resource template", &m.templates, up.ResourceTemplates, func(t *mcp.ResourceTemplate) string { return t.URITemplate }, m.addTemplate, server.RemoveResourceTemplates),
		)
	}
	return errors.Join(errs...)
}

// update makes a list of the server equal to the upstream's. It does not touch
// entries that have not changed, so that clients are notified only of changes.
func update[T any](ctx context.Context, m *mirror, what string, have *map[string]*T, list func(context.Context) iter.Seq2[*T, error], name func(*T) string, add func(T) error, remove func(...string)) error {
	now := map[string]*T{}
	for entry, err := range list(ctx) {
		if err != nil {
			return err // the old entries remain
		}
		now[name(entry)] = entry
	}
	for n := range *have {
		if now[n] == nil {
			remove(n)
		}
	}
	for n, entry := range now {
		if old := (*have)[n]; old != nil && reflect.DeepEqual(old, entry) {
			continue
		}
		if err := add(*entry); err != nil {
			m.b.p.log.Warn("the server's "+what+" cannot be forwarded", "error", err)
			delete(now, n)
		}
	}
	*have = now
	return nil
}

func (m *mirror) addTool(t mcp.Tool) error {
	if t.TaskSupport == mcp.TaskSupportForbidden && m.b.hasTaskExtension() {
		t.TaskSupport, t.TaskByHandler = mcp.TaskSupportOptional, true // The server decides for each call whether it becomes a task.
	}
	return m.b.server.AddForeignTool(t, m.b.runTask, mcp.Replace)
}

func (m *mirror) addPrompt(p mcp.Prompt) error {
	return m.b.server.AddPrompt(p, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
		return nil, errPassed
	}, mcp.Replace)
}

func (m *mirror) addResource(r mcp.Resource) error {
	r.Name = cmp.Or(r.Name, r.URI)
	return m.b.server.AddResource(r, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return nil, errPassed }, mcp.Replace)
}

func (m *mirror) addTemplate(t mcp.ResourceTemplate) error {
	t.Name = cmp.Or(t.Name, t.URITemplate)
	return m.b.server.AddResourceTemplate(t, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
		return nil, errPassed
	}, mcp.Replace)
}

// errPassed is the error of handlers that are never called, because the middleware forwards their
// requests.
var errPassed = errors.New("the proxy has not forwarded the request")

// listened returns the URIs of the resources in the params of subscriptions/listen.
func listened(params json.RawMessage) []string {
	var p struct {
		Notifications struct {
			URIs []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil // the library rejects the params
	}
	return p.Notifications.URIs
}

// watches counts the subscriptions to resources at the upstream, by URI.
type watches struct {
	b *bridge

	mu   sync.Mutex
	open map[string]*watch
}

type watch struct {
	holders    int
	subscribed bool // whether the session has subscribed with resources/subscribe
	sub        *mcp.Subscription
}

// maxWatches is the maximum number of resources to which the proxy is subscribed at the upstream.
const maxWatches = 2000

// hold subscribes to resources until the returned function is called.
func (w *watches) hold(ctx context.Context, uris []string) (release func(), err error) {
	var held []string
	release = func() {
		for _, uri := range held {
			w.change(uri, func(one *watch) { one.holders-- })
		}
	}
	for _, uri := range uris {
		if err := w.take(ctx, uri, func(one *watch) { one.holders++ }); err != nil {
			release()
			return nil, err
		}
		held = append(held, uri)
	}
	return release, nil
}

// keep subscribes to a resource for the session; drop ends the subscription.
func (w *watches) keep(ctx context.Context, uri string) error {
	return w.take(ctx, uri, func(one *watch) { one.subscribed = true })
}

func (w *watches) drop(uri string) { w.change(uri, func(one *watch) { one.subscribed = false }) }

func (w *watches) take(ctx context.Context, uri string, count func(*watch)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := w.open[uri]; one != nil {
		count(one)
		return nil
	}
	if len(w.open) >= maxWatches {
		return &mcp.Error{Code: mcp.CodeInternalError, Message: "The proxy has too many subscriptions; end one first"}
	}
	sub, err := w.b.upstream.Subscribe(ctx, mcp.Filter{URIs: []string{uri}})
	if err != nil {
		return err
	}
	if w.open == nil {
		w.open = map[string]*watch{}
	}
	one := &watch{sub: sub}
	count(one)
	w.open[uri] = one
	go func() {
		for {
			change, err := sub.Next(w.b.ctx)
			if err != nil {
				return
			}
			if change.Kind == mcp.ChangeResource || change.Kind == mcp.ChangeAny {
				w.b.server.ResourceUpdated(uri)
			}
		}
	}()
	return nil
}

func (w *watches) change(uri string, count func(*watch)) {
	w.mu.Lock()
	one := w.open[uri]
	over := false
	if one != nil {
		count(one)
		if over = one.holders <= 0 && !one.subscribed; over {
			delete(w.open, uri)
		}
	}
	w.mu.Unlock()
	if over {
		one.sub.Close()
	}
}
