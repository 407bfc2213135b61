package docserver

import (
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// TestAnswers_PathsResolve asks for the names that answers about the standard library list: those in outlines of
// packages below others, and those of errors.
func TestAnswers_PathsResolve(t *testing.T) {
	l := lookup.New(store.New(ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}, store.Options{}))
	ask := func(name, symbols string, tokens int) string {
		a, err := l.Describe(t.Context(), lookup.Description{
			Package: catalog.Question{Language: "go", Name: name}, Symbols: symbols, Options: answer.Options{MaxTokens: tokens},
		})
		if err != nil {
			t.Errorf("%s %s: %v", name, symbols, err)
			return ""
		}
		return a.Text
	}
	outlined := regexp.MustCompile(`^  (?:Types|Functions|Values) \(\d+\): (.*)$`)
	more := regexp.MustCompile(` … and \d+ more$`)
	names := 0
	resolve := func(name, list string) {
		for path := range strings.SplitSeq(more.ReplaceAllString(list, ""), ", ") {
			if strings.HasSuffix(path, "…") {
				continue // only the number of names
			}
			names++
			ask(name, path, 500)
		}
	}
	for _, name := range []string{"encoding", "text/template", "image"} {
		below := ""
		for line := range strings.Lines(ask(name, "", 3000)) {
			line = strings.TrimSuffix(line, "\n")
			if item, ok := strings.CutPrefix(line, "- /"); ok {
				below, _, _ = strings.Cut(item, ":")
			} else if match := outlined.FindStringSubmatch(line); match != nil {
				resolve(name+"/"+below, match[1])
			}
		}
	}
	for _, q := range [][2]string{{"os", "Open,Link,NewSyscallError,Truncate"}, {"net/http", "Request.Cookie,Request.FormFile,Server.Serve,Server.ListenAndServe"}, {"archive/zip", "OpenReader"}} {
		_, list, _ := strings.Cut(ask(q[0], q[1], 0), "\nErrors:\n\n")
		for line := range strings.Lines(list) {
			item, ok := strings.CutPrefix(line, "- ")
			if !ok {
				break
			}
			if paths, _, ok := strings.Cut(item, ": "); ok && !strings.Contains(paths, " ") {
				resolve(q[0], paths)
			} else {
				item, _, _ = strings.Cut(item, " ")
				resolve(q[0], item)
			}
		}
	}
	if names < 50 {
		t.Errorf("the answers list only %d names", names)
	}
}
