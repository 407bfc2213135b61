package terminal

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"github.com/docent-mcp/docent/internal/highlight"
)

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b]8;;[!-~]*\x1b\\\\")

// bare returns text without the control sequences that Render writes.
func bare(text string) string { return sequences.ReplaceAllString(text, "") }

func lexis(info string) *highlight.Lexis {
	if info == "go" {
		return &highlight.Lexis{Keywords: highlight.Words("func return"), LineComment: "//", BlockComments: true}
	}
	return nil
}

func TestRender(t *testing.T) {
	for _, test := range []struct{ name, md, want string }{
		{"words are not broken", "aaaa bbbb cccc dddd eeee ffff gggg", "aaaa bbbb cccc dddd\neeee ffff gggg\n"},
		{"a long word is cut", "a " + strings.Repeat("x", 25), "a\n" + strings.Repeat("x", 20) + "\nxxxxx\n"},
		{"wide characters", strings.Repeat("漢字 ", 6), "漢字 漢字 漢字 漢字\n漢字 漢字\n"},
		{"headings and paragraphs", "# One\ntext\n## Two\nmore", "One\n\ntext\n\nTwo\n\nmore\n"},
		{"lists", "- a\n  - b\n    1. c\n- aaaa bbbb cccc dddd eeee", "• a\n  • b\n    1. c\n• aaaa bbbb cccc\n  dddd eeee\n"},
		{"a quotation", "> aaaa bbbb cccc dddd eeee", "│ aaaa bbbb cccc\n│ dddd eeee\n"},
		{"code", "```go\nfunc f() {\n\treturn\n}\n```", "  func f() {\n      return\n  }\n"},
		{"long code", "```go\nfunc open(name string, mode int)\n```", "  func open(\n      name string,\n      mode int)\n"},
		{"a long type", "```go\nf(aaaaaa: bbbbbbbbbbb | cc)\n```", "  f(aaaaaa:\n      bbbbbbbbbbb |\n      cc)\n"},
		{"a long comment", "```go\n// one two three four five\n// six\n//\n// seven\n```", "  // one two three\n  // four five six\n  //\n  // seven\n"},
		{"a label in a comment", "```go\n// one two three four five\n// Parameters:\n// - six\n```", "  // one two three\n  // four five\n  // Parameters:\n  // - six\n"},
		{"an item in a comment", "```go\n// - one two three four\n//   five\n// - six\n```", "  // - one two three\n  //   four five\n  // - six\n"},
		{"code in a comment", "```go\n// ```\n// aaaa bbbb cccc dddd\n// eeee\n// ```\n```", "  // ```\n  // aaaa bbbb cccc\n  // dddd\n  // eeee\n  // ```\n"},
		{"a comment beside code", "```go\nreturn // one two three four\n```", "  return\n      // one two three\n      // four\n"},
		{"links in a comment", "```go\n// [x](https://e.test) [`y`](a::y) f[i](z)\n```", "  // x `y` f[i](z)\n"},
		{"numbered lines", "```go\n 9  // one two three four\n10  // five [x](https://e.test)\n11\n12  return f(one, two, three)\n```",
			"   9  // one two three\n      // four\n  10  // five\n      // [x](https://e\n      // .test)\n  11\n  12  return f(one,\n          two, three)\n"},
		{"a comment that begins before the code", "```go\n 9   * it's\n10   * aaaa bbbb cccc */\n```", "   9   * it's\n  10   * aaaa bbbb\n       * cccc */\n"},
		{"a table", "| a | b |\n|---|---|\n| x | one two three four |", "a       b\n──────  ────────────\nx       one two\n        three four\n"},
		{"HTML", "<b>x</b> &lt;y&gt;", "<b>x</b> <y>\n"},
		{"a hard break", "a  \nb", "a\nb\n"},
		{"an image", "![alt](x.png)", "[alt]\n"},
	} {
		if got := bare(Render(test.md, Options{Width: 20, Lexis: lexis})); got != test.want {
			t.Errorf("%s:\n%q, want\n%q", test.name, got, test.want)
		}
	}
}

func TestRender_Styles(t *testing.T) {
	for md, want := range map[string]string{
		"## Title":                             "\x1b[1;34mTitle\x1b[0m\n",
		"a **b** `c`":                          "a \x1b[1mb\x1b[0m \x1b[36mc\x1b[0m\n",
		"```go\nreturn // x\n```":              "  \x1b[35mreturn\x1b[0m \x1b[2m// x\x1b[0m\n",
		"[x](https://e.test/a?b)":              "\x1b]8;;https://e.test/a?b\x1b\\\x1b[4mx\x1b[0m\x1b]8;;\x1b\\\n",
		"```go\n// [x](https://e.test/a)\n```": "  \x1b[2m// \x1b[0m\x1b]8;;https://e.test/a\x1b\\\x1b[2;4mx\x1b[0m\x1b]8;;\x1b\\\n",
		"```go\n// [x](file:///etc)\n```":      "  \x1b[2m// x\x1b[0m\n",
		"[x](javascript:alert)":                "\x1b[4mx\x1b[0m\n",
		"[x](file:///etc/passwd)":              "\x1b[4mx\x1b[0m\n",
		"[x](<https://e.test/\x1b\\a>)":        "\x1b[4mx\x1b[0m\n",
	} {
		if got := Render(md, Options{Width: 80, Lexis: lexis}); got != want {
			t.Errorf("%q is shown as %q, want %q", md, got, want)
		}
	}
}

func TestRender_Contents(t *testing.T) {
	md := "# T\n\nhead\n\n## One a\n\nx\n\n## Two\n\ny\n\n## Three\n\nz\n"
	if got := bare(Render(md, Options{Width: 80, Contents: 5})); !strings.Contains(got, "head\n\nContents: One\u00a0a · Two · Three\n\nOne a\n") {
		t.Errorf("a long text is shown as %q", got)
	}
	if got := bare(Render(md, Options{Width: 80, Contents: 50})); strings.Contains(got, "Contents") {
		t.Errorf("a short text is shown as %q", got)
	}
}

func TestResults(t *testing.T) {
	all := []Result{
		{Title: "setCookie", Note: "func in hono", Code: "func setCookie(name string,\n value string)", Info: "go", Text: "Sets a cookie."},
		{Title: "x", Note: "section"},
	}
	want := "1  setCookie  func in hono\n   func setCookie(name string,…\n   Sets a cookie.\n2  x  section\n"
	if got := bare(Results(all, Options{Width: 31, Lexis: lexis})); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// check fails if text has control characters other than those of Render, or a line that is
// wider than the terminal.
func check(t *testing.T, md, text string, columns int) {
	t.Helper()
	rest := bare(text)
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, unicode.IsControl) {
			t.Fatalf("%q is shown with control characters: %q", md, line)
		}
		if w := displaywidth.String(line); w > columns {
			t.Fatalf("%q is shown with a line of %d columns: %q", md, w, line)
		}
	}
}

var hostile = []string{
	"a\x1b[31mb\x1b]0;title\x07", "&#27;[2J&#x9b;31m", "`&#27;` \u009b31m", "```\n\x1b[2J\x07\n```", "<b title='\x1b[2J'>", "[\x1b[2J](https://e.test/%1b)",
	"| \x1b[2J |\n|---|\n| \x08\x08 |", "![\x1b](x)", "# \x1b[2J", "a\u202eb\u200bc", "\r\noverwritten\r", "- " + strings.Repeat("> ", 200) + "x", strings.Repeat("*", 300) + "a",
}

func TestRender_LetsNoControlCharacterThrough(t *testing.T) {
	for _, md := range hostile {
		check(t, md, Render(md, Options{Width: 40, Lexis: lexis, Contents: 1}), 80)
	}
}

func FuzzRender(f *testing.F) {
	for _, md := range append(hostile, "# a\n\n- b\n\n1. c\n\n```go\nfunc f() {}\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n> e") {
		f.Add(md, 40)
	}
	f.Fuzz(func(t *testing.T, md string, columns int) {
		columns = max(minWidth, min(columns, 200))
		// Marks of nested blocks can take more than the terminal has.
		check(t, md, Render(md, Options{Width: columns, Lexis: lexis, Contents: 10}), columns+6*maxDepth)
	})
}

func TestWrapCode_NoLineBeginsWithAComma(t *testing.T) {
	plain, marked := func(text string) span { return span{text: text} }, func(text string) span { return span{text: text, style: bold} }
	for _, tt := range []struct {
		line []span
		want []string
	}{
		{[]span{plain("get(domain: str = "), marked(`"local"`), plain(", only: bool)")}, []string{`get(domain: str = `, `    "local", only: bool)`}},
		{[]span{plain("open(kind: type[Response], x: int)")}, []string{`open(kind: `, `    type[Response], x: `, `    int)`}},
		{[]span{plain("pack(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b)")}, []string{"pack(", "    aaaaaaaaaaaaaaaaaaaa", "    aaaaaaaaaaaaaaaaaaaa", "    , b)"}},
	} {
		got := wrapCode(tt.line, 24)
		for i := range got {
			got[i] = strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "", "\x1b[22m", "").Replace(got[i])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q", got)
		}
	}
}
