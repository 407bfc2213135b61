package lookup

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/markup"
)

// Source is a declaration in the file that declares it.
type Source struct {
	Target
	// Lines are those of the file, Lines[0] line 1, without characters that control a
	// terminal. A very long line ends with "…".
	Lines []string
	// First and Last are the lines of the declaration; comments above it are not among them.
	First, Last int
}

// maxSourceLine bounds a line of source, in bytes.
const maxSourceLine = 2000

// Sources returns the declarations of the symbols that a question names, as the files of
// the packages have them. problems are the errors for symbols that do not exist or whose
// sources are not there. The error is non-nil if there is no source at all.
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
			return Source{}, e.WithNext("it comes from %s: ask for the source there", s.From)
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
		return Source{}, ecosystem.Fail(ecosystem.Unreadable, "%s is declared on line %d of %s, which has %d lines", s.Path, s.Line, s.File, n).
			WithNext("to read the package again: docent cache clear")
	default:
		out.Last = min(extent.Last(code, s.Line, &info.Lexis, info.Extent), n)
	}
	return out, nil
}

// Files calls use with a function that reads the files of a package, which was read for a
// question: ecosystem.Found.File says which.
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

// shown returns the package of a question as a command line names it.
func shown(q Package) string {
	if q.Version != "" {
		return q.Name + "@" + q.Version
	}
	return q.Name
}

// sourceLine returns a line of source as it is shown.
func sourceLine(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > maxSourceLine {
		line = strings.ToValidUTF8(line[:maxSourceLine], "") + "…"
	}
	return strings.ReplaceAll(markup.Clean(line), "\n", " ")
}
