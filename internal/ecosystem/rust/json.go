package rust

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/rustdoc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// fillGaps returns the documentation of a package in rustdoc's JSON, from the project's target
// directory, if the package's sources could not be read completely. It returns nil if there is no
// such file. It does not read files that are older than Cargo.lock, because they may be about
// another version, or files about the user's own packages, because the sources are newer.
func (f *finder) fillGaps(l *located, read *apidoc.Package) *apidoc.Package {
	if f.project == nil || l.inProject || l.standard || len(f.ask.features) > 0 {
		return nil
	}
	lock := project.StampOf(filepath.Join(f.project.Root, "Cargo.lock"))
	target := cmp.Or(f.config.TargetDir(), filepath.Join(f.project.Root, "target"))
	for _, dir := range []string{target, filepath.Join(target, f.target.Triple)} {
		file := filepath.Join(dir, "doc", l.library()+".json")
		f.seen.Add(file)
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(lock.Modified) {
			continue
		}
		written, err := readJSON(file, l, f.ask.module)
		if err != nil {
			read.Warnings = append(read.Warnings, fmt.Sprintf("Docent did not use %s: %v.", file, quote.Error(err)))
			continue
		}
		written.Elsewhere, written.Sections = read.Elsewhere, read.Sections
		written.Warnings = append(written.Warnings, "Docent could not expand all macros, so the declarations are from "+file+", which rustdoc wrote.")
		return written
	}
	return nil
}

// readJSON reads a module of a package from a file that rustdoc wrote.
func readJSON(file string, l *located, module string) (*apidoc.Package, error) {
	in, err := rootfs.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	c, err := rustdoc.Load(in)
	if err != nil {
		return nil, err
	}
	return moduleOf(c, l, module)
}

// moduleOf returns a module of a crate from rustdoc's JSON, which must be for the version of the
// package.
func moduleOf(c *rustdoc.Crate, l *located, module string) (*apidoc.Package, error) {
	if c.Version() != l.version {
		return nil, errors.New("it is for version " + quote.Line(c.Version(), 60) + ", not " + l.version)
	}
	return c.Module(strings.TrimSuffix(l.library()+"::"+module, "::"))
}
