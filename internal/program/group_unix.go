//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of the context also kill the program's children: the
// go command runs git, and a wrapper runs the real tool.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
