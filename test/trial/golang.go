package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// golang installs modules from a file-system proxy into the project's own module cache.
var golang = language{
	tool:     "go",
	solution: "solve.go",
	hidden:   "hidden_test.go",
	howTo: "Go: one package `solve` for each task, in `project/TASK/solve.go`. It may import the standard library and the " +
		"packages that `project/go.mod` requires; their sources are in `project/modcache`.",
	install: installGo,
	build: func(ctx context.Context, project, id string) error {
		return command(ctx, project, goEnv(project), "go", "build", "./"+id)
	},
	test: func(ctx context.Context, project, id string) error {
		return command(ctx, project, goEnv(project), "go", "test", "-count=1", "./"+id)
	},
	env: goEnv,
}

func goEnv(project string) []string {
	return []string{
		"GOMODCACHE=" + filepath.Join(project, "modcache"),
		"GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-modcacherw", "GOWORK=off", "GOTOOLCHAIN=local",
	}
}

func installGo(ctx context.Context, project string, packages []madeUp) error {
	proxy, err := os.MkdirTemp("", "trial-proxy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(proxy)
	var mod, imports strings.Builder
	mod.WriteString("module trial.example/app\n\ngo 1.26\n\nrequire (\n")
	imports.WriteString("// Package app holds the tasks, each in its own folder.\npackage app\n\nimport (\n")
	for _, p := range packages {
		for _, r := range p.Installed {
			if err := publish(proxy, p, r); err != nil {
				return err
			}
			fmt.Fprintf(&mod, "\t%s %s\n", r.Path, r.Version)
			fmt.Fprintf(&imports, "\t_ %q\n", r.Path)
		}
	}
	if err := writeFile(filepath.Join(project, "go.mod"), mod.String()+")\n"); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(project, "app.go"), imports.String()+")\n"); err != nil {
		return err
	}
	slashed := filepath.ToSlash(proxy)
	env := append(goEnv(project), "GOPROXY=file:///"+strings.TrimPrefix(slashed, "/"))
	return command(ctx, project, env, "go", "mod", "tidy")
}

// publish writes a release in the layout of a module proxy.
func publish(proxy string, p madeUp, r release) error {
	files, err := os.MkdirTemp("", "trial-module")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	if err := writeRelease(files, p, r); err != nil {
		return err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(r.Path), "@v")
	mod := "module " + r.Path + "\n\ngo 1.25\n"
	if err := writeFile(filepath.Join(files, "go.mod"), mod); err != nil {
		return err
	}
	for ext, text := range map[string]string{
		".mod":  mod,
		".info": fmt.Sprintf(`{"Version":%q,"Time":"2026-01-02T03:04:05Z"}`, r.Version),
	} {
		if err := writeFile(filepath.Join(dir, r.Version+ext), text); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(dir, r.Version+".zip"))
	if err != nil {
		return err
	}
	defer archive.Close()
	z := zip.NewWriter(archive)
	err = fs.WalkDir(os.DirFS(files), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(files, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		w, err := z.Create(r.Path + "@" + r.Version + "/" + name)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}
