package modules

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// This file finds code that adds attributes with computed names to objects.

// dynamicCode matches code that may add attributes whose names are computed: to the object that a
// group of the expression matches, if any. An object whose class becomes cls gets declared attributes.
var dynamicCode = lazyregexp.New(`\bsetattr\(\s*(?:([\w.]+)\s*,\s*[^"'\s]|([^\w\s])|[\w.]+\s*([^\w.,\s]))|` +
	`\b([\w.]+)\.__dict__(?:\[[^"'\]\n][^\]\n]*\]\s*=[^=]|\.update\b|\.setdefault\(\s*[^"'\s]|\s*=[^=])|=\s*([\w.]+)\.__dict__\s*\n|` +
	`(?:\breturn\s+|[\w.]\(\s*)(self|cls)\.__dict__\s*[,)\n]|` +
	`\bvars\(\s*(\w+)|(?m:^|[^\w.])(?:locals\(\)\s*[.\[]|exec\()|\b([\w.]+)\.__class__\s*=\s*(?:[^=\sc]|c[^l])|` +
	`\b(super)\(\)\.__setattr__\(\s*[^"'\s]|\.__setattr__\(\s*(?:(\w+)\s*,\s*[^"'\s]|\*)`)

// readsAttributes matches the end of a call to which __dict__ is passed only to be read.
var readsAttributes = lazyregexp.New(`\b(?:dict|len|list|set|sorted|iter|repr|str|copy|deepcopy|tuple|update|bool)\(\s*(?:self|cls)\.__dict__$`)

// dynamicMarks are strings of which each match of dynamicCode contains one.
var dynamicMarks = [...]string{"setattr", "__dict__", "vars(", "locals(", "exec(", "__class__"}

// declaresFunction matches the line that begins a function.
var declaresFunction = lazyregexp.New(`^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)`)

// copying contains methods that only handle attributes that an object has or that other code assigns.
var copying = set("__copy__", "__deepcopy__", "__delattr__", "__dir__", "__eq__", "__getstate__", "__hash__", "__ne__", "__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__setstate__", "__str__")

// accessors are methods of descriptors, which assign attributes of other objects with the names of the descriptors.
var accessors = set("__get__", "__set__")

// maxDynamic is the maximum size, in bytes, of a file that is searched for such code.
const maxDynamic = 8 << 20

// dynamicSite is code that may add attributes with computed names to objects.
type dynamicSite struct {
	line   int    // 0 if the class of the objects is not known
	method string // the method that adds attributes to its own object if it is called, or ""
	adds   string // the names of the attributes, with * for what the code computes, or "" if it computes all
	self   bool   // whether a method adds the attributes to its own object
}

// isDynamic reports whether a file may add attributes with computed names to the objects of a class. If it does so only in
// methods that other code may call, it returns their names. It also returns the names of attributes that are known in part. opens is
// true if other methods add attributes to their own objects.
func (r *Reader) isDynamic(f *file, class *binding) (setters, adds []string, opens, is bool) {
	if f.dynamic == nil {
		f.dynamic = []dynamicSite{}
		data, err := f.text, error(nil)
		if data == nil {
			data, err = readFile(f.mod.dist.Root, f.name)
		}
		if err != nil || len(data) > maxDynamic {
			f.dynamic = append(f.dynamic, dynamicSite{})
		}
		f.findDynamic(data[:min(len(data), maxDynamic)])
	}
	end := maxLine // end is the position at which the next class begins.
	top := class
	for top.scope.class != nil {
		top = top.scope.class
	}
	for _, x := range f.scope.order {
		if x.stmt != nil && x.stmt.Kind == source.Class && x.stmt.Line > top.stmt.Line {
			end = min(end, x.stmt.Line)
		}
	}
	for _, site := range f.dynamic {
		switch {
		case site.line != 0 && (site.line < top.stmt.Line || site.line >= end):
		case site.adds != "":
			adds = append(adds, site.adds)
		case site.self && site.method == "":
			opens = true
		case site.method == "":
			return nil, nil, opens, true
		case !slices.Contains(setters, site.method):
			setters = append(setters, site.method)
		}
	}
	return setters, adds, opens, false
}

// setter returns the method at the end of a text that adds attributes to its receiver if other code calls it, or "".
func setter(text []byte) string {
	method, indent := "", len(text)-bytes.LastIndexByte(text, '\n')-1
	for _, line := range slices.Backward(bytes.Split(text, []byte("\n"))) {
		content := bytes.TrimLeft(line, " \t")
		width := len(line) - len(content)
		if len(content) == 0 || width >= indent || strings.IndexByte("#)]}", content[0]) >= 0 {
			continue
		}
		indent = width
		switch m := declaresFunction().FindSubmatch(line); {
		case m != nil && method == "" && m[1][0] != '_':
			method = string(m[1])
		case m != nil:
			return ""
		case method != "":
			if bytes.HasPrefix(content, []byte("class ")) {
				return method
			}
			return ""
		}
	}
	return ""
}

// findDynamic finds the lines of such code in a file.
func (f *file) findDynamic(data []byte) {
	line, at, function, body := 1, 0, "", 0
	var texts []source.Token // the strings of the file, once they are needed
	for start, code := range around(data, dynamicMarks[:]...) {
		for _, m := range dynamicCode().FindAllSubmatchIndex(code, -1) {
			first := start + m[0]
			before := data[at:first]
			if name, offset := lastFunction(before); name != "" {
				function, body = name, at+offset
			}
			at = first
			line += bytes.Count(before, []byte("\n"))
			object := ""
			for k := 2; k < len(m); k += 2 {
				if m[k] >= 0 {
					object = string(code[m[k]:m[k+1]])
				}
			}
			if x := f.scope.names[object]; x != nil && x.imported && x.attr == "" {
				continue // a module
			}
			if declaresExec(code, m[0]) || setsDeclared(data[body:first], code[m[0]:]) || setsName(data[:first], code[m[0]:]) || readsVars(code[m[0]:]) || setsChecked(string(data[body:first]), string(data), code[m[0]:]) {
				continue
			}
			if copying[function] || accessors[function] && object != "self" || copiesSelf(code, m[0], m[1]) || runsElsewhere(code[m[0]:]) || usesKeys(code, m[0], m[1]) {
				continue
			}
			if texts == nil {
				texts = stringTokens(string(data))
			}
			if isWithin(texts, first) || bytes.ContainsRune(data[bytes.LastIndexByte(data[:first], '\n')+1:first], '#') {
				continue
			}
			if opened := f.opened(object, string(data[body:first]), string(data), line); opened >= 0 {
				site := dynamicSite{line: opened, adds: computedName(data[body:first], code[m[0]:])}
				if object == "self" {
					site.method, site.self = setter(data[:first]), true
				}
				f.dynamic = append(f.dynamic, site)
			}
		}
	}
}

// copiesSelf reports whether code that uses __dict__ only reads the attributes of self, or copies them to another object.
func copiesSelf(code []byte, first, end int) bool {
	text := bytes.TrimRight(code[first:end], ",)\n \t")
	if bytes.HasSuffix(text, []byte(".__dict__.update")) {
		return bytes.HasPrefix(code[end:], []byte("(self.__dict__)"))
	}
	line := bytes.LastIndexByte(code[:first], '\n') + 1
	return readsAttributes().Match(code[line : first+len(text)])
}

// runs matches a call of exec with a namespace that is not one of the class or object around it.
var runs = lazyregexp.New(`^[^\w.]?exec\((?:[^()\n,]|\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))+,\s*(\w+(?:\.\w+)*)(?:\(\)\s*,\s*(\w+(?:\.\w+)*)|\s*,\s*(\w+(?:\.\w+)*))?`)

// runsElsewhere reports whether code begins with a call of exec that runs code in another namespace.
func runsElsewhere(code []byte) bool {
	m := runs().FindSubmatch(code[:min(len(code), maxCall)])
	if m == nil {
		return false
	}
	return !slices.ContainsFunc(m[1:], func(name []byte) bool {
		return string(name) == "locals" || string(name) == "vars" || bytes.HasPrefix(name, []byte("self")) || bytes.HasPrefix(name, []byte("cls"))
	})
}

// maxCall is the maximum length of the beginning of a call that is examined.
const maxCall = 500

// assignsDict matches the assignment of the attributes of an object to a variable.
var assignsDict = lazyregexp.New(`(?m)^[ \t]*(\w+)[ \t]*=[ \t]*[\w.]+\.__dict__[ \t]*\n`)

// usesKeys reports whether a line assigns the attributes of an object to a variable that the rest of the function uses only
// with the names of attributes in quotes.
func usesKeys(code []byte, first, end int) bool {
	line := bytes.LastIndexByte(code[:first], '\n') + 1
	m := assignsDict().FindSubmatchIndex(code[line:min(len(code), end)])
	if m == nil || m[0] != 0 {
		return false
	}
	name, indent, uses := string(code[line+m[2]:line+m[3]]), m[2], 0
	for rest := range bytes.Lines(code[min(len(code), line+m[1]):]) {
		if len(bytes.TrimSpace(rest)) > 0 && len(rest)-len(bytes.TrimLeft(rest, " \t")) < indent {
			break
		}
		for i := bytes.Index(rest, []byte(name)); i >= 0; i = bytes.Index(rest, []byte(name)) {
			before, after := rest[:i], rest[i+len(name):]
			rest = after
			if len(before) > 0 && (isWord(before[len(before)-1]) || before[len(before)-1] == '.') || len(after) > 0 && isWord(after[0]) {
				continue
			}
			if uses++; !bytes.HasPrefix(after, []byte(`["`)) && !bytes.HasPrefix(after, []byte("['")) && !bytes.HasSuffix(before, []byte(" in ")) && !bytes.HasPrefix(after, []byte(".get(")) {
				return false
			}
		}
	}
	return uses > 0
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// stringTokens returns the strings in code.
func stringTokens(code string) []source.Token {
	return slices.DeleteFunc(source.Tokens(code), func(t source.Token) bool { return t.Kind != source.StringToken })
}

// isWithin reports whether an offset is within one of the tokens.
func isWithin(tokens []source.Token, offset int) bool {
	i, found := slices.BinarySearchFunc(tokens, offset, func(t source.Token, offset int) int { return t.Pos - offset })
	return found || i > 0 && offset < tokens[i-1].Pos+len(tokens[i-1].Text)
}

// likeSelf matches a value that has the class of self.
var likeSelf = lazyregexp.New(`^(?:self\.__class__|cls|type\(self\)|object\.__new__|super\(\)\.__new__|copy\.copy\(self|copy\(self|self\.(?:copy|_?clone|_copy)\()`)

// annotated matches the annotation of a parameter after its name.
var annotated = lazyregexp.New(`^\s*:\s*["']?([\w.]+)["']?\s*(?:[,)=\n]|\|\s*None)`)

// opened returns a line of the only class to which a function adds attributes with computed names. The function, which
// begins with text and reaches the given line of the whole file, adds them to an object. opened returns 0 if any class of the file may
// be that of the object, and -1 if none can be.
func (f *file) opened(object, text, whole string, line int) int {
	if object == "self" || object == "cls" || object == "super" || object == "" {
		return line
	}
	class := ""
	if strings.HasPrefix(object, "self.") {
		class, text = constructed(whole, object), ""
	}
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if value, ok := strings.CutPrefix(l, object+" = "); ok {
			if likeSelf().MatchString(value) {
				return line
			}
			if strings.HasPrefix(value, "sys.modules[") {
				return -1
			}
			class, _, _ = strings.Cut(value, "(")
		} else if strings.HasPrefix(l, "except") && strings.HasSuffix(l, " as "+object+":") {
			return -1
		} else if i := strings.Index(l, object); class == "" && i >= 0 && (i == 0 || l[i-1] == ' ' || l[i-1] == '(') {
			if m := annotated().FindStringSubmatch(l[i+len(object):]); m != nil {
				class = m[1]
			}
		}
	}
	switch x := f.scope.names[class]; {
	case x == nil || x.alt != nil:
	case x.imported && x.attr != "" && class[0] >= 'A' && class[0] <= 'Z' && !typingModules[x.from]:
		return -1
	case x.stmt != nil && x.stmt.Kind == source.Class:
		return x.stmt.Line
	}
	return 0
}

// typingModules contain names such as Any, which represent many classes.
var typingModules = set("typing", "typing_extensions", "types", "collections.abc")

// lastFunction returns the name and the offset of the last function that begins in code, or "" if there is none.
func lastFunction(code []byte) (name string, offset int) {
	for {
		i := bytes.LastIndex(code, []byte("def"))
		if i < 0 {
			return "", 0
		}
		start := bytes.LastIndexByte(code[:i], '\n') + 1
		if m := declaresFunction().FindSubmatch(code[start:]); m != nil {
			return string(m[1]), start
		}
		code = code[:i]
	}
}

// constructed returns the class whose objects a file assigns to an attribute, or "" if it is not known.
func constructed(code, attribute string) (class string) {
	assigned, err := regexp.Compile(`(?m)^[ \t]*` + regexp.QuoteMeta(attribute) + `[ \t]*(?::[^=\n]*)?=[ \t]*(?:([\w.]+)\(.*\))?[ \t\r]*(?:#.*)?(?:$|([^=]))`)
	if err != nil {
		return ""
	}
	for _, m := range assigned.FindAllStringSubmatch(code, -1) {
		if m[1] == "" || m[2] != "" || class != "" && class != m[1] {
			return ""
		}
		class = m[1]
	}
	return class
}

// setsAttribute matches the object, the name and the value of a call of setattr at the beginning of code.
var setsAttribute = lazyregexp.New(`^setattr\(\s*([\w.]+)\s*,\s*([^\s,()]+(?:[ \t]*\+[ \t]*[^\s,()]+)*)\s*,([^\n]*)`)

// setsDeclared reports whether a call of setattr at the beginning of code only assigns attributes that are private, that the
// object has, or whose names are written before in the function, which begins with text.
func setsDeclared(text, code []byte) bool {
	m := setsAttribute().FindSubmatch(code[:min(len(code), maxCall)])
	if m == nil {
		return false
	}
	object, key, value := string(m[1]), string(m[2]), string(m[3])
	if strings.Contains(value, "getattr("+object+", "+key) || bytes.Contains(text, []byte("getattr("+object+", "+key+")")) || strings.Contains(value, object+".__dict__["+key+"]") || isPrivateText(key) {
		return true
	}
	if strings.IndexFunc(key, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) }) >= 0 {
		return false
	}
	binds, err := regexp.Compile(`(?m)^[ \t]*` + key + `[ \t]*=([^=].*)|\bfor\b[^\n]*\b` + key + `\b[^\n]*?\bin\b([^:]*)`)
	if err != nil {
		return false
	}
	bound := binds.FindAllSubmatch(text, -1)
	return isGuarded(text, object, key) || len(bound) > 0 && !slices.ContainsFunc(bound, func(m [][]byte) bool {
		return !isPrivateText(strings.TrimSpace(string(m[1]))) && !writtenNames().Match(m[2])
	})
}

// computedName returns the names of the attributes that a call of setattr at the beginning of code assigns, with * for the part
// that it computes, as in f"set_{name}_request". The function begins with text. computedName returns "" if it does not know a part.
func computedName(text, code []byte) string {
	m := setsAttribute().FindSubmatch(code[:min(len(code), maxCall)])
	if m == nil {
		return ""
	}
	key := string(m[2])
	if isName(key) {
		binds, err := regexp.Compile(`(?m)(?:\bfor\b[^\n]*|^[ \t]*(?:async[ \t]+)?def\b[^\n]*|^[ \t]*)\b` + key + `\b[ \t]*(?:=[ \t]*([^=\n].*))?`)
		if err != nil {
			return ""
		}
		bound := binds.FindAllSubmatch(text, 2)
		if len(bound) != 1 {
			return ""
		}
		key = strings.TrimSpace(string(bound[0][1]))
	}
	quoted, ok := strings.CutPrefix(key, "f")
	if !ok || len(quoted) < 2 || strings.IndexByte(`"'`, quoted[0]) < 0 || quoted[len(quoted)-1] != quoted[0] || strings.Contains(quoted, "{{") || strings.ContainsAny(quoted, `+\`) {
		return ""
	}
	quoted = quoted[1 : len(quoted)-1]
	first, last := strings.IndexByte(quoted, '{'), strings.LastIndexByte(quoted, '}')
	if first < 0 || last < first || first+len(quoted)-last-1 < minKnown {
		return ""
	}
	return quoted[:first] + "*" + quoted[last+1:]
}

// minKnown is the minimum length of the known part of a name.
const minKnown = 3

// setsChecked reports whether a call of setattr at the beginning of code assigns only attributes of self that the object has: the
// function, which begins with text, raises an error for other names than those that a method returns, which reads the attributes.
func setsChecked(text, whole string, code []byte) bool {
	m := setsAttribute().FindSubmatch(code[:min(len(code), maxCall)])
	if m == nil || string(m[1]) != "self" || !isName(string(m[2])) {
		return false
	}
	_, after, found := strings.Cut(text, "if "+string(m[2])+" not in ")
	known, after, isLine := strings.Cut(after, ":\n")
	if !found || !isLine || !isName(known) {
		return false
	}
	indent := len(after) - len(strings.TrimLeft(after, " \t"))
	raised := false
	for line := range strings.Lines(after) {
		content := strings.TrimLeft(line, " \t")
		if len(line)-len(content) < indent && strings.TrimSpace(line) != "" {
			break
		}
		raised = raised || strings.HasPrefix(content, "raise ")
	}
	_, method, found := strings.Cut(text, known+" = self.")
	method, _, isCall := strings.Cut(method, "(")
	_, body, isDeclared := strings.Cut(whole, " def "+method+"(self")
	body, _, _ = strings.Cut(body, "\n    def ")
	return raised && found && isCall && isDeclared && strings.Contains(body, "getattr(self, ")
}

// namesDescriptor matches the method that a class calls with the name of a descriptor in it.
var namesDescriptor = lazyregexp.New(`(?m)^[ \t]*def[ \t]+__set_name__\(\s*\w+\s*,\s*(\w+)[^,()]*,\s*(\w+)`)

// setsName reports whether a call of setattr at the beginning of code, in a method that begins in text, replaces a descriptor.
func setsName(text, code []byte) bool {
	m := setsAttribute().FindSubmatch(code[:min(len(code), maxCall)])
	start := bytes.LastIndex(text, []byte("def __set_name__("))
	if m == nil || start < 0 {
		return false
	}
	line := bytes.LastIndexByte(text[:start], '\n') + 1
	params := namesDescriptor().FindSubmatch(text[line:])
	if params == nil || !bytes.Equal(params[1], m[1]) || !bytes.Equal(params[2], m[2]) {
		return false
	}
	indent := len(text[line:]) - len(bytes.TrimLeft(text[line:], " \t"))
	_, body, _ := bytes.Cut(text[start:], []byte("\n"))
	for l := range bytes.Lines(body) {
		if content := bytes.TrimLeft(l, " \t\r\n"); len(content) > 0 && bytes.IndexAny(l, "\r\n") > 0 && len(l)-len(bytes.TrimLeft(l, " \t")) <= indent && content[0] != ')' {
			return false
		}
	}
	return true
}

// readsVars reports whether code begins with a call of vars whose result is only read.
func readsVars(code []byte) bool { return readVars().Match(code[:min(len(code), maxCall)]) }

var readVars = lazyregexp.New(`^vars\(\s*\w+\s*\)\.(?:copy|items|keys|values|get)\(`)

// writtenNames matches strings in parentheses or brackets, and the names of the slots of an object.
var writtenNames = lazyregexp.New(`^\s*(?:[(\[](?:\s*(?:"\w+"|'\w+')\s*,?)+\s*[)\]]|(?:self|cls)\.__slots__)\s*$`)

// isPrivateText reports whether an expression is a string that begins with an underscore.
func isPrivateText(expression string) bool {
	return strings.HasPrefix(expression, `"_`) || strings.HasPrefix(expression, "'_") || strings.HasPrefix(expression, `f"_`) || strings.HasPrefix(expression, "f'_")
}

// isGuarded reports whether a condition around the end of text checks that an object has an attribute.
func isGuarded(text []byte, object, key string) bool {
	has, found := "hasattr("+object+", "+key+")", "getattr("+object+", "+key+", "
	lines := strings.Split(string(text), "\n")
	indent := len(lines[len(lines)-1])
	for _, line := range slices.Backward(lines[:len(lines)-1]) {
		content := strings.TrimLeft(line, " \t")
		if content == "" || len(line)-len(content) >= indent {
			continue
		}
		indent = len(line) - len(content)
		condition, isIf := strings.CutPrefix(strings.TrimPrefix(content, "el"), "if ")
		if !isIf || strings.Contains(condition, " or ") || strings.Contains(condition, "not ") {
			continue
		}
		if value, ok := strings.CutPrefix(condition, key+" == "); ok && strings.IndexAny(value, "\"'") == 0 {
			return true // a name that is written
		}
		if _, after, ok := strings.Cut(condition, found); ok && !strings.HasPrefix(after, "None") && strings.Contains(after, " is None") || strings.Contains(condition, has) {
			return true
		}
	}
	return false
}

// declaresExec reports whether an offset is before the name of a function that is called exec.
func declaresExec(code []byte, offset int) bool {
	return bytes.HasSuffix(code[:offset], []byte("def")) && bytes.HasPrefix(bytes.TrimLeft(code[offset:], " "), []byte("exec("))
}
