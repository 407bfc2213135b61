package git

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's hash, which protects nothing here
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// FS is a file system with the files of a commit. It follows symbolic links within the commit. It
// omits submodules and links to other places. It is safe for concurrent use until its Repository is
// closed.
type FS struct {
	r    *Repository
	mu   sync.Mutex
	dirs map[string][]*file // keyed by path
	root Hash
}

var (
	_ fs.ReadDirFS  = (*FS)(nil)
	_ fs.StatFS     = (*FS)(nil)
	_ fs.ReadFileFS = (*FS)(nil)
)

// Files returns the files of a commit.
func (r *Repository) Files(h Hash) (*FS, error) {
	h, err := r.commitOf(h)
	if err != nil {
		return nil, err
	}
	_, data, err := r.object(h)
	if err != nil {
		return nil, err
	}
	root, ok := headerHash(data, "tree ")
	if !ok {
		return nil, damaged("a commit does not name a tree")
	}
	f := &FS{r: r, root: root, dirs: map[string][]*file{}}
	if _, err := f.list("."); err != nil {
		return nil, err
	}
	return f, nil
}

// file is an entry of a tree.
type file struct {
	r    *Repository
	name string
	hash Hash
	mode fs.FileMode
}

func (e *file) Name() string               { return e.name }
func (e *file) IsDir() bool                { return e.mode.IsDir() }
func (e *file) Type() fs.FileMode          { return e.mode.Type() }
func (e *file) Info() (fs.FileInfo, error) { return e, nil }
func (e *file) Mode() fs.FileMode          { return e.mode }
func (e *file) ModTime() time.Time         { return time.Time{} }
func (e *file) Sys() any                   { return nil }

func (e *file) Size() int64 {
	if e.IsDir() {
		return 0
	}
	n, err := e.r.size(e.hash)
	if err != nil {
		return 0
	}
	return n
}

// parseTree parses a tree.
func parseTree(r *Repository, data []byte) ([]*file, error) {
	var all []*file
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte(" "))
		name, rest, okName := bytes.Cut(rest, []byte{0})
		if !ok || !okName || len(rest) < len(Hash{}) || len(all) >= maxEntries {
			return nil, damaged("a tree is malformed")
		}
		e := &file{r: r, name: string(name)}
		copy(e.hash[:], rest)
		data = rest[len(e.hash):]
		switch string(mode) {
		case "40000", "040000":
			e.mode = fs.ModeDir | 0o555
		case "120000":
			e.mode = fs.ModeSymlink | 0o444
		case "160000": // The entry is a submodule.
			continue
		default:
			e.mode = 0o444
		}
		if e.name == "." || e.name == ".." || e.name == "" || strings.Contains(e.name, "/") {
			return nil, damaged("a tree contains an entry with the name %.60q", e.name)
		}
		if !fs.ValidPath(e.name) {
			continue // the name is not UTF-8, so an fs.FS cannot have it
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

const (
	maxDepth = 64 // maximum nesting of directories
	maxLinks = 8  // maximum length of a chain of links
)

// list returns the entries of a directory, with links resolved.
func (f *FS) list(dir string) ([]*file, error) { return f.listDepth(dir, 0) }

func (f *FS) listDepth(dir string, links int) ([]*file, error) {
	f.mu.Lock()
	known, ok := f.dirs[dir]
	f.mu.Unlock()
	if ok {
		return known, nil
	}
	h := f.root
	if dir != "." {
		if strings.Count(dir, "/") >= maxDepth {
			return nil, damaged("directories are nested more than %d levels deep", maxDepth)
		}
		e, err := f.find(dir, links)
		if err != nil {
			return nil, err
		}
		if !e.IsDir() {
			return nil, fs.ErrInvalid
		}
		h = e.hash
	}
	k, data, err := f.r.object(h)
	if err == nil && k != tree {
		err = damaged("a directory entry does not point to a tree object")
	}
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(f.r, data)
	if err != nil {
		return nil, err
	}
	files := entries[:0]
	for _, e := range entries {
		if e.mode&fs.ModeSymlink != 0 {
			target := f.follow(dir, e, links)
			if target == nil {
				continue
			}
			e = &file{r: e.r, name: e.name, hash: target.hash, mode: target.mode}
		}
		files = append(files, e)
	}
	f.mu.Lock()
	f.dirs[dir] = files
	f.mu.Unlock()
	return files, nil
}

// follow returns the file that a link leads to, or nil if the commit does not have it.
func (f *FS) follow(dir string, e *file, links int) *file {
	_, data, err := f.r.object(e.hash)
	if err != nil || len(data) > 4096 || links >= maxLinks || bytes.HasPrefix(data, []byte("/")) {
		return nil
	}
	name := path.Join(dir, string(data))
	if name == "." || !fs.ValidPath(name) || name == dir || strings.HasPrefix(dir+"/", name+"/") {
		return nil // the target is outside, or is a directory that contains the link
	}
	if path.Dir(name) == dir { // The directory is being listed.
		_, data, err := f.r.object(f.hashOf(dir, links))
		if err != nil {
			return nil
		}
		entries, err := parseTree(f.r, data)
		if err != nil {
			return nil
		}
		i := slices.IndexFunc(entries, func(o *file) bool { return o.name == path.Base(name) && o.mode&fs.ModeSymlink == 0 })
		if i < 0 {
			return nil
		}
		return entries[i]
	}
	target, err := f.find(name, links+1)
	if err != nil {
		return nil
	}
	return target
}

// hashOf returns the hash of a directory's tree.
func (f *FS) hashOf(dir string, links int) Hash {
	if dir == "." {
		return f.root
	}
	if e, err := f.find(dir, links); err == nil {
		return e.hash
	}
	return Hash{}
}

// find returns the entry at a path.
func (f *FS) find(name string, links int) (*file, error) {
	if name == "." {
		return &file{r: f.r, name: ".", hash: f.root, mode: fs.ModeDir | 0o555}, nil
	}
	entries, err := f.listDepth(path.Dir(name), links)
	if err != nil {
		return nil, err
	}
	i, ok := slices.BinarySearchFunc(entries, path.Base(name), func(e *file, base string) int { return strings.Compare(e.name, base) })
	if !ok {
		return nil, fs.ErrNotExist
	}
	return entries[i], nil
}

// Hash returns the hash of the file at a path, as HashOf computes it, without reading the file.
func (f *FS) Hash(name string) (Hash, error) {
	e, err := f.lookup("open", name)
	if err != nil {
		return Hash{}, err
	}
	return e.hash, nil
}

// HashOf returns the hash of a file with the given content.
func HashOf(content []byte) Hash {
	return sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...)) //nolint:gosec // git's hash, which protects nothing here
}

func (f *FS) lookup(op, name string) (*file, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	e, err := f.find(name, 0)
	if err != nil {
		if errors.Is(err, fs.ErrInvalid) {
			err = fs.ErrNotExist // the requested directory is a file
		}
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return e, nil
}

// Stat implements fs.StatFS.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	e, err := f.lookup("stat", name)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// ReadDir implements fs.ReadDirFS.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := f.lookup("readdir", name)
	if err == nil && !e.IsDir() {
		err = &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	entries, err := f.list(name)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	all := make([]fs.DirEntry, len(entries))
	for i, e := range entries {
		all[i] = e
	}
	return all, nil
}

// ReadFile implements fs.ReadFileFS. The caller may modify the content.
func (f *FS) ReadFile(name string) ([]byte, error) {
	e, err := f.lookup("read", name)
	if err == nil && e.IsDir() {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	k, data, err := f.r.object(e.hash)
	if err == nil && k != blob {
		err = damaged("a file entry does not point to a blob object")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return bytes.Clone(data), nil // The original may be cached as the base of a delta.
}

// Open implements fs.FS.
func (f *FS) Open(name string) (fs.File, error) {
	e, err := f.lookup("open", name)
	if err != nil {
		return nil, err
	}
	if e.IsDir() {
		entries, err := f.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &openDir{file: e, rest: entries}, nil
	}
	data, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &openFile{e, bytes.NewReader(data)}, nil
}

type openFile struct {
	*file
	*bytes.Reader
}

func (o *openFile) Stat() (fs.FileInfo, error) { return o.file, nil }
func (o *openFile) Close() error               { return nil }
func (o *openFile) Size() int64                { return o.Reader.Size() }

type openDir struct {
	*file
	rest []fs.DirEntry
}

func (o *openDir) Stat() (fs.FileInfo, error) { return o.file, nil }
func (o *openDir) Close() error               { return nil }

func (o *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (o *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		all := o.rest
		o.rest = nil
		return all, nil
	}
	if len(o.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(o.rest))
	all := o.rest[:n]
	o.rest = o.rest[n:]
	return all, nil
}
