package mcp_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

type hidden struct{}

func (hidden) LogValue() slog.Value { return slog.StringValue("resolved") }

func TestRecordsOfSlogReachTheClient(t *testing.T) {
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	addReporter(t, s, func(ctx context.Context, r *mcp.Request) {
		log := slog.New(r.LogHandler("db"))
		log.InfoContext(ctx, "connected", "host", "db1", "password", "x", "took", time.Second, "v", hidden{})
		log.With("a", 1).WithGroup("g").With("level", "high").Error("failed", "err", errors.New("gone"), "level", "low")
		log.Info("levels", "level", "mine", "time", "noon")
		log.Info("big", "n", int64(1)<<60+1, "n", int64(1)<<60+3)
		log.Debug("too low")
		if log.Enabled(ctx, slog.LevelDebug) || !log.Enabled(ctx, slog.LevelInfo) {
			t.Error("enabled for a level that the client does not want, or not for one that it does")
		}
	})
	p := connect(t, s)
	p.initialize("2025-11-25")
	p.send(reportCall("2025-11-25", ""))
	want := []string{
		`notifications/message {"level":"info","logger":"db","data":{"msg":"connected","host":"db1","password":"[redacted]","took":1000000000,"v":"resolved"}}`,
		`notifications/message {"level":"error","logger":"db","data":{"a":1,"g":{"err":"gone","level":"low"},"msg":"failed"}}`,
		`notifications/message {"level":"info","logger":"db","data":{"msg":"levels","level":"mine","time":"noon"}}`,
		`notifications/message {"level":"info","logger":"db","data":{"msg":"big","n":1152921504606846979}}`,
	}
	if got := p.notifications(); !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLevelsOfSlogHaveOneOfTheProtocol(t *testing.T) {
	input := []slog.Level{-8, -4, -1, 0, 1, 2, 3, 4, 7, 8, 11, 12, 16, 20, 99}
	want := strings.Fields("debug debug debug info info notice notice warning warning error error critical alert emergency emergency")
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	addReporter(t, s, func(ctx context.Context, r *mcp.Request) {
		for _, level := range input {
			slog.New(r.LogHandler("")).Log(ctx, level, "")
		}
	})
	p := connect(t, s)
	p.initialize("2025-11-25")
	p.ask("2", "logging/setLevel", `{"level":"debug"}`)
	p.send(reportCall("2025-11-25", ""))
	got := p.notifications()
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, n := range got {
		if !strings.Contains(n, `"level":"`+want[i]+`"`) {
			t.Errorf("level %d: %s, want %s", input[i], n, want[i])
		}
	}
}
