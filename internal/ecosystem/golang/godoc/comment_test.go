package godoc

import (
	"go/doc/comment"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestCommentsBecomeMarkdown(t *testing.T) {
	p := &comment.Parser{
		LookupPackage: func(name string) (string, bool) { return "encoding/" + name, name == "json" },
		LookupSym:     func(recv, name string) bool { return name == "Name" || recv == "T" && name == "Do" },
	}
	for _, tc := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"a paragraph over lines", "One\ntwo\nthree.\n", "One two three."},
		{"paragraphs", "One.\n\nTwo.\n", "One.\n\nTwo."},
		{"a heading", "One.\n\n# Head line\n\nTwo.\n", "One.\n\n## Head line\n\nTwo."},
		{"code", "See:\n\n\tx := 1\n\n\t\ty()\n\nDone.\n", "See:\n\n```\nx := 1\n\n\ty()\n```\n\nDone."},
		{"code with a fence in it", "See:\n\n\t```\n\tx\n\t```\n", "See:\n\n````\n```\nx\n```\n````"},
		{"a fence as in Markdown", "See:\n```go\nx := []*T{}\n\ny_z()\n```\nDone.\n", "See:\n\n```\nx := []*T{}\n\ny_z()\n```\n\nDone."},
		{"a fence never closed", "See:\n```go\nx := 1\n", "See: \\`\\`\\`go x := 1"},
		{"a list", "List:\n  - one\n    more\n  - two\n", "List:\n\n- one more\n- two"},
		{"a numbered list with paragraphs", "So:\n\n  1. one\n\n     more\n\n  2. two\n", "So:\n\n1. one\n\n   more\n\n2. two"},
		{"links in the package", "See [Name], [T.Do], [json.Marshal] and [*Name].\n", "See `Name`, `T.Do`, `json.Marshal` and `*Name`."},
		{"brackets that are no link", "a[i] and [other] and [x](y)\n", "a[i] and [other] and [x](y)"},
		{"a named link", "See the [spec].\n\n[spec]: https://example.com/a_b\n", "See the [spec](https://example.com/a_b)."},
		{"an address", "At https://example.com/a_b_c, yes.\n", "At https://example.com/a_b_c, yes."},
		{"pointers are not emphasis", "A *T and a *U of snake_case and __init.\n", "A *T and a *U of snake_case and __init."},
		{"emphasis is not wanted", "A *strong* x_ and _y_.\n", "A \\*strong\\* x\\_ and \\_y\\_."},
		{"products", "2 * 3 * 4 and a*b.\n", "2 * 3 * 4 and a*b."},
		{"code by backticks", "Call `f(*a, *b) <T>` now.\n", "Call `f(*a, *b) <T>` now."},
		{"a lone backtick", "A ` here.\n", "A \\` here."},
		{"tags", "A <b> and List<T> but a < b, <-c.\n", "A \\<b> and List\\<T> but a < b, <-c."},
		{"backslashes", `C:\foo \* \n` + "\n", `C:\foo \\* \n`},
		{"entities", "A &lt; B && c; d\n", "A \\&lt; B && c; d"},
		{"what begins like a list", "- no list\n", "\\- no list"},
		{"what begins like a number", "1. no list\n", "1\\. no list"},
		{"a year", "2024 was.\n", "2024 was."},
		{"what begins like a heading", "#1 is first\n", "#1 is first"},
		{"what begins like a quotation", "> 1 is more\n", "\\> 1 is more"},
		{"what looks like a rule", "---\n", "\\---"},
		{"quotation marks", "``so''\n", "“so”"},
		{"a deprecation", "Old.\n\nDeprecated: use [Name]\ninstead.\n", "Old.\n\nDeprecated: use `Name` instead."},
	} {
		if got := markdown(p, tc.in); got != tc.want {
			t.Errorf("%s: %q became\n%q, want\n%q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestDeprecationIsAParagraphOfItsOwn(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"Deprecated: use X.", "use X."},
		{"Old.\n\nDeprecated: use X.\n\nMore.", "use X."},
		{"Old.\n\nDeprecated:", "no reason given"},
		{"This is Deprecated: no.", ""},
		{"Old.\n\nDEPRECATED: no.", ""},
		{"", ""},
	} {
		if got := deprecation(tc.in); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestHostileCommentsEnd(t *testing.T) {
	for _, part := range []string{"(http://a", "http://a(", "http://a ", "[a", "[a](", "[a]: http://b\n", "`", "*a ", "_", "- a\n", "  - a\n", "  1. a\n", "  - a\n\n", "a\n\n\tb\n\n", "&", "<a", "```\n", "# A\n\n", "\t", "''"} {
		out := markdown(&comment.Parser{}, strings.Repeat(part, 2*maxComment/len(part)))
		if len(out) > 8*maxComment {
			t.Errorf("%q grew to %d bytes", part, len(out))
		}
	}
}

// TestMarkdown_Structures reads comments that consist of many parts, and parts nested
// within other parts.
func TestMarkdown_Structures(t *testing.T) {
	p := &comment.Parser{LookupSym: func(_, _ string) bool { return true }}
	check := func(name, text string) {
		if out := markdown(p, text); len(out) > 16*len(text)+64 {
			t.Errorf("%s: %d bytes became %d", name, len(text), len(out))
		}
	}
	for name, build := range filetest.Structures {
		check(name, build(2000))
	}
	for seed := range uint64(200) {
		check(strconv.FormatUint(seed, 10), filetest.Markdown(seed, 20))
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"One [Name] two.\n\n# Head\n\n  - a\n  - b\n\n\tcode\n", "`a` *b* _c_ <d> &amp; \\*", "```go\nx\n```\n",
		"[x]: https://example.com\n\nSee [x].\n\nDeprecated: no.\n", "1. a\n\n2. b\n",
	} {
		f.Add(s)
	}
	p := &comment.Parser{LookupSym: func(_, _ string) bool { return true }}
	f.Fuzz(func(t *testing.T, text string) {
		md := markdown(p, text)
		if utf8.ValidString(text) && !utf8.ValidString(md) {
			t.Errorf("%q became %q, which is not UTF-8", text, md)
		}
		if len(md) > 16*len(text)+64 {
			t.Errorf("%d bytes became %d", len(text), len(md))
		}
		if strings.Count(md, "\n```")%2 != 0 && !strings.HasPrefix(md, "```") && !strings.Contains(md, "````") {
			t.Errorf("%q leaves a block of code open: %q", text, md)
		}
		deprecation(md)
	})
}
