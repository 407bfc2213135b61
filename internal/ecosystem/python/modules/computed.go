package modules

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// These expressions find code that binds names that a module computes.
var (
	// bindsGlobals finds assignments to a module's variables through a dictionary of them.
	bindsGlobals = lazyregexp.New(`\b(?:globals|vars|locals)\(\)\s*(?:\[[^\]\n]*\]\s*=[^=]|\.\s*(?:update|setdefault|__setitem__)\b)|\bsetattr\(\s*sys\.modules|\bsys\.modules\[__name__\]\s*(?:=[^=]|\.__(?:dict|class)__)|(?m:^|[^\w.])exec\([^\n]*globals\(\)|\.__dict__\.update\(\s*globals`)
	// namedGlobals finds variables that contain such a dictionary, or the module itself.
	namedGlobals = lazyregexp.New(`(?m)\b(\w+)\s*=\s*(?:globals\(\)|vars\(\)|locals\(\)|sys\.modules\[__name__\])[ \t]*(?:$|[;#])`)
	// convertsEnum finds calls that bind the members of an enumeration, whose name is the first argument.
	convertsEnum = lazyregexp.New(`\._convert_?\(\s*["']`)
	// executes finds code that runs text in the module.
	executes = lazyregexp.New(`(?m)^(?:[ \t]*)(?:[^#\n]*[^\w.#\n])?(?:exec|execfile)\(`)
	// literalText matches the rest of such code if the text is a string that binds only names that it contains.
	literalText = lazyregexp.New(`^\s*(?:compile\(\s*)?(?:"""([^"\\]*)"""|\x27\x27\x27([^\x27\\]*)\x27\x27\x27|"([^"\\\n]*)"|\x27([^\x27\\\n]*)\x27)\s*[,)]`)
)

// computesNames reports whether a file may bind names that it computes.
func computesNames(data []byte) bool {
	var names []string // names contains the variables that contain such a dictionary.
	for _, code := range around(data, globalsMarks[:]...) {
		if bindsGlobals().Match(code) || convertsEnum().Match(code) {
			return true
		}
		for _, m := range namedGlobals().FindAllSubmatch(code, maxNamedGlobals-len(names)) {
			names = append(names, string(m[1]))
		}
	}
	for _, name := range names {
		quoted := regexp.QuoteMeta(name)
		expression := regexp.MustCompile(`\b` + quoted + `\s*(?:\[[^\]\n]*\]\s*=[^=]|\.\s*(?:update|setdefault)\b|\.__(?:dict|class)__)|\bsetattr\(\s*` + quoted + `\s*,|[(,]\s*` + quoted + `\s*[,)]`)
		for _, code := range around(data, name) {
			if expression.Match(code) {
				return true
			}
		}
	}
	for start, code := range around(data, "exec(", "execfile(") {
		for _, m := range executes().FindAllIndex(code, -1) {
			if _, ok := executedNames(code[m[1]:]); !ok && !inFunction(data, start+m[0]) {
				return true
			}
		}
	}
	return false
}

// executedNames returns the words in a string that a call of exec runs, whose arguments begin the code. ok is false if another text
// is run, or if it may bind other names.
func executedNames(code []byte) (names []string, ok bool) {
	m := literalText().FindSubmatch(code[:min(len(code), maxText)])
	if m == nil {
		return nil, false
	}
	text := string(slices.Concat(m[1:]...))
	if strings.Contains(text, "*") && strings.Contains(text, "import") || computesNames([]byte(text)) {
		return nil, false
	}
	return words(text), true
}

// textNames returns the names that strings may bind that statements outside functions run.
func (f *file) textNames() (all []string) {
	for _, m := range executes().FindAllStringIndex(f.source, maxPassed) {
		names, _ := executedNames([]byte(f.source[m[1]:min(len(f.source), m[1]+maxText)]))
		all = append(all, names...)
	}
	return all
}

// computed reports whether the file may bind names that it computes.
func (f *file) computed() bool {
	if f.computes == unknown {
		f.computes = no
		if !f.stub && computesNames([]byte(f.source)) {
			f.computes = yes
		}
	}
	return f.computes == yes
}

// filledByImport reports whether a module that a file of a package imports may bind computed names in the package, which
// it finds in sys.modules.
func (d *documenter) filledByImport(f *file) bool {
	if !strings.Contains(f.name, "__init__.") {
		return false
	}
	object := regexp.QuoteMeta(f.mod.name)
	var uses *regexp.Regexp
	for _, b := range f.scope.names {
		if !b.imported || b.from != f.mod.name && !strings.HasPrefix(b.from, f.mod.name+".") {
			continue
		}
		for _, name := range []string{b.from, b.from + "." + b.attr} {
			m := d.moduleIn(f.mod.dist, name)
			if m == nil || m == f.mod || m.code == nil || !strings.Contains(m.code.source, "sys.modules[") {
				continue
			}
			if uses == nil {
				uses = regexp.MustCompile(`(?m)\bsys\.modules\[(?:"` + object + `"|'` + object + `'|__package__)\](?:\.__dict__\b|[ \t]*(?:[,)]|=[^=]|$))`)
			}
			if uses.MatchString(m.code.source) {
				return true
			}
		}
	}
	return false
}

// callersGlobals finds variables that contain the dictionary of the module that calls a function.
var callersGlobals = lazyregexp.New(`(?m)\b(\w+)[ \t]*=[^\n=]*\.f_globals[ \t]*(?:$|[;#])`)

// filledByDecorator reports whether a decorator in a file, which another module of the distribution declares, may bind names in
// the module that uses it.
func (d *documenter) filledByDecorator(f *file) bool {
	seen := map[string]bool{}
	for _, b := range f.scope.order {
		if b.stmt == nil {
			continue
		}
		for _, x := range b.stmt.Decorators {
			name := topOf(x.Tree().Function())
			imported := f.scope.names[name]
			if seen[name] || imported == nil || !imported.imported {
				continue
			}
			seen[name] = true
			m := d.moduleIn(f.mod.dist, imported.from)
			if m == nil || m == f.mod || m.code == nil {
				continue
			}
			for _, found := range callersGlobals().FindAllStringSubmatch(m.code.source, maxNamedGlobals) {
				if regexp.MustCompile(`\b` + regexp.QuoteMeta(found[1]) + `\[[^\]\n]*\]\s*=[^=]`).MatchString(m.code.source) {
					return true
				}
			}
		}
	}
	return false
}

// globalsMarks are strings of which each match of bindsGlobals, namedGlobals or convertsEnum contains one.
var globalsMarks = [...]string{"globals", "vars()", "locals()", "sys.modules", "exec(", "_convert"}

// namesOfDict matches a key of a dictionary that may be a name.
var namesOfDict = lazyregexp.New(`["'](\w+)["']\s*:`)

// maxPassed is the maximum number of names that passedNames returns.
const maxPassed = 1000

// passedNames returns the keys of a dictionary that a statement outside functions passes to a function,
// because the function may bind them in the module that calls it, as in set_aliases({"Old": "New"}).
func (f *file) passedNames() (names []string) {
	data, err := readFile(f.mod.dist.Root, f.name)
	if err != nil {
		return nil
	}
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '{')
		if i < 0 {
			return names
		}
		at += i + 1
		first := max(at-maxCallee, 0)
		before := bytes.TrimRight(data[first:at-1], " \t\r\n")
		start := bytes.LastIndexByte(before, '\n') + 1
		callee, isCall := bytes.CutSuffix(bytes.TrimSpace(before[start:]), []byte("("))
		if !isCall || !isDotted(string(callee)) || inFunction(data, first+start) {
			continue
		}
		end := bytes.IndexByte(data[at:], '}')
		if end < 0 {
			return names
		}
		for _, m := range namesOfDict().FindAllSubmatch(data[at:at+end], maxPassed-len(names)) {
			names = append(names, string(m[1]))
		}
		at += end
	}
}

// maxCallee is the maximum length, in bytes, of the line with the name of the function.
const maxCallee = 200

// maxNamedGlobals is the maximum number of variables of a file that are followed.
const maxNamedGlobals = 20

// inFunction reports whether the line at the given offset is in the body of a function.
func inFunction(data []byte, offset int) bool {
	indent := indentation(data[offset:])
	for indent > 0 && offset > 0 {
		start := bytes.LastIndexByte(data[:offset-1], '\n') + 1
		line := data[start : offset-1]
		offset = start
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || strings.IndexByte("#)]}", trimmed[0]) >= 0 {
			continue // closing brackets may end the parameters of a function
		}
		if n := indentation(line); n < indent {
			indent = n
			if text := strings.TrimSpace(string(line)); strings.HasPrefix(text, "def ") || strings.HasPrefix(text, "async def ") {
				return true
			}
		}
	}
	return false
}

func indentation(line []byte) int {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

// modifies reports whether a file may change the list or dictionary that a variable of the module refers to.
func (f *file) modifies(name string) bool {
	data, err := readFile(f.mod.dist.Root, f.name)
	if err != nil {
		return true
	}
	quoted := regexp.QuoteMeta(name)
	expression := regexp.MustCompile(`\b` + quoted + `\s*(?:\[[^\]\n]*\]\s*=[^=]|\.\s*(?:update|setdefault|add|append|extend|insert|__setitem__)\b|[|+]=)|\bglobal\s[^\n]*\b` + quoted + `\b`)
	for _, code := range around(data, name) {
		if expression.Match(code) {
			return true
		}
	}
	return false
}
