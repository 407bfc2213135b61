package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// nameQuestion asks for a name.
func nameQuestion(t testing.TB, key string) *mcp.Elicitation {
	schema, err := mcp.FormSchema[nameForm]()
	must(t, err)
	return &mcp.Elicitation{Key: key, Message: "Who is " + key + "?", Schema: schema}
}

func accepts(name string) string {
	return fmt.Sprintf(`{"action":"accept","content":{"name":%q}}`, name)
}

// addTask adds a tool whose calls are tasks.
func addTask(t testing.TB, s *mcp.Server, name string, byHandler bool, f func(context.Context, *mcp.Request) (string, error)) {
	t.Helper()
	must(t, mcp.AddTool(s, mcp.Tool{Name: name, TaskSupport: mcp.TaskSupportOptional, TaskByHandler: byHandler},
		func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) { return f(ctx, r) }))
}

func TestATaskGetsItsAnswersByUpdates(t *testing.T) {
	proves(t, "mrtr.only-way", "base.patterns.no-server-requests", "xtasks.get.input-required", "xtasks.input.key-unique", "xtasks.input.key-not-reused", "xtasks.update.ack", "xtasks.update.unknown-keys",
		"xtasks.update.partial", "xtasks.result-type.others-complete")
	for _, over := range []string{"a pipe", "HTTP"} {
		bubble(t, func(t *testing.T) {
			g := newWorks(t, nil)
			addTask(t, g.Server, "ask", false, func(ctx context.Context, r *mcp.Request) (string, error) {
				var names []string
				for range 3 { // the keys are the same every time, or empty
					a, b, c := nameQuestion(t, "ann"), nameQuestion(t, "bob"), nameQuestion(t, "")
					answers, err := r.Ask(ctx, a, b, c)
					if err != nil {
						return "", err
					}
					for _, answer := range answers {
						names = append(names, content(answer))
					}
				}
				return strings.Join(names, " "), nil
			})
			var c taskClient = tasksOn(t, g.Server, latest)
			if over == "HTTP" {
				c = tasksAt(host(t, g.Server, nil), latest)
			}
			task := createTask(t, c, "ask", "")
			used := map[string]bool{}
			for round := range 3 {
				settle()
				got := getTask(t, c, task)
				open := object(got["inputRequests"])
				if got["status"] != "input_required" || len(open) != 3 {
					t.Fatalf("round %d: %v", round, got)
				}
				var names []string
				for key, request := range open {
					if used[key] {
						t.Errorf("key %q is used again", key)
					}
					used[key] = true
					names = append(names, key)
					q := object(object(request)["params"])
					if object(request)["method"] != "elicitation/create" || q["requestedSchema"] == nil || q["_meta"] != nil {
						t.Errorf("asked: %v", request)
					}
				}
				slices.Sort(names)
				update := func(responses string) *message {
					return c.call("tasks/update", taskID(task)+`,"inputResponses":{`+responses+`}`)
				}
				acknowledged := func(m *message) {
					t.Helper()
					if keys(m.Result) != "_meta resultType" || m.Result["resultType"] != "complete" {
						t.Error(m.line)
					}
				}
				acknowledged(update(``))
				acknowledged(update(`"nobody":` + accepts("Eve")))
				// One answer is valid and the other is not. The valid answer is accepted.
				wantCode(t, update(fmt.Sprintf(`%q:%s,%q:{"action":"accept","content":{"name":7}}`, names[0], accepts("0"), names[1])), mcp.CodeInvalidParams)
				wantCode(t, update(fmt.Sprintf(`%q:{"action":"jump"}`, names[1])), mcp.CodeInvalidParams)
				got = getTask(t, c, task)
				if want := strings.Join(names[1:], " "); got["status"] != "input_required" || keys(object(got["inputRequests"])) != want {
					t.Errorf("want %s open: %v", want, got)
				}
				acknowledged(update(fmt.Sprintf(`%q:%s`, names[0], accepts("again")))) // the question has already been answered
				acknowledged(update(fmt.Sprintf(`%q:%s,%q:%s`, names[1], accepts("1"), names[2], accepts("2"))))
			}
			settle()
			got := getTask(t, c, task)
			text := fmt.Sprint(object(got["result"])["content"])
			if got["status"] != "completed" || got["inputRequests"] != nil || strings.Contains(text, "again") || strings.Count(text, `"name":"0"`) != 3 {
				t.Error(got)
			}
			for _, bad := range []string{``, `,"inputResponses":7`, `,"inputResponses":null`} {
				wantCode(t, c.call("tasks/update", taskID(task)+bad), mcp.CodeInvalidParams)
			}
			for _, m := range c.said() {
				if m.Method != "" && m.ID != nil {
					t.Errorf("the server sends the request %s", m.line)
				}
			}
		})
	}
}

func TestAQuestionThatNobodyWaitsForIsTakenBack(t *testing.T) {
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		late := nameQuestion(t, "late")
		addTask(t, g.Server, "impatient", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if answers, err := r.Ask(short, late); !errors.Is(err, context.DeadlineExceeded) || answers != nil {
				t.Errorf("Ask returned %v, %v", answers, err)
			}
			return g.work(ctx, r, struct{}{})
		})
		task := createTask(t, c, "impatient", "")
		settle()
		if got := getTask(t, c, task); got["status"] != "input_required" {
			t.Error(got)
		}
		if client, ok := c.(*pipeTasks); ok && c.revision() == core {
			client.call("ping", "")
		}
		<-g.began
		if got := getTask(t, c, task); got["status"] != "working" || got["inputRequests"] != nil {
			t.Error(got)
		}
		if c.revision() == latest {
			c.call("tasks/update", taskID(task)+`,"inputResponses":{"late":`+accepts("x")+`}`)
		}
		g.release <- ""
	})
}

func TestAKeyThatWasTakenBackIsNotUsedAgain(t *testing.T) {
	proves(t, "xtasks.input.key-not-reused", "xtasks.input.key-unique")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		addTask(t, g.Server, "again", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if err := askOnly(short, r, nameQuestion(t, "ann")); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Ask returned %v", err)
			}
			answer, err := r.AskUser(ctx, nameQuestion(t, "ann"))
			if err != nil {
				return "", err
			}
			return string(answer.Content), nil
		})
		c := tasksOn(t, g.Server, latest)
		task := createTask(t, c, "again", "")
		open := func() string {
			settle()
			return keys(object(getTask(t, c, task)["inputRequests"]))
		}
		first := open()
		time.Sleep(2 * time.Second)
		second := open()
		if first == "" || second == "" || first == second {
			t.Errorf("the keys are %q, then %q", first, second)
		}
		c.call("tasks/update", fmt.Sprintf(`%s,"inputResponses":{%q:%s}`, taskID(task), first, accepts("Late")))
		if got := open(); got != second {
			t.Errorf("after an answer to what was taken back, %q is open", got)
		}
		c.call("tasks/update", fmt.Sprintf(`%s,"inputResponses":{%q:%s}`, taskID(task), second, accepts("Ann")))
		settle()
		if got := getTask(t, c, task); got["status"] != "completed" || !strings.Contains(fmt.Sprint(got["result"]), "Ann") {
			t.Error(got)
		}
	})
}

func TestAHandlerThatAsksWithAContextOfItsOwnEndsWithItsTask(t *testing.T) {
	proves(t, "tasks.cancel.status-first", "tasks.cancel.sticks", "tasks.status.terminal", "tasks.status.transitions", "xtasks.cancel.ack")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		addTask(t, g.Server, "deaf", false, func(_ context.Context, r *mcp.Request) (string, error) {
			err := askOnly(context.Background(), r, nameQuestion(t, ""))
			g.ended <- err
			return "", err
		})
		task := createTask(t, c, "deaf", "")
		settle()
		if m := c.call("tasks/cancel", taskID(task)); m.Error != nil || c.revision() == core && m.Result["status"] != "cancelled" {
			t.Errorf("cancelled while it asks: %s", m.line)
		}
		settle()
		if got := getTask(t, c, task); got["status"] != "cancelled" {
			t.Errorf("a cancelled task: %v", got)
		}
		select {
		case err := <-g.ended:
			if err == nil {
				t.Error("Ask returned nil")
			}
		default:
			t.Fatal("the handler still waits")
		}
	})
}

func TestATaskWaitsForInputWhateverItAsksFor(t *testing.T) {
	proves(t, "tasks.input-required.enter", "tasks.input-required.related", "tasks.input-required.leave", "tasks.status.transitions", "xtasks.get.input-required")
	sampling := func() mcp.Question {
		return &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text("?")}}}}
	}
	const written = `{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}`
	tests := map[string]struct {
		questions func() []mcp.Question
		answers   []string
	}{
		"a form": {func() []mcp.Question { return []mcp.Question{nameQuestion(t, "a")} }, []string{accepts("x")}},
		"a page": {func() []mcp.Question {
			return []mcp.Question{&mcp.Elicitation{Message: "?", URL: "https://example.com/", ID: "1"}}
		}, []string{`{"action":"accept"}`}},
		"a model":     {func() []mcp.Question { return []mcp.Question{sampling()} }, []string{written}},
		"roots":       {func() []mcp.Question { return []mcp.Question{new(mcp.RootsQuestion)} }, []string{`{"roots":[]}`}},
		"two of them": {func() []mcp.Question { return []mcp.Question{sampling(), new(mcp.RootsQuestion)} }, []string{written, `{"roots":[]}`}},
	}
	for _, revision := range []string{core, latest} {
		for what, test := range tests {
			t.Run(revision+" "+what, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newWorks(t, nil)
					addTask(t, g.Server, "ask", false, func(ctx context.Context, r *mcp.Request) (string, error) {
						if err := askOnly(ctx, r, test.questions()...); err != nil {
							return "", err
						}
						return g.work(ctx, r, struct{}{})
					})
					p := tasksFor(context.Background(), t, g.Server, revision, `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
					task := createTask(t, p, "ask", "")
					settle()
					got := getTask(t, p, task)
					if got["status"] != "input_required" {
						t.Fatalf("a task that asks is %v", got)
					}
					if revision == latest {
						var replies []string
						for key, request := range object(got["inputRequests"]) {
							answer := test.answers[0]
							if object(request)["method"] == "roots/list" {
								answer = test.answers[len(test.answers)-1]
							}
							replies = append(replies, fmt.Sprintf("%q:%s", key, answer))
						}
						if len(replies) != len(test.answers) {
							t.Errorf("its questions are %v", got["inputRequests"])
						}
						p.call("tasks/update", taskID(task)+`,"inputResponses":{`+strings.Join(replies, ",")+`}`)
					} else {
						requests := 0
						for _, m := range p.said() {
							if m.ID == nil {
								continue
							}
							if requests++; object(object(m.Params["_meta"])[relatedTask])["taskId"] != task["taskId"] {
								t.Errorf("of no task: %s", m.line)
							}
							answer := test.answers[0]
							if m.Method == "roots/list" {
								answer = test.answers[len(test.answers)-1]
							}
							p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer))
						}
						if requests != len(test.answers) {
							t.Errorf("%d questions", requests)
						}
					}
					settle()
					if got := getTask(t, p, task); got["status"] != "working" || got["inputRequests"] != nil {
						t.Errorf("a task that has been answered is %v", got)
					}
					g.release <- "done"
					settle()
				})
			})
		}
	}
}

func TestTheCancellationOfATasksQuestionNamesTheTask(t *testing.T) {
	proves(t, "tasks.related.all", "tasks.related.nested")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		addTask(t, g.Server, "ask", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			return "", askOnly(ctx, r, nameQuestion(t, "a"))
		})
		p := tasksOn(t, g.Server, core)
		task := createTask(t, p, "ask", "")
		settle()
		p.call("ping", "")
		p.call("tasks/cancel", taskID(task))
		settle()
		p.call("ping", "")
		var texts []string
		for _, m := range p.said() {
			if m.Method == "elicitation/create" || m.Method == "notifications/cancelled" {
				texts = append(texts, m.Method)
				if object(object(m.Params["_meta"])[relatedTask])["taskId"] != task["taskId"] {
					t.Errorf("of no task: %s", m.line)
				}
			}
		}
		if fmt.Sprint(texts) != "[elicitation/create notifications/cancelled]" {
			t.Errorf("the client heard of %v", texts)
		}
	})
}

func TestEachKindOfQuestionOfATaskNamesIt(t *testing.T) {
	proves(t, "tasks.related.nested", "tasks.input-required.related", "tasks.related.all")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		addTask(t, g.Server, "ask", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			return "asked", askOnly(ctx, r, nameQuestion(t, ""), &mcp.RootsQuestion{},
				&mcp.Elicitation{Message: "Pay.", URL: "https://example.com/pay", ID: "1"},
				&mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hello"))}})
		})
		p := tasksFor(context.Background(), t, g.Server, core, `{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{}}`)
		task := createTask(t, p, "ask", "")
		requests := map[string]int{}
		before := p.said() // messages before the task was created
		for len(requests) < 3 || requests["elicitation/create"] < 2 {
			var m *message
			if len(before) > 0 {
				m, before = before[0], before[1:]
			} else {
				m = p.receive()
			}
			if m.ID == nil {
				continue
			}
			requests[m.Method]++
			if object(object(m.Params["_meta"])[relatedTask])["taskId"] != task["taskId"] {
				t.Errorf("of no task: %s", m.line)
			}
		}
	})
}

func TestATaskOfASessionAsksByRequestsThatNameIt(t *testing.T) {
	proves(t, "tasks.input-required.enter", "tasks.input-required.related", "tasks.input-required.leave", "tasks.related.all", "tasks.related.nested",
		"tasks.status.transitions", "tasks.http-rules", "elicit.complete.id")
	add := func(t *testing.T, g *works) {
		addTask(t, g.Server, "ask", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			a, b := nameQuestion(t, "a"), nameQuestion(t, "b")
			if err := askOnly(ctx, r, a, b); err != nil {
				return "", err
			}
			r.Session().ElicitationComplete("page")
			return g.work(ctx, r, struct{}{})
		})
	}
	related := func(t *testing.T, m *message, task map[string]any) {
		t.Helper()
		if object(object(m.Params["_meta"])[relatedTask])["taskId"] != task["taskId"] {
			t.Errorf("of no task: %s", m.line)
		}
	}
	for _, over := range []string{"a pipe", "HTTP"} {
		t.Run(over, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newWorks(t, nil)
				add(t, g)
				var c taskClient
				var questions []*message
				var answer func(id json.RawMessage)
				var result func() *message
				var task map[string]any
				if over == "a pipe" {
					p := tasksOn(t, g.Server, core)
					c, task = p, createTask(t, p, "ask", "")
					settle()
					answer = func(id json.RawMessage) {
						p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, accepts("x")))
					}
					if m := c.call("tasks/get", taskID(task)); m.Result["status"] != "input_required" {
						t.Error(m.line)
					}
					waiting := p.begin("tasks/result", taskID(task))
					result = func() *message { return p.answer(waiting) }
				} else {
					w := tasksAt(host(t, g.Server, nil), core)
					c, task = w, createTask(t, w, "ask", "")
					settle()
					if got := getTask(t, c, task); got["status"] != "input_required" {
						t.Error(got)
					}
					if len(w.heard) > 0 {
						t.Errorf("asked where nobody waits: %s", w.heard[0].line)
					}
					// When a waiting request ends, another can take its place.
					first := w.start("tasks/result", taskID(task))
					questions = append(questions, first.receive(), first.receive())
					result = func() *message {
						m := first.receive()
						first.ends()
						return m
					}
					answer = func(id json.RawMessage) {
						w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, accepts("x"))).want(202)
					}
				}
				for _, m := range c.said() {
					if m.Method == "elicitation/create" {
						questions = append(questions, m)
					}
				}
				if len(questions) != 2 {
					t.Fatalf("%d questions", len(questions))
				}
				for i, m := range questions {
					related(t, m, task)
					answer(m.ID)
					settle()
					want := []string{"input_required", "working"}[i]
					if got := getTask(t, c, task); got["status"] != want {
						t.Errorf("after %d answers: %v", i+1, got)
					}
				}
				g.release <- "asked"
				if m := result(); m.text() != "asked" {
					t.Error(m.line)
				}
				visits := 0
				for _, m := range c.said() {
					switch m.Method {
					case "notifications/tasks/status":
						if m.Params["_meta"] != nil || m.Params["taskId"] != task["taskId"] {
							t.Error(m.line)
						}
					case "notifications/elicitation/complete":
						visits++
						if related(t, m, task); m.Params["elicitationId"] != "page" {
							t.Error(m.line)
						}
					case "":
					default:
						related(t, m, task)
					}
				}
				if over == "a pipe" && visits != 1 {
					t.Errorf("told of %d visits", visits)
				}
			})
		})
	}
}

func TestAnotherRequestForTheResultTakesThePlaceOfOneThatIsGone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		addTask(t, g.Server, "ask", false, func(ctx context.Context, r *mcp.Request) (string, error) {
			g.work(ctx, r, struct{}{})
			err := askOnly(ctx, r, nameQuestion(t, ""))
			return "", err
		})
		w := tasksAt(host(t, g.Server, nil), core)
		task := createTask(t, w, "ask", "")
		gone := make(chan *answer, 1)
		go func() {
			gone <- w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"gone","method":"tasks/result","params":{%s}}`, taskID(task)))
		}()
		settle()
		next := make(chan *answer, 1)
		go func() {
			next <- w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"next","method":"tasks/result","params":{%s}}`, taskID(task)))
		}()
		settle()
		w.post(cancelLine(`{"requestId":"gone"}`)).want(202)
		settle()
		g.release <- ""
		a := <-next
		m := a.receive()
		if m.Method != "elicitation/create" {
			t.Fatal(m.line)
		}
		w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline"}}`, m.ID)).want(202)
		if m := a.receive(); string(m.ID) != `"next"` {
			t.Error(m.line)
		}
		<-gone
	})
}
