package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// shape checks that a message from a server has the form that the specification requires. In
// contrast to the official schema, it needs no file, and it checks rules that occur only in the
// text of the specification.
type shape struct {
	t        testing.TB
	revision string
	line     string
}

func (s *shape) modern() bool { return s.revision >= "2026-07-28" }

// must reports an error in the message if ok is false.
func (s *shape) must(ok bool, what string) {
	s.t.Helper()
	if !ok {
		s.t.Errorf("%s: %s: %s", s.revision, what, s.line)
	}
}

// only checks that o has no other members than names, which are separated by spaces.
func (s *shape) only(o map[string]any, what, names string) {
	s.t.Helper()
	for name := range o {
		s.must(slices.Contains(strings.Fields(names), name), what+" has a member "+name)
	}
}

// strings checks that the members of o with these names are strings.
func (s *shape) strings(o map[string]any, what, names string) {
	s.t.Helper()
	for name := range strings.FieldsSeq(names) {
		_, ok := o[name].(string)
		s.must(ok, what+" has no "+name)
	}
}

// message checks a message. method is that of the request if the message is a response.
func (s *shape) message(method string) {
	s.t.Helper()
	s.must(utf8.ValidString(s.line), "it is not UTF-8")
	var m map[string]any
	if err := json.Unmarshal([]byte(s.line), &m); err != nil {
		s.t.Fatalf("%v: %s", err, s.line)
	}
	s.must(m["jsonrpc"] == "2.0", "jsonrpc is not 2.0")
	switch name, _ := m["method"].(string); {
	case name != "" && m["id"] == nil:
		s.only(m, "a notification", "jsonrpc method params")
		s.notification(name, object(m["params"]))
	case name != "":
		s.only(m, "a request", "jsonrpc id method params")
		s.question(name, object(m["params"]))
	case m["error"] != nil:
		s.only(m, "an error", "jsonrpc id error")
		e := object(m["error"])
		s.only(e, "an error", "code message data")
		s.strings(e, "an error", "message")
		code, ok := e["code"].(float64)
		s.must(ok && code == math.Trunc(code), "the code of an error is no integer")
	default:
		s.only(m, "a response", "jsonrpc id result")
		result, ok := m["result"].(map[string]any)
		s.must(ok, "a response has no result")
		s.result(method, result)
	}
}

func (s *shape) notification(method string, params map[string]any) {
	s.t.Helper()
	switch method {
	case "notifications/progress":
		_, ok := params["progress"].(float64)
		s.must(ok && params["progressToken"] != nil, "progress without progress or progressToken")
	case "notifications/message":
		_, ok := params["data"]
		s.must(ok, "a log message without data")
		level, _ := params["level"].(string)
		s.must(slices.Contains(strings.Fields("debug info notice warning error critical alert emergency"), level), "a log message without level")
	case "notifications/resources/updated":
		s.strings(params, method, "uri")
	case "notifications/elicitation/complete":
		s.strings(params, method, "elicitationId")
	case "notifications/cancelled":
		s.must(params["requestId"] != nil, method+" without requestId")
	case "notifications/tasks/status", "notifications/tasks":
		s.task(params)
	case "notifications/subscriptions/acknowledged":
		_, ok := params["notifications"].(map[string]any)
		s.must(ok, method+" without notifications")
	}
	_, tagged := object(params["_meta"])["io.modelcontextprotocol/subscriptionId"]
	switch {
	case method == "notifications/progress", method == "notifications/message", method == "notifications/cancelled":
		s.must(!tagged, method+" has the id of a subscription")
	case s.modern():
		s.must(tagged, method+" has no id of a subscription")
	default:
		s.must(!tagged, method+" has the id of a subscription")
	}
}

// question checks the params of a request to the client.
func (s *shape) question(method string, params map[string]any) {
	s.t.Helper()
	switch method {
	case "elicitation/create":
		s.strings(params, method, "message")
		if params["mode"] == "url" {
			s.strings(params, method, "url")
			s.must((params["elicitationId"] != nil) == (s.revision == "2025-11-25"), "elicitationId")
			return
		}
		s.must((params["mode"] == "form") == (s.revision >= "2025-11-25"), "the mode of a form")
		s.must(object(params["requestedSchema"])["type"] == "object", "a form without requestedSchema")
	case "sampling/createMessage":
		_, ok := params["maxTokens"].(float64)
		s.must(ok, "sampling without maxTokens")
		s.messages(params["messages"])
	case "roots/list":
		s.only(params, method, "_meta")
	default:
		s.must(false, "a request of a method that servers do not have")
	}
}

func (s *shape) result(method string, r map[string]any) {
	s.t.Helper()
	kind, _ := r["resultType"].(string)
	if s.modern() {
		s.must(kind != "", "a result without resultType")
		info, _ := object(r["_meta"])["io.modelcontextprotocol/serverInfo"].(map[string]any)
		s.must(info["name"] != nil, "a result without serverInfo")
	}
	switch {
	case kind == "input_required":
		for _, one := range object(r["inputRequests"]) {
			requests := object(one)
			s.only(requests, "an input request", "method params")
			method, _ := requests["method"].(string)
			params, ok := requests["params"].(map[string]any)
			s.must(ok, "an input request without params")
			s.question(method, params)
		}
		return
	case kind == "task":
		s.task(r)
		return
	case method == "tools/call" && s.revision == "2025-11-25" && r["task"] != nil:
		s.only(r, "a created task", "task _meta")
		s.task(object(r["task"]))
		return
	}
	items := func(name, required string) {
		s.t.Helper()
		all, ok := r[name].([]any)
		s.must(ok, method+" without "+name)
		for _, one := range all {
			s.strings(object(one), "an entry of "+name, required)
			s.annotations(object(one)["annotations"])
		}
		s.must(r["nextCursor"] == nil || r["nextCursor"] != "", "an empty nextCursor")
	}
	switch method {
	case "initialize":
		s.strings(r, method, "protocolVersion")
		s.strings(object(r["serverInfo"]), "serverInfo", "name version")
		_, ok := r["capabilities"].(map[string]any)
		s.must(ok, method+" without capabilities")
	case "server/discover":
		_, ok := r["capabilities"].(map[string]any)
		s.must(ok && len(list(r["supportedVersions"])) > 0, method+" without capabilities or supportedVersions")
	case "tools/list":
		items("tools", "name")
		for _, one := range list(r["tools"]) {
			s.must(object(object(one)["inputSchema"])["type"] == "object", "the input schema of a tool")
		}
	case "prompts/list":
		items("prompts", "name")
	case "resources/list":
		items("resources", "uri name")
	case "resources/templates/list":
		items("resourceTemplates", "uriTemplate name")
	case "tools/call", "tasks/result":
		_, ok := r["content"].([]any)
		s.must(ok, method+" without content")
		s.content(r["content"])
		related := object(object(r["_meta"])[relatedTask])["taskId"]
		s.must((related != nil) == (method == "tasks/result"), "the task of a result")
	case "prompts/get":
		s.messages(r["messages"])
	case "resources/read":
		all, ok := r["contents"].([]any)
		s.must(ok, method+" without contents")
		for _, one := range all {
			s.resource(object(one))
		}
	case "completion/complete":
		values, ok := object(r["completion"])["values"].([]any)
		s.must(ok && len(values) <= 100, method+" without values, or with more than 100")
	case "tasks/list":
		for _, one := range list(r["tasks"]) {
			s.task(object(one))
		}
	case "tasks/get":
		s.task(r)
	case "tasks/cancel":
		if !s.modern() {
			s.task(r)
		}
	case "resources/subscribe", "resources/unsubscribe", "logging/setLevel", "ping", "tasks/update":
		s.only(r, "the result of "+method, "_meta resultType")
	}
	cached := method == "server/discover" || strings.HasSuffix(method, "/list") && method != "tasks/list" || method == "resources/read"
	ttl, hasTTL := r["ttlMs"].(float64)
	scope, hasScope := r["cacheScope"].(string)
	if cached && s.modern() {
		s.must(hasTTL && ttl >= 0 && hasScope && (scope == "public" || scope == "private"), "a result without hints for caches")
	} else if method != "tasks/get" {
		s.must(!hasTTL && !hasScope, "a result with hints for caches")
	}
}

func (s *shape) task(o map[string]any) {
	s.t.Helper()
	s.strings(o, "a task", "taskId status createdAt lastUpdatedAt")
	status, _ := o["status"].(string)
	s.must(slices.Contains(strings.Fields("working input_required completed failed cancelled"), status), "the status of a task")
	for _, name := range []string{"createdAt", "lastUpdatedAt"} {
		stamp, _ := o[name].(string)
		_, err := time.Parse(time.RFC3339, stamp)
		s.must(err == nil, "the time of a task")
	}
	ttl := "ttl"
	if s.modern() {
		ttl = "ttlMs"
	}
	milliseconds, ok := o[ttl].(float64)
	s.must(ok && milliseconds >= 0, "a task without "+ttl)
	s.must(o["task"] == nil, "a task within a task")
	if s.modern() {
		s.must((o["result"] != nil) == (status == "completed"), "the result of a task")
		s.must((o["error"] != nil) == (status == "failed"), "the error of a task")
		s.must((o["inputRequests"] != nil) == (status == "input_required"), "the input requests of a task")
		for _, one := range object(o["inputRequests"]) {
			s.only(object(one), "an input request", "method params")
		}
	}
}

// messages checks the messages in a prompt or a sampling request.
func (s *shape) messages(all any) {
	s.t.Helper()
	messages, ok := all.([]any)
	s.must(ok, "no messages")
	for _, one := range messages {
		m := object(one)
		s.must(m["role"] == "user" || m["role"] == "assistant", "the role of a message")
		s.must(m["content"] != nil, "a message without content")
		s.content(m["content"])
	}
}

// content checks a block of content or an array of them.
func (s *shape) content(v any) {
	s.t.Helper()
	if all, ok := v.([]any); ok {
		for _, one := range all {
			s.content(one)
		}
		return
	}
	block := object(v)
	s.annotations(block["annotations"])
	switch block["type"] {
	case "text":
		s.strings(block, "a text", "text")
	case "image", "audio":
		s.strings(block, "an image or sound", "data mimeType")
		s.base64(block["data"])
		mime, _ := block["mimeType"].(string)
		s.must(strings.Contains(mime, "/"), "the type of an image or sound")
		s.must(block["type"] == "image" || s.revision > "2024-11-05", "sound in 2024-11-05")
	case "resource":
		s.resource(object(block["resource"]))
	case "resource_link":
		s.strings(block, "a link", "uri name")
		s.must(s.revision >= "2025-06-18", "a link before 2025-06-18")
	case "tool_use":
		s.strings(block, "a use of a tool", "id name")
	case "tool_result":
		s.strings(block, "the result of a tool", "toolUseId")
	default:
		s.must(false, "content of no type")
	}
}

func (s *shape) annotations(v any) {
	s.t.Helper()
	a := object(v)
	for _, role := range list(a["audience"]) {
		s.must(role == "user" || role == "assistant", "the audience")
	}
	if priority, ok := a["priority"].(float64); ok {
		s.must(0 <= priority && priority <= 1, "the priority")
	}
}

// resource checks the contents of a resource.
func (s *shape) resource(r map[string]any) {
	s.t.Helper()
	s.strings(r, "a resource", "uri")
	uri, _ := r["uri"].(string)
	s.must(strings.Contains(uri, ":"), "the URI of a resource")
	_, hasText := r["text"].(string)
	_, hasBlob := r["blob"].(string)
	s.must(hasText != hasBlob, "a resource has text or a blob")
	if hasBlob {
		s.base64(r["blob"])
	}
}

func (s *shape) base64(v any) {
	s.t.Helper()
	text, _ := v.(string)
	_, err := base64.StdEncoding.Strict().DecodeString(text)
	s.must(err == nil, "base64")
}
