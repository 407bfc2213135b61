package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// If the comment on an option refers readers to the README or a guide, the answer also shows what these say about the
// option.

const (
	// maxExplained is the maximum number of options that are explained in this way, and maxReferring the
	// maximum number for which explanations are searched, because each search reads all prose.
	maxExplained = 3
	maxReferring = 12
	// maxExplanation is the maximum size in bytes of the explanation of one option.
	maxExplanation = 400
)

// seeProse matches a reference to the prose of a package in a comment.
var seeProse = lazyregexp.New(`(?i)\bsee (?:also )?(?:the )?(?:readme|docs|documentation|guide|manual)\b`)

// explanations returns what the prose of a package says about the options of a symbol, or of the types
// that calls of it take, whose comments refer readers to the prose. Each explanation is one line.
func (r *Renderer) explanations(s *apidoc.Symbol) (lines []string) {
	if len(r.pkg.Sections) == 0 {
		return nil
	}
	takes, _ := r.callTypes(s)
	referring := 0
	for _, t := range append([]*apidoc.Symbol{s}, takes...) {
		members := t.AllMembers()
		for i := range members {
			m := &members[i]
			if len(m.Doc) > shortComment || !strings.Contains(m.Doc, "ee ") || !seeProse().MatchString(m.Doc) {
				continue
			}
			if referring++; referring > maxReferring || len(lines) == maxExplained {
				return lines
			}
			if text, id := explanation(r.pkg.Sections, oneLine(m.Name())); text != "" {
				lines = append(lines, "`"+oneLine(m.Name())+"`, from "+oneLine(id)+": "+text)
			}
		}
	}
	return lines
}

// explanation returns the beginning of the text about an option and the ID of its section. The text is that of a section
// with the name of the option as its title, or else a list item that begins with it, or else a paragraph that contains it
// in code. text is "" if there is none.
func explanation(sections []apidoc.Section, name string) (text, id string) {
	best := 0
	use := func(rank int, s *apidoc.Section, paragraph string) {
		if paragraph = oneLine(paragraph); rank > best && paragraph != "" {
			best, text, id = rank, excerpt(paragraph, maxExplanation), s.ID
		}
	}
	for i := range sections {
		s := &sections[i]
		titled := strings.EqualFold(titleName(s.Title), name)
		if !titled && !strings.Contains(s.Body, name) {
			continue
		}
		body := markup.Clean(s.Body)
		if titled {
			use(3, s, firstParagraph(body))
		}
		for _, p := range paragraphs(body) {
			if isCode(p) {
				continue
			}
			for line := range strings.Lines(p) {
				if item := strings.TrimLeft(line, "-*+| \t"); len(item) < len(line) && strings.Trim(firstWord(item), "`*_:|()?") == name {
					use(2, s, item)
				}
			}
			if inCode(p, name) {
				use(1, s, p)
			}
		}
	}
	return text, id
}

// firstWord returns the text before the first space.
func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// inCode reports whether a paragraph contains a name as a whole word in inline code.
func inCode(paragraph, name string) bool {
	for i, part := range strings.Split(paragraph, "`") {
		if i%2 == 1 && wordsIn(part)[name] {
			return true
		}
	}
	return false
}
