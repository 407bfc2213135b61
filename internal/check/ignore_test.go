package check

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestIgnore(t *testing.T) {
	for _, test := range []struct {
		dir, lines string
		ignored    string // expected names; a trailing slash indicates a directory
		rest       string
	}{
		{".", "a.go", "a.go d/a.go d/e/a.go", "b.go aa.go"},
		{".", "/a.go", "a.go", "d/a.go"},
		{".", "d/a.go", "d/a.go", "e/d/a.go"},
		{".", "gen/", "gen/ d/gen/", "gen"},
		{".", "*.pb.go", "x.pb.go d/x.pb.go", "pb.go"},
		{".", "d/*", "d/a.go d/e/", "d/e/a.go d/"},
		{".", "d/**", "d/a.go d/e/a.go", "d/"},
		{"d", "/**", "d/a.go d/e/", "d/"},
		{".", "**/d/a.go", "d/a.go e/d/a.go", "a.go"},
		{".", "d/**/a.go", "d/a.go d/e/f/a.go", "a.go"},
		{".", "*.go\n!keep.go", "a.go", "keep.go d/keep.go"},
		{".", "!a.go\na.go", "a.go", ""},
		{".", "# a.go\n\n   \n", "", "a.go"},
		{".", `\#a`, "#a", "a"},
		{".", `\!a`, "!a", "a"},
		{".", "a.go  ", "a.go", "a.go\u00a0"},
		{".", `a\ ` + "  ", "a\u0020", "a"},
		{".", "a.go\r\nb.go\r", "a.go b.go", ""},
		{".", "[a-c].go", "a.go c.go", "d.go"},
		{".", "[!a-c].go", "d.go", "a.go"},
		{".", "a?.go", "ab.go", "a.go a/.go"},
		{".", "{a,b}.go", "{a,b}.go", "a.go"},
		{".", "[a.go", "", "a.go [a.go"},
		{".", `a.go\`, "", "a.go"},
		{"in", "/a.go", "in/a.go", "a.go in/d/a.go"},
		{"in", "a.go", "in/a.go in/d/a.go", "a.go"},
		{"i*", "a.go", "i*/a.go", "in/a.go"},
	} {
		var rules ignoreRules
		for line := range strings.SplitSeq(test.lines, "\n") {
			if rule, ok := parseIgnoreRule(line, test.dir); ok {
				rules = append(rules, rule)
			}
		}
		check := func(names string, want bool) {
			for name := range strings.SplitSeq(names, " ") {
				if name == "a" && strings.HasPrefix(test.lines, `a\ `) && want {
					name = "a "
				}
				if bare, isDir := strings.CutSuffix(name, "/"); name != "" && rules.ignored(bare, isDir) != want {
					t.Errorf("%q in %s: ignored is %v for %q", test.lines, test.dir, !want, name)
				}
			}
		}
		check(test.ignored, true)
		check(test.rest, false)
	}
}

var besideOthers = regexp.MustCompile(`[^/!]\*\*|\*\*[^/ ]`)

// TestIgnore_AsGit compares the results for random rules and names with those of git.
func TestIgnore_AsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and this test compares the rules with git check-ignore; to run it, install git")
	}
	dir := t.TempDir()
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "core.quotePath=false", "-c", "core.ignoreCase=false", "-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("", "init", "-q")
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	compared := 0
	for range 100 {
		var file strings.Builder
		for range 1 + random.IntN(4) {
			line := pick("", "", "", "!") + pick("", "", "/", "**/")
			for i := range 1 + random.IntN(3) {
				if i > 0 {
					line += pick("/", "/", "/**/", "")
				}
				line += pick("a", "b", "ab", "*", "a*", "?", "[ab]", "[!a]", `\a`, "{a,b}", "*b", "**", "a.", " ", "#")
			}
			line += pick("", "", "/", "/**", " ", `\ `, "/*")
			// According to gitignore(5), consecutive asterisks are regular asterisks, but git
			// allows some of them to match a slash.
			if !besideOthers.MatchString(line) {
				file.WriteString(line + "\n")
			}
		}
		in := pick(".", ".", "a", "a/b")
		for _, sub := range []string{"a/b/a", "a/ab", "b/a/b", "ab/a"} {
			if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		ignoreFile := filepath.Join(dir, in, ".gitignore")
		if err := os.WriteFile(ignoreFile, []byte(file.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		rules := ignoreRules(nil).below(os.DirFS(dir), in)
		var names []string
		for _, base := range []string{"", "a/", "a/b/", "a/ab/", "b/", "b/a/"} {
			for _, name := range []string{"a", "b", "ab", "ba", "a.", "{a,b}", "#", "a b", "c"} {
				names = append(names, base+name)
			}
		}
		want := map[string]bool{}
		for line := range strings.SplitSeq(git(strings.Join(names, "\n"), "check-ignore", "--no-index", "--stdin"), "\n") {
			want[line] = true
		}
		for _, name := range names {
			info, err := os.Stat(filepath.Join(dir, name))
			got := rules.ignored(name, err == nil && info.IsDir())
			for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
				got = got || rules.ignored(parent, true) // walk does not enter this directory
			}
			if got != want[name] {
				t.Errorf("with %q in %s, %q is ignored: %v, git says %v", &file, in, name, got, want[name])
			}
			compared++
		}
		if err := os.Remove(ignoreFile); err != nil {
			t.Fatal(err)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d names were compared", compared)
	}
}

func FuzzIgnoreRule(f *testing.F) {
	f.Add("!/a/**/[b-d]*/", "in", "in/a/b/c")
	f.Add(`\ \ `, ".", " ")
	f.Add("{**", "[", "[/x")
	f.Fuzz(func(_ *testing.T, line, dir, name string) {
		if rule, ok := parseIgnoreRule(line, dir); ok {
			ignoreRules{rule}.ignored(name, true)
		}
	})
}
