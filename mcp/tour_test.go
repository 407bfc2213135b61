package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// tourServer returns a server with entries of every kind.
func tourServer(t *testing.T) *mcp.Server {
	t.Helper()
	s := newWorks(t, nil).Server
	all := []mcp.Content{
		mcp.Text("not UTF-8: \xFF\xE2\x82 \u2028"),
		mcp.Text(strings.Repeat("more than is written at once ", 1000)),
		&mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png", Annotations: &mcp.Annotations{Audience: []mcp.Role{"system", mcp.RoleUser}, Priority: new(7.0)}},
		&mcp.ImageContent{Data: []byte{0xFB, 0xFF}, MIMEType: "image/png"},
		&mcp.AudioContent{Data: []byte{0xFB, 0xFF, 0xFE, 1}, MIMEType: "audio/wav"},
		&mcp.ResourceLink{URI: "x:link", Name: "link", Title: "Link", Description: "a link", Icons: []mcp.Icon{{Source: "https://example.com/i.png"}}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:text", Text: "text"}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:blob", Blob: []byte{0xFB}, MIMEType: "image/png"}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:both", Text: "text", Blob: []byte{1}}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:not-text", Text: "\xFB\xFF"}},
	}
	messages := []mcp.PromptMessage{}
	for i, c := range all {
		messages = append(messages, mcp.PromptMessage{Role: []mcp.Role{"", mcp.RoleUser, mcp.RoleAssistant}[i%3], Content: c})
	}
	complete := func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) {
		return mcp.Completion{Values: []string{"a", "b"}}, nil
	}
	content := func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: all, Meta: mcp.Meta{"com.example/x": 1}}, nil
	}
	form, err := mcp.FormSchema[nameForm]()
	must(t, err,
		mcp.AddTool(s, mcp.Tool{Name: "content", Title: "Content"}, content),
		mcp.AddTool(s, mcp.Tool{Name: "content-as-a-task", TaskSupport: mcp.TaskSupportOptional}, content),
		mcp.AddTool(s, mcp.Tool{Name: "structured"}, func(context.Context, *mcp.Request, struct{}) (map[string]int, error) {
			return map[string]int{"n": 1}, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "silent"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Data: json.RawMessage("{\n}")}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "tell"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "half")
			r.Progress(2, 0, "")
			r.Log(mcp.LevelError, "", nil)
			r.Log(mcp.LevelError, "logger", "text")
			return "told", nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, in struct {
			Key bool `json:"key"`
		}) (string, error) {
			sampling := &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, all[2]), said(mcp.RoleAssistant, all[0])}}
			questions := []mcp.Question{&mcp.RootsQuestion{}, sampling}
			if in.Key {
				questions = []mcp.Question{&mcp.RootsQuestion{Key: "r"}, &mcp.Sampling{Key: "s", MaxTokens: 1, Messages: sampling.Messages}}
			}
			if r.Revision() >= "2025-06-18" {
				questions = append(questions, &mcp.Elicitation{Message: "Who?", Schema: form})
			}
			if r.Revision() >= "2025-11-25" {
				questions = append(questions, &mcp.Elicitation{Key: "page", Message: "Pay.", URL: "https://example.com", ID: "1"})
			}
			return "asked", askOnly(ctx, r, questions...)
		}),
		mcp.AddTool(s, mcp.Tool{Name: "becomes", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			_, err := r.BecomeTask()
			return "became", err
		}),
		s.AddPrompt(mcp.Prompt{Name: "all", Arguments: []mcp.PromptArgument{{Name: "a", Complete: complete}}}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Messages: messages, Meta: mcp.Meta{"com.example/x": 1}}, nil
		}),
		s.AddResource(mcp.Resource{URI: "x:all", Name: "all", MIMEType: "text/plain"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "a"}, {URI: "x:b", Blob: []byte{}}, {URI: "x:c", Text: "\xFB"}}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "y:{a}", Name: "template"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return nil, nil
		}),
		s.AddExtension("com.example/maps", nil),
		s.Handle("maps/zoom", func(context.Context, *mcp.Request) (mcp.Result, error) { return mcp.RawResult(nil), nil }))
	return s
}

// tour is a client that receives every kind of message from a server.
type tour struct {
	*testing.T
	server   *mcp.Server
	revision string
	post     func(id int, method, params string) (receive func() *message)
	reply    func(line string)
	last     int
	seen     map[string]bool // methods of the server's messages, and types of results
}

// call sends a request, answers the server's questions, and returns the response.
func (c *tour) call(method, members string) *message {
	c.Helper()
	c.last++
	if c.revision == latest {
		if members != "" {
			members += ","
		}
		members += strings.Replace(metaWith(strings.Replace(askedCapabilities, "{", `{"extensions":{"io.modelcontextprotocol/tasks":{}},`, 1)),
			`"_meta":{`, `"_meta":{"progressToken":"p","io.modelcontextprotocol/logLevel":"debug",`, 1)
	} else if !strings.Contains(members, "_meta") {
		members = strings.TrimPrefix(members+`,"_meta":{"progressToken":"p"}`, ",")
	}
	receive := c.post(c.last, method, "{"+members+"}")
	for {
		m := receive()
		if m.Method == "" {
			if string(m.ID) != fmt.Sprint(c.last) {
				c.Errorf("%s was answered with %s", method, m.line)
			}
			switch {
			case m.Error != nil:
				c.seen["error"] = true
			case m.Result["resultType"] != nil:
				c.seen[fmt.Sprint(m.Result["resultType"])] = true
			}
			return m
		}
		c.seen[m.Method] = true
		if m.ID != nil {
			answers := map[string]string{"roots/list": `{"roots":[]}`, "elicitation/create": `{"action":"decline"}`,
				"sampling/createMessage": `{"role":"assistant","model":"m","content":{"type":"text","text":""}}`}
			c.reply(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answers[m.Method]))
		}
	}
}

// run sends requests of every kind.
func (c *tour) run() {
	succeed := func(method, members string) *message {
		c.Helper()
		m := c.call(method, members)
		if m.Error != nil {
			c.Errorf("%s: %s", method, m.line)
		}
		return m
	}
	fail := func(method, members string) {
		c.Helper()
		if m := c.call(method, members); m.Error == nil {
			c.Errorf("%s: %s", method, m.line)
		}
	}
	methods := []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list", "maps/zoom"}
	if c.revision == latest {
		methods = append(methods, "server/discover")
	} else {
		methods = append(methods, "ping")
		succeed("logging/setLevel", `"level":"debug"`)
		succeed("resources/subscribe", `"uri":"x:all"`)
		succeed("resources/subscribe", `"uri":"x:all"`)
		c.server.ResourceUpdated("x:all")
		addNamed(c, c.server, "dummy")
		c.server.RemoveTools("dummy")
		c.call("ping", "")
		succeed("resources/unsubscribe", `"uri":"x:all"`)
		succeed("resources/unsubscribe", `"uri":"x:all"`)
	}
	for _, method := range methods {
		succeed(method, "")
	}
	succeed("resources/read", `"uri":"x:all"`)
	succeed("completion/complete", `"ref":{"type":"ref/prompt","name":"all"},"argument":{"name":"a","value":""}`)
	m := succeed("prompts/get", `"name":"all"`)
	if n := len(list(m.Result["messages"])); n != 10 {
		c.Errorf("%d messages: %s", n, m.line)
	}
	for _, name := range []string{"content", "structured", "tell", "quick", "fail", "becomes"} {
		succeed("tools/call", callParams(name, "{}"))
	}
	for _, key := range []string{"true", "false"} {
		succeed("tools/call", callParams("ask", `{"key":`+key+`}`))
	}
	for _, name := range []string{"silent", "refuse", "panic", "exit"} {
		c.call("tools/call", callParams(name, "{}"))
	}
	fail("tools/call", callParams("silent", "{}"))
	fail("tools/call", callParams("none", "{}"))
	fail("tools/call", callParams("echo", "[]"))
	fail("prompts/get", `"name":"none"`)
	fail("resources/read", `"uri":"y:none"`)
	fail("resources/read", `"uri":"z:none"`)
	fail("tools/list", `"cursor":"none"`)
	fail("none", "")
	if c.revision < core {
		return
	}
	for _, tool := range []string{"content-as-a-task", "quick", "fail", "refuse", "panic", "becomes", "work"} {
		members := callParams(tool, "{}")
		if c.revision == core {
			members += `,"task":{}`
		}
		m := c.call("tools/call", members)
		task := m.Result
		if c.revision == core {
			task = object(task["task"])
		}
		if task["status"] != "working" {
			c.Errorf("%s: %s", tool, m.line)
			continue
		}
		id := taskID(task)
		succeed("tasks/get", id)
		if tool == "work" {
			succeed("tasks/cancel", id)
			continue
		}
		if c.revision == core {
			c.call("tasks/result", id)
			succeed("tasks/get", id)
			succeed("tasks/list", "")
			c.call("tasks/cancel", id)
			continue
		}
		succeed("tasks/update", id+`,"inputResponses":{}`)
		succeed("tasks/cancel", id)
		succeed("tasks/get", id)
	}
}

// TestEveryMessageHasTheFormOfItsRevision makes a server send messages of every kind. The harness
// checks each message; see shape.
func TestEveryMessageHasTheFormOfItsRevision(t *testing.T) {
	s := tourServer(t)
	want := strings.Fields("error notifications/message notifications/progress")
	sessions := append(strings.Fields("roots/list sampling/createMessage"), want...)
	for _, revision := range revisions {
		for _, transport := range []string{"pipe", "http", "sse"} {
			if revision == latest && transport == "sse" {
				continue
			}
			t.Run(revision+" "+transport, func(t *testing.T) {
				proves(t, "base.jsonrpc.conform", "base.response.result.object", "base.response.result.field", "base.response.result-or-error",
					"base.response.not-both", "base.response.error.fields", "base.error.code-integer", "base.result.type.required",
					"base.result.type.complete", "base.notification.no-id", "content.text", "content.image", "content.audio",
					"content.embedded-resource", "content.resource-link", "content.role", "prompts.content.image", "prompts.content.audio",
					"prompts.content.embedded", "tools.content.types.2024", "tasks.time.created", "tasks.id.string", "transport.utf8", "stdio.newline-delimited", "lifecycle.init.response", "tasks.time.updated", "tasks.result.related",
					"tasks.status.initial", "tasks.create.result", "xtasks.create.flat", "mrtr.request-kinds", "sampling.message.role-content",
					"xtasks.result-type.task", "xtasks.result-type.only-create", "xtasks.get.completed", "xtasks.get.failed",
					"xtasks.failed.only-jsonrpc", "xtasks.update.ack", "xtasks.cancel.ack", "elicit.url.fields.2025-11", "elicit.url.fields.modern",
					"elicit.request.mode-and-message")
				c := &tour{T: t, server: s, revision: revision, seen: map[string]bool{}}
				endpoint := host(t, s, nil)
				line := func(id int, method, params string) string {
					return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
				}
				switch transport {
				case "pipe":
					p := connect(t, s)
					if revision != latest {
						p.openWith(revision, askedCapabilities)
					}
					c.reply = p.send
					c.post = func(id int, method, params string) func() *message {
						p.send(line(id, method, params))
						return p.receive
					}
				case "sse":
					p := endpoint.pair(revision, askedCapabilities)
					c.reply = func(line string) { p.send(line).want(http.StatusAccepted) }
					c.post = func(id int, method, params string) func() *message {
						c.reply(line(id, method, params))
						return p.receive
					}
				default:
					w := endpoint.openWith(revision, askedCapabilities)
					c.reply = func(line string) { w.post(line).want(http.StatusAccepted) }
					c.post = func(id int, method, params string) func() *message {
						var p struct{ Name, URI, TaskID string }
						json.Unmarshal([]byte(params), &p)
						a := w.with("Mcp-Method: "+method, "Mcp-Name: "+p.Name+p.URI+p.TaskID).post(line(id, method, params))
						if a.events {
							return a.receive
						}
						return a.message
					}
				}
				c.run()
				want := want
				switch {
				case revision == latest:
					want = append(slices.Clone(want), "complete", "input_required", "task")
				case revision >= "2025-06-18":
					want = append(slices.Clone(sessions), "elicitation/create")
				default:
					want = slices.Clone(sessions)
				}
				if revision != latest && transport != "http" { // there is no other stream
					want = append(want, "notifications/resources/updated", "notifications/tools/list_changed")
				}
				for _, kind := range want {
					if !c.seen[kind] {
						t.Errorf("no %s was seen: %v", kind, c.seen)
					}
				}
			})
		}
	}
}
