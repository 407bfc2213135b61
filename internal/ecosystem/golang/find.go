package golang

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
	"github.com/docent-mcp/docent/internal/skill"
)

// Find implements ecosystem.Language. q.Package may be an import path, an
// import path with "@version", or a directory of the project ("./internal/db").
func (g *Golang) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	src, err := g.Locate(ctx, q)
	if err != nil {
		return nil, err
	}
	if q.Platform == "" {
		q.Platform = g.Platform()
	}
	seen := &fingerprint.Fingerprint{}
	watch(src, seen)
	return &ecosystem.Found{
		Key:         g.key(src, q),
		Fingerprint: seen,
		Read: func(ctx context.Context) (*apidoc.Package, error) {
			imports := g.newImports(src, q, seen)
			defer imports.close()
			p, err := godoc.Read(ctx, src, q.Platform, imports.open)
			if err != nil {
				return nil, ecosystem.AsError(err)
			}
			addProse(ctx, p, src)
			p.Repository, p.RepositoryDir = repository(src.Module)
			return p, nil
		},
		Skills: func(ctx context.Context) ([]skill.Skill, error) {
			if src.Module == "std" {
				return nil, nil
			}
			return skill.Find(ctx, src.FS, "."), nil
		},
		File: func(_ context.Context, name string) ([]byte, error) {
			return project.ReadFS(src.FS, name, ecosystem.MaxSourceFile)
		},
		License: func(context.Context) ecosystem.License {
			return ecosystem.LicenseOf(func(name string) ([]byte, error) { return project.ReadFS(src.FS, name, ecosystem.MaxSourceFile) })
		},
		Finish: func(p *apidoc.Package) {
			p.Provenance = src.Provenance
			p.Advice = src.Warnings
		},
		Close: func() { src.Close() },
	}, nil
}

// key identifies everything that the documentation of a source depends on, apart from
// the contents of its files. It includes the project, because promoted members come
// from packages at the versions that the project uses. It returns "" if the
// documentation must not be cached.
func (g *Golang) key(src *godoc.Source, q ecosystem.Query) string {
	if src.Own || src.Version == "" || src.Version == "devel" {
		return ""
	}
	parts := []string{src.ImportPath, src.Module, src.Version, src.Provenance.Source, src.Provenance.Location, q.Platform}
	ask, err := parseQuestion(q)
	if err != nil {
		return ""
	}
	if ask.project != "" && src.Module != "std" {
		st := g.settings.load(g.env)
		parts = append(parts, ask.project, fmt.Sprint(ask.version != "", projectOptions(st)),
			fmt.Sprintf("%x", project.FingerprintOf(ask.project, info.ProjectFiles)))
	}
	return strings.Join(parts, "\x00")
}

// watch adds the files of a source, or the archive that contains them, to the
// input fingerprint.
func watch(src *godoc.Source, seen *fingerprint.Fingerprint) {
	files := src.FS
	if d, ok := files.(*dirFS); ok {
		files = d.FS
	}
	if tree, ok := files.(*fingerprint.Tree); ok {
		tree.Watch(seen)
		return
	}
	seen.Add(src.Provenance.Location)
}

// openTree opens a directory so that watch can record the files that are read.
func openTree(dir string) fs.FS { return fingerprint.NewTree(rootfs.New(dir), dir) }

// openBelow is like openTree for a directory below root, which is an absolute
// path. Links must not point outside root.
func openBelow(root, dir string) (fs.FS, error) {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, err
	}
	files, err := rootfs.New(root).Sub(filepath.ToSlash(rel))
	if err != nil {
		return nil, err
	}
	return fingerprint.NewTree(files, dir), nil
}
