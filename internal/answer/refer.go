package answer

import (
	"regexp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// A comment that only refers elsewhere brings the first paragraph of what it
// refers to.

// reference finds the name behind words that send the reader elsewhere.
var reference = regexp.MustCompile("(?i)\\b(?:see(?: also)?(?: the)?(?: documentation (?:of|for))?|like|as in|same as|equivalent (?:of|to)|identical to|alias (?:of|for)|shorthand for|wrapper around|calls|wraps)(?: the)?(?: function| method| type)? [\\[`{(]*(?:@link )?([\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::)[\\pL_$][\\pL\\pN_$]*)*)")

const (
	// shortComment is how long a comment is at most that is taken to only refer
	// elsewhere.
	shortComment = 300
	// maxReferred is how much of the other comment is shown.
	maxReferred = 700
	// maxReferences is how many references of one comment are followed.
	maxReferences = 2
)

// referredDoc is the beginning of the documentation to which the comment on s
// sends the reader, empty if it sends them nowhere.
func (r *Renderer) referredDoc(s *apidoc.Symbol) string {
	doc := markup.Clean(s.Doc)
	if len(doc) > shortComment {
		return ""
	}
	var b strings.Builder
	for _, match := range reference.FindAllStringSubmatch(doc, maxReferences) {
		other, err := r.pkg.Find(match[1])
		if err != nil || other.Path == s.Path || other.Doc == "" || !strings.HasSuffix(match[1], other.Name()) {
			continue
		}
		first := excerpt(firstParagraph(markup.Clean(other.Doc)), maxReferred)
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if !strings.HasPrefix(first, other.Name()) {
			first = oneLine(other.Path) + ": " + first
		}
		b.WriteString(first)
	}
	return b.String()
}

func firstParagraph(md string) string {
	for _, p := range paragraphs(md) {
		return p
	}
	return ""
}
