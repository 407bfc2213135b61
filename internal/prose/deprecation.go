package prose

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

const ended = `(?:deprecated|unmaintained|unsupported|abandoned|archived|discontinued|obsolete|superseded|no longer (?:being )?(?:actively )?(?:maintained|supported|developed)|not (?:being )?maintained(?: any ?more)?|in maintenance mode|end[- ]of[- ]life)`

var (
	// deprecationTitle matches the heading of a notice, such as "Deprecated!" or "This project is
	// no longer maintained".
	deprecationTitle = lazyregexp.New(`(?i)^\W*(?:(?:warning|important|note|notice|attention|status)\W+)?(?:(?:this|the) (?:package|project|library|module|crate|repo|repository) (?:is|has been) (?:now |officially |fully )?)?(?:` + ended + `|deprecation)(?: (?:notice|warning|package|project|library))?\W*$`)
	// deprecationText matches a sentence that declares the package deprecated.
	deprecationText = lazyregexp.New(`(?i)^\W*(?:(?:warning|important|note|notice|attention)\W+)?(?:deprecated\b(?:\W*$|[.:!—–-]| (?:in favou?r|since|as of|use|please)|\*\*)|unmaintained\b)|\b(?:this|the) (?:npm |python |rust |go |swift )?(?:package|project|library|module|crate|repo|repository) (?:is|has been|was) (?:now |officially |fully |being )*` + ended + `\b`)
)

const (
	// firstSections is the number of sections at the beginning of a README that Deprecation
	// examines.
	firstSections = 3
	// maxDeprecation is the maximum size in bytes of a notice.
	maxDeprecation = 300
)

// Deprecation returns the notice with which a README begins if it declares the package deprecated
// or no longer maintained. It returns the empty string for other READMEs.
func Deprecation(sections []apidoc.Section) string {
	described := false
	for i := range sections[:min(len(sections), firstSections)] {
		s := &sections[i]
		if !strings.HasPrefix(s.ID, "readme/") {
			break
		}
		paragraph := firstParagraph(s.Body)
		title := strings.TrimSpace(s.Title)
		switch {
		case !described && deprecationTitle().MatchString(title):
			return strings.TrimSpace(strings.TrimRight(title, " .:!") + ". " + paragraph)
		case deprecationText().MatchString(paragraph):
			return paragraph
		}
		described = described || paragraph != "" // later headings may be about parts of the package
	}
	return ""
}

// firstParagraph returns the first paragraph of Markdown as a line of plain text.
func firstParagraph(md string) string {
	md = strings.TrimLeft(strings.ReplaceAll(md[:min(len(md), 4*maxDeprecation)], "\n> ", "\n"), "\n >")
	for _, mark := range []string{"[!WARNING]", "[!IMPORTANT]", "[!CAUTION]", "[!NOTE]"} {
		md = strings.TrimLeft(strings.TrimPrefix(md, mark), "\n >")
	}
	paragraph, _, _ := strings.Cut(md, "\n\n")
	if strings.HasPrefix(paragraph, "```") {
		return ""
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(markup.Plain(paragraph), "**", "")), " ")
	if len(text) > maxDeprecation {
		text = strings.ToValidUTF8(text[:maxDeprecation], "") + "…"
	}
	return text
}
