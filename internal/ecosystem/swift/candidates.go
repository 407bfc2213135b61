package swift

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// candidate is a package that a project uses or requires.
type candidate struct {
	swiftpm.Pin
	// location is the URL or path after mirrors have been applied.
	location string
	// dir is the directory of one of the user's packages, or of a package that
	// is specified by its path.
	dir       string
	inProject bool
	// pinned is true if the version is fixed. Otherwise, requirement specifies which versions are
	// allowed.
	pinned      bool
	requirement swiftpm.Requirement
	// unpinned is the directory of a checkout of a package that is not pinned.
	unpinned string
	// by names what determined the version.
	by     string
	direct bool // whether the project itself requires it
	traits []string
	pod    *swiftpm.Pod
}

// maxPaths is the maximum number of packages that are found by following paths in manifests.
const maxPaths = 500

// list returns the packages of the project: its own packages, packages that
// files pin, and packages that are required but not pinned.
func (f *finder) list() []*candidate {
	all := f.identified()
	for _, c := range f.checkouts {
		if m := f.manifestOf(c); m != nil && c.Name == "" {
			c.Name = m.Name
		}
	}
	f.checkouts = nil
	return all
}

// identified returns the packages of the project. The names of those that are checked out may be missing, because they
// are in their manifests.
func (f *finder) identified() []*candidate {
	if f.listed || f.project == nil {
		return f.candidates
	}
	f.listed = true
	p := f.project
	byIdentity := map[string]*candidate{}
	add := func(c *candidate) *candidate {
		key := strings.ToLower(c.Identity)
		if known := byIdentity[key]; known != nil {
			return known
		}
		byIdentity[key] = c
		f.candidates = append(f.candidates, c)
		return c
	}
	if p.Package {
		c := &candidate{dir: p.Root, inProject: true, direct: true, pinned: true, by: "the project itself"}
		c.Identity = swiftpm.Identity(p.Root)
		if f.manifest != nil {
			c.Name = f.manifest.Name
		}
		add(c)
	}
	requests, paths := f.requirements()
	for _, c := range paths {
		add(c)
	}
	f.addEdited(add)
	for i := range p.Resolved {
		by := f.relative(p.Resolved[i].File) + " of " + p.Name()
		for _, pin := range p.Resolved[i].Pins {
			add(&candidate{Pin: pin, location: p.Effective(pin.Location), pinned: true, by: by})
		}
	}
	for _, b := range p.Builds {
		for _, m := range b.Packages {
			if m.Chosen() == "" || m.Dir != "" {
				continue
			}
			add(&candidate{Pin: m.Pin, location: p.Effective(m.Location), pinned: true, by: "workspace-state.json of " + p.Name()})
		}
	}
	for _, a := range requests {
		c := add(a)
		c.direct = true
		if c.traits == nil {
			c.traits = a.traits
		}
		c.Name = cmp.Or(c.Name, a.Name)
	}
	f.addCheckouts(byIdentity, add)
	for i := range p.Pods {
		pod := &p.Pods[i]
		c := &candidate{pod: pod, pinned: true, direct: pod.Direct, by: "Podfile.lock of " + filepath.Base(p.PodsRoot)}
		c.Identity, c.Name, c.Version, c.Location, c.Revision = strings.ToLower(pod.Name), pod.Name, pod.Version, pod.Git, pod.Commit
		c.location = pod.Git
		add(c)
	}
	return f.candidates
}

// addCheckouts adds the packages that are checked out although they are not pinned.
func (f *finder) addCheckouts(byIdentity map[string]*candidate, add func(*candidate) *candidate) {
	for _, b := range f.project.Builds {
		for _, name := range project.DirNames(filepath.Join(b.Dir, "checkouts")) {
			dir, identity := filepath.Join(b.Dir, "checkouts", name), swiftpm.Identity(name)
			c := byIdentity[strings.ToLower(identity)]
			if c == nil || !c.pinned {
				if !isPackage(rootfs.New(dir)) {
					continue
				}
				c = &candidate{}
				c.Identity, c.Kind = identity, swiftpm.Remote
				if c = add(c); c.unpinned == "" {
					c.unpinned = dir
				}
			}
			f.checkouts = append(f.checkouts, c)
		}
	}
}

// relative returns a path relative to the project's root, or unchanged if the
// file is not below the root.
func (f *finder) relative(file string) string {
	if rel, err := filepath.Rel(f.project.Root, file); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return file
}

// addEdited adds the packages that are at a path or in edit mode according to
// SwiftPM's workspace-state.json.
func (f *finder) addEdited(add func(*candidate) *candidate) {
	for _, b := range f.project.Builds {
		for _, m := range b.Packages {
			dir := m.Dir
			if m.Edited && dir == "" {
				dir = filepath.Join(f.project.Root, "Packages", m.Name)
			}
			if dir == "" || !project.IsDir(dir) {
				continue
			}
			c := &candidate{Pin: m.Pin, dir: dir, inProject: true, pinned: true, by: "a path in the project"}
			if m.Edited {
				c.by = "edited by the project"
			}
			add(c)
		}
	}
}

// requirements returns the dependencies in the project's own manifests and Xcode
// projects: packages with a requirement, and packages in directories.
func (f *finder) requirements() (packages, paths []*candidate) {
	from := func(m *manifest.Manifest, dir string) []*candidate {
		var below []*candidate
		for i := range m.Dependencies {
			d := &m.Dependencies[i]
			if d.Path != "" {
				path := filepath.FromSlash(d.Path)
				if !filepath.IsAbs(path) {
					path = filepath.Join(dir, path)
				}
				below = append(below, pathCandidate(path, d.Traits))
				continue
			}
			c := &candidate{location: f.project.Effective(d.URL), requirement: d.Requirement, traits: d.Traits, by: "Package.swift of " + filepath.Base(dir)}
			c.Identity, c.Name, c.Kind, c.Location = d.Identity(), d.Name, swiftpm.Remote, d.URL
			if d.ID != "" {
				c.Kind = swiftpm.Registry
			}
			packages = append(packages, c)
		}
		return below
	}
	var queue []*candidate
	if f.manifest != nil {
		queue = from(f.manifest, f.project.Root)
	}
	for _, r := range f.project.References {
		if r.Path != "" {
			queue = append(queue, pathCandidate(r.Path, nil))
			continue
		}
		c := &candidate{location: f.project.Effective(r.URL), requirement: r.Requirement, by: "the Xcode project of " + f.project.Name()}
		c.Identity, c.Kind, c.Location = swiftpm.Identity(r.URL), swiftpm.Remote, r.URL
		packages = append(packages, c)
	}
	seen := map[string]bool{f.project.Root: true}
	for n := 0; n < len(queue) && n < maxPaths; n++ {
		c := queue[n]
		if seen[c.dir] {
			continue
		}
		seen[c.dir] = true
		if m := f.manifestAt(c.dir); m != nil {
			c.Name = m.Name
			paths = append(paths, c)
			queue = append(queue, from(m, c.dir)...)
		}
	}
	return packages, paths
}

// pathCandidate returns the package in a directory that the project specifies.
func pathCandidate(dir string, traits []string) *candidate {
	dir = filepath.Clean(dir)
	c := &candidate{dir: dir, inProject: true, direct: true, pinned: true, traits: traits, by: "a path in the project"}
	c.Identity = swiftpm.Identity(dir)
	return c
}

// manifestAt returns the manifest in a directory, or nil if there is none or it
// cannot be read.
func (f *finder) manifestAt(dir string) *manifest.Manifest {
	if dir == "" || !project.IsDir(dir) {
		return nil
	}
	m, file, err := f.sw.manifestIn(dir, f.ask.manifestHost())
	if file != "" {
		f.seen.Add(filepath.Join(dir, file))
	}
	if err != nil {
		return nil
	}
	return m
}

// known reports whether the project uses a package.
func (f *finder) known(identity string) bool {
	return slices.ContainsFunc(f.identified(), func(c *candidate) bool { return strings.EqualFold(c.Identity, identity) })
}
