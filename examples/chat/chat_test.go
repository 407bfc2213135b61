package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestMain lets the test binary act as a server.
func TestMain(m *testing.M) {
	if os.Getenv("CHAT_TEST_SERVER") == "1" {
		if err := newServer().ServeStdio(context.Background()); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func newServer() *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "adder", Version: "1"}, nil)
	if err := mcp.AddTool(s, mcp.Tool{Name: "add", Description: "Adds."}, func(_ context.Context, _ *mcp.Request, in struct {
		A int `json:"a"`
		B int `json:"b"`
	}) (string, error) {
		return fmt.Sprint(in.A + in.B), nil
	}); err != nil {
		panic(err)
	}
	if err := mcp.AddTool(s, mcp.Tool{Name: "poem"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		got, err := r.Sample(ctx, &mcp.Sampling{MaxTokens: 10, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text("a poem, please")}}}})
		if err != nil {
			return "", err
		}
		return got.Text(), nil
	}); err != nil {
		panic(err)
	}
	if err := mcp.AddTool(s, mcp.Tool{Name: "nothing"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", nil
	}); err != nil {
		panic(err)
	}
	return s
}

// Test the server used in these tests, in the way that users of the library do.
func TestServerAdds(t *testing.T) {
	c := mcptest.Connect(t, newServer(), nil)
	got, err := mcp.CallTool[string](t.Context(), c, "add", map[string]int{"a": 1, "b": 2}, nil)
	if err != nil || got != "3" {
		t.Errorf("got %q, %v", got, err)
	}
}

// script stands in for the Messages API: it checks each request and answers it.
type script []struct {
	wants   string // text that the request's last message must contain
	status  int
	answers string
}

func (s script) serve(t *testing.T) string {
	t.Helper()
	step := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var r request
		if err := json.NewDecoder(req.Body).Decode(&r); err != nil {
			t.Error(err)
		}
		if req.URL.Path != "/v1/messages" || req.Header.Get("X-Api-Key") != "the-key" || req.Header.Get("Anthropic-Version") == "" || r.Model != "the-model" || r.MaxTokens == 0 {
			t.Errorf("%s %s with %+v", req.Method, req.URL, r)
		}
		if step >= len(s) {
			t.Errorf("a request too many: %+v", r)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		one := s[step]
		step++
		for _, m := range r.Messages {
			if len(m.Content) == 0 {
				t.Errorf("request %d has a message without content", step)
			}
		}
		last, err := json.Marshal(r.Messages[len(r.Messages)-1])
		if err != nil || !strings.Contains(string(last), one.wants) {
			t.Errorf("request %d ends with %s, want %s", step, last, one.wants)
		}
		if one.status != 0 {
			w.WriteHeader(one.status)
		}
		fmt.Fprint(w, one.answers)
	}))
	t.Cleanup(func() {
		server.Close()
		if step != len(s) {
			t.Errorf("%d requests, want %d", step, len(s))
		}
	})
	return server.URL
}

func converse(t *testing.T, s script, input string) string {
	t.Helper()
	t.Setenv("ANTHROPIC_BASE_URL", s.serve(t))
	t.Setenv("ANTHROPIC_API_KEY", "the-key")
	t.Setenv("ANTHROPIC_MODEL", "the-model")
	file := filepath.Join(t.TempDir(), "servers.json")
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"adder":  map[string]any{"command": os.Args[0], "env": map[string]string{"CHAT_TEST_SERVER": "1"}},
		"broken": map[string]any{"command": "${NO_SUCH_VARIABLE}"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{file}, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const callAdd = `{"model":"the-model","stop_reason":"tool_use","content":[{"type":"text","text":"Let me add."},{"type":"tool_use","id":"t1","name":"adder__add","input":{"a":2,"b":3}}]}`

func TestChatCallsToolsWithConsent(t *testing.T) {
	got := converse(t, script{
		{`"text":"2+3?"`, 0, callAdd},
		{`"tool_use_id":"t1","content":[{"type":"text","text":"5"}]`, 0, `{"content":[{"type":"text","text":"It is 5."}]}`},
	}, "2+3?\ny\nquit\nnever read\n")
	for _, want := range []string{"adder: connected", "broken: broken", "NO_SUCH_VARIABLE", "  adder__add", "Let me add.", `Call adder__add with {"a":2,"b":3}? [y/n]`, "It is 5."} {
		if !strings.Contains(got, want) {
			t.Errorf("the output lacks %q:\n%s", want, got)
		}
	}
}

func TestChatHeedsARefusal(t *testing.T) {
	got := converse(t, script{
		{`2+3?`, 0, callAdd},
		{`The user does not allow this call."}],"is_error":true`, 0, `{"content":[{"type":"text","text":"Then not."}]}`},
	}, "2+3?\nn\nquit\n")
	if !strings.Contains(got, "Then not.") {
		t.Error(got)
	}
}

func TestChatGoesOnAfterAnError(t *testing.T) {
	got := converse(t, script{
		{`first`, 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		{`"role":"user","content":[{"type":"text","text":"second"}]`, 0, `{"content":[{"type":"tool_use","id":"t2","name":"adder__none","input":{}}]}`},
		{`no server has a tool`, 0, `{"content":[{"type":"text","text":"Sorry."}]}`},
	}, "first\n\nsecond\ny\n")
	if !strings.Contains(got, "overloaded_error Overloaded") || !strings.Contains(got, "Sorry.") {
		t.Error(got)
	}
}

func TestChatShowsWhatTheAPIAnswers(t *testing.T) {
	got := converse(t, script{
		{`one`, 429, `{"type":"error","error":{"type":"rate_limit_error","message":"Slower"}}`},
		{`two`, 500, `<html>`},
		{`three`, 200, `no JSON`},
		{`"role":"user","content":[{"type":"text","text":"four"}]`, 0, `{"content":[{"type":"text","text":"Fine."}]}`},
	}, "one\ntwo\nthree\nfour\nQuit\n")
	for _, want := range []string{"status 429 Too Many Requests: rate_limit_error Slower\n", "status 500 Internal Server Error\n", "malformed", "Fine."} {
		if !strings.Contains(got, want) {
			t.Errorf("the output lacks %q:\n%s", want, got)
		}
	}
}

func TestChatCallsSeveralToolsOfOneAnswer(t *testing.T) {
	got := converse(t, script{
		{`all`, 0, `{"stop_reason":"tool_use","content":[{"type":"text","text":""},
			{"type":"tool_use","id":"t1","name":"adder__add","input":{"a":2,"b":3}},
			{"type":"tool_use","id":"t2","name":"adder__add","input":{"a":"x"}},
			{"type":"tool_use","id":"t3","name":"adder__add","input":{"a":1,"b":1}}]}`},
		{`"text":"5"}]},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"`, 0, `{"content":[{"type":"text","text":"Done."}]}`},
	}, "all\ny\nyes\n\nquit\n")
	if strings.Count(got, "[y/n]") != 3 || !strings.Contains(got, "Done.") {
		t.Error(got)
	}
}

func TestChatCallsNoToolOfAnAnswerThatIsCutOff(t *testing.T) {
	got := converse(t, script{
		{`long`, 0, `{"stop_reason":"max_tokens","content":[{"type":"text","text":"Once"},{"type":"tool_use","id":"t1","name":"adder__add","input":{}}]}`},
		{`go on`, 0, `{"stop_reason":"max_tokens","content":[{"type":"tool_use","id":"t2","name":"adder__add","input":{}}]}`},
		{`again`, 0, `{"stop_reason":"end_turn","content":[{"type":"text","text":"The end."}]}`},
	}, "long\ngo on\nagain\nquit\n")
	if strings.Contains(got, "[y/n]") || strings.Count(got, "(the answer is cut off at 4096 tokens)") != 2 || !strings.Contains(got, "The end.") {
		t.Error(got)
	}
}

func TestChatTakesTheEndOfInputAsANo(t *testing.T) {
	got := converse(t, script{
		{`2+3?`, 0, callAdd},
		{`The user does not allow this call.`, 0, `{"content":[{"type":"text","text":"Then not."}]}`},
	}, "2+3?\n")
	if !strings.Contains(got, "Then not.") {
		t.Error(got)
	}
}

func TestChatReadsLongLines(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	got := converse(t, script{{long, 0, `{"content":[{"type":"text","text":"Read."}]}`}}, long+"\n"+strings.Repeat("y", maxLine+1)+"\n")
	if !strings.Contains(got, "Read.") || !strings.Contains(got, "token too long") {
		t.Error(got)
	}
}

// TestChatEndsWhenItIsInterruptedInARequest interrupts the chat while the model
// is writing.
func TestChatEndsWhenItIsInterruptedInARequest(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		// The server notices that the connection has closed only after the body has been read to its end.
		_, _ = io.Copy(io.Discard, req.Body)
		interrupt()
		<-req.Context().Done()
	}))
	defer server.Close()
	t.Setenv("ANTHROPIC_BASE_URL", server.URL)
	t.Setenv("ANTHROPIC_API_KEY", "the-key")
	file := filepath.Join(t.TempDir(), "servers.json")
	if err := os.WriteFile(file, []byte(`{"mcpServers":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(ctx, []string{file}, strings.NewReader("hello\nagain\n"), &out); err != nil || out.String() != "> " {
		t.Errorf("error %v, output %s", err, out.String())
	}
}

func TestChatSendsNoEmptyContent(t *testing.T) {
	converse(t, script{
		{`first`, 0, `{"content":[{"type":"tool_use","id":"t1","name":"adder__nothing","input":{}}]}`},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}`, 0, `{"content":[]}`},
		{`second`, 0, `{"content":[{"type":"text","text":"Done."}]}`},
	}, "first\ny\nsecond\nquit\n")
}

func TestChatEndsWhenItIsInterruptedAtThePrompt(t *testing.T) {
	in, _ := io.Pipe() // Nothing is ever written to this input.
	ctx, interrupt := context.WithCancel(t.Context())
	t.Setenv("ANTHROPIC_API_KEY", "the-key")
	file := filepath.Join(t.TempDir(), "servers.json")
	if err := os.WriteFile(file, []byte(`{"mcpServers":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(ctx, []string{file}, in, writer(func(b []byte) {
		if strings.Contains(string(b), "> ") {
			interrupt()
		}
	})); err != nil {
		t.Error(err)
	}
}

type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

func TestChatLetsServersAskTheModel(t *testing.T) {
	poem := `{"content":[{"type":"tool_use","id":"t3","name":"adder__poem","input":{}}]}`
	got := converse(t, script{
		{`poem`, 0, poem},
		{`a poem, please`, 0, `{"model":"the-model","stop_reason":"end_turn","content":[{"type":"text","text":"Roses."}]}`},
		{`Roses.`, 0, `{"content":[{"type":"text","text":"Here."}]}`},
	}, "poem\ny\ny\nquit\n")
	if !strings.Contains(got, "Let the server adder ask the model") || !strings.Contains(got, "Here.") {
		t.Error(got)
	}
}

func TestChatNeedsAKeyAndServers(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "")
	if err := run(t.Context(), []string{"x"}, strings.NewReader(""), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "ANTHROPIC_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
	t.Setenv("ANTHROPIC_API_KEY", "the-key")
	for _, args := range [][]string{nil, {"--"}, {"a", "b"}, {"/no/such/file"}} {
		if err := run(t.Context(), args, strings.NewReader(""), &bytes.Buffer{}); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
