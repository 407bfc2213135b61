// Package program runs the tools of the user's toolchains, such as go, rustc and
// npm, with bounds on time and output.
package program

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"time"
)

// maxStderr bounds the kept part of a program's error output, in bytes.
const maxStderr = 64 << 10

// ErrTooMuch is the error of a program that prints more than it may.
var ErrTooMuch = errors.New("it printed too much")

// Output runs cmd, which exec.CommandContext made, and returns its output. A
// program that prints more than limit bytes fails with ErrTooMuch; its error
// output is cut at 64 KiB. When the context ends, the program's children are
// killed with it. If cmd.Dir is empty, cmd runs in a new empty directory, where
// no project's settings apply.
func Output(cmd *exec.Cmd, limit int) (stdout, stderr []byte, err error) {
	if cmd.Dir == "" {
		dir, err := os.MkdirTemp("", "docent-")
		if err != nil {
			return nil, nil, err
		}
		defer os.RemoveAll(dir)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "PWD="+dir)
	}
	out, problems := &capped{left: limit, stop: true}, &capped{left: maxStderr}
	cmd.Stdout, cmd.Stderr = out, problems
	cmd.WaitDelay = time.Second
	killGroup(cmd)
	err = cmd.Run()
	if out.left < 0 {
		err = ErrTooMuch
	}
	return out.buffer.Bytes(), problems.buffer.Bytes(), err
}

// capped buffers what is written to it, up to a bound. The buffer is not
// embedded: io.Copy would use its ReadFrom, which has no bound.
type capped struct {
	buffer bytes.Buffer
	left   int  // below zero once there was more
	stop   bool // fail at the bound, which ends the program that writes
}

func (c *capped) Write(p []byte) (int, error) {
	part := p[:min(len(p), max(c.left, 0))]
	c.buffer.Write(part)
	if c.left -= len(p); c.left < 0 && c.stop {
		return len(part), ErrTooMuch
	}
	return len(p), nil
}
