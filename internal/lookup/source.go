package lookup

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

// Source is a declaration together with the file that contains it.
type Source struct {
	Target
	// Lines contains the lines of the file, beginning with line 1, without characters that control
	// a terminal. A very long line ends with "…".
	Lines []string
	// First and Last are the numbers of the first and the last line of the declaration. They do not
	// include comments above it.
	First, Last int
}

// maxSourceLine is the maximum length in bytes of a line of source code.
const maxSourceLine = 2000

// Sources returns the declarations of the symbols in a question, as they are in the files of the
// packages. problems contains the errors for symbols that do not exist or whose source is not
// available. Sources returns an error if there is no source at all.
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
	switch {
	case len(all) > 0:
		return all, problems, nil
	case len(problems) > 0:
		return nil, nil, errors.Join(problems...)
	}
	return nil, nil, ecosystem.Fail(ecosystem.Invalid, "docent shows the source code of symbols, not of a whole package").WithNext("specify the symbols whose source code you want")
}

func (l *Lookup) source(ctx context.Context, q Package, t Target) (Source, error) {
	s, p := t.Symbol, t.Package
	if s.File == "" {
		e := ecosystem.Fail(ecosystem.NotFound, "the source of %s is not in %s", s.Path, p.Name)
		if s.From != "" {
			return Source{}, e.WithNext("it comes from %s; request the source from that package", s.From)
		}
		return Source{}, e.WithNext("docent can show only its documentation")
	}
	var text []byte
	err := l.Files(ctx, q, p, func(read func(string) ([]byte, error)) (err error) {
		text, err = read(s.File)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Source{}, ecosystem.Fail(ecosystem.NotFound, "%s is declared in %s, which is not among the files of %s", s.Path, s.File, p.Name).
			WithNext("docent can show only its documentation")
	}
	if err != nil {
		if _, ok := errors.AsType[*ecosystem.Error](err); ok {
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
			WithNext("run docent cache clear to read the package again")
	default:
		out.Last = min(extent.Last(code, s.Line, &info.Lexis, info.Extent), n)
	}
	return out, nil
}

// Files calls use with a function that reads the files of a package that was read for a question.
// See ecosystem.Found.File for the names of these files.
func (l *Lookup) Files(ctx context.Context, q Package, p *apidoc.Package, use func(read func(name string) ([]byte, error)) error) error {
	if q.Name != p.Name {
		q.Name = p.Name
		if q.Version != "" {
			q.Version = p.Version
		}
	}
	return l.store.Files(ctx, q.Language, q.Query(), use)
}

// File returns a file to which the documentation of a package refers, such as the file of a symbol.
// For any other file, the error is fs.ErrNotExist.
func (l *Lookup) File(ctx context.Context, q Package, name string) (text []byte, err error) {
	p, err := l.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	named := slices.ContainsFunc(p.Sections, func(s apidoc.Section) bool { return s.File == name })
	for s := range p.Everywhere {
		named = named || s.File == name
	}
	if !named || name == "" {
		return nil, fs.ErrNotExist
	}
	err = l.store.Files(ctx, q.Language, q.Query(), func(read func(string) ([]byte, error)) error {
		text, err = read(name)
		return err
	})
	return text, err
}

// Locate finds a package on this machine. If it is not found, the error explains the reason.
func (l *Lookup) Locate(ctx context.Context, q Package) error {
	query := q.Query()
	query.Offline = true
	return ecosystem.Files(ctx, l.Languages().Find(q.Language), query, func(func(string) ([]byte, error)) error { return nil })
}

// SourceLines returns the lines of source code in the form in which they are shown, without
// characters that control a terminal or hide text. A very long line ends with "…".
func SourceLines(code string) []string {
	var all []string
	for line := range strings.Lines(code) {
		all = append(all, sourceLine(line))
	}
	return all
}

// sourceLine returns a line of source code in the form in which it is shown.
func sourceLine(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > maxSourceLine {
		line = strings.ToValidUTF8(line[:maxSourceLine], "") + "…"
	}
	return strings.ReplaceAll(markup.Clean(line), "\n", " ")
}
