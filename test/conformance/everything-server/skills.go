package main

import (
	"embed"
	"io/fs"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/skills"
)

//go:embed skills
var skillFiles embed.FS

// addSkills adds the skills extension. There is one entry per page, to test pagination.
func addSkills(s *mcp.Server) error {
	catalog, err := skills.New(s, &skills.Options{PageSize: 1, Caching: mcp.Caching{Public: true}})
	if err != nil {
		return err
	}
	files, err := fs.Sub(skillFiles, "skills")
	if err != nil {
		return err
	}
	return catalog.AddAll("", files)
}
