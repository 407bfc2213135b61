// Package cargo reads the dependencies of a Rust project like cargo, from Cargo.toml files,
// workspaces and Cargo.lock. It evaluates version requirements and computes the features that are
// enabled. It does not run programs or use the network.
//
//	versions and requirements   version.go, requirement.go
//	Cargo.toml                  manifest.go
//	Cargo.lock                  lock.go
//	workspaces and members      project.go, members.go
//	features                    features.go
//	cfg(…) of a target          target.go
package cargo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
)

// Project is a package or a workspace with its Cargo.lock.
type Project struct {
	// Root is the directory of the workspace's root, or of the package if it is not in a
	// workspace.
	Root string
	// Member is the package that contains the requested directory, or nil in a workspace's
	// root without a package.
	Member *Member
	// Members are the packages of the workspace, by path.
	Members []*Member
	// Manifest is the manifest of the root.
	Manifest *Manifest
	// Lock is the Cargo.lock, or nil if there is none.
	Lock *Lock
	// Files are the files that were read or looked for.
	Files project.Files
	// Problems are sentences about files that could not be read.
	Problems []string
}

// Member is a package on this machine that is in a workspace or is a path dependency.
type Member struct {
	Dir      string
	Manifest *Manifest
}

// These constants limit the sizes of a project's files, in bytes.
const (
	maxManifest = 4 << 20
	maxLock     = 64 << 20
)

// Files returns the files that choose versions, relative to a directory of the
// project or one above it.
func Files() []string {
	return []string{"Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"}
}

// Find reads the project that contains a directory, which is an absolute path.
// The error is project.ErrNone if there is none.
func Find(dir string) (*Project, error) {
	file := project.FindUp(dir, "Cargo.toml")
	if file == "" {
		return nil, project.ErrNone
	}
	p := &Project{}
	pkg, data, err := p.load(file)
	if err != nil {
		return nil, err
	}
	p.Root, p.Manifest = filepath.Dir(file), pkg
	if pkg.Workspace == nil {
		if root, manifest := p.findRoot(p.Root, pkg); root != "" {
			p.Root, p.Manifest = root, manifest
		}
	}
	if err := p.loadMembers(); err != nil {
		return nil, err
	}
	for _, m := range p.Members {
		if m.Dir == filepath.Dir(file) {
			p.Member = m
		}
	}
	if p.Member == nil && pkg.Name != "" {
		if pkg, err = ParseManifest(data, p.Manifest); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		p.Member = &Member{Dir: filepath.Dir(file), Manifest: pkg}
		p.Members = append(p.Members, p.Member)
	}
	if err := p.loadLock(); err != nil {
		return nil, err
	}
	return p, nil
}

// Current reports whether all files in the project are unchanged since it was read.
func (p *Project) Current() bool { return p.Files.Current() }

// load reads a manifest without inherited settings. It also returns the
// manifest's bytes.
func (p *Project) load(file string) (*Manifest, []byte, error) {
	p.Files.Add(file)
	data, err := project.ReadFile(file, maxManifest)
	if err != nil {
		return nil, nil, err // contains the name of the file
	}
	m, err := ParseManifest(data, nil)
	if err != nil && strings.Contains(string(data), "workspace") {
		// If the manifest inherits dependencies, its head is enough to find the workspace.
		m, err = parseHead(data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", file, err)
	}
	return m, data, nil
}

// findRoot finds the root of the workspace that has the package in dir as a member. It
// returns "" if there is none.
func (p *Project) findRoot(dir string, pkg *Manifest) (string, *Manifest) {
	if pkg.WorkspaceDir != "" {
		root := filepath.Join(dir, filepath.FromSlash(pkg.WorkspaceDir))
		m, _, err := p.load(filepath.Join(root, "Cargo.toml"))
		if err != nil || m.Workspace == nil {
			p.Problems = append(p.Problems, "The workspace that "+filepath.Join(dir, "Cargo.toml")+" names cannot be read.")
			return "", nil
		}
		return root, m
	}
	for _, above := range project.Upwards(dir)[1:] {
		file := filepath.Join(above, "Cargo.toml")
		if !project.IsFile(file) {
			continue
		}
		m, _, err := p.load(file)
		if err != nil || m.Workspace == nil {
			continue
		}
		if m.Workspace.excludes(above, dir) {
			return "", nil
		}
		return above, m
	}
	return "", nil
}

func (p *Project) loadLock() error {
	file := filepath.Join(p.Root, "Cargo.lock")
	p.Files.Add(file)
	data, err := project.ReadFile(file, maxLock)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		p.Lock, err = parseLock(data)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// Resolver returns the version of the feature resolver.
func (p *Project) Resolver() int {
	if p.Manifest.Resolver != 0 {
		return p.Manifest.Resolver
	}
	edition := p.Manifest.Edition
	if p.Manifest.Name == "" {
		return 1
	}
	switch edition {
	case "2015", "2018":
		return 1
	case "2021":
		return 2
	}
	return 3
}

// Name returns the name of the project's package, or else of its directory.
func (p *Project) Name() string {
	if p.Member != nil {
		return p.Member.Manifest.Name
	}
	return filepath.Base(p.Root)
}

// PatchPaths returns the directories that [patch] and [replace] name.
func (p *Project) PatchPaths() []string {
	var dirs []string
	root := &Member{Dir: p.Root}
	for _, d := range p.Manifest.Patches {
		if dir := p.PathOf(root, &d); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
