package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func said(role mcp.Role, content ...mcp.Content) mcp.SamplingMessage {
	return mcp.SamplingMessage{Role: role, Content: content}
}

func TestPrioritiesOfSamplingLieBetween0And1(t *testing.T) {
	proves(t, "sampling.priorities.range")
	for _, value := range []float64{-1, 0.25, 1, 1.5, 7, math.NaN(), math.Inf(1)} {
		for _, revision := range revisions {
			p := connect(t, askerOf(t, func() mcp.Question { // a server lets only a few first calls of a tool wait
				return &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hello"))},
					Preferences: &mcp.ModelPreferences{CostPriority: value, SpeedPriority: value, IntelligencePriority: value}}
			}))
			method, params, m := question(t, p, revision)
			for _, name := range []string{"costPriority", "speedPriority", "intelligencePriority"} {
				sent := object(params["modelPreferences"])[name]
				got, isNumber := sent.(float64)
				if method == "" || sent != nil && !isNumber || got < 0 || got > 1 || 0 < value && value <= 1 && got != value {
					t.Errorf("%s: %v was sent as %s", revision, value, m.line)
				}
			}
		}
	}
}

func TestSamplingAsksWithAllItsParts(t *testing.T) {
	proves(t, "sampling.request.fields", "sampling.message.role-content", "sampling.priorities.range", "sampling.content.2024", "sampling.content.2025-h1")
	temperature := 0.5
	s := askerOf(t, func() mcp.Question {
		return &mcp.Sampling{
			Messages:      []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hello")), said(mcp.RoleAssistant, &mcp.AudioContent{Data: []byte("x"), MIMEType: "audio/wav"})},
			SystemPrompt:  "Be brief.",
			MaxTokens:     50,
			Temperature:   &temperature,
			StopSequences: []string{"END"},
			Preferences:   &mcp.ModelPreferences{Hints: []string{"small"}, CostPriority: 7, SpeedPriority: -1, IntelligencePriority: 0.25},
			Metadata:      mcp.Meta{"trace": "a"},
		}
	})
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			p := connect(t, s)
			method, params, m := question(t, p, revision)
			preferences := object(params["modelPreferences"])
			if method != "sampling/createMessage" || params["maxTokens"] != 50.0 || params["systemPrompt"] != "Be brief." || params["temperature"] != 0.5 ||
				preferences["costPriority"] != 1.0 || preferences["speedPriority"] != nil || preferences["intelligencePriority"] != 0.25 {
				t.Fatal(m.line)
			}
			messages := list(params["messages"])
			if len(messages) != 2 || object(messages[0])["role"] != "user" || object(object(messages[0])["content"])["text"] != "Hello" {
				t.Error(m.line)
			}
			kind := object(object(messages[1])["content"])["type"]
			if (kind == "audio") != (revision != "2024-11-05") {
				t.Errorf("audio became %v", kind)
			}
			answer := reply(p, revision, m, `{"role":"assistant","model":"m-1","stopReason":"endTurn","content":{"type":"text","text":"Hi!"}}`)
			if answer.text() != `assistant m-1 endTurn "Hi!"` {
				t.Error(answer.line)
			}
		})
	}
}

func TestSamplingWithToolsKeepsItsBalance(t *testing.T) {
	proves(t, "sampling.validate-content", "sampling.message.role-content", "sampling.content.array", "sampling.content.2024", "sampling.content.2025-h1", "tools.input-schema.not-null", "sampling.tools.result-only-messages", "sampling.tools.balance", "sampling.tools.reply-to-tool-use", "sampling.tools.result-id")
	use := func(id string) mcp.Content {
		return &mcp.ToolUseContent{ID: id, Name: "look", Input: json.RawMessage(`{"at": 1}`)}
	}
	result := func(id string) mcp.Content {
		return &mcp.ToolResultContent{ToolUseID: id, Content: []mcp.Content{mcp.Text("seen")}}
	}
	hello := said(mcp.RoleUser, mcp.Text("Look."))
	tests := []struct {
		name     string
		messages []mcp.SamplingMessage
		fine     bool
	}{
		{"each use answered", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a"), use("b")), said(mcp.RoleUser, result("a"), result("b"))}, true},
		{"several blocks", []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("a"), mcp.Text("b"))}, true},
		{"a use not answered", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a"), use("b")), said(mcp.RoleUser, result("a"))}, false},
		{"a use at the end", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a"))}, false},
		{"a use alone", []mcp.SamplingMessage{said(mcp.RoleAssistant, use("a"))}, false},
		{"a result alone", []mcp.SamplingMessage{said(mcp.RoleUser, result("a"))}, false},
		{"a result for nothing", []mcp.SamplingMessage{hello, said(mcp.RoleUser, result("a"))}, false},
		{"a result for another use", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a")), said(mcp.RoleUser, result("b"))}, false},
		{"a result beside text", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a")), said(mcp.RoleUser, result("a"), mcp.Text("there"))}, false},
		{"something between", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a")), hello, said(mcp.RoleUser, result("a"))}, false},
		{"a use by the user", []mcp.SamplingMessage{said(mcp.RoleUser, use("a")), said(mcp.RoleUser, result("a"))}, false},
		{"a result by the assistant", []mcp.SamplingMessage{said(mcp.RoleAssistant, use("a")), said(mcp.RoleAssistant, result("a"))}, false},
		{"an empty message", []mcp.SamplingMessage{said(mcp.RoleUser)}, false},
		{"an empty answer", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant), hello}, false},
		{"two results for one use", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a")), said(mcp.RoleUser, result("a"), result("a"))}, false},
		{"an empty message before another", []mcp.SamplingMessage{said(mcp.RoleUser), hello}, false},
		{"another role", []mcp.SamplingMessage{said("system", mcp.Text("x"))}, false},
		{"another role before", []mcp.SamplingMessage{said("system", mcp.Text("x")), hello}, false},
		{"another role between", []mcp.SamplingMessage{hello, said("User", mcp.Text("x")), hello}, false},
		{"no role", []mcp.SamplingMessage{said("", mcp.Text("x")), hello}, false},
		{"text before a result", []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a")), said(mcp.RoleUser, mcp.Text("there"), result("a"))}, false},
		{"a resource", []mcp.SamplingMessage{said(mcp.RoleUser, &mcp.ResourceLink{URI: "x:a", Name: "a"})}, false},
	}
	// Test other content blocks before, between and after results.
	for name, block := range map[string]mcp.Content{
		"text": mcp.Text("x"), "empty text": mcp.Text(""), "an image": &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"},
		"audio": &mcp.AudioContent{Data: []byte{1}, MIMEType: "audio/wav"}, "a use": use("c"), "a resource": &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:a"}},
	} {
		for position := range 3 {
			answers := slices.Insert([]mcp.Content{result("a"), result("b")}, position, block)
			tests = append(tests, struct {
				name     string
				messages []mcp.SamplingMessage
				fine     bool
			}{fmt.Sprintf("%s at %d of results", name, position), []mcp.SamplingMessage{hello, said(mcp.RoleAssistant, use("a"), use("b")), {Role: mcp.RoleUser, Content: answers}}, false})
		}
	}
	for _, test := range tests {
		s := askerOf(t, func() mcp.Question {
			return &mcp.Sampling{Messages: test.messages, MaxTokens: 5, Tools: []mcp.Tool{{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)}}, ToolChoice: "auto"}
		})
		for _, revision := range revisions[3:] {
			p := connect(t, s)
			method, params, m := question(t, p, revision)
			if (method != "") != test.fine {
				t.Errorf("%s: %s: %s", revision, test.name, m.line)
			}
			if test.fine && revision != latest {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no"}}`, m.ID))
				p.receive()
			}
			if test.fine && (len(list(params["tools"])) != 1 || object(params["toolChoice"])["mode"] != "auto") {
				t.Errorf("%s: %s", revision, m.line)
			}
		}
	}
	// Test answers with each type of content, alone and in an array.
	text, image, audio := `{"type":"text","text":"a"}`, `{"type":"image","data":"AA==","mimeType":"image/png"}`, `{"type":"audio","data":"AA==","mimeType":"audio/wav"}`
	toolUse := `{"type":"tool_use","id":"a","name":"look","input":{}}`
	plain := askerOf(t, func() mcp.Question { return &mcp.Sampling{Messages: []mcp.SamplingMessage{hello}, MaxTokens: 5} })
	for answer, fine := range map[string]bool{
		text: true, image: true, audio: true, toolUse: true, "[" + text + "]": true, "[" + image + "," + audio + "]": true,
		"[" + text + "," + toolUse + "," + toolUse + "]": true, `{"type":"video","data":""}`: false, `"text"`: false, "[7]": false,
		"[" + text + `,{"type":"text"}]`: false, `{"type":"image","data":"A","mimeType":"image/png"}`: false,
	} {
		for _, revision := range revisions[3:] {
			p := connect(t, plain)
			_, _, m := question(t, p, revision)
			got := reply(p, revision, m, `{"role":"assistant","model":"m","content":`+answer+`}`)
			if (strings.HasPrefix(got.text(), "assistant m")) != fine {
				t.Errorf("%s: the answer %s: %s", revision, answer, got.line)
			}
		}
	}
	several := askerOf(t, func() mcp.Question {
		return &mcp.Sampling{Messages: tests[1].messages, MaxTokens: 5}
	})
	for _, revision := range revisions[:3] {
		p := connect(t, several)
		if method, _, m := question(t, p, revision); method != "" {
			t.Errorf("%s: several blocks: %s", revision, m.line)
		}
	}
}

func TestSamplingTakesWhatModelsAnswer(t *testing.T) {
	s := askerOf(t, func() mcp.Question {
		return &mcp.Sampling{Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("x"))}, MaxTokens: 5}
	})
	for result, want := range map[string]string{
		`{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"a","name":"look","input":{}},{"type":"text","text":"t"}]}`: `assistant m  "t"`,
		`{"role":"assistant","model":"m","content":{"type":"image","data":"eA==","mimeType":"image/png"}}`:                              `assistant m  ""`,
		`{"role":"assistant","model":"m","content":{"type":"image","data":"%%","mimeType":"image/png"}}`:                                "",
		`{"role":"assistant","model":"m","content":{"type":"poem"}}`:                                                                    "",
		`{"role":"assistant","model":"m"}`:                                  "",
		`{"role":"robot","model":"m","content":{"type":"text","text":"t"}}`: "",
		`{"role":"assistant","model":"m","content":7}`:                      "",
	} {
		p := connect(t, s)
		_, _, m := question(t, p, "2025-11-25")
		answer := reply(p, "2025-11-25", m, result)
		if want != "" && answer.text() != want || want == "" && answer.Result["isError"] != true {
			t.Errorf("%s: %s", result, answer.line)
		}
	}
}

func TestSamplingAsksForNothingThatWasNotDeclared(t *testing.T) {
	proves(t, "sampling.tools.not-without-capability", "sampling.include-context.needs-capability")
	s := askerOf(t, func() mcp.Question {
		return &mcp.Sampling{Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("x"))}, MaxTokens: 5, ToolChoice: "none", IncludeContext: "allServers"}
	})
	m := connect(t, s).ask("1", "tools/call", `{"name":"ask",`+metaWith(`{"sampling":{}}`)+`}`)
	if m.Error == nil || m.Error.Code != mcp.CodeMissingCapability || object(object(m.Error.Data["requiredCapabilities"])["sampling"])["tools"] == nil {
		t.Error(m.line)
	}
	p := connect(t, s)
	p.openWith("2025-11-25", `{"sampling":{}}`)
	if m := p.ask("1", "tools/call", `{"name":"ask"}`); m.Result["isError"] != true {
		t.Error(m.line)
	}
	m = connect(t, s).ask("1", "tools/call", `{"name":"ask",`+metaWith(`{"sampling":{"tools":{}}}`)+`}`)
	if strings.Contains(m.line, "allServers") || !strings.Contains(m.line, "toolChoice") {
		t.Error(m.line)
	}
}

// TestEveryBlockOfAMessageIsSent makes the function Sample return blocks of each type, one at a
// time and together.
func TestEveryBlockOfAMessageIsSent(t *testing.T) {
	blocks := []mcp.Content{
		mcp.Text("a"), &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"}, &mcp.AudioContent{Data: []byte{2}, MIMEType: "audio/wav"},
		&mcp.ToolUseContent{ID: "u", Name: "look", Input: json.RawMessage(`{"at":1}`)},
	}
	const params = `{"maxTokens":1,"tools":[{"name":"look","inputSchema":{"type":"object"}}],"messages":[]}`
	forms := []string{
		`{"type":"text","text":"a"}`, `{"type":"image","data":"AQ==","mimeType":"image/png"}`, `{"type":"audio","data":"Ag==","mimeType":"audio/wav"}`,
		`{"type":"tool_use","id":"u","name":"look","input":{"at":1}}`,
	}
	eachPlayed(t, "sampling.result.fields", func(t *testing.T, revision, transport string) {
		var content []mcp.Content
		var role mcp.Role
		model, stop := "m", ""
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{SampleTools: true, Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
			return &mcp.SamplingResult{Content: content, Model: model, Role: role, StopReason: stop}, nil
		}, Logger: slog.New(slog.DiscardHandler)})
		// answer returns the client's answer to a sampling request, or "" if the request is
		// refused.
		answer := func() string {
			if revision != latest {
				request := params
				if revision < "2025-11-25" {
					request = `{"maxTokens":1,"messages":[]}` // these revisions have no tools in sampling
				}
				return string(p.Ask("sampling/createMessage", request).Result)
			}
			failed := calling(t, c, nil)
			p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","inputRequests":{"q":{"method":"sampling/createMessage","params":`+params+`}}}`)
			if len(content) == 0 || role == "system" {
				if err := <-failed; err == nil {
					t.Error("no error")
				}
				return ""
			}
			m := p.Expect("tools/call")
			var sent struct {
				Inputs struct {
					Q json.RawMessage `json:"q"`
				} `json:"inputResponses"`
			}
			must(t, json.Unmarshal(m.Params, &sent))
			p.Reply(m, emptyContent)
			must(t, <-failed)
			return string(sent.Inputs.Q)
		}
		for _, one := range []struct {
			content             []mcp.Content
			role                mcp.Role
			model, stop, result string
		}{
			{blocks[:1], "", "", "", `{"role":"assistant","content":{"type":"text","text":"a"},"model":""}`},
			{blocks[:1], mcp.RoleUser, "x", "endTurn", `{"role":"user","content":{"type":"text","text":"a"},"model":"x","stopReason":"endTurn"}`},
			{blocks[:1], mcp.RoleAssistant, "x", "other reason", `{"role":"assistant","content":{"type":"text","text":"a"},"model":"x","stopReason":"other reason"}`},
			{blocks[:1], "system", "x", "", ""},
			{nil, "", "x", "", ""},
			{[]mcp.Content{}, mcp.RoleUser, "x", "endTurn", ""},
		} {
			content, role, model, stop = one.content, one.role, one.model, one.stop
			if got := answer(); got != one.result {
				t.Errorf("answered %s, want %s", got, one.result)
			}
		}
		if revision < "2025-11-25" {
			return
		}
		proves(t, "sampling.content.array")
		role, model, stop = "", "m", ""
		for n := 1; n <= len(blocks); n++ {
			for from := range len(blocks) - n + 1 {
				content = blocks[from : from+n]
				want := strings.Join(forms[from:from+n], ",")
				if n > 1 {
					want = "[" + want + "]"
				}
				want = `{"role":"assistant","content":` + want + `,"model":"m"}`
				if got := answer(); got != want {
					t.Errorf("answered %s, want %s", got, want)
				}
			}
		}
	})
}

// blocksOfMessages contains blocks of every type, and whether a sampling message in revision
// 2025-11-25 and later can contain them.
var blocksOfMessages = []struct {
	block mcp.Content
	kind  string // "" if a message cannot contain the block
	tools bool   // whether older revisions do not support the block
}{
	{mcp.Text("a"), "text", false},
	{&mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}, "image", false},
	{&mcp.AudioContent{Data: []byte("x"), MIMEType: "audio/wav"}, "audio", false},
	{&mcp.ToolUseContent{ID: "u", Name: "t"}, "tool_use", true},
	{&mcp.ResourceLink{URI: "x:a", Name: "a"}, "", false},
	{&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "x:a", Text: "a"}}, "", false},
	{nil, "", false},
}

func TestAModelsMessageHasTheBlocksOfTheRevision(t *testing.T) {
	for _, row := range []string{"sampling.content.2024", "sampling.content.2025-h1", "sampling.content.array"} {
		eachPlayed(t, row, func(t *testing.T, revision, transport string) {
			if revision == latest {
				return // servers of this revision do not send requests
			}
			var block mcp.Content
			p, _ := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler), SampleTools: true,
				Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
					return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{block}}, nil
				}})
			for _, test := range blocksOfMessages {
				block = test.block
				want := `"content":{"type":"` + test.kind + `"`
				switch {
				case test.kind == "" || test.tools && revision < core:
					want = `"code":-32603`
				case test.kind == "audio" && revision == "2024-11-05":
					want = `"content":{"type":"text","text":"[audio`
				}
				if m := p.Ask("sampling/createMessage", `{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`); !strings.Contains(m.Line, want) {
					t.Errorf("%T: want %s: %s", block, want, m.Line)
				}
			}
		})
	}
}

func TestAMessageForAModelHasTheBlocksOfTheRevision(t *testing.T) {
	proves(t, "sampling.content.2024", "sampling.content.2025-h1", "sampling.content.array")
	for _, test := range blocksOfMessages {
		s := askerOf(t, func() mcp.Question {
			q := &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{{Role: mcp.RoleAssistant, Content: []mcp.Content{test.block}}}}
			if test.tools { // a tool use must be followed by its result
				q.Messages = append(q.Messages, mcp.SamplingMessage{Role: mcp.RoleUser, Content: []mcp.Content{&mcp.ToolResultContent{ToolUseID: "u"}}})
			}
			return q
		})
		for _, revision := range revisions {
			method, params, m := question(t, connect(t, s), revision)
			if sent := test.kind != "" && (!test.tools || revision >= core); (method != "") != sent {
				t.Errorf("%s: %T: %s", revision, test.block, m.line)
				continue
			}
			if method == "" {
				continue
			}
			want := test.kind
			if want == "audio" && revision == "2024-11-05" {
				want = "text"
			}
			if first := object(object(list(params["messages"])[0])["content"]); first["type"] != want {
				t.Errorf("%s: %T: %s", revision, test.block, m.line)
			}
		}
	}
}
