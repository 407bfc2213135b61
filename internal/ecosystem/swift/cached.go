package swift

import (
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// maxSearched is the maximum number of repositories whose manifests are read to find a module.
const maxSearched = 60

// cachedRepositories returns the directories of the repositories that SwiftPM
// has fetched for all projects, by the URL of their origin.
func (f *finder) cachedRepositories() (dirs []string) {
	for _, cache := range f.sw.caches() {
		parent := filepath.Join(cache, "repositories")
		f.seen.Add(parent)
		for _, entry := range project.DirNames(parent) {
			if len(dirs) < maxRepositories && strings.Contains(entry, "-") {
				dirs = append(dirs, filepath.Join(parent, entry))
			}
		}
	}
	return dirs
}

// cachedLocation returns the URL of the repository that SwiftPM has fetched for the package with an
// identity, or "" if there is none.
func (f *finder) cachedLocation(identity string) string {
	for _, dir := range f.cachedRepositories() {
		base := filepath.Base(dir)
		if !strings.EqualFold(base[:strings.LastIndexByte(base, '-')], identity) {
			continue
		}
		if origin := originOf(dir); strings.EqualFold(swiftpm.Identity(origin), identity) {
			return origin
		}
	}
	return ""
}

// hasRepository reports whether SwiftPM has fetched the repository owner/name.
func (f *finder) hasRepository(owner, name string) bool {
	for _, dir := range f.cachedRepositories() {
		if strings.HasSuffix(swiftpm.Canonical(originOf(dir)), "/"+strings.ToLower(owner+"/"+name)) {
			return true
		}
	}
	return false
}

// cachedPackage returns the URL of the package that a name refers to, among the repositories that
// SwiftPM has fetched. It compares the name with identities, and then with the products and modules
// of each package's newest release. The URL is empty if no package matches.
func (f *finder) cachedPackage(name string) (location, module string) {
	if location := f.cachedLocation(name); location != "" {
		return location, ""
	}
	for n, dir := range f.cachedRepositories() {
		origin := originOf(dir)
		if n >= maxSearched || origin == "" {
			continue
		}
		if m := f.newestManifest(dir); offers(m, name, true) {
			return origin, name
		}
	}
	return "", ""
}

// newestManifest returns the manifest of the newest release in a repository, or
// nil if there is none.
func (f *finder) newestManifest(dir string) *manifest.Manifest {
	r, err := git.Open(dir)
	if err != nil {
		return nil
	}
	defer r.Close()
	refs, err := r.Refs()
	if err != nil {
		return nil
	}
	chosen, ok := chooseRef(&git.Advertised{Refs: refs}, swiftpm.Requirement{}, "")
	if !ok {
		return nil
	}
	files, err := r.Files(chosen.commit)
	if err != nil {
		return nil
	}
	_, m, err := readManifest(files, f.ask.manifestHost())
	if err != nil {
		return nil
	}
	return m
}
