// Package rust finds Rust crates and reads their documentation at the version and with the features
// that the project uses. It reads the sources that cargo has on this machine, or else those in the
// registry that cargo's configuration names. It does not run cargo, rustc, or any code of a crate.
//
//	query -> crate, module, version                  question.go
//	project -> locked package, features              package project/cargo; locked.go
//	cargo's configuration -> sources, tokens         package cargoconf; client.go, default.go
//	package -> its directory on this machine         places.go, git.go
//	registry -> versions, .crate                     index.go, download.go
//	std, core, alloc                                 sysroot.go
//	what rustdoc wrote -> what sources do not show   json.go, hosted.go
//	crate and its dependencies -> declarations       importer.go, package crate
//	README, examples -> sections                     find.go
package rust

import (
	"path/filepath"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/program"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// Rust finds and reads Rust crates. It is safe for concurrent use.
type Rust struct {
	options ecosystem.Options
	env     environ.Env
	root    string // "/", the root of system paths
	docs    docsHost

	projects  project.Cache[string, *cargo.Project] // keyed by directory
	manifests project.FileCache[*cargo.Manifest]
	scans     project.FileCache[*crate.Scans]    // keyed by the files that markOf returns
	required  project.FileCache[map[string]bool] // names of the crates that a Cargo.toml requires, in code
	roots     project.FileCache[[]string]        // names that the root of a crate declares with extern crate
	modules   moduleFiles
	clients   ecosystem.Clients

	readings readings
	retained typesCache
	wrapper  program.Wrapper // wrapper of rustc

	resolving sync.Mutex
	resolved  resolved // of the project that was used last

	mu       sync.Mutex
	standard *defaultIndex
}

var _ ecosystem.Language = (*Rust)(nil)

// New returns a Rust. It does not read anything yet.
func New(o ecosystem.Options) *Rust {
	env := o.Resolve(64 << 20)
	rs := &Rust{options: o, env: env, root: "/", docs: publicDocs}
	rs.manifests.Max, rs.scans.Max = maxManifests, maxManifests
	return rs
}

// system returns the path of a file of the operating system.
func (rs *Rust) system(path string) string { return filepath.Join(rs.root, path) }

// HasProject reports whether dir is in a project with a Cargo.toml.
func (rs *Rust) HasProject(dir string) bool {
	dir, err := filepath.Abs(dir)
	return err == nil && project.FindUp(dir, "Cargo.toml") != ""
}

// These constants limit what is cached in memory.
const (
	maxManifests = 20_000
	maxManifest  = 4 << 20 // maximum size in bytes of one Cargo.toml
)

// project returns the project that contains a directory. It is parsed again
// only if its files have changed.
func (rs *Rust) project(dir string) (*cargo.Project, error) {
	return rs.projects.Get(dir, func() (*cargo.Project, error) { return cargo.Find(dir) })
}

// manifest returns the Cargo.toml of a package that is not in a workspace.
func (rs *Rust) manifest(dir string) (*cargo.Manifest, error) {
	return rs.manifests.Read(filepath.Join(dir, "Cargo.toml"), maxManifest, func(data []byte) (*cargo.Manifest, error) {
		return cargo.ParseManifest(data, nil)
	})
}
