package check

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
)

func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(path.Ext(name)))
}

// notRun contains words that can follow the language of a code block and mean that the code is not
// supposed to work.
var notRun = []string{"compile_fail", "ignore", "diff"}

// markdown checks each fenced code block of a Markdown file separately. A block may be an excerpt
// of a program. Therefore, it may contain syntax errors, omit arguments, and import packages that
// the reader has to write.
func (r *run) markdown(ctx context.Context, f *checkedFile) {
	name, report := f.source.Name, f.report
	for block := range markup.FencedBlocks(string(f.source.Text)) {
		if ctx.Err() != nil {
			return
		}
		words := strings.FieldsFunc(block.Info, func(r rune) bool { return strings.ContainsRune(" \t,;:{}", r) })
		if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(notRun, w) }) {
			continue
		}
		language, reader, file := r.checker.snippet(words[0])
		if language == nil {
			continue
		}
		source := &ecosystem.SourceFile{Name: path.Join(path.Dir(name), file), Dir: r.dir, Text: []byte(block.Code)}
		uses, faults := reader.Uses(source)
		if strings.Contains(block.Code, "...") || strings.Contains(block.Code, "…") || len(faults) > 0 {
			withoutArguments(uses)
		}
		var found Report
		r.uses(ctx, language, r.projectOf(language, name), source, uses, &found, func(c ecosystem.MemberChecker) *ecosystem.MemberUses { return c.Members(ctx, source) })
		report.Uses += found.Uses
		report.Undecided += found.Undecided
		report.Problems = append(report.Problems, found.Problems...)
		for _, finding := range found.Findings {
			if finding.Kind == Package {
				continue // the import may be the reader's own package
			}
			finding.Line += block.Line - 1
			if !f.ignored[finding.Line] {
				finding.File, finding.Ecosystem = name, language.Info().ID
				report.Findings = append(report.Findings, finding)
			}
		}
	}
	sortFindings(report)
}

// snippet returns the language that a code block specifies, and the name of a source file in that
// language. The file name has the extension that the block's info string specifies or implies, such
// as .js for JavaScript.
func (c *Checker) snippet(word string) (ecosystem.Language, ecosystem.SourceReader, string) {
	word = strings.ToLower(word)
	name := "snippet." + word
	if l, reader := c.reader(name); l != nil {
		return l, reader, name
	}
	l := c.Languages.Find(word)
	reader, ok := l.(ecosystem.SourceReader)
	if !ok {
		return nil, nil, ""
	}
	for _, short := range l.Info().Spellings {
		if name := "snippet." + short; isShortFor(short, word) && reader.IsSource(name) {
			return l, reader, name
		}
	}
	return l, reader, reader.SnippetName()
}

// isShortFor reports whether the letters of short occur in word in the same order.
func isShortFor(short, word string) bool {
	for _, letter := range word {
		short = strings.TrimPrefix(short, string(letter))
	}
	return short == ""
}
