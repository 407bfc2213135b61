package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"

	gojson "github.com/go-json-experiment/json"
)

// A Result is the result of a request. The result types of this library implement it. RawResult is
// for other methods.
type Result interface {
	// appendMembers appends the members of the result, except those that all results have.
	appendMembers(b []byte, rev revision.Revision) []byte
	resultMeta() Meta
}

// RawResult is a result as a JSON object. An empty RawResult is {}. If it is not an object, the
// server logs this and answers with an internal error. The server adds the members that the
// protocol requires in every result. In revision 2026-07-28, the RawResult's own resultType and
// members of _meta are kept. AddTool describes how a RawResult from a tool is treated.
type RawResult json.RawMessage

func (r RawResult) resultMeta() Meta {
	var members map[string]jsonValue
	if !bytes.Contains(r, []byte(`"_meta"`)) || decodeOptional(member(compact(r), "_meta"), &members) != nil {
		return nil
	}
	meta := Meta{}
	for key, value := range members {
		meta[key] = value
	}
	return meta
}

func (r RawResult) appendMembers(b []byte, rev revision.Revision) []byte {
	object := compact(r)
	if len(object) < 2 || object[0] != '{' {
		return b
	}
	o := jsonrpc.ReadObject(object)
	for o.Next() {
		if name := string(o.Name); name != "_meta" && (name != "resultType" || !rev.HasResultType()) {
			b = append(wire.String(wire.Comma(b), name), ':')
			b = append(b, o.Value...)
		}
	}
	return b
}

// resultType returns the member resultType, or "".
func (r RawResult) resultType() string {
	if !bytes.Contains(r, []byte(`"resultType"`)) {
		return ""
	}
	kind, _ := jsonrpc.String(member(compact(r), "resultType"))
	return kind
}

// emptyResult is the result {}.
type emptyResult struct{}

func (emptyResult) resultMeta() Meta                                   { return nil }
func (emptyResult) appendMembers(b []byte, _ revision.Revision) []byte { return b }

// encodedResult contains the members of a result, encoded in advance for one revision.
type encodedResult []byte

func (encodedResult) resultMeta() Meta { return nil }
func (r encodedResult) appendMembers(b []byte, _ revision.Revision) []byte {
	return append(b, r...)
}

// CallToolResult is the result of a tool for handlers that need all fields. Most handlers return
// another type; see AddTool.
type CallToolResult struct {
	// Content is for the model.
	Content []Content
	// Structured is data for programs. It can be any value that can be encoded as JSON. Clients of
	// revisions 2025-06-18 and 2025-11-25 get it only if it is an object; clients of older
	// revisions do not get it. The client also gets it as text if Content is nil or, in revision
	// 2026-07-28, if it is not an object. For middleware and for callers of Client.CallTool, it is
	// a json.RawMessage.
	Structured any
	// IsError is true for a failure that the model should know about and react to.
	IsError bool
	Meta    Meta

	// structured is the encoding of Structured. It is nil until Structured has been encoded.
	structured []byte
}

// isEncoded reports whether structured is the encoding of Structured.
func (r *CallToolResult) isEncoded() bool {
	raw, ok := r.Structured.(json.RawMessage)
	switch {
	case r.Structured == nil || r.structured == nil:
		return r.Structured == nil && r.structured == nil
	case !ok || len(raw) != len(r.structured):
		return false
	}
	return &raw[0] == &r.structured[0]
}

// encode stores the encoding of Structured in structured and in Structured. It returns an error if
// Structured cannot be encoded.
func (r *CallToolResult) encode(opts gojson.Options) error {
	r.structured = nil
	if r.Structured == nil {
		return nil
	}
	data, err := gojson.Marshal(r.Structured, opts)
	if err != nil {
		return fmt.Errorf("structured content cannot be encoded: %w", err)
	}
	r.Structured, r.structured = json.RawMessage(data), data
	return nil
}

func (r *CallToolResult) resultMeta() Meta { return r.Meta }

func (r *CallToolResult) appendMembers(b []byte, rev revision.Revision) []byte {
	b = append(wire.Name(b, "content"), '[')
	for _, c := range r.Content {
		b = c.appendContent(wire.Comma(b), rev)
	}
	if r.needsCopy(rev) {
		b = append(wire.Comma(b), `{"type":"text","text":`...)
		b = wire.String(b, r.structured)
		b = append(b, '}')
	}
	b = append(b, ']')
	if r.structured != nil && rev.HasStructured() && (rev.HasAnyStructured() || r.structured[0] == '{') {
		b = wire.Raw(b, "structuredContent", r.structured)
	}
	if r.IsError {
		b = wire.Bool(b, "isError", true)
	}
	return b
}

// needsCopy reports whether the structured content is also sent as text (specification 2026-07-28:
// Tools, Structured Content). This is the case if there is no other content, or if the structured
// content is not an object, because older clients may require one.
func (r *CallToolResult) needsCopy(rev revision.Revision) bool {
	switch {
	case r.structured == nil || r.Content == nil:
		return r.structured != nil
	case r.structured[0] == '{' || !rev.HasAnyStructured():
		return false
	}
	for _, c := range r.Content {
		if t, ok := c.(*TextContent); ok && t.Text == string(r.structured) {
			return false
		}
	}
	return true
}

// MarshalJSON encodes the result as the newest revision of the protocol defines it.
func (r *CallToolResult) MarshalJSON() ([]byte, error) { return marshalResult(r) }

// MarshalJSON encodes the result as the newest revision of the protocol defines it.
func (p *PromptResult) MarshalJSON() ([]byte, error) { return marshalResult(p) }

// MarshalJSON encodes the result as the newest revision of the protocol defines it.
func (res *ResourceResult) MarshalJSON() ([]byte, error) { return marshalResult(res) }

// marshalResult encodes a result without the members that all results have.
func marshalResult(res Result) ([]byte, error) {
	res, err := encoded(res)
	if err != nil {
		return nil, err
	}
	b := res.appendMembers(open(), revision.Latest)
	return append(appendMeta(b, res.resultMeta()), '}'), nil
}

// ResultJSON returns the JSON object that the client would get for res. Middleware can use it to
// inspect any result. To change a result, middleware modifies the JSON and returns it as a
// RawResult.
func (m Message) ResultJSON(res Result) (json.RawMessage, error) {
	res, err := encoded(res)
	if err != nil {
		return nil, err
	}
	return m.server.appendResult(nil, m.Request, res), nil
}

// encoded returns res. If middleware has changed its structured content, encoded encodes it again.
// It returns an error if res is not a valid result.
func encoded(res Result) (Result, error) {
	missing := false
	switch res := res.(type) {
	case nil:
		return nil, errors.New("the handler returned neither a result nor an error")
	case *CallToolResult:
		if missing = res == nil; !missing && !res.isEncoded() {
			changed := *res
			return &changed, changed.encode(numberJSON)
		}
	case *PromptResult:
		missing = res == nil
	case *ResourceResult:
		missing = res == nil
	case *CompletionResult:
		missing = res == nil
	case RawResult:
		if len(res) > 0 && !isObject(res) {
			return nil, errors.New("the RawResult that the handler returned is not a JSON object")
		}
	}
	if missing {
		return nil, fmt.Errorf("the handler returned a nil %T and no error", res)
	}
	return res, nil
}

// isObject reports whether raw is exactly one JSON object.
func isObject(raw []byte) bool {
	object := compact(raw)
	return len(object) > 0 && object[0] == '{'
}

// appendResponse appends the response to r, with the result res.
func (s *Server) appendResponse(b []byte, r *Request, res Result) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, r.id...)
	b = append(b, `,"result":`...)
	return append(s.appendResult(b, r, res), '}')
}

// appendResult appends res and the members that the protocol requires in the result of r.
func (s *Server) appendResult(b []byte, r *Request, res Result) []byte {
	b = res.appendMembers(append(b, '{'), r.rev)
	meta := res.resultMeta()
	if r.rev.HasResultType() {
		kind := "complete"
		switch res := res.(type) {
		case inputRequired:
			kind = "input_required"
		case taskCreated:
			kind = "task"
		case RawResult:
			kind = cmp.Or(res.resultType(), kind)
		}
		b = wire.Field(b, "resultType", kind)
		if _, set := meta[metaServerInfo]; set {
			b = append(wire.Name(b, "_meta"), '{')
		} else {
			b = append(append(b, ','), s.modernMeta...)
		}
		if len(meta) > 0 {
			b = appendMetaMembers(b, meta)
		}
		b = append(b, '}')
	} else {
		b = appendMeta(b, meta)
	}
	return append(b, '}')
}

// appendError appends an error response. If the ID is unknown, rev determines whether the response
// has a null id or no id.
func appendError(b []byte, id []byte, rev revision.Revision, e *Error) []byte {
	b = append(b, `{"jsonrpc":"2.0"`...)
	switch {
	case len(id) > 0:
		b = wire.Raw(b, "id", id)
	case !rev.HasErrorWithoutID():
		b = append(b, `,"id":null`...)
	}
	return append(e.append(append(b, `,"error":`...)), '}')
}
