package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/docent-mcp/docent/mcp"
)

// User code can end its goroutine, as t.FailNow does in a handler. Then only that request may fail.

// exits returns a server on which every handler named "exit" ends its goroutine.
func exits(t testing.TB) *mcp.Server {
	t.Helper()
	exit := func(name string) {
		if strings.Contains(name, "exit") {
			runtime.Goexit()
		}
	}
	opts := &mcp.ServerOptions{
		Visible: func(r *mcp.Request, e mcp.Entry) bool {
			if entryName(e) == "invisible" && !strings.HasSuffix(r.Method(), "/list") {
				runtime.Goexit()
			}
			return true
		},
		Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if strings.HasSuffix(r.Method(), "/exit") {
					runtime.Goexit()
				}
				return next(ctx, r)
			}
		}},
	}
	s := echoServer(t, opts)
	suggest := func(_ context.Context, _ *mcp.Request, typed string, _ map[string]string) (mcp.Completion, error) {
		exit(typed)
		return mcp.Completion{}, nil
	}
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "exit"}, exitTool),
		mcp.AddTool(s, mcp.Tool{Name: "invisible"}, exitTool),
		mcp.AddTool(s, mcp.Tool{Name: "late"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "the answer becomes a stream")
			runtime.Goexit()
			return "", nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "exit", Arguments: []mcp.PromptArgument{{Name: "a", Complete: suggest}}}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			runtime.Goexit()
			return nil, nil
		}),
		s.AddResource(mcp.Resource{URI: "x:exit", Name: "exit"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			runtime.Goexit()
			return nil, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "y:{name}", Name: "y"}, func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
			exit(uri)
			return nil, nil
		}),
		s.Handle("example/own-exit", func(context.Context, *mcp.Request) (mcp.Result, error) {
			runtime.Goexit()
			return nil, nil
		}),
	)
	return s
}

// exitRequests contains a request of each kind that ends its goroutine, as a method and members of
// params.
var exitRequests = [][2]string{
	{"tools/call", callParams("exit", `{}`)},
	{"tools/call", callParams("invisible", `{}`)},
	{"prompts/get", promptParams("exit", `{}`)},
	{"resources/read", uriParams("x:exit")},
	{"resources/read", uriParams("y:exit")},
	{"completion/complete", `"ref":{"type":"ref/prompt","name":"exit"},"argument":{"name":"a","value":"exit"}`},
	{"example/own-exit", ``},
	{"example/exit", ``},
}

func (m *message) isInternalError() bool {
	return m.Error != nil && m.Error.Code == mcp.CodeInternalError
}

func TestCodeThatEndsItsGoroutineIsOneFailedRequestOnAPipe(t *testing.T) {
	proves(t, "base.error.internal")
	eachInBubble(t, revisions, func(t *testing.T, revision string) {
		p := connect(t, exits(t))
		params := p.open(revision)
		p.send(`{"jsonrpc":"2.0","method":"notifications/exit"}`)
		for i, request := range exitRequests {
			if m := p.ask(fmt.Sprint(i), request[0], params(request[1])); !m.isInternalError() {
				t.Errorf("%s: %s", request, m.line)
			}
		}
		if m := p.ask("100", "tools/call", params(callParams("echo", `{"message":"x"}`))); m.text() != "x" {
			t.Error(m.line)
		}
		if revision != "2025-03-26" {
			return
		}
		// The server must still answer the other calls in the batch.
		p.send(`[` + callLine(1, "echo", `{"message":"a"}`) + `,` + callLine(2, "invisible", `{}`) + `,` + callLine(3, "exit", `{}`) + `,` + callLine(4, "echo", `{"message":"b"}`) + `]`)
		var batch []message
		must(t, json.Unmarshal([]byte(p.receiveLine()), &batch))
		got := map[string]string{}
		for _, m := range batch {
			if got[string(m.ID)] = m.text(); m.isInternalError() {
				got[string(m.ID)] = "failed"
			}
		}
		if fmt.Sprint(got) != "map[1:a 2:failed 3:failed 4:b]" {
			t.Errorf("the batch: %v", got)
		}
		if m := p.ask("101", "ping", ""); m.Error != nil {
			t.Error(m.line)
		}
	})
}

func TestCodeThatEndsItsGoroutineIsOneFailedRequestOverHTTP(t *testing.T) {
	proves(t, "base.error.internal")
	for _, stateless := range []bool{false, true} {
		eachOverHTTP(t, func(t *testing.T, revision string) {
			endpoint := host(t, exits(t), &mcp.HTTPOptions{Stateless: stateless})
			w := endpoint.open(revision)
			w.post(`{"jsonrpc":"2.0","method":"notifications/exit"}`).want(http.StatusAccepted)
			for i, request := range exitRequests {
				a := w.begin(i+1, request[0], request[1])
				a.want(200)
				var m *message
				if a.events {
					m = a.receive()
				} else {
					m = a.message()
				}
				if !m.isInternalError() || string(m.ID) != fmt.Sprint(i+1) {
					t.Errorf("%s: %s", request, m.line)
				}
				w.say("alive")
			}
			if revision != "2025-03-26" {
				return
			}
			a := w.post(`[` + callLine(1, "echo", `{"message":"a"}`) + `,` + callLine(2, "invisible", `{}`) + `,` + callLine(3, "exit", `{}`) + `,{"jsonrpc":"2.0","method":"notifications/exit"},` + callLine(4, "echo", `{"message":"b"}`) + `]`).want(200)
			for _, want := range []string{`"text":"a"`, `"text":"b"`, `"id":2,"error":{"code":-32603`, `"id":3,"error":{"code":-32603`} {
				if !strings.Contains(a.body, want) {
					t.Errorf("the batch has no %s: %s", want, a.body)
				}
			}
		})
	}
}

func TestAnAnswerThatIsAStreamAlreadyHasTheErrorAsItsLastEvent(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		endpoint := host(t, exits(t), nil)
		w := endpoint.open(revision)
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late","_meta":{"progressToken":1}}}`
		if modern(revision) {
			body = strings.Replace(body, `"_meta":{"progressToken":1}`, modernMeta(`,"progressToken":1`), 1)
		}
		a := w.with("Mcp-Method: tools/call", "Mcp-Name: late").post(body)
		if m := a.receive(); m.Method != "notifications/progress" {
			t.Error(m.line)
		}
		if m := a.receive(); !m.isInternalError() {
			t.Error(m.line)
		}
		w.say("alive")
	})
}

func TestCodeThatEndsItsGoroutineOverHTTP2LeavesTheConnection(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, exits(t), nil)
		protocols := new(http.Protocols)
		protocols.SetUnencryptedHTTP2(true)
		transport := endpoint.client.Transport.(*http.Transport)
		transport.Protocols = protocols
		var dials atomic.Int32
		dial := transport.DialContext
		transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials.Add(1)
			return dial(ctx, network, addr)
		}
		for k, revision := range []string{"2025-11-25", "2026-07-28"} {
			w := endpoint.open(revision)
			if k == 0 { // http.Transport may dial again before it shares the first connection
				synctest.Wait()
				dials.Store(0)
			}
			for i, request := range exitRequests {
				a := w.begin(i+1, request[0], request[1])
				m, _ := a.response()
				if !m.isInternalError() {
					t.Errorf("%s %s: %s", revision, request, m.line)
				}
			}
			w.say("alive")
		}
		if n := dials.Load(); n != 0 {
			t.Errorf("%d more connections were opened", n)
		}
	})
}

func TestMiddlewareThatEndsItsGoroutineFailsTheQuestionThatItSees(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := questioner(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Outgoing() && r.Method() == "roots/list" {
					runtime.Goexit()
				}
				return next(ctx, r)
			}
		}}})
		p := connect(t, s)
		p.openWith("2025-11-25", `{"roots":{}}`)
		if m := p.ask("1", "tools/call", `{"name":"ask","arguments":{"times":1}}`); m.Result["isError"] != true {
			t.Error(m.line)
		}
	})
}

func TestASubscriptionWhoseMiddlewareEndsItsGoroutineIsAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Method() == "subscriptions/listen" {
					runtime.Goexit()
				}
				return next(ctx, r)
			}
		}}})
		w := host(t, s, nil).open("2026-07-28")
		m, _ := w.begin(1, "subscriptions/listen", `"notifications":{}`).response()
		if !m.isInternalError() {
			t.Error(m.line)
		}
		p := connect(t, s)
		p.open("2026-07-28")
		p.send(w.request(1, "subscriptions/listen", `"notifications":{}`))
		if m := p.receive(); !m.isInternalError() {
			t.Error(m.line)
		}
	})
}

func TestATaskSurvivesMiddlewareThatEndsItsGoroutine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		opts := &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Method() == "notifications/tasks/status" {
					runtime.Goexit()
				}
				return next(ctx, r)
			}
		}}}
		g := newWorks(t, opts)
		c := tasksOn(t, g.Server, core)
		task := createTask(t, c, "quick", "")
		settle()
		if got := getTask(t, c, task); got["status"] != "completed" {
			t.Errorf("the task is %v", got["status"])
		}
		c.end()
	})
}

// aborting is a ResponseWriter that aborts the connection.
type aborting struct{ http.ResponseWriter }

func (aborting) Header() http.Header       { return http.Header{} }
func (aborting) WriteHeader(int)           {}
func (aborting) Write([]byte) (int, error) { panic(http.ErrAbortHandler) }

func TestAPanicOfTheResponseWriterReachesItsServer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := echoServer(t, nil).HTTPHandler(nil)
		for _, major := range []int{1, 2} {
			req := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta("")+`}}`))
			req.ProtoMajor = major
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			req.Header.Set("Mcp-Method", "tools/list")
			got := func() (p any) {
				defer func() { p = recover() }()
				h.ServeHTTP(aborting{}, req)
				return nil
			}()
			if err, _ := got.(error); !errors.Is(err, http.ErrAbortHandler) {
				t.Errorf("HTTP/%d: ServeHTTP panics with %v", major, got)
			}
		}
	})
}
