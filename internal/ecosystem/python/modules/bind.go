package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// scope contains the bindings of names in a module or class.
type scope struct {
	file  *file
	class *binding // the class, or nil for a module
	names map[string]*binding
	order []*binding
	// included are the Cython files that are currently being included, the
	// innermost last.
	included []string
	// stars are the statements "from m import *", in order.
	stars []star
	// elsewhere are the names that are bound only by other versions of Python or on other
	// platforms, and starsElsewhere are the modules from which other versions or platforms
	// import all names.
	elsewhere, starsElsewhere []string
	// uninstalled are the names that a try statement imports from a module that is not installed, or along with it.
	uninstalled map[string]bool
	// all are the statements that set __all__.
	all []*source.Stmt
	// deleted are the names that a del statement has removed.
	deleted map[string]*binding
	// attached are the assignments to attributes of the module's classes, by
	// class.
	attached map[string][]*source.Stmt
	// added are the statements that extend another variable, which may be a list
	// used by __all__.
	added []*source.Stmt
}

// binding is one binding of a name.
type binding struct {
	name  string
	scope *scope
	place string       // the included file that contains it
	stmt  *source.Stmt // nil for an import
	// overloads are the declarations under @overload, in order.
	overloads []*source.Stmt
	// from is the module of an import, and attr is the name imported from it. attr is empty if the
	// module itself is imported.
	from, attr string
	imported   bool
	line       int // line number of an import
	// explicit is true for "import a as a" and "from m import a as a".
	explicit bool
	// value is the assigned value, and annotation is its type.
	value      *source.Expression // nil if there is none
	annotation *source.Expression
	// typing is true if only type checkers evaluate the binding.
	typing bool
	// fallback is true for a binding in an except clause or an else.
	fallback bool
	// alt is the binding over which this one took precedence. If type checkers use one binding and
	// the interpreter another, runs is the interpreter's.
	alt, runs *binding
	// instance is true for an attribute assigned in __init__.
	instance bool
	writable bool // whether the property has a setter
	varies   bool // whether another branch declares a function with another result

	compiled *binding // the binding in the compiled module, for a declaration of a stub
	declared *binding // the class in the Cython declarations next to its code
	inner    *scope   // scope of a class, computed on demand
	class    *class
	used     bool // true while the binding is being followed
	// filling is true while the fields of the class that this call creates are
	// being collected.
	filling bool
}

// branch contains the conditions under which a statement runs: for type checkers only, only if
// another statement does not run, under an unknown condition, or in a try statement.
type branch struct {
	typing, fallback, doubtful, tried bool
}

// maxBindings is the maximum number of names of one scope.
const maxBindings = 50_000

func (s *scope) bindAll(r *Reader, body []source.Stmt, in branch) {
	for i := range body {
		if len(s.order) > maxBindings {
			r.warn("%s binds more than %d names; the others are omitted", s.file.name, maxBindings)
			return
		}
		s.bind(r, &body[i], in)
	}
}

func (s *scope) bind(r *Reader, stmt *source.Stmt, in branch) {
	switch stmt.Kind {
	case source.Def:
		if s.class == nil && stmt.Name == "__getattr__" {
			s.file.lazy = stmt.Body
		}
		s.define(stmt, in)
	case source.Class:
		s.add(&binding{name: stmt.Name, stmt: stmt}, in)
		if s.class == nil && slices.ContainsFunc(stmt.Decorators, func(d *source.Expression) bool { return decorator(d) == "global_enum" }) {
			s.addMembers(stmt, in)
		}
	case source.Assign:
		s.assign(stmt, in)
	case source.Import:
		for _, n := range stmt.Names {
			top, _, dotted := strings.Cut(n.Name, ".")
			switch {
			case n.As != "":
				s.add(&binding{name: n.As, from: n.Name, imported: true, explicit: n.As == n.Name, line: stmt.Line}, in)
			case dotted && s.names[top] != nil && s.names[top].imported && s.names[top].from == top:
			default:
				s.add(&binding{name: top, from: top, imported: true, line: stmt.Line}, in)
			}
		}
	case source.From:
		module := s.file.absolute(stmt.Level, stmt.Name)
		for _, n := range stmt.Names {
			if n.Name == "*" {
				s.stars = append(s.stars, star{module: module, typing: in.typing, fallback: in.fallback, tried: in.tried, line: stmt.Line, before: len(s.order)})
				continue
			}
			b := &binding{name: n.Name, from: module, attr: n.Name, imported: true, explicit: n.As == n.Name, line: stmt.Line}
			if n.As != "" {
				b.name = n.As
			}
			s.add(b, in)
		}
	case source.If:
		s.condition(r, stmt, in)
	case source.Try:
		if s.fails(r, stmt) {
			count := len(s.elsewhere)
			s.leaveOut(stmt.Body)
			for _, name := range s.elsewhere[count:] {
				if s.uninstalled == nil {
					s.uninstalled = map[string]bool{}
				}
				s.uninstalled[name] = true
			}
			s.bindAll(r, stmt.Else, in)
			s.replaceable(stmt.Body)
			return
		}
		tried := in
		tried.tried = true
		s.bindAll(r, stmt.Body, tried)
		in.fallback = true
		s.bindAll(r, stmt.Else, in)
	case source.Block:
		lists := len(s.all)
		s.bindAll(r, stmt.Body, in)
		if stmt.Name == "for" && len(s.all) > lists && s.class == nil { // The whole loop is recorded as the origin of the names.
			s.all = append(s.all[:lists], stmt)
		}
	case source.Include:
		s.include(r, stmt.Name, in)
	case source.Expr:
		s.changeList(stmt, in)
		if s.class == nil && strings.Contains(stmt.Value.Text(), "().update(") {
			s.update(stmt, in)
		}
	case source.Del:
		for _, n := range stmt.Names {
			if b := s.names[n.Name]; b != nil && !in.fallback && !in.typing {
				if s.deleted == nil {
					s.deleted = map[string]*binding{}
				}
				s.deleted[n.Name] = b
				delete(s.names, n.Name)
				s.order = remove(s.order, b)
			}
		}
	}
}

// changeList records a method call on __all__, or on a list from which __all__ may be
// built. It keeps names that are removed only in some environments.
func (s *scope) changeList(stmt *source.Stmt, in branch) {
	name, call, ok := strings.Cut(stmt.Value.Text(), ".")
	method, _, called := strings.Cut(call, "(")
	if !ok || !called || method == "remove" && (in.fallback || in.doubtful) {
		return
	}
	switch {
	case name == "__all__":
		s.all = append(s.all, stmt)
	case s.class != nil || !listMethods[method] || s.names[name] == nil || s.names[name].stmt == nil || s.names[name].stmt.Kind != source.Assign:
	default:
		s.added = append(s.added, &source.Stmt{Kind: source.Expr, Line: stmt.Line, Targets: []string{name}, Value: stmt.Value})
	}
}

// listMethods are the methods that change a list of names.
var listMethods = set("append", "add", "extend", "update", "remove")

// addMembers binds the members of an enumeration in the module.
func (s *scope) addMembers(class *source.Stmt, in branch) {
	for i := range class.Body {
		if m := &class.Body[i]; m.Kind == source.Assign && m.Op == "" && m.Value.Text() != "" && len(m.Targets) == 1 && isName(m.Targets[0]) && !strings.HasPrefix(m.Targets[0], "_") {
			s.add(&binding{name: m.Targets[0], stmt: m, value: &m.Value}, in)
		}
	}
}

// update binds the names that globals().update(…) adds: the keys of a dictionary,
// keywords, or the members of an enumeration of the module.
func (s *scope) update(stmt *source.Stmt, in branch) {
	t := stmt.Value.Tree()
	if t.Kind != source.Call || t.X.Kind != source.Attribute || t.X.X.Kind != source.Call {
		return
	}
	if owner := t.X.X.X.Dotted(); owner != "globals" && owner != "vars" && owner != "locals" || len(t.X.X.Args) > 0 {
		return
	}
	bind := func(name string, value *source.Tree) {
		if isName(name) {
			made := &source.Stmt{Kind: source.Assign, Line: stmt.Line, Targets: []string{name}, Value: *source.NewExpression(value)}
			s.add(&binding{name: name, stmt: made, value: &made.Value}, in)
		}
	}
	for _, a := range t.Args {
		switch {
		case a.Kind == source.Keyword:
			bind(a.Name, a.X)
		case a.Kind == source.Dict:
			for i, k := range a.Keys {
				if k != nil && k.Kind == source.String {
					bind(k.Name, a.Args[i])
				}
			}
		case a.Kind == source.Attribute && a.Name == "__members__":
			if b := s.names[a.X.Dotted()]; b != nil && isClassBinding(b) {
				s.addMembers(b.stmt, in)
			}
		}
	}
}

func remove(list []*binding, b *binding) []*binding {
	for i := range list {
		if list[i] == b {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

// absolute returns the absolute name of a module that a file imports relatively. It
// returns "" if the import goes above the top-level package.
func (f *file) absolute(level int, name string) string {
	if level == 0 {
		return name
	}
	base := f.mod.name
	if !f.mod.pkg {
		level++
	}
	for range level - 1 {
		i := strings.LastIndexByte(base, '.')
		if i < 0 {
			return ""
		}
		base = base[:i]
	}
	if name == "" {
		return base
	}
	return base + "." + name
}

// windowsOnly and unixOnly are modules of the standard library that do not exist on other
// platforms.
var (
	windowsOnly = set("_winapi", "msvcrt", "winreg", "nt", "winsound", "_winreg")
	unixOnly    = set("fcntl", "posix", "pwd", "grp", "termios", "resource", "_posixsubprocess", "pty", "tty")
)

// compiledLibrary are public modules of the standard library without source
// files.
var compiledLibrary = set("array", "atexit", "audioop", "binascii", "builtins", "cmath", "errno", "faulthandler", "fcntl", "gc", "grp", "itertools", "marshal", "math",
	"mmap", "msvcrt", "nis", "nt", "ossaudiodev", "parser", "posix", "pwd", "pyexpat", "readline", "resource", "select", "spwd", "sys", "syslog", "termios", "time",
	"unicodedata", "winreg", "winsound", "zlib")

// fails reports whether a try statement begins with an import of a module that
// is not installed or that the platform does not have.
func (s *scope) fails(r *Reader, stmt *source.Stmt) bool {
	lacking := windowsOnly
	if strings.HasPrefix(s.file.mod.dist.Platform, "windows") {
		lacking = unixOnly
	}
	for i := range stmt.Body {
		switch imported := &stmt.Body[i]; imported.Kind {
		case source.Import:
			for _, n := range imported.Names {
				if lacking[n.Name] || r.absent(s.file.mod.dist, topOf(n.Name)) {
					return true
				}
			}
		case source.From:
			if imported.Level == 0 && r.absent(s.file.mod.dist, topOf(imported.Name)) {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// replaceable records the imports that fail as alternatives of the variables that take their place. Elsewhere, the
// variables contain what the imports bind.
func (s *scope) replaceable(body []source.Stmt) {
	for i := range body {
		for _, n := range body[i].Names {
			if b := s.names[cmp.Or(n.As, topOf(n.Name))]; b != nil && b.alt == nil && b.stmt != nil && b.stmt.Kind == source.Assign {
				b.alt = &binding{name: b.name, scope: s, imported: true, from: topOf(cmp.Or(body[i].Name, n.Name)), line: body[i].Line}
			}
		}
	}
}

// absent reports whether a top-level module is known not to be installed.
func (r *Reader) absent(d *dist, top string) bool {
	if !d.Installed || r.importer == nil || strings.HasPrefix(top, "_") || compiledLibrary[top] || slices.Contains(d.Modules, top) {
		return false
	}
	known, ok := r.missing[top]
	if !ok {
		_, known = d.locate(top)
		if !known {
			src, err := r.importer(top)
			known = err == nil && src != nil
		}
		known = !known
		r.missing[top] = known
	}
	return known
}

// condition binds the names that an if statement binds.
func (s *scope) condition(r *Reader, stmt *source.Stmt, in branch) {
	other := in
	switch s.truth(r, stmt.Value.Tree(), 0) {
	case yes:
		s.leaveOut(stmt.Else)
		s.bindAll(r, stmt.Body, in)
		return
	case no:
		s.leaveOut(stmt.Body)
		s.bindAll(r, stmt.Else, in)
		if condition := strings.TrimSpace(stmt.Value.Text()); s.class == nil && !s.file.stub && (condition == "False" || condition == "0") { // The block is only seen by analysis tools.
			in.typing = true
			s.bindAll(r, stmt.Body, in)
		}
		return
	case typing:
		in.typing = true
	case untyping:
		other.typing = true
	case unlikely:
		if len(stmt.Else) > 0 && !raises(stmt.Else) {
			s.bindAll(r, stmt.Else, in)
			if in.fallback = true; !raises(stmt.Body) {
				s.bindAll(r, stmt.Body, in)
			}
			return
		}
	default:
		in.doubtful, other.fallback = true, true
	}
	if !raises(stmt.Body) {
		s.bindAll(r, stmt.Body, in)
	}
	if !raises(stmt.Else) {
		s.bindAll(r, stmt.Else, other)
	}
}

// leaveOut records the names that are bound in a block that does not run for this version of Python
// and platform, because programs that run elsewhere may use them.
func (s *scope) leaveOut(body []source.Stmt) {
	for i := range body {
		stmt := &body[i]
		switch stmt.Kind {
		case source.Def, source.Class:
			s.elsewhere = append(s.elsewhere, stmt.Name)
		case source.Assign:
			s.elsewhere = append(s.elsewhere, stmt.Targets...)
		case source.Import, source.From:
			for _, n := range stmt.Names {
				switch {
				case n.Name == "*":
					s.starsElsewhere = append(s.starsElsewhere, s.file.absolute(stmt.Level, stmt.Name))
				case n.As != "":
					s.elsewhere = append(s.elsewhere, n.As)
				default:
					s.elsewhere = append(s.elsewhere, topOf(n.Name))
				}
			}
		case source.If, source.Try, source.Block:
			s.leaveOut(stmt.Body)
			s.leaveOut(stmt.Else)
		}
		if len(s.elsewhere) > maxBindings {
			return
		}
	}
}

// raises reports whether a block ends with raise, in which case importing a module that runs the
// block fails.
func raises(body []source.Stmt) bool {
	return len(body) > 0 && body[len(body)-1].Kind == source.Raise
}

// define binds a function. Overloads share one binding, and so do the parts of
// a property.
func (s *scope) define(stmt *source.Stmt, in branch) {
	old := s.names[stmt.Name]
	if old != nil && old.stmt != nil && old.stmt.Kind == source.Def {
		for _, d := range stmt.Decorators {
			if t := d.Tree(); t.Kind == source.Attribute && t.X.Dotted() == stmt.Name {
				old.writable = old.writable || t.Name == "setter"
				return
			}
		}
		if !isOverload(old.stmt) && in.fallback && !old.fallback {
			old.varies = old.varies || otherResult(old.stmt, stmt)
			return
		}
	}
	b := &binding{name: stmt.Name, stmt: stmt}
	if old != nil && len(old.overloads) > 0 && (isOverload(old.stmt) || isOverload(stmt)) {
		b.overloads = old.overloads
	}
	if isOverload(stmt) {
		b.overloads = append(b.overloads, stmt)
	}
	s.add(b, in)
}

// otherResult reports whether two declarations of a function may have results of different types.
func otherResult(a, b *source.Stmt) bool { return a.Returns == "" || a.Returns != b.Returns }

func isOverload(stmt *source.Stmt) bool {
	return slices.ContainsFunc(stmt.Decorators, func(d *source.Expression) bool { return lastOf(d.Tree().Dotted()) == "overload" })
}

// assign binds the targets of an assignment.
func (s *scope) assign(stmt *source.Stmt, in branch) {
	for _, target := range stmt.Targets {
		if target == "__all__" {
			s.all = append(s.all, stmt)
			continue
		}
		if stmt.Op != "" {
			if s.names[target] != nil && s.names[target].stmt != nil && stmt.Op == "+=" {
				s.added = append(s.added, stmt)
			}
			continue
		}
		if isName(target) {
			s.add(&binding{name: target, stmt: stmt, value: &stmt.Value, annotation: stmt.Annotation}, in)
			continue
		}
		if name, ok := strings.CutPrefix(target, "globals()["); ok && s.class == nil { // The target is a key of globals(), as in globals()["x"] = 1.
			if name := source.Parse(strings.TrimSuffix(name, "]")); name.Kind == source.String && isName(name.Name) {
				s.add(&binding{name: name.Name, stmt: stmt, value: &stmt.Value}, in)
			}
			continue
		}
		if target == "sys.modules[__name__]" && s.class == nil {
			s.file.replaced = true
			continue
		}
		if name, ok := strings.CutSuffix(target, ".__doc__"); ok {
			if b := s.names[name]; b != nil && b.stmt != nil && (b.stmt.Kind == source.Def || b.stmt.Kind == source.Class) && stmt.Value.Tree().Kind == source.String {
				documented := *b.stmt
				documented.Doc = stmt.Value.Text()
				b.stmt = &documented
			}
			continue
		}
		if strings.ContainsAny(target, ".[") && !strings.ContainsAny(target, ",(") {
			s.attach(target, stmt)
			continue
		}
		left := source.Parse(target)
		var values []*source.Tree
		if right := stmt.Value.Tree(); right.Kind == source.Tuple || right.Kind == source.List {
			values = right.Args
		}
		for i, e := range left.Args {
			if e.Kind != source.Name {
				continue
			}
			b := &binding{name: e.Name, stmt: stmt}
			if len(values) == len(left.Args) {
				b.value = source.NewExpression(values[i])
			}
			s.add(b, in)
		}
	}
}

// attach records an assignment to an attribute of a class, as in date.min = date(1, 1,
// 1), or to an attribute of a name that a star import may bind.
func (s *scope) attach(target string, stmt *source.Stmt) {
	name, attr, _ := strings.Cut(target, ".")
	b := s.names[name]
	if b == nil && len(s.stars) == 0 || b != nil && !isClassBinding(b) || !isName(attr) {
		return
	}
	if s.attached == nil {
		s.attached = map[string][]*source.Stmt{}
	}
	s.attached[name] = append(s.attached[name], stmt)
}

// add binds a name. If the clause of a binding runs only instead of another
// clause, the binding in the other clause is preferred.
func (s *scope) add(b *binding, in branch) {
	b.scope, b.typing, b.fallback = s, in.typing, in.fallback
	if n := len(s.included); n > 0 {
		b.place = s.included[n-1]
	}
	old := s.names[b.name]
	declared := b.stmt != nil && b.stmt.Kind == source.Assign && b.value.Text() == "" && b.annotation != nil
	if declared && s.class == nil && !s.file.stub {
		b.typing = true // An annotation without a value does not bind anything at run time.
	}
	switch {
	case old == nil:
		s.names[b.name] = b
		s.order = append(s.order, b)
		return
	case declared:
		old.annotation = cmp.Or(old.annotation, b.annotation)
		return
	case b.fallback && !old.fallback, old.typing && !b.typing && !isAnnotation(old), wraps(b, old):
		if old.typing && !b.typing {
			old.typing, old.runs = false, b
		}
		if name, wrapper := unwrapped(b.value); wrapper != "" && name == b.name && s.class != nil && s.names[b.name] == old { // The value wraps a function, as in f = staticmethod(f).
			if c := old.decorated(wrapper); c != old {
				old.stmt = c.stmt
			}
		}
		tail := old
		for n := 0; tail.alt != nil && n < maxAlternatives; n++ {
			tail = tail.alt
		}
		tail.alt = b
		return
	}
	if b.annotation == nil && old.stmt != nil && old.stmt.Kind == source.Assign {
		b.annotation = old.annotation
		if b.stmt != nil && b.stmt.Kind == source.Assign && b.stmt.Doc == "" && b.stmt.Comment == "" && isAnnotation(old) {
			b.stmt = withDocs(b.stmt, old.stmt)
		}
	}
	switch {
	case isAnnotation(old):
	case len(b.overloads) > 0 && old.stmt != nil && isOverload(old.stmt): // of the same function
		b.alt = old.alt
	default:
		b.alt = old
	}
	s.names[b.name] = b
	for i := range s.order {
		if s.order[i] == old {
			s.order[i] = b
		}
	}
}

// wraps reports whether a binding replaces a function or class with the result of a call to which
// it is passed, as in Attribute = _add_eq(Attribute).
func wraps(b, old *binding) bool {
	if b.stmt == nil || b.stmt.Kind != source.Assign || !old.imported && (old.stmt == nil || old.stmt.Kind == source.Assign) || b.annotation != nil {
		return false
	}
	t := b.value.Tree()
	if t.Kind == source.Call && len(t.Args) == 3 && t.Args[1].Kind == source.Tuple { // The value is a call that creates a class, as in A = Meta("A", (A,), {}).
		for _, base := range t.Args[1].Args {
			if base.Kind == source.Name && base.Name == b.name {
				return true
			}
		}
	}
	for range maxDepth {
		if t.Kind != source.Call || len(t.Args) == 0 {
			break
		}
		if t = t.Args[0]; t.Kind == source.Keyword {
			t = t.X
		}
		if t.Kind == source.Name && t.Name == b.name {
			return true
		}
	}
	return false
}

// maxAlternatives is the maximum number of bindings of one name that are kept.
const maxAlternatives = 8

// isAnnotation reports whether a binding is an annotation without a value.
func isAnnotation(b *binding) bool {
	return b.stmt != nil && b.stmt.Kind == source.Assign && b.value.Text() == "" && b.annotation != nil
}

func withDocs(stmt, docs *source.Stmt) *source.Stmt {
	if docs.Doc == "" && docs.Comment == "" {
		return stmt
	}
	c := *stmt
	c.Doc, c.Comment = docs.Doc, docs.Comment
	return &c
}
