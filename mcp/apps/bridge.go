package apps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"runtime/debug"
	"strconv"
	"sync"

	"github.com/docent-mcp/docent/mcp"
)

const (
	codeRefused = mcp.CodeInternalError // code of the error with which the host refuses a view's request; no specification defines one

	maxMessage    = 4 << 20 // maximum size of a message from a view in bytes
	maxConcurrent = 16      // maximum number of requests from a view that are served at a time
)

// BridgeOptions configure NewBridge. If a function is nil, the bridge refuses requests that need
// it. If it panics, the request that needs it is answered with an internal error. Receive calls
// SizeChanged and Log before it returns.
type BridgeOptions struct {
	// Host is the name and the version of the host.
	Host mcp.Implementation
	// Tool is the tool whose call the view shows. It may be nil.
	Tool *mcp.Tool
	// Context describes the host to the view: theme, styles, displayMode, locale and so on, under
	// the names that the extension defines.
	Context map[string]any
	// Granted contains the permissions that the host grants to the view's frame.
	Granted Permissions
	// View is the view that is shown. The bridge tells the page which hosts its policy allows.
	View *View

	// CallTool is called before the view calls a tool of its server. If it returns an error, the
	// call is refused. If CallTool is nil, all calls of tools that views may call are allowed.
	CallTool func(ctx context.Context, tool *mcp.Tool, arguments json.RawMessage) error
	// OpenLink opens a page in the user's browser. The URL has the scheme https or http.
	OpenLink func(ctx context.Context, url string) error
	// Message adds a user message to the conversation. content is one block of content, or an array
	// of them.
	Message func(ctx context.Context, content json.RawMessage) error
	// UpdateContext replaces the information that the view provides to the model for its next
	// turns. Either value may be nil.
	UpdateContext func(ctx context.Context, content, structured json.RawMessage) error
	// DisplayMode changes how the view is shown, to inline, fullscreen or pip, and returns the
	// resulting mode.
	DisplayMode func(ctx context.Context, mode string) (string, error)
	// SizeChanged is called when the page reports a new size, in pixels.
	SizeChanged func(width, height float64)
	// Log receives log messages from the view.
	Log func(level string, data json.RawMessage)

	// Logger receives the panics of the functions above. Nil means slog.Default().
	Logger *slog.Logger
}

// A Bridge exchanges messages with one view on behalf of the host. It answers the view's requests
// with the help of the view's server. Its methods are safe for concurrent use.
type Bridge struct {
	client *mcp.Client
	opts   BridgeOptions
	send   func(message json.RawMessage)
	ctx    context.Context
	stop   context.CancelFunc
	slots  chan struct{}
	ready  chan struct{} // closed when the view is initialized

	mu          sync.Mutex
	initialized bool
	pending     []json.RawMessage // messages for the view, until it is initialized
	input, done bool              // whether the tool's input and its result have been sent
	next        int64
	waiting     map[int64]chan *mcp.Error // channels for the responses to the host's open requests, by request ID
	tools       map[string]*mcp.Tool
}

// NewBridge returns a bridge between a view and its server. send passes a message to the view's
// frame; it is not called concurrently. Pass the frame's messages to Receive. Nil options mean the
// zero value.
func NewBridge(c *mcp.Client, send func(message json.RawMessage), options *BridgeOptions) *Bridge {
	ctx, stop := context.WithCancel(context.Background())
	b := &Bridge{
		client: c, send: send, ctx: ctx, stop: stop,
		slots: make(chan struct{}, maxConcurrent), ready: make(chan struct{}), waiting: map[int64]chan *mcp.Error{},
	}
	if options != nil {
		b.opts = *options
	}
	if b.opts.Logger == nil {
		b.opts.Logger = slog.Default()
	}
	return b
}

// Close ends the view's requests that are being served. Call Teardown before it.
func (b *Bridge) Close() { b.stop() }

// Ready is closed when the view has been initialized.
func (b *Bridge) Ready() <-chan struct{} { return b.ready }

// frame is a JSON-RPC message.
type frame struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *wireError      `json:"error,omitempty"`
}

type wireError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Receive handles a message from the view. It does not wait for the response. Malformed requests
// are answered with an error, and other malformed messages are ignored.
func (b *Bridge) Receive(message []byte) {
	var f frame
	if len(message) > maxMessage || json.Unmarshal(message, &f) != nil || f.Version != "2.0" {
		return
	}
	f.ID = bytes.TrimSpace(f.ID)
	switch {
	case len(f.ID) > 0 && !isID(f.ID):
	case f.Method == "":
		b.answered(&f)
	case len(f.ID) == 0:
		b.notified(f.Method, f.Params)
	default:
		select {
		case b.slots <- struct{}{}:
		default:
			b.reply(f.ID, nil, refused("too many requests at once"))
			return
		}
		go b.answer(&f)
	}
}

// answer answers a request from the view and frees its slot. If a function of the host panics
// or ends its goroutine, only that request fails.
func (b *Bridge) answer(f *frame) {
	defer func() { <-b.slots }()
	defer b.logPanic(f.Method) // recovers from a panic in send
	var result json.RawMessage
	err := errors.New("a function of the host has not returned")
	defer func() { b.reply(f.ID, result, err) }()
	defer b.logPanic(f.Method)
	result, err = encoded(b.serve(f.Method, f.Params))
}

// logPanic recovers from a panic and logs it. It must be called by a defer statement.
func (b *Bridge) logPanic(method string) {
	if p := recover(); p != nil {
		b.opts.Logger.Error("panic in a function of the host", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}

// encoded returns the JSON of a result of serve, or its error.
func encoded(result any, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// isID reports whether an id is a string or a number.
func isID(id json.RawMessage) bool {
	return id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

func refused(message string) error { return &mcp.Error{Code: codeRefused, Message: message} }

var errMethod = &mcp.Error{Code: mcp.CodeMethodNotFound, Message: "Method not found"}

// reply answers a request from the view. It does not reveal errors of the host or the connection.
func (b *Bridge) reply(id, result json.RawMessage, err error) {
	f := frame{Version: "2.0", ID: id, Result: result}
	if err != nil {
		f.Error = &wireError{Code: mcp.CodeInternalError, Message: "The host could not serve the request"}
		if e, ok := errors.AsType[*mcp.Error](err); ok {
			f.Error = &wireError{e.Code, e.Message, e.Data}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write(f)
}

// write sends a message to the view. The caller must hold mu.
func (b *Bridge) write(f frame) {
	if encoded, err := json.Marshal(f); err == nil && b.ctx.Err() == nil {
		b.send(encoded)
	}
}

// serve answers a request from the view.
func (b *Bridge) serve(method string, params json.RawMessage) (any, error) {
	switch method {
	case "ui/initialize":
		return b.initialize()
	case "ping":
		return struct{}{}, nil
	}
	select {
	case <-b.ready:
	default:
		return nil, refused("the view is not initialized")
	}
	switch method {
	case "tools/call":
		return b.callTool(params)
	case "resources/read":
		return b.client.Call(b.ctx, method, params, nil)
	case "ui/open-link":
		return b.openLink(params)
	case "ui/message":
		var p struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		}
		if json.Unmarshal(params, &p) != nil || p.Role != "user" || len(p.Content) == 0 {
			return nil, invalid(method)
		}
		if b.opts.Message == nil {
			return nil, refused("the host does not accept messages from views")
		}
		return struct{}{}, denied(b.opts.Message(b.ctx, p.Content))
	case "ui/update-model-context":
		var p struct {
			Content    json.RawMessage `json:"content"`
			Structured json.RawMessage `json:"structuredContent"`
		}
		if json.Unmarshal(params, &p) != nil {
			return nil, invalid(method)
		}
		if b.opts.UpdateContext == nil {
			return nil, refused("the host does not accept context from views")
		}
		return struct{}{}, denied(b.opts.UpdateContext(b.ctx, p.Content, p.Structured))
	case "ui/request-display-mode":
		return b.displayMode(params)
	}
	return nil, errMethod
}

func invalid(method string) error {
	return &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params of " + method}
}

// denied returns the error that the view receives if a function of the host failed. It does not
// contain the reason.
func denied(err error) error {
	var e *mcp.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return refused("the host refused the request")
}

// initialize answers ui/initialize.
func (b *Bridge) initialize() (any, error) {
	capabilities := map[string]any{"serverTools": struct{}{}, "serverResources": struct{}{}}
	sandbox := map[string]any{"permissions": b.opts.Granted}
	if b.opts.View != nil {
		sandbox["csp"] = b.opts.View.CSP
	}
	capabilities["sandbox"] = sandbox
	text := map[string]any{"text": struct{}{}}
	for name, offered := range map[string]bool{"openLinks": b.opts.OpenLink != nil, "logging": b.opts.Log != nil} {
		if offered {
			capabilities[name] = struct{}{}
		}
	}
	for name, offered := range map[string]bool{"message": b.opts.Message != nil, "updateModelContext": b.opts.UpdateContext != nil} {
		if offered {
			capabilities[name] = text
		}
	}
	hostContext := map[string]any{}
	maps.Copy(hostContext, b.opts.Context)
	if t := b.opts.Tool; t != nil {
		schema := t.InputSchema
		if schema == nil {
			schema = json.RawMessage(`{"type":"object"}`)
		}
		hostContext["toolInfo"] = map[string]any{"tool": map[string]any{"name": t.Name, "title": t.Title, "description": t.Description, "inputSchema": schema}}
	}
	return map[string]any{
		"protocolVersion": Version, "hostInfo": map[string]string{"name": b.opts.Host.Name, "version": b.opts.Host.Version},
		"hostCapabilities": capabilities, "hostContext": hostContext,
	}, nil
}

// callTool forwards a call to the server if views may call the tool.
func (b *Bridge) callTool(params json.RawMessage) (any, error) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(params, &p) != nil || p.Name == "" {
		return nil, invalid("tools/call")
	}
	tool, err := b.tool(p.Name)
	if err != nil {
		return nil, err
	}
	if tool == nil || !LinkOf(tool).View {
		return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Views cannot call the tool " + strconv.Quote(clip(p.Name))}
	}
	if b.opts.CallTool != nil {
		if err := b.opts.CallTool(b.ctx, tool, p.Arguments); err != nil {
			return nil, denied(err)
		}
	}
	if len(p.Arguments) == 0 {
		p.Arguments = json.RawMessage("{}")
	}
	return b.client.Call(b.ctx, "tools/call", map[string]any{"name": p.Name, "arguments": p.Arguments}, nil)
}

// tool returns a tool of the server, or nil. If it does not know the name, it lists the server's
// tools again.
func (b *Bridge) tool(name string) (*mcp.Tool, error) {
	b.mu.Lock()
	known := b.tools[name]
	b.mu.Unlock()
	if known != nil {
		return known, nil
	}
	tools := map[string]*mcp.Tool{}
	for t, err := range b.client.Tools(b.ctx) {
		if err != nil {
			return nil, err
		}
		tools[t.Name] = t
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tools = tools
	return tools[name], nil
}

func (b *Bridge) openLink(params json.RawMessage) (any, error) {
	var p struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil, invalid("ui/open-link")
	}
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, refused("only links with the scheme https or http are opened")
	}
	if b.opts.OpenLink == nil {
		return nil, refused("the host does not open links from views")
	}
	return struct{}{}, denied(b.opts.OpenLink(b.ctx, p.URL))
}

func (b *Bridge) displayMode(params json.RawMessage) (any, error) {
	var p struct {
		Mode string `json:"mode"`
	}
	if json.Unmarshal(params, &p) != nil || p.Mode != "inline" && p.Mode != "fullscreen" && p.Mode != "pip" {
		return nil, invalid("ui/request-display-mode")
	}
	mode := "inline"
	if current, ok := b.opts.Context["displayMode"].(string); ok {
		mode = current
	}
	if b.opts.DisplayMode != nil {
		var err error
		if mode, err = b.opts.DisplayMode(b.ctx, p.Mode); err != nil {
			return nil, denied(err)
		}
	}
	return map[string]string{"mode": mode}, nil
}

func (b *Bridge) notified(method string, params json.RawMessage) {
	switch method {
	case "ui/notifications/initialized":
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.initialized {
			return
		}
		b.initialized = true
		for _, message := range b.pending {
			if b.ctx.Err() == nil {
				b.send(message)
			}
		}
		b.pending = nil
		close(b.ready)
	case "ui/notifications/size-changed":
		var size struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
		}
		if b.opts.SizeChanged != nil && json.Unmarshal(params, &size) == nil && size.Width >= 0 && size.Height >= 0 {
			b.opts.SizeChanged(size.Width, size.Height)
		}
	case "notifications/message":
		var message struct {
			Level string          `json:"level"`
			Data  json.RawMessage `json:"data"`
		}
		if b.opts.Log != nil && json.Unmarshal(params, &message) == nil {
			b.opts.Log(clip(message.Level), message.Data)
		}
	}
}

// answered handles the view's response to a request from the host.
func (b *Bridge) answered(f *frame) {
	id, err := strconv.ParseInt(string(f.ID), 10, 64)
	if err != nil {
		return
	}
	b.mu.Lock()
	answer := b.waiting[id]
	delete(b.waiting, id)
	b.mu.Unlock()
	if answer == nil {
		return
	}
	if f.Error == nil {
		answer <- nil
		return
	}
	answer <- &mcp.Error{Code: f.Error.Code, Message: clip(f.Error.Message)}
}

// notify sends a notification to the view, or keeps it until the view is initialized. The caller
// must hold mu.
func (b *Bridge) notify(method string, params any) error {
	encoded, err := json.Marshal(params)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(encoded), []byte("{")) {
		return fmt.Errorf("%s: the params must be an object", method)
	}
	message, err := json.Marshal(frame{Version: "2.0", Method: method, Params: encoded})
	switch {
	case err != nil:
		return err
	case !b.initialized:
		b.pending = append(b.pending, message)
	case b.ctx.Err() == nil:
		b.send(message)
	}
	return nil
}

// ToolInputPartial sends the arguments of the call as far as the model has written them.
func (b *Bridge) ToolInputPartial(arguments any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.input {
		return errors.New("the complete arguments have already been sent")
	}
	return b.notify("ui/notifications/tool-input-partial", map[string]any{"arguments": arguments})
}

// ToolInput sends the arguments of the tool's call. It is called once, before ToolResult.
func (b *Bridge) ToolInput(arguments any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.input {
		return errors.New("the arguments have already been sent")
	}
	b.input = true
	if arguments == nil {
		arguments = struct{}{}
	}
	return b.notify("ui/notifications/tool-input", map[string]any{"arguments": arguments})
}

// ToolResult sends the result of the tool's call.
func (b *Bridge) ToolResult(result *mcp.CallToolResult) error {
	return b.end("ui/notifications/tool-result", result)
}

// ToolCancelled tells the view that the call was cancelled, and why.
func (b *Bridge) ToolCancelled(reason string) error {
	return b.end("ui/notifications/tool-cancelled", map[string]string{"reason": reason})
}

func (b *Bridge) end(method string, params any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.input:
		return errors.New("send the arguments of the call first, with ToolInput")
	case b.done:
		return errors.New("the end of the call has already been sent")
	}
	b.done = true
	return b.notify(method, params)
}

// ContextChanged sends the fields of the context that have changed, such as the theme.
func (b *Bridge) ContextChanged(fields map[string]any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notify("ui/notifications/host-context-changed", fields)
}

// Teardown asks the view to finish before its frame is removed. It returns when the view has
// answered or ctx is done.
func (b *Bridge) Teardown(ctx context.Context, reason string) error {
	params, err := json.Marshal(map[string]string{"reason": reason})
	if err != nil {
		return err
	}
	answer := make(chan *mcp.Error, 1)
	b.mu.Lock()
	if !b.initialized {
		b.mu.Unlock()
		return nil // the view has nothing to finish
	}
	b.next++
	id := b.next
	b.waiting[id] = answer
	b.write(frame{Version: "2.0", ID: json.RawMessage(strconv.FormatInt(id, 10)), Method: "ui/resource-teardown", Params: params})
	b.mu.Unlock()
	select {
	case err := <-answer:
		if err != nil {
			return err
		}
		return nil
	case <-b.ctx.Done():
		err = errors.New("the bridge is closed")
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	b.mu.Lock()
	delete(b.waiting, id)
	b.mu.Unlock()
	return err
}
