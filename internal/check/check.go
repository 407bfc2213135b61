// Package check finds errors in how source code uses packages, at the versions that the project
// uses. It finds packages that do not exist, names that packages do not have, and calls with
// arguments that no declaration accepts. It reports only facts, and counts the uses about which it
// cannot decide.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/spelling"
)

// Kind is the kind of problem with a use.
type Kind string

// These are the kinds of findings.
const (
	// Syntax is source code that cannot be parsed.
	Syntax Kind = "syntax"
	// Package is an import of a package that does not exist.
	Package Kind = "package"
	// Undeclared is an import of a package that the project does not require itself.
	Undeclared Kind = "undeclared"
	// Name is a name that the package does not have.
	Name Kind = "name"
	// NotPublic is the name of a symbol that the package declares but does not export.
	NotPublic Kind = "not-public"
	// Call is a call with arguments that the function does not accept.
	Call Kind = "call"
	// FieldName is a field in a literal that the type does not have.
	FieldName Kind = "field"
	// Type is a value whose type is not valid where it is passed.
	Type Kind = "type"
	// Deprecated is a use of something that its documentation advises against.
	Deprecated Kind = "deprecated"
)

// IsError reports whether code with a finding of this kind cannot work.
func (k Kind) IsError() bool { return k != Deprecated && k != Undeclared }

// Finding is one incorrect use together with the evidence.
type Finding struct {
	File string `json:"file"`
	ecosystem.Position
	Kind Kind `json:"kind"`
	// Use is the use in the form that the file contains.
	Use string `json:"use,omitempty"`
	// Message is one sentence without a final full stop.
	Message string `json:"message"`
	// Ecosystem, Package and Version identify the package that was read. Version is empty if there
	// is none.
	Ecosystem apidoc.Ecosystem `json:"ecosystem"`
	Package   string           `json:"package,omitempty"`
	Version   string           `json:"version,omitempty"`
	// Source describes where the package was read and what determined its version.
	Source string `json:"source,omitempty"`
	// Declaration is the declaration of the symbol, or of the first name in Near if there is no
	// symbol with that name.
	Declaration string `json:"declaration,omitempty"`
	// Near contains similar names that exist, best first.
	Near []string `json:"near,omitempty"`
	// OtherVersion is another version of the package that has the name. It is empty if no such
	// version is known.
	OtherVersion string `json:"otherVersion,omitempty"`

	// These fields specify what to look up in other versions. They are the path of the symbol, the
	// project's directory and the module of the package.
	path, dir, module string

	alone  bool       // whether the package has no symbols in the place of the absent one
	unless *additions // nil if the finding is certain
}

// Report is the result of a check.
type Report struct {
	// Findings are ordered by file and position.
	Findings []Finding `json:"findings"`
	// Files is the number of files that were read, and Uses the number of uses in them.
	Files int `json:"files"`
	Uses  int `json:"uses"`
	// Undecided is the number of uses that may be correct or incorrect.
	Undecided int `json:"undecided"`
	// Problems contains sentences about packages that could not be looked up and files that could
	// not be read.
	Problems []string `json:"problems,omitempty"`
}

// Describer reads packages. *store.Store implements it.
type Describer interface {
	Describe(ctx context.Context, language string, q ecosystem.Query) (*apidoc.Package, error)
}

// Checker checks source files. It is safe for concurrent use.
type Checker struct {
	Packages  Describer
	Languages ecosystem.Languages
	// Types checks the types in languages that are TypeCheckers. If it is nil, types are not
	// checked, and more uses remain undecided.
	Types TypesFunc
	// Markdown is true if the fenced code blocks of Markdown files are also checked.
	Markdown bool
	// Versions is true if absent names are looked up in other versions of their packages. This may
	// send requests to registries.
	Versions bool
}

// reader returns the language of a source file, or nil if it is unknown.
func (c *Checker) reader(name string) (ecosystem.Language, ecosystem.SourceReader) {
	for _, l := range c.Languages {
		if r, ok := l.(ecosystem.SourceReader); ok && r.IsSource(name) {
			return l, r
		}
	}
	return nil, nil
}

// IsSource reports whether a file with this name can be checked.
func (c *Checker) IsSource(name string) bool {
	l, _ := c.reader(name)
	return l != nil || c.Markdown && isMarkdown(name)
}

// Files checks files of the project in dir. read returns the content of a file. Files returns
// early, with an error, only if ctx is done.
func (c *Checker) Files(ctx context.Context, dir string, names []string, read func(name string) ([]byte, error)) (*Report, error) {
	ctx = ecosystem.Once(ctx)
	run := &run{checker: c, dir: dir, packages: map[packageKey]*packageResult{}, extended: map[packageKey]func(*ecosystem.SourceFile) map[string]bool{}, finders: map[packageKey]func(*ecosystem.SourceFile, string, string) bool{}, programs: map[packageKey]*programPackages{}, isOwnName: map[apidoc.Ecosystem]func(string) bool{}, versions: map[versionKey]*surface{}}
	reports := make([]Report, len(names))
	files := make([]*checkedFile, len(names))
	_ = parallel.Limit(ctx, len(names), 0, nil, func(i int) { files[i] = run.file(names[i], read, &reports[i]) })
	files = slices.DeleteFunc(files, func(f *checkedFile) bool { return f == nil })
	var projects []*typedProject
	if c.Types != nil {
		projects = byProject(files)
	}
	parallel.Each(2, func(i int) {
		if i == 0 {
			for _, p := range projects {
				task := progress.Begin(ctx, "Checking types")
				p.uses, p.err = c.Types(ctx, p.language.Info().ID, p.checker, p.dir, p.sources())
				task.End()
			}
			return
		}
		report, end := progress.Count(ctx, "Checking files")
		_ = parallel.Limit(ctx, len(files), 0, report, func(i int) { run.check(ctx, files[i]) })
		end()
		dropAdded(ctx, reports)
	})
	for _, p := range projects {
		run.types(ctx, p)
	}
	if c.Versions {
		task := progress.Begin(ctx, "Looking for versions that contain the missing names")
		for i := range reports {
			run.otherVersions(ctx, &reports[i])
		}
		task.End()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := &Report{Findings: []Finding{}}
	for i := range reports {
		r := &reports[i]
		all.Findings = append(all.Findings, r.Findings...)
		all.Files += r.Files
		all.Uses += r.Uses
		all.Undecided += r.Undecided
		for _, problem := range r.Problems {
			if !slices.Contains(all.Problems, problem) {
				all.Problems = append(all.Problems, problem)
			}
		}
	}
	return all, nil
}

// run is one check.
type run struct {
	checker *Checker
	dir     string

	mu       sync.Mutex
	packages map[packageKey]*packageResult
	extended map[packageKey]func(*ecosystem.SourceFile) map[string]bool // types that other packages extend, by language and project
	programs map[packageKey]*programPackages

	isOwnName map[apidoc.Ecosystem]func(pkg string) bool

	versions map[versionKey]*surface // nil for versions that cannot be read
	files    []string                // files of the project; nil until they are needed

	// finders contains the results of NameFinder.FindNames, by language and project. findersMu is also
	// held while one of them runs.
	findersMu sync.Mutex
	finders   map[packageKey]func(f *ecosystem.SourceFile, pkg, name string) bool
}

type packageKey struct {
	language            apidoc.Ecosystem
	dir, name, features string
}

// packageResult is the result of looking up a package, which is done once for all files.
type packageResult struct {
	once    sync.Once
	surface *surface
	err     error
}

// find returns the package that a file of the project in dir imports.
func (r *run) find(ctx context.Context, language apidoc.Ecosystem, dir, name, features string) (*surface, error) {
	r.mu.Lock()
	k := packageKey{language, dir, name, features}
	result := r.packages[k]
	if result == nil {
		result = &packageResult{}
		r.packages[k] = result
	}
	r.mu.Unlock()
	result.once.Do(func() {
		p, err := r.checker.Packages.Describe(ctx, string(language), ecosystem.Query{Package: name, ProjectDir: dir, Features: features})
		if err != nil {
			result.err = err
			return
		}
		result.surface = newSurface(p)
	})
	return result.surface, result.err
}

// hasWithFeatures reports whether a package has a name when all of its features are enabled.
func (r *run) hasWithFeatures(ctx context.Context, language apidoc.Ecosystem, dir string, u *ecosystem.Use) bool {
	whole, err := r.find(ctx, language, dir, u.Package, "all")
	if err != nil {
		return false
	}
	_, state := whole.find(u.Path)
	return state != absent
}

// mayHave reports whether a package may have a name that its documentation lacks.
func (r *run) mayHave(ctx context.Context, language ecosystem.Language, dir string, file *ecosystem.SourceFile, u *ecosystem.Use) bool {
	finder, ok := language.(ecosystem.NameFinder)
	if !ok {
		return false
	}
	k := packageKey{language: language.Info().ID, dir: dir}
	r.findersMu.Lock()
	defer r.findersMu.Unlock()
	find := r.finders[k]
	if find == nil {
		find = finder.FindNames(ctx, dir)
		r.finders[k] = find
	}
	return find(file, u.Package, u.Path)
}

// file reads a file. It returns nil if the file cannot be read or contains no code.
func (r *run) file(name string, read func(string) ([]byte, error), report *Report) *checkedFile {
	language, reader := r.checker.reader(name)
	if language == nil && !(r.checker.Markdown && isMarkdown(name)) {
		return nil
	}
	text, err := read(name)
	if err != nil {
		report.Problems = append(report.Problems, fmt.Sprintf("%s cannot be read: %v", name, err))
		return nil
	}
	report.Files++
	f := &checkedFile{language: language, reader: reader, source: &ecosystem.SourceFile{Name: name, Dir: r.dir, Text: text}, report: report, ignored: ignoredLines(text)}
	if language != nil {
		f.project = projectOf(r.dir, name, language.Info().Manifests)
	}
	return f
}

// check performs the checks of one file that do not require types.
func (r *run) check(ctx context.Context, f *checkedFile) {
	if f.language == nil {
		r.markdown(ctx, f)
		return
	}
	uses, faults := f.reader.Uses(f.source)
	if len(faults) > 0 {
		withoutArguments(uses) // some arguments may be missing
	}
	report := f.report
	r.uses(ctx, f.language, f.project, f.source, uses, report)
	for _, fault := range faults {
		report.Findings = append(report.Findings, Finding{Position: fault.Position, Kind: Syntax, Message: fault.Message})
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(found Finding) bool { return f.ignored[found.Line] })
	for i := range report.Findings {
		report.Findings[i].File, report.Findings[i].Ecosystem = f.source.Name, f.language.Info().ID
	}
	sortFindings(report)
}

// withoutArguments removes the arguments and fields from uses.
func withoutArguments(uses []ecosystem.Use) {
	for i := range uses {
		uses[i].Args, uses[i].Fields = nil, nil
	}
}

// uses adds the findings about the uses in a source file of the project in dir to a report.
func (r *run) uses(ctx context.Context, language ecosystem.Language, dir string, file *ecosystem.SourceFile, uses []ecosystem.Use, report *Report) {
	missing := map[string]bool{} // packages that have already been reported
	typed := r.members(ctx, language, dir, file, report)
	for i := range uses {
		u := &uses[i]
		if u.Whole {
			continue // The import of the package is another use.
		}
		report.Uses += max(1, len(u.Steps))
		if u.Own {
			found, undecided := r.useOfOwn(ctx, language, dir, file, u, typed)
			report.Findings = append(report.Findings, found...)
			report.Undecided += undecided
			continue
		}
		s, err := r.find(ctx, language.Info().ID, dir, u.Package, "")
		if err == nil {
			if part := naming.UnreadPart(s.Package, u.Path); part != "" {
				if s, err = r.find(ctx, language.Info().ID, dir, s.Name+"/"+part, ""); err == nil && s.symbols[part] == nil {
					report.Undecided += max(1, len(u.Steps)) // the package has another package with the name of the symbol
					continue
				}
			}
		}
		if err != nil {
			if !missing[u.Package] && u.Path == "" {
				missing[u.Package] = true
				if f, ok := packageFinding(u, err); ok {
					if !r.isOwn(language, u.Package) {
						report.Findings = append(report.Findings, f)
					}
				} else if e, ok := errors.AsType[*ecosystem.Error](err); ctx.Err() == nil && (!ok || e.Reason == ecosystem.Unreachable) {
					report.Problems = append(report.Problems, err.Error())
				}
			}
			if f, ok := absentName(u, err); ok {
				f.unless = bindings(language, dir, u.Package, f.path, false)
				report.Findings = append(report.Findings, f)
			} else {
				report.Undecided += max(1, len(u.Steps))
			}
			continue
		}
		if len(u.Steps) > 0 {
			var found []Finding
			undecided := len(u.Steps)
			if !s.Provenance.Unused {
				c := chain{r, ctx, language, dir, file}
				found, undecided = c.check(s, u)
			}
			report.Findings = append(report.Findings, found...)
			report.Undecided += undecided
			continue
		}
		if s.Provenance.Unused {
			// The package that was read may differ from the one that the program imports, because
			// the project may get another version or use the name for another package.
			if u.Path != "" {
				report.Undecided++
			} else if u.Import && !missing[u.Package] && !r.isOwn(language, u.Package) {
				missing[u.Package] = true
				report.Findings = append(report.Findings, s.finding(u, Undeclared, fmt.Sprintf("the project does not depend on %s", cmp.Or(s.Module, s.Name))))
			}
			continue
		}
		if notice := s.Provenance.Undeclared; notice != "" && u.Import && u.Path == "" && !missing[u.Package] {
			missing[u.Package] = true
			report.Findings = append(report.Findings, s.finding(u, Undeclared, notice))
		}
		findings, decided := s.check(u)
		if first, rest, ok := strings.Cut(u.Path, s.Separator()); !decided && ok && u.Module != "" && s.isModule(first) {
			if below, err := r.find(ctx, language.Info().ID, dir, u.Package+s.Separator()+first, ""); err == nil && !below.Provenance.Unused && len(below.Symbols) > 0 {
				part := *u
				part.Package, part.Path = below.Name, rest
				findings, decided = below.check(&part)
			}
		}
		if !decided && len(findings) == 0 {
			findings, decided = (&chain{r, ctx, language, dir, file}).checkPath(s, u, typed)
		}
		for k := range findings {
			f := &findings[k]
			f.path, f.dir, f.module = u.Path, dir, s.Module
			if f.unless == nil && f.Kind == Name {
				f.unless = bindings(language, dir, s.Name, u.Path, false)
			}
			if f.unless != nil && !decided {
				f.unless.counted = true
			}
		}
		if slices.ContainsFunc(findings, func(f Finding) bool { return f.Kind == Name }) {
			switch {
			case r.mayHave(ctx, language, dir, file, u):
				findings, decided = nil, false
			case language.Info().Features != "" && (s.Version == "" || r.hasWithFeatures(ctx, language.Info().ID, dir, u)):
				findings, decided = nil, false // the enabled features depend on how the project is built
			case u.Module != "":
				if _, err := r.find(ctx, language.Info().ID, dir, u.Module, ""); err == nil {
					findings = nil // the name belongs to a package
				}
			}
		}
		report.Findings = append(report.Findings, findings...)
		if !decided {
			report.Undecided++
		}
	}
}

// members adds the findings about the members and calls of values to a report. It returns false if the language does
// not determine the types of values.
func (r *run) members(ctx context.Context, language ecosystem.Language, dir string, file *ecosystem.SourceFile, report *Report) bool {
	program := r.programOf(ctx, language, dir)
	if program == nil {
		return false
	}
	checker, ok := program.Program.(ecosystem.MemberChecker)
	if !ok {
		return false
	}
	found := checker.Members(ctx, file)
	if found == nil {
		return false
	}
	report.Uses += found.Decided + found.Undecided
	report.Undecided += found.Undecided
	unless := func(members []ecosystem.Member) *additions {
		if assigner, ok := language.(ecosystem.Assigner); ok && len(members) > 0 {
			return &additions{assigner: assigner, dir: dir, members: members}
		}
		return nil
	}
	finding := func(pkg string, own bool, u *ecosystem.Use, kind Kind) (f Finding, of *surface) {
		s := r.program(ctx, language, dir, file, pkg)
		if !own {
			s, _ = r.find(ctx, language.Info().ID, dir, pkg, "")
		}
		if s == nil {
			s = newSurface(&apidoc.Package{Name: pkg})
		}
		return s.finding(u, kind, ""), s
	}
	for i := range found.Absent {
		m := &found.Absent[i]
		if len(m.Owners) == 0 || slices.Contains(language.Info().Inherent, m.Name) {
			report.Undecided++
			continue
		}
		owner := &m.Owners[0]
		f, s := finding(owner.Package, owner.Own, &ecosystem.Use{Position: m.Position, Text: m.Text}, Name)
		f.Near, f.Message = m.Near, fmt.Sprintf("%s of %s has no member %s", owner.Path, s.title(), m.Name)
		f.Declaration = s.similar(owner.Path+s.Separator()+m.Name, m.Near)
		var members []ecosystem.Member
		for k := range m.Owners {
			members = append(members, m.Owners[k].Member)
		}
		f.unless = unless(append(members, m.Unless...))
		report.Findings = append(report.Findings, f)
	}
	for i := range found.Wrong {
		w := &found.Wrong[i]
		f, s := finding(w.Package, w.Own, &ecosystem.Use{Position: w.Position, Text: w.Text}, Call)
		decl := s.Package.Decl(&apidoc.Symbol{Path: w.Path, Signature: w.Declaration})
		f.Near, f.Declaration, f.Message = w.Near, declarations(&decl), w.Path+" "+w.Problem
		f.unless = unless(w.Unless)
		report.Findings = append(report.Findings, f)
	}
	for i := range found.Deprecated {
		d := &found.Deprecated[i]
		f, _ := finding(d.Package, d.Own, &ecosystem.Use{Position: d.Position, Text: d.Text}, Deprecated)
		f.Message = fmt.Sprintf("%s is deprecated: %s", d.Path, oneLine(d.Notice))
		report.Findings = append(report.Findings, f)
	}
	return true
}

// useOfOwn checks a use of a package of the program.
func (r *run) useOfOwn(ctx context.Context, language ecosystem.Language, dir string, file *ecosystem.SourceFile, u *ecosystem.Use, typed bool) (findings []Finding, undecided int) {
	s := r.program(ctx, language, dir, file, u.Package)
	if s == nil {
		return nil, max(1, len(u.Steps))
	}
	use := *u
	if first, rest, ok := strings.Cut(u.Path, s.Separator()); ok && u.Package != "" && (s.named(first) == nil || s.named(first)[0].Role() == apidoc.ModuleRole) {
		if below := r.program(ctx, language, dir, file, u.Package+s.Separator()+first); below != nil {
			s, use.Path = below, rest
		}
	}
	c := chain{r, ctx, language, dir, file}
	if len(u.Steps) > 0 {
		return c.check(s, &use)
	}
	found, decided := s.named(use.Path), true
	_, state := s.find(use.Path)
	switch {
	case state == absent:
		path := use.Path
		use.Path = s.absentPart(path)
		f := s.absent(&use)
		if len(s.Subpackages) > 0 && (f.alone || use.Path != path && len(f.Near) == 0 || strings.Contains(use.Path, s.Separator())) || strings.HasPrefix(use.Path, "_") {
			return nil, 1 // the build may write a package with that name
		}
		f.unless = bindings(language, dir, s.Name, use.Path, true)
		findings = append(findings, f)
	case found == nil:
		findings, decided = c.checkPath(s, &use, typed)
	case u.Args != nil:
		findings, decided = s.checkCall(&use, found, false)
	}
	if !decided {
		undecided = 1
	}
	return findings, undecided
}

// sortFindings sorts the findings of one file by position and removes duplicates.
func sortFindings(report *Report) {
	slices.SortStableFunc(report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	report.Findings = slices.CompactFunc(report.Findings, func(a, b Finding) bool {
		return a.Position == b.Position && a.Kind == b.Kind && a.Message == b.Message
	})
}

// projectOf returns the innermost directory around a file, at or below root, that contains one of
// the manifests, because a repository can contain several projects. If there is no such directory,
// it returns root.
func projectOf(root, name string, manifests []string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		full := filepath.Join(root, filepath.FromSlash(dir))
		for _, manifest := range manifests {
			if info, err := os.Lstat(filepath.Join(full, manifest)); err == nil && info.Mode().IsRegular() {
				return full
			}
		}
	}
	return root
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

// ignoredLines returns the lines whose findings are not reported. These are lines with the comment
// "docent:ignore REASON" and, if such a comment is alone on its line, the line below it.
func ignoredLines(text []byte) map[int]bool {
	var ignored map[int]bool
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		before, reason, ok := strings.Cut(line, "docent:ignore ")
		if !ok || strings.TrimSpace(reason) == "" {
			continue
		}
		if ignored == nil {
			ignored = map[int]bool{}
		}
		ignored[n] = true
		if strings.Trim(before, " \t/#*<!-\"") == "" {
			ignored[n+1] = true
		}
	}
	return ignored
}
