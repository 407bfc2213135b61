package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
)

// shopPath is the length of the path of the project in testdata/shop when its commands run. Lines
// that contain the path then have the same length on all machines.
const shopPath = 48

// newShop returns a terminal in a copy of testdata/shop. docent is in PATH.
func newShop(t *testing.T, size string) (s *tmuxSession, project string) {
	t.Helper()
	for _, name := range []string{"tmux", "less"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed, and this test captures the screens of docent with it; to run it, install %s", name, name)
		}
	}
	binary, dir := tmuxDir(t)
	if len(dir) > shopPath-2 {
		t.Skipf("the path %s is too long, so its lines would break elsewhere than in the golden files; to run this test, set TMPDIR to a shorter path", dir)
	}
	project = dir + "/" + strings.Repeat("p", shopPath-1-len(dir))
	if err := os.CopyFS(project, os.DirFS("testdata/shop")); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nDOCENT_TEST_RUN=1 exec '%s' \"$@\"\n", binary)
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", "docent"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	s = &tmuxSession{t, filepath.Join(dir, "s")}
	columns, lines, _ := strings.Cut(size, "x")
	// Without a network, packages that are not installed are missing at once, so that no screen depends on time.
	s.tmux("new-session", "-d", "-x", columns, "-y", lines, "-c", project, "env", "-u", "CI", "-u", "NO_COLOR", "-u", "PAGER", "-u", "DOCENT_PAGER", "-u", "LESS",
		"PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "DOCENT_OFFLINE=1", "DOCENT_CACHE="+filepath.Join(dir, "cache"), "PS1=$ ", "ENV=", "sh", "-i")
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	s.shows("$")
	// Before the first command is typed, the screen must not look as run expects it to.
	s.tmux("send-keys", "echo ready", "Enter")
	s.until("echo ready", func(lines []string) bool { return len(lines) > 1 && lines[len(lines)-1] == "$" })
	return s, project
}

// run types a command, waits until it has ended or its pager waits for a key, and returns the
// screen.
func (s *tmuxSession) run(command string) (screen string, paging bool) {
	s.t.Helper()
	s.tmux("send-keys", "clear", "Enter")
	s.until(command, func(lines []string) bool { return len(lines) == 1 && lines[0] == "$" })
	s.tmux("send-keys", "-l", command)
	s.tmux("send-keys", "Enter")
	return s.until(command, func(lines []string) bool {
		last := lines[len(lines)-1]
		paging = last == ":" || last == "(END)"
		return paging || len(lines) > 1 && last == "$"
	}), paging
}

// until waits until ready returns true for the screen, and returns the screen.
func (s *tmuxSession) until(command string, ready func(lines []string) bool) string {
	s.t.Helper()
	screen := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		screen = strings.TrimRight(s.tmux("capture-pane", "-p"), "\n ") + "\n"
		lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if ready(lines) {
			return strings.Join(lines, "\n") + "\n"
		}
	}
	s.t.Fatalf("%s does not end:\n%s", command, screen)
	return ""
}

func TestTerminal_Screens(t *testing.T) {
	for _, size := range []string{"80x24", "120x40"} {
		t.Run(size, func(t *testing.T) {
			s, project := newShop(t, size)
			for _, c := range []struct{ name, command string }{
				{"overview", "docent describe example.com/oven"},
				{"overview-brief", "docent describe example.com/oven --brief"},
				{"symbol", "docent describe example.com/oven Oven.Bake"},
				{"symbols", "docent describe example.com/oven New,Duration,Oven.Toast"},
				{"search", "docent search example.com/oven 'bake bread'"},
				{"result", "docent describe 2"},
				{"search-all", "docent search --all 'feed the culture'"},
				{"search-nothing", "docent search example.com/oven zzzz"},
				{"source", "docent source example.com/oven Oven.Bake"},
				{"deps", "docent deps"},
				{"diff", "docent diff . --against ./old"},
				{"check", "docent check"},
				{"did-you-mean", "docent describe example.com/oven oven.bake"},
				{"no-symbol", "docent describe example.com/oven Oven.Bakes"},
				{"no-command", "docent describ example.com/oven"},
				{"help", "docent source --help"},
			} {
				screen, paging := s.run(c.command)
				if paging {
					s.tmux("send-keys", "q")
				}
				screen = strings.ReplaceAll(screen, project, "/home/me/"+strings.Repeat("s", shopPath-len("/home/me/")))
				filetest.Golden(t, filepath.Join("testdata", "terminal", size, c.name+".txt"), screen)
			}
		})
	}
}

func TestTerminal_Pager(t *testing.T) {
	s, _ := newShop(t, "80x24")
	first, paging := s.run("docent describe example.com/oven")
	if !paging || !strings.HasPrefix(first, "example.com/oven@v1.4.0\n") {
		t.Fatalf("what is higher than the screen does not begin at its top, in the pager:\n%s", first)
	}
	s.tmux("send-keys", "Space")
	s.until("the next page", func(lines []string) bool { return lines[0] != "example.com/oven@v1.4.0" })
	s.tmux("send-keys", "-l", "/Duration returns")
	s.tmux("send-keys", "Enter")
	s.shows("Duration returns how long dough bakes")
	s.tmux("send-keys", "G")
	s.shows("(END)")
	s.tmux("send-keys", "q")
	s.until("q", func(lines []string) bool { return lines[len(lines)-1] == "$" })
	if fits, paging := s.run("docent describe example.com/yeast"); paging || !strings.HasPrefix(fits, "$ docent describe example.com/yeast\n") {
		t.Errorf("what fits is not written as it is:\n%s", fits)
	}
	if plain, paging := s.run("docent describe example.com/oven | head -n 1"); paging || !strings.HasSuffix(plain, "\n# example.com/oven@v1.4.0\n$\n") {
		t.Errorf("a pipe gets\n%s", plain)
	}
	s.tmux("send-keys", "export DOCENT_PAGER=cat", "Enter")
	if whole, paging := s.run("docent describe example.com/oven"); paging || !strings.HasSuffix(whole, "\n$\n") {
		t.Errorf("without a pager, the screen is\n%s", whole)
	}
	s.tmux("send-keys", "export DOCENT_PAGER=docent-no-such-pager", "Enter")
	if whole, paging := s.run("docent describe example.com/oven"); paging || !strings.HasSuffix(whole, "\n$\n") {
		t.Errorf("with a pager that is not installed, the screen is\n%s", whole)
	}
}
