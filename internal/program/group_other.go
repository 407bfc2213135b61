//go:build !unix

package program

import "os/exec"

// killGroup does nothing. Only the program itself is killed, and its children
// end when their output is closed.
func killGroup(*exec.Cmd) {}
