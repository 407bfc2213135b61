//go:build !unix

package mcp

import "os/exec"

func ownGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd, kill bool) {
	if kill {
		_ = cmd.Process.Kill() // ignored, because the process may have ended
	}
}
