package rust

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	// shimPatience bounds how long a wrapper of the compiler may run.
	shimPatience = 5 * time.Second
	// shimAge is how long its answer is cached: docent does not know the files
	// that configure a wrapper.
	shimAge = 10 * time.Minute
	// maxSysroot bounds what it prints, in bytes.
	maxSysroot = 64 << 10
)

// compilers caches what a wrapper of rustc says, so that it is started once.
type compilers struct {
	mu      sync.Mutex
	command string
	stamp   project.Stamp
	asked   time.Time
	dir     string // empty if it gave none
}

// sysroot returns the sysroot of the compiler that a wrapper in PATH starts: a
// script, or that of asdf, mise or nix. It is empty if the wrapper leads to no
// toolchain.
func (c *compilers) sysroot(env environ.Env, command string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if stamp := project.StampOf(command); c.command != command || c.stamp != stamp || time.Since(c.asked) > shimAge {
		c.command, c.stamp, c.asked, c.dir = command, stamp, time.Now(), askSysroot(env, command)
	}
	return c.dir
}

// askSysroot runs "rustc --print sysroot" in an empty directory, where no
// project selects another compiler.
func askSysroot(env environ.Env, command string) string {
	dir, err := os.MkdirTemp("", "docent-rust-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), shimPatience)
	defer cancel()
	// The program is the compiler in the user's PATH.
	cmd := exec.CommandContext(ctx, command, "--print", "sysroot")
	cmd.Dir = dir
	cmd.Env = append(env.List(), "PWD="+dir, "RUSTUP_AUTO_INSTALL=0")
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(out, maxSysroot)) // Wait returns what failed
	out.Close()
	if cmd.Wait() != nil {
		return ""
	}
	// A wrapper may print other lines before it starts the compiler.
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if root := strings.TrimSpace(lines[len(lines)-1]); filepath.IsAbs(root) && isSysroot(root) {
		return filepath.Clean(root)
	}
	return ""
}
