package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestWhatAHandlerReturnsByMistakeIsLoggedByNameAndNotSent(t *testing.T) {
	type handler = func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error)
	blocks := func(blocks ...mcp.Content) handler {
		return func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: blocks}, nil
		}
	}
	for _, test := range []struct {
		name   string
		handle handler
		says   string // text that the log must contain
	}{
		{"no block", blocks(mcp.Text("a"), nil), `content block 1: there is no content`},
		{"a nil block", blocks((*mcp.TextContent)(nil)), `content block 0: it is a nil *mcp.TextContent`},
		{"a nil picture", blocks((*mcp.ImageContent)(nil)), `content block 0: it is a nil *mcp.ImageContent`},
		{"a picture of no type", blocks(&mcp.ImageContent{}), `content block 0: "" is not a MIME type`},
		{"a link to nowhere", blocks(&mcp.ResourceLink{Name: "x"}), `content block 0: a URI must have 1 to`},
		{"a block of a conversation", blocks(&mcp.ToolUseContent{}), `a *mcp.ToolUseContent is allowed only in a Sampling`},
		{"a nil *Error", func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			var e *mcp.Error
			return nil, e
		}, "the handler returned a nil *mcp.Error"},
		{"a panic", func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) { panic("boom") }, "panic=boom"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			must(t, mcp.AddTool(s, mcp.Tool{Name: "wrong"}, test.handle))
			for _, revision := range revisions {
				log.Reset()
				p := connect(t, s)
				if m := p.ask("1", "tools/call", p.open(revision)(callParams("wrong", `{}`))); !m.isInternalError() {
					t.Errorf("%s: %s", revision, m.line)
				}
				if got := strings.ReplaceAll(log.String(), `\"`, `"`); !strings.Contains(got, test.says) || !strings.Contains(got, "name=wrong") {
					t.Errorf("%s: the log says %s", revision, got)
				}
			}
		})
	}
}

func TestWhatAMethodReturnsByMistakeIsAnInternalError(t *testing.T) {
	for name, test := range map[string]struct {
		res  mcp.Result
		says string
	}{
		"nothing":             {nil, "neither a result nor an error"},
		"a nil result":        {(*mcp.CallToolResult)(nil), "a nil *mcp.CallToolResult and no error"},
		"a nil prompt":        {(*mcp.PromptResult)(nil), "a nil *mcp.PromptResult and no error"},
		"a nil resource":      {(*mcp.ResourceResult)(nil), "a nil *mcp.ResourceResult and no error"},
		"a nil completion":    {(*mcp.CompletionResult)(nil), "a nil *mcp.CompletionResult and no error"},
		"half an object":      {mcp.RawResult(`{"a":`), "not a JSON object"},
		"an array":            {mcp.RawResult(`[1]`), "not a JSON object"},
		"more than an object": {mcp.RawResult(`{} {}`), "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			must(t, s.Handle("example/wrong", func(context.Context, *mcp.Request) (mcp.Result, error) { return test.res, nil }))
			must(t, s.Handle("example/empty", func(context.Context, *mcp.Request) (mcp.Result, error) { return mcp.RawResult(nil), nil }))
			p := connect(t, s)
			params := p.open("2025-11-25")
			if m := p.ask("1", "example/wrong", params("")); !m.isInternalError() || !strings.Contains(log.String(), test.says) {
				t.Errorf("%s; the log says %s", m.line, &log)
			}
			if m := p.ask("2", "example/empty", params("")); m.Result == nil || len(m.Result) != 0 {
				t.Errorf("nothing at all: %s", m.line)
			}
		})
	}
}

func TestQuestionsThatCannotBeAskedAreAnErrorOfAskInEveryRevision(t *testing.T) {
	form := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	for _, test := range []struct {
		name      string
		questions []mcp.Question
		says      string
	}{
		{"no question", []mcp.Question{nil}, "question 0 is nil"},
		{"a nil elicitation", []mcp.Question{&mcp.RootsQuestion{}, (*mcp.Elicitation)(nil)}, "question 1 is nil"},
		{"a nil sampling", []mcp.Question{(*mcp.Sampling)(nil)}, "question 0 is nil"},
		{"nil roots", []mcp.Question{(*mcp.RootsQuestion)(nil)}, "question 0 is nil"},
		{"one key for two", []mcp.Question{&mcp.RootsQuestion{Key: "k"}, &mcp.Elicitation{Key: "k", Message: "m", Schema: form}}, `two questions have the key "k"`},
		{"no message", []mcp.Question{&mcp.RootsQuestion{}, &mcp.Elicitation{Schema: form}}, "elicitation: Message is empty"},
		{"no form", []mcp.Question{&mcp.Elicitation{Message: "m"}}, "elicitation: Schema must be"},
		{"no length", []mcp.Question{&mcp.Sampling{}}, "sampling: maxTokens must be positive"},
		{"a page without ID", []mcp.Question{&mcp.Elicitation{Message: "m", URL: "https://example.com/"}}, "elicitation: ID is needed with URL"},
	} {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(test.name+" on "+revision, func(t *testing.T) {
				s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
				must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
					return "asked", askOnly(ctx, r, test.questions...)
				}))
				p := connect(t, s)
				params := `{"name":"ask",` + metaWith(askedCapabilities) + `}`
				if revision != "2026-07-28" {
					p.openWith(revision, askedCapabilities)
					params = `{"name":"ask"}`
				}
				if m := p.ask("1", "tools/call", params); m.Result["isError"] != true || !strings.Contains(m.text(), test.says) {
					t.Error(m.line)
				}
			})
		}
	}
}

func TestAFormThatNoClientCanShowIsAnErrorAheadOfTheFirstCall(t *testing.T) {
	if schema, err := mcp.FormSchema[struct {
		Name string   `json:"name" minLength:"1"`
		Tags []string `json:"tags,omitempty" enum:"a,b"`
	}](); err != nil {
		t.Errorf("%s, %v", schema, err)
	}
	_, nested := mcp.FormSchema[struct{ In struct{ A int } }]()
	_, text := mcp.FormSchema[string]()
	_, free := mcp.FormSchema[map[string]any]()
	_, tag := mcp.FormSchema[struct {
		A int `minimum:"x"`
	}]()
	for says, err := range map[string]error{
		`elicitation: field "In": the type must be`: nested, "form of string: it must be a struct": text,
		"form of map[string]interface {}: it must be a struct": free, `tag minimum:"x": write a number`: tag,
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, without %s", err, says)
		}
	}
}

func TestAGatewayGivesRawResultsInTheFormOfItsClient(t *testing.T) {
	results := map[string]string{
		"full": `{"content":[{"type":"text","text":"hi"},{"type":"resource_link","uri":"x:y","name":"y"}],"structuredContent":{"n":1},"_meta":{"example.com/a":[1]},"resultType":"complete"}`,
		"fail": `{"content":[{"type":"text","text":"no"}],"isError":true}`,
		"odd":  `{"content":[{"type":"hologram"}]}`,
		"open": `{"resultType":"input_required","inputRequests":{}}`,
		"cut":  `{"content":[`,
	}
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: slog.New(slog.DiscardHandler)})
	for name, result := range results {
		tool := mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{"type":"object","required":["n"]}`)}
		must(t, mcp.AddTool(s, tool, func(context.Context, *mcp.Request, json.RawMessage) (mcp.RawResult, error) {
			return mcp.RawResult(result), nil
		}))
	}
	for _, revision := range revisions {
		p := connect(t, s)
		params := p.open(revision)
		m := p.ask("1", "tools/call", params(callParams("full", `{}`)))
		second := object(list(m.Result["content"])[1])
		if m.text() != "hi" || (m.Result["structuredContent"] != nil) != (revision >= "2025-06-18") || (second["type"] == "resource_link") != (revision >= "2025-06-18") || object(m.Result["_meta"])["example.com/a"] == nil {
			t.Errorf("%s: %s", revision, m.line)
		}
		if m := p.ask("2", "tools/call", params(callParams("fail", `{}`))); m.Result["isError"] != true || m.text() != "no" {
			t.Errorf("%s: %s", revision, m.line)
		}
		for _, name := range []string{"odd", "open", "cut"} {
			if m := p.ask("3", "tools/call", params(callParams(name, `{}`))); !m.isInternalError() {
				t.Errorf("%s: %s: %s", revision, name, m.line)
			}
		}
	}
}

func TestMistakesInMethodsExtensionsAndOptionsAreReported(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	h := func(context.Context, *mcp.Request) (mcp.Result, error) { return mcp.RawResult(nil), nil }
	must(t, s.Handle("example/x", h))
	for says, err := range map[string]error{
		`method "example/y": the handler is nil`:           s.Handle("example/y", nil),
		`method "": a method's name must not be empty`:     s.Handle("", h),
		`method "a\nb": a method's name must not`:          s.Handle("a\nb", h),
		`method "notifications/example" is a notification`: s.Handle("notifications/example", h),
		`method "rpc.discover": JSON-RPC reserves`:         s.Handle("rpc.discover", h),
		`method "tools/call" belongs to the protocol`:      s.Handle("tools/call", h),
		`method "example/x" already has a handler; give`:   s.Handle("example/x", h),
		`extension "com.example/": the id must follow`:     s.AddExtension("com.example/", nil),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, without %s", err, says)
		}
	}

	var log bytes.Buffer
	s = mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.HTTPHandler(&mcp.HTTPOptions{AllowedHosts: []string{"example.com", "::1", "[::1]:80", "a:80", "https://b"}, AllowedOrigins: []string{"*", "https://a.example:8443", "b.example", "https://c.example/", "https://d.example/x"}})
	for _, entry := range []string{"[::1]:80", "a:80", "https://b", "b.example", "https://c.example/", "https://d.example/x"} {
		if !strings.Contains(log.String(), `\"`+entry+`\"`) {
			t.Errorf("nothing is said of %s", entry)
		}
	}
	if n := strings.Count(log.String(), "level=WARN"); n != 6 {
		t.Errorf("%d warnings:\n%s", n, &log)
	}

	defer func() {
		if p := fmt.Sprint(recover()); p != "mcp: ServerOptions.Middleware[1] is nil" {
			t.Errorf("panic: %s", p)
		}
	}()
	mcp.NewServer(mcp.Implementation{}, &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler { return next }, nil}})
}

func TestAnArgumentThatTheSchemaTakesAndTheTypeDoesNotIsExplained(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "odd", InputSchema: json.RawMessage(`{"type":"object","properties":{"k":{"type":"integer"}}}`)},
		func(context.Context, *mcp.Request, struct {
			K string `json:"k"`
		}) (string, error) {
			return "", errors.New("reached")
		}))
	p := connect(t, s)
	if m := p.ask("1", "tools/call", p.open("2026-07-28")(callParams("odd", `{"k":1}`))); !strings.Contains(m.text(), `"odd": /k: it does not fit`) {
		t.Error(m.line)
	}
}

func TestARequestThatIsKeptAsksNobody(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	var request *mcp.Request
	must(t, mcp.AddTool(s, mcp.Tool{Name: "keep"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		request = r
		return "", nil
	}))
	must(t, mcp.AddTool(s, mcp.Tool{Name: "use"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		request.Progress(1, 2, "late")
		request.Log(mcp.LevelError, "", "late")
		_, err := request.Roots(ctx)
		return "", err
	}))
	for _, revision := range revisions {
		p := connect(t, s)
		meta := `,"_meta":{"progressToken":1}`
		if revision == "2026-07-28" {
			meta = "," + metaWith(askedCapabilities)
		} else {
			p.openWith(revision, askedCapabilities)
		}
		p.ask("1", "tools/call", `{"name":"keep"`+meta+`}`)
		if m := p.ask("2", "tools/call", `{"name":"use"`+meta+`}`); !strings.Contains(m.text(), "the request has ended") {
			t.Errorf("%s: %s", revision, m.line)
		}
	}
}

// season is a type whose schema changes.
type season string

var seasons = `["spring"]`

func (season) JSONSchema() []byte { return []byte(`{"type":"string","enum":` + seasons + `}`) }

func TestASchemaThatATypeMakesItselfIsAskedForEachTime(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	plant := func(_ context.Context, _ *mcp.Request, in struct {
		In season `json:"in"`
	}) (string, error) {
		return "planted in " + string(in.In), nil
	}
	p := connect(t, s)
	params := p.open(latest)
	for _, now := range []string{"spring", "autumn"} {
		seasons = `["` + now + `"]`
		must(t, mcp.AddTool(s, mcp.Tool{Name: "plant"}, plant, mcp.Replace))
		if m := p.ask(`"`+now+`"`, "tools/call", params(callParams("plant", `{"in":"`+now+`"}`))); m.text() != "planted in "+now {
			t.Errorf("%s: %s", now, m.line)
		}
	}
}
