package python

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// find searches code for what gives values one of the attributes.
func find(code []byte, searches []search) {
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
				findAt(code, first, searches)
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
			findAt(code, first, found)
		}
	}
}

// maxIndexed is the maximum number of names for which searching the code for each of them is faster than reading all
// words.
const maxIndexed = 8

// findAt examines the occurrence of the name of attributes at an offset.
func findAt(code []byte, first int, searches []search) {
	line := bytes.LastIndexByte(code[:first], '\n') + 1
	begin := bytes.LastIndexByte(bytes.TrimRight(code[:line], " \t\r\n"), '\n') + 1 // a call may begin in the line before
	end := len(code)
	if n := bytes.IndexByte(code[first:], '\n'); n >= 0 {
		end = first + n + 1
	}
	for _, s := range searches {
		if !s.found {
			s.findIn(code, begin, line, first, end, s.reach)
		}
	}
}

// findIn examines the occurrence of the name at first, in the lines between begin and end. The last line begins at line.
func (w *attribute) findIn(code []byte, begin, line, first, end int, reach reach) {
	around := code[begin:end]
	switch before := code[line:first]; {
	case bytes.HasPrefix(bytes.TrimLeft(before, " \t"), []byte("#")):
	case bytes.HasSuffix(before, []byte(".")):
		if w.override || !isAssigned(before, code[first+len(w.name):end]) && !w.isTarget(code[line:end]) {
			return
		}
		class := classNamed(code, before)
		if ofReceiver(before) {
			class = classAround(code, line, true)
		}
		switch {
		case w.module != "" && (class != "" || !w.isModule(code, before)):
		case class != "":
			w.addOwner(class, reach)
		case reach >= far: // the object may be of any class
			w.found = true
		}
	case bytes.HasSuffix(before, []byte(`"`)) || bytes.HasSuffix(before, []byte("'")):
		if w.override {
			return
		}
		w.found = reach >= far && w.set.Match(around) || reach == near && w.module == "" && w.quoted.Match(around) && (w.class == "" || computesAttributes().Match(code))
	case (w.override || !w.exact) && (w.class != "" || reach == near) && w.declared.Match(code[line:end]):
		class := classAround(code, line, false)
		if m := declaresBlock().FindSubmatch(before); m != nil && m[1] != nil && len(before) > len(m[0]) { // on one line
			class = string(m[2])
		}
		w.addOwner(class, reach)
	}
}

// isModule reports whether the object before an attribute may be the module whose name the attribute is.
func (w *attribute) isModule(code, before []byte) bool {
	name := lastWord(bytes.TrimSuffix(before, []byte(".")))
	return string(name) == w.module || len(name) > 0 && bytes.Contains(code, append([]byte(w.module+" as "), name...))
}

// standardBases are classes of the standard library from which many classes are derived. Other classes with these names are
// not followed to their bases, because most bases with these names are those of the standard library.
var standardBases = []string{"object", "str", "int", "dict", "list", "tuple", "Exception", "Protocol", "Generic", "Mapping", "MutableMapping", "Sequence", "MutableSequence", "Iterable", "Iterator", "Collection", "Container", "Callable", "Hashable", "Sized"}

// addOwner records a class that declares the attribute. A class in another package that only has the name of the class of
// the value says nothing about it, unless it is derived from it.
func (w *attribute) addOwner(class string, reach reach) {
	if class != "" && class == w.class && reach < near && !w.override {
		w.namesake = true
		return
	}
	w.owners[class] = true
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

// computesAttributes matches code that may give objects attributes whose names are not written after a dot.
var computesAttributes = lazyregexp.New(`\bsetattr\(|__dict__|__slots__|\bvars\(|\blocals\(|\btype\([^()\n]*,|\bmake_dataclass\(`)

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
	if len(name) == 0 || name[0] < 'A' || name[0] > 'Z' || bytes.HasSuffix(before[:len(before)-len(name)], []byte(".")) {
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

// classAround returns the name of the innermost class whose body contains the line at an offset, or "" if there is
// none. Unless methods is true, the line is not in a function in the class.
func classAround(code []byte, offset int, methods bool) string {
	indent := indentation(code[offset:])
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
		case m != nil && !methods:
			return ""
		case m == nil && !(bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte(":")) && (width > 0 || beginsBlock().Match(line))):
			continue // a line of a string or of a statement over several lines
		}
		indent = width
	}
	return ""
}

func indentation(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}

var (
	// derivesClass matches the beginning of a class, up to its bases.
	derivesClass = lazyregexp.New(`^class[ \t]+(\w+)[ \t]*(?:\[[^\]\n]*\])?(?:\(([^:]*)|:)`)
	comments     = lazyregexp.New(`#[^\n]*`)
	// renamesClass matches another name of a class after as, and aliasesClass one that is a variable.
	renamesClass = lazyregexp.New(`^[ \t]*(_*[A-Z]\w*)`)
	aliasesClass = lazyregexp.New(`^(_*[A-Z]\w*)[ \t]*(?::[^=]*)?=[ \t]*(?:\w+\.)*(?:(_*[A-Z]\w*)|(\w+)[ \t]+if[ \t].*[ \t]else[ \t]+(?:\w+\.)*(\w+))[ \t]*(?:#.*)?$`)
	// namesClass matches what follows a variable to which a class is assigned.
	namesClass = lazyregexp.New(`^[ \t]*=[ \t]*(?:\w+\.)*(\w+)`)
	// lastName matches the last name of a dotted one.
	lastName = lazyregexp.New(`(\w+)(?:[^\w.]|$)`)
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
)

// anyClass stands for a base that is a variable of a function.
const anyClass = "*"

// addClasses records the bases of the classes in code. near is true for code of the project.
func (a *assignments) addClasses(code []byte, near bool) {
	add := func(class, base []byte) {
		bases := a.classes[string(class)]
		if len(a.classes) >= maxClasses {
			a.findAll()
		} else if !slices.Contains(bases, string(base)) {
			a.classes[string(class)] = append(bases, string(base))
		}
	}
	lowerCase := map[string][]string{} // bases in lower case, with the classes that are derived from them
	for at := range occurrences(code, "class ") {
		if start := bytes.LastIndexByte(code[:at], '\n') + 1; start+indentation(code[start:]) != at {
			continue
		}
		head := code[at:min(at+maxBases, len(code))]
		if bytes.IndexByte(head, '#') >= 0 {
			head = comments().ReplaceAll(head, nil)
		}
		if m := derivesClass().FindSubmatch(head); m != nil {
			if len(a.classes) < maxClasses {
				a.classes[string(m[1])] = slices.Clip(a.classes[string(m[1])]) // without bases, too
			}
			bases := m[2]
			for range 3 { // nested type arguments
				bases = typeArguments().ReplaceAll(bases, nil)
			}
			for _, keyword := range keywordArgument().FindAllSubmatch(bases, -1) {
				for _, name := range keyword[1:] {
					if len(a.keywords) < maxClasses {
						a.keywords[string(name)] = true
					}
				}
			}
			bases = keywordValue().ReplaceAll(bases, nil)
			names := lastName().FindAllSubmatch(bases, -1)
			for i, base := range names {
				c := base[1][0]
				if isLower := 'a' <= c && c <= 'z' && len(lowerCase) < maxLowerCase && modules.BuiltinMembers(string(base[1])) == nil; isLower {
					lowerCase[string(base[1])] = append(lowerCase[string(base[1])], string(m[1]))
				} else {
					add(m[1], base[1])
				}
				if slices.ContainsFunc(names[:i], func(other [][]byte) bool { return bytes.Equal(other[1], base[1]) }) && len(a.twice) < maxClasses {
					a.twice[string(m[1])] = true
				}
			}
		}
	}
	for at := range occurrences(code, "def __getattr") { // __getattr__ or __getattribute__
		if class := classAround(code, bytes.LastIndexByte(code[:at], '\n')+1, false); class != "" && len(a.computing) < maxClasses {
			a.computing[class] = true
		}
	}
	for at := range occurrences(code, " as ") {
		class := lastWord(code[:at])
		if m := renamesClass().FindSubmatch(code[at+len(" as "):]); m != nil && len(class) > 0 && isImport(code, at) {
			add(m[1], class)
		}
	}
	for line := range bytes.Lines(code) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '_' && (line[0] < 'A' || line[0] > 'Z') {
			continue
		}
		if m := aliasesClass().FindSubmatch(line); m != nil {
			for _, class := range m[2:] {
				if class != nil {
					add(m[1], class)
				}
			}
		}
	}
	for name, derived := range lowerCase {
		base := []byte(name)
		if near && isVariable(code, name) {
			base = []byte(anyClass)
		}
		for _, class := range derived {
			if slices.Contains(a.classes[class], string(base)) && string(base) == anyClass && len(a.mixed) < maxClasses {
				a.mixed[class] = true
			}
			add([]byte(class), base)
		}
		for at := range occurrences(code, name) {
			before, isRenamed := bytes.CutSuffix(code[:at], []byte(" as "))
			m := namesClass().FindSubmatch(code[at+len(name):])
			switch class := lastWord(before); {
			case isRenamed && len(class) > 0 && isImport(code, at):
				add([]byte(name), class)
			case m != nil && !bytes.HasSuffix(before, []byte(".")) && len(class) == 0:
				add([]byte(name), m[1])
			}
		}
	}
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
	if w.found || w.class == "" && len(w.owners) > 0 {
		return true
	}
	if w.fixed || w.class == "" || len(w.owners) == 0 && (w.exact || w.override) {
		return false
	}
	// Classes that are derived from the class of the value have the attributes of all their bases. Those of the class
	// itself do not have it.
	relatives := map[string]bool{w.class: true}
	if !w.exact || w.override {
		if w.own {
			relatives[anyClass] = true
		}
		reachable(relatives, a.derived(w.local))
		delete(relatives, w.class)
		delete(relatives, anyClass)
		if len(w.owners) > 0 && hasAny(relatives, a.mixed) {
			return true
		}
		if (w.namesake || a.computing[w.class]) && a.mayDeriveNamesake(w, relatives) {
			return true
		}
		for n := 0; n < len(relatives); {
			n = len(relatives)
			reachable(relatives, a.classes, append(slices.Clip(standardBases), w.class, anyClass)...)
			a.addLocalBases(relatives, w.class)
		}
		if !w.override && hasAny(relatives, a.computing) {
			return true
		}
		for class := range maps.Clone(relatives) { // the standard classes themselves
			for _, base := range a.classes[class] {
				relatives[base] = true
			}
		}
		delete(relatives, anyClass)
		if relatives[w.class] = !w.override; !w.override && w.top != builtinsModule && a.mayInherit(w, relatives) {
			return true
		}
	}
	return hasAny(relatives, w.owners)
}

// hasAny reports whether two sets have an element in common.
func hasAny(a, b map[string]bool) bool {
	for name, ok := range a {
		if ok && b[name] {
			return true
		}
	}
	return false
}

// addLocalBases adds the bases of classes of the project that have the name of a standard one, if a class in the set is
// derived from it.
func (a *assignments) addLocalBases(classes map[string]bool, except string) {
	for _, name := range standardBases {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(classes)), func(class string) bool { return slices.Contains(a.local[class], name) }) {
			continue
		}
		for _, base := range a.local[name] {
			if base != except {
				classes[base] = true
			}
		}
	}
}

// mayDeriveNamesake reports whether a class that is derived from that of the value may have the same name, or inherit from
// another class with that name. derived contains the classes that are derived from one with the name.
func (a *assignments) mayDeriveNamesake(w *attribute, derived map[string]bool) bool {
	classes, all := a.classes, derived
	if w.local {
		classes, all = a.local, map[string]bool{w.class: true}
		reachable(all, a.derived(false))
	}
	if slices.ContainsFunc(classes[w.class], func(base string) bool { return base == w.class || derived[base] }) {
		return true
	}
	for name := range derived {
		n := 0
		for _, base := range classes[name] {
			if base == w.class || all[base] {
				n++
			}
		}
		if n > 1 || a.twice[name] {
			return true
		}
	}
	return false
}

// mayInherit reports whether one of the classes has the attribute although no code that was read declares it: a builtin
// class, or one that was not read.
func (a *assignments) mayInherit(w *attribute, classes map[string]bool) bool {
	for class := range classes {
		if _, read := a.classes[class]; read || class == w.class || a.keywords[class] {
			continue
		}
		if class == "None" || class == "object" {
			continue
		}
		if members := modules.BuiltinMembers(class); members == nil || slices.Contains(members, w.name) {
			return true
		}
	}
	return false
}

// reachable adds the names that edges lead to from those in a set, except those that stop it.
func reachable(names map[string]bool, edges map[string][]string, stop ...string) {
	next := slices.Collect(maps.Keys(names))
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range edges[name] {
			if !names[to] && !slices.Contains(stop, to) {
				names[to] = true
				next = append(next, to)
			}
		}
	}
}

// derived returns the names of the classes that are derived from each class, in the project or in all code.
func (a *assignments) derived(local bool) map[string][]string {
	derived, classes := &a.derivedFrom, a.classes
	if local {
		derived, classes = &a.localFrom, a.local
	}
	if *derived == nil {
		*derived = map[string][]string{}
		for class, bases := range classes {
			for _, base := range bases {
				(*derived)[base] = append((*derived)[base], class)
			}
		}
	}
	return *derived
}
