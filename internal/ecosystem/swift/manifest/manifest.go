// Package manifest reads Package.swift as text. It evaluates literals, collections,
// functions, closures, types, loops and conditions, and assumes that the environment is
// empty. It never runs a manifest.
//
//	the file for a compiler, its tools version   tools.go
//	conditions of #if                            condition.go
//	tokens -> syntax tree                        parse.go, statements.go, expressions.go, types.go; the nodes: syntax.go
//	syntax tree -> values                        interpret.go, evaluate.go, builtin.go, value.go
//	the value of the package -> Manifest         build.go
package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// Manifest is the content of a Package.swift.
type Manifest struct {
	// Name is the name of the package, which may differ from its identity.
	Name string
	// Tools is the tools version: the lowest Swift version that can use the package.
	Tools        swiftpm.Version
	Products     []Product
	Targets      []Target
	Dependencies []Dependency
	Traits       []Trait
	// DefaultTraits are the traits that are enabled by default.
	DefaultTraits []string
	// Warnings are sentences about parts that could not be interpreted.
	Warnings []string
}

// Product is a product that a package offers.
type Product struct {
	Name string
	// Kind is "library", "executable" or "plugin".
	Kind    string
	Targets []string
}

// Target is a module of a package or another part that can be built.
type Target struct {
	Name string
	// Kind is "target", "executableTarget", "testTarget", "systemLibrary",
	// "binaryTarget", "plugin" or "macro".
	Kind string
	// Path is relative to the package. It is empty for the default directory.
	Path string
	// Sources are files and directories below Path, or nil for all of them.
	Sources []string
	// Exclude are files and directories below Path that are not compiled, including the resources.
	Exclude       []string
	PublicHeaders string
	Dependencies  []TargetDependency
	// Plugins is true if the target uses plugins, which may create sources.
	Plugins       bool
	Swift, C, CXX []Setting
}

// TargetDependency is a dependency of a target.
type TargetDependency struct {
	Name string
	// Package is the name or identity of the package that contains the product Name. It is
	// empty if only the target or product is named.
	Package   string
	Condition *Condition
}

// Setting is a build setting.
type Setting struct {
	// Kind is the function that creates it, such as "define" or "enableUpcomingFeature".
	Kind        string
	Name, Value string
	Condition   *Condition
}

// Condition limits a dependency or a setting. Empty fields do not limit it.
type Condition struct {
	Platforms     []string // such as "linux" or "macOS"
	Configuration string   // "debug" or "release"
	Traits        []string // traits, at least one of which must be enabled
}

// Dependency is a package that a package depends on.
type Dependency struct {
	// Exactly one of URL, Path and ID is set: the URL of a repository, a directory
	// relative to the package, or the identity in a registry.
	URL, Path, ID string
	// Name is the name that the manifest gives the package. It is usually empty.
	Name        string
	Requirement swiftpm.Requirement
	Traits      []string
}

// Identity returns the identity of the package.
func (d *Dependency) Identity() string {
	switch {
	case d.ID != "":
		return strings.ToLower(d.ID)
	case d.URL != "":
		return swiftpm.Identity(d.URL)
	}
	return swiftpm.Identity(d.Path)
}

// Trait is a trait that a package declares.
type Trait struct {
	Name, Description string
	// Enables are the traits that it enables.
	Enables []string
}

// ErrNoPackage is the error for a manifest that does not create a Package.
var ErrNoPackage = errors.New("it does not create a Package that can be read")

// Parse evaluates a manifest on a host, such as "linux", "macOS" or "windows".
func Parse(text, host string) (*Manifest, error) {
	if len(text) > MaxFile {
		return nil, fmt.Errorf("it is larger than %d bytes", MaxFile)
	}
	m := &Manifest{Tools: ToolsVersion(text)}
	root, problems := parse(text, func(condition string) bool { return holds(condition, host, m.Tools) })
	in := &interpreter{types: map[typ]*declared{}, globals: &scope{}}
	in.problems = problems
	in.run(root)
	if in.pkg == nil {
		return nil, ErrNoPackage
	}
	m.build(in)
	slices.SortStableFunc(in.problems, func(a, b problem) int { return a.line - b.line })
	for _, p := range in.problems {
		m.Warnings = append(m.Warnings, fmt.Sprintf("Package.swift, line %d: %s.", p.line, p.what))
	}
	return m, nil
}

// MaxFile is the maximum size of a manifest, in bytes.
const MaxFile = 2 << 20

// Target returns the target with the given name, or nil if there is none.
func (m *Manifest) Target(name string) *Target {
	for i := range m.Targets {
		if m.Targets[i].Name == name {
			return &m.Targets[i]
		}
	}
	return nil
}

// EnabledTraits returns the traits that are enabled if the given traits are requested,
// including the traits that these enable. If requested is nil, the default traits are requested.
func (m *Manifest) EnabledTraits(requested []string) []string {
	if requested == nil {
		requested = m.DefaultTraits
	}
	var on []string
	for n := slices.Clone(requested); len(n) > 0; {
		name := n[0]
		n = n[1:]
		if slices.Contains(on, name) || len(on) > maxTraits {
			continue
		}
		if name == "default" || name == "defaults" {
			n = append(n, m.DefaultTraits...)
			continue
		}
		on = append(on, name)
		for _, t := range m.Traits {
			if t.Name == name {
				n = append(n, t.Enables...)
			}
		}
	}
	slices.Sort(on)
	return on
}

const maxTraits = 300 // maxTraits is the maximum number of traits of a package.
