// Package ecosystem is the contract between the languages and the floors above:
// a Language finds packages, reads them into apidoc.Package, and says of itself
// what tools, commands, help and completion need. Each language is a package
// below this one. Nothing above asks which language it has.
package ecosystem

import (
	"context"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/footprint"
)

// Query asks for one package.
type Query struct {
	// Package is the name as users import it.
	Package string
	// Version is what the user asked for, in the words of the language's own
	// tool ("v1.8.0", "latest", "^4.1"); empty lets the project choose, and
	// without a project the newest release.
	Version string
	// ProjectDir is a directory of the user's project, or empty.
	ProjectDir string
	// Index asks for an index of the package instead: a symbol for each of its entry
	// points, with the names that it exports as members. Only a language whose
	// Info.Indexes is true understands it.
	Index bool
	// Platform is "GOOS/GOARCH" or what else a language chooses files by;
	// empty is the user's own.
	Platform string
}

// Found is a package that was located, yet to be read. What is read is of the
// package and can be kept; what chose it is of the question. It is used by one
// goroutine.
type Found struct {
	// Key tells, besides what Footprint notes, all that the documentation
	// depends on: two with the same key and the same files read the same. It is
	// empty for what is not to be kept beyond this process, as are packages of
	// the user's own project.
	Key string
	// Read reads the documentation. An error that the user can act on is a
	// *Error.
	Read func(ctx context.Context) (*apidoc.Package, error)
	// Footprint holds after Read what it looked at. Nil says that it looked at
	// nothing that could change.
	Footprint *footprint.Footprint
	// Finish puts onto the documentation, read now or kept from before, what is
	// of the question: its provenance, warnings about the version. It changes
	// fields of the package, nothing behind them. It may be nil.
	Finish func(*apidoc.Package)
	// Close gives back what finding and reading opened. It may be nil.
	Close func()
}

// Describe finds a package of a language and reads it.
func Describe(ctx context.Context, l Language, q Query) (*apidoc.Package, error) {
	found, err := l.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	return found.Describe(ctx, l.Info(), found.Read)
}

// Describe gets the documentation from read, adds what the language and the
// query say of it, and closes what was found.
func (f *Found) Describe(ctx context.Context, l *Info, read func(context.Context) (*apidoc.Package, error)) (*apidoc.Package, error) {
	if f.Close != nil {
		defer f.Close()
	}
	p, err := read(ctx)
	if err != nil {
		return nil, err
	}
	p.Ecosystem, p.Style = l.ID, l.Style
	if f.Finish != nil {
		f.Finish(p)
	}
	return p, nil
}
