package rust

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
)

// These constants limit the search for a package in a git checkout.
const (
	maxCheckoutDepth = 6
	maxCheckoutDirs  = 20_000
)

// checkout finds a package of a git repository among cargo's checkouts. source is
// "git+URL?query#commit". It returns false if there is none.
func (f *finder) checkout(source, name, version string) (string, bool) {
	address, commit, _ := strings.Cut(strings.TrimPrefix(source, "git+"), "#")
	u, err := url.Parse(address)
	if err != nil || commit == "" || f.config.Home == "" {
		return "", false
	}
	repository := strings.TrimSuffix(filepath.Base(filepath.FromSlash(strings.TrimSuffix(u.Path, "/"))), ".git")
	parent := filepath.Join(f.config.Home, "git", "checkouts")
	f.seen.Add(parent)
	for _, entry := range project.DirNames(parent) {
		if i := strings.LastIndexByte(entry, '-'); i < 0 || !strings.EqualFold(entry[:i], repository) {
			continue
		}
		for _, short := range project.DirNames(filepath.Join(parent, entry)) {
			if len(short) < 7 || !strings.HasPrefix(commit, short) {
				continue
			}
			if dir, ok := f.packageBelow(filepath.Join(parent, entry, short), name, version); ok {
				return dir, true
			}
		}
	}
	return "", false
}

// packageBelow finds the package with the given name in a directory or below it. It returns false
// if there is none.
func (f *finder) packageBelow(dir, name, version string) (string, bool) {
	level, budget := []string{dir}, maxCheckoutDirs
	for range maxCheckoutDepth {
		var next []string
		for _, d := range level {
			if budget--; budget < 0 {
				return "", false
			}
			if m := f.memberManifest(d); m != nil && m.Name == name && (version == "" || sameVersion(m.Version, version)) {
				return d, true
			}
			for _, entry := range project.DirNames(d) {
				if entry != "target" && entry != ".git" && project.IsDir(filepath.Join(d, entry)) {
					next = append(next, filepath.Join(d, entry))
				}
			}
		}
		level = next
	}
	return "", false
}
