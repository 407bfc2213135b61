package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"log/slog"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// listing describes a method that returns a list in pages.
type listing struct {
	method, field string
	kind          ChangeKind // the kind of change that invalidates the list
}

var (
	toolsList     = listing{"tools/list", "tools", ChangeTools}
	promptsList   = listing{"prompts/list", "prompts", ChangePrompts}
	resourcesList = listing{"resources/list", "resources", ChangeResources}
	templatesList = listing{"resources/templates/list", "resourceTemplates", ChangeResources}
	tasksList     = listing{"tasks/list", "tasks", ""}
)

// Tools returns an iterator over the server's tools, which requests one page after another. If
// there is an error, it comes last, and the list is incomplete. Tools that cannot be used are
// omitted and logged: malformed tools and, over HTTP, tools whose schema has an invalid
// x-mcp-header. If the server has no tools, the list is empty. Descriptions and annotations come
// from the server, and can be wrong. A tool without a title gets the title from its annotations, if
// there is one.
func (c *Client) Tools(ctx context.Context) iter.Seq2[*Tool, error] {
	return func(yield func(*Tool, error) bool) {
		for raw, err := range c.list(ctx, toolsList, nil) {
			var t *Tool
			if err == nil {
				if t, err = c.learn(raw); err != nil {
					c.skipped("tool", raw, err)
					continue
				}
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// Prompts lists the server's prompts in the same way as Tools.
func (c *Client) Prompts(ctx context.Context) iter.Seq2[*Prompt, error] {
	return listEntries(ctx, c, promptsList, "prompt", readPrompt)
}

// Resources lists the server's resources in the same way as Tools.
func (c *Client) Resources(ctx context.Context) iter.Seq2[*Resource, error] {
	return listEntries(ctx, c, resourcesList, "resource", readResource)
}

// ResourceTemplates lists the server's resource templates in the same way as Tools.
// ResourceTemplate.Expand returns a URI.
func (c *Client) ResourceTemplates(ctx context.Context) iter.Seq2[*ResourceTemplate, error] {
	return listEntries(ctx, c, templatesList, "resource template", readTemplate)
}

func listEntries[T any](ctx context.Context, c *Client, l listing, what string, read func([]byte) (*T, error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for raw, err := range c.list(ctx, l, nil) {
			var entry *T
			if err == nil {
				if entry, err = read(raw); err != nil {
					c.skipped(what, raw, err)
					continue
				}
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// skipped logs an entry that a list omits.
func (c *Client) skipped(what string, raw []byte, err error) {
	name, _ := jsonrpc.String(member(raw, "name"))
	c.log.Warn("the server's "+what+" cannot be used and is omitted", slog.String("name", clip(name, 128)), slog.Any("error", err))
}

// list iterates over the entries of all pages, as JSON. An error comes last.
func (c *Client) list(ctx context.Context, l listing, opts *CallOptions) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		cc, err := c.current(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		if cc.agreement().lacks(l.method) != "" {
			return
		}
		limits := &c.opts.Limits
		seen, seed := map[uint64]bool{}, maphash.MakeSeed()
		count := 0
		var cursor []byte
		var session *clientConn // the session in which the cursor is valid
		for pages := 1; ; pages++ {
			page, from, err := c.page(ctx, l, cursor, session, opts)
			session = from
			if err != nil {
				if cursor != nil {
					c.cache.invalidate(Change{Kind: l.kind}) // the cursor may belong to a cached page
				}
				yield(nil, err)
				return
			}
			o := elements(member(page, l.field))
			for entry := range o.all {
				if count++; count > limits.MaxListEntries {
					yield(nil, fmt.Errorf("mcp: %s: the list has more than %d entries (ClientLimits.MaxListEntries)", l.method, limits.MaxListEntries))
					return
				}
				if !yield(entry, nil) {
					return
				}
			}
			if o.err != nil {
				yield(nil, fmt.Errorf("mcp: %s: the result has no list %s", l.method, l.field))
				return
			}
			next := member(page, "nextCursor")
			if len(next) == 0 || next[0] != '"' {
				return
			}
			hash := maphash.Bytes(seed, next)
			switch {
			case seen[hash]:
				yield(nil, fmt.Errorf("mcp: %s: the server repeats the cursor of an earlier page", l.method))
				return
			case pages >= limits.MaxListPages:
				yield(nil, fmt.Errorf("mcp: %s: the list has more than %d pages (ClientLimits.MaxListPages)", l.method, limits.MaxListPages))
				return
			}
			seen[hash] = true
			cursor = bytes.Clone(next)
		}
	}
}

// page returns one page, and the session that sent it or nil if the page was cached. cursor is
// JSON, or nil for the first page. session is the session that sent the cursor.
func (c *Client) page(ctx context.Context, l listing, cursor []byte, session *clientConn, opts *CallOptions) ([]byte, *clientConn, error) {
	key := l.method + "\n" + string(cursor)
	if opts == nil || !opts.Fresh {
		if page := c.cached(ctx, key); page != nil {
			return page, nil, nil
		}
	}
	state := c.before(ctx)
	k := c.newCall(l.method)
	defer k.release()
	if cursor != nil {
		k.params, k.session = wire.Raw(k.open(), "cursor", cursor), session
	}
	cc, err := c.do(ctx, k, opts)
	if err != nil {
		return nil, nil, err
	}
	page := bytes.Clone(k.result)
	if l.kind != "" && cc.agreement().rev.HasResultType() {
		c.keep(ctx, key, page, Change{Kind: l.kind}, state)
	}
	return page, cc, nil
}

// array iterates over the elements of a JSON array.
type array struct {
	data []byte
	err  error
}

func elements(data []byte) *array { return &array{data: data} }

var errNoArray = errors.New("not a JSON array")

func (a *array) all(yield func([]byte) bool) {
	if len(a.data) == 0 || a.data[0] != '[' {
		a.err = errNoArray
		return
	}
	space := func(i int) int {
		for i < len(a.data) && (a.data[i] == ' ' || a.data[i] == '\n' || a.data[i] == '\t' || a.data[i] == '\r') {
			i++
		}
		return i
	}
	for i := space(1); i < len(a.data) && a.data[i] != ']'; i = space(i) {
		if a.data[i] == ',' {
			i = space(i + 1)
		}
		end, err := jsonrpc.Skip(a.data, i)
		if err != nil {
			a.err = err
			return
		}
		if !yield(a.data[i:end]) {
			return
		}
		i = end
	}
}

// capabilityOf maps the first part of a method to the capability that a server
// declares for it.
var capabilityOf = map[string]string{
	"tools": "tools", "prompts": "prompts", "resources": "resources", "completion": "completions", "logging": "logging",
}

// lacks returns the capability that the method needs, if the server has not declared it, and
// otherwise "".
func (a *agreement) lacks(method string) string {
	kind, _, _ := strings.Cut(method, "/")
	declared, caps := true, &a.server.Capabilities
	switch kind {
	case "tools":
		declared = caps.Tools
	case "prompts":
		declared = caps.Prompts
	case "resources":
		declared = caps.Resources
	case "completion":
		declared = caps.Completions
	case "logging":
		declared = caps.Logging
	case "tasks":
		declared = caps.Tasks
	}
	if declared {
		return ""
	}
	if name := capabilityOf[kind]; name != "" {
		return name
	}
	return kind
}

// toolMemo contains what the client knows about the tools in lists.
type toolMemo struct {
	mu    sync.Mutex
	tools map[string]*knownTool
}

// knownTool contains what calls need to know about a tool.
type knownTool struct {
	name    string
	task    TaskSupport
	headers []headerParam
	schema  []byte // the output schema, or nil

	once   sync.Once
	output *jsonschema.Schema // nil if there is none, or it is invalid
}

func (m *toolMemo) get(name string) *knownTool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tools[name]
}

func (m *toolMemo) put(t *knownTool, limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tools == nil || len(m.tools) >= limit {
		m.tools = map[string]*knownTool{}
	}
	m.tools[t.name] = t
}

// learn decodes a tool, stores what calls need to know about it, and returns it.
func (c *Client) learn(raw []byte) (*Tool, error) {
	t, err := readTool(raw)
	if err != nil {
		return nil, err
	}
	tool := &knownTool{name: t.Name, task: t.TaskSupport, schema: t.OutputSchema}
	if c.mirrors() {
		if tool.headers, err = headerParams(compact(t.InputSchema)); err != nil {
			return nil, err
		}
	}
	c.tools.put(tool, c.opts.Limits.MaxListEntries)
	return t, nil
}

// mirrors reports whether arguments are repeated in headers on the current
// connection.
func (c *Client) mirrors() bool {
	cc := c.conn.Load()
	if cc == nil {
		return false
	}
	_, isHTTP := cc.link.(*httpLink)
	return isHTTP && cc.agreement().rev.Stateless()
}

// validate returns an error if the structured content of a result does not
// satisfy the tool's output schema. It accepts any result if there is no usable
// schema.
func (t *knownTool) validate(c *Client, result []byte) error {
	if t == nil || t.schema == nil {
		return nil
	}
	structured := member(result, "structuredContent")
	if structured == nil || string(member(result, "isError")) == "true" {
		return nil
	}
	t.once.Do(func() {
		var err error
		if t.output, err = jsonschema.Compile(t.schema, nil); err != nil {
			c.log.Warn("results of a tool are not validated, because its output schema cannot be used", "tool", t.name, "error", err)
		}
	})
	if t.output == nil {
		return nil
	}
	if err := t.output.Validate(structured); err != nil {
		return fmt.Errorf("the result does not satisfy the tool's output schema: %w", err)
	}
	return nil
}

// GetPrompt returns a prompt with its arguments filled in.
func (c *Client) GetPrompt(ctx context.Context, name string, args map[string]string, opts *CallOptions) (*PromptResult, error) {
	k := c.newCall("prompts/get")
	defer k.release()
	k.name = name
	k.params = wire.Field(k.open(), "name", name)
	if len(args) > 0 {
		k.params = appendStrings(wire.Name(k.params, "arguments"), args)
	}
	if _, err := c.do(ctx, k, opts); err != nil {
		return nil, err
	}
	res, err := readPromptResult(k.result)
	if err != nil {
		return nil, fmt.Errorf("mcp: prompt %q: %w", name, err)
	}
	return res, nil
}

func appendStrings(b []byte, values map[string]string) []byte {
	b = append(b, '{')
	for _, name := range sortedKeys(values) {
		b = wire.String(append(wire.String(wire.Comma(b), name), ':'), values[name])
	}
	return append(b, '}')
}

// ReadResource reads a resource. If the server has no resource with this URI,
// the error wraps ErrResourceNotFound.
func (c *Client) ReadResource(ctx context.Context, uri string, opts *CallOptions) (*ResourceResult, error) {
	key := "resources/read\n" + uri
	if opts == nil || !opts.Fresh {
		if result := c.cached(ctx, key); result != nil {
			return readResourceResult(result)
		}
	}
	state := c.before(ctx)
	k := c.newCall("resources/read")
	defer k.release()
	k.name = uri
	k.params = wire.Field(k.open(), "uri", uri)
	cc, err := c.do(ctx, k, opts)
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.isResourceNotFound() {
			return nil, fmt.Errorf("%w: %w", ErrResourceNotFound, err)
		}
		return nil, err
	}
	res, err := readResourceResult(k.result)
	if err != nil {
		return nil, fmt.Errorf("mcp: resource %q: %w", clip(uri, 256), err)
	}
	if cc.agreement().rev.HasResultType() && k.inputs == nil && k.state == nil {
		c.keep(ctx, key, bytes.Clone(k.result), Change{Kind: ChangeResource, URI: uri}, state)
	}
	return res, nil
}

// CompletePrompt requests suggestions for a prompt's argument. typed is the text of the argument so
// far; chosen contains the values of other arguments that the user has already given.
func (c *Client) CompletePrompt(ctx context.Context, prompt, argument, typed string, chosen map[string]string) (Completion, error) {
	return c.complete(ctx, wire.Field([]byte(`{"type":"ref/prompt"`), "name", prompt), argument, typed, chosen)
}

// CompleteTemplate requests suggestions for a variable of a resource template in the same way as
// CompletePrompt.
func (c *Client) CompleteTemplate(ctx context.Context, uriTemplate, variable, typed string, chosen map[string]string) (Completion, error) {
	return c.complete(ctx, wire.Field([]byte(`{"type":"ref/resource"`), "uri", uriTemplate), variable, typed, chosen)
}

func (c *Client) complete(ctx context.Context, ref []byte, argument, typed string, chosen map[string]string) (Completion, error) {
	cc, err := c.current(ctx)
	if err != nil {
		return Completion{}, err
	}
	k := c.newCall("completion/complete")
	defer k.release()
	b := wire.Raw(k.open(), "ref", append(ref, '}'))
	b = wire.Field(append(wire.Name(b, "argument"), '{'), "name", argument)
	b = append(wire.Field(b, "value", typed), '}')
	if len(chosen) > 0 && cc.agreement().rev.HasCompletionContext() {
		b = append(appendStrings(append(wire.Name(b, "context"), `{"arguments":`...), chosen), '}')
	}
	k.params = b
	if _, err := c.do(ctx, k, nil); err != nil {
		return Completion{}, err
	}
	var r struct {
		Completion struct {
			Values []string `json:"values"`
			Total  int      `json:"total"`
			More   bool     `json:"hasMore"`
		} `json:"completion"`
	}
	if err := decode(k.result, &r); err != nil {
		return Completion{}, errors.New("mcp: completion/complete: the result is malformed")
	}
	return Completion{Values: r.Completion.Values, Total: r.Completion.Total, More: r.Completion.More}, nil
}
