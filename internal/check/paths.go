package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/rootfs"
)

// MaxSource is the maximum size in bytes of a source file that is checked.
const MaxSource = 4 << 20

// Paths checks files and directories of the project in dir. By default, it checks the whole
// project. Relative paths are relative to the working directory. Paths does not open files outside
// dir.
func (c *Checker) Paths(ctx context.Context, dir string, paths []string) (*Report, error) {
	fsys := rootfs.New(dir)
	names, err := c.names(fsys, dir, paths)
	if err != nil {
		return nil, err
	}
	return c.Files(ctx, dir, names, func(name string) ([]byte, error) { return readSource(fsys, name) })
}

// names returns the names of the source files at the given paths, or all of the project.
func (c *Checker) names(fsys fs.FS, dir string, paths []string) (names []string, err error) {
	if len(paths) == 0 {
		paths = []string{dir}
	}
	for _, p := range paths {
		name, err := within(dir, p)
		if err != nil {
			return nil, err
		}
		info, err := fs.Stat(fsys, name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s cannot be read: %w", p, err)
		case info.IsDir():
			below, more, err := c.Tree(fsys, name)
			if err != nil {
				return nil, err
			}
			if more {
				return nil, fmt.Errorf("%s has more than %d source files; specify a directory below it", p, len(below))
			}
			names = append(names, below...)
		case !c.IsSource(name):
			return nil, fmt.Errorf("%s is not source code that docent checks (its extension is %q)", p, path.Ext(name))
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Text checks a text in the same way as the content of a file of the project in dir. The file does
// not have to exist.
func (c *Checker) Text(ctx context.Context, dir, file string, text []byte) (*Report, error) {
	if len(text) > MaxSource {
		return nil, fmt.Errorf("the source code in %s has more than %d bytes", file, MaxSource)
	}
	name, err := within(dir, file)
	if err != nil {
		return nil, err
	}
	if !c.IsSource(name) {
		return nil, fmt.Errorf("%s is not source code that docent checks (its extension is %q)", file, path.Ext(name))
	}
	return c.Files(ctx, dir, []string{name}, func(string) ([]byte, error) { return text, nil })
}

// within returns the path of a file relative to a directory. The file must be in the directory.
func within(dir, name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is not in the project %s; specify the directory of its project", name, dir)
	}
	return filepath.ToSlash(rel), nil
}

// readSource reads a source file in a project.
func readSource(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > MaxSource:
		return nil, fmt.Errorf("its %d bytes exceed the limit of %d", info.Size(), MaxSource)
	}
	return io.ReadAll(io.LimitReader(f, MaxSource))
}
