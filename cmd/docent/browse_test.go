package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestBrowse_NeedsATerminal(t *testing.T) {
	got := docent("browse", "--project", t.TempDir())
	if got.code != exitFailure || !strings.Contains(got.err, "docent browse needs a terminal") || got.out != "" {
		t.Errorf("without a terminal: exit code %d, %q", got.code, got.err)
	}
}

func TestBrowse_Completion(t *testing.T) {
	dir := atelier(t)
	if got := docent("__complete", "browse", "--project", dir, "example.com/drawer", "Drawer.P"); !strings.Contains(got.out, "Drawer.Push\tmethod\n") {
		t.Errorf("completion offers %q", got.out)
	}
}

// tmuxSession is a program in a terminal of tmux.
type tmuxSession struct {
	t      *testing.T
	socket string
}

// tmux runs a command of tmux and returns its output.
func (s *tmuxSession) tmux(args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "tmux", append([]string{"-f", os.DevNull, "-S", s.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// shows waits until the screen contains all the strings.
func (s *tmuxSession) shows(texts ...string) {
	s.t.Helper()
	screen := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		screen = s.tmux("capture-pane", "-p")
		missing := false
		for _, text := range texts {
			missing = missing || !strings.Contains(screen, text)
		}
		if !missing {
			return
		}
	}
	s.t.Fatalf("the screen lacks one of %q:\n%s", texts, screen)
}

// tmuxDir returns the path of this program and a directory for the socket of tmux. The path of the
// socket must be short.
func tmuxDir(t *testing.T) (binary, dir string) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err = os.MkdirTemp("", "tmux") //nolint:usetesting // its directories have long paths
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return binary, dir
}

func TestBrowse_InATerminal(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed, and this test runs docent in its terminal; to run it, install tmux")
	}
	binary, dir := tmuxDir(t)
	s := &tmuxSession{t, filepath.Join(dir, "s")}
	script := filepath.Join(dir, "run.sh")
	if err := os.WriteFile(script, []byte("DOCENT_TEST_RUN=1 '"+binary+"' browse --offline --project '"+atelier(t)+"'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.tmux("new-session", "-d", "-x", "80", "-y", "24", "env", "PS1=ready ", "ENV=", "sh", "-i")
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run()
	})
	s.shows("ready")
	s.tmux("send-keys", ". "+script, "Enter")
	s.shows("Filter packages:", "example.com/drawer", "till", "easel", "brush", "ctrl+c quit")
	s.tmux("send-keys", "C-z")
	s.shows("Stopped", "ready")
	s.tmux("send-keys", "fg; echo the exit code is $?", "Enter")
	s.shows("Filter packages:", "example.com/drawer")
	s.tmux("send-keys", "drawer")
	s.shows("Filter packages: drawer", "▸ example.com/drawer")
	s.tmux("send-keys", "Enter")
	s.shows("example.com/drawer@v1.2.3", "Filter symbols:", "New makes a drawer")
	s.tmux("send-keys", "push", "Enter")
	s.shows("› Drawer.Push", "func (d *Drawer) Push(hard bool) error")
	s.tmux("send-keys", "s")
	s.shows("Push › source", "// Push pushes.")
	s.tmux("send-keys", "Escape")
	s.shows("› Drawer.Push", "Push pushes.", "s source")
	s.tmux("resize-window", "-x", "120", "-y", "40")
	s.tmux("send-keys", "Left")
	s.shows("Filter symbols: push", "│ Push pushes.")
	s.tmux("send-keys", "-l", "\x1b[<0;2;1M") // a click on ‹
	s.shows("Filter packages: drawer")
	s.tmux("send-keys", "C-c")
	s.shows("the exit code is 0")
	if screen := s.tmux("capture-pane", "-p"); strings.Contains(screen, "quit") || !strings.Contains(screen, "ready fg;") {
		t.Errorf("the screen is not as it was:\n%s", screen)
	}
}
