// Package program runs the tools of the user's toolchains, such as go, rustc and npm, with limits
// on time and output.
package program

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"time"
)

// maxStderr is the maximum number of bytes of a program's error output that are kept.
const maxStderr = 64 << 10

// ErrTooMuch is the error for a program that prints more than the limit.
var ErrTooMuch = errors.New("it printed too much")

// Output runs cmd, which was made by exec.CommandContext, and returns its
// output. If a program prints more than limit bytes, the error is ErrTooMuch;
// its error output is cut at 64 KiB. When the context ends, the program is
// killed with its children. If cmd.Dir is empty, cmd runs in a new empty
// directory, so that no project's settings apply.
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
	out, problems := &capped{remaining: limit, stop: true}, &capped{remaining: maxStderr}
	cmd.Stdout, cmd.Stderr = out, problems
	cmd.WaitDelay = time.Second
	killGroup(cmd)
	err = cmd.Run()
	if out.remaining < 0 {
		err = ErrTooMuch
	}
	return out.buffer.Bytes(), problems.buffer.Bytes(), err
}

// capped is a buffer with a maximum size. bytes.Buffer is not embedded, because io.Copy
// would use its ReadFrom, which has no limit.
type capped struct {
	buffer    bytes.Buffer
	remaining int  // remaining bytes; below zero once more was written
	stop      bool // whether to fail at the maximum, which ends the program
}

func (c *capped) Write(p []byte) (int, error) {
	part := p[:min(len(p), max(c.remaining, 0))]
	c.buffer.Write(part)
	if c.remaining -= len(p); c.remaining < 0 && c.stop {
		return len(part), ErrTooMuch
	}
	return len(p), nil
}
