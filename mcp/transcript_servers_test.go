package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// transcriptServers contains functions that create the servers for transcripts.
var transcriptServers = map[string]func(*testing.T, *mcp.ServerOptions) *mcp.Server{
	"bare": func(_ *testing.T, opts *mcp.ServerOptions) *mcp.Server {
		return mcp.NewServer(mcp.Implementation{Name: "bare", Version: "1"}, opts)
	},
	"declared": func(_ *testing.T, opts *mcp.ServerOptions) *mcp.Server {
		opts.Capabilities = mcp.ServerCapabilities{Tools: true, Prompts: true, Resources: true, Completions: true, Logging: true, Tasks: true}
		return mcp.NewServer(mcp.Implementation{Name: "declared", Version: "1"}, opts)
	},
	"plain": func(t *testing.T, opts *mcp.ServerOptions) *mcp.Server {
		s := mcp.NewServer(mcp.Implementation{Name: "plain", Version: "1"}, opts)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "tell"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Log(mcp.LevelEmergency, "", "not declared")
			r.Progress(1, 1, "")
			return "told", nil
		}))
		return s
	},
	"guarded": guardedServer,
	"full": func(t *testing.T, opts *mcp.ServerOptions) *mcp.Server {
		return fullServer(t, mcp.Implementation{Name: "full", Version: "1"}, opts)
	},
	"titled": func(t *testing.T, opts *mcp.ServerOptions) *mcp.Server {
		info := mcp.Implementation{Name: "titled", Version: "2", Title: "Titled", Description: "everything", WebsiteURL: "https://example.com", Icons: allIcons}
		return fullServer(t, info, opts)
	},
}

// Fields that several kinds of entries have.
var (
	allIcons = []mcp.Icon{
		{Source: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48", "any"}, Theme: "dark"},
		{Source: "data:image/png;base64,AA=="},
	}
	allMeta        = mcp.Meta{"com.example/key": map[string]int{"n": 1}, "plain": nil}
	allAnnotations = &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser, mcp.RoleAssistant}, Priority: new(0.25), LastModified: time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC)}
)

// allContent returns content of every type, both with all fields and with none.
func allContent() []mcp.Content {
	return []mcp.Content{
		mcp.Text(""), mcp.Text("line\n\u2028 \"quoted\" \\ \x00 not UTF-8: \xFF"),
		&mcp.TextContent{Text: "text", Annotations: allAnnotations, Meta: allMeta},
		&mcp.TextContent{Text: "text", Annotations: &mcp.Annotations{Audience: []mcp.Role{mcp.RoleAssistant, "system"}, Priority: new(-1.0)}},
		&mcp.TextContent{Text: "text", Annotations: &mcp.Annotations{Audience: []mcp.Role{"system"}, Priority: new(2.0)}},
		&mcp.TextContent{Text: "text", Annotations: &mcp.Annotations{Priority: new(0.0)}},
		&mcp.ImageContent{Data: []byte{0xFB, 0xFF, 0xFE, 1}, MIMEType: "image/png"},
		&mcp.ImageContent{Data: []byte{0xFB}, MIMEType: "image/svg+xml", Annotations: allAnnotations, Meta: allMeta},
		&mcp.AudioContent{Data: []byte{0xFB, 0xFF}, MIMEType: "audio/wav"},
		&mcp.AudioContent{MIMEType: "audio/ogg", Annotations: allAnnotations, Meta: allMeta},
		&mcp.ResourceLink{URI: "x:link", Name: "link"},
		&mcp.ResourceLink{URI: "x:link", Name: "link", Title: "Title", Description: "Description", MIMEType: "text/plain", Size: 3, Icons: allIcons, Annotations: allAnnotations, Meta: allMeta},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:empty"}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:text", Text: "text", MIMEType: "text/x", Meta: allMeta}, Annotations: allAnnotations, Meta: allMeta},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:blob", Blob: []byte{0xFB, 0xFF}, MIMEType: "image/png"}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:both", Text: "text", Blob: []byte{}}},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:not-text", Text: "\xFB\xFF"}},
	}
}

// fullServer returns a server with entries of every kind, both with all fields and with none.
func fullServer(t *testing.T, info mcp.Implementation, opts *mcp.ServerOptions) *mcp.Server {
	t.Helper()
	opts.Capabilities.Logging = true
	opts.Instructions = "Read everything."
	opts.ListTTL = time.Minute
	s := mcp.NewServer(info, opts)
	must(t, s.AddExtension("com.example/maps", map[string]bool{"zoom": true}),
		s.Handle("maps/zoom", func(context.Context, *mcp.Request) (mcp.Result, error) {
			return mcp.RawResult(`{"x":[1, 2],"_meta":{"com.example/x":1}}`), nil
		}))
	addFullTools(t, s)
	addAskingTools(t, s)
	addFullEntries(t, s)
	return s
}

func addFullTools(t *testing.T, s *mcp.Server) {
	t.Helper()
	result := func(name string, res *mcp.CallToolResult, err error) error {
		return mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) { return res, err })
	}
	raw := func(name, schema string, value any, content ...mcp.Content) error {
		return mcp.AddTool(s, mcp.Tool{Name: name, OutputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Structured: value, Content: content}, nil
		})
	}
	must(t,
		mcp.AddTool(s, mcp.Tool{
			Name: "Full-tool_1.x", Title: "Full", Description: "A tool with everything.", Icons: allIcons, Meta: allMeta, TaskSupport: mcp.TaskSupportOptional,
			Annotations: &mcp.ToolAnnotations{Destructive: new(false), Idempotent: true, OpenWorld: new(false)},
		}, func(_ context.Context, _ *mcp.Request, in struct {
			Text   string   `json:"text" maxLength:"5"`
			Count  int      `json:"count,omitempty" minimum:"1" maximum:"3" default:"2"`
			Places []string `json:"places,omitempty"`
		}) (map[string]any, error) {
			return map[string]any{"text": in.Text, "count": in.Count, "places": in.Places}, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "read-only", Annotations: &mcp.ToolAnnotations{ReadOnly: true}}, says1("read")),
		mcp.AddTool(s, mcp.Tool{Name: "must", TaskSupport: mcp.TaskSupportRequired}, says1("must")),
		mcp.AddTool(s, mcp.Tool{Name: "optional", TaskSupport: mcp.TaskSupportOptional}, says1("optional")),
		mcp.AddTool(s, mcp.Tool{Name: "failing-task", TaskSupport: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", errors.New("disk is full")
		}),
		mcp.AddTool(s, mcp.Tool{Name: "refusing-task", TaskSupport: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Code: -1, Message: "not today", Data: json.RawMessage(`{"retry": true}`)}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "choosing-task", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			task, err := r.BecomeTask()
			if task {
				return "a task", err
			}
			return "no task", err
		}),
		result("everything", &mcp.CallToolResult{Content: allContent(), Meta: allMeta}, nil),
		result("nothing", nil, nil),
		result("no-blocks", &mcp.CallToolResult{Content: []mcp.Content{}}, nil),
		result("mistake", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("mistake")}, IsError: true, Structured: map[string]int{"n": 1}, Meta: allMeta}, nil),
		result("fail", nil, errors.New("disk is full")),
		result("refuse", nil, &mcp.Error{Code: -1, Message: "not today", Data: json.RawMessage("{\n\"retry\": true}")}),
		result("refuse-0", nil, &mcp.Error{Message: "zero"}),
		result("refuse-7", nil, &mcp.Error{Code: 7, Message: "positive"}),
		result("refuse-1e9", nil, &mcp.Error{Code: 1e9, Message: ""}),
		result("refuse--32700", nil, &mcp.Error{Code: mcp.CodeParseError, Message: "parse", Data: json.RawMessage(`{"x": 1}`)}),
		result("refuse-not-found", nil, &mcp.Error{Code: mcp.CodeMethodNotFound, Message: "not found"}),
		result("refuse-32001", nil, &mcp.Error{Code: -32001, Message: "server's own"}),
		result("refuse-32002", nil, &mcp.Error{Code: -32002, Message: "retired"}),
		result("refuse-32019", nil, &mcp.Error{Code: -32019, Message: "legacy range"}),
		result("refuse-32020", nil, &mcp.Error{Code: -32020, Message: "defined"}),
		result("refuse-32022", nil, &mcp.Error{Code: -32022, Message: "defined"}),
		result("refuse-32023", nil, &mcp.Error{Code: -32023, Message: "undefined"}),
		result("refuse-32042", nil, mcp.URLElicitationRequired("Sign in.",
			&mcp.Elicitation{Message: "one", URL: "https://example.com/1", ID: strings.Repeat("first ", 20)},
			&mcp.Elicitation{Message: "two", URL: "https://example.com/2", ID: "second"})),
		result("refuse-32042-form", nil, mcp.URLElicitationRequired("Sign in.", &mcp.Elicitation{Message: "one"})),
		result("refuse-32099", nil, &mcp.Error{Code: -32099, Message: "undefined"}),
		result("refuse-32100", nil, &mcp.Error{Code: -32100, Message: "outside"}),
		result("not-content", &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte{1}}}}, nil),
		mcp.AddTool(s, mcp.Tool{Name: "panic"}, func(context.Context, *mcp.Request, struct{}) (string, error) { panic("secret detail") }),
		raw("object", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, map[string]int{"n": 1}),
		raw("object-with-content", `{"type":"object"}`, map[string]int{"n": 1}, mcp.Text("n is 1")),
		raw("array", `{"type":"array"}`, []int{1, 2}),
		raw("array-with-content", `{"type":"array"}`, []int{1, 2}, mcp.Text("1 and 2")),
		raw("array-with-copy", `{"type":"array"}`, []int{1, 2}, mcp.Text("[1,2]")),
		raw("text-value", `{"type":"string"}`, "text"),
		raw("null-value", `{"type":"null"}`, json.RawMessage("null")),
		raw("not-the-schema", `{"type":"object","required":["m"]}`, map[string]int{"n": 1}),
		raw("not-the-schema-with-content", `{"type":"object","properties":{"n":{"maximum":0}}}`, map[string]int{"n": 1}, mcp.Text("n is 1")),
		raw("no-structured", `{"type":"object"}`, nil, mcp.Text("text")),
		mcp.AddTool(s, mcp.Tool{Name: "reports"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			for _, progress := range []float64{0, 0.5, 0.5, 0.25, 1, 2e9} {
				r.Progress(progress, 2e9, "at")
			}
			r.Progress(3e9, 0, "")
			return "reported", nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "logs"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			for level := mcp.LevelDebug; level <= mcp.LevelEmergency; level++ {
				r.Log(level, "logger", "text")
			}
			r.Log(mcp.LevelEmergency, "", nil)
			r.Log(mcp.LevelEmergency, "", "")
			r.Log(mcp.LevelEmergency, "", 0)
			r.Log(mcp.LevelEmergency, "l", map[string]any{"list": []int{1}, "password": "hunter2"})
			r.Log(0, "", "no level")
			r.Log(mcp.LevelEmergency+1, "", "no level")
			return "logged", nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "who"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return r.Client().Name + " " + r.Revision() + " " + r.Method() + " " + r.Name() + " " + r.Principal(), nil
		}),
	)
}

// addAskingTools adds tools that ask the client questions.
func addAskingTools(t *testing.T, s *mcp.Server) {
	t.Helper()
	ask := func(name string, questions ...func() mcp.Question) error {
		return mcp.AddTool(s, mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			said := ""
			for _, make := range questions {
				answers, err := r.Ask(ctx, make())
				if err != nil {
					return "", err
				}
				var result any
				switch got := answers[0].(type) {
				case *mcp.ElicitationResult:
					result = []string{string(got.Action), string(got.Content)}
				case *mcp.SamplingResult:
					result = []string{got.Model, string(got.Role), got.StopReason, got.Text()}
				case *mcp.RootsResult:
					result = got.Roots
				}
				text, err := json.Marshal(result)
				if err != nil {
					return "", err
				}
				said += string(text)
			}
			return said, nil
		})
	}
	form := func(schema string) func() mcp.Question {
		return func() mcp.Question { return &mcp.Elicitation{Message: "Fill in.", Schema: json.RawMessage(schema)} }
	}
	field := func(schema string) func() mcp.Question {
		return form(`{"type":"object","properties":{"f":` + schema + `}}`)
	}
	page := func(url, id string) func() mcp.Question {
		return func() mcp.Question { return &mcp.Elicitation{Message: "Pay.", URL: url, ID: id} }
	}
	sample := func(change func(*mcp.Sampling)) func() mcp.Question {
		return func() mcp.Question {
			q := &mcp.Sampling{MaxTokens: 10, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hi."))}}
			change(q)
			return q
		}
	}
	roots := func() mcp.Question { return &mcp.RootsQuestion{} }
	use := func(id string) mcp.Content { return &mcp.ToolUseContent{ID: id, Name: "tool"} }
	answer := func(id string) mcp.Content {
		return &mcp.ToolResultContent{ToolUseID: id, Content: []mcp.Content{mcp.Text("done")}}
	}
	talk := func(messages ...mcp.SamplingMessage) func() mcp.Question {
		return sample(func(q *mcp.Sampling) {
			q.Messages, q.Tools = messages, []mcp.Tool{{Name: "tool", InputSchema: json.RawMessage(`{"type":"object"}`)}}
		})
	}
	user, assistant := mcp.RoleUser, mcp.RoleAssistant
	hi := said(user, mcp.Text("Hi."))
	must(t,
		ask("ask-keyed", func() mcp.Question { return &mcp.RootsQuestion{Key: "the roots"} },
			func() mcp.Question {
				return &mcp.Sampling{Key: "é", MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hi."))}}
			},
			func() mcp.Question {
				return &mcp.Elicitation{Key: "form", Message: "Fill in.", Schema: json.RawMessage(`{"type":"object","properties":{"f":{"type":"integer"}}}`)}
			},
			func() mcp.Question {
				return &mcp.Elicitation{Key: "page", Message: "Pay.", URL: "http://example.com", ID: "1"}
			}),
		ask("ask-roots", roots),
		ask("ask-twice", roots, form(`{"type":"object","properties":{"name":{"type":"string"}}}`)),
		ask("ask-form", form(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"T","description":"D","additionalProperties":false,"required":["s"],"properties":{
			"s":{"type":"string","title":"S","description":"D","minLength":1,"maxLength":3,"default":"a","pattern":"^[a-z]+$"},
			"mail":{"type":"string","format":"email"},"n":{"type":"number","minimum":0.5,"maximum":2,"default":1},"i":{"type":"integer","minimum":1},
			"b":{"type":"boolean","default":true},"e":{"type":"string","enum":["x","y"]},"names":{"type":"string","enum":["x","y"],"enumNames":["X","Y"]}}}`)),
		ask("ask-empty-form", form(`{"type":"object"}`)),
		ask("ask-choices", field(`{"type":"string","oneOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}],"default":"x"}`)),
		ask("ask-several", field(`{"type":"array","items":{"type":"string","enum":["x","y"]},"minItems":1,"maxItems":2,"uniqueItems":true,"default":["x"]}`)),
		ask("ask-several-titled", field(`{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}}`)),
		ask("ask-nested", field(`{"type":"object"}`)),
		ask("ask-array-of-numbers", field(`{"type":"array","items":{"type":"number"}}`)),
		ask("ask-array-of-any-string", field(`{"type":"array","items":{"type":"string","enum":[]}}`)),
		ask("ask-array-without-items", field(`{"type":"array","items":{"type":"string"}}`)),
		ask("ask-union", field(`{"type":["string","null"]}`)),
		ask("ask-any", field(`{}`)),
		ask("ask-null", field(`{"type":"null"}`)),
		ask("ask-const", field(`{"type":"string","const":"x"}`)),
		ask("ask-multiple", field(`{"type":"integer","multipleOf":2}`)),
		ask("ask-minimum-of-text", field(`{"type":"string","minimum":2}`)),
		ask("ask-format-of-number", field(`{"type":"number","format":"email"}`)),
		ask("ask-untitled-choice", field(`{"type":"string","oneOf":[{"const":"x"}]}`)),
		ask("ask-no-choice", field(`{"type":"string","oneOf":[]}`)),
		ask("ask-defs", form(`{"type":"object","$defs":{"x":{"type":"string"}}}`)),
		ask("ask-no-object", form(`{"type":"array"}`)),
		ask("ask-no-type", form(`{"properties":{}}`)),
		ask("ask-no-schema", form(``)),
		ask("ask-no-message", func() mcp.Question { return &mcp.Elicitation{Schema: json.RawMessage(`{"type":"object"}`)} }),
		ask("ask-page", page("https://example.com/pay?x=1", "pay 1")),
		ask("ask-page-without-id", page("https://example.com/pay", "")),
		ask("ask-page-without-host", page("https:///pay", "1")),
		ask("ask-page-without-scheme", page("example.com/pay", "1")),
		ask("ask-page-relative", page("/pay", "1")),
		ask("ask-model", sample(func(*mcp.Sampling) {})),
		ask("ask-model-all", sample(func(q *mcp.Sampling) {
			q.SystemPrompt, q.Temperature, q.StopSequences, q.IncludeContext, q.Metadata = "Be brief.", new(0.0), []string{".", "!"}, "thisServer", mcp.Meta{"x": 1}
			q.Preferences = &mcp.ModelPreferences{Hints: []string{"small", "fast"}, CostPriority: 0.5, SpeedPriority: 1.5, IntelligencePriority: 7}
		})),
		ask("ask-model-low", sample(func(q *mcp.Sampling) {
			q.Preferences, q.IncludeContext = &mcp.ModelPreferences{CostPriority: 3, SpeedPriority: -1, IntelligencePriority: 1}, "none"
		})),
		ask("ask-model-without-tokens", sample(func(q *mcp.Sampling) { q.MaxTokens = 0 })),
		ask("ask-model-negative", sample(func(q *mcp.Sampling) { q.MaxTokens = -1 })),
		ask("ask-model-image", sample(func(q *mcp.Sampling) {
			q.Messages = []mcp.SamplingMessage{said(assistant, &mcp.ImageContent{Data: []byte{0xFB}, MIMEType: "image/png"})}
		})),
		ask("ask-model-audio", sample(func(q *mcp.Sampling) {
			q.Messages = []mcp.SamplingMessage{said(user, &mcp.AudioContent{Data: []byte{0xFB}, MIMEType: "audio/wav"})}
		})),
		ask("ask-model-two-blocks", sample(func(q *mcp.Sampling) { q.Messages = []mcp.SamplingMessage{said(user, mcp.Text("a"), mcp.Text("b"))} })),
		ask("ask-model-no-block", sample(func(q *mcp.Sampling) { q.Messages = []mcp.SamplingMessage{said(user)} })),
		ask("ask-model-no-message", sample(func(q *mcp.Sampling) { q.Messages = nil })),
		ask("ask-model-no-role", sample(func(q *mcp.Sampling) { q.Messages = []mcp.SamplingMessage{said("", mcp.Text("a"))} })),
		ask("ask-model-system", sample(func(q *mcp.Sampling) { q.Messages = []mcp.SamplingMessage{said("system", mcp.Text("a"))} })),
		ask("ask-model-link", sample(func(q *mcp.Sampling) {
			q.Messages = []mcp.SamplingMessage{said(user, &mcp.ResourceLink{URI: "x:a", Name: "a"})}
		})),
		ask("ask-model-resource", sample(func(q *mcp.Sampling) {
			q.Messages = []mcp.SamplingMessage{said(user, &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:a"}})}
		})),
		ask("ask-tools", talk(hi)),
		ask("ask-tool-choice", sample(func(q *mcp.Sampling) { q.ToolChoice = "none" })),
		ask("ask-tools-answered", talk(hi, said(assistant, mcp.Text("calls"), use("1"), use("2")), said(user, answer("2"), answer("1")), said(assistant, mcp.Text("ok")))),
		ask("ask-tools-unanswered", talk(hi, said(assistant, use("1")))),
		ask("ask-tools-answered-late", talk(hi, said(assistant, use("1")), hi, said(user, answer("1")))),
		ask("ask-tools-half-answered", talk(hi, said(assistant, use("1"), use("2")), said(user, answer("1")))),
		ask("ask-tools-over-answered", talk(hi, said(assistant, use("1")), said(user, answer("1"), answer("2")))),
		ask("ask-tools-answered-twice", talk(hi, said(assistant, use("1"), use("2")), said(user, answer("1"), answer("1")))),
		ask("ask-tools-other-id", talk(hi, said(assistant, use("1")), said(user, answer("2")))),
		ask("ask-tools-no-use", talk(hi, said(user, answer("1")))),
		ask("ask-tools-mixed", talk(hi, said(assistant, use("1")), said(user, answer("1"), mcp.Text("and")))),
		ask("ask-tools-of-user", talk(said(user, use("1")), said(user, answer("1")))),
		ask("ask-tools-of-assistant", talk(said(assistant, use("1")), said(assistant, answer("1")))),
	)
}

func addFullEntries(t *testing.T, s *mcp.Server) {
	t.Helper()
	names := func(n int) mcp.Completer {
		return func(_ context.Context, _ *mcp.Request, typed string, chosen map[string]string) (mcp.Completion, error) {
			values := make([]string, n)
			for i := range values {
				values[i] = typed + strings.Repeat("x", i%3) + chosen["other"]
			}
			return mcp.Completion{Values: values}, nil
		}
	}
	fixed := func(c mcp.Completion, err error) mcp.Completer {
		return func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) { return c, err }
	}
	prompt := func(name string, res *mcp.PromptResult, err error) error {
		return s.AddPrompt(mcp.Prompt{Name: name}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) { return res, err })
	}
	var messages []mcp.PromptMessage
	for i, c := range allContent() {
		messages = append(messages, mcp.PromptMessage{Role: []mcp.Role{"", mcp.RoleUser, mcp.RoleAssistant}[i%3], Content: c})
	}
	must(t,
		s.AddPrompt(mcp.Prompt{
			Name: "full é", Title: "Full", Description: "A prompt with everything.", Icons: allIcons, Meta: allMeta,
			Arguments: []mcp.PromptArgument{
				{Name: "a", Title: "A", Description: "an argument", Required: true, Complete: names(3)},
				{Name: "b", Complete: names(100)}, {Name: "c", Complete: names(101)}, {Name: "d"},
				{Name: "total", Complete: fixed(mcp.Completion{Values: []string{"a"}, Total: 7}, nil)},
				{Name: "more", Complete: fixed(mcp.Completion{Values: []string{"a"}, More: true}, nil)},
				{Name: "failing", Complete: fixed(mcp.Completion{}, errors.New("disk is full"))},
				{Name: "refusing", Complete: fixed(mcp.Completion{}, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "no"})},
			},
		}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
			text, err := json.Marshal(args)
			return &mcp.PromptResult{Description: "filled in", Messages: []mcp.PromptMessage{{Content: mcp.Text(string(text))}}, Meta: allMeta}, err
		}),
		prompt("everything", &mcp.PromptResult{Messages: messages}, nil),
		prompt("nothing", &mcp.PromptResult{}, nil),
		prompt("no-result", nil, nil),
		prompt("no-content", &mcp.PromptResult{Messages: []mcp.PromptMessage{{}}}, nil),
		prompt("no-type", &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: &mcp.ImageContent{}}}}, nil),
		prompt("no-uri", &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: &mcp.EmbeddedResource{}}}}, nil),
		prompt("system", &mcp.PromptResult{Messages: []mcp.PromptMessage{{Role: "system", Content: mcp.Text("a")}}}, nil),
		prompt("fail", nil, errors.New("disk is full")),
		prompt("refuse", nil, &mcp.Error{Code: -1, Message: "not today"}),
	)
	resource := func(uri string, contents []mcp.ResourceContents, err error) error {
		return s.AddResource(mcp.Resource{URI: uri, Name: "n"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return contents, err })
	}
	must(t,
		s.AddResource(mcp.Resource{
			URI: "https://example.com/full?x=%20#f", Name: "full", Title: "Full", Description: "A resource with everything.", MIMEType: "text/x", Size: 12,
			Annotations: allAnnotations, Icons: allIcons, Meta: allMeta, Caching: mcp.Caching{TTL: time.Second, Public: true},
		}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{
				{Text: "text", Meta: allMeta}, {}, {URI: "x:other", Text: "other"}, {URI: "x:typed", Text: "{}", MIMEType: "application/json"},
				{Blob: []byte{0xFB, 0xFF, 0xFE}}, {Blob: []byte{}}, {Text: "\xFB\xFF"},
			}, nil
		}),
		s.AddResource(mcp.Resource{URI: "x:negative", Name: "negative", Caching: mcp.Caching{TTL: -time.Second}}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "text"}}, nil
		}),
		resource("x:nil", nil, nil), resource("x:empty", []mcp.ResourceContents{}, nil), resource("x:gone", nil, mcp.ErrResourceNotFound),
		resource("x:fail", nil, errors.New("disk is full")), resource("x:bad-uri", []mcp.ResourceContents{{URI: "no scheme"}}, nil),
		resource("file:///a/b.txt", []mcp.ResourceContents{{Text: "b"}}, nil),
		s.AddResourceTemplate(mcp.ResourceTemplate{
			URITemplate: "docs://{name}/{page}", Name: "docs", Title: "Docs", Description: "A template with everything.", MIMEType: "text/y",
			Annotations: allAnnotations, Icons: allIcons, Meta: allMeta, Caching: mcp.Caching{TTL: 1500 * time.Microsecond},
			Complete: map[string]mcp.Completer{"name": names(2)},
		}, func(_ context.Context, _ *mcp.Request, uri string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
			if vars.Get("name") == "none" {
				return nil, nil
			}
			return []mcp.ResourceContents{{Text: vars.Get("name") + "/" + vars.Get("page")}, {URI: uri + "x", Text: "x"}}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "file:///{+path}", Name: "files"}, func(_ context.Context, _ *mcp.Request, _ string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: vars.Get("path")}}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "b:{a}", Name: "b"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return nil, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "c:{a}", Name: "c"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return nil, nil
		}),
	)
}

// guardedServer returns a server with a public entry of each kind and two hidden ones. For the
// second one, Visible panics.
func guardedServer(t *testing.T, opts *mcp.ServerOptions) *mcp.Server {
	t.Helper()
	opts.Visible = func(_ *mcp.Request, e mcp.Entry) bool {
		if strings.Contains(entryName(e), "broken") {
			panic("broken")
		}
		return !strings.Contains(entryName(e), "secret")
	}
	s := mcp.NewServer(mcp.Implementation{Name: "guarded", Version: "1"}, opts)
	complete := mcp.OneOf("a", "b")
	for _, name := range []string{"broken", "open", "public", "quiet", "secret", "zoo"} {
		must(t, mcp.AddTool(s, mcp.Tool{Name: name, TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, says1(name)),
			s.AddPrompt(mcp.Prompt{Name: name, Arguments: []mcp.PromptArgument{{Name: "x", Complete: complete}}}, says()),
			s.AddResource(mcp.Resource{URI: "x:" + name, Name: name}, holds(mcp.ResourceContents{Text: name})),
			s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: name + ":{x}", Name: name, Complete: map[string]mcp.Completer{"x": complete}},
				func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
					return []mcp.ResourceContents{{Text: name}}, nil
				}))
	}
	return s
}
