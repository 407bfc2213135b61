// Package jsonrpc parses JSON-RPC 2.0 messages in the form that MCP uses. One pass checks the whole
// text and splits the envelope; params, result and error stay raw JSON.
package jsonrpc

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// Error codes that JSON-RPC 2.0 defines.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// An ID is the JSON text of a request's id, which is a string or an integer. It
// is sent back unchanged. An empty ID means that the message has none.
type ID []byte

// Equal reports whether two ids are the same string or integer. Strings may be escaped differently.
func (id ID) Equal(other ID) bool {
	if bytes.Equal(id, other) {
		return true
	}
	a, aok := String(id)
	b, bok := String(other)
	return aok && bok && a == b
}

// ValidID reports whether value, a well-formed JSON value, is a string or an integer, as a request
// id in MCP must be (specification: Base Protocol, Requests).
func ValidID(value []byte) bool {
	if len(value) == 0 {
		return false
	}
	switch c := value[0]; {
	case c == '"':
		return true
	case c == '-' || c-'0' < 10:
		return !bytes.ContainsAny(value, ".eE")
	}
	return false
}

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages.
const (
	Invalid Kind = iota
	Request
	Notification
	Response
)

// A Message is a parsed message. Its fields point into the parsed text.
type Message struct {
	Kind   Kind
	ID     ID
	Method string
	Params []byte // nil if absent or null
	Result []byte
	Error  []byte
}

// A ParseError is the reason why text is not a message. It contains the code for the error
// response, and the id if it could be parsed.
type ParseError struct {
	Code    int
	Message string
	ID      ID
	// Method is the message's method if it could be parsed. An invalid notification has no
	// response.
	Method string
	// Response is true if the text is an invalid response, which must not be answered either. ID is
	// then the id of the request that it answers.
	Response bool
}

func (e *ParseError) Error() string { return e.Message }

// Reason returns the message without the prefix that identifies the error.
func (e *ParseError) Reason() string {
	return strings.TrimPrefix(strings.TrimPrefix(e.Message, "Parse error: "), "Invalid request: ")
}

// methods maps the names of known methods to strings, to avoid allocations.
var methods = func() map[string]string {
	m := map[string]string{}
	for name := range strings.FieldsSeq(`initialize server/discover ping
		tools/list tools/call prompts/list prompts/get
		resources/list resources/templates/list resources/read resources/subscribe resources/unsubscribe
		completion/complete logging/setLevel subscriptions/listen
		tasks/get tasks/result tasks/list tasks/cancel tasks/update
		notifications/initialized notifications/cancelled notifications/progress
		notifications/roots/list_changed notifications/tasks/status`) {
		m[name] = name
	}
	return m
}()

func intern(name []byte) string {
	if string(name) == "tools/call" { // the most common method
		return "tools/call"
	}
	if s, ok := methods[string(name)]; ok {
		return s
	}
	return string(name)
}

// Parse parses one message from data into m, which it overwrites. The error is
// a *ParseError. In a response, a null method, a null error next to a result, and a null result
// next to an error are treated as absent.
func Parse(data []byte, m *Message) error {
	*m = Message{}
	if i := skipSpace(data, 0); i < len(data) && data[i] != '{' {
		return notObject(data, i)
	}
	var version, id, method, params, result, failure []byte
	twice := "" // name of the first duplicate member
	o := ReadObject(data)
	for o.Next() {
		var field *[]byte
		switch string(o.Name) {
		case "jsonrpc":
			field = &version
		case "id":
			field = &id
		case "method":
			field = &method
		case "params":
			field = &params
		case "result":
			field = &result
		case "error":
			field = &failure
		default:
			continue
		}
		if *field != nil && twice == "" {
			twice = string(o.Name)
		}
		*field = o.Value
	}
	if o.Err != nil {
		e := &ParseError{Code: CodeParseError, Message: "Parse error: " + o.Err.Error()}
		if errors.Is(o.Err, errDepth) {
			e.ID = ResponseID(data)
			e.Response = e.ID != nil
		}
		return e
	}
	if string(method) == "null" && (result != nil || failure != nil) {
		method = nil
	}
	response := method == nil && (result != nil || failure != nil)
	refuse := func(why string) *ParseError {
		e := &ParseError{Code: CodeInvalidRequest, Message: "Invalid request: " + why, Response: response}
		if ValidID(id) {
			e.ID = id
		}
		if len(method) > 0 && method[0] == '"' {
			e.Method, _ = String(method)
		}
		return e
	}
	if twice != "" {
		e := refuse(strconv.Quote(twice) + " occurs twice")
		if !response || twice == "id" {
			e.ID, e.Method = nil, "" // any of the duplicate members may be the correct one
		}
		return e
	}
	if string(version) != `"2.0"` {
		return refuse(`"jsonrpc" must be "2.0"`)
	}
	if id != nil {
		if !ValidID(id) && !(method == nil && string(id) == "null") {
			return refuse("id must be a string or an integer")
		}
		m.ID = id
	}
	if method == nil {
		switch {
		case !response:
			return refuse(`"method" is missing`)
		case result != nil && string(failure) == "null":
			failure = nil
		case failure != nil && string(result) == "null":
			result = nil
		}
		switch {
		case result != nil && failure != nil:
			return refuse(`a response must have either "result" or "error"`)
		case string(failure) == "null":
			return refuse(`"error" must be an object`)
		case id == nil && failure == nil:
			return refuse("the id is missing")
		}
		m.Kind, m.Result, m.Error = Response, result, failure
		return nil
	}
	if method[0] != '"' {
		return refuse(`"method" must be a string`)
	}
	if result != nil || failure != nil {
		return refuse(`a request must not have "result" or "error"`)
	}
	if params != nil && string(params) != "null" {
		if params[0] != '{' {
			return refuse(`"params" must be an object`)
		}
		m.Params = params
	}
	if inner := method[1 : len(method)-1]; bytes.IndexByte(inner, '\\') < 0 {
		m.Method = intern(inner)
	} else {
		m.Method = intern(AppendUnquoted(nil, inner))
	}
	m.Kind = Notification
	if id != nil {
		m.Kind = Request
	}
	return nil
}

// notObject returns the error for JSON that is not an object, or for text that
// is not JSON.
func notObject(data []byte, i int) error {
	end, err := Skip(data, i)
	if err == nil && skipSpace(data, end) == len(data) {
		return &ParseError{Code: CodeInvalidRequest, Message: "Invalid request: a message must be one JSON object"}
	}
	err = cmp.Or(err, errSyntax)
	return &ParseError{Code: CodeParseError, Message: "Parse error: " + err.Error()}
}

// IsBatch reports whether data is a JSON array. It only checks the first character.
func IsBatch(data []byte) bool {
	i := skipSpace(data, 0)
	return i < len(data) && data[i] == '['
}

// Batch returns the JSON text of the elements of a JSON array. The error is a *ParseError. An empty
// array is an error, as is an array with more than limit elements.
func Batch(data []byte, limit int) ([][]byte, error) {
	i := skipSpace(data, 0)
	end, err := Skip(data, i)
	if err == nil && skipSpace(data, end) != len(data) {
		err = errSyntax
	}
	if err != nil {
		return nil, &ParseError{Code: CodeParseError, Message: "Parse error: " + err.Error()}
	}
	var elements [][]byte
	for i = skipSpace(data, i+1); data[i] != ']'; i = skipSpace(data, i) {
		if len(elements) == limit {
			return nil, &ParseError{Code: CodeInvalidRequest, Message: "Invalid request: too many messages in one batch"}
		}
		if data[i] == ',' {
			i = skipSpace(data, i+1)
		}
		end, _ := Skip(data, i)
		elements = append(elements, data[i:end])
		i = end
	}
	if len(elements) == 0 {
		return nil, &ParseError{Code: CodeInvalidRequest, Message: "Invalid request: empty batch"}
	}
	return elements, nil
}
