package check

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// maxOwn is the maximum number of files of a project that are listed to find the project's own
// packages.
const maxOwn = 100_000

// isOwn reports whether the package that a file imports may be one of the project's own.
func (r *run) isOwn(l ecosystem.Language, pkg string) bool {
	finder, ok := l.(ecosystem.OwnFinder)
	if !ok {
		return false
	}
	paths := r.tree()
	r.mu.Lock()
	isOwn := r.isOwnName[l.Info().ID]
	if isOwn == nil {
		isOwn = finder.Own(r.dir, slices.Values(paths))
		r.isOwnName[l.Info().ID] = isOwn
	}
	r.mu.Unlock()
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

// program returns the package of the program that a file imports, or the package that consists of the file
// if name is empty. It returns nil if the package cannot be read.
func (r *run) program(ctx context.Context, l ecosystem.Language, dir string, file *ecosystem.SourceFile, name string) *surface {
	reader, ok := l.(ecosystem.ProgramReader)
	if !ok {
		return nil
	}
	k := packageKey{language: l.Info().ID, dir: dir}
	r.mu.Lock()
	program, ok := r.programs[k]
	if !ok {
		program = reader.Program(ctx, dir)
		r.programs[k] = program
	}
	r.mu.Unlock()
	p, err := program.Package(ctx, file, name)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.own[p]
	if s == nil {
		s = newSurface(p)
		s.file = file
		r.own[p] = s
	}
	return s
}
