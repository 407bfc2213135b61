package swift

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// maxRepositories is the maximum number of repositories in a cache that are examined.
const maxRepositories = 2000

// repositories returns the directories of bare repositories in which SwiftPM
// keeps a package: first the repositories of the project's builds, then those in
// the caches for all projects.
func (f *finder) repositories(location string) []string {
	var parents []string
	if f.project != nil {
		for _, b := range f.project.Builds {
			parents = append(parents, filepath.Join(b.Dir, "repositories"))
		}
	}
	for _, cache := range f.sw.caches() {
		parents = append(parents, filepath.Join(cache, "repositories"))
	}
	var dirs []string
	name := swiftpm.LastElement(location)
	for _, parent := range parents {
		f.seen.Add(parent)
		for _, entry := range project.DirNames(parent) {
			i := strings.LastIndexByte(entry, '-')
			if i < 0 || !strings.EqualFold(entry[:i], name) || len(dirs) >= maxRepositories {
				continue
			}
			dir := filepath.Join(parent, entry)
			if origin := originOf(dir); origin == "" || sameLocation(origin, location) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// originOf returns the URL of a repository's remote "origin", or "" if the
// configuration does not contain one.
func originOf(dir string) string {
	data, err := project.ReadFile(filepath.Join(dir, "config"), 1<<20)
	if err != nil {
		return ""
	}
	in := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = line == `[remote "origin"]`
			continue
		}
		if name, value, ok := strings.Cut(line, "="); ok && in && strings.TrimSpace(name) == "url" {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// fromRepositories arranges for l to be read from a cached repository that
// contains the pinned commit. It reports whether it found such a repository.
func (f *finder) fromRepositories(l *located, c *candidate) bool {
	revision, ok := git.ParseHash(c.Revision)
	if !ok {
		return false
	}
	dirs := f.repositories(c.location)
	if filepath.IsAbs(c.location) {
		dirs = append([]string{c.location}, dirs...)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return f.useRepository(l, dir, revision) })
}

// useRepository arranges for l to be read from the repository in dir if that
// contains the commit. It reports whether it does.
func (f *finder) useRepository(l *located, dir string, revision git.Hash) bool {
	r, err := git.Open(dir)
	if err != nil {
		return false
	}
	files, err := r.Files(revision)
	if err != nil {
		r.Close()
		f.tried = append(f.tried, dir)
		return false
	}
	f.closers = append(f.closers, r)
	l.key = "git\x00" + revision.String() + "\x00" + dir // Objects are not verified against their hashes.
	l.provenance.Source, l.provenance.Location, l.provenance.Integrity = "repository cache", dir, "not verified: docent used the files on this machine"
	l.fetch = func(context.Context) (fs.FS, error) { return files, nil }
	return true
}

// newestInRepositories chooses a version of a package among the tags and branches
// of the repositories on this machine. It returns nil if no version satisfies the
// requirement.
func (f *finder) newestInRepositories(location string, r swiftpm.Requirement, ref string) *located {
	for _, dir := range f.repositories(location) {
		repository, err := git.Open(dir)
		if err != nil {
			continue
		}
		refs, err := repository.Refs()
		repository.Close()
		if err != nil {
			continue
		}
		chosen, ok := chooseRef(&git.Advertised{Refs: refs}, r, ref)
		if !ok {
			continue
		}
		l := &located{identity: swiftpm.Identity(location), version: chosen.version(), location: webLocation(location)}
		if f.useRepository(l, dir, chosen.commit) {
			return l
		}
	}
	return nil
}
