package python

import (
	"bytes"
	"context"
	"embed"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/spelling"
)

var (
	_ ecosystem.ProgramReader = (*Python)(nil)
	_ ecosystem.MemberChecker = (*program)(nil)
)

// program reads the modules of a program.
type program struct {
	py  *Python
	dir string

	mu       sync.Mutex
	finder   *finder         // nil if the project cannot be read
	reader   *modules.Reader // of all modules; nil until it is needed
	types    *modules.Types
	file     *ecosystem.SourceFile      // the file whose imports are followed
	roots    map[string]bool            // directories of the program's modules
	remotes  map[string]*located        // packages that are not installed, by module; nil for those that cannot be read
	packages map[string]*apidoc.Package // by directory and module; nil for modules that cannot be read
}

// Program implements ecosystem.ProgramReader.
func (py *Python) Program(ctx context.Context, dir string) ecosystem.Program {
	p := &program{py: py, dir: dir, roots: map[string]bool{}, remotes: map[string]*located{}, packages: map[string]*apidoc.Package{}}
	if f, err := py.newFinder(ctx, question{name: "sys", project: dir, platform: defaultPlatform()}); err == nil {
		p.finder = f
	}
	return p
}

// Builtins implements ecosystem.Program.
func (*program) Builtins() *apidoc.Package {
	out := *modules.Builtins()
	out.Ecosystem, out.Style = info.ID, info.Style
	return &out
}

// Package implements ecosystem.Program.
func (p *program) Package(ctx context.Context, f *ecosystem.SourceFile, name string) (*apidoc.Package, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.finder == nil || p.finder.env == nil || f.Dir == "" {
		return nil, fs.ErrNotExist
	}
	if name != "" {
		top, _, _ := strings.Cut(name, ".")
		root := p.rootOf(f, top)
		if stdlib := p.finder.env.stdlib; stdlib != "" && isStandard(stdlib, top) {
			if root != "" || isScriptBeside(f, top) {
				return nil, fs.ErrNotExist // How the program is run decides which of the two modules it imports.
			}
			root = stdlib
		}
		return p.read(ctx, f, root, name, nil)
	}
	root, module := moduleOfFile(f)
	if module == "" {
		return nil, fs.ErrNotExist
	}
	full := filepath.Join(f.Dir, filepath.FromSlash(f.Name))
	if data, err := project.ReadFile(full, maxAssignFile); err != nil || !bytes.Equal(data, f.Text) {
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return nil, err
		}
		return p.read(ctx, f, root, module, &overlay{name: filepath.ToSlash(rel), text: f.Text})
	}
	return p.read(ctx, f, root, module, nil)
}

// read reads a module in a directory. A file in it may differ from the one on disk.
func (p *program) read(ctx context.Context, f *ecosystem.SourceFile, root, module string, changed *overlay) (*apidoc.Package, error) {
	if root == "" {
		return nil, fs.ErrNotExist
	}
	provenance := apidoc.Provenance{Source: "workspace", Location: root, ChosenBy: "the project"}
	if root == p.finder.env.stdlib {
		provenance.Source, provenance.ChosenBy = "standard library", p.finder.env.by
	} else {
		p.roots[root] = true
	}
	key := root + "\x00" + module
	known, ok := p.packages[key]
	if changed == nil && ok {
		if known == nil {
			return nil, fs.ErrNotExist
		}
		return known, nil
	}
	src, err := p.finder.sourceIn(root, module)
	if err != nil {
		return nil, err
	}
	reader := p.readerOf(ctx, f, src)
	if changed != nil {
		changed.FS, src.Root = src.Root, changed
		reader = modules.Open(ctx, src, p.importer(ctx, src))
		reader.Program = true
	}
	out, err := reader.Read(module)
	if changed == nil {
		p.packages[key] = out
	}
	if err != nil {
		return nil, err
	}
	out.Ecosystem, out.Style = info.ID, info.Style
	out.Provenance = provenance
	return out, nil
}

// readerOf returns the reader of all modules, which reads those of src next.
func (p *program) readerOf(ctx context.Context, f *ecosystem.SourceFile, src *modules.Source) *modules.Reader {
	p.file = f
	if p.reader == nil {
		p.reader = modules.Open(ctx, src, p.importer(ctx, src))
		p.reader.Program = true
	}
	p.reader.Select(src)
	return p.reader
}

// importer returns the function that finds the modules that files of the program import.
func (p *program) importer(ctx context.Context, src *modules.Source) modules.Importer {
	others := p.finder.importer(ctx, &located{module: src.Module, source: src, inProject: true, meta: &metadata{}})
	return func(module string) (*modules.Source, error) {
		top, _, _ := strings.Cut(module, ".")
		if root := p.rootOf(p.file, top); root != "" {
			p.roots[root] = true
			return p.finder.sourceIn(root, module)
		}
		found, err := others(module)
		if err != nil {
			if l := p.remote(ctx, top); l != nil {
				found = new(*l.source)
				if found.Module = module; !hasModule(found, module) {
					return nil, fs.ErrNotExist
				}
				return found, nil
			}
		}
		return found, err
	}
}

// remote returns a package that the current file imports although it is not installed. It returns nil if the package
// cannot be read.
func (p *program) remote(ctx context.Context, top string) *located {
	l, ok := p.remotes[top]
	if ok || len(p.remotes) == maxRemote || !imports(p.file.Text, top) {
		return l
	}
	p.remotes[top] = nil
	f, err := p.py.newFinder(ctx, question{name: top, project: p.dir, platform: defaultPlatform()})
	if err != nil {
		return nil
	}
	if l, err = f.find(ctx); err != nil || l.provenance.Unused || f.opened(ctx, l) != nil || l.source == nil {
		return nil
	}
	p.remotes[top] = l
	return l
}

// imports reports whether code may import a top-level module.
func imports(text []byte, top string) bool {
	return slices.ContainsFunc([]string{"import " + top, "from " + top, ", " + top}, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}

// Members implements ecosystem.MemberChecker.
func (p *program) Members(ctx context.Context, f *ecosystem.SourceFile) *ecosystem.MemberUses {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.finder == nil {
		return nil
	}
	text, move, ok := programText(f)
	if !ok {
		return nil
	}
	root, module := moduleOfFile(f)
	if root == "" && f.Dir != "" {
		root = filepath.Join(f.Dir, filepath.FromSlash(path.Dir(f.Name)))
	}
	p.roots[root] = root != ""
	src, err := p.finder.sourceIn(root, module)
	if root == "" || err != nil { // the file does not exist
		src = &modules.Source{Root: embed.FS{}, Python: p.finder.target.minor(), Platform: p.finder.target.platform}
	}
	reader := p.readerOf(ctx, f, src)
	if p.types == nil {
		p.types = modules.NewTypes(reader)
		p.types.Own = func(dir string) bool { return p.roots[dir] }
	}
	found := p.types.Check(ctx, module, text)
	out := &ecosystem.MemberUses{Decided: found.Decided, Undecided: found.Undecided}
	lines := ecosystem.NewLines(text)
	ignored := ignoredLines(text, &lines)
	at := func(offset int) (position ecosystem.Position, ok bool) {
		position = lines.Position(offset)
		ok = !ignored[position.Line]
		move(&position)
		return position, ok
	}
	short := func(text, name string) string {
		if len(text) > maxStepText || strings.Contains(text, "\n") {
			return name
		}
		return text
	}
	for _, m := range found.Missing {
		a := ecosystem.AbsentMember{Text: short(m.Text, m.Name), Name: m.Name, Near: spelling.Near(slices.Values(m.Names), m.Name), Unless: overridden(m.Unless)}
		if a.Position, ok = at(m.Offset); !ok {
			continue
		}
		if isMock(text, strings.TrimSuffix(m.Text, "."+m.Name)) {
			out.Undecided++
			continue
		}
		for _, o := range m.Owners {
			value := ecosystem.Instance
			switch {
			case o.Exact:
				value = ecosystem.Result
			case o.Builtin:
				value = ecosystem.Derived
			}
			member := ecosystem.Member{Package: o.Module, Name: m.Name, Own: o.Own || o.Builtin, Value: value, Type: lastPart(o.Path)}
			if o.Made {
				a.Unless = append(a.Unless, member)
				member.Type = ""
			}
			for _, setter := range o.Setters {
				a.Unless = append(a.Unless, ecosystem.Member{Package: setter.Class.Module, Name: setter.Name, Value: ecosystem.Instance, Type: lastPart(setter.Class.Path), Adds: true})
			}
			a.Owners = append(a.Owners, ecosystem.Owner{Member: member, Path: o.Path})
		}
		out.Absent = append(out.Absent, a)
	}
	for _, m := range found.Wrong {
		w := ecosystem.WrongCall{Text: short(m.Text, m.Name), Package: m.Callee.Module, Path: m.Callee.Path, Own: m.Callee.Own, Problem: m.Problem, Near: m.Near, Declaration: m.Declaration}
		if w.Position, ok = at(m.Offset); !ok {
			continue
		}
		w.Unless = overridden(m.Unless)
		out.Wrong = append(out.Wrong, w)
	}
	for _, m := range found.Deprecated {
		d := ecosystem.DeprecatedMember{Text: short(m.Text, m.Name), Package: m.Method.Module, Path: m.Method.Path, Own: m.Method.Own, Notice: m.Notice}
		if d.Position, ok = at(m.Offset); ok {
			out.Deprecated = append(out.Deprecated, d)
		}
	}
	return out
}

// isMock reports whether code takes a variable for a mock, which may have any attribute whatever its declared type is: whether
// it uses a member of mocks, as in variable.method.called.
func isMock(text, variable string) bool {
	if variable == "" {
		return false
	}
	inName := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	before := ""
	for i, after := range strings.Split(text, variable+".") {
		last, _ := utf8.DecodeLastRuneInString(before)
		before = after
		if i == 0 || last == '.' || inName(last) { // the name of another variable
			continue
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r != '.' && !inName(r) })
		if end < 0 {
			end = len(after)
		}
		for name := range strings.SplitSeq(after[:end], ".") {
			if slices.Contains(mockMembers, name) {
				return true
			}
		}
	}
	return false
}

// overridden returns methods as members that derived types may declare again.
func overridden(methods []modules.Override) (members []ecosystem.Member) {
	for _, m := range methods {
		members = append(members, ecosystem.Member{Package: m.Class.Module, Name: m.Name, Own: m.Class.Own, Value: ecosystem.Instance, Type: lastPart(m.Class.Path), Overrides: true})
	}
	return members
}

// lastPart returns the last name of a dotted one.
func lastPart(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

// programText returns the code of a file, and a function that converts positions in it to those in the file. It returns
// false if the file cannot be read.
func programText(f *ecosystem.SourceFile) (text string, move func(*ecosystem.Position), ok bool) {
	if path.Ext(f.Name) == notebookExtension {
		n, ok := readNotebook(f.Text)
		if !ok {
			return "", nil, false
		}
		return n.text.String(), n.mover(f.Text), true
	}
	text, gap := source.Decode(f.Text)
	return text, func(*ecosystem.Position) {}, gap.Text == ""
}

// rootOf returns the directory of the program that contains a top-level module that a file imports, or "". A directory without
// __init__.py does not hide a module of the standard library.
func (p *program) rootOf(f *ecosystem.SourceFile, top string) string {
	root := rootOf(f, top, true)
	if root != "" && p.finder.env != nil && p.finder.env.stdlib != "" && isStandard(p.finder.env.stdlib, top) && !isRegularIn(root, top) {
		return ""
	}
	return root
}

// rootOf returns the directory that contains a top-level module that a file of a program imports, or "" if
// there is none. If strict is true, it is not a directory in a package.
func rootOf(f *ecosystem.SourceFile, top string, strict bool) string {
	for root := range rootsOf(f, top, strict) {
		return root
	}
	return ""
}

// rootsOf yields the directories around a file that contain a top-level module, the nearest first.
func rootsOf(f *ecosystem.SourceFile, top string, strict bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := range f.Dirs() {
			if strict && project.IsFile(filepath.Join(dir, "__init__.py")) {
				continue
			}
			for _, below := range []string{"", "src", "lib", "python"} {
				root := filepath.Join(dir, below)
				if below != "" && !project.IsDir(root) {
					continue
				}
				if isModuleIn(root, top) && !yield(root) {
					return
				}
			}
		}
	}
}

// importsRelatively matches an import that works only in a module of a package.
var importsRelatively = lazyregexp.New(`(?m)^[ \t]*from[ \t]*\.`)

// isScriptBeside reports whether a file may be run as a script in a directory that contains a top-level module of the standard
// library.
func isScriptBeside(f *ecosystem.SourceFile, top string) bool {
	if importsRelatively().Match(f.Text) {
		return false
	}
	for dir := range f.Dirs() {
		isScript := !project.IsFile(filepath.Join(dir, "__init__.py")) || bytes.HasPrefix(f.Text, []byte("#!")) || bytes.Contains(f.Text, []byte("__main__"))
		return isScript && isRegularIn(dir, top)
	}
	return true
}

// isRegularIn reports whether a directory contains a module that is a file or a regular package.
func isRegularIn(dir, name string) bool {
	full := filepath.Join(dir, name)
	return project.IsFile(filepath.Join(full, "__init__.py")) || project.IsFile(full+".py") || project.IsFile(full+".pyx")
}

// isModuleIn reports whether a directory contains a module.
func isModuleIn(dir, name string) bool {
	full := filepath.Join(dir, name)
	return project.IsDir(full) || project.IsFile(full+".py") || project.IsFile(full+".pyi") || project.IsFile(full+".pyx")
}

// moduleOfFile returns the name of the module that a file of a program contains, and the directory from
// which it is imported. The name is empty if the file cannot be imported.
func moduleOfFile(f *ecosystem.SourceFile) (root, module string) {
	base := strings.TrimSuffix(path.Base(f.Name), ".py")
	if base == path.Base(f.Name) || !validModule(base) {
		return "", ""
	}
	for dir := range f.Dirs() {
		name := filepath.Base(dir)
		if !project.IsFile(filepath.Join(dir, "__init__.py")) || !validModule(name) {
			root = dir
			break
		}
		module = strings.TrimSuffix(name+"."+module, ".")
	}
	if base == "__init__" {
		return root, module
	}
	return root, strings.TrimPrefix(module+"."+base, ".")
}

// overlay is a file system in which one file has another content.
type overlay struct {
	fs.FS
	name string
	text []byte
}

// ReadFile implements fs.ReadFileFS.
func (o *overlay) ReadFile(name string) ([]byte, error) {
	if name == o.name {
		return bytes.Clone(o.text), nil
	}
	return fs.ReadFile(o.FS, name)
}

// Stat implements fs.StatFS.
func (o *overlay) Stat(name string) (fs.FileInfo, error) {
	if name == o.name {
		return o, nil
	}
	return fs.Stat(o.FS, name)
}

// ReadDir implements fs.ReadDirFS.
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	if err == nil && name == path.Dir(o.name) {
		entries = append(slices.Clip(entries), fs.FileInfoToDirEntry(o))
	}
	return entries, err
}

// The file implements fs.FileInfo.

func (o *overlay) Name() string     { return path.Base(o.name) }
func (o *overlay) Size() int64      { return int64(len(o.text)) }
func (*overlay) Mode() fs.FileMode  { return 0o444 }
func (*overlay) ModTime() time.Time { return time.Time{} }
func (*overlay) IsDir() bool        { return false }
func (*overlay) Sys() any           { return nil }
