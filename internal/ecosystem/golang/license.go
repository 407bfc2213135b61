package golang

import (
	"context"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

var _ ecosystem.Licenser = (*Golang)(nil)

// License implements ecosystem.Licenser. It reads the files of the module itself, even
// if there is no package at its root.
func (g *Golang) License(_ context.Context, _ string, u *ecosystem.Used) ecosystem.License {
	f := &finder{g: g, st: g.settings.load(g.env)}
	m, err := f.openLocal(module.Version{Path: u.Name, Version: u.Version})
	if err != nil || m == nil {
		return ecosystem.License{}
	}
	src := m.source(u.Name, u.Name)
	defer src.Close()
	return ecosystem.LicenseOf(func(name string) ([]byte, error) { return project.ReadFS(src.FS, name, ecosystem.MaxSourceFile) })
}
