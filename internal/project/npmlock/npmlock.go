// Package npmlock reads what an npm project says about the packages that it
// uses: package.json, workspaces and the lock files of npm, pnpm, yarn and bun.
//
//	directory -> project         project.go, workspace.go
//	package.json                 manifest.go
//	lock file -> what it chose   npm.go, pnpm.go, yarn.go, bun.go
//
// Everything it reads may be hostile; sizes and depths are bounded.
package npmlock

import "github.com/docent-mcp/docent/internal/project"

// Dependency is what a project uses for one name.
type Dependency struct {
	project.Dependency
	// Resolved is the URL of the tarball, where the lock file has it.
	Resolved string
	// Integrity is a subresource integrity string, where the lock file has it.
	Integrity string
	// Foreign is set for what comes from no registry (git, a tarball's URL, a
	// tarball on this machine): the specifier. It has a Version if the lock
	// file tells.
	Foreign string
	// Note says how one of several was chosen.
	Note string
}

// Published is the name under which a registry knows the package.
func (d *Dependency) Published() string {
	if d.Alias != "" {
		return d.Alias
	}
	return d.Name
}
