package golang

import (
	"context"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Read reads a located package: for now its name and documentation comment.
func Read(_ context.Context, src *Source, platform string, _ Importer) (*apidoc.Package, error) {
	pkg := &apidoc.Package{
		Ecosystem: apidoc.Go, Name: src.ImportPath, Module: src.Module, Version: src.Version,
		Platform: platform, Provenance: src.Provenance,
	}
	entries, err := fs.ReadDir(src.FS, src.Dir)
	if err != nil {
		return nil, &ecosystem.Error{Reason: ecosystem.Unreadable, What: "cannot list the files of " + src.ImportPath, Err: err}
	}
	for _, e := range entries {
		if !isGoFile(e) {
			continue
		}
		data, err := fs.ReadFile(src.FS, path.Join(src.Dir, e.Name()))
		if err != nil {
			return nil, &ecosystem.Error{Reason: ecosystem.Unreadable, What: "cannot read " + e.Name(), Err: err}
		}
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), data, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			continue
		}
		pkg.LocalName, pkg.Command = f.Name.Name, f.Name.Name == "main"
		if doc := f.Doc.Text(); strings.TrimSpace(doc) != "" {
			pkg.Doc = doc
			break
		}
	}
	return pkg, nil
}
