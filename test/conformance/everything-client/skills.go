package main

import (
	"context"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/skills"
)

// onlyListSkills lists the skills without reading any of their files.
func onlyListSkills(ctx context.Context, c *mcp.Client) error {
	for _, err := range skills.List(ctx, c) {
		if err != nil {
			return err
		}
	}
	return nil
}

// useSkills loads each skill and, if it matches its entry in the list, reads its other files.
func useSkills(ctx context.Context, c *mcp.Client) error {
	for s, err := range skills.List(ctx, c) {
		if err != nil {
			return err
		}
		loaded, err := skills.Load(ctx, c, s, nil)
		if err != nil {
			return err
		}
		for _, file := range s.Files {
			if _, err := loaded.Read(ctx, file.URI); err != nil {
				return err
			}
		}
	}
	return nil
}
