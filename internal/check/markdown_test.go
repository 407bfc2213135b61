package check_test

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
)

func TestFiles_Markdown(t *testing.T) {
	files := map[string]string{
		"README.md": "# Use\n\n```go\nimport \"example.com/web\"\n\nweb.Fetch(1)\n```\n\n" + // expected at line 6
			"1. List\n\n   ```golang title=x\n   " + head[14:] + "   var p, _ = web.Get()\n   ```\n\n" + // expected at line 14
			"```go\nimport \"example.com/web\"\nfunc f() { web.Get(); web.Gone(...) }\n```\n\n" + // a syntax error at line 19
			"```go\nimport \"example.com/web\"\nvar p, _ = web.Get() // ...\nvar q = web.Absent // docent:ignore it is gone\n```\n\n" +
			"```go\nimport \"example.com/unknown\"\n```\n\n```text\nimport \"example.com/web\"\nweb.Fetch()\n```\n\n" +
			"```go,ignore\nimport \"example.com/web\"\nvar q = web.Absent\n```\n",
		"main.go": head + "var p = web.Fetch(1)\n",
	}
	found := func(markdown bool) (got []string) {
		c := &check.Checker{Packages: web(), Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}, Markdown: markdown}
		if c.IsSource("a.md") != markdown || !c.IsSource("a.go") {
			t.Errorf("Markdown is source code: %v", !markdown)
		}
		r, err := c.Files(t.Context(), t.TempDir(), []string{"README.md", "main.go"}, func(name string) ([]byte, error) { return []byte(files[name]), nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			got = append(got, f.File+":"+itoa(f.Line)+":"+itoa(f.Column)+" "+string(f.Kind))
		}
		return got
	}
	if got, want := found(true), []string{"README.md:6:5 name", "README.md:14:19 call", "main.go:5:13 name"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got, want := found(false), []string{"main.go:5:13 name"}; !slices.Equal(got, want) {
		t.Errorf("without Markdown, found %q, want %q", got, want)
	}
}
