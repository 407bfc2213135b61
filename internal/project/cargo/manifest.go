package cargo

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/quote"
)

// Manifest is a Cargo.toml.
type Manifest struct {
	// Name is the name of the package, or "" for a manifest that only defines a workspace.
	Name, Version        string
	Edition, RustVersion string
	Description          string
	Repository, Homepage string
	Documentation        string // URL of the documentation
	License              string // SPDX expression
	Readme               string
	// Resolver is the version of the feature resolver that the package or workspace specifies, or 0
	// if there is none.
	Resolver int
	// Lib is the manifest's information about the library.
	Lib          Lib
	Bins         []string // names of binaries that the manifest lists
	Roots        []string // paths of the root files of programs, tests, examples and benchmarks that the manifest lists
	Build        string   // path of the build script; the file may not exist
	Features     map[string][]string
	Dependencies []Dependency
	// Workspace is set if the manifest belongs to a workspace's root.
	Workspace *Workspace
	// WorkspaceDir is the directory of the workspace's root that the package specifies, relative to
	// its own.
	WorkspaceDir string
	// Patches are the packages of [patch] and [replace] sections.
	Patches []Dependency
}

// Lib is the library of a package.
type Lib struct {
	// Given is true if the manifest has a section for the library.
	Declared  bool
	Name      string // name in code; by default the package's name with underscores
	Path      string // "src/lib.rs"
	ProcMacro bool
}

// Workspace is the section of a workspace's root.
type Workspace struct {
	Members, Exclude []string
	table            table // tables that members inherit
}

// Kind is the kind of a dependency.
type Kind byte

// These are the kinds of dependencies.
const (
	Normal Kind = iota
	Development
	Build
)

// Dependency is one dependency of a Manifest.
type Dependency struct {
	Name     string // name in the manifest and in features
	Package  string // name of the package, which differs from Name if it is renamed
	Kind     Kind
	Target   string // "cfg(unix)" or a target triple; empty for all
	Optional bool
	Default  bool // whether default features are on
	Features []string

	Requirement   string // version requirement, may be empty
	Path          string // relative to the manifest, or to the workspace's root if inherited
	Inherited     bool   // whether it is inherited from the workspace's root
	Git           string
	Registry      string // name of an alternative registry
	RegistryIndex string // URL of its index
}

// ExternName returns the name of the dependency in code, assuming that the
// package's library has the name of the package.
func (d *Dependency) ExternName() string { return strings.ReplaceAll(d.Name, "-", "_") }

// These constants limit the size of a manifest.
const (
	maxFeatures     = 20_000
	maxDependencies = 10_000
	maxRoots        = 1000
)

type table = map[string]any

// ParseManifest parses a Cargo.toml. Settings that a member inherits are taken
// from root, the manifest of its workspace, which may be nil.
func ParseManifest(data []byte, root *Manifest) (*Manifest, error) {
	var doc table
	if err := toml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("it is not valid TOML: %w", quote.Error(err))
	}
	m := &Manifest{Features: map[string][]string{}, Build: "build.rs"}
	var inherited table
	if ws, ok := doc["workspace"].(table); ok {
		m.Workspace = &Workspace{Members: texts(ws["members"]), Exclude: texts(ws["exclude"]), table: ws}
		m.Resolver = resolver(ws["resolver"])
		inherited = ws
	} else if root != nil && root.Workspace != nil {
		inherited = root.Workspace.table
	}
	if pkg := child(doc, "package", "project"); pkg != nil {
		m.readPackage(pkg, child(inherited, "package"))
	}
	m.readTargets(doc)
	if err := m.readFeatures(child(doc, "features")); err != nil {
		return nil, err
	}
	if err := m.readDependencies(doc, "", child(inherited, "dependencies")); err != nil {
		return nil, err
	}
	m.readPatches(doc)
	targets := child(doc, "target")
	for _, target := range slices.Sorted(maps.Keys(targets)) {
		if err := m.readDependencies(child(targets, target), target, child(inherited, "dependencies")); err != nil {
			return nil, err
		}
	}
	if len(m.Dependencies) > maxDependencies {
		return nil, fmt.Errorf("it has more than %d dependencies", maxDependencies)
	}
	m.ImplyFeatures()
	return m, nil
}

// readPackage reads the [package] section.
func (m *Manifest) readPackage(pkg, inherited table) {
	get := func(key string) string {
		if t, ok := pkg[key].(table); ok && t["workspace"] == true {
			return text(inherited[key])
		}
		return text(pkg[key])
	}
	m.Name, m.Version = get("name"), get("version")
	m.Edition, m.RustVersion = get("edition"), get("rust-version")
	m.Description, m.Repository, m.Homepage, m.Readme, m.License = get("description"), get("repository"), get("homepage"), get("readme"), get("license")
	m.Documentation = get("documentation")
	m.WorkspaceDir = text(pkg["workspace"])
	m.Build = path.Clean(strings.ReplaceAll(cmp.Or(text(pkg["build"]), m.Build), `\`, "/"))
	if r := resolver(pkg["resolver"]); r != 0 && m.Resolver == 0 {
		m.Resolver = r
	}
	m.Edition = cmp.Or(m.Edition, "2015")
	m.Version = cmp.Or(m.Version, "0.0.0")
}

func (m *Manifest) readTargets(doc table) {
	lib := child(doc, "lib")
	m.Lib = Lib{
		Declared: lib != nil, Name: text(lib["name"]), Path: text(lib["path"]),
		ProcMacro: lib["proc-macro"] == true || lib["proc_macro"] == true || slices.Contains(texts(either(lib, "crate-type", "crate_type")), "proc-macro"),
	}
	m.Lib.Name = cmp.Or(m.Lib.Name, m.Name)
	m.Lib.Name = strings.ReplaceAll(m.Lib.Name, "-", "_")
	if m.Lib.Path = path.Clean(strings.ReplaceAll(m.Lib.Path, `\`, "/")); m.Lib.Path == "." {
		m.Lib.Path = "src/lib.rs"
	}
	bins, _ := doc["bin"].([]any)
	for _, b := range bins {
		if t, ok := b.(table); ok && text(t["name"]) != "" {
			m.Bins = append(m.Bins, text(t["name"]))
		}
	}
	for _, kind := range []string{"bin", "test", "example", "bench"} {
		targets, _ := doc[kind].([]any)
		for _, target := range targets {
			if t, ok := target.(table); ok && text(t["path"]) != "" && len(m.Roots) < maxRoots {
				m.Roots = append(m.Roots, path.Clean(strings.ReplaceAll(text(t["path"]), `\`, "/")))
			}
		}
	}
}

func (m *Manifest) readFeatures(features table) error {
	if len(features) > maxFeatures {
		return fmt.Errorf("it has more than %d features", maxFeatures)
	}
	for name, list := range features {
		m.Features[name] = texts(list)
	}
	return nil
}

// readDependencies reads the dependencies in the given section, which apply only to the
// given target, or to all targets if it is empty.
func (m *Manifest) readDependencies(section table, target string, inherited table) error {
	for _, s := range []struct {
		kind Kind
		keys []string
	}{{Normal, []string{"dependencies"}}, {Development, []string{"dev-dependencies", "dev_dependencies"}}, {Build, []string{"build-dependencies", "build_dependencies"}}} {
		list := child(section, s.keys...)
		for _, name := range slices.Sorted(maps.Keys(list)) {
			d, err := readDependency(name, list[name], inherited)
			if err != nil {
				return err
			}
			d.Kind, d.Target = s.kind, target
			m.Dependencies = append(m.Dependencies, d)
		}
	}
	return nil
}

// readPatches reads the packages that replace others.
func (m *Manifest) readPatches(doc table) {
	patch := child(doc, "patch")
	sections := []table{child(doc, "replace")}
	for _, source := range slices.Sorted(maps.Keys(patch)) {
		sections = append(sections, child(patch, source))
	}
	for _, section := range sections {
		for _, name := range slices.Sorted(maps.Keys(section)) {
			if d, err := readDependency(name, section[name], nil); err == nil && len(m.Patches) < maxDependencies {
				m.Patches = append(m.Patches, d)
			}
		}
	}
}

func readDependency(name string, value any, inherited table) (Dependency, error) {
	d := Dependency{Name: name, Package: name, Default: true}
	if requirement, ok := value.(string); ok {
		d.Requirement = requirement
		return d, nil
	}
	t, ok := value.(table)
	if !ok {
		return d, fmt.Errorf("its dependency %.100s is neither a version nor a table", name)
	}
	if t["workspace"] == true {
		from, ok := inherited[name]
		if !ok {
			return d, fmt.Errorf("its dependency %.100s is inherited, but the workspace has no dependency of that name", name)
		}
		if base, ok := from.(table); ok && base["workspace"] == true {
			return d, fmt.Errorf("its dependency %.100s is inherited from a workspace, where it is inherited as well", name)
		}
		d, err := readDependency(name, from, nil)
		d.Inherited = true
		d.Features = append(slices.Clone(d.Features), texts(t["features"])...)
		d.Optional = t["optional"] == true
		// A member can enable default features, but not disable them.
		if either(t, "default-features", "default_features") == true {
			d.Default = true
		}
		return d, err
	}
	if p := text(t["package"]); p != "" {
		d.Package = p
	}
	d.Requirement, d.Path, d.Git = text(t["version"]), text(t["path"]), text(t["git"])
	d.Registry, d.RegistryIndex = text(t["registry"]), text(t["registry-index"])
	d.Optional = t["optional"] == true
	d.Default = either(t, "default-features", "default_features") != false
	d.Features = texts(t["features"])
	return d, nil
}

// ImplyFeatures adds a feature for each optional dependency, unless another
// feature refers to it as "dep:".
func (m *Manifest) ImplyFeatures() {
	named := map[string]bool{}
	for _, list := range m.Features {
		for _, f := range list {
			if name, ok := strings.CutPrefix(f, "dep:"); ok {
				named[name] = true
			}
		}
	}
	for _, d := range m.Dependencies {
		if _, ok := m.Features[d.Name]; d.Optional && !ok && !named[d.Name] {
			m.Features[d.Name] = []string{"dep:" + d.Name}
		}
	}
}

// FeatureNames returns the names of the features, sorted.
func (m *Manifest) FeatureNames() []string { return slices.Sorted(maps.Keys(m.Features)) }

func child(t table, keys ...string) table {
	c, _ := either(t, keys...).(table)
	return c
}

// either returns the value of the first key that exists. It returns nil if none exists.
func either(t table, keys ...string) any {
	for _, key := range keys {
		if v, ok := t[key]; ok {
			return v
		}
	}
	return nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

func resolver(v any) int {
	switch text(v) {
	case "1":
		return 1
	case "2":
		return 2
	case "3":
		return 3
	}
	return 0
}

// DependencyNames returns the names in code of the packages that a Cargo.toml requires in
// any of its sections, except the packages that it renames. It does not need the manifest
// of the workspace's root.
func DependencyNames(data []byte) ([]string, error) {
	var doc table
	if err := toml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("it is not valid TOML: %w", quote.Error(err))
	}
	tables := []table{doc}
	targets := child(doc, "target")
	for _, target := range slices.Sorted(maps.Keys(targets)) {
		tables = append(tables, child(targets, target))
	}
	if ws, ok := doc["workspace"].(table); ok {
		tables = append(tables, ws)
	}
	var names []string
	for _, t := range tables {
		for _, section := range []string{"dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"} {
			all := child(t, section)
			for _, name := range slices.Sorted(maps.Keys(all)) {
				d := Dependency{Name: name, Package: name}
				if settings, ok := all[name].(table); ok {
					if p, ok := settings["package"].(string); ok {
						d.Package = p
					}
				}
				if d.Package == d.Name && len(names) < maxDependencies {
					names = append(names, d.ExternName())
				}
			}
		}
	}
	return names, nil
}
