package npm

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// tool writes a stand-in for a program to a new directory, and returns the directory.
func tool(t *testing.T, name, script string) string {
	t.Helper()
	bin := t.TempDir()
	filetest.Write(t, bin, map[string]string{name: "#!/bin/sh\n" + script + "\n"})
	if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
}

func TestDefaultRegistryIsAskedOfTheToolOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the one that stands in for npm in this test; to run it, use another system")
	}
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	w := newWorld(t)
	log := filepath.Join(t.TempDir(), "log")
	bin := tool(t, "npm", `echo "$COREPACK_ENABLE_NETWORK $(pwd)" >> `+log+`; [ "$1 $2 $3" = 'config get registry' ] && echo `+s.URL+"/")
	broken, hostile := tool(t, "pnpm", "exit 1"), t.TempDir()
	filetest.Write(t, hostile, map[string]string{"node_modules/.bin/npm": "#!/bin/sh\necho hostile >> " + log})
	if err := os.Chmod(filepath.Join(hostile, "node_modules", ".bin", "npm"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "PATH="+strings.Join([]string{"relative", filepath.Join(hostile, "node_modules", ".bin"), broken, bin, os.Getenv("PATH")}, string(os.PathListSeparator)))
	filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "@other:registry=https://other.example"})
	for range 2 {
		if p := describe(t, w.npm(), "till", "", w.project); symbols(p) != "coins" {
			t.Errorf("read %s", symbols(p))
		}
	}
	output, err := os.ReadFile(log)
	if err != nil || strings.Count(string(output), "\n") != 1 || !strings.HasPrefix(string(output), "0 ") || strings.Contains(string(output), w.project) {
		t.Errorf("npm was %q, %v", output, err)
	}
}

func TestStampedRegistryIsTheLastToBeTaken(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	buildDefault = s.URL
	defer func() { buildDefault = "" }()
	if p := describe(t, newWorld(t).npm(), "till", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
	other := newStub(t)
	failure(t, newWorld(t, "NPM_CONFIG_REGISTRY="+other.URL).npm(), "till", "")
	if len(other.requests()) == 0 {
		t.Error("what is configured was not asked")
	}
}
