package check

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	// maxFiles is the maximum number of source files in one check.
	maxFiles = 50_000
	// maxDepth is the maximum nesting depth of directories.
	maxDepth = 64
)

// notTheProject contains names of directories with external packages or with build output.
var notTheProject = []string{"node_modules", "vendor", "target", "site-packages", "__pycache__", "testdata", "bower_components", "DerivedData"}

// Tree returns the sorted names of the source files below a directory of a project. It omits files
// that a .gitignore excludes, hidden files, directories of installed packages and symbolic links.
// more is true if there are more files than Tree returns.
func (c *Checker) Tree(fsys fs.FS, dir string) (names []string, more bool, err error) {
	var rules ignoreRules
	for _, above := range parents(dir) {
		rules = rules.below(fsys, above)
	}
	err = c.walk(fsys, dir, rules, 0, func(name string) bool {
		if len(names) == maxFiles {
			more = true
			return false
		}
		names = append(names, name)
		return true
	})
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	slices.Sort(names)
	return names, more, err
}

// parents returns the directories above dir, beginning with the root.
func parents(dir string) (all []string) {
	for dir != "." {
		dir = path.Dir(dir)
		all = append(all, dir)
	}
	slices.Reverse(all)
	return all
}

// walk calls add with each source file until it returns false.
func (c *Checker) walk(fsys fs.FS, dir string, rules ignoreRules, depth int, add func(string) bool) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		if depth > 0 {
			return nil // the file was removed, or must not be read
		}
		return err
	}
	rules = rules.below(fsys, dir)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") || rules.ignored(name, e.IsDir()) {
			continue
		}
		switch {
		case e.IsDir():
			if depth < maxDepth && !slices.Contains(notTheProject, e.Name()) {
				if err := c.walk(fsys, name, rules, depth+1, add); err != nil {
					return err
				}
			}
		case e.Type().IsRegular() && c.IsSource(name):
			if !add(name) {
				return fs.SkipAll
			}
		}
	}
	return nil
}
