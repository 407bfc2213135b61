package lookup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

// Source is a declaration with the file that contains it.
type Source struct {
	Target
	// Lines are the lines of the file, beginning with line 1, without characters that control a
	// terminal. A very long line ends with "…".
	Lines []string
	// First and Last are the numbers of the declaration's first and last lines. They do not include
	// comments above it.
	First, Last int
}

const (
	// maxUnaskedLines is the maximum number of lines of a declaration that is shown in full without
	// an explicit request.
	maxUnaskedLines = 500
	// linesOfLong is the number of lines of a longer declaration that are shown.
	linesOfLong = 60
)

// maxSourceLine is the maximum length of a line of source code, in bytes.
const maxSourceLine = 2000

// Sources returns the declarations of the symbols that a question names, as they are in the files
// of the packages. problems are the errors for symbols that do not exist or whose source is not
// available. The error is non-nil if there is no source at all.
func (l *Lookup) Sources(ctx context.Context, d Description) (all []Source, problems []error, err error) {
	targets, problems, err := l.Select(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range targets {
		if t.Symbol == nil {
			continue
		}
		s, err := l.source(ctx, d.Package, t)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, nil, errors.Join(problems...)
	}
	return all, problems, nil
}

func (l *Lookup) source(ctx context.Context, q Package, t Target) (Source, error) {
	s, p := t.Symbol, t.Package
	if s.File == "" {
		e := ecosystem.Fail(ecosystem.NotFound, "the source of %s is not in %s", s.Path, p.Name)
		if s.From != "" {
			return Source{}, e.WithNext("it comes from %s; ask for the source there", s.From)
		}
		return Source{}, e.WithNext("to see its documentation: docent describe %s %s %s", p.Ecosystem, shown(q), s.Path)
	}
	var text []byte
	err := l.Files(ctx, q, p, func(read func(string) ([]byte, error)) (err error) {
		text, err = read(s.File)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Source{}, ecosystem.Fail(ecosystem.NotFound, "%s is declared in %s, which is not among the files of %s", s.Path, s.File, p.Name).
			WithNext("to see its documentation: docent describe %s %s %s", p.Ecosystem, p.Name, s.Path)
	}
	if err != nil {
		if _, known := errors.AsType[*ecosystem.Error](err); known {
			return Source{}, err
		}
		return Source{}, ecosystem.Fail(ecosystem.Unreadable, "%s of %s cannot be read: %v", s.File, p.Name, err).WithErr(err)
	}
	info := l.Languages().Find(q.Language).Info()
	code := strings.ReplaceAll(string(text), "\r\n", "\n")
	out := Source{Target: t, First: s.Line, Lines: SourceLines(code)}
	switch n := len(out.Lines); {
	case s.Line == 0: // the file as a whole
		out.First, out.Last = min(1, n), n
	case s.Line > n:
		return Source{}, ecosystem.Fail(ecosystem.Unreadable, "%s is declared on line %d of %s, which has %s", s.Path, s.Line, s.File, quote.Count(n, "line")).
			WithNext("to read the package again: docent cache clear")
	default:
		out.Last = min(extent.Last(code, s.Line, &info.Lexis, info.Extent), n)
	}
	return out, nil
}

// Files calls use with a function that reads the files of a package that was read for a question.
// ecosystem.Found.File describes which files those are.
func (l *Lookup) Files(ctx context.Context, q Package, p *apidoc.Package, use func(read func(name string) ([]byte, error)) error) error {
	if q.Name != p.Name {
		q.Name = p.Name
		if q.Version != "" {
			q.Version = p.Version
		}
	}
	return ecosystem.Files(ctx, l.Languages().Find(q.Language), q.query(), use)
}

// SourceLines returns the lines of source code as they are shown, without characters that
// control a terminal or hide text. A very long line ends with "…".
func SourceLines(code string) []string {
	var all []string
	for line := range strings.Lines(code) {
		all = append(all, sourceLine(line))
	}
	return all
}

// shown returns the package of a question as it is written on a command line.
func shown(q Package) string {
	if q.Version != "" {
		return q.Name + "@" + q.Version
	}
	return q.Name
}

// sourceLine returns a line of source code as it is shown.
func sourceLine(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > maxSourceLine {
		line = strings.ToValidUTF8(line[:maxSourceLine], "") + "…"
	}
	return strings.ReplaceAll(markup.Clean(line), "\n", " ")
}

// Markdown returns a source as text: a heading, and the numbered lines of the declaration with up
// to around lines before and after it. Unless all is true, it cuts a long declaration after the
// beginning and says that the command more prints the rest.
func (s *Source) Markdown(around int, all bool, more string) string {
	var b strings.Builder
	p := s.Package
	name := p.Name
	if p.Version != "" {
		name += "@" + p.Version
	}
	fmt.Fprintf(&b, "# %s: %s\n\n> ", name, s.Symbol.Path)
	if s.Notice != "" {
		fmt.Fprintf(&b, "%s\n> ", s.Notice)
	}
	first, last := max(s.First-around, 1), min(s.Last+around, len(s.Lines))
	count := s.Last - s.First + 1
	if count > 1 {
		fmt.Fprintf(&b, "%s, lines %d to %d", s.Symbol.File, s.First, s.Last)
	} else {
		fmt.Fprintf(&b, "%s, line %d", s.Symbol.File, s.First)
	}
	if by := p.Provenance.ChosenBy; by != "" {
		b.WriteString("; " + apidoc.VersionFrom(by))
	}
	if p.Provenance.Source != "" {
		b.WriteString("; read from " + p.Provenance.Source)
	}
	fmt.Fprintf(&b, ". %s\n\n", answer.Notice)
	long := count > maxUnaskedLines && !all
	if long {
		last = s.First + linesOfLong - 1
	}
	width := len(fmt.Sprint(last))
	var code strings.Builder
	for number := first; number <= last; number++ {
		code.WriteString(strings.TrimRight(fmt.Sprintf("%*d  %s", width, number, s.Lines[number-1]), " \t") + "\n")
	}
	fence := markup.Fence(code.String())
	language := p.Style.Fence
	if language == "" {
		language = string(p.Ecosystem)
	}
	fmt.Fprintf(&b, "%s%s\n%s%s\n", fence, language, code.String(), fence)
	if long {
		fmt.Fprintf(&b, "\n%s has %d lines. These are the first %d; %s prints all of them.\n", s.Symbol.Path, count, linesOfLong, more)
	}
	return b.String()
}
