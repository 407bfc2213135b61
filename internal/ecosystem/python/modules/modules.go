// Package modules follows the modules of a Python distribution from the one
// that users import through imports and re-exports, into other distributions
// where these lead, to the names that a user can import, with their members.
package modules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Source is where the modules of one distribution, or the standard library, lie.
type Source struct {
	// Module is the import name asked for: "requests", "requests.sessions",
	// "google.cloud.storage".
	Module string
	// Root is the directory that top-level modules lie in: site-packages, the
	// root of a wheel, src of an sdist.
	Root fs.FS
	// Dir is Root on disk, empty for an archive.
	Dir string
	// Stubs holds stub-only files laid out as Root is (foo-stubs already mapped
	// to foo), nil if there are none.
	Stubs fs.FS
	// Modules are the top-level modules of the distribution (from RECORD or
	// top_level.txt), nil if unknown.
	Modules []string
	// Python is the version that sys.version_info conditions are decided for:
	// "3.11".
	Python string
	// Platform is "GOOS/GOARCH".
	Platform string
}

// Importer returns the source of a module of another distribution, or
// fs.ErrNotExist if there is none.
type Importer func(module string) (*Source, error)

// Read reads the module that src names. An error that the user can act on is an
// *ecosystem.Error.
func Read(ctx context.Context, src *Source, imp Importer) (*apidoc.Package, error) {
	return read(ctx, src)
}

// Index lists each public module of the distribution as a symbol, with the
// names that it exports as members. Nothing is documented.
func Index(ctx context.Context, src *Source) (*apidoc.Package, error) {
	return read(ctx, src)
}

func read(ctx context.Context, src *Source) (*apidoc.Package, error) {
	base := strings.ReplaceAll(src.Module, ".", "/")
	for _, name := range []string{path.Join(base, "__init__.py"), base + ".py", path.Join(base, "__init__.pyi"), base + ".pyi"} {
		if _, err := fs.Stat(src.Root, name); err == nil {
			return &apidoc.Package{Name: src.Module, Symbols: []apidoc.Symbol{}, Platform: src.Platform}, ctx.Err()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s cannot be read: %w", name, err)
		}
	}
	return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: fmt.Sprintf("there is no module %s", src.Module)}
}
