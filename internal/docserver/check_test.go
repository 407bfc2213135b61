package docserver

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

func TestCheckCode(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"go.mod":  "module example.com/app\n\ngo 1.26\n",
		"main.go": "package main\n\nimport \"strings\"\n\nvar _ = strings.Contain(\"a\", \"b\")\n",
		"a/a.go":  "package a\n\nimport \"strings\"\n\nvar _ = strings.Contains(\"a\")\n",
		"b.txt":   "text",
	})
	cache := store.New(ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: dir}
	expectAnswers(t, s.check, []toolCase[checkInput]{
		{"a file", checkInput{Files: "main.go"}, "main.go:5:17: name: strings@", false},
		{"the right declaration", checkInput{Files: "main.go"}, "declared as Contains: func Contains(s, substr string) bool\n", false},
		{"several", checkInput{Files: "main.go, a", ProjectPath: dir}, "2 findings in 2 files", false},
		{"code", checkInput{Code: "import \"strings\"\nvar x = strings.Contain(\"a\", \"b\")", Language: "go"}, "snippet.go:2:17: name: strings@", false},
		{"statements", checkInput{Code: "x := 1; f(", Language: "go"}, "snippet.go:1:", false},
		{"code of no language", checkInput{Code: "x"}, "the language of the code is missing; set language to one of go", true},
		{"code of an unknown language", checkInput{Code: "x", Language: "cobol"}, `in the language "cobol"; set language to one of go`, true},
		{"nothing", checkInput{}, "set files or code", true},
		{"a file outside", checkInput{Files: "../x.go"}, "; specify the directory of its project", true},
		{"no source code", checkInput{Files: "b.txt"}, "is not source code that docent checks", true},
		{"no file", checkInput{Files: "c.go"}, "c.go cannot be read", true},
	})
}
