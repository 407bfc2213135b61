package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestACancelledTaskHasAnErrorForItsResult(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := tasksOn(t, newWorks(t, nil).Server, core)
		task := createTask(t, c, "work", "")
		if m := c.call("tasks/cancel", taskID(task)); m.Result["status"] != "cancelled" {
			t.Error(m.line)
		}
		settle()
		wantCode(t, c.call("tasks/result", taskID(task)), mcp.CodeInvalidRequest)
		c.end()
	})
}

func TestASubscriptionThatMiddlewareDoesNotAcknowledgeFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Method() == "notifications/subscriptions/acknowledged" {
					return nil, nil
				}
				return next(ctx, r)
			}
		}}})
		m, before := host(t, s, nil).open("2026-07-28").begin(1, "subscriptions/listen", `"notifications":{}`).response()
		if before != 0 {
			t.Errorf("%d messages before", before)
		}
		wantCode(t, m, mcp.CodeInternalError)
	})
}

func TestABodyThatCannotBeReadIsAnInvalidRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		got := readAll(t, endpoint.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))
		if !strings.HasPrefix(got, "HTTP/1.1 400 ") || !strings.Contains(got, fmt.Sprintf(`"code":%d,`, mcp.CodeInvalidRequest)) {
			t.Errorf("%q", got)
		}
	})
}

func TestTheStatusOfAnErrorThatAHandlerReturns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		code := 0
		s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Method() == "tools/list" && code != 0 {
					return nil, &mcp.Error{Code: code, Message: "no", Data: []byte(`{"requested":"x","supported":["2026-07-28"],"requiredCapabilities":{}}`)}
				}
				if r.Method() == "tools/list" {
					panic("no")
				}
				return next(ctx, r)
			}
		}}})
		today := host(t, s, nil).open("2026-07-28")
		for _, test := range []struct{ code, status int }{
			{mcp.CodeMethodNotFound, http.StatusNotFound},
			{mcp.CodeHeaderMismatch, http.StatusBadRequest},
			{mcp.CodeMissingCapability, http.StatusBadRequest},
			{mcp.CodeUnsupportedVersion, http.StatusBadRequest},
			{mcp.CodeInvalidParams, http.StatusOK},
			{mcp.CodeInvalidRequest, http.StatusOK},
			{mcp.CodeInternalError, http.StatusOK},
			{1, http.StatusOK},
		} {
			code = test.code
			if a := today.begin(1, "tools/list", ``); a.status != test.status || !strings.Contains(a.body, fmt.Sprintf(`"code":%d,`, test.code)) {
				t.Errorf("%+v: status %d: %s", test, a.status, a.body)
			}
		}
		code = 0
		today.begin(1, "tools/list", ``).wantError(http.StatusOK, mcp.CodeInternalError)
	})
}

func TestARequestThatWaitsWhenItsSessionEndsLearnsOfIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 1}})
		endpoint := host(t, g.Server, nil)
		w := endpoint.open("2025-06-18").with("Accept: application/json")
		answers := make(chan *answer, 2)
		for id := range 2 {
			line := callLine(id, "wait", `{}`)
			w.note([]byte(line))
			go func() {
				a, err := w.try(http.MethodPost, "/mcp", strings.NewReader(line))
				if err != nil {
					t.Error(err)
				}
				answers <- a
			}()
			settle()
		}
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		for range 2 {
			if a := <-answers; strings.Contains(a.body, `"id":1`) {
				m := a.wantError(http.StatusOK, mcp.CodeInternalError)
				if !strings.Contains(m.Error.Message, "session has ended") {
					t.Error(m.line)
				}
			}
		}
		if len(g.began) != 1 {
			t.Errorf("%d calls have begun", len(g.began))
		}
	})
}

func TestAHeaderThatDiffersIsReportedBeforeAVersionThatIsNotServed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		today := host(t, echoServer(t, nil), nil).open("2026-07-28").with("Mcp-Method: tools/list")
		line := strings.Replace(today.request(1, "tools/list", ``), "2026-07-28", "2027-01-01", 1)
		today.post(line).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch)
		today.with("MCP-Protocol-Version: 2027-01-01").post(line).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
	})
}
