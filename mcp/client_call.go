package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/wire"

	gojson "github.com/go-json-experiment/json"
)

// CallOptions configure one request. A nil *CallOptions means the zero value.
type CallOptions struct {
	// Progress is called with the server's reports, in order. It runs on the goroutine that makes
	// the request, before the request returns.
	//
	// A server of revision 2025-11-25 reports on a task until it has ended or Task.Cancel is
	// called. Progress then runs on another goroutine, one report at a time, before CallTool or
	// Task.Wait returns; it must not call Wait for that task. Servers of revision 2026-07-28 do not
	// report the progress of a task; see TaskState.StatusMessage.
	Progress func(Progress)
	// Timeout and MaxTimeout replace the fields of ClientOptions with these names, unless they are
	// zero. Negative means no limit.
	Timeout    time.Duration
	MaxTimeout time.Duration
	// Meta is sent with the request. Keys that the protocol defines for
	// requests are ignored.
	Meta Meta
	// Fresh sends the request even if the result is cached.
	Fresh bool
}

// Progress is a server's report about how far a request has progressed, in a unit that the server
// chooses.
type Progress struct {
	Progress float64
	Total    float64 // 0 if unknown
	Message  string
}

var noOptions CallOptions

func (c *Client) waiting(opts *CallOptions) waiting {
	w := waiting{c.opts.Timeout, c.opts.MaxTimeout}
	if opts.Timeout != 0 {
		w.idle = opts.Timeout
	}
	if opts.MaxTimeout != 0 {
		w.max = opts.MaxTimeout
	}
	return w
}

// Call sends a request with any method, such as one defined by an extension, and returns the
// result. params is a value that encodes as a JSON object, or nil. While Call waits, the functions
// in ClientOptions answer the server's questions.
func (c *Client) Call(ctx context.Context, method string, params any, opts *CallOptions) (json.RawMessage, error) {
	k := c.newCall(method)
	defer k.release()
	if params != nil {
		object, err := encode(params)
		if err != nil || !isObject(object) {
			return nil, fmt.Errorf("mcp: %s: params do not encode as a JSON object", method)
		}
		o := jsonrpc.ReadObject(compact(object))
		b := k.open()
		for o.Next() {
			if string(o.Name) == "_meta" {
				return nil, fmt.Errorf("mcp: %s: params contain _meta; use CallOptions.Meta", method)
			}
			b = append(wire.String(wire.Comma(b), o.Name), ':')
			b = append(b, o.Value...)
		}
		k.params = b
		k.name, _ = jsonrpc.String(member(object, nameMember(method)))
		if method == "tools/call" {
			k.args, k.tool = bytes.Clone(member(object, "arguments")), c.tools.get(k.name)
		}
	}
	if _, err := c.do(ctx, k, opts); err != nil {
		return nil, err
	}
	return bytes.Clone(k.result), nil
}

// Notify sends a notification with any method. params is a value that encodes
// as a JSON object, or nil.
func (c *Client) Notify(ctx context.Context, method string, params any) error {
	cc, err := c.current(ctx)
	if err != nil {
		return err
	}
	var object json.RawMessage
	if params != nil {
		if object, err = encode(params); err != nil {
			return fmt.Errorf("mcp: %s: params do not encode as a JSON object", method)
		}
	}
	return c.tell(ctx, cc, method, object)
}

// message returns a notification as one line of JSON. params is a JSON object, or nil.
func message(method string, params json.RawMessage) ([]byte, error) {
	b := wire.Field([]byte(`{"jsonrpc":"2.0"`), "method", method)
	if params != nil {
		if !isObject(params) {
			return nil, fmt.Errorf("mcp: %s: params do not encode as a JSON object", method)
		}
		b = wire.Raw(b, "params", compact(params))
	}
	return append(b, '}'), nil
}

// send performs the request of k, with all rounds of questions and repetitions that the protocol
// requires. It stores the result in k.result and returns the connection on which it arrived.
func (c *Client) send(ctx context.Context, k *call, opts *CallOptions) (*clientConn, error) {
	w := c.waiting(opts)
	again := repetitions{}
	for {
		cc, err := c.current(ctx)
		if err != nil {
			return nil, err
		}
		a := cc.agreement()
		if !a.rev.HasMethod(k.method) {
			return nil, fmt.Errorf("mcp: %s: revision %s, which the server uses, does not support this method", k.method, a.rev)
		}
		if k.session != nil && k.session != cc && a.rev.HasSessions() {
			return nil, fmt.Errorf("mcp: %s: the session that the cursor belongs to has ended; start again", k.method)
		}
		if missing := a.lacks(k.method); missing != "" {
			return nil, fmt.Errorf("mcp: %s: the server has not declared the capability %s", k.method, missing)
		}
		k.wants, k.begun = opts.Progress != nil, false
		if err = cc.register(k); err == nil {
			k.line = c.appendRequest(k.line[:0], a, k, opts)
			err = cc.roundTrip(ctx, a, k, w, opts.Progress)
		}
		if err != nil {
			if retry := c.repeat(ctx, cc, k, &again, err); retry {
				continue
			}
			return nil, err
		}
		if !a.rev.HasResultType() {
			return cc, nil
		}
		switch kind := resultKind(k.result); kind {
		case "", "complete":
			return cc, nil
		case "input_required":
			again.rounds++
			if err := c.answerInputs(ctx, cc, k, again.rounds); err != nil {
				return nil, fmt.Errorf("mcp: %s: %w", k.method, err)
			}
		case "task":
			if k.method != "tools/call" || !c.opts.Tasks {
				return nil, fmt.Errorf("mcp: %s: the server answered with a task, which is not allowed here", k.method)
			}
			return cc, nil
		default:
			return nil, fmt.Errorf("mcp: %s: the server's result has the unknown resultType %q", k.method, clip(kind, 32))
		}
	}
}

// resultKind returns the resultType of a result, or "" if it has none.
func resultKind(result []byte) string {
	value := member(result, "resultType")
	if string(value) == `"complete"` {
		return "complete" // the common case, without an allocation
	}
	kind, ok := jsonrpc.String(value)
	if !ok && value != nil {
		return string(value)
	}
	return kind
}

// repetitions counts how often a request has been sent again, by reason.
type repetitions struct {
	rounds, sessions, streams, schemas, versions int
}

// repeat reports whether the request of k, which failed with err, should be sent again. Before it
// returns true, it waits, lists the tools again or retires the connection, depending on err.
func (c *Client) repeat(ctx context.Context, cc *clientConn, k *call, again *repetitions, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	switch {
	case errors.Is(err, errSessionEnded) && again.sessions == 0:
		again.sessions++
		cc.retire() // the next request opens another session
		return true
	case errors.Is(err, errStreamLost) && again.streams < c.opts.Limits.MaxReconnects:
		again.streams++
		return c.pause(ctx, again.streams)
	}
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return false
	case e.Code == CodeHeaderMismatch && k.method == "tools/call" && again.schemas == 0:
		again.schemas++ // the stored definition of the tool may be outdated
		for raw, err := range c.list(ctx, toolsList, &CallOptions{Fresh: true}) {
			if err != nil {
				return false
			}
			_, _ = c.learn(raw) // ignored, because an invalid tool stays unknown
		}
		k.tool = c.tools.get(k.name)
		return true
	case e.Code == CodeUnsupportedVersion && cc.agreement().rev.Stateless() && again.versions == 0:
		again.versions++
		cc.retire()
		return true
	}
	return false
}

// appendRequest appends the JSON-RPC request of k to b.
func (c *Client) appendRequest(b []byte, a *agreement, k *call, opts *CallOptions) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, k.id, 10)
	b = append(b, `,"method":"`...)
	b = append(b, k.method...)
	b = append(b, '"')
	b, empty := append(b, `,"params":{`...), len(b)
	if len(k.params) > 1 {
		b = append(b, k.params[1:]...)
	}
	b = wire.Raw(b, "inputResponses", k.inputs)
	b = wire.Raw(b, "requestState", k.state)
	bare := len(b)
	b = append(wire.Comma(b), `"_meta":{`...)
	none := len(b)
	b = append(b, a.meta...)
	if k.wants {
		b = append(wire.Comma(b), `"progressToken":`...)
		b = strconv.AppendInt(b, k.id, 10)
	}
	if level := c.requestedLevel(); level != 0 && a.rev.Stateless() {
		b = wire.Field(b, metaLogLevel, level.String())
	}
	if len(opts.Meta) > 0 {
		b = appendMetaMembers(b, userMeta(opts.Meta))
	}
	if len(b) == none {
		if b = b[:bare]; b[bare-1] == '{' {
			return append(b[:empty], '}')
		}
		return append(b, '}', '}')
	}
	return append(b, '}', '}', '}')
}

// userMeta returns meta without the keys that the client sets.
func userMeta(meta Meta) Meta {
	sent := Meta{}
	for key, value := range meta {
		switch key {
		case metaProgressToken, metaProtocolVersion, metaClientInfo, metaClientCapabilities, metaLogLevel:
		default:
			sent[key] = value
		}
	}
	return sent
}

// encodeArguments encodes the arguments of a tool. It returns nil if there are
// none.
func encodeArguments(args any) ([]byte, error) {
	var object []byte
	var err error
	switch args := args.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		object = args
	case []byte:
		object = args
	default:
		object, err = gojson.Marshal(args, optionsOf(reflect.TypeOf(args)))
	}
	if err == nil && !isObject(object) {
		err = errors.New("they are not a JSON object")
	}
	if err != nil {
		return nil, fmt.Errorf("the arguments cannot be encoded: %w", err)
	}
	return object, nil
}

var optionsByType sync.Map // maps reflect.Type to gojson.Options

// optionsOf is like jsonOptions and caches the result.
func optionsOf(t reflect.Type) gojson.Options {
	if opts, ok := optionsByType.Load(t); ok {
		return opts.(gojson.Options)
	}
	opts := jsonOptions(t)
	optionsByType.Store(t, opts)
	return opts
}

// CallTool calls a tool. args is a value that encodes as a JSON object: a struct, a map, or JSON as
// json.RawMessage; nil means no arguments. If the tool itself fails, CallTool returns a result with
// IsError, which is for the model, and no error.
//
// If the client has listed the tool, a result that does not satisfy the tool's
// output schema is an error. If the server answers with a task, or if the client has listed the
// tool as one that can only be called as a task, CallTool waits for the task's result; see
// CallToolTask.
func (c *Client) CallTool(ctx context.Context, name string, args any, opts *CallOptions) (*CallToolResult, error) {
	k, err := c.callTool(ctx, name, args, opts)
	if err != nil {
		return nil, err
	}
	defer k.release()
	res, err := readToolResult(k.result)
	if err != nil {
		return nil, fmt.Errorf("mcp: tool %q: %w", name, err)
	}
	return res, nil
}

// callTool calls a tool and waits for its result, which is in the call that it
// returns. The caller must release the call.
func (c *Client) callTool(ctx context.Context, name string, args any, opts *CallOptions) (*call, error) {
	k := c.newCall("tools/call")
	cc, err := c.sendTool(ctx, k, name, args, nil, opts)
	if err == nil && isTask(cc, k) {
		err = c.waitForTask(ctx, k, opts)
	}
	k.later.end()
	if err == nil {
		err = k.tool.validate(c, k.result)
	}
	if err != nil {
		k.release()
		if _, ok := errors.AsType[*Error](err); !ok && !strings.HasPrefix(err.Error(), "mcp: ") {
			err = fmt.Errorf("mcp: tool %q: %w", name, err)
		}
		return nil, err
	}
	return k, nil
}

// sendTool sends a tool call and waits for the first answer, which may be a task. It returns the
// connection on which the answer arrived. task is the member of params that requests a task, or
// nil.
func (c *Client) sendTool(ctx context.Context, k *call, name string, args any, task []byte, opts *CallOptions) (*clientConn, error) {
	arguments, err := encodeArguments(args)
	if err != nil {
		return nil, err
	}
	k.name, k.args, k.tool = name, arguments, c.tools.get(name)
	b := append(k.open(), `"name":`...)
	b = wire.String(b, name)
	if arguments != nil {
		b = append(b, `,"arguments":`...)
		b = appendCompact(b, arguments)
	}
	if task == nil && k.tool != nil && k.tool.task == TaskSupportRequired && c.conn.Load().agreement().rev.HasCoreTasks() && c.canTask() {
		task = []byte("{}")
	}
	k.params = wire.Raw(b, "task", task)
	if task != nil && opts != nil && opts.Progress != nil {
		k.later = &taskReports{progress: opts.Progress}
	}
	cc, err := c.do(ctx, k, opts)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeMissingCapability && !c.opts.Tasks {
		if member(member(member(e.Data, "requiredCapabilities"), "extensions"), tasksExtension) != nil {
			err = fmt.Errorf("mcp: tool %q: %w; it can only be called as a task, so set ClientOptions.Tasks", name, err)
		}
	}
	return cc, err
}

// appendCompact appends value, which is JSON, without line breaks.
func appendCompact(b, value []byte) []byte {
	if bytes.IndexByte(value, '\n') < 0 && bytes.IndexByte(value, '\r') < 0 {
		return append(b, value...)
	}
	return append(b, compact(value)...)
}

// CallTool calls a tool and decodes its structured result as encoding/json does. If there is no
// structured result, it decodes the text of the result as JSON. In contrast to encoding/json, a
// duplicate member is an error. If Out is string, it returns the text. If the tool itself fails,
// the error is a *ToolError.
func CallTool[Out any](ctx context.Context, c *Client, name string, args any, opts *CallOptions) (Out, error) {
	var out Out
	k, err := c.callTool(ctx, name, args, opts)
	if err != nil {
		return out, err
	}
	defer k.release()
	structured := member(k.result, "structuredContent")
	_, isText := any(&out).(*string)
	if structured == nil || isText || string(member(k.result, "isError")) == "true" {
		res, err := readToolResult(k.result)
		switch {
		case err != nil:
			return out, fmt.Errorf("mcp: tool %q: %w", name, err)
		case res.IsError:
			return out, &ToolError{Tool: name, Result: res}
		}
		text := res.text()
		if p, ok := any(&out).(*string); ok {
			*p = text
			return out, nil
		}
		if structured = []byte(text); !json.Valid(structured) {
			return out, fmt.Errorf("mcp: tool %q: the result has no structured content to decode into %T", name, out)
		}
	}
	if err := decodeInto(structured, &out); err != nil {
		return out, fmt.Errorf("mcp: tool %q: decoding the structured content into %T: %w", name, out, err)
	}
	return out, nil
}

var decodingByType sync.Map // maps reflect.Type to decoding

// decodeInto decodes a result's structured content into out.
func decodeInto[Out any](data []byte, out *Out) error {
	t := reflect.TypeFor[Out]()
	var as decoding
	if cached, ok := decodingByType.Load(t); ok {
		as = cached.(decoding)
	} else {
		as = decodingOf(t)
		decodingByType.Store(t, as)
	}
	if as.plain != nil && as.plain.decode(data, reflect.ValueOf(out).Elem()) {
		return nil
	}
	return gojson.Unmarshal(data, out, as.opts, gojson.MatchCaseInsensitiveNames(true))
}

// A ToolError is the error for a tool that ran and failed.
type ToolError struct {
	Tool   string
	Result *CallToolResult
}

// Error returns a message with the name of the tool and at most 1024 bytes of
// the text of its result.
func (e *ToolError) Error() string {
	return fmt.Sprintf("tool %q failed: %s", e.Tool, clip(e.Result.text(), 1024))
}

// text returns the text of all text blocks, joined with line breaks.
func (r *CallToolResult) text() string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*TextContent); ok {
			if b.Len() > 0 {
				b.WriteByte('\n')
			} else if len(r.Content) == 1 {
				return t.Text
			}
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// Ping checks that the server responds, and returns an error if it does not. In revisions without
// ping, it requests the server's description instead.
func (c *Client) Ping(ctx context.Context) error {
	cc, err := c.current(ctx)
	if err != nil {
		return err
	}
	method := "ping"
	if !cc.agreement().rev.HasMethod(method) {
		method = "server/discover"
	}
	k := c.newCall(method)
	defer k.release()
	_, err = c.do(ctx, k, nil)
	return err
}

// SetLogLevel replaces ClientOptions.LogLevel. It returns an error if level is
// unknown, or if the server refuses it.
func (c *Client) SetLogLevel(ctx context.Context, level Level) error {
	if level.String() == "" {
		return fmt.Errorf("mcp: there is no log level %d", level)
	}
	cc, err := c.current(ctx)
	if err != nil {
		return err
	}
	c.level.Store(int32(level))
	return c.sendLogLevel(ctx, cc)
}

func (c *Client) sendLogLevel(ctx context.Context, cc *clientConn) error {
	a := cc.agreement()
	level := c.requestedLevel()
	if a.rev.Stateless() || !a.server.Capabilities.Logging || level == 0 {
		return nil
	}
	k := c.newCall("logging/setLevel")
	defer k.release()
	k.params = wire.Field(k.open(), "level", level.String())
	_, err := c.do(ctx, k, nil)
	return err
}

// requestedLevel returns the lowest level of log messages, or 0 if no function receives them.
func (c *Client) requestedLevel() Level {
	switch level := Level(c.level.Load()); {
	case c.opts.Log == nil:
		return 0
	case level != 0:
		return level
	}
	return c.opts.LogLevel
}
