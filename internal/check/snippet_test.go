package check

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
)

func TestSnippet(t *testing.T) {
	o := ecosystem.Options{Offline: true}
	c := &Checker{Languages: ecosystem.Languages{golang.New(o), npm.New(o), python.New(o)}}
	for word, want := range map[string]string{
		"javascript": "snippet.js", "js": "snippet.js", "JavaScript": "snippet.js", "typescript": "snippet.ts", "tsx": "snippet.tsx", "vue": "snippet.vue",
		"go": "snippet.go", "golang": "snippet.go", "python": "snippet.py", "python3": "snippet.py", "text": "", "sh": "", "": "",
	} {
		if _, _, got := c.snippet(word); got != want {
			t.Errorf("the file for %q is %q, want %q", word, got, want)
		}
	}
}
