package npm

import (
	"hash/maphash"
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

const (
	// maxCode is the maximum size, in bytes, of the code of a package, or of the project, that is searched for words.
	maxCode = 64 << 20
	// maxCodeFiles is the maximum number of files with this code.
	maxCodeFiles = 20_000
)

// importedPackage matches the import of a package.
var importedPackage = lazyregexp.New(`(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*['"]([@\w][^'"\n]*)['"]`)

// implementations find words in the code of packages. The declarations of a package may lack members that its JavaScript
// has, but a member does not exist if no code contains its name.
type implementations struct {
	finder  *finder
	project *located
	seed    maphash.Seed
	code    map[*located]code
}

// code is the words in the code of a package.
type code struct {
	words map[uint64]struct{} // their hashes
	whole bool                // whether all of its code was read
}

func newImplementations(f *finder, project *located) *implementations {
	return &implementations{finder: f, project: project, seed: maphash.MakeSeed(), code: map[*located]code{}}
}

// lack reports whether no code contains the name of a member that the declarations of a package lack: neither that of
// the package and of those that a file with the given text imports, nor that of their dependencies and of the project's.
// Code of the project must not contain it either, except where it reads the member.
func (p *implementations) lack(text, pkg, name string) bool {
	if pkg == "@types/node" || pkg == "typescript" {
		return false // the code of Node.js and of browsers is not known
	}
	hash := maphash.String(p.seed, name)
	lacks := func(l *located, whole bool) bool {
		c := p.codeOf(l)
		_, found := c.words[hash]
		return !found && (c.whole || !whole)
	}
	packages := []string{codeName(pkg)}
	for _, m := range importedPackage().FindAllStringSubmatch(text, maxCodeFiles) {
		packages = append(packages, packageOf(m[1]))
	}
	known := false // whether the code of the package is known
	for i, imported := range packages {
		l := p.finder.installedFrom(p.project.dir, imported)
		if l == nil {
			if i == 0 || modules.Builtin(imported) {
				continue
			}
			return false // the package may add the member
		}
		if !lacks(l, true) {
			return false
		}
		for dependency := range l.manifest.Dependencies {
			if d := p.finder.installedFrom(l.dir, dependency); d != nil && !lacks(d, true) {
				return false
			}
		}
		types := p.finder.installedFrom(p.project.dir, typesName(imported))
		known = known || len(p.codeOf(l).words) > 0 && (i == 0 || types != nil && types.manifest.Dependencies[pkg] != "")
	}
	if !known || !lacks(p.project, true) {
		return false
	}
	m := p.project.manifest
	for _, names := range []map[string]string{m.Dependencies, m.Dev, m.Optional, m.Peer} { // Another file may install a plugin.
		for dependency := range names {
			if l := p.finder.installedFrom(p.project.dir, dependency); l != nil && !lacks(l, false) {
				return false
			}
		}
	}
	return true
}

// codeName returns the name of the package whose code a package declares.
func codeName(pkg string) string {
	name, ok := strings.CutPrefix(pkg, "@types/")
	if !ok {
		return pkg
	}
	if scope, rest, ok := strings.Cut(name, "__"); ok {
		return "@" + scope + "/" + rest
	}
	return name
}

// codeOf returns the words in the code of a package. The code of a large package, or of one with native code, is not known
// as a whole. The names of members that the project's own code reads are not among the words.
func (p *implementations) codeOf(l *located) code {
	if c, ok := p.code[l]; ok {
		return c
	}
	c, size, files := code{words: map[uint64]struct{}{}, whole: true}, 0, 0
	err := fs.WalkDir(l.pkg.FS, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case path.Ext(name) == ".node" || path.Ext(name) == ".wasm":
			c.whole = false
			return nil
		case !d.Type().IsRegular() || !isScript(name) && !isTypeScript(name, false) || strings.Contains(path.Base(name), ".d."):
			return nil
		}
		data, err := fs.ReadFile(l.pkg.FS, name)
		if err != nil {
			return err
		}
		if size, files = size+len(data), files+1; size > maxCode || files > maxCodeFiles {
			return fs.ErrInvalid
		}
		for word := range wordsIn(string(data), l == p.project) {
			c.words[maphash.String(p.seed, word)] = struct{}{}
		}
		return nil
	})
	c.whole = c.whole && err == nil
	p.code[l] = c
	return c
}

// wordsIn returns an iterator over the words in code. If others is true, it leaves out the names of members that the code
// reads.
func wordsIn(code string, others bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(code); {
			if !isNameByte(code[i]) {
				i++
				continue
			}
			start := i
			for i < len(code) && isNameByte(code[i]) {
				i++
			}
			if others && start > 0 && code[start-1] == '.' {
				after := strings.TrimLeft(code[i:min(i+20, len(code))], " \t")
				if !strings.HasPrefix(after, "=") || strings.HasPrefix(after, "==") || strings.HasPrefix(after, "=>") {
					continue
				}
			}
			if !yield(code[start:i]) {
				return
			}
		}
	}
}

// isNameByte reports whether a byte may be part of a name.
func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
