package program

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/project"
)

const (
	// wrapperTimeout is the maximum run time of a wrapper.
	wrapperTimeout = 5 * time.Second
	// wrapperAge is how long the output of a wrapper is cached. It expires because docent
	// does not know which files configure a wrapper.
	wrapperAge = 10 * time.Minute
	// maxWrapperOutput is the maximum size in bytes of the output of a wrapper.
	maxWrapperOutput = 64 << 10
)

// A Wrapper is a program in PATH that starts the real tool, such as a script or a program of asdf,
// mise, goenv, snap or nix. It caches the directory that the tool prints, so that the program is
// started only once. The zero value is ready to use, and its methods may be called concurrently.
type Wrapper struct {
	mu          sync.Mutex
	command     string
	stamp       project.Stamp
	requestTime time.Time
	dir         string
}

// Directory returns the installation directory that command prints as its last
// line. It returns "" if the command fails or if valid rejects the directory.
// The command runs in an empty directory, so that no project selects another
// installation.
func (w *Wrapper) Directory(env []string, valid func(dir string) bool, command string, args ...string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stamp := project.StampOf(command); w.command != command || w.stamp != stamp || w.expired() {
		w.command, w.stamp, w.requestTime, w.dir = command, stamp, time.Now(), askWrapper(env, valid, command, args)
	}
	return w.dir
}

// Expired reports whether there is a cached answer that is too old, in which case the next call to
// Directory renews it.
func (w *Wrapper) Expired() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.command != "" && w.expired()
}

func (w *Wrapper) expired() bool { return time.Since(w.requestTime) > wrapperAge }

func askWrapper(env []string, valid func(dir string) bool, command string, args []string) string {
	ctx, cancel := context.WithTimeout(context.Background(), wrapperTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Env = env
	out, _, err := Output(cmd, maxWrapperOutput)
	if err != nil {
		return ""
	}
	// A wrapper may print other lines before it starts the tool.
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if dir := strings.TrimSpace(lines[len(lines)-1]); filepath.IsAbs(dir) && valid(dir) {
		return filepath.Clean(dir)
	}
	return ""
}
