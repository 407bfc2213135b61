package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// benchProject measures what concerns a whole project, and two versions of a package: deps for an
// npm project with 1,000 packages, and diff for packages from the registries.
func benchProject(ctx context.Context, dir, docent string, _ cache, runs int) error {
	app := filepath.Join(dir, "packages")
	if err := writeProject(app, 1000); err != nil {
		return err
	}
	fmt.Println()
	t := newTable()
	var times []time.Duration
	for range runs {
		took, err := run(ctx, app, docent, "deps")
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	t.times("docent deps, 1,000 packages, whole process", times, "100 ms")
	for _, c := range [][]string{
		{"go", "github.com/jackc/pgx/v5@v5.5.4", "@v5.7.5"},
		{"npm", "typescript@5.4.5", "@5.6.3"},
		{"npm", "rxjs@6.6.7", "@7.8.1"},
		{"rust", "tokio@1.38.0", "@1.42.0"},
		{"python", "sqlalchemy@1.4.54", "@2.0.36"},
	} {
		args := append([]string{"diff"}, c...)
		if _, err := run(ctx, dir, docent, args...); err != nil {
			fmt.Fprintf(t, "docent diff %s %s: skipped, because a version could not be read\t\t\t\t\n", c[0], c[1])
			continue
		}
		var times []time.Duration
		for range runs {
			took, err := run(ctx, dir, docent, args...)
			if err != nil {
				return err
			}
			times = append(times, took)
		}
		t.times(fmt.Sprintf("docent diff %s %s %s, cached, whole process", c[0], c[1], c[2]), times, "100 ms")
	}
	return t.Flush()
}

// writeProject writes an npm project with n installed packages, most of which require others.
func writeProject(dir string, n int) error {
	type manifest struct {
		Name         string            `json:"name,omitempty"`
		Version      string            `json:"version"`
		Dependencies map[string]string `json:"dependencies,omitempty"`
	}
	write := func(dir string, m any, file string) error {
		data, err := json.Marshal(m)
		return errors.Join(err, os.MkdirAll(dir, 0o750), os.WriteFile(filepath.Join(dir, file), data, 0o600))
	}
	root := manifest{Name: "app", Version: "1.0.0", Dependencies: map[string]string{}}
	packages := map[string]manifest{}
	var failed error
	for i := range n {
		p := manifest{Name: fmt.Sprintf("p%d", i), Version: "1.0.0", Dependencies: map[string]string{}}
		for _, k := range []int{i + 1, 2 * i, 7 * i} {
			if k > i && k < n {
				p.Dependencies[fmt.Sprintf("p%d", k)] = "^1.0.0"
			}
		}
		if i%40 == 0 {
			root.Dependencies[p.Name] = "^1.0.0"
		}
		path := filepath.Join("node_modules", p.Name)
		failed = errors.Join(failed, write(filepath.Join(dir, path), p, "package.json"))
		p.Name = ""
		packages[filepath.ToSlash(path)] = p
	}
	packages[""] = root
	lock := map[string]any{"name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": packages}
	return errors.Join(failed, write(dir, root, "package.json"), write(dir, lock, "package-lock.json"))
}
