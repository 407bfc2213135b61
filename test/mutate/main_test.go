package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `package sample

// Limit is the largest even number that is small.
const Limit = 10

func Small(n int) bool {
	if n < 0 || n > Limit {
		return false
	}
	return n%2 == 0
}

func Count(words []string) (n int, kind string) {
	for range words {
		n++
	}
	return n, "words"
}

func Unused(n int) int { return n + 1 }
`

const sampleTest = `package sample

import "testing"

func TestSmall(t *testing.T) {
	for n, want := range map[int]bool{-2: false, 4: true, 5: false, 12: false} {
		if Small(n) != want {
			t.Error(n)
		}
	}
}

func TestCount(t *testing.T) {
	if n, kind := Count([]string{"a", "b"}); n != 2 || kind != "words" {
		t.Error(n, kind)
	}
}

func TestFails(t *testing.T) { t.Error("always") }
`

func TestWhatNoTestNoticesIsReported(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module sample\n\ngo 1.26\n", "sample.go": sample, "sample_test.go": sampleTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	var out strings.Builder
	if err := run(t.Context(), &settings{pkg: dir, workers: 2, slowest: 1 << 40}, &out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(got)
	// No test tries 0, 10 and 11, the boundaries of Small, nor calls Unused.
	want := []string{
		"16 changes: 10 noticed, 0 of them by not ending; 4 survived; 2 that no test reaches",
		"not run: TestFails: it fails without a change",
		"sample.go:20:33: reached by no test: returns no n + 1 (0 tests reach it)",
		"sample.go:20:37: reached by no test: 1 is one more (0 tests reach it)",
		"sample.go:7:14: survived: n > Limit with its boundary moved (1 tests reach it)",
		"sample.go:7:18: survived: Limit is one more (1 tests reach it)",
		"sample.go:7:5: survived: n < 0 with its boundary moved (1 tests reach it)",
		"sample.go:7:9: survived: 0 is one more (1 tests reach it)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestChangedLinesAreThoseThatADiffAdds(t *testing.T) {
	lines := changedLines("--- a/mcp/x.go\n+++ b/mcp/x.go\n@@ -1,2 +3,2 @@ func\n+a\n+b\n@@ -9 +10 @@\n+c\n@@ -20,2 +19,0 @@\n-d\n+++ b/y.go\n@@ -0,0 +1 @@\n+z\n")
	if len(lines["x.go"]) != 3 || !lines["x.go"][3] || !lines["x.go"][4] || !lines["x.go"][10] || len(lines["y.go"]) != 1 || !lines["y.go"][1] {
		t.Errorf("%v", lines)
	}
}
