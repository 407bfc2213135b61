package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// The official suite has one scenario for revision 2025-03-26 and none for 2024-11-05, and uses
// none of the transports that both revisions have. The tests in this file run the suite's scenarios
// in both revisions on both transports.

type object = map[string]any

// peer is the client of a connection.
type peer struct {
	t             *testing.T
	send          func(message []byte)
	received      <-chan []byte
	endpoint      string // URL for POST requests of HTTP+SSE
	last          int
	initialized   object
	notifications []object
	requests      []object // requests from the server
}

// transports contains functions that connect a client to a server.
var transports = map[string]func(t *testing.T, s *mcp.Server) *peer{
	"pipe":     overPipe,
	"HTTP+SSE": overSSE,
}

func overPipe(t *testing.T, s *mcp.Server) *peer {
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- s.ServeConn(context.Background(), struct {
			io.Reader
			io.Writer
		}{in, out})
		out.Close()
	}()
	lines := make(chan []byte, 100)
	go func() {
		defer close(lines)
		for r := bufio.NewReader(clientIn); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}()
	t.Cleanup(func() {
		clientOut.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return &peer{t: t, received: lines, send: func(message []byte) {
		if _, err := clientOut.Write(append(message, '\n')); err != nil {
			t.Fatal(err)
		}
	}}
}

func overSSE(t *testing.T, s *mcp.Server) *peer {
	server := httptest.NewServer(s.SSEHandler(nil))
	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); stream.Body.Close(); server.Close() })
	events := make(chan [2]string, 100)
	go func() {
		defer close(events)
		var event [2]string
		for r := bufio.NewScanner(stream.Body); r.Scan(); {
			switch name, value, _ := strings.Cut(r.Text(), ": "); name {
			case "event":
				event[0] = value
			case "data":
				event[1] = value
			case "":
				if event[0] != "" {
					events <- event
				}
				event = [2]string{}
			}
		}
	}()
	first := <-events
	if first[0] != "endpoint" {
		t.Fatalf("the first event is %q", first)
	}
	messages := make(chan []byte, 100)
	go func() {
		defer close(messages)
		for event := range events {
			if event[0] == "message" {
				messages <- []byte(event[1])
			}
		}
	}()
	p := &peer{t: t, received: messages, endpoint: server.URL + strings.TrimPrefix(first[1], server.URL)}
	p.send = func(message []byte) {
		if status := p.post(string(message), nil); status != http.StatusAccepted {
			t.Fatalf("%s is answered with HTTP %d", message, status)
		}
	}
	return p
}

// post sends a message to the endpoint, with foreign as Host and Origin. It returns the status.
func (p *peer) post(message string, foreign *string) int {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.endpoint, strings.NewReader(message))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if foreign != nil {
		request.Host = *foreign
		request.Header.Set("Origin", "http://"+*foreign)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func (p *peer) request(id int, method, params string) {
	p.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
}

// next returns the next response. Before that, it answers requests from the server.
func (p *peer) next() object {
	p.t.Helper()
	for {
		raw, ok := <-p.received
		if !ok {
			p.t.Fatal("the connection has ended")
		}
		var m object
		if err := json.Unmarshal(raw, &m); err != nil || m["jsonrpc"] != "2.0" {
			p.t.Fatalf("%v: %s", err, raw)
		}
		switch {
		case m["method"] == nil:
			return m
		case m["id"] == nil:
			p.notifications = append(p.notifications, m)
		default:
			p.requests = append(p.requests, m)
			id, _ := json.Marshal(m["id"])
			p.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"role":"assistant","content":{"type":"text","text":"from the model"},"model":"m"}}`, id))
		}
	}
}

// ask sends a request and returns the whole response.
func (p *peer) ask(method, params string) object {
	p.t.Helper()
	p.last++
	p.request(p.last, method, params)
	m := p.next()
	if m["id"] != float64(p.last) {
		p.t.Fatalf("%s: response %v", method, m)
	}
	return m
}

// do sends a request and returns the result, which must not be an error.
func (p *peer) do(method, params string) object {
	p.t.Helper()
	m := p.ask(method, params)
	result, ok := m["result"].(object)
	if !ok {
		p.t.Fatalf("%s %s: %v", method, params, m)
	}
	return result
}

func (p *peer) call(tool, arguments string) object {
	p.t.Helper()
	return p.do("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// blocks returns the content of a tool's result by type.
func (p *peer) blocks(result object) map[string]object {
	p.t.Helper()
	blocks := map[string]object{}
	for _, block := range list(result["content"]) {
		blocks[fmt.Sprint(block["type"])] = block
	}
	if len(blocks) == 0 {
		p.t.Fatalf("no content: %v", result)
	}
	return blocks
}

// messages returns the messages of a prompt as JSON.
func (p *peer) messages(name, arguments string) string {
	p.t.Helper()
	result := p.do("prompts/get", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	all := list(result["messages"])
	if len(all) == 0 {
		p.t.Fatalf("no messages: %v", result)
	}
	for _, m := range all {
		if m["role"] == nil || m["content"] == nil {
			p.t.Errorf("message %v", m)
		}
	}
	text, _ := json.Marshal(all)
	return string(text)
}

// contents returns the contents of a resource.
func (p *peer) contents(uri string) object {
	p.t.Helper()
	result := p.do("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))
	all := list(result["contents"])
	if len(all) == 0 || all[0]["uri"] != uri || all[0]["mimeType"] == nil {
		p.t.Fatalf("%v", result)
	}
	return all[0]
}

// listed returns the entries of a list. Each entry must have the given fields.
func (p *peer) listed(method, member string, fields ...string) []object {
	p.t.Helper()
	all := list(p.do(method, `{}`)[member])
	if len(all) == 0 {
		p.t.Fatalf("%s is empty", method)
	}
	for _, entry := range all {
		for _, field := range fields {
			if entry[field] == nil {
				p.t.Errorf("%s: no %s in %v", method, field, entry)
			}
		}
	}
	return all
}

func list(v any) []object {
	var all []object
	items, _ := v.([]any)
	for _, item := range items {
		o, _ := item.(object)
		all = append(all, o)
	}
	return all
}

func has(t *testing.T, ok bool, what any) {
	t.Helper()
	if !ok {
		t.Errorf("%v", what)
	}
}

// TestTheSuitesScenariosHoldInTheRevisionsThatItLeavesOut runs all scenarios for servers. It skips
// scenarios that do not apply and states the reason.
func TestTheSuitesScenariosHoldInTheRevisionsThatItLeavesOut(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-03-26"} {
		for transport, connect := range transports {
			for _, c := range scenarios {
				name := revision + " over " + transport + "/" + c.name
				reason := c.skip
				if c.http != "" && transport == "pipe" {
					reason = c.http
				}
				if reason != "" {
					t.Run(name+": "+reason, func(t *testing.T) { t.Skip(reason) })
					continue
				}
				t.Run(name, func(t *testing.T) {
					s, err := newServer()
					if err != nil {
						t.Fatal(err)
					}
					p := connect(t, s)
					p.initialized = p.do("initialize", fmt.Sprintf(
						`{"protocolVersion":%q,"capabilities":{"sampling":{},"elicitation":{}},"clientInfo":{"name":"scenarios","version":"1"}}`, revision))
					p.send([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
					c.run(p, revision)
				})
			}
		}
	}
}

func TestTheToolSaysWhetherItsStateCameBack(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	p := overPipe(t, s)
	const call = `{"name":"test_input_required_result_request_state","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	state, _ := json.Marshal(p.do("tools/call", call+`}`)["requestState"])
	const answers = `,"inputResponses":{"confirm":{"action":"accept","content":{"name":"Ada"}}}`
	for rest, want := range map[string]string{
		answers + `,"requestState":` + string(state): "state-ok: Ada",
		answers: "no state: Ada",
	} {
		if text := p.blocks(p.do("tools/call", call+rest+`}`))["text"]["text"]; text != want {
			t.Errorf("%s: %v", rest, text)
		}
	}
	if m := p.ask("tools/call", call+answers+`,"requestState":"made up"}`); m["error"] == nil {
		t.Errorf("a state that the server has not issued: %v", m)
	}
}

const (
	noElicitation = "elicitation came with 2025-06-18"
	streamable    = "it asks for event streams that answer a POST, which only Streamable HTTP has"
	noHTTP        = "a pipe has no HTTP requests"
	modern        = "it asks for what came with 2026-07-28"
	extension     = "it asks for an extension, which is negotiated since 2025-11-25"
)

// A scenario is one scenario of the suite, with the suite's name for it.
type scenario struct {
	name string
	skip string // reason for which it is skipped
	http string // reason for which it is skipped on a pipe
	run  func(p *peer, revision string)
}

var scenarios = []scenario{
	{name: "server-initialize", run: func(p *peer, revision string) {
		info, _ := p.initialized["serverInfo"].(object)
		has(p.t, p.initialized["protocolVersion"] == revision && info["name"] == "everything-server" && p.initialized["capabilities"] != nil, p.initialized)
	}},
	{name: "logging-set-level", run: func(p *peer, _ string) {
		has(p.t, len(p.do("logging/setLevel", `{"level":"info"}`)) == 0, "the result is not empty")
	}},
	{name: "ping", run: func(p *peer, _ string) { has(p.t, len(p.do("ping", `{}`)) == 0, "the result is not empty") }},
	{name: "completion-complete", run: func(p *peer, _ string) {
		result := p.do("completion/complete", `{"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":"par"}}`)
		completion, _ := result["completion"].(object)
		has(p.t, fmt.Sprint(completion["values"]) == "[paris park party]", result)
	}},
	{name: "tools-list", run: func(p *peer, _ string) {
		has(p.t, len(p.listed("tools/list", "tools", "name", "description", "inputSchema")) > 10, "tools are missing")
	}},
	{name: "tools-call-simple-text", run: func(p *peer, _ string) {
		block := p.blocks(p.do("tools/call", `{"name":"test_simple_text"}`))["text"]
		has(p.t, block["text"] != nil && block["text"] != "", block)
	}},
	{name: "tools-call-image", run: func(p *peer, _ string) {
		block := p.blocks(p.call("test_image_content", `{}`))["image"]
		has(p.t, block["data"] != nil && block["mimeType"] == "image/png", block)
	}},
	{name: "tools-call-audio", run: func(p *peer, revision string) {
		blocks := p.blocks(p.call("test_audio_content", `{}`))
		if revision == "2024-11-05" { // the revision has no audio
			has(p.t, blocks["audio"] == nil && (blocks["text"] != nil || blocks["resource"] != nil), blocks)
			return
		}
		has(p.t, blocks["audio"]["data"] != nil && blocks["audio"]["mimeType"] == "audio/wav", blocks)
	}},
	{name: "tools-call-embedded-resource", run: func(p *peer, _ string) {
		resource, _ := p.blocks(p.call("test_embedded_resource", `{}`))["resource"]["resource"].(object)
		has(p.t, resource["uri"] != nil && resource["mimeType"] != nil && resource["text"] != nil, resource)
	}},
	{name: "tools-call-mixed-content", run: func(p *peer, _ string) {
		blocks := p.blocks(p.call("test_multiple_content_types", `{}`))
		has(p.t, blocks["text"] != nil && blocks["image"] != nil && blocks["resource"] != nil, blocks)
	}},
	{name: "tools-call-with-logging", run: func(p *peer, _ string) {
		p.do("logging/setLevel", `{"level":"debug"}`)
		p.call("test_tool_with_logging", `{}`)
		messages := 0
		for _, n := range p.notifications {
			params, _ := n["params"].(object)
			if n["method"] == "notifications/message" && params["level"] == "info" && params["data"] != nil {
				messages++
			}
		}
		has(p.t, messages >= 3, p.notifications)
	}},
	{name: "tools-call-error", run: func(p *peer, _ string) {
		result := p.call("test_error_handling", `{}`)
		has(p.t, result["isError"] == true && p.blocks(result)["text"]["text"] != "", result)
	}},
	{name: "tools-call-with-progress", run: func(p *peer, _ string) {
		p.do("tools/call", `{"name":"test_tool_with_progress","arguments":{},"_meta":{"progressToken":"progress-test-1"}}`)
		var all []string
		for _, n := range p.notifications {
			params, _ := n["params"].(object)
			has(p.t, n["method"] == "notifications/progress" && params["progressToken"] == "progress-test-1", n)
			all = append(all, fmt.Sprint(params["progress"], "/", params["total"]))
		}
		has(p.t, strings.Join(all, " ") == "0/100 50/100 100/100", all)
	}},
	{name: "tools-call-sampling", run: func(p *peer, _ string) {
		block := p.blocks(p.call("test_sampling", `{"prompt":"Say something."}`))["text"]
		has(p.t, strings.Contains(fmt.Sprint(block["text"]), "from the model"), block)
		if len(p.requests) != 1 || p.requests[0]["method"] != "sampling/createMessage" {
			p.t.Fatalf("asked %v", p.requests)
		}
		params, _ := p.requests[0]["params"].(object)
		has(p.t, params["maxTokens"] == 100.0 && strings.Contains(fmt.Sprint(params["messages"]), "Say something."), params)
	}},
	{name: "tools-call-elicitation", skip: noElicitation},
	{name: "elicitation-sep1034-defaults", skip: noElicitation},
	{name: "elicitation-sep1330-enums", skip: noElicitation},
	{name: "server-sse-multiple-streams", run: func(p *peer, _ string) { // needs concurrent requests on one stream
		for id := range 3 {
			p.request(1000+id, "tools/list", `{}`)
		}
		answered := map[any]bool{}
		for range 3 {
			m := p.next()
			has(p.t, m["result"] != nil, m)
			answered[m["id"]] = true
		}
		has(p.t, len(answered) == 3, answered)
	}},
	{name: "server-sse-polling", skip: streamable},
	{name: "json-schema-2020-12", run: func(p *peer, _ string) {
		for _, tool := range p.listed("tools/list", "tools") {
			if tool["name"] == "json_schema_2020_12_tool" {
				schema, _ := tool["inputSchema"].(object)
				defs, _ := schema["$defs"].(object)
				address, _ := defs["address"].(object)
				has(p.t, schema["$schema"] == "https://json-schema.org/draft/2020-12/schema" && schema["additionalProperties"] == false &&
					address["$anchor"] != nil && schema["allOf"] != nil && schema["if"] != nil && schema["then"] != nil && schema["else"] != nil, schema)
				return
			}
		}
		p.t.Error("the tool is missing")
	}},
	{name: "resources-list", run: func(p *peer, _ string) { p.listed("resources/list", "resources", "uri", "name") }},
	{name: "resources-read-text", run: func(p *peer, _ string) {
		c := p.contents("test://static-text")
		has(p.t, c["text"] != nil && c["text"] != "", c)
	}},
	{name: "resources-read-binary", run: func(p *peer, _ string) {
		c := p.contents("test://static-binary")
		has(p.t, c["mimeType"] == "image/png" && c["blob"] != nil && c["blob"] != "", c)
	}},
	{name: "resources-templates-read", run: func(p *peer, _ string) {
		p.listed("resources/templates/list", "resourceTemplates", "uriTemplate", "name")
		has(p.t, strings.Contains(fmt.Sprint(p.contents("test://template/123/data")["text"]), "123"), "the id is missing")
	}},
	{name: "resources-subscribe", run: func(p *peer, _ string) {
		has(p.t, len(p.do("resources/subscribe", `{"uri":"test://watched-resource"}`)) == 0, "the result is not empty")
	}},
	{name: "resources-unsubscribe", run: func(p *peer, _ string) {
		p.do("resources/subscribe", `{"uri":"test://watched-resource"}`)
		has(p.t, len(p.do("resources/unsubscribe", `{"uri":"test://watched-resource"}`)) == 0, "the result is not empty")
	}},
	{name: "sep-2164-resource-not-found", run: func(p *peer, _ string) { // uses the error code of these revisions
		m := p.ask("resources/read", `{"uri":"test://nonexistent-resource-for-conformance-testing"}`)
		failure, _ := m["error"].(object)
		data, _ := failure["data"].(object)
		has(p.t, failure["code"] == -32002.0 && data["uri"] == "test://nonexistent-resource-for-conformance-testing", m)
	}},
	{name: "prompts-list", run: func(p *peer, _ string) { p.listed("prompts/list", "prompts", "name", "description") }},
	{name: "prompts-get-simple", run: func(p *peer, _ string) {
		has(p.t, len(list(p.do("prompts/get", `{"name":"test_simple_prompt"}`)["messages"])) > 0, "no messages")
	}},
	{name: "prompts-get-with-args", run: func(p *peer, _ string) {
		text := p.messages("test_prompt_with_arguments", `{"arg1":"hello","arg2":"world"}`)
		has(p.t, strings.Contains(text, "hello") && strings.Contains(text, "world"), text)
	}},
	{name: "prompts-get-embedded-resource", run: func(p *peer, _ string) {
		text := p.messages("test_prompt_with_embedded_resource", `{"resourceUri":"test://example-resource"}`)
		has(p.t, strings.Contains(text, `"type":"resource"`) && strings.Contains(text, "test://example-resource"), text)
	}},
	{name: "prompts-get-with-image", run: func(p *peer, _ string) {
		text := p.messages("test_prompt_with_image", `{}`)
		has(p.t, strings.Contains(text, `"type":"image"`) && strings.Contains(text, `"mimeType":"image/png"`), text)
	}},
	{name: "dns-rebinding-protection", http: noHTTP, run: func(p *peer, _ string) {
		evil, local := "evil.example.com", strings.Split(p.endpoint, "/")[2]
		status := p.post(`{"jsonrpc":"2.0","id":"evil","method":"ping"}`, &evil)
		has(p.t, status >= 400 && status < 500, status)
		has(p.t, p.post(`{"jsonrpc":"2.0","id":"local","method":"ping"}`, &local) == http.StatusAccepted, "a local Host is refused")
		has(p.t, p.next()["id"] == "local", "the refused request is answered")
	}},
	{name: "server-session-lifecycle", http: noHTTP, run: func(p *peer, _ string) { // the endpoint's URL contains the session
		before, session, ok := strings.Cut(p.endpoint, "=")
		has(p.t, ok && len(session) >= 16 && !bytes.ContainsFunc([]byte(session), func(r rune) bool { return r <= ' ' || r > '~' }), p.endpoint)
		endpoint := p.endpoint
		p.endpoint = before + "=" + strings.Repeat("0", len(session))
		has(p.t, p.post(`{"jsonrpc":"2.0","id":7,"method":"ping"}`, nil) == http.StatusNotFound, "a session of nobody is served")
		p.endpoint = endpoint
		has(p.t, len(p.do("ping", `{}`)) == 0, "the session has ended")
	}},
	{name: "server-stateless", skip: modern},
	{name: "caching", skip: modern},
	{name: "http-header-validation", skip: modern},
	{name: "http-custom-header-server-validation", skip: modern},
	{name: "input-required-result (14 scenarios)", skip: modern},
	{name: "tasks (10 scenarios)", skip: extension},
	{name: "sep-2640-skills (3 scenarios)", skip: extension},
}
