package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// MatchGlob reports whether a glob of a workspace matches a path. Both have forward slashes. In the
// glob, ** matches any number of elements.
func MatchGlob(glob, name string) bool {
	return matchElements(strings.Split(path.Clean(glob), "/"), strings.Split(name, "/"))
}

func matchElements(glob, name []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for i := range len(name) + 1 {
				if matchElements(glob[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(glob[0], name[0]); err != nil || !ok {
			return false
		}
		glob, name = glob[1:], name[1:]
	}
	return len(name) == 0
}

// These constants limit the search for the packages of a workspace.
const (
	maxWalked  = 20_000 // maximum number of directories
	maxDepth   = 12     // maximum depth of directories below the root, for a glob with **
	maxStrides = 3      // maximum number of ** in a glob, since more would make matching slow
)

// WalkGlobs calls visit for each directory below root, down to the depth that the globs
// can match. rel is the path relative to root, with forward slashes. WalkGlobs skips
// hidden directories and the directories named in skip, stops after 20,000 directories,
// and visits nothing if a glob has more than three **.
func WalkGlobs(root string, globs, skip []string, visit func(dir, rel string)) {
	depth := 0
	for _, g := range globs {
		switch n := strings.Count(g, "**"); {
		case n > maxStrides:
			return
		case n > 0:
			depth = max(depth, maxDepth)
		}
		depth = max(depth, strings.Count(path.Clean(g), "/")+1)
	}
	if depth == 0 {
		return
	}
	walked := 0
	_ = filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil //nolint:nilerr // a directory that cannot be read contains no package
		}
		if walked++; walked > maxWalked {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil || rel == "." {
			return nil //nolint:nilerr // the root itself
		}
		if e.Name()[0] == '.' || slices.Contains(skip, e.Name()) {
			return fs.SkipDir
		}
		rel = filepath.ToSlash(rel)
		visit(dir, rel)
		if strings.Count(rel, "/")+1 >= depth {
			return fs.SkipDir
		}
		return nil
	})
}
