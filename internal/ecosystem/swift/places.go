package swift

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// checkout returns the directory in which SwiftPM or Xcode has checked out a pinned
// package at the pinned revision, and the kind of that directory. Both are empty if
// there is none.
func (f *finder) checkout(c *candidate) (dir, source string) {
	if f.project == nil {
		return "", ""
	}
	for i := range f.project.Builds {
		b := &f.project.Builds[i]
		below, kind := "checkouts", "checkout"
		if c.Kind == swiftpm.Registry {
			below, kind = filepath.Join("registry", "downloads"), "registry download"
		}
		for j := range b.Packages {
			m := &b.Packages[j]
			if !strings.EqualFold(m.Identity, c.Identity) || !sameState(&m.Pin, &c.Pin) {
				continue
			}
			if path, ok := inside(filepath.Join(b.Dir, below), m.Subpath); ok && isPackage(rootfs.New(path)) {
				f.seen.Add(path)
				return path, kind
			}
		}
		if len(b.Packages) == 0 && c.Kind != swiftpm.Registry {
			path := filepath.Join(b.Dir, below, swiftpm.LastElement(c.Location))
			f.seen.Add(path)
			if isPackage(rootfs.New(path)) && (headIs(path, c.Revision) || isCopied(path)) {
				return path, kind
			}
		}
	}
	if c.Kind == swiftpm.Registry {
		return f.registryDownload(c)
	}
	return "", ""
}

// sameState reports whether the revision that was fetched is the pinned one.
func sameState(has, wants *swiftpm.Pin) bool {
	if has.Revision != "" && wants.Revision != "" {
		return strings.EqualFold(has.Revision, wants.Revision)
	}
	return has.Version != "" && has.Version == wants.Version
}

// inside joins a directory and a relative path. ok is false if the path leads out of
// the directory.
func inside(dir, below string) (path string, ok bool) {
	below = filepath.FromSlash(below)
	if below == "" || !filepath.IsLocal(below) {
		return "", false
	}
	path = filepath.Join(dir, below)
	return path, project.IsDir(path)
}

// headIs reports whether a commit is checked out in a directory.
func headIs(dir, revision string) bool {
	data, err := project.ReadFile(filepath.Join(dir, ".git", "HEAD"), maxSetting)
	if err != nil || revision == "" {
		return false
	}
	if head := strings.TrimSpace(string(data)); strings.EqualFold(head, revision) {
		return true
	}
	r, err := git.Open(dir)
	if err != nil {
		return false
	}
	defer r.Close()
	h, err := r.Head()
	return err == nil && strings.EqualFold(h.String(), revision)
}

// tagOf returns the newest version among the tags of the commit that is checked out in
// a directory. It returns "" if there is no such tag or the directory is not the root
// of a repository.
func (f *finder) tagOf(dir string) string {
	data, err := project.ReadFile(filepath.Join(dir, ".git", "HEAD"), maxSetting)
	if err != nil {
		return ""
	}
	r, err := git.Open(dir)
	if err != nil {
		return ""
	}
	defer r.Close()
	head, err := r.Head()
	if err != nil {
		return ""
	}
	refs, err := r.Refs()
	if err != nil {
		return ""
	}
	deciding := []string{"HEAD", "packed-refs", "refs/tags"}
	if branch, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: "); ok && filepath.IsLocal(branch) {
		deciding = append(deciding, branch)
	}
	for _, name := range deciding {
		f.seen.Add(filepath.Join(dir, ".git", filepath.FromSlash(name)))
	}
	tag := ""
	var newest swiftpm.Version
	for _, ref := range refs {
		name, ok := strings.CutPrefix(ref.Name, "refs/tags/")
		v, err := swiftpm.ParseTag(name)
		if ok && err == nil && ref.Commit == head && (tag == "" || v.Compare(newest) > 0) {
			tag, newest = v.String(), v
		}
	}
	return tag
}

// isCopied reports whether a checkout has no repository, as in a container image or a
// build archive. The commit of such a checkout cannot be verified, so it is assumed to
// be the pinned one.
func isCopied(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return errors.Is(err, fs.ErrNotExist)
}

// registryDownload finds a version of a package from a registry in SwiftPM's cache for
// all projects. Both results are empty if it is not there.
func (f *finder) registryDownload(c *candidate) (dir, source string) {
	scope, name, ok := swiftpm.RegistryID(c.Identity)
	if !ok || !filepath.IsLocal(c.Version) {
		return "", ""
	}
	for _, cache := range f.sw.caches() {
		for _, below := range [][2]string{{scope, name}, {strings.ToLower(scope), strings.ToLower(name)}} {
			path := filepath.Join(cache, "registry", "downloads", below[0], below[1], c.Version)
			if isPackage(rootfs.New(path)) {
				f.seen.Add(path)
				return path, "registry download"
			}
		}
	}
	return "", ""
}
