package docserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// sourceServer returns a server and the describe tool of a module that has a short function, a
// long one, and many of middle length.
func sourceServer(t *testing.T) func(in describeInput) (*answer.Answer, error) {
	t.Helper()
	var b strings.Builder
	b.WriteString("package app\n\n// Short is short.\nfunc Short() int {\n\treturn 1\n}\n\n// Long is long.\nfunc Long() {\n")
	for i := range 600 {
		fmt.Fprintf(&b, "\tstep(%d)\n", i)
	}
	b.WriteString("}\n\nfunc step(int) {}\n\nfunc Wide() string { return \"" + strings.Repeat("wide", 1000) + "\" }\n")
	for i := range 60 {
		fmt.Fprintf(&b, "\nfunc Many%d() {\n%s}\n", i, strings.Repeat("\tstep(1)\n", 40))
	}
	dir := filetest.Dir(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.26\n", "a.go": b.String()})
	known := ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}
	cache := store.New(known, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache}
	return func(in describeInput) (*answer.Answer, error) {
		in.Package, in.ProjectPath = "example.com/app", dir
		return s.describe(known[0].Info())(t.Context(), nil, in)
	}
}

func TestSource(t *testing.T) {
	describe := sourceServer(t)
	for _, tt := range []struct {
		name      string
		in        describeInput
		want, not string
		fail      bool
	}{
		{name: "a function", in: describeInput{Symbol: "Short", Source: "true"}, want: "# example.com/app: Short\n\n> a.go, lines 4 to 6;", not: "Not shown"},
		{name: "its body and what is around it", in: describeInput{Symbol: "Short", Source: "true"}, want: "3  // Short is short.\n4  func Short() int {\n5  \treturn 1\n6  }\n7\n8  // Long is long.\n9  func Long() {\n```\n"},
		{name: "documentation", in: describeInput{Symbol: "Short", Source: "false"}, want: "# Short (func)", not: "return 1"},
		{name: "the length of a long one", in: describeInput{Symbol: "Long", Source: "true"}, want: `Long has 602 lines. Not shown: 69-610; ask for them with source="69-610".`, not: "step(100)"},
		{name: "lines", in: describeInput{Symbol: "Long", Source: "109-110"}, want: "```go\n109  \tstep(99)\n110  \tstep(100)\n```\n", not: "Not shown"},
		{name: "all lines that were asked for", in: describeInput{Symbol: "Long", Source: "69-610"}, want: "step(599)", not: "Not shown"},
		{name: "as many as there is room for", in: describeInput{Symbol: "Long", Source: "69 - 610", MaxTokens: 1000}, want: `ask for them with source="`, not: "step(599)"},
		{name: "one line", in: describeInput{Symbol: "Long", Source: "4"}, want: "```go\n4  func Short() int {\n```\n"},
		{name: "the lines that there are", in: describeInput{Symbol: "Short", Source: "1-999999999"}, want: "package app"},
		{name: "several", in: describeInput{Symbol: "Short, step, Lung, Long", Source: "True"}, want: "# example.com/app: Long\n", not: "step(400)"},
		{name: "what does not exist", in: describeInput{Symbol: "Short, Lung", Source: "true"}, want: "no symbol Lung in example.com/app"},
		{name: "more than there is room for", in: describeInput{Symbol: "Many*", Source: "true", MaxTokens: 2000}, want: "\nNot shown: Many"},
		{name: "a long line", in: describeInput{Symbol: "Wide", Source: "true", MaxTokens: 500}, want: "…\n"},
		{name: "no symbol", in: describeInput{Source: "true"}, want: "specify the symbols", fail: true},
		{name: "a wrong name", in: describeInput{Symbol: "Shorter", Source: "true"}, want: "the nearest are Short", fail: true},
		{name: "lines behind the end", in: describeInput{Symbol: "Short", Source: "99999-100000"}, want: "Short is declared in lines 4 to 6", fail: true},
		{name: "lines of two", in: describeInput{Symbol: "Short, Long", Source: "1-2"}, want: "specify one symbol", fail: true},
		{name: "lines backwards", in: describeInput{Symbol: "Short", Source: "9-2"}, want: "source must be true or a range of lines, such as 20-80", fail: true},
		{name: "words", in: describeInput{Symbol: "Short", Source: "please"}, want: "source must be true or a range of lines", fail: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := describe(tt.in)
			text := fmt.Sprint(err)
			if err == nil {
				text = a.Text
				if len(a.Packages) == 0 {
					t.Error("the answer names no package")
				}
			}
			if (err != nil) != tt.fail || !strings.Contains(text, tt.want) || tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("%v; want %q, without %q, in\n%s", err, tt.want, tt.not, text)
			}
		})
	}
}

func TestSource_ObeysTheBudget(t *testing.T) {
	describe := sourceServer(t)
	for _, symbol := range []string{"Short", "Long", "Wide", "Many*", "Many1, Long, Wide", "*"} {
		for _, tokens := range []int{500, 1000, 4000, 8000} {
			a, err := describe(describeInput{Symbol: symbol + strings.Repeat(", Nothing", 50), Source: "true", MaxTokens: tokens})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(a.Text); n > answer.Bytes(tokens) {
				t.Errorf("%s: the answer has %d bytes, more than %d tokens", symbol, n, tokens)
			}
		}
	}
}
