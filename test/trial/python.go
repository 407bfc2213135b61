package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// python installs packages into the project's own virtual environment.
var python = language{
	tool:     "python3",
	solution: "solve.py",
	hidden:   "hidden.py",
	howTo: "Python: one module for each task, `project/TASK/solve.py`, which defines what the task asks for. It may import the " +
		"standard library and what `project/requirements.txt` names; it is installed in `project/.venv`.",
	install: installPython,
	build: func(ctx context.Context, project, id string) error {
		return command(ctx, project, pythonEnv(project), interpreter(project), "-c", "import sys; compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')", filepath.Join(id, "solve.py"))
	},
	test: func(ctx context.Context, project, id string) error {
		return command(ctx, project, pythonEnv(project), interpreter(project), filepath.Join(id, "hidden.py"))
	},
	env: pythonEnv,
}

func pythonEnv(project string) []string {
	return []string{"VIRTUAL_ENV=" + filepath.Join(project, ".venv"), "PYTHONDONTWRITEBYTECODE=1"}
}

func interpreter(project string) string {
	// On Windows, the folder is named Scripts.
	found, _ := filepath.Glob(filepath.Join(project, ".venv", "[bS]*", "python*"))
	if len(found) == 0 {
		return "python3"
	}
	return found[0]
}

func installPython(ctx context.Context, project string, packages []madeUp) error {
	venv := filepath.Join(project, ".venv")
	if err := command(ctx, project, nil, "python3", "-m", "venv", "--without-pip", venv); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(venv, "[lL]ib", "python*", "site-packages"))
	if err == nil && len(found) == 0 {
		found, err = filepath.Glob(filepath.Join(venv, "Lib", "site-packages"))
	}
	if err != nil || len(found) == 0 {
		return fmt.Errorf("no site-packages in %s: %w", venv, os.ErrNotExist)
	}
	var requirements strings.Builder
	for _, p := range packages {
		for _, r := range p.Installed {
			if err := installDistribution(found[0], p, r); err != nil {
				return err
			}
			fmt.Fprintf(&requirements, "%s==%s\n", r.Path, r.Version)
		}
	}
	return writeFile(filepath.Join(project, "requirements.txt"), requirements.String())
}

// installDistribution installs a release into a folder of packages like an installer: its files
// except the README, and a dist-info folder.
func installDistribution(site string, p madeUp, r release) error {
	files, err := os.MkdirTemp("", "trial-distribution")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	if err := writeRelease(files, p, r); err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(files, "README.md"))
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(files, "README.md")); err != nil {
		return err
	}
	var record, tops strings.Builder
	entries, err := os.ReadDir(files)
	if err != nil {
		return err
	}
	for _, e := range entries {
		tops.WriteString(strings.TrimSuffix(e.Name(), ".py") + "\n")
	}
	err = filepath.WalkDir(files, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(files, path)
		record.WriteString(filepath.ToSlash(name) + ",,\n")
		return err
	})
	if err != nil {
		return err
	}
	info := strings.ReplaceAll(r.Path, "-", "_") + "-" + r.Version + ".dist-info"
	for name, text := range map[string]string{
		"METADATA": fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\nRequires-Python: >=3.10\nDescription-Content-Type: text/markdown\n\n%s",
			r.Path, r.Version, readme),
		"top_level.txt": tops.String(),
		"INSTALLER":     "trial\n",
		"RECORD":        record.String() + info + "/METADATA,,\n" + info + "/RECORD,,\n",
	} {
		if err := writeFile(filepath.Join(site, info, name), text); err != nil {
			return err
		}
	}
	return os.CopyFS(site, os.DirFS(files))
}
