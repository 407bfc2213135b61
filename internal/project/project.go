// Package project finds out what a user's project depends on, from its
// manifests, lock files and installed packages alone: nothing is run and
// nothing is asked of a network. Each language's files are read in a package
// below this one; here is what they share.
package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Dependency is one package or module that a project uses.
type Dependency struct {
	Name string `json:"name"`
	// Version is the one that the project uses; empty if Dir stands in for it.
	Version string `json:"version,omitempty"`
	// Dir is an absolute directory that is used in place of a released version.
	Dir string `json:"dir,omitempty"`
	// Alias is the name under which the version is published, where that is
	// not Name: a replaced Go module, an npm alias.
	Alias string `json:"alias,omitempty"`
	// Direct is true if the project itself asks for it, false if only a
	// dependency does.
	Direct bool `json:"direct"`
	// By says what chose the version: "go.mod of example.com/app".
	By string `json:"by"`
}

// ErrNone means that neither a directory nor any above it belongs to a project
// of the language.
var ErrNone = errors.New("no project here")

// FindUp looks for a file called name in dir and then in each directory above
// it. It returns the path of the first, or an empty string. dir is absolute.
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

// maxParents bounds how many directories above a project are searched.
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

// ErrTooLarge is the error of ReadFile for a file beyond its limit.
var ErrTooLarge = errors.New("is larger than")

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path) // to open a pipe would wait for somebody to write
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
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

// Stamp tells whether a file is still the one that was read. The zero Stamp is
// that of a file that is not there.
type Stamp struct {
	Modified time.Time
	Size     int64
	Mode     fs.FileMode
}

// StampOf returns the stamp of the file at path; an empty path has the zero Stamp.
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
