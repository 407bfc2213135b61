// Package project determines the dependencies of a user's project from
// manifests, lock files and installed packages. It runs no programs and uses no
// network. The files of each language are read in a package below this one;
// this package holds their common parts.
package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docent-mcp/docent/internal/rootfs"
)

// Dependency is one package or module that a project uses.
type Dependency struct {
	Name string `json:"name"`
	// Version is the version in use; empty if Dir replaces it.
	Version string `json:"version,omitempty"`
	// Dir is the absolute path of a directory used instead of a released
	// version.
	Dir string `json:"dir,omitempty"`
	// Alias is the published name if it differs from Name, as for a replaced Go
	// module or an npm alias.
	Alias string `json:"alias,omitempty"`
	// Direct is true if the project itself depends on it, or false if only a dependency
	// does.
	Direct bool `json:"direct"`
	// By describes what determined the version, such as "go.mod of example.com/app".
	By string `json:"by"`
}

// ErrNone means that a directory is not in any project of the language.
var ErrNone = errors.New("no project here")

// IsDir reports whether path is a directory or a link to one.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsFile reports whether path is a regular file or a link to one.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// FindUp looks for a file called name in dir, an absolute path, and in the directories
// above it. It returns the path of the nearest one, or "" if there is none.
func FindUp(dir, name string) string {
	for {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// maxParents is the maximum number of directories above a project that are searched.
const maxParents = 64

// Upwards returns dir, an absolute path, and the directories above it.
func Upwards(dir string) []string {
	dirs := []string{dir}
	for len(dirs) < maxParents && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		dirs = append(dirs, dir)
	}
	return dirs
}

// ErrTooLarge is the error of ReadFile and ReadFS for a file that exceeds its limit.
var ErrTooLarge = errors.New("is larger than")

// ReadFile reads a regular file of at most limit bytes. A link must stay within the
// file's directory or the repository that contains the directory, because others may have
// written it.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := rootfs.Open(path)
	return readAll(f, err, path, limit)
}

// ReadBelow is like ReadFile for a file below dir, an absolute path. Links on the way
// from dir to the file must stay within dir or the repository that contains it, too.
func ReadBelow(dir, name string, limit int64) ([]byte, error) {
	f, err := rootfs.OpenBelow(dir, filepath.FromSlash(name))
	return readAll(f, err, filepath.Join(dir, name), limit)
}

// ReadSettings reads a regular file of at most limit bytes that the user or the
// machine's administrator wrote. It follows links.
func ReadSettings(path string, limit int64) ([]byte, error) {
	f, err := rootfs.OpenAnywhere(path)
	return readAll(f, err, path, limit)
}

// readAll reads and closes a file. err is the error of opening it.
func readAll(f *os.File, err error, path string, limit int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, min(info.Size(), limit)+1)
	for {
		if int64(len(data)) > limit {
			return nil, fmt.Errorf("%s %w %d bytes", path, ErrTooLarge, limit)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Head returns at most the first limit bytes of a file, or "" if it cannot be read.
func Head(path string, limit int) string {
	f, err := rootfs.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data := make([]byte, limit)
	n, _ := f.Read(data)
	return string(data[:n])
}

// ReadFS reads a file of at most limit bytes from a file system.
func ReadFS(files fs.FS, name string, limit int64) ([]byte, error) {
	data, whole, err := ReadHead(files, name, limit)
	if err == nil && !whole {
		return nil, fmt.Errorf("%s %w %d bytes", name, ErrTooLarge, limit)
	}
	return data, err
}

// ReadHead reads the first limit bytes of a file in a file system. whole is true if the
// file has no more.
func ReadHead(files fs.FS, name string, limit int64) (data []byte, whole bool, err error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	data, err = io.ReadAll(io.LimitReader(file, limit+1))
	return data[:min(len(data), int(limit))], int64(len(data)) <= limit, err
}

// maxNames is the maximum number of names that DirNames reads.
const maxNames = 50_000

// DirNames returns the names in a directory, sorted. If reading the directory fails, it
// returns the names that could be read, if any.
func DirNames(dir string) []string {
	names, _ := rootfs.Names(dir, maxNames) // If reading fails, these are the names that could be read.
	return names
}

// Exists reports whether path exists. It follows links.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Stamp identifies the state of a file. The zero Stamp means that the file is missing.
type Stamp struct {
	Modified time.Time
	Size     int64
	Mode     fs.FileMode
}

// StampOf returns the stamp of the file at path; for an empty path, it returns the zero
// Stamp.
func StampOf(path string) Stamp {
	if path == "" {
		return Stamp{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}
	}
	return Stamp{info.ModTime(), info.Size(), info.Mode()}
}
