package npmlock

import (
	"cmp"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/docent-mcp/docent/internal/project"
)

// catalogs are the ranges that a workspace gives names: a package.json asks for
// "catalog:" or, of those with a name, "catalog:old". By catalog and dependency.
type catalogs map[string]map[string]string

// catalogFields is how pnpm-workspace.yaml, .yarnrc.yml and bun's package.json
// write them.
type catalogFields struct {
	Catalog  map[string]string            `json:"catalog" yaml:"catalog"`
	Catalogs map[string]map[string]string `json:"catalogs" yaml:"catalogs"`
}

func (c catalogs) add(f catalogFields) {
	c.fill("default", f.Catalog)
	for name, of := range f.Catalogs {
		c.fill(name, of)
	}
}

func (c catalogs) fill(name string, of map[string]string) {
	if c[name] == nil {
		c[name] = map[string]string{}
	}
	for dep, spec := range of {
		if c[name][dep] == "" {
			c[name][dep] = spec
		}
	}
}

// catalogsOf reads the catalogs of the workspace at root.
func catalogsOf(root string, m *Manifest) catalogs {
	c := catalogs{}
	for _, file := range []string{"pnpm-workspace.yaml", ".yarnrc.yml"} {
		if data, err := project.ReadFile(filepath.Join(root, file), 1<<20); err == nil {
			var f catalogFields
			if yaml.Unmarshal(data, &f) == nil {
				c.add(f)
			}
		}
	}
	c.add(m.Catalogs)
	return c
}

// plain is a specifier with what the workspace's catalogs say put in.
func (p *Project) plain(name, spec string) string {
	catalog, ok := strings.CutPrefix(spec, "catalog:")
	if !ok {
		return spec
	}
	p.catalogsOnce.Do(func() { p.catalogs = catalogsOf(p.Root, p.rootManifest()) })
	return cmp.Or(p.catalogs[cmp.Or(strings.TrimSpace(catalog), "default")][name], spec)
}
