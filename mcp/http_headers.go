package mcp

import (
	"encoding/base64"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// checkHeaders returns an error if the headers of a request of revision 2026-07-28 differ from the
// parts of its body that they repeat (specification: Streamable HTTP, Request Metadata).
func checkHeaders(r *Request, head http.Header) *Error {
	version, _ := jsonrpc.String(r.meta.protocolVersion)
	if e := checkHeader(head, headerVersion, version, false); e != nil {
		return e
	}
	if e := checkHeader(head, headerMethod, r.method, false); e != nil {
		return e
	}
	if namesInHeader(r.method) {
		if e := checkHeader(head, headerName, r.Name(), true); e != nil {
			return e
		}
	}
	if r.tool == nil {
		return nil
	}
	for i := range r.tool.headers {
		if e := r.tool.headers[i].check(r, head); e != nil {
			return e
		}
	}
	return nil
}

// namesInHeader reports whether requests with the given method have a header that repeats the name
// of their tool, prompt, resource or task.
func namesInHeader(method string) bool {
	switch method {
	case "tools/call", "prompts/get", "resources/read", "tasks/get", "tasks/update", "tasks/cancel":
		return true
	}
	return false
}

// checkNotification is like checkHeaders, for notifications. Every POST must have
// MCP-Protocol-Version. The specification does not define the other headers of a notification, so
// Mcp-Method may be missing, but must be correct if it is present.
func checkNotification(m *jsonrpc.Message, head http.Header) *Error {
	version, e := onlyHeader(head, headerVersion)
	if e != nil {
		return e
	}
	var p params
	var meta requestMeta
	if p.read(m.Params) == nil && meta.read(p.meta) == nil && meta.protocolVersion != nil {
		want, _ := jsonrpc.String(meta.protocolVersion)
		if e := checkHeader(head, headerVersion, want, false); e != nil {
			return e
		}
	}
	if revision.Parse(version) == revision.None {
		return errUnsupportedVersion(version)
	}
	if len(head[headerMethod]) == 0 {
		return nil
	}
	return checkHeader(head, headerMethod, m.Method, false)
}

func checkHeader(head http.Header, name, want string, encoded bool) *Error {
	got, e := onlyHeader(head, name)
	if e != nil {
		return e
	}
	if encoded {
		var ok bool
		if got, ok = decodeHeader(got); !ok {
			return errorf(CodeHeaderMismatch, "Header %s is malformed", name)
		}
	}
	if got != want {
		return errorf(CodeHeaderMismatch, "Header %s differs from the body", name)
	}
	return nil
}

// onlyHeader returns the value of a header that must occur exactly once. It
// returns an error if the header is missing or repeated.
func onlyHeader(head http.Header, name string) (string, *Error) {
	switch values := head[name]; len(values) {
	case 0:
		return "", errorf(CodeHeaderMismatch, "Header %s is missing; it must repeat the value in the body", name)
	case 1:
		return strings.Trim(values[0], " \t"), nil
	}
	return "", errorf(CodeHeaderMismatch, "Header %s occurs more than once", name)
}

// decodeHeader returns the text that value, the value of a header, represents. Text that cannot be
// sent directly is base64-encoded. decodeHeader returns false if value contains characters that are
// not allowed or invalid base64.
func decodeHeader(value string) (string, bool) {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c > '~' {
			return "", false
		}
	}
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value, true
	}
	if inner, ok = strings.CutSuffix(inner, "?="); !ok {
		return value, true
	}
	data, err := base64.StdEncoding.Strict().DecodeString(inner)
	return string(data), err == nil
}

// encodeHeader encodes text for decodeHeader.
func encodeHeader(value string) string {
	plain := strings.Trim(value, " ") == value && !strings.HasPrefix(value, "=?base64?")
	for i := range len(value) {
		plain = plain && value[i] >= ' ' && value[i] <= '~'
	}
	if plain {
		return value
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}

// headerParam is an argument of a tool that clients repeat in a header.
type headerParam struct {
	header string   // canonical form, such as "Mcp-Param-Region"
	path   []string // names of the properties that lead to the argument
}

// check returns an error if the header differs from the argument, or is missing
// although the argument is present.
func (p *headerParam) check(r *Request, head http.Header) *Error {
	value := r.params.arguments
	for _, name := range p.path {
		value = member(value, name)
	}
	if value == nil || string(value) == "null" {
		return nil // the argument is absent, so the header is ignored
	}
	text, e := onlyHeader(head, p.header)
	if e != nil {
		return e
	}
	got, ok := decodeHeader(text)
	if !ok {
		return errorf(CodeHeaderMismatch, "Header %s is malformed", p.header)
	}
	want, isString := jsonrpc.String(value)
	if !isString {
		want = string(value)
	}
	switch number := parseNumber(want); {
	case isString && got == want:
		return nil
	case !isString && number == nil && got == want: // the argument is a boolean
		return nil
	case isString || number == nil || !equalNumbers(number, parseNumber(got)):
		return errorf(CodeHeaderMismatch, "Header %s differs from the body", p.header)
	case new(big.Rat).Abs(number).Cmp(maxInteger) > 0:
		return errorf(CodeHeaderMismatch, "Header %s repeats an integer that is out of range", p.header)
	}
	return nil
}

// maxInteger is the largest integer that a header can repeat.
var maxInteger = new(big.Rat).SetInt64(1<<53 - 1)

func equalNumbers(a, b *big.Rat) bool { return b != nil && a.Cmp(b) == 0 }

// parseNumber parses a decimal number. It returns nil if s is not a number, or is too long to be
// compared quickly.
func parseNumber(s string) *big.Rat {
	if len(s) > 64 || strings.Trim(s, "0123456789+-.eE") != "" {
		return nil
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 4 {
		return nil
	}
	number, _ := new(big.Rat).SetString(s)
	return number
}

// member returns the value of a member of a JSON object, or nil if the member does not exist.
func member(object []byte, name string) []byte {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	o := jsonrpc.ReadObject(object)
	for o.Next() {
		if string(o.Name) == name {
			return o.Value
		}
	}
	return nil
}

// headerParams returns the properties of a tool's input schema that have the keyword x-mcp-header
// (specification: Streamable HTTP, Custom Headers from Tool Parameters). It returns an error that
// identifies an invalid x-mcp-header.
func headerParams(schema []byte) ([]headerParam, error) {
	f := headerFinder{seen: map[string]bool{}}
	f.schema(schema, nil, true)
	return f.found, f.err
}

type headerFinder struct {
	found []headerParam
	seen  map[string]bool
	err   error
}

// schema searches a schema. The keyword is allowed only in schemas that can be reached through
// properties alone.
func (f *headerFinder) schema(schema []byte, path []string, allowed bool) {
	if f.err != nil || len(schema) == 0 || schema[0] != '{' {
		return
	}
	o := jsonrpc.ReadObject(schema)
	for o.Next() {
		switch name := string(o.Name); name {
		case "x-mcp-header":
			f.mark(schema, o.Value, path, allowed && len(path) > 0)
		case "properties":
			properties := jsonrpc.ReadObject(o.Value)
			if len(o.Value) == 0 || o.Value[0] != '{' {
				continue
			}
			for properties.Next() {
				f.schema(properties.Value, append(slices.Clip(path), string(properties.Name)), allowed)
			}
		case "const", "enum", "default", "examples":
		case "$defs", "definitions", "patternProperties", "dependentSchemas":
			inner := jsonrpc.ReadObject(o.Value)
			if len(o.Value) == 0 || o.Value[0] != '{' {
				continue
			}
			for inner.Next() {
				f.schema(inner.Value, path, false)
			}
		default:
			f.schema(o.Value, path, false)
			if len(o.Value) > 0 && o.Value[0] == '[' {
				if elements, err := jsonrpc.Batch(o.Value, 10_000); err == nil {
					for _, element := range elements {
						f.schema(element, path, false)
					}
				}
			}
		}
	}
}

func (f *headerFinder) mark(schema, value []byte, path []string, allowed bool) {
	name, ok := jsonrpc.String(value)
	pointer := "/" + strings.Join(path, "/")
	fail := func(why string) { f.err = errorString("x-mcp-header at " + pointer + " " + why) }
	switch {
	case !allowed:
		fail("is not reached through properties alone")
	case !ok || !isToken(name):
		fail("must be a header name: letters, digits and !#$%&'*+-.^_`|~")
	case f.seen[strings.ToLower(name)]:
		fail("repeats the name " + name)
	default:
		switch kind, _ := jsonrpc.String(member(schema, "type")); kind {
		case "string", "integer", "boolean":
		default:
			fail("needs the type string, integer or boolean")
			return
		}
		f.seen[strings.ToLower(name)] = true
		f.found = append(f.found, headerParam{http.CanonicalHeaderKey("Mcp-Param-" + name), path})
	}
}

type errorString string

func (e errorString) Error() string { return string(e) }

// isToken reports whether s is a token according to RFC 9110.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		if !isAlphanumeric(c) && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
