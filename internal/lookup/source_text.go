package lookup

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

// Lines is a range of lines of a file. The first line has the number 1. The zero value means no
// lines.
type Lines struct{ First, Last int }

// ParseLines parses line numbers such as 20-80 or 20.
func ParseLines(s string) (Lines, bool) {
	from, to, ranged := strings.Cut(strings.ReplaceAll(s, " ", ""), "-")
	if !ranged {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	return Lines{first, last}, err == nil && err2 == nil && first > 0 && last >= first
}

func (l Lines) String() string {
	if l.First == l.Last {
		return strconv.Itoa(l.First)
	}
	return fmt.Sprintf("%d-%d", l.First, l.Last)
}

const (
	// maxUnaskedLines is the maximum number of lines of a declaration that is shown completely
	// without a request for all of it.
	maxUnaskedLines = 500
	// linesOfLong is the number of lines that are shown of a longer declaration.
	linesOfLong = 60
	// AroundSource is the number of lines that are shown before and after a declaration, unless the
	// question specifies another number.
	AroundSource = 3
	// minSource is the minimum number of bytes for each of several sources.
	minSource = 500
	// minLine is the minimum number of bytes that are shown of a line that does not fit.
	minLine = 200
	// maxUnshown is the maximum number of names in a note about symbols that did not fit.
	maxUnshown = 20
)

// SourceView specifies how much of a source is shown.
type SourceView struct {
	// Around is the number of lines before and after the declaration.
	Around int
	// Whole is true if a long declaration is shown completely.
	Whole bool
	// Lines specifies the lines to show instead of the declaration, if it is not zero.
	Lines Lines
	// Bytes is the maximum size of the text; 0 means no limit. At least one line is shown.
	Bytes int
	// Rest describes how to get lines that are not shown, such as "--all prints the rest".
	Rest func(Lines) string
}

// Markdown returns a source as text. The text consists of a head and numbered lines. If a
// declaration is too long, the text contains its beginning and its length.
func (s *Source) Markdown(v SourceView) string {
	var head strings.Builder
	p := s.Package
	name := p.Name
	if p.Version != "" {
		name += "@" + p.Version
	}
	fmt.Fprintf(&head, "# %s: %s\n\n> ", name, s.Symbol.Path)
	if s.Notice != "" {
		fmt.Fprintf(&head, "%s\n> ", s.Notice)
	}
	count := s.Last - s.First + 1
	if count > 1 {
		fmt.Fprintf(&head, "%s, lines %d to %d", s.Symbol.File, s.First, s.Last)
	} else {
		fmt.Fprintf(&head, "%s, line %d", s.Symbol.File, s.First)
	}
	if by := p.Provenance.ChosenBy; by != "" {
		head.WriteString("; " + apidoc.VersionFrom(by))
	}
	if p.Provenance.Source != "" {
		head.WriteString("; read from " + p.Provenance.Source)
	}
	fmt.Fprintf(&head, ". %s\n\n", answer.Notice)

	first, last := max(s.First-v.Around, 1), min(s.Last+v.Around, len(s.Lines))
	end := s.Last // the last requested line
	switch {
	case v.Lines != Lines{}:
		last = min(v.Lines.Last, len(s.Lines))
		first, end = v.Lines.First, last
	case count > maxUnaskedLines && !v.Whole:
		last = s.First + linesOfLong - 1
	}
	room := v.Bytes - head.Len() - spareBytes
	code, shown := s.numbered(first, last, room, v.Bytes > 0)
	if shown < s.First && v.Lines == (Lines{}) { // the lines before it do not fit
		code, shown = s.numbered(s.First, last, room, v.Bytes > 0)
	}
	fence := markup.Fence(code)
	language := p.Style.Fence
	if language == "" {
		language = string(p.Ecosystem)
	}
	text := fmt.Sprintf("%s%s%s\n%s%s\n", head.String(), fence, language, code, fence)
	if shown >= end {
		return text
	}
	rest := Lines{shown + 1, end}
	note := fmt.Sprintf("\nNot shown: %s", rest)
	if v.Lines == (Lines{}) {
		note = fmt.Sprintf("\n%s has %d lines. Not shown: %s", s.Symbol.Path, count, rest)
	}
	if v.Rest != nil {
		note += "; " + v.Rest(rest)
	}
	return text + note + ".\n"
}

// spareBytes is the number of bytes that are reserved for the fences and the note below the code.
const spareBytes = 200

// numbered returns lines with their numbers, and the number of the last line. If bounded is true,
// it stops before the text is longer than room bytes, but writes at least one line.
func (s *Source) numbered(first, last, room int, bounded bool) (code string, end int) {
	width := len(strconv.Itoa(last))
	var b strings.Builder
	for number := first; number <= last; number++ {
		line := strings.TrimRight(fmt.Sprintf("%*d  %s", width, number, s.Lines[number-1]), " \t") + "\n"
		if bounded && b.Len()+len(line) > room {
			if number > first {
				return b.String(), number - 1
			}
			line = strings.ToValidUTF8(line[:min(len(line), max(room, minLine))], "") + "…\n"
		}
		b.WriteString(line)
	}
	return b.String(), last
}

// DescribeSource answers a question about symbols with their source code. If lines are specified,
// it shows these lines of the file that declares the only symbol in the question.
func (l *Lookup) DescribeSource(ctx context.Context, d Description, lines Lines, rest func(Lines) string) (*answer.Answer, error) {
	found, problems, err := l.Sources(ctx, d)
	if err != nil {
		return nil, err
	}
	if lines != (Lines{}) {
		if len(found) != 1 {
			return nil, ecosystem.Fail(ecosystem.Invalid, "lines %s refer to one file, but the question contains %d symbols", lines, len(found)).
				WithNext("specify one symbol that the file declares")
		}
		if n := len(found[0].Lines); lines.First > n {
			return nil, ecosystem.Fail(ecosystem.Invalid, "%s has %d lines, so there is no line %d", found[0].Symbol.File, n, lines.First).
				WithNext("%s is declared in lines %d to %d", found[0].Symbol.Path, found[0].First, found[0].Last)
		}
	}
	room := answer.Bytes(d.MaxTokens)
	if d.MaxTokens == 0 {
		room = answer.Bytes(answer.DefaultMaxTokens)
	}
	a := &answer.Answer{}
	var b, tail strings.Builder
	for i, problem := range problems {
		text := "\n" + markup.Clean(problem.Error()) + "\n"
		if tail.Len()+len(text) > room/3 {
			fmt.Fprintf(&tail, "\n%s not shown.\n", quote.Count(len(problems)-i, "more problem"))
			break
		}
		tail.WriteString(text)
	}
	room -= tail.Len()
	for i := range found {
		share := (room - b.Len()) / (len(found) - i)
		if i > 0 && share < minSource {
			b.WriteString("\nNot shown: " + names(found[i:]) + ". Request fewer symbols at a time.\n")
			break
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(found[i].Markdown(SourceView{Around: AroundSource, Lines: lines, Bytes: share, Rest: rest}))
		if i == 0 || found[i].Package != found[i-1].Package {
			a.Packages = append(a.Packages, answer.AboutPackage(found[i].Package))
		}
	}
	a.Text = b.String() + tail.String()
	return a, nil
}

// names returns the paths of sources.
func names(all []Source) string {
	var listed []string
	for i := range all[:min(len(all), maxUnshown)] {
		listed = append(listed, all[i].Symbol.Path)
	}
	text := strings.Join(listed, ", ")
	if more := len(all) - len(listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
