package golang

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	// shimPatience bounds how long a wrapper of the go command may run.
	shimPatience = 5 * time.Second
	// shimAge is how long its answer is cached: docent does not know the files
	// that configure a wrapper.
	shimAge = 10 * time.Minute
	// maxGoroot bounds the path that it prints, in bytes.
	maxGoroot = 4096
)

// shims caches the answers of wrappers of the go command, so that each is
// started once.
type shims struct {
	command string
	stamp   project.Stamp
	asked   time.Time
	goroot  string // empty if it gave none
}

// expired reports whether the answer is too old.
func (s *shims) expired() bool { return s.command != "" && time.Since(s.asked) > shimAge }

// root returns the GOROOT of the Go that a wrapper in PATH starts: a script, or
// that of goenv, asdf, mise or snap. It is empty if the wrapper leads to no
// installation with sources.
func (s *shims) root(env environ.Env, command string) string {
	stamp := project.StampOf(command)
	if s.command != command || s.stamp != stamp || s.expired() {
		*s = shims{command: command, stamp: stamp, asked: time.Now(), goroot: askGoroot(env, command)}
	}
	return s.goroot
}

// askGoroot runs "go env GOROOT" in an empty directory, where no project
// selects another Go.
func askGoroot(env environ.Env, command string) string {
	dir, err := os.MkdirTemp("", "docent-go-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), shimPatience)
	defer cancel()
	// The program is the go command in the user's PATH.
	cmd := exec.CommandContext(ctx, command, "env", "GOROOT")
	cmd.Dir = dir
	cmd.Env = append(env.List(), "PWD="+dir, "GOWORK=off", "GOTOOLCHAIN=local")
	stdout := &capped{left: maxGoroot, stop: true}
	cmd.Stdout = stdout
	cmd.WaitDelay = time.Second
	killGroup(cmd)
	if cmd.Run() != nil {
		return ""
	}
	// A wrapper may print other lines before it starts Go.
	lines := strings.Split(strings.TrimSpace(stdout.buffer.String()), "\n")
	if root := strings.TrimSpace(lines[len(lines)-1]); filepath.IsAbs(root) && isGoroot(root) {
		return filepath.Clean(root)
	}
	return ""
}
