package npm

import (
	"hash/maphash"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	// maxCode is the maximum size, in bytes, of the code of a package, or of the project, that is searched for words.
	maxCode = 64 << 20
	// maxCodeFiles is the maximum number of files with this code.
	maxCodeFiles = 20_000
	// maxAllCode is the maximum size, in bytes, of the code of all packages that is searched for words.
	maxAllCode = 512 << 20
)

const (
	// maxImplementations is the maximum number of dependencies whose code is searched for a member.
	maxImplementations = 1000
	// beginning and end mark words at the beginning and at the end of strings that code joins with others.
	beginning, end = "<", ">"
)

// computedMember matches an assignment to a member whose name the code computes.
var computedMember = lazyregexp.New(`[\w$)\]]\[[^\]'"\d][^\]]*\]\s*(?:\|\||&&|\?\?)?=[^=>]`)

// writing matches the code after the name of a member that an assignment may create.
var writing = lazyregexp.New(`^\s*(?:(?:\|\||&&|\?\?|[-+*/%&|^]|\*\*|<<|>>>?)?=(?:[^=>]|$)|\+\+|--)`)

// importedPackage matches the import of a package.
var importedPackage = lazyregexp.New(`(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*['"]([@\w][^'"\n]*)['"]`)

// implementations find words in the code of packages. The declarations of a package may lack members that its JavaScript
// has, but a member does not exist if no code contains its name.
type implementations struct {
	finder  *finder
	project *located
	seed    maphash.Seed
	code    map[*located]code
	rest    int // the number of bytes of code that may still be read, or less than 0 if some was not read
}

// code is the words in the code of a package.
type code struct {
	words map[uint64]struct{} // their hashes
	whole bool                // whether all of its code was read
	// proxies is true if the code creates proxies, whose members may have any names.
	proxies bool
}

func newImplementations(f *finder, project *located) *implementations {
	return &implementations{finder: f, project: project, seed: maphash.MakeSeed(), code: map[*located]code{}, rest: maxAllCode}
}

// lack reports whether no code creates the member that m uses although the declarations of its package lack it: neither code
// of the package and of those that a file with the given text imports, nor that of their dependencies and of the project's.
// Code of the project must not contain its name either, except where it reads the member.
func (p *implementations) lack(text string, m *modules.MemberUse) bool {
	pkg := m.Package.Name
	if pkg == "@types/node" || pkg == "typescript" {
		return false // the code of Node.js and of browsers is not known
	}
	if computedMember().MatchString(text) || p.codeOf(p.project).proxies {
		return false // the name of the member may be data
	}
	hashes := p.creators(m.Name)
	lacks := func(l *located, whole bool) bool {
		c := p.codeOf(l)
		return !slices.ContainsFunc(hashes, c.has) && (c.whole || !whole) && p.rest >= 0
	}
	packages := []string{codeName(pkg)}
	for _, match := range importedPackage().FindAllStringSubmatch(text, maxCodeFiles) {
		packages = append(packages, packageOf(match[1]))
	}
	if !slices.Contains(packages[1:], packages[0]) && slices.ContainsFunc(m.Types, func(t modules.TypeName) bool { return t.Global && t.Package == pkg }) {
		return false // a page may load scripts from elsewhere, which extend global values
	}
	var queue []*located
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
		queue = append(queue, l)
		types := p.finder.installedFrom(p.project.dir, typesName(imported))
		known = known || len(p.codeOf(l).words) > 0 && (i == 0 || types != nil && types.manifest.Dependencies[pkg] != "")
	}
	if !known || !lacks(p.project, true) {
		return false
	}
	for _, dir := range project.Upwards(p.project.dir) { // the project and its workspace
		l := p.finder.openDir(dir, "")
		if l == nil {
			continue
		}
		m := l.manifest
		for i, names := range []map[string]string{m.Optional, m.Peer, m.Dependencies, m.Dev} { // Another file may use a plugin.
			for dependency := range names {
				_, optional := m.Optional[dependency]
				switch l := p.finder.installedFrom(dir, dependency); {
				case l == nil && i >= 2 && !optional:
					return false // It may add the member where it is installed.
				case l != nil && !lacks(l, false):
					return false
				}
			}
		}
	}
	visited, imported := map[*located]bool{}, len(queue)
	for i := 0; i < len(queue); i++ {
		m := queue[i].manifest
		for _, names := range []map[string]string{m.Dependencies, m.Optional, m.Peer} {
			for dependency := range names {
				d := p.finder.installedFrom(queue[i].dir, dependency)
				switch {
				case d == nil || visited[d]:
				case len(visited) == maxImplementations || !lacks(d, i < imported):
					return false
				default:
					visited[d] = true
					queue = append(queue, d)
				}
			}
		}
	}
	return true
}

// creators returns the hashes of the words in code that may create a member: its name, and the beginnings and the ends of the
// name in strings, such as "get" in "get" + name.
func (p *implementations) creators(name string) []uint64 {
	hashes := []uint64{p.hash(folded(name))}
	for i := 1; i < len(name); i++ {
		if c := name[i]; c == '_' || c == '$' || 'A' <= c && c <= 'Z' && !('A' <= name[i-1] && name[i-1] <= 'Z') {
			hashes = append(hashes, p.hash(beginning+name[:i]), p.hash(end+name[i:]))
		}
	}
	return hashes
}

func (p *implementations) hash(word string) uint64 { return maphash.String(p.seed, word) }

// has reports whether code contains a word with the given hash.
func (c code) has(hash uint64) bool {
	_, found := c.words[hash]
	return found
}

// separators removes what separates the parts of a name.
var separators = strings.NewReplacer("-", "", "_", "")

// folded returns the form of a name that it shares with the same words in another notation, such as the name of an option in
// kebab case.
func folded(name string) string {
	return strings.ToLower(separators.Replace(name))
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
		case !d.Type().IsRegular() || path.Base(name) == "package.json" || strings.Contains(path.Base(name), ".d."),
			!isScript(name) && !isTypeScript(name, false) && path.Ext(name) != ".json":
			return nil
		}
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case info.Size() > maxCode:
			return fs.ErrInvalid
		case info.Size() > int64(p.rest):
			p.rest = -1
			return fs.SkipAll
		}
		data, err := fs.ReadFile(l.pkg.FS, name)
		if err != nil {
			return err
		}
		p.rest -= len(data)
		if size, files = size+len(data), files+1; size > maxCode || files > maxCodeFiles {
			return fs.ErrInvalid
		}
		text := string(data)
		c.proxies = c.proxies || strings.Contains(text, "new Proxy(")
		for word := range wordsIn(text, l == p.project) {
			c.words[p.hash(word)] = struct{}{}
		}
		return nil
	})
	c.whole = c.whole && err == nil
	p.code[l] = c
	return c
}

// wordsIn returns an iterator over the folded words in code, and over those at the beginning and at the end of strings. If
// others is true, it leaves out the names of members that the code reads.
func wordsIn(code string, others bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(code); {
			if !isNameByte(code[i]) {
				i++
				continue
			}
			start := i
			for i < len(code) && (isNameByte(code[i]) || code[i] == '-' && i+1 < len(code) && isNameByte(code[i+1])) {
				i++
			}
			word, before, after := code[start:i], code[:start], code[i:min(i+20, len(code))]
			if others && strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "...") && !writing().MatchString(after) {
				continue
			}
			if strings.HasSuffix(word, "$") && strings.HasPrefix(after, "{") { // the beginning of a template
				if word = strings.TrimSuffix(word, "$"); !yield(beginning + word) {
					return
				}
			}
			for part := range strings.SplitSeq(word, "-") { // It may be a subtraction.
				if part != word && !yield(folded(part)) {
					return
				}
			}
			if !yield(folded(word)) {
				return
			}
			if before != "" && strings.ContainsRune("'\"`}", rune(before[len(before)-1])) && !yield(end+word) {
				return
			}
			if after != "" && strings.ContainsRune("'\"`", rune(after[0])) {
				if rest := strings.TrimLeft(after[1:], " \t\n)"); (strings.HasPrefix(rest, "+") || strings.HasPrefix(rest, ".concat(")) && !yield(beginning+word) {
					return
				}
			}
		}
	}
}

// isNameByte reports whether a byte may be part of a name.
func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
