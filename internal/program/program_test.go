package program

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// script writes a shell script and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the program of this test; to run it, use another system")
	}
	file := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestOutput(t *testing.T) {
	run := func(text string) (string, string, error) {
		out, problems, err := Output(exec.CommandContext(t.Context(), script(t, text)), 100)
		return string(out), string(problems), err
	}
	if out, problems, err := run("ls; echo $PWD | grep -c docent-; echo no >&2"); out != "1\n" || problems != "no\n" || err != nil {
		t.Errorf("in an empty directory: %q, %q, %v", out, problems, err)
	}
	if _, _, err := run("while :; do echo yes; done"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("a program that prints without end: %v", err)
	}
	if _, problems, err := run("head -c 1000000 /dev/zero >&2"); len(problems) != maxStderr || err != nil {
		t.Errorf("a program that complains without end: %d bytes, %v", len(problems), err)
	}
	var exit *exec.ExitError
	if _, _, err := run("exit 3"); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("a program that fails: %v", err)
	}
}

// TestChildrenEndWithTheContext passes a pipe to a program and its child, and
// reads it until both are gone.
func TestChildrenEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, script(t, "(echo started >&3; sleep 600) & wait\n"))
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	done := make(chan error)
	go func() {
		_, _, err := Output(cmd, 100)
		done <- err
	}()
	if _, err := io.ReadFull(r, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("no error")
	}
	w.Close()
	if rest, err := io.ReadAll(r); len(rest) > 0 || err != nil {
		t.Errorf("got %q, %v", rest, err)
	}
}

func TestAWrapperIsAskedAgainAfterItsAge(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	command := script(t, "echo asked >> "+log+"; echo /opt/tool\n")
	synctest.Test(t, func(t *testing.T) {
		var w Wrapper
		valid := func(dir string) bool { return dir == "/opt/tool" }
		for _, want := range []int{1, 1, 2} {
			if dir := w.Directory(os.Environ(), valid, command); dir != "/opt/tool" {
				t.Fatalf("got %q", dir)
			}
			if text, err := os.ReadFile(log); err != nil || strings.Count(string(text), "asked") != want {
				t.Errorf("asked %q, %v, want %d times", text, err, want)
			}
			time.Sleep(wrapperAge/2 + time.Second)
		}
	})
}
