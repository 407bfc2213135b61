//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the leader of a new process group, so that it can be ended together with the
// processes that it starts.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup sends a signal to the process group of cmd: SIGKILL if kill is true,
// else SIGTERM.
func endGroup(cmd *exec.Cmd, kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // ignored, because the process may have ended
}
