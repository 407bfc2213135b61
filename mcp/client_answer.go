package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// ErrDeclined is returned by ClientOptions.Sample if the user does not allow
// the server to use the model.
var ErrDeclined = errors.New("the user has declined")

// codeDeclined is the error code for a sampling request that the user declines.
const codeDeclined = -1

type clientKey struct{}

// ClientFrom returns the client whose server asked the question being answered
// with ctx, or nil. A function in ClientOptions that serves several clients can
// use it to tell the user which server is asking.
func ClientFrom(ctx context.Context) *Client {
	c, _ := ctx.Value(clientKey{}).(*Client)
	return c
}

// question answers a request from the server. The user's functions run on a new
// goroutine.
func (cc *clientConn) question(m *jsonrpc.Message) {
	a := cc.agreement()
	if a.rev.Stateless() || !slices.ContainsFunc(cc.c.revisions, revision.Revision.HasSessions) {
		// A response would also violate the protocol (specification 2026-07-28: Message Patterns),
		// so none is sent, although the server may wait for it.
		if !cc.warned.Swap(true) {
			cc.c.log.Warn("request of the server ignored: in this revision servers must not send requests, and clients must not answer them", "method", clip(m.Method, 64))
		}
		return
	}
	id := bytes.Clone(m.ID)
	refuse := func(e *Error) { cc.link.tell(appendError(nil, id, a.rev, e)) }
	if m.Method == "ping" {
		cc.link.tell(append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":{}}`...))
		return
	}
	if a.rev == revision.None {
		refuse(errorf(CodeInvalidRequest, "Invalid request: the session is not initialized yet"))
		return
	}
	ctx, cancel := context.WithCancelCause(cc.ctx)
	limits := &cc.c.opts.Limits
	cc.mu.Lock()
	_, repeated := cc.questions[string(id)]
	full := cc.answering >= limits.MaxQuestions
	if ended := cc.err != nil; ended || repeated || full || !cc.c.questions.take(limits.MaxQuestionRate, time.Now()) {
		cc.mu.Unlock()
		cancel(nil)
		switch {
		case ended:
		case repeated:
			refuse(errorf(CodeInvalidRequest, "Invalid request: a request with this id is already being answered"))
		default:
			refuse(errorf(CodeInternalError, "Too many requests to the client; retry this one later"))
		}
		return
	}
	if cc.questions == nil {
		cc.questions = map[string]context.CancelCauseFunc{}
	}
	cc.questions[string(id)] = cancel
	cc.answering++
	cc.mu.Unlock()
	method, params := m.Method, bytes.Clone(m.Params)
	go func() {
		defer cancel(nil)
		defer func() {
			cc.mu.Lock()
			defer cc.mu.Unlock()
			cc.answering--
		}()
		result, failed := cc.c.answer(ctx, a.rev, method, params)
		cc.mu.Lock()
		delete(cc.questions, string(id)) // delete the id before sending the response, because the server may reuse it afterwards
		cc.mu.Unlock()
		switch {
		case errors.Is(context.Cause(ctx), errWithdrawn):
		case failed != nil:
			cc.link.respond(ctx, appendError(nil, id, a.rev, failed))
		default:
			b := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":`...)
			cc.link.respond(ctx, append(append(b, result...), '}'))
		}
	}()
}

// errWithdrawn is the cause of the context of a question that the server has
// cancelled.
var errWithdrawn = errors.New("the server has cancelled its request")

// withdraw handles notifications/cancelled.
func (cc *clientConn) withdraw(m *jsonrpc.Message) {
	id, _ := cancelledID(m)
	cc.mu.Lock()
	cancel := cc.questions[string(id)]
	cc.mu.Unlock()
	if cancel != nil {
		cancel(errWithdrawn)
		return
	}
	// Servers of revisions without sessions send no requests. From them, this notification means
	// that a subscription has ended.
	if n, ok := requestID(id); ok && cc.agreement().rev.Stateless() {
		cc.endFeed(n)
	}
}

// answerInputs answers the questions in the result of k, and prepares k to be sent again with the
// answers.
//
// The questions' contexts have the values of the call's context, and are cancelled with it or with
// the connection.
func (c *Client) answerInputs(ctx context.Context, cc *clientConn, k *call, round int) error {
	if !revision.AsksFor(k.method) {
		return errors.New("the server asks for input, which is not allowed for this method")
	}
	if round > c.opts.Limits.MaxRounds {
		return fmt.Errorf("the server has asked for input %d times without a result", round-1)
	}
	state := member(k.result, "requestState")
	requests := member(k.result, "inputRequests")
	switch {
	case state != nil && state[0] != '"', requests != nil && requests[0] != '{':
		return errors.New("the server's inputRequests or requestState is malformed")
	case state == nil && requests == nil:
		return errors.New("the server asks for input but sends no question")
	}
	k.inputs, k.state = nil, bytes.Clone(state)
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(cc.ctx, func() { cancel(ErrClientClosed) })()
	if requests == nil {
		if !c.pause(asking, round) { // pause before the retry, so that a server cannot make the client send requests without end
			return context.Cause(asking)
		}
		return nil
	}
	answers, err := c.answerAll(asking, cc.agreement().rev, requests, nil)
	k.inputs = answers
	return err
}

// answerAll answers the questions in requests, a JSON object, concurrently. It omits questions
// whose key is in skip. It returns the answers as a JSON object with the same keys.
func (c *Client) answerAll(ctx context.Context, rev revision.Revision, requests []byte, skip map[string]bool) ([]byte, error) {
	type one struct {
		key    string
		method string
		params []byte
		result []byte
		err    *Error
	}
	var all []*one
	o := jsonrpc.ReadObject(requests)
	for o.Next() {
		if skip[string(o.Name)] {
			continue
		}
		method, _ := jsonrpc.String(member(o.Value, "method"))
		all = append(all, &one{key: string(o.Name), method: method, params: bytes.Clone(member(o.Value, "params"))})
		if len(all) > c.opts.Limits.MaxQuestions {
			return nil, fmt.Errorf("the server asks more than %d questions at once", c.opts.Limits.MaxQuestions)
		}
	}
	if o.Err != nil {
		return nil, errors.New("the server's questions are malformed")
	}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, clientKey{}, c))
	defer cancel()
	done := make(chan *one, len(all))
	for _, q := range all {
		go func() {
			q.result, q.err = c.answer(ctx, rev, q.method, q.params)
			done <- q
		}()
	}
	for range all {
		select {
		case q := <-done:
			if q.err != nil {
				return nil, fmt.Errorf("the server's question %q (%s): %s", clip(q.key, 64), clip(q.method, 64), q.err.Message)
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if ctx.Err() != nil { // no request will carry the answers
		return nil, context.Cause(ctx)
	}
	b := []byte{'{'}
	for _, q := range all {
		b = append(wire.String(wire.Comma(b), q.key), ':')
		b = append(b, q.result...)
	}
	return append(b, '}'), nil
}

// answer answers one question from the server, with a result or an error.
func (c *Client) answer(ctx context.Context, rev revision.Revision, method string, params []byte) (result []byte, failed *Error) {
	if !c.answers(rev, method) {
		return nil, errMethodNotFound(method)
	}
	defer c.asks()()
	returned := false
	finished := make(chan struct{})
	go func() { // if a function panics or ends its goroutine, only this question fails
		defer close(finished)
		defer func() {
			if p := recover(); p != nil {
				c.log.Error("panic in a function that answers the server", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			}
			if !returned {
				failed = asError(errGoexit)
			}
		}()
		result, failed = c.question(ctx, rev, method, params)
		returned = true
	}()
	<-finished
	return result, failed
}

// answers reports whether the client has a function for the method.
func (c *Client) answers(rev revision.Revision, method string) bool {
	switch method {
	case "roots/list":
		return c.opts.Roots != nil
	case "sampling/createMessage":
		return c.opts.Sample != nil
	case "elicitation/create":
		return rev.HasElicitation() && (c.opts.ElicitForm != nil || c.opts.ElicitURL != nil)
	}
	return false
}

// dispatch calls the function in ClientOptions for a method, and returns its
// result as JSON.
func (c *Client) dispatch(ctx context.Context, rev revision.Revision, method string, params []byte) ([]byte, *Error) {
	switch method {
	case "roots/list":
		return c.answerRoots(ctx)
	case "sampling/createMessage":
		return c.answerSampling(ctx, rev, params)
	}
	return c.answerElicitation(ctx, rev, params)
}

// failure returns the error to send to the server for err, the error of a
// function in ClientOptions. That is err itself if it is an *Error. Any other
// error is logged, and the server does not get its text.
func (c *Client) failure(ctx context.Context, method string, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e
	}
	if ctx.Err() == nil {
		c.log.Warn("a question of the server failed", "method", method, "error", err)
	}
	return asError(err)
}

func (c *Client) answerRoots(ctx context.Context) ([]byte, *Error) {
	roots, err := c.opts.Roots(ctx)
	if err != nil {
		return nil, c.failure(ctx, "roots/list", err)
	}
	b := append(wire.Name(open(), "roots"), '[')
	for _, root := range roots {
		if err := checkRoot(root.URI); err != nil {
			return nil, c.failure(ctx, "roots/list", err)
		}
		b = append(wire.Comma(b), `{"uri":`...)
		b = append(wire.Optional(wire.String(b, root.URI), "name", root.Name), '}')
	}
	return append(b, ']', '}'), nil
}

// checkRoot returns an error for a URI that is not a file URI with an absolute
// path, or whose path contains "..".
func checkRoot(uri string) error {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || !strings.HasPrefix(u.Path, "/") {
		return fmt.Errorf("root %q: it must be a file URI, such as file:///home/me/project", clip(uri, 256))
	}
	if slices.Contains(strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
		return fmt.Errorf(`root %q: its path must not contain ".."`, clip(uri, 256))
	}
	return nil
}

// RootsChanged tells the server that ClientOptions.Roots now returns different roots. It sends
// nothing to servers of revision 2026-07-28, because they request the roots each time.
func (c *Client) RootsChanged(ctx context.Context) error {
	cc, err := c.current(ctx)
	if err != nil || c.opts.Roots == nil || !cc.agreement().rev.HasMethod("notifications/roots/list_changed") {
		return err
	}
	return c.tell(ctx, cc, "notifications/roots/list_changed", nil)
}

func (c *Client) answerSampling(ctx context.Context, rev revision.Revision, params []byte) ([]byte, *Error) {
	s, err := readSampling(params)
	if err == nil {
		err = s.check()
	}
	if err == nil && s.usesTools() && !(c.opts.SampleTools && rev.HasSamplingArrays()) {
		err = errors.New("this client has not declared the capability sampling.tools")
	}
	if err != nil {
		return nil, errorf(CodeInvalidParams, "Invalid params: %v", err)
	}
	got, err := c.opts.Sample(ctx, s)
	switch {
	case errors.Is(err, ErrDeclined):
		return nil, errorf(codeDeclined, "User rejected sampling request")
	case err != nil:
		return nil, c.failure(ctx, "sampling/createMessage", err)
	}
	b, err := got.append(open(), rev)
	if err != nil {
		return nil, c.failure(ctx, "sampling/createMessage", err)
	}
	return append(b, '}'), nil
}

// readSampling decodes the params that Sampling.appendParams encodes.
func readSampling(params []byte) (*Sampling, error) {
	var w struct {
		Messages []struct {
			Role    Role      `json:"role"`
			Content jsonValue `json:"content"`
		} `json:"messages"`
		SystemPrompt  string   `json:"systemPrompt"`
		MaxTokens     int64    `json:"maxTokens"`
		Temperature   *float64 `json:"temperature"`
		StopSequences []string `json:"stopSequences"`
		Preferences   *struct {
			Hints []struct {
				Name string `json:"name"`
			} `json:"hints"`
			Cost         float64 `json:"costPriority"`
			Speed        float64 `json:"speedPriority"`
			Intelligence float64 `json:"intelligencePriority"`
		} `json:"modelPreferences"`
		IncludeContext string      `json:"includeContext"`
		Tools          []jsonValue `json:"tools"`
		ToolChoice     struct {
			Mode string `json:"mode"`
		} `json:"toolChoice"`
		Metadata map[string]any `json:"metadata"`
	}
	if err := decodeOptional(params, &w); err != nil {
		return nil, errors.New("malformed sampling request")
	}
	s := &Sampling{
		SystemPrompt: w.SystemPrompt, MaxTokens: w.MaxTokens, Temperature: w.Temperature, StopSequences: w.StopSequences,
		IncludeContext: w.IncludeContext, ToolChoice: w.ToolChoice.Mode, Metadata: w.Metadata,
	}
	for i, m := range w.Messages {
		if len(m.Content) == 0 {
			return nil, fmt.Errorf("message %d has no content", i)
		}
		content, err := decodeContents(m.Content)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		s.Messages = append(s.Messages, SamplingMessage{Role: m.Role, Content: content})
	}
	if p := w.Preferences; p != nil {
		s.Preferences = &ModelPreferences{CostPriority: p.Cost, SpeedPriority: p.Speed, IntelligencePriority: p.Intelligence}
		for _, hint := range p.Hints {
			s.Preferences.Hints = append(s.Preferences.Hints, hint.Name)
		}
	}
	for i, raw := range w.Tools {
		t, err := readTool(raw)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i, err)
		}
		s.Tools = append(s.Tools, *t)
	}
	return s, nil
}

// append appends the members of the result to b. It returns an error for a
// result that is not valid in rev.
func (s *SamplingResult) append(b []byte, rev revision.Revision) ([]byte, error) {
	if s == nil || len(s.Content) == 0 {
		return nil, errors.New("the function Sample returned no content")
	}
	role := cmp.Or(s.Role, RoleAssistant)
	if !isRole(role) {
		return nil, fmt.Errorf("the function Sample returned the role %q", role)
	}
	for _, block := range s.Content {
		if err := checkBlock(block, rev); err != nil {
			return nil, fmt.Errorf("the content that the function Sample returned: %w", err)
		}
	}
	b = wire.Field(b, "role", string(role))
	b = wire.Name(b, "content")
	if len(s.Content) == 1 {
		b = s.Content[0].appendContent(b, rev)
	} else {
		if !rev.HasSamplingArrays() {
			return nil, errors.New("the function Sample returned several blocks of content, which the server's revision of the protocol does not support")
		}
		b = append(b, '[')
		for _, block := range s.Content {
			b = block.appendContent(wire.Comma(b), rev)
		}
		b = append(b, ']')
	}
	b = wire.Field(b, "model", s.Model)
	return wire.Optional(b, "stopReason", s.StopReason), nil
}

func (c *Client) answerElicitation(ctx context.Context, rev revision.Revision, params []byte) ([]byte, *Error) {
	var w struct {
		Mode    string    `json:"mode"`
		Message string    `json:"message"`
		Schema  jsonValue `json:"requestedSchema"`
		URL     string    `json:"url"`
		ID      string    `json:"elicitationId"`
	}
	if err := decodeOptional(params, &w); err != nil {
		return nil, errorf(CodeInvalidParams, "Invalid params: malformed elicitation request")
	}
	e := &Elicitation{Message: w.Message, ID: w.ID}
	var got ElicitationResult
	var err error
	switch {
	case w.Mode == "url" && c.opts.ElicitURL != nil && rev.HasURLElicitation():
		if e.URL = w.URL; !isVisitable(w.URL) {
			return nil, errorf(CodeInvalidParams, "Invalid params: url must be an absolute URL with https, or with http on a loopback address")
		}
		if rev.HasElicitationID() {
			c.visits.begin(e.ID) // register the ID before the user can complete the page
		}
		if got.Action, err = c.opts.ElicitURL(ctx, e); err != nil || got.Action != ActionAccept {
			c.visits.end(e.ID)
		}
	case (w.Mode == "" || w.Mode == "form") && c.opts.ElicitForm != nil:
		e.Schema = json.RawMessage(bytes.Clone(w.Schema))
		if _, err := e.form(); err != nil {
			return nil, errorf(CodeInvalidParams, "Invalid params: requestedSchema: %v", err)
		}
		if got, err = c.opts.ElicitForm(ctx, e); err == nil && got.Action == ActionAccept {
			if got.Content, err = e.complete(got.Content); err == nil {
				err = checkAnswers(got.Content)
			}
		}
	default:
		return nil, errorf(CodeInvalidParams, "Invalid params: this client has not declared the elicitation mode %q", clip(w.Mode, 32))
	}
	if err != nil {
		return nil, c.failure(ctx, "elicitation/create", err)
	}
	switch got.Action {
	case ActionAccept, ActionDecline, ActionCancel:
	default:
		return nil, c.failure(ctx, "elicitation/create", fmt.Errorf("the action must be accept, decline or cancel, not %q", got.Action))
	}
	b := wire.Field(open(), "action", string(got.Action))
	if got.Action == ActionAccept && e.URL == "" {
		b = wire.Raw(b, "content", compact(got.Content))
	}
	return append(b, '}'), nil
}

// form returns the compiled schema of the form.
func (e *Elicitation) form() (*jsonschema.Schema, error) {
	if !isObjectSchema(e.Schema) {
		return nil, errors.New(`it must be a JSON Schema with "type": "object"`)
	}
	return jsonschema.Compile(e.Schema, &jsonschema.Options{AssertFormat: true})
}

// complete returns content with the form's defaults for missing fields. It returns an error if the
// result does not satisfy the form's schema.
func (e *Elicitation) complete(content json.RawMessage) (json.RawMessage, error) {
	schema, err := e.form()
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		content = json.RawMessage("{}")
	}
	if !isObject(content) {
		return nil, errors.New("the content of a form must be a JSON object")
	}
	if full, changed := schema.AppendDefaults(nil, content); changed {
		content = full
	}
	if err := schema.Validate(content); err != nil {
		return nil, fmt.Errorf("the content does not satisfy the form's schema: %w", err)
	}
	return content, nil
}

// checkAnswers returns an error for content with values that no field of a form can have. Arrays of
// strings are allowed in every revision: they were introduced in 2025-11-25, but servers also use
// them in sessions of 2025-06-18.
func checkAnswers(content []byte) error {
	o := jsonrpc.ReadObject(content)
	for o.Next() {
		valid := false
		switch o.Value[0] {
		case '[':
			valid = true
			for value := range elements(o.Value).all {
				valid = valid && value[0] == '"'
			}
		case '{', 'n':
		default:
			valid = true
		}
		if !valid {
			return fmt.Errorf("the content has a value for %q that no field of a form can have", clip(string(o.Name), 64))
		}
	}
	return nil
}

// Validate returns an error if content, a JSON object, does not satisfy the form's schema after the
// defaults of missing fields have been filled in. A user interface can call it before it returns
// content.
func (e *Elicitation) Validate(content json.RawMessage) error {
	_, err := e.complete(content)
	return err
}

// isVisitable reports whether a server may ask the client to open a URL for the user.
func isVisitable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}
