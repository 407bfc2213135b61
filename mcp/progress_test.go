package mcp_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// addReporter adds the tool "report", which calls report and returns.
func addReporter(t testing.TB, s *mcp.Server, report func(ctx context.Context, r *mcp.Request)) {
	t.Helper()
	must(t, mcp.AddTool(s, mcp.Tool{Name: "report"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		report(ctx, r)
		return "done", nil
	}))
}

// reportCall returns a call of "report". meta contains additional members of its _meta, each
// followed by a comma.
func reportCall(revision, meta string) string {
	if revision == "2026-07-28" {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report",` + strings.Replace(modernMeta(""), `{`, `{`+meta, 1) + `}}`
	}
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","_meta":{` + strings.TrimSuffix(meta, ",") + `}}}`
}

// notifications reads messages until the response to request 1, and returns the notifications
// before it as method and params.
func (p *peer) notifications() []string {
	p.t.Helper()
	var got []string
	for {
		m := p.receive()
		if m.Method == "" {
			if string(m.ID) != "1" {
				p.t.Errorf("another answer: %s", m.line)
			}
			return got
		}
		_, params, _ := strings.Cut(m.line, `"params":`)
		got = append(got, m.Method+" "+strings.TrimSuffix(params, "}"))
	}
}

func expectNotifications(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestProgressIsSentWithTheTokenAsItCame(t *testing.T) {
	proves(t, "progress.token.type", "progress.notification.fields", "progress.known-token-only", "progress.float", "progress.message",
		"base.patterns.scoped-notifications", "base.notification.no-id", "meta.reserved.no-assumptions")
	s := echoServer(t, nil)
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		r.Progress(0, 0, "")
		r.Progress(0.5, 3, "half \"way\"\n")
		r.Progress(3, 3, "there")
	})
	for _, revision := range revisions {
		for _, token := range []string{`7`, `-1`, `0`, `9007199254740993`, `"t"`, `""`, `"\u0041\n"`} {
			t.Run(revision+" "+token, func(t *testing.T) {
				p := connect(t, s)
				p.open(revision)
				p.send(reportCall(revision, `"progressToken":`+token+`,`))
				half, there := `,"message":"half \"way\"\n"`, `,"message":"there"`
				if revision == "2024-11-05" {
					half, there = "", ""
				}
				expectNotifications(t, p.notifications(),
					`notifications/progress {"progressToken":`+token+`,"progress":0}`,
					`notifications/progress {"progressToken":`+token+`,"progress":0.5,"total":3`+half+`}`,
					`notifications/progress {"progressToken":`+token+`,"progress":3,"total":3`+there+`}`)
			})
		}
	}
}

func TestNoProgressIsSentToWhoHasNotAskedForIt(t *testing.T) {
	proves(t, "progress.known-token-only", "progress.optional")
	s := echoServer(t, nil)
	addReporter(t, s, func(_ context.Context, r *mcp.Request) { r.Progress(1, 2, "") })
	for _, revision := range revisions {
		for _, meta := range []string{``, `"progressToken":null,`, `"other":1,`} {
			p := connect(t, s)
			p.open(revision)
			p.send(reportCall(revision, meta))
			expectNotifications(t, p.notifications())
		}
	}
}

func TestProgressOnlyGrows(t *testing.T) {
	proves(t, "progress.monotonic")
	const start = `notifications/progress {"progressToken":"t","progress":`
	tests := []struct {
		name   string
		values []float64
		want   []string
	}{
		{"repeated and smaller values", []float64{1, 1, 0.5, 2, -3, 2, 2.5}, []string{"1", "2", "2.5"}},
		{"from below zero", []float64{-2, -1, -5, 0, math.Copysign(0, -1)}, []string{"-2", "-1", "0"}},
		{"tiny steps", []float64{1, math.Nextafter(1, 2), 1}, []string{"1", "1.0000000000000002"}},
		{"large values", []float64{1e15, 1e16, 1e300}, []string{"1000000000000000", "1e+16", "1e+300"}},
		{"what is no number", []float64{math.NaN(), math.Inf(-1), 1, math.NaN(), math.Inf(1), 2}, []string{"1", "2"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := echoServer(t, nil)
			addReporter(t, s, func(_ context.Context, r *mcp.Request) {
				for _, v := range test.values {
					r.Progress(v, 0, "")
				}
			})
			var want []string
			for _, v := range test.want {
				want = append(want, start+v+"}")
			}
			for _, revision := range revisions {
				p := connect(t, s)
				p.open(revision)
				p.send(reportCall(revision, `"progressToken":"t",`))
				expectNotifications(t, p.notifications(), want...)
			}
		})
	}
}

func TestATotalThatIsNoNumberIsLeftOut(t *testing.T) {
	s := echoServer(t, nil)
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		for i, total := range []float64{0, -1, math.NaN(), math.Inf(1), 0.5} {
			r.Progress(float64(i), total, "")
		}
	})
	p := connect(t, s)
	p.open("2025-11-25")
	p.send(reportCall("2025-11-25", `"progressToken":"t",`))
	var want []string
	for i := range 4 {
		want = append(want, fmt.Sprintf(`notifications/progress {"progressToken":"t","progress":%d}`, i))
	}
	expectNotifications(t, p.notifications(), append(want, `notifications/progress {"progressToken":"t","progress":4,"total":0.5}`)...)
}

// TestAReportThatIsOvertakenIsNotSent delays a report in middleware until a later one has been
// sent.
func TestAReportThatIsOvertakenIsNotSent(t *testing.T) {
	proves(t, "progress.monotonic")
	held, release := make(chan struct{}), make(chan struct{})
	hold := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			if r.Method() == "notifications/progress" && strings.Contains(string(r.Params()), `"progress":1`) {
				held <- struct{}{}
				<-release
			}
			return next(ctx, r)
		}
	}
	s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{hold}})
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		first := make(chan struct{})
		go func() {
			r.Progress(1, 3, "")
			close(first)
		}()
		<-held
		r.Progress(2, 3, "")
		release <- struct{}{}
		<-first
		r.Progress(3, 3, "")
	})
	for _, revision := range revisions {
		p := connect(t, s)
		p.open(revision)
		p.send(reportCall(revision, `"progressToken":1,`))
		for _, want := range []any{2.0, 3.0, nil} {
			if m := p.receive(); m.Params["progress"] != want {
				t.Errorf("%s: want %v, got %s", revision, want, m.line)
			}
		}
	}
}

func TestConcurrentReportsOfProgressStillOnlyGrow(t *testing.T) {
	proves(t, "progress.monotonic")
	s := echoServer(t, nil)
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		done := make(chan struct{})
		for range 4 {
			go func() {
				for v := range 200 {
					r.Progress(float64(v), 200, "")
				}
				done <- struct{}{}
			}()
		}
		for range 4 {
			<-done
		}
	})
	p := connect(t, s)
	p.open("2025-11-25")
	p.send(reportCall("2025-11-25", `"progressToken":1,`))
	last, count := -1.0, 0
	for {
		m := p.receive()
		if m.Method == "" {
			break
		}
		v, _ := m.Params["progress"].(float64)
		if v <= last {
			t.Fatalf("%v after %v", v, last)
		}
		last = v
		count++
	}
	if last != 199 || count < 2 {
		t.Errorf("%d notifications, the last of %v", count, last)
	}
}

func TestNothingIsSentForARequestThatIsOver(t *testing.T) {
	proves(t, "progress.stop-after-completion", "progress.in-progress-only", "log.request-scoped")
	eachInBubble(t, revisions, func(t *testing.T, revision string) {
		var request *mcp.Request
		over, reported, held := make(chan struct{}), make(chan struct{}), make(chan struct{})
		hold := func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if params := string(r.Params()); r.Outgoing() && (strings.Contains(params, "1.5") || strings.Contains(params, "held")) {
					held <- struct{}{}
					<-over
				}
				return next(ctx, r)
			}
		}
		s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}, Middleware: []mcp.Middleware{hold}})
		addReporter(t, s, func(_ context.Context, r *mcp.Request) {
			request = r
			r.Progress(1, 0, "")
			go r.Progress(1.5, 0, "")
			go r.Log(mcp.LevelEmergency, "", "held") // both messages are in middleware when the handler returns
			<-held
			<-held
			go func() { // this goroutine continues after the handler has returned
				<-over
				r.Progress(2, 0, "")
				r.Log(mcp.LevelEmergency, "", "late")
				close(reported)
			}()
		})
		p := connect(t, s)
		p.open(revision)
		p.send(reportCall(revision, `"progressToken":1,"io.modelcontextprotocol/logLevel":"debug",`))
		if got := p.notifications(); len(got) != 1 {
			t.Errorf("while it ran: %q", got)
		}
		close(over)
		<-reported
		settle() // by now, the delayed report has been sent or will never be sent
		request.Progress(3, 0, "")
		request.Log(mcp.LevelEmergency, "", "later still")
		p.end()
	})
}
