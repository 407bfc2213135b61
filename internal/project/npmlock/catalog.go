package npmlock

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/yaml"
)

// catalogs contains named sets of version ranges in a workspace, by the name of the catalog and
// then by the name of the dependency. A package.json refers to the default catalog as "catalog:"
// and to others as "catalog:name".
type catalogs map[string]map[string]string

// catalogFields are the fields for catalogs in pnpm-workspace.yaml, .yarnrc.yml
// and bun's package.json.
type catalogFields struct {
	Catalog  map[string]string            `json:"catalog"`
	Catalogs map[string]map[string]string `json:"catalogs"`
}

func (c catalogs) add(f catalogFields) {
	c.fill("default", f.Catalog)
	for name, ranges := range f.Catalogs {
		c.fill(name, ranges)
	}
}

func (c catalogs) fill(name string, ranges map[string]string) {
	if c[name] == nil {
		c[name] = map[string]string{}
	}
	for dep, spec := range ranges {
		if c[name][dep] == "" {
			c[name][dep] = spec
		}
	}
}

// catalogsOf reads the catalogs of the workspace at root.
func catalogsOf(root string, m *Manifest) catalogs {
	c := catalogs{}
	for _, file := range []string{"pnpm-workspace.yaml", ".yarnrc.yml"} {
		if data, err := project.ReadFile(filepath.Join(root, file), maxSettings); err == nil {
			if f, err := readCatalogs(data); err == nil {
				c.add(f)
			}
		}
	}
	c.add(m.Catalogs)
	return c
}

// readCatalogs reads the catalogs in the settings of a workspace.
func readCatalogs(data []byte) (f catalogFields, err error) {
	err = yaml.Read(context.Background(), data, func(r *yaml.Reader) error {
		top, err := r.Value()
		fields, _ := top.(map[string]any)
		catalog, _ := fields["catalog"].(map[string]any)
		f.Catalog = onlyStrings(catalog)
		catalogs, _ := fields["catalogs"].(map[string]any)
		f.Catalogs = make(map[string]map[string]string, len(catalogs))
		for name, v := range catalogs {
			catalog, _ := v.(map[string]any)
			f.Catalogs[name] = onlyStrings(catalog)
		}
		return err
	})
	return f, err
}

func onlyStrings(fields map[string]any) map[string]string {
	out := make(map[string]string, len(fields))
	for name, v := range fields {
		if s, ok := v.(string); ok {
			out[name] = s
		}
	}
	return out
}

// plain returns a specifier. It replaces a "catalog:" specifier with the range in the workspace's
// catalog.
func (p *Project) plain(name, spec string) string {
	catalog, ok := strings.CutPrefix(spec, "catalog:")
	if !ok {
		return spec
	}
	p.catalogsOnce.Do(func() { p.catalogs = catalogsOf(p.Root, p.rootManifest()) })
	return cmp.Or(p.catalogs[cmp.Or(strings.TrimSpace(catalog), "default")][name], spec)
}
