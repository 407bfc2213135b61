package python

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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
		may[i] = a == nil || a.attributes[i].found || !a.attributes[i].met
	}
	return may
}

// assignments searches for assignments of attributes. It returns nil if it is not known where to search.
func (py *Python) assignments(ctx context.Context, dir string, members []ecosystem.Member) *assignments {
	f, err := py.newFinder(ctx, question{name: "sys", project: dir, platform: defaultPlatform()})
	if err != nil || f.env == nil || f.env.stdlib == "" || dir == "" {
		return nil
	}
	a := &assignments{ctx: ctx}
	unrelated := map[string]map[string]bool{}
	mixins := a.mixins(dir, members)
	for _, m := range members {
		if mixins[m.Type] {
			m.Value = ecosystem.Derived
		}
		w := newAttribute(m)
		if _, ok := unrelated[m.Package]; !ok {
			unrelated[m.Package] = f.unrelated(m.Package)
		}
		w.unrelated = unrelated[m.Package]
		a.attributes = append(a.attributes, w)
	}
	a.search(dir, func(w *attribute, _ string) *regexp.Regexp { return w.near })
	dirs := append([]string{f.env.stdlib}, f.env.site...)
	for _, dir := range dirs { // Most assignments are in the package itself.
		for _, own := range a.packages(dir) {
			a.search(filepath.Join(dir, own), func(w *attribute, _ string) *regexp.Regexp {
				if w.top != own {
					return nil
				}
				w.met = true
				return w.near
			})
		}
	}
	for _, dir := range dirs {
		if !project.IsDir(dir) {
			continue
		}
		a.search(dir, func(w *attribute, module string) *regexp.Regexp {
			switch {
			case w.local:
				return nil
			case module == w.top && project.IsDir(filepath.Join(dir, module)):
				return nil // searched before
			case module == w.top:
				w.met = true
				return w.near
			case module == "test" || dir != f.env.stdlib && w.unrelated[module]:
				return nil
			}
			return w.far
		})
	}
	return a
}

// mixins returns the types of members from which a class in a directory is derived that has other bases, too.
func (a *assignments) mixins(dir string, members []ecosystem.Member) map[string]bool {
	classes := assignments{ctx: a.ctx}
	var names []string
	for _, m := range members {
		if m.Type == "" || slices.Contains(names, m.Type) {
			continue
		}
		names = append(names, m.Type)
		name := `\b` + regexp.QuoteMeta(m.Type) + `\b`
		w := &attribute{name: []byte(m.Type)}
		w.near = regexp.MustCompile(`\bclass[ \t]+\w+[ \t]*\((?:[^()]*` + name + `[^()]*,\s*[\w.]+\s*[,)\[]|[^()]*,[^()]*` + name + `)`)
		classes.attributes = append(classes.attributes, w)
	}
	classes.search(dir, func(w *attribute, _ string) *regexp.Regexp { return w.near })
	mixins := map[string]bool{}
	for i, name := range names {
		mixins[name] = classes.attributes[i].found
	}
	return mixins
}

// attribute is an attribute that is searched for.
type attribute struct {
	name      []byte
	near, far *regexp.Regexp  // what assigns it in the project and the package of the class, and in others
	top       string          // the top-level module of the class
	unrelated map[string]bool // the installed modules that do not handle objects of the class
	met       bool            // whether the package of the class was searched
	found     bool            // whether code may assign it
	fixed     bool            // whether no code can assign it
	local     bool            // whether only the project is searched
	declared  int             // the number of declarations in the project that are not overrides
}

func newAttribute(m ecosystem.Member) *attribute {
	name := regexp.QuoteMeta(m.Name)
	const start, end = `(?:`, `)`
	const targets = `[ \t(\[][\w.,*+\-()\[\]"' \t]*` // those before an attribute in a for or with statement
	assigned := `\.` + name + `[ \t]*(?::[^=\n]*)?=[^=]|\.` + name + `[ \t]*[,)\]][^=\n(]*=[^=]` +
		`|\bas` + targets + `\.` + name + `[ \t]*[,)\]:]|\bfor` + targets + `\.` + name + `[ \t]*(?:[,)\]]|\bin\b)` +
		`|setattr\([^,\n]+,\s*["']` + name + `["']`
	quoted := `["']` + name + `["']`
	declared := `\bdef[ \t]+` + name + `\b|\bclass[ \t]+` + name + `\b|(?:^|[^.\w])` + name + `[ \t]*(?::|=[^=])`
	near, far := assigned+`|`+quoted, assigned
	if m.Value != ecosystem.Result {
		near += `|` + declared // The assignment may be in a class that inherits from the type.
	}
	if m.Value == ecosystem.Derived {
		far = near // by another base of such a class
	}
	w := &attribute{name: []byte(m.Name)}
	if m.Overrides {
		w.near, w.met, w.local = regexp.MustCompile(`\bdef[ \t]+`+name+`\b`), true, true
		if m.Own {
			w.declared = 1
		}
		return w
	}
	w.top, _, _ = strings.Cut(m.Package, ".")
	if m.Package == builtinsModule && m.Value != ecosystem.Derived {
		return &attribute{met: true, fixed: true}
	}
	w.met = m.Own // The package is in the project, which is always searched.
	var err error
	if w.near, err = regexp.Compile(start + near + end); err != nil {
		w.found = true
	}
	if w.far, err = regexp.Compile(start + far + end); err != nil {
		w.found = true
	}
	return w
}

// unrelated returns the top-level modules of the installed distributions that neither depend on the
// distribution of a module nor are its dependencies.
func (f *finder) unrelated(module string) map[string]bool {
	of, _ := f.owner(module)
	if of == nil {
		return nil // a module of the standard library, or of an unknown distribution
	}
	requires, requiredBy := map[string][]string{}, map[string][]string{}
	all := map[string][]*distribution{}
	for _, dir := range f.env.site {
		for _, d := range f.py.site(dir).ordered {
			name := pep508.Normalize(d.name)
			all[name] = append(all[name], d)
			for _, r := range readInfo(d.info).Requires {
				required := pep508.Normalize(r.Name)
				requires[name] = append(requires[name], required)
				requiredBy[required] = append(requiredBy[required], name)
			}
		}
	}
	related := map[string]bool{}
	for _, edges := range []map[string][]string{requires, requiredBy} {
		reached := map[string]bool{}
		next := []string{pep508.Normalize(of.name)}
		for len(next) > 0 {
			name := next[len(next)-1]
			next = next[:len(next)-1]
			if !reached[name] {
				reached[name], related[name] = true, true
				next = append(next, edges[name]...)
			}
		}
	}
	modules := map[string]bool{}
	for _, isRelated := range []bool{false, true} { // Several distributions may contain a module with this name.
		for name, ds := range all {
			if related[name] != isRelated {
				continue
			}
			for _, d := range ds {
				d.load()
				for _, top := range d.modules {
					modules[top] = !isRelated
				}
			}
		}
	}
	return modules
}

// assignments searches code for assignments of attributes.
type assignments struct {
	ctx        context.Context
	attributes []*attribute
	files      int
	bytes      int64
}

// packages returns the directories below dir of the packages whose classes have attributes that were not
// found yet.
func (a *assignments) packages(dir string) (tops []string) {
	for _, w := range a.attributes {
		if !w.found && !w.fixed && !w.local && !slices.Contains(tops, w.top) && project.IsDir(filepath.Join(dir, w.top)) {
			tops = append(tops, w.top)
		}
	}
	return tops
}

// search finds the attributes that a file below a directory may assign; these are all attributes if a file
// cannot be read. pattern returns the expression that finds assignments of an attribute in a module or
// directory directly below that directory, or nil if the attribute is not searched for there.
func (a *assignments) search(dir string, pattern func(w *attribute, module string) *regexp.Regexp) {
	var searches []search // those in the current module
	fsys := rootfs.New(dir)
	_ = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if name == "." {
			if err != nil {
				a.findAll()
			}
			return err
		}
		base := path.Base(name)
		if !strings.Contains(name, "/") {
			module, _, _ := strings.Cut(name, ".")
			searches = a.in(module, pattern)
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
			if _, err := fs.Stat(fsys, path.Join(name, "pyvenv.cfg")); err == nil || strings.HasPrefix(base, ".") || base == "node_modules" || base == "__pycache__" || base == "site-packages" {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(base, ".py") && !strings.HasSuffix(base, ".pyi") && !strings.HasSuffix(base, notebookExtension):
			return nil
		}
		a.files++
		data, err := project.ReadFS(fsys, name, maxAssignFile)
		if err != nil {
			a.findAll()
			return fs.SkipAll
		}
		a.bytes += int64(len(data))
		for _, s := range searches {
			if s.declared > 0 {
				s.declared -= len(s.pattern.FindAll(data, -1))
				s.found = s.declared < 0
				s.declared = max(s.declared, 0)
				continue
			}
			s.found = assigns(data, s.name, s.pattern)
		}
		return nil
	})
}

// search is an attribute and the expression that finds its assignments in a module.
type search struct {
	*attribute
	pattern *regexp.Regexp
}

// in returns the attributes that are searched for in a module.
func (a *assignments) in(module string, pattern func(w *attribute, module string) *regexp.Regexp) (searches []search) {
	for _, w := range a.attributes {
		if w.found || w.fixed {
			continue
		}
		if p := pattern(w, module); p != nil {
			searches = append(searches, search{w, p})
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

// assigns reports whether code matches an expression about an attribute. It searches only around the
// places that contain the name.
func assigns(code, name []byte, expression *regexp.Regexp) bool {
	for at := 0; ; {
		i := bytes.Index(code[at:], name)
		if i < 0 {
			return false
		}
		first, end := at+i, at+i+len(name)
		if first > 0 && isWordByte(code[first-1]) || end < len(code) && isWordByte(code[end]) {
			at = end
			continue
		}
		begin := bytes.LastIndexByte(code[:first], '\n') + 1
		begin = bytes.LastIndexByte(bytes.TrimRight(code[:begin], " \t\r\n"), '\n') + 1 // a call may begin in the line before
		if n := bytes.IndexByte(code[end:], '\n'); n >= 0 {
			end += n + 1
		} else {
			end = len(code)
		}
		if expression.Match(code[begin:end]) {
			return true
		}
		at = end
	}
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
