package check_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestChanged(t *testing.T) {
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed, which makes the repository of this test; to run it, install git")
	}
	const wrong = head + "var p = web.Fetch(\"x\")\n"
	dir := filetest.Dir(t, map[string]string{"app/old.go": wrong, "app/edited.go": head, "other/new.txt": ""})
	git := func(args ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), program, append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@host.example"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	filetest.Write(t, dir, map[string]string{"app/edited.go": wrong, "app/new.go": wrong})
	c := &check.Checker{Packages: web(), Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	for _, revision := range []string{"HEAD", "main"} {
		r, err := c.Changed(t.Context(), filepath.Join(dir, "app"), revision, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Files != 2 || len(r.Findings) != 2 || r.Findings[0].File != "edited.go" || r.Findings[1].File != "new.go" {
			t.Errorf("%s: %+v", revision, r)
		}
	}
	if r, err := c.Changed(t.Context(), dir, "HEAD", []string{filepath.Join(dir, "app", "new.go"), filepath.Join(dir, "app", "old.go"), filepath.Join(dir, "other")}); err != nil || r.Files != 1 {
		t.Errorf("of some paths: %+v, %v", r, err)
	}
	filetest.Write(t, dir, map[string]string{"app/old.go": strings.ReplaceAll(wrong, "\n", "\r\n"), "app/part/.git/HEAD": "", "app/part/below/part.go": wrong})
	if r, err := c.Changed(t.Context(), dir, "HEAD", nil); err != nil || r.Files != 2 {
		t.Errorf("with another repository and a file with other line ends: %+v, %v", r, err)
	}
	if _, err := c.Changed(t.Context(), dir, "gone", nil); err == nil {
		t.Error("a revision that does not exist is found")
	}
	if _, err := c.Changed(t.Context(), t.TempDir(), "HEAD", nil); err == nil {
		t.Error("a directory without a repository has changes")
	}
}
