package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Program is the set of files that TypeScript reads for a project: the files that are added to it, and all declarations
// that these import. It only searches the text of files for imports, and does not parse them. It may contain more files
// than TypeScript reads, for example those that a comment names.
type Program struct {
	r     *Reader
	visit func(p *Package, name, text string) bool
	ended bool // whether visit has returned false
	seen  map[target]bool
	queue []target
	// uses contains the packages that each package imports, and reached the names of those that it imports directly or
	// through others, by the name of the importing package. reached is emptied when uses changes.
	uses    map[*pkg]map[*pkg]bool
	reached map[string]map[string]bool
}

// NewProgram returns an empty program, which calls visit with each file of an installed package, until visit returns false.
func (r *Reader) NewProgram(visit func(p *Package, name, text string) bool) *Program {
	return &Program{r: r, visit: visit, seen: map[target]bool{}, uses: map[*pkg]map[*pkg]bool{}}
}

// Add adds the files that a file of the project imports.
func (p *Program) Add(name, text string) {
	p.imports(&module{pkg: p.r.main, path: name}, text)
	p.follow()
}

// Import adds the files that the project imports with a specifier.
func (p *Program) Import(spec string) {
	p.add(&module{pkg: p.r.main, path: "package.json"}, spec)
	p.follow()
}

// Target returns the name of the package that declares the module to which a specifier in a file of a package refers. It
// returns "" if there is none.
func (p *Program) Target(from *Package, name, spec string) string {
	importer := p.r.packages[from]
	if importer == nil {
		return ""
	}
	t, _ := p.r.resolve(&module{pkg: importer, path: name}, spec)
	if t.pkg == nil {
		return ""
	}
	return t.pkg.Name
}

// Reaches reports whether a package imports another one, directly or through others, and so may export its declarations.
func (p *Program) Reaches(from, to string) bool {
	names, known := p.reached[from]
	if !known {
		names = p.reachedFrom(from)
		if p.reached == nil {
			p.reached = map[string]map[string]bool{}
		}
		p.reached[from] = names
	}
	return names[to]
}

// reachedFrom returns the names of the packages that a package imports, directly or through others, with its own.
func (p *Program) reachedFrom(name string) map[string]bool {
	names, seen := map[string]bool{}, map[*pkg]bool{}
	var queue []*pkg
	for _, k := range p.r.packages {
		if k.Name == name {
			queue = append(queue, k)
		}
	}
	for len(queue) > 0 {
		k := queue[0]
		queue = queue[1:]
		if seen[k] {
			continue
		}
		seen[k], names[k.Name] = true, true
		for used := range p.uses[k] {
			queue = append(queue, used)
		}
	}
	return names
}

// follow visits the files in the queue, and those that they import.
func (p *Program) follow() {
	for len(p.queue) > 0 && !p.ended && p.r.check() {
		t := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		text, err := p.r.readFile(t.pkg, t.path)
		if err != nil {
			continue
		}
		p.r.meter.Grant(int64(len(text)))
		if p.ended = !p.visit(t.pkg.Package, t.path, text); p.ended {
			p.queue = nil
			return
		}
		p.imports(&module{pkg: t.pkg, path: t.path}, text)
	}
}

// add adds the file that a specifier in a module refers to. TypeScript does not follow the JavaScript of packages.
func (p *Program) add(m *module, spec string) {
	if Builtin(spec) {
		return
	}
	t, ok := p.r.resolve(m, spec)
	if !ok || t.ambient != nil {
		return
	}
	if t.pkg != m.pkg {
		if p.uses[m.pkg] == nil {
			p.uses[m.pkg] = map[*pkg]bool{}
		}
		if !p.uses[m.pkg][t.pkg] {
			p.uses[m.pkg][t.pkg], p.reached = true, nil
		}
	}
	p.push(t)
	if m.pkg == p.r.main && t.pkg != m.pkg { // The package's main declarations may add to types of others what any part of it provides.
		if main, ok := p.r.entryOf(t.pkg, "."); ok {
			p.push(main)
		}
	}
}

// push adds a file to the queue.
func (p *Program) push(t target) {
	if language, ok := dts.LanguageOf(t.path); t.pkg == p.r.main || p.seen[t] || !ok || language == dts.JavaScript {
		return
	}
	p.seen[t] = true
	p.queue = append(p.queue, t)
}

// maxSpecifier is the maximum length, in bytes, of a module specifier that is followed.
const maxSpecifier = 300

// importing are the words that precede a specifier.
var importing = [...]string{"from", "import", "require", "module", "types=", "path=", "@jsxImportSource"}

// imports adds the files that a module imports.
func (p *Program) imports(m *module, text string) {
	for _, word := range importing {
		for rest := text; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			rest = rest[i+len(word):]
			s := strings.TrimLeft(rest[:min(len(rest), maxSpecifier)], " \t\r\n(")
			if s == "" {
				break
			}
			switch quote := s[0]; {
			case quote == '"' || quote == '\'':
				if end := strings.IndexByte(s[1:], quote); end > 0 && !strings.Contains(s[1:1+end], "\n") {
					p.specifier(m, word, s[1:1+end])
				}
			case word == "@jsxImportSource":
				for name := range strings.FieldsSeq(s) {
					p.add(m, name+"/jsx-runtime")
					break
				}
			}
		}
	}
}

// specifier adds the file that a specifier after one of the importing words refers to.
func (p *Program) specifier(m *module, word, spec string) {
	switch word {
	case "path=":
		p.add(m, "./"+strings.TrimPrefix(spec, "./"))
	case "types=":
		if spec == "node" || spec == m.pkg.Name {
			return
		}
		if name, sub := splitSpecifier(spec); !isNear(spec) {
			p.add(m, typesName(name)+sub[1:])
		}
		p.add(m, spec)
	default:
		p.add(m, spec)
	}
}
