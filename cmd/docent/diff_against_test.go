package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// tagged creates a git repository with a directory's files and a tag.
func tagged(t *testing.T, dir, tag string) {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed, which makes the repository of this test; to run it, install git")
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "first"}, {"tag", tag}} {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"-c", "user.name=test", "-c", "user.email=test@example.com"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
}

func TestDiff_Against(t *testing.T) {
	for _, tt := range []struct {
		name, language, tag string
		before, now         map[string]string
		want                []string
	}{
		{
			"a Go module in a directory of the repository", "go", "lib/v1.2.0",
			map[string]string{"lib/go.mod": "module example.com/kiln\n\ngo 1.24\n", "lib/kiln.go": "package kiln\n\nfunc Fire(degrees int) {}\n", "lib/ash/ash.go": "package ash\n\nfunc Sweep() {}\n"},
			map[string]string{"lib/kiln.go": "package kiln\n\nfunc Fire(degrees int, fast bool) {}\n\nfunc Glow() {}\n", "lib/ash/ash.go": "package ash\n"},
			[]string{"# example.com/kiln lib/v1.2.0 → now\n", "requires a new major version, lib/v2.0.0: 2 changes break programs.", "- removed: func `example.com/kiln/ash: Sweep`", "parameter added fast (required)", "- added: `Glow`"},
		},
		{
			"an npm package", "npm", "v1.2.0",
			map[string]string{"lib/package.json": `{"name":"kiln","version":"1.2.0","types":"index.d.ts"}`, "lib/index.d.ts": "export declare function fire(degrees: number): void;\n"},
			map[string]string{"lib/index.d.ts": "export declare function fire(degrees: number): void;\nexport declare function glow(): void;\n"},
			[]string{"# kiln v1.2.0 → now\n", "requires a new minor version, v1.3.0: nothing breaks.", "- added: `glow`"},
		},
		{
			"a Rust crate", "rust", "0.3.0",
			map[string]string{"lib/Cargo.toml": "[package]\nname = \"kiln\"\nversion = \"0.3.0\"\n", "lib/src/lib.rs": "pub fn fire(degrees: u32) {}\npub fn cool() {}\n"},
			map[string]string{"lib/src/lib.rs": "pub fn fire(degrees: u32) {}\n"},
			[]string{"# kiln 0.3.0 → now\n", "requires a new minor version, 0.4.0: 1 change breaks programs.", "- removed: function `cool`"},
		},
		{
			"a Python distribution", "python", "v1.2.0",
			map[string]string{"lib/pyproject.toml": "[project]\nname = \"kiln\"\nversion = \"1.2.0\"\n", "lib/kiln/__init__.py": "def fire(degrees: int) -> None: ...\n"},
			map[string]string{"lib/kiln/__init__.py": "def fire(degrees: int, fast: bool = False) -> None: ...\n"},
			[]string{"# kiln v1.2.0 → now\n", "requires a new patch version, v1.2.1: nothing was added.", "parameter added fast"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := filetest.Dir(t, tt.before)
			tagged(t, top, tt.tag)
			old := filepath.Join(filetest.Dir(t, tt.before), "lib")
			filetest.Write(t, top, tt.now)
			temporary := t.TempDir()
			t.Setenv("TMPDIR", temporary)
			t.Chdir(filepath.Join(top, "lib"))
			for _, against := range []string{tt.tag, "HEAD", old} {
				got := docent("diff", "--offline", tt.language, ".", "--against", against)
				want := tt.want
				if against != tt.tag {
					want = tt.want[2:] // the version is unknown
				}
				for _, part := range want {
					if got.code != exitOK || !strings.Contains(got.out, part) {
						t.Errorf("%s: code %d, no %q in\n%s%s", against, got.code, part, got.out, got.err)
					}
				}
			}
			if rest, err := os.ReadDir(temporary); err != nil || len(rest) > 0 {
				t.Errorf("left behind: %v, %v", rest, err)
			}
		})
	}
}

func TestDiff_AgainstNothing(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/kiln\n\ngo 1.24\n", "kiln.go": "package kiln\n\nfunc Fire() {}\n"}
	top := filetest.Dir(t, files)
	tagged(t, top, "v1.2.0")
	later := maps.Clone(files)
	later["later/go.mod"], later["later/later.go"] = "module example.com/later\n\ngo 1.24\n", "package later\n\nfunc Fire() {}\n"
	filetest.Write(t, top, later)
	t.Chdir(top)
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"go . --against v9.9.9", exitNotFound, "the revision v9.9.9 cannot be found"},
		{"go . --against ./gone", exitNotFound, "there is no directory"},
		{"go ./later --against v1.2.0", exitNotFound, "the revision v1.2.0 has no directory later"},
		{"go example.com/kiln --against v1.2.0", exitUsage, "specify its directory"},
		{"go . --against v1.2.0 --used", exitUsage, "[against used]"},
	} {
		got := docent(append([]string{"diff", "--offline"}, strings.Fields(tt.args)...)...)
		if got.code != tt.code || !strings.Contains(got.err, tt.want) {
			t.Errorf("%s: code %d, want %d: %s", tt.args, got.code, tt.code, got.err)
		}
	}
	t.Chdir(filetest.Dir(t, files))
	if got := docent("diff", "--offline", "go", ".", "--against", "v1.2.0"); got.code != exitUsage || !strings.Contains(got.err, "not in a git repository") {
		t.Errorf("without a repository: code %d, %s", got.code, got.err)
	}
}
