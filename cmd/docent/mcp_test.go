package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// everything serves tools, prompts, resources and so on over HTTP, and returns the URL. At the path
// /keyed, requests need the header X-Key.
func everything(t *testing.T) string {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "every\x1b[31mthing", Version: "1.2", Title: "Every"}, &mcp.ServerOptions{
		Instructions: "Be kind.", Logger: discard, Capabilities: mcp.ServerCapabilities{Logging: true},
	})
	type addition struct {
		A     int      `json:"a" jsonschema:"one number"`
		B     float64  `json:"b,omitempty" default:"2"`
		Words []string `json:"words,omitempty"`
		On    bool     `json:"on,omitempty"`
		Token string   `json:"token,omitempty"`
	}
	err := errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "add", Description: "Adds.\nReally.", Annotations: &mcp.ToolAnnotations{ReadOnly: true}}, func(_ context.Context, r *mcp.Request, in addition) (addition, error) {
			r.Progress(1, 4, "adding")
			return in, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "fail"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", errors.New("it \x1b[2Jfailed")
		}),
		mcp.AddTool(s, mcp.Tool{Name: "break"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Code: 7, Message: "broken\x1b[2J"}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, action, err := mcp.Elicit[struct {
				Name  string   `json:"name" jsonschema:"who you are"`
				Age   int      `json:"age,omitempty"`
				Color string   `json:"color" enum:"red,green" default:"red"`
				Days  []string `json:"days,omitempty" enum:"mon,tue"`
				OK    bool     `json:"ok"`
			}](ctx, r, "Who are you?")
			if err != nil {
				return "", err
			}
			data, err := json.Marshal(got)
			return string(action) + " " + string(data), err
		}),
		mcp.AddTool(s, mcp.Tool{Name: "visit"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			answer, err := r.AskUser(ctx, &mcp.Elicitation{Message: "Pay here.", URL: "https://pay.example.com/\u0430", ID: "1"})
			if err != nil {
				return "", err
			}
			return string(answer.Action), nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "greet", Description: "Greets.", Arguments: []mcp.PromptArgument{{Name: "who", Required: true, Complete: mcp.OneOf("Ada", "Alan", "Grace")}}},
			func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
				return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text("Hello, " + args["who"])}}}, nil
			}),
		s.AddResource(mcp.Resource{URI: "doc://one", Name: "one", MIMEType: "text/plain"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "one\x1b[0m text"}}, nil
		}),
		s.AddResource(mcp.Resource{URI: "doc://blob", Name: "blob", MIMEType: "image/png"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Blob: []byte{0, 1, 2}}}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "page://{id}", Name: "page", Complete: map[string]mcp.Completer{"id": mcp.OneOf("1", "12", "2")}},
			func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: uri}}, nil
			}),
	)
	if err != nil {
		t.Fatal(err)
	}
	h := s.HTTPHandler(nil)
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.HandleFunc("/keyed", func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("X-Key") != "value" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, req)
	})
	sse := s.SSEHandler(nil)
	mux.Handle("/sse", sse)
	mux.HandleFunc("/newest", func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Mcp-Protocol-Version") == "2026-07-28" {
			h.ServeHTTP(w, req)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]}}}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() {
		if err := sse.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return server.URL + "/mcp"
}

// typing runs docent with a simulated user at a terminal who types input.
func typing(input string, args ...string) outcome {
	var out, err bytes.Buffer
	s := streams{in: strings.NewReader(input), out: &out, err: &err, inTerminal: true, outTerminal: true, errTerminal: true}
	code := run(context.Background(), args, s, languages)
	return outcome{code, out.String(), err.String()}
}

func TestMCPShowsWhatAServerHas(t *testing.T) {
	url := everything(t)
	base := strings.TrimSuffix(url, "/mcp")
	for _, c := range []struct {
		args string
		code int
		out  string // the complete expected output
		err  string // part of the expected error output
	}{
		{"info URL", 0, "every[31mthing 1.2\ntitle        Every\nrevision     2026-07-28\noffers       completions, logging, prompts (reports changes), resources (reports changes, subscriptions), tools (reports changes)\ninstructions\n  Be kind.\n", ""},
		{"info --revision 2024-11-05 URL", 0, "every[31mthing 1.2\nrevision     2024-11-05\noffers       logging, prompts (reports changes), resources (reports changes, subscriptions), tools (reports changes)\ninstructions\n  Be kind.\n", ""},
		{"tools URL add", 0, "add  (read only)\n  Adds.\n  Really.\n    a (integer, required)  one number\n    b (number, default 2)\n    words (list of string)\n    on (boolean)\n    token (string)\n  gives\n    a (integer, required)  one number\n    b (number, default 2)\n    words (list of string)\n    on (boolean)\n    token (string)\n", ""},
		{"tools URL sub", 3, "", `no tool "sub"; it has add, ask, break, fail, visit`},
		{"prompts URL", 0, "greet\n  Greets.\n    who (required)  \n", ""},
		{"prompt URL greet who=Ada", 0, "user:\nHello, Ada\n", ""},
		{"prompt URL leave", 3, "", "no prompt"},
		{"prompt URL greet", 5, "", "who"},
		{"prompt URL greet who", 2, "", "key=value"},
		{"resources URL", 0, "doc://blob  image/png\n  blob\ndoc://one  text/plain\n  one\npage://{id}\n  page\n", ""},
		{"read URL doc://one", 0, "one\x1b[0m text", ""},
		{"read URL doc://blob", 0, "\x00\x01\x02", ""},
		{"read URL page://7", 0, "page://7", ""},
		{"read URL doc://none", 3, "", "not found"},
		{"complete URL prompt greet who a", 0, "Ada\nAlan\nGrace\n", ""},
		{"complete URL resource page://{id} id 1", 0, "1\n12\n", ""},
		{"complete URL --json resource page://{id} id 1", 0, "{\n  \"values\": [\n    \"1\",\n    \"12\"\n  ],\n  \"total\": 2\n}\n", ""},
		{"complete URL tool add a", 2, "", "specify prompt or resource"},
		{"call URL add a=3 words=x words=y on=true", 0, `{"a":3,"b":2,"words":["x","y"],"on":true}` + "\n", ""},
		{"call URL add a:=3 b:=1.5", 0, `{"a":3,"b":1.5}` + "\n", ""},
		{"call URL add --args {\"a\":1,\"b\":9} a=4", 0, `{"a":4,"b":9}` + "\n", ""},
		{"call URL add a=x", 2, "", `a: "x" is not of type integer`},
		{"call URL add a:=x", 2, "", "is not JSON"},
		{"call URL add a=1 a=2", 2, "", "occurs twice"},
		{"call URL add", 2, "", `needs a`},
		{"call URL add x", 2, "", "key=value"},
		{"call URL add --args [] a=1", 2, "", "not a JSON object"},
		{"call URL fail", 6, "it \x1b[2Jfailed\n", ""},
		{"call URL break", 5, "", "broken"},
		{"call URL none", 3, "", "no tool"},
		{"call URL ask", 5, "", "client capability"},
		{"ping URL --json --header broken", 2, "", "a name, a colon and a value"},
		{"ping URL --env A=1", 2, "", "servers that docent starts"},
		{"ping URL extra", 2, "", "too many arguments"},
		{"ping URL --revision 1999-01-01", 2, "", `"1999-01-01" in --revision is not a protocol revision; the revisions are 2024-11-05, `},
		{"ping --revision 2026-07-28 SSE", 4, "", "/sse supports only HTTP with SSE, which is for revisions with sessions, up to 2025-11-25\n--revision allows only 2026-07-28; omit the flag"},
		{"complete --revision 2024-11-05 SSE prompt greet who a", 0, "Ada\nAlan\nGrace\n", ""},
		{"ping --revision 2024-11-05 NEWEST", 4, "", "no common revision of the protocol: initialize: the server answered with HTTP status 400 Bad Request: Unsupported protocol version (code -32022)\n--revision allows only 2024-11-05; omit the flag"},
		{"complete NEWEST prompt greet who a", 0, "Ada\nAlan\nGrace\n", ""},
		{"ping", 2, "", "specify a server"},
		{"ping --", 2, "", "specify a server"},
		{"ping -- no-such-command-anywhere", 4, "", "no-such-command-anywhere"},
		{"ping --header A:b -- x", 2, "", "servers with a URL"},
		{"ping --env NO_SUCH_VARIABLE -- x", 2, "", "not set"},
		{"ping http://127.0.0.1:1/mcp", 4, "", "127.0.0.1:1"},
		{"ping KEYED", 7, "", "--header 'Authorization"},
		{"tools --config none.json", 2, "", "cannot be read"},
	} {
		t.Run(c.args, func(t *testing.T) {
			var args []string
			for word := range strings.FieldsSeq("mcp " + c.args) {
				args = append(args, strings.NewReplacer("URL", url, "KEYED", base+"/keyed", "SSE", base+"/sse", "NEWEST", base+"/newest").Replace(word))
			}
			got := docent(args...)
			if got.code != c.code || c.code == 0 && got.out != c.out || !strings.Contains(got.err, c.err) {
				t.Errorf("exit code %d, output\n%s\nerror\n%s\nwant %d and\n%s", got.code, got.out, got.err, c.code, c.out)
			}
			if c.code == 0 && got.err != "" {
				t.Errorf("standard error: %s", got.err)
			}
		})
	}
	if got := docent("mcp", "ping", strings.Replace(url, "/mcp", "/keyed", 1), "--header", "X-Key: value"); got.code != 0 {
		t.Errorf("with the header: %+v", got)
	}
}

func TestMCPPrintsTheProtocolsJSON(t *testing.T) {
	url := everything(t)
	for args, want := range map[string]string{
		"tools add":          `"inputSchema"`,
		"tools":              `"name": "visit"`,
		"prompts":            `"arguments"`,
		"resources":          `"resourceTemplates"`,
		"info":               `"revision": "2026-07-28"`,
		"read doc://blob":    `"blob": "AAEC"`,
		"prompt greet who=A": `"messages"`,
		"call add a=1":       `"structuredContent"`,
		"call fail":          `"isError": true`,
	} {
		words := strings.Fields(args)
		got := docent(append([]string{"mcp", words[0], "--json", url}, words[1:]...)...)
		if !json.Valid([]byte(got.out)) || !strings.Contains(got.out, want) {
			t.Errorf("%s: %+v\nwant %s", args, got, want)
		}
	}
}

func TestMCPReadsArgumentsFromStandardInput(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"mcp", "call", everything(t), "add", "-", "b=7"}, streams{in: strings.NewReader(`{"a": 5}`), out: &out, err: &errs}, languages)
	if code != 0 || out.String() != `{"a":5,"b":7}`+"\n" {
		t.Errorf("exit code %d, %s%s", code, out.String(), errs.String())
	}
}

func TestMCPAsksInTheTerminal(t *testing.T) {
	url := everything(t)
	for name, c := range map[string]struct {
		input, out, err string
	}{
		"filled in":        {"Ada\n\n2\nmon, 2\ny\ny\n", `accept {"name":"Ada","color":"green","days":["mon","tue"],"ok":true}`, "Who are you?"},
		"defaults":         {"Ada\n36\n\n\nno\nyes\n", `accept {"name":"Ada","age":36,"color":"red","ok":false}`, "color (number) [red]"},
		"mistakes":         {"\nAda\nold\n\nblue\n1\nwed\n\nmaybe\ny\ny\n", `accept {"name":"Ada","color":"red","ok":true}`, `"blue" is not one of the choices`},
		"edited":           {"Ada\n\n\n\ny\ne\nBo\n\n\n\n\ny\n", `accept {"name":"Bo","color":"red","ok":true}`, "[Ada]"},
		"declined":         {"Ada\n\n\n\ny\nn\n", `decline {"name":"","color":"","ok":false}`, ""},
		"cancelled":        {"Ada\n\n\n\ny\nc\n", `cancel {"name":"","color":"","ok":false}`, ""},
		"the end of input": {"Ada\n", `cancel {"name":"","color":"","ok":false}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := typing(c.input, "mcp", "call", url, "ask")
			if got.code != 0 || strings.TrimSpace(got.out) != c.out || !strings.Contains(got.err, c.err) {
				t.Errorf("exit code %d\n%s\n%s", got.code, got.out, got.err)
			}
			if strings.Contains(got.err, "\x1b[31m") {
				t.Error("the server controls the terminal")
			}
		})
	}
	for input, action := range map[string]string{"n\n": "decline", "c\n": "cancel", "": "cancel"} {
		got := typing(input, "mcp", "call", url, "visit")
		if got.code != 0 || strings.TrimSpace(got.out) != action || !strings.Contains(got.err, `page: "https://pay.example.com/`) {
			t.Errorf("visiting a page: %+v", got)
		}
	}
	if got := typing("", "mcp", "call", "--no-input", url, "ask"); got.code != 5 {
		t.Errorf("with --no-input: %+v", got)
	}
}

func TestMCPOpensAPageWithConsent(t *testing.T) {
	var opened string
	a := newPrompter(streams{in: strings.NewReader("y\n"), err: io.Discard, browse: func(_ context.Context, address string) error {
		opened = address
		return nil
	}}, func() {})
	action, err := a.visit(t.Context(), &mcp.Elicitation{URL: "https://example.com/x"})
	if err != nil || action != mcp.ActionAccept || opened != "https://example.com/x" {
		t.Errorf("%v, %v, opened %q", action, err, opened)
	}
}

// waitingFor is a terminal that closes a channel when it shows a given text.
type waitingFor struct {
	text string
	seen chan struct{}
	once sync.Once

	mu  sync.Mutex
	all bytes.Buffer
}

func (w *waitingFor) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all.Write(p)
	if bytes.Contains(w.all.Bytes(), []byte(w.text)) {
		w.once.Do(func() { close(w.seen) })
	}
	return len(p), nil
}

func (w *waitingFor) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// slowServer returns the URL of a server whose tool add reports a quarter of its progress and then
// waits.
func slowServer(t *testing.T, proceed <-chan struct{}) string {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "slow", Version: "1"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "add"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		r.Progress(1, 4, "adding")
		select {
		case <-proceed:
		case <-ctx.Done():
		}
		return "", ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.HTTPHandler(nil))
	t.Cleanup(server.Close)
	return server.URL
}

func TestMCPShowsProgressOnATerminalOnly(t *testing.T) {
	url, slow := everything(t), &waitingFor{text: " adding", seen: make(chan struct{})}
	code := run(t.Context(), []string{"mcp", "call", slowServer(t, slow.seen), "add"}, streams{in: strings.NewReader(""), out: io.Discard, err: slow, errTerminal: true}, languages)
	if got := slow.String(); code != exitOK || !strings.Contains(got, "\r█████░░░░░░░░░░░░░░░ adding\x1b[K") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("on a terminal: exit code %d, %q", code, got)
	}
	if got := docent("mcp", "call", url, "add", "a=1"); got.err != "" {
		t.Errorf("elsewhere: %q", got.err)
	}
	if got := typing("", "mcp", "call", url, "break"); strings.Contains(got.err, "\x1b[2J") || !strings.Contains(got.err, "broken") {
		t.Errorf("an error controls the terminal: %q", got.err)
	}
	if got := typing("", "mcp", "call", url, "fail"); strings.Contains(got.out, "\x1b") {
		t.Errorf("text controls the terminal: %q", got.out)
	}
}

func TestMCPLogsTheWireWithoutSecrets(t *testing.T) {
	url, file := everything(t), filepath.Join(t.TempDir(), "wire.log")
	if got := docent("mcp", "call", "--log", file, url, "add", "a=1", "token=hunter2"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log := string(data)
	if !strings.Contains(log, `> {"jsonrpc":"2.0","id":1,"method":"server/discover"`) || !strings.Contains(log, `< {"jsonrpc":"2.0"`) || !strings.Contains(log, `"token":"[redacted]"`) || strings.Contains(log, "hunter2") {
		t.Error(log)
	}
}

func TestMCPStartsACommandOrAConfiguredServer(t *testing.T) {
	got := docent("mcp", "tools", "--env", "DOCENT_TEST_RUN=1", "--env", "DOCENT_CACHE", "--", os.Args[0], "serve")
	if got.code != 0 || !strings.Contains(got.out, "describe_go_package") {
		t.Errorf("%+v", got)
	}
	file := filepath.Join(t.TempDir(), ".mcp.json")
	config := `{"mcpServers": {"docent": {"command": ` + string(must(json.Marshal(os.Args[0]))) + `, "args": ["serve"], "env": {"DOCENT_TEST_RUN": "1"}}, "other": {"url": "http://localhost"}}}`
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := docent("mcp", "ping", "--config", file, "--server", "docent"); got.code != 0 || !strings.HasPrefix(got.out, "docent responded") {
		t.Errorf("%+v", got)
	}
	if got := docent("mcp", "ping", "--config", file); got.code != 2 || !strings.Contains(got.err, "docent, other") {
		t.Errorf("without --server: %+v", got)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestMCPWatchesChanges(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "changing", Version: "1"}, &mcp.ServerOptions{Logger: discard, Capabilities: mcp.ServerCapabilities{Tools: true, Resources: true}})
	server := httptest.NewServer(s.HTTPHandler(nil))
	defer server.Close()
	read, write := io.Pipe()
	done := make(chan int)
	go func() {
		code := run(context.Background(), []string{"mcp", "watch", "--json", "--count", "2", "--uri", "doc://one", server.URL}, streams{in: strings.NewReader(""), out: write, err: io.Discard}, languages)
		write.Close()
		done <- code
	}()
	// Send changes until the command has received two, because the command does not report when it
	// has subscribed.
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				s.ResourceUpdated("doc://one")
				if err := mcp.AddTool(s, mcp.Tool{Name: "new"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }, mcp.Replace); err != nil {
					panic(err)
				}
			}
		}
	}()
	data, err := io.ReadAll(read)
	close(stop)
	if code := <-done; code != 0 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	for line := range strings.Lines(string(data)) {
		var w watched
		if err := json.Unmarshal([]byte(line), &w); err != nil || w.Time == "" || w.Change == "" {
			t.Errorf("line %q: %v", line, err)
		}
	}
	if n := strings.Count(string(data), "\n"); n != 2 {
		t.Errorf("%d lines: %s", n, data)
	}
}
