package python

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/spelling"
)

var (
	_ ecosystem.ProgramReader = (*Python)(nil)
	_ ecosystem.MemberChecker = (*program)(nil)
)

// program reads the modules of a program.
type program struct {
	dir string

	mu       sync.Mutex
	finder   *finder         // nil if there is no environment
	reader   *modules.Reader // of all modules; nil until it is needed
	types    *modules.Types
	file     *ecosystem.SourceFile      // the file whose imports are followed
	packages map[string]*apidoc.Package // by directory and module; nil for modules that cannot be read
}

// Program implements ecosystem.ProgramReader.
func (py *Python) Program(ctx context.Context, dir string) ecosystem.Program {
	p := &program{dir: dir, packages: map[string]*apidoc.Package{}}
	if f, err := py.newFinder(ctx, question{name: "sys", project: dir, platform: defaultPlatform()}); err == nil && f.env != nil {
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
	if p.finder == nil || f.Dir == "" {
		return nil, fs.ErrNotExist
	}
	if name != "" {
		top, _, _ := strings.Cut(name, ".")
		return p.read(ctx, f, rootOf(f, top, true), name, nil)
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
	out.Provenance = apidoc.Provenance{Source: "workspace", Location: root, ChosenBy: "the project"}
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
		if root := rootOf(p.file, top, true); root != "" {
			own, err := p.finder.sourceIn(root, module)
			if err == nil {
				own.Own = true
			}
			return own, err
		}
		return others(module)
	}
}

// Members implements ecosystem.MemberChecker.
func (p *program) Members(ctx context.Context, f *ecosystem.SourceFile) (members []ecosystem.AbsentMember, decided, undecided int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.finder == nil || f.Dir == "" || path.Ext(f.Name) != ".py" {
		return nil, 0, 0
	}
	text, gap := source.Decode(f.Text)
	if gap.Text != "" {
		return nil, 0, 0
	}
	root, module := moduleOfFile(f)
	if root == "" {
		root = filepath.Join(f.Dir, filepath.FromSlash(path.Dir(f.Name)))
	}
	src, err := p.finder.sourceIn(root, module)
	if err != nil {
		return nil, 0, 0
	}
	reader := p.readerOf(ctx, f, src)
	if p.types == nil {
		p.types = modules.NewTypes(reader)
	}
	missing, decided, undecided := p.types.Members(module, text)
	lines := ecosystem.NewLines(text)
	ignored := ignoredLines(text, &lines)
	for _, m := range missing {
		a := ecosystem.AbsentMember{Position: lines.Position(m.Offset), Text: m.Text, Name: m.Name, Near: spelling.Near(slices.Values(m.Names), m.Name)}
		if ignored[a.Line] {
			continue
		}
		if len(a.Text) > maxStepText || strings.Contains(a.Text, "\n") {
			a.Text = m.Name
		}
		for _, o := range m.Owners {
			value := ecosystem.Instance
			switch {
			case o.Exact:
				value = ecosystem.Result
			case o.Builtin:
				value = ecosystem.Derived
			}
			member := ecosystem.Member{Package: o.Module, Name: m.Name, Own: o.Own, Value: value}
			if o.Own && !o.Exact {
				member.Type = o.Path[strings.LastIndexByte(o.Path, '.')+1:]
			}
			a.Owners = append(a.Owners, ecosystem.Owner{Member: member, Path: o.Path})
		}
		members = append(members, a)
	}
	return members, decided, undecided
}

// rootOf returns the directory that contains a top-level module that a file of a program imports, or "" if
// there is none. If strict is true, it is not a directory in a package.
func rootOf(f *ecosystem.SourceFile, top string, strict bool) string {
	for dir := range f.Dirs() {
		if strict && project.IsFile(filepath.Join(dir, "__init__.py")) {
			continue
		}
		for _, below := range []string{"", "src", "lib", "python"} {
			root := filepath.Join(dir, below)
			full := filepath.Join(root, top)
			if project.IsDir(full) || project.IsFile(full+".py") || project.IsFile(full+".pyi") || project.IsFile(full+".pyx") {
				return root
			}
		}
	}
	return ""
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
