package golang

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// errSilent is the cause of a context that watch cancels.
var errSilent = errors.New("the host sent no data for too long")

// watch returns a context that is cancelled if the go command's download of a
// module from a proxy makes no progress. That is the case if the module's files
// in the module cache do not grow within the time limit for silent connections.
// The go command itself waits forever for a proxy that does not respond. watch
// ends when the zip file is complete, since unpacking it uses no network. The
// caller calls stop.
func (c *goTool) watch(ctx context.Context, m module.Version) (watched context.Context, stop func()) {
	path, version := escaped(m)
	if path == "" || c.st.modCache == "" {
		return ctx, func() {}
	}
	dir := filepath.Join(c.st.modCache, "cache", "download", filepath.FromSlash(path), "@v")
	ctx, cancel := context.WithCancelCause(ctx)
	task := progress.Download(ctx, m.String(), -1)
	go func() {
		defer task.End()
		silence := c.g.client.Stall()
		ticker := time.NewTicker(max(silence/16, time.Millisecond))
		defer ticker.Stop()
		size, grown := int64(-1), time.Now()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now, complete := downloaded(dir, version+".")
			switch {
			case complete:
				return
			case now != size:
				task.Add(int(now - max(size, 0)))
				size, grown = now, time.Now()
			case time.Since(grown) >= silence:
				cancel(errSilent)
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// downloaded returns the size of the files in dir that begin with prefix, and
// whether the zip file is among them. The go command first writes a temporary
// file.
func downloaded(dir, prefix string) (size int64, complete bool) {
	entries, _ := rootfs.New(dir).ReadDir(".")
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		complete = complete || e.Name() == prefix+"zip"
		if info, err := e.Info(); err == nil {
			size += info.Size() + 1 // Creating an empty file counts as progress, too.
		}
	}
	return size, complete
}

// silent returns the error for a download that watch has cancelled.
func (c *goTool) silent(m module.Version) *ecosystem.Error {
	return ecosystem.Fail(ecosystem.Unreachable, "the download of %s stalled: the host sent no data for %s (set %s to wait longer)", m, c.g.client.Stall(), fetch.StallVariable).
		WithErr(errSilent).WithNext("check the network connection and GOPROXY (go env GOPROXY), or try again later")
}
