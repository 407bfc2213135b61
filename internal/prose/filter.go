package prose

import (
	"strings"
	"sync"
	"unicode"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/work"
)

// This file separates the parts of a README that help to use the package from
// those that do not.

// idleWords are words in the headings of sections about people and money.
var idleWords = set(`sponsor sponsors sponsorship sponsoring sponsored backer backers donate donation donations donating donors patrons patreon
	opencollective tidelift contributor contributors maintainers triagers emeriti emeritus stargazers acknowledgements acknowledgments
	acknowledgement acknowledgment`)

// idleTitles are headings of sections that do not help to use the package.
var idleTitles = sync.OnceValue(func() map[string]bool {
	titles := map[string]bool{}
	for t := range strings.SplitSeq(`license|licence|licenses|licensing|license mit|mit license|the mit license|copyright|copyright and license|license and copyright|
		copyright license|license copyright|legal|license information|licence mit|supporters|our supporters|funding|issue funding|support us|support the project|
		support this project|support the author|support development|supporting us|supporting development|become a supporter|buy me a coffee|financial support|open source software support|commercial support|
		contributing|contribution|contributions|how to contribute|contribute|contributing guide|contribution guide|contribution guidelines|contributing guidelines|
		want to contribute|developing and contributing|development and contributing|contribute to this project|guidelines for contributing|help wanted|hacking|
		credits|credit|author|authors|the author|about the author|about author|maintainer|maintained by|developed by|created by|made by|built by|
		team|core team|the team|our team|meet the team|project team|team members|current project team members|current project members|project members|
		members|collaborators|lead maintainer|past collaborators|great contributors|partners|other partners|our partners|hosted by|
		thanks|thanks to|thank you|special thanks|special thanks to|many thanks|kudos|people|code of conduct|governance|project governance|
		badges|badge|build status|build|ci|ci status|tests status|test status|status badges|coverage|
		code coverage|stargazers|stargazers over time|star history|stars|github stars|activity|repobeats|downloads|npm downloads|
		community|join the community|communication|stay in touch|stay tuned|follow us|contact|contact us|contacts|connect with us|join us|chat|social|social media|
		who uses|who uses it|who is using|who is using this|who's using|used by|users|companies using|trusted by|in the wild|projects using|who's using it|
		security contact information|reporting security issues|report a vulnerability|reporting a vulnerability|security disclosures|security contact|
		reporting vulnerabilities|reporting bugs|report bugs|bug reports|filing issues|issues|
		changelog|change log|changes|release notes|releases|release history|history|translations|translation|other languages|disclaimer|no warranty`, "|") {
		titles[strings.Join(strings.Fields(t), " ")] = true
	}
	return titles
})

// contents are headings of tables of contents. Other text below such a heading may belong
// to the rest of the page.
var contents = set("contents toc table-of-contents table-of-content in-this-document on-this-page index overview-of-contents")

func set(words string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		s[w] = true
	}
	return s
}

// idle reports whether the heading of a section shows that it does not help to
// use the package.
func idle(title string) bool {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	if idleTitles()[strings.ReplaceAll(strings.Join(words, " "), "’", "'")] {
		return true
	}
	if strings.ContainsAny(title, "`()=.#") {
		return false // code: contributors(), .sponsor
	}
	for _, w := range words {
		if idleWords[w] {
			return true
		}
	}
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	switch {
	case (first == "author" || first == "authors" || first == "copyright") && strings.Contains(title, ":"),
		strings.HasSuffix(strings.ToLower(title), "for enterprise"),
		strings.HasSuffix(strings.ToLower(title), " in the wild"),
		first == "supporting" && len(words) == 2,
		first == "who's" && len(words) > 1 && words[1] == "using",
		strings.HasSuffix(strings.Join(words, " "), "committee"):
		return true
	}
	return false
}

// idleText reports whether a section with an ambiguous heading is meant for
// contributors to the package.
func idleText(title, body string) bool {
	if len(body) > 1500 {
		return false
	}
	switch strings.Trim(strings.ToLower(title), " :!.") {
	case "test", "tests", "testing", "run tests", "running tests", "running the tests", "run the tests", "unit tests", "how to test":
		return strings.Contains(body, "npm test") || strings.Contains(body, "npm run test") || strings.Contains(body, "npm t\n") ||
			strings.Contains(body, "yarn test") || strings.Contains(body, "pnpm test") || strings.Contains(body, "make test")
	case "development", "developing", "develop", "local development", "building", "build from source", "cloning this repository", "dev":
		return strings.Contains(body, "git clone") || strings.Contains(body, "npm install\n") || strings.Contains(body, "npm run dev") ||
			strings.Contains(body, "yarn install") || strings.Contains(body, "npm ci")
	case "security", "security policy", "bugs", "bug", "questions", "feedback", "support", "help", "getting help":
		return len(body) < 600 && (strings.Contains(body, "report") || strings.Contains(body, "open an issue") || strings.Contains(body, "issues)")) && !strings.Contains(body, "```")
	}
	return false
}

// useful removes badges, rules, links to translations and, unless lists is true,
// tables of contents from a section. It returns "" if nothing is left.
func useful(m *work.Meter, md string, lists bool) string {
	md = strings.TrimSpace(md)
	if md == "" {
		return ""
	}
	var keep, paragraph []string
	flush := func() {
		keep = append(keep, usefulLines(m, paragraph, lists)...)
		paragraph = paragraph[:0]
	}
	empty, fenced := true, false
	for l := range markup.Lines(md) {
		if !l.Code {
			fenced = false
		} else if text := strings.TrimSpace(l.Text); strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			fenced = true
		}
		switch {
		case l.Code && !fenced && strings.Contains(l.Text, "![") && markup.OnlyImages(l.Text): // Badges within indented HTML are not code.
		case l.Code:
			flush()
			keep = append(keep, l.Text)
			empty = false
		case strings.TrimSpace(l.Text) == "":
			flush()
			if n := len(keep); n > 0 && keep[n-1] == "" && empty {
				continue
			}
			keep = append(keep, "")
			empty = true
		default:
			paragraph = append(paragraph, l.Text)
			empty = false
		}
	}
	flush()
	return strings.Trim(collapse(keep), "\n")
}

// collapse joins lines and reduces runs of empty ones in prose to one.
func collapse(lines []string) string {
	var b strings.Builder
	empty := 0
	for l := range markup.Lines(strings.Join(lines, "\n")) {
		if !l.Code && l.Text == "" {
			if empty++; empty > 1 {
				continue
			}
		} else {
			empty = 0
		}
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// usefulLines returns the lines of a paragraph that contain information. If lists is false, tables
// of contents are omitted, too.
func usefulLines(m *work.Meter, lines []string, lists bool) []string {
	if len(lines) == 0 {
		return nil
	}
	text := strings.Join(lines, "\n")
	if markup.OnlyImages(text) || languages(text) || len(lines) == 1 && idleLine(lines[0]) {
		return nil
	}
	var keep []string
	for i := 0; i < len(lines); {
		if !lists {
			if n := tableOfContents(m, lines[i:]); n >= 3 {
				i += n
				continue
			}
		}
		line := lines[i]
		i++
		if strings.Contains(line, "![") && markup.OnlyImages(line) {
			continue
		}
		if strings.Contains(line, "![") && len(line) < 16<<10 {
			line = picture().ReplaceAllString(line, "$1") // readers of the text cannot see images
		}
		keep = append(keep, line)
	}
	return keep
}

// idleLine reports whether a bold line is used as the heading of an idle
// section: "**Platinum Sponsors**".
func idleLine(line string) bool {
	inner, bold := strings.CutPrefix(strings.TrimSpace(line), "**")
	inner, ends := strings.CutSuffix(inner, "**")
	return bold && ends && len(inner) < 80 && idle(plainTitle(inner))
}

// languages reports whether a paragraph is a list of links to translations.
func languages(text string) bool {
	if len(text) > 3000 || strings.Contains(text, "`") {
		return false
	}
	links, readmes := strings.Count(text, "]("), 0
	for part := range strings.SplitSeq(text, "](") {
		target, _, ok := strings.Cut(part, ")")
		if ok && strings.Contains(strings.ToLower(target), "readme") {
			readmes++
		}
	}
	return links >= 2 && readmes >= links-1 && len(markup.PlainLinks(text)) < 40+25*links
}

var (
	contentsLine = lazyregexp.New(`^\s*(?:[-*+]|\d+[.)])\s+(?:\[.*\]\(#[^)]*\)|\*\*\[.*\]\(#[^)]*\)\*\*)[\s:,.]*$`)
	picture      = lazyregexp.New(`!\[([^\[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)`)
)

// tableOfContents counts the list items at the beginning that are only links
// within the page.
func tableOfContents(m *work.Meter, lines []string) int {
	n := 0
	for n < len(lines) && m.Step(1+len(lines[n])) && len(lines[n]) < 500 && contentsLine().MatchString(lines[n]) {
		n++
	}
	return n
}
