package check

import (
	"context"
	"fmt"
	"slices"

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
}

// Uses returns the files of the project in dir that use packages of a language that wanted accepts,
// with these uses.
func (c *Checker) Uses(ctx context.Context, dir string, language apidoc.Ecosystem, wanted func(name string) bool) (files []FileUses, err error) {
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
			continue // the file was removed, or is too large to be written by people
		}
		uses, _ := reader.Uses(&ecosystem.SourceFile{Name: name, Dir: dir, Text: text})
		uses = slices.DeleteFunc(uses, func(u ecosystem.Use) bool { return !wanted(u.Package) || len(u.Steps) > 0 })
		if len(uses) > 0 {
			files = append(files, FileUses{name, text, uses})
		}
	}
	return files, nil
}
