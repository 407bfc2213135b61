// Package swift finds Swift packages and reads their documentation at the version that the project
// uses. It reads the files that SwiftPM, Xcode and CocoaPods have stored on this machine. Other
// packages are downloaded from the registry in SwiftPM's configuration or from the host of the git
// repository. It does not run SwiftPM, git, a compiler or the code of a package.
//
//	query -> package, module, version                   question.go
//	project -> candidates for a name                    package project/swiftpm; candidates.go, match.go
//	package -> its files on this machine                places.go, repositories.go, pods.go
//	git host -> versions, archive of a revision         hosts.go, release.go, download.go
//	registry -> versions, archive, checksums            registry.go, registryconf.go
//	Package.swift -> modules and their files            package manifest; targets.go
//	modules -> documentation                            package module; find.go
//	standard library and SDKs                           toolchain.go
package swift

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Swift finds and reads Swift packages. It is safe for concurrent use.
type Swift struct {
	options ecosystem.Options
	env     environ.Env
	root    string // "/", the root of system paths
	client  *fetch.Client

	checked atomic.Pointer[typeChecker] // of the last check of types
	now     func() time.Time

	projects  project.Cache[string, *swiftpm.Project]   // keyed by directory
	manifests project.Cache[[2]string, *cachedManifest] // keyed by directory and platform
}

// cachedManifest is the parsed manifest in a directory.
type cachedManifest struct {
	project.Files

	file     string
	manifest *manifest.Manifest
	err      error
}

var (
	_ ecosystem.Language = (*Swift)(nil)
	_ ecosystem.Lister   = (*Swift)(nil)
)

// New returns a Swift. It does not read anything yet.
func New(o ecosystem.Options) *Swift {
	env := o.Resolve(256 << 20)
	client := o.Fetch(env)
	client.Proxy = fetch.Proxies{Env: env}.For
	sw := &Swift{options: o, env: env, root: "/", client: fetch.New(client), now: time.Now}
	sw.manifests.Max = maxManifests
	return sw
}

// HasProject reports whether dir is inside a project with a Package.swift, an Xcode project or a
// Podfile.
func (sw *Swift) HasProject(dir string) bool {
	dir, err := filepath.Abs(dir)
	return err == nil && swiftpm.Has(dir)
}

// maxManifests is the maximum number of manifests that are cached in memory.
const maxManifests = 2000

// project returns the project that contains a directory. It is parsed again
// only if its files have changed.
func (sw *Swift) project(ctx context.Context, dir string) (*swiftpm.Project, error) {
	return sw.projects.Get(dir, func() (*swiftpm.Project, error) {
		return swiftpm.Find(ctx, dir, swiftpm.Options{
			Scratch: sw.env.Get("SWIFTPM_BUILD_DIR"), UserMirrors: sw.userMirrors(), DerivedData: environ.Below(sw.env.Home(), "Library", "Developer", "Xcode", "DerivedData"),
		})
	})
}

// configurations returns the directories with SwiftPM's settings for the user.
func (sw *Swift) configurations() []string {
	home := sw.env.Home()
	dirs := []string{environ.Below(home, ".swiftpm", "configuration"), environ.Below(home, "Library", "org.swift.swiftpm", "configuration")}
	if dir := sw.env.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		dirs = append([]string{filepath.Join(dir, "swiftpm", "configuration")}, dirs...)
	}
	if home == "" {
		return nil
	}
	return dirs
}

func (sw *Swift) userMirrors() []string {
	var files []string
	if file := sw.env.Get("SWIFTPM_MIRROR_CONFIG"); filepath.IsAbs(file) {
		files = append(files, file)
	}
	for _, dir := range sw.configurations() {
		files = append(files, filepath.Join(dir, "mirrors.json"))
	}
	return files
}

// caches returns the directories in which SwiftPM keeps the packages that it
// has fetched for all projects.
func (sw *Swift) caches() []string {
	home := sw.env.Home()
	var dirs []string
	if dir := sw.env.Get("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		dirs = append(dirs, filepath.Join(dir, "org.swift.swiftpm"))
	}
	if home == "" {
		return dirs
	}
	dirs = append(dirs, filepath.Join(home, "Library", "Caches", "org.swift.swiftpm"), filepath.Join(home, ".cache", "org.swift.swiftpm"), filepath.Join(home, ".swiftpm", "cache"))
	if dir := sw.env.Get("LOCALAPPDATA"); filepath.IsAbs(dir) {
		dirs = append(dirs, filepath.Join(dir, "org.swift.swiftpm"))
	}
	return dirs
}

// manifestIn returns the manifest in a directory. It is parsed again only if its files have
// changed.
func (sw *Swift) manifestIn(dir, host string) (*manifest.Manifest, string, error) {
	c, _ := sw.manifests.Get([2]string{dir, host}, func() (*cachedManifest, error) {
		c := &cachedManifest{}
		c.Add(dir)
		c.file, c.manifest, c.err = readManifest(rootfs.New(dir), host)
		c.Add(filepath.Join(dir, cmp.Or(c.file, "Package.swift")))
		return c, nil
	})
	return c.manifest, c.file, c.err
}

// hostPlatform returns Swift's name for the platform of this machine.
func hostPlatform() string { return platformNames[runtime.GOOS] }
