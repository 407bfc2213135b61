package modules

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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
var plainBases = set("object", "typing.Generic", "typing_extensions.Generic", "typing.Protocol", "typing_extensions.Protocol", "abc.ABC", "ABC", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.ReprEnum", "enum.Flag", "enum.IntFlag",
	"Exception", "BaseException", "Warning", "ArithmeticError", "AssertionError", "BufferError", "DeprecationWarning", "EOFError", "FutureWarning", "IndexError", "KeyError",
	"LookupError", "MemoryError", "NotImplementedError", "OverflowError", "RecursionError", "ReferenceError", "RuntimeError", "RuntimeWarning", "TypeError", "UserWarning",
	"ValueError", "ZeroDivisionError",
	"pydantic.main.BaseModel", "pydantic.root_model.RootModel", "pydantic_settings.main.BaseSettings", "sqlmodel.main.SQLModel")

// plainClasses are classes whose files assign computed attributes, but only to objects of other classes, or which create only
// objects of themselves.
var plainClasses = set("argparse.ArgumentParser", "argparse._AttributeHolder", "argparse._ActionsContainer", "logging.Filterer", "logging.Logger", "logging.Handler", "logging.StreamHandler", "logging.FileHandler", "logging.Formatter",
	"importlib._bootstrap.ModuleSpec", "inspect.BoundArguments", "inspect.Parameter", "inspect.Signature", "typing.IO", "typing.TextIO", "typing.BinaryIO", "pathlib.PurePath", "pathlib.Path", "pathlib._local.PurePath", "pathlib._local.Path", "_pytest.monkeypatch.MonkeyPatch")

// isClosed reports whether a class has no public attributes other than those that members returns
// and those that code assigns to its objects.
func (d *documenter) isClosed(e *entity, members []*member) bool {
	setters, closed := d.closedUnless(e, members, false)
	return closed && len(setters) == 0 && len(d.added(e)) == 0 && !d.hasMixin(d.mro(e))
}

// declaredMember is a member that a class declares.
type declaredMember struct {
	class *entity
	name  string
}

// closedUnless reports whether a class is closed unless code calls one of its methods that add attributes with computed names.
// It may also have the attributes that added returns. If the class has a mixin, only objects of the class itself, not those of derived classes, are
// closed. If itself is true, only the attributes of the class itself must be known, not those of its objects.
func (d *documenter) closedUnless(e *entity, members []*member, itself bool) (setters []declaredMember, closed bool) {
	switch d.styleOf(e) {
	case plainClass, dataClass, attrsClass:
	case pydanticModel:
		if extra := d.setting(e, "extra"); extra != nil && extra.Name != "forbid" && extra.Name != "ignore" {
			return nil, false
		}
	case enumeration:
		// the attributes of objects are those of the class
	default:
		return nil, false
	}
	if len(members) > maxMembers {
		return nil, false
	}
	for _, c := range d.mro(e) {
		name := c.full()
		if c.external != "" {
			name = strings.TrimPrefix(c.external, "builtins.")
		}
		if plainBases[name] || d.Program && compiled()[c.external] != nil || d.isComplete != nil && d.isComplete(c) {
			continue
		}
		if c.external != "" {
			return nil, false
		}
		names, ok := d.tellsUnless(c)
		if !ok && !(itself && d.about(c).tells == 2) {
			return nil, false
		}
		for _, name := range names {
			setters = append(setters, declaredMember{c, name})
		}
	}
	return setters, true
}

// callsNext matches a call of a method of the next class, and the beginning of its arguments.
var callsNext = lazyregexp.New(`\bsuper\(\s*(?:\w+\s*,\s*\w+\s*)?\)\.(\w+)\(\s*([^)\s]?)`)

// nextCalls returns the calls of methods of the next class in the lines of a class, except for those in classes within it and in
// strings.
func nextCalls(text string) [][]string {
	calls := [][]string{}
	var texts []source.Token // the strings, once they are needed
	for _, m := range callsNext().FindAllStringSubmatchIndex(text, maxNextCalls) {
		if texts == nil {
			texts = stringTokens(text)
		}
		if classAround(text, m[0]) == 0 && !isWithin(texts, m[0]) {
			calls = append(calls, []string{text[m[0]:m[1]], text[m[2]:m[3]], text[m[4]:m[5]]})
		}
	}
	return calls
}

const (
	// maxNextCalls is the maximum number of calls in a class that are examined.
	maxNextCalls = 500
	// maxLinesAround is the maximum number of lines in which the class around one is searched for.
	maxLinesAround = 20_000
)

// classAround returns the offset of the line that begins the innermost class around an offset in a text.
func classAround(text string, offset int) int {
	indent := maxLine
	for n, end := 0, offset; end > 0 && n < maxLinesAround; n++ {
		start := strings.LastIndexByte(text[:end], '\n') + 1
		line := text[start:offset]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		content := strings.TrimLeft(line, " \t")
		if width := len(line) - len(content); content != "" && width < indent {
			indent = width
			if strings.HasPrefix(content, "class ") && start > 0 {
				return start
			}
		}
		end = start - 1
	}
	return 0
}

// emptyBases are classes without methods that a derived class calls.
var emptyBases = set("object", "typing.Generic", "typing_extensions.Generic", "abc.ABC", "ABC", "typing.Protocol", "typing_extensions.Protocol")

// hasMixin reports whether a class or one of its bases, in the order of method resolution, is a mixin.
func (r *Reader) hasMixin(mro []*entity) bool {
	for i, c := range mro {
		if r.isMixin(c, mro[i+1:]) {
			return true
		}
	}
	return false
}

// isMixin reports whether the code of a class calls a method of the next class that none of the following classes has. The
// objects then have another base, which the program adds in a derived class.
func (r *Reader) isMixin(e *entity, following []*entity) bool {
	b := e.code
	if b == nil || b.stmt == nil || b.stmt.Kind != source.Class || b.scope.file.source == "" {
		return false
	}
	about := r.about(e)
	if about.next == nil {
		about.next = nextCalls(r.classText(b))
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

// computes reports whether the code of a class may assign an attribute by its name in a string or in a keyword argument, as in
// self.__dict__.update({"x": 1}, y=2).
func (r *Reader) computes(e *entity, name string) bool {
	if e.code == nil || e.code.scope.file.source == "" {
		return false
	}
	text := r.classText(e.code)
	if !slices.ContainsFunc(dynamicMarks[:], func(mark string) bool { return strings.Contains(text, mark) }) {
		return false
	}
	return strings.Contains(text, `"`+name+`"`) || strings.Contains(text, "'"+name+"'") || strings.Contains(text, ".update(") && isKeyword(text, name)
}

// isKeyword reports whether a text may contain a keyword argument with a name.
func isKeyword(text, name string) bool {
	before := ""
	for i, after := range strings.Split(text, name+"=") {
		last, _ := utf8.DecodeLastRuneInString(before)
		if before = after; i > 0 && strings.ContainsRune(" \t\n(,", last) {
			return true
		}
	}
	return false
}

// tellsAll reports whether a class statement declares all attributes that the class has in addition
// to those of its bases. A stub does so for a class without Python code.
func (r *Reader) tellsAll(e *entity) bool {
	setters, ok := r.tellsUnless(e)
	return ok && len(setters) == 0
}

// tellsUnless is like tellsAll. The class has the attributes unless code calls one of the methods that it returns.
func (r *Reader) tellsUnless(e *entity) (setters []string, ok bool) {
	b := e.code
	if b == nil && e.stub != nil && !e.stub.scope.file.made && !e.mod.guessed {
		b = e.stub
	}
	if b == nil || b.alt != nil || b.imported || b.stmt == nil || b.stmt.Kind != source.Class || b == e.code && !strings.HasSuffix(b.scope.file.name, ".py") {
		return nil, false
	}
	about := r.about(e)
	if about.tells == 0 {
		about.tells = 1
		if r.findTells(e, b) {
			about.tells = 2
		}
	}
	return about.setters, about.tells == 2 && !about.opens
}

func (r *Reader) findTells(e *entity, b *binding) bool {
	for _, d := range b.stmt.Decorators {
		if !r.isPlainDecorator(b.scope, d) {
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
		case source.Call:
			if !r.is(b.scope, a.X.Dotted(), namedNames) { // a function that returns a class
				return false
			}
		default:
			return false
		}
	}
	names := r.inner(b).names
	for _, name := range openingNames {
		if x := names[name]; x != nil && !isHiddenFromCheckers(b.stmt, name) && !(name == "__getattr__" && r.onlyRaises(x)) && !(name == "__new__" && x.stmt != nil && (makesItself(x.stmt.Returns, b.name) || r.createsItself(x) || plainClasses[e.full()])) {
			r.about(e).opens = true
		}
	}
	for _, x := range r.inner(b).order {
		if x.typing && (x.stmt == nil || x.stmt.Kind != source.Def && !r.isDeclared(x, b)) || x.name == "__metaclass__" {
			return false // a name that only type checkers see is created in some other way at run time
		}
	}
	if init := names["__init_subclass__"]; init != nil && init.stmt != nil {
		h := &hook{Reader: r, scope: b.scope, class: b, depth: maxDecorators}
		if code := functionAt(b.scope.file, init.stmt); init.alt != nil || code == nil || !h.initializes(code) {
			return false
		}
	}
	for i := range b.stmt.Body { // Statements that run may bind computed names.
		if kind := b.stmt.Body[i].Kind; kind == source.Block || kind == source.Del {
			return false
		}
	}
	if plainClasses[e.full()] {
		return true
	}
	setters, adds, opens, dynamic := r.isDynamic(b.scope.file, b)
	about := r.about(e)
	about.setters, about.adds, about.opens = setters, adds, about.opens || opens
	return !dynamic
}

// onlyRaises reports whether the code of a function consists of a raise statement.
func (r *Reader) onlyRaises(b *binding) bool {
	if b.alt != nil || b.stmt == nil || b.stmt.Kind != source.Def {
		return false
	}
	body := r.body(b)
	return len(body) > 0 && body[len(body)-1].Kind == source.Raise && !slices.ContainsFunc(body[:len(body)-1], func(s source.Stmt) bool {
		return s.Kind != source.Expr || s.Value.Tree().Kind != source.String
	})
}

// isDeclared reports whether a binding in a class only declares the type of an attribute that is private or that the code of the
// class assigns.
func (r *Reader) isDeclared(x, class *binding) bool {
	if x.stmt.Kind != source.Assign || x.annotation == nil || x.value.Text() != "" {
		return false
	}
	return strings.HasPrefix(x.name, "_") || assignsSelf(r.classText(class), x.name)
}

// assignsSelf reports whether code assigns an attribute of self.
func assignsSelf(code, name string) bool {
	for _, part := range strings.Split(code, "self."+name)[1:] {
		part = strings.TrimLeft(part, " \t")
		if _, value, ok := strings.Cut(part, "="); ok && (part[0] == '=' || part[0] == ':' && !strings.Contains(part[:strings.IndexByte(part, '=')], "\n")) && !strings.HasPrefix(value, "=") {
			return true
		}
	}
	return false
}

// maxStored is the maximum number of attributes of a class to which its __new__ assigns objects that it may return.
const maxStored = 10

// createsItself reports whether the code of __new__ returns only objects that object.__new__ or that of another builtin class
// creates. Decorators such as those that dispatch or cache are assumed to return such objects, too.
func (r *Reader) createsItself(b *binding) bool {
	f := b.scope.file
	if b.alt != nil || b.stmt.Kind != source.Def || f.source == "" {
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
	isClassAttribute := func(x *source.Tree) bool {
		return x.Kind == source.Attribute && x.X.Kind == source.Name && x.X.Name == "cls"
	}
	stored := map[string]int{} // the number of such objects that are assigned to an attribute of the class
	eachStatement(code.Body, func(s *source.Code) {
		for _, target := range s.Targets {
			if target.Kind == source.Name && s.Kind == source.AssignCode && createsObject(s.Value) {
				made[target.Name] = true
			} else if isClassAttribute(target) && createsObject(s.Value) {
				stored[target.Name]++
			} else if target.Kind != source.Attribute && target.Kind != source.Subscript {
				eachTree(target, bind)
			}
		}
		for _, item := range s.Items {
			eachTree(item.Target, bind)
		}
		for _, name := range words(s.Name) {
			other[name] = true // an exception, a function, or a name in a pattern
		}
		eachTree(s.Value, func(x *source.Tree) {
			if x.Kind == source.Walrus {
				other[x.Name] = true
			}
		})
	})
	if len(stored) > maxStored || b.scope.class == nil {
		clear(stored)
	}
	isOnly := map[string]bool{} // whether no other code of the class assigns the attribute
	for name, count := range stored {
		isOnly[name] = count == countAssignments(r.classText(b.scope.class), name)
	}
	returns, all := 0, true
	eachStatement(code.Body, func(s *source.Code) {
		if s.Kind == source.ReturnCode {
			returns++
			all = all && s.Value != nil && (createsObject(s.Value) || s.Value.Kind == source.Name && made[s.Value.Name] && !other[s.Value.Name] ||
				isClassAttribute(s.Value) && isOnly[s.Value.Name])
		}
	})
	return returns > 0 && all
}

// countAssignments returns the number of statements in code that assign an attribute with a name to any object.
func countAssignments(code, name string) int {
	return len(regexp.MustCompile(`\.`+regexp.QuoteMeta(name)+`[ \t]*(?::[^=\n]*)?=[^=]`).FindAllString(code, -1))
}

// createsObject reports whether an expression is a call such as object.__new__(cls) or int.__new__(cls, 1).
func createsObject(x *source.Tree) bool {
	if x == nil || x.Kind != source.Call || x.X.Kind != source.Attribute || x.X.Name != "__new__" || len(x.Args) == 0 || x.Args[0].Kind != source.Name || x.Args[0].Name != "cls" {
		return false
	}
	return x.X.X.Kind == source.Name && (x.X.X.Name == "object" || builtins[x.X.X.Name]) || x.X.X.Kind == source.Call && x.X.X.X.Dotted() == "super"
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
