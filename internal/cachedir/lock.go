package cachedir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/docent-mcp/docent/internal/memory"
)

// locks is the directory of lock files. They are empty and are removed like other leftovers.
// Processes may therefore lock different files for the same name, but then they only duplicate
// work.
const locks = "locks"

// A waiting process checks again after shortPause, and then at growing intervals.
const (
	shortPause = 5 * time.Millisecond
	longPause  = 100 * time.Millisecond
)

// Lock waits while another process or goroutine holds the lock of the file called name. unlock, or
// the end of the process, releases it. The only possible error is the error of the context. After
// Options.Wait, or if the file system does not support locks, the caller proceeds without the lock.
// While Lock waits, the task of ctx is idle: the holder may be waiting for the memory that the task occupies.
func (c *Cache) Lock(ctx context.Context, name string) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := c.lockFile(name)
	if f == nil {
		return func() {}, nil
	}
	bound := time.NewTimer(c.wait)
	defer bound.Stop()
	resume := func() {}
	defer func() { resume() }()
	for pause := shortPause; ; pause = min(2*pause, longPause) {
		locked, err := tryLock(f)
		if locked {
			return func() {
				unlockFile(f)
				f.Close()
			}, nil
		}
		if err != nil { // The file system does not support locks.
			f.Close()
			return func() {}, nil
		}
		if pause == shortPause {
			resume = memory.Idle(ctx)
		}
		select {
		case <-time.After(pause):
		case <-bound.C:
			f.Close()
			return func() {}, nil
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		}
	}
}

// lockFile opens the lock file for a name, or nil if that is impossible.
func (c *Cache) lockFile(name string) *os.File {
	root, err := c.makeRoot()
	if err != nil {
		return nil
	}
	defer root.Close()
	if mkdirs(root, locks) != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(name))
	file := filepath.FromSlash(path.Join(locks, hex.EncodeToString(sum[:16])))
	f, err := root.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil
	}
	now := c.now()
	_ = root.Chtimes(file, now, now)
	return f
}
