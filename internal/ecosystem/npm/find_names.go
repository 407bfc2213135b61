package npm

import (
	"context"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

var _ ecosystem.NameFinder = (*NPM)(nil)

// FindNames implements ecosystem.NameFinder. The declarations of a package may lack names that its JavaScript exports or that
// it declares under other conditions, files of the project may add names, and those of @types may not be installed although the
// project depends on them.
func (n *NPM) FindNames(ctx context.Context, dir string) func(f *ecosystem.SourceFile, pkg, name string) bool {
	none := func(*ecosystem.SourceFile, string, string) bool { return false }
	f, err := n.newFinder(ctx, question{project: dir})
	if err != nil {
		return none
	}
	f.maxOpen = maxProgramPackages
	l := f.openDir(dir, "")
	if l == nil {
		return none
	}
	reader, err := modules.Open(ctx, l.pkg, f.open)
	if err != nil {
		return none
	}
	scripts := reader.NewScripts()
	if reader, err = modules.Open(ctx, l.pkg, f.open); err != nil {
		return none
	}
	code := reader.NewCode(nil, nil)
	added := sync.OnceValue(func() *augmentations { return n.augmentationsOf(ctx, dir) })
	return func(file *ecosystem.SourceFile, pkg, name string) bool {
		if isScript(codeFile(file)) {
			return scripts.MayExport(pkg, name)
		}
		if code.HasVariant(pkg, name) || added() == nil {
			return true
		}
		added().search(nil, file.Name, string(file.Text))
		if added().declares(pkg) || added().mayAdd(name, []modules.TypeName{{Package: pkg}}) {
			return true
		}
		types := typesName(packageOf(pkg))
		if _, err := f.open(ctx, l.pkg, types); err == nil {
			return false
		}
		for _, names := range []map[string]string{l.manifest.Dependencies, l.manifest.Dev, l.manifest.Optional, l.manifest.Peer} {
			if names[types] != "" {
				return true
			}
		}
		return false
	}
}
