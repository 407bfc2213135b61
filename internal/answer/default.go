package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// Documentation that is truncated after its first sentence would not contain the default of an
// option, which is usually at the end. The sentence that states the default is kept.

// maxDefault is the maximum length of a sentence that states a default, in bytes.
const maxDefault = 100

// statesDefault matches sentences that state a default, such as "Default: 5", "Defaults to 5.",
// "The default value is 5.", "By default, 5." and "It is 5 by default."
var statesDefault = lazyregexp.New(`(?i)^\W*(?:the |by )?defaults?\b|\bdefaults to\b|\bdefault (?:value )?(?:is|of)\b|\bby default\b`)

// defaultBehind returns the sentence that states a default, from the paragraphs of a comment before
// its list of parameters, without the emphasis around a label. It returns "" if there is no short
// sentence, or if shown, the beginning of the comment, already contains it.
func defaultBehind(doc, shown string) string {
	if !strings.Contains(doc, "efault") {
		return ""
	}
	shown = strings.TrimSuffix(shown, " …")
	for _, p := range paragraphs(doc) {
		switch {
		case strings.HasPrefix(p, "**") && strings.Contains(p, ":**\n"):
			return "" // the rest describes parameters
		case isCode(p) || strings.Contains(p, "```") || !strings.Contains(p, "efault"):
			continue
		}
		for s := range markup.Sentences(oneLine(markup.PlainLinks(p))) {
			if len(s) > maxDefault || strings.HasSuffix(s, ":") || strings.HasSuffix(s, ":**") || !statesDefault().MatchString(s) {
				continue
			}
			if strings.HasPrefix(s, shown) || strings.Contains(shown, strings.TrimSuffix(s, ".")) {
				return ""
			}
			return strings.ReplaceAll(strings.TrimLeft(s, "- "), "**", "")
		}
	}
	return ""
}

// shortened returns first, the beginning of a comment, followed by a mark that the comment is cut
// and by fallback, the sentence about a default.
func shortened(first, fallback string) string {
	if !strings.HasSuffix(first, "…") {
		first += " …"
	}
	if fallback != "" {
		first += " " + fallback
	}
	return first
}
