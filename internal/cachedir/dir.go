package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dir is a directory of files that are used until there are too many. Their
// time is that of their last use, which whoever uses them sets. Several
// processes may do anything here at once.
type Dir struct {
	Path string // empty is none
	Max  int64  // of all files together, in bytes; zero is no bound
}

const (
	// partial begins the names of files that are being written; fetch.WriteFile
	// makes them.
	partial = ".part-"
	// abandoned is how old such a file is, or a directory without any, that
	// nobody will finish.
	abandoned = time.Hour
	// pruneTo is how full the directory is left, in tenths of its bound.
	pruneTo = 9
)

type file struct {
	path string
	size int64
	used time.Time
}

// files lists what is kept; of the rest, old is told what nobody will finish.
func (d Dir) files(now time.Time, old func(path string)) (kept []file, total int64, err error) {
	err = filepath.WalkDir(d.Path, func(path string, e fs.DirEntry, err error) error {
		if path == d.Path {
			return err
		}
		info := infoOf(e, err)
		switch {
		case info == nil:
		case e.IsDir() || strings.HasPrefix(e.Name(), partial):
			if now.Sub(info.ModTime()) > abandoned {
				old(path)
			}
		case info.Mode().IsRegular():
			kept = append(kept, file{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	return kept, total, err
}

// infoOf is nil for what is gone meanwhile, or cannot be read.
func infoOf(e fs.DirEntry, err error) fs.FileInfo {
	if err != nil {
		return nil
	}
	info, _ := e.Info()
	return info
}

// Prune removes the files that were not used for the longest time, if there is
// too much, though never the newest, and what writers that died have left.
func (d Dir) Prune(now time.Time) {
	if d.Path == "" {
		return
	}
	var left []string
	kept, total, err := d.files(now, func(path string) { left = append(left, path) })
	if err != nil {
		return
	}
	for _, path := range slices.Backward(left) {
		_ = os.Remove(path) // a directory only if it is empty
	}
	if d.Max <= 0 || total <= d.Max {
		return
	}
	slices.SortFunc(kept, func(a, b file) int { return a.used.Compare(b.used) })
	for _, f := range kept[:max(len(kept)-1, 0)] {
		if total <= d.Max/10*pruneTo {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}

// Describe tells users where the directory is, how large it is and may become,
// and what is amiss if nothing can be kept there.
func (d Dir) Describe() (value, problem string) {
	if d.Path == "" {
		return "nowhere", "nothing is kept from one question to the next: set HOME, or name a directory with DOCENT_CACHE"
	}
	_, total, err := d.files(time.Time{}, func(string) {})
	switch {
	case err == nil:
		value = d.Path + ", " + size(total)
	case errors.Is(err, fs.ErrNotExist):
		value = d.Path + ", not there yet"
		if d.Max > 0 {
			return value + "; at most " + size(d.Max), d.problem()
		}
	default:
		value = d.Path
	}
	if d.Max > 0 {
		value += " of at most " + size(d.Max)
	}
	return value, d.problem()
}

func (d Dir) problem() string {
	if err := d.write(); err != nil {
		return "nothing can be kept there (" + reason(err) + "): make it writable, or name another directory with DOCENT_CACHE"
	}
	return ""
}

// write tries to write a file there, or in the directory above in which this
// one would be made.
func (d Dir) write() error {
	dir := d.Path
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return errors.New(dir + " is not a directory")
		}
		if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, partial+"*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// reason is an error without the name of the file that it was tried with.
func reason(err error) string {
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return bad.Err.Error()
	}
	return err.Error()
}

// size writes a number of bytes as people do.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
