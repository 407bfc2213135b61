package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
)

// npm installs packages in the project's node_modules.
var npm = language{
	tool:     "node",
	solution: "solve.mjs",
	hidden:   "hidden.mjs",
	howTo: "npm: one ES module for each task, `project/TASK/solve.mjs`, which exports what the task asks for. It may import " +
		"Node.js's own modules and the packages that `project/package.json` names; they are in `project/node_modules`.",
	install: installNPM,
	build: func(ctx context.Context, project, id string) error {
		return command(ctx, project, nil, "node", "--check", filepath.Join(id, "solve.mjs"))
	},
	test: func(ctx context.Context, project, id string) error {
		return command(ctx, project, nil, "node", filepath.Join(id, "hidden.mjs"))
	},
	env: func(string) []string { return nil },
}

func installNPM(_ context.Context, project string, packages []madeUp) error {
	direct := map[string]string{}
	for _, p := range packages {
		for _, r := range p.Installed {
			root := project
			if r.Below != "" {
				root = filepath.Join(project, "node_modules", filepath.FromSlash(r.Below))
			} else {
				direct[r.Path] = "^" + r.Version
			}
			dir := filepath.Join(root, "node_modules", filepath.FromSlash(r.Path))
			if err := writeRelease(dir, p, r); err != nil {
				return err
			}
		}
	}
	manifest, err := json.MarshalIndent(map[string]any{
		"name": "trial-app", "version": "0.0.0", "private": true, "type": "module", "dependencies": direct,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(project, "package.json"), append(manifest, '\n'), 0o644)
}
