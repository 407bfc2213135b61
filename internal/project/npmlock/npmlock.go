// Package npmlock reads the packages that an npm project uses from
// package.json, workspaces and the lock files of npm, pnpm, yarn and bun.
//
//	directory -> project         project.go, workspace.go
//	package.json                 manifest.go
//	lock file -> what it chose   npm.go, pnpm.go, yarn.go, bun.go
//
// All input may be hostile, so sizes and depths are limited.
package npmlock

import "github.com/docent-mcp/docent/internal/project"

// Dependency is the package that a project uses under one name.
type Dependency struct {
	project.Dependency
	// Resolved is the URL of the tarball, if the lock file contains it.
	Resolved string
	// Integrity is a subresource integrity string, if the lock file contains it.
	Integrity string
	// Deprecated is the registry's notice, if the lock file contains it.
	Deprecated string
	// Foreign is the specifier of a package that does not come from a registry: a git repository,
	// the URL of a tarball or the path of a local tarball. Version is then set only if the lock
	// file contains it.
	Foreign string
	// Note explains why this version was chosen among several.
	Note string
}

// Published returns the name of the package in the registry.
func (d *Dependency) Published() string {
	if d.Alias != "" {
		return d.Alias
	}
	return d.Name
}
