package fingerprint

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/rootfs"
)

// Tree is a file system of one directory that records every access in a
// Fingerprint. It lists each directory only once and answers from the lists,
// because module resolution tries many names of which few exist. A Tree is used
// for one reading, for which each directory has a fixed state. It is safe for
// concurrent use.
type Tree struct {
	files fs.FS
	dir   string

	mu          sync.Mutex
	fingerprint *Fingerprint
	lists       map[string]*list
}

// list is the cached content of a directory.
type list struct {
	stamp   Stamp         // taken before the directory is read, to detect changes made meanwhile
	entries []fs.DirEntry // entries by name
	err     error
}

var (
	_ fs.ReadDirFS = (*Tree)(nil)
	_ fs.StatFS    = (*Tree)(nil)
)

// NewTree returns a Tree for files, the file system that package rootfs has opened for
// directory dir, an absolute path. It records nothing until Watch is called.
func NewTree(files fs.FS, dir string) *Tree {
	return &Tree{files: files, dir: dir, lists: map[string]*list{}}
}

// OpenTree returns a Tree for directory dir, an absolute path, that records in f.
// The Tree does not read outside of the directory.
func OpenTree(dir string, f *Fingerprint) (*Tree, error) {
	files := rootfs.New(dir)
	if _, err := files.Stat("."); err != nil {
		return nil, err
	}
	t := NewTree(files, dir)
	t.Watch(f)
	return t, nil
}

// Path returns the absolute path of a name.
func (t *Tree) Path(name string) string { return join(t.dir, name) }

// Stamp returns the state of a directory before it was listed.
func (t *Tree) Stamp(name string) Stamp { return t.list(name).stamp }

// Watch records the directories listed so far, and all additional accesses, in f.
func (t *Tree) Watch(f *Fingerprint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fingerprint = f
	for _, l := range t.lists {
		f.record(l.stamp)
	}
}

// list returns the content of a directory, which it reads only once.
func (t *Tree) list(name string) *list {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.lists[name]
	if l == nil {
		l = &list{stamp: StampOf(t.Path(name))}
		l.entries, l.err = fs.ReadDir(t.files, name)
		t.lists[name] = l
		t.fingerprint.record(l.stamp)
	}
	return l
}

// entry finds a name in the list of its directory. It returns false if the name
// does not exist.
func (t *Tree) entry(name string) (fs.DirEntry, bool) {
	if !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	dir, base := path.Dir(name), path.Base(name)
	if dir != "." {
		// Only existing directories are listed.
		if e, ok := t.entry(dir); !ok || e.Type().IsRegular() {
			return nil, false
		}
	}
	l := t.list(dir)
	i, ok := slices.BinarySearchFunc(l.entries, base, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !ok {
		return nil, false
	}
	return l.entries[i], true
}

// Open implements fs.FS. Only regular files and directories are opened.
func (t *Tree) Open(name string) (fs.File, error) {
	if _, ok := t.entry(name); !ok && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := t.files.Open(name)
	if err != nil {
		t.watching().Add(t.Path(name))
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.IsDir() {
		t.watching().record(stampOf(t.Path(name), info))
	}
	return f, nil
}

func (t *Tree) watching() *Fingerprint {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fingerprint
}

// ReadDir implements fs.ReadDirFS.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if e, ok := t.entry(name); name != "." && (!ok || e.Type().IsRegular()) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	l := t.list(name)
	return slices.Clone(l.entries), l.err
}

// Stat implements fs.StatFS. The FileInfo reads size, mode and time only when they are
// requested.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return fs.Stat(t.files, name)
	}
	e, ok := t.entry(name)
	if !ok {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	if !e.IsDir() && !e.Type().IsRegular() { // The entry is a link, which may be broken.
		t.watching().Add(t.Path(name))
		return fs.Stat(t.files, name)
	}
	return listed{e}, nil
}

// listed is a directory entry as an fs.FileInfo.
type listed struct{ fs.DirEntry }

func (l listed) Mode() fs.FileMode {
	info, err := l.Info()
	if err != nil {
		return l.Type()
	}
	return info.Mode()
}

func (l listed) Sys() any { return nil }

func (l listed) Size() int64 {
	info, err := l.Info()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (l listed) ModTime() time.Time {
	info, err := l.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
