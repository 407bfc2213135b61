package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"

	gojson "github.com/go-json-experiment/json"
)

// Tool describes a tool to clients and models.
type Tool struct {
	// Name must have 1 to 128 characters from A-Z, a-z, 0-9, '_', '-' and '.'.
	Name string
	// Title is shown to people. Description tells a model what the tool does.
	Title       string
	Description string
	// InputSchema is the JSON Schema that arguments must satisfy. The dialect is 2020-12, unless
	// "$schema" specifies 2019-09 or draft-07. Its root must be an object. If it is nil, AddTool
	// derives it from In. Unknown keywords, including misspelt ones, are ignored.
	InputSchema json.RawMessage
	// OutputSchema is the schema of the structured result. If it is nil, AddTool derives it from
	// Out. Peers of revisions 2025-06-18 and 2025-11-25 get it only if its root is an object. Peers
	// of older revisions do not get it.
	OutputSchema json.RawMessage
	// Repair, if set, is called with arguments that do not satisfy InputSchema, for example because
	// the model has misspelled names or written numbers as strings. It returns corrected arguments,
	// which are validated again, or nil. The arguments are a JSON object, which Repair must not
	// modify.
	Repair      func(arguments json.RawMessage) json.RawMessage
	Annotations *ToolAnnotations
	// TaskSupport specifies whether calls can be tasks. They are tasks from the start, unless
	// TaskByHandler is set. In that case, the handler calls Request.BecomeTask to turn a call into
	// a task.
	TaskSupport   TaskSupport
	TaskByHandler bool
	Icons         []Icon
	Meta          Meta
}

// A ToolHandler is called with the arguments of a call. AddTool describes the types that In and Out
// may have, and how the result and the error are sent.
type ToolHandler[In, Out any] func(ctx context.Context, req *Request, in In) (Out, error)

// ToolAnnotations are hints about the effects of a tool. They are sent to peers
// of revision 2025-03-26 and later.
type ToolAnnotations struct {
	// ReadOnly means that the tool changes nothing.
	ReadOnly bool
	// Destructive means that the tool may change or delete existing data. Nil means the protocol's
	// default, true. Destructive is ignored if ReadOnly is set.
	Destructive *bool
	// Idempotent means that repeating a call with the same arguments has no further effect. It is
	// ignored if ReadOnly is set.
	Idempotent bool
	// OpenWorld means that the tool interacts with things outside a closed domain, such as the web.
	// Nil means the protocol's default, true.
	OpenWorld *bool
}

// tool is a registered tool.
type tool struct {
	Tool
	input  *jsonschema.Schema // compiled schema of the arguments
	output *jsonschema.Schema // compiled schema of the structured content, or nil
	// outJSON contains the options for encoding the handler's result.
	outJSON gojson.Options
	call    func(ctx context.Context, r *Request, args []byte) (*CallToolResult, error)
	// offReader is the number of future calls that must not run on the goroutine that reads a pipe,
	// because an earlier call was slow; see pipe.
	offReader atomic.Int32
	answers   answerSize
	// headers contains the arguments that HTTP clients also send in headers.
	headers []headerParam
}

func toolName(t *tool) string { return t.Name }

// A ContentProvider is a tool's result that is structured content for programs and provides
// different content for the model instead of its JSON.
type ContentProvider interface {
	// ToolContent returns the content for the model.
	ToolContent() []Content
}

// AddTool adds a tool. Its handler receives arguments that satisfy the tool's
// input schema, decoded as by encoding/json, with defaults filled in.
//
// In is a struct (struct{} for a tool without arguments) or a map. AddTool derives the input
// schema from it, as described under Schemas in the package documentation, unless t has a schema.
// In may also be json.RawMessage if t has a schema. An optional argument that is null counts as
// absent, unless the schema allows null. If arguments do not satisfy the schema, the client gets a
// result that describes the error for the model; clients of revisions before 2025-11-25 get an
// error response.
//
// The result depends on Out:
//
//   - A string, a Content or a []Content is shown to the model.
//   - A *CallToolResult is the whole result; nil is an empty one.
//   - A RawResult is a result from another server, as JSON, for gateways. It is
//     converted to the client's revision.
//   - A value of an interface type, such as any, counts as its dynamic type.
//   - Any other value is structured content. AddTool derives the output schema
//     from its type, unless t has one. The model sees it as JSON text, or as
//     the content of its ContentProvider. Nil slices and maps are sent as [] and {}.
//
// If a result does not satisfy the output schema, cannot be encoded, or has
// content that is nil or lacks its URI or MIME type, the client gets an internal
// error, and ServerOptions.Logger receives the reason.
//
// An error that the handler returns becomes a result for the model with the
// error's text; an *Error becomes the response's error. A panic is answered with
// an internal error and logged.
//
// AddTool fails if the name is taken and options do not include Replace (ErrNameTaken), if the
// name is not valid, if a schema is not valid or cannot be derived, or if In or Out
// is of a type that is not listed above. The error names the tool and describes what to change. Tools may
// be added while the server is serving.
func AddTool[In, Out any](s *Server, t Tool, handler ToolHandler[In, Out], options ...AddOption) error {
	added, err := newTool(t, reflect.TypeFor[In](), reflect.TypeFor[Out]())
	if err != nil {
		return fmt.Errorf("tool %q: %w", t.Name, err)
	}
	return addTool(s, added, handler, options)
}

// AddForeignTool adds a tool from another server, for gateways. Its name may be any text of 1 to
// 1024 bytes. Its schemas, which must be JSON objects, are passed on unchanged, and neither
// arguments nor results are checked against them. The handler returns a RawResult, which is
// converted to the client's revision, or a *CallToolResult. AddForeignTool returns an error if t is
// not valid, or if the name is already in use and options do not include Replace.
func (s *Server) AddForeignTool(t Tool, handler ToolHandler[json.RawMessage, Result], options ...AddOption) error {
	added, err := newForeignTool(t)
	if err == nil && handler == nil {
		err = errors.New("the handler is nil")
	}
	if err != nil {
		return fmt.Errorf("tool %q: %w", t.Name, err)
	}
	return addTool(s, added, func(ctx context.Context, r *Request, arguments json.RawMessage) (any, error) {
		res, err := handler(ctx, r, arguments)
		if res == nil {
			return (*CallToolResult)(nil), err
		}
		return res, err
	}, options)
}

func addTool[In, Out any](s *Server, added *tool, handler ToolHandler[In, Out], options []AddOption) error {
	if handler == nil {
		return fmt.Errorf("tool %q: the handler is nil", added.Name)
	}
	in := decodingOf(reflect.TypeFor[In]())
	added.call = func(ctx context.Context, r *Request, args []byte) (*CallToolResult, error) {
		arguments, err := decodeArguments[In](args, in)
		if err != nil {
			return r.badArguments(added, err)
		}
		out, err := handler(ctx, r, *arguments)
		if err != nil {
			return failure(err)
		}
		return added.result(out)
	}
	if err := s.tools.add(added, "name", options); err != nil {
		return fmt.Errorf("tool %q: %w", added.Name, err)
	}
	if added.TaskSupport != TaskSupportForbidden {
		s.hasTasks.Store(true)
	}
	s.listChanged("tools")
	return nil
}

// AddFunc is like AddTool, for a function that does not need the Request. RequestFrom can
// get the Request from the context.
func AddFunc[In, Out any](s *Server, t Tool, f func(ctx context.Context, in In) (Out, error), options ...AddOption) error {
	if f == nil {
		return AddTool[In, Out](s, t, nil, options...)
	}
	return AddTool(s, t, func(ctx context.Context, _ *Request, in In) (Out, error) { return f(ctx, in) }, options...)
}

// Must panics if err is not nil. Use it for tools, prompts and resources that a program adds when
// it starts. An error is then a mistake in the program:
//
//	mcp.Must(mcp.AddFunc(s, tool, f))
func Must(err error) {
	if err != nil {
		panic("mcp: " + strings.TrimPrefix(err.Error(), "mcp: "))
	}
}

// RemoveTools removes tools. It ignores unknown names. Calls in flight continue.
func (s *Server) RemoveTools(names ...string) {
	if s.tools.remove(names) {
		s.listChanged("tools")
	}
}

func newTool(t Tool, in, out reflect.Type) (*tool, error) {
	if err := checkToolName(t.Name); err != nil {
		return nil, err
	}
	if err := checkMeta(t.Meta); err != nil {
		return nil, err
	}
	if err := checkIcons(t.Icons); err != nil {
		return nil, err
	}
	if err := checkTask(t.TaskSupport, t.TaskByHandler); err != nil {
		return nil, err
	}
	if err := checkOutputType(out, t.OutputSchema != nil); err != nil {
		return nil, err
	}
	added := &tool{Tool: t, outJSON: jsonOptions(out)}
	var err error
	switch derive := added.InputSchema == nil; {
	case derive && in == rawType:
		return nil, errors.New("InputSchema is required, because the input type is json.RawMessage")
	case !takesObject(in, derive):
		return nil, fmt.Errorf("arguments are a JSON object, so the input type must be a struct or a map, not %v; a tool without arguments takes struct{}", in)
	case derive:
		if added.InputSchema, added.input, err = deriveSchema(in, false); err != nil {
			return nil, fmt.Errorf("input type: %w", err)
		}
		if !isObjectSchema(added.InputSchema) {
			return nil, fmt.Errorf("arguments are a JSON object, but the input type %v has methods that decode something else; use a struct that has it as a field", in)
		}
	default:
		if added.InputSchema, added.input, err = compileSchema("input", added.InputSchema); err != nil {
			return nil, err
		}
	}
	if !isObjectSchema(added.InputSchema) {
		return nil, errors.New(`input schema: "type" must be "object" at the root`)
	}
	if added.headers, err = headerParams(added.InputSchema); err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	switch {
	case added.OutputSchema == nil && structuredType(out):
		if added.OutputSchema, added.output, err = deriveSchema(out, true); err != nil {
			return nil, fmt.Errorf("output type: %w", err)
		}
	case added.OutputSchema != nil:
		if added.OutputSchema, added.output, err = compileSchema("output", added.OutputSchema); err != nil {
			return nil, err
		}
	}
	return added, nil
}

// maxForeignName is the maximum length in bytes of the name of a foreign tool.
const maxForeignName = 1024

// newForeignTool returns a foreign tool. It checks only the fields that must be
// valid to be sent.
func newForeignTool(t Tool) (*tool, error) {
	switch {
	case len(t.Name) == 0 || len(t.Name) > maxForeignName || !utf8.ValidString(t.Name):
		return nil, fmt.Errorf("the name of a foreign tool must have 1 to %d bytes of UTF-8", maxForeignName)
	case !isObject(t.InputSchema) || t.OutputSchema != nil && !isObject(t.OutputSchema):
		return nil, errors.New("the schemas of a foreign tool must be JSON objects")
	}
	if err := checkTask(t.TaskSupport, t.TaskByHandler); err != nil {
		return nil, err
	}
	anyObject, err := jsonschema.Compile([]byte(`{"type":"object"}`), nil)
	if err != nil {
		return nil, err
	}
	t.InputSchema, t.OutputSchema = compact(t.InputSchema), compact(t.OutputSchema)
	headers, err := headerParams(t.InputSchema)
	if err != nil {
		headers = nil // HTTP clients ignore a tool with an invalid x-mcp-header
	}
	return &tool{Tool: t, input: anyObject, outJSON: jsonOptions(rawResultType), headers: headers}, nil
}

// takesObject reports whether a JSON object can be decoded into a value of type t. If derive is
// true, t must be a struct or a map, because a schema is derived from it.
func takesObject(t reflect.Type, derive bool) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return true
	case reflect.Interface:
		return !derive
	case reflect.Pointer:
		return !derive && takesObject(t.Elem(), derive)
	}
	return !derive && (t == rawType || reflect.PointerTo(t).Implements(unmarshalerType))
}

// derived caches schemas by type, because tools often share types.
var derived sync.Map // maps derivedFrom to *jsonschema.Derived

type derivedFrom struct {
	t      reflect.Type
	output bool
}

// deriveSchema returns the schema of a type, as text and compiled.
func deriveSchema(t reflect.Type, output bool) ([]byte, *jsonschema.Schema, error) {
	from := derivedFrom{t, output}
	if cached, ok := derived.Load(from); ok {
		d := cached.(*jsonschema.Derived)
		return d.Text, d.Schema, nil
	}
	d, err := jsonschema.Derive(t, jsonschema.ForOptions{Output: output})
	if err != nil {
		return nil, nil, err
	}
	d.Text = withoutBooleans(d.Text)
	if d.Fixed { // the method of a Provider may return a different schema next time
		derived.Store(from, d)
	}
	return d.Text, d.Schema, nil
}

func compileSchema(which string, schema []byte) ([]byte, *jsonschema.Schema, error) {
	tidy := compact(schema)
	if tidy == nil {
		return nil, nil, fmt.Errorf("%s schema: it is not JSON", which)
	}
	compiled, err := jsonschema.Compile(tidy, &jsonschema.Options{Strict: true})
	if err != nil {
		return nil, nil, fmt.Errorf("%s schema: %w", which, err)
	}
	return withoutBooleans(tidy), compiled, nil
}

// withoutBooleans returns schema with the schemas true and false replaced by equivalent objects at
// the root and in properties, where the protocol's schema requires objects.
func withoutBooleans(schema []byte) []byte {
	switch string(schema) {
	case "true":
		return []byte(`{}`)
	case "false":
		return []byte(`{"not":{}}`)
	}
	rewrite := func(object []byte, value func(name string, value []byte) []byte) []byte {
		b := []byte{'{'}
		o := jsonrpc.ReadObject(object)
		for o.Next() {
			b = append(wire.String(wire.Comma(b), o.Name), ':')
			b = append(b, value(string(o.Name), o.Value)...)
		}
		return append(b, '}')
	}
	return rewrite(schema, func(name string, value []byte) []byte {
		if name != "properties" || value[0] != '{' {
			return value
		}
		return rewrite(value, func(_ string, property []byte) []byte { return withoutBooleans(property) })
	})
}

func checkToolName(name string) error {
	if len(name) == 0 || len(name) > 128 {
		return errors.New("a tool's name must have 1 to 128 characters")
	}
	for _, c := range []byte(name) {
		if c|0x20-'a' >= 26 && c-'0' >= 10 && c != '_' && c != '-' && c != '.' {
			return fmt.Errorf("a tool's name must contain only A-Z, a-z, 0-9, '_', '-' and '.', not %q", c)
		}
	}
	return nil
}

// isObjectSchema reports whether the schema's root has the type "object".
func isObjectSchema(schema []byte) bool {
	o := jsonrpc.ReadObject(schema)
	for o.Next() {
		if string(o.Name) == "type" {
			return string(o.Value) == `"object"`
		}
	}
	return false
}

func checkTask(support TaskSupport, byHandler bool) error {
	switch support {
	case TaskSupportForbidden:
		if byHandler {
			return errors.New("field TaskByHandler has no effect without TaskSupport; set it to TaskSupportOptional or TaskSupportRequired")
		}
	case TaskSupportOptional, TaskSupportRequired:
	default:
		return fmt.Errorf("field TaskSupport must be TaskSupportForbidden, TaskSupportOptional or TaskSupportRequired, not %q", support)
	}
	return nil
}

var (
	resultType    = reflect.TypeFor[*CallToolResult]()
	rawResultType = reflect.TypeFor[RawResult]()
	anyResultType = reflect.TypeFor[Result]()
	contentType   = reflect.TypeFor[Content]()
	contentsType  = reflect.TypeFor[[]Content]()
	errorType     = reflect.TypeFor[error]()

	rawType         = reflect.TypeFor[json.RawMessage]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
)

// structuredType reports whether results of type t are structured content with
// a derived schema.
func structuredType(t reflect.Type) bool {
	return !isResultType(t) && !isText(t) && t.Kind() != reflect.Interface
}

// isResultType reports whether values of type t are complete results.
func isResultType(t reflect.Type) bool { return t == resultType || t == rawResultType }

// isText reports whether results of type t consist only of content for the model.
func isText(t reflect.Type) bool {
	return t == contentsType || t.Implements(contentType) || t.Kind() == reflect.String
}

// checkOutputType returns an error if t would become structured content by mistake, or if there is
// an output schema but no structured content.
func checkOutputType(t reflect.Type, hasSchema bool) error {
	elem := t
	if t.Kind() == reflect.Slice {
		elem = t.Elem()
	}
	isContent := elem.Implements(contentType) || reflect.PointerTo(elem).Implements(contentType)
	switch {
	case t == contentsType, t.Implements(contentType), isResultType(t):
	case isContent && elem != t:
		return fmt.Errorf("the output type must be []mcp.Content, not %v", t)
	case isContent, t == resultType.Elem():
		return fmt.Errorf("the output type must be *%v, not %[1]v", t)
	case t.Implements(anyResultType), reflect.PointerTo(t).Implements(anyResultType):
		return fmt.Errorf("the output type %v is the result of another method; return a *mcp.CallToolResult", t)
	case t.Implements(errorType):
		return fmt.Errorf("the output type %v is an error; return errors as the second value", t)
	}
	if hasSchema && isText(t) && (t.Kind() != reflect.String || t == reflect.TypeFor[string]()) {
		return fmt.Errorf("OutputSchema is for structured content, which the output type %v is not; remove the schema, or return a *mcp.CallToolResult", t)
	}
	return nil
}

// result converts the handler's return value to a CallToolResult.
func (t *tool) result(out any) (*CallToolResult, error) {
	var res *CallToolResult
	opts := numberJSON
	switch out := out.(type) {
	case *CallToolResult:
		res = new(CallToolResult) // copied, because the handler may use out later
		if out != nil {
			*res = *out
		}
	case RawResult:
		var err error
		if res, err = decodeToolResult(out); err != nil {
			return nil, fmt.Errorf("tool %q: %w", t.Name, err)
		}
	case Result:
		return nil, fmt.Errorf("tool %q returned the result of another method, %T", t.Name, out)
	case string:
		return textResult(out), nil
	case Content:
		res = &CallToolResult{Content: []Content{out}}
	case []Content:
		res = &CallToolResult{Content: out}
	case ContentProvider:
		res, opts = &CallToolResult{Content: out.ToolContent(), Structured: out}, t.outJSON
	default:
		if v := reflect.ValueOf(out); v.Kind() == reflect.String && t.output == nil {
			return textResult(v.String()), nil
		}
		res, opts = &CallToolResult{Structured: out}, t.outJSON
	}
	for i, c := range res.Content {
		if err := checkContent(c); err != nil {
			return nil, fmt.Errorf("tool %q: content block %d: %w", t.Name, i, err)
		}
	}
	if err := res.encode(opts); err != nil {
		return nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	switch {
	case t.output == nil || res.IsError:
		return res, nil
	case res.structured == nil:
		return nil, fmt.Errorf("tool %q has an output schema but returned no structured content", t.Name)
	}
	if err := t.output.Validate(res.structured); err != nil {
		return nil, fmt.Errorf("tool %q: the result does not satisfy the output schema%s", t.Name, placesOf(err))
	}
	return res, nil
}

// textResult returns a result with one text block, with only one allocation.
func textResult(text string) *CallToolResult {
	r := new(struct {
		CallToolResult
		contents [1]Content
		text     TextContent
	})
	r.text.Text = text
	r.contents[0] = &r.text
	r.Content = r.contents[:]
	return &r.CallToolResult
}

// placesOf returns the locations at which a value violates a schema, as text. The text does not
// contain the value, which must not be logged.
func placesOf(err error) string {
	failed, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return ": " + err.Error()
	}
	var places []string
	for _, f := range failed.Failures {
		places = append(places, strings.TrimSuffix(f.Schema, "/")+"/"+f.Keyword)
	}
	return " at " + strings.Join(places, ", ")
}

// failure converts a handler's error. It returns an *Error as an error, and any other error as a
// result for the model.
func failure(err error) (*CallToolResult, error) {
	if _, ok := errors.AsType[*Error](err); ok || errors.Is(err, ErrInputRequired) {
		return nil, err
	}
	return &CallToolResult{Content: []Content{Text(err.Error())}, IsError: true}, nil
}

// callTool answers tools/call (specification: Tools, Calling Tools).
func (s *Server) callTool(ctx context.Context, r *Request) (Result, error) {
	t := r.tool
	if t == nil {
		name, ok := jsonrpc.String(r.params.name)
		if !ok {
			return nil, errorf(CodeInvalidParams, "Invalid params of tools/call: name must be a string")
		}
		return nil, errorf(CodeInvalidParams, "Unknown tool: %s", clip(name, 128))
	}
	args := r.params.arguments
	switch {
	case args == nil:
		args = []byte("{}")
	case args[0] != '{':
		return nil, errorf(CodeInvalidParams, "Invalid params of tools/call: arguments must be an object")
	}
	valid, err := s.validArguments(t, args)
	if err != nil {
		if repaired := t.repair(args); repaired != nil {
			valid, err = s.validArguments(t, repaired)
		}
		if err != nil {
			return r.badArguments(t, err)
		}
	}
	args = valid
	if t.input.HasDefaults() {
		if full, changed := t.input.AppendDefaults(nil, args); changed {
			args = full
		}
	}
	asTask, ttl, err := r.acceptTask(t)
	switch {
	case err != nil:
		return nil, err
	case asTask:
		return s.callAsTask(ctx, r, t, args, ttl)
	}
	res, err := t.call(ctx, r, args)
	if err != nil {
		return nil, err
	}
	return res, nil
}

// validArguments returns args, with null values of optional members removed if necessary to satisfy
// the tool's schema. It returns an error if the schema is not satisfied.
func (s *Server) validArguments(t *tool, args []byte) ([]byte, error) {
	err := t.input.Validate(args)
	if err == nil || s.opts.RefuseNull {
		return args, err
	}
	without, changed := t.input.WithoutNulls(args)
	if !changed {
		return nil, err
	}
	return without, t.input.Validate(without)
}

// repair calls Repair. It returns nil if Repair is not set or does not return a JSON object.
func (t *tool) repair(args []byte) []byte {
	if t.Repair == nil {
		return nil
	}
	repaired := bytes.TrimSpace(t.Repair(args))
	if len(repaired) == 0 || repaired[0] != '{' || !json.Valid(repaired) {
		return nil
	}
	return repaired
}

// badArguments reports invalid arguments to the client. In revisions that allow it, this is a
// result for the model.
func (r *Request) badArguments(t *tool, err error) (*CallToolResult, error) {
	message := fmt.Sprintf("Invalid arguments for tool %q: %v", t.Name, err)
	if !r.rev.BadArgumentsAreResults() {
		return nil, &Error{Code: CodeInvalidParams, Message: message}
	}
	return &CallToolResult{Content: []Content{Text(message)}, IsError: true}, nil
}

func (t *tool) append(b []byte, rev revision.Revision) []byte {
	b = append(b, '{')
	b = wire.Field(b, "name", t.Name)
	if rev.HasTitle() {
		b = wire.Optional(b, "title", t.Title)
	}
	b = wire.Optional(b, "description", t.Description)
	b = wire.Raw(b, "inputSchema", t.InputSchema)
	if rev.HasAnyStructured() || rev.HasStructured() && isObjectSchema(t.OutputSchema) {
		b = wire.Raw(b, "outputSchema", t.OutputSchema)
	}
	if rev.HasToolAnnotations() {
		b = t.appendAnnotations(b)
	}
	b = appendIcons(b, t.Icons, rev)
	if t.TaskSupport != TaskSupportForbidden && rev.HasCoreTasks() {
		b = append(wire.Name(b, "execution"), `{"taskSupport":`...)
		b = append(wire.String(b, string(t.TaskSupport)), '}')
	}
	if rev.HasTitle() {
		b = appendMeta(b, t.Meta)
	}
	return append(b, '}')
}

func (t *tool) appendAnnotations(b []byte) []byte {
	a := t.Annotations
	if a == nil {
		return b
	}
	b = append(wire.Name(b, "annotations"), '{')
	b = wire.Optional(b, "title", t.Title)
	if a.ReadOnly {
		b = wire.Bool(b, "readOnlyHint", true)
	}
	if a.Destructive != nil {
		b = wire.Bool(b, "destructiveHint", *a.Destructive)
	}
	if a.Idempotent {
		b = wire.Bool(b, "idempotentHint", true)
	}
	if a.OpenWorld != nil {
		b = wire.Bool(b, "openWorldHint", *a.OpenWorld)
	}
	return append(b, '}')
}
