package check

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
)

// typedProject contains the files of one project in a language with type checking.
type typedProject struct {
	language ecosystem.Language
	checker  ecosystem.TypeChecker
	dir      string
	files    [][]*checkedFile // the files of each directory

	uses [][][]ecosystem.TypedUse // the uses in each file
	err  error
}

// checkedFile is a file that was read. Markdown files have no language and no project.
type checkedFile struct {
	language ecosystem.Language
	reader   ecosystem.SourceReader
	source   *ecosystem.SourceFile
	project  string
	report   *Report
	ignored  map[int]bool
	members  chan *ecosystem.MemberUses // receives what run.members determines
}

// countCharacters sets the columns of the findings in characters.
func (f *checkedFile) countCharacters() {
	if len(f.report.Findings) == 0 {
		return
	}
	lines := bytes.Split(f.source.Text, []byte("\n"))
	for i := range f.report.Findings {
		found := &f.report.Findings[i]
		if found.Line < 1 || found.Line > len(lines) || found.Column < 1 {
			continue
		}
		line := lines[found.Line-1]
		found.character = utf8.RuneCount(line[:min(found.Column-1, len(line))]) + 1
	}
}

// dropDeprecated removes the findings about deprecated names in lines in which the compiler accepts them.
func (f *checkedFile) dropDeprecated() {
	reader, ok := f.reader.(ecosystem.DeprecationReader)
	if !ok || !slices.ContainsFunc(f.report.Findings, func(found Finding) bool { return found.Kind == Deprecated }) {
		return
	}
	accepts := reader.AcceptsDeprecated(f.source)
	f.report.Findings = slices.DeleteFunc(f.report.Findings, func(found Finding) bool { return found.Kind == Deprecated && accepts(found.Line) })
}

// byProject groups the files of languages with type checking by project.
func byProject(files []*checkedFile) (projects []*typedProject) {
	type key struct {
		language     apidoc.Ecosystem
		project, dir string
	}
	projectAt, dirAt := map[key]*typedProject{}, map[key]int{}
	for _, f := range files {
		checker, ok := f.reader.(ecosystem.TypeChecker)
		if !ok {
			continue
		}
		k := key{language: f.language.Info().ID, project: f.project}
		p := projectAt[k]
		if p == nil {
			p = &typedProject{language: f.language, checker: checker, dir: f.project}
			projectAt[k] = p
			projects = append(projects, p)
		}
		k.dir = path.Dir(f.source.Name)
		i, ok := dirAt[k]
		if !ok {
			i = len(p.files)
			dirAt[k] = i
			p.files = append(p.files, nil)
		}
		p.files[i] = append(p.files[i], f)
	}
	return projects
}

// A TypesFunc checks the types of source files of the project in dir. files contains the files of
// each directory, and the result contains the uses of each file, or none without a project. It returns uses together with
// an *ecosystem.PartialError if some are left out. A
// function that runs in this process has no limits on time and memory. A type checker might not
// terminate for some code.
type TypesFunc func(ctx context.Context, language apidoc.Ecosystem, checker ecosystem.TypeChecker, dir string, files [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error)

// Types is the TypesFunc that runs in this process.
func Types(ctx context.Context, _ apidoc.Ecosystem, checker ecosystem.TypeChecker, dir string, files [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
	types, err := checker.Types(ctx, dir)
	if _, ok := errors.AsType[*ecosystem.Error](err); ok {
		return nil, nil // the project cannot be read, which is also reported for its packages
	}
	partial, _ := errors.AsType[*ecosystem.PartialError](err)
	if err != nil && partial == nil {
		return nil, err
	}
	if c, ok := types.(io.Closer); ok {
		defer c.Close()
	}
	all := make([][][]ecosystem.TypedUse, len(files))
	err = parallel.Limit(ctx, len(files), 0, nil, func(i int) {
		uses := types.Uses(files[i])
		for _, f := range files[i] {
			all[i] = append(all[i], counted(uses[f]))
		}
	})
	if err == nil && partial != nil {
		err = partial
	}
	return all, err
}

// counted replaces the uses of members that exist by one that counts them. These are most of the uses in a program.
func counted(uses []ecosystem.TypedUse) (others []ecosystem.TypedUse) {
	n := 0
	for i := range uses {
		if isPresent(&uses[i]) {
			n += max(uses[i].Present, 1)
		} else {
			others = append(others, uses[i])
		}
	}
	if n > 0 {
		others = append(others, ecosystem.TypedUse{Present: n})
	}
	return others
}

// isPresent reports whether a use is that of a member that exists, about which a package has nothing to say.
func isPresent(u *ecosystem.TypedUse) bool { return u.Fault == ecosystem.NoFault && u.Package == "" }

// sources returns the files of each directory.
func (p *typedProject) sources() [][]*ecosystem.SourceFile {
	sources := make([][]*ecosystem.SourceFile, len(p.files))
	for i := range p.files {
		for _, f := range p.files[i] {
			sources[i] = append(sources[i], f.source)
		}
	}
	return sources
}

// types adds the findings of the type check of a project to the reports of its files.
func (r *run) types(ctx context.Context, p *typedProject) {
	partial, ok := errors.AsType[*ecosystem.PartialError](p.err)
	if ok {
		report := p.files[0][0].report
		report.Notes = append(report.Notes, fmt.Sprintf("%s: %s", p.language.Info().Style.Name, partial.Reason))
	} else if p.err != nil {
		if ctx.Err() == nil {
			report := p.files[0][0].report
			report.Problems = append(report.Problems, fmt.Sprintf("the types in the %s code of %s could not be checked: %v", p.language.Info().Style.Name, p.dir, p.err))
		}
		return
	}
	_ = parallel.Limit(ctx, min(len(p.uses), len(p.files)), 0, nil, func(i int) {
		for k := range min(len(p.uses[i]), len(p.files[i])) {
			f := p.files[i][k]
			for n := range p.uses[i][k] {
				r.typed(ctx, p, f, &p.uses[i][k][n])
			}
			f.dropDeprecated()
			sortFindings(f.report)
		}
	})
}

var errNoPackage = errors.New("the use belongs to no package")

// typed adds the findings about a use that types decide.
func (r *run) typed(ctx context.Context, p *typedProject, f *checkedFile, u *ecosystem.TypedUse) {
	f.report.Uses += max(u.Present, 1)
	if isPresent(u) {
		return
	}
	var s *surface
	err := errNoPackage
	if u.Package != "" {
		s, err = r.find(ctx, p.language.Info().ID, p.dir, u.Package, "")
	}
	if err != nil {
		if u.Fault == ecosystem.NoFault || ctx.Err() != nil {
			f.report.Undecided++
			return
		}
		s = newSurface(&apidoc.Package{Name: u.Package}) // the package is a command or a test, which has no documentation
	}
	var found []Finding
	switch u.Fault {
	case ecosystem.NoFault:
		if _, state := s.find(u.Path); state == public { // the symbol exists, so only look for deprecations
			found, _ = s.check(&u.Use)
			found = slices.DeleteFunc(found, func(f Finding) bool { return f.Kind != Deprecated })
		}
	case ecosystem.AbsentFault:
		if u.Message != "" {
			finding := s.finding(&u.Use, Name, u.Message)
			finding.Near = u.Near
			finding.Declaration = s.similar(u.Path, u.Near)
			found = append(found, finding)
		} else {
			finding := s.absent(&u.Use)
			if len(finding.Near) == 0 {
				finding.Near = u.Near
			}
			found = append(found, finding)
		}
	case ecosystem.UnexportedFault:
		found = append(found, s.unexportedName(&u.Use))
	case ecosystem.ArgumentsFault:
		message := u.Path + ": " + u.Message
		if predicate, ok := strings.CutPrefix(u.Message, "it "); ok {
			message = u.Path + " " + predicate
		}
		finding := s.declared(&u.Use, Call, message)
		finding.Declaration = cmp.Or(finding.Declaration, u.Declaration)
		found = append(found, finding)
	case ecosystem.FieldsFault:
		if found, _ = s.checkFields(&u.Use, s.symbols[u.Path]); len(found) == 0 {
			finding := s.declared(&u.Use, FieldName, cmp.Or(u.Message, fmt.Sprintf("%s has no field %s", u.Path, u.Fields[0].Name)))
			finding.Near = u.Near
			found = append(found, finding)
		}
	case ecosystem.UndeclaredFault:
		found = append(found, s.finding(&u.Use, Undeclared, u.Message))
	case ecosystem.TypeFault:
		found = append(found, s.declared(&u.Use, Type, u.Message))
	}
	for _, finding := range found {
		if finding.Kind == Name { // of an import of a package on which the project does not depend, which is then an error
			f.report.Findings = slices.DeleteFunc(f.report.Findings, func(other Finding) bool {
				return other.Position == finding.Position && other.Kind == Undeclared
			})
		}
		repeated := slices.ContainsFunc(f.report.Findings, func(other Finding) bool {
			return other.Position == finding.Position && (other.Kind == finding.Kind || other.Kind == Package)
		})
		if !repeated && !f.ignored[finding.Line] {
			finding.File, finding.Ecosystem = f.source.Name, p.language.Info().ID
			f.report.Findings = append(f.report.Findings, finding)
		}
	}
}

// similar returns the declaration of the first of the names that resemble that of an absent member. It returns "" if the
// package does not document it.
func (s *surface) similar(path string, near []string) string {
	i := strings.LastIndex(path, s.Separator())
	if i < 0 || len(near) == 0 {
		return ""
	}
	found := s.named(path[:i] + s.Separator() + near[0])
	if len(found) == 0 {
		return ""
	}
	return s.declaration(found[0])
}

// declared returns a finding with the declaration of the used symbol.
func (s *surface) declared(u *ecosystem.Use, kind Kind, message string) Finding {
	f := s.finding(u, kind, message)
	if found := s.symbols[u.Path]; len(found) > 0 {
		f.Declaration = s.declaration(found[0])
	}
	return f
}
