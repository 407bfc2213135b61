package main

import (
	"fmt"
	"html"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// tally counts the results of comparing a package.
type tally struct {
	files, headings, sections, leftOut, lost, invented, links, unresolved int

	remarks []remark
}

type remark struct {
	text  string
	fault bool
}

func (t *tally) add(u tally) {
	t.files += u.files
	t.headings += u.headings
	t.sections += u.sections
	t.leftOut += u.leftOut
	t.lost += u.lost
	t.invented += u.invented
	t.links += u.links
	t.unresolved += u.unresolved
}

func (t *tally) row(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, t.files, t.headings, t.sections, t.leftOut, t.lost, t.invented, t.links, t.unresolved)
}

func (t *tally) note(fault bool, format string, args ...any) {
	t.remarks = append(t.remarks, remark{fmt.Sprintf(format, args...), fault})
}

// title is a heading of a file.
type title struct {
	level int
	text  string
}

// compare compares the sections of a package with its files.
func compare(files fs.FS, sections []apidoc.Section) (tally, error) {
	var t tally
	ids, read := map[string]bool{}, map[string]bool{}
	for _, s := range sections {
		ids[s.ID], read[strings.ToLower(s.File)] = true, true
	}
	for i := 0; i < len(sections); {
		file, from := sections[i].File, i
		for i < len(sections) && sections[i].File == file {
			i++
		}
		switch strings.ToLower(path.Ext(file)) {
		case ".md", ".markdown", ".mdown", ".mkd":
		default:
			continue
		}
		if sections[from].ID == "changelog" {
			continue
		}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return t, err
		}
		md := markup.Clean(strings.TrimPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\uFEFF"))
		t.files++
		t.headingsOf(file, md)
		t.sectionsOf(file, md, sections[from:i])
	}
	for _, s := range sections {
		t.linksOf(s, ids, read)
	}
	return t, nil
}

// headingsOf compares the headings that goldmark finds with those of docent's
// parser.
func (t *tally) headingsOf(file, md string) {
	want, got := byGoldmark(md), byDocent(md)
	t.headings += len(want)
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && !contains(got[j:], want[i]):
			t.lost++
			t.note(true, "%s: lost: %d %q", file, want[i].level, want[i].text)
			i++
		default:
			t.invented++
			t.note(true, "%s: invented: %d %q", file, got[j].level, got[j].text)
			j++
		}
	}
}

func contains(all []title, one title) bool {
	return slices.Contains(all, one)
}

// sectionsOf counts the headings without a section.
func (t *tally) sectionsOf(file, md string, sections []apidoc.Section) {
	t.sections += len(sections)
	have := map[string]int{}
	for _, s := range sections {
		have[letters(plain(s.Title))]++
	}
	for _, h := range byDocent(md) {
		if have[h.text]--; have[h.text] < 0 {
			t.leftOut++
			t.note(false, "%s: left out: %s", file, h.text)
		}
	}
}

var linkTarget = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// linksOf follows the links of a section to the files of the package that were
// read.
func (t *tally) linksOf(s apidoc.Section, ids, read map[string]bool) {
	for l := range markup.Lines(s.Body) {
		if l.Code {
			continue
		}
		for _, m := range linkTarget.FindAllStringSubmatch(l.Text, -1) {
			target := m[1]
			place, _, _ := strings.Cut(target, "#")
			switch {
			case ids[target]:
				t.links++
			case strings.HasPrefix(target, "#"), read[strings.ToLower(path.Join(path.Dir(s.File), place))]:
				t.links++
				t.unresolved++
				t.note(false, "%s: unresolved in %s: %s", s.File, s.ID, target)
			}
		}
	}
}

// byDocent returns the headings that docent's parser finds.
func byDocent(md string) []title {
	var all []title
	for _, p := range markup.Parts(markup.Plain(markup.WithoutHTML(md))) {
		if p.Level > 0 {
			all = append(all, title{p.Level, letters(plain(p.Title))})
		}
	}
	return all
}

var htmlTag = regexp.MustCompile(`(?i)^</?(a|b|br|code|del|em|i|img|kbd|p|picture|s|small|source|span|strong|sub|sup|svg|u)\b|^<!--`)

var htmlHeading = regexp.MustCompile(`(?is)<h([1-6])[^>]*>(.*?)</h[1-6]>`)

// byGoldmark returns the headings that goldmark finds outside of lists and
// quotations, and those written as HTML.
func byGoldmark(md string) []title {
	if rest, ok := strings.CutPrefix(md, "---\n"); ok { // Front matter is not Markdown.
		if _, body, ok := strings.Cut(rest, "\n---"); ok {
			md = body[strings.IndexByte(body+"\n", '\n'):]
		}
	}
	src := []byte(md)
	var all []title
	for n := parse(src).FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			all = append(all, title{n.Level, letters(textOf(n, src))})
		case *ast.HTMLBlock:
			for _, m := range htmlHeading.FindAllStringSubmatch(string(n.Lines().Value(src)), -1) {
				all = append(all, title{int(m[1][0] - '0'), letters(plain(m[2]))})
			}
		}
	}
	return all
}

// textOf returns the text of a node without images and HTML.
func textOf(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(n.Value(src))
		case *ast.RawHTML:
			// A type parameter, as in Promise<void>, is not a tag.
			if tag := string(n.Segments.Value(src)); !htmlTag.MatchString(tag) {
				b.WriteString(tag)
			}
		case *ast.AutoLink:
			b.Write(n.Label(src))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// plain returns the text of a heading in Markdown.
func plain(md string) string {
	src := []byte("# " + strings.Join(strings.Fields(md), " "))
	return textOf(parse(src), src)
}

var parser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

func parse(src []byte) ast.Node { return parser.Parse(text.NewReader(src)) }

// letters keeps the letters and digits of a heading, which two renderings have in common.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, html.UnescapeString(s))
}
