//go:build unix

package golang

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of the context kill the command's children too: the
// go command runs git and others.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
