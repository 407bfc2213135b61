package swift

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/docc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

var _ ecosystem.TypeChecker = (*Swift)(nil)

// typeChecker finds the uses of declarations in the files of a project's package.
type typeChecker struct {
	mu      sync.RWMutex // held for writing while files are read again
	finder  *finder
	program *program.Program
	idle    chan *program.Program // program and its copies while no goroutine uses them
	copies  chan struct{}         // contains one element for each copy

	root     string // directory of the package
	files    fs.FS
	manifest *manifest.Manifest
	targets  *dependencies

	read    time.Time              // when reading began
	sources map[string]string      // the modules of the package's own files, by absolute path
	updated map[string]updatedFile // the own files and directories that were read again
	names   map[string][]string    // the names in the package's own directories
}

// updatedFile is the state of a file or directory when it was read again.
type updatedFile struct {
	stamp fingerprint.Stamp
	read  time.Time
}

// types are the types for one check.
type types struct {
	*typeChecker
	ctx context.Context
}

// Types implements ecosystem.TypeChecker. It reads the sources of all packages that the project uses. If only files of the
// project have changed since the last check, it only reads these files again.
func (sw *Swift) Types(ctx context.Context, dir string) (ecosystem.Types, error) {
	f, err := sw.newFinder(ctx, question{project: dir, platform: hostPlatform()})
	if err != nil {
		return nil, err
	}
	if f.project == nil || f.manifest == nil {
		return nil, ecosystem.AsError(project.ErrNone)
	}
	if c := sw.checked.Load(); c != nil && c.finder.project == f.project && c.manifest == f.manifest && c.update() {
		return types{c, ctx}, nil
	}
	c := sw.newTypeChecker(ctx, f)
	sw.checked.Store(c)
	return types{c, ctx}, nil
}

// update reads the package's own files again that have changed. It returns false if other files have changed, or may have.
func (c *typeChecker) update() bool {
	if !c.mu.TryLock() {
		return false
	}
	defer c.mu.Unlock()
	_, age, reusable := c.finder.seen.Reusable(c.read.Add(time.Hour)) // recent changes are handled below
	if !reusable || age > 0 {
		return false
	}
	for _, stamp := range c.finder.seen.Stamps() {
		u, ok := c.updated[stamp.Path]
		if !ok {
			u = updatedFile{stamp, c.read}
		}
		if u.stamp.Unchanged() && u.stamp.Changed < u.read.Add(-recent).UnixNano() {
			continue
		}
		now := fingerprint.StampOf(stamp.Path)
		read := c.finder.sw.now()
		if names, ok := c.names[stamp.Path]; ok && now.Kind == fingerprint.Directory && slices.Equal(c.namesIn(stamp.Path), names) {
			c.updated[stamp.Path] = updatedFile{now, read} // a file was replaced
			continue
		}
		module := c.sources[stamp.Path]
		if module == "" || now.Kind != fingerprint.File {
			return false
		}
		name, err := filepath.Rel(c.root, stamp.Path)
		if err != nil {
			return false
		}
		data, err := project.ReadFS(c.files, filepath.ToSlash(name), ecosystem.MaxSourceFile)
		if err != nil {
			return false
		}
		c.updated[stamp.Path] = updatedFile{now, read}
		c.setProgram(c.program.Update(module, source.Parse(filepath.ToSlash(name), string(data))))
	}
	return true
}

// namesIn returns the names in a directory of the package that may be sources or contain some. Editors create and remove
// others while they save a file.
func (c *typeChecker) namesIn(dir string) []string {
	name, err := filepath.Rel(c.root, dir)
	if err != nil {
		return nil
	}
	entries, err := fs.ReadDir(c.files, filepath.ToSlash(name))
	if err != nil {
		return nil
	}
	names := []string{} // an empty directory can be read
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !strings.HasSuffix(e.Name(), "~") {
			names = append(names, e.Name())
		}
	}
	return names
}

// recent is the age of a change below which a further change may have the same time.
const recent = 2 * time.Second

// newTypeChecker returns a typeChecker that reads modules when they are needed.
func (sw *Swift) newTypeChecker(ctx context.Context, f *finder) *typeChecker {
	c := &typeChecker{
		finder: f, root: f.project.Root, files: rootfs.New(f.project.Root), manifest: f.manifest, targets: newDependencies(f.manifest),
		read: sw.now(), sources: map[string]string{}, updated: map[string]updatedFile{}, names: map[string][]string{},
	}
	var modules []*program.Module
	for _, candidate := range f.list() {
		m := f.manifestOf(candidate)
		if m == nil {
			continue
		}
		c.targets.add(m)
		l, err := f.locate(ctx, candidate)
		if err != nil || l.dir == "" || f.open(ctx, l) != nil {
			continue
		}
		budget := maxFiles
		for i := range m.Targets {
			t := &m.Targets[i]
			if t.Kind == "plugin" || t.Kind == "testTarget" && l.dir != c.root { // nothing can import it
				continue
			}
			target, ok := f.moduleOf(l, t, nil, &budget)
			if !ok {
				continue
			}
			if l.dir == c.root && !target.C {
				for _, name := range target.Files {
					c.sources[filepath.Join(c.root, filepath.FromSlash(name))] = c99(t.Name)
				}
			}
			var contains func(word string) bool
			if target.C {
				contains = f.headerWords(l, m, t)
			}
			modules = append(modules, &program.Module{
				Name: c99(t.Name), Package: l.identity, Opaque: target.C, Contains: contains,
				Read: func() ([]*source.File, bool) {
					files, complete := readTarget(l.files, target.Files)
					return files, complete && !t.Plugins
				},
			})
		}
	}
	c.setProgram(program.New(modules))
	for _, stamp := range f.seen.Stamps() {
		if stamp.Kind != fingerprint.Directory || stamp.Path != c.root && !strings.HasPrefix(stamp.Path, c.root+string(filepath.Separator)) {
			continue
		}
		if names := c.namesIn(stamp.Path); names != nil && stamp.Unchanged() {
			c.names[stamp.Path] = names
		}
	}
	return c
}

// headerWords returns a function that reports whether a header of a target in C, or of one on which that depends, may declare a
// type that Swift imports with a name.
func (f *finder) headerWords(l *located, m *manifest.Manifest, t *manifest.Target) func(word string) bool {
	read := sync.OnceValues(func() (words map[string]bool, complete bool) {
		words = map[string]bool{}
		budget := maxFiles
		headers, included := map[string]bool{}, []string{} // base names
		targets := []*manifest.Target{t}
		for i := 0; i < len(targets); i++ {
			dir := targets[i].Directory(func(p string) bool { return isDir(l.files, p) })
			if dir == "" || targets[i].Kind == "systemLibrary" {
				return nil, false
			}
			w := &walker{files: l.files, budget: &budget, headers: true}
			w.walk(dir, 0)
			for _, name := range w.swift {
				data, err := project.ReadFS(l.files, name, ecosystem.MaxSourceFile)
				if err != nil || bytes.Contains(data, []byte("##")) { // macros may declare names that no header contains
					return nil, false
				}
				headers[path.Base(name)] = true
				for _, include := range quotedInclude.FindAllSubmatch(data, -1) {
					included = append(included, path.Base(string(include[1])))
				}
				for word := range source.Words(string(data)) {
					words[word] = true
				}
			}
			for _, d := range targets[i].Dependencies {
				other := m.Target(d.Name)
				if other == nil || d.Package != "" {
					return nil, false
				}
				if !slices.Contains(targets, other) {
					targets = append(targets, other)
				}
			}
		}
		return words, budget > 0 && !slices.ContainsFunc(included, func(name string) bool { return !headers[name] })
	})
	return func(word string) bool {
		words, complete := read()
		// Swift omits the suffixes of Core Foundation types and error codes, and adds one to protocols with the name of a class.
		return !complete || words[word] || words[word+"Ref"] || words[word+"Code"] || words[strings.TrimSuffix(word, "Protocol")]
	}
}

// quotedInclude matches the inclusion of a file that may belong to the package.
var quotedInclude = regexp.MustCompile(`#[ \t]*(?:include|import)[ \t]*"([^"\n]*)"`)

// maxCopies is the maximum number of copies of a program. Each uses memory for all declarations.
const maxCopies = 3

// setProgram replaces the program, and drops the copies of the former one. No goroutine may use them.
func (c *typeChecker) setProgram(p *program.Program) {
	c.program, c.idle, c.copies = p, make(chan *program.Program, 1+maxCopies), make(chan struct{}, min(maxCopies, runtime.GOMAXPROCS(0)-1))
	c.idle <- p
}

// acquire returns the program or a copy of it that no other goroutine uses until it is sent to idle.
func (c *typeChecker) acquire() *program.Program {
	select {
	case p := <-c.idle:
		return p
	default:
	}
	select {
	case p := <-c.idle:
		return p
	case c.copies <- struct{}{}:
		return c.program.Copy()
	}
}

// readTarget reads the sources of a target. complete is false if some cannot be read.
func readTarget(files fs.FS, names []string) (all []*source.File, complete bool) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasSuffix(name, ".swift") || docc.InCatalogue(name) })
	all = make([]*source.File, len(names))
	_ = parallel.Limit(context.Background(), len(names), 0, nil, func(i int) {
		if data, err := project.ReadFS(files, names[i], ecosystem.MaxSourceFile); err == nil {
			all[i] = source.Parse(names[i], string(data))
		}
	})
	all = slices.DeleteFunc(all, func(f *source.File) bool { return f == nil })
	return all, len(all) == len(names)
}

// Uses implements ecosystem.Types.
func (c types) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	uses := make([][]ecosystem.TypedUse, len(files))
	_ = parallel.Limit(c.ctx, len(files), 0, nil, func(i int) { uses[i] = c.usesIn(files[i]) })
	all := map[*ecosystem.SourceFile][]ecosystem.TypedUse{}
	for i, f := range files {
		if len(uses[i]) > 0 {
			all[f] = uses[i]
		}
	}
	return all
}

// usesIn returns the uses in a file.
func (c *typeChecker) usesIn(f *ecosystem.SourceFile) []ecosystem.TypedUse {
	name, err := filepath.Rel(c.root, filepath.Join(f.Dir, filepath.FromSlash(f.Name)))
	if err != nil {
		return nil
	}
	name = filepath.ToSlash(name)
	t := targetOf(c.manifest, c.files, name)
	if t == nil {
		return nil
	}
	text := string(f.Text)
	tokens := program.Tokenize(text)
	lines := ecosystem.NewLines(text)
	found := c.find(name, tokens, t)
	uses := make([]ecosystem.TypedUse, len(found))
	for i := range found {
		u := &found[i]
		uses[i] = ecosystem.TypedUse{
			Use:   ecosystem.Use{Position: lines.Position(u.Start), Package: u.Module, Path: u.Path, Text: u.Text, Import: u.Path == ""},
			Fault: u.Fault, Message: u.Message, Near: u.Near, Declaration: u.Declaration,
		}
	}
	return uses
}

// find finds the uses in a file of a target.
func (c *typeChecker) find(name string, tokens *program.Tokens, t *manifest.Target) []program.Use {
	c.mu.RLock()
	defer c.mu.RUnlock()
	acquired := c.acquire()
	defer func() { c.idle <- acquired }()
	module := c99(t.Name)
	c.load(acquired)
	p := acquired.With(module, name, tokens.Text())
	c.load(p)
	return append(p.Uses(module, name, tokens), c.targets.undeclared(t, p.File(module, name, tokens.Text()).Imports)...)
}

// load reads all modules of the project, and those that they import, before types are resolved, because any of them may
// extend a type.
func (c *typeChecker) load(p *program.Program) {
	for i := range c.manifest.Targets {
		p.Load(c99(c.manifest.Targets[i].Name))
	}
}
