package check

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Changed checks the source files of the project in dir that differ from a revision of the
// surrounding git repository, as git.Repository.Resolve reads it. It checks only those at the given
// paths, or all if there are none. Like git, it treats submodules and other repositories below the
// project as external. It reads the repository without running git.
func (c *Checker) Changed(ctx context.Context, dir, revision string, paths []string) (*Report, error) {
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
	names, err := c.names(fsys, dir, paths)
	if err != nil {
		return nil, err
	}
	read := func(name string) ([]byte, error) { return readSource(fsys, name) }
	external := map[string]bool{".": false} // directories, by whether they belong to another repository
	var isExternal func(dir string) bool
	isExternal = func(dir string) bool {
		is, known := external[dir]
		if !known {
			_, err := fs.Stat(fsys, path.Join(dir, ".git"))
			is = err == nil || isExternal(path.Dir(dir))
			external[dir] = is
		}
		return is
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		if ctx.Err() != nil || isExternal(path.Dir(name)) {
			return true
		}
		inCommit := filepath.ToSlash(filepath.Join(below, filepath.FromSlash(name)))
		hash, err := committed.Hash(inCommit)
		if err != nil {
			return false // the file is new
		}
		now, err := read(name)
		if err != nil {
			return false
		}
		if git.HashOf(now) == hash {
			return true
		}
		if !bytes.Contains(now, []byte("\r\n")) {
			return false
		}
		old, err := fs.ReadFile(committed, inCommit)
		return err == nil && bytes.Equal(withoutReturns(old), withoutReturns(now))
	})
	return c.Files(ctx, dir, names, read)
}

// withoutReturns removes the carriage returns at line ends, because git may have added them.
func withoutReturns(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
