// Package swiftpm reads the dependencies of a Swift project from Package.resolved of SwiftPM and of
// Xcode, mirrors, the state of a build directory, the packages that an Xcode project names, and
// Podfile.lock. It does not run programs or use the network. Package.swift is read by package
// swift.
//
//	versions and requirements   version.go, requirement.go
//	identities and locations    identity.go
//	Package.resolved            resolved.go
//	workspace-state, mirrors    state.go
//	project.pbxproj             xcode.go
//	Podfile.lock                podfile.go
package swiftpm

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Project is a package, an Xcode project or a project with pods.
type Project struct {
	// Root is the directory with Package.swift, the Xcode project or the Podfile.
	Root string
	// Package is true if Root has a Package.swift.
	Package bool
	// Xcode are the Xcode projects and workspaces in Root, absolute.
	Xcode []string
	// Resolved are the files that pin versions. The one that takes precedence
	// comes first.
	Resolved []Resolved
	// References are the packages that the Xcode projects reference, with absolute paths.
	References []Reference
	// Mirrors maps locations to those that replace them, from MirrorsFile.
	Mirrors     map[string]string
	MirrorsFile string
	// Builds are the directories in which SwiftPM and Xcode store the packages that they have
	// fetched for the project.
	Builds []Build
	// Pods are the pods in Podfile.lock. PodsRoot is the directory of the Podfile.
	Pods     []Pod
	PodsRoot string
	// Files are the files that were read or looked for.
	Files project.Files
	// Problems are sentences about files that could not be read.
	Problems []string
}

// Resolved is a Package.resolved.
type Resolved struct {
	File string // absolute path
	Pins []Pin
}

// Build is a directory that contains checkouts: ".build", or Xcode's SourcePackages.
type Build struct {
	Dir      string
	Packages []Managed // the packages listed in its workspace-state.json
}

// Options specify directories and files outside the project on the user's machine.
type Options struct {
	// Scratch is a build directory that is used instead of ".build", or "".
	Scratch string
	// UserMirrors are files with mirrors that are used if the project has none.
	UserMirrors []string
	// DerivedData is Xcode's directory with that name, or "".
	DerivedData string
}

// Manifests returns the files that make a directory a project, apart from Xcode's
// projects and workspaces.
func Manifests() []string { return []string{"Package.swift", "Podfile.lock", "Podfile"} }

// Files returns the files that choose versions, relative to a directory of the project or
// one above it. The files of Xcode projects have no fixed names.
func Files() []string {
	return []string{
		"Package.swift", "Package.resolved", ".build/workspace-state.json", ".swiftpm/configuration/mirrors.json",
		".swiftpm/configuration/registries.json", "Podfile.lock", ".swiftpm/xcode/package.xcworkspace/xcshareddata/swiftpm/Package.resolved",
		".swift-version",
	}
}

// maxEntries is the maximum number of entries in a directory that are examined.
const maxEntries = 10_000

// isProject reports whether a directory is a project. It also returns the Xcode
// projects and workspaces in it.
func isProject(dir string) (xcode []string, ok bool) {
	for _, name := range Manifests() {
		ok = ok || project.IsFile(filepath.Join(dir, name))
	}
	names, _ := rootfs.Names(dir, maxEntries) // If reading fails, these are the names that could be read.
	// A workspace takes precedence over a project, which may be a part of it.
	for _, ending := range []string{".xcworkspace", ".xcodeproj"} {
		for _, name := range names {
			if strings.HasSuffix(name, ending) {
				xcode = append(xcode, filepath.Join(dir, name))
			}
		}
	}
	return xcode, ok || len(xcode) > 0
}

// Has reports whether the directory dir, an absolute path, is in a project.
func Has(dir string) bool {
	for _, above := range project.Upwards(dir) {
		if _, ok := isProject(above); ok {
			return true
		}
	}
	return false
}

// Find reads the project that contains dir, an absolute path. The error is project.ErrNone if there
// is none.
func Find(ctx context.Context, dir string, o Options) (*Project, error) {
	p := &Project{}
	for _, above := range project.Upwards(dir) {
		xcode, ok := isProject(above)
		if p.Root == "" && !ok {
			p.Files.Add(above)
			continue
		}
		if p.Root == "" {
			p.Root, p.Package = above, project.IsFile(filepath.Join(above, "Package.swift"))
		}
		if ok {
			p.Files.Add(above) // If an Xcode project is created there, the result is no longer current.
			p.load(ctx, above, xcode)
		}
		// The larger project determines the versions of a package that is within it.
		if len(p.Resolved) > 0 || p.PodsRoot != "" || project.IsDir(filepath.Join(above, ".git")) {
			break
		}
	}
	if p.Root == "" {
		return nil, project.ErrNone
	}
	p.loadMirrors(o)
	p.loadBuilds(o)
	return p, nil
}

// Current reports whether all files in the project are unchanged since it was read.
func (p *Project) Current() bool { return p.Files.Current() }

// Name returns the name of the project's directory.
func (p *Project) Name() string { return filepath.Base(p.Root) }

// read reads a file that may be missing. It returns false if the file is missing or cannot be read.
// In the latter case, it adds a problem.
func (p *Project) read(file string) ([]byte, bool) {
	if !p.Files.Has(file) {
		p.Files.Add(file)
	}
	if !project.IsFile(file) {
		return nil, false
	}
	data, err := project.ReadFile(file, maxFile)
	if err != nil {
		p.problem(file, err)
		return nil, false
	}
	return data, true
}

func (p *Project) problem(file string, err error) {
	p.Problems = append(p.Problems, fmt.Sprintf("%s cannot be read: %v.", file, err))
}

// load reads the files that choose versions in a directory.
func (p *Project) load(ctx context.Context, dir string, xcode []string) {
	files := []string{filepath.Join(dir, "Package.resolved"), filepath.Join(dir, ".swiftpm", "xcode", "package.xcworkspace", "xcshareddata", "swiftpm", "Package.resolved")}
	for _, x := range xcode {
		below := "xcshareddata"
		if strings.HasSuffix(x, ".xcodeproj") {
			below = filepath.Join("project.xcworkspace", below)
			if data, ok := p.read(filepath.Join(x, "project.pbxproj")); ok {
				for _, r := range parseXcode(data) {
					if r.Path != "" && !filepath.IsAbs(r.Path) {
						r.Path = filepath.Join(dir, filepath.FromSlash(r.Path))
					}
					p.References = append(p.References, r)
				}
			}
		}
		files = append(files, filepath.Join(x, below, "swiftpm", "Package.resolved"))
	}
	p.Xcode = append(p.Xcode, xcode...)
	for _, file := range files {
		data, ok := p.read(file)
		if !ok {
			continue
		}
		pins, err := parseResolved(data)
		if err != nil {
			p.problem(file, err)
			continue
		}
		p.Resolved = append(p.Resolved, Resolved{file, pins})
	}
	file := filepath.Join(dir, "Podfile.lock")
	if data, ok := p.read(file); ok {
		pods, err := parsePods(ctx, data)
		if err != nil {
			p.problem(file, err)
			return
		}
		p.Pods, p.PodsRoot = pods, dir
	}
}

// loadMirrors reads the mirrors of the project, or else the user's.
func (p *Project) loadMirrors(o Options) {
	files := []string{filepath.Join(p.Root, ".swiftpm", "configuration", "mirrors.json"), filepath.Join(p.Root, ".swiftpm", "config")}
	for _, x := range p.Xcode {
		files = append(files, filepath.Join(x, "xcshareddata", "swiftpm", "configuration", "mirrors.json"))
	}
	for _, file := range append(files, o.UserMirrors...) {
		data, ok := p.read(file)
		if !ok {
			continue
		}
		mirrors, err := parseMirrors(data)
		if err != nil {
			p.problem(file, err)
			continue
		}
		if len(mirrors) > 0 {
			p.Mirrors, p.MirrorsFile = mirrors, file
			return
		}
	}
}

// Effective returns the location that replaces another one, or that location
// itself.
func (p *Project) Effective(location string) string {
	if p == nil {
		return location
	}
	if m, ok := p.Mirrors[location]; ok {
		return m
	}
	return location
}

// maxBuilds is the maximum number of build directories of a project.
const maxBuilds = 16

// loadBuilds finds the directories with the packages that were fetched for the
// project.
func (p *Project) loadBuilds(o Options) {
	dirs := []string{o.Scratch, filepath.Join(p.Root, ".build"), filepath.Join(p.Root, "SourcePackages")}
	dirs = append(dirs, p.derived(o.DerivedData)...)
	for _, dir := range dirs {
		if dir == "" || len(p.Builds) >= maxBuilds {
			continue
		}
		file := filepath.Join(dir, "workspace-state.json")
		data, ok := p.read(file)
		if !ok {
			if project.IsDir(filepath.Join(dir, "checkouts")) {
				p.Builds = append(p.Builds, Build{Dir: dir})
			}
			continue
		}
		packages, err := parseState(data)
		if err != nil {
			p.problem(file, err)
		}
		p.Builds = append(p.Builds, Build{dir, packages})
	}
}

// derived returns the directories in Xcode's DerivedData that belong to the project. Their names
// begin with the name of an Xcode project or of its directory, and they are not recorded as
// belonging to another project.
func (p *Project) derived(parent string) []string {
	if parent == "" {
		return nil
	}
	p.Files.Add(parent)
	names := []string{filepath.Base(p.Root)}
	for _, x := range p.Xcode {
		base := filepath.Base(x)
		names = append(names, strings.TrimSuffix(base, filepath.Ext(base)))
	}
	var dirs []string
	for _, e := range project.DirNames(parent) {
		i := strings.LastIndexByte(e, '-')
		// Xcode writes an underscore for a space.
		if i < 0 || !slices.ContainsFunc(names, func(n string) bool { return strings.ReplaceAll(n, " ", "_") == e[:i] }) {
			continue
		}
		dir := filepath.Join(parent, e)
		if data, ok := p.read(filepath.Join(dir, "info.plist")); ok {
			if where := workspacePath(string(data)); where != "" && !within(where, p.Root) {
				continue
			}
		}
		dirs = append(dirs, filepath.Join(dir, "SourcePackages"))
	}
	return dirs
}

// workspacePath returns the WorkspacePath of the info.plist of a directory in DerivedData, or "" if
// the file is not XML or does not contain one.
func workspacePath(plist string) string {
	_, rest, ok := strings.Cut(plist, "<key>WorkspacePath</key>")
	if !ok {
		return ""
	}
	_, rest, ok = strings.Cut(rest, "<string>")
	path, _, closed := strings.Cut(rest, "</string>")
	if !ok || !closed {
		return ""
	}
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'").Replace(path)
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
