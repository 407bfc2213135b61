package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestMain is the program that the tests start as a server on standard input and output.
func TestMain(m *testing.M) {
	if os.Getenv("INSPECTED") != "" {
		fmt.Fprintln(os.Stderr, "the server has begun")
		if err := everything().ServeStdio(context.Background()); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var quiet = slog.New(slog.DiscardHandler)

type addition struct {
	A     int            `json:"a" jsonschema:"one number" minimum:"1"`
	B     float64        `json:"b,omitempty" default:"2"`
	Text  string         `json:"text,omitempty"`
	Unit  string         `json:"unit,omitempty" enum:"celsius,fahrenheit"`
	Exact *bool          `json:"exact,omitempty"`
	Tags  []string       `json:"tags,omitempty"`
	Days  []string       `json:"days,omitempty" enum:"mon,tue"`
	More  map[string]any `json:"more,omitempty"`
}

// everything returns a server that has one tool, prompt and resource of each kind.
func everything() *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "everything", Version: "1.2", Title: "Every <b>thing</b>"}, &mcp.ServerOptions{
		Instructions: "Be kind.\u202e", Logger: quiet, Capabilities: mcp.ServerCapabilities{Logging: true},
	})
	mcp.Must(errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "add", Title: "Add", Description: "Adds.\u200bReally.", Annotations: &mcp.ToolAnnotations{ReadOnly: true}}, func(_ context.Context, r *mcp.Request, in addition) (addition, error) {
			r.Log(mcp.LevelWarning, "adder", "about to add")
			r.Progress(1, 4, "adding")
			return in, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "fail"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", errors.New("it <i>failed</i>")
		}),
		mcp.AddTool(s, mcp.Tool{Name: "break"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Code: 7, Message: "broken", Data: json.RawMessage(`{"why":"rust"}`)}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "media"}, func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{
				&mcp.ImageContent{Data: []byte("picture"), MIMEType: "image/png"},
				&mcp.ImageContent{Data: []byte("<svg onload=alert(1)>"), MIMEType: "image/svg+xml"},
				&mcp.AudioContent{Data: []byte("sound"), MIMEType: "audio/wav"},
				&mcp.ResourceLink{URI: "doc://one", Name: "one"},
				&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "doc://two", MIMEType: "text/html", Text: "<script>alert(1)</script>"}},
				mcp.Text(`{"a":[1,2]}`),
			}}, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 0, "waiting")
			<-ctx.Done()
			return "", ctx.Err()
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, action, err := mcp.Elicit[struct {
				Name  string `json:"name" jsonschema:"who you are" minLength:"2"`
				Color string `json:"color" enum:"red,green" default:"red"`
			}](ctx, r, "Who are you?")
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%s %+v", action, got), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "visit"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			answer, err := r.AskUser(ctx, &mcp.Elicitation{Message: "Pay here.", URL: "https://pay.example.com/bill", ID: "1"})
			if err != nil {
				return "", err
			}
			return "the user: " + string(answer.Action), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "visit-first"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Code: -32042, Message: "Pay first.", Data: json.RawMessage(`{"elicitations":[{"mode":"url","message":"Your <b>bill</b>.","url":"https://pay.example.com/bill?a=1&b=2","elicitationId":"1"},{"url":"javascript:alert(1)"},{"url":"https:relative"}]}`)}
		}),
		mcp.AddTool(s, mcp.Tool{Name: "sample"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, err := r.Sample(ctx, &mcp.Sampling{SystemPrompt: "Rhyme.", MaxTokens: 17, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text("Write a line.")}}}})
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%s by %s because of %s", got.Text(), got.Model, got.StopReason), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "roots"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			got, err := r.Roots(ctx)
			return fmt.Sprint("roots: ", got), err
		}),
		mcp.AddTool(s, mcp.Tool{Name: "slow", TaskSupport: mcp.TaskSupportOptional}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			if r.IsTask() {
				r.SetStatusMessage("on its way")
				return "done as a task", nil
			}
			return "done at once", nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "grow"}, func(_ context.Context, _ *mcp.Request, in struct {
			Name string `json:"name"`
		}) (string, error) {
			return "grown", mcp.AddTool(s, mcp.Tool{Name: in.Name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }, mcp.Replace)
		}),
		mcp.AddTool(s, mcp.Tool{Name: "touch"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			s.ResourceUpdated("doc://one")
			return "touched", nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "greet", Description: "Greets.", Arguments: []mcp.PromptArgument{
			{Name: "who", Required: true, Complete: mcp.OneOf("Ada", "Alan", "Grace")}, {Name: "how", Description: "a tone"},
		}}, func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Description: "A greeting.", Messages: []mcp.PromptMessage{{Content: mcp.Text("Hello, " + args["who"] + "!")}, {Role: mcp.RoleAssistant, Content: mcp.Text("Hi.")}}}, nil
		}),
		s.AddResource(mcp.Resource{URI: "doc://one", Name: "one", MIMEType: "text/plain"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "one\u202e text"}}, nil
		}),
		s.AddResource(mcp.Resource{URI: "doc://blob", Name: "blob", MIMEType: "application/zip"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Blob: []byte{0, 1, 2, 3}, MIMEType: "application/zip"}}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "page://{book}/{id}{?mark*}", Name: "page", Complete: map[string]mcp.Completer{
			"id": func(_ context.Context, _ *mcp.Request, typed string, chosen map[string]string) (mcp.Completion, error) {
				return mcp.Suggest(typed, []string{chosen["book"] + "-1", chosen["book"] + "-2"}), nil
			},
		}}, func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "the page " + uri}}, nil
		}),
	))
	return s
}

// browser plays a browser that shows the pages of an inspector.
type browser struct {
	t testing.TB
	i *Inspector
	l *listener
}

// open returns the pages for a server, not yet connected.
func open(t testing.TB, servers ...Server) *browser {
	t.Helper()
	i, err := New(Options{Servers: servers, Version: "test", Timeout: time.Minute, ConnectTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	l, err := i.changes.listen()
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, i, l}
}

// memory returns a server in the same process.
func memory(s *mcp.Server) Server {
	return Server{Name: "memory", Target: "in memory", Transport: func(func(string)) (mcp.Transport, error) { return &mcp.ServerTransport{Server: s}, nil }}
}

// inspect returns the pages for a server that is connected in a revision; "" is the newest.
func inspect(t testing.TB, s *mcp.Server, revision string) *browser {
	t.Helper()
	b := open(t, memory(s))
	b.connect(settings{Revision: revision, Level: "debug", Roots: true, Sampling: true, Elicitation: true, Tasks: true})
	return b
}

func (b *browser) connect(s settings) {
	b.t.Helper()
	if err := b.i.connect(s); err != nil {
		b.t.Fatal(err)
	}
	b.until("/", `class="state connected"`)
	b.until("/tools", ">ask<")
}

// do sends a request without following redirects.
func (b *browser) do(method, path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, "http://127.0.0.1:8430"+path, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for n := 0; n < len(headers); n += 2 {
		if headers[n] == "Host" {
			r.Host = headers[n+1]
		}
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	b.i.ServeHTTP(w, r)
	return w
}

// shown is a page with its address and status.
type shown struct {
	path, body string
	status     int
}

func (b *browser) follow(res *httptest.ResponseRecorder, path string) shown {
	b.t.Helper()
	for res.Code == http.StatusSeeOther {
		path = res.Header().Get("Location")
		res = b.do(http.MethodGet, path, nil)
	}
	return shown{strings.TrimPrefix(path, "/"+b.i.token), res.Body.String(), res.Code}
}

// get returns the page at a path.
func (b *browser) get(path string) shown {
	b.t.Helper()
	path = "/" + b.i.token + path
	return b.follow(b.do(http.MethodGet, path, nil), path)
}

// post submits a form with the given names and values and returns the resulting page.
func (b *browser) post(path string, form ...string) shown {
	b.t.Helper()
	values := url.Values{}
	for n := 0; n < len(form); n += 2 {
		values.Add(form[n], form[n+1])
	}
	path = "/" + b.i.token + path
	return b.follow(b.do(http.MethodPost, path, values), path)
}

// until waits until the page at the given path contains all the given strings, and returns the page.
func (b *browser) until(path string, texts ...string) shown {
	b.t.Helper()
	for {
		p := b.get(path)
		if p.lacks(texts) == "" {
			return p
		}
		select {
		case <-b.l.wake:
		case <-time.After(20 * time.Second):
			b.t.Fatalf("%s does not come to have %q:\n%s", path, p.lacks(texts), p.text())
		}
	}
}

func (p shown) lacks(texts []string) string {
	for _, text := range texts {
		if !strings.Contains(p.body, text) && !strings.Contains(p.text(), text) {
			return text
		}
	}
	return ""
}

// want fails the test if the page lacks one of the strings, in its HTML or in what it shows.
func (p shown) want(t testing.TB, texts ...string) {
	t.Helper()
	if lacks := p.lacks(texts); lacks != "" {
		t.Errorf("%s (%d) lacks %q:\n%s", p.path, p.status, lacks, p.text())
	}
}

// not fails the test if the HTML of the page contains any of the strings.
func (p shown) not(t testing.TB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(p.body, text) {
			t.Errorf("%s has %q", p.path, text)
		}
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// text returns what the main part of the page shows.
func (p shown) text() string {
	_, main, _ := strings.Cut(p.body, "</header>")
	lines := strings.Split(html.UnescapeString(tag.ReplaceAllString(main, " ")), "\n")
	var texts []string
	for _, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			texts = append(texts, line)
		}
	}
	return strings.Join(texts, "\n")
}

// question returns the address of the question that waits.
func (b *browser) question() string {
	b.t.Helper()
	p := b.until("/questions", `class="notice question"`)
	found := regexp.MustCompile(`/questions/\d+`).FindString(p.body)
	if found == "" {
		b.t.Fatalf("there is no question:\n%s", p.body)
	}
	return found
}

func TestAccess(t *testing.T) {
	b := inspect(t, everything(), "")
	path := "/" + b.i.token
	for _, tt := range []struct {
		name, method, path string
		headers            []string
		want               int
	}{
		{"with the token", "GET", path + "/", nil, 200},
		{"by another name of this machine", "GET", path + "/", []string{"Host", "localhost:8430"}, 200},
		{"without the token", "GET", "/", nil, 403},
		{"a page without the token", "GET", "/tools", nil, 403},
		{"with another token", "GET", "/" + strings.Repeat("A", 26) + "/", nil, 403},
		{"with the beginning of the token", "GET", path[:20] + "/", nil, 403},
		{"the events without the token", "GET", "/events", nil, 403},
		{"by a name that somebody made to point here", "GET", path + "/", []string{"Host", "pages.example:8430"}, 403},
		{"by an address of the network", "GET", path + "/", []string{"Host", "192.0.2.1:8430"}, 403},
		{"from a page of another site", "POST", path + "/ping", []string{"Origin", "https://evil.example"}, 403},
		{"from a page of another port", "POST", path + "/ping", []string{"Origin", "http://127.0.0.1:9000"}, 403},
		{"from a sandbox", "POST", path + "/ping", []string{"Origin", "null"}, 403},
		{"as a form of another site without an origin", "POST", path + "/ping", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"as a form of another port", "POST", path + "/ping", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"as a picture of another site", "GET", path + "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"by a link", "GET", path + "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"from a page of its own", "POST", path + "/ping", []string{"Origin", "http://127.0.0.1:8430", "Sec-Fetch-Site", "same-origin"}, 303},
		{"with a method that asks first", "OPTIONS", path + "/ping", []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST"}, 403},
		{"to act by a link", "GET", path + "/ping", nil, 405},
		{"for what is not there", "GET", path + "/nothing", nil, 404},
		{"for a file outside", "GET", path + "/assets/..%2finspector.go", nil, 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := b.do(tt.method, tt.path, nil, tt.headers...)
			if body := res.Body.String(); res.Code != tt.want {
				t.Errorf("%d, want %d: %s", res.Code, tt.want, body)
			} else if tt.want == 403 && strings.Contains(body, b.i.token) {
				t.Error("the refusal has the token")
			}
			if allowed := res.Header().Get("Access-Control-Allow-Origin"); allowed != "" {
				t.Errorf("other origins are allowed: %s", allowed)
			}
			for name, want := range map[string]string{"Content-Security-Policy": "frame-ancestors 'none'", "Referrer-Policy": "same-origin", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
				if got := res.Header().Get(name); !strings.Contains(got, want) {
					t.Errorf("%s is %q", name, got)
				}
			}
		})
	}
}

func TestOncePath_LeadsToThePageOnce(t *testing.T) {
	b := open(t, memory(everything()))
	replaced := b.i.OncePath()
	path := b.i.OncePath()
	if path == replaced || strings.Contains(path, b.i.token) {
		t.Fatalf("the path is %s", path)
	}
	for _, tt := range []struct {
		path string
		want int
	}{{replaced, 403}, {"/once/", 403}, {path, 303}, {path, 403}} {
		res := b.do(http.MethodGet, tt.path, nil)
		if res.Code != tt.want {
			t.Errorf("%s: %d, want %d", tt.path, res.Code, tt.want)
		}
		if tt.want == 303 && res.Header().Get("Location") != b.i.Path() {
			t.Errorf("it leads to %s", res.Header().Get("Location"))
		}
	}
}

func TestConnect_EachTransportAndRevision(t *testing.T) {
	s := everything()
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.HTTPHandler(nil))
	sse := s.SSEHandler(nil)
	mux.Handle("/sse", sse)
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	t.Cleanup(func() { _ = sse.Shutdown(context.Background()) })
	web := func(path string) Server {
		return Server{Name: path, Target: site.URL + path, Transport: func(func(string)) (mcp.Transport, error) { return &mcp.HTTPTransport{URL: site.URL + path}, nil }}
	}
	process := Server{Name: "process", Target: os.Args[0], Transport: func(func(string)) (mcp.Transport, error) {
		return &mcp.CommandTransport{Command: os.Args[0], Env: []string{"INSPECTED=1"}}, nil
	}}
	b := open(t, memory(s), process, web("/mcp"), web("/sse"))
	for n, name := range []string{"memory", "standard input and output", "Streamable HTTP", "HTTP with SSE"} {
		for _, revision := range mcp.Revisions() {
			if n == 3 && revision != "2024-11-05" {
				continue
			}
			t.Run(name+" "+revision, func(t *testing.T) {
				b.t = t
				p := b.post("/connect", "server", fmt.Sprint(n), "revision", revision, "level", "info", "roots", "1", "sampling", "1", "elicitation", "1", "tasks", "1")
				p.want(t, "Server")
				p = b.until("/", `class="state connected"`, "Be kind.⟦U+202E⟧", "<dd>"+revision+"</dd>", "<dd>1.2</dd>")
				p.not(t, "<b>thing</b>")
				b.until("/tools", ">add<")
				b.post("/tools", "name", "add", "value.a", "3", "do", "call").want(t, "done", `"a": 3`)
				if n == 1 {
					b.get("/log?kind=stderr").want(t, "the server has begun")
				}
			})
		}
	}
}

func TestConnect_Failures(t *testing.T) {
	gone := Server{Name: "gone", Target: "gone", Transport: func(func(string)) (mcp.Transport, error) {
		return &mcp.CommandTransport{Command: "no-such-program-anywhere"}, nil
	}}
	b := open(t, gone, memory(everything()))
	b.get("/").want(t, "not connected")
	b.get("/tools").want(t, "Not connected to a server")
	b.post("/tools", "name", "add").want(t, "The server does not list this tool")
	b.post("/ping").want(t, "no server is connected")
	b.post("/connect", "server", "0", "level", "info")
	b.until("/", "Could not connect to the server", "no-such-program-anywhere")
	b.post("/connect", "server", "1", "level", "info", "revision", "2025-06-18")
	b.until("/", `class="state connected"`, "2025-06-18")
	b.post("/disconnect").want(t, `class="state disconnected"`)
	b.post("/ping").want(t, "the server is not connected")
	for _, form := range [][]string{{"server", "7", "level", "info"}, {"server", "x", "level", "info"}, {"server", "1", "level", "loud"}, {"server", "1", "level", "info", "revision", "1999-01-01"}} {
		if p := b.post("/connect", form...); p.status != http.StatusBadRequest {
			t.Errorf("%v: %d", form, p.status)
		}
	}
}

func TestConnect_ALostServerIsShown(t *testing.T) {
	b := open(t, Server{Name: "short", Target: "short", Transport: func(func(string)) (mcp.Transport, error) {
		return &mcp.CommandTransport{Command: os.Args[0], Env: []string{"INSPECTED=1"}}, nil
	}})
	b.connect(settings{Revision: "2025-11-25", Level: "info"})
	b.i.connection().client.Close()
	b.until("/", `class="state disconnected"`)
}

func TestCapabilities_OnlyThoseThatAreChosenAreDeclared(t *testing.T) {
	b := open(t, memory(everything()))
	b.post("/connect", "server", "0", "revision", "2025-11-25", "level", "info", "roots", "1")
	b.until("/", `class="state connected"`)
	found, _ := b.i.log.latest(logFilter{Text: `"initialize"`}, 1)
	if len(found) != 1 || !strings.Contains(found[0].Text, `"roots"`) || strings.Contains(found[0].Text, `"sampling"`) || strings.Contains(found[0].Text, `"elicitation"`) {
		t.Errorf("initialize is %+v", found)
	}
	b.until("/tools", ">ask<")
	b.post("/tools", "name", "ask", "do", "call").want(t, "failed")
}

func TestPrompts(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			b.until("/prompts", ">greet<")
			p := b.get("/prompts?name=greet")
			p.want(t, "Greets.", "string, required", "a tone", "data-complete")
			p = b.post("/prompts", "name", "greet", "value.who", "Ada", "do", "get")
			p.want(t, "A greeting.", "Hello, Ada!", "user", "assistant", "Hi.", `"who": "Ada"`)
			b.get("/prompts?again="+strings.TrimPrefix(p.path, "/requests/")).want(t, `name="value.who" value="Ada"`)
			p = b.post("/prompts", "name", "greet", "value.who", "a", "do", "complete:who")
			p.want(t, `<option value="Ada">`, `<option value="Alan">`, `name="value.who" value="a"`)
			b.post("/prompts", "name", "greet", "value.who", "zzz", "do", "complete:who").want(t, "no suggestions")
			b.post("/prompts", "name", "nothing").want(t, "does not list this prompt")
			if got := b.get("/complete?kind=prompt&name=greet&argument=value.who&value.who=al").body; got != `{"values":["Alan"]}` && got != `{"values":["Alan"],"total":1}` {
				t.Errorf("completion is %s", got)
			}
			if got := b.get("/complete?kind=prompt&name=nothing&argument=who"); got.status != http.StatusBadGateway {
				t.Errorf("completion of nothing: %d %s", got.status, got.body)
			}
		})
	}
}

func TestResources(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			b.until("/resources", ">one<", ">page<")
			b.get("/resources?uri=doc://one").want(t, "text/plain", "doc://one", ">Subscribe<")
			p := b.post("/resources", "uri", "doc://one", "do", "read")
			p.want(t, "one⟦U+202E⟧ text", "text/plain")
			b.get("/resources?again="+strings.TrimPrefix(p.path, "/requests/")).want(t, "doc://one")
			p = b.post("/resources", "uri", "doc://blob", "do", "read")
			p.want(t, "application/zip", "<span>4 bytes</span>", "Download")
			if body := b.get(p.path + "/content/0").body; body != "\x00\x01\x02\x03" {
				t.Errorf("the data are %q", body)
			}
			b.post("/resources", "uri", "doc://none", "do", "read").want(t, "failed", "The server returned error")

			book := "moby"
			if revision < "2025-06-18" {
				book = "" // the other values are not sent
			}
			const template = "page://{book}/{id}{?mark*}"
			b.get("/resources?template="+url.QueryEscape(template)).want(t, `name="value.book"`, `name="value.id"`, `name="value.mark"`)
			b.post("/resources", "template", template, "value.book", "b/ook", "value.id", "7", "value.mark", "x,y", "do", "read").want(t, "the page page://b%2Fook/7?mark=x&mark=y")
			b.post("/resources", "template", template, "value.book", "moby", "value.id", "", "do", "complete:id").want(t, `value="`+book+`-1"`, `value="`+book+`-2"`)
			if got := b.get("/complete?kind=template&name=" + url.QueryEscape(template) + "&argument=value.id&value.book=moby&value.id=" + book + "-2").body; !strings.Contains(got, `["`+book+`-2"]`) {
				t.Errorf("completion is %s", got)
			}
			b.post("/resources", "template", "other://{x}", "do", "read").want(t, "does not have this template")

			b.post("/resources", "uri", "doc://one", "do", "subscribe").want(t, "Subscribed.", "Unsubscribe")
			b.post("/tools", "name", "touch", "do", "call").want(t, "touched")
			b.until("/resources?uri=doc://one", "1 update so far.")
			b.post("/resources", "uri", "doc://one", "do", "unsubscribe").want(t, ">Subscribe<")
		})
	}
}

func TestRequests_OfAnyMethod(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			p := b.post("/requests", "method", "tools/call", "params", `{"name":"add","arguments":{"a":5}}`, "do", "call")
			p.want(t, "done", `"a": 5`, "Raw result")
			b.get("/requests?again="+strings.TrimPrefix(p.path, "/requests/")).want(t, `name="method" value="tools/call"`, `"a": 5`)
			if revision >= "2025-11-25" {
				b.post("/tools", "name", "slow", "task", "1")
				b.until("/requests/2", "done as a task")
				id := regexp.MustCompile(`Task <code>([^<]+)</code>`).FindStringSubmatch(b.get("/requests/2").body)
				if id == nil {
					t.Fatalf("no task: %s", b.get("/requests/2").text())
				}
				b.post("/requests", "method", "tasks/get", "params", `{"taskId":"`+id[1]+`"}`).want(t, "done", "Raw result", `"taskId": "`+id[1]+`"`)
			}
			b.post("/requests", "method", "no/such").want(t, "failed")
			b.post("/requests", "method", "").want(t, "Enter a method.")
			b.post("/requests", "method", "tools/list", "params", "[").want(t, "Nothing was sent", "This is not a JSON object.")
			b.post("/requests", "method", "notifications/example", "params", `{"x":1}`, "do", "notify").want(t, "notification", "done")
			b.until("/log?kind=notification", "notifications/example")
		})
	}
}

func TestTasks(t *testing.T) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			b := inspect(t, everything(), revision)
			b.get("/tasks").want(t, "None.")
			if revision < "2025-11-25" {
				return
			}
			b.post("/tools", "name", "slow", "task", "1")
			b.until("/requests/1", "done as a task")
			p := b.until("/tasks", "completed")
			id := regexp.MustCompile(`name="task" value="([^"]+)"`).FindStringSubmatch(p.body)
			if id == nil || strings.Contains(p.body, `value="cancel"`) || !strings.Contains(p.body, ">slow<") {
				t.Fatalf("the page is %s", p.body)
			}
			b.post("/tasks", "task", id[1], "do", "get").want(t, "completed", id[1])
			if revision == "2025-11-25" {
				p.want(t, "Reload", ">Result")
				b.post("/tasks", "task", id[1], "do", "result")
				b.until("/requests/1", "done as a task")
				other, err := b.i.connection().client.CallToolTask(t.Context(), "slow", struct{}{}, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := other.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				if p := b.post("/refresh", "list", "/tasks"); strings.Count(p.body, `name="task"`) != 2 {
					t.Errorf("the page is %s", p.body)
				}
			} else {
				p.not(t, "Reload", ">Result")
			}
			if p := b.post("/tasks", "task", "x", "do", "drop"); p.status != http.StatusBadRequest {
				t.Errorf("a request that there is not: %d", p.status)
			}
		})
	}
}

func TestTransports(t *testing.T) {
	s := everything()
	streams := httptest.NewServer(s.SSEHandler(nil))
	t.Cleanup(streams.Close)
	posts := httptest.NewServer(s.HTTPHandler(nil))
	t.Cleanup(posts.Close)
	var servers []Server
	for _, address := range []string{streams.URL, posts.URL} {
		servers = append(servers, Server{Name: address, Target: address, HTTP: true, Transport: func(func(string)) (mcp.Transport, error) { return &mcp.HTTPTransport{URL: address}, nil }})
	}
	b := open(t, servers...)
	t.Cleanup(b.i.Close)
	b.get("/").want(t, `name="transport"`)
	for _, tt := range []struct {
		transport, revision string
		server              string
		want                string
	}{
		{"", "", "0", "<dd>2025-11-25<"}, {sse, "", "0", "<dd>2025-11-25<"}, {sse, "2024-11-05", "0", "<dd>2024-11-05<"}, {sse, "2026-07-28", "0", "HTTP with SSE, which is for revisions with sessions"},
		{streamable, "", "0", "status 400"}, {streamable, "2025-06-18", "1", "<dd>2025-06-18<"}, {"", "", "1", "<dd>2026-07-28<"}, {sse, "", "1", "Could not connect"},
	} {
		b.post("/connect", "server", tt.server, "level", "info", "transport", tt.transport, "revision", tt.revision)
		b.until("/", tt.want)
		if tt.transport != "" {
			b.get("/").want(t, `value="`+tt.transport+`" selected`)
		}
	}
	if p := b.post("/connect", "server", "0", "level", "info", "transport", "pigeon"); p.status != http.StatusBadRequest {
		t.Errorf("a transport that there is not: %d", p.status)
	}
	inspect(t, everything(), "").get("/").not(t, `name="transport"`)
}

func TestMessages(t *testing.T) {
	b := inspect(t, everything(), "2025-11-25")
	b.post("/tools", "name", "add", "value.a", "3").want(t, "done")
	b.post("/tools", "name", "break").want(t, "failed")
	p := b.until("/log", "initialize", "tools/list", "tools/call add", "notifications/message", "about to add", "notifications/progress")
	p.want(t, "request", "response", "sent", "received")
	b.get("/log?kind=error").want(t, "tools/call break: 7 broken")
	b.get("/log?kind=error").not(t, "tools/call add")
	b.get("/log?kind=notification&q=ABOUT+to").want(t, "notifications/message")
	b.get("/log?q=nothing+like+it").want(t, "None.")
	found := regexp.MustCompile(`id="m(\d+)"`).FindStringSubmatch(b.get("/log?kind=error").body)
	b.get("/log/"+found[1]).want(t, "tools/call break: 7 broken", `"why": "rust"`)
	b.get("/log/99999").want(t, "no longer available")
	text := b.get("/log.txt").body
	if !strings.Contains(text, " > {") || !strings.Contains(text, " < {") || strings.Index(text, "initialize") > strings.Index(text, "tools/call") {
		t.Errorf("the text is %s", text)
	}
	b.post("/ping").want(t, "done")
	b.post("/level", "level", "error").want(t, "<option selected>error")
	b.until("/log?q=logging/setLevel", "logging/setLevel")
	if p := b.post("/level", "level", "loud"); p.status != http.StatusBadGateway {
		t.Errorf("a level that there is not: %d", p.status)
	}
}

func TestEvents_NameWhatIsStale(t *testing.T) {
	b := inspect(t, everything(), "2025-11-25")
	site := httptest.NewServer(b.i)
	t.Cleanup(site.Close)
	t.Cleanup(b.i.Close) // The inspector is closed before the server, which waits for the stream.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.URL+"/"+b.i.token+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("the stream is %v", res.Header)
	}
	events := make(chan string, 1000)
	go func() {
		defer close(events)
		buf := make([]byte, 1<<12)
		for {
			n, err := res.Body.Read(buf)
			if n > 0 {
				events <- string(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	if first := <-events; !regexp.MustCompile(`^event: ready\ndata: \d+\n\n$`).MatchString(first) {
		t.Fatalf("the first event is %q", first)
	}
	p := b.post("/tools", "name", "ask")
	want := []string{"requests", "request-1", "log", "questions", "state"}
	all := ""
	for next := range events {
		all += next
		missing := ""
		for _, part := range want {
			if !regexp.MustCompile(`data:( \S+)* ` + part + `\b`).MatchString(all) {
				missing = part
			}
		}
		if missing == "" {
			break
		}
	}
	b.post(b.question(), "do", "cancel")
	b.until(p.path, "cancel {")
}
