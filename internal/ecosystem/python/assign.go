package python

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Python code can assign attributes to any object, so an attribute that a class does not declare is
// absent only if no code assigns it.

// builtinsModule is the module of the builtin types.
const builtinsModule = "builtins"

const (
	// maxAssignFiles is the maximum number of files that are searched for assignments.
	maxAssignFiles = 100_000
	// maxAssignBytes is the maximum size, in bytes, of these files together.
	maxAssignBytes = 1 << 30
	// maxAssignFile is the maximum size, in bytes, of one of them.
	maxAssignFile = 8 << 20
)

var _ ecosystem.Assigner = (*Python)(nil)

// MayAssign implements ecosystem.Assigner. It searches the project, the packages in its environment that
// depend on those of the attributes or that these depend on, and the standard library.
func (py *Python) MayAssign(ctx context.Context, dir string, members []ecosystem.Member) []bool {
	may := make([]bool, len(members))
	a := py.assignments(ctx, dir, members)
	for i := range may {
		may[i] = a == nil || !a.attributes[i].met || a.mayHave(a.attributes[i])
	}
	return may
}

// assignments searches for assignments of attributes. It returns nil if it is not known where to search.
func (py *Python) assignments(ctx context.Context, dir string, members []ecosystem.Member) *assignments {
	f, err := py.newFinder(ctx, question{name: "sys", project: dir, platform: defaultPlatform()})
	if err != nil || f.env == nil || f.env.stdlib == "" || dir == "" {
		return nil
	}
	a := &assignments{ctx: ctx, stdlib: f.env.stdlib, graph: newClassGraph(), installed: sync.OnceValue(f.distributions)}
	reaches := map[string]func(module string) reach{}
	for _, m := range members {
		w := newAttribute(m)
		if _, ok := reaches[m.Package]; !ok {
			reaches[m.Package] = f.reaches(m, a.installed)
		}
		w.within = reaches[m.Package]
		w.standard = !m.Own && isStandard(f.env.stdlib, w.top) || m.Package == builtinsModule
		a.attributes = append(a.attributes, w)
	}
	root := dir
	for _, m := range members {
		if m.Root != "" {
			root = m.Root // A program may contain several projects.
		}
	}
	a.search(root, "", true, func(*attribute, string) reach { return near })
	dirs := append([]string{f.env.stdlib}, f.env.site...)
	for _, dir := range dirs { // Most assignments are in the package itself.
		for _, top := range a.packages(dir) {
			a.search(dir, top, false, func(w *attribute, _ string) reach {
				if w.top != top {
					return nowhere
				}
				w.met = true
				return near
			})
		}
	}
	for _, w := range a.attributes {
		w.fixed = w.fixed || w.module != ""
	}
	for _, dir := range dirs {
		if !project.IsDir(dir) {
			continue
		}
		a.search(dir, "", false, func(w *attribute, module string) reach {
			switch {
			case w.override:
				return nowhere
			case module == w.top && project.IsDir(filepath.Join(dir, module)):
				return nowhere // searched before
			case module == w.top:
				w.met = true
				return near
			case module == "test":
				return nowhere
			case dir == f.env.stdlib:
				return w.within("")
			}
			return w.within(module)
		})
	}
	return a
}

// reach is how much the code in a module may have to do with the class of an attribute.
type reach int

const (
	nowhere reach = iota // the module is not searched
	foreign              // a module that knows nothing of the class, but may declare a base of a derived class
	distant              // a package that depends on that of the class through others, or only with an extra
	far                  // a package that depends on that of the class
	near                 // the project, and the package of the class
)

// attribute is an attribute that is searched for.
type attribute struct {
	name, class string
	pkg         string // the module of the class
	exact       bool   // whether no derived class can have created the value
	module      string // the last name of the module whose name the attribute is, or "". Only the project and the package are searched.
	own         bool   // whether the class belongs to the project
	override    bool   // whether derived classes that declare the attribute are searched for, which the class itself has
	adds        bool   // whether uses of the attribute are searched for, which is a method that adds others
	standard    bool   // whether the class belongs to the standard library
	replaced    bool   // whether the project may replace the class in its module
	// target matches with statements that assign the attribute, loopTarget the targets of loops, set calls that assign it by
	// its name, quoted other strings with the name, and declared what may declare it in the body of a class.
	target, loopTarget, set, quoted, declared *regexp.Regexp
	word                                      *regexp.Regexp // matches code that may handle objects of the class

	top    string                    // the top-level module of the class
	within func(module string) reach // of installed modules, and of the standard library, whose name is ""
	met    bool                      // whether the package of the class was searched
	found  bool                      // whether code may assign it
	fixed  bool                      // whether no code can assign it
	// foreign contains the files of packages that know nothing of the class and assign the attribute to an object.
	foreign []int
	last    int            // 1 + the index of the last file that assignedIn recorded
	owners  map[owner]bool // the classes that declare it, or whose methods assign it to self
}

func newAttribute(m ecosystem.Member) *attribute {
	name := regexp.QuoteMeta(m.Name)
	const targets = `[ \t(\[][\w.,*+\-()\[\]"' \t]*` // those before an attribute in a with statement
	w := &attribute{name: m.Name, class: m.Type, pkg: m.Package, exact: m.Value == ecosystem.Result, own: m.Own, override: m.Overrides, adds: m.Adds, owners: map[owner]bool{}}
	w.top, _, _ = strings.Cut(m.Package, ".")
	if m.Module {
		w.module = m.Package[strings.LastIndexByte(m.Package, '.')+1:]
	}
	w.met = m.Own || m.Overrides || m.Module // the project is always searched
	if m.Package == builtinsModule && m.Value != ecosystem.Derived && !m.Overrides && !m.Module {
		return &attribute{met: true, fixed: true}
	}
	for pattern, expression := range map[string]**regexp.Regexp{
		`\bas` + targets + `\.` + name + `[ \t]*[,)\]:]`:                            &w.target,
		`\.` + name + `[ \t]*(?:[,)\]]|$)`:                                          &w.loopTarget,
		`(?:setattr|(?:\b|_|monkey)patch)\w*(?:\.\w+)*\([^"']*["']` + name + `["']`: &w.set,
		`["']` + name + `["']`:                                                      &w.quoted,
		wordsOf(m.Type):                                                             &w.word,
		`\bdef[ \t]+` + name + `\b|\bclass[ \t]+` + name + `\b|(?:^|[^.\w])` + name + `[ \t]*(?::|=[^=])` +
			`|(?:^|[^.\w])` + name + `[ \t]*[,)][^=\n]*=[^=]|\b(?:import|as)[ \t(][^\n]*\b` + name + `\b|\bfor[ \t(][^\n]*\b` + name + `\b[^\n]*\bin\b`: &w.declared,
	} {
		var err error
		if *expression, err = regexp.Compile(pattern); err != nil {
			return &attribute{found: true}
		}
	}
	return w
}

// isStandard reports whether a top-level module belongs to the standard library in a directory.
func isStandard(stdlib, top string) bool {
	return top == builtinsModule || project.IsFile(filepath.Join(stdlib, top+".py")) || project.IsFile(filepath.Join(stdlib, top, "__init__.py"))
}

// reaches returns a function with what the installed modules may have to do with the class of a member. The
// distributions that depend on that of the class may handle its objects.
func (f *finder) reaches(m ecosystem.Member, installed func() *distributions) func(module string) reach {
	of, _ := f.owner(m.Package)
	if of == nil && m.Own && m.Package != builtinsModule {
		return func(string) reach { return foreign }
	}
	if of == nil { // a module of the standard library, or of an unknown distribution
		return func(string) reach { return far }
	}
	env := installed()
	name := pep508.Normalize(of.name)
	dependencies, dependents := map[string]bool{name: true}, map[string]bool{name: true}
	reachable(dependencies, env.requires)
	reachable(dependents, env.requiredBy)
	modules := map[string]reach{}
	for other, ds := range env.named {
		to := nowhere
		switch {
		case other == name || slices.Contains(env.always[other], name):
			to = far
		case dependents[other]:
			to = distant
		case dependencies[other]:
			to = foreign
		}
		for _, d := range ds {
			d.load()
			for _, top := range d.modules { // several distributions may contain a module with this name
				modules[top] = max(modules[top], to)
			}
		}
	}
	return func(module string) reach {
		if module == "" {
			return foreign
		}
		if to, ok := modules[module]; ok {
			return to
		}
		return far // of no distribution
	}
}

// distributions are those in an environment, by their normalized names.
type distributions struct {
	named                map[string][]*distribution
	requires, requiredBy map[string][]string
	always               map[string][]string // those that each requires without an extra
}

// distributions returns the distributions in the environment.
func (f *finder) distributions() *distributions {
	env := &distributions{named: map[string][]*distribution{}, requires: map[string][]string{}, requiredBy: map[string][]string{}, always: map[string][]string{}}
	plain := f.target.environment().With("extra", "")
	for _, dir := range f.env.site {
		for _, d := range f.py.site(dir).ordered {
			name := pep508.Normalize(d.name)
			env.named[name] = append(env.named[name], d)
			for _, r := range readInfo(d.info).Requires {
				required := pep508.Normalize(r.Name)
				env.requires[name] = append(env.requires[name], required)
				env.requiredBy[required] = append(env.requiredBy[required], name)
				if r.Marker.Holds(plain) {
					env.always[name] = append(env.always[name], required)
				}
			}
		}
	}
	return env
}

// assignments searches code for assignments of attributes.
type assignments struct {
	ctx        context.Context
	stdlib     string // the directory of the standard library
	attributes []*attribute
	graph      *classGraph
	installed  func() *distributions
	required   map[string]bool // see isRequired; nil until it is needed
	files      int
	bytes      int64
}

// packages returns the directories below dir of the packages whose classes have attributes that were not
// found yet.
func (a *assignments) packages(dir string) (tops []string) {
	for _, w := range a.attributes {
		if !w.found && !w.fixed && !slices.Contains(tops, w.top) && project.IsDir(filepath.Join(dir, w.top)) {
			tops = append(tops, w.top)
		}
	}
	return tops
}

// search finds the attributes that a file below a directory may assign; these are all attributes if a file
// cannot be read. The tests of packages do not run in the project. If top is not empty, only that package in the
// directory is searched. within returns whether an attribute is searched for in a module or directory directly below that
// directory.
func (a *assignments) search(dir, top string, inProject bool, within func(w *attribute, module string) reach) {
	var searches []search // those in the current module
	fsys := rootfs.New(dir)
	start := cmp.Or(top, ".")
	_ = fs.WalkDir(fsys, start, func(name string, entry fs.DirEntry, err error) error {
		if name == start && err != nil {
			a.findAll()
			return err
		}
		if name == "." {
			return nil
		}
		base := path.Base(name)
		if !strings.Contains(name, "/") {
			module, _, _ := strings.Cut(name, ".")
			searches = a.in(module, within)
		}
		if searches = slices.DeleteFunc(searches, func(s search) bool { return s.found }); len(searches) == 0 {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		switch {
		case err != nil || a.ctx.Err() != nil || a.files >= maxAssignFiles || a.bytes >= maxAssignBytes:
			a.findAll()
			return fs.SkipAll
		case entry.IsDir():
			if _, err := fs.Stat(fsys, path.Join(name, "pyvenv.cfg")); err == nil || strings.HasPrefix(base, ".") || base == "node_modules" || base == "__pycache__" || base == "site-packages" || !inProject && (base == "tests" || base == "_tests") {
				return fs.SkipDir
			}
			return nil
		case !inProject && a.isTest(name):
			return nil
		case !strings.HasSuffix(base, ".py") && !strings.HasSuffix(base, ".pyi") && !strings.HasSuffix(base, notebookExtension):
			return nil
		}
		a.files++
		data, err := readCode(fsys, name)
		if err != nil && dir == a.stdlib && entry.Type()&fs.ModeSymlink != 0 {
			return nil // as Debian links sitecustomize.py, the machine's own configuration
		}
		if err != nil {
			a.findAll()
			return fs.SkipAll
		}
		a.bytes += int64(len(data))
		isNear := slices.ContainsFunc(searches, func(s search) bool { return s.reach == near })
		file := a.graph.addFile(codeFile{root: dir, name: name, project: inProject, near: isNear}, data)
		for _, s := range searches {
			if inProject && !s.own && s.class != "" && !s.replaced {
				s.replaced = s.isReplaced(data)
			}
		}
		for i := range searches {
			searches[i].stub = strings.HasSuffix(base, ".pyi")
		}
		find(file, data, searches)
		return nil
	})
}

// isTest reports whether a file of a package is a test, such as in a directory "test". A module that the project names, such as
// test_utils, is none.
func (a *assignments) isTest(name string) bool {
	module := strings.TrimSuffix(path.Base(name), ".py")
	if !strings.HasPrefix(module, "test_") && !strings.HasSuffix(module, "_test") {
		return false
	}
	return path.Base(path.Dir(name)) == "test" || !a.graph.isMentioned(module)
}

// search is an attribute that is searched for in a module.
type search struct {
	*attribute
	reach reach
	stub  bool // whether the current file is a stub
}

// in returns the attributes that are searched for in a module.
func (a *assignments) in(module string, within func(w *attribute, module string) reach) (searches []search) {
	for _, w := range a.attributes {
		if w.found || w.fixed {
			continue
		}
		r := within(w, module)
		if r == distant && a.graph.isImported(module) {
			r = far // The project may pass an object to it.
		}
		if r != nowhere {
			searches = append(searches, search{attribute: w, reach: r})
		}
	}
	return searches
}

// findAll is called if it is not known what code assigns.
func (a *assignments) findAll() {
	for _, w := range a.attributes {
		w.found = true
	}
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
