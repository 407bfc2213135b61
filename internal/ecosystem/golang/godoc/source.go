package godoc

import (
	"io"
	"io/fs"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Source contains the located files of a package.
type Source struct {
	// ImportPath is the path in import declarations.
	ImportPath string
	// Module is the module's path, or "std" for the standard library.
	Module string
	// Version is the module's version. It is of the form "go1.26.8" for the
	// standard library, and empty for a package of the user's own workspace.
	Version string
	// FS is the root of the module, or GOROOT/src for the standard library.
	FS fs.FS
	// Dir is the package's directory in FS, or "." for the root.
	Dir string
	// Own is true for a package of the user's own workspace, whose internal
	// packages may be shown.
	Own        bool
	Provenance apidoc.Provenance
	// Warnings are sentences to show with the documentation, such as that the
	// version is retracted.
	Warnings []string

	// Closer is the zip file underlying FS, or nil if FS is a directory.
	Closer io.Closer
}

// Close closes the file underlying a Source, if there is one.
func (s *Source) Close() error {
	if s == nil || s.Closer == nil {
		return nil
	}
	return s.Closer.Close()
}

// An Importer opens an imported package, so that symbols promoted from embedded
// types can be shown. It uses only files on this machine.
type Importer func(importPath string) (*Source, error)
