package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A CommandTransport starts a server as a command and communicates over the command's standard
// input and output (specification: Transports, stdio). Each client that connects with a
// CommandTransport starts its own process. It starts a second one if the first exits instead of
// answering server/discover.
//
// Close closes the server's input and waits for it to exit. If the server does not exit, all
// processes of its group get SIGTERM and finally SIGKILL. On Windows, the server is killed.
type CommandTransport struct {
	// Command is the program, looked up in PATH; Args are its arguments. No
	// shell is involved.
	Command string
	Args    []string
	// Dir is the working directory; empty means the client's own.
	Dir string
	// Env contains environment variables of the form "NAME=value", in addition to those that all
	// programs need, such as PATH and HOME. Other variables of the client's own environment, which
	// can contain secrets, are passed on only with InheritEnv.
	Env        []string
	InheritEnv bool

	// Stderr receives the server's standard error, and StderrLine receives each line of it,
	// truncated to 64 KiB. Both are optional. If the server exits, the error contains the last
	// line.
	Stderr     io.Writer
	StderrLine func(line string)

	// ExitTimeout is the time limit for the server to exit after its input has been closed; default
	// 3 seconds. TermTimeout is the time limit after SIGTERM; default 2 seconds.
	ExitTimeout time.Duration
	TermTimeout time.Duration

	// If Restart is true, a server that has exited is restarted before the next request, with an
	// increasing delay if it keeps exiting immediately. Requests in flight fail. Subscriptions
	// continue.
	Restart bool

	memory memory
}

func (t *CommandTransport) redials() bool       { return t.Restart }
func (t *CommandTransport) remembered() *memory { return &t.memory }

// neededEnv contains the names of the variables that every server gets.
var neededEnv = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR", "TZ",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES",
	"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE"}

func (t *CommandTransport) environ() []string {
	if t.InheritEnv {
		return append(os.Environ(), t.Env...)
	}
	var env []string
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		// the value is a shell function, which contains code
		if slices.Contains(neededEnv, strings.ToUpper(name)) && !strings.HasPrefix(value, "()") {
			env = append(env, entry)
		}
	}
	return append(env, t.Env...)
}

func (t *CommandTransport) dials() []dialer { return []dialer{t.start} }

// process is a server that was started as a command.
type process struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	stdout io.Closer
	stderr io.Closer
	log    sync.WaitGroup // waits until stderr has been read
	exited chan struct{}  // closed when the process has exited
	err    error          // error of Wait; valid once exited is closed

	mu   sync.Mutex
	last string // the last line that was written to stderr
}

func (t *CommandTransport) start(_ context.Context, cc *clientConn) (link, error) {
	if t.Command == "" {
		return nil, errors.New("a CommandTransport needs a Command")
	}
	cmd := exec.Command(t.Command, t.Args...) //nolint:noctx // the caller's own command, which lives until Close
	cmd.Dir, cmd.Env = t.Dir, t.environ()
	ownGroup(cmd)
	var ends []io.Closer // ends of pipes that fail closes
	fail := func(err error) (link, error) {
		for _, end := range ends {
			end.Close()
		}
		return nil, fmt.Errorf("starting the server %q: %w", t.Command, err)
	}
	stdin, in, err := pipeEnds(&ends)
	if err != nil {
		return fail(err)
	}
	out, stdout, err := pipeEnds(&ends)
	if err != nil {
		return fail(err)
	}
	logs, stderr, err := pipeEnds(&ends)
	if err != nil {
		return fail(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	stdin.Close()
	stdout.Close()
	stderr.Close()
	p := &process{cmd: cmd, stdin: in, stdout: out, stderr: logs, exited: make(chan struct{})}
	p.log.Go(func() { p.readLog(logs, t) })
	go func() {
		p.err = cmd.Wait()
		close(p.exited)
	}()
	l := newPipeLink(cc, out, in, func() error { return p.stop(t) })
	l.ended = func(err error) error { return p.why(t, err) }
	return l, nil
}

// pipeEnds creates a pipe, adds its ends to ends, and returns them.
func pipeEnds(ends *[]io.Closer) (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err == nil {
		*ends = append(*ends, r, w)
	}
	return r, w, err
}

// maxLogLine is the maximum length in bytes of a line of stderr. Longer lines are truncated.
const maxLogLine = 64 << 10

func (p *process) readLog(r io.Reader, t *CommandTransport) {
	if t.Stderr != nil {
		r = io.TeeReader(r, t.Stderr)
	}
	lines := bufio.NewReaderSize(r, maxLogLine)
	for {
		line, isPrefix, err := lines.ReadLine()
		if err != nil {
			return
		}
		text := string(line)
		for isPrefix && err == nil { // skip the rest of a longer line
			_, isPrefix, err = lines.ReadLine()
		}
		if strings.TrimSpace(text) != "" {
			p.mu.Lock()
			p.last = clip(text, 512)
			p.mu.Unlock()
		}
		if t.StderrLine != nil {
			t.StderrLine(text)
		}
	}
}

// settling limits two waits: for a process to exit after it has closed its output, and for its
// output to end after it has exited.
const settling = 500 * time.Millisecond

// why returns the error for the end of the server's input or output, with its
// cause.
func (p *process) why(t *CommandTransport, err error) error {
	if !waitFor(p.exited, settling) {
		return fmt.Errorf("mcp: the server %q has closed its input or output: %w", t.Command, inner{err})
	}
	p.drainLog()
	how := "with status 0"
	if p.err != nil {
		how = "with " + p.err.Error()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != "" {
		return fmt.Errorf("mcp: the server %q has exited %s; it wrote last: %s", t.Command, how, p.last)
	}
	return fmt.Errorf("mcp: the server %q has exited %s", t.Command, how)
}

// drainLog waits until standard error has been read. A child process of the server that is still
// running may keep standard error open, so the wait is limited.
func (p *process) drainLog() {
	read := make(chan struct{})
	go func() {
		p.log.Wait()
		close(read)
	}()
	waitFor(read, settling)
}

// stop ends the process as described for CommandTransport. It returns an error if the process
// cannot be killed.
func (p *process) stop(t *CommandTransport) error {
	defer p.stderr.Close()
	defer p.drainLog()
	defer p.stdout.Close()
	p.stdin.Close()
	exit, term := t.ExitTimeout, t.TermTimeout
	defaultTo(&exit, 3*time.Second)
	defaultTo(&term, 2*time.Second)
	if waitFor(p.exited, exit) {
		endGroup(p.cmd, false) // end child processes that are still running
		return nil
	}
	if runtime.GOOS != "windows" {
		endGroup(p.cmd, false)
		if waitFor(p.exited, term) {
			return nil
		}
	}
	endGroup(p.cmd, true)
	if !waitFor(p.exited, term) {
		return fmt.Errorf("mcp: the server %q cannot be killed", t.Command)
	}
	return nil
}
