package golang

import (
	"path/filepath"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
)

// vendored opens the copy of a package in the project's vendor directory. It
// returns nil if the project does not build from a vendor directory or the
// directory does not contain the package.
func (f *finder) vendored() *godoc.Source {
	dir := f.project.VendorDir()
	if dir == "" {
		return nil
	}
	v, ok := f.project.Vendored(f.ask.path)
	if !ok {
		f.tried = append(f.tried, "vendor")
		return nil
	}
	// A link in the vendor directory must not lead out of the module.
	files, err := openBelow(filepath.Dir(dir), v.Dir)
	if err != nil {
		return nil
	}
	rel := relativeTo(v.Path, f.ask.path)
	src := &godoc.Source{
		ImportPath: f.ask.path,
		Module:     v.Path,
		Version:    v.Version,
		FS:         &dirFS{files, func(dir string) bool { return !v.Owns(dir) }},
		Dir:        rel,
		Provenance: apidoc.Provenance{
			Source:    "vendor",
			Location:  v.Dir,
			ChosenBy:  "vendor/modules.txt of " + f.project.Mains[0].Path,
			Integrity: "not verified: it is the copy in the project's vendor directory",
		},
	}
	if !hasGoFiles(src.FS, rel) {
		f.tried = append(f.tried, "vendor, which lists the package but does not contain it")
		return nil
	}
	if v.Replace != "" {
		src.Provenance.ChosenBy += ", where " + v.Replace + " replaces it"
	}
	// The go command refuses a vendor directory that differs from go.mod.
	if want, ok := f.project.Required(v.Path); ok && v.Replace == "" && want != v.Version {
		if _, _, replaced := f.project.Replacement(module.Version{Path: v.Path, Version: want}); !replaced {
			src.Warnings = append(src.Warnings, "vendor contains "+v.Path+" "+v.Version+", but go.mod requires "+want+"; run go mod vendor.")
		}
	}
	return src
}
