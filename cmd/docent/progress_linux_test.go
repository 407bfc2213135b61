package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// newPTY returns both ends of a terminal of 120 columns.
func newPTY(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine has no pseudo-terminals, in which the test runs docent; to run it, mount devpts: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	var number, unlocked uint32
	size := struct{ lines, columns, _, _ uint16 }{40, 120, 0, 0}
	for request, argument := range map[uintptr]unsafe.Pointer{
		syscall.TIOCSPTLCK: unsafe.Pointer(&unlocked), syscall.TIOCGPTN: unsafe.Pointer(&number), syscall.TIOCSWINSZ: unsafe.Pointer(&size),
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(argument)); errno != 0 {
			t.Fatal(errno)
		}
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return master, terminal
}

// process is docent fetch in a separate process.
type process struct {
	*exec.Cmd
	terminal *os.File // nil if it writes to pipes
	out      waitingFor
}

// fetchOf starts docent fetch in the project, on a terminal or with pipes. Its output is complete
// when wait returns.
func (d *depot) fetchOf(onTerminal bool, text string, env ...string) (p *process, wait func()) {
	d.t.Helper()
	p = &process{Cmd: exec.CommandContext(d.t.Context(), os.Args[0], "fetch", "npm"), out: waitingFor{text: text, seen: make(chan struct{})}}
	p.Dir = d.project
	p.Env = append(os.Environ(), append([]string{
		"DOCENT_TEST_RUN=1", "DOCENT_OFFLINE=", "CI=", "TERM=xterm-256color", "HOME=" + d.t.TempDir(), "DOCENT_CACHE=" + d.t.TempDir(),
	}, env...)...)
	copied := make(chan struct{})
	if onTerminal {
		var master *os.File
		master, p.terminal = newPTY(d.t)
		p.Stdout, p.Stderr = p.terminal, p.terminal
		go func() {
			defer close(copied)
			var b [4096]byte
			for {
				n, err := master.Read(b[:])
				_, _ = p.out.Write(b[:n])
				if err != nil { // EIO after the process has ended
					return
				}
			}
		}()
	} else {
		p.Stdout, p.Stderr = &p.out, &p.out
		close(copied)
	}
	if err := p.Start(); err != nil {
		d.t.Fatal(err)
	}
	return p, func() {
		d.t.Helper()
		err := p.Wait()
		if p.terminal != nil {
			p.terminal.Close()
		}
		<-copied
		if err != nil {
			d.t.Errorf("docent fetch: %v: %q", err, p.out.String())
		}
	}
}

func TestProgress_OfADownload(t *testing.T) {
	d := newDepot(t)
	slow, requested := make(chan struct{}), make(chan struct{}, 10)
	d.mu.Lock()
	d.slow, d.requested = slow, requested
	d.mu.Unlock()
	var quiet []*process
	var waits []func()
	for _, env := range [][]string{nil, {"TERM=dumb"}, {"CI=true"}} { // the first process uses pipes
		p, wait := d.fetchOf(env != nil, "", env...)
		quiet, waits = append(quiet, p), append(waits, wait)
	}
	for range quiet {
		<-requested
	}
	// While these processes wait for the registry, another one starts. After it has read the other
	// packages and half a second has passed, it shows its progress.
	p, wait := d.fetchOf(true, ": 3 of 4 · Reading remote · downloaded ")
	select {
	case <-p.out.seen:
	case <-time.After(time.Minute):
		t.Error("no progress is shown")
	}
	close(slow)
	wait()
	shown := p.out.String()
	if want := regexp.MustCompile(`\r█{15}░{5} Reading packages: 3 of 4 · Reading remote · downloaded \d+ bytes of \d+ bytes\x1b\[K`); !want.MatchString(shown) {
		t.Errorf("the terminal does not show the download: %q", shown)
	}
	if !strings.HasSuffix(shown, "\r\x1b[KRead 4 of 4 packages.\r\n") {
		t.Errorf("the line is not removed: %q", shown)
	}
	for i, wait := range waits {
		wait()
		if got := strings.ReplaceAll(quiet[i].out.String(), "\r\n", "\n"); got != "Read 4 of 4 packages.\n" {
			t.Errorf("%d: without a terminal that shows progress, the output is %q", i, got)
		}
	}
}
