package mcp_test

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestPollsAreSpreadOut measures the time between polls of many tasks.
func TestPollsAreSpreadOut(t *testing.T) {
	proves(t, "cache.poll-jitter", "xtasks.poll.interval")
	for interval, want := range map[string]time.Duration{`,"pollIntervalMs":5000`: 5 * time.Second, `,"pollIntervalMs":30000`: 30 * time.Second, ``: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			p, c := played(t, "2026-07-28", mcp.ClientOptions{Tasks: true})
			state := func(status, interval string) string {
				return `{"resultType":"complete","taskId":"t1","status":"` + status + `","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000` + interval + `}`
			}
			waited := make(chan error)
			go func() {
				_, err := c.Task("t1").Wait(t.Context())
				waited <- err
			}()
			p.Reply(p.Expect("tasks/get"), state("working", `,"pollIntervalMs":100`)) // the latest interval is used
			p.Reply(p.Expect("tasks/get"), state("working", interval))
			seen := map[time.Duration]bool{}
			for range 20 {
				began := time.Now()
				m := p.Expect("tasks/get")
				took := time.Since(began)
				if took < want || took > want*5/4 {
					t.Errorf("%s: the next look came after %v", interval, took)
				}
				seen[took] = true
				p.Reply(m, state("working", interval))
			}
			if spread := slices.Max(slices.Collect(maps.Keys(seen))) - slices.Min(slices.Collect(maps.Keys(seen))); spread < want/50 {
				t.Errorf("%s: the looks differ by %v only", interval, spread)
			}
			if len(seen) < 10 {
				t.Errorf("%s: only %d different times", interval, len(seen))
			}
			p.Refuse(p.Expect("tasks/get"), 1, "enough")
			<-waited
		})
	}
}

// TestOnlyCallsOfToolsBecomeTasks answers requests of every method with a task.
func TestOnlyCallsOfToolsBecomeTasks(t *testing.T) {
	proves(t, "xtasks.client.unsupported-request", "xtasks.client.both-shapes")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			for _, tasks := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					p, c := playedOver(t, transport, "2026-07-28", mcp.ClientOptions{Tasks: tasks})
					for method, call := range map[string]func() error{
						"tools/list":               func() error { return lastOf(c.Tools(t.Context())) },
						"prompts/list":             func() error { return lastOf(c.Prompts(t.Context())) },
						"resources/list":           func() error { return lastOf(c.Resources(t.Context())) },
						"resources/templates/list": func() error { return lastOf(c.ResourceTemplates(t.Context())) },
						"resources/read":           func() error { _, err := c.ReadResource(t.Context(), "x:a", nil); return err },
						"prompts/get":              func() error { _, err := c.GetPrompt(t.Context(), "p", nil, nil); return err },
						"completion/complete":      func() error { _, err := c.CompletePrompt(t.Context(), "p", "a", "", nil); return err },
						"example/any":              func() error { _, err := c.Call(t.Context(), "example/any", nil, nil); return err },
						"server/discover":          func() error { return c.Ping(t.Context()) },
						"tasks/get":                func() error { _, err := c.Task("t").State(t.Context()); return err },
						"tools/call":               func() error { _, err := c.CallTool(t.Context(), "x", nil, nil); return err },
					} {
						for _, hints := range []string{"", `,"pollIntervalMs":20`} {
							failed := make(chan error, 1)
							go func() { failed <- call() }()
							task := `"taskId":"t","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000` + hints
							p.Reply(p.Expect(method), `{"resultType":"task","status":"working",`+task+`,"tools":[],"prompts":[],"resources":[],"resourceTemplates":[],"contents":[],"messages":[],"content":[],"completion":{"values":[]}}`)
							if tasks && method == "tools/call" {
								p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"completed",`+task+`,"result":{"content":[]}}`)
								must(t, <-failed)
								// The task has already ended when it is created, or the response
								// contains no task.
								go func() { failed <- call() }()
								p.Reply(p.Expect(method), `{"resultType":"task","status":"completed",`+task+`}`)
								p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"completed",`+task+`,"result":{"content":[]}}`)
								must(t, <-failed)
								for _, content := range []string{`"content":[]`, `"content":[],"isError":true`, `"content":[],"structuredContent":{"a":1}`} {
									go func() {
										begun, err := c.CallToolTask(t.Context(), "x", nil, 0, nil)
										if err == nil && begun.ID() == "" {
											_, err = begun.Wait(t.Context())
										}
										failed <- err
									}()
									p.Reply(p.Expect(method), `{"resultType":"complete",`+content+`}`)
									must(t, <-failed)
								}
							} else if err := <-failed; err == nil || !strings.Contains(err.Error(), "task, which is not allowed") {
								t.Errorf("tasks %t, %s: %v", tasks, method, err)
							}
						}
					}
				})
			}
		})
	}
}

// TestToolsThatAreNoTasksAreNotCalledAsTasks lists tools with every value of taskSupport.
func TestToolsThatAreNoTasksAreNotCalledAsTasks(t *testing.T) {
	const schema = `"inputSchema":{"type":"object"}`
	eachPlayed(t, "tasks.tool.forbidden", func(t *testing.T, revision, transport string) {
		synctest.Test(t, func(t *testing.T) {
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
			for members, task := range map[string]string{
				schema: "never", schema + `,"outputSchema":{"type":"object"}`: "never", schema + `,"annotations":{"readOnlyHint":true},"title":"T"`: "never", schema + `,"execution":{}`: "never",
				schema + `,"execution":{"taskSupport":"forbidden"}`: "never", schema + `,"execution":{"taskSupport":"forbidden"},"outputSchema":{"type":"object"}`: "never",
				schema + `,"execution":{"taskSupport":"sometimes"}`: "never", schema + `,"execution":{"taskSupport":"Required"}`: "never", schema + `,"_meta":{"taskSupport":"required"},"taskSupport":"required"`: "never",
				schema + `,"execution":{"taskSupport":"optional"}`: "asked", schema + `,"execution":{"taskSupport":"required"},"outputSchema":{"type":"object"}`: "always",
			} {
				listed := make(chan error)
				go func() { listed <- lastOf(c.Tools(t.Context())) }()
				p.Reply(p.Expect("tools/list"), `{"tools":[{"name":"tool",`+members+`}]}`)
				must(t, <-listed)
				failed := calling(t, c, nil)
				m := p.Expect("tools/call")
				if strings.Contains(m.Line, `"task":{}`) != (task == "always") || strings.Contains(m.Line, `"task"`) != (task == "always") {
					t.Errorf("%s: sent %s", members, m.Line)
				}
				p.Refuse(m, 1, "enough")
				<-failed
				go func() {
					_, err := c.CallToolTask(t.Context(), "tool", nil, time.Minute, nil)
					failed <- err
				}()
				if task == "never" {
					if err := <-failed; err == nil || !strings.Contains(err.Error(), "cannot be called as a task") {
						t.Errorf("%s: %v", members, err)
					}
					continue
				}
				if m = p.Expect("tools/call"); !strings.Contains(m.Line, `"task":{"ttl":60000}`) {
					t.Errorf("%s: sent %s", members, m.Line)
				}
				p.Refuse(m, 1, "enough")
				<-failed
			}
		})
	})
}
