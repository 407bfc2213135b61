package mcp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Error codes of JSON-RPC and of the Model Context Protocol. Use codes outside the range from
// -32768 to -32000 for your own errors.
const (
	CodeParseError     = jsonrpc.CodeParseError     // the text is not JSON
	CodeInvalidRequest = jsonrpc.CodeInvalidRequest // the JSON is not a request
	CodeMethodNotFound = jsonrpc.CodeMethodNotFound // the method does not exist, or its capability is not declared
	CodeInvalidParams  = jsonrpc.CodeInvalidParams  // params violate the method's schema or refer to an unknown entry
	CodeInternalError  = jsonrpc.CodeInternalError  // the handler failed unexpectedly

	CodeHeaderMismatch     = -32020 // an HTTP header differs from the body (2026-07-28)
	CodeMissingCapability  = -32021 // the client lacks a capability that the request needs (2026-07-28)
	CodeUnsupportedVersion = -32022 // the requested revision is not supported (2026-07-28)
)

// An Error is a failure of the protocol. It becomes the error member of the response, unchanged. If
// a tool runs but fails, it returns any other error instead, which becomes a result for the model.
type Error struct {
	Code int
	// Message is one short sentence that the peer receives.
	Message string
	// Data contains further details as JSON. It may be nil.
	Data json.RawMessage
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (code %d)", e.Message, e.Code)
}

// append appends the error as JSON.
func (e *Error) append(b []byte) []byte {
	b = wire.Int(append(b, '{'), "code", int64(e.Code))
	b = wire.Field(b, "message", e.Message)
	return append(wire.Raw(b, "data", compact(e.Data)), '}')
}

// decode sets e from the JSON that append writes.
func (e *Error) decode(data []byte) error {
	var w struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	err := decode(data, &w)
	*e = Error{w.Code, w.Message, w.Data}
	return err
}

func errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func errMethodNotFound(method string) *Error {
	return errorf(CodeMethodNotFound, "Method not found: %s", clip(method, 128))
}

// asError returns the *Error to send for err. Any other error becomes an
// internal error without its text, which may be confidential.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e
	}
	return &Error{Code: CodeInternalError, Message: "Internal error"}
}

// clip returns s, shortened to at most n bytes without splitting a rune. It is used in messages
// that quote a peer.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
