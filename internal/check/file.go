package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/spelling"
)

// fileCheck checks the uses in one source file.
type fileCheck struct {
	*run
	ctx      context.Context
	language ecosystem.Language
	dir      string // the project's directory
	file     *ecosystem.SourceFile
	report   *Report
	typed    bool            // whether the language has determined the types of values
	missing  map[string]bool // packages that have already been reported
}

// uses adds the findings about the uses in a source file of the project in dir to a report. members returns the result of
// [ecosystem.MemberChecker.Members] for the file.
func (r *run) uses(ctx context.Context, language ecosystem.Language, dir string, file *ecosystem.SourceFile, uses []ecosystem.Use, report *Report, members func(ecosystem.MemberChecker) *ecosystem.MemberUses) {
	c := &fileCheck{run: r, ctx: ctx, language: language, dir: dir, file: file, report: report, missing: map[string]bool{}}
	if checker := r.memberChecker(ctx, language, dir); checker != nil {
		if found := members(checker); found != nil {
			c.typed = true
			c.values(found)
		}
	}
	for i := range uses {
		u := &uses[i]
		if u.Whole {
			continue // The import of the package is another use.
		}
		report.Uses += parts(u)
		findings, undecided := c.use(u)
		report.Findings = append(report.Findings, findings...)
		report.Undecided += undecided
	}
}

// parts returns the number of uses that are counted for a use.
func parts(u *ecosystem.Use) int { return max(1, len(u.Steps)) }

// packageNamed returns a package that the file imports.
func (c *fileCheck) packageNamed(name string) (*surface, error) {
	return c.find(c.ctx, c.language.Info().ID, c.dir, name, "")
}

// use checks a use. It returns the number of parts that may be correct or incorrect.
func (c *fileCheck) use(u *ecosystem.Use) (findings []Finding, undecided int) {
	if u.Own {
		return c.useOfOwn(u)
	}
	s, err := c.packageNamed(u.Package)
	if err == nil {
		if part := naming.UnreadPart(s.Package, u.Path); part != "" {
			if s, err = c.packageNamed(s.Name + "/" + part); err == nil && s.symbols[part] == nil {
				return nil, parts(u) // the package has another package with the name of the symbol
			}
		}
	}
	switch {
	case err != nil:
		return c.useOfUnread(u, err)
	case s.Provenance.Unused:
		return c.useOfUnused(s, u)
	case len(u.Steps) > 0:
		return c.steps(s, u)
	}
	if notice := s.Provenance.Undeclared; notice != "" && u.Import && u.Path == "" && !c.missing[u.Package] {
		c.missing[u.Package] = true
		findings = append(findings, s.finding(u, Undeclared, notice))
	}
	found, decided := c.path(s, u)
	if !decided {
		undecided = 1
	}
	return append(findings, found...), undecided
}

// useOfUnread checks a use of a package that cannot be read because of err.
func (c *fileCheck) useOfUnread(u *ecosystem.Use, err error) (findings []Finding, undecided int) {
	if !c.missing[u.Package] && u.Path == "" {
		c.missing[u.Package] = true
		if f, ok := packageFinding(u, err); ok {
			if !c.isOwn(u.Package) {
				findings = append(findings, f)
			}
		} else if e, ok := errors.AsType[*ecosystem.Error](err); c.ctx.Err() == nil && (!ok || e.Reason == ecosystem.Unreachable) {
			if absent, ok := absentFrom(err); ok {
				c.report.absent = append(c.report.absent, absent)
			} else {
				c.report.Problems = append(c.report.Problems, err.Error())
			}
		}
	}
	if f, ok := absentName(u, err); ok {
		f.unless = c.bindings(u.Package, f.path, false)
		return append(findings, f), 0
	}
	return findings, parts(u)
}

// useOfUnused checks a use of a package on which the project does not depend. The package that was read may differ from the
// one that the program imports, because the project may get another version or use the name for another package.
func (c *fileCheck) useOfUnused(s *surface, u *ecosystem.Use) (findings []Finding, undecided int) {
	if u.Path != "" || len(u.Steps) > 0 {
		return nil, parts(u)
	}
	if u.Import && !c.missing[u.Package] && !c.isOwn(u.Package) {
		c.missing[u.Package] = true
		f := s.finding(u, Undeclared, fmt.Sprintf("the project does not depend on %s", cmp.Or(s.Module, s.Name)))
		f.Source = s.Provenance.Source // an import of the package gets another copy, once the project depends on it
		if f.Near = c.misspelledDependencies(u.Package); len(f.Near) == 0 {
			f.Message += "; add the dependency, or remove the import"
		}
		findings = append(findings, f)
	}
	return findings, 0
}

// misspelledDependencies returns the dependencies of the project whose names differ from a name in a typing error.
func (c *fileCheck) misspelledDependencies(name string) []string {
	lister, ok := c.language.(ecosystem.Lister)
	if !ok {
		return nil
	}
	dependencies, err := lister.Dependencies(c.dir)
	if err != nil {
		return nil // their names are only a suggestion
	}
	return spelling.Misspelled(func(yield func(string) bool) {
		for i := range dependencies {
			if !yield(dependencies[i].Package) {
				return
			}
		}
	}, name)
}

// path checks a use of a path in a package. decided is false if the use may be correct or incorrect.
func (c *fileCheck) path(s *surface, u *ecosystem.Use) (findings []Finding, decided bool) {
	findings, decided = s.check(u)
	if first, rest, ok := strings.Cut(u.Path, s.Separator()); !decided && ok && u.Module != "" && s.isModule(first) {
		if below, err := c.packageNamed(u.Package + s.Separator() + first); err == nil && !below.Provenance.Unused && len(below.Symbols) > 0 {
			part := *u
			part.Package, part.Path = below.Name, rest
			findings, decided = below.check(&part)
			for k := range findings {
				if findings[k].Kind == Name {
					findings[k].unless = c.bindings(below.Name, rest, false)
				}
			}
		}
	}
	if !decided && len(findings) == 0 {
		findings, decided = c.checkPath(s, u)
	}
	for k := range findings {
		f := &findings[k]
		f.path, f.dir, f.module = u.Path, c.dir, s.Module
		if f.unless == nil && f.Kind == Name {
			f.unless = c.bindings(s.Name, u.Path, false)
		}
		if f.unless != nil && !decided {
			f.unless.counted = true
		}
	}
	if slices.ContainsFunc(findings, func(f Finding) bool { return f.Kind == Name }) {
		switch {
		case c.mayHave(u):
			return nil, false
		case c.language.Info().Features != "" && (s.Version == "" || c.hasWithFeatures(u)):
			return nil, false // the enabled features depend on how the project is built
		case u.Module != "":
			if _, err := c.packageNamed(u.Module); err == nil {
				return nil, decided // the name belongs to a package
			}
		}
	}
	return findings, decided
}

// hasWithFeatures reports whether a package has a name when all of its features are enabled.
func (c *fileCheck) hasWithFeatures(u *ecosystem.Use) bool {
	whole, err := c.find(c.ctx, c.language.Info().ID, c.dir, u.Package, "all")
	if err != nil {
		return false
	}
	_, state := whole.find(u.Path)
	return state != absent
}

// mayHave reports whether a package may have a name that its documentation lacks.
func (c *fileCheck) mayHave(u *ecosystem.Use) bool {
	finder, ok := c.language.(ecosystem.NameFinder)
	if !ok {
		return false
	}
	k := packageKey{language: c.language.Info().ID, dir: c.dir}
	c.findersMu.Lock()
	defer c.findersMu.Unlock()
	find := c.finders[k]
	if find == nil {
		find = finder.FindNames(c.ctx, c.dir)
		c.finders[k] = find
	}
	return find(c.file, u.Package, u.Path)
}

// useOfOwn checks a use of a package of the program.
func (c *fileCheck) useOfOwn(u *ecosystem.Use) (findings []Finding, undecided int) {
	s := c.program(u.Package)
	if s == nil {
		return nil, parts(u)
	}
	use := *u
	if first, rest, ok := strings.Cut(u.Path, s.Separator()); ok && u.Package != "" && (s.named(first) == nil || s.named(first)[0].Role() == apidoc.ModuleRole) {
		if below := c.program(u.Package + s.Separator() + first); below != nil {
			s, use.Path = below, rest
		} else if module := s.importedModule(first); module != "" && len(u.Steps) == 0 {
			use.Package, use.Path, use.Module = module, rest, module+s.Separator()+rest
			if use.Own = c.program(module) != nil; use.Own {
				return c.useOfOwn(&use)
			}
			return c.use(&use)
		}
	}
	if len(u.Steps) > 0 {
		return c.steps(s, &use)
	}
	found, decided := s.named(use.Path), true
	_, state := s.find(use.Path)
	switch {
	case state == absent:
		path := use.Path
		use.Path = s.absentPart(path)
		f := s.absent(&use)
		if len(f.Near) == 0 {
			f.Near = spelling.Misspelled(s.undocumented, use.Path)
			f.alone = f.alone && len(f.Near) == 0
		}
		if len(s.Subpackages) > 0 && (f.alone || use.Path != path && len(f.Near) == 0 || strings.Contains(use.Path, s.Separator())) || strings.HasPrefix(use.Path, "_") && len(f.Near) == 0 {
			return nil, 1 // the build may write a package with that name
		}
		f.unless = c.bindings(s.Name, use.Path, true)
		findings = append(findings, f)
	case found == nil:
		findings, decided = c.checkPath(s, &use)
	case u.Args != nil:
		findings, decided = s.checkCall(&use, found, false)
	}
	if !decided {
		undecided = 1
	}
	return findings, undecided
}

// values adds the findings about the members and calls of values to the report.
func (c *fileCheck) values(found *ecosystem.MemberUses) {
	c.report.Uses += found.Decided + found.Undecided
	c.report.Undecided += found.Undecided
	for i := range found.Absent {
		if f, ok := c.absentMember(&found.Absent[i]); ok {
			c.report.Findings = append(c.report.Findings, f)
		} else {
			c.report.Undecided++
		}
	}
	for i := range found.Wrong {
		w := &found.Wrong[i]
		s := c.owner(w.Package, w.Path, w.Own)
		f := s.finding(&ecosystem.Use{Position: w.Position, Text: w.Text}, Call, w.Path+" "+w.Problem)
		decl := s.Package.Decl(&apidoc.Symbol{Path: w.Path, Signature: w.Declaration})
		f.Near, f.Declaration, f.unless = w.Near, declarations(&decl), c.additions(w.Unless)
		c.report.Findings = append(c.report.Findings, f)
	}
	for i := range found.Deprecated {
		d := &found.Deprecated[i]
		u := ecosystem.Use{Position: d.Position, Text: d.Text}
		c.report.Findings = append(c.report.Findings, c.owner(d.Package, d.Path, d.Own).finding(&u, Deprecated, fmt.Sprintf("%s is deprecated: %s", d.Path, oneLine(d.Notice))))
	}
}

// absentMember returns the finding for an absent member of a value. ok is false if the value may have it.
func (c *fileCheck) absentMember(m *ecosystem.AbsentMember) (f Finding, ok bool) {
	if len(m.Owners) == 0 || slices.Contains(c.language.Info().Inherent, m.Name) {
		return f, false
	}
	owner := &m.Owners[0]
	s := c.owner(owner.Package, owner.Path, owner.Own)
	f = s.finding(&ecosystem.Use{Position: m.Position, Text: m.Text}, Name, fmt.Sprintf("%s of %s has no member %s", owner.Path, s.title(), m.Name))
	f.Near, f.Declaration = m.Near, s.similar(owner.Path+s.Separator()+m.Name, m.Near)
	var members []ecosystem.Member
	for k := range m.Owners {
		members = append(members, m.Owners[k].Member)
	}
	f.unless = c.additions(append(members, m.Unless...))
	return f, true
}

// owner returns the package with the type or function at the given path. That is one from which programs import it, if a
// package above the one that declares it exports it. If the package cannot be read, owner returns one without symbols.
func (c *fileCheck) owner(name, path string, own bool) *surface {
	var s *surface
	if own {
		s = c.program(name)
	} else {
		s, _ = c.packageNamed(name)
	}
	if s == nil {
		return newSurface(&apidoc.Package{Name: name})
	}
	if own {
		return s
	}
	outer, _, _ := strings.Cut(path, s.Separator())
	declared := s.named(outer)
	for i := strings.LastIndex(name, s.Separator()); i > 0 && len(declared) > 0; i = strings.LastIndex(name[:i], s.Separator()) {
		above, err := c.packageNamed(name[:i])
		if err != nil {
			break
		}
		if found := above.symbols[outer]; len(found) > 0 && found[0].File == declared[0].File && found[0].Line == declared[0].Line {
			s = above
		}
	}
	return s
}

// additions returns the additions of members, or nil if code of the language cannot add any.
func (c *fileCheck) additions(members []ecosystem.Member) *additions {
	if assigner, ok := c.language.(ecosystem.Assigner); ok && len(members) > 0 {
		for i := range members {
			members[i].Root = c.run.dir
		}
		return &additions{assigner: assigner, dir: c.dir, members: members}
	}
	return nil
}

// packageFinding returns a finding for a package that does not exist. ok is false if the error has
// another meaning.
func packageFinding(u *ecosystem.Use, err error) (f Finding, ok bool) {
	e, ok := errors.AsType[*ecosystem.Error](err)
	if !ok || e.Reason != ecosystem.NotFound || e.Foreign {
		return f, false
	}
	f = Finding{
		Position: u.Position, Kind: Package, Use: u.Text, Package: u.Package, Message: e.What, Near: e.Near,
		Source: strings.Join(e.Tried, ", "),
	}
	if e.Unsure {
		f.Kind = Undeclared
		f.Message += ", but another distribution may contain it"
	}
	return f, true
}

// absentName returns a finding for a name that is not in the list of names of an unreadable package.
func absentName(u *ecosystem.Use, err error) (f Finding, ok bool) {
	e, ok := errors.AsType[*ecosystem.Error](err)
	name, _, _ := strings.Cut(u.Path, ".")
	if !ok || e.Names == nil || name == "" || strings.HasPrefix(name, "__") || len(u.Steps) > 0 || slices.Contains(e.Names, name) {
		return f, false
	}
	return Finding{
		Position: u.Position, Kind: Name, Use: u.Text, Package: u.Package, path: name, Message: fmt.Sprintf("%s has no %s in any version", u.Package, name),
		Near: spelling.Near(slices.Values(e.Names), name),
	}, true
}
