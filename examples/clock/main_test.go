package main

import (
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestClock(t *testing.T) {
	s := newServer(func() time.Time { return time.Date(2026, 7, 1, 23, 30, 0, 0, time.UTC) })
	mcptest.EachRevision(t, s, nil, func(t *testing.T, _ string, c *mcp.Client) {
		got, err := mcp.CallTool[moment](t.Context(), c, "get_current_time", now{"Europe/Oslo"}, nil)
		if want := (moment{"Europe/Oslo", "2026-07-02T01:30:00+02:00", "Thursday", true}); err != nil || got != want {
			t.Errorf("got %+v, %v", got, err)
		}
		both, err := mcp.CallTool[converted](t.Context(), c, "convert_time", conversion{"Europe/Oslo", "16:30", "Asia/Kathmandu"}, nil)
		if err != nil || both.Source.Datetime != "2026-07-02T16:30:00+02:00" || both.Target.Datetime != "2026-07-02T20:15:00+05:45" || both.Difference != "+3.75h" {
			t.Errorf("got %+v, %v", both, err)
		}
		for _, wrong := range []string{"", "Local", "Mars/Base", "../../etc/passwd"} {
			if _, err := mcp.CallTool[moment](t.Context(), c, "get_current_time", now{wrong}, nil); err == nil {
				t.Errorf("%q is a time zone", wrong)
			}
		}
		if _, err := mcp.CallTool[converted](t.Context(), c, "convert_time", conversion{"UTC", "25:00", "UTC"}, nil); err == nil {
			t.Error("25:00 is a time")
		}
	})
}
