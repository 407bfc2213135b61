package swift

import (
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/docc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// IsSource implements ecosystem.SourceReader.
func (*Swift) IsSource(name string) bool { return path.Ext(name) == ".swift" }

// SnippetName implements ecosystem.SourceReader.
func (*Swift) SnippetName() string { return "snippet.swift" }

// Uses implements ecosystem.SourceReader. It reads imports of modules that belong neither to the file's own
// package nor to a system. It omits imports that a condition may remove.
func (sw *Swift) Uses(f *ecosystem.SourceFile) (uses []ecosystem.Use, faults []ecosystem.SyntaxError) {
	text := string(f.Text)
	imports := source.Parse(f.Name, text).Imports
	if len(imports) == 0 {
		return nil, nil
	}
	own, compiled := sw.manifestAround(f)
	if !compiled {
		return nil, nil
	}
	lines := ecosystem.NewLines(text)
	for i := range imports {
		m := &imports[i]
		if len(m.Conditions) > 0 || module.IsSystem(m.Module) || isTarget(own, m.Module) {
			continue
		}
		uses = append(uses, ecosystem.Use{Position: lines.Position(m.Start), Package: m.Module, Text: m.Module, Import: true})
	}
	return uses, nil
}

// manifestAround returns the manifest of the package that contains a file, or nil if there is none. compiled is
// false if the package has no target that contains the file.
func (sw *Swift) manifestAround(f *ecosystem.SourceFile) (m *manifest.Manifest, compiled bool) {
	for dir := range f.Dirs() {
		m, file, _ := sw.manifestIn(dir, hostPlatform())
		switch {
		case file == "":
			continue
		case m == nil || path.Base(f.Name) == sw.SnippetName():
			return m, true
		}
		full := filepath.Join(f.Dir, filepath.FromSlash(f.Name))
		name, err := filepath.Rel(dir, full)
		return m, err == nil && targetOf(m, rootfs.New(dir), filepath.ToSlash(name)) != nil
	}
	return nil, true
}

// targetOf returns the target of a package that contains a file, or nil if there is none.
func targetOf(m *manifest.Manifest, files fs.FS, name string) *manifest.Target {
	if docc.InCatalogue(name) {
		return nil
	}
	for i := range m.Targets {
		t := &m.Targets[i]
		dir := t.Directory(func(p string) bool { return strings.HasPrefix(name, p+"/") || isDir(files, p) })
		if dir == "" && len(m.Targets) == 1 {
			dir = "Sources"
		}
		within := func(p string) bool {
			p = path.Join(dir, p)
			return p == "." || name == p || strings.HasPrefix(name, p+"/")
		}
		if dir != "" && within(".") && (t.Sources == nil || slices.ContainsFunc(t.Sources, within)) && !slices.ContainsFunc(t.Exclude, within) {
			return t
		}
	}
	return nil
}

// isTarget reports whether a package has a target with the given module name.
func isTarget(m *manifest.Manifest, name string) bool {
	if m == nil {
		return false
	}
	for i := range m.Targets {
		if c99(m.Targets[i].Name) == name {
			return true
		}
	}
	return false
}

// IsOwn implements ecosystem.OwnFinder. A module may be the project's own although no Package.swift declares it: the
// target of an Xcode project, or one that a module map or a framework declares.
func (*Swift) IsOwn(pkg string, paths iter.Seq[string]) bool {
	foreign := false // whether something other than SwiftPM may build the project
	for name := range paths {
		switch base := path.Base(name); {
		case strings.Contains("/"+name, "/"+pkg+".framework/") || strings.Contains(name, ".xcframework/") || base == pkg+".swiftmodule":
			return true
		case name == "Package.swift":
			return false
		case path.Ext(base) == ".modulemap" || base == "project.pbxproj" || base == "BUILD.bazel" || base == "CMakeLists.txt":
			foreign = true
		}
	}
	return foreign
}
