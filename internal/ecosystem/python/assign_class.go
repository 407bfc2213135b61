package python

import (
	"bytes"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// find searches code for what gives values one of the attributes.
func find(file int, code []byte, searches []search) {
	tokens := sync.OnceValue(func() []source.Token { return source.Tokens(string(code)) })
	blocks := sync.OnceValue(func() *codeBlocks { return readBlocks(code) })
	byName := map[string][]search{}
	for _, s := range searches {
		byName[s.name] = append(byName[s.name], s)
	}
	if len(byName) <= maxIndexed {
		for name, searches := range byName {
			for first := range occurrences(code, name) {
				end := first + len(name)
				if first > 0 && isWordByte(code[first-1]) || end < len(code) && isWordByte(code[end]) {
					continue
				}
				findAt(file, code, tokens, blocks, first, searches)
			}
		}
		return
	}
	for i := 0; i < len(code); i++ {
		if !isWordByte(code[i]) {
			continue
		}
		first := i
		for i < len(code) && isWordByte(code[i]) {
			i++
		}
		if found := byName[string(code[first:i])]; found != nil {
			findAt(file, code, tokens, blocks, first, found)
		}
	}
}

// maxIndexed is the maximum number of names for which searching the code for each of them is faster than reading all
// words.
const maxIndexed = 8

const (
	// maxLine is the maximum size in bytes of the lines in which each occurrence of a name is examined. Longer ones, where
	// each name would be compared with all others, may assign every attribute that they name.
	maxLine = 16 << 10
	// maxHead is the size in bytes of the beginning of a longer line, whose first words are examined all the same, because
	// they may declare the name.
	maxHead = 200
)

// findAt examines the occurrence of the name of attributes at an offset.
func findAt(file int, code []byte, tokens func() []source.Token, blocks func() *codeBlocks, first int, searches []search) {
	line := bytes.LastIndexByte(code[:first], '\n') + 1
	begin := bytes.LastIndexByte(bytes.TrimRight(code[:line], " \t\r\n"), '\n') + 1 // a call may begin in the line before
	end := len(code)
	if n := bytes.IndexByte(code[first:], '\n'); n >= 0 {
		end = first + n + 1
	}
	for _, s := range searches {
		switch {
		case s.found:
		case s.adds:
			s.findUse(file, code, tokens, first, s.reach)
		case end-begin > maxLine && (first-line > maxHead || len(bytes.Fields(code[line:first])) > 1):
			if !s.override {
				s.assignedIn(file, code, s.reach)
			}
		default:
			s.findIn(file, code, tokens, blocks, begin, line, first, end, s.reach, s.stub)
		}
	}
}

// findIn examines the occurrence of the name at first, in the lines between begin and end. The last line begins at line. The strings
// in a stub, which does not run, name no attributes.
func (w *attribute) findIn(file int, code []byte, tokens func() []source.Token, blocks func() *codeBlocks, begin, line, first, end int, reach reach, stub bool) {
	around := code[begin:end]
	switch before := code[line:first]; {
	case bytes.HasPrefix(bytes.TrimLeft(before, " \t"), []byte("#")):
	case w.class == "tuple" && w.top == builtinsModule && reach == near && isField(code, first):
		w.found = true
	case bytes.HasSuffix(before, []byte(".")):
		isAssigned := !w.override && isAssigned(before, code[first+len(w.name):end])
		if w.override || !isAssigned && !w.isTarget(code[line:end]) {
			return
		}
		class := classNamed(code, before)
		if ofReceiver(before) {
			class = classAround(code, line, true)
		}
		switch {
		case w.module != "" && (class != "" || !w.isModule(code, before)):
		case class == "" && (w.last == file+1 || !w.mayHandle(code, reach) && (reach != foreign || !w.own)):
		case !isTargetToken(code, tokens(), first, isAssigned):
		case class != "":
			w.owners[owner{file, class}] = true
		default:
			w.assignedIn(file, code, reach)
		}
	case bytes.HasSuffix(before, []byte(`"`)) || bytes.HasSuffix(before, []byte("'")):
		if w.override {
			return
		}
		switch {
		case w.mayHandle(code, reach) && w.set.Match(around):
			w.found = true
		case reach != near || w.module != "" || !w.quoted.Match(around):
		case w.class == "":
			w.found = true
		case isSlot(code, first):
			w.owners[owner{file, classAround(code, line, false)}] = true
		case stub || !isNameToken(code, tokens(), first):
		case w.class == "tuple" && w.top == builtinsModule:
			w.found = bytes.Contains(code, []byte("namedtuple("))
		default:
			w.found = blocks().mayCompute(first)
		}
	case (w.override || !w.exact) && (w.class != "" || reach == near) && w.declared.Match(code[line:end]):
		class := classAround(code, line, false)
		if m := declaresBlock().FindSubmatch(before); m != nil && m[1] != nil && len(before) > len(m[0]) { // on one line
			class = string(m[2])
		}
		w.owners[owner{file, class}] = true
	}
}

// maxFields is the maximum size in bytes of the names of the fields of a named tuple that are examined.
const maxFields = 2000

// isField reports whether an offset is in a call of namedtuple, whose objects are tuples.
func isField(code []byte, offset int) bool {
	before := code[max(0, offset-maxFields):offset]
	i := bytes.LastIndex(before, []byte("namedtuple("))
	return i >= 0 && bytes.Count(before[i:], []byte("(")) > bytes.Count(before[i:], []byte(")"))
}

// assignedIn records that a file assigns the attribute to an object of any class.
func (w *attribute) assignedIn(file int, code []byte, reach reach) {
	if w.last == file+1 {
		return
	}
	w.last = file + 1
	switch {
	case w.mayHandle(code, reach):
		w.found = true
	case reach == foreign && len(w.foreign) < maxForeign:
		w.foreign = append(w.foreign, file)
	}
}

// findUse examines the occurrence at an offset of the name of a method that adds attributes.
func (w *attribute) findUse(file int, code []byte, tokens func() []source.Token, offset int, reach reach) {
	switch {
	case reach == foreign && len(w.foreign) == maxForeign || !isUsed(code, tokens, offset):
	case reach == foreign:
		w.foreign = append(w.foreign, file)
	default:
		w.found = true
	}
}

// isUsed reports whether code uses the attribute whose name is at an offset, or its name as a string. It does not if it declares
// the attribute or has other text there.
func isUsed(code []byte, tokens func() []source.Token, offset int) bool {
	before := bytes.TrimRight(code[:offset], " \t")
	if bytes.HasSuffix(before, []byte("def")) {
		return false
	}
	all := tokens()
	i, found := slices.BinarySearchFunc(all, offset, func(t source.Token, offset int) int { return t.Pos - offset })
	if i == 0 {
		return false
	}
	last := &all[i-1]
	if found {
		return all[i].Kind == source.NameToken && slices.Contains([]string{".", "=", "(", ",", "[", "{", ":", "@"}, last.Text)
	}
	return last.Kind == source.StringToken && offset < last.Pos+len(last.Text) && len(last.Text) <= maxQuotedName
}

// maxQuotedName is the maximum length of a string that may be the name of a method. Longer ones are documentation.
const maxQuotedName = 100

// mayHandle reports whether the code of another package may assign attributes to objects of the class. If the class belongs to the
// standard library, it has to name the module of the class, and to contain a word of the name of the class, as "record" of
// LogRecord. Objects of builtin classes have no other attributes. A package that depends on that of the class through others has to
// name the module, too, unless the project imports that package.
func (w *attribute) mayHandle(code []byte, reach reach) bool {
	switch {
	case reach == near:
		return true
	case reach < distant:
		return false
	case !w.standard:
		return reach == far || containsWord(code, w.top)
	}
	return w.top != builtinsModule && containsWord(code, w.top) && (w.class == "" || w.word.Match(code))
}

// capitalized matches the words of the name of a class, except for short ones.
var capitalized = lazyregexp.New(`[A-Z]+[a-z0-9]{2,}|[A-Z]{3,}`)

// wordsOf returns an expression that matches any word of the name of a class.
func wordsOf(class string) string {
	words := capitalized().FindAllString(class, -1)
	if words == nil {
		words = []string{class}
	}
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	return "(?i:" + strings.Join(words, "|") + ")"
}

// containsWord reports whether code contains a name.
func containsWord(code []byte, name string) bool {
	for first := range occurrences(code, name) {
		end := first + len(name)
		if (first == 0 || !isWordByte(code[first-1])) && (end == len(code) || !isWordByte(code[end])) {
			return true
		}
	}
	return false
}

// isReplaced reports whether code may replace the class in its module, as tests do.
func (w *attribute) isReplaced(code []byte) bool {
	for first := range occurrences(code, w.class) {
		if first == 0 {
			continue
		}
		after := code[first+len(w.class):]
		switch code[first-1] {
		case '.':
			if assigns().Match(after) || bytes.HasPrefix(after, []byte(`"`)) || bytes.HasPrefix(after, []byte("'")) {
				return true
			}
		case '"', '\'':
			if len(after) > 0 && after[0] == code[first-1] {
				return true
			}
		}
	}
	return false
}

// isModule reports whether the object before an attribute may be the module whose name the attribute is.
func (w *attribute) isModule(code, before []byte) bool {
	name := lastWord(bytes.TrimSuffix(before, []byte(".")))
	return string(name) == w.module || len(name) > 0 && bytes.Contains(code, append([]byte(w.module+" as "), name...))
}

// owner is a class that declares an attribute, or "" if its name is not known.
type owner struct {
	file  int
	class string
}

var (
	// assigns matches what follows a target, and assignsMore what follows one of several targets.
	assigns     = lazyregexp.New(`^[ \t]*(?::[^=\n]*)?=[^=]`)
	assignsMore = lazyregexp.New(`^[ \t]*[,)\]][^=\n(]*=[^=]`)
	// calls matches code that contains a call.
	calls = lazyregexp.New(`\w[ \t]*\(`)
)

// loops matches the targets of a loop.
var loops = lazyregexp.New(`\bfor[ \t(\[](.*?)(?:\bin\b|$)`)

// isTarget reports whether a line may assign the attribute in a loop or with statement.
func (w *attribute) isTarget(line []byte) bool {
	if w.target.Match(line) {
		return true
	}
	for _, m := range loops().FindAllSubmatch(bytes.TrimRight(line, "\r\n"), -1) {
		if w.loopTarget.Match(m[1]) {
			return true
		}
	}
	return false
}

// isAssigned reports whether a statement assigns the attribute between two parts of a line.
func isAssigned(before, after []byte) bool {
	return assigns().Match(after) || assignsMore().Match(after) && !calls().Match(before)
}

// ofReceiver reports whether the text before an attribute ends with the receiver of a method.
func ofReceiver(before []byte) bool {
	rest, ok := bytes.CutSuffix(before, []byte("self."))
	if !ok {
		rest, ok = bytes.CutSuffix(before, []byte("cls."))
	}
	return ok && (len(rest) == 0 || !isWordByte(rest[len(rest)-1]) && rest[len(rest)-1] != '.')
}

// classNamed returns the name of a class of the file that is written before a dot at the end of a text, or "".
func classNamed(code, before []byte) string {
	before = before[:len(before)-1]
	name := lastWord(before)
	isOutside := len(name) == len(before) // outside functions, whose variables may have the names of classes in lower case
	if len(name) == 0 || !isOutside && (name[0] < 'A' || name[0] > 'Z') || bytes.HasSuffix(before[:len(before)-len(name)], []byte(".")) {
		return ""
	}
	for at := range occurrences(code, "class "+string(name)) {
		start, end := bytes.LastIndexByte(code[:at], '\n')+1, at+len("class ")+len(name)
		if start+indentation(code[start:]) == at && end < len(code) && !isWordByte(code[end]) {
			return string(name)
		}
	}
	return ""
}

// maxLinesAround is the maximum number of lines in which classAround searches for the beginning of a class.
const maxLinesAround = 20_000

// declaresBlock matches a line that begins a class or function.
var declaresBlock = lazyregexp.New(`^[ \t]*(?:(?:async[ \t]+)?def|(class))[ \t]+(\w+)`)

// beginsBlock matches a line outside of blocks that begins another block than a class or function.
var beginsBlock = lazyregexp.New(`^(?:if|elif|else|for|while|with|async|try|except|finally|match)\b`)

// takesReceiver matches the beginning of a function with a receiver.
var takesReceiver = lazyregexp.New(`^[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(\s*(?:self|cls)\b`)

// classAround returns the name of the innermost class whose body contains the line at an offset, or "" if there is
// none. Unless methods is true, the line is not in a function in the class. The receiver of a function in a method may belong to
// any class.
func classAround(code []byte, offset int, methods bool) string {
	indent := indentation(code[offset:])
	receives := false
	for n := 0; indent > 0 && offset > 0 && n < maxLinesAround; n++ {
		start := bytes.LastIndexByte(code[:offset-1], '\n') + 1
		line := code[start : offset-1]
		offset = start
		width := indentation(line)
		if width >= indent || width == len(line) || strings.IndexByte("#\r)]}", line[width]) >= 0 {
			continue
		}
		m := declaresBlock().FindSubmatch(line)
		switch {
		case m != nil && m[1] != nil:
			return string(m[2])
		case m != nil && (!methods || receives):
			return ""
		case m != nil:
			receives = takesReceiver().Match(code[start:])
		case !(bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte(":")) && (width > 0 || beginsBlock().Match(line))):
			continue // a line of a string or of a statement over several lines
		}
		indent = width
	}
	return ""
}

func indentation(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}

// isVariable reports whether a name may be a parameter of a function or the variable of a loop.
func isVariable(code []byte, name string) bool {
	for at := range occurrences(code, name) {
		line := code[bytes.LastIndexByte(code[:at], '\n')+1 : at]
		if end := at + len(name); end < len(code) && isWordByte(code[end]) || len(line) > 0 && isWordByte(line[len(line)-1]) {
			continue
		}
		if beginsVariables().Match(line) {
			return true
		}
	}
	return false
}

// beginsVariables matches a line up to a parameter or the variable of a loop.
var beginsVariables = lazyregexp.New(`^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+\([^)]*|(?:async[ \t]+)?for[ \t][\w ,\t(]*)$`)

// continuesImport matches a line of the names in parentheses after import.
var continuesImport = lazyregexp.New(`^(?:\w+(?:[ \t]+as[ \t]+\w+)?[ \t]*[,)]?[ \t]*)+(?:#.*)?$`)

// isImport reports whether an offset is in a line that may be part of an import of names, unlike text such as in
// documentation.
func isImport(code []byte, offset int) bool {
	start := bytes.LastIndexByte(code[:offset], '\n') + 1
	end := len(code)
	if n := bytes.IndexByte(code[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	line := bytes.TrimSpace(code[start:end])
	if bytes.Contains(line, []byte("import ")) && bytes.Contains(line, []byte("from ")) {
		return true
	}
	before := bytes.TrimRight(code[:start], " \t\r\n")
	return len(before) > 0 && strings.IndexByte("(,\\", before[len(before)-1]) >= 0 && continuesImport().Match(line)
}

// occurrences yields the offsets of a text in code.
func occurrences(code []byte, text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := bytes.Index(code[at:], []byte(text))
			if i < 0 || !yield(at+i) {
				return
			}
			at += i + len(text)
		}
	}
}

// lastWord returns the name at the end of a text.
func lastWord(text []byte) []byte {
	n := len(text)
	for n > 0 && isWordByte(text[n-1]) {
		n--
	}
	return text[n:]
}

// mayHave reports whether code may give the attribute to a value.
func (a *assignments) mayHave(w *attribute) bool {
	if w.found || a.graph.full || w.class == "" && len(w.owners) > 0 {
		return true
	}
	if len(w.owners) > 0 && structural[w.class] && w.standard && !w.override {
		return true
	}
	if w.top == builtinsModule && a.isDeclared(w) {
		return true
	}
	g := a.graph
	if w.fixed || w.class == "" || w.adds && len(w.foreign) == 0 || !w.adds && len(w.owners) == 0 && (w.exact && len(g.computing) == 0 || w.override) {
		return false
	}
	class := map[int]bool{}
	if w.top != builtinsModule {
		class = g.lookup(w.pkg, w.class, w.own, w.replaced)
	}
	if !w.adds && !w.override && g.assignsGetattr(class) {
		return true
	}
	if (w.own || w.adds) && a.basesAssign(w, class) {
		return true
	} else if w.adds {
		return false
	}
	// Classes that are derived from the class of the value have the attributes of all their bases. Those of the class
	// itself do not have it.
	relatives := map[int]bool{}
	if !w.exact || w.override {
		maps.Copy(relatives, class)
		g.addHeirs(relatives, w.class, w.own, !w.override)
		maps.DeleteFunc(relatives, func(c int, _ bool) bool { return class[c] || !w.override && !a.isCreated(w, c) })
		if !w.override && a.mayCompute(w, relatives, class) {
			return true
		}
		if w.own && len(relatives) == 0 && strings.Contains(strings.ToLower(w.class), "mixin") {
			return true // a program that uses this one derives a class with another base
		}
		if len(w.owners) > 0 {
			g.addBases(relatives, class)
		}
	}
	if !w.override {
		maps.Copy(relatives, class)
	}
	for c := range relatives {
		if w.owners[owner{g.classes[c].file, g.classes[c].name}] {
			return true
		}
	}
	return false
}

// isDeclared reports whether a class of the project, or of a package that it imports, declares the attribute. Where the project uses
// the attribute, an annotation that declares an object of a builtin class may be wrong.
func (a *assignments) isDeclared(w *attribute) bool {
	for o := range w.owners {
		if f := &a.graph.files[o.file]; o.class != "" && (f.project || a.graph.isImported(firstPart(f.module))) {
			return true
		}
	}
	return false
}

// structural are classes of the standard library to which objects of all classes with certain methods belong, or are said to belong.
var structural = map[string]bool{
	"Awaitable": true, "Coroutine": true, "AsyncIterable": true, "AsyncIterator": true, "AsyncGenerator": true, "Iterable": true, "Iterator": true, "Reversible": true, "Generator": true,
	"Hashable": true, "Sized": true, "Container": true, "Collection": true, "Buffer": true, "Callable": true, "PathLike": true,
	"IO": true, "TextIO": true, "BinaryIO": true, "AbstractContextManager": true, "AbstractAsyncContextManager": true, "ContextManager": true, "AsyncContextManager": true,
}

// isCreated reports whether code may create objects of a class that is derived from that of the attribute: the class belongs to the
// project or the standard library, or the project uses the package that derives it. Functions that return objects of classes derived
// from str, list and the like declare these classes if their members matter, so that the project names them.
func (a *assignments) isCreated(w *attribute, class int) bool {
	g := a.graph
	f := &g.files[g.classes[class].file]
	top := strings.TrimSuffix(firstPart(f.module), "-stubs")
	if f.root == a.stdlib && w.isValue() && strings.HasPrefix(g.classes[class].name, "_") && !g.isMentioned(g.classes[class].name) {
		return false // no function of another module returns it
	}
	return f.project || w.own && !w.standard || f.root == a.stdlib || top == w.top || a.isRequired(top) && (!w.isValue() || g.isMentioned(g.classes[class].name))
}

// isValue reports whether the class is a builtin one other than an exception.
func (w *attribute) isValue() bool {
	return w.top == builtinsModule && w.class != "" && w.class[0] >= 'a'
}

// isRequired reports whether the project imports a top-level module or, because a package may return objects of its dependencies,
// one of a distribution that requires that of the module. A module of no distribution may belong to the project.
func (a *assignments) isRequired(top string) bool {
	if a.required == nil {
		a.required = map[string]bool{}
		env, names := a.installed(), map[string]bool{}
		for name, all := range env.named {
			for _, d := range all {
				d.load()
				if slices.ContainsFunc(d.modules, a.graph.isImported) {
					names[name] = true
				}
			}
		}
		reachable(names, env.requires)
		for name, all := range env.named {
			for _, d := range all {
				for _, module := range d.modules {
					a.required[module] = a.required[module] || names[name]
				}
			}
		}
	}
	required, isInstalled := a.required[top]
	return required || !isInstalled || a.graph.isImported(top)
}

// basesAssign reports whether the package of a base of a class assigns the attribute to an object, or uses a method that adds
// others, as frameworks do.
func (a *assignments) basesAssign(w *attribute, class map[int]bool) bool {
	if len(w.foreign) == 0 {
		return false
	}
	g := a.graph
	bases := maps.Clone(class)
	g.addBases(bases, nil)
	for c := range bases {
		f := &g.files[g.classes[c].file]
		if !f.project && slices.ContainsFunc(w.foreign, func(i int) bool {
			return g.files[i].root == f.root && firstPart(g.files[i].module) == firstPart(f.module)
		}) {
			return true
		}
	}
	return false
}

// maxForeign is the maximum number of files in which assignments to objects of unknown classes are remembered.
const maxForeign = 10_000

// firstPart returns the first name in a path.
func firstPart(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// mayCompute reports whether one of the classes that are derived from the class of a value may have an attribute that no
// code declares: because it computes attributes, or inherits from a class that was not read. Code of a project does not
// use such attributes of its own classes if only other code derives these classes from them.
func (a *assignments) mayCompute(w *attribute, derived, class map[int]bool) bool {
	g := a.graph
	all := maps.Clone(derived)
	if w.standard {
		// Code that uses such attributes of an object of the standard library imports the class that has them.
		maps.DeleteFunc(all, func(c int, _ bool) bool { return !g.files[g.classes[c].file].project && !g.isNamed(g.classes[c].name) })
		derived = maps.Clone(all)
	}
	switch {
	case w.top == builtinsModule:
	case w.standard: // the types of such values are less certain
		all = maps.Clone(class)
		g.addHeirs(all, w.class, w.own, false)
		maps.DeleteFunc(all, func(c int, _ bool) bool { return class[c] || !g.files[g.classes[c].file].project })
		maps.Copy(all, derived)
	case w.own:
		maps.DeleteFunc(all, func(c int, _ bool) bool { return !g.files[g.classes[c].file].project })
	default:
		g.addNamesakes(all, w.pkg, w.class, w.replaced)
	}
	builtins, unread := g.addBases(all, class)
	for c := range all {
		if g.classes[c].computes || g.computing[g.classes[c].name] || len(w.owners) > 0 && g.variables(c) > 1 {
			return true
		}
	}
	if w.top == builtinsModule {
		return false
	}
	delete(unread, w.class) // a class in a file that is not on disk
	return len(unread) > 0 || slices.ContainsFunc(slices.Collect(maps.Keys(builtins)), func(class string) bool { return slices.Contains(modules.BuiltinMembers(class), w.name) })
}

// reachable adds the names that edges lead to from those in a set.
func reachable(names map[string]bool, edges map[string][]string) {
	next := slices.Collect(maps.Keys(names))
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range edges[name] {
			if !names[to] {
				names[to] = true
				next = append(next, to)
			}
		}
	}
}

// hasAny reports whether two sets have an element in common.
func hasAny(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}
