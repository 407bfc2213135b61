package cargo

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// These constants limit the search for members of a workspace.
const (
	maxMembers = 5000
	maxGlobbed = 100_000 // maximum number of directories that patterns of members may match
)

// parseHead parses the parts of a Cargo.toml that locate its workspace.
func parseHead(data []byte) (*Manifest, error) {
	var doc table
	if err := toml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	m := &Manifest{Features: map[string][]string{}}
	if pkg := child(doc, "package", "project"); pkg != nil {
		m.readPackage(pkg, nil)
	}
	m.readTargets(doc)
	return m, nil
}

// excludes reports whether the workspace in root excludes the package in dir.
func (w *Workspace) excludes(root, dir string) bool {
	for _, e := range w.Exclude {
		if within(filepath.Join(root, filepath.FromSlash(e)), dir) {
			// A directory that is listed as a member is never excluded, nor are the directories
			// below it.
			return !slices.ContainsFunc(w.Members, func(m string) bool {
				return within(filepath.Join(root, filepath.FromSlash(m)), dir)
			})
		}
	}
	return false
}

// within reports whether dir is parent or below it.
func within(parent, dir string) bool {
	rel, err := filepath.Rel(parent, dir)
	return err == nil && filepath.IsLocal(rel)
}

// loadMembers reads the manifests of the workspace's members: the root's own package, the
// packages that the root lists, and their path dependencies that are below the root or
// name it as their workspace.
func (p *Project) loadMembers() error {
	seen := map[string]bool{}
	add := func(dir string) error {
		if seen[dir] || len(seen) >= maxMembers {
			return nil
		}
		seen[dir] = true
		file := filepath.Join(dir, "Cargo.toml")
		if !project.IsFile(file) {
			return nil
		}
		p.Files.Add(file)
		data, err := project.ReadFile(file, maxManifest)
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		m, err := ParseManifest(data, p.Manifest)
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		if m.Name != "" {
			p.Members = append(p.Members, &Member{Dir: dir, Manifest: m})
		}
		return nil
	}
	if err := add(p.Root); err != nil {
		return err
	}
	if p.Manifest.Workspace == nil {
		return nil
	}
	for _, pattern := range p.Manifest.Workspace.Members {
		for _, dir := range glob(p.Root, pattern) {
			if !p.Manifest.Workspace.excludes(p.Root, dir) {
				if err := add(dir); err != nil {
					p.Problems = append(p.Problems, "A member of the workspace is skipped: "+err.Error()+".")
				}
			}
		}
	}
	for done := 0; done < len(p.Members); done++ { //nolint:intrange // the loop makes the list longer
		m := p.Members[done]
		for _, d := range m.Manifest.Dependencies {
			if dir := p.PathOf(m, &d); dir != "" && (within(p.Root, dir) || p.namesRoot(dir)) && !p.Manifest.Workspace.excludes(p.Root, dir) {
				if err := add(dir); err != nil {
					p.Problems = append(p.Problems, "A path dependency is skipped: "+err.Error()+".")
				}
			}
		}
	}
	slices.SortFunc(p.Members, func(a, b *Member) int { return strings.Compare(a.Dir, b.Dir) })
	return nil
}

// namesRoot reports whether the package in dir specifies the root as its workspace.
func (p *Project) namesRoot(dir string) bool {
	data, err := project.ReadFile(filepath.Join(dir, "Cargo.toml"), maxManifest)
	if err != nil {
		return false
	}
	m, err := parseHead(data)
	return err == nil && m.WorkspaceDir != "" && filepath.Join(dir, filepath.FromSlash(m.WorkspaceDir)) == p.Root
}

// PathOf returns the directory of a path dependency of a member. It returns ""
// for other dependencies.
func (p *Project) PathOf(m *Member, d *Dependency) string {
	if d.Path == "" {
		return ""
	}
	dir := filepath.FromSlash(d.Path)
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if d.Inherited {
		return filepath.Join(p.Root, dir)
	}
	return filepath.Join(m.Dir, dir)
}

// glob returns the directories that a pattern of members matches.
func glob(root, pattern string) []string {
	pattern = filepath.Clean(filepath.FromSlash(pattern))
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{filepath.Join(root, pattern)}
	}
	dirs, budget := []string{root}, maxGlobbed
	for part := range strings.SplitSeq(pattern, string(filepath.Separator)) {
		var next []string
		for _, dir := range dirs {
			switch {
			case part == "**":
				next = append(next, below(dir, &budget)...)
			case !strings.ContainsAny(part, "*?["):
				next = append(next, filepath.Join(dir, part))
			default:
				for _, e := range directories(dir, &budget) {
					if ok, err := filepath.Match(part, e); ok && err == nil {
						next = append(next, filepath.Join(dir, e))
					}
				}
			}
		}
		dirs = next
	}
	return dirs
}

// directories lists the directories in dir, including links to directories.
func directories(dir string, budget *int) []string {
	entries, err := rootfs.New(dir).ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if *budget--; *budget < 0 {
			return names
		}
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 && project.IsDir(filepath.Join(dir, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names
}

// below returns dir and all directories below it.
func below(dir string, budget *int) []string {
	all := []string{dir}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || path == dir {
			return nil //nolint:nilerr // a directory that cannot be read has no members
		}
		if *budget--; *budget < 0 {
			return fs.SkipAll
		}
		all = append(all, path)
		return nil
	})
	return all
}
