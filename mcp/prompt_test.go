package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

type promptHandler = func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error)

// says returns a prompt handler that always returns the given content.
func says(content ...mcp.Content) promptHandler {
	return func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
		res := &mcp.PromptResult{}
		for _, c := range content {
			res.Messages = append(res.Messages, mcp.PromptMessage{Content: c})
		}
		return res, nil
	}
}

func fails(err error) promptHandler {
	return func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) { return nil, err }
}

func newServer(opts *mcp.ServerOptions) *mcp.Server {
	return mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, opts)
}

// greetServer returns a server with the prompt "greet", which returns its arguments.
func greetServer(tb testing.TB) *mcp.Server {
	tb.Helper()
	s := newServer(nil)
	must(tb, s.AddPrompt(mcp.Prompt{
		Name: "greet", Title: "Greeting", Description: "Says hello.",
		Arguments: []mcp.PromptArgument{
			{Name: "name", Title: "Name", Description: "whom to greet", Required: true},
			{Name: "tone"},
		},
		Icons: []mcp.Icon{{Source: "https://example.com/i.png"}},
		Meta:  mcp.Meta{"example.com/k": 1},
	}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
		request, err := json.Marshal(args)
		return &mcp.PromptResult{
			Description: "A greeting",
			Messages: []mcp.PromptMessage{
				{Content: mcp.Text(string(request))},
				{Role: mcp.RoleAssistant, Content: mcp.Text("Hello.")},
			},
			Meta: mcp.Meta{"example.com/n": 2},
		}, err
	}))
	return s
}

func promptParams(name, arguments string) string {
	if arguments == "" {
		return fmt.Sprintf(`"name":%q`, name)
	}
	return fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments)
}

func TestAPromptIsListedWithWhatTheRevisionHasOfIt(t *testing.T) {
	proves(t, "prompts.list.fields", "prompts.list.answered", "prompts.list.no-connection-variance")
	s := greetServer(t)
	must(t, s.AddPrompt(mcp.Prompt{Name: "bare"}, says()))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "prompts/list", params(""))
		want := `[{"name":"bare"},{"name":"greet","description":"Says hello.","arguments":[
			{"name":"name","description":"whom to greet","required":true},{"name":"tone"}]}]`
		if revision >= "2025-06-18" {
			want = strings.Replace(want, `"greet"`, `"greet","title":"Greeting","_meta":{"example.com/k":1}`, 1)
			want = strings.Replace(want, `"name","desc`, `"name","title":"Name","desc`, 1)
		}
		if revision >= "2025-11-25" {
			want = strings.Replace(want, `"greet"`, `"greet","icons":[{"src":"https://example.com/i.png"}]`, 1)
		}
		sameJSON(t, "prompts", m.Result["prompts"], want)
		// Neither the rest of the request nor an earlier request changes the list.
		p.ask("2", "prompts/get", params(promptParams("greet", `{"name":"Ada"}`)))
		m = p.ask("3", "prompts/list", params(`"more":"`+strings.Repeat("x", 2000)+`"`))
		sameJSON(t, "prompts again", m.Result["prompts"], want)
	})
}

func TestEachMessageOfAPromptHasItsRole(t *testing.T) {
	proves(t, "prompts.get.messages", "content.role")
	s := newServer(nil)
	roles := []mcp.Role{mcp.RoleAssistant, "", mcp.RoleUser, "", mcp.RoleAssistant}
	must(t, s.AddPrompt(mcp.Prompt{Name: "talk"}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
		var messages []mcp.PromptMessage
		for i, role := range roles {
			messages = append(messages, mcp.PromptMessage{Role: role, Content: mcp.Text(fmt.Sprint(i))})
		}
		return &mcp.PromptResult{Messages: messages}, nil
	}))
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		messages := list(p.ask("1", "prompts/get", params(`"name":"talk"`)).Result["messages"])
		if len(messages) != len(roles) {
			t.Fatalf("%d messages", len(messages))
		}
		for i, m := range messages {
			want := string(roles[i])
			if want == "" {
				want = "user"
			}
			if m := object(m); m["role"] != want || object(m["content"])["text"] != fmt.Sprint(i) {
				t.Errorf("message %d: %v", i, m)
			}
		}
	})
}

func TestAPromptIsFilledIn(t *testing.T) {
	proves(t, "prompts.get.messages", "prompts.validate-arguments", "content.role", "content.text", "base.result.type.complete")
	eachRevision(t, greetServer(t), func(t *testing.T, revision string, p *peer, params func(string) string) {
		for arguments, seen := range map[string]string{
			`{"name":"Ada"}`:                 `{"name":"Ada"}`,
			`{"tone":"é\u0000\"","name":""}`: `{"name":"","tone":"é\u0000\""}`,
		} {
			m := p.ask("1", "prompts/get", params(promptParams("greet", arguments)))
			text, _ := json.Marshal(seen)
			sameJSON(t, "messages for "+arguments, m.Result["messages"],
				`[{"role":"user","content":{"type":"text","text":`+string(text)+`}},{"role":"assistant","content":{"type":"text","text":"Hello."}}]`)
			if m.Result["description"] != "A greeting" || object(m.Result["_meta"])["example.com/n"] != 2.0 {
				t.Error(m.line)
			}
			if (m.Result["resultType"] == "complete") != (revision == "2026-07-28") || m.Result["ttlMs"] != nil {
				t.Error(m.line)
			}
		}
	})
}

func TestBadArgumentsOfAPromptAreRefused(t *testing.T) {
	proves(t, "prompts.error.missing-arguments", "prompts.error.unknown", "prompts.validate-arguments", "prompts.security.validate", "base.error.invalid-params")
	eachRevision(t, greetServer(t), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for members, part := range map[string]string{
			promptParams("greet", ""):                           "needs the argument name",
			promptParams("greet", `{}`):                         "needs the argument name",
			promptParams("greet", `{"tone":"loud"}`):            "needs the argument name",
			promptParams("greet", `{"name":"x","tune":"loud"}`): "no argument tune",
			promptParams("greet", `{"name":7}`):                 "strings",
			promptParams("greet", `{"name":null}`):              "strings",
			promptParams("greet", `{"name":["x"]}`):             "strings",
			promptParams("greet", `{"name":"x","name":"y"}`):    "strings",
			promptParams("greet", `["x"]`):                      "object",
			promptParams("meet", `{"name":"x"}`):                "Unknown prompt: meet",
			promptParams("", `{"name":"x"}`):                    "Unknown prompt",
			promptParams("GREET", `{"name":"x"}`):               "Unknown prompt: GREET",
			`"name":7`:                                          "name must be a string",
			`"arguments":{}`:                                    "name must be a string",
		} {
			m := p.ask("1", "prompts/get", params(members))
			if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.Contains(m.Error.Message, part) {
				t.Errorf("%s: %s", members, m.line)
			}
		}
		long := strings.Repeat("é", 10_000)
		for _, members := range []string{promptParams(long, ""), promptParams("greet", fmt.Sprintf(`{"name":"x",%q:""}`, long))} {
			if m := p.ask("1", "prompts/get", params(members)); m.Error == nil || len(m.line) > 600 {
				t.Errorf("what was asked is quoted in full: %.200s", m.line)
			}
		}
	})
}

func TestContentOfAPromptTakesTheFormThatTheRevisionHas(t *testing.T) {
	proves(t, "prompts.content.image", "prompts.content.audio", "prompts.content.embedded", "prompts.content.resource-link",
		"content.image", "content.audio", "content.embedded-resource", "content.resource-link", "content.annotations.audience",
		"content.annotations.priority", "content.annotations.last-modified")
	s := newServer(nil)
	a := &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser, "nobody"}, Priority: new(7.5), LastModified: time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))}
	must(t, s.AddPrompt(mcp.Prompt{Name: "all"}, says(
		&mcp.ImageContent{Data: []byte{0xFF, 0, 1}, MIMEType: "image/png", Annotations: a},
		&mcp.AudioContent{Data: []byte("wave"), MIMEType: "audio/wav"},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "docs://a", Text: "A"}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "docs://b", MIMEType: "image/gif", Blob: []byte{0xFF}}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "docs://c", Text: "\xFF"}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "docs://e", Blob: []byte{}}},
		&mcp.ResourceLink{URI: "docs://d", Name: "d", Title: "D", Description: "about d", MIMEType: "text/plain", Size: 3},
	)))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "prompts/get", params(promptParams("all", "")))
		annotations := `{"audience":["user"],"priority":1,"lastModified":"2026-01-02T02:04:05Z"}`
		audio := `{"type":"audio","data":"d2F2ZQ==","mimeType":"audio/wav"}`
		link := `{"type":"resource_link","uri":"docs://d","name":"d","title":"D","description":"about d","mimeType":"text/plain","size":3}`
		if revision < "2025-06-18" {
			annotations = `{"audience":["user"],"priority":1}`
			link = `{"type":"text","text":"d: docs://d\nabout d"}`
		}
		if revision < "2025-03-26" {
			audio = `{"type":"text","text":"[audio, audio/wav, 4 bytes: this client's protocol revision cannot receive it]"}`
		}
		var got []any
		for _, message := range list(m.Result["messages"]) {
			got = append(got, object(message)["content"])
		}
		sameJSON(t, "contents", got, `[
			{"type":"image","data":"/wAB","mimeType":"image/png","annotations":`+annotations+`},
			`+audio+`,
			{"type":"resource","resource":{"uri":"docs://a","mimeType":"text/plain","text":"A"}},
			{"type":"resource","resource":{"uri":"docs://b","mimeType":"image/gif","blob":"/w=="}},
			{"type":"resource","resource":{"uri":"docs://c","mimeType":"application/octet-stream","blob":"/w=="}},
			{"type":"resource","resource":{"uri":"docs://e","mimeType":"application/octet-stream","blob":""}},
			`+link+`]`)
	})
}

func TestAPromptThatFailsIsAnInternalError(t *testing.T) {
	proves(t, "prompts.error.internal", "prompts.security.validate", "prompts.content.image", "prompts.content.audio", "prompts.content.embedded", "content.role")
	var log strings.Builder
	s := newServer(&mcp.ServerOptions{Logger: textLogger(&log)})
	handlers := map[string]promptHandler{
		"error": fails(errors.New("secret detail")),
		"panic": func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			panic("secret detail")
		},
		"nothing":          fails(nil),
		"no content":       says(nil),
		"link without URI": says(&mcp.ResourceLink{Name: "x"}),
		"bad resource URI": says(&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "no scheme", Text: "x"}}),
		"path out":         says(&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "file:///a/../../etc/passwd", Text: "x"}}),
		"tool use":         says(&mcp.ToolUseContent{ID: "1", Name: "x"}),
	}
	for _, role := range []mcp.Role{"system", "User", "ASSISTANT", "user ", "tool"} {
		handlers["role "+string(role)] = func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.Text("x")}, {Role: role, Content: mcp.Text("x")}}}, nil
		}
	}
	for _, mime := range []string{"", "wav", "audio/", "/png", "a/b\n"} {
		handlers[fmt.Sprintf("MIME type %q of an image", mime)] = says(&mcp.ImageContent{Data: []byte{1}, MIMEType: mime})
		handlers[fmt.Sprintf("MIME type %q of audio", mime)] = says(&mcp.AudioContent{Data: []byte{1}, MIMEType: mime})
	}
	for _, uri := range []string{"", "a", "1:x", "x:%", "file:///../a"} {
		handlers[fmt.Sprintf("URI %q", uri)] = says(&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: uri, Text: "x"}})
	}
	for name, handler := range handlers {
		must(t, s.AddPrompt(mcp.Prompt{Name: name}, handler))
	}
	must(t,
		s.AddPrompt(mcp.Prompt{Name: "coded"}, fails(fmt.Errorf("wrapped: %w", &mcp.Error{Code: mcp.CodeInvalidParams, Message: "no such city", Data: json.RawMessage(`{"city":"X"}`)}))),
		s.AddPrompt(mcp.Prompt{Name: "fine"}, says(mcp.Text("alive"))))
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		for name := range handlers {
			m := p.ask("1", "prompts/get", params(promptParams(name, "")))
			if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") {
				t.Errorf("%s: %s", name, m.line)
			}
		}
		if m := p.ask("2", "prompts/get", params(promptParams("coded", ""))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || m.Error.Message != "no such city" || m.Error.Data["city"] != "X" {
			t.Error(m.line)
		}
		if m := p.ask("3", "prompts/get", params(promptParams("fine", ""))); len(list(m.Result["messages"])) != 1 {
			t.Error(m.line)
		}
	})
	for _, part := range []string{"secret detail", "of an image", "prompt_test.go"} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("the log has no %q", part)
		}
	}
}

func TestMistakesInAPromptAreReportedAtOnce(t *testing.T) {
	proves(t, "icons.src-required")
	ranBeforeClients(t)
	s := greetServer(t)
	ok := says(mcp.Text("x"))
	argument := func(names ...string) (all []mcp.PromptArgument) {
		for _, name := range names {
			all = append(all, mcp.PromptArgument{Name: name})
		}
		return all
	}
	for _, test := range []struct {
		name    string
		prompt  mcp.Prompt
		handler promptHandler
		part    string
	}{
		{"no name", mcp.Prompt{}, ok, `prompt "": a name must have 1 to 256 bytes`},
		{"a long name", mcp.Prompt{Name: strings.Repeat("x", 257)}, ok, "1 to 256 bytes"},
		{"a line break in the name", mcp.Prompt{Name: "a\nb"}, ok, "control characters"},
		{"a name that is not UTF-8", mcp.Prompt{Name: "a\xff"}, ok, "UTF-8"},
		{"a name that is taken", mcp.Prompt{Name: "greet"}, ok, `prompt "greet": the name is taken`},
		{"no handler", mcp.Prompt{Name: "x"}, nil, `prompt "x": the handler is nil`},
		{"an argument without name", mcp.Prompt{Name: "x", Arguments: argument("a", "")}, ok, "argument 1: a name"},
		{"an argument twice", mcp.Prompt{Name: "x", Arguments: argument("a", "b", "a")}, ok, `argument "a" occurs twice`},
		{"an icon from a file", mcp.Prompt{Name: "x", Icons: []mcp.Icon{{Source: "file:///i.png"}}}, ok, "http, https or data"},
		{"an icon with a blank", mcp.Prompt{Name: "x", Icons: []mcp.Icon{{Source: "https://a/b c"}}}, ok, "percent-encoded"},
		{"an icon of no theme", mcp.Prompt{Name: "x", Icons: []mcp.Icon{{Source: "https://a/b", Theme: "blue"}}}, ok, "light or dark"},
		{"a bad _meta key", mcp.Prompt{Name: "x", Meta: mcp.Meta{"-": 1}}, ok, `_meta key "-"`},
	} {
		if err := s.AddPrompt(test.prompt, test.handler); err == nil || !strings.Contains(err.Error(), test.part) {
			t.Errorf("%s: %v, want %q in it", test.name, err, test.part)
		}
	}
	p := connect(t, s)
	if m := p.ask("1", "prompts/list", p.open("2026-07-28")("")); len(list(m.Result["prompts"])) != 1 {
		t.Errorf("one that was refused is listed: %s", m.line)
	}
}
