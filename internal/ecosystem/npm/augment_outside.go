package npm

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// maxIncluded is the maximum number of globs outside of a project that its configurations include.
const maxIncluded = 1000

// outside searches the files outside of the project in dir that its configurations include. Those in the nearest directory at
// or above dir are also read, because they apply to a project without any.
func (a *augmentations) outside(dir string) {
	var configs []string
	for _, name := range a.configs {
		configs = append(configs, filepath.Join(dir, filepath.FromSlash(name)))
	}
	for _, d := range project.Upwards(dir) {
		names := slices.DeleteFunc(project.DirNames(d), func(name string) bool { return !isConfig(name) })
		if len(names) == 0 {
			continue
		}
		for _, name := range names {
			configs = append(configs, filepath.Join(d, name))
		}
		break
	}
	seen := map[string]bool{}
	for _, config := range configs {
		r := configReader{root: dir}
		r.read(filepath.Split(config))
		for _, glob := range r.included {
			if base, rest := splitGlob(glob); !seen[glob] && !isBelow(dir, base) && len(seen) < maxIncluded {
				seen[glob] = true
				a.include(dir, base, rest)
			}
		}
	}
}

// include searches the files that match a glob in the directory base, which is outside of the project in dir. Without a
// glob, it searches all files in base, or base itself if that is a file.
func (a *augmentations) include(dir, base, glob string) {
	name, all := ".", glob == ""
	if all && project.IsFile(base) {
		base, name = filepath.Split(base)
	}
	// In a configuration, a bracket is not special.
	all = all || strings.ContainsAny(glob, `[\`) || strings.Count(glob, "**") > maxStrides
	fsys := rootfs.New(filepath.Clean(base))
	_ = fs.WalkDir(fsys, name, func(name string, e fs.DirEntry, err error) error {
		full := filepath.Join(base, filepath.FromSlash(name))
		switch {
		case a.files >= maxTypeFiles || a.ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil //nolint:nilerr // a file that cannot be read adds nothing
		case e.IsDir() && (full == dir || name != "." && (e.Name() == "node_modules" || e.Name()[0] == '.')):
			return fs.SkipDir
		}
		a.files++
		if !e.Type().IsRegular() || !isTypeScript(name, false) || !all && !project.MatchGlob(glob, name) && !project.MatchGlob(glob+"/**", name) {
			return nil
		}
		rel, err := filepath.Rel(dir, full)
		if text, ok := readText(fsys, name); ok && err == nil {
			a.search(nil, filepath.ToSlash(rel), text)
		}
		return nil
	})
}

// maxStrides is the maximum number of ** in a glob that is matched, since more would make this slow.
const maxStrides = 3

// splitGlob splits an absolute glob before its first element with a wildcard. The returned glob has forward slashes.
func splitGlob(pattern string) (base, glob string) {
	i := strings.IndexAny(pattern, "*?")
	if i < 0 {
		return pattern, ""
	}
	i = strings.LastIndexByte(pattern[:i], filepath.Separator) + 1
	return filepath.Clean(pattern[:i]), filepath.ToSlash(pattern[i:])
}

// isBelow reports whether a path is that of a directory, or of a file or directory in it.
func isBelow(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}
