package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestEveryLanguageHasPackagesWithTasks(t *testing.T) {
	packages, err := loadPackages("testdata", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range languages {
		mine := ofLanguage(packages, name)
		if len(mine) < 3 {
			t.Errorf("%s has %d packages, want at least 3", name, len(mine))
		}
		long := 0
		for _, p := range mine {
			tasks := 4
			for _, r := range p.Installed {
				if r.Generate != "" {
					tasks = 6 // the clients of services are long
				}
				if r.Generate != "" && lines(generated(t, r.Generate)) > 20_000 {
					long++
				}
			}
			if len(p.tasks) != tasks {
				t.Errorf("%s has %d tasks, want %d", p.name, len(p.tasks), tasks)
			}
		}
		if long < 1 {
			t.Errorf("%s has no package of more than 20,000 lines", name)
		}
	}
}

func generated(t *testing.T, name string) map[string][]byte {
	t.Helper()
	files, err := generate(name)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func lines(files map[string][]byte) int {
	n := 0
	for _, text := range files {
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}

func TestGeneratorsWriteTheSameAgain(t *testing.T) {
	for name := range generators {
		if !maps.EqualFunc(generated(t, name), generated(t, name), bytes.Equal) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestMistakesAreMadeOfTheRightSolution(t *testing.T) {
	got, err := mistakes("a(1)\nb(2)\n", "1 ==> 3\nb(2) ==> \n")
	if want := []string{"a(3)\nb(2)\n", "a(1)\n\n"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, text := range []string{"", "4 ==> 5\n", "1 => 2\n"} {
		if _, err := mistakes("a(1)", text); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}

func TestAskLogsEachCallWithItsBytes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed, which runs the script ask of this test; to run it, install bash")
	}
	dir := t.TempDir()
	shell := &trial{Source: "shell"}
	if err := os.Mkdir(filepath.Join(dir, "project"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ask"), []byte(shell.script([]string{"WORD=it's"})), 0o755); err != nil {
		t.Fatal(err)
	}
	ask := func(command string) string {
		out, _ := exec.Command("bash", filepath.Join(dir, "ask"), command).CombinedOutput()
		return string(out)
	}
	if got := ask(`printf '%s é' "$WORD"`); got != "it's é" {
		t.Errorf("%q", got)
	}
	if got := ask("printf abc\nprintf def >&2; exit 3"); got != "abcdef" {
		t.Errorf("%q", got)
	}
	calls, size, err := readLog(filepath.Join(dir, logName))
	if calls != 2 || size != len("it's é")+len("abcdef") || err != nil {
		t.Errorf("%d calls, %d bytes, %v", calls, size, err)
	}
}

func TestAFolderWithoutALogHadNoCalls(t *testing.T) {
	calls, size, err := readLog(filepath.Join(t.TempDir(), logName))
	if calls != 0 || size != 0 || err != nil {
		t.Error(calls, size, err)
	}
}

func TestTellingNamesTheFailure(t *testing.T) {
	for out, want := range map[string]string{
		"# app/x\n./solve.go:3: undefined: a\n":                         "./solve.go:3: undefined: a",
		"--- FAIL: TestX (0.00s)\n    hidden_test.go:9: 3\nFAIL\n":      "hidden_test.go:9: 3",
		"node:internal\n\nAssertionError [ERR]: Expected\n    at x.mjs": "AssertionError [ERR]: Expected",
	} {
		if got := telling(out); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
