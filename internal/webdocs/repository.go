package webdocs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/prose"
)

// docs reads the docs/ of a package's repository at the tag of its version, unless the
// package itself contains guides. note explains why they could not be read, or is "" if nothing
// failed.
func (r *Reader) docs(ctx context.Context, p *apidoc.Package) (sections []apidoc.Section, note string) {
	repo, ok := repositoryOf(p.Repository, r.options.hosts)
	if !ok || bringsDocs(p) {
		return nil, ""
	}
	where := repo.host.name + "/" + repo.path
	for _, tag := range tags(p) {
		address := repo.archive(tag)
		data, err := r.cached(ctx, "archives", address, maxArchive, false)
		if err != nil && absent(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Sprintf("Docent could not read docs/ in %s at %s: %s", where, tag, reason(err))
		}
		files, err := archive.ReadTarGz(data, archive.Options{
			Limits: archive.Limits{Packed: maxArchive}, StripFirst: true, SkipLinks: true,
			Keep: func(name string, _ int64) archive.Want {
				if isDocs(name, p.RepositoryDir) {
					return archive.Now
				}
				return archive.Never
			},
		})
		if err != nil {
			return nil, fmt.Sprintf("Docent could not read docs/ in %s at %s: the response is not an archive, or %s", where, tag, reason(err))
		}
		return r.guides(ctx, files, p, where+" at the tag "+tag), ""
	}
	return nil, fmt.Sprintf("Docent did not read docs/ in %s, because the repository has no tag for version %s", where, strings.TrimPrefix(p.Version, "v"))
}

// bringsDocs reports whether a package itself contains guides.
func bringsDocs(p *apidoc.Package) bool {
	for i := range p.Sections {
		if isDocs(p.Sections[i].File, "") {
			return true
		}
	}
	return false
}

// isDocs reports whether a file is in the docs/ of a repository or of the
// package's directory in it.
func isDocs(name, dir string) bool {
	name = strings.ToLower(name)
	if dir != "" {
		if rest, ok := strings.CutPrefix(name, strings.ToLower(dir)+"/"); ok {
			name = rest
		}
	}
	return strings.HasPrefix(name, "docs/")
}

// guides reads the docs/ of the package's directory, or else of the repository.
func (r *Reader) guides(ctx context.Context, files fs.FS, p *apidoc.Package, origin string) []apidoc.Section {
	for _, dir := range []string{path.Clean(p.RepositoryDir), "."} {
		if !fs.ValidPath(dir) {
			continue
		}
		inside, err := fs.Sub(files, dir)
		if err != nil {
			continue
		}
		if _, err := fs.Stat(inside, "docs"); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		sections, _ := prose.Read(ctx, inside, prose.Layout{Prefix: "repository"})
		for i := range sections {
			sections[i].Origin = "the repository " + origin
		}
		return sections
	}
	return nil
}
