package python

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

var (
	// derivesClass matches the beginning of a class, up to its bases.
	derivesClass = lazyregexp.New(`^class[ \t]+(\w+)[ \t]*(?:\[[^\]\n]*\])?(?:\(([^:]*)|:)`)
	comments     = lazyregexp.New(`#[^\n]*`)
	// renamesClass matches another name of a class after as, and aliasesClass one that is a variable.
	renamesClass = lazyregexp.New(`^[ \t]*(_*[A-Z]\w*)`)
	aliasesClass = lazyregexp.New(`^(_*[A-Z]\w*)[ \t]*(?::[^=]*)?=[ \t]*(?:\w+\.)*(?:(_*[A-Z]\w*)|(\w+)[ \t]+if[ \t].*[ \t]else[ \t]+(?:\w+\.)*(\w+))[ \t]*(?:#.*)?$`)
	// namesClass matches what follows a variable to which a class is assigned.
	namesClass = lazyregexp.New(`^[ \t]*=[ \t]*(?:\w+\.)*(\w+)`)
	// dottedName matches a base. If it begins with a dot, it is an attribute of another expression.
	dottedName = lazyregexp.New(`[\w.]*\w`)
	// keywordArgument matches an argument such as metaclass=ABCMeta.
	keywordArgument = lazyregexp.New(`(\w+)[ \t]*=[ \t]*(?:\w+\.)*(\w+)`)
	// keywordValue matches an argument that is no base.
	keywordValue = lazyregexp.New(`\w+[ \t]*=[ \t]*(?:["'][^"'\n]*["']|[\w.]+)`)
	// typeArguments matches brackets without others in them.
	typeArguments = lazyregexp.New(`\[[^\[\]]*\]`)
)

const (
	// maxClasses is the maximum number of classes whose bases are known.
	maxClasses = 500_000
	// maxBases is the maximum length, in bytes, of the beginning of a class with its bases.
	maxBases = 1000
	// maxLowerCase is the maximum number of lower-case names of bases in a file whose other names are searched for.
	maxLowerCase = 100
	// maxResolved is the maximum number of names that lead from a base to its class, and maxVisited that of all names that
	// are examined for it.
	maxResolved, maxVisited = 12, 500
	// maxNames is the maximum number of different names in the code of a project.
	maxNames = 2_000_000
	// maxScopes is the maximum number of files that are read again to resolve the bases in them, and maxScopeCode is the
	// maximum size in bytes of those that stay in memory.
	maxScopes    = 50_000
	maxScopeCode = 32 << 20
)

// classGraph contains classes and their bases. The bases are resolved when they are needed, through the imports of the
// files that contain them. A base that cannot be resolved may be any class with its name.
type classGraph struct {
	files       []codeFile
	modules     map[string][]int // files by the last name of their module
	classes     []codeClass
	named       map[string][]int    // classes by name
	heirs       map[string][]int    // classes by the last names of their bases
	renamed     map[string][]string // the other names of classes
	keywords    map[string]bool     // the names and values of arguments of classes that are no bases
	computing   map[string]bool     // the names of classes to which code assigns __getattr__ or __getattribute__
	scopes      int                 // the number of files that were read again
	code        map[int][]byte      // the code of some of these files
	codeSize    int                 // the number of bytes in code
	visited     map[codeName]bool   // what was examined for the current base
	mentioned   map[string]bool     // the names in the code of the project; nil until they are needed
	imported    map[string]bool     // those that may be top-level modules that the code imports
	classNames  map[string]bool     // those that may be classes that the code imports
	importsAny  bool                // whether it imports all names of a module
	mentionsAll bool                // whether the code of the project may contain any name
	full        bool                // whether there are classes that the graph does not contain
}

// codeName is a dotted name in a file.
type codeName struct {
	file   int
	dotted string
}

// codeFile is a file with code.
type codeFile struct {
	root, name string
	module     string // the path of the module below root
	project    bool   // whether it belongs to the project
	near       bool   // whether it belongs to the project or to a package whose attributes are searched for
	classes    []int
	scope      *codeScope // nil until it is needed
}

// codeClass is a class in a file.
type codeClass struct {
	file     int
	name     string
	bases    []codeBase
	computes bool // whether it computes attributes
}

// codeBase is a base of a class.
type codeBase struct {
	dotted, last string
	resolved     *ancestry // nil until it is needed
}

// ancestry is what a base may be.
type ancestry struct {
	classes  map[int]bool
	builtins map[string]bool
	names    map[string]bool // the last names of those that could be any class with that name
	variable bool            // whether it may be a variable of a function in the project
}

func newClassGraph() *classGraph {
	return &classGraph{modules: map[string][]int{}, named: map[string][]int{}, heirs: map[string][]int{}, renamed: map[string][]string{}, keywords: map[string]bool{}, computing: map[string]bool{}}
}

// addFile adds a file and its classes. It returns the index of the file.
func (g *classGraph) addFile(f codeFile, code []byte) int {
	index := len(g.files)
	f.module = strings.TrimSuffix(strings.TrimSuffix(f.name, path.Ext(f.name)), "/__init__")
	last := path.Base(f.module)
	g.modules[last] = append(g.modules[last], index)
	g.files = append(g.files, f)
	g.addClasses(index, code)
	return index
}

func (g *classGraph) addClasses(file int, code []byte) {
	lowerCase := map[string]bool{} // bases in lower case
	for first := range occurrences(code, "class ") {
		if start := bytes.LastIndexByte(code[:first], '\n') + 1; start+indentation(code[start:]) != first {
			continue
		}
		head := code[first:min(first+maxBases, len(code))]
		if bytes.IndexByte(head, '#') >= 0 {
			head = comments().ReplaceAll(head, nil)
		}
		if m := derivesClass().FindSubmatch(head); m != nil {
			g.addClass(file, string(m[1]), m[2], lowerCase)
		}
	}
	for first := range occurrences(code, "def __getattr") { // __getattr__ or __getattribute__
		name := classAround(code, bytes.LastIndexByte(code[:first], '\n')+1, false)
		for _, c := range g.files[file].classes {
			if g.classes[c].name == name {
				g.classes[c].computes = true
			}
		}
	}
	for first := range occurrences(code, ".__getattr") {
		if class := lastWord(code[:first]); assigns().Match(bytes.TrimLeft(code[first+len(".__getattr"):], "ibute_")) && len(g.computing) < maxClasses {
			g.computing[string(class)] = true
		}
	}
	for first := range occurrences(code, " as ") {
		class := lastWord(code[:first])
		if m := renamesClass().FindSubmatch(code[first+len(" as "):]); m != nil && len(class) > 0 && isImport(code, first) {
			g.rename(class, m[1])
		}
	}
	for line := range bytes.Lines(code) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '_' && (line[0] < 'A' || line[0] > 'Z') {
			continue
		}
		if m := aliasesClass().FindSubmatch(line); m != nil {
			for _, class := range m[2:] {
				g.rename(class, m[1])
			}
		}
	}
	for name := range lowerCase {
		for first := range occurrences(code, name) {
			before, isRenamed := bytes.CutSuffix(code[:first], []byte(" as "))
			m := namesClass().FindSubmatch(code[first+len(name):])
			switch class := lastWord(before); {
			case isRenamed && len(class) > 0 && isImport(code, first):
				g.rename(class, []byte(name))
			case m != nil && !bytes.HasSuffix(before, []byte(".")) && len(class) == 0:
				g.rename(m[1], []byte(name))
			}
		}
	}
}

// addClass adds a class with the text of its bases.
func (g *classGraph) addClass(file int, name string, bases []byte, lowerCase map[string]bool) {
	if len(g.classes) >= maxClasses {
		g.full = true
		return
	}
	for range 3 { // nested type arguments
		bases = typeArguments().ReplaceAll(bases, nil)
	}
	for _, keyword := range keywordArgument().FindAllSubmatch(bases, -1) {
		for _, name := range keyword[1:] {
			if len(g.keywords) < maxClasses {
				g.keywords[string(name)] = true
			}
		}
	}
	index := len(g.classes)
	c := codeClass{file: file, name: name}
	for _, base := range dottedName().FindAll(keywordValue().ReplaceAll(bases, nil), -1) {
		last := lastPart(string(base))
		c.bases = append(c.bases, codeBase{dotted: string(base), last: last})
		if mayBeVariable(last) && len(lowerCase) < maxLowerCase {
			lowerCase[last] = true
		}
		if heirs := g.heirs[last]; len(heirs) == 0 || heirs[len(heirs)-1] != index {
			g.heirs[last] = append(heirs, index)
		}
	}
	g.classes = append(g.classes, c)
	g.named[name] = append(g.named[name], index)
	g.files[file].classes = append(g.files[file].classes, index)
}

// mayBeVariable reports whether a base has a name in lower case that is not that of a builtin class.
func mayBeVariable(base string) bool {
	return 'a' <= base[0] && base[0] <= 'z' && !strings.Contains(base, ".") && modules.BuiltinMembers(base) == nil
}

// rename records another name of a class.
func (g *classGraph) rename(class, name []byte) {
	if names := g.renamed[string(class)]; len(class) > 0 && len(g.renamed) < maxClasses && !slices.Contains(names, string(name)) {
		g.renamed[string(class)] = append(names, string(name))
	}
}

// namesOf returns the name of a class and the other names that code gives to classes with it.
func (g *classGraph) namesOf(class string) map[string]bool {
	names := map[string]bool{class: true}
	reachable(names, g.renamed)
	return names
}

// codeScope contains the names that a file imports.
type codeScope struct {
	imports map[string][]codeImport
	stars   []codeImport // the modules from which it imports all names
}

// codeImport is a module or, if attribute is not empty, a name in it.
type codeImport struct {
	level             int // the number of dots at the beginning of a relative import
	module, attribute string
}

// scopeOf returns the names that a file imports, or nil if it cannot be read.
func (g *classGraph) scopeOf(file int) *codeScope {
	f := &g.files[file]
	if f.scope == nil && g.scopes < maxScopes {
		g.scopes++
		f.scope = readScope(g.codeOf(file))
	}
	return f.scope
}

// codeOf returns the code of a file. It is empty if the file cannot be read.
func (g *classGraph) codeOf(file int) []byte {
	code, ok := g.code[file]
	if !ok {
		code, _ = readCode(rootfs.New(g.files[file].root), g.files[file].name)
		if g.codeSize += len(code); g.code == nil || g.codeSize > maxScopeCode {
			g.code, g.codeSize = map[int][]byte{}, len(code)
		}
		g.code[file] = code
	}
	return code
}

// beginsImport matches the beginning of an import.
var beginsImport = lazyregexp.New(`(?m)^[ \t]*(?:(?:try|else|if [^\n:]*)[ \t]*:[ \t]*)?(?:from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+)?import[ \t]*\b?`)

// readScope reads the imports in code.
func readScope(code []byte) *codeScope {
	s := &codeScope{imports: map[string][]codeImport{}}
	for start := range occurrences(code, "import") {
		line := bytes.LastIndexByte(code[:start], '\n') + 1
		m := beginsImport().FindSubmatchIndex(code[line:min(len(code), start+len("import")+1)])
		if m == nil || m[0] != 0 || line+m[1] < start {
			continue
		}
		var module []byte
		level, isFrom := 0, m[2] >= 0
		if isFrom {
			level, module = m[3]-m[2], code[line+m[4]:line+m[5]]
		}
		for name := range bytes.SplitSeq(importedNames(code[start+len("import"):]), []byte(",")) {
			words := strings.Fields(string(name))
			if len(words) == 0 || len(words) > 1 && (len(words) != 3 || words[1] != "as") {
				continue
			}
			to, bound := codeImport{level, string(module), words[0]}, words[len(words)-1]
			switch {
			case !isFrom && len(words) > 1:
				to = codeImport{module: words[0]}
			case !isFrom:
				bound, _, _ = strings.Cut(words[0], ".")
				to = codeImport{module: bound}
			case words[0] == "*":
				to.attribute = ""
				s.stars = append(s.stars, to)
				continue
			}
			s.imports[bound] = append(s.imports[bound], to)
		}
	}
	return s
}

// importedNames returns the names after import, without parentheses, comments and line feeds.
func importedNames(code []byte) []byte {
	code = code[:min(len(code), maxImport)]
	if rest, ok := bytes.CutPrefix(bytes.TrimLeft(code, " \t"), []byte("(")); ok {
		end := bytes.IndexByte(rest, ')')
		if end < 0 {
			end = len(rest)
		}
		return comments().ReplaceAll(rest[:end], nil)
	}
	code = bytes.ReplaceAll(bytes.ReplaceAll(code, []byte("\\\r\n"), []byte(" ")), []byte("\\\n"), []byte(" "))
	if end := bytes.IndexAny(code, "\r\n#;"); end >= 0 {
		code = code[:end]
	}
	return code
}

// maxImport is the maximum length, in bytes, of the names in an import.
const maxImport = 20_000

// aliasOf matches the assignment of a class, or of one of two classes, to a variable.
var aliasOf = lazyregexp.New(`^[ \t]*(?::[^=\n]*)?=[ \t]*([\w.]+)(?:[ \t]+if[ \t][^\n]*[ \t]else[ \t]+([\w.]+))?[ \t\r]*(?:#[^\n]*)?(?:\n|$)`)

// isNone matches the assignment of None to one or more variables.
var isNone = lazyregexp.New(`^[ \t]*=(?:[ \t]*\w+[ \t]*=)*[ \t]*None[ \t\r]*(?:#[^\n]*)?(?:\n|$)`)

// assignedIn returns the classes that code assigns to a variable. all is false if it also assigns something else.
func assignedIn(code []byte, name string) (classes []string, all bool) {
	all = true
	for first := range occurrences(code, name) {
		start := bytes.LastIndexByte(code[:first], '\n') + 1
		if after := code[first+len(name):]; start+indentation(code[start:]) != first || !assigns().Match(after) {
			continue
		} else if isNone().Match(after) { // as before a class statement
			continue
		} else if m := aliasOf().FindSubmatch(after); m != nil {
			for _, class := range m[1:] {
				if len(class) > 0 {
					classes = append(classes, string(class))
				}
			}
		} else {
			all = false
		}
	}
	return classes, all
}

// find returns the files that contain a module, which is imported in the file from if level is not 0.
func (g *classGraph) find(from, level int, module string) (found []int) {
	name := strings.ReplaceAll(module, ".", "/")
	root := ""
	if level > 0 {
		f := &g.files[from]
		root = f.root
		dir := f.name
		for range level {
			dir = path.Dir(dir)
		}
		name = path.Join(dir, name)
	}
	for _, i := range g.modules[path.Base(name)] {
		f := &g.files[i]
		if f.module == name && (level == 0 || f.root == root) || level == 0 && f.project && strings.HasSuffix(f.module, "/"+name) {
			found = append(found, i)
		}
	}
	return found
}

// ancestry returns what a base of a class may be.
func (g *classGraph) ancestry(class, base int) *ancestry {
	c := &g.classes[class]
	b := &c.bases[base]
	if b.resolved == nil {
		b.resolved = newAncestry()
		g.visited = map[codeName]bool{}
		g.resolve(c.file, b.dotted, maxResolved, b.resolved)
		delete(b.resolved.classes, class) // a class that replaces another one with its name
	}
	return b.resolved
}

func newAncestry() *ancestry {
	return &ancestry{classes: map[int]bool{}, builtins: map[string]bool{}, names: map[string]bool{}}
}

// variables returns the number of bases of a class that may be variables of functions.
func (g *classGraph) variables(class int) (n int) {
	for i, b := range g.classes[class].bases {
		if g.files[g.classes[class].file].near && mayBeVariable(b.dotted) && g.ancestry(class, i).variable {
			n++
		}
	}
	return n
}

// standardBases are builtin classes from which many classes are derived. No import has these names.
var standardBases = map[string]bool{
	"object": true, "type": true, "str": true, "bytes": true, "int": true, "float": true, "dict": true, "list": true, "set": true, "frozenset": true, "tuple": true,
	"Exception": true, "BaseException": true, "ValueError": true, "TypeError": true, "RuntimeError": true, "KeyError": true, "AttributeError": true, "OSError": true,
}

// resolve adds what a dotted name in a file stands for. It returns false if the file does not declare the name.
func (g *classGraph) resolve(file int, dotted string, depth int, out *ancestry) bool {
	first, rest, _ := strings.Cut(dotted, ".")
	last := lastPart(dotted)
	declared, f := false, &g.files[file]
	for _, c := range f.classes {
		if g.classes[c].name == first && rest == "" {
			declared = true
			out.classes[c] = true
		}
	}
	if !declared && standardBases[dotted] {
		out.builtins[first] = true
		return true
	}
	if g.visited[codeName{file, dotted}] {
		return false
	}
	g.visited[codeName{file, dotted}] = true
	s := g.scopeOf(file)
	if s == nil || first == "" || depth == 0 || len(g.visited) > maxVisited {
		out.names[last] = true
		return true
	}
	if rest != "" && slices.ContainsFunc(f.classes, func(c int) bool { return g.classes[c].name == first }) {
		declared = true
		out.names[last] = true // a class in a class
	}
	for _, i := range s.imports[first] {
		declared = true
		g.attribute(file, i, rest, depth-1, out)
	}
	code := g.codeOf(file)
	classes, all := assignedIn(code, first)
	for _, class := range classes {
		declared = true
		if class != first {
			g.resolve(file, strings.TrimSuffix(class+"."+rest, "."), depth-1, out)
		}
	}
	if f.near && mayBeVariable(dotted) && isVariable(code, first) {
		declared = true
		out.variable = true
	}
	switch {
	case !all:
		out.names[last] = true
		return true
	case declared:
		return true
	case rest == "" && (modules.BuiltinMembers(first) != nil || first == "object"):
		out.builtins[first] = true
		return true
	}
	for _, star := range s.stars {
		for _, other := range g.find(file, star.level, star.module) {
			inner := &ancestry{classes: out.classes, builtins: out.builtins, names: map[string]bool{}}
			if g.resolve(other, dotted, depth-1, inner) {
				maps.Copy(out.names, inner.names)
				return true
			}
		}
	}
	out.names[last] = true
	return false
}

// typedClasses are functions and objects of typing that code derives classes from, with the builtin classes that it inherits from
// instead.
var typedClasses = map[string]string{"NamedTuple": "tuple", "TypedDict": "dict", "Dict": "dict", "List": "list", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type"}

// attribute adds what an import in a file stands for, followed by a dotted name.
func (g *classGraph) attribute(file int, i codeImport, rest string, depth int, out *ancestry) {
	dotted := strings.Trim(i.attribute+"."+rest, ".")
	first, after, isLonger := strings.Cut(dotted, ".")
	last := lastPart(i.module + "." + dotted)
	if base := typedClasses[dotted]; base != "" && strings.HasPrefix(i.module, "typing") && i.level == 0 {
		out.builtins[base] = true
		return
	}
	if i.module == "typing" && i.level == 0 && len(g.find(file, 0, "_collections_abc")) > 0 { // other objects of typing stand for its classes
		inner := newAncestry()
		if g.attribute(file, codeImport{module: "_collections_abc", attribute: dotted}, "", depth-1, inner); len(inner.classes) > 0 {
			maps.Copy(out.classes, inner.classes)
			return
		}
	}
	if depth == 0 || dotted == "" {
		out.names[last] = true
		return
	}
	found := false
	if inner := strings.Trim(i.module+"."+first, "."); isLonger && len(g.find(file, i.level, inner)) > 0 {
		found = true
		g.attribute(file, codeImport{level: i.level, module: inner}, after, depth-1, out)
	}
	all := g.find(file, i.level, i.module)
	if name, isPrivate := strings.CutPrefix(i.module, "_"); len(all) == 0 && isPrivate && i.level == 0 {
		all = g.find(file, 0, "_py"+name) // a module in C with a version in Python
	}
	for _, other := range all {
		names := maps.Clone(out.names)
		if !g.resolve(other, dotted, depth-1, out) && found {
			out.names = names // a module in the package
		}
		found = true
	}
	if !found {
		out.names[last] = true
	}
}

// lookup returns the classes with a name that a module contains or imports or, if there are none, all classes with
// the name. If own is true, it returns only classes of the project. Otherwise, it also returns those of the project that
// may replace the class.
func (g *classGraph) lookup(module, name string, own, replaced bool) map[int]bool {
	out := newAncestry()
	g.visited = map[codeName]bool{}
	g.attribute(0, codeImport{module: module, attribute: name}, "", maxResolved, out)
	if len(out.classes) == 0 {
		for _, c := range g.named[name] {
			out.classes[c] = true
		}
	}
	if own {
		maps.DeleteFunc(out.classes, func(c int, _ bool) bool { return !g.files[g.classes[c].file].project })
		return out.classes
	}
	maps.Copy(out.classes, g.namesakes(module, name, replaced))
	return out.classes
}

// namesakes returns the classes of the project that may replace the class with their name in a module. Type checkers do not
// see that a project does so by its configuration or, if replaced is true, by an assignment. Other classes only have the same
// name.
func (g *classGraph) namesakes(module, name string, replaced bool) map[int]bool {
	classes := map[int]bool{}
	top, _, _ := strings.Cut(module, ".")
	for _, c := range g.named[name] {
		if f := &g.files[g.classes[c].file]; f.project && (replaced || g.isRelated(c, top)) {
			classes[c] = true
		}
	}
	return classes
}

// assignsGetattr reports whether code assigns __getattr__ to one of some classes, or to one of their bases.
func (g *classGraph) assignsGetattr(classes map[int]bool) bool {
	if len(g.computing) == 0 {
		return false
	}
	all := maps.Clone(classes)
	g.addBases(all, nil)
	for c := range all {
		if g.computing[g.classes[c].name] {
			return true
		}
	}
	return false
}

// isRelated reports whether a class has a base in a package, or stands in a copy of that package or in a file that imports
// another class with its name.
func (g *classGraph) isRelated(class int, top string) bool {
	isIn := func(c int) bool {
		return strings.Contains("/"+g.files[g.classes[c].file].module+"/", "/"+top+"/")
	}
	if s := g.scopeOf(g.classes[class].file); isIn(class) || s == nil || len(s.imports[g.classes[class].name]) > 0 {
		return true
	}
	bases := map[int]bool{class: true}
	_, unread := g.addBases(bases, nil)
	return len(unread) > 0 || slices.ContainsFunc(slices.Collect(maps.Keys(bases)), isIn)
}

// addNamesakes adds the namesakes of a class, and the classes that are derived from them.
func (g *classGraph) addNamesakes(classes map[int]bool, module, name string, replaced bool) {
	if same := g.namesakes(module, name, replaced); len(same) > 0 {
		g.addHeirs(same, name, false, true)
		maps.Copy(classes, same)
	}
}

// addHeirs adds the classes that are derived from those in a set, which have the given name. If own is true, bases
// that cannot be resolved count only in the project, where they may be variables. If resolve is false, all classes count
// that have a base with the name, but not those that give the base another name.
func (g *classGraph) addHeirs(classes map[int]bool, name string, own, resolve bool) {
	type origin struct {
		class int // or -1 for a builtin class
		name  string
	}
	queue := []origin{}
	for c := range classes {
		queue = append(queue, origin{c, name})
	}
	add := func(c int) {
		if !classes[c] {
			classes[c] = true
			queue = append(queue, origin{c, g.classes[c].name})
		}
	}
	if len(queue) == 0 {
		queue = append(queue, origin{-1, name})
	}
	isBuiltin := len(classes) == 0
	for c := range g.classes {
		if own && (!isBuiltin || g.files[g.classes[c].file].project) && g.variables(c) > 0 {
			add(c)
		}
	}
	for len(queue) > 0 {
		last := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		names := map[string]bool{last.name: true}
		if resolve {
			names = g.namesOf(last.name)
		}
		for alias, base := range typedClasses {
			if last.class < 0 && base == last.name {
				names[alias] = true
			}
		}
		derives := func(c int) bool {
			for i, base := range g.classes[c].bases {
				if !names[base.last] {
					continue
				} else if !resolve {
					return true
				}
				b := g.ancestry(c, i)
				isNamed := (!own || g.files[g.classes[c].file].project) && hasAny(names, b.names) && (last.class < 0 || g.mayImport(g.classes[c].file, g.classes[last.class].file))
				if b.classes[last.class] || last.class < 0 && b.builtins[last.name] || isNamed {
					return true
				}
			}
			return false
		}
		for name := range names {
			for _, c := range g.heirs[name] {
				if !classes[c] && derives(c) {
					add(c)
				}
			}
		}
	}
}

// addBases adds the bases of classes in a set, and the bases of those, except some classes. It returns those that
// are not in the graph, or could not be resolved.
func (g *classGraph) addBases(classes, except map[int]bool) (builtins, unread map[string]bool) {
	builtins, unread = map[string]bool{}, map[string]bool{}
	queue := slices.Collect(maps.Keys(classes))
	for len(queue) > 0 {
		class := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for i := range g.classes[class].bases {
			base := g.ancestry(class, i)
			all := slices.Collect(maps.Keys(base.classes))
			maps.Copy(builtins, base.builtins)
			for name := range base.names {
				switch {
				case modules.BuiltinMembers(name) != nil:
					builtins[name] = true
				case !g.keywords[name] && name != "None" && name != "object" && name != "Generic" && name != "Protocol":
					unread[name] = true
				}
				for _, c := range g.named[name] {
					if g.mayImport(g.classes[class].file, g.classes[c].file) {
						all = append(all, c)
					}
				}
			}
			for _, c := range all {
				if !classes[c] && !except[c] {
					classes[c] = true
					queue = append(queue, c)
				}
			}
		}
	}
	return builtins, unread
}

// mayImport reports whether code in a file may get a class of another file in a way that is not known. That of a package cannot
// get one of the project, or of a package that it does not name.
func (g *classGraph) mayImport(file, other int) bool {
	f, o := &g.files[file], &g.files[other]
	top := firstPart(o.module)
	if f.project || o.root == f.root && top == firstPart(f.module) {
		return true
	}
	if strings.HasPrefix(top, "_") { // such as _pyio, whose classes io contains, or _collections_abc
		top, _, _ = strings.Cut(strings.TrimPrefix(top[1:], "py"), "_")
	}
	s := g.scopeOf(file)
	return !o.project && (s == nil || containsWord(g.codeOf(file), top))
}

// readCode reads the code in a file.
func readCode(fsys fs.FS, name string) ([]byte, error) {
	data, err := project.ReadFS(fsys, name, maxAssignFile)
	if err != nil || !strings.HasSuffix(name, notebookExtension) {
		return data, err
	}
	n, ok := readNotebook(data)
	if !ok {
		return nil, nil
	}
	return []byte(n.text.String()), nil
}
