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
	// shimPatience is how long a wrapper of the go command may take to say where
	// Go is.
	shimPatience = 5 * time.Second
	// shimAge is how long its answer holds: which Go it starts is set in files
	// of its own that docent does not know.
	shimAge = 10 * time.Minute
	// maxGoroot bounds the path that it prints, in bytes.
	maxGoroot = 4096
)

// shims remembers what wrappers of the go command said, so that a wrapper is
// started once.
type shims struct {
	command string
	stamp   project.Stamp
	asked   time.Time
	goroot  string // empty if it did not say
}

// expired reports whether settings that rest on the answer are too old.
func (s *shims) expired() bool { return s.command != "" && time.Since(s.asked) > shimAge }

// root is the GOROOT of the Go that a wrapper in PATH starts: those of goenv,
// asdf, mise and snap, or a script. It is empty if the wrapper does not lead to
// an installation with sources.
func (s *shims) root(env environ.Env, command string) string {
	stamp := project.StampOf(command)
	if s.command != command || s.stamp != stamp || s.expired() {
		*s = shims{command: command, stamp: stamp, asked: time.Now(), goroot: askGoroot(env, command)}
	}
	return s.goroot
}

// askGoroot runs "go env GOROOT" in an empty directory, where no project chooses
// another Go.
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
	// A wrapper may talk before it starts Go.
	lines := strings.Split(strings.TrimSpace(stdout.buffer.String()), "\n")
	if root := strings.TrimSpace(lines[len(lines)-1]); filepath.IsAbs(root) && isGoroot(root) {
		return filepath.Clean(root)
	}
	return ""
}
