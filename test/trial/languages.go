package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// language describes how the packages of a language are installed and its solutions are tested. A
// new language needs one entry in languages and one file.
type language struct {
	tool             string // the program that the language needs
	solution, hidden string // names of the files of a task
	// howTo describes for the agent where the packages are and what a solution consists of.
	howTo string
	// install writes the project's manifest and installs the packages.
	install func(ctx context.Context, project string, packages []madeUp) error
	// build and test return an error that describes the first failure.
	build, test func(ctx context.Context, project, id string) error
	// env contains the environment variables that commands in the project need.
	env func(project string) []string
}

var languages = map[string]language{
	"go":     golang,
	"npm":    npm,
	"python": python,
	"rust":   rust,
	"swift":  swift,
}

// command runs a program in the project. Its error is the first line that describes the failure.
func command(ctx context.Context, project string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", strings.Join(append([]string{name}, args...), " "), telling(string(out)))
}

// telling selects the line of a tool's output that describes the failure.
func telling(out string) string {
	first := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "==="):
		case strings.Contains(line, "_test.go:") || strings.Contains(line, "Error") || strings.Contains(line, "panic:"):
			return line
		case first == "":
			first = line
		}
	}
	return first
}

// writeRelease writes the files of a release to dir: the files in its folder, and those from its
// generator.
func writeRelease(dir string, p madeUp, r release) error {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(p.dir, r.Dir))); err != nil || r.Generate == "" {
		return err
	}
	files, err := generate(r.Generate)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), string(bytes.TrimLeft(text, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file and the directories above it.
func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}
