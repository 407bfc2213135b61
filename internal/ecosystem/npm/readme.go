package npm

import (
	"html"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxReadme bounds how much of a README is read.
const maxReadme = 2 << 20

// readme reads the sections of the package's README that tell how to use it.
func readme(l *located) []apidoc.Section {
	entries, err := fs.ReadDir(l.pkg.FS, ".")
	if err != nil {
		return nil
	}
	best := ""
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		switch name := e.Name(); strings.ToLower(name) {
		case "readme.md", "readme.markdown":
			return readmeFile(l, name)
		case "readme", "readme.txt":
			best = name
		}
	}
	if best == "" {
		return nil
	}
	return readmeFile(l, best)
}

func readmeFile(l *located, name string) []apidoc.Section {
	file, err := l.pkg.FS.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxReadme))
	if err != nil {
		return nil
	}
	return sections(name, strings.ToValidUTF8(string(data), ""))
}

// sections cuts Markdown at its headings and leaves out what does not help to
// use a package, with all that stands below it.
func sections(file, md string) []apidoc.Section {
	var out []apidoc.Section
	taken := map[string]int{}
	skip := 0 // level of the section that is left out, 0 for none
	for _, p := range markup.Parts(withoutHTML(markup.Clean(md))) {
		if skip > 0 && p.Level > skip {
			continue
		}
		skip = 0
		title := plainTitle(p.Title)
		if p.Level > 0 && idle(title) {
			skip = p.Level
			continue
		}
		body := withoutBadges(p.Body)
		if body == "" && len(out) == 0 {
			continue // a title over badges
		}
		if title == "" {
			title = "README"
		}
		id := "readme/" + slug(title)
		if n := taken[id]; n > 0 {
			taken[id]++
			id += "-" + strconv.Itoa(n)
		} else {
			taken[id] = 1
		}
		out = append(out, apidoc.Section{ID: id, Title: title, Level: max(p.Level, 1), Body: body, File: file})
	}
	return out
}

// idle tells whether a section says nothing about how to use the package.
func idle(title string) bool {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	for _, w := range words {
		switch w {
		case "sponsor", "sponsors", "sponsorship", "sponsoring", "backers", "donate", "donations":
			return true
		}
	}
	switch strings.Join(words, " ") {
	case "license", "licence", "licensing", "license mit", "mit license", "copyright", "copyright and license", "license and copyright",
		"supporters", "funding", "support us",
		"contributors", "contributing", "contributors ✨", "contribution", "how to contribute", "credits", "credit", "author", "authors", "maintainers",
		"team", "core team", "the team", "acknowledgements", "acknowledgments", "thanks", "special thanks", "people", "code of conduct",
		"table of contents", "contents", "toc", "index", "badges", "build status", "status", "stargazers", "stargazers over time", "star history",
		"community", "stay in touch", "follow us", "who uses", "used by", "security contact information", "changelog", "release notes":
		return true
	}
	return false
}

// withoutBadges drops lines that hold nothing but images and links around
// images, such as build status badges.
func withoutBadges(md string) string {
	if !strings.Contains(md, "![") {
		return strings.TrimSpace(md)
	}
	var keep []string
	for l := range markup.Lines(md) {
		if !l.Code && strings.Contains(l.Text, "![") && strings.Trim(withoutImages(l.Text), " \t|&*-:\\·•") == "" {
			continue
		}
		keep = append(keep, l.Text)
	}
	return strings.TrimSpace(strings.Join(keep, "\n"))
}

// withoutImages takes images, and links that hold only images, out of a line.
func withoutImages(s string) string {
	if len(s) > 16<<10 {
		return s // no line of badges
	}
	for {
		at := strings.Index(s, "![")
		if at < 0 {
			return s
		}
		end := bracketEnd(s, at+1)
		if end < 0 {
			return s
		}
		start := at
		// A link around it.
		if before := strings.TrimRight(s[:at], " "); strings.HasSuffix(before, "[") && strings.HasPrefix(strings.TrimLeft(s[end:], " "), "]") {
			open := len(before) - 1
			if e := bracketEnd(s, open); e > 0 {
				start, end = open, e
			}
		}
		s = s[:start] + s[end:]
	}
}

// bracketEnd is the end of a link that begins with the bracket at open:
// "[x](y)" or "[x][y]", -1 if there is none.
func bracketEnd(s string, open int) int {
	i := matching(s, open, '[', ']')
	if i < 0 {
		return -1
	}
	if i+1 < len(s) && s[i+1] == '(' {
		if e := matching(s, i+1, '(', ')'); e >= 0 {
			return e + 1
		}
		return -1
	}
	if i+1 < len(s) && s[i+1] == '[' {
		if e := matching(s, i+1, '[', ']'); e >= 0 {
			return e + 1
		}
	}
	return i + 1
}

func matching(s string, at int, open, end byte) int {
	depth := 0
	for i := at; i < min(len(s), at+4000); i++ {
		switch s[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

var titleLink = regexp.MustCompile(`\[([^\[\]]*)\]\([^()]*\)`)

func plainTitle(s string) string {
	s = html.UnescapeString(titleLink.ReplaceAllString(withoutImages(s), "$1"))
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "*_`"))
}

// slug is the anchor that a heading has on a web page.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	s := strings.Trim(b.String(), "-")
	if s == "" {
		return "section"
	}
	return s
}
