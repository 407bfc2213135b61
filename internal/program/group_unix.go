//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of the context kill the program's children as well. For
// example, the go command runs git, and a wrapper runs the real tool.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
