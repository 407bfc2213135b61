package docserver

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

func TestComparePackageVersions(t *testing.T) {
	modules := filetest.Dir(t, map[string]string{
		"example.com/till@v1.0.0/go.mod":     "module example.com/till\n",
		"example.com/till@v1.0.0/till.go":    "package till\n\nfunc Count(n int) {}\n\nfunc Empty() {}\n",
		"example.com/till@v1.1.0/go.mod":     "module example.com/till\n",
		"example.com/till@v1.1.0/till.go":    "package till\n\nfunc Count(n int64) {}\n",
		"example.com/till/v2@v2.0.0/go.mod":  "module example.com/till/v2\n",
		"example.com/till/v2@v2.0.0/till.go": "package till\n\nfunc Count(n string) {}\n\nfunc Empty() {}\n",
		"cache/download/x.txt":               "",
	})
	dir := filetest.Dir(t, map[string]string{
		"go.mod":  "module example.com/app\n\ngo 1.26\n\nrequire example.com/till v1.0.0\n",
		"main.go": "package main\n\nimport \"example.com/till\"\n\nfunc main() { till.Count(1) }\n",
	})
	env := []string{"GOMODCACHE=" + modules, "HOME=" + t.TempDir()}
	cache := store.New(ecosystem.Languages{golang.New(ecosystem.Options{Offline: true, Env: env})}, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: dir}
	expectAnswers(t, s.compare, []toolCase[compareInput]{
		{"what the project uses", compareInput{Package: "example.com/till", NewVersion: "v1.1.0"}, "parameter type n: int → int64\n  used in main.go:5\n", false},
		{"the rest is counted", compareInput{Package: "example.com/till", NewVersion: "v1.1.0"}, "1 elsewhere: set symbol to * for them.", false},
		{"all", compareInput{Package: "example.com/till", NewVersion: "v1.1.0", Symbol: "*"}, "removed: func `Empty`\n", false},
		{"a symbol", compareInput{Package: "example.com/till", NewVersion: "v1.1.0", Symbol: "Empty"}, "1 change: 1 breaking", false},
		{"two versions", compareInput{Package: "example.com/till@v1.1.0", NewVersion: "v1.0.0", Symbol: "*"}, "- added: `Empty`\n", false},
		{"another name", compareInput{Package: "example.com/till", NewVersion: "example.com/till/v2@v2.0.0"}, "parameter type n: int → string", false},
		{"no such version", compareInput{Package: "example.com/till", NewVersion: "v9.0.0"}, "network access is disabled", true},
		{"no such symbol", compareInput{Package: "example.com/till", NewVersion: "v1.1.0", Symbol: "Emptie"}, "Empty", true},
		{"more than the limit", compareInput{Package: strings.Repeat("x", maxText+1)}, "more than the limit", true},
	})
}
