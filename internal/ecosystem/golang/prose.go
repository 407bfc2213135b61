package golang

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/prose"
)

// layout lists additional directories in which modules store documentation. The go command ignores
// directories whose names begin with an underscore, which is why many modules keep their examples
// in such a directory.
var layout = prose.Layout{
	Guides:   []string{"_docs", "_doc"},
	Examples: []string{"_examples", "_example"},
	Code:     map[string]string{".go": "go"},
}

// addProse adds the README, guides and examples from the package's directory. If
// that has no README, it uses the nearest directory above it, within the module,
// that has one.
func addProse(ctx context.Context, p *apidoc.Package, src *godoc.Source) {
	if src.Module == "std" {
		return
	}
	for dir := src.Dir; ; dir = path.Dir(dir) {
		files, err := fs.Sub(src.FS, dir)
		if err != nil {
			return
		}
		sections, notes := prose.Read(ctx, files, layout)
		if dir == "." || len(sections) > 0 && strings.HasPrefix(sections[0].ID, "readme") {
			p.Sections, p.Omissions = sections, append(p.Omissions, notes...)
			return
		}
	}
}

// repository returns the repository that a module's path refers to, and the module's directory in
// it. It supports the hosts on which paths begin with an owner and a name. Both results are empty
// for other paths.
func repository(modulePath string) (address, dir string) {
	prefix, _, ok := module.SplitPathVersion(modulePath)
	parts := strings.SplitN(prefix, "/", 4)
	if !ok || len(parts) < 3 || !strings.Contains(parts[0], ".") {
		return "", ""
	}
	if len(parts) == 4 {
		dir = parts[3]
	}
	return "https://" + strings.Join(parts[:3], "/"), dir
}
