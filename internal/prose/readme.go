// Package prose reads a package's README, guides, examples and newest changelog
// entries into sections. It omits parts that do not help to use the package:
// badges, sponsors, licences, tables of contents.
package prose

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/work"
)

const (
	// maxReadme is the maximum number of bytes that are read of a README.
	maxReadme = 2 << 20
	// maxKept is the maximum size, in bytes, of the text that is kept of one file.
	maxKept = 1 << 20
	// maxSection is the maximum size in bytes of the text of one section.
	maxSection = 256 << 10
	// maxSections is the maximum number of sections of one file.
	maxSections = 2000
)

// Layout describes where a package keeps its prose. The zero value finds files by usual
// names.
type Layout struct {
	// Guides and Examples are directories with guides and examples, whatever their
	// names are.
	Guides, Examples []string
	// Shipped are additional paths within the package that are searched like its root.
	Shipped []string
	// Imported are directories that programs import. They do not contain examples.
	Imported []string
	// Prefix is put before every ID.
	Prefix string
	// Code maps extensions of example files, such as ".js", to the info strings
	// of their code blocks.
	Code map[string]string
	// Markdown maps extensions of additional files of prose, such as ".rst", to the functions that
	// convert their text to Markdown.
	Markdown map[string]func(string) string
	// Readme, if not nil, is used instead of the README among the files.
	Readme *Document
}

// Document is a file of prose.
type Document struct {
	Name string // name with an extension that gives the format of Text: "README.md"
	Text string
}

// Read reads a package's README, guides, examples and newest changes. notes are
// sentences about parts that were omitted because of their size. Its steps are
// counted by the work.Meter of ctx.
func Read(ctx context.Context, files fs.FS, l Layout) (sections []apidoc.Section, notes []string) {
	b := collector{files: files, layout: l, meter: work.FromContext(ctx)}
	if r := l.Readme; r != nil {
		text := strings.ToValidUTF8(r.Text[:min(len(r.Text), maxReadme)], "")
		b.meter.Grant(int64(len(text)))
		b.add("readme", r.Name, markup.Clean(text))
	} else if name, text, ok := b.readme(); ok {
		b.add("readme", name, text)
	}
	b.guides()
	b.resolveLinks()
	return b.sections, b.notes
}

// Page reads text that is not a file of the package. IDs begin with prefix.
func Page(prefix, file, text, origin string) []apidoc.Section {
	b := collector{}
	b.add(prefix, file, markup.Clean(text))
	b.resolveLinks()
	for i := range b.sections {
		b.sections[i].Origin = origin
	}
	return b.sections
}

// collector collects sections from the files of a package.
type collector struct {
	meter    *work.Meter
	files    fs.FS
	layout   Layout
	sections []apidoc.Section
	notes    []string
	counts   map[string]int // counts of the IDs in use
	anchors  anchors
}

// read returns at most limit bytes of a file, and whether these are all. ok is false if
// the file cannot be read.
func (b *collector) read(name string, limit int64) (text string, whole, ok bool) {
	file, err := b.files.Open(name)
	if err != nil {
		return "", false, false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return "", false, false
	}
	whole = int64(len(data)) <= limit
	data = data[:min(len(data), int(limit))]
	b.meter.Grant(int64(len(data)))
	text = strings.ToValidUTF8(strings.TrimPrefix(string(data), "\uFEFF"), "")
	return markup.Clean(text), whole, true
}

// readme finds the README. If there are several, it prefers the English one. ok is false
// if no README can be read.
func (b *collector) readme() (name, text string, ok bool) {
	var found []string
	for _, dir := range []string{".", "docs", ".github"} {
		entries, err := fs.ReadDir(b.files, dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if _, is := readmeLanguage(e.Name()); is && !e.IsDir() {
				found = append(found, path.Join(dir, e.Name()))
			}
		}
		if len(found) > 0 {
			break
		}
	}
	slices.SortFunc(found, func(x, y string) int {
		return cmp.Or(cmp.Compare(readmeRank(x), readmeRank(y)), cmp.Compare(x, y))
	})
	for i, candidate := range found[:min(len(found), 3)] {
		candidateText, whole, read := b.read(candidate, maxReadme)
		if !read || strings.TrimSpace(candidateText) == "" {
			continue
		}
		if !ok {
			name, text, ok = candidate, candidateText, true
			if !whole {
				b.notes = append(b.notes, fmt.Sprintf("docent read only the first %[2]d bytes of %[1]s", name, maxReadme))
			}
			if !foreign(text) {
				break
			}
			continue
		}
		// A README without a language in its name may not be English, so a README marked as
		// English comes first.
		if language, _ := readmeLanguage(path.Base(candidate)); language == "en" && !foreign(candidateText) && i > 0 {
			return candidate, candidateText, true
		}
	}
	return name, text, ok
}

// readmeName splits a README's name into language and kind of file.
var readmeName = lazyregexp.New(`^readme(?:[._-]?([a-z]{2}(?:[_-][a-z]{2,4})?))?(\.md|\.markdown|\.mdown|\.mkd|\.mdx|\.txt|\.rst|\.adoc|\.html?)?$`)

// readmeLanguage reports whether a file is a README, and the language in its
// name. The language is empty if the name has none.
func readmeLanguage(name string) (language string, is bool) {
	m := readmeName().FindStringSubmatch(strings.ToLower(name))
	if m == nil {
		return "", false
	}
	if m[1] == "md" {
		return "", true
	}
	language, _, _ = strings.Cut(strings.ReplaceAll(m[1], "_", "-"), "-")
	return language, true
}

// readmeRank orders READMEs: Markdown without a language, English, others.
func readmeRank(name string) int {
	language, _ := readmeLanguage(path.Base(name))
	rank := 0
	switch language {
	case "":
	case "en":
		rank = 10
	default:
		rank = 20
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdown", ".mkd", ".mdx":
	case ".txt", "":
		rank += 2
	default:
		rank += 3
	}
	return rank
}

// foreign reports whether most letters of text are not Latin.
func foreign(text string) bool {
	latin, other := 0, 0
	for l := range markup.Lines(text[:min(len(text), 64<<10)]) {
		if l.Code {
			continue
		}
		for _, r := range l.Text {
			switch {
			case r < 0x250 && unicode.IsLetter(r):
				latin++
			case unicode.IsLetter(r):
				other++
			}
		}
	}
	// A word of Chinese has one or two letters, and a word of English has about five.
	return 3*other > latin
}

// add splits Markdown, or text that converts to it, into sections whose IDs
// begin with prefix.
func (b *collector) add(prefix, file, text string) {
	guide, title := prefix != "readme", ""
	switch ext := strings.ToLower(path.Ext(file)); ext {
	case ".html", ".htm":
		text = markup.FromHTML(text)
	default:
		if convert := b.layout.Markdown[ext]; convert != nil {
			text = convert(text)
		}
		title = markup.FrontTitle(text)
		if guide {
			text = withoutComponents(text, ext == ".mdx")
		}
		text = markup.Plain(markup.WithoutHTML(markAnchors(text)))
	}
	if !b.meter.Step(len(text)) {
		b.notes = append(b.notes, file+" was skipped because reading the package had already reached the processing limit")
		return
	}
	sections, remaining := parts(b.meter, text, guide)
	if guide {
		sections = asTree(sections, file, title)
	} else if len(sections) > 0 && sections[0].Title == "" {
		sections[0].Title = "README"
	}
	size := 0
	for i, s := range sections {
		if size += len(s.Body); size > maxKept || i == maxSections {
			remaining += len(sections) - i
			break
		}
		s.File = file
		s.ID = b.id(prefix, s.Title, i == 0 && guide)
		b.addAnchors(file, s.anchors, s.ID)
		b.sections = append(b.sections, s.Section)
	}
	if remaining > 0 {
		b.notes = append(b.notes, fmt.Sprintf("%s is too long, so %d of its sections are shortened or omitted", file, remaining))
	}
}

// id returns an ID that no other section has. If whole is true, the section is a
// whole file, and the ID has no part for the title.
func (b *collector) id(prefix, title string, whole bool) string {
	id := prefix
	if b.layout.Prefix != "" && !strings.HasPrefix(id, b.layout.Prefix+"/") {
		id = b.layout.Prefix + "/" + id
	}
	if !whole {
		id += "/" + slug(title)
	}
	if b.counts == nil {
		b.counts = map[string]int{}
	}
	first := id
	for b.counts[id] > 0 {
		n := b.counts[first]
		b.counts[first]++
		// The number follows the slug, because the slug has a maximum length and would cut the
		// number off a long title.
		if id = first + "-" + strconv.Itoa(n); whole {
			id = first + "/" + slug(title) + "-" + strconv.Itoa(n)
		}
	}
	b.counts[id] = 1
	return id
}

// asTree puts the sections of a file below a section for the whole file, so that the file can be
// requested as a whole. The title of that section is the title in the front matter, or else the
// first heading, or else the file name.
func asTree(sections []part, file, title string) []part {
	switch {
	case len(sections) == 0:
		return nil
	case title != "" && sections[0].Title != "" && sections[0].Level > 1:
		sections = slices.Insert(sections, 0, part{Section: apidoc.Section{Title: title}})
	case sections[0].Title == "":
		base := path.Base(file)
		sections[0].Title = cmp.Or(title, strings.TrimSuffix(base, path.Ext(base)))
	}
	sections[0].Level = 1
	for i := 1; i < len(sections); i++ {
		sections[i].Level = max(sections[i].Level, 2)
	}
	return sections
}

// part is a section, with the anchors by which links within its file refer to it.
type part struct {
	apidoc.Section
	anchors []string
}

// parts splits Markdown at its headings and omits idle sections with their
// subsections. cut is the number of sections that it shortened. In a guide, a
// heading above others is kept even if its text is not useful.
func parts(m *work.Meter, md string, guide bool) (out []part, cut int) {
	anchorOf := anchorNames()
	var before []string // before contains the anchors between the previous part and the heading.
	skip := 0           // skip is the level of the omitted section, or 0 if there is none.
	var emptied []bool  // emptied contains, for each part of out, whether none of its text was useful.
	for i, p := range markup.Parts(md) {
		titleText, inTitle, behind := takeAnchors(p.Title)
		bodyText, inBody, atEnd := takeAnchors(p.Body)
		title := plainTitle(titleText)
		anchors := slices.Concat(before, inTitle, behind, inBody)
		before = atEnd
		if p.Level > 0 {
			anchors = append(anchors, anchorOf(title))
		}
		if skip > 0 && p.Level > skip {
			continue
		}
		skip = 0
		body := useful(m, bodyText, false)
		if body == "" && p.Level > 1 {
			body = useful(m, bodyText, true) // the section consists only of links
		}
		if contents[strings.ReplaceAll(strings.ToLower(title), " ", "-")] {
			if !strings.Contains(body, "```") {
				skip = p.Level
				continue
			}
			title = "" // text after the links belongs to the page
		}
		if p.Level > 0 && (idle(title) || idleText(title, body)) {
			skip = p.Level
			if i == 0 {
				skip = 0 // otherwise the section would be empty
			}
			continue
		}
		if len(body) > maxSection {
			body = strings.ToValidUTF8(body[:maxSection], "")
			if end := strings.LastIndex(body, "\n\n"); end > 0 {
				body = body[:end]
			}
			cut++
		}
		out = append(out, part{apidoc.Section{Title: title, Level: max(p.Level, 1), Body: body}, anchors})
		emptied = append(emptied, body == "" && (bodyText != "" || title == ""))
	}
	// Omit a heading with only badges below it, unless it has subsections.
	keep := out[:0]
	for i, s := range out {
		if emptied[i] && (i+1 == len(out) || out[i+1].Level <= s.Level || i == 0 && !(guide && s.Title != "")) {
			continue
		}
		if s.Title == "" && len(keep) > 0 {
			s.Title = "In short"
		}
		keep = append(keep, s)
	}
	return keep, cut
}

var (
	titleLink  = lazyregexp.New(`\[([^\[\]]*)\]\([^()]*\)`)
	titleEmoji = lazyregexp.New(`:[a-z0-9_+-]{2,40}:`)
)

// plainTitle returns the text of a heading without markup.
func plainTitle(s string) string {
	s = titleLink().ReplaceAllString(markup.WithoutImages(s), "$1")
	if !strings.Contains(s, "`") {
		s = titleEmoji().ReplaceAllString(s, "")
	}
	s = html.UnescapeString(strings.TrimSpace(s))
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		if inner, ok := strings.CutPrefix(s, mark); ok {
			if inner, ok = strings.CutSuffix(inner, mark); ok && !strings.Contains(inner, mark) {
				s = strings.TrimSpace(inner)
			}
		}
	}
	return strings.Trim(s, " #·|•")
}

// slug returns the anchor that web pages give to a heading.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
		if b.Len() > 80 {
			break
		}
	}
	s := strings.Trim(b.String(), "-")
	if s == "" {
		return "section"
	}
	return s
}
