package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
)

// plugins writes the repository of plugins for Claude Code, Codex, Cursor and Copilot CLI, which
// share one directory, and the Gemini CLI extension. All of them contain the rule that docent setup
// writes.
func (r *Release) plugins() error {
	rule, err := os.ReadFile(filepath.Join(r.Root, "internal", "setup", "rule.md"))
	if err != nil {
		return err
	}
	author := map[string]string{"name": r.Maintainer, "url": r.Repository}
	plugin := func(more map[string]any) map[string]any {
		all := map[string]any{
			"name": r.Name, "version": r.Version.SemVer, "description": r.Description, "author": author,
			"homepage": r.Repository, "repository": r.Repository, "license": r.License, "keywords": []string{"documentation", "mcp"},
		}
		maps.Copy(all, more)
		return all
	}
	server := map[string]any{"command": "npx", "args": []string{"-y", r.NPM.Package, "serve"}}
	servers := map[string]any{"mcpServers": map[string]any{r.Name: server}}
	entry := map[string]any{"name": r.Name, "source": "./plugins/" + r.Name, "description": r.Description, "version": r.Version.SemVer}
	marketplace := map[string]any{"name": r.Name, "owner": author, "metadata": map[string]string{"description": r.Description, "version": r.Version.SemVer}, "plugins": []any{entry}}
	codex := map[string]any{
		"name": r.Name, "interface": map[string]string{"displayName": r.Title},
		"plugins": []any{map[string]any{
			"name": r.Name, "source": map[string]string{"source": "local", "path": "./plugins/" + r.Name},
			"policy": map[string]string{"installation": "AVAILABLE", "authentication": "ON_INSTALL"}, "category": "Developer Tools",
		}},
	}
	dir := "plugins/" + r.Name + "/"
	for name, value := range map[string]any{
		".claude-plugin/marketplace.json":  marketplace,
		".cursor-plugin/marketplace.json":  marketplace,
		".github/plugin/marketplace.json":  marketplace,
		".agents/plugins/marketplace.json": codex,
		dir + ".claude-plugin/plugin.json": plugin(nil), // The plugin finds the server and the skill by their locations.
		dir + ".codex-plugin/plugin.json": plugin(map[string]any{
			"skills": "./skills/", "mcpServers": "./.mcp.json",
			"interface": map[string]string{"displayName": r.Title, "shortDescription": r.Description, "developerName": r.Maintainer, "category": "Developer Tools", "websiteURL": r.Repository},
		}),
		dir + ".cursor-plugin/plugin.json": plugin(map[string]any{"displayName": r.Title, "rules": "./rules/", "mcpServers": "./mcp.json"}),
		dir + "plugin.json":                plugin(map[string]any{"skills": "skills/", "mcpServers": ".mcp.json"}),
		dir + ".mcp.json":                  servers,
		dir + "mcp.json":                   servers,
	} {
		if err := r.writeJSON("plugins/"+name, value); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{
		dir + "skills/docent/SKILL.md": fmt.Sprintf("---\nname: docent\ndescription: %s. Use before writing or reviewing code that uses a package.\n---\n\n%s", r.Description, rule),
		dir + "rules/docent.mdc":       fmt.Sprintf("---\ndescription: %s\nalwaysApply: true\n---\n\n%s", r.Description, rule),
		dir + "LICENSE":                string(r.extra("LICENSE")),
		"README.md":                    fmt.Sprintf("# Plugins of %s\n\n%s. See [%s](%s).\n", r.Title, r.Description, r.Title, r.Repository),
	} {
		if err := r.write("plugins/"+name, []byte(text)); err != nil {
			return err
		}
	}
	return r.gemini(rule)
}

func (r *Release) writeJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return r.write(name, append(data, '\n'))
}

// gemini writes the Gemini CLI extension: an archive for each platform, with the names by which
// Gemini CLI finds them among the files of a release.
func (r *Release) gemini(rule []byte) error {
	for _, p := range r.platforms() {
		os, cpu := p.node()
		executable := p.executable(r.Name)
		manifest, err := json.MarshalIndent(map[string]any{
			"name": r.Name, "version": r.Version.SemVer, "description": r.Description, "contextFileName": "GEMINI.md",
			"mcpServers": map[string]any{r.Name: map[string]any{"command": "${extensionPath}${/}" + executable, "args": []string{"serve"}}},
		}, "", "  ")
		if err != nil {
			return err
		}
		files := []entry{
			{name: "gemini-extension.json", data: append(manifest, '\n'), mode: 0o644},
			{name: "GEMINI.md", data: rule, mode: 0o644},
			{name: "LICENSE", data: r.extra("LICENSE"), mode: 0o644},
			{name: executable, data: r.binaries[p].Data, mode: 0o755},
		}
		pack, extension := tarGz, ".tar.gz"
		if p.OS == "windows" {
			pack, extension = zipFile, ".zip"
		}
		data, err := pack(files, r.Time)
		if err != nil {
			return err
		}
		if err := r.write("gemini/"+os+"."+cpu+"."+r.Name+extension, data); err != nil {
			return err
		}
	}
	return nil
}
