package check

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Changed checks the source files of the project in dir that differ from a revision of the
// surrounding git repository: HEAD, a branch, a tag or the full hash of a commit. It reads the
// repository without running git.
func (c *Checker) Changed(ctx context.Context, dir, revision string) (*Report, error) {
	top, err := git.WorkTree(dir)
	if err != nil {
		return nil, err
	}
	repository, err := git.Open(top)
	if err != nil {
		return nil, fmt.Errorf("the git repository that contains %s cannot be read: %w", top, err)
	}
	defer repository.Close()
	commit, err := repository.Resolve(revision)
	if err != nil {
		return nil, fmt.Errorf("the revision %s cannot be found: %w", revision, err)
	}
	committed, err := repository.Files(commit)
	if err != nil {
		return nil, fmt.Errorf("the revision %s cannot be read: %w", revision, err)
	}
	below, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	fsys := rootfs.New(dir)
	names, more, err := c.Tree(fsys, ".")
	if err != nil {
		return nil, err
	}
	if more {
		return nil, fmt.Errorf("%s has more than %d source files", dir, len(names))
	}
	read := func(name string) ([]byte, error) { return readSource(fsys, name) }
	names = slices.DeleteFunc(names, func(name string) bool {
		if ctx.Err() != nil {
			return true
		}
		old, err := fs.ReadFile(committed, filepath.ToSlash(filepath.Join(below, filepath.FromSlash(name))))
		if err != nil {
			return false // the file is new
		}
		now, err := read(name)
		return err == nil && bytes.Equal(withoutReturns(old), withoutReturns(now))
	})
	return c.Files(ctx, dir, names, read)
}

// withoutReturns removes the carriage returns at line ends, because git may have added them.
func withoutReturns(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
