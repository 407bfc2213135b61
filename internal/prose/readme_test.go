package prose

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// readmeSections reads a text as a README.
func readmeSections(md string) []apidoc.Section {
	b := collector{}
	b.add("readme", "README.md", markup.Clean(md))
	return b.sections
}

func TestReadmeKeepsWhatTellsHowToUseThePackage(t *testing.T) {
	const md = `<p align="center"><a href="https://h.example"><img src="x.svg"></a></p>
<h1 align="center">Till &amp; Co</h1>

[![build](https://b.example/x.svg)](https://b.example) ![npm](n.svg)

Counts <b>coins</b> with ` + "`Map<string, number>`" + ` and Array<T>.

## Table of Contents
- [Install](#install)

## Install
<!-- hidden
text -->
` + "```sh\n# no heading\nnpm i till\n```" + `

## API
### count(<coins>)
See <a href="https://h.example/docs">the docs</a>.

## Sponsors
### Gold
Us.

## 用法
例

## API
again
`
	var got []string
	for _, s := range readmeSections(md) {
		got = append(got, s.ID+"|"+s.Title+"|"+s.Body)
	}
	want := []string{
		"readme/till--co|Till & Co|Counts **coins** with `Map<string, number>` and Array<T>.",
		"readme/install|Install|```sh\n# no heading\nnpm i till\n```",
		"readme/api|API|",
		"readme/countcoins|count(<coins>)|See [the docs](https://h.example/docs).",
		"readme/用法|用法|例",
		"readme/api-1|API|again",
	}
	if strings.Join(got, "\n---\n") != strings.Join(want, "\n---\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n---\n"))
	}
}

// FuzzReadme reads hostile Markdown: it may not panic or take for ever, and no
// section may hold what Markdown cannot.
func FuzzReadme(f *testing.F) {
	f.Add("# a\n<h1><a href='x'><!-- <pre>```\n[![x](y)][z]")
	f.Fuzz(func(t *testing.T, md string) {
		for _, s := range readmeSections(md) {
			if s.ID == "" || s.Title == "" || s.Level < 1 {
				t.Errorf("a section is %+v", s)
			}
		}
	})
}

// What grows with the square of such a text does not end before go test gives up.
func TestAHugeReadmeEnds(*testing.T) {
	for _, unit := range []string{"<a href='x'>", "<pre>", "<script>", "![", "[![x](y)](z)", "`", "<!--\n    x\n", "<h1>", "# <b>\n", "```\n", "<p a=\"", "[](#x)"} {
		readmeSections(strings.Repeat(unit, (1<<20)/len(unit)))
	}
}

// Headings that share their first 80 bytes have the same slug.
func TestLongHeadingsThatBeginAlikeHaveIDsOfTheirOwn(t *testing.T) {
	long := strings.Repeat("word ", 20)
	var got []string
	for _, s := range readmeSections("# T\nx\n## " + long + "a\nx\n## " + long + "b\nx\n## " + long + "1\nx\n## T 1\nx\n## T\nx\n") {
		got = append(got, strings.ReplaceAll(s.ID, "word-word-word-word", "_"))
	}
	slug := "readme/_-_-_-_-w"
	want := []string{"readme/t", slug, slug + "-1", slug + "-2", "readme/t-1", "readme/t-2"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
