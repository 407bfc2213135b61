// Command compare evaluates docent diff: it compares two versions of popular packages, and compares
// the findings with those of each language's judge. The judges must be installed by hand:
//
//	Go      apidiff: go install golang.org/x/exp/cmd/apidiff@latest
//	Python  griffe: pip install griffe, in the environment of --python
//	npm     TypeScript's checker: npm install typescript, in the directory of --typescript
//	Rust    the JSON of rustdoc, which cargo writes
//
// A seed determines the versions. For each pair, it prints how many of the judge's removals and
// changes were found, and how many breaking changes the judge does not report.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// settings are the flags.
type settings struct {
	dir, python, typescript, apidiff string
}

// verdict is a judge's result for a symbol.
type verdict struct {
	Removed bool // or else changed
	Text    string
	// Of is the inherited member of a base class. Such a verdict only confirms changes.
	Of string
}

// verdicts maps packages and paths, as in compare.Change, to verdicts: "PACKAGE: PATH".
type verdicts map[string]verdict

// judge compares two versions of a package with another tool. known contains the names that the
// tool finds in the package of a verdict. It is nil if the tool finds all names that docent finds.
type judge struct {
	versions func(s *settings, name string) ([]string, error)
	compare  func(s *settings, name, old, new string) (verdicts, error)
}

var judges = map[string]judge{
	"go":     {goVersions, goJudge},
	"python": {pythonVersions, pythonJudge},
	"npm":    {npmVersions, npmJudge},
	"rust":   {nil, rustJudge},
}

func main() {
	var s settings
	language := flag.String("language", "go", "language to judge")
	seed := flag.Uint64("seed", 1, "seed of the choice of versions")
	only := flag.String("only", "", "name of one package")
	file := flag.String("packages", "test/compare/packages.txt", "file with the packages")
	projects := flag.Bool("upgrades", false, "judge docent diff --used with the programs in test/compare/testdata/upgrades")
	list := flag.Bool("list", false, "list each difference")
	flag.StringVar(&s.dir, "dir", filepath.Join(os.TempDir(), "docent-compare"), "directory for downloads")
	flag.StringVar(&s.python, "python", "python3", "interpreter of an environment with griffe")
	flag.StringVar(&s.typescript, "typescript", ".", "directory in which typescript is installed")
	flag.StringVar(&s.apidiff, "apidiff", "apidiff", "apidiff")
	flag.Parse()
	if *projects {
		if err := judgeUpgrades(&s, newLookup(), *only, *list); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := run(&s, *language, *file, *seed, *only, *list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newLookup() *lookup.Lookup {
	o := ecosystem.Options{}
	languages := ecosystem.Languages{golang.New(o), npm.New(o), python.New(o), rust.New(o)}
	cache := cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{})
	return lookup.New(store.New(languages, store.Options{Cache: cache}))
}

func run(s *settings, language, file string, seed uint64, only string, list bool) error {
	j, ok := judges[language]
	if !ok {
		return fmt.Errorf("there is no judge of %q", language)
	}
	packages, err := packagesOf(file, language)
	if err != nil {
		return err
	}
	faults, err := knownFaults()
	if err != nil {
		return err
	}
	l := newLookup()
	var total score
	for i, fields := range packages {
		name, versions := fields[0], fields[1:]
		if only != "" && name != only {
			continue
		}
		if len(versions) == 0 {
			versions, err = kept(s, language+" "+name, func() ([]string, error) { return j.versions(s, name) })
			if err != nil {
				fmt.Printf("%s: %v\n", name, err)
				continue
			}
		}
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		old, new, truth, err := judged(s, &j, random, language, name, versions)
		if err != nil {
			fmt.Printf("%s %s %s: judge: %v\n", name, old, new, err)
			continue
		}
		q := lookup.Package{Language: language, Name: name, Version: old}
		report, err := l.Compare(context.Background(), lookup.Comparison{Old: q, New: lookup.Package{Version: new}})
		if err != nil {
			fmt.Printf("%s %s %s: docent: %v\n", name, old, new, err)
			continue
		}
		if language == "python" { // The tool griffe reports the module that declares a symbol, which is often a private one.
			withoutPackages(report, truth)
		}
		if language == "npm" { // The tool finds only the names of the package itself.
			report.Changes = slices.DeleteFunc(report.Changes, func(c compare.Change) bool {
				last := c.Path[strings.LastIndex(c.Path, ".")+1:]
				return c.Package != name || last == "constructor" || strings.HasPrefix(last, "__") || strings.ContainsAny(c.Path, "[(")
			})
			withoutInherited(report, truth)
		}
		if language == "go" {
			withOwners(report, truth)
		}
		if language == "rust" { // An item can be in several modules.
			withFullPaths(report, truth)
		}
		maps.DeleteFunc(truth, func(full string, _ verdict) bool {
			_, path, _ := strings.Cut(full, ": ")
			return faults[language+" "+name+" "+cmp.Or(path, full)]
		})
		report.Changes = slices.DeleteFunc(report.Changes, func(c compare.Change) bool {
			return faults[language+" "+name+" "+cmp.Or(c.Path, c.Package)]
		})
		one := grade(report, truth, language == "npm", list)
		fmt.Printf("%-40s %-12s %-12s %s\n", name, old, new, &one)
		total.add(one)
	}
	fmt.Printf("%-66s %s\n", "all", &total)
	return nil
}

// maxTries is the maximum number of pairs of versions that are tried, because some old versions
// cannot be installed.
const maxTries = 5

// judged chooses two versions and compares them, and repeats this until it gets a result.
func judged(s *settings, j *judge, random *rand.Rand, language, name string, versions []string) (old, new string, truth verdicts, err error) {
	for range maxTries {
		var ok bool
		if old, new, ok = choose(random, versions); !ok {
			return old, new, nil, cmp.Or(err, errors.New("there are no two versions"))
		}
		truth, err = kept(s, language+" "+name+" "+old+" "+new, func() (verdicts, error) { return j.compare(s, name, old, new) })
		if err == nil {
			break
		}
	}
	return old, new, truth, err
}

// withoutPackages removes the names of packages from changes and verdicts, except the names of
// packages that were removed.
func withoutPackages(report *compare.Report, truth verdicts) {
	gone := func(pkg string) string {
		for p := pkg; p != ""; p = p[:max(strings.LastIndex(p, "."), 0)] {
			if truth[p+": "].Removed {
				return p
			}
		}
		return ""
	}
	judged := func(name string) bool {
		pkg, path, _ := strings.Cut(name, ": ")
		first, _, _ := strings.Cut(path, ".")
		names, ok := truth[judgedModule+pkg]
		return ok && (first == "" || slices.Contains(strings.Fields(names.Text), first)) || gone(pkg) != ""
	}
	paths := map[string]bool{}
	for name := range truth {
		if _, path, ok := strings.Cut(name, ": "); ok {
			paths[path] = true
		}
	}
	report.Changes = slices.DeleteFunc(report.Changes, func(c compare.Change) bool {
		return !judged(c.Package+": "+c.Path) && !slices.ContainsFunc(c.Also, judged) || c.Path != "" && !paths[c.Path] && !judgedMember(truth, c.Path)
	})
	maps.DeleteFunc(truth, func(name string, _ verdict) bool {
		return strings.HasPrefix(name, judgedModule) || strings.HasPrefix(name, judgedMembers)
	})
	for i := range report.Changes {
		c := &report.Changes[i]
		if p := gone(strings.TrimSuffix(c.Package+"."+c.Path, ".")); p != "" {
			c.Package, c.Path, c.Also = p, "", nil
		} else if c.Path != "" {
			c.Package = ""
			for i, name := range c.Also {
				pkg, path, _ := strings.Cut(name, ": ")
				c.Also[i] = cmp.Or(gone(pkg), ": "+path)
			}
		}
		c.Details = slices.DeleteFunc(c.Details, func(d compare.Detail) bool { // Omit the kinds that griffe does not compare.
			return d.Aspect == compare.Base || d.Aspect == compare.Effect || d.Aspect == compare.Word
		})
		last := c.Path[strings.LastIndex(c.Path, ".")+1:]
		if c.Kind == compare.Changed {
			c.Severity = apidoc.Compatible
			for _, d := range c.Details {
				c.Severity = max(c.Severity, d.Severity)
			}
		}
		if strings.HasPrefix(last, "__") && last != "__init__" {
			c.Severity = min(c.Severity, apidoc.Risky)
		}
	}
	for _, name := range sorted(truth) {
		v := truth[name]
		delete(truth, name)
		pkg, path, _ := strings.Cut(name, ": ")
		_, v.Of, _ = strings.Cut(v.Of, ": ")
		switch p := gone(pkg); {
		case !strings.Contains(pkg, "._") && !slices.ContainsFunc(report.Packages, func(p string) bool { return p == pkg || apidoc.IsBelow(p, pkg) }):
			// The package is beyond the limit of compared packages, or cannot be imported. The
			// verdict only confirms a change of the symbol in a package that exports it.
			v.Of = pkg
			if _, ok := truth[": "+path]; !ok && path != "" {
				truth[": "+path] = v
			}
		case path == "" || p != "":
			truth[pkg] = v
		default:
			truth[": "+path] = v
		}
	}
	withoutInherited(report, truth)
}

// judgedMember reports whether griffe compares the member of a class, and of the classes that
// contain it.
func judgedMember(truth verdicts, path string) bool {
	for rest := path; rest != ""; {
		owner := rest[:max(strings.LastIndex(rest, "."), 0)]
		name := strings.TrimPrefix(rest[len(owner):], ".")
		if members, ok := truth[judgedMembers+owner]; ok && !slices.Contains(strings.Fields(members.Text), name) {
			return false
		}
		rest = owner
	}
	_, open := truth[judgedMembers+path]
	return !open
}

// withoutInherited removes the verdicts about inherited members: Docent lists a removed
// member of a base once.
func withoutInherited(report *compare.Report, truth verdicts) {
	members, listed := map[string]bool{}, map[string]bool{}
	for i := range report.Changes {
		if c := &report.Changes[i]; c.Kind == compare.Removed || c.Kind == compare.Moved {
			members[c.Path[strings.LastIndex(c.Path, ".")+1:]] = true
			for _, name := range append([]string{c.Package + ": " + c.Path}, c.Also...) {
				listed[name] = true
			}
		}
	}
	for name, v := range truth {
		if _, path, _ := strings.Cut(name, ": "); v.Removed && !listed[name] && strings.Contains(path, ".") && members[name[strings.LastIndex(name, ".")+1:]] {
			delete(truth, name)
		}
	}
}

// withOwners removes the changes of promoted members, which apidiff reports only at the type that
// declares them, and adds the interfaces that others embed now, at which apidiff reports the members.
func withOwners(report *compare.Report, truth verdicts) {
	report.Changes = slices.DeleteFunc(report.Changes, func(c compare.Change) bool {
		_, member, ok := strings.Cut(c.Path, ".")
		has := func(name string) bool { _, ok := truth[name]; return ok }
		return ok && has(c.Package+": "+promoted+member) && !slices.ContainsFunc(append(c.Also, c.Package+": "+c.Path), has)
	})
	for _, c := range report.Changes {
		for _, d := range c.Details {
			if d.Aspect == compare.Base && d.New != "" && d.Severity == apidoc.Breaking {
				report.Changes = append(report.Changes, compare.Change{Kind: compare.Changed, Severity: d.Severity, Package: c.Package, Path: d.New})
			}
		}
	}
}

// withFullPaths joins the names of packages and paths.
func withFullPaths(report *compare.Report, truth verdicts) {
	full := func(name string) string { return strings.ReplaceAll(name, ": ", "::") }
	for i := range report.Changes {
		c := &report.Changes[i]
		if c.Path != "" {
			c.Package, c.Path = full(c.Package+": "+c.Path), ""
		}
		for k := range c.Also {
			c.Also[k] = full(c.Also[k])
		}
	}
	for _, name := range sorted(truth) {
		v := truth[name]
		delete(truth, name)
		truth[full(name)] = v
	}
}

// kept returns a judge's cached result from an earlier run, or runs the judge and stores the result
// in a file.
func kept[T any](s *settings, name string, ask func() (T, error)) (answer T, err error) {
	file := filepath.Join(s.dir, "judged", url.PathEscape(name)+".json")
	if data, err := os.ReadFile(file); err == nil {
		return answer, json.Unmarshal(data, &answer)
	}
	if answer, err = ask(); err != nil {
		return answer, err
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return answer, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return answer, err
	}
	return answer, os.WriteFile(file, data, 0o600)
}

// knownFaults reads the verdicts in faults.txt, as "LANGUAGE PACKAGE PATH".
func knownFaults() (map[string]bool, error) {
	data, err := os.ReadFile("test/compare/faults.txt")
	if err != nil {
		return nil, err
	}
	faults := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if name, _, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			faults[name] = true
		}
	}
	return faults, nil
}

// packagesOf reads the packages of a language in a file, each with versions if the language's
// client does not list them.
func packagesOf(file, language string) (all [][]string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == language {
			all = append(all, fields[1:])
		}
	}
	return all, nil
}

// choose selects two releases with different minor or major versions. The newer one is from the
// newest half.
func choose(r *rand.Rand, versions []string) (old, new string, ok bool) {
	type release struct {
		text    string
		numbers []int
	}
	var releases []release
	for _, v := range versions {
		one := release{text: v}
		for part := range strings.SplitSeq(strings.TrimPrefix(v, "v"), ".") {
			n, err := strconv.Atoi(part)
			if err != nil {
				one.numbers = nil
				break
			}
			one.numbers = append(one.numbers, n)
		}
		if len(one.numbers) > 1 {
			releases = append(releases, one)
		}
	}
	slices.SortFunc(releases, func(a, b release) int { return slices.Compare(a.numbers, b.numbers) })
	for range 100 {
		if len(releases) < 2 {
			break
		}
		b := len(releases)/2 + r.IntN(len(releases)-len(releases)/2)
		a := r.IntN(max(b, 1))
		if b > a && slices.Compare(releases[a].numbers[:2], releases[b].numbers[:2]) < 0 && b-a <= max(len(releases)/3, 1) {
			return releases[a].text, releases[b].text, true
		}
	}
	return "", "", false
}

// score counts the findings.
type score struct {
	removed, removedFound, changed, changedFound, breaking, invented int
}

func (s *score) add(o score) {
	s.removed += o.removed
	s.removedFound += o.removedFound
	s.changed += o.changed
	s.changedFound += o.changedFound
	s.breaking += o.breaking
	s.invented += o.invented
}

func (s *score) String() string {
	return fmt.Sprintf("removals %d of %d, changes %d of %d, invented %d of %d", s.removedFound, s.removed, s.changedFound, s.changed, s.invented, s.breaking)
}

// grade compares a report with the verdicts of a judge. namesOnly is true if the judge does not
// report the kinds of changes.
func grade(report *compare.Report, truth verdicts, namesOnly, list bool) (s score) {
	found := map[string]*compare.Change{}
	for i := range report.Changes {
		c := &report.Changes[i]
		name := c.Package
		if c.Path != "" {
			name += ": " + c.Path
		}
		for _, n := range append([]string{name}, c.Also...) {
			if f := found[n]; f == nil || differs(c) && (!differs(f) || c.Severity > f.Severity) {
				found[n] = c
			}
		}
	}
	around := func(name string, has func(string) bool) bool {
		for {
			if has(name) {
				return true
			}
			i := strings.LastIndexAny(name, ".: ")
			if i <= 0 {
				return false
			}
			name = strings.TrimRight(name[:i], ":. ")
		}
	}
	for _, name := range sorted(truth) {
		v := truth[name]
		if v.Of != "" {
			continue
		}
		ok := around(name, func(n string) bool {
			c := found[n]
			return c != nil && differs(c)
		}) || (strings.HasPrefix(v.Text, "no longer implements") || namesOnly && !v.Removed) && slices.ContainsFunc(report.Changes, func(c compare.Change) bool {
			return strings.HasPrefix(c.Package+": "+c.Path, name+".") && c.Severity == apidoc.Breaking // The tool reports this change for the members.
		})
		if v.Removed {
			s.removed++
			if ok {
				s.removedFound++
			}
		} else {
			s.changed++
			if ok {
				s.changedFound++
			}
		}
		if !ok && list {
			fmt.Printf("  missed: %s: %s\n", name, v.Text)
		}
	}
	parents := map[string]bool{} // parents contains the packages and symbols that contain those in verdicts.
	for name := range truth {
		around(name, func(n string) bool { parents[n] = true; return false })
	}
	for i := range report.Changes {
		c := &report.Changes[i]
		if c.Severity != apidoc.Breaking || namesOnly && c.Kind != compare.Removed && c.Kind != compare.Moved {
			continue
		}
		s.breaking++
		name := c.Package
		if c.Path != "" {
			name += ": " + c.Path
		}
		if !around(name, func(n string) bool { _, ok := truth[n]; return ok }) && !parents[name] &&
			!slices.ContainsFunc(c.Also, func(n string) bool { _, ok := truth[n]; return ok }) {
			s.invented++
			if list {
				fmt.Printf("  invented: %s %s %v\n", c.Kind, name, c.Details)
			}
		}
	}
	return s
}

// differs reports whether a change concerns programs that work with the old version.
func differs(c *compare.Change) bool {
	return c.Kind == compare.Removed || c.Kind == compare.Moved || c.Kind == compare.Changed || c.Kind == compare.Added && c.Severity > apidoc.Compatible
}

func sorted(truth verdicts) (names []string) {
	for name := range truth {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
