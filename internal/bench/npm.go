package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// compiler is a script that makes TypeScript's compiler answer the same query as docent.
//
//go:embed compiler.mjs
var compiler string

// npmPackages are the packages that are measured.
var npmPackages = []string{"zod", "typescript", "@types/node"}

// benchNPM measures npm packages, installed as users install them. If npm or
// its registry is not available, it prints a note.
func benchNPM(ctx context.Context, dir, docent string, cacheDir cache, runs int) error {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Println("\nnpm packages: skipped, because npm is not installed")
		return nil
	}
	app, err := install(ctx, dir)
	if err != nil {
		fmt.Printf("\nnpm packages: skipped, because npm did not install them: %.300s\n", err)
		return nil
	}
	fmt.Println()
	t := newTable()
	if err := errors.Join(
		describes(ctx, t, app, docent, cacheDir, runs, "npm", npmPackages[:1], "40 ms"),
		describes(ctx, t, app, docent, cacheDir, runs, "npm", npmPackages[1:], ""),
		served(ctx, t, app, docent, runs, "npm", npmPackages),
		compared(ctx, t, app, docent, cacheDir),
	); err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintln(t, "on one core:\t\t\t\t")
	for _, name := range npmPackages[1:] {
		if err := declarations(t, app, name, runs); err != nil {
			return err
		}
	}
	for _, name := range npmPackages[1:] {
		if err := wholeWay(ctx, t, dir, app, name, runs); err != nil {
			return err
		}
	}
	return t.Flush()
}

// install creates a project and installs the packages, in the versions for which the accuracy of
// the reader is measured.
func install(ctx context.Context, dir string) (app string, err error) {
	var known struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	data, err := os.ReadFile(filepath.Join("test", "accuracy", "package.json"))
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return "", err
	}
	app = filepath.Join(dir, "app")
	if err := os.Mkdir(app, 0o750); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(app, "package.json"), []byte(`{"name": "bench", "private": true}`), 0o600); err != nil {
		return "", err
	}
	args := []string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}
	for _, name := range npmPackages {
		args = append(args, strings.TrimSuffix(name+"@"+known.Dependencies[name], "@"))
	}
	return app, runNPM(ctx, app, args...)
}

func runNPM(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s: %w: %s", args[0], err, out)
	}
	return nil
}

// compared measures docent and TypeScript's compiler. Each process reads the exports of a package's
// main entry point, with members and comments. It also measures docent's memory.
func compared(ctx context.Context, t table, app, docent string, cacheDir cache) error {
	script := filepath.Join(app, "compiler.mjs")
	if err := os.WriteFile(script, []byte(compiler), 0o600); err != nil {
		return err
	}
	for _, name := range npmPackages[:2] {
		var ours, theirs []time.Duration
		for range 5 {
			errA := cacheDir.forget()
			a, errB := run(ctx, app, docent, "describe", "npm", name, "--json")
			b, errC := run(ctx, app, "node", script, name)
			if err := errors.Join(errA, errB, errC); err != nil {
				return err
			}
			ours, theirs = append(ours, a), append(theirs, b)
		}
		t.times("all exports of "+name+", docent describe --json, empty disk cache", ours, "")
		t.times("all exports of "+name+", TypeScript's compiler API", theirs, "")
	}
	return memory(ctx, t, app, docent, cacheDir, "150 MB", "describe", "npm", "typescript")
}
