package footprint

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Tree is a directory as a file system that notes in a Footprint what is
// looked at. It lists each directory once and answers from the lists what is
// there and what is not: who looks for a module tries many names of which one
// exists. So it is for one reading, which then sees one state of each
// directory. It is safe for concurrent use.
type Tree struct {
	files fs.FS
	dir   string

	mu    sync.Mutex
	print *Footprint
	lists map[string]*list
}

// list is what a directory holds.
type list struct {
	mark    Mark          // taken before, so that a change in between shows
	entries []fs.DirEntry // by name
	err     error
}

var (
	_ fs.ReadDirFS = (*Tree)(nil)
	_ fs.StatFS    = (*Tree)(nil)
)

// NewTree makes a Tree of files, which is the directory dir, an absolute path.
// It notes nothing until Watch is called.
func NewTree(files fs.FS, dir string) *Tree {
	return &Tree{files: files, dir: dir, lists: map[string]*list{}}
}

// Watch lets the tree note in f what it is asked from now on.
func (t *Tree) Watch(f *Footprint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.print = f
	for _, l := range t.lists { // what is known already is not asked of the disk again
		f.add(l.mark)
	}
}

// list reads a directory, or recalls it.
func (t *Tree) list(name string) *list {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.lists[name]
	if known == nil {
		known = &list{mark: MarkOf(join(t.dir, name))}
		known.entries, known.err = fs.ReadDir(t.files, name)
		t.lists[name] = known
		t.print.add(known.mark)
	}
	return known
}

// entry finds a name in the list of its directory.
func (t *Tree) entry(name string) (fs.DirEntry, bool) {
	if !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	dir, base := path.Dir(name), path.Base(name)
	if dir != "." {
		// A directory that is not there is not listed.
		if e, ok := t.entry(dir); !ok || e.Type().IsRegular() {
			return nil, false
		}
	}
	l := t.list(dir)
	at, ok := slices.BinarySearchFunc(l.entries, base, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !ok {
		return nil, false
	}
	return l.entries[at], true
}

var errIrregular = errors.New("is not a regular file")

// Open implements fs.FS. Only regular files and directories are opened.
func (t *Tree) Open(name string) (fs.File, error) {
	e, ok := t.entry(name)
	if !ok && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if ok && !e.IsDir() && !e.Type().IsRegular() { // a link, or what must not be opened: a pipe waits for somebody to write
		if info, err := fs.Stat(t.files, name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			t.watching().Look(join(t.dir, name))
			return nil, &fs.PathError{Op: "open", Path: name, Err: errIrregular}
		}
	}
	f, err := t.files.Open(name)
	if err != nil {
		t.watching().Look(join(t.dir, name))
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.IsDir() {
		t.watching().add(markOf(join(t.dir, name), info))
	}
	return f, nil
}

func (t *Tree) watching() *Footprint {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.print
}

// ReadDir implements fs.ReadDirFS.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if e, ok := t.entry(name); name != "." && (!ok || e.Type().IsRegular()) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	l := t.list(name)
	return slices.Clone(l.entries), l.err
}

// Stat implements fs.StatFS. What it returns asks the disk for more
// than whether it is a directory only when it is asked for more.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return fs.Stat(t.files, name)
	}
	e, ok := t.entry(name)
	if !ok {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	if !e.IsDir() && !e.Type().IsRegular() { // a link, which leads somewhere or not
		t.watching().Look(join(t.dir, name))
		return fs.Stat(t.files, name)
	}
	return listed{e}, nil
}

// listed is an entry of a list as an fs.FileInfo.
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
