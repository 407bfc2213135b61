package modules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// This file decides whether all attributes of a class are known. It ignores attributes that methods
// assign to objects; callers that need these search the code for assignments.

// A class with one of these names in its body has attributes that no statement declares, or creates
// objects of another class.
var openingNames = [...]string{"__getattr__", "__getattribute__", "__new__", "__class__"}

// plainMetaclasses add no attributes to their classes.
var plainMetaclasses = set("abc.ABCMeta", "ABCMeta", "type", "enum.EnumMeta", "enum.EnumType")

// plainBases contains classes of the standard library without public attributes other than those of
// every exception, and base classes of models, which declare all their attributes for type checkers.
var plainBases = set("object", "typing.Generic", "typing_extensions.Generic", "abc.ABC", "ABC", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.ReprEnum", "enum.Flag", "enum.IntFlag",
	"Exception", "BaseException", "Warning", "ArithmeticError", "AssertionError", "BufferError", "DeprecationWarning", "EOFError", "FutureWarning", "IndexError", "KeyError",
	"LookupError", "MemoryError", "NotImplementedError", "OverflowError", "RecursionError", "ReferenceError", "RuntimeError", "RuntimeWarning", "TypeError", "UserWarning",
	"ValueError", "ZeroDivisionError",
	"pydantic.main.BaseModel", "pydantic.root_model.RootModel", "pydantic_settings.main.BaseSettings", "sqlmodel.main.SQLModel")

// plainClasses are classes whose files assign computed attributes, but only to objects of other classes, or which create only
// objects of themselves.
var plainClasses = set("argparse.ArgumentParser", "argparse._AttributeHolder", "argparse._ActionsContainer", "logging.Filterer", "logging.Logger", "logging.Handler", "logging.StreamHandler", "logging.FileHandler", "logging.Formatter",
	"pathlib.PurePath", "pathlib.Path", "pathlib._local.PurePath", "pathlib._local.Path", "_pytest.monkeypatch.MonkeyPatch")

// plainDecorators are decorators of classes that add no public attributes.
var plainDecorators = set("dataclass", "final", "runtime_checkable", "total_ordering", "unique", "deprecated", "dataclass_transform", "type_check_only", "s", "attrs", "define", "frozen", "mutable", "set_module")

// isClosed reports whether a class has no public attributes other than those that members returns
// and those that code assigns to its objects.
func (d *documenter) isClosed(e *entity, members []*member) bool {
	switch d.styleOf(e) {
	case plainClass, dataClass, attrsClass:
	case pydanticModel:
		if extra := d.setting(e, "extra"); extra != nil && extra.Name != "forbid" && extra.Name != "ignore" {
			return false
		}
	case enumeration:
		// the attributes of objects are those of the class
	default:
		return false
	}
	if len(members) > maxMembers {
		return false
	}
	mro := d.mro(e)
	for i, c := range mro {
		if d.isMixin(c, mro[i+1:]) {
			return false
		}
		name := c.full()
		if c.external != "" {
			name = strings.TrimPrefix(c.external, "builtins.")
		}
		if plainBases[name] || d.Program && compiled()[c.external] != nil {
			continue
		}
		if c.external != "" || !d.tellsAll(c) {
			return false
		}
	}
	return true
}

// callsNext matches a call of a method of the next class, and the beginning of its arguments.
var callsNext = lazyregexp.New(`\bsuper\(\s*(?:\w+\s*,\s*\w+\s*)?\)\.(\w+)\(\s*([^)\s]?)`)

// emptyBases are classes without methods that a derived class calls.
var emptyBases = set("object", "typing.Generic", "typing_extensions.Generic", "abc.ABC", "ABC", "typing.Protocol", "typing_extensions.Protocol")

// isMixin reports whether the code of a class calls a method of the next class that none of the following classes has. The
// objects then have another base, which the program adds in a derived class.
func (r *Reader) isMixin(e *entity, following []*entity) bool {
	b := e.code
	if b == nil || b.stmt == nil || b.stmt.Kind != source.Class || b.scope.file.source == "" {
		return false
	}
	about := r.about(e)
	if about.next == nil {
		about.next = append([][]string{}, callsNext().FindAllStringSubmatch(r.classText(b), -1)...)
	}
	if len(about.next) == 0 {
		return false
	}
	following = slices.DeleteFunc(slices.Clone(following), func(k *entity) bool {
		return emptyBases[k.full()] || emptyBases[strings.TrimPrefix(k.external, "builtins.")]
	})
	if slices.ContainsFunc(following, func(k *entity) bool { return k.external != "" || k.main() == nil || k.main().stmt == nil }) {
		return false
	}
	for _, m := range about.next {
		name, argument := m[1], m[2]
		if strings.HasPrefix(name, "__") && (name != "__init__" || argument == "") {
			continue // a method of object
		}
		if !slices.ContainsFunc(following, func(k *entity) bool { return r.inner(k.main()).names[name] != nil }) {
			return true
		}
	}
	return false
}

// classText returns the lines of a class.
func (r *Reader) classText(b *binding) string {
	f := b.scope.file
	start := f.offsetOf(b.stmt.Line)
	if start < 0 {
		return ""
	}
	text := f.source[start:]
	indent, size := -1, 0
	for line := range strings.Lines(text) {
		content := strings.TrimLeft(line, " \t")
		n := len(line) - len(content)
		switch {
		case indent < 0:
			indent = n
		case strings.TrimSpace(content) != "" && n <= indent && size > 0 && !strings.HasPrefix(content, ")"):
			return text[:size]
		}
		size += len(line)
	}
	return text
}

// tellsAll reports whether a class statement declares all attributes that the class has in addition
// to those of its bases. A stub does so for a class without Python code.
func (r *Reader) tellsAll(e *entity) bool {
	b := e.code
	if b == nil && e.stub != nil && !e.stub.scope.file.made && !e.mod.guessed {
		b = e.stub
	}
	if b == nil || b.alt != nil || b.imported || b.stmt == nil || b.stmt.Kind != source.Class || b == e.code && !strings.HasSuffix(b.scope.file.name, ".py") {
		return false
	}
	about := r.about(e)
	if about.tells == 0 {
		about.tells = 1
		if r.findTells(e, b) {
			about.tells = 2
		}
	}
	return about.tells == 2
}

func (r *Reader) findTells(e *entity, b *binding) bool {
	for _, d := range b.stmt.Decorators {
		if !plainDecorators[decorator(d)] {
			return false
		}
	}
	for _, a := range source.Parse("f(" + b.stmt.Params + "\n)").Args {
		switch a.Kind {
		case source.Name, source.Attribute, source.Subscript:
		case source.Keyword:
			if a.Name == "extra" || a.Name == "metaclass" && !r.isPlainMetaclass(b.scope, a.X.Dotted()) {
				return false
			}
		default:
			return false
		}
	}
	names := r.inner(b).names
	for _, name := range openingNames {
		if x := names[name]; x != nil && !isHiddenFromCheckers(b.stmt, name) && !(name == "__new__" && x.stmt != nil && (makesItself(x.stmt.Returns, b.name) || r.createsItself(x) || plainClasses[e.full()])) {
			return false
		}
	}
	for _, x := range r.inner(b).order {
		if x.typing && (x.stmt == nil || x.stmt.Kind != source.Def && !declaresPrivate(x)) || x.name == "__metaclass__" {
			return false // a name that only type checkers see is created in some other way at run time
		}
	}
	if init := names["__init_subclass__"]; init != nil {
		for _, stmt := range r.body(init) { // The function may call another function that adds attributes.
			if stmt.Kind != source.Assign && (stmt.Kind != source.Expr || !strings.HasPrefix(stmt.Value.Text(), "super()")) {
				return false
			}
		}
	}
	for i := range b.stmt.Body { // Statements that run may bind computed names.
		if kind := b.stmt.Body[i].Kind; kind == source.Block || kind == source.Del {
			return false
		}
	}
	return plainClasses[e.full()] || !r.isDynamic(b.scope.file, b)
}

// isPlainMetaclass reports whether a metaclass adds no attributes to the objects of its classes.
func (r *Reader) isPlainMetaclass(s *scope, name string) bool {
	if r.is(s, name, plainMetaclasses) || plainMetaclasses[name] {
		return true
	}
	e := r.resolve(s, name)
	if !e.known() || !e.isClass() || e.code == nil || e.code.alt != nil || len(e.code.stmt.Decorators) > 0 {
		return false
	}
	for _, base := range r.bases(e) {
		if base.external == "" && !plainMetaclasses[base.full()] || base.external != "" && !plainMetaclasses[strings.TrimPrefix(base.external, "builtins.")] {
			return false
		}
	}
	for i := range e.code.stmt.Body {
		switch stmt := &e.code.stmt.Body[i]; {
		case stmt.Kind == source.Def && (stmt.Name == "__call__" || stmt.Name == "__repr__" || strings.HasPrefix(stmt.Name, "_") && !strings.HasPrefix(stmt.Name, "__")):
		case stmt.Kind == source.Expr:
		default:
			return false
		}
	}
	return len(r.bases(e)) > 0 && !r.isDynamic(e.code.scope.file, e.code)
}

// declaresPrivate reports whether a binding only declares the type of a private attribute that code assigns.
func declaresPrivate(b *binding) bool {
	return strings.HasPrefix(b.name, "_") && b.stmt.Kind == source.Assign && b.annotation != nil && b.value.Text() == ""
}

// createsItself reports whether the code of __new__ returns only objects that object.__new__ creates.
func (r *Reader) createsItself(b *binding) bool {
	f := b.scope.file
	if b.alt != nil || b.stmt.Kind != source.Def || f.source == "" || slices.ContainsFunc(b.stmt.Decorators, func(d *source.Expression) bool { return d.Text() != "staticmethod" }) {
		return false
	}
	code := source.ParseFunction(f.source, f.offsetOf(b.stmt.Line))
	if code == nil || code.Kind != source.DefCode || code.Name != b.name {
		return false
	}
	made := map[string]bool{}  // whether a variable contains such an object
	other := map[string]bool{} // whether it may contain another one
	bind := func(x *source.Tree) {
		if x.Kind == source.Name {
			other[x.Name] = true
		}
	}
	eachStatement(code.Body, func(s *source.Code) {
		for _, target := range s.Targets {
			if target.Kind == source.Name && s.Kind == source.AssignCode && createsObject(s.Value) {
				made[target.Name] = true
			} else if target.Kind != source.Attribute && target.Kind != source.Subscript {
				eachTree(target, bind)
			}
		}
		for _, item := range s.Items {
			eachTree(item.Target, bind)
		}
		for _, name := range strings.FieldsFunc(s.Name, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
			other[name] = true // an exception, a function, or a name in a pattern
		}
		eachTree(s.Value, func(x *source.Tree) {
			if x.Kind == source.Walrus {
				other[x.Name] = true
			}
		})
	})
	returns, all := 0, true
	eachStatement(code.Body, func(s *source.Code) {
		if s.Kind == source.ReturnCode {
			returns++
			all = all && s.Value != nil && (createsObject(s.Value) || s.Value.Kind == source.Name && made[s.Value.Name] && !other[s.Value.Name])
		}
	})
	return returns > 0 && all
}

// createsObject reports whether an expression is a call such as object.__new__(cls).
func createsObject(x *source.Tree) bool {
	if x == nil || x.Kind != source.Call || x.X.Kind != source.Attribute || x.X.Name != "__new__" || len(x.Args) == 0 || x.Args[0].Kind != source.Name || x.Args[0].Name != "cls" {
		return false
	}
	return x.X.X.Dotted() == "object" || x.X.X.Kind == source.Call && x.X.X.X.Dotted() == "super"
}

// eachTree calls a function for an expression, which may be nil, and those in it.
func eachTree(x *source.Tree, do func(*source.Tree)) {
	if x == nil {
		return
	}
	do(x)
	eachTree(x.X, do)
	for _, list := range [][]*source.Tree{x.Args, x.Keys} {
		for _, a := range list {
			eachTree(a, do)
		}
	}
}

// eachStatement calls a function for statements and those in them, except for those of functions and classes.
func eachStatement(body []source.Code, do func(*source.Code)) {
	for i := range body {
		s := &body[i]
		do(s)
		if s.Kind == source.DefCode || s.Kind == source.ClassCode {
			continue
		}
		eachStatement(s.Body, do)
		eachStatement(s.Else, do)
		eachStatement(s.Handlers, do)
		eachStatement(s.Finally, do)
	}
}

// isHiddenFromCheckers reports whether a class declares a function only under "if not TYPE_CHECKING", which tells
// type checkers that the class has no other attributes.
func isHiddenFromCheckers(class *source.Stmt, name string) bool {
	for i := range class.Body {
		stmt := &class.Body[i]
		if condition := stmt.Value.Text(); stmt.Kind == source.If && strings.HasPrefix(condition, "not ") && strings.HasSuffix(condition, "TYPE_CHECKING") {
			if slices.ContainsFunc(stmt.Body, func(inner source.Stmt) bool { return inner.Kind == source.Def && inner.Name == name }) {
				return true
			}
		}
	}
	return false
}

// makesItself reports whether the result of __new__ of a class is declared as an object of that class.
func makesItself(annotation, class string) bool {
	name, _, _ := strings.Cut(strings.Trim(annotation, `"'`), "[")
	name = lastOf(name)
	return name == "Self" || name == class
}

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

// maxDynamic is the maximum size, in bytes, of a file that is searched for such code.
const maxDynamic = 8 << 20

// isDynamic reports whether a file may add attributes with computed names to the objects of a class.
func (r *Reader) isDynamic(f *file, class *binding) bool {
	if f.dynamic == nil {
		f.dynamic = []int{}
		data, err := f.text, error(nil)
		if data == nil {
			data, err = readFile(f.mod.dist.Root, f.name)
		}
		if err != nil || len(data) > maxDynamic {
			f.dynamic = append(f.dynamic, 0)
		}
		f.findDynamic(data[:min(len(data), maxDynamic)])
	}
	if slices.Contains(f.dynamic, 0) {
		return true
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
	return slices.ContainsFunc(f.dynamic, func(line int) bool { return line >= top.stmt.Line && line < end })
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
			if copying[function] || copiesSelf(code, m[0], m[1]) || runsElsewhere(code[m[0]:]) || usesKeys(code, m[0], m[1]) {
				continue
			}
			if texts == nil {
				texts = slices.DeleteFunc(source.Tokens(string(data)), func(t source.Token) bool { return t.Kind != source.StringToken })
			}
			if isWithin(texts, first) || bytes.ContainsRune(data[bytes.LastIndexByte(data[:first], '\n')+1:first], '#') {
				continue
			}
			if opened := f.opened(object, string(data[body:first]), line); opened >= 0 {
				f.dynamic = append(f.dynamic, opened)
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
// begins with text and reaches the given line, adds them to an object. opened returns 0 if any class of the file may
// be that of the object, and -1 if none can be.
func (f *file) opened(object, text string, line int) int {
	if object == "self" || object == "cls" || object == "super" || object == "" {
		return line
	}
	class := ""
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
