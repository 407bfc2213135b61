package godoc

import (
	"go/token"
	"runtime"
	"strings"
	"testing"
)

func TestFilesWithTooManyTokensAreNotParsed(t *testing.T) {
	for name, src := range map[string]string{
		"functions":     strings.Repeat("func Aaaaaaaaaaaaaa(a int) int { return a }\n", 300_000),
		"constants":     "const (\nA = iota\n" + strings.Repeat("B\n", 2<<20) + ")",
		"an expression": "const A = 1" + strings.Repeat("+1", 4<<20),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		all, err := parseFiles(t.Context(), token.NewFileSet(), []*goFile{{path: "a.go", raw: []byte("package a\n" + src)}})
		runtime.ReadMemStats(&after)
		if err != nil || len(all) != 1 || all[0].syntax != nil || !strings.Contains(all[0].problem, "did not parse a.go, because the package has more than 2097152 tokens") {
			t.Errorf("%s: %v, %.200s", name, err, all[0].problem)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 100 {
			t.Errorf("%s: %d MB are allocated", name, got)
		}
	}
	few := []byte("package a\n" + strings.Repeat("// a comment\nfunc A() {}\n", 100_000))
	if all, err := parseFiles(t.Context(), token.NewFileSet(), []*goFile{{path: "a.go", raw: few}}); err != nil || all[0].syntax == nil {
		t.Errorf("%v, %s", err, all[0].problem)
	}
}
