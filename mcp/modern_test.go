package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestAModernClientGetsNothingButAnswersAndTheNotificationsItAskedFor(t *testing.T) {
	proves(t, "transport.binding.directions", "base.components.modern-core", "base.result.type.value-set", "base.result.type.required",
		"stdio.server-no-requests", "base.patterns.no-server-requests", "cancel.server.only-listen", "cancel.in-progress",
		"base.notification.no-id")
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
		w := addWaiter(t, s)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "all"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "half")
			r.Log(mcp.LevelError, "", "something")
			return "", askOnly(ctx, r, &mcp.RootsQuestion{})
		}))
		both := func(ctx context.Context, r *mcp.Request) error {
			return askOnly(ctx, r, &mcp.RootsQuestion{Key: "a"}, &mcp.RootsQuestion{Key: "b"})
		}
		must(t,
			s.AddPrompt(mcp.Prompt{Name: "asks"}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
				return nil, both(ctx, r)
			}),
			s.AddResource(mcp.Resource{URI: "x:asks", Name: "asks"}, func(ctx context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
				return nil, both(ctx, r)
			}))
		p := connect(t, s)
		meta := strings.Replace(modernMeta(`,"progressToken":"t","io.modelcontextprotocol/logLevel":"debug"`), `clientCapabilities":{}`, `clientCapabilities":{"roots":{}}`, 1)
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"listen","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`, modernMeta("")))
		requests := map[string]string{
			`"1"`: `"method":"server/discover","params":{` + meta + `}`,
			`"2"`: `"method":"tools/list","params":{` + meta + `}`,
			`"3"`: `"method":"tools/call","params":{"name":"all",` + meta + `}`,
			`"4"`: `"method":"tools/call","params":{"name":"wait",` + meta + `}`,
			`"5"`: `"method":"no/such","params":{` + meta + `}`,
			`"6"`: `"method":"tools/call","params":{"name":"panic",` + meta + `}`,
			`"7"`: `"method":"tools/list"`,
			`"8"`: `"method":"prompts/get","params":{"name":"asks",` + meta + `}`,
			`"9"`: `"method":"resources/read","params":{"uri":"x:asks",` + meta + `}`,
		}
		for id, rest := range requests {
			p.send(`{"jsonrpc":"2.0","id":` + id + `,` + rest + `}`)
		}
		p.send(`broken`)
		for _, response := range []string{`"result":{}`, `"error":{"code":1,"message":"x"}`, `"result":7`} { // these responses do not belong to a question
			p.send(`{"jsonrpc":"2.0","id":"7",` + response + `}`)
		}
		<-w.entered
		p.send(cancelLine(`{"requestId":"4",` + meta + `}`))
		<-w.ends
		addNamed(t, s, "more")
		settle()
		p.send(cancelLine(`{"requestId":"listen",` + meta + `}`))
		settle()
		addNamed(t, s, "and-more")
		kinds, answered := map[string]string{}, []string{}
		for range 1 + len(requests) - 1 + 4 { // one line is malformed, one request is cancelled, and there are four notifications
			m := p.receive()
			switch {
			case m.Method != "" && m.ID != nil:
				t.Errorf("a request: %s", m.line)
			case m.Method != "":
				kinds[m.Method] = "seen"
			case m.Result != nil:
				kinds[fmt.Sprint("result ", m.Result["resultType"])] = "seen"
				answered = append(answered, string(m.ID))
			case m.Error != nil:
				answered = append(answered, string(m.ID))
			}
		}
		p.end()
		want := []string{"notifications/message", "notifications/progress", "notifications/subscriptions/acknowledged", "notifications/tools/list_changed", "result complete", "result input_required"}
		var got []string
		for kind := range kinds {
			got = append(got, kind)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("the client got %q", got)
		}
		if slices.Sort(answered); !slices.Equal(answered, []string{"", `"1"`, `"2"`, `"3"`, `"5"`, `"6"`, `"7"`, `"8"`, `"9"`}) {
			t.Errorf("answered are %q", answered)
		}
	})
}

func TestARequestOfTheModernRevisionSaysAllByItself(t *testing.T) {
	proves(t, "base.stateless.no-prior-context", "meta.caps.no-inference", "meta.caps.missing.code")
	s := echoServer(t, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "who"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		caps := r.ClientCapabilities()
		return fmt.Sprint(r.Revision(), " ", r.Client().Name, " ", caps.Roots != nil, " ", caps.Sampling != nil), nil
	}))
	p := connect(t, s)
	p.openWith("2025-06-18", `{"roots":{},"sampling":{}}`)
	who := func(meta string) string {
		return p.ask("1", "tools/call", `{"name":"who"`+meta+`}`).text()
	}
	for _, test := range []struct{ meta, want string }{
		{``, "2025-06-18 test true true"},
		{`,` + modernMeta(""), "2026-07-28 test false false"},
		{`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}`, "2026-07-28  false true"},
		{`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"other","version":"2"}}`, "2026-07-28 other false false"},
		{``, "2025-06-18 test true true"},
	} {
		if got := who(test.meta); got != test.want {
			t.Errorf("with %s: %s, want %s", test.meta, got, test.want)
		}
	}
}

// TestTasksThatEndEarlyAreNotCancelledByTheServer checks that the client gets no
// notifications/cancelled for a task that ends early, because it is not a subscription.
func TestTasksThatEndEarlyAreNotCancelledByTheServer(t *testing.T) {
	proves(t, "cancel.server.only-listen", "stdio.server-no-requests", "base.patterns.no-server-requests")
	for _, over := range []string{"pipe", "http"} {
		t.Run(over, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newWorks(t, &mcp.ServerOptions{Tasks: mcp.TaskOptions{TTL: time.Minute}})
				addTask(t, g.Server, "impatient", false, func(ctx context.Context, r *mcp.Request) (string, error) {
					short, cancel := context.WithTimeout(ctx, time.Second)
					defer cancel()
					if err := askOnly(short, r, nameQuestion(t, "late")); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("Ask returned %v", err)
					}
					return "", nil
				})
				var c taskClient = tasksAt(host(t, g.Server, nil), latest)
				if over == "pipe" {
					c = tasksOn(t, g.Server, latest)
				}
				ends := map[string]func(task map[string]any){
					"cancelled": func(task map[string]any) { c.call("tasks/cancel", taskID(task)) },
					"unknown":   func(map[string]any) { time.Sleep(time.Minute) },
					"completed": func(map[string]any) { g.release <- "done" },
				}
				for status, end := range ends {
					task := createTask(t, c, "work", "")
					<-g.began
					end(task)
					settle()
					if m := c.call("tasks/get", taskID(task)); m.Result["status"] != status && (status != "unknown" || m.Error == nil) {
						t.Errorf("not %s: %s", status, m.line)
					}
				}
				task := createTask(t, c, "impatient", "")
				time.Sleep(2 * time.Second)
				if got := getTask(t, c, task); got["status"] != "completed" {
					t.Error(got)
				}
				if pipe, ok := c.(*pipeTasks); ok {
					pipe.end()
				}
				for _, m := range c.said() {
					t.Errorf("the server sends %s", m.line)
				}
			})
		})
	}
}
