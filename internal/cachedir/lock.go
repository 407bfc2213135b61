package cachedir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"time"
)

// locks is the directory of the files that are locked. They are empty and are
// removed like other leftovers; two processes that lock different ones for the
// same name do the same work twice, and no harm.
const locks = "locks"

// A process that waits looks again after shortPause, then less and less often.
const (
	shortPause = 5 * time.Millisecond
	longPause  = 100 * time.Millisecond
)

// Lock waits while another process, or another goroutine, holds the lock of the
// file called name, so that what that one fetches can be used then. The lock
// ends with unlock or with the process. The only error is that of the context:
// after Options.Wait, and where nothing can be locked, the caller goes on
// without the lock.
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
	for pause := shortPause; ; pause = min(2*pause, longPause) {
		locked, err := tryLock(f)
		if locked {
			return func() {
				unlockFile(f)
				f.Close()
			}, nil
		}
		if err != nil { // the file system has no locks
			f.Close()
			return func() {}, nil
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

// lockFile opens the file that is locked for a name, nil if there can be none.
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
