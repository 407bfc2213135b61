package check

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// FileUses contains the uses of some packages in one source file.
type FileUses struct {
	// File is the path relative to the project, with forward slashes.
	File string
	Text []byte
	Uses []ecosystem.Use
	// Members contains the positions of members of values whose types are known. Uses contains the
	// uses of the packages.
	Members map[ecosystem.Position]bool
}

// Uses returns the files of the project in dir that use packages for which include returns true,
// together with these uses.
func (c *Checker) Uses(ctx context.Context, dir string, language apidoc.Ecosystem, include func(name string) bool) (files []FileUses, err error) {
	fsys := rootfs.New(dir)
	names, more, err := c.Tree(fsys, ".")
	if err != nil {
		return nil, err
	}
	if more {
		return nil, fmt.Errorf("%s has more than %d source files; specify a directory below it as the project", dir, len(names))
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, reader := c.reader(name)
		if l == nil || l.Info().ID != language {
			continue
		}
		text, err := readSource(fsys, name)
		if err != nil {
			continue // the file was removed, or is too large to be written by a person
		}
		uses, _ := reader.Uses(&ecosystem.SourceFile{Name: name, Dir: dir, Text: text})
		uses = slices.DeleteFunc(uses, func(u ecosystem.Use) bool { return !include(u.Package) || len(u.Steps) > 0 })
		if len(uses) > 0 {
			files = append(files, FileUses{File: name, Text: text, Uses: uses})
		}
	}
	return files, c.addMembers(ctx, dir, language, files, include)
}

// addMembers adds the uses of members in files of one language if the language is a TypeChecker. If
// the types cannot be checked, it adds none.
func (c *Checker) addMembers(ctx context.Context, dir string, language apidoc.Ecosystem, files []FileUses, include func(name string) bool) error {
	if len(files) == 0 || c.Types == nil {
		return nil
	}
	_, reader := c.reader(files[0].File)
	checker, ok := reader.(ecosystem.TypeChecker)
	if !ok {
		return nil
	}
	var sources [][]*ecosystem.SourceFile // source files of each directory
	var indexes [][]int                   // indexes in files
	directories := map[string]int{}
	for i := range files {
		name := path.Dir(files[i].File)
		k, ok := directories[name]
		if !ok {
			k = len(sources)
			directories[name] = k
			sources, indexes = append(sources, nil), append(indexes, nil)
		}
		sources[k] = append(sources[k], &ecosystem.SourceFile{Name: files[i].File, Dir: dir, Text: files[i].Text, Members: true})
		indexes[k] = append(indexes[k], i)
	}
	all, err := c.Types(ctx, language, checker, dir, sources)
	if _, ok := errors.AsType[*ecosystem.PartialError](err); err != nil && !ok {
		return ctx.Err()
	}
	for k := range min(len(all), len(indexes)) {
		for n := range min(len(all[k]), len(indexes[k])) {
			f := &files[indexes[k][n]]
			for _, u := range all[k][n] {
				if u.Fault != ecosystem.NoFault || !strings.ContainsRune(u.Path, '.') {
					continue
				}
				if f.Members == nil {
					f.Members = map[ecosystem.Position]bool{}
				}
				f.Members[u.Position] = true
				if include(u.Package) {
					f.Uses = append(f.Uses, u.Use)
				}
			}
		}
	}
	return nil
}
