package lookup

import (
	"bytes"
	_ "embed"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/rootfs"
)

//go:embed dialects.txt
var dialectText string

// dialects returns the dialects that libraries have variants for, each as the list of names by which
// packages of the variants and their drivers are called.
var dialects = sync.OnceValue(func() [][]string {
	var all [][]string
	for line := range strings.Lines(dialectText) {
		if names := strings.Fields(line); len(names) > 0 && names[0] != "#" {
			all = append(all, names)
		}
	}
	return all
})

// otherDialect is the factor for the score of matches in a package for a dialect that the project
// does not use, if it uses another one. A package for the dialect that it uses scores as much as the
// requested package.
const otherDialect = 0.6

// usedDialects returns the set of the dialects that the project of a question imports from the
// requested package or, if it imports none, the dialects whose drivers it depends on directly or
// imports. It returns an empty set if the packages below the requested one are not for several
// dialects, or if the project depends on drivers for all of these.
func (l *Lookup) usedDialects(question Package, requested *apidoc.Package) uint64 {
	language := l.store.Languages().Find(question.Language)
	var offered uint64
	for i := range requested.Subpackages {
		offered |= dialectsIn(strings.TrimPrefix(requested.Subpackages[i].Name, requested.Name))
	}
	if language == nil || question.Project == "" || offered&(offered-1) == 0 {
		return 0
	}
	used := l.importedDialects(language, question.Project, requested.Name)
	lister, ok := language.(ecosystem.Lister)
	if !ok || used != 0 {
		return used
	}
	dependencies, err := lister.Dependencies(question.Project)
	if err != nil {
		return 0
	}
	for i := range dependencies {
		if d := &dependencies[i]; d.Direct || d.Imported {
			used |= dialectsIn(d.Package) | dialectsIn(d.Module)
		}
	}
	if offered&^used == 0 {
		return 0 // the project uses all of them
	}
	return used
}

const (
	// maxImporters is the maximum number of source files of a project whose imports are read.
	maxImporters = 3000
	// maxImporterBytes is the maximum size in bytes of each of these files.
	maxImporterBytes = 1 << 20
)

// importedDialects returns the set of the dialects of a package that the source files of a project
// import. It reads the imports only of files that contain the name of the package.
func (l *Lookup) importedDialects(language ecosystem.Language, dir, name string) (used uint64) {
	reader, ok := language.(ecosystem.SourceReader)
	if !ok {
		return 0
	}
	root := rootfs.New(dir)
	files, _, err := (&check.Checker{Languages: ecosystem.Languages{language}}).Tree(root, ".")
	if err != nil {
		return 0
	}
	for _, file := range files[:min(len(files), maxImporters)] {
		info, err := root.Stat(file)
		if err != nil || info.Size() > maxImporterBytes {
			continue
		}
		text, err := fs.ReadFile(root, file)
		if err != nil || !bytes.Contains(text, []byte(name)) {
			continue
		}
		uses, _ := reader.Uses(&ecosystem.SourceFile{Name: file, Dir: dir, Text: text})
		for i := range uses {
			for _, imported := range []string{uses[i].Package, uses[i].Module} {
				if below, ok := strings.CutPrefix(imported, name); ok {
					used |= dialectsIn(below)
				}
			}
		}
	}
	return used
}

// dialectsIn returns the set of the dialects that a package's name contains.
func dialectsIn(name string) uint64 {
	var found uint64
	isSeparator := func(r rune) bool { return strings.ContainsRune(".:/@", r) }
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), isSeparator) {
		words := strings.FieldsFunc(part, func(r rune) bool { return r == '-' || r == '_' })
		for i, names := range dialects() {
			if slices.ContainsFunc(names, func(n string) bool { return part == n || slices.Contains(words, n) }) {
				found |= 1 << i
			}
		}
	}
	return found
}

// dialectFactor returns the factor for the score of matches in another package of the module or
// another entry point. It is 1 unless the package is for a dialect that the requested package and
// the query do not name, and the project uses one of the dialects.
func dialectFactor(request, other string, used uint64, query string) float64 {
	if used == 0 {
		return 1
	}
	its := dialectsIn(strings.TrimPrefix(other, request))
	if its == 0 {
		return 1
	}
	named := dialectsIn(request)
	for word := range strings.FieldsSeq(query) {
		named |= dialectsIn(word)
	}
	switch {
	case its&named != 0:
		return 1
	case its&used != 0:
		return 1 / otherDialect
	}
	return otherDialect
}
