// Package check finds errors in how source code uses packages, at the versions that the project
// uses. It finds packages that do not exist, names that packages do not have, and calls with
// arguments that no declaration accepts. It reports only facts, and counts the uses about which it
// cannot decide.
package check

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/progress"
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
	// Source describes where the package was read and what determined its version, or where a package that does not exist
	// was looked for.
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

	root string // the directory that was checked, which Source may contain

	character int // Column in Unicode characters, or 0 if it is not known

	symbol  string // the path of the symbol in the package, or "" if the use is that of a member of a value
	imports bool   // whether the use is an import

	alone  bool       // whether the package has no symbols in the place of the absent one
	unless *additions // nil if the finding is certain
}

// SchemaVersion is the version of the format of Report.
const SchemaVersion = 1

// Report is the result of a check. docs/json.md documents its JSON.
type Report struct {
	SchemaVersion int `json:"schemaVersion"`
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
	// Notes contains sentences about what was not checked, without a final full stop.
	Notes []string `json:"notes,omitempty"`

	absent []absentPackage
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
	run := &run{checker: c, dir: dir, packages: map[packageKey]*packageResult{}, extenders: map[packageKey]func(f *ecosystem.SourceFile, pkg, member string) bool{}, finders: map[packageKey]func(*ecosystem.SourceFile, string, string) bool{}, programs: map[packageKey]*programPackages{}, projects: map[packageKey]string{}, isOwnName: map[apidoc.Ecosystem]func(string) bool{}, versions: map[versionKey]*surface{}}
	reports := make([]Report, len(names))
	files := make([]*checkedFile, len(names))
	_ = parallel.Limit(ctx, len(names), 0, nil, func(i int) { files[i] = run.file(names[i], read, &reports[i]) })
	files = slices.DeleteFunc(files, func(f *checkedFile) bool { return f == nil })
	var projects []*typedProject
	if c.Types != nil {
		projects = byProject(files)
	}
	var members sync.WaitGroup
	members.Go(func() { run.members(ctx, files) })
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
	members.Wait()
	for _, p := range projects {
		run.types(ctx, p)
	}
	for i := range reports {
		reports[i].dropRepeated()
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
	all := &Report{SchemaVersion: SchemaVersion, Findings: []Finding{}}
	for _, f := range files {
		f.countCharacters()
	}
	for i := range reports {
		all.Add(&reports[i])
	}
	all.addAbsent()
	for i := range all.Findings {
		all.Findings[i].root = dir
	}
	return all, nil
}

// Add adds the findings and counts of another report, whose files are others.
func (r *Report) Add(other *Report) {
	r.Findings = append(r.Findings, other.Findings...)
	r.Files += other.Files
	r.Uses += other.Uses
	r.Undecided += other.Undecided
	r.Problems = appendMissing(r.Problems, other.Problems)
	r.Notes = appendMissing(r.Notes, other.Notes)
	r.absent = append(r.absent, other.absent...)
}

// appendMissing appends the sentences that are not in list.
func appendMissing(list, sentences []string) []string {
	for _, sentence := range sentences {
		if !slices.Contains(list, sentence) {
			list = append(list, sentence)
		}
	}
	return list
}

// run is one check.
type run struct {
	checker *Checker
	dir     string

	mu       sync.Mutex
	packages map[packageKey]*packageResult
	programs map[packageKey]*programPackages
	projects map[packageKey]string // the results of projectOf, by language and directory of the file
	// extenders contains the results of Extender.Extends, by language and project.
	extenders map[packageKey]func(f *ecosystem.SourceFile, pkg, member string) bool

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
	f := &checkedFile{language: language, reader: reader, source: &ecosystem.SourceFile{Name: name, Dir: r.dir, Text: text}, report: report, ignored: ignoredLines(text), members: make(chan *ecosystem.MemberUses, 1)}
	if language != nil {
		f.project = r.projectOf(language, name)
	}
	return f
}

// members determines the types of values in files, in their order, because what is known about a program grows with each
// file. This makes the findings the same in each run.
func (r *run) members(ctx context.Context, files []*checkedFile) {
	for _, f := range files {
		if checker := r.memberChecker(ctx, f.language, f.project); checker != nil {
			f.members <- checker.Members(ctx, f.source)
		}
		close(f.members)
	}
}

// memberChecker returns the program in a directory if its language determines the types of values, or nil.
func (r *run) memberChecker(ctx context.Context, l ecosystem.Language, dir string) ecosystem.MemberChecker {
	if p := r.programOf(ctx, l, dir); p != nil {
		checker, _ := p.Program.(ecosystem.MemberChecker)
		return checker
	}
	return nil
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
	r.uses(ctx, f.language, f.project, f.source, uses, report, func(ecosystem.MemberChecker) *ecosystem.MemberUses { return <-f.members })
	for _, fault := range faults {
		report.Findings = append(report.Findings, Finding{Position: fault.Position, Kind: Syntax, Message: fault.Message})
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(found Finding) bool { return f.ignored[found.Line] })
	for i := range report.Findings {
		report.Findings[i].File, report.Findings[i].Ecosystem = f.source.Name, f.language.Info().ID
	}
	f.dropDeprecated()
	sortFindings(report)
}

// withoutArguments removes the arguments and fields from uses.
func withoutArguments(uses []ecosystem.Use) {
	for i := range uses {
		uses[i].Args, uses[i].Fields = nil, nil
	}
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

// dropRepeated removes findings of one file that have the same cause as others: those about uses of a name whose import is
// reported, and those about an absent name that exists, but is not public.
func (r *Report) dropRepeated() {
	type symbol struct{ pkg, path string }
	imported := map[symbol]bool{}
	notPublic := map[ecosystem.Position]bool{}
	for _, f := range r.Findings {
		imported[symbol{f.Package, f.symbol}] = imported[symbol{f.Package, f.symbol}] || f.imports && f.symbol != "" && (f.Kind == Name || f.Kind == NotPublic)
		notPublic[f.Position] = notPublic[f.Position] || f.Kind == NotPublic
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if f.Kind == Name && notPublic[f.Position] {
			return true
		}
		if f.imports || f.Kind != Name && f.Kind != NotPublic {
			return false
		}
		for i, c := range f.symbol + "." {
			if (c == '.' || c == ':') && imported[symbol{f.Package, f.symbol[:i]}] {
				return true
			}
		}
		return false
	})
}

// projectOf returns the project of a file, which it looks for once per directory.
func (r *run) projectOf(l ecosystem.Language, name string) string {
	key := packageKey{language: l.Info().ID, dir: path.Dir(name)}
	r.mu.Lock()
	project, ok := r.projects[key]
	r.mu.Unlock()
	if ok {
		return project
	}
	project = projectOf(r.dir, name, l.Info().Manifests)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.projects[key] = project
	return project
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
