package golang

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/program"
	"github.com/docent-mcp/docent/internal/project"
)

// findGo finds the Go installation and its go command. Either may be missing.
// Only a command in PATH counts. A go command outside an installation is a
// wrapper, which is run to find the installation that it starts.
func findGo(s *settings, wrapper *program.Wrapper) (goroot, command string) {
	command = s.env.LookPath("go")
	if goroot = s.get("GOROOT"); goroot != "" {
		return filepath.Clean(goroot), command
	}
	if command != "" {
		if target, err := filepath.EvalSymlinks(command); err == nil {
			if dir := filepath.Dir(filepath.Dir(target)); isGoroot(dir) {
				return dir, command
			}
		}
		env := append(s.env.List(), "GOWORK=off", "GOTOOLCHAIN=local")
		if dir := wrapper.Directory(env, isGoroot, command, "env", "GOROOT"); dir != "" {
			return dir, command
		}
	}
	for _, dir := range usualGoroots() {
		if isGoroot(dir) {
			return dir, command
		}
	}
	return "", command
}

func usualGoroots() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{`C:\Program Files\Go`, `C:\Go`}
	case "darwin":
		return []string{"/usr/local/go", "/opt/homebrew/opt/go/libexec", "/usr/local/opt/go/libexec"}
	}
	return []string{"/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/usr/share/go", "/snap/go/current"}
}

// isGoroot reports whether a directory is a GOROOT. Every GOROOT contains
// src/runtime.
func isGoroot(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "src", "runtime"))
	return err == nil && info.IsDir()
}

// readGoVersion returns the first line of GOROOT/VERSION ("go1.26.8"), or
// "devel" for a checkout without that file.
func readGoVersion(goroot string) string {
	data, err := project.ReadSettings(filepath.Join(goroot, "VERSION"), 4096)
	if err != nil {
		return "devel"
	}
	line, _, _ := strings.Cut(string(data), "\n")
	if line = strings.TrimSpace(line); strings.HasPrefix(line, "go") && len(line) <= 64 {
		return line
	}
	return "devel"
}
