package lookup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/store"
)

// Comparison is a question about the changes between two versions of a package.
type Comparison struct {
	// Old is the package at its old version, by default the project's version. New is the package
	// at its new version, by default the newest. New.Name is empty if the package has the same name
	// in both versions.
	Old, New Package
	// Symbols contains paths and patterns. If it is empty, all changes are requested.
	Symbols string
	// Used limits the answer to changes that affect the project's code. If the project does not use
	// the package, all changes are included.
	Used bool
	// Types finds the uses of members of values for Used. If it is nil, members are found only by
	// their names.
	Types check.TypesFunc
	// Own is true if Old and New are one of the user's own packages, in the directories of their
	// projects.
	Own bool
}

const (
	// maxCompared is the maximum number of packages below another package that are compared with
	// it.
	maxCompared = 1000
	// comparedReaders is the number of these packages that are read concurrently.
	comparedReaders = 4
)

// Compare compares two versions of a package and of the packages below it.
func (l *Lookup) Compare(ctx context.Context, c Comparison) (*compare.Report, error) {
	ctx = store.Once(ctx)
	if c.Old.Version == "" && c.Old.RequestedVersion() == "" && c.Old.Project == "" {
		return nil, ecosystem.Fail(ecosystem.Invalid, "outside a project, docent does not know the old version of %s", c.Old.Name).WithNext("specify it: %s@VERSION", c.Old.Name)
	}
	old, symbol, err := l.resolver.FindPackage(ctx, c.Old)
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
	if c.New.Version == "" && c.New.RequestedVersion() == "" && !c.Own {
		c.New.Version = "latest"
	}
	c.New.Language = c.Old.Language
	new, err := l.catalog.Read(ctx, c.New)
	if err != nil {
		return nil, err
	}
	c.New.Name, c.New.Version = new.Name, cmp.Or(new.Version, c.New.Version)
	report := &compare.Report{
		SchemaVersion: compare.SchemaVersion, Ecosystem: old.Ecosystem, Old: versionIn(old.Package), New: versionIn(new.Package), Changes: []compare.Change{},
	}
	var files []check.FileUses
	if c.Used && c.Old.Project != "" {
		checker := &check.Checker{Packages: l.store, Languages: l.store.Languages(), Types: c.Types}
		task := progress.Begin(ctx, "Reading the project's code")
		files, err = checker.Uses(ctx, c.Old.Project, old.Ecosystem, func(name string) bool { return belongs(name, old.Package) })
		if task.End(); err != nil {
			return nil, err
		}
		report.Used = len(files) > 0
	}
	declaring := usedFiles(old.Package, files)
	used := func(name string) bool {
		below := strings.FieldsFunc(strings.TrimPrefix(name, old.Name), func(r rune) bool { return strings.ContainsRune("./:", r) })
		dir := "/" + strings.Join(below, "/") + "/"
		return len(files) == 0 || slices.ContainsFunc(declaring, func(file string) bool { return strings.Contains("/"+file, dir) }) || slices.ContainsFunc(files, func(f check.FileUses) bool {
			return slices.ContainsFunc(f.Uses, func(u ecosystem.Use) bool {
				return u.Package == name || apidoc.IsBelow(u.Package, name) || apidoc.IsBelow(name, u.Package) && // the package above it is used
					(apidoc.IsBelow(u.Package+"."+u.Path, name) || apidoc.IsBelow(u.Package+"::"+u.Path, name))
			})
		})
	}
	before := l.readTree(ctx, c.Old, old, used, nil)
	var hidden []compare.Change
	// compareWith compares the packages of the new version for which wanted returns true.
	compareWith := func(isIncluded func(string) bool) ([]compare.Change, error) {
		before := &tree{slices.Clone(before.packages), before.unread}
		after := l.readTree(ctx, c.New, new, isIncluded, before)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		report.Packages, report.Unread = nil, append(before.without(after), after.without(before)...)
		for _, p := range before.packages {
			report.Packages = append(report.Packages, p.Name)
		}
		changes := compare.Packages(before.packages, after.packages)
		if c.Symbols == "" {
			hidden = compare.Hidden(before.packages, after.packages)
			return changes, nil
		}
		return only(changes, before.packages, after.packages, c.Symbols)
	}
	changes, err := compareWith(func(name string) bool { return used(old.Name + strings.TrimPrefix(name, new.Name)) })
	if err == nil && report.Used && slices.ContainsFunc(compare.Used(changes, files), func(c compare.Change) bool { return c.Kind == compare.Removed }) {
		changes, err = compareWith(func(string) bool { return true }) // the symbol may have moved to a package that is not used
	}
	if err != nil {
		return nil, err
	}
	if report.Used {
		all := changes
		changes = compare.Used(slices.Concat(all, hidden), files)
		report.Unused = len(all)
		for _, change := range changes {
			if !slices.ContainsFunc(hidden, func(h compare.Change) bool { return h.Package == change.Package && h.Path == change.Path }) {
				report.Unused--
			}
		}
	}
	report.Changes = append(report.Changes, changes...)
	return report, nil
}

// usedFiles returns the files that declare what the project uses of a package. Packages below it
// that contain these files declare the types of the values that the project gets from it.
func usedFiles(p *apidoc.Package, files []check.FileUses) (all []string) {
	for i := range files {
		for _, u := range files[i].Uses {
			if u.Package != p.Name {
				continue
			}
			if s := naming.Exact(p, u.Path); s != nil && s.File != "" && !slices.Contains(all, s.File) {
				all = append(all, s.File)
			}
		}
	}
	return all
}

func versionIn(p *apidoc.Package) compare.Version {
	return compare.Version{Package: p.Name, Version: p.Version, Provenance: p.Provenance}
}

// belongs reports whether name is the name of p or of one of its subpackages.
func belongs(name string, p *apidoc.Package) bool {
	return name == p.Name || apidoc.IsBelow(name, p.Name)
}

// tree is a package together with the packages below it.
type tree struct {
	packages []*apidoc.Package // the first element is the package itself
	unread   map[string]bool   // for packages that exist but could not be read, the rest of the name after the name of the first package
}

// relative returns the part of a package's name after the name of the first package.
func (t *tree) relative(name string) string { return strings.TrimPrefix(name, t.packages[0].Name) }

// readTree reads the packages below root, in the same version, for which include returns true. It
// also tries to read packages that correspond to the packages of another version.
func (l *Lookup) readTree(ctx context.Context, q Package, root *catalog.Item, include func(string) bool, other *tree) *tree {
	q.Version = cmp.Or(root.Version, q.RequestedVersion())
	t := &tree{packages: []*apidoc.Package{root.Package}, unread: map[string]bool{}}
	listed := map[string]bool{root.Name: true} // whether the version is known to have a package with that name
	for next := t.packages; len(next) > 0; {
		var names []string
		for _, p := range next {
			for i := range p.Subpackages {
				if s := &p.Subpackages[i]; !s.Command && apidoc.IsBelow(s.Name, root.Name) && !listed[s.Name] && include(s.Name) {
					listed[s.Name] = true
					names = append(names, s.Name)
				}
			}
		}
		if other != nil && len(next) == 1 && next[0] == root.Package {
			for _, p := range other.packages[1:] {
				if name := root.Name + other.relative(p.Name); !listed[name] {
					names = append(names, name)
				}
			}
		}
		if free := maxCompared - len(t.packages); len(names) > free {
			for _, name := range names[free:] {
				t.unread[t.relative(name)] = true
			}
			names = names[:free]
		}
		read := l.readEach(ctx, q, names)
		next = nil
		for i, p := range read {
			switch {
			case p != nil && p.Name == names[i]:
				listed[p.Name] = true
				next = append(next, p)
			case listed[names[i]]:
				t.unread[t.relative(names[i])] = true
			}
		}
		t.packages = append(t.packages, next...)
	}
	return t
}

// readEach reads packages. The result is nil for each package that cannot be read.
func (l *Lookup) readEach(ctx context.Context, q Package, names []string) []*apidoc.Package {
	packages := make([]*apidoc.Package, len(names))
	_ = parallel.Limit(ctx, len(names), comparedReaders, nil, func(i int) {
		each := q
		each.Name = names[i]
		if p, err := l.store.Describe(ctx, each.Language, each.Query()); err == nil {
			packages[i] = p
		}
	})
	return packages
}

// without removes the packages that exist in the other version but could not be read there. It
// returns the names of all packages that are not compared because they could not be read in one of
// the versions.
func (t *tree) without(other *tree) (names []string) {
	root := t.packages[0].Name
	t.packages = slices.DeleteFunc(t.packages, func(p *apidoc.Package) bool {
		gone := other.unread[t.relative(p.Name)]
		if gone {
			names = append(names, p.Name)
		}
		return gone
	})
	for name := range t.unread {
		names = append(names, root+name)
	}
	slices.Sort(names)
	return names
}

// only returns the changes to the symbols at paths and to their members. It returns an error if
// neither version has a path.
func only(changes []compare.Change, before, after []*apidoc.Package, symbols string) (found []compare.Change, err error) {
	paths := map[string]bool{}
	for _, path := range naming.Paths(symbols) {
		exists := false
		var problem error
		for _, p := range slices.Concat(before, after) {
			matches, err := naming.Select(p, path)
			if err != nil && problem == nil {
				problem = err
			}
			for _, s := range matches {
				if exact := naming.Exact(p, path); exact == nil && !naming.IsPattern(path) {
					continue // this is only a guess
				}
				exists = true
				paths[s.Path] = true
			}
		}
		if !exists {
			return nil, problem
		}
	}
	sep := before[0].Separator()
	about := func(path string) bool {
		for path != "" && !paths[path] {
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
