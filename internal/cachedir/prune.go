package cachedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// abandoned is the age at which a partial file, a lock file or an empty
	// directory counts as unused.
	abandoned = 10 * time.Minute
	// pruneEvery is the minimum time between size checks, by all processes
	// together.
	pruneEvery = time.Minute
	// pruneTo is the size after pruning, in tenths of the maximum.
	pruneTo = 9
	// block is the unit to which sizes are rounded up, because even an empty file
	// uses space.
	block = 4 << 10
	// marker is a file whose modification time is the time of the last pruning.
	marker = "pruned"
)

type entry struct {
	name string // the name in the form that package os uses
	size int64
	used time.Time
}

// entries lists the cached files. leftovers are abandoned files.
func entries(root *os.Root, now time.Time) (remaining []entry, leftovers []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if name == "." {
			return err
		}
		if err != nil || name == marker {
			return nil //nolint:nilerr // it is gone meanwhile, or cannot be read
		}
		info, err := e.Info()
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		path := filepath.FromSlash(name)
		switch {
		case e.IsDir() || strings.HasPrefix(e.Name(), partial) || strings.HasPrefix(name, locks+"/"):
			if now.Sub(info.ModTime()) > abandoned {
				leftovers = append(leftovers, path)
			}
		case info.Mode().IsRegular():
			remaining = append(remaining, entry{path, (info.Size() + block - 1) / block * block, info.ModTime()})
		}
		return nil
	})
	return remaining, leftovers, err
}

// prune is called after wrote bytes were written. If a check is due, it removes leftovers, and then
// the least recently used files until the total is within the maximum. It never removes the file
// used last.
func (c *Cache) prune(root *os.Root, wrote int64) {
	now := c.now()
	if c.written.Add(wrote+block) < c.max/16 {
		if info, err := root.Stat(marker); err == nil && now.Sub(info.ModTime()).Abs() < pruneEvery {
			return
		}
	}
	f, err := root.OpenFile(marker, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		_ = root.RemoveAll(marker) // it may be a directory, which is damage
		return
	}
	defer f.Close()
	if locked, err := tryLock(f); !locked && err == nil {
		return // another process prunes
	}
	defer unlockFile(f)
	_ = root.Chtimes(marker, now, now)
	c.written.Store(0)

	remaining, leftovers, err := entries(root, now)
	if err != nil {
		return
	}
	for _, name := range slices.Backward(leftovers) {
		_ = root.Remove(name) // this removes a directory only if it is empty
	}
	total := sum(remaining)
	if total <= c.max {
		return
	}
	slices.SortFunc(remaining, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range remaining[:max(len(remaining)-1, 0)] {
		if total <= c.max/10*pruneTo {
			return
		}
		if err := root.Remove(e.name); err == nil || errors.Is(err, fs.ErrNotExist) {
			total -= e.size
		}
	}
}

func sum(all []entry) int64 {
	var total int64
	for i := range all {
		total += all[i].size
	}
	return total
}
