// Package rootfs opens the files of directories that others wrote: packages, their
// manifests, and projects. A symbolic link is followed only within the directory, so it cannot
// point to the user's other files. Only regular files and directories are opened, without waiting
// for the writer of a pipe.
//
// The readers of languages and projects open files only through this package.
package rootfs

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrIrregular is the error for a pipe, socket or device.
var ErrIrregular = errors.New("is not a regular file")

// ErrOutside is the error for a link that points outside its directory.
var ErrOutside = errors.New("is a link that points outside the directory, so it is not followed")

// errReplaced is the error for a directory that has been replaced by another one.
var errReplaced = errors.New("the directory was replaced while it was read")

// FS is the file system of a directory. It holds no resources between calls, and
// is safe for concurrent use.
type FS struct {
	dir   string // the root, an absolute path, which may itself be a link
	below string // the part of the root that the file system shows

	mu sync.Mutex
	id fs.FileInfo // the root when it was first opened
}

var (
	_ fs.StatFS    = (*FS)(nil)
	_ fs.ReadDirFS = (*FS)(nil)
	_ fs.SubFS     = (*FS)(nil)
)

// New returns the file system of dir, an absolute path. The directory does not have to exist.
func New(dir string) *FS { return &FS{dir: dir, below: "."} }

// Sub implements fs.SubFS. Links may point to any part of the whole file system.
func (f *FS) Sub(name string) (fs.FS, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "sub", Path: name, Err: fs.ErrInvalid}
	}
	return &FS{dir: f.dir, below: path.Join(f.below, name)}, nil
}

// root opens the root, and reports the path of a file below it.
func (f *FS) root(op, name string) (*os.Root, string, error) {
	if !fs.ValidPath(name) {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	root, err := openRoot(f.dir)
	if err != nil {
		return nil, "", withPath(op, name, err)
	}
	id, err := root.Stat(".")
	if err == nil {
		f.mu.Lock()
		f.id = cmp.Or(f.id, id)
		if !os.SameFile(f.id, id) {
			err = errReplaced
		}
		f.mu.Unlock()
	}
	if err != nil {
		root.Close()
		return nil, "", withPath(op, name, err)
	}
	return root, filepath.FromSlash(path.Join(f.below, name)), nil
}

// asDir is appended to the path of a directory. Opening a pipe then fails instead of
// waiting for the pipe's writer.
const asDir = string(filepath.Separator) + "."

func openRoot(dir string) (*os.Root, error) { return os.OpenRoot(dir + asDir) }

// withPath returns the cause of an error with the name that the caller used.
func withPath(op, name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if err.Error() == "path escapes from parent" { // Package os does not export this error.
		err = ErrOutside
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Open implements fs.FS.
func (f *FS) Open(name string) (fs.File, error) {
	root, file, err := f.root("open", name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	opened, err := open(root, file)
	if err != nil {
		return nil, withPath("open", name, err)
	}
	return opened, nil
}

// open opens a regular file or a directory of a root. It opens the directory of a file first, so that
// the system follows the path only once. A link may point to a file outside that directory.
func open(root *os.Root, name string) (*os.File, error) {
	if dir, base := filepath.Split(name); dir != "" {
		if parent, err := root.OpenRoot(filepath.Clean(dir)); err == nil {
			defer parent.Close()
			if info, err := parent.Lstat(base); err == nil && info.Mode()&fs.ModeSymlink == 0 {
				return openHere(parent, base, info)
			}
		}
	}
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	return openHere(root, name, info)
}

// openHere opens a regular file or a directory of a root. info describes it.
func openHere(root *os.Root, name string, info fs.FileInfo) (*os.File, error) {
	// Opening a device can have side effects, so the check below would be too late.
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, ErrIrregular
	}
	file, err := root.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	// The file may have been replaced by a pipe or device since.
	if info, err = file.Stat(); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Stat implements fs.StatFS.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	root, file, err := f.root("stat", name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(file)
	if err != nil {
		return nil, withPath("stat", name, err)
	}
	return info, nil
}

// ReadDir implements fs.ReadDirFS. The entry of a link describes the link itself.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	root, file, err := f.root("readdir", name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := open(root, file)
	if err != nil {
		return nil, withPath("readdir", name, err)
	}
	defer dir.Close()
	entries, err := list(dir)
	if err != nil {
		return nil, withPath("readdir", name, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Open opens a regular file at an absolute path. If it is a link, it must stay within the
// file's directory or within the git repository that contains the directory.
func Open(file string) (*os.File, error) {
	dir, name := filepath.Split(filepath.Clean(file))
	return OpenBelow(dir, name)
}

// OpenBelow opens a regular file below dir, an absolute path. Links on the way from dir
// to the file must stay within dir or within the git repository that contains it.
func OpenBelow(dir, name string) (*os.File, error) {
	file := filepath.Join(dir, name)
	opened, err := openBelow(dir, name)
	if err = withFile(file, err); !errors.Is(err, ErrOutside) || !filepath.IsLocal(name) {
		return opened, err
	}
	repository := RepositoryOf(dir)
	if repository == "" {
		return nil, err
	}
	rel, failed := filepath.Rel(repository, file)
	if failed != nil {
		return nil, err
	}
	opened, err = openBelow(repository, rel)
	return opened, withFile(file, err)
}

func withFile(file string, err error) error {
	if err == nil {
		return nil
	}
	return withPath("open", file, err)
}

// openBelow opens a regular file of a directory.
func openBelow(dir, name string) (*os.File, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := open(root, name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, ErrIrregular
	}
	return file, nil
}

// maxParents is the maximum number of directories that are searched for a repository.
const maxParents = 64

// RepositoryOf returns the nearest directory at or above dir that is the root of a git
// repository, or "" if there is none. The user's home directory does not count, although
// some users keep their settings in a repository there.
func RepositoryOf(dir string) string {
	home, _ := os.UserHomeDir()
	dir = filepath.Clean(dir)
	for range maxParents {
		if dir == filepath.Clean(home) || filepath.Dir(dir) == dir {
			return ""
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// OpenAnywhere opens a regular file that the user or the machine's administrator chose,
// such as settings in the home directory. It follows all links.
func OpenAnywhere(file string) (*os.File, error) {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return Open(file)
}

// Names returns the first limit names in a directory, sorted.
func Names(dir string, limit int) ([]string, error) {
	opened, err := os.Open(dir + asDir)
	if err != nil {
		return nil, withFile(dir, err)
	}
	defer opened.Close()
	names, err := opened.Readdirnames(limit)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.Sort(names)
	return names, err
}
