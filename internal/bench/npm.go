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

// compiler is a script that asks TypeScript's compiler for what docent is
// asked.
//
//go:embed compiler.mjs
var compiler string

// The measured packages.
var npmPackages = []string{"zod", "typescript", "@types/node"}

// benchNPM measures npm packages, installed as users install them. Without npm,
// or a registry that it reaches, it says so.
func benchNPM(ctx context.Context, dir, docent string, kept cache, runs int) error {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Println("\nnpm packages: skipped, npm is not installed")
		return nil
	}
	app, err := install(ctx, dir)
	if err != nil {
		fmt.Printf("\nnpm packages: skipped, npm did not install them: %.300s\n", err)
		return nil
	}
	fmt.Println()
	t := newTable()
	if err := errors.Join(
		describes(ctx, t, app, docent, kept, runs, "npm", npmPackages, "40 ms"),
		served(ctx, t, app, docent, runs, "npm", npmPackages),
		compared(ctx, t, app, docent, kept),
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

// install creates a project with the packages installed, in the versions that
// reader accuracy is measured with.
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

// describes measures the command line with an empty and a full cache; the first package
// has a goal.
func describes(ctx context.Context, t table, app, docent string, kept cache, runs int, language string, names []string, goalOfFirst string) error {
	err := kept.settle(func() error {
		_, err := run(ctx, app, docent, "describe", language, names[0])
		return err
	})
	if err != nil {
		return err
	}
	for i, name := range names {
		var cold, warm []time.Duration
		for range runs {
			errA := kept.forget()
			a, errB := run(ctx, app, docent, "describe", language, name)
			b, errC := run(ctx, app, docent, "describe", language, name)
			if err := errors.Join(errA, errB, errC); err != nil {
				return err
			}
			cold, warm = append(cold, a), append(warm, b)
		}
		goal := ""
		if i == 0 {
			goal = goalOfFirst
		}
		what := "docent describe " + language + " " + name + ", whole process, "
		t.times(what+"nothing kept on disk", cold, "")
		t.times(what+"warm disk", warm, goal)
	}
	return nil
}

// served measures responses of a running server.
func served(ctx context.Context, t table, app, docent string, runs int, language string, names []string) error {
	s, _, err := open(ctx, app, docent)
	if err != nil {
		return err
	}
	tool := "describe_" + language + "_package"
	for _, name := range names {
		arguments := fmt.Sprintf(`{"package":%q,"projectPath":%q}`, name, app)
		times, err := s.calls(max(10*runs, 50), tool, arguments)
		if err != nil {
			return errors.Join(err, s.close())
		}
		t.times(tool+" "+name+", warm, over stdio", times, "2 ms")
	}
	return s.close()
}

// compared measures docent beside TypeScript's compiler. Each process reads the
// exports of a package's main entry point with members and comments. It also
// measures docent's memory.
func compared(ctx context.Context, t table, app, docent string, kept cache) error {
	script := filepath.Join(app, "compiler.mjs")
	if err := os.WriteFile(script, []byte(compiler), 0o600); err != nil {
		return err
	}
	for _, name := range npmPackages[:2] {
		var own, theirs []time.Duration
		for range 5 {
			errA := kept.forget()
			a, errB := run(ctx, app, docent, "describe", "npm", name, "--json")
			b, errC := run(ctx, app, "node", script, name)
			if err := errors.Join(errA, errB, errC); err != nil {
				return err
			}
			own, theirs = append(own, a), append(theirs, b)
		}
		t.times("all exports of "+name+", docent describe --json, nothing kept on disk", own, "")
		t.times("all exports of "+name+", TypeScript's compiler API", theirs, "")
	}
	return memory(ctx, t, app, docent, kept, "npm", "typescript")
}

// memory measures the memory of a process that reads a package.
func memory(ctx context.Context, t table, app, docent string, kept cache, language, name string) error {
	if err := kept.forget(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, docent, "describe", language, name)
	cmd.Dir = app
	if err := cmd.Run(); err != nil {
		return err
	}
	if mib, ok := peak(cmd.ProcessState); ok {
		fmt.Fprintf(t, "docent describe %s %s, nothing kept on disk, peak memory\t%.1f MiB\t\t\t150 MB\n", language, name, mib)
	}
	return nil
}
