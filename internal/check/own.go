package check

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// maxOwn is the maximum number of files of a project that are listed to find the project's own
// packages.
const maxOwn = 100_000

// isOwn reports whether the package that a file imports may be one of the project's own.
func (c *fileCheck) isOwn(pkg string) bool {
	finder, ok := c.language.(ecosystem.OwnFinder)
	if !ok {
		return false
	}
	paths := c.tree()
	id := c.language.Info().ID
	c.mu.Lock()
	isOwn := c.isOwnName[id]
	if isOwn == nil {
		isOwn = finder.Own(c.run.dir, slices.Values(paths))
		c.isOwnName[id] = isOwn
	}
	c.mu.Unlock()
	return isOwn(pkg)
}

// tree lists the files in the project, except those of dependencies and of version control systems.
// It stops after maxOwn files.
func (r *run) tree() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files != nil {
		return r.files
	}
	r.files = []string{}
	_ = filepath.WalkDir(r.dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has no packages
		case entry.IsDir():
			if name := entry.Name(); path != r.dir && (strings.HasPrefix(name, ".") && name != ".github" || name == "node_modules" || name == "site-packages") {
				return fs.SkipDir
			}
		case len(r.files) == maxOwn:
			return fs.SkipAll
		default:
			if rel, err := filepath.Rel(r.dir, path); err == nil {
				r.files = append(r.files, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return r.files
}

// program returns the package of the program that the file imports, or the package that consists of the file
// if name is empty. It returns nil if the package cannot be read.
func (c *fileCheck) program(name string) *surface { return c.programFor(c.file, name) }

// programFor is like program for another file of the program.
func (c *fileCheck) programFor(file *ecosystem.SourceFile, name string) *surface {
	o := c.programOf(c.ctx, c.language, c.dir)
	if o == nil {
		return nil
	}
	if name == o.builtins.Name {
		return o.builtins
	}
	p, err := o.Package(c.ctx, file, name)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := o.surfaces[p]
	if s == nil {
		s = newSurface(p)
		s.file = file
		o.surfaces[p] = s
	}
	return s
}

// programPackages are the packages of a program.
type programPackages struct {
	ecosystem.Program
	builtins *surface
	surfaces map[*apidoc.Package]*surface
}

// programOf returns the program in a directory, or nil if the language cannot read programs.
func (r *run) programOf(ctx context.Context, l ecosystem.Language, dir string) *programPackages {
	reader, ok := l.(ecosystem.ProgramReader)
	if !ok {
		return nil
	}
	k := packageKey{language: l.Info().ID, dir: dir}
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.programs[k]
	if o == nil {
		program := reader.Program(ctx, dir)
		o = &programPackages{program, newSurface(program.Builtins()), map[*apidoc.Package]*surface{}}
		o.builtins.file = &ecosystem.SourceFile{}
		r.programs[k] = o
	}
	return o
}
