package progress

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/terminal"
)

// screen is what a terminal shows on one line.
func screen(written string) string {
	_, last, _ := lastCut(written, "\r")
	return strings.TrimSuffix(last, "\x1b[K")
}

func lastCut(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		name    string
		columns int
		do      func(ctx context.Context)
		want    string
	}{
		{"nothing", 80, func(context.Context) {}, ""},
		{"a task", 80, func(ctx context.Context) { Begin(ctx, "Reading chi") }, "Reading chi · 1 s"},
		{"the newest task", 80, func(ctx context.Context) { Begin(ctx, "Finding chi"); Begin(ctx, "Reading chi") }, "Reading chi · 1 s"},
		{"a task that has ended", 80, func(ctx context.Context) { Begin(ctx, "Reading chi"); Begin(ctx, "Reading zod").End() }, "Reading chi · 1 s"},
		{"parts", 80, func(ctx context.Context) { report, _ := Count(ctx, "Reading packages"); report(3, 10) }, "██████░░░░░░░░░░░░░░ Reading packages: 3 of 10"},
		{"parts and what is being read", 80, func(ctx context.Context) {
			report, _ := Count(ctx, "Reading packages")
			report(5, 10)
			Begin(ctx, "Reading chi")
		}, "██████████░░░░░░░░░░ Reading packages: 5 of 10 · Reading chi"},
		{"a download", 80, func(ctx context.Context) { Begin(ctx, "Reading chi"); Download(ctx, "chi.zip", 3<<20).Add(1 << 20) }, "Reading chi · downloaded 1 MiB of 3 MiB · 1 s"},
		{"a download of unknown size", 80, func(ctx context.Context) { Download(ctx, "chi.zip", -1).Add(5 << 10) }, "chi.zip · downloaded 5 KiB · 1 s"},
		{"downloads", 80, func(ctx context.Context) {
			Download(ctx, "chi.zip", 3<<20).Add(1 << 20)
			Download(ctx, "zod.tgz", 1<<20)
		}, "downloaded 1 MiB of 4 MiB in 2 files · 1 s"},
		{"a narrow terminal", 20, func(ctx context.Context) { Begin(ctx, "Reading example.com/a/long/name") }, "Reading example.co…"},
		{"more than all", 80, func(ctx context.Context) { Begin(ctx, "x").Set(7, 5, "") }, "████████████████████ x"},
		{"control characters", 80, func(ctx context.Context) { Begin(ctx, "Reading \x1b[2J\nchi\u202e") }, "Reading [2J chi · 1 s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				l := Start(&out, func(text string) string { return terminal.OneLine(text, tt.columns-1) })
				tt.do(With(t.Context(), l))
				time.Sleep(delay - 1) //nolint:forbidigo // fake time
				synctest.Wait()
				if out.Len() > 0 {
					t.Errorf("before half a second it shows %q", &out)
				}
				time.Sleep(time.Second) //nolint:forbidigo // fake time
				synctest.Wait()
				if got := screen(out.String()); got != tt.want {
					t.Errorf("it shows %q, want %q", got, tt.want)
				}
				l.Stop()
				if got := screen(out.String()); got != "" {
					t.Errorf("after Stop it shows %q", got)
				}
				n := out.Len()
				time.Sleep(time.Minute) //nolint:forbidigo // fake time
				synctest.Wait()
				if out.Len() != n {
					t.Errorf("it writes after Stop: %q", out.String()[n:])
				}
			})
		})
	}
}

func TestLine_Before(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := Start(&out, func(text string) string { return terminal.OneLine(text, 79) })
		defer Begin(With(t.Context(), l), "Reading chi").End()
		time.Sleep(delay) //nolint:forbidigo // fake time
		synctest.Wait()
		if _, err := io.WriteString(l.Before(&out), "the answer"); err != nil {
			t.Fatal(err)
		}
		if want := "\rReading chi · 0 s\x1b[K\r\x1b[Kthe answer"; out.String() != want {
			t.Errorf("written is %q, want %q", &out, want)
		}
	})
}

func TestWithoutLine(t *testing.T) {
	for _, ctx := range []context.Context{t.Context(), With(t.Context(), nil)} {
		task := Begin(ctx, "Reading chi")
		task.Set(1, 2, "")
		task.Add(3)
		task.End()
		report, end := Count(ctx, "Reading packages")
		report(1, 2)
		end()
	}
	var none *Line
	none.Stop()
	var out bytes.Buffer
	if _, err := none.Before(&out).Write([]byte("x")); err != nil || out.String() != "x" {
		t.Errorf("%v, %q", err, &out)
	}
}
