package lookup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// Comparison is a question about what has changed between two versions of a package.
type Comparison struct {
	// Old is the package at its old version, by default that of the project. New is the
	// package at its new version, by default the newest; its Name is empty if it has the
	// same name.
	Old, New Package
	// Symbols are paths and patterns; empty asks for all changes.
	Symbols string
	// Used asks only for changes that concern what the project's code uses. If the project
	// does not use the package, all are given.
	Used bool
}

const (
	// maxCompared bounds the packages below another that are compared with it.
	maxCompared = 200
	// comparedReaders is the number of them that are read at once.
	comparedReaders = 4
)

// Compare compares two versions of a package and of the packages below it.
func (l *Lookup) Compare(ctx context.Context, c Comparison) (*compare.Report, error) {
	ctx = store.Once(ctx)
	if c.Old.Version == "" && versionOf(c.Old) == "" && c.Old.Project == "" {
		return nil, ecosystem.Fail(ecosystem.Invalid, "outside of a project, no version of %s is the old one", c.Old.Name).WithNext("name it: %s@VERSION", c.Old.Name)
	}
	old, symbol, err := l.find(ctx, c.Old)
	if err != nil {
		return nil, err
	}
	if symbol != "" {
		c.Symbols = strings.TrimSpace(symbol + " " + c.Symbols)
	}
	c.Old.Name = old.Name
	if c.New.Name == "" {
		c.New.Name = old.Name
	}
	if c.New.Version == "" && versionOf(c.New) == "" {
		c.New.Version = "latest"
	}
	c.New.Language = c.Old.Language
	new, err := l.read(ctx, c.New)
	if err != nil {
		return nil, err
	}
	c.New.Name, c.New.Version = new.Name, cmp.Or(new.Version, c.New.Version)
	report := &compare.Report{
		SchemaVersion: compare.SchemaVersion, Ecosystem: old.Ecosystem, Old: versionIn(old.Package), New: versionIn(new.Package), Changes: []compare.Change{},
	}
	var files []check.FileUses
	if c.Used && c.Old.Project != "" {
		checker := &check.Checker{Packages: l.store, Languages: l.store.Languages()}
		if files, err = checker.Uses(ctx, c.Old.Project, old.Ecosystem, func(name string) bool { return belongs(name, old.Package) }); err != nil {
			return nil, err
		}
		report.Used = len(files) > 0
	}
	names, counterparts := l.compared(old.Package, files), l.compared(new.Package, nil)
	if report.Used && len(counterparts) > maxFamily {
		counterparts = nil // moves are not looked for
	}
	for _, name := range names {
		if other := new.Name + strings.TrimPrefix(name, old.Name); !slices.Contains(counterparts, other) {
			counterparts = append(counterparts, other)
		}
	}
	before, unread := l.readCompared(ctx, c.Old, old, names)
	after, _ := l.readCompared(ctx, c.New, new, counterparts)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report.Unread = unread
	for _, p := range before {
		report.Packages = append(report.Packages, p.Name)
	}
	changes := compare.Packages(before, after)
	if c.Symbols != "" {
		if changes, err = only(changes, before, after, c.Symbols); err != nil {
			return nil, err
		}
	}
	if report.Used {
		used := compare.Used(changes, files)
		report.Unused = len(changes) - len(used)
		changes = used
	}
	report.Changes = append(report.Changes, changes...)
	return report, nil
}

func versionIn(p *apidoc.Package) compare.Version {
	return compare.Version{Package: p.Name, Version: p.Version, Provenance: p.Provenance}
}

// belongs reports whether the name of a package is that of p or of one below it.
func belongs(name string, p *apidoc.Package) bool {
	return name == p.Name || apidoc.IsBelow(name, p.Name)
}

// compared returns the names of the packages below p that have an API. If files are given,
// it returns those that they use.
func (l *Lookup) compared(p *apidoc.Package, files []check.FileUses) (names []string) {
	used := func(name string) bool {
		return len(files) == 0 || slices.ContainsFunc(files, func(f check.FileUses) bool {
			return slices.ContainsFunc(f.Uses, func(u ecosystem.Use) bool { return u.Package == name })
		})
	}
	for i := range p.Subpackages {
		if s := &p.Subpackages[i]; !s.Command && apidoc.IsBelow(s.Name, p.Name) && used(s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// readCompared reads the packages with the given names in the version of root. It returns
// root first, and the names of old packages that could not be read.
func (l *Lookup) readCompared(ctx context.Context, q Package, root *prepared, names []string) (all []*apidoc.Package, unread []string) {
	if len(names) > maxCompared {
		names, unread = names[:maxCompared], names[maxCompared:]
	}
	q.Version = cmp.Or(root.Version, versionOf(q))
	packages := make([]*apidoc.Package, len(names))
	readers := make(chan struct{}, comparedReaders)
	atOnce(len(names), func(i int) {
		readers <- struct{}{}
		defer func() { <-readers }()
		each := q
		each.Name = names[i]
		if p, err := l.store.Describe(ctx, each.Language, each.query()); err == nil {
			packages[i] = p
		}
	})
	all = []*apidoc.Package{root.Package}
	for i, p := range packages {
		if p == nil {
			unread = append(unread, names[i])
			continue
		}
		all = append(all, p)
	}
	return all, unread
}

// only returns the changes of the symbols at paths, and of their members. A path that is in
// neither version is an error.
func only(changes []compare.Change, before, after []*apidoc.Package, symbols string) (found []compare.Change, err error) {
	wanted := map[string]bool{}
	for _, path := range apidoc.Paths(symbols) {
		known := false
		var problem error
		for _, p := range slices.Concat(before, after) {
			matches, err := p.Select(path)
			if err != nil && problem == nil {
				problem = err
			}
			for _, s := range matches {
				if exact := p.Exact(path); exact == nil && !apidoc.IsPattern(path) {
					continue // a guess
				}
				known = true
				wanted[s.Path] = true
			}
		}
		if !known {
			return nil, problem
		}
	}
	sep := before[0].Separator()
	about := func(path string) bool {
		for path != "" && !wanted[path] {
			path = path[:max(strings.LastIndex(path, sep), 0)]
		}
		return path != ""
	}
	for _, c := range changes {
		if about(c.Path) || c.NewPath != "" && about(c.NewPath) || slices.ContainsFunc(c.Also, func(name string) bool {
			_, path, _ := strings.Cut(name, ": ")
			return about(path)
		}) {
			found = append(found, c)
		}
	}
	return found, nil
}
