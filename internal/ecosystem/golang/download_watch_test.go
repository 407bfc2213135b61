package golang

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestADownloadOfTheGoCommandThatStallsIsEnded(t *testing.T) {
	part := func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("PK\x03\x04"))
		w.(http.Flusher).Flush()
		hang(w, r)
	}
	for name, answer := range map[string]http.HandlerFunc{"before the first byte": hang, "after it": part} {
		t.Run(name, func(t *testing.T) {
			w, p := withProxy(t)
			w.opts.Timeout = time.Hour
			w.vars["DOCENT_STALL_TIMEOUT"] = "1s"
			p.answer("example.com/lib/@v/v1.2.0.zip", answer)
			w.wantError("", "example.com/lib@v1.2.0", ecosystem.Unreachable, "the host sent no data for 1s (set DOCENT_STALL_TIMEOUT to wait longer)")
		})
	}
}

func TestADownloadIsWatchedUntilItsZipFileIsComplete(t *testing.T) {
	for _, completed := range []bool{false, true} {
		w := newWorld(t, nil)
		w.vars["GOMODCACHE"] = w.path("mod")
		dir := filepath.Join(w.path("mod"), "cache/download/example.com/!lib/@v")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		write := func(name string, size int) {
			if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			g := w.golang()
			tool := &goTool{g, g.settings.load(g.env)}
			ctx, stop := tool.watch(context.Background(), module.Version{Path: "example.com/Lib", Version: "v1.0.0"})
			defer stop()
			for i := range 10 { // Write a byte at intervals.
				time.Sleep(14 * time.Second)
				write("v1.0.0.zip123.tmp", i)
			}
			if ctx.Err() != nil {
				t.Error("a slow download was ended")
			}
			if completed {
				write("v1.0.0.zip", 10)
			}
			time.Sleep(14 * time.Second)
			write("v1.0.1.zip124.tmp", 10) // This file belongs to another version.
			if ctx.Err() != nil {
				t.Error("the download was ended too soon")
			}
			time.Sleep(3 * time.Second)
			if errors.Is(context.Cause(ctx), errSilent) == completed {
				t.Errorf("with the zip file: %v, the download was ended: %v", completed, context.Cause(ctx))
			}
		})
	}
}
