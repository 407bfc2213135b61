package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestACallBecomesATaskAndTheTaskHasItsResult(t *testing.T) {
	proves(t, "tasks.create.request", "tasks.create.result", "tasks.create.soon", "tasks.id.string", "tasks.id.receiver", "tasks.status.initial", "tasks.status.transitions",
		"tasks.time.created", "tasks.time.updated", "tasks.ttl.reported", "tasks.http-rules", "tasks.get.no-sse", "tasks.result.related", "tasks.related.not-in-results",
		"xtasks.server-decides", "xtasks.result-type.task", "xtasks.result-type.only-create", "xtasks.result-type.others-complete", "xtasks.create.flat",
		"xtasks.get.working", "xtasks.get.completed")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		m := c.call("tools/call", callAsTask(c, "work", `"ttl":60000,"taskId":"of the client","id":"of the client"`))
		task, ttl, poll, lasts := m.Result, "ttlMs", "pollIntervalMs", 3600000.0
		if c.revision() == core {
			task, ttl, poll, lasts = object(m.Result["task"]), "ttl", "pollInterval", 60000.0
			if keys(m.Result) != "task" {
				t.Errorf("created: %s", m.line)
			}
		} else if m.Result["resultType"] != "task" || m.Result["task"] != nil {
			t.Errorf("created: %s", m.line)
		}
		check := func(what string, task map[string]any, status string, more ...string) {
			t.Helper()
			want := []string{"createdAt", "lastUpdatedAt", poll, "status", "taskId", ttl}
			want = append(want, more...)
			slices.Sort(want)
			if got := keys(task, "resultType", "_meta"); got != strings.Join(want, " ") {
				t.Errorf("%s: members %s", what, got)
			}
			if task["status"] != status || task[ttl] != lasts || task[poll] != 1000.0 {
				t.Errorf("%s: %v", what, task)
			}
			for _, member := range []string{"createdAt", "lastUpdatedAt"} {
				if _, err := time.Parse(time.RFC3339, fmt.Sprint(task[member])); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			if kind := task["resultType"]; what != "created" && c.revision() == latest && kind != "complete" {
				t.Errorf("%s: resultType %v", what, kind)
			}
			if object(task["_meta"])[relatedTask] != nil {
				t.Errorf("%s: %v", what, task)
			}
		}
		check("created", task, "working")
		if id, _ := task["taskId"].(string); id == "" || id == "of the client" {
			t.Errorf("the task's id is %q", id)
		}
		check("got", getTask(t, c, task), "working")
		time.Sleep(time.Second)
		g.release <- "42"
		settle()
		if c.revision() == latest {
			got := getTask(t, c, task)
			check("got", got, "completed", "result")
			sameJSON(t, "result", got["result"], `{"content":[{"type":"text","text":"42"}],"resultType":"complete"}`)
			if got["lastUpdatedAt"] == got["createdAt"] {
				t.Errorf("never updated: %v", got)
			}
			return
		}
		check("got", getTask(t, c, task), "completed")
		m = c.call("tasks/result", taskID(task))
		sameJSON(t, "result", m.Result, fmt.Sprintf(`{"content":[{"type":"text","text":"42"}],"_meta":{%q:{%s}}}`, relatedTask, taskID(task)))
	})
}

func TestAWishForATaskMakesOneWhateverItsTTL(t *testing.T) {
	proves(t, "tasks.create.result", "tasks.ttl.reported")
	eachTaskClient(t, nil, func(t *testing.T, _ *works, c taskClient) {
		if c.revision() != core {
			return // in this revision, the server decides
		}
		const usual = 3600000.0
		for ttl, want := range map[string]float64{
			``: usual, `"ttl":null`: usual, `"ttl":-1`: usual, `"ttl":1e300`: usual, `"ttl":3600001`: usual, `"ttl":3600000`: usual, `"ttl":3599999`: usual - 1,
			`"ttl":0`: 0, `"ttl":0.0`: 0, `"ttl":1`: 1, `"ttl":1.9`: 1,
		} {
			for _, tool := range []string{"quick", "must"} {
				m := c.call("tools/call", callAsTask(c, tool, ttl))
				task := object(m.Result["task"])
				if keys(m.Result) != "task" || task["ttl"] != want || task["status"] != "working" || task["taskId"] == nil || task["createdAt"] == nil || task["lastUpdatedAt"] == nil {
					t.Errorf("%s as a task with %s: %s", tool, ttl, m.line)
				}
			}
		}
		settle()
	})
}

func TestATaskFailsAsItsCallWould(t *testing.T) {
	proves(t, "tasks.result.exact", "tasks.status.is-error-failed", "tasks.status.message", "tasks.error.informative",
		"xtasks.get.completed", "xtasks.get.failed", "xtasks.failed.only-jsonrpc", "xtasks.failed.message",
		"base.error.retired", "base.error.reserved-range.no-undefined")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		tagged := func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("tagged")}, Meta: mcp.Meta{"example.com/k": 1}}, nil
		}
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "tagged", TaskSupport: mcp.TaskSupportOptional}, tagged))
		failed := func(content ...mcp.Content) func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: content, IsError: true}, nil
			}
		}
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "silent", TaskSupport: mcp.TaskSupportOptional}, failed()),
			mcp.AddTool(g.Server, mcp.Tool{Name: "wordless", TaskSupport: mcp.TaskSupportOptional}, failed(mcp.Text(""), &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"})))
		for name, code := range map[string]int{"absent": -32002, "reserved": -32050, "own": 7} {
			must(t, mcp.AddTool(g.Server, mcp.Tool{Name: name, TaskSupport: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
				return "", &mcp.Error{Code: code, Message: "not today"}
			}))
		}
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "visit", TaskSupport: mcp.TaskSupportOptional}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", mcp.URLElicitationRequired("sign in", &mcp.Elicitation{Message: "?", URL: "https://example.com/", ID: "1"})
		}))
		for _, name := range []string{"quick", "tagged", "fail", "silent", "wordless", "absent", "reserved", "own", "visit", "refuse", "panic", "exit"} {
			// The response to a call that is not a task.
			plain := tasksFor(context.Background(), t, g.Server, c.revision(), `{}`)
			want := plain.call("tools/call", callParams(name, "{}"))
			task := createTask(t, c, name, "")
			settle()
			got := getTask(t, c, task)
			status := "completed"
			if want.Error != nil || c.revision() == core && want.Result["isError"] == true {
				status = "failed"
			}
			if got["status"] != status || (status == "failed") != (got["statusMessage"] != nil) {
				t.Errorf("%s: %v after %s", name, got, want.line)
			}
			if name == "fail" && c.revision() == core && got["statusMessage"] != "disk is full" {
				t.Errorf("%s: %v", name, got)
			}
			result, failure := object(got["result"]), got["error"]
			if c.revision() == core {
				m := c.call("tasks/result", taskID(task))
				result = m.Result
				if m.Error != nil {
					failure = map[string]any{"code": float64(m.Error.Code), "message": m.Error.Message}
					if m.Error.Data != nil {
						object(failure)["data"] = m.Error.Data
					}
				}
			}
			switch {
			case want.Error != nil:
				text, _ := json.Marshal(failure)
				if !strings.Contains(want.line, `"message":"`+want.Error.Message+`"`) || object(failure)["code"] != float64(want.Error.Code) ||
					object(failure)["message"] != want.Error.Message || fmt.Sprint(object(failure)["data"]) != fmt.Sprint(want.Error.Data) && want.Error.Data != nil || result != nil {
					t.Errorf("%s: error %s of %v, want that of %s", name, text, got, want.line)
				}
			default:
				if got, want := object(result["_meta"])["example.com/k"], object(want.Result["_meta"])["example.com/k"]; got != want {
					t.Errorf("%s: _meta of the result has %v, not %v", name, got, want)
				}
				delete(result, "_meta")
				delete(want.Result, "_meta")
				text, _ := json.Marshal(want.Result)
				sameJSON(t, name, any(result), string(text))
			}
			if strings.Contains(fmt.Sprint(got), "secret") {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}

func TestTheIDsOfTasksCannotBeGuessed(t *testing.T) {
	proves(t, "tasks.id.unique", "tasks.access.entropy", "xtasks.id.unguessable", "sec.handle.random")
	eachTaskClient(t, nil, func(t *testing.T, g *works, c taskClient) {
		seen := map[string]bool{}
		same := [64]int{}
		const n = 200
		var first string
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "later", TaskSupport: mcp.TaskSupportOptional, TaskByHandler: true}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			_, err := r.BecomeTask()
			return "", err
		}))
		for i := range n {
			id := createTask(t, c, []string{"quick", "later"}[i%2], "")["taskId"].(string)
			if seen[id] || len(id) < 26 {
				t.Fatalf("id %q", id)
			}
			if seen[id] = true; first == "" {
				first = id
			}
			for i := range min(len(id), len(first)) {
				if id[i] == first[i] {
					same[i]++
				}
			}
		}
		for i := range len(first) {
			if same[i] > n/4 {
				t.Errorf("%d of %d ids have %q at %d", same[i], n, first[i], i)
			}
		}
		for range 2 { // the requests of both have the same IDs
			id := createTask(t, tasksAs(t, g.Server, c.revision(), "ada"), "quick", "")["taskId"].(string)
			if seen[id] {
				t.Errorf("id %q was given to another client of ada", id)
			}
			seen[id] = true
		}
	})
}

func TestAToolIsATaskOnlyForAClientThatCanTakeOne(t *testing.T) {
	proves(t, "tasks.tool.forbidden-error", "tasks.tool.required-error", "tasks.can-require", "tools.execution.task-support",
		"xtasks.not-undeclared", "xtasks.undeclared-error", "xtasks.compat.not-under-2025-11", "xtasks.compat.legacy-capability", "xtasks.compat.task-param-ignored",
		"tasks.undeclared-ignored", "ext.mismatch", "ext.check-client")
	const asTask = `,"task":{"ttl":1000}`
	tests := []struct {
		revision, capabilities, tool, more string
		want                               string // text of the result, "task", or the code of an error
	}{
		{core, `{}`, "plain", ``, "plain"},
		{core, `{}`, "quick", ``, "quick"},
		{core, `{}`, "must", ``, "-32601"},
		{core, `{}`, "plain", asTask, "-32601"},
		{core, `{}`, "quick", asTask, "task"},
		{core, `{}`, "must", asTask, "task"},
		{core, takesTasks, "quick", ``, "quick"},
		{core, takesTasks, "must", ``, "-32601"},
		{core, `{}`, "quick", `,"task":7`, "-32602"},
		{core, `{}`, "quick", `,"task":{"ttl":"long"}`, "-32602"},
		{latest, `{}`, "plain", ``, "plain"},
		{latest, `{}`, "quick", ``, "quick"},
		{latest, `{}`, "must", ``, "-32021"},
		{core, `{}`, "later", ``, "-32601"},
		{core, `{}`, "later", asTask, "later"},
		{latest, `{}`, "later", ``, "-32021"},
		{latest, takesTasks, "later", ``, "later"},
		{latest, takesTasks, "plain", ``, "plain"},
		{latest, takesTasks, "quick", ``, "task"},
		{latest, takesTasks, "must", ``, "task"},
		{latest, takesTasks, "plain", asTask, "plain"},
		{latest, `{"extensions":{"com.example/maps":{}}}`, "quick", ``, "quick"},
		{latest, `{"extensions":{"com.example/maps":{}}}`, "must", ``, "-32021"},
		{latest, `{"extensions":{"io.modelcontextprotocol/task":{},"io.modelcontextprotocol/tasks2":{}}}`, "quick", ``, "quick"},
		{latest, `{}`, "quick", asTask, "quick"},
		{latest, `{}`, "quick", `,"task":7`, "quick"},
		{latest, `{"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}`, "quick", asTask, "quick"},
		{latest, `{"experimental":{"tasks":{},"io.modelcontextprotocol/tasks":{}}}`, "quick", asTask, "quick"},
		{latest, `{"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}`, "must", asTask, "-32021"},
		{"2025-06-18", takesTasks, "plain", asTask, "plain"},
		{"2025-06-18", takesTasks, "quick", asTask, "quick"},
		{"2025-06-18", takesTasks, "must", asTask, "must"},
		{"2024-11-05", `{}`, "must", ``, "must"},
	}
	for _, principal := range []string{"", "ada"} {
		ctx := context.Background()
		if principal != "" {
			ctx = mcp.WithPrincipal(ctx, principal)
		}
		bubble(t, func(t *testing.T) {
			g := newWorks(t, nil)
			must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "later", TaskSupport: mcp.TaskSupportRequired, TaskByHandler: true}, says1("later")))
			for _, test := range tests {
				c := tasksFor(ctx, t, g.Server, test.revision, test.capabilities)
				if test.revision == latest { // capabilities that another request has declared are ignored
					c.caps = takesTasks
					c.call("tools/call", callParams("quick", "{}"))
					c.caps = test.capabilities
				}
				m := c.call("tools/call", callParams(test.tool, "{}")+test.more)
				got := m.text()
				switch {
				case m.Error != nil:
					got = strconv.Itoa(m.Error.Code)
				case m.Result["task"] != nil || m.Result["resultType"] == "task":
					got = "task"
				}
				if got != test.want {
					t.Errorf("%+v: %s", test, m.line)
				}
				if got == "-32021" {
					if m := c.call("subscriptions/listen", `"notifications":{"taskIds":["x"]}`); m.Error == nil || m.Error.Code != mcp.CodeMissingCapability || m.Error.Data["requiredCapabilities"] == nil {
						t.Errorf("listening without the extension: %s", m.line)
					}
					sameJSON(t, m.line, any(m.Error.Data), `{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
				}
			}
			// If no tool supports tasks, requesting a task has no effect.
			c := tasksOn(t, echoServer(t, nil), core)
			if m := c.call("tools/call", callParams("echo", `{"message":"x"}`)+asTask); m.text() != "x" {
				t.Error(m.line)
			}
		})
	}
}

func TestTasksAreDeclaredAsTheOptionsSay(t *testing.T) {
	proves(t, "tasks.capability", "xtasks.identifier")
	s := newServer(&mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Tasks: true}})
	eachTask := map[string]string{core: `{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`, latest: `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`}
	for _, revision := range revisions {
		for _, transport := range transportsOf(revision) {
			p, want := connectOver(t, s, revision, transport), eachTask[revision]
			var m *message
			if revision == latest {
				m = p.ask("1", "server/discover", "{"+metaWith("{}")+"}")
			} else {
				m = p.initialize(revision)
			}
			if want == "" {
				want = `{}`
			}
			if transport == "stateless" { // clients over this transport cannot list tasks
				want = strings.Replace(want, `"list":{},`, ``, 1)
			}
			sameJSON(t, revision+" over "+transport, m.Result["capabilities"], want)
		}
	}
}

func TestTasksAreDeclaredWhereThereAreAny(t *testing.T) {
	proves(t, "tasks.capability", "tasks.no-capability-no-tasks", "xtasks.identifier", "xtasks.compat.legacy-not-advertised", "xtasks.compat.result-removed", "ext.off-by-default", "ext.capability-field")
	for _, has := range []bool{true, false} {
		s := echoServer(t, nil)
		must(t, s.AddExtension("com.example/maps", nil))
		if has {
			must(t, mcp.AddTool(s, mcp.Tool{Name: "task", TaskSupport: mcp.TaskSupportOptional}, says1("")))
		}
		for _, revision := range revisions {
			p := connect(t, s)
			var m *message
			if revision == latest {
				m = p.ask("0", "server/discover", "{"+metaWith("{}")+"}")
				if again := p.ask("0", "server/discover", "{"+metaWith(takesTasks)+"}"); again.line != m.line {
					t.Errorf("what a client declares changes %s into %s", m.line, again.line)
				}
				alone := newServer(&mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Tasks: has}})
				extensions := object(connect(t, alone).ask("0", "server/discover", "{"+metaWith("{}")+"}").Result["capabilities"])["extensions"]
				if (object(extensions)["io.modelcontextprotocol/tasks"] != nil) != has {
					t.Errorf("without other extensions: %v", extensions)
				}
			} else {
				m = p.initialize(revision)
			}
			caps := object(m.Result["capabilities"])
			wantCore, wantExtension := "null", "null"
			if revision >= "2025-06-18" {
				wantExtension = `{"com.example/maps":{}}`
			}
			if has && revision == core {
				wantCore = `{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`
			}
			if has && revision == latest {
				wantExtension = `{"com.example/maps":{},"io.modelcontextprotocol/tasks":{}}`
			}
			sameJSON(t, revision+" core", caps["tasks"], wantCore)
			sameJSON(t, revision+" extension", caps["extensions"], wantExtension)
			for _, method := range []string{"tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"} {
				params := `{"taskId":"x","inputResponses":{}}`
				if revision == latest {
					params = `{"taskId":"x","inputResponses":{},` + metaWith(takesTasks) + `}`
				}
				served := has && (revision == core && method != "tasks/update" || revision == latest && method != "tasks/result" && method != "tasks/list")
				if m := p.ask("1", method, params); (m.Error != nil && m.Error.Code == mcp.CodeMethodNotFound) == served {
					t.Errorf("%s has %s: %s", revision, method, m.line)
				}
			}
			// Test what a tool declares about tasks.
			members := "{}"
			if revision == latest {
				members = "{" + metaWith(takesTasks) + "}"
			}
			if execution := tool(p.ask("2", "tools/list", members), "task")["execution"]; (execution != nil) != (has && revision == core) {
				t.Errorf("%s: execution %v", revision, execution)
			}
		}
	}
}

func TestTheResultOfATaskIsWaitedFor(t *testing.T) {
	proves(t, "tasks.result.blocks", "tasks.related.param-wins", "tasks.http-rules")
	bubble(t, func(t *testing.T) {
		g := newWorks(t, nil)
		c := tasksOn(t, g.Server, core)
		task, other := createTask(t, c, "work", ""), createTask(t, c, "quick", "")
		related := fmt.Sprintf(`,"_meta":{%q:{%s}}`, relatedTask, taskID(other))
		first, second := c.begin("tasks/result", taskID(task)+related), c.begin("tasks/result", taskID(task))
		settle()
		// The server serves all other requests in the meantime.
		if m := c.call("tasks/get", taskID(task)+related); m.Result["status"] != "working" || m.Result["taskId"] != task["taskId"] {
			t.Error(m.line)
		}
		gone := c.begin("tasks/result", taskID(task))
		c.send(cancelLine(`{"requestId":` + gone + `}`))
		g.release <- "at last"
		for _, id := range []string{first, second} {
			m := c.answer(id)
			if m.text() != "at last" || object(object(m.Result["_meta"])[relatedTask])["taskId"] != task["taskId"] {
				t.Error(m.line)
			}
			// The second response may have arrived first.
			if id == first && slices.ContainsFunc(c.heard, func(m *message) bool { return string(m.ID) == second }) {
				break
			}
		}
		settle() // the notification of its status may arrive last
		if m := c.call("tasks/cancel", taskID(other)+`,"_meta":{"`+relatedTask+`":{`+taskID(task)+`}}`); m.Error == nil {
			t.Error(m.line)
		}
		c.end()
	})
	bubble(t, func(t *testing.T) { // over HTTP, the response is JSON or a stream that ends with the response
		g := newWorks(t, nil)
		c := tasksAt(host(t, g.Server, nil), core)
		task := createTask(t, c, "work", "")
		go func() {
			time.Sleep(time.Minute)
			g.release <- "at last"
		}()
		a := c.start("tasks/result", taskID(task)).want(http.StatusOK)
		if m, before := a.response(); m.text() != "at last" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
	})
}

func TestTheIDsOfTasksAreDrawnFromASecureSource(t *testing.T) {
	proves(t, "tasks.access.entropy", "xtasks.id.unguessable", "sec.handle.random")
	for _, revision := range []string{core, latest} {
		t.Run(revision, func(t *testing.T) {
			// The same source of randomness produces the same IDs, and another source produces
			// different IDs.
			first, second := idsFrom(t, revision, 1), idsFrom(t, revision, 2)
			if again := idsFrom(t, revision, 1); !slices.Equal(first, again) {
				t.Errorf("ids that crypto/rand does not make: %q, then %q", first, again)
			}
			for i := range first {
				if first[i] == second[i] {
					t.Errorf("an id that crypto/rand does not make: %q", first[i])
				}
			}
		})
	}
}

// idsFrom creates tasks with crypto/rand seeded with seed, and returns their IDs.
func idsFrom(t *testing.T, revision string, seed uint64) (ids []string) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, seed)
		c := tasksOn(t, newWorks(t, nil).Server, revision)
		for range 3 {
			ids = append(ids, createTask(t, c, "quick", "")["taskId"].(string))
		}
	})
	return ids
}
