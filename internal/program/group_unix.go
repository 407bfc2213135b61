//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// killGroup configures cmd so that the end of its context also kills the program's children. For
// example, the go command runs git, and a wrapper runs the real tool.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
