package archive

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// FS is an archive as a file system. It is safe for concurrent use.
type FS struct {
	nodes  map[string]*node
	folded map[string]string // the names by their lower-case forms, if case matters

	dirs, maxDirs int // number of directories, and its limit, while the archive is read
}

var (
	_ fs.ReadDirFS  = (*FS)(nil)
	_ fs.ReadFileFS = (*FS)(nil)
	_ fs.StatFS     = (*FS)(nil)
)

// node is a file or a directory.
type node struct {
	name     string // last element of the path
	dir      bool
	size     int64
	children []fs.DirEntry // entries of a directory; seal sorts them by name
	// open returns the content of a file. Reading beyond its declared size fails.
	open func() (io.ReadCloser, error)
	text string // the content, if it is in memory
}

func newFS(o Options) *FS {
	a := &FS{nodes: map[string]*node{"": {name: ".", dir: true}}, maxDirs: o.Limits.withDefaults().Files}
	if o.FoldCase {
		a.folded = map[string]string{}
	}
	return a
}

// add adds a file or directory, and its parent directories.
func (a *FS) add(name string, n *node) error {
	if old, ok := a.nodes[name]; ok {
		if old.dir && n.dir {
			return nil
		}
		return bad("contains %q twice", name)
	}
	if a.folded != nil {
		key := strings.ToLower(name)
		if other, ok := a.folded[key]; ok {
			return bad("contains %q and %q, which differ only in letter case", other, name)
		}
		a.folded[key] = name
	}
	if n.dir {
		if a.dirs++; a.dirs > a.maxDirs {
			return tooLarge("contains more directories than the limit of %d", a.maxDirs)
		}
	}
	parent := ""
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		parent = name[:i]
	}
	up, ok := a.nodes[parent]
	if !ok {
		up = &node{dir: true}
		if err := a.add(parent, up); err != nil {
			return err
		}
	}
	if !up.dir {
		return bad("contains %q both as a file and as a directory", parent)
	}
	n.name = name[strings.LastIndexByte(name, '/')+1:]
	a.nodes[name] = n
	up.children = append(up.children, n)
	return nil
}

// seal sorts the directories; add must not be called afterwards.
func (a *FS) seal() *FS {
	for _, n := range a.nodes {
		slices.SortFunc(n.children, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	}
	a.folded = nil
	return a
}

func (a *FS) find(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if name == "." {
		name = ""
	}
	n, ok := a.nodes[name]
	if !ok {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

// Open implements fs.FS.
func (a *FS) Open(name string) (fs.File, error) {
	n, err := a.find("open", name)
	if err != nil {
		return nil, err
	}
	if n.dir {
		return &openDir{node: n}, nil
	}
	r, err := n.open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{n, r}, nil
}

// ReadFile implements fs.ReadFileFS.
func (a *FS) ReadFile(name string) ([]byte, error) {
	n, err := a.find("read", name)
	if err != nil {
		return nil, err
	}
	if n.dir {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	if n.text != "" {
		return []byte(n.text), nil
	}
	r, err := n.open()
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	defer r.Close()
	data := make([]byte, n.size)
	if _, err = io.ReadFull(r, data); err == nil {
		// Read to the end, because the checksum is compared there.
		var more [1]byte
		if _, err = io.ReadFull(r, more[:]); errors.Is(err, io.EOF) {
			return data, nil
		} else if err == nil {
			err = errLies
		}
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: err}
}

// ReadText returns the content of a file, without a copy if it is in memory.
func (a *FS) ReadText(name string) (string, error) {
	if n, err := a.find("read", name); err == nil && n.text != "" {
		return n.text, nil
	}
	data, err := a.ReadFile(name)
	return string(data), err
}

// ReadDir implements fs.ReadDirFS.
func (a *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := a.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if !n.dir {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return slices.Clone(n.children), nil
}

// Stat implements fs.StatFS.
func (a *FS) Stat(name string) (fs.FileInfo, error) { return a.find("stat", name) }

// Files calls yield with the name of every file, in no particular order.
func (a *FS) Files(yield func(name string) bool) {
	for name, n := range a.nodes {
		if !n.dir && !yield(name) {
			return
		}
	}
}

var errLies = bad("contains a file that is longer than its header says")

// node is its own fs.DirEntry and fs.FileInfo.

func (n *node) Name() string               { return path.Base(n.name) }
func (n *node) IsDir() bool                { return n.dir }
func (n *node) Type() fs.FileMode          { return n.Mode().Type() }
func (n *node) Info() (fs.FileInfo, error) { return n, nil }
func (n *node) Size() int64                { return n.size }
func (n *node) ModTime() time.Time         { return time.Time{} }
func (n *node) Sys() any                   { return nil }

func (n *node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type openFile struct {
	*node
	io.ReadCloser
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.node, nil }

type openDir struct {
	*node
	next int
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

func (d *openDir) ReadDir(count int) ([]fs.DirEntry, error) {
	rest := d.children[d.next:]
	if count <= 0 {
		d.next = len(d.children)
		return slices.Clone(rest), nil
	}
	if len(rest) == 0 {
		return nil, io.EOF
	}
	rest = rest[:min(count, len(rest))]
	d.next += len(rest)
	return slices.Clone(rest), nil
}
