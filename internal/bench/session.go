package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// session is a running `docent serve` to which raw lines are sent.
type session struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	nextID int
}

// open starts the server and waits for the initialize response.
func open(ctx context.Context, dir, docent string) (*session, time.Duration, error) {
	s := &session{cmd: exec.CommandContext(ctx, docent, "serve")}
	s.cmd.Dir = dir
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, 0, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	start := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, 0, err
	}
	_, err = s.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	took := time.Since(start)
	if err != nil {
		return nil, 0, errors.Join(err, s.close())
	}
	_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s, took, err
}

// ask sends one request and waits for its response.
func (s *session) ask(method, params string) ([]byte, error) {
	s.nextID++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.nextID, method, params); err != nil {
		return nil, err
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("no answer to %s: %w", method, err)
	}
	return line, nil
}

// calls measures tool calls after one warm-up call.
func (s *session) calls(n int, tool, arguments string) ([]time.Duration, error) {
	var times []time.Duration
	for i := range n + 1 {
		took, err := s.call(tool, arguments)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			times = append(times, took)
		}
	}
	return times, nil
}

// call calls a tool and returns how long that takes.
func (s *session) call(tool, arguments string) (time.Duration, error) {
	start := time.Now()
	answer, err := s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	took := time.Since(start)
	if err == nil && (bytes.Contains(answer, []byte(`"isError":true`)) || !bytes.Contains(answer, []byte(`"content":`))) {
		err = fmt.Errorf("%s failed: %.300s", tool, answer)
	}
	return took, err
}

// close closes the input and waits for the server to exit.
func (s *session) close() error {
	s.in.Close()
	return s.cmd.Wait()
}

func (s *session) process() int { return s.cmd.Process.Pid }

// resident returns the resident memory of a process in MiB, if the system
// reports it.
func resident(ctx context.Context, pid int) (mib float64, ok bool) {
	var text string
	if runtime.GOOS == "linux" {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, after, _ := strings.Cut(string(status), "VmRSS:")
		text, _, _ = strings.Cut(after, "kB")
	} else {
		out, _ := exec.CommandContext(ctx, "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
		text = string(out)
	}
	kib, err := strconv.Atoi(strings.TrimSpace(text))
	return float64(kib) / 1024, err == nil
}
